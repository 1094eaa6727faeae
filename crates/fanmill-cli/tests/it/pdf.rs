//! PDF, read in a process of its own, whatever the documents do to it.

#[path = "../../../fanmill-extract/src/pdf/made.rs"]
mod made;

use std::fmt::Write;

use fanmill::report::Report;
use serde_json::Value;

use crate::place::{Place, example};
use crate::run::Run;
use crate::sift::place_with_keys;
use made::{PdfBuilder, text};

/// An essay of so many words, none of which comes twice in a row of ten.
fn essay(seed: u64, n_words: usize) -> Vec<String> {
    let mut state = seed;
    let word = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let syllables = ["ba", "ke", "li", "mo", "nu", "pra", "sti", "ter"];
        (0..3).map(|i| syllables[(state >> (33 + 3 * i)) as usize % 8]).collect()
    };
    (0..n_words).map(word).collect()
}

/// Words as a document with pages of 40 lines, a header, and page numbers.
fn document(words: &[String]) -> Vec<u8> {
    let mut made = PdfBuilder::default();
    for (page, words) in words.chunks(400).enumerate() {
        let mut content = text(50.0, 780.0, 9.0, "A Term Paper");
        for (line, words) in words.chunks(10).enumerate() {
            content += &text(50.0, 740.0 - 15.0 * line as f64, 11.0, &words.join(" "));
        }
        content += &text(300.0, 20.0, 9.0, &format!("{}", page + 1));
        made = made.page(&content);
    }
    made.finish()
}

/// A form that draws itself twice, over and over: 2^30 times in all.
fn endless() -> Vec<u8> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources 4 0 R";
    let mut made = PdfBuilder::default().page("/F0 Do");
    for i in 0..30 {
        made = made.drawn(&format!("F{i}"), form, &format!("/F{} Do /F{} Do", i + 1, i + 1));
    }
    made.drawn("F30", form, "BT /F1 9 Tf (x) Tj ET").finish()
}

/// What a report says of its inputs.
fn notices(report: &Report) -> String {
    format!("{:?}", report.notices)
}

#[test]
fn a_passage_is_found_in_a_pdf_although_every_tenth_word_is_changed() {
    let source = essay(1, 1500);
    let other = essay(2, 1500);
    let mut copy = other[..700].to_vec();
    let changed =
        |(i, word): (usize, &String)| if i % 10 == 9 { "other".to_owned() } else { word.clone() };
    copy.extend(source[600..900].iter().enumerate().map(changed));
    let place = Place::new()
        .with("in/source.pdf", document(&source))
        .with("in/copy.pdf", document(&copy))
        .with("in/unrelated.txt", essay(3, 1500).join(" "));
    let report = place.fanmill("compare in").report();
    assert_eq!((report.submissions.len(), report.pairs.len()), (3, 1), "{report:?}");
}

#[test]
fn documents_that_cannot_be_read_are_named_and_leave_the_others_alone() {
    let words = essay(1, 500);
    let whole = document(&words);
    let place = Place::new()
        .with("in/a.pdf", &whole)
        .with("in/b.pdf", &whole)
        .with("in/called.txt", &whole)
        .with("in/cut.pdf", &whole[..300])
        .with("in/endless.pdf", endless())
        .with("in/scan.pdf", PdfBuilder::default().picture("Im").page("/Im Do").finish());
    let report = place.fanmill("compare in").report();
    let notices = notices(&report);
    for reason in [
        "reading it took longer than 10 s of processor time",
        "damaged: no pages of PDF can be found in it",
        "no text: its pages are pictures; recognise their text (OCR) first",
    ] {
        assert!(notices.contains(reason), "{reason}: {notices}");
    }
    assert_eq!(report.pairs.len(), 3, "three copies are compared");
}

/// A hundred of them, or as many as the environment variable `DAMAGED` says.
#[test]
fn many_damaged_documents_are_all_accounted_for() {
    let n = std::env::var("DAMAGED").map_or(100, |n| n.parse().expect("a number"));
    let whole = document(&essay(1, 200));
    let mut place = Place::new().with("in/whole.pdf", &whole);
    let mut state = 7_u64;
    for i in 0..n {
        let mut bytes = whole.clone();
        for _ in 0..=(i % 20) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = if i % 3 == 0 { b'9' } else { bytes[at] ^ (1 << (state >> 61)) };
        }
        if i % 7 == 0 {
            bytes.truncate((state >> 35) as usize % bytes.len());
        }
        place = place.with(format!("in/m{i:04}.pdf"), bytes);
    }
    let report = place.fanmill("compare in").report();
    assert_eq!(report.submissions.len(), n + 1);
    let inputs = &report.inputs;
    assert_eq!(inputs.seen, n as u64 + 1);
    assert_eq!(
        inputs.seen,
        inputs.compared + inputs.degraded + inputs.skipped + inputs.failed,
        "{inputs:?}"
    );
}

