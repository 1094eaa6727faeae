//! Extraction of text from documents, as far as the user decides: hidden text, passwords, the user's own programs.

use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;
#[cfg(feature = "pdf")]
use std::time::{Duration, Instant};

use fanmill_extract::extracted::{Extracted, Format, Metadata, ReadFailure, Scans};
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use fanmill_disk::given;

/// Maximum size of a file of passwords in bytes.
const MOST_BYTES: u64 = 64 << 10;

/// Number of pages in a row that could not be recognised after which the others are not tried.
#[cfg(feature = "pdf")]
const MOST_FAILED: usize = 3;

/// Maximum number of pages of a document that are recognised, and the time after which no other is begun.
#[cfg(feature = "pdf")]
const MOST_RECOGNISED: usize = 1000;
#[cfg(feature = "pdf")]
const LONGEST: Duration = Duration::from_hours(1);

/// The result of reading a document, or the reason why it was not read.
type Read<T> = std::result::Result<T, ReadFailure>;

/// Settings for extracting text from documents: hidden text, passwords, the user's own programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Extraction {
    /// Treatment of text that a reader does not see.
    pub hidden: Hidden,
    /// A file of passwords, one on each line, which are tried on encrypted PDF documents.
    pub password_file: Option<PathBuf>,
    /// If set, PDF is read even where the system has neither landlock nor seccomp to lock its reader in. Locks that the
    /// system has are put on in any case.
    pub no_cage: bool,
    /// A program that reads PDF, with its arguments: it gets a document on standard input and writes text.
    pub pdf_command: Option<String>,
    /// A program that recognises letters in the picture of a page, with its arguments: it gets a picture in the format
    /// PGM on standard input and writes text. Without one, scanned pages are not read.
    pub ocr_command: Option<String>,
    /// A program that reads PostScript in the same way; without one, PostScript is not read.
    pub ps_command: Option<String>,
    /// A program that reads Word documents of before 2007 in the same way; without one, they are not read.
    pub doc_command: Option<String>,
}

/// Treatment of text that a reader does not see: hidden, white on white, tiny, or beside the page. It is reported in
/// either case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hidden {
    /// Hidden text is set apart.
    #[default]
    Skip,
    /// Hidden text is compared like other text.
    Read,
}

impl Extraction {
    /// Reads the file of passwords, and splits the commands into words.
    ///
    /// # Errors
    /// If the file cannot be read or is not text, or a command is empty.
    pub fn open(&self) -> Result<Extractor> {
        let passwords = self.password_file.as_ref().map(|path| {
            let mut text = String::new();
            let file = given::open_file("file of passwords", path)?;
            let read = file.take(MOST_BYTES).read_to_string(&mut text);
            read.map_err(|error| Error::io("read the file of passwords", path, error))?;
            Ok(Passwords(text))
        });
        Ok(Extractor {
            has_settings: true,
            hidden: self.hidden,
            passwords: passwords.transpose()?.unwrap_or_default(),
            no_cage: self.no_cage,
            pdf: command("pdf-command", self.pdf_command.as_deref(), "pdftotext - -")?,
            ocr: command("ocr-command", self.ocr_command.as_deref(), "tesseract - - -l eng")?,
            ps: command("ps-command", self.ps_command.as_deref(), "ps2ascii")?,
            doc: command("doc-command", self.doc_command.as_deref(), "antiword -")?,
        })
    }
}

/// Splits a command into words. No shell sees it, so only blanks have a meaning.
fn command(
    setting: &'static str,
    given: Option<&str>,
    example: &str,
) -> Result<Option<Vec<String>>> {
    let Some(given) = given else { return Ok(None) };
    let words: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Err(Error::setting(message![
            Setting(setting),
            " is empty; give a program and its arguments, such as `{example}`"
        ]));
    }
    Ok(Some(words))
}

/// Lines that may be passwords. Debug output shows only how many there are.
#[derive(Clone, Default)]
struct Passwords(String);

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passwords", self.0.lines().count())
    }
}

/// Reads the text of documents as an [`Extraction`] specifies.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    not(feature = "pdf"),
    expect(dead_code, reason = "what is for PDF is checked in any build")
)]
pub struct Extractor {
    /// If set, the job has the settings that advice may name.
    has_settings: bool,
    pub(super) hidden: Hidden,
    passwords: Passwords,
    no_cage: bool,
    pdf: Option<Vec<String>>,
    ocr: Option<Vec<String>>,
    ps: Option<Vec<String>>,
    doc: Option<Vec<String>>,
}

