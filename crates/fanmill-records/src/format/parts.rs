//! Rows of a Parquet file that are read together, chosen so that no batch takes more memory than it may.
//!
//! The library unpacks a page whole, makes as many rows as it is asked for, and knows nothing of memory. So each row
//! group is cut into a few parts whose rows are about equally long, and from each part as many rows are read at once as
//! make a batch. A value in a dictionary counts as long as the longest of them, since each row that has it gets a copy.
//! A group has few parts, because the library walks the pages from the beginning of the group for each.
//!
//! A page of texts that unpacks to more than its limit is never unpacked. If each of its texts is above the limit of a
//! record, its rows are bad records, and skipped. If that is not so, or cannot be known, the file is refused, as its
//! good records would be lost with the others. A file is also refused if one of its rows, or the pages that are open at
//! the same time, would take more than the limit in other columns.
//!
//! Pages must have all rows of their group: if they had fewer, rows would be lost without a word.
//!
//! Cost: see [`pages`](super::pages); a dictionary is unpacked once more to measure its values, and so are the pages of
//! lists and maps that are larger than a batch.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use fanmill_text::Error;
use parquet::basic::Type;
use parquet::column::page::{Page as Unpacked, PageReader};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;

use super::Options;
use super::fault::{Fault, ReadResult};
use super::levels::Lists;
use super::pages::{Encoding, Kind, Lengths, Page, Pages};
use super::runs::Runs;

/// Maximum number of rows in a batch, however small they are.
const MAX_ROWS: u64 = 1 << 16;
/// Maximum number of parts of a row group.
const MOST_PARTS: usize = 16;
/// Maximum number of different row lengths that are kept for a column.
const MOST_RUNS: usize = 1024;
/// Bytes of a page besides a value.
const BESIDE: usize = 64;
/// Minimum number of bytes that a value takes in memory, with its place and levels: dictionaries and runs make it look
/// smaller.
const LEAST_VALUE: u64 = 8;

/// Rows of a row group that are read by one reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) rows: Range<usize>,
    /// Number of them that make a batch.
    pub(super) n_at_once: usize,
    /// Those of the rows that are not read, since their texts are longer than a record may be; ascending.
    pub(super) too_long: Vec<Range<usize>>,
}

/// The columns of a group to be measured, and the options for that.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeasureOptions<'a> {
    /// The columns that are read, ascending.
    pub(super) leaves: &'a [usize],
    /// The column of the text, if each text is one value.
    pub(super) text: Option<usize>,
    pub(super) options: &'a Options,
    /// The file, as it is named in errors.
    pub(super) path: &'a Path,
}

/// Lengths of rows in one column, by its pages.
#[derive(Debug)]
struct RowLengths {
    /// Lengths of its values, row by row.
    rows: Runs,
    /// Rows whose texts are too long, ascending.
    too_long: Vec<Range<usize>>,
    /// Bytes of the pages that are held at the same time: the largest one, and the dictionary.
    held: u64,
}

/// Returns the bytes of the largest page that is unpacked, and of the largest row: one value always fits.
fn most(options: &Options) -> u64 {
    options.page_bytes.max(options.record_bytes).saturating_add(BESIDE) as u64
}

/// Cuts a row group into parts, in their order.
///
/// # Errors
/// If the group is damaged, or has pages or rows that are too large to be read.
pub(super) fn parts(
    file: &File,
    group: &RowGroupMetaData,
    wanted: MeasureOptions<'_>,
) -> ReadResult<Vec<Part>> {
    let damage = |what: &str| Fault::Damage(what.to_owned());
    let n_rows =
        u64::try_from(group.num_rows()).map_err(|_| damage("it has fewer than no rows"))?;
    let (mut text, mut others) = (None, OtherColumns::new(n_rows));
    for &leaf in wanted.leaves {
        let chunk = group.columns().get(leaf).ok_or_else(|| damage("it lacks a column"))?;
        let column = Column { file, chunk, is_text: Some(leaf) == wanted.text, wanted };
        let measured = column.measure(n_rows)?;
        if column.is_text { text = Some(measured) } else { others.add(&column, &measured) }
    }
    if wanted.text.is_some() && text.is_none() {
        return Err(damage("it lacks the column of the texts"));
    }
    others.check(wanted)?;
    let (rows, too_long) = match &text {
        Some(text) => (text.rows.beside(&others.rows, MOST_PARTS), &*text.too_long),
        None => (others.rows.beside(&OtherColumns::new(n_rows).rows, MOST_PARTS), &[][..]),
    };
    Ok(cut(&rows, too_long, wanted.options.batch_bytes as u64))
}

