//! The HTML of mail as a mail program shows it.
//!
//! Comments and tags vanish without a trace (`v<!-- x -->ia<b></b>gra` is `viagra`), blocks become lines.
//! Text is left out, and counted, if nobody sees it (`look`), by the attributes of elements, their styles and the style sheets of the page
//! (`sheet`). Wherever we cannot know (a picture as ground, a value too clever for us) the text counts as visible:
//! who hides words there makes our text longer, and not another one. Text that is written backwards and shown
//! forwards (`<bdo>`) is put into the order that one sees.
//!
//! Programs differ in what they can, and readers in their screens; and nobody follows all that browsers do with styles. So a
//! page is seen in several ways, the first of which is that of a browser on an ordinary screen:
//!
//! | view | what is hidden | where words end | text of attributes |
//! |---|---|---|---|
//! | usual | what browsers hide | by styles | no |
//! | simple | what every program hides | by styles | no |
//! | doubtful | what may be hidden as well | also by floats and margins | no |
//! | labelled | what browsers hide | by styles | yes, and what styles write |
//! | bare | nothing | by the names of elements | no |
//!
//! If it is doubtful which rules hold, the page is read a second time, with these; then the first two views count. What we take
//! for hidden though everybody sees it is in the bare view.
//!
//! [`crate::html`] says where tags and text are. What is open is on a stack, which knows enough of the standard's
//! repairs to say where an element ends (`stack`). Titles, scripts and style sheets are left out, and not counted.
//!
//! Cost: O(n) time and memory in the page, for one reading or two; the stack has a bound, below which a
//! tag costs its depth at most.
//! Source: WHATWG HTML Standard, "Tree construction" and "Rendering"; CSS 2.2; Quirks Mode Standard, §3.
//! Departs from it: no layout; `mso-hide`, which one mail program obeys, is doubtful.

mod nested;
mod length;
mod colour;
mod property;
mod variables;
mod media;
mod selector;
mod style;
mod block;
mod sheet;
mod sheets;
mod look;
mod lines;
mod stack;

use std::borrow::Cow;

use crate::html::{
    Account, Flow, Gap, NoScript, Reader, Tag, TagKind, attribute, gap_around, read as read_html,
};

use block::Block;
use lines::Lines;
use look::{Boxed, HIDDEN, Look, Own, VIEWS, View};
use selector::{Names, Outside};
use sheet::{InDoubt, Sheet};
use stack::{Stack, is_void};
use style::Style;
use variables::Variables;

/// What a person sees of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// The text, its lines separated by `\n`.
    pub text: String,
    /// The same as others may see it: on another screen, or in a program that can do less. No two have the same words.
    pub others: Vec<String>,
    /// Whether the page has no visible text although it shows something else, such as pictures, or hides something.
    pub is_void: bool,
    /// Characters of hidden text, white space not counted; and of what follows a comment, a script or the like that is
    /// not closed.
    pub n_hidden: usize,
    /// Elements that were too deep, so that the innermost of them were taken for neighbours.
    pub n_deep: usize,
    /// Tags with too many attributes, of which the first were read.
    pub n_crowded: usize,
    /// Rules of style sheets, and texts that they write, that were not read, being too many or too long.
    pub n_rules_cut: usize,
}

