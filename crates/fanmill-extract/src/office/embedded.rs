//! Documents inside a Word document: parts of the text in another format (`w:altChunk`), and embedded documents.
//!
//! Their text follows that of the body. A reader sees the first kind in its place, and the second when opening it.
//!
//! Cost: that of reading each of at most [`MOST_EMBEDDED`] documents, within the limits of a document of its size.
//! Source: ECMA-376-1, §17.17.2.1, "altChunk", and §15.2.11, "Embedded Package Part".

use super::draft::{Draft, LineTarget};
use super::limits::{Limits, MOST_EMBEDDED};
use super::package::Package;
use super::relations::Relation;
use crate::extracted::{Flag, ReadFailure};
use crate::html;
use crate::html::begin::begins_as_page;

/// Reads the documents that a document refers to.
pub(super) fn read(
    package: &mut Package<'_>,
    relations: &[Relation],
    draft: &mut Draft,
) -> Result<(), ReadFailure> {
    let kinds = ["afchunk", "package"];
    let embedded = relations.iter().filter(|relation| kinds.contains(&&*relation.kind));
    for (n_before, relation) in embedded.enumerate() {
        let Some(bytes) = package.take_bytes(&relation.target)? else { continue };
        let limits = package.limits_within();
        if n_before >= MOST_EMBEDDED || !limits.is_some_and(|limits| push(&bytes, &limits, draft)) {
            draft.flag(Flag::Embedded);
        }
    }
    Ok(())
}

/// Appends the text of a document, by its content. Returns whether it could be read.
fn push(bytes: &[u8], limits: &Limits, draft: &mut Draft) -> bool {
    if super::may_be_document(bytes) {
        let Ok(Some(document)) = super::read(bytes, limits) else { return false };
        lines(&document.text, draft);
        for aside in document.asides {
            draft.aside(aside.kind, draft.here(LineTarget::Body), &aside.text);
        }
        document.flags.into_iter().for_each(|flag| draft.flag(flag));
        return true;
    }
    let (text, is_damaged) = html::decode(bytes, None);
    if is_damaged || text.contains('\0') {
        return false;
    }
    if begins_as_page(&text) {
        lines(&html::text(&text), draft);
    } else {
        lines(&text, draft);
    }
    true
}

fn lines(text: &str, draft: &mut Draft) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        draft.open_line();
        draft.push(line);
        draft.close_line(LineTarget::Body);
    }
}
