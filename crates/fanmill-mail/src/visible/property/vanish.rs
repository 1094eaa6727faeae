//! Values that cut, turn, shrink, move or fade an element so that nothing of it is visible.
//!
//! Partial effects are ignored: text that is cut in half can be read. Where we cannot know, as with filters of colours,
//! text may be visible and may be hidden.
//!
//! Cost: O(n) in the value.
//! Source: CSS 2.2, §11.1; CSS Transforms 2, Masking 1, Filter Effects 1.

use cssparser::{Parser, Token};

use super::super::length::{self, Length, Unit};
use super::super::nested::nested;
use super::{ParsedDeclarations, Property, TINY, Value};

/// Scale factor below which an element is invisible.
const FLAT: f32 = 0.1;
/// Distance in pixels from which an element is off the page: negative, so to the left or up.
const FAR: f32 = -300.0;
/// Distance in pixels, to the right or down, from which an element is seen only by readers who scroll.
const FAR_BEHIND: f32 = 2000.0;

/// Returns whether an element moved by this length is off the page.
pub(in super::super) fn is_far(length: Length) -> bool {
    match length.unit {
        // Half a window only moves an element from the middle to the edge.
        Unit::Window => length.n <= -100.0,
        Unit::Percent => length.n <= -150.0,
        _ => length.about_pixels().is_some_and(|n| n <= FAR),
    }
}

/// Returns whether an element moved by this length may be out of sight; only a layout would decide.
pub(in super::super) fn may_be_far(length: Length) -> bool {
    match length.unit {
        Unit::Window => length.n <= -40.0,
        Unit::Percent => length.n <= -90.0,
        Unit::Other => length.n < 0.0,
        _ => length.about_pixels().is_some_and(|n| n >= FAR_BEHIND),
    }
}

/// Returns whether an element turned by this angle is seen from its edge.
fn is_edge_on(angle: Length) -> bool {
    let turned = angle.n.rem_euclid(180.0);
    (turned - 90.0).abs() < 3.0
}

fn is_flat(factor: Length) -> bool {
    factor.share().is_some_and(|n| n.abs() < FLAT)
}

/// Reads all numbers, whatever is between them.
fn lengths(input: &mut Parser<'_>) -> Vec<Length> {
    let mut found = Vec::new();
    loop {
        match length::parse(input) {
            Some(length) => found.push(length),
            None if input.next().is_err() => return found,
            None => {}
        }
    }
}

/// Reads numbers and nothing else, or `none`.
fn only_lengths(input: &mut Parser<'_>) -> Option<Vec<Length>> {
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Some(Vec::new());
    }
    let first = length::parse(input)?;
    let others = std::iter::from_fn(|| length::parse(input));
    Some([first].into_iter().chain(others).collect())
}

/// Calls `read` with the name of each function of a value, in lower case, and the numbers in it. Returns `None` if
/// `read` does not know the function. `words` are allowed between functions.
fn functions(
    input: &mut Parser<'_>,
    words: &[&str],
    mut read: impl FnMut(&str, &[Length]) -> Option<()>,
) -> Option<()> {
    while let Ok(token) = input.next().cloned() {
        match token {
            Token::Ident(word) if words.iter().any(|other| word.eq_ignore_ascii_case(other)) => {}
            Token::UnquotedUrl(_) => {}
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                // Functions that are nested too deeply are also invalid.
                nested(input, |input| read(&name, &lengths(input)))?;
            }
            _ => return None,
        }
    }
    Some(())
}

pub(super) fn translate(input: &mut Parser<'_>) -> Option<Value> {
    Some(Value::Is(!only_lengths(input)?.into_iter().any(is_far)))
}

pub(super) fn scale(input: &mut Parser<'_>) -> Option<Value> {
    Some(Value::Is(!only_lengths(input)?.into_iter().take(2).any(is_flat)))
}

/// Reads `y 90deg`; an axis given in numbers is not followed.
pub(super) fn rotate(input: &mut Parser<'_>) -> Option<Value> {
    let axis = input.try_parse(|input| input.expect_ident().map(|axis| axis.to_ascii_lowercase()));
    if axis.as_deref() == Ok("none") {
        return Some(Value::Is(true));
    }
    let angle = *only_lengths(input)?.last()?;
    Some(Value::Is(!(matches!(axis.as_deref(), Ok("x" | "y")) && is_edge_on(angle))))
}

