//! One file for each thread, in memory where the system has such a place, to be overwritten.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Where files live in memory on Linux.
const IN_MEMORY: &str = "/dev/shm";

/// Writes `bytes` to a file of that name in an otherwise empty folder, and shows the folder.
///
/// # Panics
/// If the disk refuses.
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
