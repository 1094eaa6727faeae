//! The arguments of `fanmill sift attack`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::ReadingArgs;
use crate::args::CommonArgs;

const EXAMPLES: &str = concat!(
    "\
Examples:
  How well does each scheme recognise these texts after deliberate changes?
    fanmill sift attack articles/ -o bench/

  Which gram length, which probability of taking a word, which threshold?
    fanmill sift attack texts/ --length 4 --probability 0.2,0.3 --min-score 0.1

  Which length, reduction and number of common values find most, at one false
  positive in 50,000 pairs?
    fanmill sift attack articles/ --search --scheme short --length 3,4,5,6 \\
      --reduction 'pow2(n=32),pow2(n=48)' --min-common 2,3,4,5

  Mail, with its own profile and another one:
    fanmill sift attack inbox.mbox --scheme mail \\
      --scheme 'mail-letters@1/space(l=20,p=0.3)/min(m=20)'

  The paper's Table 2, ours beside theirs:
    fanmill sift attack newswire/ --table2

The keys are derived from --seed, for measuring only: anyone can derive them,
and no store uses them. docs/sift.md says how to choose by the tables.

",
    exit_statuses!(
        2: "the command line is wrong",
        3: "an input is missing or has the wrong shape, or there are too few texts",
    )
);

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct AttackArgs {
    /// Texts to attack, and to compare with each other: folders, files, archives or mailboxes; `-` for
    /// standard input. Each file, entry or message is a text.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// Scheme to measure: standard, short, mail, paper-slide, paper-skip, paper-slide-part,
    /// paper-skip-part, or a profile written out. May be given several times [default: all but short].
    #[arg(long = "scheme", value_name = "PROFILE")]
    pub(crate) schemes: Vec<String>,

    /// Measure each scheme with grams of this many words or letters; without --scheme, the standard profile.
    #[arg(long = "length", value_name = "WORDS", value_delimiter = ',')]
    pub(crate) lengths: Vec<u32>,

    /// Measure each scheme with this probability of taking a word or letter.
    #[arg(long = "probability", value_name = "P", value_delimiter = ',')]
    pub(crate) probabilities: Vec<String>,

    /// Measure each scheme with this reduction, such as `pow2(n=32)`.
    #[arg(long = "reduction", value_name = "REDUCTION", value_delimiter = ',')]
    pub(crate) reductions: Vec<String>,

    /// Print what each scheme finds with each number of common values, at the lowest threshold whose false
    /// positives are rare enough, beside 32 minima of three-word shingles.
    #[arg(long)]
    pub(crate) search: bool,

    /// With --search: maximum share of unrelated pairs called copies [default: 0.00002].
    #[arg(long, value_name = "RATE", requires = "search")]
    pub(crate) false_rate: Option<String>,

    /// Thresholds to measure: minimum share of the smaller fingerprint that a copy has in common, from 0
    /// to 1 [default: 0.05,0.08,0.12,0.2,0.3].
    #[arg(long = "min-score", value_name = "S3", value_delimiter = ',')]
    pub(crate) thresholds: Vec<String>,

    /// Minimum number of values that a copy has in common with its original; with --search, several
    /// [default: that of `check`; with --search, 2,3,4,5,6].
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub(crate) min_common: Vec<usize>,

    /// Number of keys to average over.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) keys: u32,

    /// Maximum number of texts that are attacked; of more texts, a sample.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) documents: usize,

    /// Maximum number of texts of which all pairs are compared; of more texts, a sample.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) unrelated: usize,

    /// Leave out pairs whose shorter text has at least this share of its five-word shingles in the other:
    /// they are similar, so finding them is not an error.
    #[arg(long, value_name = "SHARE", default_value = "0.1")]
    pub(crate) related: String,

    /// Print the paper's Table 2 instead, our figures beside theirs, with the range that correct
    /// implementations fall into: for samples of 100 texts of 1 to 6 kB.
    #[arg(long, conflicts_with_all = [
        "schemes", "lengths", "probabilities", "thresholds", "min_common", "documents", "unrelated", "related",
        "reductions", "search",
    ])]
    pub(crate) table2: bool,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
