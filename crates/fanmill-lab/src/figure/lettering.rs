//! The widths of texts, and their division into lines.
//!
//! An SVG is displayed by the reader's program, in a font that we do not have. Nothing is measured, therefore: widths
//! are those of Helvetica, which Arial and Liberation Sans share, with a reserve for wider fonts. Figures are then the
//! same on every machine.
//!
//! Cost: O(n²) in the length of a text that is cut, which its width bounds.

use unicode_width::UnicodeWidthChar;

/// The fonts of figures, most common first.
pub(super) const FAMILY: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/// Sizes of letters, in pixels.
pub(super) const TITLE: f64 = 15.5;
pub(super) const LABEL: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;

/// Factor for viewers with a wider font; `DejaVu Sans` is this much wider.
const SLACK: f64 = 1.15;

/// Widths of the printable ASCII characters, from the space on, in thousandths of the font size: those of Helvetica, as
/// published by Adobe for PostScript.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278,
    278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// Returns the width of a character, in thousandths of the font size.
fn width(c: char) -> u16 {
    let ascii = u32::from(c).checked_sub(32).and_then(|at| WIDTHS.get(at as usize));
    ascii.copied().unwrap_or_else(|| match c.width() {
        Some(0) | None => 0,
        Some(1) => 600,
        Some(_) => 1000,
    })
}

/// Returns the width of a text in common fonts, at most, in pixels.
pub(super) fn width_of(text: &str, size: f64) -> i32 {
    let thousandths: u64 = text.chars().map(|c| u64::from(width(c))).sum();
    (thousandths as f64 / 1000.0 * size * SLACK).ceil() as i32
}

/// Returns a text in at most `width` pixels: whole, or its beginning with an ellipsis.
pub(super) fn fitted(text: &str, size: f64, width: i32) -> String {
    // Nearly all letters are wider than a fifth of the font size, so more than this can hardly fit.
    let most = (f64::from(width.max(0)) / (0.2 * size)) as usize + 1;
    let mut kept: Vec<char> = text.chars().take(most).collect();
    let is_whole = kept.len() == text.chars().count();
    if is_whole && width_of(text, size) <= width {
        return text.to_owned();
    }
    loop {
        let shown: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if kept.is_empty() || width_of(&shown, size) <= width {
            return shown;
        }
        kept.pop();
    }
}

/// Returns a text in at most `n_lines` lines of at most `width` pixels, broken between words and before brackets.
pub(super) fn wrapped(text: &str, size: f64, width: i32, n_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut pieces = pieces(text).peekable();
    while lines.len() + 1 < n_lines && pieces.peek().is_some() {
        let mut line = String::new();
        while let Some(piece) = pieces.peek() {
            let longer = format!("{line}{piece}");
            if !line.is_empty() && width_of(longer.trim(), size) > width {
                break;
            }
            line = longer;
            pieces.next();
        }
        lines.push(fitted(line.trim(), size, width));
    }
    let rest: String = pieces.collect();
    if !rest.is_empty() {
        lines.push(fitted(rest.trim(), size, width));
    }
    lines
}

/// Splits a text into pieces, each of which may begin a line.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ').flat_map(|word| {
        let (head, tail) = word.split_at(word.find('(').unwrap_or(0));
        [head, tail].into_iter().filter(|piece| !piece.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        assert_eq!(width_of("", 100.0), 0);
        assert_eq!(
            ["i", "m", "W", "~"].map(|text| width_of(text, 1000.0 / SLACK)),
            [222, 833, 944, 584]
        );
        assert_eq!(
            ["é", "漢", "a\u{301}"].map(|text| width_of(text, 1000.0 / SLACK)),
            [600, 1000, 556]
        );
    }

    #[test]
    fn a_text_is_broken_between_words_and_cut_at_the_end() {
        let lines = wrapped("one two three four five six seven eight nine ten", 11.0, 120, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("one two") && lines[1].ends_with('…'), "{lines:?}");
        for width in [0, 5, 40] {
            assert!(width_of(&fitted("measured density", 11.0, width), 11.0) <= width.max(20));
        }
    }
}
