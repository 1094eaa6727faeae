//! The measurements of `fanmill-bench speed`, as stored in a record.

use fanmill_kernel::InstructionSet;
use serde::{Deserialize, Serialize};

/// All measurements of one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// The rows, in the order of the page.
    pub(crate) rows: Vec<Row>,
}

/// The speed of one thing, on one thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The section of the row: rows of one section are compared with each other.
    pub(crate) part: Part,
    pub(crate) role: Role,
    pub(crate) name: String,
    /// Its name in the figure, if it appears there.
    pub(crate) label: Option<String>,
    /// A description of its work, to be read after the name.
    pub(crate) does: String,
    pub(crate) unit: Unit,
    /// Its rate with each instruction set, the smallest set first; a single one if no set was chosen.
    pub(crate) rates: Vec<f64>,
    /// The rate of its naive twin.
    pub(crate) naive: Option<f64>,
}

/// Groups of rows whose speeds can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    Limits,
    Selection,
    Words,
    Sketches,
    Sifting,
    Lexing,
}

/// The origin of a speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// A limit of the machine, for all of the job or a part of it.
    Limit,
    /// A method that Fanmill uses.
    Ours,
    /// Another method for the same job.
    Rival,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Unit {
    #[serde(rename = "GB/s")]
    Gigabytes,
    #[serde(rename = "MB/s")]
    Megabytes,
    #[serde(rename = "million shingles/s")]
    Shingles,
}

impl Unit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Gigabytes => "GB/s",
            Unit::Megabytes => "MB/s",
            Unit::Shingles => "million shingles/s",
        }
    }

    /// Returns the number of bytes or shingles per second in one of this unit.
    pub(crate) fn size(self) -> f64 {
        match self {
            Unit::Gigabytes => 1e9,
            Unit::Megabytes | Unit::Shingles => 1e6,
        }
    }
}

/// Returns a rate with a suitable number of digits.
pub(crate) fn shown(rate: f64) -> String {
    match rate {
        rate if rate >= 100.0 => format!("{rate:.0}"),
        rate if rate >= 10.0 => format!("{rate:.1}"),
        rate if rate >= 1.0 => format!("{rate:.2}"),
        rate if rate >= 0.1 => format!("{rate:.3}"),
        rate if rate >= 0.01 => format!("{rate:.4}"),
        rate => format!("{rate:.5}"),
    }
}

impl Row {
    /// Sets the row's name in the figure.
    pub(crate) fn labelled(self, label: &str) -> Row {
        Row { label: Some(label.to_owned()), ..self }
    }

    /// Returns the rate with the best instruction set.
    pub(crate) fn best(&self) -> f64 {
        self.rates.last().copied().unwrap_or_default()
    }

    /// Prints the row.
    pub(crate) fn print(&self) {
        let rates: Vec<String> =
            self.rates.iter().map(|&rate| format!("{:>7}", shown(rate))).collect();
        let naive = self.naive.map_or(String::new(), |naive| {
            format!("{:>9} {:>6.0}x", shown(naive), self.best() / naive)
        });
        println!("{:<52} {:<18} {} {naive}", self.name, self.unit.name(), rates.join(" "));
    }
}

/// Times something with each instruction set; the last one is the best, and stays in use.
pub(crate) fn by_each_set(mut rate: impl FnMut() -> f64) -> anyhow::Result<Vec<f64>> {
    let mut rates = Vec::new();
    for set in InstructionSet::available() {
        set.choose()?;
        rates.push(rate());
    }
    Ok(rates)
}

/// Times a naive twin with the instructions of any processor.
pub(crate) fn by_none(rate: impl FnOnce() -> f64) -> anyhow::Result<f64> {
    InstructionSet::Scalar.choose()?;
    Ok(rate())
}
