//! A corpus that is compared with a reference: what resembles one of its documents goes, and it stays as it is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use fanmill_corpus::dedup::{self, Keep, Linkage, Measure, Mode, Outcome, Search, Settings};
use fanmill_corpus::job::Reference;
use fanmill_corpus::reference_split::{ReferenceSplit, Scope};
use fanmill_records::format::Options;
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_text::Result;
use fanmill_text::progress::{Progress, Silent};
use proptest::prelude::*;

use crate::corpus::{Doc, Line, Shards, cases, corpora};
use crate::duplicates::{exact, sketched};
use crate::job::{self, Table};
use crate::naive::{self, Removed};

/// A corpus and a reference, in files of the same names.
struct Both {
    folder: tempfile::TempDir,
    own: Shards,
    reference: Shards,
}

impl Both {
    fn new(own: &[Line], reference: &[Line]) -> Both {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, lines: &[Line]| {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            Shards::write(&folder, lines)
        };
        let (own, reference) = (write("own", own), write("reference", reference));
        Both { folder, own, reference }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, settings: &Settings, scope: Scope, output: &Path) -> Outcome {
        let ended = against(&self.own.paths, &self.reference.paths, (settings, scope), output);
        ended.expect("done")
    }

    /// All records, those of the reference first.
    fn records(&self) -> Vec<Option<&Doc>> {
        [self.reference.records(), self.own.records()].concat()
    }

    fn sides(&self, scope: Scope) -> ReferenceSplit {
        ReferenceSplit { n_references: self.reference.records().len() as u32, scope }
    }

    /// The removed documents that an output lists, by their numbers among all records.
    fn removed(&self, output: &Path) -> Vec<Removed> {
        let table = Table::read(&job::beside(output).join("removed.parquet"));
        let n_references = self.reference.records().len();
        let (of_reference, of_own) =
            (table.documents(&self.reference, "kept_"), table.documents(&self.own, "kept_"));
        let kept =
            table.flags("kept_is_reference").into_iter().enumerate().map(|(i, reference)| {
                if reference { of_reference[i] } else { n_references + of_own[i] }
            });
        let rows = job::removed(&self.own, output).into_iter().zip(kept);
        rows.map(|(row, kept)| Removed { document: n_references + row.document, kept, ..row })
            .collect()
    }
}

fn options() -> Options {
    Options { batch_bytes: 1 << 10, ..Options::standard() }
}

/// Runs the job without reporting progress.
fn against(
    own: &[PathBuf],
    reference: &[PathBuf],
    (settings, scope): (&Settings, Scope),
    output: &Path,
) -> Result<Outcome> {
    let options = options();
    let reference = Reference::new(reference, &options);
    let own_options = job::options(&settings.keep);
    let corpus = (own, &own_options);
    let places = job::to(output);
    let ended = dedup::run_against(corpus, (reference, scope), settings, &places, &Silent)?;
    Ok(ended.now().expect("it had not been done"))
}

fn scopes() -> impl Strategy<Value = Scope> {
    prop_oneof![Just(Scope::Everything), Just(Scope::ReferenceOnly)]
}

/// A corpus and a reference of lines that resemble each other.
fn both() -> impl Strategy<Value = (Vec<Line>, Vec<Line>)> {
    (corpora(), any::<u64>()).prop_map(|(lines, choice)| {
        let mut sides = (Vec::new(), Vec::new());
        for (i, line) in lines.into_iter().enumerate() {
            if choice >> (i % 64) & 1 == 0 { sides.0.push(line) } else { sides.1.push(line) }
        }
        sides
    })
}

