//! Colours of styles and attributes as red, green and blue.
//!
//! Cost: O(n) in the value.
//! Source: CSS Color Module Level 4, §4 to §12; WHATWG HTML Standard, "Rules for parsing a legacy color value".
//! Departs from it: wider colour spaces (`display-p3` and the like) are read like that of the screen; colours mixed
//! from others are unknown.

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{ParseError, Parser, Token};
use cssparser_color::{
    Color, ColorParser, NumberOrPercentage, hsl_to_rgb, hwb_to_rgb, parse_color_with,
};

use super::length::{self, Unit};
use super::nested::nested;

/// Maximum difference in each of red, green and blue at which a reader cannot distinguish two colours: `#eeeeee` on
/// white has 17; `#dddddd`, with 34, can be read with an effort.
const ALIKE: u8 = 24;
/// Opacity below which an element is invisible.
pub(super) const FAINT: f32 = 0.1;

/// Red, green and blue.
type Rgb = [u8; 3];

/// A colour as a style declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Rgb(Rgb),
    /// A colour that lets the background through, and its opacity from 0 to 255.
    Veil(Rgb, u8),
    Transparent,
    Unknown,
}

impl Paint {
    pub(super) const BLACK: Paint = Paint::Rgb([0; 3]);
    pub(super) const WHITE: Paint = Paint::Rgb([255; 3]);

    /// Returns whether text of this colour is invisible on a background.
    pub(super) fn is_lost_on(self, background: Paint) -> bool {
        match (self, background) {
            (Paint::Transparent, _) => true,
            (Paint::Veil(..), Paint::Rgb(_)) => self.over(background).is_lost_on(background),
            (Paint::Rgb(a), Paint::Rgb(b)) => a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= ALIKE),
            _ => false,
        }
    }

    /// Returns the result of painting this colour over another.
    #[must_use]
    pub(super) fn over(self, behind: Paint) -> Paint {
        match (self, behind) {
            (Paint::Transparent, _) => behind,
            (Paint::Veil(own, alpha), Paint::Rgb(behind)) => {
                let mixed = |at: usize| {
                    let (own, behind) = (u16::from(own[at]), u16::from(behind[at]));
                    let alpha = u16::from(alpha);
                    u8::try_from((own * alpha + behind * (255 - alpha)) / 255).unwrap_or(u8::MAX)
                };
                Paint::Rgb([mixed(0), mixed(1), mixed(2)])
            }
            (Paint::Veil(..), _) => Paint::Unknown,
            (Paint::Rgb(_) | Paint::Unknown, _) => self,
        }
    }
}

/// The colour that a value declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclaredColour {
    /// The text colour.
    AsAround,
    Paint(Paint),
}

impl DeclaredColour {
    /// Returns the colour; unknown if it depends on another one.
    pub(super) fn paint(self) -> Paint {
        match self {
            DeclaredColour::AsAround => Paint::Unknown,
            DeclaredColour::Paint(paint) => paint,
        }
    }
}

/// Reads a CSS colour.
pub(super) fn parse(input: &mut Parser<'_>) -> Option<DeclaredColour> {
    if let Ok(colour) = input.try_parse(|input| parse_color_with(&Calculating, input)) {
        return Some(paint(&colour).map_or(DeclaredColour::AsAround, DeclaredColour::Paint));
    }
    let token = input.next().ok()?.clone();
    match token {
        Token::Ident(name) => system(&name.to_ascii_lowercase()).map(DeclaredColour::Paint),
        Token::Function(name) => {
            function(&name.to_ascii_lowercase(), input).map(DeclaredColour::Paint)
        }
        _ => None,
    }
}

/// Returns a system colour as in a light theme.
fn system(name: &str) -> Option<Paint> {
    Some(match name {
        "canvas" | "field" | "window" | "buttonhighlight" => Paint::WHITE,
        "canvastext" | "fieldtext" | "windowtext" | "buttontext" | "infotext" | "menutext"
        | "captiontext" => Paint::BLACK,
        "linktext" | "visitedtext" | "activetext" | "highlight" | "highlighttext" | "mark"
        | "marktext" | "selecteditem" | "selecteditemtext" | "accentcolor" | "accentcolortext"
        | "graytext" | "buttonface" | "buttonborder" | "-webkit-link" | "menu" | "scrollbar"
        | "background" | "infobackground" | "threedface" => Paint::Unknown,
        _ => return None,
    })
}

/// Reads a colour function that the library does not support.
fn function(name: &str, input: &mut Parser<'_>) -> Option<Paint> {
    const COLOURS: [&str; 13] = [
        "rgb",
        "rgba",
        "hsl",
        "hsla",
        "hwb",
        "lab",
        "lch",
        "oklab",
        "oklch",
        "color",
        "color-mix",
        "contrast-color",
        "device-cmyk",
    ];
    if name == "light-dark" {
        return nested(input, |input| {
            let colour = parse(input);
            while input.next().is_ok() {}
            Some(colour.map_or(Paint::Unknown, DeclaredColour::paint))
        });
    }
    COLOURS.contains(&name).then_some(Paint::Unknown)
}

