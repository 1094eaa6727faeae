//! Kernels by each instruction set, beside naive twins, rival methods, and the limits of the machine.

use std::hint::black_box;

use anyhow::Result;
use fanmill::naive;
use fanmill::select::roc::Roc;
use fanmill::select::{bytes, winnow};
use fanmill_kernel::hash::mix::mix;
use fanmill_sketch::Sketch;
use fanmill_text::frontend::runs;
use xxhash_rust::xxh3::xxh3_64;

use super::measured::{Part, Role, Row, Unit, by_each_set, by_none};
use crate::karp_rabin::{self, DEFAULT_BASE};
use crate::stopwatch::best_of;

/// Number of bytes of the text that kernels read.
const N: usize = 16_000_000;

/// Number of bytes of it that naive twins read.
const PART: usize = 200_000;

/// Measures limits, selection of bytes, words and sketches.
pub(super) fn rows(text: &[u8]) -> Result<Vec<Row>> {
    let text = &text[..N.min(text.len())];
    let mut rows = limits(text);
    for (k, w) in [(50, 100), (25, 26), (50, 16)] {
        rows.extend(selection(text, k, w)?);
    }
    rows.extend(words(text)?);
    rows.extend(sketches()?);
    Ok(rows)
}

/// Returns the rate of a job on a text, in gigabytes per second.
fn rate(runs: usize, text: &[u8], mut job: impl FnMut(&[u8])) -> f64 {
    text.len() as f64 / best_of(runs, || job(black_box(text))) / 1e9
}

/// Measures the limits of the machine on the same bytes.
fn limits(text: &[u8]) -> Vec<Row> {
    let sum = |text: &[u8]| {
        let (eights, _) = text.as_chunks::<8>();
        eights.iter().fold(0, |sum: u64, &eight| sum.wrapping_add(u64::from_ne_bytes(eight)))
    };
    let limit = |name: &str, does: &str, job: &dyn Fn(&[u8])| Row {
        part: Part::Limits,
        role: Role::Limit,
        name: name.to_owned(),
        label: None,
        does: does.to_owned(),
        unit: Unit::Gigabytes,
        rates: vec![rate(7, text, job)],
        naive: None,
    };
    vec![
        limit("memory read", "adds up all bytes, eight at a time", &|text| {
            black_box(sum(text));
        }),
        limit("XXH3", "hashes the bytes as a whole", &|text| _ = black_box(xxh3_64(text))),
        limit("UTF-8 check", "is what each text goes through before anything else", &|text| {
            black_box(std::str::from_utf8(text).is_ok());
        }),
    ]
}

/// Measures ROC and winnowing of bytes, and winnowing as in the paper.
fn selection(text: &[u8], k: usize, w: usize) -> Result<Vec<Row>> {
    let part = &text[..PART.min(text.len())];
    let row = |name: &str, does: &str, role, rates, naive| Row {
        part: Part::Selection,
        role,
        name: format!("{name}, k = {k}, w = {w}"),
        label: None,
        does: does.to_owned(),
        unit: Unit::Gigabytes,
        rates,
        naive: Some(naive),
    };
    // Naive twins take the scalar instructions and only a part of the text; rates are per byte, so they compare.
    let (roc, mut found) = (Roc::new(k, w, 4), Vec::new());
    let naive_roc =
        by_none(|| rate(2, part, |text| _ = black_box(naive::roc_of_bytes(text, roc).len())))?;
    let roc_rates = by_each_set(|| {
        rate(5, text, |text| {
            found.clear();
            bytes::roc(text, roc, &mut found);
        })
    })?;
    let mut found = Vec::new();
    let naive_winnowing = by_none(|| {
        rate(2, part, |text| _ = black_box(naive::winnowing_of_bytes(text, k, w).len()))
    })?;
    let rates = by_each_set(|| {
        rate(5, text, |text| {
            found.clear();
            bytes::winnow(text, k, w, &mut found);
        })
    })?;
    let (mut room, mut found) = (Vec::with_capacity(text.len()), Vec::new());
    let rival = rate(3, text, |text| {
        room.clear();
        found.clear();
        room.extend(karp_rabin::hashes(text, k, DEFAULT_BASE));
        winnow::select(&room, w, &mut found);
    });
    let naive_rival = by_none(|| {
        let hashes = |text: &[u8]| karp_rabin::naive(text, k, DEFAULT_BASE, None);
        rate(2, part, |text| _ = black_box(naive::winnow(&hashes(text), w).len()))
    })?;
    let does = "chooses the fingerprints of a text, with their places and values of 64 bits";
    let shown = |row: Row, label| if (k, w) == (50, 100) { row.labelled(label) } else { row };
    Ok(vec![
        shown(row("ROC of bytes", does, Role::Ours, roc_rates, naive_roc), "ROC"),
        shown(row("winnowing of bytes", does, Role::Ours, rates, naive_winnowing), "winnow"),
        row(
            "winnowing of Karp–Rabin hashes",
            "is the method of the paper, with its rolling hash",
            Role::Rival,
            vec![rival],
            naive_rival,
        ),
    ])
}

