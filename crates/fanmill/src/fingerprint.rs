//! Fingerprints: the selected grams of a submission, and the recipe that makes them.

use crate::select::{Selector, Thresholds};
use fanmill_text::error::{Error, Result};
use fanmill_text::frontend::Kind;
use fanmill_text::gram;
use fanmill_text::message;
use fanmill_text::scheme::{FrontEndVersion, Scheme};
use fanmill_text::token::{Stream, Symbol};

/// A selected gram: its value, and its place in its submission's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    /// Hash of the gram's symbols and their kind.
    pub hash: u64,
    /// Index of the gram's first token.
    pub at: u32,
}

/// The recipe for fingerprinting documents of one kind: kind, thresholds and selector.
///
/// Together with the front ends that made the tokens it is a [scheme](Recipe::scheme), and only fingerprints of one
/// scheme may be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The kind of documents, and so of tokens.
    pub kind: Kind,
    /// Noise and guarantee.
    pub thresholds: Thresholds,
    /// The selector of the grams that are kept.
    pub selector: Selector,
}

/// The hash of grams: XXH3 of 64-bit symbols. Earlier symbols had 32 bits.
const HASH: &str = "xxh3@2";

impl Recipe {
    /// Returns the scheme that is stored beside fingerprints: `code:java@1/k=12,t=20/roc(r=3)/xxh3@2`.
    pub fn scheme(&self, front_ends: impl IntoIterator<Item = FrontEndVersion>) -> Scheme {
        let steps = [self.thresholds.to_string(), self.selector.to_string(), HASH.to_owned()];
        Scheme::new(self.kind.to_string(), front_ends, steps)
    }

    /// Reads the recipe from a scheme.
    ///
    /// # Errors
    /// If it is a scheme of other values, or of fingerprints that this release does not make.
    pub fn from_scheme(scheme: &Scheme) -> Result<Recipe> {
        let example = "code:java@1/k=11,t=24/roc(r=2)/xxh3@2";
        let Ok(kind) = scheme.domain().parse() else {
            return Err(Error::input(format!(
                "`{scheme}` is not a scheme of fingerprints; one looks like `{example}`"
            )));
        };
        let [thresholds, selector, hash] = scheme.steps_of(example)?;
        if hash != HASH {
            return Err(Error::input(format!(
                "fingerprints of scheme `{scheme}` are hashed by `{hash}`, and this release makes `{HASH}`; make \
                 them again from the texts"
            )));
        }
        // A stored scheme is an input, whoever reads it, so the error is one of an input.
        let stored = |error: Error| Error::input(message!["scheme `{scheme}`: ", error]);
        let thresholds = thresholds.parse().map_err(stored)?;
        let recipe = Recipe { kind, thresholds, selector: selector.parse().map_err(stored)? };
        // A selector's bare name implies a number that the next release may choose differently.
        if recipe.scheme(scheme.front_ends().iter().cloned()) != *scheme {
            return Err(Error::input(format!(
                "scheme `{scheme}` does not say what `{selector}` is"
            )));
        }
        Ok(recipe)
    }

    /// Returns the recipe whose fingerprints find candidate pairs.
    ///
    /// Rewritten prose shares few grams, and any may be the one that counts, so all are kept.
    #[must_use]
    pub fn for_candidates(self) -> Recipe {
        match self.kind {
            Kind::Words => Recipe { selector: Selector::All, ..self },
            Kind::Code | Kind::Chars => self,
        }
    }

    /// Returns the number of fingerprints that a submission of `n_tokens` must share with another one to be a
    /// candidate.
    ///
    /// Unrelated prose often shares one short gram, but a run that is longer than noise has two. In a submission so
    /// short that half of it is not longer than noise, one is enough.
    pub fn least_shared(&self, n_tokens: usize) -> u32 {
        let k = self.thresholds.noise();
        let guarantee = self.selector.guarantee(self.thresholds);
        let one_may_do = n_tokens / 2 <= k || guarantee.is_some_and(|guarantee| guarantee <= k);
        if self.kind == Kind::Words && !one_may_do { 2 } else { 1 }
    }

    /// Returns the hash of one gram under this recipe. Grams of different kinds never have the same hash.
    #[inline]
    pub fn hash(&self, symbols: &[Symbol]) -> u64 {
        self.mark(gram::hash(symbols))
    }

    /// Returns the hash under this recipe of a gram that [`gram::hash`] has already hashed.
    #[inline]
    pub fn mark(&self, gram: u64) -> u64 {
        gram ^ salt(self.kind)
    }
}

/// Returns a constant per kind, combined with its hashes by XOR to keep the kinds apart.
fn salt(kind: Kind) -> u64 {
    match kind {
        Kind::Code => 0,
        Kind::Words => 0x6a09_e667_f3bc_c908,
        Kind::Chars => 0xbb67_ae85_84ca_a73b,
    }
}

