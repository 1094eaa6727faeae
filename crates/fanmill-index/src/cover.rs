//! Greedy cover: the sources of a text, ordered by what each explains that no earlier one does.
//!
//! The first source is the one that has most tokens of the text; each next one has most of those that no earlier one
//! has. So an article comes before the pages that repeat a sentence of it. A source that has nearly the same tokens as
//! a chosen one ([`is_variant`]) is its *variant*: a mirror, an earlier version, another page that quotes the same.
//! Sources that add nothing come last.
//!
//! Cost: O(m²) for m sources, and O(n) for n pairs of a stretch and a source that has it.

/// A stretch of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Number of its tokens.
    pub(crate) tokens: u64,
    /// The numbers of the sources that have it: ascending, each once.
    pub(crate) sources: Vec<u32>,
}

/// A source in the order of the cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) source: u32,
    /// Number of tokens that it has and no earlier one.
    pub(crate) added: u64,
    /// Its variants, ascending.
    pub(crate) variants: Vec<u32>,
}

/// Returns whether two sources have nearly the same tokens: they share nine tenths of what the larger one has.
fn is_variant(shared: u64, one: u64, other: u64) -> bool {
    shared > 0 && shared >= one.max(other).saturating_mul(9).div_ceil(10)
}

/// Orders sources with numbers below `n_sources`: each is chosen or a variant once. Of equals, the lowest number comes
/// first.
pub(crate) fn cover(n_sources: u32, stretches: &[Stretch]) -> Vec<Chosen> {
    let n = n_sources as usize;
    let mut all = vec![0; n];
    let mut own_stretches = vec![Vec::new(); n];
    for (number, stretch) in stretches.iter().enumerate() {
        for &source in &stretch.sources {
            all[source as usize] += stretch.tokens;
            own_stretches[source as usize].push(number);
        }
    }
    // The tokens of each source that no chosen one has.
    let mut left = all.clone();
    let mut is_explained = vec![false; stretches.len()];
    let mut is_placed = vec![false; n];
    let mut order = Vec::new();
    let best = |left: &[u64], is_placed: &[bool]| {
        let open = (0..n).filter(|&source| !is_placed[source]);
        open.max_by_key(|&source| (left[source], std::cmp::Reverse(source)))
    };
    while let Some(source) = best(&left, &is_placed) {
        let added = left[source];
        is_placed[source] = true;
        let mut shared = vec![0; n];
        for &number in &own_stretches[source] {
            let Stretch { tokens, sources } = &stretches[number];
            let is_new = !std::mem::replace(&mut is_explained[number], true);
            for &other in sources {
                shared[other as usize] += tokens;
                if is_new {
                    left[other as usize] -= tokens;
                }
            }
        }
        let variants = (0..n).filter(|&other| {
            !is_placed[other] && is_variant(shared[other], all[source], all[other])
        });
        let variants: Vec<usize> = variants.collect();
        for &variant in &variants {
            is_placed[variant] = true;
        }
        let variants = variants.into_iter().map(|variant| variant as u32).collect();
        order.push(Chosen { source: source as u32, added, variants });
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Orders sources by sets of single tokens, each counted anew for every choice.
    fn naive(n_sources: u32, stretches: &[Stretch]) -> Vec<Chosen> {
        let tokens_of = |source: u32| -> BTreeSet<(usize, u64)> {
            let own = stretches.iter().enumerate().filter(|(_, one)| one.sources.contains(&source));
            own.flat_map(|(i, one)| (0..one.tokens).map(move |token| (i, token))).collect()
        };
        let (mut explained, mut order) = (BTreeSet::new(), Vec::new());
        let mut open: Vec<u32> = (0..n_sources).collect();
        while !open.is_empty() {
            let mut best = (open[0], 0);
            for &source in &open {
                let added = tokens_of(source).difference(&explained).count() as u64;
                if added > best.1 {
                    best = (source, added);
                }
            }
            let (source, added) = best;
            let own = tokens_of(source);
            explained.extend(own.iter().copied());
            open.retain(|&other| other != source);
            let variants: Vec<u32> = open
                .iter()
                .copied()
                .filter(|&other| {
                    let theirs = tokens_of(other);
                    let shared = own.intersection(&theirs).count();
                    shared > 0 && 10 * shared >= 9 * own.len().max(theirs.len())
                })
                .collect();
            open.retain(|other| !variants.contains(other));
            order.push(Chosen { source, added, variants });
        }
        order
    }

    proptest! {
        #[test]
        fn each_choice_is_the_best_of_all(
            stretches in prop::collection::vec((0_u64..12, prop::collection::btree_set(0_u32..6, 1..5)), 0..10),
        ) {
            let stretches: Vec<Stretch> = stretches
                .into_iter()
                .map(|(tokens, sources)| Stretch { tokens, sources: sources.into_iter().collect() })
                .collect();
            let order = cover(6, &stretches);
            prop_assert_eq!(&order, &naive(6, &stretches));
            let added: u64 = order.iter().map(|one| one.added).sum();
            prop_assert!(added <= stretches.iter().map(|one| one.tokens).sum());
            let mut all: Vec<u32> = order.iter().flat_map(|one| [one.source].into_iter().chain(one.variants.clone())).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..6).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_mirror_is_a_variant_and_a_part_is_not() {
        let stretch = |tokens, sources: &[u32]| Stretch { tokens, sources: sources.to_vec() };
        // 0 repeats a sentence of 1 and has 12 tokens of its own; 2 is an old version of 1; 3 has a part of it.
        let stretches =
            [stretch(12, &[0]), stretch(8, &[0, 1, 2, 3]), stretch(90, &[1, 2]), stretch(2, &[1])];
        let order = cover(4, &stretches);
        assert_eq!(
            order,
            [
                Chosen { source: 1, added: 100, variants: vec![2] },
                Chosen { source: 0, added: 12, variants: vec![] },
                Chosen { source: 3, added: 0, variants: vec![] },
            ]
        );
    }
}
