//! `compare --anonymous --title --open`: what is printed and written names nobody.

use std::fs;
use std::path::Path;

use crate::place::Place;

/// Shared by two submissions, the base and the archive.
const SHARED: &str = "static int total(int[] values, int factor) { int sum = 0; for (int i = 0; i < values.length; i++) \
    { sum += values[i] * factor; if (sum > 1000) { sum = sum / 2 + factor; } } return sum - factor * 3; }\n";

/// A batch with names wherever a name can be: folders, files, a list's columns, a broken archive, a text with hidden
/// characters, base and archive.
fn batch() -> Place {
    let list = "file,submission,author,label,submitted\n\
                in/Quillfeather_4711_file,Quillfeather,Zebediah Quillfeather,Ottoline class,2026-03-01T10:00:00Z\n\
                in/wimplestone,wimplestone,Ägidius Wimplestone,Ottoline class,2026-03-02T10:00:00Z\n";
    let text = |name: &str| format!("// by {name}\nclass {name}Work {{\n{SHARED}}}\n");
    Place::new()
        .with("list.csv", list)
        .with("in/Quillfeather_4711_file/quillfeather.java", text("Quillfeather"))
        .with("in/Quillfeather_4711_file/Zebediah.zip", "PK\u{3}\u{4} broken")
        .with("in/wimplestone/Wimplestone.java", text("Wimplestone"))
        .with(
            "in/wimplestone/wimplestone notes.txt",
            "Words of \u{202e}Ägidius\u{202c} that nobody else has.\n",
        )
        .with("in/wimplestone/wimplestone.png", [0, 1, 2, 0, 255])
        .with("Hoggleton/handout.java", "class Hoggleton { int given; }\n")
        .with("old/Brackenbury/Brackenbury.java", text("Brackenbury"))
}

const NAMES: [&str; 8] = [
    "quillfeather",
    "zebediah",
    "wimplestone",
    "ägidius",
    "ottoline",
    "brackenbury",
    "hoggleton",
    "4711",
];

const COMPARE: &str = "compare list.csv --base Hoggleton --archive old";

#[track_caller]
fn names_nobody(text: &str, place: &str) {
    // Hidden and foreign characters may be written as escapes.
    let text = text.replace("\\u00c4", "Ä").replace("\\u00e4", "ä").to_lowercase();
    for name in NAMES {
        assert!(!text.contains(name), "{place} names {name}: {text}");
    }
}

/// Every file below a folder: its path there, and its text.
fn files(dir: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.push((path.file_name().unwrap().to_string_lossy().into_owned(), text));
        }
    }
    found
}

#[test]
fn nothing_that_is_printed_or_written_names_anybody() {
    let place = batch();
    for format in ["table", "json", "csv"] {
        let done = place.fanmill(&format!("{COMPARE} --anonymous --format {format} -o out")).run();
        assert_eq!(done.code, Some(0), "{done}");
        assert!(done.stdout.contains("Submission"), "{done}");
        names_nobody(&done.stdout, "standard output");
        names_nobody(&done.stderr, "standard error");
    }
    let written = files(&place.path("out"));
    assert!(
        written.iter().any(|(_, text)| text.contains("xxxxxxxxxxxxWork")),
        "texts are there, covered"
    );
    for (name, text) in written {
        names_nobody(&name, "a file's name");
        if !["app.js", "app.css"].contains(&name.as_str()) {
            names_nobody(&text, &name);
        }
    }
}

#[test]
fn the_result_is_that_of_the_names() {
    let place = batch();
    let scores = |flags: &str| {
        let report = place.fanmill(&format!("{COMPARE} {flags}")).report();
        let mut scores: Vec<(f64, u64)> =
            report.pairs.iter().map(|pair| (pair.score, pair.matched)).collect();
        scores.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        (scores, report.inputs)
    };
    let named = scores("");
    assert!(!named.0.is_empty());
    assert_eq!(scores("--anonymous"), named);
}

#[test]
fn a_title_stands_in_the_report_and_a_page_that_cannot_be_opened_is_a_note() {
    let place = batch();
    let report = place.fanmill("compare in --title Week-1").report();
    assert_eq!(report.title.as_deref(), Some("Week-1"));
    let done = place.fanmill("compare in -o out --title Week-1 --open").env("PATH", "").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stderr.contains("note: the page could not be opened ("), "{done}");
    let overview = fs::read_to_string(place.path("out/data/overview.js")).unwrap();
    assert!(
        overview.contains("\"title\":\"Week-1\"") || overview.contains("\"title\": \"Week-1\"")
    );
    let done = place.fanmill("compare in --open").run();
    assert_eq!(done.code, Some(2), "{done}");
}

#[test]
fn a_language_is_one_that_the_page_has_words_for() {
    let place = batch();
    let report = place.fanmill("compare in --language de").report();
    assert_eq!(report.page_language.as_deref(), Some("de"));
    let done = place.fanmill("compare in -o out --language de").run();
    assert_eq!(done.code, Some(0), "{done}");
    let overview = fs::read_to_string(place.path("out/data/overview.js")).unwrap();
    assert!(overview.replace(": ", ":").contains("\"page_language\":\"de\""), "{overview}");
    assert_eq!(place.fanmill("compare in --language auto").report().page_language, None);
    let done = place.fanmill("compare in --language xx").run();
    assert_eq!(done.code, Some(2), "{done}");
    assert!(
        done.stderr.contains("--language `xx` is not a language of the page; give de, en, or auto"),
        "{done}"
    );
}
