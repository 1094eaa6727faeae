//! What the program takes of memory for each text that it is given, measured as the operating system counts it.
//!
//! A binary of its own, since the system tells the peak of all programs together that a process has started: here none runs
//! beside the one that is measured. What a run takes for a few texts is taken off, so that the program itself does not count.

#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;

/// Messages of the smaller and the larger run.
const FEW: usize = 5_000;
const MANY: usize = 35_000;
/// Bytes that a message of 500 may take in memory, on top of what is read of it at a time. A campaign takes the most: 620 to 650.
const BYTES_A_MESSAGE: usize = 700;
/// Some twenty values are kept of a message, as by `mail`, which takes ten times as long.
const READ: &str =
    "--key a.key --quiet --profile words@1/slide(l=6)+skip(l=6,p=0.2)+space(l=6,p=0.2)/pow2(n=10)";

/// A mailbox of different messages of some 500 bytes.
fn mailbox(n: usize) -> String {
    let mut state = 1_u64;
    let mut random = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut mail = String::new();
    for _ in 0..n {
        mail.push_str("From a@b Mon Mar  2 08:11:02 2026\nTo: a@b\nSubject: an offer for you\n\n");
        let mut word = || {
            let stem = random(7919);
            let parts = ["ra", "mo", "ti", "ne", "sul", "ka", "po"].iter().enumerate();
            let taken: Vec<&str> =
                parts.filter(|(i, _)| stem >> i & 1 == 1).map(|(_, part)| *part).collect();
            taken.concat() + ["a", "e", "i", "o", "u", "y"][stem as usize % 6]
        };
        let body: Vec<String> = (0..50).map(|_| word()).collect();
        writeln!(mail, "{}\n", body.join(" ")).expect("memory takes all");
    }
    mail
}

/// The largest peak, in bytes, of the programs that were started so far.
fn peak() -> usize {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("it is counted");
    usize::try_from(usage.max_rss()).expect("no debt of memory") << 10
}

fn sift(place: &Path, arguments: &str) {
    let done = Command::new(env!("CARGO_BIN_EXE_fanmill"))
        .args(["sift"].into_iter().chain(arguments.split(' ')))
        .current_dir(place)
        .stdout(Stdio::null())
        .status();
    assert!(done.expect("the program starts").success(), "{arguments}");
}

/// Both in one test, so that no other program runs at the same time.
#[test]
fn a_message_of_500_bytes_takes_no_more_than_700_while_it_is_added_or_grouped() {
    let place = TempDir::new().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let digits = "00112233445566778899aabbccddeeff0123456789abcdef0f1e2d3c4b5a6978";
    fs::write(path("a.key"), format!("fanmill-sift-key-1 {digits}\n")).expect("a file");
    fs::set_permissions(path("a.key"), Permissions::from_mode(0o600)).expect("a file of our own");
    let (few, many) = (mailbox(FEW), mailbox(MANY));
    let size = many.len() / MANY;
    assert!((400..600).contains(&size), "{size} bytes a message");
    fs::write(path("few.mbox"), few).expect("a file");
    fs::write(path("many.mbox"), many).expect("a file");
    sift(place.path(), &format!("add {READ} a.sift few.mbox"));
    sift(place.path(), &format!("campaign {READ} few.mbox"));
    let before = peak();
    let short = "--key a.key --quiet --profile short";
    // Those that take least come first, since a peak is never taken back.
    for (command, n_messages) in [
        (format!("add {READ} b.sift many.mbox"), MANY),
        (format!("add {short} c.sift many.mbox"), MANY),
        // What is there already, and its replacement.
        ("add --key a.key --quiet b.sift many.mbox".to_owned(), 2 * MANY),
        (format!("campaign {READ} many.mbox"), MANY),
        ("campaign --key a.key --quiet many.mbox".to_owned(), MANY),
    ] {
        sift(place.path(), &command);
        let a_message = peak().saturating_sub(before) / (n_messages - FEW);
        assert!(a_message <= BYTES_A_MESSAGE, "{command}: {a_message} bytes a message");
    }
}
