//! Tables, figures and findings about lead bytes.

use fanmill_sketch::lead_byte::{expected_tails, expected_tails_to_first_zero};
use fanmill_text::message::Message;

use super::{Mean, OfDocument, OfSize, Settings, Timed, ToZero, expected_of, harmonic};
use crate::cells::{any_size, number, text, thousands_apart};
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};
use crate::table::counted;

/// Maximum number of documents listed, largest first.
const MOST_LISTED: usize = 30;

/// Returns the outcome.
pub(super) fn outcome(
    settings: &Settings,
    sizes: &[OfSize],
    to_zero: &ToZero,
    documents: &[OfDocument],
    timed: &[Timed],
) -> Outcome {
    // Documents and times are optional; each adds its finding, table and figure.
    let mut findings = vec![until_zero(to_zero), afterwards(settings, sizes)];
    let mut tables = vec![to_zero_table(settings, to_zero), sizes_table(settings, sizes)];
    let mut figures = vec![tails_figure(sizes, documents)];
    if !documents.is_empty() {
        findings.push(of_documents(documents));
        tables.push(documents_table(documents));
    }
    if !timed.is_empty() {
        findings.extend(of_time(timed));
        tables.push(time_table(timed));
        figures.push(time_figure(timed));
    }
    let n: u64 = documents.iter().map(|document| document.n).sum();
    let sets = format!("random sets of {}, seed {}", counted(sizes.len(), "size"), settings.seed);
    let input = match documents.len() as u64 {
        0 => sets,
        many => format!(
            "{sets}; {} with {}",
            counted(many as usize, "document"),
            counted(n as usize, "shingle")
        ),
    };
    Outcome {
        experiment: "leadbyte",
        question: "How often is the tail of an image computed, and what is that worth?".to_owned(),
        source: "Broder, \"Algorithms for duplicate documents\" (slides), \"How often do we have to compute (or store) the tail?\"",
        input: input.into(),
        seed: Some(settings.seed),
        findings: findings.into_iter().map(Message::from).collect(),
        tables,
        figures,
    }
}

fn until_zero(found: &ToZero) -> String {
    format!(
        "Until a lead byte is 0, {:.4} strict left-to-right minima are expected (H_256), {:.3} were \
         counted; tails are computed for ties too, {:.4} in expectation, {:.3} counted.",
        harmonic(256),
        found.strict.value,
        expected_tails_to_first_zero(),
        found.tails.value
    )
}

fn afterwards(settings: &Settings, sizes: &[OfSize]) -> String {
    let worst = sizes
        .iter()
        .map(|size| (size.tails.value - expected_tails(size.n)).abs() / size.tails.standard_error)
        .filter(|distance| distance.is_finite())
        .fold(0.0, f64::max);
    let largest = sizes.last().map_or(0, |size| size.n);
    format!(
        "A register computes a tail for one shingle in {:.0} of a set of {}; {} registers together \
         {:.1} for every shingle of 1,000. Measured means are at most {worst:.1} standard errors from \
         what is expected.",
        largest as f64 / expected_tails(largest),
        thousands_apart(largest),
        settings.registers,
        f64::from(settings.registers) * expected_tails(1000) / 1000.0
    )
}

fn of_documents(documents: &[OfDocument]) -> String {
    let found: f64 = documents.iter().map(|document| document.tails).sum();
    let expected = expected_of(documents);
    let n: u64 = documents.iter().map(|document| document.n).sum();
    format!(
        "Shingles of the {} need {:.3} times the tails that random ones do: {:.2} a register and \
         thousand shingles.",
        counted(documents.len(), "document"),
        if expected > 0.0 { found / expected } else { 0.0 },
        if n > 0 { 1000.0 * found / n as f64 } else { 0.0 }
    )
}

/// Returns the finding about time, for the set size nearest to a page's, a thousand.
fn of_time(timed: &[Timed]) -> Option<String> {
    let sizes = timed.chunk_by(|a, b| a.n == b.n);
    let of_size = sizes.min_by_key(|of_size| of_size[0].n.abs_diff(1000))?;
    let (eager, others) = of_size.split_first()?;
    let others: Vec<String> = others
        .iter()
        .map(|one| format!("{} {:.3}", one.sketch, one.nanoseconds / eager.nanoseconds))
        .collect();
    Some(format!(
        "For sets of {} {} takes {:.1} ns a shingle. Of that take: {}.",
        thousands_apart(eager.n),
        eager.sketch,
        eager.nanoseconds,
        others.join(", ")
    ))
}

fn to_zero_table(settings: &Settings, found: &ToZero) -> Table {
    let columns = vec![
        Column::new("until the lead byte is 0", ""),
        Column::new("slides", ""),
        Column::new("expected", ""),
        Column::new("measured", ""),
        Column::new("standard error", ""),
    ];
    // The slides' figures are expectations, so they are compared with ours first.
    let row = |name: &str, slides: &str, expected: f64, mean: Mean| {
        let [expected, measured] = [expected, mean.value].map(|value| number(value, 4));
        let error = if mean.standard_error.is_finite() {
            number(mean.standard_error, 4)
        } else {
            Cell::Nothing
        };
        vec![text(name), text(slides), expected, measured, error]
    };
    Table {
        name: "to-zero",
        caption: format!(
            "lead bytes drawn until the first 0, {} times",
            thousands_apart(settings.n_runs.into())
        ),
        columns,
        rows: vec![
            row("strict left-to-right minima", "6.1243", harmonic(256), found.strict),
            row("tails computed", "7.1204", expected_tails_to_first_zero(), found.tails),
        ],
    }
}

