//! Removal of texts from a store.

use std::path::Path;

use fanmill_sift::key::Key;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::setting::Task;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use fanmill_sift::disk::{LockWait, Removed, Writer};

/// The settings of a removal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// If set, waits while another process is writing the store, instead of ending with an error.
    pub wait: bool,
}

/// The outcome of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Number of texts removed.
    pub n_removed: u64,
    /// Number of texts left.
    pub n_in_all: u64,
}

/// Removes the texts of these names; the others keep their order.
///
/// # Errors
/// If a name is not in the store, the store is missing or damaged, has another key, has version 1, is being written by
/// another process, or cannot be written, or the job is cancelled. The store is then unchanged.
pub fn run(
    settings: Settings,
    key: &Key,
    store: &Path,
    names: &[String],
    progress: &dyn Progress,
) -> Result<Outcome> {
    let mut writer = Writer::open_existing(store, key, LockWait::new(settings.wait, progress))?;
    let mut removed = Removed::new();
    for name in names {
        let Some((segment, number, _)) = writer.names().find(name)? else {
            return Err(Error::input(message![
                ("store `{}` has no text `{name}`; give names as ", store.display()),
                Task("sift-list"),
                " prints them. The store is unchanged"
            ]));
        };
        removed.entry(segment).or_default().insert(number);
    }
    let before = writer.n_originals();
    writer.remove(removed, progress)?;
    let n_in_all = writer.n_originals();
    writer.close()?;
    Ok(Outcome { n_removed: before - n_in_all, n_in_all })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use fanmill_sift::key::KEY_BYTES;
    use fanmill_text::progress::Silent;
    use tempfile::TempDir;

    use super::*;
    use crate::sift::texts::{Inputs, Kind};
    use crate::sift::{add, list};

    fn key() -> Key {
        Key::new(std::array::from_fn::<u8, KEY_BYTES, _>(|i| i as u8)).expect("a key")
    }

    /// A store of three texts.
    fn store(place: &TempDir) -> PathBuf {
        for name in ["a.txt", "b.txt", "c.txt"] {
            std::fs::write(place.path().join(name), format!("the text of {name}")).expect("a disk");
        }
        let store = place.path().join("library.sift");
        let paths = ["a.txt", "b.txt", "c.txt"].map(|name| place.path().join(name));
        let inputs = Inputs { kind: Kind::Text, ..Inputs::from_paths(paths) };
        add::run(&add::Settings::default(), &key(), &store, inputs, &Silent).expect("a store");
        store
    }

    fn names(store: &Path) -> Vec<String> {
        let records = list(store).expect("a store").records;
        (0..records.len() as u32).map(|at| records.name(at).to_owned()).collect()
    }

    fn remove(store: &Path, names: &[&str]) -> Result<Outcome> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        run(Settings::default(), &key(), store, &names, &Silent)
    }

    #[test]
    fn named_texts_are_removed_and_the_others_stay() {
        let place = TempDir::new().expect("a folder");
        let store = store(&place);
        let kept = list(&store).expect("a store").records.sifted(2);
        let outcome = remove(&store, &["b.txt", "a.txt", "b.txt"]).expect("both are there");
        assert_eq!(outcome, Outcome { n_removed: 2, n_in_all: 1 });
        assert_eq!(names(&store), ["c.txt"]);
        assert_eq!(list(&store).expect("a store").records.sifted(0), kept);
    }

    #[test]
    fn a_name_that_is_not_there_leaves_the_store_unchanged() {
        let place = TempDir::new().expect("a folder");
        let store = store(&place);
        let error = remove(&store, &["a.txt", "d.txt"]).expect_err("no such text").to_string();
        assert!(error.contains("has no text `d.txt`"), "{error}");
        assert_eq!(names(&store), ["a.txt", "b.txt", "c.txt"]);
        let none = place.path().join("none.sift");
        assert!(remove(&none, &["a.txt"]).is_err() && !none.exists());
    }

    /// A removed text leaves no trace on the disk, and a store may become empty.
    #[test]
    fn removed_texts_are_in_no_file() {
        let place = TempDir::new().expect("a folder");
        let store = store(&place);
        let is_there = |name: &str| {
            let files = std::fs::read_dir(&store).expect("a folder");
            let mut files =
                files.map(|file| std::fs::read(file.expect("a file").path()).expect("a file"));
            files.any(|bytes| bytes.windows(name.len()).any(|part| part == name.as_bytes()))
        };
        assert!(is_there("a.txt"));
        remove(&store, &["a.txt"]).expect("it is there");
        assert!(!is_there("a.txt") && is_there("b.txt"));
        remove(&store, &["b.txt", "c.txt"]).expect("they are there");
        assert_eq!(names(&store).len(), 0);
        assert!(remove(&store, &["c.txt"]).is_err());
    }

    /// Without `wait` a locked store is an error; with it, the job continues when the lock is free.
    #[test]
    fn a_locked_store_is_waited_for_if_asked() {
        let place = TempDir::new().expect("a folder");
        let store = store(&place);
        let lock = Writer::open_existing(&store, &key(), LockWait::None).expect("nobody has it");
        let error = remove(&store, &["a.txt"]).expect_err("locked").to_string();
        assert!(error.contains("being written by another process"), "{error}");
        let names = ["a.txt".to_owned()];
        let wait = || run(Settings { wait: true }, &key(), &store, &names, &Silent);
        let outcome = std::thread::scope(|scope| {
            let waiting = scope.spawn(wait);
            drop(lock);
            waiting.join().expect("no panic")
        });
        assert_eq!(outcome.expect("the lock is free").n_in_all, 2);
    }
}
