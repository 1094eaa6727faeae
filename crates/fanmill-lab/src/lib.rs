//! Experiments of the papers that Fanmill builds on, for any collection of documents.
//!
//! An experiment is a function from its settings, and documents if it needs any, to an [`Outcome`]: tables, figures and
//! findings, with everything needed to repeat it. It prints nothing and writes nothing; the same settings and documents
//! give the same outcome.
//!
//! [`collection`] holds the input of experiments; [`table`], [`figure`] and [`folder`] show and write outcomes. Each
//! experiment is a module: [`frequency`] and [`calibrate`] are about fingerprints, [`filter`] is about sketches, and
//! [`attack`] about sifting.

#![forbid(unsafe_code)]

pub mod outcome;
pub mod figure;
pub mod cells;
pub mod table;
pub mod folder;
mod tags;
pub mod collection;
pub mod attack;
mod excerpt;
pub mod frequency;
pub mod calibrate;
#[cfg(test)]
mod samples;
pub mod filter;

pub use collection::{Collection, Document, Reading};
pub use outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Scale, Series, Style, Table};
