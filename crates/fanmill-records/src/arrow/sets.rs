//! Sets of an Arrow array: lists of shingles that were made from texts before.
//!
//! A set is a list of different 64-bit numbers, ascending as unsigned ones. Their type is `uint64`, or `int64` with the
//! same bits, which is how hashes are handed out.

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::DataType;
use fanmill_text::{Error, Result};

/// Sets that follow each other in memory.
#[derive(Debug)]
pub struct Sets {
    offsets: Offsets,
    values: Values,
    nulls: Option<NullBuffer>,
    /// The number of its first set in the column.
    first: usize,
}

#[derive(Debug)]
enum Offsets {
    Short(ScalarBuffer<i32>),
    Long(ScalarBuffer<i64>),
}

#[derive(Debug)]
enum Values {
    Unsigned(ScalarBuffer<u64>),
    Signed(ScalarBuffer<i64>),
}

/// Returns whether an array has sets, and not texts.
pub fn are_sets(array: &ArrayRef) -> bool {
    matches!(array.data_type(), DataType::List(_) | DataType::LargeList(_))
}

impl Sets {
    /// Takes the sets of an array; `first` sets of its column come before.
    ///
    /// # Errors
    /// If it is not a list of 64-bit numbers.
    pub fn new(array: &ArrayRef, first: usize) -> Result<Sets> {
        let (offsets, values) = match array.data_type() {
            DataType::List(_) => {
                let list = array.as_list::<i32>();
                (Offsets::Short(offsets(list)), list.values())
            }
            DataType::LargeList(_) => {
                let list = array.as_list::<i64>();
                (Offsets::Long(offsets(list)), list.values())
            }
            other => return Err(no_sets(other)),
        };
        if values.null_count() > 0 {
            return Err(Error::input(
                "a set has a member that is null; make sets with the operator `shingles`",
            ));
        }
        let values = match values.data_type() {
            DataType::UInt64 => Values::Unsigned(numbers::<UInt64Type>(values)),
            DataType::Int64 => Values::Signed(numbers::<Int64Type>(values)),
            _ => return Err(no_sets(array.data_type())),
        };
        Ok(Sets { offsets, values, nulls: array.nulls().cloned(), first })
    }

    /// Returns the set of a row; `None` if it is null.
    ///
    /// # Errors
    /// If it is not a set: not ascending, or not inside its buffer.
    pub fn set(&self, row: usize) -> Result<Option<&[u64]>> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let range = match &self.offsets {
            Offsets::Short(offsets) => range(offsets, row),
            Offsets::Long(offsets) => range(offsets, row),
        };
        let all: &[u64] = match &self.values {
            Values::Unsigned(values) => values,
            Values::Signed(values) => bytemuck::cast_slice(values),
        };
        let set = range.and_then(|(start, end)| all.get(start..end));
        let is_set = |set: &[u64]| set.windows(2).all(|two| two[0] < two[1]);
        set.filter(|set| is_set(set)).map(Some).ok_or_else(|| {
            Error::input(format!(
                "row {} is not a set: its members are not different and ascending as unsigned numbers; make sets with \
                 the operator `shingles`",
                self.first + row
            ))
        })
    }
}

fn offsets<O: OffsetSizeTrait>(list: &GenericListArray<O>) -> ScalarBuffer<O> {
    list.offsets().inner().clone()
}

fn numbers<T: ArrowPrimitiveType>(values: &ArrayRef) -> ScalarBuffer<T::Native> {
    values.as_primitive::<T>().values().clone()
}

fn range<O: OffsetSizeTrait>(offsets: &[O], row: usize) -> Option<(usize, usize)> {
    Some((offsets[row].to_usize()?, offsets[row + 1].to_usize()?))
}

fn no_sets(kind: &DataType) -> Error {
    Error::input(format!(
        "a column of texts or of sets was expected, and this one is of type {kind}; make sets with the operator `shingles`"
    ))
}
