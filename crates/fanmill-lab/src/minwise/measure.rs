//! Counts the minima of each member, and measures their effect on estimates.
//!
//! A pair of documents with a known resemblance is made from a set by taking its first and its last members, so that
//! the pair keeps the set's structure. Its resemblance is estimated in two ways: by the minima under `t` permutations
//! (MinHash), and by the `t` smallest images under one permutation (bottom-t). The second asks more of the family:
//! minima under different permutations are independent in any family, but the smallest images under one permutation are
//! not.
//!
//! Cost: O(n) time per draw.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Min-wise independent permutations",
//! "Implementation".

use fanmill_kernel::hash::mix::{SplitMix, mix};

use super::family::Family;

/// The settings of the counts for each family and set.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// Number of permutations drawn.
    pub n_draws: u32,
    /// Number of samples in a sketch.
    pub t: u32,
    /// Resemblances of the pairs.
    pub resemblances: &'a [f64],
    /// The seed of the permutations.
    pub seed: u64,
}

/// The measurements of one family on one set.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Number of times each member was the minimum.
    pub minima: Vec<u32>,
    /// Number of permutations drawn.
    pub n_draws: u32,
    /// The measurements of the pairs, one per resemblance.
    pub pairs: Vec<PairMeasured>,
}

/// The measurements of one family on one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct PairMeasured {
    /// The exact resemblance.
    pub resemblance: f64,
    /// Number of members of the union.
    pub n_members: usize,
    /// Errors of estimates by a single sample.
    pub single: Moments,
    /// Errors of estimates by the minima under `t` permutations.
    pub minima: Moments,
    /// Errors of estimates by the `t` smallest images under one permutation.
    pub smallest: Moments,
    /// Number of these estimates that are off by more than three standard deviations.
    n_far_off: u32,
    /// Number of samples in a sketch, at most the number of members.
    pub t: u32,
}

/// Sums of powers of errors, from which their moments follow.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
    fourth_powers: f64,
}

impl Moments {
    fn add(&mut self, error: f64) {
        self.n += 1.0;
        self.sum += error;
        self.squares += error.powi(2);
        self.fourth_powers += error.powi(4);
    }

    /// Returns the number of errors added.
    pub fn count(&self) -> f64 {
        self.n
    }

    /// Returns the mean of the errors added; there must be at least one.
    pub fn mean(&self) -> f64 {
        self.sum / self.n
    }

    /// Returns the variance of the errors added.
    pub fn variance(&self) -> f64 {
        (self.squares / self.n - self.mean().powi(2)).max(0.0)
    }

    /// Returns the standard error of the variance. It uses the fourth moment, since rare large errors make the variance
    /// uncertain.
    pub fn error_of_variance(&self) -> f64 {
        let square = self.squares / self.n;
        ((self.fourth_powers / self.n - square.powi(2)).max(0.0) / self.n).sqrt()
    }
}

impl Measured {
    /// Returns the chi-square of the minima: `n - 1` in expectation if each member is as likely as any other, with a
    /// standard deviation of `√(2 (n - 1))`.
    pub fn chi_square(&self) -> f64 {
        let expected = f64::from(self.n_draws) / self.minima.len() as f64;
        self.minima.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    /// Returns the degrees of freedom: the number of members minus one.
    pub fn freedom(&self) -> f64 {
        self.minima.len() as f64 - 1.0
    }

    /// Returns chi-square's distance from its expectation, in standard deviations.
    pub fn deviations(&self) -> f64 {
        (self.chi_square() - self.freedom()) / (2.0 * self.freedom()).sqrt()
    }

    /// Returns a member's share of the minima, times `n`: 1 if it is as likely as any other.
    pub fn likelihood(&self, count: u32) -> f64 {
        f64::from(count) * self.minima.len() as f64 / f64::from(self.n_draws)
    }

    /// Returns the indices of the members that are the minimum most often and least often.
    pub fn extremes(&self) -> [usize; 2] {
        let places = 0..self.minima.len();
        let most = places.clone().rev().max_by_key(|&i| self.minima[i]);
        let least = places.min_by_key(|&i| self.minima[i]);
        [most.unwrap_or(0), least.unwrap_or(0)]
    }
}

impl PairMeasured {
    /// Returns the mean error of estimates by minima.
    pub fn bias(&self) -> f64 {
        self.single.mean()
    }

    /// Returns the standard error of [`Self::bias`] for an unbiased estimate.
    pub fn standard_error(&self) -> f64 {
        (self.resemblance * (1.0 - self.resemblance) / self.single.count()).sqrt()
    }

    /// Returns the variance of estimates by the minima under `t` permutations, relative to `t` independent trials.
    pub fn variance_of_minima(&self) -> f64 {
        let coins = self.resemblance * (1.0 - self.resemblance) / f64::from(self.t);
        self.minima.variance() / coins
    }

