//! Clustering of a corpus: decides which documents stay, and which kept document each of the others is removed for.
//! There may be more pairs than fit into memory.
//!
//! Documents are visited in an order of preference. Each one that is not in a cluster yet becomes the *centre* of a new
//! cluster, which takes all its neighbours that are not in a cluster yet. Every other member has a verified pair with
//! its centre, so each removed document has a near-duplicate that stays, and no two documents that stay are a pair.
//!
//! | pairs, lower numbers preferred | components | around centres |
//! |---|---|---|
//! | 0–1, 1–2 | 0: 1 2 | 0: 1, and 2 alone |
//! | 1–0, 0–2 | 0: 1 2 | 0: 1 2 |
//! | 0–1, 1–2, 2–3 | 0: 1 2 3 | 0: 1, 2: 3 |
//!
//! Whole connected components were used in 1997: they let a chain remove documents that share nothing with the one that
//! stays.
//!
//! Documents are identified by their *places* in the order of preference. Pairs are sorted by the place of the
//! preferred document and walked once. When a document's pairs come up, every document that could have taken it has
//! been visited. If it has not been taken by then, it is a centre, and takes all its neighbours that have not been
//! taken.
//!
//! Pairs that already arrive in that order are decided at once, and only those that take a document are kept. Many
//! pairs then need no verification, since they cannot change the result: if one of the two documents has been taken,
//! neither takes the other; and if both are in one component, the pair joins nothing. In a group of a thousand copies,
//! this holds for all pairs except those with the centre.
//!
//! Cost: 12 bytes of memory or disk a pair; 4 bytes and one bit of memory a document. Whole components take another 4
//! bytes of memory a document, and 8 of memory or disk.
//! Source: Ailon, Charikar & Newman, J. ACM 55, 2008 (CC-Pivot); Broder, Glassman, Manasse & Zweig, WWW 1997
//! (components).
//! Departs from it: pivots are chosen by preference, not at random.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use fanmill::cluster::forest::Forest;
use fanmill_text::{Error, Result};

use crate::spill::{Bits, Sorter};

/// A document that is removed because another one stays for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemovedMember {
    /// The place of the document that stays.
    pub centre: u32,
    /// The place of the removed document.
    pub place: u32,
    /// Number of shingles that the two share; `None` if only a chain links them.
    pub n_common: Option<u32>,
}

/// Turns pairs into clusters; see the [module](self).
#[derive(Debug)]
pub struct Centres {
    /// Preferred place, other place, common shingles.
    pairs: Sorter<(u32, u32, u32)>,
    forest: Forest,
    n_places: u32,
    /// The places taken so far, if pairs come in order.
    taken: Option<Bits>,
    folder: PathBuf,
    memory: usize,
}

impl Centres {
    /// Begins clusters of documents at the places `0..n_places`, within `memory` bytes plus a few bytes for each
    /// document; pairs that do not fit go to unnamed files in `folder`.
    pub fn new(folder: &Path, memory: usize, n_places: u32) -> Centres {
        let pairs = Sorter::distinct(folder, memory);
        let forest = Forest::new(n_places as usize);
        Centres { pairs, forest, n_places, taken: None, folder: folder.to_owned(), memory }
    }

    /// Begins clusters from pairs that come in order of preference, ascending by the preferred place. Only
    /// [`Centres::around_centres`] may finish these.
    pub fn in_order(folder: &Path, memory: usize, n_places: u32) -> Centres {
        let taken = Some(Bits::new(n_places as usize));
        Centres { taken, ..Centres::new(folder, memory, n_places) }
    }

    /// Returns whether a pair is known to make no difference: one of its documents has been taken, and both are in one
    /// component. This is never known if pairs may come in any order.
    #[inline]
    pub fn is_settled(&self, a: u32, b: u32) -> bool {
        /// Limit on the steps towards a root. Few nodes are further away, and crafted input cannot make searches long.
        const STEPS: usize = 8;
        let Some(taken) = &self.taken else { return false };
        let towards_root = |place| self.forest.towards_root(place, STEPS);
        (taken.contains(a) || taken.contains(b)) && towards_root(a) == towards_root(b)
    }