/// Makes a part of each run. No part ends inside rows that are not read: to pass over half a page, the library would
/// unpack it.
fn cut(rows: &Runs, too_long: &[Range<usize>], batch_bytes: u64) -> Vec<Part> {
    let (mut parts, mut start, mut end) = (Vec::new(), 0, 0);
    for run in rows.iter() {
        end += run.n as usize;
        let across = too_long.iter().find(|range| range.start < end && end < range.end);
        let rows = start..across.map_or(end, |range| range.end).max(start);
        start = rows.end;
        let inside = |range: &Range<usize>| range.start.max(rows.start)..range.end.min(rows.end);
        let too_long = too_long.iter().map(inside).filter(|range| !range.is_empty()).collect();
        let n_at_once = (batch_bytes / run.longest.max(1)).clamp(1, MAX_ROWS) as usize;
        parts.push(Part { rows, n_at_once, too_long });
    }
    parts.retain(|part| !part.rows.is_empty());
    parts
}

/// All columns except that of the text.
#[derive(Debug)]
struct OtherColumns {
    rows: Runs,
    /// Bytes of the pages that are held for all of them.
    held: u64,
    /// Bytes and name of the column with the longest row so far; `largest` is the one with the largest pages.
    longest: (u64, String),
    largest: (u64, String),
}

impl OtherColumns {
    fn new(n_rows: u64) -> OtherColumns {
        let mut rows = Runs::new(MOST_RUNS);
        rows.push(n_rows, 0);
        OtherColumns { rows, held: 0, longest: (0, String::new()), largest: (0, String::new()) }
    }

    /// Adds a column.
    fn add(&mut self, column: &Column<'_>, measured: &RowLengths) {
        self.rows = self.rows.beside(&measured.rows, MOST_RUNS);
        self.held = self.held.saturating_add(measured.held);
        let name = || column.chunk.column_path().string();
        if measured.rows.longest() > self.longest.0 {
            self.longest = (measured.rows.longest(), name());
        }
        if measured.held > self.largest.0 {
            self.largest = (measured.held, name());
        }
    }

    /// Checks that rows and pages can be held.
    ///
    /// # Errors
    /// If a row of all these columns is too large to be held, or the pages that are open at the same time are.
    fn check(&self, wanted: MeasureOptions<'_>) -> ReadResult<()> {
        let (row, most) = (self.rows.longest(), most(wanted.options));
        let (what, bytes, (_, column)) = if row > most {
            ("a row", row, &self.longest)
        } else if self.held > most {
            ("a page of each column", self.held, &self.largest)
        } else {
            return Ok(());
        };
        Err(Fault::Error(Error::input(format!(
            "`{}`: {what} unpacks to as many as {bytes} bytes{}, the largest part of them in column \
             `{column}`, above the limit of {most}; allow more memory, or write the file without that column",
            wanted.path.display(),
            if wanted.text.is_some() { " besides the text" } else { "" }
        ))))
    }
}

/// One column of a row group.
#[derive(Debug, Clone, Copy)]
struct Column<'a> {
    file: &'a File,
    chunk: &'a ColumnChunkMetaData,
    is_text: bool,
    wanted: MeasureOptions<'a>,
}

/// Lengths of the values of a dictionary.
#[derive(Debug, Clone, Copy)]
enum Dictionary {
    /// There is no dictionary.
    None,
    /// Each value has at most so many bytes.
    Longest(u64),
    /// All values are too long for a record, and none has been unpacked.
    TooLong(Page),
}

