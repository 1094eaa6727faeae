//! The arguments of `fanmill index` and `fanmill search`.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use serde::Serialize;

use super::{
    ConfigArgs, ExtractionArgs, FieldArgs, FingerprintArgs, LimitArgs, NoticesArgs, formats_help,
};

const INDEX_EXAMPLES: &str = "\
Examples:
  Keep the work of two years, a document for each file or folder in them:
    fanmill index add archive.fanmill 2023/ 2024/

  Where do the passages of this thesis come from?
    fanmill search archive.fanmill thesis.txt -o report/

  Take a document out, and its text off the disk:
    fanmill index remove archive.fanmill 2023/anna --merge";

const STATUSES_OF_ADD: &str = exit_statuses!(
    2: "the command line is wrong, or another process is writing the index",
    3: "an input is missing or has the wrong shape, or the index is damaged",
    4: "done, but an input could not be read in full, and --strict was given",
);

const STATUSES: &str = exit_statuses!(
    2: "the command line is wrong, or another process is writing the index",
    3: "there is no index, or it is damaged",
);

const SEARCH_EXAMPLES: &str = concat!(
    "\
Examples:
  Where do the passages of this thesis come from?
    fanmill index add archive.fanmill 2023/
    fanmill search archive.fanmill thesis.txt -o report/

  Each file of a folder; an answer in JSON on a line for each:
    fanmill search archive.fanmill new/ --format json

  Search for this year's work in earlier work and in each other, and keep it:
    fanmill search archive.fanmill 2025/ --and-add

  In several libraries at once:
    fanmill search --library wiki.fanmill --library theses.fanmill thesis.pdf

",
    exit_statuses!(
        2: "the command line is wrong",
        3: "an input is missing or has the wrong shape, or the index is damaged",
        4: "done, but an input could not be read in full, and --strict was given",
    )
);

#[derive(Debug, Args)]
#[command(after_help = INDEX_EXAMPLES)]
pub(crate) struct IndexArgs {
    #[command(subcommand)]
    pub(crate) command: IndexCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum IndexCommand {
    /// Add documents to an index, which is created if necessary. Documents that are already there are
    /// skipped; other contents under the same name replace them. Matching is chosen when the index is created, and kept.
    Add(Box<IndexAddArgs>),
    /// List the names of the documents in an index.
    List(IndexShowArgs),
    /// Print how large an index is, and how it takes fingerprints.
    Stats(IndexShowArgs),
    /// Read an index completely, and check that everything is as it was written.
    Verify(IndexWorkArgs),
    /// Remove documents from an index. Their texts stay on the disk until `fanmill index merge`.
    Remove(IndexRemoveArgs),
    /// Write the documents of an index to standard output as JSONL, a line for each file.
    Export(IndexExportArgs),
    /// Add the files of a folder to an index, and then each that is written, until Ctrl-C. Each file is a
    /// document.
    Watch(Box<IndexWatchArgs>),
    /// Read documents again, from the index's own texts, that another release has read in another way. An
    /// interrupted run resumes where it stopped.
    Upgrade(IndexChangeArgs),
    /// Merge an index into one segment: searches become faster, and removed texts leave the disk.
    Merge(IndexChangeArgs),
}

/// The unit that is one document, however many paths are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DocumentArg {
    /// As `child`; with the names of a learning platform's export, everything of one person.
    Auto,
    /// Everything of one person: by a list's author, an export's names, or names without extension.
    Person,
    /// Each file, folder or archive in a given folder, and each given file.
    Child,
    /// Each file.
    File,
    /// Each given path as a whole.
    Root,
}

/// The inputs, and the unit that is one document.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Inputs")]
pub(crate) struct IndexReadArgs {
    /// Unit that is one document.
    #[arg(long, value_enum)]
    pub(crate) group_by: Option<DocumentArg>,

    /// Read files that tools have written, too: installed packages, lock files, generated code.
    #[arg(long)]
    pub(crate) everything: bool,

    /// Read only files whose name, path, or document/path matches this pattern (case-sensitive). May be
    /// given several times.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Skip files and folders that match this pattern, with everything below them. Overrides --include.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Exit with status 4 if any input could not be read in full.
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
    #[serde(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) documents: ExtractionArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) fields: FieldArgs,

