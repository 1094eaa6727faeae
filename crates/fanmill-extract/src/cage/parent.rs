//! The parent: starts a child for a document, keeps the clock, and checks the answer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use fanmill_text::message;

use super::conversation::{Conversation, Piped, is_out_of_time};
use super::locks::{Locks, WithoutLocks};
use super::{CLOCK, COMMAND, READS, RECOGNISES, UserProgram, wire};
use crate::extracted::{Extracted, ReadFailure};

/// Maximum size of the picture of a page in bytes.
const MOST_PICTURE: u64 = 48 << 20;

/// The program started to read documents.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The result of reading a document in a child.
#[derive(Debug)]
pub struct Answer {
    /// The document, or the reason why it was not read.
    pub document: Result<Extracted, ReadFailure>,
    /// Locks on the child; `None` if it did not start.
    pub locks: Option<Locks>,
}

/// Sets the program that is started to read documents. Its `main` must call [`main`](super::main) if its first argument
/// is [`COMMAND`](super::COMMAND), before it starts threads or opens files. Applies to the whole process; only the
/// first call has an effect.
pub fn use_program(path: PathBuf) {
    let _ = PROGRAM.set(path);
}

/// Reads a PDF in a child, `most_bytes` of text at most. `passwords` has one per line; they are tried in turn if the
/// document is encrypted.
pub fn read(bytes: &[u8], most_bytes: u64, passwords: &str, without_locks: WithoutLocks) -> Answer {
    let Answer { document, locks } = read_with_scans(bytes, most_bytes, passwords, without_locks);
    Answer { document: document.and_then(Extracted::with_text), locks }
}

/// Reads a PDF as [`read`] does, but also one that has nothing but scanned pages; its text is empty.
pub fn read_with_scans(
    bytes: &[u8],
    most_bytes: u64,
    passwords: &str,
    without_locks: WithoutLocks,
) -> Answer {
    let question = wire::question(bytes, 0, most_bytes, passwords);
    let most = wire::most_bytes(most_bytes);
    let (document, locks) = ask(question, most, without_locks, wire::answer_of);
    Answer { document, locks }
}

/// Draws a page of a PDF, counted from 1, in a child: a grey picture in the format PGM.
///
/// # Errors
/// If the page cannot be drawn.
pub fn picture(
    bytes: &[u8],
    page: u32,
    passwords: &str,
    without_locks: WithoutLocks,
) -> Result<Vec<u8>, ReadFailure> {
    let question = wire::question(bytes, page, 0, passwords);
    ask(question, MOST_PICTURE, without_locks, wire::picture_of).0
}

/// Sends a question to a child, and returns its answer of `most` bytes at most, and the locks on it.
fn ask<T>(
    question: Vec<u8>,
    most: u64,
    without_locks: WithoutLocks,
    decode: fn(&[u8]) -> Option<Result<T, ReadFailure>>,
) -> (Result<T, ReadFailure>, Option<Locks>) {
    let Some(program) = PROGRAM.get() else {
        return (Err(ReadFailure::skipped("no program is set up to read PDF documents")), None);
    };
    ask_by(program, question, most, without_locks, decode)
}

/// Runs a program of the user's with a document on its standard input, and returns its standard output, `most_bytes` at
/// most. The program is started as named, with its arguments, and without a shell.
///
/// # Errors
/// If it cannot be started, fails, takes too long, or writes more than `most_bytes`.
pub fn run(command: &[String], bytes: &[u8], most_bytes: u64) -> Result<Vec<u8>, ReadFailure> {
    run_as(&READS, command, bytes, most_bytes)
}

/// Runs a program of the user's that recognises letters with a picture on its standard input, as [`run`] does. It may
/// take more memory and time, and has no network.
///
/// # Errors
/// As [`run`].
pub fn recognise(
    command: &[String],
    picture: &[u8],
    most_bytes: u64,
) -> Result<Vec<u8>, ReadFailure> {
    run_as(&RECOGNISES, command, picture, most_bytes)
}

fn run_as(
    may: &UserProgram,
    command: &[String],
    bytes: &[u8],
    most_bytes: u64,
) -> Result<Vec<u8>, ReadFailure> {
    let Some(program) = PROGRAM.get() else {
        return Err(ReadFailure::skipped("no program is set up to read documents"));
    };
    run_by(program, may, command, bytes, most_bytes)
}

/// Starts a child, sends it a question and receives its answer.
fn ask_by<T>(
    program: &Path,
    question: Vec<u8>,
    most: u64,
    without_locks: WithoutLocks,
    decode: fn(&[u8]) -> Option<Result<T, ReadFailure>>,
) -> (Result<T, ReadFailure>, Option<Locks>) {
    let child = match Command::new(program).args([COMMAND, "pdf"]).piped() {
        Ok(child) => child,
        Err(unread) => return (Err(unread), None),
    };
    let most = most + wire::HELLO_BYTES as u64 + 8;
    let mut conversation = Conversation::new(child, question, most, CLOCK);
    conversation.without_locks = without_locks;
    let ended = conversation.hold();
    let status = conversation.end();
    let locks = wire::hello_of(conversation.heard.get(..wire::HELLO_BYTES).unwrap_or(&[]));
    let answer = ended.and_then(|()| {
        let answer = conversation.answer_bytes().and_then(decode);
        answer.unwrap_or_else(|| Err(ReadFailure::failed(conversation.why(status))))
    });
    (answer, locks)
}

/// Starts a child that becomes the user's program, sends it a document and receives its output.
fn run_by(
    program: &Path,
    may: &UserProgram,
    command: &[String],
    bytes: &[u8],
    most_bytes: u64,
) -> Result<Vec<u8>, ReadFailure> {
    let mut child = Command::new(program);
    child.args([COMMAND, may.argument]).args(command);
    let mut conversation = Conversation::new(child.piped()?, bytes.to_vec(), most_bytes, may.clock);
    // A program of the user's does not know the protocol: it sends no hello, and its output is the whole answer.
    (conversation.has_greeted, conversation.is_plain) = (true, true);
    let ended = conversation.hold();
    let status = conversation.end();
    let name = command.first().map_or("", String::as_str);
    ended.map_err(|ReadFailure { outcome, reason }| ReadFailure {
        outcome,
        reason: message!["`{name}`: ", reason],
    })?;
    if status.is_some_and(|status| status.success()) {
        return Ok(conversation.heard);
    }
    let words = String::from_utf8_lossy(&conversation.last_words);
    let words: String = words.lines().next().unwrap_or_default().chars().take(200).collect();
    let said = if words.is_empty() { String::new() } else { format!(": {words}") };
    let failed = |how: &str| Err(ReadFailure::failed(format!("`{name}` {how}{said}")));
    match status.and_then(|status| status.code()) {
        _ if is_out_of_time(status) => {
            let seconds = may.processor_seconds;
            failed(&format!("took longer than {seconds} s of processor time"))
        }
        Some(code) if code == i32::from(wire::NOT_STARTED) => failed("could not be started"),
        Some(code) => failed(&format!("failed with status {code}")),
        None => failed("was killed"),
    }
}
