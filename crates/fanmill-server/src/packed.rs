//! Archives in which uploads are kept: reads their files, and rewrites them without some of these.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{Context, SHA256};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

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

/// Calls `each` with the name and content of every file in an archive.
pub(crate) fn each(
    path: &Path,
    mut each: impl FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    let Some(packing) = packing(path) else {
        let mut zip = zip::ZipArchive::new(BufReader::new(File::open(path)?))?;
        for index in 0..zip.len() {
            let mut entry = zip.by_index(index)?;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            if !entry.is_dir() {
                each(&name, &mut entry)?;
            }
        }
        return Ok(());
    };
    let mut tar = tar::Archive::new(unpacked(path, packing)?);
    for entry in tar.entries()? {
        let mut entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file() {
            each(&name, &mut entry)?;
        }
    }
    Ok(())
}

fn unpacked(path: &Path, packing: Packing) -> io::Result<Box<dyn Read>> {
    let file = BufReader::new(File::open(path)?);
    Ok(match packing {
        Packing::Plain => Box::new(file),
        Packing::Gzip => Box::new(MultiGzDecoder::new(file)),
        Packing::Zstandard => Box::new(zstd::Decoder::with_buffer(file)?),
    })
}

/// Rewrites an archive with only the files for which `keep` is true.
pub(crate) fn keep(path: &Path, keep: impl Fn(&str) -> bool) -> io::Result<()> {
    let new = PathBuf::from(format!("{}.new", path.display()));
    let out = BufWriter::new(File::create(&new)?);
    let out = match packing(path) {
        None => keep_in_zip(path, out, keep)?,
        Some(Packing::Plain) => keep_in_tar(unpacked(path, Packing::Plain)?, out, keep)?,
        Some(Packing::Gzip) => {
            let out = GzEncoder::new(out, Compression::default());
            keep_in_tar(unpacked(path, Packing::Gzip)?, out, keep)?.finish()?
        }
        Some(Packing::Zstandard) => {
            let out = zstd::Encoder::new(out, 0)?;
            keep_in_tar(unpacked(path, Packing::Zstandard)?, out, keep)?.finish()?
        }
    };
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    std::fs::rename(new, path)
}

fn keep_in_zip(
    path: &Path,
    out: BufWriter<File>,
    keep: impl Fn(&str) -> bool,
) -> io::Result<BufWriter<File>> {
    let mut zip = zip::ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut kept = zip::ZipWriter::new(out);
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index)?;
        if !entry.is_dir() && keep(&String::from_utf8_lossy(entry.name_raw())) {
            kept.raw_copy_file(entry)?;
        }
    }
    Ok(kept.finish()?)
}

fn keep_in_tar<W: Write>(tar: Box<dyn Read>, out: W, keep: impl Fn(&str) -> bool) -> io::Result<W> {
    let mut kept = tar::Builder::new(out);
    copy(tar, &mut kept, keep)?;
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
