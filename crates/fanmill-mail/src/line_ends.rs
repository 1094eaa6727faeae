//! What the lines of a message or a mailbox end in.
//!
//! Cost: O(n) where lines end in carriage returns alone; otherwise one look at the first bytes.
//! Source: RFC 5322, §2.1.
//! Departs from it: single line feeds and single carriage returns end lines too.

use std::borrow::Cow;

use memchr::memchr;

/// Bytes in which the end of a line is looked for.
const LOOKED_AT: usize = 8 << 10;

/// The bytes, with line feeds instead of the carriage returns that alone end the lines of old systems.
pub(crate) fn with_line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    match line_end(bytes) {
        b'\n' => Cow::Borrowed(bytes),
        _ => {
            Cow::Owned(bytes.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect())
        }
    }
}

/// The byte that ends lines: a carriage return if there is one near the start and no line feed, not even as the next byte.
pub(crate) fn line_end(bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let has_return = || memchr(b'\r', &head[..head.len().saturating_sub(1)]).is_some();
    if memchr(b'\n', head).is_none() && has_return() { b'\r' } else { b'\n' }
}
