//! Each job is started in about ten lines.

use std::fs;

use fanmill_corpus::job::{Places, RunEnd};
use fanmill_jobs::key_file;
use fanmill_jobs::sift::texts::{Input, Inputs};
use fanmill_jobs::sift::{add, campaign, check, rekey};
use fanmill_jobs::{compare, dedup, index, sift, urls};
use fanmill_text::progress::Silent;

use crate::place::{OTHER, PROVERB, Place};

#[test]
fn compare() {
    let place = Place::with_submissions();
    let inputs = compare::Inputs::from_paths([place.path("in")]);
    let output = place.path("report");
    let outcome = compare::run(&compare::Settings::default(), &inputs, Some(&output), &Silent);
    let report = outcome.expect("a comparison").comparison.report;
    assert_eq!((report.submissions.len(), report.pairs.len()), (3, 1));
    assert!(output.join("index.html").is_file());
}

#[test]
fn index_and_search() {
    let place = Place::with_submissions();
    let (folder, inputs) = (place.path("ix"), index::Inputs::from_paths([place.path("in")]));
    let added = index::add(&index::Settings::default(), &folder, &inputs, index::Wait::No, &Silent);
    let added = added.expect("added");
    assert_eq!((added.added.added, added.stats.documents), (3, 3));
    let mut answers = Vec::new();
    let mut take = |name: &str, answer: index::Answer| {
        answers.push((name.to_owned(), answer.sources.len()));
        Ok(())
    };
    let search = index::Search::default();
    let texts = index::Texts::Inputs(&inputs);
    index::search(&search, std::slice::from_ref(&folder), texts, None, &mut take, &Silent)
        .expect("answers");
    // Each finds itself, and two of them each other.
    assert_eq!(answers.iter().map(|answer| answer.1).sum::<usize>(), 5, "{answers:?}");
}

#[test]
fn dedup() {
    let place = Place::with_records();
    let places = Places { output: Some(place.path("out")), ..Places::default() };
    let mut settings = dedup::Settings::default();
    settings.min_score = Some(0.99);
    let ended = dedup::run(
        &settings,
        &dedup::Inputs::from_paths([place.path("a.jsonl")]),
        &places,
        &Silent,
    )
    .expect("a run");
    let RunEnd::Now(dedup::Outcome::Documents(outcome)) = ended else { panic!("{ended:?}") };
    assert_eq!((outcome.summary.counts.documents, outcome.summary.counts.kept), (60, 20));
    let kept = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    assert_eq!(kept.lines().count(), 20);
}

#[test]
fn dedup_of_lines() {
    let place = Place::new(&[("in/a.txt", PROVERB), ("in/b.txt", PROVERB)]);
    let mut settings = dedup::Settings::default();
    (settings.unit, settings.mode) = (dedup::Unit::Line, fanmill_corpus::dedup::Mode::Report);
    let ended = dedup::run(
        &settings,
        &dedup::Inputs::from_paths([place.path("in")]),
        &Places::default(),
        &Silent,
    );
    let Ok(RunEnd::Now(dedup::Outcome::Passages(summary))) = ended else { panic!("{ended:?}") };
    assert_eq!(summary.counts.removed.passages, 1);
}

#[test]
fn urls() {
    let place = Place::with_records();
    let (paths, output) = ([place.path("a.jsonl")], place.path("rules"));
    let records = urls::Records::Paths(&paths);
    let outcome = urls::run(&urls::Settings::default(), records, Some(&output), &Silent);
    assert_eq!(outcome.expect("rules").findings.rules.len(), 1);
    let (mut address, mut rewritten) = (&b"http://shop.example.com/S-0000000001/new\n"[..], vec![]);
    let mut take = |line: &[u8]| {
        rewritten.extend_from_slice(line);
        Ok(())
    };
    urls::apply(&output.join("rules.jsonl"), &mut address, &mut take, &Silent).expect("rules");
    assert_eq!(String::from_utf8_lossy(&rewritten), "http://shop.example.com/new\n");
}

#[test]
fn urls_of_a_stream() {
    let place = Place::with_records();
    let mut stream = fs::File::open(place.path("a.jsonl")).expect("records");
    let records = urls::Records::Stream(&mut stream);
    let outcome = urls::run(&urls::Settings::default(), records, None, &Silent).expect("rules");
    assert_eq!((outcome.findings.rules.len(), outcome.account.records), (1, 60));
}

#[test]
fn sift_from_the_first_key_to_the_last() {
    let place = Place::with_submissions();
    let (key, other) = (key_file::make().expect("a key"), key_file::make().expect("a key"));
    let store = place.path("library.sift");
    let texts = || Inputs::from_paths([place.path("in")]);
    let added = add::run(&add::Settings::default(), &key, &store, texts(), &Silent).expect("added");
    assert_eq!((added.n_new, added.is_new), (3, true));

    let mut answers = Vec::new();
    let mut take = |batch: &mut dyn Iterator<Item = check::Answer>| {
        answers.extend(batch);
        Ok(())
    };
    let (mut copy, mut new) = (PROVERB.as_bytes(), &b"nothing of this has been heard before"[..]);
    for stream in [&mut copy, &mut new] {
        let inputs = Inputs { from: vec![Input::Stream(stream)], ..Inputs::default() };
        let settings = check::Settings::default();
        check::run(&settings, &key, &store, texts().from, inputs, &mut take, &Silent)
            .expect("answers");
    }
    let verdicts: Vec<check::Verdict> = answers.iter().map(|answer| answer.verdict).collect();
    assert_eq!(verdicts, [check::Verdict::Yes, check::Verdict::No]);
    assert!(answers[0].explanations[0].evidence.is_some(), "{answers:?}");

    let settings = rekey::Settings::default();
    let rekeyed = rekey::run(settings, [&key, &other], &store, texts(), &Silent).expect("found");
    assert!(rekeyed.is_written && rekeyed.missing.is_empty());
    let stored = sift::list(&store).expect("a store").records;
    assert_eq!((stored.len(), stored.key()), (3, other.id()));

    let path = place.path("secret.key");
    key_file::write(&other, &path).expect("a file");
    assert_eq!(key_file::read(&path).expect("ours").id(), other.id());
    sift::destroy(&path).expect("destroyed");
    assert!(!path.exists());
}

