//! `fanmill index` and `fanmill search`: earlier work is kept, and found again.

use std::fs;
use std::path::Path;

use fanmill_disk::replace::Disk;
use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::run::{Done, Run};

/// The example's submissions and last year's, in two folders.
fn place() -> Place {
    let place = Place::new();
    for folder in ["submissions", "last-year"] {
        let root = examples().join("assignment").join(folder);
        copy(&root, &place.path(folder));
    }
    place
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let to = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() { copy(&entry, &to) } else { drop(fs::copy(&entry, &to)) }
    }
}

/// A run that must end well.
#[track_caller]
pub(crate) fn run(place: &Place, arguments: &str) -> Done {
    let done = place.fanmill(arguments).run();
    assert_eq!(done.code, Some(0), "{arguments}: {done}");
    done
}

#[test]
fn earlier_work_is_added_and_found() {
    let place = place();
    assert_snapshot!(run(&place, "index add ix last-year"), @r"
    exit: 0
    --- stderr
    2 documents added, 0 replaced, 0 already there; the index now holds 2 documents
    ");
    assert_snapshot!(run(&place, "index add ix last-year"), @r"
    exit: 0
    --- stderr
    0 documents added, 0 replaced, 2 already there; the index now holds 2 documents
    ");
    assert_snapshot!(run(&place, "index list ix"), @r"
    exit: 0
    --- stdout
    last-year/pavel
    last-year/rosa
    ");
    assert_snapshot!(run(&place, "search ix submissions/goran --group-by root -o report"), @r"
    exit: 0
    --- stdout
    submissions/goran: passages in common with 1 of 2 documents (generation 1)
    evidence  source           of the text  added  longest  passages  matched
          94  last-year/pavel          78%    78%      435         3     1013

    --- stderr
    report: report/index.html
    ");
    assert!(place.path("report/index.html").is_file());
    assert_snapshot!(run(&place, "index verify ix"), @r"
    exit: 0
    --- stderr
    2 documents of generation 1: all as they were written
    ");
}

#[test]
fn where_nothing_could_be_read_the_error_says_why() {
    let place = place().with("in/a.bin", "a\0b").with("in/b.txt", "");
    let nothing = |arguments: &str| {
        let done = place.fanmill(arguments).run();
        assert_eq!(done.code, Some(3), "{arguments}: {done}");
        done.stderr
    };
    let why = "none of the inputs could be read: `a.bin`: binary: not text; `b.txt`: empty";
    let added = nothing("index add ix in");
    assert!(added.contains(&format!("there is nothing to add: {why}")), "{added}");
    run(&place, "index add ix last-year");
    let searched = nothing("search ix in");
    assert!(searched.contains(&format!("there is nothing to search for: {why}")), "{searched}");
}

/// A search shows the passages that a comparison with the same earlier work shows. A comparison also shows shorter ones of
/// short programs.
#[test]
fn a_search_shows_what_compare_shows() {
    let place = place();
    run(&place, "index add ix last-year");
    let searched = run(&place, "search ix submissions --format json").stdout;
    let compared = place.fanmill("compare submissions --archive last-year").report();
    let mut n_sources = 0;
    // Those of an index begin with the path.
    let own = |name: &serde_json::Value| {
        name.as_str().map(|name| name.split_once('/').expect("a path").1.to_owned())
    };
    for line in searched.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for source in answer["sources"].as_array().expect("sources") {
            let is_named = |number: u32, name: &serde_json::Value, role| {
                let submission = &compared.submissions[number as usize];
                own(name).as_deref() == Some(&submission.name) && submission.role == role
            };
            let pair = compared.pairs.iter().find(|pair| {
                is_named(pair.a, &answer["text"], fanmill_text::document::Role::New)
                    && is_named(pair.b, &source["name"], fanmill_text::document::Role::Archive)
            });
            let passages = serde_json::to_value(&pair.expect("a pair").passages).expect("JSON");
            assert_eq!(source["passages"], passages, "{}", answer["text"]);
            n_sources += 1;
        }
    }
    let archived = |number: u32| {
        compared.submissions[number as usize].role == fanmill_text::document::Role::Archive
    };
    let is_promised = |pair: &&fanmill::report::Pair| archived(pair.b) && pair.longest >= 24;
    let expected = compared.pairs.iter().filter(is_promised).count();
    assert!(expected > 0 && n_sources == expected, "{n_sources} of {expected}");
}

/// An index in place of the folder: the same passages, of documents that were looked up.
#[test]
fn an_index_can_be_the_archive_of_a_comparison() {
    let place = place().with("last-year/other.txt", "nothing that anybody else has written so far");
    run(&place, "index add ix last-year");
    let passages = |archive: &str| {
        let compared = place.fanmill(&format!("compare submissions --archive {archive}")).report();
        let name = |number: u32| {
            let submission = &compared.submissions[number as usize];
            submission.name.strip_prefix("last-year/").unwrap_or(&submission.name).to_owned()
        };
        let pairs = compared.pairs.iter().map(|pair| (name(pair.a), name(pair.b), pair));
        let mut pairs: Vec<_> = pairs
            .map(|(a, b, pair)| (a, b, serde_json::to_value(&pair.passages).expect("JSON")))
            .collect();
        pairs.sort_by(|x, y| (&x.0, &x.1).cmp(&(&y.0, &y.1)));
        pairs
    };
    let expected = passages("last-year");
    assert!(expected.iter().any(|pair| pair.1 == "pavel"), "{expected:?}");
    assert_eq!(passages("ix"), expected);
    let done = run(&place, "compare submissions --archive ix");
    let said = "ix: compared 2 of 3 documents (generation 1): all that share fingerprints with a submission";
    assert!(done.stderr.contains(said), "{done}");
    let other = place.fanmill("compare submissions --archive ix --guarantee 40").run();
    assert_snapshot!(other, @r"
    exit: 2
    --- stderr
    fanmill: index `ix` was begun with scheme `code:/k=11,t=24/roc(r=2)/xxh3@2`, and `code:/k=11,t=40/roc(r=2)/xxh3@2` is asked for; leave --noise and --guarantee out, or begin another index
    ");
}

#[test]
fn documents_are_removed_and_the_index_is_merged() {
    let place = place();
    run(&place, "index add ix last-year submissions");
    let names = run(&place, "index list ix").stdout;
    let first = names.lines().next().expect("a name").to_owned();
    assert_snapshot!(place.fanmill("index remove ix nobody").run(), @r"
    exit: 3
    --- stderr
    fanmill: the index has no document `nobody`; nothing was removed
    ");
    let removed = place.fanmill("index remove ix").arg(&first).run();
    assert_snapshot!(removed, @r"
    exit: 0
    --- stderr
    1 document removed; the texts stay on the disk until `fanmill index merge`
    ");
    assert_eq!(run(&place, "index list ix").stdout.lines().count(), names.lines().count() - 1);
    assert_snapshot!(run(&place, "index merge ix"), @r"
    exit: 0
    --- stderr
    14 documents in 1 segment
    ");
    let stats = run(&place, "index stats ix --format json").stdout;
    let stats: serde_json::Value = serde_json::from_str(&stats).expect("JSON");
    assert_eq!((&stats["removed"], &stats["segments"]), (&0.into(), &1.into()));
}

/// A name that is printed with a control character made visible is taken as it is printed, and as it is.
#[test]
#[cfg(unix)]
fn documents_are_named_as_they_are_printed() {
    let names = ["odd/two\nlines.txt", "odd/es\u{1b}[31mc.txt", "odd/plain.txt"];
    for n_raw in [0, 1] {
        let place = Place::new();
        for name in names {
            place.write(
                name,
                format!("{name} has some words of its own, and then some more of them"),
            );
        }
        run(&place, "index add ix odd");
        let printed = run(&place, "index list ix").stdout;
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(printed.len(), 3, "{printed:?}");
        let mut removal = place.fanmill("index remove ix");
        for (raw, printed) in
            ["odd/es\u{1b}[31mc.txt", "odd/plain.txt", "odd/two\nlines.txt"].iter().zip(printed)
        {
            removal = removal.arg(if n_raw == 1 { raw } else { printed });
        }
        let done = removal.run();
        assert_eq!(done.code, Some(0), "{done}");
        assert_eq!(run(&place, "index list ix").stdout, "");
    }
}

/// The objects of `search --format json`, without what depends on the order in which documents were added.
pub(crate) fn answers(place: &Place, arguments: &str) -> Vec<serde_json::Value> {
    let done = run(place, &format!("search {arguments} --format json"));
    let answer = |line: &str| -> serde_json::Value {
        let mut answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        answer["generation"].take();
        answer["libraries"].take();
        for source in answer["sources"].as_array_mut().expect("sources") {
            source["id"].take();
        }
        answer
    };
    done.stdout.lines().map(answer).collect()
}

/// Years that are added together or one after the other, and a folder that is added from inside.
#[test]
fn names_and_answers_do_not_depend_on_how_folders_are_added() {
    let place = place();
    run(&place, "index add together last-year submissions --threads 1");
    run(&place, "index add apart ./last-year/ --threads 8");
    run(&place, "index add apart submissions --threads 2");
    let done = Run::new("index add ../apart .").inside(&place.path("last-year")).run();
    assert_eq!(done.code, Some(0), "{done}");
    let names =
        ["together", "apart"].map(|index| run(&place, &format!("index list {index}")).stdout);
    assert_eq!(names[0], names[1]);
    let expected = answers(&place, "together submissions");
    assert_eq!(answers(&place, "apart submissions"), expected);
    run(&place, "index merge apart");
    assert_eq!(answers(&place, "apart submissions --threads 1"), expected);
    run(&place, "index remove apart last-year/pavel submissions/goran --merge");
    assert_ne!(answers(&place, "apart submissions"), expected);
    run(&place, "index add apart submissions last-year");
    assert_eq!(answers(&place, "apart submissions"), expected);
}

/// Texts that are added as they are searched for find what was there and each other, and never themselves.
#[test]
fn what_is_searched_for_and_added_does_not_find_itself() {
    let place = place();
    run(&place, "index add ix last-year");
    let first = answers(&place, "ix submissions --and-add");
    assert_eq!(first.len(), 13);
    assert!(first.iter().any(|answer| {
        let names = answer["sources"].as_array().expect("sources").iter().map(|s| &s["name"]);
        let names: Vec<&str> = names.map(|name| name.as_str().expect("a name")).collect();
        assert!(!names.contains(&answer["text"].as_str().expect("a name")), "{names:?}");
        names.contains(&"last-year/pavel") && names.contains(&"submissions/bruno")
    }));
    assert_eq!(answers(&place, "ix submissions --and-add"), first, "all of it is there already");
    assert_eq!(run(&place, "index list ix").stdout.lines().count(), 15);
    // Without a word about it, a text is a source of itself; what is excluded is none.
    let (own, other) = ("submissions/goran", "last-year/pavel");
    let answer = |more: &str| {
        let answer = &answers(&place, &format!("ix {own} --group-by root {more}"))[0];
        let sources = answer["sources"].as_array().expect("sources").clone();
        let names =
            sources.iter().map(|source| source["name"].as_str().expect("a name").to_owned());
        names.collect::<Vec<String>>()
    };
    assert!(answer("").contains(&own.to_owned()));
    let rest = answer(&format!("--exclude-source {own} --exclude-source {other}"));
    assert!(!rest.is_empty() && !rest.iter().any(|name| name == own || name == other), "{rest:?}");
}

#[test]
fn a_text_can_come_from_standard_input() {
    let place = place();
    run(&place, "index add ix last-year");
    let text = place.path("submissions/goran/Inventory.java");
    assert_snapshot!(place.fanmill("search ix -").fed(&text).run(), @r"
    exit: 0
    --- stdout
    standard input: passages in common with 1 of 2 documents (generation 1)
    evidence  source           of the text  added  longest  passages  matched
          77  last-year/pavel          71%    71%      402         3      967

    --- stderr
    degraded: standard input: read as generic because it looks like code of an unknown language; use --stdin-name to say what it is
    ");
    let named = place.fanmill("search ix - --stdin-name Inventory.java").fed(&text).run();
    assert_snapshot!(named, @r"
    exit: 0
    --- stdout
    Inventory.java: passages in common with 1 of 2 documents (generation 1)
    evidence  source           of the text  added  longest  passages  matched
          94  last-year/pavel          78%    78%      435         3     1013
    ");
    let none = place.path("nothing.txt");
    place.write(
        "nothing.txt",
        "a text about something else, which nobody has written about so far in any year",
    );
    assert_snapshot!(place.fanmill("search ix -").fed(&none).run(), @r"
    exit: 0
    --- stdout
    standard input: no passage of 12 tokens or more in common with any of 2 documents (generation 1)

    --- stderr
    degraded: standard input: read as words because no language claims it; use --stdin-name to say what it is
    ");
}

/// Sources are chosen by group and by day, and boilerplate does not count.
#[test]
fn sources_are_chosen_and_boilerplate_is_left_out() {
    let handout = "answer each of the following questions in a sentence or two and give a reason for every answer";
    let own = "the wheel turns because the water that falls on it is heavier than the wheel is on its other side";
    let place = Place::new()
        .with("old/anna.txt", format!("{handout} {own}"))
        .with("old/ben.txt", format!("{handout} nobody knows why it does so"))
        .with("older/carl.txt", own)
        .with("handout.txt", handout)
        .with("new.txt", format!("{handout} {own}"))
        .with(
            "list.csv",
            "file,label,submitted\nold/anna.txt,b,2026-03-01T10:00:00Z\nold/ben.txt,a,2025-03-01T10:00:00Z\n",
        );
    run(&place, "index add ix list.csv");
    run(&place, "index add ix older --label c");
    let sources = |more: &str| {
        let answer = &answers(&place, &format!("ix new.txt {more}"))[0];
        let sources = answer["sources"].as_array().expect("sources").clone();
        let name = |source: &serde_json::Value| {
            let name = source["name"].as_str().expect("a name");
            name.rsplit('/').next().expect("a part").to_owned()
        };
        let mut names: Vec<String> = sources.iter().map(name).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(sources(""), "anna.txt ben.txt carl.txt");
    assert_eq!(sources("--label a --label c"), "ben.txt carl.txt");
    assert_eq!(sources("--since 2026-01-01"), "anna.txt");
    assert_eq!(sources("--base handout.txt"), "anna.txt carl.txt");
    assert_eq!(sources("--base handout.txt --label a"), "");
    let text = place.path("new.txt");
    let done = place.fanmill("search ix - --base handout.txt --since 2026-01-01").fed(&text).run();
    assert!(done.stdout.contains("1 of 1 document"), "{done}");
    assert_snapshot!(place.fanmill("search ix new.txt --since 3/2026").run(), @r"
    exit: 2
    --- stderr
    fanmill: --since is `3/2026`, which is not a day; write it as 2026-03-01
    ");
    assert_snapshot!(run(&place, "search ix new.txt --max-postings 1"), @r"
    exit: 0
    --- stdout
    new.txt: passages in common with 3 of 3 documents (generation 2); 68% of the text is in so many documents that only the first were looked at: --max-postings
    evidence  source          of the text  added  longest  passages  matched
          13  old/anna.txt           100%   100%       38         1       38
           9  older/carl.txt          53%     0%       20         1       20
           7  old/ben.txt             47%     0%       18         1       18
    ");
}

/// Fingerprints alone are searched, and what needs texts says that there are none.
#[test]
fn an_index_need_not_keep_texts() {
    let place = place();
    run(&place, "index add ix last-year --no-texts");
    run(&place, "index add with-texts last-year");
    assert_snapshot!(run(&place, "search ix submissions/goran --group-by root"), @r"
    exit: 0
    --- stdout
    submissions/goran: fingerprints in common with 1 of 2 documents (generation 1), not verified: no texts are kept
    evidence  source           of the text  longest  runs  fingerprints
          94  last-year/pavel          75%      342     9            97
    ");
    let line = run(&place, "search ix submissions/goran --group-by root --format json").stdout;
    let answer: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(answer["sources"], serde_json::json!([]));
    let source = &answer["by_fingerprint"][0];
    assert_eq!(source["name"], "last-year/pavel");
    assert!(source["runs"][1]["tokens"].as_u64().expect("a number") > 100, "{source}");
    assert_snapshot!(run(&place, "index verify ix"), @r"
    exit: 0
    --- stderr
    2 documents of generation 1: all as they were written
    ");
    assert_snapshot!(run(&place, "index remove ix last-year/rosa"), @r"
    exit: 0
    --- stderr
    1 document removed; the fingerprints stay on the disk until `fanmill index merge`
    ");
    run(&place, "index merge ix");
    assert!(run(&place, "index stats ix").stdout.contains("keeps no texts"));
    for (arguments, code) in [
        ("search ix submissions/goran --group-by root -o report", 2),
        ("compare submissions --archive ix", 3),
        ("index add with-texts submissions --no-texts", 2),
    ] {
        let done = place.fanmill(arguments).run();
        assert_eq!(done.code, Some(code), "{arguments}: {done}");
    }
    assert_snapshot!(place.fanmill("compare submissions --archive ix").run(), @r"
    exit: 3
    --- stderr
    fanmill: index `ix` keeps fingerprints and no texts, which a comparison needs; search in it instead
    ");
    assert_snapshot!(place.fanmill("index add with-texts submissions --no-texts").run(), @r"
    exit: 2
    --- stderr
    fanmill: index `with-texts` was begun without --no-texts and keeps texts; leave it out, or begin another index
    ");
}

/// A keyed index answers whoever has the key, and says what is missing to everyone else.
#[test]
fn an_index_has_a_key() {
    let place = place();
    for name in ["own.key", "other.key"] {
        run(&place, &format!("sift keygen --output {name}"));
    }
    run(&place, "index add plain last-year --no-texts");
    run(&place, "index add ix last-year --key own.key");
    let [keyed, plain] = ["ix --key own.key", "plain"].map(|index| {
        run(&place, &format!("search {index} submissions/goran --group-by root")).stdout
    });
    assert!(keyed.contains("last-year/pavel"));
    assert_eq!(keyed, plain);
    assert!(run(&place, "index stats ix").stdout.contains("made with key: "));
    for (arguments, code) in [
        ("search ix submissions/goran", 2),
        ("search ix submissions/goran --key other.key", 3),
        ("search plain submissions/goran --key own.key", 2),
        ("index add ix submissions", 2),
        ("index add ix submissions --key other.key", 3),
        ("index add plain submissions --key own.key", 2),
        ("search ix submissions/goran --group-by root -o report --key own.key", 2),
        ("compare submissions --archive ix", 3),
        ("search ix submissions --and-add --key own.key", 0),
        ("index remove ix last-year/rosa --merge", 0),
    ] {
        let done = place.fanmill(arguments).run();
        assert_eq!(done.code, Some(code), "{arguments}: {done}");
    }
    let done = place.fanmill("search ix submissions/goran").run();
    assert!(done.stderr.contains("give it with --key"), "{done}");
}

/// An export has all that was added, a line for each file, and can be added as records.
#[test]
fn an_index_is_exported() {
    let place =
        Place::new().with("in/two/a.txt", "one text").with("in/two/b.txt", b"no \xff UTF-8");
    let place = place.with("list.csv", "file,label,author\nin/two,first,Anna\n");
    run(&place, "index add ix list.csv");
    let exported = run(&place, "index export ix");
    assert_snapshot!(exported, @r#"
    exit: 0
    --- stdout
    {"id":"in/two","author":"Anna","label":"first","submitted":null,"path":"a.txt","text":"one text","replaced":false}
    {"id":"in/two","author":"Anna","label":"first","submitted":null,"path":"b.txt","text":"no � UTF-8","replaced":true}
    "#);
    place.write("copy.jsonl", &exported.stdout);
    assert_snapshot!(run(&place, "index add copy copy.jsonl"), @r"
    exit: 0
    --- stderr
    2 documents added, 0 replaced, 0 already there; the index now holds 2 documents
    ");
    assert_snapshot!(run(&place, "index upgrade ix"), @r"
    exit: 0
    --- stderr
    0 documents read again; all are now as this release reads them
    ");
    run(&place, "index add alone in --no-texts");
    assert_snapshot!(place.fanmill("index export alone").run(), @r"
    exit: 3
    --- stderr
    fanmill: the index keeps fingerprints and no texts, which this needs; begin another index that keeps them
    ");
}

/// The second writer is told at once who the first is, or waits for it; readers do neither.
#[test]
fn one_process_writes_at_a_time() {
    use fanmill_jobs::index::Writer;
    let place = place();
    run(&place, "index add ix last-year");
    let first = Writer::open(&Disk::default(), &place.path("ix"), None).expect("an index");
    let done = place.fanmill("index add ix submissions").run();
    assert_eq!(done.code, Some(2), "{done}");
    let own = format!("process {} is at work in", std::process::id());
    assert!(done.stderr.contains(&own) && done.stderr.contains("--wait"), "{done}");
    run(&place, "search ix submissions");
    std::thread::scope(|scope| {
        let second = scope.spawn(|| run(&place, "index add ix submissions --wait"));
        first.close().expect("own folder");
        second.join().expect("it went on");
    });
    assert_eq!(run(&place, "index list ix").stdout.lines().count(), 15);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_index_as_it_was_and_says_so() {
    let place = place();
    run(&place, "index add ix last-year");
    let listed = run(&place, "index list ix").stdout;
    let digits = (1..9_000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string());
    place.write("long.txt", digits.collect::<Vec<_>>().join(" "));
    let done = place.fanmill("index add ix long.txt").on_full_disk(32).run();
    assert_eq!(done.code, Some(6), "{done}");
    assert!(
        done.stderr.contains("; the index holds what it held before: File too large"),
        "{done}"
    );
    assert_eq!(run(&place, "index list ix").stdout, listed);
    run(&place, "index add ix long.txt");
    assert!(run(&place, "index list ix").stdout.contains("long.txt"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let place = place().with("notes/todo.txt", "mine").with("empty/nothing.txt", "");
    for (arguments, code) in [
        ("search nowhere submissions", 3),
        ("index list notes", 3),
        ("index add notes last-year", 2),
        ("index add ix nothing", 3),
        ("index add ix empty", 3),
        ("index remove ix anna", 3),
        ("search ix - submissions", 2),
        ("search ix submissions --max-sources 0", 2),
        ("search ix submissions --wait", 2),
    ] {
        assert_eq!(place.fanmill(arguments).run().code, Some(code), "{arguments}");
    }
    assert!(!place.path("ix").exists(), "nothing was begun");
    run(&place, "index add ix last-year");
    assert_snapshot!(place.fanmill("index add ix submissions --guarantee 40").run(), @r"
    exit: 2
    --- stderr
    fanmill: index `ix` was begun with scheme `code:/k=11,t=24/roc(r=2)/xxh3@2`, and `code:/k=11,t=40/roc(r=2)/xxh3@2` is asked for; leave --noise and --guarantee out, or begin another index
    ");
    assert_snapshot!(place.fanmill("search ix submissions -o report").run(), @r"
    exit: 2
    --- stderr
    fanmill: a report is about one text, and several were given; leave --output out, or search for one at a time
    ");
    let segment = place.path("ix/seg-1.fps");
    let mut bytes = fs::read(&segment).expect("own file");
    bytes[100] ^= 1;
    fs::write(&segment, bytes).expect("room");
    assert_snapshot!(place.fanmill("index verify ix").run(), @r"
    exit: 3
    --- stderr
    fanmill: `ix/seg-1.fps` is damaged: the checksum of page 0 is wrong; restore its folder from a copy, or make it again from the texts
    ");
}

#[test]
fn the_page_of_a_search_shows_in_grey_what_very_many_documents_have() {
    let words = |seed: u64, n: u64| -> String {
        let word = |i: u64| format!("w{}x{}", seed, (i * 7 + seed * 13) % 1009);
        (0..n).map(word).collect::<Vec<_>>().join(" ")
    };
    let common = words(7, 40);
    let mut place = Place::new()
        .with("old/source.txt", words(500, 60))
        .with("new.txt", [words(500, 60), words(9, 20), common.clone()].join(" "));
    for i in 0..9 {
        place = place.with(format!("old/d{i}.txt"), [words(i + 20, 30), common.clone()].join(" "));
    }
    let added = place.fanmill("index add ix old").run();
    assert_eq!(added.code, Some(0), "{added}");
    let done = place
        .fanmill("search ix new.txt --max-postings 4 --max-sources 1 -o report --title Theses")
        .run();
    assert_eq!(done.code, Some(0), "{done}");
    let report = std::fs::read(place.path("report/report.json")).expect("a report");
    let report: fanmill::report::Report = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(report.title.as_deref(), Some("Theses"));
    let text = report.submissions.iter().find(|own| own.name.contains("new")).expect("the text");
    let text_len = text.files[0].bytes as u32;
    let [grey] = &*text.files[0].boilerplate else { panic!("{:?}", text.files[0]) };
    assert_eq!(grey.why, fanmill::base::Boilerplate::Frequent);
    assert!(grey.start >= text_len - common.len() as u32 - 1 && grey.end <= text_len, "{grey:?}");
    assert!(grey.end - grey.start > common.len() as u32 / 2, "{grey:?}");
}
