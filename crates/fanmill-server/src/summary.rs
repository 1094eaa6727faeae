//! The outcome of a comparison in a few numbers, by which a batch is listed: how much of it was compared, and what was
//! found. It goes with the report: whatever takes that away takes the summary away, too.
//!
//! The child that compares writes it, so the server need not read the report.

use std::collections::{BTreeMap, BTreeSet};

use fanmill_jobs::compare::{Inputs, Outcome};
use fanmill_jobs::taken::TakenInputs;
use fanmill_text::document::{self, Corpus, Notice, Role};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::upload;

/// Maximum number of reasons that are listed.
const MAX_REASONS: usize = 20;

/// The extent to which the submissions of a batch were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Extent {
    /// All uploads were read to their ends, and of nine tenths of the submissions, or more, no file was left out or read in
    /// part.
    Whole,
    /// An upload was not read to its end, or more than a tenth of the submissions have such a file.
    Part,
    /// There were not two submissions to compare.
    Nothing,
}

/// The number of notices with one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct NoticeCount {
    /// Number of notices.
    n: u64,
    /// `degraded`, `skipped`, `failed` or `flagged`.
    #[schema(value_type = String)]
    outcome: document::Outcome,
    reason: String,
}

/// The outcome of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Summary {
    /// The score of the best pair that is listed.
    #[schema(required)]
    best: Option<f64>,
    compared: Extent,
    /// True if an upload, such as a damaged archive, was not read to its end: submissions may be missing.
    is_cut_off: bool,
    /// Submissions of earlier work that the batch was compared with.
    n_earlier: u64,
    /// Submissions of the batch of which a file was left out or read in part.
    n_incomplete: u64,
    /// Inputs that were left out, with a notice for each.
    #[serde(default)]
    n_left_out: u64,
    n_notices: u64,
    /// Listed pairs.
    n_pairs: u64,
    /// Pairs that unrelated submissions would show less than once in two batches. `null` where that cannot be judged.
    #[schema(required)]
    n_standing_out: Option<u64>,
    /// Submissions of the batch.
    n_submissions: u64,
    /// Inputs that could not be read, with a notice for each.
    #[serde(default)]
    n_unread: u64,
    /// The reason why nothing was compared.
    #[schema(required)]
    nothing: Option<String>,
    /// The most frequent reasons of notices, at most 20.
    reasons: Vec<NoticeCount>,
    /// The inputs that were taken as submissions: `60 people by Moodle names with 1 file or folder each`. `null` if a
    /// list or the settings define them.
    #[schema(required)]
    taken: Option<String>,
}

impl Summary {
    /// Sums up the outcome of a comparison of these inputs.
    pub(crate) fn from_outcome(inputs: &Inputs, outcome: &Outcome) -> Summary {
        let report = &outcome.comparison.report;
        let all = report.submissions.iter();
        let submissions = all.map(|one| (&*one.name, one.role, one.files.is_empty()));
        Summary {
            best: report.pairs.first().map(|pair| pair.score),
            n_pairs: report.counts.listed,
            n_standing_out: report.expectation.as_ref().map(|_| report.counts.standing_out),
            ..of_reading(
                inputs,
                TakenInputs::from_outcome(outcome),
                &submissions.collect::<Vec<_>>(),
                &report.notices,
            )
        }
    }

    /// Sums up how inputs were read that were not compared.
    pub(crate) fn from_corpus(inputs: &Inputs, corpus: &Corpus) -> Summary {
        let all = corpus.submissions.iter();
        let submissions = all.map(|one| (&*one.name, one.role, one.documents.is_empty()));
        let taken = TakenInputs::from_corpus(corpus);
        of_reading(inputs, taken, &submissions.collect::<Vec<_>>(), &corpus.notices)
    }
}

/// Sums up how inputs were read. Of a submission, its name, its role, and true if nothing of it was read.
fn of_reading(
    inputs: &Inputs,
    taken: TakenInputs<'_>,
    submissions: &[(&str, Role, bool)],
    notices: &[Notice],
) -> Summary {
    let n_of = |role| submissions.iter().filter(|one| one.1 == role).count() as u64;
    let n_noted =
        |outcome| notices.iter().filter(|notice| notice.outcome == outcome).count() as u64;
    let (n_submissions, n_incomplete) = (n_of(Role::New), n_incomplete(submissions, notices));
    let nothing = taken.nothing_to_compare();
    let is_cut_off = notices.iter().any(is_of_upload);
    let compared = match &nothing {
        Some(_) => Extent::Nothing,
        None if is_cut_off || 10 * n_incomplete > n_submissions => Extent::Part,
        None => Extent::Whole,
    };
    Summary {
        best: None,
        compared,
        is_cut_off,
        n_earlier: n_of(Role::Archive),
        n_incomplete,
        n_left_out: n_noted(document::Outcome::Skipped),
        n_notices: notices.len() as u64,
        n_pairs: 0,
        n_standing_out: None,
        n_submissions,
        n_unread: n_noted(document::Outcome::Failed),
        nothing,
        reasons: reasons(notices),
        taken: taken.named_by(shown_list).in_short(Role::New, inputs.group_by),
    }
}

/// Returns the name of a list for people: one that was uploaded has another name on the disk.
fn shown_list(name: &str) -> &str {
    if upload::is_kept_list(name) { "the uploaded list" } else { name }
}

/// Returns whether a notice is about a loss that belongs to no submission: an archive of submissions that breaks off.
fn is_of_upload(notice: &Notice) -> bool {
    notice.role == Role::New
        && notice.submission.is_empty()
        && matches!(notice.outcome, document::Outcome::Failed | document::Outcome::Degraded)
}

/// Counts the submissions of the batch of which a file was left out or read in part.
fn n_incomplete(submissions: &[(&str, Role, bool)], notices: &[Notice]) -> u64 {
    let is_lost =
        |notice: &&Notice| notice.role == Role::New && notice.outcome != document::Outcome::Flagged;
    let lost: BTreeSet<&str> =
        notices.iter().filter(is_lost).map(|notice| &*notice.submission).collect();
    let all = submissions.iter().filter(|one| one.1 == Role::New);
    all.filter(|(name, _, is_unread)| *is_unread || lost.contains(name)).count() as u64
}

/// Counts notices by reason, the most frequent first.
fn reasons(notices: &[Notice]) -> Vec<NoticeCount> {
    let mut counts: BTreeMap<(document::Outcome, String), u64> = BTreeMap::new();
    for notice in notices {
        *counts.entry((notice.outcome, notice.reason.to_string())).or_default() += 1;
    }
    let mut reasons: Vec<NoticeCount> = counts
        .into_iter()
        .map(|((outcome, reason), n)| NoticeCount { n, outcome, reason })
        .collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.n));
    reasons.truncate(MAX_REASONS);
    reasons
}
