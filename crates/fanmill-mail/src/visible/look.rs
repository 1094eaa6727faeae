//! How text looks at a place, and whether anybody sees it.
//!
//! An element says something about its look by its name, its attributes and styles; the rest is as around it. Text is hidden if it
//! is not displayed or not visible, too small to read, of (nearly) the colour of its ground, transparent, of no
//! size, cut off, off the page, or in something closed. The last five are for [full](Program::Full) programs only: many mail
//! programs take out what they do not know, such as places, and show the text.
//!
//! Cost: O(n) in the attributes, beside the cascade ([`sheet`](super::sheet)).
//! Source: CSS 2.2; WHATWG HTML Standard, "Rendering"; CSS Writing Modes Level 4, §2.
//! Departs from it: no layout. Places and sizes in pixels are taken as they are said.

use fanmill_html::{Gap, Tag, gap_around};

use super::colour::{self, FAINT, Paint};
use super::length::Length;
use super::property::{Bidi, Property, Size, TINY, Value, is_far};
use super::sheet::Style;
use super::variables::Variables;

/// What a mail program can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// All that browsers can.
    Full,
    /// Neither transparency nor places, nor what cuts, moves or closes.
    Simple,
}

/// The font size of a page, in pixels.
const ROOT_SIZE: f32 = 16.0;

/// What an element itself says about its look; what is `None` is as around it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Own {
    is_displayed: Option<bool>,
    is_visible: Option<bool>,
    size: Option<Size>,
    /// How much of it is lost to transparency: 0 is nothing, 1 all.
    fading: f32,
    is_gone: bool,
    is_preformatted: Option<bool>,
    colour: Option<Paint>,
    ground: Option<Paint>,
    is_from_right: Option<bool>,
    order: Order,
    /// Whether something is closed here (1), or open again, as the summary of details (-1).
    closing: i8,
    pub(super) variables: Variables,
}

/// In which order the letters of an element are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Order {
    #[default]
    AsAround,
    Plain,
    /// All in one direction; the number tells such elements apart.
    Overridden(u32),
}

/// How text looks at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Look {
    /// If not, it takes no place: not even lines end around it.
    pub(super) is_displayed: bool,
    pub(super) is_preformatted: bool,
    is_visible: bool,
    /// In pixels.
    size: f32,
    /// How much is left of it by transparency: 1 is all.
    opacity: f32,
    /// Whether it is without size, or off the page, with all that is inside.
    is_gone: bool,
    colour: Paint,
    ground: Paint,
    is_from_right: bool,
    /// The element in which letters are shown from right to left, whatever they are; 0 if there is none.
    pub(super) reversed_in: u32,
    n_closed: i16,
}

impl Look {
    /// Black on white.
    pub(super) const ROOT: Look = Look {
        is_displayed: true,
        is_preformatted: false,
        is_visible: true,
        size: ROOT_SIZE,
        opacity: 1.0,
        is_gone: false,
        colour: Paint::BLACK,
        ground: Paint::WHITE,
        is_from_right: false,
        reversed_in: 0,
        n_closed: 0,
    };

    /// How text looks inside of an element that is here.
    #[must_use]
    pub(super) fn with(self, own: &Own) -> Look {
        let is_from_right = own.is_from_right.unwrap_or(self.is_from_right);
        Look {
            is_displayed: self.is_displayed && own.is_displayed.unwrap_or(true),
            is_preformatted: own.is_preformatted.unwrap_or(self.is_preformatted),
            is_visible: own.is_visible.unwrap_or(self.is_visible),
            size: match own.size {
                None => self.size,
                Some(Size::Pixels(n)) => n,
                Some(Size::Times(n)) => self.size * n,
                Some(Size::TimesRoot(n)) => ROOT_SIZE * n,
                Some(Size::Tiny) => 0.0,
            },
            opacity: self.opacity * (1.0 - own.fading),
            is_gone: self.is_gone || own.is_gone,
            colour: own.colour.unwrap_or(self.colour),
            ground: match own.ground {
                None | Some(Paint::Transparent) => self.ground,
                Some(ground) => ground,
            },
            is_from_right,
            reversed_in: match own.order {
                Order::AsAround => self.reversed_in,
                Order::Overridden(number) if is_from_right => number,
                Order::Plain | Order::Overridden(_) => 0,
            },
            n_closed: self.n_closed + i16::from(own.closing),
        }
    }

    /// How text looks in a table that is here.
    #[must_use]
    pub(super) fn of_table(self, root: Look) -> Look {
        Look { colour: root.colour, size: root.size, ..self }
    }

    /// Whether nobody sees text that looks so.
    pub(super) fn is_hidden_by(&self, program: Program) -> bool {
        let is_out_of_sight = self.opacity < FAINT || self.is_gone || self.n_closed > 0;
        !self.is_displayed
            || !self.is_visible
            || self.size < TINY
            || self.colour.is_lost_on(self.ground)
            || is_out_of_sight && program == Program::Full
    }
}

