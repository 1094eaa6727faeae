//! `fanmill-bench promises`: checks that runs planted in real programs are found, and that they are listed.
//!
//! A batch consists of real programs, sampled evenly. Runs of tokens from programs outside the batch are put between
//! the statements of two programs of the batch that share nothing of guarantee length: `compare` promises to find
//! these, however many programs there are. Longer ones should also be in the list that a default run shows.
//!
//! Cost: two comparisons for each printed line; with `--search`, also an index and a search for each planted run.

pub(crate) mod programs;
mod planting;
mod searching;

use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use clap::Args;
use fanmill::pipeline::{Config, compare};
use fanmill::report::{Match, Pair, Passage, Place, Report};
use fanmill_text::document::Corpus;
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;
use nix::sys::resource::{UsageWho, getrusage};

use self::planting::{Batch, HostedRun, Planted, Planting};
use self::programs::{Program, ProgramArgs};

#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    programs: ProgramArgs,
    /// Programs in a batch.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "500,1200,3000")]
    sizes: Vec<usize>,
    /// Runs planted in each batch.
    #[arg(long, value_name = "N", default_value_t = 60)]
    planted: usize,
    /// Also search for the runs in an index of the batch.
    #[arg(long)]
    search: bool,
}

/// Lengths of planted runs, in tokens: as long as the guarantee, a few statements, and a function.
const LENGTHS: [RangeInclusive<usize>; 3] = [24..=27, 48..=56, 96..=116];

/// Prints, for each batch size and each length of runs, the numbers of runs found and listed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let registry = fanmill_lang::registry();
    let front_end = options.programs.front_end(&registry)?;
    let programs = options.programs.read(&registry)?;
    println!("{} different programs in {}", programs.len(), front_end.name());
    println!(
        "{:>9} {:>9} {:>8} {:>7} {:>7} {:>9} {:>9} {:>9}",
        "programs", "tokens", "planted", "found", "listed", "CPU", "searched", "compared"
    );
    for &size in &options.sizes {
        // Each planted run comes from a program of its own.
        let n_batch = size.min(programs.len().saturating_sub(options.planted));
        ensure!(n_batch >= 2 * options.planted, "{} programs are too few", programs.len());
        let planting = Planting::new(&programs, n_batch, front_end);
        for lengths in LENGTHS {
            let tokens = format!("{}-{}", lengths.start(), lengths.end());
            let Batch { texts, planted } = planting.plant(options.planted, lengths);
            let (all, _) = compared(&texts, &registry, usize::MAX)?;
            let (listed, seconds) = compared(&texts, &registry, Config::standard().max_pairs)?;
            let searched = if options.search {
                let found = searching::search(&texts, &planted, &registry)?;
                format!("{:>9} {:>9.0}", found.n_found, found.n_compared)
            } else {
                String::new()
            };
            println!(
                "{n_batch:>9} {tokens:>9} {:>8} {:>7} {:>7} {seconds:>7.2} s {searched}",
                planted.len(),
                n_shown(&planted, &all),
                n_shown(&planted, &listed),
            );
        }
    }
    Ok(())
}

/// Compares programs; returns the report, which lists `max_pairs` pairs, and the processor time in seconds.
fn compared(
    texts: &[(String, String)],
    registry: &Registry,
    max_pairs: usize,
) -> Result<(Report, f64)> {
    let corpus = Corpus::from_texts(texts.iter().map(|(name, text)| (name.clone(), text.clone())))?;
    let config = Config::standard().with(|config| config.max_pairs = max_pairs);
    let before = processor();
    let comparison = compare(corpus, registry, &config, &Silent)?;
    Ok((comparison.report, processor() - before))
}

/// The names of submissions, by their numbers in a report.
type Names<'a> = &'a dyn Fn(u32) -> &'a str;

/// Counts the planted runs that lie in a passage of a listed pair.
fn n_shown(planted: &[Planted], report: &Report) -> usize {
    let name = |number: u32| report.submissions[number as usize].name.as_str();
    let is_shown = |one: &&Planted| report.pairs.iter().any(|pair| shows(one, pair, &name));
    planted.iter().filter(is_shown).count()
}

/// Returns whether a pair contains a planted run and has a passage that covers it.
fn shows(planted: &Planted, pair: &Pair, name: Names<'_>) -> bool {
    let sides = match [name(pair.a), name(pair.b)] {
        [a, b] if a == planted.a.name && b == planted.b.name => [&planted.a, &planted.b],
        [a, b] if a == planted.b.name && b == planted.a.name => [&planted.b, &planted.a],
        _ => return false,
    };
    pair.passages.iter().any(|passage| {
        let [of_a, of_b]: [fn(&Match) -> &Place; 2] = [|found| &found.a, |found| &found.b];
        covers(passage, of_a, sides[0]) && covers(passage, of_b, sides[1])
    })
}

/// Returns whether a passage starts no later than a planted run and ends no earlier, on one side.
fn covers(passage: &Passage, place: fn(&Match) -> &Place, side: &HostedRun) -> bool {
    let places = || passage.matches.iter().map(place);
    let start = places().map(|place| place.start as usize).min();
    let end = places().map(|place| place.end as usize).max();
    start.is_some_and(|start| start <= side.bytes.start)
        && end.is_some_and(|end| side.bytes.end <= end)
}

/// Returns the processor time of this process so far, in seconds; 0 if the system does not report it.
fn processor() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        let seconds =
            |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        seconds(usage.user_time()) + seconds(usage.system_time())
    })
}
