//! Names and addresses that are locked after wrong passwords, and for whom they still open.

use serde_json::json;

use crate::client::{Person, Reply, Running, nobody};

const RIGHT: &str = "correct horse battery";

/// Logs in, as `client` behind a proxy, with the cookie of a browser if there is one.
fn login(
    server: &Running,
    client: &str,
    browser: Option<&str>,
    name: &str,
    password: &str,
) -> Reply {
    let mut person = nobody();
    person.headers.push(format!("X-Forwarded-For: {client}"));
    person.headers.extend(browser.map(|browser| format!("Cookie: {browser}")));
    person.post(server, "/api/v1/login", &json!({ "name": name, "password": password }))
}

/// The cookie of the browser that has logged in.
fn browser(reply: &Reply) -> String {
    let cookies = reply.head.lines().filter_map(|line| line.split_once(": "));
    let mut values = cookies.map(|(_, value)| value.split(';').next().unwrap_or_default());
    values.find(|value| value.starts_with("fanmill_browser=")).expect("a cookie").to_owned()
}

#[test]
fn a_locked_name_opens_to_a_browser_that_was_logged_in_before() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["trust-loopback=1"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    drop(bert);
    let own = browser(&login(&server, "192.0.2.1", None, "anna", RIGHT));
    let of_bert = browser(&login(&server, "192.0.2.2", None, "bert", RIGHT));
    let try_from = |client: &str, browser: Option<&str>, password: &str| {
        login(&server, client, browser, "anna", password).status
    };
    for n in 0..10 {
        assert_eq!(try_from(&format!("198.51.100.{n}"), None, "a wrong password"), 401);
    }
    assert_eq!(try_from("192.0.2.1", None, RIGHT), 429, "the name is locked");
    assert_eq!(try_from("192.0.2.1", Some(&own), RIGHT), 200);
    assert_eq!(try_from("203.0.113.9", Some(&own), RIGHT), 200, "wherever the browser is");
    // The cookie of another account's browser, or one that is made up, opens nothing.
    assert_eq!(try_from("192.0.2.2", Some(&of_bert), RIGHT), 429);
    assert_eq!(try_from("192.0.2.2", Some("fanmill_browser=00ff"), RIGHT), 429);
    // Nor can passwords be guessed with it.
    for _ in 0..10 {
        assert_eq!(try_from("192.0.2.1", Some(&own), "a wrong password"), 401);
    }
    assert_eq!(try_from("192.0.2.1", Some(&own), RIGHT), 429);
    // Somebody who is logged in may change the password all the same.
    let change = json!({ "old": RIGHT, "new": "another long password" });
    assert_eq!(anna.post(&server, "/api/v1/me/password", &change).status, 204);
}

#[test]
fn an_address_is_not_locked_by_one_wrong_client() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["trust-loopback=1", "connections=500"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    drop(bert);
    let campus = "192.0.2.7";
    // A program with an old password, that tries on and on.
    for n in 0..80 {
        let status = login(&server, campus, None, "anna", "an old password").status;
        assert_eq!(status, if n < 10 { 401 } else { 429 });
    }
    assert_eq!(login(&server, campus, None, "bert", RIGHT).status, 200);
    // Somebody who tries many names locks the address, but not the browsers that are known.
    let own = browser(&login(&server, campus, None, "bert", RIGHT));
    let tried = (0..80).map(|n| login(&server, campus, None, &format!("x{n}"), "a wrong password"));
    assert_eq!(tried.filter(|reply| reply.status == 429).count(), 80 - 49);
    assert_eq!(login(&server, campus, None, "bert", RIGHT).status, 429);
    assert_eq!(login(&server, campus, Some(&own), "bert", RIGHT).status, 200);
    assert_eq!(login(&server, "192.0.2.8", None, "bert", RIGHT).status, 200);
}

#[test]
fn wrong_addresses_of_links_do_not_close_the_right_ones() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let batch = anna.upload(&server, &course, "{}", &crate::client::assignment()).json();
    let batch = batch["id"].as_str().expect("an id");
    anna.wait(&server, batch);
    let made = anna.post(&server, &format!("/api/v1/batches/{batch}/links"), &json!({})).json();
    let url = made["url"].as_str().expect("an address");
    let path = url.split_once(&server.host).expect("our address").1;
    let wrong = |n: usize| nobody().get(&server, &format!("/s/{n:032x}/")).status;
    assert!((0..100).all(|n| wrong(n) == 404));
    assert_eq!(wrong(100), 429);
    assert_eq!(nobody().get(&server, path).status, 200);
}
