//! How text looks at a place, and whether anyone sees it.
//!
//! The name, attributes and styles of an element determine part of its look; it inherits the rest. Text is hidden if it is not
//! displayed or not visible, too small to read, of nearly the colour of its background, transparent, without size, cut off, off
//! the page, or inside something closed. [Simple](View::Simple) programs ignore the last five: many mail programs remove what they
//! do not know, such as positions, and show the text.
//!
//! Declarations that may reveal text that seems hidden count as revealing it in most views, and as not revealing it in the
//! [doubtful](View::Doubtful) view; those that may hide text count as hiding it in the doubtful view only. There floats also join
//! words, and space between letters splits them.
//!
//! Cost: O(n) in the attributes, besides the cascade ([`rules`](super::rules)).
//! Source: CSS 2.2; WHATWG HTML Standard, "Rendering"; CSS Writing Modes Level 4, §2.
//! Departs from it: no layout. Positions and sizes are taken as they are declared.

use cssparser::Parser;

use fanmill_extract::html::{Gap, Tag, attribute, gap_around};

use super::colour::{self, FAINT, Paint};
use super::length::{self, Length, Unit};
use super::property::vanish::{is_far, may_be_far};
use super::property::{Bidi, Display, Property, Size, TINY, Value};
use super::style::Style;
use super::variables::Variables;

/// How a page is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// By a program that can do everything that browsers can.
    Usual,
    /// By one that knows neither transparency nor positions, and does not cut, move or close anything.
    Simple,
    /// By one that follows what is doubtful.
    Doubtful,
    /// By one that shows the text of attributes and what styles write.
    Labelled,
    /// By one that knows no styles and hides nothing.
    Bare,
}

/// All views, in the order of their numbers.
pub(super) const VIEWS: [View; 5] =
    [View::Usual, View::Simple, View::Doubtful, View::Labelled, View::Bare];

/// The font size of a page, in pixels.
const ROOT_SIZE: f32 = 16.0;

/// What is declared about the look of an element; it inherits what is `None`.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Own {
    pub(super) boxed: Boxed,
    is_visible: Option<bool>,
    size: Option<Size>,
    zoom: Option<f32>,
    /// How much of it is lost to transparency, from 0 to 1.
    fading: f32,
    is_gone: bool,
    is_absent: bool,
    may_show: bool,
    may_hide: bool,
    is_preformatted: Option<bool>,
    is_squeezed: Option<bool>,
    colour: Option<Paint>,
    fill: Option<Paint>,
    background: Option<Paint>,
    is_from_right: Option<bool>,
    order: Order,
    /// 1 if it is closed, -1 if it is open inside something closed, as the summary of details is.
    closing: i8,
    pub(super) variables: Variables,
}

/// How an element is separated from its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Boxed {
    /// `None` means the default of its name.
    display: Option<Display>,
    is_floating: bool,
    has_room: bool,
}

impl Boxed {
    /// The gap between an element and its neighbours; `named` is the gap by its name.
    pub(super) fn gap(self, named: Gap, view: View) -> Gap {
        let gap = self.display.map_or(named, |display| display.gap(named));
        match view {
            View::Bare => named,
            View::Doubtful if self.is_floating => Gap::Nothing,
            View::Doubtful if self.display == Some(Display::Beside) => Gap::Nothing,
            View::Doubtful if self.has_room => gap.max(Gap::Space),
            _ => gap,
        }
    }
}

/// The order in which the letters of an element are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Order {
    #[default]
    AsAround,
    Plain,
    /// All in one direction; the number identifies the element.
    Overridden(u32),
}

