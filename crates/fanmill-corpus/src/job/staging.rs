//! The folder of a run in the making: `OUTPUT.partial` beside the wanted folder.
//!
//! It is a [`Workplace`] with the log of what was read and the shards that are written. When all is
//! done, what is to be seen takes the place of the output by a rename, so that whoever finds an output
//! finds a whole one. A run that was killed leaves the folder, and the next one goes on in it. Sorted
//! runs are in files without a name, which go with the process, whatever ends it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fanmill::{Error, Result};
use fanmill_source::replace::{
    Disk, DiskFile, FINISHED, Rest, Work, Workplace, put_folder, resolved,
};
use serde::Serialize;

use crate::format::Files;

/// The mark after which reading may go on.
const LOG: &str = "log";
/// The mark after which only the rename is missing.
const COMPLETE: &str = "complete";

/// The folder of a run, held for this process alone.
#[derive(Debug)]
pub(crate) struct Staging {
    /// Where the result goes; `None` if nobody wants it as files.
    output: Option<PathBuf>,
    workplace: Mutex<Workplace>,
    partial: PathBuf,
    /// Where sorted runs go.
    spill: PathBuf,
    /// Shards that are written whole.
    shards: Mutex<BTreeSet<usize>>,
    /// Names in the output that no input may have.
    reserved: &'static [&'static str],
}

/// Where a run works, and what is left of one that was killed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) output: Option<&'a Path>,
    pub(crate) temp: Option<&'a Path>,
    pub(crate) disk: &'a Disk,
    pub(crate) work: Work<'a>,
    pub(crate) rest: Rest,
    /// Names in the output that no input may have.
    pub(crate) reserved: &'static [&'static str],
}

impl Staging {
    /// Makes the folder for the output, or takes it over from a run that was killed; `None` if that was the same
    /// run, and its output is whole in its place.
    ///
    /// # Errors
    /// If the output is there and not empty, if something that is not ours is in the way, if another
    /// process is at work in the folder, or if it cannot be made.
    pub(crate) fn open(site: Site<'_>) -> Result<Option<Staging>> {
        if let Some(temp) = site.temp {
            check_temporary(temp)?;
        }
        let Some(given) = site.output else {
            let workplace = Workplace::temporary(site.disk, site.temp)?;
            return Staging::new(None, workplace, site).map(Some);
        };
        let output = resolved(given)?;
        let partial = partial_of(&output)?;
        let open = || Workplace::open(site.disk, &partial, site.work, site.rest);
        if is_taken(&output) {
            if is_of_run(&output, site.work.run) && fs::symlink_metadata(&partial).is_ok() {
                open()?.clear()?;
                return Ok(None);
            }
            return Err(Error::setting(format!(
                "output folder `{}` is there and not empty; name a new one, or remove it",
                given.display()
            )));
        }
        let mut workplace = open()?;
        let sound = match site.rest {
            Rest::Goes => 0,
            Rest::Stays => n_sound(&workplace),
        };
        workplace.rewind(sound)?;
        Staging::new(Some(output), workplace, site).map(Some)
    }

    fn new(output: Option<PathBuf>, mut workplace: Workplace, site: Site<'_>) -> Result<Staging> {
        let partial = workplace.path().to_owned();
        let spill = match site.temp {
            Some(temp) => temp.to_owned(),
            None => workplace.make_nameless()?,
        };
        let marks = workplace.marks();
        let shards = marks.iter().filter_map(|mark| shard_of(mark)).collect();
        let (workplace, shards) = (Mutex::new(workplace), Mutex::new(shards));
        Ok(Staging { output, workplace, partial, spill, shards, reserved: site.reserved })
    }

    /// The log of an earlier run, or a new one.
    pub(crate) fn log(&self) -> Result<(DiskFile, PathBuf)> {
        let workplace = self.lock();
        let is_there = workplace.marks().first().is_some_and(|mark| mark == LOG);
        let mut workplace = workplace;
        let name = Path::new("log");
        let file = if is_there { workplace.open_file(name) } else { workplace.make_file(name) }?;
        Ok((file, self.partial.join(name)))
    }

    /// Notes that the log is begun: a run that is killed from here on is gone on with.
    pub(crate) fn keep_log(&self) -> Result<()> {
        let mut workplace = self.lock();
        if workplace.marks().is_empty() { workplace.mark(LOG) } else { Ok(()) }
    }

