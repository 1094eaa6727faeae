//! Files for data that does not fit into memory: written at the end, read anywhere, gone with the process.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};

/// A file without a name in a folder: the system deletes it when it is closed, even after a kill.
#[derive(Debug)]
pub(crate) struct ScratchFile {
    file: File,
    /// Folder to name in errors, as the file has no name.
    folder: PathBuf,
    len: u64,
    /// Lock that allows one seek and read at a time, where a read cannot name its position.
    #[cfg(not(unix))]
    place: std::sync::Mutex<()>,
}

impl ScratchFile {
    /// Makes an empty file in a folder.
    ///
    /// # Errors
    /// If the folder is not there or not writable.
    pub(crate) fn new(folder: &Path) -> Result<ScratchFile> {
        let file = tempfile::tempfile_in(folder)
            .map_err(|error| Error::io("make a temporary file in", folder, error))?;
        Ok(ScratchFile {
            file,
            folder: folder.to_owned(),
            len: 0,
            #[cfg(not(unix))]
            place: std::sync::Mutex::new(()),
        })
    }

    /// Returns the number of bytes written so far.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Writes bytes at the end.
    ///
    /// # Errors
    /// If the disk is full, or fails.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let written =
            self.file.seek(SeekFrom::Start(self.len)).and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| Error::io("write temporary data to", &self.folder, error))?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Fills `bytes` from the position `offset` on.
    ///
    /// # Errors
    /// If the disk fails, or the file ends before `bytes` is full.
    pub(crate) fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let read = self.read_exact_at(offset, bytes);
        read.map_err(|error| Error::io("read temporary data from", &self.folder, error))
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset)
    }

    #[cfg(not(unix))]
    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        use std::io::Read;
        let _alone = self.place.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_anywhere_and_leaves_no_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = ScratchFile::new(folder.path()).expect("writable");
        file.append(b"winnow").expect("room");
        let mut bytes = [0; 3];
        file.read_at(3, &mut bytes).expect("there");
        assert_eq!(&bytes, b"now");
        file.append(b"ing").expect("room");
        file.read_at(6, &mut bytes).expect("there");
        assert_eq!((&bytes, file.len()), (b"ing", 9));
        assert!(file.read_at(7, &mut bytes).expect_err("beyond the end").is_io());
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = ScratchFile::new(Path::new("/no/such/folder")).expect_err("no folder");
        assert!(error.is_io() && error.to_string().contains("/no/such/folder"), "{error}");
    }

    /// Writes to the device that is always full.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_folder() {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut file = ScratchFile { file: full, folder: PathBuf::from("/spill/here"), len: 0 };
        let error = file.append(&[0; 100]).expect_err("full");
        assert!(error.is_io() && error.to_string().contains("/spill/here"), "{error}");
    }
}
