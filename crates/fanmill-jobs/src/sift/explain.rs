//! Evidence: scores and passages, for anyone who has the originals.
//!
//! A store holds no texts. Anything beyond a grade needs the originals, and only an original whose fingerprints
//! equal the store's is explained.

use std::collections::BTreeMap;

use fanmill_sift::family::Family;
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_sift::similarity::Overlap;
use fanmill_sift::store::{Match, Store, StoredIdx};
use fanmill_sift::tokens::KeyedTokens;

use fanmill_text::Result;
use fanmill_text::progress::Progress;
use fanmill_text::span::Span;
use serde::Serialize;

use super::places::Places;
use super::sift_all;
use super::texts::{self, Account, Input, Terms, Text};

/// Maximum number of originals that are explained for a text.
const EXPLAINED: usize = 3;

/// The given originals: their bytes, by their places in the store.
#[derive(Debug)]
pub(super) struct Originals(BTreeMap<StoredIdx, Vec<u8>>);

impl Originals {
    /// Reads originals, and keeps those that are in the store.
    pub(super) fn read(
        from: Vec<Input<'_>>,
        terms: Terms<'_>,
        store: &Store,
        sifter: &Sifter,
        progress: &dyn Progress,
    ) -> Result<(Originals, Account)> {
        let places = Places::from_records(store.records());
        let mut originals = BTreeMap::new();
        let account = texts::each_of(from, terms, progress, &mut |batch| {
            let sifted = sift_all(sifter, &batch);
            for (text, sifted) in batch.into_iter().zip(&sifted) {
                let place = places.of_text(store.records(), &text.name, sifted);
                originals.extend(place.map(|at| (at, text.bytes)));
            }
            Ok(())
        })?;
        Ok((Originals(originals), account))
    }

    /// Explains the first originals of a text, each given with the reading of the text in which it was found.
    pub(super) fn explain<'a>(
        &self,
        sifter: &Sifter,
        store: &Store,
        text: &Text,
        sifted: &[Sifted],
        copies: impl Iterator<Item = (&'a Match, usize)>,
    ) -> Vec<Explanation> {
        let readings: Vec<&[u8]> = text.readings().collect();
        let explain = |(found, reading): (&Match, usize)| Explanation {
            original: store.name(found.document).to_owned(),
            evidence: self.0.get(&found.document).map(|original| Evidence {
                s3: found.likeness.s3().unwrap_or(0.0),
                families: families(store, found),
                here: passages(sifter, readings[reading], &store.sifted(found.document)),
                there: passages(sifter, original, &sifted[reading]),
            }),
        };
        copies.take(EXPLAINED).map(explain).collect()
    }
}

/// The resemblance of a text to an original.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// Its name in the store.
    pub original: String,
    /// The evidence, if the original was given.
    pub evidence: Option<Evidence>,
}

/// The evidence from a comparison of both texts.
#[derive(Debug, Serialize)]
pub struct Evidence {
    /// Share of the smaller fingerprint, a fraction in `0..=1`.
    pub s3: f64,
    /// The score of each family of grams, without those that have no values in either text.
    pub families: Vec<FamilyScore>,
    /// Passages in the text that was checked.
    pub here: Vec<Passage>,
    /// Passages in the original.
    pub there: Vec<Passage>,
}

/// The score of one family of grams.
#[derive(Debug, Serialize)]
pub struct FamilyScore {
    /// The family, as profiles write it.
    pub family: String,
    /// Number of values in common.
    pub n_common: usize,
    /// Number of values of the text that was checked.
    pub n_here: usize,
    /// Number of values of the original.
    pub n_there: usize,
}

/// A stretch of text covered by grams in common; it may contain changes.
#[derive(Debug, Serialize)]
pub struct Passage {
    /// Offset of its beginning, in bytes of the text.
    pub start: u32,
    /// Offset of its end.
    pub end: u32,
    /// Line in which it begins, counted from 1.
    pub first_line: usize,
    /// Line in which it ends.
    pub last_line: usize,
    /// The text of the passage.
    pub text: String,
}

fn families(store: &Store, found: &Match) -> Vec<FamilyScore> {
    let families = store.profile().families().iter().zip(&found.likeness.families);
    let score = |(family, overlap): (&Family, &Overlap)| FamilyScore {
        family: family.to_string(),
        n_common: overlap.n_common,
        n_here: overlap.a,
        n_there: overlap.b,
    };
    families.map(score).filter(|score| score.n_here + score.n_there > 0).collect()
}

/// Returns the passages of a text that it has in common with a fingerprint.
fn passages(sifter: &Sifter, text: &[u8], other: &Sifted) -> Vec<Passage> {
    let folded = sifter.text(text);
    let mut tokens = KeyedTokens::default();
    sifter.read(folded.as_str(), &mut tokens);
    let mut spans: Vec<Span> = sifter.evidence(&tokens, other).concat();
    folded.spans_to_original(&mut spans);
    // A long text has many passages, so lines are counted from the end of the previous one.
    let (mut counted, mut line) = (0, 1);
    let mut line_at = |at: usize| {
        line += text[counted..at].split(|&byte| byte == b'\n').count() - 1;
        counted = at;
        line
    };
    let passage = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        let (first_line, last_line) = (line_at(start), line_at(end));
        Passage {
            start: span.start,
            end: span.end,
            first_line,
            last_line,
            text: String::from_utf8_lossy(&text[start..end]).into_owned(),
        }
    };
    union(spans).into_iter().map(passage).collect()
}

/// Joins spans, which may be in any order, into their union, ascending.
fn union(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| span.start);
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}
