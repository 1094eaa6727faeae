//! A learning platform of our own, as the standards describe one: launches, notices, files and reports, and what is refused.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::client::{Person, Reply, Running, assignment, changed_by, nobody};
use crate::issuer::{Issuer, Key};
use crate::traces::{assert_nowhere, traces};

const LTI: &str = "https://purl.imsglobal.org/spec/lti/claim/";
const INSTRUCTOR: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor";
const LEARNER: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

/// A platform, and a server that it is registered at.
struct Campus {
    platform: Issuer,
    server: Running,
    data: tempfile::TempDir,
}

/// A launch that a browser has begun.
struct Begun {
    asked: HashMap<String, String>,
    cookie: String,
}

impl Campus {
    fn new(limits: &[&str]) -> Campus {
        let data = tempfile::tempdir().expect("folder");
        // Making a key takes seconds.
        let key = include_bytes!("../../testdata/lti-key.p8");
        std::fs::write(data.path().join("lti-key.p8"), key).expect("written");
        let platform = Issuer::start();
        let server = Running::limited(data.path(), &[&["quiet-seconds=0"], limits].concat());
        let campus = Campus { platform, server, data };
        fanmill_server::add_platform(campus.data.path(), &campus.registration()).expect("added");
        let access = json!({ "access_token": "at", "token_type": "Bearer", "expires_in": 3600 });
        campus.platform.says("POST /token", &access);
        campus.platform.says("PUT /handlers", &json!({}));
        campus.platform.gives("POST /reports", 201, b"{}".to_vec());
        campus
    }

