//! Tests with projects made by hand.

use proptest::prelude::*;
use serde_json::json;

use super::super::made::zip;
use super::super::{Extracted, Format, Limits, read as read_document};
use super::*;

fn project(blocks: &Value) -> Value {
    let stage =
        json!({"isStage": true, "name": "Stage", "blocks": {}, "costumes": [{"name": "blank"}]});
    let cat = json!({"isStage": false, "name": "Cat", "blocks": blocks, "costumes": []});
    json!({"targets": [stage, cat], "monitors": [{"opcode": "data_variable"}], "meta": {"semver": "3.0.0"}})
}

fn extracted(name: &str, root: &Value) -> Option<Extracted> {
    let bytes = zip(&[(name, &root.to_string()), ("0123.svg", "<svg/>")]);
    read_document(&bytes, &Limits::standard()).expect("it can be read")
}

fn text(blocks: &Value) -> String {
    let found = extracted("project.json", &project(blocks)).expect("a project");
    assert_eq!(found.format, Format::Sb3);
    found.text
}

/// A script with names and a branch; `id` makes the names of its blocks, `score` and `jump` are the author's.
fn script(id: &str, score: &str, jump: &str) -> Value {
    let key = |n: u8| format!("{id}{n}");
    let mut blocks = Map::new();
    let mut add = |n: u8, block: Value| drop(blocks.insert(key(n), block));
    add(
        1,
        json!({"opcode": "event_whenkeypressed", "next": key(2), "topLevel": true, "inputs": {}, "fields": {"KEY_OPTION": ["space", null]}}),
    );
    add(
        2,
        json!({"opcode": "control_if_else", "next": key(3), "fields": {}, "inputs": {
        "SUBSTACK2": [2, key(6)], "SUBSTACK": [2, key(5)], "CONDITION": [2, key(4)]}}),
    );
    add(
        3,
        json!({"opcode": "procedures_call", "next": null, "fields": {}, "inputs": {key(9): [1, [4, "2.5"]], key(8): [1, [10, "x \"y\""]]},
        "mutation": {"proccode": format!("{jump} %s %s"), "argumentids": format!("[\"{}\",\"{}\"]", key(9), key(8))}}),
    );
    add(
        4,
        json!({"opcode": "operator_gt", "next": null, "fields": {}, "inputs": {
        "OPERAND2": [1, [10, "50"]], "OPERAND1": [3, [12, score, key(7)], [10, ""]]}}),
    );
    add(
        5,
        json!({"opcode": "motion_goto", "next": null, "fields": {}, "inputs": {"TO": [1, "menu"]}}),
    );
    add(
        6,
        json!({"opcode": "data_changevariableby", "next": null, "inputs": {"VALUE": [1, [4, "-1"]]}, "fields": {"VARIABLE": [score, key(7)]}}),
    );
    blocks.insert("menu".to_owned(), json!({"opcode": "motion_goto_menu", "shadow": true, "inputs": {}, "fields": {"TO": ["_mouse_", null]}}));
    Value::Object(blocks)
}

#[test]
fn a_block_is_a_line() {
    let expected = "# sprite Cat

event_whenkeypressed: \"space\"
control_if_else: (operator_gt: `my score` 50)
  motion_goto: \"_mouse_\"
else:
  data_changevariableby: `my score` -1
procedures_call: `jump %s %s` 2.5 \"x \\\"y\\\"\"
";
    assert_eq!(text(&script("a", "my score", "jump")), expected);
}

#[test]
fn a_custom_block_is_defined_by_its_name_and_parameters() {
    let blocks = json!({
        "d": {"opcode": "procedures_definition", "next": "m", "topLevel": true, "fields": {}, "inputs": {"custom_block": [1, "p"]}},
        "p": {"opcode": "procedures_prototype", "shadow": true, "fields": {}, "inputs": {"id": [1, "a"]},
            "mutation": {"proccode": "step %s", "argumentids": "[\"id\"]"}},
        "a": {"opcode": "argument_reporter_string_number", "shadow": true, "inputs": {}, "fields": {"VALUE": ["far", null]}},
        "m": {"opcode": "motion_movesteps", "next": null, "fields": {}, "inputs": {"STEPS": [3, "r", [4, "10"]]}},
        "r": {"opcode": "argument_reporter_string_number", "inputs": {}, "fields": {"VALUE": ["far", null]}},
    });
    assert_eq!(
        text(&blocks),
        "# sprite Cat\n\nprocedures_definition: `step %s` `far`\nmotion_movesteps: (argument_reporter_string_number: `far`)\n"
    );
}

