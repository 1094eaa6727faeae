//! The arguments of `fanmill lab filter`.

use clap::{Args, ValueEnum};
use fanmill_lab::filter::Spec;

use super::CommonArgs;

const EXAMPLES: &str = "\
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
#[command(after_help = EXAMPLES)]
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

    /// Cost to minimise.
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
