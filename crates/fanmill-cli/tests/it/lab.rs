//! `fanmill lab`: what experiments print and write, and their exit codes.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::{Place, examples};
use crate::run::Run;

/// A page with a string that repeats, and a text without one.
fn odd_page() -> Place {
    let page = format!(
        "<html><body><p class=\"intro\">Numbers of a summer:</p>\n<p>{}</p>\n<p>and so it ends</p>",
        "abba".repeat(60)
    );
    Place::new()
        .with("pages/odd.html", page)
        .with("pages/plain.txt", "Nothing that repeats itself for long stands in this short text.")
        .with("pages/empty.txt", "")
}

/// Names of the files in a folder, ascending.
fn held(place: &Place, dir: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(dir)).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

#[test]
fn density_of_the_essays() {
    let run = Run::new("lab density essays --read-as words").inside(&examples()).run();
    assert_snapshot!(run, @r"
    exit: 0
    --- stdout
    question  how many of the hashes does each selector keep, and does its guarantee hold?
    repeats   Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 3
    input     4 documents, 8,436 bytes, read as words

    What each selector keeps of 1,647 hashes of 3 words each, in windows of 10 hashes
      selector         fingerprints   density  expected  longest run without  windows without  guarantee
                                                                      hashes
      roc(r=2)                  282  0.171220         –                    9                0  kept
      winnow                    281  0.170613  0.179831                    9                0  kept
      robust                    281  0.170613  0.179831                    9                0  kept
      mod(p=5)                  358  0.217365  0.200000                   29              182  none; 11.30 % of windows missed
      safe-mod(p=4)             498  0.302368  0.305083                    9                0  kept
      smallest(n=100)           400  0.242866  0.242866                   16               69  none; 4.28 % of windows missed
      all                     1,647  1.000000  1.000000                    0                0  kept

    How far above the least that is possible on random text
      bound                                              density  winnow is above  roc is above
                                                                                %             %
      local, on opaque hashes: 1.5/(w + 1) (Theorem 1)  0.136364             25.1          25.6
      the same, improved (Observation 1)                0.140909             21.1          21.5
      forward, inside of grams too (Kille et al. 2025)  0.153846             10.9          11.3
      winnowing itself on random hashes: 2/(w + 1)      0.181818             −6.2          −5.8

    - winnow keeps 0.170613 of the hashes, -5.13 % off what theory expects: 0.179831 of documents this
      long, 0.181818 = 2/(w + 1) of endless ones
    - ROC keeps 100 % of what winnowing keeps, at the same guarantee; the bound of 2025 leaves room for
      90 %
    - mod(p=5) leaves 29 hashes in a row without a fingerprint, in `quinn.txt`, line 11; no selector
      with a guarantee leaves more than w - 1 = 9
    --- stderr

    again: fanmill lab density essays --read-as words
    ");
}

#[test]
fn gaps_name_the_string_that_repeats() {
    let run = odd_page().fanmill("lab gaps pages --noise 20 --guarantee 49 --top 2").run();
    assert_snapshot!(run, @r"
    exit: 0
    --- stdout
    question  how far apart are fingerprints, and what is the text where they are farthest?
    repeats   Schleimer, Wilkerson & Aiken, SIGMOD 2003, §1 and §5.1
    input     2 documents, 386 bytes, read as characters

    Gaps between neighbouring fingerprints, for windows of 30 hashes
      selector       gaps    mean  median    99 %  longest  share above w  longest run without
                           hashes  hashes  hashes   hashes                              hashes
      roc(r=4)          9   25.89      28      29       29       0.000000                   28
      winnow           49    4.53       4      30       30       0.000000                   29
      robust            8   27.75      28      30       30       0.000000                   29
      mod(p=15)         1    3.00       3       3        3       0.000000                  242
      safe-mod(p=9)    59    4.22       4      13       13       0.000000                   18

    The worst passages: runs of at least w hashes without a fingerprint
      selector   length  distinct  where       begins
                 hashes    hashes
      mod(p=15)     242        24  odd.html:1  Numbers of a summer: abbaabbaabbaabbaabbaabbaabbaabbaabbaabbaab…

    Strings that repeat with a period of up to 128 characters, long enough to fill a window
      repeats      period  places      in all     longest  where
               characters          characters  characters
      abba              4       1         241         241  odd.html:2

    - mod(p=15) leaves 242 hashes in a row without a fingerprint, of which 24 are distinct, in
      odd.html:1: “Numbers of a summer:
      abbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaab
      baabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabbaabba
      abbaabbaabbaabbaabbaabb…”
    - 241 characters are of text that repeats 1 string over and over, most of them “abba”
    - selectors with a guarantee leave at most 29 hashes in a row; w - 1 = 29 is their bound
    --- stderr

    skipped: empty.txt: empty
    again: fanmill lab gaps pages --noise 20 --guarantee 49 --top 2
    ");
}

#[test]
fn misses_by_formula_and_by_measurement() {
    assert_snapshot!(Run::new("lab miss --window 100,10 --trials 2000").run(), @r"
    exit: 0
    --- stdout
    question  how often does 0 mod p keep nothing of a window, and what does its safe variant cost?
    repeats   Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1.1 and §3.1.2
    input     2,000 random windows of each length
    seed      1

    Share of windows of w hashes of which 0 mod p, at winnowing's density, keeps none
           w   p  exact, whole p  exact, p = (w + 1)/2  e^(-2w/(w + 1))  measured  off by
      hashes                                                                           SD
          10   5          0.1074                0.1344           0.1623    0.1145     1.0
         100  50          0.1326                0.1353           0.1380    0.1365     0.5

    What safe 0 mod p keeps at its best p, so that no window is missed
           w  best p    exact  measured  (1 + ln w)/w  winnowing, 2/(w + 1)  times winnowing
      hashes
          10       4  0.30631   0.31088       0.33026               0.18182             1.68
         100      22  0.05500   0.05540       0.05605               0.01980             2.78

    - the paper's 13.5 % is the limit e^-2 = 0.1353; at w = 100 the product is 0.1353 too, with the
      whole p = 50 it is 0.1326, and the paper's e^(-2w/(w + 1)) is 0.1380
    - safe 0 mod p misses none, and at w = 100 keeps 2.8 times what winnowing keeps; the paper's (1 + ln
      w)/w is 1.9 % above the exact least
    --- stderr

    again: fanmill lab miss --window 100,10 --trials 2000 --seed 1
    ");
}

#[test]
fn an_outcome_is_the_same_at_any_number_of_threads_and_is_written_as_files() {
    let place = odd_page();
    let run = |threads: u32, dir: &str| {
        let flags = format!("--threads {threads} -o {dir} --format json");
        let done = place.fanmill(&format!("lab gaps pages --noise 20 {flags}")).run();
        assert_eq!(done.code, Some(0), "{done}");
        done.stdout
    };
    let (one, four) = (run(1, "one"), run(4, "four"));
    assert_eq!(one, four);
    let names = held(&place, "one");
    assert_eq!(names, ["gaps-lengths.svg", "gaps.json"]);
    for name in &names {
        let bytes = |dir: &str| fs::read(place.path(dir).join(name)).expect(name);
        assert_eq!(bytes("one"), bytes("four"), "{name}");
    }
    assert_eq!(fs::read_to_string(place.path("one/gaps.json")).expect("written"), one);
    let outcome: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(outcome["experiment"], "gaps");
    assert_eq!(outcome["tables"][0]["name"], "lengths");
}

#[test]
fn the_command_that_is_printed_gives_the_same_again() {
    let first = Run::new("lab density --random 20KB --noise 10").run();
    let again = first.stderr.lines().last().and_then(|line| line.strip_prefix("again: fanmill "));
    assert_eq!(again, Some("lab density --random 20KB --noise 10 --seed 1"));
    let second = Run::new(again.expect("a command")).run();
    assert_eq!((first.stdout, first.stderr), (second.stdout, second.stderr));
    let other = Run::new("lab density --random 20KB --noise 10 --seed 2 --quiet").run();
    assert!(other.stdout.contains("seed 2") && other.stderr.is_empty(), "{other}");
}

#[test]
fn experiments_share_a_folder_and_spare_all_else() {
    let place = odd_page();
    for experiment in ["density pages", "miss --trials 10", "density pages"] {
        let done = place.fanmill(&format!("lab {experiment} -o out/lab --noise 20")).run();
        assert_eq!(done.code, Some(0), "{done}");
    }
    let names = held(&place, "out/lab");
    assert_eq!(
        names,
        ["density-selectors.svg", "density.json", "miss-misses.svg", "miss-safe.svg", "miss.json"]
    );
    assert_snapshot!(place.fanmill("lab miss --trials 10 -o pages").run(), @r"
    exit: 2
    --- stderr
    fanmill: output folder `pages` holds `empty.txt`, which is no outcome of an experiment; name a new folder, or empty this one
    ");
    assert_eq!(held(&place, "pages").len(), 3);
}

#[test]
fn what_cannot_be_measured_says_why() {
    let place = odd_page();
    for (arguments, code, part) in [
        ("lab density", 2, "Usage"),
        ("lab density --quiet", 2, "there is nothing to measure"),
        ("lab density nowhere", 3, "`nowhere` does not exist"),
        ("lab density pages --random 1MB", 2, "cannot be used with"),
        ("lab density --random 1GiB", 2, "over the limit of 67108864"),
        ("lab gaps pages/plain.txt", 3, "of 1 document none has 500 characters"),
        ("lab gaps pages --guarantee 0", 2, "noise threshold 0"),
        ("lab miss --window 0", 2, "window of 0 hashes"),
        ("lab miss -o lab --png", 2, "figures are .svg files"),
        ("lab nonsense", 2, "unrecognized subcommand"),
    ] {
        let noise = if part.contains("500") { " --noise 500" } else { "" };
        let done = place.fanmill(&format!("{arguments}{noise}")).run();
        assert_eq!(done.code, Some(code), "{arguments}: {done}");
        assert!(done.stderr.contains(part), "{arguments}: {done}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let done = Run::new("lab miss --trials 10").run_into_closed_pipe();
    assert_eq!(done.code, Some(0), "{done}");
}
