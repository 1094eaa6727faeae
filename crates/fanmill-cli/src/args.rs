//! Commands and flags, with their help.

/// The exit statuses of a command, for the end of its help: its own from 1 to 4, between those that all commands have.
macro_rules! exit_statuses {
    ($($status:literal: $meaning:literal,)* $(then: $then:literal)?) => {
        concat!(
            "Exit status:\n  0    done\n",
            $("  ", $status, "    ", $meaning, "\n",)*
            "  6    reading or writing failed\n",
            "  7    an internal fault: please report it\n",
            "  129  its terminal was closed", $($then,)?
            "\n  130  interrupted by Ctrl-C", $($then,)?
            "\n  143  asked to end", $($then)?
        )
    };
}

#[cfg(feature = "corpus")]
mod dedup;
#[cfg(feature = "index")]
mod index;
#[cfg(feature = "lab")]
mod lab;
#[cfg(not(all(
    feature = "corpus",
    feature = "index",
    feature = "lab",
    feature = "server",
    feature = "sift"
)))]
mod left_out;
mod hints;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "sift")]
mod sift;
mod text;
#[cfg(feature = "corpus")]
mod urls;
mod defaults;
#[cfg(test)]
mod presets_in_documents;
#[cfg(all(test, feature = "corpus", feature = "index", feature = "server", feature = "sift"))]
mod every_setting;
#[cfg(all(
    test,
    feature = "corpus",
    feature = "index",
    feature = "lab",
    feature = "server",
    feature = "sift"
))]
mod every_command;
#[cfg(all(
    test,
    feature = "corpus",
    feature = "index",
    feature = "lab",
    feature = "server",
    feature = "sift"
))]
mod commands_in_documents;

use std::env;
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use serde::Serialize;

#[cfg(feature = "corpus")]
pub(crate) use dedup::{DedupArgs, SummaryFormat};
#[cfg(feature = "index")]
pub(crate) use index::{
    IndexAddArgs, IndexArgs, IndexChangeArgs, IndexCommand, IndexExportArgs, IndexFormat,
    IndexReadArgs, IndexRemoveArgs, IndexShowArgs, IndexWatchArgs, IndexWorkArgs, SearchArgs,
    SearchFormat,
};
#[cfg(feature = "lab")]
pub(crate) use lab::{
    CalibrateArgs, CommonArgs, CostArg, Experiment, FilterArgs, FrequencyArgs, LabArgs, LabFormat,
    LabInputArgs, PAPER, ReadAsArg, WishArgs,
};
#[cfg(not(all(
    feature = "corpus",
    feature = "index",
    feature = "lab",
    feature = "server",
    feature = "sift"
)))]
pub(crate) use left_out::LeftOut;
#[cfg(not(feature = "lab"))]
pub(crate) use left_out::LeftOut as LabArgs;
#[cfg(not(feature = "server"))]
pub(crate) use left_out::LeftOut as ServeArgs;
#[cfg(not(feature = "sift"))]
pub(crate) use left_out::LeftOut as SiftArgs;
#[cfg(not(feature = "index"))]
pub(crate) use left_out::{LeftOut as IndexArgs, LeftOut as SearchArgs};
#[cfg(not(feature = "corpus"))]
pub(crate) use left_out::{LeftOut as DedupArgs, LeftOut as UrlsArgs};
#[cfg(feature = "server")]
pub(crate) use serve::{
    AuditCommand, LogArg, PersonCommand, PlatformCommand, ServeArgs, ServeCommand, UserCommand,
};
#[cfg(feature = "sift")]
pub(crate) use sift::{
    AddArgs, AnswerFormat, CampaignArgs, CheckArgs, DestroyArgs, ExpireArgs, KeygenArgs, ListArgs,
    RekeyArgs, RemoveArgs, SiftArgs, SiftCommand, TextsArgs, UpgradeArgs,
};
#[cfg(all(feature = "lab", feature = "sift"))]
pub(crate) use sift::{AttackArgs, ReadingArgs};
pub(crate) use text::TextArgs;
#[cfg(feature = "corpus")]
pub(crate) use urls::{UrlsArgs, UrlsFormat};

use crate::color::ColorArg;

/// Returns the command, with all commands below it.
pub(crate) fn command() -> clap::Command {
    defaults::added(Cli::command())
}

/// Reads the command line.
///
/// # Errors
/// If it is wrong, or asks for help or the version.
pub(crate) fn parse() -> Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(env::args_os());
    let matches = matches.map_err(|error| hints::explained(error, &mut command))?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Finds copying, and shows the evidence.
