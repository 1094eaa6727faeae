//! A comparison's report as files: JSON, CSV, SARIF, and a folder of pages.
//!
//! [`fanmill::report::Report`] is the result as data; [`json`] and [`csv`] are independent views of it, and so is the
//! page, whose program is built in `web/` and embedded as it was committed. [`write_folder`] puts all of them into one
//! folder, completely or not at all; [`files`] returns them, and [`one_file`] is a page with all its parts inside. The
//! page also needs the texts and their tokens, which the result does not hold: [`Texts`] provides them, one document at
//! a time; [`Compared`] does so for a finished comparison. [`sarif`] needs them for its fingerprints. [`printable`] and
//! [`fit`] make any text safe for a screen, and narrow enough.

#![forbid(unsafe_code)]

mod app;
mod printable;
pub mod chance;
pub mod csv;
pub mod json;
mod texts;
mod units;
mod runs;
mod data;
pub mod sarif;
pub mod fit;
mod folder;
mod one_file;

pub use app::LANGUAGES;
pub use folder::{HeldFile, check_folder, files, write_folder};
pub use one_file::one_file;
pub use printable::printable;
pub use texts::{Compared, ShownText, Texts};

#[cfg(test)]
mod samples;
#[cfg(test)]
mod page_model;