impl Column<'_> {
    /// Measures the rows by the headers of the pages.
    fn measure(&self, n_rows: u64) -> ReadResult<RowLengths> {
        let is_flat = self.chunk.column_descr().max_rep_level() == 0;
        let (mut dictionary, mut dictionary_bytes, mut is_first) = (Dictionary::None, 0, true);
        let (mut rows, mut too_long) = (Runs::new(MOST_RUNS), Vec::<Range<usize>>::new());
        // Number of values so far, the bytes of all of them, and those of the largest page.
        let (mut n_values, mut all, mut largest) = (0_u64, 0_u64, 0);
        for page in Pages::new(self.file, self.chunk).map_err(|error| Fault::damage(&error))? {
            let page = page.map_err(|error| Fault::damage(&error))?;
            self.check(&page)?;
            match page.kind {
                Kind::Other => continue,
                Kind::Dictionary if is_first && matches!(dictionary, Dictionary::None) => {
                    dictionary = self.dictionary(&page)?;
                    dictionary_bytes = page.n_bytes;
                    continue;
                }
                Kind::Dictionary => {
                    return Err(Fault::damage(&"a dictionary comes behind what refers to it"));
                }
                Kind::Data | Kind::DataV2 => {}
            }
            let start = n_values;
            n_values = n_values.saturating_add(page.n_values);
            if is_flat && n_values > n_rows {
                return Err(self.miscounted(n_values, n_rows));
            }
            if self.is_too_long(&page, dictionary)? {
                rows.push_any(page.n_values);
                match too_long.last_mut().filter(|last| last.end as u64 == start) {
                    Some(last) => last.end = n_values as usize,
                    None => too_long.push(start as usize..n_values as usize),
                }
            } else {
                // The dictionary is read with the first page, unless that one is passed over.
                if let (Dictionary::TooLong(page), true) = (&dictionary, is_first) {
                    return Err(self.refused(page));
                }
                let each = bytes_each(page.encoding, page.n_bytes, page.n_values, dictionary);
                largest = largest.max(page.n_bytes);
                all = all.saturating_add(each.saturating_mul(page.n_values));
                rows.push(page.n_values, each);
            }
            is_first = false;
        }
        if !is_flat {
            rows = self.lists(n_rows, all, dictionary)?;
        } else if n_values != n_rows {
            return Err(self.miscounted(n_values, n_rows));
        }
        Ok(RowLengths { rows, too_long, held: dictionary_bytes.saturating_add(largest) })
    }

    /// Refuses a page that would unpack to more than its header says.
    fn check(&self, page: &Page) -> ReadResult<()> {
        let most = most(self.wanted.options);
        let is_as_said = page.n_bytes > most
            || page
                .is_as_said(self.file, self.chunk.compression(), most)
                .map_err(|error| Fault::damage(&error))?;
        if is_as_said {
            Ok(())
        } else {
            Err(Fault::damage(&"a page unpacks to more than its header says"))
        }
    }

    /// Returns whether the rows of a page are passed over, since each of their texts is longer than a record may be.
    fn is_too_long(&self, page: &Page, dictionary: Dictionary) -> ReadResult<bool> {
        if page.n_bytes > most(self.wanted.options) {
            return self.must_be_too_long(page).map(|()| true);
        }
        Ok(matches!(dictionary, Dictionary::TooLong(_)) && page.encoding == Encoding::Dictionary)
    }

    /// Measures rows with any number of values, which together take `all` bytes.
    fn lists(&self, n_rows: u64, all: u64, dictionary: Dictionary) -> ReadResult<Runs> {
        let mut rows = Runs::new(MOST_RUNS);
        if all <= self.wanted.options.batch_bytes as u64 {
            // However the values are distributed, all rows together make no more than a batch.
            rows.push(n_rows, all / n_rows.max(1));
            return Ok(rows);
        }
        let (mut lists, mut n_found) =
            (Lists::new(self.chunk.column_descr().max_rep_level()), 0_u64);
        let mut pages = self.reader()?;
        while let Some(page) = pages.get_next_page().map_err(|error| Fault::damage(&error))? {
            if !page.is_data_page() {
                continue;
            }
            let (n_bytes, n_values) = (page.buffer().len() as u64, page.num_values().into());
            let each = bytes_each(page.encoding().into(), n_bytes, n_values, dictionary);
            let found = lists.add(&page, each);
            let found =
                found.ok_or_else(|| Fault::damage(&"its lists have levels that make no sense"))?;
            rows.lengthen_last(found.before);
            let all_here = each.saturating_mul(n_values);
            let is_small = all_here <= self.wanted.options.batch_bytes as u64;
            let mean = all_here / found.n_rows.max(1);
            rows.push(found.n_rows, if is_small { mean } else { found.longest });
            n_found = n_found.saturating_add(found.n_rows);
        }
        if n_found == n_rows { Ok(rows) } else { Err(self.miscounted(n_found, n_rows)) }
    }

    /// Measures the values of the dictionary.
    fn dictionary(&self, page: &Page) -> ReadResult<Dictionary> {
        if page.n_bytes > most(self.wanted.options) {
            return self.must_be_too_long(page).map(|()| Dictionary::TooLong(*page));
        }
        match self.chunk.column_type() {
            Type::BYTE_ARRAY => {}
            Type::FIXED_LEN_BYTE_ARRAY => {
                let length = self.chunk.column_descr().type_length();
                return Ok(Dictionary::Longest(u64::try_from(length).unwrap_or(0)));
            }
            _ => return Ok(Dictionary::Longest(LEAST_VALUE)),
        }
        let page = self.reader()?.get_next_page().map_err(|error| Fault::damage(&error))?;
        let Some(Unpacked::DictionaryPage { buf, .. }) = page else {
            return Err(Fault::damage(&"its dictionary is not where it should be"));
        };
        let (mut longest, mut rest) = (0, &*buf);
        while let Some((length, after)) = rest.split_first_chunk() {
            let n = u32::from_le_bytes(*length) as usize;
            rest =
                after.get(n..).ok_or_else(|| Fault::damage(&"its dictionary ends in a value"))?;
            longest = longest.max(n as u64);
        }
        Ok(Dictionary::Longest(longest))
    }

    /// Opens a reader of its pages, which unpacks them.
    fn reader(&self) -> ReadResult<SerializedPageReader<File>> {
        let file = self.file.try_clone().map_err(|error| Fault::damage(&error))?;
        SerializedPageReader::new(Arc::new(file), self.chunk, 0, None)
            .map_err(|error| Fault::damage(&error))
    }

    /// Checks that all values of a page are longer than a record may be.
    fn must_be_too_long(&self, page: &Page) -> ReadResult<()> {
        let has_nulls = self.chunk.column_descr().max_def_level() > 0;
        let limit = self.wanted.options.record_bytes as u64;
        // Rows without a text are not in the dictionary, and only the statistics show them here.
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

    /// Returns the fault of a page that is not read.
    fn refused(&self, page: &Page) -> Fault {
        Fault::Error(Error::input(format!(
            "`{}`: a page of column `{}` unpacks to {} bytes, above the limit of {}; allow more memory, or \
             write the file with smaller pages",
            self.wanted.path.display(),
            self.chunk.column_path().string(),
            page.n_bytes,
            most(self.wanted.options)
        )))
    }

    /// Returns the fault of a column whose pages have another number of rows than their group.
    fn miscounted(&self, n_found: u64, n_rows: u64) -> Fault {
        let more = if n_found > n_rows { " or more" } else { "" };
        let column = self.chunk.column_path().string();
        Fault::damage(&format!(
            "column `{column}` has {n_found}{more} of the {n_rows} rows of the group"
        ))
    }
}

