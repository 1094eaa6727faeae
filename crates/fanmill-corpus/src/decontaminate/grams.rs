//! The runs of words that items are found by, and how many records have each.
//!
//! An item of `k` words or more has a gram for each of its windows of `k`; a shorter one is one gram. Equal windows
//! are one gram with several places. A table with open addressing leads from the hash of a window to its gram.

use std::ops::Range;

use super::items::Items;
use super::windows::{Hashing, Words};

/// All grams of all items.
#[derive(Debug)]
pub(super) struct Grams {
    /// The hash of each gram, ascending.
    hashes: Vec<u64>,
    /// Where the places of each gram begin, and at last where they end.
    starts: Vec<u32>,
    /// Where grams are among the words of all items, gram by gram, ascending in each.
    places: Vec<u32>,
    /// The gram in each slot, counted from 1; 0 for none. At most half are taken.
    slots: Vec<u32>,
    /// The lengths of grams in words, ascending.
    lengths: Vec<usize>,
}

/// What a thread needs again for each text.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) words: Words,
    prefixes: Vec<u64>,
}

/// A gram that a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Met {
    pub(super) gram: u32,
    /// Where the text has it first, in words.
    pub(super) at: u32,
}

impl Grams {
    pub(super) fn new(items: &Items, min_words: u32) -> Grams {
        let min_words = min_words as usize;
        let mut windows: Vec<(u64, u32)> = Vec::with_capacity(items.words().len());
        let (mut lengths, mut prefixes) = (Vec::new(), Vec::new());
        for item in 0..items.len() {
            let range = items.range(item);
            items.hashing.prefixes(&items.words()[range.clone()], &mut prefixes);
            let n = range.len().min(min_words);
            lengths.push(n);
            let hashes = (0..=range.len() - n).map(|i| items.hashing.window(&prefixes, i, n));
            windows.extend(hashes.zip(range.start as u32..));
            if item % 4096 == 4095 {
                lengths.sort_unstable();
                lengths.dedup();
            }
        }
        lengths.sort_unstable();
        lengths.dedup();
        windows.sort_unstable();
        let mut grams = Grams {
            hashes: Vec::new(),
            starts: Vec::new(),
            places: windows.iter().map(|window| window.1).collect(),
            slots: Vec::new(),
            lengths,
        };
        for (at, window) in (0..).zip(&windows) {
            if grams.hashes.last() != Some(&window.0) {
                grams.hashes.push(window.0);
                grams.starts.push(at);
            }
        }
        grams.starts.push(windows.len() as u32);
        drop(windows);
        grams.slots = vec![0; (2 * grams.hashes.len()).next_power_of_two()];
        for gram in 0..grams.hashes.len() {
            let slot = grams.slot(grams.hashes[gram]);
            grams.slots[slot] = gram as u32 + 1;
        }
        grams
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The slot of a hash: the one that has it, or the empty one where it would be.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 && self.hashes[self.slots[slot] as usize - 1] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The places of a gram among the words of all items, ascending.
    pub(super) fn places(&self, gram: u32) -> &[u32] {
        let Range { start, end } = self.starts[gram as usize]..self.starts[gram as usize + 1];
        &self.places[start as usize..end as usize]
    }

    /// Finds the grams that a text has, each once, ascending; its words stay in the scratch.
    pub(super) fn of_text(
        &self,
        text: &str,
        items: &Items,
        scratch: &mut Scratch,
        met: &mut Vec<Met>,
    ) {
        met.clear();
        let Scratch { words, prefixes } = scratch;
        words.clear();
        items.hashing.words(text, words);
        items.hashing.prefixes(words, prefixes);
        for &n in self.lengths.iter().take_while(|&&n| n <= words.len()) {
            self.windows(n, words, prefixes, items, met);
        }
        met.sort_unstable();
        met.dedup_by_key(|met| met.gram);
    }

    fn windows(
        &self,
        n: usize,
        words: &[[u64; 1]],
        prefixes: &[u64],
        items: &Items,
        met: &mut Vec<Met>,
    ) {
        let hashing: &Hashing = &items.hashing;
        for at in 0..=words.len() - n {
            let slot = self.slots[self.slot(hashing.window(prefixes, at, n))];
            let Some(gram) = slot.checked_sub(1) else { continue };
            let place = self.places(gram)[0] as usize;
            if items.words().get(place..place + n) == Some(&words[at..at + n]) {
                met.push(Met { gram, at: at as u32 });
            }
        }
    }
}