fn sizes_table(settings: &Settings, sizes: &[OfSize]) -> Table {
    let columns = vec![
        Column::new("shingles", ""),
        Column::new("sets", ""),
        Column::new("expected", "tails a register"),
        Column::new("measured", "tails a register"),
        Column::new("standard error", ""),
        Column::new("a shingle", "tails of all registers"),
    ];
    let row = |size: &OfSize| {
        let expected = expected_tails(size.n);
        vec![
            Cell::Count(size.n),
            Cell::Count(size.n_sets),
            number(expected, 3),
            number(size.tails.value, 3),
            number(size.tails.standard_error, 3),
            any_size(f64::from(settings.registers) * expected / size.n as f64),
        ]
    };
    let caption = format!("tails computed for random sets, {} registers", settings.registers);
    Table { name: "sizes", caption, columns, rows: sizes.iter().map(row).collect() }
}

fn documents_table(documents: &[OfDocument]) -> Table {
    let columns = vec![
        Column::new("document", ""),
        Column::new("shingles", ""),
        Column::new("expected", "tails a register"),
        Column::new("measured", "tails a register"),
    ];
    let row = |document: &OfDocument| {
        let expected = expected_tails(document.n);
        let numbers = [expected, document.tails].map(|value| number(value, 2));
        [text(&document.name), Cell::Count(document.n)].into_iter().chain(numbers).collect()
    };
    let mut largest: Vec<&OfDocument> = documents.iter().collect();
    largest.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.name.cmp(&b.name)));
    largest.truncate(MOST_LISTED);
    let caption = match documents.len() {
        n if n > MOST_LISTED => format!("the {MOST_LISTED} largest of {n} documents"),
        _ => "documents, the largest first".to_owned(),
    };
    Table { name: "documents", caption, columns, rows: largest.into_iter().map(row).collect() }
}

fn time_table(timed: &[Timed]) -> Table {
    let columns = vec![
        Column::new("shingles", ""),
        Column::new("sketch", ""),
        Column::new("a shingle", "ns"),
        Column::new("of the eager one's", ""),
    ];
    let rows = timed.chunk_by(|a, b| a.n == b.n).flat_map(|of_size| {
        of_size.iter().map(|one| {
            let share = one.nanoseconds / of_size[0].nanoseconds;
            let numbers = [number(one.nanoseconds, 2), number(share, 3)];
            [Cell::Count(one.n), text(&one.sketch)].into_iter().chain(numbers).collect()
        })
    });
    let caption =
        "time of sketches that take turns on random sets, the fastest round of each".to_owned();
    Table { name: "time", caption, columns, rows: rows.collect() }
}

fn tails_figure(sizes: &[OfSize], documents: &[OfDocument]) -> Figure {
    let largest = sizes.last().map_or(1, |size| size.n);
    let largest = documents.iter().map(|document| document.n).fold(largest, u64::max);
    // Four points per doubling.
    let quarters = (0..=largest.ilog2()).flat_map(|e| (4..8).map(move |i| (i << e) / 4));
    let expected = quarters.filter(|n| *n <= largest).map(|n| (n as f64, expected_tails(n)));
    let mut series = vec![
        Series { name: "expected".to_owned(), style: Style::Dashed, points: expected.collect() },
        Series {
            name: "random sets".to_owned(),
            style: Style::Points,
            points: sizes.iter().map(|size| (size.n as f64, size.tails.value)).collect(),
        },
    ];
    if !documents.is_empty() {
        let points = documents.iter().filter(|document| document.n > 0);
        let points = points.map(|document| (document.n as f64, document.tails)).collect();
        series.push(Series { name: "documents".to_owned(), style: Style::Points, points });
    }
    Figure {
        name: "tails",
        title: "How often the tail is computed".to_owned(),
        x: Axis::log("shingles of a set"),
        y: Axis::log("tails a register"),
        series,
        lines: vec![Line {
            name: "until the lead byte is 0".to_owned(),
            at: Place::Y(expected_tails_to_first_zero()),
        }],
    }
}

fn time_figure(timed: &[Timed]) -> Figure {
    let n_sketches = timed.iter().take_while(|one| one.n == timed[0].n).count();
    let series = (0..n_sketches).map(|i| Series {
        name: timed[i].sketch.to_string(),
        style: Style::Line,
        points: timed
            .iter()
            .skip(i)
            .step_by(n_sketches)
            .map(|t| (t.n as f64, t.nanoseconds))
            .collect(),
    });
    Figure {
        name: "time",
        title: "What a sketch costs".to_owned(),
        x: Axis::log("shingles of a set"),
        y: Axis::log("nanoseconds a shingle"),
        series: series.collect(),
        lines: Vec::new(),
    }
}
