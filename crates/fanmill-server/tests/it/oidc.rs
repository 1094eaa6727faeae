//! Login by another service: what it must say, and what is refused.

use std::collections::HashMap;

use base64::Engine;
use serde_json::{Value, json};

use crate::client::{Person, Reply, Running, nobody};
use crate::issuer::{Issuer, Key};

const SECRET: &str = "a secret of the client";

/// A service, and a server at which people log in by it.
struct Login {
    issuer: Issuer,
    server: Running,
    data: tempfile::TempDir,
    /// The file with the secret, beside the server's own folder.
    _secret: tempfile::NamedTempFile,
}

impl Login {
    fn new(settings: &[&str]) -> Login {
        let data = tempfile::tempdir().expect("folder");
        let secret = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(secret.path(), format!("{SECRET}\n")).expect("written");
        let issuer = Issuer::start();
        let at = |path: &str| format!("{}{path}", issuer.address);
        issuer.says(
            "GET /.well-known/openid-configuration",
            &json!({
                "issuer": issuer.address,
                "authorization_endpoint": at("/authorize?tenant=1"),
                "token_endpoint": at("/token"),
                "jwks_uri": at("/keys"),
                "userinfo_endpoint": at("/userinfo"),
            }),
        );
        let (place, kept) = (
            format!("provider-issuer={}", issuer.address),
            format!("provider-secret={}", secret.path().display()),
        );
        let settings = [&[&*place, &*kept], settings].concat();
        let server = Running::limited(data.path(), &settings);
        Login { issuer, server, data, _secret: secret }
    }

    /// Begins a login as a browser does.
    fn begin(&self, next: &str) -> Begun {
        let sent = nobody().get(&self.server, &format!("/login/oidc?next={next}"));
        assert_eq!(sent.status, 303, "{}", sent.text());
        let place =
            url::Url::parse(&sent.header("location").expect("a place")).expect("an address");
        let cookie = sent.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("HttpOnly; SameSite=Lax; Path=/login/oidc"), "{cookie}");
        let cookie = cookie.split(';').next().expect("a value").to_owned();
        Begun {
            place: place.to_string(),
            asked: place.query_pairs().into_owned().collect(),
            cookie,
        }
    }

    /// What the service says of a person who logs in.
    fn claims(&self, begun: &Begun, subject: &str) -> Value {
        let now = jiff::Timestamp::now().as_second();
        json!({
            "iss": self.issuer.address, "aud": "fanmill", "sub": subject, "nonce": begun.asked["nonce"],
            "iat": now, "exp": now + 300, "name": "Mei Lin", "email": "mei@example.edu",
        })
    }

    /// The service gives this statement for a code, and sends the browser back.
    fn back(&self, begun: &Begun, token: &str) -> Reply {
        let answer = json!({ "access_token": "at", "token_type": "Bearer", "id_token": token });
        self.issuer.says("POST /token", &answer);
        self.returned(begun, &format!("code=abc&state={}", begun.asked["state"]))
    }

    fn returned(&self, begun: &Begun, query: &str) -> Reply {
        let person = Person { headers: vec![format!("Cookie: {}", begun.cookie)] };
        person.get(&self.server, &format!("/login/oidc/callback?{query}"))
    }

    /// Logs somebody in, from the beginning.
    fn enter(&self, next: &str, subject: &str) -> Reply {
        let begun = self.begin(next);
        self.back(&begun, &Issuer::signed(Key::Rsa, &self.claims(&begun, subject)))
    }
}

struct Begun {
    place: String,
    asked: HashMap<String, String>,
    cookie: String,
}

/// Who somebody is after a login that succeeded.
fn person(reply: &Reply) -> Person {
    assert_eq!(reply.status, 303, "{}", reply.text());
    let cookie = reply.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("fanmill_session="), "{cookie}");
    Person { headers: vec![format!("Cookie: {}", cookie.split(';').next().expect("a value"))] }
}

