//! Quotations in prose: text between quotation marks, and lines that begin with `>`. (Quotations by the tags of a page
//! are found by its front end: [`VisibleProse::quoted`](super::VisibleProse::quoted).)
//!
//! Folded text has one kind of double quotation mark: `"` is also written for `“ ” „ « »`. One opens where a word may
//! begin, and the next one closes; a quotation does not reach beyond its paragraph or [`LONGEST`] bytes, so a mark
//! without a partner hides nothing. Lines that begin with `>` or `>>`, as in mail and Markdown, are quoted whole; `>>>`
//! is a prompt, and not quoted. A prompt of one `>`, as in R, is taken for a quotation.
//!
//! Not recognised: single quotation marks, which are apostrophes as well, and blocks that are only indented.
//!
//! Cost: O(n).

use std::ops::Range;

use memchr::memchr;

/// Maximum number of bytes between two quotation marks: about 700 words.
const LONGEST: usize = 4096;

/// Returns the quotations in a folded text, marks included: ascending and disjoint.
pub fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut paragraph = 0;
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let range = at..at + line.len();
        at = range.end;
        let is_quoted = is_quoted(line);
        if is_quoted || line.trim().is_empty() {
            in_marks(text, paragraph..range.start, &mut found);
            paragraph = range.end;
        }
        if is_quoted {
            found.push(range);
        }
    }
    in_marks(text, paragraph..at, &mut found);
    found
}

/// Returns whether a line is quoted by a `>` before it.
fn is_quoted(line: &str) -> bool {
    let marked = line.trim_start_matches(' ');
    let n_marks = marked.bytes().take_while(|&byte| byte == b'>').count();
    let indent = line.len() - marked.len();
    indent <= 3 && (1..=2).contains(&n_marks) && marked[n_marks..].starts_with([' ', '\n', '\r'])
}

/// Appends the quotations between marks in a paragraph.
fn in_marks(text: &str, paragraph: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut open = None;
    let mut at = paragraph.start;
    while let Some(offset) = memchr(b'"', &text.as_bytes()[at..paragraph.end]) {
        let mark = at + offset;
        at = mark + 1;
        match open.filter(|&open| at - open <= LONGEST) {
            Some(start) if !may_only_open(text, mark) => {
                found.push(start..at);
                open = None;
            }
            // A new mark, or one after a mark that was never closed.
            _ => open = may_open(text, mark).then_some(mark),
        }
    }
}

/// Returns whether a quotation may begin with the mark at a place: behind a space, a bracket or a dash.
fn may_open(text: &str, mark: usize) -> bool {
    let before = text[..mark].chars().next_back();
    before.is_none_or(|c| c.is_whitespace() || "([{-/'".contains(c))
}

/// Returns whether the mark cannot end a quotation: a word follows it and none is before it.
fn may_only_open(text: &str, mark: usize) -> bool {
    let after = text[mark + 1..].chars().next();
    may_open(text, mark) && after.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frontend::Text;

    fn quoted(text: &str) -> Vec<String> {
        let text = Text::new(text.as_bytes());
        let text = text.as_str();
        quotations(text).into_iter().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn marks_of_many_kinds_quote() {
        for text in [
            "He said \"the ferry is late\" and left.",
            "He said “the ferry is late” and left.",
            "Er sagte „the ferry is late“ und ging.",
            "Er sagte »the ferry is late« und ging.",
            "Er sagte («the ferry is late»).",
            "He said--\"the ferry is late\"--and left.",
        ] {
            assert_eq!(quoted(text), ["\"the ferry is late\""], "{text}");
        }
        assert_eq!(quoted("Il dit « le bac »."), ["\" le bac \""]);
        assert_eq!(quoted("\"a\" \"b\", and (\"c\")"), ["\"a\"", "\"b\"", "\"c\""]);
    }

    #[test]
    fn a_mark_without_a_partner_hides_nothing() {
        assert!(quoted("A nail of 5\" and one of 6\" lay there.").is_empty());
        assert!(quoted("\"It never ends.\n\nAnother paragraph.").is_empty());
        assert_eq!(quoted("\"It never ends, and \"this does\"."), ["\"this does\""]);
        let long = format!("\"{}\"", "word ".repeat(LONGEST / 5 + 1));
        assert!(quoted(&long).is_empty());
        assert_eq!(quoted("\"one line\nand the next\""), ["\"one line\nand the next\""]);
    }

    #[test]
    fn lines_behind_a_mark_are_quoted_and_prompts_are_not() {
        let text = "On Monday she wrote:\n> The ferry\n>> is late.\n>\nIt was.\n";
        assert_eq!(quoted(text), ["> The ferry\n", ">> is late.\n", ">\n"]);
        assert!(quoted(">>> ferry.late()\n->x\n    > four spaces\n<b>x</b>").is_empty());
        assert_eq!(quoted("a\r> b\rc"), ["> b\r"]);
    }

    proptest! {
        #[test]
        fn quotations_ascend_and_are_disjoint(text in "[a \"“>\n\r(é-]{0,60}") {
            let found = quotations(&text);
            prop_assert!(found.iter().all(|range| range.start < range.end && text.get(range.clone()).is_some()));
            prop_assert!(found.windows(2).all(|two| two[0].end <= two[1].start));
        }
    }
}
