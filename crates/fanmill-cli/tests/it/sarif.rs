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

#[test]
fn the_passages_of_every_searched_text_are_results_of_one_log() {
    let program = example("assignment/submissions/hana/inventory.py");
    let place = Place::new().with("old/a.py", &program).with("new/b.py", &program);
    place.write("new/c.py", format!("import sys\n\n\n{program}"));
    assert_eq!(place.fanmill("index add seen old").run().code, Some(0));
    let done = place.fanmill("search seen new --format sarif").run();
    assert_eq!(done.code, Some(0), "{done}");
    let log: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let uri = |result: &Value, at: &str| {
        let place = &result[at][0]["physicalLocation"]["artifactLocation"];
        place["uri"].as_str().expect("a file").to_owned()
    };
    let places: Vec<[String; 2]> = results
        .iter()
        .map(|one| ["locations", "relatedLocations"].map(|at| uri(one, at)))
        .collect();
    assert_eq!(places, [["new/b.py", "old/a.py"], ["new/c.py", "old/a.py"]]);
}

#[test]
fn without_texts_no_passages_are_known() {
    let program = example("assignment/submissions/hana/inventory.py");
    let place = Place::new().with("old/a.py", &program).with("new/b.py", &program);
    assert_eq!(place.fanmill("index add seen old --no-texts").run().code, Some(0));
    let done = place.fanmill("search seen new --format sarif").run();
    assert_eq!(done.code, Some(2), "{done}");
    assert!(done.stderr.contains("the index keeps no texts"), "{done}");
    assert_eq!(done.stdout, "");
}
