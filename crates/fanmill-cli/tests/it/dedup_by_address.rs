//! `dedup --first-by url`: records of one address, in every format, and what is refused.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use fanmill_corpus::job::bookkeeping_of;
use insta::assert_snapshot;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::place::Place;

/// A text of its own for each number.
fn text(number: usize) -> String {
    let word = |word| format!("w{} ", number * 1000 + word);
    (0..40).map(word).collect()
}

/// A record with a date that falls as numbers rise, and with whatever members are given.
fn record(id: &str, text: &str, members: &str) -> String {
    let date = format!("2026-01-{:02}", 31 - id.len() % 30);
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"date\":\"{date}\"{members}}}\n")
}

/// Thirty records: five spellings of one address with five texts, and addresses of all kinds.
fn odd() -> Vec<u8> {
    let long = format!("http://x.example/{}", "a".repeat(1_000_000));
    let url = |url: &str| format!(",\"url\":{}", serde_json::to_string(url).expect("a string"));
    let spellings = [
        "http://x.example/page",
        "HTTP://X.Example:80/page#top",
        "x.example/./page?&",
        "http://ada:secret@x.example/%70age",
        "  http://x.example/page  ",
    ];
    let mut members: Vec<String> = spellings.into_iter().map(&url).collect();
    let others =
        ["https://x.example/page", "http://x.example/page/", "http://x.example/page?sid=1"];
    members.extend(others.into_iter().map(&url));
    let garbage =
        ["", " ", "no address", "mailto:ada@x.example", "http://", "\u{fffd}", &long, &long];
    members.extend(garbage.into_iter().map(&url));
    members.extend(
        ["", ",\"url\":null", ",\"url\":7", ",\"url\":[\"a\"]", ",\"url\":true"].map(str::to_owned),
    );
    let n = members.len();
    members.extend((n..29).map(|i| url(&format!("http://y.example/{}", i % 2))));
    let record = |(i, members): (usize, &String)| record(&format!("r{i}"), &text(i), members);
    let mut lines = members.iter().enumerate().map(record).collect::<String>().into_bytes();
    // Bytes that are not UTF-8, in an address.
    lines.extend(
        b"{\"id\":\"r29\",\"text\":\"only bytes\",\"url\":\"http://x.example/\xff\xfe\"}\n",
    );
    lines
}

/// The names of the records that an output has.
fn ids(text: &str) -> String {
    let id = |line: &str| line.split('"').nth(3).unwrap_or_default().to_owned();
    text.lines().map(id).collect::<Vec<_>>().join(" ")
}

/// A column of texts of a table that a run has written.
fn column(place: &Place, output: &str, name: &str) -> Vec<String> {
    let beside = bookkeeping_of(&place.path(output)).expect("a name");
    let file = fs::File::open(beside.join("removed.parquet")).expect("a table");
    let rows = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build();
    let mut values = Vec::new();
    for rows in rows.expect("readable") {
        let rows = rows.expect("readable");
        let column = rows.column_by_name(name).expect("a column");
        let column = column.as_any().downcast_ref::<StringArray>().expect("texts");
        values.extend(column.iter().map(|value| value.expect("no nulls").to_owned()));
    }
    values
}

