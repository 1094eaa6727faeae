//! Pages: bytes on disk with a checksum every 4 KiB, which is checked whenever they are read.
//!
//! A page is 4088 bytes and their XXH3, seeded by the file's name and the page's number: a page in another's place is
//! damage too. The last page is filled with zeros. Everything above this module counts bytes without checksums.
//!
//! A file ends with a tail, which is read when the file is opened. The tail's BLAKE3 is kept elsewhere; the tail itself
//! has the BLAKE3 of what comes before it.
//!
//! Files are read at given positions, not mapped into memory: a mapped file that is cut off would kill the process.
//!
//! Cost: a look-up reads one page and hashes it. Pages of 64 KiB would save .2 % of the file, and hash sixteen times as
//! much for each look-up.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::replace::{Access, DiskFile, NewFile, Unfinished};

/// Size of a page in bytes.
const PAGE: usize = 4096;
/// Bytes of a page before its checksum.
const PAYLOAD: usize = PAGE - size_of::<u64>();
/// Maximum number of bytes that wait to be hashed.
const UNHASHED: usize = 64 << 10;

/// A manifest's entry for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Name of the file in the folder.
    pub name: String,
    /// Length in bytes, without checksums.
    pub n_bytes: u64,
    /// Start of the tail, which is read when the index is opened.
    pub tail_start: u64,
    /// BLAKE3 of the tail, in hexadecimal digits. The tail has the BLAKE3 of what comes before it.
    pub tail_hash: String,
}

/// The reason why a file could not be written.
#[derive(Debug)]
pub enum Failure {
    /// The system refused to write.
    Io(io::Error),
    /// The content could not be produced.
    Source(Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Source(error)
    }
}

/// Writes a file, and returns what `write` returns.
///
/// # Errors
/// If it cannot be written, or its content cannot be produced.
pub fn write_file<T>(
    files: &mut NewFile,
    name: &str,
    access: Access,
    write: impl FnOnce(&mut BufWriter<DiskFile>) -> std::result::Result<T, Failure>,
) -> Result<T> {
    let mut file = files.make(name, access)?;
    let outcome = fill(&mut file, write)?;
    files.keep(file)?;
    Ok(outcome)
}

/// Writes into a file, and returns what `write` returns.
///
/// # Errors
/// If it cannot be written, or its content cannot be produced.
pub fn fill<T>(
    file: &mut Unfinished,
    write: impl FnOnce(&mut BufWriter<DiskFile>) -> std::result::Result<T, Failure>,
) -> Result<T> {
    write(&mut file.out).map_err(|failure| match failure {
        Failure::Io(error) => file.error(error),
        Failure::Source(error) => error,
    })
}

/// A writer of pages.
#[derive(Debug)]
pub struct PageWriter<W> {
    out: W,
    seed: u64,
    page: Vec<u8>,
    n_pages: u64,
    /// Hash of all bytes since the beginning, or since the tail began, besides those that are not hashed yet.
    hasher: blake3::Hasher,
    /// The last bytes. Many are hashed at once, since BLAKE3 is slow on pieces below its chunks of 1 KiB.
    unhashed: Vec<u8>,
    tail_start: u64,
}

impl<W: Write> PageWriter<W> {
    /// Begins the file of this name.
    pub fn new(name: &str, out: W) -> PageWriter<W> {
        PageWriter {
            out,
            seed: xxh3_64(name.as_bytes()),
            page: Vec::with_capacity(PAGE),
            n_pages: 0,
            hasher: blake3::Hasher::new(),
            unhashed: Vec::with_capacity(UNHASHED),
            tail_start: 0,
        }
    }

