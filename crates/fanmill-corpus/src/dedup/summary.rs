//! `summary.json`: what a run did, and what it promises.

use fanmill_text::message::Message;
use std::collections::BTreeMap;

use fanmill_text::scheme::Scheme;
use serde::Serialize;

use super::plan::Hits;
use super::sketching::Stock;
use fanmill_records::account::{Inputs, Notice};

/// The whole summary, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `fanmill dedup`.
    pub kind: &'static str,
    /// Of the program.
    pub version: &'static str,
    /// How texts became sets and keys.
    pub scheme: Scheme,
    /// When two documents count as duplicates.
    pub measure: String,
    /// How pairs become clusters.
    pub linkage: String,
    /// Which document stays.
    pub keep: String,
    /// What was written.
    pub mode: String,
    /// What holds of the result, in words.
    pub promise: Message,
    /// What was met, and what became of it.
    pub inputs: Inputs,
    /// How many of what.
    pub counts: Counts,
    /// What the corpus was compared with, if there was a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<ReferenceSummary>,
    /// How many clusters there are of each size.
    pub cluster_sizes: Vec<SizeCount>,
    /// Keys that so many documents share that it costs, by sketches the look at all their pairs, with exact
    /// search time; the largest first.
    pub common_keys: Vec<CommonKey>,
    /// The first hundred records that could not be read.
    pub bad_records: Vec<Notice>,
    /// The first hundred documents that were compared without something.
    pub degraded: Vec<Notice>,
    /// The first hundred files and records that were left out of the comparison.
    pub skipped: Vec<Notice>,
    /// What differs from run to run.
    pub run: RunFigures,
}

/// A reference, and what resembles its documents. Nothing else in a summary counts its documents, but for `candidates`,
/// `edges` and the sizes of clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReferenceSummary {
    /// What was met, and what became of it.
    pub inputs: Inputs,
    /// How many of what.
    pub counts: ReferenceCounts,
    /// The first hundred records that could not be read.
    pub bad_records: Vec<Notice>,
    /// The first hundred documents that were compared without something.
    pub degraded: Vec<Notice>,
    /// The first hundred files and records that were left out of the comparison.
    pub skipped: Vec<Notice>,
}

/// How many of what, with a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReferenceCounts {
    /// Files and folders of the reference that were read as one sequence of records.
    pub shards: u64,
    /// Its records: documents and bad ones.
    pub records: u64,
    /// Records that could not be read.
    pub bad: u64,
    /// Its documents.
    pub documents: u64,
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Its documents without words.
    pub wordless: u64,
    /// Documents of the corpus that are removed or marked as duplicates of one of its documents.
    pub duplicates: u64,
    /// Its documents that these are duplicates of.
    pub hit: u64,
}

impl ReferenceSummary {
    pub(super) fn new(stock: Stock, shards: u64, hits: Hits) -> ReferenceSummary {
        let counts = ReferenceCounts {
            shards,
            records: stock.n_records,
            bad: stock.bad.n(),
            documents: stock.n_documents(),
            text_bytes: stock.n_bytes,
            wordless: stock.n_wordless,
            duplicates: hits.n_duplicates,
            hit: hits.n_references,
        };
        ReferenceSummary {
            inputs: stock.inputs(),
            counts,
            bad_records: stock.bad.notices.first,
            degraded: stock.flawed.first,
            skipped: stock.skipped.first,
        }
    }
}

/// How many of what.
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
    /// Documents without words: they are never duplicates.
    pub wordless: u64,
    /// Documents whose text an earlier document has, or one of the reference. If they are compared with the
    /// reference alone, the latter.
    pub copies: u64,
    /// Pairs that were looked at: compared shingle by shingle, unless bitmaps of their shingles ruled them out, or
    /// they were settled.
    pub candidates: u64,
    /// Pairs that were not compared although a key is equal, as too many documents have it; at most.
    pub unseen_pairs: u64,
    /// Candidates that were not compared, because it makes no difference whether they count: one of the documents goes
    /// for another one, and other pairs link the two.
    pub settled_pairs: u64,
    /// Pairs that count; settled ones may count, too.
    pub edges: u64,
    /// Documents that are removed or marked as duplicates, copies included.
    pub duplicates: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Groups of duplicates.
    pub clusters: u64,
    /// Groups that would be one if chains were not split.
    pub components: u64,
}

/// Clusters of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SizeCount {
    /// Documents in the cluster, the one that stays included.
    pub documents: u64,
    /// Clusters of that size.
    pub clusters: u64,
}

/// A key that very many documents share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommonKey {
    /// How many they are.
    pub documents: u64,
    /// One of them, as an example.
    pub example: String,
}

/// What differs from run to run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunFigures {
    /// Threads at work.
    pub threads: usize,
    /// Bytes of memory that were allowed.
    pub memory: usize,
    /// Records that an earlier run, which was killed, had read.
    pub resumed_records: u64,
    /// Whether an earlier run, which was killed, had other inputs or settings, so that what it had read was
    /// removed.
    pub dropped_earlier: bool,
    /// Equal for runs of the same settings over the same files, as they are on this disk.
    pub identity: String,
    /// Each step and the seconds it took.
    pub seconds: Vec<(&'static str, f64)>,
}

impl Summary {
    /// How many clusters there are of each size, as users see it.
    pub(super) fn histogram(sizes: &BTreeMap<u64, u64>) -> Vec<SizeCount> {
        sizes.iter().map(|(&documents, &clusters)| SizeCount { documents, clusters }).collect()
    }
}
