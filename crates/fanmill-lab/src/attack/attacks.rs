//! The attacks of the bench, with their names, applied to articles.
//!
//! | group | attacks |
//! |---|---|
//! | [`SCRAMBLING`] | the paper's eight: words added, deleted, changed, and all in turn; every tenth word, or a tenth at random |
//! | [`strengths`] | random changes from 5 to 30 %, and changes at shorter periods |
//! | [`rewriting`] | large blocks, synonyms, letters of words |
//! | [`cosmetics`] | changes that a canonical form undoes, or should |
//! | [`searched`] | a few of each kind, for choosing among many profiles; also swapped neighbours, `very` after every third word, embedding, extracts |
//!
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §3.1–3.4.
//! Departs from it: other periods and strengths, synonyms, single letters.

use std::fmt;

use fanmill_kernel::hash::mix::SplitMix;

use super::article::{Article, Word, fresh, join};
use super::edits::{self, Cosmetic, Edit, Suite};
use super::letters::{self, Slip};

/// A way to change an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attack {
    /// Edits of one word in every `n`.
    Periodic(Suite, u32),
    /// Random edits of a percentage of the words. For a combination, it is approximately the percentage of all kinds
    /// together: for 10 %, the paper takes 3.5 % of each kind.
    Random(Suite, u32),
    /// A block of random words inserted in one place, as a percentage of the length.
    Inserted(u32),
    /// A percentage of the text deleted in one place.
    Deleted(u32),
    /// A percentage of the text moved to another place.
    Moved(u32),
    /// A percentage of the vocabulary replaced, each word always by the same other word.
    Synonyms(u32),
    /// The word `very` after every `n`-th word: the paper's own example.
    Interjected(u32),
    /// Every two neighbouring words swapped.
    Swapped,
    /// Random words before and after the text, this many times as many as the text has.
    Embedded(u32),
    /// A percentage of the text, from one place, and nothing else.
    Extract(u32),
    /// A misspelling in a percentage of the words.
    Letters(Slip, u32),
    /// A change that costs nothing.
    Cosmetic(Cosmetic),
}

/// The paper's eight attacks, in its order.
pub const SCRAMBLING: [Attack; 8] = [
    Attack::Periodic(Suite::ALL[0], 10),
    Attack::Periodic(Suite::ALL[1], 10),
    Attack::Periodic(Suite::ALL[2], 10),
    Attack::Periodic(Suite::ALL[3], 10),
    Attack::Random(Suite::ALL[0], 10),
    Attack::Random(Suite::ALL[1], 10),
    Attack::Random(Suite::ALL[2], 10),
    Attack::Random(Suite::ALL[3], 10),
];

/// The percentages of words changed at random for the curves.
pub const STRENGTHS: [u32; 6] = [5, 10, 15, 20, 25, 30];

const CHANGE: Suite = Suite::Only(Edit::Change);

/// Returns random changes of all [`STRENGTHS`], and then periodic ones of every 8th, 6th and 4th word.
pub fn strengths() -> Vec<Attack> {
    let random = STRENGTHS.map(|percent| Attack::Random(CHANGE, percent));
    random.into_iter().chain([8, 6, 4].map(|period| Attack::Periodic(CHANGE, period))).collect()
}

/// Returns synonyms, large blocks, and changed letters of words.
pub fn rewriting() -> Vec<Attack> {
    let synonyms = [10, 20, 30].map(Attack::Synonyms);
    let large = [Attack::Inserted(100), Attack::Deleted(30), Attack::Moved(20)];
    let letters = Slip::ALL.map(|slip| Attack::Letters(slip, 10));
    synonyms.into_iter().chain(large).chain(letters).collect()
}

/// Returns the attacks by which [`search`](super::search) chooses.
pub fn searched() -> Vec<Attack> {
    let [add, delete] = [Edit::Add, Edit::Delete].map(Suite::Only);
    let cosmetic = [Cosmetic::LookAlikes, Cosmetic::Accents, Cosmetic::Marks];
    let mut all = vec![
        Attack::Periodic(add, 5),
        Attack::Periodic(CHANGE, 5),
        Attack::Periodic(CHANGE, 4),
        Attack::Random(add, 30),
        Attack::Random(CHANGE, 20),
        Attack::Random(CHANGE, 40),
        Attack::Random(delete, 20),
        Attack::Swapped,
        Attack::Interjected(3),
        Attack::Synonyms(30),
        Attack::Letters(Slip::Changed, 20),
        Attack::Embedded(10),
        Attack::Extract(10),
    ];
    all.extend(cosmetic.map(Attack::Cosmetic));
    all
}

