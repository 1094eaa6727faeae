//! Counts of what the corpus and the items share.

use super::grams::TOO_SHORT;
use super::hits::{ContaminationCheck, Hit};
use super::items::Items;

/// Counts of what the corpus and the items share.
#[derive(Debug)]
pub(super) struct Shared {
    /// Number of records that share a run that counts.
    pub(super) n_documents: u64,
    /// Number of their runs.
    pub(super) n_runs: u64,
    /// Counts for each item.
    pub(super) of_items: Vec<OfItem>,
}

/// Counts of what the corpus shares with an item.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfItem {
    pub(super) n_documents: u32,
    /// Length of the longest shared run, in words.
    pub(super) longest: u32,
    /// Number of windows that do not count.
    pub(super) n_common: u32,
}

impl Shared {
    /// Creates the counts of items, none of which has a shared run yet.
    pub(super) fn new(look: ContaminationCheck<'_>) -> Shared {
        let mut of_items = vec![OfItem::default(); look.items.len()];
        for gram in (0..look.grams.len() as u32).filter(|&gram| look.counts.is_common(gram)) {
            for &place in look.grams.places(gram) {
                of_items[look.items.of_word(place as usize)].n_common += 1;
            }
        }
        Shared { n_documents: 0, n_runs: 0, of_items }
    }

    /// Counts a record and its runs.
    pub(super) fn note(&mut self, hit: &Hit) {
        self.n_documents += 1;
        self.n_runs += hit.runs.len() as u64;
        let mut last = None;
        for row in &hit.runs {
            let of_item = &mut self.of_items[row.run.item as usize];
            of_item.n_documents += u32::from(last != Some(row.run.item));
            of_item.longest = of_item.longest.max(row.run.n_words);
            last = Some(row.run.item);
        }
    }
}

/// Returns whether an item counts only where it is a whole line of a record, or all of it.
pub(super) fn is_too_short(items: &Items, item: usize, min_words: u32) -> bool {
    items.range(item).len() < TOO_SHORT.min(min_words as usize)
}
