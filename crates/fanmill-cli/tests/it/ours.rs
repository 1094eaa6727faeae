//! Indexes, stores and reports of ours as paths of every job: whole ones are used or passed over by name, and damage to
//! any of their files ends the job or changes nothing of its answer, so that none is read as texts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::place::Place;
use crate::run::Done;

const SAYING: &str = "who digs a pit for others will fall into it himself and lie there till the evening comes, and \
                      nobody who passes by will hear him call for a rope or a ladder";

/// The commands that take a path; `x` is the folder.
const JOBS: [&str; 13] = [
    "compare probe.txt --archive x",
    "compare probe.txt other.txt x",
    "compare probe.txt other.txt --base x",
    "compare x",
    "text x",
    "dedup c.jsonl -o out --against x",
    "dedup c.jsonl x -o out",
    "dedup x -o out",
    "dedup c.jsonl -o out --decontaminate x",
    "index add out x probe.txt",
    "search x probe.txt",
    "sift add --key key out x probe.txt",
    "sift check --key key x probe.txt",
];

/// A place with texts, a key, and a folder `name` that `make` makes.
fn place(make: &str) -> Place {
    let record = format!("{{\"id\": \"1\", \"text\": \"{SAYING}\"}}\n");
    let place = Place::new()
        .with("probe.txt", SAYING)
        .with("other.txt", "quite another text of few words")
        .with("old/text.txt", SAYING)
        .with("c.jsonl", record);
    for command in ["sift keygen -o key", make] {
        let done = place.fanmill(command).run();
        assert_eq!(done.code, Some(0), "{command}: {done}");
    }
    place
}

/// The files below a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            let inside = files(&path).into_iter();
            found.extend(inside.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

/// Runs a job on a folder `x` of these files.
fn run(place: &Place, job: &str, files: &BTreeMap<String, Vec<u8>>) -> Done {
    for made in ["x", "out", "out.fanmill", "out.partial"] {
        let path = place.path(made);
        if path.exists() {
            fs::remove_dir_all(path).expect("removed");
        }
    }
    for (name, bytes) in files {
        place.write(format!("x/{name}"), bytes);
    }
    place.fanmill(job).run()
}

/// Other contents of a file: none, a part, a byte of another value, those of another file; `None` is no file.
fn damages(bytes: &[u8], other: &[u8]) -> Vec<Option<Vec<u8>>> {
    let flipped = |at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 0x20;
        Some(bytes)
    };
    vec![
        None,
        Some(Vec::new()),
        Some(bytes[..bytes.len() / 2].to_vec()),
        flipped(0),
        flipped(bytes.len() / 2),
        flipped(bytes.len() - 1),
        Some(other.to_vec()),
    ]
}

/// Returns results and messages.
fn said(done: &Done) -> String {
    format!("{}{}", done.stdout, done.stderr)
}

/// Returns whether the damaged folder ended the job, or is named among what it did not read.
fn is_named(done: &Done) -> bool {
    let is_refused = ![Some(0), Some(1), Some(7), None].contains(&done.code);
    let is_told = || done.code == Some(0) && done.stderr.contains("not read: x: ");
    done.stderr.contains('x') && (is_refused || is_told())
}

/// Damages each of some files of what `make` makes, one at a time, and tries each job.
fn each_damage_is_seen_or_harmless(make: &str, made: &str, names: &[&str]) {
    let place = place(make);
    let whole = files(&place.path(made));
    fs::remove_dir_all(place.path(made)).expect("removed");
    let other = format!("{SAYING}, and so on\n");
    for job in JOBS {
        let expected = run(&place, job, &whole);
        for &name in names {
            let bytes = whole.get(name).unwrap_or_else(|| panic!("no {name} in {made}"));
            for damage in damages(bytes, other.as_bytes()) {
                let mut files = whole.clone();
                let shown = damage.as_ref().map(|bytes| format!("{} bytes", bytes.len()));
                match damage {
                    None => drop(files.remove(name)),
                    Some(damage) => drop(files.insert(name.to_owned(), damage)),
                }
                let done = run(&place, job, &files);
                let is_equal = (done.code, &done.stdout) == (expected.code, &expected.stdout);
                assert!(
                    is_named(&done) || is_equal,
                    "{job}, {name} of {shown:?}:\n{done}\n\n{expected}"
                );
            }
        }
    }
}

#[test]
fn an_index() {
    let names = ["CURRENT", "MANIFEST-1", "seg-1.fps", "seg-1.txt"];
    each_damage_is_seen_or_harmless("index add made old -q", "made", &names);
}

