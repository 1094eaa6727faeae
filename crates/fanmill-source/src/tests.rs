//! Tests of the whole stage, from paths to corpus; hostile inputs are built here, never stored.

mod apart;
mod archives;
mod attachments;
mod build;
mod cancelled;
mod documents;
mod folders;
mod held;
mod hostile;
mod legacy_names;
mod mail;
mod manifests;
mod own;
mod people;

use std::path::{Path, PathBuf};

use fanmill_text::document::{Corpus, Notice, Outcome, Role, Submission};
use fanmill_text::progress::Silent;

use crate::{Budget, GroupBy, Limits, Options, read};

/// A folder that is removed with the test.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders above it.
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(&path, bytes).expect("a written file");
        path
    }
}

fn read_with(paths: &[PathBuf], group_by: GroupBy, limits: Limits) -> Corpus {
    let options = Options { group_by, ..Options::everything() };
    let mut corpus = Corpus::default();
    read(paths, Role::New, &options, &Budget::new(limits), &mut corpus, &Silent).expect("a corpus");
    check_order(&corpus);
    corpus
}

fn read_auto(path: impl AsRef<Path>) -> Corpus {
    read_with(&[path.as_ref().to_owned()], GroupBy::Auto, Limits::standard())
}

fn read_limited(path: impl AsRef<Path>, limits: Limits) -> Corpus {
    read_with(&[path.as_ref().to_owned()], GroupBy::Auto, limits)
}

/// Checks what holds for every corpus: order, unique names, and a notice on each submission without documents.
fn check_order(corpus: &Corpus) {
    let keys: Vec<_> = corpus.submissions.iter().map(|s| (s.role, &s.name)).collect();
    assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
    assert!(corpus.notices.is_sorted());
    for submission in &corpus.submissions {
        assert!(submission.documents.is_sorted_by(|a, b| a.path < b.path));
        let spoken_of = corpus.notices.iter().any(|notice| notice.submission == submission.name);
        assert!(!submission.documents.is_empty() || spoken_of, "nothing about {submission:?}");
    }
    for notice in &corpus.notices {
        assert!(!notice.reason.is_empty() && !notice.reason.ends_with('.'), "{notice:?}");
        assert!(!notice.reason.contains("fault of ours"), "{notice:?}");
    }
}

/// Returns `name: path, path` for each submission.
fn outline(corpus: &Corpus) -> Vec<String> {
    let line = |submission: &Submission| {
        let paths: Vec<&str> = submission.documents.iter().map(|d| d.path.as_str()).collect();
        format!("{}: {}", submission.name, paths.join(", "))
    };
    corpus.submissions.iter().map(line).collect()
}

/// Returns the notice on a path.
#[track_caller]
fn notice<'c>(corpus: &'c Corpus, submission: &str, path: &str) -> &'c Notice {
    let on = |notice: &&Notice| notice.submission == submission && notice.path == path;
    corpus.notices.iter().find(on).unwrap_or_else(|| panic!("no notice: {:#?}", corpus.notices))
}

#[track_caller]
fn assert_notice(corpus: &Corpus, submission: &str, path: &str, outcome: Outcome, words: &str) {
    let notice = notice(corpus, submission, path);
    assert_eq!(notice.outcome, outcome, "{notice:?}");
    assert!(notice.reason.contains(words), "{notice:?}");
}
