//! Mail messages: the text that a person sees, the text of what is attached, and a report's remarks on the rest.
//!
//! This is the one way in for messages of every job. An attachment is read by its content, whatever its type and its
//! name say, by the readers that files are read by: office documents, PDF in a process of its own, the user's programs,
//! and text in its encoding. Its text follows that of the message. The files in an archive are read as if each were
//! attached; an archive in an archive, and whatever else may have words that were not read, is a loss. Pictures, sound,
//! video and keys have no words, and are counted.

use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use fanmill_extract::extracted::{Extracted, ReadFailure};
use fanmill_extract::office;
use fanmill_mail::{Attachment, Limits, Message, Remark, message, shown_name};
use fanmill_text::counted::counted;
use fanmill_text::document::Outcome;
use fanmill_text::foreign::caught;
use fanmill_text::frontend::decode;

use crate::archive::{Entry, Kind, READER_GAVE_UP, each_entry, trouble};
use crate::documents::{self, OutcomeReason, office_text, pdf};
use crate::extraction::{Extractor, Hidden};
use crate::limits::Budget;
use crate::sniff::{Content, Format, HEAD, is_media, other_than_mail, stray_nuls};

/// First lines of encrypted text, and of text for programs alone.
const ARMOURED: [(&str, Option<&str>); 6] = [
    ("-----BEGIN PGP MESSAGE-----", Some("encrypted, not read")),
    ("-----BEGIN PKCS7-----", Some(IN_PEM)),
    ("-----BEGIN CMS-----", Some(IN_PEM)),
    ("-----BEGIN PGP SIGNATURE-----", None),
    ("-----BEGIN PGP PUBLIC KEY BLOCK-----", None),
    ("-----BEGIN CERTIFICATE-----", None),
];

/// Reason why contents as programs hand them to each other are not read; as mail has them, they are.
const IN_PEM: &str = "signed or encrypted contents in PEM, not read";

/// Reason why an archive is not read.
const ARCHIVE: &str =
    "an archive inside an archive, which is not opened in a message; give its files";

/// Maximum number of files that are read in all archives of a message, and of entries of any kind that are looked at.
const MOST_FILES: u64 = 64;
const MOST_ENTRIES: u64 = 1000;

/// Reads a message and what is attached to it; returns at most `most` bytes of text.
///
/// # Errors
/// If it has no text.
pub fn read(bytes: &[u8], most: u64, extractor: &Extractor) -> Result<Message, OutcomeReason> {
    let n = usize::try_from(most).unwrap_or(usize::MAX);
    let standard = Limits::standard();
    let limits = Limits {
        message_bytes: n.max(standard.message_bytes),
        text_bytes: n.min(standard.text_bytes),
        ..standard
    };
    let Some(message) = read_within(bytes, &limits, most, extractor) else {
        return Err((Outcome::Failed, READER_GAVE_UP.into()));
    };
    if message.text.trim().is_empty() {
        return Err((Outcome::Skipped, no_text(&message)));
    }
    Ok(message)
}

/// Reads a message and what is attached to it within these limits; of each attachment, `most` bytes are unpacked. `None`
/// if the reader of the message gave up.
pub fn read_within(
    bytes: &[u8],
    limits: &Limits,
    most: u64,
    extractor: &Extractor,
) -> Option<Message> {
    // The reader leaves nothing behind but what it returns, so a panic cannot leave anything half changed.
    let mut message = caught(|| message::read(bytes, limits))?;
    let mut reader = AttachmentReader {
        limits,
        most,
        left: most,
        files_left: MOST_FILES,
        entries_left: MOST_ENTRIES,
        extractor,
        has_failed: false,
    };
    for attachment in std::mem::take(&mut message.attachments) {
        match reader.text(&attachment) {
            AttachmentText::Archive(format) => reader.archive(format, &attachment, &mut message),
            text => reader.attach(text, &attachment, &mut message),
        }
    }
    Some(message)
}

/// A reader of the attachments of one message.
struct AttachmentReader<'a> {
    limits: &'a Limits,
    most: u64,
    /// Bytes that archives may still unpack to.
    left: u64,
    /// Files in archives that may still be read, and entries that may still be looked at.
    files_left: u64,
    entries_left: u64,
    extractor: &'a Extractor,
    /// If set, the reader of an attachment was stopped. Each may take seconds until it is, so no other one is started.
    has_failed: bool,
}

