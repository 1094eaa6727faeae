//! What can be said of the package without Python: that its sources agree with each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/fanmill")
}

/// The sources of the package in Python.
fn sources() -> String {
    let entries = fs::read_dir(package()).expect("the package");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "py"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a source")).collect()
}

#[test]
fn every_name_of_the_native_part_has_a_type() {
    let stub = fs::read_to_string(package().join("_native.pyi")).expect("the stub");
    let text = sources();
    let imports = text.lines().filter_map(|line| line.trim().strip_prefix("from ._native import "));
    let names: BTreeSet<&str> = imports.flat_map(|names| names.split(',')).map(str::trim).collect();
    assert!(names.len() > 2, "{names:?}");
    for name in names {
        let is_there = ["class ", "def ", ""].iter().any(|kind| {
            stub.lines().any(|line| {
                let rest = line.strip_prefix(kind).and_then(|line| line.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with([':', '(']))
            })
        });
        assert!(is_there, "{name} is not in _native.pyi");
    }
}
