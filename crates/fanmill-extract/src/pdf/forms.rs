//! Form fields without an appearance, whose values viewers write into them.
//!
//! Libraries that fill forms leave the drawing to the viewer. No font says how wide letters are then, so they take half
//! of their size; a text that is too long for its field is made smaller, as viewers do.
//!
//! Cost: O(n) in the length of the value, some thirty times at most.
//! Source: ISO 32000-2 (PDF 2.0), §12.7.4.3, "Variable text".

use super::page::{Glyph, Sight, Text};

/// A field with its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) value: String,
    /// Its area on the page, from the upper left corner.
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The size of letters in points; 0 if the viewer chooses.
    pub(super) size: f64,
}

/// The size of letters in points where a field sets none, unless the field is lower than that.
const USUAL: f64 = 12.0;

/// Distance of lines, and width of a letter, by the size of letters.
const LEADING: f64 = 1.2;
const WIDTH: f64 = 0.5;

impl Field {
    /// Returns the value as glyphs, line by line.
    pub(super) fn glyphs(&self) -> Vec<Glyph> {
        let mut size = if self.size > 0.0 { self.size } else { USUAL.min(self.height).max(1.0) };
        let mut lines = self.lines(size);
        // Half of the size takes a quarter of the room, so that this ends soon.
        while lines.len() as f64 * LEADING * size > self.height && size > 1.0 {
            size *= 0.8;
            lines = self.lines(size);
        }
        let mut glyphs = Vec::with_capacity(self.value.len());
        for (number, line) in lines.iter().enumerate() {
            let across = self.top + size + number as f64 * LEADING * size;
            for (at, c) in line.chars().enumerate() {
                let start = self.left + at as f64 * WIDTH * size;
                let end = start + WIDTH * size;
                let text = Text::One(c);
                glyphs.push(Glyph { text, start, end, across, size, turns: 0, sight: Sight::Seen });
            }
        }
        glyphs
    }

    /// Breaks the value into lines that fit at a size, between words.
    fn lines(&self, size: f64) -> Vec<String> {
        let is_over = |n_chars: usize| n_chars as f64 * WIDTH * size > self.width;
        let mut lines = Vec::new();
        for paragraph in self.value.split(['\r', '\n']) {
            let (mut line, mut n_chars) = (String::new(), 0);
            for word in paragraph.split_whitespace() {
                let n = word.chars().count();
                if n_chars > 0 && is_over(n_chars + 1 + n) {
                    lines.push(std::mem::take(&mut line));
                    n_chars = 0;
                }
                if n_chars > 0 {
                    line.push(' ');
                    n_chars += 1;
                }
                line.push_str(word);
                n_chars += n;
            }
            lines.push(line);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_into_its_field() {
        let field = |value: &str, size: f64| Field {
            value: value.to_owned(),
            left: 10.0,
            top: 20.0,
            width: 60.0,
            height: 30.0,
            size,
        };
        assert_eq!(field("one two three", 10.0).lines(10.0), ["one two", "three"]);
        let glyphs = field("one two three", 10.0).glyphs();
        let second = glyphs.iter().find(|glyph| glyph.across > 40.0).expect("two lines");
        assert_eq!((second.start, second.across, &second.text), (10.0, 42.0, &Text::One('t')));
        // A long value is made smaller, and stays within the field.
        let long = field(&"word ".repeat(60), 0.0).glyphs();
        assert!(long.iter().all(|glyph| glyph.across < 50.5 && glyph.size < 4.0));
        assert!(field("", 0.0).glyphs().is_empty());
        assert_eq!(field(&"x".repeat(9), 0.0).glyphs().len(), 9);
    }
}
