//! The ranking of pairs, their distribution, and the clusters they make.

use super::escape::{Html, url_segment};
use super::pair_page_name;
use super::words::{bar, count, counted, len, name, percent, rest, score, short_facts};
use crate::report::model::{Cluster, Pair, Report};

/// Pairs in the table; the others are in `pairs.csv` and have their pages.
const ROWS: usize = 2000;

/// Clusters, and members of one cluster, that are shown.
const CLUSTERS: usize = 200;
const MEMBERS: usize = 200;

/// The table of pairs, best first.
pub(super) fn table(html: &mut Html, report: &Report) {
    html.raw("<h2 id=\"pairs\">Pairs</h2>\n");
    if report.pairs.is_empty() {
        html.element("p", &[], |html| {
            html.value(format_args!(
                "No pair reached the minimum score of {}.",
                report.settings.min_score
            ));
        });
        return;
    }
    html.raw(
        "<table class=\"ranking\">\n<thead><tr><th class=\"number\">#</th><th>Submissions</th>",
    );
    html.raw(
        "<th>Score</th><th>Contained in the other</th><th class=\"number wide\">Resemblance</th>",
    );
    html.raw("<th class=\"number wide\">Longest passage</th><th class=\"number wide\">Passages</th></tr></thead>\n<tbody>\n");
    for (i, pair) in report.pairs.iter().take(ROWS).enumerate() {
        html.element("tr", &[], |html| row(html, report, i, pair));
        html.raw("\n");
    }
    html.raw("</tbody></table>\n");
    rest(html, report.pairs.len(), ROWS, "pairs.csv");
}

fn row(html: &mut Html, report: &Report, i: usize, pair: &Pair) {
    html.of_class("td", "number rank", |html| html.value(count(i as u64 + 1)));
    html.of_class("td", "names", |html| {
        let href = format!("pairs/{}", url_segment(&pair_page_name(i)));
        html.element("a", &[("href", &href)], |html| {
            for number in [pair.a, pair.b] {
                html.element("span", &[], |html| member(html, report, number));
            }
        });
    });
    html.of_class("td", "score", |html| {
        html.element("strong", &[], |html| html.value(score(pair.score)));
        bar(html, pair.score);
    });
    html.of_class("td", "contained", |html| {
        for fraction in [pair.containment_a, pair.containment_b] {
            html.element("span", &[], |html| {
                html.element("span", &[], |html| html.value(percent(fraction)));
                bar(html, fraction);
            });
        }
    });
    html.of_class("td", "number wide", |html| html.value(percent(pair.resemblance)));
    html.of_class("td", "number wide", |html| html.value(count(pair.longest)));
    html.of_class("td", "number wide", |html| {
        html.value(count(len(&pair.passages)));
        if pair.truncated {
            html.raw("<span title=\"more may exist: the limit of work was met\">+</span>");
        }
    });
}

/// A submission's name, and what else is known of it.
fn member(html: &mut Html, report: &Report, number: u32) {
    html.element("b", &[], |html| html.name(name(report, number)));
    if let Some(submission) = report.submission(number) {
        html.raw(" <small>");
        short_facts(html, submission);
        html.raw("</small>");
    }
}

/// How many pairs have which score, as bars. Heights are logarithmic, since most pairs of a batch
/// share next to nothing and would hide the others; the counts stand on the bars.
pub(super) fn histogram(html: &mut Html, report: &Report) {
    if report.histogram.iter().all(|&n| n == 0) {
        return;
    }
    html.raw(
        "<h2>Scores</h2>\n<p>How many of the pairs have which score. Heights are logarithmic; ",
    );
    html.raw("pale bars lie below the minimum score.</p>\n");
    html.raw("<svg class=\"histogram\" viewBox=\"0 0 640 170\" role=\"img\" aria-label=\"Histogram of scores\">");
    let highest = report.histogram.iter().max().map_or(0.0, |&n| height(n));
    let buckets = report.histogram.len().max(1) as f64;
    let width = 640.0 / buckets;
    for (i, &n) in report.histogram.iter().enumerate() {
        let left = i as f64 * width;
        let tall = if highest > 0.0 { 120.0 * height(n) / highest } else { 0.0 };
        let listed = (i as f64 + 1.0) / buckets > report.settings.min_score;
        column(html, (left + 1.5, width - 3.0), tall, listed);
        if n > 0 {
            label(html, left + width / 2.0, 138.0 - tall, "middle", &count(n));
        }
    }
    html.raw("<path d=\"M0 145.5H640\"/>");
    label(html, 0.0, 162.0, "start", "0");
    label(html, 320.0, 162.0, "middle", "0.5");
    label(html, 640.0, 162.0, "end", "1");
    html.raw("</svg>\n");
}

fn height(n: u64) -> f64 {
    (n as f64).ln_1p()
}

fn column(html: &mut Html, (left, width): (f64, f64), tall: f64, listed: bool) {
    let (x, width) = (format!("{left:.1}"), format!("{width:.1}"));
    let (y, tall) = (format!("{:.1}", 145.0 - tall), format!("{tall:.1}"));
    let class = if listed { "listed" } else { "below" };
    let place = [("class", class), ("x", &x), ("y", &y), ("width", &width), ("height", &tall)];
    html.element("rect", &place, |_| {});
}

fn label(html: &mut Html, x: f64, y: f64, anchor: &'static str, text: &str) {
    let (x, y) = (format!("{x:.1}"), format!("{y:.1}"));
    html.element("text", &[("x", &x), ("y", &y), ("text-anchor", anchor)], |html| html.text(text));
}

/// The groups of submissions that listed pairs link.
pub(super) fn clusters(html: &mut Html, report: &Report) {
    if report.clusters.is_empty() {
        return;
    }
    html.raw("<h2>Clusters</h2>\n");
    html.element("p", &[], |html| {
        let threshold = score(report.settings.cluster_threshold);
        html.value(format_args!(
            "Submissions linked by pairs with a score of {threshold} or more."
        ));
    });
    html.of_class("ol", "clusters", |html| {
        for group in report.clusters.iter().take(CLUSTERS) {
            html.element("li", &[], |html| cluster(html, report, group));
        }
    });
    rest(html, report.clusters.len(), CLUSTERS, "clusters.csv");
}

fn cluster(html: &mut Html, report: &Report, cluster: &Cluster) {
    html.element("p", &[], |html| {
        html.element("b", &[], |html| {
            html.value(counted(len(&cluster.members), "submission", "submissions"));
        });
        html.value(format_args!(
            ", {}, mean score {}, weakest {}",
            counted(cluster.links, "link", "links"),
            score(cluster.mean),
            score(cluster.weakest)
        ));
    });
    html.element("ul", &[], |html| {
        for &number in cluster.members.iter().take(MEMBERS) {
            html.element("li", &[], |html| member(html, report, number));
        }
    });
    rest(html, cluster.members.len(), MEMBERS, "clusters.csv");
}
