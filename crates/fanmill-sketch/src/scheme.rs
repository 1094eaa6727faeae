//! The kinds of sketches, and their names as users write them and schemes record them.

use std::fmt;
use std::str::FromStr;

use super::bytes::ByteFilter;
use super::classic::Classic;
use super::lead_byte::LeadByte;
use super::permutations::Permutations;
use super::similarity::{DEFAULT_REGISTERS, FastSimilarity, MAX_REGISTERS};
use super::{bottom_t, mod_m, registers};
use fanmill_text::error::{Error, Result};
use fanmill_text::scheme::{Grammar, POSITIVE};

/// A way of summarising a document's set of shingles, with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sketch {
    /// `fss(t=128)`: the fast similarity sketch.
    FastSimilarity {
        /// Number of registers.
        t: u32,
    },
    /// `perm(t=128)`: MinHash, the minima of independent permutations.
    Permutations {
        /// Number of registers.
        t: u32,
    },
    /// `lead(t=84)`: minima of permutations, computed lead byte first.
    LeadByte {
        /// Number of registers.
        t: u32,
    },
    /// `classic(k=6,s=14,r=2)`: features of independent permutations.
    Classic(Classic),
    /// `bytes(s=11,r=3)`: eight bytes of independent permutations.
    Bytes(ByteFilter),
    /// `bottom(t=128)`: the smallest hashes; at least 1.
    BottomT {
        /// Number of hashes.
        t: u32,
    },
    /// `mod(m=32)`: the hashes that `m` divides; at least 1.
    ModM {
        /// The divisor.
        m: u32,
    },
}

const GRAMMAR: Grammar = Grammar {
    what: "sketch",
    forms: "fss(t=128) perm(t=128) lead(t=84) classic(k=6,s=14,r=2) classic(k=8,s=25,r=1) bottom(t=128) mod(m=32) bytes(s=11,r=3)",
};

impl Sketch {
    /// Returns the fast similarity sketch of 128 registers.
    pub const fn standard() -> Sketch {
        Sketch::FastSimilarity { t: DEFAULT_REGISTERS as u32 }
    }

    /// Returns the number of values in a document's row; `None` if that depends on the document.
    pub fn row_len(self) -> Option<usize> {
        match self {
            Sketch::FastSimilarity { t } | Sketch::Permutations { t } | Sketch::LeadByte { t } => {
                Some(t as usize)
            }
            Sketch::Classic(classic) => Some(classic.groups()),
            Sketch::Bytes(_) => Some(1),
            Sketch::BottomT { .. } | Sketch::ModM { .. } => None,
        }
    }

    /// Returns whether a row consists of registers. Such rows can be cut into [bands](crate::lsh), and are merged by
    /// taking the smaller value of each register ([`registers::merge`]).
    pub fn is_aligned(self) -> bool {
        matches!(
            self,
            Sketch::FastSimilarity { .. } | Sketch::Permutations { .. } | Sketch::LeadByte { .. }
        )
    }

    /// Estimates the resemblance of two documents from their rows, in `0..=1`; `None` if both are empty.
    ///
    /// For the filters, classic and bytes, this is the resemblance at which this many features agree in expectation: a
    /// rough estimate.
    ///
    /// # Panics
    /// If the rows are not of this sketch.
    pub fn resemblance(self, a: &[u64], b: &[u64]) -> Option<f64> {
        match self {
            Sketch::FastSimilarity { .. }
            | Sketch::Permutations { .. }
            | Sketch::LeadByte { .. } => registers::resemblance(a, b),
            Sketch::Classic(classic) => {
                registers::resemblance(a, b).map(|p| libm::pow(p, 1.0 / classic.samples() as f64))
            }
            Sketch::Bytes(filter) => filter.resemblance(a[0], b[0]),
            Sketch::BottomT { t } => bottom_t::resemblance(a, b, t as usize),
            Sketch::ModM { .. } => mod_m::resemblance(a, b),
        }
    }

