//! Tells what a file of a corpus is: by what the user says, else by its first bytes and its extension.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use fanmill_text::{Error, Result};
use memchr::memchr;

use super::Format;
use super::blocks::BOM;
use super::facts::{Facts, Shape};
use super::options::Given;
use fanmill_disk::packing::{Packing, UnpackOptions};
use fanmill_source::label::extension;
use fanmill_source::sniff as content;
use fanmill_source::sniff::Content;

/// Bytes looked at, unpacked.
const HEAD: usize = 4096;

/// Size in bytes of the longest window of Zstandard that its own tool makes.
const LONGEST_WINDOW: u64 = 1 << 31;

/// Extensions of text that belongs to pages and is not compared: style, script, drawings.
const OF_PAGES: [&str; 3] = ["css", "js", "svg"];

/// The words for what is passed over for such an extension.
pub(super) const OF_A_PAGE: &str = "style, script or drawing of a page, going by its extension";

/// Kind of a file, as found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sniffed {
    Records(Format, Packing),
    /// No text; what it is instead.
    NoText(&'static str),
    /// A text or a page by its name that cannot be read.
    Unreadable(Format),
}

impl Sniffed {
    /// Its format, if each such file is one record.
    pub(super) fn loose(self) -> Option<Format> {
        match self {
            Sniffed::Records(format, _) | Sniffed::Unreadable(format) => {
                Some(format).filter(|format| format.is_loose())
            }
            Sniffed::NoText(_) => None,
        }
    }
}

/// The reason for which a file is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The user named it, itself or by a pattern.
    Named,
    /// It was found in a folder.
    Met,
}

impl Format {
    /// The format of many records that the extension of a file says, packed or not; `None` for others, for texts and for
    /// pages.
    pub fn from_name(path: &Path) -> Option<Format> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        by_extension(Packing::from_name(&name).1).filter(|format| !format.is_loose())
    }
}

impl Format {
    /// Returns the format of many records that a file has: by its extension or, if it is a mailbox, a ZIM file or a dump in
    /// XML, by its beginning.
    pub fn from_file(path: &Path) -> Option<Format> {
        Format::from_name(path).or_else(|| {
            let (_, head) = head(path).ok()?;
            if let Some(format) = of_many(&head).filter(|format| format.names_authors()) {
                return Some(format);
            }
            let is_mailbox = content::sniff(&path.to_string_lossy(), &head)
                == Content::Archive(content::Format::Mailbox);
            is_mailbox.then_some(Format::MBOX)
        })
    }
}

fn by_extension(stem: &str) -> Option<Format> {
    let extension = extension(stem)?;
    Format::all().find(|format| format.0.extensions.contains(&&*extension))
}

/// Says what the file at `path` is; `given` is the user's word.
///
/// The content decides among documents, mail and what is no text, as for any other input; the extension decides
/// among texts, and whether a file has many records. What nothing is known of is text.
///
/// # Errors
/// If the file has many records and cannot be read, or is not what its name says.
pub(super) fn sniff(path: &Path, given: Given, origin: Origin) -> Result<Sniffed> {
    let shown = path.to_string_lossy();
    let (named, stem) = Packing::from_name(&shown);
    // A folder of texts may have other files beside them; a file that was named with its format is of that.
    let Given { format: given, reads_post_script } = given;
    let is_settled = given.is_some_and(|format| origin == Origin::Named || !format.is_loose());
    if !is_settled && extension(stem).is_some_and(|own| OF_PAGES.contains(&&*own)) {
        return Ok(Sniffed::NoText(OF_A_PAGE));
    }
    let by_name = given.or_else(|| by_extension(stem));
    let (packing, head) = match head(path) {
        Err(_) if by_name.is_none_or(Format::is_loose) => {
            return Ok(Sniffed::Unreadable(by_name.unwrap_or(Format::TEXT)));
        }
        head => head?,
    };
    // A file without a byte is not damaged, whatever it is called.
    if named != packing && named != Packing::Plain && !head.is_empty() {
        return Err(Error::input(format!(
            "`{}` does not begin like a file packed by {named}, which its name says; rename it",
            path.display()
        )));
    }
    let format = match by_name {
        Some(format) if is_settled || !format.is_loose() => format,
        by_name => match by_content(stem, by_name, reads_post_script, &head) {
            Ok(format) => format,
            Err(what) => return Ok(Sniffed::NoText(what)),
        },
    };
    check(path, format, &head)?;
    if packing != Packing::Plain && format.packs_its_parts() {
        return Err(Error::input(format!(
            "`{}` is packed by {packing}, and {format} packs its own parts; unpack it first, or leave it out",
            path.display()
        )));
    }
    Ok(Sniffed::Records(format, packing))
}

