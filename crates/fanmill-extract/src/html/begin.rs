//! Recognition of HTML pages, and of their quirks mode, by how a text begins.
//!
//! Cost: O(n) in the white space, comments and the like before the first tag; O(1) after them.
//! Source: WHATWG HTML Standard, "The initial insertion mode" for document types; WHATWG MIME Sniffing, §7.1.

/// Returns whether a text starts with a tag that only pages start with, after comments and the like. Some mail programs
/// show such a text as a page whatever its header says, and messages of one campaign should be read alike even if some
/// have a broken header.
pub fn begins_as_page(text: &str) -> bool {
    let text = markup(text).as_bytes();
    let starts = ["<html", "<!doctype html", "<body", "<head"];
    starts.iter().any(|start| {
        text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
            && text.get(start.len()).is_some_and(|behind| b"> \t\r\n".contains(behind))
    })
}

/// Returns whether a text starts with any tag, so that some programs show it as a page and others as plain text.
pub fn begins_with_tag(text: &str) -> bool {
    let Some(text) = markup(text).strip_prefix('<') else { return false };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let behind = text.trim_start_matches(is_name);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && behind.starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/')
}

/// Returns whether browsers render a page in quirks mode, because it has no document type or an old one.
pub fn has_quirks(page: &str) -> bool {
    let start = markup(page);
    let end = start.find('>').unwrap_or(start.len());
    let doctype = start[..end].to_ascii_lowercase();
    let is_strict = doctype.contains("html 4.01") && doctype.contains("http://");
    let is_new = !doctype.contains("public") || doctype.contains("xhtml 1") || is_strict;
    !(doctype.starts_with("<!doctype html") && is_new)
}

/// Returns the text after leading white space, comments and the like.
fn markup(text: &str) -> &str {
    let mut text = text.trim_start_matches(is_blank);
    // Each pass removes one comment, so the loop ends.
    while let Some(behind) = behind(text, "<!--", "-->").or_else(|| behind(text, "<?", ">")) {
        text = behind.trim_start_matches(is_blank);
    }
    text
}

/// Returns the text after the first `end`, if the text begins with `start`.
fn behind<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    Some(text.strip_prefix(start)?.split_once(end)?.1)
}

/// Returns whether `c` is white space or a byte order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_tells_a_page() {
        let cases = [
            ("\u{FEFF} <HTML lang=en>", true, true),
            ("<!-- x --><?xml version=1?><!doctype html><p>", true, false),
            ("<body>", true, true),
            ("<div>", false, true),
            ("<my-tag/>", false, true),
            ("<htmlx> y", false, true),
            ("<html", false, false),
            ("<a@b.c> wrote", false, false),
            ("<3", false, false),
            ("1 < 2", false, false),
            ("<!-- <html>", false, false),
            ("", false, false),
        ];
        for (text, as_page, with_tag) in cases {
            assert_eq!(
                (begins_as_page(text), begins_with_tag(text)),
                (as_page, with_tag),
                "{text}"
            );
        }
    }

    #[test]
    fn old_document_types_have_old_rules() {
        let cases = [
            ("<p>", true),
            ("<!DOCTYPE HTML><p>", false),
            ("<!-- x --> <!doctype html SYSTEM 'about:legacy-compat'>", false),
            ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' 'x'>", false),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://x'>", false),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>", true),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.0 Transitional//EN'>", true),
            ("<!doctype svg>", true),
        ];
        for (page, expected) in cases {
            assert_eq!(has_quirks(page), expected, "{page}");
        }
    }
}
