//! Short texts: word by word, place by place, since a shingle is too large a part of them.
//!
//! One changed character of a poem of 28 leaves 19 of 29 shingles, and two reviews that differ in `not good` and `so good`
//! may share nine of ten. So a text is compared by its words, each at its place, if it has fewer than six shingles'
//! words, or fewer than twenty shingles' letters (30 words or 100 letters, by default). Two such texts are copies if
//! at most one word in ten differs or is appended, and each that differs is a slip. (One in ten is half of what a threshold
//! of .8 leaves; at .5 it is one in four.)
//!
//! | differs | is a slip | why |
//! |---|---|---|
//! | `received`, `recieved` | yes | one letter replaced, left out, added, or two neighbours swapped |
//! | `good`, `bad`; `house`, `mouse`; `live`, `love` | no | more than that, another first letter, or fewer than five letters |
//! | `ext3fs`, `ext4fs` | no | digits distinguish |
//! | `zegrep … zegrep`, `zfgrep … zfgrep` | no | the same word twice is a name |
//! | `君`, `吾` | yes, one word in 25 | a letter is a word in such scripts, and nothing else tells slips |
//! | `不`, `很`; `三`, `四` | no | it negates or counts |
//! | `…`, `… read more` | yes, without digits | what is appended takes nothing away |
//!
//! The set of a short text has its words with their places as members. Two copies then share so many of these that they
//! reach the threshold, the search for other near-duplicates finds them, and their resemblance is the share of places with equal words.
//! A short text and a longer one have no member in common.
//!
//! Cost: that of a set of as many shingles; the words themselves are made only of candidates.

use std::fmt;
use std::str::FromStr;

use fanmill_kernel::hash::mix::mix;
use fanmill_text::frontend::stands_alone;
use fanmill_text::{Error, Result};

/// The way short texts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShortTexts {
    /// `slips`: word by word. Two texts are copies if few words differ, each by a slip.
    Slips,
    /// `shingles`: as longer texts are.
    Shingles,
}

impl fmt::Display for ShortTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ShortTexts::Slips => "slips",
            ShortTexts::Shingles => "shingles",
        })
    }
}

impl FromStr for ShortTexts {
    type Err = Error;

    fn from_str(text: &str) -> Result<ShortTexts> {
        match text {
            "slips" => Ok(ShortTexts::Slips),
            "shingles" => Ok(ShortTexts::Shingles),
            _ => Err(Error::setting(format!(
                "`{text}` is no way to compare short texts; use slips or shingles"
            ))),
        }
    }
}

/// Shingles' words below which a text is short.
const SHINGLES_OF_WORDS: usize = 6;
/// Shingles' letters below which a text is short.
const SHINGLES_OF_LETTERS: usize = 20;
/// Words of which one may differ if words are single letters.
const LETTERS_PER_CHANGE: usize = 25;
/// Minimum letters of a word in which a slip differs from another word.
const LEAST_LETTERS: usize = 5;
/// Single letters that negate or count, in all their forms.
const NEVER_SLIPS: &str = "不没沒无無未非勿莫别別〇零一二三四五六七八九十百千万萬亿億两兩";
/// Separates places from shingles.
const PLACE: u64 = 0x9e6c_63d0_76cc_4311;

/// Returns whether a text is short that has `n_words` words, where shingles have `shingle` words.
pub(crate) fn is_short(text: &str, n_words: usize, shingle: usize) -> bool {
    let limit = shingle.saturating_mul(SHINGLES_OF_LETTERS);
    n_words < shingle.saturating_mul(SHINGLES_OF_WORDS)
        || n_words < limit
            && text.chars().filter(|c| c.is_alphanumeric()).take(limit).count() < limit
}

/// Returns the words that may differ, or be appended, in a text of `n` words: half of the share that the threshold leaves.
#[expect(clippy::cast_sign_loss, reason = "a threshold is at most 1")]
pub(crate) fn max_changes(n: usize, threshold: f64) -> usize {
    // The product may be just below a whole number.
    (n as f64 * (1.0 - threshold) / 2.0 + 1e-9) as usize
}

/// Appends the members of a short text's set: its words, each with its place.
pub(crate) fn append_places(words: &[u64], members: &mut Vec<u64>) {
    members.extend((0..).zip(words).map(|(place, &word)| mix(word ^ mix(PLACE ^ place))));
}

