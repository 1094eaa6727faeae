//! Inputs: files, folders and archives, on disk or in memory, read into submissions.
//!
//! [`read`] turns paths into a [`Corpus`](fanmill_text::document::Corpus). Everything it meets becomes a document or a
//! notice that says why not; nothing from an archive is written to disk, and no name from an archive is opened.
//! [`Limits`] set what one run may read, and one [`Budget`] counts it. `fanmill-records` reads corpora, whose files
//! have many records: it tells by [`mod@sniff`] what a file is, and reads [`documents`] and [`messages`] as this crate does.
//!
//! ```no_run
//! use fanmill_text::document::{Corpus, Role};
//! use fanmill_text::progress::Silent;
//! use fanmill_source::{Budget, Limits, Options, read};
//!
//! let budget = Budget::new(Limits::standard());
//! let mut corpus = Corpus::default();
//! read(&["submissions".into()], Role::New, &Options::everything(), &budget, &mut corpus, &Silent)?;
//! read(&["handout".into()], Role::Base, &Options::everything(), &budget, &mut corpus, &Silent)?;
//! for notice in &corpus.notices {
//!     eprintln!("{:?} {:?}: {}", notice.submission, notice.path, notice.reason);
//! }
//! # Ok::<(), fanmill_text::Error>(())
//! ```
//!
//! Modules are declared in the order in which they use each other.

#![forbid(unsafe_code)]

mod files;
mod limits;
mod extraction;
pub mod label;
mod legacy_names;
pub mod sniff;
mod group;
mod grouping;
mod overlap;
mod earlier;
mod archive;
mod handin;
mod manifest;
mod quiz;
mod draft;
pub mod documents;
pub mod messages;
mod collect;
mod ahead;
mod walk;
mod people;
mod read;
mod tasks;
mod own;
#[cfg(test)]
mod tests;

pub use documents::is_extracted;
pub use earlier::{REPORT_PARTS, starts_as_report};
pub use extraction::{Extraction, Extractor, Hidden};
pub use fanmill_text::glob::Glob;
pub use files::{Files, MemoryFiles};
pub use group::{Attempts, GroupBy, IsText, LeftOut, Mail, Manifests, Marks, Naming, Options};
pub use label::litter;
pub use legacy_names::{NameEncoding, NameSample};
pub use limits::{Budget, Limits};
pub use overlap::overlaps;
pub use own::set_tools_apart;
pub use own::shared::set_handouts_apart;
pub use people::lists::ExportLists;
pub use people::person::person as person_of;
pub use read::{as_given, check_given, read};
pub use sniff::{begins_as_binary, is_message_by_name, not_text};
pub use tasks::join_tasks;
