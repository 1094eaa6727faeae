//! A folder with inputs, and what is in it afterwards.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

pub(crate) const PROVERB: &str = "the early bird may well catch the worm but it is the second mouse that gets the \
    cheese out of the trap, and nobody has ever asked either of them whether it was worth the hurry";
pub(crate) const OTHER: &str = "of all the kettles in the shop only the red one whistles when the water boils, so that \
    the cook can read a long book beside the stove and never once look up to see whether there is steam";

/// A folder that goes when the test ends.
pub(crate) struct Place(TempDir);

impl Place {
    /// A folder with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            let path = place.path(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        place
    }

    /// Submissions: two that share a proverb, and one that does not.
    pub(crate) fn with_submissions() -> Place {
        Place::new(&[("in/ada.txt", PROVERB), ("in/bob.txt", PROVERB), ("in/cy.txt", OTHER)])
    }

    /// Many records, two of them equal, each with an address in which a session varies.
    pub(crate) fn with_records() -> Place {
        let record = |i: usize| {
            let (page, visit) = (i / 3, i * 7919);
            let url = format!("http://shop.example.com/S-{visit:010}/page{page}");
            let text = format!("{OTHER} and this is page {page} of the {} catalogue", page * page);
            format!("{{\"id\":\"{i}\",\"url\":\"{url}\",\"text\":\"{text}\"}}\n")
        };
        Place::new(&[("a.jsonl", &(0..60).map(record).collect::<String>())])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// The names of everything directly in it, ascending.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The names and bytes of the files in a folder.
    pub(crate) fn bytes_of(&self, folder: &str) -> BTreeMap<OsString, Vec<u8>> {
        let files = fs::read_dir(self.path(folder)).expect("a folder");
        let files = files.map(|entry| entry.expect("an entry"));
        files.map(|entry| (entry.file_name(), fs::read(entry.path()).expect("a file"))).collect()
    }
}
