//! Documents as they are written, to compare words as people read them, and to number lines.
//!
//! Matches are found on symbols, and symbols of words are hashes. So each word of a match is read again on both sides,
//! in the text that its front end saw: decoded and folded, and in a notebook with the escapes of its cells undone. Where
//! two words differ in more than case and hyphens, the match ends.
//!
//! In scripts that mostly leave out how a word is read, such as Arabic, words are also compared as they are in the
//! documents: if most of a match is read differently, although it is spelled alike, it is another sentence.
//!
//! Cost: a document is decoded, and its tokens' spans are read, when they are first needed; then O(words of the match).
//! Both are kept until they take much memory beside the texts themselves.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::matches::Match;
use crate::pipeline::Batch;
use crate::pipeline::reading::ReadText;
use fanmill_text::frontend::cells::Notation;
use fanmill_text::frontend::{Kind, Text, decode, fold, has_readings, is_same_reading, lower};
use fanmill_text::span::{LineIndex, Span};
use fanmill_text::token::{Number, Outline};

/// The documents of a batch, each read again when it is first needed.
pub(super) struct SourceTexts<'a> {
    batch: &'a Batch<'a>,
    /// Per member, one file for each document.
    files: Vec<Vec<OnceLock<SourceFile<'a>>>>,
    /// Number of bytes that the files take, approximately.
    n_bytes: AtomicUsize,
}

/// Number of bytes that may always be kept; more if half of the bytes of all texts is more.
const LEAST_KEPT: usize = 4 << 20;

/// Minimum number of words of a match whose readings are compared.
const FEWEST_READ: usize = 4;

/// The byte that separates pages.
const FORM_FEED: u8 = b'\x0c';

struct SourceFile<'a> {
    /// Texts read by front ends: the whole document, the prose and the code of a page, the cells of each front end.
    texts: Vec<ReadText<'a>>,
    lines: LineIndex,
    /// Pages, if it is prose with form feeds.
    pages: Option<LineIndex>,
}

/// The text that a token was read from.
struct TokenSource<'r, 'a> {
    text: &'r Text<'a>,
    /// Spans of its tokens in it.
    spans: &'r [Span],
    /// The number of its first token in the submission.
    first: usize,
    /// Bytes of the document that the text is from.
    bytes: &'r [u8],
}

