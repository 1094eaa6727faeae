//! Gaps: the distances between fingerprints, the places where they are largest, and the text there.
//!
//! A gap is the distance between two neighbouring fingerprints of a document, in hashes. With a guarantee it is at most
//! `w`. Without one it has no bound, and it is longest in unexpected places: in strings that repeat themselves. The
//! experiment finds these, names them by their repeated unit, and measures them.
//!
//! Cost: O(n) time for each selector, one document per thread at a time.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §1 and §5.1.

use fanmill_text::message::Message;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use fanmill::select::{Selector, Thresholds};
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::token::Symbol;
use fanmill_text::{Error, Result, Setting};
use rayon::prelude::*;

use crate::collection::{Collection, Document};
use crate::figure::thousands;
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};
use crate::repeats::{self, Repeat};
use crate::selection::{self, bare_runs, side_by_side};
use crate::table::counted;

/// The settings of a measurement.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Noise and guarantee, in tokens; they determine the window.
    pub thresholds: Thresholds,
    /// The selectors, in the order shown.
    pub selectors: Vec<Selector>,
    /// Number of the worst passages, and of the repeated strings, that are shown.
    pub shown: usize,
}

impl Settings {
    /// Returns settings for every selector that spreads fingerprints over a document, with lists of ten.
    pub fn new(thresholds: Thresholds) -> Settings {
        let mut selectors = side_by_side(thresholds);
        selectors
            .retain(|selector| !matches!(selector, Selector::All | Selector::NSmallest { .. }));
        Settings { thresholds, selectors, shown: 10 }
    }
}

/// Maximum number of characters of a passage that are quoted.
const QUOTED: usize = 240;

/// A run of hashes of which none is kept. The order makes the maximum the longest run and, on a tie, the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bare {
    length: usize,
    document: Reverse<usize>,
    start: Reverse<usize>,
    /// Index of the selector that kept none of them.
    selector: usize,
}

/// The repeats of one string, in all places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unit {
    n_places: u64,
    n_tokens: u64,
    /// The longest repeat and, on a tie, the first: its length in tokens, document and first token.
    longest: (usize, Reverse<usize>, Reverse<usize>),
}

/// Counts over some documents.
#[derive(Debug, Clone)]
struct Tally {
    n_hashes: u64,
    /// For each selector, the number of gaps of each length.
    gaps: Vec<BTreeMap<u32, u64>>,
    /// For each selector, the longest run without a fingerprint, including the runs before the first fingerprint and
    /// after the last.
    longest: Vec<usize>,
    /// The longest runs that a guarantee would not allow, longest first.
    bare: Vec<Bare>,
    units: BTreeMap<Vec<Symbol>, Unit>,
}

impl Tally {
    fn nothing(settings: &Settings) -> Tally {
        let n = settings.selectors.len();
        Tally {
            n_hashes: 0,
            gaps: vec![BTreeMap::new(); n],
            longest: vec![0; n],
            bare: Vec::new(),
            units: BTreeMap::new(),
        }
    }

    fn of(collection: &Collection, index: usize, settings: &Settings) -> Tally {
        let document = collection.document(index);
        let thresholds = settings.thresholds;
        let hashes = selection::hashes(&document.symbols, thresholds.noise());
        let mut tally = Tally::nothing(settings);
        tally.n_hashes = hashes.len() as u64;
        let mut positions = Vec::new();
        for (number, &selector) in settings.selectors.iter().enumerate() {
            positions.clear();
            selection::select(selector, &document.symbols, &hashes, thresholds, &mut positions);
            for pair in positions.windows(2) {
                *tally.gaps[number].entry(pair[1] - pair[0]).or_default() += 1;
            }
            for (start, length) in bare_runs(&positions, hashes.len()) {
                tally.longest[number] = tally.longest[number].max(length);
                // Only runs that leave a whole window without a fingerprint are recorded.
                if length >= thresholds.window() {
                    let document = Reverse(index);
                    tally.bare.push(Bare {
                        length,
                        document,
                        start: Reverse(start),
                        selector: number,
                    });
                }
            }
        }
        for repeat in repeats::find(&document.symbols, &hashes, thresholds) {
            tally.add_repeat(&document, index, &repeat);
        }
        tally.keep_worst(settings.shown);
        tally
    }

