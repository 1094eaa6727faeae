//! The lexer: a language table as a front end.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::memchr_iter;

use fanmill_text::frontend::{Claims, Folding, FrontEnd, Idioms, Kind, VisibleProse};
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Token, Tokens};

use crate::compiled::Tables;
use crate::cursor::Cursor;
use crate::reader_memory::MemoryPool;
use crate::shown::{Page, has_letters, shown};
use crate::table::language::{Case, Language, Words};

/// The front end of one [`Language`]. Its table is compiled when a text first needs it: few languages of all are in one
/// batch.
#[derive(Debug)]
pub struct Lexer {
    language: Language,
    compiled: OnceLock<Compiled>,
    /// True for the twin that reads each token by itself.
    is_step_by_step: bool,
    rooms: MemoryPool,
}

/// A language, compiled.
#[derive(Debug)]
struct Compiled {
    /// The language's own table, then those of its islands.
    tables: Vec<Tables>,
    /// The keywords of all tables, ascending.
    keywords: Vec<Symbol>,
}

impl Lexer {
    /// Number of bytes at the start of a text that `likeness` examines.
    const JUDGED: usize = 8 << 10;

    /// Length in bytes from which a text counts as long.
    const LONG: usize = 1 << 20;

    /// Takes a language.
    pub fn new(language: &Language) -> Lexer {
        let rooms = MemoryPool::default();
        Lexer { language: *language, compiled: OnceLock::new(), is_step_by_step: false, rooms }
    }

    /// Takes a language without the loop that reads most tokens: the twin that the loop is compared with.
    pub fn step_by_step(language: &Language) -> Lexer {
        Lexer { is_step_by_step: true, ..Lexer::new(language) }
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let mut tables = Vec::new();
            Tables::compile(&self.language, None, &mut tables);
            if self.is_step_by_step {
                for table in &mut tables {
                    table.is_usual = false;
                }
            }
            let mut keywords: Vec<Symbol> =
                tables.iter().flat_map(|tables| tables.keywords.spelled()).collect();
            keywords.sort_unstable();
            Compiled { tables, keywords }
        })
    }

    fn tables(&self) -> &[Tables] {
        &self.compiled().tables
    }

    /// Returns the table of this lexer's language.
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

    fn folding(&self) -> Folding {
        match self.language.kind {
            Kind::Code => Folding::Disguises,
            Kind::Words | Kind::Chars => Folding::Spelling,
        }
    }

    fn spells_words(&self) -> bool {
        matches!(self.language.words, Words::Spelled | Words::Keys(_))
    }

    fn is_keyword(&self, spelled: Symbol) -> bool {
        self.compiled().keywords.binary_search(&spelled).is_ok()
    }

    fn has_cells(&self) -> bool {
        self.language.has_cells
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
        // Marks are in lower case for languages that ignore case.
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

    fn idioms(&self) -> Idioms {
        self.language.idioms
    }

    fn ignores_case(&self) -> bool {
        self.language.case == Case::Ignored
    }

    fn shown(&self, text: &str) -> Option<VisibleProse> {
        let Page { shown, .. } = self.page(text, &mut Vec::new())?;
        has_letters(&shown.text).then_some(shown)
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        // Measured on Java and C: four to five bytes per token, blanks and comments included.
        let usual = text.len() / 4;
        // Reserve for the worst case if the text is long: growing would copy all its tokens, and reserved
        // memory that is never touched costs nothing.
        let expected = if text.len() < Lexer::LONG { usual } else { text.len() };
        let text = &*with_line_feeds(text);
        let mut scripts = Vec::new();
        if self.page(text, &mut scripts).is_some_and(|page| page.is_article()) {
            for script in scripts {
                self.tokenize_script(text, script, tokens);
            }
            return;
        }
        tokens.symbols.reserve(expected);
        tokens.names.reserve(expected);
        tokens.spans.reserve(expected);
        self.rooms.within(|room| Cursor::new(text, self.tables(), tokens, room).run());
    }

    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        part.clear();
        if self.language.is_page {
            // Only the end of a page shows whether its tags are compared.
            self.tokenize(text, part);
            take(part);
            return part.clear();
        }
        let text = &*with_line_feeds(text);
        self.rooms.within(|room| {
            Cursor::new(text, self.tables(), part, room).in_parts(take).run();
        });
    }
}

