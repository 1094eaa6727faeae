//! Folders and files of text and HTML.

use std::io::Read as _;
use std::path::PathBuf;

use fanmill_text::progress::Silent;

use super::*;
use crate::record::Mark;

/// Makes a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("written");
    }
    folder
}

fn said(shard: &Shard, options: &Options) -> Vec<(String, String)> {
    let all = read(shard, options).expect("readable");
    all.into_iter()
        .flatten()
        .map(|r| (r.id.expect("a name").into_owned(), r.text.into_owned()))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
}

/// A name that is not UTF-8 matches a pattern as any other does: each byte that is not a character counts as one.
#[cfg(unix)]
#[test]
fn patterns_find_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&[("x/a-.txt", b"one"), ("x/b.txt", b"two")]);
    let odd = folder.path().join("x").join(std::ffi::OsStr::from_bytes(b"a\xff.txt"));
    fs::write(odd, "three").expect("written");
    let options = Options::standard();
    for (pattern, expected) in [("x/a?.txt", 2), ("*/a*", 2), ("x/a[!-].txt", 1), ("x/?.txt", 1)] {
        let shards = shards(&[folder.path().join(pattern)], &options).expect(pattern);
        let n: usize = shards.iter().map(|shard| said(shard, &options).len()).sum();
        assert_eq!(n, expected, "{pattern}");
    }
}

