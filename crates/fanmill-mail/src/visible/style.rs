//! What hides text, of an element's attributes and style.
//!
//! Of a style only that is read which can hide text or show it again. A value that is not understood changes
//! nothing, except for colours of a ground: there it makes the ground unknown, on which nothing is hidden.
//!
//! Cost: O(n) in the attributes, of which a style counts up to [`MAX_STYLE`] bytes.
//! Source: CSS 2.2; CSS Color Module Level 4, §5 and §6; WHATWG HTML Standard, "Rules for parsing a legacy color value".

use fanmill_html::Tag;

use super::sheet::Sheet;
use crate::limits::start_of;

/// Bytes that are read of a style attribute.
const MAX_STYLE: usize = 4096;
/// Text of at most this size, in pixels or points, is too small to read.
const TINY: f32 = 1.5;
/// What is at least so many pixels to the left or above is off the page.
const FAR: f32 = -300.0;
/// The difference in each of red, green and blue up to which two colours cannot be told apart by a reader:
/// `#eeeeee` on white is at 17; `#dddddd`, at 34, can be read with an effort.
const ALIKE: u8 = 24;

/// Red, green, blue.
type Rgb = [u8; 3];

/// A colour as a style says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Rgb(Rgb),
    Transparent,
    Unknown,
}

/// What an element itself says about its look; what is `None` is as around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Own {
    is_displayed: Option<bool>,
    is_visible: Option<bool>,
    is_tiny: Option<bool>,
    is_gone: bool,
    is_preformatted: Option<bool>,
    colour: Option<Paint>,
    ground: Option<Paint>,
}

/// How text looks at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Look {
    /// If not, it takes no place: not even lines end around it.
    pub(super) is_displayed: bool,
    pub(super) is_preformatted: bool,
    is_visible: bool,
    is_tiny: bool,
    /// Whether it is transparent, without size, or off the page, with all that is inside.
    is_gone: bool,
    colour: Paint,
    ground: Paint,
}

impl Look {
    /// Black on white.
    pub(super) const ROOT: Look = Look {
        is_displayed: true,
        is_preformatted: false,
        is_visible: true,
        is_tiny: false,
        is_gone: false,
        colour: Paint::Rgb([0; 3]),
        ground: Paint::Rgb([255; 3]),
    };

    /// How text looks inside of an element that is here.
    #[must_use]
    pub(super) fn with(self, own: Own) -> Look {
        Look {
            is_displayed: self.is_displayed && own.is_displayed.unwrap_or(true),
            is_preformatted: own.is_preformatted.unwrap_or(self.is_preformatted),
            is_visible: own.is_visible.unwrap_or(self.is_visible),
            is_tiny: own.is_tiny.unwrap_or(self.is_tiny),
            is_gone: self.is_gone || own.is_gone,
            colour: own.colour.unwrap_or(self.colour),
            ground: match own.ground {
                None | Some(Paint::Transparent) => self.ground,
                Some(ground) => ground,
            },
        }
    }

    /// How text looks in a table that is here.
    #[must_use]
    pub(super) fn of_table(self, root: Look) -> Look {
        Look { colour: root.colour, is_tiny: root.is_tiny, ..self }
    }

    /// Whether nobody sees text that looks so.
    pub(super) fn is_hidden(&self) -> bool {
        !self.is_displayed
            || !self.is_visible
            || self.is_tiny
            || self.is_gone
            || self.colour == Paint::Transparent
            || matches!((self.colour, self.ground), (Paint::Rgb(a), Paint::Rgb(b)) if alike(a, b))
    }
}

fn alike(a: Rgb, b: Rgb) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= ALIKE)
}

/// What an element says by its name, its attributes, the style sheet and its style, the stronger ones last.
pub(super) fn of_element(tag: &Tag, sheet: &Sheet) -> Own {
    let mut own = Own::default();
    let name = &*tag.name;
    match name {
        "pre" | "textarea" | "listing" | "xmp" | "plaintext" => own.is_preformatted = Some(true),
        "template" | "datalist" => own.is_displayed = Some(false),
        _ => {}
    }
    let (mut id, mut class, mut style) = ("", "", "");
    for attribute in &tag.attrs {
        let value = &*attribute.value;
        match &*attribute.name.local {
            "hidden" => own.is_displayed = Some(false),
            "color" if name == "font" || name == "basefont" => {
                own.colour = Some(legacy_colour(value));
            }
            "text" if name == "body" => own.colour = Some(legacy_colour(value)),
            "bgcolor" => own.ground = Some(legacy_colour(value)),
            "background" if !value.trim().is_empty() => own.ground = Some(Paint::Unknown),
            // Links have their own colour, which is not that of the text around them.
            "href" if name == "a" => own.colour = own.colour.or(Some(Paint::Unknown)),
            "id" => id = value,
            "class" => class = value,
            "style" => style = value,
            _ => {}
        }
    }
    sheet.apply(name, id, class, &mut own);
    declarations(start_of(style, MAX_STYLE), &mut own);
    own
}

