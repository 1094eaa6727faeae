//! Archives in which uploads are kept: reads their files, and writes them without some of these.
//!
//! Uploads come from anybody, so a child process opens them, and within limits: on the number of entries, on what a
//! packed archive may unpack to, and on a file that is read.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::rc::Rc;

use aws_lc_rs::digest::{Context, SHA256};
use fanmill_source::{Limits, NameSample};
use fanmill_text::readable::readable_bytes;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

use crate::upload;

/// Bytes that an archive may unpack to whatever its size.
const RATIO_FLOOR: u64 = 10 << 20;

/// The compression of a tar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Zstandard,
}

/// Returns the compression of a tar, or `None` for a zip.
fn packing(path: &Path) -> Option<Packing> {
    match path.extension()?.to_str()? {
        "zip" => None,
        "gz" | "tgz" => Some(Packing::Gzip),
        "zst" => Some(Packing::Zstandard),
        _ => Some(Packing::Plain),
    }
}

/// An error that names a limit.
fn over(what: &str, limit: u64) -> io::Error {
    io::Error::other(format!("it has more than {limit} {what}"))
}

/// The number of bytes that may still be read.
#[derive(Debug, Clone)]
struct Left {
    bytes: Rc<Cell<u64>>,
    limit: u64,
}

impl Left {
    fn new(limit: u64) -> Left {
        Left { bytes: Rc::new(Cell::new(limit)), limit }
    }
}

/// Reads no more than is left.
struct Bounded<R> {
    inner: R,
    left: Left,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        let left = self.left.bytes.get().checked_sub(n as u64);
        self.left.bytes.set(left.ok_or_else(|| over("bytes", self.left.limit))?);
        Ok(n)
    }
}

/// Returns the maximum number of bytes that an archive may unpack to.
fn unpacked_limit(path: &Path, limits: &Limits) -> io::Result<u64> {
    let packed = path.metadata()?.len();
    // An archive that is not compressed may be as large as an upload.
    let by_ratio = packed.saturating_mul(limits.ratio).max(RATIO_FLOOR);
    Ok(by_ratio.min(limits.total_bytes).max(packed.saturating_add(RATIO_FLOOR)))
}

/// Lists the names of all files in an archive.
pub(crate) fn names(path: &Path, limits: &Limits) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let none_is_read = |name: &str| {
        names.push(name.to_owned());
        false
    };
    each(path, limits, none_is_read, |_, _| Ok(()))?;
    Ok(names)
}

/// Calls `each` with the name and content of every file in an archive that `is_wanted`. Of a zip, others are not
/// unpacked.
pub(crate) fn each(
    path: &Path,
    limits: &Limits,
    mut is_wanted: impl FnMut(&str) -> bool,
    mut each: impl FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    let left = Left::new(unpacked_limit(path, limits)?);
    let Some(packing) = packing(path) else {
        let mut zip = open_zip(path, limits)?;
        for (index, name) in (0..).zip(names_of_zip(&mut zip)?) {
            if name.ends_with(['/', '\\']) || !is_wanted(&name) {
                continue;
            }
            let own = Bounded { inner: zip.by_index(index)?, left: Left::new(limits.file_bytes) };
            each(&name, &mut Bounded { inner: own, left: left.clone() })?;
        }
        return Ok(());
    };
    let mut tar = tar::Archive::new(Bounded { inner: unpacked(path, packing)?, left });
    for (number, entry) in tar.entries()?.enumerate() {
        if number as u64 >= limits.entries {
            return Err(over("entries", limits.entries));
        }
        let entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file() && is_wanted(&name) {
            each(&name, &mut Bounded { inner: entry, left: Left::new(limits.file_bytes) })?;
        }
    }
    Ok(())
}

/// Returns the names of a zip's entries, in order, as a comparison reads them.
fn names_of_zip(zip: &mut zip::ZipArchive<BufReader<File>>) -> io::Result<Vec<String>> {
    let mut sample = NameSample::default();
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index)?;
        sample.add(entry.name_raw(), entry.flags().as_u16());
    }
    let encoding = sample.guess();
    let mut names = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index)?;
        let name = encoding.decode(entry.name_raw(), entry.flags().as_u16());
        names.push(name.unwrap_or_else(|| readable_bytes(entry.name_raw()).into_owned()));
    }
    Ok(names)
}

