//! `fanmill-bench courses`: a course whose people hand in what tools left beside their programs.
//!
//! Each person has a program of their own, and beside it an environment, a lock file, build outputs or a data set, as
//! the tools of this machine write them; some have another person's program. Of the best pairs of a default run, it
//! prints the share of matched tokens that are in the people's own files, and the ranks of the copies.
//!
//! Cost: one comparison; making an environment takes some seconds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use crate::child;
use crate::promises::programs::{Program, ProgramArgs};

#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    programs: ProgramArgs,
    /// Number of people.
    #[arg(long, value_name = "N", default_value_t = 60)]
    people: usize,
    /// The command to measure [default: `fanmill` beside this program].
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

/// Number of pairs at the top of the list that are looked at.
const TOP: usize = 20;

/// Number of people who have another person's program.
const COPIES: usize = 5;

/// A tool, the commands that make it write its files in an empty folder, and the share of people who have these: one in
/// so many.
struct Tool {
    name: &'static str,
    commands: &'static [&'static [&'static str]],
    every: usize,
}

const TOOLS: [Tool; 4] = [
    Tool { name: "venv", commands: &[&["python3", "-m", "venv", "venv"]], every: 3 },
    Tool {
        name: "cargo",
        commands: &[
            &["cargo", "init", "--quiet", "--vcs", "none", "--name", "homework", "."],
            &["cargo", "build", "--quiet", "--offline", "--target-dir", "target"],
        ],
        every: 4,
    },
    Tool {
        name: "npm",
        commands: &[
            &["npm", "init", "--yes"],
            &["npm", "install", "--package-lock-only", "--ignore-scripts", "express", "webpack"],
        ],
        every: 2,
    },
    Tool {
        name: "cc",
        commands: &[&[
            "sh",
            "-c",
            "echo 'int main(void){return 0;}' > t.c; cc -S -g t.c; cc -c t.c",
        ]],
        every: 5,
    },
];

/// Makes the course, compares it, and prints the figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    let registry = fanmill_lang::registry();
    let programs = options.programs.read(&registry)?;
    ensure!(programs.len() >= options.people, "{} programs are too few", programs.len());
    let place = tempfile::tempdir()?;
    let course = place.path().join("course");
    let copies = write_people(&course, &programs, options.people)?;
    let tools = write_tools(place.path(), &course, options.people)?;
    println!(
        "{} people with what {} wrote, and a novel in half of the folders",
        options.people,
        tools.join(", ")
    );
    for everything in [false, true] {
        let output = place.path().join(format!("report-{everything}"));
        let seconds = compare(options.binary.as_deref(), &course, everything, &output)?;
        let report: Value = serde_json::from_slice(&fs::read(output.join("report.json"))?)?;
        let what = if everything { "all files" } else { "own files" };
        println!("{what}: {seconds:.2} s of processor time");
        print_figures(&report, &copies, options.programs.front_end(&registry)?.claims().extensions);
    }
    Ok(())
}

/// Writes each person's program, and returns the pairs of people of whom one has the other's.
fn write_people(course: &Path, programs: &[Program], n: usize) -> Result<BTreeSet<[String; 2]>> {
    let person = |i: usize| format!("p{i:02}");
    let novel =
        "It had rained for three days, and the river was over its banks again. ".repeat(4000);
    let mut copies = BTreeSet::new();
    for i in 0..n {
        let folder = course.join(person(i));
        fs::create_dir_all(&folder)?;
        let of = if i % (n / COPIES) == 1 { i - 1 } else { i };
        if of != i {
            copies.insert([person(of), person(i)]);
        }
        let name = Path::new(&programs[i].name).file_name().context("a program without a name")?;
        fs::write(folder.join(name), &programs[of].text)?;
        if i % 2 == 0 {
            fs::write(folder.join("novel.txt"), &novel)?;
        }
    }
    Ok(copies)
}

/// Lets each tool write its files, and copies these into people's folders. Returns the names of the tools that are there.
fn write_tools(place: &Path, course: &Path, n: usize) -> Result<Vec<&'static str>> {
    let mut names = Vec::new();
    for tool in &TOOLS {
        let folder = place.join(tool.name);
        fs::create_dir_all(&folder)?;
        let run = |words: &&[&str]| {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).current_dir(&folder);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        if !tool.commands.iter().all(run) {
            println!("left out: {}, which is not here or failed", tool.name);
            continue;
        }
        for i in (0..n).filter(|i| i % tool.every == tool.every - 1) {
            let status = Command::new("cp")
                .arg("-r")
                .arg(folder.join("."))
                .arg(course.join(format!("p{i:02}")))
                .status()?;
            ensure!(status.success(), "cp ended with {status}");
        }
        names.push(tool.name);
    }
    Ok(names)
}

/// Compares the course, and returns the processor time in seconds.
fn compare(binary: Option<&Path>, course: &Path, everything: bool, output: &Path) -> Result<f64> {
    let mut command = Command::new(child::measured_program(binary)?);
    command.arg("compare").arg(course).arg("-o").arg(output).arg("--quiet");
    if everything {
        command.arg("--everything");
    }
    Ok(child::run(&mut command)?.seconds())
}

/// Prints the share of own tokens in the best pairs, and the ranks of the copies.
fn print_figures(report: &Value, copies: &BTreeSet<[String; 2]>, extensions: &[&str]) {
    let submissions: Vec<&Value> = report["submissions"].as_array().into_iter().flatten().collect();
    let name = |index: &Value| {
        submissions[index.as_u64().unwrap_or(0) as usize]["name"].as_str().unwrap_or("")
    };
    let (mut own, mut all) = (0, 0);
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
    let mut ranks = BTreeMap::new();
    for (rank, pair) in report["pairs"].as_array().into_iter().flatten().enumerate() {
        let mut names = [name(&pair["a"]).to_owned(), name(&pair["b"]).to_owned()];
        names.sort();
        if copies.contains(&names) {
            ranks.insert(names, rank + 1);
        }
        if rank >= TOP {
            continue;
        }
        let passages = pair["passages"].as_array().into_iter().flatten();
        for one in passages.flat_map(|passage| passage["matches"].as_array().into_iter().flatten())
        {
            let tokens = one["tokens"].as_u64().unwrap_or(0);
            let paths = ["a", "b"].map(|side| {
                let files = &submissions[pair[side].as_u64().unwrap_or(0) as usize]["files"];
                files[one[side]["file"].as_u64().unwrap_or(0) as usize]["path"].as_str()
            });
            let is_own = |path: &&str| !path.contains('/') && is_program(path, extensions);
            all += tokens;
            match paths.iter().flatten().find(|path| !is_own(path)) {
                None => own += tokens,
                Some(path) => *others.entry((*path).to_owned()).or_default() += tokens,
            }
        }
    }
    let share = own as f64 / f64::max(all as f64, 1.0);
    println!(
        "  of {all} matched tokens in the best {TOP} pairs, {share:.3} are in people's own files"
    );
    let mut others: Vec<(String, u64)> = others.into_iter().collect();
    others.sort_by_key(|(path, tokens)| (std::cmp::Reverse(*tokens), path.clone()));
    let named = others.iter().take(3).map(|(path, tokens)| format!("{tokens} in {path}"));
    println!("  the others: {}", named.collect::<Vec<_>>().join(", "));
    let ranks: Vec<usize> = ranks.into_values().collect();
    println!("  {} of {} copies listed, at ranks {ranks:?}", ranks.len(), copies.len());
}

fn is_program(path: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}
