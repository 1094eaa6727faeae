//! Lists beside the submissions that they describe, times of hand-in, and what counts as a submission.

use std::fs::{self, File};
use std::io::Write;

use crate::place::{Place, example};
use crate::report::Ask;

/// Three submissions in `course/submissions`, each a folder.
fn course() -> Place {
    let place = Place::new();
    for name in ["ada", "bob", "cem"] {
        let text = example("essays/nora.md");
        place.write(format!("course/submissions/{name}/essay.md"), format!("{name}\n{text}"));
    }
    place
}

const MOODLE: [&str; 3] =
    ["Sunday, 1 March 2026, 5:42 PM", "Sunday, 1 March 2026, 17:43", "2026-03-01 17:44:05 UTC"];

/// A list, each row of which begins with `before`.
fn list(before: &str) -> String {
    let rows = ["ada", "bob", "cem"].into_iter().zip(MOODLE);
    let rows = rows.map(|(name, time)| format!("{before}{name},Author {name},\"{time}\"\n"));
    "file,author,submitted\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn a_list_beside_a_folder_describes_what_lies_in_it() {
    for (file, before) in [
        // By the list's folder, by the given path, and by a file in the submission.
        ("course/manifest.csv", "submissions/"),
        ("course/hand-ins.CSV", ""),
        ("list.csv", "course/submissions/"),
        ("elsewhere/list.csv", "./"),
    ] {
        let place = course().with(file, list(before));
        for arguments in
            [format!("course/submissions {file}"), format!("{file} course/submissions")]
        {
            let report = place.fanmill(&format!("compare {arguments}")).report();
            let names: Vec<&str> = report.submissions.iter().map(|s| s.name.as_str()).collect();
            assert_eq!(names, ["ada", "bob", "cem"], "{arguments}");
            assert_eq!(report.notices.len(), 0, "{arguments}: {:?}", report.notices);
            let times = ["2026-03-01T17:42:00", "2026-03-01T17:43:00", "2026-03-01T17:44:05Z"];
            for (name, time) in names.iter().zip(times) {
                let submission = report.of(name);
                assert_eq!(submission.author.as_deref(), Some(&*format!("Author {name}")));
                assert_eq!(submission.submitted.as_deref(), Some(time));
            }
            let done = place.fanmill(&format!("compare {arguments}")).run();
            let list = file.rsplit('/').next().expect("a name");
            let said = format!(
                "took 3 folders as submissions: ada, bob, cem; what is known of them is from {list}; \
                 --group-by changes that\n"
            );
            assert!(done.stderr.contains(&said), "{done}");
        }
    }
}

#[test]
fn a_list_beside_several_paths_describes_them() {
    let place = course().with("course/list.csv", list("submissions/"));
    let paths = ["ada", "bob", "cem"].map(|name| format!("course/submissions/{name}"));
    let done = place.fanmill(&format!("compare {} course/list.csv", paths.join(" "))).report();
    assert_eq!(done.submissions.len(), 3);
    assert!(done.submissions.iter().all(|submission| submission.author.is_some()), "{done:#?}");
}

#[test]
fn a_table_that_lists_nothing_is_named_beside_a_folder() {
    let place = course().with("grades.csv", "name,grade\nada,1\n");
    let done = place.fanmill("compare course/submissions grades.csv").run();
    let said =
        "degraded: grades.csv: read as a document: no column is called file, path or filename";
    assert!(done.stderr.contains(said), "{done}");
    assert!(done.stderr.contains("took 1 folder and 1 file as submissions: "), "{done}");
    // Tables may be compared themselves.
    let place = Place::new().with("a.csv", list("")).with("b.csv", list(""));
    let done = place.fanmill("compare a.csv b.csv").run();
    assert!(!done.stderr.contains("no column is called"), "{done}");
    assert!(done.stdout.contains("a.csv") && done.stdout.contains("b.csv"), "{done}");
}

#[test]
fn a_time_that_cannot_be_read_is_named_with_what_can() {
    let csv = "file,submitted\nada,1 März 2026\nbob,-\ncem,2026-03-01\n";
    let place = course().with("course/submissions/manifest.csv", csv);
    let done = place.fanmill("compare course/submissions").run();
    let said = "degraded: manifest.csv: line 2 has the time `1 März 2026`, which cannot be read; write \
                `2026-03-01 17:42`, `2026-03-01T17:42:00Z` or `Sunday, 1 March 2026, 5:42 PM`\n";
    assert!(done.stderr.contains(said), "{done}");
    let report = place.fanmill("compare course/submissions").report();
    assert_eq!(report.of("ada").submitted.as_deref(), Some("1 März 2026"), "kept as it is written");
    assert_eq!(report.of("bob").submitted, None);
    let done = place.fanmill("compare course/submissions --strict").run();
    assert_eq!(done.code, Some(4), "{done}");
}

