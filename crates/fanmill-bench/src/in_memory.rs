//! The joins that find all pairs of sets in memory: what the product's joins, which need less of it, are
//! timed beside.

pub(crate) mod resemblance;
pub(crate) mod containment;

use fanmill::lsh::DocIdx;
use fanmill::lsh::verify::{Threshold, resemblance_of};

/// The pairs that reach the threshold, ascending: all are looked at.
pub(crate) fn all_pairs<S: AsRef<[u64]>>(
    sets: &[S],
    threshold: Threshold,
) -> Vec<(DocIdx, DocIdx)> {
    let n = sets.len() as DocIdx;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let reaches = |&(a, b): &(DocIdx, DocIdx)| {
        let (a, b) = (sets[a as usize].as_ref(), sets[b as usize].as_ref());
        let resemblance = resemblance_of(n_common(a, b), a.len(), b.len());
        resemblance.is_some_and(|resemblance| resemblance >= threshold.value())
    };
    pairs.filter(reaches).collect()
}

/// How many members two sets have in common: each is looked for in turn.
pub(crate) fn n_common(a: &[u64], b: &[u64]) -> usize {
    a.iter().filter(|x| b.contains(x)).count()
}
