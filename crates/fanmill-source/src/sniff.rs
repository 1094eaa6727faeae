//! Recognition of files by their first bytes: text, an archive that we read, or something that we do not read.
//!
//! The name decides only where the bytes cannot: a jar is a zip by its bytes. A file without a known beginning is
//! binary if more than one byte in 16 is a control character that text does not use (random bytes have one in 10, text
//! has none). The usual rule, binary at the first NUL, would let a C program leave the comparison by one NUL in a
//! comment, which compilers accept; UTF-16 and UTF-32 are full of NULs and are text.
//!
//! Cost: O(1), over at most 8 KiB.

use crate::label::extension;
use fanmill_disk::ours::names_manifest;
use fanmill_disk::packing::Packing;
use fanmill_extract::office::may_be_document;
use fanmill_mail::begin::{self, MailFileKind as Mail};
use fanmill_text::frontend::{FrontEnd, Words};

/// Number of bytes looked at: more than a tar header (512) and enough for the count of control characters.
pub(super) const HEAD: usize = 8 << 10;

/// Kind of content that the first bytes show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// No bytes.
    Empty,
    /// Text to be compared, in any encoding.
    Text,
    /// An archive to be read in place.
    Archive(Format),
    /// An office document, or a zip that is named like one.
    Document,
    /// A PDF, read in a process of its own.
    Pdf,
    /// A PostScript program, which the user's own program reads.
    PostScript,
    /// A mail message, read as a mail program shows it.
    Message,
    /// Not comparable; the text completes "binary: …".
    Binary(&'static str),
}

/// The archives that we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A zip.
    Zip,
    /// A tar, not packed.
    Tar,
    /// A packed tar or a packed single file.
    Packed(Packing),
    /// Messages one after another, each an entry.
    Mailbox,
}

/// The words for bytes that are known only not to be text.
const NOT_TEXT: &str = "not text";

/// The words for a file of an index.
const OF_AN_INDEX: &str = "part of an index of Fanmill";

/// Extensions of programs that are kept in a zip, and read as office documents are.
const PROGRAMS: [&str; 6] = ["mlx", "sb3", "sb2", "sprite3", "sprite2", "aia"];

/// Entries that only such a zip has.
const PROGRAM_PARTS: [&[u8]; 2] =
    [b"matlab/document.xml", b"youngandroidproject/project.properties"];

/// Beginnings that no text has.
const MAGIC: [(&[u8], &str); 29] = [
    // Our own files, some of them text, which a report must not quote.
    (b"fanmill-sift-key-", "a secret key for sifting"),
    (b"fanmsift", "a store of sifted texts"),
    (b"fanmill segment ", OF_AN_INDEX),
    (b"fanmill texts ", OF_AN_INDEX),
    (br#"{"format":"fanmill index""#, OF_AN_INDEX),
    (b"fanmill work in progress", "work in progress of Fanmill"),
    (b"{\n  \"kind\": \"fanmill ", "an account of a run of Fanmill"),
    (b"\x7fELF", "an ELF program or object file"),
    (b"\xca\xfe\xba\xbe", "a compiled Java class or Mach-O program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\xfe\xed\xfa\xcf", "a Mach-O program"),
    (b"\0asm", "a WebAssembly module"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\0\0\x01\0", "an icon"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive, not supported; repack it as zip"),
    (b"Rar!\x1a\x07", "a RAR archive, not supported; repack it as zip"),
    (b"\xfd7zXZ\0", "an xz archive, not supported; repack it as zip"),
    (b"BZh91AY&SY", "a bzip2 archive, not supported; repack it as zip"),
    (b"!<arch>\n", "an object library"),
    (b"OggS\0", "sound or video"),
    (b"fLaC\0", "sound"),
    (b"\x1aE\xdf\xa3", "a video"),
    (b"wOF2\0", "a font"),
];

/// Words for what has no words: pictures, sound, video, fonts.
const MEDIA: [&str; 10] = [
    "a PNG image",
    "a JPEG image",
    "a GIF image",
    "a TIFF image",
    "an icon",
    "sound or video",
    "sound",
    "a video",
    "a font",
    "a picture, sound or video",
];

/// Beginning of PostScript with a preview picture.
const DOS_EPS: &[u8] = b"\xC5\xD0\xD3\xC6";

/// Zips by their bytes that are something else by their name, and that we do not open.
const ZIP_KINDS: [(&str, &str); 7] = [
    ("jar", "a Java archive of compiled classes"),
    ("war", "a Java archive of compiled classes"),
    ("ear", "a Java archive of compiled classes"),
    ("apk", "an Android package"),
    ("whl", "a Python package"),
    ("npz", "numbers of NumPy"),
    ("pt", "weights of PyTorch"),
];

/// Beginnings of the first entries' names in office documents.
const DOCUMENTS: [&[u8]; 8] = [
    b"[Content_Types].xml",
    b"_rels/.rels",
    b"docProps/",
    b"word/",
    b"xl/",
    b"ppt/",
    b"mimetypeapplication/epub+zip",
    b"mimetypeapplication/vnd.oasis.opendocument",
];

/// Recognises a file by its path and its first bytes, up to 8 KiB of them.
pub fn sniff(path: &str, head: &[u8]) -> Content {
    let content = other_than_mail(path, head);
    // A message with an unencoded attachment may be half control characters.
    let may_be_mail = matches!(content, Content::Text | Content::Binary(NOT_TEXT));
    may_be_mail.then(|| mail(path, head)).flatten().unwrap_or(content)
}

/// Returns the last part of a path.
fn leaf(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |parts| parts.1)
}