    fn registration(&self) -> fanmill_server::Platform {
        fanmill_server::Platform {
            name: "Campus".to_owned(),
            issuer: self.platform.address.clone(),
            client_id: "tool-7".to_owned(),
            login_url: self.at("/authorize"),
            token_url: self.at("/token"),
            keys_url: self.at("/keys"),
            deployments: vec!["d1".to_owned()],
        }
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.platform.address)
    }

    fn begin(&self) -> Begun {
        let issuer: String =
            url::form_urlencoded::byte_serialize(self.platform.address.as_bytes()).collect();
        let path =
            format!("/lti/login?iss={issuer}&login_hint=7&client_id=tool-7&lti_message_hint=a%26b");
        let sent = nobody().get(&self.server, &path);
        assert_eq!(sent.status, 303, "{}", sent.text());
        let place =
            url::Url::parse(&sent.header("location").expect("a place")).expect("an address");
        assert!(place.as_str().starts_with(&self.at("/authorize?")), "{place}");
        let cookie = sent.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("HttpOnly; Secure; SameSite=None; Partitioned"), "{cookie}");
        Begun {
            asked: place.query_pairs().into_owned().collect(),
            cookie: cookie.split(';').next().expect("a value").to_owned(),
        }
    }

    /// What the platform says of a teacher who launches, with a message of its own.
    fn claims(&self, begun: &Begun, kind: &str) -> Value {
        let mut claims = self.stated();
        claims["sub"] = "teacher-1".into();
        claims["nonce"] = begun.asked["nonce"].as_str().into();
        claims["name"] = "Mei Lin".into();
        claims[format!("{LTI}message_type")] = kind.into();
        claims[format!("{LTI}roles")] = json!([INSTRUCTOR]);
        claims["https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"] =
            json!({ "context_memberships_url": self.at("/names") });
        claims
    }

    /// What every statement has.
    fn stated(&self) -> Value {
        let now = jiff::Timestamp::now().as_second();
        json!({
            "iss": self.platform.address, "aud": "tool-7", "iat": now, "exp": now + 300,
            format!("{LTI}version"): "1.3.0",
            format!("{LTI}deployment_id"): "d1",
            format!("{LTI}context"): { "id": "c1", "title": "Programming 1" },
            format!("{LTI}activity"): { "id": "a1", "title": "Inventory" },
        })
    }

    /// The browser comes back with a statement.
    fn launch(&self, begun: &Begun, token: &str, headers: &[&str]) -> Reply {
        let form: String = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("state", &*begun.asked["state"]), ("id_token", token)])
            .finish();
        let cookie = format!("Cookie: {}", begun.cookie);
        let all = [&[FORM, &cookie, "Origin: https://campus.example.edu"], headers].concat();
        let all: Vec<String> = all.into_iter().map(str::to_owned).collect();
        self.server.send("POST", "/lti/launch", &all, form.as_bytes())
    }

    /// A notice that somebody has handed in these files: id, name, content, and the checksum that is said.
    fn notice(&self, person: &str, at: &str, files: &[(String, String, &[u8], String)]) -> Value {
        let assets: Vec<Value> = files
            .iter()
            .map(|(id, name, content, checksum)| {
                self.platform.gives(&format!("GET /assets/{id}"), 200, content.to_vec());
                json!({
                    "asset_id": id, "url": self.at(&format!("/assets/{id}")), "filename": name,
                    "content_type": "text/plain", "sha256_checksum": checksum,
                })
            })
            .collect();
        let mut notice = self.stated();
        let said = [
            (
                "notice",
                json!({ "id": "n", "timestamp": at, "type": "LtiAssetProcessorSubmissionNotice" }),
            ),
            ("submission", json!({ "id": format!("{person} {at}") })),
            ("for_user", json!({ "user_id": person })),
            ("assetservice", json!({ "scope": [], "assets": assets })),
            ("assetreport", json!({ "scope": [], "report_url": self.at("/reports") })),
        ];
        for (name, value) in said {
            notice[format!("{LTI}{name}")] = value;
        }
        notice
    }

    fn tell(&self, notices: &[String]) -> u16 {
        let sealed: Vec<Value> = notices.iter().map(|jwt| json!({ "jwt": jwt })).collect();
        nobody().post(&self.server, "/lti/notices", &json!({ "notices": sealed })).status
    }

    fn hands_in(&self, person: &str, at: &str, files: &[(String, String, &[u8], String)]) {
        let jwt = Issuer::signed(Key::Rsa, &self.notice(person, at, files));
        assert_eq!(self.tell(&[jwt]), 202, "{person}");
    }

    /// The last report of each asset among those that came after the first `skipped`, once there are `n` assets.
    fn reports(&self, skipped: usize, n: usize) -> HashMap<String, Value> {
        let begun = Instant::now();
        loop {
            // What failed is tried again some seconds later.
            self.database().execute("UPDATE assets SET again = 0", []).expect("now");
            let sent = self.platform.asked("POST /reports");
            let bodies = sent.iter().skip(skipped);
            let bodies =
                bodies.map(|one| serde_json::from_slice::<Value>(&one.body).expect("JSON"));
            let reports: HashMap<String, Value> = bodies
                .map(|one| (one["assetId"].as_str().expect("an id").to_owned(), one))
                .collect();
            if reports.len() >= n {
                return reports;
            }
            let known = reports.keys();
            assert!(begun.elapsed() < Duration::from_mins(20), "{known:?}\n{}", self.server.log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn database(&self) -> Connection {
        let database = Connection::open(self.data.path().join("fanmill.db")).expect("opens");
        database.busy_timeout(Duration::from_secs(10)).expect("set");
        database
    }

    fn count(&self, of: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {of}");
        self.database().query_row(&sql, [], |row| row.get(0)).expect("a row")
    }

    /// Waits until there are so many rows.
    fn counts(&self, of: &str, n: i64) {
        let begun = Instant::now();
        while self.count(of) != n {
            assert!(begun.elapsed() < Duration::from_mins(20), "{of}\n{}", self.server.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What this server has signed.
    fn opened(&self, token: &str, audience: &str) -> Value {
        let keys: JwkSet =
            serde_json::from_value(nobody().get(&self.server, "/lti/keys.json").json())
                .expect("keys");
        let key = DecodingKey::from_jwk(&keys.keys[0]).expect("a key");
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[audience]);
        jsonwebtoken::decode(token, &key, &rules).expect("genuine").claims
    }
}

fn file<'a>(id: &str, name: &str, content: &'a [u8]) -> (String, String, &'a [u8], String) {
    let checksum = BASE64_STANDARD.encode(digest(&SHA256, content));
    (id.to_owned(), name.to_owned(), content, checksum)
}

/// The submissions of the example: who, file name, content.
fn submissions() -> Vec<(String, String, Vec<u8>)> {
    let files = assignment().into_iter().filter(|(field, ..)| *field == "submissions");
    let parts = |name: &str| {
        let parts: Vec<&str> = name.split('/').collect();
        (parts[1].to_owned(), parts[2..].join("_"))
    };
    files.map(|(_, name, content)| (parts(&name).0, parts(&name).1, content)).collect()
}

fn refused(reply: &Reply, what: &str) {
    assert!((400..=403).contains(&reply.status), "{what}: {} {}", reply.status, reply.text());
    assert!(!reply.head.contains("fanmill_session"), "{what}");
}

#[test]
fn an_assignment_of_a_platform_is_compared_and_reported() {
    let campus = Campus::new(&[]);
    let people = submissions();
    let answer = added(&campus);
    handed_in(&campus, &people);
    let (mei, place) = opened(&campus);
    replaced(&campus, &people, &mei, &place);
    // One student's data goes like that of an upload.
    let writes = writer(&campus, &mei);
    let erased = writes.post(&campus.server, "/api/v1/people/erase", &json!({ "name": "hana" }));
    assert_eq!(
        changed_by(&erased),
        json!({ "deleted": 0, "compared_again": 1, "not_searched": [] })
    );
    mei.wait(&campus.server, place.split('/').nth(2).expect("an id"));
    assert!(!mei.get(&campus.server, &format!("{place}report.json")).text().contains("hana"));
    assert_eq!(campus.count("assets WHERE folder = 'hana'"), 0);
    // No token, no name and no file is in the log.
    let log = campus.server.log();
    for secret in ["Bearer", "hana", "new.py", "\"at\"", &*answer] {
        assert!(!log.contains(secret), "{secret}");
    }
    // Without the platform nobody comes from it, and what was compared stays.
    fanmill_server::remove_platform(campus.data.path(), "Campus").expect("removed");
    assert!(fanmill_server::platforms(campus.data.path()).expect("read").is_empty());
    assert_eq!(
        (campus.count("batches"), campus.count("identities"), campus.count("assets")),
        (1, 0, 0)
    );
}

/// Somebody who is logged in, and may change something.
fn writer(campus: &Campus, person: &Person) -> Person {
    let csrf = person.get(&campus.server, "/api/v1/me").json()["csrf"].clone();
    let mut writes = person.clone();
    writes.headers.push(format!("X-CSRF-Token: {}", csrf.as_str().expect("a token")));
    writes
}

/// A teacher adds Fanmill to an assignment. What the platform is answered.
fn added(campus: &Campus) -> String {
    let begun = campus.begin();
    assert_eq!(begun.asked["redirect_uri"], format!("http://{}/lti/launch", campus.server.host));
    assert_eq!((&*begun.asked["lti_message_hint"], &*begun.asked["prompt"]), ("a&b", "none"));
    let mut claims = campus.claims(&begun, "LtiDeepLinkingRequest");
    claims["https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"] = json!({
        "deep_link_return_url": campus.at("/return"), "accept_types": ["ltiAssetProcessor"], "data": "opaque",
    });
    claims[format!("{LTI}platformnotificationservice")] = json!({
        "platform_notification_service_url": campus.at("/handlers"),
        "notice_types_supported": ["LtiAssetProcessorSubmissionNotice"],
    });
    let page = campus.launch(&begun, &Issuer::signed(Key::Rsa, &claims), &[]);
    assert_eq!(page.status, 200, "{}", page.text());
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains(&campus.platform.address) && policy.contains("frame-ancestors https:"),
        "{policy}"
    );
    let text = page.text();
    let jwt =
        text.split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a value");
    let answer = campus.opened(jwt, &campus.platform.address);
    assert_eq!(answer["https://purl.imsglobal.org/spec/lti-dl/claim/data"], "opaque");
    let item = &answer["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"][0];
    assert_eq!(item["type"], "ltiAssetProcessor");
    let handler = campus.platform.asked("PUT /handlers").pop().expect("subscribed");
    assert_eq!(handler.headers["authorization"], "Bearer at");
    let handler: Value = serde_json::from_slice(&handler.body).expect("JSON");
    assert_eq!(handler["handler"], format!("http://{}/lti/notices", campus.server.host));
    let token = campus.platform.asked("POST /token").pop().expect("asked").form();
    let statement = campus.opened(&token["client_assertion"], &campus.at("/token"));
    assert_eq!((&statement["iss"], &statement["sub"]), (&json!("tool-7"), &json!("tool-7")));
    jwt.to_owned()
}

/// Students hand in, and the platform says who is called what.
fn handed_in(campus: &Campus, people: &[(String, String, Vec<u8>)]) {
    let names: Vec<Value> = people
        .iter()
        .map(|(who, ..)| json!({ "user_id": format!("id-{who}"), "name": who }))
        .collect();
    campus.platform.says("GET /names", &json!({ "members": names }));
    teacher(campus, "LtiResourceLinkRequest");
    let notices: Vec<String> = people
        .iter()
        .enumerate()
        .map(|(n, (who, name, content))| {
            let (id, at) = (format!("asset-{n}"), "2026-11-01T10:00:00Z");
            let files = [file(&id, name, content)];
            Issuer::signed(Key::Rsa, &campus.notice(&format!("id-{who}"), at, &files))
        })
        .collect();
    assert_eq!(campus.tell(&notices), 202);
    let reports = campus.reports(0, people.len());
    let of = |who: &str| {
        let n = people.iter().rposition(|(known, ..)| known == who).expect("known");
        reports[&format!("asset-{n}")].clone()
    };
    assert_eq!(
        (&of("hana")["processingProgress"], &of("hana")["type"]),
        (&json!("Processed"), &json!("shared-passages"))
    );
    assert!(
        of("hana")["result"]
            .as_str()
            .is_some_and(|result| result.contains("pair") && result.len() <= 16),
        "{}",
        of("hana")
    );
    assert_ne!(of("ivo")["result"], "no pair");
}

/// A teacher opens the report: who that is, and where it is.
fn opened(campus: &Campus) -> (Person, String) {
    let (mei, place) = teacher(campus, "LtiReportReviewRequest");
    assert!(place.starts_with("/batches/") && place.ends_with("/report/"), "{place}");
    let report = mei.get(&campus.server, &format!("{place}report.json")).json();
    let first = &report["pairs"][0];
    let name = |side: &str| {
        report["submissions"][first[side].as_u64().expect("an index") as usize]["name"].clone()
    };
    let mut pair = [name("a"), name("b")].map(|name| name.as_str().expect("a name").to_owned());
    pair.sort();
    assert_eq!(pair, ["hana", "ivo"]);
    assert_eq!(
        (campus.count("batches"), campus.count("courses"), campus.count("users")),
        (1, 1, 1)
    );
    (mei, place)
}

/// A later submission takes the place of an earlier one, and an earlier notice changes nothing.
fn replaced(campus: &Campus, people: &[(String, String, Vec<u8>)], mei: &Person, place: &str) {
    let other = b"print('all of it is mine')\n";
    let n = campus.platform.asked("POST /reports").len();
    campus.hands_in("id-hana", "2026-11-02T10:00:00Z", &[file("again", "new.py", other)]);
    campus.hands_in("id-hana", "2026-10-31T10:00:00Z", &[file("late", "old.py", other)]);
    let kept = people.iter().filter(|(who, ..)| who != "hana").count() + 1;
    let reports = campus.reports(n, kept);
    assert_eq!(reports["again"]["result"], "no pair", "{reports:?}");
    assert!(!reports.contains_key("late"));
    let batch = place.split('/').nth(2).expect("an id");
    mei.wait(&campus.server, batch);
    let report = mei.get(&campus.server, &format!("{place}report.json")).text();
    assert!(report.contains("new.py") && !report.contains("old.py"));
}

/// A teacher launches in a window of its own: who that is, and where the launch leads.
fn teacher(campus: &Campus, kind: &str) -> (Person, String) {
    let begun = campus.begin();
    let token = Issuer::signed(Key::Rsa, &campus.claims(&begun, kind));
    let reply = campus.launch(&begun, &token, &["Sec-Fetch-Dest: document"]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    (session(&reply), reply.header("location").expect("a place"))
}

fn session(reply: &Reply) -> Person {
    let cookie = reply.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("fanmill_session="), "{cookie}");
    Person { headers: vec![format!("Cookie: {}", cookie.split(';').next().expect("a value"))] }
}

#[test]
fn launches_that_are_not_genuine_are_refused() {
    let campus = Campus::new(&[]);
    let now = jiff::Timestamp::now().as_second();
    let deployment = format!("{LTI}deployment_id");
    let (roles, version) = (format!("{LTI}roles"), format!("{LTI}version"));
    for (claim, value) in [
        ("aud", json!("another tool")),
        ("aud", json!(["tool-7", "another tool"])),
        ("iss", json!("https://campus.example.org")),
        ("nonce", json!("another")),
        ("exp", json!(now - 120)),
        ("exp", Value::Null),
        ("sub", json!("")),
        (&deployment, json!("d2")),
        (&version, json!("1.1")),
        (&roles, json!([LEARNER])),
        (&roles, json!([])),
    ] {
        let begun = campus.begin();
        let mut claims = campus.claims(&begun, "LtiResourceLinkRequest");
        claims[claim] = value.clone();
        let reply = campus.launch(&begun, &Issuer::signed(Key::Rsa, &claims), &[]);
        refused(&reply, &format!("{claim} {value}"));
    }
    // A key that the platform does not publish.
    let begun = campus.begin();
    let claims = campus.claims(&begun, "LtiResourceLinkRequest");
    refused(&campus.launch(&begun, &by_another_key(&claims), &[]), "another key");
    // Another browser's cookie, and none.
    let token = Issuer::signed(Key::Rsa, &claims);
    let other = Begun { cookie: campus.begin().cookie, asked: begun.asked.clone() };
    refused(&campus.launch(&other, &token, &[]), "another cookie");
    let none = Begun { cookie: "x=y".to_owned(), asked: begun.asked.clone() };
    refused(&campus.launch(&none, &token, &[]), "no cookie");
    assert_eq!((campus.count("users"), campus.count("courses")), (0, 0));
    // Once, and not again; from a frame, to a window of its own.
    let page = campus.launch(&begun, &token, &["Sec-Fetch-Dest: iframe"]);
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(!page.head.contains("fanmill_session"));
    refused(&campus.launch(&begun, &token, &[]), "replayed");
    let text = page.text();
    let path =
        text.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a link");
    let entered = nobody().get(&campus.server, path);
    assert_eq!(entered.status, 303, "{}", entered.text());
    let mei = session(&entered);
    assert_eq!(mei.get(&campus.server, "/api/v1/me").json()["user"]["name"], "Mei Lin");
    let courses = mei.get(&campus.server, "/api/v1/courses").json();
    assert_eq!(
        (&courses[0]["name"], &courses[0]["role"]),
        (&json!("Programming 1"), &json!("owner"))
    );
    assert_eq!(nobody().get(&campus.server, path).status, 404, "works once");
    // A platform that nobody has registered.
    let stranger = nobody().get(&campus.server, "/lti/login?iss=https://evil.example&login_hint=1");
    assert_eq!(stranger.status, 403);
    assert!(stranger.header("location").is_none());
}

/// A token under the name of a key that is published, by another key.
fn by_another_key(claims: &Value) -> String {
    let mut header = jsonwebtoken::Header::new(Algorithm::RS256);
    header.kid = Some("Rsa".to_owned());
    let pair = aws_lc_rs::rsa::KeyPair::from_pkcs8(include_bytes!("../../testdata/lti-key.p8"))
        .expect("a key");
    let encoded = |bytes: &[u8]| base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let said = format!(
        "{}.{}",
        encoded(&serde_json::to_vec(&header).expect("JSON")),
        encoded(claims.to_string().as_bytes())
    );
    let mut signature = vec![0; pair.public_modulus_len()];
    let random = aws_lc_rs::rand::SystemRandom::new();
    pair.sign(&aws_lc_rs::signature::RSA_PKCS1_SHA256, &random, said.as_bytes(), &mut signature)
        .expect("signed");
    format!("{said}.{}", encoded(&signature))
}

#[test]
fn notices_and_files_that_are_not_as_they_should_be() {
    let campus = Campus::new(&["file-bytes=1000"]);
    let now = jiff::Timestamp::now().as_second();
    let at = "2026-11-01T10:00:00Z";
    let notice = || campus.notice("id-hana", at, &[file("x", "a.py", b"print(1)\n")]);
    for (claim, value) in [
        ("aud", json!("another tool")),
        ("iss", json!("https://campus.example.org")),
        ("exp", json!(now - 120)),
        (&format!("{LTI}deployment_id"), json!("d2")),
        (&format!("{LTI}activity"), Value::Null),
        (
            &format!("{LTI}assetservice"),
            json!({ "assets": [{ "asset_id": "x", "url": "file:///etc/passwd" }] }),
        ),
        (
            &format!("{LTI}assetreport"),
            json!({ "report_url": "http://campus.example.edu/reports" }),
        ),
    ] {
        let mut changed = notice();
        changed[claim] = value.clone();
        let status = campus.tell(&[Issuer::signed(Key::Rsa, &changed)]);
        assert!((400..=403).contains(&status), "{claim} {value}: {status}");
    }
    assert_eq!(campus.tell(&[by_another_key(&notice())]), 401);
    assert_eq!(campus.tell(&["no.token".to_owned()]), 401);
    let many = vec!["x".to_owned(); 101];
    assert_eq!(campus.tell(&many), 400);
    assert_eq!((campus.count("assets"), campus.count("batches")), (0, 0));

    // Files: one that is fetched, one that is too large, one that is another than was said, and one that is not there.
    let (large, mut other, mut gone) = (
        vec![b'x'; 1001],
        file("other", "b.py", b"print(2)\n"),
        file("gone", "c.py", b"print(3)\n"),
    );
    other.3 = BASE64_STANDARD.encode(digest(&SHA256, b"something else"));
    gone.1 = "../../c.py".to_owned();
    campus.hands_in(
        "id-hana",
        at,
        &[file("good", "a.py", b"print(1)\n"), file("large", "d.py", &large), other],
    );
    let jwt = Issuer::signed(Key::Rsa, &campus.notice("id-ivo", at, &[gone]));
    campus.platform.gives("GET /assets/gone", 404, Vec::new());
    assert_eq!(campus.tell(&[jwt, "no.token".to_owned()]), 202, "one of two is heard");
    let reports = campus.reports(0, 4);
    for (asset, progress, code) in [
        ("good", "Processed", Value::Null),
        ("large", "Failed", json!("ASSET_TOO_LARGE")),
        ("other", "Failed", json!("DOWNLOAD_FAILED")),
        ("gone", "Failed", json!("DOWNLOAD_FAILED")),
    ] {
        assert_eq!(
            (&reports[asset]["processingProgress"], &reports[asset]["errorCode"]),
            (&json!(progress), &code),
            "{asset}"
        );
    }
    assert_eq!(campus.platform.asked("GET /assets/other").len(), 3, "tried three times");
    // Without a name from the platform, an id stands for the person.
    let (mei, place) = teacher(&campus, "LtiReportReviewRequest");
    assert!(mei.get(&campus.server, &format!("{place}report.json")).text().contains("id-hana"));
}

#[test]
fn files_that_are_not_packed_yet_are_erased_with_a_person() {
    // Nothing is packed before the test says so.
    let campus = Campus::new(&["quiet-seconds=600"]);
    let members = json!([{ "user_id": "id-7", "name": "Hana Zugvogel" }, { "user_id": "id-8", "name": "Ivo Wu" }]);
    campus.platform.says("GET /names", &json!({ "members": members }));
    let (mei, _) = teacher(&campus, "LtiResourceLinkRequest");
    let at = "2026-11-01T10:00:00Z";
    let (own, other) = (b"zugvogel = 1\n", b"standvogel = 1\n");
    campus.hands_in("id-7", at, &[file("a-7", "kiebitz.py", own), file("b-7", "b.py", own)]);
    campus.hands_in("id-8", at, &[file("a-8", "c.py", other)]);
    // Of a third, the file does not come.
    let late = Issuer::signed(Key::Rsa, &campus.notice("id-9", at, &[file("a-9", "d.py", own)]));
    campus.platform.gives("GET /assets/a-9", 503, Vec::new());
    assert_eq!(campus.tell(&[late]), 202);
    campus.counts("assets WHERE state = 'fetched'", 3);
    let found = traces(campus.data.path(), &[b"zugvogel = 1"]);
    assert_eq!(found.len(), 2, "{found:?}");
    let (n_bytes, batch) = ("SELECT bytes FROM batches", "SELECT id FROM batches");
    let bytes = || -> usize {
        let row = campus.database().query_row(n_bytes, [], |row| row.get::<_, u32>(0));
        row.expect("a row") as usize
    };
    assert_eq!(bytes(), 2 * own.len() + other.len());

    let writes = writer(&campus, &mei);
    let erase =
        |name: &str| writes.post(&campus.server, "/api/v1/people/erase", &json!({ "name": name }));
    assert_eq!(erase("Nobody").status, 404);
    let erased = erase("Hana Zugvogel");
    assert_eq!(
        (erased.status, changed_by(&erased)),
        (202, json!({ "deleted": 0, "compared_again": 0, "not_searched": [] }))
    );
    mei.settle(&campus.server);
    assert_nowhere(campus.data.path(), &[b"zugvogel", b"kiebitz", b"id-7"]);
    assert_eq!(bytes(), other.len());
    assert_eq!(erase("Hana Zugvogel").status, 404);
    // By the platform's id, too, and what is still to be fetched.
    assert_eq!(erase("id-9").status, 202);
    mei.settle(&campus.server);
    assert_nowhere(campus.data.path(), &[b"id-9"]);
    assert_eq!(campus.count("audit WHERE what = 'person erased' AND id = '1 batches'"), 2);
    // What others have handed in is compared as ever.
    campus.database().execute("UPDATE activities SET due = 0", []).expect("due");
    let reports = campus.reports(0, 1);
    assert_eq!(reports.keys().collect::<Vec<_>>(), ["a-8"]);
    let batch: String = campus.database().query_row(batch, [], |row| row.get(0)).expect("a row");
    let report = format!("/batches/{batch}/report/report.json");
    assert!(mei.get(&campus.server, &report).text().contains("Ivo Wu"));
    // A batch in whose archive is only the erased person stays, as somebody's file waits for it.
    campus.hands_in("id-7", "2026-11-03T10:00:00Z", &[file("c-7", "e.py", own)]);
    campus.counts("assets WHERE state = 'fetched'", 1);
    assert_eq!(
        changed_by(&erase("Ivo Wu")),
        json!({ "deleted": 0, "compared_again": 1, "not_searched": [] })
    );
    mei.wait(&campus.server, &batch);
    mei.settle(&campus.server);
    assert_nowhere(campus.data.path(), &[b"standvogel", b"Ivo Wu"]);
    assert!(!traces(campus.data.path(), &[b"zugvogel = 1"]).is_empty());
}

#[test]
fn platforms_are_registered_by_an_administrator() {
    let campus = Campus::new(&[]);
    let anna = Person::set_up(&campus.server, &campus.server.setup, "anna");
    let path = "/api/v1/platforms";
    let listed = anna.get(&campus.server, path).json();
    assert_eq!(listed["tool"]["login_url"], format!("http://{}/lti/login", campus.server.host));
    assert_eq!(listed["platforms"][0]["client_id"], "tool-7");
    let mut given = listed["platforms"][0].clone();
    let id = given.as_object_mut().expect("an object").remove("id").expect("an id");
    given["deployments"] = json!(["d1", "d2"]);
    let changed = anna.post(&campus.server, path, &given);
    assert_eq!((changed.status, &changed.json()["id"]), (201, &id));
    for (field, value) in [
        ("token_url", json!("http://campus.example.edu/token")),
        ("login_url", json!("javascript:alert(1)")),
        ("deployments", json!([])),
        ("name", json!(" ")),
        ("unknown", json!(1)),
    ] {
        let mut wrong = given.clone();
        wrong[field] = value;
        let status = anna.post(&campus.server, path, &wrong).status;
        assert!(status == 400 || status == 422, "{field}: {status}");
    }
    given["client_id"] = json!("tool-8");
    assert_eq!(anna.post(&campus.server, path, &given).status, 409, "the name is another's");
    let one = format!("{path}/{}", id.as_str().expect("an id"));
    assert_eq!(anna.send(&campus.server, "DELETE", &one, &json!({})).status, 204);
    assert_eq!(anna.send(&campus.server, "DELETE", &one, &json!({})).status, 404);
}
