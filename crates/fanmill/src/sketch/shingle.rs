//! Shingles: every `k` consecutive words of a document, as a set of 64-bit hashes.
//!
//! The set forgets order and repetition: "a rose is a rose is a rose" has five shingles of four
//! words, three of them different. To keep repetition, label each occurrence with its number
//! ([`labelled`]): the resemblance of labelled sets is the weighted resemblance of the counts,
//! Σ min / Σ max, so every sketch and join that works on sets works on weights too.
//!
//! A document with fewer than `k` words has no shingle. Dropping it, or calling all such documents
//! alike, loses text, so by default ([`Short::Whole`]) its words together are its one shingle:
//! equal short documents resemble each other by 1 and nothing else by anything. A document without
//! words has the empty set, which resembles nothing, not even another one: none is ever a duplicate.
//!
//! Cost: O(n) time; XXH3 over `8 k` bytes a shingle. Hashes are the same everywhere and always.
//! Source: Broder, "Algorithms for duplicate documents" (slides), Shingling; labelled occurrences:
//! Broder, "On the resemblance and containment of documents", 1997. The slides' `w` is our `k`.
//! Departs from it: XXH3 for Rabin's fingerprints ([`crate::hash::rabin`]), short documents.

use xxhash_rust::xxh3::xxh3_64;

use crate::gram::{self, Multiset};

/// Words in a shingle unless the user says otherwise. The slides call 3 to 10 good.
pub const DEFAULT_WORDS: usize = 5;

/// Shingles of up to this many words are hashed from the stack.
const ON_STACK: usize = 16;

/// What a document yields that has words, but fewer than a shingle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Short {
    /// All its words as one shingle, so that equal short documents are found.
    Whole,
    /// Nothing, as in the paper.
    Nothing,
}

/// The value of a word that the caller has folded: XXH3 of its bytes.
#[inline]
pub fn word(text: &[u8]) -> u64 {
    xxh3_64(text)
}

/// Appends the hashes of all shingles of `k` words, in document order and with repetitions.
///
/// `words` holds one value a word, as [`word`] or a token's symbol gives it.
///
/// # Panics
/// If `k` is 0.
pub fn bag(words: &[u64], k: usize, short: Short, shingles: &mut Vec<u64>) {
    if words.len() >= k {
        shingles.extend(words.windows(k).map(hash));
    } else if short == Short::Whole && !words.is_empty() {
        shingles.push(hash(words));
    }
}

/// The different shingles of a document, ascending. See [`bag`].
///
/// # Panics
/// If `k` is 0.
pub fn set(words: &[u64], k: usize, short: Short) -> Vec<u64> {
    let mut shingles = Vec::with_capacity(gram::count(words.len(), k).max(1));
    bag(words, k, short, &mut shingles);
    normalise(&mut shingles);
    shingles
}

/// Sorts hashes and drops repetitions: what every function over sets expects.
pub fn normalise(shingles: &mut Vec<u64>) {
    shingles.sort_unstable();
    shingles.dedup();
}

/// The different shingles, ascending, each with how often it occurs. See [`bag`].
///
/// # Panics
/// If `k` is 0.
pub fn counts(words: &[u64], k: usize, short: Short) -> Vec<(u64, u32)> {
    let mut shingles = Vec::new();
    bag(words, k, short, &mut shingles);
    let mut multiset = Multiset::default();
    for shingle in shingles {
        multiset.push(shingle);
    }
    multiset.into_counts()
}

/// The set of (shingle, number of its occurrence), ascending: as many as the bag has members.
///
/// The first occurrence keeps the shingle's own hash, so that a labelled set contains the plain one.
pub fn labelled(counts: &[(u64, u32)]) -> Vec<u64> {
    let each = |&(shingle, n): &(u64, u32)| (1..=n).map(move |number| label(shingle, number));
    let mut shingles: Vec<u64> = counts.iter().flat_map(each).collect();
    normalise(&mut shingles);
    shingles
}

