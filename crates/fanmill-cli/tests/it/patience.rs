//! Decides when to give up on a run: by what it does, never by the clock.
//!
//! On a busy machine everything takes longer, and nothing is wrong. So a run is given up if it has used too much
//! processor time, or if all its threads are asleep at every look and use none, as when it waits for a pipe that
//! nobody writes to. A process that it has started counts as a part of it: while that one waits for its turn, the run
//! is not idle. Without `/proc`, runs are simply waited for.

use std::fs;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::Duration;

/// Clock ticks of processor time, a hundredth of a second each: far more than any test needs.
const MOST_TICKS: u64 = 180 * 100;

/// Number of looks in a row at which a run sleeps: only one that waits for ever reaches it.
const MOST_IDLE_LOOKS: u32 = 30_000;

/// The time between two looks.
const PAUSE: Duration = Duration::from_micros(500);

/// Waits for a run to end.
pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    wait_until(child, || false).expect("it has ended")
}

/// Waits until something has happened, or a run has ended; its status if it has.
pub(crate) fn wait_until(child: &mut Child, happened: impl Fn() -> bool) -> Option<ExitStatus> {
    let (mut last, mut n_idle) = (None, 0);
    loop {
        if let Some(status) = child.try_wait().expect("a status") {
            return Some(status);
        }
        if happened() {
            return None;
        }
        let seen = look(child.id());
        n_idle =
            if seen.is_some_and(|seen| seen.is_asleep) && seen == last { n_idle + 1 } else { 0 };
        last = seen;
        if n_idle > MOST_IDLE_LOOKS || seen.is_some_and(|seen| seen.ticks > MOST_TICKS) {
            child.kill().expect("it can be ended");
            child.wait().expect("it has ended");
            panic!("the program does not end: {seen:?}");
        }
        thread::sleep(PAUSE);
    }
}

/// What a process and those that it has started are doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// Processor time that it has used, in clock ticks.
    ticks: u64,
    /// Whether all of its threads wait for something that may never come.
    is_asleep: bool,
}

fn look(process: u32) -> Option<Seen> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut seen = Seen { ticks: 0, is_asleep: true };
    for thread in threads {
        let thread = thread.ok()?.path();
        let stat = fs::read_to_string(thread.join("stat")).ok()?;
        // The name may contain anything; behind it come the state and, after eleven more fields, the times.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
        seen.ticks += ticks(11)? + ticks(12)?;
        seen.is_asleep &= matches!(fields.first(), Some(&"S" | &"Z"));
        // Not every kernel lists children; one that has just ended is no longer looked at.
        let children = fs::read_to_string(thread.join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|id| look(id.parse().ok()?)) {
            seen.ticks += child.ticks;
            seen.is_asleep &= child.is_asleep;
        }
    }
    Some(seen)
}