#[test]
fn the_order_of_scripts_is_that_of_their_structure() {
    let turn = |id: &str, x: u32| json!({id: {"opcode": "motion_turnright", "topLevel": true, "x": x, "inputs": {"DEGREES": [1, [4, "15"]]}}});
    let both = |id: &str, other: &str, name: &str, x: u32| {
        let mut blocks = script(id, name, name);
        let more = turn(other, x);
        blocks.as_object_mut().expect("blocks").extend(more.as_object().expect("blocks").clone());
        text(&blocks)
    };
    let renamed = both("z", "a", "zeta", 400);
    assert_eq!(both("b", "y", "alpha", 3).replace("alpha", "zeta"), renamed);
}

#[test]
fn blocks_in_a_circle_are_written_once() {
    let blocks = json!({
        "a": {"opcode": "one", "next": "b", "topLevel": true, "inputs": {"SUBSTACK": [2, "a"], "X": [2, "b"]}},
        "b": {"opcode": "two", "next": "a", "topLevel": true, "inputs": {"X": [2, "a"], "Y": [2, "b"]}},
    });
    assert_eq!(text(&blocks), "# sprite Cat\n\none: (two:)\n");
}

#[test]
fn deep_nesting_takes_linear_time() {
    let n = 30_000;
    let inner = |i: usize| {
        (
            format!("b{i}"),
            json!({"opcode": "control_forever", "topLevel": i == 0, "inputs": {"SUBSTACK": [2, format!("b{}", i + 1)]}}),
        )
    };
    let found = text(&Value::Object((0..n).map(inner).collect()));
    assert_eq!(found.lines().count(), n + 2);
    assert!(found.len() < n * 100);
}

#[test]
fn a_project_without_scripts_has_no_text() {
    let bytes = zip(&[("project.json", &project(&json!({})).to_string())]);
    let failure = read_document(&bytes, &Limits::standard()).expect_err("no text");
    assert_eq!(failure.reason.to_string(), "no scripts");
}

#[test]
fn other_zips_are_no_projects() {
    for root in [
        json!({"dependencies": {}}),
        json!({"targets": ["net6"]}),
        json!([]),
        json!({"blocks": {}}),
    ] {
        assert_eq!(extracted("project.json", &root), None, "{root}");
    }
}

#[test]
fn a_sprite_and_a_project_of_scratch_2() {
    let sprite = project(&script("a", "s", "j"))["targets"][1].clone();
    let found = extracted("sprite.json", &sprite).expect("a sprite").text;
    assert!(found.starts_with("# sprite Cat\n\nevent_whenkeypressed:"), "{found}");
    let old = json!({"objName": "Stage", "children": [{"objName": "Dog", "scripts": [[5, 9, [
        ["whenKeyPressed", "space"],
        ["doIfElse", [">", ["readVariable", "score"], 50], [["forward:", 10]], [["changeVar:by:", "score", -1]]],
        ["stopAll"],
    ]]]}, {"sliderMin": 0}]});
    let expected = "# sprite Dog

whenKeyPressed: \"space\"
doIfElse: (>: (readVariable: \"score\") 50)
  forward: 10
else:
  changeVar_by: \"score\" -1
stopAll:
";
    assert_eq!(extracted("project.json", &old).expect("a project").text, expected);
}

fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "a", "b", "opcode", "next", "inputs", "fields", "SUBSTACK", "topLevel", "`\"\n",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        word.clone().prop_map(Value::from)
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn no_project_panics(blocks in any_json(), scripts in any_json()) {
        let old = json!({"objName": "S", "scripts": scripts, "children": [blocks]});
        for root in [project(&blocks), old] {
            let bytes = zip(&[("project.json", &root.to_string())]);
            let _ = read_document(&bytes, &Limits::standard());
        }
    }
}
