//! Which rows of a Parquet file are read together, so that no batch takes more memory than it may.
//!
//! The library unpacks a page whole, makes rows as long as it is asked for, and knows nothing of memory. So
//! each row group is cut into parts in which rows are about equally long, and of each part so many rows are
//! asked for at once as make a batch. A value in a dictionary counts as long as the longest of them, since
//! each row that has it gets a copy.
//!
//! A page that unpacks to more than its limit is never unpacked. If each of its texts is above the limit of
//! a record, its rows are bad records; if that is not so, or cannot be told, the file is refused, as its
//! good records would be lost with the others.
//!
//! Cost: see [`pages`](super::pages); a dictionary is unpacked once more to measure its values.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use fanmill::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::basic::Type;
use parquet::column::page::{Page as Unpacked, PageReader};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;

use super::columns::damaged;
use super::pages::{Encoding, Kind, Lengths, Page, pages};
use super::{Options, lower};

/// Most rows of a batch, however small they are.
const MAX_ROWS: u64 = 1 << 16;
/// The fewest bytes that count for a row: dictionaries and runs make values look smaller than they are.
const LEAST: u64 = 4;
/// Bytes of a page besides a value.
const BESIDE: usize = 64;
/// Rows of a part may be so many times as long as others of it.
const SPREAD: u64 = 16;

/// Rows of a row group that are read in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) rows: Range<usize>,
    pub(super) how: How,
}

/// How rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// So many of them at once.
    Read(usize),
    /// Not at all: their texts are longer than a record may be.
    TooLong,
}

/// What is to be known of the rows of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The columns that are read.
    pub(super) mask: &'a ProjectionMask,
    /// The one with the text.
    pub(super) text: usize,
    pub(super) options: &'a Options,
    /// Named in errors.
    pub(super) path: &'a str,
}

/// Some rows of a column, and about how many bytes each takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stretch {
    Rows { n: u64, bytes_each: u64 },
    TooLong { n: u64 },
}

/// Cuts a row group into parts, in their order.
///
/// # Errors
/// If the file is damaged, or has pages that are too large to be read.
pub(super) fn parts(
    file: &File,
    group: &RowGroupMetaData,
    wanted: Wanted<'_>,
) -> Result<Vec<Part>> {
    let n_rows = group.num_rows().max(0).cast_unsigned();
    let mut texts = Vec::new();
    let mut others = 0;
    for (leaf, chunk) in group.columns().iter().enumerate() {
        if !wanted.mask.leaf_included(leaf) {
            continue;
        }
        let column = Column { file, chunk, is_text: leaf == wanted.text, wanted };
        let found = column.stretches(n_rows)?;
        if column.is_text {
            texts = found;
        } else {
            let each = found.iter().map(|stretch| match *stretch {
                Stretch::Rows { bytes_each, .. } => bytes_each,
                Stretch::TooLong { .. } => 0,
            });
            others += each.max().unwrap_or(0);
        }
    }
    Ok(joined(&texts, others, n_rows, wanted.options.batch_bytes as u64))
}

/// Puts neighbouring stretches together whose rows are about equally long.
fn joined(texts: &[Stretch], others: u64, n_rows: u64, batch_bytes: u64) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut at, mut shortest, mut longest) = (0, u64::MAX, 0);
    for stretch in texts {
        let (n, bytes) = match *stretch {
            Stretch::Rows { n, bytes_each } => (n, Some((bytes_each + others).max(LEAST))),
            Stretch::TooLong { n } => (n, None),
        };
        // Headers may say anything; there are no more rows than the group has.
        let end = n_rows.min(at + n);
        let is_same = match (parts.last().map(|part| part.how), bytes) {
            (Some(How::Read(_)), Some(bytes)) => {
                longest.max(bytes) <= shortest.min(bytes).saturating_mul(SPREAD)
            }
            (Some(How::TooLong), None) => true,
            _ => false,
        };
        if !is_same {
            parts.push(Part { rows: at as usize..at as usize, how: How::TooLong });
            (shortest, longest) = (u64::MAX, 0);
        }
        if let Some(part) = parts.last_mut() {
            part.rows.end = end as usize;
            if let Some(bytes) = bytes {
                (shortest, longest) = (shortest.min(bytes), longest.max(bytes));
                part.how = How::Read((batch_bytes / longest).clamp(1, MAX_ROWS) as usize);
            }
        }
        at = end;
    }
    parts.retain(|part| !part.rows.is_empty());
    parts
}

/// One column of a row group.
#[derive(Debug, Clone, Copy)]
struct Column<'a> {
    file: &'a File,
    chunk: &'a ColumnChunkMetaData,
    is_text: bool,
    wanted: Wanted<'a>,
}

