//! The HTML of mail as a mail program shows it.
//!
//! Comments and tags vanish without a trace (`v<!-- x -->ia<b></b>gra` is `viagra`), blocks become lines.
//! Text is left out, and counted, if nobody sees it (`look`), by the attributes of elements, their styles and the style sheets of the page
//! (`sheet`). Wherever we cannot know (a picture as ground, a value too clever for us) the text counts as visible:
//! who hides words there makes our text longer, and not another one. Text that is written backwards and shown
//! forwards (`<bdo>`) is put into the order that one sees.
//!
//! Programs differ in what they can, and readers in their screens. Where that decides what is hidden, the page has other
//! readings beside the first one, which is that of a browser on an ordinary screen.
//!
//! [`fanmill_html`] says where tags and text are. What is open is on a stack, which knows enough of the standard's
//! repairs to say where an element ends (`stack`). The alternative text of pictures is left out, as mail programs show
//! the picture, and so are titles, scripts and style sheets, which are not counted.
//!
//! Cost: O(n) time and memory in the page for each reading, of which there are at most four; the stack has a bound, below which a
//! tag costs its depth at most.
//! Source: WHATWG HTML Standard, "Tree construction" and "Rendering"; CSS 2.2.
//! Departs from it: no layout; `mso-hide`, which one mail program obeys, hides.

mod length;
mod colour;
mod property;
mod variables;
mod media;
mod selector;
mod sheet;
mod look;
mod stack;

use fanmill_html::{Account, Flow, Gap, NoScript, Reader, Tag, TagKind, gap_around};

use crate::overridden;
use look::{Look, Own, Program};
use selector::{Names, Outside};
use sheet::{Block, InDoubt, Sheet, Style};
use stack::{Stack, is_void};
use variables::Variables;

/// What a person sees of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// The text, its lines separated by `\n`.
    pub text: String,
    /// The same as others may see it: on another screen, or in a program that can do less. No two are equal.
    pub others: Vec<String>,
    /// Characters of hidden text, white space not counted; and of what follows a comment, a script or the like that is
    /// not closed.
    pub n_hidden: usize,
    /// Elements that were too deep; from the first one on nothing counted as hidden by style.
    pub n_deep: usize,
    /// Tags with too many attributes, of which none was read.
    pub n_crowded: usize,
    /// Rules of style sheets that were not read, being too many.
    pub n_rules_cut: usize,
}

/// Reads a page, whatever it is.
pub fn read(page: &str) -> Visible {
    let mut sheet = sheet_of(page);
    let (first, Account { n_crowded, n_unclosed }) =
        read_as(page, &mut sheet, InDoubt::Omitted, Program::Full);
    let (n_hidden, n_deep) = (first.n_hidden + first.n_dropped + n_unclosed, first.stack.n_deep());
    let (is_program_asked, text) = (first.is_program_asked, first.into_text());
    let n_rules_cut = sheet.n_cut();
    let is_screen_asked = sheet.has_doubtful();
    let mut others = Vec::new();
    for (in_doubt, program, is_asked) in [
        (InDoubt::Followed, Program::Full, is_screen_asked),
        (InDoubt::Omitted, Program::Simple, is_program_asked),
        (InDoubt::Followed, Program::Simple, is_screen_asked && is_program_asked),
    ] {
        if is_asked {
            let other = read_as(page, &mut sheet, in_doubt, program).0.into_text();
            if other != text && !others.contains(&other) {
                others.push(other);
            }
        }
    }
    Visible { text, others, n_hidden, n_deep, n_crowded, n_rules_cut }
}

/// The rules of all style sheets of a page, which are for what stands before them too.
fn sheet_of(page: &str) -> Sheet {
    let mut sheet = Sheet::new();
    if has_sheet(page) {
        let sheets = Sheets { sheet, media: None, text: String::new() };
        let (mut sheets, _) = fanmill_html::read(page, NoScript::Markup, sheets);
        sheets.finish();
        sheet = sheets.sheet;
    }
    sheet
}

fn has_sheet(page: &str) -> bool {
    let mut tags = memchr::memchr_iter(b'<', page.as_bytes());
    tags.any(|at| {
        let name = page.as_bytes().get(at + 1..at + 6);
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"style"))
    })
}

/// Reads a page in one of its ways.
fn read_as<'s>(
    page: &str,
    sheet: &'s mut Sheet,
    in_doubt: InDoubt,
    program: Program,
) -> (Reading<'s>, Account) {
    sheet.begin(in_doubt);
    let reading = Reading::new(page.len() / 4, sheet, program);
    // Mail programs run no scripts, so that what stands in for them is shown.
    fanmill_html::read(page, NoScript::Markup, reading)
}

/// What collects the style sheets of a page.
struct Sheets {
    sheet: Sheet,
    /// What the style sheet is for that is being read.
    media: Option<String>,
    text: String,
}

impl Sheets {
    fn finish(&mut self) {
        if let Some(media) = self.media.take() {
            self.sheet.read(&std::mem::take(&mut self.text), &media);
        }
    }
}

impl Reader for Sheets {
    fn tag(&mut self, tag: &Tag) {
        self.finish();
        if tag.kind == TagKind::StartTag && &*tag.name == "style" {
            self.media = Some(look::attribute(tag, "media").unwrap_or("").to_owned());
        }
    }

    fn text(&mut self, characters: &str) {
        if self.media.is_some() {
            self.text.push_str(characters);
        }
    }
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
}

