//! The items of test sets, held in memory: their texts, words and places.

use std::ops::Range;

use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use super::windows::{Hashing, Words};
use super::{Run, Settings};
use crate::job::{Account, Read, RecordOutcome};
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{Batch, Columns};

/// Bytes of memory that a word takes in all: for its hash, for the window that begins with it (its hash, its place, and
/// its index entries), and for sorting the windows.
const BYTES_A_WORD: usize = 8 + 8 + 4 + 4 + 4 + 4 + 16 + 16;
/// Bytes that an item takes besides its words, text and name.
const BYTES_AN_ITEM: usize = 64;

/// All items that have words.
#[derive(Debug)]
pub(super) struct Items {
    pub(super) hashing: Hashing,
    all: Vec<Item>,
    words: Words,
    texts: String,
    names: String,
    shards: Vec<String>,
}

/// The ends of an item's text, name and words, which begin where those of the previous item end.
#[derive(Debug, Clone, Copy)]
struct Item {
    text_end: usize,
    name_end: usize,
    words_end: usize,
    shard: u32,
    /// Its number in the shard, counted from 1.
    record: u64,
}

/// Reads the items; returns the number of those without words, too.
pub(super) fn read(run: &Run<'_>, left_out: CountedList<Notice>) -> Result<(Items, Account, u64)> {
    let n_shards = run.corpus.n_references;
    let shards = &run.corpus.shards[..n_shards];
    let names = shards.iter().map(|shard| shard.name().to_owned()).collect();
    let mut items = Items::new(run.settings, names)?;
    let mut account = Account::new(&run.corpus, left_out, run.settings.is_strict);
    let mut n_wordless = 0;
    for (index, shard) in shards.iter().enumerate() {
        let take = |batch: &Batch, ()| {
            let read = (0..batch.len()).map(|i| {
                let record = batch.record(i)?;
                Ok(RecordOutcome::Read(Read::new(record.text.len(), record.flaw.clone(), record)))
            });
            account.note((index, shard), batch, read, |(_, number), read| {
                let Some(Read { content: record, .. }) = read else { return Ok(()) };
                let has_words = items.push(&record.text, record.name(), (index, number));
                n_wordless += u64::from(!has_words);
                // Checked after every item, so that the limit is exceeded by one item at most.
                items.check(run.settings.memory / 2)
            })
        };
        run.corpus.walk(index, Columns::Needed, &run.steps, |_| Ok(()), take)?;
    }
    account.check(&run.corpus, 0..n_shards, run.settings.allowed_failures)?;
    Ok((items, account, n_wordless))
}

impl Items {
    /// Begins with no items; they will come from these shards.
    pub(super) fn new(settings: &Settings, shards: Vec<String>) -> Result<Items> {
        Ok(Items {
            hashing: Hashing::draw(settings.min_words as usize)?,
            all: Vec::new(),
            words: Vec::new(),
            texts: String::new(),
            names: String::new(),
            shards,
        })
    }

    /// Adds an item if it has words, and returns whether it does.
    pub(super) fn push(
        &mut self,
        text: &str,
        name: Option<&str>,
        (shard, number): (usize, u64),
    ) -> bool {
        let before = self.words.len();
        self.hashing.words(text, &mut self.words);
        if self.words.len() == before {
            return false;
        }
        self.texts.push_str(text);
        match name {
            Some(name) => self.names.push_str(name),
            None => self.names.extend([&self.shards[shard], ":", &(number + 1).to_string()]),
        }
        self.all.push(Item {
            text_end: self.texts.len(),
            name_end: self.names.len(),
            words_end: self.words.len(),
            shard: shard as u32,
            record: number + 1,
        });
        true
    }

    /// Refuses more items than may be held.
    pub(super) fn check(&self, memory: usize) -> Result<()> {
        let n_bytes = self.words.len() * BYTES_A_WORD
            + self.all.len() * BYTES_AN_ITEM
            + self.texts.len()
            + self.names.len();
        // Places of words have 32 bits.
        if self.words.len() >= u32::MAX as usize {
            return Err(Error::input(format!(
                "the first {} items have {} words, and the limit is {}; decontaminate with one part of the items after another",
                self.all.len(),
                self.words.len(),
                u32::MAX - 1
            )));
        }
        if n_bytes <= memory {
            return Ok(());
        }
        Err(Error::setting(message![
            ("the first {} items of ", self.all.len()),
            Setting("decontaminate"),
            (
                ", with {} words, take {} MiB, and the limit is {} MiB, half of ",
                self.words.len(),
                n_bytes >> 20,
                memory >> 20
            ),
            Setting("memory"),
            "; raise it, or decontaminate with one part of the items after another"
        ]))
    }

    /// Returns the number of items.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the words of all items, one item after another.
    pub(super) fn words(&self) -> &[[u64; 1]] {
        &self.words
    }

    /// Returns the range of an item's words among those of all items.
    pub(super) fn range(&self, item: usize) -> Range<usize> {
        let start = item.checked_sub(1).map_or(0, |before| self.all[before].words_end);
        start..self.all[item].words_end
    }

    /// Returns the item that a word belongs to.
    pub(super) fn of_word(&self, at: usize) -> usize {
        self.all.partition_point(|item| item.words_end <= at)
    }

    pub(super) fn text(&self, item: usize) -> &str {
        let start = item.checked_sub(1).map_or(0, |before| self.all[before].text_end);
        &self.texts[start..self.all[item].text_end]
    }

    pub(super) fn name(&self, item: usize) -> &str {
        let start = item.checked_sub(1).map_or(0, |before| self.all[before].name_end);
        &self.names[start..self.all[item].name_end]
    }

    /// Returns the shard of an item, and its number there, counted from 1.
    pub(super) fn place(&self, item: usize) -> (&str, u64) {
        let Item { shard, record, .. } = self.all[item];
        (&self.shards[shard as usize], record)
    }
}
