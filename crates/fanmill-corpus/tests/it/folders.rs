//! Folders as people have them: data sets with cards, download caches, tables, and outputs among inputs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use fanmill_corpus::dedup::{Outcome, Settings};
use fanmill_disk::replace::{Disk, Fault};
use fanmill_text::Result;
use fanmill_text::progress::Silent;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::job;

const LINES: &str =
    "{\"text\":\"one two three four\"}\n{\"text\":\"five\"}\n{\"text\":\"one two three four\"}\n";
const KEPT: &str = "{\"text\":\"one two three four\"}\n{\"text\":\"five\"}\n";

fn put(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, bytes).expect("written");
}

fn packed(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).expect("packed");
    packed.finish().expect("packed")
}

fn settings() -> Settings {
    job::settings().with(|settings| settings.allowed_failures = 0.5)
}

fn run(paths: &[PathBuf], output: &Path) -> Result<Outcome> {
    job::dedup(paths, &settings(), output)
}

/// All files below a folder, by their paths there.
fn below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").to_string_lossy();
                found.push((name.into_owned(), fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort();
    found
}

fn names(folder: &Path) -> Vec<String> {
    below(folder).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_data_set_keeps_its_card_in_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("repo");
    put(&root.join("data/train.jsonl"), LINES);
    put(&root.join("README.md"), "---\nlicense: mit\n---\n# A card with words enough for a text\n");
    put(&root.join("LICENSE"), "One two three four.");
    put(&root.join("dataset_infos.json"), "{\"default\":{\"text\":\"not a record\"}}");
    put(&root.join("config.json"), "{\n  \"a\": 1\n}");
    put(&root.join("rows.json"), "[1, 2]");
    put(&root.join("meta.csv"), "id,author\n1,ada\n");
    put(&root.join("train.md5"), "d41d8cd9");
    put(&root.join(".git/config"), "[core]");
    let output = folder.path().join("out");
    let summary = run(std::slice::from_ref(&root), &output).expect("done").summary;
    assert_eq!((summary.counts.documents, summary.counts.kept), (3, 2));
    assert_eq!(summary.inputs.skipped, 8);
    let copied =
        ["LICENSE", "README.md", "config.json", "data/train.jsonl", "meta.csv", "rows.json"];
    assert_eq!(names(&output), copied);
    for name in ["LICENSE", "README.md", "config.json", "meta.csv", "rows.json"] {
        assert_eq!(job::text(&output.join(name)), job::text(&root.join(name)), "{name}");
    }
    assert_eq!(job::text(&output.join("data/train.jsonl")), KEPT);

    // The counts of a card are those of the old shards.
    put(&root.join("README.md"), "---\ndataset_info:\n  splits:\n  - num_examples: 3\n---\n");
    let again = folder.path().join("again");
    let skipped = run(&[root], &again).expect("done").summary.skipped;
    assert!(!again.join("README.md").exists());
    let said = skipped.iter().find(|notice| notice.place.ends_with("README.md")).expect("named");
    assert!(said.reason.starts_with("true of the shards that were read"), "{said:?}");
}

/// Without another shard beside them, such files are what was meant.
#[test]
fn json_without_a_text_is_a_shard_where_no_other_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("in");
    put(&root.join("a.json"), "{\"txet\":\"one\"}\n");
    let error = run(&[root], &folder.path().join("out")).expect_err("no text");
    assert!(error.to_string().contains("there are `txet`"), "{error}");
}

