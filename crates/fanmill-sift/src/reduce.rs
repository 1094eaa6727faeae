//! Sifting itself: choosing the gram values of a document that are kept as its fingerprint.
//!
//! | reduction | keeps | size for n distinct grams |
//! |---|---|---|
//! | `mod(s=10)` | values that `s` divides | `n / s`, standard deviation √(n/s · (1 - 1/s)) |
//! | `pow2(n=32)` | values that `2^j` divides, for the smallest `j` that leaves `n` or fewer | at most `n`, usually more than half of it |
//! | `min(m=100)` | the `m` smallest | `m`, or all |
//! | `min(m=0.1n)`, `min(m=4sqrt)` | a number of the smallest that depends on the number of grams, rounded up | linear, square root |
//!
//! The first two are the paper's *pure hashing*: whether a gram is kept depends on nothing else, so
//! values kept of a part are also kept of the whole (if the divisors are equal). The others are its
//! *min-hashing*.
//!
//! Cost: O(n) for the first two and for constant `m`, plus sorting the values kept.
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.3.
//! Departs from it: `2^j` by the number kept and not by the length, so that it is a bound.

use std::fmt;
use std::str::FromStr;

use super::thousandths::Thousandths;
use fanmill_kernel::normalise;
use fanmill_text::error::{Error, Result};
use fanmill_text::scheme::{Grammar, POSITIVE};

/// A reduction; see the [module](self). [`check`](Reduction::check) checks its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// `mod(s=10)`.
    Modulus {
        /// The divisor; at least 1.
        s: u32,
    },
    /// `pow2(n=32)`.
    PowerOfTwo {
        /// Maximum number of values; at least 1.
        n: u32,
    },
    /// `min(m=100)`.
    Smallest {
        /// Number of values; at least 1.
        m: u32,
    },
    /// `min(m=0.1n)`.
    SmallestLinear {
        /// Share of the number of grams; above 0, at most 1.
        share: Thousandths,
    },
    /// `min(m=4sqrt)`.
    SmallestRoot {
        /// Factor for the square root of the number of grams; above 0, at most 1,000.
        times: Thousandths,
    },
}

const GRAMMAR: Grammar = Grammar {
    what: "reduction",
    forms: "mod(s=10) pow2(n=32) min(m=100) min(m=0.1n) min(m=4sqrt)",
};

/// A document's fingerprint in one family of grams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyFingerprint {
    /// Values, ascending, without repetitions.
    pub values: Vec<u64>,
    /// The condition for a value to be kept.
    pub rule: Rule,
}

/// The condition under which values were kept, so that fingerprints of different documents can be
/// compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Values that this divides.
    Divisor(u64),
    /// This number of smallest values; `u64::MAX` if a rule that depends on the length kept all.
    Smallest(u64),
}

impl FamilyFingerprint {
    /// Makes a fingerprint, and releases unused capacity, which may be that of all grams of the document: fingerprints
    /// outlive their texts, and there are many of them.
    fn new(mut values: Vec<u64>, rule: Rule) -> FamilyFingerprint {
        values.shrink_to_fit();
        FamilyFingerprint { values, rule }
    }
}

impl Reduction {
    /// Checks the numbers.
    ///
    /// # Errors
    /// If one is out of bounds.
    pub fn check(self) -> Result<Reduction> {
        let (is_fine, bounds) = match self {
            Reduction::Modulus { s: n }
            | Reduction::PowerOfTwo { n }
            | Reduction::Smallest { m: n } => (n > 0, "1 or more"),
            Reduction::SmallestLinear { share } => ((1..=1000).contains(&share.0), "0.001 to 1"),
            Reduction::SmallestRoot { times } => {
                ((1..=1_000_000).contains(&times.0), "0.001 to 1000")
            }
        };
        is_fine.then_some(self).ok_or_else(|| {
            Error::setting(format!(
                "`{self}` keeps nothing or too much; use {bounds} for its number"
            ))
        })
    }

    /// Reduces all gram values of a document, which may come in any order and with repetitions.
    pub fn reduce(self, grams: &[u64]) -> FamilyFingerprint {
        let mut reducer = Reducer::new(self);
        for &gram in grams {
            reducer.push(gram);
        }
        reducer.finish()
    }

