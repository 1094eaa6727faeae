//! `fanmill search`: where do the passages of this text come from?

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use fanmill_jobs::index::{
    self, Answer, ByFingerprint, Common, Covered, Estimate, Inputs, Library, Record, Run, Search,
    Source, Texts,
};
use fanmill_report::fit::{self, LineWidth};
use fanmill_report::sarif::Log;
use fanmill_report::{Compared, printable};
use fanmill_text::counted::counted;
use fanmill_text::message;
use fanmill_text::readable::readable;
use fanmill_text::{Error, Setting};
use serde::Serialize;

use crate::args::{SearchArgs, SearchFormat};
use crate::commands::index::{ending, names, wait};
use crate::exit::{Exit, is_broken_pipe};
use crate::progress::Bar;
use crate::results::{self, OutputFailure, Results};
use crate::words::words;
use crate::{layers, page, screen, terminal, threads};

pub(crate) fn run(args: &SearchArgs) -> anyhow::Result<Exit> {
    let (libraries, paths) = given(args);
    let (settings, mut inputs) = settings(args, &libraries, &paths)?;
    let threads;
    (threads, inputs.memory) =
        threads::within(&args.reading.limits.machine, "search for fewer texts at once")?;
    let stream = from_stdin(args, &paths, &inputs)?;
    let texts = match &stream {
        Some(bytes) => Texts::One(&args.stdin_name, bytes),
        None if args.and_add => Texts::Added(&inputs, wait(args.wait)),
        None => Texts::Inputs(&inputs),
    };
    let bar = Bar::new(args.reading.quiet);
    let (output, room) = (args.output.as_deref(), screen::of_results());
    let mut handed = OutputFailure::default();
    let mut log = Log::default();
    let mut take = |name: &str, answer: Answer| {
        handed.on(results::stream(|out| match args.format {
            SearchFormat::Table => table(name, &answer, room, out),
            SearchFormat::Json => json(name, &answer, out),
            SearchFormat::Sarif => passages(&answer, &mut log),
        }))
    };
    let found =
        threads.install(|| index::search(&settings, &libraries, texts, output, &mut take, &bar));
    // If printing failed, that is the error to report, unless the reader has simply closed the pipe.
    let notices = match handed.unless_failed(found) {
        Err(error) if is_broken_pipe(&error) => return Ok(Exit::Done),
        found => found?,
    };
    bar.finish();
    if args.format == SearchFormat::Sarif {
        results::print(|out| Ok(log.write(out)?))?;
    }
    let written = terminal::write_notices(&args.reading.notices, &notices);
    if !args.reading.quiet {
        terminal::notices(&notices, Some(&args.reading.notices), &mut words())?;
    }
    written?;
    if let Some(folder) = output.filter(|_| !args.reading.quiet) {
        let page = folder.join("index.html");
        writeln!(words(), "report: {}", printable(&readable(page.as_os_str())))?;
    }
    if let Some(folder) = output.filter(|_| args.page.open) {
        page::open(folder);
    }
    Ok(ending(&notices, &args.reading))
}

/// Returns the indexes and the paths of texts: with `--library`, all paths are texts.
fn given(args: &SearchArgs) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let first = vec![args.index.clone()];
    if args.library.is_empty() {
        (first, args.paths.clone())
    } else {
        (args.library.clone(), [first, args.paths.clone()].concat())
    }
}

fn settings(
    args: &SearchArgs,
    libraries: &[PathBuf],
    paths: &[PathBuf],
) -> anyhow::Result<(Search, Inputs)> {
    let (mut settings, mut inputs): (Search, Inputs) =
        layers::filled(&args.config, "search", args)?;
    layers::replace(&mut inputs.paths, paths);
    let mut excluded = args.exclude_source.clone();
    for library in libraries {
        excluded = names(library, &excluded)?.into_iter().map(OsString::from).collect();
    }
    let excluded: Vec<String> =
        excluded.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    layers::replace(&mut settings.lookup.exclude_source, &excluded);
    layers::replace(&mut settings.base, &args.base);
    layers::replace_one(&mut settings.key, args.key.as_ref());
    args.reading.documents.add_paths(&mut inputs.documents);
    Ok((settings, inputs))
}