    /// The folder for sorted runs.
    pub(crate) fn spill(&self) -> &Path {
        &self.spill
    }

    /// Whether anybody wants files.
    pub(crate) fn has_output(&self) -> bool {
        self.output.is_some()
    }

    /// Makes a file that is not part of the output.
    pub(crate) fn make_own(&self, name: &str) -> Result<(DiskFile, PathBuf)> {
        let file = self.lock().make_file(Path::new(name))?;
        Ok((file, self.partial.join(name)))
    }

    /// Makes a file of the output that is not of the corpus.
    pub(crate) fn make_extra(&self, name: &str) -> Result<(DiskFile, PathBuf)> {
        let name = Path::new(FINISHED).join(name);
        let file = self.lock().make_file(&name)?;
        Ok((file, self.partial.join(name)))
    }

    /// Notes that a shard is written whole, and is on the disk.
    pub(crate) fn finish_shard(&self, index: usize) -> Result<()> {
        self.lock().mark(&format!("shard {index}"))?;
        self.shards().insert(index);
        Ok(())
    }

    /// Whether a shard has been written, by this run or the one that it goes on for.
    pub(crate) fn has_shard(&self, index: usize) -> bool {
        self.shards().contains(&index)
    }

    /// Forgets shards that an earlier run has written.
    pub(crate) fn clear_shards(&self) -> Result<()> {
        self.shards().clear();
        let mut workplace = self.lock();
        let n = workplace.marks().iter().take_while(|mark| *mark == LOG).count();
        workplace.rewind(n)
    }

    /// Writes `summary.json`.
    pub(crate) fn write_summary(&self, summary: &impl Serialize) -> Result<()> {
        let (mut file, path) = self.make_extra("summary.json")?;
        let failed = |error| Error::io("write", &path, error);
        let mut text = serde_json::to_vec_pretty(summary).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        file.write_all(&text).and_then(|()| file.sync()).map_err(failed)
    }

    /// Puts what is finished in its place, and removes the rest.
    pub(crate) fn finish(self) -> Result<()> {
        let workplace = self.workplace.into_inner().unwrap_or_else(PoisonError::into_inner);
        match &self.output {
            Some(output) => put_folder(workplace, Path::new(FINISHED), output, COMPLETE),
            None => workplace.clear(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Workplace> {
        self.workplace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shards(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.shards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for Staging {
    fn make(&self, name: &Path) -> Result<DiskFile> {
        if let Some(name) = self.reserved.iter().find(|reserved| name == Path::new(reserved)) {
            return Err(Error::setting(format!(
                "an input file would be `{name}` in the output, which is written, too; rename the input"
            )));
        }
        self.lock().make_file(&Path::new(FINISHED).join(name))
    }

    fn sync_all(&self) -> Result<()> {
        self.lock().sync_files(Path::new(FINISHED))
    }
}

/// How many marks of an earlier run vouch for what is there: that of the log, and those of shards if they have
/// not been moved away.
fn n_sound(workplace: &Workplace) -> usize {
    let has_shards = workplace.path().join(FINISHED).is_dir();
    let is_sound = |mark: &&String| *mark == LOG || has_shards && shard_of(mark).is_some();
    workplace.marks().iter().take_while(is_sound).count()
}

/// The shard that a mark vouches for.
fn shard_of(mark: &str) -> Option<usize> {
    mark.strip_prefix("shard ")?.parse().ok()
}

/// Whether something is there that must not be lost.
fn is_taken(output: &Path) -> bool {
    match fs::read_dir(output) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => fs::symlink_metadata(output).is_ok(),
    }
}

/// Whether an output is that of a run: its summary says so.
fn is_of_run(output: &Path, run: &str) -> bool {
    let summary = fs::read(output.join("summary.json")).unwrap_or_default();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap_or_default();
    summary["run"]["identity"] == run
}

/// The folder beside the output.
fn partial_of(output: &Path) -> Result<PathBuf> {
    let Some(name) = output.file_name() else {
        return Err(Error::setting(format!("output folder `{}` has no name", output.display())));
    };
    let mut name = name.to_owned();
    name.push(".partial");
    Ok(output.with_file_name(name))
}

/// Makes sure at once that temporary files can be made.
fn check_temporary(folder: &Path) -> Result<()> {
    let made = tempfile::tempfile_in(folder);
    made.map(drop).map_err(|error| Error::io("make a temporary file in", folder, error))
}
