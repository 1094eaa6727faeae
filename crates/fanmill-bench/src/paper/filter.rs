//! The claims about filters, and our measurements.

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_lab::cells::{any_size, number, text};
use fanmill_lab::filter::spec::Spec;
use fanmill_lab::filter::trials::Trials;
use fanmill_lab::filter::{accidental, n_pairs};
use fanmill_lab::outcome::Cell;
use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::shingle::{self, ShortDocuments};
use fanmill_text::error::Result;

use super::claim::{Band, Claim};

const IMPLEMENTATION: &str = "Broder, slides, \"Real implementation\"";
const CURVES: &str = "Broder, slides, \"Features vs. full sketch\"";
const BYTES: &str = "Broder, slides, \"8 bytes are enough!\"";

/// The pairs that are actually sketched.
const TRIALS: Trials = Trials { n_members: 200, n_trials: 1000, seed: 1 };

/// Returns all claims of this experiment. Takes a tenth of a second.
///
/// # Errors
/// Never: the settings are in bounds.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let mut claims = thresholds();
    claims.extend(edits());
    claims.push(curves());
    claims.push(measured()?);
    claims.extend(accidents());
    Ok(claims)
}

fn usual(place: usize) -> Spec {
    Spec::usual()[place]
}

/// Returns the resemblances at which filters designed for 90 % accept half of the pairs.
fn thresholds() -> Vec<Claim> {
    let [classic, variant, full] = [0, 1, 2].map(usual);
    let median = |spec: &Spec| number(spec.filter.median(), 4);
    // The slides can also be read as requiring more than r equal features.
    let stricter = Filter { needed: classic.filter.needed + 1, ..classic.filter };
    let why = format!(
        "A filter has no edge: this is where half of the pairs are accepted, if at least r features \
         agree. With more than r it would be {:.3}",
        stricter.median()
    );
    vec![
        Claim::exact(
            IMPLEMENTATION,
            "6 groups of 14, 2 agree: resemblance",
            text(".9"),
            median(&classic),
            &why,
        ),
        Claim::exact(
            IMPLEMENTATION,
            "the same: share of pairs accepted at .9",
            text("not given"),
            number(classic.filter.probability(0.9), 4),
            "More than half of the pairs at the filter's own threshold are missed",
        ),
        Claim::exact(
            IMPLEMENTATION,
            "the same: bytes a document",
            Cell::Count(48),
            Cell::Count(classic.stored_bytes()),
            "Equal",
        ),
        Claim::exact(
            IMPLEMENTATION,
            "8 groups of 25, 1 agrees: resemblance",
            text(".9"),
            median(&variant),
            "As above",
        ),
        Claim::exact(
            CURVES,
            "full sketch, 76 of 84 agree: resemblance",
            text(".9"),
            median(&full),
            "The slide's lower limit of the sum is read as a threshold, .9 of 84 rounded up",
        ),
    ]
}

/// Returns the effect of edits on a page of 1,000 words, in shingles of 8.
fn edits() -> Vec<Claim> {
    let page = SplitMix::new(1).seeds(1000);
    let resemblance = |edited: &[u64]| {
        let [a, b] = [&page[..], edited].map(|words| shingle::set(words, 8, ShortDocuments::Whole));
        let n_common = a.iter().filter(|hash| b.binary_search(hash).is_ok()).count();
        n_common as f64 / (a.len() + b.len() - n_common) as f64
    };
    let deleted = |n: usize| resemblance(&[&page[..400], &page[400 + n..]].concat());
    let changed = |n: usize| {
        let mut edited = page.clone();
        for i in 1..=n {
            edited[1000 * i / (n + 1)] = i as u64;
        }
        resemblance(&edited)
    };
    // The smallest edit that lowers the resemblance to .9.
    let enough = |edit: &dyn Fn(usize) -> f64| (1..500).find(|&n| edit(n) <= 0.9).unwrap_or(500);
    let replaced = |n: usize| {
        let new: Vec<u64> = (0..n as u64).collect();
        resemblance(&[&page[..400], &new, &page[400 + n..]].concat())
    };
    let why = format!(
        "It takes {} deleted words to come down to .9, or {} replaced ones",
        enough(&deleted),
        enough(&replaced)
    );
    let both = |x: f64, y: f64| text(&format!("{x:.3}, {y:.3}"));
    vec![
        Claim::exact(
            IMPLEMENTATION,
            "resemblance of a page of 1,000 words after deleting 50 and 60 words",
            text(".9"),
            both(deleted(50), deleted(60)),
            &why,
        ),
        Claim::exact(
            IMPLEMENTATION,
            "the same after changing 5 and 6 words far apart",
            text(".9"),
            both(changed(5), changed(6)),
            "Each changes 8 shingles on both sides",
        ),
    ]
}

