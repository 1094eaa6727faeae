//! The arguments of `fanmill sift`.

#[cfg(feature = "lab")]
mod attack;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use serde::Serialize;

use super::{ConfigArgs, ExtractionArgs, MachineArgs, NoticesArgs, ReadLimitArgs};

#[cfg(not(feature = "lab"))]
pub(crate) use super::left_out::LeftOut as AttackArgs;
#[cfg(feature = "lab")]
pub(crate) use attack::AttackArgs;

const SIFT_EXAMPLES: &str = "\
Examples:
  Recognise texts that someone has changed on purpose:
    fanmill sift keygen > secret.key
    fanmill sift add --key secret.key library.sift originals/
    fanmill sift check --key secret.key library.sift suspects/

  See which original it is, and the passages, if you have the originals:
    fanmill sift check --key secret.key library.sift new/ --explain originals/

  Mail: a store of known messages, one answer for each that arrives:
    fanmill sift add --key secret.key --profile mail spam.sift spam.mbox
    fanmill sift check --key secret.key spam.sift < message.eml
    fanmill sift check --key secret.key spam.sift --header < in.eml > out.eml
    fanmill sift add --key secret.key --wanted spam.sift newsletters.mbox
    fanmill sift expire --key secret.key --before 2026-03-01 spam.sift

  Groups of variants of the same message:
    fanmill sift campaign --key secret.key inbox.mbox

Anyone who has the key can make texts that are not recognised: see docs/sift.md.";

const STATUSES_OF_CHECK: &str = exit_statuses!(
    1: "done, a text is a copy, and --fail-on-copy was given",
    2: "the command line is wrong",
    3: "an input is missing or has the wrong shape, or the key is not the store's",
    4: "done, but an input could not be read in full, and --strict was given",
);

const STATUSES_OF_TEXTS: &str = exit_statuses!(
    2: "the command line is wrong",
    3: "an input is missing or has the wrong shape, or the key is not the store's",
    4: "done, but an input could not be read in full, and --strict was given",
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
    /// Make a key of 256 bits, on standard output or in a file that only you can read.
    Keygen(KeygenArgs),
    /// Add originals to a store of fingerprints, which is created if necessary.
    Add(AddArgs),
    /// Remove originals from a store, by their names.
    Remove(RemoveArgs),
    /// Remove originals from a store that were last seen before a date.
    Expire(ExpireArgs),
    /// Check whether texts are copies of a store's originals.
    Check(CheckArgs),
    /// Group variants of the same message.
    Campaign(CampaignArgs),
    /// Measure how well deliberately changed texts are recognised, to choose a scheme and a threshold.
    Attack(Box<AttackArgs>),
    /// List the names in a store, with its key id and scheme; needs no key.
    List(ListArgs),
    /// Replace a store's key: make its fingerprints again from the originals.
    Rekey(RekeyArgs),
    /// Make a new store of a file of version 1, or of a store with another profile.
    Upgrade(UpgradeArgs),
    /// Destroy a key, which makes its stores useless to everyone.
    Destroy(DestroyArgs),
}

#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    /// Key file that only you can read, made by `fanmill sift keygen`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key: PathBuf,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Inputs")]
pub(crate) struct TextsArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) reading: ReadingArgs,

    /// Exit with status 4 if any text could not be read in full.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) strict: bool,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) notices: NoticesArgs,

    /// Print nothing but results and errors.
    #[arg(short, long)]
    #[serde(skip)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) machine: MachineArgs,
}

/// The kind of inputs, and limits on what is read of them.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Inputs")]
pub(crate) struct ReadingArgs {
    /// Kind that files are read as.
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) input_format: Option<KindArg>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) limits: ReadLimitArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) documents: ExtractionArgs,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KindArg {
    /// Recognise mailboxes, messages and pages by their first lines and their names; all else is text.
    Auto,
    /// Plain text, one text per file, unchanged.
    Text,
    /// Web pages (HTML), one page per file, as a browser shows them.
    Html,
    /// Mail: mailboxes (mbox), or one message per file.
    Mail,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct KeygenArgs {
    /// Write the key to this new file instead of standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct AddArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) store: PathBuf,

    /// Folders, files, archives or mailboxes; `-` for standard input. Each file, entry or message is a
    /// text. A text whose name is already in the store replaces that one.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) key: KeyArgs,

    /// Profile of a new store: `standard` for prose, `short` for answers and abstracts, `mail`, or a
    /// profile written out.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,

    /// These texts are wanted: never report a copy of one, even if it resembles other originals as much.
    #[arg(long)]
    pub(crate) wanted: bool,

    /// The date of these texts, such as 2026-03-01 or 2026-03-01T17:42:00Z [default: that of each message].
    #[arg(long, value_name = "DATE")]
    pub(crate) date: Option<String>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) wait: WaitArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) texts: TextsArgs,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct WaitArgs {
    /// Wait while another process is writing the store, instead of ending with an error.
    #[arg(long)]
    pub(crate) wait: bool,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct RemoveArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::AnyPath)]
    pub(crate) store: PathBuf,

    /// Names of texts, as `fanmill sift list` prints them.
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten)]
    pub(crate) wait: WaitArgs,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct ExpireArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::AnyPath)]
    pub(crate) store: PathBuf,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// Remove what was last seen before this date, such as 2026-03-01 or 2026-03-01T17:42:00Z. Texts without a date
    /// stay.
    #[arg(long, value_name = "DATE")]
    pub(crate) before: String,

    #[command(flatten)]
    pub(crate) wait: WaitArgs,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_CHECK)]
