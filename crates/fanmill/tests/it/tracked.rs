//! The files of the repository: those that git knows, so that what lies beside them fails no test.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All files below a folder of the repository, as paths from its root, ascending.
///
/// Asks git; a file that git knows and the disk does not is left out. In an unpacked archive of the sources,
/// which git knows nothing of, these are the files on the disk, and the test says that it looked there.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let root = root();
    let known = known(&root).unwrap_or_else(|| {
        say_that_the_disk_counts(&root);
        on_disk(&root)
    });
    let below = |path: &PathBuf| path.starts_with(folder) && root.join(path).is_file();
    known.into_iter().filter(below).collect()
}

#[expect(clippy::print_stderr, reason = "shown with a failure, or by `--nocapture`")]
fn say_that_the_disk_counts(root: &Path) {
    eprintln!("{} is not in a git repository: all files on the disk count", root.display());
}

/// The file's text; nothing if it is not UTF-8, or is being replaced.
pub(crate) fn text(path: &Path) -> Option<String> {
    match fs::read(root().join(path)) {
        Ok(bytes) => String::from_utf8(bytes).ok(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The files that git has in its index; nothing where there is no git, or where it tracks another folder.
fn known(root: &Path) -> Option<BTreeSet<PathBuf>> {
    let listed = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output().ok()?;
    let listed = String::from_utf8(listed.stdout).ok()?;
    // A conflict has a file several times.
    let known: BTreeSet<PathBuf> =
        listed.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
    known.contains(Path::new("Cargo.toml")).then_some(known)
}

/// The files on the disk, but for what is installed or built, and for hidden folders that are not ours.
fn on_disk(root: &Path) -> BTreeSet<PathBuf> {
    const OURS: [&str; 4] = [".cargo", ".ci", ".config", ".github"];
    const FOREIGN: [&str; 3] = ["target", "node_modules", "__pycache__"];
    let is_foreign = |name: &OsString| {
        let name = name.to_string_lossy();
        FOREIGN.contains(&&*name) || (name.starts_with('.') && !OURS.contains(&&*name))
    };
    let (mut found, mut folders) = (BTreeSet::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = entry.path();
            if !path.is_dir() {
                found.insert(path.strip_prefix(root).expect("inside").to_owned());
            } else if !is_foreign(&entry.file_name()) {
                folders.push(path);
            }
        }
    }
    found
}

#[test]
fn files_that_git_does_not_know_are_none_of_ours() {
    let place = tempfile::tempdir().expect("room");
    let write = |name: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        fs::write(path, "").expect("room");
    };
    for name in ["Cargo.toml", "docs/a.md", "docs/b.md", ".venv/odd \t", "target/debug/x"] {
        write(name);
    }
    let names = |names: &[&str]| names.iter().map(PathBuf::from).collect::<BTreeSet<_>>();
    assert_eq!(on_disk(place.path()), names(&["Cargo.toml", "docs/a.md", "docs/b.md"]));
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(place.path()).args(arguments).output().is_ok_and(|o| o.status.success())
    };
    // Git refuses folders of other people, such as a temporary one may be, and need not be installed.
    if git(&["init", "-q"]) && git(&["add", "Cargo.toml", "docs/a.md"]) {
        assert_eq!(known(place.path()), Some(names(&["Cargo.toml", "docs/a.md"])));
    }
}

#[test]
fn a_folder_that_another_repository_ignores_has_no_known_files() {
    let place = tempfile::tempdir().expect("room");
    assert_eq!(known(place.path()), None);
}
