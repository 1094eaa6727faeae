//! Grams: the runs of words by which items are found.
//!
//! An item of `k` words or more has a gram for each of its windows of `k` words; a shorter item is one gram. Equal
//! windows are one gram with several places. An item of fewer than [`TOO_SHORT`] words is in many texts by chance, so its
//! gram counts only where it is a whole line of a text, or all of it.
//!
//! Nearly all windows of a text are not in any item. So a window of `k` words is looked up in a bit filter first; a
//! shorter one is hashed only if an item of its length may begin with the same two words.

use std::ops::Range;

use rayon::prelude::*;

use super::items::Items;
use super::windows::Words;

/// All grams of all items.
#[derive(Debug)]
pub(super) struct Grams {
    /// The hash of each gram, ascending.
    hashes: Vec<u64>,
    /// The start of each gram's places, and finally the end of the last.
    starts: Vec<u32>,
    /// The places of grams among the words of all items, gram by gram, ascending within each.
    places: Vec<u32>,
    /// The gram of full length that begins at each word of all items, or [`NONE`].
    at_words: Vec<u32>,
    /// The start of each bucket: bucket `b` holds the hashes whose first bits are `b`.
    buckets: Vec<u32>,
    /// Number of bits after those that number the bucket.
    shift: u32,
    /// A filter of all grams.
    filter: Filter,
    /// The full length of a gram, in words.
    full: usize,
    /// The lengths of shorter grams, ascending.
    lengths: Vec<usize>,
    /// A bit set for the first words of shorter grams: the lengths that a gram with these words may have, as indices
    /// into `lengths`, modulo 64.
    heads: Vec<u64>,
}

/// A filter of hashes with one bit each: it holds every hash that was added, and at most one in sixteen others.
#[derive(Debug)]
struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    /// Makes a filter for `n` hashes, which set at most one in sixteen bits.
    fn with_room_for(n: usize) -> Filter {
        Filter { bits: vec![0; (n / 4).next_power_of_two()] }
    }

    fn add(&mut self, hash: u64) {
        let (word, bit) = self.place(hash);
        self.bits[word] |= bit;
    }

    #[inline]
    fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.bits[word] & bit != 0
    }

    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & (self.bits.len() - 1), 1 << (hash & 63))
    }
}

/// Number of words from which on an item may be anywhere in a text: Brown et al. used no shorter ones.
pub(super) const TOO_SHORT: usize = 8;

/// Marks a word at which no gram of full length begins.
const NONE: u32 = u32::MAX;

/// Number of entries of [`Grams::heads`].
const HEADS: usize = 1 << 16;

/// Returns the entry for the first one or two words of a window of `n` words.
#[inline]
fn head(words: &[[u64; 1]], n: usize) -> usize {
    let second = if n > 1 { words[1][0] } else { 0 };
    (words[0][0] ^ second.rotate_left(7)) as usize & (HEADS - 1)
}

/// Buffers that a thread reuses for each text.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) words: Words,
    prefixes: Vec<u64>,
}

/// A gram found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GramHit {
    pub(super) gram: u32,
    /// The first place of the gram in the text, in words.
    pub(super) at: u32,
}

impl Grams {
    pub(super) fn new(items: &Items, min_words: u32) -> Grams {
        let full = min_words as usize;
        let mut windows: Vec<(u64, u32)> = Vec::with_capacity(items.words().len());
        let (mut lengths, mut prefixes) = (Vec::new(), Vec::new());
        for item in 0..items.len() {
            let range = items.range(item);
            items.hashing.prefixes(&items.words()[range.clone()], &mut prefixes);
            let n = range.len().min(full);
            if n < full {
                lengths.push(n);
            }
            let hashes = (0..=range.len() - n).map(|i| items.hashing.window(&prefixes, i, n));
            windows.extend(hashes.zip(range.start as u32..));
        }
        lengths.sort_unstable();
        lengths.dedup();
        windows.par_sort_unstable();
        let mut grams = Grams {
            hashes: Vec::new(),
            starts: Vec::new(),
            places: windows.iter().map(|window| window.1).collect(),
            at_words: Vec::new(),
            buckets: Vec::new(),
            shift: 0,
            filter: Filter::with_room_for(windows.len()),
            full,
            lengths,
            heads: Vec::new(),
        };
        // Windows are sorted by hash, so equal ones are neighbours and become one gram.
        for (at, window) in (0..).zip(&windows) {
            if grams.hashes.last() != Some(&window.0) {
                grams.hashes.push(window.0);
                grams.starts.push(at);
            }
        }
        grams.starts.push(windows.len() as u32);
        drop(windows);
        for &hash in &grams.hashes {
            grams.filter.add(hash);
        }
        grams.note_places(items);
        grams.note_heads(items);
        grams.make_buckets();
        grams
    }

    /// Records the gram of full length that begins at each word.
    fn note_places(&mut self, items: &Items) {
        self.at_words = vec![NONE; items.words().len()];
        let is_short = |word: u32| items.range(items.of_word(word as usize)).len() < self.full;
        for (gram, of) in (0..).zip(self.starts.windows(2)) {
            let places = &self.places[of[0] as usize..of[1] as usize];
            if self.lengths.is_empty() || !is_short(places[0]) {
                for &place in places {
                    self.at_words[place as usize] = gram;
                }
            }
        }
    }

    /// Records the first words of items that are shorter than the full length.
    fn note_heads(&mut self, items: &Items) {
        if self.lengths.is_empty() {
            return;
        }
        self.heads = vec![0; HEADS];
        for words in (0..items.len()).map(|item| &items.words()[items.range(item)]) {
            if let Ok(number) = self.lengths.binary_search(&words.len()) {
                self.heads[head(words, words.len())] |= 1 << (number % 64);
            }
        }
    }

