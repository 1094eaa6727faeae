//! `summary.json` of a run over repeated runs of words.

use fanmill_text::counted::counted;
use fanmill_text::scheme::{FrontEndVersion, Scheme};
use serde::Serialize;

use super::context::Run;
use super::settings::{Cut, MinLength, Settings};
use super::stored::Stored;
use crate::dedup::{Mode, RunFigures};
use crate::recipe;
use fanmill_records::account::{Inputs, Notice, first_hundred};

/// The whole summary, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `fanmill dedup runs`.
    pub kind: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The recipe by which runs became hashes.
    pub scheme: Scheme,
    /// The rule for what stays.
    pub keep: String,
    /// The kind of output.
    pub mode: Mode,
    /// The guarantee for the result, in words.
    pub promise: String,
    /// Numbers of inputs that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of documents and runs.
    pub counts: Counts,
    /// The first ten thousand records that could not be read; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub bad_records: Vec<Notice>,
    /// The first ten thousand documents that were compared although their texts are incomplete; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub degraded: Vec<Notice>,
    /// The first ten thousand files and records that were left out; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub skipped: Vec<Notice>,
    /// Figures that differ from run to run.
    pub run: RunFigures,
}

/// Counts of documents and runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Files and folders that were read as one sequence of records.
    pub shards: u64,
    /// Records met: documents and bad ones.
    pub records: u64,
    /// Records that could not be read. No other number includes them.
    pub bad: u64,
    /// Documents.
    pub documents: u64,
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Words of their texts.
    pub words: u64,
    /// Counts of what was removed.
    #[serde(flatten)]
    pub removed: Removed,
    /// Rounds in which something was cut: one, and one more each time that what was joined was repeated itself.
    pub rounds: u64,
}

/// Counts of what was removed, or would be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Runs cut out of documents.
    #[serde(rename = "removed_runs")]
    pub runs: u64,
    /// Pieces they consist of: one, and one more each time that the source changes inside.
    pub pieces: u64,
    /// Pieces whose source is in the same document.
    pub pieces_within: u64,
    /// Words of these runs.
    #[serde(rename = "removed_words")]
    pub words: u64,
    /// Bytes of these runs.
    #[serde(rename = "removed_bytes")]
    pub bytes: u64,
    /// Documents that lost a run.
    #[serde(rename = "changed_documents")]
    pub documents: u64,
    /// Documents of which no word was left; they go.
    #[serde(rename = "emptied_documents")]
    pub emptied: u64,
    /// Other documents of which too few words were left; they go.
    #[serde(rename = "short_documents")]
    pub short: u64,
    /// Documents that were still cut in the last round there may be; they go, and are counted as emptied.
    #[serde(rename = "exhausted_documents")]
    pub exhausted: u64,
}

impl Summary {
    /// Returns the word for what was done with runs.
    pub fn action(&self) -> &'static str {
        match self.mode {
            Mode::Remove => "removed",
            Mode::Mark => "marked",
            Mode::Report => "found",
        }
    }

    pub(super) fn new(run: &Run<'_>, stored: Stored, removed: Removed, n_rounds: u32) -> Summary {
        let settings = run.settings;
        let records = stored.account.records.total();
        Summary {
            kind: "fanmill dedup runs",
            version: env!("CARGO_PKG_VERSION"),
            scheme: scheme(settings),
            keep: settings.keep.to_string(),
            mode: settings.mode,
            promise: promise(settings),
            inputs: stored.account.inputs(),
            counts: Counts {
                shards: run.corpus.shards.len() as u64,
                records,
                bad: stored.account.bad.n(),
                documents: records - stored.account.bad.n(),
                text_bytes: stored.account.n_bytes,
                words: stored.texts.n_words,
                removed,
                rounds: n_rounds.into(),
            },
            bad_records: stored.account.bad.notices.first,
            degraded: stored.account.flawed.first,
            skipped: stored.account.skipped.first,
            run: RunFigures::new(&run.staging, &run.identity, &run.steps, settings.memory),
        }
    }
}

/// Returns the recipe by which runs become hashes.
pub(super) fn scheme(settings: &Settings) -> Scheme {
    let step = match settings.length {
        MinLength::Words(n) => format!("runs(n={n})"),
        MinLength::Bytes(n) => format!("runs(bytes={n})"),
    };
    let front_end = FrontEndVersion::new("verbatim", 1);
    Scheme::new(recipe::DOMAIN, [front_end], [step, "polynomial-93".to_owned()])
}

/// Returns what holds of the result, in words.
pub(super) fn promise(settings: &Settings) -> String {
    let length = match settings.length {
        MinLength::Words(n) => counted(n.into(), "word", "words"),
        MinLength::Bytes(n) => counted(n.into(), "byte", "bytes"),
    };
    let found = match settings.cut {
        Cut::Word => format!(
            "no run of {length} or more is left that occurs earlier, in another document or in the same one"
        ),
        Cut::Sentence => format!(
            "no whole sentence is left in a run of {length} or more that occurs earlier, in another document \
             or in the same one"
        ),
    };
    format!(
        "each word removed is in a run of {length} or more that occurs earlier, word for word; {found}"
    )
}
