//! The folder of a run in the making: `OUTPUT.partial` beside the wanted folder.
//!
//! It is a [`Workplace`] with the log of what was read and the shards that are written. When all is
//! done, the finished part becomes the output by a rename, so that an output is always a whole
//! one. A run that was killed leaves the folder, and the next one resumes in it. Sorted
//! runs are in files without a name, which go with the process, whatever ends it.

use std::fmt;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fanmill_disk::replace::{
    Disk, DiskFile, FINISHED, Rest, Work, Workplace, put_folder, resolved,
};
use fanmill_text::{Error, Result};
use serde::Serialize;

use fanmill_records::format::Files;

/// No summary of ours is longer, in bytes: it lists a few hundred things.
const LONGEST_SUMMARY: u64 = 64 << 20;

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark<'a> {
    /// Reading may go on.
    Log,
    /// Shards from this number on are written whole, each together with what lies beside its files, which was this.
    Shards(usize, &'a [String]),
    /// Only the rename is missing.
    Complete,
}

impl fmt::Display for Mark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Log => f.write_str("log"),
            Mark::Shards(first, beside) => {
                write!(f, "shards {first} to {}", first + beside.len())?;
                beside.iter().try_for_each(|beside| write!(f, " {beside}"))
            }
            Mark::Complete => f.write_str("complete"),
        }
    }
}

/// The folder of a run, held for this process alone.
#[derive(Debug)]
pub(crate) struct Staging {
    /// Where the result goes; `None` if no files are wanted.
    output: Option<PathBuf>,
    work: Mutex<Progressing>,
    /// Where sorted runs go.
    spill: PathBuf,
    /// What lay beside the files of each shard when it was found.
    beside: Vec<String>,
}

/// The folder, and how far the run has come in it.
#[derive(Debug)]
struct Progressing {
    workplace: Workplace,
    has_log: bool,
    /// Shards that are written whole: the first so many.
    n_shards: usize,
}

/// Where a run works, and what is left of one that was killed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) output: Option<&'a Path>,
    pub(crate) temp: Option<&'a Path>,
    pub(crate) disk: &'a Disk,
    pub(crate) work: Work<'a>,
    pub(crate) rest: Rest,
    /// What the summary of the same run's output says.
    pub(crate) whole: &'a str,
}

impl Staging {
    /// Makes the folder for the output, or takes it over from a run that was killed; `None` if that was the same
    /// run, and its output is whole in its place. `beside` says for each shard what lies beside its files.
    ///
    /// # Errors
    /// If the output is there and not empty, if something that is not ours is in the way, if another
    /// process is at work in the folder, or if it cannot be made.
    pub(crate) fn open(site: Site<'_>, beside: Vec<String>) -> Result<Option<Staging>> {
        if let Some(temp) = site.temp {
            check_temporary(temp)?;
        }
        let Some(given) = site.output else {
            let workplace = Workplace::temporary(site.disk, site.temp)?;
            return Staging::new(None, workplace, site, beside).map(Some);
        };
        let output = resolved(given)?;
        let partial = partial_of(&output)?;
        let open = || Workplace::open(site.disk, &partial, site.work, site.rest);
        if is_taken(&output) {
            if fs::symlink_metadata(&partial).is_ok() && is_of_run(&output, site.whole) {
                open()?.clear()?;
                return Ok(None);
            }
            return Err(Error::setting(format!(
                "output folder `{}` is there and not empty; name a new one, or remove it",
                given.display()
            )));
        }
        let mut workplace = open()?;
        let n_sound = match site.rest {
            Rest::Goes => 0,
            Rest::Stays => sound(&workplace, &beside).0,
        };
        workplace.rewind(n_sound)?;
        Staging::new(Some(output), workplace, site, beside).map(Some)
    }

    fn new(
        output: Option<PathBuf>,
        mut workplace: Workplace,
        site: Site<'_>,
        beside: Vec<String>,
    ) -> Result<Staging> {
        let spill = match site.temp {
            Some(temp) => temp.to_owned(),
            None => workplace.make_nameless()?,
        };
        let (n_marks, n_shards) = sound(&workplace, &beside);
        let has_log = n_marks > 0;
        let work = Mutex::new(Progressing { workplace, has_log, n_shards });
        Ok(Staging { output, work, spill, beside })
    }

    /// The log of an earlier run, or a new one.
    pub(crate) fn log(&self) -> Result<(DiskFile, PathBuf)> {
        let Progressing { workplace, has_log, .. } = &mut *self.lock();
        let name = Path::new("log");
        let file = if *has_log { workplace.open_file(name) } else { workplace.make_file(name) }?;
        Ok((file, workplace.path().join(name)))
    }

    /// Notes that the log is begun: a run that is killed from here on can be resumed.
    pub(crate) fn keep_log(&self) -> Result<()> {
        let mut work = self.lock();
        if !work.has_log {
            work.workplace.mark(&Mark::Log.to_string())?;
            work.has_log = true;
        }
        Ok(())
    }