/// The limits of a run are those of all that it reads.
#[test]
fn sift_counts_originals_and_texts_together() {
    let place = Place::with_submissions();
    let (key, store) = (key_file::make().expect("a key"), place.path("library.sift"));
    let texts = || Inputs::from_paths([place.path("in")]);
    add::run(&add::Settings::default(), &key, &store, texts(), &Silent).expect("added");
    let n_bytes = (2 * PROVERB.len() + OTHER.len()) as u64;
    let n_left_out = |originals: Vec<Input<'_>>, n_bytes: u64| {
        let mut inputs = texts();
        inputs.limits.total_bytes = n_bytes;
        let take = &mut |_: &mut dyn Iterator<Item = _>| Ok(());
        let settings = check::Settings::default();
        let outcome = check::run(&settings, &key, &store, originals, inputs, take, &Silent);
        let outcome = outcome.expect("answers");
        (outcome.originals.notices.len(), outcome.account.notices.len())
    };
    assert_eq!(n_left_out(Vec::new(), n_bytes), (0, 0));
    assert_eq!(n_left_out(texts().from, 2 * n_bytes), (0, 0));
    let (of_originals, of_texts) = n_left_out(texts().from, n_bytes);
    assert!(of_originals == 0 && of_texts > 0, "{of_originals} and {of_texts}");
}

#[test]
fn sift_campaign() {
    let place = Place::new(&[("a.eml", PROVERB), ("b.eml", PROVERB), ("c.eml", OTHER)]);
    let texts = Inputs::from_paths(["a.eml", "b.eml", "c.eml"].map(|name| place.path(name)));
    let key = key_file::make().expect("a key");
    let outcome = campaign::run(&campaign::Settings::default(), &key, texts, &Silent);
    let outcome = outcome.expect("groups");
    let groups: Vec<usize> = outcome.groups().map(|group| group.size).collect();
    assert_eq!((groups, outcome.n_messages()), (vec![2], 3));
}

/// Any number may come from outside, where no command line has looked at it.
#[test]
fn sift_refuses_a_threshold_that_is_not_a_share_and_takes_any_number_of_values() {
    let place = tempfile::tempdir().expect("a folder");
    let (text, store) = (place.path().join("a.txt"), place.path().join("a.sift"));
    fs::write(&text, "one two three four five six seven eight nine ten".repeat(9))
        .expect("written");
    let key = key_file::make().expect("a key");
    let texts = || Inputs::from_paths([&text]);
    add::run(&add::Settings::default(), &key, &store, texts(), &Silent).expect("added");
    for threshold in [-0.1, 1.1, f64::NAN] {
        let mut settings = check::Settings::default();
        settings.min_score = Some(threshold);
        let take = &mut |_: &mut dyn Iterator<Item = _>| Ok(());
        let checked = check::run(&settings, &key, &store, Vec::new(), texts(), take, &Silent);
        assert!(checked.is_err_and(|error| error.is_setting()), "{threshold}");
        let mut settings = campaign::Settings::default();
        settings.min_score = threshold;
        let grouped = campaign::run(&settings, &key, texts(), &Silent);
        assert!(grouped.is_err_and(|error| error.is_setting()), "{threshold}");
    }
    let mut settings = check::Settings::default();
    settings.min_common = Some(usize::MAX);
    let mut verdicts = Vec::new();
    let mut take = |answers: &mut dyn Iterator<Item = check::Answer>| {
        verdicts.extend(answers.map(|answer| answer.verdict));
        Ok(())
    };
    check::run(&settings, &key, &store, Vec::new(), texts(), &mut take, &Silent)
        .expect("an answer");
    // The whole text is the same, which is enough whatever the number.
    assert_eq!(verdicts, [check::Verdict::Yes]);
}

/// A store is not made of nothing, and one that lacks originals stays as it was.
#[test]
fn sift_writes_nothing_that_was_not_asked_for() {
    let place = Place::with_submissions();
    let (key, other) = (key_file::make().expect("a key"), key_file::make().expect("a key"));
    let store = place.path("library.sift");
    place.write("in/empty.txt", "");
    let empty = || Inputs::from_paths([place.path("in/empty.txt")]);
    let added = add::run(&add::Settings::default(), &key, &store, empty(), &Silent).expect("read");
    assert!(added.n_new == 0 && added.account.notices.len() == 1 && !store.exists());

    let texts = Inputs::from_paths([place.path("in")]);
    add::run(&add::Settings::default(), &key, &store, texts, &Silent).expect("added");
    let before = place.bytes_of("library.sift");
    let some = Inputs::from_paths([place.path("in/ada.txt")]);
    let settings = rekey::Settings::default();
    let rekeyed = rekey::run(settings, [&key, &other], &store, some, &Silent).expect("read");
    assert!(!rekeyed.is_written);
    assert_eq!(rekeyed.missing, ["in/cy.txt"]);
    assert_eq!(place.bytes_of("library.sift"), before);
}
