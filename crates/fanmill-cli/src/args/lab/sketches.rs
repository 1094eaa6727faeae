//! The arguments of the experiments on sketches: `filter`, `minwise`, `leadbyte`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use fanmill_lab::filter::Spec;

use super::{CommonArgs, LabInputArgs, ReadAsArg};
use crate::args::ConfiguredLimitArgs;

const FILTER_EXAMPLES: &str = "\
Repeats \"Features vs. full sketch\" and \"8 bytes are enough!\" of Broder's
slides, \"Algorithms for duplicate documents\".

Examples:
  The slides' curves, and those of `dedup`:
    fanmill lab filter -o lab/

  Two filters, one of them on the fast similarity sketch:
    fanmill lab filter --filter 6x14,r=2 --filter fss:16x8,r=2

  The cheapest filter that finds 95 % of pairs at .9, one in a million at .5:
    fanmill lab filter --recall .95 --at .9 --false-positive 1e-6 --at-most .5";

#[derive(Debug, Args)]
#[command(after_help = FILTER_EXAMPLES)]
pub(crate) struct FilterArgs {
    /// Filter: 6x14,r=2 for 2 of 6 groups of 14 registers; 84,T=76 for 76 of 84 registers; bits=8 for
    /// features of one byte; the prefix fss: or lead: for a sketch other than permutations (MinHash).
    /// May be given several times [default: those of the slides and of `dedup`].
    #[arg(long = "filter", value_name = "FILTER")]
    pub(crate) filters: Vec<Spec>,

    /// Resemblances (Jaccard) shown in the tables, ascending.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = ".5,.6,.7,.8,.85,.9,.95,.98"
    )]
    pub(crate) resemblance: Vec<f64>,

    /// Number of pairs that are actually sketched, for each filter.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) trials: u32,

    /// Number of shingles in such a pair, counted over both.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) members: u32,

    /// Resemblance of unrelated documents.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub(crate) unrelated: f64,

    /// Sizes of collections for which accidental matches are counted.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "50000,85000000,1000000000"
    )]
    pub(crate) documents: Vec<u64>,

    #[command(flatten)]
    pub(crate) wish: WishArgs,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "The cheapest filter")]
pub(crate) struct WishArgs {
    /// Accept at least this share of the pairs whose resemblance is --at.
    #[arg(long, value_name = "SHARE", requires_all = ["at", "false_positive", "at_most"])]
    pub(crate) recall: Option<f64>,

    /// Resemblance of pairs to accept.
    #[arg(long, value_name = "RESEMBLANCE", requires = "recall")]
    pub(crate) at: Option<f64>,

    /// Accept at most this share of the pairs whose resemblance is --at-most.
    #[arg(long, value_name = "SHARE", requires = "recall")]
    pub(crate) false_positive: Option<f64>,

    /// Resemblance of pairs to refuse.
    #[arg(long, value_name = "RESEMBLANCE", requires = "recall")]
    pub(crate) at_most: Option<f64>,

    /// Maximum number of registers for a document.
    #[arg(long, value_name = "N", default_value_t = 512, requires = "recall")]
    pub(crate) registers: u32,

    /// Feature sizes to choose from, in bits; candidates can be looked up by 32 bits or more.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "8,16,32,64",
        requires = "recall"
    )]
    pub(crate) bits: Vec<u32>,

    /// What should be small.
    #[arg(long, value_enum, default_value = "bytes", requires = "recall")]
    pub(crate) cheapest: CostArg,

    /// Number of filters listed.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "recall")]
    pub(crate) offers: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostArg {
    /// Bytes stored for a document.
    Bytes,
    /// Registers computed for a document.
    Registers,
}

/// Documents as sets of shingles, if there are any.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct ShingleArgs {
    /// Folders, files or archives (zip, tar, tar.gz, tar.zst); each file is a document, read as
    /// words.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Length of a shingle, in words.
    #[arg(long, value_name = "N", default_value_t = 5, requires = "paths", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) words: u32,

    /// Read only files whose name or path matches this pattern. May be given several times.
    #[arg(long, value_name = "GLOB", requires = "paths")]
    pub(crate) include: Vec<String>,

    /// Skip files and folders that match this pattern. Overrides --include.
    #[arg(long, value_name = "GLOB", requires = "paths")]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: ConfiguredLimitArgs,
}

impl ShingleArgs {
    /// Returns these documents as the inputs of any experiment, read as words.
    pub(crate) fn inputs(&self) -> LabInputArgs {
        LabInputArgs {
            paths: self.paths.clone(),
            random: None,
            read_as: ReadAsArg::Words,
            noise: None,
            guarantee: None,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            limits: self.limits.clone(),
        }
    }
}

const MINWISE_EXAMPLES: &str = "\
Repeats \"MWI issues\" and \"Quality of MWI families\" of Broder's slides,
\"Algorithms for duplicate documents\".

Examples:
  Every family on every kind of set:
    fanmill lab minwise -o lab/

  Also on the shingles of these pages, with smaller errors:
    fanmill lab minwise manual/ --draws 200000";

#[derive(Debug, Args)]
#[command(after_help = MINWISE_EXAMPLES)]
pub(crate) struct MinwiseArgs {
    #[command(flatten)]
    pub(crate) inputs: ShingleArgs,

    /// Number of members of a set; if documents are given, the same number of their shingles makes
    /// another set.
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) members: u32,

    /// Number of permutations drawn from each family.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) draws: u32,

    /// Number of samples in a sketch.
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub(crate) samples: u32,

    /// Resemblances (Jaccard) to estimate.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = ".5,.9")]
    pub(crate) resemblance: Vec<f64>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const LEADBYTE_EXAMPLES: &str = "\
Repeats \"How often do we have to compute (or store) the tail?\" of Broder's
slides, \"Algorithms for duplicate documents\".

Examples:
  Random sets of all sizes:
    fanmill lab leadbyte -o lab/

  Also these pages, and the time that sketches take on this machine:
    fanmill lab leadbyte manual/ --time";

#[derive(Debug, Args)]
#[command(after_help = LEADBYTE_EXAMPLES)]
pub(crate) struct LeadbyteArgs {
    #[command(flatten)]
    pub(crate) inputs: ShingleArgs,

    /// Number of registers in a sketch.
    #[arg(long, value_name = "N", default_value_t = 84)]
    pub(crate) registers: u32,

    /// Sizes of random sets, in shingles, ascending.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "10,30,100,300,1000,4000,10000,100000"
    )]
    pub(crate) sizes: Vec<u64>,

    /// Number of times that lead bytes are drawn until the first 0.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) runs: u32,

    /// Measure the time of sketches on random sets; the figures then differ from run to run.
    #[arg(long)]
    pub(crate) time: bool,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
