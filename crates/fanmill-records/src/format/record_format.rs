//! Reading and writing files of many records, whatever their format.

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;

use fanmill_text::{Error, Result};

use super::batch::Content;
use super::raw_out::{Files, RawOut};
use super::stamp::Stamp;
use super::{Columns, Format, GroupAction, Options, OutputForm};
use crate::record::RecordAction;
use fanmill_disk::packing::Packing;

/// A format whose files have many records.
///
/// To add one, copy a file of `formats/`, change it, and list it in `formats/mod.rs`. A format whose files are one
/// record each implements [`LooseFormat`](super::text_file::LooseFormat) instead.
pub(super) trait RecordFormat: Sync {
    /// Returns its name, and how its files are recognised.
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

    /// Begins to write what is read from `input` to a file called `path`: by default, the bytes that were read.
    ///
    /// # Errors
    /// If the file cannot be made, or the format cannot hold what is to be written.
    fn create<'a>(
        &self,
        input: Input<'_>,
        (files, path): (&'a dyn Files, &Path),
        options: &Options,
        writes: OutputForm,
    ) -> Result<Box<dyn Sink + 'a>> {
        let rows = match writes {
            writes if writes.has_marks() && !self.format().is_table() => OutputForm::Records,
            writes => writes,
        };
        let packing = (input.packing, options.packs());
        Ok(Box::new(RawOut::create(files, path, packing, rows)?))
    }

    /// Checks that a file can be written again as `writes` says, before anything is read for it.
    ///
    /// # Errors
    /// If the format cannot hold what is to be written.
    fn check_output(&self, _input: Input<'_>, _writes: OutputForm) -> Result<()> {
        Ok(())
    }

    /// Returns the reason why the records of a file cannot get another text; `None` if they can. Only its beginning is
    /// read.
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
    /// Replaces `content` by the next records; returns false, and leaves nothing in it, at the end.
    ///
    /// # Errors
    /// If the shard cannot be read further.
    fn next(&mut self, content: &mut Content) -> Result<bool>;

    /// Decides the action on each row group by the numbers of its records; does nothing in formats without groups.
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

/// Decides the action on the row group with these records.
pub(super) type ChooseGroup<'c> = &'c mut dyn FnMut(Range<u64>) -> Result<GroupAction>;

/// Makes an error from a record's number in its batch and a reason.
pub(super) type Wrong<'w> = &'w dyn Fn((usize, String)) -> Error;

/// Writes the records of a shard, batch by batch.
pub(super) trait Sink: Debug + Send {
    /// Returns whether it can copy the row groups of its shard as they are.
    fn copies_groups(&self) -> bool {
        false
    }

    /// Writes what was read as the actions say; returns false if it is of another format.
    ///
    /// # Errors
    /// If the disk refuses, or a record cannot be changed as it should be.
    fn write(
        &mut self,
        content: &Content,
        actions: &[RecordAction<'_>],
        wrong: Wrong<'_>,
    ) -> Result<bool>;

    /// Ends the shard; returns false if files that lie beside its records have changed since they were found.
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
