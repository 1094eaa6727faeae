//! Canonical addresses, for programs that group documents by these elsewhere, such as Spark.

use std::path::Path;
use std::sync::Arc;

use arrow_array::StringArray;
use fanmill_corpus::dedup::ByAddress;
use fanmill_records::arrow::Texts;
use fanmill_urls::write::parse_rules;
use pyo3::prelude::*;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::faults::exception;
use crate::running::{self, Threads};

/// See the stubs.
#[pyclass(frozen, module = "fanmill._native")]
#[derive(Debug, Clone)]
pub(crate) struct AddressRules(Arc<ByAddress>);

#[pymethods]
impl AddressRules {
    #[new]
    fn new(py: Python<'_>, rules: Option<&str>) -> PyResult<AddressRules> {
        let parsed = rules.map(|rules| parse_rules(rules.as_bytes(), Path::new("rules.jsonl")));
        let rules = parsed.transpose().map_err(|error| exception(py, &error))?;
        Ok(AddressRules(Arc::new(ByAddress::new(None, rules))))
    }

    /// See the stubs.
    fn canonical(&self, py: Python<'_>, addresses: &Bound<'_, PyAny>) -> PyResult<Column> {
        let (rules, arrays) = (Arc::clone(&self.0), Arrays::new(addresses, None)?);
        let spelled = running::run(py, Threads::new(Some(1), None), None, move |progress| {
            let parts = Texts::all(arrays, progress)?;
            let rows = parts.iter().flat_map(|part| (0..part.len()).map(move |row| part.text(row)));
            rows.map(|given| Ok(given?.and_then(|given| rules.canonical(given)))).collect()
        })?;
        let spelled: Vec<Option<String>> = spelled;
        Ok(Column::from_array(Arc::new(spelled.into_iter().collect::<StringArray>())))
    }
}
