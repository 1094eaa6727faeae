//! Finds repetitive strings, with their periods and lengths.
//!
//! "00000…" and "abbaabba…" have few distinct grams, and that is where selectors misbehave. A *repeat* is a run of
//! tokens each of which equals the token a period before it. Every repeat that is at least as long as the guarantee and
//! twice the longest period is found, and many shorter ones too.
//!
//! Cost: O(n · P / w) comparisons of hashes for periods up to P, and O(n) of tokens.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1, for their nature and importance.

use std::ops::Range;

use fanmill::select::Thresholds;
use fanmill_text::token::Symbol;

/// Maximum period looked for, in tokens: `documentwrite` has 13, a line of a table of numbers up to a hundred.
pub(crate) const LONGEST_PERIOD: usize = 128;

/// One repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repeat {
    /// The tokens of the repeat, extended as far as possible.
    pub(crate) tokens: Range<usize>,
    /// The period: each token equals the token this many positions before it.
    pub(crate) period: usize,
}

/// Returns the repeats of a document, ascending; `hashes` are the hashes of its grams.
pub(crate) fn find(symbols: &[Symbol], hashes: &[u64], thresholds: Thresholds) -> Vec<Repeat> {
    let w = thresholds.window();
    let mut found: Vec<Repeat> = Vec::new();
    // One gram in `w` is compared with those before it: a long repeat contains one of these anchors.
    let mut anchor = w - 1;
    while anchor < hashes.len() {
        match at_anchor(symbols, hashes, anchor, thresholds) {
            Some(repeat) => {
                // Continue with the next anchor whose gram ends after the repeat.
                let behind = repeat.tokens.end + 1 - thresholds.noise();
                anchor += w * (behind - anchor).div_ceil(w).max(1);
                found.push(repeat);
            }
            None => anchor += w,
        }
    }
    found
}

/// Returns the repeat with the shortest period around the gram at `anchor`, if it is long enough.
fn at_anchor(
    symbols: &[Symbol],
    hashes: &[u64],
    anchor: usize,
    thresholds: Thresholds,
) -> Option<Repeat> {
    let periods = 1..=LONGEST_PERIOD.min(anchor);
    let equal = periods.filter(|period| hashes[anchor - period] == hashes[anchor]);
    let mut repeats = equal.map(|period| extend(symbols, anchor, thresholds.noise(), period));
    repeats.find(|repeat| repeat.tokens.len() >= shortest(repeat.period, thresholds))
}

/// Returns the minimum length of a repeat: long enough to fill a window, and two periods.
fn shortest(period: usize, thresholds: Thresholds) -> usize {
    (thresholds.guarantee() + period).max(2 * period)
}

/// Extends a repeat in both directions from a gram that equals the one `period` before it.
fn extend(symbols: &[Symbol], gram: usize, k: usize, period: usize) -> Repeat {
    let start = gram - period;
    let before = (0..start).rev().take_while(|&i| symbols[i] == symbols[i + period]).count();
    let end = gram + k;
    let after = (end..symbols.len()).take_while(|&i| symbols[i] == symbols[i - period]).count();
    Repeat { tokens: start - before..end + after, period }
}

/// Returns the smallest rotation of a unit, which is the same for all rotations.
pub(crate) fn smallest_rotation(unit: &[Symbol]) -> Vec<Symbol> {
    let rotations = (0..unit.len()).map(|at| [&unit[at..], &unit[..at]].concat());
    rotations.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::selection;

    fn symbols(text: &str) -> Vec<Symbol> {
        text.bytes().map(|byte| Symbol::spelled(&[byte])).collect()
    }

    fn repeats(text: &str, noise: u32, guarantee: u32) -> Vec<Repeat> {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        let symbols = symbols(text);
        find(&symbols, &selection::hashes(&symbols, noise as usize), thresholds)
    }

    /// Tries every position and every period, as the naive twin.
    fn naive(symbols: &[Symbol], least: usize) -> Vec<Repeat> {
        let mut found = Vec::new();
        for period in 1..=LONGEST_PERIOD.min(symbols.len()) {
            let mut start = 0;
            while start + period < symbols.len() {
                let n = (start + period..symbols.len())
                    .take_while(|&i| symbols[i] == symbols[i - period])
                    .count();
                if n + period >= least {
                    found.push(Repeat { tokens: start..start + period + n, period });
                }
                start += n + 1;
            }
        }
        found
    }

    #[test]
    fn the_paper_s_strings_are_found_and_measured() {
        let text = |unit: &str| format!("once upon a day{}x and so on", unit.repeat(40));
        for (unit, period) in [("0", 1), ("abba", 4), ("documentwrite", 13)] {
            let found = repeats(&text(unit), 5, 12);
            assert_eq!(found.len(), 1, "{unit}");
            assert_eq!(found[0].period, period);
            assert_eq!(found[0].tokens, 15..15 + 40 * unit.len(), "{unit}");
        }
        assert_eq!(repeats("it was the best of times, it was the worst of times", 5, 12), []);
        assert_eq!(repeats("", 5, 12), []);
    }

    #[test]
    fn rotations_of_a_unit_are_the_same() {
        let [a, b] =
            ["documentwrite", "writedocument"].map(|unit| smallest_rotation(&symbols(unit)));
        assert_eq!(a, b);
        assert_ne!(a, smallest_rotation(&symbols("documentwrites")));
        assert!(smallest_rotation(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn all_long_repeats_are_found(parts in proptest::collection::vec(("[ab]{1,7}", 1_usize..120), 1..6)) {
            let text: String = parts.iter().map(|(unit, n)| unit.repeat(*n)).collect();
            let (symbols, found) = (symbols(&text), repeats(&text, 4, 9));
            for repeat in &found {
                for i in repeat.tokens.clone().skip(repeat.period) {
                    prop_assert_eq!(symbols[i], symbols[i - repeat.period]);
                }
            }
            for long in naive(&symbols, 9 + 2 * LONGEST_PERIOD) {
                let covers = |repeat: &Repeat| {
                    repeat.tokens.start <= long.tokens.start && long.tokens.end <= repeat.tokens.end
                };
                prop_assert!(found.iter().any(covers), "{:?} is not in {:?}", long, found);
            }
        }
    }
}
