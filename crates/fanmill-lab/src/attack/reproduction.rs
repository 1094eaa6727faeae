//! The paper's Table 2 as an outcome: our numbers beside the paper's.

use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Setting};

use super::Texts;
use super::article::Article;
use super::table2::{self, Band, COLUMNS, HALVES, Means, NAMES};
use crate::outcome::{Axis, Cell, Column, Figure, Outcome, Series, Style, Table};

/// Maximum number of runs.
const MOST_RUNS: u32 = 100;

/// One row of the table: our numbers and the bands, S1 first.
struct Row {
    half: &'static str,
    column: &'static str,
    attack: usize,
    ours: [f64; 2],
    bands: [Band; 2],
}

type Named = (&'static str, &'static str);

/// Returns the halves and columns of the table, in the order in which profiles are measured.
fn cells() -> impl Iterator<Item = (&'static Named, &'static Named)> {
    HALVES.iter().flat_map(|half| COLUMNS.iter().map(move |column| (half, column)))
}

/// Repeats the paper's Table 2, as the mean of this many runs. `texts` must have been added with
/// [`add_plain`](Texts::add_plain).
///
/// # Errors
/// If there are too few articles of the right sizes, or `runs` is 0 or above 100.
pub fn reproduce(
    texts: &Texts,
    runs: u32,
    seed: u64,
    progress: &dyn Progress,
) -> fanmill_text::Result<Outcome> {
    if !(1..=MOST_RUNS).contains(&runs) {
        return Err(Error::setting(message![
            Setting("keys"),
            " {runs} is out of bounds; use 1 to {MOST_RUNS}"
        ]));
    }
    let articles: Vec<Article> = texts.in_order().into_iter().cloned().collect();
    table2::check(&articles, texts.n_long)?;
    let profiles: Vec<_> =
        cells().map(|(half, column)| table2::profile(half.1, column.1)).collect();
    // All profiles are measured together, on the same samples and attacked texts.
    let measured = table2::measure_all(&articles, &profiles, runs, seed, progress);
    let rows: Vec<Row> = cells()
        .zip(&measured)
        .flat_map(|((half, column), (means, _))| rows(half.0, column.0, means))
        .collect();
    Ok(Outcome {
        experiment: "table2",
        question: "does our sifting do what the paper's Table 2 says?".to_owned(),
        source: "Malkin & Venkatesan, AISW 2005, §3.4, Table 2",
        input: message![(
            "{} texts, {runs} samples of {} of 1 to 6 kB, each with its own key and attacks, seed {seed}",
            texts.n_long,
            table2::SAMPLE
        )],
        seed: Some(seed),
        findings: findings(&rows, runs).into_iter().map(Message::from).collect(),
        tables: vec![table(&rows, runs), sizes(&measured)],
        figures: vec![figure(&rows)],
    })
}

fn rows(half: &'static str, column: &'static str, means: &Means) -> Vec<Row> {
    let row = |(attack, &ours): (usize, &[f64; 2])| Row {
        half,
        column,
        attack,
        ours,
        bands: table2::bands(half, attack, column),
    };
    means.iter().enumerate().map(row).collect()
}

fn findings(rows: &[Row], runs: u32) -> Vec<String> {
    let count = |is_it: &dyn Fn(&Band, f64) -> bool| {
        let pairs = rows.iter().flat_map(|row| row.bands.iter().zip(row.ours));
        pairs.filter(|&(band, ours)| is_it(band, ours)).count()
    };
    let n = 2 * rows.len();
    vec![
        format!(
            "Of {n} numbers in {} cells {} are in the band of correct implementations for the mean of {runs} \
             runs, and {} in that for a single run",
            rows.len(),
            count(&|band, ours| band.has(ours, runs)),
            count(&|band, ours| band.has(ours, 1))
        ),
        format!(
            "Of the paper's own numbers {} are in the band for a single run, which is what it printed: it \
             probably took words with a chance of .6 inside of a part (Skip+Part), and made somewhat more \
             changes in the random combination than it says",
            count(&|band, _| band.has(band.paper, 1))
        ),
        "The bands are those of newswire; texts that repeat themselves more, or less, may be outside"
            .to_owned(),
    ]
}

fn number(value: f64) -> Cell {
    Cell::Number { value, decimals: 3 }
}

fn table(rows: &[Row], runs: u32) -> Table {
    let mut columns = ["sifting", "grams", "attack"].map(|name| Column::new(name, "")).to_vec();
    for measure in ["S1", "S3"] {
        for name in ["ours", "paper", "least", "most"] {
            columns.push(Column::new(format!("{measure} {name}"), ""));
        }
    }
    columns.push(Column::new("in band", ""));
    let row = |row: &Row| {
        let mut cells = [row.half, row.column].map(|name| Cell::Text(name.to_owned())).to_vec();
        cells.push(Cell::Text(NAMES[row.attack].to_owned()));
        for (band, ours) in row.bands.iter().zip(row.ours) {
            let half = band.half(runs);
            let bounds = [(band.mean - half).max(0.0), band.mean + half];
            cells.extend([ours, band.paper, bounds[0], bounds[1]].map(number));
        }
        let [s1, s3] = [0, 1].map(|i| row.bands[i].has(row.ours[i], runs));
        // A row counts only if both of its measures are inside their bands.
        let verdict = match (s1, s3) {
            (true, true) => "yes",
            (false, true) => "S1 is not",
            (true, false) => "S3 is not",
            (false, false) => "no",
        };
        cells.push(Cell::Text(verdict.to_owned()));
        cells
    };
    Table {
        name: "table2",
        caption: format!(
            "Table 2: ours (mean of {runs} runs), the paper's, and the band in which such a mean of a correct \
             implementation lies"
        ),
        columns,
        rows: rows.iter().map(row).collect(),
    }
}

fn sizes(measured: &[(Means, f64)]) -> Table {
    let mut rows = Vec::new();
    for ((half, column), (_, size)) in cells().zip(measured) {
        let names = [half.0, column.0, column.1, half.1];
        let mut row = names.map(|name| Cell::Text(name.to_owned())).to_vec();
        row.push(Cell::Number { value: *size, decimals: 1 });
        rows.push(row);
    }
    let mut columns =
        ["sifting", "grams", "family", "reduction"].map(|name| Column::new(name, "")).to_vec();
    columns.push(Column::new("size", "values"));
    Table { name: "sizes", caption: "fingerprints of the originals".to_owned(), columns, rows }
}

fn figure(rows: &[Row]) -> Figure {
    let of_column = |(column, _): &(&str, &str)| Series {
        name: (*column).to_owned(),
        style: Style::Points,
        points: rows
            .iter()
            .filter(|row| row.column == *column)
            .map(|row| (row.bands[1].paper, row.ours[1]))
            .collect(),
    };
    let equal = Series {
        name: "equal".to_owned(),
        style: Style::Dashed,
        points: vec![(0.0, 0.0), (0.5, 0.5)],
    };
    Figure {
        name: "table2",
        title: "S3 in Table 2: ours and the paper's".to_owned(),
        x: Axis::linear("the paper's S3"),
        y: Axis::linear("our S3"),
        series: COLUMNS.iter().map(of_column).chain([equal]).collect(),
        lines: Vec::new(),
    }
}