    /// Returns the number of bytes so far.
    pub fn at(&self) -> u64 {
        self.n_pages * PAYLOAD as u64 + self.page.len() as u64
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if self.unhashed.len() + bytes.len() > UNHASHED {
            self.hash_rest();
        }
        if bytes.len() > UNHASHED {
            self.hasher.update(bytes);
        } else {
            self.unhashed.extend_from_slice(bytes);
        }
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PAYLOAD - self.page.len()));
            self.page.extend_from_slice(now);
            bytes = later;
            if self.page.len() == PAYLOAD {
                self.end_page()?;
            }
        }
        Ok(())
    }

    fn hash_rest(&mut self) {
        self.hasher.update(&self.unhashed);
        self.unhashed.clear();
    }

    fn end_page(&mut self) -> io::Result<()> {
        self.page.resize(PAYLOAD, 0);
        let checksum = checksum(self.seed, self.n_pages, &self.page);
        self.out.write_all(&self.page)?;
        self.out.write_all(&checksum.to_le_bytes())?;
        self.page.clear();
        self.n_pages += 1;
        Ok(())
    }

    /// Begins the tail, which is read when the index is opened. Returns the BLAKE3 of everything before it, to be
    /// stored in it.
    pub fn begin_tail(&mut self) -> String {
        self.tail_start = self.at();
        self.hash_rest();
        std::mem::take(&mut self.hasher).finalize().to_hex().to_string()
    }

    /// Ends the file; returns the manifest's entry for it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, name: &str) -> io::Result<FileEntry> {
        let n_bytes = self.at();
        self.hash_rest();
        if !self.page.is_empty() {
            self.end_page()?;
        }
        let tail_hash = self.hasher.finalize().to_hex().to_string();
        Ok(FileEntry { name: name.to_owned(), n_bytes, tail_start: self.tail_start, tail_hash })
    }
}

/// A file of pages, open to be read by any number of threads.
#[derive(Debug)]
pub struct PageFile {
    file: File,
    path: PathBuf,
    seed: u64,
    n_bytes: u64,
    tail_start: u64,
}

impl PageFile {
    /// Opens a file of the index in `folder`, and reads its tail.
    ///
    /// # Errors
    /// If it cannot be opened, or is not the file that the manifest names.
    pub fn open(folder: &Path, entry: &FileEntry) -> Result<(PageFile, Vec<u8>)> {
        let path = folder.join(&entry.name);
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let FileEntry { n_bytes, tail_start, .. } = *entry;
        let pages =
            PageFile { file, seed: xxh3_64(entry.name.as_bytes()), path, n_bytes, tail_start };
        let metadata = pages.file.metadata();
        let len = metadata.map_err(|error| Error::io("look at", &pages.path, error))?.len();
        let expected = n_bytes.div_ceil(PAYLOAD as u64).checked_mul(PAGE as u64);
        if expected != Some(len) {
            return Err(pages.damaged(&format!("it has {len} bytes, which is not its length")));
        }
        let mut tail = Vec::new();
        let n_tail = n_bytes.checked_sub(tail_start);
        let n_tail = n_tail.ok_or_else(|| pages.damaged("its last part is not in it"))?;
        pages.read(tail_start, n_tail, &mut tail)?;
        if blake3::hash(&tail).to_hex().as_str() != entry.tail_hash {
            return Err(pages.damaged("it is another file than the manifest names"));
        }
        Ok((pages, tail))
    }

    /// Returns the number of bytes before the tail.
    pub fn n_body(&self) -> u64 {
        self.tail_start
    }

    /// Replaces the content of `out` with `n` bytes from byte `at` on.
    ///
    /// # Errors
    /// If a page is damaged, there are fewer bytes, or the system cannot read.
    pub fn read(&self, at: u64, n: u64, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        let end = at.checked_add(n).filter(|&end| end <= self.n_bytes);
        let end = end.ok_or_else(|| self.damaged("it says that more follows than does"))?;
        if n == 0 {
            return Ok(());
        }
        let (first, last) = (at / PAYLOAD as u64, (end - 1) / PAYLOAD as u64);
        out.resize((last - first + 1) as usize * PAGE, 0);
        if let Err(error) = read_exact_at(&self.file, out, first * PAGE as u64) {
            out.clear();
            return Err(Error::io("read", &self.path, error));
        }
        // Moves the payloads together, over the checksums between them.
        for (i, number) in (first..=last).enumerate() {
            let page = i * PAGE..i * PAGE + PAYLOAD;
            let (_, sum) = out[page.start..].split_at(PAYLOAD);
            let stored = sum.first_chunk().map(|sum| u64::from_le_bytes(*sum));
            if stored != Some(checksum(self.seed, number, &out[page.clone()])) {
                out.clear();
                return Err(self.damaged(&format!("the checksum of page {number} is wrong")));
            }
            out.copy_within(page, i * PAYLOAD);
        }
        let skipped = (at - first * PAYLOAD as u64) as usize;
        out.truncate(skipped + n as usize);
        out.drain(..skipped);
        Ok(())
    }

