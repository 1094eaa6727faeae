//! Coverage of a text: the stretches of it that are in sources, and in which.
//!
//! The places of all passages in the text are cut at the beginning and the end of each, so that every stretch is in the
//! same sources from its first byte to its last. Words that differ within a passage, between its matches, are not in
//! any stretch.
//!
//! Cost: O(n log n) for n matches, and the size of the answer.

use std::collections::BTreeMap;

use fanmill::report::Pair;
use serde::Serialize;

/// A stretch of a text that is also in sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Covered {
    /// The number of the text's file that it is in.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The sources that have it, numbered from 0 in the order of the answer: ascending, at least one.
    pub sources: Vec<u32>,
}

/// A place in a text that is also in a source.
#[derive(Debug, Clone, Copy)]
struct Place {
    file: u32,
    start: u32,
    end: u32,
    source: u32,
}

/// Returns the stretches of a text that are in its sources, given what it shares with each: ascending and disjoint.
pub(crate) fn coverage<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Vec<Covered> {
    let places = (0..).zip(pairs).flat_map(|(source, pair)| {
        let matches = pair.passages.iter().flat_map(|passage| &passage.matches);
        matches.map(move |found| {
            let fanmill::report::Place { file, start, end, .. } = found.a;
            Place { file, start, end, source }
        })
    });
    stretches(places)
}

fn stretches(places: impl Iterator<Item = Place>) -> Vec<Covered> {
    // The beginnings and ends of places: the change in the number of open places of a source.
    let mut changes: Vec<(u32, u32, u32, i32)> = places
        .filter(|place| place.start < place.end)
        .flat_map(|Place { file, start, end, source }| {
            [(file, start, source, 1), (file, end, source, -1)]
        })
        .collect();
    changes.sort_unstable();
    let mut open: BTreeMap<u32, i32> = BTreeMap::new();
    let mut covered: Vec<Covered> = Vec::new();
    let mut last = (0, 0);
    for here in changes.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let (file, at) = (here[0].0, here[0].1);
        if !open.is_empty() {
            let sources = open.keys().copied().collect();
            push(&mut covered, Covered { file, start: last.1, end: at, sources });
        }
        for &(_, _, source, more) in here {
            let n = open.entry(source).or_default();
            *n += more;
            if *n == 0 {
                open.remove(&source);
            }
        }
        last = (file, at);
    }
    covered
}

/// Adds a stretch, or extends the last one if it continues with the same sources.
fn push(covered: &mut Vec<Covered>, next: Covered) {
    match covered.last_mut() {
        Some(last)
            if (last.file, last.end) == (next.file, next.start) && last.sources == next.sources =>
        {
            last.end = next.end;
        }
        _ => covered.push(next),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_byte_is_in_the_sources_that_a_look_at_all_places_finds(
            places in prop::collection::vec((0_u32..2, 0_u32..30, 0_u32..9, 0_u32..4), 0..12),
        ) {
            let places: Vec<Place> = places
                .into_iter()
                .map(|(file, start, len, source)| Place { file, start, end: start + len, source })
                .collect();
            let covered = stretches(places.iter().copied());
            for two in covered.windows(2) {
                prop_assert!((two[0].file, two[0].end) <= (two[1].file, two[1].start));
                let touches = (two[0].file, two[0].end) == (two[1].file, two[1].start);
                prop_assert!(!touches || two[0].sources != two[1].sources, "each is as long as it can be");
            }
            for (file, at) in (0..2).flat_map(|file| (0..40).map(move |at| (file, at))) {
                let is_in = |own: u32, start: u32, end: u32| own == file && start <= at && at < end;
                let own = places.iter().filter(|place| is_in(place.file, place.start, place.end));
                let expected: BTreeSet<u32> = own.map(|place| place.source).collect();
                let found = covered.iter().filter(|one| is_in(one.file, one.start, one.end));
                let found: Vec<u32> = found.flat_map(|one| one.sources.clone()).collect();
                prop_assert_eq!(found, expected.into_iter().collect::<Vec<u32>>());
            }
        }
    }
}
