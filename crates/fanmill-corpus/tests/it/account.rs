//! Every input is compared, or counted and named.

use std::fs;
use std::path::{Path, PathBuf};

use fanmill_corpus::dedup::{Keep, Mode, Summary};
use fanmill_corpus::job::Places;
use fanmill_corpus::passages::{self, Unit};
use fanmill_records::account::{Inputs, Notice};
use fanmill_text::progress::Silent;

use crate::job;

/// A shard of each format, with texts that are null, missing or cannot be decoded.
fn corpus(folder: &Path) -> Vec<PathBuf> {
    let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG";
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
                 4\r\n<p>a\r\nZZ\r\nb\r\n0\r\n\r\n";
    let record = |block: &[u8]| {
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n",
            block.len()
        );
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    };
    let shards: [(&str, Vec<u8>); 4] = [
        ("a.jsonl", b"{\"text\":null}\n{\"text\":\"one\"}\n{\"text\":\"caf\xe9\"}\n{\n".to_vec()),
        ("b.csv", b"text\nna\xefve\ntwo\n".to_vec()),
        ("c.warc", [record(image), record(page), record(image)].concat()),
        ("d.txt", b"three".to_vec()),
    ];
    let write = |(name, bytes): (&str, Vec<u8>)| {
        fs::write(folder.join(name), bytes).expect("written");
        folder.join(name)
    };
    shards.map(write).to_vec()
}

const INPUTS: Inputs = Inputs { seen: 10, compared: 3, degraded: 3, skipped: 2, failed: 2 };

fn said(notices: &[Notice]) -> Vec<(&str, Option<u64>)> {
    notices.iter().map(|notice| (&*notice.place, notice.record)).collect()
}

fn check(inputs: Inputs, degraded: &[Notice], skipped: &[Notice]) {
    assert_eq!(inputs, INPUTS);
    assert_eq!(said(degraded), [("a.jsonl", Some(1)), ("a.jsonl", Some(3)), ("b.csv", Some(1))]);
    assert_eq!(degraded[0].reason, "its text is null");
    assert!(degraded[1].reason.contains("U+FFFD"), "{degraded:?}");
    assert_eq!(said(skipped), [("c.warc", None), ("c.warc", None)]);
    assert!(
        skipped[0].reason.contains("image/png") && skipped[1].offset > Some(200),
        "{skipped:?}"
    );
}

fn check_summary(summary: &Summary) {
    check(summary.inputs, &summary.degraded, &summary.skipped);
    assert_eq!(said(&summary.bad_records), [("a.jsonl", Some(4)), ("c.warc", Some(1))]);
    assert!(summary.bad_records[1].reason.contains("a chunk whose size is `ZZ`"), "{summary:?}");
}

#[test]
fn what_is_not_compared_whole_is_counted_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = corpus(folder.path());
    let output = folder.path().join("out");
    let summary = job::dedup(&paths, &job::settings(), &output).expect("done").summary;
    check_summary(&summary);
    // Records that are kept do not change, however much of them was read.
    let written = fs::read(output.join("a.jsonl")).expect("written");
    assert_eq!(written, b"{\"text\":null}\n{\"text\":\"one\"}\n{\"text\":\"caf\xe9\"}\n");

    let settings = job::by_line().with(|s| {
        s.min_words = 1;
        s.mode = Mode::Report;
    });
    let (options, places) = (job::options(&Keep::First), job::to(&folder.path().join("lines")));
    let ended = passages::run(&paths, &options, &settings, &places, &Silent).expect("done");
    let summary = ended.now().expect("now");
    check(summary.inputs, &summary.degraded, &summary.skipped);
}

#[test]
fn a_strict_run_ends_at_a_text_that_is_not_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, line, reason) in [
        ("a.jsonl", &b"{\"text\":null}"[..], "its text is null"),
        ("b.jsonl", b"{\"text\":\"\xff\"}", "bytes that stand for no character"),
        ("c.csv", b"text\n\xff", "bytes that stand for no character"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, line).expect("written");
        let settings = job::settings().with(|s| s.is_strict = true);
        let output = folder.path().join("out");
        let error = job::dedup(std::slice::from_ref(&path), &settings, &output).expect_err(name);
        let words = [format!("record 1 of `{name}`"), reason.to_owned(), "a strict run".to_owned()];
        assert!(error.is_input(), "{error}");
        assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
        let settings = job::by_line().with(|s| {
            s.unit = Unit::Paragraph;
            s.min_words = 1;
            s.mode = Mode::Report;
            s.is_strict = true;
        });
        let (options, places) = (job::options(&Keep::First), Places::default());
        let error = passages::run(&[path], &options, &settings, &places, &Silent).expect_err(name);
        assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
    }
}

