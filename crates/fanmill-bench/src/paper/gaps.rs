//! The claims about gaps and repetitive strings, and our measurements.

use fanmill::select::{Selector, Thresholds};
use fanmill_kernel::hash::mix::SplitMix;
use fanmill_lab::cells::{number, text};
use fanmill_lab::outcome::Cell;
use fanmill_text::Result;
use fanmill_text::token::Symbol;

use super::claim::{Band, Claim};
use crate::experiment::random_text::random_text;
use crate::experiment::selection::{bare_runs, best_p, hashes, select};

const WINDOW: &str = "Schleimer et al., §3";
const STRINGS: &str = "Schleimer et al., §1";
const WEB: &str = "Schleimer et al., §5.1";

/// Number of characters in each text.
const N_CHARACTERS: usize = 60_000;

/// The paper's selector, 0 mod 50.
const MOD_50: Selector = Selector::ModP { p: 50 };

/// A text, hashed.
struct Text {
    symbols: Vec<Symbol>,
    hashes: Vec<u64>,
}

impl Text {
    fn new(symbols: Vec<Symbol>, thresholds: Thresholds) -> Text {
        Text { hashes: hashes(&symbols, thresholds.noise()), symbols }
    }

    fn repeats(unit: &str, thresholds: Thresholds) -> Text {
        let bytes = unit.bytes().cycle().take(N_CHARACTERS);
        Text::new(bytes.map(|byte| Symbol::spelled(&[byte])).collect(), thresholds)
    }

    /// Creates a text of zeros, with one other character in 500.
    fn sensor(thresholds: Thresholds) -> Text {
        let mut random = SplitMix::new(1);
        let mut symbols = vec![Symbol::spelled(b"0"); N_CHARACTERS];
        for _ in 0..N_CHARACTERS / 500 {
            let odd = b'1' + random.below(9) as u8;
            symbols[random.below(N_CHARACTERS)] = Symbol::spelled(&[odd]);
        }
        Text::new(symbols, thresholds)
    }

    /// Returns the longest run without a fingerprint under a selector, and the selector's density.
    fn measure(&self, selector: Selector, thresholds: Thresholds) -> (u64, f64) {
        let (mut kept, n) = (Vec::new(), self.hashes.len());
        select(selector, &self.symbols, &self.hashes, thresholds, &mut kept);
        let longest = bare_runs(&kept, n).map(|(_, length)| length).max().unwrap_or(0);
        (longest as u64, kept.len() as f64 / n as f64)
    }
}

/// Returns all claims of this experiment. Takes a fifth of a second.
///
/// # Errors
/// Never: the settings are in bounds.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let thresholds = Thresholds::new(50, 149)?;
    let random = random_text(N_CHARACTERS, 1);
    let [zeros, abba, document_write] =
        ["0", "abba", "documentwrite"].map(|unit| Text::repeats(unit, thresholds));
    let texts =
        [zeros, abba, document_write, Text::sensor(thresholds), Text::new(random, thresholds)];
    let mut claims = vec![with_guarantee(&texts, thresholds)];
    claims.extend(without(&texts, thresholds));
    claims.extend(densities(&texts[0], thresholds));
    claims.extend(chances());
    Ok(claims)
}

/// Returns the claim about the bound on gaps that windows guarantee.
fn with_guarantee(texts: &[Text], thresholds: Thresholds) -> Claim {
    let safe = Selector::SafeModP { p: best_p(thresholds.window()) };
    let selectors = [Selector::Winnow, Selector::Robust, safe];
    let runs = selectors
        .iter()
        .flat_map(|&selector| texts.iter().map(move |text| text.measure(selector, thresholds).0));
    Claim::exact(
        WINDOW,
        "longest run of hashes without a fingerprint, k = 50, w = 100, in the five texts below: winnowing, robust \
         winnowing and safe 0 mod p, the worst of all",
        Cell::Count(99),
        Cell::Count(runs.max().unwrap_or(0)),
        "Equal: w - 1, since every window keeps one",
    )
}

