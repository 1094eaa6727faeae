//! An index of fingerprints on disk: documents are added once, and a new text is searched for in all of them.
//!
//! ```
//! use fanmill_text::document::Corpus;
//! use fanmill::{Registry, Silent};
//! use fanmill_index::{Index, Search, Writer};
//! use fanmill_disk::replace::Disk;
//!
//! # let temporary = tempfile::tempdir().map_err(|error| fanmill_text::Error::system("no folder", error))?;
//! # let folder = temporary.path().join("archive.fanmill");
//! let (registry, silent) = (Registry::prose(), Silent);
//! let known = "Last summer we walked along the river until the old mill came into sight, and then home.";
//! let mut writer = Writer::open(&Disk::default(), &folder, None)?;
//! writer.add(Corpus::from_texts([("anna", known)])?.submissions, &registry, &silent)?;
//! writer.close()?;
//!
//! let text = "He says: we walked along the river until the old mill came into sight. So did everybody.";
//! let new = Corpus::from_texts([("ben", text)])?.submissions.remove(0);
//! let answer = Index::open(&folder)?.search(new, &registry, &Search::default(), &silent)?;
//! let place = &answer.sources[0].pair.passages[0].matches[0].a;
//! assert_eq!(answer.sources[0].record.name, "anna");
//! assert!(text[place.start as usize..place.end as usize].starts_with("we walked along the river"));
//! # Ok::<(), fanmill_text::Error>(())
//! ```
//!
//! One [`Writer`] at a time adds, removes and merges; each of these is one commit, or one for each GiB of new text. Any
//! number of readers, in any number of processes, open an [`Index`] and see one generation of it. An index is a folder:
//! copying it while nobody writes makes a backup, and deleting it leaves nothing behind.
//!
//! However a writer ends, the index is afterwards as of its last commit. Every page that is read is checked before use;
//! [`Index::verify`] reads all pages.

#![forbid(unsafe_code)]

mod block;
mod table;
mod texts;
mod record;
mod records;
mod keep;
mod segment;
mod manifest;
mod facts;
mod snapshot;
mod sealed;
mod keys;
mod merge;
mod addition;
mod writer;
mod source_filter;
mod by_fingerprint;
mod estimate;
mod rare;
mod evidence;
mod coverage;
mod cover;
mod search;
mod libraries;
#[cfg(test)]
mod tests;

pub use addition::Added;
pub use by_fingerprint::{ByFingerprint, Run};
pub use coverage::Covered;
pub use estimate::Estimate;
pub use keep::Keep;
pub use keys::{Keyer, Place};
pub use libraries::search_libraries;
pub use record::{FileRecord, Record};
pub use search::{Answer, Base, Common, Library, Search, Source, SourceDocuments};
pub use snapshot::{DocumentState, Index, Stats};
pub use writer::Writer;