/// A parser of colours that also accepts calculated numbers.
struct Calculating;

impl ColorParser<'_> for Calculating {
    type Output = Color;
    type Error = ();

    fn parse_number(&self, input: &mut Parser) -> Result<f32, ParseError<()>> {
        match self.parse_number_or_percentage(input)? {
            NumberOrPercentage::Number { value } => Ok(value),
            NumberOrPercentage::Percentage { .. } => Err(ParseError::unexpected_token()),
        }
    }

    fn parse_percentage(&self, input: &mut Parser) -> Result<f32, ParseError<()>> {
        match self.parse_number_or_percentage(input)? {
            // Newer colour syntax allows percentages without their sign.
            NumberOrPercentage::Number { value } => Ok(value / 100.0),
            NumberOrPercentage::Percentage { unit_value } => Ok(unit_value),
        }
    }

    fn parse_number_or_percentage(
        &self,
        input: &mut Parser,
    ) -> Result<NumberOrPercentage, ParseError<()>> {
        match length::parse(input) {
            Some(number) if number.unit == Unit::None => {
                Ok(NumberOrPercentage::Number { value: number.n })
            }
            Some(number) if number.unit == Unit::Percent => {
                Ok(NumberOrPercentage::Percentage { unit_value: number.n / 100.0 })
            }
            _ => Err(ParseError::unexpected_token()),
        }
    }
}

/// Returns a colour as it is seen; `None` for the current text colour.
fn paint(colour: &Color) -> Option<Paint> {
    // A part or opacity that is `none` counts as 0.
    let part = |value: Option<f32>| value.unwrap_or(0.0);
    let (rgb, alpha) = match *colour {
        Color::CurrentColor => return None,
        Color::Rgba(rgba) => {
            let parts = [rgba.red, rgba.green, rgba.blue].map(|part| f32::from(part) / 255.0);
            (parts, Some(rgba.alpha))
        }
        Color::Hsl(hsl) => {
            let hue = turn(hsl.hue);
            (hsl_to_rgb(hue, part(hsl.saturation), part(hsl.lightness)).into(), hsl.alpha)
        }
        Color::Hwb(hwb) => {
            let hue = turn(hwb.hue);
            (hwb_to_rgb(hue, part(hwb.whiteness), part(hwb.blackness)).into(), hwb.alpha)
        }
        Color::Lab(lab) => (of_lab(part(lab.lightness), part(lab.a), part(lab.b)), lab.alpha),
        Color::Lch(lch) => {
            let (a, b) = polar(part(lch.chroma), part(lch.hue));
            (of_lab(part(lch.lightness), a, b), lch.alpha)
        }
        Color::Oklab(lab) => (of_oklab(part(lab.lightness), part(lab.a), part(lab.b)), lab.alpha),
        Color::Oklch(lch) => {
            let (a, b) = polar(part(lch.chroma), part(lch.hue));
            (of_oklab(part(lch.lightness), a, b), lch.alpha)
        }
        Color::ColorFunction(colour) => ([colour.c1, colour.c2, colour.c3].map(part), colour.alpha),
    };
    let alpha = alpha.unwrap_or(0.0);
    Some(if alpha < FAINT {
        Paint::Transparent
    } else if rgb.iter().any(|part| !part.is_finite()) {
        Paint::Unknown
    } else if alpha < 1.0 {
        Paint::Veil(rgb.map(byte), byte(alpha))
    } else {
        Paint::Rgb(rgb.map(byte))
    })
}

#[expect(clippy::cast_sign_loss, reason = "clamped")]
fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Returns a hue as a fraction of the circle, and 0 if it is out of range: the library panics on others in a debug
/// build.
fn turn(degrees: Option<f32>) -> f32 {
    let turn = degrees.unwrap_or(0.0) / 360.0;
    if (0.0..=1.0).contains(&turn) { turn } else { 0.0 }
}

fn polar(chroma: f32, degrees: f32) -> (f32, f32) {
    let angle = degrees.to_radians();
    (chroma * angle.cos(), chroma * angle.sin())
}

/// Converts L*, a*, b* relative to the white point D50. Its difference from the white of screens is too small to be
/// seen.
fn of_lab(lightness: f32, red: f32, yellow: f32) -> [f32; 3] {
    let grey = (lightness.clamp(0.0, 100.0) + 16.0) / 116.0;
    let back = |t: f32| if t > 6.0 / 29.0 { t.powi(3) } else { (t - 4.0 / 29.0) * 108.0 / 841.0 };
    let (x, y, z) =
        (0.9505 * back(grey + red / 500.0), back(grey), 1.089 * back(grey - yellow / 200.0));
    [
        3.2406 * x - 1.5372 * y - 0.4986 * z,
        -0.9689 * x + 1.8758 * y + 0.0415 * z,
        0.0557 * x - 0.204 * y + 1.057 * z,
    ]
    .map(gamma)
}

