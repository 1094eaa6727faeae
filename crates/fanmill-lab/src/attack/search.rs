//! Search for the profile, and the number of common values, that find most at the same rate of false positives.
//!
//! The length of grams, the reduction, the families and the number of common values depend on each other: shorter grams
//! survive more changes and match more often by chance, and requiring more common values compensates for that. They are
//! therefore compared together. For each scheme and number of common values the threshold is the lowest one at which
//! unrelated texts are called copies no more often than the rate allows; without such a threshold, the row has no figures.
//! The table also has 32 minima of three-word shingles (`peer`), at the same rate.
//!
//! Cost: as [`attack`](super).
//! Source: none.

use fanmill_sift::verdict::{Score, Threshold};
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Setting};

use super::attacks::{self, Attack};
use super::{Settings, Texts, peer, summary};
use crate::cells::thousands_apart;
use crate::outcome::{Cell, Column, Outcome, Table};
use crate::table::counted;

/// The default thresholds to choose from.
pub const THRESHOLDS: [f64; 8] = [0.02, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5];
/// Maximum number of different numbers of common values in a run.
const MOST_NUMBERS: usize = 12;

/// The settings of a search, in addition to the schemes, keys and samples of [`Settings`], whose thresholds are those
/// to choose from.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Highest share of unrelated pairs that may be called copies.
    pub rate: f64,
    /// Numbers of common values to try, ascending.
    pub n_common: Vec<usize>,
}

impl Search {
    /// Returns the settings for one false positive in 50,000 pairs, and 2 to 6 values in common.
    pub fn standard() -> Search {
        Search { rate: 2e-5, n_common: (2..=6).collect() }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// If a number is out of bounds.
    pub fn check(&self) -> fanmill_text::Result<()> {
        let n = self.n_common.len();
        let is_ascending = self.n_common.is_sorted_by(|a, b| a < b);
        if !(1..=MOST_NUMBERS).contains(&n) || !is_ascending || self.n_common[0] == 0 {
            return Err(Error::setting(message![
                Setting("min-common"),
                " takes up to {MOST_NUMBERS} different numbers of values from 1, such as 2,3,4"
            ]));
        }
        if !(self.rate > 0.0 && self.rate < 1.0) {
            return Err(Error::setting(message![
                Setting("false-rate"),
                (
                    " {} is not a rate of false positives; use a number above 0 and below 1, such as 0.00002",
                    self.rate
                )
            ]));
        }
        Ok(())
    }
}

/// A scheme or the peer, which are compared with each other.
struct Contender {
    name: String,
    /// Mean number of values of a text.
    size: f64,
    /// The scores of attacked texts, for each attack.
    attacked: Vec<Vec<Score>>,
    /// The scores above 0 of unrelated pairs.
    unrelated: Vec<Score>,
}

/// A contender with a number of common values, at the lowest threshold with few enough false positives.
pub struct Row {
    /// The name of the contender.
    pub name: String,
    /// Mean number of values of a text.
    pub size: f64,
    /// Number of values that must be in common.
    pub n_common: usize,
    /// The results; `None` if every threshold has too many false positives.
    pub found: Option<ThresholdResult>,
}

/// The results at a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct ThresholdResult {
    /// The share of the smaller fingerprint that must be in common.
    pub s3: f64,
    /// Number of false positives.
    pub n_false: u64,
    /// The share of the texts found under each attack.
    pub shares: Vec<f64>,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {:?}", self.name, self.n_common, self.found)
    }
}

impl ThresholdResult {
    /// Returns the mean share over all attacks.
    pub fn mean(&self) -> f64 {
        self.shares.iter().sum::<f64>() / self.shares.len().max(1) as f64
    }

    /// Returns the index of the attack under which the smallest share is found.
    fn worst(&self) -> usize {
        let by_share = |a: &usize, b: &usize| self.shares[*a].total_cmp(&self.shares[*b]);
        (0..self.shares.len()).min_by(by_share).unwrap_or(0)
    }
}

