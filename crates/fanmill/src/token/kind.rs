//! Kinds of text: what tokens are decides thresholds and which documents are comparable.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a document's tokens are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Tokens of a programming or markup language.
    Code,
    /// Words of prose.
    Words,
    /// Characters of prose, for scripts without spaces between words.
    Chars,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Code => "code",
            Kind::Words => "words",
            Kind::Chars => "chars",
        })
    }
}
