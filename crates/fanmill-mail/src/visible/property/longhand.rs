//! Values of properties that have a single value.
//!
//! Cost: O(n) in the value.
//! Source: CSS 2.2; CSS Display 3, Color 4, Writing Modes 4; Quirks Mode Standard, §3.2.

use cssparser::{Parser, Token};

use super::super::colour::{self, DeclaredColour};
use super::super::length::{self, Length, Unit};
use super::{Bidi, Display, Mode, Property, Size, Value, vanish};

/// Reads the value of a property.
pub(super) fn read(property: Property, input: &mut Parser<'_>, mode: Mode) -> Option<Value> {
    use Property as P;
    const POSITIONS: [&str; 5] = ["absolute", "fixed", "relative", "sticky", "-webkit-sticky"];
    const KEPT: [&str; 5] = ["pre", "pre-wrap", "pre-line", "break-spaces", "preserve"];
    match property {
        P::Display => display(input).map(Value::Display),
        P::Sight => one_of(input, &["visible"], &["hidden", "collapse"]),
        P::ContentVisibility => one_of(input, &["visible", "auto"], &["hidden"]),
        P::Opacity => length::parse(input)?.share().map(Value::Share),
        P::Zoom => zoom(input).map(Value::Share),
        P::Translate => vanish::translate(input),
        P::Rotate => vanish::rotate(input),
        P::Scale => vanish::scale(input),
        P::Clip => vanish::clip(input),
        P::ClipPath => vanish::clip_path(input),
        P::FontSize => size(input, mode).map(Value::Size),
        P::Colour | P::TextFill => colour::parse(input).map(|said| match said {
            DeclaredColour::AsAround => Value::Unset,
            DeclaredColour::Paint(paint) => Value::Paint(paint),
        }),
        // `currentcolor` is unknown here, since the text colour is another property.
        P::Background => colour::parse(input).map(|said| Value::Paint(said.paint())),
        P::BackgroundImage => {
            let is_none = ident(input).is_some_and(|word| word == "none");
            while input.next().is_ok() {}
            Some(Value::Is(!is_none))
        }
        P::Position => one_of(input, &POSITIONS, &["static"]),
        P::OverflowX | P::OverflowY => overflow_of(input),
        P::Float => one_of(input, &["left", "right", "inline-start", "inline-end"], &["none"]),
        P::WhiteSpace => one_of(input, &KEPT, &["normal", "nowrap", "collapse", "wrap"]),
        P::Direction => one_of(input, &["rtl"], &["ltr"]),
        P::UnicodeBidi => Some(Value::Bidi(match &*ident(input)? {
            "bidi-override" | "isolate-override" | "-webkit-isolate-override" => Bidi::Overridden,
            "isolate" | "plaintext" | "embed" | "-webkit-isolate" => Bidi::Isolated,
            "normal" => Bidi::Through,
            _ => return None,
        })),
        P::Room => room(&sides(input, mode)),
        P::Width | P::Height | P::MaxWidth | P::MaxHeight => {
            let is_size = |value: &Value| !matches!(value, Value::Length(length) if length.n < 0.0);
            length_or_none(input, mode).filter(is_size)
        }
        _ => length_or_none(input, mode),
    }
}

/// Reads one of the words that mean yes, or one of those that mean no.
pub(super) fn one_of(input: &mut Parser<'_>, yes: &[&str], no: &[&str]) -> Option<Value> {
    let word = ident(input)?;
    let is = yes.contains(&&*word);
    (is || no.contains(&&*word)).then_some(Value::Is(is))
}

pub(super) fn ident(input: &mut Parser<'_>) -> Option<String> {
    input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase())).ok()
}

pub(super) fn overflow_of(input: &mut Parser<'_>) -> Option<Value> {
    one_of(input, &["hidden", "clip", "scroll", "auto", "overlay"], &["visible"])
}

