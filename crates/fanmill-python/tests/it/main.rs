//! What can be said of the package without Python: that its sources agree with each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/fanmill")
}

/// The sources of the package in Python.
fn sources() -> String {
    let folders = [package(), package().join("spark")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("the package"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "py"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a source")).collect()
}

#[test]
fn every_name_of_the_native_part_has_a_type() {
    let stub = fs::read_to_string(package().join("_native.pyi")).expect("the stub");
    let text = sources();
    let imports = text.lines().filter_map(|line| {
        let (_, names) = line.trim().strip_prefix("from .")?.split_once("_native import ")?;
        Some(names)
    });
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

/// Settings of the command alone: jobs that Python does not have, and files where Python has data.
const OF_THE_COMMAND: [&str; 14] = [
    "against-input-format",
    "and-add",
    "allow-failed",
    "compression-level",
    "index",
    "limit",
    "max-record-bytes",
    "memory",
    "min-documents",
    "mode",
    "new-key",
    "sizes",
    "stdin-name",
    "zstd-dictionary",
];

/// The names that the sources below a folder have in `Setting("…")`.
fn named_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            named_in(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let names = text.split("Setting(\"").skip(1);
            found.extend(names.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
    }
}

#[test]
fn every_setting_that_a_message_names_is_an_argument() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut named = BTreeSet::new();
    for name in [
        "", "-corpus", "-disk", "-extract", "-index", "-jobs", "-mail", "-python", "-records",
        "-sift", "-sketch", "-source", "-text",
    ] {
        named_in(&crates.join(format!("fanmill{name}/src")), &mut named);
    }
    assert!(named.len() > 30, "{named:?}");
    let text = sources();
    let reading = fanmill_jobs::compare::reading_settings();
    let is_argument = |name: &String| {
        if reading.contains(name) {
            return true;
        }
        let name = name.replace('-', "_");
        text.contains(&format!("    {name}: ")) || text.contains(&format!("\"{name}\""))
    };
    let is_expected = |name: &&String| !OF_THE_COMMAND.contains(&name.as_str());
    let unknown: Vec<&String> =
        named.iter().filter(is_expected).filter(|name| !is_argument(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
