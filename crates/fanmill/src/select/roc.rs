//! ROC (robust open-closed mod winnowing): winnowing's guarantee with fewer fingerprints.
//!
//! Winnowing treats a gram as one opaque number. But neighbouring grams overlap, so it pays to look
//! *inside* them: a gram whose smallest `r`-gram is in its middle stays the best choice for longest,
//! then one whose smallest `r`-gram is at either end. In steps, for symbols `s` and an order hash `h`
//! of the `r` symbols from a position on:
//!
//! 1. `t = r + (k - r) mod w` symbols make a *t-gram* (`t = k` unless `k` is far above `w`);
//! 2. `off(i)`: the place of the smallest `r`-gram in the t-gram at `i`, leftmost on a tie;
//! 3. `tier(i)`: 0 if `off` is the middle, 1 if it is first or last, else 2;
//! 4. every window of `w` grams, that is of `w + k - t` t-grams, takes the smallest
//!    `(tier, h of the middle r-gram)`, rightmost on a tie, at distance `x` from its start;
//!    its choice is the gram at distance `x mod w`;
//! 5. *robust*: the previous choice is kept while it is in the window and its gram has the same
//!    content as the window's own choice.
//!
//! Step 4 looks only at the window's `w + k - 1` symbols, and step 5 only replaces a gram
//! by an equal one. Hence two documents that share a run of `w + k - 1` tokens share the value of a
//! fingerprint from it, at places that differ by less than `w`; nothing shorter than `k` matches.
//!
//! Cost: O(n log(w + k)) time at worst, in loops over blocks that fit the first-level cache (unless a window is larger
//! than that), and O(w + k) memory. Order hashes and keys are computed for many grams at once. Where windows are much
//! wider than t-grams, only the keys of tier 0 are computed, and others only where these are missing. Keeps 10 to
//! 35 % fewer grams than winnowing at the same guarantee, depending on `k` and `w` (a test checks three densities on
//! random text), and one in `w` on constant text.
//!
//! Source: open-closed mod-minimizers by Groot Koerkamp, Liu & Pibiri, Algorithms for Molecular
//! Biology 20:4 (2025). Departs from it: ties inside a tier go by the hash of the middle `r`-gram
//! instead of the whole gram's, which needs no second rolling hash and keeps as few; and step 5,
//! which extends robust winnowing (Schleimer, Wilkerson & Aiken 2003, Definition 3) to any local rule.

use std::ops::Range;

use super::local::{BLOCK, Chooser, LocalRule};
use super::sliding;
use fanmill_kernel::{KeyScratch, LEAST_PARTS, MinQueue, OpenScratch, open_closed_keys, open_keys};

/// The lengths that ROC works with, derived from `k`, `w` and `r`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roc {
    k: usize,
    w: usize,
    r: usize,
    /// Number of symbols in a t-gram.
    t: usize,
}

impl Roc {
    /// Derives the lengths for grams of `k` symbols, windows of `w` grams and an order by `r`-grams.
    ///
    /// If `r` is above `k`, `k` is used instead. None of them may be empty, so 0 is taken as 1.
    pub fn new(k: usize, w: usize, r: usize) -> Roc {
        let (k, w) = (k.max(1), w.max(1));
        let r = r.clamp(1, k);
        Roc { k, w, r, t: r + (k - r) % w }
    }

    /// Returns the number of symbols in a gram.
    pub fn k(self) -> usize {
        self.k
    }

    /// Returns the number of symbols in the grams that decide the order: 1 to `k`.
    pub fn r(self) -> usize {
        self.r
    }

    /// Returns the guarantee: the `w + k - 1` symbols that one window covers.
    pub fn guarantee(self) -> usize {
        self.w + self.k - 1
    }

    /// Appends the selected gram positions, ascending, of a document of `n` symbols.
    ///
    /// `order(at, hashes)` writes, for each `i` of the range `at`, the hash of the `r` symbols from `i` on; it is asked
    /// for each at most four times. `content(i)` is the hash of the `k` symbols from `i` on; it is called about once
    /// per fingerprint. Nothing is selected from fewer symbols than the guarantee.
    pub fn select(
        self,
        n: usize,
        order: impl FnMut(Range<usize>, &mut [u32]),
        content: impl Fn(usize) -> u64,
        positions: &mut Vec<u32>,
    ) {
        self.select_with_content(n, order, content, |_, at| positions.push(sliding::position(at)));
    }