#[cfg(feature = "pdf")]
impl Extractor {
    /// Reads a PDF; returns at most `most` bytes of text.
    pub(super) fn pdf(&self, bytes: &[u8], most: u64) -> fanmill_extract::cage::Answer {
        use fanmill_extract::cage::{self, WithoutLocks};

        if let Some(command) = &self.pdf {
            let document = by_command(command, bytes, most, Format::Pdf);
            return cage::Answer { document, locks: None };
        }
        let without_locks = if self.no_cage { WithoutLocks::Read } else { WithoutLocks::Skip };
        let mut answer = cage::read_with_scans(bytes, most, &self.passwords.0, without_locks);
        answer.document = answer.document.and_then(|document| {
            let is_advised = self.has_settings && self.ocr.is_none();
            let document = self.recognised(document, bytes, most, without_locks);
            let is_scan = !document.scans.unread.is_empty();
            document.with_text().map_err(|ReadFailure { outcome, reason }| {
                let advice = message![", or give a program for that by ", Setting("ocr-command")];
                let is_advised = is_advised && is_scan;
                let reason = if is_advised { message![reason, advice] } else { reason };
                ReadFailure { outcome, reason }
            })
        });
        match answer {
            cage::Answer { document: Err(unread), locks: Some(locks) }
                if locks.is_unlocked() && without_locks == WithoutLocks::Skip =>
            {
                let reason =
                    message![unread.reason, "; to read it all the same, give ", Setting("no-cage")];
                let document = Err(ReadFailure { outcome: unread.outcome, reason });
                // It was not read with fewer safeguards, but not at all.
                cage::Answer { document, locks: None }
            }
            answer => answer,
        }
    }

    /// Adds the text that the user's program recognises in scanned pages, if there is such a program.
    fn recognised(
        &self,
        mut document: Extracted,
        bytes: &[u8],
        most: u64,
        without_locks: fanmill_extract::cage::WithoutLocks,
    ) -> Extracted {
        use fanmill_extract::cage;

        let Some(command) = &self.ocr else { return document };
        let (mut left, start) = (most.saturating_sub(document.text.len() as u64), Instant::now());
        let (mut pages, mut n_failed) = (Vec::new(), 0);
        for page in std::mem::take(&mut document.scans.unread) {
            let is_over = pages.len() >= MOST_RECOGNISED || left == 0 || start.elapsed() > LONGEST;
            let read = if is_over {
                Err(ReadFailure::skipped("it has more scanned pages than are recognised"))
            } else if n_failed >= MOST_FAILED {
                Err(ReadFailure::failed("the pages before it could not be recognised"))
            } else {
                cage::picture(bytes, page, &self.passwords.0, without_locks)
                    .and_then(|picture| cage::recognise(command, &picture, left))
            };
            n_failed = if read.is_ok() { 0 } else { n_failed + 1 };
            match read {
                Ok(text) if text.iter().all(u8::is_ascii_whitespace) => document.scans.n_empty += 1,
                Ok(text) => {
                    left = left.saturating_sub(text.len() as u64);
                    pages.push((page, String::from_utf8_lossy(&text).replace("\r\n", "\n")));
                }
                Err(unread) => {
                    document.scans.unread.push(page);
                    document.scans.failure.get_or_insert(unread.reason);
                }
            }
        }
        document.scans.n_recognised = pages.len() as u64;
        document.with_recognised(&pages)
    }
}

impl Extractor {
    /// Reads PostScript with the user's program; returns at most `most` bytes of text.
    pub(super) fn post_script(&self, bytes: &[u8], most: u64) -> Read<Extracted> {
        let Some(command) = &self.ps else {
            if !self.has_settings {
                let reason = "PostScript, which is read by another program only; save it as PDF";
                return Err(ReadFailure::skipped(reason));
            }
            return Err(ReadFailure::skipped(message![
                "PostScript, which is read by another program only: give ",
                Setting("ps-command"),
                ", such as `ps2ascii`, or save it as PDF"
            ]));
        };
        by_command(command, bytes, most, Format::PostScript)
    }

    /// Reads a Word document of before 2007 with the user's program; returns `None` without such a program.
    pub(super) fn doc(&self, bytes: &[u8], most: u64) -> Option<Read<Extracted>> {
        let command = self.doc.as_ref()?;
        Some(by_command(command, bytes, most, Format::Doc))
    }
}

/// Returns the text that the user's program finds. Form feeds separate its pages, if it writes any.
fn by_command(command: &[String], bytes: &[u8], most: u64, format: Format) -> Read<Extracted> {
    let text = run(command, bytes, most)?;
    let mut text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
    text.truncate(text.trim_end_matches(['\x0c', '\n']).len());
    if text.trim().is_empty() {
        let program = command.first().map_or("", String::as_str);
        return Err(ReadFailure::skipped(format!("no text: `{program}` found none")));
    }
    text.push('\n');
    Ok(Extracted {
        format,
        text,
        places: Vec::new(),
        sheets: Vec::new(),
        asides: Vec::new(),
        flags: Vec::new(),
        unread: None,
        scans: Scans::default(),
        metadata: Metadata::default(),
    })
}

#[cfg(feature = "pdf")]
fn run(command: &[String], bytes: &[u8], most: u64) -> Read<Vec<u8>> {
    fanmill_extract::cage::run(command, bytes, most)
}

#[cfg(not(feature = "pdf"))]
fn run(_: &[String], _: &[u8], _: u64) -> Read<Vec<u8>> {
    Err(ReadFailure::skipped("read by another program, which this build does not start"))
}
