//! A submission's tokens: its documents' one after another, with a break between.

use std::ops::Range;

use crate::span::Span;
use crate::token::{Kind, Symbol, Token, Tokens};

/// The tokens of all documents of a submission in one sequence.
///
/// Between two documents stands a [`Symbol::BREAK`], so that no gram and no match crosses from
/// one file to another, while a passage is found wherever it was moved to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    /// Breaks included.
    pub tokens: Tokens,
    /// The documents, in order; a document without tokens has an empty range.
    pub documents: Vec<DocumentTokens>,
}

/// Where the tokens of one document stand in its submission's stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentTokens {
    /// The tokens, without the breaks around them.
    pub range: Range<usize>,
    /// Which thresholds they are measured by.
    pub kind: Kind,
    /// Which document of the submission they are from; a notebook gives one entry a cell.
    pub document: usize,
}

impl Stream {
    /// Appends the tokens of one document, which `fill` appends to the stream's; returns how many.
    pub fn push(&mut self, document: usize, kind: Kind, fill: impl FnOnce(&mut Tokens)) -> usize {
        if !self.tokens.is_empty() {
            self.tokens.push(Token {
                symbol: Symbol::BREAK,
                name: Symbol::BREAK,
                span: Span::default(),
            });
        }
        let start = self.tokens.len();
        fill(&mut self.tokens);
        let range = start..self.tokens.len();
        self.documents.push(DocumentTokens { range: range.clone(), kind, document });
        range.len()
    }

    /// The documents of one kind, as ranges of tokens.
    pub fn ranges(&self, kind: Kind) -> impl Iterator<Item = Range<usize>> + '_ {
        self.documents.iter().filter(move |document| document.kind == kind).map(|d| d.range.clone())
    }

    /// The index in `documents` of the part that holds `token`, which is not a break.
    pub fn part_of(&self, token: usize) -> usize {
        self.documents.partition_point(|document| document.range.end <= token)
    }

    /// Number of tokens that are not breaks.
    pub fn n_tokens(&self) -> usize {
        self.documents.iter().map(|document| document.range.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(text: &str, tokens: &mut Tokens) {
        for (at, byte) in (0..).zip(text.bytes()) {
            let symbol = Symbol::spelled(&[byte]);
            tokens.push(Token { symbol, name: symbol, span: Span::new(at, at + 1) });
        }
    }

    #[test]
    fn documents_are_kept_apart() {
        let mut stream = Stream::default();
        stream.push(0, Kind::Code, |tokens| spell("abc", tokens));
        stream.push(1, Kind::Words, |tokens| spell("", tokens));
        stream.push(2, Kind::Code, |tokens| spell("de", tokens));
        let breaks =
            stream.tokens.symbols.iter().filter(|&&symbol| symbol == Symbol::BREAK).count();
        assert_eq!((stream.n_tokens(), breaks), (5, 2));
        assert_eq!(stream.ranges(Kind::Code).collect::<Vec<_>>(), [0..3, 5..7]);
        assert_eq!([stream.part_of(0), stream.part_of(2), stream.part_of(5)], [0, 0, 2]);
    }
}
