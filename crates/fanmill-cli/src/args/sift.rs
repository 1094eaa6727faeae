//! What `fanmill sift` takes.

#[cfg(feature = "lab")]
mod attack;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::ReadLimitArgs;

#[cfg(not(feature = "lab"))]
pub(crate) use super::left_out::LeftOut as AttackArgs;
#[cfg(feature = "lab")]
pub(crate) use attack::AttackArgs;

const SIFT_EXAMPLES: &str = "\
Examples:
  Recognise texts by somebody who has changed them on purpose:
    fanmill sift keygen > secret.key
    fanmill sift add --key secret.key library.sift originals/
    fanmill sift check --key secret.key library.sift suspects/

  See which original it is, and the passages, with the originals at hand:
    fanmill sift check --key secret.key library.sift new/ --explain originals/

  Mail: a store of known messages, one verdict for each that arrives:
    fanmill sift add --key secret.key --profile mail spam.sift spam.mbox
    fanmill sift check --key secret.key spam.sift < message.eml

  Groups of messages that are one message:
    fanmill sift campaign --key secret.key inbox.mbox

Whoever has the key can make texts that are not recognised: see docs/sift.md.";

const STATUSES_OF_CHECK: &str = exit_statuses!(
    1: "done, a text is a copy, and --fail-on-copy was given",
    2: "the command line is wrong",
    3: "an input is missing or has the wrong shape, or the key is not the store's",
    4: "done, but an input was not read whole, and --strict was given",
);

const STATUSES_OF_TEXTS: &str = exit_statuses!(
    2: "the command line is wrong",
    3: "an input is missing or has the wrong shape, or the key is not the store's",
    4: "done, but an input was not read whole, and --strict was given",
);

const STATUSES: &str = exit_statuses!(
    2: "the command line is wrong",
    3: "an input is missing or has the wrong shape",
);

#[derive(Debug, Args)]
#[command(after_help = SIFT_EXAMPLES)]
pub(crate) struct SiftArgs {
    #[command(subcommand)]
    pub(crate) command: SiftCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SiftCommand {
    /// Make a key of 256 bits, for standard output or a file that only you can read.
    Keygen(KeygenArgs),
    /// Add originals to a store of fingerprints, which is made if it is not there.
    Add(AddArgs),
    /// Ask whether texts are copies of a store's originals.
    Check(CheckArgs),
    /// Group messages that are one message, changed each time.
    Campaign(CampaignArgs),
    /// Measure what changes on purpose do to your texts: to choose a scheme and a threshold by.
    Attack(Box<AttackArgs>),
    /// Show what a store is, and the names in it; needs no key.
    List(ListArgs),
    /// Make a store's fingerprints again under another key, from the originals.
    Rekey(RekeyArgs),
    /// Destroy a key, so that its stores are useless to everybody.
    Destroy(DestroyArgs),
}

#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    /// The key: a file that nobody but you can read, made by `fanmill sift keygen`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key: PathBuf,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct TextArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// Exit with status 4 if a text was not read whole.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Threads to work with, 1024 at most; the result is the same for any number [default: all
    /// cores].
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Say nothing but results and errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How inputs are read, and how much of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct ReadingArgs {
    /// What files are.
    #[arg(long = "as", value_name = "KIND", value_enum, default_value = "auto")]
    pub(crate) kind: KindArg,

    #[command(flatten)]
    pub(crate) limits: ReadLimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// Mailboxes, messages and pages are told by their first lines and their names; all else is text.
    Auto,
    /// Plain text, a text each file, as it stands.
    Text,
    /// Pages (HTML), a page each file, as a browser shows them.
    Html,
    /// Mail: mailboxes (mbox), or a message each file.
    Mail,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct KeygenArgs {
    /// Write the key to this new file instead of standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct AddArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    pub(crate) store: PathBuf,

    /// Folders, files, archives or mailboxes; `-` for standard input. One text each file, entry or
    /// message. A name that is in the store already is replaced.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// How texts are read, for a new store: `standard` for prose, `short` for answers and abstracts,
    /// `mail`, or a profile's own text.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,

    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES_OF_CHECK)]
pub(crate) struct CheckArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    pub(crate) store: PathBuf,

    /// Folders, files, archives or mailboxes; standard input if none is given, or for `-`.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// Name the originals as well, the likest first, at most N of a text [default: 5].
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..)
    )]
    pub(crate) names: Option<usize>,

    /// Show scores and passages beside those of the originals, which are read from this folder or
    /// file; may be given several times.
    #[arg(long, value_name = "ORIGINALS", value_hint = ValueHint::AnyPath)]
    pub(crate) explain: Vec<PathBuf>,

    /// Share of the smaller fingerprint that a copy has in common, from 0 to 1 [default: 0.12].
    #[arg(long, value_name = "S3")]
    pub(crate) threshold: Option<String>,

    /// Values that a copy has in common with the original, at least [default: 2].
    #[arg(long, value_name = "N")]
    pub(crate) min_common: Option<usize>,

    /// A line for each text, or an object for each.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: AnswerFormat,

    /// Exit with status 1 if a text is a copy.
    #[arg(long)]
    pub(crate) fail_on_copy: bool,

    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// To read.
    Table,
    /// One object a line.
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct CampaignArgs {
    /// Mailboxes, or folders and archives of messages; `-` for standard input.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// How messages are read: `mail`, `short`, `standard`, or a profile's own text.
    #[arg(long, value_name = "PROFILE", default_value = "mail")]
    pub(crate) profile: String,

    /// Share of the smaller fingerprint that two messages have in common, from 0 to 1 [default: 0.3].
    #[arg(long, value_name = "S3")]
    pub(crate) threshold: Option<String>,

    /// Values that two messages have in common, at least [default: 3].
    #[arg(long, value_name = "N")]
    pub(crate) min_common: Option<usize>,

    /// Only groups of so many messages.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) min_size: usize,

    /// List all messages of a group, not only the representative.
    #[arg(long)]
    pub(crate) members: bool,

    /// A line for each group, or an object for each.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct ListArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    pub(crate) store: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct RekeyArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    pub(crate) store: PathBuf,

    /// The originals, as they were added: their fingerprints are checked against the store's.
    #[arg(required = true, value_name = "ORIGINALS", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// The key to come.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) new_key: PathBuf,

    /// Leave out what the originals do not hold any more, instead of stopping.
    #[arg(long)]
    pub(crate) drop_missing: bool,

    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct DestroyArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// Yes, destroy it.
    #[arg(long)]
    pub(crate) yes: bool,
}