    /// Prepares the seeds. One sketcher serves many documents.
    ///
    /// # Errors
    /// If a number is out of bounds.
    pub fn sketcher(self) -> Result<Sketcher> {
        let permutations = |t: usize| Permutations::new(t).map(Sampler::Permutations);
        let sampler = match self {
            Sketch::FastSimilarity { t } => Sampler::Fast(FastSimilarity::new(t as usize)?),
            Sketch::Permutations { t } => permutations(t as usize)?,
            Sketch::LeadByte { t } => Sampler::LeadByte(LeadByte::new(t as usize)?),
            Sketch::Classic(classic) => permutations(classic.n_registers())?,
            Sketch::Bytes(filter) => permutations(filter.n_registers())?,
            Sketch::BottomT { t: 0 } | Sketch::ModM { m: 0 } => {
                return Err(Error::setting(format!("{self} keeps nothing; use at least 1")));
            }
            Sketch::BottomT { .. } | Sketch::ModM { .. } => Sampler::Nothing,
        };
        Ok(Sketcher { sketch: self, sampler })
    }
}

/// A sketch with its seeds; made by [`Sketch::sketcher`].
#[derive(Debug, Clone)]
pub struct Sketcher {
    sketch: Sketch,
    sampler: Sampler,
}

/// The way in which registers are filled.
#[derive(Debug, Clone)]
enum Sampler {
    Fast(FastSimilarity),
    Permutations(Permutations),
    LeadByte(LeadByte),
    /// No registers: the hashes themselves are the sample.
    Nothing,
}

impl Sketcher {
    /// Returns the sketch that it makes.
    pub fn sketch(&self) -> Sketch {
        self.sketch
    }

    /// Appends the row of a set of shingle hashes, which may come in any order and with repetitions.
    pub fn append(&self, shingles: &[u64], row: &mut Vec<u64>) {
        match self.sketch {
            Sketch::Classic(classic) => classic.features(&self.registers(shingles), row),
            Sketch::Bytes(filter) => row.push(filter.bytes(&self.registers(shingles))),
            Sketch::BottomT { t } => bottom_t::sketch(shingles, t as usize, row),
            Sketch::ModM { m } => mod_m::sketch(shingles, m.into(), row),
            Sketch::FastSimilarity { .. }
            | Sketch::Permutations { .. }
            | Sketch::LeadByte { .. } => self.fill(shingles, row),
        }
    }

    fn registers(&self, shingles: &[u64]) -> Vec<u64> {
        let mut row = Vec::new();
        self.fill(shingles, &mut row);
        row
    }

    fn fill(&self, shingles: &[u64], row: &mut Vec<u64>) {
        match &self.sampler {
            Sampler::Fast(fast) => fast.sketch(shingles, row),
            Sampler::Permutations(permutations) => permutations.sketch(shingles, row),
            Sampler::LeadByte(lead_byte) => {
                lead_byte.sketch(shingles, row);
            }
            Sampler::Nothing => {}
        }
    }
}

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sketch::FastSimilarity { t } => write!(f, "fss(t={t})"),
            Sketch::Permutations { t } => write!(f, "perm(t={t})"),
            Sketch::LeadByte { t } => write!(f, "lead(t={t})"),
            Sketch::Classic(c) => {
                write!(f, "classic(k={},s={},r={})", c.groups(), c.samples(), c.needed())
            }
            Sketch::Bytes(b) => write!(f, "bytes(s={},r={})", b.samples(), b.needed()),
            Sketch::BottomT { t } => write!(f, "bottom(t={t})"),
            Sketch::ModM { m } => write!(f, "mod(m={m})"),
        }
    }
}

impl FromStr for Sketch {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes, and nothing else, and checks the bounds.
    fn from_str(text: &str) -> Result<Sketch> {
        let step = GRAMMAR.step(text);
        let registers = || step.number("t", 1..=MAX_REGISTERS as u32);
        let sketch = match step.name() {
            "fss" => Sketch::FastSimilarity { t: registers()? },
            "perm" => Sketch::Permutations { t: registers()? },
            "lead" => Sketch::LeadByte { t: registers()? },
            "classic" => {
                let [k, s, r] = step.numbers(["k", "s", "r"], POSITIVE)?;
                Sketch::Classic(Classic::new(k, s, r)?)
            }
            "bottom" => Sketch::BottomT { t: step.number("t", POSITIVE)? },
            "mod" => Sketch::ModM { m: step.number("m", POSITIVE)? },
            "bytes" => {
                let [s, r] = step.numbers(["s", "r"], POSITIVE)?;
                Sketch::Bytes(ByteFilter::new(s, r)?)
            }
            _ => return Err(step.unknown()),
        };
        sketch.sketcher().map(|_| sketch)
    }
}

