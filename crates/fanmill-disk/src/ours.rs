//! Folders that Fanmill itself keeps or has written, recognised even where one of their files is damaged or missing.
//!
//! Read as texts, an index would be a folder of strange documents that resemble nothing, and nobody would hear of the
//! damage. So a folder counts as ours by any of its files: by the name, and by the first bytes.
//!
//! Cost: a list of the folder, and the first bytes of the few files in it with such names.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};

use crate::given::names_in;

/// A kind of folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ours {
    /// An index of fingerprints and texts.
    Index,
    /// A store of sifted originals.
    Store,
    /// The work of a run that has not ended.
    Work,
    /// The tables and the summary that lie beside the corpus that a run has written.
    Bookkeeping,
}

/// The end of the name of a folder of bookkeeping.
const BESIDE: &str = ".fanmill";
/// Names of the files that a run has written about a corpus. Up to version 0.1 they were among the shards.
const TABLES: [&str; 5] =
    ["summary.json", "removed.parquet", "clusters.parquet", "pairs.parquet", "items.parquet"];
/// The beginning of a summary of such a run.
const SUMMARY: &[u8] = b"{\n  \"kind\": \"fanmill dedup";
/// Everything else that a run writes beside a corpus.
const OTHER_TABLES: [&str; 3] = ["failed.parquet", "runs.parquet", "failed"];
/// The first bytes of a file of Parquet.
const PARQUET: &[u8] = b"PAR1";

/// The first bytes of a file whose name begins and ends so, in a folder of a kind. The first file of each kind is
/// its head, without which the rest cannot be read.
const MARKS: [(Ours, &str, &str, &[u8]); 14] = [
    (Ours::Index, "CURRENT", "", b"MANIFEST-"),
    (Ours::Index, "MANIFEST-", "", br#"{"format":"fanmill index""#),
    (Ours::Index, "seg-", ".fps", b"fanmill segment "),
    (Ours::Index, "seg-", ".txt", b"fanmill texts "),
    (Ours::Store, "CURRENT", "", b"fanmsift MANIFEST-"),
    (Ours::Store, "MANIFEST-", "", b"fanmsift "),
    (Ours::Store, "seg-", ".sift", b"fanmsift segment "),
    (Ours::Work, "owner", "", b"fanmill work in progress"),
    (Ours::Work, "log", "", b"fanmill dedup, log format "),
    (Ours::Bookkeeping, "summary.json", "", SUMMARY),
    (Ours::Bookkeeping, "clusters.parquet", "", PARQUET),
    (Ours::Bookkeeping, "removed.parquet", "", PARQUET),
    (Ours::Bookkeeping, "runs.parquet", "", PARQUET),
    (Ours::Bookkeeping, "failed.parquet", "", PARQUET),
];

impl Ours {
    /// All kinds, in the order in which a folder with files of several is judged.
    const ALL: [Ours; 4] = [Ours::Index, Ours::Store, Ours::Work, Ours::Bookkeeping];

    /// Returns the path of the tables about a corpus at `output`: its name and `.fanmill`; `None` if it ends without a name.
    pub fn beside(output: &Path) -> Option<PathBuf> {
        let mut name = output.file_name()?.to_owned();
        name.push(BESIDE);
        Some(output.with_file_name(name))
    }

    /// Returns whether a name is that of tables about a corpus.
    pub fn is_beside(name: &OsStr) -> bool {
        name.as_encoded_bytes().ends_with(BESIDE.as_bytes())
    }

    /// Returns the words for it.
    pub fn what(self) -> &'static str {
        match self {
            Ours::Index => "an index of Fanmill",
            Ours::Store => "a store of Fanmill for sifting",
            Ours::Work => "work in progress of Fanmill",
            Ours::Bookkeeping => "tables of Fanmill about a corpus",
        }
    }

    /// Returns the kind of a folder; `None` if it is not ours.
    pub fn from_folder(folder: &Path) -> Option<Ours> {
        judged(&marks(folder)).map(|(kind, _)| kind)
    }

    /// Returns whether a folder has any file that only this kind has.
    pub fn is_at(self, folder: &Path) -> bool {
        marks(folder).iter().any(|(kind, _)| *kind == self)
    }

    /// Returns the error for a folder that has files of this kind, and not the one that these are found by; `None` if it
    /// has no file of this kind.
    pub fn headless(self, folder: &Path) -> Option<Error> {
        self.is_at(folder).then(|| self.without_head(folder))
    }

    fn without_head(self, folder: &Path) -> Error {
        Error::input(format!(
            "`{}` is {self} and damaged: the file that its reading begins with is missing or has other contents; \
             restore the folder from a copy, or leave it out",
            folder.display()
        ))
    }

    /// Returns the kind of a folder whose `CURRENT` begins so.
    #[cfg(feature = "segments")]
    pub(crate) fn by_current(current: &[u8]) -> Option<Ours> {
        let heads = MARKS.iter().filter(|(_, start, ..)| *start == "CURRENT");
        heads.filter(|(.., bytes)| current.starts_with(bytes)).map(|(kind, ..)| *kind).next()
    }

    /// Returns the kind of a folder that was given as texts; `None` if it is not ours.
    ///
    /// # Errors
    /// If the file is damaged or missing without which the others cannot be read: the user may not know.
    pub fn among_texts(folder: &Path) -> Result<Option<Ours>> {
        match judged(&marks(folder)) {
            Some((kind, false)) => Err(kind.without_head(folder)),
            found => Ok(found.map(|(kind, _)| kind)),
        }
    }
}