    fn add_repeat(&mut self, document: &Document, index: usize, repeat: &Repeat) {
        let (start, n_tokens) = (repeat.tokens.start, repeat.tokens.len());
        // Rotations of one unit are counted as one.
        let unit = repeats::smallest_rotation(&document.symbols[start..start + repeat.period]);
        let place = Unit {
            n_places: 1,
            n_tokens: n_tokens as u64,
            longest: (n_tokens, Reverse(index), Reverse(start)),
        };
        self.units.entry(unit).and_modify(|known| *known = known.plus(&place)).or_insert(place);
    }

    fn plus(mut self, other: Tally, settings: &Settings) -> Tally {
        self.n_hashes += other.n_hashes;
        for (mine, other) in self.gaps.iter_mut().zip(other.gaps) {
            for (length, n) in other {
                *mine.entry(length).or_default() += n;
            }
        }
        for (mine, other) in self.longest.iter_mut().zip(other.longest) {
            *mine = (*mine).max(other);
        }
        self.bare.extend(other.bare);
        self.keep_worst(settings.shown);
        for (unit, places) in other.units {
            self.units
                .entry(unit)
                .and_modify(|known| *known = known.plus(&places))
                .or_insert(places);
        }
        self
    }

    /// Keeps the `n` longest runs, so that memory stays bounded.
    fn keep_worst(&mut self, n: usize) {
        self.bare.sort_unstable_by(|a, b| b.cmp(a));
        self.bare.truncate(n);
    }
}

impl Unit {
    fn plus(&self, other: &Unit) -> Unit {
        Unit {
            n_places: self.n_places + other.n_places,
            n_tokens: self.n_tokens + other.n_tokens,
            longest: self.longest.max(other.longest),
        }
    }
}

