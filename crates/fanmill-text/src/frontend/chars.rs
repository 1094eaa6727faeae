//! Prose as characters: letters and digits in lower case, nothing else.
//!
//! `A do run run run, a do run run` becomes `adorunrunrunadorunrun`, as in the paper. This is for scripts without
//! spaces between words, and for adversaries who move the spaces.
//!
//! Cost: O(n), one token per letter or digit.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, figure 2 (a) and (b).

use std::sync::LazyLock;

use super::fold::Folding;
use super::front_end::{Claims, FrontEnd, PART};
use super::offset_map::narrow;
use super::word_class::lower;
use crate::span::Span;
use crate::token::{Kind, Symbol, Token, Tokens};

/// The front end `chars`. It claims no files: it is only chosen by name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Chars;

impl FrontEnd for Chars {
    fn name(&self) -> &'static str {
        "chars"
    }

    fn version(&self) -> u32 {
        2
    }

    fn kind(&self) -> Kind {
        Kind::Chars
    }

    fn folding(&self) -> Folding {
        Folding::Spelling
    }

    fn spells_words(&self) -> bool {
        true
    }

    fn claims(&self) -> Claims {
        Claims::default()
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        for (at, c) in text.char_indices() {
            push_char(at, c, tokens);
        }
    }

    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        for (at, c) in text.char_indices() {
            push_char(at, c, part);
            if part.len() >= PART {
                take(part);
                part.clear();
            }
        }
        take(part);
        part.clear();
    }
}

/// The symbols of ASCII letters and digits, in lower case.
static ASCII: LazyLock<[Option<Symbol>; 128]> = LazyLock::new(|| {
    let mut table = [None; 128];
    for byte in (0..128u8).filter(u8::is_ascii_alphanumeric) {
        table[usize::from(byte)] = Some(Symbol::spelled(&[byte.to_ascii_lowercase()]));
    }
    table
});

/// Returns the symbol of the lower-case form of `c`.
fn spelled(c: char) -> Symbol {
    Symbol::spelled(lower(c).encode_utf8(&mut [0; 4]).as_bytes())
}

/// Appends the character at `at`, if it is a letter or digit.
#[inline]
fn push_char(at: usize, c: char, tokens: &mut Tokens) {
    let end = at + c.len_utf8();
    if c.is_ascii() {
        if let Some(symbol) = ASCII[c as usize] {
            push(symbol, at, end, tokens);
        }
    } else if c.is_alphanumeric() {
        push(spelled(c), at, end, tokens);
    }
}

fn push(symbol: Symbol, start: usize, end: usize, tokens: &mut Tokens) {
    tokens.push(Token { symbol, name: symbol, span: Span::new(narrow(start), narrow(end)) });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        Chars.tokenize(text, &mut tokens);
        tokens
    }

    #[test]
    fn the_paper_s_example() {
        let text = "A do run run run, a do run run";
        let tokens = chars(text);
        assert_eq!(tokens.symbols, chars("adorunrunrunadorunrun").symbols);
        let letters: String = tokens.spans.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(letters, "Adorunrunrunadorunrun");
        assert_eq!(tokens.names, tokens.symbols);
    }

    #[test]
    fn other_scripts_keep_their_letters_and_case_is_folded() {
        assert_eq!(chars("Ж«İ»Σ—漢 ๑").symbols, chars("жiς漢๑").symbols);
        assert_eq!(chars("ไทย हिन्दी").len(), 3 + 5);
        assert!(chars(" .,;!\u{301}🦀").is_empty());
    }
}
