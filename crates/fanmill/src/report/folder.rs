//! The report's folder: all its files, whole or not at all.
//!
//! Everything is written into a folder beside the wanted one, which then takes its name. Whoever
//! finds a report finds a complete one; an earlier report stays until the new one is there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::model::Report;
use super::texts::Texts;
use super::{app, csv, data, json};
use crate::source::{REPORT_PARTS, starts_as_report};
use crate::{Error, Result};

/// Writes `report.json`, `pairs.csv`, `clusters.csv`, `index.html` with its program, and its data
/// into the folder `dir`, which is made, or replaced if it is empty or an earlier report.
///
/// Texts are asked for and written one at a time. If an error occurs, `dir` is as it was.
///
/// # Errors
/// If `dir` holds anything but a report, or if a file or folder cannot be written.
pub fn write_folder(report: &Report, texts: &dyn Texts, dir: &Path) -> Result<()> {
    let target = replaceable(dir)?;
    let partial = Partial::create(&target)?;
    write_parts(report, texts, &partial.path)?;
    partial.take_the_place_of(&target)
}

/// Whether a report may be written to `dir`, to be asked before long work. Makes its parents.
///
/// # Errors
/// If `dir` holds anything but a report, or cannot be looked at.
pub fn check_folder(dir: &Path) -> Result<()> {
    replaceable(dir).map(drop)
}

/// The place of the report, without links, once it is sure that nothing else is lost there.
fn replaceable(dir: &Path) -> Result<PathBuf> {
    let target = match fs::canonicalize(dir) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return wanted(dir),
        Err(error) => return Err(Error::io("look at", dir, error)),
    };
    let entries = fs::read_dir(&target).map_err(|error| Error::io("read folder", dir, error))?;
    let names = entries
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect::<io::Result<Vec<OsString>>>()
        .map_err(|error| Error::io("read folder", dir, error))?;
    if let Some(foreign) = names.iter().find(|name| !REPORT_PARTS.iter().any(|part| name == part)) {
        return Err(not_ours(dir, &format!("holds `{}`", Path::new(foreign).display())));
    }
    if !names.is_empty() && !starts_as_report(&target.join("report.json")).unwrap_or(false) {
        return Err(not_ours(dir, "holds no report of Fanmill"));
    }
    if std::env::current_dir().is_ok_and(|current| current.starts_with(&target)) {
        return Err(not_ours(dir, "is the folder you are in"));
    }
    Ok(target)
}

fn not_ours(dir: &Path, why: &str) -> Error {
    Error::setting(format!(
        "report folder `{}` {why}, and would be replaced; name a new folder, or empty this one",
        dir.display()
    ))
}

/// A folder that is not there yet: its parents are made, and freed of links.
fn wanted(dir: &Path) -> Result<PathBuf> {
    let Some(name) = dir.file_name() else {
        return Err(Error::setting(format!("report folder `{}` has no name", dir.display())));
    };
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| Error::io("make folder", parent, error))?;
    let parent = fs::canonicalize(parent).map_err(|error| Error::io("look at", parent, error))?;
    Ok(parent.join(name))
}

fn write_parts(report: &Report, texts: &dyn Texts, dir: &Path) -> Result<()> {
    write_file(&dir.join("report.json"), |out| json::write(report, out))?;
    write_file(&dir.join("pairs.csv"), |out| csv::write_pairs(report, out))?;
    write_file(&dir.join("clusters.csv"), |out| csv::write_clusters(report, out))?;
    for folder in ["app", "data", "data/pairs", "data/texts"].map(|name| dir.join(name)) {
        fs::create_dir(&folder).map_err(|error| Error::io("make folder", &folder, error))?;
    }
    for (name, bytes) in app::FILES {
        write_file(&dir.join(name), |out| out.write_all(bytes))?;
    }
    write_data(report, texts, &dir.join("data"))
}

fn write_data(report: &Report, texts: &dyn Texts, dir: &Path) -> Result<()> {
    let script = |name: &str| dir.join(format!("{name}.js"));
    write_file(&script(data::OVERVIEW), |out| data::write_overview(report, out))?;
    let places = data::Places::write_texts(report, texts, |name, text| {
        write_file(&script(name), |out| data::write_text(name, text, out))
    })?;
    for (i, pair) in report.pairs.iter().enumerate() {
        write_file(&script(&data::pair_name(i)), |out| data::write_pair(i, pair, &places, out))?;
    }
    Ok(())
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let written = File::create_new(path).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(|error| Error::io("write", path, error))
}

/// A folder in the making, which goes away unless it is given its place.
struct Partial {
    path: PathBuf,
}

