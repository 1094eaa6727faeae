//! Answers equal those of a comparison, however the index was made.

use std::collections::{BTreeMap, BTreeSet};

use fanmill::index::Posting;
use fanmill::pipeline::{Config, compare, fingerprinted};
use fanmill::select::{Selector, Thresholds};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::token::Symbol;
use proptest::prelude::*;

use super::*;

/// Makes a text of words of its own around a run that other texts may have, too: `(own, run, words of the run)`.
fn text((own, run, n): (u64, u64, usize)) -> String {
    [words(1000 + own, 30), words(run, n), words(2000 + own, 30)].join(" ")
}

/// Returns the places that a comparison with all documents as earlier work finds.
fn compared(known: &[(String, String)], query: &str) -> Places {
    let mut corpus = Corpus { submissions: documents(known.iter().cloned()), ..Corpus::default() };
    for known in &mut corpus.submissions {
        known.role = Role::Archive;
    }
    corpus.submissions.insert(0, documents([("query", query.to_owned())]).remove(0));
    let found = compare(corpus, &Registry::prose(), &Config::standard(), &Silent);
    let report = found.expect("texts").report;
    let places = report.pairs.iter().map(|pair| {
        let matches = pair.passages.iter().flat_map(|passage| &passage.matches);
        let places = matches.map(|m| [(m.a.start, m.a.end), (m.b.start, m.b.end)]);
        (report.submissions[pair.b as usize].name.clone(), places.collect())
    });
    places.collect()
}

fn sorted(mut places: Places) -> Places {
    places.sort();
    places
}

#[test]
fn documents_of_the_same_name_are_refused_and_nothing_is_added() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("old", words(1, 40))]);
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    for texts in [["a", "a"], ["old", "old"]] {
        let twice = (2..).zip(texts).flat_map(|(seed, name)| documents([(name, words(seed, 40))]));
        let error = writer.add(twice.collect(), &Registry::prose(), &Silent).expect_err("one name");
        assert!(error.to_string().contains(texts[0]), "{error}");
    }
    writer.close().expect("own folder");
    let index = Index::open(&folder).expect("an index");
    assert_eq!(names(&search(&index, &words(1, 40))), ["old"]);
    assert!(search(&index, &words(2, 40)).is_empty());
}

/// An addition that breaks off has added the portions before, and resumes behind them. A name may not occur in two
/// portions either.
#[test]
fn a_longer_addition_resumes_where_it_broke_off() {
    let temporary = tempfile::tempdir().expect("a folder");
    // Portions are cut at batches, of at most 256 documents.
    let known: Vec<(String, String)> =
        (0..900).map(|i| (format!("d{i:03}"), text((i, i % 4, 14)))).collect();
    let query = text((500, 1, 40)) + " " + &words(2, 40);
    let registry = Registry::prose();
    let make = |name: &str, portion: u64| {
        let folder = temporary.path().join(name);
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        writer.portion = portion;
        writer
    };
    let mut whole = make("whole", u64::MAX);
    whole.add(documents(known.iter().cloned()), &registry, &Silent).expect("room");
    let mut writer = make("portions", 1);
    let first = documents(known.iter().cloned()).into_iter().take(600).map(Ok);
    let broken = first.chain([Err(fanmill_text::Error::input("no more"))]);
    writer.add_each(broken, &registry, &Silent).expect_err("it breaks off");
    assert_eq!(writer.index().n_documents(), 512);
    let mut twice = documents(known.iter().cloned());
    twice.extend(documents(known[..1].iter().cloned()));
    let error = writer.add(twice, &registry, &Silent).expect_err("a name twice");
    assert!(error.to_string().contains("two documents are called `d000`"), "{error}");
    let added = writer.add(documents(known.iter().cloned()), &registry, &Silent).expect("room");
    // The last portion of the addition before was not written, for it has the name.
    assert_eq!((added.added, added.unchanged), (900 - 768, 768));
    writer.close().expect("own folder");
    whole.close().expect("own folder");
    let [whole, portions] = ["whole", "portions"].map(|name| {
        let index = Index::open(&temporary.path().join(name)).expect("an index");
        index.verify(&Silent).expect("a sound index");
        shown(&index, &query, &[])
    });
    assert_eq!(portions, whole);
}