#[derive(Debug, Parser)]
#[command(name = "fanmill", version, styles = STYLES, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// With `--version`: also say which instructions of the processor are used.
    #[arg(long, requires = "version")]
    verbose: bool,
    /// When to write colours; `auto`: on a screen, unless `NO_COLOR` is set.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorArg,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compare submissions with each other: who copied from whom in this batch?
    Compare(Box<CompareArgs>),
    /// Keep earlier work in an index on disk, which `fanmill search` looks in.
    Index(Box<IndexArgs>),
    /// Find where the passages of a text come from, in an index.
    Search(Box<SearchArgs>),
    /// Remove near-duplicates from a corpus: which documents are copies, and which one stays?
    Dedup(Box<DedupArgs>),
    /// Find what varies in URLs without changing the content: session ids, tracking, mirrors.
    Urls(Box<UrlsArgs>),
    /// Recognise texts that were changed on purpose, under a secret key.
    Sift(Box<SiftArgs>),
    /// Repeat the papers' experiments on your own data: tables, figures, and the command that reproduces
    /// them.
    Lab(Box<LabArgs>),
    /// Run Fanmill as a service: accounts, courses and reports in a browser, on your own machine.
    Serve(Box<ServeArgs>),
    /// Print what is read of files: their text with marks, or the tokens that are compared.
    Text(Box<TextArgs>),
    /// List the languages and kinds of text that Fanmill reads.
    Languages,
    /// Write a completion script for a shell to standard output.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual, in roff, to standard output or as one page per command.
    Man {
        /// Folder for the pages, created if necessary: fanmill.1, fanmill-compare.1 and so on.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: Option<PathBuf>,
    },
}

const COMPARE_EXAMPLES: &str = concat!(
    "\
Examples:
  Compare the folders in submissions/ and write a report to look at:
    fanmill compare submissions/ -o report/

  Ignore what everyone was given, and compare with last year's work too:
    fanmill compare submissions/ --base handout/ --archive last-year/ -o report/

  A zip exported by a learning platform; only the Java files:
    fanmill compare export.zip --include '*.java' -o report/

  Two code bases against each other:
    fanmill compare ours/ theirs/ --group-by root -o report/

  The work of a term, by person:
    fanmill compare --task week1/ --task week2/ --task week3/ -o report/

  In a build: fail if two essays share too much.
    fanmill compare essays/ --format csv --fail-above 0.6 > pairs.csv

  Of a repository, only what a branch adds to main:
    fanmill compare . --base-rev main --fail-above 0.6

",
    exit_statuses!(
        1: "done, and a pair's score is above --fail-above",
        2: "the command line is wrong",
        3: "an input is missing or wrong, or there is nothing to compare",
        4: "done, but an input could not be compared in full, and --strict was given",
    )
);

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = COMPARE_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct CompareArgs {
    /// Folders, files, archives (zip, tar, tar.gz, tar.zst) or CSV lists of submissions
    /// (columns file, submission, author, label, submitted; see docs/inputs.md).
    #[arg(required_unless_present = "task", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    /// Instead of PATH, and several times: the submissions of one of several tasks, a folder, file or archive
    /// for each person. What a person handed in for all tasks is one submission, so a pair shows what two
    /// people share in any of them.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, conflicts_with = "paths")]
    #[serde(skip)]
    pub(crate) task: Vec<PathBuf>,

    /// Compare what PATH, a folder of a git repository, adds since it left this branch, tag or commit: new lines
    /// of files that git tracks, with each other and with all other lines.
    #[arg(long, value_name = "REV", conflicts_with = "task")]
    pub(crate) base_rev: Option<String>,

    /// Write the report (index.html, report.json, pairs.csv) to this folder.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) inputs: InputArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) documents: ExtractionArgs,

    /// Say what documents of two submissions say of themselves alike: author, time, program, and Word's
    /// numbers of editing sessions. It is shown beside a pair, and never part of its score.
    #[arg(long, help_heading = "Documents")]
    pub(crate) metadata: bool,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) matching: MatchingArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) results: ResultArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) limits: LimitArgs,
}

/// The config file.
#[derive(Debug, Clone, Args)]
pub(crate) struct ConfigArgs {
    /// Read settings from this file (see docs/config.md); flags override it. No config file is read unless it is
    /// named here.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct PageArgs {
    /// Title of the report, at the head of its page and in report.json.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Language in which the report's page begins: de, en, or auto for that of the reader's browser [default: auto].
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,

    /// Open the report's page in the browser when it is written.
    #[arg(long, requires = "output")]
    #[serde(skip)]
    pub(crate) open: bool,

