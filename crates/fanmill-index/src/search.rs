//! Search: finds the documents that share passages with a text, and these passages.
//!
//! 1. The text's fingerprints are taken in the same way as those of the index, and looked up in every segment, in
//!    order.
//! 2. The best candidates are documents in which they lie near each other, as they do in the text; the rarer they are in
//!    the whole index, the better. Each part of a long text has its own ([`evidence`](crate::evidence)).
//! 3. The sources' texts are read, and the text is compared with them as [`fanmill::pipeline::compare`] compares a new
//!    submission with earlier work: token by token, so that a passage is not shown for equal hashes alone.
//!
//! A shared run as long as the guarantee has a fingerprint in common, wherever it is. If at most
//! [`Search::max_holders`] documents have the run, they are among the sources, even if there are better ones, and
//! however popular its fingerprints are ([`rare`](crate::rare)). For commoner runs, the answer counts the exceptions:
//! documents beyond the requested number of sources, and fingerprints held by so many documents that only the first of
//! these are candidates. It also counts the documents for which an index does not have what the promise needs
//! ([`Index::n_unpromised`]).
//!
//! A text may be searched for with a higher guarantee than that of the index: fewer of its fingerprints are looked up,
//! and they are among those that the index took of an equal run. For winnowing this holds by definition (§3.2); for ROC
//! it held for all but one in a thousand (a test counts them); other selectors are refused.
//!
//! A quick search looks up only the smallest fingerprints of the text, and compares it with the documents that hold
//! some of these: a source that holds much of the text is rarely missed ([`estimate`](crate::estimate)).
//!
//! Cost: about one page read for each fingerprint and segment, and then a comparison with the sources.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2: fingerprints looked up in an index, and pairs last; §3.2:
//! another window for queries.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use fanmill::fingerprint::Fingerprint;
use fanmill::index::Posting;
use fanmill::pipeline::{Comparison, Config, Places, fingerprinted, fingerprinted_around};
use fanmill::report;
use fanmill::select::Selector;
use fanmill_text::document::{Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::readable::readable;
use fanmill_text::span::Span;
use fanmill_text::token::Kind;
use fanmill_text::{Error, Result, Setting, amount};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::by_fingerprint::{self, ByFingerprint};
use crate::coverage::{Covered, coverage};
use crate::estimate::Estimate;
use crate::evidence::{Candidate, Shares};
use crate::keep::Keep;
use crate::rare::{Place, Text};
use crate::record::Record;
use crate::snapshot::Index;
use crate::source_filter::{SourceFilter, places_of_names};
use crate::texts::LastFrame;

/// The settings of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Search {
    /// Maximum number of documents that the text is compared with: the best by [evidence](Source::evidence). Unless this
    /// or `max_holders` is 0, documents that share a rare run are added to these, and three for each 512 tokens of the
    /// text: those with the best evidence there.
    pub max_sources: usize,
    /// Maximum number of documents with a run of guarantee length for all of them to be sources. A quick search ignores
    /// it.
    #[serde(skip, default = "usual_holders")]
    pub max_holders: usize,
    /// Maximum number of documents that count for a fingerprint. If more hold it, the first ones count, in the order in
    /// which they were added.
    #[serde(deserialize_with = "amount::positive")]
    pub max_postings: u64,
    /// A guarantee in tokens, which replaces that of the index for each kind of text for which it is higher.
    pub guarantee: Option<u32>,
    /// Names of documents that are treated as if they were not in the index.
    pub exclude_source: Vec<String>,
    /// Groups whose documents may be sources; if this is empty, documents of all groups may.
    pub label: Vec<String>,
    /// Only documents that were handed in on this day or later are sources: `2026-03-01`, by the clock of the hand-in.
    /// Documents without a time are not.
    pub since: Option<String>,
    /// Number of the text's fingerprints that are looked up, the smallest ones; `None` for all. Sources that do not
    /// hold any of these are not found, and each source found has an [`Estimate`].
    pub quick: Option<usize>,
    /// If set, quotations in prose are boilerplate. They are not known if the index does not keep texts.
    pub quotes: bool,
    /// Boilerplate, made by [`Index::base`]; it does not count as copying.
    #[serde(skip)]
    pub base: Base,
}

