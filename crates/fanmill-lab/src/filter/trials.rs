//! Measures filters by trial: pairs of random sets are sketched and compared as in Fanmill.
//!
//! A trial draws a random union and walks through it from one resemblance to the next: all members up to a certain one
//! are common, and those after it go to the two sets in turn. Each part of the union is sketched once and merged as
//! often as needed, so that a trial costs one sketch of the union for all resemblances together.
//!
//! Cost: O(n t) time per trial for independent permutations.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "The filtering mechanism".

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_sketch::Sketcher;
use fanmill_sketch::classic::feature;
use fanmill_sketch::registers::{self, EMPTY};
use fanmill_text::error::Result;

use super::spec::Spec;

/// The number of accepted pairs of one resemblance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The exact resemblance of the pairs: the nearest to the requested one for a union of this size.
    pub resemblance: f64,
    /// Number of pairs accepted.
    pub n_accepted: u32,
    /// Number of pairs tried.
    pub n_trials: u32,
}

impl Share {
    /// Returns the share of pairs accepted.
    pub fn value(&self) -> f64 {
        f64::from(self.n_accepted) / f64::from(self.n_trials)
    }

    /// Returns the distance from a probability, in standard errors of this number of independent trials.
    ///
    /// It is finite even for a probability of 0 or 1, which is moved by a thousandth of a trial.
    pub fn standard_errors_from(&self, probability: f64) -> f64 {
        let n = f64::from(self.n_trials);
        let least = 1e-3 / n;
        let p = probability.clamp(least, 1.0 - least);
        (self.value() - probability) / (p * (1.0 - p) / n).sqrt()
    }
}

/// The settings of trials.
#[derive(Debug, Clone, Copy)]
pub struct Trials {
    /// Number of members in the union of each pair.
    pub n_members: u32,
    /// Number of pairs.
    pub n_trials: u32,
    /// The seed of the random members.
    pub seed: u64,
}

impl Trials {
    /// Measures the share of pairs of these resemblances that `spec` accepts; resemblances must be ascending.
    ///
    /// # Errors
    /// If the sketch has too many registers.
    pub fn run(&self, spec: &Spec, resemblances: &[f64]) -> Result<Vec<Share>> {
        let n = self.n_members as usize;
        let ends: Vec<usize> = resemblances.iter().map(|j| n_common(n, *j)).collect();
        let sketcher = spec.sampler.sketch(spec.n_registers()).sketcher()?;
        let mut n_accepted = vec![0; ends.len()];
        let mut numbers = SplitMix::new(self.seed);
        for _ in 0..self.n_trials {
            let union: Vec<u64> = (0..n).map(|_| numbers.draw()).collect();
            let rows = parts(&sketcher, &union, &ends);
            for (point, count) in n_accepted.iter_mut().enumerate() {
                let [a, b] = pair(&rows, point);
                *count += u32::from(accepts(spec, &a, &b));
            }
        }
        let share = |(&end, n_accepted): (&usize, u32)| Share {
            resemblance: end as f64 / n as f64,
            n_accepted,
            n_trials: self.n_trials,
        };
        Ok(ends.iter().zip(n_accepted).map(share).collect())
    }
}

/// Returns the number of common members with which the resemblance of two sets is nearest to this one.
fn n_common(n_members: usize, resemblance: f64) -> usize {
    (0..n_members).filter(|&i| i as f64 + 0.5 < n_members as f64 * resemblance).count()
}

/// Returns the rows of the two halves of each part of a union that is cut at `ends`.
fn parts(sketcher: &Sketcher, union: &[u64], ends: &[usize]) -> Vec<[Vec<u64>; 2]> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let cuts = starts.zip(ends.iter().copied().chain([union.len()]));
    let half = |start: usize, end: usize, parity: usize| {
        let members: Vec<u64> =
            (start..end).filter(|i| i % 2 == parity).map(|i| union[i]).collect();
        let mut row = Vec::new();
        sketcher.append(&members, &mut row);
        row
    };
    cuts.map(|(start, end)| [half(start, end, 0), half(start, end, 1)]).collect()
}

