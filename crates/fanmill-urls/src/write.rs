//! Writing findings to files, for crawlers and for people, and reading rules back.
//!
//! Cost: one pass over the records. The folder appears by a rename, completely or not at all.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use fanmill_disk::given;
use fanmill_disk::replace::{Disk, Replacement};
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use super::learn::Findings;
use super::pattern::{Operation, Pattern, Rewriter};
use super::rule::Kind;
use super::site::LearntRule;
use fanmill_records::account::{CountedList, Inputs, Notice, first_hundred};

/// Name of the work in progress.
const JOB: &str = "urls";
/// Names of the files in a folder of findings.
const FILES: [&str; 3] = ["canonical.jsonl", "rules.jsonl", "summary.json"];

/// A rule in `rules.jsonl`, one a line, in the order in which rules apply.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleLine {
    /// Its number, counted from 1.
    pub number: usize,
    /// The host whose addresses it changes.
    pub host: String,
    /// The path below which it changes them; `/` for all.
    pub scope: String,
    /// The kind of change: `parameter`, `path-parameter`, `segment`, `host`, `folder`, …
    pub kind: &'static str,
    /// The parameter, file or segment that is dropped, or the folder or host that it moves to.
    pub subject: Option<String>,
    /// The rule in words, for people.
    pub description: String,
    /// A description of the dropped values, for readers.
    pub looks: Option<&'static str>,
    /// `replace`, `sort-parameters` or `lowercase-path`.
    pub operation: &'static str,
    /// The expression to be replaced.
    pub regex: String,
    /// The replacement.
    pub replace: String,
    /// If set, replacing is repeated until nothing changes.
    pub repeat: bool,
    /// Its evidence.
    pub evidence: EvidenceLine,
    /// Addresses before and after.
    pub examples: Vec<Example>,
}

/// Evidence in `rules.jsonl`; see [`Evidence`](super::Evidence).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvidenceLine {
    /// Number of URLs of the input that it changes.
    pub urls: u64,
    /// Number of addresses that it makes equal to another one.
    pub addresses_before: usize,
    /// Number of different addresses that they become.
    pub addresses_after: usize,
    /// Number of the latter that were in the input, with the same content.
    pub seen: usize,
    /// Number of contents that support it.
    pub contents: usize,
    /// Number of contents that it loses.
    pub conflicts: usize,
    /// Lower bound of the fraction of contents that it leaves whole.
    pub confidence: f64,
    /// True if the evidence is that of several rules together.
    pub joint: bool,
}

/// An address before and after a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The address before.
    pub from: String,
    /// The address after.
    pub to: String,
}

/// `summary.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The name and version of this format.
    pub format: &'static str,
    /// The way contents were distinguished.
    pub scheme: Scheme,
    /// The limits for sufficient evidence.
    pub limits: LimitsLine,
    /// Numbers of inputs that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of records, addresses and contents.
    pub counts: Counts,
    /// The guarantee for the result, in words.
    pub promise: String,
    /// The first ten thousand records that could not be used; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub bad: Vec<Notice>,
    /// The first ten thousand records whose text is incomplete; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub degraded: Vec<Notice>,
    /// The first ten thousand files and records that were left out; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub skipped: Vec<Notice>,
}

/// The way contents were distinguished.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scheme {
    /// Resemblance at which two texts become one content; 1 for equal words.
    pub threshold: f64,
    /// Words in a shingle.
    pub shingle: usize,
    /// The sketch, if texts were given.
    pub sketch: String,
    /// The bands by which similar contents were found; `None` if they were not needed.
    pub bands: Option<String>,
}

/// The limits for sufficient evidence; see [`Limits`](super::Limits).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitsLine {
    /// Minimum number of contents that must support a rule.
    pub min_support: usize,
    /// Largest fraction of conflicts among contents.
    pub max_conflicts: f64,
    /// Minimum confidence.
    pub min_confidence: f64,
}

/// Counts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Records read, bad ones included.
    pub records: u64,
    /// Records that could not be used.
    pub bad: u64,
    /// URLs whose text does not have words: they are rewritten, but are not evidence.
    pub empty: usize,
    /// URLs that were used.
    pub urls: usize,
    /// Their hosts.
    pub hosts: usize,
    /// Different addresses with a content.
    pub addresses: usize,
    /// Addresses that were seen with several contents.
    pub unstable: usize,
    /// Different contents.
    pub contents: usize,
    /// Rules.
    pub rules: usize,
    /// Different addresses after the rules.
    pub addresses_after: usize,
    /// Contents of which several addresses became one.
    pub contents_whole: usize,
    /// Contents lost.
    pub contents_lost: usize,
}