/// How text looks at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Look {
    /// If not, it takes no space: not even lines end around it.
    pub(super) is_displayed: bool,
    pub(super) is_preformatted: bool,
    /// Whether spaces are so narrow that words seem joined.
    pub(super) is_squeezed: bool,
    is_visible: bool,
    /// In pixels, before it is zoomed.
    size: f32,
    zoom: f32,
    /// The opacity that is left; 1 is opaque.
    opacity: f32,
    /// Whether it has no size or is off the page, with everything inside it.
    is_gone: bool,
    /// Whether it is closed and leaves no trace, with everything inside it.
    is_absent: bool,
    /// Whether it may be visible although it seems hidden.
    may_show: bool,
    /// Whether it may be hidden, whatever else is declared.
    may_hide: bool,
    colour: Paint,
    /// The colour that letters are filled with, if not the text colour.
    fill: Option<Paint>,
    background: Paint,
    is_from_right: bool,
    /// The element in which all letters are shown from right to left; 0 if there is none.
    pub(super) reversed_in: u32,
    n_closed: i16,
}

impl Look {
    /// Black on white.
    pub(super) const ROOT: Look = Look {
        is_displayed: true,
        is_preformatted: false,
        is_squeezed: false,
        is_visible: true,
        size: ROOT_SIZE,
        zoom: 1.0,
        opacity: 1.0,
        is_gone: false,
        is_absent: false,
        may_show: false,
        may_hide: false,
        colour: Paint::BLACK,
        fill: None,
        background: Paint::WHITE,
        is_from_right: false,
        reversed_in: 0,
        n_closed: 0,
    };

    /// How text looks inside an element at this place.
    #[must_use]
    pub(super) fn with(self, own: &Own) -> Look {
        let is_from_right = own.is_from_right.unwrap_or(self.is_from_right);
        Look {
            is_displayed: self.is_displayed && own.boxed.display != Some(Display::None),
            is_preformatted: own.is_preformatted.unwrap_or(self.is_preformatted),
            is_squeezed: own.is_squeezed.unwrap_or(self.is_squeezed),
            is_visible: own.is_visible.unwrap_or(self.is_visible),
            size: match own.size {
                None => self.size,
                Some(Size::Pixels(n)) => n,
                Some(Size::Times(n)) => self.size * n,
                Some(Size::TimesRoot(n)) => ROOT_SIZE * n,
            },
            zoom: self.zoom * own.zoom.unwrap_or(1.0),
            opacity: self.opacity * (1.0 - own.fading),
            is_gone: self.is_gone || own.is_gone,
            is_absent: self.is_absent || own.is_absent,
            may_show: self.may_show || own.may_show,
            may_hide: self.may_hide || own.may_hide,
            colour: own.colour.unwrap_or(self.colour),
            fill: own.fill.or(self.fill),
            background: own
                .background
                .map_or(self.background, |background| background.over(self.background)),
            is_from_right,
            reversed_in: match own.order {
                Order::AsAround => self.reversed_in,
                Order::Overridden(number) if is_from_right => number,
                Order::Plain | Order::Overridden(_) => 0,
            },
            n_closed: self.n_closed + i16::from(own.closing),
        }
    }

    /// How text looks in a table at this place.
    #[must_use]
    pub(super) fn of_table(self, root: Look) -> Look {
        Look { colour: root.colour, size: root.size, ..self }
    }

    /// Whether an element with this look inside takes no space, so that not even lines end around it.
    pub(super) fn takes_no_place(&self, view: View) -> bool {
        !self.is_displayed
            || match view {
                View::Usual | View::Labelled => self.is_absent,
                // An element that is off the page may also be out of the text flow.
                View::Doubtful => self.is_absent || self.is_gone,
                View::Simple | View::Bare => false,
            }
    }

    /// Whether text with this look is hidden, for each of the views.
    pub(super) fn hidden(&self) -> [bool; VIEWS.len()] {
        let is_out_of_sight = self.opacity < FAINT || self.is_gone || self.n_closed > 0;
        let is_lost =
            !self.is_visible || self.fill.unwrap_or(self.colour).is_lost_on(self.background);
        let is_unseen = is_lost || self.size * self.zoom < TINY || is_out_of_sight;
        VIEWS.map(|view| match view {
            View::Usual | View::Labelled => !self.is_displayed || is_unseen && !self.may_show,
            View::Simple => !self.is_displayed || (is_lost || self.size < TINY) && !self.may_show,
            View::Doubtful => !self.is_displayed || is_unseen || self.may_hide,
            View::Bare => false,
        })
    }
}

