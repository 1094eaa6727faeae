//! Which stretch of a document wears which colour.
//!
//! Three layers, each over the one before: gaps inside a passage, boilerplate, matches. The result
//! is one list of strokes that ascend and do not overlap, whatever a damaged report says.

use crate::report::model::{File, Grey, Pair, Place};
use crate::report::texts::Shown;

/// What a stretch of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Between two matches of the passage of this index.
    Gap(usize),
    /// Boilerplate: from a base file.
    Given,
    /// Boilerplate: in too many documents.
    Frequent,
    /// A match of the passage of this index.
    Match(usize),
}

/// A painted stretch, in bytes of the shown text. Never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) ink: Ink,
}

/// From a passage's first match in a document to its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Index of the passage in its pair.
    pub(super) passage: usize,
}

/// One of the two submissions of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
}

impl Side {
    /// The other side.
    pub(super) fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// The number of the submission on this side.
    pub(super) fn submission(self, pair: &Pair) -> u32 {
        match self {
            Side::A => pair.a,
            Side::B => pair.b,
        }
    }

    /// The identifier of a passage on this side: `a-1` for the first.
    pub(super) fn anchor(self, passage: usize) -> String {
        let letter = match self {
            Side::A => 'a',
            Side::B => 'b',
        };
        format!("{letter}-{}", passage + 1)
    }

    /// The link to a passage on this side.
    pub(super) fn link(self, passage: usize) -> String {
        format!("#{}", self.anchor(passage))
    }

    /// The places of one passage on this side.
    pub(super) fn places(self, pair: &Pair, passage: usize) -> impl Iterator<Item = &Place> {
        pair.passages[passage].matches.iter().map(move |found| match self {
            Side::A => &found.a,
            Side::B => &found.b,
        })
    }
}

/// The class that gives a passage one of eight colours.
pub(super) fn hue(passage: usize) -> &'static str {
    ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"][passage % 8]
}

/// A document's colours.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Painted {
    /// Ascending, not overlapping.
    pub(super) strokes: Vec<Stroke>,
    /// One for each passage that is in the document, ascending by start.
    pub(super) extents: Vec<Extent>,
}

/// Paints document `number` of one side of a pair.
pub(super) fn paint(pair: &Pair, side: Side, number: u32, file: &File, shown: &Shown) -> Painted {
    let (mut gaps, mut matches, mut extents) = (Vec::new(), Vec::new(), Vec::new());
    for passage in 0..pair.passages.len() {
        let places = side.places(pair, passage).filter(|place| place.file == number);
        let ink = Ink::Match(passage);
        let found = layer(places.map(|place| (place.start, place.end, ink)), shown);
        for two in found.windows(2) {
            gaps.push(Stroke { start: two[0].end, end: two[1].start, ink: Ink::Gap(passage) });
        }
        if let (Some(first), Some(last)) = (found.first(), found.last()) {
            extents.push(Extent { start: first.start, end: last.end, passage });
        }
        matches.extend(found);
    }
    let grey = file.boilerplate.iter().map(|grey| (grey.start, grey.end, why(grey)));
    let under = overlay(&apart(gaps), &layer(grey, shown));
    extents.sort_by_key(|extent| (extent.start, extent.passage));
    Painted { strokes: overlay(&under, &apart(matches)), extents }
}

fn why(grey: &Grey) -> Ink {
    if grey.why == "given" { Ink::Given } else { Ink::Frequent }
}

/// Strokes of one kind, from bytes of the original.
fn layer(spans: impl Iterator<Item = (u32, u32, Ink)>, shown: &Shown) -> Vec<Stroke> {
    let strokes = spans.map(|(start, end, ink)| Stroke {
        start: shown.at(start),
        end: shown.at(end.max(start)),
        ink,
    });
    apart(strokes.collect())
}

/// Sorts strokes, and lets none reach into the next: what was painted first stays.
fn apart(mut strokes: Vec<Stroke>) -> Vec<Stroke> {
    strokes.sort_by_key(|stroke| (stroke.start, stroke.end));
    let mut free = 0;
    strokes.retain_mut(|stroke| {
        stroke.start = stroke.start.max(free);
        free = free.max(stroke.end);
        stroke.start < stroke.end
    });
    strokes
}

/// Paints `over` on top of `under`; both ascend and do not overlap. Linear.
fn overlay(under: &[Stroke], over: &[Stroke]) -> Vec<Stroke> {
    let mut out = Vec::with_capacity(under.len() + over.len());
    let mut over = over.iter().copied().peekable();
    for &stroke in under {
        let mut start = stroke.start;
        while let Some(&top) = over.peek().filter(|top| top.start < stroke.end) {
            if start < top.start {
                out.push(Stroke { start, end: top.start, ..stroke });
            }
            start = start.max(top.end);
            if top.end > stroke.end {
                break; // It may cover the next one too.
            }
            out.push(top);
            over.next();
        }
        if start < stroke.end {
            out.push(Stroke { start, ..stroke });
        }
    }
    out.extend(over);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stroke((start, len): (usize, usize), ink: Ink) -> Stroke {
        Stroke { start, end: start + len, ink }
    }

    fn naive(len: usize, layers: &[&[Stroke]]) -> Vec<Option<Ink>> {
        let mut cells = vec![None; len];
        for stroke in layers.iter().copied().flatten() {
            cells[stroke.start..stroke.end].fill(Some(stroke.ink));
        }
        cells
    }

    proptest! {
        #[test]
        fn overlay_equals_painting_cell_by_cell(
            under in prop::collection::vec((0usize..60, 0usize..12), 0..8),
            over in prop::collection::vec((0usize..60, 0usize..12), 0..8),
        ) {
            let made = |spans: &[(usize, usize)], ink: fn(usize) -> Ink| {
                apart(spans.iter().enumerate().map(|(i, &span)| stroke(span, ink(i))).collect())
            };
            let (under, over) = (made(&under, Ink::Gap), made(&over, Ink::Match));
            let both = overlay(&under, &over);
            prop_assert!(both.iter().all(|stroke| stroke.start < stroke.end));
            prop_assert!(both.windows(2).all(|two| two[0].end <= two[1].start));
            prop_assert_eq!(naive(80, &[&both]), naive(80, &[&under, &over]));
        }
    }
}
