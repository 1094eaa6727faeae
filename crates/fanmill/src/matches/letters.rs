//! Texts of one letter a token, for tests: what is found in them from their grams on.

use crate::fingerprint::Recipe;
use crate::frontend::Kind;
use crate::matches::{Extension, Seeds, SharedSeeds, Table, maximal_matches};
use crate::select::{Selector, Thresholds};
use crate::span::Span;
use crate::token::{Stream, Symbol, Token};

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

/// The matches that grow from shared grams of `k` letters.
pub(super) fn from_seeds(a: &Stream, b: &Stream, k: usize) -> Extension {
    let thresholds = Thresholds::new(k as u32, k as u32).expect("ordered");
    let recipe = Recipe { kind: Kind::Code, thresholds, selector: Selector::All };
    let seeds = |stream| Seeds::new(stream, &recipe, |_| true);
    let shared = SharedSeeds::new(&Table::new(&seeds(a)), &seeds(b));
    maximal_matches(&a.tokens.symbols, &b.tokens.symbols, shared)
}
