//! Signed and encrypted contents of mail (S/MIME), as far as they can be read without a key.
//!
//! A signed message may be wrapped whole: its text is then in the bytes that were signed, and not beside them. Mail
//! programs unwrap it, and so does this module. The signature is not checked, since a text is a copy whoever signed it.
//!
//! Cost: O(n).
//! Source: RFC 5652, §3, §5.1 and §5.2; RFC 8551, §3.3 to §3.6.

use std::borrow::Cow;

use crate::ber::{self, Element};

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 6;
/// The tag `[0]`, with contents that have a tag of their own.
const EXPLICIT: u8 = 0xA0;

/// `1.2.840.113549.1.7`: each type of PKCS #7 is this and a number.
const PKCS7: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07";
/// `1.2.840.113549.1.9.16.1.9`: compressed data.
const COMPRESSED: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x09";
/// `1.2.840.113549.1.9.16.1.23`: encrypted data whose key is agreed on with authentication.
const AUTH_ENVELOPED: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x17";

/// Content of a wrapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wrapped<'a> {
    /// Signed content, and whether all of it is there.
    Signed(Cow<'a, [u8]>, bool),
    /// A signature or certificates, without what was signed.
    SignatureOnly,
    /// Contents that need a key.
    Encrypted,
    /// Compressed contents.
    Compressed,
}

/// Returns what the bytes wrap; `None` if they are none of these.
pub(crate) fn unwrap(bytes: &[u8]) -> Option<Wrapped<'_>> {
    let (info, _) = ber::split(bytes).filter(|(info, _)| info.tag == SEQUENCE)?;
    let (kind, rest) = split_tagged(info.contents, OBJECT_IDENTIFIER)?;
    match kind.contents {
        COMPRESSED => return Some(Wrapped::Compressed),
        AUTH_ENVELOPED => return Some(Wrapped::Encrypted),
        _ => {}
    }
    match kind.contents.strip_prefix(PKCS7)? {
        [2] => Some(signed(rest).unwrap_or(Wrapped::Signed(Cow::Borrowed(&[]), false))),
        [3 | 4 | 6] => Some(Wrapped::Encrypted),
        _ => None,
    }
}

/// Returns the contents of signed data; `None` if they cannot be found.
fn signed(rest: &[u8]) -> Option<Wrapped<'_>> {
    let (explicit, _) = split_tagged(rest, EXPLICIT)?;
    let (data, _) = split_tagged(explicit.contents, SEQUENCE)?;
    // The version and the algorithms come first.
    let (_, rest) = ber::split(data.contents)?;
    let (_, rest) = ber::split(rest)?;
    let (encapsulated, _) = split_tagged(rest, SEQUENCE)?;
    let (_, rest) = split_tagged(encapsulated.contents, OBJECT_IDENTIFIER)?;
    if rest.is_empty() && !encapsulated.is_cut {
        return Some(Wrapped::SignatureOnly);
    }
    let (explicit, _) = split_tagged(rest, EXPLICIT)?;
    let (content, _) = ber::split(explicit.contents)?;
    let (octets, is_whole) = content.octets();
    Some(Wrapped::Signed(octets, is_whole))
}

/// Splits off the first element if it has this tag.
fn split_tagged(bytes: &[u8], tag: u8) -> Option<(Element<'_>, &[u8])> {
    ber::split(bytes).filter(|(element, _)| element.tag == tag)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Encodes an element with a length of four bytes.
    fn element(tag: u8, contents: &[u8]) -> Vec<u8> {
        let length = u32::try_from(contents.len()).expect("short").to_be_bytes();
        [&[tag, 0x84], &length[..], contents].concat()
    }

    /// Wraps an element of contents as data of a type of PKCS #7.
    fn info(number: u8, content: &[u8]) -> Vec<u8> {
        let kind = element(OBJECT_IDENTIFIER, &[PKCS7, &[number]].concat());
        element(SEQUENCE, &[kind, element(EXPLICIT, content)].concat())
    }

    /// Wraps what an element says as signed data.
    fn signed_data(content: Option<Vec<u8>>) -> Vec<u8> {
        let kind = element(OBJECT_IDENTIFIER, &[PKCS7, &[1]].concat());
        let explicit = content.map(|content| element(EXPLICIT, &content)).unwrap_or_default();
        let encapsulated = element(SEQUENCE, &[kind, explicit].concat());
        let data = [element(2, &[1]), element(0x31, &[]), encapsulated, element(0x31, &[])];
        info(2, &element(SEQUENCE, &data.concat()))
    }

    /// Signs bytes, with no signer.
    pub(crate) fn sign(content: &[u8]) -> Vec<u8> {
        signed_data(Some(element(4, content)))
    }

    /// Encrypts nothing for nobody.
    pub(crate) fn envelope() -> Vec<u8> {
        info(3, &element(SEQUENCE, &[]))
    }

    #[test]
    fn what_was_signed_is_unwrapped() {
        let bytes = sign(b"hello");
        assert_eq!(unwrap(&bytes), Some(Wrapped::Signed(Cow::Borrowed(b"hello"), true)));
        let cut = &bytes[..bytes.len() - 7];
        assert_eq!(unwrap(cut), Some(Wrapped::Signed(Cow::Borrowed(b"hell"), false)));
    }

    #[test]
    fn signed_data_that_cannot_be_found_is_no_bare_signature() {
        assert_eq!(unwrap(&signed_data(None)), Some(Wrapped::SignatureOnly));
        let damaged = Some(Wrapped::Signed(Cow::Borrowed(&[][..]), false));
        assert_eq!(unwrap(&signed_data(Some(vec![0x1F, 1, 2]))), damaged);
        let bytes = sign(b"hello");
        assert_eq!(unwrap(&bytes[..bytes.len() - 40]), damaged);
        // Lengths may begin with zeros.
        let long = [&[4, 0x86, 0, 0, 0, 0, 0, 5][..], b"hello"].concat();
        let signed = signed_data(Some(long));
        assert_eq!(unwrap(&signed), Some(Wrapped::Signed(Cow::Borrowed(b"hello"), true)));
    }

    #[test]
    fn pieces_without_lengths_are_joined() {
        let pieces = [&[0x24, 0x80][..], &element(4, b"hel"), &element(4, b"lo"), &[0, 0]].concat();
        let bytes = signed_data(Some(pieces));
        let Some(Wrapped::Signed(content, true)) = unwrap(&bytes) else {
            panic!("not signed");
        };
        assert_eq!(&*content, b"hello");
    }

    #[test]
    fn other_kinds_are_told_apart() {
        assert_eq!(unwrap(&signed_data(None)), Some(Wrapped::SignatureOnly));
        assert_eq!(unwrap(&envelope()), Some(Wrapped::Encrypted));
        let compressed = element(SEQUENCE, &element(OBJECT_IDENTIFIER, COMPRESSED));
        assert_eq!(unwrap(&compressed), Some(Wrapped::Compressed));
        assert_eq!(unwrap(&info(1, &element(4, b"plain"))), None);
        assert_eq!(unwrap(b"0 bytes of a text"), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..60_usize) {
            let _ = unwrap(&bytes);
            // Damage behind a good beginning reaches further.
            let mut damaged = sign(b"hello");
            let end = damaged.len().min(at + bytes.len());
            damaged[at..end].copy_from_slice(&bytes[..end - at]);
            let _ = unwrap(&damaged);
        }
    }
}
