//! Files of many records of which nothing can be read: one record that fails, and no output.

use fanmill_text::Result;

use super::batch::Content;
use super::record_format::{Sink, Source, Wrong};
use crate::record::RecordAction;

/// An unreadable file, as one record that fails for this reason.
#[derive(Debug)]
pub(super) struct Damaged(Option<String>);

impl Damaged {
    /// Returns such a file, unreadable for this reason.
    pub(super) fn new(why: String) -> Damaged {
        Damaged(Some(why))
    }
}

/// The output of such a file: none.
#[derive(Debug)]
pub(super) struct NoRows;

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