/// Reads a filter: the opacity that it leaves, and whether it changes colours in a way that we do not follow.
pub(super) fn filter(input: &mut Parser<'_>, found: &mut ParsedDeclarations) -> Option<()> {
    let (mut left, mut is_unclear) = (1.0, false);
    functions(input, &["none"], |name, numbers| {
        let first = numbers.first().copied();
        match name {
            "opacity" => left *= first.and_then(Length::share).unwrap_or(1.0),
            "blur" => {}
            "brightness" | "contrast" | "drop-shadow" | "grayscale" | "hue-rotate" | "invert"
            | "saturate" | "sepia" | "url" | "alpha" => is_unclear = true,
            _ => return None,
        }
        Some(())
    })?;
    found.push((Property::Filter, Value::Share(left)));
    for property in [Property::MayShow, Property::MayHide] {
        found.push((property, Value::Is(is_unclear)));
    }
    Some(())
}

/// Reads a transformation: whether it leaves anything visible.
pub(super) fn transform(input: &mut Parser<'_>, found: &mut ParsedDeclarations) -> Option<()> {
    let (mut is_away, mut is_unclear) = (false, false);
    functions(input, &["none"], |name, numbers| {
        is_unclear |= name.starts_with("translate") && numbers.iter().copied().any(may_be_far);
        let is_flat = |at: usize| numbers.get(at).is_some_and(|&number| is_flat(number));
        is_away |= match name {
            "scale" | "scale3d" => is_flat(0) || is_flat(1),
            "scalex" | "scaley" => is_flat(0),
            "matrix" => match numbers {
                [a, b, c, d, ..] => (a.n * d.n - b.n * c.n).abs() < FLAT * FLAT,
                _ => false,
            },
            "rotatex" | "rotatey" => numbers.first().copied().is_some_and(is_edge_on),
            "translate" | "translatex" | "translatey" | "translate3d" => {
                numbers.iter().copied().any(is_far)
            }
            "rotate" | "rotatez" | "scalez" | "translatez" => false,
            "matrix3d" | "perspective" | "rotate3d" | "skew" | "skewx" | "skewy" => {
                is_unclear = true;
                false
            }
            _ => return None,
        };
        Some(())
    })?;
    found.push((Property::Transform, Value::Is(!is_away)));
    found.push((Property::MayHide, Value::Is(is_unclear)));
    Some(())
}

/// Reads a value of `clip`: whether it leaves anything. It does not if all four sides are 0 or 1 pixel.
pub(super) fn clip(input: &mut Parser<'_>) -> Option<Value> {
    let mut is_empty = false;
    functions(input, &["auto"], |name, sides| {
        let is_tiny = |side: &Length| side.n.abs() < TINY;
        is_empty = !sides.is_empty() && sides.iter().all(is_tiny);
        (name == "rect").then_some(())
    })?;
    Some(Value::Is(!is_empty))
}

/// Reads a value of `clip-path`: whether it leaves anything.
pub(super) fn clip_path(input: &mut Parser<'_>) -> Option<Value> {
    const BOXES: [&str; 8] = [
        "none",
        "border-box",
        "padding-box",
        "content-box",
        "margin-box",
        "fill-box",
        "stroke-box",
        "view-box",
    ];
    let mut is_empty = false;
    functions(input, &BOXES, |name, numbers| {
        let is_none = |length: &Length| length.n.abs() < TINY && length.unit != Unit::Font;
        is_empty = match name {
            "circle" => numbers.first().is_some_and(is_none),
            "ellipse" => numbers.iter().take(2).any(is_none),
            "inset" => inset_is_empty(numbers),
            "rect" => numbers.len() == 4 && numbers.iter().all(is_none),
            "xywh" => numbers.iter().skip(2).take(2).any(is_none),
            "polygon" => has_no_area(numbers),
            "path" | "shape" | "url" => false,
            _ => return None,
        };
        Some(())
    })?;
    Some(Value::Is(!is_empty))
}

/// Returns whether so much is cut off on opposite sides (top, right, bottom, left) that nothing remains.
fn inset_is_empty(numbers: &[Length]) -> bool {
    let at = |at: usize| {
        numbers.get(at).filter(|length| length.unit == Unit::Percent).map(|length| length.n)
    };
    let (top, right) = (at(0), at(1).or(at(0)));
    let (bottom, left) = (at(2).or(top), at(3).or(right));
    let covers = |a: Option<f32>, b: Option<f32>| a.zip(b).is_some_and(|(a, b)| a + b > 98.0);
    covers(top, bottom) || covers(right, left)
}

/// Returns whether a polygon, given by the pairs of numbers of its corners, encloses nothing.
fn has_no_area(numbers: &[Length]) -> bool {
    let corners: Vec<(f32, f32)> = numbers.chunks_exact(2).map(|xy| (xy[0].n, xy[1].n)).collect();
    let next = corners.iter().cycle().skip(1);
    let twice: f32 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
    !corners.is_empty() && twice.abs() < 2.0 * TINY
}