impl Partial {
    fn create(target: &Path) -> Result<Partial> {
        let path = beside(target, "partial");
        fs::create_dir(&path).map_err(|error| Error::io("make folder", &path, error))?;
        Ok(Partial { path })
    }

    fn take_the_place_of(self, target: &Path) -> Result<()> {
        let old = beside(target, "old");
        let had_old = target.exists();
        if had_old {
            fs::rename(target, &old).map_err(|error| Error::io("replace", target, error))?;
        }
        if let Err(error) = fs::rename(&self.path, target) {
            if had_old {
                fs::rename(&old, target).map_err(|error| Error::io("put back", target, error))?;
            }
            return Err(Error::io("make folder", target, error));
        }
        if had_old {
            fs::remove_dir_all(&old).map_err(|error| Error::io("remove folder", &old, error))?;
        }
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Already away if all went well; and if it cannot be removed, the error that led here
        // says more than this one would.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A name beside `target` that nobody uses: hidden, with the process's number.
fn beside(target: &Path, what: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{what}-{}", std::process::id()));
    // Left behind by a process of the same number that was killed, or in use by another thread.
    while target.with_file_name(&name).exists() {
        name.push("+");
    }
    target.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{Held, worked_example};
    use crate::report::texts::Shown;

    fn texts() -> Held {
        Held(vec![vec!["a = 1\n".repeat(40)], vec!["a = 1\n".repeat(40)]])
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_made_with_its_parents_and_nothing_beside_it() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("results/today");
        write_folder(&worked_example(), &texts(), &dir).unwrap();
        assert_eq!(
            names(&dir),
            ["app", "clusters.csv", "data", "index.html", "pairs.csv", "report.json"]
        );
        assert_eq!(names(&dir.join("app")), ["app.css", "app.js"]);
        assert_eq!(names(&dir.join("data")), ["overview.js", "pairs", "texts"]);
        assert_eq!(names(&dir.join("data/pairs")), ["0001.js"]);
        assert_eq!(names(&dir.join("data/texts")), ["0-0.js", "1-0.js"]);
        assert_eq!(names(&home.path().join("results")), ["today"]);
    }

    #[test]
    fn equal_reports_are_equal_bytes_and_replace_earlier_ones() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("report");
        fs::create_dir(&dir).unwrap();
        let parts = [
            "clusters.csv",
            "index.html",
            "pairs.csv",
            "report.json",
            "data/overview.js",
            "data/pairs/0001.js",
        ];
        let written = || {
            write_folder(&worked_example(), &texts(), &dir).unwrap();
            parts.map(|part| fs::read(dir.join(part)).unwrap())
        };
        assert_eq!(written(), written());
        assert_eq!(names(home.path()), ["report"]);
    }

    #[test]
    fn a_folder_with_anything_else_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("report");
        write_folder(&worked_example(), &texts(), &dir).unwrap();
        fs::write(dir.join("my notes.txt"), "precious").unwrap();
        let error = write_folder(&worked_example(), &texts(), &dir).unwrap_err();
        assert!(error.is_setting() && error.to_string().contains("`my notes.txt`"), "{error}");
        assert_eq!(fs::read(dir.join("my notes.txt")).unwrap(), b"precious");
        fs::remove_file(dir.join("my notes.txt")).unwrap();
        fs::write(dir.join("report.json"), "{\"format\": \"another\"}").unwrap();
        let error = write_folder(&worked_example(), &texts(), &dir).unwrap_err();
        assert!(error.to_string().contains("holds no report"), "{error}");
        assert_eq!(names(home.path()), ["report"]);
    }

    #[test]
    fn an_error_leaves_the_earlier_report_and_no_rubbish() {
        /// Takes the folder away while it is being written.
        struct Saboteur(PathBuf);
        impl Texts for Saboteur {
            fn text(&self, _: u32, _: u32) -> Option<Shown<'_>> {
                let partial = names(&self.0).into_iter().find(|name| name.contains(".partial-"));
                fs::remove_dir_all(self.0.join(partial?)).unwrap();
                None
            }
        }
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("report");
        write_folder(&worked_example(), &texts(), &dir).unwrap();
        let before = fs::read(dir.join("report.json")).unwrap();
        let saboteur = Saboteur(home.path().canonicalize().unwrap());
        let error = write_folder(&worked_example(), &saboteur, &dir).unwrap_err();
        assert!(error.is_io(), "{error}");
        assert_eq!(fs::read(dir.join("report.json")).unwrap(), before);
        assert_eq!(names(home.path()), ["report"]);
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("report");
        fs::write(&file, "x").unwrap();
        assert!(write_folder(&worked_example(), &texts(), &file).unwrap_err().is_io());
        assert_eq!(fs::read(&file).unwrap(), b"x");
    }
}