/// Recognises a file that is not to be read as mail.
pub(super) fn other_than_mail(path: &str, head: &[u8]) -> Content {
    let name = leaf(path);
    if head.is_empty() {
        return Content::Empty;
    }
    if let Some(content) = archive(name, head) {
        return content;
    }
    if may_be_document(head) {
        return Content::Document;
    }
    if is_pdf(head) {
        return Content::Pdf;
    }
    if head.starts_with(b"%!PS") || head.starts_with(DOS_EPS) {
        return Content::PostScript;
    }
    if names_manifest(head) {
        return Content::Binary(OF_AN_INDEX);
    }
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Content::Binary(what);
    }
    if begins_as_media(head) {
        return Content::Binary("a picture, sound or video");
    }
    if has_wide_bom(head) || looks_like_utf16(head) || !has_many_controls(head) {
        return Content::Text;
    }
    Content::Binary(if head.starts_with(b"MZ") { "a Windows program" } else { NOT_TEXT })
}

/// Extensions of messages and of mailboxes.
const MESSAGES: [&str; 1] = ["eml"];
const MAILBOXES: [&str; 2] = ["mbox", "mbx"];
/// The folders of a maildir: read, unread and not yet delivered messages.
const MAILDIR: [&str; 3] = ["cur", "new", "tmp"];

/// Recognises mail, unless the file is named as something else.
///
/// A mailbox is recognised by its first line. Many other files begin with names and colons, so a file is a message only
/// if it is named like one, or has no extension that says otherwise.
fn mail(path: &str, head: &[u8]) -> Option<Content> {
    if is_message_by_name(path) {
        return begin::has_header(head).then_some(Content::Message);
    }
    let own = extension(leaf(path)).unwrap_or_default();
    let is_open = MAILBOXES.contains(&&*own) || !is_kind(&own);
    match begin::kind(head) {
        Mail::Mbox if is_open || is_prose(path) => Some(Content::Archive(Format::Mailbox)),
        Mail::Message if is_open => Some(Content::Message),
        _ => None,
    }
}

/// Returns whether a path is that of a message: `offer.eml`, or `1772439062.M41P7.host` in a maildir.
pub fn is_message_by_name(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_unique = name.split_once('.').is_some_and(|(time, _)| {
        !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit())
    });
    extension(name).is_some_and(|own| MESSAGES.contains(&&*own))
        || is_unique && MAILDIR.contains(&leaf(folder))
}