    #[arg(long, value_name = "NAME", help_heading = "Records", help = formats_help(
        "Read all paths as records of this format, folders too",
        Some("records in given JSONL, Parquet, Arrow, WARC, mbox and ZIM files and dumps, and in folders of nothing else; documents elsewhere"),
    ))]
    pub(crate) input_format: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_ADD, arg_required_else_help = true)]
pub(crate) struct IndexWatchArgs {
    /// The index: a folder of its own, created if necessary.
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) index: PathBuf,

    /// The folder that is watched, with those in it.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) folder: PathBuf,

    /// Read a file once its size and time of change have been the same for so many milliseconds.
    #[arg(long, value_name = "MILLISECONDS", default_value = "1000")]
    #[serde(skip)]
    pub(crate) rest: u64,

    /// Read only files whose name or path matches this pattern (case-sensitive). May be given several
    /// times.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Skip files that match this pattern. Overrides --include.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Put documents into this group, by which searches can choose.
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,

    /// Key file that the index was created with.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[serde(skip)]
    pub(crate) key: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(short, long)]
    #[serde(skip)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) documents: ExtractionArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = STATUSES_OF_ADD, arg_required_else_help = true)]
pub(crate) struct IndexAddArgs {
    /// The index: a folder of its own.
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) index: PathBuf,

    /// Folders, files, archives (zip, tar, tar.gz, tar.zst) or CSV lists of documents
    /// (columns file, submission, author, label, submitted; see docs/inputs.md); JSONL, Parquet, Arrow and WARC
    /// files (plain, .gz, .bz2, .xz, .lz4 or .zst), of which each record is a document.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) reading: IndexReadArgs,

    /// Put documents into this group, by which searches can choose; a list's column `label` counts more.
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,

    /// Wait while another process is writing the index.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) wait: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) fingerprints: FingerprintArgs,

    /// Keep fingerprints and no texts: searches then say what is shared by fingerprint alone.
    #[arg(long, help_heading = "Matching")]
    pub(crate) no_texts: bool,

    /// Key file, made by `fanmill sift keygen`. Fingerprints are hashed with the key, no texts are kept, and every search
    /// needs the key.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Matching")]
    #[serde(skip)]
    pub(crate) key: Option<PathBuf>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IndexFormat {
    /// For people.
    Table,
    /// JSON: an object on each line.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchFormat {
    /// For people.
    Table,
    /// JSON: an object on each line.
    Json,
    /// SARIF 2.1.0, for code hosts and editors: a result for each passage.
    Sarif,
}

/// An index that is looked at.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, arg_required_else_help = true)]
pub(crate) struct IndexShowArgs {
    /// The index.
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    pub(crate) index: PathBuf,

    /// Format of standard output; JSON has all that is known.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: IndexFormat,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES, arg_required_else_help = true)]
pub(crate) struct IndexExportArgs {
    /// The index.
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    pub(crate) index: PathBuf,
}

/// An index that is worked on.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, arg_required_else_help = true)]
pub(crate) struct IndexWorkArgs {
    /// The index.
    #[arg(value_name = "INDEX", value_hint = ValueHint::DirPath)]
    pub(crate) index: PathBuf,

    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// An index that is changed.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, arg_required_else_help = true)]
pub(crate) struct IndexChangeArgs {
    #[command(flatten)]
    pub(crate) work: IndexWorkArgs,

    /// Wait while another process is writing the index.
    #[arg(long)]
    pub(crate) wait: bool,
}

#[derive(Debug, Args)]
#[command(after_help = STATUSES, arg_required_else_help = true)]
pub(crate) struct IndexRemoveArgs {
    #[command(flatten)]
    pub(crate) change: IndexChangeArgs,

    /// Names of documents, as `fanmill index list` prints them.
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,

    /// Merge the index, so that the texts leave the disk at once.
    #[arg(long)]
    pub(crate) merge: bool,
}

/// The page of a search's report.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SearchPageArgs {
    /// Title of the report, at the head of its page and in report.json.
    #[arg(long, value_name = "TEXT", requires = "output")]
    pub(crate) title: Option<String>,

    /// Language in which the report's page begins: de, en, or auto for that of the reader's browser [default: auto].
    #[arg(long, value_name = "LANGUAGE", requires = "output")]
    pub(crate) language: Option<String>,