/// Reads the text on standard input, if that is what is searched for.
fn from_stdin(
    args: &SearchArgs,
    paths: &[PathBuf],
    inputs: &Inputs,
) -> anyhow::Result<Option<Vec<u8>>> {
    let is_stdin = |path: &Path| path == Path::new("-");
    if !paths.iter().any(|path| is_stdin(path)) {
        return Ok(None);
    }
    if paths.len() > 1 || args.and_add {
        anyhow::bail!(Error::setting(
            "standard input (`-`) is searched for alone, and has no name to be added under; put it into a file"
        ));
    }
    let (mut bytes, most) = (Vec::new(), inputs.limits.file_bytes);
    let read = io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::system("could not read standard input", error))?;
    if bytes.len() as u64 > most {
        anyhow::bail!(Error::input(message![
            "standard input is over the limit of {most} bytes; raise ",
            Setting("max-file-bytes")
        ]));
    }
    Ok(Some(bytes))
}

/// Adds the passages of an answer to a log.
///
/// # Errors
/// If the index keeps no texts.
fn passages(answer: &Answer, log: &mut Log) -> anyhow::Result<()> {
    if !answer.by_fingerprint.is_empty() {
        anyhow::bail!(Error::setting(
            "the index keeps no texts, so that no passages are known; use --format json"
        ));
    }
    let (comparison, registry) = (&answer.comparison, &fanmill_lang::registry());
    log.add(&comparison.report, &Compared { comparison, registry });
    Ok(())
}

/// Columns of the table, and the number of the one with names.
const HEADS: [&str; 7] =
    ["evidence", "source", "of the text", "added", "longest", "passages", "matched"];
const NAMES: [usize; 1] = [1];

fn table(name: &str, answer: &Answer, room: LineWidth, out: &mut Results) -> anyhow::Result<()> {
    let head = format!("{}: {}", room.cut(&printable(name)), said(answer));
    for line in room.wrap(&head, 2) {
        writeln!(out, "{line}")?;
    }
    let all = n_tokens(answer);
    if !answer.sources.is_empty() {
        let heads: Vec<(u32, &Source)> =
            (0..).zip(&answer.sources).filter(|(_, source)| source.variant_of.is_none()).collect();
        let mut rows = vec![HEADS.map(str::to_owned)];
        rows.extend(heads.iter().map(|(_, source)| row(source, all)));
        fit::shrink(&mut rows, &NAMES, room);
        let mut lines = fit::lay_out(&rows, &NAMES).into_iter();
        lines.next().map_or(Ok(()), |line| writeln!(out, "{line}"))?;
        for (line, (number, source)) in lines.zip(heads) {
            writeln!(out, "{line}")?;
            for line in about(source, variants(number, answer), room) {
                writeln!(out, "{line}")?;
            }
        }
    }
    if !answer.by_fingerprint.is_empty() {
        let mut rows = vec![HEADS_ALONE.map(str::to_owned)];
        rows.extend(answer.by_fingerprint.iter().map(|source| row_alone(source, all)));
        fit::shrink(&mut rows, &NAMES, room);
        for line in fit::lay_out(&rows, &NAMES) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(writeln!(out)?)
}

/// Returns the variants of a source of an answer.
fn variants(number: u32, answer: &Answer) -> impl Iterator<Item = &Source> {
    answer.sources.iter().filter(move |source| source.variant_of == Some(number))
}

/// Returns lines about a source: its title, address, licence and date, and the names of its variants.
fn about<'a>(
    source: &Source,
    variants: impl Iterator<Item = &'a Source>,
    room: LineWidth,
) -> Vec<String> {
    let Record { name, submitted, publication, .. } = &source.record;
    let mut lines = Vec::new();
    if !publication.is_empty() {
        // The name of a document of a library mostly is its file and its address.
        let url = publication.url.as_deref().filter(|url| !name.ends_with(url));
        let facts = [publication.title.as_deref(), url, publication.licence.as_deref()];
        let facts = facts.into_iter().chain([submitted.as_deref()]).flatten();
        lines.push(facts.map(|fact| printable(fact).into_owned()).collect::<Vec<_>>().join(" · "));
    }
    let names: Vec<String> =
        variants.map(|variant| printable(&variant.record.name).into_owned()).collect();
    if !names.is_empty() {
        let n = names.len() as u64;
        let inner = room.beside(INDENT);
        lines.push(format!("the same is in {}", fit::list(&names, n, inner)));
    }
    let indented = |line: String| format!("{:INDENT$}{line}", "");
    lines.iter().flat_map(|line| room.beside(INDENT).wrap(line, 0)).map(indented).collect()
}

