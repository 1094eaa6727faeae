//! The text of a page, without building its tree.
//!
//! The tokenizer of HTML says where tags, text and references are; which elements end a line or a
//! paragraph is a table. What a tree would add, the repair of wrong nesting, says nothing about
//! the text, and its cost is quadratic in depth on pages made to hurt.
//!
//! Kept are the title and all text of the body; dropped are scripts, styles, templates, frames, what
//! stands in for missing scripts, comments, and all attributes. Spaces are one space except in
//! preformatted text; lines end where blocks do, and an empty line is between paragraphs. Whether
//! a style sheet hides something (`hidden`, `display:none`) is not asked: hidden text is text.
//!
//! Cost: O(n) time and memory in the page.
//! Source: WHATWG HTML Standard, "Tokenization", "Parsing HTML documents" and, for [`decode`],
//! WHATWG Encoding Standard.

mod thin;

use std::borrow::Cow;
use std::cell::RefCell;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use memchr::memmem;

/// Bytes of a page in which its encoding is looked for: four times what the standard reads, since
/// many pages put scripts before it.
const PRESCAN: usize = 4096;

/// The text of a page.
pub fn text(page: &str) -> String {
    let page = thin::without_crowded_tags(page);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(&page));
    let sink = Sink(RefCell::new(Text::with_capacity(page.len() / 4)));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    // Scripts are not run, so that the tokenizer stops for none of them.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner().out
}

/// A page as characters: in the encoding of its byte order mark, else of `label`, which is that of
/// the transfer, else of its own `<meta>`; else, or if that is nonsense, what
/// [`fanmill::frontend::decode`] makes of the bytes.
pub fn decode<'a>(page: &'a [u8], label: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(page) {
        return encoding.decode_without_bom_handling(&page[mark..]).0;
    }
    let named = |label: &[u8]| Encoding::for_label(label).filter(|&own| own != REPLACEMENT);
    let declared = label.and_then(|label| named(label.as_bytes())).or_else(|| {
        let own = declared(&page[..page.len().min(PRESCAN)]).and_then(named)?;
        // As the standard has it: bytes in which `<meta` could be read are not UTF-16.
        Some(if own == UTF_16LE || own == UTF_16BE { UTF_8 } else { own })
    });
    match declared {
        Some(encoding) if encoding != UTF_8 => encoding.decode_without_bom_handling(page).0,
        // Where it is what it says this is the same; where not, it is the better guess.
        _ => fanmill::frontend::decode(page).text,
    }
}

/// The encoding that a page says it has: `charset=` inside of a `<meta …>`.
fn declared(head: &[u8]) -> Option<&[u8]> {
    let lower = head.to_ascii_lowercase();
    for start in memmem::find_iter(&lower, b"<meta") {
        let end = lower[start..].iter().position(|&byte| byte == b'>');
        let tag = &lower[start..end.map_or(lower.len(), |end| start + end)];
        let Some(at) = memmem::find(tag, b"charset") else { continue };
        let value = tag[at + b"charset".len()..].trim_ascii_start();
        let Some(value) = value.strip_prefix(b"=") else { continue };
        let quotes = value.iter().take_while(|byte| b" \"'".contains(byte)).count();
        let is_end = |byte: &u8| b" \"';/>".contains(byte);
        let n = value[quotes..].iter().position(is_end).unwrap_or(value.len() - quotes);
        let from = start + at + (tag.len() - at - value.len()) + quotes;
        return Some(&head[from..from + n]);
    }
    None
}

/// What is between two pieces of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Space,
    Line,
    Paragraph,
}

/// A text in the making.
#[derive(Debug)]
struct Text {
    out: String,
    gap: Gap,
    /// How many elements of preformatted text are open.
    n_preformatted: usize,
    /// How many templates are open.
    n_templates: usize,
    /// Whether what comes up to the next tag is no text.
    is_dropped: bool,
}

/// Where the tokenizer puts its tokens.
struct Sink(RefCell<Text>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut text = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => return text.tag(&tag),
            Token::CharacterTokens(characters) => text.push(&characters),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// What an element ends before and after it.
fn gap_around(name: &str) -> Gap {
    match name {
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center"
        | "details" | "dialog" | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "head" | "header"
        | "hgroup" | "hr" | "html" | "legend" | "listing" | "main" | "menu" | "nav" | "ol"
        | "p" | "plaintext" | "pre" | "search" | "section" | "summary" | "table" | "tbody"
        | "tfoot" | "textarea" | "thead" | "title" | "ul" | "xmp" => Gap::Paragraph,
        "br" | "dd" | "dt" | "li" | "optgroup" | "option" | "select" | "tr" => Gap::Line,
        "td" | "th" | "img" | "button" | "input" => Gap::Space,
        _ => Gap::Nothing,
    }
}

/// How the tokenizer reads what is inside of an element, where that is no markup.
fn raw_kind(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => Some(RawKind::Rawtext),
        "title" | "textarea" => Some(RawKind::Rcdata),
        _ => None,
    }
}

