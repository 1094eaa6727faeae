//! `summary.json` of a decontamination.

use std::cmp::Reverse;

use fanmill_text::counted::counted;
use fanmill_text::scheme::Scheme;
use serde::Serialize;

use super::find::Found;
use super::grams::TOO_SHORT;
use super::items::Items;
use super::shared::Shared;
use super::{Run, Settings};
use crate::dedup::RunFigures;
use crate::job::Account;
use crate::recipe;
use crate::word_kind::WordKind;
use fanmill_records::account::{Inputs, Notice, first_hundred};

/// Maximum number of items that are listed.
const SHOWN: usize = 20;
/// Maximum number of characters of an item that are shown.
const SHOWN_CHARS: usize = 200;

/// The whole summary, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `fanmill dedup decontaminate`.
    pub kind: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The recipe by which texts became runs of words.
    pub scheme: Scheme,
    /// The kind of output.
    pub mode: String,
    /// The guarantee for the result, in words.
    pub promise: String,
    /// Numbers of inputs of the corpus that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of documents and runs.
    pub counts: Counts,
    /// The test sets.
    pub items: ItemSummary,
    /// The items that share a run with the most records.
    pub most_shared: Vec<SharedItem>,
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

/// Counts of documents and runs in the corpus.
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
    /// Documents that are removed or marked because they share a run with an item.
    pub contaminated: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Runs that the contaminated documents share with items.
    pub runs: u64,
}

/// Counts and notices for the test sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemSummary {
    /// Numbers of inputs that were compared, degraded, skipped or failed.
    pub inputs: Inputs,
    /// Counts of items and their runs.
    pub counts: ItemCounts,
    /// The first ten thousand records that could not be read; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub bad_records: Vec<Notice>,
    /// The first ten thousand items that were compared although their texts are incomplete; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub degraded: Vec<Notice>,
    /// The first ten thousand files and records that were left out; a hundred are written.
    #[serde(serialize_with = "first_hundred")]
    pub skipped: Vec<Notice>,
}

/// Counts of items in the test sets, and of their runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ItemCounts {
    /// Files and folders that were read as one sequence of records.
    pub shards: u64,
    /// Records met: items and bad ones.
    pub records: u64,
    /// Records that could not be read.
    pub bad: u64,
    /// Items.
    pub items: u64,
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Items without words; they are not compared.
    pub wordless: u64,
    /// Items of fewer words than a run must have; they are found as a whole.
    pub short: u64,
    /// Of these, items of fewer than 8 words, which are found as a whole line of a document, or as all of it.
    pub too_short: u64,
    /// Items with which a document of the corpus shares a run that counts.
    pub hit: u64,
    /// Different runs of the shortest length in all items.
    pub runs: u64,
    /// Those of them that do not count because too many documents have them.
    pub common_runs: u64,
    /// Items without a run that counts, since all of their runs are common.
    pub common_items: u64,
}

/// An item that shares a run with documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedItem {
    /// Its name.
    pub id: String,
    /// Number of these documents.
    pub documents: u64,
    /// Length of the longest shared run, in words.
    pub longest: u64,
    /// Length of the item in words.
    pub words: u64,
    /// The beginning of its text.
    pub text: String,
}

impl Summary {
    pub(super) fn new(
        run: &Run<'_>,
        items: &Items,
        of_items: (Account, u64),
        found: Found,
        shared: &Shared,
        n_grams: (u64, u64),
    ) -> Summary {
        let settings = run.settings;
        let records = found.account.records.total();
        let documents = records - found.account.bad.n();
        Summary {
            kind: "fanmill dedup decontaminate",
            version: env!("CARGO_PKG_VERSION"),
            scheme: scheme(settings),
            mode: settings.mode.to_string(),
            promise: promise(settings),
            inputs: found.account.inputs(),
            counts: Counts {
                shards: (run.corpus.shards.len() - run.corpus.n_references) as u64,
                records,
                bad: found.account.bad.n(),
                documents,
                text_bytes: found.account.n_bytes,
                contaminated: shared.n_documents,
                kept: documents - shared.n_documents,
                runs: shared.n_runs,
            },
            most_shared: most_shared(items, shared),
            items: ItemSummary::new(run, items, of_items, shared, n_grams),
            bad_records: found.account.bad.notices.first,
            degraded: found.account.flawed.first,
            skipped: found.account.skipped.first,
            run: RunFigures::new(&run.staging, &run.identity, &run.steps, settings.memory),
        }
    }
}

impl ItemSummary {
    fn new(
        run: &Run<'_>,
        items: &Items,
        (met, wordless): (Account, u64),
        shared: &Shared,
        (runs, common_runs): (u64, u64),
    ) -> ItemSummary {
        let min_words = run.settings.min_words as usize;
        let of_items =
            || (0..items.len()).map(|item| (items.range(item).len(), shared.of_items[item]));
        let n_windows = |n_words: usize| n_words - n_words.min(min_words) + 1;
        let counts = ItemCounts {
            shards: run.corpus.n_references as u64,
            records: met.records.total(),
            bad: met.bad.n(),
            items: met.n_documents(),
            text_bytes: met.n_bytes,
            wordless,
            short: of_items().filter(|(n_words, _)| *n_words < min_words).count() as u64,
            too_short: of_items().filter(|(n_words, _)| *n_words < min_words.min(TOO_SHORT)).count()
                as u64,
            hit: of_items().filter(|(_, of_item)| of_item.n_documents > 0).count() as u64,
            runs,
            common_runs,
            // All windows of such an item are common.
            common_items: of_items()
                .filter(|(n_words, of_item)| of_item.n_common as usize == n_windows(*n_words))
                .count() as u64,
        };
        ItemSummary {
            inputs: met.inputs(),
            counts,
            bad_records: met.bad.notices.first,
            degraded: met.flawed.first,
            skipped: met.skipped.first,
        }
    }
}

/// Returns the items that share a run with the most documents; of equals, the first.
fn most_shared(items: &Items, shared: &Shared) -> Vec<SharedItem> {
    let hit = (0..items.len()).filter(|&item| shared.of_items[item].n_documents > 0);
    let mut hit: Vec<usize> = hit.collect();
    let order = |&item: &usize| (Reverse(shared.of_items[item].n_documents), item);
    if hit.len() > SHOWN {
        hit.select_nth_unstable_by_key(SHOWN, order);
        hit.truncate(SHOWN);
    }
    hit.sort_unstable_by_key(order);
    let worst = |item: usize| SharedItem {
        id: items.name(item).to_owned(),
        documents: shared.of_items[item].n_documents.into(),
        longest: shared.of_items[item].longest.into(),
        words: items.range(item).len() as u64,
        text: items.text(item).chars().take(SHOWN_CHARS).collect(),
    };
    hit.into_iter().map(worst).collect()
}

/// Returns the recipe by which texts become runs of words.
pub(super) fn scheme(settings: &Settings) -> Scheme {
    let steps = [format!("k={}", settings.min_words), "runs".to_owned()];
    Scheme::new(recipe::DOMAIN, [WordKind::Spelling.front_end()], steps)
}

/// Returns what holds of the result, in words.
pub(super) fn promise(settings: &Settings) -> String {
    let words = counted(settings.min_words.into(), "word", "words");
    format!(
        "no document that stays shares {words} in a row with an item, or has all words of a shorter item in a \
         row (of one below {TOO_SHORT} words: as a whole line or document), but for runs that more than {} have; every run was compared word by word",
        counted(settings.max_documents.into(), "document", "documents")
    )
}
