//! The steps of a run, shown while they are at work, and timed.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use fanmill_text::Result;
use fanmill_text::progress::Progress;

/// The finished steps, and the current one.
pub(crate) struct Steps<'a> {
    progress: &'a dyn Progress,
    timed: Mutex<Timed>,
}

#[derive(Debug, Default)]
struct Timed {
    done: Vec<(&'static str, f64)>,
    current: Option<(&'static str, Instant)>,
}

impl Timed {
    fn end(&mut self) {
        if let Some((step, start)) = self.current.take() {
            self.done.push((step, start.elapsed().as_secs_f64()));
        }
    }
}

impl<'a> Steps<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Steps<'a> {
        Steps { progress, timed: Mutex::default() }
    }

    /// Ends the previous step, and begins one of `total` parts.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub(crate) fn begin(&self, step: &'static str, total: u64) -> Result<()> {
        self.end();
        self.check()?;
        self.with(|timed| timed.current = Some((step, Instant::now())));
        self.progress.begin(step, total);
        Ok(())
    }

    /// Checks whether the run may continue.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        self.progress.check()
    }

    /// Reports that `n` more parts of the step are done.
    pub(crate) fn advance(&self, n: u64) {
        self.progress.advance_by(n);
    }

    /// Ends the last step.
    pub(crate) fn end(&self) {
        self.with(Timed::end);
    }

    /// Returns the seconds that each step took.
    pub(crate) fn seconds(&self) -> Vec<(&'static str, f64)> {
        self.with(|timed| timed.done.clone())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Timed) -> T) -> T {
        work(&mut self.timed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steps").field("seconds", &self.seconds()).finish_non_exhaustive()
    }
}
