//! The first reading: finds the records that share a gram with an item, and counts the records that have each gram.

use std::sync::atomic::{AtomicU32, Ordering};

use fanmill_text::Result;
use rayon::prelude::*;

use super::Run;
use super::grams::{GramHit, Grams, Scratch};
use super::items::Items;
use crate::job::{BadRecords, Numbering, PIECE};
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{Batch, Columns};
use fanmill_records::{BadRecord, Flaw};

/// The result of the first reading.
#[derive(Debug)]
pub(super) struct Found {
    /// Number of records in each shard, except for those of the test sets.
    pub(super) records: Numbering,
    pub(super) bad: BadRecords,
    /// Documents whose texts are incomplete.
    pub(super) flawed: CountedList<Notice>,
    /// Content that was left out although it might have been a record.
    pub(super) skipped: CountedList<Notice>,
    /// Bytes of text.
    pub(super) n_bytes: u64,
    /// Number of records that have each gram.
    n_documents: Vec<AtomicU32>,
    /// The records that have any gram, ascending.
    hits: Vec<u32>,
    max_documents: u32,
}

/// The result for one record.
struct Read {
    n_bytes: usize,
    flaw: Option<Flaw>,
    is_hit: bool,
}

/// Reads the corpus.
pub(super) fn read(
    run: &Run<'_>,
    items: &Items,
    grams: &Grams,
    left_out: CountedList<Notice>,
) -> Result<Found> {
    let mut found = Found {
        records: Numbering::new(run.corpus.shards.len()),
        bad: BadRecords::default(),
        flawed: CountedList::default(),
        skipped: left_out,
        n_bytes: 0,
        n_documents: (0..grams.len()).map(|_| AtomicU32::new(0)).collect(),
        hits: Vec::new(),
        max_documents: run.settings.max_documents,
    };
    for (index, shard) in run.corpus.shards.iter().enumerate().skip(run.corpus.n_references) {
        let n_documents = &found.n_documents;
        let make = |batch: &Batch| {
            let read = |(scratch, met): &mut (Scratch, Vec<GramHit>), i: usize| {
                let record = batch.record(i)?;
                grams.of_text(&record.text, items, scratch, met);
                // Each gram is listed once, so this counts records.
                for met in &*met {
                    n_documents[met.gram as usize].fetch_add(1, Ordering::Relaxed);
                }
                let is_hit = !met.is_empty();
                Ok(Read { n_bytes: record.text.len(), flaw: record.flaw, is_hit })
            };
            let pieces = (0..batch.len()).into_par_iter().with_max_len(PIECE);
            let read = pieces.map_init(Default::default, read);
            Ok(read.collect::<Vec<std::result::Result<Read, BadRecord>>>())
        };
        let take = |batch: &Batch, read: Vec<std::result::Result<Read, BadRecord>>| {
            let first = found.records.add(index, batch.len() as u64);
            for skipped in batch.skipped().1 {
                found.skipped.skipped(shard.name(), skipped.offset, &skipped.reason);
            }
            for ((document, number), read) in (first..).zip(batch.first_number()..).zip(read) {
                match read {
                    Ok(Read { flaw: Some(flaw), .. }) if run.settings.is_strict => {
                        return Err(BadRecords::refusal_of_flaw(shard, number, flaw));
                    }
                    Ok(Read { n_bytes, flaw, is_hit }) => {
                        if let Some(flaw) = flaw {
                            found.flawed.flaw(shard.name(), number, flaw);
                        }
                        found.n_bytes += n_bytes as u64;
                        found.hits.extend(is_hit.then_some(document));
                    }
                    Err(bad) if run.settings.is_strict => {
                        return Err(BadRecords::refusal(shard, &bad));
                    }
                    Err(bad) => found.bad.add(shard, &bad, document),
                }
            }
            Ok(())
        };
        run.corpus.walk(index, Columns::Needed, &run.steps, make, take)?;
    }
    let own = run.corpus.n_references..run.corpus.shards.len();
    let starts = found.records.starts()?;
    let allowed = run.settings.allowed_failures;
    found.bad.check(&run.corpus, (own, &starts), found.n_bytes, allowed)?;
    Ok(found)
}

impl Found {
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
