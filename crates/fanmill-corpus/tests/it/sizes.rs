//! Records that stay, with the sizes of their clusters.

use std::collections::BTreeMap;
use std::fs;

use fanmill_corpus::dedup::Mode;

use crate::job::{self, Table};

/// The number of families; the member of number `n` of each is a copy of the first if `n` is even, else a variant.
const FAMILIES: usize = 1500;

fn text(family: usize, member: usize) -> String {
    let words: Vec<String> = (0..40).map(|word| format!("w{}", family * 1000 + word)).collect();
    let end = if member.is_multiple_of(2) { String::new() } else { format!(" and {member}") };
    words.join(" ") + &end
}

/// The records, with the members of a family far from each other.
fn records() -> Vec<(String, String)> {
    let members = (0..4).flat_map(|member| {
        let families = (0..FAMILIES).filter(move |family| family % 5 >= member);
        families.map(move |family| (format!("{family}-{member}"), text(family, member)))
    });
    members.collect()
}

#[test]
fn sizes_are_those_of_the_tables_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = records();
    let lines = |some: &[(String, String)]| -> String {
        let line =
            |(id, text): &(String, String)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
        some.iter().map(line).collect()
    };
    let rows = |some: &[(String, String)]| -> String {
        let row = |(id, text): &(String, String)| format!("{id},{text}\n");
        "id,text\n".to_owned() + &some.iter().map(row).collect::<String>()
    };
    let (first, second) = records.split_at(records.len() / 2);
    let paths = ["a.jsonl", "b.csv"].map(|name| folder.path().join(name));
    fs::write(&paths[0], lines(first)).expect("written");
    fs::write(&paths[1], rows(second)).expect("written");
    let settings = job::settings().with(|settings| settings.has_sizes = true);
    let output = folder.path().join("out");
    job::dedup(&paths, &settings, &output).expect("done");

    let table = Table::read(&job::beside(&output).join("removed.parquet"));
    let mut expected: BTreeMap<String, (u64, u64)> =
        records.iter().map(|(id, _)| (id.clone(), (1, 0))).collect();
    for id in table.texts("id") {
        expected.remove(&id);
    }
    for (kept, is_copy) in table.texts("kept_id").iter().zip(table.flags("is_copy")) {
        let size = expected.get_mut(kept).expect("it stays");
        *size = (size.0 + 1, size.1 + u64::from(is_copy));
    }
    assert_eq!(expected.len(), FAMILIES);
    assert_eq!(expected["4-0"], (4, 1));

    let mut found = BTreeMap::new();
    for line in job::text(&output.join("a.jsonl")).lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let number = |name: &str| record["fanmill"][name].as_u64().expect("a number");
        let id = record["id"].as_str().expect("a name").to_owned();
        found.insert(id, (number("size"), number("copies")));
    }
    let rows = job::text(&output.join("b.csv"));
    assert!(rows.starts_with("id,text,fanmill_size,fanmill_copies\n"), "{}", &rows[..80]);
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        found.insert(cells[0].to_owned(), (number(2), number(3)));
    }
    assert_eq!(found, expected);

    // A second run finds nothing to remove, and its sizes replace those of the first.
    let again = folder.path().join("again");
    job::dedup(&[output.join("a.jsonl")], &settings, &again).expect("done");
    assert!(job::text(&again.join("a.jsonl")).contains("\"fanmill\":{\"size\":1,\"copies\":0}"));
    assert!(!job::text(&again.join("a.jsonl")).contains("\"size\":4"));

    let marked = settings.with(|settings| settings.mode = Mode::Mark);
    let refused = job::dedup(&paths, &marked, &folder.path().join("marked")).expect_err("a mode");
    assert!(refused.is_setting() && refused.to_string().contains("sizes"), "{refused}");
}
