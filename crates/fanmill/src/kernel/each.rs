//! A function of numbers that stand side by side in slices, for each place: the loop that compilers vectorise.
//!
//! They do so if they see that all slices are as long as the loop, and that none of them is written to.

/// Appends `f` of the numbers at 0, at 1 and so on, as far as the shortest slice goes.
#[inline(always)]
pub(super) fn each<T: Copy, U: Copy, const N: usize>(
    slices: [&[T]; N],
    nothing: U,
    f: impl Fn([T; N]) -> U,
    found: &mut Vec<U>,
) {
    let n = slices.iter().map(|slice| slice.len()).min().unwrap_or_default();
    let slices = slices.map(|slice| &slice[..n]);
    let start = found.len();
    found.resize(start + n, nothing);
    for (i, found) in found[start..].iter_mut().enumerate() {
        *found = f(slices.map(|slice| slice[i]));
    }
}
