//! How the text of documents is had: what is hidden, passwords, other programs, and what documents say of themselves.

use fanmill::report::{MetadataField, Report};

use crate::place::Place;

/// `n` words that no other seed has.
fn words(seed: u64, n: usize) -> String {
    let mut state = seed;
    let word = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let syllables = ["fa", "gri", "ho", "ja", "ne", "pu", "so", "wi"];
        (0..3).map(|i| syllables[(state >> (33 + 3 * i)) as usize % 8]).collect()
    };
    (0..n).map(word).collect::<Vec<String>>().join(" ")
}

fn read(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).expect("written")
}

fn notices(report: &Report) -> String {
    format!("{:?}", report.notices)
}

/// A document whose second paragraph is hidden.
fn half_hidden(seen: &str, hidden: &str) -> String {
    format!("{{\\rtf1 {seen}\\par {{\\v {hidden}}}\\par}}")
}

#[test]
fn hidden_text_is_compared_if_that_is_asked_for_and_reported_always() {
    let hidden = words(1, 60);
    let place = Place::new()
        .with("in/ada.rtf", half_hidden(&words(2, 60), &hidden))
        .with("in/bo.txt", &hidden)
        .with("in/cy.txt", words(3, 60));
    let without = place.fanmill("compare in").report();
    assert!(without.pairs.is_empty());
    assert!(notices(&without).contains("hidden text: 60 words, not compared"));
    let with = place.fanmill("compare in --hidden read").report();
    assert_eq!(with.pairs.len(), 1);
    assert!(notices(&with).contains("hidden text: 60 words, compared like other text"));
}

/// A lab report, and the program that somebody else handed in as a file, with other names.
#[test]
fn code_in_a_report_is_compared_as_code() {
    let program = "import java.util.*;\npublic class Stack {\n    private int[] data = new int[16];\n    \
        private int size;\n    public void push(int value) {\n        if (size == data.length) {\n            \
        data = Arrays.copyOf(data, 2 * size);\n        }\n        data[size++] = value;\n    }\n    \
        public int pop() {\n        if (size == 0) throw new RuntimeException(\"empty\");\n        \
        return data[--size];\n    }\n}\n";
    let listing = program.replace('{', "\\{").replace('}', "\\}").replace('\n', "\\par\n");
    let prose = |seed| format!("{}.\\par\n", words(seed, 120));
    let report = format!("{{\\rtf1 {}{listing}{}}}", prose(1), prose(2));
    let place = Place::new()
        .with("in/ada.rtf", &report)
        .with("in/bo.java", program.replace("data", "items").replace("size", "count"))
        .with("in/cy.rtf", format!("{{\\rtf1 {}{}}}", prose(3), prose(2)));
    let found = place.fanmill("compare in").report();
    let language = |i: usize| found.submissions[i].files[0].language.clone();
    assert_eq!([0, 1, 2].map(language), ["document with code", "java", "words"]);
    let score = |a: u32, b: u32| {
        found.pairs.iter().find(|pair| (pair.a, pair.b) == (a, b)).map_or(0.0, |pair| pair.score)
    };
    assert!(score(0, 1) > 0.8 && score(0, 2) > 0.3 && score(1, 2) == 0.0, "{:?}", found.pairs);
}

#[cfg(feature = "pdf")]
#[test]
fn an_encrypted_pdf_is_read_with_its_password_which_is_never_shown() {
    let locked = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/documents/locked.pdf");
    let place = Place::new()
        .with("in/locked.pdf", std::fs::read(locked).expect("a document"))
        .with(
            "in/copy.txt",
            "The herons stood in the shallow end of the mill pond all morning, seven of them.",
        )
        .with("right", "geese\nseven wet herons\n")
        .with("wrong", "geese\n");
    let of = |arguments: &str| place.fanmill(&format!("compare in {arguments}")).report();
    let without = of("");
    assert!(
        notices(&without).contains("give that with the setting `password-file`"),
        "{without:?}"
    );
    let wrong = of("--password-file wrong");
    assert!(notices(&wrong).contains("no line of the setting `password-file` is it"), "{wrong:?}");
    let right = of("--password-file right");
    assert_eq!(right.pairs.len(), 1, "{right:?}");
    assert!(!format!("{right:?} {wrong:?}").contains("geese"));
    let missing = place.fanmill("compare in --password-file none").run();
    assert_eq!(missing.code, Some(3), "{missing}");
}

