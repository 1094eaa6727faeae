//! Declarations of styles, as far as they can hide text, show it again, or turn it around.
//!
//! A value that is none of its property is passed over, as in browsers. One that we do not understand hides nothing: a colour
//! is unknown then, and a ground too, on which nothing is hidden.
//!
//! Cost: O(n) in the value.
//! Source: CSS 2.2; CSS Color 4, Transforms 2, Masking 1, Filter Effects 1, Containment 2, Writing Modes 4.

use cssparser::{ParseError, Parser, Token};

use super::colour::{self, Paint, Said};
use super::length::{self, Length, Unit};

/// What declarations are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Display,
    MsoHide,
    Visibility,
    ContentVisibility,
    Opacity,
    Filter,
    Transform,
    Translate,
    Scale,
    Zoom,
    Clip,
    ClipPath,
    FontSize,
    Colour,
    TextFill,
    Ground,
    GroundImage,
    Position,
    Left,
    Top,
    Right,
    Indent,
    MarginLeft,
    MarginTop,
    Width,
    Height,
    MaxWidth,
    MaxHeight,
    OverflowX,
    OverflowY,
    WhiteSpace,
    Direction,
    UnicodeBidi,
}

/// How many properties there are.
pub(super) const N_PROPERTIES: usize = Property::UnicodeBidi as usize + 1;

/// What a declaration says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// As if nothing had been declared.
    Unset,
    Is(bool),
    /// A share of what is there, or how large.
    Share(f32),
    Length(Length),
    Size(Size),
    Paint(Paint),
    Bidi(Bidi),
}

/// A font size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    /// In pixels.
    Pixels(f32),
    /// Of the size around.
    Times(f32),
    /// Of the page's size.
    TimesRoot(f32),
    /// Too small to read, whatever is around.
    Tiny,
}

/// How the direction of letters goes on from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bidi {
    /// As around.
    Through,
    /// By the letters themselves.
    Isolated,
    /// All in the direction of the element, whatever the letters are.
    Overridden,
}

/// Text of at most this size, in pixels or points, is too small to read.
pub(super) const TINY: f32 = 1.5;

/// Reads a value of the property called `name`, in lower case, and gives what it declares to `set`.
pub(super) fn read(name: &str, value: &str, mut set: impl FnMut(Property, Value)) {
    let input = &mut Parser::new(value);
    let set = &mut set;
    match name {
        "background" => return background(input, set),
        "font" => return font(input, set),
        "margin" => return margin(input, set),
        "inset" => return inset(input, set),
        "overflow" => return overflow(input, set),
        "all" => return,
        _ => {}
    }
    let Some(property) = named(name) else { return };
    let value = match keyword(property, value) {
        Some(value) => Some(value),
        None => one(property, input),
    };
    if let Some(value) = value {
        set(property, value);
    }
}

fn named(name: &str) -> Option<Property> {
    use Property as P;
    Some(match name {
        "display" => P::Display,
        "mso-hide" => P::MsoHide,
        "visibility" => P::Visibility,
        "content-visibility" => P::ContentVisibility,
        "opacity" | "-moz-opacity" | "-khtml-opacity" => P::Opacity,
        "filter" | "-webkit-filter" => P::Filter,
        "transform" | "-webkit-transform" | "-ms-transform" => P::Transform,
        "translate" => P::Translate,
        "scale" => P::Scale,
        "zoom" => P::Zoom,
        "clip" => P::Clip,
        "clip-path" | "-webkit-clip-path" => P::ClipPath,
        "font-size" => P::FontSize,
        "color" => P::Colour,
        "-webkit-text-fill-color" => P::TextFill,
        "background-color" => P::Ground,
        "background-image" => P::GroundImage,
        "position" => P::Position,
        "left" => P::Left,
        "top" => P::Top,
        "right" => P::Right,
        "text-indent" => P::Indent,
        "margin-left" => P::MarginLeft,
        "margin-top" => P::MarginTop,
        "width" | "inline-size" => P::Width,
        "height" | "block-size" => P::Height,
        "max-width" | "max-inline-size" => P::MaxWidth,
        "max-height" | "max-block-size" => P::MaxHeight,
        "overflow-x" => P::OverflowX,
        "overflow-y" => P::OverflowY,
        "white-space" => P::WhiteSpace,
        "direction" => P::Direction,
        "unicode-bidi" => P::UnicodeBidi,
        _ => return None,
    })
}

