//! The folder of a run in the making: `OUTPUT.partial` beside the wanted folder.
//!
//! It holds the log of what was read, temporary files, and the shards that are written. When all is
//! done, what is to be seen takes the place of the output by a rename, so that whoever finds an output
//! finds a whole one. A run that was killed leaves the folder, and the next one goes on in it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use fanmill::{Error, Result};
use serde::Serialize;
use tempfile::TempDir;

/// The folder of a run, held for this process alone.
#[derive(Debug)]
pub(crate) struct Staging {
    /// Where the result goes; `None` if nobody wants it as files.
    output: Option<PathBuf>,
    partial: PathBuf,
    /// Held until the run ends.
    _lock: File,
    /// Where sorted runs go, if not into the folder; goes away with it.
    spill: TempDir,
    /// The folder itself, if it is of no use to another run.
    _own: Option<TempDir>,
}

impl Staging {
    /// Makes the folder for `output`, or takes it over from a run that was killed.
    ///
    /// # Errors
    /// If the output is there and not empty, if another process is at work on it, or if the folder
    /// cannot be made.
    pub(crate) fn open(output: Option<&Path>, temp: Option<&Path>) -> Result<Staging> {
        let own = if output.is_none() { Some(temporary(temp)?) } else { None };
        let partial = match (output, &own) {
            (Some(output), _) => partial_of(output)?,
            (None, own) => own.as_ref().map(|own| own.path().to_owned()).unwrap_or_default(),
        };
        let made = fs::create_dir_all(&partial);
        made.map_err(|error| Error::io("make folder", &partial, error))?;
        let lock = lock(&partial)?;
        let spill = match temp {
            Some(temp) => temporary(Some(temp))?,
            None => fresh_spill(&partial)?,
        };
        Ok(Staging { output: output.map(Path::to_owned), partial, _lock: lock, spill, _own: own })
    }

    /// The folder itself.
    pub(crate) fn folder(&self) -> &Path {
        &self.partial
    }

    /// The log.
    pub(crate) fn log(&self) -> PathBuf {
        self.partial.join("log")
    }

    /// The folder for sorted runs.
    pub(crate) fn spill(&self) -> &Path {
        self.spill.path()
    }

    /// The folder that becomes the output.
    pub(crate) fn finished(&self) -> PathBuf {
        self.partial.join("finished")
    }

    /// Whether anybody wants files.
    pub(crate) fn has_output(&self) -> bool {
        self.output.is_some()
    }

    /// Makes the folder that becomes the output.
    pub(crate) fn make_finished(&self) -> Result<PathBuf> {
        let finished = self.finished();
        let made = fs::create_dir_all(&finished);
        made.map_err(|error| Error::io("make folder", &finished, error)).map(|()| finished)
    }

    /// An empty folder for the files of a shard while they are written.
    pub(crate) fn begin_shard(&self) -> Result<PathBuf> {
        let unfinished = self.unfinished();
        remove_folder(&unfinished)?;
        Ok(unfinished)
    }