#[test]
fn what_a_document_hides_is_said() {
    let words = essay(1, 300);
    let mut content = String::new();
    for (line, words) in words.chunks(10).enumerate() {
        content += &text(50.0, 740.0 - 15.0 * line as f64, 11.0, &words.join(" "));
    }
    write!(content, "1 1 1 rg {}", text(50.0, 50.0, 11.0, "between the copied words"))
        .expect("a string");
    let place = Place::new()
        .with("in/a.pdf", PdfBuilder::default().page(&content).finish())
        .with("in/b.txt", words.join(" "));
    let report = place.fanmill("compare in").report();
    let notices = notices(&report);
    assert!(notices.contains("white text on white: 4 words, not compared"), "{notices}");
}

#[test]
fn pages_of_pdf_are_compared_alike_at_any_number_of_threads() {
    let words = essay(1, 900);
    let place = Place::new()
        .with("in/a.pdf", document(&words))
        .with("in/b.pdf", document(&words[200..]))
        .with("in/c.pdf", document(&essay(9, 900)));
    let of = |threads: &str| {
        place.fanmill(&format!("compare in --format json --threads {threads}")).run().stdout
    };
    let one = of("1");
    assert!(one.contains("a.pdf"));
    assert_eq!([of("2"), of("8")], [one.clone(), one]);
}

/// What is said of all documents together is no input, and no loss.
#[test]
fn page_numbers_that_are_set_apart_are_said_once_and_lose_nothing() {
    let numbered = |seed: u64| {
        let pages = (1..5).map(|page| {
            let words = essay(seed + page, 40).join(" ");
            text(50.0, 740.0, 11.0, &words[..words.len().min(90)])
                + &text(50.0, 400.0, 11.0, &essay(100 * seed + page, 6).join(" "))
                + &text(300.0, 40.0, 9.0, &format!("Page {page}"))
        });
        pages.fold(PdfBuilder::default(), |made, page| made.page(&page)).finish()
    };
    let place = Place::new().with("in/a.pdf", numbered(10)).with("in/b.pdf", numbered(30));
    let report = place.fanmill("compare in --strict").report();
    let notices = notices(&report);
    assert!(notices.contains("that repeat in 2 documents are not compared: 16 words"), "{notices}");
    assert_eq!((report.inputs.seen, report.inputs.compared), (2, 2));
}

/// A page of these lines, and a form that draws itself without end.
fn in_part(lines: &[&str]) -> Vec<u8> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources 4 0 R";
    let mut content = "/Fm Do ".to_owned();
    for (i, line) in lines.iter().enumerate() {
        content += &text(50.0, 740.0 - 14.0 * i as f64, 11.0, line);
    }
    PdfBuilder::default().drawn("Fm", form, "/Fm Do").page(&content).finish()
}

