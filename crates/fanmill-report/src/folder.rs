//! The report's folder, with all its files or none.
//!
//! It is a [`Replacement`]: an earlier report stays until the new one is complete, and only what a report wrote is
//! replaced. A folder with anything else in it, at any depth, is refused, with its name. Without a disk, the same files
//! are returned.
//!
//! Cost: that of reading the texts again, on all threads of the pool that it is called in. Files are written one by one,
//! while the next are made.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use rayon::prelude::*;

use crate::data::ShownTexts;
use crate::texts::Texts;
use crate::{app, csv, data, json};
use fanmill::report::{Pair, Report};
use fanmill_disk::replace::{Disk, DiskFile, Replacement};
use fanmill_source::{REPORT_PARTS, starts_as_report};
use fanmill_text::{Error, Result};

/// Writes `report.json`, `pairs.csv`, `clusters.csv`, `index.html` with its program, and its data
/// into the folder `dir`, which is made, or replaced if it is empty or an earlier report.
///
/// Texts are requested and written a few at a time, and large ones one at a time. If an error occurs, `dir` is unchanged.
///
/// # Errors
/// If `dir` holds anything but a report, or if a file or folder cannot be written.
pub fn write_folder(report: &Report, texts: &dyn Texts, dir: &Path) -> Result<()> {
    let mut new = begin(dir)?;
    write_parts(report, texts, &mut new)?;
    new.finish()
}

/// A file in memory: its path in the report's folder, and its bytes.
pub type HeldFile = (String, Vec<u8>);

/// Returns the files that [`write_folder`] writes, in the order in which it writes them.
///
/// Texts are requested a few at a time; all files are in memory at the end.
///
/// # Errors
/// None today, as writing to memory does not fail.
pub fn files(report: &Report, texts: &dyn Texts) -> Result<Vec<HeldFile>> {
    let mut files = Vec::new();
    write_parts(report, texts, &mut files)?;
    Ok(files)
}

/// Checks, before long work, that a report may be written to `dir`. Leaves nothing behind.
///
/// # Errors
/// If `dir` holds anything but a report, or a folder cannot be made there.
pub fn check_folder(dir: &Path) -> Result<()> {
    begin(dir).map(drop)
}

/// Begins a report, after making sure that nothing else is lost there.
fn begin(dir: &Path) -> Result<Replacement> {
    let new = Replacement::begin(&Disk::default(), dir, "report", is_part)?;
    let is_empty = match fs::read_dir(new.target()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        names => names.map_err(|error| Error::io("read folder", dir, error))?.next().is_none(),
    };
    if !is_empty && !starts_as_report(&new.target().join("report.json")).unwrap_or(false) {
        return Err(Error::setting(format!(
            "output folder `{}` is not a Fanmill report, and would be replaced; name a new folder, or empty this \
             one",
            dir.display()
        )));
    }
    Ok(new)
}

/// Returns whether a report may have something at this path, this release's or an earlier one's.
///
/// Names of texts and pairs are numbers, which distinguishes them from other people's files.
fn is_part(name: &Path) -> bool {
    let parts: Vec<&str> = name.iter().map(|part| part.to_str().unwrap_or_default()).collect();
    let is_numbered = |file: &str, ending: &str| {
        let stem = file.strip_suffix(ending).unwrap_or_default();
        !stem.is_empty() && stem.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    match parts.as_slice() {
        [top] => REPORT_PARTS.contains(top),
        ["app", file] => app::FILES.iter().any(|(path, _)| path.strip_prefix("app/") == Some(file)),
        ["data", "pairs" | "texts"] => true,
        ["data", file] => *file == format!("{}.js", data::OVERVIEW),
        ["data", "pairs" | "texts", file] => is_numbered(file, ".js"),
        // Reports had their pages here before they had a program.
        ["pairs", file] => is_numbered(file, ".html"),
        _ => false,
    }
}

/// A place for the files of a report.
trait ReportSink {
    type Out: Write;

    /// Takes one file.
    fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Self::Out) -> io::Result<()>,
    ) -> Result<()>;

    /// Makes a folder, even if there is no file for it.
    fn folder(&mut self, name: &str) -> Result<()>;
}

impl ReportSink for Replacement {
    type Out = BufWriter<DiskFile>;

    fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Self::Out) -> io::Result<()>,
    ) -> Result<()> {
        self.write(name, write)
    }

    fn folder(&mut self, name: &str) -> Result<()> {
        self.make_folder(name)
    }
}

impl ReportSink for Vec<HeldFile> {
    type Out = Vec<u8>;

    fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Self::Out) -> io::Result<()>,
    ) -> Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(|error| Error::io("write", Path::new(name), error))?;
        self.push((name.to_owned(), bytes));
        Ok(())
    }

    fn folder(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
}

