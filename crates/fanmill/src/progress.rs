//! Progress reporting and cancellation for long-running work.

use crate::{Error, Result};

/// Hears of the steps of a long job, from any thread, and may ask it to stop.
pub trait Progress: Sync {
    /// A step begins that has `total` parts.
    fn begin(&self, step: &'static str, total: u64);

    /// So many more parts of the step are done.
    fn advance_by(&self, n: u64);

    /// Another part of the step is done.
    fn advance(&self) {
        self.advance_by(1);
    }

    /// Whether the job should stop; it is asked between parts of a step.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Goes on, unless the job should stop.
    ///
    /// # Errors
    /// If it should: [`Error::is_cancelled`].
    fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// Ignores all news and never asks to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}
}
