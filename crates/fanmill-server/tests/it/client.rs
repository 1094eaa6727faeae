//! A server that runs, and a small blocking client. Tests of the command use it too.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server that is killed when the test ends.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) host: String,
    /// The secret of the first start's link.
    pub(crate) setup: String,
    /// Where clients of MOSS find it.
    pub(crate) moss: String,
    pub(crate) log: tempfile::NamedTempFile,
}

impl Running {
    /// What it logged until now.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).expect("the log")
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// Sends a request; `headers` are whole lines.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[String], body: &[u8]) -> Reply {
        let host = format!("Host: {}", self.host);
        self.send_bare(method, path, &[&[host], headers].concat(), body)
    }

    /// Sends a request without a host, if the headers have none.
    pub(crate) fn send_bare(
        &self,
        method: &str,
        path: &str,
        headers: &[String],
        body: &[u8],
    ) -> Reply {
        let mut stream = TcpStream::connect(&self.host).expect("connects");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("set");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for header in headers {
            head.extend([header, "\r\n"]);
        }
        head.extend(["Content-Length: ", &body.len().to_string(), "\r\n\r\n"]);
        // A server that refuses may close before it has read all.
        let _ = stream.write_all(&[head.as_bytes(), body].concat());
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        Reply::read(&all)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    fn read(all: &[u8]) -> Reply {
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let mut body = all[end + 4..].to_vec();
        if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        Reply { status, head, body }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
            .next()
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..end]), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        all.extend(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    all
}

/// Somebody who is logged in.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) headers: Vec<String>,
}

impl Person {
    pub(crate) fn set_up(server: &Running, secret: &str, name: &str) -> Person {
        let body = json!({ "secret": secret, "name": name, "password": "correct horse battery" });
        Person::known_by(&nobody().post(server, "/api/v1/setup", &body))
    }

    /// Logs in by a password.
    pub(crate) fn log_in(server: &Running, name: &str, password: &str) -> Person {
        let body = json!({ "name": name, "password": password });
        Person::known_by(&nobody().post(server, "/api/v1/login", &body))
    }

    /// Returns the person whom an answer has let in.
    fn known_by(reply: &Reply) -> Person {
        assert_eq!(reply.status, 200, "{}", reply.text());
        let cookie = reply.header("set-cookie").expect("a cookie");
        let cookie = cookie.split(';').next().expect("a value");
        let csrf = reply.json()["csrf"].as_str().expect("a token").to_owned();
        Person { headers: vec![format!("Cookie: {cookie}"), format!("X-CSRF-Token: {csrf}")] }
    }

    pub(crate) fn get(&self, server: &Running, path: &str) -> Reply {
        server.send("GET", path, &self.headers, b"")
    }

    pub(crate) fn post(&self, server: &Running, path: &str, body: &Value) -> Reply {
        self.send(server, "POST", path, body)
    }

    pub(crate) fn send(&self, server: &Running, method: &str, path: &str, body: &Value) -> Reply {
        let mut headers = self.headers.clone();
        headers.push("Content-Type: application/json".to_owned());
        server.send(method, path, &headers, body.to_string().as_bytes())
    }

    /// Another person, whom this administrator makes an account for.
    pub(crate) fn invite(&self, server: &Running, name: &str, role: &str) -> Person {
        let reply = self.post(server, "/api/v1/users", &json!({ "name": name, "role": role }));
        assert_eq!(reply.status, 201, "{}", reply.text());
        let link = reply.json()["link"].as_str().expect("a link").to_owned();
        Person::set_up(server, link.rsplit('/').next().expect("a secret"), name)
    }

    pub(crate) fn course(&self, server: &Running) -> String {
        let reply = self.post(server, "/api/v1/courses", &json!({ "name": "Programming" }));
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Uploads files: field, name, contents.
    pub(crate) fn upload(
        &self,
        server: &Running,
        course: &str,
        settings: &str,
        files: &[(&str, String, Vec<u8>)],
    ) -> Reply {
        let texts = [("title", "Week 3"), ("settings", settings)];
        self.send_form(server, &format!("/api/v1/courses/{course}/batches"), &texts, files)
    }

    /// Sends a form to a path: texts by name, and files by field, name and contents.
    pub(crate) fn send_form(
        &self,
        server: &Running,
        path: &str,
        texts: &[(&str, &str)],
        files: &[(&str, String, Vec<u8>)],
    ) -> Reply {
        let mut body = Vec::new();
        for (name, value) in texts {
            let part = format!(
                "--BOUND\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            body.extend(part.as_bytes());
        }
        for (field, name, contents) in files {
            let head = format!(
                "--BOUND\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n"
            );
            body.extend(head.as_bytes());
            body.extend(contents);
            body.extend(b"\r\n");
        }
        body.extend(b"--BOUND--\r\n");
        let mut headers = self.headers.clone();
        headers.push("Content-Type: multipart/form-data; boundary=BOUND".to_owned());
        server.send("POST", path, &headers, &body)
    }

    /// Waits until nothing that was deleted is left to be removed.
    pub(crate) fn settle(&self, server: &Running) {
        let begun = Instant::now();
        while !self.get(server, "/metrics").text().contains("fanmill_removals_waiting 0\n") {
            assert!(begun.elapsed() < Duration::from_mins(20), "{}", server.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a batch is neither queued nor running.
    pub(crate) fn wait(&self, server: &Running, batch: &str) -> Value {
        let begun = Instant::now();
        loop {
            let shown = self.get(server, &format!("/api/v1/batches/{batch}")).json();
            if !matches!(shown["state"].as_str(), Some("queued" | "running")) {
                return shown;
            }
            assert!(begun.elapsed() < Duration::from_mins(20), "{shown}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

pub(crate) fn nobody() -> Person {
    Person { headers: Vec::new() }
}

/// Returns what an erasure has changed, without the number of the search that follows.
pub(crate) fn changed_by(erasure: &Reply) -> Value {
    let mut changed = erasure.json();
    assert!(changed["number"].as_i64().is_some_and(|number| number > 0), "{changed}");
    changed.as_object_mut().expect("an object").remove("number");
    changed
}

/// The example: submissions and what everyone was given.
pub(crate) fn assignment() -> Vec<(&'static str, String, Vec<u8>)> {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignment");
    let mut files = Vec::new();
    for (field, folder) in [("submissions", "submissions"), ("base", "handout")] {
        let mut folders = vec![example.join(folder)];
        while let Some(folder) = folders.pop() {
            let mut paths: Vec<PathBuf> = folder
                .read_dir()
                .expect("a folder")
                .map(|entry| entry.expect("an entry").path())
                .collect();
            paths.sort();
            for path in paths {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path
                        .strip_prefix(&example)
                        .expect("inside")
                        .to_str()
                        .expect("UTF-8")
                        .to_owned();
                    files.push((field, name, std::fs::read(&path).expect("read")));
                }
            }
        }
    }
    files
}
