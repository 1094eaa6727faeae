//! Texts of an Arrow array, without a copy.
//!
//! | Arrow's type | its texts |
//! |---|---|
//! | `string`, `large_string` | bytes between two offsets |
//! | `string_view` | bytes in a view, or where it leads |
//! | dictionary of these | the text that a key leads to |
//! | `null` | none |
//!
//! Each text is checked to lie in its buffer and to be UTF-8 when it is read.
//!
//! Cost: only the keys of a dictionary are copied, 8 bytes a row. The check costs a hundredth of the work on a text.

use std::str;

use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{
    Array, ArrayRef, GenericByteArray, LargeStringArray, StringArray, StringViewArray,
    downcast_dictionary_array,
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
}

#[derive(Debug)]
enum Layout {
    Short(StringArray),
    Long(LargeStringArray),
    Views(StringViewArray),
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
    /// If they are not strings.
    pub fn new(array: &ArrayRef, first: usize) -> Result<Texts> {
        let layout = match array.data_type() {
            DataType::Utf8 => Layout::Short(array.as_string().clone()),
            DataType::LargeUtf8 => Layout::Long(array.as_string().clone()),
            DataType::Utf8View => Layout::Views(array.as_string_view().clone()),
            DataType::Dictionary(..) => {
                let values = Texts::new(array.as_any_dictionary().values(), 0)?;
                Layout::Dictionary { keys: keys(array), values: Box::new(values) }
            }
            DataType::Null => Layout::Nulls,
            other => {
                return Err(Error::input(format!(
                    "a column of texts was expected, and this one is of type {other}; give one of strings"
                )));
            }
        };
        Ok(Texts { layout, nulls: array.nulls().cloned(), len: array.len(), first })
    }

    /// Takes all texts of a column, part by part.
    ///
    /// # Errors
    /// If they are not strings, a stream fails, or the work is cancelled.
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

    /// Returns the text of a row; `None` if it is null.
    ///
    /// # Errors
    /// If it is not UTF-8, or not inside its buffer.
    pub fn text(&self, row: usize) -> Result<Option<&str>> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let bytes = match &self.layout {
            Layout::Short(array) => between_offsets(array, row),
            Layout::Long(array) => between_offsets(array, row),
            Layout::Views(array) => of_view(array, row),
            Layout::Dictionary { keys, values } if keys[row] < values.len => {
                return values.text(keys[row]);
            }
            Layout::Dictionary { .. } => return Err(self.damaged(row, "its key leads nowhere")),
            Layout::Nulls => return Ok(None),
        };
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

fn of_view(array: &StringViewArray, row: usize) -> Option<&[u8]> {
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
