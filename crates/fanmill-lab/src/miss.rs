//! Misses: the share of windows from which 0 mod p keeps nothing, and the cost of its safe variant.
//!
//! At winnowing's density, p = (w + 1)/2, none of the `w` random hashes of a window is divisible by `p` with
//! probability (1 - 1/p)^w; for large `w` that is e^-2, the paper's 13.5 %. A shared passage as long as the guarantee
//! is then missed. Safe 0 mod p misses none, and keeps two to three times as much as winnowing. Both are computed by
//! formula, measured on random hashes, and, if there are documents, on these.
//!
//! Cost: O(w) for each random window until its first kept hash; O(n) on documents.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1.1 and §3.1.2.
//! Departs from it: `p` is an integer; (1 + ln w)/w, which the paper calls the least that the safe variant keeps, is 2
//! to 3 % above the exact minimum, since e^(-wP) is above (1 - P)^w.

use fanmill::select::{mod_p, safe_mod_p};
use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use rayon::prelude::*;

use crate::collection::Collection;
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};
use crate::selection::{bare_runs, best_p, equal_p, hashes, safe_density};

/// The limit of (1 - 2/(w + 1))^w: e^-2.
pub const LIMIT: f64 = 0.135_335_283_236_612_7;

/// Maximum window, in hashes: as long as the longest guarantee.
const LONGEST_WINDOW: usize = 100_000;

/// Maximum number of random windows.
const MOST_TRIALS: u64 = 10_000_000;

/// Number of random hashes given to the safe variant for each random window.
pub const HASHES_A_TRIAL: u64 = 20;
/// Maximum number of these hashes in all.
const MOST_HASHES: u64 = 4_000_000;

/// The settings of a measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Window lengths in hashes, ascending.
    windows: Vec<usize>,
    trials: u64,
    seed: u64,
    /// Length of the documents' grams, in tokens.
    noise: usize,
}

impl Settings {
    /// Returns settings with windows of these lengths, in hashes, `trials` random windows of each length, and grams of
    /// `noise` tokens in documents.
    ///
    /// # Errors
    /// If there is no window, if one is 0 or above 100,000, if there are no trials or more than ten million, or if
    /// `noise` is 0.
    pub fn new(mut windows: Vec<usize>, trials: u64, noise: usize, seed: u64) -> Result<Settings> {
        windows.sort_unstable();
        windows.dedup();
        let odd = windows.iter().find(|&&w| w == 0 || w > LONGEST_WINDOW);
        if let Some(w) = odd {
            return Err(Error::setting(format!(
                "a window of {w} hashes is not between 1 and {LONGEST_WINDOW}; name others"
            )));
        }
        if windows.is_empty() {
            return Err(Error::setting("there is no window to measure; name one or more"));
        }
        if trials == 0 || trials > MOST_TRIALS {
            return Err(Error::setting(format!(
                "{trials} random windows are not between 1 and {MOST_TRIALS}; name another number"
            )));
        }
        if noise == 0 {
            return Err(Error::setting("noise threshold 0 makes no grams; use 1 or more"));
        }
        Ok(Settings { windows, trials, seed, noise })
    }
}

/// The results for one window length.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The window's length, in hashes.
    pub w: usize,
    /// The divisor at which 0 mod p has winnowing's density.
    pub p: u32,
    /// Number of random windows without a multiple of `p`.
    n_missed: u64,
    /// The divisor at which the safe variant keeps least.
    pub safe_p: u32,
    /// The share of random hashes that the safe variant kept.
    pub safe_measured: f64,
}

/// Numbers of windows in documents: all, and those without a multiple of `p`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Windows {
    n: u64,
    n_missed: u64,
}

impl Row {
    /// Draws as many random windows of `w` hashes as the settings ask for.
    pub fn of(w: usize, settings: &Settings) -> Row {
        let (p, safe_p) = (equal_p(w), best_p(w));
        let mut random = SplitMix::new(mix(settings.seed) ^ w as u64);
        let mut n_missed = 0;
        for _ in 0..settings.trials {
            // The windows share no hashes, so they are independent, and hashes after the first multiple need not be
            // drawn.
            n_missed += u64::from((0..w).all(|_| !random.draw().is_multiple_of(u64::from(p))));
        }
        let n_hashes = (HASHES_A_TRIAL * settings.trials).clamp(10 * w as u64, MOST_HASHES);
        let drawn: Vec<u64> = (0..n_hashes).map(|_| random.draw()).collect();
        let mut kept = Vec::new();
        safe_mod_p::select(&drawn, u64::from(safe_p), w, &mut kept);
        let safe_measured = kept.len() as f64 / n_hashes as f64;
        Row { w, p, n_missed, safe_p, safe_measured }
    }

