//! The text of a page, without building its tree.
//!
//! [`reading`](crate::html::reading) finds the tags and the text, and [`elements`](crate::html::elements) knows which
//! elements end a line or a paragraph. A tree would add only the repair of wrong nesting, which does not change the
//! text.
//!
//! The title and all text of the body are kept. Scripts, styles, templates, frames, replacements for missing scripts,
//! comments, and all attributes are dropped. White space becomes one space except in preformatted text; lines end where
//! blocks do, and paragraphs are separated by an empty line. Hidden text (`hidden`, `display:none`) is text, too: style
//! sheets are not read.
//!
//! Cost: O(n) time and memory in the page.

use crate::html::elements::{NoScript, gap_around};
use crate::html::flow::{Flow, Gap};
use crate::html::reading::{Reader, read};
use html5ever::tokenizer::{Tag, TagKind};

/// Returns the text of a page.
pub fn text(page: &str) -> String {
    read(page, NoScript::Text, TextCollector::with_capacity(page.len() / 4)).0.flow.into_text()
}

/// The reader that collects the text of a page.
#[derive(Debug)]
pub(super) struct TextCollector {
    pub(super) flow: Flow,
    /// Number of open preformatted elements.
    n_preformatted: usize,
    /// Number of open templates.
    n_templates: usize,
    /// If set, the characters up to the next tag are not text.
    is_dropped: bool,
}

/// Returns the gap before and after an element. In a page, blocks are paragraphs, and so are the title and the
/// outermost elements.
fn gap(name: &str) -> Gap {
    match name {
        "body" | "div" | "head" | "html" | "search" | "tbody" | "tfoot" | "thead" | "title" => {
            Gap::Paragraph
        }
        "img" => Gap::Space,
        _ => gap_around(name),
    }
}

impl TextCollector {
    pub(super) fn with_capacity(bytes: usize) -> TextCollector {
        let flow = Flow::with_capacity(bytes);
        TextCollector { flow, n_preformatted: 0, n_templates: 0, is_dropped: false }
    }

    /// Returns whether characters at this place are text.
    pub(super) fn is_shown(&self) -> bool {
        !self.is_dropped && self.n_templates == 0
    }

    /// Notes which elements are open, without a gap in the text.
    pub(super) fn note(&mut self, tag: &Tag) {
        let name = &*tag.name;
        let is_start = tag.kind == TagKind::StartTag;
        let open = match name {
            "pre" | "textarea" | "listing" | "xmp" | "plaintext" => Some(&mut self.n_preformatted),
            "template" => Some(&mut self.n_templates),
            _ => None,
        };
        if let Some(open) = open {
            *open = if is_start { *open + 1 } else { open.saturating_sub(1) };
        }
        self.is_dropped = is_start
            && matches!(name, "script" | "style" | "iframe" | "noembed" | "noframes" | "noscript");
    }
}

impl Reader for TextCollector {
    fn tag(&mut self, tag: &Tag) {
        self.flow.widen(gap(&tag.name));
        self.note(tag);
    }

    fn text(&mut self, characters: &str) {
        if !self.is_shown() {
            return;
        }
        if self.n_preformatted > 0 {
            self.flow.push_preformatted(characters);
        } else {
            self.flow.push(characters);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pages_have_the_text_that_one_sees() {
        let cases = [
            ("<title>A &amp; B</title><body><h1>Head</h1>text", "A & B\n\nHead\n\ntext"),
            ("<p>one\n  two<p>three<b>four</b> <i> five</i>", "one two\n\nthreefour five"),
            ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
            ("a<br>b<br/>c", "a\nb\nc"),
            ("<table><tr><td>1<td>2<tr><td>3</table>", "1 2\n3"),
            ("<script>if (a<b) '</p>'</script>x<style>p{}</style>", "x"),
            ("x<noscript><p>on</p></noscript><template>t<template>u</template>v</template>y", "xy"),
            ("<!-- no --><p>&eacute;&#x1F980;&nosuch;&lt;", "é🦀&nosuch;<"),
            ("<pre>\n  a\n   b\n</pre>c", "  a\n   b\n\nc"),
            ("<textarea> <b>x</b></textarea>", " <b>x</b>"),
            (
                "<div>a</div><xmp><b></xmp>b<plaintext><i></plaintext>",
                "a\n\n<b>\n\nb\n\n<i></plaintext>",
            ),
            ("<script><!-- '<script></script>x", "x"),
            ("<p hidden>seen</p><p style='display:none'>too", "seen\n\ntoo"),
            ("<p>cut off <a href=\"", "cut off"),
            ("<script>never closed", ""),
            ("a\0b", "ab"),
            ("", ""),
        ];
        for (page, expected) in cases {
            assert_eq!(text(page), expected, "{page}");
        }
    }

    /// Pages of about a megabyte each that are slow for parsers that build trees or look back.
    #[test]
    fn pages_made_to_hurt_take_linear_time() {
        let attributes: String =
            (0..200_000).fold(String::new(), |all, i| all + " a" + &i.to_string());
        let pages = [
            "<ul><li>".repeat(100_000),
            "<b>".repeat(300_000),
            "<template>".repeat(100_000) + "x",
            "<pre>\n".repeat(200_000),
            "<".repeat(1_000_000),
            "&".repeat(1_000_000),
            format!("<a{attributes}>x"),
            format!("<a{}>x", attributes.replace(" a1", " \"<a1")),
            format!("<!--><a{attributes}>x"),
            format!("x</a{attributes}>x"),
            format!("<script><!--<script></script><a b=\"</script><a{attributes}>x"),
            "<!--".repeat(250_000),
            "<script><!--<script>".repeat(50_000),
        ];
        for page in pages {
            let (_, effort) = fanmill_effort::of(|| text(&page));
            let start_of_page = &page[..20];
            assert!(effort < Duration::from_secs(10), "{start_of_page}");
        }
    }

    proptest! {
        #[test]
        fn no_page_makes_it_panic(parts in prop::collection::vec(prop::sample::select(&["<p>", "</p>", "<pre>", "</pre>", "<script>", "</script>", "<template>", "</template>", "<!--", "-->", "<a b='", "'", ">", "x", " ", "\n", "&amp", "<meta charset=", "é"][..]), 0..30)) {
            let page = parts.concat();
            let found = text(&page);
            prop_assert!(found.len() <= 2 * page.len());
            crate::html::decode(page.as_bytes(), None);
        }

        #[test]
        fn plain_words_are_themselves(words in prop::collection::vec("[a-zé]{1,6}", 0..10)) {
            prop_assert_eq!(text(&words.join(" \n ")), words.join(" "));
        }
    }
}
