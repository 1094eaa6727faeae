//! Values of a table in columns, as texts: the places of a record's parts, and rows as records.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Fields, SchemaRef, TimeUnit};
use fanmill_text::{Error, Result};
use parquet::schema::types::SchemaDescriptor;

use super::fields::missing;
use super::parquet_file::{ReadResult, guarded};
use super::strings::with_strings;
use super::{ID_FIELDS, Options, TEXT_FIELDS};
use crate::record::{Flaw, Record};
use crate::text::Text;

/// Place of a value: a column, and the fields of structs inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) steps: Vec<usize>,
    /// Names of these columns and fields. A name may contain dots.
    names: Vec<String>,
    pub(super) kind: DataType,
}

impl Place {
    /// Finds a column of exactly that name, or else, if the name has a dot, a field of a struct.
    fn find(fields: &Fields, name: &str) -> Option<Place> {
        if let Some((at, field)) = fields.find(name) {
            let kind = field.data_type().clone();
            return Some(Place { steps: vec![at], names: vec![name.to_owned()], kind });
        }
        let (head, rest) = name.split_once('.')?;
        let (at, outer) = fields.find(head)?;
        let DataType::Struct(inside) = outer.data_type() else { return None };
        let mut place = Place::find(inside, rest)?;
        place.steps.insert(0, at);
        place.names.insert(0, head.to_owned());
        Some(place)
    }

    /// Returns its number among all columns that have values, including those inside structs; `None` if it is not one
    /// of them.
    pub(super) fn leaf(&self, schema: &SchemaDescriptor) -> Option<usize> {
        let root = self.steps.first()?;
        (0..schema.num_columns()).find(|&leaf| {
            // A column `a.b` and a field `b` of a struct `a` have the same path as text.
            schema.get_column_root_idx(leaf) == *root
                && schema.column(leaf).path().parts() == self.names
        })
    }

    /// Returns its name as users write it.
    pub(super) fn name(&self) -> String {
        self.names.join(".")
    }

    /// Returns the value of a row as text; `None` if it is null.
    fn text<'a>(&self, batch: &'a RecordBatch, row: usize) -> Option<Text<'a>> {
        let (first, inside) = self.steps.split_first()?;
        let mut array: &ArrayRef = batch.column(*first);
        for &step in inside {
            if array.is_null(row) {
                return None;
            }
            array = array.as_struct().column(step);
        }
        text(array, row)
    }
}

/// Returns whether values of a type can be made into text.
fn has_text(kind: &DataType) -> bool {
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

pub(super) fn is_string(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) || is_binary(kind)
}

fn is_binary(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(kind, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
}

/// Returns the value of a row as text: numbers in decimals, dates and times as the number that is stored.
fn text(array: &ArrayRef, row: usize) -> Option<Text<'_>> {
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
            let key = text(&keys, 0)?.characters.parse().ok()?;
            text(words.values(), key)?.into_owned()
        }
        _ => return None,
    })
}

/// The columns that records are made of.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) text: Place,
    id: Option<Place>,
    extra: Vec<Option<Place>>,
    record_bytes: usize,
}

impl Plan {
    pub(super) fn new(path: &Path, schema: &SchemaRef, options: &Options) -> Result<Plan> {
        let path = path.display();
        let fields = schema.fields();
        let first = |given: &Option<String>, usual: &[&str]| match given {
            Some(name) => Place::find(fields, name),
            None => usual.iter().find_map(|name| Place::find(fields, name)),
        };
        let text = first(&options.text, &TEXT_FIELDS).ok_or_else(|| {
            let wanted = options.text.as_deref().map_or(TEXT_FIELDS.to_vec(), |name| vec![name]);
            let names = fields.iter().map(|field| format!("`{}`", field.name())).collect();
            let what = missing(wanted.into_iter(), names);
            Error::input(format!("`{path}`: {what}; name the field of the text"))
        })?;
        // The text must be a string, perhaps by way of a dictionary; other fields need only be readable as text.
        let dictionary = matches!(&text.kind, DataType::Dictionary(_, values) if is_string(values));
        // A shard in which no record has a text may say that of the type: all of its texts are null.
        if !is_string(&text.kind) && !dictionary && text.kind != DataType::Null {
            let (name, kind) = (text.name(), &text.kind);
            return Err(Error::input(format!(
                "`{path}`: column `{name}` has values of type {kind}, not texts; name the \
                 field of the text"
            )));
        }
        let id = first(&options.id, &ID_FIELDS);
        let extra: Vec<_> = options.extra.iter().map(|name| Place::find(fields, name)).collect();
        for place in id.iter().chain(extra.iter().flatten()) {
            if !has_text(&place.kind) {
                let (name, kind) = (place.name(), &place.kind);
                return Err(Error::input(format!(
                    "`{path}`: column `{name}` has values of type {kind}, which have no text"
                )));
            }
        }
        Ok(Plan { text, id, extra, record_bytes: options.record_bytes })
    }

