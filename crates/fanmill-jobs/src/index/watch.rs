//! Watching a folder: its files are added to an index as they are written.
//!
//! The system reports files that may have changed. A file is read once its size and time of change have been the same
//! for a while, so that one that is being written is not taken for complete; if they differ after reading, it is read
//! again later. A file that rests half written is added as it is, and replaced when writing continues.
//!
//! The folder is also walked at the beginning, whenever the system has lost events, and where a folder has appeared, so
//! whatever was written in the meantime is found in the end. Files that are deleted are not removed from the index.
//!
//! Cost: 100 bytes, and one look each [`TICK`], for each file that does not rest yet.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use fanmill_disk::replace::resolved;
use fanmill_source::{GroupBy, litter};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use notify::{Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::given::InputTexts;
use super::{Inputs, Outcome, Settings, Wait, add_with, writer, writer_for};

/// Time between two looks at the files that do not rest yet.
const TICK: Duration = Duration::from_millis(100);
/// Maximum number of files that are added in one commit, so that the first are found soon.
const TOGETHER: usize = 10_000;

/// The folder to watch, and how long its files must rest.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Watch {
    /// The folder.
    pub folder: PathBuf,
    /// Time for which a file's size and time of change must be the same before it is read.
    pub rest: Duration,
}

impl Watch {
    /// Watches a folder; its files must rest for a second.
    pub fn new(folder: impl Into<PathBuf>) -> Watch {
        Watch { folder: folder.into(), rest: Duration::from_secs(1) }
    }
}

/// The size of a file, and its time of change.
type Stamp = (u64, Option<SystemTime>);

