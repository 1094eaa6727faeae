//! Pages of a column of a Parquet file: their sizes are known before they are unpacked.
//!
//! A file of a few kilobytes can hold values of gigabytes, and the library unpacks a page whole. So the headers of the
//! pages are read by themselves: they are small, and pages lie one behind another. The size in a header also binds the
//! library, where it unpacks into that much memory. With gzip, Brotli and LZ4 frames it unpacks to the end; so these
//! pages are unpacked once before, without being held, if they could come to more than there is room for.
//!
//! Cost: one seek and one small read for each page; memory for one header, at most [`LONGEST_HEADER`].
//! Source: the Thrift compact protocol; `PageHeader` in `parquet.thrift` of Apache Parquet 2.12.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use parquet::basic::{self, Compression};
use parquet::file::metadata::ColumnChunkMetaData;

/// Number of bytes of a header that are read at first; more are read only where it has long statistics.
const HEAD: u64 = 256;
/// Factor by which more is read of a header that is longer than what has been read of it.
const GROWTH: u64 = 16;
/// Maximum length of a header in bytes: statistics may hold two long values.
const LONGEST_HEADER: u64 = 16 << 20;
/// Maximum ratio of unpacked to packed bytes of gzip, whose shortest code for 258 bytes has two bits.
const GZIP_TIMES: u64 = 1032;
/// Maximum ratio of unpacked to packed bytes of LZ4, which lengthens a copy by 255 bytes for each byte.
const LZ4_TIMES: u64 = 256;
/// Number of bytes that are unpacked at once to be counted.
const BLOCK: usize = 1 << 14;
/// Maximum number of levels of structs in a header; the format has four.
const DEEPEST: usize = 16;

/// A page, as its header describes it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) kind: Kind,
    /// Number of values in it, including nulls.
    pub(super) n_values: u64,
    /// Bytes that it takes in memory: its unpacked size, or its packed size if that is more.
    pub(super) n_bytes: u64,
    pub(super) encoding: Encoding,
    /// Start in the file of what follows the header; `n_packed` is its length in bytes.
    start: u64,
    n_packed: u64,
    /// Bytes of levels before the packed part, in pages of the second version.
    n_levels: u64,
    /// True if what follows the levels is packed at all.
    is_packed: bool,
}

/// Kind of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Data,
    /// Data whose levels are not packed.
    DataV2,
    Dictionary,
    /// A page without anything that rows are made of.
    #[default]
    Other,
}

/// Encoding of a page's values, as far as it matters for their sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Values one behind another.
    Plain,
    /// Values by their places in the dictionary.
    Dictionary,
    /// Values without the beginning that they share with the value before.
    Prefixes,
    #[default]
    Other,
}

/// Knowledge of the lengths of values in a page that was not unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lengths {
    /// Each value is longer than was asked for.
    AllAbove,
    /// Some are, or none are, or it cannot be known.
    Unknown,
}

/// The pages of a column chunk, by their headers, in their order.
#[derive(Debug)]
pub(super) struct Pages<'a> {
    file: &'a File,
    /// Start of the next page; `end` is the end of the column.
    at: u64,
    end: u64,
    /// Buffer for a header.
    bytes: Vec<u8>,
}