#[test]
fn the_first_start_an_invitation_and_a_newcomer() {
    let login = Login::new(&["provider-newcomers=teacher", "passwords=0"]);
    let asked = nobody().get(&login.server, "/api/v1/me").json();
    assert_eq!(asked["ways"], json!({ "password": false, "service": "Uni" }));
    assert_eq!(asked["needs_setup"], true);
    let first = login.enter(&format!("/setup/{}", login.server.setup), "anna");
    assert_eq!(first.header("location").expect("a place"), "/");
    let anna = person(&first);
    let shown = anna.get(&login.server, "/api/v1/me").json();
    assert_eq!(
        (&shown["user"]["role"], &shown["user"]["name"]),
        (&json!("administrator"), &json!("Mei Lin"))
    );

    let newcomer = person(&login.enter("/account", "bert"));
    let shown = newcomer.get(&login.server, "/api/v1/me").json()["user"].clone();
    assert_eq!(
        (&shown["role"], &shown["name"]),
        (&json!("teacher"), &json!("Mei Lin (mei@example.edu)"))
    );
    let again = person(&login.enter("/courses/7", "bert"));
    assert_eq!(again.get(&login.server, "/api/v1/me").json()["user"]["id"], shown["id"]);

    let csrf =
        anna.get(&login.server, "/api/v1/me").json()["csrf"].as_str().expect("one").to_owned();
    let mut writes = anna.clone();
    writes.headers.push(format!("X-CSRF-Token: {csrf}"));
    let invited = writes
        .post(&login.server, "/api/v1/users", &json!({ "name": "carl", "role": "reader" }))
        .json();
    let link =
        invited["link"].as_str().expect("a link").rsplit('/').next().expect("a secret").to_owned();
    let by_password = json!({ "secret": link, "password": "correct horse battery" });
    assert_eq!(nobody().post(&login.server, "/api/v1/setup", &by_password).status, 403);
    let carl = person(&login.enter(&format!("/setup/{link}"), "carl"));
    assert_eq!(carl.get(&login.server, "/api/v1/me").json()["user"]["name"], "carl");
    // The link is used up, and nobody has two accounts.
    assert_eq!(login.enter(&format!("/setup/{link}"), "dora").status, 401);
    let other = writes
        .post(&login.server, "/api/v1/users", &json!({ "name": "emil", "role": "reader" }))
        .json();
    let link =
        other["link"].as_str().expect("a link").rsplit('/').next().expect("a secret").to_owned();
    assert_eq!(login.enter(&format!("/setup/{link}"), "carl").status, 409);
    let listed = writes.get(&login.server, "/api/v1/users").json();
    let carl = listed
        .as_array()
        .expect("a list")
        .iter()
        .find(|user| user["name"] == "carl")
        .expect("carl");
    assert_eq!((&carl["mail"], &carl["is_set_up"]), (&json!("mei@example.edu"), &json!(true)));
}

#[test]
fn what_is_sent_and_what_is_exchanged() {
    let login = Login::new(&["provider-newcomers=reader"]);
    let begun = login.begin("/batches/7");
    assert!(
        begun.place.starts_with(&format!("{}/authorize?tenant=1&", login.issuer.address)),
        "{}",
        begun.place
    );
    for (name, value) in
        [("response_type", "code"), ("client_id", "fanmill"), ("code_challenge_method", "S256")]
    {
        assert_eq!(begun.asked[name], value);
    }
    let own = format!("http://{}/login/oidc/callback", login.server.host);
    assert_eq!(begun.asked["redirect_uri"], own);
    let reply = login.back(&begun, &Issuer::signed(Key::Ec, &login.claims(&begun, "mei")));
    assert_eq!(reply.header("location").expect("a place"), "/batches/7");
    let exchanged = login.issuer.asked("POST /token").pop().expect("asked");
    let form = exchanged.form();
    assert_eq!(
        (&*form["code"], &*form["redirect_uri"], &*form["grant_type"]),
        ("abc", &*own, "authorization_code")
    );
    let hashed =
        aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, form["code_verifier"].as_bytes());
    let challenge = base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(hashed);
    assert_eq!(begun.asked["code_challenge"], challenge);
    let basic = base64::prelude::BASE64_STANDARD.encode("fanmill:a+secret+of+the+client");
    assert_eq!(exchanged.headers["authorization"], format!("Basic {basic}"));
    assert!(!form.contains_key("client_secret"));
}

#[test]
fn a_name_that_only_the_other_page_says_is_used_if_it_is_of_the_same_person() {
    let login = Login::new(&["provider-newcomers=reader"]);
    for (subject, said, name) in [("a", "a", "Ada"), ("b", "somebody else", "somebody")] {
        login.issuer.says("GET /userinfo", &json!({ "sub": said, "name": "Ada" }));
        let begun = login.begin("/");
        let mut claims = login.claims(&begun, subject);
        for claim in ["name", "email"] {
            claims.as_object_mut().expect("an object").remove(claim);
        }
        let entered = person(&login.back(&begun, &Issuer::signed(Key::Rsa, &claims)));
        assert_eq!(entered.get(&login.server, "/api/v1/me").json()["user"]["name"], name);
    }
    assert_eq!(login.issuer.asked("GET /userinfo")[0].headers["authorization"], "Bearer at");
}

