//! Remarks on what is missing from the text of a message, and on what was odd about the message.

use std::fmt;

use fanmill_text::counted::counted;
use fanmill_text::message;
use fanmill_text::message::Message;

/// Something in a message that was left out, repaired or guessed.
///
/// A message has each kind at most once, with its total; only of attachments, each has its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// Characters, without white space, of text that a mail program does not show.
    Hidden(usize),
    /// The alternatives of a `multipart/alternative` have different words.
    AlternativesDiffer,
    /// The alternative that most programs show is empty, so another one was read instead.
    EmptyAlternative,
    /// Alternatives of a type that few mail programs show; they are read as additional readings.
    UnusualAlternative(usize),
    /// Readings of the message over the limit.
    TooManyAlternatives(usize),
    /// Parts of HTML that show pictures or frames, run scripts or hide text, but have no visible text.
    EmptyHtml(usize),
    /// Parts without words, such as pictures, which were only counted.
    NotText(usize),
    /// A note on one attachment.
    Attachment {
        /// Its name.
        name: String,
        /// The reason why it was not read, or what was odd about it.
        note: Message,
        /// If set, some of it was not read.
        is_loss: bool,
    },
    /// Attachments over [`Limits::attachments`](crate::Limits).
    TooManyAttachments(usize),
    /// Bytes at the end of the message, over [`Limits::message_bytes`](crate::Limits).
    MessageCut(usize),
    /// Parts that were not read because they are nested deeper than [`Limits::depth`](crate::Limits).
    TooDeep(usize),
    /// Bytes of parts that were not read because there are more than [`Limits::parts`](crate::Limits).
    TooManyParts(usize),
    /// Bytes of headers over [`Limits::header_bytes`](crate::Limits).
    HeaderCut(usize),
    /// Bytes of HTML over [`Limits::html_bytes`](crate::Limits).
    HtmlCut(usize),
    /// Bytes of text over [`Limits::text_bytes`](crate::Limits).
    TextCut(usize),
    /// Elements of HTML that are nested too deeply to know whether they are hidden.
    DeepMarkup(usize),
    /// Rules of style sheets, and the texts they generate, that were not read because there are too many.
    RulesCut(usize),
    /// Tags with so many attributes that only the first ones were read.
    TagsCut(usize),
    /// Parts that are declared as plain text but begin like HTML, and were also read as HTML.
    PlainHtml(usize),
    /// Multiparts in which no part begins, read as plain text.
    NoParts(usize),
    /// An unknown character set; the encoding was guessed.
    UnknownCharset(String),
    /// An unknown transfer encoding; the part was read unchanged.
    UnknownTransfer(String),
    /// Bytes that do not belong in base64, and were skipped.
    BrokenBase64(usize),
    /// Equals signs in quoted-printable that encode nothing, and were kept.
    BrokenQuotedPrintable(usize),
    /// Sequences of bytes that could not be decoded; each is U+FFFD in the text.
    Undecodable(usize),
}

impl Remark {
    /// Returns whether something that a person would see may not have been read, or not as they would see it.
    pub fn is_loss(&self) -> bool {
        matches!(
            self,
            Remark::Attachment { is_loss: true, .. }
                | Remark::TooManyAttachments(_)
                | Remark::TooManyAlternatives(_)
                | Remark::EmptyHtml(_)
                | Remark::MessageCut(_)
                | Remark::TooDeep(_)
                | Remark::TooManyParts(_)
                | Remark::HeaderCut(_)
                | Remark::HtmlCut(_)
                | Remark::TextCut(_)
                | Remark::DeepMarkup(_)
                | Remark::RulesCut(_)
                | Remark::TagsCut(_)
                | Remark::NoParts(_)
                | Remark::UnknownCharset(_)
                | Remark::UnknownTransfer(_)
                | Remark::BrokenBase64(_)
                | Remark::Undecodable(_)
        )
    }

    /// Returns the remark as a message, in which settings are names.
    pub fn message(&self) -> Message {
        match self {
            Remark::Attachment { name, note, .. } => message!["attachment `{name}`: ", note],
            _ => self.to_string().into(),
        }
    }

    /// Makes a note on something of an attachment that was not read.
    pub(crate) fn unread(name: &str, note: &'static str) -> Remark {
        Remark::Attachment { name: name.to_owned(), note: note.into(), is_loss: true }
    }

