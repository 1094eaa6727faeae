//! Names of files and shards in the output: as the disk has them, and as people read them.
//!
//! A name on a disk need not be text. The name that is written keeps its bytes, so that two names which differ only in
//! bytes that are not UTF-8 stay two files; the name that is shown says which bytes these are.
//!
//! | on the disk | shown |
//! |---|---|
//! | `a/é.txt` | `a/é.txt` |
//! | `a`, byte FF, `.txt` | `a\xff.txt` |

use std::path::{Component, Path, PathBuf};

use fanmill_text::readable::readable;

/// A relative path without `.` and `..`, and its form for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    path: PathBuf,
    shown: String,
}

impl Name {
    pub(super) fn new(path: PathBuf) -> Name {
        let shown = slashed(&path);
        Name { path, shown }
    }

    /// Returns its path in the output.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns it as text with slashes, the same on every platform.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }
}

/// Returns a path as text with slashes, without its root.
pub(super) fn slashed(path: &Path) -> String {
    let mut shown = String::new();
    for part in path.components().filter(|part| !matches!(part, Component::RootDir)) {
        if !shown.is_empty() {
            shown.push('/');
        }
        shown.push_str(&readable(part.as_os_str()));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_as_it_is() {
        let name = Name::new(PathBuf::from("a/né/c.txt"));
        assert_eq!((name.shown(), name.path()), ("a/né/c.txt", Path::new("a/né/c.txt")));
        assert_eq!(slashed(Path::new("./a//b/")), "./a/b");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_kept_and_told_apart() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &[u8]| Name::new(PathBuf::from(OsStr::from_bytes(bytes)));
        let (first, second) = (name(b"d\xc3/a\xff.txt"), name(b"d\xc3/a\xfe.txt"));
        assert_eq!((first.shown(), second.shown()), (r"d\xc3/a\xff.txt", r"d\xc3/a\xfe.txt"));
        assert_eq!(first.path().as_os_str().as_bytes(), b"d\xc3/a\xff.txt");
    }
}
