//! HTTP responses as archives keep them: the head, and the body as the server meant it.
//!
//! Archives are often wrong about bodies: many tools store them unpacked under heads that say `gzip` or `chunked`. So a
//! declared encoding is believed only as far as the bytes agree. The unpacked size is limited.
//!
//! Source: RFC 9112, §6 and §7.1; RFC 9110, §8.4.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::DeflateDecoder;
use memchr::{memchr, memmem};

use fanmill_disk::packing::Packing;

/// Lines of names and values, up to an empty line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head<'a> {
    /// Includes its first line, but not the empty one.
    bytes: &'a [u8],
}

impl<'a> Head<'a> {
    /// Returns the head that `bytes` begin with, and the start of what follows it; `None` if it has no end.
    pub(super) fn from_bytes(bytes: &'a [u8]) -> Option<(Head<'a>, usize)> {
        let (at, n) = match (memmem::find(bytes, b"\r\n\r\n"), memmem::find(bytes, b"\n\n")) {
            (Some(a), Some(b)) if b < a => (b, 2),
            (Some(a), _) => (a, 4),
            (None, Some(b)) => (b, 2),
            (None, None) => return None,
        };
        Some((Head { bytes: &bytes[..at] }, at + n))
    }

    /// Takes all of these bytes as a head without an end.
    pub(super) fn whole(bytes: &'a [u8]) -> Head<'a> {
        Head { bytes }
    }

    /// Returns the lines below the first one, without their line ends.
    pub(super) fn lines(self) -> impl Iterator<Item = &'a [u8]> {
        let lines = self.bytes.split(|&byte| byte == b'\n').skip(1);
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns the value of the first header of a name, in any case.
    pub(super) fn get(self, name: &str) -> Option<Cow<'a, str>> {
        self.lines().find_map(|line| {
            let colon = memchr(b':', line)?;
            let is_it = line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes());
            is_it.then(|| String::from_utf8_lossy(line[colon + 1..].trim_ascii()))
        })
    }
}

/// Returns the content of a body, unpacked.
///
/// # Errors
/// If it is packed in an unknown way, damaged, or too large.
pub(super) fn body<'a>(
    head: Head<'_>,
    body: &'a [u8],
    limit: usize,
) -> Result<Cow<'a, [u8]>, String> {
    let declared = |name: &str| head.get(name).unwrap_or_default().to_ascii_lowercase();
    let is_chunked = declared("Transfer-Encoding").contains("chunked");
    let chunks = if is_chunked { unchunked(body)? } else { None };
    let whole = chunks.map_or(Cow::Borrowed(body), Cow::Owned);
    let packing = match (declared("Content-Encoding").trim(), Packing::from_head(&whole)) {
        ("gzip" | "x-gzip", Packing::Gzip) => Packing::Gzip,
        ("zstd", Packing::Zstandard) => Packing::Zstandard,
        ("deflate", _) => return inflated(&whole, limit).map_or(Ok(whole), Ok),
        ("br", _) if std::str::from_utf8(&whole).is_err() => {
            return Err("its page is packed by `br`, which is not supported".to_owned());
        }
        _ => return Ok(whole),
    };
    let mut input = packing.unpack(&*whole).take(limit as u64 + 1);
    let mut all = Vec::new();
    match input.read_to_end(&mut all) {
        // A page that the crawler cut off still has the text before the cut.
        Err(_) if all.is_empty() => Err(format!("its page is damaged {packing}")),
        _ if all.len() > limit => Err(format!("its page unpacks to more than {limit} bytes")),
        _ => Ok(Cow::Owned(all)),
    }
}

/// Unpacks `deflate`, with or without the head of zlib; `None` if the body is not packed.
fn inflated(body: &[u8], limit: usize) -> Option<Cow<'static, [u8]>> {
    let has_head = matches!(body, [0x78, ..]);
    let mut all = Vec::new();
    let input = DeflateDecoder::new(if has_head { &body[2.min(body.len())..] } else { body });
    input.take(limit as u64).read_to_end(&mut all).ok()?;
    Some(Cow::Owned(all))
}

/// Puts the chunks of a body together; `None` if it has none. The result is never longer than the body.
///
/// # Errors
/// If the size of a chunk is missing: what follows cannot be distinguished from the page's own text.
fn unchunked(body: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let (mut out, mut rest) = (Vec::new(), body);
    loop {
        let is_first = rest.len() == body.len();
        let line = memchr(b'\n', &rest[..rest.len().min(LONGEST_LINE)]);
        let sized = line.and_then(|line| Some((line, size(&rest[..line])?)));
        let Some((line, n)) = sized else {
            let is_cut_off = line.is_none() && rest.len() < LONGEST_LINE;
            // Only here, where no size follows, is the rest trimmed: to trim it behind each chunk would take quadratic
            // time.
            if !is_first && (is_cut_off || rest.trim_ascii().is_empty()) {
                return Ok(Some(out));
            }
            let shown = &rest[..line.unwrap_or(rest.len())];
            let is_plain = line.is_none() || !is_all_hex(shown) && !body.ends_with(LAST_CHUNK);
            if is_first && is_plain {
                return Ok(None);
            }
            let shown = String::from_utf8_lossy(&shown[..shown.len().min(SHOWN)]);
            let (shown, at) = (shown.trim(), body.len() - rest.len());
            return Err(format!(
                "its page has a chunk whose size is `{shown}`, at byte {at} of its body"
            ));
        };
        if n == 0 {
            return Ok(Some(out));
        }
        let content = &rest[line + 1..];
        let (content, after) = content.split_at(n.min(content.len()));
        out.extend_from_slice(content);
        let after = after.strip_prefix(b"\r").unwrap_or(after);
        rest = after.strip_prefix(b"\n").unwrap_or(after);
    }
}

