//! New files that an experiment writes for other commands; an existing file is not replaced.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use fanmill_text::{Error, Result};

/// Checks, before any work is done, that there is no such file.
///
/// # Errors
/// If there is one: the user may have edited it.
pub(super) fn check(path: &Path) -> Result<()> {
    if path.exists() { Err(is_there(path)) } else { Ok(()) }
}

/// Writes a new file.
///
/// # Errors
/// If it exists already, or cannot be written.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => is_there(path),
        _ => Error::io("create file", path, error),
    })?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // Half a file would be in the way of the next run; this one was just created here.
        let _ = fs::remove_file(path);
        Error::io("write file", path, error)
    })
}

fn is_there(path: &Path) -> Error {
    Error::setting(format!(
        "`{}` exists already; name another file, or remove it first",
        path.display()
    ))
}
