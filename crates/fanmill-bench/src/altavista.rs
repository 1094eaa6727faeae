//! `fanmill-bench altavista`: the job of Broder's slides, on as many documents as they had.
//!
//! Documents are sets of random shingle hashes with planted clusters of near-duplicates, generated from a seed when
//! needed. Each is sketched, its 48 bytes of features go to the external sort, and pairs that agree in two features of
//! six are joined into clusters. Texts are not kept, so nothing is verified: as in the slides, the filter decides.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Still, not very easy …", "What did we learn in
//! '97?", "Real implementation".

mod planted;
mod truth;

use anyhow::{Context, Result};
use fanmill::cluster::forest::Forest;
use fanmill_corpus::candidates::CandidateJoin;
use fanmill_sketch::Sketch;
use fanmill_sketch::classic::Classic;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::join::BucketLimits;

use self::planted::Planted;
use crate::stopwatch::{best_of, peak_memory, reset_peak_memory};

/// Number of documents generated and timed together.
const BATCH: u32 = 1024;
/// Number of documents on which samplers are compared.
const SAMPLE: u32 = 500;

/// The command's options.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Options {
    /// Documents; the slides had 30,000,000.
    #[arg(long, default_value_t = 3_000_000, value_parser = clap::value_parser!(u32).range(1000..))]
    documents: u32,
    /// Words of every document [default: 200 to 1,000]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    words: Option<u32>,
    /// Memory of the sorts, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: usize,
}

/// Processor time of each stage, in seconds.
#[derive(Debug, Default)]
struct Seconds {
    making: f64,
    sketching: f64,
    sorting: f64,
    pairing: f64,
    clustering: f64,
}

/// Prints the figures.
pub(crate) fn run(options: Options) -> Result<()> {
    let planted = Planted::new(options.documents, options.words);
    println!("{planted}");
    samplers(&planted)?;
    let folder = std::env::temp_dir();
    let classic = Classic::alta_vista();
    reset_peak_memory();
    let (mut seconds, memory) = (Seconds::default(), options.memory << 20);
    let mut join =
        CandidateJoin::new(&folder, memory, Bands::classic(classic), BucketLimits::standard());
    // Each stage is timed by itself; making the documents is not part of the job.
    let n_shingles = sketched(&planted, classic, &mut join, &mut seconds)?;
    let (pairing, candidates) = timed(|join| Ok(CandidateJoin::finish(join)?), join)?;
    seconds.pairing = pairing;
    let (n_large_buckets, mut n_pairs) = (candidates.n_large_buckets(), 0_u64);
    let (clustering, forest) = timed(
        |candidates| {
            let mut forest = Forest::new(options.documents as usize);
            for pair in candidates {
                let (a, b) = pair?;
                forest.join(a, b);
                n_pairs += 1;
            }
            Ok(forest)
        },
        candidates,
    )?;
    seconds.clustering = clustering;
    let peak = peak_memory();
    println!(
        "\n{n_pairs} pairs agree in 2 features of 6; {n_large_buckets} buckets of 256 and more linked"
    );
    print_seconds(&seconds, &planted, n_shingles);
    if let Some(peak) = peak {
        println!("peak memory {} MB, 4 bytes a document for clusters included", peak / 1_000_000);
    }
    println!("{} bytes stored for a document; 96 on disk while sorted", classic.stored_bytes());
    truth::print(&planted, classic, forest)
}

/// Runs a job; returns its processor time in seconds, and its result.
fn timed<A, B>(job: impl FnOnce(A) -> Result<B>, given: A) -> Result<(f64, B)> {
    let (mut job, mut made) = (Some((job, given)), None);
    let seconds = best_of(1, || made = job.take().map(|(job, given)| job(given)));
    Ok((seconds, made.context("the job ran")??))
}

