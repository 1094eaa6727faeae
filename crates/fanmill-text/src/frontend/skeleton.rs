//! Letters that pass for one another: the data of look-alike folding.
//!
//! Letters fall into four groups: Latin, Cyrillic, Greek, and all the other alphabets that have Latin look-alikes
//! (Armenian, Cherokee, Coptic, Lisu, Canadian syllabics, …). A letter of the last three either passes for an ASCII
//! letter, or is unmistakably its script's own.
//!
//! Source: UTS #39, `confusables.txt`, through the crate `unicode-security`.
//! Departs from it: only letters for letters, never a digit for a letter; a capital that its table merges into `l`
//! becomes `I` again; Cyrillic `г` and `ш` (`r` and `w` there) are their own; Latin letters only by the short list of
//! [`extended`], since its table would make `p` of the Icelandic `þ`; right-to-left, Indic and East Asian letters not
//! at all.

use std::sync::LazyLock;

use unicode_normalization::char::decompose_canonical;
use unicode_security::skeleton;

/// The class of a letter, as one bit, so that the classes of a word's letters can be joined into a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Class(u16);

impl Class {
    /// Not a letter of these alphabets: it ends a word.
    pub(super) const NONE: Class = Class(0);
    /// A Latin letter, with or without diacritics.
    pub(super) const LATIN: Class = Class(1);
    /// A Latin letter beyond ASCII that passes for an ASCII one: `ɑ`.
    pub(super) const EXTENDED: Class = Class(1 << 1);
    /// A Cyrillic letter that passes for Latin: `а`.
    pub(super) const CYRILLIC: Class = Class(1 << 2);
    /// A Cyrillic letter that does not: `ж`.
    pub(super) const CYRILLIC_OWN: Class = Class(1 << 3);
    /// A Greek letter that passes for Latin: `ο`.
    pub(super) const GREEK: Class = Class(1 << 4);
    /// A Greek letter that does not: `λ`.
    pub(super) const GREEK_OWN: Class = Class(1 << 5);
    /// A letter of another alphabet that passes for Latin: Cherokee `Ꭺ`.
    pub(super) const OTHER: Class = Class(1 << 6);
    /// A letter of another alphabet that does not.
    pub(super) const OTHER_OWN: Class = Class(1 << 7);
    /// A combining mark: part of the letter before it.
    pub(super) const MARK: Class = Class(1 << 8);

    /// Returns the union of both sets.
    pub(super) const fn or(self, other: Class) -> Class {
        Class(self.0 | other.0)
    }

    /// Returns the set without the classes of `other`.
    pub(super) const fn without(self, other: Class) -> Class {
        Class(self.0 & !other.0)
    }

    /// Returns whether some class of `other` is in the set.
    pub(super) const fn has(self, other: Class) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set without [`Class::MARK`].
    pub(super) const fn small(self) -> AlphabetSet {
        AlphabetSet(self.0 as u8)
    }

    /// Returns whether the set is empty.
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A set of letters' classes without marks, in a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct AlphabetSet(u8);

impl AlphabetSet {
    /// Returns the union of both sets.
    pub(super) const fn or(self, other: AlphabetSet) -> AlphabetSet {
        AlphabetSet(self.0 | other.0)
    }

    /// Returns the set as a [`Class`].
    pub(super) const fn class(self) -> Class {
        Class(self.0 as u16)
    }
}

/// The classes of characters below this are looked up in a table.
const TABLE: u32 = 0x3000;

/// Returns the class of `c`, judged by its base letter: `ё` as `е`.
pub(super) fn class(c: char) -> Class {
    static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
        (0..TABLE).map(|c| char::from_u32(c).map_or(Class::NONE, class_of)).collect()
    });
    match c as u32 {
        code if code < TABLE => CLASSES[code as usize],
        // Han and Hangul, which are most of the characters beyond the table.
        0x3000..=0xA4CF | 0xAC00..=0xD7FF => Class::NONE,
        _ => class_of(c),
    }
}

fn class_of(c: char) -> Class {
    if matches!(c, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}')
    {
        return Class::MARK;
    }
    // The class of letters that pass for Latin ones, and that of the alphabet's own.
    let (passes, own) = match base(c) {
        'a'..='z' | 'A'..='Z' => return Class::LATIN,
        '\u{C0}'..='\u{2AF}'
        | '\u{1D00}'..='\u{1DBF}'
        | '\u{1E00}'..='\u{1EFF}'
        | '\u{2C60}'..='\u{2C7F}'
        | '\u{A720}'..='\u{A7FF}'
        | '\u{AB30}'..='\u{AB6F}' => (Class::EXTENDED, Class::LATIN),
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => (Class::GREEK, Class::GREEK_OWN),
        '\u{400}'..='\u{52F}' | '\u{1C80}'..='\u{1C8F}' | '\u{A640}'..='\u{A69F}' => {
            (Class::CYRILLIC, Class::CYRILLIC_OWN)
        }
        '\u{531}'..='\u{58F}'
        | '\u{13A0}'..='\u{167F}'
        | '\u{2C80}'..='\u{2CFF}'
        | '\u{2D30}'..='\u{2D7F}'
        | '\u{A4D0}'..='\u{A4FF}'
        | '\u{AB70}'..='\u{ABBF}'
        | '\u{10280}'..='\u{1044F}'
        | '\u{104B0}'..='\u{1052F}'
        | '\u{118A0}'..='\u{118FF}'
        | '\u{16F00}'..='\u{16F4F}' => (Class::OTHER, Class::OTHER_OWN),
        _ => return Class::NONE,
    };
    match (c.is_alphabetic(), ascii(base(c))) {
        (false, _) => Class::NONE,
        (true, Some(_)) => passes,
        (true, None) => own,
    }
}

