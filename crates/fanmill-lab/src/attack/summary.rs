//! Findings and tables of an attack run.

use fanmill_sift::verdict::Threshold;

use super::attacks::{Attack, SCRAMBLING, STRENGTHS};
use super::rate::upper_bound;
use super::unrelated::SHINGLE;
use super::{LEAST_WORDS, MOST_WORDS, Measured, Texts};
use crate::cells::thousands_apart;
use crate::outcome::{Cell, Column, Table};
use crate::table::counted;

/// Mean S3 below which an attack has defeated a scheme, for a finding.
const DEFEATED: f64 = 0.05;

/// Returns a description of the texts.
pub(super) fn input(texts: &Texts, measured: &Measured<'_>) -> String {
    let n = texts.n_long;
    let mut parts = vec![counted(n as usize, "text")];
    if (measured.n_attacked as u64) < n {
        parts.push(format!("a sample of {} attacked", measured.n_attacked));
    }
    if (measured.n_compared as u64) < n {
        parts.push(format!("all pairs of a sample of {} compared", measured.n_compared));
    }
    if texts.n_short > 0 {
        parts.push(format!(
            "{} others left out that have fewer than {LEAST_WORDS} words",
            texts.n_short
        ));
    }
    if texts.n_cut > 0 {
        parts.push(format!("{} cut after {MOST_WORDS} words", texts.n_cut));
    }
    let (seed, n_keys) = (measured.settings.seed, measured.settings.n_keys);
    parts.push(format!("{n_keys} keys made for measuring, seed {seed}"));
    parts.join(", ")
}

/// The rates of one scheme at one threshold.
pub(super) struct Rates {
    pub(super) threshold: f64,
    /// Number of false positives, over all pairs and keys.
    pub(super) n_false: u64,
    /// Upper bound on the share of false positives.
    pub(super) at_most: f64,
    /// The worst of the paper's eight attacks, and the share of texts found under it.
    pub(super) worst: (Attack, f64),
}

impl Measured<'_> {
    /// Returns the threshold with this share, and with the number of values that the settings require.
    fn at(&self, s3: f64) -> Threshold {
        Threshold { s3, n_common: self.settings.least_common }
    }

    pub(super) fn recall(&self, scheme: usize, attack: Attack, threshold: f64) -> f64 {
        self.scores.recall(scheme, attack, &self.at(threshold))
    }

    pub(super) fn n_false(&self, scheme: usize, threshold: f64) -> u64 {
        self.unrelated.n_false(scheme, &self.at(threshold))
    }

    pub(super) fn rates(&self, scheme: usize, threshold: f64) -> Rates {
        let n_false = self.n_false(scheme, threshold);
        // The same pair under another key is not an independent trial.
        let n_events = n_false.div_ceil(u64::from(self.settings.n_keys));
        let found = SCRAMBLING.map(|attack| (attack, self.recall(scheme, attack, threshold)));
        let worst = found.into_iter().reduce(|a, b| if b.1 < a.1 { b } else { a });
        Rates {
            threshold,
            n_false,
            at_most: upper_bound(n_events, self.unrelated.n_pairs),
            worst: worst.unwrap_or((SCRAMBLING[0], 0.0)),
        }
    }

    /// Returns the rates at the threshold of [`Threshold::standard`] if it is among the given ones and has no false
    /// positives; otherwise at the lowest threshold without false positives, or at the highest of all.
    pub(super) fn chosen(&self, scheme: usize) -> Rates {
        let rates = |&threshold: &f64| self.rates(scheme, threshold);
        let mut all: Vec<Rates> = self.settings.thresholds.iter().map(rates).collect();
        let is_standard = |rates: &Rates| (rates.threshold - Threshold::standard().s3).abs() < 1e-9;
        let standard = all.iter().position(|rates| is_standard(rates) && rates.n_false == 0);
        let lowest = || all.iter().position(|rates| rates.n_false == 0);
        let place = standard.or_else(lowest).unwrap_or(all.len() - 1);
        all.swap_remove(place)
    }
}

/// Returns random changes of this percentage of the words.
pub(super) fn changes(percent: u32) -> Attack {
    let change = super::attacks::strengths()[0];
    match change {
        Attack::Random(suite, _) => Attack::Random(suite, percent),
        other => other,
    }
}

pub(super) fn findings(measured: &Measured<'_>) -> Vec<String> {
    let mut findings: Vec<String> =
        (0..measured.settings.schemes.len()).map(|scheme| of_scheme(measured, scheme)).collect();
    findings.extend(defeats(measured));
    findings.push(left_out(measured));
    findings.push(format!(
        "A text counts as found if S3 of a family reaches the threshold, and all have at least {} values in common: as the job `check` has it",
        measured.settings.least_common
    ));
    findings
}

/// Describes the pairs that do not count as unrelated.
pub(super) fn left_out(measured: &Measured<'_>) -> String {
    format!(
        "Of the pairs of different texts {} were left out as related, counted exactly: the shorter one has \
         {:.0} % or more of its shingles of {SHINGLE} words in the other",
        thousands_apart(measured.unrelated.n_related()),
        100.0 * measured.settings.related
    )
}

