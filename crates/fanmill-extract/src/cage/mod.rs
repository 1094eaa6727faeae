//! A cage for readers with a bad record: each document is read by a process of its own, which can do nothing else.
//!
//! The process is the same program, started as `fanmill __extract pdf`. It locks itself before it sees a byte of the document:
//! no files, no sockets, no processes, no threads (landlock and seccomp, on Linux), 512 MiB of memory, 10 s of processor time (resource limits).
//! The parent keeps a clock, since a process that sleeps uses no processor time, and the child dies with it. What the
//! child answers is checked as if the document had written it: it may have.
//!
//! One process a document, so that no document can answer for the next one, nor use up its time or memory. A process
//! starts in a few milliseconds.
//!
//! A program that the user names ([`run`]) reads documents in the same way, with limits on memory and time alone: it may need
//! files of its own.
//!
//! [`use_program`] says which program is started. Until then such documents are not read, and are never read in this process.
//!
//! A comparison that a server runs has more room ([`confine`]): one folder to read, one to write, threads, and the program
//! itself, which it starts to read PDF.
//!
//! | layer | what it stops | where |
//! |---|---|---|
//! | resource limits | memory, processor time, writing files, further processes | Linux, macOS |
//! | landlock | files, TCP, signals to other processes | Linux 5.13 and later, more of it on later ones |
//! | seccomp | every call of the system but those that memory and the two pipes need | Linux on x86-64 and ARM64 |
//! | clock of the parent | waiting | Linux, macOS |

#![cfg_attr(not(feature = "pdf"), allow(dead_code, reason = "what only the reader of PDF needs"))]

mod locks;
#[cfg(feature = "pdf")]
mod wire;
#[cfg(feature = "pdf")]
mod selftest;
#[cfg(feature = "pdf")]
mod child;
#[cfg(feature = "pdf")]
mod parent;

#[cfg(feature = "pdf")]
pub use child::main;
pub use locks::{Lock, Locks, Room, confine};
#[cfg(feature = "pdf")]
pub use parent::{Answer, read, run, use_program};

use std::time::Duration;

/// The first argument of the program by which it is a child. It is no command for people.
pub const COMMAND: &str = "__extract";

/// The second argument of a child that becomes a program of the user's.
const COMMAND_OF_USER: &str = "run";

/// Address space of a child.
const MEMORY: u64 = 512 << 20;

/// Processor time of a child, in seconds.
const PROCESSOR_SECONDS: u64 = 10;

/// How long a child may take by the clock. On a machine with more to do than processors, processor time passes slowly.
const CLOCK: Duration = Duration::from_mins(1);

/// How long a child may take to start.
const START: Duration = Duration::from_secs(20);