/// Hidden in all views except the bare one.
pub(super) const HIDDEN: [bool; VIEWS.len()] = [true, true, true, true, false];

/// Applies what the name and attributes of an element declare; any style is stronger.
pub(super) fn hints(tag: &Tag, style: &mut Style) {
    let name = &*tag.name;
    let mut set = |property, value| style.set(property, value);
    match name {
        "pre" | "textarea" | "listing" | "xmp" | "plaintext" => {
            set(Property::WhiteSpace, Value::Is(true));
        }
        "template" | "datalist" | "rp" => set(Property::Display, Value::Display(Display::None)),
        "bdo" => set(Property::UnicodeBidi, Value::Bidi(Bidi::Overridden)),
        "svg" => {
            set(Property::OverflowX, Value::Is(true));
            set(Property::OverflowY, Value::Is(true));
        }
        // Its content is shown only if the object itself cannot be.
        "object" => set(Property::MayHide, Value::Is(true)),
        "bdi" => set(Property::UnicodeBidi, Value::Bidi(Bidi::Isolated)),
        _ => {}
    }
    let has_background = matches!(
        name,
        "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "marquee"
    );
    for attribute in &tag.attrs {
        let value = &*attribute.value;
        match &*attribute.name.local {
            "hidden" => set(Property::Display, Value::Display(Display::None)),
            "type" if name == "input" && value.trim().eq_ignore_ascii_case("hidden") => {
                set(Property::Display, Value::Display(Display::None));
            }
            "width" if name == "svg" => set(Property::Width, number(value)),
            "height" if name == "svg" => set(Property::Height, number(value)),
            "color" if name == "font" || name == "basefont" => {
                set(Property::Colour, Value::Paint(colour::legacy(value)));
            }
            "size" if name == "font" => set(Property::FontSize, Value::Size(Size::TimesRoot(1.0))),
            "text" if name == "body" => {
                set(Property::Colour, Value::Paint(colour::legacy(value)));
            }
            "bgcolor" if has_background => {
                set(Property::Background, Value::Paint(colour::legacy(value)));
            }
            "background" if has_background && !value.trim().is_empty() => {
                set(Property::BackgroundImage, Value::Is(true));
            }
            // Links have a colour of their own.
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
    style.end_hints();
}

/// A length that an attribute declares.
fn number(value: &str) -> Value {
    length::parse(&mut Parser::new(value)).map_or(Value::Unset, Value::Length)
}

/// Whether an element that is closed leaves no trace, as details do not: their summary is seen.
fn is_absent(tag: &Tag, style: &Style) -> bool {
    let leaves_none = &*tag.name == "dialog" || attribute(tag, "popover").is_some();
    leaves_none && is_closed(tag, style)
}

/// Whether the content of an element is closed until someone opens it, or shown only by programs that do not know the element.
fn is_closed(tag: &Tag, style: &Style) -> bool {
    let is_shown = matches!(style.get(Property::Display), Some(Value::Display(display)) if display != Display::None);
    match &*tag.name {
        "details" => attribute(tag, "open").is_none(),
        "dialog" => attribute(tag, "open").is_none() && !is_shown,
        "audio" | "canvas" | "meter" | "progress" | "video" | "defs" | "symbol" => true,
        _ => attribute(tag, "popover").is_some() && !is_shown,
    }
}

impl Own {
    /// Collects what is declared about an element, the `number`th of the page.
    pub(super) fn of(style: &Style, tag: &Tag, number: u32) -> Own {
        let is = |property| style.is(property);
        let paint = |property| match style.get(property) {
            Some(Value::Paint(paint)) => Some(paint),
            _ => None,
        };
        let display = match style.get(Property::Display) {
            Some(Value::Display(display)) => Some(display),
            _ => None,
        };
        let order = match style.get(Property::UnicodeBidi) {
            Some(Value::Bidi(Bidi::Overridden)) => Order::Overridden(number),
            Some(Value::Bidi(Bidi::Isolated)) => Order::Plain,
            // Text in a block of its own starts in its own order.
            _ if gap_around(&tag.name) > Gap::Nothing => Order::Plain,
            _ => Order::AsAround,
        };
        Own {
            boxed: Boxed {
                display,
                is_floating: is(Property::Float) == Some(true),
                has_room: is(Property::Room) == Some(true),
            },
            is_visible: is(Property::Visibility),
            size: match style.get(Property::FontSize) {
                Some(Value::Size(size)) => Some(size),
                _ => None,
            },
            zoom: style.share(Property::Zoom),
            fading: fading(style),
            is_gone: is_gone(style) || is(Property::ContentVisibility) == Some(false),
            is_absent: is_absent(tag, style),
            may_show: is(Property::MayShow) == Some(true),
            may_hide: is(Property::MayHide) == Some(true) || offsets(style).any(may_be_far),
            is_preformatted: is(Property::WhiteSpace),
            is_squeezed: style.length(Property::WordSpacing).map(is_narrow),
            colour: paint(Property::Colour),
            fill: paint(Property::TextFill),
            background: background(style, display),
            is_from_right: is(Property::Direction),
            order,
            closing: i8::from(is_closed(tag, style)),
            variables: style.variables.clone(),
        }
    }

    /// Makes the content open, as that of the summary of details.
    pub(super) fn open(&mut self) {
        self.closing -= 1;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closing > 0
    }
}

/// The background of an element. A picture is unknown, and so is the background of an element that may have no height.
fn background(style: &Style, display: Option<Display>) -> Option<Paint> {
    let is_flat = style.length(Property::Height).is_some_and(is_flat);
    let is_unknown = is_flat || display == Some(Display::Contents);
    match (style.is(Property::BackgroundImage), style.get(Property::Background)) {
        (Some(true), _) => Some(Paint::Unknown),
        (_, Some(Value::Paint(paint))) if paint != Paint::Transparent && is_unknown => {
            Some(Paint::Unknown)
        }
        (_, Some(Value::Paint(paint))) => Some(paint),
        _ => None,
    }
}

/// Whether spaces that are wider by `more` can hardly be seen.
fn is_narrow(more: Length) -> bool {
    match more.unit {
        Unit::Font | Unit::RootFont => more.n <= -0.15,
        _ => more.pixels().is_some_and(|n| n <= -2.0),
    }
}

fn is_flat(size: Length) -> bool {
    size.about_pixels().is_some_and(|n| n < TINY)
}

/// How much of an element is lost to transparency, from 0 to 1.
fn fading(style: &Style) -> f32 {
    let left = |property| style.share(property).map_or(1.0, |share| share.clamp(0.0, 1.0));
    1.0 - left(Property::Opacity) * left(Property::Filter)
}

/// Whether an element has no size, is cut off, or off the page.
fn is_gone(style: &Style) -> bool {
    let is = |property| style.is(property) == Some(true);
    let mut sizes = [Property::Width, Property::Height, Property::MaxWidth, Property::MaxHeight]
        .into_iter()
        .filter_map(|property| style.length(property));
    if (is(Property::OverflowX) || is(Property::OverflowY)) && sizes.any(is_flat) {
        return true;
    }
    let kept = [
        Property::Transform,
        Property::Translate,
        Property::Rotate,
        Property::Scale,
        Property::Clip,
        Property::ClipPath,
    ];
    if kept.into_iter().any(|property| style.is(property) == Some(false)) {
        return true;
    }
    offsets(style).any(is_far)
}

/// How far each property moves an element to the right or down.
fn offsets(style: &Style) -> impl Iterator<Item = Length> {
    let is_placed = style.is(Property::Position) == Some(true);
    let moved = [Property::Indent, Property::MarginLeft, Property::MarginTop];
    let placed = [Property::Left, Property::Top].into_iter().filter(move |_| is_placed);
    let opposite = [Property::Right, Property::Bottom].into_iter().filter(move |_| is_placed);
    let length = |property| style.length(property);
    let back = opposite.filter_map(length).map(|side| Length::new(-side.n, side.unit));
    moved.into_iter().chain(placed).filter_map(length).chain(back)
}