/// Appends the fingerprints of a submission's documents of the recipe's kind, ascending by position.
///
/// A document shorter than the guarantee has no full window, so all its grams become fingerprints.
pub fn fingerprint(stream: &Stream, recipe: &Recipe, fingerprints: &mut Vec<Fingerprint>) {
    let k = recipe.thresholds.noise();
    let mut positions = Vec::new();
    for range in stream.ranges(recipe.kind) {
        let symbols = &stream.tokens.symbols[range.clone()];
        positions.clear();
        let is_short = symbols.len() < recipe.thresholds.guarantee();
        let selector = if is_short { Selector::All } else { recipe.selector };
        selector.select(symbols, recipe.thresholds, &mut positions);
        fingerprints.extend(positions.iter().map(|&at| Fingerprint {
            hash: recipe.hash(&symbols[at as usize..at as usize + k]),
            at: range.start as u32 + at,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanmill_text::span::Span;
    use fanmill_text::token::Token;

    fn stream(texts: &[&str], kind: Kind) -> Stream {
        let mut stream = Stream::default();
        for (document, text) in texts.iter().enumerate() {
            stream.push(document, kind, |tokens| {
                for (at, byte) in (0..).zip(text.bytes()) {
                    let symbol = Symbol::spelled(&[byte]);
                    tokens.push(Token { symbol, name: symbol, span: Span::new(at, at + 1) });
                }
            });
        }
        stream
    }

    fn recipe(kind: Kind, noise: u32, guarantee: u32) -> Recipe {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        Recipe { kind, thresholds, selector: Selector::roc(noise as usize) }
    }

    fn fingerprints(stream: &Stream, recipe: &Recipe) -> Vec<Fingerprint> {
        let mut fingerprints = Vec::new();
        fingerprint(stream, recipe, &mut fingerprints);
        fingerprints
    }

    #[test]
    fn every_gram_of_a_short_document_is_a_fingerprint() {
        let found = fingerprints(&stream(&["abcdefgh"], Kind::Code), &recipe(Kind::Code, 5, 20));
        assert_eq!(found.iter().map(|f| f.at).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(fingerprints(&stream(&["abcd"], Kind::Code), &recipe(Kind::Code, 5, 20)), []);
    }

    #[test]
    fn positions_count_on_from_document_to_document() {
        let found = fingerprints(&stream(&["abc", "abc"], Kind::Code), &recipe(Kind::Code, 2, 2));
        assert_eq!(found.iter().map(|f| f.at).collect::<Vec<_>>(), [0, 1, 4, 5]);
        assert_eq!(found[0].hash, found[2].hash);
    }

    #[test]
    fn kinds_never_share_a_fingerprint() {
        let code = fingerprints(&stream(&["abcdef"], Kind::Code), &recipe(Kind::Code, 3, 3));
        let words = fingerprints(&stream(&["abcdef"], Kind::Words), &recipe(Kind::Words, 3, 3));
        assert!(code.iter().all(|f| words.iter().all(|g| f.hash != g.hash)));
    }

    #[test]
    fn a_recipe_is_read_from_its_scheme() {
        let recipe = recipe(Kind::Code, 12, 20);
        let scheme =
            recipe.scheme([FrontEndVersion::new("python", 1), FrontEndVersion::new("java", 1)]);
        assert_eq!(scheme.to_string(), "code:java@1+python@1/k=12,t=20/roc(r=3)/xxh3@2");
        assert_eq!(Recipe::from_scheme(&scheme).expect("its own"), recipe);
        for wrong in [
            "corpus:runs@1/k=5/rarest",
            "sift:words@1/slide(l=6)/mod(s=1)/siphash13/key=9fb0c7b57afce0ba",
            "code:java@1/k=12,t=20/roc(r=3)/xxh3@1",
            "code:java@1/k=12,t=8/roc(r=3)/xxh3@2",
            "code:java@1/t=20,k=12/roc(r=3)/xxh3@2",
            "code:java@1/k=012,t=20/roc(r=3)/xxh3@2",
            "code:java@1/k=12,t=20/roc/xxh3@2",
            "prose:java@1/k=12,t=20/roc(r=3)/xxh3@2",
        ] {
            let scheme: Scheme = wrong.parse().expect("a scheme");
            let error = Recipe::from_scheme(&scheme).expect_err(wrong);
            assert!(error.is_input() && error.to_string().contains(wrong), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_scheme_is_said() {
        let error = |text: &str| {
            let scheme: Scheme = text.parse().expect("a scheme");
            Recipe::from_scheme(&scheme).expect_err("wrong").to_string()
        };
        let other = error("sift:words@1/slide(l=6)/mod(s=1)/xxh3@1");
        assert!(other.contains("is not a scheme of fingerprints"), "{other}");
        let older = error("code:java@1/k=12,t=20/roc(r=3)/xxh3@1");
        assert!(older.contains("hashed by `xxh3@1`"), "{older}");
        let selector = error("code:java@1/k=12,t=20/rocks/xxh3@2");
        assert!(selector.contains("unknown selector `rocks`"), "{selector}");
    }
}