impl<'a> Pages<'a> {
    /// Begins with the first page of a chunk.
    ///
    /// # Errors
    /// If the chunk lies outside of the file.
    pub(super) fn new(file: &'a File, chunk: &ColumnChunkMetaData) -> io::Result<Pages<'a>> {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let at = u64::try_from(start).map_err(|_| wrong("a column begins before the file"))?;
        let length = u64::try_from(chunk.compressed_size())
            .map_err(|_| wrong("a column has a size below 0"))?;
        let size = file.metadata()?.len();
        let end = at.checked_add(length).filter(|&end| end <= size);
        let end = end.ok_or_else(|| wrong("a column ends behind the file"))?;
        Ok(Pages { file, at, end, bytes: Vec::new() })
    }

    fn read(&mut self) -> io::Result<Page> {
        let (mut page, length) = self.header()?;
        page.start = self.at + length as u64;
        // The library uses the packed size where nothing is packed, and holds both forms where something is.
        page.n_bytes = page.n_bytes.max(page.n_packed);
        let next = page.start.checked_add(page.n_packed).filter(|&next| next <= self.end);
        self.at = next.ok_or_else(|| wrong("a page ends behind its column"))?;
        Ok(page)
    }

    /// Reads the header of the next page; returns it and its length in bytes.
    fn header(&mut self) -> io::Result<(Page, usize)> {
        let most = (self.end - self.at).min(LONGEST_HEADER);
        let mut n = HEAD.min(most);
        loop {
            self.file.seek(SeekFrom::Start(self.at))?;
            self.bytes.clear();
            self.file.take(n).read_to_end(&mut self.bytes)?;
            match header(&self.bytes) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && n < most => {
                    n = n.saturating_mul(GROWTH).min(most);
                }
                found => return found,
            }
        }
    }
}

/// Ends after a page whose header makes no sense.
impl Iterator for Pages<'_> {
    type Item = io::Result<Page>;

    fn next(&mut self) -> Option<io::Result<Page>> {
        if self.at >= self.end {
            return None;
        }
        let page = self.read();
        if page.is_err() {
            self.at = self.end;
        }
        Some(page)
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the header of a page does not end")
}

/// Reads the header that `bytes` begin with, keeping the fields that matter; returns its length in bytes, too.
///
/// # Errors
/// If it is not a header; the kind is `UnexpectedEof` if it may be the beginning of one.
fn header(bytes: &[u8]) -> io::Result<(Page, usize)> {
    let mut page = Page::default();
    let (mut is_plain, mut n_levels) = (None, 0_u64);
    let mut rest = bytes;
    fields(&mut rest, |input, field| {
        match field {
            Field { id: 1, kind: INT } => {
                page.kind = match number(input)? {
                    0 => Kind::Data,
                    2 => Kind::Dictionary,
                    3 => Kind::DataV2,
                    _ => Kind::Other,
                };
            }
            Field { id: 2, kind: INT } => page.n_bytes = size(input)?,
            Field { id: 3, kind: INT } => page.n_packed = size(input)?,
            // The header of a data page, of a dictionary, or of a data page of the second version.
            Field { id: id @ (5 | 7 | 8), kind: STRUCT } => {
                let encoding_at = if id == 8 { 4 } else { 2 };
                fields(input, |input, field| {
                    match field {
                        Field { id: 1, kind: INT } => page.n_values = size(input)?,
                        Field { id, kind: INT } if id == encoding_at => {
                            page.encoding = Encoding::from_number(number(input)?);
                        }
                        Field { id: 5 | 6, kind: INT } if id == 8 => {
                            n_levels = n_levels.saturating_add(size(input)?);
                        }
                        Field { id: 7, kind } if id == 8 => is_plain = Some(kind == FALSE),
                        field => skip(input, field.kind, 0)?,
                    }
                    Ok(())
                })?;
            }
            field => skip(input, field.kind, 0)?,
        }
        Ok(())
    })?;
    page.n_levels = n_levels;
    page.is_packed = is_plain != Some(true);
    Ok((page, bytes.len() - rest.len()))
}

impl Encoding {
    fn from_number(number: i64) -> Encoding {
        match number {
            0 => Encoding::Plain,
            2 | 8 => Encoding::Dictionary,
            7 => Encoding::Prefixes,
            _ => Encoding::Other,
        }
    }
}

