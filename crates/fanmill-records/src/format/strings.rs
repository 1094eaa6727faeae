//! Strings of columns, made of bytes by ourselves.
//!
//! The library turns bytes into strings as it reads them. Where a file calls them UTF-8, one bad byte makes the library give
//! up all rows around it; where it calls them JSON, the library does not look at them, and any bytes can be behind a `str`.
//! So strings are asked for as bytes, and become strings here: bytes that are no character are read as U+FFFD, as in every
//! other format.
//!
//! Cost: one pass over the strings, and a copy of columns with bad ones.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, FixedSizeListArray, GenericBinaryArray, GenericListArray,
    GenericListViewArray, GenericStringArray, LargeBinaryArray, MapArray, OffsetSizeTrait,
    RecordBatch, RecordBatchOptions, StringViewArray, StructArray,
};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::{ConvertedType, LogicalType, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, ParquetMetaData};
use parquet::schema::types::{BasicTypeInfo, SchemaDescriptor, Type, TypePtr};

/// Returns the metadata of a file with bytes in place of its strings.
///
/// # Errors
/// If the library cannot read the file that way.
pub(super) fn as_bytes(own: &ArrowReaderMetadata) -> Result<ArrowReaderMetadata, ParquetError> {
    let metadata = own.metadata();
    let file = metadata.file_metadata();
    let root = without_strings(file.schema_descr().root_schema())?;
    let file = FileMetaData::new(
        file.version(),
        file.num_rows(),
        file.created_by().map(str::to_owned),
        file.key_value_metadata().cloned(),
        Arc::new(SchemaDescriptor::new(root)),
        file.column_orders().cloned(),
    );
    let metadata = ParquetMetaData::new(file, metadata.row_groups().to_vec());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(bytes_schema(own.schema())));
    ArrowReaderMetadata::try_new(Arc::new(metadata), options)
}

/// Returns a type of Parquet without the remark that its bytes are strings.
fn without_strings(own: &Type) -> Result<TypePtr, ParquetError> {
    let info = own.get_basic_info();
    let id = info.has_id().then(|| info.id());
    let made = match own {
        Type::PrimitiveType { physical_type: PhysicalType::BYTE_ARRAY, .. } if is_string(info) => {
            Type::primitive_type_builder(info.name(), PhysicalType::BYTE_ARRAY)
                .with_repetition(info.repetition())
                .with_id(id)
                .build()?
        }
        Type::PrimitiveType { .. } => own.clone(),
        Type::GroupType { fields, .. } => {
            let fields = fields.iter().map(|field| without_strings(field));
            let builder = Type::group_type_builder(info.name())
                .with_converted_type(info.converted_type())
                .with_logical_type(info.logical_type_ref().cloned())
                .with_fields(fields.collect::<Result<_, _>>()?)
                .with_id(id);
            let has_repetition = info.has_repetition();
            if has_repetition { builder.with_repetition(info.repetition()) } else { builder }
                .build()?
        }
    };
    Ok(Arc::new(made))
}

/// Returns whether the library makes strings of values of a type.
fn is_string(info: &BasicTypeInfo) -> bool {
    let by_name = matches!(info.logical_type_ref(), Some(LogicalType::String | LogicalType::Json));
    by_name || matches!(info.converted_type(), ConvertedType::UTF8 | ConvertedType::JSON)
}

/// Returns a schema with bytes in place of strings.
pub(super) fn bytes_schema(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(bytes_field).collect::<Fields>();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

/// Returns a field with bytes in place of strings.
fn bytes_field(field: &FieldRef) -> FieldRef {
    let kind = bytes_type(field.data_type());
    Arc::new(Field::clone(field).with_data_type(kind))
}

/// Returns a type with bytes in place of strings.
fn bytes_type(kind: &DataType) -> DataType {
    match kind {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(bytes_field).collect()),
        DataType::List(field) => DataType::List(bytes_field(field)),
        DataType::LargeList(field) => DataType::LargeList(bytes_field(field)),
        DataType::ListView(field) => DataType::ListView(bytes_field(field)),
        DataType::LargeListView(field) => DataType::LargeListView(bytes_field(field)),
        DataType::FixedSizeList(field, n) => DataType::FixedSizeList(bytes_field(field), *n),
        DataType::Map(field, is_sorted) => DataType::Map(bytes_field(field), *is_sorted),
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(bytes_type(values)))
        }
        other => other.clone(),
    }
}

/// Returns rows with the strings that `schema` asks for, and whether bytes of one were replaced.
///
/// # Errors
/// If the rows are not of that schema but for strings.
pub(super) fn with_strings(
    rows: &RecordBatch,
    schema: &SchemaRef,
) -> Result<(RecordBatch, bool), ArrowError> {
    let mut making = Making { is_replaced: false };
    let fields = schema.fields().iter().zip(rows.columns());
    let columns = fields.map(|(field, column)| making.column(column, field.data_type()));
    let columns = columns.collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
    let rows = RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?;
    Ok((rows, making.is_replaced))
}

/// The making of strings in some rows.
struct Making {
    /// True if bytes of one were replaced.
    is_replaced: bool,
}

