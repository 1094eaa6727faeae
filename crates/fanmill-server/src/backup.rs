//! A copy of everything that a server keeps, made while it runs.
//!
//! The database is copied first, in one transaction, and then the files that it knows of. What is deleted meanwhile may
//! be in the copy; what is added meanwhile is not. A batch whose report is replaced while it is copied is copied again. A
//! server that is started with the copy compares batches again whose comparison was waiting or running, and carries out
//! deletions that were not completed.
//!
//! The copy gets its name when all of it is on the disk, so a folder of this name is a whole one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use fanmill_text::Error;

use crate::job::OUTPUT;
use crate::store::{DATABASE, Store};

/// Maximum number of times that a batch is copied, which changes as often.
const MAX_ATTEMPTS: u32 = 20;

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
    let refused =
        |why: &str| Error::setting(format!("backup `{}` {why}; name a new folder", to.display()));
    if fs::symlink_metadata(to).is_ok() {
        return Err(refused("is there already").into());
    }
    let name = to.file_name().ok_or_else(|| refused("has no name"))?;
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let place = fs::canonicalize(parent)
        .with_context(|| format!("cannot write a backup to `{}`", parent.display()))?;
    if place.starts_with(fs::canonicalize(data)?) {
        // The server removes what it does not know there.
        return Err(refused("lies in the folder that is copied").into());
    }
    if place.to_str().is_none() {
        // SQLite takes no other names.
        return Err(refused("lies in a folder whose name is not UTF-8").into());
    }
    let hidden = format!(".{}.unfinished-{}", name.to_string_lossy(), std::process::id());
    let unfinished = Unfinished::make(place.join(hidden))?;
    let context = || format!("cannot write the backup `{}`", to.display());
    let counts = copy_all(store, data, &unfinished.0).with_context(context)?;
    fs::rename(&unfinished.0, to)?;
    sync_folder(&place)?;
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
    store.copy_to(&database).map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => io::Error::from(io::ErrorKind::StorageFull).into(),
        _ => anyhow::Error::from(error),
    })?;
    File::open(&database)?.sync_all()?;
    counts.bytes += database.metadata()?.len();
    for entry in fs::read_dir(data)? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let is_of_now = name == "lock" || name.to_string_lossy().starts_with(DATABASE);
        if entry.is_file() && !is_of_now {
            counts.bytes += copy_file(&entry, &to.join(&name))?;
        }
    }
    let folder = to.join("batches");
    fs::create_dir(&folder)?;
    for id in Store::open_copy(&database)?.batches()? {
        match copy_batch(&data.join("batches").join(&id), &folder.join(&id))? {
            Some(bytes) => {
                counts.batches += 1;
                counts.bytes += bytes;
            }
            None => counts.gone += 1,
        }
    }
    sync_folder(&folder)?;
    sync_folder(to)?;
    Ok(counts)
}

/// Copies a batch as it is at one moment; returns its bytes. `None` if it was deleted meanwhile.
fn copy_batch(from: &Path, to: &Path) -> anyhow::Result<Option<u64>> {
    for _ in 0..MAX_ATTEMPTS {
        let before = report_of(from);
        match copy_folder(from, to) {
            Ok(bytes) if report_of(from) == before => return Ok(Some(bytes)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot copy `{}`", from.display()));
            }
            // A file that was listed is gone, or the report is another one.
            _ => {}
        }
        fs::remove_dir_all(to)?;
        if !from.exists() {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(100));
    }
    anyhow::bail!("`{}` changes while it is copied; try again later", from.display())
}

/// Identifies the report of a batch: another one is another folder, or was put there at another time.
#[cfg(unix)]
fn report_of(batch: &Path) -> Option<(u64, i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    let report = batch.join("report").metadata().ok()?;
    Some((report.ino(), report.ctime(), report.ctime_nsec()))
}

#[cfg(not(unix))]
fn report_of(batch: &Path) -> Option<std::time::SystemTime> {
    batch.join("report").metadata().ok()?.created().ok()
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
            bytes += copy_file(&path, &to.join(name))?;
        }
    }
    sync_folder(to)?;
    Ok(bytes)
}

fn copy_file(from: &Path, to: &Path) -> io::Result<u64> {
    let bytes = fs::copy(from, to)?;
    // A file that may only be read can be synchronised, too.
    File::open(to)?.sync_all()?;
    Ok(bytes)
}

/// Makes the names in a folder last, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs;

    /// A batch is not taken for deleted because its report is replaced all the time.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_batch_that_changes_is_copied_and_not_taken_for_deleted() {
        let folder = tempfile::tempdir().expect("folder");
        let batch = folder.path().join("batch");
        fs::create_dir_all(batch.join("report")).expect("made");
        for i in 0..50 {
            fs::write(batch.join("report").join(i.to_string()), "old").expect("written");
        }
        let from = batch.clone();
        let other = thread::spawn(move || {
            for round in 0..30 {
                let new = from.join(OUTPUT).join("report");
                fs::create_dir_all(&new).expect("made");
                for i in 0..50 {
                    fs::write(new.join(i.to_string()), format!("{round}")).expect("written");
                }
                jobs::put_in_place(&from).expect("replaced");
                fs::remove_dir_all(from.join(OUTPUT)).expect("removed");
            }
        });
        let copied = copy_batch(&batch, &folder.path().join("copy")).expect("copied");
        other.join().expect("no panic");
        assert!(copied.is_some());
        let report = folder.path().join("copy/report");
        let texts: std::collections::BTreeSet<String> = (0..50)
            .map(|i| fs::read_to_string(report.join(i.to_string())).expect("whole"))
            .collect();
        assert_eq!(texts.len(), 1, "of one report: {texts:?}");
        let gone = copy_batch(&folder.path().join("none"), &folder.path().join("copy-2"));
        assert_eq!(gone.expect("no error"), None);
    }
}
