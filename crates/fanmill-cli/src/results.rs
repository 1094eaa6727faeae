//! Results: everything on standard output.
//!
//! What cannot be written is an error that names standard output, and ends the run with the status
//! for I/O. One case is no error: a reader that has seen enough and gone, `fanmill compare … | head`.
//! Every other way to standard output is closed by a lint, so that no command forgets either.

use std::io::{self, BufWriter, StdoutLock, Write};

use crate::exit::is_broken_pipe;

/// Standard output, locked and buffered.
#[derive(Debug)]
pub(crate) struct Results(BufWriter<StdoutLock<'static>>);

/// Lets `write` write results, and sees to it that all of them are written.
///
/// # Errors
/// Those of `write`; and if standard output does not take everything, unless its reader has gone.
pub(crate) fn print(write: impl FnOnce(&mut Results) -> anyhow::Result<()>) -> anyhow::Result<()> {
    match stream(write) {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        written => written,
    }
}

/// As [`print()`], for commands that answer while they read: that the reader has gone is an error,
/// so that they do not read on for nobody. Such a run ends well.
///
/// # Errors
/// Those of `write`; and if standard output does not take everything.
pub(crate) fn stream(write: impl FnOnce(&mut Results) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut results = Results(BufWriter::new(stdout().lock()));
    write(&mut results)?;
    Ok(results.flush()?)
}

/// Takes results from a job, and keeps what went wrong with them: the job is cancelled by it, and is not told what
/// an output is.
#[derive(Debug, Default)]
pub(crate) struct Handed(Option<anyhow::Error>);

impl Handed {
    /// What a job hears of results that were written, or not.
    pub(crate) fn on(&mut self, written: anyhow::Result<()>) -> fanmill::Result<()> {
        written.map_err(|error| {
            self.0 = Some(error);
            fanmill::Error::cancelled()
        })
    }

    /// What a job has ended with, unless its results could not be written.
    pub(crate) fn unless_failed<T>(self, ended: fanmill::Result<T>) -> anyhow::Result<T> {
        match self.0 {
            Some(error) => Err(error),
            None => Ok(ended?),
        }
    }
}

/// Standard output itself, for what asks about it: whether it is a terminal, or which file.
#[expect(clippy::disallowed_methods, reason = "the one way to standard output")]
pub(crate) fn stdout() -> io::Stdout {
    io::stdout()
}

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| named(&error))
    }
}

/// An error that says what could not be written, of the same kind.
fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not write to standard output: {error}"))
}