    /// Replace the names of submissions, files and people by numbers in everything that is printed or written,
    /// and cover them with x where texts are shown. --title stays as it is.
    #[arg(long)]
    pub(crate) anonymous: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArgs {
    /// Boilerplate that does not count: handouts, starter code, licence headers. Shown in grey.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) base: Vec<PathBuf>,

    /// Earlier work: compared with the new submissions, never with each other. Also an index made by
    /// `fanmill index add`, of which only documents with something in common are read.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) archive: Vec<PathBuf>,

    /// Unit that is one submission.
    #[arg(long, value_enum)]
    pub(crate) group_by: Option<GroupByArg>,

    /// Attempts of a person that are compared, where names of an export tell attempts apart.
    #[arg(long, value_enum)]
    pub(crate) attempts: Option<AttemptsArg>,

    /// Compare files that tools have written, too (installed packages, lock files, generated code), and
    /// what is the same in many submissions.
    #[arg(long)]
    pub(crate) everything: bool,

    /// Read only files whose name, path, or submission/path matches this pattern (case-sensitive). May
    /// be given several times.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Skip files and folders that match this pattern, with everything below them; a submission counts
    /// as a folder. Overrides --include.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GroupByArg {
    /// `child` when one path is given, `root` when several are; with the names of a learning platform's
    /// export, everything of one person is one submission.
    Auto,
    /// Everything of one person: by a list's author, an export's names, or names without extension.
    Person,
    /// Each direct child of the given path: a folder, an archive or a file.
    Child,
    /// Each file on its own.
    File,
    /// Each given path as a whole.
    Root,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AttemptsArg {
    /// The newest attempt; notices name the files of earlier ones.
    Newest,
    /// All attempts, as one submission.
    All,
}

/// Thresholds, selector and language of fingerprints.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Matching")]
pub(crate) struct FingerprintArgs {
    /// Read every file as this language instead of choosing by name, or the files that match a pattern:
    /// `*.txt=fortran,*.h=c`; see `fanmill languages`.
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) lang: Option<String>,

    /// Never show a match shorter than this many tokens, nor a passage of prose without a run of this many
    /// words.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) noise: Option<u32>,

    /// Always find shared passages of this many tokens or more.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) guarantee: Option<u32>,

    /// Selector of fingerprints: roc(r=3), winnow, robust, mod(p=8), safe-mod(p=8),
    /// smallest(n=100) or all; a bare name takes the number shown [default: roc, its r by --noise].
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) select: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Matching")]
pub(crate) struct MatchingArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) fingerprints: FingerprintArgs,

    /// Treat as boilerplate whatever appears in more than N submissions (2 or more), or in more than N %
    /// of them (30%).
    #[arg(long, value_name = "N|%")]
    pub(crate) max_docs: Option<String>,

    /// Set quotations in prose apart: what stands between quotation marks, behind `>` at the beginning of a line,
    /// or in `<q>` and `<blockquote>` of a web page, is grey and does not count.
    #[arg(long)]
    pub(crate) quotes: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Results")]
pub(crate) struct ResultArgs {
    /// Maximum number of pairs in the table.
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[serde(skip)]
    pub(crate) top: usize,

    /// Format of standard output.
    #[arg(long, value_enum, default_value = "table")]
    #[serde(skip)]
    pub(crate) format: Format,

    /// Pairs below this score are counted but not listed. Scores go from 0 to 1: 0.2, or 20%.
    #[arg(long, value_name = "SCORE")]
    pub(crate) min_score: Option<String>,

    /// Maximum number of pairs listed by score: first those that share a passage as long as the
    /// guarantee, if there is room for all of them, then the best. Two fifths as many are added for the
    /// longest runs that few submissions have. Up to 600 submissions, every pair that could share a
    /// passage is scored; of more, every pair that shares such a run, and the most promising others.
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<usize>,

    /// Minimum score for a pair to join two submissions in a cluster [default: the score
    /// at which unrelated submissions of the batch would give half a pair, or 0.3 if that cannot be
    /// judged].
    #[arg(long, value_name = "SCORE")]
    pub(crate) cluster_threshold: Option<String>,

    /// Exit with status 1 if a pair's score is above this, or with 3 if there are fewer than two
    /// submissions to compare. No score is above 1. With `auto`, exit with 1 if a pair scores so high
    /// that only one in ten batches of unrelated submissions would contain it, or with 3 if chance cannot
    /// be judged from the batch. With --base-rev, if more than this share of a file's
    /// new lines is in another file, or elsewhere in the same one.
    #[arg(long, value_name = "SCORE")]
    #[serde(skip)]
    pub(crate) fail_above: Option<String>,

