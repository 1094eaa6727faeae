//! Contaminated records: the runs that each shares with items, and their places in both texts.

use std::ops::Range;

use fanmill_text::Result;
use rayon::prelude::*;

use super::find::GramCounts;
use super::grams::{GramHit, Grams, Scratch};
use super::items::Items;
use super::places::Pieces;
use super::runs::{self, SharedRun};
use super::windows::Words;
use crate::job::changed;
use fanmill_records::Mark;
use fanmill_records::format::{Batch, Shard};

/// Maximum number of characters of a run that are shown.
const SHOWN_CHARS: usize = 200;

/// Buffers that a thread reuses for each record, with its words and its grams.
pub(super) type Room = (Scratch, Vec<GramHit>);

/// A record that shares a run with an item.
pub(super) struct Hit {
    pub(super) document: u32,
    pub(super) id: String,
    pub(super) runs: Vec<Row>,
    pub(super) mark: BestItem,
}

/// The item with which a record shares the most words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BestItem {
    item: u32,
    /// Words of the record in runs shared with that item.
    n_covered: usize,
    /// Words of the record.
    n_words: usize,
}

/// A row of the table, without its record.
pub(super) struct Row {
    pub(super) run: SharedRun,
    pub(super) place: Range<usize>,
    pub(super) item_place: Range<usize>,
    pub(super) text: String,
}

/// The data that records are checked against.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContaminationCheck<'a> {
    pub(super) items: &'a Items,
    pub(super) grams: &'a Grams,
    pub(super) counts: &'a GramCounts,
}

impl<'a> ContaminationCheck<'a> {
    /// Returns the records of a batch that share a run that counts.
    pub(super) fn hits(self, shard: &Shard, batch: &Batch, first: u32) -> Result<Vec<Hit>> {
        let documents = self.counts.hits(first, batch.len()).par_iter();
        let hits = documents.map_init(Room::default, |room, &document| {
            // The record was readable and had a gram before, so anything else means that the shard has changed.
            let record = batch.record((document - first) as usize).map_err(|_| changed(shard))?;
            self.grams.of_text(&record.text, self.items, &mut room.0, &mut room.1);
            if room.1.is_empty() {
                return Err(changed(shard));
            }
            Ok(self.hit(document, record.name().unwrap_or_default(), &record.text, room))
        });
        let hits: Vec<Option<Hit>> = hits.collect::<Result<_>>()?;
        Ok(hits.into_iter().flatten().collect())
    }

    /// Returns the runs that a record shares, given its words and its grams; `None` if none of them counts.
    pub(super) fn hit(
        self,
        document: u32,
        id: &str,
        text: &str,
        (scratch, met): &mut Room,
    ) -> Option<Hit> {
        met.retain(|met| !self.counts.is_common(met.gram));
        (!met.is_empty()).then(|| self.made(document, id.to_owned(), text, (&scratch.words, met)))
    }

    fn made(
        self,
        document: u32,
        id: String,
        text: &str,
        (words, met): (&Words, &[GramHit]),
    ) -> Hit {
        let ContaminationCheck { items, grams, .. } = self;
        let shared = runs::shared(words, met, grams, items);
        let mut mark = BestItem { n_words: words.len(), ..BestItem::default() };
        for of_item in shared.chunk_by(|a, b| a.item == b.item) {
            let n_covered = n_covered(of_item);
            if n_covered > mark.n_covered {
                mark = BestItem { item: of_item[0].item, n_covered, ..mark };
            }
        }
        let mut room = Words::new();
        let pieces = Pieces::new(text, words.len(), &items.hashing, &mut room);
        let mut of_item: Option<(u32, Pieces)> = None;
        let rows = shared.into_iter().map(|run| {
            let item = run.item as usize;
            if of_item.as_ref().is_none_or(|(known, _)| *known != run.item) {
                let n_words = items.range(item).len();
                let pieces = Pieces::new(items.text(item), n_words, &items.hashing, &mut room);
                of_item = Some((run.item, pieces));
            }
            let of = |pieces: &Pieces, at: u32| pieces.of(at as usize..(at + run.n_words) as usize);
            let place = of(&pieces, run.at);
            let item_place = of_item.as_ref().map_or(0..0, |(_, pieces)| of(pieces, run.item_at));
            let shown = text[place.clone()].chars().take(SHOWN_CHARS).collect();
            Row { run, place, item_place, text: shown }
        });
        Hit { document, id, runs: rows.collect(), mark }
    }

    /// Returns the mark of a record that shares runs with an item: the fractions of both that lie in these runs.
    pub(super) fn mark(self, best: BestItem) -> Mark<'a> {
        let item = best.item as usize;
        let (n_covered, n_words) = (best.n_covered as f64, best.n_words as f64);
        let of_item = self.items.range(item).len() as f64;
        Mark {
            cluster: best.item.into(),
            duplicate_of: Some(self.items.name(item)),
            resemblance: Some(n_covered / (n_words + of_item - n_covered.min(of_item))),
            containment: Some(n_covered / n_words),
        }
    }
}

/// Counts the words of a text that are in at least one of the runs.
fn n_covered(runs: &[SharedRun]) -> usize {
    let mut spans: Vec<(u32, u32)> =
        runs.iter().map(|run| (run.at, run.at + run.n_words)).collect();
    spans.sort_unstable();
    let mut end = 0;
    let new = spans.into_iter().map(|(start, stop)| {
        let n_new = stop.saturating_sub(start.max(end));
        end = end.max(stop);
        n_new as usize
    });
    new.sum()
}