    /// Returns the variance of `t` members drawn without replacement.
    fn variance_of_sample(&self) -> f64 {
        let (n, t) = (self.n_members as f64, f64::from(self.t));
        self.resemblance * (1.0 - self.resemblance) / t * (n - t) / (n - 1.0)
    }

    /// Returns the variance of estimates by the `t` smallest images, relative to `t` members drawn without replacement,
    /// and its standard error. `None` if the latter variance is 0.
    pub fn variance_of_smallest(&self) -> Option<[f64; 2]> {
        let drawn = self.variance_of_sample();
        let found = [self.smallest.variance(), self.smallest.error_of_variance()];
        (drawn > 0.0).then(|| found.map(|each| each / drawn))
    }

    /// Returns the share of the estimates by the `t` smallest images that are off by more than three standard
    /// deviations of a random sample.
    pub fn share_far_off(&self) -> f64 {
        f64::from(self.n_far_off) / self.smallest.count()
    }
}

/// Measures a family on each of the sets, which must not be empty.
pub fn measure(family: Family, sets: &[Vec<u64>], plan: Plan<'_>) -> Vec<Measured> {
    let mut counting: Vec<Counting<'_>> = sets.iter().map(|set| Counting::new(set, plan)).collect();
    // The seed must differ from that of random sets: [`mix`] maps 0 to 0, so a member equal to a seed would always be
    // the minimum.
    let mut numbers = SplitMix::new(mix(!plan.seed));
    let mut images = Vec::new();
    for _ in 0..plan.n_draws {
        let permutation = family.draw(&mut numbers);
        for set in &mut counting {
            permutation.images(set.members, &mut images);
            set.count(&images);
        }
    }
    counting.into_iter().map(|set| set.measured).collect()
}

/// A set during counting.
struct Counting<'a> {
    members: &'a [u64],
    measured: Measured,
    /// The members that both documents of each pair have: `start..end`. The first document has all members before
    /// `end`, the second all from `start` on.
    common: Vec<std::ops::Range<usize>>,
    /// Number of agreeing minima in each pair's current sketch.
    agreeing: Vec<u32>,
    /// Images with their indices, for finding the smallest.
    ordered: Vec<(u64, u32)>,
    /// Number of samples in a sketch by minima.
    t: u32,
}

impl<'a> Counting<'a> {
    fn new(members: &'a [u64], plan: Plan<'_>) -> Counting<'a> {
        let n = members.len();
        let common: Vec<_> = plan.resemblances.iter().map(|&j| middle(n, j)).collect();
        let pair = |range: &std::ops::Range<usize>| PairMeasured {
            resemblance: range.len() as f64 / n as f64,
            n_members: n,
            single: Moments::default(),
            minima: Moments::default(),
            smallest: Moments::default(),
            n_far_off: 0,
            t: plan.t.min(n as u32),
        };
        let pairs = common.iter().map(pair).collect();
        let measured = Measured { minima: vec![0; n], n_draws: plan.n_draws, pairs };
        let agreeing = vec![0; common.len()];
        Counting {
            members,
            measured,
            common,
            agreeing,
            ordered: Vec::new(),
            t: plan.t.min(n as u32),
        }
    }

    /// Counts the minima under one permutation.
    fn count(&mut self, images: &[u64]) {
        let place = (0..images.len()).min_by_key(|&i| images[i]).expect("a set is not empty");
        self.measured.minima[place] += 1;
        // The `t` smallest images, in any order, are the bottom-t sketch.
        let t = self.t as usize;
        self.ordered.clear();
        self.ordered.extend(images.iter().zip(0..).map(|(&image, i)| (image, i)));
        if t < images.len() {
            self.ordered.select_nth_unstable(t);
        }
        let pairs = self.measured.pairs.iter_mut().zip(&self.common).zip(&mut self.agreeing);
        for ((pair, common), agreeing) in pairs {
            // One sample shows whether the minima of both documents agree.
            let minimum = |images: &[u64]| images.iter().min().copied();
            let agree = minimum(&images[..common.end]) == minimum(&images[common.start..]);
            pair.single.add(f64::from(u8::from(agree)) - pair.resemblance);
            *agreeing += u32::from(agree);
            // Every `t` permutations make a MinHash sketch.
            if pair.single.count() % f64::from(self.t) == 0.0 {
                let share = f64::from(std::mem::take(agreeing)) / f64::from(self.t);
                pair.minima.add(share - pair.resemblance);
            }
            // The bottom-t estimate is the share of the `t` smallest images that are in both documents.
            let in_both = |(_, i): &&(u64, u32)| common.contains(&(*i as usize));
            let n_common = self.ordered[..t].iter().filter(in_both).count();
            let error = n_common as f64 / t as f64 - pair.resemblance;
            pair.n_far_off += u32::from(error.powi(2) > 9.0 * pair.variance_of_sample());
            pair.smallest.add(error);
        }
    }
}

