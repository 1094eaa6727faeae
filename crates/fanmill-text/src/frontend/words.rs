//! Prose as words.
//!
//! A word is a row of letters, marks and digits, in lower case. Punctuation, symbols and white space separate words and
//! are dropped, with these exceptions and examples:
//!
//! | text | tokens | why |
//! |---|---|---|
//! | `don't` `don’t` | `don't` | an apostrophe between letters belongs to the word |
//! | `3.14` `1,000` | `3.14` `1,000` | a stop or comma between digits likewise |
//! | `exam-⏎ple` | `example` | a hyphen at a line's end before a lower-case letter splits a word |
//! | `snake_case` `e.g.` `half-time` | `snake` `case` `e` `g` `half` `time` | |
//! | `汉字` `かな` `ไทย` | one token per character, marks included | no spaces between words |
//!
//! Cost: O(n); English at 300 MB/s, Russian at 110 MB/s (2026-11-20, one core of an EPYC).
//! Source: UAX #29, word boundaries. Departs from it: `_`, `:`, `.` between letters and `;` between digits separate
//! words, so that a missing space after a full stop, or an added `_`, does not hide a copy; Hangul and all scripts
//! without spaces are treated as the table shows.

use super::fold::Folding;
use super::front_end::{Claims, FrontEnd, PART};
use super::offset_map::narrow;
use super::word_class::{self, Class, class, lower};
use crate::span::Span;
use crate::token::{Kind, Symbol, Token, Tokens, Writing};
use fanmill_kernel::alphanumeric_bytes;

/// The front end `words`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Words;

impl FrontEnd for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn version(&self) -> u32 {
        2
    }

    fn kind(&self) -> Kind {
        Kind::Words
    }

    fn folding(&self) -> Folding {
        Folding::Spelling
    }

    fn spells_words(&self) -> bool {
        true
    }

    fn claims(&self) -> Claims {
        Claims {
            aliases: &["ascii", "prose"],
            extensions: &[
                "txt", "text", "rst", "asc", "adoc", "asciidoc", "org", "log", "srt", "wiki",
                // Documents whose text is extracted by sources.
                "docx", "docm", "dotx", "dotm", "odt", "ott", "rtf", "doc", "pdf", "epub", "pptx",
                "pptm", "ppsx", "ppsm", "potx", "odp", "otp", "xlsx", "xlsm", "xltx", "ods", "ots",
                "ps", "eps",
            ],
            file_names: &[
                "readme",
                "license",
                "copying",
                "authors",
                "changelog",
                "news",
                "todo",
                "install",
            ],
            interpreters: &[],
        }
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        each_word(text, |word| tokens.push(word.token()));
    }

    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        each_word(text, |word| {
            part.push(word.token());
            if part.len() >= PART {
                take(part);
                part.clear();
            }
        });
        take(part);
        part.clear();
    }
}

/// A word as the front end [`Words`] finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word in lower case, without characters that do not count.
    pub spelled: &'a [u8],
    /// True if it surely consists of ASCII letters and digits alone.
    pub is_plain: bool,
    /// Writing of its script, if it is a character of one without spaces.
    pub(crate) writing: Option<Writing>,
    /// Its bytes in the text.
    pub span: Span,
}

impl Word<'_> {
    fn token(&self) -> Token {
        let symbol = match self.writing {
            None => Symbol::spelled(self.spelled),
            Some(writing) => Symbol::character(self.spelled, writing),
        };
        Token { symbol, name: symbol, span: self.span }
    }
}

/// Calls `found` with all words of a text, in order.
pub fn each_word(text: &str, mut found: impl FnMut(Word<'_>)) {
    let mut scanner = Scanner::new(text);
    while scanner.find_word() {
        if let Some((short, len)) = scanner.short_word() {
            let span = Span::new(narrow(scanner.at - len), narrow(scanner.at));
            found(Word { spelled: &short[..len], is_plain: true, writing: None, span });
        } else if let Some(word) = scanner.any_word() {
            found(word);
        }
    }
}

/// ASCII bytes as they are in words; 0 for bytes that separate words.
const LOWER: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

/// Reads one word after another.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The word being read, in lower case.
    word: Vec<u8>,
}