#[test]
fn what_was_taken_for_a_submission_is_said() {
    let place = course().with("course/handout/essay.md", example("essays/petra.txt"));
    for name in ["dora", "emil", "finn"] {
        place.write(format!("course/submissions/{name}.md"), "a text of its own, and short");
    }
    for name in ["ada", "bob"] {
        place.write(format!("other/{name}/essay.md"), "another text, and as short");
    }
    let mut zip = zip::ZipWriter::new(File::create(place.path("all.zip")).expect("a file"));
    for name in ["ada", "bob"] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("{name}/essay.md"), options).expect("an entry");
        zip.write_all(b"one two three").expect("written");
    }
    zip.finish().expect("an archive");
    for (arguments, said) in [
        ("compare course", "took 2 folders as submissions: handout, submissions; "),
        (
            "compare course/submissions",
            "took 3 folders and 3 files as submissions: ada, bob, cem, dora.md, emil.md and 1 more; ",
        ),
        (
            "compare course/submissions/ada course/submissions/dora.md",
            "took 1 folder and 1 file as submissions: ada, dora.md; ",
        ),
        ("compare course/submissions/ada", "took 1 file as a submission: essay.md; "),
        ("compare course/submissions/ada other/ada other/bob", "took 3 folders as submissions: "),
        ("compare all.zip", "took 2 entries of all.zip as submissions: ada, bob; "),
        ("compare course/submissions --archive course/handout", "took 3 folders and 3 files as "),
    ] {
        let done = place.fanmill(arguments).run();
        assert!(done.stderr.contains(said), "{arguments}: {done}");
        assert!(done.stderr.contains("; --group-by changes that\n"), "{arguments}: {done}");
        let quiet = place.fanmill(&format!("{arguments} --quiet")).run();
        let is_alone = arguments == "compare course/submissions/ada";
        assert_eq!(quiet.stderr.is_empty(), !is_alone, "{arguments}: {quiet}");
    }
    // Someone who says what a submission is need not be told.
    for chosen in ["child", "file", "root"] {
        let done = place.fanmill(&format!("compare course --group-by {chosen}")).run();
        assert!(!done.stderr.contains("took "), "{chosen}: {done}");
    }
    let done = Place::fanmill(&place, "compare .").inside(&place.path("course")).run();
    assert!(
        done.stderr.contains("took 2 folders as submissions: handout, submissions; "),
        "{done}"
    );
}

/// They are counted as what they were read as, whatever their names look like.
#[test]
fn archives_folders_and_files_are_told_apart() {
    let place = Place::new();
    let text = example("essays/nora.md");
    for name in ["a.zip", "b.zip"] {
        let mut zip = zip::ZipWriter::new(File::create(place.path(name)).expect("a file"));
        for entry in ["one.md", "two.md"] {
            let plain = zip::write::SimpleFileOptions::default();
            zip.start_file(entry, plain).expect("an entry");
            zip.write_all(text.as_bytes()).expect("written");
        }
        zip.finish().expect("an archive");
    }
    place.write("hh/notes/notes", &text);
    place.write("hh/x", &text);
    fs::copy(place.path("a.zip"), place.path("hh/c.zip")).expect("copied");
    place.write("list.csv", "file,author\none.md,Ada\n");
    for (arguments, said) in [
        ("a.zip b.zip", "took 2 archives as submissions: "),
        ("a.zip", "took 2 entries of a.zip as submissions: one.md, two.md; "),
        ("a.zip list.csv", "took 2 entries of a.zip as submissions: "),
        ("hh", "took 1 folder, 1 archive and 1 file as submissions: "),
        ("hh/notes a.zip hh/x", "took 1 folder, 1 archive and 1 file as submissions: "),
    ] {
        let done = place.fanmill(&format!("compare {arguments}")).run();
        assert!(done.stderr.contains(said), "{arguments}: {done}");
    }
}

#[test]
fn a_notice_names_its_file_once() {
    let place = course().with("empty.md", "");
    let done = place.fanmill("compare course/submissions empty.md --group-by root").run();
    assert!(done.stderr.contains("skipped: empty.md: empty\n"), "{done}");
    place.write("course/submissions/none.md", "");
    let done = place.fanmill("compare course/submissions").run();
    assert!(done.stderr.contains("skipped: none.md: empty\n"), "{done}");
    let done = place.fanmill("compare course --group-by file").run();
    assert!(done.stderr.contains("skipped: submissions/none.md: empty\n"), "{done}");
}
