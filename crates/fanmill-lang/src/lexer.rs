//! A language table as a front end.

use fanmill::frontend::{Claims, FrontEnd, Kind};
use fanmill::token::Tokens;

use crate::compiled::Tables;
use crate::cursor::Cursor;
use crate::language::{Case, Language, Words};

/// The front end of one [`Language`].
#[derive(Debug)]
pub struct Lexer {
    language: Language,
    /// The language's own tables, then those of its islands.
    tables: Vec<Tables>,
}

impl Lexer {
    /// Bytes at the start of a text by which its likeness is judged.
    const JUDGED: usize = 8 << 10;

    /// Bytes from which on a text is long.
    const LONG: usize = 1 << 20;

    /// Compiles a language.
    pub fn new(language: &Language) -> Lexer {
        let mut tables = Vec::new();
        Tables::compile(language, None, &mut tables);
        Lexer { language: *language, tables }
    }

    /// The table that this front end reads by.
    pub fn language(&self) -> &Language {
        &self.language
    }
}

impl FrontEnd for Lexer {
    fn name(&self) -> &'static str {
        self.language.name
    }

    fn version(&self) -> u32 {
        self.language.version
    }

    fn kind(&self) -> Kind {
        self.language.kind
    }

    fn spells_words(&self) -> bool {
        matches!(self.language.words, Words::Spelled | Words::Keys(_))
    }

    fn claims(&self) -> Claims {
        Claims {
            aliases: self.language.aliases,
            extensions: self.language.extensions,
            file_names: self.language.file_names,
            interpreters: self.language.interpreters,
        }
    }

    fn likeness(&self, text: &str) -> u32 {
        let head = &text.as_bytes()[..text.len().min(Lexer::JUDGED)];
        let folded;
        let head = match self.language.case {
            Case::Matters => head,
            Case::Ignored => {
                folded = head.to_ascii_lowercase();
                &folded
            }
        };
        let is_found = |mark: &str| memchr::memmem::find(head, mark.as_bytes()).is_some();
        self.language
            .hints
            .iter()
            .filter(|(mark, _)| is_found(mark))
            .map(|(_, weight)| weight)
            .sum()
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        // Measured on Java and C: four to five bytes to a token, blanks and comments included.
        let usual = text.len() / 4;
        // A long text that is denser than usual would be copied as its tokens outgrow their room;
        // room that is never touched costs no memory.
        let expected = if text.len() < Lexer::LONG { usual } else { text.len() };
        tokens.symbols.reserve(expected);
        tokens.names.reserve(expected);
        tokens.spans.reserve(expected);
        Cursor::new(text, &self.tables, tokens).run();
    }
}
