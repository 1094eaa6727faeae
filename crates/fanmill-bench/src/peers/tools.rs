//! The tools: the commands for their versions and for the job.
//!
//! Each tool gets the input that its users give it: submissions as files, a corpus by its path, and its own default
//! settings where these exist. Tools that are libraries run through `near_duplicates.py`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::dedup::rivals::SCRIPT;
use crate::runs;

/// A program that finds copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// `fanmill compare`.
    Compare,
    Compare50,
    Copydetect,
    Dolos,
    Sim,
    Jscpd,
    /// `fanmill dedup`.
    Dedup,
    Rensa,
    Gaoya,
    Datasketch,
    Daft,
    /// `fanmill dedup --unit run`.
    Runs,
    /// A suffix array of all words, by `libsais`.
    SuffixArray,
}

/// Tools that compare programs; ours is first.
pub(super) const CODE: &[Tool] =
    &[Tool::Compare, Tool::Compare50, Tool::Copydetect, Tool::Dolos, Tool::Sim, Tool::Jscpd];

/// Tools that find near-duplicates in a corpus; ours is first.
pub(super) const CORPUS: &[Tool] =
    &[Tool::Dedup, Tool::Rensa, Tool::Gaoya, Tool::Datasketch, Tool::Daft];

/// Tools that find repeated runs in a corpus; ours is first.
pub(super) const RUNS: &[Tool] = &[Tool::Runs, Tool::SuffixArray];

/// The input of a measurement, and the places it uses.
pub(super) struct Work {
    binary: PathBuf,
    pub(super) input: PathBuf,
    /// The files of the input, in order.
    files: Vec<PathBuf>,
    folder: PathBuf,
    /// The search path for programs.
    path: OsString,
}

impl Tool {
    /// Returns the tool's name, as its authors write it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Compare | Tool::Dedup | Tool::Runs => "Fanmill",
            Tool::Compare50 => "compare50",
            Tool::Copydetect => "copydetect",
            Tool::Dolos => "Dolos",
            Tool::Sim => "SIM",
            Tool::Jscpd => "jscpd",
            Tool::Rensa => "rensa",
            Tool::Gaoya => "gaoya",
            Tool::Datasketch => "datasketch",
            Tool::Daft => "daft",
            Tool::SuffixArray => "libsais",
        }
    }

    /// Returns a description of the tool's work on the input.
    pub(super) fn does(self) -> &'static str {
        match self {
            Tool::Compare => "all pairs, a report with passages",
            Tool::Compare50 => "all pairs by fingerprints, pages of the 50 best",
            Tool::Copydetect => "all pairs by fingerprints, a page of those above its threshold",
            Tool::Dolos => "all pairs by fingerprints, as CSV",
            Tool::Sim => "runs of tokens of all pairs, as percentages",
            Tool::Jscpd => "repeated runs of tokens, as JSON",
            Tool::Dedup => "candidates, verified; the corpus without its duplicates",
            Tool::Rensa | Tool::Gaoya | Tool::Datasketch | Tool::Daft => "candidate pairs only",
            Tool::Runs => "repeated runs of 50 words; the corpus without them",
            Tool::SuffixArray => "repeated runs of 50 words, as their number only",
        }
    }

    /// Returns whether it is a Python package, whose version Python reports.
    fn is_python(self) -> bool {
        match self {
            Tool::Compare50
            | Tool::Copydetect
            | Tool::Rensa
            | Tool::Gaoya
            | Tool::Datasketch
            | Tool::Daft => true,
            Tool::Compare
            | Tool::Dedup
            | Tool::Dolos
            | Tool::Sim
            | Tool::Jscpd
            | Tool::Runs
            | Tool::SuffixArray => false,
        }
    }
}

impl Work {
    pub(super) fn new(
        binary: PathBuf,
        input: &Path,
        folder: &Path,
        tools: Option<&Path>,
    ) -> Result<Work> {
        let mut files = Vec::new();
        if input.is_dir() {
            for entry in fs::read_dir(input)? {
                files.push(entry?.path());
            }
        }
        files.sort();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let places = tools.map(Path::to_owned).into_iter().chain(std::env::split_paths(&others));
        let path = std::env::join_paths(places)?;
        fs::write(folder.join("near_duplicates.py"), SCRIPT)?;
        Ok(Work { binary, input: input.to_owned(), files, folder: folder.to_owned(), path })
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("PATH", &self.path);
        command
    }