/// Returns the letter under the diacritics.
pub(super) fn base(c: char) -> char {
    let mut first = None;
    if c.is_ascii() {
        return c;
    }
    decompose_canonical(c, |part| first = first.or(Some(part)));
    first.unwrap_or(c)
}

/// Returns the ASCII letter that the base letter `c` passes for; `None` for ASCII itself.
pub(super) fn ascii(c: char) -> Option<char> {
    match c {
        '\0'..='\x7F' | 'г' | 'ш' => None,
        '\u{80}'..='\u{2AF}'
        | '\u{1D00}'..='\u{1DBF}'
        | '\u{1E00}'..='\u{1EFF}'
        | '\u{2C60}'..='\u{2C7F}'
        | '\u{A720}'..='\u{A7FF}'
        | '\u{AB30}'..='\u{AB6F}' => extended(c),
        _ => {
            let mut buffer = [0; 4];
            let mut prototype = skeleton(c.encode_utf8(&mut buffer));
            match (prototype.next(), prototype.next()) {
                (Some('l'), None) if c.is_uppercase() || c == '\u{4C0}' => Some('I'),
                (Some(letter), None) if letter.is_ascii_alphabetic() => Some(letter),
                _ => None,
            }
        }
    }
}

/// Returns the ASCII letter that a Latin one passes for: single-storey `a` and `g`, dotless `i` and `j`, and small
/// capitals.
fn extended(c: char) -> Option<char> {
    const PAIRS: [(char, char); 30] = [
        ('ı', 'i'),
        ('ȷ', 'j'),
        ('ɑ', 'a'),
        ('ɡ', 'g'),
        ('ᴀ', 'a'),
        ('ʙ', 'b'),
        ('ᴄ', 'c'),
        ('ᴅ', 'd'),
        ('ᴇ', 'e'),
        ('ꜰ', 'f'),
        ('ɢ', 'g'),
        ('ʜ', 'h'),
        ('ɪ', 'i'),
        ('ᴊ', 'j'),
        ('ᴋ', 'k'),
        ('ʟ', 'l'),
        ('ᴍ', 'm'),
        ('ɴ', 'n'),
        ('ᴏ', 'o'),
        ('ᴘ', 'p'),
        ('ʀ', 'r'),
        ('ꜱ', 's'),
        ('ᴛ', 't'),
        ('ᴜ', 'u'),
        ('ᴠ', 'v'),
        ('ᴡ', 'w'),
        ('ʏ', 'y'),
        ('ᴢ', 'z'),
        ('ǀ', 'l'),
        ('ꞁ', 'l'),
    ];
    PAIRS.iter().find(|(from, _)| *from == c).map(|(_, to)| *to)
}

/// Returns the Cyrillic letter that the ASCII letter `c` passes for.
pub(super) fn cyrillic(c: char) -> Option<char> {
    const LATIN: &str = "aeopcyxkijshABEKMHOPCTXYIJS";
    const CYRILLIC: &str = "аеорсухкіјѕһАВЕКМНОРСТХУІЈЅ";
    counterpart(c, LATIN, CYRILLIC)
}

/// Returns the Greek letter that the ASCII letter `c` passes for.
pub(super) fn greek(c: char) -> Option<char> {
    const LATIN: &str = "aovipukxABEZHIKMNOPTYX";
    const GREEK: &str = "αονιρυκχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
    counterpart(c, LATIN, GREEK)
}

fn counterpart(c: char, from: &str, to: &str) -> Option<char> {
    // The strings in `from` are ASCII: a byte offset is a character offset.
    from.find(c).and_then(|at| to.chars().nth(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_their_class() {
        for (letters, want) in [
            ("aZéłþøĳ", Class::LATIN),
            ("ıɑɡᴀ", Class::EXTENDED),
            ("аеорсухіАВЕКМНОРСТХёЁ", Class::CYRILLIC),
            ("жшгийЗбвд", Class::CYRILLIC_OWN),
            ("οανΑΕάό", Class::GREEK),
            ("λπΩβδέη", Class::GREEK_OWN),
            ("ᎪօꓐⲞ", Class::OTHER),
            ("Ժդ", Class::OTHER_OWN),
            ("1_ 中あ한اअ๐", Class::NONE),
        ] {
            for c in letters.chars() {
                assert_eq!(class(c), want, "{c}");
            }
        }
    }

    #[test]
    fn capitals_of_i_stay_capitals() {
        assert_eq!(ascii('І'), Some('I'));
        assert_eq!(ascii('Ι'), Some('I'));
        assert_eq!(ascii('і'), Some('i'));
        assert_eq!(ascii('ӏ'), Some('l'));
    }

    #[test]
    fn the_way_back_leads_to_letters_that_pass_for_latin() {
        for c in ('a'..='z').chain('A'..='Z') {
            // `k` has only a near miss in either script.
            for back in
                [cyrillic(c), greek(c)].into_iter().flatten().filter(|_| c != 'k' && c != 'x')
            {
                assert_eq!(ascii(back), Some(c), "{back}");
            }
        }
    }
}