impl Search {
    /// Returns the documents of each of several indexes that may be sources.
    pub(crate) fn filters(
        &self,
        libraries: &[&Index],
        registry: &Registry,
    ) -> Result<Vec<SourceFilter>> {
        let left_out = places_of_names(libraries, &self.exclude_source)?;
        let filter = |(&index, own): (&&Index, _)| {
            SourceFilter::new(index, registry, own, &self.label, self.since.as_deref())
        };
        libraries.iter().zip(left_out).map(filter).collect()
    }
}

/// Boilerplate of a search: texts that may be copied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Base {
    submissions: Vec<Submission>,
    /// Hashes of all their grams, ascending.
    grams: Vec<u64>,
}

impl Base {
    pub(crate) fn submissions(&self) -> &[Submission] {
        &self.submissions
    }
}

impl Default for Search {
    /// Returns a search for 50 sources and those that share a run that at most 16 documents have, with 64 documents for
    /// each fingerprint, and the guarantee of the index.
    fn default() -> Search {
        Search {
            max_sources: 50,
            max_holders: usual_holders(),
            max_postings: 64,
            guarantee: None,
            exclude_source: Vec::new(),
            label: Vec::new(),
            since: None,
            quick: None,
            quotes: false,
            base: Base::default(),
        }
    }
}

fn usual_holders() -> usize {
    16
}

/// The result of a search.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The documents that share a passage with the text, in the order of what each explains that no earlier one does
    /// ([`Source::added`]); of equals, those that share the most rare material in one place, then those that share the
    /// most in all, then by name. The variants of a source follow it.
    pub sources: Vec<Source>,
    /// The documents that share fingerprints with the text, in the same order, if the index does not keep texts and
    /// passages cannot be verified; `sources` is then empty.
    pub by_fingerprint: Vec<ByFingerprint>,
    /// The comparison of the text with its sources: submission 0 is the text.
    pub comparison: Comparison,
    /// The generation of the index that was searched; of several, of the first.
    pub generation: u64,
    /// The schemes by which that generation takes fingerprints, one for each kind of text.
    pub schemes: Vec<String>,
    /// Number of documents that may be sources.
    pub documents: u64,
    /// Number of documents that were not searched because another version of a front end has read them
    /// ([`Index::n_outdated`]).
    pub outdated: u64,
    /// Number of different fingerprints of the text, except those of boilerplate.
    pub fingerprints: u64,
    /// Number of them that were looked up.
    pub looked_up: u64,
    /// Number of these that some document holds.
    pub known: u64,
    /// Number of these that more documents of an index hold than [`Search::max_postings`].
    pub popular: u64,
    /// The places of the latter: stretches of the text that are in very many documents, ascending. Most of what these
    /// documents share with the text was not looked at.
    pub common: Vec<Common>,
    /// Number of documents that share a fingerprint with the text.
    pub candidates: u64,
    /// Number of them that the text was compared with.
    pub compared: u64,
    /// Number of documents with which a shared run may not have been found although it is rare
    /// ([`Index::n_unpromised`]).
    pub unpromised: u64,
    /// The indexes that were searched, in the order in which they were given; at least one.
    pub libraries: Vec<Library>,
}

/// An index that was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Library {
    /// Its folder, as it was given.
    #[serde(serialize_with = "shown")]
    pub folder: PathBuf,
    /// The generation that was searched.
    pub generation: u64,
    /// Number of documents of that generation that may be sources.
    pub documents: u64,
    /// Number of documents that were not searched because another version of a front end has read them
    /// ([`Index::n_outdated`]).
    pub outdated: u64,
    /// Number of documents with which a shared run may not have been found although it is rare
    /// ([`Index::n_unpromised`]).
    pub unpromised: u64,
}

/// Serializes a path by its name for people, since it need not be UTF-8.
fn shown<S: serde::Serializer>(path: &Path, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(&readable(path.as_os_str()))
}

/// A stretch of the text that is in very many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Common {
    /// The number of the text's file that it is in.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Number of its tokens.
    pub tokens: u64,
    /// Lower bound on the documents that hold each of its fingerprints.
    pub documents: u64,
}

