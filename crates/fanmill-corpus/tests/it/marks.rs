//! Corpora that are marked, and corpora that are only reported on.

use std::collections::BTreeMap;

use fanmill_corpus::dedup::{self, Mode, Search};
use fanmill_corpus::job::Places;
use proptest::prelude::*;

use crate::corpus::{Shards, cases, corpora};
use crate::job::{self, Table};

/// The mark of a line, and the line without it.
fn parted(line: &str) -> (Option<serde_json::Value>, serde_json::Value) {
    let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let mark = value.as_object_mut().expect("an object").remove("fanmill");
    (mark, value)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_marked_corpus_is_whole(lines in corpora()) {
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let output = folder.path().join("out");
        let settings = job::settings().with(|s| { s.mode = Mode::Mark; s.search = Search::Exact; s.words = 2; });
        job::dedup(&shards.paths, &settings, &output).expect("done");
        let table = Table::read(&job::beside(&output).join("clusters.parquet"));
        let clusters = table.documents(&shards, "").into_iter().zip(table.numbers("cluster"));
        let clusters: BTreeMap<usize, u64> = clusters.collect();
        let removed = job::removed(&shards, &output);
        let names: Vec<String> = (0..).zip(&shards.lines).flat_map(|(i, lines)| {
            let n = lines.iter().filter(|line| line.is_record()).count();
            let shard = ["a.jsonl", "b.jsonl.gz"][i];
            (1..=n).map(move |record| format!("{shard}:{record}"))
        }).collect();

        let records = shards.records();
        let mut documents = (0..records.len()).filter(|&document| records[document].is_some());
        let originals = shards.without(|_| false);
        for (marked, original) in job::written(&output).iter().zip(&originals) {
            prop_assert_eq!(marked.lines().count(), original.lines().count());
            for (marked, original) in marked.lines().zip(original.lines()) {
                if original.is_empty() {
                    prop_assert_eq!(marked, "");
                    continue;
                }
                let document = documents.next().expect("a document for each line");
                let (mark, rest) = parted(marked);
                prop_assert_eq!(rest, parted(original).1);
                let cluster = clusters.get(&document);
                let row = removed.iter().find(|row| row.document == document);
                let expected = cluster.map(|cluster| serde_json::json!({
                    "cluster": cluster,
                    "duplicate_of": row.map(|row| names[row.kept].clone()),
                    "resemblance": row.map_or(1.0, |row| row.resemblance),
                    "containment": row.map_or(1.0, |row| row.containment),
                }));
                // Reading JSON may lose the last bit of a fraction.
                let numbers = |mark: &serde_json::Value| {
                    let number = |name: &str| mark[name].as_f64().map(|n| format!("{n:.12}"));
                    let texts = (mark["cluster"].as_u64(), mark["duplicate_of"].clone());
                    (texts, number("resemblance"), number("containment"))
                };
                match (mark, expected) {
                    (Some(mark), Some(expected)) => prop_assert_eq!(numbers(&mark), numbers(&expected)),
                    (mark, expected) => {
                        let mark = mark.filter(|mark| !mark.is_null());
                        prop_assert!(mark.is_none() && expected.is_none(), "{marked}");
                        prop_assert_eq!(marked, original);
                    }
                }
            }
        }
        prop_assert_eq!(documents.next(), None);
    }
}

#[test]
fn a_report_writes_tables_and_no_corpus() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    std::fs::write(&path, "{\"id\":\"x\",\"text\":\"one two\"}\n{\"text\":\"one two\"}\n")
        .expect("a file");
    let settings = job::settings().with(|s| s.mode = Mode::Report);
    let output = folder.path().join("out");
    job::dedup(std::slice::from_ref(&path), &settings, &output).expect("done");
    let names: Vec<String> = job::files(&output).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["clusters.parquet", "removed.parquet", "summary.json"]);
    let table = Table::read(&job::beside(&output).join("removed.parquet"));
    assert_eq!(
        (table.texts("id"), table.texts("kept_id")),
        (vec!["a.jsonl:2".into()], vec!["x".into()])
    );

    // Without an output, nothing is written.
    let before = std::fs::read_dir(folder.path()).expect("a folder").count();
    let temp = folder.path().join("temp");
    std::fs::create_dir(&temp).expect("a folder");
    let places = Places { temp: Some(temp.clone()), ..Places::default() };
    let progress = fanmill_text::progress::Silent;
    let options = job::options(&settings.keep);
    let outcome = dedup::run(&[path], &options, &settings, &places, &progress).expect("done");
    let outcome = outcome.now().expect("now");
    assert_eq!(outcome.summary.counts.duplicates, 1);
    assert_eq!(outcome.largest.len(), 1);
    assert_eq!((&*outcome.largest[0].kept, &*outcome.largest[0].farthest), ("x", "a.jsonl:2"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), before + 1);
    assert_eq!(std::fs::read_dir(&temp).expect("a folder").count(), 0);
}
