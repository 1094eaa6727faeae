//! Documents that were read by another version of a front end.

use std::sync::atomic::{AtomicU64, Ordering};

use fanmill_text::frontend::{Claims, FrontEnd, Kind, Words};
use fanmill_text::progress::Progress;
use fanmill_text::scheme::FrontEndVersion;
use fanmill_text::token::Tokens;

use super::*;

/// Reads poems as words. From version 2 on, the first word of a text is left out.
#[derive(Debug)]
struct Poems(u32);

impl FrontEnd for Poems {
    fn name(&self) -> &'static str {
        "poems"
    }

    fn version(&self) -> u32 {
        self.0
    }

    fn kind(&self) -> Kind {
        Kind::Words
    }

    fn spells_words(&self) -> bool {
        true
    }

    fn claims(&self) -> Claims {
        Claims { aliases: &[], extensions: &["poem"], file_names: &[], interpreters: &[] }
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        Words.tokenize(text, tokens);
        if self.0 > 1 && !tokens.is_empty() {
            *tokens = tokens.split_off(1);
        }
    }
}

fn registry(version: u32) -> Registry {
    Registry::new(vec![Box::new(Poems(version))]).expect("one name")
}

fn found(index: &Index, text: &str, registry: &Registry) -> (Vec<String>, u64, u64) {
    let text = documents([("query.poem", text.to_owned())]).remove(0);
    let answer = index.search(text, registry, &Search::default(), &Silent).expect("a sound index");
    let mut names: Vec<String> =
        answer.sources.into_iter().map(|source| source.record.name).collect();
    names.sort();
    (names, answer.documents, answer.outdated)
}

/// Until documents are read again, a search leaves them out and reports it, and nothing can be added.
#[test]
fn documents_are_read_again_by_another_version() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let shared = words(1, 40);
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.together = 1;
    let texts = ["a.poem", "b.txt", "c.poem", "d.poem"]
        .map(|name| (name.to_owned(), [words(name.len() as u64, 20), shared.clone()].join(" ")));
    for text in &texts {
        writer.add(documents([text.clone()]), &registry(1), &Silent).expect("room");
    }
    writer.remove(["d.poem"]).expect("known");
    writer.close().expect("own folder");
    let index = Index::open(&folder).expect("an index");
    assert_eq!(index.n_outdated(&registry(1)), 0);
    let all = vec!["a.poem".to_owned(), "b.txt".to_owned(), "c.poem".to_owned()];
    assert_eq!(found(&index, &shared, &registry(1)), (all.clone(), 3, 0));
    let n = index.n_outdated(&registry(2));
    assert!(n >= 2, "{n}");
    assert_eq!(found(&index, &shared, &registry(2)).1, 3 - n);
    assert_eq!(found(&index, &shared, &registry(2)).2, n);
    let ids: Vec<u64> = index.documents().map(|record| record.expect("sound").id).collect();

    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    // Additions are refused until the outdated documents have been read again.
    let error = writer.add(documents([("e", words(9, 30))]), &registry(2), &Silent);
    assert!(error.expect_err("outdated").to_string().contains("index-upgrade"));
    assert_eq!(writer.upgrade(&registry(2), &Silent).expect("room"), n);
    assert_eq!(writer.upgrade(&registry(2), &Silent).expect("nothing is left"), 0);
    writer.add(documents([("e", words(9, 30))]), &registry(2), &Silent).expect("room");
    writer.close().expect("own folder");
    let index = Index::open(&folder).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!(found(&index, &shared, &registry(2)), (all, 4, 0));
    let later: Vec<u64> = index.documents().map(|record| record.expect("sound").id).collect();
    assert_eq!(later[..3], ids, "documents keep their numbers and their order");
    let stored = index.document("c.poem").expect("sound").expect("a document");
    assert_eq!(stored.documents[0].bytes, texts[2].1.as_bytes());
}

/// An index that was made before each word had one spelling is searched by its own words until it is read again.
#[test]
fn an_index_of_words_as_they_were_is_searched_by_them() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let (now, words) = (Registry::prose(), FrontEndVersion::new("words", 1));
    let before = now.as_of([&words]).expect("a version that this release has");
    let known = "größere Bäume über den Dächern, schöne Wälder hörten früher müde Vögel grüßen, später fällt dürres Geäst";
    let digraphs =
        known.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss");
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.add(documents([("a.txt", known.to_owned())]), &before, &Silent).expect("room");
    writer.close().expect("own folder");
    let search = |text: &str| {
        let index = Index::open(&folder).expect("an index");
        let text = documents([("query.txt", text.to_owned())]).remove(0);
        let answer = index.search(text, &now, &Search::default(), &Silent).expect("a sound index");
        (answer.sources.len(), answer.outdated)
    };
    assert_eq!((search(known), search(&digraphs)), ((1, 0), (0, 0)));
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    assert_eq!(writer.upgrade(&now, &Silent).expect("room"), 1);
    writer.close().expect("own folder");
    assert_eq!((search(known), search(&digraphs)), ((1, 0), (1, 0)));
}

/// Cancels after this many checks.
struct Patience(AtomicU64);

impl Progress for Patience {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err()
    }
}

/// Partial files of a cancelled addition do not get in the way of the next one by the same writer.
#[test]
fn a_cancelled_addition_leaves_nothing_behind() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.together = 1000;
    let known = || documents((0..9).map(|i| (format!("{i}.poem"), words(i, 100))));
    let add = |n: u64| writer.add(known(), &registry(1), &Patience(AtomicU64::new(n)));
    let n_cancelled = (0..).map(add).take_while(|added| match added {
        Ok(added) => {
            assert_eq!(added.added, 9);
            false
        }
        Err(error) => {
            assert!(error.is_cancelled(), "{error}");
            true
        }
    });
    let n_cancelled = n_cancelled.count();
    assert!(n_cancelled > 20, "{n_cancelled}");
    writer.index().verify(&Silent).expect("a sound index");
    writer.close().expect("own folder");
}

#[test]
fn an_interrupted_upgrade_goes_on_where_it_was() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    // Three segments are too few to be merged.
    for (i, n) in [300_u32, 200, 100].into_iter().enumerate() {
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        let text = words(i as u64, n as usize);
        let documents = documents([(format!("{i}.poem"), text)]);
        writer.add(documents, &registry(1), &Silent).expect("room");
        writer.close().expect("own folder");
    }
    let left = || Index::open(&folder).expect("an index").n_outdated(&registry(2));
    let (mut n_left, mut counts) = (left(), vec![left()]);
    for n in 0.. {
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        let done = writer.upgrade(&registry(2), &Patience(AtomicU64::new(n)));
        drop(writer);
        Index::open(&folder).expect("an index").verify(&Silent).expect("a sound index");
        let now = left();
        assert!(now <= n_left, "what was read again stays so");
        if now < n_left {
            counts.push(now);
        }
        n_left = now;
        if done.is_ok() {
            break;
        }
    }
    assert_eq!((counts.len() > 2, n_left), (true, 0), "{counts:?}");
}
