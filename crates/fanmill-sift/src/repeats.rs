//! An index of repeated tokens, which lets skipping grams pass over decisions made before.
//!
//! A skipping gram decides on one token after another until it takes one. The decision depends only on the token and on
//! the tokens taken so far. So a token that was passed over is passed over again, wherever it recurs, until another
//! token is taken. In a text of few distinct tokens (one letter, a line of dashes) nearly all decisions have been made
//! before; the index finds the next one that has not.
//!
//! For each position, the index has the position of the same token's previous occurrence, and for each block
//! of positions the earliest of these. Building it takes about as long as deciding once on each token, and
//! most texts do not need it, so it is built once that many decisions have been wasted.
//!
//! Cost: O(n) to build; a search looks at one entry for each block without new tokens, and at two whole blocks
//! at most.
//! Source: none.

use std::collections::HashMap;

/// Number of positions in a block.
const BLOCK: usize = 64;

/// An index of repeated tokens; see the [module](self).
#[derive(Debug)]
pub(super) struct Repeats<'t> {
    tokens: &'t [u64],
    /// Decisions beyond this distance from the head count as wasted.
    patience: usize,
    /// Decisions wasted so far.
    n_wasted: usize,
    /// For each position, 1 plus the position of the same token's previous occurrence; 0 if there is none.
    before: Vec<u32>,
    /// The smallest entry of each block of `before`; none for the last block unless it is full.
    least: Vec<u32>,
}

impl<'t> Repeats<'t> {
    /// Creates an index for grams that may span up to `span` tokens, though most are much shorter. Builds nothing yet.
    pub(super) fn new(tokens: &'t [u64], span: usize) -> Repeats<'t> {
        let (before, least) = (Vec::new(), Vec::new());
        Repeats { tokens, patience: (span / 4).max(1), n_wasted: 0, before, least }
    }

    /// Returns the tokens of the text.
    pub(super) fn tokens(&self) -> &'t [u64] {
        self.tokens
    }

    /// Returns the distance that a gram may reach before its decisions count as wasted.
    pub(super) fn patience(&self) -> usize {
        self.patience
    }

    /// Notes the distance that a gram reached; builds the index if that has become worthwhile.
    pub(super) fn reached(&mut self, distance: usize) {
        if !self.before.is_empty() || distance <= self.patience {
            return;
        }
        self.n_wasted += distance - self.patience;
        if self.n_wasted > self.tokens.len() {
            self.make();
        }
    }

    fn make(&mut self) {
        let mut last: HashMap<u64, u32> = HashMap::new();
        // A position above 32 bits counts as "no previous occurrence": the token is decided on again.
        let places = (1..).map(|place: usize| u32::try_from(place).unwrap_or(0));
        let before = |(&token, place): (&u64, u32)| last.insert(token, place).unwrap_or(0);
        self.before = self.tokens.iter().zip(places).map(before).collect();
        let least = |block: &[u32]| block.iter().copied().min().unwrap_or(0);
        self.least = self.before.chunks_exact(BLOCK).map(least).collect();
    }

    /// Returns the first position in `at..end` whose token has not occurred since position `taken`, or `end`. `taken`
    /// is below `at`.
    #[inline]
    pub(super) fn next(&self, mut at: usize, end: usize, taken: usize) -> usize {
        if self.before.is_empty() {
            return at.min(end);
        }
        // The previous occurrence is at `taken` or before it (`before` counts from 1).
        let is_new = |before: u32| before as usize <= taken + 1;
        while at < end {
            // A block whose earliest previous occurrence is after `taken` has nothing new.
            if at.is_multiple_of(BLOCK)
                && self.least.get(at / BLOCK).is_some_and(|&least| !is_new(least))
            {
                at += BLOCK;
            } else if is_new(self.before[at]) {
                return at;
            } else {
                at += 1;
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The naive twin: searches by definition.
    fn naive(tokens: &[u64], at: usize, end: usize, taken: usize) -> usize {
        let is_new = |&at: &usize| !tokens[taken + 1..at].contains(&tokens[at]);
        (at..end).find(is_new).unwrap_or(end)
    }

    proptest! {
        #[test]
        fn fast_equals_naive(
            tokens in prop::collection::vec(0_u64..40, 1..400),
            places in prop::collection::vec((0..400_usize, 0..400_usize, 0..400_usize), 20),
        ) {
            let mut repeats = Repeats::new(&tokens, 8);
            repeats.make();
            for (taken, more, end) in places {
                let (taken, end) = (taken % tokens.len(), end % (tokens.len() + 1));
                let at = (taken + 1 + more).min(tokens.len());
                let expected = naive(&tokens, at, end, taken);
                prop_assert_eq!(repeats.next(at, end, taken).min(end), expected.min(end));
            }
        }
    }

    #[test]
    fn the_index_is_built_when_it_pays() {
        let tokens = [7; 100];
        let mut repeats = Repeats::new(&tokens, 40);
        repeats.reached(10);
        (0..4).for_each(|_| repeats.reached(35));
        assert_eq!(repeats.next(50, 90, 2), 50);
        repeats.reached(35);
        assert_eq!(repeats.next(50, 90, 2), 90);
        assert_eq!(repeats.next(3, 90, 2), 3);
    }
}
