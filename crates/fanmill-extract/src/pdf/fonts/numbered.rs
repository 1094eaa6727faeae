//! Characters of glyphs that have numbers for names.
//!
//! TeX puts fonts that are drawn by dots into documents with the names `/a65` or `/c65`, and other programs number
//! glyphs likewise. Such a number is a code of the font, and the font's encoding has no name in the document. But text
//! gives it away: which codes are there differs between TeX's encodings and between alphabets.
//!
//! Cost: O(n) for n names.
//! Source: the encodings OT1, T1 and T2A of LaTeX (`encguide`, 2016).

use std::collections::HashMap;

use encoding_rs::{Encoding as Bytes, WINDOWS_874, WINDOWS_1251};

/// Prefixes whose numbers are those of glyphs, not of characters.
const OF_GLYPHS: [&str; 7] = ["g", "G", "glyph", "gid", "cid", "index", "uni"];

/// The characters 11 to 31 of OT1.
const OT1: [char; 21] = [
    'ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬄ', 'ı', 'ȷ', '`', '´', 'ˇ', '˘', '¯', '˚', '¸', 'ß', 'æ', 'œ', 'ø', 'Æ',
    'Œ', 'Ø',
];

/// The characters 0 to 31 of T1.
const T1_LOW: [char; 32] = [
    '`', '´', 'ˆ', '˜', '¨', '˝', '˚', 'ˇ', '˘', '¯', '˙', '¸', '˛', '‚', '‹', '›', '“', '”', '„',
    '«', '»', '–', '—', '\u{200B}', '₀', 'ı', 'ȷ', 'ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬄ',
];

/// The characters 128 to 191 of T1; from 192 on, it is Latin 1 but for four.
const T1_HIGH: [char; 64] = [
    'Ă', 'Ą', 'Ć', 'Č', 'Ď', 'Ě', 'Ę', 'Ğ', 'Ĺ', 'Ľ', 'Ł', 'Ń', 'Ň', 'Ŋ', 'Ő', 'Ŕ', 'Ř', 'Ś', 'Š',
    'Ş', 'Ť', 'Ţ', 'Ű', 'Ů', 'Ÿ', 'Ź', 'Ž', 'Ż', 'Ĳ', 'İ', 'đ', '§', 'ă', 'ą', 'ć', 'č', 'ď', 'ě',
    'ę', 'ğ', 'ĺ', 'ľ', 'ł', 'ń', 'ň', 'ŋ', 'ő', 'ŕ', 'ř', 'ś', 'š', 'ş', 'ť', 'ţ', 'ű', 'ů', 'ÿ',
    'ź', 'ž', 'ż', 'ĳ', '¡', '¿', '£',
];

/// The characters 128 to 191 of T2A; from 192 on, it is Windows 1251.
const T2A_HIGH: [char; 64] = [
    'Ґ', 'Ғ', 'Ђ', 'Ћ', 'Һ', 'Җ', 'Ҙ', 'Љ', 'Ї', 'Қ', 'Ҡ', 'Ҝ', 'Ӕ', 'Ң', 'Ҥ', 'Ѕ', 'Ө', 'Ҫ', 'Ў',
    'Ү', 'Ұ', 'Ҳ', 'Џ', 'Ҹ', 'Ҷ', 'Є', 'Ә', 'Њ', 'Ё', '№', '¤', '§', 'ґ', 'ғ', 'ђ', 'ћ', 'һ', 'җ',
    'ҙ', 'љ', 'ї', 'қ', 'ҡ', 'ҝ', 'ӕ', 'ң', 'ҥ', 'ѕ', 'ө', 'ҫ', 'ў', 'ү', 'ұ', 'ҳ', 'џ', 'ҹ', 'ҷ',
    'є', 'ә', 'њ', 'ё', '„', '«', '»',
];

/// Returns the characters of codes with such names. `names` are all codes and names that a font sets.
pub(super) fn characters(names: &[(u8, String)]) -> HashMap<u8, char> {
    let numbers = numbers(names).unwrap_or_default();
    let encoding = Encoding::from_numbers(numbers.iter().map(|&(_, number)| number));
    // Fonts of formulas have other signs at the places of comma, hyphen and full stop, and no letters with accents.
    let is_of_text = numbers.iter().any(|(_, number)| b",-.".contains(number));
    let is_read = |number: u8| is_of_text || number.is_ascii_alphanumeric() || number >= 0x80;
    let read = numbers.iter().filter(|&&(_, number)| is_read(number));
    read.filter_map(|&(code, number)| Some((code, encoding.character(number)?))).collect()
}

/// Returns the codes of a font with the numbers in the names of their glyphs; `None` if those are not of characters.
fn numbers(names: &[(u8, String)]) -> Option<Vec<(u8, u8)>> {
    let of_prefix = |prefix: &str| -> Vec<(u8, u8)> {
        let all = names.iter().filter_map(parts).filter(|part| part.1 == prefix);
        all.map(|(code, _, number)| (code, number)).collect()
    };
    let prefix = names.iter().find_map(|name| Some(parts(name)?.1))?;
    let numbers = of_prefix(prefix);
    let are_codes = numbers.iter().all(|(code, number)| code == number);
    let is_most = numbers.len() * 2 > names.len();
    (is_most && !are_ordinals(&numbers) && (are_codes || !OF_GLYPHS.contains(&prefix)))
        .then_some(numbers)
}

/// Splits a name into a prefix and a number.
fn parts((code, name): &(u8, String)) -> Option<(u8, &str, u8)> {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[prefix.len()..].parse().ok()?;
    let is_short = prefix.len() <= 5 && prefix.chars().all(char::is_alphabetic);
    is_short.then_some((*code, prefix, number))
}

