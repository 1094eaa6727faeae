//! An open ZIM file: its header, the places of its clusters, and what it says about itself.

use std::sync::Arc;

use crate::Fault;
use crate::read_at::{ReadAt, bytes_at};
use crate::zim::Limits;
use crate::zim::checksum;
use crate::zim::cluster::{self, ClusterFault, ClusterLimits, ClusterSpan};
use crate::zim::entry::{Entry, Leads, Window};
use crate::zim::header::{Header, u64_at};
use crate::zim::redirects::{self, MOST_ENTRIES, NO_REDIRECT, RedirectFault};

/// Maximum length in bytes of what a file says about itself in one entry.
const LONGEST_METADATA: u64 = 1 << 16;
/// Number of places of entries that are read at once.
const PLACES_AT_ONCE: u32 = 1 << 13;
/// Maximum number of redirects with a fault that are named.
pub(super) const NAMED_FAULTS: usize = 20;

/// The name spaces of articles, in old files and in new ones, and of what a file says about itself.
const OLD_ARTICLES: u8 = b'A';
const ARTICLES: u8 = b'C';
const METADATA: u8 = b'M';

/// Metadata of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The library's title.
    pub title: Option<String>,
    /// The person or body that wrote the content.
    pub creator: Option<String>,
    /// The day on which the file was made.
    pub date: Option<String>,
    /// The language, or several.
    pub language: Option<String>,
    /// The licence of the content.
    pub licence: Option<String>,
    /// The address of the site that the content comes from.
    pub source: Option<String>,
    /// The name that identifies the library, such as `wikipedia_de_all`.
    pub name: Option<String>,
    /// The program that fetched the content.
    pub scraper: Option<String>,
}

impl Metadata {
    fn get_mut(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "Title" => &mut self.title,
            "Creator" => &mut self.creator,
            "Date" => &mut self.date,
            "Language" => &mut self.language,
            "License" | "Licence" => &mut self.licence,
            "Source" => &mut self.source,
            "Name" => &mut self.name,
            "Scraper" => &mut self.scraper,
            _ => return None,
        })
    }
}

/// An open ZIM file.
#[derive(Debug, Clone)]
pub struct Archive {
    pub(super) input: Arc<dyn ReadAt>,
    header: Header,
    types: Vec<String>,
    pub(super) clusters: Vec<ClusterSpan>,
    pub(super) limits: Limits,
}

/// The place of an article: its cluster, its number in it, and its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArticlePlace {
    pub(super) cluster: u32,
    pub(super) blob: u32,
    pub(super) entry: u32,
}

/// The directory, gone through once.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// The articles, by the order of their clusters in the file and their own in these.
    pub(super) articles: Vec<ArticlePlace>,
    /// Number of entries whose text is that of another entry.
    pub(super) n_aliases: u64,
    pub(super) metadata: Metadata,
    /// Faults of entries: the first ones, in words, and the number of all others.
    pub(super) faults: Vec<String>,
    pub(super) n_more_faults: u64,
}

impl Directory {
    fn fault(&mut self, reason: impl FnOnce() -> String) {
        if self.faults.len() < NAMED_FAULTS {
            self.faults.push(reason());
        } else {
            self.n_more_faults += 1;
        }
    }
}

impl Archive {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is cut off, of another version, or its lists lie outside of it.
    pub fn open(input: Arc<dyn ReadAt>, limits: Limits) -> Result<Archive, Fault> {
        let header = Header::read(&*input)?;
        let limit = limits.entries.min(MOST_ENTRIES);
        for (what, n) in [("entries", header.n_entries), ("clusters", header.n_clusters)] {
            if n > limit {
                return Err(Fault::Damage(format!("it has {n} {what}, and the limit is {limit}")));
            }
        }
        let types = header.types(&*input)?;
        let clusters = places(&*input, &header)?;
        Ok(Archive { input, header, types, clusters, limits })
    }

