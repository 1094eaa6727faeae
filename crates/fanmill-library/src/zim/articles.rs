//! The articles of a file, cluster by cluster in the order of the file.
//!
//! Clusters are unpacked several at a time. How many does not depend on the number of threads, so that batches are the
//! same everywhere. Most clusters unpack to a small multiple of their size; one that does not is unpacked again, alone
//! and up to the full limit, so that memory is bounded by what is expected of a group and one large cluster.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use rayon::prelude::*;

use crate::Fault;
use crate::facts::Facts;
use crate::zim::address::Addresses;
use crate::zim::archive::{Archive, ArticlePlace, Metadata, one_line};
use crate::zim::cluster::{self, Blob, ClusterFault, ClusterLimits, ClusterSpan};
use crate::zim::entry::Window;

/// Number of bytes that the clusters of a group may unpack to.
const GROUP_BYTES: u64 = 96 << 20;
/// Number of clusters of a group.
const MOST_IN_GROUP: usize = 256;
/// Number of bytes that a cluster may unpack to in a group, as a multiple of its size, and the least of it.
const USUAL_TIMES: u64 = 12;
const LEAST: u64 = 1 << 20;

/// An article: its page, and the facts about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// Its path in the file.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its type, such as `text/html`.
    pub kind: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// An article that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleFault {
    /// The reason, in lower case, with the article's path.
    pub reason: String,
}

/// Something in the file, other than an article, that was skipped for this reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped(pub String);

/// Facts that all articles of a file share.
#[derive(Debug)]
pub struct About {
    metadata: Metadata,
    addresses: Addresses,
}

impl About {
    /// Returns what the file says about itself.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns the facts about an article: its own, and those of the whole file.
    pub fn facts<'a>(&'a self, path: &'a str, title: &'a str) -> Facts<'a> {
        let of_file = |fact: &'a Option<String>| fact.as_deref().map(Cow::Borrowed);
        Facts {
            title: Some(title.into()),
            address: self.addresses.of(path).map(Cow::Owned),
            author: of_file(&self.metadata.creator),
            licence: of_file(&self.metadata.licence),
            date: of_file(&self.metadata.date),
            language: of_file(&self.metadata.language),
            key: Some(path.into()),
        }
    }
}

/// The articles of a file.
#[derive(Debug)]
pub struct Articles {
    archive: Archive,
    wanted: Vec<ArticlePlace>,
    next: usize,
    about: Arc<About>,
    skipped: Vec<Skipped>,
    /// Clusters that are unpacked and not given yet.
    ready: VecDeque<ReadCluster>,
    open: Option<OpenCluster>,
}

/// A cluster, as far as it was read, and its articles.
#[derive(Debug)]
struct ReadCluster {
    place: ClusterSpan,
    wanted: Vec<ArticlePlace>,
    blobs: Result<Vec<Blob>, ClusterFault>,
}

/// A cluster whose articles are being given.
#[derive(Debug)]
struct OpenCluster {
    start: u64,
    articles: VecDeque<(ArticlePlace, Blob)>,
}

/// The place of a cluster in the file, in bytes, and an article of it, or why that cannot be read.
pub type PlacedArticle = (u64, Result<Article, ArticleFault>);

