//! The parts of the job on the corpus's own texts, each beside its naive twin or what it replaced.
//!
//! Naive twins are slow, so both sides of a ratio are timed on the same part of the corpus.

use std::hint::black_box;

use anyhow::Result;
use fanmill::frontend::runs;
use fanmill::hash::rabin::{self, Rabin};
use fanmill::lsh::join::{self, Limits};
use fanmill::lsh::verify::{self, Threshold};
use fanmill::lsh::{bitmap, prefix, tuning};
use fanmill::sketch::registers;
use fanmill::sketch::shingle::{self, DEFAULT_WORDS, Short};
use fanmill::sketch::similarity::DEFAULT_REGISTERS;
use fanmill::sketch::{Sketch, lead_byte, permutations, similarity};

use super::corpus::{Corpus, THRESHOLD};
use crate::stopwatch::best_of;

/// Runs of which the best counts.
const RUNS: usize = 3;
/// Every so many-th document is in the part that naive twins are given.
const STEP: usize = 40;
/// Registers of the lead-byte sketch, as the slides have it.
const CLASSIC_REGISTERS: usize = 84;

/// Prints all ratios.
pub(super) fn print(corpus: &Corpus) -> Result<()> {
    println!("\nparts, one thread, the naive twins on every {STEP}th document");
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

/// A row: what one thing takes in each way, in nanoseconds.
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
    shingle::bag(words, DEFAULT_WORDS, Short::Whole, &mut shingles);
    shingles
}

fn of_texts(texts: &[&str]) {
    let n_bytes = texts.iter().map(|text| text.len()).sum();
    let (mut found, mut naive) = (Vec::new(), Vec::new());
    let fast = || {
        for text in texts {
            found.clear();
            runs::word_hashes(text, &mut found);
        }
    };
    let slow = || {
        for text in texts {
            naive.clear();
            runs::naive(text, &mut naive);
        }
    };
    row("words", "byte", n_bytes, fast, "naive", slow);
}

fn of_words(words: &[Vec<u64>]) {
    let n = words.iter().map(|words| words.len()).sum();
    let (mut found, mut hashed) = (Vec::new(), Vec::new());
    let fast = || {
        for words in words {
            found.clear();
            shingle::bag(words, DEFAULT_WORDS, Short::Whole, &mut found);
            black_box(&found);
        }
    };
    let slow = || {
        for words in words {
            hashed.clear();
            hashed.extend(words.windows(DEFAULT_WORDS).map(|words| shingle::word(&bytes(words))));
            black_box(&hashed);
        }
    };
    row("shingles by rolling", "shingle", n, fast, "XXH3", slow);
}

