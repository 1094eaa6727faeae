//! Files that [`made`](super::made) writes are read; damaged ones are named, whatever is wrong with them.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::made::{Made, MadeCluster, MadeEntry, MadeLeads};
use super::*;
use crate::Fault;

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut packer = lzma_rust2::XzWriter::new(Vec::new(), options).expect("options");
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("memory")
}

const XZ: MadeCluster = MadeCluster { packing: 4, is_extended: false, pack: xz };
const ZSTANDARD: MadeCluster = MadeCluster { packing: 5, is_extended: false, pack: zstandard };

fn text<'a>(
    namespace: u8,
    path: &'a str,
    title: &'a str,
    kind: u16,
    text: &'a str,
) -> MadeEntry<'a> {
    MadeEntry { namespace, path, title, leads: MadeLeads::Text(kind, text.as_bytes()) }
}

fn redirect(path: &str, to: u32) -> MadeEntry<'_> {
    MadeEntry { namespace: b'C', path, title: "", leads: MadeLeads::Entry(to) }
}

/// Three articles, a picture, a redirect, and what a file says about itself.
fn usual(cluster: MadeCluster) -> Made<'static> {
    let entries = vec![
        text(b'C', "Barley", "", 0, "<p>Barley is a grain.</p>"),
        redirect("Hordeum", 0),
        text(b'C', "Rye", "Rye (grain)", 0, "<p>Rye is hardy.</p>"),
        text(b'C', "notes.txt", "", 1, "plain words"),
        text(b'C', "pic.png", "", 2, "no text"),
        text(b'M', "Date", "", 1, "2026-03-01"),
        text(b'M', "Language", "", 1, "eng"),
        text(b'M', "License", "", 1, "CC BY-SA 4.0"),
        text(b'M', "Name", "", 1, "wikipedia_en_grain"),
    ];
    Made { version: (6, 1), entries, cluster, texts_in_cluster: 2 }
}

/// The articles of a file, and everything that was not read.
#[derive(Debug, Default, PartialEq, Eq)]
struct ReadFile {
    articles: Vec<(String, String)>,
    faults: Vec<String>,
    skipped: Vec<String>,
}

fn read_within(bytes: Vec<u8>, limits: Limits) -> Result<(ReadFile, Articles), Fault> {
    let archive = Archive::open(Arc::new(bytes), limits)?;
    let mut articles = Articles::new(archive)?;
    let mut found = ReadFile::default();
    found.skipped.extend(articles.take_skipped().into_iter().map(|Skipped(reason)| reason));
    while let Some((_, article)) = articles.next_article()? {
        match article {
            Ok(Article { path, content, .. }) => {
                found.articles.push((path, String::from_utf8_lossy(&content).into_owned()));
            }
            Err(ArticleFault { reason }) => found.faults.push(reason),
        }
    }
    Ok((found, articles))
}

fn read(bytes: Vec<u8>) -> ReadFile {
    read_within(bytes, Limits::standard()).expect("a file").0
}

fn fault(bytes: Vec<u8>) -> String {
    read_within(bytes, Limits::standard()).map(|_| ()).expect_err("damaged").to_string()
}

fn paths(found: &ReadFile) -> Vec<&str> {
    found.articles.iter().map(|(path, _)| path.as_str()).collect()
}

#[test]
fn articles_come_with_their_facts_from_clusters_of_any_form() {
    for packed in [MadeCluster::PLAIN, XZ, ZSTANDARD] {
        for is_extended in [false, true] {
            let bytes = usual(MadeCluster { is_extended, ..packed }).bytes();
            let (found, articles) = read_within(bytes, Limits::standard()).expect("a file");
            let expected = [
                ("Barley", "<p>Barley is a grain.</p>"),
                ("Rye", "<p>Rye is hardy.</p>"),
                ("notes.txt", "plain words"),
            ];
            assert_eq!(
                found.articles,
                expected.map(|(path, text)| (path.to_owned(), text.to_owned()))
            );
            assert_eq!((found.faults.len(), found.skipped.len()), (0, 0), "{found:?}");
            let about = articles.about();
            let facts = about.facts("Rye", "Rye (grain)");
            assert_eq!(facts.get("url").as_deref(), Some("https://en.wikipedia.org/wiki/Rye"));
            assert_eq!(facts.get("title").as_deref(), Some("Rye (grain)"));
            assert_eq!(facts.get("licence").as_deref(), Some("CC BY-SA 4.0"));
            assert_eq!(facts.get("date").as_deref(), Some("2026-03-01"));
            assert_eq!(facts.get("language").as_deref(), Some("eng"));
            assert_eq!(facts.get("author"), None);
        }
    }
}

