//! Files that are met and not read: counted, the first hundred named, and copied where texts are written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use fanmill::{Error, Result};

use super::Format;
use super::raw_out::Files;
use super::sniff::{Found, Origin, sniff};
use super::walk::{Beside, Met, Walk};
use crate::account::{Named, Notice};

/// Whether files that are not read are copied to the output: where a corpus is written, and its files are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copies {
    Made,
    NotMade,
}

/// Files of one folder that are not read. Whether they are copied shows when all of it has been seen.
#[derive(Debug, Default)]
pub(super) struct Apart {
    all: Named<(PathBuf, Why)>,
    /// Whether one of them would be copied.
    pub(super) has_copies: bool,
}

/// Why a file is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    NoText,
    Beside(Beside),
}

impl Apart {
    pub(super) fn add(&mut self, path: PathBuf, why: Why) {
        self.has_copies |= why.is_copied();
        self.all.add(|| (path, why));
    }

    /// Adds them to those of other folders.
    pub(super) fn note(self, folder: &Path, copies: Copies, left_out: &mut Named<Notice>) {
        left_out.append(self.all, |(path, why)| Notice {
            place: folder.join(path).to_string_lossy().into_owned(),
            record: None,
            offset: None,
            reason: why.reason(copies),
        });
    }
}

impl Why {
    fn is_copied(self) -> bool {
        matches!(self, Why::NoText | Why::Beside(Beside::Hidden))
    }

    fn reason(self, copies: Copies) -> String {
        let what = match self {
            Why::NoText => "no text by its extension",
            Why::Beside(Beside::Hidden) => "hidden",
            Why::Beside(Beside::Unlisted) => "a hidden folder that cannot be listed",
            Why::Beside(Beside::LeftByOthers) => {
                "left by another program, true of its own files only"
            }
            Why::Beside(Beside::Link) => "a symbolic link, which is not followed",
            Why::Beside(Beside::NoFile) => "a pipe, a socket or a device",
        };
        let end = if self.is_copied() && copies == Copies::Made {
            "not compared, copied as it is"
        } else {
            "not compared, not in the output"
        };
        format!("{what}: {end}")
    }
}

/// Copies what is not read below `root` and can be copied to the same places below `folder`.
pub(super) fn copy(
    files: &dyn Files,
    root: &Path,
    given: Option<Format>,
    folder: &Path,
) -> Result<()> {
    for met in Walk::new(root)? {
        let path = match met? {
            Met::Beside(path, Beside::Hidden) => path,
            Met::File(path) if sniff(&root.join(&path), given, Origin::Met)? == Found::NoText => {
                path
            }
            Met::File(_) | Met::Beside(..) => continue,
        };
        copy_file(files, &root.join(&path), &folder.join(&path))?;
    }
    Ok(())
}

/// Copies the bytes of a file.
pub(super) fn copy_file(files: &dyn Files, from: &Path, to: &Path) -> Result<()> {
    let mut input = File::open(from).map_err(|error| Error::io("open", from, error))?;
    let mut out = files.make(to)?;
    io::copy(&mut input, &mut out).map(drop).map_err(|error| Error::io("write", to, error))
}