/// The bytes of the words of a shingle.
fn bytes(words: &[u64]) -> [u8; 8 * DEFAULT_WORDS] {
    let mut bytes = [0; 8 * DEFAULT_WORDS];
    for (eight, word) in bytes.chunks_exact_mut(8).zip(words) {
        eight.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

fn of_bags(bags: &[Vec<u64>]) -> Result<()> {
    let n = bags.iter().map(|bag| bag.len()).sum();
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
    let t = |t: usize| t as u32;
    let standard = Sketch::FastSimilarity { t: t(DEFAULT_REGISTERS) };
    let permuted = |t: u32| Sketch::Permutations { t };
    let lead = Sketch::LeadByte { t: t(CLASSIC_REGISTERS) };
    let [standard, lead, wide, narrow] =
        [standard, lead, permuted(t(DEFAULT_REGISTERS)), permuted(t(CLASSIC_REGISTERS))]
            .map(|sketch| sketch.sketcher());
    let (standard, lead, wide, narrow) = (standard?, lead?, wide?, narrow?);
    let by = |sketcher: &fanmill::sketch::Sketcher| {
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
    let name = "permutations";
    row("sketch fss(t=128)", "shingle", n, || by(&standard), name, || by(&wide));
    row(
        "sketch fss(t=128)",
        "shingle",
        n,
        || by(&standard),
        "naive",
        || {
            naively(similarity::naive, DEFAULT_REGISTERS);
        },
    );
    row(
        "sketch perm(t=128)",
        "shingle",
        n,
        || by(&wide),
        "naive",
        || {
            naively(permutations::naive, DEFAULT_REGISTERS);
        },
    );
    row("sketch lead(t=84)", "shingle", n, || by(&lead), name, || by(&narrow));
    row(
        "sketch lead(t=84)",
        "shingle",
        n,
        || by(&lead),
        "naive",
        || {
            naively(lead_byte::naive, CLASSIC_REGISTERS);
        },
    );
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
    let n = words.iter().map(|words| words.len()).sum();
    let mut found = Vec::new();
    let fast = || {
        for words in words {
            found.clear();
            shingle::bag(words, DEFAULT_WORDS, Short::Whole, &mut found);
        }
    };
    let window = rabin.window(8 * DEFAULT_WORDS);
    let bytes: Vec<Vec<u8>> = words
        .iter()
        .map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect())
        .collect();
    let slow = || {
        for bytes in &bytes {
            // One in eight of these is a shingle of whole words.
            black_box(window.slide(bytes).step_by(8).fold(0, |all, hash| all ^ hash));
        }
    };
    row("shingles by rolling", "shingle", n, fast, "Rabin", slow);
    Ok(())
}

fn of_sets(corpus: &Corpus) -> Result<()> {
    let threshold = Threshold::new(THRESHOLD)?;
    let all: Vec<Vec<u64>> = (0..corpus.ids.len() as u32).map(|d| corpus.set(d)).collect();
    let part: Vec<&Vec<u64>> = all.iter().step_by(STEP / 4).collect();
    let n_pairs = part.len() * (part.len() - 1) / 2;
    let sketcher = Sketch::standard().sketcher()?;
    let bands = tuning::choose(DEFAULT_REGISTERS as u32, THRESHOLD, 0.998, 1)?;
    let keys_of = |sets: &mut dyn Iterator<Item = &Vec<u64>>| {
        let (mut keys, mut row) = (Vec::new(), Vec::new());
        for set in sets {
            row.clear();
            sketcher.append(set, &mut row);
            bands.keys(&row, &mut keys);
        }
        keys
    };
    let keys = keys_of(&mut part.iter().copied());
    let rows: Vec<&[u64]> = keys.chunks_exact(bands.bands()).collect();
    let fast = || drop(black_box(join::candidates(&keys, bands, &Limits::standard())));
    let slow = || {
        let pairs = (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let agree = |&(i, j): &(usize, usize)| {
            registers::agreeing(rows[i], rows[j]) >= bands.needed() && !registers::is_empty(rows[i])
        };
        black_box(pairs.filter(agree).count());
    };
    row("candidates by bands", "pair", n_pairs, fast, "all pairs", slow);
    let fast = || drop(black_box(prefix::join(&part, threshold)));
    row("exact join by prefixes", "pair", n_pairs, fast, "all pairs", || {
        drop(black_box(join::naive(&part, threshold)));
    });

    let keys = keys_of(&mut all.iter());
    let pairs = join::candidates(&keys, bands, &Limits::standard()).pairs;
    let sets = |&(a, b): &(u32, u32)| (&all[a as usize], &all[b as usize]);
    let verified = |reaches: &dyn Fn(&[u64], &[u64]) -> bool| {
        black_box(pairs.iter().map(sets).filter(|(a, b)| reaches(a, b)).count());
    };
    let merged = |a: &[u64], b: &[u64]| verify::common_if_reaching(a, b, threshold).is_some();
    let fast = || verified(&merged);
    row("verification", "candidate", pairs.len(), fast, "naive", || {
        verified(&|a, b| {
            let n_common = verify::naive_common(a, b);
            verify::resemblance_of(n_common, a.len(), b.len()).is_some_and(|r| r >= THRESHOLD)
        });
    });
    let bitmaps: Vec<Vec<u64>> = all
        .iter()
        .map(|set| {
            let mut bits = Vec::new();
            bitmap::append(set, &mut bits);
            bits
        })
        .collect();
    let fast = || {
        let may = |&&(a, b): &&(u32, u32)| {
            let (a, b) = (a as usize, b as usize);
            let sizes = (all[a].len(), all[b].len());
            bitmap::may_reach(&bitmaps[a], &bitmaps[b], sizes.0, sizes.1, threshold)
        };
        black_box(pairs.iter().filter(may).count());
    };
    row("bitmaps", "candidate", pairs.len(), fast, "merging", || verified(&merged));
    Ok(())
}
