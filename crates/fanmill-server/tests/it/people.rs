//! Accounts that end: the last of a kind stays.

use serde_json::json;

use crate::client::{Person, Running};

fn id_of(anna: &Person, server: &Running, name: &str) -> String {
    let users = anna.get(server, "/api/v1/users").json();
    let users = users.as_array().expect("a list");
    let user = users.iter().find(|user| user["name"] == name).expect("somebody");
    user["id"].as_str().expect("an id").to_owned()
}

#[test]
fn the_last_owner_of_a_course_stays() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    let course = bert.course(&server);
    let set = |who: &Person, name: &str, role: &str| {
        let body = json!({ "name": name, "role": role });
        who.send(&server, "PUT", &format!("/api/v1/courses/{course}/members"), &body).status
    };
    assert_eq!(set(&bert, "bert", "teacher"), 409);
    assert_eq!(set(&bert, "bert", "none"), 409);
    let path = format!("/api/v1/users/{}", id_of(&anna, &server, "bert"));
    let refused = anna.send(&server, "DELETE", &path, &json!({}));
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("only owner of 1 course"), "{}", refused.text());
    assert_eq!(
        anna.send(&server, "DELETE", &format!("{path}?owner=nobody"), &json!({})).status,
        400
    );
    assert_eq!(anna.send(&server, "DELETE", &format!("{path}?owner=anna"), &json!({})).status, 204);
    assert_eq!(bert.get(&server, "/api/v1/courses").status, 401);
    assert_eq!(anna.get(&server, "/api/v1/courses").json()[0]["role"], "owner");
    anna.invite(&server, "carl", "teacher");
    assert_eq!(set(&anna, "carl", "owner"), 204);
    assert_eq!(set(&anna, "anna", "reader"), 204);
}

#[test]
fn the_last_administrator_stays() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let zoe = anna.invite(&server, "zoe", "administrator");
    let own = format!("/api/v1/users/{}", id_of(&anna, &server, "anna"));
    assert_eq!(anna.send(&server, "DELETE", &own, &json!({})).status, 409);
    assert_eq!(zoe.send(&server, "DELETE", &own, &json!({})).status, 204);
    let own = format!("/api/v1/users/{}", id_of(&zoe, &server, "zoe"));
    assert_eq!(zoe.send(&server, "DELETE", &own, &json!({})).status, 409);
}

#[test]
fn a_wrong_old_password_does_not_end_the_session() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let change = json!({ "old": "not that one", "new": "another long password" });
    assert_eq!(anna.post(&server, "/api/v1/me/password", &change).status, 403);
    assert_eq!(anna.get(&server, "/api/v1/me").status, 200);
}