/// The format that the beginning of a file shows, if its name says nothing or that it is a text.
///
/// # Errors
/// The words for what it is, if it is not text.
fn by_content(
    stem: &str,
    by_name: Option<Format>,
    reads_post_script: bool,
    head: &[u8],
) -> std::result::Result<Format, &'static str> {
    if by_name.is_none()
        && let Some(format) = of_many(head)
    {
        return Ok(format);
    }
    match content::sniff(stem, head) {
        Content::Archive(content::Format::Mailbox) => Ok(Format::MBOX),
        Content::Message => Ok(Format::MESSAGE),
        Content::Document | Content::Pdf => Ok(Format::DOCUMENT),
        Content::Archive(_) => Err("an archive"),
        Content::PostScript if reads_post_script => Ok(Format::DOCUMENT),
        Content::PostScript => Err("PostScript"),
        Content::Binary(what) => Err(what),
        // An empty file that is called a document is a damaged one.
        Content::Empty => Ok(by_name.unwrap_or(Format::TEXT)),
        Content::Text => {
            let by_name = by_name.filter(|format| *format != Format::DOCUMENT);
            Ok(by_name.or_else(|| begun(head)).unwrap_or(Format::TEXT))
        }
    }
}

/// Returns the packing of a file, and the beginning of its unpacked content.
fn head(path: &Path) -> Result<(Packing, Vec<u8>)> {
    let open = || File::open(path).map_err(|error| Error::io("open", path, error));
    let mut packed = Vec::new();
    let trouble = |error| Error::io("read", path, error);
    open()?.take(HEAD as u64).read_to_end(&mut packed).map_err(trouble)?;
    let packing = Packing::from_head(&packed);
    if packing == Packing::Plain {
        return Ok((packing, packed));
    }
    let mut head = Vec::new();
    // So little is read that a long window is hardly filled; the limit counts where all is read.
    let window = if packing == Packing::Zstandard { LONGEST_WINDOW } else { 0 };
    let standard = UnpackOptions::standard();
    let options = UnpackOptions { window: standard.window.max(window), ..standard };
    let mut unpacked = packing.unpack_with(open()?, options).take(HEAD as u64);
    // Damage is reported when all of it is read.
    let _ = unpacked.read_to_end(&mut head);
    Ok((packing, head))
}

/// The format of many records that the beginning of a file shows.
fn of_many(head: &[u8]) -> Option<Format> {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let is_signed = |format: &Format| {
        format.0.signature.is_some_and(|(signature, _)| text.starts_with(signature))
    };
    Format::all().find(is_signed).or_else(|| begun(head).filter(|format| !format.is_loose()))
}

/// The format of which a text is that begins so.
fn begun(head: &[u8]) -> Option<Format> {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    Format::all().find(|format| (format.0.begins)(text))
}

/// Refuses what can be seen at once not to be of the format.
fn check(path: &Path, format: Format, head: &[u8]) -> Result<()> {
    if format.is_loose() || head.is_empty() {
        return Ok(());
    }
    match not_of(format, head) {
        None => Ok(()),
        Some(found) => Err(Error::input(format!(
            "`{}` is not {format}: it is {found}; name the format that it has",
            path.display()
        ))),
    }
}

