//! Reading ahead of the collector: names and small files on disk, read on all threads.
//!
//! The collector takes one file after another, since each may use up a limit that the next one is held to. So that it
//! need not wait, files are read before their turn, for a block of children at a time. Reading ahead decides nothing:
//! whatever could not be read ahead, or exceeds what may be read of a child, is read when its turn comes, and errors
//! are met then.
//!
//! Cost: memory for at most twice [`BLOCK`] times [`BYTES`]. Files that a pattern leaves out are not opened.

use std::ffi::OsString;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::collect::Collector;
use crate::files::{FileStat, Files, OpenFile};
use crate::group::Options;
use crate::grouping::Grouping;
use crate::label::{DistinctText, Trail, litter};

/// Number of children of a folder that are read ahead together.
const BLOCK: usize = 32;
/// Maximum number of bytes read ahead for one child, with all that is below it.
const BYTES: u64 = 1 << 19;
/// Maximum number of files and folders looked at for one child.
const ENTRIES: usize = 512;
/// Maximum number of levels of folders entered below one child.
const LEVELS: usize = 32;
/// Maximum length of a file read ahead, in bytes. Longer files are left to the collector, which knows how much of them
/// it takes.
const SMALL: u64 = 128 << 10;

/// An entry of a folder.
pub(super) struct Child {
    pub(super) path: PathBuf,
    /// Unique in its folder.
    pub(super) label: String,
    pub(super) found: Option<Prefetched>,
}

/// A file or folder that was looked at before its turn.
pub(super) struct Prefetched {
    pub(super) seen: FileStat,
    pub(super) inside: PrefetchedContent,
}

/// The part of a file or folder that was read ahead.
pub(super) enum PrefetchedContent {
    Nothing,
    /// The whole file.
    File(OpenFile),
    Folder(Vec<Child>),
}

/// The amount that may still be read ahead for a child.
struct PrefetchAllowance {
    bytes: u64,
    entries: usize,
}

/// Lists the children of a folder in the order of their names.
pub(super) fn list(files: &Files, folder: &Path) -> io::Result<Vec<Child>> {
    let mut lossy = DistinctText::default();
    let child = |name: OsString| Child {
        path: folder.join(&name),
        label: lossy.text(name.as_encoded_bytes()),
        found: None,
    };
    Ok(files.names_in(folder)?.into_iter().map(child).collect())
}

impl<'a> Collector<'a> {
    /// Takes the children of a folder one after another until `take` breaks, and reads the next block meanwhile.
    /// `trail` makes a child's trail from its label. Folders below the children are entered if `is_deep`.
    pub(super) fn each_child(
        &mut self,
        children: Vec<Child>,
        is_deep: bool,
        trail: impl Fn(&str) -> Trail + Sync,
        mut take: impl FnMut(&mut Collector<'a>, Child) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Files in memory need not be read ahead.
        if !matches!(self.options.files, Files::Disk) {
            return children.into_iter().try_for_each(|child| take(self, child));
        }
        let scout = Scout { options: self.options, grouping: self.grouping.clone() };
        let mut children = children.into_iter();
        let mut block = || children.by_ref().take(BLOCK).collect::<Vec<Child>>();
        let mut next = block();
        if !self.takes_no_more() {
            scout.read(&mut next, is_deep, &trail);
        }
        while !next.is_empty() {
            let current = std::mem::replace(&mut next, block());
            let reads = !next.is_empty() && !self.takes_no_more();
            rayon::in_place_scope(|scope| {
                if reads {
                    scope.spawn(|_| scout.read(&mut next, is_deep, &trail));
                }
                current.into_iter().try_for_each(|child| take(self, child))
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// Everything needed to look at a file before its turn.
struct Scout<'a> {
    options: &'a Options,
    grouping: Grouping,
}

impl Scout<'_> {
    /// Reads the children that have not been read yet, on all threads.
    fn read(&self, children: &mut [Child], is_deep: bool, trail: &(impl Fn(&str) -> Trail + Sync)) {
        if children.iter().all(|child| child.found.is_some()) {
            return;
        }
        let unread = children.par_iter_mut().filter(|child| child.found.is_none());
        unread.for_each(|child| {
            let mut room = PrefetchAllowance { bytes: BYTES, entries: ENTRIES };
            let levels = if is_deep { LEVELS } else { 0 };
            child.found = self.find(&child.path, &trail(&child.label), levels, &mut room);
        });
    }

    fn find(
        &self,
        path: &Path,
        trail: &Trail,
        levels: usize,
        room: &mut PrefetchAllowance,
    ) -> Option<Prefetched> {
        let entries_left = room.entries.checked_sub(1)?;
        if self.leaves_out(path, trail) {
            return None;
        }
        room.entries = entries_left;
        let files = &self.options.files;
        let seen = files.look_itself(path).ok()?;
        let inside = if seen.is_file() {
            read(files, path, &seen, room)
                .map_or(PrefetchedContent::Nothing, PrefetchedContent::File)
        } else if seen.is_folder() && levels > 0 {
            let children = list(files, path).ok().filter(|children| children.len() <= room.entries);
            let children = children.map(|mut children| {
                for child in &mut children {
                    let trail = trail.join(&child.label);
                    child.found = self.find(&child.path, &trail, levels - 1, room);
                }
                PrefetchedContent::Folder(children)
            });
            children.unwrap_or(PrefetchedContent::Nothing)
        } else {
            PrefetchedContent::Nothing
        };
        Some(Prefetched { seen, inside })
    }

    fn leaves_out(&self, path: &Path, trail: &Trail) -> bool {
        let full = trail.full();
        litter(&full).is_some()
            || self.grouping.excluded(self.options, trail, &full).is_some()
            || self.options.leaves_out(path).is_some()
    }
}

/// Reads a whole small file; `None` if it is too long, cannot be read, or has grown since it was looked at.
fn read(
    files: &Files,
    path: &Path,
    seen: &FileStat,
    room: &mut PrefetchAllowance,
) -> Option<OpenFile> {
    let length = seen.length().filter(|&length| length <= SMALL.min(room.bytes))?;
    let mut bytes = Vec::with_capacity(length as usize + 1);
    let file = files.open(path, seen).ok()?;
    let n_read = file.take(length + 1).read_to_end(&mut bytes).ok()? as u64;
    room.bytes -= n_read.min(length);
    (n_read <= length).then(|| OpenFile::held(bytes))
}
