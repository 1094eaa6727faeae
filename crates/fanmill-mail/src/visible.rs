//! The HTML of mail as a mail program shows it.
//!
//! Comments and tags vanish without a trace (`v<!-- x -->ia<b></b>gra` is `viagra`), blocks become lines.
//! Text is left out, and counted, if a style hides it: not displayed or not visible, too small to read, transparent, of
//! (nearly) the colour of its ground, of no size, or off the page. Styles are those of attributes, of the colours of
//! `<body>`, `<table>` and `<font>`, and of simple rules of style sheets (`style`, `sheet`). Wherever we cannot know
//! (a picture as ground, a rule too clever for us) the text counts as visible: who hides words there makes our
//! text longer, and not another one.
//!
//! [`fanmill_html`] says where tags and text are. What is open is on a stack, which knows enough of the standard's
//! repairs to say where an element ends (`stack`). The alternative text of pictures is left out, as mail programs show
//! the picture, and so are titles, scripts and style sheets, which are not counted.
//!
//! Cost: O(n) time and memory in the page; the stack has a bound, below which a tag costs its depth at most.
//! Source: WHATWG HTML Standard, "Tree construction" and "Rendering"; CSS 2.2.
//! Departs from it: no layout; `mso-hide`, which one mail program obeys, hides.

mod sheet;
mod stack;
mod style;

use fanmill_html::{Account, Flow, Gap, NoScript, Reader, Tag, TagKind, gap_around};

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
    // Mail programs run no scripts, so that what stands in for them is shown.
    let reading = Reading::with_capacity(page.len() / 4);
    let (reading, Account { n_crowded, n_unclosed }) =
        fanmill_html::read(page, NoScript::Markup, reading);
    let Reading { flow, n_hidden, n_dropped, stack, .. } = reading;
    let n_hidden = n_hidden + n_dropped + n_unclosed;
    Visible { text: flow.into_text(), n_hidden, n_deep: stack.n_deep(), n_crowded }
}

/// Characters without white space.
fn n_characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// What becomes of the text up to the next tag.
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
    flow: Flow,
    raw: Raw,
    stack: Stack,
    sheet: Sheet,
    n_hidden: usize,
    /// Characters since the last tag that are dropped: all the rest, if their element is never closed.
    n_dropped: usize,
}

impl Raw {
    /// Of what is inside of an element.
    fn inside(name: &str) -> Raw {
        match name {
            "style" => Raw::StyleSheet,
            "script" | "iframe" | "noembed" | "noframes" | "title" => Raw::Dropped,
            _ => Raw::Shown,
        }
    }
}

/// What an element ends before and after it.
fn gap(name: &str) -> Gap {
    if name == "marquee" { Gap::Line } else { gap_around(name) }
}

impl Reading {
    fn with_capacity(bytes: usize) -> Reading {
        Reading {
            flow: Flow::with_capacity(bytes),
            raw: Raw::Shown,
            stack: Stack::new(),
            sheet: Sheet::default(),
            n_hidden: 0,
            n_dropped: 0,
        }
    }

    /// Notes the gap around an element that is open, or void, unless it is not displayed.
    fn end_around(&mut self, name: &str) {
        if self.stack.look().is_displayed {
            self.flow.widen(gap(name));
        }
    }
}

impl Reader for Reading {
    fn tag(&mut self, tag: &Tag) {
        let name = &*tag.name;
        if self.raw == Raw::StyleSheet {
            self.sheet.finish();
        }
        self.raw = Raw::Shown;
        self.n_dropped = 0;
        if tag.kind == TagKind::EndTag {
            self.end_around(name);
            self.stack.end(&tag.name);
            return;
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
        self.raw = Raw::inside(name);
    }

    fn text(&mut self, characters: &str) {
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
            Raw::Shown if look.is_preformatted => self.flow.push_preformatted(characters),
            Raw::Shown => self.flow.push(characters),
        }
    }
}

#[cfg(test)]
mod tests;
