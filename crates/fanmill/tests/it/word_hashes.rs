//! Different words are never taken for equal ones, also where parts of their hashes agree.

use fanmill::pipeline::Config;
use xxhash_rust::xxh3::xxh3_64;

use crate::compare::{Handed, comparison};

/// Numbers that are spelled and looked at: of so many, some forty pairs agree in 32 bits of 64.
const N_WORDS: u64 = 600_000;

/// A word of small letters that is a number to the base 26.
fn word(mut number: u64) -> String {
    let mut letters = String::from("q");
    while number > 0 {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters
}

/// Thirty pairs of different words that agree in the 32 bits of their hashes which `half` cuts out.
fn alike(half: impl Fn(u64) -> u32) -> Vec<(String, String)> {
    let mut hashed: Vec<(u32, u64)> =
        (0..N_WORDS).map(|number| (half(xxh3_64(word(number).as_bytes())), number)).collect();
    hashed.sort_unstable();
    let pairs = hashed.windows(2).filter(|two| two[0].0 == two[1].0);
    let mut pairs: Vec<_> = pairs.map(|two| (word(two[0].1), word(two[1].1))).collect();
    assert!(pairs.len() >= 30, "only {} pairs", pairs.len());
    pairs.truncate(30);
    pairs
}

#[test]
fn texts_of_different_words_score_nothing_and_are_in_no_cluster() {
    let halves = [|hash: u64| (hash >> 32) as u32, |hash: u64| hash as u32];
    for half in halves {
        let pairs = alike(half);
        let text = |word: fn(&(String, String)) -> &str| {
            pairs.iter().map(|pair| word(pair).to_owned() + " ").collect::<String>()
        };
        let (ann, bob) = (text(|pair| &pair.0), text(|pair| &pair.1));
        let handed = [Handed::new("ann", "a.txt", ann), Handed::new("bob", "b.txt", bob)];
        let found = comparison(&handed, &Config::standard());
        assert_eq!(found.highest_score.to_bits(), 0, "{pairs:?}");
        assert!(found.report.clusters.is_empty() && found.report.pairs.is_empty());
    }
}