#[test]
fn the_preferred_record_of_each_address_stays() {
    let place = Place::new().with("a.jsonl", odd());
    assert_snapshot!(place.fanmill("dedup a.jsonl -o out --first-by url").run(), @r"
    exit: 0
    --- stdout
     SIZE  LEAST  MEAN  KEPT · LEAST SIMILAR DUPLICATE
        5      –     –  r0   r1
        4      –     –  r21  r23
        4      –     –  r22  r24

    30 documents, 0.0 MB of text: 20 stay, 10 are duplicates (0 of them copies) in 3 clusters
    addresses: 16 documents have one, 4 have none, 10 something else; 10 go for another one of the same address, 10 of them with another text
    promise: of documents with one address, the others go for the preferred one without a comparison; of the rest, each duplicate resembles the document that stays in its place by at least 0.8, counted on all shingles; no document is a duplicate for being short or empty; documents of a few words differ by slips alone; of pairs at 0.8, 99.83 % are expected to be found, and more of those above
    written: the corpus in out, tables and summary in out.fanmill
    ");
    assert_snapshot!(ids(&String::from_utf8_lossy(&fs::read(place.path("out/a.jsonl")).expect("the corpus"))), @"r0 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 r16 r17 r18 r19 r20 r21 r22 r29");
    assert_snapshot!(column(&place, "out", "id").join(" "), @"r1 r2 r3 r4 r23 r24 r25 r26 r27 r28");
    assert_snapshot!(column(&place, "out", "kept_id").join(" "), @"r0 r0 r0 r0 r21 r22 r21 r22 r21 r22");
    assert!(column(&place, "out", "reason").iter().all(|reason| reason == "address"));
    let summary = fs::read_to_string(place.path("out.fanmill/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["first_by"], "url");
    assert_snapshot!(summary["addresses"].to_string(), @r#"{"documents":16,"missing":4,"removed":10,"unusable":10,"with_other_text":10}"#);
    // Nothing else goes: the same records stay at any number of threads, and with little memory.
    for options in ["--threads 1", "--threads 3 --memory 32MiB"] {
        let done = place
            .fanmill(&format!("dedup a.jsonl -o again --first-by url --quiet {options}"))
            .run();
        assert_eq!(done.code, Some(0), "{done}");
        for name in ["a.jsonl", ".fanmill/removed.parquet", ".fanmill/clusters.parquet"] {
            let read = |output: &str| {
                let path = if name.starts_with('.') {
                    format!("{output}{name}")
                } else {
                    format!("{output}/{name}")
                };
                fs::read(place.path(path)).expect("a file")
            };
            assert!(read("again") == read("out"), "{options}: {name}");
        }
        fs::remove_dir_all(place.path("again")).expect("removed");
        fs::remove_dir_all(place.path("again.fanmill")).expect("removed");
    }
    // A second run finds nothing more.
    let again = place.fanmill("dedup out -o second --first-by url --format json").run();
    let counts: serde_json::Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(counts["counts"]["duplicates"], 0, "{again}");
}

#[test]
fn keep_decides_which_record_of_an_address_stays() {
    let page = ",\"url\":\"http://x.example/a\"";
    let longer = format!("{} and more", text(2));
    let lines =
        [record("a", &text(1), page), record("bb", &longer, page), record("ccc", &text(3), page)];
    let place = Place::new().with("a.jsonl", lines.concat());
    for (keep, stays) in
        [("first", "a"), ("longest", "bb"), ("newest:date", "a"), ("oldest:date", "ccc")]
    {
        let done = place
            .fanmill(&format!(
                "dedup a.jsonl -o {stays}{} --first-by url --keep {keep}",
                keep.len()
            ))
            .run();
        assert_eq!(done.code, Some(0), "{keep}: {done}");
        let written = fs::read_to_string(place.path(format!("{stays}{}/a.jsonl", keep.len())));
        assert_eq!(ids(&written.expect("the corpus")), stays, "{keep}");
    }
}

/// The record that is preferred for an address goes for the text of a reference, and the other ones with it.
#[test]
fn a_reference_has_no_addresses() {
    let page = ",\"url\":\"http://x.example/a\"";
    let lines =
        [record("a", &text(1), page), record("bb", &text(2), page), record("ccc", &text(3), "")];
    let known = [record("k", &text(1), ""), record("kk", &text(9), page)];
    let place = Place::new().with("a.jsonl", lines.concat()).with("known.jsonl", known.concat());
    let done = place.fanmill("dedup a.jsonl --against known.jsonl -o out --first-by url").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(column(&place, "out", "id"), ["a", "bb"]);
    assert_eq!(column(&place, "out", "kept_id"), ["k", "k"]);
    assert_eq!(column(&place, "out", "reason"), ["text", "address"]);
}

/// One of two records of an address, in a web archive.
fn response(url: &str, text: &str) -> String {
    let body = format!("<html><body><p>{text}</body></html>");
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{}>\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        text.len(),
        http.len()
    )
}

fn table(path: &Path, rows: &[(&str, Option<&str>)]) {
    let texts: ArrayRef = Arc::new(rows.iter().map(|row| Some(row.0)).collect::<StringArray>());
    let pages: ArrayRef = Arc::new(rows.iter().map(|row| row.1).collect::<StringArray>());
    let rows = RecordBatch::try_from_iter([("text", texts), ("page", pages)]).expect("a table");
    let file = fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).expect("a writer");
    writer.write(&rows).expect("written");
    writer.close().expect("written");
}

#[test]
fn addresses_are_found_in_every_format() {
    let texts: Vec<String> = (0..4).map(text).collect();
    let pages = [Some("http://x.example/a"), None, Some("http://X.example/a"), Some("none")];
    let place = Place::new();
    // Archives, by their targets, whatever names a record.
    let archive =
        response("http://x.example/a", &texts[0]) + &response("<http://x.example:80/a>", &texts[1]);
    place.write("a.warc", archive);
    for options in ["", "--id-field WARC-Record-ID"] {
        let done = place
            .fanmill(&format!("dedup a.warc --mode report --first-by url --format json {options}"))
            .run();
        let summary: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
        assert_eq!(summary["addresses"]["removed"], 1, "{done}");
    }
    // Tables, packed files and a field inside of another one.
    let rows: Vec<(&str, Option<&str>)> = texts.iter().map(|text| &**text).zip(pages).collect();
    table(&place.path("a.parquet"), &rows);
    let row =
        |(text, page): &(&str, Option<&str>)| format!("{text},{}\n", page.unwrap_or_default());
    let csv: String = rows.iter().map(row).collect();
    place.write("a.csv", format!("text,page\n{csv}"));
    let lines: String = rows
        .iter()
        .map(|(text, page)| {
            serde_json::json!({"text": text, "meta": {"page": page}}).to_string() + "\n"
        })
        .collect();
    place.write("a.jsonl.zst", zstd::encode_all(lines.as_bytes(), 3).expect("packed"));
    for (file, field) in [("a.parquet", "page"), ("a.csv", "page"), ("a.jsonl.zst", "meta.page")] {
        let output = file.replace('.', "-");
        let done = place
            .fanmill(&format!(
                "dedup {file} -o {output} --first-by url --url-field {field} --format json"
            ))
            .run();
        assert_eq!(done.code, Some(0), "{file}: {done}");
        let summary: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
        let counts = &summary["addresses"];
        let found = ["documents", "missing", "unusable", "removed", "with_other_text"]
            .map(|name| counts[name].as_u64());
        assert_eq!(found, [2, 1, 1, 1, 1].map(Some), "{file}: {done}");
    }
    // Marks have no resemblance where none was computed.
    let done = place
        .fanmill("dedup a.csv -o marked --first-by url --url-field page --mode mark --quiet")
        .run();
    assert_eq!(done.code, Some(0), "{done}");
    let marked = fs::read_to_string(place.path("marked/a.csv")).expect("the corpus");
    let marked: Vec<&str> =
        marked.lines().filter_map(|line| line.split_once(" ,").map(|(_, rest)| rest)).collect();
    assert_eq!(
        marked,
        ["http://x.example/a,0,,1,1", ",,,,", "http://X.example/a,0,a.csv:1,,", "none,,,,"]
    );
    // With sizes, the record that stays counts the one that went by its address.
    let done =
        place.fanmill("dedup a.csv -o sized --first-by url --url-field page --sizes --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
    let sized = fs::read_to_string(place.path("sized/a.csv")).expect("the corpus");
    assert!(sized.lines().nth(1).is_some_and(|line| line.ends_with(",2,0")), "{sized}");
}

/// Six pages of a site, each visited three times with another session.
#[test]
fn rules_that_were_learnt_make_more_addresses_the_same() {
    let visit = |page: usize, visit: usize| {
        let members = format!(",\"url\":\"http://example.org/p{page}?sid={visit}{page}x\"");
        record(&format!("{page}-{visit}"), &text(page), &members)
    };
    let lines: String = (0..18).map(|i| visit(i % 6, i / 6)).collect();
    // At the next crawl every page has changed.
    let changed: String = (0..18)
        .map(|i| {
            visit(i % 6, 3 + i / 6).replace("\"text\":\"", &format!("\"text\":\"{}", text(50 + i)))
        })
        .collect();
    let place = Place::new().with("a.jsonl", lines).with("b.jsonl", changed);
    assert_eq!(place.fanmill("urls a.jsonl -o rules --quiet").run().code, Some(0));
    let removed = |options: &str| {
        let done = place
            .fanmill(&format!("dedup b.jsonl --mode report --first-by url --format json {options}"))
            .run();
        let summary: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
        summary["addresses"]["removed"].as_u64()
    };
    assert_eq!(removed(""), Some(0));
    assert_eq!(removed("--url-rules rules/rules.jsonl"), Some(12));
    let done =
        place.fanmill("dedup b.jsonl --mode report --first-by url --url-rules b.jsonl").run();
    assert_eq!(done.code, Some(3), "{done}");
    assert!(done.stderr.contains("`b.jsonl`, line 1, is not a rule"), "{done}");
}

#[test]
fn settings_of_addresses_that_make_no_sense_are_refused() {
    let place = Place::new().with("a.jsonl", odd()).with("k.jsonl", record("k", &text(1), ""));
    let said = |arguments: &str| {
        let done = place.fanmill(&format!("dedup a.jsonl -o out {arguments}")).run();
        assert_eq!(done.code, Some(2), "{arguments}: {done}");
        assert!(!place.path("out").exists() && !place.path("out.partial").exists(), "{arguments}");
        done.stderr
    };
    assert_snapshot!(said("--url-field page"), @"fanmill: --url-field has no effect without --first-by: it says which field has the address of a record; give both, or leave it out");
    assert_snapshot!(said("--url-rules rules.jsonl"), @"fanmill: --url-rules has no effect without --first-by: it says which addresses are the same; give both, or leave it out");
    assert_snapshot!(said("--first-by url --url-field page"), @"fanmill: no document has an address in field `page`; name its field with --url-field, or leave out --first-by");
    assert_snapshot!(said("--first-by url --unit run"), @"fanmill: --first-by has no effect with --unit run: runs that are equal word for word are removed from all but one place; leave out one of the two");
    assert_snapshot!(said("--first-by url --unit paragraph"), @"fanmill: --first-by has no effect with --unit paragraph: paragraphs that are equal word for word are removed from all but the first document; leave out one of the two");
    assert_snapshot!(said("--first-by url --against k.jsonl --only-against"), @"fanmill: --first-by has no effect with --only-against: documents are compared with the reference alone, and not with each other; leave out one of the two");
    assert_snapshot!(said("--first-by url --decontaminate k.jsonl"), @"fanmill: --first-by has no effect with --decontaminate: documents that share a run of words with test sets go, and no others; leave out one of the two");
    #[cfg(feature = "index")]
    assert_snapshot!(said("--first-by url --index seen.fanmill"), @"fanmill: --index cannot be used with --first-by: the index has no addresses, and a later run would keep what an earlier one has removed by them; leave out one of the two");
    assert!(!place.path("seen.fanmill").exists());
}
