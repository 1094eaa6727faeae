//! The minimum of every sliding window of hashes: the loop that winnowing and robust winnowing share.
//!
//! How it works: there is a current minimum, and as long as it is inside the window, the only question about a
//! new hash is whether it takes over. Nearly all hashes do not, so the next one that does is looked for
//! eight at a time and without branches. Only when the minimum has left the window is a whole window
//! searched. On random hashes that happens about once per `w` hashes, so that the whole costs a comparison
//! or two per hash.

use crate::kernel::{first_at_most, rightmost_minimum};

/// Appends the position of the minimum of every window of `w` hashes, each position once.
///
/// `takes_over(minimum)` is the largest newer hash that becomes the minimum although the old one is still in
/// the window, if there is any; this is where the two definitions differ. When the minimum has left the
/// window, the rightmost minimum of the new window replaces it.
///
/// This is the paper's Figure 5 without its two errors (its `(r-1)%w` is negative for `r = 0`, and
/// it records minima before the first window is full), and over all hashes instead of a ring buffer:
/// between two selections, each hash costs one comparison.
#[inline]
pub(super) fn window_minima(
    hashes: &[u64],
    w: usize,
    takes_over: impl Fn(u64) -> Option<u64>,
    positions: &mut Vec<u32>,
) {
    let w = w.max(1);
    // Index of the last window's minimum; `None` before the first window.
    let mut minimum: Option<usize> = None;
    // Index of the last hash of the window.
    let mut end = w - 1;
    while end < hashes.len() {
        // While the minimum is in the window, which begins at `end + 1 - w`, look for the first hash that
        // takes over from it, up to the last window that still contains it. If none does, skip all these
        // windows at once.
        let successor = minimum.filter(|&at| at + w > end).and_then(|at| {
            let newer = &hashes[end..hashes.len().min(at + w)];
            let found = takes_over(hashes[at]).and_then(|most| first_at_most(newer, most));
            end += if found.is_none() { newer.len() } else { 0 };
            found.map(|distance| end + distance)
        });
        if end == hashes.len() {
            break;
        }
        let rightmost = || {
            let start = end + 1 - w;
            start + rightmost_minimum(&hashes[start..=end]).expect("w is not 0")
        };
        let at = successor.unwrap_or_else(rightmost);
        positions.push(position(at));
        minimum = Some(at);
        end = end.max(at) + 1;
    }
}

/// Documents are below 4 GiB, so a gram's position fits.
#[inline]
pub(super) fn position(i: usize) -> u32 {
    u32::try_from(i).expect("documents hold less than 2^32 grams")
}
