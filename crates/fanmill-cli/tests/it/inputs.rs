//! Other shapes of input: notebooks, manifests, links, pipes, boilerplate by count.

use fanmill::base::Boilerplate;
use fanmill_text::document::Outcome;
use insta::assert_snapshot;

use crate::beside::{report, two_copies};
use crate::place::{Place, example, examples};
use crate::report::Ask;
use crate::run::Run;

/// A notebook with one cell of code for every function of a Python program.
fn notebook(program: &str) -> String {
    let mut cells: Vec<Vec<String>> = vec![Vec::new()];
    for line in program.split_inclusive('\n') {
        if line.starts_with("def ") || line.starts_with("class ") {
            cells.push(Vec::new());
        }
        cells.last_mut().expect("a cell").push(line.to_owned());
    }
    let cell = |source: Vec<String>| {
        serde_json::json!({
            "cell_type": "code", "execution_count": 1, "metadata": {},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["never compared\n"]}],
            "source": source,
        })
    };
    let notes = serde_json::json!({
        "cell_type": "markdown", "metadata": {},
        "source": ["# My own work\n", "I had a lot of fun with this exercise, honestly."],
    });
    let cells: Vec<_> = [notes].into_iter().chain(cells.into_iter().map(cell)).collect();
    serde_json::json!({
        "cells": cells, "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"language_info": {"name": "python"}},
    })
    .to_string()
}

#[test]
fn a_notebook_copied_from_a_program() {
    let lena = example("assignment/submissions/lena/inventory.py");
    let place = Place::new()
        .with("in/lena/inventory.py", &lena)
        .with("in/max/homework.ipynb", notebook(&lena))
        .with("in/kofi/inventory.py", example("assignment/submissions/kofi/inventory.py"));
    let report = place.fanmill("compare in").report();
    assert_eq!(report.names(&report.pairs[0]), ("lena", "max"));
    let pair = &report.pairs[0];
    assert!(pair.score > 0.9 && pair.containment_a > 0.9, "{pair:?}");
    assert_eq!(report.of("max").files[0].language, "notebook");
    // Both sides of a match have the same words; one side has them with JSON's escapes.
    let original = std::fs::read(place.path("in/max/homework.ipynb")).expect("a notebook");
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    for found in pair.passages.iter().flat_map(|passage| &passage.matches) {
        let program = &lena[found.a.start as usize..found.a.end as usize];
        let cell = &original[found.b.start as usize..found.b.end as usize];
        let cell = String::from_utf8(cell.to_vec()).expect("UTF-8");
        let cell = cell
            .replace("\\n", "\n")
            .replace("\\\"", "\"")
            .replace("\\\\", "\\")
            .replace("\",\"", "");
        let head = |text: &str| letters(text).chars().take(30).collect::<String>();
        assert_eq!(head(program), head(&cell));
    }
}

/// A document is read several times, for tokens and for evidence.
#[test]
fn an_order_for_one_submission_holds_whenever_it_is_read() {
    let chunk = "x <- c(1, 2, 3)\ny <- mean(x)\nfor (i in x) {\n  print(i + y)\n}\nplot(x, y)\n";
    let text = |title: &str| {
        let prose = "The means of all three were taken, and each was printed with its own plot.\n";
        format!("# {title}\n\n{prose}\n```{{r}}\n{}```\n\n{prose}", chunk.repeat(4))
    };
    let place = Place::new()
        .with("in/ada/r.Rmd", text("First"))
        .with("in/bo/r.Rmd", text("Second"))
        .with("in/cy/r.R", chunk.repeat(4));
    let languages = |order: &str| {
        let report = place.fanmill("compare in --min-score 0 -o out --lang").arg(order).report();
        assert!(!report.pairs.is_empty());
        let language = |i: usize| report.submissions[i].files[0].language.clone();
        [0, 1, 2].map(language)
    };
    assert_eq!(languages("ada/**=r,words"), ["markdown with code", "words", "words"]);
    assert_eq!(languages("ada/**=words"), ["words", "markdown with code", "r"]);
    assert_eq!(languages("*.Rmd=java"), ["markdown with code", "markdown with code", "r"]);
    let pair = |order: &str| {
        let report = place.fanmill("compare in --min-score 0 --lang").arg(order).report();
        let of = |pair: &&fanmill::report::Pair| (pair.a, pair.b) == (0, 2);
        report.pairs.iter().find(of).map_or(0.0, |pair| pair.score)
    };
    let (as_r, as_java) = (pair("ada/**=r"), pair("ada/**=java"));
    assert!(as_r > 0.9 && as_java < as_r, "{as_r} {as_java}");
}

