//! Results for code hosts and editors.

use serde_json::Value;

use crate::beside::two_copies;
use crate::place::{Place, example};

fn results(place: &Place) -> Vec<Value> {
    let done = place.fanmill("compare in --format sarif").run();
    assert_eq!(done.code, Some(0), "{done}");
    let log: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    log["runs"][0]["results"].as_array().expect("results").clone()
}

#[test]
fn a_result_keeps_its_fingerprint_when_lines_move() {
    let program = example("assignment/submissions/hana/inventory.py");
    let place = Place::new().with("in/ada/a.py", &program).with("in/bo/b.py", &program);
    let before = results(&place);
    assert_eq!(before.len(), 1);
    let location = &before[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "ada/a.py");
    place.write("in/ada/a.py", format!("import sys\n\n\n{program}"));
    let after = results(&place);
    assert_eq!(after[0]["partialFingerprints"], before[0]["partialFingerprints"]);
    let line = |result: &Value| {
        result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line")
    };
    assert_eq!(line(&after[0]), line(&before[0]) + 3);
    place.write("in/ada/a.py", program.replace("for ", "while "));
    let changed = results(&place);
    assert!(
        changed.iter().all(|own| own["partialFingerprints"] != before[0]["partialFingerprints"])
    );
}

#[test]
fn names_of_people_are_no_part_of_an_anonymous_log() {
    let place = two_copies();
    let done = place.fanmill("compare in --format sarif --anonymous").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains("shared-passage") && !done.stdout.contains("bea"), "{done}");
}
