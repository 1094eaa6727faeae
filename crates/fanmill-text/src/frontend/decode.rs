//! Decodes bytes to Unicode text, with the way back for every character.
//!
//! These are tried in order, and the first that applies is taken:
//!
//! 1. a byte order mark: UTF-8, UTF-16, UTF-32, either order;
//! 2. zero bytes where UTF-16 has them ([`wide`]); before UTF-8, because English in UTF-16 without a mark is valid
//!    UTF-8, too;
//! 3. escape sequences of ISO-2022-JP, which is ASCII to every other test;
//! 4. valid UTF-8, borrowed as it is: the usual case, at the speed of the check;
//! 5. UTF-8 with a few bad bytes: each maximal bad sequence is one U+FFFD;
//! 6. the guess of the library chardetng, decoded by the WHATWG Encoding Standard ([`legacy`]).
//!
//! No byte sequence fails. Cost: one pass over ASCII and valid UTF-8.
//! Source: The Unicode Standard, "U+FFFD Substitution of Maximal Subparts" and "Byte Order Mark";
//! WHATWG Encoding Standard, for names and legacy decoders.

use std::borrow::Cow;

use encoding_rs::ISO_2022_JP;
use memchr::{memchr2, memmem};

use super::decoded::{Builder, Certainty, Decoded};
use super::marks::Marks;
use super::offset_map::OffsetMap;
use super::{legacy, wide};

/// Maximum number of bytes read of a document that is not pure ASCII: 256 MiB.
///
/// Decoding and folding turn one byte into at most nine (two bytes of UTF-16 for `㌖` become the six letters of
/// `キロメートル`), and offsets have 32 bits. ASCII is read up to 4 GiB.
pub const MAX_BYTES: usize = 1 << 28;

/// Decodes a document, whatever its bytes are.
///
/// Every character's span covers exactly the bytes that it was made from; a few pairs of characters that an encoding
/// writes as one sequence share their span.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    let limit = if bytes.is_ascii() { u32::MAX as usize } else { MAX_BYTES };
    let read = &bytes[..bytes.len().min(limit)];
    let mut decoded = decode_all(read);
    decoded.unread = bytes.len() - read.len();
    decoded
}

fn decode_all(bytes: &[u8]) -> Decoded<'_> {
    if let Some(decoded) = with_mark(bytes) {
        return decoded;
    }
    let valid = std::str::from_utf8(bytes);
    if memchr2(0, ESCAPE, bytes).is_some()
        && let Some(decoded) = by_pattern(bytes, valid.is_ok())
    {
        return decoded;
    }
    match valid {
        Ok(text) => Decoded {
            text: Cow::Borrowed(text),
            map: OffsetMap::identity(text.len()),
            encoding: "UTF-8",
            certainty: Certainty::Valid,
            marks: Marks::new(),
            unread: 0,
        },
        Err(_) if mostly_utf8(bytes) => repaired(bytes, 0, Certainty::MostlyValid),
        Err(_) => {
            let encoding = legacy::guess(bytes);
            legacy::decode(bytes, encoding).finish(encoding.name(), Certainty::Guess)
        }
    }
}

/// The byte that starts every escape sequence of ISO 2022.
const ESCAPE: u8 = 0x1B;

/// Decodes a document whose encoding shows in its zero bytes or escape sequences.
fn by_pattern(bytes: &[u8], valid: bool) -> Option<Decoded<'_>> {
    if let Some(order) = wide::utf16_order(bytes, valid) {
        return Some(wide::utf16(bytes, 0, order).finish(order.utf16_name(), Certainty::Pattern));
    }
    let japanese = bytes.is_ascii()
        && [&b"\x1B$B"[..], b"\x1B$@"].iter().any(|escape| memmem::find(bytes, escape).is_some());
    japanese
        .then(|| legacy::decode(bytes, ISO_2022_JP).finish(ISO_2022_JP.name(), Certainty::Pattern))
}

/// Decodes a document that starts with a byte order mark.
fn with_mark(bytes: &[u8]) -> Option<Decoded<'_>> {
    use wide::Order::{Big, Little};
    let whole = bytes.len().is_multiple_of(4);
    let builder = match bytes {
        [0xEF, 0xBB, 0xBF, ..] => return Some(repaired(bytes, 3, Certainty::Mark)),
        [0xFF, 0xFE, 0, 0, ..] if whole => (wide::utf32(bytes, 4, Little), "UTF-32LE"),
        [0, 0, 0xFE, 0xFF, ..] if whole => (wide::utf32(bytes, 4, Big), "UTF-32BE"),
        [0xFF, 0xFE, ..] => (wide::utf16(bytes, 2, Little), Little.utf16_name()),
        [0xFE, 0xFF, ..] => (wide::utf16(bytes, 2, Big), Big.utf16_name()),
        _ => return None,
    };
    Some(builder.0.finish(builder.1, Certainty::Mark))
}

/// Returns whether bad bytes are so few among the good non-ASCII characters that this is UTF-8: at most one to four. In
/// a legacy encoding nearly every non-ASCII byte is bad UTF-8.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        // Count the bytes that start a character of two or more bytes.
        good += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= 4 * bad
}

