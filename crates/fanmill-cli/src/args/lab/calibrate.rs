//! The arguments of `fanmill lab calibrate`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CommonArgs, LabInputArgs};

const EXAMPLES: &str = "\
Measures the sharp threshold of Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2.

Examples:
  Which thresholds fit last year's programs? Compare this year's with them:
    fanmill lab calibrate last-year/ --write-config fanmill.toml -o lab/
    fanmill compare this-year/ --config fanmill.toml -o report/

  Stricter: one unrelated pair in a thousand may match.
    fanmill lab calibrate essays/ --tolerate 0.1% --pairs 10000";

#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    arg_required_else_help = true,
    mut_arg("noise", |arg| arg.hide(true)),
    mut_arg("guarantee", |arg| arg.hide(true))
)]
pub(crate) struct CalibrateArgs {
    #[command(flatten)]
    pub(crate) inputs: LabInputArgs,

    /// Number of pairs of documents compared, for each kind of text; 100,000 at most.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) pairs: usize,

    /// Number of times each pair is scrambled, from 1 to 100.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) scrambles: u64,

    /// Leave out pairs that have more than this share of the shorter document in common, as related:
    /// 0.4, or 40%.
    #[arg(long, value_name = "SHARE", default_value = "40%")]
    pub(crate) related: String,

    /// Maximum share of unrelated pairs that match nevertheless: 0.01, or 1%.
    #[arg(long, value_name = "SHARE", default_value = "1%")]
    pub(crate) tolerate: String,

    /// Write the thresholds to this new file, for `fanmill compare --config`. An existing file is not
    /// replaced.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) write_config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
