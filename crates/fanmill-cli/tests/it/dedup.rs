//! `fanmill dedup`: first runs, all kinds of input and output, and error messages.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use insta::assert_snapshot;

use crate::place::Place;
use crate::run::Run;

const PROVERB: &str = "the early bird catches the worm but the second mouse gets the cheese";

/// A record on a line.
pub(crate) fn record(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"date\":\"2024-01-0{}\"}}\n", 1 + id.len() % 9)
}

/// Six records: a copy, a near-duplicate, an empty one and a broken one among them.
fn corpus() -> String {
    let long = format!("{PROVERB} {PROVERB} as people say when they have missed the bus again");
    [
        record("a", &long),
        record("bb", &long.replace("bus again", "bus today")),
        record("ccc", "an only text of a few words"),
        record("dddd", &long),
        record("eeeee", ""),
        "{\"id\":\"ffffff\",\"text\":\n".to_owned(),
    ]
    .concat()
}

fn place() -> Place {
    Place::new().with("a.jsonl", corpus())
}

/// The names of the records that an output has.
fn ids(text: &str) -> String {
    let id = |line: &str| line.split('"').nth(3).unwrap_or_default().to_owned();
    text.lines().map(id).collect::<Vec<_>>().join(" ")
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).expect("packed");
    packer.finish().expect("packed")
}

fn is_clean(place: &Place) {
    assert!(!place.path("out").exists());
    assert!(!place.path("out.partial").exists());
}

