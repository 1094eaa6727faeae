//! Merged segments: removed documents are gone, and the rest is unchanged.

use super::*;

/// Long texts are copied in packed form when segments are merged, unless one of the segment's documents was removed.
#[test]
fn long_texts_are_merged_and_removed() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let (ada, bert) = (words(1, 170_000), words(2, 170_000));
    let known = [("ada", ada.clone()), ("bert", bert.clone()), ("carl", words(3, 40))];
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    writer.together = 1 << 20;
    writer.add(documents(known), &Registry::prose(), &Silent).expect("room");
    writer.index().verify(&Silent).expect("a sound index");
    let check = |names: &[(&str, &str)]| {
        let index = Index::open(&folder).expect("an index");
        let texts = index.submissions().map(|text| text.expect("a sound index"));
        let texts: Vec<(String, Vec<u8>)> =
            texts.map(|mut text| (text.name, text.documents.remove(0).bytes)).collect();
        let expected =
            names.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        assert!(texts == expected.collect::<Vec<_>>());
    };
    check(&[("ada", &ada), ("bert", &bert), ("carl", &words(3, 40))]);
    let n_bytes = |index: &Index| index.segments.iter().map(|own| own.entry.n_bytes()).sum::<u64>();
    let before = n_bytes(writer.index());
    writer.remove(["ada"]).expect("it is there");
    writer.merge(&Silent).expect("room");
    writer.index().verify(&Silent).expect("a sound index");
    assert!(n_bytes(writer.index()) < before * 6 / 10);
    check(&[("bert", &bert), ("carl", &words(3, 40))]);
    writer.close().expect("own folder");
}

/// A segment whose documents were all removed may be the first of the merged segments, or lie between them.
#[test]
fn a_segment_without_documents_is_merged_away() {
    for removed in ["ada", "bert"] {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().join("ix");
        let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
        let known =
            [("ada", words(1, 160_000)), ("bert", words(2, 160_000)), ("carl", words(3, 40))];
        for one in &known {
            writer.add(documents([one.clone()]), &Registry::prose(), &Silent).expect("room");
        }
        writer.remove([removed]).expect("it is there");
        writer.merge(&Silent).expect("room");
        writer.index().verify(&Silent).expect("a sound index");
        let texts = writer.index().submissions().map(|text| text.expect("a sound index"));
        let texts = texts.map(|mut text| (text.name, text.documents.remove(0).bytes));
        let left = known.iter().filter(|one| one.0 != removed);
        let left = left.map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        assert!(texts.eq(left), "{removed}");
        writer.close().expect("own folder");
    }
}

#[test]
fn merging_takes_removed_texts_off_the_disk() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("a", words(1, 400)), ("b", words(2, 40))]);
    let mut writer = Writer::open(&Disk::default(), &folder, None).expect("an index");
    assert_eq!(writer.remove(["a"]).expect("known"), 1);
    let error = writer.remove(["a"]).expect_err("it is gone");
    assert_eq!(error.to_string(), "the index has no document `a`; nothing was removed");
    assert_eq!(
        writer.index().stats().text_bytes,
        (words(1, 400).len() + words(2, 40).len()) as u64
    );
    writer.merge(&Silent).expect("room");
    assert_eq!(writer.index().stats().text_bytes, words(2, 40).len() as u64);
    writer.remove(["b"]).expect("known");
    writer.merge(&Silent).expect("room");
    writer.close().expect("own folder");
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    files.retain(|file| file.as_ref().is_ok_and(|file| file.file_name() != "CURRENT"));
    assert_eq!(files.len(), 1, "an empty index has a manifest alone: {files:?}");
    assert_eq!(Index::open(&folder).expect("an index").n_documents(), 0);
}
