//! The loop that winnowing and robust winnowing share: a window's minimum, kept while it lasts.

/// Hashes that are worked on together: 32 KiB of them stay in the first-level cache.
const BLOCK: usize = 4096;

/// Appends the position of the minimum of every window of `w` hashes, each position once.
///
/// `takes_over(new, minimum)` says whether a newer hash becomes the minimum although the old
/// one is still in the window; that is where the two definitions differ. A minimum that has left
/// the window is replaced by the rightmost minimum of the new one.
///
/// The paper's Figure 5 without its two errors (its `(r-1)%w` is negative for `r = 0`, and it
/// records minima before the first window is full), and over blocks instead of a ring: between
/// two selections, all that is left to do for a hash is one comparison.
#[inline]
pub(super) fn window_minima(
    mut hashes: impl Iterator<Item = u64>,
    w: usize,
    takes_over: impl Fn(u64, u64) -> bool,
    positions: &mut Vec<u32>,
) {
    assert!(w > 0, "a window has at least one hash");
    let mut block: Vec<u64> = Vec::with_capacity(w + BLOCK);
    // Position in the document of the block's first hash.
    let mut offset = 0;
    // Place in the block of the last window's minimum, once there was a window.
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
        // The next window begins after the last one's first hash; its minimum may stand anywhere in it.
        let n_done = (block.len() + 1).saturating_sub(w);
        block.drain(..n_done);
        offset += n_done;
        minimum = minimum.map(|at| at.wrapping_sub(n_done));
    }
}

/// Visits the windows that end in `block[from..]`; `minimum` is the window's before. Returns the last.
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
        // A place that has wrapped below zero lies before every window.
        let kept = minimum.filter(|&at| at.wrapping_add(w) > end && at <= end);
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

/// The last place of the smallest of `w` hashes from `start` on.
#[inline]
fn rightmost_minimum(block: &[u64], start: usize, w: usize) -> usize {
    let window = &block[start..start + w];
    // Four minima side by side: one alone would wait two cycles for every hash.
    let (lanes, rest) = window.as_chunks::<4>();
    let four = lanes
        .iter()
        .fold([u64::MAX; 4], |least, four| std::array::from_fn(|i| least[i].min(four[i])));
    let value = four.into_iter().chain(rest.iter().copied()).min().expect("four and more");
    start + window.iter().rposition(|&hash| hash == value).expect("it is there")
}

/// The first place whose hash takes over.
#[inline]
fn first_to_take_over(
    hashes: &[u64],
    minimum: u64,
    takes_over: &impl Fn(u64, u64) -> bool,
) -> Option<usize> {
    // Eight at a time without a branch between them; nearly all groups hold none.
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
