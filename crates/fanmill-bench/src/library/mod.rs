//! `fanmill-bench library`: a library of sources of growing size. Building it, its size, and looking up a thesis and
//! essays in it; and how many planted passages are found.
//!
//! The command is run as users run it, one thread at a time, so seconds are processor time of one core.

mod made;
mod planting;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use fanmill_index::{Index, Search};
use fanmill_text::document::{Document, Role, Submission};
use fanmill_text::progress::Silent;

use self::made::Corpus;
use self::planting::{Planted, Thesis};
use self::table::Row;
use crate::child::{self, ResourceUsage};

/// Number of words in a thesis of 200 pages, and in an essay.
const THESIS: usize = 60_000;
const ESSAY: usize = 1_500;
/// Number of passages of each kind that are planted in the thesis.
const PLANTED: usize = 60;
/// Bytes of disk that have to stay free.
const FREE: u64 = 12 << 30;

/// Options of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder that holds `text/corpus.jsonl.zst`.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Sizes of libraries in MB of text, ascending. Beyond the corpus, they hold variants of it with shuffled words.
    #[arg(long, value_name = "MB", value_delimiter = ',', default_value = "250,500,1000")]
    sizes: Vec<u64>,
    /// Take this library instead of made ones: a file that `fanmill index add` reads. Nothing is planted.
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Number of essays that are searched for.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    essays: u32,
    /// Memory that a build may take, as for `fanmill index add --memory`.
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    memory: String,
    /// The command to measure [default: `fanmill` beside this program].
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

/// Prints all figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = child::measured_program(options.binary.as_deref())?;
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let corpus = Corpus::read(&options.data.join("text/corpus.jsonl.zst"))?;
    let bench = Bench {
        binary,
        folder: folder.path().to_owned(),
        memory: options.memory.clone(),
        n_essays: options.essays,
    };
    println!(
        "corpus: {} documents in the library, {:.1} MB of text; {} others make up theses and essays",
        corpus.library.len(),
        corpus.n_bytes() as f64 / 1e6,
        corpus.others.len()
    );
    let thesis = Thesis::plant(&corpus, THESIS, PLANTED)?;
    bench.write_texts(&corpus, &thesis)?;
    let mut rows = Vec::new();
    if let Some(library) = &options.library {
        rows.push(bench.measure(library, None)?);
    }
    let sizes = if options.library.is_some() { &[][..] } else { &options.sizes };
    for &mb in sizes {
        let wanted = mb * 1_000_000;
        // The library, and two indexes of it.
        let free = free_bytes(folder.path())?;
        if free < FREE + 3 * wanted {
            println!("{mb} MB left out: {:.1} GB of disk are free", free as f64 / 1e9);
            break;
        }
        let path = bench.folder.join("library.jsonl");
        let made = corpus.write(&path, wanted)?;
        println!(
            "{mb} MB: {} documents, of which {} are variants with shuffled words",
            made.n_documents, made.n_variants
        );
        rows.push(bench.measure(&path, Some(&thesis.planted))?);
        fs::remove_file(path)?;
    }
    table::print(&rows);
    Ok(())
}

/// The command and its folder.
struct Bench {
    binary: PathBuf,
    folder: PathBuf,
    memory: String,
    n_essays: u32,
}

impl Bench {
    /// Writes the thesis and the essays.
    fn write_texts(&self, corpus: &Corpus, thesis: &Thesis) -> Result<()> {
        fs::write(self.folder.join("thesis.txt"), &thesis.text)?;
        let essays = self.folder.join("essays");
        fs::create_dir(&essays)?;
        let words = corpus.others.iter().flat_map(|text| text.split_whitespace());
        let words: Vec<&str> = words.collect();
        ensure!(!words.is_empty(), "the corpus has no texts for essays");
        for number in 0..self.n_essays as usize {
            // Essays may overlap, as those of one course do.
            let first = (number * 7 * ESSAY) % words.len();
            let own: Vec<&str> = words.iter().cycle().skip(first).take(ESSAY).copied().collect();
            fs::write(essays.join(format!("essay-{number}.txt")), own.join(" "))?;
        }
        Ok(())
    }

    /// Builds the library, with and without texts, and searches in it.
    fn measure(&self, library: &Path, planted: Option<&[Planted]>) -> Result<Row> {
        let [kept, alone] = ["kept.fanmill", "alone.fanmill"].map(|name| self.folder.join(name));
        let building = self.build(library, &kept, &[])?;
        self.build(library, &alone, &["--no-texts"])?;
        let index = Index::open(&kept)?;
        let stats = index.stats();
        ensure!(stats.text_bytes > 0, "`{}` has no texts", library.display());
        let of_text = |bytes: u64| bytes as f64 / stats.text_bytes as f64;
        let found = planted.map(|planted| self.found(&index, planted)).transpose()?;
        let row = Row {
            text_bytes: stats.text_bytes,
            documents: stats.documents,
            building,
            of_fingerprints: of_text(folder_bytes(&alone)?),
            of_all: of_text(folder_bytes(&kept)?),
            thesis: self.search(&kept, "thesis.txt")?,
            essay_seconds: self.search(&kept, "essays")?.seconds() / f64::from(self.n_essays),
            found,
        };
        fs::remove_dir_all(kept)?;
        fs::remove_dir_all(alone)?;
        Ok(row)
    }

    fn build(&self, library: &Path, index: &Path, others: &[&str]) -> Result<ResourceUsage> {
        let mut command = Command::new(&self.binary);
        command.args(["index", "add", "--quiet", "--threads", "1", "--memory", &self.memory]);
        child::run(command.args(others).arg(index).arg(library))
    }

    fn search(&self, index: &Path, text: &str) -> Result<ResourceUsage> {
        let mut command = Command::new(&self.binary);
        command.args(["search", "--quiet", "--threads", "1", "--format", "json"]);
        child::run(command.arg(index).arg(self.folder.join(text)))
    }

    /// Counts the planted passages that a search finds in the documents that they are from, and all: runs of the
    /// guarantee, and rewritten passages.
    fn found(&self, index: &Index, planted: &[Planted]) -> Result<[[usize; 2]; 2]> {
        let documents =
            vec![Document::new("thesis.txt", fs::read(self.folder.join("thesis.txt"))?)];
        let text = Submission::new("thesis", Role::New, documents);
        let answer = index.search(text, &fanmill_lang::registry(), &Search::default(), &Silent)?;
        let is_found = |planted: &&Planted| {
            answer.sources.iter().filter(|one| one.record.name.ends_with(&planted.source)).any(
                |one| {
                    let mut matches = one.pair.passages.iter().flat_map(|passage| &passage.matches);
                    matches.any(|found| {
                        (found.a.start as usize) < planted.bytes.end
                            && planted.bytes.start < found.a.end as usize
                    })
                },
            )
        };
        let n = |is_rewritten| {
            let own = || planted.iter().filter(|own| own.is_rewritten == is_rewritten);
            [own().filter(is_found).count(), own().count()]
        };
        Ok([n(false), n(true)])
    }
}

/// Returns the bytes of the files in a folder.
fn folder_bytes(folder: &Path) -> Result<u64> {
    let sizes = fs::read_dir(folder)?.map(|entry| Ok(entry?.metadata()?.len()));
    sizes.sum()
}

/// Returns the free bytes of the disk that a folder is on.
fn free_bytes(folder: &Path) -> Result<u64> {
    match nix::sys::statvfs::statvfs(folder) {
        Ok(disk) => Ok(disk.blocks_available() * disk.fragment_size()),
        Err(error) => bail!("could not ask for free disk: {error}"),
    }
}
