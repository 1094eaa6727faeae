//! Corpora that are not on this machine, from a small server that speaks as object stores do.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use crate::place::Place;
use crate::run::{Done, Run};

/// Objects of the bucket `crawl`, by key.
type Objects = Arc<Vec<(&'static str, String)>>;

/// Starts a server of these objects, and returns its address.
fn serve(objects: Objects) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("bound"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let objects = Arc::clone(&objects);
            thread::spawn(move || answer(&stream, &objects));
        }
    });
    address
}

/// Answers one request, and closes the connection.
fn answer(mut stream: &TcpStream, objects: &Objects) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let mut words = request.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let found = objects.iter().find(|(key, _)| path == format!("/crawl/{key}"));
    let (status, body) = match found {
        Some((_, text)) => ("200 OK", text.clone()),
        None if query.contains("list-type=2") => ("200 OK", list(query, objects)),
        None if path.contains("secret") => ("403 Forbidden", String::from("<Error/>")),
        None => ("404 Not Found", String::from("<Error/>")),
    };
    let length = body.len();
    let body = if method == "HEAD" { "" } else { &body };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nlast-modified: Mon, 30 Nov 2026 00:00:00 GMT\r\n\
         etag: \"{length}\"\r\nconnection: close\r\n\r\n{body}"
    )
    .ok()
}

/// Lists the objects below the prefix of a query.
fn list(query: &str, objects: &Objects) -> String {
    let asked = query.split('&').find_map(|part| part.strip_prefix("prefix="));
    let prefix = asked.unwrap_or("").replace("%2F", "/");
    let mut all = String::from("<ListBucketResult><IsTruncated>false</IsTruncated>");
    for (key, text) in objects.iter().filter(|(key, _)| key.starts_with(&prefix)) {
        let size = text.len();
        let _ = write!(
            all,
            "<Contents><Key>{key}</Key><LastModified>2026-11-30T00:00:00.000Z</LastModified>\
             <ETag>\"{size}\"</ETag><Size>{size}</Size></Contents>"
        );
    }
    all + "</ListBucketResult>"
}

fn records(ids: &[&str]) -> String {
    let record = |id: &&str| {
        format!(
            "{{\"id\":\"{id}\",\"url\":\"http://mill/{id}\",\"text\":\"river stone and lamp by the old mill, kept dry all winter\"}}\n"
        )
    };
    ids.iter().map(record).collect()
}

/// Runs a command with the server as the store.
fn asked(server: &str, place: &Place, arguments: &str) -> Done {
    let run = Run::new(arguments).inside(&place.path(""));
    let run = run.env("AWS_ENDPOINT_URL", server).env("AWS_ALLOW_HTTP", "true");
    let run = run.env("AWS_REGION", "here").env("AWS_ACCESS_KEY_ID", "key");
    run.env("AWS_SECRET_ACCESS_KEY", "secret").run()
}

fn bucket() -> String {
    serve(Arc::new(vec![
        ("2026/", String::new()),
        ("2026/a/one.jsonl", records(&["a", "b"])),
        ("2026/two.jsonl", records(&["c"])),
        ("2026-b/three.jsonl", records(&["d"])),
    ]))
}

#[test]
fn a_corpus_in_a_bucket_is_that_of_a_folder() {
    let (server, place) = (bucket(), Place::new());
    let done = asked(&server, &place, "dedup s3://crawl/2026 -o out");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let written = |name: &str| fs::read_to_string(place.path(name)).expect("written");
    assert_eq!(written("out/a/one.jsonl"), records(&["a"]));
    assert_eq!(written("out/two.jsonl"), "");
    let names = fs::read_dir(place.path("")).expect("a folder");
    let mut names: Vec<String> =
        names.map(|name| name.expect("read").file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    assert_eq!(names, ["out", "out.fanmill"], "what was fetched is removed");

    // Files on the disk give the same bytes.
    let local = place.path("2026");
    fs::create_dir_all(local.join("a")).expect("new");
    fs::write(local.join("a/one.jsonl"), records(&["a", "b"])).expect("writable");
    fs::write(local.join("two.jsonl"), records(&["c"])).expect("writable");
    assert_eq!(asked(&server, &place, "dedup 2026 -o local").code, Some(0));
    let answer = |name: &str| {
        let summary = written(&format!("{name}.fanmill/summary.json"));
        summary.split("\"run\":").next().map(str::to_owned)
    };
    assert_eq!(answer("local"), answer("out"));
}

#[test]
fn a_file_behind_a_web_address_and_a_reference_in_a_bucket_are_read() {
    let (server, place) = (bucket(), Place::new());
    let web = format!("{server}/crawl/2026-b/three.jsonl");
    let done = asked(&server, &place, &format!("dedup {web} --against s3://crawl/2026 -o out"));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(fs::read_to_string(place.path("out/three.jsonl")).expect("written"), "");
    let done = asked(&server, &place, "urls s3://crawl/2026");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let said = done.stdout + &done.stderr;
    assert!(said.contains("3 URLs of 1 host"), "{said}");
}

#[test]
fn an_output_in_the_way_is_refused_before_anything_is_fetched() {
    let (server, place) = (bucket(), Place::new().with("out/mine.txt", "mine"));
    let done = asked(&server, &place, "dedup s3://crawl/2026 -o out");
    assert!(done.stderr.contains("`out` is there and not empty"), "{}", done.stderr);
    assert_eq!(fs::read_dir(place.path("")).expect("a folder").count(), 1, "nothing is fetched");
}

#[test]
fn what_cannot_be_fetched_is_said_and_nothing_is_left() {
    let (server, place) = (bucket(), Place::new());
    for (address, words) in [
        ("s3://crawl/none", "there is nothing at `s3://crawl/none`"),
        ("s3://crawl/secret", "refuses `s3://crawl/secret`"),
        ("ftp://host/x", "its scheme is unknown"),
        ("https://host/x?key=1", "it has a query"),
    ] {
        let done = asked(&server, &place, &format!("dedup {address} -o out"));
        assert_eq!(done.code, Some(3), "{}", done.stderr);
        assert!(done.stderr.contains(words), "{}", done.stderr);
        assert_eq!(fs::read_dir(place.path("")).expect("a folder").count(), 0, "{address}");
    }
}

#[test]
fn other_jobs_say_that_they_read_no_addresses() {
    let place = Place::new();
    for arguments in ["index add lib.fanmill s3://crawl/x", "compare s3://crawl/x other"] {
        let done = Run::new(arguments).inside(&place.path("")).run();
        assert_ne!(done.code, Some(0), "{}", done.stdout);
        let words = "`s3://crawl/x` is an address, not a path of this machine";
        assert!(done.stderr.contains(words), "{}", done.stderr);
        assert!(!place.path("lib.fanmill").exists());
    }
}
