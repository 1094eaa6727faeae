//! Which tokens need not be asked about again, in texts that repeat themselves.
//!
//! A skipping gram asks about one token after another until it takes one, and what it asks depends only on the
//! token and on what it has taken. So a token that was passed over is passed over again, wherever it comes back,
//! until another one is taken. In a text of few different tokens (one letter, a line of dashes) nearly
//! all questions have been answered; this finds the next one that has not.
//!
//! For each place the index has the place of the token's last occurrence, and for each block of places the earliest of these.
//! Making it takes about as long as asking once about each token, and most texts need none: so it is made
//! when as many questions have been wasted.
//!
//! Cost: O(n) to make; a search looks at one place of each block that holds nothing new, and at most at two blocks whole.
//! Source: none.

use std::collections::HashMap;

/// Places of a block.
const BLOCK: usize = 64;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Repeats<'t> {
    tokens: &'t [u64],
    /// A gram that reaches farther than this has wasted questions.
    patience: usize,
    n_wasted: usize,
    /// For each place, one more than the place of the same token before it; 0 if there is none.
    before: Vec<u32>,
    /// The smallest of each block; a block that is not full has none.
    least: Vec<u32>,
}

impl<'t> Repeats<'t> {
    /// For grams that may span so many tokens, of which most span a small part.
    pub(super) fn new(tokens: &'t [u64], span: usize) -> Repeats<'t> {
        let (before, least) = (Vec::new(), Vec::new());
        Repeats { tokens, patience: (span / 4).max(1), n_wasted: 0, before, least }
    }

    /// The text.
    pub(super) fn tokens(&self) -> &'t [u64] {
        self.tokens
    }

    /// How far a gram may reach before its questions count as wasted.
    pub(super) fn patience(&self) -> usize {
        self.patience
    }

    /// Notes that a gram reached so far; makes the index if that is worth it by now.
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
        // A place of more than 32 bits counts as none: its token is asked about again.
        let places = (1..).map(|place: usize| u32::try_from(place).unwrap_or(0));
        let before = |(&token, place): (&u64, u32)| last.insert(token, place).unwrap_or(0);
        self.before = self.tokens.iter().zip(places).map(before).collect();
        let least = |block: &[u32]| block.iter().copied().min().unwrap_or(0);
        self.least = self.before.chunks_exact(BLOCK).map(least).collect();
    }

    /// The first place from `at` on and before `end` whose token has not come since the one at `taken`, which
    /// is before `at`; or `end`.
    #[inline]
    pub(super) fn next(&self, mut at: usize, end: usize, taken: usize) -> usize {
        if self.before.is_empty() {
            return at.min(end);
        }
        let is_new = |before: u32| before as usize <= taken + 1;
        while at < end {
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

    /// From the definition.
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
    fn the_index_is_made_when_it_pays() {
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
