//! Density: the share of the hashes that each selector keeps, and a check of its guarantee.
//!
//! On random text hashes are random too, and theory gives the expected density. On real documents it depends on the
//! text: where it repeats itself, winnowing keeps more than expected, and 0 mod p may keep nothing for thousands of
//! hashes.
//!
//! Cost: O(n) time for each selector, one document per thread at a time.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 3.
//! Departs from it: the paper joined all pages into one text (its hashes are 49 fewer than its characters); here
//! windows end where documents do, and the expectation accounts for that.

use fanmill_text::message::Message;
use std::cmp::Reverse;

use fanmill::select::{Selector, Thresholds};
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use rayon::prelude::*;

use crate::collection::Collection;
use crate::figure::thousands;
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};
use crate::selection::{
    Sizes, bare_runs, forward_bound, hashes, improved_local_bound, local_bound, select,
    side_by_side,
};
use crate::table::counted;

/// The settings of a measurement.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Noise and guarantee, in tokens; they determine the window.
    pub thresholds: Thresholds,
    /// The selectors, in the order shown.
    pub selectors: Vec<Selector>,
}

impl Settings {
    /// Returns settings for every selector at these thresholds.
    pub fn new(thresholds: Thresholds) -> Settings {
        Settings { thresholds, selectors: side_by_side(thresholds) }
    }
}

/// Counts over some documents.
#[derive(Debug, Clone)]
struct Tally {
    n_tokens: u64,
    sizes: Sizes,
    /// The counts of each selector.
    kept: Vec<Kept>,
}

/// Counts for one selector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Kept {
    n_fingerprints: u64,
    longest: Longest,
    /// Number of windows from which no hash was kept.
    n_bare_windows: u64,
}

/// The longest run of hashes that are not kept, with the position of the first such run.
///
/// The order makes the maximum the longest run and, on a tie, the first one, in whatever order documents are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Longest {
    length: usize,
    document: Reverse<usize>,
    start: Reverse<usize>,
}

impl Tally {
    fn nothing(n_selectors: usize) -> Tally {
        Tally { n_tokens: 0, sizes: Sizes::default(), kept: vec![Kept::default(); n_selectors] }
    }

    fn of(collection: &Collection, index: usize, settings: &Settings) -> Tally {
        let document = collection.document(index);
        let thresholds = settings.thresholds;
        let w = thresholds.window();
        let hashes = hashes(&document.symbols, thresholds.noise());
        let mut positions = Vec::new();
        let kept = settings.selectors.iter().map(|&selector| {
            positions.clear();
            select(selector, &document.symbols, &hashes, thresholds, &mut positions);
            let mut kept = Kept { n_fingerprints: positions.len() as u64, ..Kept::default() };
            for (start, length) in bare_runs(&positions, hashes.len()) {
                let run = Longest { length, document: Reverse(index), start: Reverse(start) };
                kept.longest = kept.longest.max(run);
                kept.n_bare_windows += (length + 1).saturating_sub(w) as u64;
            }
            kept
        });
        let kept = kept.collect();
        let n_tokens = document.symbols.len() as u64;
        Tally { n_tokens, sizes: Sizes::of(hashes.len(), w), kept }
    }

    fn plus(mut self, other: &Tally) -> Tally {
        self.n_tokens += other.n_tokens;
        self.sizes = self.sizes.plus(other.sizes);
        for (mine, other) in self.kept.iter_mut().zip(&other.kept) {
            mine.n_fingerprints += other.n_fingerprints;
            mine.n_bare_windows += other.n_bare_windows;
            mine.longest = mine.longest.max(other.longest);
        }
        self
    }
}