/// Reads `property: value; …`.
pub(super) fn declarations(style: &str, own: &mut Own) {
    if style.is_empty() {
        return;
    }
    let style = without_comments(style).to_ascii_lowercase();
    let mut is_clipped = false;
    let mut is_flat = false;
    for (property, value) in style.split(';').filter_map(|declaration| declaration.split_once(':'))
    {
        let value = value.trim();
        let value = value.strip_suffix("!important").unwrap_or(value).trim();
        match property.trim() {
            "overflow" | "overflow-x" | "overflow-y" => is_clipped |= value == "hidden",
            "width" | "height" | "max-width" | "max-height" => {
                is_flat |= length(value).is_some_and(|(n, _)| n < TINY);
            }
            property => declaration(property, value, own),
        }
    }
    own.is_gone |= is_clipped && is_flat;
}

fn declaration(property: &str, value: &str, own: &mut Own) {
    match property {
        "display" => own.is_displayed = Some(value != "none"),
        "mso-hide" if value == "all" => own.is_displayed = Some(false),
        "visibility" => own.is_visible = Some(!matches!(value, "hidden" | "collapse")),
        "opacity" => own.is_gone |= length(value).is_some_and(|(n, _)| n < 0.1),
        "font-size" => own.is_tiny = size_is_tiny(value).or(own.is_tiny),
        "font" => {
            let size = value
                .split_ascii_whitespace()
                .find(|part| part.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
            own.is_tiny = size.and_then(size_is_tiny).or(own.is_tiny);
        }
        "color" => own.colour = colour(value).or(own.colour),
        "background-color" | "background" => own.ground = ground(value),
        "background-image" if value != "none" => own.ground = Some(Paint::Unknown),
        "text-indent" | "left" | "top" | "margin-left" | "margin-top" => {
            own.is_gone |= length(value).is_some_and(|(n, unit)| n <= FAR && unit == "px");
        }
        "clip" => {
            own.is_gone |= is_empty_clip(value);
        }
        "white-space" => own.is_preformatted = Some(value.starts_with("pre")),
        _ => {}
    }
}

/// Whether a value of `clip` leaves nothing: all four sides are 0, or 1 pixel.
fn is_empty_clip(value: &str) -> bool {
    let sides = value.strip_prefix("rect(").map(|value| value.trim_end_matches(')'));
    sides.is_some_and(|sides| {
        let mut sides = sides.split([',', ' ']).filter(|side| !side.is_empty());
        sides.all(|side| length(side).is_some_and(|(n, _)| n.abs() < TINY))
    })
}

/// A style without what stands between `/*` and `*/`.
pub(super) fn without_comments(style: &str) -> String {
    let mut out = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// A number and its unit; without a unit that is `px`.
fn length(value: &str) -> Option<(f32, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let end = value.find(|c| !is_part(c)).unwrap_or(value.len());
    let number = value[..end].parse().ok()?;
    let unit = value[end..].trim();
    let unit = unit.split(|c: char| !(c.is_ascii_alphabetic() || c == '%')).next().unwrap_or("");
    Some((number, if unit.is_empty() { "px" } else { unit }))
}

/// Whether a font size is too small to read, if it does not depend on what is around.
fn size_is_tiny(value: &str) -> Option<bool> {
    match length(value) {
        Some((n, "px" | "pt")) => Some(n < TINY),
        Some((n, _)) if n <= 0.1 => Some(true),
        // Of nothing, any share is nothing.
        Some((_, "em" | "%" | "ex")) => None,
        Some((n, "rem" | "vw" | "vh")) => Some(n < 0.1),
        Some(_) => Some(false),
        None => matches!(
            value,
            "xx-small"
                | "x-small"
                | "small"
                | "medium"
                | "large"
                | "x-large"
                | "xx-large"
                | "initial"
        )
        .then_some(false),
    }
}

/// The colour of a ground: the first part of the value that is a colour. What is none is a picture, or too clever.
fn ground(value: &str) -> Option<Paint> {
    if value.contains("url(") || value.contains("gradient(") {
        return Some(Paint::Unknown);
    }
    if matches!(value, "inherit" | "initial" | "none" | "unset" | "") {
        return None;
    }
    let whole = colour(value);
    let part = || value.split_ascii_whitespace().find_map(colour);
    Some(whole.or_else(part).unwrap_or(Paint::Unknown))
}

/// A colour of CSS, if it is one.
fn colour(value: &str) -> Option<Paint> {
    if let Some(digits) = value.strip_prefix('#') {
        return hexadecimal(digits);
    }
    if let Some(numbers) = value.strip_prefix("rgb") {
        let numbers = numbers.trim_start_matches('a').trim().strip_prefix('(')?;
        return numbers_colour(numbers.split(')').next()?);
    }
    match value {
        "transparent" => Some(Paint::Transparent),
        "inherit" | "currentcolor" | "initial" | "unset" => None,
        name => named(name).map(Paint::Rgb),
    }
}

fn hexadecimal(digits: &str) -> Option<Paint> {
    let values: Option<Vec<u8>> =
        digits.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let values = values?;
    let byte = |at: usize| values[2 * at] * 16 + values[2 * at + 1];
    Some(match *values {
        [_, _, _, 0] | [_, _, _, _, _, _, 0, 0..2] => Paint::Transparent,
        [red, green, blue] | [red, green, blue, _] => {
            Paint::Rgb([red, green, blue].map(|digit| digit * 17))
        }
        [_, _, _, _, _, _] | [_, _, _, _, _, _, _, _] => Paint::Rgb([byte(0), byte(1), byte(2)]),
        _ => return None,
    })
}

/// `255, 0, 0`, or with percent signs, or with spaces; and how opaque it is.
fn numbers_colour(numbers: &str) -> Option<Paint> {
    let parts: Vec<(f32, &str)> = numbers
        .split([',', ' ', '/'])
        .filter(|part| !part.is_empty())
        .map_while(|part| length(part.trim()))
        .collect();
    let [r, g, b, opacity @ ..] = &*parts else { return None };
    if opacity.first().is_some_and(|&(n, _)| n < 0.1) {
        return Some(Paint::Transparent);
    }
    let byte = |&(n, unit): &(f32, &str)| {
        let value = if unit == "%" { n * 2.55 } else { n };
        // Out of range is at its end, as CSS has it.
        #[expect(clippy::cast_sign_loss, reason = "clamped")]
        let byte = value.clamp(0.0, 255.0) as u8;
        byte
    };
    Some(Paint::Rgb([byte(r), byte(g), byte(b)]))
}

/// A colour of an attribute: names, digits with or without `#`, and of anything else digits where it has some.
fn legacy_colour(value: &str) -> Paint {
    let value = value.trim();
    if value.len() > 64 || value.is_empty() {
        return Paint::Unknown;
    }
    let lower = value.to_ascii_lowercase();
    if let Some(rgb) = named(&lower) {
        return Paint::Rgb(rgb);
    }
    let digits = lower.strip_prefix('#').unwrap_or(&lower);
    if lower.starts_with('#')
        && digits.len() == 3
        && let Some(paint) = hexadecimal(digits)
    {
        return paint;
    }
    let mut digits: Vec<u8> = digits
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(0))
        .collect();
    digits.resize(digits.len().next_multiple_of(3).max(3), 0);
    let n = digits.len() / 3;
    // Of three long numbers the last eight digits count, without zeros that all of them start with.
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

/// The names that mail uses.
fn named(name: &str) -> Option<Rgb> {
    Some(match name {
        "black" => [0, 0, 0],
        "white" => [255, 255, 255],
        "red" => [255, 0, 0],
        "lime" => [0, 255, 0],
        "blue" => [0, 0, 255],
        "yellow" => [255, 255, 0],
        "aqua" | "cyan" => [0, 255, 255],
        "fuchsia" | "magenta" => [255, 0, 255],
        "silver" => [192, 192, 192],
        "gray" | "grey" => [128, 128, 128],
        "maroon" => [128, 0, 0],
        "green" => [0, 128, 0],
        "navy" => [0, 0, 128],
        "olive" => [128, 128, 0],
        "purple" => [128, 0, 128],
        "teal" => [0, 128, 128],
        "orange" => [255, 165, 0],
        "ivory" => [255, 255, 240],
        "snow" => [255, 250, 250],
        "beige" => [245, 245, 220],
        "whitesmoke" => [245, 245, 245],
        "ghostwhite" => [248, 248, 255],
        "floralwhite" => [255, 250, 240],
        "azure" => [240, 255, 255],
        "mintcream" => [245, 255, 250],
        "aliceblue" => [240, 248, 255],
        "lightyellow" => [255, 255, 224],
        "lightgrey" | "lightgray" => [211, 211, 211],
        "gainsboro" => [220, 220, 220],
        "darkblue" => [0, 0, 139],
        "midnightblue" => [25, 25, 112],
        "darkred" => [139, 0, 0],
        "darkgreen" => [0, 100, 0],
        _ => return None,
    })
}

impl Own {
    /// Adds what a stronger rule says.
    pub(super) fn add(&mut self, other: Own) {
        self.is_displayed = other.is_displayed.or(self.is_displayed);
        self.is_visible = other.is_visible.or(self.is_visible);
        self.is_tiny = other.is_tiny.or(self.is_tiny);
        self.is_gone |= other.is_gone;
        self.is_preformatted = other.is_preformatted.or(self.is_preformatted);
        self.colour = other.colour.or(self.colour);
        self.ground = other.ground.or(self.ground);
    }

    /// What is left of rules of which it is not known whether they apply: colours nobody knows.
    pub(super) fn doubtful(self) -> Own {
        let unknown = |paint: Option<Paint>| paint.map(|_| Paint::Unknown);
        Own { colour: unknown(self.colour), ground: unknown(self.ground), ..Own::default() }
    }
}
