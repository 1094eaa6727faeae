//! What an experiment found: shared by all of them, and all that views of it know.

use serde::Serialize;

/// What one run of an experiment found.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The experiment's name on the command line: `density`.
    pub experiment: &'static str,
    /// In a line: what was asked.
    pub question: String,
    /// The paper and section that it repeats.
    pub source: &'static str,
    /// What was measured on, with sizes: `random text, 8,388,608 bytes, seed 1`.
    pub input: String,
    /// The seed of everything that is random, if anything is.
    pub seed: Option<u64>,
    /// Sentences: what the numbers say, the most important one first.
    pub findings: Vec<String>,
    /// At least one.
    pub tables: Vec<Table>,
    /// None to a few.
    pub figures: Vec<Figure>,
}

/// Rows under columns.
#[derive(Debug, Clone, Serialize)]
pub struct Table {
    /// Unique in its outcome, fit for a file name: `gaps`.
    pub name: &'static str,
    /// What the rows are.
    pub caption: String,
    /// At least one.
    pub columns: Vec<Column>,
    /// Each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// What it holds: `longest gap`.
    pub name: String,
    /// `characters`, `hashes`, …; empty for text and for plain shares.
    pub unit: &'static str,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Words, left-aligned.
    Text(String),
    /// A count, shown with thousands apart.
    Count(u64),
    /// A number, shown with so many decimals; stored whole.
    Number {
        /// The number.
        value: f64,
        /// Decimals shown.
        #[serde(skip)]
        decimals: u8,
    },
    /// Nothing there to say.
    Nothing,
}

/// A figure: lines, points or bars over two axes.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// Unique in its outcome, fit for a file name: `gaps`.
    pub name: &'static str,
    /// Above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, in this order.
    pub series: Vec<Series>,
    /// Lines across the whole figure: bounds, thresholds.
    pub lines: Vec<Line>,
}

/// An axis of a figure.
#[derive(Debug, Clone, Serialize)]
pub struct Axis {
    /// With the unit: `length of a gap, in hashes`.
    pub label: String,
    /// How numbers lie on it.
    pub scale: Scale,
    /// Names in place of the numbers 0, 1, 2, …; empty if numbers are shown.
    pub names: Vec<String>,
}

/// How numbers lie on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal steps are equally far apart.
    Linear,
    /// Equal ratios are; numbers up to zero are left out.
    Log,
}

/// Points that belong together.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// How they are drawn.
    pub style: Style,
    /// In the order drawn.
    pub points: Vec<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Joined by straight lines.
    Line,
    /// Joined by dashed lines: expectations, as against measurements.
    Dashed,
    /// A dot each.
    Points,
    /// A bar each; series of bars stand beside each other.
    Bars,
}

/// A line across a figure.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// Beside it.
    pub name: String,
    /// Where it crosses the axis that it names.
    pub at: Place,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Upright, at this place of the horizontal axis.
    X(f64),
    /// Level, at this place of the vertical axis.
    Y(f64),
}

impl Outcome {
    /// What it found, as data: an object, indented, ending in a line feed.
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
    /// A column of `unit`.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Column {
        Column { name: name.into(), unit }
    }
}

impl Axis {
    /// An axis with equal steps.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, names: Vec::new() }
    }

    /// An axis with equal ratios.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Log, names: Vec::new() }
    }

    /// An axis with names at 0, 1, 2, …
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, names }
    }
}
