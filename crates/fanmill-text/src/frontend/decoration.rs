//! Decides whether the marks on Latin letters are spelling or decoration.
//!
//! `Thé öld férry` reads as `The old ferry`: someone who puts marks on letters hides a copy from everything that
//! compares words. But `schön` and `schon` are two words. A word alone does not show which case it is. A text as a
//! whole nearly always does, because each language has few such letters and uses each at a rate of its own.
//!
//! So the letters of a text are counted, and compared with 64 languages. A language *explains* a letter as often as the
//! letter may occur in it: at three times its usual rate, and at twice its usual odds against other forms of its base
//! (in no language is a third of all `e` written `é`). If the language that explains most leaves more than half of the
//! letters with marks unexplained, marks are decoration: all of them, since the explained ones prove nothing.
//!
//! | text | unexplained | marks are |
//! |---|---|---|
//! | any of 64 languages, in pieces of 300 to 6,000 characters | at most 1/2 in 7,134 of 7,134 | spelling |
//! | English with accents on each vowel, or on each third letter | 2/3 and more | decoration |
//! | English with one of ten dots below on a letter in each word | 3/4 | decoration |
//! | English with `ö` for each `o`, and no other mark | 2/5 | spelling: Swedish is not far |
//! | Vietnamese with further marks on a fifth of its letters | 1/4 | spelling |
//! | pages in three or five languages at a time | above 1/2 in 10 and 25 of 150 | decoration, wrongly |
//! | Korean or Chinese, read as Latin-1 | 2/3 | spelling, by the signs among them |
//!
//! Measured 2026-11-27 on message catalogues of Debian 12; the rates are from the same catalogues, and other sentences
//! of these come close. Short texts, and texts with few marks, are never judged.
//!
//! Cost: O(n) with a small map, and only if two letters in a hundred have marks.
//! Source: ours.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use encoding_rs::Encoding;
use unicode_normalization::char::decompose_canonical;

/// Letters of each language with their rates and shares, one line per language.
const LANGUAGES: &str = include_str!("../../tables/languages.txt");

/// Minimum number of letters with marks for a judgement.
pub(super) const FEWEST: usize = 12;
/// A text has marks if one letter in this many has one.
const RARE: u64 = 50;
/// Maximum frequency of a letter, as a multiple of its usual rate, and of its usual odds against other forms of its
/// base.
const RATE: u64 = 3;
const ODDS: u64 = 2;
/// Number of occurrences beyond that which mean nothing: of a name, or in a short text.
const SLACK: u64 = 2;

/// Signs of Latin-1 that folding keeps, and that are frequent in texts of another encoding that are read as Latin-1:
/// one for each 3 to 5 letters in 46 such texts among 22,552 of news, mail and web pages (2026-11-27).
const SIGNS: &str = "¡¢£¤¥¦§©¬®±¶¿×÷";
/// A text is taken for misread if it has one sign for this many letters with marks.
const MISREAD: u64 = 8;

/// The role of marks on Latin letters in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diacritics {
    /// Part of the spelling.
    Spelling,
    /// Added for the look of it.
    Decoration,
}

impl Diacritics {
    /// Judges a text that has been normalised.
    pub(super) fn from_text(text: &str) -> Diacritics {
        let n_marked = MarkedLetters::from_text(text).count() as u64;
        let letters = || text.bytes().filter(u8::is_ascii_alphabetic).count() as u64 + n_marked;
        if n_marked < FEWEST as u64 || n_marked * RARE < letters() {
            return Diacritics::Spelling;
        }
        // Korean or Chinese bytes that were read as Latin look like decoration, except for the signs among them.
        let n_signs = text.chars().filter(|c| SIGNS.contains(*c)).count() as u64;
        if n_signs * MISREAD >= n_marked {
            return Diacritics::Spelling;
        }
        let census = LetterCounts::from_text(text);
        let explained =
            LANGUAGE_LIST.iter().map(|language| census.explained(language)).max().unwrap_or(0);
        if 2 * explained < n_marked { Diacritics::Decoration } else { Diacritics::Spelling }
    }
}

/// Returns the Latin letter without marks and strokes on which `c` is based, in lower case if `c` has a stroke; `None`
/// if that is not an ASCII letter.
pub(super) fn bare(c: char) -> Option<char> {
    let mut base = None;
    decompose_canonical(c, |part| base = base.or(Some(part)));
    Some(match base? {
        'ø' | 'Ø' | 'œ' | 'Œ' => 'o',
        'ł' | 'Ł' => 'l',
        'đ' | 'ð' | 'Đ' | 'Ð' => 'd',
        'ħ' | 'Ħ' => 'h',
        'ŧ' | 'Ŧ' => 't',
        'ı' => 'i',
        'ß' | 'ẞ' => 's',
        'æ' | 'Æ' => 'a',
        base => base,
    })
    .filter(char::is_ascii_alphabetic)
}

