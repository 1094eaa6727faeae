//! Writing of bytes as they were read, except for records that are removed or changed.

use std::io::Write;
use std::path::{Path, PathBuf};

use fanmill_disk::replace::DiskFile;
use fanmill_text::{Error, Result};

use super::OutputForm;
use super::batch::Raw;
use crate::record::{ClusterSize, RecordAction};
use fanmill_disk::packing::Packing;
use fanmill_disk::packing::packed::{PackOptions, PackWriter};

/// A shard's file in the output.
#[derive(Debug)]
pub(super) struct RawOut {
    out: PackWriter,
    path: PathBuf,
    /// A changed record, as it is to be written.
    changed: Vec<u8>,
    /// If these are marks, each row of a table gets more columns, and its header, too.
    rows: OutputForm,
}

/// Makes the files of an output.
pub trait Files: std::fmt::Debug + Sync {
    /// Makes a file and the folders above it; `name` is its path in the output.
    ///
    /// # Errors
    /// If something of that name exists, or the disk refuses.
    fn make(&self, name: &Path) -> Result<DiskFile>;

    /// Makes sure that all files are on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    fn sync_all(&self) -> Result<()>;
}

impl RawOut {
    pub(super) fn create(
        files: &dyn Files,
        path: &Path,
        (packing, packs): (Packing, PackOptions),
        rows: OutputForm,
    ) -> Result<RawOut> {
        let out = packing.pack(files.make(path)?, packs);
        Ok(RawOut { out, path: path.to_owned(), changed: Vec::new(), rows })
    }

    /// Writes a stretch; `wrong` makes an error from a record's number in it and a reason.
    pub(super) fn write(
        &mut self,
        raw: &Raw,
        actions: &[RecordAction<'_>],
        wrong: &dyn Fn((usize, String)) -> Error,
    ) -> Result<()> {
        if self.rows == OutputForm::Alone {
            return self.write_alone(raw, actions);
        }
        let marks_rows = self.rows.has_marks();
        // Bytes from here on have not been written, and stay as they are up to the next change.
        let mut from = 0;
        if marks_rows && raw.header > 0 {
            self.changed.clear();
            raw.parser().mark_header(&raw.bytes[..raw.header], self.rows, &mut self.changed);
            self.put_changed(raw)?;
            from = raw.header;
        }
        for (i, (item, action)) in raw.items.iter().zip(actions).enumerate() {
            let action = match action {
                RecordAction::Keep => match self.rows {
                    OutputForm::Records | OutputForm::Alone => continue,
                    OutputForm::Marks => &RecordAction::Mark(None),
                    OutputForm::RunMarks => &RecordAction::MarkRuns(None),
                    OutputForm::Sizes => &RecordAction::MarkSize(ClusterSize::ALONE),
                },
                other => other,
            };
            self.put(raw, from, item.start)?;
            from = item.full_end;
            if *action == RecordAction::Remove {
                continue;
            }
            let record = &raw.bytes[item.start..item.end];
            self.changed.clear();
            raw.parser()
                .edit(record, action, &mut self.changed)
                .map_err(|reason| wrong((i, reason)))?;
            self.changed.extend_from_slice(&raw.bytes[item.end..item.full_end]);
            self.put_changed(raw)?;
        }
        self.put(raw, from, raw.bytes.len())
    }

    /// Writes the header and the records that stay, as they are.
    fn write_alone(&mut self, raw: &Raw, actions: &[RecordAction<'_>]) -> Result<()> {
        self.put(raw, 0, raw.header)?;
        for (item, action) in raw.items.iter().zip(actions) {
            if *action != RecordAction::Remove {
                self.put(raw, item.start, item.full_end)?;
            }
        }
        Ok(())
    }

    /// Writes the changed form of a record of the stretch.
    fn put_changed(&mut self, raw: &Raw) -> Result<()> {
        let RawOut { out, changed, .. } = self;
        let written = if raw.members.is_empty() {
            out.write_all(changed)
        } else {
            out.next_member().and_then(|()| out.write_whole(changed))
        };
        written.map_err(|error| Error::io("write", &self.path, error))
    }

    /// Writes bytes of a stretch as they are; each record that is a member becomes one of its own.
    fn put(&mut self, raw: &Raw, from: usize, to: usize) -> Result<()> {
        let trouble = |error| Error::io("write", &self.path, error);
        if raw.members.is_empty() {
            return self.out.write_all(&raw.bytes[from..to]).map_err(trouble);
        }
        let first = raw.members.partition_point(|&start| start < from);
        let mut from = from;
        for &start in raw.members[first..].iter().take_while(|&&start| start < to) {
            self.out.write_whole(&raw.bytes[from..start]).map_err(trouble)?;
            self.out.next_member().map_err(trouble)?;
            from = start;
        }
        self.out.write_whole(&raw.bytes[from..to]).map_err(trouble)
    }

    pub(super) fn finish(self) -> Result<()> {
        let RawOut { out, path, .. } = self;
        out.finish().map_err(|error| Error::io("write", path, error))
    }
}