/// Clusters around centres, and a rule that some document of the corpus follows.
fn adapted(settings: Settings, own: &Shards) -> Settings {
    job::followed(settings, &own.records()).with(|s| {
        s.linkage = Linkage::Centres;
        s.has_pairs = true;
    })
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn an_exact_search_is_the_naive_one(
        (own, reference) in both(), settings in exact(), scope in scopes(),
    ) {
        let both = Both::new(&own, &reference);
        let settings = adapted(settings, &both.own);
        let output = both.path("out");
        let counts = both.run(&settings, scope, &output).summary;
        let sides = both.sides(scope);
        let expected = naive::removed_between(&both.records(), &settings, sides);
        prop_assert_eq!(both.removed(&output), expected.clone());

        let n_references = sides.n_references as usize;
        let gone: BTreeSet<usize> =
            expected.iter().map(|removed| removed.document - n_references).collect();
        prop_assert_eq!(job::written(&output), both.own.without(|document| gone.contains(&document)));

        let hits: Vec<usize> =
            expected.iter().map(|removed| removed.kept).filter(|&kept| kept < n_references).collect();
        let (own, of_reference) = (counts.counts, counts.reference.expect("one").counts);
        prop_assert_eq!(of_reference.duplicates as usize, hits.len());
        prop_assert_eq!(of_reference.hit as usize, hits.into_iter().collect::<BTreeSet<_>>().len());
        let documents = |records: Vec<Option<&Doc>>| records.into_iter().flatten().count();
        prop_assert_eq!(own.documents as usize, documents(both.own.records()));
        prop_assert_eq!(of_reference.documents as usize, documents(both.reference.records()));
        prop_assert_eq!(own.duplicates as usize, gone.len());
        let copies = expected.iter().filter(|removed| removed.is_copy).count();
        prop_assert!(own.copies as usize >= copies);
    }

    #[test]
    fn texts_in_memory_are_decided_as_in_files(
        (own, reference) in both(), (exact, sketched) in (exact(), sketched()),
        is_exact in any::<bool>(), scope in scopes(),
    ) {
        let documents = |lines: Vec<Line>| -> Vec<Line> {
            lines.into_iter().filter(|line| line.doc().is_some()).collect()
        };
        let both = Both::new(&documents(own), &documents(reference));
        let settings = adapted(if is_exact { exact } else { sketched }, &both.own);
        let settings = settings.with(|s| if s.keep.field().is_some() { s.keep = Keep::First });
        let output = both.path("out");
        let counts = both.run(&settings, scope, &output).summary.counts;
        let texts = |shards: &Shards| -> Vec<String> {
            shards.records().into_iter().flatten().map(|doc| doc.text.clone()).collect()
        };
        let (own, reference) = (texts(&both.own), texts(&both.reference));
        let n_references = reference.len();
        let found = dedup::in_memory_against(own, (reference, scope), &settings, None, &Silent);
        let found = found.expect("done");
        let removed = found.texts.iter().enumerate().filter_map(|(text, decision)| {
            let removal = decision.removal()?;
            let first = if removal.kept_is_reference { 0 } else { n_references };
            let dedup::Removal { kept, resemblance, containment, is_copy, .. } = *removal;
            let (document, kept) = (n_references + text, first + kept);
            let (resemblance, containment) = resemblance.zip(containment).expect("compared");
            Some(Removed { document, kept, resemblance, containment, is_copy })
        });
        prop_assert_eq!(removed.collect::<Vec<_>>(), both.removed(&output));
        prop_assert_eq!(found.pairs.len() as u64, counts.edges);
        prop_assert_eq!((found.n_candidates, found.n_unseen), (counts.candidates, counts.unseen_pairs));
    }
}

/// A line with a text of its own, but for `n` changed words.
fn line(topic: &str, n: usize) -> String {
    let word = |i: usize| if i < n { format!("changed{i}") } else { format!("{topic}{i}") };
    let text: Vec<String> = (0..60).map(|i| word(i * 37 % 60)).collect();
    format!("{{\"id\":\"{topic}\",\"text\":\"{}\"}}\n", text.join(" "))
}

/// A folder with files.
fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn standard() -> Settings {
    Settings::standard().with(|s| {
        s.memory = job::LITTLE;
        s.allowed_failures = 1.0;
    })
}

/// Ids, files and records may be the same on both sides: the tables say which side a document is of.
#[test]
fn equal_names_on_both_sides_are_told_apart() {
    let own = [line("apple", 1), line("pear", 0), line("pear", 0)].concat();
    let reference = [line("apple", 0), line("apple", 0), line("plum", 0)].concat();
    let folder = folder(&[("a/x.jsonl", own), ("b/x.jsonl", reference.clone())]);
    let path = |name: &str| folder.path().join(name);
    let (a, b) = ([path("a/x.jsonl")], [path("b/x.jsonl")]);
    let settings = standard().with(|s| s.has_pairs = true);
    against(&a, &b, (&settings, Scope::Everything), &path("out")).expect("done");
    let removed = Table::read(&path("out.fanmill/removed.parquet"));
    assert_eq!(removed.texts("kept_id"), ["apple", "pear"]);
    assert_eq!(removed.texts("kept_shard"), ["x.jsonl", "x.jsonl"]);
    assert_eq!(removed.numbers("kept_record"), [1, 2]);
    assert_eq!(removed.flags("kept_is_reference"), [true, false]);
    let clusters = Table::read(&path("out.fanmill/clusters.parquet"));
    assert_eq!(clusters.flags("is_reference"), [true, false, false, false]);
    assert_eq!(clusters.numbers("size"), [2; 4]);
    let pairs = Table::read(&path("out.fanmill/pairs.parquet"));
    assert_eq!(
        (pairs.flags("is_reference"), pairs.flags("other_is_reference")),
        (vec![true], vec![false])
    );
    assert_eq!(fs::read_to_string(&b[0]).expect("as it was"), reference);
    let names: BTreeSet<_> = job::files(&path("out")).into_iter().map(|(name, _)| name).collect();
    assert!(names.contains("x.jsonl") && names.len() == 5, "{names:?}");
}

