//! The same bytes get the same answer in every container: each kind of text and mail in each kind of container.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use serde_json::Value;

use crate::place::{Place, example};
use crate::sift::place_with_keys;

/// The answer for each text, by its kind.
type Answers = BTreeMap<String, Value>;

/// All 256 bytes, many times over: too many control characters for a text.
fn noise(n: usize) -> Vec<u8> {
    (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

fn page(prose: &str) -> String {
    let words = prose.split_whitespace().map(|word| format!("<span>{word}</span> "));
    words.collect::<Vec<_>>().concat()
}

fn entities(prose: &str) -> String {
    prose
        .chars()
        .map(|c| if c.is_alphabetic() { format!("&#{};", c as u32) } else { c.to_string() })
        .collect::<Vec<String>>()
        .concat()
}

/// A file of each kind, by name; all but the binary ones hold the same words.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let prose = example("sift/originals/lighthouse.txt");
    let controls = "\u{1}\u{2}\u{3}".repeat(200);
    let headers = "From: a@b\nTo: c@d\nSubject: the\n";
    let html = format!("{headers}Content-Type: text/html\n\n{}", page(&prose));
    let attached = [
        format!("{headers}Content-Type: multipart/mixed; boundary=zz\n\n--zz\nContent-Type: image/png\n\n").into_bytes(),
        noise(9000),
        format!("\n--zz\n\n{prose}\n--zz--\n").into_bytes(),
    ];
    let utf16 = std::iter::once(0xFEFF).chain(prose.encode_utf16()).flat_map(u16::to_le_bytes);
    vec![
        ("plain", prose.clone().into_bytes()),
        ("wide", utf16.collect()),
        ("nul", format!("{prose}\0\n").into_bytes()),
        ("div", format!("<div>{}</div>", page(&prose)).into_bytes()),
        ("info.csv", format!("file,author\n{prose}").into_bytes()),
        (
            "page",
            format!("<!-- x -->\n<!DOCTYPE html><title>t</title>{}", page(&prose)).into_bytes(),
        ),
        ("entities.html", entities(&prose).into_bytes()),
        ("controls.html", format!("<p>{controls}<p>{}", page(&prose)).into_bytes()),
        ("mail", format!("{headers}\n{prose}").into_bytes()),
        ("mail-controls", format!("{headers}\n{prose}\n{controls}").into_bytes()),
        ("mail-html", html.into_bytes()),
        ("mail-attached", attached.concat()),
        ("mail-odd", format!("%PDF-1: x\n{headers}\n{prose}").into_bytes()),
        (
            "mail-one-header.eml",
            format!("Content-Type: text/html\n\n{}", page(&prose)).into_bytes(),
        ),
        ("empty", Vec::new()),
        ("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0".to_vec()),
        ("noise", [&[1, 2, 3, 4][..], &noise(9000)].concat()),
    ]
}

/// A store of the prose, and nothing else.
fn with_store() -> Place {
    let place = place_with_keys();
    place.write("lighthouse.txt", example("sift/originals/lighthouse.txt"));
    let done = place.fanmill("sift add --key a.key s.sift lighthouse.txt").run();
    assert_eq!(done.code, Some(0), "{done}");
    place
}

/// Checks some paths; returns the answers by the last part of each name, without the name.
#[track_caller]
fn ask(place: &Place, paths: &str, stdin: Option<&str>) -> Answers {
    let run = place
        .fanmill(&format!("sift check --key a.key s.sift --names --format json --quiet {paths}"));
    let done = match stdin {
        Some(file) => run.fed(&place.path(file)).run(),
        None => run.run(),
    };
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{paths}: {done}");
    let mut answers = Answers::new();
    for line in done.stdout.lines() {
        let Value::Object(mut answer) = serde_json::from_str(line).expect(line) else {
            panic!("{line}")
        };
        let name = answer.remove("name").expect("a name");
        let leaf = name.as_str().expect("text").rsplit('/').next().expect("a part").to_owned();
        let twice = answers.insert(leaf, Value::Object(answer));
        assert!(twice.is_none(), "{paths}: {done}");
    }
    answers
}

/// The answers for files that are named one by one, and the expected ones.
fn expected(place: &Place) -> Answers {
    let names: Vec<&str> = kinds().iter().map(|kind| kind.0).collect();
    for (name, bytes) in kinds() {
        place.write(format!("files/{name}"), bytes);
    }
    let paths: Vec<String> = names.iter().map(|name| format!("files/{name}")).collect();
    let answers = ask(place, &paths.join(" "), None);
    for name in names {
        let word = match name {
            "empty" => "none",
            "picture" | "noise" => "skip",
            _ => "yes",
        };
        assert_eq!(answers[name]["answer"], word, "{name}: {}", answers[name]);
    }
    answers
}

fn tar(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, &**bytes).expect("memory");
    }
    tar.into_inner().expect("memory")
}