/// A document that shares passages with the text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Source {
    /// The index's record of it.
    pub record: Record,
    /// The number of its index among those that were searched.
    pub library: usize,
    /// Number of the text's tokens that it has and no earlier source.
    pub added: u64,
    /// The number, in the answer, of an earlier source that has nearly the same tokens of the text: this one is a
    /// mirror or another version of it, or quotes the same.
    pub variant_of: Option<u32>,
    /// Bits of evidence by which documents are chosen: those of the best chain of shared fingerprints, near each other
    /// and in order in both, minus the bits for the length of the document. 0 if it is not more than chance.
    pub evidence: u64,
    /// Weight of all fingerprints that it shares with the text, by their rarity in the index. A fingerprint that one in
    /// a hundred documents holds weighs about 10.
    pub weight: u64,
    /// Number of these fingerprints.
    pub fingerprints: u64,
    /// Their estimate for the whole text, in a quick search.
    pub estimate: Option<Estimate>,
    /// Its number in the comparison's report, among the submissions.
    pub submission: u32,
    /// The passages that the two share.
    pub pair: report::Pair,
}

/// The documents that several texts are compared with.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SourceDocuments {
    /// The documents, in the order in which they were added.
    pub submissions: Vec<Submission>,
    /// Number of documents that share a fingerprint with some text, apart from boilerplate; more than those if the
    /// limits of the search leave some out.
    pub n_sharing: u64,
    /// True if there may be more: some fingerprint is in so many documents that only the first ones count.
    pub is_cut: bool,
}

/// Counts of a text's fingerprints in all indexes, for the answer.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) fingerprints: u64,
    pub(crate) looked_up: u64,
    pub(crate) known: u64,
    pub(crate) popular: u64,
    pub(crate) common: Vec<Common>,
}

/// The candidates of one index, and what is needed for the answer.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) candidates: Vec<Candidate>,
    /// Number of documents that hold each fingerprint that was looked up, in the order of `own`.
    n_holders: Vec<u64>,
    /// Fingerprints of the text, ascending.
    own: Vec<Fingerprint>,
    pub(crate) places: Places,
    /// Documents that are compared whatever their rank: they share a rare run, or are the best of a part of the text.
    pub(crate) added: BTreeSet<Place>,
}

fn is_same(x: &Fingerprint, y: &Fingerprint) -> bool {
    x.hash == y.hash
}

impl Found {
    /// Returns whether some fingerprint is in more documents than count.
    fn has_popular(&self, search: &Search) -> bool {
        self.n_holders.iter().any(|&n| n > search.max_postings)
    }

    /// Counts the fingerprints of a text that was looked up in several indexes.
    pub(crate) fn tally(all: &[Found], search: &Search, config: &Config) -> Result<Tally> {
        let Some(Found { own, places, n_holders, .. }) = all.first() else {
            return Ok(Tally::default());
        };
        let mut tally = Tally {
            fingerprints: own.chunk_by(is_same).count() as u64,
            looked_up: n_holders.len() as u64,
            ..Tally::default()
        };
        let mut places_of_all = Vec::new();
        for (i, own) in own.chunk_by(is_same).take(n_holders.len()).enumerate() {
            let n_holders = || all.iter().filter_map(|found| found.n_holders.get(i).copied());
            let popular = n_holders().filter(|&n| n > search.max_postings).max();
            tally.known += u64::from(n_holders().any(|n| n > 0));
            tally.popular += u64::from(popular.is_some());
            places_of_all.extend(own.iter().map(|own| (own.at as usize, popular)));
        }
        tally.common = stretches(places_of_all, places, config)?;
        Ok(tally)
    }

    /// Keeps the best sources, at most `max_sources`, and those that are added whatever their rank.
    pub(crate) fn choose(&mut self, max_sources: usize) {
        let mut n_left = max_sources;
        let added = &self.added;
        self.candidates.retain(|one| {
            let is_best = n_left > 0;
            n_left = n_left.saturating_sub(1);
            is_best || added.contains(&(one.segment, one.document))
        });
    }
}

/// Places of the documents that share something with some of several texts.
#[derive(Debug, Default)]
struct SharingPlaces {
    all: BTreeSet<Place>,
    /// Those that are compared.
    chosen: BTreeSet<Place>,
    is_cut: bool,
}

impl SharingPlaces {
    /// Adds the candidates for one text, as many of them as are compared.
    fn add(&mut self, mut found: Found, search: &Search) {
        self.all.extend(places_of(&found.candidates));
        self.is_cut |= found.has_popular(search);
        found.choose(search.max_sources);
        self.chosen.extend(places_of(&found.candidates));
    }