impl Raw {
    /// Of what is inside of an element.
    fn inside(name: &str) -> Raw {
        match name {
            "style" | "script" | "iframe" | "noembed" | "noframes" | "title" => Raw::Dropped,
            _ => Raw::Shown,
        }
    }
}

/// What an element ends before and after it.
fn gap(name: &str) -> Gap {
    if name == "marquee" { Gap::Line } else { gap_around(name) }
}

/// A text in the making.
#[derive(Debug)]
struct Reading<'s> {
    flow: Flow,
    raw: Raw,
    stack: Stack,
    sheet: &'s mut Sheet,
    program: Program,
    /// Whether text is hidden that a simple program shows.
    is_program_asked: bool,
    n_hidden: usize,
    /// Characters since the last tag that are dropped: all the rest, if their element is never closed.
    n_dropped: usize,
    n_tags: u32,
    /// The element that turns the last text around, or 0.
    reversed_in: u32,
}

impl<'s> Reading<'s> {
    fn new(bytes: usize, sheet: &'s mut Sheet, program: Program) -> Reading<'s> {
        let mut reading = Reading {
            flow: Flow::with_capacity(bytes),
            raw: Raw::Shown,
            stack: Stack::new(),
            sheet,
            program,
            is_program_asked: false,
            n_hidden: 0,
            n_dropped: 0,
            n_tags: 0,
            reversed_in: 0,
        };
        if !reading.sheet.is_empty() {
            let (html, body) = (start_tag("html"), start_tag("body"));
            let html = reading.own(&html, &Names::of_name("html"));
            reading.stack.begin(html.clone(), Own::default());
            let body = reading.own(&body, &Names::of_name("body"));
            reading.stack.begin(html, body);
        }
        reading
    }

    fn into_text(self) -> String {
        overridden::as_seen(&self.flow.into_text()).into_owned()
    }

    /// Notes the gap around an element that is open, or void, unless it is not displayed.
    fn end_around(&mut self, name: &str) {
        if self.stack.look().is_displayed {
            self.flow.widen(gap(name));
        }
    }

    /// What an element that starts here says about its look.
    fn own(&mut self, tag: &Tag, names: &Names) -> Own {
        let mut style = Style::new();
        look::hints(tag, &mut style);
        let inline = look::attribute(tag, "style").map(Block::parse).unwrap_or_default();
        let (sheet, stack) = (&mut *self.sheet, &self.stack);
        match &*tag.name {
            "html" => sheet.apply(names, &Outside, &inline, &Variables::default(), &mut style),
            "body" => {
                let variables = stack.variables_of_html();
                sheet.apply(names, &stack.around_body(), &inline, variables, &mut style);
            }
            _ => sheet.apply(names, stack, &inline, stack.variables(), &mut style),
        }
        self.n_tags = self.n_tags.saturating_add(1);
        let mut own = Own::of(&style, tag, self.n_tags);
        if &*tag.name == "summary" && stack.is_in_closed_details() {
            own.open();
        }
        own
    }

    fn show(&mut self, characters: &str, look: Look) {
        if look.reversed_in != self.reversed_in && !characters.trim().is_empty() {
            // The end of a line ends what was turned around.
            if self.reversed_in > 0 && !self.flow.is_at_line_start() {
                self.flow.push(overridden::END);
            }
            self.reversed_in = look.reversed_in;
            if self.reversed_in > 0 {
                self.flow.push(overridden::START);
            }
        } else if self.reversed_in > 0 && self.flow.is_at_line_start() {
            self.flow.push(overridden::START);
        }
        if !look.is_preformatted {
            return self.flow.push(characters);
        }
        for (i, line) in characters.split_inclusive('\n').enumerate() {
            if i > 0 && self.reversed_in > 0 {
                self.flow.push_preformatted(overridden::START);
            }
            self.flow.push_preformatted(line);
        }
    }
}

fn start_tag(name: &str) -> Tag {
    let name = fanmill_html::LocalName::from(name);
    Tag {
        kind: TagKind::StartTag,
        name,
        self_closing: false,
        attrs: Vec::new(),
        had_duplicate_attributes: false,
    }
}

impl Reader for Reading<'_> {
    fn tag(&mut self, tag: &Tag) {
        let name = &*tag.name;
        self.raw = Raw::Shown;
        self.n_dropped = 0;
        if tag.kind == TagKind::EndTag {
            self.end_around(name);
            self.stack.end(&tag.name);
            return;
        }
        self.stack.make_way(&tag.name);
        let is_outermost = matches!(name, "html" | "body");
        let place = if is_outermost { 1 } else { self.stack.place_of_next() };
        let names = if self.sheet.is_empty() { Names::default() } else { Names::of(tag, place) };
        let own = self.own(tag, &names);
        if name == "html" {
            self.stack.html(own, names);
        } else if name == "body" {
            self.stack.body(own, names);
        } else if is_void(name) {
            if self.stack.look().with(&own).is_displayed {
                self.end_around(name);
            }
        } else {
            self.stack.start(&tag.name, own, names);
            self.end_around(name);
        }
        self.raw = Raw::inside(name);
    }

    fn text(&mut self, characters: &str) {
        let look = self.stack.look();
        if self.raw == Raw::Dropped {
            self.n_dropped += n_characters(characters);
        } else if look.is_hidden_by(self.program) {
            self.n_hidden += n_characters(characters);
            self.is_program_asked |= !look.is_hidden_by(Program::Simple);
        } else {
            self.show(characters, look);
        }
    }
}

#[cfg(test)]
mod tests;