    /// The naive twin of [`reduce`](Reduction::reduce): sorts all values and applies the definition.
    pub(crate) fn naive(self, grams: &[u64]) -> FamilyFingerprint {
        let mut all = grams.to_vec();
        normalise(&mut all);
        let divisible = |all: &[u64], s: u64| -> Vec<u64> {
            all.iter().copied().filter(|gram| gram % s == 0).collect()
        };
        match self {
            Reduction::Modulus { s } => FamilyFingerprint {
                values: divisible(&all, s.into()),
                rule: Rule::Divisor(s.into()),
            },
            Reduction::PowerOfTwo { n } => {
                let fits = |j: &u32| divisible(&all, 1 << j).len() <= n as usize;
                let s = 1 << (0..=MAX_POWER).find(fits).unwrap_or(MAX_POWER);
                FamilyFingerprint { values: divisible(&all, s), rule: Rule::Divisor(s) }
            }
            _ => {
                let m = self.smallest(all.len());
                let rule = self.rule_of_smallest(m, all.len());
                all.truncate(m);
                FamilyFingerprint { values: all, rule }
            }
        }
    }

    /// Keeps all values, for families in which each one counts, under the rule of a document with few
    /// grams.
    pub(crate) fn keep_all(self, mut grams: Vec<u64>) -> FamilyFingerprint {
        normalise(&mut grams);
        let rule = match self {
            Reduction::Modulus { s } => Rule::Divisor(s.into()),
            Reduction::PowerOfTwo { .. } => Rule::Divisor(1),
            Reduction::Smallest { m } => Rule::Smallest(m.into()),
            Reduction::SmallestLinear { .. } | Reduction::SmallestRoot { .. } => {
                Rule::Smallest(u64::MAX)
            }
        };
        FamilyFingerprint::new(grams, rule)
    }

    /// Returns the rule under which the `m` smallest of `n` values are kept.
    fn rule_of_smallest(self, m: usize, n: usize) -> Rule {
        let is_whole = m > n && !matches!(self, Reduction::Smallest { .. });
        Rule::Smallest(if is_whole { u64::MAX } else { m as u64 })
    }

    /// Returns the number of smallest values kept of `n` distinct grams.
    #[expect(clippy::cast_sign_loss, reason = "a square root")]
    fn smallest(self, n: usize) -> usize {
        match self {
            Reduction::Smallest { m } => m as usize,
            Reduction::SmallestLinear { share } => (n * share.0 as usize).div_ceil(1000),
            Reduction::SmallestRoot { times } => {
                ((n as f64).sqrt() * times.value()).ceil() as usize
            }
            Reduction::Modulus { .. } | Reduction::PowerOfTwo { .. } => n,
        }
    }
}

/// Largest `j` of `2^j`: beyond it only the value 0 would be kept.
const MAX_POWER: u32 = 63;
/// Number of values collected beyond those kept before they are sorted together. It is low, since most of them are
/// dropped: with 1,024, sorting took a quarter of the time for messages.
const FRESH: usize = 64;

/// A divisor, prepared so that no division is needed to find its multiples.
///
/// Modulo 2^64, an odd number has an inverse. A multiple of it, times the inverse, is the quotient, which is small; all
/// other numbers become larger, since this is a permutation. Factors of two are rotated to the top, where they are
/// large.
///
/// Source: Warren, "Hacker's Delight", 2nd edition, "Test for zero remainder after division by a constant".
#[derive(Debug, Clone, Copy)]
struct Divisor {
    inverse: u64,
    twos: u32,
    most: u64,
}

impl Divisor {
    fn new(divisor: u32) -> Divisor {
        let divisor = u64::from(divisor);
        let odd = divisor >> divisor.trailing_zeros();
        // Each step doubles the number of correct bits; an odd number is its own inverse in the lowest three.
        let inverse =
            (0..5).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))));
        Divisor { inverse, twos: divisor.trailing_zeros(), most: u64::MAX / divisor }
    }

    #[inline]
    fn divides(self, number: u64) -> bool {
        number.wrapping_mul(self.inverse).rotate_right(self.twos) <= self.most
    }
}

/// Takes gram values one by one, in little more memory than the result takes, where that is possible.
#[derive(Debug, Clone)]
pub(crate) struct Reducer {
    reduction: Reduction,
    kept: Vec<u64>,
    divisor: Divisor,
    /// For a divisor that is a power of two: the bits that must be 0.
    mask: u64,
    /// For a constant number of smallest values: larger values can no longer be among them.
    bound: u64,
}