    /// Makes a bucket for every one or two hashes.
    fn make_buckets(&mut self) {
        let bits = self.hashes.len().next_power_of_two().ilog2().clamp(1, 28);
        self.shift = u64::BITS - bits;
        self.buckets = Vec::with_capacity((1 << bits) + 1);
        for (gram, hash) in (0..).zip(&self.hashes) {
            let bucket = (hash >> self.shift) as usize;
            while self.buckets.len() <= bucket {
                self.buckets.push(gram);
            }
        }
        self.buckets.resize((1 << bits) + 1, self.hashes.len() as u32);
    }

    /// Returns the number of grams.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the gram with a given hash.
    fn find(&self, hash: u64) -> Option<u32> {
        let bucket = (hash >> self.shift) as usize;
        let (start, end) = (self.buckets[bucket], self.buckets[bucket + 1]);
        (start..end).find(|&gram| self.hashes[gram as usize] == hash)
    }

    /// Returns the places of a gram among the words of all items, ascending.
    pub(super) fn places(&self, gram: u32) -> &[u32] {
        let Range { start, end } = self.starts[gram as usize]..self.starts[gram as usize + 1];
        &self.places[start as usize..end as usize]
    }

    /// Finds the grams of a text, each once, ascending; leaves the text's words in the scratch.
    pub(super) fn of_text(
        &self,
        text: &str,
        items: &Items,
        scratch: &mut Scratch,
        met: &mut Vec<GramHit>,
    ) {
        met.clear();
        let Scratch { words, prefixes } = scratch;
        words.clear();
        items.hashing.words(text, words);
        items.hashing.prefixes(words, prefixes);
        let n_windows = (words.len() + 1).saturating_sub(self.full);
        let of_items = items.words();
        // The place after the item's window that equals the previous window of the text; 0 without one.
        let mut next = 0;
        for at in 0..n_windows {
            // Most likely the item's next window equals the text's next one: then only the last word is new.
            let gram =
                if next == 0 { NONE } else { self.at_words.get(next).copied().unwrap_or(NONE) };
            if gram != NONE && of_items[next + self.full - 1] == words[at + self.full - 1] {
                met.push(GramHit { gram, at: at as u32 });
                next += 1;
                continue;
            }
            let hash = items.hashing.window(prefixes, at, self.full);
            let place = self.meet((hash, self.full), at, words, items, met);
            next = place.map_or(0, |place| place + 1);
        }
        if !self.lengths.is_empty() {
            let n_full = met.len();
            self.short_windows(words, prefixes, items, met);
            if met.len() > n_full {
                self.keep_whole_lines(text, items, n_full, met);
            }
        }
        met.sort_unstable();
        met.dedup_by_key(|met| met.gram);
    }

    /// Adds the grams below the full length that a text with these words has.
    fn short_windows(
        &self,
        words: &[[u64; 1]],
        prefixes: &[u64],
        items: &Items,
        met: &mut Vec<GramHit>,
    ) {
        for at in 0..words.len() {
            let rest = &words[at..];
            let entry = |n: usize| if n <= rest.len() { self.heads[head(rest, n)] } else { 0 };
            // One-word items are entered by their only word, and all longer ones by their first two words.
            let may_begin = entry(1) | entry(2);
            if may_begin == 0 {
                continue;
            }
            for (number, &n) in
                self.lengths.iter().enumerate().take_while(|(_, n)| **n <= rest.len())
            {
                if may_begin >> (number % 64) & 1 == 1 {
                    self.meet((items.hashing.window(prefixes, at, n), n), at, words, items, met);
                }
            }
        }
    }

    /// Drops, from `n_full` on, the grams of items that are too short, where they are neither a line of the text nor all of it.
    fn keep_whole_lines(&self, text: &str, items: &Items, n_full: usize, met: &mut Vec<GramHit>) {
        let n_words = |gram: u32| items.range(items.of_word(self.places(gram)[0] as usize)).len();
        if met[n_full..].iter().all(|met| n_words(met.gram) >= TOO_SHORT) {
            return;
        }
        // The words of each line that has any: the first, and their number.
        let (mut lines, mut at, mut room) = (Vec::new(), 0, Words::new());
        for line in text.lines() {
            room.clear();
            items.hashing.words(line, &mut room);
            if !room.is_empty() {
                lines.push((at, room.len()));
            }
            at += room.len();
        }
        let is_line = |met: &GramHit, n: usize| {
            let line = lines.binary_search_by_key(&(met.at as usize), |line| line.0);
            line.is_ok_and(|line| lines[line].1 == n) || (met.at, n) == (0, at)
        };
        let mut number = 0;
        met.retain(|met| {
            number += 1;
            let n = n_words(met.gram);
            number <= n_full || n >= TOO_SHORT || is_line(met, n)
        });
    }

    /// Adds the gram of `n` words with this hash, if its words in the items equal those of the text at `at`. Returns
    /// its first place among the items' words.
    #[inline]
    fn meet(
        &self,
        (hash, n): (u64, usize),
        at: usize,
        words: &[[u64; 1]],
        items: &Items,
        met: &mut Vec<GramHit>,
    ) -> Option<usize> {
        if !self.filter.may_hold(hash) {
            return None;
        }
        let gram = self.find(hash)?;
        let place = self.places(gram)[0] as usize;
        let is_same = items.words().get(place..place + n) == Some(&words[at..at + n]);
        is_same.then(|| {
            met.push(GramHit { gram, at: at as u32 });
            place
        })
    }
}
