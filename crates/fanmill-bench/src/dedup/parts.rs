//! The parts of the job on the corpus's own texts, each beside its naive twin or the part it replaced.
//!
//! Naive twins are slow, so both sides of a ratio are timed on the same part of the corpus.

use std::hint::black_box;

use anyhow::Result;
use fanmill::naive;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::join::{self, BucketLimits};
use fanmill_sketch::lsh::verify::{self, Threshold};
use fanmill_sketch::lsh::{bitmap, tuning};
use fanmill_sketch::registers;
use fanmill_sketch::shingle::{self, DEFAULT_WORDS, ShortDocuments};
use fanmill_sketch::similarity::DEFAULT_REGISTERS;
use fanmill_sketch::{Sketch, Sketcher};
use fanmill_text::frontend::runs;

use super::corpus::{Corpus, THRESHOLD};
use crate::in_memory::{self, resemblance};
use crate::rabin::{self, Rabin};
use crate::stopwatch::best_of;

/// Number of runs, of which the best counts.
const RUNS: usize = 3;
/// One in this many documents belongs to the part of the corpus for naive twins.
const STEP: usize = 40;
/// Prints all ratios.
pub(super) fn print(corpus: &Corpus) -> Result<()> {
    println!("\nparts, one thread, on every {STEP}th document");
    println!("{:<44} {:>14} {:>22} {:>8}", "part", "here", "beside", "ratio");
    let texts: Vec<&str> = corpus.texts.iter().step_by(STEP).map(String::as_str).collect();
    let words: Vec<Vec<u64>> = texts.iter().map(|text| words(text)).collect();
    let bags: Vec<Vec<u64>> = words.iter().map(|words| bag(words)).collect();
    of_texts(&texts);
    of_words(&words);
    of_bags(&bags)?;
    of_rabin(&texts, &words)?;
    of_sets(corpus)
}

/// Prints a row: the time of one operation by each method, in nanoseconds.
fn row(
    part: &str,
    unit: &str,
    n: usize,
    mut fast: impl FnMut(),
    name: &str,
    mut other: impl FnMut(),
) {
    let [here, beside] = [best_of(RUNS, &mut fast), best_of(RUNS, &mut other)];
    let each = |seconds: f64| seconds * 1e9 / n as f64;
    println!(
        "{:<44} {:>11.2} ns {:>11} {:>7.2} ns {:>7.1}x",
        format!("{part}, a {unit}"),
        each(here),
        name,
        each(beside),
        beside / here
    );
}

fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    runs::word_hashes(text, &mut words);
    words
}

fn bag(words: &[u64]) -> Vec<u64> {
    let mut shingles = Vec::new();
    shingle::bag(words, DEFAULT_WORDS, ShortDocuments::Whole, &mut shingles);
    shingles
}

fn of_texts(texts: &[&str]) {
    let n_bytes = texts.iter().map(|text| text.len()).sum();
    let (mut found, mut other) = (Vec::new(), Vec::new());
    let fast = || {
        for text in texts {
            found.clear();
            runs::word_hashes(text, &mut found);
        }
    };
    let slow = || {
        for text in texts {
            other.clear();
            naive::words(text, &mut other);
        }
    };
    row("words", "byte", n_bytes, fast, "naive", slow);
}

fn of_words(words: &[Vec<u64>]) {
    let n = words.iter().map(Vec::len).sum();
    let (mut found, mut hashed) = (Vec::new(), Vec::new());
    let fast = || {
        for words in words {
            found.clear();
            shingle::bag(words, DEFAULT_WORDS, ShortDocuments::Whole, &mut found);
            black_box(&found);
        }
    };
    let bytes: Vec<Vec<u8>> = words.iter().map(|words| bytes(words)).collect();
    let slow = || {
        for bytes in &bytes {
            hashed.clear();
            let shingles = bytes.windows(8 * DEFAULT_WORDS).step_by(8);
            hashed.extend(shingles.map(shingle::word));
        }
    };
    row("shingles by rolling", "shingle", n, fast, "XXH3", slow);
}

/// Returns the bytes of words, eight each.
fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn of_bags(bags: &[Vec<u64>]) -> Result<()> {
    let n = bags.iter().map(Vec::len).sum();
    let (mut set, mut other) = (Vec::new(), Vec::new());
    let fast = || {
        for bag in bags {
            set.clone_from(bag);
            shingle::normalise(&mut set);
        }
    };
    let slow = || {
        for bag in bags {
            other.clone_from(bag);
            other.sort_unstable();
            other.dedup();
        }
    };
    row("sets", "shingle", n, fast, "general sort", slow);
    let sketcher = |name: &str| name.parse::<Sketch>()?.sketcher();
    let (standard, wide) = (&sketcher("fss(t=128)")?, &sketcher("perm(t=128)")?);
    let (lead, narrow) = (&sketcher("lead(t=84)")?, &sketcher("perm(t=84)")?);
    let by = |sketcher: &Sketcher| {
        let mut row = Vec::new();
        for bag in bags {
            row.clear();
            sketcher.append(black_box(bag), &mut row);
        }
    };
    let naively = |sketch: fn(&[u64], usize) -> Vec<u64>, t: usize| {
        for bag in bags {
            black_box(sketch(bag, t));
        }
    };
    let beside = "permutations";
    row("sketch fss(t=128)", "shingle", n, || by(standard), beside, || by(wide));
    row("sketch lead(t=84)", "shingle", n, || by(lead), beside, || by(narrow));
    // There is no row for fss and its naive twin: on large sets the twin reads no more often than fss does.
    let of_permutations = || naively(naive::permutations, 128);
    row("sketch perm(t=128)", "shingle", n, || by(wide), "naive", of_permutations);
    row("sketch lead(t=84)", "shingle", n, || by(lead), "naive", || naively(naive::lead_byte, 84));
    Ok(())
}

