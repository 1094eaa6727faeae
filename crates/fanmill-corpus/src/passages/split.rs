//! Splitting texts into paragraphs or lines, and removing some of them.

use std::fmt;
use std::ops::Range;

/// The parts of a text that are compared and removed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Consecutive lines with text, separated by lines without.
    Paragraph,
    /// Lines with text.
    Line,
}

impl Unit {
    /// Returns the parts of `text`, in order, as ranges of bytes. Line ends do not belong to parts, except inside a
    /// paragraph; every part holds something besides white space.
    ///
    /// | text | paragraphs | lines |
    /// |---|---|---|
    /// | `a⏎b⏎⏎ ⏎c⏎` | `a⏎b`, `c` | `a`, `b`, `c` |
    pub fn split(self, text: &str) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let (mut start, mut goes_on) = (0, false);
        for line in text.split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let is_blank = line.trim().is_empty();
            match parts.last_mut() {
                Some(last) if goes_on && !is_blank && self == Unit::Paragraph => last.end = end,
                _ if !is_blank => parts.push(start..end),
                _ => {}
            }
            goes_on = !is_blank;
            start += line.len();
        }
        parts
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Paragraph => "paragraph",
            Unit::Line => "line",
        })
    }
}

/// Returns the text without the given parts, which ascend; each is removed with the line ends and white space that
/// follow it.
///
/// Returns `None` if only white space is left.
pub fn without(text: &str, parts: &[Range<usize>]) -> Option<String> {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for part in parts {
        left.push_str(&text[at..part.start]);
        let after = &text[part.end..];
        at = text.len() - after.trim_start().len();
        // Keep the indentation of the text that follows.
        if let Some(line) = text[part.end..at].rfind('\n') {
            at = part.end + line + 1;
        }
    }
    left.push_str(&text[at..]);
    let end = left.trim_end().len();
    if end == 0 {
        return None;
    }
    if text[at..].is_empty() {
        // The last part was removed: end the text in the same way as before.
        left.truncate(end);
        left.push_str(&text[text.trim_end().len()..]);
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(unit: Unit, text: &str) -> Vec<&str> {
        unit.split(text).into_iter().map(|part| &text[part]).collect()
    }

    #[test]
    fn paragraphs_and_lines() {
        let text = "a\r\nb\r\n\r\n \t\r\n  c d\n";
        assert_eq!(parts(Unit::Paragraph, text), ["a\r\nb", "  c d"]);
        assert_eq!(parts(Unit::Line, text), ["a", "b", "  c d"]);
        assert_eq!(parts(Unit::Line, ""), [""; 0]);
        assert_eq!(parts(Unit::Paragraph, "\n\n"), [""; 0]);
        assert_eq!(parts(Unit::Paragraph, "one"), ["one"]);
    }

    #[test]
    fn what_is_left_reads_on() {
        let text = "Home | About\n\nA story.\n\n  It ends.\n\n(c) nobody\n";
        let parts = Unit::Paragraph.split(text);
        let left = |removed: &[usize]| {
            without(text, &removed.iter().map(|&i| parts[i].clone()).collect::<Vec<_>>())
        };
        assert_eq!(left(&[0, 3]).as_deref(), Some("A story.\n\n  It ends.\n"));
        assert_eq!(left(&[1]).as_deref(), Some("Home | About\n\n  It ends.\n\n(c) nobody\n"));
        assert_eq!(left(&[]).as_deref(), Some(text));
        assert_eq!(left(&[0, 1, 2, 3]), None);
    }

    proptest! {
        #[test]
        fn nothing_else_is_lost(text in "([a-c ]{0,3}(\n|\r\n| |é)){0,12}", mask in any::<u16>()) {
            for unit in [Unit::Paragraph, Unit::Line] {
                let parts = unit.split(&text);
                let is_removed = |i: &usize| mask >> (i % 16) & 1 == 1;
                let removed: Vec<_> = (0..parts.len()).filter(is_removed).map(|i| parts[i].clone()).collect();
                let stays: Vec<&str> = (0..parts.len()).filter(|i| !is_removed(i)).map(|i| text[parts[i].clone()].trim()).collect();
                let left = without(&text, &removed);
                prop_assert_eq!(left.is_none(), stays.is_empty());
                let left = left.unwrap_or_default();
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                prop_assert_eq!(words(&left), words(&stays.join("\n")));
            }
        }
    }
}
