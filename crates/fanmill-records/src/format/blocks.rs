//! A shard as a sequence of bytes: unpacked block by block, with a position for every error.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result, Setting, message};

use super::{Options, lower};
use fanmill_disk::packing::{Obstacle, Packing, Unpacked};

/// The byte order mark, which does not belong to the first line.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes of a shard, read in blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    input: Unpacked<File>,
    path: PathBuf,
    packing: Packing,
    /// Number of bytes read so far, unpacked.
    pub(super) offset: u64,
    /// True if all of them have been read.
    pub(super) ended: bool,
}

impl Blocks {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn open(path: &Path, packing: Packing, options: &Options) -> Result<Blocks> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let input = packing.unpack_with(file, options.unpacks());
        Ok(Blocks { input, path: path.to_owned(), packing, offset: 0, ended: false })
    }

    /// Returns the path of the file that they come from.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns up to `n` bytes of the file from a position on, whatever has been read; `None` if they cannot be known
    /// without unpacking those before them.
    pub(super) fn look_at(&self, position: u64, n: usize) -> Option<Vec<u8>> {
        if self.packing != Packing::Plain {
            return None;
        }
        let mut file = File::open(&self.path).ok()?;
        let mut bytes = Vec::new();
        if position >= file.metadata().ok()?.len() {
            return Some(bytes);
        }
        file.seek(SeekFrom::Start(position)).ok()?;
        file.take(n as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Appends bytes until there are `n` in all, or the shard ends.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged.
    pub(super) fn fill(&mut self, bytes: &mut Vec<u8>, n: usize) -> Result<()> {
        let missing = n.saturating_sub(bytes.len());
        if missing == 0 || self.ended {
            return Ok(());
        }
        bytes.reserve(missing);
        let before = bytes.len();
        let read = self.input.append(missing as u64, bytes);
        self.offset += (bytes.len() - before) as u64;
        read.map_err(|error| self.trouble(error))?;
        self.ended = bytes.len() < n;
        Ok(())
    }

    fn trouble(&self, error: io::Error) -> Error {
        let is_disk = error.raw_os_error().is_some();
        if self.packing == Packing::Plain || is_disk {
            return Error::io("read", &self.path, error);
        }
        if let Some(obstacle) = Obstacle::from_error(&error) {
            return self.refused(obstacle);
        }
        let (path, packing, offset) = (self.path.display(), self.packing, self.offset);
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut off".to_owned(),
            _ => lower(&error),
        };
        Error::input(format!(
            "`{path}` is damaged: {what}, behind byte {offset} of what its {packing} unpacks to; \
             fetch it again or leave it out"
        ))
    }

    /// Returns the reason why a sound file is not unpacked, and the way out.
    fn refused(&self, obstacle: Obstacle) -> Error {
        let path = self.path.display();
        let said = message!["`{path}` is packed in a way that is not unpacked here: {obstacle}; "];
        Error::input(match obstacle {
            Obstacle::Window { .. } => message![
                said,
                "raise ",
                Setting("memory"),
                ", half of which may be taken for that, or repack it with a smaller window"
            ],
            Obstacle::Dictionary(_) => {
                message![said, "give its file with ", Setting("zstd-dictionary")]
            }
        })
    }
}