/// Reads a page, whatever it is.
pub fn read(page: &str) -> Visible {
    let mut sheet = sheets::of(page);
    let (first, Account { n_crowded, n_unclosed }) = read_as(page, &mut sheet, InDoubt::Omitted);
    let (n_hidden, n_deep) = (first.n_hidden + first.n_dropped + n_unclosed, first.stack.n_deep());
    let (has_pictures, n_labels_cut) = (first.has_pictures, first.n_labels_cut);
    let [usual, simple, doubtful, labelled, bare] = first.into_texts();
    let (mut n_rules_cut, mut is_exhausted) = (n_labels_cut + sheet.n_cut(), sheet.is_exhausted());
    let mut followed = [None, None];
    if sheet.has_doubtful() {
        let [usual, simple, ..] = read_as(page, &mut sheet, InDoubt::Followed).0.into_texts();
        followed = [usual, simple];
        is_exhausted |= sheet.is_exhausted();
    }
    n_rules_cut += usize::from(is_exhausted);
    let [followed, both] = followed;
    let text = usual.unwrap_or_default();
    let mut others: Vec<String> = Vec::new();
    for other in [followed, simple, both, doubtful, labelled, bare].into_iter().flatten() {
        if ![&text].into_iter().chain(&others).any(|old| has_same_words(old, &other)) {
            others.push(other);
        }
    }
    let is_void = (has_pictures || n_hidden > 0) && text.trim().is_empty();
    Visible { text, others, is_void, n_hidden, n_deep, n_crowded, n_rules_cut }
}

/// Whether two texts differ in white space at most.
pub(crate) fn has_same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// Reads a page with the rules of which it is not known whether they hold, or without them.
fn read_as<'s>(page: &str, sheet: &'s mut Sheet, in_doubt: InDoubt) -> (Reading<'s>, Account) {
    sheet.begin(in_doubt);
    // Mail programs run no scripts, so that what stands in for them is shown.
    read_html(page, NoScript::Markup, Reading::new(page.len(), sheet, in_doubt))
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
    /// Hidden: a style sheet in a drawing, which ends at its first tag.
    Bare,
    Dropped,
}

impl Raw {
    /// Of what is inside of an element.
    fn inside(name: &str, stack: &Stack) -> Raw {
        match name {
            "style" if stack.is_in_drawing() => Raw::Bare,
            "style" | "script" | "iframe" | "noembed" | "noframes" | "title" => Raw::Dropped,
            _ => Raw::Shown,
        }
    }
}

/// What an element ends before and after it, by its name.
fn gap(name: &str) -> Gap {
    if name == "marquee" { Gap::Line } else { gap_around(name) }
}

/// Whether an element shows something other than text of the page.
fn is_picture(name: &str) -> bool {
    matches!(
        name,
        "img"
            | "image"
            | "svg"
            | "canvas"
            | "video"
            | "iframe"
            | "frame"
            | "object"
            | "embed"
            | "applet"
            | "input"
            | "script"
    )
}

/// Fewer letters of attributes than this, without white space, are not read: most pictures have a few words.
const MIN_LABELS: usize = 64;
/// Bytes that attributes and styles may write beyond twice those of the page: a rule may write the same text at each element.
const LABELS: usize = 64 << 10;

/// A page that is being read.
#[derive(Debug)]
struct Reading<'s> {
    /// The text in each view; of those that have not differed from the usual one so far, none.
    views: [Option<Lines>; VIEWS.len()],
    in_doubt: InDoubt,
    raw: Raw,
    stack: Stack,
    sheet: &'s mut Sheet,
    /// What attributes and styles of the last tag write.
    labels: Vec<String>,
    n_labels: usize,
    /// Bytes that attributes and styles may still write.
    labels_left: usize,
    /// Texts of attributes and styles that were over that.
    n_labels_cut: usize,
    /// Whether there is something to see other than text.
    has_pictures: bool,
    n_hidden: usize,
    /// Characters since the last tag that are dropped: all the rest, if their element is never closed.
    n_dropped: usize,
    n_tags: u32,
}

