//! Files and streams of Arrow (IPC): their messages, found and checked before anything is made of them.
//!
//! ```text
//! stream: schema, then dictionaries and batches of rows in any order, then an end marker
//! file:   magic, a stream, a footer with the schema and the places of dictionaries and batches, magic
//! ```
//!
//! A message is a head (its length, and a description as a flat buffer) and a body of buffers. Lengths are compared with the
//! bytes that are there before memory is taken for them, and the buffers of a body, packed or not, may take no more than a
//! limit. In a file the places that the footer names must follow each other, so that nothing is read twice.
//!
//! Departs from the specification: a stream without an end marker is no different from one that is cut off between two
//! messages, and says so ([`Ipc::lacks_end`]). Streams and files of before 2017 (version 3 and lower) are refused.
//!
//! Cost: memory for a head and a body.
//! Source: Apache Arrow Columnar Format 1.5, "Serialization and Interprocess Communication (IPC)".

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::convert::{MessageBuffer, try_fb_to_schema};
use arrow_ipc::{Block, CompressionType, Footer, MetadataVersion, RecordBatch, root_as_footer};
use arrow_schema::SchemaRef;
use fanmill_text::{Error, Setting, message};

use super::fault::{Fault, ReadResult, guarded};

/// The words for such a file.
pub(super) const ARROW: &str = "an Arrow file";
/// The first bytes of a file, and its last ones. A version that cannot be read has others.
pub(super) const MAGIC: &[u8] = b"ARROW1";
/// The first bytes of a message in a stream.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// Number of bytes before the first message of a file: the magic, padded.
const HEADER: u64 = 8;
/// Number of bytes behind a footer: its length, and the magic.
const TRAILER: u64 = 10;
/// Number of bytes before the description of a message: the continuation marker, and its length.
const PREFIX: u64 = 8;
/// Number of bytes before a packed buffer: the length of what is in it.
const UNPACKED_LENGTH: usize = 8;
/// Maximum number of rows of a batch that has less than a bit for each of them.
const MOST_EMPTY_ROWS: u64 = 1 << 24;