    /// Open the report's page in the browser when it is written.
    #[arg(long, requires = "output")]
    #[serde(skip)]
    pub(crate) open: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(
    after_help = SEARCH_EXAMPLES,
    arg_required_else_help = true,
    override_usage = "fanmill search [OPTIONS] <INDEX> <PATH>...\n       fanmill search [OPTIONS] --library <INDEX>... <PATH>..."
)]
pub(crate) struct SearchArgs {
    /// The index, made by `fanmill index add`; with --library, the first text.
    #[arg(value_name = "INDEX", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) index: PathBuf,

    /// Texts to search for: folders, files, archives, CSV lists or files of records, as for `fanmill index
    /// add`; or `-`, a text from standard input.
    #[arg(required_unless_present = "library", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    /// Search in this index. May be given several times: all are searched as one, and all paths are texts.
    #[arg(long, value_name = "INDEX", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) library: Vec<PathBuf>,

    /// Name of the text from standard input; its extension says the language.
    #[arg(long, value_name = "NAME", default_value = "standard input")]
    #[serde(skip)]
    pub(crate) stdin_name: String,

    /// Write the report (index.html, report.json, pairs.csv) of a single text to this folder.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) page: SearchPageArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) reading: IndexReadArgs,

    /// Add the texts to the index first, as `fanmill index add` does. Each is then searched for among the
    /// others and what was there before, and never found in itself.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) and_add: bool,

    /// With --and-add: wait while another process is writing the index.
    #[arg(long, requires = "and_add")]
    #[serde(skip)]
    pub(crate) wait: bool,

    /// Do not take this document of the index for a source, by its name as `fanmill index list` prints
    /// it. May be given several times.
    #[arg(long, value_name = "NAME", help_heading = "Matching")]
    #[serde(skip)]
    pub(crate) exclude_source: Vec<OsString>,

    /// Take only documents of this group for sources: of a list's column `label`, or as `fanmill index add
    /// --label` said. May be given several times.
    #[arg(long, value_name = "LABEL", help_heading = "Matching")]
    pub(crate) label: Vec<String>,

    /// Take only documents for sources that were handed in on this day or later (YYYY-MM-DD).
    #[arg(long, value_name = "DAY", help_heading = "Matching")]
    pub(crate) since: Option<String>,

    /// Boilerplate: what these folders, files or archives hold does not count. May be given several
    /// times.
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = "Matching")]
    #[serde(skip)]
    pub(crate) base: Vec<PathBuf>,

    /// Maximum number of documents that a text is compared with: those that share the most rare
    /// fingerprints with it in one place. With 50 or more, those that share a run which few others
    /// have are added, and the best three for each 512 tokens of the text.
    #[arg(long, value_name = "N", help_heading = "Matching")]
    pub(crate) max_sources: Option<NonZeroUsize>,

    /// Always find shared passages of this many tokens or more: a higher number than the index's looks
    /// up fewer fingerprints [default: as the index was created].
    #[arg(long, value_name = "TOKENS", help_heading = "Matching")]
    pub(crate) guarantee: Option<u32>,

    /// Look up only the N smallest fingerprints of a text, a random sample: sources that hold little of it
    /// may be missed, and each that is found has an estimate of how much it holds.
    #[arg(long, value_name = "N", help_heading = "Matching")]
    pub(crate) quick: Option<NonZeroUsize>,

    /// Set quotations in prose apart: what stands between quotation marks, behind `>` at the beginning of a line,
    /// or in `<q>` and `<blockquote>` of a web page, does not count.
    #[arg(long, help_heading = "Matching")]
    pub(crate) quotes: bool,

    /// Key file that the index was created with.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[serde(skip)]
    pub(crate) key: Option<PathBuf>,

    /// A fingerprint that more documents hold is taken for boilerplate, and leads to the first N of them
    /// only; the answer says how much of the text that is.
    #[arg(long, value_name = "N", help_heading = "Matching")]
    pub(crate) max_postings: Option<NonZeroU64>,

    /// Format of standard output.
    #[arg(long, value_enum, default_value = "table", help_heading = "Results")]
    #[serde(skip)]
    pub(crate) format: SearchFormat,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}