impl<'a> SourceTexts<'a> {
    pub(super) fn new(batch: &'a Batch<'a>) -> SourceTexts<'a> {
        let of_member = |documents: usize| (0..documents).map(|_| OnceLock::new()).collect();
        let files = batch.members.iter().map(|m| of_member(m.submission.documents.len()));
        SourceTexts { batch, files: files.collect(), n_bytes: AtomicUsize::new(0) }
    }

    /// Frees the files if they take more memory than they should; they are read again when needed.
    pub(super) fn tidy(&mut self) {
        let texts: usize = self.batch.members.iter().map(|m| m.submission.n_bytes()).sum();
        if *self.n_bytes.get_mut() > LEAST_KEPT.max(texts / 2) {
            for files in &mut self.files {
                files.fill_with(OnceLock::new);
            }
            *self.n_bytes.get_mut() = 0;
        }
    }

    /// Returns the parts of a match, of at least `least` tokens, whose words are the same when read, not only when
    /// hashed.
    ///
    /// `numbers` are those of its tokens.
    pub(super) fn verified(
        &self,
        a: usize,
        b: usize,
        found: Match,
        numbers: &[Number],
        least: usize,
    ) -> Vec<Match> {
        if !(self.spells_words(a, found.a) && self.spells_words(b, found.b)) {
            return vec![found];
        }
        let (read_a, read_b) = (self.read(a, found.a), self.read(b, found.b));
        let (from_a, from_b) = (found.a as usize - read_a.first, found.b as usize - read_b.first);
        let is_same = |at: usize| {
            numbers[at].is_class()
                || is_same_word(read_a.word(from_a + at), read_b.word(from_b + at))
        };
        let mut parts = Vec::new();
        let mut start = 0;
        // A part ends at each word that differs, and at the end of the match.
        for end in 0..=numbers.len() {
            if end < numbers.len() && is_same(end) {
                continue;
            }
            let is_read_alike = || {
                let n_differ = (start..end)
                    .filter(|at| !read_a.is_read_as(from_a + at, &read_b, from_b + at))
                    .count();
                end - start < FEWEST_READ || 2 * n_differ <= end - start
            };
            if end - start >= least && is_read_alike() {
                let (offset, len) = (start as u32, (end - start) as u32);
                parts.push(Match { a: found.a + offset, b: found.b + offset, len });
            }
            start = end + 1;
        }
        parts
    }

    /// Returns the bytes that tokens of one document come from; there must be at least one token.
    pub(super) fn place(&self, member: usize, tokens: Range<usize>) -> Span {
        let read = self.read(member, tokens.start as u32);
        let (start, end) = (tokens.start - read.first, tokens.end - read.first);
        let before = start.checked_sub(1).map(|before| read.spans[before]);
        read.text.run_to_original(before, &read.spans[start..end])
    }

    /// Returns the tokens among `tokens`, but for the first, with which another cell of the document begins: ascending.
    /// Something else may lie between two cells.
    pub(super) fn cell_starts(&self, member: usize, tokens: Range<usize>) -> Vec<usize> {
        let outline = &self.batch.members[member].outline;
        let part = outline.part_of(tokens.start);
        let (document, number) = part_in_document(outline, part);
        let first = outline.documents[part].range.start;
        let starts = &self.file(member, document).texts[number].cells;
        let after = starts.partition_point(|start| first + start <= tokens.start);
        let starts = starts[after..].iter().map(|start| first + start);
        starts.take_while(|&start| start < tokens.end).collect()
    }

    /// Returns the first and last line, 1-based, of a span of a document that is not empty.
    pub(super) fn lines(&self, member: usize, document: usize, span: Span) -> (u32, u32) {
        self.file(member, document).lines.lines(span)
    }

    /// Returns the first and last page, 1-based, of a span of a document that is not empty; `None` if it has no pages.
    pub(super) fn pages(&self, member: usize, document: usize, span: Span) -> Option<(u32, u32)> {
        self.file(member, document).pages.as_ref().map(|pages| pages.lines(span))
    }

    /// Returns whether the words of the document that contains a token must be read again.
    fn spells_words(&self, member: usize, token: u32) -> bool {
        let read = &self.batch.members[member];
        let document = read.outline.documents[read.outline.part_of(token as usize)].document;
        read.parts[document].spells_words
    }

    /// Returns the text that a token was read from.
    fn read(&self, member: usize, token: u32) -> TokenSource<'_, 'a> {
        let outline = &self.batch.members[member].outline;
        let part = outline.part_of(token as usize);
        let (document, number) = part_in_document(outline, part);
        let file = self.file(member, document);
        TokenSource {
            text: &file.texts[number].text,
            spans: &file.texts[number].spans,
            first: outline.documents[part].range.start,
            bytes: &self.batch.members[member].submission.documents[document].bytes,
        }
    }

    fn file(&self, member: usize, document: usize) -> &SourceFile<'a> {
        self.files[member][document].get_or_init(|| {
            let submission = &self.batch.members[member].submission;
            let bytes = &submission.documents[document].bytes;
            let part = &self.batch.members[member].parts[document];
            let decoded = decode(bytes);
            let end = |at: usize| decoded.map.map_span(Span::new(at as u32, at as u32 + 1)).end;
            let ends = |byte: u8| memchr::memchr_iter(byte, decoded.text.as_bytes()).map(end);
            let lines = LineIndex::new(ends(b'\n'));
            // Source code has form feeds too, but they do not separate pages that people see.
            let is_prose = part.front_ends.iter().all(|front_end| front_end.0 != Kind::Code)
                || Notation::from_name(part.language).is_some_and(Notation::has_pages);
            let has_pages = is_prose && ends(FORM_FEED).next().is_some();
            let pages = has_pages.then(|| LineIndex::new(ends(FORM_FEED)));
            let reader = self.batch.reader.of(submission);
            let texts = reader.texts(&submission.documents[document], part, decoded);
            let n_owned: usize = texts.iter().map(|read| read.text.n_owned()).sum();
            let n_spans: usize = texts.iter().map(|read| size_of_val(&*read.spans)).sum();
            let n_bytes = n_owned + n_spans + 4 * memchr::memchr_iter(b'\n', bytes).count();
            self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed);
            SourceFile { texts, lines, pages }
        })
    }
}

