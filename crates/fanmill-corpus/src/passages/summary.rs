//! `summary.json` of a run over passages.

use fanmill_text::counted::counted;
use fanmill_text::scheme::Scheme;
use serde::Serialize;

use super::Run;
use super::find::FoundPassages;
use crate::dedup::RunFigures;
use crate::recipe;
use crate::word_kind::WordKind;
use fanmill_records::account::{Inputs, Notice, first_hundred};

/// The whole summary, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `fanmill dedup passages`.
    pub kind: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The recipe by which passages became hashes.
    pub scheme: Scheme,
    /// The guarantee for the result, in words.
    pub promise: String,
    /// Numbers of inputs that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of documents and passages.
    pub counts: Counts,
    /// The passages that most documents have.
    pub most_repeated: Vec<Repeated>,
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

/// Counts of documents and passages.
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
    /// Passages with enough words to be compared.
    pub passages: u64,
    /// Counts of what was removed.
    #[serde(flatten)]
    pub removed: Removed,
}

/// Counts of what was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Different passages that are repeated.
    #[serde(rename = "repeated_passages")]
    pub different: u64,
    /// Passages removed.
    #[serde(rename = "removed_passages")]
    pub passages: u64,
    /// Bytes of removed passages.
    #[serde(rename = "removed_bytes")]
    pub bytes: u64,
    /// Documents that lost a passage.
    #[serde(rename = "changed_documents")]
    pub documents: u64,
    /// Documents that became empty; they are removed.
    #[serde(rename = "emptied_documents")]
    pub emptied: u64,
}

/// A passage that many documents have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// Number of these documents.
    pub documents: u64,
    /// Its beginning, as it is in its first document.
    pub text: String,
}

impl Summary {
    pub(super) fn new(
        run: &Run<'_>,
        found: FoundPassages,
        removed: Removed,
        most_repeated: Vec<Repeated>,
    ) -> Summary {
        let settings = run.settings;
        let records = found.account.records.total();
        Summary {
            kind: "fanmill dedup passages",
            version: env!("CARGO_PKG_VERSION"),
            scheme: Scheme::new(
                recipe::DOMAIN,
                [WordKind::Spelling.front_end()],
                [settings.unit.to_string(), "blake3-96".to_owned()],
            ),
            promise: format!(
                "each {} removed has the words of one that stays in an earlier document, in the same order; \
                 every {} of {} or more that {} documents have is removed from all but the first",
                settings.unit,
                settings.unit,
                counted(settings.min_words.into(), "word", "words"),
                settings.min_documents
            ),
            inputs: found.account.inputs(),
            counts: Counts {
                shards: run.corpus.shards.len() as u64,
                records,
                bad: found.account.bad.n(),
                documents: records - found.account.bad.n(),
                text_bytes: found.account.n_bytes,
                passages: found.n_passages,
                removed,
            },
            most_repeated,
            bad_records: found.account.bad.notices.first,
            degraded: found.account.flawed.first,
            skipped: found.account.skipped.first,
            run: RunFigures::new(&run.staging, &run.identity, &run.steps, settings.memory),
        }
    }
}