/// The column at which lines about a source begin.
const INDENT: usize = 10;

fn row(source: &Source, all: u64) -> [String; 7] {
    let pair = &source.pair;
    [
        source.evidence.to_string(),
        printable(&source.record.name).into_owned(),
        terminal::percent(pair.containment_a),
        terminal::percent(share(source.added, all)),
        pair.longest.to_string(),
        pair.passages.len().to_string(),
        pair.matched.to_string(),
    ]
}

/// Columns if nothing was verified.
const HEADS_ALONE: [&str; 6] =
    ["evidence", "source", "of the text", "longest", "runs", "fingerprints"];

fn row_alone(source: &ByFingerprint, n_tokens: u64) -> [String; 6] {
    let longest = source.runs.iter().map(|run| run.tokens).max().unwrap_or(0);
    [
        source.evidence.to_string(),
        printable(&source.record.name).into_owned(),
        terminal::percent(share(source.tokens, n_tokens)),
        longest.to_string(),
        source.runs.len().to_string(),
        source.fingerprints.to_string(),
    ]
}

/// Returns the number of tokens in the text.
fn n_tokens(answer: &Answer) -> u64 {
    answer.comparison.report.submissions.first().map_or(0, |text| text.tokens)
}

fn share(tokens: u64, all: u64) -> f64 {
    tokens as f64 / all.max(tokens).max(1) as f64
}

/// Describes what was searched, and what was found in it.
fn said(answer: &Answer) -> String {
    let all = counted(answer.documents, "document", "documents");
    let all = match answer.libraries.len() {
        0 | 1 => format!("{all} (generation {})", answer.generation),
        n => format!("{all} in {n} libraries"),
    };
    let n_alone = answer.by_fingerprint.len() as u64;
    let found = match answer.sources.len() as u64 {
        0 if n_alone > 0 => {
            format!(
                "fingerprints in common with {n_alone} of {all}, not verified: no texts are kept"
            )
        }
        0 if answer.fingerprints == 0 => {
            return "nothing was searched for: the text is shorter than any match".to_owned();
        }
        0 => format!("no passage{} in common with any of {all}", of_length(answer)),
        n => format!("passages in common with {n} of {all}"),
    };
    let compared = if answer.compared < answer.candidates {
        format!(
            "; compared with {} of {} that share fingerprints: --max-sources",
            answer.compared, answer.candidates
        )
    } else {
        String::new()
    };
    let common: u64 = answer.common.iter().map(|stretch| stretch.tokens).sum();
    let popular = if common > 0 {
        let share = 100.0 * share(common, n_tokens(answer));
        format!(
            "; {share:.0}% of the text is in so many documents that only the first were looked at: --max-postings"
        )
    } else {
        String::new()
    };
    let quick = if answer.looked_up < answer.fingerprints {
        format!("; {} of {} fingerprints were looked up", answer.looked_up, answer.fingerprints)
    } else {
        String::new()
    };
    let outdated = if answer.outdated > 0 {
        let n = counted(answer.outdated, "document was", "documents were");
        format!("; {n} not searched, as another release has read them: `fanmill index upgrade`")
    } else {
        String::new()
    };
    // If no texts are kept, the answer already says that nothing is verified.
    let unpromised = if answer.unpromised > 0 && answer.by_fingerprint.is_empty() {
        let n = counted(answer.unpromised, "document", "documents");
        format!("; of {n}, a run that few have may have been missed")
    } else {
        String::new()
    };
    format!("{found}{compared}{popular}{quick}{outdated}{unpromised}")
}

