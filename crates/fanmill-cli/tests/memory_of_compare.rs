//! What `compare` takes of memory for each byte of text, as the operating system counts it.
//!
//! A binary of its own with one test, since the system tells the peak of all programs together that a
//! process has started. Two batches are compared, both so large that each thread fills its workspace: their difference
//! is what each byte of text takes, without the program and the workspace.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;

/// Programs in a batch: so many that what each thread takes for the one it works on matters little.
const PROGRAMS: u64 = 32;
/// Bytes of a program in the small batch and in the large one.
const SIZES: [usize; 2] = [200_000, 600_000];
/// Bytes of memory that a byte of code may take where a token is a byte or two.
const DENSE: f64 = 10.0;

/// A program without blanks, of short names and operators; an eighth of it is in all of them.
fn dense(number: u64, n_bytes: usize) -> String {
    const PIECES: [&str; 16] =
        ["ab", "b", "cd", "xy", "yz", "==", "+", "*", "(", ")", "[", "]", "<=", "+=", "||", "&&"];
    let draw = |mut state: u64, n_bytes: usize| {
        let mut text = String::with_capacity(n_bytes + 2);
        while text.len() < n_bytes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let piece = PIECES[(state >> 60) as usize];
            let is_letter = |text: &str| text.ends_with(|c: char| c.is_ascii_lowercase());
            text.push_str(if is_letter(&text) && is_letter(piece) { ";" } else { piece });
        }
        text
    };
    draw(number + 2, n_bytes / 8 * 7) + "\n" + &draw(1, n_bytes / 8)
}

/// The largest peak, in bytes, of the programs that were started so far.
fn peak() -> usize {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("it is counted");
    usize::try_from(usage.max_rss()).expect("no debt of memory") << 10
}

/// Compares a batch of programs of so many bytes; returns all their bytes.
fn compare(place: &Path, n_bytes: usize) -> usize {
    let folder = place.join(n_bytes.to_string());
    fs::create_dir(&folder).expect("a folder");
    let mut sum = 0;
    for number in 0..PROGRAMS {
        let program = dense(number, n_bytes);
        sum += program.len();
        fs::write(folder.join(format!("{number:02}.js")), program).expect("a file");
    }
    let done = Command::new(env!("CARGO_BIN_EXE_fanmill"))
        .args(["compare", "--quiet", "--threads", "2"])
        .arg(&folder)
        .stdout(Stdio::null())
        .status();
    assert!(done.expect("the program starts").success());
    sum
}

#[test]
fn a_byte_of_dense_code_takes_no_more_than_ten_bytes() {
    let place = TempDir::new().expect("a folder");
    // The smaller one comes first, since a peak is never taken back.
    let [few, many] = SIZES.map(|n_bytes| (compare(place.path(), n_bytes), peak()));
    let each = (many.1 - few.1) as f64 / (many.0 - few.0) as f64;
    assert!(each <= DENSE, "{each:.2} bytes a byte");
}
