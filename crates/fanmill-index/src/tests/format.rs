//! Files written by earlier releases, which every later release reads. `testdata/format/README.md` describes how they
//! were made.

use std::fs;
use std::path::PathBuf;

use fanmill::surroundings::Detail;

use super::*;
use crate::block::Form;
use crate::segment::Segment;

fn old(version: u32) -> PathBuf {
    let folder = format!("../../testdata/format/v{version}/index");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Copies the index of a version.
fn copied(version: u32, temporary: &Path) -> PathBuf {
    let copy = temporary.join("ix");
    fs::create_dir(&copy).expect("a folder");
    for entry in fs::read_dir(old(version)).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("room");
    }
    copy
}

/// Additions to an old index keep its version until an upgrade.
#[test]
fn an_index_of_version_1_promises_nothing_of_rare_runs_until_it_is_upgraded() {
    let temporary = tempfile::tempdir().expect("a folder");
    let copy = copied(1, temporary.path());
    let registry = Registry::prose();
    let mut writer = Writer::open(&Disk::default(), &copy, None).expect("an index");
    if writer.index().n_outdated(&registry) == 0 {
        writer.add(documents([("new", words(1, 40))]), &registry, &Silent).expect("room");
        assert_eq!((writer.index().n_documents(), writer.index().n_unpromised()), (4, 4));
        let query = documents([("query", words(1, 40))]).remove(0);
        let answer = writer.index().search(query, &registry, &Search::default(), &Silent);
        assert_eq!(answer.expect("a sound index").unpromised, 4);
    }
    let n = writer.index().n_documents();
    assert_eq!(writer.upgrade(&registry, &Silent).expect("room"), n);
    assert_eq!(writer.upgrade(&registry, &Silent).expect("nothing is left"), 0);
    writer.add(documents([("other", words(2, 40))]), &registry, &Silent).expect("room");
    writer.merge(&Silent).expect("room");
    writer.close().expect("own folder");
    let index = Index::open(&copy).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!((index.n_documents(), index.n_unpromised()), (n + 1, 0));
}

#[test]
fn an_index_of_each_version_is_read_and_added_to() {
    for version in [1, 2] {
        is_read_and_added_to(version);
    }
}

