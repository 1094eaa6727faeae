//! The output of a source: submissions, each with its documents, and an account of every input.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::message::Message;
use crate::span::Span;

/// The part that a submission takes in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Compared with every other new submission and with the archive.
    New,
    /// From an earlier batch: compared with new submissions, never with each other.
    Archive,
    /// Boilerplate: its content does not count as copying.
    Base,
}

/// One file, archive entry or notebook, as it was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Path inside its submission with `/` between parts; for an entry of an archive,
    /// the archive's path, `!/` and the entry's. A label for people, never opened again.
    pub path: String,
    /// The original bytes.
    pub bytes: Vec<u8>,
    /// The bytes that take part, ascending and disjoint; `None` if the whole document does. Tokens that begin elsewhere
    /// are skipped, and no match crosses the gap.
    pub part: Option<Vec<Span>>,
}

impl Document {
    /// Creates a document that takes part as a whole.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Document {
        Document { path: path.into(), bytes: bytes.into(), part: None }
    }
}

/// The form in which a submission was handed in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A file of its own, or a text in memory.
    #[default]
    File,
    /// A folder.
    Folder,
    /// An archive of its own.
    Archive,
    /// An entry of an archive that holds many submissions.
    Entry,
    /// One or several files that a list names.
    Listed,
    /// Everything of one person, by the names of an export or a list.
    Person,
}

/// The documents that were handed in together and are judged together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Unique within its role; a label for people.
    pub name: String,
    /// The part that it takes in the comparison.
    pub role: Role,
    /// The form in which it was handed in.
    pub origin: Origin,
    /// The person who handed it in, if a manifest says so.
    pub author: Option<String>,
    /// The person in a form that is equal in all batches of one platform: a login, a number or a full name. `None`
    /// where nothing says who handed it in.
    pub person: Option<String>,
    /// A group of the user's choosing (class, campus, year), if a manifest gives one.
    pub label: Option<String>,
    /// The time at which it was handed in: in ISO 8601, or as the manifest writes it if that cannot be read as a time.
    pub submitted: Option<String>,
    /// Facts by which a published text is found again.
    pub publication: Publication,
    /// Its documents, ascending by path.
    pub documents: Vec<Document>,
    /// Metadata of its documents by path: only for documents that have any, and only if it was asked for.
    pub metadata: BTreeMap<String, Metadata>,
}

/// Facts by which people find a published text again, as its library states them. None of them is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Publication {
    /// The title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address of its page in the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The licence, in the library's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The language, as the library codes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Publication {
    /// Returns its facts in a fixed order.
    pub fn facts(&self) -> [Option<&str>; 4] {
        [&self.title, &self.url, &self.licence, &self.language].map(Option::as_deref)
    }

    /// Returns whether no fact is stated.
    pub fn is_empty(&self) -> bool {
        self.facts().iter().all(Option::is_none)
    }
}

/// Metadata that a document carries. None of it is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The person who created it.
    pub author: Option<String>,
    /// The person who saved it last.
    pub last_author: Option<String>,
    /// The time of creation that it gives, usually in ISO 8601.
    pub created: Option<String>,
    /// The program that wrote it.
    pub program: Option<String>,
    /// Word's numbers of editing sessions, ascending. Two documents share one if both descend from one file.
    pub revision_ids: Vec<u32>,
}

impl Submission {
    /// Creates a submission about which nothing else is known.
    pub fn new(name: impl Into<String>, role: Role, documents: Vec<Document>) -> Submission {
        Submission {
            name: name.into(),
            role,
            origin: Origin::default(),
            author: None,
            person: None,
            label: None,
            submitted: None,
            publication: Publication::default(),
            documents,
            metadata: BTreeMap::new(),
        }
    }

    /// Returns the size of all its documents in bytes.
    pub fn n_bytes(&self) -> usize {
        self.documents.iter().map(|document| document.bytes.len()).sum()
    }
}

/// The fate of an input that was not taken whole, or that people should look at.
///
/// `seen = compared + degraded + skipped + failed`: an input without a notice was compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Notice {
    /// The role in which the input was read.
    pub role: Role,
    /// The submission it belongs to; empty if that could not be determined.
    pub submission: String,
    /// The input's path as shown to people.
    pub path: String,
    /// The extent to which it takes part.
    pub outcome: Outcome,
    /// The reason, in lower case, naming value and limit: `86 MB is over the limit of 64 MiB a file`.
    pub reason: Message,
}

impl Notice {
    /// Creates a notice about an input that would be a new submission of its own, under the name that people know it
    /// by.
    pub fn about_input(
        name: impl Into<String>,
        outcome: Outcome,
        reason: impl Into<Message>,
    ) -> Notice {
        let path: String = name.into();
        Notice { role: Role::New, submission: path.clone(), path, outcome, reason: reason.into() }
    }
}

