//! The trait that front ends implement, once per language or kind of text.

use std::fmt::Debug;

use super::fold::Folding;
use super::idioms::Idioms;
use super::shown::VisibleProse;
use crate::token::{Class, Kind, Symbol, Tokens};

/// The names and files that a front end claims, all in lower case.
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
    /// Returns the name by which users ask for it, and which reports show: `java`.
    fn name(&self) -> &'static str;

    /// Returns the version, raised whenever the same text would give other tokens. It is part of the scheme.
    fn version(&self) -> u32;

    /// Returns the kind of the tokens.
    fn kind(&self) -> Kind;

    /// Returns the folding of texts before they are read. Fanmill's own front ends fold prose by [`Folding::Spelling`].
    fn folding(&self) -> Folding {
        Folding::Disguises
    }

    /// Returns whether the symbols of words are hashes of their spelling, so that two words may have one symbol by
    /// accident. Matches of such tokens are read again before they are shown. Keywords and operators of a closed list
    /// are not such words: a test proves that they do not collide.
    fn spells_words(&self) -> bool;

    /// Returns whether a spelling is a reserved word of the language. Nothing is compared by it.
    fn is_keyword(&self, spelled: Symbol) -> bool {
        let _ = spelled;
        false
    }

    /// Returns whether documents of this prose may hold code that is marked as such, which is then read by the front end
    /// of its language ([`cells`](super::cells)). This front end gets the rest.
    fn has_cells(&self) -> bool {
        false
    }

    /// Returns the class of a token for its reader, by its symbol.
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

    /// Returns the names and files that it claims.
    fn claims(&self) -> Claims;

    /// Returns how sure it is that a text is its own, judged by its first few kilobytes; 0 is "no idea". It is called
    /// only if several front ends claim the same file.
    fn likeness(&self, text: &str) -> u32 {
        let _ = text;
        0
    }

    /// Returns the idioms by which a program shows that it is in this language, whatever its name is. None by default.
    fn idioms(&self) -> Idioms {
        Idioms::NONE
    }

    /// Returns whether idioms are found in upper and in lower case; they are written in lower case then.
    fn ignores_case(&self) -> bool {
        false
    }

    /// Returns the prose that a document of code holds for people, such as the text of a web page; `None` if it has
    /// none. This is compared as prose, and `tokenize` leaves it out.
    fn shown(&self, text: &str) -> Option<VisibleProse> {
        let _ = text;
        None
    }

    /// Appends the tokens of `text`. Spans are in bytes of `text`, ascending, not overlapping,
    /// on character boundaries, and never empty.
    fn tokenize(&self, text: &str, tokens: &mut Tokens);

    /// Gives the tokens of `text` to `take` part by part, so that a long text needs no memory for all of them. `take`
    /// gets the next tokens in `part`, which is empty at first and is emptied after each call.
    ///
    /// All parts together are what [`tokenize`](FrontEnd::tokenize) appends. A front end that cannot stop half-way
    /// makes one part.
    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        self.tokenize(text, part);
        take(part);
        part.clear();
    }
}

/// Approximate number of tokens in a part ([`FrontEnd::tokenize_in_parts`]): some 800 kB.
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
