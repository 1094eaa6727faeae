//! Which parts of a document are shown, when it is too large to be shown whole.
//!
//! Cost: O(n) for a text of n bytes, whatever its lines are like; one line of 64 MiB is fine.

use std::ops::Range;

use memchr::{memchr, memrchr};

use super::paint::{Extent, Ink, Stroke};
use crate::report::texts::FloorBoundary;

/// How much of a document is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// All of it, if it is not over [`WHOLE_BYTES`].
    Whole,
    /// Its passages, each with some lines before and after.
    Around,
    /// The beginning and the end of each passage.
    Edges,
}

/// Documents beyond this size are cut to the surroundings of their passages: 1 MiB.
const WHOLE_BYTES: usize = 1 << 20;

/// Lines shown before and after a passage.
const CONTEXT_LINES: usize = 10;

/// Bytes shown before and after a passage at most, for documents with long lines.
const CONTEXT_BYTES: usize = 2000;

/// Bytes shown of each end of a passage when only the edges are shown.
const EDGE_BYTES: usize = 1500;

/// Lines beyond this size, in bytes, are cut to the surroundings of their matches.
const LONG_LINE: usize = 2000;

/// Bytes shown outside and inside of each end of a match, and of each end of the line, in a long
/// line.
const LINE_CONTEXT: usize = 300;

/// The parts of `text` to show: ascending, apart, on character boundaries.
pub(super) fn windows(
    text: &str,
    extents: &[Extent],
    strokes: &[Stroke],
    detail: Detail,
) -> Vec<Range<usize>> {
    let detail = if text.len() > WHOLE_BYTES { detail.max(Detail::Around) } else { detail };
    let mut kept: Vec<Range<usize>> = Vec::new();
    match detail {
        Detail::Whole => kept.push(0..text.len()),
        Detail::Around => kept.extend(
            extents.iter().map(|extent| before(text, extent.start)..after(text, extent.end)),
        ),
        Detail::Edges => {
            for extent in extents {
                let head = text.floor_boundary((extent.start + EDGE_BYTES).min(extent.end));
                let tail = text.floor_boundary(extent.end.saturating_sub(EDGE_BYTES));
                kept.push(before(text, extent.start)..head);
                kept.push(tail.max(extent.start)..after(text, extent.end));
            }
        }
    }
    let mut cut = Vec::new();
    for range in joined(kept) {
        cut_long_lines(text, range, strokes, &mut cut);
    }
    joined(cut)
}

/// Some lines before `at`, from the start of a line on, if lines are not too long.
fn before(text: &str, at: usize) -> usize {
    let mut start = at;
    for _ in 0..=CONTEXT_LINES {
        match memrchr(b'\n', &text.as_bytes()[..start]) {
            None => start = 0,
            Some(line_feed) => start = line_feed,
        }
        if at - start > CONTEXT_BYTES {
            return text.floor_boundary(at - CONTEXT_BYTES);
        }
    }
    if start == 0 { 0 } else { start + 1 }
}

/// Some lines after `at`, to the end of a line, if lines are not too long.
fn after(text: &str, at: usize) -> usize {
    let limit = text.floor_boundary(at + CONTEXT_BYTES);
    let mut end = at;
    for _ in 0..=CONTEXT_LINES {
        match memchr(b'\n', &text.as_bytes()[end..limit]) {
            None => return limit,
            Some(line_feed) => end += line_feed + 1,
        }
    }
    end
}

/// Appends `range` without the insides of its long lines.
fn cut_long_lines(
    text: &str,
    range: Range<usize>,
    strokes: &[Stroke],
    out: &mut Vec<Range<usize>>,
) {
    let mut start = range.start;
    while start < range.end {
        let rest = &text.as_bytes()[start..range.end];
        let end = memchr(b'\n', rest).map_or(range.end, |line_feed| start + line_feed + 1);
        if end - start <= LONG_LINE {
            out.push(start..end);
        } else {
            cut_line(text, start..end, strokes, out);
        }
        start = end;
    }
}