    /// Reads and hashes everything before the tail.
    ///
    /// # Errors
    /// As [`read`](PageFile::read).
    pub fn body_hash(&self) -> Result<String> {
        let (mut hasher, mut bytes, mut at) = (blake3::Hasher::new(), Vec::new(), 0);
        while at < self.tail_start {
            let n = (self.tail_start - at).min(1 << 20);
            self.read(at, n, &mut bytes)?;
            hasher.update(&bytes);
            at += n;
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Returns the error for a file that is not as it was written.
    pub fn damaged(&self, how: &str) -> Error {
        damaged(&self.path, how)
    }
}

/// Writes the beginning of a tail: JSON, preceded by its length.
///
/// # Errors
/// If it cannot be written.
pub fn write_footer<W: Write>(footer: &impl Serialize, out: &mut PageWriter<W>) -> io::Result<()> {
    let json = serde_json::to_vec(footer)?;
    out.write(&(json.len() as u64).to_le_bytes())?;
    out.write(&json)
}

/// Reads the beginning of a tail; also returns what follows it. `None` if it is not there.
pub fn footer<T: DeserializeOwned>(tail: &[u8]) -> Option<(T, &[u8])> {
    let (n, rest) = tail.split_first_chunk()?;
    let (json, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*n)).ok()?)?;
    Some((serde_json::from_slice(json).ok()?, rest))
}

/// Returns the error for a file that is not as it was written.
pub fn damaged(path: &Path, how: &str) -> Error {
    Error::input(format!(
        "`{}` is damaged: {how}; restore its folder from a copy, or make it again from the texts",
        path.display()
    ))
}

fn checksum(seed: u64, number: u64, payload: &[u8]) -> u64 {
    xxh3_64_with_seed(payload, seed.wrapping_add(number))
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => (bytes, at) = (&mut bytes[n..], at + n as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(folder: &Path, name: &str, bytes: &[u8], n_tail: usize) -> FileEntry {
        let file = File::create(folder.join(name)).expect("a file");
        let mut out = PageWriter::new(name, file);
        let (body, tail) = bytes.split_at(bytes.len() - n_tail);
        out.write(body).expect("room");
        assert_eq!(out.begin_tail(), blake3::hash(body).to_hex().as_str());
        out.write(tail).expect("room");
        out.finish(name).expect("room")
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            bytes in prop::collection::vec(any::<u8>(), 0..3 * PAGE),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let n_tail = bytes.len() / 3;
            let entry = written(folder.path(), "a", &bytes, n_tail);
            let (file, tail) = PageFile::open(folder.path(), &entry).expect("own file");
            prop_assert_eq!(&tail, &bytes[bytes.len() - n_tail..]);
            prop_assert_eq!(file.n_body() as usize, bytes.len() - n_tail);
            let mut out = Vec::new();
            for (x, y) in cuts {
                let (x, y) = (x.index(bytes.len() + 1), y.index(bytes.len() + 1));
                let (start, end) = (x.min(y), x.max(y));
                file.read(start as u64, (end - start) as u64, &mut out).expect("own file");
                prop_assert_eq!(&out, &bytes[start..end]);
            }
            prop_assert!(file.read(bytes.len() as u64, 1, &mut out).is_err());
            prop_assert!(file.read(u64::MAX, 2, &mut out).is_err());
        }
    }

    #[test]
    fn a_page_in_the_place_of_another_is_damage() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = written(folder.path(), "a", &[7; 3 * PAYLOAD], 1);
        let path = folder.path().join("a");
        let mut bytes = std::fs::read(&path).expect("own file");
        let (first, rest) = bytes.split_at_mut(PAGE);
        first.swap_with_slice(&mut rest[..PAGE]);
        std::fs::write(&path, &bytes).expect("room");
        let (file, _) = PageFile::open(folder.path(), &entry).expect("its last page is right");
        let error = file.read(0, 1, &mut Vec::new()).expect_err("another page").to_string();
        assert!(
            error.contains("the checksum of page 0 is wrong") && error.contains("/a`"),
            "{error}"
        );
    }
}