/// Returns whether a file begins as a stream: with a continuation marker, the length of a description, and its root inside
/// it.
pub(super) fn begins_stream(head: &[u8]) -> bool {
    let number = |at: usize| {
        let bytes = head.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let (Some(length), Some(root)) = (number(4), number(8)) else { return false };
    head.starts_with(&CONTINUATION) && length < 1 << 31 && root >= 4 && root < length
}

/// An open file or stream.
#[derive(Debug)]
pub(super) struct Ipc {
    input: File,
    path: PathBuf,
    /// Number of its bytes; for a file, of those before its footer.
    n_bytes: u64,
    pub(super) schema: SchemaRef,
    /// Maximum number of bytes of a head, of a body, and of the buffers that are unpacked from it.
    limit: u64,
    /// The place of the next message.
    at: Next,
    /// True for a stream that was read to the end of its file, where no marker is.
    lacks_end: bool,
    /// Entries of a file's footer.
    pub(super) entries: Vec<(String, String)>,
}

/// The place of the next message.
#[derive(Debug)]
enum Next {
    /// In a stream, its start.
    Stream(u64),
    /// In a file, the places of all messages to come, the next one last.
    File(Vec<Block>),
}

/// A message without its body.
#[derive(Debug)]
pub(super) struct Message {
    head: MessageBuffer,
    body: Range<u64>,
}

impl Ipc {
    /// Opens a file or a stream, whose heads and bodies may have `limit` bytes.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub(super) fn open(path: &Path, limit: usize) -> ReadResult<Ipc> {
        let trouble = |error| Error::io("open", path, error);
        let mut input = File::open(path).map_err(trouble)?;
        let n_bytes = input.metadata().map_err(trouble)?.len();
        let mut magic = Vec::new();
        let read = (&mut input).take(MAGIC.len() as u64).read_to_end(&mut magic);
        read.map_err(trouble)?;
        let schema = Arc::new(arrow_schema::Schema::empty());
        let (path, entries, limit) = (path.to_owned(), Vec::new(), limit as u64);
        let mut ipc = Ipc {
            input,
            path,
            n_bytes,
            schema,
            limit,
            at: Next::Stream(0),
            lacks_end: false,
            entries,
        };
        if magic == MAGIC {
            ipc.read_footer()?;
            return Ok(ipc);
        }
        let first = ipc.next()?.ok_or_else(|| damage("it has no schema"))?;
        let head = first.head.as_ref();
        let schema = head.header_as_schema().ok_or_else(|| damage("it has no schema"))?;
        ipc.schema = read_schema(schema)?;
        Ok(ipc)
    }

    /// Returns whether it is a file, and not a stream.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.at, Next::File(_))
    }

    /// Returns whether it is a stream that has ended without its marker, so that it may be cut off between two batches.
    pub(super) fn lacks_end(&self) -> bool {
        self.lacks_end
    }

    /// Returns the file's path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn read_footer(&mut self) -> ReadResult<()> {
        let cut_off = || damage("it has no footer: it is cut off");
        let end = self.n_bytes.checked_sub(TRAILER).filter(|end| *end >= HEADER);
        let end = end.ok_or_else(cut_off)?;
        let trailer = self.bytes(end..self.n_bytes)?;
        let (length, magic) = trailer.split_at(4);
        if magic != MAGIC {
            return Err(cut_off());
        }
        let length = length.first_chunk().map(|length| i32::from_le_bytes(*length));
        let length = length.and_then(|length| u64::try_from(length).ok());
        let start = length.and_then(|length| end.checked_sub(length));
        let start = start
            .filter(|start| *start >= HEADER)
            .ok_or_else(|| damage("its footer is longer than the file"))?;
        self.check_length("the footer", end - start)?;
        let bytes = self.bytes(start..end)?;
        let footer = guarded(|| root_as_footer(&bytes))?;
        check_version(footer.version())?;
        let schema = footer.schema().ok_or_else(|| damage("its footer has no schema"))?;
        self.schema = read_schema(schema)?;
        self.n_bytes = start;
        for entry in footer.custom_metadata().iter().flatten() {
            let entry = entry.key().zip(entry.value());
            self.entries.extend(entry.map(|(key, value)| (key.to_owned(), value.to_owned())));
        }
        self.at = Next::File(blocks(&footer, start)?);
        Ok(())
    }

    /// Returns the next message; `None` at the end.
    ///
    /// # Errors
    /// If what is there is not a message, or not all of it.
    pub(super) fn next(&mut self) -> ReadResult<Option<Message>> {
        let (start, body, end) = match &mut self.at {
            Next::Stream(at) => (*at, None, self.n_bytes),
            Next::File(blocks) => match blocks.pop() {
                Some(block) => ends(&block, self.n_bytes)?,
                None => return Ok(None),
            },
        };
        if start == self.n_bytes && !self.is_file() {
            self.lacks_end = true;
            return Ok(None);
        }
        if end - start < PREFIX {
            return Err(damage("it is cut off"));
        }
        let prefix = self.bytes(start..start + PREFIX)?;
        let (marker, length) = prefix.split_at(4);
        let length = length.first_chunk().map_or(-1, |length| i32::from_le_bytes(*length));
        if marker != CONTINUATION || length < 0 {
            return Err(damage("no message is where one should be"));
        }
        let head = start + PREFIX..start + PREFIX + u64::from(length.unsigned_abs());
        if length == 0 && !self.is_file() {
            let rest = end - head.end;
            let fault = || damage(&format!("{rest} bytes follow behind its end"));
            return if rest == 0 { Ok(None) } else { Err(fault()) };
        }
        let body = body.unwrap_or(head.end);
        if head.end > body || body > end {
            return Err(damage("it is cut off"));
        }
        let message = self.message(head, body, end)?;
        if let Next::Stream(at) = &mut self.at {
            *at = message.body.end;
        }
        Ok(Some(message))
    }

    /// Reads a message with a description at `head` and a body from `body` on, which must end before `end`.
    fn message(&mut self, head: Range<u64>, body: u64, end: u64) -> ReadResult<Message> {
        self.check_length("the head of a message", head.end - head.start)?;
        let bytes = self.bytes(head)?;
        let head = guarded(|| MessageBuffer::try_new(bytes))?;
        check_version(head.as_ref().version())?;
        let body_end = u64::try_from(head.as_ref().bodyLength()).ok();
        let body_end = body_end.and_then(|n| body.checked_add(n)).filter(|own| *own <= end);
        let body_end = body_end.ok_or_else(|| damage("it is cut off"))?;
        Ok(Message { head, body: body..body_end })
    }

    /// Returns the body of a message with rows, once its buffers are known to lie inside it and to take no more than the
    /// limit.
    ///
    /// # Errors
    /// If they do not, or the body cannot be read.
    pub(super) fn body(&mut self, message: &Message, rows: RecordBatch<'_>) -> ReadResult<Buffer> {
        let n_body = message.body.end - message.body.start;
        self.check_length("a batch of rows", n_body)?;
        let n_rows = u64::try_from(rows.length()).map_err(|_| damage("fewer than no rows"))?;
        if n_rows > n_body.saturating_mul(8).max(MOST_EMPTY_ROWS) {
            return Err(damage(&format!("{n_rows} rows in {n_body} bytes")));
        }
        let body = self.bytes(message.body.clone())?;
        let mut n_bytes = 0_u64;
        for buffer in rows.buffers().iter().flatten() {
            let start = usize::try_from(buffer.offset()).ok();
            let end = start.zip(usize::try_from(buffer.length()).ok());
            let range = end.and_then(|(start, n)| Some(start..start.checked_add(n)?));
            let bytes = range.and_then(|range| body.get(range));
            let bytes = bytes.ok_or_else(|| damage("a buffer is not inside of its message"))?;
            let is_packed = rows.compression().is_some();
            n_bytes = n_bytes.saturating_add(unpacked_length(bytes, is_packed)?);
        }
        self.check_length("a batch of rows", n_bytes)?;
        Ok(body)
    }

    /// Refuses what takes more memory than it may.
    pub(super) fn check_length(&self, what: &str, n_bytes: u64) -> ReadResult<()> {
        if n_bytes <= self.limit {
            return Ok(());
        }
        let limit = self.limit;
        Err(Fault::Error(Error::input(message![
            (
                "`{}`: {what} takes {n_bytes} bytes, above the limit of {limit}; allow ",
                self.path.display()
            ),
            Setting("memory"),
            (
                " {}MiB, or write the file with smaller batches",
                n_bytes.saturating_mul(4).div_ceil(1 << 20)
            )
        ])))
    }

    /// Returns the codec by which buffers are packed, going by the first batch of what is to come, or else by the first
    /// dictionary; `None` if they are not, or are damaged.
    pub(super) fn codec(mut self) -> Option<CompressionType> {
        let mut codec = None;
        while let Ok(Some(message)) = self.next() {
            let head = message.head.as_ref();
            let of = |rows: RecordBatch<'_>| rows.compression().map(|packing| packing.codec());
            if let Some(rows) = head.header_as_record_batch() {
                return of(rows);
            }
            let values = head.header_as_dictionary_batch().and_then(|own| own.data());
            codec = codec.or_else(|| of(values?));
        }
        codec
    }

    /// Returns the bytes of a range that lies in the file.
    fn bytes(&mut self, range: Range<u64>) -> ReadResult<Buffer> {
        let n = usize::try_from(range.end - range.start).map_err(|_| damage("it is too long"))?;
        let mut bytes = MutableBuffer::from_len_zeroed(n);
        let read = self.input.seek(SeekFrom::Start(range.start));
        match read.and_then(|_| self.input.read_exact(&mut bytes)) {
            Ok(()) => Ok(bytes.into()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(damage("it is cut off"))
            }
            Err(error) => Err(Error::io("read", &self.path, error).into()),
        }
    }
}

