//! Kinds of text, which decide on thresholds and on the documents that are comparable.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The kind of tokens of a document.
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

impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Kind> {
        let mut kinds = [Kind::Code, Kind::Words, Kind::Chars].into_iter();
        kinds.find(|kind| kind.to_string() == text).ok_or_else(|| {
            Error::setting(format!("unknown kind of text `{text}`; use code, words or chars"))
        })
    }
}