/// Compares the samplers that fill registers, with the classic layout of 6 groups of 14. With the fast similarity
/// sketch the filter is as sharp as with independent permutations, so the fastest is used.
fn samplers(planted: &Planted) -> Result<()> {
    let mut sets = vec![Vec::new(); SAMPLE as usize];
    (0..).zip(&mut sets).for_each(|(document, set)| planted.append(document, set));
    let n_shingles: usize = sets.iter().map(Vec::len).sum();
    println!("\nsamplers of 84 registers, nanoseconds a shingle");
    for sketch in [
        Sketch::FastSimilarity { t: 84 },
        Sketch::Permutations { t: 84 },
        Sketch::LeadByte { t: 84 },
    ] {
        let (sketcher, mut row) = (sketch.sketcher()?, Vec::new());
        let seconds = best_of(3, || {
            for set in &sets {
                row.clear();
                sketcher.append(set, &mut row);
            }
        });
        let is_used = matches!(sketch, Sketch::FastSimilarity { .. });
        let note = if is_used { "  (used)" } else { "" };
        println!("  {:<12} {:>6.2}{note}", sketch.to_string(), seconds / n_shingles as f64 * 1e9);
    }
    Ok(())
}

/// Sketches all documents and passes their features to the join; returns the number of shingles.
fn sketched(
    planted: &Planted,
    classic: Classic,
    join: &mut CandidateJoin,
    seconds: &mut Seconds,
) -> Result<u64> {
    let sketcher = Sketch::FastSimilarity { t: classic.n_registers() as u32 }.sketcher()?;
    let (mut shingles, mut ends) = (Vec::new(), Vec::new());
    let (mut row, mut features) = (Vec::new(), Vec::new());
    let mut n_shingles = 0;
    for first in (0..planted.n_documents()).step_by(BATCH as usize) {
        let batch = first..planted.n_documents().min(first + BATCH);
        seconds.making += best_of(1, || {
            shingles.clear();
            ends.clear();
            for document in batch.clone() {
                planted.append(document, &mut shingles);
                ends.push(shingles.len());
            }
        });
        n_shingles += shingles.len() as u64;
        seconds.sketching += best_of(1, || {
            features.clear();
            let mut start = 0;
            for &end in &ends {
                row.clear();
                sketcher.append(&shingles[start..end], &mut row);
                classic.features(&row, &mut features);
                start = end;
            }
        });
        let rows = batch.zip(features.chunks_exact(classic.groups()));
        // `best_of` takes a closure that may be called again; with one run, the rows are taken once.
        let mut given = Some(rows);
        let mut pushed = Ok(());
        seconds.sorting += best_of(1, || {
            let mut rows = given.take().into_iter().flatten();
            pushed = rows.try_for_each(|(document, row)| join.push(document, row));
        });
        pushed?;
    }
    Ok(n_shingles)
}

fn print_seconds(seconds: &Seconds, planted: &Planted, n_shingles: u64) {
    let documents = f64::from(planted.n_documents());
    println!(
        "\n{:<52} {:>10} {:>16} {:>24}",
        "stage", "seconds", "µs a document", "1997, days for 30 million"
    );
    let line = |stage: &str, seconds: f64, then: &str| {
        println!("{stage:<52} {seconds:>10.1} {:>16.2} {then:>24}", seconds / documents * 1e6);
    };
    line("(making documents: not part of the job)", seconds.making, "–");
    line("sketching", seconds.sketching, "4.6 alpha");
    line("exact duplicates (have equal sketches: no stage)", 0.0, "0.3 alpha");
    line("features laid by in sorted runs", seconds.sorting, "1.7 alpha");
    line("runs merged, ID-ID pairs formed and merged", seconds.pairing, "0.7 + 2.6 alpha");
    line("clusters formed", seconds.clustering, "0.5 mips");
    let total = seconds.sketching + seconds.sorting + seconds.pairing + seconds.clustering;
    line("in all", total, "10.4");
    let bytes_a_word = 6.0;
    println!(
        "one thread; {:.1} million shingles a second, about {:.0} MB of text a second in all",
        n_shingles as f64 / total / 1e6,
        n_shingles as f64 * bytes_a_word / total / 1e6,
    );
}