fn zip(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(&**name, zip::write::SimpleFileOptions::default()).expect("memory");
        zip.write_all(bytes).expect("memory");
    }
    zip.finish().expect("memory").into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).expect("memory");
    gzip.finish().expect("memory")
}

#[test]
fn the_same_bytes_get_the_same_answer_wherever_they_lie() {
    let place = with_store();
    let expected = expected(&place);
    let entries: Vec<(String, Vec<u8>)> =
        kinds().into_iter().map(|(name, bytes)| (format!("in/{name}"), bytes)).collect();
    place.write("a.tar", tar(&entries));
    place.write("a.tar.gz", gzip(&tar(&entries)));
    place.write("a.zip", zip(&entries));
    place.write("nested.tar", tar(&[("week/a.zip".to_owned(), zip(&entries))]));
    for (name, bytes) in kinds() {
        place.write(format!("deep/er/still/{name}"), &bytes);
        place.write(format!("packed/{name}.gz"), gzip(&bytes));
        for folder in ["cur", "new", "tmp"] {
            place.write(format!("{folder}-maildir/{folder}/{name}"), &bytes);
        }
    }
    place.write("packs/a.tar.gz", gzip(&tar(&entries)));
    for container in [
        "files",
        "deep",
        "cur-maildir",
        "new-maildir/new",
        "tmp-maildir",
        "tmp-maildir/tmp",
        "a.tar",
        "a.tar.gz",
        "a.zip",
        "nested.tar",
        "packs",
    ] {
        assert_eq!(ask(&place, container, None), expected, "{container}");
    }
    let mut packed = ask(&place, "packed", None);
    // In a packed empty file, the empty file inside is named.
    packed.retain(|name, _| expected.contains_key(name));
    for (name, answer) in packed {
        assert_eq!(answer, expected[&name], "{name} packed");
    }
    for (name, _) in kinds() {
        // A text from standard input has no name.
        let kind = if name.contains(".html") {
            "--input-format html"
        } else if name.contains(".eml") {
            "--input-format mail"
        } else {
            ""
        };
        let answers = ask(&place, kind, Some(&format!("files/{name}")));
        assert_eq!(answers["-"], expected[name], "{name} on standard input");
    }
}