fn display(input: &mut Parser<'_>) -> Option<Display> {
    let display = match &*ident(input)? {
        "none" | "table-column" | "table-column-group" => Display::None,
        "contents" => Display::Contents,
        "inline" | "ruby" | "ruby-base" | "ruby-text" | "math" => Display::Inline,
        "inline-block"
        | "inline-flex"
        | "inline-grid"
        | "inline-table"
        | "-webkit-inline-box"
        | "-webkit-inline-flex"
        | "-moz-inline-box"
        | "-ms-inline-flexbox" => Display::Beside,
        "table-cell" => Display::Cell,
        "block" | "flow" | "flow-root" | "flex" | "grid" | "list-item" | "table" | "table-row"
        | "table-caption" | "table-row-group" | "table-header-group" | "table-footer-group"
        | "-webkit-box" | "-webkit-flex" | "-moz-box" | "-ms-flexbox" => Display::Block,
        _ => return None,
    };
    if matches!(display, Display::Inline | Display::Block) {
        // Also accept `inline flow-root` and the like.
        let _ = one_of(input, &["flow", "flow-root", "flex", "grid", "table", "list-item"], &[]);
    }
    Some(display)
}

fn zoom(input: &mut Parser<'_>) -> Option<f32> {
    match length::parse(input) {
        Some(length) => length.share().filter(|share| *share >= 0.0),
        None => one_of(input, &["normal", "reset"], &[]).map(|_| 1.0),
    }
}

/// Reads a length, or a word such as `auto`.
fn length_or_none(input: &mut Parser<'_>, mode: Mode) -> Option<Value> {
    const WORDS: [&str; 6] =
        ["auto", "none", "normal", "min-content", "max-content", "fit-content"];
    match length::parse(input) {
        Some(length) => has_unit(length, mode).then_some(Value::Length(length)),
        None => one_of(input, &WORDS, &[]).map(|_| Value::Unset),
    }
}

/// Returns whether a length has a unit or does not need one.
fn has_unit(length: Length, mode: Mode) -> bool {
    length.unit != Unit::None || length.n == 0.0 || mode == Mode::Quirks
}

/// Reads up to four lengths or words.
pub(super) fn sides(input: &mut Parser<'_>, mode: Mode) -> Vec<Value> {
    let one = |input: &mut Parser<'_>| length_or_none(input, mode).ok_or(());
    let next = || input.try_parse(one).ok();
    std::iter::from_fn(next).take(4).collect()
}

/// Returns whether one to four sides leave visible space between letters, on the left or right.
pub(super) fn room(sides: &[Value]) -> Option<Value> {
    let is_seen = |side: &Value| match side {
        Value::Length(Length { n, unit: Unit::Font | Unit::RootFont }) => *n >= 0.15,
        Value::Length(length) => length.n >= 2.0,
        _ => false,
    };
    let right = sides.get(1).or(sides.first())?;
    Some(Value::Is(is_seen(right) || sides.get(3).is_some_and(is_seen)))
}

/// Reads a font size: a number or a word.
pub(super) fn size(input: &mut Parser<'_>, mode: Mode) -> Option<Size> {
    let Some(length) = length::parse(input) else {
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
    let Length { n, unit } = length;
    if n < 0.0 || !has_unit(length, mode) {
        return None;
    }
    Some(match unit {
        Unit::None | Unit::Pixels => Size::Pixels(n),
        Unit::Points => Size::Pixels(n * 4.0 / 3.0),
        Unit::Percent => Size::Times(n / 100.0),
        Unit::Font => Size::Times(n),
        Unit::RootFont => Size::TimesRoot(n),
        // Assume a window of 800 pixels.
        Unit::Window => Size::Pixels(n * 8.0),
        Unit::Degrees | Unit::Other => return None,
    })
}

/// Returns whether a value of a property that we do not follow has any effect.
pub(super) fn does_something(name: &str, input: &mut Parser<'_>) -> bool {
    let required = match name {
        "mso-hide" => Some("all"),
        "box-shadow" => Some("inset"),
        "background-clip" | "-webkit-background-clip" => Some("text"),
        "color-scheme" => Some("dark"),
        _ => None,
    };
    let (mut has_required, mut is_none) = (required.is_none(), false);
    while let Ok(token) = input.next() {
        if let Token::Ident(word) = token {
            has_required |= required.is_some_and(|required| word.eq_ignore_ascii_case(required));
            is_none |= matches!(&*word.to_ascii_lowercase(), "none" | "normal");
        }
    }
    has_required && !is_none
}