/// Returns all [`Cosmetic`] attacks.
pub fn cosmetics() -> Vec<Attack> {
    Cosmetic::ALL.map(Attack::Cosmetic).to_vec()
}

impl Attack {
    /// Returns the attacked article. New words are drawn from `pool`.
    ///
    /// # Panics
    /// If the pool is empty, or a period is below 2.
    pub fn on(self, article: &Article, pool: &[Word<'_>], random: &mut SplitMix) -> String {
        let words = article.words();
        let n = words.len();
        let share = |percent: u32| n * percent.min(100) as usize / 100;
        // Attacks with a seed of their own draw it first, so that the choice of places does not depend on new words.
        match self {
            Attack::Periodic(suite, period) => {
                join(&edits::periodic(&words, suite, period as usize, |_, old| {
                    fresh(pool, old, random)
                }))
            }
            Attack::Random(suite, percent) => {
                let seed = random.draw();
                let n_edits = n_edits(n, suite, percent);
                let new = |_, old| fresh(pool, old, random);
                join(&edits::scattered(&words, suite, n_edits, seed, new))
            }
            Attack::Inserted(percent) => {
                let block: Vec<Word<'_>> =
                    (0..n * percent as usize / 100).map(|_| fresh(pool, None, random)).collect();
                join(&edits::insert(&words, random.below(n), &block))
            }
            Attack::Deleted(percent) => {
                let start = random.below(n - share(percent));
                join(&edits::delete(&words, start..start + share(percent)))
            }
            Attack::Moved(percent) => {
                let start = random.below(n - share(percent));
                let to = random.below(n - share(percent));
                join(&edits::rearrange(&words, start..start + share(percent), to))
            }
            Attack::Synonyms(percent) => {
                let seed = random.draw();
                let synonym = |word: Word<'_>| (word.value ^ seed) as usize % pool.len();
                let share = f64::from(percent) / 100.0;
                join(&edits::synonyms(
                    &words,
                    share,
                    seed,
                    |word| word.value,
                    |word| pool[synonym(word)],
                ))
            }
            Attack::Interjected(period) => {
                let very = Word { word: "very", rest: " ", value: 0 };
                join(&edits::interject(&words, period.max(1) as usize, very))
            }
            Attack::Swapped => join(&edits::swap_neighbours(&words)),
            Attack::Embedded(times) => {
                let n_added = n.saturating_mul(times as usize) / 2;
                let mut block = || -> Vec<Word<'_>> {
                    (0..n_added).map(|_| fresh(pool, None, random)).collect()
                };
                join(&[block(), words, block()].concat())
            }
            Attack::Extract(percent) => {
                let start = random.below(n - share(percent) + 1);
                join(&words[start..start + share(percent)])
            }
            Attack::Letters(slip, percent) => letters::slip(&words, slip, percent, random),
            Attack::Cosmetic(cosmetic) => edits::cosmetic(&join(&words), cosmetic, random.draw()),
        }
    }
}

impl Attack {
    /// Returns a name short enough for a label below a group of bars.
    pub fn short_name(self) -> String {
        match self {
            Attack::Periodic(_, 10) | Attack::Cosmetic(_) => self.to_string(),
            Attack::Periodic(_, period) => format!("every {period}th word"),
            Attack::Random(suite, 10) => format!("random {}", name(suite)),
            Attack::Random(_, percent) => format!("random {percent} %"),
            Attack::Inserted(percent) => format!("inserted {percent} %"),
            Attack::Deleted(percent) => format!("deleted {percent} %"),
            Attack::Moved(percent) => format!("moved {percent} %"),
            Attack::Synonyms(percent) => format!("synonyms {percent} %"),
            Attack::Interjected(period) => format!("very / {period}"),
            Attack::Swapped => "swapped".to_owned(),
            Attack::Embedded(times) => format!("in {times} times"),
            Attack::Extract(percent) => format!("extract {percent} %"),
            Attack::Letters(Slip::Inserted, _) => "letter added".to_owned(),
            Attack::Letters(Slip::Changed, _) => "letter changed".to_owned(),
            Attack::Letters(Slip::Swapped, _) => "letters swapped".to_owned(),
        }
    }
}