/// Returns the length from which on a passage would have been found.
fn of_length(answer: &Answer) -> String {
    let promises = &answer.comparison.report.promises;
    let guarantee = promises.iter().filter_map(|promise| promise.guarantee).max();
    guarantee.map_or_else(String::new, |guarantee| format!(" of {guarantee} tokens or more"))
}

/// An answer as data; see `docs/index-command.md`.
#[derive(Serialize)]
struct Line<'a> {
    format: &'static str,
    version: u32,
    text: &'a str,
    generation: u64,
    schemes: &'a [String],
    libraries: &'a [Library],
    documents: u64,
    outdated: u64,
    unpromised: u64,
    fingerprints: u64,
    looked_up: u64,
    known: u64,
    popular: u64,
    common: &'a [Common],
    candidates: u64,
    compared: u64,
    coverage: Vec<Covered>,
    sources: Vec<SourceLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_fingerprint: Vec<AloneLine<'a>>,
}

#[derive(Serialize)]
struct AloneLine<'a> {
    #[serde(flatten)]
    record: &'a Record,
    library: usize,
    evidence: u64,
    weight: u64,
    fingerprints: u64,
    share_of_text: f64,
    runs: &'a [Run],
}

#[derive(Serialize)]
struct SourceLine<'a> {
    #[serde(flatten)]
    record: &'a Record,
    library: usize,
    added: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant_of: Option<u32>,
    evidence: u64,
    weight: u64,
    fingerprints: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimate>,
    share_of_text: f64,
    share_of_source: f64,
    matched: u64,
    longest: u64,
    passages: &'a [fanmill::report::Passage],
}

fn json(name: &str, answer: &Answer, out: &mut Results) -> anyhow::Result<()> {
    let sources = answer.sources.iter().map(|source| SourceLine {
        record: &source.record,
        library: source.library,
        added: source.added,
        variant_of: source.variant_of,
        evidence: source.evidence,
        weight: source.weight,
        fingerprints: source.fingerprints,
        estimate: source.estimate,
        share_of_text: source.pair.containment_a,
        share_of_source: source.pair.containment_b,
        matched: source.pair.matched,
        longest: source.pair.longest,
        passages: &source.pair.passages,
    });
    let all = n_tokens(answer);
    let by_fingerprint = answer.by_fingerprint.iter().map(|source| AloneLine {
        record: &source.record,
        library: source.library,
        evidence: source.evidence,
        weight: source.weight,
        fingerprints: source.fingerprints,
        share_of_text: share(source.tokens, all),
        runs: &source.runs,
    });
    let line = Line {
        format: "fanmill search",
        version: 1,
        text: name,
        generation: answer.generation,
        schemes: &answer.schemes,
        libraries: &answer.libraries,
        documents: answer.documents,
        outdated: answer.outdated,
        unpromised: answer.unpromised,
        fingerprints: answer.fingerprints,
        looked_up: answer.looked_up,
        known: answer.known,
        popular: answer.popular,
        common: &answer.common,
        candidates: answer.candidates,
        compared: answer.compared,
        coverage: answer.coverage(),
        sources: sources.collect(),
        by_fingerprint: by_fingerprint.collect(),
    };
    serde_json::to_writer(&mut *out, &line)?;
    Ok(writeln!(out)?)
}
