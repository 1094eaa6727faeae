//! Processor time of a thread and peak memory of a process, which are reliable on a shared machine.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::time::{ClockId, clock_gettime};

/// Returns the processor time of the calling thread; `None` if the system does not report it. The scheduler's own
/// account (`/proc/thread-self/schedstat`) is updated only every few milliseconds.
fn thread_time() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(Duration::from)
}

/// Returns the shortest of `runs` processor times of `job`, in seconds, or of wall-clock times if the system reports no
/// other.
///
/// The shortest time counts, because any disturbance makes a run slower.
pub(crate) fn best_of(runs: usize, mut job: impl FnMut()) -> f64 {
    let mut time_once = || {
        let (wall, before) = (Instant::now(), thread_time());
        job();
        match (before, thread_time()) {
            (Some(before), Some(after)) if after > before => {
                after.saturating_sub(before).as_secs_f64()
            }
            _ => wall.elapsed().as_secs_f64(),
        }
    };
    (0..runs).map(|_| time_once()).fold(f64::INFINITY, f64::min)
}

/// Resets the process's peak memory.
pub(crate) fn reset_peak_memory() {
    // Works only on Linux; elsewhere the peak is that of the whole run.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Returns the process's peak memory since the reset, in bytes; `None` if the system does not report it.
pub(crate) fn peak_memory() -> Option<u64> {
    peak_memory_of("/proc/self/status")
}

/// Returns the peak memory of any process, by the path of its status file; `None` if the system does not report it.
pub(crate) fn peak_memory_of(status: &str) -> Option<u64> {
    let status = fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// Returns the processor time of this process and of its finished children, in seconds; 0 if the system does not report
/// it.
pub(crate) fn processor() -> f64 {
    let of = |who| {
        getrusage(who).map_or(0.0, |usage| {
            let seconds =
                |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
            seconds(usage.user_time()) + seconds(usage.system_time())
        })
    };
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

/// Returns the peak memory of the largest finished child process, in bytes; 0 if the system does not report it.
pub(crate) fn peak_of_children() -> u64 {
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
    u64::try_from(peak).unwrap_or(0) * 1024
}
