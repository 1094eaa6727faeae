//! tar: one stream of headers and bytes, without a table and without checksums of the contents.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use ::tar::{Archive, EntryType};

use super::{Ending, Entry, Kind, Visit, trouble};
use crate::label::DistinctText;
use crate::limits::Layer;
use fanmill_text::document::Outcome;

pub(super) fn each_entry(
    content: &mut (impl Read + ?Sized),
    layer: &Layer,
    visit: Visit,
) -> Ending {
    let met_end = Cell::new(false);
    let mut archive = Archive::new(Watched { inner: content, met_end: &met_end });
    let mut ending = Ending::default();
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return Ending { damage: Some(trouble(&error)), ..ending },
    };
    let mut lossy = DistinctText::default();
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                ending.damage = Some(trouble(&error));
                return ending;
            }
        };
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::XGlobalHeader | EntryType::XHeader) {
            continue;
        }
        let label = lossy.label(&entry.path_bytes());
        let size = entry.size();
        let mut whole = Whole { inner: &mut entry, missing: size };
        let kind = match kind {
            EntryType::Directory => Kind::Folder,
            // Before POSIX, a folder was a file whose name ended in a slash.
            EntryType::Regular | EntryType::Continuous if ends_in_slash(whole.inner) => {
                Kind::Folder
            }
            EntryType::Regular | EntryType::Continuous => Kind::File(&mut whole),
            other => Kind::Left(Outcome::Skipped, special(other).into()),
        };
        if visit(Entry { label, kind }) == ControlFlow::Break(()) || layer.must_stop() {
            return ending;
        }
    }
    if met_end.get() {
        ending.damage = Some("its end mark is missing: it may have been cut off".to_owned());
    }
    ending
}

fn ends_in_slash<R: Read>(entry: &::tar::Entry<'_, R>) -> bool {
    entry.path_bytes().ends_with(b"/")
}

fn special(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink => "symbolic link in an archive: not followed",
        EntryType::Link => "hard link in an archive: not followed",
        EntryType::Char | EntryType::Block => "special file: a device",
        EntryType::Fifo => "special file: a pipe",
        EntryType::GNUSparse => "sparse file in an archive: not supported",
        _ => "special entry of a tar archive",
    }
}

/// Records whether the stream was read to its very end, which never happens to a tar with an end mark.
struct Watched<'w, R: ?Sized> {
    inner: &'w mut R,
    met_end: &'w Cell<bool>,
}

impl<R: Read + ?Sized> Read for Watched<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        if n == 0 && !buf.is_empty() {
            self.met_end.set(true);
        }
        Ok(n)
    }
}

/// An entry that must be as long as its header says. The crate takes the end of the archive for the end of the entry.
struct Whole<'w, R> {
    inner: &'w mut R,
    missing: u64,
}

impl<R: Read> Read for Whole<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        if n == 0 && !buf.is_empty() && self.missing > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.missing = self.missing.saturating_sub(n as u64);
        Ok(n)
    }
}
