//! The arguments of `fanmill dedup`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use serde::Serialize;

use super::{ConfigArgs, ExtractionArgs, FieldArgs, NoticesArgs, formats_help};

const EXAMPLES: &str = concat!(
    "\
Examples:
  The corpus without its near-duplicates, shard by shard as it was:
    fanmill dedup crawl/*.jsonl.zst -o clean/

  Look first: how many duplicates are there, and which?
    fanmill dedup crawl/*.jsonl.zst --mode report

  Keep the longest of each cluster, miss no pair, use at most 4 GiB:
    fanmill dedup corpus.parquet -o clean/ --keep longest --exact --memory 4GiB

  Also remove documents that are contained in others:
    fanmill dedup pages.warc.gz -o clean/ --containment 0.9

  Also remove what last year's corpus has already; that one is only read:
    fanmill dedup 2026/*.jsonl.zst --against 2025/ -o new/

  Keep only what no earlier run has kept:
    fanmill dedup today.jsonl --index seen.fanmill -o new/

  Remove navigation and legal notices; the rest of each document stays:
    fanmill dedup pages.jsonl -o clean/ --unit paragraph

  Remove every run of 50 words or more that occurs earlier, anywhere:
    fanmill dedup crawl/*.jsonl.zst -o clean/ --unit run --min-words 50

  Remove training records that share 13 words in a row with a test set:
    fanmill dedup train.jsonl --decontaminate tests/ -o clean/

",
    exit_statuses!(
        2: "the command line is wrong",
        3: "an input is missing, cut off or wrong, or --strict met a bad record",
        then: "; run again to resume (docs/dedup.md says when)"
    )
);

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct DedupArgs {
    /// Corpus files (JSONL, CSV, TSV, Parquet, Arrow, WARC; plain, .gz, .bz2, .xz, .lz4 or .zst), folders of such files or
    /// of texts and HTML pages, or `-` for standard input.
    #[arg(required_unless_present = "curve", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) paths: Vec<PathBuf>,

    /// Write the corpus to this new folder, and tables, summary and records that failed to DIR.fanmill beside it.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) output: Option<PathBuf>,

    /// Write files whose names differ only in case, or in how an accent is encoded; on macOS and Windows
    /// such names are one name.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) allow_case_clashes: bool,

    /// Output of the run.
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,

    /// Also write pairs.parquet: all pairs that were found to reach the threshold, with their similarity.
    /// Where 256 or more documents share a key, not every pair is compared, and the summary says how
    /// many documents that concerns; with --exact every pair is found.
    #[arg(long, requires = "output")]
    pub(crate) pairs: bool,

    /// Write into each record that stays the number of documents that it stays for, itself included, and of removed copies
    /// of its text (docs/dedup.md says where).
    #[arg(long)]
    pub(crate) sizes: bool,

    /// With --mode report: read this many records of each file, and say which files, formats and fields were taken.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    /// Compression level of the packed files that are written: .gz and .xz 0 to 9, .bz2 1 to 9, .zst 1 to 19; higher is
    /// smaller and slower [default: 6, 6, 9, 3].
    #[arg(long, value_name = "N")]
    pub(crate) compression_level: Option<u32>,

    /// The dictionary that .zst files were packed with. Output is written without one.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) zstd_dictionary: Option<PathBuf>,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) records: RecordArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) reference: ReferenceArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) duplicates: DuplicateArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) documents: ExtractionArgs,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) notices: NoticesArgs,

    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) resources: ResourceArgs,

    /// Format of standard output.
    #[arg(long, value_enum, default_value = "table")]
    #[serde(skip)]
    pub(crate) format: SummaryFormat,

    /// Print only errors, and JSON if that was asked for.
    #[arg(short, long)]
    #[serde(skip)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) config: ConfigArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ModeArg {
    /// The corpus without duplicates, and the tables.
    Remove,
    /// The whole corpus, duplicates marked, and the tables.
    Mark,
    /// The tables only; without --output, nothing is written to disk.
    Report,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// Counts and the largest clusters, as text for people.
    Table,
    /// The whole summary, as in summary.json.
    Json,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Records")]
pub(crate) struct RecordArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) fields: FieldArgs,

    #[arg(long, value_name = "NAME", help = formats_help("Read every file as this format instead of choosing by name", None))]
    pub(crate) input_format: Option<String>,

    /// Maximum size of a record; larger ones are not compared, and stay as they are [default: an eighth of --memory,
    /// from 16MiB to 256MiB].
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_record_bytes: Option<String>,

    /// Stop at the first record that cannot be read, instead of counting it and writing it to DIR.fanmill/failed.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Maximum share of a file's records that may fail, from 0 to 1; with 1, there may also be nothing to compare
    /// [default: 0.5].
    #[arg(long, value_name = "SHARE")]
    pub(crate) allow_failed: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Reference and test sets")]
pub(crate) struct ReferenceArgs {
    /// Reference: files or folders of documents, of any format, or an index. Documents of the corpus that resemble one of them
    /// are duplicates of it. The reference is only read. May be repeated.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) against: Vec<PathBuf>,

    /// Compare documents with the reference alone, and not with each other.
    #[arg(long)]
    pub(crate) only_against: bool,

    /// Also compare with the documents in this index, and add the documents that stay to it. Run after run, it keeps
    /// only what is new. Created if necessary. With --mode report nothing is added.
    #[cfg(feature = "index")]
    #[arg(long, value_name = "INDEX", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) index: Option<PathBuf>,

    /// Test sets: files or folders of items, of any format. Documents of the corpus that share a run of words with
    /// an item go (--min-words, --max-documents), and no others. The test sets are only read. May be repeated.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    #[serde(skip)]
    pub(crate) decontaminate: Vec<PathBuf>,

    /// With --decontaminate: ignore runs that more than this many documents of the corpus have [default: 10].
    #[arg(long, value_name = "N")]
    pub(crate) max_documents: Option<u32>,

    /// Field or column that holds the text in the reference or test sets [default: as --text-field].
    #[arg(long, value_name = "FIELD")]
    pub(crate) against_text_field: Option<String>,

    /// Field or column that holds the name of a document in the reference or test sets [default: as --id-field].
    #[arg(long, value_name = "FIELD")]
    pub(crate) against_id_field: Option<String>,

    /// Read every file of the reference or test sets as this format [default: as --input-format].
    #[arg(long, value_name = "NAME")]
    pub(crate) against_input_format: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "What is a duplicate")]
pub(crate) struct DuplicateArgs {
    /// Minimum resemblance (Jaccard) of duplicates, from 0 to 1: shared shingles divided by all distinct
    /// shingles of both [default: 0.8].
    #[arg(long, value_name = "SCORE", conflicts_with = "containment")]
    pub(crate) min_score: Option<String>,

    /// Instead of --min-score: remove a document if at least this share of it is contained in another
    /// one, which stays.
    #[arg(long, value_name = "SCORE", conflicts_with_all = ["keep", "sketch"])]
    pub(crate) containment: Option<String>,

    /// Length of a shingle in words, or in characters for scripts without spaces [default: 5].
    #[arg(long, value_name = "WORDS")]
    pub(crate) shingle: Option<usize>,

    /// Count repeated shingles as often as they occur, instead of once.
    #[arg(long)]
    pub(crate) weighted: bool,

    /// Compare words as they are spelled, so that accents, umlauts and other forms of letters count.
    #[arg(long)]
    pub(crate) exact_spelling: bool,

    /// Words that documents consist of [default: prose].
    #[arg(long, value_enum)]
    pub(crate) words: Option<WordsArg>,

    /// Way in which texts of fewer than six shingles' words (30), or twenty shingles' letters (100), are compared
    /// [default: slips].
    #[arg(long, value_enum)]
    pub(crate) short_texts: Option<ShortTextsArg>,

    /// Unit that is removed: whole documents, paragraphs or lines that an earlier document has word for
    /// word, or runs of words that occur earlier, anywhere; the rest of the document stays.
    #[arg(long, value_enum)]
    pub(crate) unit: Option<UnitArg>,

    /// With --unit: minimum length of what is removed [default: 5; with --unit run: 50]. With --decontaminate: of a
    /// run that a document shares with an item; a shorter item counts as a whole [default: 13].
    #[arg(long, value_name = "WORDS")]
    pub(crate) min_words: Option<u32>,

    /// With --unit run: minimum length of what is removed in bytes of words with one blank between two, instead of
    /// --min-words; 65535 at most.
    #[arg(long, value_name = "BYTES", conflicts_with = "min_words")]
    pub(crate) min_bytes: Option<u16>,

    /// With --unit run: places where text is cut [default: word].
    #[arg(long, value_enum)]
    pub(crate) cut: Option<CutArg>,

    /// With --unit run: remove documents of which fewer words are left after a cut [default: 1].
    #[arg(long, value_name = "WORDS")]
    pub(crate) min_rest: Option<u32>,

    /// With --unit paragraph or line: remove only what occurs in at least this many documents [default: 2].
    #[arg(long, value_name = "N")]
    pub(crate) min_documents: Option<u32>,

    /// Document of a cluster that stays, or with --unit run the order in which a run is removed from all but the first: first, longest, newest:FIELD, oldest:FIELD, highest:FIELD,
    /// lowest:FIELD, or source:FIELD=A,B,C for the source named first [default: first].
    #[arg(long, value_name = "RULE")]
    pub(crate) keep: Option<String>,

    /// Before texts are compared, take records of one address for one document: the one that --keep prefers is compared,
    /// and the others are removed for it, whatever their texts. Addresses count as the same by the rules of
    /// `fanmill urls`.
    #[arg(long, value_enum)]
    pub(crate) first_by: Option<FirstByArg>,

    /// With --first-by url: field or column that holds the address [default: url, or WARC-Target-URI].
    #[arg(long, value_name = "FIELD")]
    pub(crate) url_field: Option<String>,

    /// With --first-by url: rules.jsonl of `fanmill urls`; addresses that its rules make equal are the same, too.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) url_rules: Option<PathBuf>,

    /// Way in which pairs become clusters [default: centres].
    #[arg(long, value_enum)]
    pub(crate) cluster: Option<ClusterArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnitArg {
    /// Whole documents that are near-duplicates.
    Document,
    /// Paragraphs, separated by blank lines.
    Paragraph,
    /// Lines.
    Line,
    /// Runs of at least --min-words words, as they are written.
    Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FirstByArg {
    /// The address of a record.
    Url,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WordsArg {
    /// Words in one spelling; signs count only in documents of a few words.
    Prose,
    /// Words and all signs, case and indentation.
    Code,
    /// Words and all signs, as they are written.
    Maths,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ShortTextsArg {
    /// Word by word: copies may differ by one slip of the pen in ten words, or by one word in ten at the end.
    Slips,
    /// By shingles, as longer texts are.
    Shingles,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CutArg {
    /// Between words.
    Word,
    /// Between sentences: of a repeated run, only whole sentences go.
    Sentence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ClusterArg {
    /// Each duplicate reaches the threshold with the document that stays.
    Centres,
    /// All documents that chains of pairs connect, as Broder did in 1997.
    Components,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Find all pairs by their rarest shingles, instead of nearly all by sketches.
    #[arg(long, conflicts_with_all = ["sketch", "recall"])]
    pub(crate) exact: bool,

    /// The sketch (MinHash and others) that finds similar documents: fss(t=128), perm(t=128), lead(t=84),
    /// classic(k=6,s=14,r=2), classic(k=8,s=25,r=1), bottom(t=128), mod(m=32) or bytes(s=11,r=3)
    /// [default: fss(t=128)].
    #[arg(long, value_name = "SKETCH")]
    pub(crate) sketch: Option<String>,

    /// Minimum share of pairs to find that are exactly at the threshold; more of those above it are
    /// found [default: 0.998].
    #[arg(long, value_name = "SCORE")]
    pub(crate) recall: Option<String>,

    /// Print the share of pairs that the sketch finds, by resemblance, and exit.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) curve: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Resources")]
pub(crate) struct ResourceArgs {
    /// Memory for the work (KiB, MiB, GiB); the program itself needs up to 64 MiB more.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,

    /// Folder for temporary files [default: beside the output].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[serde(skip)]
    pub(crate) temp: Option<PathBuf>,

    /// Number of threads, 1024 at most; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    #[serde(skip)]
    pub(crate) threads: Option<usize>,
}