impl From<basic::Encoding> for Encoding {
    fn from(encoding: basic::Encoding) -> Encoding {
        match encoding {
            basic::Encoding::PLAIN => Encoding::Plain,
            basic::Encoding::PLAIN_DICTIONARY | basic::Encoding::RLE_DICTIONARY => {
                Encoding::Dictionary
            }
            basic::Encoding::DELTA_BYTE_ARRAY => Encoding::Prefixes,
            _ => Encoding::Other,
        }
    }
}

/// A field of a struct, before its value.
#[derive(Debug, Clone, Copy)]
struct Field {
    id: i64,
    kind: u8,
}

/// Types of the compact protocol. True and false are types.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INT: u8 = 5;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// Shows each field of a struct; `see` reads its value.
fn fields(
    input: &mut &[u8],
    mut see: impl FnMut(&mut &[u8], Field) -> io::Result<()>,
) -> io::Result<()> {
    let mut id = 0_i64;
    loop {
        let head = byte(input)?;
        if head == 0 {
            return Ok(());
        }
        id = if head >> 4 == 0 { number(input)? } else { id.wrapping_add(i64::from(head >> 4)) };
        see(input, Field { id, kind: head & 15 })?;
    }
}

/// Passes over a value. Each element of a list takes at least a byte, so no length makes this endless.
fn skip(input: &mut &[u8], kind: u8, depth: usize) -> io::Result<()> {
    if depth > DEEPEST {
        return Err(wrong("a header is too deep"));
    }
    match kind {
        TRUE | FALSE => Ok(()),
        BYTE => byte(input).map(drop),
        4 | INT | 6 => number(input).map(drop),
        DOUBLE => skip_bytes(input, 8),
        BINARY => {
            let n = varint(input)?;
            skip_bytes(input, n)
        }
        LIST | SET => {
            let head = byte(input)?;
            // A length of 15 says that the real one follows.
            let n = if head >> 4 == 15 { varint(input)? } else { u64::from(head >> 4) };
            (0..n).try_for_each(|_| skip(input, element(head & 15), depth + 1))
        }
        MAP => {
            let n = varint(input)?;
            let kinds = if n == 0 { 0 } else { byte(input)? };
            (0..n).try_for_each(|_| {
                skip(input, element(kinds >> 4), depth + 1)?;
                skip(input, element(kinds & 15), depth + 1)
            })
        }
        STRUCT => fields(input, |input, field| skip(input, field.kind, depth + 1)),
        _ => Err(wrong("a header has a value of no known type")),
    }
}

/// Returns the type of an element of a list or map: true and false take a byte each there.
fn element(kind: u8) -> u8 {
    if matches!(kind, TRUE | FALSE) { BYTE } else { kind }
}

fn skip_bytes(input: &mut &[u8], n: u64) -> io::Result<()> {
    let rest = usize::try_from(n).ok().and_then(|n| input.get(n..));
    *input = rest.ok_or_else(cut_off)?;
    Ok(())
}

fn byte(input: &mut &[u8]) -> io::Result<u8> {
    let (&byte, rest) = input.split_first().ok_or_else(cut_off)?;
    *input = rest;
    Ok(byte)
}

fn varint(input: &mut &[u8]) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let next = byte(input)?;
        value |= u64::from(next & 127) << shift;
        if next < 128 {
            return Ok(value);
        }
    }
    Err(wrong("a number is too long"))
}

/// Reads a signed number, whose lowest bit is its sign.
fn number(input: &mut &[u8]) -> io::Result<i64> {
    let value = varint(input)?;
    Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
}

fn size(input: &mut &[u8]) -> io::Result<u64> {
    u64::try_from(number(input)?).map_err(|_| wrong("a size is below 0"))
}

impl Page {
    /// Finds out whether each value is longer than `limit`, without holding any of them.
    ///
    /// `has_nulls` is true if values may be missing, which is stored before them.
    pub(super) fn lengths(
        self,
        file: &File,
        codec: Compression,
        has_nulls: bool,
        limit: u64,
    ) -> Lengths {
        self.all_above(file, codec, has_nulls, limit).unwrap_or(Lengths::Unknown)
    }

