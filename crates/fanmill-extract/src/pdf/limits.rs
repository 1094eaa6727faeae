//! How much of a PDF is read. What is over is said, and never left out in silence.

/// Pages of a document.
pub(super) const MOST_PAGES: usize = 20_000;

/// Glyphs of a page: a page of the smallest print that can be read has 20,000.
pub(super) const MOST_GLYPHS: usize = 200_000;

/// Pictures and filled areas of a page that are remembered.
pub(super) const MOST_AREAS: usize = 1000;

/// Forms inside forms; the interpreter goes no deeper than 50.
pub(super) const DEEPEST: usize = 48;
