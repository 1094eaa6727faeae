//! Sets for sampling minima: random ones, and structured ones that expose weak families.

use fanmill_kernel::hash::mix::{SplitMix, mix};

/// A kind of set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `0, 1, …, n - 1`.
    Interval,
    /// `12,345 + 1,000,003 i`.
    Progression,
    /// The first `n` corners of a cube with one dimension per byte: `0, 1, 2^8, 2^8 + 1, 2^16, …`.
    Cube,
    /// Eight random lower-case letters, one per byte: text that was not hashed first.
    Letters,
    /// Random 64-bit numbers, as hashes of shingles are.
    Random,
}

impl Shape {
    /// All kinds of sets.
    pub const ALL: [Shape; 5] =
        [Shape::Interval, Shape::Progression, Shape::Cube, Shape::Letters, Shape::Random];

    /// Returns its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Shape::Interval => "interval",
            Shape::Progression => "progression",
            Shape::Cube => "cube",
            Shape::Letters => "letters",
            Shape::Random => "random",
        }
    }

    /// Returns `n` distinct members, ascending if the shape has an order.
    pub fn members(self, n: usize, seed: u64) -> Vec<u64> {
        let mut numbers = SplitMix::new(mix(seed ^ self as u64));
        let all = 0..n as u64;
        match self {
            Shape::Interval => all.collect(),
            Shape::Progression => all.map(|i| 12_345 + 1_000_003 * i).collect(),
            Shape::Cube => all.map(corner).collect(),
            Shape::Letters => different(n, || letters(numbers.draw())),
            Shape::Random => different(n, || numbers.draw()),
        }
    }
}

/// Returns the corner of a cube with this number: bit `i` goes to byte `i` modulo 8; the ninth bit goes to the second
/// bit of the first byte.
fn corner(number: u64) -> u64 {
    (0..32).fold(0, |corner, i| corner | (number >> i & 1) << (8 * (i % 8) + i / 8))
}

/// Returns eight lower-case letters made from a random number.
fn letters(number: u64) -> u64 {
    let letter = |byte: u8| b'a' + ((u16::from(byte) * 26) >> 8) as u8;
    u64::from_le_bytes(number.to_le_bytes().map(letter))
}

/// Returns the first `n` distinct numbers drawn.
fn different(n: usize, mut draw: impl FnMut() -> u64) -> Vec<u64> {
    let mut members = Vec::with_capacity(n);
    let mut known = std::collections::BTreeSet::new();
    while members.len() < n {
        let number = draw();
        if known.insert(number) {
            members.push(number);
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_distinct_and_as_many_as_requested() {
        for shape in Shape::ALL {
            for n in [1, 100, 5000] {
                let mut members = shape.members(n, 1);
                assert_eq!(members, shape.members(n, 1));
                members.sort_unstable();
                members.dedup();
                assert_eq!(members.len(), n, "{shape:?}");
            }
        }
    }

    #[test]
    fn shapes_are_what_they_are_called() {
        assert_eq!(Shape::Cube.members(6, 0), [0, 1, 256, 257, 65536, 65537]);
        assert_eq!(Shape::Cube.members(257, 0)[256], 2, "the second bit of the first byte");
        assert_eq!(Shape::Progression.members(2, 0), [12_345, 1_012_348]);
        let letters = Shape::Letters.members(300, 3);
        let bytes: Vec<u8> = letters.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(bytes.iter().all(u8::is_ascii_lowercase));
        assert!((b'a'..=b'z').all(|letter| bytes.contains(&letter)));
    }
}