/// The files below a folder, by path, with their bytes.
#[cfg(unix)]
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let kind = fs::symlink_metadata(&path).expect("there").file_type();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(folder).expect("below").to_owned();
                found.push((name, fs::read(&path).expect("readable")));
            } else {
                panic!("{} is no file", path.display());
            }
        }
    }
    found.sort();
    found
}

/// The files of a folder of texts: all kinds of names, and binary files.
#[cfg(unix)]
const FILES: [(&[u8], &[u8]); 13] = [
    (b"a.txt", b"one two three four five six"),
    (b"b.txt", b"one two three four five six"),
    (b"deep/er/c.md", b"another text"),
    (b"deep/er/picture.png", b"\x89PNG\r\n\x1a\n"),
    (b"deep/all.7z", b"7z\xbc\xaf\x27\x1c"),
    (b"photo \xe9\xff.JPG", b"\xff\xd8\xff"),
    (b"line\nfeed.zip", b"PK\x03\x04"),
    (b".hidden", b"of the user"),
    (b".git/objects/ab/cd", b"\0\x01"),
    (b".git/config", b"[core]"),
    (b"data.bin", b"no \0 text \0 by its content"),
    (b"long.txt", &[b'x'; 3000]),
    (b"deep/_SUCCESS", b""),
];

#[cfg(unix)]
fn odd_folder(folder: &Path) -> PathBuf {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = folder.join("in");
    for (name, content) in FILES {
        let path = root.join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("written");
    }
    std::os::unix::fs::symlink("/etc", root.join("link")).expect("a link");
    std::os::unix::fs::symlink("a.txt", root.join("deep/link.txt")).expect("a link");
    let pipe = std::process::Command::new("mkfifo").arg(root.join("pipe.txt")).status();
    assert!(pipe.expect("mkfifo").success());
    root
}

/// No file of a folder of texts is lost silently: it is copied or named.
#[cfg(unix)]
#[test]
fn every_file_of_a_folder_is_in_the_output_or_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let root = odd_folder(folder.path());
    let options =
        fanmill_records::format::Options { record_bytes: 2000, ..job::options(&Keep::First) };
    let output = folder.path().join("out");
    let settings = job::settings();
    let paths = [root.clone()];
    let outcome =
        fanmill_corpus::dedup::run(&paths, &options, &settings, &job::to(&output), &Silent)
            .expect("done");
    let summary = outcome.now().expect("now").summary;
    // Three texts, a failure; eight copies, one file of another program, two links, a pipe.
    let inputs = Inputs { seen: 16, compared: 3, degraded: 0, skipped: 12, failed: 1 };
    assert_eq!(summary.inputs, inputs, "{:#?}", summary.skipped);
    let reason = |name: &str| {
        let place = root.join(name).to_string_lossy().into_owned();
        let found = summary.skipped.iter().find(|notice| notice.place == place);
        found.unwrap_or_else(|| panic!("{name} is not named")).reason.clone()
    };
    for (name, what) in [
        ("deep/er/picture.png", "a PNG image"),
        ("deep/all.7z", "a 7z archive, not supported; repack it as zip"),
        ("line\nfeed.zip", "an archive"),
    ] {
        assert_eq!(reason(name), format!("{what}: not compared, copied as it is"));
    }
    assert_eq!(reason(".git/config"), "hidden: not compared, copied as it is");
    for (name, why) in [
        ("link", "a link to a folder, to nothing, or to a file that has another name here"),
        (
            "deep/link.txt",
            "a link to a folder, to nothing, or to a file that has another name here",
        ),
        ("pipe.txt", "a pipe, a socket or a device"),
        ("deep/_SUCCESS", "left by another program, true of its own files only"),
    ] {
        assert_eq!(reason(name), format!("{why}: not compared, not in the output"));
    }

    let written = files(&output);
    let goes = [&b"b.txt"[..], b"deep/_SUCCESS"];
    let mut expected: Vec<(PathBuf, Vec<u8>)> = FILES
        .iter()
        .filter(|(name, _)| !goes.contains(name))
        .map(|&(name, content)| (PathBuf::from(OsStr::from_bytes(name)), content.to_vec()))
        .collect();
    expected.sort();
    assert_eq!(written, expected);
}

/// A run without output copies nothing, and does not say that it copies.
#[cfg(unix)]
#[test]
fn a_report_does_not_say_that_files_are_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = odd_folder(folder.path());
    let settings = job::settings().with(|s| s.mode = Mode::Report);
    let paths = [root];
    for places in [Places::default(), job::to(&folder.path().join("out"))] {
        let options = job::options(&Keep::First);
        let outcome = fanmill_corpus::dedup::run(&paths, &options, &settings, &places, &Silent)
            .expect("done");
        let skipped = outcome.now().expect("now").summary.skipped;
        assert_eq!(skipped.len(), 12);
        let is_right = |notice: &Notice| notice.reason.ends_with("not compared, not in the output");
        assert!(skipped.iter().all(is_right), "{skipped:#?}");
    }
}

