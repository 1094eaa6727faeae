//! The table of the best pairs, and the words around it.

use std::collections::HashMap;
use std::io::{self, Write};

use fanmill::report::model::{Counts, Notice, Pair, Promise, Report, Submission};
use fanmill::report::printable;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::args::GroupByArg;

/// Columns that a name may take before it is cut in the middle.
const NAME_WIDTH: usize = 32;

/// Columns that a path in a notice may take.
const PATH_WIDTH: usize = 120;

/// Writes the best `top` pairs to read.
pub(crate) fn table(
    report: &Report,
    top: usize,
    group_by: GroupByArg,
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some(nothing) = nothing_to_compare(report) {
        return writeln!(out, "{nothing}{}", way_out(report, group_by));
    }
    let rows: Vec<[String; 8]> =
        report.pairs.iter().take(top).map(|pair| row(report, pair)).collect();
    if rows.is_empty() {
        return writeln!(out, "{}", no_rows(report));
    }
    let heads = ["score", "A", "B", "A in B", "B in A", "longest", "passages", "matched"]
        .map(str::to_owned);
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| rows.iter().chain([&heads]).map(|row| row[column].width()).max().unwrap_or(0))
        .collect();
    for row in [&heads].into_iter().chain(&rows) {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let is_name = column == 1 || column == 2;
            let blank = " ".repeat(width.saturating_sub(cell.width()));
            if is_name { format!("{cell}{blank}") } else { format!("{blank}{cell}") }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    let unlisted = report.pairs.len().saturating_sub(top);
    if unlisted > 0 {
        writeln!(out, "… and {unlisted} more pairs; --top shows more")?;
    }
    Ok(())
}

/// Why there is not even one row, where there are submissions to compare.
fn no_rows(report: &Report) -> String {
    let counts = &report.counts;
    let min_score = report.settings.min_score;
    if counts.listed > 0 {
        format!("{}; --top shows them", counted(counts.listed, "pair", "pairs"))
    } else if counts.scored == 0 {
        "no two submissions share a passage that long".to_owned()
    } else if counts.reached == 0 {
        format!(
            "{}, none with a score of {min_score:.2}; lower --min-score",
            counted(counts.scored, "pair", "pairs")
        )
    } else if counts.supported == 0 {
        let length = of_length(report);
        match counts.reached {
            1 => format!("1 pair was scored, but it shares no passage{length}"),
            n => format!("{n} pairs were scored, but none of them shares a passage{length}"),
        }
    } else {
        format!("{}; --max-pairs lists them", counted(counts.supported, "pair", "pairs"))
    }
}

/// How long a passage must be to be listed, for each kind of text; nothing if that is not promised.
fn of_length(report: &Report) -> String {
    let length = |promise: &Promise| {
        let unit = match promise.kind.as_str() {
            "code" => "tokens of code",
            "chars" => "characters",
            _ => "words",
        };
        promise.guarantee.map(|guarantee| format!("{guarantee} {unit}"))
    };
    let lengths: Option<Vec<String>> = report.promises.iter().map(length).collect();
    lengths.map_or_else(String::new, |lengths| format!(" of {} or more", lengths.join(" or ")))
}

/// Says so when there are no two submissions with anything in them, one of them new.
pub(crate) fn nothing_to_compare(report: &Report) -> Option<String> {
    let readable = || report.submissions.iter().filter(|s| !s.files.is_empty());
    let n_readable = readable().count();
    if n_readable >= 2 && readable().any(|submission| submission.role == "new") {
        return None;
    }
    Some(match (report.submissions.len(), n_readable) {
        (0, _) => "nothing to compare: there are no submissions".to_owned(),
        (1, _) => {
            let only = &report.submissions[0];
            format!("nothing to compare: {} is the only submission", shown_name(only))
        }
        (all, 0 | 1) => {
            format!("nothing to compare: {n_readable} of {all} submissions could be read")
        }
        _ => "nothing to compare: no new submission could be read".to_owned(),
    })
}

/// What helps against [`nothing_to_compare`].
pub(crate) fn way_out(report: &Report, group_by: GroupByArg) -> &'static str {
    match (report.submissions.len(), group_by) {
        (0 | 1, GroupByArg::Root) => {
            "; --group-by root makes one submission of each path: use --group-by child to compare \
             what lies in it, or give several paths"
        }
        (0 | 1, _) => "; give a folder of submissions, or several paths",
        _ => "; the notices say why",
    }
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
    let name = cut(&name, NAME_WIDTH);
    if submission.role == "archive" { format!("{name} (archive)") } else { name }
}

