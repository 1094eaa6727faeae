//! The minimum of every sliding window of hashes: the loop that winnowing and robust winnowing share.
//!
//! How it works: hashes come in blocks. Within a block there is a current minimum, and as long as it is
//! inside the window, the only question about a new hash is whether it takes over. Nearly all hashes do
//! not, so [`first_to_take_over`] looks for the next one that does, eight at a time and without
//! branches. Only when the minimum has left the window is a whole window searched, by
//! [`rightmost_minimum`]. On random hashes that happens about once per `w` hashes, so that the whole
//! costs a comparison or two per hash.

/// Hashes per block: 32 KiB of them stay in the first-level cache.
const BLOCK: usize = 4096;

/// Appends the position of the minimum of every window of `w` hashes, each position once.
///
/// `takes_over(new, minimum)` says whether a newer hash becomes the minimum although the old
/// one is still in the window; this is where the two definitions differ. When the minimum has left
/// the window, the rightmost minimum of the new window replaces it.
///
/// This is the paper's Figure 5 without its two errors (its `(r-1)%w` is negative for `r = 0`, and
/// it records minima before the first window is full), and over blocks instead of a ring buffer:
/// between two selections, each hash costs one comparison.
#[inline]
pub(super) fn window_minima(
    mut hashes: impl Iterator<Item = u64>,
    w: usize,
    takes_over: impl Fn(u64, u64) -> bool,
    positions: &mut Vec<u32>,
) {
    let w = w.max(1);
    let mut block: Vec<u64> = Vec::with_capacity(w + BLOCK);
    // Position in the document of the block's first hash.
    let mut offset = 0;
    // Index in the block of the last window's minimum; `None` before the first window.
    let mut minimum: Option<usize> = None;
    loop {
        let n_known = block.len();
        block.extend(hashes.by_ref().take(BLOCK));
        if block.len() == n_known {
            return;
        }
        minimum = scan(&block, n_known, minimum, w, &takes_over, |at| {
            positions.push(position(offset + at));
        });
        // Keep the last `w - 1` hashes: the next window needs them. The minimum may be among those
        // that are dropped; its index then wraps below zero, which `scan` takes as out of the window.
        let n_done = (block.len() + 1).saturating_sub(w);
        block.drain(..n_done);
        offset += n_done;
        minimum = minimum.map(|at| at.wrapping_sub(n_done));
    }
}

/// Visits the windows that end in `block[from..]`. `minimum` is the minimum of the window before
/// them; returns that of the last one.
#[inline]
fn scan(
    block: &[u64],
    from: usize,
    mut minimum: Option<usize>,
    w: usize,
    takes_over: &impl Fn(u64, u64) -> bool,
    mut select: impl FnMut(usize),
) -> Option<usize> {
    let mut end = from.max(w - 1);
    while end < block.len() {
        // Is the minimum still in the window, which begins at `end + 1 - w`? An index that has wrapped
        // below zero is not: it fails `at <= end`.
        let kept = minimum.filter(|&at| at.wrapping_add(w) > end && at <= end);
        // While the minimum is in the window, look for the first hash that takes over from it, up to
        // the last window that still contains it. If none does, skip all these windows at once.
        let successor = kept.and_then(|at| {
            let windows = &block[end..block.len().min(at + w)];
            let found = first_to_take_over(windows, block[at], takes_over);
            end += if found.is_none() { windows.len() } else { 0 };
            found.map(|distance| end + distance)
        });
        if end == block.len() {
            break;
        }
        let at = successor.unwrap_or_else(|| rightmost_minimum(block, end + 1 - w, w));
        select(at);
        minimum = Some(at);
        end = end.max(at) + 1;
    }
    minimum
}

/// The last index of the smallest of the `w` hashes from `start` on.
#[inline]
fn rightmost_minimum(block: &[u64], start: usize, w: usize) -> usize {
    let window = &block[start..start + w];
    // Four minima side by side: a single one would wait two cycles for each comparison.
    let (lanes, rest) = window.as_chunks::<4>();
    let four = lanes
        .iter()
        .fold([u64::MAX; 4], |least, four| std::array::from_fn(|i| least[i].min(four[i])));
    let value = four.into_iter().chain(rest.iter().copied()).min().expect("four and more");
    start + window.iter().rposition(|&hash| hash == value).expect("it is there")
}

/// The index of the first hash that takes over.
#[inline]
fn first_to_take_over(
    hashes: &[u64],
    minimum: u64,
    takes_over: &impl Fn(u64, u64) -> bool,
) -> Option<usize> {
    // Eight at a time, without branches in between: nearly all groups contain none.
    let (groups, _) = hashes.as_chunks::<8>();
    let holds_none =
        |group: &&[u64; 8]| !group.iter().fold(false, |hit, &hash| hit | takes_over(hash, minimum));
    let n_skipped = 8 * groups.iter().take_while(holds_none).count();
    let found = hashes[n_skipped..].iter().position(|&hash| takes_over(hash, minimum))?;
    Some(n_skipped + found)
}

/// Documents are below 4 GiB, so a gram's position fits.
#[inline]
pub(super) fn position(i: usize) -> u32 {
    u32::try_from(i).expect("documents hold less than 2^32 grams")
}
