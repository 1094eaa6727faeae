//! Properties of elements by their names: how their tags nest, and which gaps are around them.
//!
//! Cost: O(1) for each question.
//! Source: WHATWG HTML Standard, "The stack of open elements", "in body", "in table", "in foreign content",
//! "Rendering".

use fanmill_extract::html::{Gap, gap_around};

/// Effect of end tags on an element and on those around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndTagReach {
    /// Stays open when the element around it ends: `<b>`.
    Formatting,
    /// Its end tag closes nothing outside the block that it is in: `<span>`.
    Plain,
    /// The end tag of a plain element inside it closes nothing outside it: `<div>`.
    Block,
    /// No other element's end tag inside it closes anything outside it: `<td>`.
    Wall,
}

pub(super) fn kind(name: &str) -> EndTagReach {
    match name {
        "a" | "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike"
        | "strong" | "tt" | "u" => EndTagReach::Formatting,
        "caption" | "marquee" | "object" | "table" | "td" | "template" | "th" | "applet" => {
            EndTagReach::Wall
        }
        "address" | "article" | "aside" | "blockquote" | "button" | "center" | "dd" | "details"
        | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "li" | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext" | "pre"
        | "section" | "select" | "summary" | "tbody" | "textarea" | "tfoot" | "thead" | "tr"
        | "ul" | "xmp" => EndTagReach::Block,
        _ => EndTagReach::Plain,
    }
}

/// Returns whether an element has neither an end tag nor content. A head counts as such an element, since its elements
/// may be in the body.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "head"
            | "hr"
            | "image"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Elements that end when another of their kind starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Item,
    Definition,
    Choice,
    Paragraph,
}

/// Returns the family whose innermost open member ends where an element starts.
pub(super) fn family_ended_by(name: &str) -> Option<Family> {
    Some(match name {
        "li" => Family::Item,
        "dd" | "dt" => Family::Definition,
        "option" | "optgroup" => Family::Choice,
        name if kind(name) == EndTagReach::Block || name == "table" || name == "hr" => {
            Family::Paragraph
        }
        _ => return None,
    })
}

/// Returns the family of an element.
pub(super) fn family(name: &str) -> Option<Family> {
    Some(match name {
        "li" => Family::Item,
        "dd" | "dt" => Family::Definition,
        "option" => Family::Choice,
        "p" => Family::Paragraph,
        _ => return None,
    })
}

/// Returns the family whose members around an element stay open when others start inside it. A wall protects all
/// families.
pub(super) fn family_protected_by(name: &str) -> Option<Family> {
    Some(match name {
        "ul" | "ol" | "menu" | "dir" => Family::Item,
        "dl" => Family::Definition,
        "select" => Family::Choice,
        "button" => Family::Paragraph,
        _ => return None,
    })
}

/// Returns the depth of a part of a table inside its table.
pub(super) fn rank(name: &str) -> Option<u8> {
    Some(match name {
        "table" => 0,
        "tbody" | "tfoot" | "thead" | "caption" => 1,
        "tr" => 2,
        "td" | "th" => 3,
        _ => return None,
    })
}

/// Returns whether an element begins a drawing or a formula, inside which other rules apply.
pub(super) fn begins_drawing(name: &str) -> bool {
    matches!(name, "svg" | "math")
}

/// Returns whether an element of a drawing contains HTML.
pub(super) fn holds_page(name: &str) -> bool {
    matches!(name, "foreignobject" | "desc" | "annotation-xml")
}

/// Returns whether the start of an element ends the drawing around it.
pub(super) fn ends_drawing(name: &str) -> bool {
    kind(name) != EndTagReach::Plain && !matches!(name, "a" | "template")
        || matches!(name, "body" | "br" | "embed" | "head" | "hr" | "img" | "meta" | "ruby")
        || matches!(name, "span" | "sub" | "sup" | "var")
}

/// Returns whether an element inside a table is shown where its tag is; others are shown before the table.
pub(super) fn stays_in_table(name: &str) -> bool {
    rank(name).is_some_and(|rank| rank > 0)
        || matches!(name, "col" | "colgroup" | "script" | "style" | "template")
}

/// Returns the gap between an element and its neighbours, by its name.
pub(super) fn gap(name: &str) -> Gap {
    if name == "marquee" { Gap::Line } else { gap_around(name) }
}

/// Returns whether an element shows something other than the text of the page.
pub(super) fn is_picture(name: &str) -> bool {
    matches!(
        name,
        "img"
            | "image"
            | "svg"
            | "canvas"
            | "video"
            | "iframe"
            | "frame"
            | "object"
            | "embed"
            | "applet"
            | "input"
            | "script"
    )
}
