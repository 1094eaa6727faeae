//! Retries with growing delays, for requests to platforms.

use crate::store::now;

/// Maximum number of attempts.
const MOST_ATTEMPTS: i64 = 3;

/// Seconds before the first retry; each later pause is three times as long.
const FIRST_PAUSE: i64 = 5;

/// Returns when to retry a request that failed after `n_before` earlier attempts, in seconds since 1970; `None` to give
/// up.
pub(super) fn again_at(n_before: i64) -> Option<i64> {
    let n_before = u32::try_from(n_before).ok()?;
    (i64::from(n_before) + 1 < MOST_ATTEMPTS).then(|| now() + FIRST_PAUSE * 3_i64.pow(n_before))
}