    /// Whether another run had left work here, with other inputs or settings; it is gone.
    pub(crate) fn has_dropped(&self) -> bool {
        self.lock().workplace.has_dropped()
    }

    /// The folder for sorted runs.
    pub(crate) fn spill(&self) -> &Path {
        &self.spill
    }

    /// Whether files are wanted.
    pub(crate) fn has_output(&self) -> bool {
        self.output.is_some()
    }

    /// Makes a file that is not part of the output.
    pub(crate) fn make_own(&self, name: &str) -> Result<(DiskFile, PathBuf)> {
        self.make(Path::new(name))
    }

    /// Makes a file of the output that is not of the corpus.
    pub(crate) fn make_extra(&self, name: &str) -> Result<(DiskFile, PathBuf)> {
        self.make(&Path::new(FINISHED).join(name))
    }

    fn make(&self, name: &Path) -> Result<(DiskFile, PathBuf)> {
        let workplace = &mut self.lock().workplace;
        Ok((workplace.make_file(name)?, workplace.path().join(name)))
    }

    /// Notes that the shards before the one of this number are written whole, and are on the disk. What was made until then
    /// is of these, as a run that goes on from here removes all that is made later.
    pub(crate) fn finish_shards(&self, end: usize) -> Result<()> {
        let mut work = self.lock();
        let first = work.n_shards;
        work.workplace.mark(&Mark::Shards(first, &self.beside[first..end]).to_string())?;
        work.n_shards = end;
        Ok(())
    }

    /// Whether a shard has been written, by this run or the one that it resumes.
    pub(crate) fn has_shard(&self, index: usize) -> bool {
        index < self.lock().n_shards
    }

    /// Discards the shards that an earlier run has written.
    pub(crate) fn clear_shards(&self) -> Result<()> {
        let mut work = self.lock();
        work.n_shards = 0;
        let has_log = work.has_log;
        work.workplace.rewind(usize::from(has_log))
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
        let work = self.work.into_inner().unwrap_or_else(PoisonError::into_inner);
        let workplace = work.workplace;
        match &self.output {
            Some(output) => {
                let mark = Mark::Complete.to_string();
                put_folder(workplace, Path::new(FINISHED), output, &mark)
            }
            None => workplace.clear(),
        }
    }

    /// Removes all that was made: no other run could use it.
    pub(crate) fn discard(self) -> Result<()> {
        self.work.into_inner().unwrap_or_else(PoisonError::into_inner).workplace.clear()
    }

    fn lock(&self) -> MutexGuard<'_, Progressing> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for Staging {
    fn make(&self, name: &Path) -> Result<DiskFile> {
        self.lock().workplace.make_file(&Path::new(FINISHED).join(name))
    }

    fn sync_all(&self) -> Result<()> {
        self.lock().workplace.sync_files(Path::new(FINISHED))
    }
}

/// How many marks of an earlier run vouch for what is there, and for how many shards: that of the log, and those of
/// shards if they have not been moved away and what lies beside their files is what it was.
fn sound(workplace: &Workplace, beside: &[String]) -> (usize, usize) {
    let marks = workplace.marks();
    if marks.first().is_none_or(|mark| *mark != Mark::Log.to_string()) {
        return (0, 0);
    }
    let has_shards = workplace.path().join(FINISHED).is_dir();
    let (mut n_marks, mut n_shards) = (1, 0);
    for mark in marks[1..].iter().take_while(|_| has_shards) {
        // How many there are depends on the threads of that run, so the mark itself says it.
        let end = mark.split(' ').nth(3).and_then(|end| end.parse().ok());
        let finished = end.and_then(|end: usize| beside.get(n_shards..end)).unwrap_or_default();
        if finished.is_empty() || *mark != Mark::Shards(n_shards, finished).to_string() {
            break;
        }
        (n_marks, n_shards) = (n_marks + 1, n_shards + finished.len());
    }
    (n_marks, n_shards)
}

/// Whether something is there that must not be lost.
fn is_taken(output: &Path) -> bool {
    match fs::read_dir(output) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => fs::symlink_metadata(output).is_ok(),
    }
}

/// Whether an output is that of a run: its summary says so. Anything may be there under that name.
fn is_of_run(output: &Path, run: &str) -> bool {
    let path = output.join("summary.json");
    if !fs::symlink_metadata(&path).is_ok_and(|file| file.is_file()) {
        return false;
    }
    let mut summary = Vec::new();
    let read = File::open(&path).and_then(|f| f.take(LONGEST_SUMMARY).read_to_end(&mut summary));
    let summary = read.ok().and_then(|_| serde_json::from_slice(&summary).ok());
    summary.is_some_and(|summary: serde_json::Value| summary["run"]["identity"] == run)
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
