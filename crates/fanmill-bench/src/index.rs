//! The index on disk: the cost of adding, looking up, opening and searching, and a check that a search finds the
//! passages that a comparison with all documents finds.

mod grown;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::collections::BTreeMap;
use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fanmill::pipeline::{Config, compare, fingerprinted};
use fanmill::report::{Passage, Report};
use fanmill_disk::replace::Disk;
use fanmill_index::{Answer, Index, Search, Writer};
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

/// One document in this many is a query.
const EVERY: usize = 20;
/// Number of commits of one document each, which show whether the cost of a commit grows.
const COMMITS: usize = 200;

/// Prints all figures. `data` holds `text/corpus.jsonl.zst`; `n_compared` documents are compared with all others, and
/// an index grows to `n_grown` made-up documents.
pub(crate) fn run(data: &Path, n_compared: usize, n_grown: usize) -> Result<()> {
    let texts = texts(&data.join("text/corpus.jsonl.zst"))?;
    let n_bytes: usize = texts.iter().map(Submission::n_bytes).sum();
    println!("{} texts, {:.1} MB", texts.len(), n_bytes as f64 / 1e6);
    let temporary = tempfile::tempdir()?;
    let folder = temporary.path().join("index");
    let registry = Registry::prose();
    // Processor time is measured for one thread only.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| -> Result<()> {
        adding(&folder, &texts, &registry)?;
        looking_up(&folder, &texts, &registry)?;
        searching(&folder, &texts, &registry)?;
        committing(&folder, &texts, &registry)?;
        if n_grown == 0 {
            return Ok(());
        }
        grown::run(&temporary.path().join("grown"), &texts, n_grown, &registry)
    })?;
    equality(&folder, &texts, n_compared, &registry)
}

fn texts(path: &Path) -> Result<Vec<Submission>> {
    let packed = File::open(path).with_context(|| {
        format!("could not open `{}`; --data names the folder that holds text/", path.display())
    })?;
    let mut texts = Vec::new();
    for line in std::io::read_to_string(zstd::Decoder::new(packed)?)?.lines() {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let (id, text) = (record["id"].as_str(), record["text"].as_str());
        let (id, text) = id.zip(text).context("a record without `id` or `text`")?;
        let path = format!("{id}.txt");
        let documents = vec![Document::new(path, text)];
        texts.push(Submission::new(id, Role::Archive, documents));
    }
    texts.sort_by(|x, y| x.name.cmp(&y.name));
    Ok(texts)
}

fn add(folder: &Path, texts: Vec<Submission>, registry: &Registry) -> Result<()> {
    let mut writer = Writer::open(&Disk::default(), folder, None)?;
    writer.add(texts, registry, &Silent)?;
    Ok(writer.close()?)
}

fn adding(folder: &Path, texts: &[Submission], registry: &Registry) -> Result<()> {
    let copy = texts.to_vec();
    let reading = best_of(1, || {
        for text in texts {
            black_box(fingerprinted(text, registry, &Config::standard()).is_ok());
        }
    });
    let (mut copy, mut added) = (Some(copy), Ok(()));
    let seconds = best_of(1, || added = add(folder, copy.take().unwrap_or_default(), registry));
    added?;
    let stats = Index::open(folder)?.stats();
    println!(
        "added in {seconds:.2} s of CPU, of which {reading:.2} s are reading and fingerprinting"
    );
    let of_text = |bytes: u64| bytes as f64 / stats.text_bytes as f64;
    println!(
        "{} fingerprints, {} postings; files: {:.1} MB of fingerprints ({:.3} of the text), {:.1} MB of texts ({:.3})",
        stats.fingerprints,
        stats.postings,
        stats.fingerprint_file_bytes as f64 / 1e6,
        of_text(stats.fingerprint_file_bytes),
        stats.text_file_bytes as f64 / 1e6,
        of_text(stats.text_file_bytes),
    );
    Ok(())
}

fn looking_up(folder: &Path, texts: &[Submission], registry: &Registry) -> Result<()> {
    reset_peak_memory();
    let before = peak_memory();
    let opening = best_of(5, || drop(black_box(Index::open(folder))));
    println!(
        "opened in {:.1} ms of CPU; memory {:?} MiB more",
        1e3 * opening,
        before.zip(peak_memory()).map(|(before, after)| after.saturating_sub(before) >> 20)
    );
    let index = Index::open(folder)?;
    // All fingerprints of every query, as a search would look them up.
    let mut hashes = Vec::new();
    for text in texts.iter().step_by(EVERY) {
        let mut own: Vec<u64> = fingerprinted(text, registry, index.config())?
            .fingerprints
            .iter()
            .map(|fingerprint| fingerprint.hash)
            .collect();
        own.sort_unstable();
        own.dedup();
        hashes.append(&mut own);
    }
    for most in [1, 64, u64::MAX] {
        let seconds = best_of(5, || {
            for &hash in &hashes {
                let _ = black_box(index.document_frequency(hash, most));
            }
        });
        println!(
            "{} look-ups, at most {most} documents each: {:.2} µs",
            hashes.len(),
            1e6 * seconds / hashes.len() as f64
        );
    }
    #[cfg(feature = "sqlite")]
    sqlite::run(folder, texts, &hashes, registry)?;
    #[cfg(not(feature = "sqlite"))]
    println!("SQLite with the same postings: build with --features sqlite");
    Ok(())
}