#[test]
fn titles_and_types_are_those_of_the_entries() {
    let archive =
        Archive::open(Arc::new(usual(ZSTANDARD).bytes()), Limits::standard()).expect("a file");
    assert_eq!(archive.has_right_checksum().expect("read"), Some(true));
    let mut articles = Articles::new(archive).expect("a directory");
    let mut found = Vec::new();
    while let Some((_, article)) = articles.next_article().expect("read") {
        let article = article.expect("sound");
        found.push((article.title, article.kind));
    }
    let expected =
        [("Barley", "text/html"), ("Rye (grain)", "text/html"), ("notes.txt", "text/plain")];
    assert_eq!(found, expected.map(|(title, kind)| (title.to_owned(), kind.to_owned())));
}

#[test]
fn old_files_have_articles_in_their_own_name_space() {
    for (version, expected) in [((5, 0), vec!["Old"]), ((6, 0), vec!["Old"]), ((6, 3), vec!["New"])]
    {
        let entries = vec![text(b'A', "Old", "", 0, "<p>old"), text(b'C', "New", "", 0, "<p>new")];
        let made = Made { version, entries, cluster: XZ, texts_in_cluster: 9 };
        assert_eq!(paths(&read(made.bytes())), expected, "{version:?}");
    }
    let entries = vec![text(b'A', "Old", "", 0, "<p>old")];
    let made = Made { version: (7, 0), entries, cluster: XZ, texts_in_cluster: 9 };
    assert!(fault(made.bytes()).contains("of version 7.0"));
}

#[test]
fn circles_of_redirects_and_shared_texts_are_named_and_read_once() {
    let place = |path| MadeEntry {
        namespace: b'C',
        path,
        title: "",
        leads: MadeLeads::ClusterSpan(0, 0, 0),
    };
    let entries = vec![
        text(b'C', "One", "", 0, "<p>one"),
        place("Same"),
        redirect("a", 3),
        redirect("b", 2),
        redirect("far", 99),
    ];
    let made = Made { version: (6, 1), entries, cluster: ZSTANDARD, texts_in_cluster: 9 };
    let found = read(made.bytes());
    assert_eq!(paths(&found), ["One"]);
    assert_eq!(
        found.skipped,
        [
            "`a` is a redirect that leads in a circle",
            "`b` is a redirect that leads in a circle",
            "`far` is a redirect that leads nowhere",
            "1 entries whose text is that of another entry",
        ]
    );
}

/// A cluster of a few kB that says it has a text of `n` bytes, and has it.
fn bomb(n: usize) -> Vec<u8> {
    MadeCluster { is_extended: true, ..ZSTANDARD }.bytes(&[&vec![b' '; n]])
}

#[test]
fn a_cluster_that_unpacks_to_too_much_is_named_and_the_others_are_read() {
    let entry = |path, cluster| MadeEntry {
        namespace: b'C',
        path,
        title: "",
        leads: MadeLeads::ClusterSpan(0, cluster, 0),
    };
    let entries = vec![entry("Bomb", 0), entry("Sound", 1)];
    let made = Made { version: (6, 1), entries, cluster: ZSTANDARD, texts_in_cluster: 1 };
    let clusters = [bomb(40 << 20), ZSTANDARD.bytes(&[b"<p>sound"])];
    let directory: Vec<Vec<u8>> = [("Bomb", 0_u32), ("Sound", 1)]
        .iter()
        .map(|(path, cluster)| {
            let numbers = [&cluster.to_le_bytes()[..], &[0; 4]].concat();
            [&[0, 0, 0, b'C', 0, 0, 0, 0][..], &numbers, path.as_bytes(), &[0, 0]].concat()
        })
        .collect();
    let (found, effort) = fanmill_effort::of(|| read(made.laid_out(&clusters, &directory)));
    assert_eq!(paths(&found), ["Sound"]);
    assert_eq!(
        found.faults,
        ["`Bomb`: its cluster 0 unpacks to more than 16777216 bytes: skipped"]
    );
    assert!(effort < Duration::from_secs(5), "{effort:?}");
}