/// However many segments an addition of a portion writes, it is one commit, and answers equal those of one segment. A
/// failed addition leaves nothing to the next one.
#[test]
fn a_long_addition_is_one_commit() {
    let temporary = tempfile::tempdir().expect("a folder");
    let known: Vec<(String, String)> =
        (0..43).map(|i| (format!("d{i:02}"), text((i, i % 4, 14 + i as usize)))).collect();
    let query = text((500, 1, 40)) + " " + &words(2, 40);
    let registry = Registry::prose();
    let answer = |name: &str, together: usize| {
        let folder = temporary.path().join(name);
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        writer.together = together;
        let broken = documents(known.iter().cloned()).into_iter().map(Ok);
        let broken = broken.take(20).chain([Err(fanmill_text::Error::input("no more"))]);
        let error = writer.add_each(broken, &registry, &Silent).expect_err("it breaks off");
        assert_eq!((error.to_string().as_str(), writer.index().n_documents()), ("no more", 0));
        let added = writer.add(documents(known.iter().cloned()), &registry, &Silent);
        assert_eq!(added.expect("room").added, 43);
        assert_eq!(writer.index().segments.len(), 1, "{:?}", writer.index().stats());
        writer.close().expect("own folder");
        let index = Index::open(&folder).expect("an index");
        index.verify(&Silent).expect("a sound index");
        assert_eq!(
            std::fs::read_dir(&folder).expect("a folder").count(),
            2 + 2 * index.segments.len()
        );
        (index.generation(), shown(&index, &query, &[]))
    };
    let (expected, generation) = (answer("one", usize::MAX), 1);
    assert_eq!(expected.0, generation);
    for together in [1, 700, 3000] {
        // Merging after the commit is a commit of its own.
        assert_eq!(answer(&format!("{together}"), together).1, expected.1, "{together}");
    }
}

/// Groups and days choose documents as if the index did not have any others.
#[test]
fn groups_and_days_choose_documents() {
    let temporary = tempfile::tempdir().expect("a folder");
    let known: Vec<(String, String)> =
        (0..24).map(|i| (format!("d{i:02}"), text((i, i % 3, 20 + i as usize)))).collect();
    let (labels, days) =
        ([None, Some("a"), Some("b")], ["2024-12-31", "2025-03-01T10:00:00+02:00", "?"]);
    let made = |name: &str, wanted: &dyn Fn(usize) -> bool| {
        let mut documents = documents(known.iter().cloned());
        for (i, document) in documents.iter_mut().enumerate() {
            document.label = labels[i / 3 % 3].map(str::to_owned);
            document.submitted = (i % 4).checked_sub(1).map(|i| days[i].to_owned());
        }
        let mut numbers = 0..;
        documents.retain(|_| numbers.next().is_some_and(wanted));
        let folder = temporary.path().join(name);
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        for part in documents.chunks(7) {
            writer.add(part.to_vec(), &Registry::prose(), &Silent).expect("room");
        }
        writer.close().expect("own folder");
        Index::open(&folder).expect("an index")
    };
    let all = made("all", &|_| true);
    let query = text((500, 1, 40)) + " " + &words(2, 40);
    let answer = |index: &Index, groups: &[&str], since: Option<&str>| {
        let label = groups.iter().map(|&group| group.to_owned()).collect();
        let since = since.map(str::to_owned);
        shown_with(index, &query, &Search { label, since, ..Search::default() })
    };
    let day = |i: usize| (i % 4).checked_sub(1).map_or("", |i| days[i]);
    for (n, (groups, since)) in [
        (&["a"][..], None),
        (&["a", "b", "c"], None),
        (&[], Some("2025-01-01")),
        (&["b"], Some("2024-12-31")),
    ]
    .into_iter()
    .enumerate()
    {
        let is_wanted = |i: usize| {
            let label = labels[i / 3 % 3];
            let is_of_group =
                groups.is_empty() || label.is_some_and(|label| groups.contains(&label));
            is_of_group && since.is_none_or(|since| day(i) != "?" && day(i) >= since)
        };
        // The expected answer comes from an index that has only the wanted documents.
        let few = made(&format!("few {n}"), &is_wanted);
        let expected = answer(&few, &[], None);
        assert!(expected.len() > 1, "{expected:?}");
        assert_eq!(answer(&all, groups, since), expected, "{groups:?} {since:?}");
    }
    assert_eq!(answer(&all, &["nobody"], None)[0].split(' ').next(), Some("[0,"));
    for since in ["2025", "2025-03-01T10:00", "yesterday", "01-03-2025"] {
        let search = Search { since: Some(since.to_owned()), ..Search::default() };
        let error = search_with(&all, &query, &search).expect_err("not a day");
        assert!(error.to_string().contains(since), "{error}");
    }
}