#[test]
fn an_index_of_several_generations() {
    let place = place("index add made old -q");
    let more = place.fanmill("index add made other.txt -q").run();
    assert_eq!(more.code, Some(0), "{more}");
    let mut files = files(&place.path("made"));
    files.remove("CURRENT").expect("there is one");
    for job in JOBS {
        let done = run(&place, job, &files);
        assert!(is_named(&done), "{job}: {done}");
    }
    let added = run(&place, "index add x probe.txt", &files);
    assert!(added.stderr.contains("x/CURRENT` is damaged: it is missing"), "{added}");
}

#[test]
fn a_store() {
    let names = ["CURRENT", "MANIFEST-1", "seg-1.sift"];
    each_damage_is_seen_or_harmless("sift add --key key made old -q", "made", &names);
}

#[test]
fn a_report() {
    let names = ["report.json", "pairs.csv", "index.html", "data/overview.js"];
    each_damage_is_seen_or_harmless("compare old probe.txt -o made -q", "made", &names);
}

/// Tables beside a corpus come with records that failed, which are not texts of the corpus.
#[test]
fn tables_about_a_corpus() {
    let names = ["summary.json", "clusters.parquet", "failed.parquet", "failed/bad.jsonl"];
    let place = Place::new();
    let bad = format!("{{\"id\": \"2\", \"text\": [\"{SAYING}\"}}\n");
    let record = format!("{{\"id\": \"1\", \"text\": \"{SAYING}\"}}\n");
    place.write("probe.txt", SAYING);
    place.write("other.txt", "quite another text of few words");
    place.write("c.jsonl", &record);
    place.write("bad.jsonl", record.repeat(2) + &bad);
    for command in ["sift keygen -o key", "dedup bad.jsonl -o made -q"] {
        let done = place.fanmill(command).run();
        assert_eq!(done.code, Some(0), "{command}: {done}");
    }
    // Under another name, they are known as long as their summary is whole.
    let whole = files(&place.path("made.fanmill"));
    for job in JOBS {
        let done = run(&place, job, &whole);
        let what = "tables of Fanmill about a corpus";
        let is_no_index = done.stderr.contains("`x` is");
        assert!(said(&done).contains(what) || is_no_index, "{job}: {done}");
    }
    for job in JOBS.map(|job| job.replace(" x", " x.fanmill")) {
        for name in names {
            for damage in damages(&whole[name], b"other words") {
                fs::remove_dir_all(place.path("x.fanmill")).unwrap_or_default();
                let mut files = whole.clone();
                match damage {
                    None => drop(files.remove(name)),
                    Some(damage) => drop(files.insert(name.to_owned(), damage)),
                }
                for (name, bytes) in &files {
                    place.write(format!("x.fanmill/{name}"), bytes);
                }
                let done = run(&place, &job, &BTreeMap::new());
                assert!(!done.stdout.contains("nobody who passes by"), "{job}, {name}: {done}");
                let is_named = said(&done).contains("tables of Fanmill");
                assert!(done.code != Some(0) || is_named, "{job}, {name}: {done}");
            }
        }
    }
}

/// Without its head and its manifest, a folder is no index to search, and no texts either.
#[test]
fn a_half_copied_index() {
    let place = place("index add made old -q");
    let mut files = files(&place.path("made"));
    files.retain(|name, _| name.starts_with("seg-"));
    for job in JOBS {
        let done = run(&place, job, &files);
        assert!(is_named(&done) && !done.stderr.contains("not an index"), "{job}: {done}");
    }
}

/// A change to a whole index `x`, after which it is not an index, or looks like something else.
#[cfg(unix)]
type Lie = fn(&Place);