/// Returns the kind of a folder with these marks, and whether it has the head of that kind.
fn judged(marks: &[(Ours, bool)]) -> Option<(Ours, bool)> {
    let has = |kind: Ours| marks.iter().any(|(own, _)| *own == kind);
    let kind = Ours::ALL.into_iter().find(|&kind| has(kind))?;
    Some((kind, marks.contains(&(kind, true))))
}

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what())
    }
}

/// Returns whether bytes are those of a `CURRENT` of an index, as it may be in an archive.
pub fn names_manifest(bytes: &[u8]) -> bool {
    let is_hash =
        |hash: &str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    named_manifest(bytes, "").is_some_and(|(_, hash)| is_hash(hash))
}

/// Returns the manifest that a `CURRENT` names, and the manifest's hash in hexadecimal. `before` comes before the name.
pub(crate) fn named_manifest<'c>(current: &'c [u8], before: &str) -> Option<(&'c str, &'c str)> {
    let text = str::from_utf8(current).ok()?.strip_prefix(before)?;
    let (name, hash) = text.strip_suffix('\n')?.split_once(' ')?;
    is_named(name, "MANIFEST-", "").then_some((name, hash))
}

/// Returns whether a file of ours may have such a name.
pub fn may_be_mark(name: &str) -> bool {
    MARKS.iter().any(|(_, start, end, _)| is_named(name, start, end))
}

fn is_named(name: &str, start: &str, end: &str) -> bool {
    let Some(middle) = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else {
        return false;
    };
    // A hyphen comes before a number.
    if start.ends_with('-') { middle.parse::<u64>().is_ok() } else { middle.is_empty() }
}

/// Returns the kinds that the files of a folder are of, each with whether the file is the head of its kind.
fn marks(folder: &Path) -> Vec<(Ours, bool)> {
    let mut found = Vec::new();
    let is_beside = folder.file_name().is_some_and(Ours::is_beside);
    let names = names_in(folder).unwrap_or_default();
    let is_table = |name: &OsString| TABLES.iter().chain(&OTHER_TABLES).any(|table| name == *table);
    let has_only_tables = names.iter().all(is_table);
    for name in &names {
        let Some(name) = name.to_str().filter(|name| may_be_mark(name)) else { continue };
        let Some(head) = head(&folder.join(name)) else { continue };
        for (kind, start, end, bytes) in MARKS {
            let is_head = matches!(start, "CURRENT" | "owner" | "summary.json");
            // Beside shards, such a summary does not make the whole folder ours; and other programs have tables, too.
            if kind == Ours::Bookkeeping && !is_beside && !(is_head && has_only_tables) {
                continue;
            }
            // A log begins with the length and the checksum of what follows.
            let is_inside =
                || start == "log" && head.windows(bytes.len()).any(|part| part == bytes);
            let has_bytes = || head.starts_with(bytes) || is_inside();
            if is_named(name, start, end) && has_bytes() {
                found.push((kind, is_head));
            }
        }
    }
    found
}