/// Returns the claim about the distance between the curves of features and of the full sketch.
fn curves() -> Claim {
    let [classic, full]: [Filter; 2] = [0, 2].map(|place| usual(place).filter);
    let at = (0..=1000).map(|i| f64::from(i) / 1000.0);
    let gap = |j: f64| (classic.probability(j) - full.probability(j)).abs();
    let widest = at.map(gap).fold(0.0, f64::max);
    Claim::exact(
        CURVES,
        "widest gap between the curves of 6 groups of 14 and of the full sketch",
        text("\"approximates\""),
        number(widest, 3),
        "Features are a blunter filter, in 48 bytes instead of 672",
    )
}

/// Returns the acceptance measured with actual sketches.
fn measured() -> Result<Claim> {
    let spec = usual(0);
    let share = TRIALS.run(&spec, &[0.9])?[0];
    let expected = spec.filter.probability(share.resemblance);
    let error = (expected * (1.0 - expected) / f64::from(TRIALS.n_trials)).sqrt();
    let what =
        format!("share of {} sketched pairs at .9 that 6 groups of 14 accept", TRIALS.n_trials);
    let (papers, ours) = (text("not given"), number(share.value(), 3));
    let claim = Claim::exact(CURVES, &what, papers, ours, "Sketches follow the polynomial");
    Ok(claim.within(Band::around(expected, error)))
}

/// Returns the number of unrelated pairs that filters of 8 bytes accept.
fn accidents() -> Vec<Claim> {
    // At a resemblance of 0, bytes agree only by accident.
    let pairs = |place: usize, n: u64| any_size(n_pairs(n) * accidental(usual(place).filter, 0.0));
    vec![
        Claim::exact(
            BYTES,
            "3 of 8 bytes: pairs accepted by accident among 50,000 documents",
            text("works below 50,000"),
            pairs(3, 50_000),
            &format!(
                "{:.0} % of the documents have such a partner: good where pairs are verified",
                -100.0 * (-49_999.0 * accidental(usual(3).filter, 0.0)).exp_m1()
            ),
        ),
        Claim::exact(
            BYTES,
            "the same among 85,000,000",
            text("only on small scale"),
            pairs(3, 85_000_000),
            "As said",
        ),
        Claim::exact(
            BYTES,
            "7 of 8 bytes: the same among 85,000,000",
            text("on a large scale"),
            pairs(4, 85_000_000),
            &format!(
                "As said. Not said is how many samples make a byte: with 2 half are accepted at {:.3}",
                usual(4).filter.median()
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_hold_and_are_those_worked_out_by_hand() {
        let claims = claims().expect("in bounds");
        assert!(claims.iter().all(Claim::holds), "{claims:?}");
        let ours = |what: &str| {
            let claim = claims.iter().find(|claim| claim.what.contains(what)).expect("stated");
            claim.ours.clone()
        };
        assert_eq!(ours("deleting 50 and 60"), text("0.936, 0.926"));
        assert_eq!(ours("changing 5 and 6"), text("0.923, 0.908"));
        assert_eq!(ours("7 of 8 bytes"), text("0.3997"));
    }
}