fn open_zip(path: &Path, limits: &Limits) -> io::Result<zip::ZipArchive<BufReader<File>>> {
    let zip = zip::ZipArchive::new(BufReader::new(File::open(path)?))?;
    if zip.len() as u64 > limits.entries { Err(over("entries", limits.entries)) } else { Ok(zip) }
}

fn unpacked(path: &Path, packing: Packing) -> io::Result<Box<dyn Read>> {
    let file = BufReader::new(File::open(path)?);
    Ok(match packing {
        Packing::Plain => Box::new(file),
        Packing::Gzip => Box::new(MultiGzDecoder::new(file)),
        Packing::Zstandard => Box::new(zstd::Decoder::with_buffer(file)?),
    })
}

/// Writes an archive to `new` with only the files of `path` for which `keep` is true, in the same format.
pub(crate) fn keep(
    path: &Path,
    new: &Path,
    limits: &Limits,
    keep: impl Fn(&str) -> bool,
) -> io::Result<()> {
    write_anew(path, new, limits, keep, None)
}

/// The files of another archive, which are added to one.
pub(crate) struct AddedFiles<'a> {
    pub(crate) path: &'a Path,
    /// Returns the name of a file in the archive that it is added to.
    pub(crate) place: &'a dyn Fn(&str) -> String,
}

/// Writes an archive to `new` like [`keep`], and adds files to it.
pub(crate) fn write_anew(
    path: &Path,
    new: &Path,
    limits: &Limits,
    keep: impl Fn(&str) -> bool,
    added: Option<&AddedFiles<'_>>,
) -> io::Result<()> {
    let out = BufWriter::new(File::create(new)?);
    let left = Left::new(unpacked_limit(path, limits)?);
    let Some(packing) = packing(path) else {
        let mut zip = keep_in_zip(path, limits, out, keep)?;
        if let Some(added) = added {
            added.add_to_zip(&mut zip, limits)?;
        }
        return synced(zip.finish()?);
    };
    let tar = Bounded { inner: unpacked(path, packing)?, left };
    let part = new.with_extension("part");
    let out = match packing {
        Packing::Plain => in_tar(tar, out, keep, added, (&part, limits))?,
        Packing::Gzip => {
            let out = GzEncoder::new(out, Compression::default());
            in_tar(tar, out, keep, added, (&part, limits))?.finish()?
        }
        Packing::Zstandard => {
            let out = zstd::Encoder::new(out, 0)?;
            in_tar(tar, out, keep, added, (&part, limits))?.finish()?
        }
    };
    synced(out)
}

fn synced(out: BufWriter<File>) -> io::Result<()> {
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

impl AddedFiles<'_> {
    fn add_to_zip<W: Write + io::Seek>(
        &self,
        zip: &mut zip::ZipWriter<W>,
        limits: &Limits,
    ) -> io::Result<()> {
        each(
            self.path,
            limits,
            |_| true,
            |name, content| {
                zip.start_file((self.place)(name), SimpleFileOptions::default())?;
                io::copy(content, zip).map(drop)
            },
        )
    }

    /// Adds the files to a tar. Each is written to the file `part` first, as its length is in front of it.
    fn add_to_tar<W: Write>(
        &self,
        tar: &mut tar::Builder<W>,
        (part, limits): (&Path, &Limits),
    ) -> io::Result<()> {
        each(
            self.path,
            limits,
            |_| true,
            |name, content| {
                io::copy(content, &mut File::create(part)?)?;
                upload::append(tar, part, &(self.place)(name))
            },
        )?;
        if part.exists() { std::fs::remove_file(part) } else { Ok(()) }
    }
}

fn keep_in_zip(
    path: &Path,
    limits: &Limits,
    out: BufWriter<File>,
    keep: impl Fn(&str) -> bool,
) -> io::Result<zip::ZipWriter<BufWriter<File>>> {
    let mut zip = open_zip(path, limits)?;
    let mut kept = zip::ZipWriter::new(out);
    for (index, name) in (0..).zip(names_of_zip(&mut zip)?) {
        let entry = zip.by_index_raw(index)?;
        if !name.ends_with(['/', '\\']) && keep(&name) {
            kept.raw_copy_file(entry)?;
        }
    }
    Ok(kept)
}

fn in_tar<W: Write>(
    tar: impl Read,
    out: W,
    keep: impl Fn(&str) -> bool,
    added: Option<&AddedFiles<'_>>,
    part: (&Path, &Limits),
) -> io::Result<W> {
    let mut kept = tar::Builder::new(out);
    copy(tar, &mut kept, keep)?;
    if let Some(added) = added {
        added.add_to_tar(&mut kept, part)?;
    }
    kept.into_inner()
}

