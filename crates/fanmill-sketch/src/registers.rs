//! Registers, which all aligned sketches (MinHash and its relatives) consist of.
//!
//! A sketch is a row of `t` registers; each holds the smallest value that any member of the set has there. Two sets
//! agree in a register with probability equal to their resemblance `J`, so the share of registers that agree estimates
//! it without bias, with variance at most `J (1 - J) / t`. Taking the smaller value of each register gives the sketch
//! of the union.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Use multiple perms".

use fanmill_kernel as kernel;

/// The value of a register before any member: the identity of the minimum. Only the sketch of the
/// empty set has it in all registers.
pub const EMPTY: u64 = kernel::EMPTY;

/// Returns whether this is the sketch of the empty set.
pub fn is_empty(row: &[u64]) -> bool {
    row.iter().all(|&register| register == EMPTY)
}

/// Returns the number of registers in which two rows of equal length agree.
///
/// # Panics
/// If the lengths differ: the rows are from different sketches.
pub fn agreeing(a: &[u64], b: &[u64]) -> usize {
    assert_eq!(a.len(), b.len(), "rows of the same sketch have the same length");
    a.iter().zip(b).filter(|(x, y)| x == y).count()
}

/// Estimates resemblance, in `0..=1`; `None` if both sets are empty, 0 if one is.
///
/// # Panics
/// If the lengths differ.
pub fn resemblance(a: &[u64], b: &[u64]) -> Option<f64> {
    let is_defined = !(is_empty(a) && is_empty(b));
    is_defined.then(|| agreeing(a, b) as f64 / a.len() as f64)
}

/// Turns `row` into the sketch of the union of its set and that of `other`.
///
/// # Panics
/// If the lengths differ.
pub fn merge(row: &mut [u64], other: &[u64]) {
    assert_eq!(row.len(), other.len(), "rows of the same sketch have the same length");
    for (register, &value) in row.iter_mut().zip(other) {
        *register = value.min(*register);
    }
}

/// Returns the containment of A in B that a resemblance implies for sets of these sizes, in `0..=1`; `None` if A is
/// empty.
///
/// |A∩B| = J (|A| + |B|) / (1 + J), but no more than the size of the smaller set.
pub fn containment(resemblance: f64, size_a: usize, size_b: usize) -> Option<f64> {
    let common = resemblance * (size_a + size_b) as f64 / (1.0 + resemblance);
    (size_a > 0).then(|| common.min(size_a.min(size_b) as f64) / size_a as f64)
}

/// Returns the standard deviation of an estimate from `t` independent registers; other sketches vary less.
pub fn deviation(resemblance: f64, t: usize) -> f64 {
    (resemblance * (1.0 - resemblance) / t as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resemblance_of_two_empty_sets_is_undefined() {
        let (empty, full) = ([EMPTY; 3], [1, 2, 3]);
        assert_eq!(resemblance(&empty, &empty), None);
        assert_eq!(resemblance(&empty, &full), Some(0.0));
        assert_eq!(resemblance(&full, &full), Some(1.0));
        let mut row = empty;
        merge(&mut row, &full);
        assert_eq!(row, full);
    }

    #[test]
    fn sizes_turn_resemblance_into_containment() {
        // All 10 members of A are among B's 40: resemblance 1/4.
        let inside = containment(0.25, 10, 40).expect("not empty");
        assert!((inside - 1.0).abs() < 1e-12);
        let around = containment(0.25, 40, 10).expect("not empty");
        assert!((around - 0.25).abs() < 1e-12);
        assert_eq!(containment(0.9, 10, 40), Some(1.0), "an estimate too high is cut");
        assert_eq!(containment(0.0, 0, 4), None);
        assert!(deviation(0.5, 100) < 0.0501);
    }
}