impl Column<'_> {
    /// How long rows are, page by page; of a column in which rows have several values, all rows at once.
    fn stretches(&self, n_rows: u64) -> Result<Vec<Stretch>> {
        let pages = pages(self.file, self.chunk).map_err(|error| self.damaged(&error))?;
        let dictionary = pages.iter().find(|page| page.kind == Kind::Dictionary);
        let longest = dictionary.map_or(Ok(Some(0)), |page| self.longest(page))?;
        let data: Vec<&Page> =
            pages.iter().filter(|page| matches!(page.kind, Kind::Data | Kind::DataV2)).collect();
        // A dictionary comes to be read with the first page, unless that one is left out.
        let first = data.first().map(|page| page.encoding);
        if let (Some(dictionary), None) = (dictionary, longest)
            && first != Some(Encoding::Dictionary)
        {
            return Err(self.refused(dictionary));
        }
        if self.chunk.column_descr().max_rep_level() > 0 {
            let each = data.iter().map(|page| bytes_each(page, longest.unwrap_or(0)));
            let all: u64 = data.iter().zip(each).map(|(page, each)| page.n_values * each).sum();
            return Ok(vec![Stretch::Rows { n: n_rows, bytes_each: all / n_rows.max(1) }]);
        }
        data.into_iter().map(|page| self.stretch(page, longest)).collect()
    }

    fn stretch(&self, page: &Page, longest: Option<u64>) -> Result<Stretch> {
        let n = page.n_values;
        if page.n_bytes > self.most() {
            self.must_be_too_long(page)?;
            return Ok(Stretch::TooLong { n });
        }
        Ok(match longest {
            None if page.encoding == Encoding::Dictionary => Stretch::TooLong { n },
            longest => Stretch::Rows { n, bytes_each: bytes_each(page, longest.unwrap_or(0)) },
        })
    }

    /// The largest page that is unpacked: one value always fits.
    fn most(&self) -> u64 {
        let Options { page_bytes, record_bytes, .. } = *self.wanted.options;
        page_bytes.max(record_bytes).saturating_add(BESIDE) as u64
    }

    /// The longest value of the dictionary, in bytes; `None` if all are too long for a record.
    fn longest(&self, dictionary: &Page) -> Result<Option<u64>> {
        if dictionary.n_bytes > self.most() {
            return self.must_be_too_long(dictionary).map(|()| None);
        }
        match self.chunk.column_type() {
            Type::BYTE_ARRAY => {}
            Type::FIXED_LEN_BYTE_ARRAY => {
                return Ok(u64::try_from(self.chunk.column_descr().type_length()).ok());
            }
            _ => return Ok(Some(8)),
        }
        let file = self.file.try_clone().map_err(|error| self.damaged(&error))?;
        let reader = SerializedPageReader::new(Arc::new(file), self.chunk, 0, None);
        let page = reader.and_then(|mut reader| reader.get_next_page());
        let page = page.map_err(|error| self.damaged(&error))?;
        let Some(Unpacked::DictionaryPage { buf, .. }) = page else {
            return Err(self.damaged(&"its dictionary is not where it should be"));
        };
        let (mut longest, mut rest) = (0, &*buf);
        while let Some((length, after)) = rest.split_first_chunk() {
            let n = u32::from_le_bytes(*length) as usize;
            rest = after.get(n..).ok_or_else(|| self.damaged(&"its dictionary ends in a value"))?;
            longest = longest.max(n as u64);
        }
        Ok(Some(longest))
    }

    /// Checks that all values of a page are longer than a record may be.
    fn must_be_too_long(&self, page: &Page) -> Result<()> {
        let has_nulls = self.chunk.column_descr().max_def_level() > 0;
        let limit = self.wanted.options.record_bytes as u64;
        // Rows without a text have no place in the dictionary, and nothing else tells of them here.
        let nulls = self.chunk.statistics().and_then(Statistics::null_count_opt);
        let is_mixed = page.kind == Kind::Dictionary && nulls.is_some_and(|n| n > 0);
        if self.is_text
            && !is_mixed
            && self.chunk.column_type() == Type::BYTE_ARRAY
            && page.lengths(self.file, self.chunk.compression(), has_nulls, limit)
                == Lengths::AllAbove
        {
            return Ok(());
        }
        Err(self.refused(page))
    }

    /// Why a page is not read.
    fn refused(&self, page: &Page) -> Error {
        Error::input(format!(
            "`{}`: a page of column `{}` unpacks to {} bytes, above the limit of {}; allow more memory, or \
             write the file with smaller pages",
            self.wanted.path,
            self.chunk.column_path().string(),
            page.n_bytes,
            self.most()
        ))
    }

    fn damaged(&self, what: &impl std::fmt::Display) -> Error {
        damaged(self.wanted.path, &lower(what))
    }
}

/// About how many bytes a row takes whose value is in a page; `longest` is the longest value of the
/// dictionary.
fn bytes_each(page: &Page, longest: u64) -> u64 {
    let own = page.n_bytes / page.n_values.max(1);
    match page.encoding {
        Encoding::Dictionary => own.max(longest),
        // Each value may have most of the one before.
        Encoding::Prefixes => page.n_bytes,
        Encoding::Plain | Encoding::Other => own,
    }
}
