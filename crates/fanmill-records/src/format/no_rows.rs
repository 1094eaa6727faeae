//! Files of many records of which nothing can be read: one record that fails, and no output.

use fanmill_text::Result;

use super::batch::Content;
use super::fault::{Fault, ReadResult, unreadable};
use super::record_format::{Sink, Source, Wrong};
use crate::record::RecordAction;

/// An unreadable file, as one record that fails for this reason.
#[derive(Debug)]
struct Damaged(Option<String>);

/// The output of such a file: none.
#[derive(Debug)]
struct NoRows;

/// Returns the reader of a file in columns, or of the one record that it is if it is damaged; `kind` is the file's.
///
/// # Errors
/// If it cannot be opened for another reason.
pub(super) fn source<S: Source + 'static>(
    opened: ReadResult<S>,
    kind: &str,
) -> Result<Box<dyn Source>> {
    match opened {
        Ok(rows) => Ok(Box::new(rows)),
        Err(Fault::Damage(what)) => Ok(Box::new(Damaged(Some(unreadable(kind, &what))))),
        Err(Fault::Error(error)) => Err(error),
    }
}

/// Returns the writer of a file in columns, or of nothing if the input is damaged.
///
/// # Errors
/// If it cannot be made for another reason.
pub(super) fn sink<'a, S: Sink + 'a>(created: ReadResult<S>) -> Result<Box<dyn Sink + 'a>> {
    match created {
        Ok(out) => Ok(Box::new(out)),
        Err(Fault::Damage(_)) => Ok(Box::new(NoRows)),
        Err(Fault::Error(error)) => Err(error),
    }
}

impl Source for Damaged {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        let raw = content.raw();
        let damage = self.0.take();
        let is_there = damage.is_some();
        if is_there {
            raw.push(0, 0, 0, 0, damage);
        }
        Ok(is_there)
    }
}

impl Sink for NoRows {
    fn write(&mut self, _: &Content, _: &[RecordAction<'_>], _: Wrong<'_>) -> Result<bool> {
        Ok(true)
    }

    fn finish(self: Box<Self>) -> Result<bool> {
        Ok(true)
    }
}
