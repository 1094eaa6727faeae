//! The arguments of `fanmill lab`, with a file for each experiment.

mod calibrate;
mod filter;
mod frequency;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::ConfiguredLimitArgs;

pub(crate) use calibrate::CalibrateArgs;
pub(crate) use filter::{CostArg, FilterArgs, WishArgs};
pub(crate) use frequency::FrequencyArgs;

/// The winnowing paper's thresholds for characters (§5.1): grams of 50, windows of 100.
pub(crate) const PAPER: (u32, u32) = (50, 149);

const EXAMPLES: &str = concat!(
    "\
Examples:
  Which thresholds fit last year's programs? Compare this year's with them:
    fanmill lab calibrate last-year/ --write-config fanmill.toml -o lab/
    fanmill compare this-year/ --config fanmill.toml -o report/

  What do these programs have in common? Write it as a base:
    fanmill lab frequency submissions/ --write-base common.java

docs/lab.md explains each experiment and its figure.

",
    exit_statuses!(
        2: "the command line is wrong",
        3: "an input is missing or has the wrong shape, or holds nothing to measure",
    )
);

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    pub(crate) experiment: Experiment,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Experiment {
    /// Count how often each gram occurs, and list the commonest strings (Winnowing, §5.1)
    Frequency(FrequencyArgs),
    /// Find --noise and --guarantee: how long a match must be to rule out coincidence (Winnowing,
    /// §5.2)
    Calibrate(CalibrateArgs),
    /// Compute which pairs a filter on sketches accepts, and find the cheapest one for a purpose
    /// (Broder's slides, "Features vs. full sketch")
    Filter(FilterArgs),
}

/// The arguments of every experiment.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct CommonArgs {
    /// Write the outcome to this folder: <experiment>.json, and each figure as
    /// <experiment>-<figure>.svg. Those of an earlier run of the same experiment are replaced.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,

    /// Refused with advice: figures are SVG.
    #[arg(long, hide = true)]
    pub(crate) png: bool,

    /// Format of standard output.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: LabFormat,

    /// Seed of the random numbers: the same seed gives the same outcome.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Number of threads, 1024 at most; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Print nothing but results and errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabFormat {
    /// Tables and findings, as text for people.
    Table,
    /// The whole outcome, as in <experiment>.json.
    Json,
}

/// The arguments of experiments on documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct LabInputArgs {
    /// Folders, files or archives (zip, tar, tar.gz, tar.zst); each file is a document.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Unit that is one token.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) read_as: ReadAsArg,

    /// Length of a gram, in tokens: nothing shorter matches.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) noise: Option<u32>,

    /// Always find shared passages of this many tokens; the window is guarantee - noise + 1.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) guarantee: Option<u32>,

    /// Read only files whose name or path matches this pattern. May be given several times.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Skip files and folders that match this pattern. Overrides --include.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: ConfiguredLimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReadAsArg {
    /// Letters and digits in lower case, without HTML tags: what the winnowing paper read.
    Characters,
    /// Words, without HTML tags.
    Words,
    /// As `fanmill compare` reads: tokens of each file's language, or words.
    Auto,
}