/// Returns the first bytes of a file. Pipes are never opened.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let is_file = path.symlink_metadata().is_ok_and(|seen| seen.is_file());
    let mut read = || File::open(path)?.take(64).read_to_end(&mut head);
    (is_file && read().is_ok()).then_some(head)
}

/// Returns the names in a folder, of those given, that are files which an earlier version has written among the shards
/// of a corpus.
pub fn tables_among<'n>(folder: &Path, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let found: Vec<&str> = names.filter(|name| TABLES.contains(name)).collect();
    let is_ours = found.contains(&TABLES[0])
        && head(&folder.join(TABLES[0])).is_some_and(|head| head.starts_with(SUMMARY));
    if is_ours { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Writes a whole folder of a kind.
    fn whole(kind: Ours, folder: &Path) -> Vec<String> {
        fs::create_dir_all(folder).expect("made");
        let marks = MARKS.iter().filter(|(own, ..)| *own == kind);
        let write = |(_, start, end, bytes): &(Ours, &str, &str, &[u8])| {
            let number = if start.ends_with('-') { "7" } else { "" };
            let name = format!("{start}{number}{end}");
            fs::write(folder.join(&name), [*bytes, b"and more"].concat()).expect("written");
            name
        };
        marks.map(write).collect()
    }

    #[test]
    fn a_folder_is_known_by_any_of_its_files() {
        for kind in Ours::ALL {
            let place = tempfile::tempdir().expect("a folder");
            let folder = place.path().join("own.fanmill");
            let names = whole(kind, &folder);
            assert_eq!(Ours::from_folder(&folder), Some(kind));
            assert_eq!(Ours::among_texts(&folder).ok(), Some(Some(kind)));
            for (number, name) in names.iter().enumerate().filter(|_| names.len() > 1) {
                let path = folder.join(name);
                let bytes = fs::read(&path).expect("a file");
                for damage in [&b""[..], &bytes[..3], b"\0other bytes"] {
                    fs::write(&path, damage).expect("written");
                    assert_eq!(Ours::from_folder(&folder), Some(kind), "{name}");
                    assert_eq!(Ours::among_texts(&folder).is_ok(), number > 0, "{name}");
                }
                fs::remove_file(&path).expect("removed");
                assert_eq!(Ours::from_folder(&folder), Some(kind), "{name}");
                fs::write(&path, bytes).expect("written");
            }
        }
    }

    #[test]
    fn tables_among_shards_are_known_by_their_summary() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = ["a.jsonl", "removed.parquet", "summary.json"];
        let found = || tables_among(folder.path(), names.into_iter());
        assert!(found().is_empty());
        fs::write(folder.path().join("summary.json"), "{\n  \"kind\": \"of sales\"}")
            .expect("written");
        assert!(found().is_empty());
        whole(Ours::Bookkeeping, folder.path());
        assert_eq!(found(), ["removed.parquet", "summary.json"]);
        assert_eq!(Ours::from_folder(folder.path()), Some(Ours::Bookkeeping), "under another name");
        fs::write(folder.path().join("a.jsonl"), "{}").expect("written");
        assert_eq!(Ours::from_folder(folder.path()), None);
    }

    #[test]
    fn tables_of_other_programs_are_theirs() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["removed.parquet", "clusters.parquet"] {
            fs::write(folder.path().join(name), [PARQUET, b"and more"].concat()).expect("written");
        }
        assert_eq!(Ours::from_folder(folder.path()), None);
    }

    #[test]
    fn texts_with_such_names_are_texts() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["CURRENT", "MANIFEST-1", "seg-1.txt", "owner", "log", "seg-x.fps"] {
            fs::write(folder.path().join(name), "words that somebody wrote").expect("written");
        }
        fs::write(folder.path().join("notes"), "fanmill segment 1\n").expect("written");
        assert_eq!(Ours::from_folder(folder.path()), None);
        assert_eq!(Ours::from_folder(&folder.path().join("nowhere")), None);
    }
}