/// With the reference alone, copies of each other stay; a reference without documents changes nothing.
#[test]
fn what_resembles_nothing_of_the_reference_stays() {
    let own = [line("apple", 1), line("pear", 0), line("pear", 0)].concat();
    let folder =
        folder(&[("a.jsonl", own), ("b.jsonl", line("apple", 0)), ("c.jsonl", String::new())]);
    let path = |name: &str| folder.path().join(name);
    let counts = |reference: &str, scope: Scope, output: &str| {
        let reference = [path(reference)];
        let outcome = against(&[path("a.jsonl")], &reference, (&standard(), scope), &path(output));
        let summary = outcome.expect("done").summary;
        (
            summary.counts.duplicates,
            summary.counts.copies,
            summary.reference.expect("one").counts.hit,
        )
    };
    assert_eq!(counts("b.jsonl", Scope::Everything, "1"), (2, 1, 1));
    assert_eq!(counts("b.jsonl", Scope::ReferenceOnly, "2"), (1, 0, 1));
    assert_eq!(counts("c.jsonl", Scope::Everything, "3"), (1, 1, 0));
    assert_eq!(counts("c.jsonl", Scope::ReferenceOnly, "4"), (0, 0, 0));
}

/// The two sides need not be of one format, and what lies inside a document of the reference goes, not the reverse.
#[test]
fn a_reference_may_be_of_another_format() {
    let word = |i: usize| format!("word{i}");
    let words = |from: usize, to: usize| (from..to).map(word).collect::<Vec<_>>().join(" ");
    let record = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let folder = folder(&[
        ("a.jsonl", [record(&words(10, 60)), record(&words(0, 300))].concat()),
        ("b/one.txt", words(0, 100)),
        ("b/deep/two.txt", words(400, 500)),
    ]);
    let path = |name: &str| folder.path().join(name);
    let containment = Measure::Containment(Threshold::new(0.9).expect("a fraction"));
    let settings = standard().with(|s| {
        s.measure = containment;
        s.search = Search::Exact;
    });
    let output = path("out");
    against(&[path("a.jsonl")], &[path("b")], (&settings, Scope::Everything), &output)
        .expect("done");
    let removed = Table::read(&job::beside(&output).join("removed.parquet"));
    assert_eq!(
        (removed.numbers("record"), removed.texts("kept_id")),
        (vec![1], vec!["one.txt".into()])
    );
    assert!(!output.join("b").exists());
}

#[test]
fn a_file_on_both_sides_is_refused() {
    let folder = folder(&[("a/x.jsonl", line("a", 0)), ("b/x.jsonl", line("a", 0))]);
    let path = |name: &str| folder.path().join(name);
    for (own, reference) in
        [("a/x.jsonl", "a"), ("a", "a/x.jsonl"), ("a", "b/../a"), ("", "b/x.jsonl")]
    {
        let outcome = against(
            &[path(own)],
            &[path(reference)],
            (&standard(), Scope::Everything),
            &path("../out"),
        );
        let error = outcome.expect_err(own);
        assert!(error.is_setting() && error.to_string().contains("found in itself"), "{error}");
    }
    let outcome =
        against(&[path("a")], &["-".into()], (&standard(), Scope::Everything), &path("out"));
    assert!(outcome.is_err_and(|error| error.to_string().contains("standard input")));
    let components = standard().with(|s| s.linkage = Linkage::Components);
    let outcome =
        against(&[path("a")], &[path("b")], (&components, Scope::Everything), &path("out"));
    assert!(outcome.is_err_and(|error| error.to_string().contains("chain")));
    assert!(!path("out").exists() && !path("b/out").exists());
}

