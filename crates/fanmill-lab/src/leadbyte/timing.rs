//! Times lead bytes beside the methods before and after them, per shingle.
//!
//! All sketches take turns on the same sets, and the fastest round of each counts: other work of the machine can only
//! make a round slower.
//!
//! Cost: about a second for each size.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Timing".

use std::hint::black_box;
use std::time::Instant;

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_sketch::{Sketch, Sketcher};
use fanmill_text::error::Result;

use super::Settings;

/// Number of rounds, of which the fastest counts.
const ROUNDS: u32 = 7;
/// Minimum number of shingles sketched per round.
const SHINGLES_OF_A_ROUND: u64 = 100_000;

/// The time of a sketch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The sketch.
    pub sketch: Sketch,
    /// Number of shingles in a set.
    pub n: u64,
    /// Nanoseconds per shingle.
    pub nanoseconds: f64,
}

/// Returns the sketches to time, beginning with whole permutations.
fn sketches(t: u32) -> [Sketch; 4] {
    [
        Sketch::Permutations { t },
        Sketch::LeadByte { t },
        Sketch::FastSimilarity { t },
        Sketch::BottomT { t },
    ]
}

/// Times each sketch on random sets of each size.
///
/// # Errors
/// If a sketch is impossible.
pub fn time(settings: &Settings) -> Result<Vec<Timed>> {
    let sketchers: Vec<Sketcher> = sketches(settings.registers)
        .iter()
        .map(|sketch| sketch.sketcher())
        .collect::<Result<_>>()?;
    let mut timed = Vec::new();
    for &n in &settings.sizes {
        let mut numbers = SplitMix::new(settings.seed);
        let n_sets = SHINGLES_OF_A_ROUND.div_ceil(n);
        let sets: Vec<Vec<u64>> =
            (0..n_sets).map(|_| (0..n).map(|_| numbers.draw()).collect()).collect();
        let mut fastest = vec![f64::INFINITY; sketchers.len()];
        // Sketches take turns, so that a slow moment of the machine affects all of them.
        for _ in 0..ROUNDS {
            for (sketcher, fastest) in sketchers.iter().zip(&mut fastest) {
                *fastest = fastest.min(round(sketcher, &sets) / (n * n_sets) as f64);
            }
        }
        let of_sketches = sketchers.iter().zip(fastest);
        timed.extend(of_sketches.map(|(sketcher, nanoseconds)| Timed {
            sketch: sketcher.sketch(),
            n,
            nanoseconds,
        }));
    }
    Ok(timed)
}

/// Returns the nanoseconds for one round over all sets.
fn round(sketcher: &Sketcher, sets: &[Vec<u64>]) -> f64 {
    let start = Instant::now();
    let mut row = Vec::new();
    for set in sets {
        row.clear();
        sketcher.append(black_box(set), &mut row);
        black_box(&row);
    }
    start.elapsed().as_secs_f64() * 1e9
}
