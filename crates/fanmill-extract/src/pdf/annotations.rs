//! Annotations, which lie on a page beside its content: fields of forms, texts that viewers draw, comments,
//! and files pinned to it.
//!
//! Cost: O(n) in the annotations of a page, [`MOST_FIELDS`] at most.
//! Source: ISO 32000-2 (PDF 2.0), §12.5.6, "Annotation types", and §12.7.4, "Field types".

use std::iter;

use hayro_interpret::hayro_syntax::object::{self, Array, Dict, Name};
use hayro_interpret::hayro_syntax::page::Page as Source;
use hayro_interpret::kurbo::{Affine, Rect};

use super::forms::Field;
use super::limits::{MOST_FIELDS, PARENTS};

/// Size in points that no field's letters have.
const LARGEST: f64 = 1000.0;

/// Bits of `/F` that keep an annotation from being seen, and the one of `/Ff` for passwords.
const UNSEEN: i32 = 0b10_0010;
const PASSWORD: i32 = 1 << 13;

/// Annotations that point out a place, so that their text is a comment on it.
const REMARKS: [&[u8]; 13] = [
    b"Text",
    b"Highlight",
    b"Underline",
    b"Squiggly",
    b"StrikeOut",
    b"Caret",
    b"Line",
    b"Square",
    b"Circle",
    b"Polygon",
    b"PolyLine",
    b"Ink",
    b"Stamp",
];

fn all<'a>(source: &Source<'a>) -> Vec<Dict<'a>> {
    let annotations = source.raw().get::<Array<'_>>("Annots").unwrap_or_default();
    annotations.iter::<Dict<'_>>().take(MOST_FIELDS).collect()
}

fn kind<'a>(annotation: &Dict<'a>) -> Option<Name<'a>> {
    annotation.get::<Name<'_>>("Subtype")
}

/// Returns the comments on a page, in the order of its annotations.
pub(super) fn comments(source: &Source<'_>) -> Vec<String> {
    let is_remark =
        |annotation: &Dict<'_>| kind(annotation).is_some_and(|kind| REMARKS.contains(&&*kind));
    let remarks = all(source).into_iter().filter(is_remark);
    let said = remarks.filter_map(|remark| remark.get::<object::String<'_>>("Contents"));
    let said = said.map(|said| string(said.as_bytes()).trim().to_owned());
    said.filter(|said| !said.is_empty()).collect()
}

/// Returns the descriptions of the files that are pinned to a page.
pub(super) fn pinned<'a>(source: &Source<'a>) -> impl Iterator<Item = Dict<'a>> + use<'a> {
    let is_pin = |annotation: &Dict<'_>| kind(annotation).as_deref() == Some(b"FileAttachment");
    all(source).into_iter().filter(is_pin).filter_map(|pin| pin.get("FS"))
}

/// Returns the fields of a form on a page that have a value and no appearance, which viewers draw, and texts that were
/// written onto the page likewise. One by one: many may share a long value.
pub(super) fn fields<'a>(
    source: &Source<'a>,
    place: Affine,
) -> impl Iterator<Item = Field> + use<'a> {
    let field = move |annotation: Dict<'_>| {
        let flags = annotation.get::<i32>("F").unwrap_or(0);
        if annotation.contains_key("AP") || flags & UNSEEN != 0 {
            return None;
        }
        let (value, style) = match &*kind(&annotation)? {
            b"Widget" => value_of_widget(&annotation)?,
            b"FreeText" => (annotation.get("Contents")?, annotation.get("DA")),
            _ => return None,
        };
        let area = annotation.get::<object::Rect>("Rect")?;
        let area = place.transform_rect_bbox(Rect::new(area.x0, area.y0, area.x1, area.y1));
        Some(Field {
            value: string(value.as_bytes()),
            left: area.x0,
            top: area.y0,
            width: area.width(),
            height: area.height(),
            size: style.map_or(0.0, |style| size_of_style(style.as_bytes())),
        })
    };
    all(source).into_iter().filter_map(field)
}

/// Returns the value and the style of a field, unless it is a button or a password.
fn value_of_widget<'a>(
    widget: &Dict<'a>,
) -> Option<(object::String<'a>, Option<object::String<'a>>)> {
    // A widget inherits from the field that it is a part of.
    let chain: Vec<Dict<'_>> =
        iter::successors(Some(widget.clone()), |one| one.get("Parent")).take(PARENTS).collect();
    let kind = chain.iter().find_map(|one| one.get::<Name<'_>>("FT"))?;
    let is_password = chain.iter().find_map(|one| one.get::<i32>("Ff")).unwrap_or(0) & PASSWORD;
    if !matches!(&*kind, b"Tx" | b"Ch") || is_password != 0 {
        return None;
    }
    let value = chain.iter().find_map(|one| one.get::<object::String<'_>>("V"))?;
    Some((value, chain.iter().find_map(|one| one.get::<object::String<'_>>("DA"))))
}

/// Returns the size of letters that a style of a field sets, such as `/Helv 10 Tf 0 g`; 0 if it sets none.
fn size_of_style(style: &[u8]) -> f64 {
    let style = String::from_utf8_lossy(style);
    let words: Vec<&str> = style.split_whitespace().collect();
    let size = words.windows(2).find(|two| two[1] == "Tf").and_then(|two| two[0].parse().ok());
    size.filter(|size: &f64| size.is_finite() && *size > 0.0 && *size < LARGEST).unwrap_or(0.0)
}

/// Decodes a PDF string: UTF-16 or UTF-8 after a byte order mark, and Latin letters otherwise.
pub(super) fn string(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0,
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        _ => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
    .into_owned()
}
