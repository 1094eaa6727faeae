//! `fanmill-bench speed`: kernels, selection, lexing and whole comparisons, beside naive versions and limits.

pub(crate) mod measured;
mod kernels;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use fanmill::pipeline::{Config, compare};
use fanmill_kernel::InstructionSet;
use fanmill_source::{self, Budget, Limits};
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::progress::Silent;

use self::measured::{Measured, Row};
use crate::record;
use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder that holds the labelled set `code/soco_train_java` and the articles `text/reuters`.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A folder with thousands of source files of 4 to 16 kB, somewhere below it.
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,
    /// Folder for the dated record.
    #[arg(long, value_name = "DIR", default_value = "bench/record")]
    record: PathBuf,
}

/// Prints all figures, and writes those of kernels to a record.
pub(crate) fn run(options: &Options) -> Result<()> {
    let names: Vec<&str> = InstructionSet::available().map(InstructionSet::name).collect();
    println!("one thread; rates with {}, and of naive twins", names.join(", "));
    let mut measured = Measured::default();
    let mut add = |rows: Vec<Row>| {
        rows.iter().for_each(Row::print);
        measured.rows.extend(rows);
    };
    add(kernels::rows(&random_text(16_000_000))?);
    if let Some(data) = &options.data {
        add(texts::sifting(&data.join("text/reuters"))?);
        add(texts::lexing("java", "java", &data.join("code"))?);
    }
    if let Some(sources) = &options.sources {
        for (language, extension) in [("c", "c"), ("python", "py"), ("rust", "rs")] {
            add(texts::lexing(language, extension, sources)?);
        }
    }
    let path = record::write(&options.record, "speed", &serde_json::to_value(&measured)?)?;
    println!("recorded in `{}`", path.display());
    if let Some(data) = &options.data {
        whole("soco_train_java", &read(&data.join("code/soco_train_java/g"))?)?;
    }
    if let Some(sources) = &options.sources {
        growth(sources)?;
    }
    repetition()
}

/// Returns random letters, reproducible in every run.
fn random_text(n: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b'a' + ((state >> 33) % 26) as u8
    };
    (0..n).map(|_| next()).collect()
}

fn read(folder: &Path) -> Result<Corpus> {
    let budget = Budget::new(Limits::standard());
    let mut corpus = Corpus::default();
    fanmill_source::read(
        &[folder.to_owned()],
        Role::New,
        &fanmill_source::Options::everything(),
        &budget,
        &mut corpus,
        &fanmill_text::progress::Silent,
    )?;
    Ok(corpus)
}

/// Times a whole comparison on one thread, including evidence, without writing the report.
fn whole(name: &str, corpus: &Corpus) -> Result<f64> {
    let registry = fanmill_lang::registry();
    let n_bytes: usize = corpus
        .submissions
        .iter()
        .flat_map(|s| &s.documents)
        .map(|document| document.bytes.len())
        .sum();
    let n_submissions = corpus.submissions.len();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    reset_peak_memory();
    let (seconds, report) = pool.install(|| {
        let mut last = None;
        let seconds = best_of(3, || {
            last = Some(compare(corpus.clone(), &registry, &Config::standard(), &Silent));
        });
        (seconds, last)
    });
    let report = report.context("three runs were made")??.report;
    println!(
        "{name:<22} {n_submissions:>6} submissions {:>6.1} MB {seconds:>7.3} s {:>5} MB peak {:>7} pairs scored {:>4} listed",
        n_bytes as f64 / 1e6,
        peak_memory().map_or_else(|| "?".to_owned(), |bytes| (bytes / 1_000_000).to_string()),
        report.counts.scored,
        report.counts.listed,
    );
    Ok(seconds)
}

/// Compares doubling numbers of real source files: the time must not grow much faster than their number.
fn growth(sources: &Path) -> Result<()> {
    println!("\nwhole comparisons of source files of 4 to 16 kB, one thread");
    let mut files = Vec::new();
    collect(sources, &mut files)?;
    files.sort();
    // Neighbours in a folder are related, so a stride mixes them, in the same way in every run.
    let mut mixed: Vec<&PathBuf> =
        (0..7).flat_map(|offset| files.iter().skip(offset).step_by(7)).collect();
    mixed.truncate(4000);
    let mut previous: Option<f64> = None;
    for n in [500, 1000, 2000, 4000] {
        if n > mixed.len() {
            println!("{n} files: there are only {} under `{}`", mixed.len(), sources.display());
            break;
        }
        let mut corpus = Corpus::default();
        for (i, path) in mixed[..n].iter().enumerate() {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            corpus.submissions.push(submission(i, &extension, fs::read(path)?));
        }
        let seconds = whole(&format!("{n} source files"), &corpus)?;
        if let Some(previous) = previous {
            println!("{:>22} {:.2}x the time for twice the submissions", "", seconds / previous);
        }
        previous = Some(seconds);
    }
    Ok(())
}

/// Appends the source files of 4 to 16 kB below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    const EXTENSIONS: [&str; 8] = ["c", "cpp", "go", "h", "java", "js", "py", "rs"];
    for entry in
        fs::read_dir(folder).with_context(|| format!("could not list `{}`", folder.display()))?
    {
        let path = entry?.path();
        let kind = fs::symlink_metadata(&path)?;
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if kind.is_dir() {
            collect(&path, files)?;
        } else if kind.is_file()
            && (4000..=16000).contains(&kind.len())
            && EXTENSIONS.contains(&&*extension)
        {
            files.push(path);
        }
    }
    Ok(())
}

fn submission(number: usize, extension: &str, bytes: Vec<u8>) -> Submission {
    let name = format!("s{number:05}");
    let document = Document::new(format!("{name}.{extension}"), bytes);
    Submission::new(name, Role::New, vec![document])
}

/// Times inputs that take quadratic time in other tools: one program many times, and one line many times.
fn repetition() -> Result<()> {
    println!("\nrepetition, one thread");
    let program = "class A { int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i * n; } return s; } }\n";
    let program = program.repeat(20);
    let copies = (0..5000).map(|i| submission(i, "java", program.clone().into_bytes()));
    whole("5,000 equal files", &Corpus { submissions: copies.collect(), ..Corpus::default() })?;
    let near = (0..5000)
        .map(|i| submission(i, "java", format!("{program}int own{i} = {i};\n").into_bytes()));
    whole("5,000 near copies", &Corpus { submissions: near.collect(), ..Corpus::default() })?;
    let line = "x = x + 1;\n";
    let long = line.repeat((64 << 20) / line.len());
    let texts = [long.into_bytes(), line.repeat(1000).into_bytes(), program.into_bytes()];
    let submissions = texts.into_iter().enumerate().map(|(i, bytes)| submission(i, "java", bytes));
    whole(
        "64 MiB of one line",
        &Corpus { submissions: submissions.collect(), ..Corpus::default() },
    )?;
    Ok(())
}
