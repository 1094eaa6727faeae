//! The pace of a request's body: how slowly it may come, and how much of it may be held before somebody reads it.
//!
//! A body ends with an error if nothing of it arrives for a while, if it comes more slowly than a least rate, and if it
//! takes too long in all, however steadily it comes. What reads forms keeps the head of a part in memory until it is
//! complete; so a body also ends if too much of it is taken without any progress of the reader.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::{self, StreamExt};
use tokio::time::{self, Instant};

use crate::connections::ConnectionSlot;

/// Limits of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaceLimits {
    /// Time without a byte, and time at the beginning that the least rate does not count.
    pub(crate) idle: Duration,
    /// Least number of bytes in a second, on average.
    pub(crate) rate: u64,
    /// Time for the whole body.
    pub(crate) total: Duration,
}

/// Maximum number of bytes that are taken without progress of the reader: the head of a part, and what arrives with it;
/// and the number from which the reader has a turn before more is taken.
const MAX_HELD: u64 = 1 << 20;
const TURN: u64 = 64 << 10;

/// The number of bytes that were taken since the reader's last progress.
#[derive(Debug, Clone, Default)]
pub(crate) struct BufferedBytes(Arc<AtomicU64>);

impl BufferedBytes {
    /// Records progress of the reader.
    pub(crate) fn read(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Lets the reader work on what was taken, if that is much. It would otherwise take all that there is.
    async fn turn(&self) {
        if self.0.load(Ordering::Relaxed) >= TURN {
            tokio::task::yield_now().await;
        }
    }

    /// Takes a piece. Returns whether it may be held.
    fn take(&self, piece: &Bytes) -> bool {
        let n = piece.len() as u64;
        self.0.fetch_add(n, Ordering::Relaxed) + n <= MAX_HELD
    }
}

impl PaceLimits {
    /// Returns the time at which a body of which `n_bytes` have come is too slow.
    fn deadline(self, begun: Instant, n_bytes: u64) -> Instant {
        let in_time = n_bytes as f64 / self.rate.max(1) as f64;
        let by_rate = self.idle + Duration::from_secs_f64(in_time);
        (begun + by_rate.min(self.total)).min(Instant::now() + self.idle)
    }
}

/// Wraps a body so that it keeps to the limits, and so that its connection is known to wait for the client meanwhile.
/// The body of a form ends, too, if too much of it is held.
pub(crate) fn paced(
    body: Body,
    limits: PaceLimits,
    slot: Option<Arc<ConnectionSlot>>,
    held: Option<BufferedBytes>,
) -> Body {
    let begun = Instant::now();
    let start = Some((body.into_data_stream(), 0));
    Body::from_stream(stream::unfold(start, move |rest| {
        let (slot, held) = (slot.clone(), held.clone());
        async move {
            let (mut rest, n_bytes) = rest?;
            if let Some(held) = &held {
                held.turn().await;
            }
            if let Some(slot) = &slot {
                slot.waits();
            }
            let piece = time::timeout_at(limits.deadline(begun, n_bytes), rest.next()).await;
            if let Some(slot) = &slot {
                slot.works();
            }
            let piece = match piece {
                Ok(Some(Ok(piece))) => piece,
                Ok(Some(Err(error))) => return Some((Err(error), None)),
                Ok(None) => return None,
                Err(_) => return Some((Err(ended(io::ErrorKind::TimedOut)), None)),
            };
            if held.is_some_and(|held| !held.take(&piece)) {
                return Some((Err(ended(io::ErrorKind::InvalidData)), None));
            }
            let n_bytes = n_bytes + piece.len() as u64;
            Some((Ok(piece), Some((rest, n_bytes))))
        }
    }))
}

fn ended(kind: io::ErrorKind) -> axum::Error {
    axum::Error::new(io::Error::from(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_must_come_at_the_least_rate_and_in_the_total_time() {
        let (idle, total) = (Duration::from_secs(30), Duration::from_mins(10));
        let limits = PaceLimits { idle, rate: 1000, total };
        let now = Instant::now();
        let left = |begun: u64, n_bytes: u64| {
            let deadline = limits.deadline(now - Duration::from_secs(begun), n_bytes);
            (deadline.saturating_duration_since(now) + Duration::from_millis(500)).as_secs()
        };
        // At the beginning, and with a byte in twenty seconds.
        assert_eq!((left(0, 0), left(20, 1), left(29, 2)), (30, 10, 1));
        // At twice the rate only silence ends it, and at ten times the rate the total time.
        assert_eq!((left(100, 200_000), left(595, 5_950_000)), (30, 5));
        assert_eq!(left(100, 80_000), 10);
        assert_eq!(left(100, 60_000), 0);
    }
}
