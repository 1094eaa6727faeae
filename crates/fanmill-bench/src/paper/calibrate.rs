//! The claims about a sharp threshold, where the expectation can be calculated.
//!
//! If two tokens are equal with probability `q`, two documents of `n` tokens share a run of `k` tokens that does not
//! begin earlier in about `x = (n - k + 1)² (1 - q) q^k` places, and in any place with probability `1 - e^-x`.

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_lab::calibrate::measure::{Measured, Rule, measure};
use fanmill_lab::calibrate::verdict;
use fanmill_lab::cells::{number, text};
use fanmill_lab::outcome::Cell;
use fanmill_text::token::Symbol;

use super::claim::{Band, Claim};

const THRESHOLD: &str = "Schleimer et al., §5.2";

/// Number of pairs; each document is in one pair.
const N_PAIRS: usize = 500;
const N_TOKENS: usize = 600;
/// Number of distinct tokens in documents without idioms.
const N_EQUAL: usize = 10;
/// The share of pairs that may match.
const TOLERATED: f64 = 0.01;

/// Returns all claims of this experiment. Takes half a second.
pub(super) fn claims() -> Vec<Claim> {
    let mut claims = chance();
    claims.extend(idioms());
    claims
}

/// Returns the expected share of pairs with a common run of `k` tokens, if two tokens are equal with probability `q`.
fn expected(k: usize, q: f64) -> f64 {
    let places = (N_TOKENS - k + 1) as f64;
    let runs = places * places * (1.0 - q) * q.powf(k as f64);
    -(-runs).exp_m1()
}

/// Returns the lowest `k` at which no more pairs match than are tolerated.
fn threshold(q: f64) -> usize {
    (1..N_TOKENS).find(|&k| expected(k, q) <= TOLERATED).unwrap_or(N_TOKENS)
}

/// Returns the claims about documents of independent tokens, which share runs only by chance.
fn chance() -> Vec<Claim> {
    let measured = measured(|random| drawn(random, N_TOKENS, N_EQUAL));
    let equal = 1.0 / N_EQUAL as f64;
    let threshold = threshold(equal);
    let noise = noise_and_guarantee(&measured)[0];
    let mut claims = vec![
        Claim::exact(
            THRESHOLD,
            "least k at which no more than 1 in 100 pairs of unrelated documents match: 600 words, drawn from 10",
            text("some value of k"),
            Cell::Count(noise),
            &format!("Theory says {threshold}, and that is what `lab calibrate` recommends as noise"),
        )
        .within(Band::Within(threshold as f64..=threshold as f64)),
    ];
    // One word in ten is equal, so each step down in k multiplies the expected number of runs by about ten.
    for less in 0..4 {
        let k = threshold - less;
        let share = expected(k, equal);
        let error = (share * (1.0 - share) / N_PAIRS as f64).sqrt();
        let what = match less {
            0 => format!("pairs that match at this k, {k}, in %"),
            _ => format!("pairs that match at k = {k}, in %"),
        };
        let papers =
            if less == 0 { "likely copied" } else { "significant numbers of false positives" };
        let band = Band::Within(
            100.0 * (share - 4.0 * error).max(0.0)..=100.0 * (share + 4.0 * error).min(1.0),
        );
        let ours = number(100.0 * measured.unrelated.survival().at(k), 1);
        let why = format!("As said: theory has {:.1}", 100.0 * share);
        claims.push(Claim::exact(THRESHOLD, &what, text(papers), ours, &why).within(band));
    }
    claims
}

/// Returns the claims about documents with idioms of six words: unrelated ones share more than by chance.
fn idioms() -> Vec<Claim> {
    let measured = measured(|random| {
        let mut tokens = Vec::new();
        while tokens.len() < N_TOKENS {
            tokens.extend(drawn(random, 10, 1000));
            let idiom = random.below(40);
            tokens.extend((0..6).map(|i| symbol(1000 + 6 * idiom + i)));
        }
        tokens
    });
    let [noise, guarantee] = noise_and_guarantee(&measured);
    // Of 16 words, 6 belong to one of 240 words of idioms, and 10 are drawn from a thousand words.
    let by_chance =
        threshold((6.0_f64 / 16.0).powi(2) / 240.0 + (10.0_f64 / 16.0).powi(2) / 1000.0);
    vec![
        Claim::exact(
            THRESHOLD,
            "the same with 40 idioms of six words, one after every 10 words drawn from 1,000: noise",
            text("no figure"),
            Cell::Count(noise),
            &format!("Theory says {by_chance} for the same words in any order"),
        )
        .within(Band::Within(by_chance as f64..=by_chance as f64)),
        Claim::exact(
            THRESHOLD,
            "the same: guarantee",
            text("no figure"),
            Cell::Count(guarantee),
            "Above six words: \"idioms, common words\" are no copies. A neighbour of an idiom is sometimes equal \
             too, two seldom. The band is one about 8",
        )
        .within(Band::Within(7.0..=9.0)),
    ]
}

fn symbol(number: usize) -> Symbol {
    Symbol::spelled(&number.to_le_bytes())
}

/// Returns `n` tokens, each drawn uniformly from `v`.
fn drawn(random: &mut SplitMix, n: usize, v: usize) -> Vec<Symbol> {
    (0..n).map(|_| symbol(random.below(v))).collect()
}

/// Measures unrelated pairs of documents.
fn measured(document: impl Fn(&mut SplitMix) -> Vec<Symbol>) -> Measured {
    let mut random = SplitMix::new(1);
    let documents: Vec<Vec<Symbol>> = (0..2 * N_PAIRS).map(|_| document(&mut random)).collect();
    let documents: Vec<&[Symbol]> = documents.iter().map(Vec::as_slice).collect();
    let pairs: Vec<(usize, usize)> = (0..N_PAIRS).map(|i| (2 * i, 2 * i + 1)).collect();
    let rule = Rule { noise: 5, related: 1.0, n_scrambles: 1, seed: 1 };
    measure(&documents, &pairs, &rule)
}

/// Returns the recommended thresholds, or zeros without a recommendation.
fn noise_and_guarantee(measured: &Measured) -> [u64; 2] {
    verdict(measured, TOLERATED).map_or([0, 0], |verdict| {
        [verdict.thresholds.noise(), verdict.thresholds.guarantee()].map(|n| n as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_hold_and_the_threshold_is_sharp() {
        let claims = claims();
        assert!(claims.iter().all(Claim::holds), "{claims:?}");
        assert!(expected(5, 0.1) > 0.9 && expected(8, 0.1) < 0.01);
    }
}
