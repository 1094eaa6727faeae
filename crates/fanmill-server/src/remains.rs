//! A search of the data folder for the names of a person who was erased.
//!
//! Every file is read, as it lies on the disk, and its name and folder, too: the database, archives with the names of
//! their entries, instructions and reports. What is packed in archives is not unpacked here; uploads that were written
//! anew are looked through by the errand that wrote them.
//!
//! A child process does this, since a process that opens the database's file and closes it loses its own locks of it
//! (as POSIX has it): another process could then remove the log that the server writes to.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, FileType};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};

/// Minimum length of a name that is searched for, in bytes: a shorter one occurs in packed files by chance.
pub(crate) const LEAST: usize = 4;

/// The folder in which a file system that has a disk of its own keeps what it has found. Mostly, only root may read it.
const OF_FILE_SYSTEM: &str = "lost+found";

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;

/// The outcome of a search.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Remains {
    /// Number of files that were read.
    pub(crate) n_files: usize,
    /// The batches and other parts of the data folder in which a name occurs.
    pub(crate) parts: BTreeSet<PathBuf>,
    /// The parts that cannot be read whole.
    pub(crate) unread: BTreeSet<PathBuf>,
    /// Number of names that are too short to be searched for.
    pub(crate) n_short: usize,
}

impl Remains {
    /// Returns whether all names were searched for everywhere, and none was found.
    pub(crate) fn is_clean(&self) -> bool {
        self.parts.is_empty() && self.unread.is_empty() && self.n_short == 0
    }
}

/// Prepares a child process that searches a data folder. It reads names from its standard input, as JSON.
pub(crate) fn command(program: &Path, data: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["__job", SEARCH]).arg(data).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Reads what a child has found.
///
/// # Errors
/// If it failed.
pub(crate) fn outcome(output: &[u8]) -> io::Result<Remains> {
    Ok(serde_json::from_slice(output)?)
}

/// Searches a data folder in a child process, and waits for it.
pub(crate) fn by_child(program: &Path, data: &Path, names: &[String]) -> io::Result<Remains> {
    let mut child = command(program, data).spawn()?;
    // It reads them to the end before it writes anything.
    child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?.write_all(&serde_json::to_vec(names)?)?;
    outcome(&child.wait_with_output()?.stdout)
}

/// The argument of the program that has it search a data folder.
pub const SEARCH: &str = "search";

/// Searches a data folder for the names on `input`, as the child of a server, and writes the outcome to `out`.
///
/// # Errors
/// If the names cannot be read, or the outcome cannot be written.
pub fn search_disk(data: &Path, mut input: impl Read, mut out: impl Write) -> io::Result<()> {
    let mut names = Vec::new();
    input.read_to_end(&mut names)?;
    let remains = search(data, &serde_json::from_slice::<Vec<String>>(&names)?);
    serde_json::to_writer(&mut out, &remains)?;
    out.flush()
}

/// Searches all files of a data folder for names. They are found where no letter or digit is next to them. Links are
/// not followed, and files that are removed meanwhile are passed over, as is the folder that a file system keeps for
/// itself if it cannot be read.
fn search(data: &Path, names: &[String]) -> Remains {
    let (long, short): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| name.len() >= LEAST);
    let finders: Vec<Finder> = long.iter().map(|name| Finder::new(name.as_bytes())).collect();
    let mut remains = Remains { n_short: short.len(), ..Remains::default() };
    let mut folders = vec![data.to_owned()];
    while let Some(folder) = folders.pop() {
        let within = |path: &Path| part_of(path.strip_prefix(data).unwrap_or(path));
        let Ok(entries) = there(fs::read_dir(&folder)) else {
            if folder != data.join(OF_FILE_SYSTEM) {
                remains.unread.insert(within(&folder));
            }
            continue;
        };
        for entry in entries.into_iter().flatten() {
            let Ok(entry) = entry else {
                remains.unread.insert(within(&folder));
                continue;
            };
            let path = entry.path();
            match look(&entry, &finders) {
                Ok(None) => {}
                Ok(Some((kind, is_named))) => {
                    remains.n_files += usize::from(kind.is_file());
                    if is_named {
                        remains.parts.insert(within(&path));
                    }
                    if kind.is_dir() {
                        folders.push(path);
                    }
                }
                Err(_) => drop(remains.unread.insert(within(&path))),
            }
        }
    }
    remains
}