impl<'s> Reading<'s> {
    /// Of a page of so many bytes.
    fn new(bytes: usize, sheet: &'s mut Sheet, in_doubt: InDoubt) -> Reading<'s> {
        let mut views = [const { None }; VIEWS.len()];
        views[View::Usual as usize] = Some(Lines::with_capacity(bytes / 4));
        let mut reading = Reading {
            views,
            in_doubt,
            raw: Raw::Shown,
            stack: Stack::new(sheet.mode()),
            sheet,
            labels: Vec::new(),
            n_labels: 0,
            labels_left: bytes.saturating_mul(2).saturating_add(LABELS),
            n_labels_cut: 0,
            has_pictures: false,
            n_hidden: 0,
            n_dropped: 0,
            n_tags: 0,
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

    /// The texts of [`VIEWS`], of those that differ from the first.
    fn into_texts(mut self) -> [Option<String>; VIEWS.len()] {
        if self.n_labels < MIN_LABELS {
            self.views[View::Labelled as usize] = None;
        }
        self.views.map(|lines| lines.map(Lines::into_text))
    }

    /// Notes that a view differs from the usual one from here on. With doubtful rules the first two are enough.
    fn part(&mut self, view: View) {
        if self.views[view as usize].is_none()
            && (self.in_doubt == InDoubt::Omitted || view == View::Simple)
        {
            let usual = self.views[View::Usual as usize].clone();
            self.views[view as usize] = usual;
        }
    }

    /// Notes the gap around an element, void or open, with this look inside, unless it is not displayed.
    fn end_around(&mut self, name: &str, boxed: Boxed, look: Look) {
        let named = gap(name);
        let gap = |view| match view {
            View::Bare => named,
            _ if !look.is_displayed => Gap::Nothing,
            // A line that ends here ends whatever is said about it.
            _ if name == "br" => named,
            _ => boxed.gap(named, view),
        };
        let gaps = VIEWS.map(gap);
        for (view, gap) in VIEWS.into_iter().zip(gaps) {
            if gap != gaps[0] {
                self.part(view);
            }
        }
        for (lines, gap) in self.views.iter_mut().zip(gaps) {
            if let Some(lines) = lines {
                lines.widen(gap);
            }
        }
    }

    /// What an element that starts here says about its look.
    fn own(&mut self, tag: &Tag, names: &Names) -> Own {
        let mut style = Style::new();
        look::hints(tag, &mut style);
        let mode = self.sheet.mode();
        let inline = attribute(tag, "style").map(|style| Block::parse(style, mode));
        let inline = inline.unwrap_or_else(Block::empty);
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
        self.labels = self.labels(tag, &style);
        own
    }

    /// What rules may ask about an element that starts here.
    fn names(&self, tag: &Tag, place: usize) -> Names {
        if self.sheet.is_empty() {
            Names::default()
        } else {
            Names::of(tag, place, self.sheet.mode())
        }
    }

    /// Takes the tag `<html>` or `<body>`, of which a second one adds what the first one does not say.
    fn outermost(&mut self, tag: &Tag) {
        if let Some(tag) = self.stack.merged(tag) {
            let names = self.names(&tag, 1);
            let own = self.own(&tag, &names);
            self.stack.outermost(&tag.name, own, names);
        }
    }

    /// Takes the tag of any other element.
    fn start(&mut self, tag: &Tag) {
        let is_empty = is_void(&tag.name) || tag.self_closing && self.stack.is_drawing(&tag.name);
        if !is_empty {
            self.stack.make_room();
        }
        let place = self.stack.place_of_next(&tag.name);
        let names = self.names(tag, place);
        let own = self.own(tag, &names);
        let boxed = own.boxed;
        let look = if is_empty {
            self.stack.look_around(&tag.name).with(&own)
        } else {
            self.stack.start(&tag.name, own, names);
            self.stack.look()
        };
        self.end_around(&tag.name, boxed, look);
        self.show_labels(look);
    }

    /// Shows text that looks so in each view that does not hide it.
    fn show(&mut self, characters: &str, look: Look, hidden: [bool; VIEWS.len()]) {
        let [is_hidden, ..] = hidden;
        for (view, is_hidden_there) in VIEWS.into_iter().zip(hidden) {
            if is_hidden_there != is_hidden {
                self.part(view);
            }
        }
        if look.is_squeezed {
            self.part(View::Doubtful);
        }
        if is_hidden {
            self.n_hidden += n_characters(characters);
        }
        for ((view, lines), is_hidden) in VIEWS.into_iter().zip(&mut self.views).zip(hidden) {
            if let Some(lines) = lines.as_mut().filter(|_| !is_hidden) {
                lines.show(characters, look, view);
            }
        }
    }

    /// What the attributes of a tag and styles write where its element is, as far as they still may.
    fn labels(&mut self, tag: &Tag, style: &Style) -> Vec<String> {
        let written = style.written.iter().filter_map(|piece| piece.text(tag));
        let mut kept = Vec::new();
        for label in labels(tag).into_iter().chain(written.map(Cow::Borrowed)) {
            let Some(left) = self.labels_left.checked_sub(label.len()) else {
                self.n_labels_cut += 1;
                continue;
            };
            self.labels_left = left;
            if !label.trim().is_empty() {
                kept.push(label.into_owned());
            }
        }
        kept
    }

    /// Shows what attributes and styles write, each with a gap around it.
    fn show_labels(&mut self, look: Look) {
        let labels = std::mem::take(&mut self.labels);
        if labels.is_empty() || look.hidden()[View::Labelled as usize] {
            return;
        }
        self.part(View::Labelled);
        for label in labels {
            self.n_labels += n_characters(&label);
            if let Some(lines) = &mut self.views[View::Labelled as usize] {
                lines.widen(Gap::Space);
                lines.show(&label, look, View::Labelled);
                lines.widen(Gap::Space);
            }
        }
    }
}

/// What the attributes of a tag write where its element is.
fn labels(tag: &Tag) -> Vec<Cow<'_, str>> {
    let of = |name: &str| attribute(tag, name).map(Cow::Borrowed);
    let labels = match &*tag.name {
        "img" | "image" | "area" => vec![of("alt")],
        "input" if of("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")) => vec![],
        "input" => vec![of("alt"), of("value"), of("placeholder")],
        "textarea" => vec![of("placeholder")],
        "iframe" => vec![of("srcdoc").map(|page| Cow::Owned(text_of(&page)))],
        _ => vec![],
    };
    labels.into_iter().flatten().collect()
}

/// All text of a page inside of a page.
fn text_of(page: &str) -> String {
    #[derive(Default)]
    struct Text(Flow);
    impl Reader for Text {
        fn tag(&mut self, tag: &Tag) {
            self.0.widen(gap(&tag.name));
        }

        fn text(&mut self, characters: &str) {
            self.0.push(characters);
        }
    }
    read_html(page, NoScript::Markup, Text::default()).0.0.into_text()
}

fn start_tag(name: &str) -> Tag {
    let name = crate::html::LocalName::from(name);
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
        self.raw = Raw::Shown;
        self.n_dropped = 0;
        if tag.kind == TagKind::EndTag {
            let look = self.stack.look();
            let boxed = self.stack.end(&tag.name);
            return self.end_around(&tag.name, boxed, look);
        }
        self.has_pictures |= is_picture(&tag.name);
        self.stack.make_way(&tag.name);
        if matches!(&*tag.name, "html" | "body") {
            return self.outermost(tag);
        }
        // What a page leaves out matters to its rules only.
        while !self.sheet.is_empty()
            && let Some(name) = self.stack.implied(&tag.name)
        {
            self.start(&start_tag(name));
        }
        self.start(tag);
        self.raw = Raw::inside(&tag.name, &self.stack);
    }

    fn text(&mut self, characters: &str) {
        match self.raw {
            Raw::Dropped => self.n_dropped += n_characters(characters),
            Raw::Bare => self.show(characters, self.stack.look_of_text(), HIDDEN),
            Raw::Shown => {
                let look = self.stack.look_of_text();
                self.show(characters, look, look.hidden());
            }
        }
    }

    fn comment(&mut self, characters: &str) {
        // Text in drawings and in XHTML, though not in HTML.
        if let Some(characters) = characters.strip_prefix("[CDATA[") {
            let characters = characters.strip_suffix("]]").unwrap_or(characters);
            let look = self.stack.look_of_text();
            let hidden = if self.stack.is_in_drawing() { look.hidden() } else { HIDDEN };
            self.show(characters, look, hidden);
        }
    }
}

#[cfg(test)]
mod tests;