/// Measures all schemes with all numbers of common values.
///
/// # Errors
/// If a setting is out of bounds, or fewer than two texts are long enough.
pub fn run(
    texts: &Texts,
    settings: &Settings,
    search: &Search,
    progress: &dyn Progress,
) -> fanmill_text::Result<Outcome> {
    search.check()?;
    let attacks = attacks::searched();
    let (measured, [attacked, compared]) = super::measure(texts, &attacks, settings, progress)?;
    // The peer sees the attacked texts and unrelated pairs of the schemes, so all rows have the same basis.
    let scheme = |i: usize| Contender {
        name: settings.schemes[i].name.clone(),
        size: measured.scores.sizes(i).0,
        attacked: attacks.iter().map(|&attack| measured.scores.of(i, attack).collect()).collect(),
        unrelated: measured.unrelated.scores(i).to_vec(),
    };
    let shingles = Contender {
        name: "shingles".to_owned(),
        size: peer::MINIMA as f64,
        attacked: peer::attacked(&attacked, &attacks, settings),
        unrelated: peer::unrelated(&compared, &measured.unrelated, settings),
    };
    let n_scores = measured.unrelated.n_scores();
    let contenders = (0..settings.schemes.len()).map(scheme).chain([shingles]);
    let rows: Vec<Row> =
        contenders.flat_map(|contender| contender.rows(settings, search, n_scores)).collect();
    let mut findings = findings(&rows, search, &attacks, n_scores);
    findings.push(summary::left_out(&measured));
    Ok(Outcome {
        experiment: "search",
        question: "which profile finds most disguised texts at the same rate of false positives?"
            .to_owned(),
        source: "Malkin & Venkatesan, AISW 2005, §3",
        input: summary::input(texts, &measured).into(),
        seed: Some(settings.seed),
        findings: findings.into_iter().map(Message::from).collect(),
        tables: vec![table(&rows, &attacks), summary::schemes(&measured)],
        figures: Vec::new(),
    })
}

impl Contender {
    fn rows(&self, settings: &Settings, search: &Search, n_scores: u64) -> Vec<Row> {
        let row = |&n_common: &usize| Row {
            name: self.name.clone(),
            size: self.size,
            n_common,
            found: settings
                .thresholds
                .iter()
                .map(|&s3| self.found(&Threshold { s3, n_common }))
                .find(|found| found.n_false as f64 <= search.rate * n_scores as f64),
        };
        search.n_common.iter().map(row).collect()
    }

    fn found(&self, threshold: &Threshold) -> ThresholdResult {
        let n = |scores: &[Score]| scores.iter().filter(|score| score.reaches(threshold)).count();
        let share = |scores: &Vec<Score>| n(scores) as f64 / scores.len().max(1) as f64;
        ThresholdResult {
            s3: threshold.s3,
            n_false: n(&self.unrelated) as u64,
            shares: self.attacked.iter().map(share).collect(),
        }
    }
}

/// Returns the best row of the schemes and of the peer, and the attacks under which the peer is better.
fn findings(rows: &[Row], search: &Search, attacks: &[Attack], n_scores: u64) -> Vec<String> {
    // The best row is the one with the highest mean over all attacks.
    let best = |is_peer: bool| {
        let of_kind = rows.iter().filter(|row| (row.name == "shingles") == is_peer);
        of_kind
            .filter_map(|row| Some((row, row.found.as_ref()?)))
            .max_by(|a, b| a.1.mean().total_cmp(&b.1.mean()))
    };
    let said = |(row, found): &(&Row, &ThresholdResult)| {
        format!(
            "{} with {} values in common and threshold {} finds {:.3} on average, {:.3} under {}; false positives {} \
             of {}",
            row.name,
            row.n_common,
            found.s3,
            found.mean(),
            found.shares[found.worst()],
            attacks[found.worst()],
            thousands_apart(found.n_false),
            thousands_apart(n_scores)
        )
    };
    let (ours, theirs) = (best(false), best(true));
    let mut findings: Vec<String> = [&ours, &theirs].into_iter().flatten().map(said).collect();
    if let (Some((_, ours)), Some((_, theirs))) = (ours, theirs) {
        let worse = attacks.iter().enumerate().filter(|(i, _)| ours.shares[*i] < theirs.shares[*i]);
        let names: Vec<String> = worse.map(|(_, attack)| attack.to_string()).collect();
        findings.push(if names.is_empty() {
            "The best scheme finds at least as many as shingles under every attack".to_owned()
        } else {
            format!("Shingles find more than the best scheme under: {}", names.join("; "))
        });
    }
    let n_none = rows.iter().filter(|row| row.found.is_none()).count();
    if n_none > 0 {
        findings.push(format!(
            "{} without figures: at every threshold more than {} of the unrelated pairs are called copies",
            counted(n_none, "row"),
            search.rate
        ));
    }
    findings
}