/// Boilerplate is not attributed to a source, and the rest is found as in a comparison with this base.
#[test]
fn boilerplate_does_not_count() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let handout = words(7, 60);
    let (both, only) =
        ([&*handout, &words(9, 5), &words(1, 40)].join(" "), [&*handout, &words(2, 40)].join(" "));
    add(&folder, &[("both", both), ("only", only), ("other", words(3, 40))]);
    let index = Index::open(&folder).expect("an index");
    let query = [words(8, 20), handout.clone(), words(1, 40)].join(" ");
    assert_eq!(names(&sorted(search(&index, &query))), ["both", "only"]);
    let base = index.base(documents([("handout", handout)]), &Registry::prose()).expect("prose");
    let found = search_with(&index, &query, &Search { base, ..Search::default() });
    let found = found.expect("a sound index");
    assert_eq!(names(&found), ["both"]);
    let own = query.len() - words(1, 40).len();
    assert!(found[0].1.iter().all(|place| place[0].0 as usize >= own), "{found:?}");
}

/// A run that more documents have than are looked at is reported, with its bytes.
#[test]
fn what_very_many_documents_have_is_set_apart() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let common = words(7, 60);
    let texts = (0..9).map(|i| (format!("d{i}"), [words(i, 30), common.clone()].join(" ")));
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.add(documents(texts), &Registry::prose(), &Silent).expect("room");
    let query = [words(8, 40), common.clone(), words(500, 40)].join(" ");
    let start = query.find(&common).expect("it is there");
    let common = start..start + common.len();
    for (max_postings, n) in [(4, 1), (9, 0)] {
        let search = Search { max_postings, max_holders: 1, ..Search::default() };
        let text = documents([("query", query.clone())]).remove(0);
        let answer = writer.index().search(text, &Registry::prose(), &search, &Silent);
        let answer = answer.expect("a sound index");
        assert_eq!((answer.common.len(), answer.popular > 0), (n, n > 0));
        for stretch in answer.common {
            assert!(common.start <= stretch.start as usize && stretch.end as usize <= common.end);
            assert!((stretch.tokens, stretch.documents) >= (40, 9), "{stretch:?}");
            assert_eq!(stretch.documents, 9);
        }
        // For that run, only the first documents are looked at.
        let found = answer.sources.len();
        assert!(if n == 0 { found == 9 } else { (5..9).contains(&found) }, "{found}");
    }
}

