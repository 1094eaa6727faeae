//! Key files: made so that nobody else can read them, and refused if somebody can.
//!
//! A key is read into memory that is wiped, and no process that has read one leaves a core dump.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use fanmill::Error;
use fanmill::sift::key::{KEY_BYTES, Key};
use fanmill_source::given;
use zeroize::Zeroizing;

use crate::results;

/// More than a key file has.
const MOST_BYTES: u64 = 1024;

/// Reads a key that nobody but its owner can read.
///
/// # Errors
/// If others can read or write the file, somebody else owns it, or it is no key file. No error says
/// what was in it.
pub(crate) fn read(path: &Path) -> anyhow::Result<Key> {
    without_core_dumps();
    let file = given::open_file("key file", path)?;
    check(&file, path)?;
    // With room for all of it, so that no copy is left behind by growing.
    let mut text = Zeroizing::new(Vec::with_capacity(MOST_BYTES as usize + 1));
    let read = file.take(MOST_BYTES).read_to_end(&mut text);
    read.map_err(|error| Error::io("read the key file", path, error))?;
    Key::from_file(&text).with_context(|| format!("key file `{}`", path.display()))
}

/// Makes a key of the operating system's random numbers.
///
/// # Errors
/// If there are none.
pub(crate) fn make() -> anyhow::Result<Key> {
    without_core_dumps();
    let mut entropy = Zeroizing::new([0; KEY_BYTES]);
    getrandom::fill(&mut *entropy).map_err(|error| {
        let error = io::Error::other(error.to_string());
        anyhow::Error::new(error).context("the operating system gave no random numbers")
    })?;
    Ok(Key::new(*entropy)?)
}

/// Writes a key to a new file, or to standard output if that is a file or a program.
///
/// # Errors
/// If the file is there already or has something in it, or standard output is a screen.
pub(crate) fn write(key: &Key, output: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = output else { return write_to_stdout(key) };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::setting(format!(
            "`{}` is there already, and a key that is overwritten is lost; name a new file",
            path.display()
        )),
        _ => Error::io("make the key file", path, error),
    })?;
    let written = file.write_all(key.to_file().as_bytes()).and_then(|()| file.sync_all());
    Ok(written.map_err(|error| {
        // Half a key would be in the way of the next run; the file has just been made here.
        let _ = std::fs::remove_file(path);
        Error::io("write the key file", path, error)
    })?)
}

/// What a shell has opened is made private before anything is in it.
fn write_to_stdout(key: &Key) -> anyhow::Result<()> {
    let out = results::stdout();
    if out.is_terminal() {
        bail!(Error::setting(
            "a key is not for a screen to show; write it to a file: fanmill sift keygen > secret.key"
        ));
    }
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::PermissionsExt;
        let file = File::from(out.as_fd().try_clone_to_owned()?);
        let metadata = file.metadata()?;
        if metadata.is_file() {
            if metadata.len() > 0 {
                bail!(Error::setting(
                    "standard output is a file that has something in it; write the key to a new file"
                ));
            }
            let private = std::fs::Permissions::from_mode(0o600);
            file.set_permissions(private).context("could not make the key file private")?;
        }
    }
    results::stream(|out| Ok(out.write_all(key.to_file().as_bytes())?))
}

/// Refuses a file that somebody else could have read or written.
#[cfg(unix)]
fn check(file: &File, path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let metadata = file.metadata().map_err(|error| Error::io("look at", path, error))?;
    let owner = nix::unistd::geteuid();
    if metadata.uid() != owner.as_raw() {
        bail!(Error::input(format!(
            "key file `{}` belongs to user {}, and you are {owner}; use a key of your own, since who owns a \
             file can read it",
            path.display(),
            metadata.uid()
        )));
    }
    if metadata.mode() & 0o077 != 0 {
        bail!(Error::input(format!(
            "key file `{path}` can be read or written by others (mode {:04o}); make it private with \
             `chmod 600 {path}`, and make a new key if somebody may have read it",
            metadata.mode() & 0o7777,
            path = path.display()
        )));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check(_: &File, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// A core dump has the key in it. That none is made cannot be refused to a process.
fn without_core_dumps() {
    #[cfg(unix)]
    let _ = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0);
}
