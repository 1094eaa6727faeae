//! The plain form of code: its symbols without anything that can be changed at no cost.
//!
//! Someone who disguises a copy swaps `int` for `long`, adds `final`, puts braces around a line, and turns a `for` into
//! a `while`. The plain form is the same afterwards: a built-in type is a name like any other, every loop begins with
//! the same symbol, a step by one is an assignment, and modifiers and brackets are gone. It is coarser than the
//! symbols, so it is compared beside them and not instead of them.
//!
//! One table serves all languages: it goes by the spelling of keywords and operators, and a word that is an identifier
//! in a language is never looked up.
//!
//! Cost: one look-up for each keyword, operator and bracket.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use fanmill_text::token::{IdentityHasher, Symbol};

/// Built-in types, and words used in place of any type.
const TYPES: &str = "
    Any BOOL Bool Boolean Byte Char Double Float Int Long Short String Unit any auto bool boolean byte
    char char16_t char32_t char8_t decimal double dynamic f32 f64 float i128 i16 i32 i64 i8 int int16
    int32 int64 int8 integer isize logical long longint number real sbyte short single str string u128
    u16 u32 u64 u8 uint uint16 uint32 uint64 uint8 uinteger ulong usize ushort void wchar_t word
";

/// Words that can be added or left out, and those that only declare.
const MODIFIERS: &str = "
    const constexpr export extern external fileprivate final friend immutable inline internal let
    local my mut mutable native our override private protected pub public readonly register restrict
    sealed signed static strictfp synchronized transient unsigned val var virtual volatile
";

/// Brackets, and the words that serve as brackets.
const BRACKETS: &str = "( ) [ ] { } begin do done end endfor endif endwhile esac fi od then";

/// Words that begin a loop.
const LOOPS: &str = "for foreach loop repeat until while";

/// Steps by one, and the equivalent assignments.
const STEPS: [(&str, &str); 2] = [("++", "+="), ("--", "-=")];

/// The replacement of each symbol that changes; `None` if it is left out.
static PLAIN: LazyLock<HashMap<Symbol, Option<Symbol>, BuildHasherDefault<IdentityHasher>>> =
    LazyLock::new(|| {
        let spelled = |word: &str| Symbol::spelled(word.as_bytes());
        let all = |words: &'static str, becomes: Option<Symbol>| {
            words.split_ascii_whitespace().map(move |word| (spelled(word), becomes))
        };
        let steps = STEPS.map(|(step, assignment)| (spelled(step), Some(spelled(assignment))));
        all(TYPES, Some(Symbol::IDENTIFIER))
            .chain(all(MODIFIERS, None))
            .chain(all(BRACKETS, None))
            .chain(all(LOOPS, Some(spelled("for"))))
            .chain(steps)
            .collect()
    });

/// Returns the plain form of a symbol; `None` if it is left out.
#[inline]
pub(super) fn plain(symbol: Symbol) -> Option<Symbol> {
    if symbol.is_class() { Some(symbol) } else { *PLAIN.get(&symbol).unwrap_or(&Some(symbol)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_of(text: &str) -> Vec<Symbol> {
        let symbol = |word: &str| match word {
            "ID" => Symbol::IDENTIFIER,
            "NUM" => Symbol::NUMBER,
            word => Symbol::spelled(word.as_bytes()),
        };
        text.split_ascii_whitespace().map(symbol).filter_map(plain).collect()
    }

    #[test]
    fn what_costs_nothing_changes_nothing() {
        let same = [
            ("public static int ID ( ) { return ID ; }", "long ID ( ) { return ID ; }"),
            ("ID ID = NUM ;", "final double ID = NUM ;"),
            ("while ( ID < NUM ) { ID ++ ; }", "while ( ID < NUM ) ID += ;"),
            ("if ( ID ) ID ;", "if ( ( ID ) ) { ID ; }"),
            ("while ID do ID end", "for ( ID ) { ID }"),
        ];
        for (x, y) in same {
            assert_eq!(plain_of(x), plain_of(y), "{x} and {y}");
        }
        assert_ne!(plain_of("ID + ID"), plain_of("ID - ID"));
        assert_ne!(plain_of("if ID"), plain_of("while ID"));
    }

    #[test]
    fn no_word_is_in_two_lists() {
        let mut words: Vec<&str> =
            [TYPES, MODIFIERS, BRACKETS, LOOPS].iter().flat_map(|l| l.split_whitespace()).collect();
        let n_words = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), n_words);
    }
}
