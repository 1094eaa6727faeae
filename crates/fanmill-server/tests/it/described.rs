//! The description of the interface (OpenAPI): whole, and true of what a running server answers.

use serde_json::{Value, json};

use crate::client::{Person, Reply, Running, assignment, nobody};

/// An OpenAPI document.
struct Interface(Value);

impl Interface {
    fn new(server: &Running) -> Interface {
        Interface(nobody().get(server, "/api/v1/openapi.json").json())
    }

    fn operation(&self, method: &str, path: &str) -> &Value {
        let operation = &self.0["paths"][path][method.to_ascii_lowercase()];
        assert!(operation.is_object(), "{method} {path} is not described");
        operation
    }

    /// What `$ref` leads to, or the schema itself.
    fn resolved<'a>(&'a self, schema: &'a Value) -> Result<&'a Value, String> {
        let Some(reference) = schema["$ref"].as_str() else { return Ok(schema) };
        let place = reference.strip_prefix('#').and_then(|pointer| self.0.pointer(pointer));
        place.ok_or_else(|| format!("{reference} leads nowhere"))
    }

    /// Whether a value is valid against a schema; where not, why. A word of JSON Schema that is not known here is an error.
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let schema = self.resolved(schema)?;
        for (word, rule) in schema.as_object().ok_or("a schema is an object")? {
            let is_fine = match &**word {
                "type" => is_of(rule, value),
                "enum" => list(rule).contains(value),
                "required" => {
                    list(rule).iter().all(|name| value.get(name.as_str().expect("text")).is_some())
                }
                "additionalProperties" => rule != false || has_only(schema, value),
                "minimum" => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
                "format" => rule != "date-time" || is_time(value),
                "oneOf" => {
                    list(rule).iter().filter(|one| self.check(one, value, at).is_ok()).count() == 1
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(rule, item, at)?;
                    }
                    true
                }
                "properties" => {
                    for (name, rule) in rule.as_object().ok_or("properties are an object")? {
                        if let Some(value) = value.get(name) {
                            self.check(rule, value, &format!("{at}.{name}"))?;
                        }
                    }
                    true
                }
                "minLength" | "maxLength" => value.as_str().is_none_or(|text| {
                    let (n, limit) =
                        (text.chars().count() as u64, rule.as_u64().expect("a number"));
                    if word == "minLength" { n >= limit } else { n <= limit }
                }),
                "minItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap_or(0)),
                "maximum" => value.as_f64().is_none_or(|number| Some(number) <= rule.as_f64()),
                // All of them ask for a character that is no blank, among other things.
                "pattern" => value.as_str().is_none_or(|text| !text.trim().is_empty()),
                "maxItems" | "description" | "default" => true,
                other => return Err(format!("{at}: `{other}` is not known to this test")),
            };
            if !is_fine {
                return Err(format!("{at}: `{word}` is {rule}, and the value {value}"));
            }
        }
        Ok(())
    }

    /// Asks, and checks what is asked and answered. `id` takes its place in the path.
    fn ask(
        &self,
        (server, by): (&Running, &Person),
        (method, path): (&str, &str),
        id: &str,
        body: Option<&Value>,
    ) -> Reply {
        let operation = self.operation(method, path);
        let takes = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(takes.is_object(), body.is_some(), "{method} {path} takes something");
        if let Some(body) = body {
            assert_eq!(self.check(takes, body, "request"), Ok(()), "{method} {path}");
        }
        let reply = by.send(
            server,
            method,
            &path.replace("{id}", id).replace("{number}", id),
            body.unwrap_or(&Value::Null),
        );
        self.check_reply(operation, &reply);
        reply
    }

    fn check_reply(&self, operation: &Value, reply: &Reply) {
        let what = &operation["summary"];
        let responses = &operation["responses"];
        let response = match &responses[reply.status.to_string()] {
            Value::Null => &responses["default"],
            known => known,
        };
        let is_success = (200..300).contains(&reply.status);
        assert!(!is_success || response != &responses["default"], "{what}: {}", reply.head);
        let Some(content) = response["content"].as_object() else {
            return assert!(reply.body.is_empty(), "{what}: {}", reply.text());
        };
        let media_type = reply.header("content-type").expect("a type");
        let schema = &content[&*media_type]["schema"];
        match &*media_type {
            "application/json" => {
                let answer = reply.json();
                assert_eq!(self.check(schema, &answer, "answer"), Ok(()), "{what}: {answer}");
                // Members stand in the order of the alphabet.
                let in_order = answer.to_string();
                assert!(what == "this interface" || reply.text() == in_order, "{what}");
            }
            "text/event-stream" => {
                let text = reply.text();
                let events: Vec<&str> =
                    text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
                assert!(!events.is_empty(), "{what}");
                for event in events {
                    let event = serde_json::from_str(event).expect("JSON");
                    assert_eq!(self.check(schema, &event, "event"), Ok(()), "{what}: {event}");
                }
            }
            _ => assert_eq!(schema["type"], "string", "{what}"),
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_of(types: &Value, value: &Value) -> bool {
    if let Some(types) = types.as_array() {
        return types.iter().any(|one| is_of(one, value));
    }
    match types.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}

fn has_only(schema: &Value, value: &Value) -> bool {
    let mut names = value.as_object().into_iter().flat_map(|object| object.keys());
    names.all(|name| schema["properties"].get(name).is_some())
}

/// Whether a text is a time; other values are for `type` to refuse.
fn is_time(value: &Value) -> bool {
    value.as_str().is_none_or(|text| text.parse::<jiff::Timestamp>().is_ok())
}

#[test]
fn real_answers_are_as_described() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let interface = Interface::new(&server);
    let by = (&server, &anna);
    let course = anna.course(&server);
    let upload = anna.upload(&server, &course, r#"{"noise":12}"#, &assignment());
    interface.check_reply(interface.operation("post", "/api/v1/courses/{id}/batches"), &upload);
    let batch = upload.json()["id"].as_str().expect("an id").to_owned();
    let get = |path: &str, id: &str| interface.ask(by, ("GET", path), id, None).json();
    // In work, as far as it still is, and afterwards.
    get("/api/v1/batches/{id}", &batch);
    interface.ask(by, ("GET", "/api/v1/batches/{id}/events"), &batch, None);
    assert_eq!(anna.wait(&server, &batch)["state"], "done");
    let made = [
        ("/api/v1/users", json!({ "name": "bert", "role": "teacher" })),
        ("/api/v1/courses", json!({ "name": "Databases" })),
        ("/api/v1/tokens", json!({ "label": "script" })),
        ("/api/v1/platforms", platform()),
        ("/api/v1/batches/{id}/links", json!({ "days": 1, "password": "correct horse" })),
        ("/api/v1/batches/{id}/links", json!({ "expires": "2001-01-01T00:00:00Z" })),
    ];
    for (path, body) in &made {
        interface.ask(by, ("POST", path), &batch, Some(body));
    }
    let member = json!({ "name": "bert", "role": "reader" });
    interface.ask(by, ("PUT", "/api/v1/courses/{id}/members"), &course, Some(&member));
    for (path, id, n) in [
        ("/api/v1/users", "", 2),
        ("/api/v1/courses", "", 2),
        ("/api/v1/courses/{id}/members", &*course, 2),
        ("/api/v1/courses/{id}/batches", &course, 1),
        ("/api/v1/batches/{id}/links", &batch, 1),
        ("/api/v1/tokens", "", 1),
        ("/api/v1/people/errands", "", 0),
    ] {
        assert_eq!(list(&get(path, id)).len(), n, "{path}");
    }
    assert_eq!(list(&get("/api/v1/platforms", "")["platforms"]).len(), 1);
    assert_eq!(get("/api/v1/me", "")["user"]["name"], "anna");
    let shown = get("/api/v1/batches/{id}", &batch);
    assert_eq!(shown["settings"], json!({ "noise": 12 }));
    assert_eq!(interface.ask((&server, &nobody()), ("GET", "/api/v1/me"), "", None).status, 401);
    get("/api/v1/openapi.json", "");
    let languages = get("/api/v1/languages", "");
    let names: Vec<&str> =
        list(&languages).iter().filter_map(|language| language["name"].as_str()).collect();
    assert!(names.contains(&"words") && names.contains(&"java"), "{names:?}");
    let login = json!({ "name": "anna", "password": "correct horse battery" });
    interface.ask(by, ("POST", "/api/v1/login"), "", Some(&login));
    interface.ask(by, ("POST", "/api/v1/me/moss"), "", None);
    let again = json!({ "settings": { "anonymous": true } });
    interface.ask(by, ("POST", "/api/v1/batches/{id}/run"), &batch, Some(&again));
    let erased = json!({ "name": "hana" });
    let reply = interface.ask(by, ("POST", "/api/v1/people/erase"), "", Some(&erased));
    let erased = reply.json();
    assert_eq!((&erased["compared_again"], &erased["deleted"]), (&json!(1), &json!(0)));
    get("/api/v1/people/erasures/{number}", &erased["number"].to_string());
    refuses_what_is_not_described(&interface, &shown);
}

fn platform() -> Value {
    json!({
        "name": "Campus", "issuer": "https://campus.example.edu", "client_id": "tool",
        "login_url": "https://campus.example.edu/login", "token_url": "https://campus.example.edu/token",
        "keys_url": "https://campus.example.edu/keys", "deployments": ["1"],
    })
}

/// The check itself: a batch that lacks a member, or has one of another kind.
fn refuses_what_is_not_described(interface: &Interface, batch: &Value) {
    let operation = interface.operation("get", "/api/v1/batches/{id}");
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    let with = |name: &str, value: Value| {
        let mut changed = batch.clone();
        changed[name] = value;
        interface.check(schema, &changed, "batch")
    };
    assert_eq!(with("error", Value::Null), Ok(()));
    for (name, value) in [
        ("bytes", json!("many")),
        ("title", Value::Null),
        ("created", json!("yesterday")),
        ("settings", json!({ "nosie": 12 })),
        ("progress", json!({ "step": "read" })),
    ] {
        assert!(with(name, value).is_err(), "{name}");
    }
    for name in batch.as_object().expect("a batch").keys() {
        let mut less = batch.clone();
        less.as_object_mut().expect("a batch").remove(name);
        assert!(interface.check(schema, &less, "batch").is_err(), "{name}");
    }
}

/// Bodies that nobody can use are against the description, and the server refuses them.
#[test]
fn what_is_refused_is_against_the_description() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let interface = Interface::new(&server);
    let long = "n".repeat(256);
    let mut nameless = platform();
    nameless["name"] = json!("");
    let mut undeployed = platform();
    undeployed["deployments"] = json!([]);
    let mut nowhere = platform();
    nowhere["keys_url"] = json!("");
    let course = anna.course(&server);
    for (method, path, body) in [
        ("POST", "/api/v1/courses", json!({ "name": "" })),
        ("POST", "/api/v1/courses", json!({ "name": "  " })),
        ("POST", "/api/v1/courses", json!({ "name": long })),
        ("POST", "/api/v1/users", json!({ "name": "", "role": "reader" })),
        ("POST", "/api/v1/users", json!({ "name": "bert", "role": "king" })),
        ("POST", "/api/v1/tokens", json!({ "label": "" })),
        ("POST", "/api/v1/people/erase", json!({ "name": "" })),
        ("POST", "/api/v1/platforms", nameless),
        ("POST", "/api/v1/platforms", undeployed),
        ("POST", "/api/v1/platforms", nowhere),
        ("PUT", "/api/v1/courses/{id}/members", json!({ "name": "anna", "role": "king" })),
        ("POST", "/api/v1/me/password", json!({ "old": "correct horse battery", "new": "short" })),
    ] {
        let operation = interface.operation(method, path);
        let takes = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert!(interface.check(takes, &body, "request").is_err(), "{path} {body}");
        let reply = anna.send(&server, method, &path.replace("{id}", &course), &body);
        assert!((400..500).contains(&reply.status), "{path} {body}: {}", reply.head);
        assert!(reply.json()["error"].is_string(), "{path} {body}");
    }
}

#[test]
fn every_route_for_programs_says_what_it_takes_and_gives() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let interface = Interface::new(&server);
    for (method, path, who) in fanmill_server::paths() {
        if !path.starts_with("/api/v1/") {
            continue;
        }
        let operation = interface.operation(method, path);
        assert_eq!(operation["x-role"], who, "{method} {path}");
        let responses = operation["responses"].as_object().expect("responses");
        let done: Vec<_> = responses.iter().filter(|(status, _)| status.starts_with('2')).collect();
        assert_eq!(done.len(), 1, "{method} {path}");
        let (status, response) = done[0];
        let is_empty = response["content"].is_null();
        assert!(!is_empty || method != "get", "{method} {path} gives nothing");
        assert!(!is_empty || status != "201", "{method} {path} does not say what it made");
        let refused = &responses["default"]["content"]["application/json"]["schema"];
        let refused = interface.resolved(refused).expect("a schema");
        assert_eq!(refused["required"], json!(["error"]), "{method} {path}");
        let bodies = responses.values().chain([&operation["requestBody"]]);
        for (media_type, content) in bodies.filter_map(|body| body["content"].as_object()).flatten()
        {
            let schema = interface.resolved(&content["schema"]).expect("a schema");
            assert!(schema["type"].is_string(), "{media_type} {method} {path}");
        }
    }
    let n = references(&interface, &interface.0);
    assert!(n > 50, "{n} references");
}