#[test]
fn statements_that_are_not_for_this_login_are_refused() {
    let login = Login::new(&["provider-newcomers=teacher"]);
    let now = jiff::Timestamp::now().as_second();
    let changes = [
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("iss", json!("https://login.example.org")),
        ("aud", json!("another client")),
        ("aud", json!(["fanmill", "another client"])),
        ("azp", json!("another client")),
        ("exp", json!(now - 120)),
        ("exp", Value::Null),
        ("nbf", json!(now + 600)),
        ("sub", json!("")),
    ];
    for (claim, value) in changes {
        let begun = login.begin("/");
        let mut claims = login.claims(&begun, "mei");
        claims[claim] = value.clone();
        let reply = login.back(&begun, &Issuer::signed(Key::Rsa, &claims));
        refused(&reply, &format!("{claim} {value}"));
    }
    for token in FORGED {
        let begun = login.begin("/");
        refused(&login.back(&begun, &token(&login, &begun)), "forged");
    }
    assert_eq!(people(&login), 0);
}

type Forgery = fn(&Login, &Begun) -> String;

/// Tokens that no key of the service has signed.
const FORGED: [Forgery; 4] = [
    // Without a signature.
    |login, begun| {
        let token = Issuer::signed(Key::Rsa, &login.claims(begun, "mei"));
        let claims = token.split('.').nth(1).expect("claims");
        format!("{}.{claims}.", encoded(&json!({ "alg": "none" })))
    },
    // The public key as a shared secret.
    |login, begun| {
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
        header.kid = Some("Rsa".to_owned());
        let key = jsonwebtoken::EncodingKey::from_secret(b"whatever is published");
        jsonwebtoken::encode(&header, &login.claims(begun, "mei"), &key).expect("signed")
    },
    // Other claims under a genuine signature.
    |login, begun| {
        let token = Issuer::signed(Key::Rsa, &login.claims(begun, "mei"));
        let parts: Vec<&str> = token.split('.').collect();
        format!("{}.{}.{}", parts[0], encoded(&login.claims(begun, "anna")), parts[2])
    },
    // A key that the service does not publish.
    |login, begun| {
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::RS256);
        header.kid = Some("another".to_owned());
        let rsa = include_bytes!("../../testdata/rsa.der");
        let key = jsonwebtoken::EncodingKey::from_rsa_der(rsa);
        jsonwebtoken::encode(&header, &login.claims(begun, "mei"), &key).expect("signed")
    },
];

fn encoded(value: &Value) -> String {
    base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(value.to_string())
}

fn refused(reply: &Reply, what: &str) {
    assert!((400..=403).contains(&reply.status) || reply.status == 502, "{what}: {}", reply.status);
    assert!(reply.text().contains("You are not logged in"), "{what}");
    assert!(!reply.head.contains("fanmill_session"), "{what}");
}

/// How many accounts there are.
fn people(login: &Login) -> i64 {
    let database = rusqlite::Connection::open(login.data.path().join("fanmill.db")).expect("opens");
    database.query_row("SELECT count(*) FROM users", [], |row| row.get(0)).expect("a row")
}

#[test]
fn only_the_browser_that_began_comes_back_and_only_to_a_page_of_ours() {
    let login = Login::new(&["provider-newcomers=teacher"]);
    let begun = login.begin("/");
    let token = Issuer::signed(Key::Rsa, &login.claims(&begun, "mei"));
    let other =
        Begun { cookie: login.begin("/").cookie, place: String::new(), asked: begun.asked.clone() };
    refused(&login.back(&other, &token), "another browser's cookie");
    let none = Begun { cookie: "x=y".to_owned(), place: String::new(), asked: begun.asked.clone() };
    refused(&login.back(&none, &token), "no cookie");
    refused(&login.returned(&begun, "code=abc&state=guess"), "a guessed state");
    refused(&login.returned(&begun, "code=abc"), "no state");
    let state = &begun.asked["state"];
    let denied = login.returned(&begun, &format!("state={state}&error=access_denied%3Cb%3E"));
    refused(&denied, "denied");
    assert!(denied.text().contains("access_deniedb"), "{}", denied.text());
    refused(
        &login.returned(&begun, &format!("state={state}&code=abc&iss=https://evil.example")),
        "mixed up",
    );
    assert_eq!(people(&login), 0);
    for next in [
        "//evil.example",
        "https://evil.example/",
        "/%5Cevil.example",
        "/x%0d%0aSet-Cookie:%20a=b",
        "/a?b",
        "evil",
    ] {
        let reply = login.enter(next, "mei");
        person(&reply);
        assert_eq!(reply.header("location").expect("a place"), "/", "{next}");
    }
}

