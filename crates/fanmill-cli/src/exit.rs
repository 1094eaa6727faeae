//! Exit statuses, as `fanmill compare --help` documents them.

use std::io;
use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Done, and a score is above `--fail-above`.
    Above = 1,
    /// The command line is wrong.
    Usage = 2,
    /// An input is missing or has the wrong shape.
    Input = 3,
    /// Done, but something was not compared whole, and `--strict` was given.
    Incomplete = 4,
    /// Reading or writing failed.
    Io = 6,
    /// A bug.
    Internal = 7,
}

impl Exit {
    /// The status that an error calls for.
    pub(crate) fn of(error: &anyhow::Error) -> Exit {
        match error.downcast_ref::<fanmill::Error>() {
            Some(error) if error.is_setting() => Exit::Usage,
            Some(error) if error.is_input() => Exit::Input,
            Some(_) => Exit::Io,
            None if error.downcast_ref::<std::io::Error>().is_some() => Exit::Io,
            None => Exit::Internal,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Whoever reads our output may stop when it has seen enough: `fanmill compare … | head`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