/// Threads, memory and batches change nothing, whichever side has the many documents of one key.
#[test]
fn large_buckets_of_both_sides_are_searched() {
    let lines = |from: usize, n: usize| -> String {
        (from..from + n).map(|i| line(&format!("topic{} ", i % 3), i % 4)).collect()
    };
    let crowd = (0..600).map(|i| line("crowd", i % 3)).collect::<String>();
    let few = [line("crowd", 1), line("crowd", 2), lines(0, 6)].concat();
    let folder = folder(&[("many.jsonl", [crowd, lines(0, 40)].concat()), ("few.jsonl", few)]);
    let path = |name: &str| folder.path().join(name);
    for (i, (own, reference, left)) in
        [("many.jsonl", "few.jsonl", 0), ("few.jsonl", "many.jsonl", 0)].into_iter().enumerate()
    {
        let mut outputs = Vec::new();
        for (threads, memory) in [(1, job::LITTLE), (2, 1 << 30), (5, job::LITTLE * 2)] {
            let settings = standard().with(|s| s.memory = memory);
            let output = path(&format!("{i}-{threads}"));
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let scope = Scope::ReferenceOnly;
            let run = || against(&[path(own)], &[path(reference)], (&settings, scope), &output);
            let counts = pool.install(run).expect("done").summary.counts;
            assert_eq!(counts.kept, left, "{own}");
            outputs.push(job::files(&output));
        }
        assert!(outputs.iter().all(|output| *output == outputs[0]));
    }
}

/// A reference that has changed since a run was interrupted is read anew, and one that changes while it is compared
/// ends the run.
#[test]
fn a_changed_reference_is_noticed() {
    let folder = folder(&[("a.jsonl", line("apple", 1)), ("b.jsonl", line("apple", 0))]);
    let path = |name: &str| folder.path().join(name);
    let (own, reference) = ([path("a.jsonl")], [path("b.jsonl")]);
    // Interrupted when all is read.
    let stop = Stop::at("sorting");
    let run = |progress: &dyn Progress| {
        let options = options();
        let reference = Reference::new(&reference, &options);
        let places = job::to(&path("out"));
        let settings = standard();
        let corpus = (&own[..], &options);
        dedup::run_against(corpus, (reference, Scope::Everything), &settings, &places, progress)
    };
    assert!(run(&stop).is_err_and(|error| error.is_cancelled()));
    fs::write(path("b.jsonl"), line("plum", 0)).expect("written");
    let summary = run(&Silent).expect("done").now().expect("now").summary;
    assert_eq!((summary.counts.duplicates, summary.run.resumed_records), (0, 0));
    assert!(summary.run.dropped_earlier);

    for name in ["out", "out.fanmill"] {
        fs::remove_dir_all(path(name)).expect("removed");
    }
    fs::write(path("b.jsonl"), line("apple", 0)).expect("written");
    let change = || fs::write(path("b.jsonl"), line("plum", 0)).expect("written");
    let error = run(&Change { at: "writing", change }).expect_err("changed");
    assert!(error.is_input() && error.to_string().contains("has changed"), "{error}");
    assert!(!path("out").exists());
}

/// Ends a run when a step begins.
struct Stop {
    at: &'static str,
    has_begun: AtomicBool,
}

impl Stop {
    fn at(at: &'static str) -> Stop {
        Stop { at, has_begun: AtomicBool::new(false) }
    }
}

impl Progress for Stop {
    fn begin(&self, step: &'static str, _: u64) {
        self.has_begun.fetch_or(step == self.at, Ordering::Relaxed);
    }

    fn advance_by(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }
}

/// Changes something when a step begins.
struct Change<F> {
    at: &'static str,
    change: F,
}

impl<F: Fn() + Sync> Progress for Change<F> {
    fn begin(&self, step: &'static str, _: u64) {
        if step == self.at {
            (self.change)();
        }
    }

    fn advance_by(&self, _: u64) {}
}

/// A run that was interrupted after it had written the marks of both sides goes on as if it had not been.
#[test]
fn an_interrupted_run_goes_on() {
    let many = |topic: &str, n: usize| -> String {
        (0..n).map(|i| line(&format!("{topic}{}x", i % 20), i % 3)).collect()
    };
    let folder = folder(&[("a.jsonl", many("t", 60)), ("b.jsonl", many("t", 15))]);
    let path = |name: &str| folder.path().join(name);
    let (own, reference) = ([path("a.jsonl")], [path("b.jsonl")]);
    let run = |output: &str, progress: &dyn Progress| {
        let options = options();
        let reference = Reference::new(&reference, &options);
        let settings = standard().with(|s| s.mode = Mode::Mark);
        let places = job::to(&path(output));
        let corpus = (&own[..], &options);
        dedup::run_against(corpus, (reference, Scope::Everything), &settings, &places, progress)
    };
    run("whole", &Silent).expect("done");
    for at in ["sorting", "comparing", "writing"] {
        assert!(run(at, &Stop::at(at)).is_err_and(|error| error.is_cancelled()), "{at}");
        let summary = run(at, &Silent).expect("done").now().expect("now").summary;
        assert_eq!(summary.run.resumed_records, 75, "{at}");
        assert_eq!(job::files(&path(at)), job::files(&path("whole")), "{at}");
    }
}
