//! The table of the best pairs, and the text around it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::iter;
use std::path::Path;

use fanmill::report::{Counts, Pair, Promise, Report, Submission, ThresholdFrom};
use fanmill::score::expectation::LINKS;
use fanmill_jobs::taken;
use fanmill_report::csv::{NOTICES_HEAD, write_notices as write_csv};
use fanmill_report::fit::{self, LineWidth, list};
use fanmill_report::{chance, printable};
use fanmill_source::GroupBy;
use fanmill_source::documents::is_extracted;
use fanmill_text::Error;
use fanmill_text::counted::{counted, plural};
use fanmill_text::document::Notice;
pub(crate) use fanmill_text::document::{Outcome, Role};
use fanmill_text::readable::readable;
use fanmill_text::token::Kind;

use crate::args::NoticesArgs;
use crate::color::{Painted, painted};
use crate::flags;
use crate::words::Words;

/// Maximum number of inputs that are named in a line of notices.
const NAMED: usize = 3;

/// Columns of the table, and the numbers of those that hold names.
const HEADS: [&str; 9] =
    ["score", "by chance", "A", "B", "A in B", "B in A", "longest", "passages", "matched"];
const NAMES: [usize; 2] = [2, 3];

/// Explanations of the columns whose headings do not say what they count.
const COUNTED: [&str; 2] = [
    "by chance: pairs like it that unrelated submissions of this batch would show; 1 in 300: one batch in 300 would",
    "A in B, B in A and matched: the tokens that lie in these passages",
];

/// Writes the best `top` pairs as a table, or the reason why there is `nothing` to compare.
pub(crate) fn table(
    report: &Report,
    top: usize,
    nothing: Option<&str>,
    room: LineWidth,
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some(nothing) = nothing {
        return writeln!(out, "{nothing}");
    }
    let mut rows: Vec<[String; 9]> =
        report.pairs.iter().take(top).map(|pair| row(report, pair)).collect();
    if rows.is_empty() {
        return writeln!(out, "{}", no_rows(report));
    }
    // The headings are laid out like a row, so that the columns fit them, too.
    rows.insert(0, HEADS.map(str::to_owned));
    fit::shrink(&mut rows, &NAMES, room);
    let colors = iter::once(None).chain(report.pairs.iter().map(|pair| color(report, pair)));
    let is_screen = room != LineWidth::Any;
    for (line, color) in fit::lay_out(&rows, &NAMES).into_iter().zip(colors) {
        let line = match color {
            Some(color) => painted(color, line, is_screen),
            None => line,
        };
        writeln!(out, "{line}")?;
    }
    let unlisted = report.pairs.len().saturating_sub(top);
    if unlisted > 0 {
        writeln!(
            out,
            "… and {}; --top shows more",
            counted(unlisted as u64, "more pair", "more pairs")
        )?;
    }
    let said = COUNTED.iter().map(|&line| line.to_owned()).chain(chance::of_batch(report));
    for line in said.flat_map(|line| room.wrap(&line, 2)) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the colour of a pair's row.
fn color(report: &Report, pair: &Pair) -> Option<Painted> {
    let least = report.expectation.as_ref().map(|fitted| fitted.score_at(LINKS));
    match least {
        _ if pair.own_earlier => Some(Painted::Own),
        Some(least) if pair.score >= least => Some(Painted::StandsOut),
        _ => None,
    }
}

/// Explains why the table is empty although there are submissions to compare.
fn no_rows(report: &Report) -> String {
    let counts = &report.counts;
    let min_score = report.settings.min_score;
    // Nothing is said about what was not read: in part, or a whole submission.
    let is_unread = |notice: &&Notice| match notice.outcome {
        Outcome::Degraded | Outcome::Failed => true,
        Outcome::Skipped => {
            let mut of_notice = report.submissions.iter().filter(|s| s.name == notice.submission);
            // Scans, and documents with passwords. Other files that are skipped have no text.
            is_extracted(&notice.path) && of_notice.any(|submission| submission.files.is_empty())
        }
        Outcome::Flagged => false,
    };
    let unread: HashSet<_> = report.notices.iter().filter(is_unread).map(place).collect();
    let (limits, read) = match unread.len() as u64 {
        0 => (String::new(), ""),
        n => (
            format!("; {} not read in full", counted(n, "file was", "files were")),
            " in what was read",
        ),
    };
    if counts.listed > 0 {
        format!("{}; --top shows them", counted(counts.listed, "pair", "pairs"))
    } else if counts.scored == 0 {
        format!("no two submissions share a passage{}{read}{limits}", of_length(report))
    } else if counts.reached == 0 {
        format!(
            "{}, none with a score of {min_score:.2}; lower --min-score",
            counted(counts.scored, "pair", "pairs")
        )
    } else if counts.supported == 0 {
        let length = of_length(report);
        match counts.reached {
            1 => format!("1 pair was scored, but it shares no passage{length}{read}{limits}"),
            n => format!(
                "{n} pairs were scored, but none of them shares a passage{length}{read}{limits}"
            ),
        }
    } else {
        format!("{}; --max-pairs lists them", counted(counts.supported, "pair", "pairs"))
    }
}

/// Returns the length from which passages are guaranteed to be found, for each kind of text; empty without a guarantee.
fn of_length(report: &Report) -> String {
    let length = |promise: &Promise| {
        let unit = match promise.kind {
            Kind::Code => "tokens of code",
            Kind::Chars => "characters",
            Kind::Words => "words",
        };
        promise.guarantee.map(|guarantee| format!("{guarantee} {unit}"))
    };
    let usual = report.promises.iter().filter(|promise| promise.shorter_than.is_none());
    let lengths: Option<Vec<String>> = usual.map(length).collect();
    lengths.map_or_else(String::new, |lengths| format!(" of {} or more", lengths.join(" or ")))
}

/// Returns the message if there are fewer than two readable submissions, or no new one among them, with the way out.
pub(crate) fn nothing_to_compare(report: &Report, group_by: GroupBy) -> Option<String> {
    let nothing = taken::nothing_to_compare(report)?;
    Some(format!("{nothing}{}", way_out(report, group_by)))
}

/// Returns what the user can do about [`nothing_to_compare`].
fn way_out(report: &Report, group_by: GroupBy) -> &'static str {
    match (report.submissions.len(), group_by) {
        (0 | 1, GroupBy::Root) => {
            "; --group-by root makes one submission of each path: use --group-by child to compare \
             what lies in it, or give several paths"
        }
        (0 | 1, _) => "; give a folder of submissions, or several paths",
        _ => "; the notices say why",
    }
}

