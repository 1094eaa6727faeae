//! Records of corpora and libraries in an index: which inputs have them, and what they are called and read as.

use insta::assert_snapshot;

use crate::index::{answers, run};
use crate::place::Place;

/// Each record of a file is a document, in whatever format, and answers are the same; a record that cannot be read is named.
#[test]
fn records_are_added_and_searched_for() {
    let shared =
        "we walked along the river until the old mill came into sight, and then we all went home";
    let record = |id: &str, text: &str| format!("{{\"key\": \"{id}\", \"prose\": \"{text}\"}}\n");
    let known = [
        record("anna", &format!("Last summer {shared} by bus.")),
        record("ben", "There is nothing in this one that any of the others have said before."),
        record("anna", &format!("A second text of the same name: {shared} again.")),
        "not JSON\n".to_owned(),
        record("", ""),
    ];
    let place = Place::new()
        .with("known.jsonl", known.concat())
        .with("new/one.txt", format!("He said: {shared} yesterday."))
        .with("new.jsonl", record("one", &format!("He said: {shared} yesterday.")));
    let fields = "--text-field prose --id-field key";
    assert_snapshot!(run(&place, &format!("index add ix known.jsonl {fields}")), @r"
    exit: 0
    --- stderr
    failed: known.jsonl/4: no JSON object, at byte 0 of the record
    skipped: known.jsonl/5: empty
    3 documents added, 0 replaced, 0 already there; the index now holds 3 documents
    ");
    assert_snapshot!(run(&place, "index list ix"), @r"
    exit: 0
    --- stdout
    known.jsonl/anna
    known.jsonl/ben
    known.jsonl/anna (record 3)
    ");
    let again = run(&place, &format!("index add ix known.jsonl {fields}"));
    assert!(again.stderr.contains("0 documents added, 0 replaced, 3 already there"), "{again}");
    assert_snapshot!(run(&place, &format!("search ix new.jsonl {fields}")), @r"
    exit: 0
    --- stdout
    new.jsonl/one: passages in common with 2 of 3 documents (generation 1)
    evidence  source            of the text  added  longest  passages  matched
           9  known.jsonl/anna          86%    86%       18         1       18
              the same is in known.jsonl/anna (record 3)
    ");
    let sources = |arguments: &str| {
        let answer = &answers(&place, arguments)[0];
        answer["sources"].as_array().expect("sources").len()
    };
    assert_eq!(sources("ix new"), 2);
    assert_eq!(sources(&format!("ix new.jsonl {fields} --and-add")), 2);
    assert_eq!(sources("ix new"), 3);
    // Files of a folder are documents if it is said so, and records if that is said.
    place.write("corpus/part.jsonl", record("carl", shared));
    run(&place, "index add other corpus --group-by file");
    run(&place, &format!("index add other corpus --input-format jsonl {fields}"));
    assert_snapshot!(run(&place, "index list other"), @r"
    exit: 0
    --- stdout
    corpus/part.jsonl
    corpus/part.jsonl/carl
    ");
    let strict = place.fanmill(&format!("index add strict known.jsonl {fields} --strict")).run();
    assert_eq!(strict.code, Some(4), "{strict}");
}

/// A folder that holds records and nothing else is one of records; in any other folder, a library is named as something that
/// can be read.
#[test]
fn a_folder_of_records_is_read_as_records() {
    let lines = "{\"id\": \"a\", \"text\": \"one two\"}\n{\"id\": \"b\", \"text\": \"three\"}\n";
    let posts = "<?xml version=\"1.0\"?><posts><row Id=\"1\" PostTypeId=\"1\" Body=\"&lt;p&gt;Why does dough rise?&lt;/p&gt;\" /></posts>";
    let place = Place::new()
        .with("lines/1.jsonl", lines)
        .with("lines/deep/2.jsonl", lines)
        .with("lines/_SUCCESS", "")
        .with("site/Posts.xml", posts)
        .with("site/Users.xml", "<users><row Id=\"2\" /></users>")
        .with("mixed/essay.txt", "an essay")
        .with("mixed/wiki.zim", b"ZIM\x04\x06\x00\x01\x00\x00\x00")
        .with("mixed/more/deep/wiki.zim", b"ZIM\x04\x06\x00\x01\x00\x00\x00")
        .with("mixed/more/notes.txt", "notes");
    run(&place, "index add ix lines");
    run(&place, "index add ix lines --include *.jsonl");
    assert_snapshot!(run(&place, "index list ix"), @r"
    exit: 0
    --- stdout
    lines/1.jsonl/a
    lines/1.jsonl/b
    lines/deep/2.jsonl/a
    lines/deep/2.jsonl/b
    lines/1.jsonl
    lines/deep
    ");
    assert_snapshot!(run(&place, "index add posts site"), @r"
    exit: 0
    --- stderr
    skipped: site/Users.xml: no shard of records, as others in its folder are: not compared, not in the output
    1 document added, 0 replaced, 0 already there; the index now holds 1 document
    ");
    assert_snapshot!(run(&place, "index add other mixed"), @r"
    exit: 0
    --- stderr
    skipped: 2 files: binary: not text; it has records (zim): name the file itself: mixed/more: deep/wiki.zim, mixed/wiki.zim
    2 documents added, 0 replaced, 0 already there; the index now holds 2 documents
    ");
}

/// Records that were files of code are read as code, by the name of the file; an export of Markdown stays Markdown.
#[test]
fn records_say_what_files_they_were() {
    let text = "# A heading\n\nSome words.\n\n```python\nfor x in range(10):\n    print(x)\n```\n";
    let line = |id: &str, path: &str| {
        format!("{}\n", serde_json::json!({"id": id, "path": path, "text": text}))
    };
    let paths = ["src/a.py", "notes/a.md", "page/a.html", "part.jsonl", "a.txt", "Makefile"];
    let place = Place::new().with("in.jsonl", paths.map(|path| line(path, path)).concat());
    run(&place, "index add ix in.jsonl");
    let exported = run(&place, "index export ix").stdout;
    let path = |line: &str| -> String {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        format!("{} as {}", line["id"], line["path"])
    };
    let read: Vec<String> = exported.lines().map(path).collect();
    assert_snapshot!(read.join("\n"), @r#"
    "in.jsonl/src/a.py" as "a.py"
    "in.jsonl/notes/a.md" as "a.md"
    "in.jsonl/page/a.html" as "text.txt"
    "in.jsonl/part.jsonl" as "text.txt"
    "in.jsonl/a.txt" as "text.txt"
    "in.jsonl/Makefile" as "Makefile"
    "#);
}
