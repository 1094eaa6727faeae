//! What two sets have in common, by going through both.

/// Steps between two checks of the bound.
const STEPS: usize = 16;

/// The number of members that two sets have in common, each ascending and without repetitions; `None` once
/// it is clear that they are fewer than `needed`, which may be never.
pub(crate) fn n_common(a: &[u64], b: &[u64], needed: usize) -> Option<usize> {
    let (mut at_a, mut at_b, mut n_common) = (0, 0, 0);
    // No branch on the order of `x` and `y`, which no processor could predict.
    let mut step = || {
        let (x, y) = (a[at_a], b[at_b]);
        n_common += usize::from(x == y);
        (at_a, at_b) = (at_a + usize::from(x <= y), at_b + usize::from(y <= x));
        (at_a, at_b, n_common)
    };
    let mut now = (0, 0, 0);
    while now.0 + STEPS <= a.len() && now.1 + STEPS <= b.len() {
        // A step advances each side by at most one, so neither runs out within these.
        for _ in 0..STEPS {
            now = step();
        }
        if now.2 + (a.len() - now.0).min(b.len() - now.1) < needed {
            return None;
        }
    }
    while now.0 < a.len() && now.1 < b.len() {
        now = step();
    }
    Some(now.2)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fast_equals_naive(
            a in proptest::collection::btree_set(0_u64..200, 0..120),
            b in proptest::collection::btree_set(0_u64..200, 0..120),
            needed in 0_usize..60,
        ) {
            let naive = a.intersection(&b).count();
            let list = |set: &BTreeSet<u64>| set.iter().copied().collect::<Vec<u64>>();
            let (a, b) = (list(&a), list(&b));
            prop_assert_eq!(n_common(&a, &b, 0), Some(naive));
            let found = n_common(&a, &b, needed);
            prop_assert!(found == Some(naive) || found.is_none() && naive < needed, "{:?}", found);
        }
    }
}