    fn merged(mut self, other: SharingPlaces) -> SharingPlaces {
        self.all.extend(other.all);
        self.chosen.extend(other.chosen);
        self.is_cut |= other.is_cut;
        self
    }
}

/// Returns the places of candidates.
pub(crate) fn places_of(candidates: &[Candidate]) -> impl Iterator<Item = Place> {
    candidates.iter().map(|found| (found.segment, found.document))
}

impl Answer {
    /// Returns the stretches of the text that are in sources, with these sources: ascending and disjoint.
    pub fn coverage(&self) -> Vec<Covered> {
        coverage(self.sources.iter().map(|source| &source.pair))
    }
}

impl Index {
    /// Returns the documents that share the most fingerprints with each of several texts, for a comparison with all of
    /// them: as many for each text as `search` allows, in the order in which they were added.
    ///
    /// # Errors
    /// As for [`Index::search`], and if the index does not keep texts, or has documents that another version of a front
    /// end has read.
    pub fn sources(
        &self,
        texts: &[&Submission],
        registry: &Registry,
        search: &Search,
        progress: &dyn Progress,
    ) -> Result<SourceDocuments> {
        let earlier = self.earlier(registry);
        let registry = earlier.as_ref().unwrap_or(registry);
        self.check_current(registry)?;
        if self.keep() == Keep::Fingerprints {
            let folder = self.folder().display();
            return Err(Error::input(format!(
                "index `{folder}` keeps fingerprints and no texts, which a comparison needs; search in it instead"
            )));
        }
        let config = self.config_for(search.guarantee)?;
        let chosen = search.filters(&[self], registry)?.remove(0);
        progress.begin("looking up", texts.len() as u64);
        // A document that is a source of several texts is read once.
        let found = texts.par_iter().map(|text| {
            progress.check()?;
            let found = self.candidates(text, registry, &config, search, &chosen)?;
            progress.advance();
            Ok(found)
        });
        let sharing = found
            .try_fold(SharingPlaces::default, |mut sharing, found: Result<Found>| {
                sharing.add(found?, search);
                Ok(sharing)
            })
            .try_reduce(SharingPlaces::default, |one, other| Ok::<_, Error>(one.merged(other)))?;
        let chosen: Vec<Place> = sharing.chosen.into_iter().collect();
        let submissions = self.texts(&chosen, progress)?.1;
        let n_sharing = sharing.all.len() as u64;
        Ok(SourceDocuments { submissions, n_sharing, is_cut: sharing.is_cut })
    }

    /// Makes boilerplate of some texts, for searches in this index.
    ///
    /// # Errors
    /// If a text cannot be read in the language of the index.
    pub fn base(&self, submissions: Vec<Submission>, registry: &Registry) -> Result<Base> {
        let earlier = self.earlier(registry);
        let registry = earlier.as_ref().unwrap_or(registry);
        // All grams count, so that boilerplate is recognised around an edit, too.
        let config =
            self.config().clone().with(|config| config.fingerprints.select = Some(Selector::All));
        let mut base = Base::default();
        for submission in submissions {
            let read = fingerprinted(&submission, registry, &config)?;
            base.grams.extend(read.fingerprints.iter().map(|gram| gram.hash));
            base.submissions.push(Submission { role: Role::Base, ..submission });
        }
        base.grams.sort_unstable();
        base.grams.dedup();
        Ok(base)
    }

    /// Returns the matches of the best candidates by fingerprints alone.
    pub(crate) fn by_fingerprint(
        &self,
        found: &Found,
        config: &Config,
        search: &Search,
        chosen: &SourceFilter,
    ) -> Result<Vec<ByFingerprint>> {
        let best: BTreeMap<(usize, u32), usize> = (found.candidates.iter().enumerate())
            .map(|(i, candidate)| ((candidate.segment, candidate.document), i))
            .collect();
        let mut met = vec![Vec::new(); best.len()];
        let mut postings = Vec::new();
        // Postings are looked up again, since ranking has kept only a few places of each fingerprint.
        for own in found.own.chunk_by(|x, y| x.hash == y.hash) {
            let mut take = |number: usize, postings: &[Posting]| {
                for theirs in postings.chunk_by(|x, y| x.document == y.document) {
                    if let Some(&i) = best.get(&(number, theirs[0].document)) {
                        by_fingerprint::meet(own.iter().map(|own| own.at), theirs, &mut met[i]);
                    }
                }
            };
            self.holders(own[0].hash, search, chosen, &mut postings, &mut take)?;
        }
        let mut all = Vec::with_capacity(best.len());
        for (candidate, met) in found.candidates.iter().zip(met) {
            let record = self.segments[candidate.segment].record(candidate.document)?;
            let (runs, tokens) = by_fingerprint::runs(met, &found.places, config)?;
            let (evidence, weight) = (candidate.evidence(), candidate.weight());
            let fingerprints = candidate.fingerprints;
            all.push((
                (candidate.rank(), Reverse(tokens)),
                ByFingerprint { record, library: 0, evidence, weight, fingerprints, tokens, runs },
            ));
        }
        all.sort_by(|(x, one), (y, other)| {
            x.cmp(y).then_with(|| one.record.name.cmp(&other.record.name))
        });
        Ok(all.into_iter().map(|(_, one)| one).collect())
    }

