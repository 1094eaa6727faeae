//! Uploads, which are streamed to disk. Limits are checked as the bytes arrive.
//!
//! Files are put into one archive, `submissions.tar` or `base.tar`. Their names are text in it and never become paths
//! on the server; everything that reads it treats it as untrusted. If an archive is the only file, it is kept as it is,
//! so that its contents are the submissions. So it is beside CSV files, which then may be lists of its contents.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use axum::http::StatusCode;

use crate::error::{Answer, Refusal};

/// The start of the names of files that are compared.
pub(crate) const SUBMISSIONS: &str = "submissions";

/// What follows it in the name of a list.
const LIST: &str = "-list-";

/// Limits of an upload.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// Size of one file, in bytes.
    pub(crate) file: u64,
    /// Size of a batch, in bytes.
    pub(crate) batch: u64,
    /// Number of files in a batch.
    pub(crate) files: u64,
    /// Number of bytes that the account may still store.
    pub(crate) left: Option<u64>,
}

/// The part of a batch that a file belongs to: what is compared, or what does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Submissions,
    Base,
}

/// The files of one part.
struct Pack {
    folder: PathBuf,
    stem: &'static str,
    /// An archive that came first and may remain the only file: its path, and its name as sent.
    alone: Option<(PathBuf, String)>,
    /// CSV files that may be lists of the archive's contents, as long as they come with one: paths, and names as sent.
    lists: Vec<(PathBuf, String)>,
    tar: Option<tar::Builder<BufWriter<File>>>,
}

/// A file that is being received, into a file beside the archive.
#[derive(Debug)]
struct Open {
    part: Part,
    name: String,
    out: BufWriter<File>,
    n_bytes: u64,
}

/// An upload in progress.
pub(crate) struct Upload {
    folder: PathBuf,
    limits: Limits,
    submissions: Pack,
    base: Pack,
    open: Option<Open>,
    pub(crate) n_files: u64,
    pub(crate) n_bytes: u64,
}

/// The files of an upload, by part, relative to the folder.
#[derive(Debug, Default)]
pub(crate) struct Uploaded {
    pub(crate) submissions: Vec<PathBuf>,
    pub(crate) base: Vec<PathBuf>,
}

impl Upload {
    /// Begins an upload into an empty folder.
    pub(crate) fn new(folder: &Path, limits: Limits) -> Upload {
        let pack = |stem| Pack {
            folder: folder.to_owned(),
            stem,
            alone: None,
            lists: Vec::new(),
            tar: None,
        };
        Upload {
            folder: folder.to_owned(),
            limits,
            submissions: pack(SUBMISSIONS),
            base: pack("base"),
            open: None,
            n_files: 0,
            n_bytes: 0,
        }
    }

    /// Begins a file.
    pub(crate) fn begin(&mut self, part: Part, name: &str) -> Answer<()> {
        self.n_files += 1;
        if self.n_files > self.limits.files {
            return Err(too_large(&format!("more than {} files", self.limits.files)));
        }
        let out = BufWriter::new(File::create(self.folder.join("incoming"))?);
        self.open = Some(Open { part, name: plain(name)?, out, n_bytes: 0 });
        Ok(())
    }

    /// Receives more of the file, within the limits.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Answer<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.n_bytes += bytes.len() as u64;
        self.n_bytes += bytes.len() as u64;
        if open.n_bytes > self.limits.file {
            return Err(too_large(&format!("a file has more than {} bytes", self.limits.file)));
        }
        if self.n_bytes > self.limits.batch {
            return Err(too_large(&format!("the batch has more than {} bytes", self.limits.batch)));
        }
        if self.limits.left.is_some_and(|left| self.n_bytes > left) {
            let message =
                "the account may not keep as many bytes; delete batches that are no longer needed";
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        Ok(open.out.write_all(bytes)?)
    }

    /// Completes the file, and adds it to its part.
    pub(crate) fn end(&mut self) -> Answer<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        open.out.flush()?;
        let incoming = self.folder.join("incoming");
        let pack = match open.part {
            Part::Submissions => &mut self.submissions,
            Part::Base => &mut self.base,
        };
        Ok(pack.add(&incoming, &open.name)?)
    }

    /// Completes the upload.
    pub(crate) fn finish(mut self) -> Answer<Uploaded> {
        self.end()?;
        Ok(Uploaded { submissions: self.submissions.finish()?, base: self.base.finish()? })
    }
}

