//! Clients of MOSS over real sockets: a dialogue as moss.pl has it, and those that damage it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::client::{Person, Running, assignment, nobody};

/// A client that has asked, and waits.
struct Asking {
    stream: TcpStream,
}

impl Asking {
    fn connect(server: &Running) -> Asking {
        let stream = TcpStream::connect(&server.moss).expect("connects");
        stream.set_read_timeout(Some(Duration::from_mins(2))).expect("set");
        Asking { stream }
    }

    /// What the server says, up to the end of a line.
    fn line(&self) -> String {
        let mut line = String::new();
        let _ = BufReader::new(&self.stream).read_line(&mut line);
        line.trim().to_owned()
    }

    /// Sends what comes before the answer to `language`, and reads it.
    fn begin(&mut self, id: &str, with_folders: bool) -> String {
        let head = format!(
            "moss {id}\ndirectory {}\nX 0\nmaxmatches 10\nshow 250\nlanguage python\n",
            u8::from(with_folders)
        );
        let _ = self.stream.write_all(head.as_bytes());
        self.line()
    }

    fn file(&mut self, number: u32, size: usize, name: &str, contents: &[u8]) {
        let head = format!("file {number} python {size} {name}\n");
        let _ = self.stream.write_all(&[head.as_bytes(), contents].concat());
    }

    /// Asks, and reads the address.
    fn ask(mut self, comment: &str) -> String {
        let _ = self.stream.write_all(format!("query 0 {comment}\n").as_bytes());
        let address = self.line();
        let _ = self.stream.write_all(b"end\n");
        address
    }
}

/// The id by which clients of MOSS name somebody.
fn id_of(person: &Person, server: &Running) -> String {
    let me = person.get(server, "/api/v1/me").json();
    let id = &me["user"]["moss_id"];
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    assert!(id.len() >= 9 && id.bytes().all(|byte| byte.is_ascii_digit()), "{me}");
    id
}

/// Submits the example; returns the address of the result.
fn submitted(server: &Running, id: &str, with_folders: bool) -> String {
    let mut asking = Asking::connect(server);
    assert_eq!(asking.begin(id, with_folders), "yes");
    let files = assignment();
    for (_, name, contents) in files.iter().filter(|(field, ..)| *field == "base") {
        if Path::new(name).extension().is_some_and(|kind| kind == "py") {
            asking.file(0, contents.len(), name, contents);
        }
    }
    let mut number = 0;
    for (_, name, contents) in files.iter().filter(|(field, ..)| *field == "submissions") {
        if Path::new(name).extension().is_some_and(|kind| kind == "py") {
            number += 1;
            asking.file(number, contents.len(), name, contents);
        }
    }
    asking.ask("week 3")
}

/// What somebody is told who sends one file. Clients look at nothing before that.
fn refused(server: &Running, id: &str) -> String {
    let mut asking = Asking::connect(server);
    assert_eq!(asking.begin(id, false), "yes");
    asking.file(1, 4, "a.py", b"x=1\n");
    asking.ask("")
}

/// The path of an address on this server.
fn path_of<'a>(server: &Running, address: &'a str) -> &'a str {
    let host = format!("http://{}", server.host);
    address.strip_prefix(&*host).unwrap_or_else(|| panic!("`{address}` is not on {host}"))
}

fn page(server: &Running, path: &str) -> String {
    let reply = nobody().get(server, path);
    assert_eq!(reply.status, 200, "{path}");
    let kind = reply.header("content-type").expect("a type");
    assert_eq!(kind.to_ascii_lowercase(), "text/html; charset=utf-8", "{path}");
    reply.text()
}

/// The names of the first pair that an index lists.
fn first_pair(index: &str) -> (String, String) {
    let mut names = index.split("<A HREF=").skip(1).filter_map(|link| {
        let shown = link.split('>').nth(1)?.split('<').next()?;
        shown.strip_suffix("%)")?.rsplit_once(" (").map(|(name, _)| name.to_owned())
    });
    (names.next().expect("a name"), names.next().expect("another name"))
}

