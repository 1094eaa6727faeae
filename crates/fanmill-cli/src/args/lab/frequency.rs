//! The arguments of `fanmill lab frequency`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{CommonArgs, LabInputArgs};

const EXAMPLES: &str = "\
Repeats Figure 4 of Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1.

Examples:
  What do these programs have in common? Write it as a base, and ignore it:
    fanmill lab frequency submissions/ --write-base common.java
    fanmill compare submissions/ --base common.java -o report/

  The paper's curves on pages:
    fanmill lab frequency manual/ --read-as characters --include '*.html'";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct FrequencyArgs {
    #[command(flatten)]
    pub(crate) inputs: LabInputArgs,

    /// Selector of fingerprints, as for `fanmill compare --select`.
    #[arg(long, value_name = "SELECTOR", default_value = "winnow")]
    pub(crate) select: String,

    /// Treat as boilerplate whatever appears in more than N documents (2 or more), or in more than N %.
    #[arg(long, value_name = "N|%", default_value = "30%")]
    pub(crate) max_docs: String,

    /// Number of strings shown, most frequent first.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) strings: usize,

    /// Write the boilerplate to this file, for `fanmill compare --base`. Give it the documents' extension,
    /// so that it is read as they are.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) write_base: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
