//! Declarations of styles, as far as they can hide text, show it again, part or join words, or turn text around.
//!
//! A declaration whose value is none of its property, or has something behind it, is passed over, as in browsers. A value
//! that we do not understand hides nothing: a colour is unknown then, and a ground too, on which nothing is hidden. What is
//! beyond us is noted: shadows and blends *may show* what is hidden, masks *may hide* text.
//!
//! Cost: O(n) in the value.
//! Source: CSS 2.2; CSS Display 3, Color 4, Containment 2, Writing Modes 4; Quirks Mode Standard, §3.2.

pub(super) mod vanish;
mod longhand;
mod shorthand;

use crate::html::Gap;
use cssparser::Parser;

use super::colour::Paint;
use super::length::Length;

/// By which rules a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Those of pages without a document type, or with an old one.
    Quirks,
    Standards,
}

/// What declarations are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Display,
    /// Shadows, blends and the like, by which hidden text may be seen.
    MayShow,
    /// Masks and the like, by which text may be hidden.
    MayHide,
    Visibility,
    ContentVisibility,
    Opacity,
    Filter,
    Transform,
    Translate,
    Rotate,
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
    Bottom,
    Indent,
    MarginLeft,
    MarginTop,
    Width,
    Height,
    MaxWidth,
    MaxHeight,
    OverflowX,
    OverflowY,
    /// Whether it stands beside what is before and behind it.
    Float,
    /// Whether there is room on its left or right.
    Room,
    WordSpacing,
    WhiteSpace,
    /// All that stand before it in this list.
    All,
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
    /// As the element has it by its name and attributes.
    Revert,
    Is(bool),
    /// A share of what is there, or how large.
    Share(f32),
    Length(Length),
    Size(Size),
    Paint(Paint),
    Bidi(Bidi),
    Display(Display),
}

/// What kind of box an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    None,
    /// None of its own; what is inside has its boxes.
    Contents,
    Inline,
    /// A block that stands in a line.
    Beside,
    Cell,
    Block,
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

impl Display {
    /// What is between such an element and its neighbours, whose name stands for `named`.
    pub(super) fn gap(self, named: Gap) -> Gap {
        match self {
            Display::None | Display::Contents | Display::Inline => Gap::Nothing,
            Display::Beside => named,
            Display::Cell => Gap::Space,
            Display::Block => named.max(Gap::Line),
        }
    }
}

/// Text of a smaller size, in pixels, cannot be read.
pub(super) const TINY: f32 = 2.0;

/// What was read of a declaration.
pub(super) type Found = Vec<(Property, Value)>;

/// What the declaration of a property called `name`, in lower case, says; nothing if browsers pass it over.
pub(super) fn read(name: &str, value: &str, mode: Mode) -> Found {
    let properties = properties(name);
    if let Some(word) = keyword(value) {
        return properties.iter().map(|&property| (property, word.of(property))).collect();
    }
    let mut found = Found::new();
    let input = &mut Parser::new(value);
    let is_read = match (name, properties) {
        ("background", _) => shorthand::background(input, &mut found),
        ("font", _) => shorthand::font(input, &mut found),
        ("inset", _) => shorthand::inset(input, mode, &mut found),
        ("inset-inline" | "inset-block" | "margin-inline" | "margin-block", properties) => {
            shorthand::both(properties, input, mode, &mut found)
        }
        ("margin", _) => shorthand::margin(input, mode, &mut found),
        ("overflow", _) => shorthand::overflow(input, &mut found),
        ("filter" | "-webkit-filter", _) => vanish::filter(input, &mut found),
        ("transform" | "-webkit-transform" | "-ms-transform", _) => {
            vanish::transform(input, &mut found)
        }
        (_, [Property::MayShow | Property::MayHide, ..]) => {
            let does = Value::Is(longhand::does_something(name, input));
            found.extend(properties.iter().map(|&property| (property, does)));
            Some(())
        }
        (_, [property, rest @ ..]) => longhand::read(*property, input, mode).map(|value| {
            found.push((*property, value));
            found.extend(
                longhand::room(&[value])
                    .filter(|_| rest == [Property::Room])
                    .map(|room| (Property::Room, room)),
            );
        }),
        (_, []) => None,
    };
    if is_read.is_none() || !input.is_exhausted() {
        return Found::new();
    }
    // A colour that we cannot calculate may be that of the background, and one of a gradient that of the text.
    let is_unknown = |&(_, value): &(Property, Value)| value == Value::Paint(Paint::Unknown);
    let has_gradient =
        || name.starts_with("background") && value.to_ascii_lowercase().contains("gradient(");
    if found.iter().any(is_unknown) || has_gradient() {
        found.push((Property::MayHide, Value::Is(true)));
    }
    found
}