/// The keywords that every property has.
fn keyword(property: Property, value: &str) -> Option<Value> {
    let value = value.trim();
    let is = |word: &str| value.eq_ignore_ascii_case(word);
    if is("initial") {
        return Some(match property {
            Property::Display | Property::Visibility => Value::Is(true),
            Property::Colour => Value::Paint(Paint::BLACK),
            Property::FontSize => Value::Size(Size::TimesRoot(1.0)),
            Property::WhiteSpace | Property::Direction => Value::Is(false),
            _ => Value::Unset,
        });
    }
    let is_unset = is("inherit") || is("unset") || is("revert") || is("revert-layer");
    is_unset.then_some(Value::Unset)
}

/// Reads a property of one value.
fn one(property: Property, input: &mut Parser<'_>) -> Option<Value> {
    use Property as P;
    match property {
        P::Display => Some(Value::Is(ident(input)? != "none")),
        P::MsoHide => Some(Value::Is(ident(input)? != "all")),
        P::Visibility => Some(Value::Is(!matches!(&*ident(input)?, "hidden" | "collapse"))),
        P::ContentVisibility => Some(Value::Is(ident(input)? != "hidden")),
        P::Opacity | P::Zoom => share(input).map(Value::Share),
        P::Filter => Some(Value::Share(filter(input))),
        P::Transform => Some(Value::Is(!is_transformed_away(input))),
        P::Translate => Some(Value::Is(!lengths(input).into_iter().any(is_far))),
        P::Scale => {
            let factors = lengths(input);
            let is_flat = |length: &Length| length.share().is_some_and(|n| n.abs() < FLAT);
            Some(Value::Is(!factors.iter().take(2).any(is_flat)))
        }
        P::Clip => Some(Value::Is(!is_empty_clip(input))),
        P::ClipPath => Some(Value::Is(!is_empty_path(input))),
        P::FontSize => size(input).map(Value::Size),
        P::Colour | P::TextFill => paint(input),
        // The colour of text is that of another property.
        P::Ground => colour::parse(input).map(|said| Value::Paint(said.paint())),
        P::GroundImage => Some(Value::Is(ident(input).is_none_or(|word| word != "none"))),
        P::Position => Some(Value::Is(ident(input)? != "static")),
        P::OverflowX | P::OverflowY => Some(Value::Is(ident(input)? != "visible")),
        P::WhiteSpace => Some(Value::Is(ident(input)?.starts_with("pre"))),
        P::Direction => Some(Value::Is(ident(input)? == "rtl")),
        P::UnicodeBidi => Some(Value::Bidi(match &*ident(input)? {
            "bidi-override" | "isolate-override" | "-webkit-isolate-override" => Bidi::Overridden,
            "isolate" | "plaintext" | "embed" => Bidi::Isolated,
            _ => Bidi::Through,
        })),
        _ => length_or_none(input),
    }
}

/// A length, or a word that stands for none.
fn length_or_none(input: &mut Parser<'_>) -> Option<Value> {
    match length::parse(input) {
        Some(length) => Some(Value::Length(length)),
        None => ident(input).map(|_| Value::Unset),
    }
}

fn ident(input: &mut Parser<'_>) -> Option<String> {
    input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase())).ok()
}

fn share(input: &mut Parser<'_>) -> Option<f32> {
    match length::parse(input) {
        Some(length) => length.share(),
        None => ident(input).map(|_| 1.0),
    }
}

fn paint(input: &mut Parser<'_>) -> Option<Value> {
    colour::parse(input).map(|said| match said {
        Said::AsAround => Value::Unset,
        Said::Paint(paint) => Value::Paint(paint),
    })
}

/// Numbers one after the other, whatever is between them.
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

/// Calls `read` with the name of each function of a value, in lower case, and the numbers in it.
fn functions(input: &mut Parser<'_>, mut read: impl FnMut(&str, &[Length])) {
    while let Ok(token) = input.next() {
        let Token::Function(name) = token else { continue };
        let name = name.to_ascii_lowercase();
        let inside = |input: &mut Parser<'_>| -> Result<(), ParseError<()>> {
            read(&name, &lengths(input));
            Ok(())
        };
        // What is nested too deeply is passed over.
        let _ = input.parse_nested_block(inside);
    }
}