#[test]
fn a_submission_finds_the_copies_first() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["moss=0"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let id = id_of(&anna, &server);
    for with_folders in [false, true] {
        let address = submitted(&server, &id, with_folders);
        let path = path_of(&server, &address);
        let (first, second) = path.strip_prefix("/results/").unwrap().split_once('/').unwrap();
        assert!(first.len() == 1 && second.len() >= 9, "{path}");
        let index = page(&server, path);
        assert_eq!(index, page(&server, &format!("{path}/")));
        let names = first_pair(&index);
        let wanted = if with_folders {
            ("submissions/hana/", "submissions/ivo/")
        } else {
            ("submissions/hana/inventory.py", "submissions/ivo/inventory.py")
        };
        let mut both = [&*names.0, &*names.1];
        both.sort_unstable();
        assert_eq!(both, [wanted.0, wanted.1]);
        assert!(index.contains(&format!("{address}/match0.html")));
        for name in ["match0.html", "match0-top.html", "match0-0.html", "match0-1.html"] {
            page(&server, &format!("{path}/{name}"));
        }
        let texts = ["0", "1"].map(|n| page(&server, &format!("{path}/match0-{n}.html")));
        assert!(texts.iter().all(|text| text.contains("def ")));
        for wrong in ["match9999.html", "..", "..%2freport.json", "index.htm", "%2e%2e/x"] {
            let reply = nobody().get(&server, &format!("{path}/{wrong}"));
            assert_eq!(reply.status, 404, "{wrong}");
        }
        // The report for people.
        let mut report = index.split('"').chain(index.split_whitespace()).map(str::trim);
        let of_people = format!("http://{}/s/", server.host);
        let report = report
            .find_map(|word| word.find(&of_people).map(|at| &word[at + of_people.len() - 3..]))
            .expect("an address");
        let report = report.split(['<', '"', ' ', '\n']).next().expect("its end");
        let reply = nobody().get(&server, report);
        assert_eq!(reply.status, 200, "{report}: {}", reply.text());
    }
    let courses = anna.get(&server, "/api/v1/courses").json();
    let courses = courses.as_array().or_else(|| courses["courses"].as_array()).expect("a list");
    assert_eq!(courses.len(), 1);
    assert_eq!(courses[0]["name"], "MOSS");
}