    /// Returns the probability that none of `w` hashes is kept, for the integer `p` in use.
    pub fn exact(&self) -> f64 {
        (1.0 - 1.0 / f64::from(self.p)).powf(self.w as f64)
    }

    /// Returns the same probability for p = (w + 1)/2, integer or not: (1 - 2/(w + 1))^w.
    pub fn product(&self) -> f64 {
        let w = self.w as f64;
        (1.0 - 2.0 / (w + 1.0)).powf(w)
    }

    /// Returns the paper's approximation of [`Row::product`], e^(-2w/(w + 1)).
    pub fn approximation(&self) -> f64 {
        let w = self.w as f64;
        (-2.0 * w / (w + 1.0)).exp()
    }

    /// Returns the share of `trials` random windows from which nothing was kept.
    pub fn measured(&self, trials: u64) -> f64 {
        self.n_missed as f64 / trials as f64
    }

    /// Returns the paper's density of the safe variant: (1 + ln w)/w.
    pub fn safe_of_paper(&self) -> f64 {
        let w = self.w as f64;
        (1.0 + w.ln()) / w
    }

    /// Returns the density of winnowing.
    pub fn winnowing(&self) -> f64 {
        2.0 / (self.w as f64 + 1.0)
    }
}

/// Computes and measures for every window length, and also on documents if there is a collection.
///
/// # Errors
/// If a collection has no gram.
pub fn run(
    settings: &Settings,
    collection: Option<&Collection>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    progress.begin("drawing", settings.windows.len() as u64);
    let rows = settings.windows.par_iter().map(|&w| {
        let row = Row::of(w, settings);
        progress.advance();
        row
    });
    let rows: Vec<Row> = rows.collect();
    let documents = collection.map(|it| on_documents(settings, it, progress)).transpose()?;
    let measured = Measured { settings, rows, documents };
    let n = crate::figure::thousands(&settings.trials.to_string());
    let of_documents = collection.map(|it| format!("; {}", it.description()));
    Ok(Outcome {
        experiment: "miss",
        question:
            "how often does 0 mod p keep nothing of a window, and what does its safe variant cost?"
                .to_owned(),
        source: "Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1.1 and §3.1.2",
        input: message![("{n} random windows of each length{}", of_documents.unwrap_or_default())],
        seed: Some(settings.seed),
        findings: measured.findings().into_iter().map(Message::from).collect(),
        tables: vec![measured.misses(), measured.safe()],
        figures: vec![measured.miss_figure(), measured.safe_figure()],
    })
}

/// Counts the windows of all documents, for each window length.
fn on_documents(
    settings: &Settings,
    collection: &Collection,
    progress: &dyn Progress,
) -> Result<Vec<Windows>> {
    progress.begin("measuring", collection.len() as u64);
    let nothing = || vec![Windows::default(); settings.windows.len()];
    let found = (0..collection.len())
        .into_par_iter()
        .map(|index| {
            let document = collection.document(index);
            let hashes = hashes(&document.symbols, settings.noise);
            progress.advance();
            settings.windows.iter().map(|&w| of_document(&hashes, w)).collect()
        })
        .reduce(nothing, |a: Vec<Windows>, b| {
            let plus = |(a, b): (&Windows, &Windows)| Windows {
                n: a.n + b.n,
                n_missed: a.n_missed + b.n_missed,
            };
            a.iter().zip(&b).map(plus).collect()
        });
    // All documents may be shorter than the shortest window; their shares would then be 0 by 0.
    if found.iter().all(|windows| windows.n == 0) {
        return Err(Error::input(format!(
            "nothing to measure: no document has a window of {} hashes; give more text, or none",
            settings.windows[0]
        )));
    }
    Ok(found)
}

fn of_document(hashes: &[u64], w: usize) -> Windows {
    let mut kept = Vec::new();
    mod_p::select(hashes, u64::from(equal_p(w)), &mut kept);
    let bare = bare_runs(&kept, hashes.len());
    Windows {
        n: (hashes.len() + 1).saturating_sub(w) as u64,
        n_missed: bare.map(|(_, length)| (length + 1).saturating_sub(w) as u64).sum(),
    }
}

struct Measured<'a> {
    settings: &'a Settings,
    rows: Vec<Row>,
    /// The windows of the documents, one entry per row.
    documents: Option<Vec<Windows>>,
}