#[test]
fn a_folder_is_a_shard_of_its_files_in_the_order_of_names() {
    let gz = packed(Packing::Gzip, b"packed");
    let folder = folder(&[
        ("b.txt", b"caf\xe9 cr\xe8me d\xe9j\xe0"),
        ("a/z.html", b"<p>one<p>two"),
        ("a/y.md", b"# y"),
        ("c.txt.gz", &gz),
        ("d.txt", b"a\0b\0\0\x01 no text"),
        ("e.png", b"\x89PNG\r\n\x1a\n"),
        (".hidden.txt", b"x"),
        ("README", b"no extension"),
        ("long.txt", &[b'x'; 200]),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("b.txt", folder.path().join("link.txt")).expect("a link");
    for batch_bytes in [1, 1 << 20] {
        let options = small(batch_bytes, 100);
        let found = shards(&[folder.path().to_owned()], &options).expect("a shard");
        assert_eq!(found.len(), 1);
        let expected = [
            ("README", "no extension"),
            ("a/y.md", "# y"),
            ("a/z.html", "one\n\ntwo"),
            ("b.txt", "café crème déjà"),
            ("c.txt.gz", "packed"),
        ];
        assert_eq!(said(&found[0], &options), pairs(&expected));
        let all = read(&found[0], &options).expect("readable");
        let bad: Vec<_> = all.iter().filter_map(|r| r.as_ref().err()).collect();
        let reasons: Vec<_> = bad.iter().map(|bad| (bad.number, &*bad.reason)).collect();
        let limit = "`long.txt`: longer than the limit of 100 bytes for a record";
        assert_eq!(reasons, [(5, limit)]);

        let out = tempfile::tempdir().expect("a folder");
        let action = |_, record: &Record<'_>| match record.id.as_deref() {
            Some("README") => RecordAction::Remove,
            Some("c.txt.gz" | "a/y.md") => RecordAction::Text("new".into()),
            _ => RecordAction::Keep,
        };
        write(&found[0], out.path(), &options, OutputForm::Records, &action).expect("written");
        let same = |name: &str| {
            assert_eq!(
                fs::read(out.path().join(name)).ok(),
                fs::read(folder.path().join(name)).ok()
            );
        };
        same("b.txt");
        same("a/z.html");
        // Not text, whatever its name: left out, and copied.
        same("d.txt");
        let again = shards(&[out.path().to_owned()], &options).expect("a shard");
        let expected = [
            ("a/y.md", "new"),
            ("a/z.html", "one\n\ntwo"),
            ("b.txt", "café crème déjà"),
            ("c.txt.gz", "new"),
        ];
        assert_eq!(said(&again[0], &options), pairs(&expected));
    }
}

#[test]
fn what_loose_files_cannot_have_is_refused() {
    let folder = folder(&[("a.html", b"<p>x")]);
    let options = Options::standard();
    let shard = shards(&[folder.path().to_owned()], &options).expect("a shard").remove(0);
    let out = tempfile::tempdir().expect("a folder");
    let error =
        shard.writer(&Below(out.path()), &options, OutputForm::Marks).expect_err("no marks");
    assert!(error.is_setting() && error.to_string().contains("cannot be marked"), "{error}");
    let mark =
        Mark { cluster: 0, duplicate_of: None, resemblance: Some(1.0), containment: Some(1.0) };
    for action in [RecordAction::Mark(Some(mark)), RecordAction::Text("new".into())] {
        let done = write(&shard, out.path(), &options, OutputForm::Records, &|_, _| action.clone());
        assert!(done.expect_err("refused").to_string().contains("record 1 of"));
    }
}

#[test]
fn loose_files_given_one_by_one_are_one_shard() {
    let folder =
        folder(&[("x/a.txt", b"1"), ("y/a.txt", b"2"), ("b.html", b"3"), ("c.jsonl", b"")]);
    let at = |name: &str| folder.path().join(name);
    let options = Options::standard();
    let given = [at("y/a.txt"), at("b.html"), at("c.jsonl"), at("x/a.txt")];
    let found = shards(&given, &options).expect("shards");
    let names: Vec<_> = found.iter().map(Shard::name).collect();
    assert_eq!(names, ["c.jsonl", "texts"]);
    let expected = [("b.html", "3"), ("x/a.txt", "1"), ("y/a.txt", "2")];
    assert_eq!(said(&found[1], &options), pairs(&expected));
}

#[test]
fn a_file_that_is_named_with_its_format_is_read_whatever_it_is_called() {
    let folder = folder(&[("k.css", b"a { b: c }"), ("d/k.css", b"x"), ("d/a.txt", b"y")]);
    let given = Options { format: Some(Format::TEXT), ..Options::standard() };
    let found = |path: &str, options: &Options| shards(&[folder.path().join(path)], options);
    for path in ["k.css", "k*"] {
        let found = found(path, &given).expect("a shard");
        assert_eq!(said(&found[0], &given), pairs(&[("k.css", "a { b: c }")]));
        assert_eq!(read(&found[0], &given).expect("readable").len(), 1);
    }
    let error = found("k.css", &Options::standard()).expect_err("no text").to_string();
    assert!(error.contains("of a page, going by its extension"), "{error}");
    // Naming a folder does not name each file in it.
    let found = found("d", &given).expect("a shard");
    assert_eq!(said(&found[0], &given), pairs(&[("a.txt", "y")]));
}

/// A pattern matches what a shell makes of it; whatever else matches it is reported.
#[cfg(unix)]
#[test]
fn what_a_pattern_fits_is_read_or_told() {
    let files: [(&str, &[u8]); 5] = [
        ("a.txt", b"a"),
        (".h.txt", b"h"),
        ("_SUCCESS", b""),
        ("far/b.dat", b"b"),
        ("sub/.c/c.txt", b"c"),
    ];
    let folder = folder(&files);
    let at = |name: &str| folder.path().join(name);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, at(name)).expect("a link");
    };
    // A link to a file that is not read under its own name is read; the other links are not.
    link("far/b.dat", "b.txt");
    link("a.txt", "z.txt");
    link("far", "f.txt");
    link("nowhere", "n.txt");
    let _socket = std::os::unix::net::UnixListener::bind(at("s.txt")).expect("a socket");
    let found = |pattern: &str| {
        let options = Options { format: Some(Format::TEXT), ..Options::standard() };
        let survey = survey(&[at(pattern)], &options, Purpose::WriteAnywhere).expect("a survey");
        let texts = said(survey.shards.last().expect("a shard"), &options);
        let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        let short = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let told = survey.left_out.first.iter();
        let told: Vec<_> = told
            .map(|told| {
                let why = told.reason.split(&[',', ':']).next().unwrap_or_default();
                (short(&told.place), why.to_owned())
            })
            .collect();
        assert_eq!(survey.left_out.n, told.len() as u64);
        (texts, told)
    };
    let (texts, told) = found("*.txt");
    assert_eq!(texts, ["a", "b"]);
    let linked = "a link to a folder";
    let expected = [
        (".h.txt", "hidden"),
        ("f.txt", linked),
        ("n.txt", linked),
        ("s.txt", "a pipe"),
        ("z.txt", linked),
    ];
    assert_eq!(told, pairs(&expected));
    let (texts, told) = found("*");
    assert_eq!(texts, ["a", "b"]);
    assert!(told.contains(&("_SUCCESS".to_owned(), "left by another program".to_owned())));
    assert_eq!(found(".h*"), (vec!["h".to_owned()], Vec::new()));
}

