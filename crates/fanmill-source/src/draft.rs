//! A submission while it is being put together.

use crate::label::Names;
use crate::limits::Budget;
use crate::manifest::About;
use fanmill_text::message::Message;
use std::collections::BTreeMap;

use fanmill_text::document::{Document, Metadata, Notice, Origin, Outcome, Role, Submission};

/// A submission being put together.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) documents: Vec<Document>,
    /// Paths already given to documents.
    pub(super) names: Names,
    /// Path, outcome and reason of each notice.
    pub(super) notices: Vec<(String, Outcome, Message)>,
    pub(super) bytes_left: u64,
    pub(super) entries_left: u64,
    pub(super) origin: Origin,
    pub(super) about: About,
    /// The documents' own metadata, by path.
    pub(super) metadata: BTreeMap<String, Metadata>,
}

impl Draft {
    /// Creates an empty submission that may use one part in `share` of what the run has left.
    pub(super) fn new(origin: Origin, budget: &Budget, share: u64) -> Draft {
        Draft {
            origin,
            bytes_left: budget.room() / share,
            entries_left: budget.entries_left().div_ceil(share),
            ..Draft::default()
        }
    }

    /// Returns whether it has neither documents nor notices.
    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.notices.is_empty()
    }

    /// Finishes the submission. One with neither documents nor notices gets a notice.
    pub(super) fn finish(mut self, name: String, role: Role) -> Finished {
        if self.is_empty() {
            let reason = Message::from("empty: no files in it");
            self.notices.push((name.clone(), Outcome::Skipped, reason));
        }
        self.documents.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let Draft { origin, documents, notices, about, metadata, .. } = self;
        let mut submission =
            Submission { metadata, origin, ..Submission::new(name, role, documents) };
        about.describe(&mut submission);
        Finished { submission, notices }
    }
}

/// A submission with its notices, before its name is known to be unique.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) submission: Submission,
    /// Path, outcome and reason of each notice.
    pub(super) notices: Vec<(String, Outcome, Message)>,
}

impl Finished {
    /// Returns the submission and its notices under its final name.
    pub(super) fn named(mut self, name: String) -> (Submission, impl Iterator<Item = Notice>) {
        self.submission.name.clone_from(&name);
        let role = self.submission.role;
        let notices = self.notices.into_iter().map(move |(path, outcome, reason)| Notice {
            role,
            submission: name.clone(),
            path,
            outcome,
            reason,
        });
        (self.submission, notices)
    }
}
