//! zip: entries found by the table at the end, or one by one from the front if the table is lost.

use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use ::zip::ZipReadOptions;
use ::zip::read::{Config, OwnedZipFileEntry, read_zipfile_from_stream};
use ::zip::result::ZipError;
use ::zip::unstable::read::ZipIterable;

use super::{Ending, Entry, Kind, Source, Visit, sentence, trouble};
use crate::label::label;
use crate::limits::{Budget, Layer, Metered, Scope};
use fanmill_text::document::Outcome;

pub(super) fn each_entry(
    source: &mut dyn Source,
    packed: u64,
    budget: &Budget,
    layer: &Layer,
    visit: Visit,
) -> Ending {
    match ZipIterable::try_new(&mut *source, Config::default()) {
        Ok(zip) => by_table(zip, packed, budget, layer, visit),
        Err(error) => from_the_front(source, &error, budget, layer, visit),
    }
}

fn by_table<R: Read + Seek>(
    mut zip: ZipIterable<R>,
    packed: u64,
    budget: &Budget,
    layer: &Layer,
    visit: Visit,
) -> Ending {
    let declared = zip.len();
    let mut ending = Ending::default();
    let files = match zip.files() {
        Ok(files) => files,
        Err(error) => return Ending { damage: Some(reason(&error)), ..ending },
    };
    // Entries that together take more bytes than the archive has must share some.
    let mut unused = packed;
    for shown in 0..declared {
        let entry = match files.next() {
            Some(Ok(entry)) => OwnedZipFileEntry::from(entry),
            Some(Err(error)) => {
                ending.damage = Some(reason(&error));
                ending.left = Some((declared - shown) as u64);
                return ending;
            }
            None => break,
        };
        let size = entry.as_ref().compressed_size();
        let forged = unused.checked_sub(size).is_none().then(|| forged(size, packed));
        unused = if forged.is_some() { unused } else { unused - size };
        if show(&entry, forged, files.reader_mut(), budget, visit) == ControlFlow::Break(())
            || layer.must_stop()
        {
            ending.left = Some((declared - shown - 1) as u64);
            return ending;
        }
    }
    ending
}

fn forged(size: u64, packed: u64) -> &'static str {
    if size > packed {
        return "reaches past the end of its archive: cut off, or forged";
    }
    "overlaps another entry of its archive: a zip bomb, or forged"
}

/// Shows one entry of the table.
fn show<R: Read + Seek>(
    entry: &OwnedZipFileEntry,
    forged: Option<&str>,
    reader: &mut R,
    budget: &Budget,
    visit: Visit,
) -> ControlFlow<()> {
    let view = entry.as_ref();
    let label = match view.name() {
        Ok(name) => label(&name),
        Err(_) => label(&String::from_utf8_lossy(view.name_raw())),
    };
    if view.is_dir() {
        return visit(Entry { label, kind: Kind::Folder });
    }
    if let Some(what) = view.unix_mode().and_then(special) {
        return visit(Entry { label, kind: Kind::Left(Outcome::Skipped, what.into()) });
    }
    if let Some(what) = forged {
        return visit(Entry { label, kind: Kind::Left(Outcome::Failed, what.into()) });
    }
    let _layer = budget.layer(Scope::Entry, view.compressed_size());
    // A borrowed entry: the crate reads an owned one to its end when it is dropped.
    match view.with_reader(reader, ZipReadOptions::new()) {
        Ok(file) => {
            let mut content = Metered::new(file, budget);
            visit(Entry { label, kind: Kind::File(&mut content) })
        }
        Err(error) => {
            visit(Entry { label, kind: Kind::Left(Outcome::Failed, reason(&error).into()) })
        }
    }
}

/// Returns what a Unix mode says an entry is, if that is neither a file nor a folder.
fn special(mode: u32) -> Option<&'static str> {
    match mode & 0o170_000 {
        0o120_000 => Some("symbolic link in an archive: not followed"),
        0o020_000 | 0o060_000 => Some("special file: a device"),
        0o010_000 => Some("special file: a pipe"),
        0o140_000 => Some("special file: a socket"),
        _ => None,
    }
}

/// Reads what is left of a zip without its table, up to the first part that makes no sense.
fn from_the_front(
    source: &mut dyn Source,
    why: &ZipError,
    budget: &Budget,
    layer: &Layer,
    visit: Visit,
) -> Ending {
    let damage =
        format!("cut off or damaged: its table of contents cannot be read ({})", reason(why));
    let ending = Ending { damage: Some(damage), ..Ending::default() };
    if source.seek(SeekFrom::Start(0)).is_err() {
        return ending;
    }
    let mut source = std::io::BufReader::new(source);
    // Without the table, the next entry is found only behind the one before it.
    while let Ok(Some(file)) = read_zipfile_from_stream(&mut source) {
        let label = file.name().map_or_else(|_| label(""), |name| label(&name));
        let _layer = budget.layer(Scope::Entry, file.compressed_size());
        let flow = if file.is_dir() {
            visit(Entry { label, kind: Kind::Folder })
        } else {
            visit(Entry { label, kind: Kind::File(&mut Metered::new(file, budget)) })
        };
        if flow == ControlFlow::Break(()) || layer.must_stop() {
            break;
        }
    }
    ending
}

fn reason(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => trouble(error),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            "encrypted; unpack it with its password first".to_owned()
        }
        ZipError::InvalidArchive(what) => sentence(what),
        ZipError::UnsupportedArchive(what) => sentence(what),
        other => other.to_string(),
    }
}
