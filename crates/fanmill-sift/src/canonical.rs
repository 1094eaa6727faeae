//! Canonical forms: texts without anything that can be changed at no cost.
//!
//! | form | tokens | what is removed |
//! |---|---|---|
//! | `words` | words | punctuation, symbols and case, as in the front end [`Words`] |
//! | `bare-words` | words | as in `words`, and accents and other marks, apostrophes, points and commas inside words: `Kafféhaus` is `kaffehaus`, `don't` is `dont` |
//! | `letters` | letters and digits | as in `words`, and white space, as in the front end [`Chars`] |
//! | `paper-words` | words | white space separates words; everything else that is not a letter or digit is deleted without separating: `third-quarter` becomes `thirdquarter` |
//! | `mail-letters` | letters | white space, punctuation, diacritics; digits and symbols become the letters that they look like |
//! | `mail-words` | words | as in `mail-letters`, word by word; letters with a space or a sign between each two are one word: `v i a g r a` |
//!
//! Texts come folded ([`fanmill_text::frontend::Text`]): look-alike letters of other scripts, invisible characters and
//! different Unicode spellings are gone already. For version 2 of `words`, `bare-words` and `letters` they are folded
//! like all prose, so that `Größe` is `groesse`, and vowel signs of Arabic are gone ([`Canonical::folding`]); stores of
//! version 1 are searched by version 1.
//!
//! In `mail-letters` an `i` is an `l`, as are `1`, `!` and `|`; `0` is `o`, `3` `e`, `4` and `@` `a`, `5` and
//! `$` `s`, and so on; `|<` is `k`, `\/` `v`, `vv` `w`, `rn` `m`. A symbol counts as a letter only before a
//! letter, since `now!` ends in punctuation.
//!
//! Accents cost nothing to add, and readers hardly mind them, so `bare-words` ignores them in every script. Where marks
//! distinguish words (vowels of Hindi, accents of Vietnamese), some different words become equal; a gram of several
//! words is hardly ever affected.
//!
//! Cost: O(n), one pass.
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.1.
//! Departs from it: the tables of `mail-letters` are ours.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use fanmill_text::error::{Error, Result};
use fanmill_text::frontend::{Chars, Folding, FrontEnd, Word, Words, each_word};
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Tokens};

/// A canonical form; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Canonical {
    /// `words`: for prose.
    Words,
    /// `bare-words`: for prose in which an adversary may add accents.
    BareWords,
    /// `letters`: for prose in which an adversary may move spaces.
    Letters,
    /// `paper-words`: as in the paper.
    PaperWords,
    /// `mail-letters`: for senders who spell `V|AGRA`.
    MailLetters,
    /// `mail-words`: as `mail-letters`, word by word.
    MailWords,
    /// Version 1 of `words`.
    EarlierWords,
    /// Version 1 of `bare-words`.
    EarlierBareWords,
    /// Version 1 of `letters`.
    EarlierLetters,
}

impl Canonical {
    /// All forms, each once in each version.
    pub const ALL: [Canonical; 9] = [
        Canonical::Words,
        Canonical::BareWords,
        Canonical::Letters,
        Canonical::PaperWords,
        Canonical::MailLetters,
        Canonical::MailWords,
        Canonical::EarlierWords,
        Canonical::EarlierBareWords,
        Canonical::EarlierLetters,
    ];

