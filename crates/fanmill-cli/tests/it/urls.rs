//! `fanmill urls`: what it learns from the example crawl, and what it makes of odd input.

use std::fs;

use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::run::Run;

/// A run on the example crawl.
fn crawl(arguments: &str) -> Run {
    Run::new(&format!("urls crawl/shop.jsonl {arguments}")).inside(&examples())
}

/// A record on a line.
fn record(url: &str, text: &str) -> String {
    serde_json::json!({ "url": url, "text": text }).to_string() + "\n"
}

/// Six pages of a site, each visited three times with different `sid`s.
fn site() -> String {
    let texts = ["a red kettle", "a blue pot", "a tin", "a green ladle", "a pan", "an old spoon"];
    let page = |(i, text): (usize, &&str)| -> String {
        (0..3).map(|n| record(&format!("http://example.org/p{i}?sid={n}{i}x"), text)).collect()
    };
    texts.iter().enumerate().map(page).collect()
}

#[test]
fn the_example_is_put_together_whole() {
    assert_snapshot!(crawl("").run(), @r"
    exit: 0
    --- stdout
    #  rule                                    URLs  addresses  contents  conflicts  sure

    shop.example.com: 43 addresses → 12
    2  drop path segment 1, S-[0-9A-Za-z]{12}    28    29 → 10        10          0  0.79
       random values, as of sessions
           http://shop.example.com/S-7hQwZ2bVr0Kd/about
           http://shop.example.com/S-M3xTf9LpYc8u/about
         → http://shop.example.com/about
    3  drop parameter ref                        12     16 → 8         8          0  0.75
       words, as of campaigns or views
           http://shop.example.com/goods/breadbin?ref=letter
         → http://shop.example.com/goods/breadbin
    4  drop parameter sort below /goods           4      8 → 4         4          0  0.60
       words, as of campaigns or views
           http://shop.example.com/goods/breadbin?sort=price
         → http://shop.example.com/goods/breadbin

    mirror.example.net: 10 addresses → 10
    1  write shop.example.com/ for /shop         10    20 → 10        10          0  0.79
           https://mirror.example.net/shop/about
         → http://shop.example.com/about
    --- stderr

    53 URLs of 2 hosts: 53 addresses of 12 contents
    4 rules: 12 addresses left; 11 contents brought to one address, 0 lost
    1 of 54 records could not be used
      shop.jsonl, record 29: scheme `mailto` is not of the web; http and https are
    ");
}

#[test]
fn folders_are_written_whole_and_replaced() {
    let place = Place::new().with("shop.jsonl", site());
    for _ in 0..2 {
        let done = place.fanmill("urls shop.jsonl -o out/rules --quiet").run();
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done}");
    }
    let read = |name: &str| fs::read_to_string(place.path("out/rules").join(name)).expect(name);
    let mut names: Vec<_> = fs::read_dir(place.path("out/rules"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert_eq!(names, ["canonical.jsonl", "rules.jsonl", "summary.json"]);
    assert_eq!(fs::read_dir(place.path("out")).expect("a folder").count(), 1, "nothing beside it");
    assert_snapshot!(read("rules.jsonl"), @r#"
    {"number":1,"host":"example.org","scope":"/","kind":"parameter","subject":"sid","description":"drop parameter sid","looks":"words, as of campaigns or views","operation":"replace","regex":"^(https?://example\\.org/[^?]*)(?:\\?sid(?:=[^&]*)?$|(\\?)sid(?:=[^&]*)?&|(\\?.*?)&sid(?:=[^&]*)?(&|$))","replace":"${1}${2}${3}${4}","repeat":true,"evidence":{"urls":18,"addresses_before":18,"addresses_after":6,"seen":0,"contents":6,"conflicts":0,"confidence":0.6892,"joint":false},"examples":[{"from":"http://example.org/p0?sid=00x","to":"http://example.org/p0"},{"from":"http://example.org/p0?sid=10x","to":"http://example.org/p0"}]}
    "#);
    assert_snapshot!(read("canonical.jsonl").lines().take(4).collect::<Vec<_>>().join("\n"), @r#"
    {"url":"http://example.org/p0?sid=00x","canonical":"http://example.org/p0","cluster":0,"content":0}
    {"url":"http://example.org/p0?sid=10x","canonical":"http://example.org/p0","cluster":0,"content":0}
    {"url":"http://example.org/p0?sid=20x","canonical":"http://example.org/p0","cluster":0,"content":0}
    {"url":"http://example.org/p1?sid=01x","canonical":"http://example.org/p1","cluster":1,"content":1}
    "#);
}

#[test]
fn the_summary_accounts_for_all_that_was_met() {
    let place = Place::new().with("shop.jsonl", site());
    let done = place.fanmill("urls shop.jsonl -o out --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let summary = fs::read_to_string(place.path("out/summary.json")).expect("a summary");
    assert_snapshot!(summary, @r#"
    {
      "format": "fanmill-urls 1",
      "scheme": {
        "threshold": 0.9,
        "shingle": 5,
        "sketch": "fss(t=128)",
        "bands": "bands(b=13,r=9,needed=1)"
      },
      "limits": {
        "min_support": 3,
        "max_conflicts": 0.02,
        "min_confidence": 0.5
      },
      "inputs": {
        "seen": 18,
        "compared": 18,
        "degraded": 0,
        "skipped": 0,
        "failed": 0
      },
      "counts": {
        "records": 18,
        "bad": 0,
        "empty": 0,
        "urls": 18,
        "hosts": 1,
        "addresses": 18,
        "unstable": 0,
        "contents": 6,
        "rules": 1,
        "addresses_after": 6,
        "contents_whole": 6,
        "contents_lost": 0
      },
      "promise": "applied to this input, the rules lose 0 of 6 contents that they touch, and never more than 2 % of a host's; contents are one if they have an estimated resemblance of 0.9 or more of their 5-word shingles; of addresses that were not in the input nothing is promised",
      "bad": [],
      "degraded": [],
      "skipped": []
    }
    "#);
}

#[test]
fn a_folder_with_anything_else_is_left_alone() {
    let place = Place::new().with("shop.jsonl", site()).with("out/notes.txt", "precious");
    assert_snapshot!(place.fanmill("urls shop.jsonl -o out").run(), @r"
    exit: 2
    --- stderr
    fanmill: output folder `out` holds `notes.txt`, and would be replaced; name a new folder, or empty this one
    ");
    assert_eq!(fs::read(place.path("out/notes.txt")).expect("it is there"), b"precious");
}

#[test]
fn rules_can_be_tried_at_once() {
    let place = Place::new().with("shop.jsonl", site()).with(
        "new.txt",
        "HTTP://Example.ORG:80/p9?x=1&sid=abc&y=2\r\nhttp://example.net/?sid=1\n\nno address\nexample.org/?sid=\n",
    );
    assert_eq!(place.fanmill("urls shop.jsonl -o out --quiet").run().code, Some(0));
    assert_snapshot!(place.fanmill("urls --apply out/rules.jsonl new.txt").run(), @r"
    exit: 0
    --- stdout
    http://example.org/p9?x=1&y=2
    http://example.net/?sid=1

    no address
    http://example.org/
    --- stderr
    1 line is not an address, and was left unchanged
    ");
    let again = place.fanmill("urls --apply out/rules.jsonl").run();
    assert_eq!((again.code, &*again.stdout), (Some(0), ""), "standard input is empty: {again}");
}

#[test]
fn rules_that_are_none_are_named() {
    let place = Place::new()
        .with("text.jsonl", "{\"host\": 1}\n")
        .with(
            "wild.jsonl",
            "{\"host\":\"example.org\",\"operation\":\"delete\",\"regex\":\"^x\"}\n",
        )
        .with(
            "open.jsonl",
            "{\"host\":\"example.org\",\"operation\":\"replace\",\"regex\":\"^(\"}\n",
        );
    place.write(
        "latin.jsonl",
        b"{\"host\":\"caf\xe9.example.org\",\"operation\":\"replace\",\"regex\":\"x\"}\n",
    );
    place.write("long.jsonl", " ".repeat(3 << 20));
    for name in ["text", "wild", "open", "latin", "long", "none"] {
        let done = place.fanmill(&format!("urls --apply {name}.jsonl")).run();
        assert_eq!(done.code, Some(3), "{done}");
        assert_eq!(done.stderr.lines().count(), 1, "{done}");
    }
}

#[test]
fn json_has_all_of_it() {
    let done = crawl("--format json").run();
    let found: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(found["summary"]["counts"]["rules"], 4);
    assert_eq!(found["rules"].as_array().map(Vec::len), Some(4));
    assert_eq!(found["rules"][1]["kind"], "segment");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let with = |threads: &str| {
        let place = Place::new();
        let done = crawl(&format!("--format json --threads {threads}"))
            .arg("-o")
            .arg(place.path("out"))
            .run();
        let files = ["canonical.jsonl", "rules.jsonl", "summary.json"];
        (done.stdout, files.map(|name| fs::read(place.path("out").join(name)).expect(name)))
    };
    let one = with("1");
    assert!(one.0.len() > 1000 && with("2") == one && with("7") == one);
}

#[test]
fn bad_records_are_counted_and_named() {
    let place = Place::new();
    let mut bytes = site().into_bytes();
    bytes.extend_from_slice(b"{\"url\":\"http://example.org/\xff\",\"text\":\"x\"}\n");
    bytes.extend_from_slice(
        b"{\"text\":\"no address\"}\n{\"url\":\"http://example.org/\"}\nnothing\n",
    );
    bytes.extend_from_slice(record("ftp://example.org/", "x").as_bytes());
    bytes.extend_from_slice(
        record(&format!("http://example.org/{}", "a".repeat(100_000)), "x").as_bytes(),
    );
    bytes.extend_from_slice(
        record("http://b\u{fc}cher.example.org/\u{202e}\u{1b}[2J", "x").as_bytes(),
    );
    place.write("odd.jsonl", bytes);
    let done = place.fanmill("urls odd.jsonl").run();
    assert!(!done.stderr.contains('\u{1b}') && !done.stdout.contains('\u{1b}'));
    assert_snapshot!(done.stderr, @r"
    20 URLs of 2 hosts: 20 addresses of 7 contents
    1 rule: 8 addresses left; 6 contents brought to one address, 0 lost
    5 of 25 records could not be used
      odd.jsonl, record 20: no URL in field `url`
      odd.jsonl, record 21: no field for the text, such as `text`, `content`, `body`; there are `url`
      odd.jsonl, record 22: no JSON object, at byte 0 of the record
      … and 2 more; summary.json lists the first hundred
    ");
    assert_snapshot!(place.fanmill("urls odd.jsonl --strict").run(), @r"
    exit: 3
    --- stderr
    fanmill: `odd.jsonl`, record 20: no URL in field `url`; mend it, or do not ask for a strict run, which ends here
    ");
}

/// As in `dedup`: nothing is skipped silently, and a strict run refuses damaged records.
#[test]
fn what_is_not_used_whole_is_counted_and_named() {
    let null = "{\"url\":\"http://example.org/p7\",\"text\":null}\n";
    let lost = b"{\"url\":\"http://example.org/p8\",\"text\":\"caf\xff\"}\n";
    let block = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG";
    let image = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/i\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    let place = Place::new()
        .with("crawl/.hidden.jsonl", "{}")
        .with("crawl/image.warc", image)
        .with("crawl/logo.svg", "<svg/>")
        .with("crawl/null.jsonl", site() + null);
    place.write("crawl/lost.jsonl", [site().as_bytes(), lost].concat());
    let done = place.fanmill("urls crawl --format json").run();
    assert_snapshot!(done.stderr, @r"
    38 URLs of 1 host: 19 addresses of 7 contents
    1 rule: 7 addresses left; 6 contents brought to one address, 0 lost
    2 of 38 records lack something
      lost.jsonl, record 19: its text has bytes that stand for no character: read as U+FFFD
      null.jsonl, record 19: its text is null
    3 inputs left out
      crawl/.hidden.jsonl: hidden: not compared, not in the output
      crawl/logo.svg: style, script or drawing of a page, going by its extension: not compared, not in the output
      image.warc, byte 0: a response of type image/png, not read as text
    ");
    let whole: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    let inputs = serde_json::json!({
        "seen": 41, "compared": 36, "degraded": 2, "skipped": 3, "failed": 0
    });
    assert_eq!(whole["summary"]["inputs"], inputs);
    assert_eq!(whole["summary"]["degraded"][1]["record"], 19);
    assert_eq!(whole["summary"]["skipped"][2]["offset"], 0);
    for (name, reason) in [("null", "its text is null"), ("lost", "stand for no character")] {
        let done = place.fanmill(&format!("urls crawl/{name}.jsonl --strict")).run();
        let words = [format!("`{name}.jsonl`, record 19: "), reason.to_owned()];
        assert_eq!(done.code, Some(3), "{done}");
        assert!(words.iter().all(|word| done.stderr.contains(word)), "{done}");
    }
}

#[test]
fn sketches_do_in_place_of_texts() {
    let row = |page: u64| (0..32).map(|i| (page * 1000 + i) * 0x9E37_79B9).collect::<Vec<u64>>();
    let lines: String = (0..5_u64)
        .flat_map(|page| (0..2).map(move |visit| (page, visit)))
        .map(|(page, visit)| {
            let url = format!("http://example.org/{page}?visit={visit}");
            let mut row = row(page);
            row[0] += visit;
            if page % 2 == 0 {
                let digits: Vec<String> =
                    row.iter().map(|register| format!("{register:016x}")).collect();
                serde_json::json!({ "address": url, "sketch": digits.concat() }).to_string() + "\n"
            } else {
                serde_json::json!({ "address": url, "sketch": row }).to_string() + "\n"
            }
        })
        .collect();
    let place = Place::new()
        .with("sketches.jsonl", lines + "{\"address\":\"example.org\",\"sketch\":[1]}\n");
    let done = place.fanmill("urls sketches.jsonl --url-field address --sketch-field sketch").run();
    assert_snapshot!(done, @r"
    exit: 0
    --- stdout
    #  rule                  URLs  addresses  contents  conflicts  sure

    example.org: 10 addresses → 5
    1  drop parameter visit    10     10 → 5         5          0  0.65
       numbers, as of counters or times
           http://example.org/0?visit=0
           http://example.org/0?visit=1
         → http://example.org/0
    --- stderr

    10 URLs of 1 host: 10 addresses of 5 contents
    1 rule: 5 addresses left; 5 contents brought to one address, 0 lost
    1 of 11 records could not be used
      sketches.jsonl, record 11: sketch of 1 registers among sketches of 32; all must have the same number
    ");
}

#[test]
fn where_nothing_varies_it_says_so() {
    let lines: String = (0..9)
        .map(|i| record(&format!("http://example.org/?id={i}"), &format!("page {i}")))
        .collect();
    let place = Place::new().with("plain.jsonl", lines).with("none.jsonl", "");
    assert_snapshot!(place.fanmill("urls plain.jsonl").run(), @r"
    exit: 0
    --- stdout
    no rules: 9 addresses have 9 contents, so no part of a URL varies without a reason
    --- stderr

    9 URLs of 1 host: 9 addresses of 9 contents
    0 rules: 9 addresses left; 0 contents brought to one address, 0 lost
    ");
    assert_snapshot!(place.fanmill("urls none.jsonl").run(), @r"
    exit: 0
    --- stdout
    no rules: no record has both a URL and a content
    --- stderr

    0 URLs of 0 hosts: 0 addresses of 0 contents
    0 rules: 0 addresses left; 0 contents brought to one address, 0 lost
    ");
}

#[test]
fn settings_out_of_range() {
    assert_snapshot!(crawl("--min-score 0").run(), @r"
    exit: 2
    --- stderr
    fanmill: threshold 0 is not above 0 and at most 1; use a resemblance such as 0.9
    ");
    assert_snapshot!(crawl("--min-support 0").run(), @r"
    exit: 2
    --- stderr
    fanmill: --min-support 0 needs no evidence; use 1 or more contents
    ");
    assert_snapshot!(crawl("--max-conflicts 3").run(), @r"
    exit: 2
    --- stderr
    fanmill: --max-conflicts: `3` is not a score; scores go from 0 to 1: write 0.6, or 60%
    ");
    assert_snapshot!(crawl("--memory 10KiB").run(), @r"
    exit: 2
    --- stderr
    fanmill: 10 addresses and 7 contents take 10568 bytes, above the limit of 10240; raise --memory, or give the hosts one after another
    ");
    assert_snapshot!(crawl("--input-format xls").run(), @r#"
    exit: 2
    --- stderr
    fanmill: --input-format: format "xls" is not known; use one of jsonl, csv, tsv, parquet, arrow, warc, text, html, document, mbox, message, zim, mediawiki, stackexchange
    "#);
}

#[test]
fn its_help_names_every_exit_status_and_gives_examples() {
    let help = Run::new("urls --help").run();
    assert_eq!((help.code, &*help.stderr), (Some(0), ""));
    let (_, statuses) = help.stdout.split_once("Exit status:\n").expect("a list");
    let documented: Vec<&str> =
        statuses.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(documented, ["0", "2", "3", "6", "7", "129", "130", "143"]);
    assert!(help.stdout.matches("fanmill urls ").count() >= 4, "{help}");
    assert!(help.stdout.lines().all(|line| line.chars().count() <= 100), "{help}");
}
