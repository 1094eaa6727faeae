//! Sentences and counts of a report, where they would be false if nobody looked.

use std::fmt::Write;

use fanmill::pipeline::{Config, MaxDocs};
use fanmill_text::document::Outcome;

use crate::compare::{Handed, comparison};

/// A program with names of its own and statements that no other one has.
fn program(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut draw = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut text = format!("int f{number}(int a, int b) {{\n");
    for _ in 0..30 {
        let operators = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"];
        let operator = operators[draw(10) as usize];
        let line = match draw(4) {
            0 => format!("if (a {operator} b > {}) return a;", draw(1000)),
            1 => format!("a = b {operator} (a {operator} {});", draw(1000)),
            2 => format!("while (a {operator} 3) b = a {operator} b;"),
            _ => format!("g(a, b {operator} a);"),
        };
        writeln!(text, "  {line}").expect("strings take everything");
    }
    text + "}\n"
}

/// Unrelated words.
fn words(seed: usize, n: usize) -> String {
    (0..n).map(|i| format!("w{seed}x{i}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_repetitive_table_is_matched_whole_and_no_limit_is_told() {
    let class = |name: &str| {
        let letters: Vec<String> =
            (0..64).map(|i| format!("'{}'", (b'a' + i % 26) as char)).collect();
        let letters = letters.join(", ");
        format!(
            "class {name} {{ static char[] {name}s = {{ {letters} }}; int size() {{ return 64; }} }}"
        )
    };
    let handed =
        [Handed::new("a", "A.java", class("Table")), Handed::new("b", "B.java", class("Signs"))];
    let report = comparison(&handed, &Config::standard()).report;
    let pair = &report.pairs[0];
    assert!(!pair.truncated && pair.containment_a > 0.99 && pair.containment_b > 0.99, "{pair:?}");
}

#[test]
fn a_ring_that_a_limit_hides_is_told_to_each_of_its_members() {
    let renamed = |i: usize| program(0).replace("a,", &format!("v{i},"));
    let mut handed: Vec<Handed> =
        (0..12).map(|i| Handed::new(&format!("r{i:02}"), "a.c", renamed(i))).collect();
    handed.extend((1..19).map(|i| Handed::new(&format!("s{i:02}"), "a.c", program(i))));
    let config = Config::standard().with(|config| config.max_docs = Some(MaxDocs::Count(10)));
    let report = comparison(&handed, &config).report;
    assert!(
        report.pairs.iter().all(|pair| pair.a.max(pair.b) >= 12),
        "what is hidden is in no pair"
    );
    let told: Vec<_> =
        report.notices.iter().filter(|notice| notice.reason.contains("passed round")).collect();
    let named: Vec<&str> = told.iter().map(|notice| notice.submission.as_str()).collect();
    assert_eq!(named, (0..12).map(|i| format!("r{i:02}")).collect::<Vec<_>>());
    assert!(told.iter().all(|notice| notice.outcome == Outcome::Flagged));
    assert!(told[0].reason.starts_with("12 submissions share "), "{}", told[0].reason);
    let open = comparison(&handed, &Config::standard()).report;
    assert!(open.notices.is_empty() && open.counts.supported >= 66);
}

#[test]
fn each_pair_with_a_passage_is_listed_or_named() {
    let handed: Vec<Handed> = (0..20)
        .map(|i| {
            Handed::new(&format!("s{i:02}"), "a.txt", words(i, 60) + " " + &words(100 + i % 2, 40))
        })
        .collect();
    for max_pairs in [0, 5, 1500] {
        let config = Config::standard().with(|config| config.max_pairs = max_pairs);
        let report = comparison(&handed, &config).report;
        let listed = report.pairs.iter().map(|pair| (pair.a, pair.b));
        let mut all: Vec<(u32, u32)> =
            listed.chain(report.unlisted.iter().map(|pair| (pair.a, pair.b))).collect();
        all.sort_unstable();
        let expected: Vec<(u32, u32)> = (0..20)
            .flat_map(|a| (a + 1..20).map(move |b| (a, b)))
            .filter(|(a, b)| a % 2 == b % 2)
            .collect();
        assert_eq!(all, expected, "{max_pairs}");
        assert_eq!(report.counts.supported, expected.len() as u64);
        let mut extents = report.unlisted.iter().map(|pair| pair.extent.expect("they are few"));
        assert!(extents.all(|extent| extent.n_passages > 0 && extent.longest > 0));
    }
}

/// A pair stands out whether or not it is shown.
#[test]
fn what_stands_out_does_so_unlisted() {
    let unrelated: Vec<Handed> =
        (0..12).map(|i| Handed::new(&format!("s{i:02}"), "a.txt", words(i, 150))).collect();
    let report = comparison(&unrelated, &Config::standard()).report;
    assert!(report.expectation.is_some() && report.counts.standing_out == 0);
    let mut copied = unrelated;
    copied[3].bytes = copied[7].bytes.clone();
    copied[3].bytes.extend(b" and a word more");
    for hidden in [0, 1500] {
        let config = Config::standard().with(|config| config.max_pairs = hidden);
        assert_eq!(comparison(&copied, &config).report.counts.standing_out, 1, "{hidden}");
    }
}

#[test]
fn an_essay_in_a_submission_with_code_scores_as_an_essay() {
    let essay = words(1, 270);
    let handed = [
        Handed::new("a", "essay.txt", essay.clone()),
        Handed::new("b", "essay.txt", essay),
        Handed::new("b", "code.c", program(3) + &program(4)),
    ];
    let report = comparison(&handed, &Config::standard()).report;
    assert!(report.pairs[0].score > 0.5, "{}", report.pairs[0].score);
}
