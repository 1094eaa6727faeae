//! A function of numbers that stand side by side in slices, for each place: the loop that compilers vectorise.
//!
//! They do so if they see that all slices are as long as the loop, and that none of them is written to.

/// Writes `f` of the numbers at 0, at 1 and so on to `found`, than which no slice is shorter.
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

/// Room for `n` numbers that are about to be written. What is in it is left as it is, because clearing it takes as long as
/// some of the loops that write.
#[inline(always)]
pub(super) fn room<T: Copy + Default>(numbers: &mut Vec<T>, n: usize) -> &mut [T] {
    numbers.resize(n, T::default());
    numbers
}
