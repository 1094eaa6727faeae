//! Many at the same time: pages take little of the processor while batches are compared and slow clients hold on.
//!
//! A small sample; `FANMILL_SERVER_LOAD=1` is the whole: 200 slow connections, 10 users with 5 batches of 100 each. Figures
//! are printed. Nothing depends on the clock: what is bounded is the server's own processor time.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Person, Running};

/// What is asked for.
struct Load {
    slow: usize,
    users: usize,
    batches: usize,
    submissions: usize,
    /// Pages at least; more are asked for until all is compared.
    requests: usize,
}

const SAMPLE: Load = Load { slow: 20, users: 2, batches: 2, submissions: 30, requests: 300 };
const WHOLE: Load = Load { slow: 200, users: 10, batches: 5, submissions: 100, requests: 3000 };

/// A program of its own, half of it its neighbour's.
fn program(seed: usize) -> Vec<u8> {
    let line = |i: usize| {
        let of = if i.is_multiple_of(2) { seed } else { seed / 2 };
        format!("value_{i} = step(value_{}, {}) + {}\n", i / 2, of * 31 + i, (of * i) % 97)
    };
    (0..80).map(line).collect::<Vec<_>>().concat().into_bytes()
}

fn batch(number: usize, n: usize) -> Vec<(&'static str, String, Vec<u8>)> {
    let one = |i: usize| ("submissions", format!("s{i}/a.py"), program(number * 1000 + i));
    (0..n).map(one).collect()
}

/// Processor time of a process's threads, in nanoseconds.
fn processor_time(process: u32) -> u64 {
    let of = |task: fs::DirEntry| -> Option<u64> {
        fs::read_to_string(task.path().join("schedstat")).ok()?.split(' ').next()?.parse().ok()
    };
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("the threads");
    tasks.flatten().filter_map(of).sum()
}

/// Heads that never end, a byte now and then; who is cut comes again.
fn hold_on(host: &str, n: usize, ending: &AtomicBool) {
    let begun = || {
        let mut stream = TcpStream::connect(host).ok()?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: slow\r\nX-Slow: ").ok()?;
        Some(stream)
    };
    let mut all: Vec<Option<TcpStream>> = (0..n).map(|_| begun()).collect();
    while !ending.load(Ordering::Relaxed) {
        for one in &mut all {
            if one.as_mut().is_none_or(|stream| stream.write_all(b"x").is_err()) {
                *one = begun();
            }
        }
        thread::sleep(Duration::from_millis(250));
    }
}

#[test]
fn pages_are_cheap_while_batches_are_compared_and_slow_clients_hold_on() {
    let is_whole = std::env::var_os("FANMILL_SERVER_LOAD").is_some();
    let load = if is_whole { WHOLE } else { SAMPLE };
    let data = tempfile::tempdir().expect("folder");
    let limits = ["running=2", "connections=500", "each-address=500"];
    let server = Running::limited(data.path(), &limits);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let users: Vec<(Person, String)> = (0..load.users)
        .map(|i| {
            let user = anna.invite(&server, &format!("user{i}"), "teacher");
            let course = user.course(&server);
            (user, course)
        })
        .collect();
    let ending = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| hold_on(&server.host, load.slow, &ending));
        let queued: Vec<Vec<String>> = thread::scope(|uploads| {
            let of_user = |(i, (user, course)): (usize, &(Person, String))| {
                let ids = (0..load.batches).map(|b| {
                    let files = batch(i * load.batches + b, load.submissions);
                    let reply = user.upload(&server, course, "{}", &files);
                    assert_eq!(reply.status, 201, "{}", reply.text());
                    reply.json()["id"].as_str().expect("an id").to_owned()
                });
                ids.collect()
            };
            let started: Vec<_> =
                users.iter().enumerate().map(|user| uploads.spawn(move || of_user(user))).collect();
            started.into_iter().map(|thread| thread.join().expect("uploaded")).collect()
        });
        asked(&server, &users, &queued, &load);
        for ((user, _), ids) in users.iter().zip(&queued) {
            for id in ids {
                assert_eq!(user.wait(&server, id)["state"], "done");
            }
        }
        ending.store(true, Ordering::Relaxed);
    });
}

/// Asks for pages, one after another, and looks at what each took.
#[expect(clippy::print_stdout, reason = "the figures")]
fn asked(server: &Running, users: &[(Person, String)], queued: &[Vec<String>], load: &Load) {
    let (mut processor, mut clock, mut n_reports) = (Vec::new(), Vec::new(), 0);
    let is_compared = |(at, id): (usize, &String)| {
        let shown = users[at].0.get(server, &format!("/api/v1/batches/{id}")).json();
        shown["state"] == "done"
    };
    let all = || queued.iter().enumerate().flat_map(|(at, ids)| ids.iter().map(move |id| (at, id)));
    for n in 0.. {
        if n >= load.requests && n % 60 == 0 && all().all(is_compared) {
            break;
        }
        // As people ask, with pauses; the comparisons have the processor meanwhile.
        thread::sleep(Duration::from_millis(2));
        let at = n % users.len();
        let (user, course) = &users[at];
        let id = &queued[at][n / 7 % queued[at].len()];
        let path = match n % 6 {
            0 => "/".to_owned(),
            1 => "/api/v1/me".to_owned(),
            2 => "/api/v1/courses".to_owned(),
            3 => format!("/api/v1/courses/{course}/batches"),
            4 => format!("/api/v1/batches/{id}"),
            _ => format!("/batches/{id}/report/"),
        };
        let (before, begun) = (processor_time(server.process()), Instant::now());
        let reply = user.get(server, &path);
        assert!(matches!(reply.status, 200 | 404 | 409), "{path}: {}", reply.status);
        clock.push(begun.elapsed().as_secs_f64() * 1e3);
        let after = processor_time(server.process());
        processor.push(after.saturating_sub(before) as f64 / 1e6);
        n_reports += u32::from(n % 6 == 5 && reply.status == 200);
    }
    let of = |values: &mut Vec<f64>, percent: usize| {
        values.sort_by(f64::total_cmp);
        values[(values.len() - 1) * percent / 100]
    };
    let status = fs::read_to_string(format!("/proc/{}/status", server.process())).expect("status");
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).expect("its memory");
    println!(
        "{} slow connections, {} batches of {}: {} pages, {n_reports} of them reports; p50 {:.2}, p99 {:.2} ms of \
         processor time; {:.1}, {:.1} ms by the clock; {}",
        load.slow,
        load.users * load.batches,
        load.submissions,
        processor.len(),
        of(&mut processor, 50),
        of(&mut processor, 99),
        of(&mut clock, 50),
        of(&mut clock, 99),
        peak.split_whitespace().collect::<Vec<_>>().join(" "),
    );
    assert!(of(&mut processor, 99) <= 10.0, "{} ms", of(&mut processor, 99));
}
