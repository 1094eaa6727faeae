//! The section on whole jobs, made from the newest record of `fanmill-bench peers`.

use std::fmt::Write as _;

use fanmill_lab::{Axis, Figure, Scale, Series, Style};
use serde::Deserialize;

use super::times;

/// A record, as far as the page needs it.
#[derive(Debug, Deserialize)]
pub(super) struct Jobs {
    day: String,
    processor: Option<String>,
    threads: usize,
    figures: Vec<Job>,
}

/// The time and memory that a tool took for an input.
#[derive(Debug, Deserialize)]
struct Job {
    input: Input,
    tool: String,
    version: String,
    does: String,
    runs: usize,
    /// `None` if the run did not finish.
    cpu_seconds: Option<f64>,
    peak_bytes: Option<u64>,
    cpu_ratio: Option<f64>,
    trouble: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Input {
    name: String,
    files: u64,
    bytes: u64,
}

/// The tool that comes first in each group of runs.
const OURS: &str = "Fanmill";

impl Jobs {
    /// Returns the runs of all tools on each input, ours first, those on parts of one input together, ascending.
    fn by_input(&self) -> Vec<Vec<&[Job]>> {
        let groups: Vec<&[Job]> = self.figures.chunk_by(|_, next| next.tool != OURS).collect();
        let is_larger = |x: &&[Job], y: &&[Job]| {
            x[0].input.name == y[0].input.name && x[0].input.files < y[0].input.files
        };
        groups.chunk_by(is_larger).map(<[&[Job]]>::to_vec).collect()
    }
}

/// Returns the section of the page; `name` is the record's.
pub(super) fn section(name: &str, jobs: &Jobs) -> String {
    let mut text = format!(
        "\n## Whole jobs, beside other tools\n\n\
         Processor time of all threads and the system, and peak memory, of the commands as people run them, in turns: the best of the runs.\n\
         `fanmill-bench peers --code DIR --sizes N,N --corpus FILE` measured this into `bench/record/{name}`, on {}\n\
         with {} threads, {}. Tools do not all do the same, so each has a sentence on what it did.\n",
        jobs.processor.as_deref().unwrap_or("an unknown processor"),
        jobs.threads,
        jobs.day,
    );
    for sizes in jobs.by_input() {
        let Some(&whole) = sizes.last() else { continue };
        let Input { name, files, bytes } = &whole[0].input;
        let files = fanmill_text::counted::counted(*files, "file", "files");
        let _ = write!(
            text,
            "\n### {}: {name}, {files}, {:.1} MB\n\n",
            capitalised(&whole[0].does),
            *bytes as f64 / 1e6
        );
        if sizes.len() > 1 {
            let _ = write!(
                text,
                "![Processor time of each tool by the size of its input](images/peers.svg)\n\n\
                 CPU s of parts of it, and of all:\n\n{}\n",
                growth(&sizes)
            );
        }
        text.push_str(
            "| | version | CPU s | times Fanmill's | peak MB |\n|---|---|---:|---:|---:|\n",
        );
        for job in whole {
            let [seconds, ratio, peak] = job.cells();
            let _ =
                writeln!(text, "| {} | {} | {seconds} | {ratio} | {peak} |", job.tool, job.version);
        }
        text.push('\n');
        for job in whole {
            let _ = writeln!(text, "- {}", job.sentence());
        }
    }
    text
}

/// Returns the table of the tools' times by the size of the input.
fn growth(sizes: &[&[Job]]) -> String {
    let heads = sizes.iter().map(|of_size| {
        let Input { files, bytes, .. } = &of_size[0].input;
        format!("{files} files, {:.1} MB", *bytes as f64 / 1e6)
    });
    let heads: Vec<String> = heads.collect();
    let mut table = format!("| | {} |\n|---|{}\n", heads.join(" | "), "---:|".repeat(heads.len()));
    for tool in tools(sizes) {
        let cells = sizes.iter().map(|of_size| {
            let job = of_size.iter().find(|job| job.tool == tool);
            job.map(|job| job.cells()[0].clone()).unwrap_or_default()
        });
        let _ = writeln!(table, "| {tool} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    table
}

/// Returns the tools that took the largest input.
fn tools<'j>(sizes: &[&'j [Job]]) -> impl Iterator<Item = &'j str> {
    sizes.last().into_iter().flat_map(|whole| whole.iter().map(|job| &*job.tool))
}