/// Measures every selector on the collection.
///
/// # Errors
/// If no document has a gram.
pub fn run(
    settings: &Settings,
    collection: &Collection,
    progress: &dyn Progress,
) -> Result<Outcome> {
    progress.begin("measuring", collection.len() as u64);
    let n_selectors = settings.selectors.len();
    let tally = (0..collection.len())
        .into_par_iter()
        .map(|index| {
            let tally = Tally::of(collection, index, settings);
            progress.advance();
            tally
        })
        .reduce(|| Tally::nothing(n_selectors), |a, b| a.plus(&b));
    // A document shorter than a gram has no hash, and nothing could be divided by their number.
    if tally.sizes.n_hashes == 0 {
        return Err(Error::input(message![
            (
                "nothing to measure: of {} none has {} {}; give more text, or lower ",
                counted(collection.len(), "document"),
                settings.thresholds.noise(),
                collection.token_unit()
            ),
            Setting("noise")
        ]));
    }
    let measured = Measured { settings, collection, tally };
    Ok(Outcome {
        experiment: "density",
        question: "how many of the hashes does each selector keep, and does its guarantee hold?"
            .to_owned(),
        source: "Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 3",
        input: collection.description().into(),
        seed: collection.seed(),
        findings: measured.findings().into_iter().map(Message::from).collect(),
        tables: measured.tables(),
        figures: vec![measured.figure()],
    })
}

/// Counts, with the settings and documents they come from.
struct Measured<'a> {
    settings: &'a Settings,
    collection: &'a Collection<'a>,
    tally: Tally,
}

