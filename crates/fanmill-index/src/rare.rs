//! Rare runs: finds documents that share a run of guarantee length with a text, if few documents have that run.
//!
//! Such a run has a fingerprint in common with the text, which may be popular even if the run is not, such as an idiom.
//! So all postings of a fingerprint are looked at, by their surroundings ([`fanmill::surroundings`]): if enough bits
//! agree on both sides together, the document may have one of the text's runs around it. If few documents may have a
//! run, they are sources, whatever their rank. Their texts are compared token by token, like those of all sources.
//!
//! Chance lets further documents pass, above all those that have nearly the same run: of documents that have nothing
//! else in common, one in 15,000, and half or a quarter of those that differ only in the last token. So a run may have
//! four times as many holders as are promised and expected by chance, up to [`MOST`].
//!
//! Cost: one block read for each fingerprint and segment, and a step for each posting, also of popular fingerprints; 16
//! bytes of memory for each document that passes.
//! Source: ours.

use std::collections::BTreeSet;

use fanmill::fingerprint::{Fingerprint, Recipe};
use fanmill::index::Posting;
use fanmill::pipeline::{Config, Places};
use fanmill::surroundings::{Layout, Surroundings, spare};
use fanmill_text::Result;

use crate::snapshot::Index;
use crate::source_filter::SourceFilter;

/// Maximum number of holders of a rare run, unless four times the promised number is more.
const MOST: u64 = 256;

/// A document of a segment, by the numbers of both.
pub(crate) type Place = (usize, u32);

/// A fingerprint of the text, and the documents that may have a run around it.
struct FingerprintHolders {
    /// Its place in tokens, which is also the number of the first run that it may be in. Runs are numbered by the token
    /// where they begin, counted from as far before the text as a fingerprint may be from the beginning of its run.
    first: u64,
    /// Maximum number of holders of a run that counts as rare. Until all postings are read, the number of documents
    /// that hold the fingerprint.
    most: u64,
    /// The runs that each document may have: bit `i` is the run that begins `i` tokens after the first.
    holders: Vec<(Place, u64)>,
}

/// The fingerprints of a text, with their surroundings.
pub(crate) struct Text<'a> {
    /// All fingerprints, ascending.
    pub(crate) fingerprints: &'a [Fingerprint],
    /// The surroundings of each fingerprint, ascending by place.
    pub(crate) around: &'a [(u32, Surroundings)],
    pub(crate) places: &'a Places,
}

impl Index {
    /// Finds the documents with which a text shares a run that at most `max_holders` documents have, and some others.
    pub(crate) fn rare_holders(
        &self,
        text: &Text<'_>,
        config: &Config,
        max_holders: usize,
        chosen: &SourceFilter,
    ) -> Result<BTreeSet<Place>> {
        let mut all = Vec::new();
        let mut found = Vec::new();
        for own in text.fingerprints.chunk_by(|x, y| x.hash == y.hash) {
            let Some(kind) = text.places.kind(own[0].at as usize) else { continue };
            let (layout, recipe) = (self.layout(kind)?, config.recipe(kind)?);
            // Places with equal surroundings are looked at once.
            let of_place = |own: &Fingerprint| {
                let i = text.around.binary_search_by_key(&own.at, |&(at, _)| at).ok()?;
                Some((text.around[i].1, own.at))
            };
            let mut places: Vec<(Surroundings, u32)> = own.iter().filter_map(of_place).collect();
            places.sort_unstable();
            places.dedup_by_key(|&mut (around, _)| around);
            let first = all.len();
            let around = |&(_, at): &(_, u32)| FingerprintHolders {
                first: at.into(),
                most: 0,
                holders: Vec::new(),
            };
            all.extend(places.iter().map(around));
            let hash = self.sealed(own[0].hash)?;
            for (number, segment) in self.segments.iter().enumerate() {
                if !chosen.has_any(number) || !self.promises(segment) {
                    continue;
                }
                segment.find_around(hash, &mut found)?;
                found.retain(|(posting, _)| chosen.has(number, posting.document));
                for (one, &(around, _)) in all[first..].iter_mut().zip(&places) {
                    one.meet(number, around, &found, (layout, &recipe));
                }
            }
            let n_around = all[first..].iter_mut();
            n_around
                .for_each(|one| one.most = most(one.most, max_holders as u64, (layout, &recipe)));
        }
        Ok(few_holders(&all))
    }
}

/// Returns the most holders of a run that counts as rare, if `n` documents hold a fingerprint in it.
fn most(n: u64, max_holders: u64, (layout, recipe): (Layout, &Recipe)) -> u64 {
    let is_known = spare(recipe.thresholds) > 0;
    let by_chance = if is_known { layout.chance(n, recipe.thresholds) } else { 0 };
    (4 * (max_holders + by_chance)).min(MOST.max(4 * max_holders))
}

impl FingerprintHolders {
    /// Adds the documents of a segment, given their postings, and counts all of them in `most`.
    fn meet(
        &mut self,
        segment: usize,
        around: Surroundings,
        found: &[(Posting, Surroundings)],
        (layout, recipe): (Layout, &Recipe),
    ) {
        let spare = spare(recipe.thresholds);
        for own in found.chunk_by(|x, y| x.0.document == y.0.document) {
            self.most += 1;
            let runs =
                own.iter().map(|&(_, other)| shared_runs(layout.shared(around, other), spare));
            let runs = runs.fold(0, |all, runs| all | runs);
            if runs != 0 {
                self.holders.push(((segment, own[0].0.document), runs));
            }
        }
    }
}