/// End of a body of chunks.
const LAST_CHUNK: &[u8] = b"\n0\r\n\r\n";
/// Maximum length of a line with the size of a chunk and its extensions.
const LONGEST_LINE: usize = 1024;
/// Number of bytes shown of a line that has no size.
const SHOWN: usize = 20;

/// Parses the size of a chunk from its line.
fn size(line: &[u8]) -> Option<usize> {
    let digits = line.split(|&byte| byte == b';').next()?.trim_ascii();
    // Without a sign, which the library would accept.
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_all_hex(digits))?;
    usize::from_str_radix(digits, 16).ok()
}

/// Returns whether a line is a size, of a chunk of any length.
fn is_all_hex(line: &[u8]) -> bool {
    let digits = line.trim_ascii();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn said(head: &str, bytes: &[u8]) -> Result<String, String> {
        let (head, _) = Head::from_bytes(head.as_bytes()).expect("a head");
        body(head, bytes, 1000).map(|body| String::from_utf8_lossy(&body).into_owned())
    }

    #[test]
    fn bodies_are_what_their_bytes_agree_to_be() {
        let mut gz = flate2::read::GzEncoder::new(&b"packed"[..], flate2::Compression::new(6));
        let mut packed = Vec::new();
        gz.read_to_end(&mut packed).expect("packed");
        let gzip = "HTTP/1.1 200 OK\r\ncontent-encoding: GZIP\r\n\r\n";
        let chunked = "HTTP/1.1 200 OK\nTransfer-Encoding:chunked\n\n";
        assert_eq!(said(gzip, &packed), Ok("packed".to_owned()));
        assert_eq!(said(gzip, b"plain"), Ok("plain".to_owned()));
        assert_eq!(said(chunked, b"3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), Ok("abcde".to_owned()));
        assert_eq!(said(chunked, b"3\r\nabc\r\nff\r\nde"), Ok("abcde".to_owned()));
        assert_eq!(said(chunked, b"<p>plain"), Ok("<p>plain".to_owned()));
        assert_eq!(said(chunked, b"3\r\nabc\r\n1"), Ok("abc".to_owned()), "cut off");
        assert_eq!(said(chunked, b"Dear reader\r\n0\r\n"), Ok("Dear reader\r\n0\r\n".to_owned()));
        let spaces = [&b"3\r\nabc\r\n"[..], &[b' '; 5000]].concat();
        assert_eq!(said(chunked, &spaces), Ok("abc".to_owned()), "spaces behind");
        assert!(said("HTTP/1.1 200\r\nContent-Encoding: br\r\n\r\n", b"\xff\xfe").is_err());
    }

    /// The line is not read as words, and what follows it is not dropped.
    #[test]
    fn a_chunk_without_a_size_makes_the_page_bad() {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (body, size, at) in [
            ("3\r\nabc\r\nZZ\r\nde\r\n0\r\n\r\n", "ZZ", 8),
            ("5x\r\nhello\r\n0\r\n\r\n", "5x", 0),
            ("-3\r\nabc\r\n0\r\n\r\n", "-3", 0),
            ("3\r\nabc\r\n+2\r\nde\r\n0\r\n\r\n", "+2", 8),
            ("ffffffffffffffffff\r\nabc", "ffffffffffffffffff", 0),
            ("3\r\nabc\r\n\r\nmore", "", 8),
            (&format!("3\r\nabc\r\n{}", "y".repeat(5000)), &"y".repeat(20), 8),
        ] {
            let reason = said(chunked, body.as_bytes()).expect_err(body);
            let expected =
                format!("its page has a chunk whose size is `{size}`, at byte {at} of its body");
            assert_eq!(reason, expected);
        }
    }

    /// The bytes behind a chunk are looked at once, not once for each chunk.
    #[test]
    fn short_chunks_before_a_long_end_take_linear_time() {
        let n = 200_000;
        let body = [b"1\r\nx\r\n".repeat(n), vec![b' '; 6 * n]].concat();
        let (found, effort) = fanmill_effort::of(|| unchunked(&body));
        assert_eq!(found, Ok(Some(vec![b'x'; n])));
        assert!(effort < Duration::from_secs(2), "{effort:?}");
    }

    #[test]
    fn a_body_that_unpacks_to_too_much_is_refused() {
        let bomb = vec![b'x'; 1 << 20];
        let mut packed = Vec::new();
        let mut gz = flate2::read::GzEncoder::new(&bomb[..], flate2::Compression::new(6));
        gz.read_to_end(&mut packed).expect("packed");
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
        assert_eq!(said(head, &packed), Err("its page unpacks to more than 1000 bytes".to_owned()));
    }

    proptest! {
        #[test]
        fn no_body_makes_it_panic(bytes in prop::collection::vec(prop::sample::select(&b"0123af;\r\n\x1f\x8b\x08\x78\x9c"[..]), 0..60)) {
            for kind in ["chunked\r\nContent-Encoding: gzip", "chunked\r\nContent-Encoding: deflate", "x"] {
                let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {kind}\r\n\r\n");
                let _ = said(&head, &bytes);
            }
        }
    }
}
