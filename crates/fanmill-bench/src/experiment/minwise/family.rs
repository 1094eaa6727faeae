//! Families of permutations for sampling minima: drawing one at random, and applying it.
//!
//! Sketches only use `mix`; the others are here for comparison.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Quality of MWI families" (linear, matrix).
//! Departs from it: matrices have an offset.

use fanmill_kernel::hash::mix::{SplitMix, mix};

/// 2^61 - 1, a Mersenne prime: remainders take a shift and an addition.
const MODULUS: u64 = (1 << 61) - 1;

/// A way to make permutations of the 64-bit numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// `a x + b` modulo 2^61 - 1, with keys reduced by the same modulus.
    Linear,
    /// `M x + b` over GF(2), `M` invertible.
    Matrix,
    /// [`mix`] of `x ^ seed`: the one that sketches use.
    Mix,
}

impl Family {
    /// Draws a random permutation.
    pub(crate) fn draw(self, numbers: &mut SplitMix) -> Permutation {
        match self {
            Family::Linear => Permutation::Linear {
                a: 1 + numbers.draw() % (MODULUS - 1),
                b: numbers.draw() % MODULUS,
            },
            Family::Matrix => {
                Permutation::Matrix { table: by_bytes(&invertible(numbers)), b: numbers.draw() }
            }
            Family::Mix => Permutation::Mix(numbers.draw()),
        }
    }
}

/// A number for every value of each byte.
type Table = Vec<[u64; 256]>;

/// One member of a [`Family`]; the fields are the letters of the family's definition.
#[derive(Debug, Clone)]
pub(crate) enum Permutation {
    /// See [`Family::Linear`].
    Linear { a: u64, b: u64 },
    /// See [`Family::Matrix`]; the table has the sum of the columns that each value of a byte selects.
    Matrix { table: Table, b: u64 },
    /// The seed.
    Mix(u64),
}

impl Permutation {
    /// Fills `images` with the images of `keys`, one for each.
    pub(crate) fn images(&self, keys: &[u64], images: &mut Vec<u64>) {
        images.clear();
        match self {
            Permutation::Linear { a, b } => {
                images.extend(keys.iter().map(|&x| linear(*a, *b, x)));
            }
            Permutation::Matrix { table, b } => {
                images.extend(keys.iter().map(|&x| b ^ look_up(table, x)));
            }
            Permutation::Mix(seed) => images.extend(keys.iter().map(|&x| mix(x ^ seed))),
        }
    }
}

/// Computes `a x + b` modulo 2^61 - 1.
fn linear(a: u64, b: u64, x: u64) -> u64 {
    let wide = u128::from(a) * u128::from(x % MODULUS) + u128::from(b);
    // `wide` is below 2^122 + 2^61, so one folding leaves less than three times the modulus.
    let folded = (wide as u64 & MODULUS) + (wide >> 61) as u64;
    folded % MODULUS
}

/// Returns the exclusive or of the table's entries for the bytes of `x`.
fn look_up(table: &[[u64; 256]], x: u64) -> u64 {
    let bytes = x.to_le_bytes();
    table.iter().zip(bytes).fold(0, |sum, (numbers, byte)| sum ^ numbers[usize::from(byte)])
}

/// Draws the columns of a uniformly random invertible matrix; about one in 3.5 random matrices is invertible.
fn invertible(numbers: &mut SplitMix) -> [u64; 64] {
    loop {
        let columns = std::array::from_fn(|_| numbers.draw());
        if rank(&columns) == 64 {
            return columns;
        }
    }
}

/// Returns the rank of a matrix over GF(2), by Gaussian elimination.
fn rank(columns: &[u64; 64]) -> usize {
    // The reduced columns so far, indexed by their leading bits.
    let mut by_lead = [0_u64; 64];
    for &(mut column) in columns {
        while column != 0 {
            let slot = &mut by_lead[column.leading_zeros() as usize];
            if *slot == 0 {
                *slot = column;
                break;
            }
            column ^= *slot;
        }
    }
    by_lead.iter().filter(|column| **column != 0).count()
}

