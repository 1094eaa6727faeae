//! Operators over single texts, for programs that sort windows themselves, as on a cluster.
//!
//! Such a program asks for the [windows](TextOperator::windows) of each text, finds those with an equal one that begins
//! earlier and does not overlap, and gives these back to [cut](TextOperator::cut); and again with what is cut, until
//! nothing goes. Equal windows have equal hashes under one key, on every machine. Words are counted in the original text.

use std::ops::Range;

use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use super::context::{Measure, Method};
use super::current::{Current, left};
use super::hashing::{Hashing, Rolling};
use super::items::Going;
use super::joined::without;
use super::pieces::Cutting;
use super::settings::Settings;
use super::windows::{Found, of_bytes};
use crate::dedup::Keep;

/// Operators over texts, under a key.
#[derive(Debug)]
pub struct TextOperator {
    settings: Settings,
    method: Method,
}

/// A window of words, by its hash of 93 bits and its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextWindow {
    /// The hash.
    pub hash: (u64, u32),
    /// Its first word.
    pub begin: u32,
    /// The word behind its last one. Words that are cut may lie between.
    pub end: u32,
}

/// The rest of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// Text that is left; `None` if too few words are.
    pub text: Option<String>,
    /// Number of words that are left.
    pub n_words: u32,
}

impl TextOperator {
    /// Makes operators by the settings' lengths and cuts; the rest of the settings has no effect. Whoever knows the key
    /// can make different runs count as equal ones.
    ///
    /// # Errors
    /// If a setting is out of its limits, or the order of documents depends on what is cut.
    pub fn new(settings: &Settings, key: &[u8; 32]) -> Result<TextOperator> {
        settings.check_values()?;
        if settings.keep != Keep::First {
            return Err(Error::setting(message![
                Setting("keep"),
                (" {} is not the order of the documents; leave it out", settings.keep)
            ]));
        }
        let [of_words, of_runs] = ["words", "runs"]
            .map(|what| blake3::derive_key(&format!("fanmill runs 1 {what}"), key));
        let method = Method::from_keys(settings, &of_words, &of_runs);
        Ok(TextOperator { settings: settings.clone(), method })
    }

    /// Returns the words of a text, and their lengths in bytes.
    fn read(&self, text: &str) -> (Vec<u64>, Vec<u16>) {
        let (mut words, mut lengths) = (Vec::with_capacity(text.len() / 5), Vec::new());
        let has_lengths = matches!(self.method.measure, Measure::Bytes(_));
        self.method.reader.each(text, |word, at| {
            words.push(word);
            lengths.extend(has_lengths.then(|| u16::try_from(at.len()).unwrap_or(u16::MAX)));
        });
        (words, lengths)
    }

    /// Passes the windows of what is left of a text to `take`; if there were cuts `before`, only windows that reach across
    /// the place of a cut that has changed since.
    ///
    /// # Errors
    /// If the cuts are not those of this text.
    pub fn windows(
        &self,
        text: &str,
        cuts: &[Range<u32>],
        before: Option<&[Range<u32>]>,
        mut take: impl FnMut(TextWindow),
    ) -> Result<()> {
        let (words, lengths) = self.read(text);
        check(cuts, words.len())?;
        let current = Current::new(&words, cuts);
        // The words behind new joins; a window reaches across one if it begins before such a word and ends behind.
        let joins: Option<Vec<usize>> = before.map(|before| {
            let was = |cut: &Range<u32>| {
                let place = before.binary_search_by_key(&cut.start, |known| known.start);
                place.is_ok_and(|place| before[place] == *cut)
            };
            let new = cuts.iter().filter(|cut| !was(cut));
            new.map(|cut| current.index(cut.end)).collect()
        });
        let is_wanted = |start: usize, end: usize| {
            joins.as_ref().is_none_or(|joins| {
                joins.get(joins.partition_point(|&at| at <= start)).is_some_and(|&at| at < end)
            })
        };
        let take = |(hash, start, end): Found| {
            if is_wanted(start, end) {
                take(TextWindow { hash, begin: current.place(start), end: current.end(end) });
            }
            Ok(())
        };
        let hashing = &self.method.hashing;
        match self.method.measure {
            Measure::Words { n, .. } => each_of_words(&current.words, n, hashing, take),
            Measure::Bytes(min) => {
                of_bytes(&current.words, &left(&lengths, cuts), min, hashing, take)
            }
        }
    }

