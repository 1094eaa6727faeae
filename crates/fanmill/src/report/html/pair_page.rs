//! The page of one pair: scores, the list of passages, and both texts side by side.

use std::collections::BTreeSet;

use super::escape::{Html, url_segment};
use super::paint::Side;
use super::pane::{Pane, hue, link};
use super::words::{bar, count, counted, facts, len, name, percent, score};
use super::{page, pair_page_name};
use crate::report::model::{Pair, Passage, Place, Report, Submission};
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
            heading(html, report, pair);
            figures(html, pair);
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

fn figures(html: &mut Html, pair: &Pair) {
    html.of_class("dl", "figures", |html| {
        figure(html, "Score", score(pair.score), Some(pair.score));
        figure(html, "Left in right", percent(pair.containment_a), Some(pair.containment_a));
        figure(html, "Right in left", percent(pair.containment_b), Some(pair.containment_b));
        figure(html, "Resemblance", percent(pair.resemblance), Some(pair.resemblance));
        figure(html, "Shared tokens", count(pair.matched), None);
        figure(html, "Longest passage", count(pair.longest), None);
        figure(html, "Passages", count(len(&pair.passages)), None);
    });
    if pair.truncated {
        html.raw(
            "<p class=\"flag\">The limit of work was met: further short matches may exist.</p>",
        );
    }
}

fn figure(html: &mut Html, label: &'static str, value: String, fraction: Option<f64>) {
    html.element("div", &[], |html| {
        html.element("dt", &[], |html| html.raw(label));
        html.element("dd", &[], |html| {
            html.value(value);
            if let Some(fraction) = fraction {
                bar(html, fraction);
            }
        });
    });
}

fn passages(html: &mut Html, report: &Report, pair: &Pair, listed: &BTreeSet<usize>) {
    html.of_class("ol", "passages", |html| {
        for &i in listed {
            html.of_class("li", hue(i), |html| passage(html, report, pair, i));
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

fn passage(html: &mut Html, report: &Report, pair: &Pair, i: usize) {
    let Passage { tokens, moved, .. } = pair.passages[i];
    html.element("a", &[("class", "n"), ("href", &link(Side::A, i))], |html| html.value(i + 1));
    html.element("b", &[], |html| html.value(counted(tokens, "token", "tokens")));
    for (side, number) in [(Side::A, pair.a), (Side::B, pair.b)] {
        html.element("a", &[("href", &link(side, i))], |html| {
            lines(html, report.submission(number), pair, side, i);
        });
    }
    if moved {
        html.raw("<em title=\"in another order on the right\">moved</em>");
    }
}

/// The lines of a passage, with the file if there is more than one: `Report.java 12–48`.
fn lines(html: &mut Html, submission: Option<&Submission>, pair: &Pair, side: Side, i: usize) {
    let first = side.places(pair, i).map(|place| place.first_line).min();
    let last = side.places(pair, i).map(|place: &Place| place.last_line).max();
    let (Some(first), Some(last)) = (first, last) else { return };
    let files = submission.map_or(&[][..], |submission| &submission.files);
    let file = side.places(pair, i).next().and_then(|place| files.get(place.file as usize));
    if let Some(file) = file.filter(|_| files.len() > 1) {
        html.name(&file.path);
        html.raw(" ");
    }
    if first == last {
        html.value(first);
    } else {
        html.value(format_args!("{first}–{last}"));
    }
}

fn pane_with_head(html: &mut Html, pane: &Pane) {
    let (number, label) = match pane.side {
        Side::A => (pane.pair.a, "Left"),
        Side::B => (pane.pair.b, "Right"),
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
