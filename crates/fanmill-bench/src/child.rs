//! A command as a child process: the processor time that it took, and the memory that it held at most.
//!
//! A process of its own, so that the allocator, its threads and what was done before do not count.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{Usage, UsageWho, getrusage};

use crate::stopwatch::peak_memory_of;

/// What a process has used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    /// Processor time of all its threads, in seconds: its own, and the system's for it.
    pub(crate) user: f64,
    pub(crate) system: f64,
    /// Bytes of memory that it held at most, where the system says so.
    pub(crate) peak: Option<u64>,
}

impl Used {
    /// Processor time in seconds.
    pub(crate) fn seconds(self) -> f64 {
        self.user + self.system
    }
}

/// Runs a command to its end; nothing else may be run at the same time.
///
/// Time is what the system counts for children that have ended, to the microsecond. Memory is looked
/// at every other millisecond while the process lives, since the system forgets it at its end.
pub(crate) fn run(command: &mut Command) -> Result<Used> {
    let (user, system) = of_children()?;
    let mut child = command
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("could not start {command:?}"))?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    let exit = loop {
        peak = peak.max(peak_memory_of(&status));
        if let Some(exit) = child.try_wait()? {
            break exit;
        }
        thread::sleep(Duration::from_millis(2));
    };
    ensure!(exit.success(), "{command:?} ended with {exit}");
    let (user_after, system_after) = of_children()?;
    Ok(Used { user: user_after - user, system: system_after - system, peak })
}

/// Of `runs` runs the one that took the least time; each is prepared first. The largest peak of all.
///
/// The least, because everything that disturbs a run makes it longer.
pub(crate) fn best_of(runs: usize, mut prepare: impl FnMut() -> Result<Command>) -> Result<Used> {
    let mut best = run(&mut prepare()?)?;
    for _ in 1..runs {
        let used = run(&mut prepare()?)?;
        let peak = best.peak.max(used.peak);
        best = if used.seconds() < best.seconds() { used } else { best };
        best.peak = peak;
    }
    Ok(best)
}

/// Seconds of processor time of all children that have ended.
fn of_children() -> Result<(f64, f64)> {
    let usage: Usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok((seconds(usage.user_time()), seconds(usage.system_time())))
}
