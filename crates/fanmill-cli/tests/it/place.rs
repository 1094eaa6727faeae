//! A folder for one test.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::run::Run;

/// A folder that goes away with the test.
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { dir: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Writes a file and the folders above it.
    pub(crate) fn with(self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Place {
        self.write(path, bytes);
        self
    }

    /// Writes a file and the folders above it.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("folders");
        fs::write(path, bytes).expect("a file");
    }

    /// The files of a store, by name.
    pub(crate) fn store(&self, name: &str) -> BTreeMap<OsString, Vec<u8>> {
        let files = fs::read_dir(self.path(name)).expect("a store");
        let files = files.map(|entry| entry.expect("an entry"));
        files.map(|entry| (entry.file_name(), fs::read(entry.path()).expect("a file"))).collect()
    }

    /// The program, run in this folder.
    pub(crate) fn fanmill(&self, arguments: &str) -> Run {
        Run::new(arguments).inside(self.dir.path())
    }
}

/// The `examples/` of the repository.
pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().expect("examples/")
}

/// The text of an example.
pub(crate) fn example(path: &str) -> String {
    String::from_utf8(fs::read(examples().join(path)).expect(path)).expect("UTF-8")
}

/// The submissions of the assignment with their files, as paths below the submission.
pub(crate) fn assignment() -> Vec<(String, Vec<u8>)> {
    let root = examples().join("assignment/submissions");
    let mut files = Vec::new();
    for submission in fs::read_dir(&root).expect("submissions") {
        for file in fs::read_dir(submission.expect("a folder").path()).expect("a submission") {
            let path = file.expect("a file").path();
            let name =
                path.strip_prefix(&root).expect("inside").to_str().expect("UTF-8").to_owned();
            files.push((name, fs::read(&path).expect("a file")));
        }
    }
    files.sort();
    files
}
