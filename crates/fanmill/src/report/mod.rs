//! The report: the result with its evidence, as data and as pages.
//!
//! [`model::Report`] is the result; [`json`], [`csv`] and [`html`] are views of it that know
//! nothing of each other; [`write_folder`] puts all of them into one folder, whole or not at all.
//! Pages also need the texts, which the model does not hold: [`Texts`] hands them over, one
//! document at a time.

pub mod csv;
mod folder;
pub mod html;
pub mod json;
pub mod model;
mod printable;
mod texts;

pub use folder::{check_folder, write_folder};
pub use printable::printable;
pub use texts::{Shown, Texts};

#[cfg(test)]
mod samples;
