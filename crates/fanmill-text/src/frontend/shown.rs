//! The prose that a document of code holds for people, such as the text of a web page.

use std::ops::Range;

use super::offset_map::OffsetMap;

/// What people read of a document of code.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The prose.
    pub text: String,
    /// From the prose to the document.
    pub way: OffsetMap,
    /// Bytes of the prose that the document's markup quotes: ascending, disjoint, on character boundaries.
    pub quoted: Vec<Range<usize>>,
}
