//! The first reading: finds the records that share a gram with an item, and counts the records that have each gram.

use std::sync::atomic::{AtomicU32, Ordering};

use fanmill_text::Result;
use rayon::prelude::*;

use super::grams::{GramHit, Grams, Scratch};
use super::items::Items;
use super::{Run, Settings};
use crate::job::{Account, PIECE, Read, ReadRecord, RecordOutcome};
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{Batch, Columns};

/// The result of the first reading.
#[derive(Debug)]
pub(super) struct Found {
    /// The account of the corpus, without the test sets.
    pub(super) account: Account,
    pub(super) counts: GramCounts,
}

/// The records that have grams of items.
#[derive(Debug)]
pub(super) struct GramCounts {
    /// Number of records that have each gram.
    n_documents: Vec<AtomicU32>,
    /// The records that have any gram, ascending.
    hits: Vec<u32>,
    max_documents: u32,
}

/// Reads the corpus.
pub(super) fn read(
    run: &Run<'_>,
    items: &Items,
    grams: &Grams,
    left_out: CountedList<Notice>,
) -> Result<Found> {
    let mut found = Found {
        account: Account::new(&run.corpus, left_out, run.settings.is_strict),
        counts: GramCounts::new(grams, run.settings),
    };
    for (index, shard) in run.corpus.shards.iter().enumerate().skip(run.corpus.n_references) {
        let Found { account, counts: GramCounts { n_documents, hits, .. } } = &mut found;
        let make = |batch: &Batch| {
            let read = |(scratch, met): &mut (Scratch, Vec<GramHit>), i: usize| {
                let record = batch.record(i)?;
                grams.of_text(&record.text, items, scratch, met);
                count(n_documents, met);
                Ok(RecordOutcome::Read(Read::new(record.text.len(), record.flaw, !met.is_empty())))
            };
            let pieces = (0..batch.len()).into_par_iter().with_max_len(PIECE);
            let read = pieces.map_init(Default::default, read);
            Ok(read.collect::<Vec<ReadRecord<bool>>>())
        };
        let take = |batch: &Batch, read: Vec<ReadRecord<bool>>| {
            account.note((index, shard), batch, read, |(document, _), read| {
                let is_hit = read.is_some_and(|read| read.content);
                hits.extend(is_hit.then_some(document));
                Ok(())
            })
        };
        run.corpus.walk(index, Columns::Needed, &run.steps, make, take)?;
    }
    let own = run.corpus.n_references..run.corpus.shards.len();
    found.account.check(&run.corpus, own, run.settings.allowed_failures)?;
    Ok(found)
}

impl GramCounts {
    /// Begins with no records.
    pub(super) fn new(grams: &Grams, settings: &Settings) -> GramCounts {
        GramCounts {
            n_documents: (0..grams.len()).map(|_| AtomicU32::new(0)).collect(),
            hits: Vec::new(),
            max_documents: settings.max_documents,
        }
    }

    /// Counts a record with these grams, which several threads may do at once.
    pub(super) fn count(&self, met: &[GramHit]) {
        count(&self.n_documents, met);
    }

    /// Adds a record that has a gram. Records ascend.
    pub(super) fn add_hit(&mut self, document: u32) {
        self.hits.push(document);
    }

    /// Returns whether a gram is in so many records that it does not count.
    pub(super) fn is_common(&self, gram: u32) -> bool {
        self.n_documents[gram as usize].load(Ordering::Relaxed) > self.max_documents
    }

    /// Returns the records that have a gram, common or not, among the `n` records from `first` on, ascending.
    pub(super) fn hits(&self, first: u32, n: usize) -> &[u32] {
        let start = self.hits.partition_point(|&document| document < first);
        let hits = &self.hits[start..];
        &hits[..hits.partition_point(|&document| ((document - first) as usize) < n)]
    }
}

/// Counts a record with these grams. Each is listed once.
fn count(n_documents: &[AtomicU32], met: &[GramHit]) {
    for met in met {
        n_documents[met.gram as usize].fetch_add(1, Ordering::Relaxed);
    }
}
