//! Destroying a key.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};

use crate::key_file;

/// Overwrites a key file with random numbers, truncates it and removes it. Returns its path without links.
///
/// A drive that writes to other blocks, a snapshot or a backup may still have the key; this cannot be checked here.
///
/// # Errors
/// If the file cannot be written or removed.
pub fn destroy(path: &Path) -> Result<PathBuf> {
    let path = fs::canonicalize(path).map_err(|error| Error::io("look at", path, error))?;
    let noise = key_file::make()?.to_file();
    let file = OpenOptions::new().write(true).open(&path);
    let overwrite = |mut file: fs::File| {
        file.write_all(noise.as_bytes())?;
        file.sync_all()?;
        file.set_len(0)?;
        file.sync_all()
    };
    let overwritten = file.and_then(overwrite);
    overwritten.map_err(|error| Error::io("overwrite the key file", &path, error))?;
    fs::remove_file(&path).map_err(|error| Error::io("remove the key file", &path, error))?;
    Ok(path)
}
