//! Lines of a text, with the signs that end them.
//!
//! Cost: O(n).
//! Source: `CommonMark` 0.31.2, §2.1: a line ends with a line feed, a carriage return, or both.

use std::ops::Range;

/// Returns the lines of `range`, each with its end.
pub(super) fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let (bytes, end) = (text.as_bytes(), range.end);
    let mut at = range.start;
    std::iter::from_fn(move || {
        let start = at;
        if start >= end {
            return None;
        }
        at = match memchr::memchr2(b'\n', b'\r', &bytes[start..end]) {
            None => end,
            Some(found) => {
                let stop = start + found;
                let is_pair = bytes[stop] == b'\r' && stop + 1 < end && bytes[stop + 1] == b'\n';
                stop + 1 + usize::from(is_pair)
            }
        };
        Some(start..at)
    })
}

/// Returns the number of blanks that a line begins with; a tab counts as four.
pub(super) fn indent(line: &str) -> usize {
    let blanks = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_of_a_line_ends_it() {
        let text = "a\nb\r\n\rc\n\nd";
        let found: Vec<&str> = lines(text, 0..text.len()).map(|line| &text[line]).collect();
        assert_eq!(found, ["a\n", "b\r\n", "\r", "c\n", "\n", "d"]);
        assert_eq!(lines(text, 0..4).map(|line| &text[line]).collect::<Vec<_>>(), ["a\n", "b\r"]);
        assert_eq!([indent("a"), indent("  a"), indent(" \ta"), indent("   ")], [0, 2, 5, 3]);
    }
}
