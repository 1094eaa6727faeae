//! Writing of Arrow: the rows that stay, as a file or a stream, with the schema, metadata and packing of the input.
//!
//! Batches are those of the input without the rows that go, unless one would take too much memory: then it becomes several.
//! A batch of which nothing stays is left out. Metadata of single messages is not known to the library, and not kept.
//!
//! Cost: memory for the rows of a batch twice, and for its packed form.

use std::fmt::Debug;
use std::io::BufWriter;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::ArrowError;
use arrow_select::concat::concat_batches;
use fanmill_disk::replace::DiskFile;
use fanmill_text::{Error, Result};

use super::cells::{self, Table, TableContent};
use super::fault::{Fault, ReadResult, guarded};
use super::ipc::Ipc;
use super::ipc_rows::most;
use super::kept_rows::{KeptRows, lost, refused};
use super::raw_out::Files;
use super::{Options, OutputForm, lower};
use crate::record::RecordAction;

/// Size of a batch in memory, in batches that are read; a few more rows may be added.
const GATHERED_BATCHES: usize = 8;
/// Number of bytes of rows that always make one batch, if they were one.
const LEAST_BYTES: usize = 1 << 20;

/// A writer of the rows of a shard.
#[derive(Debug)]
pub(super) struct IpcOut {
    out: Out,
    /// The form of the rows.
    rows: KeptRows,
    /// Rows of the batch that is not written yet, and their bytes.
    gathered: (Vec<RecordBatch>, usize),
    /// Maximum number of bytes of a batch.
    most: usize,
}

/// A file or a stream that is written.
enum Out {
    File(FileWriter<BufWriter<DiskFile>>),
    Stream(StreamWriter<BufWriter<DiskFile>>),
}

impl Debug for Out {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Out::File(_) => "File",
            Out::Stream(_) => "Stream",
        })
    }
}

impl Out {
    /// Begins a file or a stream like `input`.
    fn new(
        input: &Ipc,
        rows: &KeptRows,
        packed: IpcWriteOptions,
        file: DiskFile,
    ) -> ArrowResult<Out> {
        let (file, schema) = (BufWriter::with_capacity(1 << 16, file), &rows.schema);
        if !input.is_file() {
            return StreamWriter::try_new_with_options(file, schema, packed).map(Out::Stream);
        }
        let mut out = FileWriter::try_new_with_options(file, schema, packed)?;
        for (key, value) in &input.entries {
            out.write_metadata(key.clone(), value.clone());
        }
        Ok(Out::File(out))
    }

    fn write(&mut self, rows: &RecordBatch) -> ArrowResult<()> {
        match self {
            Out::File(out) => out.write(rows),
            Out::Stream(out) => out.write(rows),
        }
    }

    fn finish(self) -> ArrowResult<BufWriter<DiskFile>> {
        match self {
            Out::File(out) => out.into_inner(),
            Out::Stream(out) => out.into_inner(),
        }
    }
}

type ArrowResult<T> = std::result::Result<T, ArrowError>;

impl IpcOut {
    /// Begins to write to `path` what is read from `input`.
    ///
    /// # Errors
    /// If the input's metadata cannot be read, or the file cannot be made.
    pub(super) fn create(
        input: &Path,
        files: &dyn Files,
        path: &Path,
        options: &Options,
        writes: OutputForm,
    ) -> ReadResult<IpcOut> {
        let own = Ipc::open(input, most(options))?;
        let rows = KeptRows::new(&own.schema, writes, path);
        let codec = Ipc::open(input, most(options))?.codec();
        let packed = IpcWriteOptions::default().try_with_compression(codec);
        let packed = packed.map_err(|error| refused(path, &error))?;
        let out = Out::new(&own, &rows, packed, files.make(path)?);
        let out = out.map_err(|error| refused(path, &error))?;
        let most = options.batch_bytes.saturating_mul(GATHERED_BATCHES).max(LEAST_BYTES);
        Ok(IpcOut { out, rows, gathered: (Vec::new(), 0), most })
    }

    /// Writes what the actions leave; `wrong` makes an error from a row's number and a reason.
    pub(super) fn write(
        &mut self,
        table: &Table,
        actions: &[RecordAction<'_>],
        wrong: &dyn Fn((usize, String)) -> Error,
    ) -> Result<()> {
        match &table.holds {
            TableContent::Values => {}
            TableContent::Damaged(what) => return lost(what, actions).map_err(wrong),
            // Groups of rows are not copied, and no row is passed over.
            TableContent::TooLong | TableContent::Needed(_) | TableContent::Nothing(_) => {
                return Ok(());
            }
        }
        let rows = self.rows.of(table, actions, wrong)?;
        if rows.num_rows() > 0 {
            self.gathered.1 += cells::n_bytes(&rows);
            self.gathered.0.push(rows);
        }
        if table.is_last || self.gathered.1 >= self.most { self.flush() } else { Ok(()) }
    }

    /// Writes the rows that were gathered, as one batch.
    fn flush(&mut self) -> Result<()> {
        let (batches, _) = std::mem::take(&mut self.gathered);
        let IpcOut { out, rows, .. } = self;
        let written = guarded(|| match &batches[..] {
            [] => Ok(()),
            [one] => out.write(one),
            many => out.write(&concat_batches(&rows.schema, many)?),
        });
        written.map_err(|fault| not_written(fault, &rows.path))
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        let path = self.rows.path;
        let out = self.out.finish().map_err(|error| refused(&path, &error))?;
        let file = out.into_inner().map_err(|error| refused(&path, &lower(&error)))?;
        file.sync().map_err(|error| Error::io("write", &path, error))
    }
}

/// Returns the error for rows that could not be written.
fn not_written(fault: Fault, path: &Path) -> Error {
    match fault {
        Fault::Damage(what) => refused(path, &what),
        Fault::Error(error) => error,
    }
}
