//! What is too much is named, with its limit, and ends the session.

use fanmill_moss::Limits;

use crate::talk::{File, Heard, Server, session};

fn small() -> Limits {
    Limits { file_bytes: 1000, session_bytes: 3000, files: 3, line_bytes: 100 }
}

fn hear(bytes: &[u8]) -> Heard {
    let (mut whole, mut cut) = (Server::with_limits(small()), Server::with_limits(small()));
    whole.push(bytes).wait();
    for byte in bytes {
        cut.push(std::slice::from_ref(byte));
    }
    cut.wait();
    // How much of a file was heard before the error may differ.
    let story = |heard: &Heard| (heard.written.clone(), heard.query.clone(), heard.files.len());
    assert_eq!(story(&whole.heard), story(&cut.heard));
    whole.heard
}

fn told(bytes: &[u8]) -> String {
    let heard = hear(bytes);
    assert!(heard.is_fault && heard.query.is_none());
    heard.written.lines().last().expect("a line").to_owned()
}

#[test]
fn a_large_file_is_refused_by_its_size() {
    let files = [File::new(1, "big.java", "").declared(1001)];
    let expected = "error: file \"big.java\" has 1001 bytes, more than the limit of 1000";
    assert_eq!(told(&session(&files).0), expected);
    let files = [File::new(1, "big.java", [b'x'; 1000])];
    assert!(!hear(&session(&files).0).is_fault);
}

#[test]
fn a_file_that_grows_beyond_its_size_is_refused_too() {
    for line in ["x".repeat(50) + "\n", "x".to_owned(), "file 2 java 3 x\n".to_owned()] {
        let files = [File::new(1, "big.java", line.repeat(2000 / line.len())).declared(10)];
        let told = told(&session(&files).0);
        assert!(told.ends_with("is longer than the limit of 1000 bytes"), "{told}");
    }
}

#[test]
fn a_file_of_a_wrong_size_is_not_charged_for_what_follows_it() {
    // The whole session arrives in one piece, and each file is within its limit.
    let files: Vec<File> =
        (1..3).map(|id| File::new(id, "a.java", [b'x'; 900]).declared(10)).collect();
    let heard = hear(&session(&files).0);
    assert_eq!(heard.contents(), [[b'x'; 900]; 2]);
    assert!(heard.query.is_some(), "{}", heard.written);
}

#[test]
fn many_wrong_sizes_do_not_use_up_a_session() {
    let files: Vec<File> =
        (1..500).map(|id| File::new(id, "a.java", "größer\n".repeat(9)).declared(54)).collect();
    let (bytes, _) = session(&files);
    let limits = Limits { session_bytes: 2 * bytes.len() as u64, ..Limits::standard() };
    let mut server = Server::with_limits(limits);
    server.push(&bytes).wait();
    assert!(server.heard.query.is_some(), "{}", server.heard.written);
    assert_eq!(server.heard.files.len(), files.len());
}

#[test]
fn a_session_has_a_limit_of_its_own() {
    let files: Vec<File> = (1..4).map(|id| File::new(id, "a.java", [b'x'; 1000])).collect();
    let told_so = told(&session(&files).0);
    let expected = "error: file \"a.java\" has 1000 bytes, with which the session is longer than the limit of 3000";
    assert_eq!(told_so, expected);
    let lines = b"moss 1\n".iter().copied().chain(b"show 1\n".repeat(500)).collect::<Vec<u8>>();
    assert_eq!(told(&lines), "error: the session is longer than the limit of 3000 bytes");
}

#[test]
fn files_are_counted() {
    let files: Vec<File> = (0..4).map(|id| File::new(id, "a.java", "x")).collect();
    assert_eq!(
        told(&session(&files).0),
        "error: file \"a.java\" is one more than the limit of 3 files"
    );
}

#[test]
fn lines_are_measured() {
    let name = "n".repeat(100);
    let told_so = told(&session(&[File::new(1, &name, "x")]).0);
    assert!(told_so.starts_with("error: line \"file 1 java 1 nnn"), "{told_so}");
    assert!(told_so.ends_with("…\" is longer than the limit of 100 bytes"), "{told_so}");
    let long = [b"moss ".as_slice(), &[b'1'; 200]].concat();
    assert!(told(&long).contains("is longer than the limit of 100 bytes"));
    let fits = "n".repeat(100 - "file 1 java 1 ".len());
    assert!(!hear(&session(&[File::new(1, &fits, "x")]).0).is_fault);
}

/// Thousands of lines in one file, each of which swallows those after it: read again, but not for ever.
#[test]
fn sizes_made_to_cost_time_are_cut_short() {
    let limits = Limits { files: 1_000_000, session_bytes: 8 << 20, ..Limits::standard() };
    let lines: Vec<String> = (2..60_000).map(|id| format!("file {id} java 3000000 a\n")).collect();
    let text = lines.concat();
    let (bytes, _) = session(&[File::new(1, "a", text).declared(3_000_000)]);
    let mut server = Server::with_limits(limits);
    server.push(&bytes).wait();
    assert_eq!(
        server.heard.written.lines().last(),
        Some(
            "error: file \"a\" has 3000000 bytes, with which the session is longer than the limit of 8388608"
        )
    );
}
