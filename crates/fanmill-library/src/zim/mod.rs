//! ZIM files, in which Kiwix offers Wikipedia, Stack Exchange, Gutenberg and others: one file for each library.
//!
//! [`Archive::open`] reads the header, the list of types and the places of clusters. [`Articles`] goes through the
//! directory once, and then through the clusters in the order of the file; each cluster is unpacked once, several at a
//! time, and the articles come in an order that does not depend on threads.
//!
//! Limits: every place and count is compared with the file's length before memory is taken. A cluster unpacks to at
//! most [`Limits::cluster_bytes`], and to no more than a multiple of its packed size; one that unpacks to more is
//! skipped, with the articles in it named. Directory entries that share one text are read once. Redirects are no
//! articles; those that lead nowhere or in a circle are named.
//!
//! Cost: O(n) in the file; memory for a batch of clusters, and 12 bytes an article and 4 an entry of the directory.
//! Source: the openZIM wiki, "ZIM file format" (versions 5 and 6).

mod header;
mod entry;
mod cluster;
mod redirects;
mod checksum;
mod archive;
mod address;
mod articles;
#[cfg(any(test, feature = "made"))]
pub mod made;
#[cfg(test)]
mod tests;

pub use archive::{Archive, Metadata};
pub use articles::{About, Article, ArticleFault, Articles, PlacedArticle, Skipped};
pub use header::MAGIC;

/// Limits on what a ZIM file may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of bytes that a cluster unpacks to.
    pub cluster_bytes: u64,
    /// Maximum size of an article in bytes.
    pub article_bytes: u64,
    /// Maximum number of directory entries, and of clusters.
    pub entries: u32,
}

impl Limits {
    /// Returns the standard limits: clusters of 128 MiB, articles of 64 MiB, 60 million entries.
    pub fn standard() -> Limits {
        Limits { cluster_bytes: 128 << 20, article_bytes: 64 << 20, entries: 60_000_000 }
    }
}
