//! A minimal SVG writer: the few shapes that figures need, in whole pixels.
//!
//! Equal calls give equal bytes. Texts are escaped; they must not contain control characters, which XML cannot
//! represent ([`printable`](fanmill_report::printable) removes them).
//!
//! Cost: O(n) in the number of shapes and letters.

use std::fmt::{self, Write as _};

use super::lettering::FAMILY;

/// A pixel: column from the left, row from the top.
pub(super) type Pixel = (i32, i32);

/// A CSS colour: `#0072b2`.
pub(super) type Colour = &'static str;

/// The look of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    /// The width, in pixels.
    pub(super) width: u8,
    /// Lengths of dashes and of the spaces between them, in pixels.
    pub(super) dashes: Option<(i32, i32)>,
}

impl Stroke {
    /// Returns a line without dashes.
    pub(super) const fn solid(colour: Colour, width: u8) -> Stroke {
        Stroke { colour, width, dashes: None }
    }
}

/// The part of a text that is at its pixel, horizontally.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// The position of a line of text relative to its pixel, vertically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// Above it.
    Above,
    /// Half above it and half below.
    Centred,
    /// Below it.
    Below,
}

/// The placement of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPlacement {
    /// The font size, in pixels.
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) level: Level,
    /// True if the text runs upwards.
    pub(super) is_upright: bool,
}

impl TextPlacement {
    /// Returns the setting of a text from left to right.
    pub(super) const fn across(size: f64, anchor: Anchor, level: Level) -> TextPlacement {
        TextPlacement { size, anchor, level, is_upright: false }
    }
}

/// The colour of texts, nearly black.
const INK: Colour = "#212121";

/// A picture being drawn; later shapes cover earlier ones.
#[derive(Debug)]
pub(super) struct Svg(String);

impl Svg {
    /// Creates a white picture.
    pub(super) fn new((width, height): (i32, i32)) -> Svg {
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" fill=\"none\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        ))
    }

    /// Returns the finished file.
    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    /// Draws a filled rectangle between two corners, edges included.
    pub(super) fn rectangle(&mut self, (x, y): Pixel, (to_x, to_y): Pixel, fill: Colour) {
        let (left, top) = (x.min(to_x), y.min(to_y));
        let (width, height) = (x.abs_diff(to_x), y.abs_diff(to_y));
        self.put(format_args!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        ));
    }

    /// Draws straight lines from each point to the next; draws nothing if there are fewer than two points.
    pub(super) fn line(&mut self, points: &[Pixel], stroke: Stroke) {
        if points.len() > 1 {
            let (points, stroke) = (Points(points), Pen(stroke));
            self.put(format_args!("<polyline points=\"{points}\"{stroke}/>"));
        }
    }

    /// Draws a polygon with an outline.
    pub(super) fn polygon(&mut self, corners: &[Pixel], fill: Colour, outline: Stroke) {
        let (corners, outline) = (Points(corners), Pen(outline));
        self.put(format_args!("<polygon points=\"{corners}\" fill=\"{fill}\"{outline}/>"));
    }

    /// Draws a disc with an outline.
    pub(super) fn disc(&mut self, (x, y): Pixel, radius: u8, fill: Colour, outline: Stroke) {
        let outline = Pen(outline);
        self.put(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"{outline}/>"
        ));
    }

    /// Writes one line of text.
    pub(super) fn text(&mut self, text: &str, (x, y): Pixel, setting: TextPlacement) {
        let anchor = match setting.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        // The distance from the pixel down to the baseline; letters are .7 of the font size high.
        let down = match setting.level {
            Level::Above => "",
            Level::Centred => " dy=\".35em\"",
            Level::Below => " dy=\".75em\"",
        };
        let turned = if setting.is_upright {
            format!(" transform=\"rotate(270,{x},{y})\"")
        } else {
            String::new()
        };
        let (size, text) = (setting.size, Escaped(text));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\"{down}{anchor}{turned} font-size=\"{size}\" fill=\"{INK}\">{text}</text>"
        ));
    }

    fn put(&mut self, element: fmt::Arguments<'_>) {
        writeln!(self.0, "{element}").expect("a string takes all");
    }
}

/// Points as an attribute: `3,4 5,6`.
struct Points<'a>(&'a [Pixel]);

impl fmt::Display for Points<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (x, y)) in self.0.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{x},{y}")?;
        }
        Ok(())
    }
}

/// A stroke as attributes.
struct Pen(Stroke);

impl fmt::Display for Pen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stroke { colour, width, dashes } = self.0;
        write!(f, " stroke=\"{colour}\"")?;
        if width != 1 {
            write!(f, " stroke-width=\"{width}\"")?;
        }
        dashes.map_or(Ok(()), |(dash, space)| write!(f, " stroke-dasharray=\"{dash} {space}\""))
    }
}

/// A text, escaped for XML.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                // XML does not allow these two, although they are not control characters.
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_written_in_order() {
        let mut svg = Svg::new((90, 50));
        svg.rectangle((30, 9), (10, 4), "#000");
        svg.line(&[(1, 2)], Stroke::solid("#111", 1));
        svg.line(&[(1, 2), (3, -4)], Stroke { dashes: Some((5, 6)), ..Stroke::solid("#111", 2) });
        svg.polygon(&[(0, 0), (1, 0), (1, 1)], "#fff", Stroke::solid("#222", 1));
        svg.disc((7, 8), 4, "#fff", Stroke::solid("#333", 2));
        svg.text(
            "a < b & \"c\" \u{ffff}",
            (5, 6),
            TextPlacement::across(11.0, Anchor::End, Level::Centred),
        );
        let upright = TextPlacement {
            is_upright: true,
            ..TextPlacement::across(12.5, Anchor::Middle, Level::Below)
        };
        svg.text("up", (18, 25), upright);
        let svg = svg.finish();
        let elements: Vec<&str> = svg.lines().skip(2).collect();
        assert_eq!(
            elements,
            [
                "<rect x=\"10\" y=\"4\" width=\"20\" height=\"5\" fill=\"#000\"/>",
                "<polyline points=\"1,2 3,-4\" stroke=\"#111\" stroke-width=\"2\" stroke-dasharray=\"5 6\"/>",
                "<polygon points=\"0,0 1,0 1,1\" fill=\"#fff\" stroke=\"#222\"/>",
                "<circle cx=\"7\" cy=\"8\" r=\"4\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"2\"/>",
                "<text x=\"5\" y=\"6\" dy=\".35em\" text-anchor=\"end\" font-size=\"11\" \
                 fill=\"#212121\">a &lt; b &amp; \"c\" \u{fffd}</text>",
                "<text x=\"18\" y=\"25\" dy=\".75em\" text-anchor=\"middle\" \
                 transform=\"rotate(270,18,25)\" font-size=\"12.5\" fill=\"#212121\">up</text>",
                "</svg>",
            ]
        );
    }
}
