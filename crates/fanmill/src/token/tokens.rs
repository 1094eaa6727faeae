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

/// A document as parallel arrays of symbols, names and spans, in document order.
///
/// All three have the same length; spans ascend and do not overlap.
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
        self.symbols.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }
}