/// Number of bytes in which a short word and the byte after it are found.
const SHORT: usize = 16;
/// The highest bit of each byte.
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, word: Vec::with_capacity(64) }
    }

    /// Moves to the next letter or digit; returns false at the end.
    fn find_word(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte.is_ascii() {
                if LOWER[usize::from(byte)] != 0 {
                    return true;
                }
                self.at += 1;
            } else {
                let (class, len) = self.look(self.at);
                if !matches!(class, Class::Other | Class::Mark) {
                    return true;
                }
                self.at += len;
            }
        }
        false
    }

    /// Returns the class and length of the character at `at`; `Other` at the end.
    fn look(&self, at: usize) -> (Class, usize) {
        match self.text.as_bytes().get(at) {
            None => (Class::Other, 0),
            Some(b'a'..=b'z' | b'A'..=b'Z') => (Class::Letter, 1),
            Some(b'0'..=b'9') => (Class::Digit, 1),
            Some(byte) if byte.is_ascii() => (Class::Other, 1),
            Some(_) => {
                let c = self.text[at..].chars().next().unwrap_or_default();
                (class(c), c.len_utf8())
            }
        }
    }

    /// Takes the word that starts here, and returns it in lower case, with its length, if it consists of fewer than
    /// sixteen ASCII letters and digits and nothing can join it. This is true of most words.
    #[inline]
    fn short_word(&mut self) -> Option<([u8; SHORT], usize)> {
        let here = self.text.as_bytes()[self.at..].first_chunk::<SHORT>()?;
        let halves = [0, 8].map(|at| {
            let mut half = [0; 8];
            half.copy_from_slice(&here[at..at + 8]);
            u64::from_le_bytes(half)
        });
        let [low, high] =
            halves.map(|half| (!alphanumeric_bytes(half) & HIGH).trailing_zeros() as usize / 8);
        let len = if low < 8 { low } else { low + high };
        let next = *here.get(len).filter(|_| len > 0)?;
        // A stop or comma joins digits only. The effects of an apostrophe, a hyphen or a mark are decided elsewhere.
        let is_after_letter = !here[len - 1].is_ascii_digit();
        let is_end = match next {
            b'\'' | b'-' => false,
            b'.' | b',' => is_after_letter,
            next => next.is_ascii(),
        };
        if !is_end {
            return None;
        }
        self.at += len;
        // Digits have this bit already, and it makes letters lower-case.
        let lower = halves.map(|half| (half | HIGH >> 2).to_le_bytes());
        let mut short = [0; SHORT];
        short[..8].copy_from_slice(&lower[0]);
        short[8..].copy_from_slice(&lower[1]);
        Some((short, len))
    }

    /// Reads the word that starts here, whatever it consists of.
    fn any_word(&mut self) -> Option<Word<'_>> {
        let start = self.at;
        self.word.clear();
        let (first, _) = self.look(self.at);
        let mut writing = None;
        if first == Class::Single {
            writing = self.text[self.at..].chars().next().map(word_class::writing);
            self.take_single();
        } else {
            self.take_word();
        }
        let span = Span::new(narrow(start), narrow(self.at));
        (!span.is_empty()).then_some(Word { spelled: &self.word, is_plain: false, writing, span })
    }

    /// Takes one character with its marks.
    fn take_single(&mut self) {
        self.take_char();
        while self.look(self.at).0 == Class::Mark {
            self.take_char();
        }
    }

    /// Takes letters, digits and marks, and the punctuation that may be between them.
    fn take_word(&mut self) {
        loop {
            self.take_ascii();
            match self.look(self.at).0 {
                Class::Letter | Class::Digit | Class::Mark => self.take_char(),
                Class::Single => return,
                Class::Other => match self.joint() {
                    Some(Joint::Kept(byte)) => {
                        self.word.push(byte);
                        self.at += 1;
                    }
                    Some(Joint::Dropped(len)) => self.at += len,
                    None => return,
                },
            }
        }
    }

    /// Takes ASCII letters and digits as far as they go.
    fn take_ascii(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|&byte| LOWER[usize::from(byte)] == 0).unwrap_or(rest.len());
        self.word.extend(rest[..len].iter().map(|&byte| LOWER[usize::from(byte)]));
        self.at += len;
    }

    /// Takes one character, in lower case.
    fn take_char(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else { return };
        self.at += c.len_utf8();
        self.word.extend_from_slice(lower(c).encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// Returns the punctuation here if the word continues after it.
    fn joint(&self) -> Option<Joint> {
        let bytes = self.text.as_bytes();
        let joint = *bytes.get(self.at)?;
        if !matches!(joint, b'\'' | b'.' | b',' | b'-') {
            return None;
        }
        let before = self.class_before();
        let after = self.look(self.at + 1).0;
        match joint {
            b'\'' if before == Class::Letter && after == Class::Letter => Some(Joint::Kept(joint)),
            b'.' | b',' if before == Class::Digit && after == Class::Digit => {
                Some(Joint::Kept(joint))
            }
            b'-' if before == Class::Letter => self.hyphenation().map(Joint::Dropped),
            _ => None,
        }
    }

    /// Returns the class of the last character before here that is not a mark.
    fn class_before(&self) -> Class {
        let before =
            self.text[..self.at].chars().rev().map(class).find(|&class| class != Class::Mark);
        before.unwrap_or(Class::Other)
    }

    /// Returns the length of a hyphen, line end and indentation before a lower-case letter.
    fn hyphenation(&self) -> Option<usize> {
        let rest = &self.text[self.at + 1..];
        let line = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']))?;
        let indented = line.trim_start_matches([' ', '\t']);
        let small =
            indented.chars().next().is_some_and(|c| c.is_lowercase() && class(c) == Class::Letter);
        small.then_some(1 + rest.len() - indented.len())
    }
}

/// Punctuation inside a word.
enum Joint {
    /// One byte that belongs to the word.
    Kept(u8),
    /// This many bytes that do not.
    Dropped(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::char::is_combining_mark;
    use unicode_segmentation::UnicodeSegmentation;

    fn words(text: &str) -> Vec<&str> {
        let mut tokens = Tokens::default();
        Words.tokenize(text, &mut tokens);
        for pair in tokens.spans.windows(2) {
            assert!(pair[0].end <= pair[1].start);
        }
        tokens.spans.iter().map(|span| &text[span.range()]).collect()
    }

    fn symbols(text: &str) -> Vec<Symbol> {
        let mut tokens = Tokens::default();
        Words.tokenize(text, &mut tokens);
        tokens.symbols
    }

    #[test]
    fn words_of_many_scripts() {
        for (text, want) in [
            ("Don't stop, it's 3.14!", &["Don't", "stop", "it's", "3.14"][..]),
            (
                "'quoted' dogs' 1,000, x.y snake_case e.g.",
                &["quoted", "dogs", "1,000", "x", "y", "snake", "case", "e", "g"],
            ),
            ("exam-\n  ple half-time Foo-\nBar", &["exam-\n  ple", "half", "time", "Foo", "Bar"]),
            ("Größe über naïve", &["Größe", "über", "naïve"]),
            ("漢字とカナ", &["漢", "字", "と", "カ", "ナ"]),
            ("ไทยดี", &["ไ", "ท", "ย", "ดี"]),
            ("한국어 문장", &["한국어", "문장"]),
            ("हिन्दी में", &["हिन्दी", "में"]),
            ("Python编程3.0版", &["Python", "编", "程", "3.0", "版"]),
            ("🦀 — … \u{301}", &[]),
            ("", &[]),
        ] {
            assert_eq!(words(text), want, "{text}");
        }
    }

    #[test]
    fn case_and_line_ends_do_not_matter() {
        assert_eq!(symbols("ΟΔΥΣΣΕΥΣ Straße İ"), symbols("Οδυσσευς STRAße i"));
        assert_eq!(symbols("The exam-\r\nple"), symbols("the Example"));
        assert_eq!(symbols("The exam-\rple"), symbols("the Example"));
        assert_eq!(symbols("one")[0], Symbol::spelled(b"one"));
    }

    #[test]
    fn hostile_lines_take_no_time() {
        for text in [
            "-\n ".repeat(300_000),
            "a-\n".repeat(300_000),
            "a'".repeat(300_000),
            format!("a{}", "\u{301}'".repeat(300_000)),
        ] {
            words(&text);
        }
        words(&format!("a{}", "\u{5B0}".repeat(300_000)));
    }

    fn prop_assert_plain(text: &str, word: Word<'_>) {
        if word.is_plain {
            let written = &text[word.span.range()];
            assert!(written.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{written}");
        }
    }

    proptest! {
        /// The words are those of UAX #29 where we do not depart from it.
        #[test]
        fn words_are_those_of_the_annex(text in "([a-zA-Zéüñжщאבλμ]{1,8}|[0-9]{1,4}|[ \\n!?()—]|[a-z]'[a-z]|[0-9][.,][0-9]){0,30}") {
            let want: Vec<&str> = text.unicode_words().collect();
            prop_assert_eq!(words(&text), want);
        }

        /// Short words are read as all others are.
        #[test]
        fn short_words_equal_naive(text in "([a-zA-Z0-9_]{1,18}|[0-9.,]{1,4}|['.,-]|-\n|[ \n!?()—éж\u{301}漢\0]|[a-z]'[a-z]){0,30}", any: String) {
            for text in [text, any] {
                let own = |word: Word<'_>| (word.spelled.to_vec(), word.span);
                let mut fast = Vec::new();
                each_word(&text, |word| {
                    prop_assert_plain(&text, word);
                    fast.push(own(word));
                });
                let (mut naive, mut scanner) = (Vec::new(), Scanner::new(&text));
                while scanner.find_word() {
                    naive.extend(scanner.any_word().map(own));
                }
                prop_assert_eq!(fast, naive);
            }
        }

        #[test]
        fn every_letter_is_in_a_word(text in any::<String>()) {
            let inside: usize = words(&text).iter().flat_map(|word| word.chars()).filter(|c| c.is_alphanumeric() && !is_combining_mark(*c)).count();
            prop_assert_eq!(inside, text.chars().filter(|c| c.is_alphanumeric() && !is_combining_mark(*c)).count());
        }
    }
}
