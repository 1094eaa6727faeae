//! Byte ranges in an original document.

use std::ops::Range;

/// A half-open range `start..end` of bytes in a document as it was handed in.
///
/// A span that leaves a front end points into the original bytes, whatever decoding and folding
/// did on the way. Documents are below 4 GiB, so 32 bits are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte; never below `start`.
    pub end: u32,
}

impl Span {
    /// Creates the span `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end, "span {start}..{end} ends before it starts");
        Span { start, end }
    }

    /// Returns the length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span as a range to index a slice with.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The line starts of a document, to turn byte offsets into line numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    /// First byte of each line, ascending; the first is 0.
    starts: Vec<u32>,
}

impl LineIndex {
    /// Creates an index of the lines that end at `ends`: the offset after each line end, ascending.
    pub fn new(ends: impl IntoIterator<Item = u32>) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(ends);
        LineIndex { starts }
    }

    /// Returns the line that contains a byte, 1-based.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// Returns the first and last line of a span, 1-based. An empty span lies on the line of its start.
    pub fn lines(&self, span: Span) -> (u32, u32) {
        (self.line(span.start), self.line(span.end.saturating_sub(1).max(span.start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let index = LineIndex::new([4, 5]);
        assert_eq!([0, 3, 4, 5, 99].map(|offset| index.line(offset)), [1, 1, 2, 3, 3]);
        assert_eq!(index.lines(Span::new(0, 4)), (1, 1), "the line end belongs to its line");
        assert_eq!(index.lines(Span::new(3, 6)), (1, 3));
    }
}
