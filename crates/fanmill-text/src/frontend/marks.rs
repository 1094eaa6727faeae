//! Marks that are noted while a document is read: the signs of disguise, and what was lost.
//!
//! A mark is a hint for the person who reads the report, never a verdict. The line between disguise and honest writing
//! is documented where it is drawn: in [`normal`](super::normal) for invisible, bidirectional and compatibility
//! characters, in [`look_alike`](super::look_alike) for letters of other scripts, in [`decoration`](super::decoration)
//! for marks on letters, and in [`decode`](super::decode()) for replaced bytes.

use super::offset_map::OffsetMap;
use crate::span::Span;

/// A kind of thing that the report points out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Characters that show nothing, where no script or emoji needs them; removed.
    Invisible,
    /// Controls of writing direction in a text without right-to-left letters, and overrides
    /// anywhere; removed.
    Bidi,
    /// Letters of another script that pass for the word's own; replaced.
    LookAlike,
    /// Words in styled letters: mathematical, fullwidth, circled; replaced by plain ones.
    Compatibility,
    /// Marks on Latin letters at a rate that no language has; removed from prose.
    Decoration,
    /// Bytes without a meaning in the document's encoding; read as U+FFFD.
    Replaced,
    /// Control characters other than tab, line and page ends, NUL included; kept.
    Control,
}

impl Mark {
    /// Every mark, in the order of the enum.
    pub const ALL: [Mark; 7] = [
        Mark::Invisible,
        Mark::Bidi,
        Mark::LookAlike,
        Mark::Compatibility,
        Mark::Decoration,
        Mark::Replaced,
        Mark::Control,
    ];

    /// Returns the name for reports: `look-alike letters`.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Invisible => "invisible characters",
            Mark::Bidi => "bidirectional controls",
            Mark::LookAlike => "look-alike letters",
            Mark::Compatibility => "styled letters",
            Mark::Decoration => "decorated letters",
            Mark::Replaced => "unreadable bytes",
            Mark::Control => "control characters",
        }
    }
}

/// The number of times that a mark was found, and the first places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkPlaces {
    /// Number of characters, or of invalid byte sequences for [`Mark::Replaced`].
    pub count: u32,
    /// The first few places, at most [`MarkPlaces::KEPT`], ascending.
    pub first: Vec<Span>,
}

impl MarkPlaces {
    /// Number of places that are kept: enough for a reader to look, with hardly any memory.
    pub const KEPT: usize = 8;

    fn add(&mut self, span: Span) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < MarkPlaces::KEPT {
            self.first.push(span);
        }
    }
}

/// All the marks of one document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    found: [MarkPlaces; Mark::ALL.len()],
}

impl Marks {
    /// Creates a collection without any mark.
    pub fn new() -> Marks {
        Marks::default()
    }

    /// Returns the number of times that `mark` was found, and the first places.
    pub fn get(&self, mark: Mark) -> &MarkPlaces {
        &self.found[mark as usize]
    }

    /// Returns the number of times that `mark` was found.
    pub fn count(&self, mark: Mark) -> u32 {
        self.get(mark).count
    }

    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.iter().all(|found| found.count == 0)
    }

    /// Returns the marks that were found at least once, in the order of [`Mark::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Mark, &MarkPlaces)> {
        Mark::ALL
            .into_iter()
            .map(|mark| (mark, self.get(mark)))
            .filter(|(_, found)| found.count > 0)
    }

    /// Counts one more `mark`, at `span`. Spans of one mark are added in ascending order.
    pub fn add(&mut self, mark: Mark, span: Span) {
        self.found[mark as usize].add(span);
    }

    /// Appends the marks of a part that follows what has been counted so far.
    pub fn append(&mut self, other: &Marks) {
        for (found, more) in self.found.iter_mut().zip(&other.found) {
            found.count = found.count.saturating_add(more.count);
            let room = MarkPlaces::KEPT - found.first.len();
            found.first.extend(more.first.iter().take(room));
        }
    }

    /// Moves the positions from the output of `map` to its input.
    pub fn map_back(&mut self, map: &OffsetMap) {
        for found in &mut self.found {
            map.map_spans(&mut found.first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_all_and_keeps_the_first_positions() {
        let mut marks = Marks::new();
        assert!(marks.is_empty());
        for i in 0..20 {
            marks.add(Mark::Bidi, Span::new(i, i + 1));
        }
        assert_eq!(marks.count(Mark::Bidi), 20);
        assert_eq!(marks.get(Mark::Bidi).first.len(), MarkPlaces::KEPT);
        assert_eq!(marks.iter().count(), 1);
    }

    #[test]
    fn every_mark_has_its_own_place() {
        for (i, mark) in Mark::ALL.into_iter().enumerate() {
            assert_eq!(mark as usize, i);
        }
    }
}
