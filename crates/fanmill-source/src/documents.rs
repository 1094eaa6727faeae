//! Documents whose text is extracted, and a report's remarks on them.

use fanmill_text::message;
use fanmill_text::message::Message;

use fanmill_extract::extracted::{Extracted, Flag, ReadFailure, SetApartReason};
use fanmill_extract::office;
use fanmill_text::counted::counted;
use fanmill_text::document::Outcome;
use fanmill_text::foreign::caught;

use crate::archive::READER_GAVE_UP;
use crate::extraction::{Extractor, Hidden};
use crate::label::extension;
use crate::sniff::{Content, HEAD, other_than_mail};

/// The reason why an input is not taken, or a remark on one that is.
pub(super) type OutcomeReason = (Outcome, Message);

/// Extensions of documents whose text is extracted.
const EXTENSIONS: [&str; 31] = [
    "docx", "docm", "dotx", "dotm", "odt", "ott", "rtf", "doc", "pdf", "epub", "pptx", "pptm",
    "ppsx", "ppsm", "potx", "odp", "otp", "xlsx", "xlsm", "xltx", "ods", "ots", "xls", "ps", "eps",
    "mlx", "sb3", "sb2", "sprite3", "sprite2", "aia",
];

/// Returns whether the path of a document that was read names one whose text was extracted, so that it is plain text
/// now.
pub fn is_extracted(path: &str) -> bool {
    extension(path).is_some_and(|own| EXTENSIONS.contains(&&*own))
}

/// Returns the outcome and the reason of a document that is not taken.
pub(super) fn unread(unread: ReadFailure) -> OutcomeReason {
    (unread.outcome, unread.reason)
}

/// Reads an office document; `None` if it is a zip of other files.
pub(super) fn office_text(
    bytes: &[u8],
    limits: &office::Limits,
) -> Result<Option<Extracted>, OutcomeReason> {
    // The reader leaves nothing behind but what it returns, so a panic cannot leave anything half changed.
    match caught(|| office::read(bytes, limits)) {
        Some(Ok(document)) => Ok(document),
        Some(Err(left)) => Err(unread(left)),
        None => Err((Outcome::Failed, READER_GAVE_UP.into())),
    }
}

/// Reads a document that is a file of its own, whatever its name; returns at most `most` bytes of text.
///
/// # Errors
/// The reason why it is not read.
pub fn read(bytes: &[u8], most: u64, extractor: &Extractor) -> Result<Extracted, Message> {
    let document = match other_than_mail("", &bytes[..bytes.len().min(HEAD)]) {
        Content::Pdf => pdf(bytes, most, extractor).map_err(|unread| unread.reason)?,
        Content::PostScript => {
            extractor.post_script(bytes, most).map_err(|unread| unread.reason)?
        }
        _ => office_or_old(bytes, most, extractor)?,
    };
    Ok(if extractor.hidden == Hidden::Read { document.with_hidden() } else { document })
}

fn office_or_old(bytes: &[u8], most: u64, extractor: &Extractor) -> Result<Extracted, Message> {
    if office::is_old_word(bytes)
        && let Some(read) = extractor.doc(bytes, most)
    {
        return read.map_err(|unread| unread.reason);
    }
    let limits = office::Limits { part_bytes: most, ..office::Limits::standard() };
    match office_text(bytes, &limits) {
        Ok(Some(document)) => Ok(document),
        Ok(None) => Err("no document that is read, whatever its name says".into()),
        Err((_, reason)) => Err(reason),
    }
}

/// Reads a PDF in a process of its own.
#[cfg(feature = "pdf")]
pub(super) fn pdf(
    bytes: &[u8],
    most: u64,
    extractor: &Extractor,
) -> Result<Extracted, ReadFailure> {
    extractor.pdf(bytes, most).document
}

#[cfg(not(feature = "pdf"))]
pub(super) fn pdf(_: &[u8], _: u64, _: &Extractor) -> Result<Extracted, ReadFailure> {
    Err(ReadFailure::skipped("a PDF document, which this build does not read"))
}