impl Message {
    /// Returns its description.
    pub(super) fn head(&self) -> arrow_ipc::Message<'_> {
        self.head.as_ref()
    }
}

fn damage(what: &str) -> Fault {
    Fault::Damage(what.to_owned())
}

/// Returns the schema that a file describes.
fn read_schema(schema: arrow_ipc::Schema<'_>) -> ReadResult<SchemaRef> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err(damage("its numbers have the bytes of another kind of processor first"));
    }
    guarded(|| try_fb_to_schema(schema)).map(Arc::new)
}

/// Refuses versions that are written in other ways.
fn check_version(version: MetadataVersion) -> ReadResult<()> {
    match version {
        MetadataVersion::V4 | MetadataVersion::V5 => Ok(()),
        other => Err(damage(&format!("version {} of its metadata", other.0 + 1))),
    }
}

/// Returns the places of all messages of a file, dictionaries first, in the opposite order. Each place begins behind the
/// one before it, so that no file makes its reader read more than it has.
fn blocks(footer: &Footer<'_>, end: u64) -> ReadResult<Vec<Block>> {
    let mut blocks = Vec::new();
    for of_kind in [footer.dictionaries(), footer.recordBatches()] {
        let mut at = HEADER;
        for block in of_kind.iter().flatten() {
            let (start, _, block_end) = ends(block, end)?;
            if start < at {
                return Err(damage("the places of its messages overlap"));
            }
            at = block_end;
            blocks.push(*block);
        }
    }
    blocks.reverse();
    Ok(blocks)
}

/// Returns the start of a block, that of its body, and its end, all of them before `end`.
fn ends(block: &Block, end: u64) -> ReadResult<(u64, Option<u64>, u64)> {
    let number = |number: i64| u64::try_from(number).ok();
    let ends = || {
        let start = number(block.offset())?;
        let body = start.checked_add(number(block.metaDataLength().into())?)?;
        let block_end = body.checked_add(number(block.bodyLength())?)?;
        (block_end <= end).then_some((start, Some(body), block_end))
    };
    ends().ok_or_else(|| damage("a message is not inside of the file"))
}

/// Returns the bytes that a buffer takes when it is unpacked.
fn unpacked_length(bytes: &[u8], is_packed: bool) -> ReadResult<u64> {
    let n_bytes = bytes.len() as u64;
    if !is_packed || bytes.is_empty() {
        return Ok(n_bytes);
    }
    let length = bytes.first_chunk::<UNPACKED_LENGTH>().map(|length| i64::from_le_bytes(*length));
    match length {
        // It is not packed, since that would not make it smaller.
        Some(-1) => Ok(n_bytes),
        Some(length) => u64::try_from(length).map_err(|_| damage("a buffer of less than no bytes")),
        None => Err(damage("a packed buffer does not say its length")),
    }
}
