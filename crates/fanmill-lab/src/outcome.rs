//! The outcome of an experiment: the tables, figures and findings that all experiments return.

use fanmill_text::message::Message;
use serde::Serialize;

/// The outcome of one run of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The experiment's name on the command line: `frequency`.
    pub experiment: &'static str,
    /// The question, in one line.
    pub question: String,
    /// The paper and section that it repeats.
    pub source: &'static str,
    /// The input, with sizes: `12 documents, 4,711 bytes, read as words`.
    pub input: Message,
    /// The seed of all random numbers, if there are any.
    pub seed: Option<u64>,
    /// The results in sentences, most important first.
    pub findings: Vec<Message>,
    /// The tables; at least one.
    pub tables: Vec<Table>,
    /// Figures, if any.
    pub figures: Vec<Figure>,
}

/// Rows under columns.
#[derive(Debug, Clone, Serialize)]
pub struct Table {
    /// A name, unique in its outcome: `shares`.
    pub name: &'static str,
    /// A caption that describes the rows.
    pub caption: String,
    /// The columns; at least one.
    pub columns: Vec<Column>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Its name: `fingerprints`.
    pub name: String,
    /// Its unit: `tokens`, `grams`, …; empty for text and for plain shares.
    pub unit: &'static str,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Words, left-aligned.
    Text(String),
    /// A count, shown with separators between thousands.
    Count(u64),
    /// A number, shown with a number of decimals and stored in full.
    Number {
        /// The number.
        value: f64,
        /// Number of decimals shown.
        #[serde(skip)]
        decimals: u8,
    },
    /// An empty cell.
    Nothing,
}

/// A figure: lines, points or bars over two axes.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// A name for files, unique in its outcome: `pairs`.
    pub name: &'static str,
    /// The title above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, in the order in which they are drawn.
    pub series: Vec<Series>,
    /// Lines across the whole figure: bounds, thresholds.
    pub lines: Vec<Line>,
}

/// An axis of a figure.
#[derive(Debug, Clone, Serialize)]
pub struct Axis {
    /// The label, with the unit: `length of the run k, in tokens`.
    pub label: String,
    /// The scale, linear or logarithmic.
    pub scale: Scale,
    /// Names in place of the numbers 0, 1, 2, …; empty if numbers are shown.
    pub names: Vec<String>,
}

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart; numbers that are not positive are left out.
    Log,
}

/// Points that belong together.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The way the points are drawn.
    pub style: Style,
    /// The points, in the order in which they are drawn.
    pub points: Vec<(f64, f64)>,
}

/// The way a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Joined by straight lines.
    Line,
    /// Joined by dashed lines: for expectations, as opposed to measurements.
    Dashed,
    /// One dot per point.
    Points,
    /// One bar per point; several series of bars are drawn side by side.
    Bars,
}

/// A line across a figure.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The text beside it.
    pub name: String,
    /// The axis that it crosses, and the position there.
    pub at: Place,
}

/// The direction and position of a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Vertical, at this position on the horizontal axis.
    X(f64),
    /// Horizontal, at this position on the vertical axis.
    Y(f64),
}

impl Outcome {
    /// Returns the outcome as JSON: an indented object with a line feed at the end.
    ///
    /// # Panics
    /// Never: text and numbers are JSON.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("text and numbers are JSON");
        json.push('\n');
        json
    }
}

impl Column {
    /// Creates a column of `unit`.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Column {
        Column { name: name.into(), unit }
    }
}

impl Axis {
    /// Creates a linear axis.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, names: Vec::new() }
    }

    /// Creates a logarithmic axis.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Log, names: Vec::new() }
    }

    /// Creates an axis with names at 0, 1, 2, …
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, names }
    }
}
