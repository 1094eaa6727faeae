//! Tags with absurdly many attributes, made bare before the tokenizer sees them.
//!
//! The tokenizer compares the name of each attribute with those of all others of its tag, which is quadratic: a
//! megabyte of attributes takes it minutes. Tags with hundreds of them are read as if they had none, and counted.
//! The same guard as that of `fanmill-corpus`, which this crate does not need for anything else.
//!
//! Cost: O(n); only long tags are looked into.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

/// A shorter tag has too few attributes to be slow.
const LONG_TAG: usize = 2048;
/// More parts than a tag of real mail has.
const MAX_PARTS: usize = 512;
/// Elements in which there is no markup.
const RAW: [&str; 8] =
    ["script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea"];

/// The page, with each tag of more than [`MAX_PARTS`] parts as its name only; and how many these are.
pub(super) fn without_crowded_tags(page: &str) -> (Cow<'_, str>, usize) {
    let bytes = page.as_bytes();
    let mut out = String::new();
    let (mut kept, mut from, mut n_crowded) = (0, 0, 0);
    for at in memchr_iter(b'<', bytes) {
        if at < from {
            continue;
        }
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            from = memmem::find(&rest[4..], b"-->").map_or(bytes.len(), |n| at + 4 + n);
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
            let tag = tag(rest);
            from = at + tag.len;
            if tag.is_crowded {
                out.push_str(&page[kept..at + tag.name]);
                kept = from;
                n_crowded += 1;
            }
            from = raw_end(page, &page[at + 1..at + tag.name], from);
        }
    }
    if n_crowded == 0 {
        return (Cow::Borrowed(page), 0);
    }
    out.push_str(&page[kept..]);
    (Cow::Owned(out), n_crowded)
}

/// A tag: how many bytes there are before its `>`, and how many of these are `<` and its name.
struct Shape {
    len: usize,
    name: usize,
    is_crowded: bool,
}

/// Reads a tag as the standard does: a quote counts only behind an equals sign.
fn tag(rest: &[u8]) -> Shape {
    let ends_part = |byte: u8| matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ' | b'/');
    let ends_name = |&byte: &u8| byte == b'>' || ends_part(byte);
    let name = rest.iter().position(ends_name).unwrap_or(rest.len());
    let (mut at, mut n_parts, mut is_value) = (name, 0, false);
    while let Some(&byte) = rest.get(at).filter(|&&byte| byte != b'>') {
        if is_value && matches!(byte, b'"' | b'\'') {
            at += 1 + memchr(byte, &rest[at + 1..]).unwrap_or(rest.len() - at - 1);
            is_value = false;
            // What follows a closing quote is another attribute, with or without a space.
            n_parts += 1;
        } else if byte == b'=' {
            is_value = true;
        } else if ends_part(byte) {
            n_parts += usize::from(!is_value);
        } else {
            is_value = false;
        }
        at += 1;
    }
    let len = at.min(rest.len());
    Shape { len, name, is_crowded: len >= LONG_TAG && n_parts > MAX_PARTS }
}

/// Behind the text of an element in which there is no markup, such as a script.
fn raw_end(page: &str, name: &str, from: usize) -> usize {
    let bytes = page.as_bytes();
    if !RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
        return from;
    }
    let is_end = |&at: &usize| {
        let other = bytes[at + 2..].get(..name.len());
        other.is_some_and(|other| other.eq_ignore_ascii_case(name.as_bytes()))
    };
    let mut ends = memmem::find_iter(&bytes[from..], b"</").map(|at| from + at);
    ends.find(is_end).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowded_tags_become_bare_and_all_others_stay() {
        let many = " a=b c='>'".repeat(600);
        let close = format!(" {}", "a='x'".repeat(600));
        for many in [&*many, &*close] {
            let page = format!(
                "x<a{many}>y<script>i<n{many}</script><!-- <b{many}> --><p class=\"{}\">z",
                "a ".repeat(2000)
            );
            let bare = page.replacen(many, "", 1);
            assert_eq!(without_crowded_tags(&page), (Cow::Borrowed(&*bare), 1));
        }
        assert!(matches!(without_crowded_tags("<a b=\"c\">"), (Cow::Borrowed(_), 0)));
        assert_eq!(without_crowded_tags(&format!("<a{many}")).0, "<a");
        assert_eq!(without_crowded_tags(&format!("<a \"{many}>")).0, "<a>");
    }
}
