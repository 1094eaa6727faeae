//! Whole runs on small collections.

use fanmill_text::progress::Silent;

use super::*;
use crate::collection::Reading;
use crate::outcome::Cell;
use crate::samples::corpus;

const NOTICE: &str = "this text is given as it is and without any warranty";

fn settings(noise: u32, guarantee: u32) -> Settings {
    Settings::new(Lengths::Given(Thresholds::new(noise, guarantee).expect("ordered")))
}

fn letters() -> Vec<(String, String)> {
    let own = ["alpha beta gamma delta", "epsilon zeta eta theta", "iota kappa lambda mu", "nu xi"];
    own.iter().enumerate().map(|(i, own)| (format!("{i}.txt"), format!("{own} {NOTICE}"))).collect()
}

#[test]
fn boilerplate_is_one_string_and_becomes_the_base() {
    let registry = fanmill_lang::registry();
    let collection = Collection::new(corpus(&letters()), Reading::Auto(&registry));
    let found = run(&settings(3, 5), &collection, &Silent).expect("tokens");
    let strings = &found.outcome.tables[2].rows;
    let row = vec![Cell::Count(4), Cell::Count(4), Cell::Count(11), Cell::Text(NOTICE.to_owned())];
    assert_eq!(*strings, [row]);
    assert_eq!(found.base.texts, [NOTICE]);
    let written = found.base.write("base.txt", &registry, None).expect("words");
    assert_eq!(written.text, format!("{NOTICE}\n\n"));
    assert_eq!((written.n_grams, written.n_kept, written.front_end), (9, 9, "words"));
    let error = found.base.write("base.c", &registry, None).expect_err("another kind");
    assert!(error.to_string().contains("would read the base `base.c` as code"), "{error}");
}

#[test]
fn shares_and_curves_are_counted() {
    let collection = Collection::new(corpus(&letters()), Reading::Words);
    let found = run(&settings(3, 5), &collection, &Silent).expect("tokens");
    // Texts have 4, 4, 4 and 2 words of their own, then 11 common ones: 13, 13, 13 and 11 grams, 9 of them common.
    let [shares, curves, _] = &found.outcome.tables[..] else { panic!("three tables") };
    assert_eq!(shares.rows[0][1], Cell::Count(3 * 4 + 2), "once");
    assert_eq!(shares.rows[3][1], Cell::Count(9), "more than three times");
    assert_eq!(curves.rows[0][1..3], [Cell::Count(50), Cell::Count(23)]);
    assert_eq!(curves.rows[0][4], Cell::Count(2), "plateaus");
    assert!(found.outcome.findings[2].contains("9 grams are in more than 2 documents"));
}

#[test]
fn the_kind_with_most_tokens_is_counted_and_the_others_are_mentioned() {
    let registry = fanmill_lang::registry();
    let mut files = letters();
    files.push(("x.py".to_owned(), "x = 1\n".to_owned()));
    let collection = Collection::new(corpus(&files), Reading::Auto(&registry));
    let lengths = Lengths::OfKind(ThresholdOverrides::default());
    let found = run(&Settings::new(lengths), &collection, &Silent).expect("tokens");
    assert!(found.outcome.input.contains("; 1 of another kind than words are left out"));
    assert_eq!(found.outcome.question, "how often does each gram of 3 tokens occur?");
}

#[test]
fn having_nothing_to_count_is_an_error() {
    let collection = Collection::new(corpus(&[("a.txt", "")]), Reading::Words);
    let error = run(&settings(3, 5), &collection, &Silent).expect_err("nothing");
    assert!(error.is_input(), "{error}");
    let collection = Collection::new(corpus(&[("a.txt", "one two")]), Reading::Words);
    let found = run(&settings(3, 5), &collection, &Silent).expect("tokens");
    assert_eq!(found.outcome.findings, ["no document has 3 tokens, so there is no gram to count"]);
    assert!(found.base.texts.is_empty());
}