#[cfg(unix)]
const LIES: [(&str, Lie); 12] = [
    ("a link to it", |place| {
        fs::rename(place.path("x"), place.path("y")).expect("moved");
        std::os::unix::fs::symlink("y", place.path("x")).expect("linked");
    }),
    ("a head that is a folder", |place| {
        fs::remove_file(place.path("x/CURRENT")).expect("removed");
        fs::create_dir(place.path("x/CURRENT")).expect("made");
    }),
    ("a head that is a link", |place| {
        fs::rename(place.path("x/CURRENT"), place.path("y")).expect("moved");
        std::os::unix::fs::symlink("../y", place.path("x/CURRENT")).expect("linked");
    }),
    ("the head of a store", |place| {
        place.write("x/CURRENT", format!("fanmsift MANIFEST-1 {}\n", "0".repeat(64)));
    }),
    ("a head with the line ends of Windows", |place| {
        let head = fs::read_to_string(place.path("x/CURRENT")).expect("a head");
        place.write("x/CURRENT", head.replace('\n', "\r\n"));
    }),
    ("a head with a mark of UTF-8", |place| {
        let head = fs::read_to_string(place.path("x/CURRENT")).expect("a head");
        place.write("x/CURRENT", format!("\u{feff}{head}"));
    }),
    ("a head that names another manifest", |place| {
        let head = fs::read_to_string(place.path("x/CURRENT")).expect("a head");
        place.write("x/CURRENT", head.replace("MANIFEST-1", "MANIFEST-2"));
    }),
    ("a manifest alone", |place| {
        for name in ["CURRENT", "seg-1.fps", "seg-1.txt"] {
            fs::remove_file(place.path(format!("x/{name}"))).expect("removed");
        }
    }),
    ("segments of another number", |place| {
        for end in ["fps", "txt"] {
            let path = |n: u32| place.path(format!("x/seg-{n}.{end}"));
            fs::rename(path(1), path(2)).expect("renamed");
        }
    }),
    ("texts in place of fingerprints", |place| {
        fs::copy(place.path("x/seg-1.txt"), place.path("x/seg-1.fps")).expect("copied");
    }),
    ("a file of it in its place", |place| {
        fs::rename(place.path("x/seg-1.txt"), place.path("y")).expect("moved");
        fs::remove_dir_all(place.path("x")).expect("removed");
        fs::rename(place.path("y"), place.path("x")).expect("moved");
    }),
    ("names in small letters", |place| {
        fs::rename(place.path("x/CURRENT"), place.path("x/current")).expect("renamed");
        fs::rename(place.path("x/MANIFEST-1"), place.path("x/manifest-1")).expect("renamed");
    }),
];

/// Whatever is made of an index, each job answers as it would with the index, refuses it, or names it as not read.
#[cfg(unix)]
#[test]
fn an_index_that_is_not_what_it_seems() {
    let place = place("index add made old -q");
    let whole = files(&place.path("made"));
    fs::remove_dir_all(place.path("made")).expect("removed");
    for job in JOBS {
        let expected = run(&place, job, &whole);
        for (what, lie) in LIES {
            run(&place, "languages", &whole);
            lie(&place);
            let done = place.fanmill(job).run();
            let is_equal = (done.code, &done.stdout) == (expected.code, &expected.stdout);
            let is_left_out = done.code == Some(0) && said(&done).contains("of Fanmill");
            let is_refused = done.code == Some(3) && done.stderr.contains('x');
            assert!(is_equal || is_left_out || is_refused, "{job}, {what}: {done}\n{expected}");
            for made in ["x", "y"].map(|made| place.path(made)) {
                let removed = fs::remove_file(&made).or_else(|_| fs::remove_dir_all(&made));
                assert!(removed.is_ok() || !made.exists(), "{}", made.display());
            }
        }
    }
}

#[test]
fn an_index_in_an_archive_is_no_text() {
    let place = place("index add made old -q");
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("ix", place.path("made")).expect("packed");
    let place = place.with("ix.tar", tar.into_inner().expect("packed"));
    let done = place.fanmill("compare probe.txt --archive ix.tar").run();
    assert!(done.stderr.contains("nothing to compare: 1 of "), "{done}");
    let all = "skipped: 4 files: binary: part of an index of Fanmill: archive: CURRENT, archive: MANIFEST-1";
    assert!(done.stderr.contains(all), "{done}");
}

/// A whole folder of ours is not called damaged where another kind was asked for.
#[test]
fn one_kind_in_place_of_another() {
    let place = place("index add made old -q");
    let done = place.fanmill("sift check --key key made probe.txt").run();
    assert!(done.stderr.contains("`made` is an index of Fanmill, not a store"), "{done}");
    let made = place.fanmill("sift add --key key store old -q").run();
    assert_eq!(made.code, Some(0), "{made}");
    let done = place.fanmill("search store probe.txt").run();
    assert!(
        done.stderr.contains("`store` is a store of Fanmill for sifting, not an index"),
        "{done}"
    );
}

/// An index that lost `CURRENT` before it had a second generation is as good as before.
#[test]
fn the_first_generation_needs_no_head() {
    let place = place("index add made old -q");
    fs::remove_file(place.path("made/CURRENT")).expect("removed");
    let found = place.fanmill("search made probe.txt").run();
    assert!(found.code == Some(0) && found.stdout.contains("old"), "{found}");
    let added = place.fanmill("index add made other.txt -q").run();
    assert_eq!(added.code, Some(0), "{added}");
    let found = place.fanmill("search made probe.txt").run();
    assert!(found.code == Some(0) && found.stdout.contains("old"), "{found}");
}
