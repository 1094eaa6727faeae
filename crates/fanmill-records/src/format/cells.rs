//! Values of a table in columns, as texts: the places of a record's parts, and rows as records.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Fields, Schema, SchemaRef};
use fanmill_text::Error;
use parquet::schema::types::SchemaDescriptor;

use super::fault::{ReadResult, guarded};
use super::fields::missing;
use super::json::Kind;
use super::lists::{Steps, astray};
use super::nodes::{self, ArrayNode, TypeNode};
use super::strings::with_strings;
use super::{ID_FIELDS, Options, TEXT_FIELDS};
use crate::record::{Flaw, Record};
use crate::text::Text;

/// Place of a value: a column, the fields of structs inside it, and the way into lists from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) steps: Vec<usize>,
    /// Names of these columns and fields. A name may contain dots.
    names: Vec<String>,
    pub(super) kind: DataType,
    /// The steps into the lists that are there, if the user has named any.
    lists: Steps,
}

impl Place {
    /// Finds a column of exactly that name, or else, if the name has a dot, a field of a struct.
    fn find(fields: &Fields, name: &str) -> Option<Place> {
        if let Some((at, field)) = fields.find(name) {
            let (kind, lists) = (field.data_type().clone(), Steps::default());
            return Some(Place { steps: vec![at], names: vec![name.to_owned()], kind, lists });
        }
        let (head, rest) = name.split_once('.')?;
        let (at, outer) = fields.find(head)?;
        let DataType::Struct(inside) = outer.data_type() else { return None };
        let mut place = Place::find(inside, rest)?;
        place.steps.insert(0, at);
        place.names.insert(0, head.to_owned());
        Some(place)
    }

    /// Finds the place of a text, which may be inside lists.
    fn find_text(fields: &Fields, name: &str) -> Option<Place> {
        let (name, lists) = Steps::from_name(name);
        Place::find(fields, name).map(|place| Place { lists, ..place })
    }

    /// Returns the numbers of its parts among all columns that have values, including those inside structs and lists;
    /// none if it is not one of them.
    pub(super) fn leaves(&self, schema: &SchemaDescriptor) -> Vec<usize> {
        let leads_here = |leaf: &usize| {
            let path = schema.column(*leaf);
            let inside = path.path().parts().strip_prefix(&*self.names);
            // A column `a.b` and a field `b` of a struct `a` have the same path as text. Between the members that lead
            // into lists, a path has names for the lists themselves.
            Some(schema.get_column_root_idx(*leaf)) == self.steps.first().copied()
                && inside.is_some_and(|inside| {
                    let mut inside = inside.iter();
                    let mut leads = |name: &str| inside.any(|part| part == name);
                    self.lists.members().all(&mut leads)
                })
                && (self.has_lists() || inside.is_some_and(<[String]>::is_empty))
        };
        (0..schema.num_columns()).filter(leads_here).collect()
    }

    /// Returns its name as users write it, without the way into lists.
    pub(super) fn name(&self) -> String {
        self.names.join(".")
    }

    /// Returns whether its text is made of strings in lists.
    pub(super) fn has_lists(&self) -> bool {
        !self.lists.is_empty() || nodes::kind(&self.kind) == Kind::Array
    }

    /// Returns the value of a row as text; `None` if it is null.
    ///
    /// # Errors
    /// If the way into lists leads to something else than texts.
    fn text<'a>(&self, batch: &'a RecordBatch, row: usize) -> Result<Option<Text<'a>>, String> {
        let Some((first, inside)) = self.steps.split_first() else { return Ok(None) };
        let mut array: &ArrayRef = batch.column(*first);
        for &step in inside {
            if array.is_null(row) {
                return Ok(None);
            }
            array = array.as_struct().column(step);
        }
        if !self.has_lists() {
            return Ok(nodes::text(array, row));
        }
        let joined = self.lists.joined_from(ArrayNode { array, row });
        joined.map_err(|what| astray(&self.name(), &what))
    }

    /// Returns the reason why its values are no texts; `None` if they are.
    fn fault(&self) -> Option<String> {
        if self.has_lists() {
            let outcome = self.lists.joined_from(TypeNode(&self.kind));
            return outcome.err().map(|what| astray(&self.name(), &what));
        }
        // A shard in which no record has a text may say that of the type: all of its texts are null.
        let is_text = matches!(nodes::kind(&self.kind), Kind::String | Kind::Null);
        (!is_text).then(|| {
            let (name, kind) = (self.name(), &self.kind);
            format!(
                "column `{name}` has values of type {kind}, not texts; name the field of the text"
            )
        })
    }
}

/// Finds a place by its name.
type FindPlace = fn(&Fields, &str) -> Option<Place>;

