//! The rules by host, and the words around them.

use std::io::{self, Write};

use fanmill::report::printable;
use fanmill_corpus::urls::write::Account;
use fanmill_corpus::urls::{Findings, Learnt};
use unicode_width::UnicodeWidthStr;

use crate::terminal::counted;

/// Columns that an address may take before it is cut in the middle.
const ADDRESS_WIDTH: usize = 88;
/// Columns that a rule may take.
const RULE_WIDTH: usize = 52;
/// Columns of the table.
const COLUMNS: usize = 7;
/// Records that could not be used which are named.
const NAMED: usize = 3;

/// Writes the rules of the first `top` hosts to read.
pub(super) fn rules(findings: &Findings, top: usize, out: &mut impl Write) -> io::Result<()> {
    if findings.rules.is_empty() {
        return writeln!(out, "{}", no_rules(findings));
    }
    let hosts = &findings.hosts[..top.min(findings.hosts.len())];
    let rows: Vec<[String; COLUMNS]> =
        hosts.iter().flat_map(|host| &host.rules).map(|&i| row(i, &findings.rules[i])).collect();
    let heads = ["#", "rule", "URLs", "addresses", "contents", "conflicts", "sure"];
    let heads = heads.map(str::to_owned);
    let widths: Vec<usize> = (0..COLUMNS)
        .map(|column| rows.iter().chain([&heads]).map(|row| row[column].width()).max().unwrap_or(0))
        .collect();
    if !hosts.is_empty() {
        write_row(&heads, &widths, out)?;
    }
    let mut rows = rows.iter();
    for host in hosts {
        let name = printable(&host.host);
        writeln!(out, "\n{name}: {} addresses → {}", host.before, host.after)?;
        for (&i, row) in host.rules.iter().zip(&mut rows) {
            write_row(row, &widths, out)?;
            details(&findings.rules[i], &" ".repeat(widths[0] + 2), out)?;
        }
    }
    let more = findings.hosts.len() - hosts.len();
    if more > 0 {
        writeln!(out, "… and {more} more hosts; --top shows more")?;
    }
    Ok(())
}

fn row(number: usize, learnt: &Learnt) -> [String; COLUMNS] {
    let evidence = &learnt.evidence;
    [
        (number + 1).to_string(),
        cut(&printable(&learnt.rule.to_string()), RULE_WIDTH),
        learnt.n_urls.to_string(),
        format!("{} → {}", evidence.addresses, evidence.groups),
        evidence.contents.to_string(),
        evidence.conflicts.to_string(),
        format!("{:.2}", evidence.confidence()),
    ]
}

fn write_row(row: &[String; COLUMNS], widths: &[usize], out: &mut impl Write) -> io::Result<()> {
    let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, &width))| {
        let blank = " ".repeat(width.saturating_sub(cell.width()));
        if column == 1 { format!("{cell}{blank}") } else { format!("{blank}{cell}") }
    });
    writeln!(out, "{}", cells.collect::<Vec<_>>().join("  "))
}

/// What the values look like, and addresses before and after.
fn details(learnt: &Learnt, indent: &str, out: &mut impl Write) -> io::Result<()> {
    let looks = learnt.looks.map(str::to_owned);
    let joint = learnt.is_joint.then(|| "shown only together with its neighbours".to_owned());
    let notes: Vec<String> = looks.into_iter().chain(joint).collect();
    if !notes.is_empty() {
        writeln!(out, "{indent}{}", notes.join("; "))?;
    }
    for (from, _) in &learnt.examples {
        writeln!(out, "{indent}    {}", cut(from, ADDRESS_WIDTH))?;
    }
    if let Some((_, to)) = learnt.examples.first() {
        writeln!(out, "{indent}  → {}", cut(to, ADDRESS_WIDTH))?;
    }
    Ok(())
}

/// Why there is not even one rule.
fn no_rules(findings: &Findings) -> String {
    let (addresses, contents) = (findings.n_addresses, findings.n_contents);
    if addresses == 0 {
        "no rules: there is no URL with a content".to_owned()
    } else if addresses <= contents {
        format!(
            "no rules: {addresses} addresses have {contents} contents, nothing varies needlessly"
        )
    } else {
        format!(
            "no rules: of {addresses} addresses with {contents} contents, no part varies for {} \
             contents without a difference; lower --min-support, or give more of the crawl",
            findings.options.limits.min_support
        )
    }
}

/// Writes what was read, what the rules do to it, and what was left out.
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
    if account.bad > 0 {
        writeln!(out, "{} of {} records could not be used", account.bad, account.records)?;
    }
    for bad in account.first_bad.iter().take(NAMED) {
        let (file, reason) = (printable(&bad.file), printable(&bad.reason));
        writeln!(out, "  {file}, record {}: {reason}", bad.number)?;
    }
    let more = account.bad.saturating_sub(NAMED as u64);
    if more > 0 {
        writeln!(out, "  … and {more} more; summary.json lists the first hundred")?;
    }
    Ok(())
}

/// An address or a rule in at most `width` columns, cut in the middle; both are ASCII, or nearly.
fn cut(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= width {
        return text.to_owned();
    }
    let half = (width - 1) / 2;
    let (head, tail) = (&chars[..half], &chars[chars.len() - half..]);
    head.iter().chain(&['…']).chain(tail).collect()
}
