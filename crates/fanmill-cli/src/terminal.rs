//! The table of the best pairs, and the words around it.

use std::io::{self, Write};

use fanmill::report::model::{Pair, Report, Submission};
use fanmill::report::printable;

/// Columns that a name may take before it is cut in the middle.
const NAME_WIDTH: usize = 32;

/// Writes the best `top` pairs to read.
pub(crate) fn table(report: &Report, top: usize, out: &mut impl Write) -> io::Result<()> {
    let rows: Vec<[String; 8]> =
        report.pairs.iter().take(top).map(|pair| row(report, pair)).collect();
    if rows.is_empty() {
        return match report.submissions.len() {
            0 | 1 => {
                writeln!(out, "nothing to compare: give a folder of submissions, or several paths")
            }
            _ => writeln!(out, "no two submissions share a passage that long"),
        };
    }
    let heads = ["score", "A", "B", "A in B", "B in A", "longest", "passages", "matched"]
        .map(str::to_owned);
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| {
            rows.iter().chain([&heads]).map(|row| row[column].chars().count()).max().unwrap_or(0)
        })
        .collect();
    for row in [&heads].into_iter().chain(&rows) {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let is_name = column == 1 || column == 2;
            if is_name { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    let unlisted = report.pairs.len().saturating_sub(top);
    if unlisted > 0 {
        writeln!(out, "… and {unlisted} more pairs; --top shows more")?;
    }
    Ok(())
}

fn row(report: &Report, pair: &Pair) -> [String; 8] {
    let name = |number: u32| shown_name(&report.submissions[number as usize]);
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    [
        format!("{:.2}", pair.score),
        name(pair.a),
        name(pair.b),
        percent(pair.containment_a),
        percent(pair.containment_b),
        pair.longest.to_string(),
        pair.passages.len().to_string(),
        pair.matched.to_string(),
    ]
}

/// A submission's name, safe for a terminal and not too wide; an archived one says so.
fn shown_name(submission: &Submission) -> String {
    let name = printable(&submission.name);
    let letters: Vec<char> = name.chars().collect();
    let name: String = if letters.len() > NAME_WIDTH {
        let half = NAME_WIDTH / 2;
        let (head, tail) = (&letters[..half - 1], &letters[letters.len() - half..]);
        head.iter().chain(&['…']).chain(tail).collect()
    } else {
        letters.into_iter().collect()
    };
    if submission.role == "archive" { format!("{name} (archive)") } else { name }
}

/// Writes the largest clusters, each on a line.
pub(crate) fn clusters(report: &Report, out: &mut impl Write) -> io::Result<()> {
    const SHOWN: usize = 10;
    const MEMBERS: usize = 12;
    if !report.clusters.is_empty() {
        writeln!(
            out,
            "\nclusters of pairs that score {:.2} or more",
            report.settings.cluster_threshold
        )?;
    }
    for cluster in report.clusters.iter().take(SHOWN) {
        let members = cluster.members.iter().take(MEMBERS);
        let names: Vec<String> =
            members.map(|&member| shown_name(&report.submissions[member as usize])).collect();
        let more = cluster.members.len().saturating_sub(MEMBERS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let n = cluster.members.len();
        writeln!(
            out,
            "{n} submissions, weakest link {:.2}: {}{more}",
            cluster.weakest,
            names.join(", ")
        )?;
    }
    let more = report.clusters.len().saturating_sub(SHOWN);
    if more > 0 {
        writeln!(out, "… and {more} more clusters; the report has all of them")?;
    }
    Ok(())
}

/// Writes what was compared, with which promise, and what was not.
pub(crate) fn summary(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let inputs = &report.inputs;
    writeln!(
        out,
        "{}, {} seen: {} compared, {} degraded, {} skipped, {} failed",
        counted(report.submissions.len() as u64, "submission"),
        counted(inputs.seen, "file"),
        inputs.compared,
        inputs.degraded,
        inputs.skipped,
        inputs.failed
    )?;
    for promise in &report.promises {
        writeln!(out, "{}: {}", promise.kind, promise.text)?;
    }
    let counts = &report.counts;
    writeln!(
        out,
        "{} of {} pairs were scored; the best {} that share a passage are listed",
        counts.scored, counts.possible, counts.listed,
    )
}

/// `1 file`, `2 files`.
fn counted(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// Writes the first notices; all of them are in the report.
pub(crate) fn notices(report: &Report, out: &mut impl Write) -> io::Result<()> {
    const SHOWN: usize = 10;
    for notice in report.notices.iter().take(SHOWN) {
        let role = if notice.role == "new" { "" } else { notice.role.as_str() };
        let place = [role, &*notice.submission, &*notice.path];
        let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
        let place = place.join(": ");
        writeln!(out, "{}: {}: {}", notice.outcome, printable(&place), printable(&notice.reason))?;
    }
    let more = report.notices.len().saturating_sub(SHOWN);
    if more > 0 {
        writeln!(out, "… and {more} more notices; the report has all of them")?;
    }
    Ok(())
}