/// Appends the ends of a long line and the surroundings of the ends of its matches.
fn cut_line(text: &str, line: Range<usize>, strokes: &[Stroke], out: &mut Vec<Range<usize>>) {
    let around = |at: usize| {
        let start = text.floor_boundary(at.saturating_sub(LINE_CONTEXT));
        start.max(line.start)..text.floor_boundary(at + LINE_CONTEXT).min(line.end)
    };
    let mut parts = vec![around(line.start)];
    let first = strokes.partition_point(|stroke| stroke.end <= line.start);
    for stroke in strokes[first..].iter().take_while(|stroke| stroke.start < line.end) {
        if matches!(stroke.ink, Ink::Match(_)) {
            parts.push(around(stroke.start.max(line.start)));
            parts.push(around(stroke.end.min(line.end)));
        }
    }
    parts.push(around(line.end));
    out.append(&mut joined(parts));
}

/// Sorts ranges, and joins those that touch.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matched(spans: &[(usize, usize)]) -> (Vec<Extent>, Vec<Stroke>) {
        let spans = spans.iter().enumerate();
        spans
            .map(|(passage, &(start, end))| {
                (Extent { start, end, passage }, Stroke { start, end, ink: Ink::Match(passage) })
            })
            .unzip()
    }

    fn shown(ranges: &[Range<usize>]) -> usize {
        ranges.iter().map(ExactSizeIterator::len).sum()
    }

    #[test]
    fn small_documents_are_whole() {
        let text = "line\n".repeat(1000);
        let whole = 0..text.len();
        assert_eq!(windows(&text, &[], &[], Detail::Whole), [whole]);
    }

    #[test]
    fn large_documents_are_cut_to_lines_around_passages() {
        let text = "line\n".repeat(WHOLE_BYTES / 5 + 1000);
        let (extents, strokes) = matched(&[(5002, 5018), (900_000, 900_010)]);
        let cut = windows(&text, &extents, &strokes, Detail::Whole);
        assert_eq!(cut, [4950..5070, 899_950..900_065]);
    }

    #[test]
    fn one_line_of_64_mib_is_cut_around_its_match() {
        let text = "x".repeat(64 << 20);
        let (extents, strokes) = matched(&[(1000, 60_000_000)]);
        for detail in [Detail::Whole, Detail::Around, Detail::Edges] {
            let cut = windows(&text, &extents, &strokes, detail);
            assert!(shown(&cut) < 3000, "{cut:?}");
            for end in [1000, 60_000_000 - 1] {
                assert!(cut.iter().any(|range| range.contains(&end)), "{end} in {cut:?}");
            }
        }
    }

    #[test]
    fn edges_leave_out_the_inside_of_a_passage() {
        let text = "line\n".repeat(100_000);
        let (extents, strokes) = matched(&[(10_000, 400_000)]);
        let cut = windows(&text, &extents, &strokes, Detail::Edges);
        assert_eq!(cut, [9950..11_500, 398_500..400_055]);
    }

    proptest! {
        #[test]
        fn windows_ascend_on_boundaries_and_hold_the_ends_of_matches(
            text in "[a-cé\n]{0,300}", copies in 1usize..40, spans in prop::collection::vec((0usize..9000, 0usize..9000), 0..4),
            detail in prop::sample::select(&[Detail::Whole, Detail::Around, Detail::Edges][..]),
        ) {
            let text = text.repeat(copies);
            let spans: Vec<_> = spans.into_iter()
                .map(|(a, b)| (text.floor_boundary(a.min(b)), text.floor_boundary(a.max(b))))
                .filter(|(start, end)| start < end)
                .take(1)
                .collect();
            let (extents, strokes) = matched(&spans);
            let cut = windows(&text, &extents, &strokes, detail);
            prop_assert!(cut.windows(2).all(|two| two[0].end < two[1].start));
            for range in &cut {
                prop_assert!(text.get(range.clone()).is_some());
            }
            for &(start, end) in &spans {
                let shows = |at: usize| cut.iter().any(|range| range.start <= at && at < range.end);
                prop_assert!(shows(start) && shows(end - 1));
            }
        }
    }
}
