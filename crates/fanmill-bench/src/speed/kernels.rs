//! Kernels by each set of instructions, beside naive twins, rival methods, and what the machine can do at most.

use std::hint::black_box;

use fanmill::frontend::runs;
use fanmill::hash::mix::mix;
use fanmill::kernel::InstructionSet;
use fanmill::naive;
use fanmill::select::bytes;
use fanmill::select::roc::Roc;
use fanmill::sketch::Sketch;
use xxhash_rust::xxh3::xxh3_64;

use crate::stopwatch::best_of;

/// Bytes of the text that kernels read.
const N: usize = 16_000_000;

/// Bytes of it that naive twins read.
const PART: usize = 200_000;

/// Prints the rates of all kernels, in GB of text a second, and of sketches in millions of shingles.
pub(super) fn run(text: &[u8]) -> anyhow::Result<()> {
    let text = &text[..N.min(text.len())];
    limits(text);
    let sets: Vec<InstructionSet> = InstructionSet::available().collect();
    let names: Vec<String> = sets.iter().map(|set| format!("{set:>7}")).collect();
    println!("\nkernels, one thread, GB/s             {}   naive   ratio", names.join(" "));
    for (k, w) in [(50, 100), (25, 26), (50, 16)] {
        let (roc, mut found) = (Roc::new(k, w, 4), Vec::new());
        row(
            &format!("ROC of bytes, k = {k}, w = {w}"),
            text,
            &mut |text| {
                found.clear();
                bytes::roc(text, roc, &mut found);
            },
            &|text| naive::roc_of_bytes(text, roc).len(),
        )?;
        let mut found = Vec::new();
        row(
            &format!("winnowing of bytes, k = {k}, w = {w}"),
            text,
            &mut |text| {
                found.clear();
                bytes::winnow(text, k, w, &mut found);
            },
            &|text| naive::winnowing_of_bytes(text, k, w).len(),
        )?;
    }
    words(text)?;
    sketches(&sets, &names)
}

/// What the machine can do at most with the same bytes.
fn limits(text: &[u8]) {
    let sum = |text: &[u8]| {
        let (eights, _) = text.as_chunks::<8>();
        eights.iter().fold(0, |sum: u64, &eight| sum.wrapping_add(u64::from_ne_bytes(eight)))
    };
    let limit = |name: &str, job: &dyn Fn(&[u8])| {
        let rate = text.len() as f64 / best_of(7, || job(black_box(text))) / 1e9;
        println!("{name:<12} {rate:>6.2} GB/s");
    };
    println!("limits: {} MB, one thread", text.len() / 1_000_000);
    limit("memory read", &|text| _ = black_box(sum(text)));
    limit("xxh3", &|text| _ = black_box(xxh3_64(text)));
    limit("UTF-8 check", &|text| _ = black_box(std::str::from_utf8(text).is_ok()));
}

/// Times a kernel by each set of instructions, and its naive twin.
fn row(
    name: &str,
    text: &[u8],
    kernel: &mut dyn FnMut(&[u8]),
    twin: &dyn Fn(&[u8]) -> usize,
) -> anyhow::Result<()> {
    let part = &text[..PART.min(text.len())];
    let slow = part.len() as f64 / best_of(2, || _ = black_box(twin(part))) / 1e9;
    let mut rates = Vec::new();
    for set in InstructionSet::available() {
        set.choose()?;
        rates.push(text.len() as f64 / best_of(5, || kernel(text)) / 1e9);
    }
    // The last set is the best one, and stays in use.
    let best = rates.last().copied().unwrap_or_default();
    let rates: Vec<String> = rates.iter().map(|rate| format!("{rate:>7.3}")).collect();
    println!("{name:<37} {} {slow:>7.4} {:>6.0}x", rates.join(" "), best / slow);
    Ok(())
}

/// Words, each sixth letter of the text being a space.
fn words(text: &[u8]) -> anyhow::Result<()> {
    let mut spaced = text.to_vec();
    spaced.iter_mut().step_by(6).for_each(|byte| *byte = b' ');
    let mut hashes = Vec::new();
    let read = |text: &[u8]| std::str::from_utf8(text).expect("letters and spaces").to_owned();
    let (whole, part) = (read(&spaced), read(&spaced[..PART]));
    row(
        "words of five letters",
        &spaced,
        &mut |_| {
            hashes.clear();
            runs::word_hashes(&whole, &mut hashes);
        },
        &|_| {
            let mut hashes = Vec::new();
            naive::words(&part, &mut hashes);
            hashes.len()
        },
    )
}

/// Sketches of 10,000 shingles: the default one beside rivals.
fn sketches(sets: &[InstructionSet], names: &[String]) -> anyhow::Result<()> {
    println!("\nsketches of 10,000 shingles, M/s      {}", names.join(" "));
    let bags: Vec<Vec<u64>> =
        (0..32_u64).map(|bag| (0..10_000).map(|i| mix(i ^ bag << 40)).collect()).collect();
    for name in ["fss(t=128)", "perm(t=128)", "lead(t=84)", "bottom(t=128)"] {
        let sketcher = name.parse::<Sketch>()?.sketcher()?;
        let mut rates = Vec::new();
        for set in sets {
            set.choose()?;
            let mut row = Vec::new();
            let seconds = best_of(3, || {
                for bag in &bags {
                    row.clear();
                    sketcher.append(bag, &mut row);
                }
            });
            rates.push(format!("{:>7.0}", bags.len() as f64 / seconds / 100.0));
        }
        println!("{name:<37} {}", rates.join(" "));
    }
    Ok(())
}