/// Looks at an entry of a folder; returns its kind, and whether a name is in its own name or in the file. `None` if it is
/// not there any more.
fn look(entry: &DirEntry, finders: &[Finder]) -> io::Result<Option<(FileType, bool)>> {
    let Some(kind) = there(entry.file_type())? else { return Ok(None) };
    let is_named = is_in(entry.file_name().as_encoded_bytes(), finders)
        || (kind.is_file() && is_in_file(&entry.path(), finders)?);
    Ok(Some((kind, is_named)))
}

/// Returns the result of reading; `None` if the file is not there any more.
fn there<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Returns the part of a data folder that a path belongs to: a batch, or what lies beside the batches. Longer paths
/// could have the name in them.
fn part_of(path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() {
        return PathBuf::from(".");
    }
    let n = if path.starts_with("batches") { 2 } else { 1 };
    path.iter().take(n).collect::<Vec<&OsStr>>().into_iter().collect()
}

fn is_in_file(path: &Path, finders: &[Finder]) -> io::Result<bool> {
    let Some(mut file) = there(File::open(path))? else { return Ok(false) };
    // The end of each piece is kept, with the byte before a name and the byte after it.
    let n_kept = finders.iter().map(|finder| finder.needle().len() + 1).max().unwrap_or(0);
    let mut piece = Vec::with_capacity(PIECE + n_kept);
    loop {
        let n_before = piece.len();
        let n_read = Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
        if is_in(&piece, finders) {
            return Ok(true);
        }
        if n_read == 0 {
            return Ok(false);
        }
        debug_assert!(n_before <= n_kept, "only the end of a piece is kept");
        piece.drain(..piece.len().saturating_sub(n_kept));
    }
}

fn is_in(bytes: &[u8], finders: &[Finder]) -> bool {
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    finders.iter().any(|finder| {
        let n = finder.needle().len();
        finder.find_iter(bytes).any(|at| {
            let is_begun = at > 0 && is_letter(at - 1);
            !is_begun && !is_letter(at + n)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, content: &[u8]) -> Vec<String> {
        let data = tempfile::tempdir().expect("folder");
        let batch = data.path().join("batches/b1");
        fs::create_dir_all(&batch).expect("made");
        fs::write(batch.join(name), content).expect("written");
        let remains = search(data.path(), &["Lindqvist Ada".to_owned()]);
        assert_eq!(remains.n_files, 1);
        remains.parts.iter().map(|part| part.display().to_string()).collect()
    }

    #[test]
    fn a_name_is_found_in_names_and_at_any_place_of_a_file() {
        let place = [Path::new("batches").join("b1").display().to_string()];
        assert_eq!(found("Lindqvist Ada_12_file.txt", b""), place);
        for before in [0, 1, PIECE - 14, PIECE - 13, PIECE - 7, PIECE - 1, PIECE, PIECE + 5] {
            let content = [&vec![b'.'; before][..], b"Lindqvist Ada", &[b'.'; 20]].concat();
            assert_eq!(found("a.zip", &content), place, "after {before} bytes");
        }
    }

    #[test]
    fn longer_words_are_no_names() {
        for content in ["Lindqvist Adam", "vLindqvist Ada", "Lindqvist", ""] {
            assert!(found("a.txt", content.as_bytes()).is_empty(), "{content}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_cannot_be_searched_is_named_and_not_counted() {
        let data = tempfile::tempdir().expect("folder");
        let batch = data.path().join("batches/b1");
        fs::create_dir_all(&batch).expect("made");
        fs::create_dir(data.path().join(OF_FILE_SYSTEM)).expect("made");
        fs::write(data.path().join(OF_FILE_SYSTEM).join("#12"), "Lindqvist Ada").expect("written");
        // A socket and a link have a name and no bytes.
        let _listener = std::os::unix::net::UnixListener::bind(batch.join("Lindqvist Ada"));
        std::os::unix::fs::symlink("/nowhere", batch.join("link")).expect("made");
        let part = |name: &str| Path::new(name).to_owned();
        let remains = search(data.path(), &["Lindqvist Ada".to_owned()]);
        assert_eq!(remains.parts, BTreeSet::from([part("batches/b1"), part(OF_FILE_SYSTEM)]));
        assert_eq!((remains.n_files, remains.unread.len(), remains.is_clean()), (1, 0, false));
        let short = search(data.path(), &["Ada".to_owned()]);
        assert!(short.parts.is_empty() && !short.is_clean(), "{short:?}");
        // A file is no folder, which nobody can read as one.
        let unread = search(&data.path().join(OF_FILE_SYSTEM).join("#12"), &[]);
        assert_eq!(
            (unread.unread.clone(), unread.is_clean()),
            (BTreeSet::from([part(".")]), false)
        );
    }
}
