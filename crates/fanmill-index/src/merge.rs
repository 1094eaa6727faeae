//! Merging segments: removed documents are left out, and the rest keep their order.
//!
//! Segments are merged as documents are added ([`Merging::n_to_merge`]).

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap};

use fanmill::index::Posting;
use fanmill::surroundings::{Detail, Surroundings};
use fanmill_disk::segments::generation::Merging;
use fanmill_text::Result;
use fanmill_text::scheme::Scheme;

use crate::record::Record;
use crate::segment::{Contents, Segment, TakePostings, Text, WriteResult};
use crate::table::Entry;
use crate::texts::LastFrame;

/// Maximum size of a segment in the lowest class of sizes, in bytes.
const LOWEST: u64 = 1 << 20;

/// The rule for the segments of an index. Each costs a look-up of every fingerprint of a search.
pub(crate) const MERGING: Merging = Merging { lowest: LOWEST, tier: 4, most: 12 };

/// The rule for segments that are not committed yet. No search looks into them, so many are merged at once, and their
/// contents are written fewer times.
pub(crate) const FRESH_MERGING: Merging = Merging { lowest: LOWEST, tier: 32, most: usize::MAX };

/// Minimum size of texts that are copied in packed form, in bytes. The last frame is a larger part of shorter texts,
/// and packs worse than a full one.
const WORTH_COPYING: u64 = 1 << 20;

/// The combined contents of several segments.
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
}

impl Part<'_> {
    /// Returns whether no document was removed, so that documents keep their numbers.
    fn is_whole(&self) -> bool {
        self.live.len() == self.segment.entry.documents as usize
    }

    /// Adds what an entry has of documents that were not removed, numbered as in the new segment. Postings ascend, since
    /// parts do, and documents do in each part.
    fn take(
        &self,
        own: Entry<'_>,
        has_surroundings: bool,
        postings: &mut Vec<Posting>,
        around: &mut Vec<Surroundings>,
    ) {
        for (number, &Posting { document, at }) in own.postings.iter().enumerate() {
            let Some(document) = self.number(document) else { continue };
            postings.push(Posting { document: self.first + document, at });
            around.extend(own.around.get(number).filter(|_| has_surroundings));
        }
    }

    /// Returns the number of a document among those that were not removed; `None` if it was removed.
    fn number(&self, document: u32) -> Option<u32> {
        if self.is_whole() {
            (document < self.live.len() as u32).then_some(document)
        } else {
            self.live.binary_search(&document).ok().map(|place| place as u32)
        }
    }
}

impl<'a> Merged<'a> {
    /// Combines segments, in this order.
    ///
    /// # Errors
    /// If they have 2^32 documents or more.
    pub(crate) fn new(segments: Vec<&'a Segment>) -> Result<Merged<'a>> {
        let (mut parts, mut n_documents) = (Vec::with_capacity(segments.len()), 0_u32);
        for segment in segments {
            let live: Vec<u32> = segment.live().collect();
            let first = n_documents;
            n_documents = n_documents.checked_add(live.len() as u32).ok_or_else(|| {
                fanmill_text::Error::input(
                    "a segment holds less than 2^32 documents; begin another index",
                )
            })?;
            parts.push(Part { segment, first, live });
        }
        Ok(Merged { parts, n_documents })
    }

    /// Returns the schemes of all parts, one for each kind of text.
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
}

impl Contents for Merged<'_> {
    fn n_documents(&self) -> u32 {
        self.n_documents
    }

    fn records(&self, take: &mut dyn FnMut(Record) -> WriteResult) -> WriteResult {
        for part in &self.parts {
            let mut records = part.segment.records();
            for &number in &part.live {
                take(records.get(number)?)?;
            }
        }
        Ok(())
    }

    fn texts(&self, take: &mut dyn FnMut(Text<'_>) -> WriteResult) -> WriteResult {
        let mut bytes = Vec::new();
        for part in &self.parts {
            let texts = part.segment.texts.as_ref();
            // Copied frames would keep removed texts on the disk.
            let is_copied = part.is_whole() && !part.live.is_empty();
            if let Some(texts) = texts.filter(|texts| is_copied && texts.n_bytes() >= WORTH_COPYING)
            {
                take(Text::Packed(part.live.len() as u32, texts))?;
                continue;
            }
            let (mut records, mut last) = (part.segment.records(), LastFrame::default());
            for &number in &part.live {
                bytes.clear();
                part.segment.text(&records.get(number)?, &mut last, &mut bytes)?;
                take(Text::Of(&bytes))?;
            }
        }
        Ok(())
    }

    fn surroundings(&self) -> Option<Detail> {
        let mut own = self.parts.iter().map(|part| part.segment.surroundings());
        let first = own.next()?;
        first.filter(|_| own.all(|other| other == first))
    }

    fn fingerprints(&self, take: TakePostings<'_>) -> WriteResult {
        let mut cursors: Vec<_> = self.parts.iter().map(|part| part.segment.cursor()).collect();
        let (mut postings, mut around) = (Vec::new(), Vec::new());
        let has_surroundings = self.surroundings().is_some();
        // The next hash of each part that has any left; of equal hashes, that of the first part comes first.
        let mut next = BinaryHeap::new();
        for (number, cursor) in cursors.iter_mut().enumerate() {
            next.extend(cursor.peek()?.map(|own| Reverse((own.hash, number))));
        }
        while let Some(&Reverse((hash, _))) = next.peek() {
            postings.clear();
            around.clear();
            while let Some(mut lowest) = next.peek_mut().filter(|next| next.0.0 == hash) {
                let number = lowest.0.1;
                let (part, cursor) = (&self.parts[number], &mut cursors[number]);
                if let Some(own) = cursor.peek()? {
                    part.take(own, has_surroundings, &mut postings, &mut around);
                }
                cursor.advance();
                match cursor.peek()? {
                    Some(own) => *lowest = Reverse((own.hash, number)),
                    None => drop(PeekMut::pop(lowest)),
                }
            }
            if !postings.is_empty() {
                take(hash, &postings, &around)?;
            }
        }
        Ok(())
    }
}
