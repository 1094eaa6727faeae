//! The experiments of the papers that Fanmill builds on, on any collection.
//!
//! An experiment is a function from its settings, and documents where it has any, to an
//! [`Outcome`]: tables, figures and findings, and what is needed to get them again. It prints
//! nothing and writes nothing; the same settings and documents give the same outcome.

mod cells;
pub mod claim;
pub mod filter;
pub mod leadbyte;
pub mod minwise;
pub mod outcome;
pub mod shingles;

pub use claim::{Band, Claim};
pub use outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Scale, Series, Style, Table};