/// Returns the key of a short text that only has copies of the same words.
pub(crate) fn key_of_all(members: &[u64]) -> u64 {
    members.iter().fold(PLACE, |key, &member| mix(key ^ member))
}

/// Returns whether two short texts are copies for this threshold of resemblance, a fraction in `0..=1`; each is given by its
/// words with a blank between two.
pub fn are_copies(a: &str, b: &str, threshold: f64) -> bool {
    let [a, b] = [a, b].map(|words| words.split(' ').collect::<Vec<_>>());
    let (shorter, longer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let appended = &longer[shorter.len()..];
    let max = max_changes(shorter.len(), threshold);
    if appended.len() > max || appended.iter().any(|word| has_digits(word)) {
        return false;
    }
    let pairs = shorter.iter().zip(&longer).filter(|(a, b)| a != b);
    let differing: Vec<(&str, &str)> = pairs.map(|(a, b)| (*a, *b)).take(max + 1).collect();
    let n_single = differing.iter().filter(|(a, b)| are_single(a, b)).count();
    differing.len() + appended.len() <= max
        && n_single * LETTERS_PER_CHANGE <= shorter.len()
        && differing.iter().all(|(a, b)| are_single(a, b) || is_slip(a, b))
        && are_different(differing.iter().map(|pair| pair.0))
        && are_different(differing.iter().map(|pair| pair.1))
}

fn has_digits(word: &str) -> bool {
    word.contains(char::is_numeric)
}

/// Returns whether no word comes twice.
fn are_different<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words.windows(2).all(|pair| pair[0] != pair[1])
}

/// Returns whether both words are single letters of a script without spaces, which neither negate nor count.
fn are_single(a: &str, b: &str) -> bool {
    let is_single = |word: &str| {
        word.starts_with(|c| stands_alone(c) && !NEVER_SLIPS.contains(c)) && !has_digits(word)
    };
    is_single(a) && is_single(b)
}

/// Returns whether one of two different words may be a slip for the other.
fn is_slip(a: &str, b: &str) -> bool {
    if has_digits(a) || has_digits(b) {
        return false;
    }
    let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
    let least = a.len().min(b.len());
    least >= LEAST_LETTERS && a[0] == b[0] && is_one_edit(&a, &b)
}

