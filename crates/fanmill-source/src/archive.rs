//! Archives, read in place: each entry is shown to a visitor as a label and a stream of bytes.
//!
//! Nothing is written to disk and no name from an archive is ever opened. Sizes that an archive declares are not
//! trusted: a [layer](crate::limits::Layer) counts what comes out of each decoder, and memory is taken as bytes arrive.
//! Unreadable parts are reported entry by entry where the format allows it (zip), otherwise from there to the end (tar,
//! gzip and Zstandard are one stream).
//!
//! Cost: one pass, and memory for one block; a zip's own table is walked, not loaded.

mod mailbox;
mod tar;
mod packed;
mod zip;

use fanmill_text::message::Message;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use crate::limits::{Budget, Scope};
use crate::sniff::Format;
use fanmill_text::document::Outcome;
use fanmill_text::foreign::caught;

/// The reason given when a decoder panics.
pub(super) const READER_GAVE_UP: &str =
    "the reader gave up on it (a fault of ours: please report it)";

/// Bytes of an archive: a file, or an entry held in memory.
pub(super) trait Source: Read + Seek {}

impl<T: Read + Seek> Source for T {}

/// One entry; valid while the visitor looks at it.
pub(super) struct Entry<'e> {
    /// The entry's name, made safe by [`label`](crate::label::label); not unique.
    pub(super) label: String,
    pub(super) kind: Kind<'e>,
}

/// Kind of an entry.
pub(super) enum Kind<'e> {
    Folder,
    /// A file's bytes, counted as they are read. They need not be read to the end.
    File(&'e mut dyn Read),
    /// An entry that cannot or must not be read, with the reason.
    Left(Outcome, Message),
}

/// A visitor of entries; `Break` ends the archive.
pub(super) type Visit<'v> = &'v mut dyn FnMut(Entry<'_>) -> ControlFlow<()>;

/// The end of reading an archive. If all fields are empty, it was read to its end and nothing was lost.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// The limit that stopped it.
    pub(super) stopped: Option<Message>,
    /// Damage to the archive itself.
    pub(super) damage: Option<String>,
    /// A guess that was needed to read it.
    pub(super) remark: Option<Message>,
    /// Number of entries not shown, where the archive says how many there are.
    pub(super) left: Option<u64>,
}

/// Shows every entry of an archive called `name` to `visit`, in the archive's order.
///
/// A panic in a decoder ends this archive, not the run; the entries shown before it stay.
pub(super) fn each_entry(
    format: Format,
    name: &str,
    source: &mut dyn Source,
    budget: &Budget,
    visit: Visit,
) -> Ending {
    let packed = match length(source) {
        Ok(packed) => packed,
        Err(error) => return Ending { damage: Some(trouble(&error)), ..Ending::default() },
    };
    let layer = budget.layer(Scope::Archive, packed);
    let read = || match format {
        Format::Zip => zip::each_entry(source, packed, budget, &layer, visit),
        Format::Tar => tar::each_entry(source, &layer, visit),
        Format::Mailbox => mailbox::each_entry(source, budget, &layer, visit),
        Format::Packed(packing) => packed::each_entry(packing, name, source, budget, &layer, visit),
    };
    // The visitor and the budget stay usable after a panic: they change by whole values only.
    let mut ending = caught(read)
        .unwrap_or_else(|| Ending { damage: Some(READER_GAVE_UP.to_owned()), ..Ending::default() });
    if layer.must_stop() {
        // Bytes refused by a limit look like damage to a decoder.
        ending.damage = None;
        ending.stopped = budget.over();
    }
    ending
}

/// Returns the single top-level folder that holds everything else in an archive; platforms wrap exports this way.
///
/// `skip` selects the entries that do not count. A damaged archive is judged by what can be read.
pub(super) fn wrapper(
    format: Format,
    name: &str,
    source: &mut dyn Source,
    limits: &crate::Limits,
    skip: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let scout = Budget::new(limits.clone());
    let mut found: Option<String> = None;
    let mut single = true;
    each_entry(format, name, source, &scout, &mut |entry: Entry<'_>| {
        if skip(&entry.label) {
            return ControlFlow::Continue(());
        }
        let (top, inside) = match (entry.label.split_once('/'), &entry.kind) {
            (Some((top, _)), _) => (top, true),
            (None, kind) => (entry.label.as_str(), matches!(kind, Kind::Folder)),
        };
        single &= inside && found.as_ref().is_none_or(|known| known == top);
        found.get_or_insert_with(|| top.to_owned());
        if single && scout.count_entry() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    found.filter(|_| single)
}

fn length(source: &mut dyn Source) -> io::Result<u64> {
    let length = source.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(0))?;
    Ok(length)
}

/// Describes an error of a decoder or of the disk in words that fit into a sentence.
pub(super) fn trouble(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return "cut off: it ends too early".to_owned();
    }
    let words = sentence(&error.to_string());
    match error.kind() {
        io::ErrorKind::Unsupported => format!("{words}; repack it"),
        _ => words,
    }
}

/// Lowercases the first letter of a crate's words, unless they begin with an abbreviation.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
