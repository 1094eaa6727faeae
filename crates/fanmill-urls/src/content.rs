//! Contents of addresses: sorts texts into classes of equal content.
//!
//! Texts with the same folded words are equal. Unless only equality counts, a text also joins the first earlier content
//! whose sketch resembles its own by the threshold, since pages are slightly modified between visits. It is compared
//! only with the *first* text of a content, so that a chain of small differences does not make one content of a whole
//! site.
//!
//! Cost: one sketch a text; a text is compared with at most 8 contents for each of its bands, so the work is linear.
//! Texts are not kept in memory: a different text takes about 24 bytes, and a content 2 bytes a register and 40 a band,
//! which is 800 bytes in all for 128 registers.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Cookie crumbs", Shingling.
//! Departs from it: registers are cut to 16 bits when they are compared, which adds 2^-16 to the chance that two agree.

use std::collections::HashMap;

use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::tuning;
use fanmill_sketch::registers::{self, EMPTY};
use fanmill_sketch::{Sketch, Sketcher, shingle};
use fanmill_text::frontend::{FrontEnd, Words, fold};
use fanmill_text::token::Tokens;
use fanmill_text::{Error, Result};
use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of contents that are kept under one band key.
const KEPT: usize = 8;
/// Probability that a text at the threshold meets the content that it belongs to.
const RECALL: f64 = 0.998;

/// The number of a content, from 0 in the order of first appearance.
pub type ContentId = u32;

/// The content of a record's address, in one of two forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// The text.
    Text(&'a str),
    /// Its sketch: aligned registers, the same number for every record.
    Sketch(&'a [u64]),
}

/// A content without its text. Summaries are made in parallel, and compared in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Hash of the words or of the registers; `None` for a text without words.
    exact: Option<u64>,
    /// Registers; empty if only equality counts.
    registers: Vec<u64>,
}

/// Makes summaries, in the same way for all records.
#[derive(Debug, Clone)]
pub struct Summariser {
    sketcher: Option<Sketcher>,
}

impl Summariser {
    /// Makes a summariser that distinguishes contents at `threshold`, a resemblance in `0..=1`. At 1, only equality
    /// counts.
    ///
    /// # Errors
    /// If the sketch cannot be made, which does not happen with the standard one.
    pub fn new(threshold: f64) -> Result<Summariser> {
        let is_near = threshold < 1.0;
        Ok(Summariser { sketcher: is_near.then(|| Sketch::standard().sketcher()).transpose()? })
    }

    /// Summarises a content.
    pub fn summary(&self, content: Content<'_>) -> Summary {
        match content {
            Content::Text(text) => self.of_words(&words(text)),
            Content::Sketch(row) => Summary {
                exact: (!registers::is_empty(row)).then(|| hash(row)),
                registers: if self.sketcher.is_some() { row.to_vec() } else { Vec::new() },
            },
        }
    }

    fn of_words(&self, words: &[u64]) -> Summary {
        let exact = (!words.is_empty()).then(|| hash(words));
        let mut row = Vec::new();
        if let (Some(sketcher), Some(_)) = (&self.sketcher, exact) {
            let mut shingles = Vec::new();
            shingle::bag(
                words,
                shingle::DEFAULT_WORDS,
                shingle::ShortDocuments::Whole,
                &mut shingles,
            );
            sketcher.append(&shingles, &mut row);
        }
        Summary { exact, registers: row }
    }
}

/// Returns the folded words of a text, one value each.
fn words(text: &str) -> Vec<u64> {
    let folded = fold(text);
    let mut tokens = Tokens::default();
    Words.tokenize(&folded.text, &mut tokens);
    tokens.symbols.iter().map(|symbol| symbol.value()).collect()
}