/// Says what a file is that begins so and cannot be of a format of many records.
fn not_of(format: Format, head: &[u8]) -> Option<&'static str> {
    let signed = |other: &Facts| other.signature.filter(|(bytes, _)| head.starts_with(bytes));
    let Facts { shape, fault, .. } = format.0;
    if *shape == Shape::Groups {
        let is_own = signed(format.0).is_some() || (format.0.begins)(head);
        return (!is_own).then(|| fault(head).unwrap_or("something else"));
    }
    if matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Some("text in UTF-16, which is not supported: convert it to UTF-8");
    }
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let other = || Format::all().filter(|other| *other != format).find_map(|other| signed(other.0));
    let is_binary = || format.has_lines() && memchr(0, head).is_some();
    fault(text)
        .or_else(|| other().map(|(_, what)| what))
        .or_else(|| is_binary().then_some("not text: it contains NUL bytes"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn found(name: &str, content: &[u8], given: Option<Format>) -> Result<Sniffed> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, content).expect("written");
        sniff(&path, given.into(), Origin::Met)
    }

    type Case<'a> = (&'a str, &'a [u8], Option<Format>, Format, Packing);

    #[test]
    fn names_come_before_content_and_the_user_before_both() {
        let zst = zstd::encode_all(&b"{\"a\":1}"[..], 3).expect("packed");
        let cases: [Case<'_>; 12] = [
            ("a.jsonl", b"{}", None, Format::JSONL, Packing::Plain),
            ("a.CSV", b"{\"a\"", None, Format::CSV, Packing::Plain),
            ("a.tab", b"a\tb", None, Format::TSV, Packing::Plain),
            ("a.jsonl.zst", &zst, None, Format::JSONL, Packing::Zstandard),
            ("a", &zst, None, Format::JSONL, Packing::Zstandard),
            ("a.jsonl.gz", b"", None, Format::JSONL, Packing::Plain),
            ("a.dat", b"PAR1", None, Format::PARQUET, Packing::Plain),
            ("a.dat", b"WARC/1.0", None, Format::WARC, Packing::Plain),
            ("a.php", b"\n<!DOCTYPE HTML>", None, Format::HTML, Packing::Plain),
            ("README", b"{curly}", None, Format::TEXT, Packing::Plain),
            ("a.txt", b"{}", Some(Format::JSONL), Format::JSONL, Packing::Plain),
            ("a.png", b"a,b", Some(Format::CSV), Format::CSV, Packing::Plain),
        ];
        for (name, content, given, format, packing) in cases {
            let found = found(name, content, given).expect("known");
            assert_eq!(found, Sniffed::Records(format, packing), "{name}");
        }
        assert_eq!(found("a.svg", b"<svg>", None).expect("known"), Sniffed::NoText(OF_A_PAGE));
        let document = Sniffed::Records(Format::DOCUMENT, Packing::Plain);
        assert_eq!(found("a.Docx", b"PK\x03\x04", None).expect("known"), document);
        assert_eq!(
            found("a.css", b"text", Some(Format::TEXT)).expect("known"),
            Sniffed::NoText(OF_A_PAGE)
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.css");
        fs::write(&path, "text").expect("written");
        let named =
            |given: Option<Format>| sniff(&path, given.into(), Origin::Named).expect("known");
        assert_eq!(named(None), Sniffed::NoText(OF_A_PAGE));
        assert_eq!(named(Some(Format::HTML)), Sniffed::Records(Format::HTML, Packing::Plain));
    }

    #[test]
    fn the_content_decides_among_documents_mail_and_what_is_no_text() {
        let message = b"From: a@b\nTo: c@d\n\nwords";
        let mailbox = b"From a@b Thu Mar  5 08:11:02 2026\nTo: c@d\n\nwords";
        let mbox = Ok(Format::MBOX);
        let cases: [(&str, &[u8], std::result::Result<Format, &str>); 14] = [
            ("a.txt", b"\xff\xd8\xff\xe0", Err("a JPEG image")),
            ("a.png", b"\xff\xd8\xff\xe0", Err("a JPEG image")),
            ("a.png", b"only words", Ok(Format::TEXT)),
            ("a", b"PK\x05\x06", Err("an archive")),
            ("a.txt", b"%PDF-1.4\n%\xe2", Ok(Format::DOCUMENT)),
            ("a.txt", b"{\\rtf1 words}", Ok(Format::DOCUMENT)),
            ("a.pdf", b"only words", Ok(Format::TEXT)),
            ("a.pdf", b"", Ok(Format::DOCUMENT)),
            ("a.html", b"words", Ok(Format::HTML)),
            ("a.txt", message, Ok(Format::TEXT)),
            ("a.eml", message, Ok(Format::MESSAGE)),
            ("12", message, Ok(Format::MESSAGE)),
            ("inbox", mailbox, mbox),
            ("inbox.mbox", mailbox, mbox),
        ];
        for (name, content, expected) in cases {
            let expected = match expected {
                Ok(format) => Sniffed::Records(format, Packing::Plain),
                Err(what) => Sniffed::NoText(what),
            };
            assert_eq!(found(name, content, None).expect("known"), expected, "{name}");
        }
    }

    #[test]
    fn what_is_not_what_it_says_is_refused() {
        let cases: [(&str, &[u8], &str); 7] = [
            ("a.json", b"[\n{}]", "one JSON array"),
            ("a.jsonl", b"\xFF\xFE{\0", "UTF-16"),
            ("a.csv", b"PAR1", "a Parquet file"),
            ("a.parquet", b"a,b", "is not parquet"),
            ("a.csv", b"a\0b", "not text"),
            ("a.csv", b"WARC/1.0", "a web archive"),
            ("a.csv.gz", b"a,b", "packed by gzip"),
        ];
        for (name, content, words) in cases {
            let error = found(name, content, None).expect_err("refused");
            assert!(error.is_input() && error.to_string().contains(words), "{error}");
        }
    }
}