fn write_parts<S: ReportSink + Send>(
    report: &Report,
    texts: &dyn Texts,
    shelf: &mut S,
) -> Result<()> {
    let mut press = ParallelWriter { shelf, waiting: Box::new(|shelf| write_whole(report, shelf)) };
    let mut places = data::Places::default();
    let wanted = data::wanted(report);
    let mut rest = &wanted[..];
    while !rest.is_empty() {
        let (block, others) = rest.split_at(n_together(rest));
        rest = others;
        let write =
            |text: &ShownTexts, out: &mut dyn Write| data::write_text(report, texts, text, out);
        let units = press.block(block, ShownTexts::name, write)?;
        block.iter().zip(units).for_each(|(text, units)| places.keep(text, units));
    }
    let numbered: Vec<(usize, &Pair)> = report.pairs.iter().enumerate().collect();
    for block in numbered.chunks(FILES) {
        let write = |&(i, pair): &(usize, &Pair), out: &mut dyn Write| {
            data::write_pair(i, pair, &places, out)
        };
        press.block(block, |&(i, _)| data::pair_name(i), write)?;
    }
    press.end()
}

/// Writes the files about the report as a whole, and makes the folders of the rest.
fn write_whole(report: &Report, shelf: &mut impl ReportSink) -> Result<()> {
    shelf.file("report.json", |out| json::write(report, out))?;
    shelf.file("pairs.csv", |out| csv::write_pairs(report, out))?;
    shelf.file("clusters.csv", |out| csv::write_clusters(report, out))?;
    for (name, bytes) in app::FILES {
        shelf.file(name, |out| out.write_all(bytes))?;
    }
    for folder in ["data/pairs", "data/texts"] {
        shelf.folder(folder)?;
    }
    shelf.file(&script(data::OVERVIEW), |out| data::write_overview(report, out))
}

/// Returns the path of the data of that name.
fn script(name: &str) -> String {
    format!("data/{name}.js")
}

/// Maximum number of data files that are made in parallel.
const FILES: usize = 64;
/// Maximum size of the texts that are made in parallel, in bytes. Larger ones are written as they are made, one at a
/// time.
const BYTES: u64 = 4 << 20;

/// Returns how many of the first texts are made in parallel: at least one.
fn n_together(texts: &[ShownTexts]) -> usize {
    let mut bytes = 0;
    let fits = |text: &&ShownTexts| {
        bytes = text.size.saturating_add(bytes);
        bytes <= BYTES
    };
    texts.iter().take(FILES).take_while(fits).count().max(1)
}

/// A function that puts files on a shelf.
type Writing<'a, S> = Box<dyn FnOnce(&mut S) -> Result<()> + Send + 'a>;

/// Writes files one by one, while the next ones are made.
struct ParallelWriter<'a, S> {
    shelf: &'a mut S,
    /// Writes the files that come next.
    waiting: Writing<'a, S>,
}

