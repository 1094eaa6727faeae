//! Edits that make a text harder to recognise.
//!
//! | attack | what it does |
//! |---|---|
//! | [`periodic`] | adds, deletes or changes one token in every `n`, so that no sliding window stays untouched: the paper's *intelligent* attacks |
//! | [`scattered`] | as many edits in random places |
//! | [`insert`], [`delete`], [`rearrange`] | large blocks at once: the paper's large-scale attacks |
//! | [`synonyms`] | replaces some words of the vocabulary wherever they occur |
//! | [`cosmetic`] | only changes that a canonical form undoes |
//!
//! All are pure functions: the same input and seed give the same result. Tokens may be words, letters or numbers.
//!
//! Cost: O(n); for [`scattered`] additions O(n · edits).
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries", 2005, §3.1–3.4.
//! Departs from it: positions 9, 19, 29, … are counted so that there are exactly 9 untouched tokens between two
//! attacks, in the attacked text for additions and in the original for the other edits. Only then does every window of
//! 10 contain an attack.

use std::collections::BTreeSet;
use std::ops::Range;

use fanmill_kernel::hash::mix::{SplitMix, mix};

/// An edit of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edit {
    /// Adds a new token before it.
    Add,
    /// Deletes it.
    Delete,
    /// Replaces it by another token.
    Change,
}

/// The edits of an attack, in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Suite {
    /// Always the same edit.
    Only(Edit),
    /// Add, delete, change, add, …
    Combination,
}

impl Suite {
    /// The paper's four suites.
    pub const ALL: [Suite; 4] = [
        Suite::Only(Edit::Add),
        Suite::Only(Edit::Delete),
        Suite::Only(Edit::Change),
        Suite::Combination,
    ];

    fn edit(self, number: usize) -> Edit {
        match self {
            Suite::Only(edit) => edit,
            Suite::Combination => [Edit::Add, Edit::Delete, Edit::Change][number % 3],
        }
    }
}

/// Attacks one token in every `period`.
///
/// `fresh` returns the new token for an attack, given its number, counted from 0. For a change it also gets the token
/// to replace, from which the new one should differ.
///
/// # Panics
/// If `period` is below 2.
pub fn periodic<T: Copy>(
    tokens: &[T],
    suite: Suite,
    period: usize,
    mut fresh: impl FnMut(usize, Option<T>) -> T,
) -> Vec<T> {
    assert!(period >= 2, "a period of {period} leaves nothing untouched");
    let mut attacked = Vec::with_capacity(tokens.len() + tokens.len() / (period - 1) + 1);
    let mut rest = tokens;
    // The first attack is on the last but one position of a window, and the next ones follow a period apart.
    let mut n_untouched = period - 2;
    for number in 0.. {
        let (untouched, left) = rest.split_at(n_untouched.min(rest.len()));
        attacked.extend_from_slice(untouched);
        let Some((&next, after)) = left.split_first() else { break };
        match suite.edit(number) {
            Edit::Add => attacked.push(fresh(number, None)),
            Edit::Delete => {}
            Edit::Change => attacked.push(fresh(number, Some(next))),
        }
        rest = if suite.edit(number) == Edit::Add { left } else { after };
        n_untouched = period - 1;
    }
    attacked
}

/// Returns the number of random edits that corresponds to periodic edits of period 10.
///
/// It is a tenth of the tokens; for a combination, .035 of them for each kind.
#[expect(clippy::cast_sign_loss, reason = "a part of a number of tokens")]
pub fn as_many_as_periodic(n_tokens: usize, suite: Suite) -> usize {
    let share = match suite {
        Suite::Only(_) => 0.1,
        Suite::Combination => 0.035,
    };
    (n_tokens as f64 * share).round() as usize
}

/// Attacks `n_edits` tokens in random places; for a combination, that many of each kind, one kind after the other.
///
/// Tokens are added one by one, each at a random gap of the text so far; deletions and changes affect distinct tokens.
/// `fresh` is as for [`periodic`].
pub fn scattered<T: Copy>(
    tokens: &[T],
    suite: Suite,
    n_edits: usize,
    seed: u64,
    mut fresh: impl FnMut(usize, Option<T>) -> T,
) -> Vec<T> {
    let mut random = SplitMix::new(seed);
    let mut attacked = tokens.to_vec();
    let edits = match suite {
        Suite::Only(edit) => vec![edit],
        Suite::Combination => vec![Edit::Add, Edit::Delete, Edit::Change],
    };
    let mut numbers = 0..;
    for edit in edits {
        // Additions cannot be drawn as distinct places: each one makes a new gap.
        if edit == Edit::Add {
            for number in numbers.by_ref().take(n_edits) {
                attacked.insert(random.below(attacked.len() + 1), fresh(number, None));
            }
            continue;
        }
        let places = distinct(&mut random, attacked.len(), n_edits);
        if edit == Edit::Change {
            for &place in &places {
                let number = numbers.next().unwrap_or_default();
                attacked[place] = fresh(number, Some(attacked[place]));
            }
        } else {
            let mut place = 0..;
            attacked.retain(|_| !place.next().is_some_and(|place| places.contains(&place)));
        }
    }
    attacked
}