/// What the names and attributes of elements declare, which is weaker than any style.
pub(super) fn hints(tag: &Tag, style: &mut Style) {
    let name = &*tag.name;
    let mut set = |property, value| style.set(property, value);
    match name {
        "pre" | "textarea" | "listing" | "xmp" | "plaintext" => {
            set(Property::WhiteSpace, Value::Is(true));
        }
        "template" | "datalist" => set(Property::Display, Value::Is(false)),
        "bdo" => set(Property::UnicodeBidi, Value::Bidi(Bidi::Overridden)),
        "bdi" => set(Property::UnicodeBidi, Value::Bidi(Bidi::Isolated)),
        _ => {}
    }
    for attribute in &tag.attrs {
        let value = &*attribute.value;
        match &*attribute.name.local {
            "hidden" => set(Property::Display, Value::Is(false)),
            "color" if name == "font" || name == "basefont" => {
                set(Property::Colour, Value::Paint(colour::legacy(value)));
            }
            "size" if name == "font" => set(Property::FontSize, Value::Size(Size::TimesRoot(1.0))),
            "text" if name == "body" => {
                set(Property::Colour, Value::Paint(colour::legacy(value)));
            }
            "bgcolor" => set(Property::Ground, Value::Paint(colour::legacy(value))),
            "background" if !value.trim().is_empty() => {
                set(Property::GroundImage, Value::Is(true));
            }
            // Links have their own colour, which is not that of the text around them.
            "href" if name == "a" => set(Property::Colour, Value::Paint(Paint::Unknown)),
            "dir" => {
                let is_from_right = value.trim().eq_ignore_ascii_case("rtl");
                set(Property::Direction, Value::Is(is_from_right));
                if name != "bdo" {
                    set(Property::UnicodeBidi, Value::Bidi(Bidi::Isolated));
                }
            }
            _ => {}
        }
    }
}

/// Whether an element is closed until somebody opens it.
fn is_closed(tag: &Tag, style: &Style) -> bool {
    let is_shown = style.get(Property::Display) == Some(Value::Is(true));
    match &*tag.name {
        "details" => attribute(tag, "open").is_none(),
        "dialog" => attribute(tag, "open").is_none() && !is_shown,
        _ => attribute(tag, "popover").is_some() && !is_shown,
    }
}

/// The value of an attribute, if it is there.
pub(super) fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    attributes.find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

impl Own {
    /// What is declared about an element, the `number`th of the page.
    pub(super) fn of(style: &Style, tag: &Tag, number: u32) -> Own {
        let is = |property| match style.get(property) {
            Some(Value::Is(is)) => Some(is),
            _ => None,
        };
        let is_not = |property| is(property) == Some(false);
        let paint = |property| match style.get(property) {
            Some(Value::Paint(paint)) => Some(paint),
            _ => None,
        };
        let order = match style.get(Property::UnicodeBidi) {
            Some(Value::Bidi(Bidi::Overridden)) => Order::Overridden(number),
            Some(Value::Bidi(Bidi::Isolated)) => Order::Plain,
            // Text in a block of its own starts anew.
            _ if gap_around(&tag.name) > Gap::Nothing => Order::Plain,
            _ => Order::AsAround,
        };
        Own {
            is_displayed: if is_not(Property::MsoHide) {
                Some(false)
            } else {
                is(Property::Display)
            },
            is_visible: is(Property::Visibility),
            size: match style.get(Property::FontSize) {
                Some(Value::Size(size)) => Some(size),
                _ => None,
            },
            fading: fading(style),
            is_gone: is_gone(style) || is_not(Property::ContentVisibility),
            is_preformatted: is(Property::WhiteSpace),
            colour: paint(Property::TextFill).or(paint(Property::Colour)),
            ground: match is(Property::GroundImage) {
                Some(true) => Some(Paint::Unknown),
                _ => paint(Property::Ground),
            },
            is_from_right: is(Property::Direction),
            order,
            closing: i8::from(is_closed(tag, style)),
            variables: style.variables.clone(),
        }
    }

    /// Opens what is inside, as the summary of details is.
    pub(super) fn open(&mut self) {
        self.closing -= 1;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closing > 0
    }
}

fn share(style: &Style, property: Property) -> f32 {
    match style.get(property) {
        Some(Value::Share(share)) => share.max(0.0),
        _ => 1.0,
    }
}

/// How much is lost to transparency, from 0 to 1; what is made so small that nobody sees it is lost as well.
fn fading(style: &Style) -> f32 {
    let left = share(style, Property::Opacity).min(1.0) * share(style, Property::Filter).min(1.0);
    if share(style, Property::Zoom) < FAINT { 1.0 } else { 1.0 - left }
}

/// Whether an element has no size, is cut off, or off the page.
fn is_gone(style: &Style) -> bool {
    let is = |property| match style.get(property) {
        Some(Value::Is(is)) => Some(is),
        _ => None,
    };
    let length = |property| match style.get(property) {
        Some(Value::Length(length)) => Some(length),
        _ => None,
    };
    let is_flat = |size: Length| size.pixels().is_some_and(|n| n < TINY);
    let mut sizes = [Property::Width, Property::Height, Property::MaxWidth, Property::MaxHeight]
        .into_iter()
        .filter_map(length);
    let mut overflows = [Property::OverflowX, Property::OverflowY].into_iter().filter_map(is);
    if overflows.any(|is_clipped| is_clipped) && sizes.any(is_flat) {
        return true;
    }
    let kept = [
        Property::Transform,
        Property::Translate,
        Property::Scale,
        Property::Clip,
        Property::ClipPath,
    ];
    if kept.into_iter().any(|property| is(property) == Some(false)) {
        return true;
    }
    let is_placed = is(Property::Position) == Some(true);
    let moved = [Property::Indent, Property::MarginLeft, Property::MarginTop];
    let placed = [Property::Left, Property::Top].into_iter().filter(|_| is_placed);
    let right = length(Property::Right).filter(|_| is_placed);
    let mut lengths = moved.into_iter().chain(placed).filter_map(length);
    lengths.any(is_far) || right.is_some_and(|right| is_far(Length::new(-right.n, right.unit)))
}