/// Copies the files for which `keep` is true from one tar to another.
pub(crate) fn copy<W: Write>(
    tar: impl Read,
    kept: &mut tar::Builder<W>,
    keep: impl Fn(&str) -> bool,
) -> io::Result<()> {
    let mut tar = tar::Archive::new(tar);
    for entry in tar.entries()? {
        let entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let mut header = entry.header().clone();
        if header.entry_type().is_file() && keep(&name) {
            header.set_size(entry.size());
            kept.append_data(&mut header, &name, entry)?;
        }
    }
    Ok(())
}

/// Returns the SHA-256 of a file.
pub(crate) fn sha256(path: &Path) -> io::Result<Vec<u8>> {
    let mut context = Context::new(&SHA256);
    let mut file = File::open(path)?;
    let mut piece = vec![0; 64 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(context.finish().as_ref().to_vec()),
            n => context.update(&piece[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn an_archive_is_written_anew_without_some_files() {
        let folder = tempfile::tempdir().expect("folder");
        for ending in ["zip", "tar", "tar.gz", "tgz", "tar.zst"] {
            let path = folder.path().join(format!("submissions.{ending}"));
            // A tar stores names of more than 100 bytes in an entry of their own.
            let long = format!("kept/{}", "x".repeat(150));
            let mut tar = tar::Builder::new(Vec::new());
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for name in ["hana/a.py", "bob/a.py", &long] {
                let mut header = tar::Header::new_gnu();
                header.set_size(name.len() as u64);
                tar.append_data(&mut header, name, name.as_bytes()).expect("added");
                zip.start_file(name, SimpleFileOptions::default()).expect("begun");
                zip.write_all(name.as_bytes()).expect("added");
            }
            let tar = tar.into_inner().expect("whole");
            let bytes = match ending {
                "zip" => zip.finish().expect("whole").into_inner(),
                "tar" => tar,
                "tar.zst" => zstd::encode_all(&*tar, 0).expect("packed"),
                _ => {
                    let mut out =
                        flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    out.write_all(&tar).expect("packed");
                    out.finish().expect("packed")
                }
            };
            std::fs::write(&path, bytes).expect("written");
            let new = folder.path().join(format!("new.{ending}"));
            let limits = Limits::standard();
            keep(&path, &new, &limits, |name| !name.starts_with("hana")).expect("kept");
            let mut left = Vec::new();
            each(
                &new,
                &limits,
                |_| true,
                |name, content| {
                    let mut text = String::new();
                    content.read_to_string(&mut text)?;
                    assert_eq!(text, name);
                    left.push(text);
                    Ok(())
                },
            )
            .expect("read");
            assert_eq!(left, ["bob/a.py", &*long], "{ending}");
        }
    }

    #[test]
    fn what_is_over_a_limit_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().expect("folder");
        let (path, limits) =
            (folder.path().join("x.zip"), Limits { entries: 2, ..Limits::standard() });
        let zip_of = |names: &[&str], size: usize| {
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for name in names {
                zip.start_file(*name, SimpleFileOptions::default()).expect("begun");
                zip.write_all(&vec![b' '; size]).expect("added");
            }
            std::fs::write(&path, zip.finish().expect("whole").into_inner()).expect("written");
        };
        let read = |limits: &Limits| {
            let copied =
                |_: &str, content: &mut dyn Read| io::copy(content, &mut io::sink()).map(drop);
            each(&path, limits, |_| true, copied).err().map(|error| error.to_string())
        };
        zip_of(&["a", "b"], 1000);
        assert_eq!(read(&limits), None);
        assert_eq!(
            read(&Limits { file_bytes: 999, ..limits.clone() }).as_deref(),
            Some("it has more than 999 bytes")
        );
        zip_of(&["a", "b", "c"], 10);
        assert_eq!(read(&limits).as_deref(), Some("it has more than 2 entries"));
        // A little that unpacks to much.
        zip_of(&["a", "b"], 8 << 20);
        assert!(read(&limits).is_some_and(|why| why.contains("bytes")));
        assert_eq!(
            names(&path, &limits).expect("names"),
            ["a", "b"],
            "nothing is unpacked for names"
        );
    }
}
