//! Declarations that set several properties.
//!
//! Cost: O(n) in the value.
//! Source: CSS 2.2; CSS Backgrounds 3, Fonts 4.

use cssparser::{Parser, Token};

use super::super::colour::{self, Paint};
use super::super::length::{self, Length, Unit};
use super::longhand::{ident, one_of, overflow_of, room, sides, size};
use super::{Mode, ParsedDeclarations, Property, Value};

pub(super) fn overflow(input: &mut Parser<'_>, found: &mut ParsedDeclarations) -> Option<()> {
    let x = overflow_of(input)?;
    let y = if input.is_exhausted() { x } else { overflow_of(input)? };
    found.extend([(Property::OverflowX, x), (Property::OverflowY, y)]);
    Some(())
}

pub(super) fn margin(
    input: &mut Parser<'_>,
    mode: Mode,
    found: &mut ParsedDeclarations,
) -> Option<()> {
    let sides = sides(input, mode);
    let &top = sides.first()?;
    let left = *sides.get(3).or(sides.get(1)).unwrap_or(&top);
    let room = room(&sides)?;
    found.extend([
        (Property::MarginTop, top),
        (Property::MarginLeft, left),
        (Property::Room, room),
    ]);
    Some(())
}

pub(super) fn inset(
    input: &mut Parser<'_>,
    mode: Mode,
    found: &mut ParsedDeclarations,
) -> Option<()> {
    let sides = sides(input, mode);
    let &top = sides.first()?;
    let right = *sides.get(1).unwrap_or(&top);
    found.extend([
        (Property::Top, top),
        (Property::Right, right),
        (Property::Bottom, *sides.get(2).unwrap_or(&top)),
        (Property::Left, *sides.get(3).unwrap_or(&right)),
    ]);
    Some(())
}

/// Reads one or two values, for the start and the end of an axis, into those of `properties` that they set.
pub(super) fn both(
    properties: &[Property],
    input: &mut Parser<'_>,
    mode: Mode,
    found: &mut ParsedDeclarations,
) -> Option<()> {
    let sides = sides(input, mode);
    let &start = sides.first().filter(|_| sides.len() <= 2)?;
    let end = *sides.get(1).unwrap_or(&start);
    for &property in properties {
        let value = match property {
            Property::Room => room(&[start, end, start, start])?,
            Property::Right | Property::Bottom => end,
            _ => start,
        };
        found.push((property, value));
    }
    Some(())
}

/// Reads the size in a `font`: it comes after styles and weights, and before the names of fonts.
pub(super) fn font(input: &mut Parser<'_>, found: &mut ParsedDeclarations) -> Option<()> {
    const SYSTEM: [&str; 6] =
        ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"];
    const BEFORE: [&str; 15] = [
        "normal",
        "italic",
        "oblique",
        "small-caps",
        "bold",
        "bolder",
        "lighter",
        "ultra-condensed",
        "extra-condensed",
        "condensed",
        "semi-condensed",
        "semi-expanded",
        "expanded",
        "extra-expanded",
        "ultra-expanded",
    ];
    if input.try_parse(|input| one_of(input, &SYSTEM, &[]).ok_or(())).is_ok() {
        found.push((Property::FontSize, Value::Unset));
        return Some(());
    }
    let before = |input: &mut Parser<'_>| match length::parse(input) {
        Some(Length { n, unit: Unit::None }) if n >= 1.0 => Ok(()),
        Some(_) => Err(()),
        None => one_of(input, &BEFORE, &[]).map(|_| ()).ok_or(()),
    };
    while input.try_parse(before).is_ok() {}
    let size = size(input, Mode::Standards)?;
    if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        length::parse(input).is_some().then_some(()).or_else(|| ident(input).map(|_| ()))?;
    }
    // A `font` without a family name is invalid.
    let token = input.next().ok()?;
    let has_name = matches!(token, Token::Ident(_) | Token::QuotedString(_) | Token::Function(_));
    while input.next().is_ok() {}
    has_name.then(|| found.push((Property::FontSize, Value::Size(size))))
}

/// Reads the colour of a `background`, and whether there is a picture or something that we do not understand.
pub(super) fn background(input: &mut Parser<'_>, found: &mut ParsedDeclarations) -> Option<()> {
    const WORDS: [&str; 20] = [
        "none",
        "repeat",
        "repeat-x",
        "repeat-y",
        "no-repeat",
        "space",
        "round",
        "scroll",
        "fixed",
        "local",
        "left",
        "right",
        "top",
        "bottom",
        "center",
        "auto",
        "cover",
        "contain",
        "border-box",
        "padding-box",
    ];
    let (mut background, mut has_image) = (None, false);
    while !input.is_exhausted() {
        if let Ok(colour) = input.try_parse(|input| colour::parse(input).ok_or(())) {
            // `currentcolor` is unknown here, since the text colour is another property.
            background = background.or(Some(colour.paint()));
            continue;
        }
        match input.next().ok()? {
            Token::Ident(word) => {
                let word = word.to_ascii_lowercase();
                if word == "text" {
                    found.push((Property::MayShow, Value::Is(true)));
                } else if word != "content-box" && !WORDS.contains(&&*word) {
                    return None;
                }
            }
            Token::Function(name) => has_image |= !name.eq_ignore_ascii_case("calc"),
            Token::UnquotedUrl(_) => has_image = true,
            _ => {}
        }
    }
    // Without a colour the shorthand makes the background transparent.
    found.push((Property::Background, Value::Paint(background.unwrap_or(Paint::Transparent))));
    found.push((Property::BackgroundImage, Value::Is(has_image)));
    Some(())
}