    /// Returns the version of a tool; `None` if it is not installed.
    pub(super) fn version(&self, tool: Tool) -> Option<String> {
        if tool == Tool::SuffixArray {
            return runs::has_suffix_array().then(|| "-".to_owned());
        }
        let mut command = match tool {
            Tool::Compare | Tool::Dedup | Tool::Runs => Command::new(&self.binary),
            Tool::Dolos => self.program("dolos"),
            Tool::Jscpd => self.program("jscpd"),
            Tool::Sim => self.program("sim_text"),
            _ => self.program("python3"),
        };
        if tool.is_python() {
            let name = tool.name();
            command.arg("-c");
            command.arg(format!("import importlib.metadata as m; print(m.version('{name}'))"));
        } else {
            command.arg(if tool == Tool::Sim { "-v" } else { "--version" });
        }
        let output = command.output().ok().filter(|output| output.status.success())?;
        let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let said = String::from_utf8_lossy(&said);
        // Some tools print only the number, some also their name, and SIM also prints its build date.
        let is_number =
            |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
        let number = said.split_whitespace().find(is_number);
        let line = said.lines().next().unwrap_or_default().trim();
        Some(number.map_or(line, |number| number.trim_end_matches(',')).to_owned())
    }

    /// Returns the command for a run of a tool. Removes the output of an earlier run.
    pub(super) fn command(&self, tool: Tool) -> Result<Command> {
        let output = self.folder.join("out");
        remove(&output)?;
        // Tables lie beside a corpus.
        remove(&output.with_extension("fanmill"))?;
        let job = |job: &str| {
            let mut command = Command::new(&self.binary);
            command.arg(job).arg(&self.input).arg("--output").arg(&output).arg("--quiet");
            command
        };
        let library = || {
            let mut command = self.program("python3");
            command.arg(self.folder.join("near_duplicates.py")).arg(tool.name()).arg(&self.input);
            command
        };
        let mut command = match tool {
            Tool::Compare => job("compare"),
            Tool::Dedup => job("dedup"),
            Tool::Runs => {
                let mut command = job("dedup");
                command.args(["--unit", "run", "--threads", "1"]);
                command
            }
            Tool::SuffixArray => {
                let mut command = Command::new(std::env::current_exe()?);
                command.arg("suffix-array").arg(&self.input);
                command
            }
            Tool::Compare50 => {
                let mut command = self.program("compare50");
                command.args(&self.files).arg("--output").arg(&output);
                command
            }
            Tool::Copydetect => {
                let mut command = self.program("copydetect");
                command.arg("--test-dirs").arg(&self.input).arg("--extensions");
                command.arg(self.extension()?).arg("--disable-autoopen");
                command.arg("--out-file").arg(&output);
                command
            }
            Tool::Dolos => {
                let mut command = self.program("dolos");
                command.args(["run", "--output-format", "csv", "--output-destination"]);
                command.arg(&output).args(&self.files);
                command
            }
            Tool::Sim => {
                let mut command = self.program(self.sim()?);
                command.arg("-p").arg("-o").arg(&output).args(&self.files);
                command
            }
            Tool::Jscpd => {
                let mut command = self.program("jscpd");
                command.args(["--silent", "--reporters", "json", "--output"]);
                command.arg(&output).arg(&self.input);
                command
            }
            Tool::Rensa | Tool::Gaoya | Tool::Datasketch | Tool::Daft => library(),
        };
        // Progress messages of other tools are dropped.
        command.stdin(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }

    /// Returns the extension of the programs.
    fn extension(&self) -> Result<String> {
        let extension = self.files.first().and_then(|file| file.extension());
        let extension =
            extension.with_context(|| format!("no files in `{}`", self.input.display()))?;
        Ok(extension.to_string_lossy().into_owned())
    }

    /// Returns the program of SIM for the programs' language, or the one for texts.
    fn sim(&self) -> Result<&'static str> {
        Ok(match &*self.extension()? {
            "java" => "sim_java",
            "c" | "h" => "sim_c",
            "cpp" | "cc" => "sim_c++",
            _ => "sim_text",
        })
    }
}

/// Removes a file or a folder, if it is there.
fn remove(output: &Path) -> Result<()> {
    if output.is_dir() {
        fs::remove_dir_all(output)?;
    } else if output.exists() {
        fs::remove_file(output)?;
    }
    Ok(())
}
