//! A page as glyphs, passed from the PDF interpreter to our own layout.

/// The content of a page, in drawing order.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) glyphs: Vec<Glyph>,
    /// Number of glyphs that are seen, and for which nothing gives a character.
    pub(super) n_unmapped: usize,
    /// Number of letters that are seen, and for which the document and the font that draws them give the same character,
    /// and another one.
    pub(super) n_same: usize,
    pub(super) n_other: usize,
    /// Number of pictures drawn.
    pub(super) n_pictures: usize,
    /// If set, it has hardly any text, and pictures on most of it: a page that was scanned.
    pub(super) is_scan: bool,
    /// If set, something was left out because of a limit.
    pub(super) is_cut: bool,
    /// Comments on it.
    pub(super) comments: Vec<String>,
}

/// A glyph, or a few characters that are drawn as one.
///
/// Positions are along the line (`start..end`) and across it (`across`, the baseline, which grows from line to line),
/// in points, regardless of the direction of the line on the page.
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Text {
    One(char),
    Many(Box<str>),
}

impl Text {
    pub(super) fn from_characters(characters: &str) -> Text {
        let mut chars = characters.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Text::One(c),
            _ => Text::Many(characters.into()),
        }
    }

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

/// Visibility of a glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sight {
    Seen,
    /// Drawn invisibly, but not over a picture of the same words.
    Invisible,
    /// White on white.
    White,
    /// Smaller than 3 points.
    Tiny,
    /// Outside the page.
    OffPage,
    /// Below something opaque that was drawn after it.
    Covered,
}
