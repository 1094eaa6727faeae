//! A page that is being read: its tags open and close elements, and its text is shown in each view.
//!
//! Cost: O(n) in the page; a tag costs at most the depth of the stack.
//! Source: WHATWG HTML Standard, "Tree construction" and "Rendering".

use fanmill_extract::html::{Gap, LocalName, Reader, Tag, TagKind, attribute};

use super::block::Block;
use super::element::{gap, is_picture, is_void};
use super::labels::Labels;
use super::lines::Lines;
use super::look::{self, Boxed, HIDDEN, Look, LookDeclarations, VIEWS, View};
use super::names::{NoAncestors, SelectableElement};
use super::rules::{DoubtfulRules, Rules};
use super::stack::Stack;
use super::style::Style;
use super::variables::Variables;

/// Counts the characters other than white space.
fn n_characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Treatment of the text up to the next tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextTreatment {
    /// Shown like any other text.
    Shown,
    /// Hidden: a style sheet in a drawing, which ends at its first tag.
    Hidden,
    Dropped,
}

impl TextTreatment {
    /// Returns the treatment of the text directly inside an element.
    fn inside(name: &str, stack: &Stack) -> TextTreatment {
        match name {
            "style" if stack.is_in_drawing() => TextTreatment::Hidden,
            "style" | "script" | "iframe" | "noembed" | "noframes" | "title" => {
                TextTreatment::Dropped
            }
            _ => TextTreatment::Shown,
        }
    }
}

/// Minimum number of characters in all labels together. Fewer are ignored, since most pictures have a few words.
const MIN_LABELS: usize = 64;

/// A page that is being read.
#[derive(Debug)]
pub(super) struct Page<'s> {
    /// The text in each view; `None` while a view does not differ from the usual one.
    views: [Option<Lines>; VIEWS.len()],
    in_doubt: DoubtfulRules,
    raw: TextTreatment,
    stack: Stack,
    rules: &'s mut Rules,
    labels: Labels,
    /// Labels at the last tag.
    pending: Vec<String>,
    /// Characters of all labels of the page so far.
    n_labels: usize,
    /// If set, the page shows something other than text.
    has_pictures: bool,
    n_hidden: usize,
    /// Characters dropped since the last tag: the whole rest of the page if their element is never closed.
    n_dropped: usize,
    n_tags: u32,
}

