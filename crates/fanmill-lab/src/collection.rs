//! The input of experiments: the user's documents.
//!
//! A collection keeps bytes, and makes a document's tokens on request, on any thread. Experiments go from document to
//! document and keep the tokens of one at a time.
//!
//! Cost: the bytes of the documents; for a document in use, 12 bytes per token and its text.

use std::ops::Range;

use fanmill_text::document::Corpus;
use fanmill_text::frontend::{Chars, FrontEnd, Kind, Registry, Text, Words};
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Tokens};

use crate::figure::thousands;
use crate::table::counted;
use crate::tags;

/// The way documents are turned into tokens.
#[derive(Debug, Clone, Copy)]
pub enum Reading<'r> {
    /// Letters and digits in lower case, without the tags of pages, as in the winnowing paper.
    Characters,
    /// Words, without the tags of pages.
    Words,
    /// The tokens of a comparison: each document is read by the front end that claims it.
    Auto(&'r Registry),
}

/// The documents that an experiment reads.
#[derive(Debug)]
pub struct Collection<'r> {
    reading: Reading<'r>,
    files: Vec<File>,
}

#[derive(Debug)]
struct File {
    name: String,
    bytes: Vec<u8>,
}

/// One document with its tokens.
#[derive(Debug)]
pub struct Document<'c> {
    /// Its name.
    pub name: &'c str,
    /// The kind of its tokens.
    pub kind: Kind,
    /// Its tokens.
    pub symbols: Vec<Symbol>,
    /// The span of each token in `text`.
    spans: Vec<Span>,
    /// The folded text, with blanks for tags.
    text: String,
}

impl<'r> Collection<'r> {
    /// Collects all documents of a corpus, whatever submissions they belong to.
    pub fn new(corpus: Corpus, reading: Reading<'r>) -> Collection<'r> {
        let mut files = Vec::new();
        for submission in corpus.submissions {
            let is_one = submission.documents.len() == 1;
            for document in submission.documents {
                let name = if is_one {
                    submission.name.clone()
                } else {
                    format!("{}/{}", submission.name, document.path)
                };
                files.push(File { name, bytes: document.bytes });
            }
        }
        Collection { reading, files }
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns a description with sizes, tags included: `12 documents, 4,711 bytes, read as words`.
    pub fn description(&self) -> String {
        let n_bytes: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        let bytes = thousands(&n_bytes.to_string());
        let reading = match self.reading {
            Reading::Characters => "characters",
            Reading::Words => "words",
            Reading::Auto(_) => "tokens of their kind",
        };
        format!("{}, {bytes} bytes, read as {reading}", counted(self.len(), "document"))
    }

    /// Returns the unit that tokens are counted in: `characters`, `words`, `tokens`.
    pub fn token_unit(&self) -> &'static str {
        match self.reading {
            Reading::Characters => "characters",
            Reading::Words => "words",
            Reading::Auto(_) => "tokens",
        }
    }

    /// Returns the name of the document at `index`.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn name(&self, index: usize) -> &str {
        &self.files[index].name
    }

    /// Reads the document at `index`; the result is always the same.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn document(&self, index: usize) -> Document<'_> {
        let file = &self.files[index];
        let folded = Text::new(&file.bytes);
        let mut tokens = Tokens::default();
        let (text, kind) = match self.reading {
            Reading::Characters => read(&Chars, without_tags(&file.name, &folded), &mut tokens),
            Reading::Words => read(&Words, without_tags(&file.name, &folded), &mut tokens),
            Reading::Auto(registry) => {
                let text = folded.as_str().to_owned();
                let choice = registry.choose(&file.name, &text, None);
                let choice = choice.expect("only a front end that is asked for can be missing");
                // Only the text of a page is read; a comparison also examines its tags.
                if choice.front_end.shown(&text).is_some() {
                    read(&Words, without_tags(&file.name, &folded), &mut tokens)
                } else {
                    read(choice.front_end, text, &mut tokens)
                }
            }
        };
        let Tokens { symbols, spans, .. } = tokens;
        Document { name: &file.name, kind, symbols, spans, text }
    }
}

fn without_tags(name: &str, folded: &Text) -> String {
    let text = folded.as_str().to_owned();
    if tags::is_page(name, &text) { tags::blank(text) } else { text }
}

fn read(front_end: &dyn FrontEnd, text: String, tokens: &mut Tokens) -> (String, Kind) {
    front_end.tokenize(&text, tokens);
    (text, front_end.kind())
}

impl Document<'_> {
    /// Returns the text from the first of these tokens to the last, with everything in between.
    ///
    /// # Panics
    /// If the document has fewer tokens.
    pub fn passage(&self, tokens: Range<usize>) -> &str {
        match &self.spans[tokens] {
            [] => "",
            [first, .., last] => &self.text[first.start as usize..last.end as usize],
            [only] => &self.text[only.range()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{corpus, symbols};

    #[test]
    fn a_page_is_read_without_its_tags_and_shown_as_it_is() {
        let page = "<p>A do run</p>\n<p>run run,\na <b>do</b> run run</p>";
        let collection = Collection::new(corpus(&[("a.html", page)]), Reading::Characters);
        let document = collection.document(0);
        assert_eq!(document.symbols, symbols("adorunrunrunadorunrun"));
        assert_eq!(document.passage(9..15), "run,\na    do");
        assert_eq!(document.passage(3..3), "");
        assert_eq!(collection.description(), "1 document, 51 bytes, read as characters");
    }

    #[test]
    fn words_and_code_are_read_by_their_front_ends() {
        let files = [("a.html", "<p>One two</p>"), ("b.py", "x = 1\n")];
        let words = Collection::new(corpus(&files), Reading::Words);
        assert_eq!(words.document(0).passage(0..2), "One two");
        let registry = fanmill_lang::registry();
        let auto = Collection::new(corpus(&files), Reading::Auto(&registry));
        assert_eq!(auto.document(1).kind, Kind::Code);
        assert_eq!(auto.document(1).passage(0..3), "x = 1");
        assert_eq!((auto.document(0).kind, auto.document(0).symbols.len()), (Kind::Words, 2));
    }
}