/// Resolves every reference below a value; how many there are.
fn references(interface: &Interface, value: &Value) -> usize {
    let own = usize::from(value.get("$ref").is_some());
    interface.resolved(value).expect("it leads somewhere");
    let below: Vec<&Value> = match value {
        Value::Object(members) => members.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    own + below.into_iter().map(|value| references(interface, value)).sum::<usize>()
}

#[test]
fn the_description_of_the_interface_has_its_required_members() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let document = nobody().get(&server, "/api/v1/openapi.json").json();
    assert!(document["openapi"].as_str().expect("a version").starts_with("3.1."));
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    let paths = document["paths"].as_object().expect("paths");
    let schemes = document["components"]["securitySchemes"].as_object().expect("schemes");
    for (path, item) in paths {
        assert!(path.starts_with('/') && !path.contains('*'), "{path}");
        for (method, operation) in item.as_object().expect("an item") {
            assert!(["get", "put", "post", "delete"].contains(&&**method), "{method} {path}");
            assert!(operation["summary"].is_string(), "{method} {path}");
            let parameters = operation["parameters"].as_array().expect("a list");
            let in_path = path.split(['{', '}']).skip(1).step_by(2).collect::<Vec<_>>();
            let named: Vec<&str> =
                parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect();
            assert!(in_path.iter().all(|name| named.contains(name)), "{method} {path}");
            for parameter in parameters {
                let is_path = parameter["in"] == "path";
                assert!(!is_path || parameter["required"] == true, "{method} {path}");
                assert!(parameter["schema"]["type"].is_string(), "{method} {path}");
            }
            for (status, response) in operation["responses"].as_object().expect("responses") {
                assert!(response["description"].is_string(), "{status} {method} {path}");
            }
            for security in operation["security"].as_array().expect("a list") {
                assert!(
                    security
                        .as_object()
                        .expect("one")
                        .keys()
                        .all(|name| schemes.contains_key(name))
                );
            }
        }
    }
}

/// Derived readers of types with fields also take arrays of their values, which no description allows.
#[test]
fn no_array_is_taken_for_an_object() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let uploaded = anna.upload(&server, &course, "{}", &assignment()).json();
    let batch = uploaded["id"].as_str().expect("an id").to_owned();
    let finished = anna.wait(&server, &batch);
    let document = nobody().get(&server, "/api/v1/openapi.json").json();
    let mut n_tried = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("an item") {
            if operation["requestBody"]["content"]["application/json"].is_null() {
                continue;
            }
            let id = if path.contains("courses") { &course } else { &batch };
            let method = method.to_uppercase();
            let reply = anna.send(&server, &method, &path.replace("{id}", id), &json!([]));
            assert_eq!(reply.status, 422, "{method} {path}: {}", reply.text());
            assert!(reply.text().contains("object"), "{}", reply.text());
            n_tried += 1;
        }
    }
    assert!(n_tried > 9, "{n_tried}");
    assert_eq!(anna.wait(&server, &batch)["finished"], finished["finished"]);
}