impl Pack {
    fn add(&mut self, file: &Path, name: &str) -> io::Result<()> {
        if self.tar.is_none() && is_list(name) {
            let kept = self.folder.join(list_name(self.stem, self.lists.len() + 1));
            std::fs::rename(file, &kept)?;
            self.lists.push((kept, name.to_owned()));
            return Ok(());
        }
        if self.tar.is_none()
            && self.alone.is_none()
            && let Some(ending) = ending(name)
        {
            let kept = self.folder.join(format!("{}{ending}", self.stem));
            std::fs::rename(file, &kept)?;
            self.alone = Some((kept, name.to_owned()));
            return Ok(());
        }
        if let Some((first, first_name)) = self.alone.take() {
            // The first archive is not alone after all, but one submission among others. It may have the name that the
            // tar will need.
            let moved = self.folder.join("first");
            std::fs::rename(first, &moved)?;
            self.append(&moved, &first_name)?;
        }
        self.append_lists()?;
        self.append(file, name)
    }

    /// Adds the CSV files, which lie beside other files than one archive.
    fn append_lists(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.lists).iter().try_for_each(|(list, name)| self.append(list, name))
    }

    fn append(&mut self, file: &Path, name: &str) -> io::Result<()> {
        let tar = match &mut self.tar {
            Some(tar) => tar,
            none => {
                let out = File::create(self.folder.join(format!("{}.tar", self.stem)))?;
                none.insert(tar::Builder::new(BufWriter::new(out)))
            }
        };
        append(tar, file, name)?;
        std::fs::remove_file(file)
    }

    fn finish(mut self) -> io::Result<Vec<PathBuf>> {
        if self.alone.is_none() {
            self.append_lists()?;
        }
        if let Some(tar) = self.tar {
            let file = tar.into_inner()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            return Ok(vec![format!("{}.tar", self.stem).into()]);
        }
        let kept = self.alone.iter().chain(&self.lists);
        kept.map(|(path, _)| {
            File::open(path)?.sync_all()?;
            Ok(path.file_name().map(PathBuf::from).unwrap_or_default())
        })
        .collect()
    }
}

/// Appends a file to an archive.
pub(crate) fn append<W: Write>(
    tar: &mut tar::Builder<W>,
    file: &Path,
    name: &str,
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    let read = File::open(file)?;
    header.set_size(read.metadata()?.len());
    header.set_mode(0o600);
    tar.append_data(&mut header, name, read)
}

fn too_large(what: &str) -> Refusal {
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("{what}; upload less at once"))
}

/// Returns the ending of a file name if it is that of an archive that is opened.
fn ending(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    [".zip", ".tar.gz", ".tar.zst", ".tgz", ".tar"]
        .into_iter()
        .find(|ending| name.ends_with(ending))
}

/// Returns the name under which a list is kept that came with an archive; numbers begin with 1.
pub(crate) fn list_name(stem: &str, number: usize) -> String {
    format!("{stem}{LIST}{number}.csv")
}

/// Returns whether a file is kept under a name of [`list_name`].
pub(crate) fn is_kept_list(name: &str) -> bool {
    name.strip_prefix(SUBMISSIONS).is_some_and(|rest| rest.starts_with(LIST))
}

/// Returns whether a file may be a list of the contents of the archive beside it.
fn is_list(name: &str) -> bool {
    !name.contains('/') && name.to_ascii_lowercase().ends_with(".csv")
}

/// Removes from a name everything that could lead out of a folder.
fn plain(name: &str) -> Answer<String> {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    let name = parts.collect::<Vec<_>>().join("/").replace('\0', " ");
    if name.is_empty() || name.len() > 4096 {
        return Err(Refusal::bad("a file has no name, or one of more than 4096 bytes; rename it"));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        assert_eq!(plain("../../etc/passwd").expect("named"), "etc/passwd");
        assert_eq!(plain("C:\\x\\..\\a.java").expect("named"), "C:/x/a.java");
        assert!(plain("../..").is_err());
    }
}