    /// Moves the files of a shard that is written whole to those of the others, and notes that it is.
    ///
    /// # Errors
    /// If one of them has a name in `reserved`, or cannot be moved.
    pub(crate) fn finish_shard(&self, index: usize, reserved: &[&str]) -> Result<()> {
        let mut folders = vec![(self.unfinished(), self.make_finished()?)];
        while let Some((source, target)) = folders.pop() {
            // A shard of texts none of which stays has no folder.
            let entries = match fs::read_dir(&source) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| Error::io("list", &source, error))?,
            };
            fs::create_dir_all(&target)
                .map_err(|error| Error::io("make folder", &target, error))?;
            for entry in entries {
                let entry = entry.map_err(|error| Error::io("list", &source, error))?;
                let (from, to) = (entry.path(), target.join(entry.file_name()));
                if from.is_dir() {
                    folders.push((from, to));
                    continue;
                }
                let is_taken = |name: &&&str| to == self.finished().join(**name);
                if let Some(name) = reserved.iter().find(is_taken) {
                    return Err(Error::setting(format!(
                        "an input file would be `{name}` in the output, which is written, too; rename \
                         the input"
                    )));
                }
                fs::rename(&from, &to).map_err(|error| Error::io("finish", &from, error))?;
            }
        }
        let done = self.done(index);
        let made = done.parent().map_or(Ok(()), fs::create_dir_all);
        let noted = made.and_then(|()| File::create(&done));
        noted.map(drop).map_err(|error| Error::io("write", done, error))
    }

    /// Whether a shard has been written, by this run or the one that it goes on for.
    pub(crate) fn has_shard(&self, index: usize) -> bool {
        self.done(index).exists()
    }

    fn unfinished(&self) -> PathBuf {
        self.partial.join("unfinished")
    }

    /// The note that a shard is written.
    fn done(&self, index: usize) -> PathBuf {
        self.partial.join("done").join(index.to_string())
    }

    /// Forgets all that an earlier run has done. Its log must go first: it vouches for the shards.
    pub(crate) fn clear(&self) -> Result<()> {
        match fs::remove_file(self.log()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("remove", self.log(), error))
            }
            _ => self.clear_shards(),
        }
    }

    /// Forgets shards that an earlier run has written; the notes go first.
    pub(crate) fn clear_shards(&self) -> Result<()> {
        let folders = [self.partial.join("done"), self.finished(), self.unfinished()];
        folders.iter().try_for_each(|folder| remove_folder(folder))
    }

    /// Writes `summary.json`.
    pub(crate) fn write_summary(&self, summary: &impl Serialize) -> Result<()> {
        let path = self.make_finished()?.join("summary.json");
        let failed = |error| Error::io("write", &path, error);
        let mut text = serde_json::to_vec_pretty(summary).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        fs::write(&path, text).map_err(failed)
    }

    /// Puts what is finished in its place, and removes the rest.
    pub(crate) fn finish(self) -> Result<()> {
        let Some(output) = &self.output else { return Ok(()) };
        // An empty folder may be there; a rename onto it is not possible everywhere.
        match fs::remove_dir(output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io("replace", output, error));
            }
            _ => {}
        }
        let finished = self.finished();
        fs::rename(&finished, output).map_err(|error| Error::io("make", output, error))?;
        fs::remove_dir_all(&self.partial).map_err(|error| Error::io("remove", &self.partial, error))
    }
}

/// Removes a folder and all in it, if it is there.
fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("remove", folder, error))
        }
        _ => Ok(()),
    }
}

/// The folder beside `output`, once it is sure that nothing is lost there.
fn partial_of(output: &Path) -> Result<PathBuf> {
    if fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some()) || output.is_file() {
        return Err(Error::setting(format!(
            "output folder `{}` is there and not empty; name a new one, or remove it",
            output.display()
        )));
    }
    let Some(name) = output.file_name() else {
        return Err(Error::setting(format!("output folder `{}` has no name", output.display())));
    };
    let mut name = name.to_owned();
    name.push(".partial");
    Ok(output.with_file_name(name))
}

fn lock(partial: &Path) -> Result<File> {
    let path = partial.join("lock");
    let file = File::create(&path).map_err(|error| Error::io("open", &path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::setting(format!(
            "another run is at work in `{}`; wait for it, or name another output",
            partial.display()
        ))),
        Err(TryLockError::Error(error)) => Err(Error::io("lock", &path, error)),
    }
}

/// An empty folder for sorted runs: what a killed run has left there is of no use.
fn fresh_spill(partial: &Path) -> Result<TempDir> {
    let left = fs::read_dir(partial).map_err(|error| Error::io("read folder", partial, error))?;
    for entry in left.flatten() {
        if entry.file_name().to_string_lossy().starts_with("spill") {
            let path = entry.path();
            fs::remove_dir_all(&path).map_err(|error| Error::io("remove", path, error))?;
        }
    }
    let made = tempfile::Builder::new().prefix("spill").tempdir_in(partial);
    made.map_err(|error| Error::io("make a folder in", partial, error))
}

fn temporary(folder: Option<&Path>) -> Result<TempDir> {
    let folder = folder.map_or_else(std::env::temp_dir, Path::to_owned);
    let made = tempfile::Builder::new().prefix("fanmill").tempdir_in(&folder);
    made.map_err(|error| Error::io("make a folder in", folder, error))
}
