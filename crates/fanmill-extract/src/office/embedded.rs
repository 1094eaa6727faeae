//! Documents inside a document: parts of a Word text in another format (`w:altChunk`), and embedded documents.
//!
//! Their text follows that of what they are in: a body, a slide, a sheet. A reader sees the first kind in its place, and the
//! second when opening it. Objects that only another program reads are flagged, but for equations.
//!
//! Cost: that of reading each of at most [`MOST_EMBEDDED`] documents, within the limits of a document of its size.
//! Source: ECMA-376-1, §17.17.2.1, "altChunk", §15.2.11, "Embedded Package Part", and §15.2.10, "Embedded Object Part".

use super::draft::{Draft, LineTarget};
use super::limits::{Limits, MOST_EMBEDDED};
use super::package::Package;
use super::relations::Relation;
use crate::extracted::{Extracted, Flag, SetApartText};
use crate::html;
use crate::html::begin::{begins_as_page, begins_with_tag};

/// The beginning of a file of objects of other programs (OLE), and what one of an equation has in it.
const OF_OBJECTS: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
const EQUATION: &str = "Equation Native";

/// Reads the documents that a part refers to, as text of `stream`.
pub(super) fn read(
    package: &mut Package<'_>,
    relations: &[Relation],
    stream: LineTarget,
    draft: &mut Draft,
) {
    let kinds = ["afchunk", "package", "oleobject"];
    for relation in relations.iter().filter(|relation| kinds.contains(&&*relation.kind)) {
        if package.has(&relation.target) {
            let is_chunk = relation.kind == "afchunk";
            file(package, &relation.target, is_chunk, stream, draft);
        }
    }
}

/// Reads a document that is a part of a package. A part of a text (`is_chunk`) may be a piece of a page.
pub(super) fn file(
    package: &mut Package<'_>,
    name: &str,
    is_chunk: bool,
    stream: LineTarget,
    draft: &mut Draft,
) {
    draft.n_embedded += 1;
    let is_tried = draft.n_embedded <= MOST_EMBEDDED && !draft.is_full();
    // The outer document is read in any case.
    let bytes = if is_tried { package.take_bytes(name).ok().flatten() } else { None };
    if !bytes.is_some_and(|bytes| one(package, &bytes, is_chunk, stream, draft)) {
        draft.flag(Flag::Embedded);
    }
}

/// Reads one document. Returns whether it could be read, or has no text.
fn one(
    package: &mut Package<'_>,
    bytes: &[u8],
    is_chunk: bool,
    stream: LineTarget,
    draft: &mut Draft,
) -> bool {
    let (document, n_unpacked) = read_within(bytes, is_chunk, package.limits_within());
    package.charge(n_unpacked);
    let Some(document) = document else { return false };
    lines(&document.text, stream, draft);
    for aside in document.asides {
        draft.aside(aside.kind, draft.here(stream), &aside.text);
    }
    document.flags.into_iter().for_each(|flag| draft.flag(flag));
    true
}

/// A document inside another one; empty if it has no text.
#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) text: String,
    pub(crate) asides: Vec<SetApartText>,
    pub(crate) flags: Vec<Flag>,
}

/// Reads a document inside another one: an office document, if `limits` are left for one, a page, or plain text. Returns
/// the number of bytes that were unpacked as well.
pub(crate) fn read_within(
    bytes: &[u8],
    is_chunk: bool,
    limits: Option<Limits>,
) -> (Option<Inner>, u64) {
    if bytes.starts_with(OF_OBJECTS) && is_equation(bytes) {
        return (Some(Inner::default()), 0);
    }
    if super::may_be_document(bytes) {
        let Some(limits) = limits else { return (None, 0) };
        let (document, n_unpacked) = super::read_counted(bytes, &limits);
        let inner = document.ok().flatten().map(|document| {
            let Extracted { text, asides, flags, .. } = document;
            Inner { text, asides, flags }
        });
        return (inner, n_unpacked);
    }
    let (text, is_damaged) = html::decode(bytes, None);
    // A page packed as mail (MHTML) would be markup.
    let is_mail = text.get(..13).is_some_and(|head| head.eq_ignore_ascii_case("mime-version:"));
    if is_damaged || is_mail || text.contains('\0') {
        return (None, 0);
    }
    let is_page = begins_as_page(&text) || is_chunk && begins_with_tag(&text);
    let text = if is_page { html::text(&text) } else { text.into() };
    (Some(Inner { text, ..Inner::default() }), 0)
}

/// Returns whether an object of another program is an equation.
fn is_equation(object: &[u8]) -> bool {
    let name: Vec<u8> = EQUATION.encode_utf16().flat_map(u16::to_le_bytes).collect();
    memchr::memmem::find(object, &name).is_some()
}

fn lines(text: &str, stream: LineTarget, draft: &mut Draft) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        draft.open_line();
        draft.push(line);
        draft.close_line(stream);
    }
}
