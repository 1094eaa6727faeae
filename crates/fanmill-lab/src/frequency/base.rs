//! The boilerplate of a collection, as a document that can be given to a comparison as base.
//!
//! Passages are written one below the other. Out of context they may be read differently: a front end may take half a
//! comment for code. The text is therefore read again as the comparison will read it, and the common grams in it are
//! counted.

use std::collections::HashSet;

use fanmill_text::frontend::{Registry, Text};
use fanmill_text::token::{Kind, Tokens};
use fanmill_text::{Error, Result, gram};

/// Passages in so many documents that they should not appear in a comparison.
#[derive(Debug, Clone)]
pub struct Base {
    /// The kind of their tokens.
    pub kind: Kind,
    /// The passages, in the order of the documents. They contain every common gram exactly once.
    pub texts: Vec<String>,
    /// The common grams, ascending.
    pub(super) grams: Vec<u64>,
    /// The length of grams, in tokens.
    pub(super) noise: usize,
}

/// A base as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseFile {
    /// The file's text.
    pub text: String,
    /// Number of common grams.
    pub n_grams: usize,
    /// Number of common grams that a comparison will find in the text.
    pub n_kept: usize,
    /// Name of the front end that reads it.
    pub front_end: &'static str,
}

impl Base {
    /// Returns the base as a file called `name`. The name decides how it is read, unless `language` is given.
    ///
    /// # Errors
    /// If a file with this name would be read as another kind of text, or there is no such language.
    pub fn write(
        &self,
        name: &str,
        registry: &Registry,
        language: Option<&str>,
    ) -> Result<BaseFile> {
        let mut text = String::new();
        for passage in &self.texts {
            text.push_str(passage.trim());
            text.push_str("\n\n");
        }
        // Read the text as a comparison will: folded, then by the front end that claims it.
        let folded = Text::new(text.as_bytes());
        let choice = registry.choose(name, folded.as_str(), language)?;
        if choice.front_end.kind() != self.kind {
            return Err(Error::setting(format!(
                "a comparison would read the base `{name}` as {}, and what is common are {}; give it \
                 the extension that the documents have",
                choice.front_end.kind(),
                self.kind
            )));
        }
        let mut tokens = Tokens::default();
        choice.front_end.tokenize(folded.as_str(), &mut tokens);
        let read: HashSet<u64> = tokens.symbols.windows(self.noise).map(gram::hash).collect();
        let n_kept = self.grams.iter().filter(|gram| read.contains(gram)).count();
        let front_end = choice.front_end.name();
        drop(folded);
        Ok(BaseFile { text, n_grams: self.grams.len(), n_kept, front_end })
    }
}