/// Measures words, with each sixth letter of the text replaced by a space.
fn words(text: &[u8]) -> Result<Vec<Row>> {
    let mut spaced = text.to_vec();
    spaced.iter_mut().step_by(6).for_each(|byte| *byte = b' ');
    let read = |text: &[u8]| std::str::from_utf8(text).expect("letters and spaces").to_owned();
    let (whole, part) = (read(&spaced), read(&spaced[..PART]));
    let mut hashes = Vec::new();
    let naive = by_none(|| {
        rate(2, part.as_bytes(), |_| {
            hashes.clear();
            naive::words(&part, &mut hashes);
        })
    })?;
    let rates = by_each_set(|| {
        rate(5, &spaced, |_| {
            hashes.clear();
            runs::word_hashes(&whole, &mut hashes);
        })
    })?;
    // The rival undoes no disguise, and is one method on any processor, so it has one rate.
    let rival = rate(3, &spaced, |_| {
        hashes.clear();
        let words = whole.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let words = words.filter(|word| !word.is_empty());
        hashes.extend(words.map(|word| xxh3_64(word.to_lowercase().as_bytes())));
    });
    let row = |name: &str, does: &str, role, rates, naive| Row {
        part: Part::Words,
        role,
        name: name.to_owned(),
        label: None,
        does: does.to_owned(),
        unit: Unit::Gigabytes,
        rates,
        naive,
    };
    Ok(vec![
        row(
            "words of five letters",
            "finds words, undoes disguise, makes them small, and hashes them",
            Role::Ours,
            rates,
            Some(naive),
        )
        .labelled("words"),
        row(
            "words by the standard library",
            "splits at what is no letter, makes words small, and hashes them by XXH3; disguise stays",
            Role::Rival,
            vec![rival],
            None,
        ),
    ])
}

/// Measures sketches of 10,000 shingles: the default one beside those that others use.
fn sketches() -> Result<Vec<Row>> {
    let bags: Vec<Vec<u64>> =
        (0..32_u64).map(|bag| (0..10_000).map(|i| mix(i ^ bag << 40)).collect()).collect();
    let mut rows = Vec::new();
    for (name, role, does) in [
        ("fss(t=128)", Role::Ours, "is Fast Similarity Sketching, the default"),
        (
            "perm(t=128)",
            Role::Rival,
            "is MinHash with independent permutations, as datasketch has it",
        ),
        ("lead(t=84)", Role::Rival, "is the same by Broder's leading bytes"),
        ("bottom(t=128)", Role::Rival, "keeps the 128 smallest hashes, and has no bands"),
    ] {
        let sketcher = name.parse::<Sketch>()?.sketcher()?;
        let rates = by_each_set(|| {
            let mut row = Vec::new();
            let seconds = best_of(3, || {
                for bag in &bags {
                    row.clear();
                    sketcher.append(bag, &mut row);
                }
            });
            // Each bag has 10,000 shingles, and the unit is a million.
            bags.len() as f64 / seconds / 100.0
        })?;
        rows.push(Row {
            part: Part::Sketches,
            role,
            name: format!("sketches {name}"),
            label: None,
            does: does.to_owned(),
            unit: Unit::Shingles,
            rates,
            naive: None,
        });
    }
    Ok(rows)
}
