//! The arguments of `fanmill lab`: one struct an experiment, in a file of its own if it is large.

mod calibrate;
mod frequency;
mod sketches;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::ConfiguredLimitArgs;

pub(crate) use calibrate::CalibrateArgs;
pub(crate) use frequency::FrequencyArgs;
pub(crate) use sketches::{CostArg, FilterArgs, LeadbyteArgs, MinwiseArgs, ShingleArgs, WishArgs};

/// The winnowing paper's thresholds for characters (§5.1): grams of 50, windows of 100.
pub(crate) const PAPER: (u32, u32) = (50, 149);

const EXAMPLES: &str = concat!(
    "\
Examples:
  How much do selectors keep of these pages, compared with theory?
    fanmill lab density manual/ -o lab/

  The same on random text, as the paper did first:
    fanmill lab density --random 8MiB

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
    /// How many of the hashes does each selector keep, and does its guarantee hold? (Winnowing, §5.1)
    Density(DensityArgs),
    /// How far apart are fingerprints, and what is the text where they are farthest? (Winnowing, §5.1)
    Gaps(GapsArgs),
    /// How often does 0 mod p keep nothing of a window, and what does its safe variant cost?
    /// (Winnowing, §3.1.1 and §3.1.2)
    Miss(MissArgs),
    /// How often does each gram occur, and which strings are the commonest? (Winnowing, §5.1)
    Frequency(FrequencyArgs),
    /// How long must a match be to rule out coincidence? Finds --noise and --guarantee. (Winnowing,
    /// §5.2)
    Calibrate(CalibrateArgs),
    /// Which pairs does a filter on sketches accept, and which filter is cheapest for a purpose?
    /// (Broder's slides, "Features vs. full sketch")
    Filter(FilterArgs),
    /// How far are families of permutations from min-wise independent? (Broder's slides, "Quality of
    /// MWI families")
    Minwise(MinwiseArgs),
    /// How often is the tail of an image computed, and what does that save? (Broder's slides, "How often
    /// do we have to compute (or store) the tail?")
    Leadbyte(LeadbyteArgs),
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

    /// What is written to standard output.
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

/// The arguments of experiments on documents: files, or random text.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct LabInputArgs {
    /// Folders, files or archives (zip, tar, tar.gz, tar.zst); each file is a document.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath, conflicts_with = "random")]
    pub(crate) paths: Vec<PathBuf>,

    /// Use random text of this size instead of files, 64 MiB at most: letters from a to z.
    #[arg(long, value_name = "SIZE")]
    pub(crate) random: Option<String>,

    /// What a token is.
    #[arg(long, value_enum, default_value = "characters")]
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
    /// What `fanmill compare` reads: tokens of each file's language, or words.
    Auto,
}

const DENSITY_EXAMPLES: &str = "\
Repeats §5.1 and Figure 3 of Schleimer, Wilkerson & Aiken, SIGMOD 2003.

Examples:
  Figure 3 on any pages:
    fanmill lab density /usr/share/doc/ --include '*.html' -o lab/

  The paper's first experiment:
    fanmill lab density --random 8MiB

  What `compare` would keep of a class's programs:
    fanmill lab density submissions/ --read-as auto";

#[derive(Debug, Args)]
#[command(after_help = DENSITY_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct DensityArgs {
    #[command(flatten)]
    pub(crate) inputs: LabInputArgs,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const GAPS_EXAMPLES: &str = "\
Repeats what §1 and §5.1 of Schleimer, Wilkerson & Aiken, SIGMOD 2003, say
about gaps and about strings that repeat themselves.

Examples:
  Where would 0 mod p keep nothing, and what repeats there?
    fanmill lab gaps logs/ -o lab/

  The same for programs, as tokens, with shorter thresholds:
    fanmill lab gaps src/ --read-as auto --noise 11 --guarantee 24";

#[derive(Debug, Args)]
#[command(after_help = GAPS_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct GapsArgs {
    #[command(flatten)]
    pub(crate) inputs: LabInputArgs,

    /// Number of passages with the largest gaps, and of repeated strings, that are shown.
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Results")]
    pub(crate) top: usize,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const MISS_EXAMPLES: &str = "\
Repeats §3.1.1 and §3.1.2 of Schleimer, Wilkerson & Aiken, SIGMOD 2003. Needs
no files; if some are given, it also measures on their hashes.

Examples:
  The paper's 13.5 %, by formula and by measurement:
    fanmill lab miss

  Also on these documents, for one window:
    fanmill lab miss essays/ --window 100 -o lab/";

#[derive(Debug, Args)]
#[command(after_help = MISS_EXAMPLES)]
pub(crate) struct MissArgs {
    #[command(flatten)]
    pub(crate) inputs: LabInputArgs,

    /// Lengths of windows, in hashes.
    #[arg(
        long,
        value_name = "W",
        value_delimiter = ',',
        default_value = "5,10,20,50,100,200,500,1000",
        help_heading = "Measuring"
    )]
    pub(crate) window: Vec<usize>,

    /// Number of random windows of each length.
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Measuring")]
    pub(crate) trials: u64,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
