//! The parent: starts a child for a document, keeps the clock, and checks the answer.

#[cfg(not(unix))]
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::locks::Locks;
use super::{READS, RECOGNISES, UserProgram, wire};
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

/// Action for a document whose reader can be locked in by neither landlock nor seccomp, on a system that could have
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutLocks {
    /// The document is skipped.
    Skip,
    /// The document is read, in a process that has nothing but its limits.
    Read,
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

#[cfg(not(unix))]
fn ask_by<T>(
    _: &Path,
    _: Vec<u8>,
    _: u64,
    _: WithoutLocks,
    _: fn(&[u8]) -> Option<Result<T, ReadFailure>>,
) -> (Result<T, ReadFailure>, Option<Locks>) {
    (Err(ReadFailure::skipped("PDF documents are not read on this system yet")), None)
}

#[cfg(not(unix))]
fn run_by(
    _: &Path,
    _: &UserProgram,
    _: &[String],
    _: &[u8],
    _: u64,
) -> Result<Vec<u8>, ReadFailure> {
    Err(ReadFailure::skipped("other programs are not started on this system yet"))
}

#[cfg(unix)]
use unix::{ask_by, run_by};

#[cfg(unix)]
pub(super) mod unix {
    use std::io::{ErrorKind, Read, Write};
    use std::os::fd::AsFd;
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::time::{Duration, Instant};

    use fanmill_text::message;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::ioctl_fionbio;

    use super::super::{CLOCK, COMMAND, MEMORY, PROCESSOR_SECONDS, START, UserProgram, wire};
    use super::{Locks, WithoutLocks};
    use crate::extracted::ReadFailure;

    /// Maximum number of bytes examined of a child's standard error.
    const LAST_WORDS: usize = 4096;

    /// Starts a child, sends it a question and receives its answer.
    pub(super) fn ask_by<T>(
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
    pub(super) fn run_by(
        program: &Path,
        may: &UserProgram,
        command: &[String],
        bytes: &[u8],
        most_bytes: u64,
    ) -> Result<Vec<u8>, ReadFailure> {
        let mut child = Command::new(program);
        child.args([COMMAND, may.argument]).args(command);
        let mut conversation =
            Conversation::new(child.piped()?, bytes.to_vec(), most_bytes, may.clock);
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
            Some(code) if code == i32::from(wire::NOT_STARTED) => failed("could not be started"),
            Some(code) => failed(&format!("failed with status {code}")),
            None if is_out_of_time(status) => {
                let seconds = may.processor_seconds;
                failed(&format!("took longer than {seconds} s of processor time"))
            }
            None => failed("was killed"),
        }
    }

    /// Starting a command with pipes.
    trait Piped {
        fn piped(&mut self) -> Result<Child, ReadFailure>;
    }

    impl Piped for Command {
        /// Starts a child with three pipes and an environment of `PATH` and a fixed locale only, and one
        /// thread for those that ask OpenMP.
        fn piped(&mut self) -> Result<Child, ReadFailure> {
            // A program that recognises letters would start threads, each with memory of its own.
            self.env_clear().env("LC_ALL", "C.UTF-8").env("OMP_THREAD_LIMIT", "1");
            if let Some(path) = std::env::var_os("PATH") {
                self.env("PATH", path);
            }
            self.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let failed = |error| format!("its reader could not be started: {error}");
            self.spawn().map_err(|error| ReadFailure::failed(failed(error)))
        }
    }

    /// A running child and the data exchanged with it.
    struct Conversation {
        child: Child,
        /// Bytes to send to it.
        to_say: Vec<u8>,
        said: usize,
        heard: Vec<u8>,
        last_words: Vec<u8>,
        most: u64,
        /// If set, the document may be sent to it.
        has_greeted: bool,
        /// If set, its output is plain text rather than an encoded answer.
        is_plain: bool,
        without_locks: WithoutLocks,
        /// Start of the child, from which the time limits for its hello and for the whole exchange count.
        start: Instant,
        /// Time limit for the whole exchange.
        clock: Duration,
    }

    impl Conversation {
        /// Prepares to send `to_say` to a child that may write `most` bytes at most.
        fn new(child: Child, to_say: Vec<u8>, most: u64, clock: Duration) -> Conversation {
            Conversation {
                child,
                to_say,
                said: 0,
                heard: Vec::new(),
                last_words: Vec::new(),
                most,
                has_greeted: false,
                is_plain: false,
                without_locks: WithoutLocks::Skip,
                start: Instant::now(),
                clock,
            }
        }

        /// Writes to the child and reads from it until its output ends.
        fn hold(&mut self) -> Result<(), ReadFailure> {
            let lost = |error: &dyn std::fmt::Display| {
                ReadFailure::failed(format!("its reader was lost: {error}"))
            };
            let (mut to, mut from, mut last) =
                (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
            if let (Some(to), Some(from), Some(last)) = (&to, &from, &last) {
                for file in [to.as_fd(), from.as_fd(), last.as_fd()] {
                    ioctl_fionbio(file, true).map_err(|error| lost(&error))?;
                }
            }
            while from.is_some() {
                self.greet()?;
                let has_greeted = self.has_greeted;
                let limit = if has_greeted { self.clock } else { self.clock.min(START) };
                let left = limit.checked_sub(self.start.elapsed()).ok_or_else(|| {
                    let seconds = limit.as_secs();
                    ReadFailure::failed(format!("its reader took longer than {seconds} s"))
                })?;
                let is_saying = has_greeted && self.said < self.to_say.len();
                if has_greeted && !is_saying {
                    // Closing the pipe marks the end of the document.
                    to = None;
                }
                wait(to.as_ref().filter(|_| is_saying), from.as_ref(), last.as_ref(), left)
                    .map_err(|error| lost(&error))?;
                if let Some(pipe) = to.as_mut().filter(|_| is_saying) {
                    match pipe.write(&self.to_say[self.said..]) {
                        Ok(n) => self.said += n,
                        Err(error) if is_later(&error) => {}
                        // It died or has read enough; its output shows which.
                        Err(_) => self.said = self.to_say.len(),
                    }
                }
                hear(&mut from, &mut self.heard, self.most as usize);
                hear(&mut last, &mut self.last_words, LAST_WORDS);
                if self.heard.len() as u64 > self.most {
                    let too_much = "its reader says more than a document can have";
                    return Err(ReadFailure::failed(too_much));
                }
            }
            Ok(())
        }

        /// Reads the child's hello, once it is there. The document is sent only after it.
        fn greet(&mut self) -> Result<(), ReadFailure> {
            let hello = self.heard.get(..wire::HELLO_BYTES).filter(|_| !self.has_greeted);
            let Some(hello) = hello else { return Ok(()) };
            let locks = wire::hello_of(hello)
                .ok_or_else(|| ReadFailure::failed("its reader is a program of another version"))?;
            if locks.is_unlocked() && self.without_locks == WithoutLocks::Skip {
                let reason = "not read, as this system has neither landlock nor seccomp to lock its reader in";
                return Err(ReadFailure::skipped(reason));
            }
            self.has_greeted = true;
            Ok(())
        }

        /// Waits briefly for the child to end by itself, then kills it.
        fn end(&mut self) -> Option<ExitStatus> {
            let until = Instant::now() + Duration::from_secs(1);
            // It has closed its output and is about to end. If the answer is incomplete, there is no point in waiting.
            while Instant::now() < until {
                match self.child.try_wait() {
                    Ok(Some(status)) => return Some(status),
                    Ok(None) if self.is_done() => std::thread::sleep(Duration::from_millis(1)),
                    _ => break,
                }
            }
            let _ = self.child.kill();
            self.child.wait().ok()
        }

        /// Returns whether a whole answer was received.
        fn is_done(&self) -> bool {
            self.is_plain || self.answer_bytes().is_some()
        }

        fn answer_bytes(&self) -> Option<&[u8]> {
            let (length, answer) = self.heard.get(wire::HELLO_BYTES..)?.split_first_chunk()?;
            (u64::from_le_bytes(*length) == answer.len() as u64).then_some(answer)
        }

        /// Explains why there is no answer.
        fn why(&self, status: Option<ExitStatus>) -> String {
            let words = String::from_utf8_lossy(&self.last_words);
            let signal = status.and_then(|status| status.signal());
            if is_out_of_time(status) {
                format!("reading it took longer than {PROCESSOR_SECONDS} s of processor time")
            } else if words.contains("memory allocation of") {
                format!("reading it took more memory than {} MiB", MEMORY >> 20)
            } else if words.contains("overflowed its stack") {
                "it is nested too deeply to be read".to_owned()
            } else if signal == Some(rustix::process::Signal::KILL.as_raw()) {
                "its reader was killed".to_owned()
            } else if self.is_done() {
                "its reader gave an invalid answer; the document may be made to mislead it"
                    .to_owned()
            } else {
                "its reader crashed; the document may be damaged".to_owned()
            }
        }
    }

    /// Returns whether a child was killed for using too much processor time.
    fn is_out_of_time(status: Option<ExitStatus>) -> bool {
        let signal = status.and_then(|status| status.signal());
        signal == Some(rustix::process::Signal::XCPU.as_raw())
    }

    /// Waits until one of the pipes is ready or the time is up.
    fn wait(
        to: Option<&impl AsFd>,
        from: Option<&impl AsFd>,
        last: Option<&impl AsFd>,
        left: Duration,
    ) -> rustix::io::Result<()> {
        let mut pipes = Vec::new();
        pipes.extend(to.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        pipes.extend(from.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(last.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let left = Timespec {
            tv_sec: left.as_secs().cast_signed(),
            tv_nsec: i64::from(left.subsec_nanos()),
        };
        match poll(&mut pipes, Some(&left)) {
            Err(rustix::io::Errno::INTR) | Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn is_later(error: &std::io::Error) -> bool {
        matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
    }

    /// Reads what is available in a pipe; a pipe at its end becomes `None`.
    fn hear(pipe: &mut Option<impl Read>, heard: &mut Vec<u8>, most: usize) {
        let Some(open) = pipe else { return };
        let mut some = [0; 16 << 10];
        loop {
            match open.read(&mut some) {
                Ok(0) => break,
                // Keep one byte more than allowed, to show that it is too much.
                Ok(n) => {
                    let room = (most + 1).saturating_sub(heard.len()).min(n);
                    heard.extend(&some[..room]);
                    if room < n {
                        return;
                    }
                }
                Err(error) if is_later(&error) => return,
                Err(_) => break,
            }
        }
        *pipe = None;
    }
}
