//! Key files: created so that only their owner can read them, and refused if others can.
//!
//! A key is read into memory that is wiped afterwards, and core dumps are disabled before.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use fanmill_disk::given;
use fanmill_sift::key::{KEY_BYTES, Key};
use fanmill_text::{Error, Result};
use zeroize::Zeroizing;

/// Maximum size of a key file in bytes.
const MOST_BYTES: u64 = 1024;

/// Reads a key file that only its owner can read.
///
/// # Errors
/// If others can read or write the file, someone else owns it, or it is not a key file. Errors do not reveal
/// its content.
pub fn read(path: &Path) -> Result<Key> {
    without_core_dumps();
    let file = given::open_file("key file", path)?;
    check(&file, path)?;
    // The capacity is enough for all of it, so that growing leaves no copy behind.
    let mut text = Zeroizing::new(Vec::with_capacity(MOST_BYTES as usize + 1));
    let read = file.take(MOST_BYTES).read_to_end(&mut text);
    read.map_err(|error| Error::io("read the key file", path, error))?;
    Key::from_file(&text)
        .map_err(|error| error.within(format_args!("key file `{}`", path.display())))
}

/// Makes a key from the operating system's random numbers.
///
/// # Errors
/// If the system has none.
pub fn make() -> Result<Key> {
    without_core_dumps();
    let mut entropy = Zeroizing::new([0; KEY_BYTES]);
    getrandom::fill(&mut *entropy).map_err(|error| {
        let error = io::Error::other(error.to_string());
        Error::system("the operating system gave no random numbers", error)
    })?;
    Key::new(*entropy)
}

/// Writes a key to a new file that only its owner can read.
///
/// # Errors
/// If the file exists already, or cannot be written.
pub fn write(key: &Key, path: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::setting(format!(
            "`{}` exists already, and an overwritten key would be lost; name a new file",
            path.display()
        )),
        _ => Error::io("make the key file", path, error),
    })?;
    let written = file.write_all(key.to_file().as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // Half a key would be in the way of the next run; this file is ours, since it was just created.
        let _ = std::fs::remove_file(path);
        Error::io("write the key file", path, error)
    })
}

/// Refuses a file that others could have read or written.
#[cfg(unix)]
fn check(file: &File, path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let metadata = file.metadata().map_err(|error| Error::io("look at", path, error))?;
    let owner = nix::unistd::geteuid();
    if metadata.uid() != owner.as_raw() {
        return Err(Error::input(format!(
            "key file `{}` belongs to user {}, and you are {owner}; use a key of your own, since the owner of \
             a file can read it",
            path.display(),
            metadata.uid()
        )));
    }
    if metadata.mode() & 0o077 != 0 {
        return Err(Error::input(format!(
            "key file `{path}` can be read or written by others (mode {:04o}); make it private with \
             `chmod 600 {path}`, and make a new key if anyone may have read it",
            metadata.mode() & 0o7777,
            path = path.display()
        )));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check(_: &File, _: &Path) -> Result<()> {
    Ok(())
}

/// Disables core dumps, which would contain the key. A process may always lower its own limit, so this cannot fail.
fn without_core_dumps() {
    #[cfg(unix)]
    let _ = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0);
}
