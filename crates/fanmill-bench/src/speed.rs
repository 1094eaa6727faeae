//! `fanmill-bench speed`: kernels, selection, lexing and whole comparisons, beside naive versions and limits.

mod kernels;

use std::cell::RefCell;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fanmill::document::{Corpus, Document, Role, Submission};
use fanmill::frontend::FrontEnd;
use fanmill::naive;
use fanmill::pipeline::{Config, compare};
use fanmill::progress::Silent;
use fanmill::select::{all, mod_p, n_smallest, robust, safe_mod_p, winnow};
use fanmill::token::Tokens;
use fanmill_source::{self, Budget, Limits, Options};

use crate::karp_rabin::{self, DEFAULT_BASE};
use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

/// Prints all figures. `data` holds the labelled sets, `sources` any large number of source files.
pub(crate) fn run(data: Option<&Path>, sources: Option<&Path>) -> Result<()> {
    kernels::run(&random_text(16_000_000))?;
    selection();
    if let Some(data) = data {
        let java = data.join("code/soco_train_java/g");
        lexing(&[("java", &java)])?;
        let corpus = read(&java)?;
        whole("soco_train_java", &corpus)?;
    }
    if let Some(sources) = sources {
        growth(sources)?;
    }
    repetition()
}

/// Random letters, the same in every run.
fn random_text(n: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b'a' + ((state >> 33) % 26) as u8
    };
    (0..n).map(|_| next()).collect()
}

/// A selector of bytes: takes a text and room for its hashes, and appends the positions that it selects.
type Fast<'f> = &'f dyn Fn(&[u8], &mut Vec<u64>, &mut Vec<u32>);

/// Times selectors over bytes: the fast form, including hashing, and the naive twin on a part of the text.
fn selection() {
    const N: usize = 16_000_000;
    const PART: usize = 200_000;
    let text = random_text(N);
    let (k, w) = (50, 100);
    println!(
        "selection of bytes, one thread, k = {k}, w = {w}, {} MB of random letters",
        N / 1_000_000
    );
    println!("selector          density       GB/s   naive GB/s    ratio");
    // One array of hashes for all: making room for it takes longer than filling it.
    let room = RefCell::new(Vec::with_capacity(N));
    let row = |name: &str, fast: Fast<'_>, slow: &dyn Fn(&[u8]) -> usize| {
        let mut positions = Vec::new();
        let seconds = best_of(5, || {
            positions.clear();
            fast(&text, &mut room.borrow_mut(), &mut positions);
        });
        let naive_seconds = best_of(3, || {
            black_box(slow(&text[..PART]));
        });
        let (rate, naive_rate) = (N as f64 / seconds / 1e9, PART as f64 / naive_seconds / 1e9);
        let density = positions.len() as f64 / (N - k + 1) as f64;
        println!(
            "{name:<14} {density:>10.5} {rate:>10.3} {naive_rate:>12.5} {:>7.1}x",
            rate / naive_rate
        );
    };
    let from_scratch = |text: &[u8]| karp_rabin::naive(text, k, DEFAULT_BASE, None);
    row("winnow", &|t, room, out| winnow::select(hashes(t, k, room), w, out), &|t| {
        naive::winnow(&from_scratch(t), w).len()
    });
    row("robust", &|t, room, out| robust::select(hashes(t, k, room), w, out), &|t| {
        naive::robust(&from_scratch(t), w).len()
    });
    row("mod(p=50)", &|t, room, out| mod_p::select(hashes(t, k, room), 50, out), &|t| {
        naive::mod_p(&from_scratch(t), 50).len()
    });
    row(
        "safe-mod(p=22)",
        &|t, room, out| safe_mod_p::select(hashes(t, k, room), 22, w, out),
        &|t| naive::safe_mod_p(&from_scratch(t), 22, w).len(),
    );
    row("smallest(100)", &|t, room, out| n_smallest::select(hashes(t, k, room), 100, out), &|t| {
        naive::n_smallest(&from_scratch(t), 100).len()
    });
    row("all", &|t, _, out| all::select(t.len() - k + 1, out), &|t| {
        naive::all(t.len() - k + 1).len()
    });
}

fn hashes<'r>(text: &[u8], k: usize, room: &'r mut Vec<u64>) -> &'r [u64] {
    room.clear();
    room.extend(karp_rabin::hashes(text, k, DEFAULT_BASE));
    room
}

/// Times each lexer on real files, in megabytes per second.
fn lexing(inputs: &[(&str, &Path)]) -> Result<()> {
    println!("\nlexing, one thread");
    for (language, folder) in inputs {
        let front_end = fanmill_lang::front_end(language).context("the language has a table")?;
        let texts: Vec<String> = read(folder)?
            .submissions
            .iter()
            .flat_map(|submission| &submission.documents)
            .map(|document| String::from_utf8_lossy(&document.bytes).into_owned())
            .collect();
        let n_bytes: usize = texts.iter().map(String::len).sum();
        let mut tokens = Tokens::default();
        let seconds = best_of(7, || {
            for text in &texts {
                tokens.clear();
                front_end.tokenize(text, &mut tokens);
            }
        });
        let rate = n_bytes as f64 / seconds / 1e6;
        println!("{language:<8} {:.1} MB at {rate:.0} MB/s", n_bytes as f64 / 1e6);
    }
    Ok(())
}

fn read(folder: &Path) -> Result<Corpus> {
    let budget = Budget::new(Limits::standard());
    let mut corpus = Corpus::default();
    fanmill_source::read(
        &[folder.to_owned()],
        Role::New,
        &Options::everything(),
        &budget,
        &mut corpus,
        &fanmill::progress::Silent,
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

/// Compares doubling numbers of real source files: time must not grow much faster than they do.
fn growth(sources: &Path) -> Result<()> {
    println!("\nwhole comparisons of source files of 4 to 16 kB, one thread");
    let mut files = Vec::new();
    collect(sources, &mut files)?;
    files.sort();
    // Neighbours in a folder are related, so a stride mixes them, the same way in every run.
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

/// Source files of 4 to 16 kB under a folder.
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

/// Inputs that are quadratic for other tools: one program many times, and one line many times.
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