/// Returns whether `c` is one of the marks that are put on letters of any alphabet.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// A letter in lower case, and the first mark on it that is not part of its character.
type Letter = (char, Option<char>);

/// The Latin letters of a text that have marks or strokes.
struct MarkedLetters<'a> {
    text: &'a str,
    at: usize,
}

impl MarkedLetters<'_> {
    fn from_text(text: &str) -> MarkedLetters<'_> {
        MarkedLetters { text, at: 0 }
    }
}

impl Iterator for MarkedLetters<'_> {
    type Item = Letter;

    fn next(&mut self) -> Option<Letter> {
        loop {
            let start = self.at + Encoding::ascii_valid_up_to(&self.text.as_bytes()[self.at..]);
            let c = self.text[start..].chars().next()?;
            self.at = start + c.len_utf8();
            if !is_mark(c) {
                if bare(c).is_some() {
                    let mark = self.text[self.at..].chars().next().filter(|&next| is_mark(next));
                    self.at += skip_marks(&self.text[self.at..]);
                    return Some((lower(c), mark));
                }
                continue;
            }
            self.at += skip_marks(&self.text[self.at..]);
            // This mark is on a letter that has no character of its own with it.
            let base = self.text.as_bytes()[..start].last().filter(|b| b.is_ascii_alphabetic());
            if let Some(&base) = base {
                return Some((base.to_ascii_lowercase() as char, Some(c)));
            }
        }
    }
}