/// A quick search with enough fingerprints equals a search; with few, its estimates are close.
#[test]
fn a_quick_search_estimates() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let part =
        |n: usize| [words(1, 4000).split(' ').take(n).collect::<Vec<_>>().join(" "), words(2, 500)];
    let texts = [4000, 3000, 1500, 40].map(|n| (format!("d{n:04}"), part(n).join(" ")));
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.add(documents(texts), &Registry::prose(), &Silent).expect("room");
    let query = words(1, 4000);
    let answer = |quick: Option<usize>| {
        let text = documents([("query", query.clone())]).remove(0);
        let search = Search { quick, ..Search::default() };
        writer.index().search(text, &Registry::prose(), &search, &Silent).expect("a sound index")
    };
    let (whole, all) = (answer(None), answer(Some(usize::MAX)));
    assert_eq!((whole.sources.len(), whole.looked_up), (4, whole.fingerprints));
    for (one, other) in whole.sources.iter().zip(&all.sources) {
        assert_eq!((&one.record, &one.pair), (&other.record, &other.pair));
        assert!(one.estimate.is_none());
        let estimate = other.estimate.expect("quick");
        assert!(estimate.containment_error < 1e-9, "{estimate:?}");
        assert!((estimate.containment - one.pair.containment_a).abs() < 0.03, "{estimate:?}");
    }
    let quick = answer(Some(64));
    assert_eq!(quick.looked_up, 64);
    assert!(quick.sources.len() >= 3, "what holds much is found");
    for source in &quick.sources {
        let estimate = source.estimate.expect("quick");
        // Passages are complete; a quick search affects only which documents are compared.
        let exact = whole.sources.iter().find(|exact| exact.record.id == source.record.id);
        assert_eq!(exact.expect("a source").pair.passages, source.pair.passages);
        let off = (estimate.containment - source.pair.containment_a).abs();
        assert!(off <= 4.0 * estimate.containment_error + 0.03, "{estimate:?}");
    }
}

