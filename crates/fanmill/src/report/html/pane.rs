//! One side of a pair: the documents that take part in a match, painted, line by line.
//!
//! Passage `n` on side A has the anchor `a-n` and links to `b-n`, and the other way round. Every
//! passage has its anchor, also where its text is left out. A passage's lines stand in a box of
//! their own, which is the anchor, so that the passage that was jumped to can be marked whole;
//! one that begins on a line of another passage has its number as anchor instead.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memchr;

use super::escape::Html;
use super::paint::{Extent, Ink, Painted, Side, Stroke, paint};
use super::windows::{Detail, windows};
use super::words::{count, counted};
use crate::report::model::{File, Pair, Report, Submission};
use crate::report::texts::Texts;

/// Bytes of markup of one pane beyond which its documents are shown in less detail: 2 MiB.
const PANE_BYTES: usize = 2 << 20;

/// Files without a match that are listed by name.
const NAMED_FILES: usize = 100;

/// What a pane is made from.
pub(super) struct Pane<'a> {
    pub(super) report: &'a Report,
    pub(super) pair: &'a Pair,
    pub(super) side: Side,
    pub(super) texts: &'a dyn Texts,
    /// Passages that are listed on top of the page; in the least detail only these are shown.
    pub(super) listed: &'a BTreeSet<usize>,
}

/// The identifier of a passage on a side.
pub(super) fn anchor(side: Side, passage: usize) -> String {
    let letter = match side {
        Side::A => 'a',
        Side::B => 'b',
    };
    format!("{letter}-{}", passage + 1)
}

/// The link to a passage on a side.
pub(super) fn link(side: Side, passage: usize) -> String {
    format!("#{}", anchor(side, passage))
}

/// The class that gives a passage one of eight colours.
pub(super) fn hue(passage: usize) -> &'static str {
    ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"][passage % 8]
}

impl Pane<'_> {
    /// The documents, in as much detail as fits.
    pub(super) fn render(&self) -> Html {
        let number = match self.side {
            Side::A => self.pair.a,
            Side::B => self.pair.b,
        };
        let Some(submission) = self.report.submission(number) else {
            return Html::new();
        };
        for detail in [Detail::Whole, Detail::Around] {
            let html = self.documents(number, submission, detail);
            if html.len() <= PANE_BYTES {
                return html;
            }
        }
        self.documents(number, submission, Detail::Edges)
    }

    fn documents(&self, number: u32, submission: &Submission, detail: Detail) -> Html {
        let mut html = Html::new();
        let matched = self.matched_files();
        let mut anchored = BTreeSet::new();
        let (mut others, mut left_out) = (Vec::new(), Vec::new());
        for (file_number, file) in (0..).zip(&submission.files) {
            let full = html.len() > PANE_BYTES;
            if full && detail < Detail::Edges {
                break; // Too much: the caller tries again with less detail.
            }
            if !matched.contains(&file_number) {
                others.push(file.path.as_str());
            } else if full {
                left_out.push(file.path.as_str());
            } else {
                self.heading(&mut html, submission, file);
                self.document(&mut html, (number, file_number), file, detail, &mut anchored);
            }
        }
        if !left_out.is_empty() {
            for passage in (0..self.pair.passages.len()).filter(|p| !anchored.contains(p)) {
                html.element("a", &[("id", &anchor(self.side, passage))], |_| {});
            }
            other_files(&mut html, "Not shown, because the page is full: ", &left_out);
        }
        other_files(&mut html, "Nothing shared in: ", &others);
        html
    }

    fn matched_files(&self) -> BTreeSet<u32> {
        let passages = 0..self.pair.passages.len();
        passages
            .flat_map(|passage| self.side.places(self.pair, passage))
            .map(|place| place.file)
            .collect()
    }

    fn heading(&self, html: &mut Html, submission: &Submission, file: &File) {
        html.element("h3", &[], |html| {
            html.name(&file.path);
            html.raw(" <small>");
            html.shown(&file.language);
            html.raw(" · ");
            html.value(counted(file.lines, "line", "lines"));
            html.raw("</small>");
        });
        let concerns = self
            .report
            .notices
            .iter()
            .filter(|notice| notice.submission == submission.name && notice.path == file.path);
        for notice in concerns {
            html.of_class("p", "flag", |html| {
                html.shown(&notice.outcome);
                html.raw(": ");
                html.shown(&notice.reason);
            });
        }
    }

    fn document(
        &self,
        html: &mut Html,
        (submission, number): (u32, u32),
        file: &File,
        detail: Detail,
        anchored: &mut BTreeSet<usize>,
    ) {
        let Some(shown) = self.texts.text(submission, number) else {
            html.raw("<p class=\"cut\">The text is not available any more.</p>");
            return;
        };
        let Painted { strokes, mut extents } = paint(self.pair, self.side, number, file, &shown);
        let text = shown.text();
        extents.retain(|extent| anchored.insert(extent.passage));
        let mut visible = extents.clone();
        if detail == Detail::Edges {
            visible.retain(|extent| self.listed.contains(&extent.passage));
        }
        let ranges = windows(text, &visible, &strokes, detail);
        html.of_class("div", "code", |html| {
            Rows::new(html, self.side, text, &strokes, &extents).write(&ranges, PANE_BYTES);
        });
    }
}

