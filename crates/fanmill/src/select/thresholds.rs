//! The two thresholds that a user sets, and the window that they imply.

use std::fmt;
use std::str::FromStr;

use fanmill_text::error::{Error, Result};
use fanmill_text::message;
use fanmill_text::scheme::{Grammar, POSITIVE};
use fanmill_text::setting::Setting;

/// Winnowing's noise and guarantee thresholds, in tokens.
///
/// Nothing shorter than `noise` is ever a match; every shared run of at least `guarantee` is found.
/// Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3 (their `k` and `t`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    noise: u32,
    guarantee: u32,
}

impl Thresholds {
    /// Maximum guarantee, in tokens: a window must fit the memory of one worker many times.
    pub const MAX_GUARANTEE: u32 = 100_000;

    /// Maximum noise threshold, in tokens: every gram is hashed whole.
    pub const MAX_NOISE: u32 = 1000;

    /// Checks the two thresholds, in tokens.
    ///
    /// # Errors
    /// If `noise` is 0 or above [`Self::MAX_NOISE`], or `guarantee` is below `noise` or above
    /// [`Self::MAX_GUARANTEE`].
    pub fn new(noise: u32, guarantee: u32) -> Result<Thresholds> {
        if noise == 0 {
            return Err(Error::setting("noise threshold 0 is too low; use 1 or more tokens"));
        }
        if noise > Self::MAX_NOISE {
            return Err(Error::setting(message![
                (
                    "noise threshold {noise} is above the limit of {} tokens; lower ",
                    Self::MAX_NOISE
                ),
                Setting("noise")
            ]));
        }
        if guarantee < noise {
            return Err(Error::setting(message![
                "guarantee threshold {guarantee} is below noise threshold {noise} (tokens); \
                 raise ",
                Setting("guarantee"),
                " or lower ",
                Setting("noise")
            ]));
        }
        if guarantee > Self::MAX_GUARANTEE {
            return Err(Error::setting(message![
                (
                    "guarantee threshold {guarantee} is above the limit of {} tokens; lower ",
                    Self::MAX_GUARANTEE
                ),
                Setting("guarantee")
            ]));
        }
        Ok(Thresholds { noise, guarantee })
    }

    /// Returns the length of a gram in tokens; nothing shorter matches.
    pub fn noise(self) -> usize {
        self.noise as usize
    }

    /// Returns the number of tokens from which on a shared run is always found.
    pub fn guarantee(self) -> usize {
        self.guarantee as usize
    }

    /// Returns the window in grams: `guarantee - noise + 1`.
    pub fn window(self) -> usize {
        (self.guarantee - self.noise + 1) as usize
    }
}

impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k={},t={}", self.noise, self.guarantee)
    }
}

impl FromStr for Thresholds {
    type Err = Error;

    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Thresholds> {
        let grammar = Grammar { what: "pair of thresholds in tokens", forms: "k=11,t=24" };
        let [noise, guarantee] = grammar.step(text).numbers(["k", "t"], POSITIVE)?;
        Thresholds::new(noise, guarantee)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_from_both() {
        let thresholds = Thresholds::new(5, 8).expect("fine");
        assert_eq!(thresholds.window(), 4, "the paper's Figure 2");
        assert_eq!(Thresholds::new(7, 7).expect("fine").window(), 1);
    }

    #[test]
    fn contradictions_name_the_way_out() {
        let text =
            |noise, guarantee| Thresholds::new(noise, guarantee).expect_err("wrong").to_string();
        assert_eq!(
            text(25, 10),
            "guarantee threshold 10 is below noise threshold 25 (tokens); raise the setting \
             `guarantee` or lower the setting `noise`"
        );
        assert!(text(0, 10).contains("noise threshold 0"));
        assert!(text(5, 1_000_000).contains("limit of 100000 tokens"));
    }
}