impl Measured<'_> {
    fn w(&self) -> usize {
        self.settings.thresholds.window()
    }

    fn density(&self, n_kept: f64) -> f64 {
        n_kept / self.tally.sizes.n_hashes as f64
    }

    fn expected(&self, selector: Selector) -> Option<f64> {
        self.tally.sizes.expected(selector, self.w()).map(|n| self.density(n))
    }

    fn measured(&self, kept: &Kept) -> f64 {
        self.density(kept.n_fingerprints as f64)
    }

    fn each(&self) -> impl Iterator<Item = (Selector, &Kept)> {
        self.settings.selectors.iter().copied().zip(&self.tally.kept)
    }

    /// Returns the first selector for which `fits` holds, and its counts.
    fn first(&self, fits: impl Fn(Selector) -> bool) -> Option<(Selector, &Kept)> {
        self.each().find(|&(selector, _)| fits(selector))
    }

    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.selectors(), self.bounds()];
        tables.extend(self.figure_3());
        tables
    }

    fn selectors(&self) -> Table {
        let thresholds = self.settings.thresholds;
        let caption = format!(
            "What each selector keeps of {} hashes of {} {} each, in windows of {} hashes",
            thousands(&self.tally.sizes.n_hashes.to_string()),
            thresholds.noise(),
            self.collection.token_unit(),
            self.w(),
        );
        let columns = vec![
            Column::new("selector", ""),
            Column::new("fingerprints", ""),
            Column::new("density", ""),
            Column::new("expected", ""),
            Column::new("longest run without", "hashes"),
            Column::new("windows without", ""),
            Column::new("guarantee", ""),
        ];
        // One row per selector; those without an expectation have an empty cell.
        let number = |value| Cell::Number { value, decimals: 6 };
        let rows = self.each().map(|(selector, kept)| {
            vec![
                Cell::Text(selector.to_string()),
                Cell::Count(kept.n_fingerprints),
                number(self.measured(kept)),
                self.expected(selector).map_or(Cell::Nothing, number),
                Cell::Count(kept.longest.length as u64),
                Cell::Count(kept.n_bare_windows),
                Cell::Text(self.guarantee(selector, kept)),
            ]
        });
        Table { name: "selectors", caption, columns, rows: rows.collect() }
    }

    /// Describes the state of the guarantee, which is that one hash is kept from every window of `w` hashes.
    fn guarantee(&self, selector: Selector, kept: &Kept) -> String {
        let promised = selector.guarantee(self.settings.thresholds).is_some();
        match (promised, kept.n_bare_windows) {
            (true, 0) => "kept".to_owned(),
            (true, n) => format!("broken in {n} windows"),
            (false, 0) => "none; no window was missed".to_owned(),
            (false, n) => {
                let sizes = self.tally.sizes;
                let n_windows = sizes.n_in_windowed - (self.w() as u64 - 1) * sizes.n_windowed;
                format!("none; {:.2} % of windows missed", 100.0 * n as f64 / n_windows as f64)
            }
        }
    }

    fn bounds(&self) -> Table {
        let (w, k) = (self.w(), self.settings.thresholds.noise());
        let of = |fits: fn(Selector) -> bool| self.first(fits).map(|(_, kept)| self.measured(kept));
        let winnow = of(|selector| selector == Selector::Winnow);
        let roc = of(|selector| matches!(selector, Selector::Roc { .. }));
        // The distance from a bound, in per cent of the bound.
        let above = |density: Option<f64>, bound: f64| {
            density.map_or(Cell::Nothing, |density| Cell::Number {
                value: 100.0 * (density / bound - 1.0),
                decimals: 1,
            })
        };
        let row = |what: &str, bound: f64| {
            vec![
                Cell::Text(what.to_owned()),
                Cell::Number { value: bound, decimals: 6 },
                above(winnow, bound),
                above(roc, bound),
            ]
        };
        Table {
            name: "bounds",
            caption: "How far above the least that is possible on random text".to_owned(),
            columns: vec![
                Column::new("bound", ""),
                Column::new("density", ""),
                Column::new("winnow is above", "%"),
                Column::new("roc is above", "%"),
            ],
            rows: vec![
                row("local, on opaque hashes: 1.5/(w + 1) (Theorem 1)", local_bound(w)),
                row("the same, improved (Observation 1)", improved_local_bound(w)),
                row("forward, inside of grams too (Kille et al. 2025)", forward_bound(w, k)),
                row("winnowing itself on random hashes: 2/(w + 1)", 2.0 / (w as f64 + 1.0)),
            ],
        }
    }

    /// Returns Figure 3 with the paper's numbers beside ours, if the thresholds are the paper's.
    fn figure_3(&self) -> Option<Table> {
        let thresholds = self.settings.thresholds;
        if (thresholds.noise(), self.w()) != (50, 100) {
            return None;
        }
        // A row of the paper needs a selector that was measured here; without one there is no table.
        let (_, winnow) = self.first(|selector| selector == Selector::Winnow)?;
        let (_, robust) = self.first(|selector| selector == Selector::Robust)?;
        let (mod_50, bare) = self.first(|selector| selector == Selector::ModP { p: 50 })?;
        let count = |name: &str, paper: u64, ours: u64| {
            vec![Cell::Text(name.to_owned()), Cell::Count(paper), Cell::Count(ours)]
        };
        let share = |name: &str, paper: f64, ours: Option<f64>| {
            let number = |value| Cell::Number { value, decimals: 6 };
            let ours = ours.map_or(Cell::Nothing, number);
            vec![Cell::Text(name.to_owned()), number(paper), ours]
        };
        Some(Table {
            name: "figure-3",
            caption: "Figure 3 of the paper (500,000 pages), and the same of this input".to_owned(),
            columns: vec![
                Column::new("row", ""),
                Column::new("paper", ""),
                Column::new("here", ""),
            ],
            rows: vec![
                count("total bytes", 7_182_692_852, self.collection.n_bytes()),
                count("text bytes", 1_940_576_448, self.tally.n_tokens),
                count("hashes computed", 1_940_576_399, self.tally.sizes.n_hashes),
                count("winnowing fingerprints", 38_530_846, winnow.n_fingerprints),
                share("measured density", 0.019_855, Some(self.measured(winnow))),
                share("expected density", 0.019_802, self.expected(Selector::Winnow)),
                share("measured density, robust winnowing", 0.019_829, Some(self.measured(robust))),
                count("fingerprints for 0 mod 50", 38_761_128, bare.n_fingerprints),
                share("measured density", 0.019_974, Some(self.measured(bare))),
                share("expected density", 0.02, self.expected(mod_50)),
                count("longest run with no fingerprint", 29_983, bare.longest.length as u64),
            ],
        })
    }

    fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        let winnow = self.first(|selector| selector == Selector::Winnow);
        if let Some((selector, kept)) = winnow {
            findings.push(self.against_theory(selector, kept));
        }
        let roc = self.first(|selector| matches!(selector, Selector::Roc { .. }));
        if let (Some((_, winnow)), Some((_, roc))) = (winnow, roc) {
            let ratio = self.measured(roc) / self.measured(winnow);
            let bound = forward_bound(self.w(), self.settings.thresholds.noise());
            findings.push(format!(
                "ROC keeps {:.0} % of what winnowing keeps, at the same guarantee; the bound of 2025 \
                 leaves room for {:.0} %",
                100.0 * ratio,
                100.0 * bound / self.measured(winnow),
            ));
        }
        // The longest run of 0 mod p shows what a missing guarantee can mean.
        if let Some((selector, kept)) =
            self.first(|selector| matches!(selector, Selector::ModP { .. }))
        {
            findings.push(self.bare_finding(selector, kept));
        }
        if self.collection.seed().is_some() && self.w() == 100 {
            findings.push(
                "the paper measured 0.019902 for winnowing and 0.020005 for 0 mod 50 on 8 MB of random \
                 text; on as much, one measurement of winnowing scatters by 0.000021, so that the \
                 paper's is 4.8 standard deviations high"
                    .to_owned(),
            );
        }
        findings
    }

    fn against_theory(&self, selector: Selector, kept: &Kept) -> String {
        let (measured, expected) = (self.measured(kept), self.expected(selector).unwrap_or(0.0));
        let endless = 2.0 / (self.w() as f64 + 1.0);
        let of_endless = if (endless - expected).abs() < 1e-6 {
            " = 2/(w + 1)".to_owned()
        } else {
            format!(" of documents this long, {endless:.6} = 2/(w + 1) of endless ones")
        };
        format!(
            "{selector} keeps {measured:.6} of the hashes, {:+.2} % off what theory expects: \
             {expected:.6}{of_endless}",
            100.0 * (measured / expected - 1.0),
        )
    }

    /// Describes the longest run of hashes of which 0 mod p keeps none, and its place.
    fn bare_finding(&self, selector: Selector, kept: &Kept) -> String {
        let Longest { length, document: Reverse(index), start: Reverse(start) } = kept.longest;
        if length == 0 {
            return format!("{selector} keeps every hash");
        }
        let document = self.collection.document(index);
        format!(
            "{selector} leaves {} hashes in a row without a fingerprint, in `{}`, line {}; no selector \
             with a guarantee leaves more than w - 1 = {}",
            thousands(&length.to_string()),
            document.name,
            document.line(start),
            self.w() - 1,
        )
    }

    fn figure(&self) -> Figure {
        // The first two would only stretch the axis: `all` keeps every hash, and `smallest` a fixed number.
        let shown: Vec<(Selector, &Kept)> = self
            .each()
            .filter(|(selector, _)| !matches!(selector, Selector::All | Selector::NSmallest { .. }))
            .collect();
        let at = |i: usize, density: f64| (i as f64, density);
        let measured = shown.iter().enumerate().map(|(i, (_, kept))| at(i, self.measured(kept)));
        let expected = shown
            .iter()
            .enumerate()
            .filter_map(|(i, &(selector, _))| Some(at(i, self.expected(selector)?)));
        let (w, k) = (self.w(), self.settings.thresholds.noise());
        let level = |name: &str, at| Line { name: format!("{name}: {at:.5}"), at: Place::Y(at) };
        let names = shown.iter().map(|(selector, _)| selector.to_string()).collect();
        let series =
            |name: &str, points| Series { name: name.to_owned(), style: Style::Bars, points };
        Figure {
            name: "selectors",
            title: format!("What selectors keep of {}", self.collection.description()),
            x: Axis::named(format!("selector, for grams of {k} and windows of {w}"), names),
            y: Axis::linear("density, in fingerprints a hash"),
            series: vec![
                series("measured", measured.collect()),
                series("expected of random hashes", expected.collect()),
            ],
            lines: vec![
                level("winnowing, 2/(w + 1)", 2.0 / (w as f64 + 1.0)),
                level("bound of 2025, forward", forward_bound(w, k)),
                level("bound of 2003, local", local_bound(w)),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use fanmill_text::progress::Silent;

    use super::*;

    fn outcome(collection: &Collection, noise: u32, guarantee: u32) -> Outcome {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        run(&Settings::new(thresholds), collection, &Silent).expect("there is text")
    }

    fn cell(outcome: &Outcome, table: &str, row: &str, column: usize) -> f64 {
        let table = outcome.tables.iter().find(|found| found.name == table).expect("the table");
        let is_row = |cells: &&Vec<Cell>| matches!(&cells[0], Cell::Text(text) if text == row);
        match table.rows.iter().find(is_row).map(|cells| &cells[column]) {
            Some(Cell::Count(count)) => *count as f64,
            Some(Cell::Number { value, .. }) => *value,
            other => panic!("{row} {column}: {other:?}"),
        }
    }

    /// Checks that a cell has this count.
    #[track_caller]
    fn is_count(outcome: &Outcome, table: &str, row: &str, column: usize, expected: u64) {
        let found = cell(outcome, table, row, column);
        assert!((found - expected as f64).abs() < 1e-9, "{row} {column}: {found}, not {expected}");
    }

    /// The bands are 5 standard deviations wide: a measurement on 1 MB varies by 0.00006 for winnowing and by 0.00014
    /// for 0 mod 50.
    #[test]
    fn random_text_is_as_expected() {
        let text = Collection::random(1_000_000, 1).expect("small");
        let outcome = outcome(&text, 50, 149);
        for (selector, expected, band) in [
            ("winnow", 2.0 / 101.0, 0.0003),
            ("robust", 2.0 / 101.0, 0.0003),
            ("mod(p=50)", 0.02, 0.0007),
            ("roc(r=4)", 0.0165, 0.0004),
            ("all", 1.0, 1e-12),
        ] {
            let density = cell(&outcome, "selectors", selector, 2);
            assert!((density - expected).abs() < band, "{selector}: {density}");
        }
        for selector in ["winnow", "robust", "roc(r=4)"] {
            assert!(cell(&outcome, "selectors", selector, 4) <= 99.0);
            is_count(&outcome, "selectors", selector, 5, 0);
        }
        let above = cell(&outcome, "bounds", "local, on opaque hashes: 1.5/(w + 1) (Theorem 1)", 2);
        assert!((above - 33.3).abs() < 2.0, "within 33 % of the bound: {above}");
        is_count(&outcome, "figure-3", "hashes computed", 2, 999_951);
    }

    #[test]
    fn equal_letters_are_the_worst_case_of_each() {
        let zeros = crate::collection::tests::collection(&[("zeros.txt", &"0".repeat(10_049))]);
        let outcome = outcome(&zeros, 50, 149);
        is_count(&outcome, "selectors", "winnow", 1, 9_901); // a new one in every window
        is_count(&outcome, "selectors", "robust", 1, 100); // one in w
        is_count(&outcome, "selectors", "roc(r=4)", 1, 100);
        is_count(&outcome, "selectors", "smallest(n=100)", 1, 1);
        is_count(&outcome, "selectors", "mod(p=50)", 1, 0);
        is_count(&outcome, "selectors", "mod(p=50)", 4, 10_000);
        is_count(&outcome, "selectors", "mod(p=50)", 5, 9_901);
        assert!(outcome.findings.iter().any(|finding| finding.contains("`zeros.txt`, line 1")));
    }

    #[test]
    fn too_little_text_is_an_error_that_says_so() {
        let short = crate::collection::tests::collection(&[("a", "short"), ("b", "")]);
        let thresholds = Thresholds::new(50, 149).expect("ordered");
        let error = run(&Settings::new(thresholds), &short, &Silent).expect_err("nothing");
        assert!(error.is_input(), "{error}");
    }

    #[test]
    fn other_thresholds_have_no_figure_3() {
        let text = Collection::random(2_000, 1).expect("small");
        let outcome = outcome(&text, 5, 12);
        assert!(outcome.tables.iter().all(|table| table.name != "figure-3"));
        is_count(&outcome, "selectors", "all", 1, 1_996);
    }
}
