//! Declarations of styles that can hide text, show it again, split or join words, or reverse text.
//!
//! As in browsers, a declaration with an invalid value is ignored. A value that we do not understand hides nothing: it
//! makes the colour or the background unknown, and nothing is hidden on an unknown background. Declarations that we
//! cannot follow are recorded: shadows and blends *may show* hidden text, masks and unknown colours *may hide* text.
//!
//! Cost: O(n) in the value.
//! Source: CSS 2.2; CSS Display 3, Color 4, Containment 2, Writing Modes 4; Quirks Mode Standard, §3.2.

pub(super) mod vanish;
mod longhand;
mod shorthand;

use cssparser::Parser;
use fanmill_extract::html::Gap;

use super::colour::Paint;
use super::length::Length;

/// The mode in which a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// For pages without a document type or with an old one.
    Quirks,
    Standards,
}

/// The properties that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Display,
    /// Shadows, blends and the like, which may make hidden text visible.
    MayShow,
    /// Masks and the like, which may hide text.
    MayHide,
    Sight,
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
    Background,
    BackgroundImage,
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
    /// Floating beside what comes before and after it.
    Float,
    /// Visible space on its left or right.
    Room,
    WordSpacing,
    WhiteSpace,
    /// All properties before it in this list.
    All,
    Direction,
    UnicodeBidi,
}

/// Number of properties.
pub(super) const N_PROPERTIES: usize = Property::UnicodeBidi as usize + 1;

/// The value of a declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// As if it had not been declared.
    Unset,
    /// The default for the element's name and attributes.
    Revert,
    Is(bool),
    /// A fraction: of opacity, or of size.
    Share(f32),
    Length(Length),
    Size(Size),
    Paint(Paint),
    Bidi(Bidi),
    Display(Display),
}

/// The kind of box that an element has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    None,
    /// No box of its own; its content has boxes.
    Contents,
    Inline,
    /// A block inside a line.
    Beside,
    Cell,
    Block,
}

/// A font size, absolute or relative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    /// In pixels.
    Pixels(f32),
    /// Relative to the inherited size.
    Times(f32),
    /// Relative to the size of the page.
    TimesRoot(f32),
}

/// Effect of an element on the direction of its letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bidi {
    /// None.
    Through,
    /// The letters themselves decide, independently of the text around them.
    Isolated,
    /// All letters follow the direction of the element.
    Overridden,
}

impl Display {
    /// Returns the gap between such an element and its neighbours; `named` is the gap by its name.
    pub(super) fn gap(self, named: Gap) -> Gap {
        match self {
            Display::None | Display::Contents | Display::Inline => Gap::Nothing,
            Display::Beside => named,
            Display::Cell => Gap::Space,
            Display::Block => named.max(Gap::Line),
        }
    }
}

/// Size in pixels below which text cannot be read.
pub(super) const TINY: f32 = 2.0;

/// The properties and values read from a declaration.
pub(super) type ParsedDeclarations = Vec<(Property, Value)>;

/// Reads the declaration of the property called `name`, in lower case. Returns nothing if browsers ignore it.
pub(super) fn read(name: &str, value: &str, mode: Mode) -> ParsedDeclarations {
    let properties = properties(name);
    if let Some(word) = keyword(value) {
        return properties.iter().map(|&property| (property, word.of(property))).collect();
    }
    let mut found = ParsedDeclarations::new();
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
        return ParsedDeclarations::new();
    }
    // A colour that we cannot calculate may equal the background, and a gradient may have the colour of the text.
    let is_unknown = |&(_, value): &(Property, Value)| value == Value::Paint(Paint::Unknown);
    let has_gradient =
        || name.starts_with("background") && value.to_ascii_lowercase().contains("gradient(");
    if found.iter().any(is_unknown) || has_gradient() {
        found.push((Property::MayHide, Value::Is(true)));
    }
    found
}

/// Returns the properties that a name sets.
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
        "visibility" => &[P::Sight],
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
        "background" => &[P::Background, P::BackgroundImage],
        "background-color" => &[P::Background],
        "background-image" => &[P::BackgroundImage],
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
        // These do not move the element, but may leave space between letters.
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

/// A keyword that every property accepts.
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
    /// Returns the value that it gives to a property.
    fn of(self, property: Property) -> Value {
        match (self, property) {
            (Keyword::Revert, Property::Display | Property::All) => Value::Revert,
            (_, Property::Display) => Value::Display(Display::Inline),
            (Keyword::Initial, Property::Sight) => Value::Is(true),
            (Keyword::Initial, Property::Colour) => Value::Paint(Paint::BLACK),
            (Keyword::Initial, Property::FontSize) => Value::Size(Size::TimesRoot(1.0)),
            (Keyword::Initial, Property::WhiteSpace | Property::Direction) => Value::Is(false),
            _ => Value::Unset,
        }
    }
}
