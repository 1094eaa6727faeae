//! The working folder of a run: `OUTPUT.partial` beside the folders to be made.
//!
//! These are `OUTPUT`, which holds the shards of the corpus and nothing else, so that every tool can read it as a corpus,
//! and `OUTPUT.fanmill` beside it for the tables, the summary and the records that failed.
//!
//! The working folder is a [`Workplace`] with the log of what was read and the shards that are written. At the end, the
//! finished parts get their places by renames, so an output is always complete. A run that was killed leaves the folder,
//! and the next run resumes in it. Sorted runs are in files without a name, which vanish with the process, whatever ends it.

use std::fmt;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fanmill_disk::replace::{
    Disk, DiskFile, FINISHED, OnFailure, Work, Workplace, put_folders, resolved,
};
use fanmill_text::{Error, Result};
use serde::Serialize;

use super::places::{Places, bookkeeping_of, partial_of};
use fanmill_records::format::{Files, Shard};

/// Name of the folder with the bookkeeping in a working folder.
const BESIDE: &str = "beside";

/// Upper bound on the bytes of our summaries, which list a few hundred things.
const LONGEST_SUMMARY: u64 = 64 << 20;

/// Maximum number of shards that are written without a record.
const UNRECORDED: usize = 64;
/// Bytes of shards that are written with a record.
const UNRECORDED_BYTES: u64 = 64 << 20;

/// Progress that a run has recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark<'a> {
    /// The log has begun, and reading can resume.
    Log,
    /// Shards from this number on are written completely, with what lay beside their files.
    Shards(usize, &'a [FoundShard]),
    /// All is written, and only the renames are missing; the string identifies the run.
    Complete(&'a str),
}

impl fmt::Display for Mark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Log => f.write_str("log"),
            Mark::Shards(first, shards) => {
                write!(f, "shards {first} to {}", first + shards.len())?;
                shards.iter().try_for_each(|shard| write!(f, " {}", shard.beside))
            }
            Mark::Complete(run) => write!(f, "complete {run}"),
        }
    }
}

/// The working folder of a run, locked for this process.
#[derive(Debug)]
pub(crate) struct Staging {
    /// The places of the result; `None` if no files are wanted.
    output: Option<Output>,
    /// The mark of a run that has written all.
    complete: String,
    work: Mutex<Progressing>,
    /// The folder for sorted runs.
    spill: PathBuf,
    shards: Vec<FoundShard>,
}

/// A shard as it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FoundShard {
    /// Identifies what lay beside its files.
    pub(crate) beside: String,
    /// Its bytes on the disk.
    pub(crate) bytes: u64,
}

/// The places of a result.
#[derive(Debug)]
struct Output {
    /// The folder of the corpus; `None` if none is written.
    corpus: Option<PathBuf>,
    /// The folder of the bookkeeping.
    beside: PathBuf,
}

/// The folder, and the progress of the run in it.
#[derive(Debug)]
struct Progressing {
    workplace: Workplace,
    has_log: bool,
    /// Number of shards that are written completely; they are the first ones.
    n_shards: usize,
}

/// The places of a run, and what identifies it to a later one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) output: Option<&'a Path>,
    /// True if the corpus is written, and not only the bookkeeping.
    pub(crate) writes_corpus: bool,
    pub(crate) temp: Option<&'a Path>,
    pub(crate) disk: &'a Disk,
    pub(crate) work: Work<'a>,
    pub(crate) rest: OnFailure,
    /// The identity that the summary has in the output of the same run.
    pub(crate) whole: &'a str,
}

/// Checks the places of a run before anything else is done, as far as no other run has left work there.
///
/// # Errors
/// If the output exists and is not empty, or the folder for temporary files cannot be used.
pub fn check_places(places: &Places, writes_corpus: bool) -> Result<()> {
    places.temp.as_deref().map_or(Ok(()), check_temporary)?;
    let Some(given) = places.output.as_deref() else { return Ok(()) };
    let target = resolved(given)?;
    let beside = bookkeeping_of(&target)?;
    if fs::symlink_metadata(partial_of(&target)?).is_ok() {
        return Ok(());
    }
    let output = Output { corpus: writes_corpus.then_some(target), beside };
    output.check_corpus(given)?;
    output.check_beside(given)
}