fn table(rows: &[Row], attacks: &[Attack]) -> Table {
    let number = |value: f64, decimals| Cell::Number { value, decimals };
    let mut columns = vec![
        Column::new("scheme", ""),
        Column::new("size", "values"),
        Column::new("in common", "values"),
        Column::new("threshold", ""),
        Column::new("false positives", "pairs"),
        Column::new("mean", ""),
    ];
    columns.extend(attacks.iter().map(|attack| Column::new(attack.short_name(), "")));
    // A row without a threshold leaves its cells empty.
    let cells = |row: &Row| {
        let mut cells = vec![
            Cell::Text(row.name.clone()),
            number(row.size, 1),
            Cell::Count(row.n_common as u64),
        ];
        match &row.found {
            Some(found) => {
                cells.extend([
                    number(found.s3, 2),
                    Cell::Count(found.n_false),
                    number(found.mean(), 3),
                ]);
                cells.extend(found.shares.iter().map(|&share| number(share, 3)));
            }
            None => cells.resize(6 + attacks.len(), Cell::Nothing),
        }
        cells
    };
    Table {
        name: "search",
        caption: "part of the attacked texts found, at the lowest threshold with few enough false positives"
            .to_owned(),
        columns,
        rows: rows.iter().map(cells).collect(),
    }
}

#[cfg(test)]
mod tests {
    use fanmill_text::progress::Silent;

    use super::*;
    use crate::attack::scheme::Scheme;
    use crate::attack::tests::text;

    fn texts(n: u64) -> Texts {
        let mut texts = Texts::new(100, 1);
        (0..n).for_each(|seed| texts.add(text(seed, 200).as_bytes()));
        texts
    }

    fn settings(schemes: &[&str]) -> Settings {
        let schemes = schemes.iter().map(|name| Scheme::read(name).expect("a scheme")).collect();
        Settings { schemes, n_keys: 2, n_attacked: 20, ..Settings::standard() }
    }

    fn search() -> Search {
        Search { rate: 1e-3, n_common: vec![2, 4] }
    }

    #[test]
    fn every_scheme_and_the_peer_have_a_row_for_each_number() {
        let settings = settings(&["short", "words@1/slide(l=1)/min(m=50)"]);
        let outcome = run(&texts(20), &settings, &search(), &Silent).expect("texts enough");
        let rows = &outcome.tables[0].rows;
        assert!(rows.len() == 6 && rows.iter().all(|row| row.len() == rows[0].len()));
        let number = |row: usize, column: usize| match &rows[row][column] {
            Cell::Number { value, .. } => Some(*value),
            _ => None,
        };
        // Single words occur in every text, so they take a higher threshold than grams.
        assert!(number(0, 5) > Some(0.9) && number(2, 3) > number(0, 3), "{rows:?}");
        assert!(outcome.findings[0].starts_with("short with 2 values"), "{:?}", outcome.findings);
        assert!(outcome.findings[1].starts_with("shingles with "), "{:?}", outcome.findings);
        let again = run(&texts(20), &settings, &search(), &Silent).expect("texts enough");
        assert_eq!(again.to_json(), outcome.to_json());
    }

    /// Checks that more false positives than the rate allows raise the threshold.
    #[test]
    fn the_threshold_is_the_lowest_that_is_rare_enough() {
        let score = |s3| Score { s3, n_common: 3, n_whole: 0 };
        let contender = Contender {
            name: String::new(),
            size: 0.0,
            attacked: vec![vec![score(0.1), score(0.25), score(0.4), Score::default()]],
            unrelated: vec![score(0.06), score(0.13), score(0.13)],
        };
        let found = |rate| {
            let search = Search { rate, n_common: vec![3, 4] };
            let rows = contender.rows(&settings(&["short"]), &search, 1000);
            assert_eq!(rows[1].found.as_ref().map(|found| found.n_false), Some(0));
            rows[0].found.clone().map(|found| (found.s3, found.n_false, found.shares[0]))
        };
        assert_eq!(found(3e-3), Some((0.05, 3, 0.75)));
        assert_eq!(found(2e-3), Some((0.08, 2, 0.75)));
        assert_eq!(found(1e-3), Some((0.2, 0, 0.5)));
    }

    #[test]
    fn numbers_out_of_bounds_are_refused() {
        for (rate, n_common) in
            [(0.0, vec![2]), (1.0, vec![2]), (0.1, vec![]), (0.1, vec![0]), (0.1, vec![3, 3])]
        {
            assert!(Search { rate, n_common }.check().is_err());
        }
        assert!(Search::standard().check().is_ok());
    }
}
