//! Progress reporting and cancellation for long-running work.

use std::fmt;

use crate::{Error, Result};

/// Receives progress from a long-running job, from any thread, and can ask it to stop.
pub trait Progress: Sync {
    /// Called when a step with `total` parts begins.
    fn begin(&self, step: &'static str, total: u64);

    /// Called when `n` more parts of the current step are done.
    fn advance_by(&self, n: u64);

    /// Called when one more part of the current step is done.
    fn advance(&self) {
        self.advance_by(1);
    }

    /// Returns whether the job should stop. Jobs ask between the parts of a step.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Returns `Ok` unless the job should stop.
    ///
    /// # Errors
    /// If the job should stop; [`Error::is_cancelled`] is then true.
    fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// Passes on whether to stop, and reports nothing: for work inside a step that is counted in another way.
pub struct Unreported<'a>(pub &'a dyn Progress);

impl fmt::Debug for Unreported<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unreported")
    }
}

impl Progress for Unreported<'_> {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Ignores all progress and never asks the job to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}
}
