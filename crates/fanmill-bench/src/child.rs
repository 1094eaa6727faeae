//! A command run as a child process, with its processor time and peak memory.
//!
//! The command has its own process, so that the allocator, threads and earlier work of this process do not count.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{Usage, UsageWho, getrusage};

use crate::stopwatch::peak_memory_of;

/// The resources that a process has used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResourceUsage {
    /// Processor time of all its threads, in seconds, spent in its own code; `system` is the time the system spent for
    /// it.
    pub(crate) user: f64,
    pub(crate) system: f64,
    /// Peak memory of its largest process in bytes, if the system reports it.
    pub(crate) peak: Option<u64>,
}

impl ResourceUsage {
    /// Returns the total processor time in seconds.
    pub(crate) fn seconds(self) -> f64 {
        self.user + self.system
    }
}

/// Returns the `fanmill` to measure: the one that is named, or else that beside this program.
///
/// # Errors
/// If there is none.
pub(crate) fn measured_program(named: Option<&Path>) -> Result<PathBuf> {
    let program = match named {
        Some(program) => program.to_owned(),
        None => std::env::current_exe()?.with_file_name("fanmill"),
    };
    ensure!(
        program.is_file(),
        "there is no `{}`; build it with `cargo build --release`, or name one with --binary",
        program.display()
    );
    Ok(program)
}

/// Runs a command to its end. No other child may run at the same time.
///
/// Time is the system's count for finished children, to the microsecond. Memory is read every two milliseconds while
/// the process runs, since the system forgets it afterwards.
pub(crate) fn run(command: &mut Command) -> Result<ResourceUsage> {
    let (user, system) = of_children()?;
    let mut child = command
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("could not start {command:?}"))?;
    let mut peak = None;
    let exit = loop {
        peak = peak.max(peak_of(child.id()));
        if let Some(exit) = child.try_wait()? {
            break exit;
        }
        thread::sleep(Duration::from_millis(2));
    };
    ensure!(exit.success(), "{command:?} ended with {exit}");
    let (user_after, system_after) = of_children()?;
    Ok(ResourceUsage { user: user_after - user, system: system_after - system, peak })
}

/// Runs a command several times, each prepared first, and returns the fastest run, with the largest peak memory of all.
///
/// The fastest run counts, because any disturbance makes a run slower.
pub(crate) fn best_of(
    runs: usize,
    mut prepare: impl FnMut() -> Result<Command>,
) -> Result<ResourceUsage> {
    let mut best = run(&mut prepare()?)?;
    for _ in 1..runs {
        let used = run(&mut prepare()?)?;
        let peak = best.peak.max(used.peak);
        best = if used.seconds() < best.seconds() { used } else { best };
        best.peak = peak;
    }
    Ok(best)
}

/// Returns the peak memory of a process, or of its child process if that has more: some commands are scripts that start
/// another process.
fn peak_of(id: u32) -> Option<u64> {
    let started = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let ids = started.split_whitespace().map(str::to_owned).chain([id.to_string()]);
    ids.filter_map(|id| peak_memory_of(&format!("/proc/{id}/status"))).max()
}

/// Returns the processor time of all finished children in seconds: user and system.
fn of_children() -> Result<(f64, f64)> {
    let usage: Usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok((seconds(usage.user_time()), seconds(usage.system_time())))
}
