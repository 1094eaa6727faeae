//! Families of permutations for sampling minima: drawing one at random, and applying it.
//!
//! Sketches only use `mix`; the others are here for comparison.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Quality of MWI families" (linear, matrix); Pătraşcu
//! & Thorup, "The power of simple tabulation hashing", 2012, and "Twisted tabulation hashing", 2013; Dahlgaard,
//! Knudsen, Rotenberg & Thorup, "Hashing for statistics over k-partitions", 2015 (mixed tabulation); Steele, Lea &
//! Flood, "Fast splittable pseudorandom number generators", 2014.
//! Departs from it: tabulation is not a permutation, but values of 64 bits hardly ever collide.

use fanmill_kernel::hash::mix::{SplitMix, mix};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// 2^61 - 1, a Mersenne prime: remainders take a shift and an addition.
const MODULUS: u64 = (1 << 61) - 1;
/// Number of bytes of a key.
const BYTES: usize = 8;
/// Number of characters that mixed tabulation derives from a key.
const DERIVED: usize = 4;
/// The increment of the `SplitMix` generator.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A way to make permutations of the 64-bit numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// A random number drawn for every member: the baseline for the others.
    Random,
    /// `a x + b` modulo 2^61 - 1, with keys reduced by the same modulus.
    Linear,
    /// `a x + b` modulo 2^64, `a` odd.
    Multiply,
    /// `M x + b` over GF(2), `M` invertible.
    Matrix,
    /// Simple tabulation: the exclusive or of one random number for each byte.
    Tabulation,
    /// Twisted tabulation: the last byte is changed by the others before it is looked up.
    Twisted,
    /// Mixed tabulation: four more characters come from the bytes and are looked up too.
    Mixed,
    /// [`mix`] of `x ^ seed`: the one that sketches use.
    Mix,
    /// The `x`th number of a `SplitMix` sequence.
    SplitMix,
    /// XXH3 of the eight bytes, with a seed.
    Xxh3,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 10] = [
        Family::Random,
        Family::Linear,
        Family::Multiply,
        Family::Matrix,
        Family::Tabulation,
        Family::Twisted,
        Family::Mixed,
        Family::Mix,
        Family::SplitMix,
        Family::Xxh3,
    ];

    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Random => "random",
            Family::Linear => "linear",
            Family::Multiply => "multiply",
            Family::Matrix => "matrix",
            Family::Tabulation => "tabulation",
            Family::Twisted => "twisted",
            Family::Mixed => "mixed",
            Family::Mix => "mix",
            Family::SplitMix => "splitmix",
            Family::Xxh3 => "xxh3",
        }
    }

    /// Draws a random permutation.
    pub fn draw(self, numbers: &mut SplitMix) -> Permutation {
        match self {
            Family::Random => Permutation::Random(numbers.draw()),
            Family::Linear => Permutation::Linear {
                a: 1 + numbers.draw() % (MODULUS - 1),
                b: numbers.draw() % MODULUS,
            },
            Family::Multiply => Permutation::Multiply { a: numbers.draw() | 1, b: numbers.draw() },
            Family::Matrix => {
                Permutation::Matrix { table: by_bytes(&invertible(numbers)), b: numbers.draw() }
            }
            Family::Tabulation => Permutation::Tabulation(table(BYTES, numbers)),
            Family::Twisted => Permutation::Twisted {
                table: table(BYTES, numbers),
                twist: table(BYTES - 1, numbers),
            },
            Family::Mixed => Permutation::Mixed {
                table: table(BYTES, numbers),
                derive: table(BYTES, numbers),
                derived: table(DERIVED, numbers),
            },
            Family::Mix => Permutation::Mix(numbers.draw()),
            Family::SplitMix => Permutation::SplitMix(numbers.draw()),
            Family::Xxh3 => Permutation::Xxh3(numbers.draw()),
        }
    }
}

/// A tabulation table: a number for every value of each character.
type Table = Vec<[u64; 256]>;

/// One member of a [`Family`].
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are the letters of the family's definition")]
pub enum Permutation {
    /// The seed of the random numbers.
    Random(u64),
    /// See [`Family::Linear`].
    Linear { a: u64, b: u64 },
    /// See [`Family::Multiply`].
    Multiply { a: u64, b: u64 },
    /// See [`Family::Matrix`]; the table has the sum of the columns that each value of a byte selects.
    Matrix { table: Table, b: u64 },
    /// See [`Family::Tabulation`].
    Tabulation(Table),
    /// See [`Family::Twisted`].
    Twisted { table: Table, twist: Table },
    /// See [`Family::Mixed`].
    Mixed { table: Table, derive: Table, derived: Table },
    /// The seed.
    Mix(u64),
    /// The seed.
    SplitMix(u64),
    /// The seed.
    Xxh3(u64),
}

