//! The report: the result with its evidence, as data and as pages.

pub mod model;
