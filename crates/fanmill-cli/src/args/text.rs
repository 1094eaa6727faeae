//! The arguments of `fanmill text`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use serde::Serialize;

use super::{ConfigArgs, ExtractionArgs, ReadLimitArgs};

const EXAMPLES: &str = concat!(
    "\
Examples:
  What is read of an essay, with its pages, and with what a reader does not see:
    fanmill text essay.pdf

  The tokens of a program that are compared:
    fanmill text --tokens Main.java

  Each message of a mailbox, as a mail program shows it:
    fanmill text inbox.mbox

",
    exit_statuses!(
        2: "the command line is wrong",
        3: "an input is missing or wrong",
        4: "done, but an input could not be read in full, and --strict was given",
    )
);

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct TextArgs {
    /// Files, folders, archives and mailboxes; `-` for standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    /// Print the tokens that are compared: line, kind and spelling. Names, numbers and strings of code are compared
    /// by their kind alone.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) tokens: bool,

    /// Read every file as this language instead of choosing by name; see `fanmill languages`.
    #[arg(long, value_name = "NAME")]
    pub(crate) lang: Option<String>,

    /// Name of the file that standard input is read as.
    #[arg(long, value_name = "NAME", default_value = "stdin")]
    #[serde(skip)]
    pub(crate) stdin_name: String,

    /// Exit with status 4 if any input could not be read in full.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) strict: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) documents: ExtractionArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) limits: ReadLimitArgs,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}