impl Permutation {
    /// Fills `images` with the images of `keys`, one for each.
    pub fn images(&self, keys: &[u64], images: &mut Vec<u64>) {
        images.clear();
        match self {
            Permutation::Random(seed) => {
                // Different sets get different numbers; otherwise the same coincidences would occur in all of them.
                let of_set = keys.iter().fold(*seed, |sum, &x| mix(sum ^ x));
                let mut numbers = SplitMix::new(of_set);
                images.extend(keys.iter().map(|_| numbers.draw()));
            }
            Permutation::Linear { a, b } => {
                images.extend(keys.iter().map(|&x| linear(*a, *b, x)));
            }
            Permutation::Multiply { a, b } => {
                images.extend(keys.iter().map(|&x| a.wrapping_mul(x).wrapping_add(*b)));
            }
            Permutation::Matrix { table, b } => {
                images.extend(keys.iter().map(|&x| b ^ look_up(table, x)));
            }
            Permutation::Tabulation(table) => {
                images.extend(keys.iter().map(|&x| look_up(table, x)));
            }
            Permutation::Twisted { table, twist } => {
                let last = 8 * (BYTES as u32 - 1);
                let twisted = |x: u64| x ^ (look_up(twist, x) & 0xff) << last;
                images.extend(keys.iter().map(|&x| look_up(table, twisted(x))));
            }
            Permutation::Mixed { table, derive, derived } => {
                let mixed = |x: u64| look_up(table, x) ^ look_up(derived, look_up(derive, x));
                images.extend(keys.iter().map(|&x| mixed(x)));
            }
            Permutation::Mix(seed) => images.extend(keys.iter().map(|&x| mix(x ^ seed))),
            Permutation::SplitMix(seed) => {
                let step = |x: u64| seed.wrapping_add(x.wrapping_mul(STEP));
                images.extend(keys.iter().map(|&x| mix(step(x))));
            }
            Permutation::Xxh3(seed) => {
                images.extend(keys.iter().map(|&x| xxh3_64_with_seed(&x.to_le_bytes(), *seed)));
            }
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

/// Draws random numbers for every value of `n_characters` characters.
fn table(n_characters: usize, numbers: &mut SplitMix) -> Table {
    (0..n_characters).map(|_| std::array::from_fn(|_| numbers.draw())).collect()
}

/// Returns the exclusive or of the table's entries for the low bytes of `x`, one per character of the table.
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

    #[test]
    fn products_with_odd_numbers_are_undone_by_their_inverse() {
        let mut numbers = SplitMix::new(2);
        for _ in 0..20 {
            let permutation = Family::Multiply.draw(&mut numbers);
            let Permutation::Multiply { a, b } = permutation else { panic!("another family") };
            // Newton's iteration doubles the number of correct bits.
            let inverse =
                (0..6).fold(a, |y: u64, _| y.wrapping_mul(2_u64.wrapping_sub(a.wrapping_mul(y))));
            for x in keys() {
                assert_eq!(image(&permutation, x).wrapping_sub(b).wrapping_mul(inverse), x);
            }
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

    /// Checks that the step is odd; the mixer is a permutation, so a `SplitMix` sequence then has no repetition.
    #[test]
    fn splitmix_is_the_generators_sequence() {
        let permutation = Permutation::SplitMix(77);
        let mut numbers = SplitMix::new(77);
        for x in 1..50 {
            assert_eq!(image(&permutation, x), numbers.draw());
        }
        assert_eq!(STEP % 2, 1);
    }

    #[test]
    fn one_changed_byte_changes_every_image() {
        let mut numbers = SplitMix::new(5);
        for family in Family::ALL.into_iter().filter(|family| *family != Family::Random) {
            let permutation = family.draw(&mut numbers);
            for x in keys() {
                for byte in 0..BYTES {
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

    #[test]
    fn tabulation_is_what_its_tables_say() {
        let mut numbers = SplitMix::new(6);
        let [table, twist, derive, derived] = [8, 7, 8, 4].map(|n| table(n, &mut numbers));
        let x = 0x0807_0605_0403_0201_u64;
        let plain = |table: &Table, x: u64| {
            (0..table.len()).fold(0, |sum, i| sum ^ table[i][(x >> (8 * i) & 0xff) as usize])
        };
        assert_eq!(image(&Permutation::Tabulation(table.clone()), x), plain(&table, x));
        let turned = x ^ (plain(&twist, x) & 0xff) << 56;
        let twisted = Permutation::Twisted { table: table.clone(), twist };
        assert_eq!(image(&twisted, x), plain(&table, turned));
        let expected = plain(&table, x) ^ plain(&derived, plain(&derive, x));
        assert_eq!(image(&Permutation::Mixed { table, derive, derived }, x), expected);
    }
}
