//! Small inputs for tests.

use fanmill::document::{Corpus, Document, Role, Submission};
use fanmill::token::Symbol;

/// A symbol a byte.
pub(crate) fn symbols(text: &str) -> Vec<Symbol> {
    text.bytes().map(|byte| Symbol::spelled(&[byte])).collect()
}

/// Files, given by name and text.
pub(crate) fn corpus<N: AsRef<str>, T: AsRef<str>>(files: &[(N, T)]) -> Corpus {
    let submissions = files.iter().map(|(name, text)| Submission {
        name: name.as_ref().to_owned(),
        role: Role::New,
        author: None,
        label: None,
        submitted: None,
        documents: vec![Document {
            path: name.as_ref().to_owned(),
            bytes: text.as_ref().as_bytes().into(),
        }],
    });
    Corpus { submissions: submissions.collect(), ..Corpus::default() }
}
