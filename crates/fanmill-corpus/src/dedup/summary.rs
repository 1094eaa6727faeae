//! `summary.json`: a record of what a run did, and what it promises.

use fanmill_text::message::Message;
use std::collections::BTreeMap;

use fanmill_text::scheme::Scheme;
use serde::Serialize;

use super::addresses::{AddressCounts, FirstBy};
use super::plan::Hits;
use super::sketching::CollectionCounts;
use crate::job::{Identity, Staging, Steps};
use fanmill_records::account::{Inputs, Notice, first_hundred};

/// The whole summary, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `fanmill dedup`.
    pub kind: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The recipe by which texts became sets and keys.
    pub scheme: Scheme,
    /// The condition for two documents to count as duplicates.
    pub measure: String,
    /// The way pairs became clusters.
    pub linkage: String,
    /// The rule for which document stays.
    pub keep: String,
    /// The value by which documents were grouped before their texts were compared, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_by: Option<FirstBy>,
    /// The kind of output.
    pub mode: String,
    /// The guarantee for the result, in words.
    pub promise: Message,
    /// Numbers of inputs that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of documents, pairs and clusters.
    pub counts: Counts,
    /// Counts of documents by their addresses, if they were grouped by these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<AddressCounts>,
    /// The reference that the corpus was compared with, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<ReferenceSummary>,
    /// Number of clusters of each size.
    pub cluster_sizes: Vec<SizeCount>,
    /// Keys shared by so many documents that this has a cost: with sketches, not all of their pairs are looked at; with
    /// exact search, they take time. The largest come first.
    pub common_keys: Vec<CommonKey>,
    /// The first ten thousand records that could not be read; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub bad_records: Vec<Notice>,
    /// The first ten thousand documents that were compared although their texts are incomplete; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub degraded: Vec<Notice>,
    /// The first ten thousand files and records that were left out of the comparison; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub skipped: Vec<Notice>,
    /// Figures that differ from run to run.
    pub run: RunFigures,
}

/// A reference, and the documents that resemble it. Nothing else in a summary counts documents of the reference, except
/// `candidates`, `edges` and the sizes of clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReferenceSummary {
    /// Numbers of inputs that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of documents and duplicates.
    pub counts: ReferenceCounts,
    /// The first ten thousand records that could not be read; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub bad_records: Vec<Notice>,
    /// The first ten thousand documents that were compared although their texts are incomplete; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub degraded: Vec<Notice>,
    /// The first ten thousand files and records that were left out of the comparison; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub skipped: Vec<Notice>,
}

/// Counts of the documents of a reference, and of their duplicates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReferenceCounts {
    /// Files and folders of the reference that were read as one sequence of records.
    pub shards: u64,
    /// Records of the reference: documents and bad ones.
    pub records: u64,
    /// Records that could not be read.
    pub bad: u64,
    /// Documents of the reference.
    pub documents: u64,
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Documents of the reference without words.
    pub wordless: u64,
    /// Documents of the corpus that are removed or marked as duplicates of a document of the reference.
    pub duplicates: u64,
    /// Documents of the reference that these are duplicates of.
    pub hit: u64,
}

impl ReferenceSummary {
    pub(super) fn new(stock: CollectionCounts, shards: u64, hits: Hits) -> ReferenceSummary {
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

/// Counts of documents, pairs and clusters.
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
    /// Documents without words; these are never near-duplicates.
    pub wordless: u64,
    /// Documents whose text equals that of an earlier document or of one in the reference; only the latter if they are
    /// compared with the reference alone. Those that go by their address are not among them.
    pub copies: u64,
    /// Pairs that were looked at. They were compared shingle by shingle, unless bitmaps of their shingles ruled them
    /// out, or they were settled.
    pub candidates: u64,
    /// Upper bound on the pairs that were not compared although they share a key, because too many documents have that
    /// key.
    pub unseen_pairs: u64,
    /// Candidates that were not compared because it makes no difference whether they count: one of the two documents is
    /// removed for another one, and other pairs link the two.
    pub settled_pairs: u64,
    /// Pairs that were found to count; settled ones might count, too.
    pub edges: u64,
    /// Documents that are removed or marked as duplicates, copies and those that go by their address included.
    pub duplicates: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Groups of duplicates.
    pub clusters: u64,
    /// Groups there would be if chains were not split.
    pub components: u64,
}

/// The clusters of one size.
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
    /// Number of these documents.
    pub documents: u64,
    /// One of them, as an example.
    pub example: String,
}

/// Figures that differ from run to run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunFigures {
    /// Number of threads.
    pub threads: usize,
    /// Bytes of memory that were allowed.
    pub memory: usize,
    /// Records that an earlier run had read before it was killed.
    pub resumed_records: u64,
    /// True if what an earlier, killed run had read was removed, because it had other inputs or settings.
    pub dropped_earlier: bool,
    /// Equal for runs of the same settings over the same files, as they are on this disk.
    pub identity: String,
    /// Each step and the seconds it took.
    pub seconds: Vec<(&'static str, f64)>,
}

impl RunFigures {
    /// Returns the figures of a run that has read everything itself.
    pub(crate) fn new(
        staging: &Staging,
        identity: &Identity,
        steps: &Steps<'_>,
        memory: usize,
    ) -> RunFigures {
        RunFigures {
            threads: rayon::current_num_threads(),
            memory,
            resumed_records: 0,
            dropped_earlier: staging.has_dropped(),
            identity: identity.of_output.clone(),
            seconds: steps.seconds(),
        }
    }
}

impl Summary {
    /// Returns the number of clusters of each size, in the form that users see.
    pub(super) fn histogram(sizes: &BTreeMap<u64, u64>) -> Vec<SizeCount> {
        sizes.iter().map(|(&documents, &clusters)| SizeCount { documents, clusters }).collect()
    }
}
