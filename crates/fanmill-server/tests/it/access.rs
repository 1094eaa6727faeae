//! Every route of the table, by everyone who may not use it.

use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};
use crate::kept::database;

/// What only a report has in it.
fn has_report(body: &str) -> bool {
    body.contains("hana") || body.contains("fanmill report")
}

/// How somebody is refused where `who` says who may; `None` if they are not.
fn refusal(name: &str, who: &str) -> Option<u16> {
    match (name, who) {
        (_, "Anyone" | "Near") | ("bert" | "rosa", "User") | ("bert", "Teacher") => None,
        ("nobody" | "revoked" | "expired", _) => Some(401),
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
    let revoked = revoked(&server, &bert);
    let carl = anna.invite(&server, "carl", "teacher");
    let sql =
        "UPDATE sessions SET expires = 1 WHERE user = (SELECT id FROM users WHERE name = 'carl')";
    assert_eq!(database(data.path()).execute(sql, []).expect("old"), 1);
    let people = [
        ("nobody", nobody()),
        ("revoked", revoked),
        ("expired", carl),
        ("bert", bert),
        ("rosa", rosa),
    ];
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
    outside(&server, &anna, &batch);
}

/// A program whose token worked, and was revoked.
fn revoked(server: &Running, bert: &Person) -> Person {
    let token = bert.post(server, "/api/v1/tokens", &json!({ "label": "script" })).json();
    let id = token["id"].as_str().expect("an id");
    let bearer = format!("Authorization: Bearer {}", token["token"].as_str().expect("a token"));
    let revoked = Person { headers: vec![bearer] };
    assert_eq!(revoked.get(server, "/api/v1/courses").status, 200);
    assert_eq!(
        bert.send(server, "DELETE", &format!("/api/v1/tokens/{id}"), &json!({})).status,
        204
    );
    revoked
}

/// No path leads out of a report.
fn outside(server: &Running, anna: &Person, batch: &str) {
    for path in [
        "../job.json",
        "..%2fjob.json",
        "%2e%2e/%2e%2e/fanmill.db",
        "data/texts/..%2f..%2f..%2fjob.json",
    ] {
        let reply = anna.get(server, &format!("/batches/{batch}/report/{path}"));
        assert_eq!(reply.status, 404, "{path}");
    }
}

/// A new link: its id and its secret.
fn linked(server: &Running, anna: &Person, batch: &str) -> (String, String) {
    let path = format!("/api/v1/batches/{batch}/links");
    let made = anna.post(server, &path, &json!({ "days": 1 })).json();
    let url = made["url"].as_str().expect("an address").trim_end_matches('/');
    let secret = url.rsplit('/').next().expect("a secret").to_owned();
    (made["id"].as_str().expect("an id").to_owned(), secret)
}

#[test]
fn a_link_that_expired_or_was_revoked_opens_nothing() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let batch = anna.upload(&server, &course, "{}", &assignment()).json()["id"].clone();
    let batch = batch.as_str().expect("an id");
    assert_eq!(anna.wait(&server, batch)["state"], "done");
    let ((expired_id, expired), (revoked_id, revoked)) =
        (linked(&server, &anna, batch), linked(&server, &anna, batch));
    // A result for clients of MOSS is a link, too, by another form of its secret.
    let (moss_id, _) = linked(&server, &anna, batch);
    let hash = blake3::hash(b"3-1234567890123").to_hex().to_string();
    let sql = "UPDATE links SET hash = ? WHERE id = ?";
    database(data.path()).execute(sql, [&hash, &moss_id]).expect("another secret");
    for secret in [&*expired, &*revoked, "3-1234567890123"] {
        let shown = nobody().get(&server, &format!("/s/{secret}/report.json"));
        assert!(shown.status == 200 && has_report(&shown.text()), "{secret}");
    }
    let sql = "UPDATE links SET expires = 1 WHERE id IN (?, ?)";
    database(data.path()).execute(sql, [&expired_id, &moss_id]).expect("old");
    let path = format!("/api/v1/links/{revoked_id}");
    assert_eq!(anna.send(&server, "DELETE", &path, &json!({})).status, 204);

    let mut n_opened = 0;
    for (method, path, _) in fanmill_server::paths() {
        for secret in [&*expired, &*revoked, "3-1234567890123"] {
            let by_secret = path.contains("{secret}") || path.starts_with("/results/");
            let path = path
                .replace("{secret}", secret)
                .replace("{id}", secret)
                .replace("{*file}", "report.json")
                .replace("{first}", "3")
                .replace("{rest}", "1234567890123")
                .replace("{page}", "match0.html");
            let mut headers = vec![format!("Cookie: fanmill_link={secret}")];
            headers.push("Content-Type: application/x-www-form-urlencoded".to_owned());
            let method = method.to_ascii_uppercase();
            let reply = server.send(&method, &path, &headers, b"password=open+sesame");
            assert!(!has_report(&reply.text()), "{method} {path}");
            // The page of a one-time link is the same for everyone.
            if by_secret && !path.starts_with("/setup/") {
                assert_eq!(reply.status, 404, "{method} {path}");
                n_opened += 1;
            }
        }
    }
    assert!(n_opened >= 7 * 3, "{n_opened}");
}

#[test]
fn a_password_by_a_one_time_link_ends_sessions_and_tokens() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let token = anna.post(&server, "/api/v1/tokens", &json!({ "label": "marks" })).json();
    let bearer = format!("Authorization: Bearer {}", token["token"].as_str().expect("a token"));
    let courses =
        || server.send("GET", "/api/v1/courses", std::slice::from_ref(&bearer), b"").status;
    assert_eq!(courses(), 200);
    let id =
        anna.get(&server, "/api/v1/me").json()["user"]["id"].as_str().expect("an id").to_owned();
    let reset = anna.post(&server, &format!("/api/v1/users/{id}/reset"), &json!({})).json();
    let secret = reset["link"].as_str().expect("a link").rsplit('/').next().expect("a secret");
    assert_eq!(courses(), 200, "the link was not used yet");
    let set = json!({ "secret": secret, "password": "another horse battery" });
    assert_eq!(nobody().post(&server, "/api/v1/setup", &set).status, 200);
    assert_eq!(courses(), 401);
    assert_eq!(anna.get(&server, "/api/v1/courses").status, 401);
}
