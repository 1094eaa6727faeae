//! Random partitioning: form grams several times, each time ignoring another part of all words.
//!
//! The key divides words into `b` sets of about equal size. Grams are formed `b` times, each time as if the words of
//! one set did not exist. If someone adds `very` in many places, at least one pass ignores it, wherever it was added.
//!
//! The number of grams is multiplied by `b - 1`. With `b = 1` everything would be ignored; from `b = 3`
//! on, grams repeat, which does not matter in a set of fingerprints.
//!
//! Cost: `b` passes over `(b - 1) / b` of the document each, plus forming the grams.
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.2.

use super::formation::Gram;

/// Calls `form` once per part with the tokens that are not in this part, and translates the ranges of
/// the grams it emits to the whole document.
///
/// `part_of` returns at most `parts - 1`.
#[inline]
pub fn form(
    tokens: &[u64],
    parts: u32,
    part_of: impl Fn(u64) -> u32,
    mut form: impl FnMut(&[u64], &mut dyn FnMut(Gram<'_>)),
    mut emit: impl FnMut(Gram<'_>),
) {
    let (mut seen, mut places) = (Vec::new(), Vec::new());
    for ignored in 0..parts {
        seen.clear();
        places.clear();
        for (place, &token) in tokens.iter().enumerate() {
            if part_of(token) != ignored {
                seen.push(token);
                places.push(place);
            }
        }
        form(&seen, &mut |gram| {
            let reach = places[gram.reach.start]..places[gram.reach.end - 1] + 1;
            emit(Gram { tokens: gram.tokens, reach });
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::formation::lists;
    use crate::{skipping, sliding};
    use fanmill_effort::golden;

    #[test]
    fn golden_vectors() {
        let file = golden::file("cluster_formation");
        let expected = |value: &Value| -> Vec<Vec<u64>> {
            value.as_array().expect("an array").iter().map(golden::u64s).collect()
        };
        for case in file["partitioning"].as_array().expect("cases") {
            let (tokens, l) = (golden::u64s(&case["tokens"]), golden::usize(&case["l"]));
            let b = golden::usize(&case["b"]) as u32;
            let part_of = |token: u64| (token % u64::from(b)) as u32;
            let sliding =
                |seen: &[u64], emit: &mut dyn FnMut(Gram<'_>)| sliding::form(seen, l, emit);
            let found = lists(|emit| form(&tokens, b, part_of, sliding, emit));
            assert_eq!(found, expected(&case["sliding"]), "{case}");
            let skipping = |seen: &[u64], emit: &mut dyn FnMut(Gram<'_>)| {
                skipping::fixed(seen, l, usize::MAX, |c, t| c ^ t, |v| v % 10 < 3, emit);
            };
            let found = lists(|emit| form(&tokens, b, part_of, skipping, emit));
            assert_eq!(found, expected(&case["skipping_xor_mod10_lt3"]), "{case}");
        }
    }

    #[test]
    fn reaches_are_those_of_the_whole_document() {
        let mut reaches = Vec::new();
        let pairs = |seen: &[u64], emit: &mut dyn FnMut(Gram<'_>)| sliding::form(seen, 2, emit);
        form(&[2, 1, 4, 3], 2, |token| (token % 2) as u32, pairs, |gram| reaches.push(gram.reach));
        assert_eq!(reaches, [1..4, 0..3]);
    }
}
