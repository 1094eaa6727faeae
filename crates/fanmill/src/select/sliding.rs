//! Positions of grams, and the places of minima that winnowing and robust winnowing share.

use fanmill_kernel as kernel;

/// Appends the position of the minimum of every window of `w` hashes, each position once.
///
/// `takes_over(minimum)` is the largest newer hash that becomes the minimum although the old one is still in
/// the window, if there is any; this is where the two definitions differ. When the minimum has left the
/// window, the rightmost minimum of the new window replaces it.
pub(super) fn window_minima(
    hashes: &[u64],
    w: usize,
    takes_over: impl Fn(u64) -> Option<u64>,
    positions: &mut Vec<u32>,
) {
    kernel::window_minima(hashes, w, takes_over, |_, at| positions.push(position(at)));
}

/// Converts a gram's position, which fits because documents are below 4 GiB.
#[inline]
pub(super) fn position(i: usize) -> u32 {
    u32::try_from(i).expect("documents hold less than 2^32 grams")
}
