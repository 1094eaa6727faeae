//! A writer of small ZIM files, for tests: articles, redirects, metadata, in clusters packed in any way.

use md5::{Digest, Md5};

/// An entry to be written.
#[derive(Debug, Clone)]
pub struct MadeEntry<'a> {
    /// The name space.
    pub namespace: u8,
    /// The path.
    pub path: &'a str,
    /// The title; empty if it is the path.
    pub title: &'a str,
    /// Its type and text, or the number of the entry that it leads to.
    pub leads: MadeLeads<'a>,
}

/// Content of an entry to be written.
#[derive(Debug, Clone, Copy)]
pub enum MadeLeads<'a> {
    /// The number of a type, and a text.
    Text(u16, &'a [u8]),
    /// The number of another entry.
    Entry(u32),
    /// The number of a type, a cluster and a text in it that other entries have, too.
    ClusterSpan(u16, u32, u32),
}

/// The types of made files, in the order of their numbers.
pub const TYPES: [&str; 3] = ["text/html", "text/plain", "image/png"];

/// A cluster's packing, and the width of its offsets.
#[derive(Debug, Clone, Copy)]
pub struct MadeCluster {
    /// The number of the packing: 1 for none, 4 for xz, 5 for Zstandard.
    pub packing: u8,
    /// True for offsets of 8 bytes.
    pub is_extended: bool,
    /// Packs the bytes of a cluster.
    pub pack: fn(&[u8]) -> Vec<u8>,
}

/// A file to be written: `texts_in_cluster` texts go into each cluster.
#[derive(Debug, Clone)]
pub struct Made<'a> {
    /// The major and the minor version.
    pub version: (u16, u16),
    /// The entries, in their order.
    pub entries: Vec<MadeEntry<'a>>,
    /// The form of all clusters.
    pub cluster: MadeCluster,
    /// Maximum number of texts of a cluster.
    pub texts_in_cluster: usize,
}

impl Made<'_> {
    /// Returns the bytes of the file.
    ///
    /// # Panics
    /// Never, as texts are small.
    pub fn bytes(&self) -> Vec<u8> {
        let mut clusters: Vec<Vec<&[u8]>> = Vec::new();
        let mut directory = Vec::new();
        for entry in &self.entries {
            let mut made = Vec::new();
            let head = |kind: u16, made: &mut Vec<u8>| {
                made.extend(kind.to_le_bytes());
                made.extend([0, entry.namespace]);
                made.extend(0_u32.to_le_bytes());
            };
            match entry.leads {
                MadeLeads::Entry(number) => {
                    head(0xFFFF, &mut made);
                    made.extend(number.to_le_bytes());
                }
                MadeLeads::ClusterSpan(kind, cluster, blob) => {
                    head(kind, &mut made);
                    made.extend(cluster.to_le_bytes());
                    made.extend(blob.to_le_bytes());
                }
                MadeLeads::Text(kind, text) => {
                    if clusters.last().is_none_or(|own| own.len() >= self.texts_in_cluster) {
                        clusters.push(Vec::new());
                    }
                    let number = clusters.len() as u32 - 1;
                    let own = &mut clusters[number as usize];
                    own.push(text);
                    head(kind, &mut made);
                    made.extend(number.to_le_bytes());
                    made.extend((own.len() as u32 - 1).to_le_bytes());
                }
            }
            made.extend([entry.path.as_bytes(), &[0], entry.title.as_bytes(), &[0]].concat());
            directory.push(made);
        }
        let clusters: Vec<Vec<u8>> = clusters.iter().map(|own| self.cluster.bytes(own)).collect();
        self.laid_out(&clusters, &directory)
    }

    /// Puts the parts one after another, with a header and a checksum.
    pub fn laid_out(&self, clusters: &[Vec<u8>], directory: &[Vec<u8>]) -> Vec<u8> {
        let types: Vec<u8> =
            TYPES.iter().flat_map(|kind| [kind.as_bytes(), &[0]].concat()).chain([0]).collect();
        let mut bytes = vec![0; 80];
        bytes.extend(types);
        let place = |parts: &[Vec<u8>], bytes: &mut Vec<u8>| {
            let mut places: Vec<u8> = Vec::new();
            for part in parts {
                places.extend((bytes.len() as u64).to_le_bytes());
                bytes.extend(part);
            }
            places
        };
        let cluster_places = place(clusters, &mut bytes);
        let entry_places = place(directory, &mut bytes);
        let paths_at = bytes.len() as u64;
        bytes.extend(entry_places);
        let titles_at = bytes.len() as u64;
        (0..directory.len() as u32).for_each(|number| bytes.extend(number.to_le_bytes()));
        let clusters_at = bytes.len() as u64;
        bytes.extend(cluster_places);
        let mut header = super::MAGIC.to_vec();
        header.extend(self.version.0.to_le_bytes());
        header.extend(self.version.1.to_le_bytes());
        header.extend([7; 16]);
        header.extend((directory.len() as u32).to_le_bytes());
        header.extend((clusters.len() as u32).to_le_bytes());
        for at in [paths_at, titles_at, clusters_at, 80] {
            header.extend(at.to_le_bytes());
        }
        header.extend([0xFF; 8]);
        header.extend((bytes.len() as u64).to_le_bytes());
        bytes[..80].copy_from_slice(&header);
        let sum = Md5::digest(&bytes);
        bytes.extend(sum);
        bytes
    }
}

impl MadeCluster {
    /// A cluster that is not packed, with offsets of 4 bytes.
    pub const PLAIN: MadeCluster =
        MadeCluster { packing: 1, is_extended: false, pack: |bytes| bytes.to_vec() };

    /// Returns the bytes of a cluster of these texts.
    pub fn bytes(&self, texts: &[&[u8]]) -> Vec<u8> {
        let width = if self.is_extended { 8 } else { 4 };
        let mut at = (texts.len() + 1) * width;
        let (mut offsets, mut all) = (Vec::new(), Vec::new());
        for text in texts.iter().copied().chain([&[][..]]) {
            offsets.extend(&(at as u64).to_le_bytes()[..width]);
            all.extend_from_slice(text);
            at += text.len();
        }
        let info = self.packing | if self.is_extended { 0x10 } else { 0 };
        let mut bytes = vec![info];
        bytes.extend((self.pack)(&[offsets, all].concat()));
        bytes
    }
}
