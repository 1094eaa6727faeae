//! The token stream of one document.

use crate::span::Span;
use crate::token::Symbol;

/// One token, as a front end emits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The symbol that is matched: a class for identifiers and literals, the spelling for all other tokens.
    pub symbol: Symbol,
    /// The spelling itself, folded, whatever the class, so that names are kept.
    pub name: Symbol,
    /// The bytes that it covers.
    pub span: Span,
}

/// The parts of tokens that are kept: each one left out saves 8 bytes per token.
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

    /// Returns whether all `wanted` columns are kept here.
    pub fn has(self, wanted: Columns) -> bool {
        let needs = |wanted: bool, has: bool| has || !wanted;
        needs(wanted.has_symbols(), self.has_symbols())
            && needs(wanted.has_names(), self.has_names())
            && (!wanted.has_spans() || self == wanted)
    }

    /// Returns whether spans in the original are kept.
    pub fn has_places(self) -> bool {
        matches!(self, Columns::All | Columns::Placed)
    }
}

/// A document as parallel arrays of symbols, names and spans, in document order.
///
/// All three have the same length, except for [`Columns`] that were not asked for, which are empty. Spans ascend and do
/// not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    /// The symbol of each token that is matched ([`Token::symbol`]).
    pub symbols: Vec<Symbol>,
    /// The folded spelling of each token ([`Token::name`]).
    pub names: Vec<Symbol>,
    /// The bytes that each token covers.
    pub spans: Vec<Span>,
}

impl Tokens {
    /// Creates an empty stream with room for `capacity` tokens.
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

    /// Splits off and returns the tokens from `at` on.
    #[must_use]
    pub fn split_off(&mut self, at: usize) -> Tokens {
        Tokens {
            symbols: self.symbols.split_off(at),
            names: self.names.split_off(at),
            spans: self.spans.split_off(at),
        }
    }

    /// Removes all tokens but keeps the memory, for the next document.
    pub fn clear(&mut self) {
        self.symbols.clear();
        self.names.clear();
        self.spans.clear();
    }

    /// Frees memory that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.symbols.shrink_to_fit();
        self.names.shrink_to_fit();
        self.spans.shrink_to_fit();
    }

    /// Returns the number of tokens.
    pub fn len(&self) -> usize {
        self.symbols.len().max(self.names.len()).max(self.spans.len())
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