/// Returns what a reader of the report should know about a document that was taken.
pub(super) fn remarks(document: &Extracted, hidden: Hidden) -> Vec<OutcomeReason> {
    let mut remarks = Vec::new();
    for flag in &document.flags {
        remarks.push(match flag {
            Flag::Macros => (Outcome::Flagged, "it has macros, which are not read".into()),
            Flag::Damaged => (Outcome::Degraded, "damaged: read up to the fault".into()),
            Flag::Limit => (
                Outcome::Degraded,
                "it has more pages, glyphs or nested forms than are read; the rest is left out"
                    .into(),
            ),
            Flag::Embedded => {
                (Outcome::Degraded, "it has documents inside it that are not read".into())
            }
            Flag::TwoReadings => (
                Outcome::Flagged,
                "its fonts draw other letters than it gives to programs; both texts are compared"
                    .into(),
            ),
        });
    }
    if let Some(unread) = document.unread {
        remarks
            .push((Outcome::Degraded, message!["{unread} have no known character: not compared"]));
    }
    remarks.extend(of_scans(document));
    for kind in SetApartReason::ALL {
        let n_words = document.n_words(kind) as u64;
        // Comments are not part of what is handed in, and most documents have page numbers.
        let is_usual = matches!(kind, SetApartReason::Comment | SetApartReason::Furniture);
        if n_words > 0 && !is_usual {
            let words = counted(n_words, "word", "words");
            let is_read = hidden == Hidden::Read && kind.is_disguise();
            let what = if is_read { "compared like other text" } else { "not compared" };
            remarks.push((Outcome::Flagged, message![("{}: {words}, {what}", kind.name())]));
        }
    }
    remarks
}

/// Minimum number of pages with text behind a picture that is a cover.
const PAGES_BEHIND_COVER: usize = 4;

/// Returns the parts of a document that were lost; `None` if it was read whole.
pub fn loss(document: &Extracted) -> Option<Message> {
    loss_of(remarks(document, Hidden::Skip))
}

/// Returns the losses among remarks as one sentence.
pub(super) fn loss_of(remarks: impl IntoIterator<Item = OutcomeReason>) -> Option<Message> {
    let mut lost = remarks.into_iter().filter(|(outcome, _)| *outcome == Outcome::Degraded);
    let (_, mut said) = lost.next()?;
    for (_, reason) in lost {
        said.push("; ");
        said.push(reason);
    }
    Some(said)
}

/// Returns the remarks on scanned pages of a document that has text as well.
fn of_scans(document: &Extracted) -> Vec<OutcomeReason> {
    let scans = &document.scans;
    let mut remarks = Vec::new();
    if scans.n_recognised > 0 {
        let pages = counted(scans.n_recognised, "scanned page was", "scanned pages were");
        remarks.push((
            Outcome::Flagged,
            message!["{pages} recognised by a program, which mistakes some letters"],
        ));
    }
    if scans.n_empty > 0 {
        let pages = counted(scans.n_empty, "scanned page", "scanned pages");
        remarks.push((Outcome::Flagged, message!["in {pages} no letters were recognised"]));
    }
    let n_unread = scans.unread.len() as u64;
    let pages = match scans.unread[..] {
        [] => return remarks,
        // Many documents have a cover.
        [1] if scans.failure.is_none() && document.places.len() >= PAGES_BEHIND_COVER => {
            return remarks;
        }
        [only] => format!("page {only} is a picture"),
        [first, .., last] => format!("{n_unread} pages from {first} to {last} are pictures"),
    };
    let said = if let Some(failure) = &scans.failure {
        message!["{pages}, not compared: ", failure.clone()]
    } else {
        message!["{pages}, not compared; recognise their text (OCR) first"]
    };
    remarks.push((Outcome::Degraded, said));
    remarks
}

/// Remarks on all documents together, made once.
#[derive(Debug, Default)]
pub(super) struct DocumentTotals {
    /// Safeguards that the system lacks.
    pub(super) missing: Option<String>,
    /// Documents with headers, footers and page numbers that are not compared; `n_words` counts the words of these.
    n_with_furniture: u64,
    n_words: u64,
}

impl DocumentTotals {
    pub(super) fn count(&mut self, document: &Extracted) {
        let n_words = document.n_words(SetApartReason::Furniture) as u64;
        self.n_with_furniture += u64::from(n_words > 0);
        self.n_words += n_words;
    }

    pub(super) fn reasons(self) -> Vec<String> {
        let missing = self.missing.map(|missing| {
            format!("PDF documents were read with fewer safeguards: this system has {missing}")
        });
        let furniture = (self.n_with_furniture > 0).then(|| {
            let words = counted(self.n_words, "word", "words");
            let documents = counted(self.n_with_furniture, "document", "documents");
            let name = SetApartReason::Furniture.name();
            format!("{name} in {documents} are not compared: {words}")
        });
        missing.into_iter().chain(furniture).collect()
    }
}