/// Adds the files of a folder to an index, and then each file that is written, until the job is cancelled; it never ends
/// otherwise, except with another error. Each file is a document, called by its path. `inputs` says how files are read; its
/// own paths do not count. `take` receives the outcome of each addition.
///
/// # Errors
/// If the folder is missing or cannot be watched, as for [`add`](super::add), or the job is cancelled.
pub fn watch(
    settings: &Settings,
    index: &Path,
    watch: &Watch,
    inputs: &Inputs,
    take: &mut (dyn FnMut(Outcome) -> Result<()> + Send),
    progress: &dyn Progress,
) -> Result<()> {
    // Makes the index, if it does not exist, and fails at once if it cannot be written.
    writer(index, settings, Wait::Yes, progress)?.close()?;
    let folder = &watch.folder;
    let root = fs::canonicalize(folder).map_err(|error| Error::io("open", folder, error))?;
    let mut waiting = Waiting {
        root,
        given: watch.folder.clone(),
        index: resolved(index)?,
        files: BTreeMap::new(),
    };
    // Begins before the first walk, so that nothing written in between is missed.
    let (told, events) = channel();
    let _watcher = watcher(&waiting.root, told)?;
    waiting.walk(&waiting.root.clone());
    loop {
        progress.check()?;
        waiting.receive(&events)?;
        let ready = waiting.take_ready(watch.rest);
        if ready.is_empty() {
            continue;
        }
        let mut own = inputs.clone();
        own.group_by = GroupBy::File;
        own.paths = ready.keys().map(|path| waiting.as_given(path)).collect();
        let mut writer = writer_for(inputs, index, settings, Wait::Yes, progress)?;
        let added = InputTexts::read(&own, &[], index, progress).and_then(|mut given| {
            given.name_paths_below(&watch.folder);
            add_with(&mut writer, given, progress)
        });
        writer.close()?;
        match added {
            Ok((outcome, _)) => {
                waiting.look_again(ready);
                take(outcome)?;
            }
            // A file was deleted between the two looks, or has become something else.
            Err(error) if error.is_input() && ready.keys().any(|path| stamp(path).is_none()) => {
                waiting.files.extend(ready.into_keys().map(|path| (path, (None, Instant::now()))));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Begins to watch a folder: by the system's own means, otherwise by looking every second.
fn watcher(root: &Path, told: Sender<notify::Result<Event>>) -> Result<Box<dyn Watcher>> {
    let failed = |error: notify::Error| {
        Error::system(format!("could not watch `{}`", root.display()), std::io::Error::other(error))
    };
    let watched = RecommendedWatcher::new(told.clone(), notify::Config::default())
        .and_then(|mut watcher| watcher.watch(root, RecursiveMode::Recursive).map(|()| watcher));
    if let Ok(watcher) = watched {
        return Ok(Box::new(watcher));
    }
    let config = notify::Config::default().with_poll_interval(Duration::from_secs(1));
    let mut watcher = PollWatcher::new(told, config).map_err(failed)?;
    watcher.watch(root, RecursiveMode::Recursive).map_err(failed)?;
    Ok(Box::new(watcher))
}

/// Files that may have been written, until they rest.
struct Waiting {
    /// The folder, without links.
    root: PathBuf,
    /// The folder as it was given.
    given: PathBuf,
    /// The index's folder, whose files are not added.
    index: PathBuf,
    /// The state in which each file was last seen, and since when.
    files: BTreeMap<PathBuf, (Option<Stamp>, Instant)>,
}

impl Waiting {
    /// Takes the events that the system reports, for one [`TICK`] at most.
    fn receive(&mut self, events: &Receiver<notify::Result<Event>>) -> Result<()> {
        let mut next = events.recv_timeout(TICK);
        loop {
            match next {
                Ok(Ok(event)) => self.take(&event),
                // Events may have been lost, so all files are looked at.
                Ok(Err(_)) => self.walk(&self.root.clone()),
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::input("the folder is not watched any more"));
                }
            }
            next = events.try_recv().map_err(|_| RecvTimeoutError::Timeout);
        }
    }

    fn take(&mut self, event: &Event) {
        if event.need_rescan() {
            self.walk(&self.root.clone());
        } else if !matches!(event.kind, EventKind::Access(_) | EventKind::Remove(_)) {
            for path in &event.paths {
                self.walk(path);
            }
        }
    }

    /// Notes a file, or all files below a folder. Links are not followed.
    fn walk(&mut self, path: &Path) {
        let mut left = vec![path.to_owned()];
        while let Some(path) = left.pop() {
            let inside = path.strip_prefix(&self.root).ok().map(Path::to_string_lossy);
            let is_ours = inside.is_some_and(|inside| {
                let inside = inside.replace(std::path::MAIN_SEPARATOR, "/");
                litter(&inside).is_none() && !path.starts_with(&self.index)
            });
            let Some(metadata) = fs::symlink_metadata(&path).ok().filter(|_| is_ours) else {
                continue;
            };
            if metadata.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                left.extend(entries.map(|entry| entry.path()));
            } else if metadata.is_file() {
                self.files.entry(path).or_insert((None, Instant::now()));
            }
        }
    }

    /// Removes the files that have rested for this long, and returns them with their stamps.
    fn take_ready(&mut self, rest: Duration) -> BTreeMap<PathBuf, Stamp> {
        let mut ready = BTreeMap::new();
        self.files.retain(|path, (last, since)| {
            let Some(now) = stamp(path) else { return false };
            if *last != Some(now) {
                (*last, *since) = (Some(now), Instant::now());
            }
            let is_ready = since.elapsed() >= rest && ready.len() < TOGETHER;
            if is_ready {
                ready.insert(path.clone(), now);
            }
            !is_ready
        });
        ready
    }

    /// Notes again those files whose stamps have changed.
    fn look_again(&mut self, read: BTreeMap<PathBuf, Stamp>) {
        for (path, before) in read {
            if stamp(&path).is_some_and(|now| now != before) {
                self.files.insert(path, (None, Instant::now()));
            }
        }
    }

    fn as_given(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root)
            .map_or_else(|_| path.to_owned(), |inside| self.given.join(inside))
    }
}

/// Returns the stamp of a file; `None` if there is no file.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((metadata.len(), metadata.modified().ok()))
}