/// Returns the middle part of `n` items that has this share of them, with ends as equal as possible.
fn middle(n: usize, share: f64) -> std::ops::Range<usize> {
    let n_common = (0..n).filter(|&i| i as f64 + 0.5 < n as f64 * share).count();
    let start = (n - n_common) / 2;
    start..start + n_common
}

#[cfg(test)]
mod tests {
    use fanmill_sketch::bottom_t;
    use fanmill_sketch::shingle::normalise;

    use super::super::sets::Shape;
    use super::*;

    const PLAN: Plan<'_> = Plan { n_draws: 4000, t: 16, resemblances: &[0.5, 0.9], seed: 1 };

    #[test]
    fn the_middle_is_as_large_as_asked() {
        assert_eq!(middle(10, 0.5), 2..7);
        assert_eq!(middle(256, 0.5), 64..192);
        assert_eq!((middle(3, 0.0), middle(3, 1.0)), (1..1, 0..3));
    }

    #[test]
    fn the_random_family_is_within_four_standard_errors_everywhere() {
        let sets = [Shape::Interval.members(60, 1), Shape::Random.members(60, 1)];
        for measured in measure(Family::Random, &sets, PLAN) {
            assert!(measured.deviations().abs() < 4.0, "{}", measured.deviations());
            assert_eq!(measured.minima.iter().sum::<u32>(), 4000);
            for pair in &measured.pairs {
                assert!(pair.bias().abs() < 4.0 * pair.standard_error(), "{pair:?}");
                // With 250 sketches, the variance of the variance is 2 / 250 of its square.
                assert!((pair.variance_of_minima() - 1.0).abs() < 4.0 * 0.09, "{pair:?}");
                let [smallest, error] = pair.variance_of_smallest().expect("fewer than all");
                assert!((smallest - 1.0).abs() < 4.0 * error && error < 0.03, "{pair:?}");
                assert!(pair.share_far_off() < 0.01, "{pair:?}");
            }
        }
    }

    #[test]
    fn mixes_look_random_and_linear_maps_do_not() {
        let sets = [Shape::Interval.members(100, 1)];
        let deviations = |family| measure(family, &sets, PLAN)[0].deviations();
        for family in [Family::Mix, Family::SplitMix, Family::Xxh3, Family::Mixed] {
            assert!(deviations(family).abs() < 4.0, "{family:?}: {}", deviations(family));
        }
        for family in [Family::Linear, Family::Multiply] {
            assert!(deviations(family) > 6.0, "{family:?}: {}", deviations(family));
        }
    }

    /// Checks that estimates by the smallest images equal those of Fanmill's bottom-t sketches.
    #[test]
    fn the_smallest_images_estimate_as_bottom_t_does() {
        let set = Shape::Random.members(50, 2);
        let common = middle(50, 0.5);
        let plan = Plan { n_draws: 1, t: 16, resemblances: &[0.5], seed: 1 };
        let mut images = Vec::new();
        for seed in 0..20 {
            Family::Mix.draw(&mut SplitMix::new(seed)).images(&set, &mut images);
            let mut counting = Counting::new(&set, plan);
            counting.count(&images);
            let sketch = |images: &[u64]| {
                let mut all = images.to_vec();
                normalise(&mut all);
                all.truncate(16);
                all
            };
            let (a, b) = (sketch(&images[..common.end]), sketch(&images[common.start..]));
            let expected = bottom_t::resemblance(&a, &b, 16).expect("not empty");
            let found = 0.5 + counting.measured.pairs[0].smallest.mean();
            assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
        }
    }

    /// Checks the errors of a linear map, which takes the corners of a cube to a vector space, whose 32 smallest
    /// vectors are a subspace of 5 dimensions. All of them or none agree in 7 of 255 cases, where a sample would vary.
    #[test]
    fn matrices_have_far_errors_on_a_cube() {
        let sets = [Shape::Cube.members(256, 1)];
        let plan = Plan { t: 32, resemblances: &[0.5], ..PLAN };
        let pair = &measure(Family::Matrix, &sets, plan)[0].pairs[0];
        let (share, expected) = (pair.share_far_off(), 7.0 / 255.0);
        let error = (expected * (1.0 - expected) / 4000.0_f64).sqrt();
        assert!((share - expected).abs() < 4.0 * error, "{share}");
        let [variance, error] = pair.variance_of_smallest().expect("fewer than all");
        assert!((variance - 1.0).abs() < 4.0 * error && error > 0.05, "{variance} {error}");
    }

    #[test]
    fn a_family_that_always_takes_the_first_member_is_detected() {
        let measured = Measured { minima: vec![100, 0, 0, 0], n_draws: 100, pairs: Vec::new() };
        assert!((measured.chi_square() - 300.0).abs() < 1e-9);
        assert_eq!(measured.extremes(), [0, 1]);
        assert!((measured.likelihood(100) - 4.0).abs() < 1e-12);
        let even = Measured { minima: vec![25; 4], n_draws: 100, pairs: Vec::new() };
        assert!(even.chi_square() < 1e-9);
    }
}
