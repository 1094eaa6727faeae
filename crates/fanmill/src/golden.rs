//! Test vectors that do not depend on the choice of a hash: `testdata/golden/`.

use serde_json::Value;

/// The cases of one vector file.
pub(crate) fn cases(json: &str) -> Vec<Value> {
    let mut file: Value = serde_json::from_str(json).expect("golden files are JSON");
    match file["cases"].take() {
        Value::Array(cases) if !cases.is_empty() => cases,
        _ => panic!("a golden file without cases proves nothing"),
    }
}

/// An array of unsigned integers.
pub(crate) fn u64s(value: &Value) -> Vec<u64> {
    let items = value.as_array().expect("an array");
    items.iter().map(|item| item.as_u64().expect("an unsigned integer")).collect()
}

/// A small unsigned integer.
pub(crate) fn usize(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("an unsigned integer")).expect("small")
}

/// An array of `[hash, position]` pairs.
pub(crate) fn pairs(value: &Value) -> Vec<(u64, u64)> {
    let items = value.as_array().expect("an array of pairs");
    items
        .iter()
        .map(|pair| (pair[0].as_u64().expect("hash"), pair[1].as_u64().expect("position")))
        .collect()
}
