//! The claims about frequencies, and our measurements.

use fanmill::select::{Selector, Thresholds};
use fanmill_lab::cells::{number, text};
use fanmill_lab::collection::{Collection, Reading};
use fanmill_lab::frequency::count::{Counts, Rule, count};
use fanmill_lab::frequency::documents::OfKind;
use fanmill_lab::frequency::rank::{Plateau, PowerLaw, endpoints};
use fanmill_lab::frequency::{PAPER, share};
use fanmill_text::document::{Corpus, Document, Role, Submission};
use fanmill_text::progress::Silent;
use fanmill_text::{Error, Result};

use super::claim::Claim;

const WEB: &str = "Schleimer et al., §5.1 and Figure 4";

/// The paper's slope.
const SLOPE: f64 = -0.7;

macro_rules! program {
    ($path:literal) => {
        include_bytes!(concat!("../../../../examples/assignment/", $path))
    };
}

/// Programs of an assignment: most are copied from one another, and all begin with the same starter code.
const PROGRAMS: [&[u8]; 10] = [
    program!("submissions/ada/Inventory.java"),
    program!("submissions/ada/Report.java"),
    program!("submissions/bruno/Printer.java"),
    program!("submissions/bruno/Warehouse.java"),
    program!("submissions/chidi/Inventory.java"),
    program!("submissions/dana/Inventory.java"),
    program!("submissions/emil/Inventory.java"),
    program!("submissions/fatma/Inventory.java"),
    program!("submissions/goran/Inventory.java"),
    program!("last-year/pavel/Inventory.java"),
];

/// Returns all claims of this experiment. Takes a tenth of a second.
///
/// # Errors
/// Never: the settings are in bounds, and the programs have text.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let mut claims = lines();
    claims.extend(of_programs()?);
    Ok(claims)
}

/// Returns the frequencies by rank of an exact power law.
fn law(c: f64) -> Vec<u64> {
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    let whole = |rank: u32| (c * f64::from(rank).powf(SLOPE)).round().max(1.0) as u64;
    (1..=20_000).map(whole).collect()
}

/// Returns the slope by the paper's way of fitting.
fn slope(plateaus: &[Plateau]) -> f64 {
    PowerLaw::fit(&endpoints(plateaus)).map_or(f64::NAN, |law| law.slope)
}

/// Returns the claims about the accuracy with which an exact power law is recovered.
fn lines() -> Vec<Claim> {
    // A plateau is a run of equal frequencies.
    let of_ends = |frequencies: &[u64]| {
        let runs = frequencies.chunk_by(|x, y| x == y);
        let plateaus = runs.map(|run| Plateau { occurrences: run[0], n_grams: run.len() as u64 });
        slope(&plateaus.collect::<Vec<_>>())
    };
    let of_all = |frequencies: &[u64]| {
        let points = (1_u32..).zip(frequencies).map(|(rank, &f)| (f64::from(rank), f as f64));
        PowerLaw::fit(&points.collect::<Vec<_>>()).map_or(f64::NAN, |law| law.slope)
    };
    let claim =
        |what: &str, papers, ours, why: &str| Claim::exact(WEB, what, papers, number(ours, 4), why);
    vec![
        claim(
            "slope fitted to the ends of plateaus: 20,000 frequencies made by the law 100,000 · rank^-0.7",
            number(SLOPE, 4),
            of_ends(&law(100_000.0)),
            "Equal: the law is found again",
        ),
        claim(
            "the same, made by 1,000 · rank^-0.7, which comes down to 1",
            number(SLOPE, 4),
            of_ends(&law(1000.0)),
            "Nearly: frequencies are whole numbers",
        ),
        claim(
            "the latter, fitted to all points",
            text("quite poor"),
            of_all(&law(1000.0)),
            "As said: nearly all points are on the last plateaus",
        ),
    ]
}

/// Returns the counts on texts that were partly copied.
fn of_programs() -> Result<Vec<Claim>> {
    let counts = counted()?;
    let shares = |plateaus: &[Plateau]| {
        let [once, twice, thrice] = [1, 2, 3].map(|times| 100.0 * share(plateaus, times));
        text(&format!("{once:.0}, {twice:.0}, {thrice:.0}"))
    };
    let papers = PAPER.map(|share| format!("{:.0}", 100.0 * share)).join(", ");
    let claim = |what: &str, papers, ours, why: &str| Claim::exact(WEB, what, papers, ours, why);
    Ok(vec![
        claim(
            "grams of 50 characters that occur once, twice, three times, in %: ten programs of an assignment (the \
             paper: 20,000 pages)",
            text(&papers),
            shares(&counts.all),
            "Another collection: what was copied here was copied once or twice, or given to all",
        ),
        claim(
            "the same of fingerprints, w = 100",
            text(&papers),
            shares(&counts.selected),
            "As said: nearly as of all grams, though there are few to count",
        ),
        claim(
            "slope of all grams",
            text("about -0.7"),
            number(slope(&counts.all), 2),
            "No string can be in thousands of ten programs, so the line is short and flat. `lab frequency` \
             measures it on documents of one's own",
        ),
    ])
}

fn counted() -> Result<Counts> {
    let submissions = PROGRAMS.iter().enumerate().map(|(i, &program)| {
        Submission::new(i.to_string(), Role::New, vec![Document::new(i.to_string(), program)])
    });
    let corpus = Corpus { submissions: submissions.collect(), ..Corpus::default() };
    let collection = Collection::new(corpus, Reading::Characters);
    let documents = OfKind::commonest(&collection)
        .ok_or_else(|| Error::input("the programs of the example are empty"))?;
    let rule = Rule {
        thresholds: Thresholds::new(50, 149)?,
        selector: Selector::Winnow,
        max_documents: u64::MAX,
    };
    Ok(count(&documents, documents.n_tokens, &rule, &Silent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanmill_lab::outcome::Cell;

    #[test]
    fn claims_hold_and_laws_are_those_of_other_implementations() {
        let claims = claims().expect("in bounds");
        assert!(claims.iter().all(Claim::holds), "{claims:?}");
        for (claim, expected) in claims.iter().zip([-0.699_998, -0.701_545, -0.737_779]) {
            let Cell::Number { value, .. } = claim.ours else { panic!("no number: {claim:?}") };
            assert!((value - expected).abs() < 1e-6, "{claim:?}");
        }
    }
}
