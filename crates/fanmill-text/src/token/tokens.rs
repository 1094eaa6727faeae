//! The token stream of one document.

use crate::span::Span;
use crate::token::Symbol;

/// One token, as a front end emits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What matches: a class for identifiers and literals, the spelling for the rest.
    pub symbol: Symbol,
    /// The spelling itself, folded, whatever the class: names kept.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// What of tokens is kept: each thing that is left out saves 8 bytes a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Columns {
    /// Symbols, names and spans.
    #[default]
    All,
    /// Symbols.
    Symbols,
    /// Names.
    Names,
    /// Symbols and names.
    Spelled,
    /// Symbols and spans.
    Placed,
    /// Spans in the folded text, instead of in the original.
    Folded,
}

impl Columns {
    fn has_symbols(self) -> bool {
        matches!(self, Columns::All | Columns::Symbols | Columns::Spelled | Columns::Placed)
    }

    fn has_names(self) -> bool {
        matches!(self, Columns::All | Columns::Names | Columns::Spelled)
    }

    fn has_spans(self) -> bool {
        self.has_places() || self == Columns::Folded
    }

    /// Whether all that is asked for is kept here.
    pub fn has(self, wanted: Columns) -> bool {
        let needs = |wanted: bool, has: bool| has || !wanted;
        needs(wanted.has_symbols(), self.has_symbols())
            && needs(wanted.has_names(), self.has_names())
            && (!wanted.has_spans() || self == wanted)
    }

    /// Whether spans in the original are kept.
    pub fn has_places(self) -> bool {
        matches!(self, Columns::All | Columns::Placed)
    }
}

/// A document as parallel arrays of symbols, names and spans, in document order.
///
/// All three have the same length, but for [`Columns`] that nobody asked for, which are empty; spans
/// ascend and do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    /// What matches ([`Token::symbol`]).
    pub symbols: Vec<Symbol>,
    /// The folded spelling of each ([`Token::name`]).
    pub names: Vec<Symbol>,
    /// Where each stands.
    pub spans: Vec<Span>,
}

impl Tokens {
    /// An empty stream with room for `capacity` tokens.
    pub fn with_capacity(capacity: usize) -> Tokens {
        Tokens {
            symbols: Vec::with_capacity(capacity),
            names: Vec::with_capacity(capacity),
            spans: Vec::with_capacity(capacity),
        }
    }

    /// Appends one token.
    #[inline]
    pub fn push(&mut self, token: Token) {
        self.symbols.push(token.symbol);
        self.names.push(token.name);
        self.spans.push(token.span);
    }

    /// Appends some columns of other tokens.
    pub fn append(&mut self, other: &Tokens, columns: Columns) {
        if columns.has_symbols() {
            self.symbols.extend_from_slice(&other.symbols);
        }
        if columns.has_names() {
            self.names.extend_from_slice(&other.names);
        }
        if columns.has_spans() {
            self.spans.extend_from_slice(&other.spans);
        }
    }

    /// Takes off the tokens from `at` on.
    #[must_use]
    pub fn split_off(&mut self, at: usize) -> Tokens {
        Tokens {
            symbols: self.symbols.split_off(at),
            names: self.names.split_off(at),
            spans: self.spans.split_off(at),
        }
    }

    /// Removes all tokens and keeps the room, for the next document.
    pub fn clear(&mut self) {
        self.symbols.clear();
        self.names.clear();
        self.spans.clear();
    }

    /// Gives back room that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.symbols.shrink_to_fit();
        self.names.shrink_to_fit();
        self.spans.shrink_to_fit();
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.symbols.len().max(self.names.len()).max(self.spans.len())
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
