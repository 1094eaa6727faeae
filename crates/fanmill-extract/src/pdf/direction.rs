//! Lines that run from right to left: converts visual order into reading order.
//!
//! Letters that are read as one stay in their order: those of a ligature, and a letter with the marks on it.
//!
//! Departs from the Unicode Bidirectional Algorithm: only letters and digits have a direction, and runs do not nest.
//! PDF has the characters of a line in visual order only, so no more is known about it.

use unicode_normalization::char::is_combining_mark;

/// Returns whether a character belongs to a script written from right to left.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && !is_number(c)
}

fn is_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '\u{0660}'..='\u{0669}' | '\u{06F0}'..='\u{06F9}')
}

fn is_ltr(c: char) -> bool {
    is_number(c) || c.is_alphabetic() && !is_rtl(c)
}

/// Returns a line in reading order; `looks` has its characters from left to right.
pub(super) fn read(looks: String) -> String {
    let n_rtl = looks.chars().filter(|&c| is_rtl(c)).count();
    if n_rtl == 0 {
        return looks;
    }
    let n_ltr = looks.chars().filter(|&c| is_ltr(c) && !is_number(c)).count();
    let mut units = units(&looks);
    if n_rtl >= n_ltr {
        units.reverse();
        turn(&mut units, is_ltr, is_rtl);
    } else {
        turn(&mut units, is_rtl, is_ltr);
    }
    units.iter().flat_map(|unit| unit.chars()).map(|c| mirrored(c, n_rtl >= n_ltr)).collect()
}

/// Returns characters that are drawn as one so that [`read`] restores their order in a line that runs as they do.
pub(super) fn looks(read: &str) -> String {
    if !read.chars().any(is_rtl) {
        return read.to_owned();
    }
    let mut units = units(read);
    turn(&mut units, is_ltr, is_rtl);
    units.iter().rev().flat_map(|unit| unit.chars()).map(|c| mirrored(c, true)).collect()
}

/// Splits a text into characters, each with the marks on it.
fn units(text: &str) -> Vec<&str> {
    let mut starts = text.char_indices().filter(|&(at, c)| at == 0 || !is_combining_mark(c));
    let mut start = starts.next().map_or(0, |(at, _)| at);
    let mut units = Vec::new();
    for (at, _) in starts {
        units.push(&text[start..at]);
        start = at;
    }
    units.push(&text[start..]);
    units
}

/// Reverses each run that begins and ends with a character of `inner` and has none of `outer`.
fn turn(units: &mut [&str], inner: fn(char) -> bool, outer: fn(char) -> bool) {
    let is = |unit: &str, kind: fn(char) -> bool| unit.starts_with(kind);
    let mut at = 0;
    while at < units.len() {
        if !is(units[at], inner) {
            at += 1;
            continue;
        }
        let rest = &units[at..];
        let reach = rest.iter().position(|unit| is(unit, outer)).unwrap_or(rest.len());
        let length = rest[..reach].iter().rposition(|unit| is(unit, inner));
        let length = length.map_or(1, |last| last + 1);
        units[at..at + length].reverse();
        at += length;
    }
}

/// Returns a bracket as it is written when its line runs the other way.
fn mirrored(c: char, is_turned: bool) -> char {
    match c {
        '(' if is_turned => ')',
        ')' if is_turned => '(',
        '[' if is_turned => ']',
        ']' if is_turned => '[',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::{looks, read};

    #[test]
    fn lines_are_read_in_their_own_direction() {
        assert_eq!(read("plain words".to_owned()), "plain words");
        // The words are shalom olam, "hello world".
        assert_eq!(read("םלוע םולש".to_owned()), "שלום עולם");
        assert_eq!(read("12 קרפ".to_owned()), "פרק 12");
        assert_eq!(read("the word םולש is one".to_owned()), "the word שלום is one");
        assert_eq!(read("(םלוע) 12".to_owned()), "12 (עולם)");
    }

    #[test]
    fn what_is_drawn_as_one_stays_in_order() {
        // Al-awlad, "the children", with a ligature of lam and alef at its beginning and near its end.
        let line = format!("د{}و{}ا", looks("لا"), looks("لأ"));
        assert_eq!(read(line), "الأولاد");
        // Muḥammad with the marks of its vowels, which are drawn after their letters.
        let letters = ["د", "مَّ", "حَ", "مُ"].concat();
        assert_eq!(read(letters), "مُحَمَّد");
        for text in ["بَّ", "אב12", "(עולם) 12", "ab אב"] {
            assert_eq!(read(looks(text)), text);
        }
        assert_eq!((looks("fi"), looks("")), ("fi".to_owned(), String::new()));
    }
}