fn hash(values: &[u64]) -> u64 {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// The contents seen so far.
#[derive(Debug)]
pub struct Contents {
    threshold: f64,
    exact: HashMap<u64, ContentId>,
    /// The next content's number.
    next: ContentId,
    /// Finds similar contents; made when the first sketch is seen.
    near: Option<Near>,
}

/// The sketches of contents, and an index of them.
#[derive(Debug)]
struct Near {
    bands: Bands,
    n_registers: usize,
    /// 16 bits of each register, row by row.
    rows: Vec<u16>,
    /// The content of each row.
    owners: Vec<ContentId>,
    /// Rows by band key: the first [`KEPT`].
    places: HashMap<u64, Vec<u32>>,
}

impl Contents {
    /// Makes an empty collection; `threshold` is a resemblance in `0..=1`.
    ///
    /// # Errors
    /// If the threshold is 0 or below, above 1, or not a number.
    pub fn new(threshold: f64) -> Result<Contents> {
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(Error::setting(format!(
                "threshold {threshold} is not above 0 and at most 1; use a resemblance such as 0.9"
            )));
        }
        Ok(Contents { threshold, exact: HashMap::new(), next: 0, near: None })
    }

    /// Returns the content of a summary; `None` if it does not have words, and so cannot be compared.
    ///
    /// # Errors
    /// If its sketch has a different number of registers than earlier ones, or too few for the threshold.
    pub fn place(&mut self, summary: &Summary) -> Result<Option<ContentId>> {
        let Some(exact) = summary.exact else { return Ok(None) };
        let row = &summary.registers;
        let is_near = self.threshold < 1.0 && !row.is_empty();
        if is_near && self.near.as_ref().is_none_or(|near| near.n_registers != row.len()) {
            self.prepare(row.len())?;
        }
        if let Some(&known) = self.exact.get(&exact) {
            return Ok(Some(known));
        }
        let next = self.next;
        let content = match &mut self.near {
            Some(near) if is_near => near.find_or_insert(row, self.threshold, next),
            _ => next,
        };
        self.next += u32::from(content == next);
        self.exact.insert(exact, content);
        Ok(Some(content))
    }

    fn prepare(&mut self, n_registers: usize) -> Result<()> {
        if let Some(near) = &self.near {
            return Err(Error::input(format!(
                "sketch of {n_registers} registers among sketches of {}; all must have the same number",
                near.n_registers
            )));
        }
        let bands = tuning::choose(n_registers as u32, self.threshold, RECALL, 1)?;
        let (rows, owners) = (Vec::new(), Vec::new());
        self.near = Some(Near { bands, n_registers, rows, owners, places: HashMap::new() });
        Ok(())
    }

    /// Returns the number of contents.
    pub fn len(&self) -> usize {
        self.next as usize
    }

    /// Returns whether it has no contents.
    pub fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// Returns the bands by which contents are found, once there was a sketch.
    pub fn bands(&self) -> Option<Bands> {
        self.near.as_ref().map(|near| near.bands)
    }

    /// Returns the bytes of memory that all of this takes, approximately.
    pub fn bytes(&self) -> u64 {
        let near = self.near.as_ref().map_or(0, |near| {
            let row = 2 * near.n_registers + 4 + 40 * near.bands.bands();
            near.owners.len() * row
        });
        (24 * self.exact.len() + near) as u64
    }
}

