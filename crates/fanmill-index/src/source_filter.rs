//! The choice of documents that a search may take as sources. It leaves out those that are excluded by name, belong to
//! other groups, or were handed in too early.

use std::collections::BTreeSet;

use fanmill_text::frontend::Registry;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use crate::facts::day;
use crate::snapshot::Index;

/// The documents that may be sources.
#[derive(Debug)]
pub(crate) struct SourceFilter {
    /// For each segment, true if its documents were read in the way that texts are read now.
    current: Vec<bool>,
    left_out: BTreeSet<(usize, u32)>,
    /// For each segment and document, true if its group and its day are wanted; `None` if all are.
    wanted: Option<Vec<Vec<bool>>>,
    pub(crate) n_documents: u64,
}

impl SourceFilter {
    /// Finds the documents of an index that may be sources.
    ///
    /// # Errors
    /// If the day is malformed, or a file is damaged or cannot be read.
    pub(crate) fn new(
        index: &Index,
        registry: &Registry,
        left_out: BTreeSet<(usize, u32)>,
        groups: &[String],
        since: Option<&str>,
    ) -> Result<SourceFilter> {
        let current: Vec<bool> =
            index.segments.iter().map(|segment| segment.is_current(registry)).collect();
        // Without groups and a day, documents can be counted without reading their facts.
        if groups.is_empty() && since.is_none() {
            let n_left_out = left_out.iter().filter(|(segment, _)| current[*segment]).count();
            let n_documents = index.n_documents() - index.n_outdated(registry) - n_left_out as u64;
            return Ok(SourceFilter { current, left_out, wanted: None, n_documents });
        }
        let first = match since {
            None => 0,
            Some(since) => day(since).filter(|_| since.len() == 10).ok_or_else(|| {
                let setting = Setting("since");
                Error::setting(message![
                    setting,
                    " is `{since}`, which is not a day; write it as 2026-03-01"
                ])
            })?,
        };
        let facts = index.facts()?;
        let groups: Option<Vec<u32>> = (!groups.is_empty())
            .then(|| groups.iter().filter_map(|group| facts.numbers.get(group).copied()).collect());
        let is_wanted = |&(group, day): &(u32, u32)| {
            groups.as_ref().is_none_or(|groups| groups.contains(&group)) && day >= first
        };
        let wanted: Vec<Vec<bool>> =
            facts.documents.iter().map(|own| own.iter().map(is_wanted).collect()).collect();
        let mut chosen = SourceFilter { current, left_out, wanted: Some(wanted), n_documents: 0 };
        let all = index.segments.iter().enumerate();
        let n = all.map(|(i, segment)| segment.live().filter(|&n| chosen.has(i, n)).count() as u64);
        chosen.n_documents = n.sum();
        Ok(chosen)
    }

    /// Returns whether documents of this segment may be among them.
    pub(crate) fn has_any(&self, segment: usize) -> bool {
        self.current[segment]
    }

    /// Returns whether this document of the segment is one of them.
    pub(crate) fn has(&self, segment: usize, document: u32) -> bool {
        let is_wanted = |all: &Vec<Vec<bool>>| all[segment][document as usize];
        self.has_any(segment)
            && self.wanted.as_ref().is_none_or(is_wanted)
            && !self.left_out.contains(&(segment, document))
    }
}

/// Returns the places of documents that are left out by name, in each of several indexes.
///
/// # Errors
/// If a name is in none of them, or a file is damaged or cannot be read.
pub(crate) fn places_of_names(
    libraries: &[&Index],
    names: &[String],
) -> Result<Vec<BTreeSet<(usize, u32)>>> {
    let mut places = vec![BTreeSet::new(); libraries.len()];
    for name in names {
        let mut is_known = false;
        for (own, index) in places.iter_mut().zip(libraries) {
            if let Some((segment, document, _)) = index.find(name)? {
                own.insert((segment, document));
                is_known = true;
            }
        }
        if !is_known {
            return Err(Error::input(format!(
                "the index has no document `{name}` that could be left out"
            )));
        }
    }
    Ok(places)
}
