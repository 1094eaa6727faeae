//! Reading and writing files of many records, whatever their format.

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;

use fanmill_text::{Error, Result};

use super::batch::Content;
use super::raw_out::{Files, RawOut};
use super::stamp::Stamp;
use super::{Columns, Format, GroupAction, Options, Writes};
use crate::record::RecordAction;
use fanmill_disk::packing::Packing;

/// A format of files that have many records.
///
/// To add one, copy a file of `formats/`, change it, and list it in `formats/mod.rs`. One of which each file is a
/// record implements [`LooseFormat`](super::text_file::LooseFormat) instead.
pub(super) trait RecordFormat: Sync {
    /// Its name, and how its files are recognised.
    fn format(&self) -> Format;

    /// Opens a file from its beginning.
    ///
    /// # Errors
    /// If it cannot be opened, or lacks what `options` ask for.
    fn open(
        &self,
        input: Input<'_>,
        options: &Options,
        columns: Columns,
    ) -> Result<Box<dyn Source>>;

    /// Begins to write what is read of `input` to a file called `path`: by default, as bytes that were read.
    ///
    /// # Errors
    /// If the file cannot be made, or the format cannot have what is to be written.
    fn create<'a>(
        &self,
        input: Input<'_>,
        (files, path): (&'a dyn Files, &Path),
        options: &Options,
        writes: Writes,
    ) -> Result<Box<dyn Sink + 'a>> {
        let marks_rows = self.format().is_table() && writes == Writes::Marks;
        let packing = (input.packing, options.packs());
        Ok(Box::new(RawOut::create(files, path, packing, marks_rows)?))
    }

    /// Why the records of a file cannot get another text; `None` if they can. Only its beginning is looked at.
    ///
    /// # Errors
    /// If it cannot be read, or lacks what `options` ask for.
    fn unchangeable(&self, _input: Input<'_>, _options: &Options) -> Result<Option<String>> {
        Ok(None)
    }
}

/// A file of many records.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) path: &'a Path,
    pub(super) packing: Packing,
}

/// Reads the records of a shard, batch by batch.
pub(super) trait Source: Debug + Send {
    /// Replaces `content` by the next records; false, and nothing in it, at the end.
    ///
    /// # Errors
    /// If the shard cannot be read on.
    fn next(&mut self, content: &mut Content) -> Result<bool>;

    /// Decides what becomes of each row group, by the numbers of its records; nothing in formats without groups.
    ///
    /// # Errors
    /// If `choose` fails.
    fn choose_groups(&mut self, _choose: ChooseGroup<'_>) -> Result<()> {
        Ok(())
    }

    /// Returns the state of its files when they were read, if it looks at them itself.
    fn stamp(&self) -> Option<Stamp> {
        None
    }
}

/// Decides what becomes of the row group that has these records.
pub(super) type ChooseGroup<'c> = &'c mut dyn FnMut(Range<u64>) -> Result<GroupAction>;

/// Makes an error of a record's number in its batch and a reason.
pub(super) type Wrong<'w> = &'w dyn Fn((usize, String)) -> Error;

/// Writes the records of a shard, batch by batch.
pub(super) trait Sink: Debug + Send {
    /// Says if it can copy the row groups of its shard as they are.
    fn copies_groups(&self) -> bool {
        false
    }

    /// Writes what was read as the actions say; false if it is of another format.
    ///
    /// # Errors
    /// If the disk refuses, or a record cannot be changed as it should.
    fn write(
        &mut self,
        content: &Content,
        actions: &[RecordAction<'_>],
        wrong: Wrong<'_>,
    ) -> Result<bool>;

    /// Ends the shard; false if files that lie beside its records have changed since they were found.
    ///
    /// # Errors
    /// If the disk refuses.
    fn finish(self: Box<Self>) -> Result<bool>;
}

impl Sink for RawOut {
    fn write(
        &mut self,
        content: &Content,
        actions: &[RecordAction<'_>],
        wrong: Wrong<'_>,
    ) -> Result<bool> {
        let Content::Raw(raw) = content else { return Ok(false) };
        self.write(raw, actions, wrong).map(|()| true)
    }

    fn finish(self: Box<Self>) -> Result<bool> {
        RawOut::finish(*self).map(|()| true)
    }
}