/// The hash of one occurrence, `number` counted from 1.
fn label(shingle: u64, number: u32) -> u64 {
    if number == 1 { shingle } else { hash(&[shingle, number.into()]) }
}

/// The hash of words: XXH3 of their values, little-endian. The length counts.
#[inline]
fn hash(words: &[u64]) -> u64 {
    if words.len() <= ON_STACK {
        let mut bytes = [0_u8; 8 * ON_STACK];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        xxh3_64(&bytes[..8 * words.len()])
    } else {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        xxh3_64(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::golden;

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

    /// The hash of a shingle that a golden file spells out.
    fn spelled(shingle: &str) -> u64 {
        hash(&words(shingle))
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases(include_str!("../../../../testdata/golden/shingles.json")) {
            let (words, k) =
                (words(case["text"].as_str().expect("text")), golden::usize(&case["w"]));
            let mut shingles = Vec::new();
            bag(&words, k, Short::Nothing, &mut shingles);
            let expected: Vec<u64> = texts(&case["bag"]).into_iter().map(spelled).collect();
            assert_eq!(shingles, expected, "{case}");

            let mut distinct: Vec<u64> =
                texts(&case["distinct"]).into_iter().map(spelled).collect();
            distinct.sort_unstable();
            assert_eq!(set(&words, k, Short::Nothing), distinct, "{case}");

            let occurrence = |pair: &Value| {
                let number = u32::try_from(golden::usize(&pair[1])).expect("small");
                label(spelled(pair[0].as_str().expect("text")), number)
            };
            let pairs = case["labelled"].as_array().expect("pairs");
            let mut expected: Vec<u64> = pairs.iter().map(occurrence).collect();
            expected.sort_unstable();
            assert_eq!(labelled(&counts(&words, k, Short::Nothing)), expected, "{case}");
        }
    }

    #[test]
    fn a_rose_is_a_rose() {
        let words = words("a rose is a rose is a rose");
        let counts = counts(&words, 4, Short::Whole);
        assert_eq!((counts.len(), counts.iter().map(|c| c.1).sum::<u32>()), (3, 5));
    }

    #[test]
    fn short_documents_resemble_their_equals_only() {
        let set = |text| set(&words(text), DEFAULT_WORDS, Short::Whole);
        assert_eq!(set("not found"), set(" not  found\n"));
        let others = ["not", "found not", "not found not", "not found the page here", ""];
        assert!(
            others.iter().all(|other| set("not found").iter().all(|s| !set(other).contains(s)))
        );
        assert_eq!(set("").len(), 0);
        assert!(super::set(&words("not found"), 5, Short::Nothing).is_empty());
    }

    #[test]
    fn long_shingles_hash_as_short_ones_do() {
        let words: Vec<u64> = (0..40).collect();
        for n in [1, ON_STACK, ON_STACK + 1, 40] {
            let bytes: Vec<u8> = words[..n].iter().flat_map(|w| w.to_le_bytes()).collect();
            assert_eq!(hash(&words[..n]), xxh3_64(&bytes));
        }
    }

    /// A stored sketch must mean the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(spelled("a rose is a rose"), VALUE_OF_A_ROSE);
    }

    const VALUE_OF_A_ROSE: u64 = 8_679_698_003_863_321_479;

    proptest! {
        #[test]
        fn set_counts_and_bag_agree(words in proptest::collection::vec(0_u64..4, 0..60), k in 1_usize..8) {
            let mut shingles = Vec::new();
            bag(&words, k, Short::Whole, &mut shingles);
            let counts = counts(&words, k, Short::Whole);
            let plain: Vec<u64> = counts.iter().map(|count| count.0).collect();
            prop_assert_eq!(&set(&words, k, Short::Whole), &plain);
            prop_assert!(counts.iter().all(|&(s, n)| shingles.iter().filter(|&&x| x == s).count() == n as usize));
            let labelled = labelled(&counts);
            prop_assert_eq!(labelled.len(), shingles.len());
            prop_assert!(plain.iter().all(|shingle| labelled.contains(shingle)));
        }
    }
}
