//! The loop that winnowing and robust winnowing share: a window's minimum, kept while it lasts.

/// Appends the position of the minimum of every window of `w` hashes, each position once.
///
/// `takes_over(new, minimum)` says whether the newest hash becomes the minimum although the old
/// one is still in the window; that is where the two definitions differ. A minimum that has left
/// the window is replaced by the rightmost minimum of the new one.
///
/// The paper's Figure 5, with its two errors mended: its `(r-1)%w` is negative for `r = 0`, and it
/// records minima before the first window is full. Kept from it: the common case costs one
/// comparison. The ring's length is a power of two so that an index wraps by a mask.
#[inline]
pub(super) fn window_minima(
    hashes: impl Iterator<Item = u64>,
    w: usize,
    takes_over: impl Fn(u64, u64) -> bool,
    positions: &mut Vec<u32>,
) {
    assert!(w > 0, "a window has at least one hash");
    let mut ring = vec![0_u64; w.next_power_of_two()];
    let mask = ring.len() - 1;
    let mut minimum = u64::MAX;
    // One before the oldest hash of the window means "none yet".
    let mut at = 0_usize;
    let mut first_window_seen = false;
    for (i, hash) in hashes.enumerate() {
        ring[i & mask] = hash;
        if i + 1 < w {
            continue;
        }
        if !first_window_seen || at + w <= i {
            first_window_seen = true;
            (minimum, at) = rightmost_minimum(&ring, mask, i + 1 - w, w);
            positions.push(position(at));
        } else if takes_over(hash, minimum) {
            (minimum, at) = (hash, i);
            positions.push(position(at));
        }
    }
}

/// The smallest of `w` hashes from position `start` on, and the last position that holds it.
///
/// Out of line, since it runs twice in `w` steps: the loop above stays small.
#[inline(never)]
fn rightmost_minimum(ring: &[u64], mask: usize, start: usize, w: usize) -> (u64, usize) {
    let mut minimum = u64::MAX;
    let mut at = start;
    for i in start..start + w {
        let hash = ring[i & mask];
        if hash <= minimum {
            (minimum, at) = (hash, i);
        }
    }
    (minimum, at)
}

/// Documents are below 4 GiB, so a gram's position fits.
#[inline]
pub(super) fn position(i: usize) -> u32 {
    u32::try_from(i).expect("documents hold less than 2^32 grams")
}