fanmill_text::serde_as_text!(Sketch);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{checks, mod_m, shingle};

    const ALL_KINDS: [Sketch; 9] = [
        Sketch::standard(),
        Sketch::Permutations { t: 100 },
        Sketch::LeadByte { t: 84 },
        Sketch::Classic(Classic::alta_vista()),
        Sketch::Classic(Classic::variant()),
        Sketch::Bytes(ByteFilter::small_scale()),
        Sketch::Bytes(ByteFilter::large_scale()),
        Sketch::BottomT { t: 128 },
        Sketch::ModM { m: 8 },
    ];

    fn row(sketch: Sketch, shingles: &[u64]) -> Vec<u64> {
        let mut row = Vec::new();
        sketch.sketcher().expect("in bounds").append(shingles, &mut row);
        row
    }

    #[test]
    fn names_are_read_back() {
        for sketch in ALL_KINDS {
            assert_eq!(sketch.to_string().parse::<Sketch>().expect("own name"), sketch);
        }
        assert_eq!(Sketch::standard().to_string(), "fss(t=128)");
        for wrong in ["", "fss", "fss(t=0)", "fss(t=+1)", "fss(t=01)", "fss(m=1)", "perm(t=99999)"]
        {
            assert!(wrong.parse::<Sketch>().is_err(), "{wrong}");
        }
        for wrong in [
            "classic(k=6,s=14,r=7)",
            "classic(k=6,s=14)",
            "mod(m=0)",
            "bottom(t=0)",
            "bytes(s=1,r=9)",
        ] {
            assert!(wrong.parse::<Sketch>().is_err(), "{wrong}");
        }
        assert!("classic(k=4000000000,s=4000000000,r=1)".parse::<Sketch>().is_err());
    }

    #[test]
    fn rows_have_the_stated_length_and_estimates_are_fractions() {
        let (a, b) = checks::random_pair(600, 0.9, 1);
        let other = checks::random_set(300, 2);
        for sketch in ALL_KINDS {
            let rows = [&a, &b, &other, &vec![]].map(|set| row(sketch, set));
            for row in &rows {
                assert!(sketch.row_len().is_none_or(|n| n == row.len()), "{sketch}");
            }
            let [of_a, of_b, of_other, empty] = &rows;
            assert_eq!(sketch.resemblance(of_a, of_a), Some(1.0), "{sketch}");
            assert_eq!(sketch.resemblance(empty, empty), None, "{sketch}");
            assert_eq!(sketch.resemblance(empty, of_a), Some(0.0), "{sketch}");
            let near = sketch.resemblance(of_a, of_b).expect("not empty");
            assert!((near - 0.9).abs() < 0.12, "{sketch}: {near}");
            let far = sketch.resemblance(of_a, of_other).expect("not empty");
            assert!(far < 0.1, "{sketch}: {far}");
        }
    }

    /// Weighted resemblance is the resemblance of labelled sets, for every sketch.
    #[test]
    fn labelled_sets_estimate_weighted_resemblance() {
        let words = |n: usize| [[1, 2, 3, 4, 5].repeat(n), (10..40).collect()].concat();
        let [once, often] =
            [1, 40].map(|n| shingle::counts(&words(n), 5, shingle::ShortDocuments::Whole));
        let plain = |counts: &[(u64, u32)]| counts.iter().map(|count| count.0).collect::<Vec<_>>();
        let everything = |sets: [Vec<u64>; 2]| mod_m::resemblance(&sets[0], &sets[1]);
        let unweighted = everything([plain(&once), plain(&often)]).expect("not empty");
        let labelled = [&once, &often].map(|counts| shingle::labelled(counts));
        let weighted = everything(labelled.clone()).expect("not empty");
        assert!(unweighted > 0.85 && weighted < 0.2, "{unweighted} {weighted}");
        let [a, b] = labelled.map(|set| row(Sketch::standard(), &set));
        let estimate = Sketch::standard().resemblance(&a, &b).expect("not empty");
        assert!((estimate - weighted).abs() < 0.12, "{estimate} for {weighted}");
    }
}