    /// Passes the postings of a fingerprint to `take`, segment by segment, for as many documents as a search looks at.
    /// Returns the number of documents that hold it: exact up to this limit; beyond it, removed and unwanted documents
    /// are included.
    fn holders(
        &self,
        hash: u64,
        search: &Search,
        chosen: &SourceFilter,
        postings: &mut Vec<Posting>,
        take: &mut dyn FnMut(usize, &[Posting]),
    ) -> Result<u64> {
        let (mut n_taken, mut n_holders) = (0, 0);
        let hash = self.sealed(hash)?;
        for (number, segment) in self.segments.iter().enumerate() {
            if !chosen.has_any(number) {
                continue;
            }
            let room = search.max_postings - n_taken;
            let wanted = |document| chosen.has(number, document);
            let n = segment.find(hash, room, wanted, postings)?;
            let n_own = postings.chunk_by(|x, y| x.document == y.document).count() as u64;
            take(number, postings);
            n_taken += n_own;
            // If there was room for all, all were read, and removed ones were left out.
            n_holders += if n <= room { n_own } else { n };
        }
        Ok(n_holders)
    }

    /// Returns the records and the texts of documents. Records are in the order of `places`, and texts in that of the
    /// disk.
    pub(crate) fn texts(
        &self,
        places: &[(usize, u32)],
        progress: &dyn Progress,
    ) -> Result<(Vec<Record>, Vec<Submission>)> {
        let (mut records, mut submissions) = (vec![None; places.len()], Vec::new());
        // Read in the order of the disk, so that a frame shared by several documents is unpacked once.
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|&i| places[i]);
        for own in order.chunk_by(|&i, &j| places[i].0 == places[j].0) {
            let segment = &self.segments[places[own[0]].0];
            let mut last = LastFrame::default();
            for &i in own {
                progress.check()?;
                let record = segment.record(places[i].1)?;
                submissions.push(segment.submission(&record, &mut last)?);
                records[i] = Some(record);
            }
        }
        Ok((records.into_iter().flatten().collect(), submissions))
    }

    /// Returns the index's configuration with a guarantee of at least `guarantee`.
    pub(crate) fn config_for(&self, guarantee: Option<u32>) -> Result<Config> {
        let mut config = self.config().clone();
        let Some(wanted) = guarantee else { return Ok(config) };
        let mut lowest = u32::MAX;
        for kind in [Kind::Code, Kind::Words, Kind::Chars] {
            let recipe = self.config().recipe(kind)?;
            if !matches!(recipe.selector, Selector::Winnow | Selector::Roc { .. }) {
                return Err(Error::setting(message![
                    (
                        "the index's fingerprints are chosen by `{}`, and a search in it cannot have a ",
                        recipe.selector
                    ),
                    Setting("guarantee"),
                    " of its own; leave it out"
                ]));
            }
            let known = recipe.thresholds.guarantee() as u32;
            let mut own = config.fingerprints.of_kind(kind);
            // Kinds with a higher guarantee keep it.
            own.guarantee = Some(known.max(wanted));
            config.fingerprints.set_kind(kind, own);
            lowest = lowest.min(known);
        }
        if wanted < lowest {
            return Err(Error::setting(message![
                Setting("guarantee"),
                " {wanted} is below that of the index, {lowest} tokens or more; raise it, or build an index with a lower \
                 one"
            ]));
        }
        Ok(config)
    }

    /// Finds the documents that share fingerprints with a text, best first.
    pub(crate) fn candidates(
        &self,
        text: &Submission,
        registry: &Registry,
        config: &Config,
        search: &Search,
        chosen: &SourceFilter,
    ) -> Result<Found> {
        // The layout is that of the index, even if this search has a higher guarantee.
        let layout = |kind| self.layout(kind);
        let (read, around, places) = fingerprinted_around(text, registry, config, &layout)?;
        let mut fingerprints = read.fingerprints;
        fingerprints.retain(|own| search.base.grams.binary_search(&own.hash).is_err());
        fingerprints.sort_unstable();
        let mut found = Found::default();
        let (mut shares, mut postings) = (Shares::default(), Vec::new());
        let most = search.quick.unwrap_or(usize::MAX);
        let may_add = search.quick.is_none() && search.max_sources > 0 && search.max_holders > 0;
        if may_add {
            let text = Text { fingerprints: &fingerprints, around: &around, places: &places };
            found.added = self.rare_holders(&text, config, search.max_holders, chosen)?;
        }
        for own in fingerprints.chunk_by(is_same).take(most) {
            let mut last = Vec::with_capacity(self.segments.len());
            let mut take = |number: usize, postings: &[Posting]| {
                last.push((number, postings.last().map(|last| last.document)));
                shares.add(own, number, postings);
            };
            let n_holders = self.holders(own[0].hash, search, chosen, &mut postings, &mut take)?;
            found.n_holders.push(n_holders);
            if n_holders > search.max_postings {
                self.add_rare(own, &last, &found.added, &mut shares)?;
            }
            // Removed documents may be among the holders.
            let n_documents = chosen.n_documents.max(n_holders);
            shares.weigh(n_holders as usize, n_documents as usize);
        }
        (found.own, found.places) = (fingerprints, places);
        let n_tokens =
            |segment: usize, document| Ok(self.segments[segment].record(document)?.tokens);
        let mut ranked = shares.ranked(n_tokens)?;
        if may_add {
            let of_parts = ranked.best_of_parts(&found.added, n_tokens)?;
            found.added.extend(of_parts);
        }
        found.candidates = ranked.candidates;
        Ok(found)
    }

    /// Adds to `shares` the documents that share a rare run and hold a popular fingerprint of the text, if they come
    /// after the last document of their segment that was added.
    fn add_rare(
        &self,
        own: &[Fingerprint],
        last: &[(usize, Option<u32>)],
        rare: &BTreeSet<Place>,
        shares: &mut Shares,
    ) -> Result<()> {
        let (hash, mut postings) = (self.sealed(own[0].hash)?, Vec::new());
        for &(number, last) in last {
            let first = last.map_or(0, |last| last.saturating_add(1));
            if rare.range((number, first)..(number + 1, 0)).next().is_none() {
                continue;
            }
            let wanted = |document| document >= first && rare.contains(&(number, document));
            self.segments[number].find(hash, u64::MAX, wanted, &mut postings)?;
            shares.add(own, number, &postings);
        }
        Ok(())
    }
}

