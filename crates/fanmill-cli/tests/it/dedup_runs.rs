//! `fanmill dedup --unit run`: what is removed, marked and left.

use std::fs;

use insta::assert_snapshot;

use crate::dedup::record;
use crate::place::Place;

#[test]
fn repeated_runs_of_words() {
    let notice = "all rights are reserved by somebody who means it";
    let place = Place::new().with(
        "a.jsonl",
        record("a", &format!("one story and {notice}."))
            + &record("bb", &format!("Here {notice}. Another story, and {notice}\\nas well"))
            + &record("ccc", notice)
            + &record("dddd", &format!("short {notice}")),
    );
    let run = "dedup a.jsonl -o out --unit run --min-words 5 --min-rest 2";
    assert_snapshot!(place.fanmill(run).run(), @r"
    exit: 0
    --- stdout
    4 documents, 0.0 MB of text: 36 of 55 words occur earlier (0.0 MB) in 4 runs removed from 3 documents
    documents that go: 1 without a word left, 1 with too few words left
    promise: each word removed is in a run of 5 words or more that occurs earlier, word for word; no run of 5 words or more is left that occurs earlier, in another document or in the same one
    written: the corpus in out, tables and summary in out.fanmill
    ");
    let output = fs::read_to_string(place.path("out/a.jsonl")).expect("the corpus");
    assert_snapshot!(output, @r#"
    {"id":"a","text":"one story and all rights are reserved by somebody who means it.","date":"2024-01-02"}
    {"id":"bb","text":"Here Another story, it\nas well","date":"2024-01-03"}
    "#);
    let marked = "dedup a.jsonl -o marked --unit run --min-words 5 --min-rest 2 --mode mark -q";
    assert_eq!(place.fanmill(marked).run().code, Some(0));
    let output = fs::read_to_string(place.path("marked/a.jsonl")).expect("the corpus");
    assert_snapshot!(output, @r#"
    {"id":"a","text":"one story and all rights are reserved by somebody who means it.","date":"2024-01-02"}
    {"id":"bb","text":"Here all rights are reserved by somebody who means it. Another story, and all rights are reserved by somebody who means it\nas well","date":"2024-01-03","fanmill":{"runs":[[5,54],[70,119]],"words_left":6}}
    {"id":"ccc","text":"all rights are reserved by somebody who means it","date":"2024-01-04","fanmill":{"runs":[[0,48]],"words_left":0}}
    {"id":"dddd","text":"short all rights are reserved by somebody who means it","date":"2024-01-05","fanmill":{"runs":[[6,54]],"words_left":1}}
    "#);
    let again = place.fanmill("dedup out/a.jsonl --mode report --unit run --min-words 5").run();
    assert!(again.stdout.contains("0 of 18 words occur earlier"), "{again}");
    let both = place.fanmill("dedup a.jsonl -o no --unit run --min-words 5 --min-bytes 9").run();
    assert_eq!(both.code, Some(2), "{both}");
}
