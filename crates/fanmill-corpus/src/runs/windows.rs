//! The windows of a document, hashed one after another.
//!
//! If runs are measured in bytes, windows differ in length. Every run of that many bytes or more is the union of its
//! shortest windows: for each word, the shortest one that begins with it, and the shortest one that ends with it. There
//! are at most two for each word.

use fanmill_text::Result;

use super::current::Current;
use super::hashing::{Hashing, Rolling};

/// A window of a document: its hash, the index of its first word, and the index behind its last one.
pub(super) type Found = ((u64, u32), usize, usize);

/// Passes the windows of `n` words that contain a seed to `take`. The `k` words of a seed begin at its place; places
/// ascend.
pub(super) fn around_seeds(
    current: &Current<'_>,
    (n, k): (usize, usize),
    seeds: impl Iterator<Item = u32>,
    hashing: &Hashing,
    mut take: impl FnMut(Found) -> Result<()>,
) -> Result<()> {
    let words = &*current.words;
    let Some(last) = words.len().checked_sub(n) else { return Ok(()) };
    // The first window that has not been looked at, and the hash of the one before it, if that has been hashed.
    let (mut next, mut rolling) = (0, None::<Rolling<'_>>);
    for index in seeds.filter_map(|place| current.find(place)) {
        let from = (index + k).saturating_sub(n);
        if from > next {
            (next, rolling) = (from, None);
        }
        for start in next..=index.min(last) {
            let end = start + n;
            let hashed = match &mut rolling {
                Some(rolling) => {
                    rolling.pop(words[start - 1]);
                    rolling.push(words[end - 1]);
                    rolling
                }
                none => none.insert(Rolling::over(hashing, &words[start..end])),
            };
            take((hashed.hash(), start, end))?;
        }
        next = next.max(index.min(last) + 1);
    }
    Ok(())
}

/// Passes the shortest windows of at least `min` bytes to `take`. `lengths` are those of the words in bytes, and one
/// blank counts between two of them.
pub(super) fn of_bytes(
    words: &[u64],
    lengths: &[u16],
    min: usize,
    hashing: &Hashing,
    mut take: impl FnMut(Found) -> Result<()>,
) -> Result<()> {
    let (mut start, mut n_bytes, mut rolling) = (0, 0, Rolling::over(hashing, &[]));
    let mut is_long = false;
    for (last, &word) in words.iter().enumerate() {
        rolling.push(word);
        n_bytes += usize::from(lengths[last]) + usize::from(last > start);
        if n_bytes < min {
            continue;
        }
        // Windows that begin behind the last one that was taken are the shortest from their first words on. If there
        // are none, the one that begins with the same word is the shortest up to its last word.
        let mut has_taken = false;
        if !is_long {
            take((rolling.hash(), start, last + 1))?;
            (is_long, has_taken) = (true, true);
        }
        while start < last && n_bytes - usize::from(lengths[start]) > min {
            n_bytes -= usize::from(lengths[start]) + 1;
            rolling.pop(words[start]);
            start += 1;
            take((rolling.hash(), start, last + 1))?;
            has_taken = true;
        }
        if !has_taken {
            take((rolling.hash(), start, last + 1))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn windows_of_bytes_are_the_shortest_ones(lengths in prop::collection::vec(1_u16..9, 0..30), min in 1_usize..40) {
            let words: Vec<u64> = (0..lengths.len() as u64).collect();
            let hashing = Hashing::new(&[7; 32], 40);
            let mut found = Vec::new();
            of_bytes(&words, &lengths, min, &hashing, |window| { found.push(window); Ok(()) }).expect("no disk");
            let n_bytes = |start: usize, end: usize| {
                lengths[start..end].iter().copied().map(usize::from).sum::<usize>() + end - start - 1
            };
            let mut expected = BTreeSet::new();
            for start in 0..words.len() {
                expected.extend((start + 1..=words.len()).find(|&end| n_bytes(start, end) >= min).map(|end| (start, end)));
            }
            for end in 1..=words.len() {
                expected.extend((0..end).rfind(|&start| n_bytes(start, end) >= min).map(|start| (start, end)));
            }
            prop_assert_eq!(found.len(), expected.len());
            prop_assert!(found.iter().map(|&(_, start, end)| (start, end)).eq(expected));
            for &(hash, start, end) in &found {
                prop_assert_eq!(hash, Rolling::over(&hashing, &words[start..end]).hash());
            }
        }

        #[test]
        fn windows_with_a_seed_are_hashed_once(len in 0_usize..40, n in 1_usize..9, k in 1_usize..9, seeds in prop::collection::btree_set(0_u32..40, 0..8)) {
            let k = k.min(n);
            let words: Vec<u64> = (0..len as u64).collect();
            let (hashing, current) = (Hashing::new(&[7; 32], 9), Current::new(&words, &[]));
            let mut found = Vec::new();
            let take = |window| { found.push(window); Ok(()) };
            around_seeds(&current, (n, k), seeds.iter().copied(), &hashing, take).expect("no disk");
            let holds = |start: usize| seeds.iter().any(|&at| start <= at as usize && at as usize + k <= start + n && (at as usize) < len);
            let expected: Vec<(usize, usize)> = (0..(len + 1).saturating_sub(n)).filter(|&start| holds(start)).map(|start| (start, start + n)).collect();
            prop_assert_eq!(found.iter().map(|&(_, start, end)| (start, end)).collect::<Vec<_>>(), expected);
            for &(hash, start, end) in &found {
                prop_assert_eq!(hash, Rolling::over(&hashing, &words[start..end]).hash());
            }
        }
    }
}