    /// Returns its name in schemes.
    pub fn name(self) -> &'static str {
        match self {
            Canonical::Words | Canonical::EarlierWords => "words",
            Canonical::BareWords | Canonical::EarlierBareWords => "bare-words",
            Canonical::Letters | Canonical::EarlierLetters => "letters",
            Canonical::PaperWords => "paper-words",
            Canonical::MailLetters => "mail-letters",
            Canonical::MailWords => "mail-words",
        }
    }

    /// Returns its version, raised whenever the same text would give different tokens.
    pub fn version(self) -> u32 {
        match self {
            Canonical::Words => Words.version(),
            Canonical::Letters => Chars.version(),
            Canonical::BareWords => 2,
            Canonical::PaperWords
            | Canonical::MailLetters
            | Canonical::MailWords
            | Canonical::EarlierWords
            | Canonical::EarlierBareWords
            | Canonical::EarlierLetters => 1,
        }
    }

    /// Returns the folding that its texts need.
    pub fn folding(self) -> Folding {
        match self {
            Canonical::Words | Canonical::BareWords | Canonical::Letters => Folding::Spelling,
            _ => Folding::Disguises,
        }
    }

    /// Returns whether the tokens are words, so that common ones can be removed.
    pub fn has_words(self) -> bool {
        matches!(
            self,
            Canonical::Words
                | Canonical::BareWords
                | Canonical::PaperWords
                | Canonical::EarlierWords
                | Canonical::EarlierBareWords
        )
    }
}

impl fmt::Display for Canonical {
    /// Writes the name with the version: `words@2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name(), self.version())
    }
}

impl FromStr for Canonical {
    type Err = Error;

    /// Parses what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Canonical> {
        Canonical::ALL.into_iter().find(|form| form.to_string() == text).ok_or_else(|| {
            let all = Canonical::ALL.map(|form| form.to_string()).join(", ");
            Error::setting(format!("unknown canonical form `{text}`; use one of {all}"))
        })
    }
}

/// Emits the tokens of a form that is a front end for prose.
pub(super) fn by_front_end(front_end: &dyn FrontEnd, text: &str, mut emit: impl FnMut(u32, Span)) {
    let mut tokens = Tokens::with_capacity(text.len() / 5);
    front_end.tokenize(text, &mut tokens);
    for (symbol, span) in tokens.symbols.iter().zip(&tokens.spans) {
        emit(half(*symbol), *span);
    }
}

/// Returns the first 32 bits of a symbol, by which version 1 of stores and keys identifies words.
///
/// The lowest 16 values were once reserved for classes, and are still left out.
pub(super) fn half(symbol: Symbol) -> u32 {
    let half = (symbol.value() >> 32) as u32;
    if half < 16 { half + 16 } else { half }
}

/// Emits the words of `bare-words`, each with its span in the text: those of the front end [`Words`], spelled without
/// marks.
pub fn bare_words(text: &str, mut emit: impl FnMut(&str, Span)) {
    let mut bare = String::with_capacity(32);
    each_word(text, |Word { spelled, is_plain, span, .. }| {
        bare.clear();
        match str::from_utf8(spelled) {
            Ok(spelled) if is_plain => bare.push_str(spelled),
            _ => text[span.range()].chars().for_each(|c| push_bare(c, &mut bare)),
        }
        emit(&bare, span);
    });
}

/// Appends a character of a word, in lower case and without marks, if anything is left of it.
fn push_bare(c: char, bare: &mut String) {
    if c.is_ascii_alphanumeric() {
        bare.push(c.to_ascii_lowercase());
    } else if !c.is_ascii() {
        // Marks are dropped first, since the capital of U+0345 is a letter. Lower case is made from capitals, so that
        // the final sigma is like any other.
        decompose_canonical(c, |part| {
            if !is_combining_mark(part) {
                let lower = part.to_uppercase().flat_map(char::to_lowercase);
                bare.extend(lower.filter_map(unmarked));
            }
        });
    }
}

/// Returns a part of a decomposed letter, without strokes; `None` for marks and punctuation.
fn unmarked(part: char) -> Option<char> {
    let is_letter = part.is_alphanumeric() && !is_combining_mark(part);
    // Letters with strokes are not decomposed.
    is_letter.then_some(match part {
        'ø' => 'o',
        'ł' => 'l',
        'đ' | 'ð' => 'd',
        'ħ' => 'h',
        'ŧ' => 't',
        'ı' => 'i',
        part => part,
    })
}

