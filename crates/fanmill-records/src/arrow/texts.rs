//! Texts of an Arrow array, without a copy.
//!
//! | Arrow's type | its texts |
//! |---|---|
//! | `string`, `large_string` | bytes between two offsets |
//! | `string_view` | bytes in a view, or where it leads |
//! | `binary`, `large_binary`, `binary_view` | the same, with U+FFFD for each sequence that is not UTF-8 |
//! | dictionary of these | the text that a key leads to |
//! | `null` | none |
//!
//! Each text is checked to lie in its buffer and to be UTF-8 when it is read. A string that is not UTF-8 is an error, as
//! its type promises that it is.
//!
//! Cost: only the keys of a dictionary are copied, 8 bytes a row, and bytes that are not UTF-8. The check costs a
//! hundredth of the work on a text; bytes are checked twice.

use std::collections::BTreeMap;
use std::str;

use arrow_array::cast::AsArray;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, GenericByteArray, GenericByteViewArray,
    LargeBinaryArray, LargeStringArray, StringArray, StringViewArray, downcast_dictionary_array,
};
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::DataType;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};

/// Texts that follow each other in memory.
#[derive(Debug)]
pub struct Texts {
    layout: Layout,
    nulls: Option<NullBuffer>,
    len: usize,
    /// The number of its first text in the column.
    first: usize,
    /// The texts of bytes that are not UTF-8, by their rows.
    mended: BTreeMap<usize, String>,
}

#[derive(Debug)]
enum Layout {
    Short(StringArray),
    Long(LargeStringArray),
    Views(StringViewArray),
    ShortBytes(BinaryArray),
    LongBytes(LargeBinaryArray),
    ByteViews(BinaryViewArray),
    /// Keys as they came: negative ones are beyond all values.
    Dictionary {
        keys: Vec<usize>,
        values: Box<Texts>,
    },
    Nulls,
}

impl Texts {
    /// Takes the texts of an array; `first` texts of its column come before.
    ///
    /// # Errors
    /// If they are neither strings nor bytes.
    pub fn new(array: &ArrayRef, first: usize) -> Result<Texts> {
        let layout = match array.data_type() {
            DataType::Utf8 => Layout::Short(array.as_string().clone()),
            DataType::LargeUtf8 => Layout::Long(array.as_string().clone()),
            DataType::Utf8View => Layout::Views(array.as_string_view().clone()),
            DataType::Binary => Layout::ShortBytes(array.as_binary().clone()),
            DataType::LargeBinary => Layout::LongBytes(array.as_binary().clone()),
            DataType::BinaryView => Layout::ByteViews(array.as_binary_view().clone()),
            DataType::Dictionary(..) => {
                let values = Texts::new(array.as_any_dictionary().values(), 0)?;
                Layout::Dictionary { keys: keys(array), values: Box::new(values) }
            }
            DataType::Null => Layout::Nulls,
            other => {
                return Err(Error::input(format!(
                    "a column of texts was expected, and this one is of type {other}; give one of strings or bytes"
                )));
            }
        };
        let (nulls, len) = (array.nulls().cloned(), array.len());
        let mut texts = Texts { layout, nulls, len, first, mended: BTreeMap::new() };
        texts.mend();
        Ok(texts)
    }

    /// Decodes the bytes that are not UTF-8.
    fn mend(&mut self) {
        let layout = &self.layout;
        if !matches!(layout, Layout::ShortBytes(_) | Layout::LongBytes(_) | Layout::ByteViews(_)) {
            return;
        }
        let rows = (0..self.len).filter(|&row| !self.is_null(row));
        // Bytes beyond their buffer are an error of those who read them.
        let bytes = rows.filter_map(|row| Some((row, self.bytes(row)?)));
        let broken = bytes.filter(|(_, bytes)| str::from_utf8(bytes).is_err());
        let mended = broken.map(|(row, bytes)| (row, String::from_utf8_lossy(bytes).into_owned()));
        self.mended = mended.collect();
    }