/// Files of the submission that are named only.
fn other_files(html: &mut Html, why: &'static str, paths: &[&str]) {
    if paths.is_empty() {
        return;
    }
    html.of_class("p", "others", |html| {
        html.raw(why);
        for (i, path) in paths.iter().take(NAMED_FILES).enumerate() {
            html.raw(if i > 0 { ", " } else { "" });
            html.name(path);
        }
        if paths.len() > NAMED_FILES {
            html.value(format_args!(" and {} more", count((paths.len() - NAMED_FILES) as u64)));
        }
    });
}

/// Writes a document's lines from the first to the last.
struct Rows<'a> {
    html: &'a mut Html,
    side: Side,
    text: &'a str,
    /// Strokes that do not lie wholly before `at`.
    strokes: &'a [Stroke],
    /// Passages that have no number yet.
    extents: &'a [Extent],
    /// The passage whose box is open.
    boxed: Option<Extent>,
    /// The passage that got the last box, open or not: it has its anchor.
    anchored: Option<usize>,
    /// Up to where the text has been dealt with.
    at: usize,
    /// The line of `at`, 1-based.
    line: u64,
    /// Whether this line has begun.
    begun: bool,
}

impl<'a> Rows<'a> {
    fn new(
        html: &'a mut Html,
        side: Side,
        text: &'a str,
        strokes: &'a [Stroke],
        extents: &'a [Extent],
    ) -> Rows<'a> {
        Rows {
            html,
            side,
            text,
            strokes,
            extents,
            boxed: None,
            anchored: None,
            at: 0,
            line: 1,
            begun: false,
        }
    }

    /// Writes the parts of the text in `ranges`, until the page is `limit` bytes long.
    fn write(&mut self, ranges: &[Range<usize>], limit: usize) {
        for range in ranges {
            if self.html.len() > limit {
                break;
            }
            self.skip(range.start);
            while self.at < range.end && self.html.len() <= limit {
                self.show(range.end);
            }
        }
        self.skip(self.text.len());
        self.end_line();
        self.close_box();
    }

    /// Passes over the text up to `to`, and says how much that is.
    fn skip(&mut self, to: usize) {
        let Some(skipped) = self.text.get(self.at..to).filter(|skipped| !skipped.is_empty()) else {
            return;
        };
        let line_feeds = memchr::memchr_iter(b'\n', skipped.as_bytes()).count() as u64;
        if line_feeds == 0 && to < self.text.len() {
            self.begin_line(self.at);
            let characters = skipped.chars().count() as u64;
            self.note("b", &counted(characters, "character", "characters"), to);
        } else {
            self.end_line();
            let cut_off = u64::from(!skipped.ends_with('\n'));
            self.note("p", &counted(line_feeds + cut_off, "line", "lines"), to);
        }
        self.line += line_feeds;
        self.at = to;
    }

    /// A remark in place of the text up to `to`, with the anchors of the passages in it.
    fn note(&mut self, element: &'static str, what: &str, to: usize) {
        self.html.tag(element, &[("class", "cut")]);
        while let Some((extent, rest)) = self.extents.split_first().filter(|(e, _)| e.start < to) {
            if self.anchored != Some(extent.passage) {
                self.html.element("a", &[("id", &anchor(self.side, extent.passage))], |_| {});
            }
            self.extents = rest;
        }
        self.html.value(format_args!("… {what} not shown …"));
        self.html.end(element);
        let passed = self.strokes.partition_point(|stroke| stroke.end <= to);
        self.strokes = &self.strokes[passed..];
    }

    /// Shows the rest of the line, up to `to` at most.
    fn show(&mut self, to: usize) {
        let rest = &self.text.as_bytes()[self.at..to];
        let line_feed = memchr(b'\n', rest).map(|line_feed| self.at + line_feed);
        let end = line_feed.unwrap_or(to);
        let is_start = !self.begun;
        self.begin_line(end);
        let shown = self.text[self.at..end].strip_suffix('\r').filter(|_| line_feed.is_some());
        let shown_end = shown.map_or(end, |shown| self.at + shown.len());
        if is_start {
            let line = &self.text[self.at..shown_end];
            // Indentation wears no colour, so that a passage keeps the shape of its code.
            self.plain(self.at + line.len() - line.trim_start_matches([' ', '\t']).len());
        }
        self.painted(shown_end);
        self.at = end;
        if line_feed.is_some() {
            self.end_line();
            self.at += 1;
            self.line += 1;
        }
    }

    fn begin_line(&mut self, end: usize) {
        if self.begun {
            return;
        }
        if self.boxed.is_some_and(|extent| extent.end <= self.at) {
            self.close_box();
        }
        if self.boxed.is_none()
            && let Some(&extent) = self.extents.first().filter(|extent| extent.start < end)
            && self.anchored != Some(extent.passage)
        {
            let (id, class) = (anchor(self.side, extent.passage), hue(extent.passage));
            self.html.tag("section", &[("id", &id), ("class", class)]);
            self.boxed = Some(extent);
            self.anchored = Some(extent.passage);
        }
        self.html.tag("div", &[("data-n", &self.line.to_string())]);
        self.begun = true;
    }

    fn end_line(&mut self) {
        if self.begun {
            self.html.raw("</div>\n");
            self.begun = false;
        }
    }

    fn close_box(&mut self) {
        if self.boxed.take().is_some() {
            self.html.raw("</section>\n");
        }
    }

    fn plain(&mut self, to: usize) {
        self.html.code(&self.text[self.at..to]);
        self.at = to;
    }

    /// Shows text with its colours, up to `to`.
    fn painted(&mut self, to: usize) {
        while let Some(&stroke) = self.strokes.first().filter(|stroke| stroke.start < to) {
            if stroke.start > self.at {
                self.plain(stroke.start);
            }
            self.numbers();
            let end = stroke.end.min(to);
            if self.at < end {
                self.stroke(stroke.ink, end);
            }
            if stroke.end > to {
                return;
            }
            self.strokes = &self.strokes[1..];
        }
        self.plain(to);
    }

    /// The numbers of passages that begin here.
    fn numbers(&mut self) {
        while let Some((extent, rest)) =
            self.extents.split_first().filter(|(e, _)| e.start <= self.at)
        {
            let passage = extent.passage;
            let (href, id) = (link(self.other_side(), passage), anchor(self.side, passage));
            let mut attributes = vec![("class", hue(passage)), ("href", &*href)];
            if self.anchored != Some(passage) {
                attributes.push(("id", &id));
            }
            self.html.of_class("sup", "n", |html| {
                html.element("a", &attributes, |html| html.value(passage + 1));
            });
            self.extents = rest;
        }
    }

    fn stroke(&mut self, ink: Ink, end: usize) {
        let text = &self.text[self.at..end];
        match ink {
            Ink::Match(passage) | Ink::Gap(passage) => {
                let element = if matches!(ink, Ink::Match(_)) { "mark" } else { "u" };
                let href = link(self.other_side(), passage);
                self.html.of_class(element, hue(passage), |html| {
                    html.element("a", &[("href", &href), ("tabindex", "-1")], |html| {
                        html.code(text);
                    });
                });
            }
            Ink::Given => self.html.of_class("s", "given", |html| html.code(text)),
            Ink::Frequent => self.html.of_class("s", "frequent", |html| html.code(text)),
        }
        self.at = end;
    }

    fn other_side(&self) -> Side {
        match self.side {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}