/// Returns the runs around two equal fingerprints that may be equal, as bits, given the bounds on the numbers of equal
/// tokens before and after. Bit 0 is the run that begins `spare` tokens before the fingerprint, and each further bit one
/// token later. Runs after the 64th count as the 64th.
fn shared_runs((before, after): (u32, u32), spare: u32) -> u64 {
    let (before, after) = (before.min(spare), after.min(spare));
    if before + after < spare {
        return 0;
    }
    let (first, last) = ((spare - before).min(63), after.min(63));
    (u64::MAX >> (63 - last)) & (u64::MAX << first)
}

/// Returns the documents that may have a run that few documents have.
fn few_holders(all: &[FingerprintHolders]) -> BTreeSet<Place> {
    // A run of the text is in the surroundings of several fingerprints; the greatest of their counts is used.
    let n = all.iter().map(|one| one.first + 64).max().unwrap_or(0);
    let mut n_holders = vec![0_u64; n as usize];
    let runs = |mask: u64| (0..64).filter(move |&run| (mask >> run) & 1 == 1);
    for one in all {
        let mut counts = [0_u64; 64];
        for &(_, mask) in &one.holders {
            runs(mask).for_each(|run| counts[run as usize] += 1);
        }
        for (run, count) in (one.first..).zip(counts) {
            n_holders[run as usize] = n_holders[run as usize].max(count);
        }
    }
    let mut few = BTreeSet::new();
    for one in all {
        let is_rare = |run: u64| n_holders[(one.first + run) as usize] <= one.most;
        let own = one.holders.iter().filter(|(_, mask)| runs(*mask).any(is_rare));
        few.extend(own.map(|&(place, _)| place));
    }
    few
}

#[cfg(test)]
mod tests {
    use fanmill::select::{Selector, Thresholds};
    use fanmill::surroundings::Detail;
    use fanmill_text::token::{Kind, Symbol};
    use proptest::prelude::*;

    use super::*;

    fn recipe(noise: u32, guarantee: u32) -> Recipe {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        Recipe { kind: Kind::Words, thresholds, selector: Selector::All }
    }

    proptest! {
        /// The runs that the naive twin finds by looking at all letters are always among those that may be equal.
        #[test]
        fn runs_that_are_equal_are_never_ruled_out(
            own in "[ab]{4,60}",
            other in "[ab]{4,60}",
            places in (0_usize..60, 0_usize..60),
            spare in 0_usize..40,
            known in 0_usize..40,
            detail in prop::sample::select(vec![Detail::Far, Detail::Near]),
        ) {
            let k = 3;
            let places = (places.0 % (own.len() - k), places.1 % (other.len() - k));
            // The index may have been made with another guarantee.
            let thresholds = Thresholds::new(k as u32, (k + known) as u32).expect("ordered");
            let layout = Layout::new(detail, thresholds);
            let around = |text: &str, at: usize| {
                let symbols: Vec<Symbol> = text.bytes().map(|byte| Symbol::spelled(&[byte])).collect();
                layout.surroundings(&symbols, at..at + k)
            };
            let bounds = layout.shared(around(&own, places.0), around(&other, places.1));
            let found = shared_runs(bounds, spare as u32);
            for run in 0..=spare {
                let at = |text: &str, at: usize| {
                    let start = (at + run).checked_sub(spare)?;
                    text.get(start..start + spare + k).map(str::to_owned)
                };
                let (x, y) = (at(&own, places.0), at(&other, places.1));
                let gram = |text: &str, at: usize| text[at..at + k].to_owned();
                let is_equal = x.is_some() && x == y && gram(&own, places.0) == gram(&other, places.1);
                prop_assert!(!is_equal || (found >> run) & 1 == 1, "run {run} of {found:b}");
            }
        }
    }

    #[test]
    fn documents_that_share_a_common_run_are_left_out() {
        let holders =
            |documents: std::ops::Range<u32>, runs: u64| documents.map(move |i| ((0, i), runs));
        // Run 10 is held by 40 documents, as another fingerprint in it shows, and run 11 by three of them.
        let one =
            FingerprintHolders { first: 10, most: 16, holders: holders(0..3, 0b11).collect() };
        let other =
            FingerprintHolders { first: 8, most: 16, holders: holders(0..40, 0b100).collect() };
        let few = few_holders(&[one, other]);
        assert_eq!(few.into_iter().collect::<Vec<_>>(), [(0, 0), (0, 1), (0, 2)]);
    }

    #[test]
    fn chance_gives_room_for_more() {
        let most = |n, detail, (noise, guarantee)| {
            let recipe = recipe(noise, guarantee);
            most(n, 16, (Layout::new(detail, recipe.thresholds), &recipe))
        };
        assert_eq!(most(100, Detail::Far, (11, 24)), 64);
        assert_eq!(most(5850, Detail::Far, (11, 24)), 4 * (16 + 9));
        assert_eq!(most(5850, Detail::Near, (11, 24)), 64);
        assert_eq!(most(1 << 40, Detail::Near, (11, 24)), MOST);
        assert_eq!(most(1000, Detail::Near, (12, 12)), 64);
    }
}