impl Reducer {
    pub(crate) fn new(reduction: Reduction) -> Reducer {
        let divisor = Divisor::new(if let Reduction::Modulus { s } = reduction { s } else { 1 });
        Reducer { reduction, kept: Vec::new(), divisor, mask: 0, bound: u64::MAX }
    }

    #[inline]
    pub(crate) fn push(&mut self, gram: u64) {
        match self.reduction {
            Reduction::Modulus { .. } => {
                if self.divisor.divides(gram) {
                    self.kept.push(gram);
                }
            }
            Reduction::PowerOfTwo { n } => {
                if gram & self.mask == 0 {
                    self.kept.push(gram);
                    if self.kept.len() >= 2 * n as usize + FRESH {
                        self.raise(n as usize);
                    }
                }
            }
            Reduction::Smallest { m } => {
                if gram <= self.bound {
                    self.kept.push(gram);
                    if self.kept.len() >= 2 * m as usize + FRESH {
                        self.cut(m as usize);
                    }
                }
            }
            Reduction::SmallestLinear { .. } | Reduction::SmallestRoot { .. } => {
                self.kept.push(gram);
            }
        }
    }

    /// Doubles the divisor until at most `n` values are left: one more bit of the mask each time.
    fn raise(&mut self, n: usize) {
        normalise(&mut self.kept);
        while self.kept.len() > n && self.mask.count_ones() < MAX_POWER {
            self.mask = self.mask << 1 | 1;
            let mask = self.mask;
            self.kept.retain(|gram| gram & mask == 0);
        }
    }

    /// Keeps the `m` smallest values so far.
    fn cut(&mut self, m: usize) {
        normalise(&mut self.kept);
        self.kept.truncate(m);
        if self.kept.len() == m {
            self.bound = self.kept[m - 1];
        }
    }

    pub(crate) fn finish(mut self) -> FamilyFingerprint {
        normalise(&mut self.kept);
        let rule = match self.reduction {
            Reduction::Modulus { s } => Rule::Divisor(s.into()),
            Reduction::PowerOfTwo { n } => {
                self.raise(n as usize);
                Rule::Divisor(self.mask + 1)
            }
            smallest => {
                let m = smallest.smallest(self.kept.len());
                let rule = smallest.rule_of_smallest(m, self.kept.len());
                self.kept.truncate(m);
                rule
            }
        };
        FamilyFingerprint::new(self.kept, rule)
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reduction::Modulus { s } => write!(f, "mod(s={s})"),
            Reduction::PowerOfTwo { n } => write!(f, "pow2(n={n})"),
            Reduction::Smallest { m } => write!(f, "min(m={m})"),
            Reduction::SmallestLinear { share } => write!(f, "min(m={share}n)"),
            Reduction::SmallestRoot { times } => write!(f, "min(m={times}sqrt)"),
        }
    }
}

impl FromStr for Reduction {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Reduction> {
        let step = GRAMMAR.step(text);
        let reduction = match step.name() {
            "mod" => Reduction::Modulus { s: step.number("s", POSITIVE)? },
            "pow2" => Reduction::PowerOfTwo { n: step.number("n", POSITIVE)? },
            "min" => {
                let [m] = step.parameters(["m"])?;
                if let Some(share) = m.in_units_of("n") {
                    Reduction::SmallestLinear { share: share.read()? }
                } else if let Some(times) = m.in_units_of("sqrt") {
                    Reduction::SmallestRoot { times: times.read()? }
                } else {
                    Reduction::Smallest { m: m.number(POSITIVE)? }
                }
            }
            _ => return Err(step.unknown()),
        };
        reduction.check()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use fanmill_effort::golden;
    use fanmill_kernel::hash::mix::SplitMix;

