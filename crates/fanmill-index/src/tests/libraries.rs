//! Several indexes that are searched as one, and facts about published texts in them.

use std::collections::BTreeMap;

use fanmill::pipeline::{Config, ThresholdOverrides};
use fanmill_text::document::Publication;
use fanmill_text::token::Kind;
use proptest::prelude::*;

use super::*;
use crate::{Answer, Base, search_libraries};

fn searched(folders: &[&Path], text: &str, search: &Search) -> fanmill_text::Result<Answer> {
    let indexes = folders.iter().map(|folder| Index::open(folder));
    let indexes: Vec<Index> = indexes.collect::<fanmill_text::Result<_>>()?;
    let indexes: Vec<&Index> = indexes.iter().collect();
    let text = documents([("query", text.to_owned())]).remove(0);
    search_libraries(&indexes, text, &Registry::prose(), search, &Silent)
}

/// Returns the places that a text shares with each source, by the name of the source.
fn places(answer: &Answer) -> BTreeMap<String, Vec<[u32; 4]>> {
    let of_source = |source: &crate::Source| {
        let matches = source.pair.passages.iter().flat_map(|passage| &passage.matches);
        let places = matches.map(|m| [m.a.start, m.a.end, m.b.start, m.b.end]);
        (source.record.name.clone(), places.collect())
    };
    answer.sources.iter().map(of_source).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(12)))]

    #[test]
    fn libraries_are_searched_like_one_index(
        documents in prop::collection::vec((any::<bool>(), 0_u64..5, 14_usize..40), 1..8),
        query in prop::collection::vec(0_u64..5, 1..4),
    ) {
        let temporary = tempfile::tempdir().expect("a folder");
        let folders = ["one", "two", "all"].map(|name| temporary.path().join(name));
        let named: Vec<(bool, String, String)> = documents
            .iter()
            .enumerate()
            .map(|(i, &(is_first, seed, n))| (is_first, format!("document {i}"), words(seed, n)))
            .collect();
        for (folder, wanted) in folders.iter().zip([Some(true), Some(false), None]) {
            let own = named.iter().filter(|(is_first, ..)| wanted.is_none_or(|own| own == *is_first));
            let own: Vec<(&str, String)> = own.map(|(_, name, text)| (&**name, text.clone())).collect();
            if own.is_empty() {
                add(folder, &[("nothing of it", words(99, 20))]);
            } else {
                add(folder, &own);
            }
        }
        let query = query.iter().map(|&seed| words(seed, 30)).collect::<Vec<_>>().join(" so ");
        let search = Search { max_holders: 1000, ..Search::default() };
        let apart = searched(&[&folders[0], &folders[1]], &query, &search).expect("sound");
        let together = searched(&[&folders[2]], &query, &search).expect("sound");
        prop_assert_eq!(places(&apart), places(&together));
        let added = |answer: &Answer| answer.sources.iter().map(|source| source.added).collect::<Vec<_>>();
        prop_assert_eq!(added(&apart).iter().sum::<u64>(), added(&together).iter().sum::<u64>());
        for source in &apart.sources {
            let folder = &apart.libraries[source.library].folder;
            prop_assert!(Index::open(folder).expect("sound").record(&source.record.name).expect("sound").is_some());
        }
    }
}

