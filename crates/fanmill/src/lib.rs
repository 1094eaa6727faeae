//! Fanmill finds copying, and shows the evidence.

pub mod error;
pub mod span;
pub mod source;
pub mod frontend;
pub mod token;
pub mod gram;
pub mod hash;
pub mod select;
pub mod fingerprint;
pub mod base;
pub mod index;
pub mod pair;
pub mod matches;
pub mod score;
pub mod cluster;
pub mod report;
pub mod pipeline;

#[cfg(test)]
mod golden;

pub use error::{Error, Result};
