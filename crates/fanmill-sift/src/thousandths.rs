//! Decimal fractions with three places, for schemes: two are equal if and only if their texts are.

use std::fmt;
use std::str::FromStr;

use fanmill_text::error::{Error, Result};

/// A number of thousandths: `0.3` is 300.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thousandths(pub u32);

impl Thousandths {
    /// Returns the number as a float.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// Returns this fraction of 2^64, for a number of at most 1: a random 64-bit number is below it with this
    /// probability.
    pub(crate) fn of_u64(self) -> u64 {
        let part = u128::from(self.0.min(1000)) << 64;
        u64::try_from(part / 1000).unwrap_or(u64::MAX)
    }
}

impl fmt::Display for Thousandths {
    /// Writes the number without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{rest:03}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl FromStr for Thousandths {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Thousandths> {
        let read = || -> Option<Thousandths> {
            let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
            let rest: u32 = format!("{rest:0<3}").parse().ok()?;
            let whole: u32 = whole.parse().ok()?;
            whole.checked_mul(1000)?.checked_add(rest).map(Thousandths)
        };
        read().filter(|number| number.to_string() == text).ok_or_else(|| {
            Error::setting(format!(
                "`{text}` is not a decimal with at most three places, such as 0.3"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_short_and_unique() {
        for (number, text) in [(0, "0"), (300, "0.3"), (1000, "1"), (1050, "1.05"), (7, "0.007")] {
            assert_eq!(Thousandths(number).to_string(), text);
        }
        for wrong in
            ["", ".3", "0.30", "00.3", "0.3.1", "+1", "0.0001", "-1", "1.", "4294968", "0.+1"]
        {
            assert!(wrong.parse::<Thousandths>().is_err(), "{wrong}");
        }
        assert_eq!(Thousandths(1000).of_u64(), u64::MAX);
        assert_eq!(Thousandths(500).of_u64(), 1 << 63);
    }

    proptest! {
        #[test]
        fn they_are_read_back(number: u32) {
            let number = Thousandths(number);
            prop_assert_eq!(number.to_string().parse::<Thousandths>().expect("its own text"), number);
        }
    }
}