/// Measures gaps on the collection.
///
/// # Errors
/// If no document has a gram.
pub fn run(
    settings: &Settings,
    collection: &Collection,
    progress: &dyn Progress,
) -> Result<Outcome> {
    progress.begin("measuring", collection.len() as u64);
    let tally = (0..collection.len())
        .into_par_iter()
        .map(|index| {
            let tally = Tally::of(collection, index, settings);
            progress.advance();
            tally
        })
        .reduce(|| Tally::nothing(settings), |a, b| a.plus(b, settings));
    // A document shorter than a gram has no hash, and shares could not be divided by their number.
    if tally.n_hashes == 0 {
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
        experiment: "gaps",
        question: "how far apart are fingerprints, and what is the text where they are farthest?"
            .to_owned(),
        source: "Schleimer, Wilkerson & Aiken, SIGMOD 2003, §1 and §5.1",
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
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.lengths()];
        if !self.tally.bare.is_empty() {
            tables.push(self.passages());
        }
        if !self.tally.units.is_empty() {
            tables.push(self.repeats());
        }
        tables
    }

    fn lengths(&self) -> Table {
        let w = self.settings.thresholds.window();
        let selectors = self.settings.selectors.iter().zip(&self.tally.gaps);
        let rows = selectors.zip(&self.tally.longest).map(|((selector, gaps), &run)| {
            let n: u64 = gaps.values().sum();
            let total: u64 = gaps.iter().map(|(&length, n)| u64::from(length) * n).sum();
            // A guarantee allows no gap above w; runs at the ends of a document are in the last column.
            let longer: u64 = gaps.range(w as u32 + 1..).map(|(_, n)| n).sum();
            let share = |part: u64, decimals| match n {
                0 => Cell::Nothing,
                n => Cell::Number { value: part as f64 / n as f64, decimals },
            };
            let longest = gaps.last_key_value().map_or(0, |(&length, _)| length);
            vec![
                Cell::Text(selector.to_string()),
                Cell::Count(n),
                share(total, 2),
                quantile(gaps, n, 0.5),
                quantile(gaps, n, 0.99),
                Cell::Count(u64::from(longest)),
                share(longer, 6),
                Cell::Count(run as u64),
            ]
        });
        let columns = vec![
            Column::new("selector", ""),
            Column::new("gaps", ""),
            Column::new("mean", "hashes"),
            Column::new("median", "hashes"),
            Column::new("99 %", "hashes"),
            Column::new("longest", "hashes"),
            Column::new("share above w", ""),
            Column::new("longest run without", "hashes"),
        ];
        let caption = format!("Gaps between neighbouring fingerprints, for windows of {w} hashes");
        Table { name: "lengths", caption, columns, rows: rows.collect() }
    }

    /// Returns the longest runs without a fingerprint, with their text.
    fn passages(&self) -> Table {
        let rows = self.tally.bare.iter().map(|bare| {
            let document = self.collection.document(bare.document.0);
            let n_distinct = self.n_distinct(&document, bare);
            vec![
                Cell::Text(self.settings.selectors[bare.selector].to_string()),
                Cell::Count(bare.length as u64),
                Cell::Count(n_distinct),
                Cell::Text(place(&document, bare.start.0)),
                Cell::Text(self.quote(&document, bare)),
            ]
        });
        Table {
            name: "passages",
            caption: "The worst passages: runs of at least w hashes without a fingerprint"
                .to_owned(),
            columns: vec![
                Column::new("selector", ""),
                Column::new("length", "hashes"),
                Column::new("distinct", "hashes"),
                Column::new("where", ""),
                Column::new("begins", ""),
            ],
            rows: rows.collect(),
        }
    }

    fn n_distinct(&self, document: &Document, bare: &Bare) -> u64 {
        let k = self.settings.thresholds.noise();
        let tokens = bare.start.0..bare.start.0 + bare.length + k - 1;
        let mut hashes = selection::hashes(&document.symbols[tokens], k);
        hashes.sort_unstable();
        hashes.dedup();
        hashes.len() as u64
    }

    /// Returns the beginning of a passage, on one line with single blanks.
    fn quote(&self, document: &Document, bare: &Bare) -> String {
        // Tags may come in between, so the text of a few tokens can be long.
        let n_tokens = (bare.length + self.settings.thresholds.noise() - 1).min(QUOTED);
        let text = document.passage(bare.start.0..bare.start.0 + n_tokens);
        let mut quote = String::new();
        for word in text.split_whitespace() {
            if !quote.is_empty() {
                quote.push(' ');
            }
            quote.push_str(word);
        }
        match quote.char_indices().nth(QUOTED) {
            Some((end, _)) => format!("{}…", &quote[..end]),
            None => quote,
        }
    }

    /// Returns the repeated units, ordered by the length of text they make up, longest first.
    fn units(&self) -> Vec<(usize, &Unit)> {
        let mut units: Vec<(&Vec<Symbol>, &Unit)> = self.tally.units.iter().collect();
        units.sort_by_key(|&(unit, places)| (Reverse(places.n_tokens), places.longest.1, unit));
        units.into_iter().map(|(unit, places)| (unit.len(), places)).collect()
    }

    /// Returns the unit as spelled in its longest repeat.
    fn spelled(document: &Document, period: usize, places: &Unit) -> String {
        let start = places.longest.2.0;
        document.spelled(start..start + period)
    }

    fn repeats(&self) -> Table {
        let rows = self.units().into_iter().take(self.settings.shown).map(|(period, places)| {
            // The place shown is that of the unit's longest repeat.
            let (length, Reverse(index), Reverse(start)) = places.longest;
            let document = self.collection.document(index);
            vec![
                Cell::Text(Self::spelled(&document, period, places)),
                Cell::Count(period as u64),
                Cell::Count(places.n_places),
                Cell::Count(places.n_tokens),
                Cell::Count(length as u64),
                Cell::Text(place(&document, start)),
            ]
        });
        let unit = self.collection.token_unit();
        Table {
            name: "repeats",
            caption: format!(
                "Strings that repeat with a period of up to {} {unit}, long enough to fill a window",
                repeats::LONGEST_PERIOD
            ),
            columns: vec![
                Column::new("repeats", ""),
                Column::new("period", unit),
                Column::new("places", ""),
                Column::new("in all", unit),
                Column::new("longest", unit),
                Column::new("where", ""),
            ],
            rows: rows.collect(),
        }
    }

    fn findings(&self) -> Vec<String> {
        let w = self.settings.thresholds.window();
        let mut findings = Vec::new();
        if let Some(bare) = self.tally.bare.first() {
            let document = self.collection.document(bare.document.0);
            findings.push(format!(
                "{} leaves {} hashes in a row without a fingerprint, of which {} are distinct, in {}: \
                 “{}”",
                self.settings.selectors[bare.selector],
                thousands(&bare.length.to_string()),
                thousands(&self.n_distinct(&document, bare).to_string()),
                place(&document, bare.start.0),
                self.quote(&document, bare),
            ));
        }
        let units = self.units();
        if let Some(&(period, places)) = units.first() {
            let document = self.collection.document(places.longest.1.0);
            let n_tokens: u64 = units.iter().map(|(_, places)| places.n_tokens).sum();
            findings.push(format!(
                "{} {} are of text that repeats {} over and over, most of them “{}”",
                thousands(&n_tokens.to_string()),
                self.collection.token_unit(),
                counted(units.len(), "string"),
                Self::spelled(&document, period, places),
            ));
        } else {
            findings.push("no string repeats itself for long enough to fill a window".to_owned());
        }
        // Only selectors with a guarantee must keep to the bound of w - 1.
        let guaranteed = self
            .settings
            .selectors
            .iter()
            .zip(&self.tally.longest)
            .filter(|(s, _)| s.guarantee(self.settings.thresholds).is_some());
        let worst = guaranteed.map(|(_, &run)| run).max().unwrap_or(0);
        findings.push(format!(
            "selectors with a guarantee leave at most {worst} hashes in a row; w - 1 = {} is their bound",
            w - 1
        ));
        findings
    }

    fn figure(&self) -> Figure {
        let w = self.settings.thresholds.window();
        let longest = self.tally.gaps.iter().filter_map(|gaps| gaps.last_key_value());
        let longest = longest.map(|(&length, _)| length).max().unwrap_or(1);
        let label = "length of the gap, in hashes";
        let is_long = longest as usize > 8 * w;
        let mut series: Vec<Series> = Vec::new();
        for (selector, gaps) in self.settings.selectors.iter().zip(&self.tally.gaps) {
            let points = shares(gaps);
            if let Selector::ModP { p } = selector {
                let expected = geometric(*p, &points);
                let name = format!("{selector}, expected of random hashes");
                series.push(Series { name: selector.to_string(), style: Style::Line, points });
                series.push(Series { name, style: Style::Dashed, points: expected });
            } else {
                series.push(Series { name: selector.to_string(), style: Style::Line, points });
            }
        }
        Figure {
            name: "lengths",
            title: format!("Gaps between fingerprints: {}", self.collection.description()),
            x: if is_long { Axis::log(label) } else { Axis::linear(label) },
            y: Axis::log("share of gaps at least that long"),
            series,
            lines: vec![Line { name: format!("w = {w}, the guarantee"), at: Place::X(w as f64) }],
        }
    }
}

