//! Hashes of all runs of `k` words of 64 bits.

use xxhash_rust::xxh3::xxh3_64;

/// Returns the XXH3 hash of some words, little-endian.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    if cfg!(target_endian = "little") {
        xxh3_64(bytemuck::cast_slice(words))
    } else {
        xxh3_64(&bytes(words))
    }
}

/// Returns the bytes that are hashed: the words as they are in memory on a little-endian machine.
fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Appends the [`hash`] of every `k` consecutive words, in order. A `k` of 0 is taken as 1.
pub fn hash_all(words: &[u64], k: usize, hashes: &mut Vec<u64>) {
    // For a length that the compiler knows, XXH3 needs neither a loop nor a choice among its five forms.
    match k {
        0 | 1 => hash_each::<1>(words, hashes),
        3 => hash_each::<3>(words, hashes),
        4 => hash_each::<4>(words, hashes),
        5 => hash_each::<5>(words, hashes),
        11 => hash_each::<11>(words, hashes),
        _ => hashes.extend(words.windows(k).map(hash)),
    }
}

fn hash_each<const K: usize>(words: &[u64], hashes: &mut Vec<u64>) {
    hashes.extend(words.windows(K).map(|gram| hash(&gram[..K])));
}

/// Writes a hash of 32 bits of every `r` consecutive words, in order, as far as there is room. The hashes are evenly
/// spread, and quicker to compute than those of [`hash_all`]. An `r` of 0 is taken as 1.
pub fn order_all(words: &[u64], r: usize, hashes: &mut [u32]) {
    match r {
        2 => order_each::<2>(words, hashes),
        3 => order_each::<3>(words, hashes),
        4 => order_each::<4>(words, hashes),
        _ => hashes
            .iter_mut()
            .zip(words.windows(r.max(1)))
            .for_each(|(hash, gram)| *hash = order(gram)),
    }
}

fn order_each<const R: usize>(words: &[u64], hashes: &mut [u32]) {
    for (hash, gram) in hashes.iter_mut().zip(words.windows(R)) {
        *hash = order(&gram[..R]);
    }
}

#[inline]
fn order(words: &[u64]) -> u32 {
    let mixed = words.iter().fold(0x51_7c_c1_b7_27_22_0a_95_u64, |hash, word| {
        (hash ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(29)
    });
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fast_equals_naive(words in proptest::collection::vec(any::<u64>(), 0..80), k in 0_usize..40) {
            let mut hashes = vec![7];
            hash_all(&words, k, &mut hashes);
            let mut orders = vec![0; (words.len() + 1).saturating_sub(k.max(1))];
            order_all(&words, k, &mut orders);
            let (mut naive_hashes, mut naive_orders) = (vec![7], vec![]);
            let length = k.max(1);
            for start in 0..(words.len() + 1).saturating_sub(length) {
                naive_hashes.push(xxh3_64(&bytes(&words[start..start + length])));
                naive_orders.push(order(&words[start..start + length]));
            }
            prop_assert_eq!((hashes, orders), (naive_hashes, naive_orders));
        }
    }

    /// Stored hashes, and the choice of grams, must be the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(hash(&[]), 0x2d06_8005_38d3_94c2, "XXH3's own test vector for no bytes");
        let words = [0x0123_4567_89ab_cdef, 42, u64::MAX, 0];
        assert_eq!((order(&words), order(&words[..2])), (0x6bf3_42bd, 0x2b98_5b03));
    }
}
