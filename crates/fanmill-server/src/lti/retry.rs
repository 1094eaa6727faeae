//! What a platform does not answer at once is tried again, a few times and ever later.

use crate::store::now;

/// How often something is tried.
const MOST_ATTEMPTS: i64 = 3;

/// Seconds until it is tried again; each time three times as long.
const FIRST_PAUSE: i64 = 5;

/// When to try again what failed after so many attempts before, in seconds since 1970; `None` to give up.
pub(super) fn again_at(n_before: i64) -> Option<i64> {
    let n_before = u32::try_from(n_before).ok()?;
    (i64::from(n_before) + 1 < MOST_ATTEMPTS).then(|| now() + FIRST_PAUSE * 3_i64.pow(n_before))
}
