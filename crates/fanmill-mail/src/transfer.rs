//! Transfer encodings, read as leniently as mail programs do.
//!
//! Spam is broken, on purpose or not, and mail programs show it nevertheless. So bytes that do not belong in base64 are
//! skipped, and equals signs that encode nothing are kept in quoted-printable; both are counted.
//!
//! Cost: O(n) time, memory for the decoded bytes.
//! Source: RFC 2045, §6.7 and §6.8; POSIX.1, `uuencode`.
//! Departs from it: nothing is an error.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use memchr::memchr;

use crate::remark::{Remark, Remarks};

/// Encodings of the bytes of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// Unchanged: `7bit`, `8bit`, `binary`, or not declared.
    Identity,
    Base64,
    QuotedPrintable,
    /// The encoding of files by `uuencode`.
    Uuencode,
    /// A name that is not in RFC 2045.
    Unknown(String),
}

impl Transfer {
    /// Returns the encoding that a value of `Content-Transfer-Encoding` names. Comments and anything after the name are
    /// ignored.
    pub(crate) fn named(value: &str) -> Transfer {
        let mut value = value.trim_start();
        while let Some((_, behind)) = value.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        {
            value = behind.trim_start();
        }
        let value = value.trim_start_matches('"');
        let is_end = |c: char| c.is_whitespace() || ";,(\"".contains(c);
        let name = &value[..value.find(is_end).unwrap_or(value.len())];
        match &*name.to_ascii_lowercase() {
            "" | "7bit" | "8bit" | "binary" => Transfer::Identity,
            "base64" => Transfer::Base64,
            "quoted-printable" => Transfer::QuotedPrintable,
            "x-uuencode" | "uuencode" | "x-uue" | "uue" => Transfer::Uuencode,
            _ => Transfer::Unknown(name.chars().take(40).collect()),
        }
    }

    /// Returns the decoded bytes, never more than there were.
    pub(crate) fn decode<'a>(&self, bytes: &'a [u8], remarks: &mut Remarks) -> Cow<'a, [u8]> {
        match self {
            Transfer::Identity => Cow::Borrowed(bytes),
            Transfer::Base64 => Cow::Owned(base64(bytes, remarks)),
            Transfer::QuotedPrintable => Cow::Owned(quoted_printable(bytes, remarks)),
            Transfer::Uuencode => Cow::Owned(uudecoded(bytes)),
            Transfer::Unknown(name) => {
                remarks.add(Remark::UnknownTransfer(name.clone()));
                Cow::Borrowed(bytes)
            }
        }
    }
}

fn base64(bytes: &[u8], remarks: &mut Remarks) -> Vec<u8> {
    if let Some(decoded) = base64_decode(bytes) {
        return decoded;
    }
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let letters: Vec<u8> = bytes.iter().copied().filter(is_letter).collect();
    let n_spaces = bytes.iter().filter(|byte| b" \t\r\n".contains(byte)).count();
    remarks.add(Remark::BrokenBase64(bytes.len() - letters.len() - n_spaces));
    base64_decode(&letters).unwrap_or_default()
}

/// Decodes the files that `uuencode` wrote, and keeps the text around them unchanged.
fn uudecoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut is_inside = false;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_end();
        if is_inside {
            is_inside = text != b"end";
            uudecode_line(text, &mut out);
        } else if text.starts_with(b"begin ") {
            is_inside = true;
        } else {
            out.extend_from_slice(line);
        }
    }
    out
}

/// Decodes a line: first its number of bytes, then four letters for every three bytes. The line `end` has no bytes.
fn uudecode_line(line: &[u8], out: &mut Vec<u8>) {
    let sextet = |byte: &u8| byte.wrapping_sub(32) & 63;
    let Some((first, letters)) = line.split_first().filter(|_| line != b"end") else { return };
    let mut n = usize::from(sextet(first));
    for four in letters.chunks(4) {
        let bits = (0..4).fold(0, |bits, at| bits << 6 | u32::from(four.get(at).map_or(0, sextet)));
        let bytes = bits.to_be_bytes();
        out.extend_from_slice(&bytes[1..=n.min(3)]);
        n = n.saturating_sub(3);
    }
}