/// Returns the document of a part of a submission, and the number of the part among those of the document: its texts, in
/// the same order.
fn part_in_document(outline: &Outline, part: usize) -> (usize, usize) {
    let document = outline.documents[part].document;
    let first = outline.documents.partition_point(|part| part.document < document);
    (document, part - first)
}

impl TokenSource<'_, '_> {
    /// Returns the word that token `number` of the text is read from.
    fn word(&self, number: usize) -> &str {
        &self.text.as_str()[self.spans[number].range()]
    }

    /// Returns whether a word is read like one of `other` that is spelled alike, as far as the documents show.
    fn is_read_as(&self, number: usize, other: &TokenSource<'_, '_>, other_number: usize) -> bool {
        if !has_readings(self.word(number)) {
            return true;
        }
        let words = (self.word_of_document(number), other.word_of_document(other_number));
        words.0.zip(words.1).is_none_or(|(word, other)| {
            word == other || is_same_reading(&fold(word).text, &fold(other).text)
        })
    }

    /// Returns a word as it is in the document; `None` if that is not in UTF-8.
    fn word_of_document(&self, number: usize) -> Option<&str> {
        let before = number.checked_sub(1).map(|before| self.spans[before]);
        let place = self.text.run_to_original(before, &self.spans[number..=number]);
        str::from_utf8(self.bytes.get(place.range())?).ok()
    }
}

/// Returns whether two words are spelled alike, apart from case, hyphens and apostrophes, which front ends for prose
/// ignore. Tokens without letters are compared by their symbols only: there are few signs.
fn is_same_word(x: &str, y: &str) -> bool {
    x == y || letters(x).eq(letters(y))
}