#[test]
fn messages_of_a_mailbox_get_the_answers_of_their_files() {
    let place = with_store();
    let expected = expected(&place);
    let mut names: Vec<&str> =
        kinds().iter().map(|kind| kind.0).filter(|name| name.starts_with("mail")).collect();
    // Whatever comes first in a mailbox hides nothing that follows.
    for _ in 0..names.len() {
        names.rotate_left(1);
        let mut mailbox = Vec::new();
        for &name in &names {
            let bytes = kinds().into_iter().find(|kind| kind.0 == name).expect("one of them").1;
            mailbox.extend_from_slice(b"From a@b Mon Mar  2 08:11:02 2026\n");
            mailbox.extend(fanmill_mail::mbox::quoted(&bytes));
        }
        place.write("box.mbox", &mailbox);
        place.write("folder/box", &mailbox);
        place.write("box.tar.gz", gzip(&tar(&[("box".to_owned(), mailbox.clone())])));
        place.write("box.gz", gzip(&mailbox));
        for (paths, stdin) in [
            ("box.mbox", None),
            ("folder", None),
            ("box.tar.gz", None),
            ("box.gz", None),
            ("-", Some("box.mbox")),
        ] {
            let answers = ask(&place, paths, stdin);
            assert_eq!(answers.len(), names.len(), "{paths}");
            for (i, &name) in names.iter().enumerate() {
                let end = format!("#{}", i + 1);
                let (_, answer) = answers.iter().find(|each| each.0.ends_with(&end)).expect(&end);
                assert_eq!(*answer, expected[name], "{name} in {paths}{end}");
            }
        }
    }
}

#[test]
fn what_has_no_answer_is_named_and_fails_a_strict_run() {
    let place = with_store();
    expected(&place);
    for paths in ["files", "files/plain files/noise files/picture"] {
        let strict =
            place.fanmill(&format!("sift check --key a.key s.sift --strict {paths}")).run();
        assert_eq!(strict.code, Some(4), "{strict}");
        assert!(strict.stderr.contains("not read: files/noise: binary: not text\n"), "{strict}");
        assert!(strict.stderr.contains(", 2 not read\n"), "{strict}");
    }
}

/// One unreadable input among thirty leaves the other answers as they are.
#[test]
fn an_input_that_cannot_be_read_is_a_notice_beside_others() {
    let place = with_store();
    let prose = example("sift/originals/lighthouse.txt");
    let names: Vec<String> = (0..30).map(|i| format!("t{i:02}.txt")).collect();
    for name in &names {
        place.write(name, &prose);
    }
    // A gzip with a wrong checksum: permissions would not do, since root can open any file.
    let mut broken = gzip(prose.as_bytes());
    let end = broken.len() - 8;
    broken[end] ^= 1;
    place.write("t07.txt", &broken);
    let check = format!("sift check --key a.key s.sift {}", names.join(" "));
    let done = place.fanmill(&check).run();
    assert_eq!((done.code, done.stdout.lines().count()), (Some(0), 29), "{done}");
    assert!(done.stderr.contains("t07.txt"), "{done}");
    assert_eq!(place.fanmill(&format!("{check} --strict")).run().code, Some(4));
}

/// Texts whose names are not UTF-8 are checked as well.
#[cfg(target_os = "linux")]
#[test]
fn odd_names_are_two_texts() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = with_store();
    let prose = example("sift/originals/lighthouse.txt");
    for (name, text) in [(&b"odd/a\xff.html"[..], page(&prose)), (b"odd/a\xfe.html", prose.clone())]
    {
        place.write(OsStr::from_bytes(name), text);
    }
    let answers = ask(&place, "odd", None);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers.values().all(|answer| answer["answer"] == "yes"), "{answers:?}");
    let run =
        place.fanmill("sift add --key a.key t.sift").arg(OsStr::from_bytes(b"odd/a\xff.html"));
    let done = run.arg(OsStr::from_bytes(b"odd/a\xfe.html")).run();
    assert!(done.code == Some(0) && done.stderr.starts_with("2 texts added"), "{done}");
}

/// A store or an input that is a pipe is never waited for: it may have no end.
#[test]
fn a_pipe_is_no_store_and_no_input() {
    let place = with_store();
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.expect("a program of every Unix").success());
    for arguments in [
        "check --key a.key pipe lighthouse.txt",
        "add --key a.key pipe lighthouse.txt",
        "list pipe",
        "check --key a.key s.sift pipe",
    ] {
        let done = place.fanmill(&format!("sift {arguments}")).run();
        assert!(done.code == Some(3) && done.stdout.is_empty(), "{arguments}: {done}");
    }
    assert!(place.path("s.sift/CURRENT").is_file(), "it is still there");
}
