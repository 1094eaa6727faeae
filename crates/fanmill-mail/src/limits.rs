//! Limits on what reading one message may cost.
//!
//! Anyone can send a message. Its parts, nesting and encodings are read up to these limits; anything beyond is left
//! out, and a [`Remark`](crate::Remark) names it. Headers that are not read cost one look at each byte, so their
//! number is not limited.

/// Maximum amounts read of one message. Every value is valid; with 0 nothing is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one raw message; the rest is left out.
    pub message_bytes: usize,
    /// Nesting of multiparts and messages: with 1 a multipart is read, but none inside it.
    pub depth: usize,
    /// Parts of a message, including those of messages inside it.
    pub parts: usize,
    /// Attachments that are handed out for other readers.
    pub attachments: usize,
    /// Bytes read of each header, among the headers that are read at all.
    pub header_bytes: usize,
    /// Bytes of HTML read, over all parts.
    pub html_bytes: usize,
    /// Bytes of text returned, including the subject.
    pub text_bytes: usize,
}

impl Limits {
    /// Returns the standard limits: 16 MiB per message, 32 levels, 1000 parts, 64 attachments, 2 KiB per header, 4 MiB of
    /// HTML, 8 MiB of text.
    ///
    /// The library that decodes the words of a header is quadratic: it takes .6 s for 90 kB of unfinished words and .3
    /// ms for 2 KiB, which is affordable for a thousand messages inside one. A mail program shows less than 2 KiB of a
    /// subject.
    pub fn standard() -> Limits {
        Limits {
            message_bytes: 16 << 20,
            depth: 32,
            parts: 1000,
            attachments: 64,
            header_bytes: 2 << 10,
            html_bytes: 4 << 20,
            text_bytes: 8 << 20,
        }
    }
}

/// Returns the longest start of a text of at most `n` bytes.
pub(crate) fn start_of(text: &str, n: usize) -> &str {
    let is_end = |&at: &usize| text.is_char_boundary(at);
    // This looks at four positions at most, since a character has at most four bytes. Position 0 is always a boundary.
    let end = (0..=n.min(text.len())).rev().find(is_end).unwrap_or(0);
    &text[..end]
}