/// Returns about how many bytes a value takes in memory, by the bytes and values of its page.
fn bytes_each(encoding: Encoding, n_bytes: u64, n_values: u64, dictionary: Dictionary) -> u64 {
    let own = n_bytes.div_ceil(n_values.max(1)).max(LEAST_VALUE);
    match (encoding, dictionary) {
        (Encoding::Dictionary, Dictionary::Longest(longest)) => own.max(longest),
        // Each value may repeat most of the one before.
        (Encoding::Prefixes, _) => n_bytes,
        _ => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lengths: &[(u64, u64)]) -> Runs {
        let mut rows = Runs::new(MOST_PARTS);
        for &(n, bytes) in lengths {
            rows.push(n, bytes);
        }
        rows
    }

    #[test]
    fn parts_have_all_rows_and_none_ends_in_what_is_passed_over() {
        let rows = rows(&[(10, 10), (10, 1000), (10, 10), (5, 1000), (1, 10)]);
        let parts = cut(&rows, &[3..5, 15..22, 27..36], 100);
        let expected = [((0, 10), 10, (3, 5)), ((10, 22), 1, (15, 22)), ((22, 36), 10, (27, 36))];
        let ends = |range: &Range<usize>| (range.start, range.end);
        let found = parts.iter().map(|part| match &part.too_long[..] {
            [only] => (ends(&part.rows), part.n_at_once, ends(only)),
            other => panic!("{other:?}"),
        });
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
