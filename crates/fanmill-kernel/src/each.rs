//! The loop that compilers vectorise: a function of the numbers at the same place of several slices, for each place.
//!
//! Compilers do so if they see that all slices are as long as the loop, and that none of them is written to.

/// Writes to `found` the results of `f` for the numbers at 0, at 1 and so on. No slice may be shorter than `found`.
#[inline(always)]
pub(super) fn each<T: Copy, U, const N: usize>(
    slices: [&[T]; N],
    f: impl Fn([T; N]) -> U,
    found: &mut [U],
) {
    let slices = slices.map(|slice| &slice[..found.len()]);
    for (i, found) in found.iter_mut().enumerate() {
        *found = f(slices.map(|slice| slice[i]));
    }
}

/// Returns room for `n` numbers that are about to be written. Old contents stay, because clearing them takes as long as
/// some of the loops that write.
#[inline(always)]
pub(super) fn room<T: Copy + Default>(numbers: &mut Vec<T>, n: usize) -> &mut [T] {
    numbers.resize(n, T::default());
    numbers
}