/// Returns the stretches of a text in which all fingerprints are popular, from the first to the end of the last.
/// `fingerprints` has the places of all, and the number of documents that hold the popular ones.
fn stretches(
    mut fingerprints: Vec<(usize, Option<u64>)>,
    places: &Places,
    config: &Config,
) -> Result<Vec<Common>> {
    fingerprints.sort_unstable();
    let mut stretches: Vec<(Range<usize>, u64)> = Vec::new();
    let mut is_in_one = false;
    for (at, holders) in fingerprints {
        let was_in_one = std::mem::replace(&mut is_in_one, holders.is_some());
        let (Some(documents), Some(kind)) = (holders, places.kind(at)) else { continue };
        let end = at + config.recipe(kind)?.thresholds.noise();
        match stretches.last_mut() {
            Some((last, least)) if was_in_one && places.bytes(last.start..end).is_some() => {
                (last.end, *least) = (end, documents.min(*least));
            }
            _ => stretches.push((at..end, documents)),
        }
    }
    let stretches = stretches.into_iter().filter_map(|(tokens, documents)| {
        let (file, Span { start, end }) = places.bytes(tokens.clone())?;
        let tokens = tokens.len() as u64;
        Some(Common { file: file as u32, start, end, tokens, documents })
    });
    Ok(stretches.collect())
}
