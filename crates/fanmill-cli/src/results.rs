//! Results: everything on standard output.
//!
//! A failed write is an error that names standard output and ends the run with the status for I/O. The
//! exception is a reader that has closed it, `fanmill compare … | head`. A lint forbids every other way to
//! standard output, so that no command forgets either.

use std::io::{self, BufWriter, StdoutLock, Write};

use crate::exit::is_broken_pipe;

/// Standard output, locked and buffered.
#[derive(Debug)]
pub(crate) struct Results(BufWriter<StdoutLock<'static>>);

/// Lets `write` write results, and makes sure that all of them are written.
///
/// # Errors
/// Those of `write`; and if not everything can be written, unless the reader has closed standard output.
pub(crate) fn print(write: impl FnOnce(&mut Results) -> anyhow::Result<()>) -> anyhow::Result<()> {
    match stream(write) {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        written => written,
    }
}

/// Works like [`print()`], for commands that answer while they read: a closed standard output is an error, so that they
/// stop reading. Such a run still succeeds.
///
/// # Errors
/// Those of `write`; and if not everything can be written.
pub(crate) fn stream(write: impl FnOnce(&mut Results) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut results = Results(BufWriter::new(stdout().lock()));
    write(&mut results)?;
    Ok(results.flush()?)
}

/// Takes results from a job and keeps a failure to write them: it cancels the job, which knows nothing of outputs.
#[derive(Debug, Default)]
pub(crate) struct OutputFailure(Option<anyhow::Error>);

impl OutputFailure {
    /// Keeps a failure to write results, and returns a cancellation for the job in its place.
    pub(crate) fn on(&mut self, written: anyhow::Result<()>) -> fanmill_text::Result<()> {
        written.map_err(|error| {
            self.0 = Some(error);
            fanmill_text::Error::cancelled()
        })
    }

    /// Returns the job's own outcome, unless its results could not be written.
    pub(crate) fn unless_failed<T>(self, ended: fanmill_text::Result<T>) -> anyhow::Result<T> {
        match self.0 {
            Some(error) => Err(error),
            None => Ok(ended?),
        }
    }
}

/// Returns standard output itself, to ask whether it is a terminal, or which file it is.
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

/// Returns an error of the same kind, with a text that names standard output.
fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not write to standard output: {error}"))
}
