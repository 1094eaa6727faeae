//! Documents with planted clusters, of the sizes that the slides report.
//!
//! Six in ten documents are unique. Clusters have 3.4 documents on average, and seven in ten have two; the sizes of the
//! others follow a power law, and three have 10,000, 20,000 and 40,000 documents in 30 million. Members are scattered
//! over the corpus. Each has its own share of replaced shingles, up to 2.6 %, so that two members have a resemblance of
//! .9 to 1.

use std::fmt;
use std::ops::Range;

use fanmill_kernel::hash::mix::{SplitMix, mix};

/// The seed of all random numbers.
const SEED: u64 = 1997;
/// The largest share of replaced shingles in a member.
const MOST_OWN: f64 = 0.026;
/// Number of words in a shingle in the slides.
const WORDS: u32 = 8;

/// A corpus; documents are generated from their numbers.
#[derive(Debug)]
pub(super) struct Planted {
    n_documents: u32,
    words: Option<u32>,
    /// The start of each cluster when clusters are laid out one after another, and the end of the last one.
    starts: Vec<u32>,
    /// The factor that turns a document's number into its place in that order.
    stride: u64,
}

impl Planted {
    /// Creates a corpus of `n_documents` documents, each with this number of words, or with 200 to 1,000.
    pub(super) fn new(n_documents: u32, words: Option<u32>) -> Planted {
        let n_clustered = n_documents / 10 * 4;
        let scaled = |n: u64| (n * u64::from(n_documents) / 30_000_000).max(2) as u32;
        let mut sizes = vec![40_000, 20_000, 10_000].into_iter().map(scaled).collect::<Vec<u32>>();
        let mut numbers = SplitMix::new(SEED);
        let mut total: u32 = sizes.iter().sum();
        while total < n_clustered {
            let size = cluster_size(fraction(numbers.draw()), fraction(numbers.draw()));
            sizes.push(size.min(n_clustered - total).max(2));
            total += sizes[sizes.len() - 1];
        }
        let mut starts = vec![0];
        starts.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        // A stride coprime to the number of documents visits every place once.
        let mut stride = u64::from(n_documents) * 618 / 1000;
        while greatest_common_factor(stride, n_documents.into()) != 1 {
            stride += 1;
        }
        Planted { n_documents, words, starts, stride }
    }

    pub(super) fn n_documents(&self) -> u32 {
        self.n_documents
    }

    pub(super) fn n_clusters(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the places of a cluster's members.
    pub(super) fn places(&self, cluster: usize) -> Range<u32> {
        self.starts[cluster]..self.starts[cluster + 1]
    }

    /// Returns the place of a document in the order of clusters.
    pub(super) fn place(&self, document: u32) -> u32 {
        (u64::from(document) * self.stride % u64::from(self.n_documents)) as u32
    }

    /// Returns a number that the documents of a cluster share; for a unique document, a number beyond all clusters.
    pub(super) fn family(&self, place: u32) -> u32 {
        let n_clusters = self.n_clusters() as u32;
        let after = self.starts.partition_point(|&start| start <= place) as u32;
        if after > n_clusters { n_clusters + place } else { after - 1 }
    }

    /// Appends the shingles of a document.
    pub(super) fn append(&self, document: u32, shingles: &mut Vec<u64>) {
        self.append_at(self.place(document), shingles);
    }

    /// Appends the shingles of the document at a place.
    pub(super) fn append_at(&self, place: u32, shingles: &mut Vec<u64>) {
        let family = self.family(place);
        let (common, own) = (mix(SEED ^ mix(family.into())), mix(!mix(place.into())));
        let n_words = self.words.unwrap_or(200 + (mix(common) % 801) as u32);
        let is_alone = family as usize >= self.n_clusters();
        let share = if is_alone { 0.0 } else { MOST_OWN * fraction(mix(own)) };
        let limit = share * (1_u64 << 53) as f64;
        for i in 0..u64::from(n_words.saturating_sub(WORDS - 1).max(1)) {
            let shared = mix(common.wrapping_add(i << 1 | 1));
            let choice = mix(own ^ shared);
            // The upper 53 bits of `choice` decide. If the shingle is the member's own, it is made from all bits.
            let is_own = ((choice >> 11) as f64) < limit;
            shingles.push(if is_own { mix(choice ^ SEED) } else { shared });
        }
    }
}

impl fmt::Display for Planted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.n_clusters();
        let sizes = || (0..n).map(|cluster| self.places(cluster).len());
        let n_clustered: usize = sizes().sum();
        let n_twins = sizes().filter(|&size| size == 2).count();
        write!(
            f,
            "{} documents, {} of them alone; {n} clusters of {:.2} on average, {:.0} % of two, the \
             largest of {}",
            self.n_documents,
            self.n_documents as usize - n_clustered,
            n_clustered as f64 / n as f64,
            100.0 * n_twins as f64 / n as f64,
            sizes().max().unwrap_or(0)
        )
    }
}

/// Returns a cluster size from two random numbers in `0..1`: seven in ten are pairs, the others follow a power law.
#[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
fn cluster_size(kind: f64, u: f64) -> u32 {
    if kind < 0.7 {
        return 2;
    }
    // The mean of this law, cut off at 1,000, gives 3.4 together with the pairs and the three largest.
    let size = 3.0 / (1.0 - u).powf(1.0 / 1.68);
    size.clamp(3.0, 1000.0) as u32
}

/// Returns a number in `0..1`.
fn fraction(random: u64) -> f64 {
    (random >> 11) as f64 / (1_u64 << 53) as f64
}

fn greatest_common_factor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_factor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_slides() {
        let planted = Planted::new(300_000, None);
        let sizes: Vec<usize> =
            (0..planted.n_clusters()).map(|cluster| planted.places(cluster).len()).collect();
        let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
        let twins = sizes.iter().filter(|&&size| size == 2).count() as f64 / sizes.len() as f64;
        assert!((3.2..3.6).contains(&mean) && (0.69..0.71).contains(&twins), "{mean} {twins}");
        assert_eq!(sizes[..3], [400, 200, 100]);
    }

    #[test]
    fn every_place_is_used_once_and_members_are_similar() {
        let planted = Planted::new(2000, None);
        let mut places: Vec<u32> = (0..2000).map(|document| planted.place(document)).collect();
        places.sort_unstable();
        assert!(places.iter().copied().eq(0..2000));
        let sets: Vec<Vec<u64>> = (0..4)
            .map(|place| {
                let mut set = Vec::new();
                planted.append_at(place, &mut set);
                fanmill_sketch::shingle::normalise(&mut set);
                set
            })
            .collect();
        assert_eq!(
            [0, 1, 2, 1999].map(|place| planted.family(place) < 2),
            [true, true, true, false]
        );
        let resemblance =
            fanmill_sketch::lsh::verify::resemblance(&sets[0], &sets[1]).expect("not empty");
        assert!((0.87..=1.0).contains(&resemblance), "{resemblance}");
    }
}
