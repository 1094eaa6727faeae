//! What `fanmill sift attack` takes.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::ReadingArgs;
use crate::args::CommonArgs;

const EXAMPLES: &str = concat!(
    "\
Examples:
  What do changes on purpose do to these texts, under which scheme?
    fanmill sift attack articles/ -o bench/

  Which length, which chance of a word to be taken, which threshold?
    fanmill sift attack texts/ --length 4 --probability 0.2,0.3 --threshold 0.1

  Mail, with its own profile and another one:
    fanmill sift attack inbox.mbox --scheme mail --scheme 'mail-letters@1/space(l=20,p=0.3)/min(m=20)'

  The paper's Table 2, ours beside theirs:
    fanmill sift attack newswire/ --table2

Keys are made from --seed, for measuring: anybody can make them again, and no
store has them.
docs/sift.md says how to choose by the tables.

",
    exit_statuses!(
        2: "the command line is wrong",
        3: "an input is missing or has the wrong shape, or there are too few texts",
    )
);

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct AttackArgs {
    /// Texts to attack, and to compare with each other: folders, files, archives or mailboxes; `-`
    /// for standard input. One text each file, entry or message.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// A scheme to measure, may be given several times: standard, short, mail, paper-slide, paper-skip,
    /// paper-slide-part, paper-skip-part, or a profile's own text [default: all of these but short].
    #[arg(long = "scheme", value_name = "PROFILE")]
    pub(crate) schemes: Vec<String>,

    /// Measure the standard profile with grams of so many words.
    #[arg(long = "length", value_name = "WORDS", value_delimiter = ',')]
    pub(crate) lengths: Vec<u32>,

    /// Measure the standard profile with this chance of a word to be taken, with each length.
    #[arg(long = "probability", value_name = "P", value_delimiter = ',')]
    pub(crate) probabilities: Vec<String>,

    /// Share of the smaller fingerprint that a copy has in common, from 0 to 1: those to choose from
    /// [default: 0.05,0.08,0.12,0.2,0.3].
    #[arg(long = "threshold", value_name = "S3", value_delimiter = ',')]
    pub(crate) thresholds: Vec<String>,

    /// Values that a copy has in common with the original, at least [default: 2].
    #[arg(long, value_name = "N")]
    pub(crate) min_common: Option<usize>,

    /// Keys to average over.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) keys: u32,

    /// Texts that are attacked; a sample, if there are more.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) documents: usize,

    /// Texts of which all pairs are compared; a sample, if there are more.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) unrelated: usize,

    /// Leave out pairs of which the shorter text has this share of its shingles of five words in the
    /// other: they resemble each other, and to find them is no error.
    #[arg(long, value_name = "SHARE", default_value = "0.1")]
    pub(crate) related: String,

    /// Print the paper's Table 2 instead, ours beside theirs, with the bands of correct
    /// implementations: of samples of 100 of the texts, of 1 to 6 kB.
    #[arg(long, conflicts_with_all = [
        "schemes", "lengths", "probabilities", "thresholds", "min_common", "documents", "unrelated", "related",
    ])]
    pub(crate) table2: bool,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