    /// Selects grams as [`Self::select`] does, and gives `take` the content and the position of each.
    pub(super) fn select_with_content(
        self,
        n: usize,
        order: impl FnMut(Range<usize>, &mut [u32]),
        content: impl Fn(usize) -> u64,
        take: impl FnMut(u64, usize),
    ) {
        if n < self.guarantee() {
            return;
        }
        // Number of r-grams in a t-gram.
        let inner = self.t - self.r + 1;
        let rule = LocalRule { w: self.w, n_keys: self.w + self.k - self.t };
        let mut keys = Keys::new(inner, order);
        let mut chooser = Chooser::new(rule, content, take);
        let windows = 0..n - self.guarantee() + 1;
        if inner >= LEAST_PARTS && rule.n_keys >= OPEN_PAYS * inner {
            keys.choose(windows, &mut chooser);
        } else {
            chooser.search(windows, |at, all| keys.find_all(at, all));
        }
        chooser.decide();
    }
}

/// Number of t-grams in a window, for each r-gram in a t-gram, from which on windows hardly ever lack a t-gram of tier
/// 0: one gap in a hundred between these is longer.
const OPEN_PAYS: usize = 2;

/// The keys of t-grams: steps 2 and 3.
struct Keys<O> {
    /// Writes the order hashes of a range.
    order: O,
    /// Number of r-grams in a t-gram.
    inner: usize,
    hashes: Vec<u32>,
    room: KeyScratch,
    open_room: OpenScratch,
}

impl<O: FnMut(Range<usize>, &mut [u32])> Keys<O> {
    fn new(inner: usize, order: O) -> Keys<O> {
        let (room, open_room) = (KeyScratch::default(), OpenScratch::default());
        Keys { order, inner, hashes: Vec::new(), room, open_room }
    }

    /// Finds the order hashes from which the keys of a range are made.
    fn hash(&mut self, t_grams: Range<usize>) {
        let at = t_grams.start..t_grams.end + self.inner - 1;
        self.hashes.resize(at.len(), 0);
        (self.order)(at, &mut self.hashes);
    }

    /// Writes the keys of a range.
    fn find_all(&mut self, t_grams: Range<usize>, keys: &mut [u32]) {
        self.hash(t_grams);
        open_closed_keys(&self.hashes, self.inner, &mut self.room, keys);
    }

    /// Takes the choices of all windows if nearly all have a t-gram of tier 0 (step 4). These need no other key. The
    /// keys of windows without such a t-gram are found when they turn up.
    fn choose<C: Fn(usize) -> u64, T: FnMut(u64, usize)>(
        &mut self,
        windows: Range<usize>,
        chooser: &mut Chooser<C, T>,
    ) {
        let n_keys = chooser.rule().n_keys;
        let (mut queue, end) = (MinQueue::new(n_keys), windows.end + n_keys - 1);
        let block = BLOCK.max(self.inner);
        let mut open = Vec::new();
        for start in (windows.start..end).step_by(block) {
            self.hash(start..end.min(start + block));
            open.clear();
            open_keys(&self.hashes, self.inner, &mut self.open_room, &mut open);
            for &(key, at) in &open {
                queue.push(key, start + at, |windows, at| self.take(windows, at, chooser));
            }
        }
        queue.finish(end, |windows, at| self.take(windows, at, chooser));
    }

    /// Takes the next windows. Their smallest key is at `at`, if they have one of tier 0.
    #[inline]
    fn take<C: Fn(usize) -> u64, T: FnMut(u64, usize)>(
        &mut self,
        windows: Range<usize>,
        at: Option<usize>,
        chooser: &mut Chooser<C, T>,
    ) {
        match at {
            Some(at) => chooser.visit(windows, at),
            None => chooser.search(windows, |at, all| self.find_all(at, all)),
        }
    }
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use super::{Roc, sliding};

