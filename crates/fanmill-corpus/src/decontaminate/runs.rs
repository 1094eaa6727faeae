//! Shared runs: extends grams to the longest runs of words that a text and an item share.

use std::collections::BTreeMap;

use super::grams::{GramHit, Grams};
use super::items::Items;

/// A run of words that a text shares with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SharedRun {
    pub(super) item: u32,
    /// Its place in the item, in words.
    pub(super) item_at: u32,
    /// Its place in the text, in words.
    pub(super) at: u32,
    /// Its length in words.
    pub(super) n_words: u32,
}

/// Returns the runs that a text with these words shares with items, given the grams it was found to have. They ascend
/// by item, and by the place of the gram from which each was extended.
///
/// Only the first place of each gram in the text is used, so that a text that repeats itself costs no more.
pub(super) fn shared(
    words: &[[u64; 1]],
    met: &[GramHit],
    grams: &Grams,
    items: &Items,
) -> Vec<SharedRun> {
    let mut seeds: Vec<(u32, u32)> = met
        .iter()
        .flat_map(|met| grams.places(met.gram).iter().map(|&place| (place, met.at)))
        .collect();
    seeds.sort_unstable();
    let mut runs = Vec::new();
    let (mut item, mut range) = (0, 0..0);
    // The end of the last run on each diagonal of the item. One is enough, since places ascend.
    let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
    for (place, at) in seeds {
        let (place, at) = (place as usize, at as usize);
        if place >= range.end {
            item = items.of_word(place);
            range = items.range(item);
            ends.clear();
        }
        let diagonal = place.wrapping_sub(at);
        if ends.get(&diagonal).is_some_and(|&end| place < end) {
            continue;
        }
        let of_item = items.words();
        let is_same = |back: usize| of_item[place - back] == words[at - back];
        let before = (1..=at.min(place - range.start)).take_while(|&back| is_same(back)).count();
        let after = of_item[place..range.end].iter().zip(&words[at..]);
        let after = after.take_while(|(a, b)| a == b).count();
        ends.insert(diagonal, place + after);
        runs.push(SharedRun {
            item: item as u32,
            item_at: (place - before - range.start) as u32,
            at: (at - before) as u32,
            n_words: (before + after) as u32,
        });
    }
    runs
}
