//! The overview page.

use super::escape::Html;
use super::words::{count, counted, score};
use super::{account, page, ranking};
use crate::report::model::Report;

/// The page `index.html`.
pub(super) fn render(report: &Report) -> String {
    page("Fanmill report", "index", |html| {
        html.element("main", &[], |html| {
            html.of_class("header", "title", |html| {
                html.raw("<h1>Shared passages</h1>\n");
                summary(html, report);
                account::equation(html, report);
            });
            ranking::table(html, report);
            ranking::clusters(html, report);
            ranking::histogram(html, report);
            account::notices(html, report);
            promises(html, report);
            account::submissions(html, report);
            foot(html, report);
        });
    })
}

fn summary(html: &mut Html, report: &Report) {
    let archived = report.submissions.iter().filter(|s| s.role == "archive").count() as u64;
    let new = report.submissions.len() as u64 - archived;
    let counts = &report.counts;
    html.of_class("p", "lead", |html| {
        html.value(counted(new, "submission", "submissions"));
        if archived > 0 {
            html.value(format_args!(" and {} from the archive", count(archived)));
        }
        html.value(format_args!(
            " make {}. {} a score of {} or more",
            counted(counts.possible, "pair", "pairs"),
            if counts.reached == 1 {
                "1 has".to_owned()
            } else {
                format!("{} have", count(counts.reached))
            },
            score(report.settings.min_score),
        ));
        if counts.listed < counts.reached {
            html.value(format_args!("; the best {} are listed", count(counts.listed)));
        }
        html.raw(".");
    });
    html.raw("<p class=\"what\">A score tells where to look first. It is no verdict: whether something was ");
    html.raw("copied, and by whom, is for a person to judge, from the passages.</p>\n");
}

fn promises(html: &mut Html, report: &Report) {
    html.raw("<h2>What was promised</h2>\n");
    for promise in &report.promises {
        html.of_class("div", "promise", |html| {
            html.element("p", &[], |html| html.shown(&promise.text));
            html.element("code", &[], |html| html.shown(&promise.scheme));
        });
    }
    html.raw(
        "<p>Percentages are exact: the share of a submission's tokens that stand in a shared ",
    );
    html.raw("passage, boilerplate left out. Boilerplate is shown in grey on the pages of the pairs.</p>\n");
    settings(html, report);
}

fn settings(html: &mut Html, report: &Report) {
    let settings = &report.settings;
    html.of_class("p", "settings", |html| {
        html.value(format_args!(
            "Minimum score {} · at most {} · clusters from {}",
            settings.min_score,
            counted(settings.max_pairs, "pair", "pairs"),
            settings.cluster_threshold
        ));
        if let Some(limit) = settings.max_docs {
            html.value(format_args!(
                " · boilerplate from {} on",
                counted(limit.saturating_add(1), "submission", "submissions")
            ));
        }
        if let Some(language) = &settings.language {
            html.raw(" · read as ");
            html.name(language);
        }
    });
}

fn foot(html: &mut Html, report: &Report) {
    html.element("footer", &[], |html| {
        html.shown(&report.tool);
        html.raw(" · the same as data: <a href=\"report.json\">report.json</a>, ");
        html.raw("<a href=\"pairs.csv\">pairs.csv</a>, <a href=\"clusters.csv\">clusters.csv</a>");
    });
}