impl Articles {
    /// Goes through the directory of a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn new(archive: Archive) -> Result<Articles, Fault> {
        let directory = archive.directory()?;
        let mut skipped: Vec<Skipped> = directory.faults.into_iter().map(Skipped).collect();
        if directory.n_more_faults > 0 {
            let n = directory.n_more_faults;
            skipped.push(Skipped(format!("{n} more entries that lead nowhere or in a circle")));
        }
        if directory.n_aliases > 0 {
            let n = directory.n_aliases;
            skipped.push(Skipped(format!("{n} entries whose text is that of another entry")));
        }
        let addresses = Addresses::new(&directory.metadata);
        Ok(Articles {
            archive,
            wanted: directory.articles,
            next: 0,
            about: Arc::new(About { metadata: directory.metadata, addresses }),
            skipped,
            ready: VecDeque::new(),
            open: None,
        })
    }

    /// Returns the number of articles.
    pub fn n_articles(&self) -> usize {
        self.wanted.len()
    }

    /// Returns what the file says about all of its articles.
    pub fn about(&self) -> Arc<About> {
        Arc::clone(&self.about)
    }

    /// Returns whether the checksum of the file is that of its bytes; `None` if it has none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn has_right_checksum(&self) -> Result<Option<bool>, Fault> {
        self.archive.has_right_checksum()
    }

    /// Returns the parts of the directory that were skipped, each once.
    pub fn take_skipped(&mut self) -> Vec<Skipped> {
        std::mem::take(&mut self.skipped)
    }

    /// Returns the next article, with the place of its cluster; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read. An article that cannot be read is returned as such.
    pub fn next_article(&mut self) -> Result<Option<PlacedArticle>, Fault> {
        loop {
            if let Some(open) = &mut self.open
                && let Some((own, blob)) = open.articles.pop_front()
            {
                let start = open.start;
                return Ok(Some((start, self.article(own, blob)?)));
            }
            if self.ready.is_empty() {
                self.read_group();
            }
            let Some(cluster) = self.ready.pop_front() else { return Ok(None) };
            self.open = Some(self.opened(cluster)?);
        }
    }

    /// Returns a cluster with its articles. One that unpacks to more than is usual is unpacked again, up to its limit.
    fn opened(&self, cluster: ReadCluster) -> Result<OpenCluster, Fault> {
        let ReadCluster { place, wanted, mut blobs } = cluster;
        let limits = self.archive.cluster_limits(place);
        if let Err(ClusterFault::TooLarge(limit)) = blobs
            && limit < limits.unpacked
        {
            blobs = self.read_cluster(place, &wanted, limits);
        }
        let number = wanted.first().map_or(0, |own| own.cluster);
        let bad = |reason: String| wanted.iter().map(|_| Blob::Bad(reason.clone())).collect();
        let blobs = match blobs {
            Ok(blobs) => blobs,
            Err(ClusterFault::Fault(Fault::Io(error))) => return Err(Fault::Io(error)),
            Err(ClusterFault::Fault(Fault::Damage(reason))) => {
                bad(format!("its cluster {number} is damaged: {reason}"))
            }
            Err(ClusterFault::TooLarge(limit)) => {
                bad(format!("its cluster {number} unpacks to more than {limit} bytes: skipped"))
            }
        };
        Ok(OpenCluster { start: place.start, articles: wanted.into_iter().zip(blobs).collect() })
    }

    /// Returns an article, or the reason why it cannot be read, with its path.
    fn article(
        &self,
        own: ArticlePlace,
        blob: Blob,
    ) -> Result<Result<Article, ArticleFault>, Fault> {
        let input = &*self.archive.input;
        let entry = self.archive.entry(own.entry, &mut Window::new(input))?;
        Ok(match blob.into_bytes(input)? {
            Ok(content) => {
                let kind = self.archive.type_of(entry.leads).to_owned();
                let title = one_line(entry.title().as_bytes());
                Ok(Article { path: entry.path, title, kind, content })
            }
            Err(reason) => Err(ArticleFault { reason: format!("`{}`: {reason}", entry.path) }),
        })
    }

    fn read_cluster(
        &self,
        place: ClusterSpan,
        wanted: &[ArticlePlace],
        limits: ClusterLimits,
    ) -> Result<Vec<Blob>, ClusterFault> {
        let numbers: Vec<u32> = wanted.iter().map(|own| own.blob).collect();
        cluster::read(&*self.archive.input, place, &numbers, limits)
    }

    /// Unpacks the next clusters.
    fn read_group(&mut self) {
        let (mut group, mut n_bytes) = (Vec::new(), 0_u64);
        while let Some(first) = self.wanted.get(self.next) {
            let place = self.archive.clusters[first.cluster as usize];
            let n_packed = place.end.saturating_sub(place.start);
            let usual = n_packed.saturating_mul(USUAL_TIMES).max(LEAST);
            let full = self.archive.cluster_limits(place);
            let limits =
                ClusterLimits { unpacked: usual.min(full.unpacked).min(GROUP_BYTES), ..full };
            n_bytes += limits.unpacked;
            if !group.is_empty() && (n_bytes > GROUP_BYTES || group.len() == MOST_IN_GROUP) {
                break;
            }
            let rest = &self.wanted[self.next..];
            let n = rest.iter().take_while(|own| own.cluster == first.cluster).count();
            group.push((place, rest[..n].to_vec(), limits));
            self.next += n;
        }
        let read = |(place, wanted, limits): (ClusterSpan, Vec<ArticlePlace>, ClusterLimits)| {
            let blobs = self.read_cluster(place, &wanted, limits);
            ReadCluster { place, wanted, blobs }
        };
        let ready: Vec<ReadCluster> = group.into_par_iter().map(read).collect();
        self.ready = ready.into();
    }
}