    /// Returns the number of entries of its directory.
    pub fn n_entries(&self) -> u32 {
        self.header.n_entries
    }

    /// Returns whether its checksum is that of its bytes; `None` if it has none, as old files.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn has_right_checksum(&self) -> Result<Option<bool>, Fault> {
        let checked = self.header.checksum_at.map(|at| checksum::is_right(&*self.input, at));
        checked.transpose()
    }

    /// Returns an entry by its number.
    pub(super) fn entry(&self, number: u32, window: &mut Window<'_>) -> Result<Entry, Fault> {
        let place = self.header.paths_at + 8 * u64::from(number);
        let at = u64_at(&bytes_at(&*self.input, place, 8, "the place of an entry")?, 0);
        let entry = window.entry(at)?;
        entry.ok_or_else(|| Fault::Damage(format!("there is no entry at byte {at}")))
    }

    fn is_article(&self, namespace: u8, kind: u16) -> bool {
        let own = if self.header.has_new_names() { ARTICLES } else { OLD_ARTICLES };
        namespace == own
            && self.types.get(kind as usize).is_some_and(|kind| {
                ["text/html", "application/xhtml+xml", "text/plain"]
                    .contains(&kind.split(';').next().unwrap_or_default().trim())
            })
    }

    /// Returns the type of an article.
    pub(super) fn type_of(&self, leads: Leads) -> &str {
        match leads {
            Leads::Text { kind, .. } => self.types.get(kind as usize).map_or("", |kind| kind),
            _ => "",
        }
    }

    /// Goes through the directory once.
    ///
    /// # Errors
    /// If the file cannot be read. Damaged entries are counted.
    pub(super) fn directory(&self) -> Result<Directory, Fault> {
        let mut directory = Directory::default();
        let mut window = Window::new(&*self.input);
        let (mut targets, mut n_redirects) = (Vec::new(), 0_u64);
        let mut own: Vec<(String, ArticlePlace)> = Vec::new();
        for first in (0..self.header.n_entries).step_by(PLACES_AT_ONCE as usize) {
            let n = PLACES_AT_ONCE.min(self.header.n_entries - first);
            let at = self.header.paths_at + 8 * u64::from(first);
            let places = bytes_at(&*self.input, at, 8 * n as usize, "its list of paths")?;
            for (number, place) in (first..).zip(places.chunks_exact(8)) {
                let at = u64_at(place, 0);
                let Some(entry) = window.entry(at)? else {
                    targets.push(NO_REDIRECT);
                    directory.fault(|| format!("entry {number}: there is none at byte {at}"));
                    continue;
                };
                let mut target = NO_REDIRECT;
                match entry.leads {
                    // A target that does not exist becomes one behind all entries.
                    Leads::Entry(to) => {
                        n_redirects += 1;
                        target = to.min(self.header.n_entries);
                    }
                    Leads::Text { kind, cluster, blob } => {
                        let wanted = ArticlePlace { cluster, blob, entry: number };
                        if cluster as usize >= self.clusters.len() {
                            let n = self.clusters.len();
                            let name = || format!("entry {number}: cluster {cluster} of {n}");
                            directory.fault(name);
                        } else if self.is_article(entry.namespace, kind) {
                            directory.articles.push(wanted);
                        } else if entry.namespace == METADATA && own.len() < 100 {
                            own.push((entry.path, wanted));
                        }
                    }
                    Leads::Nothing => {}
                }
                targets.push(target);
            }
        }
        if n_redirects > 0 {
            self.check_redirects(targets, &mut directory, &mut window)?;
        }
        self.sort(&mut directory);
        directory.metadata = self.metadata(own)?;
        Ok(directory)
    }

    /// Adds the redirects that lead nowhere or in a circle to the faults.
    fn check_redirects(
        &self,
        targets: Vec<u32>,
        directory: &mut Directory,
        window: &mut Window<'_>,
    ) -> Result<(), Fault> {
        let mut faults = Vec::new();
        redirects::check(targets, |entry, fault| {
            if directory.faults.len() + faults.len() < NAMED_FAULTS {
                faults.push((entry, fault));
            } else {
                directory.n_more_faults += 1;
            }
        });
        for (number, fault) in faults {
            let path = self.entry(number, window)?.path;
            let how = match fault {
                RedirectFault::Circle => "in a circle",
                RedirectFault::Nowhere => "nowhere",
            };
            directory.faults.push(format!("`{path}` is a redirect that leads {how}"));
        }
        Ok(())
    }

    /// Puts articles into the order of their clusters in the file; of those that share a text, the first stays.
    fn sort(&self, directory: &mut Directory) {
        let start = |wanted: &ArticlePlace| {
            self.clusters.get(wanted.cluster as usize).map_or(0, |place| place.start)
        };
        let articles = &mut directory.articles;
        articles.sort_unstable_by_key(|own| (start(own), own.cluster, own.blob, own.entry));
        let n = articles.len();
        articles.dedup_by_key(|own| (own.cluster, own.blob));
        directory.n_aliases = (n - articles.len()) as u64;
    }

    /// Reads what the file says about itself; what cannot be read is missing.
    fn metadata(&self, own: Vec<(String, ArticlePlace)>) -> Result<Metadata, Fault> {
        let mut metadata = Metadata::default();
        for (name, ArticlePlace { cluster, blob, .. }) in own {
            let Some(value) = metadata.get_mut(&name) else { continue };
            let place = self.clusters[cluster as usize];
            let limits = self.cluster_limits(place);
            let limits = ClusterLimits { blob: LONGEST_METADATA, ..limits };
            match cluster::read(&*self.input, place, &[blob], limits) {
                Ok(mut blobs) => {
                    let Some(blob) = blobs.pop() else { continue };
                    let text = blob.into_bytes(&*self.input)?.ok();
                    *value = text.map(|text| one_line(&text)).filter(|text| !text.is_empty());
                }
                Err(ClusterFault::Fault(Fault::Io(error))) => return Err(Fault::Io(error)),
                Err(_) => {}
            }
        }
        Ok(metadata)
    }

    /// Returns the limits on unpacking a cluster: no more than a multiple of its packed size, as a small file could make
    /// us unpack for hours otherwise.
    pub(super) fn cluster_limits(&self, place: ClusterSpan) -> ClusterLimits {
        const LEAST: u64 = 16 << 20;
        const TIMES: u64 = 1024;
        let n_packed = place.end.saturating_sub(place.start);
        let unpacked = n_packed.saturating_mul(TIMES).max(LEAST).min(self.limits.cluster_bytes);
        ClusterLimits { unpacked, blob: self.limits.article_bytes }
    }
}

/// Returns a text with its white space as single spaces.
pub(super) fn one_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the places of clusters. Each ends where the next one in the file begins; two that begin at one place are
/// damaged, and all but one have no bytes.
fn places(input: &dyn ReadAt, header: &Header) -> Result<Vec<ClusterSpan>, Fault> {
    let n_bytes = 8 * header.n_clusters as usize;
    let list = bytes_at(input, header.clusters_at, n_bytes, "its list of clusters")?;
    let starts: Vec<u64> = list.chunks_exact(8).map(|place| u64_at(place, 0)).collect();
    let mut order: Vec<u32> = (0..header.n_clusters).collect();
    order.sort_by_key(|&number| starts[number as usize]);
    let mut places: Vec<ClusterSpan> =
        starts.iter().map(|&start| ClusterSpan { start, end: start }).collect();
    let mut end = header.checksum_at.unwrap_or_else(|| input.n_bytes());
    for &number in order.iter().rev() {
        let place = &mut places[number as usize];
        place.end = end;
        end = end.min(place.start);
    }
    Ok(places)
}
