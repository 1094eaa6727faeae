//! Indexes whose values are made under a key.

use std::fs;
use std::path::Path;

use fanmill_disk::replace::Disk;
use fanmill_sift::key::Key;
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use super::{documents, words};
use crate::{Index, Search, Writer};

fn key(number: u8) -> Key {
    Key::new(std::array::from_fn(|i| number.wrapping_mul(31).wrapping_add(i as u8)))
        .expect("random")
}

fn add(
    folder: &Path,
    key: Option<Key>,
    texts: &[(&str, String)],
) -> fanmill_text::Result<crate::Added> {
    let mut writer = Writer::open(&Disk::default(), folder, None)?;
    key.map_or(Ok(()), |key| writer.unlock(key))?;
    let documents = documents(texts.iter().map(|(name, text)| (*name, text.clone())));
    let added = writer.add(documents, &Registry::prose(), &Silent)?;
    writer.close()?;
    Ok(added)
}

/// Returns the names of the documents that share fingerprints with a text, and the number of shared tokens.
fn found(index: &Index, text: &str) -> fanmill_text::Result<Vec<(String, u64)>> {
    let text = documents([("query", text.to_owned())]).remove(0);
    let answer = index.search(text, &Registry::prose(), &Search::default(), &Silent)?;
    let all = answer.by_fingerprint.into_iter().map(|one| (one.record.name, one.tokens));
    Ok(all.collect())
}

#[test]
fn it_finds_what_an_index_without_texts_finds_and_nothing_without_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let (keyed, plain) = (folder.path().join("keyed"), folder.path().join("plain"));
    let texts = [("a", words(1, 200)), ("b", words(2, 200)), ("c", words(3, 200))];
    let query = format!("{} {}", &texts[0].1[..500], &texts[2].1[700..1300]);
    add(&keyed, Some(key(1)), &texts).expect("added");
    let mut writer =
        Writer::open_to_keep(&Disk::default(), &plain, None, Some(crate::Keep::Fingerprints))
            .expect("an index");
    let all = documents(texts.iter().cloned());
    writer.add(all, &Registry::prose(), &Silent).expect("added");
    writer.close().expect("own folder");

    let expected = found(&Index::open(&plain).expect("it"), &query).expect("an answer");
    assert_eq!(expected.len(), 2);
    let mut index = Index::open(&keyed).expect("it");
    let error = found(&index, &query).expect_err("locked").to_string();
    assert!(error.contains("was begun with key"), "{error}");
    let error = index.unlock(&key(2)).expect_err("another key").to_string();
    assert!(
        error.contains(&key(1).id().to_string()) && error.contains(&key(2).id().to_string()),
        "{error}"
    );
    assert!(found(&index, &query).is_err());
    index.unlock(&key(1)).expect("its key");
    assert_eq!(found(&index, &query).expect("an answer"), expected);
    assert!(Index::open(&plain).expect("it").unlock(&key(1)).is_err());
}

#[test]
fn it_is_added_to_with_its_key_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ix");
    let first = [("a", words(1, 100))];
    add(&path, Some(key(1)), &first).expect("added");
    for wrong in [None, Some(key(2))] {
        assert!(add(&path, wrong, &[("b", words(2, 100))]).is_err());
    }
    // The same document is recognised when it is added again, and so is another one of the same name.
    let added = add(&path, Some(key(1)), &first).expect("added");
    assert_eq!((added.added, added.unchanged), (0, 1));
    let added = add(&path, Some(key(1)), &[("a", words(3, 100))]).expect("added");
    assert_eq!(added.replaced, 1);
    // Removing and merging do not need the key, and do not change values.
    let mut writer = Writer::open(&Disk::default(), &path, None).expect("an index");
    writer.merge(&Silent).expect("merged");
    writer.close().expect("own folder");
    let mut index = Index::open(&path).expect("it");
    index.unlock(&key(1)).expect("its key");
    index.verify(&Silent).expect("whole");
    assert_eq!(found(&index, &words(3, 100)).expect("an answer").len(), 1);
    assert_eq!(found(&index, &words(1, 100)).expect("an answer"), []);

    let plain = folder.path().join("plain");
    add(&plain, None, &first).expect("added");
    assert!(add(&plain, Some(key(1)), &first).is_err(), "begun without a key");
}

#[test]
fn nothing_that_can_be_tested_without_the_key_is_on_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = words(1, 300);
    let stored = |name: &str, key: Option<Key>| {
        let path = folder.path().join(name);
        add(&path, key, &[("a", text.clone())]).expect("added");
        let index = Index::open(&path).expect("it");
        let content = index.record("a").expect("whole").expect("it").content;
        let bytes = fs::read(path.join("seg-1.fps")).expect("a segment");
        assert!(bytes.windows(16).any(|window| window == content));
        (bytes, content)
    };
    let (plain, content) = stored("plain", None);
    let [one, other] = [1, 2].map(|number| stored(&number.to_string(), Some(key(number))));
    // Of a hash, 48 bits are stored; those of the first one of a block are whole bytes.
    let mut hashes: Vec<u64> = fanmill::pipeline::fingerprinted(
        &documents([("a", text.clone())]).remove(0),
        &Registry::prose(),
        Index::open(&folder.path().join("plain")).expect("it").config(),
    )
    .expect("prose")
    .fingerprints
    .iter()
    .map(|own| own.hash)
    .collect();
    hashes.sort_unstable();
    let has = |bytes: &[u8], hash: u64| {
        let stored = &hash.to_le_bytes()[2..];
        bytes.windows(stored.len()).any(|window| window == stored)
    };
    assert!(has(&plain, hashes[0]));
    for (bytes, own) in [&one, &other] {
        assert!(hashes.iter().all(|&hash| !has(bytes, hash)));
        assert!(!bytes.windows(16).any(|window| window == content));
        assert_ne!(*own, content);
    }
    assert_ne!(one.1, other.1);
}
