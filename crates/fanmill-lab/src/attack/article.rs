//! Articles as words that can be joined again, and pools from which an attacker takes new words.
//!
//! A word carries the text that follows it, so that an attacked text is otherwise unchanged: punctuation, capitals and
//! line breaks remain, for the canonical form to undo.

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_sift::canonical::paper_words;
use fanmill_sketch::shingle;
use fanmill_text::frontend::{FrontEnd, Text, Words};
use fanmill_text::token::Tokens;

/// Maximum number of draws for a new word that differs from the old one; a text of one word has no other.
const MOST_DRAWS: usize = 1000;

/// One article.
#[derive(Debug, Clone)]
pub struct Article {
    /// Its size in bytes, as read.
    size: usize,
    text: String,
    words: Vec<WordSpan>,
}

/// A word's position in the text.
#[derive(Debug, Clone, Copy)]
struct WordSpan {
    start: usize,
    end: usize,
    value: u64,
}

/// A word, with the text between it and the next word.
#[derive(Debug, Clone, Copy)]
pub struct Word<'a> {
    /// The word itself.
    pub word: &'a str,
    /// The text between it and the next word.
    pub rest: &'a str,
    /// A hash that is equal for words that differ only in case.
    pub value: u64,
}

impl Article {
    /// Reads an article as it is, folded ([`Text`]), with its first `most` words according to the front end [`Words`].
    pub fn as_it_stands(bytes: &[u8], most: usize) -> Article {
        let folded = Text::new(bytes);
        let mut tokens = Tokens::default();
        Words.tokenize(folded.as_str(), &mut tokens);
        let words = tokens.symbols.iter().zip(&tokens.spans).map(|(symbol, span)| WordSpan {
            start: span.start as usize,
            end: span.end as usize,
            value: symbol.value(),
        });
        let words: Vec<WordSpan> = words.take(most).collect();
        let end = match tokens.spans.get(words.len()) {
            Some(next) => next.start as usize,
            None => folded.as_str().len(),
        };
        let mut text = folded.as_str()[..end].to_owned();
        // Text added after the last word must not become part of it.
        text.push('\n');
        Article { size: bytes.len(), text, words }
    }

    /// Reads an article as in the paper: words in lower case with a space after each, and nothing else.
    pub fn plain(bytes: &[u8]) -> Article {
        let (mut text, mut words) = (String::with_capacity(bytes.len()), Vec::new());
        paper_words(&String::from_utf8_lossy(bytes), |word, _| {
            let start = text.len();
            text.push_str(word);
            words.push(WordSpan { start, end: text.len(), value: shingle::word(word.as_bytes()) });
            text.push(' ');
        });
        Article { size: bytes.len(), text, words }
    }

    /// Returns its size in bytes, as read.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns its number of words.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Returns the whole text, including anything before the first word.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its words, in order.
    pub fn words(&self) -> Vec<Word<'_>> {
        let next = self.words.iter().skip(1).map(|word| word.start).chain([self.text.len()]);
        let word = |(place, next): (&WordSpan, usize)| Word {
            word: &self.text[place.start..place.end],
            rest: &self.text[place.end..next],
            value: place.value,
        };
        self.words.iter().zip(next).map(word).collect()
    }

    /// Returns its shingles of `k` words, each once, ascending.
    pub fn shingles(&self, k: usize) -> Vec<u64> {
        let values: Vec<u64> = self.words.iter().map(|word| word.value).collect();
        shingle::set(&values, k, shingle::ShortDocuments::Whole)
    }
}

/// Joins words to a text.
pub fn join(words: &[Word<'_>]) -> String {
    let mut text = String::with_capacity(words.len() * 8);
    for word in words {
        text.push_str(word.word);
        text.push_str(word.rest);
    }
    text
}

/// Returns all words of some articles, with repetitions, so that a random one is as likely as it is frequent.
pub fn pool<'a>(articles: &[&'a Article]) -> Vec<Word<'a>> {
    articles.iter().flat_map(|article| article.words()).collect()
}

/// Returns a random word of a pool, other than the old one if there is another.
///
/// # Panics
/// If the pool is empty.
pub fn fresh<'a>(pool: &[Word<'a>], old: Option<Word<'_>>, random: &mut SplitMix) -> Word<'a> {
    let mut word = pool[random.below(pool.len())];
    for _ in 0..MOST_DRAWS {
        if old.is_none_or(|old| old.value != word.value) {
            break;
        }
        word = pool[random.below(pool.len())];
    }
    word
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_put_together_again() {
        let article = Article::as_it_stands("“Don't!” he said:\n3.5 half-times…".as_bytes(), 100);
        let words: Vec<&str> = article.words().iter().map(|word| word.word).collect();
        assert_eq!(words, ["Don't", "he", "said", "3.5", "half", "times"]);
        assert!(article.text().ends_with(&join(&article.words())));
        assert_eq!(join(&Article::plain(b"He said: \"no-one\".").words()), "he said noone ");
    }

    #[test]
    fn a_long_text_is_cut_between_words() {
        let article = Article::as_it_stands(b"one two three four", 2);
        assert_eq!((article.text(), article.n_words(), article.size()), ("one two \n", 2, 18));
        let whole = Article::as_it_stands(b"one two", 2);
        assert_eq!((whole.text(), whole.n_words()), ("one two\n", 2));
    }

    #[test]
    fn a_pool_of_one_word_gives_that_word() {
        let article = Article::plain(b"so so so");
        let words = pool(&[&article]);
        let word = fresh(&words, Some(words[0]), &mut SplitMix::new(1));
        assert_eq!((word.word, words.len()), ("so", 3));
    }

    proptest! {
        #[test]
        fn no_text_panics(bytes: Vec<u8>, text: String, most in 0_usize..20) {
            for bytes in [&bytes[..], text.as_bytes()] {
                for article in [Article::as_it_stands(bytes, most), Article::plain(bytes)] {
                    prop_assert!(article.n_words() == 0 || article.text().ends_with(&join(&article.words())));
                }
                prop_assert!(Article::as_it_stands(bytes, most).n_words() <= most);
            }
        }
    }
}
