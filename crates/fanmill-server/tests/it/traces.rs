//! Where something is found in the files of a folder, every compressed stretch of them unpacked.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::{DeflateDecoder, MultiGzDecoder};

/// Archives in archives, at most.
const DEPTH: u32 = 4;

/// The files that have one of these in them, in capitals or not.
pub(crate) fn traces(folder: &Path, canaries: &[&[u8]]) -> Vec<PathBuf> {
    traces_of(folder, &|bytes| canaries.iter().any(|canary| holds(bytes, canary)))
}

/// The files in which something is found: in the name, the bytes, or what can be unpacked of them. Files that a server
/// removes meanwhile are passed over.
pub(crate) fn traces_of(folder: &Path, is_trace: &dyn Fn(&[u8]) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Some(entries) = there(fs::read_dir(folder)) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(traces_of(&path, is_trace));
            continue;
        }
        let Some(bytes) = there(fs::read(&path)) else { continue };
        // Space that is kept back has no content, and is slow to look through.
        if bytes.iter().all(|byte| *byte == 0) {
            continue;
        }
        let name = path.file_name().expect("a name").as_encoded_bytes();
        if is_trace(name) || is_in(&bytes, is_trace, DEPTH) {
            found.push(path);
        }
    }
    found
}

/// Returns the result of reading; `None` if the file is not there any more.
fn there<T>(read: io::Result<T>) -> Option<T> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        read => Some(read.expect("read")),
    }
}

/// Whether bytes have one of these in them, in capitals or not, or packed.
pub(crate) fn traces_in(bytes: &[u8], canaries: &[&[u8]]) -> bool {
    is_in(bytes, &|bytes| canaries.iter().any(|canary| holds(bytes, canary)), DEPTH)
}

pub(crate) fn assert_nowhere(folder: &Path, canaries: &[&[u8]]) {
    let found = traces(folder, canaries);
    assert!(found.is_empty(), "{found:?}");
}

fn holds(bytes: &[u8], canary: &[u8]) -> bool {
    bytes.windows(canary.len()).any(|window| window.eq_ignore_ascii_case(canary))
}

fn is_in(bytes: &[u8], is_trace: &dyn Fn(&[u8]) -> bool, depth: u32) -> bool {
    is_trace(bytes)
        || depth > 0 && unpacked(bytes).iter().any(|inner| is_in(inner, is_trace, depth - 1))
}

/// What can be unpacked, wherever in the bytes it begins.
fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
    let starts = |magic: &'static [u8]| {
        (0..bytes.len()).filter(move |at| bytes[*at..].starts_with(magic)).map(|at| &bytes[at..])
    };
    let zstandard = starts(b"\x28\xb5\x2f\xfd").map(|frame| match zstd::Decoder::new(frame) {
        Ok(decoder) => all_of(decoder.single_frame()),
        Err(_) => Vec::new(),
    });
    let gzip = starts(b"\x1f\x8b\x08").map(|member| all_of(MultiGzDecoder::new(member)));
    let zip = starts(b"PK\x03\x04").map(|entry| {
        let length = |at: usize| {
            entry.get(at..at + 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])))
        };
        all_of(DeflateDecoder::new(entry.get(30 + length(26) + length(28)..).unwrap_or(&[])))
    });
    zstandard.chain(gzip).chain(zip).filter(|inner| !inner.is_empty()).collect()
}

/// What comes before the first error.
fn all_of(mut reader: impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    let _ = reader.read_to_end(&mut all);
    all
}