fn quoted_printable(bytes: &[u8], remarks: &mut Remarks) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut broken = 0;
    while let Some(at) = memchr(b'=', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(byte) = hexadecimal(rest) {
            out.push(byte);
            rest = &rest[2..];
        } else if let Some(n) = soft_break(rest) {
            rest = &rest[n..];
        } else {
            out.push(b'=');
            broken += 1;
        }
    }
    out.extend_from_slice(rest);
    remarks.add(Remark::BrokenQuotedPrintable(broken));
    out
}

/// Returns the byte that two hexadecimal digits encode.
fn hexadecimal(rest: &[u8]) -> Option<u8> {
    let digit = |at: usize| (*rest.get(at)? as char).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// Spaces after which the end of a line is no longer searched for: an encoded line has 76 characters.
const MAX_SPACES: usize = 80;

/// Returns the number of bytes up to the end of the line, if only spaces come before it.
fn soft_break(rest: &[u8]) -> Option<usize> {
    let spaces = rest.iter().take(MAX_SPACES).take_while(|byte| b" \t\r".contains(byte)).count();
    match rest.get(spaces) {
        Some(b'\n') => Some(spaces + 1),
        Some(_) => None,
        None => Some(spaces),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(name: &str, text: &str) -> (String, Vec<Remark>) {
        let mut remarks = Remarks::default();
        let bytes = Transfer::named(name).decode(text.as_bytes(), &mut remarks).into_owned();
        (String::from_utf8(bytes).expect("UTF-8"), remarks.into_sorted())
    }

    #[test]
    fn what_is_broken_is_read_as_far_as_it_goes() {
        let cases = [
            ("base64", "aGVsbG8=", "hello", vec![]),
            ("BASE64", "aGVs\r\nbG8", "hello", vec![]),
            ("base64 ", "aG!Vs-bG8=", "hello", vec![Remark::BrokenBase64(2)]),
            ("base64", "aGVs=bG8=", "hello", vec![]),
            ("quoted-printable", "a=3Db=\r\nc= \nd=20", "a=bcd ", vec![]),
            (
                "Quoted-Printable",
                "1+1=2=zz==41=",
                "1+1=2=zz=A",
                vec![Remark::BrokenQuotedPrintable(3)],
            ),
            ("8bit", "a=41", "a=41", vec![]),
            ("(x) (y) base64 z", "aGVsbG8=", "hello", vec![]),
            ("base64, x", "aGVsbG8=", "hello", vec![]),
            ("x-uuencode", "a\nbegin 644 x\n%:&5L;&\\\n`\nend\nb", "a\nhellob", vec![]),
            ("x-uue", "begin 1\n#:&5L", "hel", vec![]),
            ("", "a=41", "a=41", vec![]),
            ("x-odd", "a=41", "a=41", vec![Remark::UnknownTransfer("x-odd".to_owned())]),
        ];
        for (name, text, expected, remarks) in cases {
            assert_eq!(decoded(name, text), (expected.to_owned(), remarks), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_to_no_more(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for transfer in [Transfer::Base64, Transfer::QuotedPrintable, Transfer::Uuencode] {
                let decoded = transfer.decode(&bytes, &mut Remarks::default()).len();
                prop_assert!(decoded <= bytes.len());
            }
        }

        #[test]
        fn what_was_encoded_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let encoded: Vec<String> = bytes.iter().map(|byte| format!("={byte:02X}=\r\n")).collect();
            let encoded = encoded.concat();
            let mut remarks = Remarks::default();
            let decoded = Transfer::QuotedPrintable.decode(encoded.as_bytes(), &mut remarks);
            prop_assert_eq!(&*decoded, &*bytes);
            prop_assert!(remarks.into_sorted().is_empty());
        }
    }
}