impl Lexer {
    /// Returns the text that people see of a page, and appends the positions of its scripts and styles; `None` in other
    /// languages.
    fn page(&self, text: &str, scripts: &mut Vec<Range<usize>>) -> Option<Page> {
        if !self.language.is_page {
            return None;
        }
        let mut texts = Vec::new();
        let (mut part, mut drop) = (Tokens::default(), |_: &mut Tokens| ());
        self.rooms.within(|room| {
            let cursor = Cursor::new(text, self.tables(), &mut part, room).in_parts(&mut drop);
            cursor.noting(scripts).run_past(|blank| texts.push(blank));
        });
        Some(shown(text, &texts))
    }

    /// Appends the tokens of a script or style of a page, from its opener to before its closing tag.
    fn tokenize_script(&self, page: &str, script: Range<usize>, tokens: &mut Tokens) {
        let mut own = Tokens::default();
        let text = &page[script.clone()];
        self.rooms.within(|room| Cursor::new(text, self.tables(), &mut own, room).run());
        let start = script.start as u32;
        for ((&symbol, &name), span) in own.symbols.iter().zip(&own.names).zip(&own.spans) {
            let span = Span::new(span.start + start, span.end + start);
            tokens.push(Token { symbol, name, span });
        }
    }
}

/// Replaces each carriage return without a line feed by a line feed. In Java, Python and JavaScript it ends a line by
/// itself; otherwise one line comment would hide the rest of such a file.
///
/// Both are one byte long, so spans stay valid. Hardly any text contains one, and checking for it is almost free, while
/// a second line end in every search of the lexer would not be.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_alone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let Some(first) = memchr_iter(b'\r', bytes).find(is_alone) else { return Cow::Borrowed(text) };
    let mut replaced = String::with_capacity(text.len());
    replaced.push_str(&text[..first]);
    let mut rest = text[first..].chars().peekable();
    while let Some(char) = rest.next() {
        let is_alone = char == '\r' && rest.peek() != Some(&'\n');
        replaced.push(if is_alone { '\n' } else { char });
    }
    Cow::Owned(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_carriage_return_ends_a_line_in_every_language() {
        let text = "a b\n(c) 5\n\nd = \"e\"\nf 'g'\n  h # i\nj // k\nl -- m\nn % o ; p\nq ! r\ns";
        for language in crate::ALL {
            let lexer = Lexer::new(language);
            let mut tokens = [Tokens::default(), Tokens::default()];
            lexer.tokenize(text, &mut tokens[0]);
            lexer.tokenize(&text.replace('\n', "\r"), &mut tokens[1]);
            let [ours, theirs] = tokens;
            assert_eq!(ours.symbols, theirs.symbols, "{}", language.name);
            assert_eq!(ours.spans, theirs.spans, "{}", language.name);
        }
    }

    #[test]
    fn only_a_carriage_return_alone_becomes_a_line_feed() {
        assert_eq!(with_line_feeds("a\r\nb\r\réc\r"), "a\r\nb\n\néc\n");
        assert!(matches!(with_line_feeds("a\r\nb"), Cow::Borrowed(_)));
        assert_eq!(with_line_feeds("a\r\r\nb"), "a\n\r\nb");
    }

    #[test]
    fn carriage_returns_end_comments_imports_and_here_documents() {
        let text = "require 'x'\rputs <<A # it's\r' text\rA\ny = 1 # note\rz\r";
        let ruby = crate::front_end("ruby").expect("Ruby has a table");
        crate::conformance::expect_tokens(&ruby, text, "ID STR STR ID = NUM ID");
    }
}
