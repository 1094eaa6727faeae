//! Parquet: records in columns.
//!
//! Columns that a job does not ask for are not unpacked. The output has the schema, the metadata and the codecs of the
//! input; row groups are smaller where theirs would take too much memory, and pages are packed anew. A row group whose
//! rows all stay is copied as it is: only the columns that records are made of are unpacked, and none if nobody has to
//! look at its records ([`GroupAction`]).
//!
//! Damage ends the reading of its row group only: the rows left in it are records that fail.
//!
//! Cost: memory for one and a half batches, twice that while rows are put together, and for the pages that they lie in,
//! none above its limit ([`parts`](super::parts)); and for a row group of the output.

use std::collections::VecDeque;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use fanmill_text::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelectionPolicy, RowSelector,
};

use super::cells::{self, Place, Plan, Table, TableContent, without_columns};
use super::fault::{Fault, ReadResult, guarded};
use super::parquet_file::{PARQUET, open};
use super::parts::{MeasureOptions, Part, parts};
use super::strings::as_bytes;
use super::{Columns, GroupAction, Options};

/// Approximate number of bytes that a column of some rows takes besides its values.
const BESIDE: usize = 512;
/// Maximum number of rows that a damaged group may have for them to be counted as records that failed. A group with
/// more ends the run: the number may be part of the damage.
const MOST_LOST: usize = 1 << 24;
/// Maximum number of rows in a batch.
const MAX_ROWS: usize = 1 << 16;

/// A reader of the rows of a file.
pub(super) struct Rows {
    path: PathBuf,
    file: File,
    metadata: ArrowReaderMetadata,
    /// The metadata with bytes in place of strings.
    as_bytes: ArrowReaderMetadata,
    /// The columns that are read.
    columns: Projection,
    /// The columns that are read of row groups to be copied.
    needed: Projection,
    /// The column of the text, unless that is made of several values.
    text: Option<usize>,
    options: Options,
    /// The action on each row group; groups behind the last have actions for each row.
    actions: Vec<GroupAction>,
    /// The row group whose parts come next.
    next_group: usize,
    /// Parts of the current row group that have not been read, the next one last.
    parts: Vec<Part>,
    /// Number of rows of the current row group that are not read at all.
    n_unread: usize,
    /// Number of rows of the current row group that were given out.
    n_given: usize,
    /// Number of rows of the current row group that damage has made unreadable, and the damage.
    lost: (usize, Arc<str>),
    reading: Option<Reading>,
}

/// A step of reading a file.
enum Step {
    /// The next rows.
    Rows(Table),
    /// A part or a row group has begun.
    Begun,
    /// There are no more rows.
    End,
}

/// Columns that are read.
struct Projection {
    /// Their numbers among all columns that have values, ascending.
    leaves: Vec<usize>,
    /// Their schema.
    schema: SchemaRef,
    /// Places of the parts of a record among them.
    plan: Arc<Plan>,
}