impl<S: ReportSink + Send> ParallelWriter<'_, S> {
    /// Makes data files in parallel, and returns the result of each. They are written later, unless there is only one.
    fn block<T: Sync, R: Send>(
        &mut self,
        block: &[T],
        name: impl Fn(&T) -> String,
        write: impl Fn(&T, &mut dyn Write) -> io::Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let mut results = Vec::with_capacity(block.len());
        let waiting = std::mem::replace(&mut self.waiting, Box::new(|_| Ok(())));
        // A single file may be large, so it is written while it is made.
        if let [one] = block {
            waiting(self.shelf)?;
            self.shelf.file(&script(&name(one)), |out| {
                write(one, out).map(|result| results.push(result))
            })?;
            return Ok(results);
        }
        let make = |one: &T| {
            let mut bytes = Vec::new();
            write(one, &mut bytes).map(|result| (bytes, result))
        };
        let make_all = || block.par_iter().map(make).collect::<Vec<io::Result<(Vec<u8>, R)>>>();
        // The files of the block before are written while these are made.
        let (written, made) = rayon::join(|| waiting(self.shelf), make_all);
        written?;
        let mut files = Vec::with_capacity(block.len());
        for (one, made) in block.iter().zip(made) {
            let name = script(&name(one));
            match made {
                Ok((bytes, result)) => {
                    files.push((name, bytes));
                    results.push(result);
                }
                Err(error) => self.shelf.file(&name, |_| Err(error))?,
            }
        }
        self.waiting = Box::new(|shelf| {
            files
                .into_iter()
                .try_for_each(|(name, bytes)| shelf.file(&name, |out| out.write_all(&bytes)))
        });
        Ok(results)
    }

    /// Writes the last files.
    fn end(self) -> Result<()> {
        (self.waiting)(self.shelf)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::samples::{Held, worked_example};
    use fanmill_text::frontend::Decoded;
    use fanmill_text::span::Span;
    use fanmill_text::token::Class;

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

    /// The files and their order do not depend on whether they are made in parallel or written as they are made.
    #[test]
    fn data_does_not_depend_on_what_is_made_side_by_side() {
        let numbers: Vec<usize> = (0..150).collect();
        let written = |size: usize| {
            let mut shelf: Vec<HeldFile> = Vec::new();
            let mut press = ParallelWriter { shelf: &mut shelf, waiting: Box::new(|_| Ok(())) };
            for block in numbers.chunks(size) {
                let write =
                    |&number: &usize, out: &mut dyn Write| write!(out, "{number}").map(|()| number);
                let results = press.block(block, usize::to_string, write).unwrap();
                assert_eq!(results, block);
            }
            press.end().unwrap();
            shelf
        };
        assert_eq!(written(1).len(), numbers.len());
        assert_eq!(written(1), written(64));
    }

    #[test]
    fn large_texts_are_made_alone() {
        let n_together = |sizes: &[u64]| {
            let file = worked_example().submissions[0].files[0].clone();
            let mut report = worked_example();
            report.submissions[0].files = sizes
                .iter()
                .map(|&bytes| fanmill::report::File { bytes, ..file.clone() })
                .collect();
            report.submissions[1].files.clear();
            n_together(&data::wanted(&report))
        };
        assert_eq!(n_together(&[u64::MAX, 1]), 1);
        assert_eq!(n_together(&[1, u64::MAX, 1]), 1);
        assert_eq!(n_together(&[BYTES / 2, BYTES / 2, 1]), 2);
        assert_eq!(n_together(&[0; FILES + 9]), FILES);
    }

    #[test]
    fn files_in_memory_are_those_of_the_folder() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("report");
        write_folder(&worked_example(), &texts(), &dir).unwrap();
        let mut held = files(&worked_example(), &texts()).unwrap();
        held.sort();
        let mut on_disk = Vec::new();
        let mut folders = vec![dir.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&dir).unwrap().to_str().unwrap().to_owned();
                    on_disk.push((name, fs::read(path).unwrap()));
                }
            }
        }
        on_disk.sort();
        assert_eq!(held, on_disk);
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
        assert!(error.to_string().contains("is not a Fanmill report"), "{error}");
        assert_eq!(names(home.path()), ["report"]);
    }

    /// A foreign file among the parts of a report, however deep, is not lost with it.
    #[test]
    fn a_foreign_file_inside_an_earlier_report_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("report");
        for name in ["data/notes.txt", "data/pairs/notes.txt", "data/texts/mine/0-0.js", "app/x.js"]
        {
            write_folder(&worked_example(), &texts(), &dir).unwrap();
            let path = dir.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "precious").unwrap();
            for refused in [check_folder(&dir), write_folder(&worked_example(), &texts(), &dir)] {
                let error = refused.unwrap_err();
                let first = name.split('/').take(3).collect::<Vec<_>>().join("/");
                assert!(error.is_setting() && error.to_string().contains(&first), "{error}");
            }
            assert_eq!(fs::read(&path).unwrap(), b"precious");
            fs::remove_dir_all(&dir).unwrap();
        }
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn an_error_leaves_the_earlier_report_and_no_rubbish() {
        /// Takes the folder away while it is being written: in one step, since several threads write and ask for texts.
        struct Saboteur {
            home: PathBuf,
            elsewhere: PathBuf,
        }
        impl Texts for Saboteur {
            fn text(&self, _: u32, _: u32) -> Option<Decoded<'_>> {
                let partial = names(&self.home).into_iter().find(|name| name.ends_with(".partial"));
                // The second thread to come finds nothing to take.
                let _ = fs::rename(self.home.join(partial?), self.elsewhere.join("taken"));
                None
            }
            fn tokens(&self, _: u32, _: u32, _: &Decoded<'_>, _: &mut dyn FnMut(Class, Span)) {}
        }
        let [home, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let dir = home.path().join("report");
        write_folder(&worked_example(), &texts(), &dir).unwrap();
        let before = fs::read(dir.join("report.json")).unwrap();
        let [home_path, elsewhere] =
            [&home, &elsewhere].map(|folder| folder.path().canonicalize().unwrap());
        let saboteur = Saboteur { home: home_path, elsewhere };
        let error = write_folder(&worked_example(), &saboteur, &dir).unwrap_err();
        assert!(error.is_io(), "{error}");
        assert_eq!(fs::read(dir.join("report.json")).unwrap(), before);
        assert_eq!(names(home.path()), ["report"]);
    }

    #[test]
    fn a_check_leaves_no_folder_behind() {
        let home = tempfile::tempdir().unwrap();
        check_folder(&home.path().join("not/there/yet")).unwrap();
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("report");
        fs::write(&file, "x").unwrap();
        assert!(write_folder(&worked_example(), &texts(), &file).unwrap_err().is_setting());
        assert_eq!(fs::read(&file).unwrap(), b"x");
    }
}
