//! The text of office documents: Word, OpenDocument, slides, sheets, EPUB and RTF; and of programs that are kept like them,
//! MATLAB live scripts, Scratch and App Inventor projects.
//!
//! [`read`] takes the bytes of a document and returns its text as a reader sees it ([`Extracted`]), with the place of
//! each stretch, the text that was set apart (deleted, moved and hidden text, comments), unusual properties of the
//! document, and its author. The format is recognised by the content, since names lie. `draft` collects the text of all
//! formats; `package` reads the parts of a zip under limits, and `xml` reads the elements and the text of a part.
//!
//! | format | body | also | set apart |
//! |---|---|---|---|
//! | docx, docm | paragraphs, tables, text boxes, equations | foot- and endnotes, diagrams, documents inside it | deleted, moved, hidden, white, tiny; comments |
//! | odt | paragraphs, tables, text boxes | notes | deleted, hidden, white, tiny; comments |
//! | pptx, odp | slides | notes of the speaker, diagrams | tiny text, hidden slides |
//! | xlsx, ods | rows, cells separated by tabs | | hidden sheets, comments |
//! | EPUB | chapters in reading order, by [`crate::html`] | | |
//! | RTF | paragraphs, tables | notes | deleted, hidden, white, tiny; comments |
//! | mlx | text, and code in fences | | |
//! | sb3, sb2, sprite3, sprite2; aia | scripts, a line for each block | | |
//!
//! Headers, footers, page numbers and instructions of fields are left out, because they repeat.
//!
//! Cost: O(n) time in the unpacked bytes of the parts that are read, each of them once. Memory: one part and the text.
//! [`Limits`] bounds both whatever the bytes are, and nothing here recurses but the parser of JSON, to a depth of 128, and documents inside documents, to one of 2.
//! Source: ECMA-376 (Office Open XML), parts 1 and 2; OASIS OpenDocument 1.3, part 3; EPUB 3.3; Rich Text Format 1.9.1.
//! Departs from them: elements are recognised by their local names, so that strict and transitional documents are read
//! alike. Only the five entities of XML are resolved, and no document type is read.

mod limits;
mod draft;
mod xml;
mod package;
mod relations;
mod look;
mod metadata;
mod embedded;
mod docx;
mod slides;
mod sheets;
mod open_document;
mod epub;
mod live_script;
mod scratch;
mod app_inventor;
mod old;
mod rtf;
#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;

pub use crate::extracted::{
    Extracted, Flag, Format, LocatedSpan, Location, Metadata, ReadFailure, SetApartReason,
    SetApartText,
};
#[cfg(feature = "pdf")]
pub(crate) use embedded::{Inner, read_within};
pub use limits::Limits;

use draft::Draft;
use package::Package;

/// Returns whether bytes begin like one of these documents: a zip, RTF, or an old office document. [`read`] decides
/// whether they are one.
pub fn may_be_document(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || rtf::begins(head) || old::begins(head)
}

/// Returns whether bytes are a Word document from before 2007, which [`read`] does not read.
pub fn is_old_word(bytes: &[u8]) -> bool {
    old::is_word(bytes)
}

/// Reads a document; `None` if it has none of these formats, such as a zip of other files.
///
/// # Errors
/// If the document is encrypted, in an old format, damaged where its text is, over a limit, or has no text.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Option<Extracted>, ReadFailure> {
    read_counted(bytes, limits).0
}

/// Reads a document as [`read`] does, and returns the number of bytes that were unpacked as well.
fn read_counted(bytes: &[u8], limits: &Limits) -> (Result<Option<Extracted>, ReadFailure>, u64) {
    if old::begins(bytes) {
        return (Err(old::reason(bytes)), 0);
    }
    let mut draft = Draft::new(limits);
    if rtf::begins(bytes) {
        rtf::read(bytes, &mut draft);
        return (draft.finish(Format::Rtf, limits).map(Some), 0);
    }
    let mut package = match Package::open(bytes, limits) {
        Ok(Some(package)) => package,
        Ok(None) => return (Ok(None), 0),
        Err(unread) => return (Err(unread), 0),
    };
    if package.is_cut() {
        draft.flag(Flag::Damaged);
    }
    let found = of_package(&mut package, &mut draft);
    let n_unpacked = package.n_unpacked();
    let document = match found {
        // Without a table of contents, nobody knows what it was.
        Ok(None) | Err(_) if package.is_cut() => Err(package::cut_off()),
        Ok(Some(format)) => draft.finish(format, limits).map(Some),
        Ok(None) => Ok(None),
        Err(unread) => Err(unread),
    };
    (document, n_unpacked)
}

/// Name, in lower case, of the list of a document's parts.
const PARTS_LIST: &str = "[content_types].xml";

/// Reads a document that is a zip.
fn of_package(package: &mut Package<'_>, draft: &mut Draft) -> Result<Option<Format>, ReadFailure> {
    if let Some(main) = relations::main_part(package)? {
        let Some(part) = package.take(&main)? else {
            return Err(ReadFailure::failed(format!("damaged: its part `{main}` is missing")));
        };
        let format = match xml::root(&part).as_deref() {
            Some("document") => Format::Docx,
            Some("presentation") => Format::Pptx,
            Some("workbook") => Format::Xlsx,
            _ if main.to_lowercase().ends_with("workbook.bin") => {
                return Err(ReadFailure::skipped("a binary workbook (.xlsb); save it as .xlsx"));
            }
            // Another package, such as one of fonts or of drawings.
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
    if live_script::is_live_script(package) && package.names().all(live_script::is_part) {
        return live_script::read(package, draft).map(|()| Some(Format::Mlx));
    }
    // A zip of a project beside other files is an archive of all of them.
    if package.names().all(scratch::is_part) && scratch::read(package, draft)? {
        return Ok(Some(Format::Sb3));
    }
    if app_inventor::read(package, draft)? {
        return Ok(Some(Format::Aia));
    }
    if package.has("meta-inf/container.xml") {
        return epub::read(package, draft).map(|()| Some(Format::Epub));
    }
    let mime = package.take("mimetype")?.unwrap_or_default();
    if package.has("content.xml") && mime.starts_with("application/vnd.oasis.opendocument") {
        return open_document::read(package, draft);
    }
    // The list of parts is no text that anybody wrote; without them it would be compared as a file of a zip.
    if package.has(PARTS_LIST) && package.names().all(|name| name == PARTS_LIST) {
        return Err(ReadFailure::failed("damaged: it has a list of its parts, and none of them"));
    }
    Ok(None)
}
