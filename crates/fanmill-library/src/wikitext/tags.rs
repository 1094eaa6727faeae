//! Tags of wikitext: those whose content is dropped, taken as it is, or read on.

use memchr::{memchr, memmem};

/// Elements whose content is no text.
const DROPPED: [&str; 21] = [
    "ref",
    "references",
    "gallery",
    "timeline",
    "score",
    "math",
    "chem",
    "ce",
    "hiero",
    "imagemap",
    "templatedata",
    "templatestyles",
    "graph",
    "mapframe",
    "maplink",
    "inputbox",
    "indicator",
    "includeonly",
    "section",
    "style",
    "script",
];
/// Elements whose content is text without markup.
const LITERAL: [&str; 5] = ["nowiki", "pre", "syntaxhighlight", "source", "code"];
/// Elements that end a line.
const LINES: [&str; 14] = [
    "br",
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "blockquote",
    "hr",
    "table",
    "tr",
    "center",
];
/// Other elements that may be in wikitext; anything else behind `<` is text.
const INLINE: [&str; 41] = [
    "abbr",
    "b",
    "bdi",
    "bdo",
    "big",
    "caption",
    "cite",
    "data",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "ins",
    "kbd",
    "mark",
    "noinclude",
    "onlyinclude",
    "poem",
    "q",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "td",
    "th",
    "time",
    "tt",
    "u",
    "var",
    "wbr",
    "h2",
];
/// Maximum length of a tag in bytes.
const LONGEST: usize = 4096;

/// An element, or text, at a `<`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup<'s> {
    /// Something without text, up to a position.
    Dropped(usize),
    /// Text without markup, and the position behind it; `true` if it has lines of its own.
    Literal(&'s str, usize, bool),
    /// A tag up to a position; `true` if it ends a line.
    Tag(usize, bool),
    /// Text.
    Text,
}

/// Finds tags of a source, and remembers which elements are not closed any more.
#[derive(Debug)]
pub(super) struct Tags<'s> {
    source: &'s str,
    /// Names of elements without an end tag behind here, and `!--` for comments.
    unclosed: Vec<&'static str>,
}

impl<'s> Tags<'s> {
    pub(super) fn new(source: &'s str) -> Tags<'s> {
        Tags { source, unclosed: Vec::new() }
    }

    /// Reads the element at a `<`.
    pub(super) fn at(&mut self, at: usize) -> Markup<'s> {
        let rest = &self.source[at..];
        if rest.starts_with("<!--") {
            return match self.find(at + 4, "!--", |rest| memmem::find(rest, b"-->")) {
                Some(end) => Markup::Dropped(end + 3),
                // Up to the end of the page, as MediaWiki reads it.
                None => Markup::Dropped(self.source.len()),
            };
        }
        let Some((name, is_end, end)) = tag(rest) else { return Markup::Text };
        let (end, is_empty) = (at + end, rest[..end].ends_with("/>"));
        let own = |names: &[&'static str]| {
            names.iter().find(|own| own.eq_ignore_ascii_case(name)).copied()
        };
        if let Some(name) = own(&DROPPED) {
            let closed = if is_end || is_empty { None } else { self.end_tag(end, name) };
            return Markup::Dropped(closed.map_or(end, |(_, behind)| behind));
        }
        if let Some(name) = own(&LITERAL) {
            let closed = if is_end || is_empty { None } else { self.end_tag(end, name) };
            return match closed {
                Some((inside, behind)) => {
                    let is_block = !matches!(name, "nowiki" | "code");
                    Markup::Literal(&self.source[end..inside], behind, is_block)
                }
                None => Markup::Tag(end, false),
            };
        }
        match (own(&LINES), own(&INLINE)) {
            (Some(_), _) => Markup::Tag(end, true),
            (None, Some(_)) => Markup::Tag(end, false),
            (None, None) => Markup::Text,
        }
    }

    /// Returns where the content of an element ends, and where its end tag does.
    fn end_tag(&mut self, from: usize, name: &'static str) -> Option<(usize, usize)> {
        let inside = self.find(from, name, |rest| {
            memmem::find_iter(rest, b"</").find(|&at| {
                let behind = rest.get(at + 2..at + 2 + name.len());
                let next = rest.get(at + 2 + name.len());
                behind.is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
                    && next.is_none_or(|byte| !byte.is_ascii_alphanumeric())
            })
        })?;
        let behind = memchr(b'>', &self.source.as_bytes()[inside..]);
        Some((inside, behind.map_or(self.source.len(), |n| inside + n + 1)))
    }

    /// Looks for the end of something, unless it is known that there is none.
    fn find(
        &mut self,
        from: usize,
        what: &'static str,
        find: impl FnOnce(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        if self.unclosed.contains(&what) {
            return None;
        }
        let found = self.source.as_bytes().get(from..).and_then(find);
        if found.is_none() {
            self.unclosed.push(what);
        }
        found.map(|n| from + n)
    }
}

/// Returns the position behind a comment, or an element whose content is not read, that begins at a `<`.
pub(super) fn behind_literal(tags: &mut Tags<'_>, at: usize) -> Option<usize> {
    match tags.at(at) {
        Markup::Dropped(end) | Markup::Literal(_, end, _) => Some(end),
        Markup::Tag(..) | Markup::Text => None,
    }
}

/// Parses a tag: its name, whether it is an end tag, and its length.
fn tag(rest: &str) -> Option<(&str, bool, usize)> {
    let bytes = rest.as_bytes();
    let is_end = bytes.get(1) == Some(&b'/');
    let from = if is_end { 2 } else { 1 };
    let n = bytes[from..].iter().take(32).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if n == 0 || !bytes[from].is_ascii_alphabetic() {
        return None;
    }
    let behind = &bytes[from + n..bytes.len().min(LONGEST)];
    let is_bound =
        behind.first().is_some_and(|byte| matches!(byte, b'>' | b'/' | b' ' | b'\n' | b'\t'));
    let end = memchr(b'>', behind)?;
    let is_inside = memchr(b'<', &behind[..end]).is_none();
    (is_bound && is_inside).then(|| (&rest[from..from + n], is_end, from + n + end + 1))
}
