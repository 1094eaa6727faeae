//! Inputs made to crash, hang, escape or hide. Each must leave its neighbours whole.

use std::io::Write;

use super::build::{gz, header, noise, tar, zip, zip_with, zst};
use super::*;
use ::tar::EntryType;
use proptest::prelude::*;
use zip::CompressionMethod;

/// Reads `bytes` as `name` beside an honest neighbour, which must come through.
#[track_caller]
fn beside_a_neighbour(name: &str, bytes: &[u8], limits: Limits) -> Corpus {
    let place = Place::new();
    place.write(&format!("c/{name}"), bytes);
    place.write("c/zz.py", "neighbour");
    let corpus = read_limited(place.path().join("c"), limits);
    let neighbour = corpus.submissions.last().expect("two submissions");
    assert_eq!(neighbour.documents.len(), 1, "{:?}", corpus.notices);
    corpus
}

#[test]
fn entries_cannot_climb_and_duplicates_are_kept() {
    let names = [
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\a.c",
        "a/./b/../c.py",
        "a/c.py",
        "dup.py",
        "dup.py",
        "n\new\t.py",
        "<script>\"'&.py",
        "\u{1b}[31m.py",
    ];
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"text"[..])).collect();
    let expected = [
        "\u{1b}[31m.py",
        "<script>\"'&.py",
        "Windows/a.c",
        "a/c (2).py",
        "a/c.py",
        "dup (2).py",
        "dup.py",
        "etc/passwd",
        "etc/passwd (2)",
        "n\new\t.py",
    ];
    let corpus = beside_a_neighbour("a.tar", &tar(&entries), Limits::standard());
    let paths: Vec<&str> =
        corpus.submissions[0].documents.iter().map(|d| d.path.as_str()).collect();
    assert_eq!(paths, expected);
    assert_eq!(corpus.notices, []);
    // The zip writer refuses duplicates, so the second entry is renamed in the finished bytes.
    let mut bytes = zip(&[("dup.py", b"1"), ("dvp.py", b"2"), ("../x.py", b"3")]);
    patch(&mut bytes, b"dvp.py", b"dup.py");
    let corpus = beside_a_neighbour("a.zip", &bytes, Limits::standard());
    assert_eq!(outline(&corpus)[0], "a.zip: dup (2).py, dup.py, x.py");
}

fn patch(bytes: &mut [u8], old: &[u8], new: &[u8]) {
    for at in 0..=bytes.len() - old.len() {
        if bytes[at..].starts_with(old) {
            bytes[at..at + old.len()].copy_from_slice(new);
        }
    }
}

#[test]
fn one_bomb_in_a_zip_stops_alone() {
    let bomb = vec![b' '; 20 << 20];
    let bytes = zip(&[("a.py", b"before"), ("bomb.txt", &bomb), ("c.py", b"after")]);
    let corpus = beside_a_neighbour("a.zip", &bytes, Limits::standard());
    assert_eq!(outline(&corpus)[0], "a.zip: a.py, c.py");
    let reason = &notice(&corpus, "a.zip", "bomb.txt").reason;
    assert!(
        reason.contains("over the limit of 200 to 1 above 10 MiB; raise the setting `max-ratio`"),
        "{reason}"
    );
}

#[test]
fn a_bomb_in_a_stream_keeps_what_came_before() {
    let bomb = vec![b' '; 30 << 20];
    let inner = tar(&[("a.py", b"before"), ("bomb.txt", &bomb), ("c.py", b"after")]);
    for (name, bytes) in [("a.tgz", gz(&inner)), ("a.tar.zst", zst(&inner))] {
        let corpus = beside_a_neighbour(name, &bytes, Limits::standard());
        assert_eq!(outline(&corpus)[0], format!("{name}: a.py"));
        assert_notice(&corpus, name, name, Outcome::Skipped, "raise the setting `max-ratio`");
        assert_notice(&corpus, name, "bomb.txt", Outcome::Skipped, "raise the setting `max-ratio`");
    }
    for (name, bytes) in [("b.txt.gz", gz(&bomb)), ("b.txt.zst", zst(&bomb))] {
        let corpus = beside_a_neighbour(name, &bytes, Limits::standard());
        assert_eq!(outline(&corpus)[0], format!("{name}: "));
    }
}

