//! A store in its file: read whole, written whole or not at all, by one process at a time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use fanmill::sift::key::{Key, KeyId};
use fanmill::sift::profile::Profile;
use fanmill::sift::records::Records;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::store::Store;
use fanmill::sift::store_file::{self, Failure};
use fanmill::{Error, Result, Setting};
use fanmill_source::given;
use fanmill_source::replace::{Access, Disk, Former, NewFile, folder_of};

/// Reads a store that is to be asked.
///
/// # Errors
/// If it is none, damaged, or of another key.
pub(super) fn read(path: &Path, key: &Key) -> Result<Store> {
    let file = open(path)?;
    store_file::read(file, key).map(Store::of).map_err(|failure| unread(path, failure))
}

/// Reads what a store tells without its key.
///
/// # Errors
/// If it is none, or damaged.
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

/// The error of a store that is not there, with its way out.
pub(super) fn missing(path: &Path) -> Error {
    let path = path.display();
    Error::input(format!("store `{path}` does not exist; it is made when originals are added"))
}

fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn unreadable(path: &Path, error: io::Error) -> Error {
    Error::io("read the store", path, error)
}

/// A store that is to be written again.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) records: Records,
    path: PathBuf,
    /// Where its file is, if `path` is a link.
    target: PathBuf,
    /// The file that was read, locked; `None` for a new one.
    locked: Option<File>,
}

impl Library {
    /// Opens a store, or makes a new one in memory.
    ///
    /// `profile` is for a new one; one that is there must have it.
    ///
    /// # Errors
    /// As [`read`]; or if another process is writing the store, or it has another profile.
    pub(super) fn open(path: &Path, key: &Key, profile: Option<&Profile>) -> Result<Library> {
        if is_absent(path) {
            let standard = Profile::standard();
            let records = Records::new(&Sifter::new(profile.unwrap_or(&standard), key));
            let (path, target) = (path.to_owned(), path.to_owned());
            return Ok(Library { records, path, target, locked: None });
        }
        let file = given::open_file("store", path)?;
        if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(Error::input(format!(
                "store `{}` is being written by another process; wait for it",
                path.display()
            )));
        }
        let records = store_file::read(&file, key).map_err(|failure| unread(path, failure))?;
        if let Some(wanted) = profile.filter(|&wanted| wanted != records.profile()) {
            return Err(Error::setting(format!(
                "store `{}` was made with profile `{}`, and {profile} says `{wanted}`; leave {profile} \
                 out, or begin another store",
                path.display(),
                records.profile(),
                profile = Setting("profile")
            )));
        }
        let target = fs::canonicalize(path).map_err(|error| unreadable(path, error))?;
        Ok(Library { records, path: path.to_owned(), target, locked: Some(file) })
    }

    /// The store's documents, which are then no longer here.
    pub(super) fn take_records(&mut self) -> Records {
        let empty = self.records.emptied();
        std::mem::replace(&mut self.records, empty)
    }

    /// The folder that its file is in.
    pub(super) fn folder(&self) -> &Path {
        folder_of(&self.target)
    }

    /// Whether there is a file already.
    pub(super) fn is_new(&self) -> bool {
        self.locked.is_none()
    }

    /// Writes a store of these documents, each with its name and fingerprints, in place of the file that was read, for whom
    /// that was for; a new one is private to its owner.
    ///
    /// # Errors
    /// If that cannot be done, or another process has put another store there; what is there then stays.
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
            "store `{}` was written by another process meanwhile, and nothing was added; run this again",
            self.path.display()
        ))
    }
}

/// Whether what lies at `path` is still the file that was read.
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
