//! A set of documents, one bit each, that can count the members before a given one.

/// Number of bits in a block.
const BLOCK: usize = 64;

/// A set of numbers below a bound.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    blocks: Vec<u64>,
    /// Number of members before each block; made by [`Bits::ranked`].
    before: Vec<u32>,
}

impl Bits {
    /// Creates an empty set of numbers below `n`.
    pub(crate) fn new(n: usize) -> Bits {
        Bits { blocks: vec![0; n.div_ceil(BLOCK)], before: Vec::new() }
    }

    /// Makes `i` a member.
    ///
    /// # Panics
    /// If it is not below the bound.
    pub(crate) fn insert(&mut self, i: u32) {
        self.blocks[i as usize / BLOCK] |= 1 << (i as usize % BLOCK);
    }

    /// Returns whether `i` is a member.
    pub(crate) fn contains(&self, i: u32) -> bool {
        self.blocks
            .get(i as usize / BLOCK)
            .is_some_and(|block| block >> (i as usize % BLOCK) & 1 == 1)
    }

    /// Returns whether any number of `range` is a member.
    pub(crate) fn any(&self, range: std::ops::Range<u32>) -> bool {
        let (first, last) = (range.start as usize / BLOCK, range.end as usize / BLOCK);
        (first..=last).any(|block| self.blocks.get(block).is_some_and(|block| *block != 0))
            && range.into_iter().any(|i| self.contains(i))
    }

    /// Returns the number of members.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.count_ones() as usize).sum()
    }

    /// Returns the members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().enumerate().flat_map(|(i, &block)| {
            (0..BLOCK)
                .filter(move |bit| block >> bit & 1 == 1)
                .map(move |bit| (i * BLOCK + bit) as u32)
        })
    }

    /// Counts the members once, so that [`Bits::rank`] can answer.
    #[must_use]
    pub(crate) fn ranked(mut self) -> Bits {
        let mut n_before = 0;
        self.before = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            self.before.push(n_before);
            n_before += block.count_ones();
        }
        self
    }

    /// Returns the number of members before `i`: its place among them, if it is one.
    ///
    /// # Panics
    /// If the set is not [ranked](Bits::ranked), or `i` is not below the bound.
    pub(crate) fn rank(&self, i: u32) -> u32 {
        let (block, bit) = (i as usize / BLOCK, i as usize % BLOCK);
        self.before[block] + (self.blocks[block] & ((1 << bit) - 1)).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_are_a_set(members in proptest::collection::btree_set(0_u32..300, 0..60), from in 0_u32..300, len in 0_u32..80) {
            let mut bits = Bits::new(300);
            for &i in &members {
                bits.insert(i);
            }
            let bits = bits.ranked();
            prop_assert_eq!(bits.iter().collect::<BTreeSet<_>>(), members.clone());
            prop_assert_eq!(bits.len(), members.len());
            for i in 0..300 {
                prop_assert_eq!(bits.contains(i), members.contains(&i));
                prop_assert_eq!(bits.rank(i) as usize, members.range(..i).count());
            }
            prop_assert_eq!(bits.any(from..from + len), members.range(from..from + len).next().is_some());
        }
    }
}
