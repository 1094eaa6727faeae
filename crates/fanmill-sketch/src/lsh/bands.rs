//! LSH bands: the registers of a sketch, cut into bands of a few rows, each band hashed to one key.
//!
//! Two documents agree in a band of `r` rows with probability `J^r`; those that agree in at least
//! `needed` of `b` bands are candidates. This is the classic filter with other numbers, so keys are
//! classic features. Registers beyond `b r` are not used.
//!
//! Cost: O(b r) per document.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "The filtering mechanism" (its
//! groups and samples are our bands and rows).

use std::fmt;
use std::str::FromStr;

use super::acceptance::Filter;
use crate::classic::{Classic, feature};
use fanmill_text::error::{Error, Result};
use fanmill_text::scheme::{Grammar, POSITIVE};

/// `bands` of `rows` registers; `needed` bands must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bands {
    count: u32,
    rows: u32,
    needed: u32,
}

impl Bands {
    /// Checks the numbers of bands, of rows in each, and of bands that must agree.
    ///
    /// # Errors
    /// If a number is 0, or `needed` is above `bands`.
    pub fn new(bands: u32, rows: u32, needed: u32) -> Result<Bands> {
        if rows == 0 || needed == 0 || needed > bands {
            return Err(Error::setting(format!(
                "{needed} of {bands} bands of {rows} rows cannot agree; \
                 use numbers of 1 or more, such as 1 of 21 bands of 6 rows"
            )));
        }
        Ok(Bands { count: bands, rows, needed })
    }

    /// Returns the bands whose keys are the features of the classic filter.
    pub fn classic(classic: Classic) -> Bands {
        let [count, rows, needed] =
            [classic.groups(), classic.samples(), classic.needed()].map(|n| n as u32);
        Bands { count, rows, needed }
    }

    /// Returns the number of bands of a document.
    pub fn bands(self) -> usize {
        self.count as usize
    }

    /// Returns the number of registers in a band.
    pub fn rows(self) -> usize {
        self.rows as usize
    }

    /// Returns the number of bands that must agree.
    pub fn needed(self) -> usize {
        self.needed as usize
    }

    /// Returns the number of registers used.
    pub fn n_registers(self) -> usize {
        self.bands() * self.rows()
    }

    /// Returns the filter whose curve gives the probability that a pair becomes a candidate.
    pub fn filter(self) -> Filter {
        Filter { groups: self.count, samples: self.rows, needed: self.needed, bits: 64 }
    }

    /// Appends the keys of a document: [`Self::bands`] numbers,
    /// [`EMPTY`](crate::registers::EMPTY) for the empty set, and only for it.
    ///
    /// # Panics
    /// If there are fewer than [`Self::n_registers`] registers.
    pub fn keys(self, registers: &[u64], keys: &mut Vec<u64>) {
        keys.extend(registers[..self.n_registers()].chunks_exact(self.rows()).map(feature));
    }
}

impl fmt::Display for Bands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bands(b={},r={},needed={})", self.count, self.rows, self.needed)
    }
}

impl FromStr for Bands {
    type Err = Error;

    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Bands> {
        let grammar = Grammar { what: "set of bands", forms: "bands(b=25,r=5,needed=1)" };
        let [bands, rows, needed] = grammar.step(text).numbers(["b", "r", "needed"], POSITIVE)?;
        Bands::new(bands, rows, needed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::classic;
    use crate::registers::{self, EMPTY};

    #[test]
    fn numbers_are_checked() {
        for (bands, rows, needed) in [(0, 1, 0), (3, 0, 1), (3, 1, 4), (3, 1, 0)] {
            assert!(Bands::new(bands, rows, needed).is_err());
        }
        assert_eq!(Bands::new(21, 6, 1).expect("fine").to_string(), "bands(b=21,r=6,needed=1)");
    }

    #[test]
    fn empty_documents_have_no_key() {
        let mut keys = Vec::new();
        Bands::new(3, 2, 1).expect("fine").keys(&[EMPTY; 8], &mut keys);
        assert_eq!(keys, [EMPTY; 3]);
    }

    proptest! {
        #[test]
        fn keys_agree_where_all_rows_do(
            a in proptest::collection::vec(0_u64..3, 24),
            b in proptest::collection::vec(0_u64..3, 24),
            rows in 1_u32..5,
        ) {
            let bands = Bands::new(24 / rows, rows, 1).expect("fine");
            let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
            bands.keys(&a, &mut of_a);
            bands.keys(&b, &mut of_b);
            let expected = classic::naive_agreeing(&a, &b, bands.bands(), bands.rows());
            prop_assert_eq!(registers::agreeing(&of_a, &of_b), expected);
        }
    }
}
