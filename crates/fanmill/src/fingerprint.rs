//! Fingerprints: the selected grams of a submission, and the scheme that made them.

use std::fmt;

use crate::frontend::Kind;
use crate::gram;
use crate::select::{Selector, Thresholds};
use crate::token::{Stream, Symbol};

/// A selected gram: its value, and where it starts in its submission's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    /// Hash of the gram's symbols and their kind.
    pub hash: u64,
    /// Index of the gram's first token.
    pub at: u32,
}

/// How documents of one kind are fingerprinted: kind, thresholds and selector.
///
/// Two sets of fingerprints may be compared only if their schemes are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scheme {
    /// The kind of documents, and so of tokens.
    pub kind: Kind,
    /// Noise and guarantee.
    pub thresholds: Thresholds,
    /// Which grams are kept.
    pub selector: Selector,
}

impl Scheme {
    /// The hash of one gram under this scheme. Grams of different kinds never have the same hash.
    #[inline]
    pub fn hash(&self, symbols: &[Symbol]) -> u64 {
        self.mark(gram::hash(symbols))
    }

    /// The hash under this scheme of a gram that [`gram::hash`] has hashed already.
    #[inline]
    pub fn mark(&self, gram: u64) -> u64 {
        gram ^ salt(self.kind)
    }
}

impl fmt::Display for Scheme {
    /// The canonical form: `code/k=12,t=20/roc(r=3)/xxh3@2`. The last part says how grams are hashed:
    /// XXH3 of 64-bit symbols. In version 1, symbols had 32 bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (k, t) = (self.thresholds.noise(), self.thresholds.guarantee());
        write!(f, "{}/k={k},t={t}/{}/xxh3@2", self.kind, self.selector)
    }
}

/// A constant per kind, combined with its hashes by XOR to keep the kinds apart.
fn salt(kind: Kind) -> u64 {
    match kind {
        Kind::Code => 0,
        Kind::Words => 0x6a09_e667_f3bc_c908,
        Kind::Chars => 0xbb67_ae85_84ca_a73b,
    }
}

/// Appends the fingerprints of a submission's documents of the scheme's kind, ascending by position.
///
/// A document shorter than the guarantee has no full window, so all its grams become fingerprints.
pub fn fingerprint(stream: &Stream, scheme: &Scheme, fingerprints: &mut Vec<Fingerprint>) {
    let k = scheme.thresholds.noise();
    let mut positions = Vec::new();
    for range in stream.ranges(scheme.kind) {
        let symbols = &stream.tokens.symbols[range.clone()];
        positions.clear();
        let is_short = symbols.len() < scheme.thresholds.guarantee();
        let selector = if is_short { Selector::All } else { scheme.selector };
        selector.select(symbols, scheme.thresholds, &mut positions);
        fingerprints.extend(positions.iter().map(|&at| Fingerprint {
            hash: scheme.hash(&symbols[at as usize..at as usize + k]),
            at: range.start as u32 + at,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;
    use crate::token::Token;

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

    fn scheme(kind: Kind, noise: u32, guarantee: u32) -> Scheme {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        Scheme { kind, thresholds, selector: Selector::roc(noise as usize) }
    }

    fn fingerprints(stream: &Stream, scheme: &Scheme) -> Vec<Fingerprint> {
        let mut fingerprints = Vec::new();
        fingerprint(stream, scheme, &mut fingerprints);
        fingerprints
    }

    #[test]
    fn every_gram_of_a_short_document_is_a_fingerprint() {
        let found = fingerprints(&stream(&["abcdefgh"], Kind::Code), &scheme(Kind::Code, 5, 20));
        assert_eq!(found.iter().map(|f| f.at).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(fingerprints(&stream(&["abcd"], Kind::Code), &scheme(Kind::Code, 5, 20)), []);
    }

    #[test]
    fn positions_count_on_from_document_to_document() {
        let found = fingerprints(&stream(&["abc", "abc"], Kind::Code), &scheme(Kind::Code, 2, 2));
        assert_eq!(found.iter().map(|f| f.at).collect::<Vec<_>>(), [0, 1, 4, 5]);
        assert_eq!(found[0].hash, found[2].hash);
    }

    #[test]
    fn kinds_never_share_a_fingerprint() {
        let code = fingerprints(&stream(&["abcdef"], Kind::Code), &scheme(Kind::Code, 3, 3));
        let words = fingerprints(&stream(&["abcdef"], Kind::Words), &scheme(Kind::Words, 3, 3));
        assert!(code.iter().all(|f| words.iter().all(|g| f.hash != g.hash)));
    }

    #[test]
    fn the_canonical_form_names_everything() {
        assert_eq!(scheme(Kind::Code, 12, 20).to_string(), "code/k=12,t=20/roc(r=3)/xxh3@2");
    }
}
