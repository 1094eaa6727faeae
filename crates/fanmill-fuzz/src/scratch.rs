//! A scratch file for each thread, in memory if possible, which is overwritten each time.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// The folder for files in memory on Linux.
const IN_MEMORY: &str = "/dev/shm";

/// Writes `bytes` to a file of this name in an otherwise empty folder, and calls `look` with the folder.
///
/// # Panics
/// If writing fails.
pub fn with_file(name: &str, bytes: &[u8], look: impl FnOnce(&Path)) {
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| {
            let made = tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir());
            made.expect("a temporary folder")
        });
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file in the temporary folder");
        look(folder.path());
        fs::remove_file(&path).expect("the file is removed again");
    });
}
