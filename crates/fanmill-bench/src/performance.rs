//! `docs/performance.md` and its figures, made from the newest records of `fanmill-bench speed` and `fanmill-bench
//! peers`.
//!
//! Nothing on the page is typed by hand except the descriptions of each part; a test compares the page with the one
//! made from the committed records.

mod jobs;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use fanmill_kernel::InstructionSet;
use fanmill_lab::figure::svg;
use fanmill_lab::{Axis, Figure, Line, Place, Scale, Series, Style};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use self::jobs::Jobs;
use crate::speed::measured::{Measured, Part, Role, Row, Unit, shown};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder with the records.
    #[arg(long, value_name = "DIR", default_value = "bench/record")]
    record: PathBuf,
    /// Folder for `performance.md`, and for its figures, `images/performance.svg` and `images/peers.svg`, below it.
    #[arg(long, value_name = "DIR", default_value = "docs")]
    docs: PathBuf,
}

/// A record, as far as the page needs it.
#[derive(Debug, Deserialize)]
struct Record {
    day: String,
    processor: Option<String>,
    fanmill: String,
    figures: Measured,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (name, record) = newest(&options.record, "speed")?;
    let (name_of_jobs, jobs) = newest(&options.record, "peers")?;
    let images = options.docs.join("images");
    fs::create_dir_all(&images)?;
    let page = page((&name, &record), (&name_of_jobs, &jobs));
    fs::write(options.docs.join("performance.md"), page)?;
    fs::write(images.join("performance.svg"), svg(&figure(&record)))?;
    if let Some(figure) = jobs::figure(&jobs) {
        fs::write(images.join("peers.svg"), svg(&figure))?;
    }
    let page = options.docs.join("performance.md");
    println!("`{}` is made of `{name}` and `{name_of_jobs}`", page.display());
    Ok(())
}

/// Returns the latest record of a benchmark, with the name of its file.
fn newest<R: DeserializeOwned>(folder: &Path, benchmark: &str) -> Result<(String, R)> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.ends_with(&format!("-{benchmark}.json")).then_some(name));
    }
    let name = names.into_iter().max().with_context(|| {
        format!("`{}` has no record of `fanmill-bench {benchmark}`", folder.display())
    })?;
    let record = serde_json::from_str(&fs::read_to_string(folder.join(&name))?)
        .with_context(|| format!("`{name}` is no record of this version"))?;
    Ok((name, record))
}

/// The parts of the page, with their titles and introductions.
const PARTS: [(Part, &str, &str); 6] = [
    (
        Part::Limits,
        "What the machine can do",
        "No job is faster than this over the same 16 MB of random letters.",
    ),
    (
        Part::Selection,
        "Fingerprints of bytes",
        "The text is the same. Naive twins are the definitions, word for word, over 200 kB of it.",
    ),
    (Part::Words, "Words", "The text is the same, with a space in the place of each sixth letter."),
    (Part::Sketches, "Sketches", "Of 32 sets of 10,000 shingles, hashed before."),
    (
        Part::Sifting,
        "Sifting",
        "Of 200 newswire articles, reading included. Naive twins form and hash grams one by one, and sort all values.",
    ),
    (Part::Lexing, "Lexing", "Of up to 8 MB of programs in each language, as people wrote them."),
];

/// Returns the page.
fn page((name, record): (&str, &Record), (name_of_jobs, jobs): (&str, &Jobs)) -> String {
    let rows = &record.figures.rows;
    let mut page = format!(
        "# Performance\n\n\
         One thread of a processor that calls itself {}, Fanmill {}, {}.\n\
         `fanmill-bench speed --data DIR --sources DIR` measured this into `bench/record/{name}`, and\n\
         `fanmill-bench performance` made this page of it. Rates are those of processor time, the best of a few runs. Columns are sets of\n\
         instructions (`design/fast-path.md`), which `FANMILL_KERNEL` chooses; what limits each kernel is said there, too.\n\n\
         ![Rates by the best set of instructions, on any processor, and of naive twins](images/performance.svg)\n",
        record.processor.as_deref().unwrap_or("nothing"),
        record.fanmill,
        record.day,
    );
    for (part, title, about) in PARTS {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.part == part).collect();
        if !rows.is_empty() {
            let _ = write!(page, "\n## {title}\n\n{about}\n\n{}\n", table(&rows));
            for row in &rows {
                let _ = writeln!(page, "- {}", sentence(row, &rows, record));
            }
        }
    }
    page + &jobs::section(name_of_jobs, jobs)
}

/// Returns the names of as many instruction sets as there are rates.
fn sets(n: usize) -> impl Iterator<Item = &'static str> {
    InstructionSet::ALL.into_iter().map(InstructionSet::name).take(n)
}

fn table(rows: &[&Row]) -> String {
    let n = rows.iter().map(|row| row.rates.len()).max().unwrap_or(0);
    let has_sets = n > 1;
    let heads: Vec<&str> = if has_sets { sets(n).collect() } else { vec!["rate"] };
    let mut table =
        format!("| | {} | naive twin |\n|---|{}\n", heads.join(" | "), "---:|".repeat(n + 1));
    for row in rows {
        let rate = |rate: f64| shown(rate);
        let mut cells: Vec<String> = row.rates.iter().map(|&each| rate(each)).collect();
        // A rate that does not depend on the instruction set goes in the last column.
        while cells.len() < n {
            cells.insert(0, String::new());
        }
        let naive = row.naive.map(rate).unwrap_or_default();
        let _ = writeln!(
            table,
            "| {}, {} | {} | {naive} |",
            row.name,
            row.unit.name(),
            cells.join(" | ")
        );
    }
    table
}