/// Returns the figure of work against time, of the first input that was taken in several sizes.
pub(super) fn figure(jobs: &Jobs) -> Option<Figure> {
    let sizes = jobs.by_input().into_iter().find(|sizes| sizes.len() > 1)?;
    let series = tools(&sizes).map(|tool| {
        let of_tool = sizes.iter().filter_map(|of_size| {
            let job = of_size.iter().find(|job| job.tool == tool)?;
            Some((job.input.bytes as f64 / 1e6, job.cpu_seconds?))
        });
        Series { name: tool.to_owned(), style: Style::Line, points: of_tool.collect() }
    });
    let axis = |label: &str| Axis { label: label.to_owned(), scale: Scale::Log, names: Vec::new() };
    Some(Figure {
        name: "peers",
        title: format!("Work against time: {}, {}", sizes[0][0].input.name, jobs.day),
        x: axis("MB of programs"),
        y: axis("processor time, s"),
        series: series.collect(),
        lines: Vec::new(),
    })
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

impl Job {
    /// Returns the seconds, the ratio and the memory.
    fn cells(&self) -> [String; 3] {
        let megabytes = self.peak_bytes.map(|bytes| format!("{:.0}", bytes as f64 / 1e6));
        [
            self.cpu_seconds.map(|seconds| format!("{seconds:.2}")).unwrap_or_default(),
            self.cpu_ratio.map(times).unwrap_or_default(),
            megabytes.unwrap_or_default(),
        ]
    }

    fn sentence(&self) -> String {
        let [seconds, ratio, peak] = self.cells();
        let Job { tool, does, .. } = self;
        if self.cpu_seconds.is_none() {
            let trouble = self.trouble.as_deref().unwrap_or("it did not come to an end");
            return format!("{tool} was to give {does}: {trouble}.");
        }
        let runs = match self.runs {
            1 => "in one run".to_owned(),
            runs => format!("the best of {runs} runs"),
        };
        let beside = if tool == OURS {
            String::new()
        } else {
            format!(", {ratio} times what Fanmill takes")
        };
        format!("{tool} gives {does}: {seconds} s{beside}, and {peak} MB at its peak, {runs}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_input_are_one_figure() {
        let job = |tool: &str, files, seconds| Job {
            input: Input { name: "set".to_owned(), files, bytes: files * 1_000_000 },
            tool: tool.to_owned(),
            version: "1".to_owned(),
            does: "all pairs".to_owned(),
            runs: 1,
            cpu_seconds: seconds,
            peak_bytes: None,
            cpu_ratio: None,
            trouble: None,
        };
        let figures = vec![
            job(OURS, 1, Some(0.5)),
            job("other", 1, Some(1.0)),
            job(OURS, 2, Some(1.0)),
            job("other", 2, None),
            job(OURS, 2, Some(3.0)),
        ];
        let jobs = Jobs { day: "today".to_owned(), processor: None, threads: 1, figures };
        let sizes: Vec<usize> = jobs.by_input().iter().map(Vec::len).collect();
        assert_eq!(sizes, [2, 1], "the last is another job");
        let drawn: Vec<_> = figure(&jobs).expect("a figure").series;
        let points = drawn.into_iter().map(|series| (series.name, series.points));
        let expected = [(OURS, vec![(1.0, 0.5), (2.0, 1.0)]), ("other", vec![(1.0, 1.0)])];
        assert!(points.eq(expected.map(|(name, points)| (name.to_owned(), points))));
        assert!(section("record", &jobs).contains("| other | 1.00 |  |\n"));
    }

    #[test]
    fn a_tool_that_did_not_end_has_a_sentence_too() {
        let job = |trouble: Option<&str>, seconds| Job {
            input: Input { name: "set".to_owned(), files: 1, bytes: 2 },
            tool: "tool".to_owned(),
            version: "1".to_owned(),
            does: "pairs".to_owned(),
            runs: 3,
            cpu_seconds: seconds,
            peak_bytes: Some(5_000_000),
            cpu_ratio: seconds,
            trouble: trouble.map(str::to_owned),
        };
        assert_eq!(job(Some("no memory"), None).sentence(), "tool was to give pairs: no memory.");
        assert_eq!(
            job(None, Some(12.0)).sentence(),
            "tool gives pairs: 12.00 s, 12 times what Fanmill takes, and 5 MB at its peak, the best of 3 runs."
        );
    }
}
