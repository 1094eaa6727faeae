//! A batch with the scores of all its pairs, in any way of scoring.

use std::collections::BTreeMap;

use anyhow::Result;
use fanmill::pipeline::{Config, compare};
use fanmill::score::expectation::{Expectation, LINKS_UNJUDGED, ScoredPair, Shape, Unjudged};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

/// The submissions of a batch and their scores.
#[derive(Debug)]
pub(super) struct ScoredBatch {
    /// Names, in the order of the report.
    pub(super) names: Vec<String>,
    is_archived: Vec<bool>,
    /// Pairs that share a passage.
    pub(super) pairs: Vec<ScoredPair>,
}

impl ScoredBatch {
    /// Compares a batch and lists all pairs that share a passage.
    pub(super) fn new(corpus: Corpus, registry: &Registry, config: &Config) -> Result<ScoredBatch> {
        let config = config.clone().with(|config| config.max_pairs = 1 << 24);
        let report = compare(corpus, registry, &config, &Silent)?.report;
        let pair = |pair: &fanmill::report::Pair| {
            let (a, b) = (pair.a.min(pair.b), pair.a.max(pair.b));
            ScoredPair { a, b, score: pair.score }
        };
        Ok(ScoredBatch {
            pairs: report.pairs.iter().map(pair).collect(),
            is_archived: report.submissions.iter().map(|s| s.role == Role::Archive).collect(),
            names: report.submissions.into_iter().map(|s| s.name).collect(),
        })
    }

    /// Returns the number of submissions.
    pub(super) fn n_submissions(&self) -> usize {
        self.names.len()
    }

    /// Fits the expectation with a tail of this shape.
    pub(super) fn fit(&self, shape: Shape) -> Result<Expectation, Unjudged> {
        Expectation::fit_with(shape, &self.pairs, &self.is_archived)
    }

    /// Returns the score from which pairs are linked.
    pub(super) fn link_threshold(&self, shape: Shape) -> f64 {
        self.fit(shape).map_or(LINKS_UNJUDGED, |fitted| fitted.score_at(shape.links))
    }

    /// Returns the scores by the numbers of both submissions, lower first.
    pub(super) fn by_place(&self) -> BTreeMap<(u32, u32), f64> {
        self.pairs.iter().map(|pair| ((pair.a, pair.b), pair.score)).collect()
    }

    /// Returns the scores by names, in both orders.
    pub(super) fn by_name(&self) -> BTreeMap<(String, String), f64> {
        let name = |number: u32| self.names[number as usize].clone();
        let ways = |pair: &ScoredPair| {
            let (a, b) = (name(pair.a), name(pair.b));
            [((a.clone(), b.clone()), pair.score), ((b, a), pair.score)]
        };
        self.pairs.iter().flat_map(ways).collect()
    }
}
