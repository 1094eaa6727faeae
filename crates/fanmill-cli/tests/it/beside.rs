//! A bad input beside two good ones, which must be compared whatever it is.

use fanmill::report::Report;

use crate::place::{Place, example};
use crate::report::Ask;
use crate::run::Run;

/// A class with two submissions that are copies: `ann` and `bea`.
pub(crate) fn two_copies() -> Place {
    let lena = example("assignment/submissions/lena/inventory.py");
    Place::new().with("in/ann/a.py", &lena).with("in/bea/b.py", lena)
}

/// Runs on `in/`; the two copies must be the best pair, and every input accounted for.
#[track_caller]
pub(crate) fn report(place: &Place) -> Report {
    check(place.fanmill("compare in"))
}

/// The same with the caller's arguments.
#[track_caller]
pub(crate) fn check(run: Run) -> Report {
    let report = run.report();
    assert!(report.score("ann", "bea") > 0.99, "{:#?}", report.notices);
    report.check_account();
    report
}

/// Puts `bytes` beside the copies as `odd/<name>`: the run succeeds, and one notice on the file has this outcome and
/// this text.
#[track_caller]
pub(crate) fn is_told(name: &str, bytes: &[u8], outcome: &str, says: &str) -> Report {
    let place = two_copies().with(format!("in/odd/{name}"), bytes);
    let report = report(&place);
    assert!(report.submissions.iter().any(|submission| submission.name == "odd"), "it stays");
    let said = report.said_of("odd");
    let fits = said.iter().any(|notice| {
        notice.outcome.name() == outcome
            && notice.reason.contains(says)
            && notice.path.starts_with(name)
    });
    assert!(fits, "{outcome}, {says}: {said:#?}");
    // The same on the terminal.
    let done = place.fanmill("compare in").run();
    assert!(done.stderr.contains(&format!("{outcome}: odd: {name}")), "{done}");
    report
}

/// Puts `bytes` beside the copies as `odd/<name>`, which is compared without a notice.
#[track_caller]
pub(crate) fn is_taken(name: &str, bytes: &[u8]) -> Report {
    let report = report(&two_copies().with(format!("in/odd/{name}"), bytes));
    assert_eq!(report.of("odd").files.len(), 1, "{:#?}", report.notices);
    report
}
