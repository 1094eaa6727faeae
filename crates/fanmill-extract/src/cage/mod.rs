//! A cage for readers with a poor security record: a process of its own reads each document and can do nothing else.
//!
//! The process is the same program, started as `fanmill __extract pdf`. Before it sees a byte of the document, it closes
//! what it may have inherited besides its three pipes, and locks itself in: no files, no sockets, no processes, no
//! threads, no code but the program's own (landlock, and a list of allowed system calls by seccomp, on Linux), 512 MiB
//! of memory, 10 s of processor time (resource limits; a job on Windows). The parent also keeps a clock, since a process that sleeps uses
//! no processor time, and the child dies with its parent. The child's answer is checked as if the document had written
//! it, because it may have.
//!
//! There is one process per document, so that no document can answer for the next one or use up its time or memory. A
//! process starts in a few milliseconds.
//!
//! A program that the user names ([`run`]) reads documents in the same way, but only its memory and time are limited:
//! it may need files of its own.
//!
//! [`use_program`] sets the program that is started. Until it is called, such documents are not read; they are never
//! read in this process.
//!
//! A comparison that a server runs may do more ([`confine`]): it may read and write the paths that it is given, use
//! threads, and start programs such as this one, which it needs to read PDF.
//!
//! | layer | what it stops | where |
//! |---|---|---|
//! | closing | what the parent left open by mistake | Linux, macOS |
//! | resource limits | memory (not on macOS), processor time, further descriptors and processes | Linux, macOS |
//! | landlock | files, TCP, signals to other processes | Linux 5.13 and later, more of it on later ones |
//! | seccomp | every system call, and every argument, that memory and the three pipes do not need | Linux on x86-64 and ARM64 |
//! | job | memory, processor time, further processes | Windows |
//! | clock of the parent | waiting | everywhere |
//!
//! On a Linux with neither landlock nor seccomp a document is skipped, unless the caller says otherwise
//! ([`WithoutLocks`]).

#![cfg_attr(not(feature = "pdf"), allow(dead_code, reason = "what only the reader of PDF needs"))]

#[cfg(unix)]
mod raw;
#[cfg(windows)]
mod job;
#[cfg(target_os = "linux")]
mod calls;
mod locks;
#[cfg(feature = "pdf")]
mod wire;
#[cfg(feature = "pdf")]
mod selftest;
#[cfg(feature = "pdf")]
mod child;
#[cfg(feature = "pdf")]
mod conversation;
#[cfg(all(feature = "pdf", unix))]
mod polled;
#[cfg(all(feature = "pdf", any(windows, test)))]
mod threaded;
#[cfg(feature = "pdf")]
mod parent;

#[cfg(feature = "pdf")]
pub use child::main;
pub use locks::{Lock, Locks, SandboxLimits, WithoutLocks, confine};
#[cfg(feature = "pdf")]
pub use parent::{Answer, picture, read, read_with_scans, recognise, run, use_program};
#[cfg(target_os = "linux")]
pub use raw::passing_calls;

use std::time::Duration;

/// First argument that makes the program act as a child. It is not a command for people.
pub const COMMAND: &str = "__extract";

/// Second argument of a child that becomes a program of the user's.
const COMMAND_OF_USER: &str = "run";

/// Second argument of a child that becomes a program of the user's which recognises letters in pictures.
const RECOGNISER_OF_USER: &str = "recognise";

/// Limits of a program of the user's.
struct UserProgram {
    /// Its name as an argument of the child.
    argument: &'static str,
    /// Address space in bytes.
    memory: u64,
    processor_seconds: u64,
    /// Time by the clock.
    clock: Duration,
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "no other system can forbid it")
    )]
    has_network: bool,
}

/// A program that reads a document. It may ask a service for that.
const READS: UserProgram = UserProgram {
    argument: COMMAND_OF_USER,
    memory: MEMORY,
    processor_seconds: PROCESSOR_SECONDS,
    clock: CLOCK,
    has_network: true,
};

/// A program that recognises the letters of a page, which takes seconds and hundreds of megabytes.
const RECOGNISES: UserProgram = UserProgram {
    argument: RECOGNISER_OF_USER,
    memory: 2 << 30,
    processor_seconds: 60,
    clock: Duration::from_mins(3),
    has_network: false,
};

/// Address space of a child, in bytes.
const MEMORY: u64 = 512 << 20;

/// Processor time of a child, in seconds.
const PROCESSOR_SECONDS: u64 = 10;

/// Time that a child may take by the clock. On a machine with more work than processors, processor time passes slowly.
const CLOCK: Duration = Duration::from_mins(1);

/// Time that a child may take to start.
const START: Duration = Duration::from_secs(20);
