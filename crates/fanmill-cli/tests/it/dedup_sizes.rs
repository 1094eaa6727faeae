//! Sizes over several runs with one index: the sums of their tables are the sizes of one run over everything.

use std::collections::BTreeMap;
use std::fs;

use arrow_array::cast::AsArray;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::place::Place;

const DAYS: [&str; 3] = ["monday", "tuesday", "wednesday"];

/// Number of documents that each document stays for, and of copies of its text among those that went.
type Sizes = BTreeMap<String, (u64, u64)>;

/// The records of a day: of the families that it has, a copy of the first text, and on later days another version.
fn records(day: usize) -> String {
    let word = |family: usize, word: usize| format!("w{} ", family * 1000 + word);
    let text = |family: usize| -> String { (0..60).map(|n| word(family, n)).collect() };
    let line = |family: usize, member: usize| {
        let is_first = (day + member).is_multiple_of(2);
        let end = if is_first { String::new() } else { format!("version {day}") };
        let (id, text) = (format!("{family}-{member}"), text(family) + &end);
        format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
    };
    let families = (0..40).filter(|family: &usize| family.is_multiple_of(day + 1));
    let members = families.flat_map(|family| (0..=family % 3).map(move |member| (family, member)));
    members.map(|(family, member)| line(family, member)).collect()
}

/// Adds what a run has removed, by the names that documents have in the index.
fn add_removed(place: &Place, day: &str, sizes: &mut Sizes) {
    let file =
        fs::File::open(place.path(format!("{day}.fanmill/removed.parquet"))).expect("a table");
    let rows = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build();
    for rows in rows.expect("readable") {
        let rows = rows.expect("readable");
        let texts = |name: &str| rows.column_by_name(name).expect(name).as_string::<i32>().clone();
        let flags = |name: &str| rows.column_by_name(name).expect(name).as_boolean().clone();
        let (ids, shards) = (texts("kept_id"), texts("kept_shard"));
        let (of_index, is_copy) = (flags("kept_is_reference"), flags("is_copy"));
        for row in 0..rows.num_rows() {
            let name = if of_index.value(row) {
                ids.value(row).to_owned()
            } else {
                format!("{}/{}", shards.value(row), ids.value(row))
            };
            let size = sizes.entry(name).or_insert((1, 0));
            *size = (size.0 + 1, size.1 + u64::from(is_copy.value(row)));
        }
    }
}

/// The sizes in the records of an output, without those of documents that stay for themselves alone.
fn written(place: &Place, output: &str) -> Sizes {
    let mut sizes = Sizes::new();
    for day in DAYS {
        let text =
            fs::read_to_string(place.path(format!("{output}/{day}.jsonl"))).expect("a shard");
        for line in text.lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let name = format!("{day}.jsonl/{}", record["id"].as_str().expect("a name"));
            let number = |name: &str| record["fanmill"][name].as_u64().expect("a number");
            sizes.insert(name, (number("size"), number("copies")));
        }
    }
    sizes.retain(|_, size| *size != (1, 0));
    sizes
}

#[test]
fn tables_of_runs_with_an_index_add_up_to_the_sizes_of_one_run() {
    let mut place = Place::new();
    for (day, name) in DAYS.iter().enumerate() {
        place = place.with(format!("{name}.jsonl"), records(day));
    }
    let mut sums = Sizes::new();
    for day in DAYS {
        let done = place
            .fanmill(&format!("dedup {day}.jsonl --index seen -o {day} --sizes --quiet"))
            .run();
        assert_eq!(done.code, Some(0), "{done}");
        add_removed(&place, day, &mut sums);
    }
    let all = DAYS.map(|day| format!("{day}.jsonl")).join(" ");
    let done = place.fanmill(&format!("dedup {all} -o all --sizes --quiet")).run();
    assert_eq!(done.code, Some(0), "{done}");
    let expected = written(&place, "all");
    assert!(expected.len() > 20 && expected.values().any(|size| size.1 > 1), "{expected:?}");
    assert_eq!(sums, expected);
}