fn of_oklab(lightness: f32, red: f32, yellow: f32) -> [f32; 3] {
    let lightness = lightness.clamp(0.0, 1.0);
    let l = (lightness + 0.396_337_8 * red + 0.215_803_76 * yellow).powi(3);
    let m = (lightness - 0.105_561_346 * red - 0.063_854_17 * yellow).powi(3);
    let s = (lightness - 0.089_484_18 * red - 1.291_485_5 * yellow).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(gamma)
}

/// Converts linear light to the stored value.
fn gamma(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Reads the colour of an attribute: a name, digits with or without `#`, or the digits in anything else.
pub(super) fn legacy(value: &str) -> Paint {
    let value = value.trim();
    if value.len() > 64 || value.is_empty() {
        return Paint::Unknown;
    }
    if let Ok((red, green, blue)) = parse_named_color(value) {
        return Paint::Rgb([red, green, blue]);
    }
    let digits = value.strip_prefix('#').unwrap_or(value);
    if value.starts_with('#')
        && digits.len() == 3
        && let Ok((red, green, blue, _)) = parse_hash_color(digits.as_bytes())
    {
        return Paint::Rgb([red, green, blue]);
    }
    let mut digits: Vec<u8> = digits
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(0))
        .collect();
    digits.resize(digits.len().next_multiple_of(3).max(3), 0);
    let n = digits.len() / 3;
    // Only the last eight digits of each third count, without the leading zeros that all three have.
    let mut skip = n.saturating_sub(8);
    while n - skip > 2 && digits.chunks(n).all(|part| part[skip] == 0) {
        skip += 1;
    }
    let byte = |at: usize| {
        let part = &digits[at * n + skip..(at + 1) * n];
        match *part {
            [only] => only,
            [high, low, ..] => high * 16 + low,
            [] => 0,
        }
    };
    Paint::Rgb([byte(0), byte(1), byte(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_has_many_names() {
        let names = [
            "white",
            "WHITE",
            "#fff",
            "#FFFFFFff",
            "rgb(255,255,255)",
            "rgb(100% 100% 100% / 1)",
            "rgba(calc(200 + 55), 255, 255, .9)",
            "hsl(0, 0%, 100%)",
            "hsl(120deg 50 100)",
            "hwb(0 100% 0%)",
            "lab(100% 0 0)",
            "lch(100 0 0)",
            "oklab(1 0 0)",
            "oklch(100% 0 0)",
            "color(srgb 1 1 1)",
            "color(display-p3 100% 100% 100%)",
            "light-dark(white, black)",
            "canvas",
            "w\\68ite",
        ];
        for name in names {
            let found = parse(&mut Parser::new(name)).expect(name).paint();
            assert!(found.is_lost_on(Paint::WHITE), "{name}: {found:?}");
            assert!(!found.is_lost_on(Paint::BLACK), "{name}: {found:?}");
        }
    }

    #[test]
    fn others_are_not_white() {
        for name in
            ["hsl(0 100% 50%)", "hwb(90 0% 0%)", "lab(50% 40 59)", "oklch(.6 .2 200)", "navy"]
        {
            let found = parse(&mut Parser::new(name)).expect(name).paint();
            assert!(matches!(found, Paint::Rgb(_)), "{name}");
            assert!(!found.is_lost_on(Paint::WHITE), "{name}: {found:?}");
        }
        for name in ["transparent", "#fff0", "rgb(0 0 0 / 5%)", "hsla(0, 0%, 0%, 0)"] {
            assert_eq!(
                parse(&mut Parser::new(name)),
                Some(DeclaredColour::Paint(Paint::Transparent)),
                "{name}"
            );
        }
        for name in ["color-mix(in srgb, red, blue)", "linktext", "hsl(from red h s l)"] {
            assert_eq!(
                parse(&mut Parser::new(name)),
                Some(DeclaredColour::Paint(Paint::Unknown)),
                "{name}"
            );
        }
        for name in ["", "12px", "nonsense", "url(x)"] {
            assert_eq!(parse(&mut Parser::new(name)), None, "{name}");
        }
        assert_eq!(parse(&mut Parser::new("currentColor")), Some(DeclaredColour::AsAround));
        for name in ["hsl(1e39 0% 50%)", "lab(1e38 1e38 1e38)", "oklch(1 1e38 1e38)"] {
            let _ = parse(&mut Parser::new(name));
        }
    }

    #[test]
    fn attributes_have_their_own_rules() {
        let cases = [
            ("red", [255, 0, 0]),
            ("#f00", [255, 0, 0]),
            ("fefefe", [254; 3]),
            ("f00", [15, 0, 0]),
            ("#00FF", [0, 255, 0]),
        ];
        for (value, rgb) in cases {
            assert_eq!(legacy(value), Paint::Rgb(rgb), "{value}");
        }
        assert_eq!(legacy(" "), Paint::Unknown);
    }
}