#[test]
fn without_an_invitation_nobody_comes_in_where_newcomers_are_none() {
    let login = Login::new(&[]);
    let anna = Person::set_up(&login.server, &login.server.setup, "anna");
    let reply = login.enter("/", "mei");
    refused(&reply, "a stranger");
    assert!(reply.text().contains("ask the administrator"), "{}", reply.text());
    assert_eq!(people(&login), 1);
    // Both ways lead to one account.
    let link = anna
        .post(&login.server, "/api/v1/users", &json!({ "name": "mei", "role": "teacher" }))
        .json();
    let link =
        link["link"].as_str().expect("a link").rsplit('/').next().expect("a secret").to_owned();
    let mei = person(&login.enter(&format!("/setup/{link}"), "mei"));
    let users = anna.get(&login.server, "/api/v1/users").json();
    let id = users
        .as_array()
        .expect("a list")
        .iter()
        .find(|user| user["name"] == "mei")
        .expect("mei")["id"]
        .clone();
    let id = id.as_str().expect("an id");
    let reset = anna.post(&login.server, &format!("/api/v1/users/{id}/reset"), &json!({})).json();
    let link =
        reset["link"].as_str().expect("a link").rsplit('/').next().expect("a secret").to_owned();
    let by_password = Person::set_up(&login.server, &link, "mei");
    let own = |who: &Person| who.get(&login.server, "/api/v1/me").json()["user"]["id"].clone();
    assert_eq!(own(&by_password), *id);
    assert_eq!(own(&person(&login.enter("/", "mei"))), *id);
    // Whoever is removed does not come back by the other service.
    assert_eq!(
        anna.send(&login.server, "DELETE", &format!("/api/v1/users/{id}"), &json!({})).status,
        204
    );
    assert_eq!(mei.get(&login.server, "/api/v1/courses").status, 401);
    refused(&login.enter("/", "mei"), "removed");
}

#[test]
fn a_service_that_fails_or_lies_is_named() {
    let login = Login::new(&["provider-newcomers=teacher"]);
    let place = "GET /.well-known/openid-configuration";
    login.issuer.says(place, &json!({ "issuer": login.issuer.address }));
    let lacking = nobody().get(&login.server, "/login/oidc");
    assert_eq!(lacking.status, 502);
    assert!(lacking.text().contains("lacks something"), "{}", lacking.text());
    let login = Login::new(&["provider-newcomers=teacher"]);
    let at = |path: &str| format!("{}{path}", login.issuer.address);
    let mut document = json!({ "issuer": "https://evil.example", "authorization_endpoint": at("/a"),
        "token_endpoint": at("/token"), "jwks_uri": at("/keys") });
    login.issuer.says(place, &document);
    assert!(nobody().get(&login.server, "/login/oidc").text().contains("calls itself"));
    let login = Login::new(&["provider-newcomers=teacher"]);
    document["issuer"] = json!(login.issuer.address);
    document["authorization_endpoint"] = json!("http://login.example.edu/authorize");
    login.issuer.says(place, &document);
    assert!(nobody().get(&login.server, "/login/oidc").text().contains("not reached by TLS"));
    let login = Login::new(&["provider-newcomers=teacher"]);
    let begun = login.begin("/");
    login.issuer.gives("POST /token", 400, br#"{"error":"invalid_grant"}"#.to_vec());
    let reply = login.returned(&begun, &format!("code=abc&state={}", begun.asked["state"]));
    refused(&reply, "a used code");
    assert!(reply.text().contains("400: invalid_grant"), "{}", reply.text());
    login.issuer.gives("POST /token", 200, vec![b'x'; 2 << 20]);
    refused(
        &login.returned(&begun, &format!("code=abc&state={}", begun.asked["state"])),
        "too much",
    );
    // It logs no secrets.
    let log = login.server.log();
    assert!(
        log.contains("\"refused\"")
            && !log.contains(SECRET)
            && !log.contains(&begun.asked["state"])
    );
}

#[test]
fn logins_that_fail_are_limited() {
    let login = Login::new(&["provider-newcomers=teacher"]);
    person(&login.enter("/", "mei"));
    for n in 0..51 {
        let begun = login.begin("/");
        let reply = login.returned(&begun, "code=abc&state=guess");
        assert_eq!(reply.status, if n < 50 { 400 } else { 429 }, "{n}");
    }
}
