//! Test vectors that do not depend on the choice of a hash: `testdata/golden/`.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Reads a file of vectors by its name, without `.json`.
///
/// # Panics
/// If there is no such file, or it is not JSON.
pub fn file(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/golden");
    let text = fs::read(folder.join(name).with_extension("json")).expect("a file of vectors");
    serde_json::from_slice(&text).expect("golden files are JSON")
}

/// Reads the cases of a file of vectors, at least one.
///
/// # Panics
/// If there is no such file, or it has no cases.
pub fn cases(name: &str) -> Vec<Value> {
    match file(name)["cases"].take() {
        Value::Array(cases) if !cases.is_empty() => cases,
        _ => panic!("a golden file without cases proves nothing"),
    }
}

/// Reads an array of unsigned integers.
///
/// # Panics
/// If it is something else.
pub fn u64s(value: &Value) -> Vec<u64> {
    let items = value.as_array().expect("an array");
    items.iter().map(|item| item.as_u64().expect("an unsigned integer")).collect()
}

/// Reads a small unsigned integer.
///
/// # Panics
/// If it is something else.
pub fn usize(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("an unsigned integer")).expect("small")
}

/// Reads an array of `[hash, position]` pairs.
///
/// # Panics
/// If it is something else.
pub fn pairs(value: &Value) -> Vec<(u64, u64)> {
    let items = value.as_array().expect("an array of pairs");
    items
        .iter()
        .map(|pair| (pair[0].as_u64().expect("hash"), pair[1].as_u64().expect("position")))
        .collect()
}