    /// Adds a verified pair of two different documents, in any order and direction.
    ///
    /// # Errors
    /// If a place is not below `n_places`; if the memory is full and its contents cannot be written to disk.
    pub fn push(&mut self, a: u32, b: u32, n_common: u32) -> Result<()> {
        if a.max(b) >= self.n_places {
            return Err(Error::input(format!(
                "a pair names place {}, and there are {}, counted from 0",
                a.max(b),
                self.n_places
            )));
        }
        self.forest.join(a, b);
        let (preferred, other) = (a.min(b), a.max(b));
        if let Some(taken) = &mut self.taken {
            // In this order, any pair that takes one of the two documents has come before.
            if taken.contains(preferred) || taken.contains(other) {
                return Ok(());
            }
            taken.insert(other);
        }
        self.pairs.push((preferred, other, n_common))
    }

    /// Passes each removed document to `take` with the one that stays for it, ascending by both, along with the forest
    /// of components, which is returned at the end.
    ///
    /// # Errors
    /// If the disk fails or cannot hold what does not fit into memory; if `take` fails.
    pub fn around_centres(
        mut self,
        mut take: impl FnMut(RemovedMember, &mut Forest) -> Result<()>,
    ) -> Result<Forest> {
        self.taken = None;
        let mut is_taken = Bits::new(self.n_places as usize);
        for pair in self.pairs.sorted()? {
            let (centre, place, n_common) = pair?;
            if !is_taken.contains(centre) && !is_taken.contains(place) {
                is_taken.insert(place);
                take(RemovedMember { centre, place, n_common: Some(n_common) }, &mut self.forest)?;
            }
        }
        Ok(self.forest)
    }

