//! The arguments of `fanmill urls`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use serde::Serialize;

use super::ConfigArgs;

use super::formats_help;

const EXAMPLES: &str = concat!(
    "\
Examples:
  Learn from a crawl, one JSON object per line with the fields url and text:
    fanmill urls crawl/*.jsonl.zst -o rules/

  Other field names; from standard input:
    zcat pages.gz | fanmill urls - --url-field address --text-field body

  Sketches instead of texts:
    fanmill urls sketches.jsonl --sketch-field minhash --min-score 0.95

  Apply the rules to addresses, one per line:
    fanmill urls --apply rules/rules.jsonl new-addresses.txt

",
    exit_statuses!(
        2: "the command line is wrong, or --memory is too small",
        3: "an input is missing or has the wrong shape",
    )
);

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct UrlsArgs {
    /// Files and folders of records, plain, .gz, .bz2, .xz, .lz4 or .zst; patterns; or `-` for standard input.
    #[arg(required_unless_present = "apply", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    /// Write rules.jsonl, canonical.jsonl and summary.json to this folder (see docs/urls.md).
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) output: Option<PathBuf>,

    /// Apply an existing rules.jsonl instead of learning: rewrite URLs, one per line, from PATH or
    /// standard input. Lines that are not URLs pass through unchanged.
    #[arg(long, value_name = "RULES", value_hint = ValueHint::FilePath, conflicts_with = "output")]
    #[serde(skip)]
    pub(crate) apply: Option<PathBuf>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) records: RecordArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) evidence: EvidenceArgs,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) results: UrlsResultArgs,

    /// Number of threads, 1024 at most; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    #[serde(skip)]
    pub(crate) threads: Option<usize>,

    /// Memory for addresses and sketches: each address takes about four times its length and 300 bytes,
    /// each different content 800 bytes.
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) memory: Option<String>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Records")]
pub(crate) struct RecordArgs {
    /// Field that holds the URL [default: url; in web archives the target].
    #[arg(long, value_name = "NAME")]
    pub(crate) url_field: Option<String>,

    /// Field that holds the text [default: text, content, body and the like].
    #[arg(long, value_name = "NAME", conflicts_with = "sketch_field")]
    pub(crate) text_field: Option<String>,

    /// Field that holds a sketch instead of a text: an array of whole numbers, or 16 hexadecimal digits
    /// per register. All records must be sketched with the same MinHash functions.
    #[arg(long, value_name = "NAME")]
    pub(crate) sketch_field: Option<String>,

    #[arg(long, value_name = "FORMAT", help = formats_help("Format of all input", Some("by name or content")))]
    pub(crate) input_format: Option<String>,

    /// Stop at the first record that cannot be used.
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Evidence")]
pub(crate) struct EvidenceArgs {
    /// Minimum resemblance (Jaccard) of two texts that count as the same content; 1 for equal words only.
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_score: Option<String>,

    /// Minimum number of different contents that support a rule.
    #[arg(long, value_name = "N")]
    pub(crate) min_support: Option<usize>,

    /// Maximum share of contents that a rule may lose among those it affects: pages do change between
    /// two visits.
    #[arg(long, value_name = "SHARE")]
    pub(crate) max_conflicts: Option<String>,

    /// Required certainty: the lower 95 % bound (Wilson) on the share of contents that a rule does not
    /// merge wrongly.
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_confidence: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct UrlsResultArgs {
    /// Maximum number of hosts in the table.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,

    /// Format of standard output.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: UrlsFormat,

    /// Print nothing but results and errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UrlsFormat {
    /// The rules by host, as a table for people.
    Table,
    /// Rules and summary, as in rules.jsonl and summary.json.
    Json,
}