#[test]
fn sift_reads_a_pdf_as_a_text_and_says_what_it_did_not_read() {
    let prose = example("sift/originals/lighthouse.txt");
    let headed = format!("From: a@b To: c@d\nSubject: the\n\n{prose}");
    let lines: Vec<&str> = headed.lines().filter(|line| !line.is_empty()).take(45).collect();
    let unrelated = essay(4, 300);
    let unrelated: Vec<String> = unrelated.chunks(10).map(|words| words.join(" ")).collect();
    let unrelated: Vec<&str> = unrelated.iter().map(|line| &**line).collect();
    let place = place_with_keys();
    place.write("lighthouse.txt", &prose);
    let done = place.fanmill("sift add --key a.key s.sift lighthouse.txt").run();
    assert_eq!(done.code, Some(0), "{done}");
    place.write("in/copy.pdf", PdfBuilder::default().prose(&lines).finish());
    place.write("in/whole.pdf", PdfBuilder::default().prose(&unrelated).finish());
    place.write("in/part.pdf", in_part(&unrelated));
    let done = place.fanmill("sift check --key a.key s.sift --names --format json in").run();
    let answer = |name: &str| {
        let line = done.stdout.lines().find(|line| line.contains(name)).expect(name);
        let answer: Value = serde_json::from_str(line).expect(line);
        (answer["answer"].as_str().expect("an answer").to_owned(), answer["remarks"].to_string())
    };
    assert_eq!(answer("copy.pdf").0, "yes", "{done}");
    assert_eq!(answer("whole.pdf").0, "no", "{done}");
    let (answer, remarks) = answer("part.pdf");
    assert_ne!(answer, "no", "{done}");
    assert!(remarks.contains("nested forms than are read"), "{remarks}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_said_about_letters_that_cannot_be_read() {
    let names = (b'a'..=b'z').map(|letter| format!("/mill{letter}x ")).collect::<Vec<_>>().concat();
    let mut odd = PdfBuilder::default().page(&text(50.0, 700.0, 11.0, "1848 1849 1850 1851"));
    odd.font = Some(format!("/Subtype /Type1 /Encoding << /Differences [97 {names}] >>"));
    let odd = odd.page(&text(50.0, 700.0, 11.0, &essay(1, 12).join(" "))).page("").finish();
    let place = Place::new().with("in/odd.pdf", odd).with("in/other.txt", essay(2, 500).join(" "));
    let run = place.fanmill("compare in").run();
    let unread =
        "degraded: odd.pdf: 100 % of the letters on page 2 have no known character: not compared";
    assert!(run.stderr.contains(unread), "{}", run.stderr);
    let nothing = "no two submissions share a passage of 12 words or more in what was read; 1 file was not read in full";
    assert!(run.stdout.contains(nothing), "{}", run.stdout);
}

#[test]
fn all_notices_can_be_had_as_a_file() {
    let mut place = Place::new()
        .with("in/ada/a.txt", essay(1, 500).join(" "))
        .with("in/bo/b.txt", essay(2, 500).join(" "));
    for n in 0..30 {
        let damaged = format!("%PDF-1.7 damaged {n}");
        place = place.with(format!("in/many/{n:02}.pdf"), damaged);
        place = place.with(format!("in/=1+{n}/{n}.zip"), format!("PK\x03\x04{n}"));
    }
    for command in ["compare in", "index add i.index in", "search i.index in"] {
        let run = place.fanmill(&format!("{command} --notices said.csv")).run();
        let said = std::fs::read_to_string(place.path("said.csv")).expect("the file of notices");
        let mut rows = said.lines();
        assert_eq!(rows.next(), Some("submission,path,outcome,reason"), "{command}");
        let rows: Vec<&str> = rows.collect();
        for n in 0..30 {
            let is_there = |name: &str| rows.iter().any(|row| row.contains(name));
            assert!(is_there(&format!("{n:02}.pdf")) && is_there(&format!("{n}.zip")), "{said}");
        }
        // No name is a formula.
        assert!(rows.iter().all(|row| !row.contains(",=1") && !row.starts_with("=1")), "{said}");
        assert!(run.stderr.contains("all of them are in `said.csv`"), "{}", run.stderr);
    }
    let run = place.fanmill("compare in").run();
    assert!(run.stderr.contains("--notices FILE writes all of them"), "{}", run.stderr);
    // A file that somebody has handed in is no place for notices.
    let run = place.fanmill("compare in --notices in/ada/a.txt").run();
    assert!(run.stderr.contains("holds something other than notices"), "{}", run.stderr);
    let kept = std::fs::read_to_string(place.path("in/ada/a.txt")).expect("the essay");
    assert_eq!(kept, essay(1, 500).join(" "));
    let run = place.fanmill("compare in --notices nowhere/said.csv").run();
    assert!(run.stderr.contains("write the notices to"), "{}", run.stderr);
}

/// A program that is given a picture, and says what it has found in it.
fn recogniser(place: Place, said: &str) -> Place {
    place.with(
        "recognise.sh",
        format!("#!/bin/sh\nif head -c 2 | grep -q P5; then cat <<'END'\n{said}\nEND\nfi\n"),
    )
}

#[test]
fn scanned_pages_are_read_by_a_program_that_recognises_letters() {
    let words = essay(1, 300);
    let scan = |made: PdfBuilder| made.page("q 600 0 0 800 0 0 cm /P Do Q");
    let printed = text(50.0, 700.0, 11.0, "A page of my own.");
    let mixed = PdfBuilder::default().picture("P").page(&printed);
    let place = Place::new()
        .with("in/a.txt", words.join(" "))
        .with("in/mixed.pdf", scan(scan(mixed)).finish())
        .with("in/scan.pdf", scan(PdfBuilder::default().picture("P")).finish());
    let place = recogniser(place, &words.join(" "));
    let without = place.fanmill("compare in").report();
    let said = notices(&without);
    assert!(said.contains("2 pages from 2 to 3 are pictures, not compared"), "{said}");
    assert!(said.contains("no text: its pages are pictures"), "{said}");
    assert_eq!(without.counts.scored, 0);
    let with =
        |command: &str| place.fanmill("compare in").arg("--ocr-command").arg(command).report();
    let sh = format!("sh {}", place.path("recognise.sh").display());
    let found = with(&sh);
    assert_eq!(found.pairs.len(), 3, "{found:?}");
    let said = notices(&found);
    assert!(said.contains("2 scanned pages were recognised by a program"), "{said}");
    assert!(!said.contains("not compared"), "{said}");
    let failed = notices(&with("false"));
    assert!(
        failed.contains(
            "its pages are pictures, and could not be recognised: `false` failed with status 1"
        ),
        "{failed}"
    );
    assert!(
        failed.contains("2 pages from 2 to 3 are pictures, not compared: `false` failed"),
        "{failed}"
    );
    let missing = notices(&with("no-such-program-anywhere"));
    assert!(missing.contains("could not be started"), "{missing}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_recognises_letters_has_no_network() {
    let scan = PdfBuilder::default().picture("P").page("q 600 0 0 800 0 0 cm /P Do Q").finish();
    let script = "import socket\ntry: socket.socket(socket.AF_INET)\nexcept OSError: print('refused refused refused')\nelse: print('possible possible possible')\n";
    let place = Place::new().with("in/scan.pdf", scan).with("try.py", script);
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let python = format!("python3 {}", place.path("try.py").display());
    let run = place.fanmill("text in/scan.pdf").arg("--ocr-command").arg(python).run();
    assert!(run.stdout.contains("refused"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn nothing_is_possible_in_the_cage() {
    let done = Run::new("__extract selftest").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(done.stdout.matches(": refused\n").count(), 24, "{done}");
}

/// Tries the numbers of all calls, and those of programs with short pointers, with arguments that are neither addresses
/// nor descriptors. The calls that pass are listed with any arguments.
#[cfg(target_os = "linux")]
#[test]
fn in_the_cage_only_the_listed_calls_pass() {
    let mut listed = [
        libc::SYS_munmap,
        libc::SYS_brk,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_sigaltstack,
        libc::SYS_sched_yield,
        libc::SYS_getrandom,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_restart_syscall,
    ];
    listed.sort_unstable();
    let done = Run::new("__extract selftest-calls").run();
    assert_eq!(done.code, Some(0), "{done}");
    let passing: Vec<i64> = done.stdout.lines().map(|line| line.parse().expect(line)).collect();
    assert_eq!(passing, listed, "{done}");
}

/// The shell leaves a file open that the reader inherits.
#[cfg(target_os = "linux")]
#[test]
fn what_the_reader_inherits_is_closed_before_it_greets() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    let place = Place::new().with("secret", "of the parent");
    let mut reader = Command::new("sh")
        .args(["-c", "exec \"$0\" __extract pdf 9< secret", env!("CARGO_BIN_EXE_fanmill")])
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut greeting = [0];
    reader.stdout.as_mut().expect("a pipe").read_exact(&mut greeting).expect("a greeting");
    let open = std::fs::read_dir(format!("/proc/{}/fd", reader.id())).expect("a process");
    let mut open: Vec<_> = open.map(|entry| entry.expect("a name").file_name()).collect();
    open.sort();
    drop(reader.stdin.take());
    reader.wait().expect("it ends");
    assert_eq!(open, ["0", "1", "2"]);
}

/// Runs something in a thread whose processes see a kernel that has neither landlock nor seccomp.
#[cfg(target_os = "linux")]
fn without_locks<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    let missing =
        [libc::SYS_landlock_create_ruleset, libc::SYS_seccomp].map(|call| (call, Vec::new()));
    let filter = SeccompFilter::new(
        missing.into(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS as u32),
        std::env::consts::ARCH.try_into().expect("an architecture with filters"),
    );
    let program: BpfProgram = filter.and_then(TryInto::try_into).expect("a filter");
    std::thread::scope(|scope| {
        let run = || {
            apply_filter(&program).expect("applied");
            run()
        };
        scope.spawn(run).join().expect("no panic")
    })
}

#[cfg(target_os = "linux")]
#[test]
fn without_any_lock_pdf_is_skipped_unless_no_cage_is_given() {
    let words = essay(1, 500);
    let whole = document(&words);
    let place = Place::new().with("in/a.pdf", &whole).with("in/b.pdf", &whole);
    let (skipped, read) = without_locks(|| {
        let run = |arguments| place.fanmill(arguments).report();
        (run("compare in"), run("compare in --no-cage"))
    });
    assert_eq!((skipped.pairs.len(), skipped.inputs.skipped), (0, 2), "{skipped:?}");
    let said = notices(&skipped);
    assert!(said.contains("neither landlock nor seccomp to lock its reader in"), "{said}");
    assert!(said.contains("give the setting `no-cage`"), "{said}");
    assert!(!said.contains("fewer safeguards"), "{said}");
    assert_eq!((read.pairs.len(), read.inputs.skipped), (1, 0), "{read:?}");
    let said = notices(&read);
    assert!(
        said.contains("fewer safeguards: this system has no landlock and no seccomp"),
        "{said}"
    );
    // The setting takes away no lock that the system has.
    let locked = place.fanmill("compare in --no-cage").report();
    assert!(!notices(&locked).contains("no seccomp"), "{locked:?}");
}

#[test]
fn a_child_that_is_told_nothing_it_knows_does_nothing() {
    let done = Run::new("__extract anything").run();
    assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{done}");
}
