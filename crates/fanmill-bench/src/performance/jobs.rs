//! The section on whole jobs, made from the newest record of `fanmill-bench peers`.

use std::fmt::Write as _;

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

/// Returns the section of the page; `name` is the record's.
pub(super) fn section(name: &str, jobs: &Jobs) -> String {
    let mut text = format!(
        "\n## Whole jobs, beside other tools\n\n\
         Processor time of all threads and the system, and peak memory, of the commands as people run them, in turns: the best of the runs.\n\
         `fanmill-bench peers --code DIR --corpus FILE` measured this into `bench/record/{name}`, on {}\n\
         with {} threads, {}. Tools do not all do the same, so each has a sentence on what it did.\n",
        jobs.processor.as_deref().unwrap_or("an unknown processor"),
        jobs.threads,
        jobs.day,
    );
    // The record lists the runs input by input.
    for of_input in jobs.figures.chunk_by(|x, y| x.input == y.input) {
        let Input { name, files, bytes } = &of_input[0].input;
        let files = fanmill_text::counted::counted(*files, "file", "files");
        let _ = write!(
            text,
            "\n### {name}: {files}, {:.1} MB\n\n\
             | | version | CPU s | times Fanmill's | peak MB |\n|---|---|---:|---:|---:|\n",
            *bytes as f64 / 1e6
        );
        for job in of_input {
            let [seconds, ratio, peak] = job.cells();
            let _ =
                writeln!(text, "| {} | {} | {seconds} | {ratio} | {peak} |", job.tool, job.version);
        }
        text.push('\n');
        for job in of_input {
            let _ = writeln!(text, "- {}", job.sentence());
        }
    }
    text
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
        let runs = fanmill_text::counted::counted(self.runs as u64, "run", "runs");
        let beside = if tool == "Fanmill" {
            String::new()
        } else {
            format!(", {ratio} times what Fanmill takes")
        };
        format!(
            "{tool} gives {does}: {seconds} s{beside}, and {peak} MB at its peak, the best of {runs}."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
