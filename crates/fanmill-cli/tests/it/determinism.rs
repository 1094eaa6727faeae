//! Same input, same bytes out: at any number of threads, in any order, anywhere, at any time.

use std::fs;
use std::path::Path;

use fanmill_kernel::InstructionSet;

use crate::place::{Place, examples};
use crate::run::Run;
use crate::sift::place_with_keys;

/// All files of a report with their bytes, ascending.
fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("inside").to_string_lossy().into_owned();
                files.push((name, fs::read(path).expect("a file")));
            }
        }
    }
    files.sort();
    files
}

/// The output of a run, to a folder and to standard output.
fn written(run: Run) -> (String, Vec<(String, Vec<u8>)>) {
    let place = Place::new();
    let done = run.arg("--quiet").arg("-o").arg(place.path("report")).run();
    assert_eq!(done.code, Some(0), "{done}");
    (done.stdout, files(&place.path("report")))
}

const ASSIGNMENT: &str = "compare assignment/submissions essays --group-by child \
                          --base assignment/handout --archive assignment/last-year --max-docs 50%";

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let with = |threads: &str| {
        written(Run::new(&format!("{ASSIGNMENT} --threads {threads}")).inside(&examples()))
    };
    let one = with("1");
    let names: Vec<&str> = one.1.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["report.json", "pairs.csv", "clusters.csv", "index.html", "data/pairs/0001.js"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for threads in ["2", "8"] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

/// Records in several scripts, of which every fifth is nearly the one before.
fn records() -> String {
    let words = "the Größe café don’t это слово ἀγορά λόγος كلمة 漢字 かな ไทย ํน้ำ 한국어 हिन्दी ılık ﬁne x2 snake_case \u{200b}";
    let words: Vec<&str> = words.split(' ').collect();
    let text = |i: usize| {
        let word = |j: usize| words[(i * 31 + j * (i % 7 + 3) + j * j) % words.len()];
        (0..40 + i % 90).map(word).collect::<Vec<_>>().join(" ")
    };
    let texts = (0..300).map(|i| if i % 5 == 4 { text(i - 1) + " more" } else { text(i) });
    texts.map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect::<Vec<_>>().concat()
}

#[test]
fn every_kernel_gives_the_same_bytes() {
    let with = |kernel: &str| {
        let place = place_with_keys();
        place.write("in.jsonl", records());
        let texts = examples().join("sift").to_string_lossy().into_owned();
        let said = [
            "dedup in.jsonl -o out --quiet".to_owned(),
            format!("index add ix {texts}/originals"),
            format!("search ix {texts}/suspects --format json"),
            format!("sift add --key a.key s.sift {texts}/originals"),
            format!("sift check --key a.key s.sift {texts}/suspects --format json"),
        ]
        .map(|arguments| {
            let done = place.fanmill(&arguments).env("FANMILL_KERNEL", kernel).run();
            assert!(done.code.is_some_and(|code| code < 2), "{arguments}: {done}");
            done.stdout
        });
        let report = Run::new(ASSIGNMENT).env("FANMILL_KERNEL", kernel).inside(&examples());
        let mut corpus = files(&place.path("out"));
        corpus.extend(files(&place.path("out.fanmill")));
        // It says how long the run took.
        corpus.retain(|(name, _)| name != "summary.json");
        (said, written(report), corpus, place.store("s.sift"))
    };
    let scalar = with("scalar");
    assert!(scalar.0.iter().all(|said| !said.is_empty() || said == &scalar.0[1]));
    for set in InstructionSet::available().skip(1) {
        assert!(with(set.name()) == scalar, "{set}");
    }
}

#[test]
fn any_order_of_paths_gives_the_same_bytes() {
    let root = examples().join("assignment/submissions");
    let mut names: Vec<String> = fs::read_dir(&root)
        .expect("submissions")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    let with = |names: &[String]| {
        written(Run::new(&format!("compare --group-by root {}", names.join(" "))).inside(&root))
    };
    let sorted = with(&names);
    names.reverse();
    assert!(with(&names) == sorted, "reversed");
    for by in [3, 7] {
        // Every `by`-th, going round the list: 13 is prime.
        let shuffled: Vec<String> =
            (0..names.len()).map(|i| names[i * by % names.len()].clone()).collect();
        assert!(with(&shuffled) == sorted, "{shuffled:?}");
    }
}

#[test]
fn files_written_in_another_order_give_the_same_bytes() {
    let with = |order: &[&str]| {
        let place = Place::new();
        for name in order {
            place.write(format!("in/{name}/a.py"), "def f(x):\n    return x + 1\n".repeat(20));
        }
        written(place.fanmill("compare in"))
    };
    assert!(with(&["b", "a", "d", "c"]) == with(&["c", "d", "a", "b"]));
}

#[test]
fn locale_time_zone_and_folder_change_nothing() {
    let here = written(Run::new(ASSIGNMENT).inside(&examples()));
    let run = Run::new(ASSIGNMENT).inside(&examples());
    let there = run
        .env("LC_ALL", "tr_TR.UTF-8")
        .env("LANG", "tr_TR.UTF-8")
        .env("TZ", "Pacific/Kiritimati")
        .env("HOME", "/nonexistent")
        .env("COLUMNS", "40")
        .env("TERM", "xterm-256color");
    assert!(written(there) == here);
    let root = examples();
    let from_root = Run::new(
        &ASSIGNMENT
            .replace("assignment", &format!("{}/assignment", root.display()))
            .replace(" essays", &format!(" {}/essays", root.display())),
    );
    assert!(written(from_root.inside(Path::new("/"))) == here, "from another folder");
}

#[test]
fn no_path_of_this_machine_is_in_a_report() {
    let (_, files) = written(Run::new(ASSIGNMENT).inside(&examples()));
    let root = examples().to_string_lossy().into_owned();
    for (name, bytes) in files {
        assert!(!String::from_utf8(bytes).expect("UTF-8").contains(&root), "{name}");
    }
}
