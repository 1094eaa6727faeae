//! The parts of a document that is a zip, unpacked one at a time and under limits.
//!
//! Names are compared in lower case and without a leading slash, as Office packages require. Of two entries with the
//! same name the last one counts, as in programs that open documents. Each part is read at most once, so that parts
//! that refer to each other in a circle come to an end, and the cost depends on the parts and not on the references.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use encoding_rs::{Encoding, UTF_8};
use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::message;
use zip::ZipReadOptions;
use zip::read::{Config, OwnedZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

use super::limits::Limits;
use crate::extracted::ReadFailure;

/// A zip and the parts that have not been read yet.
pub(super) struct Package<'b> {
    bytes: Cursor<&'b [u8]>,
    entries: BTreeMap<String, OwnedZipFileEntry>,
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
        let damaged =
            |_| ReadFailure::failed("cut off or damaged: its table of contents cannot be read");
        let mut zip =
            ZipIterable::try_new(Cursor::new(bytes), Config::default()).map_err(damaged)?;
        if zip.len() > limits.entries {
            return Ok(None);
        }
        let mut entries = BTreeMap::new();
        for entry in zip.files().map_err(damaged)? {
            let entry = OwnedZipFileEntry::from(entry.map_err(damaged)?);
            let name = entry.as_ref().name().map(|name| key(&name));
            if let Ok(name) = name {
                entries.insert(name, entry);
            }
        }
        let left = limits.unpacked(bytes.len());
        Ok(Some(Package { bytes: Cursor::new(bytes), entries, limits: *limits, left }))
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
        if bytes.len() as u64 > cap {
            return Err(self.over(name, cap));
        }
        self.left -= bytes.len() as u64;
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
