//! Texts with one letter per token, for tests, and the seeds and matches found in them.

use crate::fingerprint::Recipe;
use crate::matches::{Extension, SeedTexts, Seeds, SharedSeeds, Table, TableOf, maximal_matches};
use crate::select::{Selector, Thresholds};
use fanmill_text::frontend::Kind;
use fanmill_text::span::Span;
use fanmill_text::token::{Stream, Symbol, Token};

/// Makes a token of each letter; a `|` separates documents.
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

/// Returns all grams of `k` letters.
pub(super) fn seeds(stream: &Stream, k: usize) -> Seeds {
    let thresholds = Thresholds::new(k as u32, k as u32).expect("ordered");
    let recipe = Recipe { kind: Kind::Code, thresholds, selector: Selector::All };
    Seeds::new(stream, &recipe, |_| true)
}

/// Returns the matches extended from shared grams of `k` letters.
pub(super) fn from_seeds(a: &Stream, b: &Stream, k: usize) -> Extension {
    let (seeds_a, seeds_b) = (seeds(a, k), seeds(b, k));
    let (a, b) = (&a.tokens.symbols[..], &b.tokens.symbols[..]);
    let table = Table::new(&seeds_a);
    let texts = SeedTexts { a, b, is_whole: true, guarantee: usize::MAX };
    maximal_matches(a, b, SharedSeeds::new(&table, TableOf::A, &seeds_b, texts))
}