/// Writes a share in percent as the report's page does: only all is 100%, and only nothing is 0%.
pub(crate) fn percent(share: f64) -> String {
    let rounded = (100.0 * share).round();
    if share > 0.0 && share < 0.01 {
        "<1%".to_owned()
    } else if share < 1.0 && rounded >= 100.0 {
        "99%".to_owned()
    } else {
        format!("{rounded:.0}%")
    }
}

fn row(report: &Report, pair: &Pair) -> [String; 9] {
    let name = |number: u32| shown_name(&report.submissions[number as usize]);
    let own = |name: String| if pair.own_earlier { format!("{name}, their own") } else { name };
    [
        format!("{:.2}", pair.score),
        pair.expected.map_or_else(|| "-".to_owned(), chance::in_short),
        name(pair.a),
        own(name(pair.b)),
        percent(pair.containment_a),
        percent(pair.containment_b),
        pair.longest.to_string(),
        pair.passages.len().to_string(),
        pair.matched.to_string(),
    ]
}

/// Returns a submission's name, safe for a terminal, and marked if it is archived.
fn shown_name(submission: &Submission) -> String {
    let name = printable(&submission.name);
    if submission.role == Role::Archive { format!("{name} (archive)") } else { name.into_owned() }
}

/// Writes the largest clusters, one per line; a screen may need more lines for one.
pub(crate) fn clusters(report: &Report, room: LineWidth, out: &mut impl Write) -> io::Result<()> {
    const SHOWN: usize = 10;
    const MEMBERS: usize = 12;
    if !report.clusters.is_empty() {
        let settings = &report.settings;
        let from = threshold_from(settings.threshold_from);
        let head =
            format!("clusters of pairs that score {:.2} or more{from}", settings.cluster_threshold);
        writeln!(out)?;
        for line in room.wrap(&head, 2) {
            writeln!(out, "{line}")?;
        }
    }
    for cluster in report.clusters.iter().take(SHOWN) {
        let members = cluster.members.iter().take(MEMBERS);
        let names: Vec<String> =
            members.map(|&member| shown_name(&report.submissions[member as usize])).collect();
        let n = cluster.members.len() as u64;
        let all = counted(n, "submission", "submissions");
        let named = list(&names, n, room);
        let line = format!("{all}, weakest link {:.2}: {named}", cluster.weakest);
        for line in room.wrap(&line, 2) {
            writeln!(out, "{line}")?;
        }
    }
    let more = report.clusters.len().saturating_sub(SHOWN) as u64;
    if more > 0 {
        let more = counted(more, "more cluster", "more clusters");
        writeln!(out, "… and {more}; the report has all of them")?;
    }
    Ok(())
}