/// Returns this many distinct random numbers below `n`, or all of them if there are fewer.
fn distinct(random: &mut SplitMix, n: usize, how_many: usize) -> BTreeSet<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    let how_many = how_many.min(n);
    for i in 0..how_many {
        let j = i + random.below(n - i);
        all.swap(i, j);
    }
    all[..how_many].iter().copied().collect()
}

/// Inserts a block before the token `at`.
///
/// # Panics
/// If `at` is beyond the end.
pub fn insert<T: Copy>(tokens: &[T], at: usize, block: &[T]) -> Vec<T> {
    [&tokens[..at], block, &tokens[at..]].concat()
}

/// Deletes a range of tokens.
///
/// # Panics
/// If it is out of bounds.
pub fn delete<T: Copy>(tokens: &[T], range: Range<usize>) -> Vec<T> {
    [&tokens[..range.start], &tokens[range.end..]].concat()
}

/// Moves a range of tokens to before the token at `to`, counted without the range.
///
/// # Panics
/// If the range or `to` is out of bounds.
pub fn rearrange<T: Copy>(tokens: &[T], range: Range<usize>, to: usize) -> Vec<T> {
    insert(&delete(tokens, range.clone()), to, &tokens[range])
}

/// Replaces a share of the vocabulary, each word always by the same other word.
///
/// `value` returns a hash of a token; a token is replaced if its hash falls below `share` under the seed.
pub fn synonyms<T: Copy>(
    tokens: &[T],
    share: f64,
    seed: u64,
    value: impl Fn(T) -> u64,
    synonym: impl Fn(T) -> T,
) -> Vec<T> {
    #[expect(clippy::cast_sign_loss, reason = "a share that is negative replaces nothing")]
    let limit = (share * 2_f64.powi(64)) as u64;
    let is_replaced = |token: T| mix(value(token) ^ mix(seed)) < limit;
    let each = |&token: &T| if is_replaced(token) { synonym(token) } else { token };
    tokens.iter().map(each).collect()
}

/// Swaps every two neighbours: the first with the second, the third with the fourth, and so on.
pub fn swap_neighbours<T: Copy>(tokens: &[T]) -> Vec<T> {
    let mut swapped = tokens.to_vec();
    for pair in swapped.chunks_exact_mut(2) {
        pair.swap(0, 1);
    }
    swapped
}

/// Adds the same token after every `period`-th token.
///
/// # Panics
/// If `period` is 0.
pub fn interject<T: Copy>(tokens: &[T], period: usize, token: T) -> Vec<T> {
    let with = |group: &[T]| {
        let added = (group.len() == period).then_some(token);
        group.iter().copied().chain(added).collect::<Vec<T>>()
    };
    tokens.chunks(period).flat_map(with).collect()
}

/// Changes that cost nothing and do not bother readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cosmetic {
    /// All capitals.
    Capitals,
    /// Double spaces, line breaks and no-break spaces in place of spaces.
    Spaces,
    /// Punctuation after words.
    Punctuation,
    /// Cyrillic letters instead of the Latin ones that they look like.
    LookAlikes,
    /// Invisible characters inside words.
    Invisible,
    /// Digits and symbols instead of letters: `v1agr@`. Only the canonical form for mail undoes this.
    Leet,
    /// A space after each letter. Only canonical forms of letters undo this.
    Spaced,
    /// Letters with accents: `àéîöů`.
    Accents,
    /// A separate acute accent (U+0301) after every other letter.
    Marks,
}

impl Cosmetic {
    /// All cosmetic changes, each once.
    pub const ALL: [Cosmetic; 9] = [
        Cosmetic::Capitals,
        Cosmetic::Spaces,
        Cosmetic::Punctuation,
        Cosmetic::LookAlikes,
        Cosmetic::Invisible,
        Cosmetic::Leet,
        Cosmetic::Spaced,
        Cosmetic::Accents,
        Cosmetic::Marks,
    ];
}

