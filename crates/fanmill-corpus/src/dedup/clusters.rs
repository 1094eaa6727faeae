//! Clusters as wholes: numbered by the documents that stay, and the largest of them for display.

use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;

use fanmill_records::ClusterSize;
use fanmill_text::Result;

use super::names::Names;
use crate::spill::{Bits, Series};

/// Maximum number of clusters that are displayed.
const SHOWN: usize = 10;

/// A cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cluster {
    /// Number of documents.
    pub(super) size: u64,
    /// Number of those that have the text of the one that stays, without that one.
    pub(super) copies: u64,
    /// Smallest resemblance of a member to the one that stays; not a number if none was compared with it.
    pub(super) smallest: f64,
    /// Mean resemblance of the members that were compared with the one that stays; likewise.
    pub(super) mean: f64,
    /// The number of the first cluster among those that chains link; until clusters are numbered, the root of their
    /// component.
    pub(super) component: u32,
}

/// A cluster in the form in which it is stored: its component, size and copies, and the bits of the smallest and the mean
/// resemblance.
type PackedCluster = ((u32, u32, u32), (u64, u64));

/// All clusters, by number.
#[derive(Debug)]
pub(super) struct Clusters {
    all: Series<PackedCluster>,
    /// The documents that stay.
    kept: Bits,
    /// Number of clusters there would be if chains were not split.
    pub(super) n_components: u64,
}

impl Clusters {
    /// Numbers clusters that come in the order of the documents that stay, which are `kept`; the roots of components
    /// are below `n_places`.
    pub(super) fn number(
        clusters: impl Iterator<Item = Result<Cluster>>,
        kept: Bits,
        n_places: u32,
        spill: &Path,
        memory: usize,
    ) -> Result<Clusters> {
        let mut all = Series::new(spill, memory);
        let mut n_components = 0;
        let mut first_of: Vec<Option<NonZeroU32>> = vec![None; n_places as usize];
        for (number, cluster) in (0..).zip(clusters) {
            let Cluster { size, copies, smallest, mean, component } = cluster?;
            let first = &mut first_of[component as usize];
            n_components += u64::from(first.is_none());
            // Counted from 1, so that `None` takes no extra space.
            let component = first.get_or_insert(NonZeroU32::MIN.saturating_add(number)).get() - 1;
            let counts = (component, size as u32, copies as u32);
            all.push((counts, (smallest.to_bits(), mean.to_bits())))?;
        }
        Ok(Clusters { all, kept, n_components })
    }

    /// Returns the number of clusters.
    pub(super) fn len(&self) -> u64 {
        self.all.len()
    }

    /// Returns the number of the cluster for which the document `kept` stays.
    pub(super) fn of(&self, kept: u32) -> u32 {
        self.kept.rank(kept)
    }

    /// Iterates over all clusters, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = Result<Cluster>> + '_ {
        self.all.iter().map(|cluster| {
            let ((component, size, copies), (smallest, mean)) = cluster?;
            let [smallest, mean] = [smallest, mean].map(f64::from_bits);
            Ok(Cluster { component, size: size.into(), copies: copies.into(), smallest, mean })
        })
    }

    /// Returns the sizes of the clusters with these numbers.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn sizes(&self, numbers: Range<u32>) -> Result<Vec<ClusterSize>> {
        let clusters = self.all.slice(numbers.start as usize..numbers.end as usize)?;
        let size = |((_, size, copies), _): PackedCluster| ClusterSize {
            documents: size.into(),
            copies: copies.into(),
        };
        Ok(clusters.into_iter().map(size).collect())
    }
}

/// A cluster for display.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownCluster {
    /// Number of documents.
    pub size: u64,
    /// The name of the one that stays.
    pub kept: String,
    /// The name of the member that is least similar to it, or of one that was not compared with it.
    pub farthest: String,
    /// Smallest resemblance of members to the one that stays; `None` if none was compared with it.
    pub smallest: Option<f64>,
    /// Mean resemblance of the other members that were compared with the one that stays.
    pub mean: Option<f64>,
}

/// A cluster that may be displayed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Large {
    pub(super) size: u64,
    pub(super) kept: u32,
    /// The member least similar to the one that stays; of equals, the first.
    pub(super) farthest: u32,
    pub(super) smallest: f64,
    pub(super) mean: f64,
}

impl Large {
    /// Adds the names of the documents.
    pub(super) fn shown(&self, names: &Names) -> Result<ShownCluster> {
        let Large { size, kept, farthest, smallest, mean } = *self;
        let (kept, farthest) = (names.get(kept)?, names.get(farthest)?);
        let [smallest, mean] = [smallest, mean].map(number);
        Ok(ShownCluster { size, kept, farthest, smallest, mean })
    }
}

/// Returns a share, if it is a number.
pub(super) fn number(share: f64) -> Option<f64> {
    (!share.is_nan()).then_some(share)
}

/// The largest clusters; of equals, those whose kept documents come first.
#[derive(Debug, Default)]
pub(super) struct Largest(Vec<Large>);

impl Largest {
    pub(super) fn push(&mut self, cluster: Large) {
        let order = |large: &Large| (Reverse(large.size), large.kept);
        let place = self.0.partition_point(|other| order(other) < order(&cluster));
        if place < SHOWN {
            self.0.insert(place, cluster);
            self.0.truncate(SHOWN);
        }
    }

    pub(super) fn finish(self) -> Vec<Large> {
        self.0
    }
}
