//! Settings for reading texts.

use fanmill_source::Limits;
use serde::{Deserialize, Serialize};

use super::texts::Kind;

/// The kind of files, and limits on reading them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Reading {
    /// The kind that all files are read as; `auto` to recognise each.
    pub input_format: Kind,
    /// Limits on what is read.
    #[serde(flatten)]
    pub limits: Limits,
}