#[cfg(all(unix, feature = "pdf"))]
#[test]
fn another_program_reads_documents_without_a_shell() {
    let shared = words(1, 60);
    let script = |text: &str| format!("%!PS-Adobe-3.0\n% {text}\nshowpage\n");
    let place = Place::new()
        .with("in/a.ps", script(&shared))
        .with("in/b.ps", script(&format!("{} {shared}", words(2, 20))))
        .with("in/c.txt", words(3, 60));
    let without = place.fanmill("compare in").report();
    assert!(
        notices(&without).contains("give the setting `ps-command`, such as `ps2ascii`"),
        "{without:?}"
    );
    let of = |command: &str| place.fanmill("compare in").arg("--ps-command").arg(command).report();
    assert_eq!(of("cat").pairs.len(), 1);
    // Nothing is expanded, and nothing follows a semicolon.
    let reports =
        ["echo $HOME; touch made", "false", "no-such-program -x", "true", "yes no"].map(of);
    let reasons = reports.each_ref().map(notices);
    assert!(!place.path("made").exists());
    for (reason, said) in reasons.iter().zip([
        "",
        "`false` failed with status 1",
        "`no-such-program` could not be started: ",
        "no text: `true` found none",
        "`yes`: its reader says more than a document can have",
    ]) {
        assert!(reason.contains(said), "{said}: {reason}");
    }
    assert_eq!(reports[0].pairs.len(), 1, "both are `$HOME; touch made`");
    let empty = place.fanmill("compare in").arg("--pdf-command").arg(" ").run();
    assert_eq!(empty.code, Some(2), "{empty}");
}

/// A corpus is read by the same programs, and copies are found across formats.
#[cfg(all(unix, feature = "corpus"))]
#[test]
fn another_program_reads_documents_of_a_corpus() {
    let shared = words(1, 60);
    let name = "WordDocument".encode_utf16().flat_map(u16::to_le_bytes);
    let head: Vec<u8> =
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".iter().copied().chain(name).chain([b'\n']).collect();
    let place = Place::new()
        .with("in/a.txt", &shared)
        .with("in/b.ps", format!("%!PS-Adobe-3.0\n{shared}"))
        .with("in/c.doc", [&head[..], shared.as_bytes()].concat());
    let dedup = |arguments: &[&str]| {
        let run = place.fanmill("dedup in --mode report");
        arguments.iter().copied().fold(run, crate::run::Run::arg).run()
    };
    let without = dedup(&[]);
    assert!(without.stdout.contains("in/b.ps: PostScript: not compared"), "{without}");
    let with = dedup(&["--ps-command", "tail -n +2", "--doc-command", "tail -n +2"]);
    assert_eq!(with.code, Some(0), "{with}");
    assert!(
        with.stdout.starts_with("3 documents") || with.stdout.contains("\n3 documents"),
        "{with}"
    );
    assert!(with.stdout.contains("1 stays, 2 are duplicates"), "{with}");
    let missing = dedup(&["--password-file", "none"]);
    assert_eq!(missing.code, Some(3), "{missing}");
}

#[test]
fn what_documents_say_alike_is_told_when_asked_and_changes_no_score() {
    let essay = |author: &str, text: &str| {
        format!(
            "{{\\rtf1{{\\*\\rsidtbl \\rsid4711\\rsid4712\\rsid{}}}{{\\info{{\\author {author}}}}}{text}\\par}}",
            text.len()
        )
    };
    let shared = words(1, 60);
    let place = Place::new()
        .with("in/ada.rtf", essay("Nadja Keller", &format!("{shared} {}", words(2, 40))))
        .with("in/bo.rtf", essay("Nadja Keller", &format!("{shared} {}", words(3, 50))))
        .with("in/cy.txt", words(4, 60));
    let (without, with) =
        (place.fanmill("compare in").report(), place.fanmill("compare in --metadata").report());
    assert!(without.pairs[0].metadata.is_empty());
    let said: Vec<(MetadataField, &str)> =
        with.pairs[0].metadata.iter().map(|said| (said.what, &*said.value)).collect();
    assert_eq!(said, [(MetadataField::RevisionIds, "2"), (MetadataField::Author, "Nadja Keller")]);
    assert_eq!(with.pairs[0].score.to_bits(), without.pairs[0].score.to_bits());
    let both = place.fanmill("compare in --metadata --anonymous").run();
    assert_eq!(both.code, Some(2), "{both}");
}

#[cfg(feature = "index")]
#[test]
fn documents_are_read_alike_into_an_index() {
    let hidden = words(1, 60);
    let place = Place::new()
        .with("old/ada.rtf", half_hidden(&words(2, 60), &hidden))
        .with("new.txt", &hidden);
    for (flag, found) in [("", false), (" --hidden read", true)] {
        let added = place.fanmill(&format!("index add ix{found} old{flag}")).run();
        assert_eq!(added.code, Some(0), "{added}");
        let answer = place.fanmill(&format!("search ix{found} new.txt --format json")).run();
        assert_eq!(answer.stdout.contains("ada.rtf"), found, "{answer}");
    }
}