impl<'s> Page<'s> {
    /// Creates a page of `bytes` bytes, all unread.
    pub(super) fn new(bytes: usize, rules: &'s mut Rules, in_doubt: DoubtfulRules) -> Page<'s> {
        let mut views = [const { None }; VIEWS.len()];
        views[View::Usual as usize] = Some(Lines::with_capacity(bytes / 4));
        let mut page = Page {
            views,
            in_doubt,
            raw: TextTreatment::Shown,
            stack: Stack::new(rules.mode()),
            rules,
            labels: Labels::with_limit_for(bytes),
            pending: Vec::new(),
            n_labels: 0,
            has_pictures: false,
            n_hidden: 0,
            n_dropped: 0,
            n_tags: 0,
        };
        if !page.rules.is_empty() {
            let (html, body) = (start_tag("html"), start_tag("body"));
            let html = page.own(&html, &SelectableElement::from_name("html"));
            page.stack.begin(html.clone(), LookDeclarations::default());
            let body = page.own(&body, &SelectableElement::from_name("body"));
            page.stack.begin(html, body);
        }
        page
    }

    /// Returns whether the page shows something other than text.
    pub(super) fn has_pictures(&self) -> bool {
        self.has_pictures
    }

    /// Returns the number of characters that are hidden, or inside an element that is never closed.
    pub(super) fn n_hidden(&self) -> usize {
        self.n_hidden + self.n_dropped
    }

    /// Returns the number of elements that were nested too deeply.
    pub(super) fn n_deep(&self) -> usize {
        self.stack.n_deep()
    }

    /// Returns the number of labels over their limit.
    pub(super) fn n_labels_cut(&self) -> usize {
        self.labels.n_cut
    }

    /// Returns the text in each of the [`VIEWS`]; `None` for a view that never differed from the first.
    pub(super) fn into_texts(mut self) -> [Option<String>; VIEWS.len()] {
        if self.n_labels < MIN_LABELS {
            self.views[View::Labelled as usize] = None;
        }
        self.views.map(|lines| lines.map(Lines::into_text))
    }

    /// Begins a text of its own for a view that differs from the usual one from here on. The reading with doubtful
    /// rules needs only two views.
    fn part(&mut self, view: View) {
        if self.views[view as usize].is_none()
            && (self.in_doubt == DoubtfulRules::Omitted || view == View::Simple)
        {
            let usual = self.views[View::Usual as usize].clone();
            self.views[view as usize] = usual;
        }
    }

    /// Widens the gap around an element, unless it is not displayed. `look` is the look inside it.
    fn end_around(&mut self, name: &str, boxed: Boxed, look: Look) {
        let named = gap(name);
        let gap = |view| match view {
            View::Bare => named,
            _ if look.takes_no_place(view) => Gap::Nothing,
            // A `<br>` ends the line whatever its styles are.
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

    /// Returns what is declared about the look of an element that starts here.
    fn own(&mut self, tag: &Tag, names: &SelectableElement) -> LookDeclarations {
        let mut style = Style::new();
        look::hints(tag, &mut style);
        let mode = self.rules.mode();
        let inline = attribute(tag, "style").map(|style| Block::parse(style, mode));
        let inline = inline.unwrap_or_else(Block::empty);
        let (rules, stack) = (&mut *self.rules, &self.stack);
        match &*tag.name {
            "html" => rules.apply(names, &NoAncestors, &inline, &Variables::default(), &mut style),
            "body" => {
                let variables = stack.variables_of_html();
                rules.apply(names, &stack.around_body(), &inline, variables, &mut style);
            }
            _ => rules.apply(names, stack, &inline, stack.variables(), &mut style),
        }
        self.n_tags = self.n_tags.saturating_add(1);
        let mut own = LookDeclarations::new(&style, tag, self.n_tags);
        if &*tag.name == "summary" && stack.is_in_closed_details() {
            own.open();
        }
        self.pending = self.labels.at(tag, &style);
        own
    }

    /// Returns the properties that selectors can test, for an element that starts here.
    fn names(&self, tag: &Tag, place: usize) -> SelectableElement {
        if self.rules.is_empty() {
            SelectableElement::default()
        } else {
            SelectableElement::new(tag, place, self.rules.mode())
        }
    }

    /// Handles a tag `<html>` or `<body>`. A second one adds only attributes that the first one does not have.
    fn outermost(&mut self, tag: &Tag) {
        if let Some(tag) = self.stack.merged(tag) {
            let names = self.names(&tag, 1);
            let own = self.own(&tag, &names);
            self.stack.outermost(&tag.name, own, names);
        }
    }

    /// Handles the start tag of any other element.
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

    /// Shows text with this look in each view that does not hide it.
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

    /// Shows the labels at the last tag, with a space before and after each.
    fn show_labels(&mut self, look: Look) {
        let labels = std::mem::take(&mut self.pending);
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

/// Returns a start tag without attributes.
fn start_tag(name: &str) -> Tag {
    let name = LocalName::from(name);
    Tag {
        kind: TagKind::StartTag,
        name,
        self_closing: false,
        attrs: Vec::new(),
        had_duplicate_attributes: false,
    }
}

impl Reader for Page<'_> {
    fn tag(&mut self, tag: &Tag) {
        self.raw = TextTreatment::Shown;
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
        // Tags that a page omits matter only to its rules.
        while !self.rules.is_empty()
            && let Some(name) = self.stack.implied(&tag.name)
        {
            self.start(&start_tag(name));
        }
        self.start(tag);
        self.raw = TextTreatment::inside(&tag.name, &self.stack);
    }

    fn text(&mut self, characters: &str) {
        match self.raw {
            TextTreatment::Dropped => self.n_dropped += n_characters(characters),
            TextTreatment::Hidden => self.show(characters, self.stack.look_of_text(), HIDDEN),
            TextTreatment::Shown => {
                let look = self.stack.look_of_text();
                self.show(characters, look, look.hidden());
            }
        }
    }

    fn comment(&mut self, characters: &str) {
        // This is text in drawings and in XHTML, but not in HTML.
        if let Some(characters) = characters.strip_prefix("[CDATA[") {
            let characters = characters.strip_suffix("]]").unwrap_or(characters);
            let look = self.stack.look_of_text();
            let hidden = if self.stack.is_in_drawing() { look.hidden() } else { HIDDEN };
            self.show(characters, look, hidden);
        }
    }
}