/// Counts and notices from reading the input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Records read, bad ones included.
    pub records: u64,
    /// Records that could not be used.
    pub bad: CountedList<Notice>,
    /// Records whose text is null, or has bytes that do not encode characters.
    pub degraded: CountedList<Notice>,
    /// Files outside all shards, and parts of web archives that could be documents but are not.
    pub skipped: CountedList<Notice>,
}

impl Account {
    /// Returns the numbers of inputs that were compared, degraded, skipped or failed.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            seen: self.records + self.skipped.n,
            compared: self.records - self.bad.n - self.degraded.n,
            degraded: self.degraded.n,
            skipped: self.skipped.n,
            failed: self.bad.n,
        }
    }
}

/// Returns the rules of findings in the form in which they are written.
pub fn rule_lines(findings: &Findings) -> Vec<RuleLine> {
    findings.rules.iter().enumerate().map(|(i, learnt)| rule_line(i + 1, learnt)).collect()
}

fn rule_line(number: usize, learnt: &LearntRule) -> RuleLine {
    let LearntRule { rule, evidence, .. } = learnt;
    let pattern = Pattern::from_rule(rule);
    let (kind, subject) = named(&rule.kind, &rule.host);
    RuleLine {
        number,
        host: rule.host.clone(),
        // The scope of a whole host is shown as its root.
        scope: if rule.scope.is_empty() { "/".to_owned() } else { rule.scope.clone() },
        kind,
        subject,
        description: rule.to_string(),
        looks: learnt.looks,
        operation: pattern.operation.name(),
        regex: pattern.regex,
        replace: pattern.replace,
        repeat: pattern.repeat,
        evidence: EvidenceLine {
            urls: learnt.n_urls,
            addresses_before: evidence.addresses,
            addresses_after: evidence.groups,
            seen: evidence.seen,
            contents: evidence.contents,
            conflicts: evidence.conflicts,
            confidence: (evidence.confidence() * 1e4).round() / 1e4,
            joint: learnt.is_joint,
        },
        examples: learnt
            .examples
            .iter()
            .map(|(from, to)| Example { from: from.clone(), to: to.clone() })
            .collect(),
    }
}

/// Returns the name of a kind, and its subject.
fn named(kind: &Kind, host: &str) -> (&'static str, Option<String>) {
    match kind {
        Kind::Scheme(to) => ("scheme", Some((*to).to_owned())),
        Kind::Move(target) if target.host == host => ("folder", Some(format!("{}/", target.path))),
        Kind::Move(target) => ("host", Some(format!("{}{}/", target.host, target.path))),
        Kind::Parameter(name) => ("parameter", Some(name.clone())),
        Kind::PathParameter(name) => ("path-parameter", Some(name.clone())),
        Kind::Order => ("order", None),
        Kind::Slash => ("slash", None),
        Kind::Index(file) => ("index", Some(file.clone())),
        Kind::Case => ("case", None),
        Kind::Segment { at, .. } => ("segment", Some((at + 1).to_string())),
    }
}

/// Summarises a run.
pub fn summary(findings: &Findings, account: &Account) -> Summary {
    let Findings { options, check, .. } = findings;
    let (limits, threshold) = (options.limits, options.threshold);
    let alike = if threshold < 1.0 {
        format!("an estimated resemblance of {threshold} or more of their 5-word shingles")
    } else {
        "the same words".to_owned()
    };
    Summary {
        format: "fanmill-urls 1",
        scheme: Scheme {
            threshold,
            shingle: fanmill_sketch::shingle::DEFAULT_WORDS,
            sketch: fanmill_sketch::Sketch::standard().to_string(),
            bands: findings.bands.clone(),
        },
        limits: LimitsLine {
            min_support: limits.min_support,
            max_conflicts: limits.max_conflicts,
            min_confidence: limits.min_confidence,
        },
        inputs: account.inputs(),
        counts: Counts {
            records: account.records,
            bad: account.bad.n,
            empty: findings.stored.iter().filter(|stored| stored.content.is_none()).count(),
            urls: findings.stored.len(),
            hosts: findings.n_hosts,
            addresses: findings.n_addresses,
            unstable: findings.n_unstable,
            contents: findings.n_contents,
            rules: findings.rules.len(),
            addresses_after: check.after,
            contents_whole: check.whole,
            contents_lost: check.lost,
        },
        promise: format!(
            "applied to this input, the rules lose {} of {} contents that they touch, and never more \
             than {} % of a host's; contents are one if they have {alike}; of addresses that were \
             not in the input nothing is promised",
            check.lost,
            check.whole + check.lost,
            100.0 * limits.max_conflicts
        ),
        bad: account.bad.first.clone(),
        degraded: account.degraded.first.clone(),
        skipped: account.skipped.first.clone(),
    }
}

