//! Recommends noise and guarantee thresholds for a collection, with the evidence.
//!
//! The paper reports a sharp threshold: for some `k`, matches are likely to be copies, and for a slightly smaller one
//! obvious false positives appear. This experiment measures it. Two kinds of chance are distinguished, and each of our
//! two thresholds answers one of them:
//!
//! - Documents with *scrambled* tokens share the runs that the mere distribution of tokens produces. Grams must be
//!   longer than these, or everything is a seed: this gives the noise threshold.
//! - *Unrelated* documents also share the idioms of their language and task. A run no longer than these is not
//!   evidence: this gives the guarantee, the length from which a run is shown.
//!
//! It is not known which pairs are unrelated, so this is estimated in two steps. Pairs that share a large part of their
//! grams are left out. Any other copying is a small part of each pair, so it affects the tail of the distribution and
//! not its middle: the threshold is read from a law fitted through the quartiles ([`law`]).
//!
//! Cost: bounded. At most 2,000 documents, the first 20,000 tokens of each, and a number of pairs.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2.
//! Departs from it: the authors judged results by eye and had one threshold; we have two, since passages are chained
//! from shorter matches.

pub mod law;
pub mod sample;
pub mod shared;
pub mod measure;
mod report;
#[cfg(test)]
mod tests;

use fanmill_text::message;
use fanmill_text::message::Message;
use std::collections::BTreeMap;

use fanmill::pipeline::Config;
use fanmill::select::Thresholds;
use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_text::Result;
use fanmill_text::progress::Progress;
use fanmill_text::token::{Kind, Symbol};
use rayon::prelude::*;

use crate::collection::Collection;
use crate::outcome::Outcome;
use law::ExtremeLaw;
use measure::{LONGEST, Measured, Rule};

/// Maximum number of documents that are used.
const MOST_DOCUMENTS: usize = 2000;

/// Maximum number of tokens used of each document.
const MOST_TOKENS: usize = 20_000;

/// Minimum number of unrelated pairs for a recommendation. With 100 pairs, the quartiles leave an
/// uncertainty of a sixth of the law's scale, some three tokens of code. 15 documents make 105 pairs.
pub const FEWEST_PAIRS: u64 = 100;

/// The settings of the experiment.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Number of pairs compared for each kind of text.
    pub n_pairs: usize,
    /// Number of times each pair is scrambled; at least 1.
    pub n_scrambles: u64,
    /// Share of the shorter document, in `0..=1`, above which a pair is related if the longer document contains it.
    pub related: f64,
    /// The share of unrelated pairs that may still have a match, in `0..=1`.
    pub tolerate: f64,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Settings {
    /// Returns the settings for 1,000 pairs, each scrambled three times; one in a hundred may match.
    ///
    /// Pairs are related above 40 %: different people's solutions of one small task share up to that much.
    pub fn standard() -> Settings {
        Settings { n_pairs: 1000, n_scrambles: 3, related: 0.4, tolerate: 0.01, seed: 1 }
    }
}

/// The results of the experiment.
#[derive(Debug)]
pub struct Calibration {
    /// Tables and figures.
    pub outcome: Outcome,
    /// The recommended thresholds for each kind of text with enough documents, ascending by kind.
    pub thresholds: Vec<(Kind, Thresholds)>,
}

/// The documents of one kind, and the measurements on them.
#[derive(Debug)]
struct OfKind {
    kind: Kind,
    /// The thresholds of [`Config::standard`].
    preset: Thresholds,
    documents: Vec<SampledDocument>,
    /// True if there are more pairs than were compared.
    is_sampled: bool,
    measured: Measured,
    /// The recommendation, or the reason why there is none.
    verdict: std::result::Result<Verdict, Message>,
}

/// A document of the sample.
#[derive(Debug)]
struct SampledDocument {
    /// Its index in the collection.
    index: usize,
    symbols: Vec<Symbol>,
}

/// A recommendation.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    /// Noise and guarantee, in tokens.
    pub thresholds: Thresholds,
    law: ExtremeLaw,
}

