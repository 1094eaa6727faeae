//! A corpus that is kept free of near-duplicates run by run, beside an index of what was seen.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use fanmill_corpus::dedup::{Keep, Linkage, Mode};
use fanmill_corpus::job::{Places, RunEnd};
use fanmill_jobs::dedup::{self, IndexUse, Inputs, Outcome, Settings};
use fanmill_jobs::index::{self, Index};
use fanmill_text::Result;
use fanmill_text::progress::Silent;

use crate::place::{OTHER, PROVERB, Place};

/// Words of a language that nobody speaks.
fn words(n: usize, seed: u64) -> Vec<String> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..n).map(|_| format!("w{}", next() % 5000)).collect()
}

/// Record `i` of a corpus in which every third one is a near-copy of an earlier one, and some are of few words or none.
fn record(i: usize) -> String {
    let original = if i.is_multiple_of(3) { i / 3 } else { i };
    let mut text = words(20 + original % 90, original as u64 + 1);
    if i != original {
        let at = i % text.len();
        text[at] = format!("changed{i}");
    }
    let text = match i % 10 {
        7 => "!!!".to_owned(),
        8 => format!("only {} words", i % 4),
        _ => text.join(" "),
    };
    format!("{{\"id\":\"{i}\",\"text\":\"{text}\"}}\n")
}

fn run(
    place: &Place,
    settings: &Settings,
    file: &str,
    output: Option<&str>,
) -> Result<(Outcome, IndexUse)> {
    let mut inputs = Inputs::from_paths([place.path(file)]);
    inputs.index = Some(place.path("seen.fanmill"));
    let places = Places { output: output.map(|name| place.path(name)), ..Places::default() };
    let ended = dedup::run(settings, &inputs, &places, &Silent)?;
    let RunEnd::Now(outcome) = ended else { panic!("{ended:?}") };
    let Outcome::Seen(_, seen) = &outcome else { panic!("{outcome:?}") };
    let seen = *seen;
    Ok((outcome, seen))
}

fn ids(path: PathBuf) -> Vec<String> {
    let lines = fs::read_to_string(path).expect("a corpus");
    let id = |line: &str| line.split('"').nth(3).unwrap_or_default().to_owned();
    lines.lines().map(id).collect()
}

#[test]
fn runs_one_after_the_other_keep_what_one_run_over_all_keeps() {
    let days: Vec<String> =
        (0..4).map(|day| (day * 75..(day + 1) * 75).map(record).collect()).collect();
    let place = Place::new(&[("all.jsonl", &days.concat())]);
    let places = Places { output: Some(place.path("whole")), ..Places::default() };
    dedup::run(
        &Settings::default(),
        &Inputs::from_paths([place.path("all.jsonl")]),
        &places,
        &Silent,
    )
    .expect("a run");
    let whole = ids(place.path("whole/all.jsonl"));
    assert!((100..250).contains(&whole.len()), "{}", whole.len());

    let mut kept = Vec::new();
    for (day, records) in days.iter().enumerate() {
        let (file, output) = (format!("day{day}.jsonl"), format!("out{day}"));
        place.write(&file, records);
        let (_, seen) = run(&place, &Settings::default(), &file, Some(&output)).expect("a run");
        let new = ids(place.path(&format!("{output}/{file}")));
        assert_eq!(seen.added, new.len() as u64);
        kept.extend(new);
        assert_eq!(seen.documents, kept.len() as u64);
    }
    assert_eq!(kept, whole);
    // The index is an index: it can be searched, verified and merged.
    index::merge(&place.path("seen.fanmill"), index::Wait::No, &Silent).expect("merged");
    Index::open(&place.path("seen.fanmill")).expect("it").verify(&Silent).expect("whole");
    // Everything was seen, whatever the file is called now.
    place.write("again.jsonl", &days.concat());
    let (_, seen) = run(&place, &Settings::default(), "again.jsonl", Some("again")).expect("a run");
    assert_eq!((seen.added, ids(place.path("again/again.jsonl"))), (0, vec![]));
    let left: Vec<String> =
        place.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [""; 0], "temporary files are gone");
}

#[test]
fn a_document_of_the_same_name_and_another_text_replaces_nothing() {
    let record = |text: &str| {
        format!("{{\"id\":\"x\",\"text\":\"{text}\"}}\n{{\"text\":\"{text} too, and so on\"}}\n")
    };
    let place = Place::new(&[("day.jsonl", &record(PROVERB))]);
    let settings = {
        let mut settings = Settings::default();
        settings.min_score = Some(0.99);
        settings
    };
    run(&place, &settings, "day.jsonl", Some("out1")).expect("a run");
    place.write("day.jsonl", &record(OTHER));
    let (_, seen) = run(&place, &settings, "day.jsonl", Some("out2")).expect("a run");
    assert_eq!((seen.added, seen.documents), (2, 4));
    let known = Index::open(&place.path("seen.fanmill")).expect("it");
    let names: BTreeSet<String> =
        known.documents().map(|known| known.expect("a record").name).collect();
    let plain: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !name.contains(" (")).collect();
    assert_eq!((plain, names.len()), (vec!["day.jsonl/2", "day.jsonl/x"], 4));
}

