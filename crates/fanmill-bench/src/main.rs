//! Speed and accuracy of Fanmill, measured beside naive versions and published figures.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod average_precision;
mod prose;
mod accuracy;
mod stopwatch;
mod altavista;
mod child;
mod disguise;
mod documents;
mod in_memory;
mod rabin;
mod dedup;
mod exact;
mod index;
mod karp_rabin;
mod library;
mod mail;
mod experiment;
mod paper;
mod pdfs;
mod record;
mod runs;
mod peers;
mod promises;
mod courses;
mod sift;
mod speed;
mod performance;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use fanmill::pipeline::Config;
use fanmill_extract::cage;
use fanmill_sift::profile::Profile;

/// Measures Fanmill.
#[derive(Debug, Parser)]
#[command(name = "fanmill-bench", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Average precision on labelled sets of copied code.
    Accuracy {
        /// The folder that holds `code/SET/labels.csv`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Length of a gram, in tokens [default: by kind of text].
        #[arg(long, value_name = "TOKENS")]
        noise: Option<u32>,
        /// Length that is always found, in tokens [default: by kind of text].
        #[arg(long, value_name = "TOKENS")]
        guarantee: Option<u32>,
        /// Measure expectations and clusters instead: on unrelated submissions, and on labelled copies.
        #[arg(long)]
        expectation: bool,
    },
    /// The near-duplicate job of Broder's slides at their scale, on planted clusters, beside the figures of 1997.
    Altavista(altavista::Options),
    /// The job `fanmill dedup`: what it finds and removes, speed, memory, and its parts.
    Dedup {
        /// The folder that holds `text/corpus.jsonl.zst`, its pairs, and what was planted in it.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Also do the same work with other tools, if they are installed.
        #[arg(long)]
        compare: bool,
        /// The command to measure [default: `fanmill` beside this program].
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
    },
    /// Copies of programs, disguised in twelve ways at growing strength: scores, and how many are still found.
    Disguise {
        /// Write a few programs and their copies into this folder instead.
        #[arg(long, value_name = "DIR")]
        write: Option<PathBuf>,
    },
    /// Documents: the cage around the reader of PDF, a document that never ends, and Word essays.
    Documents,
    /// The text of real PDFs beside that of poppler and `MuPDF`.
    Pdfs(pdfs::Options),
    /// Exact joins of a corpus: candidates, time and memory, beside joins that keep all sets in memory.
    Exact {
        /// Records with a `text`, one JSON object per line; `.zst` is unpacked.
        #[arg(long, value_name = "FILE")]
        corpus: PathBuf,
        /// Memory for postings and pairs, in MiB.
        #[arg(long, value_name = "MIB", default_value_t = 256)]
        memory: usize,
        /// Memory for counters, in MiB.
        #[arg(long, value_name = "MIB", default_value_t = 16)]
        counts: usize,
    },
    /// The index on disk: adding, looking up, opening, searching, and whether a search is a comparison.
    Index {
        /// The folder that holds `text/corpus.jsonl.zst`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Texts that are also compared with all others.
        #[arg(long, value_name = "N", default_value_t = 200)]
        compared: usize,
        /// Made-up texts of 800 bytes that an index grows to, in 200 commits: 2,000,000 take 5 GB of disk for some
        /// minutes.
        #[arg(long, value_name = "N", default_value_t = 0)]
        grown: usize,
    },
    /// A library of sources of growing size: building it, its size, looking up a thesis and essays, and planted passages
    /// found.
    Library(library::Options),
    /// Mail: disguised messages found again, and false positives, by threshold.
    Mail {
        /// The folder that holds `text/mail.tar.zst`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Number of keys to average over, each with its own attacks.
        #[arg(long, default_value_t = 5)]
        runs: u32,
        /// How messages are read.
        #[arg(long, value_name = "PROFILE", default_value = "mail")]
        profile: String,
    },
    /// The papers' figures beside ours: `docs/reproduction.md`.
    Paper(paper::Options),
    /// The jobs of Fanmill beside other tools that do them, whichever are installed, in turns on the same input.
    Peers(peers::Options),
    /// Runs planted in batches of real programs: how many are found, and how many are in the list of a default run.
    Promises(promises::Options),
    /// A course whose people hand in environments, lock files, build outputs and data: what is theirs among the best pairs,
    /// and the ranks of planted copies.
    Courses(courses::Options),
    /// Re-used prose: pairs, passages and rewritten articles found, beside the share of common word grams.
    Prose {
        /// The folder that holds `prose/` and `text/reuters`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Length of a gram, in words [default: that of the preset].
        #[arg(long, value_name = "WORDS")]
        noise: Option<u32>,
        /// Length that is always found, in words [default: that of the preset].
        #[arg(long, value_name = "WORDS")]
        guarantee: Option<u32>,
    },
    /// `docs/performance.md` and its figure, from the newest record of `speed`.
    Performance(performance::Options),
    /// Speed, memory and growth, beside naive versions, other methods and what the machine can do.
    Speed(speed::Options),
    /// Repeated runs of words: processor time beside that of plain `dedup`, and whether a suffix array finds the same.
    Runs(runs::Options),
    /// Words in repeated windows of a corpus, by a suffix array (built with `--features suffix-array`).
    SuffixArray(runs::ArrayOptions),
    /// Text sifting: the paper's Table 2, the default profile beside it, unrelated pairs, speed.
    Sift {
        /// The folder that holds the articles in `text/reuters`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Number of runs to average, each with its own sample, attacks and key.
        #[arg(long, default_value_t = 20)]
        runs: u32,
        /// Compare only this profile with the paper; may be repeated.
        #[arg(long = "profile", value_name = "PROFILE")]
        profiles: Vec<Profile>,
    },
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // The reader of PDF starts this program again as its caged child process.
    if let [cage::COMMAND, rest @ ..] = &*words {
        std::process::exit(cage::main(rest).into());
    }
    match Cli::parse().command {
        Command::Accuracy { data, noise, guarantee, expectation } => {
            let config = Config::standard().with(|config| {
                (config.fingerprints.noise, config.fingerprints.guarantee) = (noise, guarantee);
            });
            let run = if expectation { accuracy::run_expectation } else { accuracy::run };
            run(&data, &config)
        }
        Command::Altavista(options) => altavista::run(options),
        Command::Dedup { data, compare, binary } => dedup::run(&data, binary.as_deref(), compare),
        Command::Disguise { write: Some(folder) } => disguise::write(&folder),
        Command::Disguise { write: None } => disguise::run(),
        Command::Documents => documents::run(),
        Command::Pdfs(options) => pdfs::run(&options),
        Command::Exact { corpus, memory, counts } => {
            exact::run(&corpus, memory << 20, counts << 20)
        }
        Command::Index { data, compared, grown } => index::run(&data, compared, grown),
        Command::Library(options) => library::run(&options),
        Command::Mail { data, runs, profile } => mail::run(&data, runs, &Profile::named(&profile)?),
        Command::Paper(options) => paper::run(&options),
        Command::Peers(options) => peers::run(&options),
        Command::Promises(options) => promises::run(&options),
        Command::Courses(options) => courses::run(&options),
        Command::Prose { data, noise, guarantee } => {
            let config = Config::standard().with(|config| {
                (config.fingerprints.noise, config.fingerprints.guarantee) = (noise, guarantee);
            });
            prose::run(&data, &config)
        }
        Command::Performance(options) => performance::run(&options),
        Command::Speed(options) => speed::run(&options),
        Command::Runs(options) => runs::run(&options),
        Command::SuffixArray(options) => runs::print_repeated(&options),
        Command::Sift { data, runs, profiles } => sift::run(&data, runs, &profiles),
    }
}