impl Making {
    /// Returns a column as the type `kind`, which differs from its own in strings only.
    fn column(&mut self, column: &ArrayRef, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        // Lists and structs with nothing in them do not say how many they are once they are taken apart.
        if bytes_type(kind) == *kind {
            return Ok(Arc::clone(column));
        }
        let nulls = || column.nulls().cloned();
        Ok(match kind {
            DataType::Utf8 => Arc::new(self.strings::<i32>(&match column.as_string_opt::<i32>() {
                Some(strings) => BinaryArray::from(strings.clone()),
                None => wanted(column.as_binary_opt::<i32>(), column)?,
            })),
            DataType::LargeUtf8 => {
                Arc::new(self.strings::<i64>(&match column.as_string_opt::<i64>() {
                    Some(strings) => LargeBinaryArray::from(strings.clone()),
                    None => wanted(column.as_binary_opt::<i64>(), column)?,
                }))
            }
            DataType::Utf8View => self.views(column)?,
            DataType::Struct(fields) => {
                let own = column.as_struct();
                let inside = self.columns(own.columns(), fields)?;
                Arc::new(StructArray::try_new(fields.clone(), inside, nulls())?)
            }
            DataType::List(field) => Arc::new(self.list::<i32>(column, field)?),
            DataType::LargeList(field) => Arc::new(self.list::<i64>(column, field)?),
            DataType::ListView(field) => Arc::new(self.list_view::<i32>(column, field)?),
            DataType::LargeListView(field) => Arc::new(self.list_view::<i64>(column, field)?),
            DataType::FixedSizeList(field, n) => {
                let items = self.column(column.as_fixed_size_list().values(), field.data_type())?;
                Arc::new(FixedSizeListArray::try_new(Arc::clone(field), *n, items, nulls())?)
            }
            DataType::Map(field, is_sorted) => {
                let (map, DataType::Struct(fields)) = (column.as_map(), field.data_type()) else {
                    return Ok(Arc::clone(column));
                };
                let inside = self.columns(map.entries().columns(), fields)?;
                let entries = StructArray::try_new(fields.clone(), inside, None)?;
                let offsets = map.offsets().clone();
                let field = Arc::clone(field);
                Arc::new(MapArray::try_new(field, offsets, entries, nulls(), *is_sorted)?)
            }
            DataType::Dictionary(_, values) => {
                let dictionary = column.as_any_dictionary();
                dictionary.with_values(self.column(dictionary.values(), values)?)
            }
            _ => Arc::clone(column),
        })
    }

    fn columns(
        &mut self,
        columns: &[ArrayRef],
        fields: &Fields,
    ) -> Result<Vec<ArrayRef>, ArrowError> {
        let fields = columns.iter().zip(fields);
        fields.map(|(column, field)| self.column(column, field.data_type())).collect()
    }

    fn list<O: OffsetSizeTrait>(
        &mut self,
        column: &ArrayRef,
        field: &FieldRef,
    ) -> Result<GenericListArray<O>, ArrowError> {
        let lists = column.as_list::<O>();
        let items = self.column(lists.values(), field.data_type())?;
        let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
        GenericListArray::try_new(Arc::clone(field), offsets, items, nulls)
    }

    fn list_view<O: OffsetSizeTrait>(
        &mut self,
        column: &ArrayRef,
        field: &FieldRef,
    ) -> Result<GenericListViewArray<O>, ArrowError> {
        let lists = column.as_list_view::<O>();
        let items = self.column(lists.values(), field.data_type())?;
        let (offsets, sizes) = (lists.offsets().clone(), lists.sizes().clone());
        GenericListViewArray::try_new(
            Arc::clone(field),
            offsets,
            sizes,
            items,
            lists.nulls().cloned(),
        )
    }

    /// Makes strings of bytes, with U+FFFD in place of those that are no character.
    fn strings<O: OffsetSizeTrait>(
        &mut self,
        bytes: &GenericBinaryArray<O>,
    ) -> GenericStringArray<O> {
        GenericStringArray::try_from_binary(bytes.clone()).unwrap_or_else(|_| {
            self.is_replaced = true;
            bytes.iter().map(|value| value.map(String::from_utf8_lossy)).collect()
        })
    }

    /// Makes views of strings in the same way.
    fn views(&mut self, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
        let bytes = match column.as_string_view_opt() {
            Some(strings) => strings.clone().to_binary_view(),
            None => wanted(column.as_binary_view_opt(), column)?,
        };
        let strings = bytes.clone().to_string_view().unwrap_or_else(|_| {
            self.is_replaced = true;
            let strings = bytes.iter().map(|value| value.map(String::from_utf8_lossy));
            strings.collect::<StringViewArray>()
        });
        Ok(Arc::new(strings))
    }
}

/// Returns a column as the type that it should have.
///
/// # Errors
/// If it has another one.
fn wanted<T: Clone>(found: Option<&T>, column: &ArrayRef) -> Result<T, ArrowError> {
    let kind = column.data_type();
    let error = || ArrowError::SchemaError(format!("a column of {kind} where strings should be"));
    found.cloned().ok_or_else(error)
}