    /// Returns whether it unpacks to no more bytes than it counts for, or the library stops there. A page that cannot
    /// come to more than `limit` is not unpacked.
    pub(super) fn is_as_said(
        self,
        file: &File,
        codec: Compression,
        limit: u64,
    ) -> io::Result<bool> {
        let most_times = match codec {
            Compression::GZIP(_) => GZIP_TIMES,
            Compression::LZ4 => LZ4_TIMES,
            Compression::BROTLI(_) => u64::MAX,
            _ => return Ok(true),
        };
        if self.n_packed.saturating_mul(most_times) <= limit {
            return Ok(true);
        }
        let Some(mut unpacked) = self.unpacked(file, codec)? else { return Ok(true) };
        let (mut n, mut bytes) = (0, [0; BLOCK]);
        while n <= self.n_bytes {
            // The library meets the same damage at the same place, and reports it.
            match unpacked.read(&mut bytes) {
                Ok(0) | Err(_) => return Ok(true),
                Ok(read) => n += read as u64,
            }
        }
        Ok(false)
    }

    /// Returns a reader of its packed part, unpacked; `None` where the codec's library cannot unpack piece by piece.
    fn unpacked<'a>(
        self,
        mut file: &'a File,
        codec: Compression,
    ) -> io::Result<Option<Box<dyn Read + 'a>>> {
        // A header may say that the levels are longer than the page.
        let n_levels = self.n_levels.min(self.n_packed);
        file.seek(SeekFrom::Start(self.start + n_levels))?;
        let packed = BufReader::new(file.take(self.n_packed - n_levels));
        Ok(Some(match codec {
            _ if !self.is_packed => Box::new(packed),
            Compression::UNCOMPRESSED => Box::new(packed),
            Compression::ZSTD(_) => Box::new(zstd::stream::read::Decoder::with_buffer(packed)?),
            Compression::GZIP(_) => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            Compression::BROTLI(_) => Box::new(brotli::Decompressor::new(packed, BLOCK)),
            Compression::LZ4 => Box::new(lz4_flex::frame::FrameDecoder::new(packed)),
            _ => return Ok(None),
        }))
    }

    fn all_above(
        self,
        file: &File,
        codec: Compression,
        has_nulls: bool,
        limit: u64,
    ) -> io::Result<Lengths> {
        if self.encoding != Encoding::Plain && self.kind != Kind::Dictionary {
            return Ok(Lengths::Unknown);
        }
        let Some(unpacked) = self.unpacked(file, codec)? else { return Ok(Lengths::Unknown) };
        let mut input = BufReader::new(unpacked.take(self.n_bytes));
        if self.kind == Kind::Data && has_nulls {
            let n = length(&mut input)?.unwrap_or(0);
            pass(&mut input, n)?;
        }
        let mut n_values = 0;
        while let Some(n) = length(&mut input)? {
            if n <= limit {
                return Ok(Lengths::Unknown);
            }
            pass(&mut input, n)?;
            n_values += 1;
        }
        // There are fewer if some are null, and nulls are not too long.
        Ok(if n_values == self.n_values { Lengths::AllAbove } else { Lengths::Unknown })
    }
}

/// Reads the length that a value begins with; `None` at the end.
fn length(input: &mut impl Read) -> io::Result<Option<u64>> {
    let mut bytes = [0; 4];
    match input.read(&mut bytes)? {
        0 => return Ok(None),
        n => input.read_exact(&mut bytes[n..])?,
    }
    Ok(Some(u32::from_le_bytes(bytes).into()))
}

/// Passes over `n` bytes, which must all be there.
fn pass(input: &mut impl Read, n: u64) -> io::Result<()> {
    match io::copy(&mut input.take(n), &mut io::sink())? {
        passed if passed == n => Ok(()),
        _ => Err(wrong("a page ends in a value")),
    }
}