#[test]
fn names_are_distinct_and_as_short_as_can_be() {
    let folder = folder(&[
        ("one/data/a.jsonl", b"{}"),
        ("two/data/a.jsonl", b"{}"),
        ("two/data/b.jsonl.gz", b""),
        ("two/note.txt", b"x"),
    ]);
    let at = |name: &str| folder.path().join(name);
    let names = |paths: &[PathBuf]| -> Vec<String> {
        let found = shards(paths, &Options::standard()).expect("shards");
        found.iter().map(|shard| shard.name().to_owned()).collect()
    };
    assert_eq!(names(&[at("one/data/a.jsonl")]), ["a.jsonl"]);
    assert_eq!(names(&[at("one"), at("two/data/b.jsonl.gz")]), ["data/a.jsonl", "b.jsonl.gz"]);
    let all = ["one/data/a.jsonl", "two/data/a.jsonl", "data/b.jsonl.gz"];
    assert_eq!(names(&[at("one"), at("two")]), all);
    let deep = ["one/data/a.jsonl", "two/data/a.jsonl"];
    assert_eq!(names(&[at("one/data/a.jsonl"), at("two/data/a.jsonl")]), deep);
    assert_eq!(names(&[at("*/data/a*")]), deep);
    assert_eq!(names(&[at("**/b.jsonl*")]), ["b.jsonl.gz"]);
    assert_eq!(names(&[at("one/../one/data/a.jsonl")]), ["a.jsonl"]);
}

#[test]
fn inputs_that_cannot_be_are_refused() {
    let folder = folder(&[("a.jsonl", b"{}"), ("b.css", b"x")]);
    let at = |name: &str| folder.path().join(name);
    let cases = [
        (vec![at("none.jsonl")], "none.jsonl"),
        (vec![at("*.csv")], "no file fits"),
        (vec![at("a.jsonl"), at("a.jsonl")], "a.jsonl"),
        (vec![at("a.jsonl"), at("")], "a.jsonl"),
        (vec![at("b.css")], "of a page, going by its extension"),
        (vec![PathBuf::from("-"), at("a.jsonl")], "standard input"),
    ];
    for (paths, words) in cases {
        let error = shards(&paths, &Options::standard()).expect_err("refused");
        assert!(error.to_string().contains(words), "{error}");
    }
}

fn spool(folder: &Path, bytes: &[u8], options: &Options) -> fanmill_text::Result<Shard> {
    let path = folder.join("stdin");
    let file = Disk::default().make_file(&path).expect("a file");
    spool_stdin(file, &path, bytes, options, &Silent)
}

#[test]
fn standard_input_is_spooled_and_named_for_what_it_is() {
    let jsonl: &[u8] = b"{\"text\":\"a\"}\n";
    let gz = packed(Packing::Gzip, jsonl);
    let given = Options { format: Some(Format::CSV), ..Options::standard() };
    let cases = [
        (jsonl, Options::standard(), "stdin.jsonl"),
        (&gz, Options::standard(), "stdin.jsonl.gz"),
        (b"text\na\n", given, "stdin.csv"),
    ];
    for (bytes, options, name) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let shard = spool(folder.path(), bytes, &options).expect("a shard");
        assert_eq!(shard.name(), name);
        assert_eq!(read(&shard, &options).expect("readable")[0].as_ref().expect("good").text, "a");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let error = spool(folder.path(), b"plain", &Options::standard());
    assert!(error.expect_err("unknown").to_string().contains("name its format"));
}

/// An endless input of no format, like `/dev/zero`, is not copied until the disk is full.
#[test]
fn standard_input_of_no_format_is_not_copied_to_its_end() {
    struct Counted(u64);
    impl std::io::Read for Counted {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += buffer.len() as u64;
            assert!(self.0 < 3 << 20, "it is read on");
            buffer.fill(0);
            Ok(buffer.len())
        }
    }
    for format in [None, Some(Format::JSONL), Some(Format::PARQUET)] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stdin");
        let file = Disk::default().make_file(&path).expect("a file");
        let options = Options { format, ..Options::standard() };
        let error = spool_stdin(file, &path, Counted(0), &options, &Silent).expect_err("no format");
        assert!(error.is_input(), "{error}");
    }
}

