//! The HTML of mail as a mail program shows it.
//!
//! Comments and tags vanish without a trace (`v<!-- x -->ia<b></b>gra` is `viagra`), blocks become lines.
//! Text is left out, and counted, if a style hides it: not displayed or not visible, too small to read, transparent, of
//! (nearly) the colour of its ground, of no size, or off the page. Styles are those of attributes, of the colours of
//! `<body>`, `<table>` and `<font>`, and of simple rules of style sheets (`style`, `sheet`). Wherever we cannot know
//! (a picture as ground, a rule too clever for us) the text counts as visible: who hides words there makes our
//! text longer, and not another one.
//!
//! What is open is on a stack, which knows enough of the standard's repairs to say where an element ends
//! (`stack`). The alternative text of pictures is left out, as mail programs show the picture, and so are titles, scripts
//! and style sheets, which are not counted.
//!
//! Cost: O(n) time and memory in the page; the stack has a bound, below which a tag costs its depth at most.
//! Source: WHATWG HTML Standard, "Tokenization", "Tree construction" and "Rendering"; CSS 2.2.
//! Departs from it: no layout; `mso-hide`, which one mail program obeys, hides.

mod crowded;
mod sheet;
mod stack;
mod style;

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crowded::Safe;
use sheet::Sheet;
use stack::{Stack, is_void};

/// What a person sees of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// The text, its lines separated by `\n`.
    pub text: String,
    /// Characters of hidden text, white space not counted; and of what follows a comment, a script or the like that is
    /// not closed.
    pub n_hidden: usize,
    /// Elements that were too deep; from the first one on nothing counted as hidden by style.
    pub n_deep: usize,
    /// Tags with too many attributes, of which none was read.
    pub n_crowded: usize,
}

/// Reads a page, whatever it is.
pub fn read(page: &str) -> Visible {
    let Safe { page, n_crowded, n_unclosed } = crowded::without_crowded_tags(page);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(&page));
    let sink = Sink(RefCell::new(Reading::with_capacity(page.len() / 4)));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    // Scripts are not run, so that the tokenizer stops for none of them.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let Reading { out, n_hidden, n_dropped, stack, .. } = tokenizer.sink.0.into_inner();
    let unclosed = &page[page.len() - n_unclosed..];
    let n_hidden = n_hidden + n_dropped + n_characters(unclosed);
    Visible { text: out, n_hidden, n_deep: stack.n_deep(), n_crowded }
}

/// Characters without white space.
fn n_characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// What is between two pieces of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Space,
    Line,
    Paragraph,
}

/// What becomes of the text up to the next tag, where that is no markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Raw {
    /// Shown as any other.
    Shown,
    Dropped,
    StyleSheet,
}

/// A text in the making.
#[derive(Debug)]
struct Reading {
    out: String,
    gap: Gap,
    raw: Raw,
    stack: Stack,
    sheet: Sheet,
    n_hidden: usize,
    /// Characters since the last tag that are dropped: all the rest, if their element is never closed.
    n_dropped: usize,
}

/// Where the tokenizer puts its tokens.
struct Sink(RefCell<Reading>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut reading = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => return reading.tag(&tag),
            Token::CharacterTokens(characters) => reading.push(&characters),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// What an element ends before and after it.
fn gap_around(name: &str) -> Gap {
    match name {
        "address" | "article" | "aside" | "blockquote" | "caption" | "center" | "details"
        | "dialog" | "dir" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "form"
        | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup" | "hr" | "legend"
        | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext" | "pre" | "section"
        | "summary" | "table" | "textarea" | "ul" | "xmp" => Gap::Paragraph,
        "br" | "dd" | "div" | "dt" | "li" | "marquee" | "optgroup" | "option" | "select"
        | "tbody" | "tfoot" | "thead" | "tr" => Gap::Line,
        "td" | "th" | "button" | "input" => Gap::Space,
        _ => Gap::Nothing,
    }
}

/// How the tokenizer reads what is inside of an element, where that is no markup, and what becomes of it.
/// Mail programs run no scripts, so that what stands in for them is shown; and a script is read without the states in
/// which it hides its own end, which `crowded` could not follow.
fn raw_kind(name: &str) -> Option<(RawKind, Raw)> {
    match name {
        "style" => Some((RawKind::Rawtext, Raw::StyleSheet)),
        "script" | "iframe" | "noembed" | "noframes" => Some((RawKind::Rawtext, Raw::Dropped)),
        "xmp" => Some((RawKind::Rawtext, Raw::Shown)),
        "title" => Some((RawKind::Rcdata, Raw::Dropped)),
        "textarea" => Some((RawKind::Rcdata, Raw::Shown)),
        _ => None,
    }
}

impl Reading {
    fn with_capacity(bytes: usize) -> Reading {
        Reading {
            out: String::with_capacity(bytes),
            gap: Gap::Nothing,
            raw: Raw::Shown,
            stack: Stack::new(),
            sheet: Sheet::default(),
            n_hidden: 0,
            n_dropped: 0,
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        if self.raw == Raw::StyleSheet {
            self.sheet.finish();
        }
        self.raw = Raw::Shown;
        self.n_dropped = 0;
        if tag.kind == TagKind::EndTag {
            self.end_around(name);
            self.stack.end(&tag.name);
            return TokenSinkResult::Continue;
        }
        self.stack.make_way(&tag.name);
        let own = style::of_element(tag, &self.sheet);
        if name == "body" {
            self.stack.body(own);
        } else if is_void(name) {
            if self.stack.look().with(own).is_displayed {
                self.end_around(name);
            }
        } else {
            self.stack.start(&tag.name, own);
            self.end_around(name);
        }
        match raw_kind(name) {
            Some((kind, raw)) => {
                self.raw = raw;
                TokenSinkResult::RawData(kind)
            }
            None if name == "plaintext" => TokenSinkResult::Plaintext,
            None => TokenSinkResult::Continue,
        }
    }

    /// Notes the gap around an element that is open, or void, unless it is not displayed.
    fn end_around(&mut self, name: &str) {
        if self.stack.look().is_displayed {
            self.gap = self.gap.max(gap_around(name));
        }
    }

    fn push(&mut self, characters: &str) {
        let look = self.stack.look();
        match self.raw {
            Raw::Dropped => self.n_dropped += n_characters(characters),
            Raw::StyleSheet => {
                self.n_dropped += n_characters(characters);
                self.sheet.push(characters);
            }
            Raw::Shown if look.is_hidden() => {
                self.n_hidden += n_characters(characters);
            }
            Raw::Shown if look.is_preformatted => self.push_preformatted(characters),
            Raw::Shown => self.push_flowing(characters),
        }
    }

    fn push_flowing(&mut self, characters: &str) {
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
mod tests;