/// The columns that records are made of.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) text: Place,
    id: Option<Place>,
    extra: Vec<Option<Place>>,
    record_bytes: usize,
}

impl Plan {
    pub(super) fn new(
        path: &Path,
        schema: &SchemaRef,
        options: &Options,
    ) -> fanmill_text::Result<Plan> {
        let path = path.display();
        let fields = schema.fields();
        let first = |given: &Option<String>, usual: &[&str], find: FindPlace| match given {
            Some(name) => find(fields, name),
            None => usual.iter().find_map(|name| Place::find(fields, name)),
        };
        let text = first(&options.text, &TEXT_FIELDS, Place::find_text).ok_or_else(|| {
            let given = options.text.as_deref().map(|name| Steps::from_name(name).0);
            let wanted = given.map_or(TEXT_FIELDS.to_vec(), |name| vec![name]);
            let names = fields.iter().map(|field| format!("`{}`", field.name())).collect();
            let what = missing(wanted.into_iter(), names);
            Error::input(format!("`{path}`: {what}; name the field of the text"))
        })?;
        // The text must be a string, perhaps by way of a dictionary or in lists; other fields need only be readable as
        // text.
        if let Some(why) = text.fault() {
            return Err(Error::input(format!("`{path}`: {why}")));
        }
        let id = first(&options.id, &ID_FIELDS, Place::find);
        let extra: Vec<_> = options.extra.iter().map(|name| Place::find(fields, name)).collect();
        for place in id.iter().chain(extra.iter().flatten()) {
            if !nodes::has_text(&place.kind) {
                let (name, kind) = (place.name(), &place.kind);
                return Err(Error::input(format!(
                    "`{path}`: column `{name}` has values of type {kind}, which have no text"
                )));
            }
        }
        Ok(Plan { text, id, extra, record_bytes: options.record_bytes })
    }

    /// Returns the numbers of the columns that are read, ascending.
    pub(super) fn columns(&self) -> Vec<usize> {
        let mut columns: Vec<usize> =
            self.places().filter_map(|p| p.steps.first().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Returns the reason why the texts cannot be changed; `None` if they can.
    pub(super) fn unchangeable(&self) -> Option<String> {
        let (name, kind) = (self.text.name(), &self.text.kind);
        if self.text.has_lists() {
            return Some(format!(
                "its texts, `{name}`, are lists of strings, and no text can be put back into them"
            ));
        }
        if self.text.steps.len() > 1 {
            return Some(format!("its texts, `{name}`, are inside of structs"));
        }
        let is_changeable = nodes::is_string(kind) && !matches!(kind, DataType::FixedSizeBinary(_))
            || *kind == DataType::Null;
        (!is_changeable).then(|| format!("its texts, `{name}`, have the type {kind}"))
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
    /// True if the rows that were stored with these end with them, as far as that is known.
    pub(super) is_last: bool,
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
            |&row: &usize| matches!(plan.text.text(bytes, row), Ok(Some(text)) if text.is_replaced);
        let among = if is_replaced { 0..rows.num_rows() } else { 0..0 };
        let replaced = among.filter(has_loss).collect();
        Ok(Table { rows, holds, plan, replaced, is_last: false })
    }

    /// Creates a table of rows without values.
    pub(super) fn without_values(rows: RecordBatch, holds: TableContent, plan: Arc<Plan>) -> Table {
        Table { rows, holds, plan, replaced: Vec::new(), is_last: false }
    }

    /// Returns some of its rows.
    pub(super) fn slice(&self, range: Range<usize>) -> Table {
        let among = |&&row: &&usize| range.contains(&row);
        Table {
            rows: self.rows.slice(range.start, range.len()),
            holds: self.holds.clone(),
            plan: Arc::clone(&self.plan),
            replaced: self.replaced.iter().filter(among).map(|row| row - range.start).collect(),
            is_last: range.end == self.rows.num_rows(),
        }
    }

    pub(super) fn parse(&self, row: usize) -> Result<Record<'_>, String> {
        let Table { rows, holds, plan, replaced, .. } = self;
        let limit = plan.record_bytes;
        let mut text = match holds {
            TableContent::Values | TableContent::Needed(_) => plan.text.text(rows, row)?,
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
        let value = |place: &Place| Some(place.text(rows, row).ok()??.characters);
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
    rows.columns().iter().map(|column| nodes::n_bytes(column)).sum()
}

/// Returns rows without any values.
pub(super) fn without_columns(n_rows: usize) -> RecordBatch {
    let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
    let schema = Arc::new(Schema::empty());
    RecordBatch::try_new_with_options(schema, Vec::new(), &options)
        .expect("rows without columns fit any schema without columns")
}
