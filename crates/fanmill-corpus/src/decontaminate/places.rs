//! Places of runs: maps words of a text back to byte ranges.
//!
//! Words are hashed without their places, since recording these would cost time for every text; only texts with a
//! shared run are looked at again. They are cut at white space, and at full stops and commas of scripts without spaces,
//! which cannot be inside words, and the words of each piece are counted. So a place begins and ends with a piece.

use std::ops::Range;

use super::windows::{Hashing, Words};

/// The pieces of a text that have words.
#[derive(Debug)]
pub(super) struct Pieces {
    /// The start and end of each piece in bytes, and the number of its first word.
    pieces: Vec<(Range<usize>, usize)>,
}

impl Pieces {
    /// Cuts a text of `n_words` words.
    pub(super) fn new(text: &str, n_words: usize, hashing: &Hashing, room: &mut Words) -> Pieces {
        let mut cut = Cut { pieces: Vec::new(), n_before: 0 };
        let mut at = 0;
        // Nearly all pieces between ASCII white space are ASCII themselves; only the others are looked at character by
        // character.
        for piece in
            text.as_bytes().split(|&byte| char::from(byte).is_whitespace() && byte.is_ascii())
        {
            let end = at + piece.len();
            if piece.is_ascii() {
                cut.push(at..end, n_words_of_ascii(piece));
            } else {
                cut.finer(&text[at..end], at, hashing, room);
            }
            at = end + 1;
        }
        let Cut { mut pieces, n_before } = cut;
        if n_before != n_words {
            // Some character joins words across a cut, so each place has to be the whole text.
            pieces = vec![(0..text.len(), 0)];
        }
        Pieces { pieces }
    }

    /// Returns the place of some words of the text, at least one.
    pub(super) fn of(&self, words: Range<usize>) -> Range<usize> {
        let piece = |word: usize| {
            let at = self.pieces.partition_point(|(_, first)| *first <= word);
            self.pieces[at.saturating_sub(1)].0.clone()
        };
        piece(words.start).start..piece(words.end.saturating_sub(1)).end
    }
}

/// The pieces so far, and the number of words in them.
struct Cut {
    pieces: Vec<(Range<usize>, usize)>,
    n_before: usize,
}

impl Cut {
    fn push(&mut self, place: Range<usize>, n_words: usize) {
        if n_words > 0 {
            self.pieces.push((place, self.n_before));
            self.n_before += n_words;
        }
    }

    /// Cuts a piece that begins at `at` further, where other scripts separate words.
    fn finer(&mut self, piece: &str, mut at: usize, hashing: &Hashing, room: &mut Words) {
        for part in piece.split_inclusive(is_between) {
            let inner = part.trim_end_matches(is_between);
            room.clear();
            hashing.words(inner, room);
            self.push(at..at + inner.len(), room.len());
            at += part.len();
        }
    }
}

/// Counts the words of an ASCII piece: runs of letters, digits and underscores. Hashing each of them would take most of
/// the time.
fn n_words_of_ascii(piece: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut was_word = false;
    let mut begins = |byte: &u8| !std::mem::replace(&mut was_word, is_word(byte)) && is_word(byte);
    piece.iter().filter(|byte| begins(byte)).count()
}

/// Returns whether a character cannot be part of a word.
fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '。' | '、' | '，' | '；' | '：' | '？' | '！' | '।')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_the_text() {
        let hashing = Hashing::draw(1).expect("random numbers");
        let mut room = Words::new();
        let place = |text: &'static str, words: Range<usize>| {
            let mut all = Words::new();
            hashing.words(text, &mut all);
            let pieces = Pieces::new(text, all.len(), &hashing, &mut Words::new());
            &text[pieces.of(words)]
        };
        assert_eq!(place("  The cat, (the dog) — and I.\n", 1..4), "cat, (the dog)");
        assert_eq!(place("don't stop", 1..3), "don't stop");
        assert_eq!(place("a_b,c--d... e", 2..4), "a_b,c--d... e");
        assert_eq!(place("一二。三四，五", 2..4), "三四");
        assert_eq!(
            place("one\u{A0}two\u{2003}\u{2003}three 四。 五", 1..4),
            "two\u{2003}\u{2003}three 四"
        );
        assert_eq!(place("pla\u{200B}giarism nai\u{308}ve x", 1..2), "nai\u{308}ve");
        hashing.words("", &mut room);
        assert!(room.is_empty());
    }
}
