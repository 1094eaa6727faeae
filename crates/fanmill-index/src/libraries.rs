//! Libraries: several indexes, searched as one.
//!
//! Candidates are found in each index by its own rarities, and the best of all are compared with the text together: so
//! one comparison tells what of the text they explain, whichever index they are from, and one report shows it. All
//! must take the same fingerprints.
//!
//! Sources are ordered by what each explains that no earlier one does ([`cover`](crate::cover)).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fanmill::pipeline::{Config, Places, compare};
use fanmill::report;
use fanmill_text::document::{Corpus, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};

use crate::by_fingerprint::ByFingerprint;
use crate::cover::{Stretch, cover};
use crate::coverage::{Covered, coverage};
use crate::estimate::Estimate;
use crate::evidence::Candidate;
use crate::keep::Keep;
use crate::record::Record;
use crate::search::{Answer, Found, Library, Search, Source, places_of};
use crate::snapshot::Index;
use crate::source_filter::SourceFilter;

impl Index {
    /// Finds the documents that share passages with a text, and the passages.
    ///
    /// # Errors
    /// As for [`search_libraries`].
    pub fn search(
        &self,
        text: Submission,
        registry: &Registry,
        search: &Search,
        progress: &dyn Progress,
    ) -> Result<Answer> {
        search_libraries(&[self], text, registry, search, progress)
    }
}

/// Finds the documents of several indexes that share passages with a text, and the passages. Of several indexes, only
/// documents are searched that the front ends of `registry` would read in the same way.
///
/// # Errors
/// If there is no index, two take different fingerprints, an excluded document is in none of them, [`Search::since`] is
/// not a day, a file is damaged or cannot be read, or the run is cancelled.
pub fn search_libraries(
    libraries: &[&Index],
    text: Submission,
    registry: &Registry,
    search: &Search,
    progress: &dyn Progress,
) -> Result<Answer> {
    let [first, others @ ..] = libraries else {
        return Err(Error::setting("there is no index to search in; give one"));
    };
    others.iter().try_for_each(|other| first.check_alike(other))?;
    let earlier = if others.is_empty() { first.earlier(registry) } else { None };
    let registry = earlier.as_ref().unwrap_or(registry);
    let text = Submission { role: Role::New, ..text };
    let mut config = first.config_for(search.guarantee)?;
    let filters = search.filters(libraries, registry)?;
    let found = libraries.iter().zip(&filters);
    let found =
        found.map(|(index, filter)| index.candidates(&text, registry, &config, search, filter));
    let mut found: Vec<Found> = found.collect::<Result<_>>()?;
    let n_candidates = found.iter().map(|own| own.candidates.len() as u64).sum();
    choose(&mut found, search.max_sources);
    let compared = found.iter().map(|own| own.candidates.len() as u64).sum();
    let given = Given::read(libraries, &found, &filters, (search, &config), progress)?;
    let (records, by_fingerprint, names) = (given.records, given.by_fingerprint, given.names);
    let corpus = corpus(text, given.submissions, search);
    (config.max_pairs, config.quotes) = (records.len(), search.quotes);
    config.sources_are_chosen = true;
    let comparison = compare(corpus, registry, &config, progress)?;
    let tally = Found::tally(&found, search, &config)?;
    let estimate = |n_held: u64, own: u64, other: u64| {
        let (n_asked, n_all) = (tally.looked_up, tally.fingerprints);
        search.quick.map(|_| Estimate::new(n_held, n_asked, n_all, own, other))
    };
    let sources = with_passages(records, &names, &comparison.report, &estimate);
    let own = comparison.report.submissions.first().map_or(&[][..], |text| &text.files);
    let sources = covering(sources, found.first().map(|own| &own.places), own);
    let libraries = libraries.iter().zip(&filters);
    let libraries: Vec<Library> =
        libraries.map(|(index, filter)| index.as_library(filter, registry)).collect();
    let sum = |of: fn(&Library) -> u64| libraries.iter().map(of).sum();
    Ok(Answer {
        sources,
        by_fingerprint: best_first(by_fingerprint),
        comparison,
        generation: first.generation(),
        schemes: first.manifest.schemes.clone(),
        documents: sum(|own| own.documents),
        outdated: sum(|own| own.outdated),
        fingerprints: tally.fingerprints,
        looked_up: tally.looked_up,
        known: tally.known,
        popular: tally.popular,
        common: tally.common,
        candidates: n_candidates,
        compared,
        unpromised: sum(|own| own.unpromised),
        libraries,
    })
}