#[test]
fn results_live_as_long_as_their_batch_and_outlive_the_server() {
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::limited(data.path(), &["moss=0"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let address = submitted(&server, &id_of(&anna, &server), true);
    let path = path_of(&server, &address).to_owned();
    let before = page(&server, &path);
    server.kill();
    server = Running::limited(data.path(), &["moss=0"]);
    assert_eq!(page(&server, &path), before);

    let course = anna.get(&server, "/api/v1/courses").json();
    let course = course.pointer("/0/id").or_else(|| course.pointer("/courses/0/id"));
    let course = course.and_then(|id| id.as_str()).expect("an id").to_owned();
    let batches = anna.get(&server, &format!("/api/v1/courses/{course}/batches")).json();
    let batch = batches.pointer("/0/id").or_else(|| batches.pointer("/batches/0/id"));
    let batch = batch.and_then(|id| id.as_str()).expect("an id");
    let removed =
        anna.send(&server, "DELETE", &format!("/api/v1/batches/{batch}"), &serde_json::json!({}));
    assert_eq!(removed.status, 202);
    for page in ["", "/", "/match0.html", "/match0-0.html"] {
        let reply = nobody().get(&server, &format!("{path}{page}"));
        assert_eq!(reply.status, 404, "{page}");
        assert!(!reply.text().contains("hana"));
    }
}

#[test]
fn ids_are_looked_up_and_guesses_are_counted() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["moss=0"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let rosa = anna.invite(&server, "rosa", "reader");
    let old = id_of(&anna, &server);
    let reader = rosa.get(&server, "/api/v1/me").json()["user"]["moss_id"].to_string();
    let renewed = anna.post(&server, "/api/v1/me/moss", &serde_json::json!({}));
    assert!(renewed.status < 300, "{}", renewed.text());
    let new = id_of(&anna, &server);
    assert_ne!(old, new);
    for id in [&old, reader.trim_matches('"'), "1", "0", "-1", "x", "999999999999999999999"] {
        let said = refused(&server, id);
        assert!(said.starts_with("error: "), "{id}: {said}");
    }
    // One that is tried again and again counts once, and five of those above are numbers that nobody has.
    for _ in 0..30 {
        refused(&server, "123456789");
    }
    assert!(!refused(&server, "123456780").contains("15 minutes"));
    for n in 0..20 {
        refused(&server, &format!("2234567{n:02}"));
    }
    let said = refused(&server, &new);
    assert!(said.contains("20 unknown user ids in 15 minutes"), "{said}");
}

#[test]
fn lying_slow_and_silent_clients_do_no_harm() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["moss=0", "moss-sessions=100000"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let id = id_of(&anna, &server);
    let files = assignment();
    let (_, _, program) =
        files.iter().find(|(_, name, _)| name.contains("hana/inventory.py")).unwrap();

    // Those who stay, and say nothing more.
    let silent = Asking::connect(&server);
    let mut begun = Asking::connect(&server);
    assert_eq!(begun.begin(&id, false), "yes");
    let mut half = Asking::connect(&server);
    assert_eq!(half.begin(&id, false), "yes");
    half.file(1, 1 << 40, "a.py", program);

    // Sizes that are too small and too large; the address comes all the same, or an error does.
    for size in [0, 1, program.len() - 7, program.len() + 9, program.len() * 3, usize::MAX] {
        let mut asking = Asking::connect(&server);
        assert_eq!(asking.begin(&id, false), "yes");
        asking.file(1, size, "a.py", program);
        asking.file(2, program.len(), "b.py", program);
        let said = asking.ask("");
        assert!(said.starts_with("http://") || said.starts_with("error: "), "{size}: {said}");
    }

    // Sessions that are damaged in one place, each in another.
    let whole = {
        let mut bytes =
            format!("moss {id}\ndirectory 0\nX 0\nmaxmatches 10\nshow 9\nlanguage python\n")
                .into_bytes();
        for (n, name) in [(1, "a.py"), (2, "b.py")] {
            bytes.extend(format!("file {n} python {} {name}\n", program.len()).bytes());
            bytes.extend(program);
        }
        bytes.extend(b"query 0 damaged\nend\n");
        bytes
    };
    let n: usize =
        std::env::var("FANMILL_MOSS_SOCKETS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for round in 0..n {
        let mut bytes = whole.clone();
        let at = round * bytes.len() / n;
        match round % 5 {
            0 => bytes.truncate(at),
            1 => drop(bytes.splice(at..at, [b'\n', 0xff, 0])),
            2 => drop(bytes.drain(at..(at + 40).min(whole.len()))),
            3 => bytes[at] ^= 0x15,
            _ => bytes.rotate_left(at),
        }
        let mut stream = TcpStream::connect(&server.moss).expect("connects");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("set");
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
    }

    let address = submitted(&server, &id, true);
    let (one, other) = first_pair(&page(&server, path_of(&server, &address)));
    assert!((one + &other).contains("hana"));
    assert!(!server.log().contains("panicked"), "{}", server.log());
    drop((silent, begun, half));
}

/// Clients as they are published, if `FANMILL_MOSS_CLIENTS` names a Python that has them: `.ci/run` makes one.
#[test]
fn published_clients_submit_download_and_parse() {
    let Some(python) = std::env::var_os("FANMILL_MOSS_CLIENTS") else { return };
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["moss=0"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("folder");
    let ran = Command::new(python)
        .arg(here.join("tests/clients/published.py"))
        .args([&server.moss, &id_of(&anna, &server)])
        .arg(here.join("../../examples/assignment").canonicalize().expect("the example"))
        .current_dir(folder.path())
        .output()
        .expect("python starts");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    for client in ["mosspy", "pymousse", "moss-cappa", "markus-moss"] {
        assert!(said.contains(&format!("{client}: hana and ivo")), "{said}");
    }
}