#[test]
fn the_first_run() {
    let place = place();
    assert_snapshot!(place.fanmill("dedup a.jsonl -o out").run(), @r"
    exit: 0
    --- stdout
     SIZE  LEAST  MEAN  KEPT · LEAST SIMILAR DUPLICATE
        3  0.917  0.96  a  bb

    5 documents, 0.0 MB of text: 3 stay, 2 are duplicates (1 of them a copy) in 1 cluster
    promise: each duplicate resembles the document that stays in its place by at least 0.8, counted on all shingles; no document is a duplicate for being short or empty; documents of a few words differ by slips alone; of pairs at 0.8, 99.83 % are expected to be found, and more of those above
    seen: 6 = 5 compared + 0 degraded + 0 skipped + 1 failed
    failed: 1 record could not be read
      a.jsonl, record 6, byte 803: cut off: the object does not end, at byte 22 of the record
    written: the corpus in out, tables and summary in out.fanmill, records that failed in its folder `failed`
    ");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    assert_eq!(ids(&output), "a ccc eeeee");
    // Records that are kept are unchanged, byte for byte.
    let expected: String =
        corpus().split_inclusive('\n').filter(|line| output.contains(line)).collect();
    assert_eq!(output, expected);
    for name in ["removed.parquet", "clusters.parquet", "summary.json"] {
        assert!(place.path("out.fanmill").join(name).is_file(), "{name}");
    }
    assert!(!place.path("out.partial").exists());
}

#[test]
fn a_reference_is_compared_with_and_only_read() {
    let reference =
        record("zz", &format!("{PROVERB} {PROVERB} as people say when they have missed the bus"));
    let place = place().with("old/b.jsonl", &reference);
    let done = place.fanmill("dedup a.jsonl --against old -o out").run();
    assert_snapshot!(done, @r"
    exit: 0
    --- stdout
     SIZE  LEAST  MEAN  KEPT · LEAST SIMILAR DUPLICATE
        4  0.957  0.96  zz  a

    5 documents, 0.0 MB of text: 2 stay, 3 are duplicates (1 of them a copy) in 1 cluster
    reference: 1 document, 0.0 MB of text: 1 has duplicates in the corpus, 3 in all
    promise: each duplicate resembles the document that stays in its place by at least 0.8, counted on all shingles; no document is a duplicate for being short or empty; documents of a few words differ by slips alone; of pairs at 0.8, 99.83 % are expected to be found, and more of those above
    seen: 6 = 5 compared + 0 degraded + 0 skipped + 1 failed
    failed: 1 record could not be read
      a.jsonl, record 6, byte 803: cut off: the object does not end, at byte 22 of the record
    written: the corpus in out, tables and summary in out.fanmill, records that failed in its folder `failed`
    ");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    assert_eq!(ids(&output), "ccc eeeee");
    assert_eq!(fs::read_to_string(place.path("old/b.jsonl")).expect("as it was"), reference);
    let done = place.fanmill("dedup a.jsonl --against old --against a.jsonl -o no").run();
    assert_eq!(done.code, Some(2), "{done}");
    assert!(done.stderr.contains("given with --against"), "{done}");
    let done = place.fanmill("dedup a.jsonl --against old --unit line -o no").run();
    assert_eq!(done.code, Some(2), "{done}");
    let done = place.fanmill("dedup a.jsonl --only-against -o no").run();
    assert_eq!(done.code, Some(2), "{done}");
}

#[test]
fn what_is_shared_with_test_sets_goes() {
    let item =
        |id: &str, question: &str| format!("{{\"id\":\"{id}\",\"question\":\"{question}\"}}\n");
    let questions = [item("q1", PROVERB), item("q2", "an only text"), item("q3", "?")].concat();
    let place = place().with("tests/b.jsonl", questions);
    let line = "dedup a.jsonl --decontaminate tests --against-text-field question -o out";
    let done = place.fanmill(line).run();
    assert_snapshot!(done, @r"
    exit: 0
    --- stdout
    DOCUMENTS     LONGEST  ITEM  ITS TEXT
            3    13 of 13  q1    the early bird catches the worm but the second mouse gets the cheese

    5 documents, 0.0 MB of text: 2 stay, 3 share a run with 1 of 3 items
    promise: no document that stays shares 13 words in a row with an item, or has all words of a shorter item in a row (of one below 8 words: as a whole line or document), but for runs that more than 10 documents have; every run was compared word by word
    seen: 6 = 5 compared + 0 degraded + 0 skipped + 1 failed
    failed: 1 record could not be read
      a.jsonl, record 6, byte 803: cut off: the object does not end, at byte 22 of the record
    written: the corpus in out, tables and summary in out.fanmill, records that failed in its folder `failed`
    ");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    assert_eq!(ids(&output), "ccc eeeee");
    for name in ["removed.parquet", "items.parquet", "summary.json"] {
        assert!(place.path("out.fanmill").join(name).is_file(), "{name}");
    }
    for idle in ["--min-score 0.5", "--against tests", "--unit line", "--min-documents 3"] {
        let done =
            place.fanmill(&format!("dedup a.jsonl --decontaminate tests {idle} -o no")).run();
        assert_eq!(done.code, Some(2), "{done}");
        assert!(done.stderr.contains("no effect with --decontaminate"), "{done}");
    }
    let done = place.fanmill("dedup a.jsonl --max-documents 3 -o no").run();
    assert!(done.stderr.contains("no effect without --decontaminate"), "{done}");
}

#[test]
fn a_look_first() {
    let place = place();
    let done = place.fanmill("dedup a.jsonl --mode report --keep longest").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(
        done.stdout.contains("4 documents, ") || done.stdout.contains("5 documents, "),
        "{done}"
    );
    assert!(!done.stdout.contains("written"), "{done}");
    assert_eq!(fs::read_dir(place.path("")).expect("a folder").count(), 1);
    let quiet = place.fanmill("dedup a.jsonl --mode report --quiet").run();
    let failed = "1 record failed and was not compared\n";
    assert_eq!((quiet.code, &*quiet.stdout, &*quiet.stderr), (Some(0), "", failed));
}

#[test]
fn a_marked_corpus() {
    let place = place();
    let done = place.fanmill("dedup a.jsonl -o out --mode mark --keep newest:date --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    let marks = output.lines().map(|line| {
        line.split_once("\"fanmill\":").map_or("none\n", |(_, mark)| mark).to_owned() + "\n"
    });
    assert_snapshot!(marks.collect::<String>(), @r#"
    {"cluster":0,"duplicate_of":"dddd","resemblance":1,"containment":1}}
    {"cluster":0,"duplicate_of":"dddd","resemblance":0.9166666666666666,"containment":0.9565217391304348}}
    none

    {"cluster":0,"duplicate_of":null,"resemblance":1,"containment":1}}
    none
    "#);
}

