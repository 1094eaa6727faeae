//! `urls`: what varies in addresses while the content does not, and addresses by the rules that say so.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use fanmill::progress::Progress;
use fanmill::{Error, Result};
use fanmill_source::records::account::Named;
use fanmill_source::records::format::{Format, Purpose, Survey, spool_stdin, survey};
use fanmill_source::replace::{Disk, Workplace};
use fanmill_urls::address::normalise;
use fanmill_urls::read::{Fields, OnBad, read};
use fanmill_urls::write::{self, Account};
use fanmill_urls::{Collector, Findings, Limits, Options};
use serde::{Deserialize, Serialize};

use crate::as_text;

/// No address is longer, so no more of a line is held.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines between two questions whether to go on.
const LINES: u64 = 1024;

/// Where records have what, and which evidence a rule needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The field of the URL; else `url`, and the target in web archives.
    pub url_field: Option<String>,
    /// The field of the text; else the first of the usual ones.
    pub text_field: Option<String>,
    /// The field of a sketch, in place of a text.
    pub sketch_field: Option<String>,
    /// What all files are, instead of by name and content.
    #[serde(with = "as_text")]
    pub input_format: Option<Format>,
    /// Whether the first record that cannot be used ends the job.
    pub strict: bool,
    /// Resemblance from which on two texts are one content, above 0 and at most 1.
    pub threshold: f64,
    /// Different contents that must speak for a rule.
    pub min_support: usize,
    /// Largest share of contents that a rule may lose among those it touches, a fraction in `0..=1`.
    pub max_conflicts: f64,
    /// Least lower bound of the share of contents that a rule leaves whole, a fraction in `0..=1`.
    pub min_confidence: f64,
    /// Bytes that addresses and contents may take.
    pub memory: u64,
}

/// Where records come from.
#[expect(missing_debug_implementations, reason = "streams have none")]
pub enum Records<'a> {
    /// Files, folders and patterns.
    Paths(&'a [PathBuf]),
    /// A stream of one format, which is put into a temporary file first.
    Stream(&'a mut (dyn Read + Send)),
}

/// What a job has found.
#[derive(Debug)]
pub struct Outcome {
    /// The rules, and what they do.
    pub findings: Findings,
    /// What was read.
    pub account: Account,
}

impl Default for Settings {
    fn default() -> Settings {
        let Options { threshold, limits, memory } = Options::standard();
        Settings {
            url_field: None,
            text_field: None,
            sketch_field: None,
            input_format: None,
            strict: false,
            threshold,
            min_support: limits.min_support,
            max_conflicts: limits.max_conflicts,
            min_confidence: limits.min_confidence,
            memory,
        }
    }
}

impl Settings {
    fn options(&self) -> Options {
        Options {
            threshold: self.threshold,
            limits: Limits {
                min_support: self.min_support,
                max_conflicts: self.max_conflicts,
                min_confidence: self.min_confidence,
            },
            memory: self.memory,
        }
    }

    fn fields(&self) -> Fields {
        Fields {
            url: self.url_field.clone(),
            text: self.text_field.clone(),
            sketch: self.sketch_field.clone(),
            format: self.input_format,
        }
    }
}

/// Learns rules from records, and writes them to the folder `output` if there is to be one.
///
/// # Errors
/// If a setting is out of bounds, an input is missing or has the wrong shape, memory does not suffice, the folder
/// cannot be written, or the job is cancelled. The folder is then as it was.
pub fn run(
    settings: &Settings,
    records: Records<'_>,
    output: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let mut collector = Collector::new(settings.options())?;
    let fields = settings.fields();
    if let Some(folder) = output {
        write::check_folder(folder)?;
    }
    // Held until everything is read.
    let mut spool = None;
    let survey = find(records, &fields, &mut spool)?;
    let on_bad = if settings.strict { OnBad::Stop } else { OnBad::Skip };
    let account = read(survey, &fields, on_bad, &mut collector, progress)?;
    progress.begin("learning", 1);
    let findings = collector.learn(progress)?;
    spool.map_or(Ok(()), Workplace::clear)?;
    if let Some(folder) = output {
        progress.check()?;
        write::write_folder(&findings, &account, folder)?;
    }
    Ok(Outcome { findings, account })
}

/// The shards that are given; a stream is put into a file first, to see what it is.
fn find(records: Records<'_>, fields: &Fields, spool: &mut Option<Workplace>) -> Result<Survey> {
    let options = fields.options();
    match records {
        Records::Paths(paths) => survey(paths, &options, Purpose::Read),
        Records::Stream(stream) => {
            let spool = spool.insert(Workplace::temporary(&Disk::default(), None)?);
            let file = spool.make_file(Path::new("stdin"))?;
            let path = spool.path().join("stdin");
            let shard = spool_stdin(file, &path, stream, &options)?;
            Ok(Survey { shards: vec![shard], left_out: Named::default() })
        }
    }
}

/// Rewrites addresses by the rules of a file, one a line, and hands `take` what becomes of them; returns how many
/// lines are neither empty nor an address, and were handed on as they are.
///
/// # Errors
/// If the rules or the addresses cannot be read, `take` fails, or the job is cancelled.
pub fn apply(
    rules: &Path,
    addresses: &mut dyn BufRead,
    take: &mut dyn FnMut(&[u8]) -> Result<()>,
    progress: &dyn Progress,
) -> Result<u64> {
    let rewriter = write::read_rules(rules)?;
    let (mut n_odd, mut line) = (0, Vec::new());
    for number in 0_u64.. {
        if number.is_multiple_of(LINES) {
            progress.check()?;
        }
        line.clear();
        let read = (&mut *addresses).take(LONGEST_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(unread)?;
        if read == 0 {
            break;
        }
        let is_whole = line.ends_with(b"\n") || (read as u64) < LONGEST_LINE;
        let words = line.trim_ascii();
        let address = str::from_utf8(words).ok().filter(|_| is_whole).map(normalise);
        if let Some(Ok(address)) = address.filter(|_| !words.is_empty()) {
            take(rewriter.rewrite(&address).as_bytes())?;
            take(b"\n")?;
            continue;
        }
        n_odd += u64::from(!words.is_empty());
        take(line.strip_suffix(b"\n").unwrap_or(&line))?;
        if !is_whole {
            pass_on(addresses, take)?;
        }
        take(b"\n")?;
    }
    Ok(n_odd)
}

/// Hands on the rest of a line, without its end, however long it is.
fn pass_on(input: &mut dyn BufRead, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
    loop {
        let rest = input.fill_buf().map_err(unread)?;
        let end = rest.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(rest.len(), |end| end + 1);
        take(&rest[..end.unwrap_or(used)])?;
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

fn unread(error: std::io::Error) -> Error {
    Error::system("could not read addresses", error)
}