#[cfg(feature = "corpus")]
#[test]
fn a_corpus_may_consist_of_documents() {
    let (essay, other) = (words(1, 120), words(2, 120));
    let place = Place::new()
        .with("in/a.rtf", format!("{{\\rtf1 {essay}\\par}}"))
        .with("in/b.rtf", format!("{{\\rtf1\\b {essay}\\b0\\par}}"))
        .with("in/c.txt", &other)
        .with("in/d.docx", "no document")
        .with("in/e.png", words(3, 120))
        .with("in/f.txt", b"\x89PNG\r\n\x1a\n\0\0");
    let done = place.fanmill("dedup in -o out --format json").run();
    assert_eq!(done.code, Some(0), "{done}");
    let summary: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    let inputs = &summary["inputs"];
    assert_eq!((&inputs["compared"], &inputs["skipped"]), (&5.into(), &1.into()), "{done}");
    // A file is what its content is, whatever it is called.
    assert!(done.stdout.contains("a PNG image: not compared, copied as it is"), "{done}");
    let names = ["a.rtf", "b.rtf", "c.txt", "d.docx", "e.png", "f.txt"];
    let kept: Vec<&str> =
        names.into_iter().filter(|name| place.path("out").join(name).exists()).collect();
    assert_eq!(kept, ["a.rtf", "c.txt", "d.docx", "e.png", "f.txt"]);
}

#[test]
fn files_that_were_not_read_or_not_whole_are_named_with_the_reason() {
    let text = "the early bird catches the worm but the second mouse gets the cheese";
    let place = Place::new().with("d/a.txt", format!("{text}, the first of three."));
    place.write("item.txt", text);
    place.write("d/b.pdf", "%PDF-1.7\nno page at all\n");
    let kind = "application/pdf; name=b.pdf";
    place.write(
        "d/c.eml",
        format!(
            "From: a@b.example\nSubject: papers\nContent-Type: multipart/mixed; boundary=x\n\n\
             --x\nContent-Type: text/plain\n\n{text}\n--x\nContent-Type: {kind}\n\n%PDF-1.7\n--x--\n"
        ),
    );
    let run = place.fanmill("dedup d -o out --notices notices.csv").run().stdout;
    assert!(run.contains("  d, record 3: `c.eml`: attachment `b.pdf`: damaged: no"), "{run}");
    assert!(run.contains(": `b.pdf`: damaged: no pages of PDF"), "{run}");
    let notices = read(&place, "notices.csv");
    let lines: Vec<&str> = notices.lines().collect();
    assert_eq!(lines[0], "submission,path,outcome,reason");
    assert!(lines[1].starts_with(",\"d, record 3\",degraded,`c.eml`: attachment"), "{notices}");
    assert!(lines[2].ends_with(",failed,`b.pdf`: damaged: no pages of PDF can be found in it"));
    // The file stays where it is, so there is nothing to look for in a folder of its own.
    assert!(
        run.contains("in out.fanmill, the reasons why files failed in its `failed.parquet`\n"),
        "{run}"
    );
    assert!(place.path("out/b.pdf").exists() && !place.path("out.fanmill/failed").exists());
    assert!(place.path("out.fanmill/failed.parquet").exists());
    for job in ["-o one --decontaminate item.txt", "-o two --unit run --mode report"] {
        let again = place.fanmill(&format!("dedup d {job}")).run().stdout;
        assert!(again.contains("`c.eml`: attachment `b.pdf`"), "{job}: {again}");
        assert!(again.contains(": `b.pdf`: damaged: no pages of PDF"), "{job}: {again}");
    }
}

#[test]
fn notices_beyond_those_that_the_summary_lists_are_in_their_own_file() {
    let lines = (0..10_200).map(|i| if i % 2 == 0 { "{\"text\":null}\n" } else { "{}\n" });
    let place = Place::new().with("a.jsonl", lines.collect::<String>() + "{\"text\":\"a mill\"}\n");
    place.fanmill("dedup a.jsonl -o out --notices notices.csv").run();
    let notices = read(&place, "notices.csv");
    assert_eq!(notices.matches(",degraded,its text is null\n").count(), 5100);
    assert_eq!(notices.matches(",failed,").count(), 5100);
    let summary = read(&place, "out.fanmill/summary.json");
    assert_eq!(summary.matches("its text is null").count(), 100);
    // More than are kept are counted.
    let place = Place::new()
        .with("b.jsonl", "{\"text\":null}\n".repeat(10_003) + "{\"text\":\"a mill\"}\n");
    place.fanmill("dedup b.jsonl -o out --notices notices.csv").run();
    assert!(
        read(&place, "notices.csv")
            .ends_with("record 10000\",degraded,its text is null\n,,degraded,and 3 more\n")
    );
    let done = place.fanmill("dedup b.jsonl -o again --notices b.jsonl").run();
    assert!(done.stderr.contains("holds something other than notices"), "{done}");
    assert!(read(&place, "b.jsonl").starts_with("{\"text\":null}\n"));
    for (file, words) in [("out", "`out` is a folder"), ("no/n.csv", "`no` is not a folder")] {
        let done = place.fanmill(&format!("dedup b.jsonl -o again --notices {file}")).run();
        assert!(done.stderr.contains(words) && !place.path("again").exists(), "{done}");
    }
}
