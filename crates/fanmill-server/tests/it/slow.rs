//! Clients that send slowly, many at once, and what an honest client notices of them. Figures are printed.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Person, Running, nobody};

/// Begins a connection from one of loopback's addresses, and sends this.
fn from(last: u8, server: &Running, text: &str) -> TcpStream {
    let to: SocketAddr = server.host.parse().expect("an address");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into()).expect("bound");
        socket.connect(to).await.expect("connects").into_std().expect("a stream")
    });
    stream.set_nonblocking(false).expect("set");
    stream.set_read_timeout(Some(Duration::from_mins(10))).expect("set");
    let mut stream = stream;
    let _ = stream.write_all(text.as_bytes());
    stream
}

fn body(server: &Running, header: &str) -> String {
    let head = format!("POST /api/v1/login HTTP/1.1\r\nHost: {}\r\n{header}", server.host);
    format!("{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{")
}

/// The head of an upload and its first part.
fn upload(server: &Running, by: &Person, course: &str) -> String {
    let head = format!("POST /api/v1/courses/{course}/batches HTTP/1.1\r\nHost: {}", server.host);
    format!(
        "{head}\r\n{}\r\nContent-Type: multipart/form-data; boundary=BOUND\r\nContent-Length: 100000\r\n\r\n\
         --BOUND\r\nContent-Disposition: form-data; name=\"submissions\"; filename=\"a.py\"\r\n\r\nx = 1\n",
        by.headers.join("\r\n")
    )
}

/// The head of what a connection is answered, or all of it if it ends before.
fn answer(mut stream: &TcpStream) -> String {
    let (mut all, mut piece) = (Vec::new(), [0; 512]);
    while !all.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut piece) {
            Ok(n) if n > 0 => all.extend(&piece[..n]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// Asks for pages as an honest client does, and prints how long it waits.
#[expect(clippy::print_stdout, reason = "the figures")]
fn ask(what: &str, n: usize, mut get: impl FnMut(usize) -> u16) {
    let mut waited: Vec<f64> = (0..n)
        .map(|number| {
            let begun = Instant::now();
            let status = get(number);
            assert_eq!(status, 200, "{what}: request {number}");
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    waited.sort_by(f64::total_cmp);
    let of = |percent: usize| waited[(waited.len() - 1) * percent / 100];
    println!(
        "{what}: {n} requests of others: p50 {:.1}, p99 {:.1}, longest {:.1} ms",
        of(50),
        of(99),
        of(100)
    );
}

#[test]
fn slow_clients_leave_room_for_others() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let paths = ["/health", "/api/v1/me", "/api/v1/courses", "/"];
    let asks = |number: usize| anna.get(&server, paths[number % paths.len()]).status;

    let bodies: Vec<_> = (0..=255).map(|n| from(2 + n / 64, &server, &body(&server, ""))).collect();
    ask("256 slow bodies of 4 addresses", 200, asks);
    drop(bodies);
    let head = format!("GET /health HTTP/1.1\r\nHost: {}\r\nX-Slow: ", server.host);
    let heads: Vec<_> = (0..200).map(|n| from(2 + n / 50, &server, &head)).collect();
    ask("200 slow heads of 4 addresses", 200, asks);
    drop(heads);
    let uploads: Vec<_> =
        (0..32).map(|_| from(2, &server, &upload(&server, &anna, &course))).collect();
    ask("32 slow uploads of one account", 200, asks);
    drop(uploads);
}

#[test]
fn slow_clients_behind_a_proxy_leave_room_for_others() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["trust-loopback=1"]);
    let ask_from = |client: &'static str| {
        let server = &server;
        let headers = [format!("X-Forwarded-For: {client}")];
        move |_: usize| server.send("GET", "/health", &headers, b"").status
    };
    let slow = |client: usize| body(&server, &format!("X-Forwarded-For: 192.0.2.{client}\r\n"));
    let of_one: Vec<_> = (0..256).map(|_| from(1, &server, &slow(7))).collect();
    ask("256 slow bodies of one client behind a proxy", 200, ask_from("192.0.2.8"));
    drop(of_one);
    let of_many: Vec<_> = (0..256).map(|n| from(1, &server, &slow(100 + n / 64))).collect();
    ask("256 slow bodies of 4 clients behind a proxy", 200, ask_from("192.0.2.8"));
    drop(of_many);
}