#[test]
fn json_is_what_is_in_the_summary() {
    let place = place();
    let done = place.fanmill("dedup a.jsonl -o out --format json").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(
        done.stdout,
        fs::read_to_string(place.path("out.fanmill/summary.json")).expect("a summary")
    );
    let mut summary: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    for (name, number) in [("records", 6), ("bad", 1), ("documents", 5), ("duplicates", 2)] {
        assert_eq!(summary["counts"][name], number, "{name}");
    }
    assert_eq!(summary["bad_records"][0]["record"], 6);
    assert_eq!(summary["run"].take()["resumed_records"], 0);
    let text = summary.to_string();
    assert!(!text.contains(&*place.path("").to_string_lossy()), "{text}");
}

#[test]
fn packed_inputs_are_packed_again() {
    let place = Place::new().with("in/b.jsonl.gz", packed(&corpus()));
    let zst = zstd::encode_all(corpus().replace("\"id\":\"", "\"id\":\"z").as_bytes(), 1);
    place.write("in/c.jsonl.zst", zst.expect("packed"));
    let done = place.fanmill("dedup in -o out --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let gz = fs::read(place.path("out/b.jsonl.gz")).expect("the first shard");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(&*gz), &mut text)
        .expect("packed");
    assert_eq!(ids(&text), "a ccc eeeee");
    let zst = fs::read(place.path("out/c.jsonl.zst")).expect("the second shard");
    let text = zstd::decode_all(&*zst).expect("packed");
    assert_eq!(ids(&String::from_utf8(text).expect("UTF-8")), "zeeeee");
}

#[test]
fn standard_input_is_a_shard() {
    let place = place();
    let done = place.fanmill("dedup - -o out").fed(&place.path("a.jsonl")).run();
    assert_eq!(done.code, Some(0), "{done}");
    let text = fs::read_to_string(place.path("out/stdin.jsonl")).expect("the corpus");
    assert_eq!(ids(&text), "a ccc eeeee");
    let packed = Place::new().with("a", packed(&corpus()));
    let done = packed.fanmill("dedup - -o out").fed(&packed.path("a")).run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(packed.path("out/stdin.jsonl.gz").is_file());
    let nothing = Place::new().fanmill("dedup - --mode report").run();
    assert_eq!(nothing.code, Some(3), "{nothing}");
}

#[test]
fn a_folder_of_texts() {
    let place = Place::new()
        .with("in/a.txt", PROVERB)
        .with("in/deep/b.md", PROVERB)
        .with("in/c.txt", "another text")
        .with("in/d.png", b"\x89PNG\r\n\x1a\n\0\0");
    let done = place.fanmill("dedup in -o out").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(
        done.stdout.contains("3 documents, 0.0 MB of text: 2 stay, 1 is a duplicate"),
        "{done}"
    );
    assert_eq!(fs::read_to_string(place.path("out/a.txt")).expect("a text"), PROVERB);
    assert!(place.path("out/c.txt").is_file() && !place.path("out/deep").exists());
    // Files that are not texts are not lost.
    assert!(
        done.stdout.contains("seen: 4 = 3 compared + 0 degraded + 1 skipped + 0 failed"),
        "{done}"
    );
    let named = "in/d.png: a PNG image: not compared, copied as it is";
    assert!(done.stdout.contains(named), "{done}");
    assert_eq!(fs::read(place.path("out/d.png")).expect("a copy"), b"\x89PNG\r\n\x1a\n\0\0");
}

#[test]
fn a_corpus_without_a_readable_file_is_an_error_that_says_why() {
    let place = Place::new().with("a.txt", b"\x89PNG\r\n\x1a\n\0\0");
    let done = place.fanmill("dedup a.txt -o out").run();
    assert_eq!(done.code, Some(3), "{done}");
    assert!(done.stderr.contains("none of the inputs can be read: `a.txt`: a PNG image"), "{done}");
    assert!(!place.path("out").exists());
}

#[test]
fn a_corpus_without_a_readable_record_is_an_error_that_says_why() {
    let place = Place::new().with("a.jsonl", "no\nrecords\n").with("b.jsonl", record("b", PROVERB));
    for unit in ["document", "paragraph", "run"] {
        let alone = place.fanmill(&format!("dedup a.jsonl -o out --unit {unit}")).run();
        assert_eq!(alone.code, Some(3), "{alone}");
        let words = "none of the 2 records can be read: `a.jsonl`, record 1: no JSON object";
        assert!(alone.stderr.contains(words), "{alone}");
        is_clean(&place);
        // One file of which nothing can be read ends the run, unless that is allowed.
        let all = format!("dedup a.jsonl b.jsonl -o {unit} --unit {unit}");
        let refused = place.fanmill(&all).run();
        let words = "2 of 2 records of `a.jsonl` cannot be read, above the limit of 0.5 of them";
        assert!(refused.code == Some(3) && refused.stderr.contains(words), "{refused}");
        let beside = place.fanmill(&format!("{all} --allow-failed 1")).run();
        assert_eq!(beside.code, Some(0), "{beside}");
        assert!(beside.stdout.contains("failed: 2 records"), "{beside}");
    }
}

/// The tables that a run writes are Parquet.
#[test]
fn a_damaged_table_is_no_reason_to_lose_the_others() {
    let place = place();
    let made = place.fanmill("dedup a.jsonl -o made --quiet").run();
    assert_eq!(made.code, Some(0), "{made}");
    let table = fs::read(place.path("made.fanmill/removed.parquet")).expect("a table");
    let place = place.with("cut.parquet", &table[..table.len() / 2]);
    let alone = place.fanmill("dedup cut.parquet -o out --text-field id").run();
    assert_eq!(alone.code, Some(3), "{alone}");
    let words =
        "the only record cannot be read: `cut.parquet`, record 1: damaged, or not a Parquet file";
    assert!(alone.stderr.contains(words) && !alone.stderr.contains("panicked"), "{alone}");
    let beside = place.fanmill("dedup cut.parquet a.jsonl -o out --allow-failed 1").run();
    assert_eq!(beside.code, Some(0), "{beside}");
    assert!(
        beside.stdout.contains("3 stay") && beside.stdout.contains("  cut.parquet, record 1"),
        "{beside}"
    );
    assert!(!place.path("out/cut.parquet").exists() && place.path("out/a.jsonl").exists());
    let strict = place.fanmill("dedup cut.parquet a.jsonl -o strict --strict").run();
    assert_eq!(strict.code, Some(3), "{strict}");
}

#[test]
fn a_table_keeps_its_columns() {
    let rows = format!("n,body,more\n1,\"{PROVERB}\",x\n2,{PROVERB},\"y\"\"z\"\n3,short,\n");
    let place = Place::new().with("a.csv", &rows);
    let done = place.fanmill("dedup a.csv -o out --text-field body --id-field n --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let expected = format!("n,body,more\n1,\"{PROVERB}\",x\n3,short,\n");
    assert_eq!(fs::read_to_string(place.path("out/a.csv")).expect("a table"), expected);
}

#[test]
fn repeated_paragraphs() {
    let notice = "all rights are reserved by somebody who means it";
    let place = Place::new().with(
        "a.jsonl",
        record("a", &format!("one story\\n\\n{notice}"))
            + &record("bb", &format!("{notice}!\\n\\nanother story"))
            + &record("ccc", notice),
    );
    assert_snapshot!(place.fanmill("dedup a.jsonl -o out --unit paragraph").run(), @r"
    exit: 0
    --- stdout
    DOCUMENTS  PASSAGE
            3  all rights are reserved by somebody who means it

    3 documents, 0.0 MB of text: 2 of 3 passages removed (0.0 MB) from 2 documents, 1 of which had nothing else
    promise: each paragraph removed has the words of one that stays in an earlier document, in the same order; every paragraph of 5 words or more that 2 documents have is removed from all but the first
    written: the corpus in out, tables and summary in out.fanmill
    ");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    assert_snapshot!(output, @r#"
    {"id":"a","text":"one story\n\nall rights are reserved by somebody who means it","date":"2024-01-02"}
    {"id":"bb","text":"another story","date":"2024-01-03"}
    "#);
}

#[test]
fn the_curve_needs_no_corpus() {
    let done = Run::new("dedup --curve").run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done}");
    assert!(done.stdout.lines().count() > 5 && done.stdout.contains("0.8"), "{done}");
    assert_snapshot!(Run::new("dedup --curve --exact").run(), @r"
    exit: 2
    --- stderr
    fanmill: only sketches of aligned registers are a filter with a curve; use --sketch fss(t=128), perm, lead, classic or bytes, without --exact and --containment
    ");
}

#[test]
fn help_names_every_exit_status_and_fits() {
    let help = Run::new("dedup --help").run();
    assert_eq!((help.code, &*help.stderr), (Some(0), ""));
    let (_, statuses) = help.stdout.split_once("Exit status:\n").expect("a list");
    let documented: Vec<&str> =
        statuses.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(documented, ["0", "2", "3", "6", "7", "129", "130", "143"]);
    assert!(help.stdout.matches("fanmill dedup ").count() >= 5, "{help}");
    assert!(help.stdout.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn inputs_that_are_not_there() {
    assert_snapshot!(place().fanmill("dedup b.jsonl -o out").run(), @r"
    exit: 3
    --- stderr
    fanmill: `b.jsonl` does not exist; check its spelling, and the folder you run from
    ");
    assert_snapshot!(place().fanmill("dedup *.csv -o out").run(), @r"
    exit: 3
    --- stderr
    fanmill: no file fits `*.csv`
    ");
    let place = place();
    assert_eq!(place.fanmill("dedup b.jsonl -o out").run().code, Some(3));
    is_clean(&place);
}

#[test]
fn settings_that_no_run_can_use() {
    let said = |arguments: &str| {
        let place = place();
        let done = place.fanmill(&format!("dedup a.jsonl -o out {arguments}")).run();
        is_clean(&place);
        done
    };
    assert_snapshot!(said("--keep newest"), @r"
    exit: 2
    --- stderr
    fanmill: --keep: `newest` is not one of first, longest, newest:FIELD, oldest:FIELD, highest:FIELD, lowest:FIELD, source:FIELD=A,B,C
    ");
    assert_snapshot!(said("--min-score 1.5"), @r"
    exit: 2
    --- stderr
    fanmill: --min-score: `1.5` is not a score; scores go from 0 to 1: write 0.6, or 60%
    ");
    assert_snapshot!(said("--min-score 0"), @r"
    exit: 2
    --- stderr
    fanmill: threshold 0 is not above 0 and at most 1; use a fraction such as 0.8
    ");
    assert_snapshot!(said("--min-score 1"), @r"
    exit: 2
    --- stderr
    fanmill: threshold 1 cannot be met by bands; use --exact, or a threshold below 1
    ");
    assert_snapshot!(said("--memory 1MiB"), @r"
    exit: 2
    --- stderr
    fanmill: memory of 1048576 bytes is below the limit of 32 MiB; raise --memory
    ");
    assert_snapshot!(said("--shingle 0"), @r"
    exit: 2
    --- stderr
    fanmill: a shingle of 0 words holds nothing; use 3 to 10
    ");
    assert_snapshot!(said("--sketch minhash"), @r"
    exit: 2
    --- stderr
    fanmill: --sketch: unknown sketch `minhash`; use fss(t=128), perm(t=128), lead(t=84), classic(k=6,s=14,r=2), classic(k=8,s=25,r=1), bottom(t=128), mod(m=32) or bytes(s=11,r=3)
    ");
    assert_snapshot!(said("--recall 1"), @r"
    exit: 2
    --- stderr
    fanmill: recall 1 is not between 0 and 1; use a fraction such as 0.8
    ");
    assert_snapshot!(said("--input-format xml"), @r#"
    exit: 2
    --- stderr
    fanmill: --input-format: format "xml" is not known; use one of jsonl, csv, tsv, parquet, arrow, warc, text, html, document, mbox, message, zim, mediawiki, stackexchange
    "#);
}

#[test]
fn settings_that_do_not_go_together() {
    let said = |arguments: &str| {
        let place = place();
        let done = place.fanmill(&format!("dedup a.jsonl -o out {arguments}")).run();
        is_clean(&place);
        done
    };
    assert_snapshot!(said("--unit line --mode mark"), @r"
    exit: 2
    --- stderr
    fanmill: passages cannot be marked; use --mode remove, or --mode report to look first
    ");
    assert_snapshot!(said("--unit line --min-documents 1"), @r"
    exit: 2
    --- stderr
    fanmill: a passage of 1 documents is not repeated; use --min-documents 2 or more
    ");
    assert_snapshot!(place().fanmill("dedup a.jsonl").run(), @r"
    exit: 2
    --- stderr
    fanmill: mode remove writes a corpus and needs a folder for it; name one with --output, or use --mode report
    ");
    assert_eq!(said("--containment 0.9 --keep longest").code, Some(2));
    assert_eq!(said("--exact --recall 0.9").code, Some(2));
}

/// An option that would have no effect is refused.
#[test]
fn options_without_effect_are_refused_by_name() {
    for (arguments, option, with) in [
        ("--unit line --exact --keep longest", "--keep", "--unit line"),
        ("--unit line --exact", "--exact", "--unit line"),
        ("--unit paragraph --min-score 0.5", "--min-score", "--unit paragraph"),
        ("--unit paragraph --weighted", "--weighted", "--unit paragraph"),
        ("--unit line --exact-spelling", "--exact-spelling", "--unit line"),
        ("--unit run --words code", "--words", "--unit run"),
        ("--words maths --exact-spelling", "--exact-spelling", "--words maths"),
        ("--unit line --shingle 3", "--shingle", "--unit line"),
        ("--unit line --cluster components", "--cluster", "--unit line"),
        ("--unit line --sketch fss(t=128)", "--sketch", "--unit line"),
        ("--unit line --recall 0.9", "--recall", "--unit line"),
        ("--unit line --containment 0.9", "--containment", "--unit line"),
        ("--unit line --pairs", "--pairs", "--unit line"),
        ("--unit run --pairs", "--pairs", "--unit run"),
        ("--unit run --containment 0.9", "--containment", "--unit run"),
        ("--unit run --min-documents 3", "--min-documents", "--unit run"),
        ("--unit run --against tests", "--against", "--unit run"),
        ("--unit line --cut sentence", "--cut", "--unit line"),
        ("--min-rest 3", "--min-rest", "--unit document"),
        ("--min-bytes 300", "--min-bytes", "--unit document"),
        ("--min-words 3", "--min-words", "--unit document"),
        ("--min-documents 3", "--min-documents", "--unit document"),
        ("--containment 0.9 --exact", "--exact", "--containment"),
        ("--containment 0.9 --recall 0.9", "--recall", "--containment"),
        ("--sketch mod(m=32) --recall 0.9", "--recall", "--sketch mod(m=32)"),
    ] {
        let place = place();
        let done = place.fanmill(&format!("dedup a.jsonl -o out {arguments}")).run();
        let expected = format!("fanmill: {option} has no effect with {with}: ");
        assert_eq!(done.code, Some(2), "{arguments}: {done}");
        assert!(done.stderr.starts_with(&expected), "{arguments}: {done}");
        is_clean(&place);
    }
    let folder = Place::new().with("in/a.txt", PROVERB);
    for (field, words) in [
        ("--text-field body", "`body` as the field of the text has no effect"),
        ("--id-field n", "`n` as the field of the name has no effect"),
    ] {
        let done = folder.fanmill(&format!("dedup in -o out {field}")).run();
        assert_eq!(done.code, Some(2), "{done}");
        assert!(done.stderr.contains(words), "{done}");
        is_clean(&folder);
    }
    // Each of them occurs in an example with others.
    for arguments in [
        "--min-words 3 --unit line",
        "--unit run --min-words 3 --cut sentence --min-rest 2 --keep newest:date",
        "--unit run --min-bytes 30 --keep longest --mode mark",
        "--recall 0.9 --sketch lead(t=84)",
        "--exact --keep longest --shingle 3 --weighted --cluster components --min-score 0.5 --pairs",
    ] {
        let done = place().fanmill(&format!("dedup a.jsonl -o out {arguments}")).run();
        assert_eq!(done.code, Some(0), "{arguments}: {done}");
    }
}

/// A rule that applies to no document would silently keep the first of each cluster.
#[test]
fn a_rule_that_no_document_can_follow_is_refused() {
    for (rule, needs) in [
        ("newest:published", "a date in field `published`"),
        ("oldest:id", "a date in field `id`"),
        ("highest:score", "a number in field `score`"),
        ("source:from=wiki,news", "one of `wiki`, `news` in field `from`"),
    ] {
        let place = place();
        let done = place.fanmill(&format!("dedup a.jsonl -o out --keep {rule}")).run();
        let expected = format!("fanmill: no document has {needs}, which the rule `{rule}` needs; ");
        assert_eq!(done.code, Some(2), "{rule}: {done}");
        assert!(done.stderr.starts_with(&expected), "{rule}: {done}");
        assert!(!place.path("out").exists(), "{rule}");
    }
}

#[test]
fn texts_without_words_are_copies_if_they_are_equal() {
    let place = Place::new().with(
        "a.jsonl",
        ["!!!", "!!!", "!! !", "", "", "—"].map(|text| record("x", text)).concat(),
    );
    let done = place.fanmill("dedup a.jsonl -o out --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    let texts: Vec<&str> =
        output.lines().filter_map(|line| line.split("\"text\":").nth(1)).collect();
    let texts: Vec<&str> = texts.iter().filter_map(|text| text.split('"').nth(1)).collect();
    assert_eq!(texts, ["!!!", "!! !", "", "", "—"]);
}

/// 300 pages that share a template: every pair is a duplicate, and not every pair is compared.
#[test]
fn pairs_of_a_crowd_that_are_not_compared_are_counted() {
    let template = (0..60).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let corpus: String =
        (0..300).map(|n| record(&format!("d{n}"), &format!("{template} own{n}"))).collect();
    let place = Place::new().with("a.jsonl", corpus);
    let run = |arguments: &str| -> serde_json::Value {
        let line =
            format!("dedup a.jsonl -o out{} --pairs --format json {arguments}", arguments.len());
        let done = place.fanmill(&line).run();
        assert_eq!(done.code, Some(0), "{done}");
        serde_json::from_str(&done.stdout).expect("JSON")
    };
    let (sketched, exact) = (run("--min-score 0.8"), run("--exact --min-score 0.8"));
    let of = |summary: &serde_json::Value, name: &str| summary["counts"][name].as_u64();
    assert_eq!(of(&exact, "edges"), Some(300 * 299 / 2));
    assert_eq!(of(&exact, "unseen_pairs"), Some(0));
    assert!(of(&sketched, "edges") < of(&exact, "edges"), "{sketched}");
    assert!(of(&sketched, "unseen_pairs") > Some(0), "{sketched}");
    let promise = sketched["promise"].as_str().expect("words");
    assert!(promise.contains("were not looked at; the setting `exact` finds all"), "{promise}");
}

#[test]
fn a_level_of_compression_is_one_of_the_packing() {
    let mut packed = Vec::new();
    let mut packer = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
    let corpus: String =
        (0..2000).map(|n| record(&format!("d{n}"), &format!("word{n} ").repeat(30))).collect();
    std::io::Write::write_all(&mut packer, corpus.as_bytes()).expect("written");
    packer.finish().expect("written");
    let place = place().with("b.jsonl.gz", packed);
    let size = |level: u32| {
        let line = format!("dedup b.jsonl.gz -o out{level} --quiet --compression-level {level}");
        let done = place.fanmill(&line).run();
        assert_eq!(done.code, Some(0), "{done}");
        fs::metadata(place.path(format!("out{level}/b.jsonl.gz"))).expect("the corpus").len()
    };
    assert!(size(9) < size(1));
    for (arguments, words) in [
        ("b.jsonl.gz -o out --compression-level 10", "which has 0 to 9; choose one of these"),
        (
            "a.jsonl -o out --compression-level 3",
            "--compression-level has no effect: no input is packed",
        ),
        (
            "b.jsonl.gz --mode report --compression-level 3",
            "--compression-level has no effect with --mode report",
        ),
    ] {
        let done = place.fanmill(&format!("dedup {arguments}")).run();
        assert_eq!(done.code, Some(2), "{done}");
        assert!(done.stderr.contains(words), "{done}");
    }
}

#[test]
fn settings_beyond_all_measure() {
    for arguments in [
        "--memory 1000TiB",
        "--memory 99999999999999TiB --exact",
        "--shingle 18446744073709551615",
        "--max-record-bytes 99999999TiB",
        "--unit line --min-words 4294967295 --min-documents 4294967295 --memory 1000TiB",
        "--containment 0.000001",
        "--exact --min-score 1e-300",
        "--exact --min-score 1 --weighted",
    ] {
        let place = place();
        let done = place.fanmill(&format!("dedup a.jsonl -o out {arguments}")).run();
        assert_eq!(done.code, Some(0), "{arguments}: {done}");
    }
    let none = place().fanmill("dedup a.jsonl -o out --max-record-bytes 0").run();
    assert_eq!(none.code, Some(3), "{none}");
    assert!(none.stderr.contains("there is no record in `a.jsonl`; name other files"), "{none}");
}

#[test]
fn an_output_that_is_there() {
    let place = place().with("out/mine", "precious");
    assert_snapshot!(place.fanmill("dedup a.jsonl -o out").run(), @r"
    exit: 2
    --- stderr
    fanmill: output folder `out` is there and not empty; name a new one, or remove it
    ");
    assert_eq!(fs::read_dir(place.path("out")).expect("a folder").count(), 1);
}

#[test]
fn a_strict_run_ends_at_a_bad_record() {
    let place = place();
    assert_snapshot!(place.fanmill("dedup a.jsonl -o out --strict").run(), @r"
    exit: 3
    --- stderr
    fanmill: record 6 of `a.jsonl`, at byte 803 cannot be read: cut off: the object does not end, at byte 22 of the record; mend it, or do not ask for a strict run, which ends here
    ");
    assert!(!place.path("out").exists());
}

#[test]
fn an_input_that_is_cut_off() {
    let whole = packed(&corpus().repeat(50));
    let place = Place::new().with("a.jsonl.gz", &whole[..whole.len() / 2]);
    let done = place.fanmill("dedup a.jsonl.gz -o out").run();
    assert_eq!(done.code, Some(3), "{done}");
    assert!(done.stderr.contains("is damaged: it is cut off"), "{done}");
    assert!(!place.path("out").exists());
}
