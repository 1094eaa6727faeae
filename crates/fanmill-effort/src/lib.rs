//! The cost of tests: the processor time of the work they limit, and the number of cases they try.
//!
//! Wall-clock time includes the work of other programs, so a test that measures it fails where nothing is wrong. Only
//! where the system does not count a thread's time is the wall clock used.

#![forbid(unsafe_code)]

pub mod golden;

use std::time::Duration;

/// Default number of cases of a property, as in proptest.
const USUAL: u64 = 256;

/// Number of cases below which no property is scaled.
const FEWEST: u64 = 8;

/// Scales the number of cases of a property with its own number: `n` where the default is 256.
///
/// `PROPTEST_CASES` sets the current default: fewer cases by day, for all tests to end soon, and more by night. The
/// result is not scaled below 8 cases or above the current default, unless `n` itself is there.
pub fn cases(n: u32) -> u32 {
    let usual = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    scaled(n, usual.unwrap_or(USUAL))
}

fn scaled(n: u32, usual: u64) -> u32 {
    let own = u64::from(n);
    let cases = (own * usual / USUAL).clamp(own.min(FEWEST), own.max(usual));
    u32::try_from(cases).unwrap_or(u32::MAX)
}

/// Does the work on this thread, and returns its result and the processor time that it took.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_fewer_by_day_and_more_by_night() {
        assert_eq!([12, 100, 256, 4000].map(|n| scaled(n, 256)), [12, 100, 256, 4000]);
        assert_eq!([5, 12, 100, 256, 4000].map(|n| scaled(n, 64)), [5, 8, 25, 64, 1000]);
        assert_eq!([5, 100, 256, 4000].map(|n| scaled(n, 5000)), [97, 1953, 5000, 5000]);
        assert_eq!([0, 100, u32::MAX].map(|n| scaled(n, 0)), [0, 8, 8]);
    }

    #[cfg(unix)]
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
