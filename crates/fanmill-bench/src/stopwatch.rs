//! Time that a thread really ran, and memory that the process really held, so that figures hold
//! on a machine shared with others.

use std::fs;
use std::time::Instant;

/// Nanoseconds of processor time of the calling thread; `None` where the system does not say.
fn thread_nanoseconds() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The best of `runs` processor times of `job`, in seconds; wall time where there is no other.
///
/// The best, because everything that disturbs a run makes it longer.
pub(crate) fn best_of(runs: usize, mut job: impl FnMut()) -> f64 {
    let mut time_once = || {
        let (wall, before) = (Instant::now(), thread_nanoseconds());
        job();
        match (before, thread_nanoseconds()) {
            (Some(before), Some(after)) if after > before => (after - before) as f64 / 1e9,
            _ => wall.elapsed().as_secs_f64(),
        }
    };
    (0..runs).map(|_| time_once()).fold(f64::INFINITY, f64::min)
}

/// Forgets how much memory the process has held so far.
pub(crate) fn reset_peak_memory() {
    // Linux only; elsewhere the peak is that of the whole run.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that the process has held since the reset, in bytes; `None` where the system
/// does not say.
pub(crate) fn peak_memory() -> Option<u64> {
    peak_memory_of("/proc/self/status")
}

/// The same of any process, by the path of its status.
pub(crate) fn peak_memory_of(status: &str) -> Option<u64> {
    let status = fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
