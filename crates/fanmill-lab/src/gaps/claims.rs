//! What the paper says about gaps and about strings that repeat themselves, and what comes out.

use fanmill::Result;
use fanmill::hash::mix::SplitMix;
use fanmill::select::{Selector, Thresholds};
use fanmill::sift::attack::below;
use fanmill::token::Symbol;

use crate::cells::{number, text};
use crate::claim::{Band, Claim};
use crate::collection::Collection;
use crate::outcome::Cell;
use crate::selection::{bare_runs, best_p, hashes, select};

const WINDOW: &str = "Schleimer et al., §3";
const STRINGS: &str = "Schleimer et al., §1";
const WEB: &str = "Schleimer et al., §5.1";

/// Characters of each text.
const N_CHARACTERS: usize = 60_000;

/// Fingerprints of `0 mod 50`: the paper's.
const MOD_50: Selector = Selector::ModP { p: 50 };

/// The texts: random letters, three that repeat, and zeros with odd characters.
struct Texts {
    random: Vec<Symbol>,
    zeros: Vec<Symbol>,
    abba: Vec<Symbol>,
    document_write: Vec<Symbol>,
    sensor: Vec<Symbol>,
}

impl Texts {
    fn new() -> Result<Texts> {
        let repeated = |unit: &str| -> Vec<Symbol> {
            unit.bytes().cycle().take(N_CHARACTERS).map(|byte| Symbol::spelled(&[byte])).collect()
        };
        let mut random = SplitMix::new(1);
        let mut sensor = repeated("0");
        for _ in 0..N_CHARACTERS / 500 {
            let odd = b'1' + below(&mut random, 9) as u8;
            sensor[below(&mut random, N_CHARACTERS)] = Symbol::spelled(&[odd]);
        }
        Ok(Texts {
            random: Collection::random(N_CHARACTERS as u64, 1)?.document(0).symbols,
            zeros: repeated("0"),
            abba: repeated("abba"),
            document_write: repeated("documentwrite"),
            sensor,
        })
    }

    fn all(&self) -> [&[Symbol]; 5] {
        [&self.random, &self.zeros, &self.abba, &self.document_write, &self.sensor]
    }
}

/// What a selector does to a text: the longest run without a fingerprint, and the density.
fn measure(selector: Selector, symbols: &[Symbol], thresholds: Thresholds) -> (u64, f64) {
    let hashes = hashes(symbols, thresholds.noise());
    let mut kept = Vec::new();
    select(selector, symbols, &hashes, thresholds, &mut kept);
    let longest = bare_runs(&kept, hashes.len()).map(|(_, length)| length).max().unwrap_or(0);
    (longest as u64, kept.len() as f64 / hashes.len() as f64)
}

/// All of them; a tenth of a second.
///
/// # Errors
/// Never: the settings are in bounds.
pub fn claims() -> Result<Vec<Claim>> {
    let thresholds = Thresholds::new(50, 149)?;
    let texts = Texts::new()?;
    let mut claims = vec![with_guarantee(&texts, thresholds)];
    claims.extend(without(&texts, thresholds));
    claims.extend(densities(&texts, thresholds));
    claims.extend(chances());
    Ok(claims)
}

/// The bound that windows give.
fn with_guarantee(texts: &Texts, thresholds: Thresholds) -> Claim {
    let safe = Selector::SafeModP { p: best_p(thresholds.window()) };
    let selectors = [Selector::Winnow, Selector::Robust, safe];
    let runs = selectors
        .iter()
        .flat_map(|&selector| texts.all().map(|symbols| measure(selector, symbols, thresholds).0));
    Claim::exact(
        WINDOW,
        "k = 50, w = 100: longest run of hashes without a fingerprint that winnowing, robust winnowing or \
         safe 0 mod p leave of five texts of 60,000 characters",
        Cell::Count(99),
        Cell::Count(runs.max().unwrap_or(0)),
        "Equal: w - 1, since every window keeps one",
    )
}

/// What 0 mod 50 leaves of the same texts.
fn without(texts: &Texts, thresholds: Thresholds) -> Vec<Claim> {
    let longest = |symbols| Cell::Count(measure(MOD_50, symbols, thresholds).0);
    let nothing = "no fingerprints";
    let whole = |what: &str, source, symbols, why: &str| {
        Claim::exact(source, what, text(nothing), longest(symbols), why)
    };
    vec![
        whole(
            "the same of 0 mod 50: \"000…\", which has 59,951 hashes",
            STRINGS,
            &texts.zeros,
            "As said: there is one gram, and 50 does not divide its hash. One hash in 50 it would, and \
             everything would be kept",
        ),
        whole("the same: \"abbaabba…\"", STRINGS, &texts.abba, "As said: four grams"),
        whole(
            "the same: \"documentwritedocumentwrite…\"",
            WEB,
            &texts.document_write,
            "As said: 13 grams. Three such strings in four have none that 50 divides",
        ),
        Claim::exact(
            WEB,
            "the same: zeros with 1 odd character in 500",
            text("perform poorly"),
            longest(&texts.sensor),
            "As said. The runs lie between odd characters, so they come in all lengths: the band is from twenty seeds",
        )
        .within(Band::Within(800.0..=8_000.0)),
        Claim::exact(
            WEB,
            "the same: random letters (the paper: 500,000 pages)",
            Cell::Count(29_983),
            longest(&texts.random),
            "Random text does not repeat itself, pages do. The band has .9995 of what extreme values allow",
        )
        .within(longest_of_random(N_CHARACTERS as f64)),
    ]
}

/// Where the longest of the runs between multiples of 50 in `n` random hashes lies: it is below `x` with
/// probability `exp(-n/50 · (1 - 1/50)^x)`.
fn longest_of_random(n: f64) -> Band {
    let below = |probability: f64| (-probability.ln() * 50.0 / n).ln() / 0.98_f64.ln();
    Band::Within(below(0.000_25).floor()..=below(0.999_75).ceil())
}

/// What ties do to windows.
fn densities(texts: &Texts, thresholds: Thresholds) -> Vec<Claim> {
    let density =
        |selector, decimals| number(measure(selector, &texts.zeros, thresholds).1, decimals);
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

/// The paper's probabilities, as powers of ten.
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
        for repeats in ["\"000…\", which", "abba", "documentwrite"] {
            assert_eq!(ours(repeats), Cell::Count(59_951), "{repeats}");
        }
        assert_eq!(ours("longest run of hashes"), Cell::Count(99));
        let Cell::Number { value, .. } = ours("robust winnowing on the same") else {
            panic!("no number")
        };
        assert!((value - 599.0 / 59_951.0).abs() < 1e-12);
    }
}
