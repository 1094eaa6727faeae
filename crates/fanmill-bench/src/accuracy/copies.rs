//! Labelled copies: the number of striking ones, and the thresholds that separate them from other pairs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use fanmill::cluster::{Link, clusters};
use fanmill::pipeline::Config;
use fanmill::score::expectation::{STANDS_OUT, Shape};
use fanmill_text::frontend::Registry;
use rayon::prelude::*;

use crate::accuracy::scored::ScoredBatch;
use crate::accuracy::{corpus, labels, ordered, stem};

/// A labelled set.
#[derive(Debug)]
pub(super) struct Copies {
    pub(super) name: String,
    groups: Vec<Group>,
}

/// A group of a set: one batch.
#[derive(Debug)]
struct Group {
    scored: ScoredBatch,
    /// Pairs, lower number first, each with its score and with `true` if it is a copy.
    labelled: Vec<((u32, u32), f64, bool)>,
}

/// Numbers of labelled pairs at an expectation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CopyCounts {
    pub(super) n_copies: usize,
    /// Number of copies at or below [`STANDS_OUT`].
    pub(super) copies: usize,
    /// Number of other pairs at or below it.
    pub(super) others: usize,
    /// Number of copies in batches that cannot be judged.
    pub(super) unjudged: usize,
}

/// F1 scores of a threshold, and of clusters, that separate copies from other pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct F1Scores {
    /// F1 at the one threshold that is best for the set.
    pub(super) best: f64,
    pub(super) best_threshold: f64,
    /// F1 at the threshold of each batch.
    pub(super) fitted: f64,
    /// F1 if the pairs inside clusters at these thresholds are taken for copies.
    pub(super) clustered: f64,
}

impl Copies {
    /// Reads and compares the set in a folder, one batch per group.
    pub(super) fn read(
        folder: &Path,
        name: &str,
        registry: &Registry,
        config: &Config,
    ) -> Result<Copies> {
        let labels = labels(&folder.join("labels.csv"))?;
        let only_copies = labels.values().all(|&label| label);
        let mut names: Vec<&String> = labels.keys().map(|(group, ..)| group).collect();
        names.dedup();
        let group = |name: &&String| {
            let own = labels.iter().filter(|((of, ..), _)| of == *name);
            let own: BTreeMap<(String, String), bool> =
                own.map(|((_, a, b), &label)| ((a.clone(), b.clone()), label)).collect();
            let scored = ScoredBatch::new(corpus(&folder.join(name))?, registry, config)?;
            Ok(Group::new(scored, &own, only_copies))
        };
        let groups = names.par_iter().map(group).collect::<Result<_>>()?;
        Ok(Copies { name: name.to_owned(), groups })
    }

    /// Counts the striking copies, by a tail of this shape.
    pub(super) fn kept(&self, shape: Shape) -> CopyCounts {
        let mut kept = CopyCounts::default();
        for group in &self.groups {
            let fitted = group.scored.fit(shape);
            for &(_, score, is_copy) in &group.labelled {
                let stands_out = fitted.is_ok_and(|fitted| fitted.of(score) <= STANDS_OUT);
                kept.n_copies += usize::from(is_copy);
                kept.unjudged += usize::from(is_copy && fitted.is_err());
                let found = if is_copy { &mut kept.copies } else { &mut kept.others };
                *found += usize::from(stands_out);
            }
        }
        kept
    }

    /// Computes the F1 scores, with the thresholds of a tail of this shape.
    pub(super) fn parted(&self, shape: Shape) -> F1Scores {
        let (mut all, mut above, mut together) = (Vec::new(), Vec::new(), Vec::new());
        for group in &self.groups {
            let threshold = group.scored.link_threshold(shape);
            let cluster = group.cluster_of_each(threshold);
            for &((a, b), score, is_copy) in &group.labelled {
                all.push((score, is_copy));
                above.push((score >= threshold && score > 0.0, is_copy));
                let [a, b] = [a, b].map(|number| cluster[number as usize]);
                together.push((a.is_some() && a == b, is_copy));
            }
        }
        let (best, best_threshold) = best_f1(&mut all);
        F1Scores { best, best_threshold, fitted: f1(&above), clustered: f1(&together) }
    }
}

impl Group {
    /// Lists the pairs of `labels`, found by stems; if only copies are listed, all other pairs are independent.
    fn new(
        scored: ScoredBatch,
        labels: &BTreeMap<(String, String), bool>,
        only_copies: bool,
    ) -> Group {
        let scores = scored.by_place();
        let mut labelled = Vec::new();
        for b in 0..scored.n_submissions() as u32 {
            for a in 0..b {
                let name = |number: u32| stem(&scored.names[number as usize]).to_owned();
                let label = labels.get(&ordered(name(a), name(b))).copied();
                if let Some(is_copy) = label.or(only_copies.then_some(false)) {
                    let score = scores.get(&(a, b)).copied().unwrap_or(0.0);
                    labelled.push(((a, b), score, is_copy));
                }
            }
        }
        Group { scored, labelled }
    }

    /// Returns the cluster of each submission, if it is in one.
    fn cluster_of_each(&self, threshold: f64) -> Vec<Option<usize>> {
        let links = self.scored.pairs.iter();
        let links = links.map(|p| Link { a: p.a, b: p.b, score: p.score, pairs: 1 });
        let links: Vec<Link> = links.collect();
        let mut of_each = vec![None; self.scored.n_submissions()];
        let found = clusters(self.scored.n_submissions(), &links, threshold);
        for (number, cluster) in found.iter().enumerate() {
            for &member in &cluster.members {
                of_each[member as usize] = Some(number);
            }
        }
        of_each
    }
}

/// Computes F1 from pairs, each with the verdict on it and the truth.
fn f1(pairs: &[(bool, bool)]) -> f64 {
    let hits = pairs.iter().filter(|(said, is_copy)| *said && *is_copy).count();
    let said = pairs.iter().filter(|(said, _)| *said).count();
    let copies = pairs.iter().filter(|(_, is_copy)| *is_copy).count();
    2.0 * hits as f64 / (said + copies).max(1) as f64
}

/// Returns the best F1 of any threshold, and the threshold.
fn best_f1(pairs: &mut [(f64, bool)]) -> (f64, f64) {
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
    let n_copies = pairs.iter().filter(|(_, is_copy)| *is_copy).count();
    let (mut hits, mut said) = (0, 0);
    let mut best = (0.0, 1.0);
    for tied in pairs.chunk_by(|x, y| x.0.total_cmp(&y.0).is_eq()) {
        hits += tied.iter().filter(|(_, is_copy)| *is_copy).count();
        said += tied.len();
        let f1 = 2.0 * hits as f64 / (said + n_copies) as f64;
        if f1 > best.0 {
            best = (f1, tied[0].0);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_threshold_is_that_of_the_best_f1() {
        let mut pairs = [(0.9, true), (0.5, false), (0.7, true), (0.2, true)];
        let (best, threshold) = best_f1(&mut pairs);
        assert!((best - 6.0 / 7.0).abs() < 1e-12 && threshold < 0.3, "{best} at {threshold}");
        assert!((f1(&[(true, true), (true, false), (false, true)]) - 0.5).abs() < 1e-12);
    }
}
