//! Files and folders among the inputs that are not inputs: our own reports, and those that the caller leaves out.
//!
//! A report read as a submission would share all its quoted passages with the submissions that it quotes. Only a folder
//! with nothing else in it counts as a report, so that no submission can hide behind a `report.json`; and it gets a
//! notice.
//!
//! Cost: one look at the disk for each file and folder.

use fanmill_text::message::Message;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::files::Files;
use crate::group::Options;

/// The file that identifies a report.
pub(super) const REPORT: &str = "report.json";

/// Files and folders of a report, of this release and of an earlier one (`pairs`).
pub const REPORT_PARTS: [&str; 7] =
    [REPORT, "pairs.csv", "clusters.csv", "index.html", "app", "data", "pairs"];

/// Returns the reason why the path, which is absolute and without links, is not an input; `None` if it is one.
pub(super) fn no_input(path: &Path, options: &Options) -> Option<Message> {
    let known = options.leaves_out(path).cloned();
    known.or_else(|| earlier_report(path, options))
}

/// Returns the reason for not reading a folder if it is an earlier report.
pub(super) fn earlier_report(folder: &Path, options: &Options) -> Option<Message> {
    let is_report = is_report(&options.files, folder);
    is_report.then(|| "an earlier report of Fanmill: not read".into())
}

fn is_report(files: &Files, folder: &Path) -> bool {
    let file = folder.join(REPORT);
    let Ok(seen) = files.look_itself(&file) else { return false };
    let starts = || files.open(&file, &seen).and_then(is_begun_as_report).unwrap_or(false);
    let has_nothing_else = || files.names_in(folder).is_ok_and(|names| names.iter().all(is_part));
    seen.is_file() && starts() && has_nothing_else()
}

/// Returns whether a file starts as every `report.json` does. Reads only its start, since the whole may be large.
///
/// # Errors
/// If it cannot be read.
pub fn starts_as_report(file: &Path) -> io::Result<bool> {
    is_begun_as_report(File::open(file)?)
}

fn is_begun_as_report(file: impl Read) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(200).read_to_end(&mut start)?;
    let start: String = String::from_utf8_lossy(&start).split_whitespace().collect();
    Ok(start.starts_with("{\"format\":\"fanmillreport\""))
}

fn is_part(name: &OsString) -> bool {
    REPORT_PARTS.iter().any(|part| name == part)
}
