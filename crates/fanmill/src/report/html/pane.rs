//! One side of a pair: the documents that take part in a match, in as much detail as fits.

use std::collections::BTreeSet;

use super::escape::Html;
use super::paint::{Painted, Side, paint};
use super::rows::Rows;
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

impl Pane<'_> {
    /// The documents, in as much detail as fits.
    pub(super) fn render(&self) -> Html {
        let number = self.side.submission(self.pair);
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
        // Where a text is missing, or there was no room, links still lead to the right side.
        for passage in (0..self.pair.passages.len()).filter(|p| !anchored.contains(p)) {
            html.element("a", &[("id", &self.side.anchor(passage))], |_| {});
        }
        other_files(&mut html, "Not shown, because the page is full: ", &left_out);
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