/// The result of reading an attachment.
enum AttachmentText {
    Document(Box<Extracted>),
    Text(String),
    /// It is an archive.
    Archive(Format),
    /// It has no words.
    Wordless,
    /// It was not read.
    Unread(fanmill_text::Message),
}

impl AttachmentReader<'_> {
    /// Adds the files in an archive to the message, as far as its bytes go.
    fn archive(&mut self, format: Format, archive: &Attachment, message: &mut Message) {
        let note = |message: &mut Message, name: &str, note, is_loss| {
            message.note(Remark::Attachment { name: name.to_owned(), note, is_loss });
        };
        let (file_bytes, total_bytes) = (self.most, self.left);
        let limits = crate::Limits { file_bytes, total_bytes, ..crate::Limits::standard() };
        let budget = Budget::new(limits);
        let mut visit = |entry: Entry<'_>| {
            let is_file = matches!(entry.kind, Kind::File(_));
            let limit = match (self.entries_left, self.files_left) {
                (0, _) => Some(format!("more than {MOST_ENTRIES} entries of archives")),
                (_, 0) if is_file => Some(format!("more than {MOST_FILES} files in archives")),
                _ => None,
            };
            if let Some(limit) = limit {
                let limit = format!("{limit}: the rest was not read");
                note(message, &archive.name, limit.into(), true);
                return ControlFlow::Break(());
            }
            self.entries_left -= 1;
            self.files_left -= u64::from(is_file);
            let name = shown_name(&format!("{}!/{}", archive.name, entry.label));
            match entry.kind {
                Kind::Folder => {}
                Kind::Left(outcome, reason) => {
                    note(message, &name, reason, outcome != Outcome::Flagged);
                }
                Kind::File(input) => match self.unpacked(input) {
                    Ok(bytes) => {
                        let file = Attachment { name, bytes, is_body: false, is_wordless: false };
                        let text = self.text(&file);
                        self.attach(text, &file, message);
                    }
                    Err(reason) => note(message, &name, reason, true),
                },
            }
            ControlFlow::Continue(())
        };
        let mut source = Cursor::new(&archive.bytes);
        let ending = each_entry(format, &archive.name, &mut source, &budget, &mut visit);
        let losses = ending.damage.map(Into::into).into_iter().chain(ending.stopped);
        losses.for_each(|loss| note(message, &archive.name, loss, true));
        ending.remark.into_iter().for_each(|remark| note(message, &archive.name, remark, false));
    }

    /// Returns the bytes of a file in an archive.
    fn unpacked(&mut self, input: &mut dyn Read) -> Result<Vec<u8>, fanmill_text::Message> {
        let (mut bytes, most) = (Vec::new(), self.most.min(self.left));
        let read = input.take(most.saturating_add(1)).read_to_end(&mut bytes);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        match read {
            Err(error) => Err(trouble(&error).into()),
            Ok(n) if n as u64 > most => {
                let all = if most < self.most { ", with what archives held before it" } else { "" };
                let limit = self.most;
                Err(format!("more than {limit} bytes{all}: not read").into())
            }
            Ok(_) => Ok(bytes),
        }
    }

    /// Adds the text of an attachment to the message, and remarks on it.
    fn attach(&mut self, text: AttachmentText, attachment: &Attachment, message: &mut Message) {
        let note = |message: &mut Message, note, is_loss| {
            message.note(Remark::Attachment { name: attachment.name.clone(), note, is_loss });
        };
        match text {
            AttachmentText::Archive(_) => note(message, ARCHIVE.into(), true),
            AttachmentText::Wordless => message.note(Remark::NotText(1)),
            AttachmentText::Unread(reason) => note(message, reason, true),
            AttachmentText::Text(text) => {
                let nuls = stray_nuls(&attachment.bytes) as u64;
                if nuls > 0 {
                    let nuls = counted(nuls, "NUL byte", "NUL bytes");
                    note(message, format!("{nuls} within text: read as text").into(), true);
                }
                let n_odd = text.matches(char::REPLACEMENT_CHARACTER).count();
                if n_odd > 0 {
                    message.note(Remark::Undecodable(n_odd));
                }
                message.attach(attachment, &text, self.limits);
            }
            AttachmentText::Document(document) => {
                let hidden = self.extractor.hidden;
                let document =
                    if hidden == Hidden::Read { document.with_hidden() } else { *document };
                for (outcome, reason) in documents::remarks(&document, hidden) {
                    note(message, reason, outcome != Outcome::Flagged);
                }
                message.attach(attachment, &document.text, self.limits);
            }
        }
    }

    /// Reads an attachment by its content.
    fn text(&mut self, attachment: &Attachment) -> AttachmentText {
        let Attachment { name, bytes, is_wordless, .. } = attachment;
        match other_than_mail(name, &bytes[..bytes.len().min(HEAD)]) {
            Content::Empty => AttachmentText::Wordless,
            Content::Document => self.office(bytes),
            Content::Pdf => self.in_process(|extractor, most| pdf(bytes, most, extractor)),
            Content::PostScript => {
                self.in_process(|extractor, most| extractor.post_script(bytes, most))
            }
            Content::Archive(format) => AttachmentText::Archive(format),
            _ if *is_wordless || is_of_macos(bytes) => AttachmentText::Wordless,
            Content::Binary(what) if is_media(what) => AttachmentText::Wordless,
            Content::Binary(what) => AttachmentText::Unread(format!("binary: {what}").into()),
            Content::Text | Content::Message => plain_text(bytes),
        }
    }

    fn office(&mut self, bytes: &[u8]) -> AttachmentText {
        if office::is_old_word(bytes) && !self.has_failed {
            let read = self.extractor.doc(bytes, self.most);
            if let Some(read) = read {
                return self.in_process(|_, _| read);
            }
        }
        let limits = office::Limits { part_bytes: self.most, ..office::Limits::standard() };
        match office_text(bytes, &limits) {
            Ok(Some(document)) => AttachmentText::Document(Box::new(document)),
            Ok(None) => AttachmentText::Archive(Format::Zip),
            Err((_, reason)) => AttachmentText::Unread(reason),
        }
    }

    /// Reads a document in a process of its own, unless one before it was stopped.
    fn in_process(
        &mut self,
        read: impl FnOnce(&Extractor, u64) -> Result<Extracted, ReadFailure>,
    ) -> AttachmentText {
        if self.has_failed {
            let reason = "not read, since the reader of an attachment before it had to be stopped";
            return AttachmentText::Unread(reason.into());
        }
        match read(self.extractor, self.most) {
            Ok(document) => AttachmentText::Document(Box::new(document)),
            Err(failure) => {
                self.has_failed = failure.outcome == Outcome::Failed;
                AttachmentText::Unread(failure.reason)
            }
        }
    }
}