#[test]
fn a_manifest_lists_files_with_author_label_and_time() {
    let lena = example("assignment/submissions/lena/inventory.py");
    let place = Place::new()
        .with("work/1.py", &lena)
        .with("work/2.py", &lena)
        .with("work/3.py", "x = 1\n")
        .with(
            "list.csv",
            "file,author,label,submitted\n\
         work/1.py,\"Lovelace, Ada\",a,2026-01-01\n\
         work/2.py,=cmd|' /C calc'!A0,b,2026-01-02\n\
         work/nowhere.py,Nobody,b,\n\
         ../../../etc/passwd,Mallory,b,\n",
        );
    let report = place.fanmill("compare list.csv").report();
    assert!(report.score("work/1.py", "work/2.py") >= 1.0, "{:#?}", report.submissions);
    assert_eq!(report.of("work/1.py").author.as_deref(), Some("Lovelace, Ada"));
    assert_eq!(report.of("work/2.py").submitted.as_deref(), Some("2026-01-02"));
    for lost in ["nowhere.py", "passwd"] {
        let named = report.notices.iter().any(|notice| {
            notice.outcome != Outcome::Flagged
                && (notice.submission.contains(lost) || notice.path.contains(lost))
        });
        assert!(named, "{lost}: {:#?}", report.notices);
    }
    assert!(!report.submissions.iter().any(|s| s.name.ends_with("3.py")), "not on the list");
    let csv = place.fanmill("compare list.csv --format csv --quiet").run().stdout;
    assert!(csv.contains("\"Lovelace, Ada\"") && csv.contains("'=cmd|"), "{csv}");
}

#[test]
fn styled_letters_alone_are_no_suspicion() {
    let place =
        Place::new().with("in/a.txt", "The sum is 𝑎𝑏𝑐𝑑𝑒 here.").with("in/b.txt", "No more.");
    let report = place.fanmill("compare in").report();
    let said: Vec<String> = report.notices.iter().map(|notice| notice.reason.to_string()).collect();
    assert_eq!(said, ["holds 5 styled letters, as formulas do; they are compared as plain ones"]);
    place.write("in/a.txt", "The sum is 𝑎𝑏𝑐𝑑𝑒 h\u{200B}ere.");
    let report = place.fanmill("compare in").report();
    assert!(report.notices[0].reason.to_string().ends_with("styled letters"), "{report:?}");
}

