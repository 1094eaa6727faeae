//! `dedup --unit` removes what a look at all passages, one by one, says.

use std::collections::{BTreeMap, BTreeSet};

use fanmill_corpus::dedup::{Keep, Mode};
use fanmill_corpus::passages::{self, Unit};
use fanmill_text::progress::Silent;
use proptest::prelude::*;

use crate::corpus::{Doc, Line, Shards, cases};
use crate::job::{self, Table};
use crate::naive::words;

/// Texts of a few passages, most of which occur several times.
fn corpora() -> impl Strategy<Value = Vec<Line>> {
    let word = || prop::sample::select(vec!["a", "B", "c.", "dé"]);
    let line = prop::collection::vec(word(), 0..5).prop_map(|words| words.join(" "));
    let end = prop::sample::select(vec!["\n", "\n\n", "\r\n", "\n \n", "\n  "]);
    let text = prop::collection::vec((line, end), 0..7)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect::<String>());
    let line = prop_oneof![
        8 => text.prop_map(|text| Line::Doc(Doc { text, score: Some(1), source: None, url: None })),
        1 => Just(Line::Bad("{\"text\"")),
        1 => Just(Line::Blank),
    ];
    prop::collection::vec(line, 0..12)
}

/// The passages of a text: each with the white space before it and without.
fn parts(unit: Unit, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let filled = |line: &&str| !line.trim().is_empty();
    match unit {
        Unit::Line => lines.into_iter().filter(filled).map(str::to_owned).collect(),
        Unit::Paragraph => {
            let paragraphs = lines.split(|line| line.trim().is_empty());
            paragraphs.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")).collect()
        }
    }
}

/// Words in lower case; `é` counts as a letter.
fn key(part: &str) -> Vec<String> {
    words(&part.replace('é', "e"))
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn repeated_passages_go_and_nothing_else(
        lines in corpora(),
        is_line in any::<bool>(),
        min_words in 0_u32..4,
        min_documents in 2_u32..4,
    ) {
        let unit = if is_line { Unit::Line } else { Unit::Paragraph };
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let output = folder.path().join("out");
        let mode = Mode::Remove;
        let settings =
            job::by_line().with(|s| { s.unit = unit; s.min_words = min_words; s.min_documents = min_documents; s.mode = mode; });
        let options = job::options(&Keep::First);
        let places = job::to(&output);
        let ended = passages::run(&shards.paths, &options, &settings, &places, &Silent);
        let summary = ended.expect("done").now().expect("now");

        let records = shards.records();
        let parts_of = |document: usize| {
            records[document].map(|doc| parts(unit, &doc.text)).unwrap_or_default()
        };
        let is_long = |part: &String| key(part).len() >= min_words.max(1) as usize;
        let mut having: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
        for document in 0..records.len() {
            for part in parts_of(document).iter().filter(|part| is_long(part)) {
                having.entry(key(part)).or_default().insert(document);
            }
        }
        let goes = |document: usize, part: &String| {
            let all = having.get(&key(part)).filter(|all| all.len() >= min_documents as usize);
            all.is_some_and(|all| is_long(part) && all.first() != Some(&document))
        };

        // What is left of each text, and which records are removed altogether.
        let written = job::written(&output).concat();
        let mut left = written.lines().filter(|line| !line.is_empty());
        let (mut n_gone, mut n_changed, mut n_emptied) = (0, 0, 0);
        let mut gone = Vec::new();
        for (document, doc) in records.iter().enumerate() {
            let Some(doc) = doc else { continue };
            let (out, stay): (Vec<String>, Vec<String>) =
                parts_of(document).into_iter().partition(|part| goes(document, part));
            n_gone += out.len();
            n_changed += usize::from(!out.is_empty());
            gone.extend(out.iter().map(|part| (document, part.clone(), *having[&key(part)].first().expect("one"))));
            if !out.is_empty() && stay.is_empty() {
                n_emptied += 1;
                continue;
            }
            let line = left.next().expect("a line for each document that stays");
            if out.is_empty() {
                let lines = shards.lines.iter().flatten();
                let original = lines.filter(|line| line.is_record()).nth(document);
                prop_assert_eq!(line, original.expect("there").json());
                continue;
            }
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = value["text"].as_str().expect("a text");
            prop_assert_eq!(parts(Unit::Line, text), parts(Unit::Line, &stay.join("\n")), "of {:?}", doc.text);
            // Paragraphs stay separate.
            if unit == Unit::Paragraph {
                prop_assert_eq!(parts(unit, text), stay);
            }
            prop_assert_eq!(&value["from"], &serde_json::Value::Null);
            prop_assert_eq!(&value["n"], &serde_json::json!([1, 2]));
        }
        prop_assert_eq!(left.next(), None);

        let table = Table::read(&job::beside(&output).join("removed.parquet"));
        let rows: Vec<_> = table.documents(&shards, "").into_iter()
            .zip(table.texts("text"))
            .zip(table.documents(&shards, "kept_"))
            .map(|((document, text), kept)| (document, text.replace('\r', ""), kept))
            .collect();
        prop_assert_eq!(rows, gone);

        let counts = summary.counts;
        let repeated = having.values().filter(|all| all.len() >= min_documents as usize);
        prop_assert_eq!(counts.removed.different as usize, repeated.clone().count());
        prop_assert_eq!(counts.removed.passages as usize, n_gone);
        prop_assert_eq!(counts.removed.documents as usize, n_changed);
        prop_assert_eq!(counts.removed.emptied as usize, n_emptied);
        prop_assert_eq!(counts.bad as usize, records.iter().filter(|r| r.is_none()).count());
        let most = repeated.map(|all| all.len() as u64).max();
        prop_assert_eq!(summary.most_repeated.first().map(|one| one.documents), most);
    }
}

#[test]
fn settings_that_no_run_can_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out");
    let usable = job::by_line();
    for settings in [
        usable.with(|s| s.min_documents = 1),
        usable.with(|s| s.mode = Mode::Mark),
        usable.with(|s| s.memory = job::LITTLE - 1),
    ] {
        let options = job::options(&Keep::First);
        let done = passages::run(&[], &options, &settings, &job::to(&output), &Silent);
        assert!(done.is_err_and(|error| error.is_setting()), "{settings:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
