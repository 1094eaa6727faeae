//! Data model of a comparison's result: the content of `report.json`, which every view reads.
//!
//! `docs/report.md` describes it field by field. Offsets are bytes of the original documents, half-open;
//! lines are 1-based. Arrays have a fixed order, so that equal runs give equal bytes.

use serde::{Deserialize, Serialize};

use crate::base::Boilerplate;
use crate::score::expectation::{Expectation, Unjudged};
pub use fanmill_text::document::Inputs;
use fanmill_text::document::{Notice, Publication, Role};
use fanmill_text::frontend::ChoiceReason;
use fanmill_text::token::Kind;

/// Version of the model: raised when the meaning of a field changes or a field is removed.
pub const VERSION: u32 = 3;

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Always `fanmill report`.
    pub format: String,
    /// [`VERSION`] of the model.
    pub version: u32,
    /// The program and release that wrote it.
    pub tool: String,
    /// Title chosen by the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Language in which its page begins, as a tag; that of the reader's browser if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_language: Option<String>,
    /// The guarantees, for each kind of text that occurred.
    pub promises: Vec<Promise>,
    /// The settings that shaped the result.
    pub settings: Settings,
    /// Number of inputs seen, and their outcomes.
    pub inputs: Inputs,
    /// Every input that was not read completely, and the reason.
    pub notices: Vec<Notice>,
    /// All submissions that take part, new and archived, ascending by role and name.
    pub submissions: Vec<Submission>,
    /// Number of pairs compared and listed.
    pub counts: Counts,
    /// The fitted expectation of pairs among unrelated submissions. Absent where that cannot be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
    /// The reason why the expectation cannot be judged. Absent where it can be, and in reports of version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<Unjudged>,
    /// Pairs by score: bucket `i` counts pairs with `i/20 <= score < (i+1)/20`; the last also counts 1.
    pub histogram: Vec<u64>,
    /// Listed pairs, best first.
    pub pairs: Vec<Pair>,
    /// Pairs that share a passage but have no room in the list, best first: for tables, and not in `report.json`.
    #[serde(skip)]
    pub unlisted: Vec<PairSummary>,
    /// Groups of submissions linked by pairs that share a passage, listed or not, largest first.
    pub clusters: Vec<Cluster>,
    /// The sources of a text that was searched for, in the order of what each explains of it that no earlier one does;
    /// empty in other reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<RankedSource>,
}

impl Report {
    /// Returns the submission with this number, as used by pairs and clusters. `None` occurs only in a damaged report.
    pub fn submission(&self, number: u32) -> Option<&Submission> {
        self.submissions.get(number as usize)
    }
}

/// The scheme of one kind of text, and its guarantee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// The kind of text.
    pub kind: Kind,
    /// The scheme's canonical form.
    pub scheme: String,
    /// No passage without a run of this length is ever shown, in tokens.
    pub noise: u32,
    /// Shared runs of at least this length are always found, in tokens; absent if the selector has no
    /// guarantee.
    pub guarantee: Option<u32>,
    /// If set, the promise holds for pairs in which a submission has fewer tokens of this kind than this; absent for
    /// all other pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shorter_than: Option<u32>,
    /// A run as long as the guarantee is always found if at most this many submissions have it, and otherwise in the
    /// pairs that were scored; absent where all pairs were scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_holders: Option<u32>,
    /// The promise as a sentence.
    pub text: String,
}

/// The settings that shaped the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Pairs below this score are counted but not listed.
    pub min_score: f64,
    /// Maximum number of pairs listed.
    pub max_pairs: u64,
    /// Minimum score at which a pair links its submissions into a cluster.
    pub cluster_threshold: f64,
    /// Origin of that score.
    #[serde(default)]
    pub threshold_from: ThresholdFrom,
    /// Maximum number of submissions that may hold a gram; if more do, it is boilerplate.
    pub max_docs: Option<u64>,
    /// True if quotations in prose were set apart as boilerplate.
    #[serde(default)]
    pub quotes: bool,
    /// Language forced on all files, if any.
    pub language: Option<String>,
}

