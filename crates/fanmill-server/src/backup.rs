//! A copy of everything that a server keeps, made while it runs.
//!
//! The database is copied first, in one transaction, and then the files that it knows of. What is deleted meanwhile may
//! be in the copy; what is added meanwhile is not. A server that is started with the copy compares batches again whose
//! comparison was waiting or running, and carries out deletions that were not completed.
//!
//! The copy gets its name when it is complete, so a folder of this name is a whole one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fanmill_text::Error;

use crate::job::OUTPUT;
use crate::store::{DATABASE, Store};

/// Counts of what was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BackupCounts {
    /// Batches.
    pub batches: u64,
    /// Batches that were deleted while the copy was made, so that it has no files of them.
    pub gone: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Copies the data folder of a server to a new folder, which only its owner may read.
pub(crate) fn write(store: &Store, data: &Path, to: &Path) -> anyhow::Result<BackupCounts> {
    if to.exists() {
        let what = format!("backup `{}` is there already; name a new folder", to.display());
        return Err(Error::setting(what).into());
    }
    let name = to.file_name().ok_or_else(|| {
        Error::setting(format!("backup `{}` has no name; name a new folder", to.display()))
    })?;
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let hidden = format!(".{}.unfinished-{}", name.to_string_lossy(), std::process::id());
    let unfinished = Unfinished::make(parent.join(hidden))?;
    let counts = copy_all(store, data, &unfinished.0)?;
    fs::rename(&unfinished.0, to)?;
    #[cfg(unix)]
    fs::File::open(parent)?.sync_all()?;
    Ok(counts)
}

/// The folder of a copy that is being made, which is removed unless it gets its name.
struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes the folder, which nobody else can read.
    fn make(path: PathBuf) -> io::Result<Unfinished> {
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut fs::DirBuilder::new(), 0o700).create(&path)?;
        #[cfg(not(unix))]
        fs::create_dir(&path)?;
        Ok(Unfinished(path))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy_all(store: &Store, data: &Path, to: &Path) -> anyhow::Result<BackupCounts> {
    let mut counts = BackupCounts::default();
    let database = to.join(DATABASE);
    store.copy_to(&database)?;
    counts.bytes += database.metadata()?.len();
    for entry in fs::read_dir(data)? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let is_of_now = name == "lock" || name.to_string_lossy().starts_with(DATABASE);
        if entry.is_file() && !is_of_now {
            counts.bytes += fs::copy(&entry, to.join(&name))?;
        }
    }
    let folder = to.join("batches");
    fs::create_dir(&folder)?;
    for id in Store::open_copy(&database)?.batches()? {
        match copy_folder(&data.join("batches").join(&id), &folder.join(&id)) {
            Ok(bytes) => {
                counts.batches += 1;
                counts.bytes += bytes;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let _ = fs::remove_dir_all(folder.join(&id));
                counts.gone += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(counts)
}

/// Copies the files of a batch, except what a comparison is writing. Files that are being received have no row yet.
fn copy_folder(from: &Path, to: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if name == OUTPUT {
            continue;
        }
        let kind = fs::symlink_metadata(&path)?;
        if kind.is_dir() {
            bytes += copy_folder(&path, &to.join(name))?;
        } else if kind.is_file() {
            bytes += fs::copy(&path, to.join(name))?;
        }
    }
    Ok(bytes)
}