#[test]
fn a_text_may_be_empty_or_have_the_name_of_a_source() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("query", words(1, 40)), ("a", words(1, 30)), ("z", words(1, 20))]);
    let index = Index::open(&folder).expect("an index");
    assert!(search(&index, "").is_empty());
    let found = search(&index, &words(1, 40));
    assert_eq!(names(&sorted(found)), ["a", "query", "z"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(24)))]

    /// Whether documents were added at once or one by one, merged or not, a search finds what a comparison finds;
    /// removed documents are not found.
    #[test]
    fn a_search_is_a_comparison_with_all_documents(
        known in prop::collection::vec((0_u64..400, 0_u64..4, 8_usize..40), 1..12),
        query in (500_u64..600, 0_u64..4, 20_usize..40),
        commits in 1_usize..5,
        removed in prop::collection::btree_set(0_usize..12, 0..4),
        merged in any::<bool>(),
    ) {
        let known: Vec<(String, String)> =
            known.into_iter().enumerate().map(|(i, of)| (format!("d{i:02}"), text(of))).collect();
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().join("ix");
        let registry = Registry::prose();
        for part in known.chunks(known.len().div_ceil(commits)) {
            let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
            writer.add(documents(part.iter().cloned()), &registry, &Silent).expect("room");
            writer.close().expect("own folder");
        }
        let gone: BTreeSet<&str> =
            removed.iter().filter_map(|&i| known.get(i)).map(|(name, _)| &**name).collect();
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        prop_assert_eq!(writer.remove(gone.iter().copied()).expect("known"), gone.len() as u64);
        if merged {
            writer.merge(&Silent).expect("room");
            prop_assert_eq!(writer.index().stats().removed, 0);
        }
        writer.close().expect("own folder");
        let left: Vec<(String, String)> =
            known.iter().filter(|(name, _)| !gone.contains(&**name)).cloned().collect();

        let index = Index::open(&folder).expect("an index");
        index.verify(&Silent).expect("a sound index");
        prop_assert_eq!(index.n_documents(), left.len() as u64);
        let query = text(query);
        let (found, all) = (sorted(search(&index, &query)), sorted(compared(&left, &query)));
        prop_assert!(found.iter().all(|one| all.contains(one)), "{:?} of {:?}", found, all);
        // A comparison looks at any two common grams of prose, and a search only at those that the selector has kept:
        // these certainly lead to a run of the guarantee, but not to a rewritten passage.
        let is_sure = |places: &[[(u32, u32); 2]]| {
            let n_words = |&[(start, end), _]: &[(u32, u32); 2]| {
                query[start as usize..end as usize].split_whitespace().count()
            };
            places.iter().any(|place| n_words(place) >= 12)
        };
        let missing = all.iter().filter(|one| !found.contains(one));
        prop_assert!(missing.clone().all(|(_, places)| !is_sure(places)), "{:?} of {:?}", found, all);
    }

    /// The naive twin: a map from each fingerprint to its places.
    #[test]
    fn look_ups_are_those_of_a_map(
        known in prop::collection::vec((0_u64..6, 0_u64..3, 0_usize..40), 1..10),
        most in 1_u64..6,
        merged in any::<bool>(),
    ) {
        let known: Vec<(String, String)> =
            known.into_iter().enumerate().map(|(i, of)| (format!("d{i:02}"), text(of))).collect();
        let temporary = tempfile::tempdir().expect("a folder");
        let registry = Registry::prose();
        let disk = Disk::default();
        let mut writer = Writer::open(&disk, &temporary.path().join("ix"), None).expect("an index");
        let mut naive: BTreeMap<u64, Vec<Posting>> = BTreeMap::new();
        for (document, one) in (0..).zip(&known) {
            let submission = documents([one.clone()]);
            let read = fingerprinted(&submission[0], &registry, &Config::standard()).expect("text");
            for f in read.fingerprints {
                naive.entry(f.hash).or_default().push(Posting { document, at: f.at });
            }
            writer.add(submission, &registry, &Silent).expect("room");
        }
        if merged {
            writer.merge(&Silent).expect("room");
        }
        let index = writer.index();
        for (&hash, postings) in &naive {
            let (mut found, mut all, mut first) = (Vec::new(), Vec::new(), 0);
            for segment in &index.segments {
                let n = segment.find(hash, u64::MAX, |_| true, &mut found).expect("a sound index");
                prop_assert_eq!(n, found.chunk_by(|x, y| x.document == y.document).count() as u64);
                all.extend(found.iter().map(|p| Posting { document: p.document + first, at: p.at }));
                // The first documents are a prefix of all of them.
                let whole = found.clone();
                prop_assert_eq!(segment.find(hash, most, |_| true, &mut found).expect("a sound index"), n);
                prop_assert_eq!(&found, &whole[..found.len()]);
                let n_found = found.chunk_by(|x, y| x.document == y.document).count() as u64;
                prop_assert_eq!(n_found, n.min(most));
                first += segment.entry.documents;
            }
            prop_assert_eq!(&all, postings);
        }
        let mut found = Vec::new();
        // Blocks have the first 48 bits of hashes.
        let stored: BTreeSet<u64> = naive.keys().map(|hash| hash >> 16).collect();
        for segment in &index.segments {
            let others = naive.keys().map(|hash| hash.wrapping_add(1 << 16));
            for other in others.filter(|hash| !stored.contains(&(hash >> 16))) {
                prop_assert_eq!(segment.find(other, 64, |_| true, &mut found).expect("a sound index"), 0);
            }
        }
    }
}

/// Returns the number of positions that are selected with a higher guarantee but not with a lower one, and the number
/// of all that are selected with the higher one.
fn outside(
    selector: Selector,
    (noise, low, high): (u32, u32, u32),
    symbols: &[Symbol],
) -> (usize, usize) {
    let select = |guarantee| {
        let mut positions = Vec::new();
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        selector.select(symbols, thresholds, &mut positions);
        positions
    };
    let (few, many) = (select(high), select(low));
    (few.iter().filter(|at| many.binary_search(at).is_err()).count(), few.len())
}

