//! Attachments: parts that are not text, handed out for readers of documents.
//!
//! The declared type of a part proves nothing: senders call a PDF an image, and programs call everything
//! `application/octet-stream`. So the beginning of its bytes decides. Only pictures, sound, video, fonts and signatures
//! are believed, unless they begin as a document.
//!
//! Cost: O(1).
//! Source: PDF 32000-1, §7.5.2; APPNOTE.TXT of zip, §4.3.7; [MS-CFB], §2.2, for how documents begin.

/// Maximum number of characters of a name.
const LONGEST: usize = 80;

/// Beginnings of PDF, zip (Word, OpenDocument, slides, sheets), RTF and old office documents.
const DOCUMENTS: [&[u8]; 5] =
    [b"%PDF-1.", b"%PDF-2.", b"PK\x03\x04", b"{\\rtf", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"];

/// A part that this crate does not read itself, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its file name, or its declared type if it has none: on one line, up to 80 characters.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// If set, it is the text of a message in another format, and usually says the same as the text around it.
    pub is_body: bool,
    /// If set, it is declared as something without words, such as an image.
    pub is_wordless: bool,
}

/// Returns a name as it is shown: without control characters, on one line, and not too long.
pub fn shown_name(name: &str) -> String {
    name.trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// Returns whether a declared type is that of parts without words.
pub(crate) fn is_wordless(main: &str, sub: &str) -> bool {
    match main {
        "image" | "audio" | "video" | "font" | "model" => !sub.is_empty(),
        "application" => matches!(
            sub,
            "pgp-signature"
                | "pgp-keys"
                | "pgp-encrypted"
                | "applefile"
                | "pkix-cert"
                | "pkix-crl"
                | "x-x509-ca-cert"
                | "x-x509-user-cert"
        ),
        _ => false,
    }
}

/// Returns whether bytes begin as a document does.
pub(crate) fn begins_as_document(bytes: &[u8]) -> bool {
    DOCUMENTS.iter().any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_on_one_line() {
        assert_eq!(shown_name(" a\r\n b\u{1b}.pdf "), "a b.pdf");
        assert_eq!(shown_name(&"é".repeat(100)).chars().count(), 80);
    }

    #[test]
    fn documents_are_recognised_and_types_without_words_known() {
        assert!(begins_as_document(b"%PDF-1.7\n"));
        assert!(begins_as_document(b"{\\rtf1 x}"));
        assert!(!begins_as_document(b"%PDF-settings"));
        assert!(is_wordless("image", "png") && is_wordless("application", "pgp-signature"));
        assert!(!is_wordless("image", "") && !is_wordless("application", "octet-stream"));
    }
}