/// Describes the results of a scheme at its chosen threshold.
fn of_scheme(measured: &Measured<'_>, scheme: usize) -> String {
    let rates = measured.chosen(scheme);
    let name = &measured.settings.schemes[scheme].name;
    let found = measured.recall(scheme, changes(10), rates.threshold);
    let (worst, least) = rates.worst;
    let (_, short) = measured.scores.sizes(scheme);
    let short = match short {
        share if share > 0.0 => {
            format!(
                "; {} of the texts are so short that only unchanged copies are found",
                percent(share)
            )
        }
        _ => String::new(),
    };
    format!(
        "{name}: threshold {} finds {} under random changes of 10 % of the words, {} under {worst}, the worst \
         of the paper's eight attacks; false positives {} of {} ({} under {}; below {:.1e} with \
         95 % confidence){short}",
        rates.threshold,
        percent(found),
        percent(least),
        thousands_apart(rates.n_false),
        thousands_apart(measured.unrelated.n_scores()),
        counted(measured.unrelated.n_pairs as usize, "pair"),
        counted(measured.settings.n_keys as usize, "key"),
        rates.at_most
    )
}

/// Returns a finding about the attacks that defeat the first scheme, if there are any.
fn defeats(measured: &Measured<'_>) -> Option<String> {
    let attacks = measured.scores.attacks().iter();
    let defeated = attacks.filter(|&&attack| measured.scores.mean(0, attack) < DEFEATED);
    let names: Vec<String> = defeated.map(Attack::to_string).collect();
    let name = &measured.settings.schemes[0].name;
    (!names.is_empty()).then(|| {
        format!(
            "{name} does not recognise texts under: {} (mean S3 below {DEFEATED})",
            names.join("; ")
        )
    })
}

/// Returns a share as a percentage, with enough digits to tell it from all and from nothing.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub(super) fn tables(measured: &Measured<'_>) -> Vec<Table> {
    vec![similarity(measured), thresholds(measured), unrelated(measured), schemes(measured)]
}

fn number(value: f64, decimals: u8) -> Cell {
    Cell::Number { value, decimals }
}

fn similarity(measured: &Measured<'_>) -> Table {
    let schemes = &measured.settings.schemes;
    let columns = schemes.iter().map(|scheme| Column::new(&*scheme.name, ""));
    let row = |&attack: &Attack| {
        let means =
            (0..schemes.len()).map(|scheme| number(measured.scores.mean(scheme, attack), 3));
        std::iter::once(Cell::Text(attack.to_string())).chain(means).collect()
    };
    Table {
        name: "similarity",
        caption: "mean S3 of texts under attack with their originals".to_owned(),
        columns: std::iter::once(Column::new("attack", "")).chain(columns).collect(),
        rows: measured.scores.attacks().iter().map(row).collect(),
    }
}

fn thresholds(measured: &Measured<'_>) -> Table {
    let mut columns = vec![
        Column::new("scheme", ""),
        Column::new("threshold", ""),
        Column::new("false positives", "pairs"),
        Column::new("rate at most", ""),
    ];
    columns.extend(STRENGTHS.map(|percent| Column::new(format!("{percent} % changed"), "")));
    columns.push(Column::new("worst of eight", ""));
    let mut rows = Vec::new();
    for (i, scheme) in measured.settings.schemes.iter().enumerate() {
        for &threshold in &measured.settings.thresholds {
            let rates = measured.rates(i, threshold);
            let mut row = vec![
                Cell::Text(scheme.name.clone()),
                number(threshold, 3),
                Cell::Count(rates.n_false),
                number(rates.at_most, 7),
            ];
            // The share found at each strength of random changes, and under the worst of the paper's attacks.
            let found = |percent| number(measured.recall(i, changes(percent), threshold), 3);
            row.extend(STRENGTHS.map(found));
            row.push(number(rates.worst.1, 3));
            rows.push(row);
        }
    }
    Table {
        name: "thresholds",
        caption: format!(
            "part of the attacked texts found by threshold, and false positives among {} scores of unrelated \
             pairs",
            thousands_apart(measured.unrelated.n_scores())
        ),
        columns,
        rows,
    }
}

fn unrelated(measured: &Measured<'_>) -> Table {
    const PARTS: [(&str, f64); 5] =
        [("median", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("99.99 %", 0.9999), ("largest", 1.0)];
    let mut columns = vec![Column::new("scheme", ""), Column::new("above 0", "pairs")];
    columns.extend(PARTS.map(|(name, _)| Column::new(name, "")));
    columns.extend(
        ["5 % lowest", "median"].map(|name| Column::new(format!("{name} at 10 % changed"), "")),
    );
    let row = |(i, scheme): (usize, &super::Scheme)| {
        let unrelated = &measured.unrelated;
        let mut row = vec![Cell::Text(scheme.name.clone()), Cell::Count(unrelated.n_above_zero(i))];
        row.extend(PARTS.map(|(_, part)| number(unrelated.quantile(i, part), 3)));
        let attacked = measured.scores.sorted(i, changes(10));
        row.extend([20, 2].map(|part| number(attacked[(attacked.len() - 1) / part], 3)));
        row
    };
    Table {
        name: "scores",
        caption: "S3 of unrelated pairs, and of texts with a tenth of their words changed"
            .to_owned(),
        columns,
        rows: measured.settings.schemes.iter().enumerate().map(row).collect(),
    }
}

pub(super) fn schemes(measured: &Measured<'_>) -> Table {
    let row = |(i, scheme): (usize, &super::Scheme)| {
        let (size, short) = measured.scores.sizes(i);
        vec![
            Cell::Text(scheme.name.clone()),
            Cell::Text(scheme.profile.to_string()),
            number(size, 1),
            number(8.0 * size, 0),
            number(short, 3),
        ]
    };
    Table {
        name: "schemes",
        caption: "the schemes, and what they keep of a text".to_owned(),
        columns: vec![
            Column::new("scheme", ""),
            Column::new("profile", ""),
            Column::new("size", "values"),
            Column::new("stored", "bytes"),
            Column::new("too short", ""),
        ],
        rows: measured.settings.schemes.iter().enumerate().map(row).collect(),
    }
}
