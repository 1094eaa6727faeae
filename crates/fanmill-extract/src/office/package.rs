//! The parts of a document that is a zip, unpacked one at a time and under limits.
//!
//! Names are compared in lower case and without a leading slash, as Office packages require. Of two entries with the
//! same name the last one counts, as in programs that open documents. Each part is read at most once, so that parts
//! that refer to each other in a circle come to an end, and the cost depends on the parts and not on the references.
//!
//! A zip that was cut off has lost its table of contents, which is at its end. Its parts are then found by their own
//! headers, and the last one is read up to the cut.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::message;
use flate2::bufread::DeflateDecoder;
use memchr::memmem;
use zip::ZipReadOptions;
use zip::read::{Config, OwnedZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

use super::limits::Limits;
use crate::extracted::ReadFailure;

/// A zip and the parts that have not been read yet.
pub(super) struct Package<'b> {
    bytes: Cursor<&'b [u8]>,
    entries: BTreeMap<String, Entry>,
    /// If set, it has no table of contents.
    is_cut: bool,
    limits: Limits,
    /// Number of bytes that may still be unpacked.
    left: u64,
}

impl<'b> Package<'b> {
    /// Opens a zip; `None` if the bytes are not a zip, or if it has too many entries to be a document.
    pub(super) fn open(
        bytes: &'b [u8],
        limits: &Limits,
    ) -> Result<Option<Package<'b>>, ReadFailure> {
        if !bytes.starts_with(b"PK") {
            return Ok(None);
        }
        let left = limits.unpacked(bytes.len());
        let package = |entries, is_cut| Package {
            bytes: Cursor::new(bytes),
            entries,
            is_cut,
            limits: *limits,
            left,
        };
        let Ok(mut zip) = ZipIterable::try_new(Cursor::new(bytes), Config::default()) else {
            return Ok(Some(package(headed(bytes, limits.entries), true)));
        };
        if zip.len() > limits.entries {
            return Ok(None);
        }
        let mut entries = BTreeMap::new();
        for entry in zip.files().map_err(|_| cut_off())? {
            let entry = OwnedZipFileEntry::from(entry.map_err(|_| cut_off())?);
            let name = entry.as_ref().name().map(|name| key(&name));
            if let Ok(name) = name {
                entries.insert(name, Entry::Listed(entry));
            }
        }
        Ok(Some(package(entries, false)))
    }

    /// Returns whether its table of contents is lost, so that parts may be missing.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns the limits on a document inside this one; `None` if it lies too deep.
    pub(super) fn limits_within(&self) -> Option<Limits> {
        let levels = self.limits.levels.checked_sub(1)?;
        Some(Limits { levels, total_bytes: self.left, ..self.limits })
    }

    /// Counts bytes that were unpacked of a document inside this one.
    pub(super) fn charge(&mut self, n_bytes: u64) {
        self.left = self.left.saturating_sub(n_bytes);
    }

    /// Returns the number of bytes that were unpacked so far.
    pub(super) fn n_unpacked(&self) -> u64 {
        self.limits.unpacked(self.bytes.get_ref().len()) - self.left
    }

    /// Returns the keys of the parts that have not been read yet.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(&key(name))
    }

    /// Reads a part as characters; `None` if there is no part with this name, or it was read before.
    pub(super) fn take(&mut self, name: &str) -> Result<Option<String>, ReadFailure> {
        Ok(self.take_bytes(name)?.map(|bytes| characters(&bytes)))
    }

    /// Reads the bytes of a part; `None` if there is no part with this name, or it was read before.
    pub(super) fn take_bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, ReadFailure> {
        let Some(entry) = self.entries.remove(&key(name)) else { return Ok(None) };
        let cap = self.limits.part_bytes.min(self.left);
        let damaged =
            |what: &str| ReadFailure::failed(format!("damaged: its part `{name}` {what}"));
        let entry = match entry {
            Entry::Listed(entry) => entry,
            Entry::Headed { start } => {
                let bytes = up_to_cut(&self.bytes.get_ref()[start..], cap);
                self.charge(bytes.len() as u64);
                return Ok(Some(bytes));
            }
            Entry::Stored(place) => {
                let bytes = &self.bytes.get_ref()[place];
                let bytes =
                    bytes[..bytes.len().min(usize::try_from(cap).unwrap_or(usize::MAX))].to_vec();
                self.charge(bytes.len() as u64);
                return Ok(Some(bytes));
            }
        };
        let view = entry.as_ref();
        let file = match view.with_reader(&mut self.bytes, ZipReadOptions::new()) {
            Ok(file) => file,
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(ReadFailure::skipped("encrypted; save it without a password"));
            }
            Err(_) => return Err(damaged("cannot be unpacked")),
        };
        let mut bytes = Vec::new();
        let read = file.take(cap.saturating_add(1)).read_to_end(&mut bytes);
        self.charge(bytes.len() as u64);
        if bytes.len() as u64 > cap {
            return Err(self.over(name, cap));
        }
        read.map_err(|_| damaged("cannot be unpacked"))?;
        Ok(Some(bytes))
    }

    fn over(&self, name: &str, cap: u64) -> ReadFailure {
        let limit = counted(cap, "byte", "bytes");
        let (what, setting) = if cap == self.limits.part_bytes {
            (
                format!("its part `{name}` unpacks to more than the limit of {limit} a file"),
                "max-file-bytes",
            )
        } else {
            let ratio = self.limits.ratio;
            (format!("it unpacks to {limit} or more: over the limit of {ratio} to 1"), "max-ratio")
        };
        ReadFailure::skipped(message!["{what}; raise ", Setting(setting)])
    }
}

