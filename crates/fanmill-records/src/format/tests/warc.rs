//! Web archives.

use proptest::prelude::*;

use super::*;
use crate::record::{Mark, RunMark};

fn record(kind: &str, content: &str, headers: &str, block: &[u8]) -> Vec<u8> {
    let n = block.len();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: {content}\r\n{headers}Content-Length: {n}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn page(n: u32, http: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 200 OK\r\n{http}\r\n").as_bytes(), body].concat();
    let headers = format!("WARC-Target-URI: http://a/{n}\r\nWARC-Record-ID: <urn:{n}>\r\n");
    record("response", "application/http; msgtype=response", &headers, &block)
}

/// Returns an archive with a bit of everything, in pieces.
fn pieces() -> Vec<Vec<u8>> {
    let html = "Content-Type: text/html; charset=windows-1251\r\n";
    let (russian, _, _) = encoding_rs::WINDOWS_1251.encode("<title>при</title><p>вет");
    let chunked = "content-type: text/html\r\ntransfer-encoding: chunked\r\n";
    vec![
        record("warcinfo", "application/warc-fields", "", b"software: x\r\n"),
        page(1, html, &russian),
        record("request", "application/http", "", b"GET / HTTP/1.1\r\n\r\n"),
        page(2, chunked, b"4\r\n<p>a\r\n3\r\nbcd\r\n0\r\n\r\n"),
        page(3, "Content-Type: image/png\r\n", &[b'x'; 3000]),
        b"garbage\r\nmore of it\r\n".to_vec(),
        record("conversion", "text/plain", "WARC-Target-URI: http://a/4\r\n", b"text\nof a page"),
        record("resource", "text/html", "WARC-Target-URI: <http://a/5>\r\n", b"<p>five"),
    ]
}

const EXPECTED: [(&str, &str); 4] = [
    ("http://a/1", "при\n\nвет"),
    ("http://a/2", "abcd"),
    ("http://a/4", "text\nof a page"),
    ("http://a/5", "five"),
];

fn said(all: &Read) -> Vec<(&str, &str)> {
    all.iter().flatten().map(|r| (r.id.as_deref().expect("a name"), &*r.text)).collect()
}

#[test]
fn documents_are_read_and_all_else_stays() {
    let pieces = pieces();
    let file = pieces.concat();
    for packing in [Packing::Plain].into_iter().chain(Packing::ALL) {
        for (batch_bytes, record_bytes) in [(1, 1000), (300, 1000), (1 << 20, 1 << 20)] {
            let options = small(batch_bytes, record_bytes);
            let name = format!("a.warc{}", packing.extension());
            let (_folder, shard) = one(&name, &packed(packing, &file), &options);
            let all = read(&shard, &options).expect("readable");
            assert_eq!(said(&all), EXPECTED);
            let bad: Vec<_> = all.iter().filter_map(|r| r.as_ref().err()).collect();
            let before: usize = pieces[..5].iter().map(Vec::len).sum();
            assert_eq!((bad.len(), bad[0].number, bad[0].offset), (1, 2, Some(before as u64)));
            let without: Vec<u8> = [&pieces[..5], &pieces[6..]].concat().concat();
            assert_eq!(unpacked(&kept(&shard, &options)), without);
        }
    }
}

#[test]
fn responses_that_are_no_text_are_told_once_with_their_places() {
    let pdf =
        record("resource", "Application/PDF; x=y", "WARC-Target-URI: http://a/6\r\n", b"%PDF");
    let untyped = page(7, "", b"neither a tag nor a type");
    let mut pieces = pieces();
    pieces.extend([pdf, untyped]);
    let file = pieces.concat();
    for (batch_bytes, record_bytes) in [(1, 1000), (300, 1000), (1 << 20, 1 << 20)] {
        let options = small(batch_bytes, record_bytes);
        let (_folder, shard) = one("a.warc", &file, &options);
        let mut reader = shard.reader(&options, Columns::Needed).expect("a reader");
        let (mut batch, mut found) = (Batch::new(), Vec::new());
        while reader.next(&mut batch).expect("readable") {
            let (first, skipped) = batch.skipped();
            assert_eq!(first, found.len() as u64);
            found.extend(skipped.iter().cloned());
        }
        let at = |n: usize| pieces[..n].iter().map(Vec::len).sum::<usize>() as u64;
        let found: Vec<_> = found.iter().map(|one| (one.offset, &*one.reason)).collect();
        let expected = [
            (at(4), "a response of type image/png, not read as text"),
            (at(8), "a resource of type application/pdf, not read as text"),
            (at(9), "a response of no stated type, not read as text"),
        ];
        assert_eq!(found, expected, "{batch_bytes}");
        // The skipped records stay where they are.
        assert!(kept(&shard, &options).ends_with(&pieces[8..].concat()));
    }
}

/// A record has an HTTP head or it has not: every part of the reader gives the same answer.
#[test]
fn a_declared_response_has_a_head_whatever_it_begins_with() {
    let response =
        |content: &str, block: &[u8]| record("response", content, "WARC-Target-URI: u\r\n", block);
    let radio = b"ICY 200 OK\r\nContent-Type: text/plain\r\n\r\nbody words";
    let image = b"ICY 200 OK\r\nContent-Type: image/png\r\n\r\nbody words";
    let page = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>body words";
    let options = Options::standard();
    let http = "application/http; msgtype=response";
    for (content, block) in [(http, &radio[..]), (http, page), ("text/plain", page)] {
        let (_folder, shard) = one("a.warc", &response(content, block), &options);
        assert_eq!(said(&read(&shard, &options).expect("readable")), [("u", "body words")]);
    }
    let (_folder, shard) = one("a.warc", &response(http, image), &options);
    let mut reader = shard.reader(&options, Columns::Needed).expect("a reader");
    let mut batch = Batch::new();
    assert!(reader.next(&mut batch).expect("readable"));
    assert_eq!(batch.skipped().1[0].reason, "a response of type image/png, not read as text");
}

#[test]
fn each_record_is_a_member_of_its_own() {
    let file = pieces().concat();
    let options = Options::standard();
    let (_folder, shard) = one("a.warc.gz", &packed(Packing::Gzip, &file), &options);
    let written = kept(&shard, &options);
    let mut members = 0;
    let mut rest = &written[..];
    while !rest.is_empty() {
        let mut input = flate2::bufread::GzDecoder::new(rest);
        let mut member = Vec::new();
        std::io::Read::read_to_end(&mut input, &mut member).expect("whole");
        assert!(member.starts_with(b"WARC/1.0"));
        rest = input.into_inner();
        members += 1;
    }
    assert_eq!(members, 7);
}

#[test]
fn headers_are_names_and_further_fields() {
    let id = Some("warc-record-id".to_owned());
    let extra = vec!["WARC-Type".to_owned(), "None".to_owned()];
    let options = Options { id, extra, ..Options::standard() };
    let (_folder, shard) = one("a.warc", &page(1, "Content-Type: text/plain\r\n", b"x"), &options);
    let all = read(&shard, &options).expect("readable");
    let first = all[0].as_ref().expect("good");
    assert_eq!((first.id.as_deref(), first.extra[0].as_deref()), (Some("urn:1"), Some("response")));
    assert_eq!(first.extra[1], None);
}

#[test]
fn marks_are_headers_and_texts_are_for_extracted_ones() {
    let options = Options::standard();
    let (_folder, shard) = one("a.warc", &pieces().concat(), &options);
    let out = tempfile::tempdir().expect("a folder");
    let mark = Mark {
        cluster: 3,
        duplicate_of: Some("http://a\r\nb"),
        resemblance: Some(0.5),
        containment: Some(1.0),
    };
    let action = |number, _: &Record<'_>| match number {
        0 => RecordAction::Mark(Some(mark)),
        3 => RecordAction::Text("new é".into()),
        _ => RecordAction::Remove,
    };
    write(&shard, out.path(), &options, OutputForm::Marks, &action).expect("written");
    let bytes = fs::read(out.path().join("a.warc")).expect("a file");
    let written = String::from_utf8_lossy(&bytes);
    assert!(
        written.contains("Fanmill-Cluster: 3\r\nFanmill-Duplicate-Of: http://a  b\r\n"),
        "{written}"
    );
    let shard = shards(&[out.path().join("a.warc")], &options).expect("a shard").remove(0);
    let all = read(&shard, &options).expect("readable");
    assert_eq!(said(&all), [("http://a/1", "при\n\nвет"), ("http://a/4", "new é")]);
    // Marks of runs replace them.
    let runs = tempfile::tempdir().expect("a folder");
    let action = |_, _: &Record<'_>| {
        RecordAction::MarkRuns(Some(RunMark { runs: vec![0..1, 4..9], words_left: 3 }))
    };
    write(&shard, runs.path(), &options, OutputForm::RunMarks, &action).expect("written");
    let bytes = fs::read(runs.path().join("a.warc")).expect("a file");
    let written = String::from_utf8_lossy(&bytes);
    let marks = "Fanmill-Runs: [[0,1],[4,9]]\r\nFanmill-Words-Left: 3\r\n\r\n";
    assert!(written.contains(marks) && !written.contains("Fanmill-Cluster"), "{written}");
    // Marks of an earlier run are removed where this run sets none.
    let again = tempfile::tempdir().expect("a folder");
    write(&shard, again.path(), &options, OutputForm::Marks, &|_, _| RecordAction::Mark(None))
        .expect("written");
    let bytes = fs::read(again.path().join("a.warc")).expect("a file");
    assert!(!String::from_utf8_lossy(&bytes).contains("Fanmill-"));
    let refused = tempfile::tempdir().expect("a folder");
    let refused = write(&shard, refused.path(), &options, OutputForm::Records, &|_, _| {
        RecordAction::Text("x".into())
    });
    assert!(refused.expect_err("a page").to_string().contains("WET"));
}