/// What properties a name is for.
#[expect(clippy::too_many_lines, reason = "one table")]
fn properties(name: &str) -> &'static [Property] {
    use Property as P;
    match name {
        "all" => &[P::All],
        "display" => &[P::Display],
        "mso-hide" | "mask" | "mask-image" | "-webkit-mask" | "-webkit-mask-image" => &[P::MayHide],
        "text-shadow" | "background-clip" | "-webkit-background-clip" | "-webkit-text-stroke" => {
            &[P::MayShow]
        }
        "animation"
        | "animation-name"
        | "-webkit-animation"
        | "-webkit-animation-name"
        | "box-shadow"
        | "color-scheme"
        | "mix-blend-mode"
        | "backdrop-filter" => &[P::MayShow, P::MayHide],
        "visibility" => &[P::Visibility],
        "content-visibility" => &[P::ContentVisibility],
        "opacity" | "-moz-opacity" | "-khtml-opacity" => &[P::Opacity],
        "filter" | "-webkit-filter" => &[P::Filter],
        "transform" | "-webkit-transform" | "-ms-transform" => &[P::Transform],
        "translate" => &[P::Translate],
        "rotate" => &[P::Rotate],
        "scale" => &[P::Scale],
        "zoom" => &[P::Zoom],
        "clip" => &[P::Clip],
        "clip-path" | "-webkit-clip-path" => &[P::ClipPath],
        "font" | "font-size" => &[P::FontSize],
        "color" => &[P::Colour],
        "-webkit-text-fill-color" => &[P::TextFill],
        "background" => &[P::Ground, P::GroundImage],
        "background-color" => &[P::Ground],
        "background-image" => &[P::GroundImage],
        "position" => &[P::Position],
        "inset" => &[P::Top, P::Right, P::Bottom, P::Left],
        "left" | "inset-inline-start" => &[P::Left],
        "top" | "inset-block-start" => &[P::Top],
        "right" | "inset-inline-end" => &[P::Right],
        "bottom" | "inset-block-end" => &[P::Bottom],
        "inset-inline" => &[P::Left, P::Right],
        "inset-block" => &[P::Top, P::Bottom],
        "text-indent" => &[P::Indent],
        "margin" => &[P::MarginTop, P::MarginLeft, P::Room],
        "margin-left" | "margin-inline-start" | "margin-inline" => &[P::MarginLeft, P::Room],
        "margin-top" | "margin-block-start" | "margin-block" => &[P::MarginTop],
        "margin-right" | "margin-inline-end" | "padding" | "padding-left" | "padding-right" => {
            &[P::Room]
        }
        "width" | "inline-size" => &[P::Width],
        "height" | "block-size" => &[P::Height],
        "max-width" | "max-inline-size" => &[P::MaxWidth],
        "max-height" | "max-block-size" => &[P::MaxHeight],
        "overflow" => &[P::OverflowX, P::OverflowY],
        "overflow-x" => &[P::OverflowX],
        "overflow-y" => &[P::OverflowY],
        "float" => &[P::Float],
        "word-spacing" => &[P::WordSpacing],
        "white-space" => &[P::WhiteSpace],
        "direction" => &[P::Direction],
        "unicode-bidi" => &[P::UnicodeBidi],
        _ => &[],
    }
}

/// A keyword that every property has.
#[derive(Debug, Clone, Copy)]
enum Keyword {
    Initial,
    Unset,
    Revert,
}

fn keyword(value: &str) -> Option<Keyword> {
    let value = value.trim();
    let is = |word: &str| value.eq_ignore_ascii_case(word);
    match () {
        () if is("initial") => Some(Keyword::Initial),
        () if is("inherit") || is("unset") => Some(Keyword::Unset),
        () if is("revert") || is("revert-layer") => Some(Keyword::Revert),
        () => None,
    }
}

impl Keyword {
    /// What it says of a property.
    fn of(self, property: Property) -> Value {
        match (self, property) {
            (Keyword::Revert, Property::Display | Property::All) => Value::Revert,
            (_, Property::Display) => Value::Display(Display::Inline),
            (Keyword::Initial, Property::Visibility) => Value::Is(true),
            (Keyword::Initial, Property::Colour) => Value::Paint(Paint::BLACK),
            (Keyword::Initial, Property::FontSize) => Value::Size(Size::TimesRoot(1.0)),
            (Keyword::Initial, Property::WhiteSpace | Property::Direction) => Value::Is(false),
            _ => Value::Unset,
        }
    }
}
