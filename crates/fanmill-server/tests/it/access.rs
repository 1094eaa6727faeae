//! Every route of the table, by everyone who may not use it.

use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};

/// What only a report has in it.
fn has_report(body: &str) -> bool {
    body.contains("hana") || body.contains("fanmill report")
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

    for (method, path, who) in fanmill_server::paths() {
        let id = if who.starts_with("Course") {
            &course
        } else if who.starts_with("Batch") {
            &batch
        } else {
            &link
        };
        let path = path
            .replace("{id}", id)
            .replace("{secret}", "0123456789abcdef")
            .replace("{*file}", "report.json");
        let method = method.to_ascii_uppercase();
        for (name, person) in [
            ("nobody", nobody()),
            ("revoked", revoked.clone()),
            ("bert", bert.clone()),
            ("rosa", rosa.clone()),
        ] {
            let expected: &[u16] = match (name, who.as_str()) {
                (_, "Anyone" | "Near") => continue,
                ("nobody" | "revoked", _) => &[401],
                (_, "User") => continue,
                ("bert", "Teacher") => continue,
                (_, "Administrator") | ("rosa", "Teacher") => &[403],
                ("bert", _) => &[404],
                (_, of_course) if of_course.ends_with("(Reader)") => continue,
                _ => &[403],
            };
            let reply = person.send(&server, &method, &path, &json!({}));
            assert!(expected.contains(&reply.status), "{name}: {method} {path}: {}", reply.status);
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