/// Origin of the cluster threshold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdFrom {
    /// The user.
    Set,
    /// The batch: the score at which unrelated submissions would give half a pair.
    Chance,
    /// A constant, since the batch cannot be judged.
    Unjudged,
    /// The batch: the score that half as many pairs reach as there are submissions; in reports of version 2.
    #[default]
    Fitted,
}

/// One submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Its name.
    pub name: String,
    /// New or archived.
    pub role: Role,
    /// The person who submitted it.
    pub author: Option<String>,
    /// The group that the user put it into.
    pub label: Option<String>,
    /// Time of submission: in ISO 8601, or as the manifest writes it if that cannot be read as a time.
    pub submitted: Option<String>,
    /// Facts by which a published text is found again.
    #[serde(flatten)]
    pub publication: Publication,
    /// Its documents, ascending by path.
    pub files: Vec<File>,
    /// Tokens that count.
    pub tokens: u64,
    /// Tokens that are boilerplate and do not count.
    pub boilerplate_tokens: u64,
}

/// One document of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Path inside the submission.
    pub path: String,
    /// The front end that read it: `java`.
    pub language: String,
    /// The way in which the front end was chosen.
    pub chosen_by: ChoiceReason,
    /// The encoding it was decoded from: `UTF-8`.
    pub encoding: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of lines of the text: the number of line feeds plus one.
    pub lines: u64,
    /// Number of tokens, boilerplate included.
    pub tokens: u64,
    /// Stretches of boilerplate, ascending, not overlapping.
    pub boilerplate: Vec<BoilerplateSpan>,
}

/// A stretch of boilerplate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoilerplateSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The reason why it does not count.
    pub why: Boilerplate,
}

/// Numbers of pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pairs that could be compared: new with new, new with archive.
    pub possible: u64,
    /// Pairs that share fingerprints and were scored.
    pub scored: u64,
    /// True if more pairs share fingerprints than may be scored, so that the least promising were left out.
    pub limited: bool,
    /// Pairs that reached the minimum score.
    pub reached: u64,
    /// Pairs among these that share a passage.
    #[serde(default)]
    pub supported: u64,
    /// Pairs that share a passage and are expected by chance less than half a time, listed or not; 0 where that cannot
    /// be judged.
    #[serde(default)]
    pub standing_out: u64,
    /// Pairs listed below.
    pub listed: u64,
}

/// Two submissions, their scores and the passages that earned them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Index of submission A in `submissions`; lower than `b`.
    pub a: u32,
    /// Index of submission B.
    pub b: u32,
    /// The score, 0 to 1: the amount of rare material that they share, held to the passages below.
    pub score: f64,
    /// Number of pairs with at least this score that unrelated submissions of the batch would give. Absent where that
    /// cannot be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// Share of A's tokens that the passages cover, 0 to 1, by exact coverage. Material shared outside passages counts
    /// for the score only.
    pub containment_a: f64,
    /// Share of B's tokens that the passages cover.
    pub containment_b: f64,
    /// Tokens that the passages cover among all tokens of both, 0 to 1.
    pub resemblance: f64,
    /// Amount of rare material that they share, in absolute terms: the weights of all shared grams of the channel that
    /// decided the score. A gram that one in a hundred submissions holds weighs about 10.
    pub rare: u64,
    /// Tokens of the longest passage.
    pub longest: u64,
    /// Tokens of the longest run that both have and few others do; 0 if none is as long as the guarantee.
    #[serde(default)]
    pub rare_run: u64,
    /// The reason why it is listed.
    #[serde(default)]
    pub listed_for: ListedFor,
    /// Tokens that match in the passages, on each side.
    pub matched: u64,
    /// True if a limit on work was reached, so that matches may be missing or cut short. A match as long as the
    /// guarantee is still there if the two share one.
    pub truncated: bool,
    /// True if one is earlier work of the person whose the other is. Such a pair says nothing about anybody else: it has
    /// no `expected`, is not counted in `standing_out`, and links no cluster.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_earlier: bool,
    /// The passages that they share, ascending in A.
    pub passages: Vec<Passage>,
    /// Metadata that documents of both have in common, if that was asked for. It is not part of any score.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metadata: Vec<SharedMetadata>,
}