    /// Returns the places of the values that are read, the text first.
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.text).chain(&self.id).chain(self.extra.iter().flatten())
    }
}

/// The part of some rows that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TableContent {
    /// The columns that were asked for.
    Values,
    /// No values, because the texts are too long for records.
    TooLong,
    /// The columns that records are made of. All rows of their group, which has this number, stay.
    Needed(usize),
    /// No values, because all rows of their group stay and nobody has to look at them.
    Nothing(usize),
    /// No values, because of this damage.
    Damaged(Arc<str>),
}

/// Some rows, and the places of their values.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) rows: RecordBatch,
    pub(super) holds: TableContent,
    plan: Arc<Plan>,
    /// Rows whose texts have U+FFFD in place of bytes that are no character, ascending.
    replaced: Vec<usize>,
}

impl Table {
    /// Creates a table of rows that have bytes in place of strings; `schema` has the strings.
    ///
    /// # Errors
    /// If the rows are not of that schema.
    pub(super) fn new(
        bytes: &RecordBatch,
        schema: &SchemaRef,
        holds: TableContent,
        plan: Arc<Plan>,
    ) -> ReadResult<Table> {
        let (rows, is_replaced) = guarded(|| with_strings(bytes, schema))?;
        let has_loss =
            |&row: &usize| plan.text.text(bytes, row).is_some_and(|text| text.is_replaced);
        let among = if is_replaced { 0..rows.num_rows() } else { 0..0 };
        let replaced = among.filter(has_loss).collect();
        Ok(Table { rows, holds, plan, replaced })
    }

    /// Creates a table of rows without values.
    pub(super) fn without_values(rows: RecordBatch, holds: TableContent, plan: Arc<Plan>) -> Table {
        Table { rows, holds, plan, replaced: Vec::new() }
    }

    pub(super) fn parse(&self, row: usize) -> std::result::Result<Record<'_>, String> {
        let Table { rows, holds, plan, replaced } = self;
        let limit = plan.record_bytes;
        let mut text = match holds {
            TableContent::Values | TableContent::Needed(_) => plan.text.text(rows, row),
            TableContent::TooLong => None,
            TableContent::Nothing(_) => return Err("it was not read".to_owned()),
            TableContent::Damaged(what) => return Err(what.to_string()),
        };
        let is_long = |text: &Text<'_>| text.characters.len() > limit;
        if *holds == TableContent::TooLong || text.as_ref().is_some_and(is_long) {
            return Err(format!("longer than the limit of {limit} bytes for a record"));
        }
        if let Some(text) = &mut text {
            text.is_replaced |= replaced.binary_search(&row).is_ok();
        }
        let value = |place: &Place| place.text(rows, row).map(|text| text.characters);
        Ok(Record {
            flaw: text.as_ref().map_or(Some(Flaw::Null), Text::flaw),
            text: text.map(|text| text.characters).unwrap_or_default(),
            id: plan.id.as_ref().and_then(value),
            extra: plan.extra.iter().map(|place| place.as_ref().and_then(value)).collect(),
        })
    }

    /// Returns the column of the texts, unless these are inside structs.
    pub(super) fn text_column(&self) -> Option<usize> {
        match self.plan.text.steps[..] {
            [column] => Some(column),
            _ => None,
        }
    }
}

/// Returns the bytes of the values of some rows, which may be a slice of others.
pub(super) fn n_bytes(rows: &RecordBatch) -> usize {
    let of_column = |column: &ArrayRef| {
        let of_slice = column.to_data().get_slice_memory_size();
        of_slice.unwrap_or_else(|_| column.get_array_memory_size())
    };
    rows.columns().iter().map(of_column).sum()
}
