//! `urls`: learns which parts of URLs vary without changing the content, and rewrites URLs by such rules.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use fanmill_disk::replace::{Disk, Workplace};
use fanmill_records::account::CountedList;
use fanmill_records::format::{Format, Purpose, Survey, spool_stdin, survey};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, amount};
use fanmill_urls::address::normalise;
use fanmill_urls::read::{Fields, OnBad, read};
use fanmill_urls::write::{self, Account};
use fanmill_urls::{Collector, Findings, Limits, Options};
use serde::{Deserialize, Serialize};

use crate::remote;

/// Maximum length of an address in bytes; no more of a line is held.
const LONGEST_LINE: u64 = 1 << 20;
/// Number of lines between two checks for cancellation.
const LINES: u64 = 1024;

/// The settings of the job: the fields of records, and the evidence that a rule needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The field with the URL; `None` for `url`, and for the target in web archives.
    pub url_field: Option<String>,
    /// The field with the text; `None` for the first of the usual ones.
    pub text_field: Option<String>,
    /// The field with a sketch, instead of a text.
    pub sketch_field: Option<String>,
    /// The format of all files; `None` to recognise each by name and content.
    pub input_format: Option<Format>,
    /// If set, the first record that cannot be used ends the job.
    pub strict: bool,
    /// Minimum resemblance (Jaccard) of two texts that count as the same content, above 0 and at most 1.
    #[serde(deserialize_with = "amount::share")]
    pub min_score: f64,
    /// Minimum number of different contents that support a rule.
    pub min_support: usize,
    /// Maximum share of contents that a rule may lose among those it affects, a fraction in `0..=1`.
    #[serde(deserialize_with = "amount::share")]
    pub max_conflicts: f64,
    /// Required lower bound on the share of contents that a rule does not merge wrongly, a fraction in `0..=1`.
    #[serde(deserialize_with = "amount::share")]
    pub min_confidence: f64,
    /// Maximum memory for addresses and contents, in bytes.
    #[serde(deserialize_with = "amount::bytes")]
    pub memory: u64,
}

/// The source of records.
#[expect(missing_debug_implementations, reason = "streams have none")]
pub enum Records<'a> {
    /// Files, folders and patterns.
    Paths(&'a [PathBuf]),
    /// A stream of one format, which is copied to a temporary file first.
    Stream(&'a mut (dyn Read + Send)),
}

/// The findings of the job.
#[derive(Debug)]
pub struct Outcome {
    /// The rules, and their effects.
    pub findings: Findings,
    /// An account of what was read.
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
            min_score: threshold,
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
            threshold: self.min_score,
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

/// Learns rules from records, and writes them to the folder `output` if one is given.
///
/// # Errors
/// If a setting is out of bounds, an input is missing or is not what it should be, the memory is too small, the folder
/// cannot be written, or the job is cancelled. The folder is then unchanged.
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
    // The spool is kept until everything is read.
    let mut spool = None;
    let survey = find(records, &fields, &mut spool, progress)?;
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

/// Finds the shards of the records. A stream is copied to a file first, to see what it is.
fn find(
    records: Records<'_>,
    fields: &Fields,
    spool: &mut Option<Workplace>,
    progress: &dyn Progress,
) -> Result<Survey> {
    let options = fields.options();
    let temporary = || Workplace::temporary(&Disk::default(), None);
    match records {
        Records::Paths(paths) => {
            let mut paths = paths.to_vec();
            *spool = remote::replace(&mut [&mut paths], |_| temporary(), progress)?;
            survey(&paths, &options, Purpose::Read)
        }
        Records::Stream(stream) => {
            let spool = spool.insert(temporary()?);
            let file = spool.make_file(Path::new("stdin"))?;
            let path = spool.path().join("stdin");
            let shard = spool_stdin(file, &path, stream, &options, progress)?;
            Ok(Survey { shards: vec![shard], left_out: CountedList::default() })
        }
    }
}

/// Rewrites URLs, one per line, by the rules of a file, and passes the results to `take`. Returns how many lines are
/// neither empty nor a URL, and were passed on unchanged.
///
/// # Errors
/// If the rules or the URLs cannot be read, `take` fails, or the job is cancelled.
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
        // A line that is too long is not a URL; its rest is passed on below.
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

/// Passes on the rest of a line, without its line feed, however long it is.
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