/// The fingerprints that a search with a higher guarantee looks up are in the index.
#[test]
fn a_higher_guarantee_selects_a_subset() {
    let (mut n_outside, mut n_all) = (0, 0);
    for seed in 0..400 {
        // Some words are frequent, as in prose.
        let word = |i: u64| fanmill_kernel::hash::mix::mix(seed << 32 | i);
        let number = |i: u64| if word(i) % 3 > 0 { word(i) >> 8 & 31 } else { word(i) >> 8 & 4095 };
        let symbols: Vec<Symbol> =
            (0..2000).map(|i| Symbol::spelled(&number(i).to_le_bytes())).collect();
        for thresholds in [(5, 12, 24), (5, 12, 48), (11, 24, 25), (11, 24, 96)] {
            assert_eq!(outside(Selector::Winnow, thresholds, &symbols).0, 0, "{thresholds:?}");
            let (outside, all) =
                outside(Selector::roc(thresholds.0 as usize), thresholds, &symbols);
            (n_outside, n_all) = (n_outside + outside, n_all + all);
        }
    }
    assert!(n_outside * 1000 <= n_all, "{n_outside} of {n_all}");
}

#[test]
fn a_search_may_have_a_higher_guarantee() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("long", text((1, 1, 40))), ("short", text((2, 2, 16)))]);
    let index = Index::open(&folder).expect("an index");
    let query = [words(1, 40), words(2, 16)].join(" ");
    let found = |guarantee| {
        let text = documents([("query", query.clone())]).remove(0);
        let search = Search { guarantee, ..Search::default() };
        index.search(text, &Registry::prose(), &search, &Silent)
    };
    let n = |guarantee| found(guarantee).expect("a search").fingerprints;
    assert!(n(Some(30)) < n(None) && n(Some(12)) == n(None), "{} of {}", n(Some(30)), n(None));
    assert_eq!(found(Some(30)).expect("a search").sources[0].record.name, "long");
    let error = found(Some(11)).expect_err("too low");
    assert!(
        error.is_setting() && error.to_string().contains("below that of the index, 12"),
        "{error}"
    );
}

/// For a run that many documents have, only the first documents are sources, and the answer reports it.
#[test]
fn a_popular_run_is_found_in_the_first_documents() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let known: Vec<(String, String)> =
        (0..20).map(|i| (format!("d{i:02}"), text((i, 1, 30)))).collect();
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    let registry = Registry::prose();
    for part in known.chunks(7) {
        writer.add(documents(part.iter().cloned()), &registry, &Silent).expect("room");
    }
    let query = text((500, 1, 30));
    let few = Search { max_postings: 9, max_holders: 1, ..Search::default() };
    let found = search_with(writer.index(), &query, &few).expect("a sound index");
    let found = sorted(found);
    let first = names(&found[..9]);
    assert_eq!(first, (0..9).map(|i| format!("d{i:02}")).collect::<Vec<_>>());
    // At the ends of the run, few documents keep the same grams as the query or the same bits around these, and these
    // documents are found by them.
    assert!(found.len() < known.len(), "{}", found.len());
    let one = documents([("query", query.clone())]).remove(0);
    let answer = writer.index().search(one, &registry, &few, &Silent).expect("a sound index");
    assert!(answer.popular > 0 && answer.popular <= answer.known, "{}", answer.popular);
    assert_eq!(search(writer.index(), &query).len(), 20, "the limit is 64");
}

#[test]
fn what_is_rare_in_the_index_counts_more() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let mut known: Vec<(String, String)> =
        (0..20).map(|i| (format!("d{i:02}"), text((i, 1, 40)))).collect();
    known.push(("rare".to_owned(), text((99, 2, 30))));
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.add(documents(known), &Registry::prose(), &Silent).expect("room");
    let query = [words(1, 40), words(2, 30)].join(" ");
    let one = Search { max_sources: 1, max_holders: 0, ..Search::default() };
    let found = search_with(writer.index(), &query, &one).expect("a sound index");
    assert_eq!(names(&found), ["rare"], "the most telling document is the one looked at");
    // Sources are ordered by how much of the text they have, and variants follow them.
    let found = search(writer.index(), &query);
    assert_eq!((found.len(), names(&found)[20]), (21, "rare"));
}