#[test]
fn what_is_cut_off_is_bad_and_what_is_too_large_passes() {
    let html = "Content-Type: text/html\r\n";
    let long = page(1, html, &[b'x'; 5000]);
    let file = [&long[..], &page(2, html, b"two"), &page(3, html, b"three")].concat();
    for batch_bytes in [1, 1 << 20] {
        let options = small(batch_bytes, 2000);
        let (_folder, shard) = one("a.warc", &file[..file.len() - 6], &options);
        let all = read(&shard, &options).expect("readable");
        assert_eq!(said(&all), [("http://a/2", "two")]);
        let places: Vec<_> = all.iter().filter_map(|r| r.as_ref().err()?.offset).collect();
        assert_eq!(places, [(file.len() - page(3, html, b"three").len()) as u64]);
        assert_eq!(skipped(&shard, &options), [Skipped::too_long(0, 2000)]);
        assert!(kept(&shard, &options).starts_with(&long));
    }
}

/// Returns a record whose head says another length than it has.
fn misstated(kind: &str, content: &str, url: &str, length: u64, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: {content}\r\nWARC-Target-URI: {url}\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

#[test]
fn a_wrong_length_costs_its_record_and_no_other() {
    let text = b"several words of a text\n\nand more of them\r\n\r\nat the end";
    let good = |url: &str| misstated("conversion", "text/plain", url, text.len() as u64, text);
    let (before, after) = (good("before"), [good("after"), good("last")].concat());
    // Into the next record, past both, past what may be held, and to nowhere; and within its own text.
    let lengths = [0, 10, 25, 40, 60, 61, 90, 200, 300, 420, 700, 5000, 70_000, u64::MAX];
    for length in lengths {
        for (kind, content) in [("conversion", "text/plain"), ("resource", "image/png")] {
            let wrong = misstated(kind, content, "wrong", length, text);
            let file = [&before[..], &wrong, &after].concat();
            for batch_bytes in [1, 300, 1 << 20] {
                let options = small(batch_bytes, 3000);
                let (_folder, shard) = one("a.warc", &file, &options);
                let all = read(&shard, &options).expect("readable");
                let words = std::str::from_utf8(text).expect("letters");
                let expected = ["before", "after", "last"].map(|url| (url, words));
                assert_eq!(said(&all), expected, "{length} {kind} {batch_bytes}");
                let bad: Vec<_> = all.iter().filter_map(|r| r.as_ref().err()).collect();
                let place = (1, Some(before.len() as u64));
                assert_eq!(bad.iter().map(|b| (b.number, b.offset)).collect::<Vec<_>>(), [place]);
                let reason = bad[0].reason.to_string();
                assert!(reason.contains("length") || reason.starts_with("cut off"), "{reason}");
            }
        }
    }
}

/// The end of a packed archive is not known before it is reached.
#[test]
fn a_packed_archive_that_ends_in_a_record_is_told() {
    let wrong = misstated("resource", "image/png", "wrong", 70_000, &[b'x'; 5000]);
    let file = [page(1, "Content-Type: text/plain\r\n", b"one"), wrong].concat();
    for batch_bytes in [1, 300, 1 << 20] {
        let options = small(batch_bytes, 3000);
        let (_folder, shard) = one("a.warc.gz", &packed(Packing::Gzip, &file), &options);
        let all = read(&shard, &options).expect("readable");
        assert_eq!(said(&all), [("http://a/1", "one")]);
        let reason = all[1].as_ref().expect_err("cut off").reason.to_string();
        assert_eq!((all.len(), &*reason), (2, "cut off: the shard ends in it"));
        assert_eq!(unpacked(&kept(&shard, &options)), file);
    }
}

/// A page may be about web archives.
#[test]
fn what_looks_like_a_record_inside_of_one_is_part_of_it() {
    let text = b"A record begins so:\r\n\r\nWARC/1.0\r\nWARC-Type: resource\r\n\r\nand so on";
    let file = record("conversion", "text/plain", "WARC-Target-URI: u\r\n", text);
    let options = Options::standard();
    for packing in [Packing::Plain, Packing::Gzip] {
        let file = packed(packing, &[&file[..], &file].concat());
        let (_folder, shard) = one(&format!("a.warc{}", packing.extension()), &file, &options);
        let words = std::str::from_utf8(text).expect("letters");
        assert_eq!(said(&read(&shard, &options).expect("readable")), [("u", words); 2]);
    }
}

/// The layout of the files of extracted texts that Common Crawl publishes, written by us.
#[test]
fn extracted_texts_of_common_crawl_are_read_by_their_names() {
    let name = "CC-MAIN-20260112101354-20260112131354-00000.warc.wet.gz";
    let info = format!(
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-12T10:13:54Z\r\nWARC-Filename: {name}\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/warc-fields\r\nContent-Length: 21\r\n\r\n\
         isPartOf: CC-MAIN\r\n\r\n\r\n\r\n"
    );
    let conversion = |url: &str, text: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-12T10:13:54Z\r\n\
             WARC-Record-ID: <urn:uuid:2>\r\nWARC-Refers-To: <urn:uuid:3>\r\n\
             WARC-Block-Digest: sha1:AAAA\r\nWARC-Identified-Content-Language: deu,eng\r\n\
             Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
    };
    let pages = [("http://a/1", "Über uns\nKontakt\n"), ("http://a/2", "mehr Wörter\n\n")];
    let records = pages.map(|(url, text)| conversion(url, text));
    let records = std::iter::once(&info).chain(&records);
    let file: Vec<u8> = records.flat_map(|one| packed(Packing::Gzip, one.as_bytes())).collect();
    let options = Options::standard();
    let (_folder, shard) = one(name, &file, &options);
    assert_eq!(said(&read(&shard, &options).expect("readable")), pages);
    assert_eq!(unpacked(&kept(&shard, &options)), unpacked(&file));
}

proptest! {
    #[test]
    fn no_damage_makes_it_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..10), batch_bytes in 1_usize..500) {
        let mut bytes = pieces().concat();
        for (at, byte) in changes {
            let at = 5 + at.index(bytes.len() - 5);
            bytes[at] = byte;
        }
        let options = Options { format: Some(Format::WARC), ..small(batch_bytes, 700) };
        let (_folder, shard) = one("a.warc", &bytes, &options);
        let _ = read(&shard, &options).expect("readable");
        kept(&shard, &options);
    }
}