/// Returns whether one letter is replaced, added or left out between two different words, or two neighbours are swapped.
fn is_one_edit(a: &[char], b: &[char]) -> bool {
    let n_same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[n_same..], &b[n_same..]);
    let n_same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[..a.len() - n_same], &b[..b.len() - n_same]) {
        ([_], [_] | []) | ([], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Compares two texts at the usual threshold.
    fn are_copies(a: &str, b: &str) -> bool {
        super::are_copies(a, b, 0.8)
    }

    /// Returns the least number of letters that are replaced, added or left out, or neighbours swapped: by the table of
    /// all beginnings of both words.
    fn naive_edits(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let is_other = usize::from(a[i - 1] != b[j - 1]);
                    let one = (table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let replaced = one.min(table[i - 1][j - 1] + is_other);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        replaced.min(table[i - 2][j - 2] + 1)
                    } else {
                        replaced
                    }
                };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn slips_are_told_from_other_words() {
        for (a, b, expected) in [
            ("received", "recieved", true),
            ("film", "fiim", false),
            ("groesse", "grosse", true),
            ("house", "mouse", false),
            ("good", "bad", false),
            ("possible", "impossible", false),
            ("typical", "atypical", false),
            ("ext3fs", "ext4fs", false),
            ("words", "swords", false),
            ("words", "word", false),
            ("wordss", "words", true),
        ] {
            assert_eq!((is_slip(a, b), is_slip(b, a)), (expected, expected), "{a}, {b}");
        }
    }

    #[test]
    fn few_slips_and_a_short_end_make_copies() {
        let ten = "i would watch this wonderful film again with everybody else";
        for (other, expected) in [
            (ten.to_owned(), true),
            (ten.replace("wonderful", "wonderfull"), true),
            (ten.replace("wonderful", "miserable"), false),
            (ten.replace("wonderful", "wonderfull").replace("everybody", "everybdoy"), false),
            (format!("{ten} honestly"), true),
            (format!("{ten} 2"), false),
            (format!("{ten} really honestly"), false),
            (format!("honestly {ten}"), false),
            (ten.replace("would", "would not"), false),
        ] {
            assert_eq!(are_copies(ten, &other), expected, "{other}");
            assert_eq!(are_copies(&other, ten), expected, "{other}");
        }
        assert!(!are_copies("a wonderful film", "a wonderfull film"));
        assert!(super::are_copies("one very wonderful film", "one very wonderfull film", 0.5));
        assert!(!super::are_copies(ten, &ten.replace("wonderful", "wonderfull"), 0.9));
        let name = |name: &str| format!("{name} a b c d e f g h i j k l m n o p q {name} r");
        assert!(!are_copies(&name("zegrep"), &name("zfgrep")));
        let one = |name: &str| format!("{name} a b c d e f g h i j k l m n o p q r s");
        assert!(are_copies(&one("zegrep"), &one("zfgrep")));
    }

    #[test]
    fn one_letter_in_25_may_differ_where_letters_are_words() {
        let spaced = |text: &str| text.chars().map(String::from).collect::<Vec<String>>().join(" ");
        let poem = "山高水长人在远方雨落江南夜未央灯火万家归路漫漫月如霜风";
        let changed = |from: &str, to: &str| {
            assert_eq!(poem.matches(from).count(), 1);
            are_copies(&spaced(poem), &spaced(&poem.replace(from, to)))
        };
        assert!(changed("远", "遥"));
        assert!(!changed("未", "已"), "it negates");
        assert!(!changed("远方", "他乡"), "two of 27");
        let short = &poem[..3 * 24];
        assert!(!are_copies(&spaced(short), &spaced(&short.replace('远', "遥"))));
        assert!(!are_copies(
            "a b c d e f g h i j k l m n o p q r s t u v w x y",
            "z b c d e f g h i j k l m n o p q r s t u v w x y"
        ));
    }

    #[test]
    fn a_text_is_short_by_its_words_or_by_its_letters() {
        let words = |n: usize| vec!["magnificent"; n].join(" ");
        assert!(is_short(&words(29), 29, 5));
        assert!(!is_short(&words(30), 30, 5));
        assert!(is_short(&"字。".repeat(99), 99, 5));
        assert!(!is_short(&"字。".repeat(100), 100, 5));
        assert!(!is_short(&words(12), 12, 2));
    }

    proptest! {
        #[test]
        fn one_edit_is_what_the_table_says(a in "[ab]{0,7}", b in "[ab]{0,7}") {
            let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
            prop_assert_eq!(is_one_edit(&a, &b), naive_edits(&a, &b) == 1);
        }

        #[test]
        fn texts_of_any_words_are_compared(a in "[a-c1字不 ]{0,40}", b in "[a-c1字不 ]{0,40}") {
            prop_assert_eq!(are_copies(&a, &b), are_copies(&b, &a));
            prop_assert!(are_copies(&a, &a));
        }

        #[test]
        fn copies_share_most_places(words in prop::collection::vec("[ab]{5,6}", 1..60), at: prop::sample::Index, other in "[ab]{5,6}", threshold in 0.05_f64..0.99) {
            let mut changed = words.clone();
            changed[at.index(words.len())] = other;
            let texts = [words.join(" "), changed.join(" "), format!("{} {}", words.join(" "), changed[0])];
            for other in 1..3 {
                if !super::are_copies(&texts[0], &texts[other], threshold) {
                    continue;
                }
                let members = |text: &str| {
                    let words: Vec<&str> = text.split(' ').collect();
                    let hashes: Vec<u64> = words.iter().map(|word| word.bytes().fold(7, |h, b| mix(h ^ u64::from(b)))).collect();
                    let mut members = Vec::new();
                    append_places(&hashes, &mut members);
                    members
                };
                let (a, b) = (members(&texts[0]), members(&texts[other]));
                let n_common = a.iter().filter(|member| b.contains(member)).count();
                let resemblance = n_common as f64 / (a.len() + b.len() - n_common) as f64;
                prop_assert!(resemblance >= threshold, "{resemblance}");
            }
        }
    }
}