#[test]
fn the_same_again_changes_nothing_and_other_bytes_replace() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let (old, new) = (words(1, 40), words(2, 40));
    add(&folder, &[("a", old.clone()), ("b", words(3, 40))]);
    add(&folder, &[("a", old.clone())]);
    let index = Index::open(&folder).expect("an index");
    assert_eq!((index.generation(), index.n_documents()), (1, 2));
    add(&folder, &[("a", new.clone())]);
    let later = Index::open(&folder).expect("an index");
    assert_eq!((later.generation(), later.n_documents()), (2, 2));
    assert_eq!((search(&later, &old), names(&search(&later, &new))), (Places::new(), vec!["a"]));
    let stored = later.document("a").expect("a sound index").expect("it was added");
    assert_eq!(stored.documents[0].bytes, new.as_bytes());
    // An index that was opened before is unchanged.
    assert_eq!(names(&search(&index, &old)), ["a"]);
}

/// Returns the part of an answer that users see, without numbers that depend on the order of commits and merges.
fn shown(index: &Index, text: &str, left_out: &[&str]) -> Vec<String> {
    let exclude_source = left_out.iter().map(|&name| name.to_owned()).collect();
    shown_with(index, text, &Search { exclude_source, ..Search::default() })
}

fn shown_with(index: &Index, text: &str, search: &Search) -> Vec<String> {
    let text = documents([("query", text.to_owned())]).remove(0);
    let answer = index.search(text, &Registry::prose(), search, &Silent).expect("a sound index");
    let counts = [answer.documents, answer.known, answer.popular, answer.candidates];
    let sources = answer.sources.iter().map(|source| {
        let (name, passages) = (&source.record.name, &source.pair.passages);
        format!("{name} {} {} {passages:?}", source.evidence, source.fingerprints)
    });
    [format!("{counts:?} {:?}", answer.schemes)].into_iter().chain(sources).collect()
}

/// Documents are added at once or in parts, merged or not, removed and added again, by 1, 2 or 8 threads.
#[test]
fn answers_do_not_depend_on_how_documents_came_in() {
    let temporary = tempfile::tempdir().expect("a folder");
    let known: Vec<(String, String)> =
        (0..30).map(|i| (format!("d{i:02}"), text((i, i % 4, 14 + i as usize)))).collect();
    let query = text((500, 1, 40)) + " " + &words(2, 40);
    let made = |name: &str, n_threads: usize, make: &(dyn Fn(&mut Writer) + Sync)| {
        let folder = temporary.path().join(format!("{name} {n_threads}"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        pool.install(|| {
            let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
            make(&mut writer);
            writer.close().expect("own folder");
            let index = Index::open(&folder).expect("an index");
            (shown(&index, &query, &[]), files_of(&folder))
        })
    };
    let add = |writer: &mut Writer, part: &[(String, String)]| {
        let part = documents(part.iter().cloned());
        writer.add(part, &Registry::prose(), &Silent).expect("room");
    };
    let (all, parts) = (
        |writer: &mut Writer| add(writer, &known),
        |writer: &mut Writer| {
            known.chunks(11).for_each(|part| add(writer, part));
        },
    );
    let expected = made("at once", 1, &all);
    assert!(expected.0.len() > 10, "{:?}", expected.0);
    let merged = made("merged", 1, &|writer| {
        parts(writer);
        writer.merge(&Silent).expect("room");
    });
    for n_threads in [1, 2, 8] {
        // Files are equal as well if the steps are; other steps only give equal answers.
        assert_eq!(made("at once", n_threads + 100, &all), expected, "the same files, too");
        assert_eq!(made("in parts", n_threads, &parts).0, expected.0);
        let again = made("again", n_threads, &|writer| {
            parts(writer);
            writer.remove(["d03", "d05", "d21"]).expect("known");
            add(writer, &known[..12]);
            writer.merge(&Silent).expect("room");
            add(writer, &known);
        });
        assert_eq!(again.0, expected.0);
        let later = made("merged", n_threads + 100, &|writer| {
            parts(writer);
            writer.merge(&Silent).expect("room");
        });
        assert_eq!(later, merged);
        assert_eq!(merged.0, expected.0);
    }
}

/// Returns the files of an index, with their bytes.
fn files_of(folder: &Path) -> BTreeMap<std::ffi::OsString, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| {
        let entry = entry.expect("an entry");
        (entry.file_name(), std::fs::read(entry.path()).expect("own file"))
    });
    entries.collect()
}