/// Emits the words of `paper-words`, each in lower case, with its span in the text.
pub fn paper_words(text: &str, mut emit: impl FnMut(&str, Span)) {
    let mut word = String::with_capacity(32);
    let mut start = None;
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() {
            start = start.or(Some(at));
            end = at + c.len_utf8();
            if c.is_ascii() {
                word.push(c.to_ascii_lowercase());
            } else {
                word.extend(c.to_lowercase());
            }
        } else if let Some(start) = start.take_if(|_| c.is_whitespace()) {
            emit(&word, span(start, end));
            word.clear();
        }
    }
    if let Some(start) = start {
        emit(&word, span(start, end));
    }
}

/// Emits the letters of `mail-letters`.
pub(super) fn mail_letters(text: &str, mut emit: impl FnMut(char, Span)) {
    // Two letters may look like one, whatever is between them: `v v` is as good a `w` as `vv`. So each
    // letter is held back until the next one is known.
    let mut last: Option<(char, Span)> = None;
    single_letters(text, |letter, span| {
        let joined = last.take().map(|(first, begin)| (first, begin, two_letters(first, letter)));
        match joined {
            Some((_, begin, Some(both))) => emit(both, Span::new(begin.start, span.end)),
            Some((first, begin, None)) => {
                emit(first, begin);
                last = Some((letter, span));
            }
            None => last = Some((letter, span)),
        }
    });
    if let Some((letter, span)) = last {
        emit(letter, span);
    }
}

/// Minimum number of single letters in a row that are taken as one word.
const SPACED: usize = 3;

/// Emits the words of `mail-words`, each with its span in the text.
pub(super) fn mail_words(text: &str, mut emit: impl FnMut(&str, Span)) {
    let mut word = String::with_capacity(32);
    let mut spell = |range: Range<usize>| {
        word.clear();
        mail_letters(&text[range.clone()], |letter, _| word.push(letter));
        if !word.is_empty() {
            emit(&word, span(range.start, range.end));
        }
    };
    // Single letters wait until it is known how many there are.
    let mut alone: Vec<Range<usize>> = Vec::new();
    let mut release = |alone: &mut Vec<Range<usize>>| match &alone[..] {
        [first, .., last] if alone.len() >= SPACED => {
            let all = first.start..last.end;
            alone.clear();
            spell(all);
        }
        _ => alone.drain(..).for_each(&mut spell),
    };
    written_words(text, |range| {
        let is_alone =
            text[range.clone()].chars().filter(|&c| !is_combining_mark(c)).nth(1).is_none();
        let is_next =
            alone.last().is_none_or(|last| text[last.end..range.start].chars().nth(1).is_none());
        if !(is_alone && is_next) {
            release(&mut alone);
        }
        alone.push(range);
        if !is_alone {
            release(&mut alone);
        }
    });
    release(&mut alone);
}

/// Finds runs of letters, digits, and signs that pass for letters.
fn written_words(text: &str, mut found: impl FnMut(Range<usize>)) {
    let (mut start, mut before) = (None, None);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|&(_, c)| c);
        let is_pair = |first: Option<char>, second: Option<char>| {
            first.zip(second).is_some_and(|(first, second)| two_symbols(first, second).is_some())
        };
        let is_inside = c.is_alphanumeric()
            || is_combining_mark(c)
            || matches!(c, '\'' | '’')
            || symbol(c).is_some()
            || is_pair(before, Some(c))
            || is_pair(Some(c), after);
        match start {
            Some(begin) if !is_inside => {
                found(begin..at);
                start = None;
            }
            None if is_inside => start = Some(at),
            _ => {}
        }
        before = Some(c);
    }
    if let Some(begin) = start {
        found(begin..text.len());
    }
}

/// Emits the letters of `mail-letters` before pairs of letters are joined.
fn single_letters(text: &str, mut emit: impl FnMut(char, Span)) {
    let mut rest = text.chars().peekable();
    let mut at = 0;
    while let Some(c) = rest.next() {
        let start = at;
        at += c.len_utf8();
        let next = rest.peek().copied();
        if c.is_ascii_alphanumeric() {
            emit(plain(c.to_ascii_lowercase()), span(start, at));
        } else if let Some(letter) = next.and_then(|next| two_symbols(c, next)) {
            rest.next();
            // Both characters of a pair are ASCII.
            at += 1;
            emit(letter, span(start, at));
        } else if let Some(letter) = symbol(c) {
            if next.is_some_and(char::is_alphabetic) {
                emit(letter, span(start, at));
            }
        } else if c.is_alphanumeric() {
            emit(bare(c), span(start, at));
        }
    }
}

