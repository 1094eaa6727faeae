//! `fanmill-bench accuracy`: average precision on labelled sets, beside the best results of other tools. With
//! `--expectation`: the number of pairs that chance gives at a score, beside the expected number.

mod scored;
mod public_code;
mod known;
mod pools;
mod nulls;
mod copies;
mod expectation;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fanmill::pipeline::{Batch, Config, Ranking};
use fanmill_source::{self, Budget, Limits, Options};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use crate::average_precision::average_precision;

/// The best average precision of other tools or options on each set, as published with the set.
const BEST_PEERS: [(&str, f64); 5] = [
    ("irplag", 0.878),
    ("conplag1", 0.857),
    ("emse_z5z1_insert", 1.000),
    ("emse_z5z1_gptobf", 0.702),
    ("soco_train_java", 0.917),
];

/// A group and two of its submissions, names ascending.
type Pair = (String, String, String);

/// Prints the average precision of the ranking score on each set under `data/code`, with the thresholds in `config`.
pub(crate) fn run(data: &Path, config: &Config) -> Result<()> {
    let registry = fanmill_lang::registry();
    let code = data.join("code");
    let mut sets: Vec<_> = fs::read_dir(&code)
        .with_context(|| {
            format!("could not list `{}`; --data names the folder that holds code/", code.display())
        })?
        .collect::<Result<_, _>>()?;
    sets.sort_by_key(fs::DirEntry::file_name);
    println!("{:<22} {:>7} {:>9} {:>8} {:>10}", "set", "copies", "others", "AP", "best peer");
    let mut all = Vec::new();
    for set in sets.iter().filter(|set| set.path().join("labels.csv").is_file()) {
        let name = set.file_name().to_string_lossy().into_owned();
        let (ap, n_true, n_false) = measure(&set.path(), &name, &registry, config)?;
        let best =
            BEST_PEERS.iter().find(|(set, _)| *set == name).map(|(_, best)| format!("{best:.3}"));
        println!("{name:<22} {n_true:>7} {n_false:>9} {ap:>8.4} {:>10}", best.unwrap_or_default());
        all.push(ap);
    }
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    println!("{:<22} {:>7} {:>9} {mean:>8.4} {:>10}", "mean", "", "", "0.823");
    println!(
        "best peer: of each set, whatever tool; in the last line, the best mean of one setting"
    );
    Ok(())
}

/// For the sets under `data`, prints the number of pairs of unrelated submissions at an expectation, beside that
/// expectation, and the labelled copies that are striking.
pub(crate) fn run_expectation(data: &Path, config: &Config) -> Result<()> {
    expectation::run(data, config)
}

/// Returns the average precision, the number of copies and the number of independent pairs of a set.
fn measure(
    set: &Path,
    name: &str,
    registry: &Registry,
    config: &Config,
) -> Result<(f64, usize, usize)> {
    let labels = labels(&set.join("labels.csv"))?;
    let mut groups: Vec<&String> = labels.keys().map(|(group, ..)| group).collect();
    groups.dedup();
    let mut items: Vec<(f64, bool)> = Vec::new();
    for group in groups {
        let scores = scores(&set.join(group), registry, config)?;
        // If only copies are listed, every other pair is independent.
        let only_copies = labels.values().all(|&label| label);
        if only_copies {
            items.extend(all_pairs(&set.join(group))?.into_iter().map(|(a, b)| {
                let label = labels.contains_key(&(group.clone(), a.clone(), b.clone()));
                (scores.get(&(a, b)).copied().unwrap_or(0.0), label)
            }));
        } else {
            let own = labels.iter().filter(|((of, ..), _)| of == group);
            items.extend(own.map(|((_, a, b), &label)| {
                (scores.get(&(a.clone(), b.clone())).copied().unwrap_or(0.0), label)
            }));
        }
    }
    let n_true = items.iter().filter(|item| item.1).count();
    anyhow::ensure!(n_true > 0, "set `{name}` has no copies");
    Ok((average_precision(&mut items), n_true, items.len() - n_true))
}

/// Returns the labelled pairs, each with `true` if it is a copy.
fn labels(path: &Path) -> Result<BTreeMap<Pair, bool>> {
    let mut reader = csv::Reader::from_path(path)
        .with_context(|| format!("could not read `{}`", path.display()))?;
    let mut labels = BTreeMap::new();
    for row in reader.records() {
        let row = row?;
        let (a, b) = ordered(row[1].to_owned(), row[2].to_owned());
        labels.insert((row[0].to_owned(), a, b), &row[3] == "1");
    }
    Ok(labels)
}

fn ordered(a: String, b: String) -> (String, String) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Returns all pairs of files of a group, by names without extensions.
fn all_pairs(group: &Path) -> Result<Vec<(String, String)>> {
    let entries: Vec<_> = fs::read_dir(group)?.collect::<Result<_, _>>()?;
    let mut stems: Vec<String> =
        entries.iter().map(|entry| stem(&entry.file_name().to_string_lossy()).to_owned()).collect();
    stems.sort_unstable();
    let pairs = stems
        .iter()
        .enumerate()
        .flat_map(|(i, a)| stems[i + 1..].iter().map(move |b| (a.clone(), b.clone())));
    Ok(pairs.collect())
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns the ranking score of every pair of a group that has a score.
fn scores(
    group: &Path,
    registry: &Registry,
    config: &Config,
) -> Result<BTreeMap<(String, String), f64>> {
    let batch = Batch::read(corpus(group)?, registry, config, &Silent)?;
    let ranking = Ranking::new(&batch, config, &Silent)?;
    let mut scores = BTreeMap::new();
    for pair in &ranking.pairs {
        for (x, y) in ranking.members_of(pair, &batch) {
            let name = |member: usize| stem(&batch.members[member].submission.name).to_owned();
            scores.insert(ordered(name(x), name(y)), pair.score);
        }
    }
    Ok(scores)
}

/// Reads the files of a group as submissions.
fn corpus(group: &Path) -> Result<Corpus> {
    let budget = Budget::new(Limits::standard());
    let mut corpus = Corpus::default();
    fanmill_source::read(
        &[group.to_owned()],
        Role::New,
        &Options::everything(),
        &budget,
        &mut corpus,
        &Silent,
    )?;
    Ok(corpus)
}