/// Returns the two documents that have everything before part `point + 1` in common, and half each of the rest.
fn pair(parts: &[[Vec<u64>; 2]], point: usize) -> [Vec<u64>; 2] {
    let (common, rest) = parts.split_at(point + 1);
    let empty = || vec![EMPTY; parts[0][0].len()];
    let mut both = empty();
    for row in common.iter().flatten() {
        registers::merge(&mut both, row);
    }
    [0, 1].map(|side| {
        let mut row = both.clone();
        for halves in rest {
            registers::merge(&mut row, &halves[side]);
        }
        row
    })
}

/// Returns whether enough groups of two rows agree.
pub fn accepts(spec: &Spec, a: &[u64], b: &[u64]) -> bool {
    let filter = spec.filter;
    let mask = u64::MAX >> (64 - filter.bits);
    let agree = |(a, b): &(&[u64], &[u64])| {
        a == b || (filter.bits < 64 && (feature(a) ^ feature(b)) & mask == 0)
    };
    let groups = |row| <[u64]>::chunks_exact(row, filter.samples as usize);
    groups(a).zip(groups(b)).filter(agree).count() >= filter.needed as usize
}

#[cfg(test)]
mod tests {
    use fanmill_sketch::Sketch;
    use fanmill_sketch::bytes::ByteFilter;
    use fanmill_sketch::classic::Classic;
    use fanmill_sketch::lsh::bands::Bands;

    use super::*;

    /// Sketches both sets as a whole: the naive twin of a trial.
    fn naive(sketch: Sketch, union: &[u64], end: usize) -> Result<[Vec<u64>; 2]> {
        let sketcher = sketch.sketcher()?;
        Ok([0, 1].map(|side| {
            let is_member = |i: &usize| *i < end || i % 2 == side;
            let members: Vec<u64> = (0..union.len()).filter(is_member).map(|i| union[i]).collect();
            let mut row = Vec::new();
            sketcher.append(&members, &mut row);
            row
        }))
    }

    #[test]
    fn merged_parts_are_the_sketches_of_the_sets() {
        let union = SplitMix::new(3).seeds(200);
        let ends = [0, 17, 17, 150, 200];
        for sampler in ["6x3,r=2", "fss:6x3,r=2", "lead:6x3,r=2"] {
            let spec: Spec = sampler.parse().expect("a filter");
            let sketch = spec.sampler.sketch(18);
            let rows = parts(&sketch.sketcher().expect("in bounds"), &union, &ends);
            for (point, &end) in ends.iter().enumerate() {
                let expected = naive(sketch, &union, end).expect("in bounds");
                assert_eq!(pair(&rows, point), expected, "{sampler} {end}");
            }
        }
    }

    #[test]
    fn acceptance_is_that_of_the_products_own_filters() {
        let classic: Spec = "6x14,r=2".parse().expect("a filter");
        let bytes: Spec = "8x11,r=3,bits=8".parse().expect("a filter");
        let (mut n_accepted, union) = (0, SplitMix::new(8).seeds(400));
        for end in 300..400 {
            let [a, b] = naive(Sketch::Permutations { t: 88 }, &union, end).expect("in bounds");
            let keys = |row: &[u64]| {
                let mut keys = Vec::new();
                Bands::classic(Classic::alta_vista()).keys(row, &mut keys);
                keys
            };
            let expected = Classic::alta_vista().is_fungible(&keys(&a), &keys(&b));
            assert_eq!(accepts(&classic, &a[..84], &b[..84]), expected);
            let filter = ByteFilter::small_scale();
            let expected = filter.is_fungible(filter.bytes(&a), filter.bytes(&b));
            assert_eq!(accepts(&bytes, &a, &b), expected);
            n_accepted += u32::from(expected);
        }
        assert!((10..90).contains(&n_accepted), "{n_accepted} of 100: both answers occur");
    }

    /// Independent permutations follow the polynomial. The fast similarity sketch varies less, so it is compared with a
    /// wider band.
    #[test]
    fn measurements_are_within_four_standard_errors() {
        let trials = Trials { n_members: 200, n_trials: 600, seed: 1 };
        for (text, band) in [("6x14,r=2", 4.0), ("8x3,r=7,bits=8", 4.0), ("fss:21x6,r=1", 5.0)] {
            let spec: Spec = text.parse().expect("a filter");
            for share in trials.run(&spec, &[0.5, 0.8, 0.9, 0.95]).expect("in bounds") {
                let expected = spec.filter.probability(share.resemblance);
                let distance = share.standard_errors_from(expected);
                assert!(distance.abs() < band, "{text}: {share:?} for {expected}");
            }
        }
    }
}