/// Explains the threshold of clusters; empty if the user set it.
fn threshold_from(from: ThresholdFrom) -> &'static str {
    match from {
        ThresholdFrom::Chance => ", where chance gives less than half a pair",
        ThresholdFrom::Unjudged => ", as chance cannot be judged from this batch",
        ThresholdFrom::Set | ThresholdFrom::Fitted => "",
    }
}

/// Writes what was compared, with which guarantee, and what was not.
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
    let Counts { possible, scored, supported, listed, limited, .. } = report.counts;
    let listed = match (supported, listed) {
        (0, _) => "none of them shares a passage".to_owned(),
        (1, 1) => "the only one that shares a passage is listed".to_owned(),
        (all, listed) if listed >= all => format!("all {all} that share a passage are listed"),
        (all, listed) => {
            // A list with room left is short for another reason than `--max-pairs`.
            let is_full = listed >= report.settings.max_pairs;
            let advice = if is_full { "; --max-pairs lists more" } else { "" };
            format!("the best {listed} of {all} that share a passage are listed{advice}")
        }
    };
    let possible = counted(possible, "pair was", "pairs were");
    let which = if limited { ", the most promising of them" } else { "" };
    writeln!(out, "{scored} of {possible} scored{which}; {listed}")
}

/// Returns the line that sums up a run and stays on the screen: what was compared, how many pairs are listed, how many are
/// not expected by chance, notices, and the page.
pub(crate) fn last_line(report: &Report, page: Option<&str>) -> String {
    let Counts { possible, listed, standing_out, .. } = report.counts;
    let stand_out = match (report.expectation.is_some(), standing_out) {
        (false, _) => String::new(),
        (true, 0) => ", none stands out".to_owned(),
        (true, 1) => ", 1 stands out".to_owned(),
        (true, n) => format!(", {n} stand out"),
    };
    let notices = match report.notices.len() as u64 {
        0 => String::new(),
        n => format!("; {}", counted(n, "notice", "notices")),
    };
    let page = page.map_or_else(String::new, |page| format!("; report: {page}"));
    format!(
        "{}, {}, {} listed{stand_out}{notices}{page}",
        counted(report.submissions.len() as u64, "submission", "submissions"),
        counted(possible, "pair", "pairs"),
        if listed == 0 { "none".to_owned() } else { listed.to_string() },
    )
}

/// Writes the first notices, grouped by reason, and how many more there are. `args` are those of a command that can write
/// all of them to a file.
pub(crate) fn notices(
    notices: &[Notice],
    args: Option<&NoticesArgs>,
    out: &mut Words,
) -> io::Result<()> {
    const SHOWN: usize = 10;
    let mut groups: Vec<Vec<&Notice>> = Vec::new();
    let mut places: HashMap<(Outcome, &str), usize> = HashMap::new();
    for notice in notices {
        let next = groups.len();
        let group = *places.entry((notice.outcome, &notice.reason)).or_insert(next);
        if group == next {
            groups.push(Vec::new());
        }
        groups[group].push(notice);
    }
    for group in groups.iter().take(SHOWN) {
        let line = notice_line(group, out.room());
        out.paint(Painted::Notice, &line);
    }
    let n_more: usize = groups.iter().skip(SHOWN).map(Vec::len).sum();
    let names_all = groups.iter().all(|group| group.len() <= NAMED);
    match (counted(n_more as u64, "more notice", "more notices"), args.map(where_all_are)) {
        (more, Some(all)) if n_more > 0 => writeln!(out, "… and {more}; {all}"),
        (more, None) if n_more > 0 => writeln!(out, "… and {more}"),
        (_, Some(all)) if !names_all => writeln!(out, "not all files are named here; {all}"),
        _ => Ok(()),
    }
}

/// Returns a sentence about the place where all notices are, or can be.
pub(crate) fn where_all_are(args: &NoticesArgs) -> String {
    match &args.file {
        Some(path) => format!("all of them are in `{}`", printable(&readable(path.as_os_str()))),
        None => "--notices FILE writes all of them".to_owned(),
    }
}