/// The extent to which an input takes part in the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Compared, but something was lost or guessed on the way.
    Degraded,
    /// Left out by a rule: binary, empty, a special file, over a limit.
    Skipped,
    /// Could not be read.
    Failed,
    /// Compared whole, but worth a look: it holds signs of disguise.
    Flagged,
}

/// The account of all inputs: `seen = compared + degraded + skipped + failed`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Files and archive entries that were found.
    pub seen: u64,
    /// Read completely.
    pub compared: u64,
    /// Read, but something was lost or guessed.
    pub degraded: u64,
    /// Left out by a rule.
    pub skipped: u64,
    /// Could not be read.
    pub failed: u64,
}

impl Role {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Role::New => "new",
            Role::Archive => "archive",
            Role::Base => "base",
        }
    }
}

impl Outcome {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Degraded => "degraded",
            Outcome::Skipped => "skipped",
            Outcome::Failed => "failed",
            Outcome::Flagged => "flagged",
        }
    }
}

/// Everything that a source yields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    /// New, archive and base submissions, ascending by role and name.
    pub submissions: Vec<Submission>,
    /// The inputs that were not taken whole, ascending.
    pub notices: Vec<Notice>,
    /// CSVs that describe submissions and are not submissions themselves, by name, in the order read.
    pub lists: Vec<String>,
    /// People whose files were joined by the names that platforms give, in the order read.
    pub people: Vec<PeopleJoined>,
}

/// People recognised by the names that one platform gives to an export, and their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeopleJoined {
    /// The role of their submissions.
    pub role: Role,
    /// The platform, for people; `None` for names without a platform's form.
    pub platform: Option<String>,
    /// Number of people, each of whom is one submission.
    pub n_people: u64,
    /// Least and greatest number of inputs of a person: files, folders and archives at the top of what was given.
    pub n_inputs: (u64, u64),
    /// Number of people with more than one attempt.
    pub n_with_attempts: u64,
    /// Number of receipts that were set apart.
    pub n_receipts: u64,
}

impl Corpus {
    /// Creates new submissions of one document each from named texts in memory.
    ///
    /// The extension of a name gives the language of its text, as for a file: `anna.py`. Without a known extension, the
    /// language is guessed from the text.
    ///
    /// # Errors
    /// If two texts have the same name.
    pub fn from_texts<N: Into<String>, T: Into<Vec<u8>>>(
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Corpus> {
        let mut corpus = Corpus::default();
        corpus.add_texts(Role::New, texts)?;
        Ok(corpus)
    }

    /// Adds submissions of one document each, in any role, to those already there.
    ///
    /// # Errors
    /// If two of this role have the same name; nothing is added then.
    pub fn add_texts<N: Into<String>, T: Into<Vec<u8>>>(
        &mut self,
        role: Role,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Result<()> {
        let n_before = self.submissions.len();
        self.submissions.extend(texts.into_iter().map(|(name, text)| {
            let document = Document::new(name, text);
            Submission::new(document.path.clone(), role, vec![document])
        }));
        let mut names: Vec<&str> =
            self.submissions.iter().filter(|s| s.role == role).map(|s| &*s.name).collect();
        names.sort_unstable();
        if let Some(i) = (1..names.len()).find(|&i| names[i] == names[i - 1]) {
            let error = Error::input(format!(
                "two texts are called `{}`; give each a name of its own",
                names[i]
            ));
            self.submissions.truncate(n_before);
            return Err(error);
        }
        self.submissions.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_submissions_by_name() {
        let corpus = Corpus::from_texts([("b", "two"), ("a.py", "one")]).expect("different names");
        let seen: Vec<_> =
            corpus.submissions.iter().map(|s| (&*s.name, s.role, s.n_bytes())).collect();
        assert_eq!(seen, [("a.py", Role::New, 3), ("b", Role::New, 3)]);
        assert_eq!(corpus.submissions[0].documents[0].path, "a.py");
        let error = Corpus::from_texts([("a", "one"), ("b", ""), ("a", "two")]).expect_err("twice");
        assert_eq!(error.to_string(), "two texts are called `a`; give each a name of its own");
        assert!(error.is_input());
    }

    #[test]
    fn texts_of_all_roles_are_in_order() {
        let mut corpus = Corpus::from_texts([("b", "two")]).expect("one name");
        corpus.add_texts(Role::Base, [("b", "handout")]).expect("another role");
        corpus.add_texts(Role::Archive, [("z", "old"), ("c", "older")]).expect("different names");
        corpus.add_texts(Role::New, [("a", "one")]).expect("another name");
        corpus.add_texts(Role::New, [("c", "one"), ("a", "again")]).expect_err("twice");
        let seen: Vec<_> = corpus.submissions.iter().map(|s| (s.role, &*s.name)).collect();
        let expected = [
            (Role::New, "a"),
            (Role::New, "b"),
            (Role::Archive, "c"),
            (Role::Archive, "z"),
            (Role::Base, "b"),
        ];
        assert_eq!(seen, expected);
    }
}