impl Staging {
    /// Makes the folder for the output, or takes it over from a run that was killed. Returns `None` if that was the
    /// same run, and its complete output is in place. `shards` are those to be written.
    ///
    /// # Errors
    /// If the output exists and is not empty, if something that is not ours is in the way, if another process is
    /// working in the folder, or if the folder cannot be made.
    pub(crate) fn open(site: Site<'_>, shards: Vec<FoundShard>) -> Result<Option<Staging>> {
        if let Some(temp) = site.temp {
            check_temporary(temp)?;
        }
        let Some(given) = site.output else {
            let workplace = Workplace::temporary(site.disk, site.temp)?;
            return Staging::new(None, workplace, site, shards).map(Some);
        };
        let target = resolved(given)?;
        let (partial, own) = (partial_of(&target)?, bookkeeping_of(&target)?);
        let output = Output { corpus: site.writes_corpus.then_some(target), beside: own };
        let is_begun = fs::symlink_metadata(&partial).is_ok();
        if is_begun && output.is_at_place() && is_of_run(&output.beside, site.whole) {
            Workplace::open(site.disk, &partial, site.work, site.rest)?.clear()?;
            return Ok(None);
        }
        output.check_corpus(given)?;
        if !is_begun {
            output.check_beside(given)?;
        }
        let moves = output.moves();
        let mut workplace =
            Workplace::open_again(site.disk, &partial, site.work, site.rest, &moves)?;
        output.check_beside(given)?;
        let complete = Mark::Complete(site.whole).to_string();
        if workplace.marks().last() == Some(&complete) {
            put_folders(workplace, &moves, &complete)?;
            return Ok(None);
        }
        let n_sound = match site.rest {
            OnFailure::Goes => 0,
            OnFailure::Stays => sound(&workplace, &shards).0,
        };
        workplace.rewind(n_sound)?;
        Staging::new(Some(output), workplace, site, shards).map(Some)
    }

    fn new(
        output: Option<Output>,
        mut workplace: Workplace,
        site: Site<'_>,
        shards: Vec<FoundShard>,
    ) -> Result<Staging> {
        let spill = match site.temp {
            Some(temp) => temp.to_owned(),
            None => workplace.make_nameless()?,
        };
        let (n_marks, n_shards) = sound(&workplace, &shards);
        let has_log = n_marks > 0;
        let work = Mutex::new(Progressing { workplace, has_log, n_shards });
        let complete = Mark::Complete(site.whole).to_string();
        Ok(Staging { output, complete, work, spill, shards })
    }

    /// Opens the log of an earlier run, or makes a new one.
    pub(crate) fn log(&self) -> Result<(DiskFile, PathBuf)> {
        let Progressing { workplace, has_log, .. } = &mut *self.lock();
        let name = Path::new("log");
        let file = if *has_log { workplace.open_file(name) } else { workplace.make_file(name) }?;
        Ok((file, workplace.path().join(name)))
    }

    /// Records that the log has begun: from here on, a killed run can be resumed.
    pub(crate) fn keep_log(&self) -> Result<()> {
        let mut work = self.lock();
        if !work.has_log {
            work.workplace.mark(&Mark::Log.to_string())?;
            work.has_log = true;
        }
        Ok(())
    }

    /// Returns whether another run, with other inputs or settings, had left work here; it has been removed.
    pub(crate) fn has_dropped(&self) -> bool {
        self.lock().workplace.has_dropped()
    }

    /// Returns the folder for sorted runs.
    pub(crate) fn spill(&self) -> &Path {
        &self.spill
    }

    /// Returns whether files are wanted.
    pub(crate) fn has_output(&self) -> bool {
        self.output.is_some()
    }

    /// Makes a file that is not part of the output.
    pub(crate) fn make_own(&self, name: &str) -> Result<(DiskFile, PathBuf)> {
        self.make(Path::new(name))
    }

    /// Makes a file of the bookkeeping.
    pub(crate) fn make_extra(&self, name: impl AsRef<Path>) -> Result<(DiskFile, PathBuf)> {
        self.make(&Path::new(BESIDE).join(name))
    }

    fn make(&self, name: &Path) -> Result<(DiskFile, PathBuf)> {
        let workplace = &mut self.lock().workplace;
        Ok((workplace.make_file(name)?, workplace.path().join(name)))
    }

    /// Records that the shards below `end` are written completely and synced, if there are enough to be worth the
    /// record. All files made so far must belong to these shards, since a run that resumes here removes everything made
    /// after the last record.
    pub(crate) fn finish_shards(&self, end: usize) -> Result<()> {
        let mut work = self.lock();
        let first = work.n_shards;
        if end < self.shards.len() && !self.is_due(first, end) {
            return Ok(());
        }
        work.workplace.mark(&Mark::Shards(first, &self.shards[first..end]).to_string())?;
        work.n_shards = end;
        Ok(())
    }