/// Returns whether bytes are what macOS adds to an archive: attributes of a file (`AppleDouble`), or the look of a folder.
fn is_of_macos(bytes: &[u8]) -> bool {
    [&b"\0\x05\x16\x07"[..], b"\0\0\0\x01Bud1"].iter().any(|begin| bytes.starts_with(begin))
}

/// Decodes text, unless it is for programs alone.
fn plain_text(bytes: &[u8]) -> AttachmentText {
    let text = decode(bytes).text;
    let start = text.trim_start();
    match ARMOURED.iter().find(|(line, _)| start.starts_with(line)) {
        Some((_, Some(reason))) => AttachmentText::Unread((*reason).to_owned().into()),
        Some((_, None)) => AttachmentText::Wordless,
        None => AttachmentText::Text(text.into_owned()),
    }
}

/// Returns why a message has no text.
fn no_text(message: &Message) -> fanmill_text::Message {
    let lost = message.remarks.iter().find(|remark| matches!(remark, Remark::Attachment { .. }));
    match lost {
        Some(remark) => {
            fanmill_text::message!["no text: a message without words; ", remark.message()]
        }
        None => "no text: a message without words".into(),
    }
}

/// Returns the notices on a message that was taken.
pub(super) fn remarks(message: &Message) -> impl Iterator<Item = OutcomeReason> {
    message.remarks.iter().map(|remark| (outcome(remark), remark.message()))
}

/// Returns whether a message has readings that differ in what their authors wrote, not only in what programs show.
pub(super) fn has_other_readings(message: &Message) -> bool {
    message.remarks.iter().any(|remark| {
        matches!(
            remark,
            Remark::AlternativesDiffer | Remark::UnusualAlternative(_) | Remark::PlainHtml(_)
        )
    })
}

/// Returns whether part of a message was lost.
pub fn is_cut(message: &Message) -> bool {
    message.remarks.iter().any(Remark::is_loss)
}

/// Returns the parts of a message that were lost; `None` if it was read whole.
pub fn loss(message: &Message) -> Option<fanmill_text::Message> {
    documents::loss_of(remarks(message))
}

fn outcome(remark: &Remark) -> Outcome {
    if remark.is_loss() { Outcome::Degraded } else { Outcome::Flagged }
}
