//! Line endings of messages and mailboxes.
//!
//! Cost: O(n) where lines end in carriage returns alone; otherwise one look at the first bytes.
//! Source: RFC 5322, §2.1.
//! Departs from it: single line feeds and single carriage returns end lines too.

use std::borrow::Cow;

use memchr::memchr;

/// Bytes in which the end of a line is searched for.
const LOOKED_AT: usize = 8 << 10;

/// Returns the bytes, with line feeds instead of carriage returns if lines end in carriage returns alone, as on old
/// systems.
pub(crate) fn with_line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    match line_end(bytes) {
        b'\n' => Cow::Borrowed(bytes),
        _ => {
            Cow::Owned(bytes.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect())
        }
    }
}

/// Returns the byte that ends lines: a carriage return if there is one near the start, but no line feed there, not even
/// as its next byte.
pub(crate) fn line_end(bytes: &[u8]) -> u8 {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let has_return = || memchr(b'\r', &head[..head.len().saturating_sub(1)]).is_some();
    if memchr(b'\n', head).is_none() && has_return() { b'\r' } else { b'\n' }
}