/// Attacks a text in about a third of the places where the attack applies.
pub fn cosmetic(text: &str, attack: Cosmetic, seed: u64) -> String {
    let mut random = SplitMix::new(seed);
    let mut attacked = String::with_capacity(text.len() + text.len() / 2);
    let (mut last, mut n_letters) = (' ', 0_u32);
    for c in text.chars() {
        // Capitals, spaces between letters and marks go everywhere; the other attacks take one place in three.
        let is_everywhere =
            matches!(attack, Cosmetic::Capitals | Cosmetic::Spaced | Cosmetic::Marks);
        let chosen = is_everywhere || random.below(3) == 0;
        n_letters += u32::from(c.is_alphabetic());
        let is_word_end = c == ' ' && last.is_alphanumeric();
        let is_inside = last.is_alphanumeric() && c.is_alphanumeric();
        match attack {
            _ if !chosen => attacked.push(c),
            Cosmetic::Capitals => attacked.extend(c.to_uppercase()),
            Cosmetic::Spaces if c == ' ' => {
                attacked.push_str(["  ", "\n", "\u{a0}"][random.below(3)]);
            }
            Cosmetic::Punctuation if is_word_end => {
                attacked.push_str([", ", "; ", " - ", "... "][random.below(4)]);
            }
            Cosmetic::Invisible if is_inside => attacked.extend(['\u{200b}', c]),
            Cosmetic::Spaced if is_inside => attacked.extend([' ', c]),
            Cosmetic::LookAlikes => attacked.push(look_alike(c)),
            Cosmetic::Leet if last.is_alphabetic() => attacked.push(leet(c)),
            Cosmetic::Accents => attacked.push(accented(c)),
            Cosmetic::Marks if c.is_alphabetic() && n_letters.is_multiple_of(2) => {
                attacked.extend([c, '\u{301}']);
            }
            _ => attacked.push(c),
        }
        last = c;
    }
    attacked
}

fn look_alike(c: char) -> char {
    match c {
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'o' => 'о',
        'p' => 'р',
        'x' => 'х',
        'y' => 'у',
        c => c,
    }
}

fn accented(c: char) -> char {
    match c {
        'a' => 'à',
        'e' => 'é',
        'i' => 'î',
        'o' => 'ö',
        'u' => 'ů',
        c => c,
    }
}

