//! The text of office documents: Word, OpenDocument, slides, sheets, EPUB and RTF.
//!
//! [`read`] takes the bytes of a document and gives its text as a reader sees it ([`Extracted`]): where each stretch of it stands,
//! what was set apart (deleted, moved and hidden text, comments), what is unusual about the document, and who wrote it. The format is
//! told by the content: names lie. `draft` is where all formats put their text; `package` reads the parts of a zip under limits,
//! and `xml` the elements and the text of a part.
//!
//! | format | body | also | set apart |
//! |---|---|---|---|
//! | docx, docm | paragraphs, tables, text boxes, equations | foot- and endnotes, diagrams | deleted, moved, hidden, white, tiny; comments |
//! | odt | paragraphs, tables, text boxes | notes | deleted, hidden, white, tiny; comments |
//! | pptx, odp | slides | notes of the speaker, diagrams | tiny text, hidden slides |
//! | xlsx, ods | rows, cells separated by tabs | | hidden sheets, comments |
//! | EPUB | chapters in reading order, by [`crate::html`] | | |
//! | RTF | paragraphs, tables | notes | deleted, hidden, white, tiny; comments |
//!
//! Headers, footers, page numbers and instructions of fields are left out; they repeat.
//!
//! Cost: O(n) time in the unpacked bytes of the parts that are read, each of which is read once. Memory: one part and the text.
//! Both are bounded by [`Limits`] whatever the bytes are, and nothing here recurses.
//! Source: ECMA-376 (Office Open XML), parts 1 and 2; OASIS OpenDocument 1.3, part 3; EPUB 3.3; Rich Text Format 1.9.1.
//! Departs from them: elements are told by their local names, so that strict and transitional documents are read alike. No entity
//! but the five of XML is resolved, and no document type is read.

mod limits;
mod draft;
mod xml;
mod package;
mod relations;
mod look;
mod metadata;
mod docx;
mod slides;
mod sheets;
mod open_document;
mod epub;
mod old;
mod rtf;
#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;

pub use crate::extracted::{
    Aside, AsideKind, At, Extracted, Flag, Format, Metadata, Place, Unread,
};
pub use limits::Limits;

use draft::Draft;
use package::Package;

/// Whether bytes begin as one of these documents may: a zip, RTF, or an old office document, of which [`read`] says more.
pub fn may_be_document(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || rtf::begins(head) || old::begins(head)
}

/// Whether bytes are a Word document of before 2007, which [`read`] does not read.
pub fn is_old_word(bytes: &[u8]) -> bool {
    old::is_word(bytes)
}

/// Reads a document; `None` if it is none of these formats, such as a zip of other files.
///
/// # Errors
/// If the document is encrypted, in an old format, damaged where its text is, over a limit, or has no text.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Option<Extracted>, Unread> {
    if old::begins(bytes) {
        return Err(old::reason(bytes));
    }
    let mut draft = Draft::new(limits);
    let format = if rtf::begins(bytes) {
        rtf::read(bytes, &mut draft);
        Format::Rtf
    } else {
        let Some(mut package) = Package::open(bytes, limits)? else { return Ok(None) };
        match of_package(&mut package, &mut draft)? {
            Some(format) => format,
            None => return Ok(None),
        }
    };
    draft.finish(format, limits).map(Some)
}

/// Reads the document that a zip is.
fn of_package(package: &mut Package<'_>, draft: &mut Draft) -> Result<Option<Format>, Unread> {
    if let Some(main) = relations::main_part(package)? {
        let Some(part) = package.take(&main)? else {
            return Err(Unread::failed(format!("damaged: its part `{main}` is missing")));
        };
        let format = match xml::root(&part).as_deref() {
            Some("document") => Format::Docx,
            Some("presentation") => Format::Pptx,
            Some("workbook") => Format::Xlsx,
            _ if main.to_lowercase().ends_with("workbook.bin") => {
                return Err(Unread::skipped("a binary workbook (.xlsb); save it as .xlsx"));
            }
            // Such as a package of fonts or of drawings.
            _ => return Ok(None),
        };
        if package.names().any(|name| name.ends_with("vbaproject.bin")) {
            draft.flag(Flag::Macros);
        }
        metadata::office(package, draft)?;
        match format {
            Format::Docx => docx::read(package, &main, &part, draft)?,
            Format::Pptx => slides::read(package, &main, &part, draft)?,
            _ => sheets::read(package, &main, &part, draft)?,
        }
        return Ok(Some(format));
    }
    if package.has("meta-inf/container.xml") {
        return epub::read(package, draft).map(|()| Some(Format::Epub));
    }
    let mime = package.take("mimetype")?.unwrap_or_default();
    if package.has("content.xml") && mime.starts_with("application/vnd.oasis.opendocument") {
        return open_document::read(package, draft);
    }
    Ok(None)
}