/// Returns the letters and digits of a word in lower case, as front ends see them.
fn letters(word: &str) -> impl Iterator<Item = char> + '_ {
    word.chars().map(lower).filter(|c| c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;
    use crate::pipeline::Config;
    use fanmill_text::document::{Corpus, Document, Role, Submission};
    use fanmill_text::frontend::{Chars, FrontEnd, Registry, Words};
    use fanmill_text::progress::Silent;
    use fanmill_text::token::{Columns, Dictionary, Symbol, Tokens};

    fn corpus(documents: [(&str, &str); 2]) -> Corpus {
        let submission = |(path, text): (&str, &str)| {
            Submission::new(path, Role::New, vec![Document::new(path, text)])
        };
        Corpus { submissions: documents.map(submission).to_vec(), ..Corpus::default() }
    }

    /// Asks for a match of all words, whatever they are, and returns the parts that are left.
    fn verified(documents: [(&str, &str); 2]) -> Vec<(u32, u32)> {
        let registry = Registry::new(Vec::new()).expect("names are distinct");
        let config =
            Config::standard().with(|config| config.fingerprints.lang = Some("words".to_owned()));
        let batch = Batch::read(corpus(documents), &registry, &config, &Silent);
        let batch = batch.expect("a language that there is");
        let stream = batch.stream(0, Columns::Symbols);
        let numbers = Dictionary::default().numbers(&stream.tokens.symbols);
        let mut written = SourceTexts::new(&batch);
        let all = |written: &SourceTexts<'_>| -> Vec<Match> {
            let parts = numbers.split(|&number| number == Number::BREAK);
            let starts = parts
                .clone()
                .scan(0, |next, part| Some(std::mem::replace(next, *next + part.len() as u32 + 1)));
            let verified = |(start, part): (u32, &[Number])| {
                let whole = Match { a: start, b: start, len: part.len() as u32 };
                written.verified(0, 1, whole, part, 2)
            };
            starts.zip(parts).flat_map(verified).collect()
        };
        let found = all(&written);
        *written.n_bytes.get_mut() = usize::MAX;
        written.tidy();
        assert_eq!(all(&written), found, "read again");
        found.into_iter().map(|part| (part.a, part.len)).collect()
    }

    #[test]
    fn a_match_ends_where_words_differ() {
        let text = "one two three four five six seven";
        assert_eq!(verified([("a.txt", text), ("b.txt", text)]), [(0, 7)]);
        let changed = "One two THREE vier fi-\nve six sieben";
        assert_eq!(verified([("a.txt", text), ("b.txt", changed)]), [(0, 3), (4, 2)]);
    }

    #[test]
    fn one_character_that_is_several_words_is_each_of_them() {
        for (sign, words) in [("½ cup ½x x½", "1/2 cup 1/2x x1/2"), ("at 5 ㏂ or", "at 5 a.m. or")]
        {
            let n = verified([("a.txt", words), ("b.txt", words)])[0].1;
            assert_eq!(verified([("a.txt", sign), ("b.txt", words)]), [(0, n)], "{sign}");
            assert_eq!(verified([("a.txt", words), ("b.txt", sign)]), [(0, n)], "{sign}");
        }
        assert_eq!(verified([("a.txt", "½ of ½ and"), ("b.txt", "1/2 of 1/3 and")]), [(0, 4)]);
    }

    #[test]
    fn the_words_of_a_notebook_are_those_of_its_cells() {
        let text = "one two three four five six seven";
        let notebook = r#"{"cells": [{"source": "\u006fne \u0074wo \u0074hree \u0076ier fi-\nve"},
            {"source": ["\u0073ix", " se\u0076en acht"]}]}"#;
        // Without the front end for Markdown, cells are read as they were first: there is a break between two, which
        // equals nothing. So both sides have cells.
        let other =
            r#"{"cells": [{"source": "one two three four five"}, {"source": "six seven eight"}]}"#;
        assert_eq!(verified([("a.ipynb", other), ("b.ipynb", notebook)]), [(0, 3), (6, 2)]);
        let first =
            r#"{"cells": [{"source": "\u006fne two three four fi\u0076e six s\u0065ven"}]}"#;
        assert_eq!(verified([("a.txt", text), ("b.ipynb", first)]), [(0, 7)]);
    }

    #[test]
    fn words_are_compared_without_case_and_hyphens() {
        let same = is_same_word;
        assert!(same("exam-\nple", "Example") && same("don't", "DONT") && same("Σας İ", "ΣΑΣ i"));
        assert!(!same("on", "no") && !same("+", "a"));
    }

    /// Returns each token of a text of prose, and the word that it is read again as.
    fn spelled(text: &str) -> Vec<(Symbol, String)> {
        let text = Text::new(text.as_bytes());
        let front_ends: [&dyn FrontEnd; 2] = [&Words, &Chars];
        let of = |front_end: &dyn FrontEnd| {
            let mut tokens = Tokens::default();
            front_end.tokenize(text.as_str(), &mut tokens);
            let words = tokens.spans.iter().map(|span| text.as_str()[span.range()].to_owned());
            tokens.symbols.iter().copied().zip(words).collect::<Vec<_>>()
        };
        front_ends.into_iter().flat_map(of).collect()
    }

    proptest! {
        #[test]
        fn words_with_one_symbol_are_the_same_when_read(
            text in any::<String>(),
            usual in "([a-zéßςσΣİıIſKÅ0-9½⅓㏂ﬁǅ\u{301}']|[-.,]|-\n| ){0,40}",
        ) {
            let forms = |text: &str| [text.to_owned(), text.to_uppercase(), text.to_lowercase()];
            let normal = |text: String| [text.nfd().collect(), text.nfkd().collect(), text];
            let variants = [text, usual].iter().flat_map(|t| forms(t)).flat_map(normal).collect();
            let variants: Vec<String> = variants;
            let mut words: Vec<_> = variants.iter().flat_map(|text| spelled(text)).collect();
            words.sort();
            for two in words.windows(2).filter(|two| two[0].0 == two[1].0) {
                prop_assert!(is_same_word(&two[0].1, &two[1].1), "{:?}", two);
            }
        }
    }
}
