//! Documents: where they come from, their bytes, names, groups and metadata.

mod document;

pub use document::{Corpus, Document, Notice, Outcome, Role, Submission};
