//! `fanmill-bench pdfs`: the text of real PDFs beside that of poppler and `MuPDF`.
//!
//! For each document, the words that are read of those of `pdftotext` and of `mutool`, and of runs of five words. Of the two
//! tools, the one with more of our words counts, as the other one has often read codes for characters, but not one with
//! less than half of the words of the other. `common` are the words on which both agree. What repeats at the edge of pages
//! counts as read. Time and memory are those of the caged reader.
//!
//! Cost: each document is read twice, and once by either tool.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use fanmill_extract::cage::{self, WithoutLocks};
use fanmill_extract::extracted::{Extracted, Location};

use crate::stopwatch::{peak_of_children, processor};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A folder of PDFs, at any depth.
    #[arg(long, value_name = "DIR")]
    pdfs: PathBuf,
    /// Fetch the packages of Debian with manuals in many scripts into the folder first, by `apt-get`.
    #[arg(long)]
    fetch: bool,
    /// Number of documents that are listed, those with the most words lost first.
    #[arg(long, value_name = "N", default_value_t = 30)]
    listed: usize,
}

/// Packages of Debian with manuals in PDF.
const PACKAGES: [&str; 13] = [
    "bash-doc",
    "debian-policy",
    "debmake-doc",
    "developers-reference-de",
    "developers-reference-ja",
    "developers-reference-ru",
    "maint-guide-ja",
    "texlive-humanities-doc",
    "texlive-science-doc",
    "texlive-lang-arabic",
    "texlive-lang-chinese",
    "texlive-lang-cyrillic",
    "texlive-lang-other",
];

/// Minimum number of words of a document, by either tool.
const FEWEST: usize = 100;

/// Maximum text of a document, in bytes.
const MOST: u64 = 256 << 20;

/// Length of the runs of words that show the order.
const RUN: usize = 5;

/// Figures of one document.
struct Figures {
    name: String,
    n_words: usize,
    n_read: usize,
    n_common: usize,
    n_common_read: usize,
    n_runs: usize,
    n_runs_read: usize,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    cage::use_program(std::env::current_exe()?);
    if options.fetch {
        fetch(&options.pdfs)?;
    }
    let mut paths = Vec::new();
    find(&options.pdfs, &mut paths)?;
    ensure!(!paths.is_empty(), "there is no PDF below `{}`; give --fetch", options.pdfs.display());
    paths.sort();
    // Before anything is kept, since a child begins with the memory of this process.
    let before = processor();
    let n_pages: u32 = paths.iter().map(|path| n_pages(path)).sum();
    let (seconds, peak) = (processor() - before, peak_of_children());
    let read: Vec<Vec<String>> = paths.iter().map(|path| ours(path)).collect::<Result<_>>()?;
    let figures: Vec<Figures> =
        paths.iter().zip(&read).filter_map(|(path, read)| figures(path, read)).collect();
    print(figures, options.listed);
    println!(
        "{:.2} ms of processor time a page ({n_pages} pages, asked 10), {} MB at most (asked 200)",
        1e3 * seconds / f64::from(n_pages.max(1)),
        peak >> 20
    );
    Ok(())
}

fn fetch(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let is_done = |command: &mut Command| -> Result<bool> {
        Ok(command.current_dir(folder).stdout(Stdio::null()).status()?.success())
    };
    let fetched = is_done(Command::new("apt-get").arg("download").args(PACKAGES))?;
    ensure!(fetched, "apt-get cannot fetch {}", PACKAGES.join(", "));
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|own| own == "deb") {
            let name = path.file_name().context("a package has a name")?;
            let unpacked = is_done(Command::new("dpkg-deb").arg("-x").arg(name).arg("unpacked"))?;
            ensure!(unpacked, "dpkg-deb cannot unpack `{}`", path.display());
        }
    }
    // Manuals in the documentation are packed.
    let packed =
        ["unpacked", "-type", "f", "-name", "*.pdf.gz", "-exec", "gunzip", "-f", "{}", "+"];
    ensure!(is_done(Command::new("find").args(packed))?, "gunzip has failed");
    Ok(())
}

fn find(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            find(&entry.path(), paths)?;
        } else if entry.file_type()?.is_file()
            && entry.path().extension().is_some_and(|own| own == "pdf")
        {
            paths.push(entry.path());
        }
    }
    Ok(())
}

fn document(path: &Path) -> Result<Option<Extracted>> {
    Ok(cage::read(&fs::read(path)?, MOST, "", WithoutLocks::Read).document.ok())
}

