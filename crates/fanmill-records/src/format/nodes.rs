//! Values in columns of Arrow: as texts, as what steps into lists and structs lead through, and by their size.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_data::MAX_INLINE_VIEW_LEN;
use arrow_schema::{DataType, TimeUnit};

use super::json::Kind;
use super::lists::Node;
use crate::text::Text;

/// A value of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArrayNode<'a> {
    pub(super) array: &'a dyn Array,
    pub(super) row: usize,
}

/// Any value of a type: what leads nowhere by type leads nowhere in any row.
#[derive(Debug, Clone, Copy)]
pub(super) struct TypeNode<'a>(pub(super) &'a DataType);

/// Returns the kind that values of a type have, unless they are null. What has no kind of its own counts as a number, as
/// it is no text either.
pub(super) fn kind(own: &DataType) -> Kind {
    match own {
        DataType::Null => Kind::Null,
        DataType::Boolean => Kind::Bool,
        DataType::Struct(_) => Kind::Object,
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_) => Kind::Array,
        DataType::Dictionary(_, values) if is_string(values) => Kind::String,
        other if is_string(other) => Kind::String,
        _ => Kind::Number,
    }
}

impl<'a> Node<'a> for ArrayNode<'a> {
    fn kind(self) -> Kind {
        if self.array.is_null(self.row) { Kind::Null } else { kind(self.array.data_type()) }
    }

    fn each(self, visit: &mut dyn FnMut(Self)) -> Result<(), String> {
        let ArrayNode { array, row } = self;
        let (values, rows) = match array.data_type() {
            DataType::List(_) => list::<i32>(array, row),
            DataType::LargeList(_) => list::<i64>(array, row),
            DataType::ListView(_) => list_view::<i32>(array, row),
            DataType::LargeListView(_) => list_view::<i64>(array, row),
            DataType::FixedSizeList(_, n) => {
                let n = usize::try_from(*n).unwrap_or(0);
                (array.as_fixed_size_list().values(), row * n..(row + 1) * n)
            }
            _ => return Ok(()),
        };
        rows.for_each(|row| visit(ArrayNode { array: values, row }));
        Ok(())
    }

    fn member(self, name: &str) -> Result<Option<Self>, String> {
        let ArrayNode { array, row } = self;
        let member = array.as_struct_opt().and_then(|outer| outer.column_by_name(name));
        Ok(member.map(|array| ArrayNode { array, row }))
    }

    fn text(self) -> Result<Option<Text<'a>>, String> {
        Ok(text(self.array, self.row))
    }
}

/// Returns the values of lists, and those of them that are in the list of a row.
fn list<O: OffsetSizeTrait>(array: &dyn Array, row: usize) -> (&ArrayRef, Range<usize>) {
    let lists = array.as_list::<O>();
    let offsets = lists.value_offsets();
    (lists.values(), offsets[row].as_usize()..offsets[row + 1].as_usize())
}

/// Returns the values of lists that may lie anywhere among them, and those that are in the list of a row.
fn list_view<O: OffsetSizeTrait>(array: &dyn Array, row: usize) -> (&ArrayRef, Range<usize>) {
    let lists = array.as_list_view::<O>();
    let start = lists.offsets()[row].as_usize();
    (lists.values(), start..start + lists.sizes()[row].as_usize())
}

impl<'a> Node<'a> for TypeNode<'a> {
    fn kind(self) -> Kind {
        kind(self.0)
    }

    fn each(self, visit: &mut dyn FnMut(Self)) -> Result<(), String> {
        match self.0 {
            DataType::List(field)
            | DataType::LargeList(field)
            | DataType::FixedSizeList(field, _)
            | DataType::ListView(field)
            | DataType::LargeListView(field) => visit(TypeNode(field.data_type())),
            _ => {}
        }
        Ok(())
    }

    fn member(self, name: &str) -> Result<Option<Self>, String> {
        let DataType::Struct(fields) = self.0 else { return Ok(None) };
        let (_, field) = fields.find(name).ok_or_else(|| format!("no member `{name}`"))?;
        Ok(Some(TypeNode(field.data_type())))
    }

    fn text(self) -> Result<Option<Text<'a>>, String> {
        Ok(None)
    }
}