/// A text of a few kB that is packed well takes the second try, which may unpack more.
#[test]
fn a_cluster_that_is_packed_well_is_read() {
    let words = "barley ".repeat(1 << 20);
    let entries = vec![text(b'C', "Long", "", 1, &words)];
    let made = Made { version: (6, 1), entries, cluster: ZSTANDARD, texts_in_cluster: 1 };
    assert_eq!(read(made.bytes()).articles, [("Long".to_owned(), words.clone())]);
    let limits = Limits { article_bytes: 1 << 20, ..Limits::standard() };
    let (found, _) = read_within(made.bytes(), limits).expect("a file");
    assert_eq!(
        found.faults,
        ["`Long`: it has 7340032 bytes, and the limit of an article is 1048576"]
    );
}

#[test]
fn a_wrong_checksum_is_seen() {
    let mut bytes = usual(MadeCluster::PLAIN).bytes();
    let at = bytes.len() - 1;
    bytes[at] ^= 1;
    let archive = Archive::open(Arc::new(bytes), Limits::standard()).expect("a file");
    assert_eq!(archive.has_right_checksum().expect("read"), Some(false));
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let bytes = usual(XZ).bytes();
    for n in 0..bytes.len() {
        let reason = fault(bytes[..n].to_vec());
        let expected = if n < 80 { "its header is at bytes 0" } else { "it is cut off" };
        assert!(reason.starts_with(expected), "{n}: {reason}");
    }
    assert!(fault([&bytes[..], b"x"].concat()).starts_with("1 bytes follow its checksum"));
}

/// Each bit of a byte that is wrong: nothing panics, and no more articles come than there are entries.
#[test]
fn any_wrong_byte_is_survived() {
    for cluster in [MadeCluster::PLAIN, XZ, ZSTANDARD] {
        let bytes = usual(cluster).bytes();
        for at in 0..bytes.len() {
            for mask in [0x01, 0x10, 0x80, 0xFF] {
                let mut wrong = bytes.clone();
                wrong[at] ^= mask;
                if let Ok((found, _)) = read_within(wrong, Limits::standard()) {
                    assert!(found.articles.len() + found.faults.len() <= 9, "{at} {mask}");
                }
            }
        }
    }
}

/// Counts and places far beyond the file take no memory.
#[test]
fn what_a_header_says_is_checked_before_memory_is_taken() {
    let bytes = usual(ZSTANDARD).bytes();
    for (at, n, what) in [
        (24, 4, "its list of paths"),
        (28, 4, "its list of clusters"),
        (32, 8, "its list of paths"),
        (40, 7, "its list of titles"),
        (48, 8, "its list of clusters"),
        (56, 8, "its list of types"),
        (72, 8, "it is cut off"),
    ] {
        let mut wrong = bytes.clone();
        wrong[at..at + n].fill(0xFF);
        let reason = fault(wrong);
        assert!(reason.starts_with(what), "{at}: {reason}");
    }
    let limits = Limits { entries: 3, ..Limits::standard() };
    let reason = read_within(bytes, limits).map(|_| ()).expect_err("too many").to_string();
    assert_eq!(reason, "it has 9 entries, and the limit is 3");
}

#[test]
fn clusters_that_share_a_place_are_read_once() {
    let mut bytes = usual(MadeCluster::PLAIN).bytes();
    let at = u64::from_le_bytes(bytes[48..56].try_into().expect("8 bytes")) as usize;
    let first: [u8; 8] = bytes[at..at + 8].try_into().expect("8 bytes");
    bytes[at + 8..at + 16].copy_from_slice(&first);
    let found = read(bytes);
    assert_eq!(found.faults.len() + found.articles.len(), 3);
    assert!(found.faults.iter().all(|reason| reason.contains("it has no bytes of its own")));
    assert!(!found.faults.is_empty(), "{found:?}");
}