impl Measured<'_> {
    fn misses(&self) -> Table {
        let number = |value| Cell::Number { value, decimals: 4 };
        let mut columns = vec![
            Column::new("w", "hashes"),
            Column::new("p", ""),
            Column::new("exact, whole p", ""),
            Column::new("exact, p = (w + 1)/2", ""),
            Column::new("e^(-2w/(w + 1))", ""),
            Column::new("measured", ""),
            Column::new("off by", "SD"),
        ];
        if self.documents.is_some() {
            columns.push(Column::new("on documents", ""));
        }
        let rows = self.rows.iter().enumerate().map(|(i, row)| {
            let trials = self.settings.trials;
            let (exact, measured) = (row.exact(), row.measured(trials));
            // The number of missed windows is binomial; without a deviation there is nothing to compare with.
            let deviation = (exact * (1.0 - exact) / trials as f64).sqrt();
            let off = if deviation > 0.0 {
                Cell::Number { value: (measured - exact) / deviation, decimals: 1 }
            } else {
                Cell::Nothing
            };
            let mut cells = vec![
                Cell::Count(row.w as u64),
                Cell::Count(u64::from(row.p)),
                number(exact),
                number(row.product()),
                number(row.approximation()),
                number(measured),
                off,
            ];
            cells.extend(self.documents.iter().map(|windows| match windows[i] {
                Windows { n: 0, .. } => Cell::Nothing,
                Windows { n, n_missed } => number(n_missed as f64 / n as f64),
            }));
            cells
        });
        Table {
            name: "misses",
            caption:
                "Share of windows of w hashes of which 0 mod p, at winnowing's density, keeps none"
                    .to_owned(),
            columns,
            rows: rows.collect(),
        }
    }

    fn safe(&self) -> Table {
        let number = |value| Cell::Number { value, decimals: 5 };
        let rows = self.rows.iter().map(|row| {
            // The exact density is the basis of both comparisons: with the measurement, and with winnowing.
            let exact = safe_density(row.safe_p, row.w);
            vec![
                Cell::Count(row.w as u64),
                Cell::Count(u64::from(row.safe_p)),
                number(exact),
                number(row.safe_measured),
                number(row.safe_of_paper()),
                number(row.winnowing()),
                Cell::Number { value: exact / row.winnowing(), decimals: 2 },
            ]
        });
        Table {
            name: "safe",
            caption: "What safe 0 mod p keeps at its best p, so that no window is missed"
                .to_owned(),
            columns: vec![
                Column::new("w", "hashes"),
                Column::new("best p", ""),
                Column::new("exact", ""),
                Column::new("measured", ""),
                Column::new("(1 + ln w)/w", ""),
                Column::new("winnowing, 2/(w + 1)", ""),
                Column::new("times winnowing", ""),
            ],
            rows: rows.collect(),
        }
    }

    fn findings(&self) -> Vec<String> {
        let mut findings = vec![format!(
            "the paper's 13.5 % is the limit e^-2 = {LIMIT:.4}; at w = 100 the product is 0.1353 too, \
             with the whole p = 50 it is 0.1326, and the paper's e^(-2w/(w + 1)) is 0.1380"
        )];
        let worst = self.rows.iter().enumerate().filter_map(|(i, row)| {
            let windows = self.documents.as_ref()?[i];
            (windows.n > 0).then(|| (windows.n_missed as f64 / windows.n as f64, row))
        });
        if let Some((share, row)) = worst.max_by(|a, b| a.0.total_cmp(&b.0)) {
            findings.push(format!(
                "on these documents 0 mod p misses {:.1} % of windows at w = {}, where {:.1} % are \
                 expected of random hashes",
                100.0 * share,
                row.w,
                100.0 * row.exact(),
            ));
        }
        if let Some(row) = self.rows.last() {
            findings.push(format!(
                "safe 0 mod p misses none, and at w = {} keeps {:.1} times what winnowing keeps; the \
                 paper's (1 + ln w)/w is {:.1} % above the exact least",
                row.w,
                safe_density(row.safe_p, row.w) / row.winnowing(),
                100.0 * (row.safe_of_paper() / safe_density(row.safe_p, row.w) - 1.0),
            ));
        }
        findings
    }

    /// Returns a point for every window length.
    fn points(&self, number: impl Fn(&Row) -> f64) -> Vec<(f64, f64)> {
        self.rows.iter().map(|row| (row.w as f64, number(row))).collect()
    }

    fn miss_figure(&self) -> Figure {
        let series = |name: &str, style, points| Series { name: name.to_owned(), style, points };
        let trials = self.settings.trials;
        let mut drawn = vec![
            series("exact, whole p", Style::Line, self.points(Row::exact)),
            series("e^(-2w/(w + 1))", Style::Dashed, self.points(Row::approximation)),
            series("measured on random hashes", Style::Points, self.points(|r| r.measured(trials))),
        ];
        if let Some(windows) = &self.documents {
            let points = self.rows.iter().zip(windows).filter(|(_, windows)| windows.n > 0);
            let share = |(row, windows): (&Row, &Windows)| {
                (row.w as f64, windows.n_missed as f64 / windows.n as f64)
            };
            drawn.push(series("measured on documents", Style::Points, points.map(share).collect()));
        }
        Figure {
            name: "misses",
            title: "Windows of which 0 mod p, at the density of winnowing, keeps no hash"
                .to_owned(),
            x: Axis::log("window w, in hashes"),
            y: Axis::linear("share of windows missed"),
            series: drawn,
            lines: vec![Line { name: "e^-2, the paper's 13.5 %".to_owned(), at: Place::Y(LIMIT) }],
        }
    }

    fn safe_figure(&self) -> Figure {
        let series = |name: &str, style, points| Series { name: name.to_owned(), style, points };
        Figure {
            name: "safe",
            title: "What it costs to miss nothing: safe 0 mod p at its best p, and winnowing"
                .to_owned(),
            x: Axis::log("window w, in hashes"),
            y: Axis::log("density, in fingerprints a hash"),
            series: vec![
                series(
                    "safe 0 mod p, exact",
                    Style::Line,
                    self.points(|row| safe_density(row.safe_p, row.w)),
                ),
                series("(1 + ln w)/w", Style::Dashed, self.points(Row::safe_of_paper)),
                series(
                    "safe 0 mod p, measured",
                    Style::Points,
                    self.points(|row| row.safe_measured),
                ),
                series("winnowing, 2/(w + 1)", Style::Line, self.points(Row::winnowing)),
            ],
            lines: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use fanmill_text::progress::Silent;

    use super::*;
    use crate::collection::tests::collection;

    fn row(w: usize) -> Row {
        Row::of(w, &Settings::new(vec![w], 100_000, 50, 1).expect("fine"))
    }

    /// Checks values from the errata.
    #[test]
    fn formulas_give_the_numbers_of_the_paper() {
        let row = row(100);
        for (value, expected) in [
            (row.exact(), 0.1326),
            (row.product(), 0.1353),
            (row.approximation(), 0.1380),
            (row.safe_of_paper(), 0.0561),
            (safe_density(22, 100), 0.0550),
        ] {
            assert!((value - expected).abs() < 6e-5, "{value}, not {expected}");
        }
        assert!((self::row(99).exact() - 0.1353).abs() < 6e-5);
    }

    /// Checks bands that are five standard deviations wide.
    #[test]
    fn random_windows_are_missed_as_often_as_the_formula_says() {
        for w in [2, 10, 100] {
            let row = row(w);
            let exact = row.exact();
            let band = 5.0 * (exact * (1.0 - exact) / 100_000.0).sqrt();
            assert!(
                (row.measured(100_000) - exact).abs() <= band,
                "{w}: {}",
                row.measured(100_000)
            );
            let safe = safe_density(row.safe_p, w);
            assert!((row.safe_measured - safe).abs() < 0.1 * safe, "{w}: {}", row.safe_measured);
        }
    }

    #[test]
    fn windows_of_documents_are_counted_by_hand() {
        // For w = 4 and 3, p is 2; its multiples are at positions 3 and 8 of 10.
        let hashes = [1, 3, 5, 2, 7, 9, 1, 3, 4, 5];
        assert_eq!(of_document(&hashes, 4), Windows { n: 7, n_missed: 1 });
        assert_eq!(of_document(&hashes, 3), Windows { n: 8, n_missed: 1 + 2 });
        assert_eq!(of_document(&hashes, 11), Windows { n: 0, n_missed: 0 });
        assert_eq!(of_document(&hashes, 1), Windows { n: 10, n_missed: 0 });
    }

    #[test]
    fn a_text_of_one_letter_is_missed_whole() {
        let settings = Settings::new(vec![100, 20], 1_000, 50, 1).expect("fine");
        let outcome = run(&settings, Some(&collection(&[("z", &"0".repeat(500))])), &Silent);
        let outcome = outcome.expect("there is text");
        let last = |i: usize| outcome.tables[0].rows[i].last().cloned();
        assert_eq!(last(1), Some(Cell::Number { value: 1.0, decimals: 4 }));
        assert_eq!(outcome.figures[0].series.len(), 4);
        assert_eq!(outcome.seed, Some(1));
        let again = run(&settings, None, &Silent).expect("no text is needed");
        assert_eq!(again.tables[1].rows, outcome.tables[1].rows, "the seed decides, nothing else");
    }

    #[test]
    fn settings_name_what_is_wrong() {
        let error = |windows: &[usize], trials| {
            Settings::new(windows.to_vec(), trials, 50, 1).expect_err("wrong").to_string()
        };
        assert!(error(&[0], 1).contains("window of 0 hashes"));
        assert!(error(&[100_001], 1).contains("between 1 and 100000"));
        assert!(error(&[], 1).contains("no window"));
        assert!(error(&[5], 0).contains("0 random windows"));
    }
}