/// Writes all notices to the file that was named for them, if one was.
pub(crate) fn write_notices(args: &NoticesArgs, notices: &[Notice]) -> fanmill_text::Result<()> {
    let Some(path) = &args.file else { return Ok(()) };
    check_content(path)?;
    let failed = |error| Error::io("write the notices to", path, error);
    let file = File::create(path).map_err(failed)?;
    write_csv(notices, flags::said, file).map_err(failed)
}

/// Makes sure that a file for notices can be made, or holds notices.
///
/// # Errors
/// If its folder is missing, or it is a folder, holds something else, or cannot be read.
pub(crate) fn check_notices_file(args: &NoticesArgs) -> fanmill_text::Result<()> {
    let Some(path) = &args.file else { return Ok(()) };
    let name = |path: &Path| printable(&readable(path.as_os_str())).into_owned();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = name(folder);
        return Err(Error::setting(format!(
            "`{folder}` is not a folder; make it, or name another file for notices"
        )));
    }
    if path.is_dir() {
        let path = name(path);
        return Err(Error::setting(format!("`{path}` is a folder; name a file for notices")));
    }
    check_content(path)
}

/// Makes sure that a file for notices holds nothing else, if it is there.
fn check_content(path: &Path) -> fanmill_text::Result<()> {
    let failed = |error| Error::io("write the notices to", path, error);
    // A slip of the pen may name a file that somebody has handed in.
    let mut head = Vec::new();
    if path.is_file() {
        let file = File::open(path).map_err(failed)?;
        file.take(NOTICES_HEAD.len() as u64).read_to_end(&mut head).map_err(failed)?;
    }
    if !NOTICES_HEAD.as_bytes().starts_with(&head) {
        return Err(Error::setting(format!(
            "`{}` holds something other than notices; name a new file for them",
            printable(&readable(path.as_os_str()))
        )));
    }
    Ok(())
}

/// Writes notices with the same outcome and reason as one line.
fn notice_line(group: &[&Notice], room: LineWidth) -> String {
    let reason = flags::said(&group[0].reason);
    let (outcome, reason) = (group[0].outcome.name(), printable(&reason));
    let named: Vec<String> = group.iter().take(NAMED).map(|notice| place(notice)).collect();
    if let [only] = &named[..] {
        return format!("{outcome}: {}: {reason}", room.beside(outcome.len() + 3).cut(only));
    }
    let shown = room.beside(4).names(named.iter().map(String::as_str));
    let mut shown: Vec<&str> = named.iter().map(|name| shown[name.as_str()].as_str()).collect();
    if group.len() > NAMED {
        shown.push("…");
    }
    let n = group.len() as u64;
    let (one, many) = if group.iter().all(|notice| notice.path.is_empty()) {
        ("submission", "submissions")
    } else {
        ("file", "files")
    };
    format!("{outcome}: {n} {}: {reason}: {}", plural(n, one, many), shown.join(", "))
}

/// Returns the place that a notice is about: role, submission and path, each named once.
fn place(notice: &Notice) -> String {
    let role = if notice.role == Role::New { "" } else { notice.role.name() };
    let (submission, path) = (notice.submission.as_str(), notice.path.as_str());
    // A submission of one file has that file's name, or one that ends with it.
    let above = submission.strip_suffix(path);
    let is_same = above.is_some_and(|above| above.is_empty() || above.ends_with('/'));
    let parts = [role, submission, if is_same { "" } else { path }];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    printable(&parts.join(": ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_is_a_hundred_percent_and_only_nothing_is_none() {
        let shares = [0.0, 0.0001, 0.0099, 0.01, 0.744, 0.9951, 0.9999, 1.0];
        let expected = ["0%", "<1%", "<1%", "1%", "74%", "99%", "99%", "100%"];
        assert_eq!(shares.map(percent), expected);
    }

    #[test]
    fn a_notice_names_its_file_once() {
        let cases = [
            (Role::New, "zero", "zero", "zero"),
            (Role::New, "in/a.txt", "a.txt", "in/a.txt"),
            (Role::New, "ada", "a.txt", "ada: a.txt"),
            (Role::New, "b.txt", "a.txt", "b.txt: a.txt"),
            (Role::New, "aa.txt", "a.txt", "aa.txt: a.txt"),
            (Role::New, "", "a.txt", "a.txt"),
            (Role::New, "ada", "", "ada"),
            (Role::Archive, "zero", "zero", "archive: zero"),
        ];
        for (role, submission, path, expected) in cases {
            let notice = Notice {
                role,
                submission: submission.to_owned(),
                path: path.to_owned(),
                outcome: Outcome::Skipped,
                reason: "empty".into(),
            };
            assert_eq!(place(&notice), expected);
        }
    }
}