/// Files beside shards are copied, but for those that are true of the old shards only. All are counted and named.
#[cfg(unix)]
#[test]
fn what_lies_beside_shards_is_counted_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("in");
    fs::create_dir(&root).expect("a folder");
    for (name, content) in [
        ("part-0.jsonl", "{\"text\":\"one\"}\n"),
        (".part-0.jsonl.crc", "crc"),
        ("_SUCCESS", ""),
        ("notes.png", "GIF89a"),
    ] {
        fs::write(root.join(name), content).expect("written");
    }
    let output = folder.path().join("out");
    let path_of = |name: &str| root.join(name).to_string_lossy().into_owned();
    let paths = std::slice::from_ref(&root);
    let summary = job::dedup(paths, &job::settings(), &output).expect("done").summary;
    let inputs = Inputs { seen: 4, compared: 1, degraded: 0, skipped: 3, failed: 0 };
    assert_eq!(summary.inputs, inputs);
    let copied = summary.skipped.iter().filter(|notice| notice.reason.ends_with("copied as it is"));
    assert!(copied.map(|notice| &notice.place).eq([&path_of("notes.png")]));
    let names: Vec<_> = files(&output).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["notes.png", "part-0.jsonl"].map(PathBuf::from));
}

#[test]
fn a_folder_without_a_text_is_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("in");
    fs::create_dir(&root).expect("a folder");
    fs::write(root.join("a.png"), "GIF89a").expect("written");
    let output = folder.path().join("out");
    let summary = job::dedup(&[root], &job::settings(), &output).expect("done").summary;
    assert_eq!((summary.inputs.seen, summary.inputs.skipped), (1, 1));
    assert_eq!(fs::read(output.join("a.png")).expect("copied"), b"GIF89a");
}

/// The text of a page among extracted texts cannot be changed: the page stays whole, and the texts lose what they
/// repeat.
#[test]
fn a_page_among_extracted_texts_is_kept_whole_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = |kind: &str, content: &str, text: &str| {
        let n = text.len();
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: {content}\r\nContent-Length: {n}\r\n\r\n{text}\r\n\r\n"
        )
    };
    let repeated = "one two three four five six";
    let first = record("conversion", "text/plain", &format!("{repeated}\nof the first"));
    let page = record("resource", "text/html", &format!("<p>{repeated}<p>of a page"));
    let odd = record("resource", "text/plain", repeated);
    let last = record("conversion", "text/plain", &format!("{repeated}\nof the last"));
    let path = folder.path().join("a.warc");
    fs::write(&path, [&*first, &page, &odd, &last].concat()).expect("written");
    let settings = job::by_line().with(|s| {
        s.min_words = 4;
        s.is_strict = true;
    });
    let (options, output) = (job::options(&Keep::First), folder.path().join("out"));
    let run = passages::run(&[path], &options, &settings, &job::to(&output), &Silent);
    let summary = run.expect("done").now().expect("now");
    let inputs = Inputs { seen: 4, compared: 2, degraded: 0, skipped: 2, failed: 0 };
    assert_eq!(summary.inputs, inputs);
    assert_eq!(said(&summary.skipped), [("a.warc", Some(2)), ("a.warc", Some(3))]);
    assert!(summary.skipped[0].reason.ends_with("kept as it is"), "{:?}", summary.skipped);
    assert_eq!((summary.counts.documents, summary.counts.removed.passages), (4, 1));
    let written = fs::read_to_string(output.join("a.warc")).expect("written");
    assert!(written.starts_with(&[&*first, &page, &odd].concat()), "{written}");
    assert!(written.ends_with("\r\n\r\nof the last\r\n\r\n"), "{written}");
}

/// Inputs whose texts cannot be changed are refused before anything is read or written.
#[test]
fn passages_of_pages_are_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let response = "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>a\r\n\r\n";
    let cases: [(&str, &str, &str); 3] = [
        ("a.html", "<p>a", "is a page"),
        ("texts/deep/a.htm", "<p>a", "`deep/a.htm` is a page"),
        ("a.warc", response, "only extracted texts (WET)"),
    ];
    for (name, content, words) in cases {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("written");
        let given = folder.path().join(name.split('/').next().expect("a part"));
        let settings = job::by_line().with(|s| s.min_words = 1);
        let (options, places) = (job::options(&Keep::First), job::to(&folder.path().join("out")));
        let refused =
            passages::run(std::slice::from_ref(&given), &options, &settings, &places, &Silent);
        let error = refused.expect_err(name);
        assert!(error.is_input() && error.to_string().contains(words), "{error}");
        assert!(!folder.path().join("out.partial").exists(), "{name}");
        let settings = settings.with(|s| s.mode = Mode::Report);
        let report = passages::run(&[given], &options, &settings, &Places::default(), &Silent);
        assert_eq!(report.expect(name).now().expect(name).counts.documents, 1);
    }
}