    /// Does what [`Centres::around_centres`] does, but for whole connected components: the most preferred document of
    /// each stays.
    ///
    /// # Errors
    /// As for [`Centres::around_centres`].
    pub fn components(
        self,
        mut take: impl FnMut(RemovedMember, &mut Forest) -> Result<()>,
    ) -> Result<Forest> {
        let Centres { pairs, mut forest, n_places, folder, memory, .. } = self;
        // The number of shingles each document shares with its root, if the two are a pair.
        let mut n_common_with: Vec<Option<NonZeroU32>> = vec![None; n_places as usize];
        for pair in pairs.sorted()? {
            let (a, b, n_common) = pair?;
            if forest.root(a) == a {
                n_common_with[b as usize] = NonZeroU32::new(n_common);
            }
        }
        let mut members = Sorter::<(u32, u32)>::new(&folder, memory);
        for place in 0..n_places {
            let centre = forest.root(place);
            if centre != place {
                members.push((centre, place))?;
            }
        }
        for member in members.sorted()? {
            let (centre, place) = member?;
            let n_common = n_common_with[place as usize].map(NonZeroU32::get);
            take(RemovedMember { centre, place, n_common }, &mut forest)?;
        }
        Ok(forest)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// The neighbours of each document, with the number of common shingles.
    type Graph = BTreeMap<u32, BTreeMap<u32, u32>>;

    fn graph(pairs: &[(u32, u32, u32)]) -> Graph {
        let mut graph = Graph::new();
        for &(a, b, n_common) in pairs {
            graph.entry(a).or_default().insert(b, n_common);
            graph.entry(b).or_default().insert(a, n_common);
        }
        graph
    }

    /// The naive twin: the best remaining document takes its remaining neighbours.
    fn around_centres(graph: &Graph) -> Vec<RemovedMember> {
        let mut left: BTreeSet<u32> = graph.keys().copied().collect();
        let mut all = Vec::new();
        while let Some(centre) = left.pop_first() {
            for (&place, &n_common) in graph[&centre].iter().filter(|(place, _)| left.remove(place))
            {
                all.push(RemovedMember { centre, place, n_common: Some(n_common) });
            }
        }
        all
    }

    /// Returns all documents that can be reached from `from`.
    fn reached(graph: &Graph, from: u32) -> BTreeSet<u32> {
        let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(place) = open.pop() {
            open.extend(graph[&place].keys().filter(|&&next| found.insert(next)));
        }
        found
    }

    /// The naive twin: the best remaining document takes all that can be reached from it.
    fn components(graph: &Graph) -> Vec<RemovedMember> {
        let mut left: BTreeSet<u32> = graph.keys().copied().collect();
        let mut all = Vec::new();
        while let Some(centre) = left.pop_first() {
            for place in reached(graph, centre).into_iter().filter(|place| left.remove(place)) {
                all.push(RemovedMember {
                    centre,
                    place,
                    n_common: graph[&centre].get(&place).copied(),
                });
            }
        }
        all
    }

    /// Returns the removed documents and the forest.
    fn taken(
        centres: Centres,
        of: impl FnOnce(
            Centres,
            &mut dyn FnMut(RemovedMember, &mut Forest) -> Result<()>,
        ) -> Result<Forest>,
    ) -> (Vec<RemovedMember>, Forest) {
        let mut all = Vec::new();
        let forest = of(centres, &mut |one, _| {
            all.push(one);
            Ok(())
        });
        (all, forest.expect("room"))
    }

    #[test]
    fn chains_are_split_around_centres() {
        let folder = tempfile::tempdir().expect("a folder");
        let shape = |pairs: &[(u32, u32)]| {
            let make = || {
                let mut centres = Centres::new(folder.path(), 1 << 20, 4);
                for &(a, b) in pairs {
                    centres.push(a, b, 1).expect("room");
                }
                centres
            };
            let [around, whole] = [
                taken(make(), |centres, take| centres.around_centres(take)).0,
                taken(make(), |centres, take| centres.components(take)).0,
            ]
            .map(|all| all.iter().map(|one| (one.centre, one.place)).collect::<Vec<_>>());
            (around, whole)
        };
        assert_eq!(shape(&[(0, 1), (1, 2)]), (vec![(0, 1)], vec![(0, 1), (0, 2)]));
        assert_eq!(shape(&[(1, 0), (0, 2)]), (vec![(0, 1), (0, 2)], vec![(0, 1), (0, 2)]));
        let whole = vec![(0, 1), (0, 2), (0, 3)];
        assert_eq!(shape(&[(0, 1), (1, 2), (3, 2)]), (vec![(0, 1), (2, 3)], whole));
    }

    #[test]
    fn a_place_that_there_is_not_is_refused() {
        let mut centres = Centres::new(Path::new(""), 1 << 20, 4);
        centres.push(3, 0, 1).expect("two places");
        assert!(centres.push(0, 4, 1).is_err_and(|error| error.is_input()));
        assert!(Centres::new(Path::new(""), 0, 0).push(0, 0, 1).is_err());
    }

    proptest! {
        #[test]
        fn equals_the_naive_twins(
            pairs in proptest::collection::btree_map((0_u32..40, 0_u32..40), 1_u32..100, 0..80),
            memory in prop_oneof![Just(1_usize), Just(1 << 20)],
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let pairs: Vec<(u32, u32, u32)> = pairs
                .into_iter()
                .filter(|((a, b), _)| a < b)
                .map(|((a, b), n)| (a, b, n))
                .collect();
            let make = || {
                let mut centres = Centres::new(folder.path(), memory, 40);
                for &(a, b, n) in pairs.iter().rev() {
                    centres.push(b, a, n).expect("room");
                }
                centres
            };
            let graph = graph(&pairs);
            let (found, mut forest) = taken(make(), |centres, take| centres.around_centres(take));
            prop_assert_eq!(&found, &around_centres(&graph));
            for one in &found {
                let lowest = reached(&graph, one.centre).first().copied();
                prop_assert_eq!(Some(forest.root(one.centre)), lowest);
            }
            // No two documents that stay are a pair.
            let gone: BTreeSet<u32> = found.iter().map(|one| one.place).collect();
            let stays = |place: &u32| !gone.contains(place);
            prop_assert!(pairs.iter().all(|(a, b, _)| !(stays(a) && stays(b))));
            let (found, _) = taken(make(), |centres, take| centres.components(take));
            prop_assert_eq!(found, components(&graph));
        }

        /// Feeds pairs in order, leaving out those that are settled when their part begins.
        #[test]
        fn settled_pairs_make_no_difference(
            pairs in proptest::collection::btree_map((0_u32..20, 0_u32..20), 1_u32..100, 0..120),
            part in 1_usize..20,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let pairs: Vec<(u32, u32, u32)> =
                pairs.into_iter().filter(|((a, b), _)| a < b).map(|((a, b), n)| (a, b, n)).collect();
            let mut centres = Centres::in_order(folder.path(), 1 << 20, 20);
            for part in pairs.chunks(part) {
                let open = part.iter().filter(|(a, b, _)| !centres.is_settled(*b, *a));
                for (a, b, n) in open.copied().collect::<Vec<_>>() {
                    centres.push(b, a, n).expect("room");
                }
            }
            let graph = graph(&pairs);
            let (found, mut forest) = taken(centres, |centres, take| centres.around_centres(take));
            prop_assert_eq!(found, around_centres(&graph));
            for &place in graph.keys() {
                prop_assert_eq!(Some(forest.root(place)), reached(&graph, place).first().copied());
            }
        }
    }
}
