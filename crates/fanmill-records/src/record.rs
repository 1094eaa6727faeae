//! Records, which corpora consist of, and what can happen to them.

use fanmill_text::message::Message;
use std::borrow::Cow;
use std::fmt;

/// One document of a corpus, with the fields that a job asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its text; empty if the field is null.
    pub text: Cow<'a, str>,
    /// Its name, if the shard has one for it.
    pub id: Option<Cow<'a, str>>,
    /// The values of the further fields that were asked for, in that order, as text; `None` where
    /// a field is missing or null.
    pub extra: Vec<Option<Cow<'a, str>>>,
    /// What its text lacks, if anything.
    pub flaw: Option<Flaw>,
}

/// The longest name that is used, in bytes: tables and marks repeat them.
const LONGEST_NAME: usize = 4096;

impl Record<'_> {
    /// Its name, if it has one that is not too long; else it is called by its shard and number.
    pub fn name(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| !id.is_empty() && id.len() <= LONGEST_NAME)
    }
}

/// Why a text is not all of what its record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flaw {
    /// The field is there, but it does not hold text.
    Null,
    /// Invalid bytes were read as U+FFFD.
    Replaced,
    /// A part of the document cannot be read.
    Partial,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flaw::Null => "its text is null",
            Flaw::Replaced => "its text has bytes that stand for no character: read as U+FFFD",
            Flaw::Partial => {
                "read in part: it is damaged, over a limit, or has fonts that say no characters"
            }
        })
    }
}

/// A record that cannot be read. It is skipped, and the run continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// Its number in the shard, from 0, bad ones included.
    pub number: u64,
    /// Where it begins, in bytes of the unpacked shard; `None` where a format has no such position.
    pub offset: Option<u64>,
    /// What is wrong, in lower case.
    pub reason: Message,
}

/// Part of a shard that could be a document, but is not. It stays where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Where it begins, in bytes of the unpacked shard.
    pub offset: u64,
    /// Why it is not one, in lower case.
    pub reason: String,
}

/// What happens to a record in the output.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordAction<'a> {
    /// It stays as it is.
    Keep,
    /// It is left out.
    Remove,
    /// It stays, marked with what it is a duplicate of, if it is one.
    Mark(Option<Mark<'a>>),
    /// It stays with another text.
    Text(Cow<'a, str>),
}

/// What a marked record says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark<'a> {
    /// The number of its cluster.
    pub cluster: u64,
    /// The document that stays in its place; `None` if it is the one that stays.
    pub duplicate_of: Option<&'a str>,
    /// Resemblance to that document, in `0..=1`; 1 for the one that stays.
    pub resemblance: f64,
    /// How much of it is contained in that document, in `0..=1`; 1 for the one that stays.
    pub containment: f64,
}