/// A part of a zip.
enum Entry {
    /// An entry of the table of contents.
    Listed(OwnedZipFileEntry),
    /// A packed part, by the place of its bytes.
    Headed { start: usize },
    /// A part that is not packed.
    Stored(Range<usize>),
}

/// Returns the failure to read a zip without a table of contents.
pub(super) fn cut_off() -> ReadFailure {
    ReadFailure::failed("cut off or damaged: its table of contents cannot be read")
}

/// Finds the parts of a zip by their own headers, `most` at most. Bytes of a part that is not packed, which may be a zip
/// itself, are passed over; of two parts with a name, the first counts.
///
/// Source: APPNOTE.TXT of PKWARE, version 6.3.10, §4.3.7.
fn headed(zip: &[u8], most: usize) -> BTreeMap<String, Entry> {
    let mut entries = BTreeMap::new();
    let mut from = 0;
    while let Some(at) = memmem::find(&zip[from..], b"PK\x03\x04").map(|at| from + at)
        && entries.len() < most
    {
        let Some((name, entry, end)) = header(zip, at) else { break };
        from = end;
        if let Some(entry) = entry {
            entries.entry(key(&name)).or_insert(entry);
        }
    }
    entries
}

/// Reads the header of a part: its name, the part unless it is packed in an unknown way, and an end before which no
/// other header is.
fn header(zip: &[u8], at: usize) -> Option<(String, Option<Entry>, usize)> {
    /// Set if the size of a part comes after it.
    const SIZE_FOLLOWS: u16 = 1 << 3;
    let number = |from: usize| {
        let bytes = zip.get(at + from..at + from + 2)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    };
    let (flags, method) = (number(6)?, number(8)?);
    let size = usize::from(number(18)?) | usize::from(number(20)?) << 16;
    let (of_name, of_extra) = (usize::from(number(26)?), usize::from(number(28)?));
    let name = String::from_utf8_lossy(zip.get(at + 30..at + 30 + of_name)?).into_owned();
    let start = (at + 30 + of_name + of_extra).min(zip.len());
    Some(match method {
        0 if flags & SIZE_FOLLOWS == 0 => {
            let end = start.saturating_add(size).min(zip.len());
            (name, Some(Entry::Stored(start..end)), end)
        }
        8 => (name, Some(Entry::Headed { start }), start),
        _ => (name, None, start),
    })
}

/// Unpacks as much of a part as there is, `most` bytes at most.
fn up_to_cut(packed: &[u8], most: u64) -> Vec<u8> {
    let (mut bytes, mut reader) = (Vec::new(), DeflateDecoder::new(packed).take(most));
    // Bytes unpacked before an error are kept.
    let _ = reader.read_to_end(&mut bytes);
    bytes
}

/// Returns the key under which a name is looked up.
fn key(name: &str) -> String {
    name.trim_start_matches('/').replace('\\', "/").to_lowercase()
}

/// Decodes the bytes of a part, by its byte order mark or by the encoding that its first line names.
fn characters(bytes: &[u8]) -> String {
    declared(bytes).decode(bytes).0.into_owned()
}

/// Returns the encoding that the first line of a part names.
fn declared(bytes: &[u8]) -> &'static Encoding {
    let first = &bytes[..bytes.len().min(128)];
    let label = || {
        let line = std::str::from_utf8(first.split(|&byte| byte == b'>').next()?).ok()?;
        let value = line.strip_prefix("<?xml")?.split_once("encoding=")?.1;
        let quote = value.chars().next().filter(|c| "\"'".contains(*c))?;
        Encoding::for_label(value[1..].split(quote).next()?.as_bytes())
    };
    label().unwrap_or(UTF_8)
}