/// Returns the length that this share of all gaps does not exceed.
fn quantile(gaps: &BTreeMap<u32, u64>, n: u64, share: f64) -> Cell {
    let mut seen = 0;
    let reaches = |(_, n_such): &(&u32, &u64)| {
        seen += **n_such;
        seen as f64 >= share * n as f64
    };
    gaps.iter().find(reaches).map_or(Cell::Nothing, |(&length, _)| Cell::Count(u64::from(length)))
}

/// Returns, for each length that occurs, the share of gaps that are at least as long.
fn shares(gaps: &BTreeMap<u32, u64>) -> Vec<(f64, f64)> {
    let n: u64 = gaps.values().sum();
    let mut left = n;
    let point = |(&length, &n_such): (&u32, &u64)| {
        let share = left as f64 / n as f64;
        left -= n_such;
        (f64::from(length), share)
    };
    gaps.iter().map(point).collect()
}

/// Returns the shares expected for random hashes of which one in `p` is kept: `(1 - 1/p)^(length - 1)`, down to the
/// lowest measured share.
fn geometric(p: u32, measured: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let least = measured.last().map_or(1.0, |&(_, share)| share);
    let share = |length: u32| (1.0 - 1.0 / f64::from(p)).powf(f64::from(length) - 1.0);
    let points = (1..1_000_000).map(|length| (f64::from(length), share(length)));
    points.take_while(|&(_, share)| share >= least && share > 0.0).collect()
}

/// Returns a token's position for people: document and line.
fn place(document: &Document, token: usize) -> String {
    format!("{}:{}", document.name, document.line(token))
}

#[cfg(test)]
mod tests;
