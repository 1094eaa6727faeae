//! What of a message is not in its text, and what was odd about it.

use std::fmt;

/// Something that was left out of a message's text, or mended, or guessed.
///
/// Each kind is there at most once for a message, with what it counts in all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// Text that a mail program does not show, in characters without white space.
    Hidden(usize),
    /// The alternatives of a `multipart/alternative` say different things; the one shown was read.
    AlternativesDiffer,
    /// The alternative that is shown has no text, so that another one was read.
    EmptyAlternative,
    /// Parts that are no text, and were counted only.
    NotText(usize),
    /// Bytes at the end of the message, over [`Limits::message_bytes`](crate::Limits).
    MessageCut(usize),
    /// Parts that were not read, being deeper than [`Limits::depth`](crate::Limits).
    TooDeep(usize),
    /// Bytes from the first part on that is over [`Limits::parts`](crate::Limits).
    TooManyParts(usize),
    /// Bytes of headers over [`Limits::header_bytes`](crate::Limits).
    HeaderCut(usize),
    /// Bytes of HTML over [`Limits::html_bytes`](crate::Limits).
    HtmlCut(usize),
    /// Bytes of text over [`Limits::text_bytes`](crate::Limits).
    TextCut(usize),
    /// Elements of HTML that are nested too deeply to know whether they are hidden.
    DeepMarkup(usize),
    /// Tags with so many attributes that none was read.
    CrowdedTags(usize),
    /// Multiparts in which no part begins, read as plain text.
    NoParts(usize),
    /// A name that is no encoding of characters: it was guessed.
    UnknownCharset(String),
    /// A name that is no transfer encoding: the part was read as it stands.
    UnknownTransfer(String),
    /// Bytes that are no base64, and were passed over.
    BrokenBase64(usize),
    /// Equals signs that encode nothing in quoted-printable, and were left standing.
    BrokenQuotedPrintable(usize),
    /// Sequences of bytes that are no characters; each is U+FFFD in the text.
    Undecodable(usize),
}

impl Remark {
    /// The count of the remark, if it counts.
    fn count_mut(&mut self) -> Option<&mut usize> {
        match self {
            Remark::AlternativesDiffer
            | Remark::EmptyAlternative
            | Remark::UnknownCharset(_)
            | Remark::UnknownTransfer(_) => None,
            Remark::Hidden(n)
            | Remark::NotText(n)
            | Remark::MessageCut(n)
            | Remark::TooDeep(n)
            | Remark::TooManyParts(n)
            | Remark::HeaderCut(n)
            | Remark::HtmlCut(n)
            | Remark::TextCut(n)
            | Remark::DeepMarkup(n)
            | Remark::CrowdedTags(n)
            | Remark::NoParts(n)
            | Remark::BrokenBase64(n)
            | Remark::BrokenQuotedPrintable(n)
            | Remark::Undecodable(n) => Some(n),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Hidden(n) => write!(f, "hidden text left out: {}", counted(*n, "character")),
            Remark::AlternativesDiffer => {
                f.write_str("the alternatives differ: the one that is shown was read")
            }
            Remark::EmptyAlternative => {
                f.write_str("the alternative that is shown has no text: another one was read")
            }
            Remark::NotText(n) => write!(f, "not read, being no text: {}", counted(*n, "part")),
            Remark::MessageCut(n) => {
                write!(
                    f,
                    "over the limit of a message: {} at its end left out",
                    counted(*n, "byte")
                )
            }
            Remark::TooDeep(n) => {
                write!(f, "nested deeper than the limit: {} not read", counted(*n, "part"))
            }
            Remark::TooManyParts(n) => {
                write!(f, "more parts than the limit: {} at its end left out", counted(*n, "byte"))
            }
            Remark::HeaderCut(n) => {
                write!(f, "over the limit of a header: {} left out", counted(*n, "byte"))
            }
            Remark::HtmlCut(n) => {
                write!(f, "over the limit of HTML: {} left out", counted(*n, "byte"))
            }
            Remark::TextCut(n) => {
                write!(f, "over the limit of text: {} left out", counted(*n, "byte"))
            }
            Remark::DeepMarkup(n) => write!(
                f,
                "markup nested too deeply to know what it hides: {}",
                counted(*n, "element")
            ),
            Remark::CrowdedTags(n) => {
                write!(f, "attributes not read, being too many: {}", counted(*n, "tag"))
            }
            Remark::NoParts(n) => {
                write!(
                    f,
                    "no part begins in it, so it was read as plain text: {}",
                    counted(*n, "multipart")
                )
            }
            Remark::UnknownCharset(name) => write!(f, "unknown charset `{name}`: guessed"),
            Remark::UnknownTransfer(name) => {
                write!(f, "unknown transfer encoding `{name}`: read as it stands")
            }
            Remark::BrokenBase64(n) => {
                write!(f, "broken base64: {} passed over", counted(*n, "byte"))
            }
            Remark::BrokenQuotedPrintable(n) => {
                write!(f, "broken quoted-printable: {} left standing", counted(*n, "equals sign"))
            }
            Remark::Undecodable(n) => {
                write!(f, "bytes that are no characters: {}", counted(*n, "sequence"))
            }
        }
    }
}

/// `1 byte`, `2 bytes`.
fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// The remarks on one message, each kind once; ascending in the order of [`Remark`].
#[derive(Debug, Default)]
pub(crate) struct Remarks(Vec<Remark>);

impl Remarks {
    /// Adds a remark, to one of the same kind if there is one. A count of nothing is no remark, and of names the
    /// first one stays.
    pub(crate) fn add(&mut self, mut remark: Remark) {
        let n = remark.count_mut().copied();
        if n == Some(0) {
            return;
        }
        let kind = std::mem::discriminant(&remark);
        match self.0.iter_mut().find(|old| std::mem::discriminant(*old) == kind) {
            Some(old) => {
                if let (Some(count), Some(n)) = (old.count_mut(), n) {
                    *count = count.saturating_add(n);
                }
            }
            None => self.0.push(remark),
        }
    }

    pub(crate) fn into_sorted(mut self) -> Vec<Remark> {
        self.0.sort_unstable();
        self.0
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
                "not read, being no text: 3 parts",
                "unknown charset `x`: guessed"
            ]
        );
    }
}
