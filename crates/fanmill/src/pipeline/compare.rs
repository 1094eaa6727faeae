//! The whole job: from a corpus to a report.

use rayon::prelude::*;

use crate::document::{Corpus, Role};
use crate::error::Result;
use crate::frontend::Registry;
use crate::gram::SharedFilter;
use crate::pipeline::assemble;
use crate::pipeline::evidence::{Evidence, Finder, Support};
use crate::pipeline::held::Held;
use crate::pipeline::listing::{Listed, ListedPair};
use crate::pipeline::{Batch, Config, Member, RankedPair, Ranking};
use crate::progress::Progress;
use crate::report::Report;

/// A finished comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The result with its evidence.
    pub report: Report,
    /// The highest score of all pairs that share a passage, listed or not; a fraction in `0..=1`.
    pub highest_score: f64,
    /// The submissions that the report speaks of, in its order.
    members: Vec<Member>,
}

/// Compares the submissions of a corpus with each other, and lists the best pairs with their passages.
///
/// # Errors
/// If the settings contradict each other or name an unknown language. Documents that cannot be
/// read are not errors: they are notices in the report.
pub fn compare(
    corpus: Corpus,
    registry: &Registry,
    config: &Config,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let mut batch = Batch::read(corpus, registry, config, progress)?;
    let ranking = Ranking::of(&batch, config, progress)?;
    let held = Held::of(&batch, &ranking);
    batch.shared = SharedFilter::default();
    let mut finder = Finder::new(&batch, &ranking, held);
    let supports = supports(&finder, &batch, &ranking, config, progress);
    let listed = Listed::of(&batch, &ranking, &supports, config);

    progress.begin("matching", listed.pairs.len() as u64);
    let mut evidence: Vec<Evidence> = Vec::with_capacity(listed.pairs.len());
    for some in turns(&batch, &listed.pairs) {
        evidence.par_extend(some.par_iter().map(|pair| {
            progress.advance();
            finder.find(pair.members.0, pair.members.1, pair.score)
        }));
        finder.tidy();
    }
    drop(finder);
    let report = assemble::report(&batch, &ranking, &supports, &listed, evidence, config);
    let members =
        batch.members.into_iter().filter(|member| member.submission.role != Role::Base).collect();
    let supported = ranking.pairs.iter().zip(&supports).find(|(_, s)| **s != Support::Nothing);
    let highest_score = supported.map_or(0.0, |(pair, _)| pair.score);
    Ok(Comparison { report, highest_score, members })
}

/// The listed pairs in turns whose members have about a quarter of all texts.
fn turns<'a>(batch: &Batch<'_>, pairs: &'a [ListedPair]) -> Vec<&'a [ListedPair]> {
    const LEAST: usize = 4 << 20;
    let n_bytes = |member: usize| batch.members[member].submission.n_bytes();
    let most = LEAST.max((0..batch.members.len()).map(n_bytes).sum::<usize>() / 4);
    let mut turns = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (end, pair) in (1..).zip(pairs) {
        sum += n_bytes(pair.members.0) + n_bytes(pair.members.1);
        if sum > most || end == pairs.len() {
            turns.push(&pairs[start..end]);
            (start, sum) = (end, 0);
        }
    }
    turns
}

/// What each scored pair rests on; of identical submissions, the first two stand for all.
///
/// Pairs that can neither be listed nor link submissions are not looked at.
fn supports(
    finder: &Finder<'_>,
    batch: &Batch<'_>,
    ranking: &Ranking,
    config: &Config,
    progress: &dyn Progress,
) -> Vec<Support> {
    let floor = config.min_score.min(assemble::lowest_link(config));
    progress.begin("verifying", ranking.pairs.len() as u64);
    let support = |pair: &RankedPair| {
        progress.advance();
        let members = ranking.members_of(pair, batch).next().filter(|_| pair.score >= floor);
        members.map_or(Support::Nothing, |(a, b)| finder.support(a, b, pair.score))
    };
    ranking.pairs.par_iter().map(support).collect()
}

impl Comparison {
    /// The submissions that the report speaks of, in its order, with the bytes that they were read from.
    pub fn members(&self) -> &[Member] {
        &self.members
    }
}
