//! Exit statuses, as `fanmill compare --help` documents them.

use std::io;
use std::process::ExitCode;

/// The exit status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Done, and a score is above `--fail-above`.
    Above = 1,
    /// The command line is wrong.
    Usage = 2,
    /// An input is missing or is not what it should be.
    Input = 3,
    /// Done, but some input could not be read in full, and `--strict` was given, or a person was to be erased from it.
    Incomplete = 4,
    /// Reading or writing failed.
    Io = 6,
    /// A bug.
    Internal = 7,
}

impl Exit {
    /// Returns the status of an error: that of the outermost cause that has one.
    pub(crate) fn from_error(error: &anyhow::Error) -> Exit {
        let status = |cause: &(dyn std::error::Error + 'static)| {
            if let Some(error) = cause.downcast_ref::<fanmill_text::Error>() {
                return Some(match error {
                    error if error.is_setting() || error.is_busy() => Exit::Usage,
                    error if error.is_input() => Exit::Input,
                    _ => Exit::Io,
                });
            }
            io_kind(cause).map(|_| Exit::Io)
        };
        error.chain().find_map(status).unwrap_or(Exit::Internal)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Returns whether the program that reads our output has closed it: `fanmill compare … | head`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| io_kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

/// Returns the kind of the operating system's error, if there is one. Writers of JSON wrap it.
fn io_kind(cause: &(dyn std::error::Error + 'static)) -> Option<io::ErrorKind> {
    if let Some(error) = cause.downcast_ref::<io::Error>() {
        return Some(error.kind());
    }
    cause.downcast_ref::<serde_json::Error>()?.io_error_kind()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_found_however_deep_its_cause_is() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let through_json = || serde_json::to_writer(Full, &[1]).expect_err("it is full");
        let cases = [
            (anyhow::Error::new(full()), Exit::Io),
            (anyhow::Error::new(full()).context("writing").context("again"), Exit::Io),
            (anyhow::Error::new(through_json()), Exit::Io),
            (anyhow::Error::new(through_json()).context("writing"), Exit::Io),
            (anyhow::Error::new(fanmill_text::Error::input("no")).context("reading"), Exit::Input),
            (anyhow::Error::new(fanmill_text::Error::setting("no")), Exit::Usage),
            (anyhow::Error::new(fanmill_text::Error::busy("no")), Exit::Usage),
            (fanmill_text::Error::io("read", "a", full()).into(), Exit::Io),
            (anyhow::anyhow!("a bug"), Exit::Internal),
        ];
        for (error, exit) in cases {
            assert_eq!(Exit::from_error(&error), exit, "{error:#}");
            assert!(!is_broken_pipe(&error), "{error:#}");
        }
        let gone = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_broken_pipe(&anyhow::Error::new(gone).context("printing")));
    }

    /// A disk that is full.
    struct Full;

    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
