//! The arguments of `fanmill urls`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

const EXAMPLES: &str = concat!(
    "\
Examples:
  Learn from a crawl, one JSON object a line with the fields url and text:
    fanmill urls crawl/*.jsonl.zst -o rules/

  Other names; from standard input:
    zcat pages.gz | fanmill urls - --url-field address --text-field body

  Sketches in place of texts:
    fanmill urls sketches.jsonl --sketch-field minhash --threshold 0.95

  Try the rules on addresses, one a line:
    fanmill urls --apply rules/rules.jsonl new-addresses.txt

",
    exit_statuses!(
        2: "the command line is wrong, or --memory does not suffice",
        3: "an input is missing or has the wrong shape",
    )
);

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct UrlsArgs {
    /// Files and folders of records, packed (.gz, .zst) or not; patterns; or - for standard input.
    #[arg(required_unless_present = "apply", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Write rules.jsonl, canonical.jsonl and summary.json to this folder (see docs/urls.md).
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,

    /// Learn nothing: rewrite addresses by this rules.jsonl. They are read one a line from PATH, or
    /// from standard input; what is no address stays as it is.
    #[arg(long, value_name = "RULES", value_hint = ValueHint::FilePath, conflicts_with = "output")]
    pub(crate) apply: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) records: RecordArgs,

    #[command(flatten)]
    pub(crate) evidence: EvidenceArgs,

    #[command(flatten)]
    pub(crate) results: UrlsResultArgs,

    /// Threads to work with, 1024 at most; the result is the same for any number [default: all
    /// cores].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Bytes that addresses and sketches may take: about four times an address and 300 bytes,
    /// and 800 bytes for each different content.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", help_heading = "Limits")]
    pub(crate) memory: String,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Records")]
pub(crate) struct RecordArgs {
    /// The field of the URL [default: url; in web archives the target].
    #[arg(long, value_name = "NAME")]
    pub(crate) url_field: Option<String>,

    /// The field of the text [default: text, content, body and the like].
    #[arg(long, value_name = "NAME", conflicts_with = "sketch_field")]
    pub(crate) text_field: Option<String>,

    /// The field of a sketch, in place of a text: an array of whole numbers, or 16 hexadecimal
    /// digits a register. Registers of all records are made alike, and agree as often as the texts
    /// resemble each other (minhash).
    #[arg(long, value_name = "NAME")]
    pub(crate) sketch_field: Option<String>,

    /// What all input is (jsonl, csv, tsv, parquet, warc, text, html) [default: by name or content].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,

    /// Stop at the first record that cannot be used.
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Evidence")]
pub(crate) struct EvidenceArgs {
    /// Resemblance from which on two texts are one content; 1 for the same words only.
    #[arg(long, value_name = "SHARE", default_value = "0.9")]
    pub(crate) threshold: String,

    /// Different contents that must speak for a rule.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) min_support: usize,

    /// Largest share of contents that a rule may lose among those it touches: pages do change
    /// between two visits.
    #[arg(long, value_name = "SHARE", default_value = "0.02")]
    pub(crate) max_conflicts: String,

    /// Least lower bound (Wilson, 95 %) of the share of contents that a rule leaves whole.
    #[arg(long, value_name = "SHARE", default_value = "0.5")]
    pub(crate) min_confidence: String,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct UrlsResultArgs {
    /// Hosts shown in the table.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,

    /// What is written to standard output.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: UrlsFormat,

    /// Print nothing but results and errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UrlsFormat {
    /// The rules by host, to read.
    Table,
    /// Rules and summary, as in rules.jsonl and summary.json.
    Json,
}