impl Index {
    /// Describes the documents that may be sources.
    fn as_library(&self, filter: &SourceFilter, registry: &Registry) -> Library {
        Library {
            folder: self.folder().to_owned(),
            generation: self.generation(),
            documents: filter.n_documents,
            outdated: self.n_outdated(registry),
            unpromised: self.n_unpromised(),
        }
    }

    /// Checks that another index takes the same fingerprints.
    fn check_alike(&self, other: &Index) -> Result<()> {
        let (own, theirs) = (&self.manifest, &other.manifest);
        if own.schemes == theirs.schemes && own.language == theirs.language {
            return Ok(());
        }
        let said = |index: &Index| {
            let language = index.manifest.language.as_deref().unwrap_or("any");
            format!(
                "`{}` takes `{}` (language: {language})",
                index.folder().display(),
                index.manifest.schemes.join("`, `")
            )
        };
        Err(Error::input(format!(
            "indexes that take different fingerprints cannot be searched as one: {}, and {}; search in one after the \
             other",
            said(self),
            said(other)
        )))
    }
}

/// Keeps the best sources of all indexes, at most `max_sources`, and those that are added whatever their rank.
fn choose(found: &mut [Found], max_sources: usize) {
    for own in found.iter_mut() {
        own.choose(max_sources);
    }
    if found.len() < 2 {
        return;
    }
    let all = found.iter().enumerate();
    let mut best: Vec<_> = all
        .flat_map(|(library, own)| own.candidates.iter().map(move |one| (one.rank(), library, one)))
        .map(|(rank, library, one)| (rank, library, (one.segment, one.document)))
        .collect();
    best.sort();
    let best: BTreeSet<_> =
        best.into_iter().take(max_sources).map(|(_, library, place)| (library, place)).collect();
    for (library, own) in found.iter_mut().enumerate() {
        let added = &own.added;
        own.candidates.retain(|one| {
            let place = (one.segment, one.document);
            best.contains(&(library, place)) || added.contains(&place)
        });
    }
}

/// The documents that the text is compared with.
#[derive(Default)]
struct Given {
    /// The records, each with the number of its index and what was found of it.
    records: Vec<(usize, Record, Candidate)>,
    /// The documents, called by names that no two of them have.
    submissions: Vec<Submission>,
    /// These names, by index and own name, where they differ from the own ones.
    names: BTreeMap<(usize, String), String>,
    used: BTreeSet<String>,
    by_fingerprint: Vec<ByFingerprint>,
}

impl Given {
    /// Reads the chosen documents of all indexes; where no texts are kept, what is known by fingerprints.
    fn read(
        libraries: &[&Index],
        found: &[Found],
        filters: &[SourceFilter],
        (search, config): (&Search, &Config),
        progress: &dyn Progress,
    ) -> Result<Given> {
        let mut given = Given::default();
        for (number, (index, own)) in libraries.iter().zip(found).enumerate() {
            match index.keep() {
                Keep::Everything => given.add(number, index, own, progress)?,
                Keep::Fingerprints => {
                    let own = index.by_fingerprint(own, config, search, &filters[number])?;
                    given.by_fingerprint.extend(own.into_iter().map(|own| own.in_library(number)));
                }
            }
        }
        Ok(given)
    }

    /// Reads the chosen documents of an index.
    fn add(
        &mut self,
        number: usize,
        index: &Index,
        found: &Found,
        progress: &dyn Progress,
    ) -> Result<()> {
        let places: Vec<_> = places_of(&found.candidates).collect();
        let (records, submissions) = index.texts(&places, progress)?;
        let with_candidates = records.into_iter().zip(found.candidates.iter().copied());
        self.records.extend(with_candidates.map(|(record, one)| (number, record, one)));
        for mut submission in submissions {
            let own = submission.name.clone();
            let mut n = 2;
            while !self.used.insert(submission.name.clone()) {
                submission.name = format!("{own} ({n})");
                n += 1;
            }
            if submission.name != own {
                self.names.insert((number, own), submission.name.clone());
            }
            self.submissions.push(submission);
        }
        Ok(())
    }
}

