//! The account of a run: what was met, and what became of it. All is counted, the first hundred are named.

use serde::Serialize;

use crate::format::{LeftOut, Shard};
use crate::record::Flaw;

/// Things of one kind that are named.
const NAMED: usize = 100;

/// What was met: `seen = compared + degraded + skipped + failed`. A record is one thing, a file that is not
/// made of records another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Inputs {
    /// All.
    pub seen: u64,
    /// Documents compared as they are.
    pub compared: u64,
    /// Documents compared without something: their text is null, or has bytes that stand for no character.
    pub degraded: u64,
    /// Left out of the comparison by a rule: files and responses that are no text, hidden files, links.
    pub skipped: u64,
    /// Records that could not be read.
    pub failed: u64,
}

/// Something that was met and not compared, or not whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The name of its shard, or the path of a file that is in none.
    pub place: String,
    /// Its number in the shard, from 1, if it is a record.
    pub record: Option<u64>,
    /// Where it begins, in bytes of the unpacked shard, if the format has such a place.
    pub offset: Option<u64>,
    /// What is lost, or why it was left out.
    pub reason: String,
}

/// Notices of one kind.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    /// How many.
    pub(crate) n: u64,
    /// The first of them.
    pub(crate) named: Vec<Notice>,
}

impl Notices {
    /// Notes a document by its number in the shard, from 0, and what its text lacks.
    pub(crate) fn flaw(&mut self, shard: &Shard, number: u64, flaw: Flaw) {
        self.add(|| Notice {
            place: shard.name().to_owned(),
            record: Some(number + 1),
            offset: None,
            reason: flaw.to_string(),
        });
    }

    /// Notes the files that are in no shard.
    pub(crate) fn left_out(left_out: &LeftOut) -> Notices {
        let named = left_out.named.iter().map(|(path, reason)| Notice {
            place: path.clone(),
            record: None,
            offset: None,
            reason: reason.clone(),
        });
        Notices { n: left_out.n, named: named.collect() }
    }

    /// Notes what is no record of a shard.
    pub(crate) fn skipped(&mut self, shard: &Shard, offset: u64, reason: &str) {
        self.add(|| Notice {
            place: shard.name().to_owned(),
            record: None,
            offset: Some(offset),
            reason: reason.to_owned(),
        });
    }

    fn add(&mut self, notice: impl FnOnce() -> Notice) {
        self.n += 1;
        if self.named.len() < NAMED {
            self.named.push(notice());
        }
    }
}