/// Returns whether values of a type can be made into text.
pub(super) fn has_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_string(values),
        DataType::Boolean
        | DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..)
        | DataType::Float32
        | DataType::Float64 => true,
        other => is_string(other) || other.is_integer() || *other == DataType::Null,
    }
}

/// Returns whether values of a type are strings, or bytes that may be.
pub(super) fn is_string(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) || is_binary(kind)
}

fn is_binary(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(kind, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
}

/// Returns the value of a row as text: numbers in decimals, dates and times as the number that is stored.
pub(super) fn text(array: &dyn Array, row: usize) -> Option<Text<'_>> {
    if array.is_null(row) {
        return None;
    }
    macro_rules! number {
        ($type:ty) => {
            Text::whole(array.as_primitive::<$type>().value(row).to_string())
        };
    }
    Some(match array.data_type() {
        DataType::Utf8 => Text::whole(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Text::whole(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Text::whole(array.as_string_view().value(row)),
        DataType::Binary => Text::utf8(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Text::utf8(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => Text::utf8(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => Text::utf8(array.as_fixed_size_binary().value(row)),
        DataType::Boolean => Text::whole(array.as_boolean().value(row).to_string()),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Date32 => number!(Date32Type),
        DataType::Date64 => number!(Date64Type),
        DataType::Timestamp(TimeUnit::Second, _) => number!(TimestampSecondType),
        DataType::Timestamp(TimeUnit::Millisecond, _) => number!(TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => number!(TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => number!(TimestampNanosecondType),
        DataType::Dictionary(..) => {
            let words = array.as_any_dictionary();
            // Keys are whole numbers, whose text is found above.
            let keys = words.keys().slice(row, 1);
            let key = text(&*keys, 0)?.characters.parse().ok()?;
            text(&**words.values(), key)?.into_owned()
        }
        _ => return None,
    })
}

/// Returns the bytes of the values of an array, which may be a slice of another. Those of a dictionary are counted whole.
pub(super) fn n_bytes(array: &dyn Array) -> usize {
    let nulls = array.nulls().map_or(0, |nulls| nulls.len().div_ceil(8));
    let values = match array.data_type() {
        DataType::List(_) => list_bytes::<i32>(array),
        DataType::LargeList(_) => list_bytes::<i64>(array),
        DataType::FixedSizeList(..) => n_bytes(array.as_fixed_size_list().values()),
        DataType::Struct(_) => {
            array.as_struct().columns().iter().map(|inside| n_bytes(inside)).sum()
        }
        DataType::Utf8View => view_bytes(array.as_string_view().views()),
        DataType::BinaryView => view_bytes(array.as_binary_view().views()),
        _ => {
            let of_slice = array.to_data().get_slice_memory_size();
            return of_slice.unwrap_or_else(|_| array.get_array_memory_size());
        }
    };
    nulls + values
}

fn list_bytes<O: OffsetSizeTrait>(array: &dyn Array) -> usize {
    let lists = array.as_list::<O>();
    let offsets = lists.value_offsets();
    let ends = offsets.first().zip(offsets.last());
    let (start, end) = ends.map_or((0, 0), |(start, end)| (start.as_usize(), end.as_usize()));
    size_of_val(offsets) + n_bytes(&*lists.values().slice(start, end - start))
}

/// Returns the bytes of views and of what they lead to. The first four bytes of a view are the length of its value.
fn view_bytes(views: &[u128]) -> usize {
    let lengths = views.iter().map(|view| *view as u32).filter(|n| *n > MAX_INLINE_VIEW_LEN);
    size_of_val(views) + lengths.map(|n| n as usize).sum::<usize>()
}
