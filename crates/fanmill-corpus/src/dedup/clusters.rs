//! Clusters as wholes: numbered by the documents that stay, the largest of them to show.

use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::path::Path;

use fanmill_text::Result;

use super::names::Names;
use crate::spill::{Bits, Series};

/// Most clusters that are shown.
const SHOWN: usize = 10;

/// A cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cluster {
    /// Documents.
    pub(super) size: u64,
    /// Resemblance to the one that stays: of the least similar, and the mean of all others.
    pub(super) smallest: f64,
    pub(super) mean: f64,
    /// The number of the first cluster of those that chains link; before they are numbered, the root of
    /// their component.
    pub(super) component: u32,
}

/// All of them, by number.
#[derive(Debug)]
pub(super) struct Clusters {
    all: Series<((u32, u32), (u64, u64))>,
    /// The documents that stay.
    kept: Bits,
    /// How many there would be if chains were not split.
    pub(super) n_components: u64,
}

impl Clusters {
    /// Numbers clusters that come in the order of the documents that stay, `kept`; roots of components are
    /// below `n_places`.
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
            let Cluster { size, smallest, mean, component } = cluster?;
            let first = &mut first_of[component as usize];
            n_components += u64::from(first.is_none());
            // Counted from 1, so that `None` takes no room.
            let component = first.get_or_insert(NonZeroU32::MIN.saturating_add(number)).get() - 1;
            all.push(((component, size as u32), (smallest.to_bits(), mean.to_bits())))?;
        }
        Ok(Clusters { all, kept, n_components })
    }

    /// How many.
    pub(super) fn len(&self) -> u64 {
        self.all.len()
    }

    /// The number of the cluster that a document stays for.
    pub(super) fn of(&self, kept: u32) -> u32 {
        self.kept.rank(kept)
    }

    /// All, by their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = Result<Cluster>> + '_ {
        self.all.iter().map(|cluster| {
            let ((component, size), (smallest, mean)) = cluster?;
            let [smallest, mean] = [smallest, mean].map(f64::from_bits);
            Ok(Cluster { component, size: size.into(), smallest, mean })
        })
    }
}

/// A cluster, to show.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownCluster {
    /// Documents.
    pub size: u64,
    /// The name of the one that stays.
    pub kept: String,
    /// The name of the least similar of the others.
    pub farthest: String,
    /// Resemblance to the one that stays: of the least similar, and the mean of all others.
    pub smallest: f64,
    /// The mean.
    pub mean: f64,
}

/// A cluster that may be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Large {
    pub(super) size: u64,
    pub(super) kept: u32,
    /// The least similar of the others; of equals, the first.
    pub(super) farthest: u32,
    pub(super) smallest: f64,
    pub(super) mean: f64,
}

impl Large {
    /// With names.
    pub(super) fn shown(&self, names: &Names) -> Result<ShownCluster> {
        let Large { size, kept, farthest, smallest, mean } = *self;
        let (kept, farthest) = (names.get(kept)?, names.get(farthest)?);
        Ok(ShownCluster { size, kept, farthest, smallest, mean })
    }
}

/// The largest clusters; of equals, those whose documents that stay come first.
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