/// Returns the length of the marks at the start of a text.
fn skip_marks(text: &str) -> usize {
    text.chars().take_while(|&c| is_mark(c)).map(char::len_utf8).sum()
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Counts of the letters of a text.
#[derive(Debug, Default)]
struct LetterCounts {
    n_letters: u64,
    /// Counts of all forms of each ASCII letter.
    bases: [u64; 26],
    marked: BTreeMap<Letter, u64>,
}

impl LetterCounts {
    fn from_text(text: &str) -> LetterCounts {
        let mut census = LetterCounts::default();
        for byte in text.bytes().filter(u8::is_ascii_alphabetic) {
            census.bases[usize::from(byte.to_ascii_lowercase() - b'a')] += 1;
        }
        for letter in MarkedLetters::from_text(text) {
            *census.marked.entry(letter).or_default() += 1;
            // A mark on an ASCII letter has already been counted by its base.
            if let Some(base) = bare(letter.0).filter(|_| !letter.0.is_ascii()) {
                census.bases[(base.to_ascii_lowercase() as u8 - b'a') as usize] += 1;
            }
        }
        census.n_letters = census.bases.iter().sum();
        census
    }

    /// Counts the letters with marks that a language explains.
    fn explained(&self, language: &Language) -> u64 {
        let of_letter = |(letter, &n): (&Letter, &u64)| {
            let Some(usual) = language.get(letter) else { return 0 };
            let base = bare(letter.0).map_or(0, |base| base.to_ascii_lowercase() as u8 - b'a');
            let by_rate = RATE * usual.rate * self.n_letters / 100_000;
            let (share, of_base) = (usual.share, self.bases[usize::from(base)]);
            let by_share = of_base * ODDS * share / (1000 + (ODDS - 1) * share);
            n.min(by_rate + SLACK).min(by_share + SLACK)
        };
        self.marked.iter().map(of_letter).sum()
    }
}

/// Usual frequency of a letter in a language.
#[derive(Debug, Clone, Copy)]
struct LetterRate {
    /// Occurrences in 100,000 letters.
    rate: u64,
    /// Occurrences in 1,000 letters of its base.
    share: u64,
}

type Language = BTreeMap<Letter, LetterRate>;

/// All languages of the table.
static LANGUAGE_LIST: LazyLock<Vec<Language>> =
    LazyLock::new(|| LANGUAGES.lines().map(language).collect());

/// Reads a line of the table.
fn language(line: &str) -> Language {
    let fields: Vec<&str> = line.split(' ').skip(1).collect();
    let letters = fields.chunks_exact(3).filter_map(|field| {
        let mut letter = field[0].chars();
        let usual = LetterRate { rate: field[1].parse().ok()?, share: field[2].parse().ok()? };
        Some(((letter.next()?, letter.next()), usual))
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;
    use crate::frontend::fold::fold;

    /// The naive twin of [`MarkedLetters`]: finds all letters of a text with their marks, and keeps those that have any.
    fn naive(text: &str) -> Vec<Letter> {
        let mut letters: Vec<(char, Vec<char>)> = Vec::new();
        for c in text.chars() {
            match letters.last_mut() {
                Some((_, marks)) if is_mark(c) => marks.push(c),
                _ => letters.push((c, Vec::new())),
            }
        }
        let is_marked =
            |c: char, marks: &[char]| bare(c).is_some() && (!c.is_ascii() || !marks.is_empty());
        let marked = letters.iter().filter(|(c, marks)| is_marked(*c, marks));
        marked.map(|(c, marks)| (lower(*c), marks.first().copied())).collect()
    }

    const HONEST: [&str; 10] = [
        "Die schönen Mädchen trügen für ihre Mütter große Körbe über die grüne Brücke, später wären sie müde und hungrig.",
        "L’été, à l’école, les élèves étaient très fatigués : ils préféraient la forêt, où la rivière était fraîche et légère.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy, a proto měl každý člověk v údolí těžké sny o červených růžích.",
        "Tiếng Việt có sáu thanh điệu, và người học thường thấy những dấu ấy rất khó đọc, nhưng trẻ con thì nói được ngay.",
        "Güneş doğduğunda çocuklar ağaçların altında oynuyordu; öğleden sonra yağmur başladı ve herkes eve döndü, kapıları kapattı.",
        "Zażółć gęślą jaźń: wszyscy wiedzą, że żółw wyszedł późną nocą na świeży śnieg i długo szukał ścieżki.",
        "Það er ekki á hverjum degi að maður sér svo fallega norðurljós yfir fjöllunum, sögðu þau og fóru út á ísinn.",
        "Šķērsojot ielu, bērni gāja lēnām, jo mašīnas brauca ātri un šoferi nemaz neskatījās uz gājējiem.",
        "nǐ hǎo, wǒ jiào wáng míng, wǒ shì běijīng dàxué de xuéshēng, wǒ xǐhuān chī fàn hé kàn shū",
        "Els nens anaven a l’escola quan plovia molt; després, a la tarda, el sol sortia i tothom jugava a la plaça, és clar.",
    ];

    #[test]
    fn marks_of_languages_are_spelling() {
        for text in HONEST {
            let long = text.repeat(3);
            assert_eq!(Diacritics::from_text(&long), Diacritics::Spelling, "{text}");
            assert_eq!(Diacritics::from_text(text), Diacritics::Spelling, "{text}");
        }
    }

    #[test]
    fn marks_on_any_letters_are_decoration() {
        let text = "Nobody remembered who had built the mill, but everyone in the village knew the miller's daughter, who sold \
            bread on Fridays and told fortunes to travellers that stopped for the night on their way across the mountains.";
        // Puts a mark on every letter at a multiple of `each`, taking the marks in turn.
        let on = |marks: &[char], each: usize| -> String {
            let letters = text.chars().enumerate().flat_map(|(i, c)| {
                let is_marked = c.is_ascii_alphabetic() && i % each == 0;
                [Some(c), is_marked.then(|| marks[i / each % marks.len()])]
            });
            letters.flatten().nfc().collect()
        };
        for (marks, each) in [
            (&['\u{323}'][..], 1),
            (&['\u{323}'], 5),
            (&['\u{301}'], 2),
            (&['\u{308}', '\u{302}', '\u{300}'], 4),
            (&['\u{336}'], 1),
            (&['\u{30A}', '\u{327}', '\u{35C}', '\u{489}'], 3),
        ] {
            assert_eq!(
                Diacritics::from_text(&on(marks, each)),
                Diacritics::Decoration,
                "{marks:?} {each}"
            );
        }
        let vowels = text.replace('a', "à").replace('e', "é").replace('o', "ö").replace('i', "î");
        assert_eq!(Diacritics::from_text(&vowels), Diacritics::Decoration);
        assert_eq!(Diacritics::from_text(&text.replace('e', "é")), Diacritics::Decoration);
        assert_eq!(Diacritics::from_text(text), Diacritics::Spelling);
        assert_eq!(Diacritics::from_text("naïve café, àéîõü ñ ç"), Diacritics::Spelling, "too few");
        let misread = "¸ðµâ | Áö½Ã¾îµé | FAQ | ¿ë¾î | »çÀÌÆ®¸Ê: ¾ÆÆÄÄ¡ ÅõÅä¸®¾ó »ç¿ëÇÑ µ¿Àû ÆäÀÌÁö »ý¼º, ¿¡¼\u{AD} ³»¿ëÇù»ó";
        assert_eq!(Diacritics::from_text(&fold(misread).text), Diacritics::Spelling);
    }

    #[test]
    fn the_table_is_read_whole() {
        assert_eq!(LANGUAGE_LIST.len(), LANGUAGES.lines().count());
        for (language, line) in LANGUAGE_LIST.iter().zip(LANGUAGES.lines()) {
            assert_eq!(3 * language.len(), line.split(' ').count() - 1, "{line}");
            assert!(
                language.keys().all(|&(c, mark)| bare(c).is_some() || mark.is_none()),
                "{line}"
            );
        }
    }

    proptest! {
        #[test]
        fn marked_letters_are_the_naive_ones(text in "[a-cåéøłßжα \u{301}\u{323}\u{336}\u{1AB0}]{0,40}") {
            let found: Vec<Letter> = MarkedLetters::from_text(&text).collect();
            prop_assert_eq!(found, naive(&text));
        }
    }
}
