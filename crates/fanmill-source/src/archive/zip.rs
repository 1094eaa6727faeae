//! zip: entries found by the table at the end, or one by one from the front if the table is lost.
//!
//! A name with the flag for UTF-8, or with Info-ZIP's Unicode Path field (0x7075) whose checksum fits, is taken as it is; the
//! `zip` crate reads that field, and sets the flag. All other names of the archive are in one encoding, which is guessed
//! ([`crate::legacy_names`]) when the first of them is met that is not ASCII; the table is then walked once more.
//!
//! Cost: one walk over the table, or two.
//! Source: APPNOTE.TXT of PKWARE, "general purpose bit flag" (bit 11), "Info-ZIP Unicode Path Extra Field".

use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use ::zip::ZipReadOptions;
use ::zip::read::{Config, OwnedZipFileEntry, read_zipfile_from_stream};
use ::zip::result::ZipError;
use ::zip::unstable::read::ZipIterable;

use super::{Ending, Entry, Kind, Source, Visit, sentence, trouble};
use crate::label::{DistinctText, label};
use crate::legacy_names::{NameEncoding, NameSample, UTF8_FLAG};
use crate::limits::{Budget, Layer, Metered, Scope};
use fanmill_text::document::Outcome;
use fanmill_text::message;
use fanmill_text::message::Message;

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
    let mut names = Names::default();
    let mut files = match zip.files() {
        Ok(files) => files,
        Err(error) => return Ending { damage: Some(reason(&error)), ..ending },
    };
    // Entries that together take more bytes than the archive has must share some.
    let mut unused = packed;
    for shown in 0..declared {
        let mut next = files.next();
        if let Some(Ok(entry)) = &next
            && names.lacks_guess(entry.name_raw(), entry.flags().as_u16())
        {
            names.guess(&legacy_names(&mut zip));
            ending.remark = names.remark();
            files = match zip.files() {
                Ok(files) => files,
                Err(error) => return Ending { damage: Some(reason(&error)), ..ending },
            };
            next = files.nth(shown);
        }
        let entry = match next {
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
        let view = entry.as_ref();
        let name = names.label(view.name_raw(), view.flags().as_u16());
        if show(&entry, name, forged, files.reader_mut(), budget, visit) == ControlFlow::Break(())
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

/// Collects the names that do not say what encoding they are in, up to the first entry that cannot be read.
fn legacy_names<R: Read + Seek>(zip: &mut ZipIterable<R>) -> NameSample {
    let mut sample = NameSample::default();
    for entry in zip.files().into_iter().flatten().map_while(Result::ok) {
        sample.add(entry.name_raw(), entry.flags().as_u16());
    }
    sample
}

/// The names of one archive as text.
#[derive(Default)]
struct Names {
    guess: Option<NameEncoding>,
    /// Those that do not fit their encoding.
    others: DistinctText,
}

impl Names {
    /// Returns whether a name must be decoded by a guess that has not been made.
    fn lacks_guess(&self, name: &[u8], flags: u16) -> bool {
        self.guess.is_none() && !name.is_ascii() && flags & UTF8_FLAG == 0
    }

    fn guess(&mut self, sample: &NameSample) {
        self.guess = Some(sample.guess());
    }

    /// Returns the remark on names that are a guess.
    fn remark(&self) -> Option<Message> {
        let encoding = self.guess?.guessed()?;
        Some(message![(
            "the encoding of the names in it is a guess: {}; save them as UTF-8 to be sure",
            encoding
        )])
    }

    /// Returns the label of a name, and whether it is that of a folder. A raw name may end in the byte of a backslash
    /// and mean another character.
    fn label(&mut self, name: &[u8], flags: u16) -> (String, bool) {
        match self.guess.unwrap_or(NameEncoding::UTF_8).decode(name, flags) {
            Some(text) => (label(&text), text.ends_with(['/', '\\'])),
            None => (self.others.label(name), name.ends_with(b"/")),
        }
    }
}

/// Shows one entry of the table.
fn show<R: Read + Seek>(
    entry: &OwnedZipFileEntry,
    (label, is_folder): (String, bool),
    forged: Option<&str>,
    reader: &mut R,
    budget: &Budget,
    visit: Visit,
) -> ControlFlow<()> {
    let view = entry.as_ref();
    if is_folder {
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
    let mut ending = Ending { damage: Some(damage), ..Ending::default() };
    if source.seek(SeekFrom::Start(0)).is_err() {
        return ending;
    }
    let mut source = std::io::BufReader::new(source);
    let mut names = Names::default();
    // Without the table, the next entry is found only behind the one before it, so the first name has to do for a guess.
    while let Ok(Some(file)) = read_zipfile_from_stream(&mut source) {
        let (raw, flags) = (file.name_raw(), file.flags().as_u16());
        if names.lacks_guess(raw, flags) {
            let mut sample = NameSample::default();
            sample.add(raw, flags);
            names.guess(&sample);
            ending.remark = names.remark();
        }
        let (label, is_folder) = names.label(raw, flags);
        let _layer = budget.layer(Scope::Entry, file.compressed_size());
        let flow = if is_folder {
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
