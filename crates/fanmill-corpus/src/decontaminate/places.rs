//! From words to bytes: where a run is in a text.
//!
//! Words are hashed without their places, which would cost time for every text; only texts with a shared run are
//! looked at again. They are cut at white space, and at full stops and commas of scripts without spaces, which no word
//! goes across, and the words of each piece are counted. So a place begins and ends with a piece.

use std::ops::Range;

use super::windows::{Hashing, Words};

/// The pieces of a text that have words.
#[derive(Debug)]
pub(super) struct Pieces {
    /// Where each begins and ends, in bytes, and its first word.
    pieces: Vec<(Range<usize>, usize)>,
}

impl Pieces {
    /// Cuts a text that has `n_words`.
    pub(super) fn new(text: &str, n_words: usize, hashing: &Hashing, room: &mut Words) -> Pieces {
        let (mut pieces, mut n_before) = (Vec::new(), 0);
        let mut at = 0;
        for piece in text.split_inclusive(is_between) {
            let inner = piece.trim_matches(is_between);
            let start = at + (piece.len() - piece.trim_start_matches(is_between).len());
            at += piece.len();
            let n = n_words_of(inner, hashing, room);
            if n > 0 {
                pieces.push((start..start + inner.len(), n_before));
                n_before += n;
            }
        }
        if n_before != n_words {
            // Some sign joins what is cut here: the whole text is where its words are.
            pieces = vec![(0..text.len(), 0)];
        }
        Pieces { pieces }
    }

    /// Where some words of the text are, at least one.
    pub(super) fn of(&self, words: Range<usize>) -> Range<usize> {
        let piece = |word: usize| {
            let at = self.pieces.partition_point(|(_, first)| *first <= word);
            self.pieces[at.saturating_sub(1)].0.clone()
        };
        piece(words.start).start..piece(words.end.saturating_sub(1)).end
    }
}

/// The number of words of a piece. Those of ASCII are rows of letters, digits and underscores; a hash of each piece
/// would take most of the time.
fn n_words_of(piece: &str, hashing: &Hashing, room: &mut Words) -> usize {
    if piece.is_ascii() {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let rows = piece.as_bytes().chunk_by(|a, b| is_word(a) && is_word(b));
        return rows.filter(|row| is_word(&row[0])).count();
    }
    room.clear();
    hashing.words(piece, room);
    room.len()
}

/// Whether no word has this character.
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
        assert_eq!(place("pla\u{200B}giarism nai\u{308}ve x", 1..2), "nai\u{308}ve");
        hashing.words("", &mut room);
        assert!(room.is_empty());
    }
}