    /// Takes all texts of a column, part by part.
    ///
    /// # Errors
    /// If they are neither strings nor bytes, a stream fails, or the work is cancelled.
    pub fn all(
        arrays: impl Iterator<Item = Result<ArrayRef>>,
        progress: &dyn Progress,
    ) -> Result<Vec<Texts>> {
        let mut first = 0;
        let parts = arrays.map(|array| {
            progress.check()?;
            let texts = Texts::new(&array?, first)?;
            first += texts.len();
            Ok(texts)
        });
        parts.collect()
    }

    /// Returns true if there are no texts.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of texts, null ones included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of texts whose bytes are not UTF-8, so that they have U+FFFD instead.
    pub fn n_mended(&self) -> usize {
        match &self.layout {
            Layout::Dictionary { keys, values } if !values.mended.is_empty() => {
                let rows = (0..self.len).filter(|&row| !self.is_null(row));
                rows.filter(|&row| values.mended.contains_key(&keys[row])).count()
            }
            _ => self.mended.len(),
        }
    }

    fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    /// Returns the bytes of a row of an array of strings or bytes; `None` if they are not inside their buffer.
    fn bytes(&self, row: usize) -> Option<&[u8]> {
        match &self.layout {
            Layout::Short(array) => between_offsets(array, row),
            Layout::Long(array) => between_offsets(array, row),
            Layout::Views(array) => of_view(array, row),
            Layout::ShortBytes(array) => between_offsets(array, row),
            Layout::LongBytes(array) => between_offsets(array, row),
            Layout::ByteViews(array) => of_view(array, row),
            Layout::Dictionary { .. } | Layout::Nulls => None,
        }
    }

    /// Returns the text of a row; `None` if it is null.
    ///
    /// # Errors
    /// If it is a string and not UTF-8, or not inside its buffer.
    pub fn text(&self, row: usize) -> Result<Option<&str>> {
        if self.is_null(row) {
            return Ok(None);
        }
        match &self.layout {
            Layout::Dictionary { keys, values } if keys[row] < values.len => {
                return values.text(keys[row]);
            }
            Layout::Dictionary { .. } => return Err(self.damaged(row, "its key leads nowhere")),
            Layout::Nulls => return Ok(None),
            _ => {}
        }
        if let Some(text) = self.mended.get(&row) {
            return Ok(Some(text));
        }
        let bytes = self.bytes(row);
        let bytes = bytes.ok_or_else(|| self.damaged(row, "it is not inside of its buffer"))?;
        str::from_utf8(bytes).map(Some).map_err(|error| {
            let number = self.first + row;
            Error::input(format!(
                "text {number} is not UTF-8 from byte {} on; decode it before, and replace what cannot be decoded",
                error.valid_up_to()
            ))
        })
    }

    fn damaged(&self, row: usize, how: &str) -> Error {
        Error::input(format!("text {} is damaged: {how}", self.first + row))
    }
}

/// Returns the keys of a dictionary, which are not trusted.
fn keys(array: &ArrayRef) -> Vec<usize> {
    downcast_dictionary_array! {
        array => array.keys().values().iter().map(|key| key.as_usize()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the bytes of a row, by offsets that are not trusted.
fn between_offsets<T: ByteArrayType>(array: &GenericByteArray<T>, row: usize) -> Option<&[u8]> {
    let at = |row: usize| array.value_offsets()[row].to_usize();
    array.value_data().get(at(row)?..at(row + 1)?)
}

fn of_view<T: ByteViewType + ?Sized>(array: &GenericByteViewArray<T>, row: usize) -> Option<&[u8]> {
    let view = &array.views()[row];
    let len = *view as u32;
    if len <= MAX_INLINE_VIEW_LEN {
        // The length, then the text.
        return bytemuck::bytes_of(view).get(4..4 + len as usize);
    }
    let view = ByteView::from(*view);
    let start = view.offset as usize;
    array.data_buffers().get(view.buffer_index as usize)?.get(start..start + len as usize)
}
