//! Files and folders among the inputs that are not inputs: our own reports and indexes, and those that the caller leaves
//! out.
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

use fanmill_disk::ours::{Ours, may_be_mark};

use crate::files::Files;
use crate::group::Options;

/// The file that programs read of a report.
const REPORT: &str = "report.json";

/// Files that identify a report, each even where another one is damaged, with how they begin, white space left out.
const REPORT_MARKS: [(&str, &str); 3] = [
    (REPORT, "{\"format\":\"fanmillreport\""),
    ("pairs.csv", "rank,a,b,author_a,author_b,"),
    ("data/overview.js", "fanmill(\"overview\",{\"format\":\"fanmillreport\""),
];

/// Files and folders of a report, of this release and of an earlier one (`pairs`).
pub const REPORT_PARTS: [&str; 7] =
    [REPORT, "pairs.csv", "clusters.csv", "index.html", "app", "data", "pairs"];

/// Returns the reason why the path, which is absolute and without links, is not an input; `None` if it is one.
pub(super) fn no_input(path: &Path, options: &Options) -> Option<Message> {
    options.leaves_out(path).cloned().or_else(|| earlier_report(path, options))
}

fn earlier_report(folder: &Path, options: &Options) -> Option<Message> {
    is_report(&options.files, folder).then(|| "an earlier report of Fanmill: not read".into())
}

/// Returns the reason for not reading a folder if it is an earlier report, an index, or anything else that is kept for
/// later.
pub(super) fn own_folder(folder: &Path, options: &Options) -> Option<Message> {
    let kept = || match options.files {
        Files::Disk => Ours::from_folder(folder).map(|kind| kind.what().into()),
        Files::Held(_) => None,
    };
    earlier_report(folder, options).or_else(kept)
}

/// Returns whether a folder with a file of this name may be such a folder.
pub(super) fn may_be_own(name: &str) -> bool {
    REPORT_MARKS.iter().any(|(mark, _)| mark.split('/').next() == Some(name)) || may_be_mark(name)
}

fn is_report(files: &Files, folder: &Path) -> bool {
    let has_nothing_else = || files.names_in(folder).is_ok_and(|names| names.iter().all(is_part));
    let starts = |(mark, start): &(&str, &str)| {
        let file = folder.join(mark);
        let Ok(seen) = files.look_itself(&file) else { return false };
        let open = || files.open(&file, &seen).and_then(|file| is_begun(file, start));
        seen.is_file() && open().unwrap_or(false)
    };
    REPORT_MARKS.iter().any(starts) && has_nothing_else()
}

/// Returns whether a file starts as every `report.json` does. Reads only its start, since the whole may be large.
///
/// # Errors
/// If it cannot be read.
pub fn starts_as_report(file: &Path) -> io::Result<bool> {
    is_begun(File::open(file)?, REPORT_MARKS[0].1)
}

/// Returns whether a file begins with some characters, white space left out.
fn is_begun(file: impl Read, start: &str) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(200).read_to_end(&mut head)?;
    let head: String = String::from_utf8_lossy(&head).split_whitespace().collect();
    Ok(head.starts_with(start))
}

fn is_part(name: &OsString) -> bool {
    REPORT_PARTS.iter().any(|part| name == part)
}