    /// Returns all cuts of a text, those before included, if these windows go. They ascend by their begins.
    ///
    /// # Errors
    /// If cuts or windows are not those of this text.
    pub fn cut(
        &self,
        text: &str,
        cuts: &[Range<u32>],
        windows: &[Range<u32>],
    ) -> Result<Vec<Range<u32>>> {
        let (words, _) = self.read(text);
        check(cuts, words.len())?;
        let current = Current::new(&words, cuts);
        let mut cutting = Cutting::new(&current, self.settings.cut);
        let mut last = 0;
        for &Range { start: begin, end } in windows {
            let is_left = |place: u32| current.find(place).is_some();
            if begin < last || begin >= end || !is_left(begin) || !is_left(end - 1) {
                return Err(other_text());
            }
            last = begin;
            // The place of the earlier occurrence makes no difference to the cut.
            let (document, source, source_begin, source_end) = (0, 0, begin, end);
            let going = Going { document, begin, end, source, source_begin, source_end };
            cutting.push(going, &mut |_| Ok(()))?;
        }
        let new = cutting.finish(&mut |_| Ok(()))?;
        let new = new.into_iter().map(|cut| current.place(cut.start)..current.end(cut.end));
        let mut all: Vec<Range<u32>> = cuts.iter().cloned().chain(new).collect();
        all.sort_unstable_by_key(|cut| (cut.start, cut.end));
        let mut merged: Vec<Range<u32>> = Vec::new();
        for cut in all {
            match merged.last_mut() {
                Some(last) if cut.start <= last.end => last.end = last.end.max(cut.end),
                _ => merged.push(cut),
            }
        }
        Ok(merged)
    }

    /// Returns the cut that takes all words of a text; `None` if it has none.
    pub fn whole(&self, text: &str) -> Option<Range<u32>> {
        let n = self.read(text).0.len() as u32;
        (n > 0).then_some(0..n)
    }

    /// Returns what is left of a text.
    ///
    /// # Errors
    /// If the cuts are not those of this text.
    pub fn rest(&self, text: &str, cuts: &[Range<u32>]) -> Result<Rest> {
        let mut places = Vec::new();
        self.method.reader.each(text, |_, at| places.push(at.start as u32..at.end as u32));
        check(cuts, places.len())?;
        let n_cut: u32 = cuts.iter().map(|cut| cut.end - cut.start).sum();
        let n_words = places.len() as u32 - n_cut;
        if cuts.is_empty() {
            return Ok(Rest { text: Some(text.to_owned()), n_words });
        }
        let stays = n_words >= self.settings.min_rest;
        Ok(Rest { text: stays.then(|| without(text, &places, cuts)).flatten(), n_words })
    }
}

/// Passes all windows of `n` words to `take`.
fn each_of_words(
    words: &[u64],
    n: usize,
    hashing: &Hashing,
    mut take: impl FnMut(Found) -> Result<()>,
) -> Result<()> {
    let Some(last) = words.len().checked_sub(n) else { return Ok(()) };
    let mut rolling = Rolling::over(hashing, &words[..n]);
    for start in 0..=last {
        take((rolling.hash(), start, start + n))?;
        if start < last {
            rolling.pop(words[start]);
            rolling.push(words[start + n]);
        }
    }
    Ok(())
}

/// Refuses cuts that are not those of a text of `n` words.
fn check(cuts: &[Range<u32>], n: usize) -> Result<()> {
    let mut end = None;
    for cut in cuts {
        if cut.start >= cut.end || end.is_some_and(|end| cut.start <= end) {
            return Err(other_text());
        }
        end = Some(cut.end);
    }
    if end.is_some_and(|end| end as usize > n) { Err(other_text()) } else { Ok(()) }
}

fn other_text() -> Error {
    Error::input(
        "what is to be cut is not of this text; give the texts that the windows were made of",
    )
}
