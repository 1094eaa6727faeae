//! What one message may cost.
//!
//! Anyone can send a message. Its parts, nesting and encodings are read up to these limits; anything beyond is left out, and a
//! [`Remark`](crate::Remark) names it. Headers that are not read cost one look at each byte, so their number has no limit.

/// What is read of one message. Every value is valid; with 0 nothing is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one raw message; the rest is left out.
    pub message_bytes: usize,
    /// Multiparts and messages inside one another: with 1 a multipart is read, but none inside it.
    pub depth: usize,
    /// Parts of a message, including those of messages inside it.
    pub parts: usize,
    /// Bytes that are read of a header, if it is one of those that are read.
    pub header_bytes: usize,
    /// Bytes of HTML that are read, of all parts together.
    pub html_bytes: usize,
    /// Bytes of text that are returned, subject included.
    pub text_bytes: usize,
}

impl Limits {
    /// 16 MiB a message, 32 levels, 1000 parts, 2 KiB of a header, 4 MiB of HTML, 8 MiB of text.
    ///
    /// The library that decodes the words of a header is quadratic: 90 kB of unfinished words take it .6 s, and 2 KiB .3 ms,
    /// which is affordable for a thousand messages in one. A mail program shows less than that of a subject.
    pub fn standard() -> Limits {
        Limits {
            message_bytes: 16 << 20,
            depth: 32,
            parts: 1000,
            header_bytes: 2 << 10,
            html_bytes: 4 << 20,
            text_bytes: 8 << 20,
        }
    }
}

/// As much of a text as has at most `n` bytes.
pub(crate) fn start_of(text: &str, n: usize) -> &str {
    let is_end = |&at: &usize| text.is_char_boundary(at);
    // A character has at most four bytes; 0 is always an end.
    let end = (0..=n.min(text.len())).rev().find(is_end).unwrap_or(0);
    &text[..end]
}
