//! The prose that a document of code holds for people, such as the text of a web page.

use std::ops::Range;

use super::offset_map::OffsetMap;

/// The part of a document of code that people read.
#[derive(Debug, Clone)]
pub struct VisibleProse {
    /// The prose.
    pub text: String,
    /// Map from the prose to the document.
    pub way: OffsetMap,
    /// Bytes of the prose that the document's markup quotes: ascending, disjoint, on character boundaries.
    pub quoted: Vec<Range<usize>>,
}
