//! Decoding of a part's characters, by the name of their encoding or by a guess.
//!
//! The name is believed, as mail programs do, with one exception: text without a name, and text that is called ASCII or
//! UTF-8 but is not, is decoded by [`fanmill_text::frontend::decode`]. Names that occur in mail but not in the standard of
//! the web (UTF-7, code pages of DOS) are known, too.
//!
//! Cost: O(n).
//! Source: WHATWG Encoding Standard; RFC 2152 for UTF-7.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8};
use fanmill_text::frontend::Certainty;
use mail_parser::decoders::charsets::map::charset_decoder;

use crate::remark::{Remark, Remarks};

/// Decodes `bytes`, whose declared encoding is `label`.
pub(crate) fn decode(bytes: &[u8], label: Option<&str>, remarks: &mut Remarks) -> String {
    let label = label.map_or("", |label| label.trim_matches([' ', '"', '\'']));
    let has_no_name = label.is_empty() || label.eq_ignore_ascii_case("us-ascii");
    let named = Encoding::for_label(label.as_bytes());
    let text = match named {
        _ if has_no_name => return guessed(bytes, remarks),
        Some(named) if named == UTF_8 => return guessed(bytes, remarks),
        Some(named) if named != REPLACEMENT => named.decode_with_bom_removal(bytes).0.into_owned(),
        _ if is_utf7(label) => utf7(bytes),
        _ => match charset_decoder(label.as_bytes()) {
            Some(decoder) if named.is_none() => decoder(bytes),
            _ => {
                let printable = |c: &char| !c.is_control();
                let name = label.chars().filter(printable).take(40).collect();
                remarks.add(Remark::UnknownCharset(name));
                return guessed(bytes, remarks);
            }
        },
    };
    remarks.add(Remark::Undecodable(n_replaced(&text)));
    text
}

fn guessed(bytes: &[u8], remarks: &mut Remarks) -> String {
    let decoded = fanmill_text::frontend::decode(bytes);
    if decoded.certainty != Certainty::Valid {
        remarks.add(Remark::Undecodable(n_replaced(&decoded.text)));
    }
    decoded.text.into_owned()
}

fn n_replaced(text: &str) -> usize {
    text.matches(char::REPLACEMENT_CHARACTER).count()
}

fn is_utf7(label: &str) -> bool {
    ["utf-7", "utf7", "unicode-1-1-utf-7"].iter().any(|name| label.eq_ignore_ascii_case(name))
}

/// Decodes UTF-7: a `+` begins UTF-16 in base64, which ends at the first other character; a `-` at the end is skipped.
fn utf7(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut units = Vec::new();
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'+' {
            out.push(if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER });
            continue;
        }
        let n = rest.iter().take_while(|&&byte| sextet(byte).is_some()).count();
        if n == 0 && rest.first() == Some(&b'-') {
            out.push('+');
        }
        utf16_units(&rest[..n], &mut units);
        let decoded = char::decode_utf16(units.drain(..));
        out.extend(decoded.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        rest = &rest[n..];
        rest = rest.strip_prefix(b"-").unwrap_or(rest);
    }
    out
}

/// Appends the UTF-16 units encoded in base64. Leftover bits are padding and are ignored.
fn utf16_units(letters: &[u8], units: &mut Vec<u16>) {
    let (mut bits, mut n_bits) = (0_u32, 0);
    for sextet in letters.iter().filter_map(|&letter| sextet(letter)) {
        bits = (bits << 6 | sextet) & 0x003F_FFFF;
        n_bits += 6;
        if n_bits >= 16 {
            n_bits -= 16;
            units.push((bits >> n_bits) as u16);
        }
    }
}

fn sextet(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(bytes: &[u8], label: &str) -> (String, Vec<Remark>) {
        let mut remarks = Remarks::default();
        (decode(bytes, Some(label), &mut remarks), remarks.into_sorted())
    }

    #[test]
    fn names_are_believed_and_nonsense_is_guessed() {
        let unknown = |name: &str| vec![Remark::UnknownCharset(name.to_owned())];
        let cases: [(&[u8], &str, &str, Vec<Remark>); 10] = [
            (b"caf\xe9", "ISO-8859-1", "café", vec![]),
            (b"\xef\xf0\xe8", "\"windows-1251\"", "при", vec![]),
            ("é".as_bytes(), "utf-8", "é", vec![]),
            (b"caf\xe9 cr\xe8me, d\xe9j\xe0 vu", "utf-8", "café crème, déjà vu", vec![]),
            (b"caf\xe9 cr\xe8me, d\xe9j\xe0 vu", "us-ascii", "café crème, déjà vu", vec![]),
            (b"a\x82b", "cp850", "aéb", vec![]),
            (b"1 +- 1 +AGE-b +AOk", "UTF-7", "1 + 1 ab é", vec![]),
            (b"plain", "x-no\x07-such", "plain", unknown("x-no-such")),
            (b"\x81", "shift_jis", "\u{FFFD}", vec![Remark::Undecodable(1)]),
            (b"~{", "hz-gb-2312", "~{", unknown("hz-gb-2312")),
        ];
        for (bytes, label, expected, remarks) in cases {
            assert_eq!(decoded(bytes, label), (expected.to_owned(), remarks), "{label}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_under_any_name_are_text(
            bytes in prop::collection::vec(any::<u8>(), 0..100),
            label in "(utf-7|utf-16|cp850|gb18030|koi8-r|.{0,60})",
        ) {
            prop_assert!(decoded(&bytes, &label).0.len() <= 4 * bytes.len());
        }

        #[test]
        fn utf7_comes_back(text in "[a-z+é漢🦀 -]{0,20}") {
            let mut encoded = String::new();
            for c in text.chars() {
                encoded += &in_base64(c);
            }
            prop_assert_eq!(decoded(encoded.as_bytes(), "utf-7").0, text);
        }
    }

    /// Encodes one character as UTF-7, always in base64.
    fn in_base64(c: char) -> String {
        let mut units = [0; 2];
        let bits: Vec<String> =
            c.encode_utf16(&mut units).iter().map(|unit| format!("{unit:016b}")).collect();
        let bits = bits.concat();
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let padded = bits.clone() + &"0".repeat(bits.len().next_multiple_of(6) - bits.len());
        let letter = |at: usize| {
            char::from(letters[usize::from_str_radix(&padded[at..at + 6], 2).expect("bits")])
        };
        let coded: String = (0..padded.len()).step_by(6).map(letter).collect();
        format!("+{coded}-")
    }
}