pub(crate) struct CheckArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) store: PathBuf,

    /// Folders, files, archives or mailboxes; standard input by default, or for `-`.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) key: KeyArgs,

    /// Also name the originals, most similar first, at most N for each text [default: 5].
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..)
    )]
    pub(crate) names: Option<usize>,

    /// Show scores and passages side by side with the originals, which are read from this folder or
    /// file. May be given several times.
    #[arg(long, value_name = "ORIGINALS", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) explain: Vec<PathBuf>,

    /// Minimum share of the smaller fingerprint that a copy has in common with its original, from 0 to 1
    /// [default: 0.12; with `short` 0.2, with `mail` 0.05].
    #[arg(long, value_name = "S3")]
    pub(crate) min_score: Option<String>,

    /// Minimum number of values that a copy has in common with its original [default: 3; with `mail` and earlier
    /// profiles 2].
    #[arg(long, value_name = "N")]
    pub(crate) min_common: Option<usize>,

    /// One line per text, or one JSON object.
    #[arg(long, value_enum, default_value = "table")]
    #[serde(skip)]
    pub(crate) format: AnswerFormat,

    /// Write the message on standard input to standard output, with a header that has the answer [default name:
    /// X-Fanmill]. Headers of this name that came with the message are removed.
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "X-Fanmill",
        conflicts_with_all = ["paths", "names", "explain", "format", "file"]
    )]
    #[serde(skip)]
    pub(crate) header: Option<String>,

    /// Exit with status 1 if a text is a copy.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) fail_on_copy: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) texts: TextsArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// A line of text for people.
    Table,
    /// One JSON object per line.
    Json,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct CampaignArgs {
    /// Mailboxes, or folders and archives of messages; `-` for standard input.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) key: KeyArgs,

    /// Profile: `mail`, `short`, `standard`, or a profile written out [default: mail].
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,

    /// Minimum share of the smaller fingerprint that two messages have in common, from 0 to 1.
    #[arg(long, value_name = "S3")]
    pub(crate) min_score: Option<String>,

    /// Minimum number of values that two messages have in common.
    #[arg(long, value_name = "N")]
    pub(crate) min_common: Option<usize>,

    /// Minimum number of messages in a group.
    #[arg(long, value_name = "N")]
    pub(crate) min_size: Option<usize>,

    /// List all messages of a group, not only the representative.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) members: bool,

    /// One line per group, or one JSON object.
    #[arg(long, value_enum, default_value = "table")]
    #[serde(skip)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) texts: TextsArgs,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct ListArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::AnyPath)]
    pub(crate) store: PathBuf,

    /// Also show when each text was first and last seen (UTC), how often it was added, and whether it is wanted.
    #[arg(long)]
    pub(crate) long: bool,

    /// A line for each text, or one JSON object with all that is known of it.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: AnswerFormat,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct RekeyArgs {
    /// The store.
    #[arg(value_name = "STORE", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) store: PathBuf,

    /// The originals as they were added; their fingerprints are checked against the store's.
    #[arg(required = true, value_name = "ORIGINALS", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) key: KeyArgs,

    /// The new key.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[serde(skip)]
    pub(crate) new_key: PathBuf,

    /// Drop texts whose originals are missing or have changed, instead of stopping.
    #[arg(long)]
    pub(crate) drop_missing: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) wait: WaitArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) texts: TextsArgs,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_TEXTS)]
pub(crate) struct UpgradeArgs {
    /// The store as it is. It stays.
    #[arg(value_name = "OLD", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) old: PathBuf,

    /// The new store, where nothing is yet.
    #[arg(value_name = "NEW", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) new: PathBuf,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) key: KeyArgs,

    /// The originals as they were added, for another profile and for dates. May be given several times.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) originals: Vec<PathBuf>,

    /// Profile of the new store, made from the originals [default: that of the old one].
    #[arg(long, value_name = "PROFILE", requires = "originals")]
    pub(crate) profile: Option<String>,

    /// Leave out texts whose originals are missing or have changed, instead of stopping.
    #[arg(long, requires = "profile")]
    pub(crate) drop_missing: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) texts: TextsArgs,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES)]
pub(crate) struct DestroyArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// Confirm that the key is to be destroyed.
    #[arg(long)]
    pub(crate) yes: bool,
}
