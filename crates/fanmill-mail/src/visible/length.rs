//! Numbers of styles with their units, and calculations with them.
//!
//! Cost: O(n) in the value; the parser limits how deep functions are nested.
//! Source: CSS Values and Units Module Level 4, §6 and §10.
//! Departs from it: a sum of different units has an unknown unit, unless one of them is 0.

use cssparser::{Parser, Token};

use super::nested::{nested, separated};

/// The unit of a number, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Pixels,
    Points,
    /// A percentage.
    Percent,
    /// Relative to the font of the element: `em`, `ex`, `ch`.
    Font,
    /// Relative to the font of the page: `rem`.
    RootFont,
    /// Hundredths of the window: `vw`, `vh`.
    Window,
    Degrees,
    Other,
}

/// A number and its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Length {
    pub(super) n: f32,
    pub(super) unit: Unit,
}

impl Length {
    pub(super) const fn new(n: f32, unit: Unit) -> Length {
        Length { n, unit }
    }

    /// Returns the length in pixels; a bare number counts as pixels.
    pub(super) fn pixels(self) -> Option<f32> {
        match self.unit {
            Unit::None | Unit::Pixels => Some(self.n),
            Unit::Points => Some(self.n * 4.0 / 3.0),
            _ if self.n == 0.0 => Some(0.0),
            _ => None,
        }
    }

    /// Returns the length in pixels, assuming text of 16 pixels and a window of 800 pixels.
    pub(super) fn about_pixels(self) -> Option<f32> {
        match self.unit {
            Unit::Font | Unit::RootFont => Some(self.n * 16.0),
            Unit::Window => Some(self.n * 8.0),
            _ => self.pixels(),
        }
    }

    /// Returns a fraction, from a bare number or a percentage.
    pub(super) fn share(self) -> Option<f32> {
        match self.unit {
            Unit::None => Some(self.n),
            Unit::Percent => Some(self.n / 100.0),
            _ => None,
        }
    }

    fn with_unit(n: f32, unit: &str) -> Length {
        let unit = unit.to_ascii_lowercase();
        let (times, unit) = match &*unit {
            "px" => (1.0, Unit::Pixels),
            "pt" => (1.0, Unit::Points),
            "pc" => (16.0, Unit::Pixels),
            "in" => (96.0, Unit::Pixels),
            "cm" => (96.0 / 2.54, Unit::Pixels),
            "mm" => (9.6 / 2.54, Unit::Pixels),
            "q" => (2.4 / 2.54, Unit::Pixels),
            "em" | "ex" | "ch" | "lh" | "cap" | "ic" => (1.0, Unit::Font),
            "rem" | "rex" | "rch" | "rlh" => (1.0, Unit::RootFont),
            "vw" | "vh" | "vmin" | "vmax" | "svw" | "svh" | "lvw" | "lvh" | "dvw" | "dvh" => {
                (1.0, Unit::Window)
            }
            "deg" => (1.0, Unit::Degrees),
            "grad" => (0.9, Unit::Degrees),
            "rad" => (180.0 / std::f32::consts::PI, Unit::Degrees),
            "turn" => (360.0, Unit::Degrees),
            _ => (1.0, Unit::Other),
        };
        Length::new(n * times, unit)
    }

    fn plus(self, other: Length) -> Length {
        let unit = match (self.unit, other.unit) {
            (a, b) if a == b => a,
            (_, unit) if self.n == 0.0 => unit,
            (unit, _) if other.n == 0.0 => unit,
            _ => Unit::Other,
        };
        Length::new(self.n + other.n, unit)
    }

    fn times(self, other: Length) -> Length {
        let unit = if self.unit == Unit::None { other.unit } else { self.unit };
        Length::new(self.n * other.n, unit)
    }

    /// Returns the smaller length. If the units differ, the unit of the result is unknown.
    fn least(self, other: Length) -> Length {
        let unit = if self.unit == other.unit { self.unit } else { Unit::Other };
        Length::new(self.n.min(other.n), unit)
    }

    fn negative(self) -> Length {
        Length::new(-self.n, self.unit)
    }
}

/// Reads a number with or without a unit, or a function that calculates one.
pub(super) fn parse(input: &mut Parser<'_>) -> Option<Length> {
    input.try_parse(|input| value(input).ok_or(())).ok()
}

/// Reads a value of a calculation.
fn value(input: &mut Parser<'_>) -> Option<Length> {
    let token = input.next().ok()?.clone();
    let length = match token {
        Token::Number { value, .. } => Length::new(value, Unit::None),
        Token::Percentage { unit_value, .. } => Length::new(unit_value * 100.0, Unit::Percent),
        Token::Dimension { value, unit, .. } => Length::with_unit(value, &unit),
        Token::ParenthesisBlock => nested(input, sum)?,
        Token::Function(name) => match &*name.to_ascii_lowercase() {
            "calc" | "-webkit-calc" | "-moz-calc" => nested(input, sum)?,
            "min" => list(input)?.into_iter().reduce(Length::least)?,
            "max" => {
                let negative = list(input)?.into_iter().map(Length::negative);
                negative.reduce(Length::least)?.negative()
            }
            "clamp" => match *list(input)? {
                [low, middle, high] => {
                    let least = middle.least(high);
                    low.negative().least(least.negative()).negative()
                }
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    length.n.is_finite().then_some(length)
}

fn list(input: &mut Parser<'_>) -> Option<Vec<Length>> {
    nested(input, |input| separated(input, sum))
}

/// Reads `a + b - c`.
fn sum(input: &mut Parser<'_>) -> Option<Length> {
    let mut total = product(input)?;
    loop {
        let sign = input.try_parse(|input| match input.next() {
            Ok(Token::Delim(sign @ ('+' | '-'))) => Ok(*sign),
            _ => Err(()),
        });
        let Ok(sign) = sign else { return Some(total) };
        let next = product(input)?;
        total = total.plus(if sign == '-' { next.negative() } else { next });
    }
}

/// Reads `a * b / c`.
fn product(input: &mut Parser<'_>) -> Option<Length> {
    let mut total = value(input)?;
    loop {
        let sign = input.try_parse(|input| match input.next() {
            Ok(Token::Delim(sign @ ('*' | '/'))) => Ok(*sign),
            _ => Err(()),
        });
        let Ok(sign) = sign else { return Some(total) };
        let next = value(input)?;
        if sign == '/' && next.n == 0.0 {
            return None;
        }
        total = total.times(if sign == '/' { Length::new(1.0 / next.n, next.unit) } else { next });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_calculated() {
        let cases = [
            ("1.5PX", Some((1.5, Unit::Pixels))),
            ("-0", Some((0.0, Unit::None))),
            (".5%", Some((0.5, Unit::Percent))),
            ("1in", Some((96.0, Unit::Pixels))),
            ("calc(1px - 1px)", Some((0.0, Unit::Pixels))),
            ("calc(2 * (3em + 0px) / 4)", Some((1.5, Unit::Font))),
            ("calc(1px + 1em)", Some((2.0, Unit::Other))),
            ("min(0px, 5px)", Some((0.0, Unit::Pixels))),
            ("max(0px, 5px)", Some((5.0, Unit::Pixels))),
            ("clamp(1px, 9px, 3px)", Some((3.0, Unit::Pixels))),
            ("calc(1 / 0)", None),
            ("1e39px", None),
            ("red", None),
        ];
        for (text, expected) in cases {
            let found = parse(&mut Parser::new(text)).map(|length| (length.n, length.unit));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{}1px", "calc(".repeat(1_000_000));
        assert_eq!(parse(&mut Parser::new(&deep)), None);
    }
}