/// An endless line is not copied either; a line that is only longer than a record may be is copied, and skipped later.
#[test]
fn a_line_of_standard_input_without_an_end_is_not_copied_to_its_end() {
    struct Endless(u64);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += buffer.len() as u64;
            assert!(self.0 < 4 << 20, "it is read on");
            buffer.fill(b'a');
            Ok(buffer.len())
        }
    }
    let beginnings: [(&[u8], Option<Format>); 3] = [
        (b"{\"text\":\"a\"}\n{\"text\":\"", None),
        (b"text\na\n", Some(Format::CSV)),
        (b"text\na\n", Some(Format::TSV)),
    ];
    for (beginning, format) in beginnings {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stdin");
        let options = Options { format, record_bytes: 1 << 16, ..Options::standard() };
        let file = Disk::default().make_file(&path).expect("a file");
        // A line may be 16 times as long as a record.
        let error = spool_stdin(file, &path, beginning.chain(Endless(0)), &options, &Silent);
        let error = error.expect_err("a line without an end");
        assert!(error.is_input() && error.to_string().contains(" 1048576 bytes"), "{error}");
        fs::remove_file(&path).expect("removed");
        let long = "a".repeat((1 << 20) - 9);
        let rest = format!("{long}\n{long}\n");
        let file = Disk::default().make_file(&path).expect("a file");
        let shard = spool_stdin(file, &path, beginning.chain(rest.as_bytes()), &options, &Silent);
        let records = read(&shard.expect("a shard"), &options).expect("readable");
        assert_eq!(records.iter().filter(|record| record.is_ok()).count(), 1, "{records:?}");
    }
}

/// Given one by one or by their folder, each is a file of its own in the output, under its own bytes.
#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_stay_names_of_their_own() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let input = tempfile::tempdir().expect("a folder");
    let names = [&b"a\xff.txt"[..], b"a\xfe.txt", b"d\xc3(/b.txt", b"d\xc3)/b.txt"];
    let paths = names.map(|name| input.path().join(OsStr::from_bytes(name)));
    for (path, name) in paths.iter().zip(names) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, name).expect("written");
    }
    let options = Options::standard();
    for given in [vec![input.path().to_owned()], paths.to_vec()] {
        let shard = &shards(&given, &options).expect("a shard")[0];
        let out = tempfile::tempdir().expect("a folder");
        write(shard, out.path(), &options, OutputForm::Records, &|_, _| RecordAction::Keep)
            .expect("written");
        for name in names {
            let written = fs::read(out.path().join(OsStr::from_bytes(name)));
            assert_eq!(written.expect("it is there"), name);
        }
        let ids = said(shard, &options).into_iter().map(|(id, _)| id);
        let ids: std::collections::BTreeSet<_> = ids.collect();
        assert!(ids.contains(r"a\xff.txt") && ids.len() == 4, "{ids:?}");
    }
}

/// Renaming a file changes neither the sum of sizes nor the latest time.
#[test]
fn a_file_that_changes_after_the_shard_was_found_is_an_error() {
    let options = Options::standard();
    let later = |path: &Path| {
        let file = fs::File::options().write(true).open(path).expect("opened");
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("set");
    };
    for (name, given) in
        [("rename", "t"), ("touch", "t"), ("touch", "t/b.txt"), ("touch", "c.jsonl")]
    {
        let folder =
            folder(&[("t/a.txt", b"1"), ("t/b.txt", b"2"), ("c.jsonl", b"{\"text\":\"3\"}\n")]);
        let found = shards(&[folder.path().join(given)], &options).expect("shards");
        for shard in &found {
            read(shard, &options).expect("unchanged");
        }
        match name {
            "rename" => {
                fs::rename(folder.path().join("t/a.txt"), folder.path().join("t/z.txt"))
                    .expect("renamed");
            }
            _ => ["t/b.txt", "c.jsonl"].iter().for_each(|name| later(&folder.path().join(name))),
        }
        let errors = found.iter().filter_map(|shard| read(shard, &options).err());
        let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
        assert!(!errors.is_empty(), "{name} {given}");
        assert!(errors.iter().all(|error| error.contains("has changed since")), "{errors:?}");
    }
}

/// The message names the file that cannot be read, not the copy that can be written.
#[cfg(unix)]
#[test]
fn a_copy_says_whether_reading_or_writing_has_failed() {
    let place = folder(&[("a.txt", b"1")]);
    // A folder can be opened, but not read.
    let mut input = fs::File::open(place.path()).expect("opened");
    let (from, to) = (Path::new("in.pdf"), Path::new("out.pdf"));
    let error = left_out::copy_file(&Below(place.path()), &mut input, from, to).expect_err("none");
    assert!(error.is_io() && error.to_string().contains("could not read `in.pdf`"), "{error}");
}