/// Decodes UTF-8 from `skip` on, with U+FFFD for each maximal bad sequence.
fn repaired(bytes: &[u8], skip: usize, certainty: Certainty) -> Decoded<'_> {
    let mut builder = Builder::new(bytes.len());
    builder.skip(skip);
    for chunk in bytes[skip..].utf8_chunks() {
        builder.copy(chunk.valid());
        if !chunk.invalid().is_empty() {
            builder.replace(chunk.invalid().len());
        }
    }
    builder.finish("UTF-8", certainty)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frontend::marks::Mark;
    use crate::frontend::offset_map::narrow;
    use crate::span::Span;

    /// Decodes a document, and checks what must hold for all documents.
    fn checked(bytes: &[u8]) -> Decoded<'_> {
        let decoded = decode(bytes);
        assert_eq!(decoded.map.out_len(), decoded.text.len());
        assert_eq!(decoded.map.in_len(), bytes.len());
        let mut last = Span::new(0, 0);
        for (at, c) in decoded.text.char_indices() {
            let span = decoded.map.map_span(Span::new(narrow(at), narrow(at + c.len_utf8())));
            let is_next = last.end <= span.start && span.start < span.end;
            assert!(is_next || span == last, "{span:?} after {last:?}");
            last = span;
        }
        assert!(last.end as usize <= bytes.len());
        decoded
    }

    #[test]
    fn valid_utf_8_is_borrowed() {
        for text in ["", "plain", "naïve 日本語 🦀"] {
            let decoded = checked(text.as_bytes());
            assert!(matches!(decoded.text, Cow::Borrowed(same) if same == text));
            assert!(decoded.map.is_identity());
        }
    }

    #[test]
    fn byte_order_marks_decide_and_are_skipped() {
        let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{FEFF}né🦀".encode_utf16().flat_map(order).collect()
        };
        let utf32 = |order: fn(u32) -> [u8; 4]| -> Vec<u8> {
            "\u{FEFF}né🦀".chars().flat_map(|c| order(c as u32)).collect()
        };
        let cases = [
            ("\u{FEFF}né🦀".as_bytes().to_vec(), "UTF-8", 3, 9),
            (utf16(u16::to_le_bytes), "UTF-16LE", 2, 4),
            (utf16(u16::to_be_bytes), "UTF-16BE", 2, 4),
            (utf32(u32::to_le_bytes), "UTF-32LE", 4, 4),
            (utf32(u32::to_be_bytes), "UTF-32BE", 4, 4),
        ];
        for (bytes, encoding, mark, _) in cases {
            let decoded = checked(&bytes);
            assert_eq!(
                (&*decoded.text, decoded.encoding, decoded.certainty),
                ("né🦀", encoding, Certainty::Mark)
            );
            assert_eq!(decoded.map.map_span(Span::new(0, 1)).start, mark);
            assert_eq!(decoded.map.map_span(Span::new(3, 7)).end as usize, bytes.len());
        }
    }

    #[test]
    fn a_few_bad_bytes_do_not_make_it_another_encoding() {
        let bytes = b"na\xC3\xAFve caf\xC3\xA9 d\xC3\xA9j\xC3\xA0 vu \xFF\xE2\x82 fa\xC3\xA7ade \xC3\xA9t\xC3\xA9 \xC3\xA8 \xC3\xB1";
        let decoded = checked(bytes);
        assert_eq!((decoded.encoding, decoded.certainty), ("UTF-8", Certainty::MostlyValid));
        assert_eq!(decoded.text, "naïve café déjà vu \u{FFFD}\u{FFFD} façade été è ñ");
        let replaced = decoded.marks.get(Mark::Replaced);
        assert_eq!(replaced.count, 2);
        assert_eq!(&bytes[replaced.first[1].range()], b"\xE2\x82");
    }

    #[test]
    fn nul_bytes_alone_do_not_make_utf_16() {
        for bytes in [
            &b"hello\0world, this is a text"[..],
            b"a\0b",
            b"\0\0\0\0",
            b"name\0\0\0\0\0\0value\0\0\0",
        ] {
            assert_eq!(checked(bytes).encoding, "UTF-8", "{bytes:?}");
        }
    }

    #[test]
    fn escape_codes_of_terminals_are_not_japanese() {
        assert_eq!(checked(b"\x1B[1mbold\x1B[0m $B").encoding, "UTF-8");
        let (bytes, _, _) = ISO_2022_JP.encode("日本語 and ASCII");
        let decoded = checked(&bytes);
        assert_eq!((&*decoded.text, decoded.encoding), ("日本語 and ASCII", "ISO-2022-JP"));
        assert_eq!(decoded.map.map_span(Span::new(0, 3)), Span::new(3, 5));
    }

    /// Big5 writes `ê` with a macron, which has no character of its own, as one sequence.
    #[test]
    fn two_characters_of_one_sequence_share_its_bytes() {
        let bytes = [0x88, 0xA3, b'A'];
        checked(&bytes);
        let decoded = legacy::decode(&bytes, encoding_rs::BIG5).finish("Big5", Certainty::Guess);
        assert_eq!(decoded.text, "ê\u{304}A");
        assert_eq!(decoded.map.map_span(Span::new(0, 2)), decoded.map.map_span(Span::new(2, 4)));
    }

    proptest! {
        #[test]
        fn no_bytes_fail(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            checked(&bytes);
        }

        #[test]
        fn no_bytes_of_few_kinds_fail(bytes in prop::collection::vec(prop::sample::select(&[0u8, 0x1B, b'$', b'B', b'a', b' ', 0x81, 0xA4, 0xC3, 0xE3, 0xFE, 0xFF, 0xEF, 0xBB, 0xBF][..]), 0..60)) {
            checked(&bytes);
        }

        #[test]
        fn utf_8_is_itself(text in "[^\0\x1B]{0,80}") {
            let decoded = checked(text.as_bytes());
            prop_assert_eq!(&*decoded.text, text.strip_prefix('\u{FEFF}').unwrap_or(&text));
        }
    }
}