/// Returns whether an extension names a kind of file, as `java` does and the number of a message does not.
fn is_kind(extension: &str) -> bool {
    let is_short = (1..=5).contains(&extension.len());
    let begins = extension.starts_with(|c: char| c.is_ascii_alphabetic());
    is_short && begins && extension.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Returns why bytes without a name are not to be read as text, judged by the first 8 KiB of them; `None` if they are
/// text, or empty.
pub fn not_text(head: &[u8]) -> Option<String> {
    match sniff("", &head[..head.len().min(HEAD)]) {
        Content::Empty | Content::Text | Content::Message | Content::Archive(Format::Mailbox) => {
            None
        }
        Content::Archive(_) => Some("an archive, or packed; give it as a file".to_owned()),
        Content::PostScript => {
            Some("PostScript; save it as PDF, and give that as a file".to_owned())
        }
        Content::Pdf => Some("a PDF document; give it as a file".to_owned()),
        Content::Document => Some("an office document; give it as a file".to_owned()),
        Content::Binary(what) => Some(format!("binary: {what}")),
    }
}

/// Returns whether the words for something that is not text are those for pictures, sound, video and fonts.
pub(super) fn is_media(what: &str) -> bool {
    MEDIA.contains(&what)
}

/// Returns whether bytes begin as pictures, sound and video that name their kind behind a length: MP4 and HEIC, WebP,
/// WAVE and AVI; or as MP3 without a title, and Windows' media.
fn begins_as_media(head: &[u8]) -> bool {
    matches!(head, [0, 0, _, _, b'f', b't', b'y', b'p', ..])
        || head.starts_with(b"RIFF")
            && head.get(8..12).is_some_and(|kind| [&b"WEBP"[..], b"WAVE", b"AVI "].contains(&kind))
        // In Windows' Cyrillic, these are letters.
        || matches!(head, [0xFF, 0xFA | 0xFB | 0xF3 | 0xF2, 0x10..=0xEB, ..]) && has_many_controls(head)
        || matches!(head, [b'I', b'D', b'3', 2..=4, ..])
        || head.starts_with(b"\x30\x26\xB2\x75\x8E\x66\xCF\x11")
        || head.starts_with(b"wOFF\0")
}

/// Returns whether bytes begin as only binary files do: an archive, a picture, a key of ours.
pub fn begins_as_binary(head: &[u8]) -> bool {
    archive("", head).is_some()
        || may_be_document(head)
        || is_pdf(head)
        || MAGIC.iter().any(|(magic, _)| head.starts_with(magic))
}

fn archive(name: &str, head: &[u8]) -> Option<Content> {
    let format = match head {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => {
            return Some(zip_kind(name, head));
        }
        // The rest does not matter: if it is damaged or cut off, the decoder says so.
        [0x1f, 0x8b, ..] => Format::Packed(Packing::Gzip),
        _ => match Packing::from_head(head) {
            Packing::Plain if is_tar(head) || is_empty_tar(name, head) => Format::Tar,
            Packing::Plain => return None,
            #[cfg(not(feature = "zstandard"))]
            Packing::Zstandard => {
                let what = "packed by Zstandard, which this build does not read; repack it as zip";
                return Some(Content::Binary(what));
            }
            // Corpora are packed so, which are read elsewhere.
            Packing::Bzip2 | Packing::Xz | Packing::Lz4 => return None,
            packing => Format::Packed(packing),
        },
    };
    Some(Content::Archive(format))
}

/// Recognises a zip by the name of its first entry or by its extension.
fn zip_kind(name: &str, head: &[u8]) -> Content {
    // The first entry's name follows a local header of 30 bytes.
    let first = head.get(30..).unwrap_or_default();
    if DOCUMENTS.iter().any(|start| first.starts_with(start)) {
        return Content::Document;
    }
    let own = extension(name).unwrap_or_default();
    if let Some((_, what)) = ZIP_KINDS.iter().find(|(kind, _)| *kind == own) {
        return Content::Binary(what);
    }
    if first.starts_with(b"META-INF/MANIFEST.MF") {
        return Content::Binary("a Java archive of compiled classes");
    }
    if is_prose(name) || PROGRAMS.contains(&&*own) || is_program(head) {
        return Content::Document;
    }
    Content::Archive(Format::Zip)
}

/// Returns whether a zip begins as live scripts of MATLAB and projects of App Inventor and Scratch do, by its entries in
/// `head`. A project of Scratch has pictures and sounds that are called by their MD5 sums, or by numbers (Scratch 2).
fn is_program(head: &[u8]) -> bool {
    let names =
        || memchr::memmem::find_iter(head, b"PK\x03\x04").filter_map(|at| name_at(head, at));
    let is_asset = |name: &[u8]| {
        let Some(dot) = memchr::memrchr(b'.', name) else { return false };
        let (stem, extension) = (&name[..dot], &name[dot + 1..]);
        let is_media = [&b"png"[..], b"svg", b"jpg", b"gif", b"wav", b"mp3"].contains(&extension);
        is_media
            && (stem.len() == 32 && stem.iter().all(u8::is_ascii_hexdigit)
                || !stem.is_empty() && stem.iter().all(u8::is_ascii_digit))
    };
    names().any(|name| PROGRAM_PARTS.contains(&name))
        || names().any(|name| matches!(name, b"project.json" | b"sprite.json"))
            && names().any(is_asset)
}

/// Returns the name in the local header of an entry at `at`.
fn name_at(head: &[u8], at: usize) -> Option<&[u8]> {
    let &[low, high] = head.get(at + 26..at + 28)? else { return None };
    head.get(at + 30..at + 30 + usize::from(u16::from_le_bytes([low, high])))
}

/// Returns whether a file is prose by its name, as office documents are.
pub(super) fn is_prose(name: &str) -> bool {
    extension(name).is_some_and(|own| Words.claims().extensions.contains(&&*own))
}

/// Returns whether a file is a PDF: `%PDF-` and a version at its beginning, or within the first KiB behind bytes that
/// are not text.
///
/// A text may begin with `%PDF-settings`, and a text about PDF may have the header somewhere.
fn is_pdf(head: &[u8]) -> bool {
    let within = &head[..head.len().min(1024)];
    let is_header = |at: &usize| match &within[*at..] {
        [b'%', b'P', b'D', b'F', b'-', major, b'.', minor, ..] => {
            major.is_ascii_digit() && minor.is_ascii_digit()
        }
        _ => false,
    };
    let Some(at) = memchr::memmem::find_iter(within, b"%PDF-").find(is_header) else {
        return false;
    };
    let before = &within[..at];
    let is_blank = before.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
    is_blank || before == b"\xef\xbb\xbf" || std::str::from_utf8(head).is_err()
}

/// Returns whether the file begins with a tar header: its checksum is the sum of its bytes, with the checksum's own
/// eight counted as spaces.
pub(super) fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<512>() else { return false };
    let Ok(field) = std::str::from_utf8(&header[148..156]) else { return false };
    let field = field.trim_matches(['\0', ' ']);
    let Ok(declared) = u32::from_str_radix(field, 8) else { return false };
    let all: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    let own: u32 = header[148..156].iter().map(|&byte| u32::from(byte)).sum();
    declared == all - own + 8 * 32
}

