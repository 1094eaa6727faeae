//! Segments as one: what was removed is left out, the rest keeps its order.
//!
//! Segments are merged as they come ([`generation::n_to_merge`]).

use std::collections::BTreeMap;
use std::io;

use fanmill::Result;
use fanmill::index::Posting;
use fanmill::scheme::Scheme;
use fanmill_source::segments::generation;
use fanmill_source::segments::pages::Failure;

use crate::record::Record;
use crate::segment::{Contents, Segment};
use crate::texts::{LastFrame, Texts};

/// Bytes of a segment of the lowest size.
const LOWEST: u64 = 1 << 20;
/// Most segments of an index: each costs a look-up of every fingerprint of a search.
const MOST_SEGMENTS: usize = 12;

/// Bytes of texts that are copied as they are packed. The last frame of smaller ones is a larger part of them, and packs
/// worse than a full one.
const WORTH_COPYING: u64 = 1 << 20;

/// How many of the newest segments are to be merged, given the sizes of all, oldest first.
pub(crate) fn n_to_merge(sizes: &[u64]) -> usize {
    generation::n_to_merge(sizes, LOWEST, MOST_SEGMENTS)
}

/// What several segments hold together.
pub(crate) struct Merged<'a> {
    parts: Vec<Part<'a>>,
    n_documents: u32,
}

struct Part<'a> {
    segment: &'a Segment,
    /// The number of its first document in the new segment.
    first: u32,
    /// Its documents that were not removed.
    live: Vec<u32>,
    last: LastFrame,
}

impl<'a> Merged<'a> {
    /// # Errors
    /// If they have 2^32 documents or more.
    pub(crate) fn new(segments: Vec<&'a Segment>) -> Result<Merged<'a>> {
        let (mut parts, mut n_documents) = (Vec::with_capacity(segments.len()), 0_u32);
        for segment in segments {
            let live: Vec<u32> = segment.live().collect();
            let first = n_documents;
            n_documents = n_documents.checked_add(live.len() as u32).ok_or_else(|| {
                fanmill::Error::input(
                    "a segment holds less than 2^32 documents; begin another index",
                )
            })?;
            parts.push(Part { segment, first, live, last: LastFrame::default() });
        }
        Ok(Merged { parts, n_documents })
    }

    /// The schemes of all parts, one a kind of text.
    pub(crate) fn schemes(&self) -> Result<Vec<String>> {
        let mut of_kinds = BTreeMap::new();
        for part in &self.parts {
            for (scheme, recipe) in part.segment.schemes.iter().zip(part.segment.recipes()?) {
                let kind: &mut (Option<_>, Vec<_>) = of_kinds.entry(recipe.kind).or_default();
                kind.0 = Some(recipe);
                kind.1.extend(scheme.front_ends().iter().cloned());
            }
        }
        let schemes = of_kinds.into_values().filter_map(|(recipe, front_ends)| {
            let scheme: Scheme = recipe?.scheme(front_ends);
            Some(scheme.to_string())
        });
        Ok(schemes.collect())
    }

    /// The part that has a document, and its number there.
    fn part(&mut self, document: u32) -> (&mut Part<'a>, u32) {
        let part = self.parts.partition_point(|part| part.first <= document) - 1;
        let part = &mut self.parts[part];
        let number = part.live[(document - part.first) as usize];
        (part, number)
    }
}

impl Contents for Merged<'_> {
    fn n_documents(&self) -> u32 {
        self.n_documents
    }

    fn record(&mut self, document: u32) -> Result<Record> {
        let (part, number) = self.part(document);
        part.segment.record(number)
    }

    fn text(&mut self, document: u32, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        let (part, number) = self.part(document);
        let record = part.segment.record(number)?;
        part.segment.text(&record, &mut part.last, bytes)
    }

    fn packed(&self, document: u32) -> Option<(u32, &Texts)> {
        let part = self.parts.iter().find(|part| part.first == document)?;
        let texts = part.segment.texts.as_ref().filter(|texts| texts.n_bytes() >= WORTH_COPYING)?;
        // What was removed is to leave the disk.
        let is_whole = part.live.len() == part.segment.entry.documents as usize;
        is_whole.then_some((part.live.len() as u32, texts))
    }

    fn fingerprints(
        &mut self,
        take: &mut dyn FnMut(u64, &[Posting]) -> io::Result<()>,
    ) -> std::result::Result<(), Failure> {
        let mut cursors: Vec<_> = self.parts.iter().map(|part| part.segment.cursor()).collect();
        let mut postings = Vec::new();
        loop {
            let mut lowest = None;
            for cursor in &mut cursors {
                let hash = cursor.peek()?.map(|(hash, _)| hash);
                lowest = lowest.into_iter().chain(hash).min();
            }
            let Some(hash) = lowest else { return Ok(()) };
            postings.clear();
            for (part, cursor) in self.parts.iter().zip(&mut cursors) {
                let Some((_, own)) = cursor.peek()?.filter(|own| own.0 == hash) else { continue };
                // Ascending, as both the parts and the documents of each are.
                postings.extend(own.iter().filter_map(|posting| {
                    let number = part.live.binary_search(&posting.document).ok()?;
                    Some(Posting { document: part.first + number as u32, at: posting.at })
                }));
                cursor.advance();
            }
            if !postings.is_empty() {
                take(hash, &postings)?;
            }
        }
    }
}
