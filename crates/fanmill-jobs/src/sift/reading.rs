//! Settings for reading texts.

use fanmill_source::{Extraction, Limits};
use serde::{Deserialize, Serialize};

use super::texts::Kind;

/// The kind of files, limits on reading them, and the extraction of text from documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Reading {
    /// The kind that all files are read as; `auto` to recognise each.
    pub input_format: Kind,
    /// Limits on what is read.
    #[serde(flatten)]
    pub limits: Limits,
    /// Extraction of text from documents, also from those attached to messages.
    #[serde(flatten)]
    pub documents: Extraction,
}