impl Near {
    /// Returns the first content that resembles `row` enough; otherwise keeps the row as the content `next`.
    fn find_or_insert(&mut self, row: &[u64], threshold: f64, next: ContentId) -> ContentId {
        let mut keys = Vec::with_capacity(self.bands.bands());
        self.bands.keys(row, &mut keys);
        // All bands share one table, so the number of the band is part of a key.
        let keys = keys.into_iter().enumerate().filter(|&(_, key)| key != EMPTY);
        let keys: Vec<u64> = keys.map(|(band, key)| hash(&[band as u64, key])).collect();
        let cut: Vec<u16> =
            row.iter().map(|&register| xxh3_64(&register.to_le_bytes()) as u16).collect();
        let mut candidates: Vec<u32> =
            keys.iter().filter_map(|key| self.places.get(key)).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let resembles = |&candidate: &u32| {
            let other = &self.rows[candidate as usize * self.n_registers..][..self.n_registers];
            let agreeing = cut.iter().zip(other).filter(|(x, y)| x == y).count();
            agreeing as f64 >= threshold * self.n_registers as f64
        };
        if let Some(found) = candidates.into_iter().find(resembles) {
            return self.owners[found as usize];
        }
        let number = self.owners.len() as u32;
        self.rows.extend(cut);
        self.owners.push(next);
        for key in keys {
            let place = self.places.entry(key).or_default();
            if place.len() < KEPT {
                place.push(number);
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(contents: &mut Contents, text: &str) -> Option<ContentId> {
        let summary = Summariser::new(0.9).expect("standard").summary(Content::Text(text));
        contents.place(&summary).expect("placed")
    }

    fn page(seed: u64, n_words: u64) -> String {
        let word = |i: u64| format!("w{} ", xxh3_64(&(seed << 32 | i).to_le_bytes()) % 100_000);
        (0..n_words).map(word).collect()
    }

    #[test]
    fn equal_words_are_equal_contents() {
        let mut contents = Contents::new(0.9).expect("a fraction");
        assert_eq!(place(&mut contents, "A red kettle."), Some(0));
        assert_eq!(place(&mut contents, "a  RED kettle"), Some(0));
        assert_eq!(place(&mut contents, "a blue kettle"), Some(1));
        assert_eq!(place(&mut contents, " … "), None, "nothing is like nothing");
        assert_eq!(contents.len(), 2);
    }

    #[test]
    fn a_page_slightly_modified_is_the_same_and_no_chain_leads_away() {
        let mut contents = Contents::new(0.9).expect("a fraction");
        let text = page(1, 600);
        assert_eq!(place(&mut contents, &text), Some(0));
        assert_eq!(place(&mut contents, &format!("{text} seen on 3 May by 17 people")), Some(0));
        assert_eq!(place(&mut contents, &page(2, 600)), Some(1));
        // Each text is like the one before, but the last is not at all like the first.
        let step = |n: usize| {
            let kept: Vec<&str> = text.split_whitespace().skip(12 * n).collect();
            let new = page(9, 12 * n as u64);
            format!("{} {new}", kept.join(" "))
        };
        let far: Vec<_> = (1..30).map(|n| place(&mut contents, &step(n))).collect();
        assert!(far.last().is_some_and(|last| *last != Some(0)), "{far:?}");
    }

    #[test]
    fn sketches_of_different_lengths_are_refused() {
        let mut contents = Contents::new(0.8).expect("a fraction");
        let summariser = Summariser::new(0.8).expect("standard");
        let row: Vec<u64> = (0..64).collect();
        let near: Vec<u64> = (0..64).map(|i| if i < 6 { 99 } else { i }).collect();
        for row in [&row, &near] {
            let summary = summariser.summary(Content::Sketch(row));
            assert_eq!(contents.place(&summary).expect("64 registers"), Some(0));
        }
        let error = contents.place(&summariser.summary(Content::Sketch(&row[..32])));
        assert!(error.expect_err("32 registers").is_input());
    }

    #[test]
    fn a_threshold_of_one_is_equality() {
        let mut contents = Contents::new(1.0).expect("a fraction");
        let summariser = Summariser::new(1.0).expect("standard");
        let text = page(1, 600);
        for (text, id) in [(text.clone(), 0), (format!("{text} more"), 1), (text, 0)] {
            let summary = summariser.summary(Content::Text(&text));
            assert_eq!(contents.place(&summary).expect("placed"), Some(id));
        }
        assert_eq!((contents.bands(), contents.len()), (None, 2));
        for wrong in [0.0, -1.0, 1.5, f64::NAN] {
            assert!(Contents::new(wrong).is_err(), "{wrong}");
        }
    }
}
