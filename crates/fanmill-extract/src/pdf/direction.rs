//! Lines that run from right to left: converts visual order into reading order.
//!
//! Departs from the Unicode Bidirectional Algorithm: only letters and digits have a direction, and runs do not nest.
//! PDF has the characters of a line in visual order only, so no more is known about it.

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
    let mut characters: Vec<char> = looks.chars().collect();
    if n_rtl >= n_ltr {
        characters.reverse();
        turn(&mut characters, is_ltr, is_rtl);
    } else {
        turn(&mut characters, is_rtl, is_ltr);
    }
    characters.iter().map(|&c| mirrored(c, n_rtl >= n_ltr)).collect()
}

/// Reverses each run that begins and ends with a character of `inner` and has none of `outer`.
fn turn(characters: &mut [char], inner: fn(char) -> bool, outer: fn(char) -> bool) {
    let mut at = 0;
    while at < characters.len() {
        if !inner(characters[at]) {
            at += 1;
            continue;
        }
        let rest = &characters[at..];
        let reach = rest.iter().position(|&c| outer(c)).unwrap_or(rest.len());
        let length = rest[..reach].iter().rposition(|&c| inner(c)).map_or(1, |last| last + 1);
        characters[at..at + length].reverse();
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
    use super::read;

    #[test]
    fn lines_are_read_in_their_own_direction() {
        assert_eq!(read("plain words".to_owned()), "plain words");
        // The words are shalom olam, "hello world".
        assert_eq!(read("םלוע םולש".to_owned()), "שלום עולם");
        assert_eq!(read("12 קרפ".to_owned()), "פרק 12");
        assert_eq!(read("the word םולש is one".to_owned()), "the word שלום is one");
        assert_eq!(read("(םלוע) 12".to_owned()), "12 (עולם)");
    }
}
