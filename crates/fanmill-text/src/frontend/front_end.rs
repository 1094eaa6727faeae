//! The trait that front ends implement, once per language or kind of text.

use std::fmt::Debug;

use super::fold::Folding;
use super::shown::Shown;
use crate::token::{Class, Kind, Symbol, Tokens};

/// The files that a front end takes, all in lower case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claims {
    /// Other names by which it can be asked for, such as MOSS's `cc` for C++.
    pub aliases: &'static [&'static str],
    /// File name extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, such as `makefile`.
    pub file_names: &'static [&'static str],
    /// Interpreters of a `#!` line, without path and version: `python`.
    pub interpreters: &'static [&'static str],
}

/// Turns a document's text into tokens.
///
/// Implementations are pure: the same text gives the same tokens, on every platform. They accept
/// any text whatsoever, in time linear in its length and without recursion, and never fail:
/// a broken program has tokens too.
pub trait FrontEnd: Debug + Send + Sync {
    /// The name by which it is asked for, and that reports show: `java`.
    fn name(&self) -> &'static str;

    /// Raised whenever the same text would give other tokens. Part of the scheme.
    fn version(&self) -> u32;

    /// What the tokens are.
    fn kind(&self) -> Kind;

    /// Folding of texts before they are read. Fanmill's own front ends fold prose by [`Folding::Spelling`].
    fn folding(&self) -> Folding {
        Folding::Disguises
    }

    /// Whether the symbols of words are hashes of their spelling, so that two words may have one
    /// symbol by accident. Matches of such tokens are read again before they are shown. Keywords
    /// and operators of a closed list are no such words: a test proves that they do not collide.
    fn spells_words(&self) -> bool;

    /// Whether a spelling is a reserved word of the language. Nothing is compared by it.
    fn is_keyword(&self, spelled: Symbol) -> bool {
        let _ = spelled;
        false
    }

    /// What a token is to its reader, by its symbol.
    fn class(&self, symbol: Symbol) -> Class {
        match symbol {
            Symbol::IDENTIFIER => Class::Identifier,
            Symbol::NUMBER => Class::Number,
            Symbol::STRING => Class::String,
            _ if self.kind() != Kind::Code => Class::Word,
            _ if self.is_keyword(symbol) => Class::Keyword,
            _ => Class::Spelled,
        }
    }

    /// The files that it takes.
    fn claims(&self) -> Claims;

    /// How sure it is that a text is its own, judged by its first few kilobytes; 0 is "no idea".
    /// Asked only when two front ends claim the same file name.
    fn likeness(&self, text: &str) -> u32 {
        let _ = text;
        0
    }

    /// The prose that a document of code holds for people, such as the text of a web page; `None` if it has
    /// none. It is compared as prose is, and `tokenize` leaves it out.
    fn shown(&self, text: &str) -> Option<Shown> {
        let _ = text;
        None
    }

    /// Appends the tokens of `text`. Spans are in bytes of `text`, ascending, not overlapping,
    /// on character boundaries, and never empty.
    fn tokenize(&self, text: &str, tokens: &mut Tokens);

    /// Hands over the tokens of `text` part by part, so that a long text takes no memory for all of
    /// them: `take` gets the next ones in `part`, which is empty at first and is emptied after each call.
    ///
    /// All parts together are what [`tokenize`](FrontEnd::tokenize) appends. A front end that cannot
    /// stop half-way makes one part.
    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        self.tokenize(text, part);
        take(part);
        part.clear();
    }
}

/// Tokens in a part ([`FrontEnd::tokenize_in_parts`]), more or less: some 800 kB.
pub const PART: usize = 1 << 15;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::{Chars, Words};
    use crate::token::Columns;

    #[test]
    fn prose_in_parts_has_the_tokens_of_the_whole() {
        let text = "It's a co-\noperative Großstadt, 3.5 ± ½ × ΣΑΣ! ".repeat(PART / 4);
        let front_ends: [&dyn FrontEnd; 2] = [&Words, &Chars];
        for front_end in front_ends {
            let (mut whole, mut joined) = (Tokens::default(), Tokens::default());
            front_end.tokenize(&text, &mut whole);
            let mut n_parts = 0;
            front_end.tokenize_in_parts(&text, &mut Tokens::default(), &mut |part| {
                joined.append(part, Columns::All);
                n_parts += 1;
            });
            assert!(joined == whole, "{}", front_end.name());
            assert_eq!(n_parts, whole.len() / PART + 1, "{}", front_end.name());
        }
    }
}
