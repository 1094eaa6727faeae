//! A text without what is cut out of it.
//!
//! Both sides of a cut are joined by one blank, or by a line break if the white space before or after the cut
//! had one. At the beginning and at the end of a text nothing is joined: it then begins with a word, or ends as it did.

use std::ops::Range;

/// Returns the text without some of its words; `None` if none are left.
///
/// `words` are the places of all its words, and `cuts` are ranges of these, which ascend and do not touch.
pub(super) fn without(text: &str, words: &[Range<u32>], cuts: &[Range<u32>]) -> Option<String> {
    let start = |i: u32| words[i as usize].start as usize;
    let end = |i: u32| words[i as usize].end as usize;
    let n = words.len() as u32;
    if n == 0 || matches!(cuts, [only] if *only == (0..n)) {
        return None;
    }
    let (mut left, mut from) = (String::with_capacity(text.len()), 0);
    for cut in cuts {
        if cut.start > 0 {
            left.push_str(&text[from..end(cut.start - 1)]);
        }
        from = match cut {
            cut if cut.end == n => end(n - 1),
            cut => {
                if cut.start > 0 {
                    let before = &text[end(cut.start - 1)..start(cut.start)];
                    left.push_str(joint(before, &text[end(cut.end - 1)..start(cut.end)]));
                }
                start(cut.end)
            }
        };
    }
    left.push_str(&text[from..]);
    Some(left)
}

/// Returns what joins two texts between which this white space was.
fn joint(before: &str, after: &str) -> &'static str {
    let has = |what: &str| before.contains(what) || after.contains(what);
    if has("\r\n") {
        "\r\n"
    } else if has("\n") {
        "\n"
    } else {
        " "
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, cuts: &[(u32, u32)]) -> Option<String> {
        let mut words = Vec::new();
        let reader = super::super::words::Reader::new(&[7; 32], false);
        reader.each(text, |_, at| words.push(at.start as u32..at.end as u32));
        let cuts: Vec<Range<u32>> = cuts.iter().map(|&(start, end)| start..end).collect();
        without(text, &words, &cuts)
    }

    #[test]
    fn what_is_left_is_joined_by_one_blank_or_line_break() {
        for (text, cuts, expected) in [
            ("a  b \t c", &[(1, 2)][..], Some("a c")),
            ("a b\n\nc d", &[(1, 2)], Some("a\nc d")),
            ("a\r\nb c", &[(1, 2)], Some("a\r\nc")),
            (" \n a b c d\n", &[(0, 1), (2, 3)], Some("b d\n")),
            ("a b c\n", &[(1, 3)], Some("a\n")),
            ("  a b \n", &[(1, 2)], Some("  a \n")),
            ("一二三", &[(1, 2)], Some("一 三")),
            ("a b\n", &[(0, 2)], None),
            ("", &[], None),
            ("a b", &[], Some("a b")),
        ] {
            assert_eq!(left(text, cuts).as_deref(), expected, "{text:?}");
        }
    }
}