    /// Returns true if the unrecorded shards, from `first` to `end`, are an eighth of all that are written,
    /// [64](UNRECORDED), or [64 MiB](UNRECORDED_BYTES). A record waits for the disk as long as two small shards.
    fn is_due(&self, first: usize, end: usize) -> bool {
        let n = end.saturating_sub(first);
        let bytes: u64 = self.shards[first..end].iter().map(|shard| shard.bytes).sum();
        n * 8 >= end || n >= UNRECORDED || bytes >= UNRECORDED_BYTES
    }

    /// Returns whether a record has a shard, of this run or the one that it resumes.
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

    /// Moves the finished output into place, and removes the rest.
    pub(crate) fn finish(self) -> Result<()> {
        let work = self.work.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut workplace = work.workplace;
        match &self.output {
            // A corpus of which nothing stays is an empty folder.
            Some(output) => {
                if output.corpus.is_some() {
                    workplace.make_folder(Path::new(FINISHED))?;
                }
                put_folders(workplace, &output.moves(), &self.complete)
            }
            None => workplace.clear(),
        }
    }

    /// Removes everything that was made, since no other run could use it.
    pub(crate) fn discard(self) -> Result<()> {
        self.work.into_inner().unwrap_or_else(PoisonError::into_inner).workplace.clear()
    }

    fn lock(&self) -> MutexGuard<'_, Progressing> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FoundShard {
    pub(crate) fn new(shard: &Shard) -> FoundShard {
        FoundShard { beside: shard.beside(), bytes: shard.bytes() }
    }
}

impl Output {
    /// Returns the folders of a workplace, and where they go, in this order: where the corpus is, all is.
    fn moves(&self) -> Vec<(&Path, &Path)> {
        let corpus = self.corpus.as_deref().map(|corpus| (Path::new(FINISHED), corpus));
        [(Path::new(BESIDE), &*self.beside)].into_iter().chain(corpus).collect()
    }

    /// Returns whether something is where the last folder goes.
    fn is_at_place(&self) -> bool {
        is_taken(self.corpus.as_ref().unwrap_or(&self.beside))
    }

    /// Refuses a place for the corpus where something is that must not be lost.
    fn check_corpus(&self, given: &Path) -> Result<()> {
        if self.corpus.as_ref().is_some_and(|corpus| is_taken(corpus)) {
            return Err(Error::setting(format!(
                "output folder `{}` is there and not empty; name a new one, or remove it",
                given.display()
            )));
        }
        Ok(())
    }

    /// Refuses a place for the tables where something is that must not be lost.
    fn check_beside(&self, given: &Path) -> Result<()> {
        if is_taken(&self.beside) {
            return Err(Error::setting(format!(
                "`{}`, where tables and summary of the output go, is there and not empty; remove it, or name another \
                 output",
                bookkeeping_of(given).unwrap_or_else(|_| self.beside.clone()).display()
            )));
        }
        Ok(())
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

/// Returns how many marks of an earlier run can be trusted, and how many shards they cover. The mark of the log counts;
/// those of shards count if the shards have not been moved away and what lies beside their files is unchanged.
fn sound(workplace: &Workplace, shards: &[FoundShard]) -> (usize, usize) {
    let marks = workplace.marks();
    if marks.first().is_none_or(|mark| *mark != Mark::Log.to_string()) {
        return (0, 0);
    }
    let has_shards = workplace.path().join(FINISHED).is_dir();
    let (mut n_marks, mut n_shards) = (1, 0);
    for mark in marks[1..].iter().take_while(|_| has_shards) {
        // The number of shards in a mark depends on that run's threads, so it is read from the mark.
        let end = mark.split(' ').nth(3).and_then(|end| end.parse().ok());
        let finished = end.and_then(|end: usize| shards.get(n_shards..end)).unwrap_or_default();
        if finished.is_empty() || *mark != Mark::Shards(n_shards, finished).to_string() {
            break;
        }
        (n_marks, n_shards) = (n_marks + 1, n_shards + finished.len());
    }
    (n_marks, n_shards)
}

/// Returns whether something exists there that must not be lost.
fn is_taken(output: &Path) -> bool {
    match fs::read_dir(output) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => fs::symlink_metadata(output).is_ok(),
    }
}

/// Returns whether an output was made by `run`, as recorded in its summary. The file of that name may be anything.
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

/// Checks early that temporary files can be made.
fn check_temporary(folder: &Path) -> Result<()> {
    let made = tempfile::tempfile_in(folder);
    made.map(drop).map_err(|error| Error::io("make a temporary file in", folder, error))
}
