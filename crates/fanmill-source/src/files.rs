//! Files that paths lead to: on disk, or held in memory.
//!
//! A page in a browser has the names and bytes of files, but no disk. Files in memory are a tree like one on disk, so
//! that a run over them finds the same submissions and says the same about them: folders are what paths lead through,
//! and there are no links and no special files.
//!
//! Cost: a system call on disk; O(log n) for n files in memory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use fanmill_disk::given::{self, special};
use fanmill_text::{Error, Result};

/// Source of the files that paths lead to.
#[derive(Debug, Clone, Default)]
pub enum Files {
    /// Files on disk.
    #[default]
    Disk,
    /// Files in memory.
    Held(Arc<MemoryFiles>),
}

/// Files in memory, by their paths.
#[derive(Default)]
pub struct MemoryFiles {
    nodes: BTreeMap<PathBuf, Node>,
}

/// An entry of the tree in memory.
enum Node {
    Folder,
    File(Bytes),
}

/// Bytes of a file, shared by everyone who has opened it.
#[derive(Clone)]
pub(super) struct Bytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Result of looking at a path.
#[derive(Debug)]
pub(super) enum FileStat {
    Disk(Metadata),
    Folder,
    File,
}

/// An open file, read from its beginning.
pub(super) enum OpenFile {
    Disk(File),
    Held(Cursor<Bytes>),
}

impl MemoryFiles {
    /// Adds a file, and the folders above it. `path` is relative, with `/` between its parts.
    ///
    /// # Errors
    /// If a part of the path is empty, `.` or `..`, the path is already taken, or it leads through a file.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> Result<()> {
        let parts: Option<Vec<&str>> =
            path.split('/').map(|part| is_name(part).then_some(part)).collect();
        let Some(path) = parts.map(|parts| parts.iter().collect::<PathBuf>()) else {
            return Err(Error::input(format!(
                "`{path}` is no path of a file below a folder; leave out its first `/`, and parts that are empty, `.` or `..`"
            )));
        };
        if self.nodes.contains_key(&path) {
            return Err(Error::input(format!(
                "`{}` is given twice; give it once, or under another name",
                path.display()
            )));
        }
        for above in path.ancestors().skip(1) {
            if let Node::File(_) = self.nodes.entry(above.to_owned()).or_insert(Node::Folder) {
                return Err(Error::input(format!(
                    "`{}` is a file, and `{}` is in it; give one of them under another name",
                    above.display(),
                    path.display()
                )));
            }
        }
        self.nodes.insert(path, Node::File(Bytes(Arc::new(bytes))));
        Ok(())
    }

    fn node(&self, path: &Path) -> io::Result<&Node> {
        self.nodes.get(path).ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Returns the names in a folder, ascending by their bytes.
    fn names_in(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        if !matches!(self.node(folder)?, Node::Folder) {
            return Err(ErrorKind::NotADirectory.into());
        }
        let below = self.nodes.range(folder.to_owned()..).skip(1).map(|(path, _)| path);
        let below = below.take_while(|path| path.starts_with(folder));
        let children = below.filter(|path| path.parent() == Some(folder));
        let mut names: Vec<OsString> =
            children.filter_map(|path| path.file_name()).map(ToOwned::to_owned).collect();
        names.sort_unstable();
        Ok(names)
    }
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.nodes.keys()).finish()
    }
}

impl Files {
    /// Returns a path without links and detours; absolute on disk.
    ///
    /// # Errors
    /// If it leads nowhere.
    pub fn real(&self, path: &Path) -> io::Result<PathBuf> {
        match self {
            Files::Disk => fs::canonicalize(path),
            Files::Held(held) => {
                let real = straight(path);
                held.node(&real).map(|_| real)
            }
        }
    }