/// What is less wide or high, as a share, is not seen.
const FLAT: f32 = 0.1;
/// What is moved at least so many pixels to the left or above is off the page.
const FAR: f32 = -300.0;

/// Whether something is moved off the page by so much.
pub(super) fn is_far(length: Length) -> bool {
    length.unit != Unit::Points && length.pixels().is_some_and(|n| n <= FAR)
}

/// How opaque filters leave what they are on.
fn filter(input: &mut Parser<'_>) -> f32 {
    let mut left = 1.0;
    functions(input, |name, numbers| {
        let first = numbers.first().copied();
        match name {
            "opacity" => left *= first.and_then(Length::share).unwrap_or(1.0),
            // All of one grey.
            "contrast" if first.and_then(Length::share).is_some_and(|n| n < FLAT) => left = 0.0,
            // Of the Internet Explorer: `alpha(opacity=0)`.
            "alpha" => left *= first.map_or(1.0, |number| number.n / 100.0),
            _ => {}
        }
    });
    left
}

/// Whether a transformation leaves nothing to be seen.
fn is_transformed_away(input: &mut Parser<'_>) -> bool {
    let mut is_away = false;
    functions(input, |name, numbers| {
        let is_flat = |at: usize| numbers.get(at).is_some_and(|number| number.n.abs() < FLAT);
        let is_edge_on = numbers.first().is_some_and(|angle| {
            let turned = angle.n.rem_euclid(180.0);
            (turned - 90.0).abs() < 3.0
        });
        is_away |= match name {
            "scale" | "scale3d" => is_flat(0) || is_flat(1),
            "scalex" | "scaley" => is_flat(0),
            "matrix" => match numbers {
                [a, b, c, d, ..] => (a.n * d.n - b.n * c.n).abs() < FLAT * FLAT,
                _ => false,
            },
            "rotatex" | "rotatey" => is_edge_on,
            "translate" | "translatex" | "translatey" | "translate3d" => {
                numbers.iter().copied().any(is_far)
            }
            _ => false,
        };
    });
    is_away
}

/// Whether a value of `clip` leaves nothing: all four sides are 0, or 1 pixel.
fn is_empty_clip(input: &mut Parser<'_>) -> bool {
    let mut is_empty = false;
    functions(input, |name, sides| {
        let is_tiny = |side: &Length| side.n.abs() < TINY;
        is_empty = name == "rect" && !sides.is_empty() && sides.iter().all(is_tiny);
    });
    is_empty
}

/// Whether a value of `clip-path` leaves nothing.
fn is_empty_path(input: &mut Parser<'_>) -> bool {
    let mut is_empty = false;
    functions(input, |name, numbers| {
        let is_none = |length: &Length| length.n.abs() < TINY && length.unit != Unit::Font;
        is_empty = match name {
            "circle" => numbers.first().is_some_and(is_none),
            "ellipse" => numbers.iter().take(2).any(is_none),
            "inset" => inset_is_empty(numbers),
            "rect" => numbers.len() == 4 && numbers.iter().all(is_none),
            "xywh" => numbers.iter().skip(2).take(2).any(is_none),
            "polygon" => has_no_area(numbers),
            _ => false,
        };
    });
    is_empty
}

/// Whether so much is cut off on opposite sides that nothing stays: top, right, bottom, left.
fn inset_is_empty(numbers: &[Length]) -> bool {
    let at = |at: usize| {
        numbers.get(at).filter(|length| length.unit == Unit::Percent).map(|length| length.n)
    };
    let (top, right) = (at(0), at(1).or(at(0)));
    let (bottom, left) = (at(2).or(top), at(3).or(right));
    let covers = |a: Option<f32>, b: Option<f32>| a.zip(b).is_some_and(|(a, b)| a + b > 98.0);
    covers(top, bottom) || covers(right, left)
}

/// Whether the corners of a polygon, pairs of numbers, enclose nothing.
fn has_no_area(numbers: &[Length]) -> bool {
    let corners: Vec<(f32, f32)> = numbers.chunks_exact(2).map(|xy| (xy[0].n, xy[1].n)).collect();
    let next = corners.iter().cycle().skip(1);
    let twice: f32 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
    !corners.is_empty() && twice.abs() < 2.0 * TINY
}