/// Returns the longest runs that 0 mod 50 leaves without a fingerprint.
fn without(texts: &[Text; 5], thresholds: Thresholds) -> Vec<Claim> {
    let [zeros, abba, document_write, sensor, random] =
        texts.each_ref().map(|text| Cell::Count(text.measure(MOD_50, thresholds).0));
    // A text of few different grams has few different hashes, and 50 may divide none of them.
    let nothing = || text("all: \"no fingerprints are selected\"");
    vec![
        Claim::exact(
            WEB,
            "the same of 0 mod 50: \"000…\", 60,000 characters, which have 59,951 hashes",
            nothing(),
            zeros,
            "As said: all hashes are equal, and 50 does not divide them. For one character in 50 it does, and \
             all are kept",
        ),
        Claim::exact(STRINGS, "the same: \"abbaabba…\"", nothing(), abba, "As said: four grams"),
        Claim::exact(
            WEB,
            "the same: \"documentwritedocumentwrite…\"",
            nothing(),
            document_write,
            "13 grams, of which 50 divides one here: it divides none of so many with a chance of .77",
        ),
        Claim::exact(
            WEB,
            "the same: zeros with 1 odd character in 500",
            text("\"perform poorly\""),
            sensor,
            "As said. How long a run gets is up to where the odd ones are: forty seeds gave 2,092 to \
             8,670, and the band is somewhat wider",
        )
        .within(Band::Within(1_500.0..=12_000.0)),
        Claim::exact(
            WEB,
            "the same: random letters (the paper: 500,000 pages)",
            Cell::Count(29_983),
            random,
            "Pages repeat themselves and random text does not. The longest of random runs is not normal: the \
             band holds it with a chance of .9995",
        )
        .within(longest_of_random(N_CHARACTERS as f64)),
    ]
}

/// Returns the band for the longest run between multiples of 50 in `n` random hashes, which is below `x` with
/// probability `exp(-n/50 · (1 - 1/50)^x)`.
fn longest_of_random(n: f64) -> Band {
    let below = |probability: f64| (-probability.ln() * 50.0 / n).ln() / 0.98_f64.ln();
    Band::Within(below(0.000_25).floor()..=below(0.999_75).ceil())
}

/// Returns the claims about densities on text of equal letters.
fn densities(zeros: &Text, thresholds: Thresholds) -> Vec<Claim> {
    let density = |selector, decimals| number(zeros.measure(selector, thresholds).1, decimals);
    vec![
        Claim::exact(
            WEB,
            "density of winnowing on \"000…\", 60,000 characters",
            text("asymptotically 1"),
            density(Selector::Winnow, 4),
            "As said: each of the n - w + 1 windows has a new rightmost one",
        ),
        Claim::exact(
            WEB,
            "density of robust winnowing on the same",
            text("1/w"),
            density(Selector::Robust, 5),
            "As said, with w = 100: of 59,951 hashes 599 are kept, one a whole window",
        ),
    ]
}

/// Returns the paper's probabilities, as powers of ten.
fn chances() -> Vec<Claim> {
    let of_one = 29_851.0 * 0.98_f64.log10();
    vec![
        Claim::exact(
            WEB,
            "chance that random text of 29,900 characters has no hash that is 0 mod 50, as a power of ten",
            text("below -260"),
            number(of_one, 1),
            "As said: (1 - 1/50)^29,851",
        ),
        Claim::exact(
            WEB,
            "the same for some such text in a terabyte",
            text("below -220"),
            number(of_one + 40.0 * 2_f64.log10(), 1),
            "As said and far below: there are not more than 2^40 places. The paper's \"every substring\" is \
             read as \"some substring\"",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_hold_and_are_those_of_other_implementations() {
        let claims = claims().expect("in bounds");
        assert!(claims.iter().all(Claim::holds), "{claims:?}");
        let ours = |what: &str| {
            let claim = claims.iter().find(|claim| claim.what.contains(what)).expect("stated");
            claim.ours.clone()
        };
        for repeats in ["\"000…\", 60,000", "abba"] {
            assert_eq!(ours(repeats), Cell::Count(59_951), "{repeats}");
        }
        assert_eq!(ours("documentwrite"), Cell::Count(12), "all but one of 13 in a row");
        assert_eq!(ours("the worst of all"), Cell::Count(99));
        let Cell::Number { value, .. } = ours("robust winnowing on the same") else {
            panic!("no number")
        };
        assert!((value - 599.0 / 59_951.0).abs() < 1e-12);
    }
}
