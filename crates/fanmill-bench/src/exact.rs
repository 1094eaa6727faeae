//! `fanmill-bench exact`: the exact joins on a corpus, with spilling to disk and in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use fanmill_corpus::exact::counts::Counts;
use fanmill_corpus::exact::join::ExactJoin;
use fanmill_corpus::exact::postings::{Rarest, Relation};
use fanmill_sketch::lsh::verify::{self, Threshold, needed_contained};
use fanmill_sketch::shingle::{self, DEFAULT_WORDS, ShortDocuments};

use crate::in_memory::{containment, resemblance};
use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

/// Prints the figures of both joins. `memory` and `counters` are in bytes.
pub(crate) fn run(corpus: &Path, memory: usize, counters: usize) -> Result<()> {
    let sets = sets(corpus)?;
    let n_members: usize = sets.iter().map(Vec::len).sum();
    println!("{} documents, {n_members} different shingles of {DEFAULT_WORDS} words", sets.len());
    println!("{} MiB of memory, {} MiB of counters", memory >> 20, counters >> 20);
    let threshold = Threshold::new(0.8)?;
    let in_memory = timed(|| Ok(resemblance::join(&sets, threshold).len()))?;
    println!("in memory,   resemblance .8: {} pairs, {:.2} s", in_memory.1, in_memory.0);
    spilled(&sets, Relation::Resemblance(threshold), memory, counters)?;
    let in_memory = timed(|| Ok(containment::join(&sets, threshold).len()))?;
    println!("in memory,   containment .8: {} pairs, {:.2} s", in_memory.1, in_memory.0);
    spilled(&sets, Relation::Containment(threshold), memory, counters)
}

/// Runs a job; returns its processor time in seconds, and its result.
fn timed<T>(mut job: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    let mut given = None;
    let seconds = best_of(1, || given = Some(job()));
    Ok((seconds, given.context("the job ran")??))
}

/// Times the passes of the spilling join over all sets, one by one.
fn spilled(sets: &[Vec<u64>], relation: Relation, memory: usize, counters: usize) -> Result<()> {
    reset_peak_memory();
    let before = peak_memory();
    // Counting and marking each need a pass over all sets before postings can be chosen by rarity.
    let (counting, counts) = timed(|| {
        let counts = Counts::new(counters);
        for set in sets {
            counts.add(set);
        }
        Ok(counts)
    })?;
    let (marking, rarest) = timed(|| {
        let rarest = Rarest::new(&counts, relation);
        for set in sets {
            rarest.mark(set);
        }
        Ok(rarest)
    })?;
    let mut n_postings = 0;
    let folder = std::env::temp_dir();
    let mut join = Some(ExactJoin::new(&folder, memory, relation));
    let (posting, join) = timed(|| {
        let mut join = join.take().context("one run")?;
        let mut postings = Vec::new();
        for (set, document) in sets.iter().zip(0..) {
            postings.clear();
            rarest.postings(document, set, &mut postings);
            n_postings += postings.len();
            join.extend(&postings)?;
        }
        Ok(join)
    })?;
    let mut join = Some(join);
    let (joining, (pairs, n_large_buckets)) = timed(|| {
        let found = join.take().context("one run")?.finish()?;
        let n_large_buckets = found.n_large_buckets();
        Ok((found.collect::<fanmill_text::Result<Vec<_>>>()?, n_large_buckets))
    })?;
    let (verifying, n_found) = timed(|| Ok(n_reaching(&pairs, sets, relation)))?;
    println!(
        "out of core, {relation:?}: {n_found} pairs of {} candidates; {n_postings} postings, \
         {n_large_buckets} large_buckets",
        pairs.len()
    );
    println!(
        "  counts {counting:.2} s, marks {marking:.2}, postings {posting:.2}, join {joining:.2}, \
         comparing {verifying:.2}: {:.2} s",
        counting + marking + posting + joining + verifying
    );
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        println!("  {} MB of memory beside the sets", (after - before) / 1_000_000);
    }
    Ok(())
}

fn n_reaching(pairs: &[(u32, u32)], sets: &[Vec<u64>], relation: Relation) -> usize {
    let reaches = |&&(a, b): &&(u32, u32)| {
        let (a, b) = (&sets[a as usize], &sets[b as usize]);
        match relation {
            Relation::Resemblance(threshold) => {
                verify::common_if_reaching(a, b, threshold).is_some()
            }
            Relation::Containment(threshold) => {
                verify::common_at_least(a, b, needed_contained(a.len(), threshold)).is_some()
            }
        }
    };
    pairs.iter().filter(reaches).count()
}

/// Returns the sets of shingles of all records.
fn sets(corpus: &Path) -> Result<Vec<Vec<u64>>> {
    let file =
        File::open(corpus).with_context(|| format!("could not open `{}`", corpus.display()))?;
    let is_packed = corpus.extension().is_some_and(|extension| extension == "zst");
    let plain: Box<dyn Read> =
        if is_packed { Box::new(zstd::Decoder::new(file)?) } else { Box::new(file) };
    let mut sets = Vec::new();
    for line in BufReader::new(plain).lines() {
        let record: serde_json::Value = serde_json::from_str(&line?)?;
        let text = record["text"].as_str().unwrap_or_default().to_lowercase();
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let words: Vec<u64> = words
            .filter(|word| !word.is_empty())
            .map(|word| shingle::word(word.as_bytes()))
            .collect();
        sets.push(shingle::set(&words, DEFAULT_WORDS, ShortDocuments::Whole));
    }
    Ok(sets)
}