/// A part of a row group that is being read.
struct Reading {
    /// Rows that have not been given out.
    left: Range<usize>,
    /// Those of them that are passed over.
    too_long: VecDeque<Range<usize>>,
    input: ParquetRecordBatchReader,
    /// Rows that were read but not given out.
    read: VecDeque<RecordBatch>,
    /// True if rows that were read one after another can be put together, as far as is known.
    can_join: bool,
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Rows {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is damaged, or lacks what `options` ask for.
    pub(super) fn open(path: &Path, options: &Options, columns: Columns) -> ReadResult<Rows> {
        let (file, metadata) = open(path)?;
        let plan = Plan::new(path, metadata.schema(), options)?;
        let schema = metadata.parquet_schema();
        let leaves = |place: &Place| {
            let (name, leaves) = (place.name(), place.leaves(schema));
            let damage = || Fault::Damage(format!("column `{name}` has no values"));
            if leaves.is_empty() { Err(damage()) } else { Ok(leaves) }
        };
        let text = leaves(&plan.text)?.first().copied().filter(|_| !plan.text.has_lists());
        let mut needed = plan.places().map(leaves).collect::<ReadResult<Vec<_>>>()?.concat();
        needed.sort_unstable();
        needed.dedup();
        let read = |leaves: Vec<usize>| {
            // Places are counted among the columns that are read.
            let input = input(path, &file, &metadata, &leaves, (0, RowSelection::default(), 1))?;
            let schema = arrow_array::RecordBatchReader::schema(&input);
            let plan = Arc::new(Plan::new(path, &schema, options)?);
            Ok::<_, Fault>(Projection { leaves, schema, plan })
        };
        let columns = match columns {
            Columns::All => read((0..schema.num_columns()).collect())?,
            Columns::Needed => read(needed.clone())?,
        };
        let needed = read(needed)?;
        Ok(Rows {
            text,
            columns,
            needed,
            options: options.clone(),
            actions: Vec::new(),
            next_group: 0,
            parts: Vec::new(),
            n_unread: 0,
            n_given: 0,
            lost: (0, Arc::default()),
            reading: None,
            path: path.to_owned(),
            file,
            // The library's own strings are checked if it cannot give their bytes.
            as_bytes: guarded(|| as_bytes(&metadata)).unwrap_or_else(|_| metadata.clone()),
            metadata,
        })
    }

    /// Decides the action on each row group by the numbers of its rows.
    pub(super) fn choose(
        &mut self,
        mut choose: impl FnMut(Range<u64>) -> Result<GroupAction>,
    ) -> Result<()> {
        let mut start = 0;
        for group in self.metadata.metadata().row_groups() {
            let end = start + u64::try_from(group.num_rows()).unwrap_or(0);
            self.actions.push(choose(start..end)?);
            start = end;
        }
        Ok(())
    }

    /// Returns the next rows; `None` at the end. Rows that damage to their group has made unreadable are rows without
    /// values.
    ///
    /// # Errors
    /// If the file cannot be read further.
    pub(super) fn next(&mut self) -> Result<Option<Table>> {
        loop {
            match self.step() {
                Ok(Step::Rows(table)) => {
                    self.n_given += table.rows.num_rows();
                    return Ok(Some(table));
                }
                Ok(Step::Begun) => {}
                Ok(Step::End) => return Ok(None),
                Err(Fault::Damage(what)) => self.lose(&what)?,
                Err(Fault::Error(error)) => return Err(error),
            }
        }
    }

    /// Gives out the next rows, or begins a part or a row group.
    fn step(&mut self) -> ReadResult<Step> {
        // The current group is the one before `next_group`; a later one begins when it has nothing left.
        let group = self.next_group.saturating_sub(1);
        let action = self.action(group);
        if self.lost.0 > 0 {
            let n = self.lost.0.min(MAX_ROWS);
            self.lost.0 -= n;
            return Ok(self.without_values(n, TableContent::Damaged(Arc::clone(&self.lost.1))));
        }
        if self.n_unread > 0 {
            let n = self.n_unread.min(MAX_ROWS);
            self.n_unread -= n;
            return Ok(self.without_values(n, TableContent::Nothing(group)));
        }
        if let Some(reading) = &mut self.reading
            && let Some((rows, is_too_long)) = reading.next(self.options.batch_bytes)?
        {
            let holds = match action {
                GroupAction::Copied => TableContent::Needed(group),
                _ if is_too_long => TableContent::TooLong,
                _ => TableContent::Values,
            };
            if is_too_long {
                return Ok(self.without_values(rows.num_rows(), holds));
            }
            let Projection { schema, plan, .. } = self.read(action);
            return Table::new(&rows, schema, holds, Arc::clone(plan)).map(Step::Rows);
        }
        self.reading = None;
        match self.parts.pop() {
            Some(part) => self.reading = Some(self.begin_part(part)?),
            None if self.begin_group()? => {}
            None => return Ok(Step::End),
        }
        Ok(Step::Begun)
    }

    /// Gives up what is left of the current row group, which is damaged.
    ///
    /// # Errors
    /// If the number of its rows cannot be trusted.
    fn lose(&mut self, what: &str) -> Result<()> {
        let what = format!("row group {} is damaged: {what}", self.next_group);
        let n_rows = self.metadata.metadata().row_group(self.next_group - 1).num_rows();
        let n_rows = usize::try_from(n_rows).unwrap_or(0);
        let n_lost = n_rows.saturating_sub(self.n_given);
        if !(1..=MOST_LOST).contains(&n_lost) {
            return Err(Fault::Damage(what).into_error(&self.path, PARQUET));
        }
        self.reading = None;
        self.parts.clear();
        self.lost = (n_lost, what.into());
        Ok(())
    }

    /// Returns rows without values, as none was read.
    fn without_values(&self, n_rows: usize, holds: TableContent) -> Step {
        let plan = Arc::clone(&self.needed.plan);
        Step::Rows(Table::without_values(without_columns(n_rows), holds, plan))
    }

    fn action(&self, group: usize) -> GroupAction {
        self.actions.get(group).copied().unwrap_or(GroupAction::Rewritten)
    }

    /// Returns the columns that are read of a group with this action.
    fn read(&self, action: GroupAction) -> &Projection {
        if action == GroupAction::Rewritten { &self.columns } else { &self.needed }
    }

    /// Finds the parts of the next row group; returns false at the end.
    fn begin_group(&mut self) -> ReadResult<bool> {
        let Some(group) = self.metadata.metadata().row_groups().get(self.next_group) else {
            return Ok(false);
        };
        let action = self.action(self.next_group);
        self.next_group += 1;
        self.n_given = 0;
        if action == GroupAction::CopiedUnread {
            self.n_unread = usize::try_from(group.num_rows()).unwrap_or(0);
        } else {
            let Rows { text, options, path, .. } = &*self;
            let leaves = &self.read(action).leaves;
            let wanted = MeasureOptions { leaves, text: *text, options, path };
            let found = guarded(|| Ok::<_, String>(parts(&self.file, group, wanted)))?;
            self.parts = found?;
            self.parts.reverse();
        }
        Ok(true)
    }

    fn begin_part(&self, part: Part) -> ReadResult<Reading> {
        let Part { rows, n_at_once, too_long } = part;
        let mut selectors = vec![RowSelector::skip(rows.start)];
        let mut at = rows.start;
        for passed in &too_long {
            selectors.push(RowSelector::select(passed.start - at));
            selectors.push(RowSelector::skip(passed.len()));
            at = passed.end;
        }
        selectors.push(RowSelector::select(rows.end - at));
        let group = self.next_group - 1;
        let leaves = &self.read(self.action(group)).leaves;
        let what = (group, selectors.into(), n_at_once);
        let input = input(&self.path, &self.file, &self.as_bytes, leaves, what)?;
        Ok(Reading {
            left: rows,
            too_long: too_long.into(),
            input,
            read: VecDeque::new(),
            can_join: true,
        })
    }
}

/// Opens a reader of rows of a group, `n_at_once` at a time.
fn input(
    path: &Path,
    file: &File,
    metadata: &ArrowReaderMetadata,
    leaves: &[usize],
    (group, rows, n_at_once): (usize, RowSelection, usize),
) -> ReadResult<ParquetRecordBatchReader> {
    let file = file.try_clone().map_err(|error| Error::io("open", path, error))?;
    let metadata = metadata.clone();
    let n_groups = metadata.metadata().num_row_groups();
    let mask = ProjectionMask::leaves(metadata.parquet_schema(), leaves.iter().copied());
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(mask)
        .with_row_groups((group..n_groups).take(1).collect())
        .with_batch_size(n_at_once)
        .with_row_selection(rows)
        // The other policy reads all rows, and then leaves some out.
        .with_row_selection_policy(RowSelectionPolicy::Selectors);
    guarded(|| builder.build())
}

impl Reading {
    /// Returns the next rows, about `batch_bytes` of them, and whether they are passed over; `None` at the end of the
    /// part.
    fn next(&mut self, batch_bytes: usize) -> ReadResult<Option<(RecordBatch, bool)>> {
        if self.left.is_empty() {
            return Ok(None);
        }
        let start = self.left.start;
        let passed = self.too_long.front().cloned().unwrap_or(self.left.end..self.left.end);
        if passed.start <= start {
            let n = (passed.end - start).min(MAX_ROWS);
            self.left.start += n;
            if self.left.start == passed.end {
                self.too_long.pop_front();
            }
            return Ok(Some((without_columns(n), true)));
        }
        let (mut pieces, mut n_rows, mut n_bytes) = (Vec::new(), 0, 0);
        let most = (passed.start - start).min(MAX_ROWS);
        // Rows are seldom as long as the longest value of a dictionary, so more of them may fit.
        while pieces.is_empty() || self.can_join && n_rows < most && n_bytes < batch_bytes / 2 {
            let read = match self.read.pop_front() {
                Some(rows) => rows,
                None => guarded(|| self.input.next().transpose())?.ok_or_else(|| {
                    Fault::Damage("it ends before all of its rows are read".to_owned())
                })?,
            };
            // The rows that were read may continue behind rows that are passed over.
            let n = read.num_rows().min(most - n_rows);
            if n < read.num_rows() {
                self.read.push_front(read.slice(n, read.num_rows() - n));
            }
            let piece = read.slice(0, n);
            n_rows += n;
            n_bytes += cells::n_bytes(&piece) + BESIDE * piece.num_columns();
            pieces.push(piece);
        }
        let rows = self.joined(pieces);
        self.left.start += rows.num_rows();
        Ok(Some((rows, false)))
    }

    /// Puts rows together. If that cannot be done, as dictionaries of few keys may have too many values together, it
    /// returns only the first ones and keeps the others for later.
    fn joined(&mut self, mut pieces: Vec<RecordBatch>) -> RecordBatch {
        if pieces.len() > 1 {
            match guarded(|| concat_batches(&pieces[0].schema(), &pieces)) {
                Ok(rows) => return rows,
                Err(_) => self.can_join = false,
            }
        }
        pieces.drain(1..).rev().for_each(|piece| self.read.push_front(piece));
        pieces.swap_remove(0)
    }
}

/// Returns the reason why the texts of a file cannot be changed; `None` if they can.
///
/// # Errors
/// If it is not a Parquet file, or lacks what `options` ask for.
pub(super) fn unchangeable(path: &Path, options: &Options) -> Result<Option<String>> {
    // An unreadable file is not written again.
    let (_, metadata) = match open(path) {
        Err(Fault::Damage(_)) => return Ok(None),
        opened => opened.map_err(|fault| fault.into_error(path, PARQUET))?,
    };
    Ok(Plan::new(path, metadata.schema(), options)?.unchangeable())
}
