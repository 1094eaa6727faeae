//! The arguments of `fanmill lab frequency`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CommonArgs, LabInputArgs};

const EXAMPLES: &str = "\
Repeats Figure 4 of Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1.

Examples:
  What do these programs repeat? Write it as a base, and compare without it:
    fanmill lab frequency submissions/ --write-base common.java
    fanmill compare submissions/ --base common.java -o report/

  The paper's curves on pages:
    fanmill lab frequency manual/ --read-as characters --include '*.html'";

#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    arg_required_else_help = true,
    mut_arg("read_as", |arg| arg.default_value("auto"))
)]
pub(crate) struct FrequencyArgs {
    #[command(flatten)]
    pub(crate) inputs: LabInputArgs,

    /// Which hashes are fingerprints: a selector, as `fanmill compare --select` takes it.
    #[arg(long, value_name = "SELECTOR", default_value = "winnow")]
    pub(crate) select: String,

    /// What more documents than this have is boilerplate: a number from 2 on, or a percentage.
    #[arg(long, value_name = "N|%", default_value = "30%")]
    pub(crate) max_docs: String,

    /// Strings shown, the commonest first.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) strings: usize,

    /// Write the boilerplate to this file, for `fanmill compare --base`. Give it the extension that
    /// the documents have, so that it is read as they are.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) write_base: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