/// Returns the sums of the columns that a byte selects, for all values of each byte.
fn by_bytes(columns: &[u64; 64]) -> Table {
    let sums = |columns: &[u64]| {
        let mut sums = [0_u64; 256];
        for value in 1..256_usize {
            // The sum for the value without its lowest bit is known already.
            sums[value] = sums[value & (value - 1)] ^ columns[value.trailing_zeros() as usize];
        }
        sums
    };
    columns.chunks_exact(8).map(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Vec<u64> {
        let structured = (0..64).flat_map(|i| [1_u64 << i, (1_u64 << i) - 1, i]);
        structured.chain(SplitMix::new(4).seeds(100)).collect()
    }

    fn image(permutation: &Permutation, x: u64) -> u64 {
        let mut images = Vec::new();
        permutation.images(&[x], &mut images);
        images[0]
    }

    /// Computes `base` to the power of `exponent` modulo 2^61 - 1.
    fn power(base: u64, exponent: u64) -> u64 {
        let bits = (0..61).rev().map(|i| exponent >> i & 1 == 1);
        bits.fold(1, |y, bit| {
            let square = linear(y, 0, y);
            if bit { linear(base, 0, square) } else { square }
        })
    }

    #[test]
    fn linear_ones_are_undone_by_the_inverse_of_a() {
        let mut numbers = SplitMix::new(1);
        for _ in 0..20 {
            let permutation = Family::Linear.draw(&mut numbers);
            let Permutation::Linear { a, b } = permutation else { panic!("another family") };
            // By Fermat, a^(p - 2) a = 1.
            let inverse = power(a, MODULUS - 2);
            for x in keys() {
                let shifted = (image(&permutation, x) + MODULUS - b) % MODULUS;
                assert_eq!(linear(inverse, 0, shifted), x % MODULUS);
            }
        }
        let by_definition = |a: u64, b: u64, x: u64| {
            let p = u128::from(MODULUS);
            ((u128::from(a) * u128::from(x) + u128::from(b)) % p) as u64
        };
        for x in keys() {
            assert_eq!(
                linear(MODULUS - 1, MODULUS - 1, x),
                by_definition(MODULUS - 1, MODULUS - 1, x % MODULUS)
            );
        }
    }

    /// Checks that a linear map of full rank loses nothing.
    #[test]
    fn matrices_are_linear_and_of_full_rank() {
        let mut numbers = SplitMix::new(3);
        for _ in 0..20 {
            let permutation = Family::Matrix.draw(&mut numbers);
            let of = |x: u64| image(&permutation, x) ^ image(&permutation, 0);
            assert_eq!(rank(&std::array::from_fn(|i| of(1 << i))), 64);
            for pair in keys().windows(2) {
                assert_eq!(of(pair[0]) ^ of(pair[1]), of(pair[0] ^ pair[1]));
            }
        }
    }

    #[test]
    fn rank_counts_independent_columns() {
        let unit = std::array::from_fn(|i| 1_u64 << i);
        assert_eq!(rank(&unit), 64);
        assert_eq!(rank(&[7; 64]), 1);
        assert_eq!(
            rank(&std::array::from_fn(|i| if i == 9 { unit[3] ^ unit[5] } else { unit[i] })),
            63
        );
        assert_eq!(rank(&[0; 64]), 0);
    }

    #[test]
    fn one_changed_byte_changes_every_image() {
        let mut numbers = SplitMix::new(5);
        for family in [Family::Linear, Family::Matrix, Family::Mix] {
            let permutation = family.draw(&mut numbers);
            for x in keys() {
                for byte in 0..8 {
                    let other = x ^ 1 << (8 * byte);
                    assert_ne!(
                        image(&permutation, x),
                        image(&permutation, other),
                        "{family:?} {x}"
                    );
                }
            }
        }
    }
}
