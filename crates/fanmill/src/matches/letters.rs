//! Texts of one letter a token, for tests: what is found in them from their grams on.

use crate::fingerprint::Recipe;
use crate::matches::{Extension, Seeds, SharedSeeds, Table, TableOf, maximal_matches};
use crate::select::{Selector, Thresholds};
use fanmill_text::frontend::Kind;
use fanmill_text::span::Span;
use fanmill_text::token::{Stream, Symbol, Token};

/// One letter a token; a `|` stands between documents.
pub(super) fn stream(text: impl AsRef<[u8]>) -> Stream {
    let mut stream = Stream::default();
    for (document, letters) in text.as_ref().split(|&b| b == b'|').enumerate() {
        stream.push(document, Kind::Code, |tokens| {
            for &letter in letters {
                let symbol = Symbol::spelled(&[letter]);
                tokens.push(Token { symbol, name: symbol, span: Span::default() });
            }
        });
    }
    stream
}

/// All grams of `k` letters.
pub(super) fn seeds(stream: &Stream, k: usize) -> Seeds {
    let thresholds = Thresholds::new(k as u32, k as u32).expect("ordered");
    let recipe = Recipe { kind: Kind::Code, thresholds, selector: Selector::All };
    Seeds::new(stream, &recipe, |_| true)
}

/// The matches that grow from shared grams of `k` letters.
pub(super) fn from_seeds(a: &Stream, b: &Stream, k: usize) -> Extension {
    let (seeds_a, seeds_b) = (seeds(a, k), seeds(b, k));
    let tokens = (&a.tokens.symbols[..], &b.tokens.symbols[..]);
    let table = Table::new(&seeds_a);
    let shared = SharedSeeds::of(&table, TableOf::A, &seeds_b, Some(tokens));
    maximal_matches(tokens.0, tokens.1, shared)
}
