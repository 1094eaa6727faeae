//! Documents as they are written: to compare words as people read them, and to number lines.
//!
//! Matches are found on symbols, and symbols of words are hashes. So each word of a match is read
//! again on both sides, as its front end saw it: decoded, in a notebook with the escapes of its
//! cell undone, without case, hyphens and disguise. Where two words differ, the match ends.
//!
//! Cost: a document is decoded, and a submission's spans are read, when they are first asked for; then
//! O(words of the match). Both are kept until they are much beside the texts themselves.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::frontend::{Decoded, decode, notebook};
use crate::matches::Match;
use crate::pipeline::{Batch, Part};
use crate::span::{LineIndex, Span};
use crate::token::{Columns, Number};

/// The documents of a batch, each read again when it is first asked for.
pub(super) struct Written<'a> {
    batch: &'a Batch<'a>,
    /// Per member, one a document.
    files: Vec<Vec<OnceLock<File<'a>>>>,
    /// Per member, one a token.
    spans: Vec<OnceLock<Vec<Span>>>,
    /// Bytes that these take, about.
    n_bytes: AtomicUsize,
}

/// Bytes that may be kept in any case, and more if that is less than half of what all texts have.
const LEAST_KEPT: usize = 4 << 20;

struct File<'a> {
    decoded: Decoded<'a>,
    lines: LineIndex,
    /// The cells of a notebook; of anything else, none.
    cells: Vec<notebook::Cell>,
}

impl<'a> Written<'a> {
    pub(super) fn new(batch: &'a Batch<'a>) -> Written<'a> {
        let of_member = |documents: usize| (0..documents).map(|_| OnceLock::new()).collect();
        let files = batch.members.iter().map(|m| of_member(m.submission.documents.len()));
        let spans = batch.members.iter().map(|_| OnceLock::new()).collect();
        Written { batch, files: files.collect(), spans, n_bytes: AtomicUsize::new(0) }
    }

    /// Forgets what was read if that is more than it should be; it will be read again.
    pub(super) fn tidy(&mut self) {
        let texts: usize = self.batch.members.iter().map(|m| m.submission.n_bytes()).sum();
        if *self.n_bytes.get_mut() > LEAST_KEPT.max(texts / 2) {
            self.spans.fill_with(OnceLock::new);
            for files in &mut self.files {
                files.fill_with(OnceLock::new);
            }
            *self.n_bytes.get_mut() = 0;
        }
    }

    /// Where each token of a member stands, breaks included.
    pub(super) fn spans(&self, member: usize) -> &[Span] {
        self.spans[member].get_or_init(|| {
            let mut spans = self.batch.stream(member, Columns::Spans).tokens.spans;
            spans.shrink_to_fit();
            self.n_bytes.fetch_add(size_of_val(&*spans), Ordering::Relaxed);
            spans
        })
    }

    /// The parts of a match, of at least `least` tokens, whose words are the same when read, not
    /// only when hashed.
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
        let same = |offset: u32| {
            numbers[offset as usize].is_class() || {
                let (in_a, in_b) = (self.word(a, found.a + offset), self.word(b, found.b + offset));
                in_a == in_b || letters(in_a) == letters(in_b)
            }
        };
        let mut parts = Vec::new();
        let mut start = 0;
        for end in 0..=found.len {
            if end < found.len && same(end) {
                continue;
            }
            if (end - start) as usize >= least {
                parts.push(Match { a: found.a + start, b: found.b + start, len: end - start });
            }
            start = end + 1;
        }
        parts
    }

    /// First and last line of a span of a document that is not empty, 1-based.
    pub(super) fn lines(&self, member: usize, document: usize, span: Span) -> (u32, u32) {
        self.file(member, document).lines.lines(span)
    }

    /// Whether the words of the document that holds a token must be read again.
    fn spells_words(&self, member: usize, token: u32) -> bool {
        let read = &self.batch.members[member];
        let document = read.outline.documents[read.outline.part_of(token as usize)].document;
        read.parts[document].spells_words
    }

    /// A token as it is written.
    fn word(&self, member: usize, token: u32) -> &str {
        let outline = &self.batch.members[member].outline;
        let part = outline.part_of(token as usize);
        let document = outline.documents[part].document;
        let span = self.spans(member)[token as usize];
        let File { decoded, cells, .. } = self.file(member, document);
        // The parts of one notebook are its cells, in their order.
        let first = outline.documents.partition_point(|part| part.document < document);
        if let Some(cell) = cells.get(part - first) {
            return cell.text.folded_from(span);
        }
        let range =
            decoded.map.output_at(span.start) as usize..decoded.map.output_at(span.end) as usize;
        decoded.text.get(range).unwrap_or_default()
    }

    fn file(&self, member: usize, document: usize) -> &File<'a> {
        self.files[member][document].get_or_init(|| {
            let bytes = &self.batch.members[member].submission.documents[document].bytes;
            let part: &Part = &self.batch.members[member].parts[document];
            let decoded = decode(bytes);
            let newlines = memchr::memchr_iter(b'\n', decoded.text.as_bytes());
            let end = |at: usize| decoded.map.map_span(Span::new(at as u32, at as u32 + 1)).end;
            let lines = LineIndex::new(newlines.map(end));
            let cells = match part.language {
                notebook::NAME => notebook::cells(bytes).unwrap_or_default(),
                _ => Vec::new(),
            };
            let n_decoded = if decoded.map.is_identity() { 0 } else { decoded.text.len() };
            let n_bytes = n_decoded + 4 * memchr::memchr_iter(b'\n', bytes).count();
            self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed);
            File { decoded, lines, cells }
        })
    }
}

