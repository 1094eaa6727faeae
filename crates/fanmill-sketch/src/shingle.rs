//! Shingles: every `k` consecutive words of a document, as a set of 64-bit hashes.
//!
//! The set forgets order and repetition: "a rose is a rose is a rose" has five shingles of four
//! words, three of them distinct. To keep repetitions, each occurrence is labelled with its number
//! ([`labelled`]): the resemblance of labelled sets is the weighted resemblance of the counts,
//! Σ min / Σ max, so every sketch and join for sets works for weights too.
//!
//! A document with fewer than `k` words has no shingle. Dropping such documents, or treating them all as
//! equal, would lose text. So by default ([`ShortDocuments::Whole`]) all their words together are one shingle: equal
//! short documents have resemblance 1, different ones 0. A document without words has the empty set, which
//! resembles nothing, not even another empty set, so it is never a duplicate.
//!
//! A shingle's hash is a polynomial in the values of its words modulo 2^64, which rolls from one shingle to
//! the next and is then [mixed](fanmill_kernel::hash::mix). The values of the words must be well mixed. Polynomials
//! of different shingles are then equal as rarely as random numbers, except for shingles of some hundred
//! words: such polynomials collide on Thue–Morse sequences of two words, from 256 words on.
//!
//! Cost: O(n) time for any `k`; 1.1 ns per shingle, where XXH3 of five values took 3.5 to 5
//! (November 2026). Hashes are the same on every platform and release.
//! Source: Broder, "Algorithms for duplicate documents" (slides), Shingling; labelled occurrences:
//! Broder, "On the resemblance and containment of documents", 1997; rolling: Karp & Rabin,
//! "Efficient randomized pattern-matching algorithms", 1987. The slides' `w` is our `k`.
//! Departs from it: a polynomial over words instead of Rabin's fingerprints; short documents.

use xxhash_rust::xxh3::xxh3_64;

use fanmill_kernel as kernel;
pub use fanmill_kernel::{normalise, normalise_in};
use fanmill_text::gram::{self, Multiset};

/// Default number of words in a shingle. The slides recommend 3 to 10.
pub const DEFAULT_WORDS: usize = 5;

/// Treatment of a document that has words, but fewer than a shingle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShortDocuments {
    /// Take all its words as one shingle, so that equal short documents are found.
    Whole,
    /// Take nothing, as in the paper.
    Nothing,
}

/// Returns the value of a word: XXH3 of its bytes. The caller folds case and the like.
#[inline]
pub fn word(text: &[u8]) -> u64 {
    xxh3_64(text)
}

/// Appends the hashes of all shingles of `k` words, in document order and with repetitions.
///
/// `words` holds one value per word, from [`word`], a token's symbol or
/// [`word_hashes`](fanmill_text::frontend::runs::word_hashes).
///
/// A shingle has at least one word: a `k` of 0 is taken as 1.
pub fn bag(words: &[u64], k: usize, short: ShortDocuments, shingles: &mut Vec<u64>) {
    let k = k.max(1);
    if words.len() >= k {
        kernel::polynomial_hashes(words, k, shingles);
    } else if short == ShortDocuments::Whole && !words.is_empty() {
        shingles.push(kernel::polynomial_hash(words));
    }
}

/// Returns the distinct shingles of a document, ascending. See [`bag`].
pub fn set(words: &[u64], k: usize, short: ShortDocuments) -> Vec<u64> {
    let mut shingles = Vec::with_capacity(gram::count(words.len(), k).max(1));
    bag(words, k, short, &mut shingles);
    normalise(&mut shingles);
    shingles
}

/// Returns the distinct shingles, ascending, each with its count. See [`bag`].
pub fn counts(words: &[u64], k: usize, short: ShortDocuments) -> Vec<(u64, u32)> {
    let mut shingles = Vec::new();
    bag(words, k, short, &mut shingles);
    let mut multiset = Multiset::default();
    for shingle in shingles {
        multiset.push(shingle);
    }
    multiset.into_counts()
}

/// Returns the set of all occurrences as hashes of (shingle, number), ascending: as many as the bag has members.
///
/// The first occurrence keeps the shingle's own hash, so a labelled set contains the plain set.
pub fn labelled(counts: &[(u64, u32)]) -> Vec<u64> {
    let each = |&(shingle, n): &(u64, u32)| (1..=n).map(move |number| label(shingle, number));
    let mut shingles: Vec<u64> = counts.iter().flat_map(each).collect();
    normalise(&mut shingles);
    shingles
}

