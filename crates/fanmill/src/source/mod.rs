//! Documents: where they come from, their bytes, names, groups and metadata.
//!
//! [`read`] turns paths into a [`Corpus`]. Everything it meets becomes a [`Document`] or a
//! [`Notice`] that says why not; nothing from an archive is written to disk, and no name from one
//! is opened. What one run may read is set by [`Limits`] and counted by one [`Budget`].
//!
//! ```no_run
//! use fanmill::source::{Budget, Corpus, Limits, Options, Role, read};
//!
//! let budget = Budget::new(Limits::standard());
//! let mut corpus = Corpus::default();
//! read(&["submissions".into()], Role::New, &Options::everything(), &budget, &mut corpus)?;
//! read(&["handout".into()], Role::Base, &Options::everything(), &budget, &mut corpus)?;
//! for notice in &corpus.notices {
//!     eprintln!("{:?} {:?}: {}", notice.submission, notice.path, notice.reason);
//! }
//! # Ok::<(), fanmill::Error>(())
//! ```

mod document;
mod limits;
mod glob;
mod label;
mod sniff;
mod group;
pub mod given;
mod overlap;
mod earlier;
mod archive;
mod handin;
mod manifest;
mod draft;
mod collect;
mod walk;
mod read;
#[cfg(test)]
mod tests;

pub use document::{Corpus, Document, Notice, Outcome, Role, Submission};
pub(crate) use earlier::{REPORT_PARTS, starts_as_report};
pub use glob::Glob;
pub use group::{GroupBy, IsText, LeftOut, Options};
pub use label::readable;
pub use limits::{Budget, Limits};
pub use overlap::overlaps;
pub use read::{check_given, read};
pub use sniff::{begins_as_binary, not_text};