/// `text` in at most `width` columns, cut in the middle: both ends tell names apart.
///
/// Wide letters take two columns, and combining marks none; a mark stays with its letter.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let columns = |c: char| c.width().unwrap_or(0);
    let head_room = (width - 1) / 2;
    let mut used = 0;
    let fits = |c: &char| {
        used += columns(*c);
        used <= head_room
    };
    let head: String = text.chars().take_while(fits).collect();
    let tail_room = width - 1 - head.width();
    let mut start = text.len();
    let mut taken = 0;
    for (at, c) in text.char_indices().rev() {
        taken += columns(c);
        if taken > tail_room {
            break;
        }
        if columns(c) > 0 {
            start = at;
        }
    }
    format!("{head}…{}", &text[start..])
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
    let all = counted(report.submissions.len() as u64, "submission", "submissions");
    let n_compared = report.submissions.iter().filter(|s| !s.files.is_empty()).count();
    let submissions = if n_compared < report.submissions.len() {
        format!("{n_compared} compared of {all}")
    } else {
        all
    };
    writeln!(
        out,
        "{submissions}, {} seen: {} compared, {} degraded, {} skipped, {} failed",
        counted(inputs.seen, "file", "files"),
        inputs.compared,
        inputs.degraded,
        inputs.skipped,
        inputs.failed
    )?;
    for promise in &report.promises {
        writeln!(out, "{}: {}", promise.kind, promise.text)?;
    }
    let Counts { possible, scored, supported, listed, .. } = report.counts;
    let listed = match (supported, listed) {
        (0, _) => "none of them shares a passage".to_owned(),
        (1, 1) => "the only one that shares a passage is listed".to_owned(),
        (all, listed) if listed >= all => format!("all {all} that share a passage are listed"),
        _ => format!(
            "the best {listed} of {supported} that share a passage are listed; --max-pairs lists more"
        ),
    };
    writeln!(out, "{scored} of {possible} pairs were scored; {listed}")
}

/// `1 copy`, `2 copies`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Writes the first notices, those of one reason together; all of them are in the report.
pub(crate) fn notices(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let more = first_notices(&report.notices, out)?;
    if more > 0 {
        writeln!(out, "… and {more} more notices; the report has all of them")?;
    }
    Ok(())
}

/// Writes the first notices, those of one reason together; returns how many it has left out.
pub(crate) fn first_notices(notices: &[Notice], out: &mut impl Write) -> io::Result<usize> {
    const SHOWN: usize = 10;
    let mut groups: Vec<Vec<&Notice>> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for notice in notices {
        let next = groups.len();
        let group = *places.entry((&notice.outcome, &notice.reason)).or_insert(next);
        if group == next {
            groups.push(Vec::new());
        }
        groups[group].push(notice);
    }
    for group in groups.iter().take(SHOWN) {
        writeln!(out, "{}", notice_line(group))?;
    }
    Ok(groups.iter().skip(SHOWN).map(Vec::len).sum())
}

/// Notices of one outcome and reason in a line.
fn notice_line(group: &[&Notice]) -> String {
    const NAMED: usize = 3;
    let place = |notice: &Notice, width: usize| {
        let role = if notice.role == "new" { "" } else { notice.role.as_str() };
        let parts = [role, &*notice.submission, &*notice.path];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        cut(&printable(&parts.join(": ")), width)
    };
    let (outcome, reason) = (&group[0].outcome, printable(&group[0].reason));
    if let [notice] = group {
        return format!("{outcome}: {}: {reason}", place(notice, PATH_WIDTH));
    }
    let mut named: Vec<String> =
        group.iter().take(NAMED).map(|notice| place(notice, PATH_WIDTH / NAMED)).collect();
    if group.len() > NAMED {
        named.push("…".to_owned());
    }
    format!("{outcome}: {} files: {reason}: {}", group.len(), named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_by_the_columns_it_takes() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("0123456789", 7), "012…789");
        assert_eq!(cut("李明李明李明", 8), "李…李明");
        // A combining mark takes no column, and does not start the tail without its letter.
        assert_eq!(cut("e\u{301}e\u{301}", 2), "e\u{301}e\u{301}");
        assert_eq!(cut("aaaaae\u{301}b", 3), "a…b");
        for width in 2..40 {
            let cut = cut("🙂 名前 e\u{301}tude/long/path/to/a/file.py", width);
            assert!(cut.width() <= width, "{cut} in {width}");
        }
    }
}
