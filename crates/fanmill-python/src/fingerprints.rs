//! Fingerprints of texts, as `compare` and an index take them, each with its bytes in the text.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, ListArray, StructArray, UInt32Array};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};
use fanmill::pipeline::{Config, Fingerprinting, fingerprinted_in_place};
use fanmill_records::arrow::Texts;
use fanmill_text::document::{Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::scheme::FrontEndVersion;
use fanmill_text::{Error, Result};
use pyo3::prelude::*;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::faults::exception;
use crate::rows::{self, BLOCK};
use crate::running::{self, Threads};
use crate::settings;

/// A fingerprint, and its bytes in the text: start and end.
type Placed = (u64, u32, u32);

/// Makes fingerprints of texts. Settings are JSON, and name the language.
#[pyfunction]
pub(crate) fn fingerprints(
    texts: &Bound<'_, PyAny>,
    text: Option<&str>,
    settings: &str,
    threads: Option<usize>,
) -> PyResult<Column> {
    let py = texts.py();
    let fingerprints: Fingerprinting =
        settings::read(settings).map_err(|error| exception(py, &error))?;
    let config = Config::standard().with(|config| config.fingerprints = fingerprints);
    let arrays = Arrays::new(texts, text)?;
    let threads = Threads::new(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
    let (column, schemes) = running::run(py, threads, None, move |progress| {
        let registry = fanmill_lang::registry();
        let mut lists = Lists::default();
        let mut n_before = 0;
        for array in arrays {
            let texts = Texts::new(&array?, n_before)?;
            n_before += texts.len();
            // Rows are worked on in parallel, and taken in order.
            let make = |(): &mut (), rows: Range<usize>| {
                let found = rows.map(|row| of_text(texts.text(row)?, &registry, &config));
                found.collect::<Result<Vec<Option<Found>>>>()
            };
            rows::each_block(texts.len(), progress, make, |block| {
                block.into_iter().try_for_each(|found| lists.push(found))
            })?;
        }
        lists.finish()
    })?;
    let column = Column::from_array(column);
    Ok(match schemes.into_iter().next() {
        Some(scheme) => column.with_scheme(&scheme),
        None => column,
    })
}

/// The fingerprints of a text, and the schemes that made them.
struct Found {
    placed: Vec<Placed>,
    schemes: BTreeSet<String>,
}

fn of_text(text: Option<&str>, registry: &Registry, config: &Config) -> Result<Option<Found>> {
    let Some(text) = text else { return Ok(None) };
    let document = Document::new("text", text);
    let submission = Submission::new("text", Role::New, vec![document]);
    let (found, places) = fingerprinted_in_place(&submission, registry, config)?;
    let placed = found.fingerprints.iter().map(|fingerprint| {
        let at = fingerprint.at as usize;
        let kind = places.kind(at)?;
        let n_tokens = config.recipe(kind).ok()?.thresholds.noise();
        let (_, span) = places.bytes(at..at + n_tokens)?;
        Some((fingerprint.hash, span.start, span.end))
    });
    let placed = placed.collect::<Option<Vec<Placed>>>();
    let placed = placed.ok_or_else(|| Error::input("a fingerprint is not in its text"))?;
    let schemes = found.front_ends.iter().map(|&(kind, name, version)| {
        Ok(config.recipe(kind)?.scheme([FrontEndVersion::new(name, version)]).to_string())
    });
    Ok(Some(Found { placed, schemes: schemes.collect::<Result<_>>()? }))
}

/// Lists that become a column.
#[derive(Default)]
struct Lists {
    hashes: Vec<i64>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    offsets: Vec<i32>,
    nulls: Vec<bool>,
    schemes: BTreeSet<String>,
}

impl Lists {
    fn push(&mut self, found: Option<Found>) -> Result<()> {
        self.nulls.push(found.is_some());
        if let Some(Found { placed, schemes }) = found {
            for (hash, start, end) in placed {
                self.hashes.push(hash.cast_signed());
                self.starts.push(start);
                self.ends.push(end);
            }
            self.schemes.extend(schemes);
        }
        self.offsets.push(rows::offset(self.hashes.len())?);
        Ok(())
    }

    /// Returns the column, and the schemes of its fingerprints.
    fn finish(self) -> Result<(ArrayRef, BTreeSet<String>)> {
        let columns: [(&str, ArrayRef); 3] = [
            ("hash", Arc::new(Int64Array::from(self.hashes))),
            ("start", Arc::new(UInt32Array::from(self.starts))),
            ("end", Arc::new(UInt32Array::from(self.ends))),
        ];
        let fields: Fields = columns
            .iter()
            .map(|(name, array)| Field::new(*name, array.data_type().clone(), false))
            .collect();
        let item = Arc::new(Field::new("item", DataType::Struct(fields.clone()), false));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let mut offsets = vec![0];
        offsets.extend(self.offsets);
        let mut nulls = NullBufferBuilder::new(self.nulls.len());
        self.nulls.iter().for_each(|&is_valid| nulls.append(is_valid));
        let made = StructArray::try_new(fields, arrays, None).and_then(|values| {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            ListArray::try_new(item, offsets, Arc::new(values), nulls.finish())
        });
        let made =
            made.map_err(|error| Error::input(format!("the column cannot be made: {error}")));
        Ok((Arc::new(made?), self.schemes))
    }
}