/// Version 3 has facts about publications. An index of version 2 becomes one of version 3 with the first of them, and
/// one of version 1 when it is upgraded.
#[test]
fn facts_about_publications_need_version_3() {
    let mut n_tried = 0;
    for (version, is_kept) in [(1, false), (2, true)] {
        let temporary = tempfile::tempdir().expect("a folder");
        let copy = copied(version, temporary.path());
        let registry = Registry::prose();
        let mut writer = Writer::open(&Disk::default(), &copy, None).expect("an index");
        if writer.index().n_outdated(&registry) > 0 {
            continue;
        }
        n_tried += 1;
        let written = || {
            let manifest =
                fs::read_dir(&copy).expect("a folder").map(|own| own.expect("an entry").path());
            let names = manifest.filter(|path| path.to_string_lossy().contains("MANIFEST-"));
            let texts = names.map(|path| fs::read_to_string(path).expect("a manifest"));
            texts.last().expect("one manifest")
        };
        let article = || {
            let mut all = documents([("article", words(1, 40))]);
            all[0].publication.url = Some("https://a.example/".to_owned());
            all
        };
        writer.add(documents([("plain", words(2, 40))]), &registry, &Silent).expect("room");
        assert!(written().contains(&format!(r#""version":{version},"#)));
        writer.add(article(), &registry, &Silent).expect("room");
        let record = writer.index().record("article").expect("sound").expect("known");
        assert_eq!(record.publication.url.is_some(), is_kept, "version {version}");
        let now = if is_kept { 3 } else { version };
        assert!(written().contains(&format!(r#""version":{now},"#)));
        assert_eq!(writer.add(article(), &registry, &Silent).expect("room").unchanged, 1);
        writer.upgrade(&registry, &Silent).expect("room");
        writer.add(article(), &registry, &Silent).expect("room");
        let record = writer.index().record("article").expect("sound").expect("known");
        assert!(record.publication.url.is_some());
        writer.close().expect("own folder");
        Index::open(&copy).expect("an index").verify(&Silent).expect("a sound index");
    }
    assert!(n_tried > 0, "an index of an earlier version that is not outdated is needed");
}

fn is_read_and_added_to(version: u32) {
    let index = Index::open(&old(version)).expect("an index");
    index.verify(&Silent).expect("a sound index");
    let names: Vec<String> = index.documents().map(|record| record.expect("sound").name).collect();
    assert_eq!(names, ["essays/kettle.txt", "essays/mouse.txt", "more/kettle.txt"]);
    let stats = index.stats();
    assert_eq!((stats.generation, stats.segments, stats.removed), (3, 2, 1));
    let text = index.document("essays/mouse.txt").expect("sound").expect("a document").documents;
    let text = std::str::from_utf8(&text[0].bytes).expect("UTF-8");
    assert!(text.starts_with("The early bird"), "{text}");
    assert_eq!(index.n_unpromised() == 0, version > 1, "version 1 knows nothing of rare runs");
    // A later release may read words in another way, and then reports it.
    if index.n_outdated(&Registry::prose()) == 0 {
        assert_eq!(super::names(&search(&index, text)), ["essays/mouse.txt"]);
    }

    let temporary = tempfile::tempdir().expect("a folder");
    let copy = copied(version, temporary.path());
    let mut writer = Writer::open(&Disk::default(), &copy, None).expect("an index");
    writer.remove(["essays/mouse.txt"]).expect("known");
    writer.merge(&Silent).expect("room");
    writer.close().expect("own folder");
    let index = Index::open(&copy).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!(index.n_documents(), 2);
}

#[test]
fn facts_about_publications_of_version_3_are_read() {
    let index = Index::open(&old(3)).expect("an index");
    index.verify(&Silent).expect("a sound index");
    let record = |name: &str| index.record(name).expect("sound").expect("known");
    let (stated, bare) = (record("essays.jsonl/kettle"), record("essays.jsonl/mouse"));
    let facts: Vec<Option<&str>> = stated.publication.facts().into_iter().collect();
    let expected = ["The kettle", "https://essays.example/kettle", "CC BY-SA 4.0", "en"];
    assert_eq!(facts, expected.map(Some));
    assert_eq!(
        (stated.author.as_deref(), stated.submitted.as_deref()),
        (Some("A. Teller"), Some("2026-03-01"))
    );
    assert!(bare.publication.is_empty() && bare.author.is_none());
}

/// Version 4 has more bits of the nearest tokens. An index of an earlier version keeps its own until an upgrade.
#[test]
fn surroundings_of_earlier_versions_serve_until_an_upgrade() {
    for version in [2, 3] {
        let temporary = tempfile::tempdir().expect("a folder");
        let copy = copied(version, temporary.path());
        let registry = Registry::prose();
        let mut writer = Writer::open(&Disk::default(), &copy, None).expect("an index");
        let details = |index: &Index| {
            let all = index.segments.iter().map(Segment::surroundings);
            all.collect::<Vec<_>>()
        };
        if writer.index().n_outdated(&registry) == 0 {
            writer.add(documents([("new", words(1, 40))]), &registry, &Silent).expect("room");
            let all = details(writer.index());
            assert!(all.iter().all(|&own| own == Some(Detail::Far)), "{all:?}");
            assert_eq!(writer.index().n_unpromised(), 0);
            let query = documents([("query", words(1, 40))]).remove(0);
            let found = search(
                writer.index(),
                std::str::from_utf8(&query.documents[0].bytes).expect("UTF-8"),
            );
            assert_eq!(super::names(&found), ["new"]);
        }
        let n = writer.index().n_documents();
        assert_eq!(writer.upgrade(&registry, &Silent).expect("room"), n);
        assert_eq!(writer.upgrade(&registry, &Silent).expect("nothing is left"), 0);
        let all = details(writer.index());
        assert!(all.iter().all(|&own| own == Some(Detail::Near)), "{all:?}");
        assert_eq!(writer.index().n_unpromised(), 0);
        writer.close().expect("own folder");
    }
}

#[test]
fn surroundings_of_version_4_are_read() {
    let index = Index::open(&old(4)).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!(index.segments[0].surroundings(), Some(Detail::Near));
    assert_eq!((index.n_documents(), index.n_unpromised()), (2, 0));
    if index.n_outdated(&Registry::prose()) == 0 {
        let run = "It was said that the crew lay sand upon the deck before the first bicycles are rolled on";
        assert_eq!(super::names(&search(&index, run)), ["essays.jsonl/ferry"]);
    }
}

/// Version 5 has packed blocks. An index of an earlier version keeps its own, also for what is added and merged, so that
/// the release that made it reads it, until an upgrade.
#[test]
fn blocks_of_earlier_versions_stay_plain_until_an_upgrade() {
    for version in [2, 3, 4] {
        let temporary = tempfile::tempdir().expect("a folder");
        let copy = copied(version, temporary.path());
        let registry = Registry::prose();
        let mut writer = Writer::open(&Disk::default(), &copy, None).expect("an index");
        let forms = |index: &Index| {
            let all = index.segments.iter().map(Segment::form);
            all.collect::<Vec<_>>()
        };
        if writer.index().n_outdated(&registry) == 0 {
            writer.add(documents([("new", words(1, 40))]), &registry, &Silent).expect("room");
            writer.merge(&Silent).expect("room");
            assert_eq!(forms(writer.index()), [Form::Plain]);
        }
        let n = writer.index().n_documents();
        assert_eq!(writer.upgrade(&registry, &Silent).expect("room"), n);
        assert!(forms(writer.index()).iter().all(|&form| form == Form::Packed));
        writer.add(documents([("more", words(2, 40))]), &registry, &Silent).expect("room");
        writer.merge(&Silent).expect("room");
        assert_eq!(forms(writer.index()), [Form::Packed]);
        writer.index().verify(&Silent).expect("a sound index");
        assert_eq!(super::names(&search(writer.index(), &words(2, 40))), ["more"]);
        writer.close().expect("own folder");
    }
}

#[test]
fn packed_blocks_of_version_5_are_read() {
    let index = Index::open(&old(5)).expect("an index");
    index.verify(&Silent).expect("a sound index");
    assert_eq!(index.segments[0].form(), Form::Packed);
    assert_eq!((index.n_documents(), index.n_unpromised()), (2, 0));
    if index.n_outdated(&Registry::prose()) == 0 {
        let run = "they kept the lantern in the window of the boat house until the last of the boats was in";
        assert_eq!(super::names(&search(&index, run)), ["essays.jsonl/lantern"]);
    }
}
