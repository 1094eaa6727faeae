//! A running child: its pipes, its clock, and the reasons why there is no answer.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::locks::WithoutLocks;
use super::{MEMORY, PROCESSOR_SECONDS, START, wire};
use crate::extracted::ReadFailure;

/// Maximum number of bytes examined of a child's standard error.
pub(super) const LAST_WORDS: usize = 4096;

/// Starting a command with pipes.
pub(super) trait Piped {
    fn piped(&mut self) -> Result<Child, ReadFailure>;
}

impl Piped for Command {
    /// Starts a child with three pipes and an environment of `PATH`, the system's folder and a fixed locale only, and
    /// one thread for those that ask OpenMP.
    fn piped(&mut self) -> Result<Child, ReadFailure> {
        // A program that recognises letters would start threads, each with memory of its own.
        self.env_clear().env("LC_ALL", "C.UTF-8").env("OMP_THREAD_LIMIT", "1");
        // The allocator of static programs takes memory in steps of these KiB, which count when it asks for them.
        self.env("MIMALLOC_ARENA_RESERVE", "65536");
        // Windows needs the name of its own folder to load libraries.
        for kept in ["PATH", "SystemRoot"] {
            self.envs(std::env::var_os(kept).map(|value| (kept, value)));
        }
        self.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |error| format!("its reader could not be started: {error}");
        self.spawn().map_err(|error| ReadFailure::failed(failed(error)))
    }
}

/// A running child and the data exchanged with it.
pub(super) struct Conversation {
    pub(super) child: Child,
    /// Bytes to send to it.
    pub(super) to_say: Vec<u8>,
    #[cfg(unix)]
    pub(super) said: usize,
    pub(super) heard: Vec<u8>,
    pub(super) last_words: Vec<u8>,
    pub(super) most: u64,
    /// If set, the document may be sent to it.
    pub(super) has_greeted: bool,
    /// If set, its output is plain text rather than an encoded answer.
    pub(super) is_plain: bool,
    pub(super) without_locks: WithoutLocks,
    /// Start of the child, from which the time limits for its hello and for the whole exchange count.
    pub(super) start: Instant,
    /// Time limit for the whole exchange.
    pub(super) clock: Duration,
}

impl Conversation {
    /// Prepares to send `to_say` to a child that may write `most` bytes at most.
    pub(super) fn new(child: Child, to_say: Vec<u8>, most: u64, clock: Duration) -> Conversation {
        Conversation {
            child,
            to_say,
            #[cfg(unix)]
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

    /// Reads the child's hello, once it is there. The document is sent only after it.
    pub(super) fn greet(&mut self) -> Result<(), ReadFailure> {
        let hello = self.heard.get(..wire::HELLO_BYTES).filter(|_| !self.has_greeted);
        let Some(hello) = hello else { return Ok(()) };
        let locks = wire::hello_of(hello)
            .ok_or_else(|| ReadFailure::failed("its reader is a program of another version"))?;
        if locks.is_unlocked() && self.without_locks == WithoutLocks::Skip {
            let reason =
                "not read, as this system has neither landlock nor seccomp to lock its reader in";
            return Err(ReadFailure::skipped(reason));
        }
        self.has_greeted = true;
        Ok(())
    }

    /// Returns the time that is left: to say hello, and then for the whole exchange.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn time_left(&self) -> Result<Duration, ReadFailure> {
        let limit = if self.has_greeted { self.clock } else { self.clock.min(START) };
        limit.checked_sub(self.start.elapsed()).ok_or_else(|| {
            let seconds = limit.as_secs();
            ReadFailure::failed(format!("its reader took longer than {seconds} s"))
        })
    }

    /// Checks that the child has not sent more than it may.
    ///
    /// # Errors
    /// If it has.
    pub(super) fn bounded(&self) -> Result<(), ReadFailure> {
        if self.heard.len() as u64 > self.most {
            return Err(ReadFailure::failed("its reader says more than a document can have"));
        }
        Ok(())
    }

    /// Waits briefly for the child to end by itself, then kills it.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
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

    pub(super) fn answer_bytes(&self) -> Option<&[u8]> {
        let (length, answer) = self.heard.get(wire::HELLO_BYTES..)?.split_first_chunk()?;
        (u64::from_le_bytes(*length) == answer.len() as u64).then_some(answer)
    }

    /// Explains why there is no answer.
    pub(super) fn why(&self, status: Option<ExitStatus>) -> String {
        let words = String::from_utf8_lossy(&self.last_words);
        if is_out_of_time(status) {
            format!("reading it took longer than {PROCESSOR_SECONDS} s of processor time")
        } else if words.contains("memory allocation of") {
            format!("reading it took more memory than {} MiB", MEMORY >> 20)
        } else if words.contains("overflowed its stack") {
            "it is nested too deeply to be read".to_owned()
        } else if is_killed(status) {
            "its reader was killed".to_owned()
        } else if self.is_done() {
            "its reader gave an invalid answer; the document may be made to mislead it".to_owned()
        } else {
            "its reader crashed; the document may be damaged".to_owned()
        }
    }
}

/// Returns whether a child was killed for using too much processor time.
#[cfg(unix)]
pub(super) fn is_out_of_time(status: Option<ExitStatus>) -> bool {
    is_ended_by(status, rustix::process::Signal::XCPU)
}

/// Returns whether a child was killed for using too much processor time: by its job, or by the process between.
#[cfg(windows)]
pub(super) fn is_out_of_time(status: Option<ExitStatus>) -> bool {
    let code = status.and_then(|status| status.code());
    code.is_some_and(|code| code == super::job::OUT_OF_TIME || code == i32::from(wire::OUT_OF_TIME))
}

#[cfg(unix)]
fn is_killed(status: Option<ExitStatus>) -> bool {
    is_ended_by(status, rustix::process::Signal::KILL)
}

/// Returns `false`: a process that another one ends has the status that this one chooses.
#[cfg(windows)]
fn is_killed(_: Option<ExitStatus>) -> bool {
    false
}

#[cfg(unix)]
fn is_ended_by(status: Option<ExitStatus>, signal: rustix::process::Signal) -> bool {
    use std::os::unix::process::ExitStatusExt;

    status.and_then(|status| status.signal()) == Some(signal.as_raw())
}
