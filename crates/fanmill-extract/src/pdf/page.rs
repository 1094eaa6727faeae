//! A page as glyphs: what the reader of PDF hands to our own layout.

/// What stands on a page, in the order in which it is drawn.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) glyphs: Vec<Glyph>,
    /// Glyphs that no font says a character for.
    pub(super) n_unmapped: usize,
    /// Pictures that are drawn.
    pub(super) n_pictures: usize,
    /// What was left out because of a limit.
    pub(super) is_cut: bool,
}

/// A glyph, or a few characters that are drawn as one.
///
/// Positions are along the line (`start..end`) and across it (`across`, the baseline, which grows from line to line), in points,
/// whichever way the line runs on the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) text: Text,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) across: f64,
    /// The size of its font in points.
    pub(super) size: f64,
    /// Quarter turns of its line.
    pub(super) turns: u8,
    pub(super) sight: Sight,
}

/// The characters of a glyph: nearly always one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    One(char),
    Many(Box<str>),
}

impl Text {
    pub(super) fn chars(&self) -> impl Iterator<Item = char> + '_ {
        let (one, many) = match self {
            Text::One(c) => (Some(*c), ""),
            Text::Many(text) => (None, &**text),
        };
        one.into_iter().chain(many.chars())
    }

    pub(super) fn is_blank(&self) -> bool {
        self.chars().all(char::is_whitespace)
    }
}

/// Whether a reader sees a glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sight {
    Seen,
    /// Drawn invisibly, and not over a picture of the same words.
    Invisible,
    /// White on white.
    White,
    /// Smaller than 3 points.
    Tiny,
    /// Beside the page.
    OffPage,
    /// Below something opaque that was drawn after it.
    Covered,
}