/// Returns whether numbers count the glyphs of a font in the order of their use, from 0, 1 or 33.
fn are_ordinals(numbers: &[(u8, u8)]) -> bool {
    let mut all: Vec<u8> = numbers.iter().map(|&(_, number)| number).collect();
    all.sort_unstable();
    all.dedup();
    let (Some(&first), Some(&last)) = (all.first(), all.last()) else { return true };
    all.len() > 2 && usize::from(last - first) + 1 == all.len() && first <= b'!' && last < b'z'
}

/// An encoding of a font, or as much of it as its codes give away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// TeX's first encoding, of 128 codes.
    Ot1,
    /// TeX's encoding for European languages, after Cork.
    T1,
    /// TeX's encoding for languages in Cyrillic letters.
    T2a,
    Thai,
}

impl Encoding {
    fn from_numbers(numbers: impl Iterator<Item = u8>) -> Encoding {
        let (mut n_small, mut n_thai, mut n_high, mut is_t1) = (0, 0, 0, false);
        for number in numbers {
            n_small += usize::from(number >= 0xE0);
            n_thai += usize::from((0xA1..=0xDA).contains(&number));
            n_high += usize::from(number >= 0x80);
            is_t1 |= matches!(number, 0x15 | 0x16 | 0x1B..=0x1F);
        }
        // Languages in Latin letters use a few of the letters with accents, an alphabet most of its letters.
        if n_small >= 16 {
            Encoding::T2a
        } else if n_thai >= 24 {
            Encoding::Thai
        } else if n_high > 0 || is_t1 {
            Encoding::T1
        } else {
            Encoding::Ot1
        }
    }

    fn character(self, number: u8) -> Option<char> {
        match (self, number) {
            (Encoding::Ot1, 11..=31) => Some(OT1[usize::from(number) - 11]),
            (Encoding::Ot1, 127) => Some('¨'),
            (Encoding::T1 | Encoding::T2a, ..=31) => Some(T1_LOW[usize::from(number)]),
            (Encoding::T1, 128..=191) => Some(T1_HIGH[usize::from(number) - 128]),
            (Encoding::T1, 0xD7) => Some('Œ'),
            (Encoding::T1, 0xDF) => Some('ẞ'),
            (Encoding::T1, 0xF7) => Some('œ'),
            (Encoding::T1, 0xFF) => Some('ß'),
            (_, b' '..=b'~') | (Encoding::T1, 0xC0..) => Some(char::from(number)),
            (Encoding::T2a, 128..=191) => Some(T2A_HIGH[usize::from(number) - 128]),
            (Encoding::T2a, 0xC0..) => decoded(WINDOWS_1251, number),
            (Encoding::Thai, 0x80..) => decoded(WINDOWS_874, number),
            _ => None,
        }
    }
}

fn decoded(encoding: &'static Bytes, number: u8) -> Option<char> {
    encoding.decode_without_bom_handling(&[number]).0.chars().next().filter(|&c| super::is_text(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(prefix: &str, numbers: &[u8]) -> Vec<(u8, String)> {
        numbers.iter().map(|number| (*number, format!("{prefix}{number}"))).collect()
    }

    fn read(names: &[(u8, String)], codes: &[u8]) -> String {
        let characters = characters(names);
        codes.iter().map(|code| characters.get(code).copied().unwrap_or('?')).collect()
    }

    #[test]
    fn numbers_of_characters_are_read() {
        let text = b"The mill, and its wheel.";
        assert_eq!(read(&named("a", text), text), "The mill, and its wheel.");
        // Codes may be others than the numbers.
        let moved: Vec<(u8, String)> =
            text.iter().map(|letter| (letter - 31, format!("c{letter}"))).collect();
        assert_eq!(read(&moved, &text.map(|letter| letter - 31)), "The mill, and its wheel.");
    }

    #[test]
    fn numbers_of_glyphs_are_not_read() {
        let in_order: Vec<u8> = (33..70).collect();
        assert_eq!(read(&named("a", &in_order), b"ABC"), "???");
        let moved = [(65, "g3".to_owned()), (66, "g9".to_owned()), (67, "g100".to_owned())];
        assert_eq!(read(&moved, b"ABC"), "???");
        assert_eq!(read(&[(65, "alpha".to_owned()), (66, "beta".to_owned())], b"AB"), "??");
        assert_eq!(read(&[(65, "a999".to_owned()), (66, "é7".to_owned())], b"AB"), "??");
    }

    #[test]
    fn formulas_have_letters_and_nothing_else() {
        let of_formulas = named("a", &[11, 33, b':', b'x', b'y', b'2']);
        assert_eq!(read(&of_formulas, &[11, 33, b':', b'x', b'y', b'2']), "???xy2");
    }

    #[test]
    fn codes_tell_encodings_apart() {
        assert_eq!(read(&named("a", &[b'f', b'.', 12, 13, 25]), &[12, 13, 25]), "ﬁﬂß");
        assert_eq!(read(&named("a", &[b'u', b'.', 12, 127]), &[12, 127]), "ﬁ¨");
        assert_eq!(read(&named("a", &[b'f', b'.', 28, 0xFC, 0xFF]), &[28, 0xFC, 0xFF]), "ﬁüß");
        let ukrainian: Vec<u8> = (0xE0..=0xFF).chain([0xA8]).collect();
        assert_eq!(read(&named("a", &ukrainian), &[0xEC, 0xE8, 0xF0, 0xA8]), "мирї");
        let thai: Vec<u8> = (0xA1..=0xDA).collect();
        assert_eq!(read(&named("a", &thai), &[0xA1, 0xD2]), "กา");
    }
}