/// Returns whether the file is an empty tar: all zeros, which only its name distinguishes from other zeros.
fn is_empty_tar(name: &str, head: &[u8]) -> bool {
    extension(name).is_some_and(|own| own == "tar")
        && head.len() >= 512
        && head.iter().all(|&byte| byte == 0)
}

/// Returns whether the file begins with a byte order mark of UTF-16 or UTF-32, in either byte order.
fn has_wide_bom(head: &[u8]) -> bool {
    [&[0xff, 0xfe][..], &[0xfe, 0xff], &[0, 0, 0xfe, 0xff]].iter().any(|bom| head.starts_with(bom))
}

/// Returns whether the file is UTF-16 of mostly Latin text: NUL in most of the even or most of the odd places, and in
/// almost none of the others.
fn looks_like_utf16(head: &[u8]) -> bool {
    if memchr::memchr(0, head).is_none() {
        return false;
    }
    let nuls = |first: usize| head.iter().skip(first).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, half) = (nuls(0), nuls(1), head.len() / 2);
    half >= 2 && even.max(odd) * 10 >= half * 7 && even.min(odd) * 50 <= half
}

/// Returns whether more than one byte in 16 is a control character that text does not use.
fn has_many_controls(head: &[u8]) -> bool {
    // Comparisons and counts of single bytes, so that the compiler looks at many at once.
    let is_control = |byte: u8| {
        let is_used = byte.wrapping_sub(b'\t') < 5 || byte.wrapping_sub(0x1a) < 2;
        byte == 0x7f || byte < 0x20 && !is_used
    };
    let count = |part: &[u8]| part.iter().map(|&byte| u8::from(is_control(byte))).sum::<u8>();
    let n_controls: usize = head.chunks(255).map(|part| usize::from(count(part))).sum();
    n_controls * 16 > head.len()
}