/// A word without case, hyphens and apostrophes, as the front ends for prose see it; what has no
/// letters, as it is.
fn letters(word: &str) -> String {
    let folded = crate::frontend::fold(word).text;
    let kept: String =
        folded.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if kept.is_empty() { folded.into_owned() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Corpus, Document, Role, Submission};
    use crate::frontend::Registry;
    use crate::pipeline::Config;
    use crate::progress::Silent;
    use crate::token::Dictionary;

    fn corpus(documents: [(&str, &str); 2]) -> Corpus {
        let submission = |(path, text): (&str, &str)| Submission {
            name: path.to_owned(),
            role: Role::New,
            author: None,
            label: None,
            submitted: None,
            documents: vec![Document { path: path.to_owned(), bytes: text.as_bytes().to_vec() }],
        };
        Corpus { submissions: documents.map(submission).to_vec(), ..Corpus::default() }
    }

    /// A match of all words is asked for, whatever they are: what is left of it.
    fn verified(documents: [(&str, &str); 2]) -> Vec<(u32, u32)> {
        let registry = Registry::new(Vec::new()).expect("names are distinct");
        let config = Config { language: Some("words".to_owned()), ..Config::standard() };
        let batch = Batch::read(corpus(documents), &registry, &config, &Silent);
        let batch = batch.expect("a language that there is");
        let symbols = batch.stream(0, Columns::Symbols).tokens.symbols;
        let numbers = Dictionary::default().numbers(&symbols);
        let whole = Match { a: 0, b: 0, len: numbers.len() as u32 };
        let mut written = Written::new(&batch);
        let found = written.verified(0, 1, whole, &numbers, 2);
        *written.n_bytes.get_mut() = usize::MAX;
        written.tidy();
        assert_eq!(written.verified(0, 1, whole, &numbers, 2), found, "read again");
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
    fn the_words_of_a_notebook_are_those_of_its_cells() {
        let text = "one two three four five six seven";
        let notebook = r#"{"cells": [{"source": "\u006fne \u0074wo \u0074hree \u0076ier fi-\nve"},
            {"source": ["\u0073ix", " sie\u0062en"]}]}"#;
        // Between two cells stands a break, which equals nothing, so that both sides have cells.
        let other =
            r#"{"cells": [{"source": "one two three four five"}, {"source": "six seven"}]}"#;
        assert_eq!(verified([("a.ipynb", other), ("b.ipynb", notebook)]), [(0, 3), (4, 3)]);
        let first =
            r#"{"cells": [{"source": "\u006fne two three four fi\u0076e six s\u0065ven"}]}"#;
        assert_eq!(verified([("a.txt", text), ("b.ipynb", first)]), [(0, 7)]);
    }

    #[test]
    fn words_are_compared_without_case_hyphens_and_disguise() {
        let same = |x, y| letters(x) == letters(y);
        assert!(same("exam-\nple", "Example") && same("don’t", "dont") && same("sсheme", "scheme"));
        assert!(!same("on", "no") && !same("+", "-"));
    }
}
