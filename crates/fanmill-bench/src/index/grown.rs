//! An index of made-up texts that grows commit by commit: the cost of a commit, of opening and of a search at each
//! size.
//!
//! Texts consist of phrases of [`PHRASE`] words. Each phrase represents a fingerprint of the real texts, and is drawn
//! as often as that fingerprint occurs, so as many documents share a phrase as share a real fingerprint. A larger
//! collection has more phrases, but none that occur more often.

use std::collections::HashMap;
use std::hint::black_box;
use std::path::Path;

use anyhow::Result;
use fanmill::pipeline::{Config, fingerprinted};
use fanmill_index::{Index, Search};
use fanmill_kernel::hash::mix::mix;
use fanmill_text::document::{Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use super::{COMMITS, add};
use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

/// Number of words in a phrase: the guarantee for prose, so that each phrase has a fingerprint of its own.
const PHRASE: u64 = 12;
/// Number of phrases in a document.
const PHRASES: usize = 11;
/// Number of phrases in a query: about 4 kB.
const OF_QUERY: usize = 54;
/// Number of different words.
const WORDS: u64 = 20_000;
/// Number of queries at each size.
const QUERIES: u64 = 20;

/// Adds `n_documents` in [`COMMITS`] commits, and prints figures at every eighth of them.
pub(super) fn run(
    folder: &Path,
    texts: &[Submission],
    n_documents: usize,
    registry: &Registry,
) -> Result<()> {
    let curve = curve(texts, registry)?;
    // Each number of the curve becomes this many phrases, so that the frequencies do not grow with the collection.
    let replicas = (n_documents * PHRASES).div_ceil(curve.len()) as u64;
    let made = |seed: u64, n_phrases: usize| text(&curve, replicas, seed, n_phrases);
    let queries: Vec<Submission> = (0..QUERIES).map(|i| made(!i, OF_QUERY)).collect();
    let n_bytes = queries.iter().map(Submission::n_bytes).sum::<usize>() as f64;
    println!(
        "{n_documents} made-up texts of {} words, in {COMMITS} commits; queries of {:.1} kB",
        PHRASE * PHRASES as u64,
        n_bytes / 1e3 / QUERIES as f64
    );
    println!(
        "documents  postings  commit, ms: mean  slowest  opening: ms   MiB  search, ms: look-ups  whole  segments"
    );
    let each = n_documents.div_ceil(COMMITS);
    let (mut total, mut slowest) = (0.0, 0.0_f64);
    for commit in 0..COMMITS {
        let first = commit * each;
        let mut documents =
            Some((first..first + each).map(|i| made(i as u64, PHRASES)).collect::<Vec<_>>());
        let mut added = Ok(());
        let seconds =
            best_of(1, || added = add(folder, documents.take().unwrap_or_default(), registry));
        added?;
        total += seconds;
        slowest = slowest.max(seconds);
        let every = COMMITS / 8;
        if (commit + 1) % every == 0 {
            let commits = [total / every as f64, slowest];
            figures(folder, &queries, registry, commits)?;
            (total, slowest) = (0.0, 0.0);
        }
    }
    Ok(())
}

fn figures(
    folder: &Path,
    queries: &[Submission],
    registry: &Registry,
    [mean, slowest]: [f64; 2],
) -> Result<()> {
    reset_peak_memory();
    let before = peak_memory();
    let mut opened = None;
    let opening = best_of(1, || opened = Some(Index::open(folder)));
    let after = peak_memory();
    let memory = before.zip(after).map_or(0, |(before, after)| after.saturating_sub(before) >> 20);
    let index = Index::open(folder)?;
    // Memory was measured with the index open; searches use another copy of it.
    drop(opened);
    let mut searching = [0.0; 2];
    for (seconds, max_sources) in searching.iter_mut().zip([0, 50]) {
        let mut search = Search::default();
        search.max_sources = max_sources;
        *seconds = best_of(3, || {
            for query in queries {
                let _ = black_box(index.search(query.clone(), registry, &search, &Silent));
            }
        }) / queries.len() as f64;
    }
    let stats = index.stats();
    println!(
        "{:9} {:9} {:17.0} {:8.0} {:12.1} {memory:5} {:21.2} {:6.2} {:9}",
        stats.documents,
        stats.postings,
        1e3 * mean,
        1e3 * slowest,
        1e3 * opening,
        1e3 * searching[0],
        1e3 * searching[1],
        stats.segments
    );
    Ok(())
}

/// Returns a number for each fingerprint of the texts, repeated for each document that has it.
fn curve(texts: &[Submission], registry: &Registry) -> Result<Vec<u32>> {
    let (mut numbers, mut curve) = (HashMap::new(), Vec::new());
    for text in texts {
        let read = fingerprinted(text, registry, &Config::standard())?;
        let mut own: Vec<u64> = read.fingerprints.iter().map(|f| f.hash).collect();
        own.sort_unstable();
        own.dedup();
        for hash in own {
            let next = numbers.len() as u32;
            curve.push(*numbers.entry(hash).or_insert(next));
        }
    }
    Ok(curve)
}

fn text(curve: &[u32], replicas: u64, seed: u64, n_phrases: usize) -> Submission {
    let mut bytes = Vec::new();
    for i in 0..n_phrases as u64 {
        let drawn = mix(mix(seed) ^ i);
        let number = curve[(drawn % curve.len() as u64) as usize];
        let phrase = u64::from(number) * replicas + mix(drawn) % replicas;
        for j in 0..PHRASE {
            let mut word = mix(mix(phrase) ^ j) % WORDS;
            for _ in 0..5 {
                bytes.push(b'a' + (word % 26) as u8);
                word = word / 26 + mix(word) % 3;
            }
            bytes.push(b' ');
        }
    }
    let name = format!("made {seed}");
    let documents = vec![Document::new(format!("{name}.txt"), bytes)];
    Submission::new(name, Role::Archive, documents)
}
