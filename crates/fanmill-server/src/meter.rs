//! Numbers of what the server has done since it started, and their form for Prometheus.
//!
//! Source: the text format of Prometheus, version 0.0.4.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets for the duration of a comparison, in seconds.
const BOUNDS: [u64; 7] = [1, 5, 15, 60, 300, 900, 3600];

/// Names of the ways in which a comparison ends.
const ENDS: [&str; 5] = ["done", "failed", "broke", "cancelled", "parked"];

/// Counters that only grow.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    n_requests: AtomicU64,
    /// Passwords that were refused, of logins and of links.
    n_refused: AtomicU64,
    /// Ended comparisons, by [`ENDS`].
    n_jobs: [AtomicU64; ENDS.len()],
    /// Ended comparisons by duration; the last bucket has those above all bounds.
    durations: [AtomicU64; BOUNDS.len() + 1],
    /// Sum of the durations, in milliseconds.
    n_ms: AtomicU64,
}

/// The state of the server at this moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gauges {
    pub(crate) jobs_waiting: i64,
    pub(crate) batches: i64,
    pub(crate) users: i64,
    pub(crate) removals_waiting: i64,
    /// Bytes that are free on the disk of the data folder, where the system says so.
    pub(crate) free_bytes: Option<u64>,
}

impl Meter {
    /// Counts a request.
    pub(crate) fn request(&self) {
        self.n_requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a password that was refused.
    pub(crate) fn refused(&self) {
        self.n_refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a comparison that ended in the way of this name.
    pub(crate) fn job(&self, end: &str, took: Duration) {
        if let Some(n) =
            ENDS.iter().zip(&self.n_jobs).find_map(|(own, n)| (*own == end).then_some(n))
        {
            n.fetch_add(1, Ordering::Relaxed);
        }
        let bucket = BOUNDS.iter().take_while(|&&bound| took > Duration::from_secs(bound)).count();
        self.durations[bucket].fetch_add(1, Ordering::Relaxed);
        self.n_ms.fetch_add(u64::try_from(took.as_millis()).unwrap_or(0), Ordering::Relaxed);
    }

    /// Writes all numbers.
    pub(crate) fn text(&self, gauges: Gauges) -> String {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let mut out = String::new();
        let head = |out: &mut String, name: &str, kind: &str| {
            let _ = writeln!(out, "# TYPE fanmill_{name} {kind}");
        };
        for (name, n) in [
            ("requests_total", read(&self.n_requests)),
            ("logins_refused_total", read(&self.n_refused)),
        ] {
            head(&mut out, name, "counter");
            let _ = writeln!(out, "fanmill_{name} {n}");
        }
        head(&mut out, "jobs_ended_total", "counter");
        for (end, n) in ENDS.iter().zip(&self.n_jobs) {
            let _ = writeln!(out, "fanmill_jobs_ended_total{{end=\"{end}\"}} {}", read(n));
        }
        head(&mut out, "job_seconds", "histogram");
        let mut n = 0;
        let bounds = BOUNDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        for (bound, own) in bounds.zip(&self.durations) {
            n += read(own);
            let _ = writeln!(out, "fanmill_job_seconds_bucket{{le=\"{bound}\"}} {n}");
        }
        let ms = read(&self.n_ms);
        let _ = writeln!(out, "fanmill_job_seconds_sum {}.{:03}", ms / 1000, ms % 1000);
        let _ = writeln!(out, "fanmill_job_seconds_count {n}");
        let Gauges { jobs_waiting, batches, users, removals_waiting, free_bytes } = gauges;
        for (name, number) in [
            ("jobs_waiting", Some(jobs_waiting)),
            ("batches", Some(batches)),
            ("users", Some(users)),
            ("removals_waiting", Some(removals_waiting)),
            ("disk_free_bytes", free_bytes.and_then(|free| i64::try_from(free).ok())),
        ] {
            let Some(number) = number else { continue };
            head(&mut out, name, "gauge");
            let _ = writeln!(out, "fanmill_{name} {number}");
        }
        out
    }
}
