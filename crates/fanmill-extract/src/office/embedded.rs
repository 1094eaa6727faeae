//! Documents inside a Word document: parts of the text in another format (`w:altChunk`), and embedded documents.
//!
//! Their text follows that of the body. A reader sees the first kind in its place, and the second when opening it.
//!
//! Cost: that of reading each of at most [`MOST_EMBEDDED`] documents, within the limits of a document of its size.
//! Source: ECMA-376-1, §17.17.2.1, "altChunk", and §15.2.11, "Embedded Package Part".

use super::draft::{Draft, LineTarget};
use super::limits::MOST_EMBEDDED;
use super::package::Package;
use super::relations::Relation;
use crate::extracted::Flag;
use crate::html;
use crate::html::begin::{begins_as_page, begins_with_tag};

/// Reads the documents that a document refers to.
pub(super) fn read(package: &mut Package<'_>, relations: &[Relation], draft: &mut Draft) {
    let kinds = ["afchunk", "package"];
    let embedded = relations.iter().filter(|relation| kinds.contains(&&*relation.kind));
    for (n_before, relation) in embedded.enumerate() {
        if !package.has(&relation.target) {
            continue;
        }
        let is_tried = n_before < MOST_EMBEDDED && !draft.is_full();
        if !is_tried || !one(package, relation, draft) {
            draft.flag(Flag::Embedded);
        }
    }
}

/// Reads one document. Returns whether it could be read; the outer one is read in any case.
fn one(package: &mut Package<'_>, relation: &Relation, draft: &mut Draft) -> bool {
    let Ok(Some(bytes)) = package.take_bytes(&relation.target) else { return false };
    if super::may_be_document(&bytes) {
        let Some(limits) = package.limits_within() else { return false };
        let (document, n_unpacked) = super::read_counted(&bytes, &limits);
        package.charge(n_unpacked);
        let Ok(Some(document)) = document else { return false };
        lines(&document.text, draft);
        for aside in document.asides {
            draft.aside(aside.kind, draft.here(LineTarget::Body), &aside.text);
        }
        document.flags.into_iter().for_each(|flag| draft.flag(flag));
        return true;
    }
    let (text, is_damaged) = html::decode(&bytes, None);
    // A page packed as mail (MHTML) would be markup.
    let is_mail = text.get(..13).is_some_and(|head| head.eq_ignore_ascii_case("mime-version:"));
    if is_damaged || is_mail || text.contains('\0') {
        return false;
    }
    let is_page = begins_as_page(&text) || relation.kind == "afchunk" && begins_with_tag(&text);
    if is_page {
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
