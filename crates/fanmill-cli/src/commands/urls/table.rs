//! The rules by host, and the words around them.

use std::io::{self, Write};

use fanmill::report::printable;
use fanmill_corpus::urls::write::Account;
use fanmill_corpus::urls::{Findings, HostFindings, Learnt};
use unicode_width::UnicodeWidthStr;

/// Columns that an address may take before it is cut in the middle.
const ADDRESS_WIDTH: usize = 92;
/// Records that could not be used which are named.
const NAMED: usize = 3;

/// Writes the rules of the first `top` hosts to read.
pub(super) fn rules(findings: &Findings, top: usize, out: &mut impl Write) -> io::Result<()> {
    if findings.rules.is_empty() {
        return writeln!(out, "{}", no_rules(findings));
    }
    for (i, host) in findings.hosts.iter().take(top).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        of_host(findings, host, out)?;
    }
    let more = findings.hosts.len().saturating_sub(top);
    if more > 0 {
        writeln!(out, "… and {more} more hosts; --top shows more")?;
    }
    Ok(())
}

fn of_host(findings: &Findings, host: &HostFindings, out: &mut impl Write) -> io::Result<()> {
    let name = printable(&host.host);
    writeln!(out, "{name}  {} addresses → {}", host.before, host.after)?;
    let rules = || host.rules.iter().map(|&number| (number + 1, &findings.rules[number]));
    let width = rules().map(|(_, learnt)| shown(learnt).width()).max().unwrap_or(0).min(60);
    for (number, learnt) in rules() {
        let text = shown(learnt);
        let blank = " ".repeat(width.saturating_sub(text.width()));
        writeln!(out, "{number:>4}  {text}{blank}  {}", evidence(learnt))?;
        for (from, _) in &learnt.examples {
            writeln!(out, "          {}", cut(from))?;
        }
        if let Some((_, to)) = learnt.examples.first() {
            writeln!(out, "        → {}", cut(to))?;
        }
    }
    Ok(())
}

fn shown(learnt: &Learnt) -> String {
    let looks = learnt.looks.map_or(String::new(), |looks| format!(" ({looks})"));
    printable(&format!("{}{looks}", learnt.rule)).into_owned()
}

/// What speaks for a rule, in a line.
fn evidence(learnt: &Learnt) -> String {
    let evidence = &learnt.evidence;
    let joint = if learnt.is_joint { ", only together" } else { "" };
    format!(
        "{} URLs: {} addresses → {}; {} contents for it, {} against; sure to {:.0} %{joint}",
        learnt.n_urls,
        evidence.addresses,
        evidence.groups,
        evidence.contents,
        evidence.conflicts,
        100.0 * evidence.confidence(),
    )
}

/// Why there is not even one rule.
fn no_rules(findings: &Findings) -> String {
    let (addresses, contents) = (findings.n_addresses, findings.n_contents);
    if addresses == 0 {
        "no rules: there is no URL with a content".to_owned()
    } else if addresses <= contents {
        format!("no rules: {addresses} addresses have {contents} contents, nothing varies needlessly")
    } else {
        format!(
            "no rules: of {addresses} addresses with {contents} contents, no part varies for {} \
             contents without a difference; lower --min-support, or give more of the crawl",
            findings.options.limits.min_support
        )
    }
}

/// Writes what was read, what the rules do to it, and what was left out.
pub(super) fn summary(findings: &Findings, account: &Account, out: &mut impl Write) -> io::Result<()> {
    let check = &findings.check;
    writeln!(
        out,
        "{} URLs of {} hosts: {} addresses of {} contents",
        findings.stored.len(),
        findings.n_hosts,
        findings.n_addresses,
        findings.n_contents
    )?;
    writeln!(
        out,
        "{} rules: {} addresses remain; {} contents found whole, {} lost",
        findings.rules.len(),
        check.after,
        check.whole,
        check.lost
    )?;
    if findings.n_unstable > 0 {
        writeln!(out, "{} addresses were met with several contents", findings.n_unstable)?;
    }
    if account.bad > 0 {
        writeln!(out, "{} of {} records could not be used", account.bad, account.records)?;
    }
    for bad in account.first_bad.iter().take(NAMED) {
        let (file, reason) = (printable(&bad.file), printable(&bad.reason));
        writeln!(out, "  {file}, record {}: {reason}", bad.number + 1)?;
    }
    let more = account.bad.saturating_sub(NAMED as u64);
    if more > 0 {
        writeln!(out, "  … and {more} more; summary.json lists the first hundred")?;
    }
    Ok(())
}

/// An address in at most [`ADDRESS_WIDTH`] columns; it is ASCII.
fn cut(address: &str) -> String {
    if address.len() <= ADDRESS_WIDTH {
        return address.to_owned();
    }
    let half = (ADDRESS_WIDTH - 1) / 2;
    format!("{}…{}", &address[..half], &address[address.len() - half..])
}
