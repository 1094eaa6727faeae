//! Evidence: scores and passages, for those who hold the originals.
//!
//! A store holds no texts. To get more than a grade, one has to supply the originals, and only one whose
//! fingerprints are those of the store is explained.

use std::collections::BTreeMap;

use fanmill::Result;
use fanmill::frontend;
use fanmill::progress::Progress;
use fanmill::sift::family::Family;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::similarity::Overlap;
use fanmill::sift::store::{Match, Store, StoredIdx};
use fanmill::sift::tokens::KeyedTokens;
use fanmill::span::Span;
use serde::Serialize;

use super::places::Places;
use super::sift_all;
use super::texts::{self, Account, Inputs, Text};

/// Originals that are explained for a text.
const EXPLAINED: usize = 3;

/// The originals that were given, what each says, by their places in the store.
#[derive(Debug)]
pub(super) struct Originals(BTreeMap<StoredIdx, Vec<u8>>);

impl Originals {
    /// Reads originals, and keeps those that the store has.
    pub(super) fn read(
        inputs: Inputs<'_>,
        store: &Store,
        sifter: &Sifter,
        progress: &dyn Progress,
    ) -> Result<(Originals, Account)> {
        let places = Places::of(store.records());
        let mut originals = BTreeMap::new();
        let account = texts::each(inputs, progress, &mut |batch| {
            let sifted = sift_all(sifter, &batch);
            for (text, sifted) in batch.into_iter().zip(&sifted) {
                let place = places.of_text(store.records(), &text.name, sifted);
                originals.extend(place.map(|at| (at, text.bytes)));
            }
            Ok(())
        })?;
        Ok((Originals(originals), account))
    }

    /// What can be said about the first of a text's originals: each with the reading of the text that
    /// it was found by.
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

/// How a text is like an original.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// Its name in the store.
    pub original: String,
    /// For those who hold the original, and nobody else.
    pub evidence: Option<Evidence>,
}

/// What there is to see with both texts at hand.
#[derive(Debug, Serialize)]
pub struct Evidence {
    /// Share of the smaller fingerprint, a fraction in `0..=1`.
    pub s3: f64,
    /// What each family of grams says, those that have nothing here or there left out.
    pub families: Vec<FamilyScore>,
    /// In the text that was checked.
    pub here: Vec<Passage>,
    /// In the original.
    pub there: Vec<Passage>,
}

/// What one family of grams says.
#[derive(Debug, Serialize)]
pub struct FamilyScore {
    /// As profiles write it.
    pub family: String,
    /// Values in common.
    pub n_common: usize,
    /// Values of the text that was checked.
    pub n_here: usize,
    /// Values of the original.
    pub n_there: usize,
}

/// A stretch that grams in common reach over; there may be changes inside.
#[derive(Debug, Serialize)]
pub struct Passage {
    /// Where it begins, in bytes of the text.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// The line that it begins in, from 1.
    pub first_line: usize,
    /// The line that it ends in.
    pub last_line: usize,
    /// The passage.
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

/// The stretches of a text that it has in common with a fingerprint, in its own bytes.
fn passages(sifter: &Sifter, text: &[u8], other: &Sifted) -> Vec<Passage> {
    let folded = frontend::Text::new(text);
    let mut tokens = KeyedTokens::default();
    sifter.read(folded.as_str(), &mut tokens);
    let mut spans: Vec<Span> = sifter.evidence(&tokens, other).concat();
    folded.spans_to_original(&mut spans);
    // A long text has many passages: each counts lines from where the one before it ended.
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

/// Spans in any order as their union, ascending.
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