/// Returns the sentence that describes a row.
fn sentence(row: &Row, rows: &[&Row], record: &Record) -> String {
    let (best, unit) = (row.best(), row.unit);
    let mut text = format!("{} {}: {} {}", row.name, row.does, shown(best), unit.name());
    if let [first, .., _] = row.rates[..] {
        let set = sets(row.rates.len()).last().unwrap_or_default();
        let _ =
            write!(text, " with `{set}`, {} times as much as with `scalar`", times(best / first));
    }
    if let Some(naive) = row.naive {
        let _ = write!(text, ", {} times its naive twin", times(best / naive));
    }
    // A rival is compared with our own methods of the same name, and our methods with the speed of memory.
    let ours = rows.iter().filter(|other| other.role == Role::Ours);
    match row.role {
        Role::Rival => {
            let all: Vec<String> = ours
                .filter(|other| stem(other) == stem(row))
                .map(|other| times(other.best() / best))
                .collect();
            if !all.is_empty() {
                let _ =
                    write!(text, "; what Fanmill uses reaches {} times that", all.join(" and "));
            }
        }
        Role::Ours if unit != Unit::Shingles => {
            let memory = record.figures.rows.iter().find(|row| row.role == Role::Limit);
            if let Some(memory) = memory {
                let share = best * unit.size() / (memory.best() * memory.unit.size());
                let _ = write!(text, ", and {} of what reading memory gives", percent(share));
            }
        }
        _ => {}
    }
    text.push('.');
    text
}

/// Returns the part of a name that rivals share: the parameters, or the language.
fn stem(row: &Row) -> &str {
    match row.part {
        Part::Selection => row.name.split_once(", ").map_or("", |parts| parts.1),
        Part::Lexing => row.name.rsplit(' ').next().unwrap_or_default(),
        _ => "",
    }
}

fn times(ratio: f64) -> String {
    if ratio >= 10.0 { format!("{ratio:.0}") } else { format!("{ratio:.1}") }
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent >= 1.0 => format!("{percent:.0} %"),
        percent if percent >= 0.1 => format!("{percent:.1} %"),
        percent => format!("{percent:.2} %"),
    }
}

/// Returns the rates in GB/s: the best, that on any processor, and that of the naive twin, with the limits across.
fn figure(record: &Record) -> Figure {
    let rows = &record.figures.rows;
    let drawn: Vec<&Row> = rows.iter().filter(|row| row.label.is_some()).collect();
    let series = |name: &str, rate: &dyn Fn(&Row) -> Option<f64>| {
        let point = |(i, row): (usize, &&Row)| Some((i as f64, rate(row)? * row.unit.size() / 1e9));
        let points = drawn.iter().enumerate().filter_map(point).collect();
        Series { name: name.to_owned(), style: Style::Bars, points }
    };
    let limits = rows.iter().filter(|row| row.part == Part::Limits);
    Figure {
        name: "performance",
        title: format!("Rates of kernels, one thread, {}", record.day),
        x: Axis {
            label: "kernel".to_owned(),
            scale: Scale::Linear,
            names: drawn.iter().filter_map(|row| row.label.clone()).collect(),
        },
        y: Axis { label: "GB/s".to_owned(), scale: Scale::Log, names: Vec::new() },
        series: vec![
            series("best set of instructions", &|row| Some(row.best())),
            series("any processor", &|row| row.rates.first().copied()),
            series("naive twin", &|row| row.naive),
        ],
        lines: limits
            .map(|row| Line { name: row.name.clone(), at: Place::Y(row.best()) })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
    }

    #[test]
    fn the_page_and_its_figure_are_made_of_the_record() {
        let records = folder("bench/record");
        let (name, record) = newest(&records, "speed").expect("a record is committed");
        let (name_of_jobs, jobs) = newest(&records, "peers").expect("another one is");
        let page = page((&name, &record), (&name_of_jobs, &jobs));
        let read = |name: &str| fs::read_to_string(folder(name)).expect(name);
        assert_eq!(page, read("docs/performance.md"));
        assert_eq!(svg(&figure(&record)), read("docs/images/performance.svg"));
        let growth = jobs::figure(&jobs).expect("programs in several sizes");
        assert_eq!(svg(&growth), read("docs/images/peers.svg"));
    }

    #[test]
    fn a_sentence_says_what_a_rate_is_beside_others() {
        let row = |name: &str, role, rates: &[f64], naive| Row {
            part: Part::Selection,
            role,
            name: format!("{name}, k = 5"),
            label: None,
            does: "chooses".to_owned(),
            unit: Unit::Gigabytes,
            rates: rates.to_vec(),
            naive,
        };
        let limit = Row { part: Part::Limits, ..row("memory", Role::Limit, &[8.0], None) };
        let ours = row("ROC", Role::Ours, &[0.25, 0.5], Some(0.002));
        let rival = row("another", Role::Rival, &[0.125], None);
        let rows = vec![limit, ours.clone(), rival.clone()];
        let record = Record {
            day: String::new(),
            processor: None,
            fanmill: String::new(),
            figures: Measured { rows },
        };
        assert_eq!(
            sentence(&ours, &[&ours, &rival], &record),
            "ROC, k = 5 chooses: 0.500 GB/s with `sse41`, 2.0 times as much as with `scalar`, 250 times its naive twin, and 6 % of what reading memory gives."
        );
        assert_eq!(
            sentence(&rival, &[&ours, &rival], &record),
            "another, k = 5 chooses: 0.125 GB/s; what Fanmill uses reaches 4.0 times that."
        );
    }
}