#[test]
fn what_is_left_out_is_as_though_it_were_removed() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let known: Vec<(String, String)> =
        (0..12).map(|i| (format!("d{i:02}"), text((i, i % 3, 30)))).collect();
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    for part in known.chunks(5) {
        writer.add(documents(part.iter().cloned()), &Registry::prose(), &Silent).expect("room");
    }
    let query = text((500, 1, 30));
    let without = shown(writer.index(), &query, &["d01", "d07", "d02", "d01"]);
    let exclude_source = vec!["nobody".to_owned()];
    let search = Search { exclude_source, ..Search::default() };
    let error = search_with(writer.index(), &query, &search).expect_err("not there");
    assert!(error.is_input() && error.to_string().contains("`nobody`"), "{error}");
    writer.remove(["d01", "d02", "d07"]).expect("known");
    assert_eq!(shown(writer.index(), &query, &[]), without);
    assert_eq!(without.len(), 3, "two sources are left: {without:?}");
}

#[test]
fn an_index_keeps_to_the_thresholds_that_it_was_begun_with() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let disk = Disk::default();
    let mut config = Config::standard();
    config.fingerprints.guarantee = Some(20);
    let mut writer = Writer::open(&disk, &folder, Some(&config)).expect("an index");
    writer.add(documents([("a", words(1, 40))]), &Registry::prose(), &Silent).expect("room");
    writer.close().expect("own folder");
    Writer::open(&disk, &folder, Some(&config)).expect("the same").close().expect("own folder");
    let error = Writer::open(&disk, &folder, Some(&Config::standard())).expect_err("another");
    assert!(error.is_setting() && error.to_string().contains("t=20"), "{error}");
    let index = Index::open(&folder).expect("an index");
    let recipe = index.config().recipe(fanmill_text::token::Kind::Words).expect("thresholds");
    assert_eq!(recipe.thresholds.guarantee(), 20);
}

/// Readers open the index while a writer commits and removes files, and each sees a whole generation.
#[test]
fn readers_see_whole_generations() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("d000", words(0, 20))]);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = 0;
                    while last < 31 {
                        let index = Index::open(&folder).expect("an index");
                        let names = index.documents().map(|record| record.expect("sound").name);
                        let expected = (0..index.n_documents()).map(|i| format!("d{i:03}"));
                        assert!(names.eq(expected), "generation {}", index.generation());
                        assert!(index.n_documents() >= last, "time goes on");
                        last = index.n_documents();
                    }
                })
            })
            .collect();
        for i in 1..31 {
            add(&folder, &[(&format!("d{i:03}"), words(i, 20))]);
        }
        for reader in readers {
            reader.join().expect("no error");
        }
    });
}

/// Quoted text no longer leads to its source, and other shared text still does.
#[test]
fn quotations_can_be_set_apart() {
    let keeper =
        "the lamp must never go out while a single boat is still beyond the bar of this harbour";
    let taken =
        "nobody knows how many ships he saw go by because he counted the ones that came back";
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("keeper", format!("{keeper}. {taken}."))]);
    let index = Index::open(&folder).expect("an index");
    let n_matched = |text: String, quotes: bool| {
        let text = documents([("query", text)]).remove(0);
        let search = Search { quotes, ..Search::default() };
        let answer =
            index.search(text, &Registry::prose(), &search, &Silent).expect("a sound index");
        answer.sources.iter().map(|source| source.pair.matched).sum::<u64>()
    };
    let quoting = format!("He wrote: \"{keeper}\" over his door.");
    assert_eq!([n_matched(quoting.clone(), false), n_matched(quoting.clone(), true)], [18, 0]);
    assert_eq!(n_matched(format!("{quoting} And {taken}."), true), 17);
}