#[test]
fn bombs_in_bombs_count_together() {
    // 16 zips of 16 zips of 1 MiB of blanks: each entry is within the ratio's floor.
    let leaf = zip(&[("x.txt", &vec![b' '; 1 << 20])]);
    let spread = |inner: &[u8]| {
        let names: Vec<String> = (0..16).map(|i| format!("{i}.zip")).collect();
        let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), inner)).collect();
        zip(&entries)
    };
    let corpus = beside_a_neighbour("42.zip", &spread(&spread(&leaf)), Limits::standard());
    let bytes: usize = corpus.submissions[0].documents.iter().map(|d| d.bytes.len()).sum();
    assert!(bytes <= 52 << 20, "{bytes}");
    assert_notice(&corpus, "42.zip", "42.zip", Outcome::Skipped, "left out");
}

#[test]
fn nesting_stops_at_the_limit() {
    let mut bytes = zip(&[("deep.py", b"x")]);
    for _ in 0..9 {
        bytes = zip(&[("n.zip", &bytes), ("a.py", b"x")]);
    }
    let corpus = beside_a_neighbour("0.zip", &bytes, Limits::standard());
    assert_eq!(corpus.submissions[0].documents.len(), 8);
    let lost = corpus
        .notices
        .iter()
        .find(|notice| notice.reason.contains("raise the setting `max-depth`"));
    assert!(lost.is_some_and(|notice| notice.path.matches("n.zip").count() == 8));
    let none = beside_a_neighbour("0.zip", &bytes, Limits { depth: 0, ..Limits::standard() });
    assert_notice(&none, "0.zip", "0.zip", Outcome::Skipped, "limit of 0 levels");
    let much = Limits { depth: u32::MAX, ..Limits::standard() };
    assert_eq!(beside_a_neighbour("0.zip", &bytes, much).submissions[0].documents.len(), 10);
}

#[test]
fn a_thousand_levels_of_gzip_end() {
    let bytes = (0..1000).fold(b"core".to_vec(), |bytes, _| gz(&bytes));
    let limits = Limits { depth: u32::MAX, ..Limits::standard() };
    let corpus = beside_a_neighbour("x.gz", &bytes, limits);
    assert!(corpus.notices[0].reason.contains("limit of 64 levels"), "{:?}", corpus.notices);
}

#[test]
fn overlapping_entries_are_read_once() {
    // Every entry of the table points at the first entry's bytes.
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for i in 0..50 {
        writer.start_file(format!("{i:02}.txt"), options).expect("an entry");
        writer.write_all(&noise(if i == 0 { 5000 } else { 10 }, 7)).expect("bytes");
    }
    let mut bytes = writer.finish().expect("a zip").into_inner();
    let heads: Vec<usize> =
        (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
    let first: Vec<u8> = bytes[heads[0]..heads[0] + 46].to_vec();
    for &head in &heads[1..] {
        bytes[head + 16..head + 28].copy_from_slice(&first[16..28]);
        bytes[head + 42..head + 46].copy_from_slice(&first[42..46]);
    }
    let corpus = beside_a_neighbour("o.zip", &bytes, Limits::standard());
    assert!(corpus.submissions[0].documents.len() <= 2);
    assert_notice(&corpus, "o.zip", "49.txt", Outcome::Failed, "overlaps another entry");
}

#[test]
fn declared_sizes_are_not_believed() {
    // In a tar: an entry of a bit less than 8 GiB, with one byte behind it.
    let mut bytes = tar(&[("a.py", b"before")]);
    bytes.truncate(1024);
    bytes.extend(header(b"huge.py", EntryType::Regular, 0o77_777_777_777).as_bytes());
    bytes.extend(b"x");
    for (name, bytes) in [("h.tar", bytes.clone()), ("h.tgz", gz(&bytes))] {
        let corpus = beside_a_neighbour(name, &bytes, Limits::standard());
        assert_eq!(outline(&corpus)[0], format!("{name}: a.py"));
        assert_notice(&corpus, name, "huge.py", Outcome::Failed, "cut off");
        assert_notice(&corpus, name, name, Outcome::Failed, "EOF");
    }
    // In a zip: the table says 4 GiB.
    let mut bytes = zip(&[("a.py", b"before"), ("b.py", b"after")]);
    let head =
        (0..bytes.len()).find(|&at| bytes[at..].starts_with(b"PK\x01\x02")).expect("a table");
    bytes[head + 20..head + 28].copy_from_slice(&[0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff]);
    let corpus = beside_a_neighbour("h.zip", &bytes, Limits::standard());
    assert_eq!(outline(&corpus)[0], "h.zip: b.py");
    assert_notice(&corpus, "h.zip", "a.py", Outcome::Failed, "reaches past the end");
}

#[test]
fn a_zstd_window_of_gigabytes_is_refused() {
    // Magic, a frame header that declares a window of 2^41 bytes, and an empty last block.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0x00, 0x00];
    let corpus = beside_a_neighbour("w.zst", &frame, Limits::standard());
    assert_eq!(corpus.notices[0].outcome, Outcome::Failed);
}

#[test]
fn special_entries_of_a_tar_are_named() {
    let mut archive = ::tar::Builder::new(Vec::new());
    let kinds = [
        ("link", EntryType::Symlink, "symbolic link"),
        ("hard", EntryType::Link, "hard link"),
        ("tty", EntryType::Char, "a device"),
        ("disk", EntryType::Block, "a device"),
        ("pipe", EntryType::Fifo, "a pipe"),
        ("odd", EntryType::new(b'Z'), "special entry"),
    ];
    for (name, kind, _) in kinds {
        let mut header = header(name.as_bytes(), kind, 0);
        header.set_link_name("/etc/passwd").expect("a target");
        header.set_cksum();
        archive.append(&header, &b""[..]).expect("an entry");
    }
    archive.append(&header(b"a.py", EntryType::Regular, 1), &b"x"[..]).expect("an entry");
    let bytes = archive.into_inner().expect("a tar");
    let corpus = beside_a_neighbour("s.tar", &bytes, Limits::standard());
    assert_eq!(outline(&corpus)[0], "s.tar: a.py");
    for (name, _, words) in kinds {
        assert_notice(&corpus, "s.tar", name, Outcome::Skipped, words);
    }
}

#[test]
fn a_link_in_a_zip_is_named() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.add_symlink("link", "/etc/passwd", options).expect("a link");
    writer.start_file("a.py", options).expect("an entry");
    writer.write_all(b"x").expect("bytes");
    let bytes = writer.finish().expect("a zip").into_inner();
    let corpus = beside_a_neighbour("l.zip", &bytes, Limits::standard());
    assert_eq!(outline(&corpus)[0], "l.zip: a.py");
    assert_notice(&corpus, "l.zip", "link", Outcome::Skipped, "symbolic link");
}

