//! `dedup` by addresses: the others of each address go for the preferred one, and the rest is compared by texts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use fanmill_corpus::dedup::{self, ByAddress, Decisions, Keep, Mode, Settings};
use fanmill_corpus::reference_split::ReferenceSplit;
use fanmill_text::progress::{Progress, Silent};
use fanmill_urls::pattern::{Operation, Pattern, Rewriter};
use proptest::prelude::*;

use crate::corpus::{Doc, Line, Shards, cases, corpora};
use crate::duplicates::{exact, sketched};
use crate::job::{self, Table};
use crate::naive;

/// Spellings of addresses, each with the number of its address; those without a number are none.
const SPELLINGS: [(&str, Option<u8>); 13] = [
    ("http://x.example/a", Some(1)),
    ("HTTP://X.example:80/a#top", Some(1)),
    (" x.example/b/../a", Some(1)),
    ("http://u:p@x.example/%61?&", Some(1)),
    ("https://x.example/a", Some(2)),
    ("http://x.example/a/", Some(3)),
    ("http://x.example/a?b=1", Some(4)),
    ("//x.example/a?b=1&", Some(4)),
    ("mailto:ada@x.example", None),
    ("no address", None),
    ("http://x.example/\u{fffd}", None),
    ("http://", None),
    ("  ", None),
];

/// A document that goes: the one that stays, its resemblance and containment, whether both have one text, and whether it
/// goes by its address.
type Gone = (usize, usize, Option<f64>, Option<f64>, Option<bool>, bool);

/// The naive twin: groups by address, keeps the preferred one of each, and compares the rest by texts.
fn naive(records: &[Option<&Doc>], settings: &Settings, sides: ReferenceSplit) -> Vec<Gone> {
    let number = |doc: &Doc| SPELLINGS.iter().find(|(spelling, _)| Some(*spelling) == doc.url)?.1;
    let mut groups: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for (document, record) in records.iter().enumerate() {
        let own = record.filter(|_| !sides.is_reference(document as u32));
        if let Some(number) = own.and_then(number) {
            groups.entry(number).or_default().push(document);
        }
    }
    let mut rest = records.to_vec();
    let mut others = Vec::new();
    for mut group in groups.into_values() {
        group.sort_by_key(|&document| {
            naive::preference(&settings.keep, records[document].expect("a document"), document)
        });
        for &other in &group[1..] {
            rest[other] = None;
            others.push((group[0], other));
        }
    }
    let by_text = naive::removed_between(&rest, settings, sides);
    let mut gone: Vec<Gone> = by_text
        .iter()
        .map(|r| {
            (r.document, r.kept, Some(r.resemblance), Some(r.containment), Some(r.is_copy), false)
        })
        .collect();
    for (head, other) in others {
        let own = gone.iter().find(|one| one.0 == head).copied();
        let own = own.unwrap_or((head, head, Some(1.0), Some(1.0), Some(true), false));
        let same = records[head].map(|doc| &doc.text) == records[other].map(|doc| &doc.text);
        let (kept, shares) = (own.1, (own.2, own.3, own.4));
        let shares = if same { shares } else { (None, None, None) };
        gone.push((other, kept, shares.0, shares.1, shares.2, true));
    }
    gone.sort_by_key(|one| one.0);
    gone
}

/// Gives the documents among lines addresses.
fn with_addresses(lines: &mut [Line], addresses: &[Option<usize>]) {
    let documents = lines.iter_mut().filter_map(|line| match line {
        Line::Doc(doc) => Some(doc),
        _ => None,
    });
    for (doc, address) in documents.zip(addresses) {
        doc.url = address.map(|address| SPELLINGS[address % SPELLINGS.len()].0);
    }
}

/// Whether a document has an address, without which a run is refused.
fn has_any(records: &[Option<&Doc>]) -> bool {
    let is_one = |doc: &&Doc| SPELLINGS.iter().any(|(s, n)| Some(*s) == doc.url && n.is_some());
    records.iter().flatten().any(is_one)
}

fn removed(shards: &Shards, output: &Path) -> Vec<Gone> {
    let table = Table::read(&job::beside(output).join("removed.parquet"));
    let (documents, kept) = (table.documents(shards, ""), table.documents(shards, "kept_"));
    let shares = ["resemblance", "containment"].map(|name| table.optional_floats(name));
    let (is_copy, reasons) = (table.optional_flags("is_copy"), table.texts("reason"));
    let row = |i: usize| {
        (documents[i], kept[i], shares[0][i], shares[1][i], is_copy[i], reasons[i] == "address")
    };
    (0..documents.len()).map(row).collect()
}