    /// Returns the count of the remark, if it has one.
    fn count_mut(&mut self) -> Option<&mut usize> {
        match self {
            Remark::AlternativesDiffer
            | Remark::EmptyAlternative
            | Remark::Attachment { .. }
            | Remark::UnknownCharset(_)
            | Remark::UnknownTransfer(_) => None,
            Remark::Hidden(n)
            | Remark::UnusualAlternative(n)
            | Remark::TooManyAlternatives(n)
            | Remark::EmptyHtml(n)
            | Remark::NotText(n)
            | Remark::TooManyAttachments(n)
            | Remark::MessageCut(n)
            | Remark::TooDeep(n)
            | Remark::TooManyParts(n)
            | Remark::HeaderCut(n)
            | Remark::HtmlCut(n)
            | Remark::TextCut(n)
            | Remark::DeepMarkup(n)
            | Remark::RulesCut(n)
            | Remark::TagsCut(n)
            | Remark::NoParts(n)
            | Remark::PlainHtml(n)
            | Remark::BrokenBase64(n)
            | Remark::BrokenQuotedPrintable(n)
            | Remark::Undecodable(n) => Some(n),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text before the count, the count, the noun that is counted, and the text after it.
        let (before, n, thing, after) = match self {
            Remark::AlternativesDiffer => {
                return f.write_str("the alternatives differ: each was read");
            }
            Remark::EmptyAlternative => {
                return f.write_str("the alternative that is shown is empty: another one was read");
            }
            Remark::Attachment { .. } => return f.write_str(&self.message()),
            Remark::UnknownCharset(name) => {
                return write!(f, "unknown charset `{name}`: guessed");
            }
            Remark::UnknownTransfer(name) => {
                return write!(f, "unknown transfer encoding `{name}`: read unchanged");
            }
            Remark::Hidden(n) => ("hidden text left out", n, "character", ""),
            Remark::UnusualAlternative(n) => {
                ("of a type that few mail programs show, read as well", n, "alternative", "")
            }
            Remark::TooManyAlternatives(n) => {
                ("over the limit of readings", n, "alternative", " left out")
            }
            Remark::EmptyHtml(n) => (
                "HTML with pictures, frames, scripts or hidden text, but without visible text",
                n,
                "part",
                "",
            ),
            Remark::NotText(n) => ("not text, so not read", n, "part", ""),
            Remark::TooManyAttachments(n) => {
                ("more attachments than the limit", n, "attachment", " left out")
            }
            Remark::MessageCut(n) => ("over the limit of a message", n, "byte", " left out"),
            Remark::TooDeep(n) => ("nested deeper than the limit", n, "part", " left out"),
            Remark::TooManyParts(n) => ("more parts than the limit", n, "byte", " left out"),
            Remark::HeaderCut(n) => ("over the limit of a header", n, "byte", " left out"),
            Remark::HtmlCut(n) => ("over the limit of HTML", n, "byte", " left out"),
            Remark::TextCut(n) => ("over the limit of text", n, "byte", " left out"),
            Remark::DeepMarkup(n) => ("nested too deeply to know what is hidden", n, "element", ""),
            Remark::RulesCut(n) => ("over the limits of style sheets", n, "rule", " left out"),
            Remark::TagsCut(n) => ("too many attributes, only the first were read", n, "tag", ""),
            Remark::NoParts(n) => ("without parts, so read as plain text", n, "multipart", ""),
            Remark::PlainHtml(n) => ("declared as plain text, read as HTML too", n, "part", ""),
            Remark::BrokenBase64(n) => ("broken base64", n, "byte", " skipped"),
            Remark::BrokenQuotedPrintable(n) => {
                ("broken quoted-printable", n, "equals sign", " kept")
            }
            Remark::Undecodable(n) => ("bytes that cannot be decoded", n, "sequence", ""),
        };
        write!(f, "{before}: {}{after}", counted(*n as u64, thing, &format!("{thing}s")))
    }
}

/// Returns whether a message has only one of these: remarks of one kind, or the same note on an attachment.
fn are_one(a: &Remark, b: &Remark) -> bool {
    match (a, b) {
        (Remark::Attachment { .. }, Remark::Attachment { .. }) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// The remarks on one message, each kind once.
#[derive(Debug, Default)]
pub(crate) struct Remarks(Vec<Remark>);

impl Remarks {
    /// Adds a remark, or adds its count to a remark of the same kind. A count of 0 is ignored, and of several names the
    /// first is kept.
    pub(crate) fn add(&mut self, mut remark: Remark) {
        let n = remark.count_mut().copied();
        if n == Some(0) {
            return;
        }
        match self.0.iter_mut().find(|old| are_one(old, &remark)) {
            Some(old) => {
                if let (Some(count), Some(n)) = (old.count_mut(), n) {
                    *count = count.saturating_add(n);
                }
            }
            None => self.0.push(remark),
        }
    }

    /// Adds a remark unless there is one of its kind.
    pub(crate) fn add_new(&mut self, remark: Remark) {
        if !self.0.iter().any(|old| are_one(old, &remark)) {
            self.0.push(remark);
        }
    }

    pub(crate) fn into_sorted(mut self) -> Vec<Remark> {
        self.0.sort_unstable();
        self.0
    }
}

impl From<Vec<Remark>> for Remarks {
    fn from(remarks: Vec<Remark>) -> Remarks {
        Remarks(remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_one_kind_are_added_up() {
        let mut remarks = Remarks::default();
        remarks.add(Remark::NotText(2));
        remarks.add(Remark::Hidden(0));
        remarks.add(Remark::UnknownCharset("x".to_owned()));
        remarks.add(Remark::Hidden(1));
        remarks.add(Remark::NotText(1));
        remarks.add(Remark::UnknownCharset("y".to_owned()));
        let texts: Vec<String> = remarks.into_sorted().iter().map(Remark::to_string).collect();
        assert_eq!(
            texts,
            [
                "hidden text left out: 1 character",
                "not text, so not read: 3 parts",
                "unknown charset `x`: guessed"
            ]
        );
    }
}
