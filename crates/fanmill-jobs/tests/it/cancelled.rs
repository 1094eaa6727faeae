//! Each job stops soon after it is asked to, wherever it is, and leaves nothing behind that is not to be resumed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, slice};

use fanmill_corpus::job::{Places, RunEnd};
use fanmill_jobs::key_file;
use fanmill_jobs::sift::texts::Inputs;
use fanmill_jobs::sift::{add, campaign, check, list, rekey, remove};
use fanmill_jobs::{compare, dedup, index, urls};
use fanmill_text::Error;
use fanmill_text::progress::Progress;

use crate::place::{OTHER, Place};

/// Lets so many questions pass, and then asks to stop.
struct Patience(AtomicU64);

impl Patience {
    fn new(n: u64) -> Patience {
        Patience(AtomicU64::new(n))
    }
}

impl Progress for Patience {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err()
    }
}

/// Stops a job at its first question, its second, and so on, until it is done; after each, `look` sees what is there.
/// Returns how often it was stopped.
fn stopped_everywhere<T>(run: impl Fn(&Patience) -> Result<T, Error>, look: impl Fn()) -> (u64, T) {
    for n in 0.. {
        match run(&Patience::new(n)) {
            Ok(done) => return (n, done),
            Err(error) => assert!(error.is_cancelled(), "after {n} questions: {error}"),
        }
        look();
    }
    unreachable!("some number of questions suffices")
}

#[test]
fn compare_leaves_an_earlier_report() {
    let place = Place::with_submissions();
    let (inputs, output) = (compare::Inputs::from_paths([place.path("in")]), place.path("report"));
    let run = |patience: &Patience| {
        compare::run(&compare::Settings::default(), &inputs, Some(&output), patience)
    };
    let (n, _) = stopped_everywhere(run, || assert_eq!(place.names(), ["in"]));
    assert!(n > 10, "asked {n} times");
    let report = || fs::read(output.join("report.json")).expect("the report");
    let before = report();
    stopped_everywhere(run, || {
        assert_eq!((place.names(), report()), (vec!["in".into(), "report".into()], before.clone()));
    });
}

/// An index is as before, or is not there.
#[test]
fn an_index_stays_as_it_was() {
    let place = Place::with_submissions();
    let (folder, inputs) = (place.path("ix"), index::Inputs::from_paths([place.path("in")]));
    let settings = index::Settings::default();
    let run =
        |patience: &Patience| index::add(&settings, &folder, &inputs, index::Wait::No, patience);
    let (n, _) = stopped_everywhere(run, || assert_eq!(place.names(), ["in"]));
    assert!(n > 5, "asked {n} times");
    let search = |patience: &Patience| {
        let search = index::Search::default();
        let texts = index::Texts::Inputs(&inputs);
        index::search(
            &search,
            std::slice::from_ref(&folder),
            texts,
            None,
            &mut |_, _| Ok(()),
            patience,
        )
    };
    stopped_everywhere(search, || ());
    index::Index::open(&folder).expect("an index").verify(&Patience::new(u64::MAX)).expect("sound");
}

/// What was read is kept beside the output, for the next run.
#[test]
fn dedup_resumes() {
    let place = Place::with_records();
    let whole = Place::with_records();
    let run = |place: &Place, patience: &Patience| {
        let places = Places { output: Some(place.path("out")), ..Places::default() };
        let mut settings = dedup::Settings::default();
        settings.pairs = true;
        dedup::run(
            &settings,
            &dedup::Inputs::from_paths([place.path("a.jsonl")]),
            &places,
            patience,
        )
    };
    let (n, ended) = stopped_everywhere(
        |patience| run(&place, patience),
        || assert!(!place.path("out").exists() && place.names().len() <= 2, "{:?}", place.names()),
    );
    assert!(n > 10 && matches!(ended, RunEnd::Now(_)), "asked {n} times");
    assert_eq!(place.names(), ["a.jsonl", "out", "out.fanmill"]);
    run(&whole, &Patience::new(u64::MAX)).expect("a run");
    for name in ["out/a.jsonl", "out.fanmill/pairs.parquet"] {
        let [resumed, at_once] = [&place, &whole].map(|place| fs::read(place.path(name)));
        assert_eq!(resumed.expect("written"), at_once.expect("written"), "{name}");
    }
}

#[test]
fn dedup_without_an_output_leaves_nothing() {
    let place = Place::with_records();
    for unit in [dedup::Unit::Document, dedup::Unit::Line] {
        let mut settings = dedup::Settings::default();
        (settings.unit, settings.mode) = (unit, fanmill_corpus::dedup::Mode::Report);
        let paths = dedup::Inputs::from_paths([place.path("a.jsonl")]);
        let places = Places { temp: Some(place.path("")), ..Places::default() };
        let run = |patience: &Patience| dedup::run(&settings, &paths, &places, patience);
        let (n, _) = stopped_everywhere(run, || assert_eq!(place.names(), ["a.jsonl"]));
        assert!(n > 3, "{unit:?}: asked {n} times");
    }
}

