//! Promises between releases: what a report of an earlier release has, one of this release has, too.
//!
//! `testdata/format/README.md` describes the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::place::{Place, examples};

/// Returns a file of the report of that version.
fn earlier(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/format/report-3").join(name)
}

/// Makes the same report by this release.
fn made() -> Place {
    let place = Place::new();
    let examples = examples();
    let file = |name: &str| examples.join("assignment").join(name);
    let run = place.fanmill("compare --quiet -o report --base").arg(file("handout"));
    let run = run.arg("--archive").arg(file("last-year")).arg(file("manifest.csv"));
    let done = run.arg("--title").arg("Stock keeping").run();
    assert_eq!(done.code, Some(0), "{done}");
    place
}

/// Collects the places of values with their types; all elements of an array have one place.
fn types<'a>(value: &'a Value, place: &str, found: &mut BTreeMap<String, Vec<&'a str>>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = found.entry(place.to_owned()).or_default();
    if !kinds.contains(&kind) {
        kinds.push(kind);
    }
    match value {
        Value::Array(items) => {
            for item in items {
                types(item, &format!("{place}[]"), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                types(value, &format!("{place}.{name}"), found);
            }
        }
        _ => {}
    }
}

/// Says which values of an earlier report a new one lacks, or has as another type.
fn lost(earlier: &Value, new: &Value) -> Vec<String> {
    let [mut old_types, mut new_types] = [BTreeMap::new(), BTreeMap::new()];
    types(earlier, "", &mut old_types);
    types(new, "", &mut new_types);
    let none = Vec::new();
    let missing = |(place, kinds): (&String, &Vec<&str>)| {
        let now = new_types.get(place).unwrap_or(&none);
        let gone: Vec<&&str> = kinds.iter().filter(|kind| !now.contains(kind)).collect();
        (!gone.is_empty()).then(|| format!("{place} was {kinds:?}, and is {now:?}"))
    };
    old_types.iter().filter_map(missing).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

#[test]
fn a_report_has_every_field_that_an_earlier_one_of_its_version_has() {
    let (earlier, place) = (json(&earlier("report.json")), made());
    let new = json(&place.path("report/report.json"));
    if earlier["version"] == new["version"] {
        assert_eq!(lost(&earlier, &new), Vec::<String>::new(), "raise the version of reports");
    }
}

#[test]
fn an_earlier_report_of_this_version_is_read() {
    let file = fs::File::open(earlier("report.json")).expect("a file");
    match fanmill_report::json::read(file) {
        Ok(report) => assert_eq!((report.pairs.len(), report.clusters.len()), (12, 4)),
        Err(error) => {
            assert!(error.to_string().contains("use the release that wrote it"), "{error}");
        }
    }
}

/// Columns are added at the end only.
#[test]
fn tables_begin_with_the_columns_of_earlier_ones() {
    let place = made();
    for name in ["pairs.csv", "clusters.csv"] {
        let head = |path: &Path| {
            let text = fs::read_to_string(path).expect("a table");
            text.lines().next().expect("a head").to_owned()
        };
        let (earlier, new) = (head(&earlier(name)), head(&place.path("report").join(name)));
        assert!(
            format!("{new},").starts_with(&format!("{earlier},")),
            "{name}: {earlier} became {new}"
        );
    }
}

#[test]
fn lost_fields_and_other_types_are_noticed() {
    let earlier =
        serde_json::json!({ "pairs": [{ "score": 0.5, "a": 1 }, { "score": 1.0, "page": null }] });
    let new = serde_json::json!({ "pairs": [{ "score": 0.25, "a": "1", "more": true }] });
    let expected = [
        ".pairs[].a was [\"integer\"], and is [\"string\"]",
        ".pairs[].page was [\"null\"], and is []",
    ];
    assert_eq!(lost(&earlier, &new), expected);
    assert_eq!(lost(&earlier, &earlier), Vec::<String>::new());
}
