//! The table of rules by host, and the text around it.

use std::io::{self, Write};

use fanmill_records::account::{CountedList, Notice};
use fanmill_report::fit::{self, LineWidth};
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_urls::write::Account;
use fanmill_urls::{Findings, LearntRule};

use crate::flags;

/// Number of columns, and the number of the column that is cut on a narrow screen.
const COLUMNS: usize = 7;
const RULE: usize = 1;
/// Maximum number of notices of one kind that are shown.
const NAMED: usize = 3;

/// Writes the rules of the first `top` hosts.
pub(super) fn rules(
    findings: &Findings,
    top: usize,
    room: LineWidth,
    out: &mut impl Write,
) -> io::Result<()> {
    if findings.rules.is_empty() {
        return writeln!(out, "{}", room.wrap(&no_rules(findings), 2).join("\n"));
    }
    let hosts = &findings.hosts[..top.min(findings.hosts.len())];
    let heads = ["#", "rule", "URLs", "addresses", "contents", "conflicts", "sure"];
    // The rules of all hosts are laid out together, so that their columns line up.
    let mut rows = vec![heads.map(str::to_owned)];
    rows.extend(hosts.iter().flat_map(|host| &host.rules).map(|&i| row(i, &findings.rules[i])));
    fit::shrink(&mut rows, &[RULE], room);
    let indent = " ".repeat(2 + rows.iter().map(|row| row[0].len()).max().unwrap_or(0));
    let lines = fit::lay_out(&rows, &[RULE]);
    let mut lines = lines.iter();
    let heads = lines.next().filter(|_| !hosts.is_empty());
    heads.map_or(Ok(()), |heads| writeln!(out, "{heads}"))?;
    for host in hosts {
        let name = printable(&host.host);
        let before = counted(host.before as u64, "address", "addresses");
        writeln!(out, "\n{name}: {before} → {}", host.after)?;
        for (&i, line) in host.rules.iter().zip(&mut lines) {
            writeln!(out, "{line}")?;
            details(&findings.rules[i], &indent, room, out)?;
        }
    }
    let more = findings.hosts.len() - hosts.len();
    if more > 0 {
        let more = counted(more as u64, "more host", "more hosts");
        writeln!(out, "… and {more}; --top shows more")?;
    }
    Ok(())
}

fn row(number: usize, learnt: &LearntRule) -> [String; COLUMNS] {
    let evidence = &learnt.evidence;
    [
        (number + 1).to_string(),
        printable(&learnt.rule.to_string()).into_owned(),
        learnt.n_urls.to_string(),
        format!("{} → {}", evidence.addresses, evidence.groups),
        evidence.contents.to_string(),
        evidence.conflicts.to_string(),
        format!("{:.2}", evidence.confidence()),
    ]
}

/// Writes what the values look like, and example addresses before and after.
fn details(
    learnt: &LearntRule,
    indent: &str,
    room: LineWidth,
    out: &mut impl Write,
) -> io::Result<()> {
    let room = room.beside(indent.len() + 4);
    let looks = learnt.looks.map(str::to_owned);
    let joint = learnt.is_joint.then(|| "supported only together with its neighbours".to_owned());
    let notes: Vec<String> = looks.into_iter().chain(joint).collect();
    if !notes.is_empty() {
        writeln!(out, "{indent}{}", notes.join("; "))?;
    }
    for (from, _) in &learnt.examples {
        writeln!(out, "{indent}    {}", room.cut(from))?;
    }
    if let Some((_, to)) = learnt.examples.first() {
        writeln!(out, "{indent}  → {}", room.cut(to))?;
    }
    Ok(())
}

/// Explains why there are no rules.
fn no_rules(findings: &Findings) -> String {
    let (addresses, contents) = (findings.n_addresses, findings.n_contents);
    if addresses == 0 {
        "no rules: no record has both a URL and a content".to_owned()
    } else if addresses <= contents {
        let have = counted(addresses as u64, "address has", "addresses have");
        let contents = counted(contents as u64, "content", "contents");
        format!("no rules: {have} {contents}, so no part of a URL varies without a reason")
    } else {
        format!(
            "no rules: in {} with {}, no part varies without changing the content for at least {}; lower \
             --min-support, or give more of the crawl",
            counted(addresses as u64, "address", "addresses"),
            counted(contents as u64, "content", "contents"),
            counted(findings.options.limits.min_support as u64, "content", "contents"),
        )
    }
}

/// Writes what was read, what the rules do, and what was left out.
pub(super) fn summary(
    findings: &Findings,
    account: &Account,
    out: &mut impl Write,
) -> io::Result<()> {
    let check = &findings.check;
    writeln!(
        out,
        "{} of {}: {} of {}",
        counted(findings.stored.len() as u64, "URL", "URLs"),
        counted(findings.n_hosts as u64, "host", "hosts"),
        counted(findings.n_addresses as u64, "address", "addresses"),
        counted(findings.n_contents as u64, "content", "contents")
    )?;
    writeln!(
        out,
        "{}: {} left; {} brought to one address, {} lost",
        counted(findings.rules.len() as u64, "rule", "rules"),
        counted(check.after as u64, "address", "addresses"),
        counted(check.whole as u64, "content", "contents"),
        check.lost
    )?;
    if findings.n_unstable > 0 {
        let unstable = counted(findings.n_unstable as u64, "address", "addresses");
        writeln!(out, "{unstable} met with several contents")?;
    }
    let records = counted(account.records, "record", "records");
    let lacks = if account.degraded.n == 1 { "lacks" } else { "lack" };
    // Each count is followed by the first few notices.
    for (notices, what) in [
        (&account.bad, format!("{} of {records} could not be used", account.bad.n)),
        (&account.degraded, format!("{} of {records} {lacks} something", account.degraded.n)),
        (&account.skipped, format!("{} left out", counted(account.skipped.n, "input", "inputs"))),
    ] {
        if notices.n > 0 {
            writeln!(out, "{what}")?;
            first(notices, out)?;
        }
    }
    Ok(())
}

/// Names the first few notices.
fn first(notices: &CountedList<Notice>, out: &mut impl Write) -> io::Result<()> {
    for notice in notices.first.iter().take(NAMED) {
        let said = flags::said(&notice.reason);
        let (place, reason) = (printable(&notice.place), printable(&said));
        let record = notice.record.map(|record| format!(", record {record}"));
        let offset = notice.offset.filter(|_| record.is_none());
        let offset = offset.map(|offset| format!(", byte {offset}"));
        let (record, offset) = (record.unwrap_or_default(), offset.unwrap_or_default());
        writeln!(out, "  {place}{record}{offset}: {reason}")?;
    }
    let more = notices.n.saturating_sub(NAMED as u64);
    if more > 0 {
        writeln!(out, "  … and {more} more; summary.json lists the first hundred")?;
    }
    Ok(())
}
