//! Runs the worked cases of `testdata/cases` with every selector.

use std::fmt::Write;

use fanmill::report::Report;
use fanmill::select::Selector;
use fanmill_text::frontend::Kind;

use crate::case_file::{Case, all};
use crate::compare::comparison;

const SELECTORS: [Selector; 8] = [
    Selector::Roc { r: 2 },
    Selector::Roc { r: 4 },
    Selector::Winnow,
    Selector::Robust,
    Selector::SafeModP { p: 4 },
    Selector::All,
    Selector::ModP { p: 4 },
    Selector::NSmallest { n: 10 },
];

#[test]
fn every_selector_runs_every_case() {
    let cases = all();
    assert!(cases.len() >= 12);
    let mut wrong = String::new();
    for case in &cases {
        for selector in SELECTORS {
            let config =
                case.config.clone().with(|config| config.fingerprints.select = Some(selector));
            let report = comparison(&case.documents, &config).report;
            let promises = report.promises.iter().all(|promise| promise.guarantee.is_some());
            check(case, &report, promises, &format!("{}, {selector}", case.name), &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Appends to `wrong` where a report differs from what its case expects.
fn check(case: &Case, report: &Report, promises: bool, name: &str, wrong: &mut String) {
    let mut found = vec![false; case.passages.len()];
    let least = [Kind::Code, Kind::Words, Kind::Chars].map(|kind| case.noise(kind));
    let least = least.into_iter().min().expect("three kinds");
    for pair in &report.pairs {
        for passage in &pair.passages {
            let short = passage.matches.iter().find(|found| found.tokens < least);
            assert_eq!(short, None, "{name}: shorter than noise");
            let members = (pair.a, pair.b);
            if let Some(at) = case.passages.iter().position(|e| e.is(report, members, passage)) {
                found[at] = true;
                continue;
            }
            let [a, b] = [pair.a, pair.b].map(|i| &report.submissions[i as usize].name);
            let shown = serde_json::to_string(passage).expect("JSON");
            writeln!(wrong, "{name}: not expected: {a}, {b}: {shown}").expect("a String");
        }
    }
    for (expected, _) in case.passages.iter().zip(found).filter(|(e, found)| e.is_sure && !found) {
        if promises {
            writeln!(wrong, "{name}: not found: {}", expected.line).expect("a String");
        }
    }
    for (stretch, why) in &case.greys {
        if !stretch.is_grey(report, &case.documents, why) {
            writeln!(wrong, "{name}: not {why}: {stretch:?}").expect("a String");
        }
    }
}
