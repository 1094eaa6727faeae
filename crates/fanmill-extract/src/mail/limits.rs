//! What one message may cost.
//!
//! A message comes from whoever wants to send one. What it declares (parts, nesting, encodings) is
//! read up to these limits, and what is over is left out and named by a [`Remark`](crate::mail::Remark).
//! Headers that nobody reads here cost a look at each byte, so their number needs no limit.

/// What is read of one message. Every value is usable; 0 lets nothing through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one raw message; the rest is left out.
    pub message_bytes: usize,
    /// Multiparts and messages inside of one another: 1 reads a multipart, but none inside of it.
    pub depth: usize,
    /// Parts of a message, those of messages inside of it too.
    pub parts: usize,
    /// Bytes of a header that are read, of those which are read at all.
    pub header_bytes: usize,
    /// Bytes of HTML that are read, of all parts together.
    pub html_bytes: usize,
    /// Bytes of text that are given, subject included.
    pub text_bytes: usize,
}

impl Limits {
    /// 16 MiB a message, 32 levels, 1000 parts, 2 KiB of a header, 4 MiB of HTML, 8 MiB of text.
    ///
    /// Decoding the words of a header is quadratic in the library that does it: 90 kB of unfinished ones take
    /// it .6 s, and 2 KiB .3 ms, which a thousand messages in one can afford. A mail program shows
    /// less of a subject.
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
