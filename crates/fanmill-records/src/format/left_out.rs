//! Files that are found but not read: all are counted, the first ten thousand are listed, and they are copied where texts
//! are written.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use fanmill_disk::replace::DiskFile;
use fanmill_text::{Error, Result};

use super::options::Given;
use super::raw_out::Files;
use super::sniff::{Origin, Sniffed, sniff};
use super::stamp::{Stamp, Stamping};
use super::walk::{PassedOver, Walk, WalkEntry};
use crate::account::{CountedList, Notice};

/// The copying to the output of files that are not read: done where a corpus is written, and its files are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copies {
    Made,
    NotMade,
}

/// Files of one folder that are not read. Whether they are copied is known only when all of the folder has been seen.
#[derive(Debug, Default)]
pub(super) struct LeftOutFiles {
    all: CountedList<(PathBuf, LeftOutReason)>,
    /// True if one of them would be copied.
    pub(super) has_copies: bool,
    stamping: Stamping,
}

/// The reason why a file is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftOutReason {
    /// It is not text; the words say what it is instead.
    NoText(&'static str),
    /// It would be copied, but cannot be opened.
    Unreadable,
    /// It lies beside shards of records, and is none itself.
    BesideShards,
    /// It is hidden, and lies beside shards of records.
    HiddenBesideShards,
    /// It has sums or counts of shards, which are not those of the output.
    OfShards,
    Beside(PassedOver),
}

impl LeftOutFiles {
    /// Adds something below `root`, and opens it if it is to be copied.
    pub(super) fn add(&mut self, root: &Path, path: &Path, why: LeftOutReason) -> Option<File> {
        let file = if why.is_copied() {
            self.stamping.open(path, &root.join(path)).ok()
        } else {
            self.stamping.other(path, why.what());
            None
        };
        let why = if why.is_copied() && file.is_none() { LeftOutReason::Unreadable } else { why };
        self.has_copies |= why.is_copied();
        self.all.add(|| (path.to_owned(), why));
        file
    }

    /// Returns the state of all of them when they were added.
    pub(super) fn stamp(&self) -> Stamp {
        self.stamping.end()
    }

    /// Adds notices on them to those on other folders.
    pub(super) fn note(self, folder: &Path, copies: Copies, left_out: &mut CountedList<Notice>) {
        left_out.append(self.all, |(path, why)| Notice {
            place: folder.join(path).to_string_lossy().into_owned(),
            record: None,
            offset: None,
            reason: why.reason(copies).into(),
        });
    }
}

impl LeftOutReason {
    fn is_copied(self) -> bool {
        matches!(
            self,
            LeftOutReason::NoText(_)
                | LeftOutReason::BesideShards
                | LeftOutReason::Beside(PassedOver::Hidden)
        )
    }

    fn what(self) -> &'static str {
        match self {
            LeftOutReason::NoText(what) => what,
            LeftOutReason::Unreadable => "not readable",
            LeftOutReason::BesideShards => "no shard of records, as others in its folder are",
            LeftOutReason::OfShards => "true of the shards that were read, not of those written",
            LeftOutReason::HiddenBesideShards | LeftOutReason::Beside(PassedOver::Hidden) => {
                "hidden"
            }
            LeftOutReason::Beside(PassedOver::Unlisted) => "a hidden folder that cannot be listed",
            LeftOutReason::Beside(PassedOver::LeftByOthers) => {
                "left by another program, true of its own files only"
            }
            LeftOutReason::Beside(PassedOver::Ours(kind)) => kind.what(),
            LeftOutReason::Beside(PassedOver::Output) => {
                "a corpus that Fanmill has written; name it to have it read"
            }
            LeftOutReason::Beside(PassedOver::Link) => {
                "a link to a folder, to nothing, or to a file that has another name here"
            }
            LeftOutReason::Beside(PassedOver::NoFile) => "a pipe, a socket or a device",
            LeftOutReason::Beside(PassedOver::TooLong) => {
                "a path that is longer than this system takes; name a folder further down"
            }
        }
    }

    pub(super) fn reason(self, copies: Copies) -> String {
        let what = self.what();
        let end = if self.is_copied() && copies == Copies::Made {
            "not compared, copied as it is"
        } else {
            "not compared, not in the output"
        };
        format!("{what}: {end}")
    }
}

/// Recognises something that a walk below `root` has found, or returns the reason why it is not read.
///
/// # Errors
/// As [`sniff`].
pub(super) fn found(
    root: &Path,
    met: &WalkEntry,
    given: Given,
) -> Result<std::result::Result<Sniffed, LeftOutReason>> {
    Ok(match met {
        WalkEntry::Beside(_, beside) => Err(LeftOutReason::Beside(*beside)),
        WalkEntry::File(path) => match sniff(&root.join(path), given, Origin::Met)? {
            Sniffed::NoText(what) => Err(LeftOutReason::NoText(what)),
            found => Ok(found),
        },
    })
}

/// Copies the files below `root` that are not read and can be copied to the same places below `folder`. Returns false
/// if they have changed since `then`.
pub(super) fn copy(
    files: &dyn Files,
    root: &Path,
    given: Given,
    folder: &Path,
    then: Stamp,
) -> Result<bool> {
    let mut apart = LeftOutFiles::default();
    for met in Walk::new(root)? {
        let met = met?;
        if let Err(why) = found(root, &met, given)?
            && let Some(mut input) = apart.add(root, met.path(), why)
        {
            copy_file(files, &mut input, &root.join(met.path()), &folder.join(met.path()))?;
        }
    }
    Ok(apart.stamp() == then)
}

/// Copies the bytes of a file, which is at `from`, to `to`; returns the copy.
pub(super) fn copy_file(
    files: &dyn Files,
    input: &mut File,
    from: &Path,
    to: &Path,
) -> Result<DiskFile> {
    let mut out = files.make(to)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer).map_err(|error| Error::io("read", from, error))? {
            0 => return Ok(out),
            n => out.write_all(&buffer[..n]).map_err(|error| Error::io("write", to, error))?,
        }
    }
}