/// Returns the letter that two symbols look like together.
fn two_symbols(first: char, second: char) -> Option<char> {
    Some(match (first, second) {
        ('|', '<') => 'k',
        ('|', ')') => 'd',
        ('\\' | '|', '/') => 'v',
        ('/', '\\') => 'a',
        ('(', ')') => 'o',
        _ => return None,
    })
}

/// Returns the letter that two letters look like together.
fn two_letters(first: char, second: char) -> Option<char> {
    match (first, second) {
        ('v', 'v') => Some('w'),
        ('r', 'n') => Some('m'),
        _ => None,
    }
}

/// Returns the letter that represents all those that look like it.
fn plain(c: char) -> char {
    match c {
        'i' | '1' => 'l',
        '0' => 'o',
        '2' => 'z',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '6' | '9' => 'g',
        '7' => 't',
        '8' => 'b',
        c => c,
    }
}

/// Returns the letter that a symbol passes for.
fn symbol(c: char) -> Option<char> {
    Some(match c {
        '!' | '|' | '¡' => 'l',
        '@' => 'a',
        '$' => 's',
        '+' => 't',
        '€' => 'e',
        _ => return None,
    })
}

/// Returns a letter of any script in lower case, without its marks.
fn bare(c: char) -> char {
    let lower = c.to_lowercase().next().unwrap_or(c);
    let mut base = None;
    decompose_canonical(lower, |part| {
        if !is_combining_mark(part) {
            base = base.or(Some(part));
        }
    });
    plain(base.unwrap_or(lower))
}

