//! Words as a run stores them: 63 bits of a keyed hash, and a bit for words that begin a sentence.
//!
//! A sentence begins at the beginning of a text, after a line break, and after a word that ends with a sign which ends
//! sentences, with closing quotes and brackets behind it. Full stops of scripts without spaces need no white space
//! behind them. A word that begins a sentence still does so if the text between two sentences is cut out, since the
//! word, or the break, before the cut is what made the other one begin.

use std::ops::Range;

use fanmill_text::frontend::each_verbatim_word;
use fanmill_text::frontend::runs::WordKey;

/// The bit of words that begin a sentence.
const BEGINS: u64 = 1;

/// Signs that end a sentence if white space follows.
const STOPS: [char; 12] = ['.', '!', '?', '…', '‼', '⁇', '⁈', '⁉', '؟', '۔', '।', '។'];
/// Signs that end a sentence whatever follows.
const FULL_STOPS: [char; 5] = ['。', '！', '？', '｡', '．'];
/// Signs that may come between the end of a sentence and the white space after it.
const CLOSERS: [char; 19] = [
    '"', '\'', ')', ']', '}', '”', '’', '“', '»', '›', '」', '』', '）', '】', '》', '〉', '］',
    '｝', '〕',
];

/// The way a run reads words.
#[derive(Debug)]
pub(super) struct Reader {
    /// Random, so nobody can construct two words with the same hash.
    key: WordKey<1>,
    /// If set, words are marked that begin a sentence.
    marks_sentences: bool,
}

impl Reader {
    /// Hashes words under a key.
    pub(super) fn new(key: &[u8; 32], marks_sentences: bool) -> Reader {
        Reader { key: WordKey::new(key), marks_sentences }
    }

    /// Passes each word of a text to `found`, with its place in bytes.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(u64, Range<usize>)) {
        let mut before: Option<Range<usize>> = None;
        each_verbatim_word(text, &self.key, |hash, at| {
            let begins =
                self.marks_sentences && before.as_ref().is_none_or(|b| ends(text, b, at.start));
            found(hash & !BEGINS | if begins { BEGINS } else { 0 }, at.clone());
            before = Some(at);
        });
    }
}

/// Returns whether a sentence begins at this word.
pub(super) fn begins_sentence(word: u64) -> bool {
    word & BEGINS != 0
}

/// Returns the part of a stored word that is equal for equal words.
#[inline]
pub(super) fn hash_of(word: u64) -> u64 {
    word & !BEGINS
}

/// Returns whether a sentence ends with the word at `word`, before the word that starts at `next`.
fn ends(text: &str, word: &Range<usize>, next: usize) -> bool {
    let (own, white) = (&text[word.clone()], &text[word.end..next]);
    let inner = own.trim_end_matches(CLOSERS);
    white.contains('\n')
        || inner.ends_with(FULL_STOPS)
        || !white.is_empty() && inner.ends_with(STOPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_after_stops_and_line_breaks() {
        for (text, expected) in [
            ("One. Two! (Three?) four", &["One.", "Two!", "(Three?)", "four"][..]),
            ("He said “No.” Then 3.5 km, e.g. here…\tYes", &["He", "Then", "here…", "Yes"]),
            ("a b\nc d\r\n\r\ne", &["a", "c", "e"]),
            ("好。」是3.好！再", &["好", "是", "再"]),
            ("", &[]),
        ] {
            let reader = Reader::new(&[7; 32], true);
            let mut found = Vec::new();
            reader.each(text, |word, at| found.extend(begins_sentence(word).then(|| &text[at])));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
