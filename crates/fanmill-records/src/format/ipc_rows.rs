//! Rows of Arrow files and streams.
//!
//! A batch of rows is read whole, and given out in pieces of about the size that is asked for. Columns that a job does not
//! ask for are not unpacked, and dictionaries that no column needs are passed over. Strings are read as bytes, as in
//! Parquet ([`strings`](super::strings)).
//!
//! Damage to a batch makes its rows records that fail, if the message around it is whole; any other damage ends the run.
//!
//! Cost: memory for a batch, packed and unpacked, and for the dictionaries, none of them above the limit of a page.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_schema::SchemaRef;
use fanmill_text::Result;

use super::cells::{Plan, Table, TableContent, n_bytes, without_columns};
use super::fault::{Fault, ReadResult, guarded};
use super::ipc::{ARROW, Ipc, Message};
use super::nodes;
use super::strings::bytes_schema;
use super::{Columns, Options};

/// Maximum number of rows that a damaged batch may have for them to be counted as records that failed. A batch with more
/// ends the run: the number may be part of the damage.
const MOST_LOST: usize = 1 << 24;
/// Maximum number of rows in a piece.
const MAX_ROWS: usize = 1 << 16;

/// A reader of the rows of a file or a stream.
#[derive(Debug)]
pub(super) struct IpcRows {
    file: Ipc,
    /// The schema of all columns, with bytes in place of strings.
    as_bytes: SchemaRef,
    /// The numbers of the columns that are read, ascending.
    columns: Vec<usize>,
    /// Their schema.
    schema: SchemaRef,
    /// Places of the parts of a record among them.
    plan: Arc<Plan>,
    /// The values of dictionaries, by their numbers.
    dictionaries: HashMap<i64, ArrayRef>,
    /// Bytes of a piece.
    batch_bytes: usize,
    /// Number of batches that were begun.
    n_batches: usize,
    /// The current batch, and those of its rows that were not given out, in pieces.
    batch: Option<Table>,
    pieces: VecDeque<Range<usize>>,
    /// Number of rows of the current batch that damage has made unreadable, and the damage.
    lost: (usize, Arc<str>),
    /// True once the end of the file has been reached.
    is_over: bool,
}

/// The reason for which a stream without an end marker has one failed record more: it is for all that may be missing.
const NO_END: &str = "the stream has no end marker: it may be cut off here, and have had more rows; close what writes it, \
                      or write it again";

/// Returns the bytes that a message, or the dictionaries, may take.
pub(super) fn most(options: &Options) -> usize {
    options.page_bytes.max(options.record_bytes)
}

impl IpcRows {
    /// Opens a file or a stream.
    ///
    /// # Errors
    /// If it is damaged, or lacks what `options` ask for.
    pub(super) fn open(path: &Path, options: &Options, columns: Columns) -> ReadResult<IpcRows> {
        let file = Ipc::open(path, most(options))?;
        let plan = Plan::new(path, &file.schema, options)?;
        let columns = match columns {
            Columns::All => (0..file.schema.fields().len()).collect(),
            Columns::Needed => plan.columns(),
        };
        let schema = guarded(|| file.schema.project(&columns)).map(Arc::new)?;
        Ok(IpcRows {
            // Places are counted among the columns that are read.
            plan: Arc::new(Plan::new(path, &schema, options)?),
            as_bytes: Arc::new(bytes_schema(&file.schema)),
            file,
            columns,
            schema,
            dictionaries: HashMap::new(),
            batch_bytes: options.batch_bytes,
            n_batches: 0,
            batch: None,
            pieces: VecDeque::new(),
            lost: (0, Arc::default()),
            is_over: false,
        })
    }

    /// Returns the next rows; `None` at the end. Rows that damage to their batch has made unreadable are rows without
    /// values.
    ///
    /// # Errors
    /// If the file cannot be read further.
    pub(super) fn next(&mut self) -> Result<Option<Table>> {
        loop {
            if self.lost.0 > 0 {
                let n = self.lost.0.min(MAX_ROWS);
                self.lost.0 -= n;
                let holds = TableContent::Damaged(Arc::clone(&self.lost.1));
                let plan = Arc::clone(&self.plan);
                return Ok(Some(Table::without_values(without_columns(n), holds, plan)));
            }
            if let (Some(batch), Some(piece)) = (&self.batch, self.pieces.pop_front()) {
                return Ok(Some(batch.slice(piece)));
            }
            self.batch = None;
            let fail = |fault: Fault, path: &Path| Err(fault.into_error(path, ARROW));
            let message = match self.file.next() {
                Ok(Some(message)) => message,
                Ok(None) if self.file.lacks_end() && !self.is_over => {
                    (self.is_over, self.lost) = (true, (1, NO_END.into()));
                    continue;
                }
                Ok(None) => return Ok(None),
                Err(fault) => return fail(fault, self.file.path()),
            };
            match self.take(&message) {
                Ok(()) => {}
                Err(Fault::Damage(what)) => self.lose(&message, &what)?,
                Err(Fault::Error(error)) => return Err(error),
            }
        }
    }

