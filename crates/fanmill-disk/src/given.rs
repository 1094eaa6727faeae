//! Paths that the user named: each is a file or a folder, or gives an error that says what is there instead.
//!
//! One rule serves every command and flag. A path that does not exist, or is not what is asked for, is an input error
//! ([`Error::is_input`]); one that exists and cannot be read is an I/O error. Pipes, sockets and devices are never
//! opened: they may have no writer, or no end. That includes `/dev/stdin` and a shell's `<(…)` where they are pipes,
//! since nearly every input is read more than once; commands that read a stream take it as `-`.
//!
//! Cost: one look at the disk for each path.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use fanmill_text::{Error, Result};

/// Looks at a file or a folder; `what` is its role in the run, such as `config file`, or empty.
///
/// # Errors
/// If there is nothing at `path`, or neither a file nor a folder, or it cannot be looked at.
pub fn look_at(what: &str, path: &Path) -> Result<Metadata> {
    let metadata = present(what, path)?;
    usual(what, path, special(&metadata))?;
    Ok(metadata)
}

/// Refuses a special file, whose `kind` is given; `None` means files and folders, which are accepted.
///
/// # Errors
/// If there is a kind.
pub fn usual(what: &str, path: &Path, kind: Option<&str>) -> Result<()> {
    let Some(kind) = kind else { return Ok(()) };
    Err(Error::input(format!(
        "{} is {kind}, and not a file or a folder; put what it gives into a file",
        named(what, path)
    )))
}

/// Opens a file without waiting; `what` is as for [`look_at`].
///
/// # Errors
/// As [`look_at`]; and if it is a folder, or cannot be opened.
pub fn open_file(what: &str, path: &Path) -> Result<File> {
    let metadata = look_at(what, path)?;
    if metadata.is_dir() {
        return Err(Error::input(format!("{} is a folder; name a file", named(what, path))));
    }
    open(path, &metadata).map_err(|error| Error::io("open", path, error))
}

/// Opens a regular file that was just looked at.
///
/// # Errors
/// If it cannot be opened, or was replaced since.
pub fn open(path: &Path, seen: &Metadata) -> io::Result<File> {
    let file = File::open(path)?;
    let opened = file.metadata()?;
    if opened.is_file() && same(&opened, seen) {
        return Ok(file);
    }
    Err(io::Error::other("it was replaced while it was being opened"))
}

#[cfg(unix)]
fn same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Returns what it is if it is neither a file, a folder nor a link: `a pipe`, `a socket` or `a device`.
#[cfg(unix)]
pub fn special(metadata: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_file() || kind.is_dir() || kind.is_symlink() {
        None
    } else if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

/// Returns what it is if it is neither a file, a folder nor a link.
#[cfg(not(unix))]
pub fn special(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    let is_usual = kind.is_file() || kind.is_dir() || kind.is_symlink();
    (!is_usual).then_some("a special file")
}

/// Looks at whatever is at `path`, including special files.
///
/// # Errors
/// If there is nothing, or it cannot be looked at.
fn present(what: &str, path: &Path) -> Result<Metadata> {
    fs::metadata(path).map_err(|error| absent(what, path, error))
}

/// Returns the error for a path that cannot be looked at.
pub fn absent(what: &str, path: &Path, error: io::Error) -> Error {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    match error.kind() {
        ErrorKind::PermissionDenied => Error::io("look at", path, error),
        _ if is_link => Error::input(format!(
            "{} is a symbolic link that leads nowhere, or in a circle",
            named(what, path)
        )),
        ErrorKind::NotFound if path.to_string_lossy().contains("://") => Error::input(format!(
            "{} is an address, not a path of this machine; fetch it, and name the copy",
            named(what, path)
        )),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => {
            Error::input(format!(
                "{} does not exist; check its spelling, and the folder you run from",
                named(what, path)
            ))
        }
        _ => Error::io("look at", path, error),
    }
}

/// Returns the names in a folder, ascending by their bytes.
///
/// # Errors
/// If it cannot be listed.
pub fn names_in(folder: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = entries.collect::<io::Result<Vec<OsString>>>()?;
    names.sort_unstable();
    Ok(names)
}

fn named(what: &str, path: &Path) -> String {
    let joint = if what.is_empty() { "" } else { " " };
    format!("{what}{joint}`{}`", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_the_users_to_mend() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.txt");
        fs::write(&file, "text").expect("written");
        let long = folder.path().join("x".repeat(300));
        for path in [folder.path().join("nope"), file.join("below"), long] {
            let error = look_at("config file", &path).expect_err("it is not there");
            assert!(error.is_input(), "{error}");
            let text = error.to_string();
            assert!(text.starts_with("config file `") && text.contains("does not exist"), "{text}");
        }
        assert!(look_at("", &file).is_ok() && open_file("", &file).is_ok());
        assert!(look_at("", folder.path()).is_ok());
        let error = open_file("", folder.path()).expect_err("a folder");
        assert!(error.is_input() && error.to_string().ends_with("is a folder; name a file"));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_devices_and_circles_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink(&circle, &circle).expect("a link");
        let cases = [
            (Path::new("/dev/null"), "is a device"),
            (Path::new("/dev/zero"), "is a device"),
            (&socket, "is a socket"),
            (&circle, "in a circle"),
        ];
        for (path, says) in cases {
            let error = open_file("", path).expect_err("no file");
            assert!(error.is_input() && error.to_string().contains(says), "{error}");
        }
    }
}
