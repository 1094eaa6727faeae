//! Archives made in memory.

use std::io::{Cursor, Write};

use ::tar::{Builder, EntryType, Header};
use flate2::Compression;
use flate2::write::GzEncoder;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// Returns a zip of deflated entries; a name that ends in `/` is a folder.
pub(super) fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(entries, CompressionMethod::Deflated)
}

pub(super) fn zip_with(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in entries {
        zip.start_file(*name, options).expect("an entry");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}

/// Returns a tar whose names are taken as they are, whatever they are.
pub(super) fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Builder::new(Vec::new());
    for (name, bytes) in entries {
        tar.append(&header(name.as_bytes(), EntryType::Regular, bytes.len() as u64), *bytes)
            .expect("an entry");
    }
    tar.into_inner().expect("a tar")
}

/// Returns a header with its checksum; the name is cut at 100 bytes.
pub(super) fn header(name: &[u8], kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    let field = &mut header.as_old_mut().name;
    let n = name.len().min(field.len());
    field[..n].copy_from_slice(&name[..n]);
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(size);
    header.set_cksum();
    header
}

pub(super) fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}

pub(super) fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("zstd")
}

/// Returns bytes that do not compress, yet are text.
pub(super) fn noise(n: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        b' ' + (state % 95) as u8
    };
    std::iter::repeat_with(next).take(n).collect()
}

/// An entry of a zip whose header is written as given.
#[derive(Default, Clone)]
pub(super) struct RawEntry<'e> {
    pub(super) name: &'e [u8],
    pub(super) is_utf8: bool,
    pub(super) extra: Vec<u8>,
    pub(super) bytes: &'e [u8],
}

/// Returns a zip of entries that are not compressed.
pub(super) fn raw_zip(entries: &[RawEntry<'_>]) -> Vec<u8> {
    let (mut zip, mut table) = (Vec::new(), Vec::new());
    for entry in entries {
        let at = zip.len() as u32;
        let size = (entry.bytes.len() as u32).to_le_bytes();
        let mut fields = vec![20, 0, 0, if entry.is_utf8 { 8 } else { 0 }, 0, 0, 0, 0, 0x21, 0x5a];
        fields.extend(crc(entry.bytes).to_le_bytes());
        fields.extend([size, size].concat());
        fields.extend((entry.name.len() as u16).to_le_bytes());
        fields.extend((entry.extra.len() as u16).to_le_bytes());
        zip.extend(b"PK\x03\x04");
        zip.extend(&fields);
        table.extend(b"PK\x01\x02\x14\x00");
        table.extend(&fields);
        table.extend([0; 10]);
        table.extend(at.to_le_bytes());
        for part in [&mut zip, &mut table] {
            part.extend(entry.name);
            part.extend(&entry.extra);
        }
        zip.extend(entry.bytes);
    }
    let n = (entries.len() as u16).to_le_bytes();
    let (start, len) = (zip.len() as u32, table.len() as u32);
    zip.extend(table);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend([n, n].concat());
    zip.extend([len.to_le_bytes(), start.to_le_bytes()].concat());
    zip.extend([0, 0]);
    zip
}

pub(super) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
