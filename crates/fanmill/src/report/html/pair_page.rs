//! The page of one pair: scores, the list of passages, and both texts side by side.

use std::collections::BTreeSet;

use super::escape::{Html, url_segment};
use super::paint::{Side, hue};
use super::pane::Pane;
use super::words::{bar, count, counted, facts, len, name, percent, score};
use super::{page, pair_page_name};
use crate::report::model::{File, Pair, Passage, Report};
use crate::report::printable::printable;
use crate::report::texts::Texts;

/// Passages that are listed on top of the page, the largest ones.
const LISTED: usize = 200;

/// The page of the listed pair `i`.
pub(super) fn render(report: &Report, i: usize, texts: &dyn Texts) -> Option<String> {
    let pair = report.pairs.get(i)?;
    let title = format!(
        "{} and {} · Fanmill",
        printable(name(report, pair.a)),
        printable(name(report, pair.b))
    );
    let listed = largest(pair);
    Some(page(&title, "pair", |html| {
        html.of_class("header", "top", |html| {
            navigation(html, report, i);
            html.of_class("div", "row", |html| {
                heading(html, report, pair);
                figures(html, report, pair);
            });
            if pair.truncated {
                html.raw(TRUNCATED);
            }
            passages(html, report, pair, &listed);
        });
        html.element("main", &[], |html| {
            for side in [Side::A, Side::B] {
                let pane = Pane { report, pair, side, texts, listed: &listed };
                pane_with_head(html, &pane);
            }
        });
    }))
}

/// The passages to list: the largest, as indices.
fn largest(pair: &Pair) -> BTreeSet<usize> {
    let mut by_size: Vec<usize> = (0..pair.passages.len()).collect();
    by_size.sort_by_key(|&i| (std::cmp::Reverse(pair.passages[i].tokens), i));
    by_size.into_iter().take(LISTED).collect()
}

fn navigation(html: &mut Html, report: &Report, i: usize) {
    html.element("nav", &[], |html| {
        html.raw("<a href=\"../index.html\">All pairs</a>");
        html.element("span", &[], |html| {
            html.value(format_args!(
                "Pair {} of {}",
                count(i as u64 + 1),
                count(len(&report.pairs))
            ));
        });
        step(html, "prev", "← Previous", i.checked_sub(1));
        step(html, "next", "Next →", Some(i + 1).filter(|&next| next < report.pairs.len()));
    });
}

fn step(html: &mut Html, rel: &'static str, label: &'static str, to: Option<usize>) {
    match to {
        Some(to) => {
            let href = url_segment(&pair_page_name(to));
            html.element("a", &[("href", &href), ("rel", rel)], |html| html.raw(label));
        }
        None => html.of_class("span", "off", |html| html.raw(label)),
    }
}

fn heading(html: &mut Html, report: &Report, pair: &Pair) {
    html.element("h1", &[], |html| {
        html.name(name(report, pair.a));
        html.raw(" <small>and</small> ");
        html.name(name(report, pair.b));
    });
}

const TRUNCATED: &str =
    "<p class=\"flag\">The limit of work was met: further short matches may exist.</p>";

fn figures(html: &mut Html, report: &Report, pair: &Pair) {
    html.of_class("dl", "figures", |html| {
        figure(html, "score", score(pair.score), Some(pair.score));
        for (number, fraction) in [(pair.a, pair.containment_a), (pair.b, pair.containment_b)] {
            let label = format!("of {}", name(report, number));
            figure(html, &label, percent(fraction), Some(fraction));
        }
        figure(html, "resemblance", percent(pair.resemblance), Some(pair.resemblance));
        figure(html, "shared tokens", count(pair.matched), None);
        figure(html, "longest passage", count(pair.longest), None);
        figure(html, "passages", count(len(&pair.passages)), None);
    });
}

fn figure(html: &mut Html, label: &str, value: String, fraction: Option<f64>) {
    html.element("div", &[], |html| {
        html.element("dt", &[], |html| html.name(label));
        html.element("dd", &[], |html| {
            html.value(value);
            if let Some(fraction) = fraction {
                bar(html, fraction);
            }
        });
    });
}

fn passages(html: &mut Html, report: &Report, pair: &Pair, listed: &BTreeSet<usize>) {
    let columns = [Side::A, Side::B].map(|side| Column::new(report, pair, side));
    html.of_class("ol", "passages", |html| {
        for &i in listed {
            html.of_class("li", hue(i), |html| passage(html, pair, i, &columns));
        }
    });
    html.of_class("p", "legend", |html| {
        if listed.len() < pair.passages.len() {
            html.value(format_args!(
                "The {} largest of {} passages are listed. ",
                count(listed.len() as u64),
                count(len(&pair.passages))
            ));
        }
        html.raw("<mark class=\"h0\">shared</mark> <u class=\"h0\">differs inside a passage</u> ");
        html.raw("<s class=\"given\">given boilerplate</s> <s class=\"frequent\">in too many submissions</s> ");
        html.raw("<i>U+202E</i> hidden character. Click a passage to see its counterpart.");
    });
}

fn passage(html: &mut Html, pair: &Pair, i: usize, columns: &[Column; 2]) {
    let Passage { tokens, moved, .. } = pair.passages[i];
    html.element("a", &[("class", "n"), ("href", &Side::A.link(i))], |html| html.value(i + 1));
    html.element("b", &[], |html| html.value(counted(tokens, "token", "tokens")));
    for column in columns {
        html.element("a", &[("href", &column.side.link(i))], |html| lines(html, pair, i, column));
    }
    if moved {
        html.raw("<em title=\"comes in another order in the second\">moved</em>");
    }
}

/// The lines of a passage, with the file if more than one is shown: `Report.java 12–48`.
fn lines(html: &mut Html, pair: &Pair, i: usize, column: &Column) {
    let side = column.side;
    let first = side.places(pair, i).map(|place| place.first_line).min();
    let last = side.places(pair, i).map(|place| place.last_line).max();
    let (Some(first), Some(last)) = (first, last) else { return };
    let number = side.places(pair, i).next().map_or(0, |place| place.file);
    if let Some(file) = column.files.get(number as usize).filter(|_| column.several) {
        html.name(&file.path);
        html.raw(" ");
    }
    if first == last {
        html.value(first);
    } else {
        html.value(format_args!("{first}–{last}"));
    }
}

/// One side of the list of passages.
struct Column<'a> {
    side: Side,
    files: &'a [File],
    /// Whether the passages lie in more than one file.
    several: bool,
}

impl<'a> Column<'a> {
    fn new(report: &'a Report, pair: &Pair, side: Side) -> Column<'a> {
        let submission = report.submission(side.submission(pair));
        let numbers: BTreeSet<u32> = (0..pair.passages.len())
            .flat_map(|i| side.places(pair, i))
            .map(|place| place.file)
            .collect();
        let files = submission.map_or(&[][..], |submission| &submission.files);
        Column { side, files, several: numbers.len() > 1 }
    }
}

fn pane_with_head(html: &mut Html, pane: &Pane) {
    let number = pane.side.submission(pane.pair);
    let label = match pane.side {
        Side::A => "First",
        Side::B => "Second",
    };
    html.element("section", &[("class", "pane"), ("aria-label", label)], |html| {
        html.element("h2", &[], |html| {
            html.name(name(pane.report, number));
            if let Some(submission) = pane.report.submission(number) {
                html.raw(" <small>");
                facts(html, submission);
                html.raw("</small>");
            }
        });
        html.element("div", &[("class", "texts"), ("tabindex", "0")], |html| {
            html.part(&pane.render());
        });
    });
}
