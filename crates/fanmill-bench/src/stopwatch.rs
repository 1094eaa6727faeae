//! Time that a thread really ran, so that figures hold on a machine shared with others.

use std::time::Instant;

/// Nanoseconds of processor time of the calling thread; `None` where the system does not say.
fn thread_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The best of `runs` processor times of `job`, in seconds; wall time where there is no other.
///
/// The best, because everything that disturbs a run makes it longer.
pub(crate) fn best_of(runs: usize, mut job: impl FnMut()) -> f64 {
    let time_once = |job: &mut dyn FnMut()| {
        let (wall, cpu) = (Instant::now(), thread_nanoseconds());
        job();
        match (cpu, thread_nanoseconds()) {
            (Some(before), Some(after)) if after > before => (after - before) as f64 / 1e9,
            _ => wall.elapsed().as_secs_f64(),
        }
    };
    (0..runs).map(|_| time_once(&mut job)).fold(f64::INFINITY, f64::min)
}