#[test]
fn sources_are_ordered_by_what_only_they_explain() {
    let temporary = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| temporary.path().join(name));
    let (kettle, mill) = (words(1, 60), words(2, 30));
    let part: String = kettle.split_inclusive(' ').take(20).collect();
    let copy = |text: &str, seed| format!("{} {text} {}", words(seed, 15), words(seed + 1, 15));
    add(
        &one,
        &[("article", copy(&kettle, 10)), ("part", copy(&part, 20)), ("same", copy(&mill, 30))],
    );
    add(&two, &[("mirror", copy(&kettle, 40)), ("same", copy(&mill, 50))]);
    let text = format!("{} {kettle} {} {mill}", words(70, 40), words(80, 40));
    let answer = searched(&[&one, &two], &text, &Search::default()).expect("sound");
    let said = answer
        .sources
        .iter()
        .map(|source| (&*source.record.name, source.library, source.added, source.variant_of));
    let said: Vec<_> = said.collect();
    let heads: Vec<u64> = said.iter().filter(|one| one.3.is_none()).map(|one| one.2).collect();
    assert_eq!(heads, [60, 30, 0], "{said:?}");
    // The names of two documents in two indexes may be the same.
    let mut names: Vec<&str> = said.iter().map(|one| one.0).collect();
    assert_eq!(said[1].3, Some(0), "{said:?}");
    assert_eq!(said[3].3, Some(2), "{said:?}");
    assert_eq!(names[4], "part");
    names.sort_unstable();
    assert_eq!(names, ["article", "mirror", "part", "same", "same"]);
    let libraries: Vec<u64> = answer.libraries.iter().map(|library| library.documents).collect();
    assert_eq!((libraries, answer.documents), (vec![3, 2], 5));

    // A document may be left out that only one of them has.
    let search = Search { exclude_source: vec!["mirror".to_owned()], ..Search::default() };
    let answer = searched(&[&one, &two], &text, &search).expect("sound");
    assert_eq!(answer.sources.len(), 4);
    let search = Search { exclude_source: vec!["nobody".to_owned()], ..Search::default() };
    assert!(searched(&[&one, &two], &text, &search).is_err());

    let few = Search { max_sources: 1, max_holders: 0, ..Search::default() };
    let answer = searched(&[&one, &two], &text, &few).expect("sound");
    assert_eq!((answer.sources.len(), answer.compared), (1, 1), "a limit counts for all together");
}

#[test]
fn indexes_with_other_thresholds_are_not_searched_as_one() {
    let temporary = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| temporary.path().join(name));
    add(&one, &[("a", words(1, 40))]);
    let config = Config::standard().with(|config| {
        let own = ThresholdOverrides { noise: Some(4), guarantee: Some(20) };
        config.fingerprints.set_kind(Kind::Words, own);
    });
    let writer = Writer::open(&Disk::default(), &two, Some(&config)).expect("room");
    let mut writer = writer;
    writer.add(documents([("b", words(1, 40))]), &Registry::prose(), &Silent).expect("room");
    writer.close().expect("own folder");
    let error = searched(&[&one, &two], &words(1, 40), &Search::default()).unwrap_err().to_string();
    assert!(error.contains("k=4,t=20") && error.contains("searched as one"), "{error}");
}

#[test]
fn facts_about_publications_are_kept() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let publication = Publication {
        title: Some("The kettle".to_owned()),
        url: Some("https://a.example/kettle".to_owned()),
        licence: None,
        language: Some("en".to_owned()),
    };
    let article = |publication: &Publication| {
        let mut all = documents([("a", words(1, 40)), ("b", words(2, 40))]);
        all[0].publication.clone_from(publication);
        all
    };
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("room");
    let mut add = |all| {
        let added = writer.add(all, &Registry::prose(), &Silent).expect("room");
        (added.added, added.replaced, added.unchanged)
    };
    assert_eq!(add(article(&publication)), (2, 0, 0));
    assert_eq!(add(article(&publication)), (0, 0, 2));
    let renamed = Publication { licence: Some("CC BY-SA 4.0".to_owned()), ..publication };
    assert_eq!(add(article(&renamed)), (0, 1, 1));
    writer.merge(&Silent).expect("room");
    writer.close().expect("own folder");
    let index = Index::open(&folder).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!(index.record("a").expect("sound").expect("known").publication, renamed);
    assert!(index.record("b").expect("sound").expect("known").publication.is_empty());
    let answer = searched(&[&folder], &words(1, 40), &Search::default()).expect("sound");
    assert_eq!(answer.sources[0].record.publication, renamed);
    let shown = &answer.comparison.report.submissions[1];
    assert_eq!((&*shown.name, &shown.publication), ("a", &renamed));
}

/// A handout in the text and in the source counts neither in what they share nor in what the source adds.
#[test]
fn boilerplate_is_not_added_by_a_source() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let handout = words(7, 60);
    let copied = [&*handout, &words(1, 40)].join(" ");
    add(&folder, &[("copied", copied.clone())]);
    let index = Index::open(&folder).expect("an index");
    let base = index.base(documents([("handout", handout)]), &Registry::prose()).expect("prose");
    let text = [&*copied, &words(2, 20)].join(" ");
    for (base, added) in [(Base::default(), 100), (base, 40)] {
        let search = Search { base, ..Search::default() };
        let answer = searched(&[&folder], &text, &search).expect("sound");
        let source = &answer.sources[0];
        assert_eq!((source.added, source.pair.matched), (added, added));
    }
}