#[test]
fn encrypted_broken_and_exotic_entries_fail_alone() {
    let entries: [(&str, &[u8]); 4] = [
        ("crypt.py", b"text a"),
        ("exotic.py", b"text b"),
        ("crc.py", b"text c"),
        ("ok.py", b"text d"),
    ];
    let mut bytes = zip_with(&entries, CompressionMethod::Stored);
    let table: Vec<usize> =
        (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
    bytes[table[0] + 8] |= 1;
    bytes[table[1] + 10] = 98;
    bytes[table[2] + 16] ^= 1;
    let corpus = beside_a_neighbour("e.zip", &bytes, Limits::standard());
    assert_eq!(outline(&corpus)[0], "e.zip: ok.py");
    assert_notice(&corpus, "e.zip", "crypt.py", Outcome::Failed, "encrypted");
    assert_notice(&corpus, "e.zip", "exotic.py", Outcome::Failed, "98; repack it");
    assert_notice(&corpus, "e.zip", "crc.py", Outcome::Failed, "checksum");
}

#[test]
fn a_cut_archive_keeps_what_is_whole_and_says_so() {
    let texts: Vec<Vec<u8>> = (0..10).map(|i| noise(600, i + 1)).collect();
    let names: Vec<String> = (0..10).map(|i| format!("{i}.py")).collect();
    let entries: Vec<(&str, &[u8])> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let archives = [
        ("a.zip", zip(&entries)),
        ("a.tar", tar(&entries)),
        ("a.tgz", gz(&tar(&entries))),
        ("a.tzst", zst(&tar(&entries))),
    ];
    for (name, bytes) in archives {
        let mut kept = Vec::new();
        for tenth in 0..10 {
            let cut = &bytes[..bytes.len() * tenth / 10];
            let corpus = beside_a_neighbour(name, cut, Limits::standard());
            let documents = &corpus.submissions[0].documents;
            for (document, text) in documents.iter().zip(&texts) {
                assert_eq!(&document.bytes, text, "{name} {tenth}");
            }
            // A cut may fall into a tar's end mark, 1 KiB of zeros, after all documents.
            let whole = documents.len() == 10;
            assert!(whole || !corpus.notices.is_empty(), "{name} cut at {tenth}/10 says nothing");
            kept.push(documents.len());
        }
        assert!(kept.is_sorted(), "{name}: {kept:?}");
        assert!(kept[9] >= 5 || name == "a.tzst", "{name}: {kept:?}");
    }
}

#[test]
fn twenty_thousand_entries_are_read_and_the_limit_counts_them() {
    let names: Vec<String> = (0..20_000).map(|i| format!("{i:05}.py")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let corpus = beside_a_neighbour("a.zip", &zip(&entries), Limits::standard());
    assert_eq!(corpus.submissions[0].documents.len(), 20_000);
    let limits = Limits { entries: 1000, ..Limits::standard() };
    for (name, bytes) in [("a.zip", zip(&entries)), ("a.tgz", gz(&tar(&entries)))] {
        let corpus = beside_a_neighbour(name, &bytes, limits.clone());
        assert_eq!(corpus.submissions[0].documents.len(), 499);
        assert_notice(&corpus, name, name, Outcome::Skipped, "raise the setting `max-entries`");
        assert!(corpus.notices.len() < 10);
    }
    let place = Place::new();
    let corpus = read_limited(place.write("top.zip", zip(&entries)), limits);
    assert_eq!(corpus.submissions.iter().filter(|s| !s.documents.is_empty()).count(), 1000);
    assert_notice(&corpus, "", "top.zip", Outcome::Skipped, "18999 entries left out");
}

#[test]
fn ten_thousand_entries_of_one_name_take_no_time() {
    let entries: Vec<(&str, &[u8])> = (0..10_000).map(|_| ("same.py", &b"x"[..])).collect();
    let corpus = beside_a_neighbour("a.tar", &tar(&entries), Limits::standard());
    assert_eq!(corpus.submissions[0].documents.len(), 10_000);
}

#[test]
fn garbage_with_an_archives_name_or_magic_is_told_apart() {
    let cases: [(&str, &[u8], Outcome); 6] = [
        ("a.zip", b"PK\x03\x04", Outcome::Failed),
        ("b.tgz", b"\x1f\x8b", Outcome::Failed),
        ("c.zst", b"\x28\xb5\x2f\xfd", Outcome::Failed),
        ("d.tar", &[0xff; 2000], Outcome::Skipped),
        ("e.zip", &[1; 100], Outcome::Skipped),
        ("f.7z", b"7z\xbc\xaf\x27\x1c\0", Outcome::Skipped),
    ];
    for (name, bytes, outcome) in cases {
        let corpus = beside_a_neighbour(name, bytes, Limits::standard());
        if name != "d.tar" {
            assert_eq!(corpus.notices[0].outcome, outcome, "{name}: {:?}", corpus.notices);
        }
    }
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let text = noise(700, 3);
    let inner = zip(&[("in.py", &text)]);
    let entries: [(&str, &[u8]); 4] =
        [("a/A.java", &text), ("b.zip", &inner), ("c.gz", &gz(&text)), ("d/e.py", b"print(1)")];
    vec![
        ("m.zip", zip(&entries)),
        ("m.stored.zip", zip_with(&entries, CompressionMethod::Stored)),
        ("m.zst.zip", zip_with(&entries, CompressionMethod::Zstd)),
        ("m.bz2.zip", zip_with(&entries, CompressionMethod::Bzip2)),
        ("m.tar", tar(&entries)),
        ("m.tgz", gz(&tar(&entries))),
        ("m.tar.zst", zst(&tar(&entries))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(400)))]

    #[test]
    fn no_damage_panics_or_loses_a_neighbour(
        which in 0..7_usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (name, mut bytes) = samples().swap_remove(which);
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let limits = Limits { total_bytes: 32 << 20, ..Limits::standard() };
        beside_a_neighbour(name, &bytes, limits.clone());
        let place = Place::new();
        read_limited(place.write(name, &bytes), limits);
    }

    #[test]
    fn every_entry_is_a_document_or_has_a_notice(
        entries in prop::collection::vec(("[ab./]{1,4}", prop::sample::select(vec![
            &b"text"[..], b"", b"\x7fELF\0\0\0", b"\0\0\0\0", b"PK\x03\x04", b"\x1f\x8b\x08", b"more text",
        ])), 0..12),
    ) {
        let entries: Vec<(&str, &[u8])> =
            entries.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        let corpus = beside_a_neighbour("a.tar", &tar(&entries), Limits::standard());
        let documents = corpus.submissions[0].documents.len();
        let notices = corpus.notices.len();
        let files = entries.iter().filter(|(name, _)| !name.ends_with('/')).count();
        prop_assert!(documents + notices >= files, "{documents} + {notices} < {files}");
    }
}
