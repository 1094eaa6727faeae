//! Decoding of pages: finds the character encoding of a page's bytes.
//!
//! Cost: one pass over the page, and one over its head.
//! Source: WHATWG HTML Standard, "Determining the character encoding"; WHATWG Encoding Standard.

use std::borrow::Cow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use fanmill_text::frontend::Mark;
use memchr::memmem;

/// Bytes of a page in which a declaration of its encoding is looked for. This is four times what the standard reads,
/// since many pages put scripts before it.
const PRESCAN: usize = 4096;

/// Decodes a page, and returns whether some bytes could not be decoded and were replaced by U+FFFD.
///
/// The encoding is that of the byte order mark, else `label`, which comes with the transfer, else that of the page's
/// own `<meta>`. If none of these is usable, [`fanmill_text::frontend::decode`] guesses.
pub fn decode<'a>(page: &'a [u8], label: Option<&str>) -> (Cow<'a, str>, bool) {
    let decoded = |encoding: &'static Encoding, from: usize| {
        encoding.decode_without_bom_handling(&page[from..])
    };
    if let Some((encoding, mark)) = Encoding::for_bom(page) {
        return decoded(encoding, mark);
    }
    let named = |label: &[u8]| Encoding::for_label(label).filter(|&own| own != REPLACEMENT);
    let declared = label.and_then(|label| named(label.as_bytes())).or_else(|| {
        let own = declared(&page[..page.len().min(PRESCAN)]).and_then(named)?;
        // As in the standard: if `<meta` can be read in the bytes, they are not UTF-16.
        Some(if own == UTF_16LE || own == UTF_16BE { UTF_8 } else { own })
    });
    match declared {
        Some(encoding) if encoding != UTF_8 => decoded(encoding, 0),
        // For valid UTF-8 the guess is the same text, and for anything else it is better.
        _ => {
            let guessed = fanmill_text::frontend::decode(page);
            (guessed.text, guessed.marks.get(Mark::Replaced).count > 0)
        }
    }
}

/// Returns the encoding that a page declares: `charset=` inside a `<meta …>`.
fn declared(head: &[u8]) -> Option<&[u8]> {
    let lower = head.to_ascii_lowercase();
    for start in memmem::find_iter(&lower, b"<meta") {
        let end = lower[start..].iter().position(|&byte| byte == b'>');
        let tag = &lower[start..end.map_or(lower.len(), |end| start + end)];
        let Some(at) = memmem::find(tag, b"charset") else { continue };
        let value = tag[at + b"charset".len()..].trim_ascii_start();
        let Some(value) = value.strip_prefix(b"=") else { continue };
        let quotes = value.iter().take_while(|byte| b" \"'".contains(byte)).count();
        let is_end = |byte: &u8| b" \"';/>".contains(byte);
        let n = value[quotes..].iter().position(is_end).unwrap_or(value.len() - quotes);
        let from = start + at + (tag.len() - at - value.len()) + quotes;
        return Some(&head[from..from + n]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found_in_their_order() {
        let characters = |page: &[u8], label| decode(page, label).0.into_owned();
        let (page, _, _) = encoding_rs::WINDOWS_1251.encode("<meta charset=\"windows-1251\">при");
        assert!(characters(&page, None).ends_with("при"));
        assert!(!characters(&page, Some("koi8-r")).ends_with("при"));
        assert!(characters(&page, Some("no such label")).ends_with("при"));
        let equiv = "<META http-equiv=Content-Type content='text/html; charset=windows-1251'>при";
        assert!(characters(&encoding_rs::WINDOWS_1251.encode(equiv).0, None).ends_with("при"));
        assert_eq!(characters("\u{FEFF}é".as_bytes(), Some("windows-1251")), "é");
        assert_eq!(characters("<meta charset=utf-16>é".as_bytes(), None), "<meta charset=utf-16>é");
        assert_eq!(
            characters(b"caf\xe9 cr\xe8me, d\xe9j\xe0 vu", Some("utf-8")),
            "café crème, déjà vu"
        );
        let (japanese, _, _) = encoding_rs::SHIFT_JIS.encode("日本語のテキスト");
        assert_eq!(characters(&japanese, Some("Shift_JIS")), "日本語のテキスト");
        assert_eq!(characters(b"<meta charset", None), "<meta charset");
        assert_eq!(characters(b"<meta charset= >x", None), "<meta charset= >x");
    }
}
