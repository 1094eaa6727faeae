//! Records, which make up corpora, and what can happen to them.

use fanmill_text::message::Message;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// One document of a corpus, with the fields that a job asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its text; empty if the field is null.
    pub text: Cow<'a, str>,
    /// Its name, if the shard has one for it.
    pub id: Option<Cow<'a, str>>,
    /// Values of the further fields that were asked for, in that order, as text; `None` where a field is missing or
    /// null.
    pub extra: Vec<Option<Cow<'a, str>>>,
    /// The flaw of its text, if it has one.
    pub flaw: Option<Flaw>,
}

/// Maximum length of a name that is used, in bytes: tables and marks repeat names.
const LONGEST_NAME: usize = 4096;

impl Record<'_> {
    /// Returns its name, if it has one that is not too long; otherwise it is called by its shard and number.
    pub fn name(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| !id.is_empty() && id.len() <= LONGEST_NAME)
    }
}

/// The reason why a text is not all of what its record holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The field exists, but it does not hold text.
    Null,
    /// Invalid bytes were read as U+FFFD.
    Replaced,
    /// Another one: its reason, which names the file if the record is one.
    Other(Message),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Null => f.write_str("its text is null"),
            Flaw::Replaced => {
                f.write_str("its text has bytes that stand for no character: read as U+FFFD")
            }
            Flaw::Other(reason) => reason.fmt(f),
        }
    }
}

impl From<Flaw> for Message {
    fn from(flaw: Flaw) -> Message {
        match flaw {
            Flaw::Other(reason) => reason,
            other => other.to_string().into(),
        }
    }
}

/// A record that cannot be read. It is skipped, and the run continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRecord {
    /// Its number in the shard, from 0, counting bad records.
    pub number: u64,
    /// Its start in bytes of the unpacked shard; `None` where a format has no such position.
    pub offset: Option<u64>,
    /// The fault, in lower case.
    pub reason: Message,
}

/// Part of a shard that could be a document, but is not one. It stays where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its start, in bytes of the unpacked shard.
    pub offset: u64,
    /// The reason why it is not a document, in lower case.
    pub reason: String,
}

impl Skipped {
    /// Creates the notice of a record that is too long to be held.
    pub(crate) fn too_long(offset: u64, limit: usize) -> Skipped {
        let reason = format!(
            "longer than the limit of {limit} bytes for a record: not compared, and stays as it is"
        );
        Skipped { offset, reason }
    }
}

/// The treatment of a record in the output.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordAction<'a> {
    /// It stays as it is.
    Keep,
    /// It is left out.
    Remove,
    /// It stays, with a mark that says what it is a duplicate of, if it is one.
    Mark(Option<Mark<'a>>),
    /// It stays, with a mark that says which runs of its text occur elsewhere, if any do.
    MarkRuns(Option<RunMark>),
    /// It stays, with a mark that says how many documents it stays for.
    MarkSize(ClusterSize),
    /// It stays with another text.
    Text(Cow<'a, str>),
}

/// Content of a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark<'a> {
    /// The number of its cluster.
    pub cluster: u64,
    /// The document that stays in its place; `None` if it is itself the one that stays.
    pub duplicate_of: Option<&'a str>,
    /// Resemblance to that document, in `0..=1`; 1 for the one that stays, `None` if the two were not compared.
    pub resemblance: Option<f64>,
    /// The part of it that is contained in that document, in `0..=1`; 1 for the one that stays, `None` likewise.
    pub containment: Option<f64>,
}

/// Content of a mark that says how many documents a record stays for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterSize {
    /// Documents of its cluster, itself included.
    pub documents: u64,
    /// Those of them that have the same text, without itself.
    pub copies: u64,
}

impl ClusterSize {
    /// The size of what resembles nothing else.
    pub const ALONE: ClusterSize = ClusterSize { documents: 1, copies: 0 };
}

/// Content of a mark that says which runs of a text occur elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMark {
    /// The runs, in bytes of the text.
    pub runs: Vec<Range<u32>>,
    /// Number of words outside them.
    pub words_left: u32,
}

impl RunMark {
    /// Returns the runs as JSON: `[[0,17],[40,52]]`.
    pub(crate) fn runs_as_json(&self) -> String {
        let pairs: Vec<[u32; 2]> = self.runs.iter().map(|run| [run.start, run.end]).collect();
        serde_json::to_string(&pairs).expect("numbers are JSON")
    }
}