/// Returns the hash of one occurrence; `number` counts from 1.
fn label(shingle: u64, number: u32) -> u64 {
    if number == 1 { shingle } else { kernel::polynomial_hash(&[shingle, number.into()]) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use fanmill_effort::golden;
    use fanmill_kernel::hash::mix::mix;
    use fanmill_kernel::polynomial_hash as hash;

    fn words(text: &str) -> Vec<u64> {
        text.split_whitespace().map(|each| word(each.as_bytes())).collect()
    }

    fn texts(value: &Value) -> Vec<&str> {
        value
            .as_array()
            .expect("an array")
            .iter()
            .map(|text| text.as_str().expect("text"))
            .collect()
    }

    /// Returns the hash of a shingle that a golden file spells out.
    fn spelled(shingle: &str) -> u64 {
        hash(&words(shingle))
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("shingles") {
            let (words, k) =
                (words(case["text"].as_str().expect("text")), golden::usize(&case["w"]));
            let mut shingles = Vec::new();
            bag(&words, k, ShortDocuments::Nothing, &mut shingles);
            let expected: Vec<u64> = texts(&case["bag"]).into_iter().map(spelled).collect();
            assert_eq!(shingles, expected, "{case}");

            let mut distinct: Vec<u64> =
                texts(&case["distinct"]).into_iter().map(spelled).collect();
            distinct.sort_unstable();
            assert_eq!(set(&words, k, ShortDocuments::Nothing), distinct, "{case}");

            let occurrence = |pair: &Value| {
                let number = u32::try_from(golden::usize(&pair[1])).expect("small");
                label(spelled(pair[0].as_str().expect("text")), number)
            };
            let pairs = case["labelled"].as_array().expect("pairs");
            let mut expected: Vec<u64> = pairs.iter().map(occurrence).collect();
            expected.sort_unstable();
            assert_eq!(labelled(&counts(&words, k, ShortDocuments::Nothing)), expected, "{case}");
        }
    }

    #[test]
    fn a_rose_is_a_rose() {
        let words = words("a rose is a rose is a rose");
        let counts = counts(&words, 4, ShortDocuments::Whole);
        assert_eq!((counts.len(), counts.iter().map(|c| c.1).sum::<u32>()), (3, 5));
    }

    #[test]
    fn short_documents_resemble_their_equals_only() {
        let set = |text| set(&words(text), DEFAULT_WORDS, ShortDocuments::Whole);
        assert_eq!(set("not found"), set(" not  found\n"));
        let others = ["not", "found not", "not found not", "not found the page here", ""];
        assert!(
            others.iter().all(|other| set("not found").iter().all(|s| !set(other).contains(s)))
        );
        assert_eq!(set("").len(), 0);
        assert!(super::set(&words("not found"), 5, ShortDocuments::Nothing).is_empty());
    }

    /// Changing a word, the order or the number of words changes the shingle.
    #[test]
    fn every_word_and_its_position_count() {
        let words: Vec<u64> = (0..6).map(mix).collect();
        let mut seen = vec![hash(&words), hash(&words[..5]), hash(&words[1..])];
        for i in 0..words.len() {
            for word in 0..1000 {
                let mut other = words.clone();
                other[i] = mix(1000 + word);
                seen.push(hash(&other));
            }
            for j in 0..i {
                let mut other = words.clone();
                other.swap(i, j);
                seen.push(hash(&other));
            }
        }
        let n_seen = seen.len();
        normalise(&mut seen);
        assert_eq!(seen.len(), n_seen);
    }

    /// Hashes of shingles of small numbers are distinct and spread over all bits.
    #[test]
    fn shingles_of_small_numbers_do_not_collide() {
        const N: u64 = 1 << 18;
        let words = |i: u64| [i & 7, i >> 3 & 7, i >> 6 & 7, i >> 9 & 7, i >> 12];
        let mut hashes: Vec<u64> = (0..N).map(|i| hash(&words(i))).collect();
        for bit in 0..64 {
            let ones = hashes.iter().filter(|&hash| hash >> bit & 1 == 1).count() as f64;
            // Four standard deviations of that many coin tosses, and a little more.
            assert!((ones - N as f64 / 2.0).abs() < 1200.0, "bit {bit}: {ones}");
        }
        normalise(&mut hashes);
        assert_eq!(hashes.len() as u64, N);
    }

    /// A stored sketch must mean the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(spelled("a rose is a rose"), VALUE_OF_A_ROSE);
    }

    const VALUE_OF_A_ROSE: u64 = 9_553_987_841_975_683_168;

    proptest! {
        #[test]
        fn rolling_equals_hashing_each(words in proptest::collection::vec(any::<u64>(), 0..60), k in 1_usize..20) {
            let mut shingles = Vec::new();
            bag(&words, k, ShortDocuments::Nothing, &mut shingles);
            let naive: Vec<u64> = words.windows(k).map(hash).collect();
            prop_assert_eq!(shingles, naive);
        }

        #[test]
        fn set_counts_and_bag_agree(words in proptest::collection::vec(0_u64..4, 0..60), k in 1_usize..8) {
            let mut shingles = Vec::new();
            bag(&words, k, ShortDocuments::Whole, &mut shingles);
            let counts = counts(&words, k, ShortDocuments::Whole);
            let plain: Vec<u64> = counts.iter().map(|count| count.0).collect();
            prop_assert_eq!(&set(&words, k, ShortDocuments::Whole), &plain);
            prop_assert!(counts.iter().all(|&(s, n)| shingles.iter().filter(|&&x| x == s).count() == n as usize));
            let labelled = labelled(&counts);
            prop_assert_eq!(labelled.len(), shingles.len());
            prop_assert!(plain.iter().all(|shingle| labelled.contains(shingle)));
        }
    }
}