    /// Takes a dictionary, or begins a batch.
    fn take(&mut self, message: &Message) -> ReadResult<()> {
        let head = message.head();
        if let Some(dictionary) = head.header_as_dictionary_batch() {
            let id = dictionary.id();
            let Some(values) = dictionary.data().filter(|_| self.needs(id)) else { return Ok(()) };
            let body = self.file.body(message, values)?;
            let IpcRows { as_bytes, dictionaries, .. } = self;
            guarded(|| {
                read_dictionary(&body, dictionary, as_bytes, dictionaries, &head.version())
            })?;
            let sizes = dictionaries.values().map(|values| nodes::n_bytes(values) as u64);
            let all = sizes.fold(0, u64::saturating_add);
            return self.file.check_length("the dictionaries", all);
        }
        let Some(rows) = head.header_as_record_batch() else {
            return Err(Fault::Damage("a message has neither rows nor a dictionary".to_owned()));
        };
        self.n_batches += 1;
        let body = self.file.body(message, rows)?;
        let IpcRows { as_bytes, dictionaries, columns, .. } = &*self;
        let bytes = guarded(|| {
            let as_bytes = Arc::clone(as_bytes);
            RecordBatchDecoder::try_new(&body, rows, as_bytes, dictionaries, &head.version())?
                .with_projection(Some(columns))
                .read_record_batch()
        })?;
        let (schema, plan) = (&self.schema, Arc::clone(&self.plan));
        let batch = Table::new(&bytes, schema, TableContent::Values, plan)?;
        self.pieces = pieces(&batch, self.batch_bytes);
        self.batch = Some(batch);
        Ok(())
    }

    /// Returns whether a dictionary of this number is that of a column that is read.
    fn needs(&self, id: i64) -> bool {
        // The numbers of dictionaries are in no other place of a schema that was read.
        #[expect(deprecated, reason = "the library has no other way to ask for them yet")]
        let fields = self.schema.fields_with_dict_id(id);
        !fields.is_empty()
    }

    /// Gives up the rows of a message, which is damaged.
    ///
    /// # Errors
    /// If it has none, or their number cannot be trusted.
    fn lose(&mut self, message: &Message, what: &str) -> Result<()> {
        // The first column says once more how many rows there are.
        let rows = message.head().header_as_record_batch();
        let rows = rows.map(|rows| (rows.length(), rows.nodes().and_then(|all| all.iter().next())));
        let n_rows = rows.filter(|(n, first)| first.is_some_and(|first| first.length() == *n));
        let n_rows = n_rows.and_then(|(n, _)| usize::try_from(n).ok()).unwrap_or(0);
        if !(1..=MOST_LOST).contains(&n_rows) {
            return Err(Fault::Damage(what.to_owned()).into_error(self.file.path(), ARROW));
        }
        self.lost = (n_rows, format!("batch {} is damaged: {what}", self.n_batches).into());
        Ok(())
    }
}

/// Cuts rows into pieces of at most `most` bytes, none without a row. Values of dictionaries, which all pieces share, do
/// not count.
fn pieces(batch: &Table, most: usize) -> VecDeque<Range<usize>> {
    let rows = &batch.rows;
    let shared = n_bytes(&rows.slice(0, 0));
    let is_large = |range: &Range<usize>| {
        let bytes = || n_bytes(&rows.slice(range.start, range.len()));
        range.len() > MAX_ROWS || range.len() > 1 && bytes().saturating_sub(shared) > most
    };
    let (mut pieces, mut open) = (VecDeque::new(), Vec::new());
    let mut next = Some(0..rows.num_rows());
    while let Some(range) = next.take().or_else(|| open.pop()) {
        if is_large(&range) {
            let middle = range.start + range.len() / 2;
            open.extend([middle..range.end, range.start..middle]);
        } else if !range.is_empty() {
            pieces.push_back(range);
        }
    }
    pieces
}