    #[test]
    fn golden_vectors() {
        for case in golden::cases("sifting") {
            let grams = golden::u64s(&case["cluster_hashes"]);
            let (s, m) = (golden::usize(&case["s"]) as u32, golden::usize(&case["m"]) as u32);
            let pure = Reduction::Modulus { s }.reduce(&grams);
            assert_eq!(pure.values, golden::u64s(&case["pure"]), "{case}");
            let min = Reduction::Smallest { m }.reduce(&grams);
            assert_eq!(min.values, golden::u64s(&case["min"]), "{case}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for (reduction, name) in [
            (Reduction::Modulus { s: 10 }, "mod(s=10)"),
            (Reduction::PowerOfTwo { n: 32 }, "pow2(n=32)"),
            (Reduction::Smallest { m: 100 }, "min(m=100)"),
            (Reduction::SmallestLinear { share: Thousandths(100) }, "min(m=0.1n)"),
            (Reduction::SmallestRoot { times: Thousandths(4000) }, "min(m=4sqrt)"),
        ] {
            assert_eq!(
                (reduction.to_string().as_str(), name.parse().expect(name)),
                (name, reduction)
            );
        }
        for wrong in [
            "",
            "mod",
            "mod(s=0)",
            "mod(s=+1)",
            "mod(m=1)",
            "min(m=2n)",
            "min(m=0n)",
            "pow2(n=0)",
            "min(m=01)",
            "min(m=0.10n)",
            "mod(s=1) ",
        ] {
            assert!(wrong.parse::<Reduction>().is_err(), "{wrong}");
        }
    }

    /// The paper: mean n/s, standard deviation √(n/s · (s - 1)/s).
    #[test]
    fn sizes_are_as_in_the_paper() {
        const N: usize = 1000;
        let sizes = |s: u32| -> Vec<f64> {
            let size =
                |seed| Reduction::Modulus { s }.reduce(&SplitMix::new(seed).seeds(N)).values.len();
            (0..2000_u64).map(|seed| size(seed << 32) as f64).collect()
        };
        for s in [8, 10] {
            let sizes = sizes(s);
            let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
            let variance =
                sizes.iter().map(|size| (size - mean).powi(2)).sum::<f64>() / sizes.len() as f64;
            let expected = N as f64 / f64::from(s);
            assert!((mean - expected).abs() < 1.0, "{s}: mean {mean}");
            let deviation = (expected * (1.0 - 1.0 / f64::from(s))).sqrt();
            assert!((variance.sqrt() / deviation - 1.0).abs() < 0.06, "{s}: {}", variance.sqrt());
        }
    }

    #[test]
    fn sizes_grow_with_the_number_of_grams_as_specified() {
        let size = |name: &str, n| {
            let reduction: Reduction = name.parse().expect(name);
            reduction.reduce(&SplitMix::new(1).seeds(n)).values.len()
        };
        assert_eq!([100, 10_000].map(|n| size("min(m=0.1n)", n)), [10, 1000]);
        assert_eq!([100, 10_000].map(|n| size("min(m=4sqrt)", n)), [40, 400]);
        assert_eq!([10, 10_000].map(|n| size("min(m=100)", n)), [10, 100]);
        for n in [10, 33, 1000, 100_000] {
            let kept = size("pow2(n=32)", n);
            assert!(kept <= 32 && (n < 32 || kept > 8), "{n}: {kept}");
        }
    }

    fn reductions() -> impl Strategy<Value = Reduction> {
        prop_oneof![
            (1_u32..9).prop_map(|s| Reduction::Modulus { s }),
            (1_u32..9).prop_map(|n| Reduction::PowerOfTwo { n }),
            (1_u32..9).prop_map(|m| Reduction::Smallest { m }),
            (1_u32..1001).prop_map(|n| Reduction::SmallestLinear { share: Thousandths(n) }),
            (1_u32..9000).prop_map(|n| Reduction::SmallestRoot { times: Thousandths(n) }),
        ]
    }

    proptest! {
        #[test]
        fn fast_equals_naive(
            reduction in reductions(),
            grams in prop::collection::vec(prop_oneof![0_u64..40, any::<u64>()], 0..200),
        ) {
            prop_assert_eq!(reduction.reduce(&grams), reduction.naive(&grams));
        }

        #[test]
        fn multiples_are_found_without_division(divisor in prop_oneof![1_u32..200, 1..u32::MAX, Just(u32::MAX)], number: u64, quotient: u32) {
            let (by, multiple) = (Divisor::new(divisor), u64::from(divisor) * u64::from(quotient));
            prop_assert!(by.divides(multiple) && by.divides(0));
            for number in [number, multiple ^ 1, multiple.wrapping_add(number & 0xff), u64::MAX] {
                prop_assert_eq!(by.divides(number), number % u64::from(divisor) == 0, "{} by {}", number, divisor);
            }
        }

        /// Documents are long enough that values are dropped on the way.
        #[test]
        fn fast_equals_naive_on_long_documents(reduction in reductions(), seed: u64) {
            let grams: Vec<u64> = SplitMix::new(seed).seeds(4000).iter().map(|x| x >> (x & 63)).collect();
            prop_assert_eq!(reduction.reduce(&grams), reduction.naive(&grams));
        }
    }
}