#[test]
fn a_body_that_comes_too_slowly_ends_however_steadily_it_comes() {
    let data = tempfile::tempdir().expect("folder");
    // Ten bytes a second, where a thousand are the least; and faster, for longer than a body may take.
    for limits in [["idle-ms=1500", "rate=1000"], ["rate=1", "body-ms=1500"]] {
        let server = Running::limited(data.path(), &limits);
        let stream = from(1, &server, &body(&server, ""));
        let mut writer = stream.try_clone().expect("the same");
        let steady = thread::spawn(move || {
            while writer.write_all(b" ").is_ok() {
                thread::sleep(Duration::from_millis(100));
            }
        });
        let answer = answer(&stream);
        assert!(answer.starts_with("HTTP/1.1 400"), "{limits:?}: {answer}");
        stream.shutdown(Shutdown::Both).expect("closed");
        steady.join().expect("it ends");
    }
}

#[test]
fn the_head_of_a_part_is_not_held_whatever_its_size() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["idle-ms=1200000"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let head = format!("POST /api/v1/courses/{course}/batches HTTP/1.1\r\nHost: {}", server.host);
    let typed = "Content-Type: multipart/form-data; boundary=BOUND\r\nContent-Length: 900000000";
    let headers = anna.headers.join("\r\n");
    let begin = format!("{head}\r\n{headers}\r\n{typed}\r\n\r\n--BOUND\r\nX-Long: ");
    let stream = from(1, &server, &begin);
    let mut writer = stream.try_clone().expect("the same");
    // Nothing follows that would end it.
    let _ = writer.write_all(&vec![b'x'; 8 << 20]);
    let answer = answer(&stream);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let left = fs::read_dir(data.path().join("batches")).expect("a folder").count();
    assert_eq!(left, 0, "nothing of it is kept");
}

#[test]
fn an_account_takes_a_part_of_the_places_for_uploads() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["uploads=3", "uploads-each=2"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    let [own, other] = [anna.course(&server), bert.course(&server)];
    let slow: Vec<_> = (0..2).map(|_| from(1, &server, &upload(&server, &anna, &own))).collect();
    let files = [("submissions", "a.py".to_owned(), b"x = 1\n".to_vec())];
    let begun = Instant::now();
    while fs::read_dir(data.path().join("batches")).expect("a folder").count() < 2 {
        assert!(begun.elapsed() < Duration::from_mins(20));
        thread::sleep(Duration::from_millis(20));
    }
    let refused = anna.upload(&server, &own, "{}", &files);
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert_eq!(bert.upload(&server, &other, "{}", &files).status, 201);
    // An upload that breaks off leaves nothing, and gives its place back.
    drop(slow);
    while anna.upload(&server, &own, "{}", &files).status != 201 {
        assert!(begun.elapsed() < Duration::from_mins(20));
        thread::sleep(Duration::from_millis(20));
    }
    while fs::read_dir(data.path().join("batches")).expect("a folder").count() > 2 {
        assert!(begun.elapsed() < Duration::from_mins(20));
        thread::sleep(Duration::from_millis(20));
    }
}

/// The most memory that a process has had, in megabytes.
pub(crate) fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes * 1024 / 1_000_000
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures")]
fn many_logins_at_once_take_little_memory() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    Person::set_up(&server, &server.setup, "anna");
    let before = peak(server.process());
    thread::scope(|scope| {
        for n in 0..48 {
            let guess = json!({ "name": format!("name{n}"), "password": "correct horse" });
            let server = &server;
            scope.spawn(move || {
                let status = nobody().post(server, "/api/v1/login", &guess).status;
                assert!(matches!(status, 401 | 503), "{status}");
            });
        }
    });
    let after = peak(server.process());
    println!("48 wrong logins at once: {before} MB before, {after} MB at most");
    assert!(after < 100, "{after} MB");
}
