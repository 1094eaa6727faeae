//! Clusters around centres, of more pairs than fit into memory.
//!
//! The twin of [`fanmill::cluster::pivot`], and the same answer. Documents are known by their *places* in
//! the order of preference. Pairs are sorted by the place of the preferred document, and walked once: by
//! the time that a document's pairs come, all that could have taken it have had their turn, so it is a
//! centre if it is not taken, and takes all of its others that are not.
//!
//! Cost: 12 bytes of memory or disk a pair; 4 bytes and a bit of memory a document. Whole components take 4
//! bytes of memory a document more, and 12 of memory or disk.
//! Source: as for [`fanmill::cluster::pivot`].

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use fanmill::Result;
use fanmill::cluster::forest::Forest;

use crate::spill::{Bits, Sorter};

/// A document that another one stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The place of the one that stays.
    pub centre: u32,
    /// Its own place.
    pub place: u32,
    /// Shingles that both have; `None` if only a chain links them.
    pub n_common: Option<u32>,
}

/// Takes pairs and gives clusters; see the [module](self).
#[derive(Debug)]
pub struct Centres {
    /// Preferred place, other place, common shingles.
    pairs: Sorter<(u32, u32, u32)>,
    forest: Forest,
    n_places: u32,
    folder: PathBuf,
    memory: usize,
}

impl Centres {
    /// Clusters of documents at the places `0..n_places`, within `memory` bytes and what documents need;
    /// what does not fit goes to unnamed files in `folder`.
    pub fn new(folder: &Path, memory: usize, n_places: u32) -> Centres {
        let pairs = Sorter::distinct(folder, memory);
        let forest = Forest::new(n_places as usize);
        Centres { pairs, forest, n_places, folder: folder.to_owned(), memory }
    }

    /// Adds a verified pair of two different documents, in any order and direction.
    ///
    /// # Errors
    /// If the memory is full and the disk cannot take what is in it.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn push(&mut self, a: u32, b: u32, n_common: u32) -> Result<()> {
        self.forest.join(a, b);
        self.pairs.push((a.min(b), a.max(b), n_common))
    }

    /// Hands out each document that does not stay, by the one that does, both ascending; with the forest that
    /// tells components apart, which is returned in the end.
    ///
    /// # Errors
    /// If the disk cannot take what does not fit into memory, or fails; if `take` does.
    pub fn around_centres(
        mut self,
        mut take: impl FnMut(Taken, &mut Forest) -> Result<()>,
    ) -> Result<Forest> {
        let mut is_taken = Bits::new(self.n_places as usize);
        for pair in self.pairs.sorted()? {
            let (centre, place, n_common) = pair?;
            if !is_taken.contains(centre) && !is_taken.contains(place) {
                is_taken.insert(place);
                take(Taken { centre, place, n_common: Some(n_common) }, &mut self.forest)?;
            }
        }
        Ok(self.forest)
    }

    /// The same for whole connected components: the most preferred document of each stays.
    ///
    /// # Errors
    /// As for [`Centres::around_centres`].
    pub fn components(
        self,
        mut take: impl FnMut(Taken, &mut Forest) -> Result<()>,
    ) -> Result<Forest> {
        let Centres { pairs, mut forest, n_places, folder, memory } = self;
        // What a document has in common with its root, if that is one of its pairs.
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
            take(Taken { centre, place, n_common }, &mut forest)?;
        }
        Ok(forest)
    }
}

#[cfg(test)]
mod tests {
    use fanmill::cluster::pivot::{self, Clusters, Edge};
    use proptest::prelude::*;

    use super::*;

    /// With the common shingles in the place of the resemblance.
    fn plain(clusters: &Clusters) -> Vec<(u32, u32, Option<f64>)> {
        let members = clusters.iter().flat_map(|cluster| {
            cluster
                .members
                .iter()
                .map(move |member| (cluster.centre, member.node, member.resemblance))
        });
        members.collect()
    }

    proptest! {
        #[test]
        fn equals_the_twin_in_memory(
            pairs in proptest::collection::btree_map((0_u32..40, 0_u32..40), 1_u32..100, 0..80),
            memory in prop_oneof![Just(1_usize), Just(1 << 20)],
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let pairs: Vec<(u32, u32, u32)> = pairs
                .into_iter()
                .filter(|((a, b), _)| a < b)
                .map(|((a, b), n)| (a, b, n))
                .collect();
            let edges: Vec<Edge> = pairs
                .iter()
                .map(|&(a, b, n)| Edge { a, b, resemblance: n.into() })
                .collect();
            let make = || {
                let mut centres = Centres::new(folder.path(), memory, 40);
                for &(a, b, n) in pairs.iter().rev() {
                    centres.push(b, a, n).expect("room");
                }
                centres
            };
            let plainly = |t: Taken| (t.centre, t.place, t.n_common.map(f64::from));
            let mut taken = Vec::new();
            let take = |t: Taken, _: &mut Forest| { taken.push(plainly(t)); Ok(()) };
            let mut forest = make().around_centres(take).expect("room");
            let twin = pivot::around_centres(&edges, |place| place);
            prop_assert_eq!(taken, plain(&twin));
            for cluster in twin.iter() {
                prop_assert_eq!(forest.root(cluster.centre), cluster.component.first);
            }
            let mut taken = Vec::new();
            let take = |t: Taken, _: &mut Forest| { taken.push(plainly(t)); Ok(()) };
            make().components(take).expect("room");
            prop_assert_eq!(taken, plain(&pivot::components(&edges, |place| place)));
        }
    }
}
