//! What `fanmill-bench speed` has measured, as it stands in a record.

use fanmill_kernel::InstructionSet;
use serde::{Deserialize, Serialize};

/// All that was measured in one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// In the order of the page.
    pub(crate) rows: Vec<Row>,
}

/// How fast one thing is, on one thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The section it is in: rows of one section are compared with each other.
    pub(crate) part: Part,
    pub(crate) role: Role,
    pub(crate) name: String,
    /// Its name in the figure, if it is there.
    pub(crate) label: Option<String>,
    /// What it does, to be read after the name.
    pub(crate) does: String,
    pub(crate) unit: Unit,
    /// By each set of instructions, the smallest first; a single one if none was chosen.
    pub(crate) rates: Vec<f64>,
    /// That of its naive twin.
    pub(crate) naive: Option<f64>,
}

/// Things of which the speeds can be compared.
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

/// Whose speed it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// What the machine can do at most, with all of the job or a part of it.
    Limit,
    /// What Fanmill uses.
    Ours,
    /// Another method that does the same.
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

    /// How many bytes a second, or shingles, are one of this unit.
    pub(crate) fn size(self) -> f64 {
        match self {
            Unit::Gigabytes => 1e9,
            Unit::Megabytes | Unit::Shingles => 1e6,
        }
    }
}

/// A rate with as many digits as it deserves.
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
    /// The same, shown in the figure by this name.
    pub(crate) fn labelled(self, label: &str) -> Row {
        Row { label: Some(label.to_owned()), ..self }
    }

    /// The rate with the best set of instructions.
    pub(crate) fn best(&self) -> f64 {
        self.rates.last().copied().unwrap_or_default()
    }

    /// Prints its line.
    pub(crate) fn print(&self) {
        let rates: Vec<String> =
            self.rates.iter().map(|&rate| format!("{:>7}", shown(rate))).collect();
        let naive = self.naive.map_or(String::new(), |naive| {
            format!("{:>9} {:>6.0}x", shown(naive), self.best() / naive)
        });
        println!("{:<52} {:<18} {} {naive}", self.name, self.unit.name(), rates.join(" "));
    }
}

/// Times something by each set of instructions; the last one is the best, and stays in use.
pub(crate) fn by_each_set(mut rate: impl FnMut() -> f64) -> anyhow::Result<Vec<f64>> {
    let mut rates = Vec::new();
    for set in InstructionSet::available() {
        set.choose()?;
        rates.push(rate());
    }
    Ok(rates)
}

/// Times a naive twin as it is on any processor.
pub(crate) fn by_none(rate: impl FnOnce() -> f64) -> anyhow::Result<f64> {
    InstructionSet::Scalar.choose()?;
    Ok(rate())
}
