//! What a good tool reports about the examples, according to `examples/README.md`.

use fanmill::base::Boilerplate;
use fanmill::report::{Pair, Report};
use fanmill_text::document::{Outcome, Role};
use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::report::Ask;
use crate::run::Run;

const WITH_ALL: &str = "compare assignment/submissions --base assignment/handout \
                        --archive assignment/last-year";

fn assignment(arguments: &str) -> Run {
    Run::new(&format!("{WITH_ALL} {arguments}")).inside(&examples())
}

/// Who copied from whom, by construction.
const COPIES: [(&str, &str); 8] = [
    ("ada", "bruno"),
    ("ada", "chidi"),
    ("bruno", "chidi"),
    ("hana", "ivo"),
    ("hana", "jun"),
    ("ivo", "jun"),
    ("dana", "fatma"),
    ("goran", "pavel"),
];

#[test]
fn the_assignment_as_a_table() {
    assert_snapshot!(assignment("--top 8").run(), @r"
    exit: 0
    --- stdout
    score   by chance  A      B                A in B  B in A  longest  passages  matched
     1.00  1 in 70000  hana   ivo                100%    100%      665         2      823
     0.92  1 in 37000  ada    bruno               93%     99%      678         3     1086
     0.78  1 in 11000  goran  pavel (archive)     74%     96%      371         3      763
     0.69   1 in 4600  ada    chidi               67%     77%       98        14      784
     0.64   1 in 2800  hana   jun                 75%     53%      123         7      620
     0.64   1 in 2800  ivo    jun                 75%     53%      123         7      620
     0.63   1 in 2400  bruno  chidi               72%     76%       98        14      781
     0.22     1 in 10  dana   fatma               27%     23%      125         3      278
    … and 4 more pairs; --top shows more
    by chance: pairs like it that unrelated submissions of this batch would show; 1 in 300: one batch in 300 would
    A in B, B in A and matched: the tokens that lie in these passages

    clusters of pairs that score 0.13 or more, where chance gives less than half a pair
    3 submissions, weakest link 0.63: ada, bruno, chidi
    3 submissions, weakest link 0.64: hana, ivo, jun
    2 submissions, weakest link 0.22: dana, fatma
    2 submissions, weakest link 0.78: goran, pavel (archive)
    --- stderr

    took 13 folders as submissions: ada, bruno, chidi, dana, emil and 8 more; --group-by changes that
    took 2 folders as earlier submissions: pavel, rosa; --group-by changes that
    15 submissions, 29 files seen: 28 compared, 1 degraded, 0 skipped, 0 failed
    code: a shared passage of 24 tokens of code or more is always found; nothing shorter than 11 is ever shown, unless one of the two submissions has fewer than 150 tokens of code
    code: if one of the two submissions has fewer than 150 tokens of code, a shared passage of 12 tokens of code or more is always found; nothing shorter than 8 is ever shown
    words: a shared passage of 12 words or more is always found; no passage without a run of 3 is ever shown
    26 of 104 pairs were scored; all 12 that share a passage are listed
    degraded: emil: Inventory.java: its encoding is a guess: windows-1252; save it as UTF-8 to be sure
    15 submissions, 104 pairs, 12 listed, 8 stand out; 1 notice
    ");
}

#[test]
fn the_essays_as_a_table() {
    assert_snapshot!(Run::new("compare essays").inside(&examples()).run(), @r"
    exit: 0
    --- stdout
    score  by chance  A        B          A in B  B in A  longest  passages  matched
     1.00          -  nora.md  petra.txt     99%     99%      407         1      407
     0.90          -  nora.md  otto.md       26%     25%       55         2      108
     0.90          -  otto.md  petra.txt     25%     26%       55         2      108
    by chance: pairs like it that unrelated submissions of this batch would show; 1 in 300: one batch in 300 would
    A in B, B in A and matched: the tokens that lie in these passages
    chance cannot be judged from this batch: there are too few pairs (6; it takes 10)

    clusters of pairs that score 0.30 or more, as chance cannot be judged from this batch
    3 submissions, weakest link 0.90: nora.md, otto.md, petra.txt
    --- stderr

    took 4 files as submissions: nora.md, otto.md, petra.txt, quinn.txt; --group-by changes that
    4 submissions, 4 files seen: 4 compared, 0 degraded, 0 skipped, 0 failed
    words: a shared passage of 12 words or more is always found; no passage without a run of 3 is ever shown
    4 of 6 pairs were scored; all 3 that share a passage are listed
    flagged: petra.txt: holds 24 invisible characters, 103 look-alike letters
    4 submissions, 6 pairs, 3 listed; 1 notice
    ");
}

#[test]
fn copies_come_first_and_nothing_else_is_above_a_tenth() {
    let report = assignment("").report();
    let (copies, others) = report.pairs.split_at(COPIES.len());
    for (a, b) in COPIES {
        assert!(report.score(a, b) >= 0.2, "{a} and {b}: {}", report.score(a, b));
    }
    for pair in copies {
        let (a, b) = report.names(pair);
        assert!(COPIES.contains(&(a, b)) || COPIES.contains(&(b, a)), "{a} and {b}");
    }
    for pair in others {
        assert!(pair.score < 0.1, "{:?}: {}", report.names(pair), pair.score);
    }
    report.check_account();
}

#[test]
fn clusters_are_the_two_groups_and_the_two_pairs() {
    let two_groups = [vec!["ada", "bruno", "chidi"], vec!["hana", "ivo", "jun"]];
    let [dana, goran] = [vec!["dana", "fatma"], vec!["goran", "pavel"]];
    let fitted = assignment("").report();
    assert_eq!(fitted.cluster_names(), [&two_groups[..], &[dana, goran.clone()]].concat());
    let chosen = assignment("--cluster-threshold 0.4").report();
    assert_eq!(chosen.cluster_names(), [&two_groups[..], &[goran]].concat());
}

/// The share of `name` that the other one contains.
fn contained(report: &Report, name: &str, other: &str) -> f64 {
    let pair = report.find_pair(name, other).expect("a listed pair");
    if report.names(pair).0 == name { pair.containment_a } else { pair.containment_b }
}

#[test]
fn each_says_how_much_it_holds_of_the_other() {
    let report = assignment("").report();
    assert!(contained(&report, "bruno", "ada") > 0.95, "all of it matches ada");
    assert!(contained(&report, "ivo", "hana") > 0.99, "all of it matches hana");
    assert!(contained(&report, "pavel", "goran") > 0.9, "nearly all of pavel is in it");
    assert!(contained(&report, "goran", "pavel") < 0.85, "the additions are his own");
    assert!(contained(&report, "chidi", "ada") > 0.6, "most of it matches ada");
    let chidi = report.find_pair("ada", "chidi").expect("listed");
    assert!(chidi.passages.len() >= 8, "in many pieces");
    assert!(chidi.passages.iter().any(|passage| passage.moved), "in another order");
    let dana = report.find_pair("dana", "fatma").expect("listed");
    assert!((2..=4).contains(&dana.passages.len()), "two functions");
}

#[test]
fn archived_work_is_not_compared_with_itself() {
    let report = assignment("").report();
    assert_eq!((report.of("pavel").role, report.of("ada").role), (Role::Archive, Role::New));
    let is_archive = |number: u32| report.submissions[number as usize].role == Role::Archive;
    assert!(!report.pairs.iter().any(|pair| is_archive(pair.a) && is_archive(pair.b)));
    assert_eq!(report.counts.possible, 13 * 12 / 2 + 13 * 2);
}

#[test]
fn what_everybody_was_given_is_grey() {
    let report = assignment("").report();
    // Emil's helpers for errors and parsing are from the starter code.
    for name in ["ada", "bruno", "emil", "kofi", "lena"] {
        let submission = report.of(name);
        let greys = submission.files.iter().flat_map(|file| &file.boilerplate);
        assert!(greys.clone().count() > 0, "{name}");
        assert!(greys.into_iter().all(|grey| grey.why == Boilerplate::Given), "{name}");
        assert!(submission.boilerplate_tokens > 50, "{name}");
    }
    let without = Run::new("compare assignment/submissions").inside(&examples()).report();
    assert!(without.submissions.iter().all(|submission| submission.boilerplate_tokens == 0));
    let unrelated = |report: &Report| {
        let is_copy = |pair: &&Pair| {
            let (a, b) = report.names(pair);
            COPIES.contains(&(a, b)) || COPIES.contains(&(b, a))
        };
        report.pairs.len() - report.pairs.iter().filter(is_copy).count()
    };
    assert!(unrelated(&without) > 3 * unrelated(&report), "nearly everybody matches everybody");
}

#[test]
fn emils_latin_1_is_read_right() {
    let report = assignment("").report();
    let emil = report.of("emil");
    assert_eq!(emil.files[0].encoding, "windows-1252", "the superset that the Web reads it as");
    assert!(report.said_of("emil").iter().all(|notice| notice.outcome == Outcome::Degraded));
    let place = Place::new();
    let done = assignment("--quiet -o").arg(place.path("report")).run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(report.pairs.iter().all(|pair| {
        let (a, b) = report.names(pair);
        (a != "emil" && b != "emil") || pair.score < 0.1
    }));
}

#[test]
fn petras_letters_are_folded_and_flagged() {
    let report = Run::new("compare essays").inside(&examples()).report();
    let first = &report.pairs[0];
    assert_eq!(report.names(first), ("nora.md", "petra.txt"));
    assert!(first.score > 0.9 && first.containment_b > 0.95);
    let said = report.said_of("petra.txt");
    assert_eq!((said.len(), said[0].outcome), (1, Outcome::Flagged));
    assert_eq!(said[0].reason, "holds 24 invisible characters, 103 look-alike letters");
    assert!(report.notices.iter().all(|notice| notice.submission == "petra.txt"));
}

#[test]
fn ottos_two_paragraphs_have_their_places_in_noras() {
    let report = Run::new("compare essays").inside(&examples()).report();
    let pair = report.find_pair("nora.md", "otto.md").expect("listed");
    assert_eq!(pair.passages.len(), 2);
    assert!(pair.passages.iter().any(|passage| passage.moved), "the fifth became the second");
    assert!(pair.passages.iter().any(|passage| passage.matches.len() == 1), "one whole");
    assert!(pair.passages.iter().any(|passage| passage.matches.len() > 2), "one in pieces");
    assert!(!report.pairs.iter().any(|pair| {
        let (a, b) = report.names(pair);
        a == "quinn.txt" || b == "quinn.txt"
    }));
}

#[test]
fn raised_thresholds_lose_jun_first() {
    let pairs = |thresholds: &str| {
        let report = assignment(thresholds).report();
        (
            report.score("ada", "bruno"),
            report.find_pair("hana", "jun").map_or(0, |pair| pair.matched),
        )
    };
    let ((_, low), (bruno, high)) = (pairs(""), pairs("--noise 40 --guarantee 60"));
    assert!(high < low / 2, "{high} of {low}");
    assert!(bruno > 0.8);
}

#[test]
fn the_manifest_tells_who_and_when() {
    let run = Run::new("compare assignment/manifest.csv --base assignment/handout");
    let report = run.inside(&examples()).report();
    assert_eq!(report.submissions.len(), 13);
    let emil = report.submissions.iter().find(|s| s.author.as_deref() == Some("Emil Köhler"));
    let emil = emil.expect("an author");
    assert_eq!(emil.label.as_deref(), Some("group B"));
    assert_eq!(emil.submitted.as_deref(), Some("2026-03-02T16:30:00Z"));
    assert!(report.pairs[0].score >= 1.0, "hana and ivo");
}
