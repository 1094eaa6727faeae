//! Names that are one name where case, or the way an accent is written, does not count.
//!
//! macOS and Windows take `README` and `readme` for one file, macOS also an `é` in one or in two characters.
//! A corpus with both, written there, would lose a text; so this is said before anything is written.
//!
//! Cost: memory for the names in the folders on the way to one file.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::name::slashed;

/// Two paths that are one in some places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clash(pub(super) String, pub(super) String);

/// The names seen so far, by folder: as they are compared, and as they are.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_folder: BTreeMap<PathBuf, HashMap<String, OsString>>,
}

impl Names {
    /// Takes in a path and the folders that it is in; the clash with an earlier one.
    pub(super) fn add(&mut self, path: &Path) -> Option<Clash> {
        let mut folder = PathBuf::new();
        for part in path {
            let names = self.by_folder.entry(folder.clone()).or_default();
            let known = names.entry(folded(part)).or_insert_with(|| part.to_owned());
            if known != part {
                let other = folder.join(&*known);
                return Some(Clash(slashed(&other), slashed(&folder.join(part))));
            }
            folder.push(part);
        }
        None
    }

    /// The same for paths that come folder by folder: what lies beside the way to this one is forgotten.
    pub(super) fn add_in_order(&mut self, path: &Path) -> Option<Clash> {
        self.by_folder.retain(|folder, _| path.starts_with(folder));
        self.add(path)
    }
}

/// A name as the least careful system compares it.
fn folded(name: &OsStr) -> String {
    let text = slashed(Path::new(name));
    let upper = text.nfd().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clash(paths: &[&str]) -> Option<Clash> {
        let (mut all, mut in_order) = (Names::default(), Names::default());
        let found = paths.iter().find_map(|path| all.add(Path::new(path)));
        let same = paths.iter().find_map(|path| in_order.add_in_order(Path::new(path)));
        assert_eq!(found, same, "{paths:?}");
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
        let mut names = Names::default();
        for name in [&b"a\xff"[..], b"a\xfe"] {
            assert_eq!(names.add(Path::new(OsStr::from_bytes(name))), None);
        }
        assert!(names.add(Path::new(OsStr::from_bytes(b"A\xff"))).is_some());
    }
}
