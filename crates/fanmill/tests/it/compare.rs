//! Comparisons of documents in memory.

use fanmill::pipeline::{Comparison, Config, compare};
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

/// A document in memory.
#[derive(Debug, Clone)]
pub(crate) struct Handed {
    pub(crate) role: Role,
    pub(crate) submission: String,
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

impl Handed {
    pub(crate) fn new(submission: &str, path: &str, bytes: impl Into<Vec<u8>>) -> Handed {
        let (submission, path) = (submission.to_owned(), path.to_owned());
        Handed { role: Role::New, submission, path, bytes: bytes.into() }
    }
}

pub(crate) fn registry() -> Registry {
    fanmill_lang::registry()
}

/// A corpus in the order that a source would give it.
pub(crate) fn corpus(handed: &[Handed]) -> Corpus {
    let mut corpus = Corpus::default();
    for Handed { role, submission, path, bytes } in handed {
        let document = Document::new(path.clone(), bytes.clone());
        let known = corpus
            .submissions
            .iter_mut()
            .find(|known| known.role == *role && known.name == *submission);
        match known {
            Some(known) => known.documents.push(document),
            None => corpus.submissions.push(Submission::new(submission, *role, vec![document])),
        }
    }
    corpus.submissions.sort_by(|x, y| (x.role, &x.name).cmp(&(y.role, &y.name)));
    for submission in &mut corpus.submissions {
        submission.documents.sort_by(|x, y| x.path.cmp(&y.path));
    }
    corpus
}

pub(crate) fn comparison(handed: &[Handed], config: &Config) -> Comparison {
    compare(corpus(handed), &registry(), config, &Silent).expect("sound settings")
}
