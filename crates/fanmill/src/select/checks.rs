//! Properties that several selectors are tested for.

use proptest::prelude::*;

use fanmill_effort::golden;

/// Generates hash sequences from random to constant, with many ties: selectors differ in how they break ties.
pub(super) fn hashes() -> impl Strategy<Value = Vec<u64>> {
    prop_oneof![
        proptest::collection::vec(any::<u64>(), 0..200),
        proptest::collection::vec(0_u64..4, 0..200),
        proptest::collection::vec(0_u64..30, 0..200),
        (any::<u64>(), 0_usize..200).prop_map(|(hash, n)| vec![hash; n]),
    ]
}

/// Checks the golden vectors of winnowing or robust winnowing, whichever `key` names.
pub(super) fn golden_windows(key: &str, select: impl Fn(&[u64], usize) -> Vec<u32>) {
    for case in golden::cases("winnow") {
        let (hashes, w) = (golden::u64s(&case["hashes"]), golden::usize(&case["w"]));
        let positions = select(&hashes, w);
        let pairs: Vec<(u64, u64)> =
            positions.into_iter().map(|at| (hashes[at as usize], at.into())).collect();
        assert_eq!(pairs, golden::pairs(&case[key]), "{case}");
    }
}

/// Checks the guarantee in terms of positions: among any `w` consecutive hashes one is selected.
pub(super) fn every_window_holds_one(
    positions: &[u32],
    n: usize,
    w: usize,
) -> Result<(), TestCaseError> {
    for start in 0..(n + 1).saturating_sub(w) {
        let end = start + w;
        let held = positions.iter().any(|&at| (start..end).contains(&(at as usize)));
        prop_assert!(held, "window {start}..{end} of {n} holds none of {positions:?}");
    }
    prop_assert!(positions.is_sorted_by(|a, b| a < b), "positions ascend: {positions:?}");
    Ok(())
}

/// Checks that the selected share of a million random hashes is `expected`, within `tolerance`.
pub(super) fn density_is(expected: f64, tolerance: f64, select: impl Fn(&[u64]) -> Vec<u32>) {
    let mut state = 7_u64;
    let hashes: Vec<u64> = (0..1_000_000).map(|_| split_mix(&mut state)).collect();
    let density = select(&hashes).len() as f64 / hashes.len() as f64;
    assert!((density - expected).abs() <= tolerance, "density {density}, expected {expected}");
}

/// Returns the next number of a small random generator (Steele, Lea & Flood, OOPSLA 2014), whose state the caller
/// seeds.
pub(super) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
