//! How long work says how far it is.

/// Told about the steps of a long job, from any thread.
pub trait Progress: Sync {
    /// A step begins that has `total` parts.
    fn begin(&self, step: &'static str, total: u64);

    /// Another part of the step is done.
    fn advance(&self);
}

/// Says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance(&self) {}
}