/// The same of texts in memory, where a copy is one that is known as such.
fn decided(found: &Decisions, n_references: usize) -> Vec<Gone> {
    let goes = |(text, decision): (usize, &dedup::Decision)| {
        let own = decision.removal()?;
        let kept = own.kept + if own.kept_is_reference { 0 } else { n_references };
        let is_copy = own.resemblance.map(|_| own.is_copy);
        Some((n_references + text, kept, own.resemblance, own.containment, is_copy, own.by_address))
    };
    found.texts.iter().enumerate().filter_map(goes).collect()
}

fn addresses() -> impl Strategy<Value = Vec<Option<usize>>> {
    prop::collection::vec(prop::option::weighted(0.8, 0..SPELLINGS.len()), 30)
}

/// Settings of an exact search that group by addresses.
fn grouping(settings: Settings) -> Settings {
    settings.with(|s| s.by_address = Some(ByAddress::default()))
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn the_rest_is_compared_once_the_others_of_each_address_are_gone(
        mut lines in corpora(),
        addresses in addresses(),
        settings in exact(),
        threads in 1_usize..4,
    ) {
        with_addresses(&mut lines, &addresses);
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let records = shards.records();
        let settings = grouping(job::followed(settings, &records));
        let output = folder.path().join("out");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let done = pool.install(|| job::dedup(&shards.paths, &settings, &output));
        if !has_any(&records) && records.iter().any(Option::is_some) {
            prop_assert!(done.expect_err("no address").to_string().contains("has an address"));
            return Ok(());
        }
        let summary = done.expect("done").summary;
        let expected = naive(&records, &settings, ReferenceSplit::default());
        prop_assert_eq!(removed(&shards, &output), expected.clone());
        let goes = |document| expected.iter().any(|one| one.0 == document);
        prop_assert_eq!(job::written(&output), shards.without(goes));
        let counts = summary.addresses.expect("counts of addresses");
        let by_address = || expected.iter().filter(|one| one.5);
        prop_assert_eq!(counts.removed as usize, by_address().count());
        prop_assert_eq!(counts.with_other_text as usize, by_address().filter(|one| one.2.is_none()).count());
        prop_assert_eq!(counts.documents + counts.missing + counts.unusable, summary.counts.documents);
        prop_assert_eq!(summary.counts.duplicates as usize, expected.len());
        prop_assert_eq!(summary.counts.kept + summary.counts.duplicates, summary.counts.documents);
    }

    #[test]
    fn texts_in_memory_go_as_records_do(
        mut lines in corpora(),
        mut reference in corpora(),
        addresses in addresses(),
        settings in exact(),
    ) {
        with_addresses(&mut lines, &addresses);
        // Addresses in the reference mean nothing.
        with_addresses(&mut reference, &addresses);
        let of = |lines: &[Line]| -> Vec<Doc> { lines.iter().filter_map(Line::doc).cloned().collect() };
        let (own, reference) = (of(&lines), of(&reference));
        let records: Vec<Option<&Doc>> = reference.iter().chain(&own).map(Some).collect();
        if !has_any(&records[reference.len()..]) {
            return Ok(());
        }
        let settings = grouping(settings).with(|s| {
            s.linkage = dedup::Linkage::Centres;
            if s.keep.field().is_some() {
                s.keep = Keep::Longest;
            }
        });
        let sides = ReferenceSplit { n_references: reference.len() as u32, ..<_>::default() };
        let expected = naive(&records, &settings, sides);
        let texts = |docs: &[Doc]| -> Vec<String> { docs.iter().map(|doc| doc.text.clone()).collect() };
        let urls: Vec<Option<&str>> = own.iter().map(|doc| doc.url).collect();
        let found = dedup::in_memory_by_address((texts(&own), &urls), texts(&reference), &settings, None, &Silent);
        prop_assert_eq!(decided(&found.expect("done"), reference.len()), expected);
    }

    #[test]
    fn sketches_remove_by_address_what_an_exact_search_does(
        mut lines in corpora(),
        addresses in addresses(),
        settings in sketched(),
    ) {
        with_addresses(&mut lines, &addresses);
        let folder = tempfile::tempdir().expect("a folder");
        let shards = Shards::write(folder.path(), &lines);
        let records = shards.records();
        if !has_any(&records) {
            return Ok(());
        }
        let settings = grouping(job::followed(settings, &records));
        let output = folder.path().join("out");
        job::dedup(&shards.paths, &settings, &output).expect("done");
        let by_address = |gone: Vec<Gone>| -> Vec<usize> {
            gone.into_iter().filter(|one| one.5).map(|one| one.0).collect()
        };
        let found = removed(&shards, &output);
        let kept: Vec<usize> = found.iter().map(|one| one.1).collect();
        prop_assert!(found.iter().all(|one| !kept.contains(&one.0)));
        let expected = naive(&records, &settings, ReferenceSplit::default());
        prop_assert_eq!(by_address(found), by_address(expected));
    }
}

