//! Clusters around centres, of more pairs than fit into memory.
//!
//! The twin of [`fanmill::cluster::pivot`], and the same answer. Documents are known by their *places* in
//! the order of preference. Pairs are sorted by the place of the preferred document, and walked once: by
//! the time that a document's pairs come, all that could have taken it have had their turn, so it is a
//! centre if it is not taken, and takes all of its others that are not.
//!
//! Cost: 12 bytes of memory or disk a pair; 4 bytes and a bit of memory a document, 12 a member.
//! Source: as for [`fanmill::cluster::pivot`].

use std::collections::BTreeMap;
use std::path::Path;

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
}

impl Centres {
    /// Clusters of documents at the places `0..n_places`, within `memory` bytes and what documents need;
    /// what does not fit goes to unnamed files in `folder`.
    pub fn new(folder: &Path, memory: usize, n_places: u32) -> Centres {
        let pairs = Sorter::distinct(folder, memory);
        Centres { pairs, forest: Forest::new(n_places as usize), n_places }
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

    /// Each document that does not stay, by the one that does, with the components.
    ///
    /// # Errors
    /// If the disk cannot take what does not fit into memory, or fails.
    pub fn around_centres(self) -> Result<(Vec<Taken>, Forest)> {
        let mut is_taken = Bits::new(self.n_places as usize);
        let mut taken = Vec::new();
        for pair in self.pairs.sorted()? {
            let (centre, place, n_common) = pair?;
            if !is_taken.contains(centre) && !is_taken.contains(place) {
                is_taken.insert(place);
                taken.push(Taken { centre, place, n_common: Some(n_common) });
            }
        }
        Ok((taken, self.forest))
    }

    /// The same for whole connected components: the most preferred document of each stays.
    ///
    /// # Errors
    /// As for [`Centres::around_centres`].
    pub fn components(self) -> Result<(Vec<Taken>, Forest)> {
        let Centres { pairs, mut forest, n_places } = self;
        let mut n_common_with = BTreeMap::new();
        for pair in pairs.sorted()? {
            let (a, b, n_common) = pair?;
            if forest.root(a) == a {
                n_common_with.insert(b, n_common);
            }
        }
        let members = (0..n_places).filter_map(|place| {
            let centre = forest.root(place);
            let n_common = n_common_with.get(&place).copied();
            (centre != place).then_some(Taken { centre, place, n_common })
        });
        let mut taken: Vec<Taken> = members.collect();
        taken.sort_by_key(|taken| (taken.centre, taken.place));
        Ok((taken, forest))
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
            let read = |taken: Vec<Taken>| -> Vec<(u32, u32, Option<f64>)> {
                taken.iter().map(|t| (t.centre, t.place, t.n_common.map(f64::from))).collect()
            };
            let (taken, mut forest) = make().around_centres().expect("room");
            let twin = pivot::around_centres(&edges, |place| place);
            prop_assert_eq!(read(taken), plain(&twin));
            for cluster in twin.iter() {
                prop_assert_eq!(forest.root(cluster.centre), cluster.component.first);
            }
            let (taken, _) = make().components().expect("room");
            prop_assert_eq!(read(taken), plain(&pivot::components(&edges, |place| place)));
        }
    }
}
