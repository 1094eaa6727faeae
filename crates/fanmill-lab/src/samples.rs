//! Small inputs for tests.

use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::token::Symbol;

/// Returns one symbol per byte.
pub(crate) fn symbols(text: &str) -> Vec<Symbol> {
    text.bytes().map(|byte| Symbol::spelled(&[byte])).collect()
}

/// Creates a corpus of files with these names and texts.
pub(crate) fn corpus<N: AsRef<str>, T: AsRef<str>>(files: &[(N, T)]) -> Corpus {
    let submissions = files.iter().map(|(name, text)| {
        Submission::new(name.as_ref(), Role::New, vec![Document::new(name.as_ref(), text.as_ref())])
    });
    Corpus { submissions: submissions.collect(), ..Corpus::default() }
}