impl Text {
    fn with_capacity(bytes: usize) -> Text {
        Text {
            out: String::with_capacity(bytes),
            gap: Gap::Nothing,
            n_preformatted: 0,
            n_templates: 0,
            is_dropped: false,
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let is_start = tag.kind == TagKind::StartTag;
        self.gap = self.gap.max(gap_around(name));
        self.is_dropped = false;
        let open = match name {
            "pre" | "textarea" | "listing" | "xmp" | "plaintext" => Some(&mut self.n_preformatted),
            "template" => Some(&mut self.n_templates),
            _ => None,
        };
        if let Some(open) = open {
            *open = if is_start { *open + 1 } else { open.saturating_sub(1) };
        }
        match raw_kind(name) {
            Some(kind) if is_start => {
                let keeps = matches!(name, "title" | "textarea" | "xmp");
                self.is_dropped = !keeps;
                TokenSinkResult::RawData(kind)
            }
            _ if is_start && name == "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }

    fn push(&mut self, characters: &str) {
        if self.is_dropped || self.n_templates > 0 {
            return;
        }
        if self.n_preformatted > 0 {
            return self.push_preformatted(characters);
        }
        let is_space = |c: char| c.is_ascii_whitespace();
        if characters.starts_with(is_space) {
            self.gap = self.gap.max(Gap::Space);
        }
        for word in characters.split_ascii_whitespace() {
            self.close_gap();
            self.out.push_str(word);
            self.gap = Gap::Space;
        }
        if !characters.ends_with(is_space) && self.gap == Gap::Space {
            self.gap = Gap::Nothing;
        }
    }

    fn push_preformatted(&mut self, characters: &str) {
        // A line feed next to the tags is not part of the text.
        let is_begin = self.gap >= Gap::Line;
        let characters =
            if is_begin { characters.trim_start_matches(['\r', '\n']) } else { characters };
        if !characters.is_empty() {
            self.close_gap();
            self.out.push_str(characters);
        }
    }

    /// Writes what is between the last text and the next one.
    fn close_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::Nothing);
        if self.out.is_empty() {
            return;
        }
        if gap >= Gap::Line {
            self.out.truncate(self.out.trim_end().len());
        }
        self.out.push_str(match gap {
            Gap::Nothing => "",
            Gap::Space => " ",
            Gap::Line => "\n",
            Gap::Paragraph => "\n\n",
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

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

    #[test]
    fn encodings_are_found_in_their_order() {
        let (page, _, _) = encoding_rs::WINDOWS_1251.encode("<meta charset=\"windows-1251\">при");
        assert!(decode(&page, None).ends_with("при"));
        assert!(!decode(&page, Some("koi8-r")).ends_with("при"));
        assert!(decode(&page, Some("no such label")).ends_with("при"));
        let equiv = "<META http-equiv=Content-Type content='text/html; charset=windows-1251'>при";
        assert!(decode(&encoding_rs::WINDOWS_1251.encode(equiv).0, None).ends_with("при"));
        assert_eq!(decode("\u{FEFF}é".as_bytes(), Some("windows-1251")), "é");
        assert_eq!(decode("<meta charset=utf-16>é".as_bytes(), None), "<meta charset=utf-16>é");
        assert_eq!(
            decode(b"caf\xe9 cr\xe8me, d\xe9j\xe0 vu", Some("utf-8")),
            "café crème, déjà vu"
        );
        let (japanese, _, _) = encoding_rs::SHIFT_JIS.encode("日本語のテキスト");
        assert_eq!(decode(&japanese, Some("Shift_JIS")), "日本語のテキスト");
        assert_eq!(decode(b"<meta charset", None), "<meta charset");
        assert_eq!(decode(b"<meta charset= >x", None), "<meta charset= >x");
    }

    /// Each page of a megabyte or so, made to be slow for what builds trees or looks back.
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
            "<!--".repeat(250_000),
            "<script><!--<script>".repeat(50_000),
        ];
        for page in pages {
            let start = Instant::now();
            let _ = text(&page);
            let start_of_page = &page[..20];
            assert!(start.elapsed() < Duration::from_secs(10), "{start_of_page}");
        }
    }

    proptest! {
        #[test]
        fn no_page_makes_it_panic(parts in prop::collection::vec(prop::sample::select(&["<p>", "</p>", "<pre>", "</pre>", "<script>", "</script>", "<template>", "</template>", "<!--", "-->", "<a b='", "'", ">", "x", " ", "\n", "&amp", "<meta charset=", "é"][..]), 0..30)) {
            let page = parts.concat();
            let found = text(&page);
            prop_assert!(found.len() <= 2 * page.len());
            decode(page.as_bytes(), None);
        }

        #[test]
        fn plain_words_are_themselves(words in prop::collection::vec("[a-zé]{1,6}", 0..10)) {
            prop_assert_eq!(text(&words.join(" \n ")), words.join(" "));
        }
    }
}