#[test]
fn tables_with_a_log_are_refused_with_a_way_out() {
    for (name, format) in [
        ("_delta_log/00000000000000000000.json", "Delta Lake"),
        (".hoodie/hoodie.properties", "Hudi"),
        ("metadata/v1.metadata.json", "Iceberg"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("table");
        put(&root.join("part-0.jsonl"), LINES);
        put(&root.join(name), "{\"text\":\"of the log\"}\n");
        let error = run(&[root], &folder.path().join("out")).expect_err("refused");
        let said = error.to_string();
        assert!(error.is_input() && said.contains(format) && said.contains("Spark"), "{said}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_followed_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    put(&cache.join("blobs/1f"), LINES);
    let root = cache.join("snapshots/main");
    fs::create_dir_all(root.join("data")).expect("folders");
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(to, root.join(from)).expect("a link");
    };
    link("../../../blobs/1f", "data/a.jsonl");
    link("../../../blobs/1f", "data/b.jsonl");
    link("data", "more");
    link("nowhere", "c.jsonl");
    let output = folder.path().join("out");
    let summary = run(&[root], &output).expect("done").summary;
    assert_eq!((summary.counts.documents, summary.inputs.skipped), (3, 3));
    assert_eq!(below(&output), [("data/a.jsonl".to_owned(), KEPT.as_bytes().to_vec())]);
}

#[test]
fn a_folder_without_files_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("nothing");
    fs::create_dir(&root).expect("a folder");
    let error = run(&[root], &folder.path().join("out")).expect_err("empty");
    assert!(
        error.is_input() && error.to_string().contains("nothing` is an empty folder"),
        "{error}"
    );
}

/// A folder may be cleaned into itself: no run reads what another has written there, or its own work.
#[test]
fn an_output_inside_an_input_is_not_part_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("in");
    put(&root.join("a.jsonl"), LINES);
    let paths = [root.clone()];
    let counts = |name: &str| run(&paths, &root.join(name)).expect("done").summary.counts;
    let first = counts("first");
    assert_eq!((first.shards, first.documents), (1, 3));
    assert_eq!(counts("second"), first);
    let summary = run(&paths, &root.join("third")).expect("done").summary;
    let places: Vec<&str> = summary.skipped.iter().map(|notice| &*notice.place).collect();
    let ends = ["in/first", "in/first.fanmill", "in/second", "in/second.fanmill"];
    assert_eq!(places.len(), 4);
    assert!(places.iter().zip(ends).all(|(place, end)| place.ends_with(end)), "{places:?}");

    // Where it is named, it is read.
    let again = run(&[root.join("first")], &folder.path().join("out")).expect("done");
    assert_eq!(again.summary.counts.documents, 2);

    // A killed run leaves work there, which the next one takes up.
    let places = |fault| fanmill_corpus::job::Places {
        disk: Disk::with_fault(fault),
        ..job::to(&root.join("fourth"))
    };
    let options = job::options(&settings().keep);
    let at =
        |fault| fanmill_corpus::dedup::run(&paths, &options, &settings(), &places(fault), &Silent);
    at(Fault::Killed(12)).expect_err("killed");
    assert!(root.join("fourth.partial").exists());
    let done = at(Fault::Nothing).expect("done").now().expect("now");
    assert_eq!((done.summary.counts, done.summary.inputs.skipped), (first, 6));
}

/// The tables that an earlier version has written among the shards are not read as shards.
#[test]
fn an_output_of_the_old_layout_is_read_without_its_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    put(&folder.path().join("a.jsonl"), LINES);
    let output = folder.path().join("out");
    run(&[folder.path().join("a.jsonl")], &output).expect("done");
    let old = folder.path().join("old");
    put(&old.join("a.jsonl"), LINES);
    for (name, bytes) in below(&job::beside(&output)) {
        put(&old.join(name), bytes);
    }
    let again = folder.path().join("again");
    let summary = run(&[old], &again).expect("done").summary;
    assert_eq!((summary.counts.documents, summary.inputs.skipped), (3, 3));
    assert_eq!(names(&again), ["a.jsonl"]);
}

/// A second run over an output changes nothing, whatever the format and the packing.
#[test]
fn an_output_is_a_corpus() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("in");
    put(&root.join("a.jsonl"), LINES);
    put(&root.join("b.csv"), "id,text\n1,one two three four\n2,six seven\n3,six seven\n");
    put(&root.join("c.jsonl.gz"), packed(&LINES.replace("five", "eight")));
    put(&root.join("d.jsonl"), "{\"text\":\"nothing goes from this one\"}\n");
    let options =
        fanmill_records::format::Options { extra: Vec::new(), ..job::options(&settings().keep) };
    let parquet = fanmill_records::format::Options { text: Some("id".into()), ..options.clone() };
    let go = |path: PathBuf, output: &Path, options: &fanmill_records::format::Options| {
        let places = job::to(output);
        let paths = [path];
        let ended = fanmill_corpus::dedup::run(&paths, options, &settings(), &places, &Silent);
        ended.expect("done").now().expect("now").summary.counts
    };
    let [b, c] = ["b", "c"].map(|name| folder.path().join(name));
    let counts = go(root, &b, &options);
    assert!(counts.duplicates > 0);
    let counts = go(b.clone(), &c, &options);
    assert_eq!(counts.duplicates, 0);
    assert_eq!(below(&b), below(&c));
    // A table of our own is a corpus in Parquet, with names as its texts.
    let table = job::beside(&b).join("clusters.parquet");
    let [b, c] = ["pb", "pc"].map(|name| folder.path().join(name));
    let counts = go(table, &b, &parquet);
    assert!(counts.documents > 0);
    go(b.join("clusters.parquet"), &c, &parquet);
    assert_eq!(below(&b), below(&c));
}