    /// The naive twin: every window from scratch, by the definition above.
    ///
    /// # Panics
    /// If a document holds 2^32 grams or more.
    pub fn roc(
        n: usize,
        roc: Roc,
        order: impl Fn(usize) -> u32,
        content: impl Fn(usize) -> u64,
    ) -> Vec<u32> {
        let Roc { k, w, r, t } = roc;
        let key_of = |i: usize| {
            let off = (0..=t - r).min_by_key(|&o| (order(i + o), o)).expect("t is at least r");
            let middle = (t - r) / 2;
            let tier = if off == middle {
                0
            } else if off == 0 || off == t - r {
                1
            } else {
                2
            };
            (tier, order(i + middle) >> 2)
        };
        let keys: Vec<(u8, u32)> = (0..(n + 1).saturating_sub(t)).map(key_of).collect();
        let mut positions: Vec<u32> = Vec::new();
        for window in 0..(n + 1).saturating_sub(w + k - 1) {
            // Step 4: the smallest key, rightmost on a tie.
            let t_grams = 0..w + k - t;
            let x =
                t_grams.min_by_key(|&x| (keys[window + x], usize::MAX - x)).expect("w is not 0");
            let choice = window + x % w;
            // Step 5: the robust rule.
            let keep = positions.last().is_some_and(|&previous| {
                previous as usize >= window && content(previous as usize) == content(choice)
            });
            if !keep {
                positions.push(sliding::position(choice));
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::roc as naive;
    use super::*;
    use crate::select::checks;
    use crate::select::local::BLOCK;

    /// Order and content hashes of a byte text, too simple to be wrong.
    fn order(text: &[u8], r: usize) -> impl Fn(usize) -> u32 {
        move |i| xxhash_rust::xxh3::xxh3_64(&text[i..i + r]) as u32
    }

    fn content(text: &[u8], k: usize) -> impl Fn(usize) -> u64 {
        move |i| xxhash_rust::xxh3::xxh3_64(&text[i..i + k])
    }

    fn selected(text: &[u8], k: usize, w: usize, r: usize) -> Vec<u32> {
        let roc = Roc::new(k, w, r);
        let mut positions = Vec::new();
        let order = order(text, roc.r);
        roc.select(
            text.len(),
            |at, out| out.iter_mut().zip(at).for_each(|(hash, i)| *hash = order(i)),
            content(text, k),
            &mut positions,
        );
        positions
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..300),
            proptest::collection::vec(0_u8..2, 0..300),
            proptest::collection::vec(0_u8..4, 0..300),
            (proptest::collection::vec(0_u8..3, 1..8), 0_usize..60)
                .prop_map(|(word, n)| word.repeat(n)),
        ]
    }

    fn random_text(n: usize) -> Vec<u8> {
        let mut state = 11;
        (0..n).map(|_| (checks::split_mix(&mut state) >> 56) as u8).collect()
    }

    #[test]
    fn densities_are_those_published() {
        let text = random_text(400_000);
        for (k, w, r, expected) in [(50, 100, 4, 0.0165), (25, 26, 4, 0.0587), (50, 16, 4, 0.0780)]
        {
            let density = selected(&text, k, w, r).len() as f64 / text.len() as f64;
            assert!((density - expected).abs() < 0.001, "k {k}, w {w}: {density}, not {expected}");
        }
    }

    #[test]
    fn constant_text_is_selected_once_a_window() {
        assert_eq!(selected(&[0; 10_049], 50, 100, 4).len(), 100);
    }

    #[test]
    fn blocks_join_without_a_seam() {
        let text = random_text(3 * BLOCK);
        let roc = Roc::new(12, 9, 3);
        assert_eq!(
            selected(&text, 12, 9, 3),
            naive(text.len(), roc, order(&text, 3), content(&text, 12))
        );
    }

    #[test]
    fn no_symbol_is_ordered_more_than_twice_however_wide_the_window() {
        let text = random_text(300_000);
        for (k, w) in [(5, 1), (5, 3 * BLOCK), (5, 99_996), (1000, 99_001), (200, 40)] {
            let mut n_ordered = 0;
            let order = |at: Range<usize>, out: &mut [u32]| {
                n_ordered += at.len();
                out.iter_mut().zip(at.map(order(&text, 4))).for_each(|(hash, order)| *hash = order);
            };
            Roc::new(k, w, 4).select(text.len(), order, content(&text, k), &mut Vec::new());
            assert!(n_ordered <= 2 * text.len(), "k {k}, w {w}: {n_ordered}");
        }
    }

    /// Texts longer than a block, and windows shorter, as long and longer than one.
    fn beyond_a_block() -> impl Strategy<Value = (Vec<u8>, usize)> {
        let text = |n: std::ops::Range<usize>| {
            prop_oneof![
                proptest::collection::vec(any::<u8>(), n.clone()),
                proptest::collection::vec(0_u8..2, n),
            ]
        };
        prop_oneof![
            (text(BLOCK..4 * BLOCK), 1_usize..60),
            (text(BLOCK..3 * BLOCK), BLOCK - 40..BLOCK + 40),
            (text(2 * BLOCK..3 * BLOCK), BLOCK..2 * BLOCK),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(12)))]

        #[test]
        fn fast_equals_naive_beyond_a_block((text, w) in beyond_a_block(), k in 1_usize..12, r in 1_usize..5) {
            let roc = Roc::new(k, w, r);
            let orders: Vec<u32> = (0..=text.len() - roc.r).map(order(&text, roc.r)).collect();
            let expected = naive(text.len(), roc, |i| orders[i], content(&text, k));
            prop_assert_eq!(selected(&text, k, w, r), expected);
        }
    }

    proptest! {
        #[test]
        fn fast_equals_naive(text in texts(), k in 1_usize..32, w in 1_usize..30, r in 1_usize..5) {
            let roc = Roc::new(k, w, r);
            let expected = naive(text.len(), roc, order(&text, roc.r), content(&text, k));
            prop_assert_eq!(selected(&text, k, w, r), expected);
        }

        #[test]
        fn every_window_holds_a_fingerprint(text in texts(), k in 1_usize..32, w in 1_usize..30, r in 1_usize..5) {
            let n_grams = (text.len() + 1).saturating_sub(k);
            checks::every_window_holds_one(&selected(&text, k, w, r), n_grams, w)?;
        }
    }
}