/// Reason for listing a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListedFor {
    /// Its score is among the best.
    #[default]
    Score,
    /// Its rare run is among the longest.
    RareRun,
}

/// A pair without its passages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSummary {
    /// Index of submission A in `submissions`; lower than `b`.
    pub a: u32,
    /// Index of submission B.
    pub b: u32,
    /// The score, 0 to 1.
    pub score: f64,
    /// Number of pairs with at least this score that unrelated submissions of the batch would give.
    pub expected: Option<f64>,
    /// Summary of its passages; absent where it is only known that there is one.
    pub extent: Option<PairExtent>,
}

/// Summary of a pair's passages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairExtent {
    /// Share of A's tokens that the passages cover, 0 to 1.
    pub containment_a: f64,
    /// Share of B's tokens that the passages cover, 0 to 1.
    pub containment_b: f64,
    /// Tokens that the passages cover among all tokens of both, 0 to 1.
    pub resemblance: f64,
    /// Tokens of the longest passage.
    pub longest: u64,
    /// Tokens that match in the passages, on each side.
    pub matched: u64,
    /// Number of passages.
    pub n_passages: u32,
}

impl From<&Pair> for PairSummary {
    fn from(pair: &Pair) -> PairSummary {
        PairSummary {
            a: pair.a,
            b: pair.b,
            score: pair.score,
            expected: pair.expected,
            extent: Some(PairExtent {
                containment_a: pair.containment_a,
                containment_b: pair.containment_b,
                resemblance: pair.resemblance,
                longest: pair.longest,
                matched: pair.matched,
                n_passages: pair.passages.len() as u32,
            }),
        }
    }
}

/// Metadata that a document of each side has in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMetadata {
    /// The kind of metadata.
    pub what: MetadataField,
    /// The common value; for revision ids, the number that both have.
    pub value: String,
    /// Path of the document of A.
    pub path_a: String,
    /// Path of the document of B.
    pub path_b: String,
}

/// A kind of metadata in documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataField {
    /// Word's numbers of editing sessions: documents that share some descend from one file.
    RevisionIds,
    /// The person who created it.
    Author,
    /// The person who saved it last.
    LastAuthor,
    /// The time of creation.
    Created,
    /// The program that wrote it.
    Program,
}

/// A copied passage: one or more matches in the same order in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Matching tokens that are not boilerplate.
    pub tokens: u64,
    /// True if some passage that comes earlier in A comes later in B.
    pub moved: bool,
    /// Its matches, ascending.
    pub matches: Vec<Match>,
}

/// A run of equal tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Length in tokens.
    pub tokens: u32,
    /// Its place in A.
    pub a: Place,
    /// Its place in B.
    pub b: Place,
}

/// A stretch of one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index in the submission's `files`.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Line of the first byte.
    pub first_line: u32,
    /// Line of the last byte.
    pub last_line: u32,
    /// Pages of the first and the last byte, from 1, in prose that form feeds divide into pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<(u32, u32)>,
}

/// A source of the text that was searched for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedSource {
    /// Index in `pairs` of the pair of the text and this source.
    pub pair: u32,
    /// Number of the text's tokens that it has and no earlier source.
    pub added: u64,
    /// Pairs of the text and sources that have nearly the same tokens of it: mirrors, other versions.
    pub variants: Vec<u32>,
}

/// Submissions linked by pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Indices in `submissions`, ascending.
    pub members: Vec<u32>,
    /// Number of pairs among them that reach the threshold.
    pub links: u64,
    /// The weakest of these pairs' scores.
    pub weakest: f64,
    /// The mean of these pairs' scores.
    pub mean: f64,
    /// Number of submissions in the chain of pairs that it was split from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<u64>,
}