#[test]
fn a_report_adds_nothing_and_marks_add_what_is_not_marked() {
    let place = Place::with_records();
    let mut settings = Settings::default();
    (settings.min_score, settings.mode) = (Some(0.99), Mode::Report);
    let (_, seen) = run(&place, &settings, "a.jsonl", None).expect("a run");
    assert_eq!((seen.added, seen.documents), (0, 0));
    settings.mode = Mode::Mark;
    let (_, seen) = run(&place, &settings, "a.jsonl", Some("marked")).expect("a run");
    assert_eq!((seen.added, seen.documents), (20, 20));
    assert_eq!(ids(place.path("marked/a.jsonl")).len(), 60);
}

#[test]
fn documents_that_are_added_by_hand_were_seen_too() {
    let place =
        Place::new(&[("in/a.txt", PROVERB), ("a.jsonl", &format!("{{\"text\":\"{OTHER}\"}}\n"))]);
    run(&place, &Settings::default(), "a.jsonl", Some("out1")).expect("a run");
    let added = index::add(
        &index::Settings::default(),
        &place.path("seen.fanmill"),
        &index::Inputs::from_paths([place.path("in")]),
        index::Wait::No,
        &Silent,
    );
    assert_eq!(added.expect("added").stats.documents, 2);
    place.write("b.jsonl", &format!("{{\"text\":\"{PROVERB}\"}}\n"));
    let (_, seen) = run(&place, &Settings::default(), "b.jsonl", Some("out2")).expect("a run");
    assert_eq!((seen.added, seen.documents), (0, 2));
}

#[test]
fn what_an_index_cannot_do_is_refused_before_anything_is_written() {
    let place = Place::with_records();
    let refused = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        let error = run(&place, &settings, "a.jsonl", Some("out")).expect_err("refused");
        assert!(!place.path("out").exists() && !place.path("seen.fanmill").exists(), "{error}");
        error.to_string()
    };
    assert!(refused(&|settings| settings.keep = Some(Keep::Longest)).contains("keep"));
    assert!(refused(&|settings| settings.cluster = Some(Linkage::Components)).contains("cluster"));
    assert!(refused(&|settings| settings.exact = true).contains("exact"));
    assert!(refused(&|settings| settings.containment = Some(0.9)).contains("containment"));
    assert!(refused(&|settings| settings.unit = dedup::Unit::Line).contains("unit"));
}

#[test]
fn an_index_of_another_kind_is_refused_with_the_reason() {
    let place = Place::with_records();
    // Keys for a resemblance of .8 miss pairs at .5, and find those at .95.
    run(&place, &Settings::default(), "a.jsonl", Some("out1")).expect("a run");
    let mut lower = Settings::default();
    lower.min_score = Some(0.5);
    let error = run(&place, &lower, "a.jsonl", Some("out2")).expect_err("refused").to_string();
    assert!(error.contains("min-score"), "{error}");
    lower.min_score = Some(0.95);
    run(&place, &lower, "a.jsonl", Some("out2")).expect("a run");
    let mut other = Settings::default();
    other.shingle = Some(3);
    assert!(run(&place, &other, "a.jsonl", Some("out3")).is_err());

    for no_texts in [false, true] {
        let place = Place::with_records();
        let mut settings = index::Settings::default();
        settings.no_texts = no_texts;
        let inputs = index::Inputs::from_paths([place.path("a.jsonl")]);
        index::add(&settings, &place.path("seen.fanmill"), &inputs, index::Wait::No, &Silent)
            .expect("added");
        let error = run(&place, &Settings::default(), "a.jsonl", Some("out")).expect_err("refused");
        assert!(
            error.to_string().contains(if no_texts { "texts" } else { "without keys" }),
            "{error}"
        );
    }
}

#[test]
fn an_index_is_a_reference_and_a_test_set_as_its_texts_are() {
    let place = Place::with_records();
    let line = |i: usize| {
        let text = format!("{OTHER} and this is page {i} of the {} catalogue", i * i);
        format!("{{\"id\":\"r{i}\",\"text\":\"{text}\"}}\n")
    };
    let half: String = (0..30).map(line).collect();
    place.write("half.jsonl", &half);
    let inputs = index::Inputs::from_paths([place.path("half.jsonl")]);
    index::add(&index::Settings::default(), &place.path("ix"), &inputs, index::Wait::No, &Silent)
        .expect("added");
    let mut settings = Settings::default();
    let kept = |settings: &Settings, decontaminate: bool, reference: &str, output: &str| {
        let mut inputs = Inputs::from_paths([place.path("a.jsonl")]);
        let references =
            if decontaminate { &mut inputs.decontaminate } else { &mut inputs.against };
        references.push(place.path(reference));
        let places = Places { output: Some(place.path(output)), ..Places::default() };
        dedup::run(settings, &inputs, &places, &Silent).expect("a run");
        ids(place.path(&format!("{output}/a.jsonl")))
    };
    settings.min_score = Some(0.99);
    let [by_texts, by_index] = [("half.jsonl", "out1"), ("ix", "out2")]
        .map(|(path, output)| kept(&settings, false, path, output));
    assert_eq!((by_texts.len(), &by_texts), (0, &by_index));
    settings = Settings::default();
    settings.min_words = Some(37);
    settings.max_documents = Some(1000);
    let [by_texts, by_index] = [("half.jsonl", "out3"), ("ix", "out4")]
        .map(|(path, output)| kept(&settings, true, path, output));
    assert!(by_texts.len() < 60);
    assert_eq!(by_texts, by_index);
}
