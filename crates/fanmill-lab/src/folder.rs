//! Writes an outcome as files to a folder.
//!
//! A folder may hold the outcomes of several experiments. Each run replaces only the files of an earlier run of the
//! same experiment.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fanmill_disk::replace::{Access, Disk, ExistingFile, NewFile, resolved};
use fanmill_text::{Error, Result};

use crate::figure;
use crate::outcome::Outcome;

/// The names of all experiments, with which their files start.
pub const EXPERIMENTS: [&str; 5] = ["frequency", "calibrate", "filter", "attack", "table2"];

/// Name of the partial output that a killed run leaves in the folder until the next run takes it over.
const IN_PROGRESS: &str = ".fanmill-lab.partial";

/// Checks, before any work is done, that only outcomes would be replaced in `dir` and that files can be created there.
/// Leaves nothing behind.
///
/// # Errors
/// If it holds anything but outcomes of experiments, or cannot be read or written.
pub fn check_folder(dir: &Path) -> Result<()> {
    check_names(dir)?;
    begin(dir).map(drop)
}

fn check_names(dir: &Path) -> Result<()> {
    for name in names(dir)? {
        if name == IN_PROGRESS {
            continue;
        }
        if !EXPERIMENTS.iter().any(|experiment| is_of(&name, experiment)) {
            return Err(Error::setting(format!(
                "output folder `{}` holds `{name}`, which is no outcome of an experiment; name a new \
                 folder, or empty this one",
                dir.display()
            )));
        }
    }
    Ok(())
}

/// Starts writing files in `dir`, which is created if necessary.
fn begin(dir: &Path) -> Result<NewFile> {
    NewFile::begin(&Disk::default(), &resolved(dir)?, "fanmill-lab", "lab")
}

/// Writes `<experiment>.json` and `<experiment>-<figure>.svg` to `dir`, which is created if necessary, and returns
/// their paths in this order. Removes the other files of an earlier run of the experiment.
///
/// # Errors
/// If `dir` holds anything but outcomes, or if a file or folder cannot be written.
pub fn write_folder(outcome: &Outcome, dir: &Path) -> Result<Vec<PathBuf>> {
    check_names(dir)?;
    let name = outcome.experiment;
    let mut files = vec![(format!("{name}.json"), outcome.to_json().into_bytes())];
    for figure in &outcome.figures {
        files.push((format!("{name}-{}.svg", figure.name), figure::svg(figure).into_bytes()));
    }
    let mut new = begin(dir)?;
    let outdated = names(dir)?.into_iter().filter(|old| is_of(old, name));
    let outdated: Vec<String> =
        outdated.filter(|old| files.iter().all(|(new, _)| new != old)).collect();
    for (name, bytes) in &files {
        new.write(name, Access::Usual, |out| out.write_all(bytes))?;
    }
    new.finish(ExistingFile::Replaced)?;
    for old in outdated {
        let path = dir.join(old);
        fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
    }
    Ok(files.iter().map(|(name, _)| dir.join(name)).collect())
}

/// Returns the names of a folder's entries; none if the folder does not exist.
fn names(dir: &Path) -> Result<Vec<String>> {
    let failed = |error| Error::io("read folder", dir, error);
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let name = |entry: io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    let mut names = entries.map(name).collect::<io::Result<Vec<String>>>().map_err(failed)?;
    names.sort_unstable();
    Ok(names)
}

/// Returns whether a file of this name belongs to the experiment.
fn is_of(file: &str, experiment: &str) -> bool {
    let Some(rest) = file.strip_prefix(experiment) else { return false };
    rest == ".json" || rest.strip_suffix(".svg").is_some_and(|figure| figure.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Axis, Figure};

    fn outcome(experiment: &'static str, figures: &[&'static str]) -> Outcome {
        let figure = |&name: &&'static str| Figure {
            name,
            title: String::new(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            series: Vec::new(),
            lines: Vec::new(),
        };
        Outcome {
            experiment,
            question: "what?".to_owned(),
            source: "nowhere",
            input: "nothing".into(),
            seed: None,
            findings: Vec::new(),
            tables: Vec::new(),
            figures: figures.iter().map(figure).collect(),
        }
    }

    #[test]
    fn each_experiment_replaces_what_is_its_own() {
        let place = tempfile::tempdir().expect("a folder");
        let dir = place.path().join("a/b");
        let both = outcome("filter", &["linear", "other"]);
        write_folder(&both, &dir).expect("written");
        write_folder(&outcome("attack", &["attacks"]), &dir).expect("written");
        write_folder(&outcome("filter", &["linear"]), &dir).expect("written");
        let held = names(&dir).expect("read");
        assert_eq!(held, ["attack-attacks.svg", "attack.json", "filter-linear.svg", "filter.json"]);
        assert_eq!(names(&place.path().join("a")).expect("read"), ["b"]);
    }

    #[test]
    fn a_folder_with_anything_else_is_left_alone() {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("filter.txt"), "mine").expect("written");
        let error = write_folder(&outcome("filter", &[]), place.path());
        assert!(error.is_err_and(|error| error.is_setting()));
        assert_eq!(names(place.path()).expect("read"), ["filter.txt"]);
        assert!(check_folder(&place.path().join("not/there")).is_ok());
        assert_eq!(names(place.path()).expect("read"), ["filter.txt"]);
        let long = check_folder(&place.path().join("not").join("x".repeat(256)));
        assert!(long.is_err_and(|error| error.is_io()));
        assert_eq!(names(place.path()).expect("read"), ["filter.txt"]);
    }
}
