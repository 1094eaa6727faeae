//! What work costs: the processor time of the thread that does it, for tests that hold a cost down.
//!
//! The clock on the wall goes on while others use the machine, so a test that looks at it fails
//! where nothing is wrong. Where the system does not count a thread's time, the clock has to do.

use std::time::Duration;

/// Does the work on this thread; what it comes to, and the processor time that it took.
pub fn of<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let outcome = work();
    (outcome, now().saturating_sub(start))
}

#[cfg(unix)]
fn now() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
    time.map_or(Duration::ZERO, Duration::from)
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleep_costs_nothing_and_work_does() {
        let pause = Duration::from_millis(200);
        let ((), asleep) = of(|| std::thread::sleep(pause));
        assert!(asleep < pause / 2, "{asleep:?}");
        let (sum, busy) = of(|| {
            (0..20_000_000_u64)
                .fold(7, |sum: u64, i| std::hint::black_box(sum.wrapping_mul(31) ^ i))
        });
        assert!(sum != 0 && busy > Duration::ZERO);
    }
}