fn searching(folder: &Path, texts: &[Submission], registry: &Registry) -> Result<()> {
    let index = Index::open(folder)?;
    let queries: Vec<&Submission> = texts.iter().step_by(EVERY).collect();
    for max_sources in [0, 10, 50] {
        let mut search = Search::default();
        search.max_sources = max_sources;
        let seconds = best_of(1, || {
            for &query in &queries {
                let _ = black_box(index.search(query.clone(), registry, &search, &Silent));
            }
        });
        let n_bytes: usize = queries.iter().copied().map(Submission::n_bytes).sum();
        println!(
            "{} searches with at most {max_sources} sources: {:.2} ms each; texts have {:.1} kB on average",
            queries.len(),
            1e3 * seconds / queries.len() as f64,
            n_bytes as f64 / 1e3 / queries.len() as f64
        );
    }
    Ok(())
}

/// Prints the cost of commits of one document each, added to a large index.
fn committing(folder: &Path, texts: &[Submission], registry: &Registry) -> Result<()> {
    let mut slowest = 0.0_f64;
    let begin = Instant::now();
    let mut total = 0.0;
    for (i, text) in texts.iter().take(COMMITS).enumerate() {
        let new = Submission { name: format!("new {i}"), ..text.clone() };
        let mut added = Ok(());
        let seconds = best_of(1, || added = add(folder, vec![new.clone()], registry));
        added?;
        slowest = slowest.max(seconds);
        total += seconds;
    }
    let stats = Index::open(folder)?.stats();
    println!(
        "{COMMITS} commits of one document: {:.1} ms of CPU each, the slowest {:.1} ms, {:.1} ms of wall time each; {} \
         segments",
        1e3 * total / COMMITS as f64,
        1e3 * slowest,
        1e3 * begin.elapsed().as_secs_f64() / COMMITS as f64,
        stats.segments
    );
    // Afterwards the index holds the texts alone again, as the comparison below expects.
    let mut writer = Writer::open(&Disk::default(), folder, None)?;
    let names: Vec<String> = (0..COMMITS.min(texts.len())).map(|i| format!("new {i}")).collect();
    writer.remove(names.iter().map(String::as_str))?;
    let mut merged = Ok(());
    let seconds = best_of(1, || merged = writer.merge(&Silent));
    merged?;
    println!("removed again, and merged in {seconds:.2} s of CPU");
    Ok(writer.close()?)
}

/// Checks that searches find the passages that one comparison of some texts with all others finds.
fn equality(folder: &Path, texts: &[Submission], n: usize, registry: &Registry) -> Result<()> {
    if n == 0 {
        return Ok(());
    }
    let queries: Vec<Submission> = texts
        .iter()
        .step_by(texts.len().div_ceil(n))
        .map(|text| Submission { role: Role::New, ..text.clone() })
        .collect();
    let mut submissions = queries.clone();
    submissions.extend(texts.iter().cloned());
    let mut config = Config::standard();
    config.max_pairs = usize::MAX / 2;
    config.candidates.candidates_per_submission = usize::MAX / 2;
    config.candidates.free_steps = usize::MAX / 2;
    let corpus = Corpus { submissions, ..Corpus::default() };
    let report = compare(corpus, registry, &config, &Silent)?.report;

    let index = Index::open(folder)?;
    // Searches with both limits, with each one alone, and with none show which limit loses a missing pair.
    let mut no_limits = Search::default();
    (no_limits.max_sources, no_limits.max_postings) = (usize::MAX / 2, u64::MAX);
    let (mut all_sources, mut all_postings) = (Search::default(), Search::default());
    all_sources.max_sources = no_limits.max_sources;
    all_postings.max_postings = no_limits.max_postings;
    let searches = [Search::default(), all_sources, all_postings, no_limits];
    let mut counts = BTreeMap::new();
    let mut n_pairs = 0;
    for query in &queries {
        let answers = searches
            .iter()
            .map(|search| index.search(query.clone(), registry, search, &Silent))
            .collect::<fanmill_text::Result<Vec<_>>>()?;
        for (name, passages, is_guaranteed) in sources(&report, &query.name) {
            n_pairs += 1;
            let is_same = |answer: &Answer| {
                let source = answer.sources.iter().find(|source| source.record.name == name);
                source.is_some_and(|source| source.pair.passages == passages)
            };
            let what = match [&answers[0], &answers[1], &answers[2], &answers[3]].map(is_same) {
                [true, ..] => "the same with the usual limits",
                _ if !is_guaranteed => "not the same, without a run of the guarantee",
                [_, true, false, _] => "lost because 50 other sources are better",
                [_, false, true, _] => "lost because only popular fingerprints are shared",
                [_, true, true, _] => "lost by either limit, and found without one of them",
                [.., true] => "lost by both limits together",
                _ => "lost for another reason",
            };
            *counts.entry(what).or_insert(0_u64) += 1;
        }
    }
    println!(
        "{} texts compared with all, {n_pairs} pairs with passages; a search has",
        queries.len()
    );
    for (what, n) in counts {
        println!("{n:8} {what}");
    }
    Ok(())
}

/// Returns the archived submissions that share passages with a new one, each with its passages, and whether some match
/// is as long as the guarantee.
fn sources<'a>(
    report: &'a Report,
    query: &'a str,
) -> impl Iterator<Item = (&'a str, &'a [Passage], bool)> {
    let least = report.promises.iter().filter_map(|promise| promise.guarantee).min().unwrap_or(0);
    report.pairs.iter().filter_map(move |pair| {
        let (a, b) = (report.submission(pair.a)?, report.submission(pair.b)?);
        let wanted = a.role == Role::New && a.name == query && b.role == Role::Archive;
        let mut matches = pair.passages.iter().flat_map(|passage| &passage.matches);
        let is_guaranteed = matches.any(|found| found.tokens >= least);
        wanted.then_some((b.name.as_str(), &*pair.passages, is_guaranteed))
    })
}
