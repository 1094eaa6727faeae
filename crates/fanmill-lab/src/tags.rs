//! Removal of the tags of Web pages, as in the winnowing paper.
//!
//! Everything between `<` and `>` is replaced by blanks, byte for byte, so that positions in the text are positions in
//! the page. Everything else remains, including scripts: the string that the paper found so often,
//! "documentwritedocumentwrite", comes from them. References such as `&nbsp;` remain as spelled.
//!
//! Cost: O(n) time.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 ("non-whitespace, non-tag characters"), which says no more
//! about it.

/// Number of bytes at the start of a document that are searched for signs of a page.
const HEAD: usize = 1024;

/// Returns whether a document is a page, by its name or its beginning.
pub(crate) fn is_page(name: &str, text: &str) -> bool {
    let extension = name.rsplit(['/', '.']).next().unwrap_or_default().to_ascii_lowercase();
    let start = text.trim_start().as_bytes();
    let head = start[..start.len().min(HEAD)].to_ascii_lowercase();
    matches!(&*extension, "html" | "htm" | "xhtml" | "shtml")
        || head.starts_with(b"<!doctype html")
        || head.starts_with(b"<html")
}

/// Replaces tags and comments by blanks of the same length, except for line ends. A `<` that is never closed is text.
pub(crate) fn blank(page: String) -> String {
    let mut bytes = page.into_bytes();
    let mut at = 0;
    // After the last `>` there can be no tag. Without this check, a page of `<` only would take O(n²).
    let last = bytes.iter().rposition(|&byte| byte == b'>').unwrap_or(0);
    while let Some(start) = find(&bytes, at, b'<').filter(|&start| start < last) {
        let rest = &bytes[start..];
        at = start + 1;
        let end = if rest.starts_with(b"<!--") {
            // Browsers treat a comment that does not end as the rest of the page.
            Some(comment_end(&bytes, start).unwrap_or(bytes.len()))
        } else if rest.len() > 1 && (rest[1].is_ascii_alphabetic() || b"/!?".contains(&rest[1])) {
            find(&bytes, start, b'>').map(|end| end + 1)
        } else {
            None
        };
        if let Some(end) = end {
            for byte in &mut bytes[start..end] {
                *byte = if matches!(*byte, b'\n' | b'\r') { *byte } else { b' ' };
            }
            at = end;
        }
    }
    String::from_utf8(bytes).expect("whole characters were replaced: `<` and `>` are none's inside")
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    bytes[from..].iter().position(|&byte| byte == wanted).map(|at| from + at)
}

fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let inside = start + b"<!--".len();
    bytes[inside..].windows(3).position(|three| three == b"-->").map(|at| inside + at + 3)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_become_blanks_and_everything_else_stays() {
        for (page, text) in [
            ("<p class=\"x\">a<br/>b</p>", "             a     b    "),
            (
                "<script>if (a < b) document.write('x');</script>",
                "        if (a < b) document.write('x');         ",
            ),
            ("a <!-- <b> \n -->c", "a          \n    c"),
            ("a <!-- b>c", "a         "),
            ("1 < 2 > 0 <3", "1 < 2 > 0 <3"),
            ("<é>é</é", "<é>é</é"),
            ("<a é>é", "      é"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(blank(page.to_owned()), text, "{page}");
        }
    }

    #[test]
    fn a_page_is_recognised_by_its_name_or_its_beginning() {
        assert!(
            is_page("a/b.HTML", "") && is_page("x", " <!DOCTYPE html>") && is_page("x", "<html>")
        );
        assert!(!is_page("html", "text") || is_page("html", "<html"));
        assert!(!is_page("a.txt", "the <html> tag"));
    }

    #[test]
    fn malicious_pages_take_no_longer() {
        for unit in ["<", "<a", "<!--", "<!-- >", "</", "<a>"] {
            blank(unit.repeat(1 << 20));
        }
    }

    proptest! {
        #[test]
        fn positions_stay(page in "[<>!a/ é\n-]{0,60}") {
            let text = blank(page.clone());
            prop_assert_eq!(text.len(), page.len());
            for (before, after) in page.bytes().zip(text.bytes()) {
                prop_assert!(before == after || after == b' ');
            }
        }
    }
}