    /// Exit with status 4 if any input could not be compared in full.
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The best pairs, as a table for people.
    Table,
    /// The whole report, as in report.json.
    Json,
    /// All listed pairs, as in pairs.csv.
    Csv,
    /// The passages of all listed pairs as SARIF 2.1.0, for code hosts and editors.
    Sarif,
}

/// The file for all notices.
#[derive(Debug, Args)]
pub(crate) struct NoticesArgs {
    /// Write all notices on inputs to this file, as CSV; the screen has the first of them.
    #[arg(long = "notices", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// The share of the machine that a run may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct MachineArgs {
    /// Number of threads, 1024 at most; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Memory for the work (KiB, MiB, GiB), on top of 64 MiB for the program. A run that takes more ends with status 2
    /// and writes no file (Linux).
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) machine: MachineArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) reading: ReadLimitArgs,
}

/// Extraction of text from documents.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Documents")]
pub(crate) struct ExtractionArgs {
    /// Text in documents that a reader does not see: hidden, white on white, tiny, beside the page. It is
    /// reported in either case.
    #[arg(long, value_enum)]
    pub(crate) hidden: Option<HiddenArg>,

    /// Try the lines of this file as passwords of encrypted PDF documents.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[serde(skip)]
    pub(crate) password_file: Option<PathBuf>,

    /// Read PDF even where the system has neither landlock nor seccomp to lock its reader in; otherwise it is
    /// skipped there. Locks that the system has stay on.
    #[arg(long)]
    pub(crate) no_cage: bool,

    /// Read PDF by this program instead, which gets a document on standard input and writes text:
    /// "pdftotext - -". No shell is asked.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) pdf_command: Option<String>,

    /// Recognise the text of scanned pages of PDF by this program, which gets the picture of a page:
    /// "tesseract - - -l eng". It has a minute of processor time for each page and, on Linux, no network.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) ocr_command: Option<String>,

    /// Read PostScript by this program, in the same way: "ps2ascii".
    #[arg(long, value_name = "COMMAND")]
    pub(crate) ps_command: Option<String>,

    /// Read Word documents of before 2007 (.doc) by this program, in the same way: "antiword -".
    #[arg(long, value_name = "COMMAND")]
    pub(crate) doc_command: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum HiddenArg {
    /// Set it apart.
    Skip,
    /// Compare it like other text.
    Read,
}

/// The fields of a record that are read.
#[cfg(any(feature = "corpus", feature = "index"))]
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Records")]
pub(crate) struct FieldArgs {
    /// Field or column that holds the text; `a.b` is b inside a [default: text, content, body, …].
    #[arg(long, value_name = "FIELD")]
    pub(crate) text_field: Option<String>,

    /// Field or column that holds the document's name [default: id, uuid, url, …].
    #[arg(long, value_name = "FIELD")]
    pub(crate) id_field: Option<String>,
}

/// Returns the help of a flag that takes a format of records, with the names of all formats.
#[cfg(any(feature = "corpus", feature = "index"))]
fn formats_help(what: &str, default: Option<&str>) -> String {
    use fanmill_records::format::Format;

    let names: Vec<&str> = Format::all().map(Format::name).collect();
    let (last, others) = names.split_last().expect("there are formats");
    let default = default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
    format!("{what}: {} or {last}{default}", others.join(", "))
}

/// Limits of a command that has no other settings in a config file.
#[cfg(feature = "lab")]
#[derive(Debug, Clone, Args)]
pub(crate) struct ConfiguredLimitArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    pub(crate) flags: ReadLimitArgs,
}

/// Limits on what is read of files, folders and archives. They belong in a config file; the flags are kept for scripts, and
/// hidden.
#[derive(Debug, Clone, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::struct_field_names, reason = "fields are named as their flags are")]
pub(crate) struct ReadLimitArgs {
    /// Maximum size of a file, in bytes or with a unit (KiB, MiB, GiB, TiB); larger ones are skipped.
    #[arg(long, value_name = "SIZE", hide = true)]
    pub(crate) max_file_bytes: Option<String>,

    /// Maximum number of bytes read in the whole run, unpacked.
    #[arg(long, value_name = "SIZE", hide = true)]
    pub(crate) max_total_bytes: Option<String>,

    /// Maximum number of files and archive entries in the whole run.
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) max_entries: Option<u64>,

    /// Maximum depth of archives inside archives.
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) max_depth: Option<u32>,

    /// Maximum size of an unpacked archive, as a multiple of its packed size.
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) max_ratio: Option<u64>,
}