/// Returns a span of offsets. Texts are below 4 GiB, which front ends have checked before.
fn span(start: usize, end: usize) -> Span {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(narrow(start), narrow(end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use fanmill_effort::golden;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        paper_words(text, |word, span| {
            let marked = &text[span.range()];
            assert!(marked.starts_with(char::is_alphanumeric));
            assert!(marked.ends_with(char::is_alphanumeric));
            words.push(word.to_owned());
        });
        words
    }

    fn letters(text: &str) -> String {
        let mut letters = String::new();
        mail_letters(text, |letter, span| {
            assert!(!text[span.range()].is_empty());
            letters.push(letter);
        });
        letters
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("canonical") {
            let expected: Vec<&str> = case["tokens"]
                .as_array()
                .expect("tokens")
                .iter()
                .map(|token| token.as_str().expect("text"))
                .collect();
            assert_eq!(words(case["text"].as_str().expect("text")), expected, "{case}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for form in Canonical::ALL {
            assert_eq!(form.to_string().parse::<Canonical>().expect("its own name"), form);
        }
        assert!("words".parse::<Canonical>().is_err() && "words@3".parse::<Canonical>().is_err());
    }

    #[test]
    fn disguised_letters_are_plain() {
        let plain = letters("Viagra at a killer price: visit now");
        for text in [
            "V1AGRA @t a |<iller pr1ce. V!s1t now!!!",
            "v i a g r a   a t   a   k i l l e r   p r i c e   v i s i t   n o w",
            "\\/iagra, at a k|ller pric3 (visit) n0w?",
            "V.i.á.g.r.a at a kïller príce - vísit nôw",
        ] {
            assert_eq!(letters(text), plain, "{text}");
        }
        assert_eq!(letters("modern vvorld"), letters("m o d e r n v v o r l d"));
        assert_eq!(letters("modern vvorld"), letters("modem world"));
        assert_ne!(letters("100 $"), letters("100 s"));
    }

    #[test]
    fn letters_of_other_scripts_stay() {
        assert_eq!(words("Größe, ЖУК 漢字"), ["größe", "жук", "漢字"]);
        assert_eq!(letters("Größe ЖУК 漢字"), "großeжук漢字");
    }

    fn bare(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        bare_words(text, |word, _| words.push(word.to_owned()));
        words
    }

    #[test]
    fn accents_and_marks_make_no_difference() {
        for (text, want) in [
            ("Kàfféhaůs söfort", &["kaffehaus", "sofort"][..]),
            ("K\u{301}af\u{301}fe\u{308}haus sofort", &["kaffehaus", "sofort"]),
            ("don't DON'T 3.14 1,000", &["dont", "dont", "314", "1000"]),
            (
                "exam-\n  ple Größe GRÖSSE ΟΔΥΣΣΕΥΣ οδυσσευς",
                &["example", "grosse", "grosse", "οδυσσευσ", "οδυσσευσ"],
            ),
            ("Łódź İstanbul Smørrebrød", &["lodz", "istanbul", "smorrebrod"]),
        ] {
            assert_eq!(bare(text), want, "{text}");
        }
    }

    /// The words of version 2 are spelled as in all prose, without any remaining marks.
    #[test]
    fn words_without_accents_are_spelled_as_all_prose() {
        for (text, copy) in
            [("Größe und Köln, été", "Groesse und Koeln, ete"), ("漢字 فِي الْبَيْتِ", "汉字 في البيت")]
        {
            let read = |text: &str, form: Canonical| {
                bare(fanmill_text::frontend::Text::folded(text.as_bytes(), form.folding()).as_str())
            };
            assert_eq!(read(text, Canonical::BareWords), read(copy, Canonical::BareWords));
            assert_ne!(
                read(text, Canonical::EarlierBareWords),
                read(copy, Canonical::EarlierBareWords)
            );
        }
    }

    fn of_mail(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        mail_words(text, |word, span| {
            assert!(!text[span.range()].is_empty());
            words.push(word.to_owned());
        });
        words
    }

    #[test]
    fn disguised_words_of_mail_are_plain() {
        let plain = of_mail("Viagra at a killer price: visit now");
        assert_eq!(plain, ["vlagra", "at", "a", "klller", "prlce", "vlslt", "now"]);
        for text in [
            "V1AGRA @t a |<iller pr1ce. V!s1t now!!!",
            "v.i.a.g.r.a  at  a  k i l l e r  price v-i-s-i-t now",
            "\\/iagra, at a k|ller pric3 (visit) n0w?",
            "vi\u{301}a\u{301}gra át à kïller príce - vísit nôw",
        ] {
            assert_eq!(of_mail(text), plain, "{text}");
        }
        assert_eq!(of_mail("bar night vvorld's"), ["bar", "nlght", "worlds"]);
        assert_eq!(of_mail("plan b: I go"), ["plan", "b", "l", "go"]);
        assert!(of_mail(" ... ! ( ) ").is_empty() && of_mail("").is_empty());
    }

    fn naive_words(text: &str) -> Vec<String> {
        let keep = |word: &str| -> String {
            word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        text.split_whitespace().map(keep).filter(|word| !word.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn fast_equals_naive(text in "[a-cA-C1 \n.,|<é漢\u{a0}-]{0,60}") {
            prop_assert_eq!(words(&text), naive_words(&text));
        }

        /// Words stay the same, whatever marks are added to their letters.
        #[test]
        fn marks_can_be_added_anywhere(words in prop::collection::vec("[a-zA-Z]{1,9}", 1..20), mark in "[\u{300}-\u{36f}]") {
            let text = words.join(" ");
            let marked: String = text.chars().flat_map(|c| [Some(c), mark.chars().next().filter(|_| c != ' ')]).flatten().collect();
            let folded = fanmill_text::frontend::Text::new(marked.as_bytes());
            prop_assert_eq!(bare(folded.as_str()), bare(&text));
        }

        #[test]
        fn any_text_is_read(text: String) {
            bare(&text);
            of_mail(&text);
            prop_assert_eq!(words(&text), naive_words(&text));
            letters(&text);
        }
    }
}