    /// Returns whether a path leads to a folder.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.look(path).is_ok_and(|seen| seen.is_folder())
    }

    /// Looks at what a path leads to, through links.
    pub(super) fn look(&self, path: &Path) -> io::Result<FileStat> {
        match self {
            Files::Disk => fs::metadata(path).map(FileStat::Disk),
            Files::Held(held) => held.node(&straight(path)).map(FileStat::from_node),
        }
    }

    /// Looks at what is at a path; at the link itself, if it is one.
    pub(super) fn look_itself(&self, path: &Path) -> io::Result<FileStat> {
        match self {
            Files::Disk => fs::symlink_metadata(path).map(FileStat::Disk),
            Files::Held(_) => self.look(path),
        }
    }

    /// Looks at a path that the user named, as [`look`](Self::look) does.
    ///
    /// # Errors
    /// If there is nothing, or it cannot be looked at. The text is for the user.
    pub(super) fn present(&self, path: &Path) -> Result<FileStat> {
        self.look(path).map_err(|error| given::absent("", path, error))
    }

    /// Opens a file that was just looked at.
    pub(super) fn open(&self, path: &Path, seen: &FileStat) -> io::Result<OpenFile> {
        match (self, seen) {
            (Files::Disk, FileStat::Disk(metadata)) => {
                given::open(path, metadata).map(OpenFile::Disk)
            }
            (Files::Held(held), _) => match held.node(&straight(path))? {
                Node::File(bytes) => Ok(OpenFile::Held(Cursor::new(bytes.clone()))),
                Node::Folder => Err(ErrorKind::IsADirectory.into()),
            },
            (Files::Disk, _) => Err(ErrorKind::NotFound.into()),
        }
    }

    /// Returns the names in a folder, ascending by their bytes.
    pub(super) fn names_in(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        match self {
            Files::Disk => given::names_in(folder),
            Files::Held(held) => held.names_in(&straight(folder)),
        }
    }
}

impl FileStat {
    fn from_node(node: &Node) -> FileStat {
        match node {
            Node::Folder => FileStat::Folder,
            Node::File(_) => FileStat::File,
        }
    }

    pub(super) fn is_folder(&self) -> bool {
        match self {
            FileStat::Disk(metadata) => metadata.is_dir(),
            FileStat::Folder => true,
            FileStat::File => false,
        }
    }

    pub(super) fn is_file(&self) -> bool {
        match self {
            FileStat::Disk(metadata) => metadata.is_file(),
            FileStat::Folder => false,
            FileStat::File => true,
        }
    }

    pub(super) fn is_link(&self) -> bool {
        matches!(self, FileStat::Disk(metadata) if metadata.is_symlink())
    }

    /// Returns the length in bytes of a file on disk; `None` for one in memory.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            FileStat::Disk(metadata) => Some(metadata.len()),
            FileStat::Folder | FileStat::File => None,
        }
    }

    /// Returns what it is if it is neither a file, a folder nor a link: `a pipe`, `a socket` or `a device`.
    pub(super) fn special(&self) -> Option<&'static str> {
        match self {
            FileStat::Disk(metadata) => special(metadata),
            FileStat::Folder | FileStat::File => None,
        }
    }
}

impl OpenFile {
    /// Makes an open file from bytes in memory.
    pub(super) fn held(bytes: Vec<u8>) -> OpenFile {
        OpenFile::Held(Cursor::new(Bytes(Arc::new(bytes))))
    }

    /// Returns its length in bytes, if that is known.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            OpenFile::Disk(file) => file.metadata().ok().map(|metadata| metadata.len()),
            OpenFile::Held(bytes) => Some(bytes.get_ref().0.len() as u64),
        }
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            OpenFile::Disk(file) => file.read(buffer),
            OpenFile::Held(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for OpenFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            OpenFile::Disk(file) => file.seek(place),
            OpenFile::Held(bytes) => bytes.seek(place),
        }
    }
}

/// Returns whether a part of a path is a plain name, not empty, `.`, `..` or a root.
fn is_name(part: &str) -> bool {
    let mut components = Path::new(part).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(name)), None) if name == part)
}

/// Returns a path in memory without `.` and `..`.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => straight.push(name),
            Component::ParentDir => {
                straight.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    straight
}
