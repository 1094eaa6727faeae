//! Every route of the table, by everyone who may not use it.

use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};

/// What only a report has in it.
fn has_report(body: &str) -> bool {
    body.contains("hana") || body.contains("fanmill report")
}

/// How somebody is refused where `who` says who may; `None` if they are not.
fn refusal(name: &str, who: &str) -> Option<u16> {
    match (name, who) {
        (_, "Anyone" | "Near") | ("bert" | "rosa", "User") | ("bert", "Teacher") => None,
        ("nobody" | "revoked", _) => Some(401),
        (_, "Administrator") | ("rosa", "Teacher") => Some(403),
        ("bert", _) => Some(404),
        (_, of_course) if of_course.ends_with("(Reader)") => None,
        _ => Some(403),
    }
}

#[test]
fn nobody_gets_what_is_not_theirs() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    let rosa = anna.invite(&server, "rosa", "reader");
    let course = anna.course(&server);
    let member = json!({ "name": "rosa", "role": "reader" });
    assert_eq!(
        anna.send(&server, "PUT", &format!("/api/v1/courses/{course}/members"), &member).status,
        204
    );
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    let batch = reply["id"].as_str().expect("an id").to_owned();
    assert_eq!(anna.wait(&server, &batch)["state"], "done");
    let link =
        anna.post(&server, &format!("/api/v1/batches/{batch}/links"), &json!({ "days": 1 })).json();
    let link = link["id"].as_str().expect("an id").to_owned();
    let token = bert.post(&server, "/api/v1/tokens", &json!({ "label": "script" })).json();
    let id = token["id"].as_str().expect("an id");
    let bearer = format!("Authorization: Bearer {}", token["token"].as_str().expect("a token"));
    let revoked = Person { headers: vec![bearer] };
    assert_eq!(revoked.get(&server, "/api/v1/courses").status, 200);
    assert_eq!(
        bert.send(&server, "DELETE", &format!("/api/v1/tokens/{id}"), &json!({})).status,
        204
    );

    let people = [("nobody", nobody()), ("revoked", revoked), ("bert", bert), ("rosa", rosa)];
    for (method, path, who) in fanmill_server::paths() {
        let id = match who.split('(').next() {
            Some("Course") => &course,
            Some("Batch") => &batch,
            _ => &link,
        };
        let path = path
            .replace("{id}", id)
            .replace("{secret}", "0123456789abcdef")
            .replace("{*file}", "report.json")
            .replace("{first}", "3")
            .replace("{rest}", "1234567890123")
            .replace("{page}", "match0.html");
        let method = method.to_ascii_uppercase();
        for (name, person) in &people {
            let Some(expected) = refusal(name, &who) else { continue };
            let reply = person.send(&server, &method, &path, &json!({}));
            assert_eq!(reply.status, expected, "{name}: {method} {path}");
            assert!(!has_report(&reply.text()), "{name}: {method} {path}");
        }
    }
    let expired = nobody().get(&server, "/s/0123456789abcdef/report.json");
    assert_eq!(expired.status, 404);
    for path in [
        "../job.json",
        "..%2fjob.json",
        "%2e%2e/%2e%2e/fanmill.db",
        "data/texts/..%2f..%2f..%2fjob.json",
    ] {
        let reply = anna.get(&server, &format!("/batches/{batch}/report/{path}"));
        assert_eq!(reply.status, 404, "{path}");
    }
}
