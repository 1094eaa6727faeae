//! Clashes of names that count as one where case, or the way an accent is written, does not matter.
//!
//! macOS and Windows take `README` and `readme` for one file; macOS also takes `é` in one and in two characters for the
//! same. A corpus with both, written there, would lose a text, so this is reported before anything is written.
//!
//! Cost: 16 bytes of memory for each name in the folders above one file. If a name clashes, the other one is searched
//! for.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::name::slashed;

/// Two paths that are one path on some systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clash(pub(super) String, pub(super) String);

/// Returns the first clash among some paths.
pub(super) fn among<'a>(paths: &(impl Iterator<Item = &'a Path> + Clone)) -> Option<Clash> {
    let mut names = Names::default();
    paths.clone().find_map(|path| {
        let suspect = names.add(path)?;
        let inside = paths.clone().filter_map(|path| path.strip_prefix(&suspect.folder).ok());
        suspect.clash(inside.filter_map(|path| path.iter().next().map(OsStr::to_owned)))
    })
}

/// The names seen so far, by folder: hashes of their folded form, and of the names as they are.
#[derive(Debug, Default)]
pub(super) struct Names {
    hasher: RandomState,
    by_folder: BTreeMap<PathBuf, HashMap<u64, u64>>,
}

/// A name in a folder whose folded form has the hash of another one's.
#[derive(Debug)]
struct Suspect {
    folder: PathBuf,
    name: OsString,
}

impl Names {
    /// Adds a path below `root`; returns its clash with an earlier one. Paths must come folder by folder: what lies
    /// beside the way to this one is forgotten.
    pub(super) fn add_below(&mut self, root: &Path, path: &Path) -> Option<Clash> {
        self.by_folder.retain(|folder, _| path.starts_with(folder));
        let suspect = self.add(path)?;
        let entries = fs::read_dir(root.join(&suspect.folder)).ok()?;
        suspect.clash(entries.flatten().map(|entry| entry.file_name()))
    }

    /// Adds a path and the folders above it; returns the first name that may clash.
    fn add(&mut self, path: &Path) -> Option<Suspect> {
        let mut folder = PathBuf::new();
        for part in path {
            let names = self.by_folder.entry(folder.clone()).or_default();
            let own = self.hasher.hash_one(part);
            if *names.entry(self.hasher.hash_one(folded(part))).or_insert(own) != own {
                return Some(Suspect { folder, name: part.to_owned() });
            }
            folder.push(part);
        }
        None
    }
}

impl Suspect {
    /// Returns the clash with one of the names in its folder, unless only the hashes are equal.
    fn clash(&self, mut others: impl Iterator<Item = OsString>) -> Option<Clash> {
        let own = folded(&self.name);
        let other = others.find(|other| *other != self.name && folded(other) == own)?;
        let shown = |name: &OsStr| slashed(&self.folder.join(name));
        Some(Clash(shown(&other), shown(&self.name)))
    }
}

/// Returns a name as the least careful system compares it.
pub fn folded(name: &OsStr) -> String {
    let text = slashed(Path::new(name));
    let upper = text.nfd().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the clash of paths in their order, which must also be that of files of these names in a folder.
    fn clash(paths: &[&str]) -> Option<Clash> {
        let found = among(&paths.iter().map(Path::new));
        let root = tempfile::tempdir().expect("a folder");
        for path in paths {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, "").expect("written");
        }
        let mut names = Names::default();
        let below = paths.iter().find_map(|path| names.add_below(root.path(), Path::new(path)));
        assert_eq!(found, below, "{paths:?}");
        found
    }

    #[test]
    fn names_are_compared_without_case_and_form() {
        for (first, second) in [
            ("README", "readme"),
            ("a/Straße", "a/STRASSE"),
            ("é.txt", "e\u{301}.txt"),
            ("É.txt", "e\u{301}.txt"),
            ("ſ", "S"),
        ] {
            let between = format!("{}x", &first[..first.rfind('/').map_or(0, |slash| slash + 1)]);
            let found = clash(&[first, &between, second]);
            assert_eq!(found, Some(Clash(first.into(), second.into())));
        }
        assert_eq!(clash(&["A/x", "a/y"]), Some(Clash("A".into(), "a".into())));
        for paths in [["a/x", "a/y", "b/x"], ["a", "á", "ä"], ["a.txt", "a.TXT.gz", "b"]] {
            assert_eq!(clash(&paths), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_are_compared_by_their_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let names = [&b"a\xff"[..], b"a\xfe", b"A\xff"];
        let paths = names.map(|name| Path::new(OsStr::from_bytes(name)));
        assert_eq!(among(&paths[..2].iter().copied()), None);
        assert!(among(&paths.iter().copied()).is_some());
    }
}