/// Returns the number of NULs in text that should have none.
pub(super) fn stray_nuls(text: &[u8]) -> usize {
    let head = &text[..text.len().min(HEAD)];
    let is_wide = has_wide_bom(head) || looks_like_utf16(head);
    if is_wide { 0 } else { memchr::memchr_iter(0, text).count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, encode: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(encode).collect()
    }

    #[test]
    fn text_is_text_in_any_encoding() {
        let source = "int main() { return 0; } /* grüße, 你好 */\n";
        let mut bom = vec![0xff, 0xfe];
        bom.extend(utf16(source, u16::to_le_bytes));
        let utf32: Vec<u8> = std::iter::once('\u{feff}')
            .chain(source.chars())
            .flat_map(|c| (c as u32).to_be_bytes())
            .collect();
        let texts = [
            source.as_bytes().to_vec(),
            bom,
            utf16(source, u16::to_le_bytes),
            utf16(source, u16::to_be_bytes),
            utf32,
            b"na\xefve caf\xe9".to_vec(),
            b"\x1b[31mred\x1b[0m\n".to_vec(),
            b"MZ_init();".to_vec(),
            b"x".to_vec(),
            b" ".to_vec(),
        ];
        for text in texts {
            assert_eq!(sniff("a.c", &text), Content::Text, "{text:?}");
        }
    }

    #[test]
    fn one_nul_does_not_make_a_program_binary() {
        let text = b"/* hidden\0 */ int main(void) { return 0; }\n";
        assert_eq!(sniff("a.c", text), Content::Text);
        assert_eq!(stray_nuls(text), 1);
        assert_eq!(stray_nuls(&utf16("plain enough", u16::to_le_bytes)), 0);
    }

    #[test]
    fn binaries_are_told_by_what_they_are() {
        let pseudo_random: Vec<u8> =
            (0_u32..4096).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let current = format!("MANIFEST-12 {}\n", "0a".repeat(32));
        let cases: [(&str, &[u8], &str); 9] = [
            ("out/summary.json", b"{\n  \"kind\": \"fanmill dedup\",\n", "account"),
            ("ix/CURRENT", current.as_bytes(), "index"),
            ("seg-1.txt", b"fanmill texts 1\n", "index"),
            ("notes.txt", b"fanmill-sift-key-1 00", "secret key"),
            ("notes.txt", b"fanmsift\x01\0\0\0", "store"),
            ("a.out", b"\x7fELF\x02\x01\x01", "ELF"),
            ("A.class", b"\xca\xfe\xba\xbe\0\0\0\x34", "class"),
            ("a.jar", b"PK\x03\x04\x14\0", "Java"),
            ("a.bin", &pseudo_random, "not text"),
        ];
        for (name, head, word) in cases {
            let Content::Binary(what) = sniff(name, head) else { panic!("{name} is not binary") };
            assert!(what.contains(word), "{name}: {what}");
        }
        let other = &current.as_bytes()[..60];
        assert_eq!(sniff("ix/CURRENT", other), Content::Text);
    }

    #[test]
    fn bytes_without_a_name_are_text_or_not() {
        let of = |head: &[u8]| not_text(head);
        assert_eq!(of(b"some words").or(of(b"")), None);
        assert_eq!(of(b"\x89PNG\r\n\x1a\n").as_deref(), Some("binary: a PNG image"));
        assert_eq!(of(b"PK\x03\x04").as_deref(), Some("an archive, or packed; give it as a file"));
    }

    #[test]
    fn a_document_renamed_to_zip_is_still_a_document() {
        let mut head = b"PK\x03\x04".to_vec();
        head.resize(30, 0);
        head.extend(b"[Content_Types].xml");
        assert_eq!(sniff("essay.zip", &head), Content::Document);
        assert_eq!(sniff("essay.docx", b"PK\x03\x04\x14\0"), Content::Document);
        assert_eq!(sniff("essay.txt", b"{\\rtf1 words}"), Content::Document);
        assert_eq!(sniff("essay", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Content::Document);
    }

    #[test]
    fn a_pdf_is_told_by_its_header() {
        let documents: [&[u8]; 4] = [
            b"%PDF-1.4\n%\xe2\xe3",
            b"\n\n%PDF-2.0\r",
            b"\xef\xbb\xbf%PDF-1.7 ",
            b"\x1b%-12345X@PJL\n%PDF-1.3\n%\xe2\xe3\xcf\n",
        ];
        for head in documents {
            assert_eq!(sniff("essay.txt", head), Content::Pdf, "{head:?}");
            assert!(begins_as_binary(head));
        }
        let texts: [&[u8]; 3] = [
            b"%PDF-settings for print\n",
            b"A PDF begins with %PDF-1.4, says the book.",
            b"%PDF-x.4",
        ];
        for head in texts {
            assert_eq!(sniff("essay.pdf", head), Content::Text, "{head:?}");
        }
    }

    #[test]
    fn mail_is_told_by_its_first_lines_unless_its_name_says_otherwise() {
        let message = "From: a@b\nTo: c@d\n\nwords";
        let mailbox = "From a@b Thu Mar  5 08:11:02 2026\nTo: c@d\n\nwords";
        let is_mailbox = Content::Archive(Format::Mailbox);
        let cases = [
            ("offer.eml", message, Content::Message),
            ("offer.EML", "Subject: only\n\nwords", Content::Message),
            ("offer.eml", "no header", Content::Text),
            ("offer.eml", mailbox, Content::Text),
            ("12", message, Content::Message),
            ("00001.7c53336b37003a9286aba55d2945844c", message, Content::Message),
            ("a/cur/1772439062.M41P7.host:2,S", "Subject: only\n", Content::Message),
            ("a/done/1772439062.M41P7.host:2,S", "Subject: only\n", Content::Text),
            ("notes.txt", message, Content::Text),
            ("values.yaml", message, Content::Text),
            ("inbox", mailbox, is_mailbox),
            ("inbox.mbox", mailbox, is_mailbox),
            ("inbox.txt", mailbox, is_mailbox),
            ("0001-fix.patch", mailbox, Content::Text),
        ];
        for (name, text, expected) in cases {
            assert_eq!(sniff(name, text.as_bytes()), expected, "{name}: {text}");
        }
    }

    #[test]
    fn archives_are_told_by_their_bytes() {
        let mut header = tar::Header::new_ustar();
        header.set_path("a.txt").expect("a short path");
        header.set_cksum();
        let cases: [(&[u8], Format); 6] = [
            (b"PK\x05\x06", Format::Zip),
            (header.as_bytes(), Format::Tar),
            (b"\x1f\x8b\x08", Format::Packed(Packing::Gzip)),
            (b"\x1f\x8b", Format::Packed(Packing::Gzip)),
            (b"\x28\xb5\x2f\xfd", Format::Packed(Packing::Zstandard)),
            (b"\x50\x2a\x4d\x18", Format::Packed(Packing::Zstandard)),
        ];
        for (head, format) in cases {
            assert_eq!(sniff("no-extension", head), Content::Archive(format));
        }
        assert_eq!(sniff("x.tar", &[0; 1024]), Content::Archive(Format::Tar));
        assert_eq!(sniff("x.dat", &[0; 1024]), Content::Binary("not text"));
        assert_eq!(sniff("x", b""), Content::Empty);
    }
}