/// Finds the thresholds for a collection.
///
/// # Errors
/// If it has no two documents of the same kind with tokens.
pub fn run(
    settings: &Settings,
    collection: &Collection,
    progress: &dyn Progress,
) -> Result<Calibration> {
    let mut random = SplitMix::new(mix(settings.seed));
    let chosen = sample::some_of(collection.len(), MOST_DOCUMENTS, &mut random);
    progress.begin("reading", chosen.len() as u64);
    let held: Vec<(Kind, bool, SampledDocument)> = chosen
        .par_iter()
        .map(|&index| {
            let mut document = collection.document(index);
            let is_cut = document.symbols.len() > MOST_TOKENS;
            document.symbols.truncate(MOST_TOKENS);
            document.symbols.shrink_to_fit();
            progress.advance();
            (document.kind, is_cut, SampledDocument { index, symbols: document.symbols })
        })
        .collect();
    let n_cut = held.iter().filter(|held| held.1).count();
    let mut by_kind: BTreeMap<Kind, Vec<SampledDocument>> = BTreeMap::new();
    for (kind, _, held) in held.into_iter().filter(|held| !held.2.symbols.is_empty()) {
        by_kind.entry(kind).or_default().push(held);
    }
    by_kind.retain(|_, documents| documents.len() > 1);
    if by_kind.is_empty() {
        return Err(fanmill_text::Error::input(
            "there are no two documents of the same kind with tokens; calibration compares \
             documents with each other, so give more",
        ));
    }
    progress.begin("comparing", by_kind.len() as u64);
    // Kinds are taken in ascending order, since each draws from the same random numbers.
    let mut kinds = Vec::new();
    for (kind, documents) in by_kind {
        kinds.push(OfKind::new(kind, documents, settings, &mut random)?);
        progress.advance();
    }
    let input = report::input(collection, chosen.len(), n_cut);
    let thresholds =
        kinds.iter().filter_map(|of| Some((of.kind, of.verdict.as_ref().ok()?.thresholds)));
    Ok(Calibration {
        thresholds: thresholds.collect(),
        outcome: report::outcome(&kinds, settings, collection, input),
    })
}

impl OfKind {
    fn new(
        kind: Kind,
        documents: Vec<SampledDocument>,
        settings: &Settings,
        random: &mut SplitMix,
    ) -> Result<OfKind> {
        let preset = Config::standard().recipe(kind)?.thresholds;
        let pairs = sample::some_pairs(documents.len(), settings.n_pairs, random);
        let symbols: Vec<&[Symbol]> = documents.iter().map(|held| &*held.symbols).collect();
        let rule = Rule {
            noise: preset.noise(),
            related: settings.related,
            n_scrambles: settings.n_scrambles,
            seed: random.draw(),
        };
        let measured = measure::measure(&symbols, &pairs, &rule);
        let n_all = documents.len() * (documents.len() - 1) / 2;
        Ok(OfKind {
            kind,
            preset,
            is_sampled: pairs.len() < n_all,
            verdict: verdict(&measured, settings.tolerate),
            documents,
            measured,
        })
    }
}

/// Returns the thresholds at which no more than a tolerated share of pairs matches.
///
/// # Errors
/// The reason, if there are no such thresholds.
pub fn verdict(measured: &Measured, tolerate: f64) -> std::result::Result<Verdict, Message> {
    let n_pairs = measured.unrelated.n_pairs;
    if n_pairs < FEWEST_PAIRS {
        return Err(message![
            "{n_pairs} unrelated pairs are too few to tell: it takes {FEWEST_PAIRS}, and 15 \
             documents of different authors have them"
        ]);
    }
    let noise = measured.scrambled.survival().reaches(tolerate).ok_or_else(|| {
        message![
            "even scrambled documents share runs of {LONGEST} tokens: they consist of very few \
             different tokens"
        ]
    })?;
    let law = ExtremeLaw::fit(&measured.unrelated.survival());
    let law = law.filter(|law| law.reaches(tolerate) <= LONGEST).ok_or_else(|| {
        message!["too many of the pairs share runs of more than {LONGEST} tokens: they have boilerplate in \
             common, or most of them are copies; the experiment `frequency` shows what they repeat"]
    })?;
    let guarantee = law.reaches(tolerate).max(noise);
    let thresholds = Thresholds::new(noise as u32, guarantee as u32).map_err(Message::from)?;
    Ok(Verdict { thresholds, law })
}
