//! Tags with absurdly many attributes, made bare before the tokenizer sees them.
//!
//! The tokenizer compares each attribute with all others of its tag, which is quadratic: a megabyte
//! of attributes takes it minutes. Attributes are not used here, so those of a tag with hundreds of
//! them are left out. Real pages have no such tag, and are borrowed as they are.
//!
//! Cost: O(n); only long tags are looked into.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

/// A shorter tag has too few attributes to be slow: a thousand of them take half a millisecond.
const LONG_TAG: usize = 2048;
/// More parts than a tag of a real page has.
const MAX_PARTS: usize = 512;

/// The page, with each tag of more than [`MAX_PARTS`] parts as its name only.
pub(super) fn without_crowded_tags(page: &str) -> Cow<'_, str> {
    let bytes = page.as_bytes();
    let mut out = String::new();
    let (mut kept, mut from) = (0, 0);
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
            if tag.n_parts > MAX_PARTS {
                out.push_str(&page[kept..at + tag.name]);
                kept = from;
            }
            from = raw_end(bytes, at + 1, tag.name - 1, from);
        }
    }
    if kept == 0 {
        return Cow::Borrowed(page);
    }
    out.push_str(&page[kept..]);
    Cow::Owned(out)
}

/// A tag: how many bytes there are before its `>`, and how many of them are `<` and its name.
struct TagShape {
    len: usize,
    name: usize,
    n_parts: usize,
}

/// Reads a tag as the standard does: a quote counts only behind an equals sign.
fn tag(rest: &[u8]) -> TagShape {
    let is_name = |byte: &u8| !matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ' | b'/' | b'>');
    let name = rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len());
    let (mut at, mut n_parts, mut is_value) = (name, 0, false);
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'>' => break,
            b'"' | b'\'' if is_value => {
                at += 1 + memchr(byte, &rest[at + 1..]).unwrap_or(rest.len() - at - 1);
                is_value = false;
            }
            b'=' => is_value = true,
            b'\t' | b'\n' | 0xC | b'\r' | b' ' | b'/' => n_parts += usize::from(!is_value),
            _ => is_value = false,
        }
        at += 1;
    }
    let len = at.min(rest.len());
    TagShape { len, name, n_parts: if len < LONG_TAG { 0 } else { n_parts } }
}

/// Behind the text of an element in which there is no markup, such as a script.
fn raw_end(bytes: &[u8], name: usize, n: usize, from: usize) -> usize {
    let name = bytes[name..name + n].to_ascii_lowercase();
    let is_raw =
        [&b"script"[..], b"style", b"xmp", b"iframe", b"noembed", b"noframes", b"noscript"]
            .contains(&&*name)
            || [&b"title"[..], b"textarea"].contains(&&*name);
    if !is_raw {
        return from;
    }
    let ends = memmem::find_iter(&bytes[from..], b"</").map(|at| from + at);
    let is_end = |&at: &usize| {
        bytes[at + 2..].get(..n).is_some_and(|other| other.eq_ignore_ascii_case(&name))
    };
    ends.into_iter().find(is_end).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowded_tags_become_bare_and_all_others_stay() {
        let many = " a=b c='>'".repeat(600);
        let page =
            format!("x<a{many}>y<script>i<n{many}</script><!-- <b{many}> --><p class=\"{many}\">z");
        let bare = page.replacen(&many, "", 1);
        assert_eq!(without_crowded_tags(&page), bare);
        assert!(matches!(without_crowded_tags("<a b=\"c\">"), Cow::Borrowed(_)));
        assert_eq!(without_crowded_tags(&format!("<a{many}")), "<a");
        assert_eq!(without_crowded_tags(&format!("<a \"{many}>")), "<a>");
    }
}
