//! How long work says how far it is.

/// Told about the steps of a long job, from any thread.
pub trait Progress: Sync {
    /// A step begins that has `total` parts.
    fn begin(&self, step: &'static str, total: u64);

    /// So many more parts of the step are done.
    fn advance_by(&self, n: u64);

    /// Another part of the step is done.
    fn advance(&self) {
        self.advance_by(1);
    }
}

/// Says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}
}
