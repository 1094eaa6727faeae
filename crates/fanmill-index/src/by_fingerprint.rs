//! Matches by fingerprints alone, for documents whose texts are not kept: runs of the text in which both have the same
//! fingerprints at the same distances.
//!
//! A shared run as long as the guarantee has a fingerprint, and neighbouring ones are at most a window apart. So the
//! run is covered, except for less than a window at each end. The text between two fingerprints is not looked at, and
//! may differ.
//!
//! If a fingerprint repeats, its first [`REPEATED`] places on each side count, so that work is bounded.

use std::cmp::Reverse;
use std::ops::Range;

use fanmill::index::Posting;
use fanmill::pipeline::{Config, Places};
use fanmill_text::Result;
use serde::Serialize;

use crate::record::Record;

/// Number of places of one fingerprint that count in each of two texts.
const REPEATED: usize = 16;

/// A document that shares fingerprints with the text, in an index without texts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ByFingerprint {
    /// The index's record of it.
    pub record: Record,
    /// The number of its index among those that were searched.
    pub library: usize,
    /// Bits of evidence, as in [`Source::evidence`](crate::Source::evidence).
    pub evidence: u64,
    /// Weight of the shared fingerprints, as in [`Source::weight`](crate::Source::weight).
    pub weight: u64,
    /// Number of different fingerprints that it shares with the text.
    pub fingerprints: u64,
    /// Number of the text's tokens in the runs.
    pub tokens: u64,
    /// The runs of these fingerprints, ascending; none of them lies within another.
    pub runs: Vec<Run>,
}

impl ByFingerprint {
    /// Returns it as a document of the index with this number.
    pub(crate) fn in_library(self, library: usize) -> ByFingerprint {
        ByFingerprint { library, ..self }
    }
}

/// A stretch of the text whose fingerprints are in a document at the same distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Run {
    /// The number of the text's file that it is in.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Number of tokens from the first fingerprint to the end of the last one.
    pub tokens: u64,
    /// Number of fingerprints in it.
    pub fingerprints: u64,
    /// The token of the document at which it begins, counted from 0 over all its files.
    pub source_token: u64,
}

/// The place of a fingerprint in both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meeting {
    /// Position in the document minus position in the text.
    distance: i64,
    /// Position in the text, in tokens.
    at: u32,
}

/// Adds the places of a fingerprint that a text and a document share, given those in the text.
pub(crate) fn meet(own: impl Iterator<Item = u32>, theirs: &[Posting], met: &mut Vec<Meeting>) {
    for at in own.take(REPEATED) {
        met.extend(theirs.iter().take(REPEATED).map(|posting| {
            let distance = i64::from(posting.at) - i64::from(at);
            Meeting { distance, at }
        }));
    }
}

/// Joins meetings into runs; returns these, and the number of the text's tokens in them.
pub(crate) fn runs(
    mut met: Vec<Meeting>,
    places: &Places,
    config: &Config,
) -> Result<(Vec<Run>, u64)> {
    met.sort_unstable();
    let mut found: Vec<(Range<usize>, i64, u64)> = Vec::new();
    let mut last_at = 0;
    for Meeting { distance, at } in met {
        let at = at as usize;
        let Some(kind) = places.kind(at) else { continue };
        let thresholds = config.recipe(kind)?.thresholds;
        let end = at + thresholds.noise();
        match found.last_mut() {
            Some((run, at_same, n))
                if *at_same == distance
                    && at - last_at <= thresholds.window()
                    && places.bytes(run.start..end).is_some() =>
            {
                (run.end, *n) = (end, *n + 1);
            }
            _ => found.push((at..end, distance, 1)),
        }
        last_at = at;
    }
    // A run that lies inside another follows it.
    found.sort_by_key(|(run, distance, _)| (run.start, Reverse(run.end), *distance));
    let (mut n_tokens, mut covered) = (0, 0);
    let mut runs = Vec::new();
    for (run, distance, fingerprints) in found {
        if run.end <= covered {
            continue;
        }
        n_tokens += run.end.saturating_sub(covered.max(run.start)) as u64;
        covered = covered.max(run.end);
        let Some((file, span)) = places.bytes(run.clone()) else { continue };
        runs.push(Run {
            file: file as u32,
            start: span.start,
            end: span.end,
            tokens: run.len() as u64,
            fingerprints,
            source_token: (run.start as u64).saturating_add_signed(distance),
        });
    }
    Ok((runs, n_tokens))
}
