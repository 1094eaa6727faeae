//! Disguised copies among a dozen other programs: each must be paired with its source, and with nobody else.

use crate::disguises::{
    crlf, dead_statements, look_alike, one_line, rename, reorder, sprinkle_this, stuff_comments,
    zero_width,
};
use crate::place::{Place, assignment, example, examples};
use crate::report::Ask;
use fanmill::report::Report;
use fanmill_text::document::Outcome;

/// Compares a disguised program with the whole class, which holds its source.
fn against_the_class(file: &str, disguised: &str) -> Report {
    let place = Place::new();
    // With notes, a copy of the program alone would be less than a copy of the submission.
    let is_program = |name: &str| [".java", ".py"].iter().any(|end| name.ends_with(end));
    for (name, bytes) in assignment().into_iter().filter(|(name, _)| is_program(name)) {
        place.write(format!("in/{name}"), bytes);
    }
    place.write(format!("in/masked/{file}"), disguised);
    place.fanmill("compare in --base").arg(examples().join("assignment/handout")).report()
}

/// Checks that the disguised program's best pair is with `source`, at `score` or more, that no other comes near, and
/// that innocent pairs score low.
#[track_caller]
fn unmasked(source: &str, file: &str, disguised: &str, score: f64) {
    let report = against_the_class(file, disguised);
    let of_masked = report.pairs.iter().filter_map(|pair| match report.names(pair) {
        ("masked", other) | (other, "masked") => Some((other, pair.score)),
        _ => None,
    });
    let ranked: Vec<(&str, f64)> = of_masked.collect();
    let best = ranked.first().copied().unwrap_or_default();
    assert_eq!(best.0, source, "{ranked:?}");
    assert!(best.1 >= score, "{ranked:?}");
    for (other, score) in &ranked[1..] {
        assert!(*score < 0.1 && *score < best.1 / 3.0, "{other}: {score} of {}", best.1);
    }
    assert!(report.cluster_names().iter().any(|names| names == &[source, "masked"]) || score < 0.4);
}

fn java(disguise: impl Fn(&str) -> String, score: f64) {
    let source = example("assignment/submissions/goran/Inventory.java");
    unmasked("goran", "Inventory.java", &disguise(&source), score);
}

fn python(disguise: impl Fn(&str) -> String, score: f64) {
    let source = example("assignment/submissions/lena/inventory.py");
    unmasked("lena", "inventory.py", &disguise(&source), score);
}

#[test]
fn a_plain_copy() {
    java(str::to_owned, 0.99);
    python(str::to_owned, 0.99);
}

#[test]
fn every_name_changed() {
    java(rename, 0.9);
    python(rename, 0.9);
}

#[test]
fn a_comment_on_every_line() {
    java(|text| stuff_comments(text, "//"), 0.99);
    python(|text| stuff_comments(text, "#"), 0.99);
}

#[test]
fn zero_width_characters_inside_words() {
    java(zero_width, 0.99);
    python(zero_width, 0.99);
}

#[test]
fn letters_that_look_alike() {
    java(look_alike, 0.99);
    python(look_alike, 0.99);
}

#[test]
fn functions_in_another_order() {
    java(reorder, 0.9);
    python(reorder, 0.8);
}

#[test]
fn a_dead_statement_every_few_lines() {
    java(|text| dead_statements(text, 3, true), 0.4);
    python(|text| dead_statements(text, 3, false), 0.4);
}

#[test]
fn this_sprinkled_everywhere() {
    java(sprinkle_this, 0.9);
}

#[test]
fn other_line_ends() {
    java(crlf, 0.99);
    python(crlf, 0.99);
}

#[test]
fn all_on_one_line() {
    java(one_line, 0.99);
}

#[test]
fn several_disguises_at_once() {
    java(|text| one_line(&rename(&reorder(text))), 0.6);
    java(|text| crlf(&look_alike(&stuff_comments(&reorder(text), "//"))), 0.9);
    python(|text| zero_width(&rename(&stuff_comments(&reorder(text), "#"))), 0.5);
}

#[test]
fn signs_of_disguise_are_pointed_out() {
    let source = example("assignment/submissions/lena/inventory.py");
    for (disguised, sign) in
        [(zero_width(&source), "invisible characters"), (look_alike(&source), "look-alike letters")]
    {
        let report = against_the_class("inventory.py", &disguised);
        let said = report.said_of("masked");
        assert!(
            said.iter().any(|n| n.outcome == Outcome::Flagged && n.reason.contains(sign)),
            "{said:#?}"
        );
        let others =
            report.notices.iter().filter(|notice| notice.outcome == Outcome::Flagged).count();
        assert_eq!(others, 1, "{:#?}", report.notices);
    }
}
