//! `dedup` on texts in memory is `dedup` on the same texts in files.

use fanmill::Result;
use fanmill::progress::{Progress, Silent};
use fanmill_corpus::dedup::{self, Decisions, Keep, Settings};
use proptest::prelude::*;

use crate::corpus::{Line, Shards, cases, corpora};
use crate::duplicates::{exact, sketched};
use crate::job;
use crate::naive::Removed;

/// What goes, as the tables of a job say it.
fn removed(found: &Decisions) -> Vec<Removed> {
    let removals = found.texts.iter().enumerate();
    removals
        .filter_map(|(document, decision)| {
            let dedup::Removal { kept, resemblance, containment, is_copy } = *decision.removal()?;
            Some(Removed { document, kept, resemblance, containment, is_copy })
        })
        .collect()
}

/// By the first or the longest: texts have no fields.
fn without_fields(settings: Settings) -> Settings {
    let keep = if settings.keep.field().is_some() { Keep::Longest } else { settings.keep };
    Settings { keep, has_pairs: true, ..settings }
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

/// Owned and borrowed texts, any of them, and none.
#[test]
fn texts_come_as_they_are() {
    let settings = Settings::standard();
    let owned = (0..3).map(|i| format!("the same five words and more {}", i / 2));
    let found = dedup::in_memory(owned, &settings, None, &Silent).expect("done");
    assert_eq!(removed(&found).iter().map(|r| (r.document, r.kept)).collect::<Vec<_>>(), [(1, 0)]);
    let none = dedup::in_memory(std::iter::empty::<&str>(), &settings, None, &Silent);
    assert!(none.expect("done").texts.is_empty());
}

/// A thousand copies that differ in case and one word each: a giant bucket, and no pair lost that counts.
#[test]
fn crowds_are_linked_as_in_files() {
    let text = |i: u32| {
        let words: Vec<String> = (0..60).map(|w| format!("word{w}")).collect();
        format!("{} number{}", words.join(" "), i % 300)
    };
    let texts: Vec<String> = (0..1000).map(text).collect();
    let found = dedup::in_memory(&texts, &Settings::standard(), None, &Silent).expect("done");
    assert!(
        found.texts.iter().skip(1).all(|decision| decision.removal().is_some_and(|r| r.kept == 0))
    );
    assert!(found.n_unseen > 0);
}

#[test]
fn what_texts_cannot_follow_is_refused() {
    let settings = Settings { keep: Keep::Newest("date".into()), ..Settings::standard() };
    let error = dedup::in_memory(["a"], &settings, None, &Silent).expect_err("no field");
    assert!(error.is_setting(), "{error}");
    let settings = Settings { words: 0, ..Settings::standard() };
    assert!(dedup::in_memory(["a"], &settings, None, &Silent).is_err_and(|e| e.is_setting()));
}

/// Asks to stop.
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