/// Puts the text, its sources and boilerplate in order. The report numbers submissions in this order: the text, the
/// sources by name, boilerplate.
fn corpus(text: Submission, mut sources: Vec<Submission>, search: &Search) -> Corpus {
    sources.sort_by(|x, y| x.name.cmp(&y.name));
    let mut submissions = vec![text];
    submissions.append(&mut sources);
    submissions.extend(search.base.submissions().iter().cloned());
    Corpus { submissions, ..Corpus::default() }
}

/// Sorts the documents of several indexes by their evidence; those of one already are.
fn best_first(mut found: Vec<ByFingerprint>) -> Vec<ByFingerprint> {
    found.sort_by_key(|one| Reverse((one.evidence, one.weight)));
    found
}

/// Returns the sources that share a passage with the text, best first.
fn with_passages(
    sources: Vec<(usize, Record, Candidate)>,
    names: &BTreeMap<(usize, String), String>,
    report: &report::Report,
    estimate: &dyn Fn(u64, u64, u64) -> Option<Estimate>,
) -> Vec<Source> {
    let own_tokens = report.submissions.first().map_or(0, |text| text.tokens);
    let mut pairs: BTreeMap<u32, &report::Pair> = BTreeMap::new();
    for pair in report.pairs.iter().filter(|pair| pair.a == 0) {
        pairs.entry(pair.b).or_insert(pair);
    }
    let of_source = |(library, record, candidate): (usize, Record, Candidate)| {
        let key = (library, record.name);
        let name = names.get(&key).unwrap_or(&key.1);
        // The text comes first, then the sources by name.
        let own = report.submissions.get(1..)?;
        let number = own.binary_search_by(|known| known.name.cmp(name)).ok()? as u32 + 1;
        let record = Record { name: key.1, ..record };
        let pair: report::Pair = (*pairs.get(&number)?).clone();
        let (evidence, weight) = (candidate.evidence(), candidate.weight());
        let fingerprints = candidate.fingerprints;
        let estimate = estimate(fingerprints, own_tokens, record.tokens);
        let key = (candidate.rank(), Reverse(pair.matched));
        let source = Source {
            record,
            library,
            added: 0,
            variant_of: None,
            evidence,
            weight,
            fingerprints,
            estimate,
            submission: number,
            pair,
        };
        Some((key, source))
    };
    let mut sources: Vec<_> = sources.into_iter().filter_map(of_source).collect();
    sources.sort_by(|(x, one), (y, other)| {
        x.cmp(y).then_with(|| one.record.name.cmp(&other.record.name))
    });
    sources.into_iter().map(|(_, source)| source).collect()
}

/// Returns the number of tokens of a stretch that are not boilerplate.
fn n_counted(stretch: &Covered, places: &Places, files: &[report::File]) -> u64 {
    let Covered { file, start, end, .. } = *stretch;
    let count = |start, end| places.count(file as usize, start..end);
    let spans = files.get(file as usize).map_or(&[][..], |file| &file.boilerplate);
    let inside = spans.iter().filter(|span| span.start < end && start < span.end);
    let apart: u64 = inside.map(|span| count(span.start.max(start), span.end.min(end))).sum();
    count(start, end).saturating_sub(apart)
}

/// Orders sources by what each explains that no earlier one does, each followed by its variants. `places` are those of
/// the text's tokens; those of boilerplate in its files do not count, as in a pair.
fn covering(sources: Vec<Source>, places: Option<&Places>, files: &[report::File]) -> Vec<Source> {
    let Some(places) = places else { return sources };
    let stretches = coverage(sources.iter().map(|source| &source.pair)).into_iter();
    let stretches = stretches
        .map(|own| Stretch { tokens: n_counted(&own, places, files), sources: own.sources });
    let order = cover(sources.len() as u32, &stretches.collect::<Vec<_>>());
    let mut sources: Vec<Option<Source>> = sources.into_iter().map(Some).collect();
    let mut ordered: Vec<Source> = Vec::with_capacity(sources.len());
    for chosen in order {
        let head = ordered.len() as u32;
        for number in [chosen.source].into_iter().chain(chosen.variants) {
            let Some(mut source) = sources[number as usize].take() else { continue };
            if ordered.len() as u32 == head {
                source.added = chosen.added;
            } else {
                source.variant_of = Some(head);
            }
            ordered.push(source);
        }
    }
    ordered
}