fn leet(c: char) -> char {
    match c {
        'e' => '3',
        'i' | 'l' => '1',
        'o' => '0',
        's' => '5',
        't' => '7',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use fanmill_sift::profile::Profile;
    use fanmill_sift::sifter::Sifter;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::attack::keys::test_key;

    fn cases(kind: &str) -> Vec<Value> {
        let text = include_str!("../../../../testdata/golden/attacks.json");
        let mut file: Value = serde_json::from_str(text).expect("golden files are JSON");
        serde_json::from_value(file[kind].take()).expect("an array")
    }

    fn number(value: &Value) -> usize {
        usize::try_from(value.as_u64().expect("an unsigned integer")).expect("small")
    }

    fn numbers(value: &Value) -> Vec<u64> {
        let items = value.as_array().expect("an array");
        items.iter().map(|item| item.as_u64().expect("an unsigned integer")).collect()
    }

    fn numbered(number: usize, _: Option<u64>) -> u64 {
        1000 + number as u64
    }

    #[test]
    fn golden_vectors_of_periodic_attacks() {
        for case in cases("intelligent") {
            let tokens: Vec<u64> = (0..number(&case["n"]) as u64).collect();
            for (suite, name) in
                Suite::ALL.into_iter().zip(["add", "delete", "change", "combination"])
            {
                let attacked = periodic(&tokens, suite, 10, numbered);
                assert_eq!(attacked, numbers(&case[name]), "{name}: {case}");
            }
        }
    }

    #[test]
    fn golden_vectors_of_large_attacks() {
        for case in cases("large_scale") {
            let [n, a, b, to] = ["n", "a", "b", "to"].map(|name| number(&case[name]));
            let tokens: Vec<u64> = (0..n as u64).collect();
            let inserted = insert(&tokens, a, &numbers(&case["block"]));
            assert_eq!(inserted, numbers(&case["insert_at_a"]), "{case}");
            assert_eq!(delete(&tokens, a..b), numbers(&case["delete_a_b"]), "{case}");
            assert_eq!(rearrange(&tokens, a..b, to), numbers(&case["move_a_b_to"]), "{case}");
        }
    }

    #[test]
    fn the_number_of_scattered_attacks_is_as_requested() {
        let tokens: Vec<u64> = (0..1000).collect();
        let of = |suite| {
            let n_edits = as_many_as_periodic(tokens.len(), suite);
            let attacked = scattered(&tokens, suite, n_edits, 1, numbered);
            let n_new = attacked.iter().filter(|&&token| token >= 1000).count();
            (attacked.len(), n_new)
        };
        // In a combination, some new tokens are deleted or changed again.
        assert_eq!(Suite::ALL.map(of), [(1100, 100), (900, 0), (1000, 100), (1000, 66)]);
    }

    #[test]
    fn neighbours_are_swapped_and_words_interjected() {
        assert_eq!(swap_neighbours(&[1, 2, 3, 4, 5]), [2, 1, 4, 3, 5]);
        assert_eq!(interject(&[1, 2, 3, 4, 5, 6, 7], 3, 0), [1, 2, 3, 0, 4, 5, 6, 0, 7]);
        assert!(interject(&[], 3, 0).is_empty());
    }

    #[test]
    fn synonyms_are_the_same_everywhere() {
        let tokens: Vec<u64> = (0..3000).map(|i| i % 300).collect();
        let attacked = synonyms(&tokens, 0.2, 1, |token| token, |token| token + 1000);
        assert_eq!(attacked[..300], attacked[300..600].to_vec());
        let n_replaced = attacked.iter().filter(|&&token| token >= 1000).count();
        assert!((400..800).contains(&n_replaced), "{n_replaced}");
    }

    /// Checks the purpose of sifting, on texts of 3,000 random tokens under 20 keys: one change in every ten tokens
    /// leaves nothing of sliding grams of ten, but a ninth of skipping ones and a third of spaced ones.
    #[test]
    fn periodic_changes_defeat_only_a_sliding_window() {
        let profile: Profile = "words@1/slide(l=10)+skip(l=10,p=0.3)+space(l=10,p=0.2)/mod(s=3)"
            .parse()
            .expect("a profile");
        let mut sums = [0.0; 3];
        for number in 0..20 {
            let sifter = Sifter::new(&profile, &test_key(1, number));
            let tokens = SplitMix::new(number << 32).seeds(3000);
            let change = Suite::Only(Edit::Change);
            let attacked = periodic(&tokens, change, 10, numbered);
            let likeness = sifter.sift_tokens(&tokens).likeness(&sifter.sift_tokens(&attacked));
            for (sum, overlap) in sums.iter_mut().zip(&likeness.families) {
                *sum += overlap.s3().expect("not empty") / 20.0;
            }
        }
        assert!(sums[0] == 0.0, "{sums:?}");
        assert!((sums[1] - 0.115).abs() < 0.02, "the paper's .115: {sums:?}");
        assert!((sums[2] - 0.32).abs() < 0.03, "a little below .9 to the power of 10: {sums:?}");
    }

    /// Checks the paper's claim that cosmetic attacks do not change the output at all.
    #[test]
    fn cosmetic_attacks_change_nothing() {
        // A text as a whole tells marks from spelling, so it is in one real language.
        let text = "the old ferry leaves the northern pier at seven and crosses the bay in little more than an hour \
                    before the tide turns passengers with bicycles wait beside the wooden hut where somebody sells \
                    coffee and warm bread from a basket on the far shore a narrow road climbs past three farms to \
                    the lighthouse whose keeper writes down every ship that passes by its name and its heading in \
                    winter the boat stays in harbour for weeks and letters pile up in the office until the ice is \
                    thin enough to break again pay the copies of the next exam "
            .repeat(3);
        let sift = |profile: &Profile, text: &str| {
            let sifter = Sifter::new(profile, &test_key(1, 1));
            sifter.sift(sifter.text(text.as_bytes()).as_str())
        };
        for attack in Cosmetic::ALL {
            let attacked = cosmetic(&text, attack, 1);
            assert_ne!(attacked, text, "{attack:?}");
            let for_words = !matches!(attack, Cosmetic::Leet | Cosmetic::Spaced);
            for profile in [Profile::standard(), Profile::mail()] {
                // Mail reads digits as letters, but reads letters spaced out as one long word.
                let is_mail = profile == Profile::mail() && attack == Cosmetic::Leet;
                let is_undone = for_words || is_mail;
                assert_eq!(
                    sift(&profile, &attacked) == sift(&profile, &text),
                    is_undone,
                    "{attack:?} {profile}"
                );
            }
        }
    }

    proptest! {
        /// Checks that every window of `period` tokens is hit, and that everything between attacks is untouched.
        #[test]
        fn every_window_is_hit(n in 0_usize..200, period in 2_usize..15) {
            let tokens: Vec<u64> = (0..n as u64).collect();
            for suite in Suite::ALL {
                let attacked = periodic(&tokens, suite, period, numbered);
                let is_run = |window: &[u64]| window.windows(2).all(|pair| pair[1] == pair[0] + 1);
                let whole = attacked.windows(period).filter(|window| window[0] < 1000 && is_run(window));
                prop_assert_eq!(whole.count(), 0);
            }
        }

        #[test]
        fn no_text_panics(text: String, seed: u64) {
            for attack in Cosmetic::ALL {
                prop_assert_eq!(cosmetic(&text, attack, seed), cosmetic(&text, attack, seed));
            }
        }
    }
}
