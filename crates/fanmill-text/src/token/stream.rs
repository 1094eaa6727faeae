//! A submission's tokens: its documents' one after another, with a break between.

use std::ops::Range;

use crate::span::Span;
use crate::token::{Columns, Kind, Symbol, Token, Tokens};

/// The tokens of all documents of a submission in one sequence.
///
/// Between two documents stands a [`Symbol::BREAK`], so that no gram and no match crosses from
/// one file to another, while a passage is found wherever it was moved to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    /// Breaks included.
    pub tokens: Tokens,
    /// Where its documents stand.
    pub outline: Outline,
    columns: Columns,
}

/// Where the documents of a submission stand in its stream, which need not be in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
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
    /// Which document of the submission they are from; a notebook gives one entry a cell, a page two.
    pub document: usize,
}

impl Stream {
    /// A stream that keeps only some columns.
    pub fn of(columns: Columns) -> Stream {
        Stream { columns, ..Stream::default() }
    }

    /// The columns that it keeps.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// Appends the tokens of one document, which `fill` appends to none; returns how many.
    pub fn push(&mut self, document: usize, kind: Kind, fill: impl FnOnce(&mut Tokens)) -> usize {
        let mut tokens = Tokens::default();
        fill(&mut tokens);
        self.begin();
        self.append(&tokens);
        self.end(document, kind, |_| ())
    }

    /// Begins a document, whose tokens are [appended](Stream::append) part by part.
    pub fn begin(&mut self) {
        if self.outline.next_start() > 0 {
            let symbol = Symbol::BREAK;
            let mut end = Tokens::default();
            end.push(Token { symbol, name: symbol, span: Span::default() });
            self.append(&end);
        }
    }

    /// Appends tokens of the document that was begun.
    pub fn append(&mut self, part: &Tokens) {
        self.tokens.append(part, self.columns);
    }

    /// Ends the document that was begun; returns its number of tokens. `place` moves its spans to the
    /// original, if that is where they are wanted.
    pub fn end(&mut self, document: usize, kind: Kind, place: impl FnOnce(&mut [Span])) -> usize {
        let start = self.outline.next_start();
        if self.columns.has_places() {
            place(&mut self.tokens.spans[start..]);
        }
        let n_tokens = self.tokens.len() - start;
        self.outline.push(document, kind, n_tokens);
        n_tokens
    }

    /// The documents of one kind, as ranges of tokens.
    pub fn ranges(&self, kind: Kind) -> impl Iterator<Item = Range<usize>> + '_ {
        self.outline.ranges(kind)
    }
}

impl Outline {
    /// Appends a document of so many tokens.
    pub fn push(&mut self, document: usize, kind: Kind, n_tokens: usize) {
        let start = self.next_start();
        self.documents.push(DocumentTokens { range: start..start + n_tokens, kind, document });
    }

    /// Where the first token of the next document will stand: after a break, if there are tokens before it.
    pub fn next_start(&self) -> usize {
        let end = self.documents.last().map_or(0, |document| document.range.end);
        end + usize::from(end > 0)
    }

    /// The documents of one kind, as ranges of tokens.
    pub fn ranges(&self, kind: Kind) -> impl Iterator<Item = Range<usize>> + '_ {
        self.documents.iter().filter(move |document| document.kind == kind).map(|d| d.range.clone())
    }

    /// The tokens of the documents of one kind.
    pub fn n_tokens_of(&self, kind: Kind) -> usize {
        self.ranges(kind).map(|range| range.len()).sum()
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
        assert_eq!((stream.outline.n_tokens(), breaks), (5, 2));
        assert_eq!(stream.ranges(Kind::Code).collect::<Vec<_>>(), [0..3, 5..7]);
        assert_eq!([0, 2, 5].map(|token| stream.outline.part_of(token)), [0, 0, 2]);
    }

    #[test]
    fn columns_that_are_kept_are_those_of_the_whole() {
        let fill = |columns| {
            let mut stream = Stream::of(columns);
            for (document, text) in ["", "abc", "", "de"].into_iter().enumerate() {
                stream.push(document, Kind::Code, |tokens| spell(text, tokens));
            }
            stream
        };
        let whole = fill(Columns::All);
        assert_eq!(whole.outline.documents[3].range, 5..7, "abc and two breaks stand before de");
        let some =
            [Columns::Symbols, Columns::Names, Columns::Spelled, Columns::Placed, Columns::Folded];
        for columns in some {
            let Stream { tokens, outline, .. } = fill(columns);
            assert_eq!((&outline, tokens.len()), (&whole.outline, whole.tokens.len()));
            assert!(tokens.symbols.is_empty() || tokens.symbols == whole.tokens.symbols);
            assert!(tokens.names.is_empty() || tokens.names == whole.tokens.names);
            assert!(tokens.spans.is_empty() || tokens.spans == whole.tokens.spans);
        }
    }
}
