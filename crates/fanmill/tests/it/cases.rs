//! The worked cases of `testdata/cases`, run by every selector.

use std::fmt::Write;

use fanmill::frontend::Kind;
use fanmill::pipeline::Config;
use fanmill::report::model::Report;
use fanmill::select::Selector;

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
            let config = Config { selector: Some(selector), ..case.config.clone() };
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
    for pair in &report.pairs {
        for passage in &pair.passages {
            let members = (pair.a, pair.b);
            let expected = case.passages.iter().position(|e| e.is(report, members, passage));
            match expected {
                Some(at) => found[at] = true,
                None => {
                    let shown = serde_json::to_string(&passage.matches).expect("JSON");
                    let (a, b) = (
                        &report.submissions[pair.a as usize].name,
                        &report.submissions[pair.b as usize].name,
                    );
                    writeln!(
                        wrong,
                        "{name}: not expected: {a}, {b}, moved: {}: {shown}",
                        passage.moved
                    )
                    .expect("a String");
                }
            }
            let least = [Kind::Code, Kind::Words, Kind::Chars]
                .map(|kind| case.noise(kind))
                .into_iter()
                .min();
            for found in &passage.matches {
                assert!(Some(found.tokens) >= least, "{name}: shorter than noise: {found:?}");
            }
        }
    }
    for (expected, _) in case.passages.iter().zip(found).filter(|(e, found)| e.is_sure && !found) {
        if promises {
            writeln!(wrong, "{name}: not found: {}", expected.line).expect("a String");
        }
    }
    for (stretch, why) in &case.greys {
        if !stretch.is_grey(report, &case.documents, why) {
            let greys: Vec<_> = report
                .submissions
                .iter()
                .flat_map(|s| s.files.iter().map(|f| (&s.name, &f.path, &f.boilerplate)))
                .collect();
            writeln!(wrong, "{name}: not {why}: {stretch:?} in {greys:?}").expect("a String");
        }
    }
}