/// Three records of one address, of which the last is preferred and is itself a duplicate by its text.
#[test]
fn marks_and_clusters_name_the_document_that_stays_in_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |n: usize| -> String {
        let word = |i: usize| format!("w{} ", i * n);
        (0..60).map(word).collect()
    };
    let doc = |text: &str, score, url| {
        Line::Doc(Doc { text: text.to_owned(), score: Some(score), source: None, url })
    };
    let page = Some("http://x.example/a");
    let lines = [
        doc(&text(7), 9, None),
        doc(&text(11), 1, page),
        doc(&text(7), 2, page),
        doc(&(text(7) + "more"), 3, page),
    ];
    let shards = Shards::write(folder.path(), &lines);
    let settings = grouping(job::settings()).with(|s| {
        s.keep = "highest:score".parse().expect("a rule");
        s.mode = Mode::Mark;
    });
    let output = folder.path().join("out");
    let outcome = job::dedup(&shards.paths, &settings, &output).expect("done");
    let gone: Vec<(usize, usize, bool)> =
        removed(&shards, &output).iter().map(|one| (one.0, one.1, one.5)).collect();
    assert_eq!(gone, [(1, 0, true), (2, 0, true), (3, 0, false)]);
    let written = job::written(&output).concat();
    let marks: Vec<&str> =
        written.lines().filter_map(|line| line.split("\"fanmill\":").nth(1)).collect();
    assert_eq!(marks.len(), 4);
    assert!(marks[1].contains("\"resemblance\":null,\"containment\":null"), "{written}");
    let clusters = Table::read(&job::beside(&output).join("clusters.parquet"));
    let resemblance = clusters.optional_floats("resemblance");
    assert_eq!(
        resemblance.iter().map(Option::is_some).collect::<Vec<_>>(),
        [true, false, false, true]
    );
    assert_eq!(clusters.optional_floats("smallest"), vec![resemblance[3]; 4]);
    assert_eq!(clusters.optional_floats("mean"), vec![resemblance[3]; 4]);
    let shown = &outcome.largest[0];
    assert_eq!((shown.size, shown.smallest), (4, resemblance[3]));
}

/// Ends a run after some records.
struct Stop(AtomicU64);

impl Progress for Stop {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= 100
    }
}

/// A rule by which two of the addresses below are the same.
fn rule() -> Rewriter {
    let pattern = Pattern {
        operation: Operation::Replace,
        regex: "^(https?://x\\.example/a)/$".to_owned(),
        replace: "${1}".to_owned(),
        repeat: false,
    };
    Rewriter::new([("x.example".to_owned(), pattern)]).expect("a rule")
}

#[test]
fn a_run_that_was_ended_resumes_with_the_addresses_of_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let doc = |i: usize| {
        let text = format!("{i} words of its own in document number {i}");
        Line::Doc(Doc { text, score: None, source: None, url: Some(SPELLINGS[i % 7].0) })
    };
    let shards = Shards::write(folder.path(), &(0..400).map(doc).collect::<Vec<_>>());
    let settings = grouping(job::settings());
    let with_rule =
        settings.clone().with(|s| s.by_address = Some(ByAddress::new(None, Some(rule()))));
    for (name, again, resumes) in [("same", &settings, true), ("rule", &with_rule, false)] {
        let whole = folder.path().join(format!("{name} whole"));
        let whole_counts =
            job::dedup(&shards.paths, again, &whole).expect("done").summary.addresses;
        let mut options = job::options(&settings.keep);
        options.extra = ByAddress::default().fields();
        let output = folder.path().join(name);
        let (stop, to) = (Stop(AtomicU64::new(0)), job::to(&output));
        let ended = dedup::run(&shards.paths, &options, &settings, &to, &stop);
        assert!(ended.is_err_and(|error| error.is_cancelled()));
        let resumed = job::dedup(&shards.paths, again, &output).expect("done").summary;
        assert_eq!(resumed.run.resumed_records > 0, resumes, "{name}");
        assert_eq!(resumed.addresses, whole_counts, "{name}");
        assert!(job::files(&output) == job::files(&whole), "{name}");
    }
}
