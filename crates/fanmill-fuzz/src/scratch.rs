//! A scratch folder for each thread, in memory if possible, which is used again each time.

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
    with_folder(|folder| {
        fs::write(folder.join(name), bytes).expect("a file in the temporary folder");
        look(folder);
    });
}

/// Calls `look` with an empty folder, and empties it again.
///
/// # Panics
/// If a file cannot be removed, or `look` asks for another folder.
pub fn with_folder<T>(look: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| {
            let made = tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir());
            made.expect("a temporary folder")
        });
        // A panic that was caught may have left files.
        empty(folder.path());
        let seen = look(folder.path());
        empty(folder.path());
        seen
    })
}

fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).expect("the temporary folder") {
        let path = entry.expect("an entry").path();
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.expect("it is removed again");
    }
}
