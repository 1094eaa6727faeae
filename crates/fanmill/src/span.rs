//! Byte ranges in an original document.

use std::ops::Range;

/// A half-open range `start..end` of bytes in a document as it was handed in.
///
/// Whatever decoding and folding did on the way, a span that leaves a front end points
/// into the original bytes. Documents are below 4 GiB, so 32 bits are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte; never below `start`.
    pub end: u32,
}

impl Span {
    /// The span `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end, "span {start}..{end} ends before it starts");
        Span { start, end }
    }

    /// Length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range to index a slice with.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