#[test]
fn urls_leaves_nothing() {
    let place = Place::with_records();
    let (paths, output) = ([place.path("a.jsonl")], place.path("rules"));
    let run = |patience: &Patience| {
        let records = urls::Records::Paths(&paths);
        urls::run(&urls::Settings::default(), records, Some(&output), patience)
    };
    let (n, _) = stopped_everywhere(run, || assert_eq!(place.names(), ["a.jsonl"]));
    assert!(n > 5, "asked {n} times");
}

#[test]
fn urls_stops_inside_of_a_stream_and_of_a_list() {
    let place = Place::with_records();
    let text = fs::read(place.path("a.jsonl")).expect("the records");
    let output = place.path("rules");
    let run = |patience: &Patience| {
        let (settings, mut stream) = (urls::Settings::default(), &text[..]);
        urls::run(&settings, urls::Records::Stream(&mut stream), Some(&output), patience)
    };
    let (n, _) = stopped_everywhere(run, || assert_eq!(place.names(), ["a.jsonl"]));
    assert!(n > 5, "asked {n} times");

    let addresses = "http://shop.example.com/S-0000000001/page1\n".repeat(1000);
    let rewritten = std::cell::RefCell::new(Vec::new());
    let run = |patience: &Patience| {
        rewritten.borrow_mut().clear();
        let take = &mut |line: &[u8]| {
            rewritten.borrow_mut().extend_from_slice(line);
            Ok(())
        };
        urls::apply(&output.join("rules.jsonl"), &mut addresses.as_bytes(), take, patience)
    };
    let (n, _) = stopped_everywhere(run, || {
        assert!(rewritten.borrow().len() < addresses.len(), "it stops before the end");
    });
    assert!(n > 0 && !rewritten.borrow().is_empty(), "asked {n} times");
}

/// A question for each file that is read, and not only for each step.
#[test]
fn many_files_are_asked_about_one_by_one() {
    const FILES: usize = 200;
    let names: Vec<String> = (0..FILES).map(|i| format!("in/{i}.txt")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, OTHER)).collect();
    let place = Place::new(&files);
    let n_asked = |run: &dyn Fn(&Patience) -> Result<(), Error>| {
        let patience = Patience::new(u64::MAX);
        run(&patience).expect("a run");
        u64::MAX - patience.0.into_inner()
    };
    let inputs = compare::Inputs::from_paths([place.path("in")]);
    let settings = compare::Settings::default();
    let n = n_asked(&|patience| compare::run(&settings, &inputs, None, patience).map(drop));
    assert!(n > 2 * FILES as u64, "compare asked {n} times");
    let key = key_file::make().expect("a key");
    let texts = || Inputs::from_paths([place.path("in")]);
    let add = |patience: &Patience| {
        add::run(&add::Settings::default(), &key, &place.path("store"), texts(), patience).map(drop)
    };
    let n = n_asked(&add);
    assert!(n > FILES as u64, "sift add asked {n} times");
}

#[test]
fn sift_leaves_stores_as_they_were() {
    let place = Place::with_submissions();
    let (key, other) = (key_file::make().expect("a key"), key_file::make().expect("a key"));
    let store = place.path("library.sift");
    let texts = || Inputs::from_paths([place.path("in")]);
    let settings = add::Settings::default();
    let run = |patience: &Patience| add::run(&settings, &key, &store, texts(), patience);
    let (n, _) = stopped_everywhere(run, || assert_eq!(place.names(), ["in"]));
    assert!(n > 2, "asked {n} times");

    let before = place.bytes_of("library.sift");
    let is_as_before = || {
        assert_eq!(place.names(), ["in", "library.sift"]);
        assert_eq!(place.bytes_of("library.sift"), before);
    };
    let settings = check::Settings::default();
    let run = |patience: &Patience| {
        let take = &mut |_: &mut dyn Iterator<Item = check::Answer>| Ok(());
        check::run(&settings, &key, &store, Vec::new(), texts(), take, patience)
    };
    let (n, _) = stopped_everywhere(run, is_as_before);
    assert!(n > 3, "asked {n} times");
    let run = |patience: &Patience| {
        campaign::run(&campaign::Settings::default(), &key, texts(), patience)
    };
    stopped_everywhere(run, is_as_before);
    let run = |patience: &Patience| {
        let settings = rekey::Settings::default();
        rekey::run(settings, [&key, &other], &store, texts(), patience)
    };
    let (n, _) = stopped_everywhere(run, is_as_before);
    assert!(n > 2, "asked {n} times");
    assert_ne!(place.bytes_of("library.sift"), before);

    let before = place.bytes_of("library.sift");
    let name = list(&store).expect("a store").records.name(0).to_owned();
    let run = |patience: &Patience| {
        remove::run(remove::Settings::default(), &other, &store, slice::from_ref(&name), patience)
    };
    let is_as_before = || assert_eq!(place.bytes_of("library.sift"), before);
    let (n, _) = stopped_everywhere(run, is_as_before);
    assert!(n > 0, "asked {n} times");
    assert_ne!(place.bytes_of("library.sift"), before);
}
