//! Exact joins that keep all sets in memory, to compare with Fanmill's own, which need less memory.

pub(crate) mod resemblance;
pub(crate) mod containment;

use fanmill_sketch::lsh::DocIdx;
use fanmill_sketch::lsh::verify::{Threshold, resemblance_of};

/// Compares all pairs naively, and returns those that reach the threshold, ascending.
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

/// Counts common members naively, looking for each member in turn.
pub(crate) fn n_common(a: &[u64], b: &[u64]) -> usize {
    a.iter().filter(|x| b.contains(x)).count()
}
