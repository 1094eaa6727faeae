//! Limits on how much of a PDF is read. Text over a limit is reported, never left out silently.

/// Pages of a document.
pub(crate) const MOST_PAGES: usize = 20_000;

/// Glyphs of a page: a page in the smallest readable print has 20,000.
pub(super) const MOST_GLYPHS: usize = 200_000;

/// Pictures and filled areas remembered of a page.
pub(super) const MOST_AREAS: usize = 1000;

/// Nesting of forms; the interpreter goes no deeper than 50.
pub(super) const DEEPEST: usize = 48;

/// Maximum number of fields of forms on a page.
pub(super) const MOST_FIELDS: usize = 10_000;

/// Maximum number of fields that a field is a part of, one in the other, and of levels of a tree of names; both may be in a
/// circle.
pub(super) const PARENTS: usize = 16;

/// Maximum number of files attached to a document that are read, of levels of documents attached to each other, and of
/// nodes of the tree that lists them.
pub(crate) const MOST_ATTACHED: usize = 64;
pub(super) const LEVELS: u32 = 2;
pub(super) const MOST_NODES: usize = 10_000;

/// Maximum number of pages of all attached documents together: a long one must not use up the time of the document itself.
pub(super) const MOST_ATTACHED_PAGES: usize = 500;

/// Pixels of a page that is recognised: 300 for an inch, and fewer on a large page.
pub(super) const DOTS_PER_POINT: f64 = 300.0 / 72.0;
pub(super) const MOST_PIXELS: f64 = 40e6;

/// Maximum number of fonts that a page may draw with.
pub(super) const MOST_FONTS: usize = 1000;

/// Maximum number of characters that the program of a font has glyphs for.
pub(super) const MOST_CHARACTERS: usize = 100_000;