fn ours(path: &Path) -> Result<Vec<String>> {
    let Some(document) = document(path)? else { return Ok(Vec::new()) };
    let asides = document.asides.iter().map(|aside| aside.text.as_str());
    Ok([&*document.text].into_iter().chain(asides).flat_map(words).collect())
}

/// Returns the number of pages up to the last one with text.
fn n_pages(path: &Path) -> u32 {
    let places = document(path).ok().flatten().map(|document| document.places).unwrap_or_default();
    let pages = places.iter().map(|place| match place.at {
        Location::Page(page) => page,
        _ => 0,
    });
    pages.max().unwrap_or(0)
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Returns the words that a tool reads; none if it is not installed or fails.
fn of_tool(command: &[&str], path: &Path, last: &[&str]) -> Vec<String> {
    let mut tool = Command::new(command[0]);
    let done = tool.args(&command[1..]).arg(path).args(last).stderr(Stdio::null()).output();
    let text = done.map(|done| done.stdout).unwrap_or_default();
    words(&String::from_utf8_lossy(&text)).collect()
}

fn figures(path: &Path, read: &[String]) -> Option<Figures> {
    let poppler = of_tool(&["pdftotext", "-q"], path, &["-"]);
    let mupdf = of_tool(&["mutool", "draw", "-q", "-F", "txt"], path, &[]);
    if poppler.len().max(mupdf.len()) < FEWEST {
        return None;
    }
    let (ours, by_poppler, by_mupdf) = (counts(read), counts(&poppler), counts(&mupdf));
    let share = |words: &[String], of: &HashMap<&String, usize>| {
        shared(of, &ours) as f64 / words.len().max(1) as f64
    };
    let is_poppler = 2 * mupdf.len() < poppler.len()
        || 2 * poppler.len() >= mupdf.len()
            && share(&poppler, &by_poppler) >= share(&mupdf, &by_mupdf);
    let (words, by_words) = if is_poppler { (&poppler, &by_poppler) } else { (&mupdf, &by_mupdf) };
    let both = by_poppler.iter().filter_map(|(word, n)| Some((*word, *n.min(by_mupdf.get(word)?))));
    let both: HashMap<&String, usize> = both.collect();
    // The order is that of the tool which has more of our runs.
    let own = counts(read.windows(RUN));
    let order = |words: &[String]| {
        let runs = counts(words.windows(RUN));
        (shared(&runs, &own), runs.values().sum::<usize>())
    };
    let [(a, of_a), (b, of_b)] = [order(&poppler), order(&mupdf)];
    let (n_runs_read, n_runs) =
        if is_poppler && of_b == 0 || a * of_b >= b * of_a { (a, of_a) } else { (b, of_b) };
    Some(Figures {
        name: path.file_name()?.to_string_lossy().into_owned(),
        n_words: words.len(),
        n_read: shared(by_words, &ours),
        n_common: both.values().sum(),
        n_common_read: shared(&both, &ours),
        n_runs,
        n_runs_read,
    })
}

fn counts<T: Hash + Eq>(items: impl IntoIterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

/// Returns the number of items that both have.
fn shared<T: Hash + Eq>(one: &HashMap<T, usize>, other: &HashMap<T, usize>) -> usize {
    one.iter().map(|(item, n)| *n.min(other.get(item).unwrap_or(&0))).sum()
}

fn print(mut figures: Vec<Figures>, listed: usize) {
    let part = |n: usize, of: usize| n as f64 / of.max(1) as f64;
    figures.sort_by_key(|document| {
        (Reverse(document.n_words - document.n_read), document.name.clone())
    });
    println!("recall  common  order  words lost  document");
    for document in figures.iter().take(listed) {
        let Figures { name, n_words, n_read, n_common, n_common_read, n_runs, n_runs_read } =
            document;
        println!(
            "{:.3}   {:.3}   {:.3}  {:>6} of {n_words:<7} {name}",
            part(*n_read, *n_words),
            part(*n_common_read, *n_common),
            part(*n_runs_read, *n_runs),
            n_words - n_read
        );
    }
    let sum = |of: fn(&Figures) -> usize| figures.iter().map(of).sum::<usize>();
    let low = figures.iter().filter(|document| part(document.n_read, document.n_words) < 0.9);
    println!(
        "{} documents of {FEWEST} words or more: {:.4} of {} words (asked .97), {:.4} of those that both tools read, {:.4} of the runs \
         of {RUN} words (asked .85); {} documents below .90",
        figures.len(),
        part(sum(|one| one.n_read), sum(|one| one.n_words)),
        sum(|one| one.n_words),
        part(sum(|one| one.n_common_read), sum(|one| one.n_common)),
        part(sum(|one| one.n_runs_read), sum(|one| one.n_runs)),
        low.count()
    );
}