/// A font size: a number, or a word.
fn size(input: &mut Parser<'_>) -> Option<Size> {
    let Some(Length { n, unit }) = length::parse(input) else {
        return Some(match &*ident(input)? {
            "xx-small" => Size::Pixels(9.0),
            "x-small" => Size::Pixels(10.0),
            "small" => Size::Pixels(13.0),
            "medium" | "math" => Size::Pixels(16.0),
            "large" => Size::Pixels(18.0),
            "x-large" => Size::Pixels(24.0),
            "xx-large" => Size::Pixels(32.0),
            "xxx-large" => Size::Pixels(48.0),
            "smaller" => Size::Times(1.0 / 1.2),
            "larger" => Size::Times(1.2),
            _ => return None,
        });
    };
    Some(match unit {
        Unit::None | Unit::Pixels | Unit::Points if n < TINY => Size::Tiny,
        Unit::None | Unit::Pixels => Size::Pixels(n),
        Unit::Points => Size::Pixels(n * 4.0 / 3.0),
        // Of nothing, any share is nothing.
        _ if n <= FLAT => Size::Tiny,
        Unit::Percent => Size::Times(n / 100.0),
        Unit::Font => Size::Times(n),
        Unit::RootFont => Size::TimesRoot(n),
        // Of a window 800 pixels wide.
        Unit::Window => Size::Pixels(n * 8.0),
        Unit::Degrees | Unit::Other => return None,
    })
}

/// The size of a `font`, which is its first number that is no weight.
fn font(input: &mut Parser<'_>, set: &mut impl FnMut(Property, Value)) {
    loop {
        let weight = |input: &mut Parser<'_>| {
            let is_weight = |length: &Length| length.unit == Unit::None && length.n >= 1.0;
            length::parse(input).filter(is_weight).ok_or(())
        };
        if input.try_parse(weight).is_ok() {
            continue;
        }
        if let Ok(size) = input.try_parse(|input| size(input).ok_or(())) {
            return set(Property::FontSize, Value::Size(size));
        }
        if input.next().is_err() {
            return;
        }
    }
}

/// The colour of a `background`: the first part of the value that is one. What is none is a picture, or too clever.
fn background(input: &mut Parser<'_>, set: &mut impl FnMut(Property, Value)) {
    let (mut ground, mut has_image, mut n_parts) = (None, false, 0);
    loop {
        if let Ok(colour) = input.try_parse(|input| colour::parse(input).ok_or(())) {
            // The colour of text, which is that of another property.
            ground = ground.or(Some(colour.paint()));
            n_parts += 1;
            continue;
        }
        let Ok(token) = input.next() else { break };
        n_parts += 1;
        has_image |= match token {
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                name != "calc"
            }
            Token::UnquotedUrl(_) => true,
            _ => false,
        };
    }
    if n_parts > 0 {
        // Without a colour the shorthand sets it to none.
        set(Property::Ground, Value::Paint(ground.unwrap_or(Paint::Transparent)));
        set(Property::GroundImage, Value::Is(has_image));
    }
}

fn margin(input: &mut Parser<'_>, set: &mut impl FnMut(Property, Value)) {
    let sides = sides(input);
    if let Some(&top) = sides.first() {
        set(Property::MarginTop, top);
        set(Property::MarginLeft, *sides.get(3).or(sides.get(1)).unwrap_or(&top));
    }
}

fn inset(input: &mut Parser<'_>, set: &mut impl FnMut(Property, Value)) {
    let sides = sides(input);
    if let Some(&top) = sides.first() {
        let right = *sides.get(1).unwrap_or(&top);
        set(Property::Top, top);
        set(Property::Right, right);
        set(Property::Left, *sides.get(3).unwrap_or(&right));
    }
}

/// Up to four lengths or words.
fn sides(input: &mut Parser<'_>) -> Vec<Value> {
    let mut sides = Vec::new();
    while sides.len() < 4
        && let Some(side) = length_or_none(input)
    {
        sides.push(side);
    }
    sides
}

fn overflow(input: &mut Parser<'_>, set: &mut impl FnMut(Property, Value)) {
    let Some(x) = ident(input) else { return };
    let y = ident(input).unwrap_or_else(|| x.clone());
    set(Property::OverflowX, Value::Is(x != "visible"));
    set(Property::OverflowY, Value::Is(y != "visible"));
}
