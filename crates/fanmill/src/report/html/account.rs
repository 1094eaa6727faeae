//! The account: every input, what became of it, and why.

use std::collections::BTreeMap;

use super::escape::Html;
use super::words::{count, counted, facts, len, percent, rest};
use crate::report::model::{Notice, Report, Submission};

/// Inputs that are named for one reason; the others are in `report.json`.
const NAMED: usize = 500;

/// Groups of inputs with equal reasons that are shown for one outcome.
const REASONS: usize = 200;

/// Up to this many inputs with one reason are shown at once; more are folded away.
const OPEN: usize = 4;

/// Submissions in the table; the others are in `report.json`.
const SUBMISSIONS: usize = 2000;

/// The equation of all inputs.
pub(super) fn equation(html: &mut Html, report: &Report) {
    let inputs = &report.inputs;
    html.of_class("dl", "account", |html| {
        for (sign, label, n) in [
            ("", "files seen", inputs.seen),
            ("=", "compared", inputs.compared),
            ("+", "degraded", inputs.degraded),
            ("+", "skipped", inputs.skipped),
            ("+", "failed", inputs.failed),
        ] {
            html.of_class("div", if n == 0 { "none" } else { "some" }, |html| {
                html.element("dt", &[], |html| html.raw(label));
                html.element("dd", &[], |html| {
                    html.element("i", &[], |html| html.raw(sign));
                    html.value(count(n));
                });
            });
        }
    });
}

/// The inputs that call for a look: not compared whole, or flagged.
pub(super) fn notices(html: &mut Html, report: &Report) {
    let kinds = [
        ("failed", "Failed", "These could not be read, and were not compared."),
        ("skipped", "Skipped", "These were left out by a rule, and were not compared."),
        ("degraded", "Degraded", "These were compared, with something lost or guessed on the way."),
        (
            "flagged",
            "Flagged",
            "These were compared whole, but look at them: hidden or look-alike characters, for instance.",
        ),
    ];
    if report.notices.is_empty() {
        return;
    }
    html.raw("<h2 id=\"inputs\">Inputs to look at</h2>\n");
    for (outcome, title, what) in kinds {
        let concerned = report.notices.iter().filter(|notice| notice.outcome == outcome);
        outcome_part(html, title, what, concerned);
    }
    let known = |notice: &&Notice| !kinds.iter().any(|(outcome, ..)| notice.outcome == *outcome);
    outcome_part(html, "Other", "", report.notices.iter().filter(known));
}

fn outcome_part<'a>(
    html: &mut Html,
    title: &'static str,
    what: &'static str,
    notices: impl Iterator<Item = &'a Notice>,
) {
    let mut by_reason: BTreeMap<&str, Vec<&Notice>> = BTreeMap::new();
    for notice in notices {
        by_reason.entry(&notice.reason).or_default().push(notice);
    }
    if by_reason.is_empty() {
        return;
    }
    html.element("h3", &[], |html| html.raw(title));
    html.of_class("p", "what", |html| html.raw(what));
    for (reason, notices) in by_reason.iter().take(REASONS) {
        if notices.len() <= OPEN {
            html.of_class("div", "reason", |html| {
                reason_line(html, reason, notices);
                inputs(html, notices);
            });
        } else {
            html.of_class("details", "reason", |html| {
                html.element("summary", &[], |html| reason_line(html, reason, notices));
                inputs(html, notices);
            });
        }
    }
    rest(html, by_reason.len(), REASONS, "report.json");
}

fn reason_line(html: &mut Html, reason: &str, notices: &[&Notice]) {
    html.of_class("span", "why", |html| html.name(reason));
    if notices.len() > 1 {
        html.element("small", &[], |html| {
            html.value(format_args!(" {}", counted(len(notices), "input", "inputs")));
        });
    }
}

fn inputs(html: &mut Html, notices: &[&Notice]) {
    html.element("ul", &[], |html| {
        for notice in notices.iter().take(NAMED) {
            html.element("li", &[], |html| {
                if !notice.submission.is_empty() {
                    html.element("b", &[], |html| html.name(&notice.submission));
                    html.raw(" ");
                }
                html.name(&notice.path);
            });
        }
    });
    rest(html, notices.len(), NAMED, "report.json");
}

/// All submissions, folded away.
pub(super) fn submissions(html: &mut Html, report: &Report) {
    html.raw("<details class=\"submissions\"><summary>");
    html.value(format_args!(
        "All {}",
        counted(len(&report.submissions), "submission", "submissions")
    ));
    html.raw("</summary>\n<table><thead><tr><th>Submission</th><th>Languages</th><th class=\"number\">Files</th>");
    html.raw("<th class=\"number\">Tokens</th><th class=\"number\">Boilerplate</th></tr></thead><tbody>\n");
    for submission in report.submissions.iter().take(SUBMISSIONS) {
        html.element("tr", &[], |html| submission_row(html, submission));
        html.raw("\n");
    }
    html.raw("</tbody></table>\n");
    rest(html, report.submissions.len(), SUBMISSIONS, "report.json");
    html.raw("</details>\n");
}

fn submission_row(html: &mut Html, submission: &Submission) {
    html.element("td", &[], |html| {
        html.element("b", &[], |html| html.name(&submission.name));
        html.raw(" <small>");
        facts(html, submission);
        html.raw("</small>");
    });
    let mut languages: Vec<&str> = submission.files.iter().map(|f| f.language.as_str()).collect();
    languages.sort_unstable();
    languages.dedup();
    let all = submission.tokens + submission.boilerplate_tokens;
    let share = submission.boilerplate_tokens as f64 / all.max(1) as f64;
    html.element("td", &[], |html| html.shown(&languages.join(", ")));
    html.of_class("td", "number", |html| html.value(count(len(&submission.files))));
    html.of_class("td", "number", |html| html.value(count(submission.tokens)));
    html.of_class("td", "number", |html| html.value(percent(share)));
}
