//! The expectation of a batch: the pairs that unrelated submissions of it would give, estimated from all scored pairs.

use crate::pipeline::found::FoundPair;
use crate::pipeline::own_earlier::n_pairs_of_others;
use crate::pipeline::{Batch, Config, Ranking};
use crate::report::ThresholdFrom;
use crate::score::expectation::{Expectation, LINKS, LINKS_UNJUDGED, ScoredPair, Unjudged};
use fanmill_text::document::Role;

/// The expectation fitted to a batch, and the score from which on pairs link submissions.
#[derive(Debug)]
pub(super) struct Chance {
    pub(super) fitted: Result<Expectation, Unjudged>,
    pub(super) threshold: f64,
    pub(super) threshold_from: ThresholdFrom,
}

impl Chance {
    /// Fits the expectation to the pairs of different classes; a pair that was not found scores 0.
    pub(super) fn new(
        batch: &Batch<'_>,
        ranking: &Ranking,
        found: &[FoundPair],
        config: &Config,
    ) -> Chance {
        let is_new = |&member: &usize| batch.members[member].submission.role == Role::New;
        let is_archived: Vec<bool> =
            ranking.classes.iter().map(|class| !class.iter().any(is_new)).collect();
        let different = found.iter().filter(|pair| pair.ranked.a != pair.ranked.b);
        let pairs: Vec<ScoredPair> = different
            .map(|FoundPair { ranked, finding }| ScoredPair {
                a: ranked.a,
                b: ranked.b,
                score: finding.score,
            })
            .collect();
        let fitted = if config.sources_are_chosen {
            Err(Unjudged::ChosenSources)
        } else {
            Expectation::fit(&pairs, &is_archived)
        };
        let (threshold, threshold_from) = match (config.cluster_threshold, &fitted) {
            (Some(threshold), _) => (threshold, ThresholdFrom::Set),
            (None, Ok(fitted)) => (fitted.score_at(LINKS), ThresholdFrom::Chance),
            (None, Err(_)) => (LINKS_UNJUDGED, ThresholdFrom::Unjudged),
        };
        Chance { fitted, threshold, threshold_from }
    }

    /// Counts the pairs of submissions whose score chance alone reaches less than half a time.
    pub(super) fn standing_out(
        &self,
        batch: &Batch<'_>,
        ranking: &Ranking,
        found: &[FoundPair],
    ) -> u64 {
        let Ok(fitted) = &self.fitted else { return 0 };
        let least = fitted.score_at(LINKS);
        let above = found.iter().filter(|pair| pair.finding.score >= least);
        above.map(|pair| n_pairs_of_others(batch, ranking, &pair.ranked)).sum()
    }

    /// Returns the number of pairs with at least this score that chance gives; `None` if it cannot be judged.
    pub(super) fn expected(&self, score: f64) -> Option<f64> {
        self.fitted.as_ref().ok().map(|fitted| fitted.of(score))
    }
}