#[test]
fn inputs_of_one_name_are_each_accounted_for() {
    // They were once counted as one, because notices did not say in which role an input was read.
    let place = Place::new().with("in/bob/b.py", "x = 1\n").with("old/ada/b.py", "y = 1\n");
    for role in ["in", "old", "base"] {
        place.write(format!("{role}/ada/a.py"), "");
    }
    let run = place.fanmill("compare in --archive old --base base");
    assert_snapshot!(run.run(), @r"
    exit: 0
    --- stdout
    no two submissions share a passage of 24 tokens of code or more
    --- stderr

    took 1 folder and 1 input without readable text as submissions: ada, bob; --group-by changes that
    took 1 folder as an earlier submission: ada; --group-by changes that
    2 compared of 3 submissions, 5 files seen: 2 compared, 0 degraded, 3 skipped, 0 failed
    code: a shared passage of 24 tokens of code or more is always found; nothing shorter than 11 is ever shown, unless one of the two submissions has fewer than 150 tokens of code
    code: if one of the two submissions has fewer than 150 tokens of code, a shared passage of 12 tokens of code or more is always found; nothing shorter than 8 is ever shown
    0 of 3 pairs were scored; none of them shares a passage
    skipped: 3 files: empty: ada: a.py, archive: ada: a.py, base: ada: a.py
    3 submissions, 3 pairs, none listed; 3 notices
    ");
}

#[test]
fn a_faulty_manifest_is_an_input_besides_what_it_names() {
    // It was once counted against a document that was compared whole.
    let place = Place::new().with("1.py", "x = 1\n").with("2.py", "y = 2\n");
    place.write("list.csv", "file,author\n1.py,Ada\n2.py,Bob,Smith\n");
    let report = place.fanmill("compare list.csv").report();
    report.check_account();
    assert_eq!((report.inputs.seen, report.inputs.compared, report.inputs.degraded), (3, 2, 1));
}

#[test]
fn what_too_many_hold_is_grey_with_max_docs() {
    let place = Place::new();
    let shared = "def load(path):\n    with open(path) as lines:\n        return [line.strip().split(',') for line in lines if line]\n";
    for (i, operator) in ["+", "-", "~", "not", "3 *", "4 /"].iter().enumerate() {
        let own: Vec<String> = (0..10 + i).map(|j| format!("v{j} = {operator} {j}\n")).collect();
        place.write(format!("in/{i}/a.py"), shared.to_owned() + &own.concat());
    }
    assert!(!place.fanmill("compare in").report().pairs.is_empty());
    let report = place.fanmill("compare in --max-docs 50%").report();
    assert_eq!(report.settings.max_docs, Some(3));
    for submission in &report.submissions {
        let greys = &submission.files[0].boilerplate;
        assert!(greys.iter().any(|grey| grey.why == Boilerplate::Frequent), "{submission:?}");
    }
}

#[test]
fn a_share_of_a_small_class_does_not_grey_out_all_copies() {
    // 30 % of four submissions is one, and because of that no copy was found once.
    let essays = Run::new("compare essays --max-docs 30%").inside(&examples()).report();
    assert!(essays.score("nora.md", "petra.txt") > 0.9);
}

#[test]
fn a_csv_that_is_no_manifest_is_one_document() {
    let place = Place::new().with("marks.csv", "name,mark\nada,1\n");
    let report = place.fanmill("compare marks.csv").report();
    report.check_account();
    assert_eq!((report.inputs.seen, report.inputs.degraded), (1, 1));
    assert!(report.notices.iter().any(|notice| notice.reason.contains("no column is called file")));
}

#[test]
fn a_submission_shorter_than_the_guarantee_takes_part() {
    let place = two_copies();
    let short = "for k, v in items:\n    print(k, v + 1)\n";
    place.write("in/short1/a.py", short);
    place.write("in/short2/a.py", short);
    let report = report(&place);
    assert!(report.of("short1").tokens < 24);
    assert!(report.score("short1", "short2") >= 1.0);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_link_out_of_the_root_is_not_followed() {
        let place = two_copies().with("secret/key.py", "password = 'hunter2'\n".repeat(20));
        place.write("in/odd/own.py", "x = 1\n");
        symlink(place.path("secret"), place.path("in/odd/folder")).expect("a link");
        symlink(place.path("secret/key.py"), place.path("in/odd/key.py")).expect("a link");
        symlink("/dev/zero", place.path("in/zero.py")).expect("a link");
        symlink("../in", place.path("in/odd/circle")).expect("a link");
        let report = report(&place);
        assert_eq!(report.of("odd").files.len(), 1);
        let said = report.said_of("odd");
        assert_eq!(said.len(), 3, "{said:#?}");
        assert!(said.iter().all(|notice| notice.reason.contains("symbolic link")), "{said:#?}");
        assert!(report.of("zero.py").files.is_empty());
    }

    #[test]
    fn a_pipe_is_named_and_never_opened() {
        let place = two_copies().with("in/odd/own.py", "x = 1\n");
        let status = Command::new("mkfifo").arg(place.path("in/odd/pipe.py")).status();
        assert!(status.expect("mkfifo").success());
        let report = report(&place);
        assert_eq!(report.said_of("odd")[0].reason, "special file: a pipe");
    }
}

#[test]
fn the_work_of_a_term_is_compared_by_person() {
    let shared = example("assignment/submissions/hana/inventory.py");
    let half = shared.len() / 2;
    let half = half + shared[half..].find("\ndef ").expect("a function");
    // Two halves of a program, each copied in another week.
    let place = Place::new()
        .with("week1/ada.py", &shared[..half])
        .with("week1/bo.py", &shared[..half])
        .with("week2/ada.py", &shared[half..])
        .with("week2/bo.py", &shared[half..])
        .with("week2/cy.py", "print('hello')\n");
    let report = place.fanmill("compare --task week1 --task week2").report();
    let names: Vec<&str> = report.submissions.iter().map(|own| &*own.name).collect();
    assert_eq!(names, ["ada", "bo", "cy"]);
    let paths: Vec<&str> = report.submissions[0].files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["week1/ada.py", "week2/ada.py"]);
    assert_eq!(report.pairs.len(), 1);
    assert!(report.pairs[0].containment_a > 0.9, "{:?}", report.pairs[0]);
    let one = place.fanmill("compare --task week2").report();
    assert_eq!(one.submissions.len(), 3);
    let done = place.fanmill("compare --task week1 --task week2 --group-by file").run();
    assert_eq!(done.code, Some(2), "{done}");
}

/// Puts what is in `inside` below 25 folders of long names, whose path no system takes.
#[cfg(unix)]
fn sink(place: &Place, inside: &str) {
    let (inner, outer) = (place.path(inside), place.path("outer"));
    for _ in 0..25 {
        std::fs::create_dir(&outer).expect("made");
        std::fs::rename(&inner, outer.join("d".repeat(200))).expect("moved in");
        std::fs::rename(&outer, &inner).expect("moved back");
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_is_too_long_is_named_in_every_job_and_all_else_is_done() {
    let saying = "who digs a pit for others will fall into it himself and lie there till morning";
    let place = Place::new()
        .with("in/deep/deep.txt", saying)
        .with("in/one.txt", saying)
        .with("in/two.txt", "quite another text of a few words that nobody has written before");
    sink(&place, "in/deep");
    let keygen = place.fanmill("sift keygen -o key").run();
    assert_eq!(keygen.code, Some(0), "{keygen}");
    for job in [
        "compare in",
        "dedup in -o out",
        "index add index in",
        "search index in",
        "sift add --key key store in",
        "sift check --key key store in",
        "text in",
    ] {
        let done = place.fanmill(job).run();
        assert!([Some(0), Some(1)].contains(&done.code), "{job}: {done}");
        let named = format!("{0}/{0}/{0}", "d".repeat(200));
        let all = format!("{}{}", done.stdout, done.stderr);
        assert!(all.contains(&named), "{job}: {done}");
        assert!(!all.contains("deep.txt`"), "{job}: {done}");
    }
    let kept = std::fs::read_dir(place.path("out")).expect("the corpus").count();
    assert_eq!(kept, 2);
}
