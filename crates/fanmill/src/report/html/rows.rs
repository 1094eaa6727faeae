//! The lines of a document with their colours, numbers and links.
//!
//! Passage `n` on side A has the anchor `a-n` and links to `b-n`, and the other way round. Every
//! passage has its anchor, also where its text is left out. A passage's lines stand in a box of
//! their own, which is the anchor, so that the passage that was jumped to can be marked whole;
//! one that begins on a line of another passage has its number as anchor instead.
//!
//! Cost: one pass over the text.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::escape::Html;
use super::paint::{Extent, Ink, Side, Stroke, hue};
use super::words::counted;

/// Writes a document's lines from the first to the last.
pub(super) struct Rows<'a> {
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
    /// The passage that began last.
    latest: Option<Extent>,
    /// Up to where the text has been dealt with.
    at: usize,
    /// The line of `at`, 1-based.
    line: u64,
    /// Whether this line has begun.
    begun: bool,
}

impl<'a> Rows<'a> {
    /// Nothing written yet; `strokes` and `extents` as in [`Painted`](super::paint::Painted).
    pub(super) fn new(
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
            latest: None,
            at: 0,
            line: 1,
            begun: false,
        }
    }

    /// Writes the parts of the text in `ranges`, until the page is `limit` bytes long.
    pub(super) fn write(&mut self, ranges: &[Range<usize>], limit: usize) {
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
        self.bare_anchors(usize::MAX);
    }

    /// Passes over the text up to `to`, and says how much that is.
    fn skip(&mut self, to: usize) {
        let Some(skipped) = self.text.get(self.at..to).filter(|skipped| !skipped.is_empty()) else {
            return;
        };
        let line_feeds = memchr_iter(b'\n', skipped.as_bytes()).count() as u64;
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
        self.bare_anchors(to);
        self.html.value(format_args!("… {what} not shown …"));
        self.html.end(element);
        let passed = self.strokes.partition_point(|stroke| stroke.end <= to);
        self.strokes = &self.strokes[passed..];
    }

    /// The anchors of passages that begin before `to` and have no number.
    fn bare_anchors(&mut self, to: usize) {
        while let Some((extent, rest)) = self.extents.split_first().filter(|(e, _)| e.start < to) {
            if self.anchored != Some(extent.passage) {
                self.html.element("a", &[("id", &self.side.anchor(extent.passage))], |_| {});
            }
            self.extents = rest;
        }
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
        self.numbers(); // Of passages that lie wholly under others, in a damaged report.
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
        if self.boxed.is_none() {
            self.open_box(end);
        }
        self.html.tag("div", &[("data-n", &self.line.to_string())]);
        self.begun = true;
    }

    /// Opens the box of the passage that begins on this line, or else goes on with the one that
    /// began last.
    fn open_box(&mut self, end: usize) {
        let next = self.extents.first().filter(|extent| extent.start < end);
        if let Some(&extent) = next.filter(|next| self.anchored != Some(next.passage)) {
            let (id, class) = (self.side.anchor(extent.passage), hue(extent.passage));
            self.html.tag("section", &[("id", &id), ("class", class)]);
            self.boxed = Some(extent);
            self.anchored = Some(extent.passage);
        } else if let Some(extent) = self.latest.filter(|extent| extent.end > self.at) {
            self.html.tag("section", &[("class", hue(extent.passage))]);
            self.boxed = Some(extent);
        }
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
            let (href, id) = (self.side.other().link(passage), self.side.anchor(passage));
            let mut attributes = vec![("class", hue(passage)), ("href", &*href)];
            if self.anchored != Some(passage) {
                attributes.push(("id", &id));
            }
            self.latest = Some(*extent);
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
                let href = self.side.other().link(passage);
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
}
