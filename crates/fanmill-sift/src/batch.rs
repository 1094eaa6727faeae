//! Batches of eight grams that are hashed together: most of the work of sifting is hashing grams.
//!
//! Cost: a copy of each token to its lane, and an eighth of the rounds of a hash where the processor has AVX-512.

use super::key::Prf;
use fanmill_kernel::{LANES, Lanes};

/// Grams of one length that wait until there are eight.
pub(crate) struct Batch<'p, F: FnMut(u64)> {
    prf: &'p Prf,
    /// The first token of each gram, then the second one of each, and so on.
    tokens: Vec<Lanes>,
    n_grams: usize,
    take: F,
}

impl<'p, F: FnMut(u64)> Batch<'p, F> {
    /// Creates a batch for grams of `length` tokens, whose values are passed to `take`.
    pub(crate) fn new(prf: &'p Prf, length: usize, take: F) -> Batch<'p, F> {
        Batch { prf, tokens: vec![[0; LANES]; length], n_grams: 0, take }
    }

    /// Adds a gram.
    #[inline]
    pub(crate) fn push(&mut self, gram: &[u64]) {
        debug_assert_eq!(gram.len(), self.tokens.len(), "of one length");
        for (lanes, &token) in self.tokens.iter_mut().zip(gram) {
            lanes[self.n_grams] = token;
        }
        self.n_grams += 1;
        if self.n_grams == LANES {
            self.hash();
        }
    }

    /// Adds every `length` consecutive tokens. There must be no other gram yet.
    #[inline]
    pub(crate) fn slide(&mut self, tokens: &[u64]) {
        let length = self.tokens.len();
        let n_grams = (tokens.len() + 1).saturating_sub(length);
        let n_whole = n_grams - n_grams % LANES;
        for first in (0..n_whole).step_by(LANES) {
            let windows = tokens[first..first + LANES + length - 1].windows(LANES);
            for (lanes, window) in self.tokens.iter_mut().zip(windows) {
                lanes.copy_from_slice(window);
            }
            self.n_grams = LANES;
            self.hash();
        }
        for first in n_whole..n_grams {
            self.push(&tokens[first..first + length]);
        }
    }

    /// Hashes the grams that are left.
    pub(crate) fn finish(mut self) {
        self.hash();
    }

    fn hash(&mut self) {
        if self.n_grams > 0 {
            let values = self.prf.grams(&self.tokens);
            values[..self.n_grams].iter().for_each(|&value| (self.take)(value));
            self.n_grams = 0;
        }
    }
}
