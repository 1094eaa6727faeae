//! The file of a store: read as a whole, and written as a whole or not at all, by one process at a time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use fanmill::progress::Progress;
use fanmill::sift::key::{Key, KeyId};
use fanmill::sift::profile::Profile;
use fanmill::sift::records::Records;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::store::Store;
use fanmill::sift::store_file::{self, Failure};
use fanmill::{Error, Result, Setting};
use fanmill_source::given;
use fanmill_source::replace::{Access, Disk, Former, NewFile, folder_of};

/// Reads a store to check texts against.
///
/// # Errors
/// If it is not a store, is damaged, or has another key.
pub(super) fn read(path: &Path, key: &Key) -> Result<Store> {
    let file = open(path)?;
    store_file::read(file, key).map(Store::of).map_err(|failure| unread(path, failure))
}

/// Reads what can be read of a store without its key.
///
/// # Errors
/// If it is not a store, or is damaged.
pub fn read_without_key(path: &Path) -> Result<Records> {
    let file = open(path)?;
    store_file::read_without_key(file).map_err(|failure| unread(path, failure))
}

fn open(path: &Path) -> Result<File> {
    if is_absent(path) { Err(missing(path)) } else { given::open_file("store", path) }
}

fn unread(path: &Path, failure: Failure) -> Error {
    match failure {
        Failure::Io(error) => unreadable(path, error),
        Failure::Store(error) => error.within(format_args!("store `{}`", path.display())),
    }
}

/// The error for a store that does not exist, with advice.
pub(super) fn missing(path: &Path) -> Error {
    let path = path.display();
    Error::input(format!("store `{path}` does not exist; it is created when originals are added"))
}

fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn unreadable(path: &Path, error: io::Error) -> Error {
    Error::io("read the store", path, error)
}

/// What to do while another process is writing the store.
#[derive(Clone, Copy)]
pub(super) enum Patience<'a> {
    /// End with an error.
    None,
    /// Wait until it is done, or the job is cancelled.
    Wait(&'a dyn Progress),
}

impl<'a> Patience<'a> {
    /// Waits if the settings say so.
    pub(super) fn of(wait: bool, progress: &'a dyn Progress) -> Patience<'a> {
        if wait { Patience::Wait(progress) } else { Patience::None }
    }
}

/// Time between two attempts to lock a store.
const PAUSE: Duration = Duration::from_millis(50);

/// Opens the file of a store and locks it.
fn locked(path: &Path, patience: Patience<'_>) -> Result<File> {
    loop {
        let file = given::open_file("store", path)?;
        let is_taken = matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
        match patience {
            Patience::None if is_taken => {
                return Err(Error::input(format!(
                    "store `{}` is being written by another process; wait for it, or try again with {}",
                    path.display(),
                    Setting("wait")
                )));
            }
            Patience::Wait(progress) if is_taken => {
                progress.check()?;
                thread::sleep(PAUSE);
            }
            // The other process has put a new file in its place: lock and read that one.
            Patience::Wait(_) if !is_still(&file, path) => {}
            _ => return Ok(file),
        }
    }
}

/// A store that is to be changed.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) records: Records,
    path: PathBuf,
    /// The path of its file, if `path` is a link.
    target: PathBuf,
    /// The file that was read, locked; `None` for a new store.
    locked: Option<File>,
}

impl Library {
    /// Opens a store, or begins a new one in memory.
    ///
    /// `profile` is that of a new store; an existing one must have it.
    ///
    /// # Errors
    /// As [`read`]; or if another process is writing the store and `patience` does not wait for it, or it has another
    /// profile; or if the job is cancelled while it waits.
    pub(super) fn open(
        path: &Path,
        key: &Key,
        profile: Option<&Profile>,
        patience: Patience<'_>,
    ) -> Result<Library> {
        if is_absent(path) {
            let standard = Profile::standard();
            let records = Records::new(&Sifter::new(profile.unwrap_or(&standard), key));
            let (path, target) = (path.to_owned(), path.to_owned());
            return Ok(Library { records, path, target, locked: None });
        }
        let file = locked(path, patience)?;
        let records = store_file::read(&file, key).map_err(|failure| unread(path, failure))?;
        if let Some(wanted) = profile.filter(|&wanted| wanted != records.profile()) {
            return Err(Error::setting(format!(
                "store `{}` was made with profile `{}`, and {profile} is `{wanted}`; leave {profile} out, \
                 or begin another store",
                path.display(),
                records.profile(),
                profile = Setting("profile")
            )));
        }
        let target = fs::canonicalize(path).map_err(|error| unreadable(path, error))?;
        Ok(Library { records, path: path.to_owned(), target, locked: Some(file) })
    }

    /// Takes the store's documents out.
    pub(super) fn take_records(&mut self) -> Records {
        let empty = self.records.emptied();
        std::mem::replace(&mut self.records, empty)
    }

    /// The folder of its file.
    pub(super) fn folder(&self) -> &Path {
        folder_of(&self.target)
    }

    /// Whether there is no file yet.
    pub(super) fn is_new(&self) -> bool {
        self.locked.is_none()
    }

    /// Replaces the file by a store of these documents, each with its name and fingerprints. It keeps its permissions; a
    /// new file is private to its owner.
    ///
    /// # Errors
    /// If that fails, or another process has written a store there meanwhile, which then stays.
    pub(super) fn save<N: AsRef<str>>(
        &self,
        (profile, key): (&Profile, KeyId),
        documents: impl ExactSizeIterator<Item = io::Result<(N, Sifted)>>,
    ) -> Result<()> {
        let parent = self.folder();
        let name = Path::new(self.target.file_name().unwrap_or_default());
        let access = match &self.locked {
            Some(read) => {
                let metadata = read.metadata();
                let metadata = metadata.map_err(|error| Error::io("look at", &self.path, error))?;
                Access::Like(metadata.permissions())
            }
            None => Access::Private,
        };
        let mut file =
            NewFile::begin(&Disk::default(), parent, &name.display().to_string(), "sift")?;
        file.write(name, access, |out| store_file::write_each(profile, key, documents, out))?;
        if self.locked.as_ref().is_some_and(|read| !is_still(read, &self.target)) {
            return Err(self.overtaken());
        }
        let former = if self.locked.is_some() { Former::Replaced } else { Former::Absent };
        if !file.finish(former)? {
            return Err(self.overtaken());
        }
        Ok(())
    }

    fn overtaken(&self) -> Error {
        Error::input(format!(
            "store `{}` was changed by another process meanwhile, so nothing was written; run this again",
            self.path.display()
        ))
    }
}

/// Whether `path` is still the file that was read.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let ids = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (read, there) = (file.metadata().map(ids), fs::metadata(path).map(ids));
    read.is_ok_and(|read| there.is_ok_and(|there| read == there))
}

#[cfg(not(unix))]
fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}
