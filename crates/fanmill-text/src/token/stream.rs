//! A submission's tokens: those of its documents one after another, with a break between.

use std::ops::Range;

use crate::span::Span;
use crate::token::{Columns, Kind, Symbol, Token, Tokens};

/// The tokens of all documents of a submission in one sequence.
///
/// A [`Symbol::BREAK`] separates two documents, so that no gram and no match crosses from one file to another, while a
/// passage is found wherever it was moved to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    /// The tokens, including breaks.
    pub tokens: Tokens,
    /// The places of its documents.
    pub outline: Outline,
    columns: Columns,
}

/// The places of a submission's documents in its stream, which need not be in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The documents, in order; a document without tokens has an empty range.
    pub documents: Vec<DocumentTokens>,
}

/// The place of one document's tokens in its submission's stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentTokens {
    /// The tokens, without the breaks around them.
    pub range: Range<usize>,
    /// The kind of tokens, which decides on the thresholds.
    pub kind: Kind,
    /// Number of the document in the submission; a notebook gives one entry per cell, a page two.
    pub document: usize,
}

impl Stream {
    /// Creates a stream that keeps only some columns.
    pub fn from_columns(columns: Columns) -> Stream {
        Stream { columns, ..Stream::default() }
    }

    /// Returns the columns that it keeps.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// Appends one document, whose tokens `fill` appends to an empty list; returns their number.
    pub fn push(&mut self, document: usize, kind: Kind, fill: impl FnOnce(&mut Tokens)) -> usize {
        let mut tokens = Tokens::default();
        fill(&mut tokens);
        self.begin();
        self.append(&tokens);
        self.end(document, kind, |_| ())
    }

    /// Begins a document; its tokens are then [appended](Stream::append) part by part.
    pub fn begin(&mut self) {
        if self.outline.next_start() > 0 {
            let symbol = Symbol::BREAK;
            let mut end = Tokens::default();
            end.push(Token { symbol, name: symbol, span: Span::default() });
            self.append(&end);
        }
    }

    /// Appends tokens to the document that was begun.
    pub fn append(&mut self, part: &Tokens) {
        self.tokens.append(part, self.columns);
    }

    /// Ends the document that was begun; returns its number of tokens. `place` converts its spans to those of the
    /// original, and is called only if such spans are kept.
    pub fn end(&mut self, document: usize, kind: Kind, place: impl FnOnce(&mut [Span])) -> usize {
        let start = self.outline.next_start();
        if self.columns.has_places() {
            place(&mut self.tokens.spans[start..]);
        }
        let n_tokens = self.tokens.len() - start;
        self.outline.push(document, kind, n_tokens);
        n_tokens
    }

    /// Returns the documents of one kind, as ranges of tokens.
    pub fn ranges(&self, kind: Kind) -> impl Iterator<Item = Range<usize>> + '_ {
        self.outline.ranges(kind)
    }
}

impl Outline {
    /// Appends a document of `n_tokens` tokens.
    pub fn push(&mut self, document: usize, kind: Kind, n_tokens: usize) {
        let start = self.next_start();
        self.documents.push(DocumentTokens { range: start..start + n_tokens, kind, document });
    }

    /// Returns the place of the next document's first token: after a break, if there are tokens before it.
    pub fn next_start(&self) -> usize {
        let end = self.documents.last().map_or(0, |document| document.range.end);
        end + usize::from(end > 0)
    }

    /// Returns the documents of one kind, as ranges of tokens.
    pub fn ranges(&self, kind: Kind) -> impl Iterator<Item = Range<usize>> + '_ {
        self.documents.iter().filter(move |document| document.kind == kind).map(|d| d.range.clone())
    }

    /// Returns the number of tokens in the documents of one kind.
    pub fn n_tokens_of(&self, kind: Kind) -> usize {
        self.ranges(kind).map(|range| range.len()).sum()
    }

    /// Returns the index in `documents` of the part that holds `token`, which must not be a break.
    pub fn part_of(&self, token: usize) -> usize {
        self.documents.partition_point(|document| document.range.end <= token)
    }

    /// Returns the number of tokens that are not breaks.
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
            let mut stream = Stream::from_columns(columns);
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
