//! `dedup` gives the same result for texts in memory and in files.

use fanmill_corpus::dedup::{self, Decisions, Keep, Settings};
use fanmill_text::Result;
use fanmill_text::progress::{Progress, Silent};
use proptest::prelude::*;

use crate::corpus::{Line, Shards, cases, corpora};
use crate::duplicates::{exact, sketched};
use crate::job;
use crate::naive::Removed;

/// The removed texts, as the tables of a job list them.
fn removed(found: &Decisions) -> Vec<Removed> {
    let removals = found.texts.iter().enumerate();
    removals
        .filter_map(|(document, decision)| {
            let dedup::Removal { kept, resemblance, containment, is_copy, .. } =
                *decision.removal()?;
            let (resemblance, containment) = resemblance.zip(containment).expect("compared");
            Some(Removed { document, kept, resemblance, containment, is_copy })
        })
        .collect()
}

/// Keeps the first or the longest: texts have no fields.
fn without_fields(settings: Settings) -> Settings {
    settings.with(|s| {
        if s.keep.field().is_some() {
            s.keep = Keep::Longest;
        }
        s.has_pairs = true;
    })
}

fn agrees(lines: &[Line], settings: Settings) -> std::result::Result<(), TestCaseError> {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<Line> = lines.iter().filter(|line| line.doc().is_some()).cloned().collect();
    let texts: Vec<&str> = lines.iter().filter_map(|line| Some(&*line.doc()?.text)).collect();
    let shards = Shards::write(folder.path(), &lines);
    let mut settings = without_fields(settings);
    if settings.measure.is_containment() {
        settings.keep = Keep::First;
    }
    let output = folder.path().join("out");
    let outcome = job::dedup(&shards.paths, &settings, &output).expect("done");
    let spilled = tempfile::tempdir().expect("a folder");
    for spill in [None, Some(spilled.path())] {
        let found = dedup::in_memory(&texts, &settings, spill, &Silent).expect("done");
        prop_assert_eq!(found.texts.len(), texts.len());
        prop_assert_eq!(removed(&found), job::removed(&shards, &output));
        prop_assert_eq!(found.pairs.len() as u64, outcome.summary.counts.edges);
        let pairs =
            found.pairs.iter().map(|pair| (pair.a as usize, pair.b as usize, pair.resemblance));
        prop_assert_eq!(pairs.collect::<Vec<_>>(), job::pairs(&shards, &output));
        prop_assert_eq!(found.n_candidates, outcome.summary.counts.candidates);
        prop_assert_eq!(found.n_unseen, outcome.summary.counts.unseen_pairs);
        prop_assert_eq!(&found.scheme, &outcome.summary.scheme);
        prop_assert_eq!(&found.promise, &outcome.summary.promise);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn an_exact_search_in_memory_is_that_of_files(lines in corpora(), settings in exact()) {
        agrees(&lines, settings)?;
    }

    #[test]
    fn a_search_by_sketches_in_memory_is_that_of_files(lines in corpora(), settings in sketched()) {
        agrees(&lines, settings)?;
    }
}

/// Owned and borrowed texts, and no texts at all.
#[test]
fn texts_come_as_they_are() {
    let settings = Settings::standard();
    let owned = (0..3).map(|i| format!("the same five words and more {}", i / 2));
    let found = dedup::in_memory(owned, &settings, None, &Silent).expect("done");
    assert_eq!(removed(&found).iter().map(|r| (r.document, r.kept)).collect::<Vec<_>>(), [(1, 0)]);
    let none = dedup::in_memory(std::iter::empty::<&str>(), &settings, None, &Silent);
    assert!(none.expect("done").texts.is_empty());
}

/// A thousand texts that differ in at most one word: too many share a key for all pairs to be compared, and still
/// each is removed in favour of the first.
#[test]
fn many_texts_with_one_key_are_linked_as_in_files() {
    let text = |i: u32| {
        let words: Vec<String> = (0..60).map(|w| format!("word{w}")).collect();
        format!("{} number{}", words.join(" "), i % 300)
    };
    let texts: Vec<String> = (0..1000).map(text).collect();
    let found = dedup::in_memory(&texts, &Settings::standard(), None, &Silent).expect("done");
    assert!(found.n_unseen > 0);
    assert!(
        found.texts.iter().skip(1).all(|decision| decision.removal().is_some_and(|r| r.kept == 0))
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let lines = texts.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n"));
    std::fs::write(&path, lines.collect::<String>()).expect("written");
    let output = folder.path().join("out");
    let counts = job::dedup(&[path], &Settings::standard(), &output).expect("done").summary.counts;
    let n_candidates = (found.n_candidates, found.n_unseen);
    assert_eq!(n_candidates, (counts.candidates, counts.unseen_pairs));
    let table = job::Table::read(&job::beside(&output).join("removed.parquet"));
    let goes: Vec<(u64, u64)> = (1..1000).map(|i| (i + 1, 1)).collect();
    let records = table.numbers("record").into_iter().zip(table.numbers("kept_record"));
    assert_eq!(records.collect::<Vec<_>>(), goes);
}

/// The memory limit applies only where data can be spilled to disk.
#[test]
fn without_a_folder_memory_is_not_limited() {
    let settings = Settings::standard().with(|s| s.memory = 0);
    assert!(dedup::in_memory(["a"], &settings, None, &Silent).is_ok());
    let folder = tempfile::tempdir().expect("a folder");
    let refused = dedup::in_memory(["a"], &settings, Some(folder.path()), &Silent);
    assert!(refused.is_err_and(|error| error.is_setting()));
}

#[test]
fn what_texts_cannot_follow_is_refused() {
    let settings = Settings::standard().with(|s| s.keep = Keep::Newest("date".into()));
    let error = dedup::in_memory(["a"], &settings, None, &Silent).expect_err("no field");
    assert!(error.is_setting(), "{error}");
    let settings = Settings::standard().with(|s| s.words = 0);
    assert!(dedup::in_memory(["a"], &settings, None, &Silent).is_err_and(|e| e.is_setting()));
}

/// Cancels at once.
struct Stop;

impl Progress for Stop {
    fn begin(&self, _: &'static str, _: u64) {}
    fn advance_by(&self, _: u64) {}
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_run_in_memory_can_be_cancelled() {
    let found: Result<Decisions> = dedup::in_memory(["a", "b"], &Settings::standard(), None, &Stop);
    assert!(found.is_err_and(|error| error.is_cancelled()));
}

/// A source of texts may be slow or endless, such as a generator in another language.
#[test]
fn a_run_in_memory_can_be_cancelled_while_texts_come() {
    let mut n_taken = 0;
    let texts = std::iter::repeat_with(|| n_taken += 1).take(100_000).map(|()| "a");
    let found = dedup::in_memory(texts, &Settings::standard(), None, &Stop);
    assert!(found.is_err_and(|error| error.is_cancelled()));
    assert!(n_taken < 2_000, "{n_taken} texts were taken before the first question");
}