/// Writes rules, one a line.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_rules(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    for line in rule_lines(findings) {
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes rules and summary as one JSON object.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_json(findings: &Findings, account: &Account, out: &mut impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Whole {
        summary: Summary,
        rules: Vec<RuleLine>,
    }
    let whole = Whole { summary: summary(findings, account), rules: rule_lines(findings) };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    out.write_all(b"\n")
}

/// A record's address in `canonical.jsonl`.
#[derive(Serialize)]
struct CanonicalLine<'a> {
    url: &'a str,
    canonical: &'a str,
    /// The number of the canonical address, from 0 in the order of first appearance.
    cluster: usize,
    /// The number of the content; `null` for a text without words.
    content: Option<u32>,
}

fn write_canonical(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    let mut clusters: HashMap<&str, usize> = HashMap::new();
    for (stored, canonical) in findings.stored.iter().zip(&findings.canonical) {
        let next = clusters.len();
        let cluster = *clusters.entry(canonical).or_insert(next);
        let (url, content) = (stored.given(), stored.content);
        serde_json::to_writer(&mut *out, &CanonicalLine { url, canonical, cluster, content })?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Checks before long work that findings may be written to `dir`. Leaves nothing behind.
///
/// # Errors
/// If `dir` exists and holds anything except earlier findings, or a folder cannot be made there.
pub fn check_folder(dir: &Path) -> Result<()> {
    Replacement::check(dir, JOB, is_part)
}

fn is_part(name: &Path) -> bool {
    FILES.iter().any(|file| name == Path::new(file))
}

/// Writes `rules.jsonl`, `canonical.jsonl` and `summary.json` into `dir`, which is made, or replaced if it is empty or
/// holds earlier findings. After an error, it is unchanged.
///
/// # Errors
/// If `dir` holds anything else, or if a file or folder cannot be written.
pub fn write_folder(findings: &Findings, account: &Account, dir: &Path) -> Result<()> {
    let mut new = Replacement::begin(&Disk::default(), dir, JOB, is_part)?;
    new.write("rules.jsonl", |out| write_rules(findings, out))?;
    new.write("canonical.jsonl", |out| write_canonical(findings, out))?;
    new.write("summary.json", |out| {
        serde_json::to_writer_pretty(&mut *out, &summary(findings, account))?;
        out.write_all(b"\n")
    })?;
    new.finish()
}

/// The fields of a rule that are needed to apply it.
#[derive(Deserialize)]
struct Applied {
    host: String,
    operation: String,
    regex: String,
    #[serde(default)]
    replace: String,
    #[serde(default)]
    repeat: bool,
}

/// Longest line of a file of rules, in bytes. A line has a few addresses, which have limits of their own.
const LONGEST_RULE: u64 = 1 << 20;

/// Reads `rules.jsonl` in order to apply its rules.
///
/// # Errors
/// If the file cannot be read, or a line is not a rule; the error names the line.
pub fn read_rules(path: &Path) -> Result<Rewriter> {
    parse_rules(io::BufReader::new(given::open_file("", path)?), path)
}

/// Reads the content of `rules.jsonl`, which errors call `path`.
///
/// # Errors
/// As for [`read_rules`].
pub fn parse_rules(mut input: impl BufRead, path: &Path) -> Result<Rewriter> {
    let (mut rules, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        let read = input.by_ref().take(LONGEST_RULE + 1).read_until(b'\n', &mut line);
        if read.map_err(|error| Error::io("read", path, error))? == 0 {
            break;
        }
        let wrong = |what: String| {
            let place = format!("`{}`, line {number}", path.display());
            Error::input(format!("{place}, is not a rule: {what}; give a rules.jsonl"))
        };
        if line.len() as u64 > LONGEST_RULE {
            return Err(wrong(format!("it is longer than the limit of {LONGEST_RULE} bytes")));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let rule: Applied =
            serde_json::from_slice(&line).map_err(|error| wrong(error.to_string()))?;
        let operation = Operation::named(&rule.operation)
            .ok_or_else(|| wrong(format!("unknown operation `{}`", rule.operation)))?;
        let Applied { host, regex, replace, repeat, .. } = rule;
        rules.push((host, Pattern { operation, regex, replace, repeat }));
    }
    Rewriter::new(rules)
}