fn of_rabin(texts: &[&str], words: &[Vec<u64>]) -> Result<()> {
    let rabin = Rabin::random(64, 1)?;
    let few: Vec<&str> = texts.iter().step_by(4).copied().collect();
    let n_bytes = few.iter().map(|text| text.len()).sum();
    let all = |each: &dyn Fn(&str) -> u64| {
        for text in &few {
            black_box(each(text));
        }
    };
    row(
        "Rabin's fingerprint",
        "byte",
        n_bytes,
        || all(&|text| rabin.fingerprint(text.as_bytes())),
        "naive",
        || {
            all(&|text| rabin::naive(rabin::bits(text.as_bytes()), rabin.modulus()) as u64);
        },
    );
    let n = words.iter().map(Vec::len).sum();
    let mut found = Vec::new();
    let fast = || {
        for words in words {
            found.clear();
            shingle::bag(words, DEFAULT_WORDS, ShortDocuments::Whole, &mut found);
            black_box(&found);
        }
    };
    let window = rabin.window(8 * DEFAULT_WORDS);
    let bytes: Vec<Vec<u8>> = words.iter().map(|words| bytes(words)).collect();
    let slow = || {
        for bytes in &bytes {
            // Only one in eight of these is a shingle of whole words.
            black_box(window.slide(bytes).step_by(8).fold(0, |all, hash| all ^ hash));
        }
    };
    row("shingles by rolling", "shingle", n, fast, "Rabin", slow);
    Ok(())
}

/// Times finding pairs and comparing them.
fn of_sets(corpus: &Corpus) -> Result<()> {
    let threshold = Threshold::new(THRESHOLD)?;
    let all: Vec<Vec<u64>> = (0..corpus.ids.len() as u32).map(|d| corpus.set(d)).collect();
    let part: Vec<&[u64]> = all.iter().step_by(4 * STEP).map(Vec::as_slice).collect();
    let n_pairs = part.len() * (part.len() - 1) / 2;
    let bands = tuning::choose(DEFAULT_REGISTERS as u32, THRESHOLD, 0.998, 1)?;
    let keys = keys(bands, &mut part.iter().copied())?;
    let rows: Vec<&[u64]> = keys.chunks_exact(bands.bands()).collect();
    let fast = || drop(black_box(join::candidates(&keys, bands, &BucketLimits::standard())));
    let slow = || {
        let pairs = (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let agree = |&(i, j): &(usize, usize)| registers::agreeing(rows[i], rows[j]) > 0;
        black_box(pairs.filter(agree).count());
    };
    row("candidates by bands", "pair", n_pairs, fast, "all pairs", slow);
    let fast = || drop(black_box(resemblance::join(&part, threshold)));
    row("exact join by prefixes", "pair", n_pairs, fast, "all pairs", || {
        drop(black_box(in_memory::all_pairs(&part, threshold)));
    });
    of_candidates(&all, bands, threshold)
}

/// Returns the band keys of sets, one row each.
fn keys(bands: Bands, sets: &mut dyn Iterator<Item = &[u64]>) -> Result<Vec<u64>> {
    let sketcher = Sketch::standard().sketcher()?;
    let (mut keys, mut row) = (Vec::new(), Vec::new());
    for set in sets {
        row.clear();
        sketcher.append(set, &mut row);
        bands.keys(&row, &mut keys);
    }
    Ok(keys)
}

fn of_candidates(sets: &[Vec<u64>], bands: Bands, threshold: Threshold) -> Result<()> {
    let keys = keys(bands, &mut sets.iter().map(Vec::as_slice))?;
    let pairs =
        join::candidates(&keys, bands, &BucketLimits::standard()).expect("whole rows").pairs;
    let of = |&(a, b): &(u32, u32)| (&sets[a as usize], &sets[b as usize]);
    let verified = |pairs: &[(u32, u32)], reaches: &dyn Fn(&[u64], &[u64]) -> bool| {
        black_box(pairs.iter().map(of).filter(|(a, b)| reaches(a, b)).count());
    };
    let merged = |a: &[u64], b: &[u64]| verify::common_if_reaching(a, b, threshold).is_some();
    let naive = |a: &[u64], b: &[u64]| {
        let resemblance = verify::resemblance_of(in_memory::n_common(a, b), a.len(), b.len());
        resemblance.is_some_and(|resemblance| resemblance >= threshold.value())
    };
    // The naive twin compares each member of one set with each member of the other.
    let few: Vec<(u32, u32)> = pairs.iter().step_by(STEP).copied().collect();
    let fast = || verified(&few, &merged);
    row("verification", "candidate", few.len(), fast, "naive", || verified(&few, &naive));
    let mut bitmaps = vec![Vec::new(); sets.len()];
    for (bits, set) in bitmaps.iter_mut().zip(sets) {
        bitmap::append(set, bits);
    }
    let may = |&&(a, b): &&(u32, u32)| {
        let (a, b) = (a as usize, b as usize);
        let sizes = (sets[a].len(), sets[b].len());
        bitmap::may_reach(&bitmaps[a], &bitmaps[b], sizes.0, sizes.1, threshold)
    };
    let fast = || {
        black_box(pairs.iter().filter(may).count());
    };
    row("bitmaps", "candidate", pairs.len(), fast, "merging", || verified(&pairs, &merged));
    Ok(())
}
