//! Classes of characters in words, and lower case: shared by everything that splits texts into words.
//!
//! Source: Unicode's properties Alphabetic and Numeric and the mark categories, as tabled by the
//! standard library and the crate `unicode-normalization`; the scripts without spaces are ours.

use std::sync::LazyLock;

use unicode_normalization::char::is_combining_mark;

use crate::token::Writing;

/// The class of a character in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Separates words.
    Other = 0,
    /// A letter.
    Letter = 1,
    /// A digit or another number.
    Digit = 2,
    /// Belongs to the character before it.
    Mark = 3,
    /// A letter of a script without spaces: a token by itself.
    Single = 4,
}

/// The classes of characters below this are looked up in a table.
const TABLE: u32 = 0x3000;

/// Returns the class of `c` in words.
pub(super) fn class(c: char) -> Class {
    static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
        (0..TABLE).map(|c| char::from_u32(c).map_or(Class::Other, class_of)).collect()
    });
    match c as u32 {
        code if code < TABLE => CLASSES[code as usize],
        0x3400..=0x9FFF => Class::Single,
        0xAC00..=0xD7A3 => Class::Letter,
        _ => class_of(c),
    }
}

/// Returns whether a letter is a word by itself, as in scripts without spaces.
pub fn stands_alone(c: char) -> bool {
    class(c) == Class::Single
}

fn class_of(c: char) -> Class {
    if is_combining_mark(c) {
        Class::Mark
    } else if !c.is_alphanumeric() {
        Class::Other
    } else if c.is_numeric() && !is_han(c) {
        Class::Digit
    } else if is_unspaced(c) {
        Class::Single
    } else {
        Class::Letter
    }
}

/// Returns whether `c` is of a script without spaces between words: Thai, Lao, Myanmar, Khmer, Tai, kana, Bopomofo,
/// Han.
fn is_unspaced(c: char) -> bool {
    is_han(c)
        || matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
            | '\u{1950}'..='\u{19DF}' | '\u{1A20}'..='\u{1AAF}' | '\u{AA60}'..='\u{AADF}' | '\u{A9E0}'..='\u{A9FF}'
            | '\u{3041}'..='\u{312F}' | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}' | '\u{1AFF0}'..='\u{1B16F}')
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303B}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns the writing of the script of `c`, a letter that is a token by itself.
pub(super) fn writing(c: char) -> Writing {
    match c {
        _ if is_han(c) => Writing::Morphemes,
        '\u{3041}'..='\u{312F}'
        | '\u{31A0}'..='\u{31BF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{1AFF0}'..='\u{1B16F}' => Writing::Syllables,
        _ => Writing::Sounds,
    }
}

/// Returns the lower case of `c`: final sigma as sigma, the dotted capital I as `i`.
///
/// This is one character, since that I is the only one whose lower case has two.
pub fn lower(c: char) -> char {
    match c {
        'ς' => 'σ',
        c => c.to_lowercase().next().unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_but_the_dotted_capital_has_one_lower_case() {
        for c in '\0'..=char::MAX {
            assert!(c == 'İ' || c.to_lowercase().count() == 1, "{:04X}", c as u32);
        }
        assert_eq!(['Σ', 'ς', 'İ', 'ẞ'].map(lower), ['σ', 'σ', 'i', 'ß']);
    }
}
