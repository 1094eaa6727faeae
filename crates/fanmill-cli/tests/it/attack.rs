//! `fanmill sift attack`, as people run it.

use std::fmt::Write;
use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::Place;

/// A made-up article of about so many bytes.
fn article(seed: u32, size: usize) -> String {
    let mut text = String::new();
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    while text.len() < size {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = state >> 16;
        write!(text, "w{}{}", number % 900, if number.is_multiple_of(13) { ".\n" } else { " " })
            .expect("text takes all");
    }
    text.truncate(size);
    text
}

fn place(n: u32) -> Place {
    let with = |place: Place, seed: u32| {
        place.with(format!("texts/{seed:03}.txt"), article(seed, 1020 + 45 * seed as usize))
    };
    (0..n).fold(Place::new(), with)
}

#[test]
fn a_scheme_is_chosen_by_tables_and_figures() {
    let place = place(12);
    let attack = "sift attack texts --scheme standard --scheme paper-slide --keys 2";
    let done = place.fanmill(&format!("{attack} -o out")).run();
    assert_eq!(done.code, Some(0), "{done}");
    for part in ["periodic changing", "letters spaced out", "false positives 0 of 132 (66 pairs"] {
        assert!(done.stdout.contains(part), "{part}: {done}");
    }
    let again = "again: fanmill sift attack texts --scheme standard --scheme paper-slide --keys 2";
    assert!(done.stderr.contains(again), "{done}");
    let json = fs::read_to_string(place.path("out/attack.json")).expect("the outcome");
    let outcome: Value = serde_json::from_str(&json).expect("JSON");
    let rows = outcome["tables"][0]["rows"].as_array().expect("rows");
    let s3 = |attack: &str, scheme: usize| {
        let row = rows.iter().find(|row| row[0] == attack).expect(attack);
        row[scheme]["value"].as_f64().expect("a number")
    };
    assert!(s3("periodic changing", 1) > 0.4 && s3("periodic changing", 2) < 0.02);
    for figure in ["scrambling", "rewriting", "cosmetics", "scores", "strengths", "schemes"] {
        assert!(place.path(format!("out/attack-{figure}.svg")).is_file(), "{figure}");
    }
    let one_thread = place.fanmill(&format!("{attack} --format json --threads 1 --quiet")).run();
    assert_eq!(one_thread.stdout, json);
    assert_eq!(one_thread.stderr, "");
}

#[test]
fn lengths_and_probabilities_make_schemes() {
    let place = place(3);
    let attack = "sift attack texts --length 4,6 --probability 0.2,0.3 --keys 1 --min-score 0.1";
    let done = place.fanmill(attack).run();
    assert_eq!(done.code, Some(0), "{done}");
    for scheme in ["l=4 p=0.2: ", "l=4 p=0.3: ", "l=6 p=0.2: ", "l=6 p=0.3: "] {
        assert!(done.stdout.contains(&format!("{scheme}threshold 0.1 finds ")), "{done}");
    }
}

#[test]
fn table_2_is_printed_beside_the_papers() {
    let done = place(110).fanmill("sift attack texts --table2 --keys 1").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(done.stdout.matches("Intelligent changing").count(), 8, "{done}");
    assert!(done.stdout.contains("Of 128 numbers in 64 cells "), "{done}");
}

#[test]
fn what_cannot_be_measured_names_the_way_out() {
    let place = place(2).with("one/a.txt", article(1, 500));
    let said =
        |arguments: &str| place.fanmill(&format!("sift attack {arguments}")).run().to_string();
    assert_snapshot!(said("one"), @r"
    exit: 3
    --- stderr
    fanmill: 1 texts of 20 words or more are too few to attack and to compare; give at least two (0 were shorter)
    ");
    assert_snapshot!(said("texts --table2"), @r"
    exit: 3
    --- stderr
    fanmill: Table 2 is about 100 articles of 1 to 6 kB, and 2 of these 2 texts are; give more texts, or measure with these as they are, without --table2
    ");
    assert_snapshot!(said("texts --scheme paper"), @r"
    exit: 2
    --- stderr
    fanmill: unknown scheme `paper`; the paper's are paper-slide, paper-skip, paper-slide-part, paper-skip-part
    ");
    assert_snapshot!(said("texts --length 70"), @r"
    exit: 2
    --- stderr
    fanmill: `slide(l=70)` has grams of 70 tokens; use 1 to 64
    ");
    assert_snapshot!(said("texts --min-score 0,0.2"), @r"
    exit: 2
    --- stderr
    fanmill: --min-score takes up to 20 different scores above 0 and up to 1, such as 0.1,0.2
    ");
    assert_snapshot!(said("texts --keys 0"), @r"
    exit: 2
    --- stderr
    fanmill: --keys 0 is out of bounds; use 1 to 100
    ");
    assert_snapshot!(said("texts --table2 --length 6"), @r"
    exit: 2
    --- stderr
    error: the argument '--table2' cannot be used with '--length <WORDS>'

    Usage: fanmill sift attack --table2 <PATH>...

    For more information, try '--help'.
    ");
}
