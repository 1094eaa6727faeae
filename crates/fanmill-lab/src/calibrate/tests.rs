//! Whole runs on texts with known shared parts.

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_text::progress::Silent;

use super::*;
use crate::collection::Reading;
use crate::samples::corpus;

/// Common phrases of three to six words.
const IDIOMS: [&str; 6] = [
    "on the one hand",
    "as a matter of fact",
    "it goes without saying that",
    "in other words",
    "at the end of the day",
    "more often than not",
];

/// Returns a text of random words; an idiom follows one in six.
fn essay(random: &mut SplitMix) -> String {
    let mut words = Vec::new();
    for _ in 0..200 {
        let word = random.below(600);
        words.push(format!("word{word}"));
        if random.below(6) == 0 {
            words.push(IDIOMS[random.below(IDIOMS.len())].to_owned());
        }
    }
    words.join(" ")
}

fn essays(n: usize) -> Vec<(String, String)> {
    let mut random = SplitMix::new(7);
    (0..n).map(|i| (format!("{i:02}.txt"), essay(&mut random))).collect()
}

fn calibrated(files: &[(String, String)]) -> Calibration {
    let collection = Collection::new(corpus(files), Reading::Words);
    run(&Settings::standard(), &collection, &Silent).expect("documents")
}

fn words(calibration: &Calibration) -> (usize, usize) {
    let (kind, thresholds) = calibration.thresholds[0];
    assert_eq!((kind, calibration.thresholds.len()), (Kind::Words, 1));
    (thresholds.noise(), thresholds.guarantee())
}

#[test]
fn noise_is_above_chance_and_the_guarantee_above_idioms() {
    let (noise, guarantee) = words(&calibrated(&essays(30)));
    assert_eq!((noise, guarantee), (4, 8), "idioms have up to six words, and neighbours by chance");
}

#[test]
fn copies_do_not_move_the_thresholds_and_are_shown() {
    let mut files = essays(30);
    let clean = words(&calibrated(&files));
    // Three texts take sixty words from the first: so few that the pairs do not count as related.
    let stolen: String = files[0].1.split_inclusive(' ').take(60).collect();
    for (_, text) in &mut files[1..4] {
        text.push(' ');
        text.push_str(&stolen);
    }
    let calibration = calibrated(&files);
    let with_copies = words(&calibration);
    assert!(with_copies.1.abs_diff(clean.1) <= 1, "{clean:?}, {with_copies:?}");
    let runs = calibration.outcome.tables.iter().find(|table| table.name == "runs-words");
    let first = &runs.expect("a table").rows[0];
    assert!(matches!(first[0], crate::outcome::Cell::Count(60..)), "{first:?}");
}

#[test]
fn whole_copies_are_left_out_as_related() {
    let mut files = essays(30);
    for copy in 0..5 {
        files.push((format!("copy{copy}.txt"), files[copy].1.clone()));
    }
    let calibration = calibrated(&files);
    let said = calibration.outcome.findings.iter().any(|finding| {
        finding.starts_with("words: 5 of 595 pairs are left out as related: more than 40 %")
    });
    assert!(said, "{:#?}", calibration.outcome.findings);
}

#[test]
fn a_small_collection_is_too_small_to_tell() {
    let calibration = calibrated(&essays(14));
    assert!(calibration.thresholds.is_empty());
    let finding = &calibration.outcome.findings[0];
    assert!(finding.starts_with("words: nothing to recommend; 91 unrelated pairs are too few"));
    for empty in [essays(1), vec![("a.txt".to_owned(), String::new()); 3]] {
        let collection = Collection::new(corpus(&empty), Reading::Words);
        let error = run(&Settings::standard(), &collection, &Silent).expect_err("nothing");
        assert!(error.is_input() && error.to_string().contains("give more"), "{error}");
    }
}

#[test]
fn documents_that_repeat_one_word_have_no_threshold() {
    let files: Vec<(String, String)> =
        (0..20).map(|i| (format!("{i}.txt"), "again ".repeat(300 + i))).collect();
    let collection = Collection::new(corpus(&files), Reading::Words);
    let settings = Settings { related: 1.0, ..Settings::standard() };
    let found = run(&settings, &collection, &Silent).expect("documents");
    assert!(found.thresholds.is_empty());
    assert!(found.outcome.findings[0].contains("even scrambled documents share"));
}

#[test]
fn the_same_seed_gives_the_same_outcome_and_kinds_are_told_apart() {
    let registry = fanmill_lang::registry();
    let mut files = essays(20);
    for i in 0..20 {
        files.push((format!("{i}.py"), format!("def f{i}(x):\n    return x * {i} + [{i}]\n")));
    }
    let collection = Collection::new(corpus(&files), Reading::Auto(&registry));
    let settings = Settings { n_pairs: 120, ..Settings::standard() };
    let found = run(&settings, &collection, &Silent).expect("documents");
    let kinds: Vec<Kind> = found.thresholds.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [Kind::Words], "the programs are alike but for their numbers");
    assert_eq!(found.outcome.tables[0].rows.len(), 2);
    let again = run(&settings, &collection, &Silent).expect("documents");
    assert_eq!(found.outcome.to_json(), again.outcome.to_json());
    let other = Settings { seed: 2, ..settings };
    let other = run(&other, &collection, &Silent).expect("documents");
    assert_ne!(found.outcome.to_json(), other.outcome.to_json());
}