/// Returns the number of random edits for a percentage; for a combination, of each kind.
#[expect(clippy::cast_sign_loss, reason = "a part of a number of words")]
fn n_edits(n_words: usize, suite: Suite, percent: u32) -> usize {
    let share = match suite {
        Suite::Only(_) => 0.1,
        Suite::Combination => 0.035,
    };
    // The order of the factors matters: 10 % then gives exactly the number of `edits::as_many_as_periodic`.
    (n_words as f64 * share * (f64::from(percent) / 10.0)).round() as usize
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attack::Periodic(suite, 10) => write!(f, "periodic {}", name(*suite)),
            Attack::Periodic(suite, period) => {
                write!(f, "periodic {}, every {period}th word", name(*suite))
            }
            Attack::Random(suite, percent) => write!(f, "random {}, {percent} %", name(*suite)),
            Attack::Inserted(100) => f.write_str("as much again inserted"),
            Attack::Inserted(percent) => write!(f, "{percent} % inserted"),
            Attack::Deleted(percent) => write!(f, "{percent} % deleted"),
            Attack::Moved(percent) => write!(f, "{percent} % moved"),
            Attack::Synonyms(percent) => write!(f, "synonyms for {percent} % of words"),
            Attack::Interjected(period) => write!(f, "`very` after every {period} words"),
            Attack::Swapped => f.write_str("neighbours swapped"),
            Attack::Embedded(times) => write!(f, "in {times} times as much text"),
            Attack::Extract(percent) => write!(f, "{percent} % of the text alone"),
            Attack::Letters(slip, percent) => write!(f, "{slip} in {percent} % of words"),
            Attack::Cosmetic(cosmetic) => f.write_str(match cosmetic {
                Cosmetic::Capitals => "capitals",
                Cosmetic::Spaces => "other spaces",
                Cosmetic::Punctuation => "punctuation added",
                Cosmetic::LookAlikes => "look-alike letters",
                Cosmetic::Invisible => "invisible characters",
                Cosmetic::Leet => "digits for letters",
                Cosmetic::Spaced => "letters spaced out",
                Cosmetic::Accents => "accents",
                Cosmetic::Marks => "combining accents",
            }),
        }
    }
}

fn name(suite: Suite) -> &'static str {
    match suite {
        Suite::Only(Edit::Add) => "adding",
        Suite::Only(Edit::Delete) => "deleting",
        Suite::Only(Edit::Change) => "changing",
        Suite::Combination => "combination",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::attack::article::pool;

    fn all() -> Vec<Attack> {
        let again = [SCRAMBLING.to_vec(), strengths(), rewriting(), cosmetics()].concat();
        let new = searched().into_iter().filter(|attack| !again.contains(attack));
        again.iter().copied().chain(new).collect()
    }

    fn article(n_words: u64) -> Article {
        let mut random = SplitMix::new(1);
        let word = |_| format!("word{} ", random.draw() % 300);
        Article::plain((0..n_words).map(word).collect::<String>().as_bytes())
    }

    #[test]
    fn every_attack_has_its_own_name() {
        let names: BTreeSet<String> = all().iter().map(Attack::to_string).collect();
        // The strength of 10 % is also one of the paper's eight attacks.
        assert_eq!(names.len(), all().len() - 1);
    }

    #[test]
    fn ten_per_cent_are_as_many_as_periodic_ones() {
        for suite in Suite::ALL {
            for n in 0..2000 {
                assert_eq!(n_edits(n, suite, 10), edits::as_many_as_periodic(n, suite), "{n}");
            }
        }
        assert_eq!([5, 30].map(|percent| n_edits(1000, CHANGE, percent)), [50, 300]);
    }

    #[test]
    fn every_attack_changes_the_text_and_is_the_same_again() {
        let article = article(400);
        let pool = pool(&[&article]);
        for attack in all() {
            let on = |seed| attack.on(&article, &pool, &mut SplitMix::new(seed));
            assert_ne!(on(1), join(&article.words()), "{attack}");
            assert_eq!(on(1), on(1), "{attack}");
        }
    }

    #[test]
    fn attacks_are_as_large_as_they_say() {
        let article = article(1000);
        let pool = pool(&[&article]);
        let n_words = |attack: Attack| {
            let attacked = attack.on(&article, &pool, &mut SplitMix::new(1));
            attacked.split_whitespace().count()
        };
        assert_eq!(n_words(Attack::Inserted(100)), 2000);
        assert_eq!(n_words(Attack::Deleted(30)), 700);
        assert_eq!(n_words(Attack::Moved(20)), 1000);
        assert_eq!(n_words(Attack::Interjected(3)), 1333);
        assert_eq!(n_words(Attack::Swapped), 1000);
        assert_eq!(n_words(Attack::Embedded(10)), 11_000);
        assert_eq!(n_words(Attack::Extract(10)), 100);
        assert_eq!(n_words(Attack::Random(Suite::ALL[0], 20)), 1200);
    }

    proptest! {
        #[test]
        fn no_article_panics(n_words in 0_u64..40, seed: u64) {
            let some = article(20);
            let pool = pool(&[&some]);
            for attack in all() {
                attack.on(&article(n_words), &pool, &mut SplitMix::new(seed));
            }
        }
    }
}
