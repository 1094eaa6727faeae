//! Compiled language tables: one look-up per byte says what the byte may begin.

pub(crate) mod lexemes;

use fanmill_kernel::ByteSets;
use fanmill_text::token::Symbol;

use crate::compiled::lexemes::UsualLexeme;
use crate::keywords::Keywords;
use crate::table::comments::Comment;
use crate::table::imports::Import;
use crate::table::language::Island;
use crate::table::language::{Case, Docstrings, Language, Words};
use crate::table::numbers::Numbers;
use crate::table::quotes::Quote;

/// The kinds of lexeme that a byte may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Nothing: white space, control characters and the bytes that the table calls blank.
    Blank,
    /// The next line, perhaps of a here-document.
    Newline,
    /// A word.
    Letter,
    /// A number.
    Digit,
    /// A word if a letter follows, otherwise an operator.
    Sigil,
    /// An operator consisting of this byte.
    Single,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// An operator of one or more characters.
    Operator,
    /// A comment, literal, number or island, unless all openers of this byte decline.
    Opener,
    /// Nothing, and the next byte opens nothing either.
    Escape,
    /// A character outside ASCII.
    Unicode,
}

/// Set if the byte continues words.
pub(crate) const PART: u8 = 1;
/// Set if the byte belongs to a word when it is between two word characters.
pub(crate) const INNER: u8 = 2;
/// Set if runs of these bytes are operators.
pub(crate) const SYMBOLIC: u8 = 4;
/// Set if the byte may continue a number.
pub(crate) const POINT: u8 = 8;

/// An operator's spelling and symbol.
#[derive(Debug, Clone)]
pub(crate) struct Operator {
    pub(crate) spelling: Prefix,
    pub(crate) symbol: Symbol,
}

/// A text to look for at a position: up to eight bytes are compared at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prefix {
    pub(crate) text: &'static str,
    /// The first eight bytes, the first one lowest; `mask` covers those that exist.
    bytes: u64,
    mask: u64,
}

impl Prefix {
    fn new(text: &'static str) -> Prefix {
        let mut bytes = [0; 8];
        let n = text.len().min(8);
        bytes[..n].copy_from_slice(&text.as_bytes()[..n]);
        let mask = if n == 0 { 0 } else { u64::MAX >> (64 - 8 * n) };
        Prefix { text, bytes: u64::from_le_bytes(bytes), mask }
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns whether a text with these first eight bytes may start with this one; certain if this one is no longer
    /// than that.
    #[inline]
    pub(crate) fn may_begin(&self, eight: u64) -> bool {
        eight & self.mask == self.bytes
    }
}

/// The thing that an opener opens.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OpenerKind {
    Comment(Comment),
    /// The literal with this number.
    Quote(usize),
    Number,
    /// An island, and the index of its table.
    Island(Island, usize),
    /// The end of this island.
    Leave,
}

/// The compiled form of a [`Language`].
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) class: [Class; 256],
    /// The class of a byte after all its openers declined.
    pub(crate) base: [Class; 256],
    /// The role of each byte in words and operator runs: a set of `PART`, `INNER`, ….
    pub(crate) traits: [u8; 256],
    /// The symbol of each ASCII byte as an operator.
    pub(crate) single: [Symbol; 256],
    /// Openers by first byte, longest first.
    pub(crate) openers: Vec<Vec<(Prefix, OpenerKind)>>,
    /// Operators of two or more bytes by first byte, longest first.
    pub(crate) operators: Vec<Vec<Operator>>,
    /// The usual lexeme of each byte.
    pub(crate) usual: [UsualLexeme; 256],
    /// For each first byte of a lexeme, its bits of `WORD`, `NUMBER`, …: if the byte after the lexeme has one of these
    /// bits in `next`, that byte matters. The first table is for text outside of islands and templates, the second for
    /// text inside.
    pub(crate) first: [[u8; 256]; 2],
    /// For each byte after a lexeme, the bits of the lexemes for which it matters.
    pub(crate) next: [u8; 256],
    /// 1 for each opening bracket, -1 for each closing one, 0 for all other bytes.
    pub(crate) depth: [i8; 256],
    /// Bytes of words, bytes of operators with more than one byte, and white bytes.
    pub(crate) sets: ByteSets,
    pub(crate) keywords: Keywords,
    pub(crate) operands: Vec<Symbol>,
    pub(crate) words: Words,
    pub(crate) numbers: Numbers,
    pub(crate) imports: Vec<(Symbol, Import)>,
    /// Words that may be left out, with the operators after them.
    pub(crate) qualifiers: Vec<(Symbol, Symbol)>,
    pub(crate) is_case_ignored: bool,
    pub(crate) has_docstrings: bool,
    /// True if white space is blank, a line end means nothing except that a here-document may begin, and ASCII letters,
    /// digits and underscores continue words, as in nearly all languages.
    pub(crate) is_usual: bool,
    /// The position of this table among those of its lexer.
    pub(crate) index: usize,
    quotes: &'static [Quote],
    /// The number of the first of `quotes`; literals are numbered through all tables of a lexer.
    first_quote: usize,
    /// The text that ends this island.
    pub(crate) leave: Option<&'static str>,
}

impl Tables {
    /// Compiles `language` and then the languages of its islands, and appends them to `all`.
    ///
    /// Islands nest only as deep as the tables, which are constants, so the recursion is bounded.
    pub(crate) fn compile(language: &Language, leave: Option<&'static str>, all: &mut Vec<Tables>) {
        let index = all.len();
        let first_quote = all.last().map_or(0, |t| t.first_quote + t.quotes.len());
        all.push(Tables {
            class: [Class::Single; 256],
            base: [Class::Single; 256],
            traits: [0; 256],
            single: std::array::from_fn(|byte| Symbol::spelled(&byte.to_le_bytes()[..1])),
            openers: vec![Vec::new(); 256],
            operators: vec![Vec::new(); 256],
            usual: [UsualLexeme::NOTHING; 256],
            first: [[0; 256]; 2],
            next: [0; 256],
            depth: [0; 256],
            sets: ByteSets::new(|_| false, |_| false, |_| false),
            keywords: keywords(language),
            operands: language.operands().map(|word| Symbol::spelled(word.as_bytes())).collect(),
            words: language.words,
            numbers: language.numbers,
            imports: language
                .imports
                .iter()
                .map(|i| (Symbol::spelled(i.head.to_ascii_lowercase().as_bytes()), *i))
                .collect(),
            qualifiers: language
                .qualifiers
                .iter()
                .map(|(word, operator)| {
                    (Symbol::spelled(word.as_bytes()), Symbol::spelled(operator.as_bytes()))
                })
                .collect(),
            is_case_ignored: language.case == Case::Ignored,
            has_docstrings: language.docstrings == Docstrings::Comment,
            is_usual: false,
            index,
            quotes: language.quotes,
            first_quote,
            leave,
        });
        // The tables of islands come after this one, each followed by those of its own islands.
        let islands = language.islands.iter().map(|island| {
            let inside = all.len();
            let leave = island.is_read().then_some(island.close);
            Tables::compile(island.inside, leave, all);
            (island.open, OpenerKind::Island(*island, inside))
        });
        let islands: Vec<_> = islands.collect();
        let tables = &mut all[index];
        tables.set_openers(language, islands);
        tables.set_operators(language);
        tables.set_classes(language);
        tables.set_usual();
        tables.set_neighbours();
        tables.is_usual = (0..128).all(|byte| tables.is_as_usual(byte));
    }

    /// Returns the literal with this number.
    pub(crate) fn quote(&self, id: usize) -> &'static Quote {
        &self.quotes[id - self.first_quote]
    }

    /// Returns the literals of this language, with their numbers.
    pub(crate) fn quotes(&self) -> impl Iterator<Item = (usize, &'static Quote)> {
        (self.first_quote..).zip(self.quotes)
    }

    /// Returns the readings that this byte may open, longest opener first.
    pub(crate) fn openers(&self, byte: u8) -> &[(Prefix, OpenerKind)] {
        &self.openers[usize::from(byte)]
    }

    /// Returns the operators of two or more bytes that begin with this byte, longest first.
    pub(crate) fn operators(&self, byte: u8) -> &[Operator] {
        &self.operators[usize::from(byte)]
    }

    /// Returns whether this word may be a qualifier, together with an operator after it.
    pub(crate) fn may_qualify(&self, word: Symbol) -> bool {
        self.qualifiers.iter().any(|(qualifier, _)| *qualifier == word)
    }

    /// Returns whether a word and the operator after it are only a qualifier (`this.`).
    #[inline]
    pub(crate) fn is_qualifier(&self, word: Symbol, operator: Symbol) -> bool {
        self.qualifiers.contains(&(word, operator))
    }

    /// Returns whether the number of open brackets matters.
    pub(crate) fn asks_depth(&self) -> bool {
        self.has_docstrings || self.imports.iter().any(|(_, import)| import.is_outermost)
    }

    /// Returns whether this byte continues words.
    pub(crate) fn is_word_part(&self, byte: u8) -> bool {
        self.traits[usize::from(byte)] & PART != 0
    }

    /// Returns whether this byte has its class of most languages, if it is white space or a part of words.
    fn is_as_usual(&self, byte: u8) -> bool {
        let class = self.class[usize::from(byte)];
        match byte {
            b'\n' => class == Class::Newline,
            0..=b' ' => class == Class::Blank,
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.is_word_part(byte),
            _ => class != Class::Blank || !self.is_word_part(byte),
        }
    }

    fn set_openers(&mut self, language: &Language, islands: Vec<(&'static str, OpenerKind)>) {
        let comments = language.comments.iter().map(|c| (c.open, OpenerKind::Comment(*c)));
        // Literals that need a prefix are found through the word that is their prefix.
        let bare = self.quotes().filter(|(_, quote)| !quote.needs_prefix);
        let quotes = bare.map(|(id, quote)| (quote.open, OpenerKind::Quote(id)));
        let numbers = language.numbers.prefixes.iter().map(|prefix| (*prefix, OpenerKind::Number));
        let leave = self.leave.map(|close| (close, OpenerKind::Leave));
        let all: Vec<_> =
            comments.chain(quotes).chain(numbers).chain(islands).chain(leave).collect();
        for (open, reading) in all {
            for first in self.first_bytes(open) {
                self.openers[usize::from(first)].push((Prefix::new(open), reading));
            }
        }
        for openers in &mut self.openers {
            openers.sort_by_key(|(open, _)| std::cmp::Reverse(open.len()));
        }
    }

    fn set_operators(&mut self, language: &Language) {
        for spelling in language.operators() {
            let symbol = Symbol::spelled(spelling.as_bytes());
            let operator = Operator { spelling: Prefix::new(spelling), symbol };
            self.operators[usize::from(spelling.as_bytes()[0])].push(operator);
        }
        for operators in &mut self.operators {
            operators.sort_by_key(|operator| std::cmp::Reverse(operator.spelling.len()));
        }
    }

    /// Returns the bytes that a text may begin with: both cases of a letter if case is ignored.
    fn first_bytes(&self, text: &str) -> Vec<u8> {
        let mut bytes: Vec<u8> = text.bytes().take(1).collect();
        if self.is_case_ignored {
            bytes.extend(bytes.first().map(u8::to_ascii_uppercase));
            bytes.dedup();
        }
        bytes
    }

    fn set_classes(&mut self, language: &Language) {
        for byte in 0..=u8::MAX {
            let i = usize::from(byte);
            let is_in = |set: &str| set.as_bytes().contains(&byte);
            let is_start = byte.is_ascii_alphabetic()
                || (byte == b'_' && !is_in(language.blanks))
                || is_in(language.word_start);
            let is_part = is_start || byte.is_ascii_digit() || is_in(language.word_part);
            self.traits[i] = (if is_part { PART } else { 0 })
                | (if is_in(language.word_inner) { INNER } else { 0 })
                | (if is_in(language.symbolic) { SYMBOLIC } else { 0 })
                | (if is_in(language.numbers.marks) || is_in(".+-") { POINT } else { 0 });
            // The order matters: blanks and escapes of the table win over everything below them.
            self.base[i] = match byte {
                _ if language.is_page && self.openers[i].is_empty() => Class::Blank,
                b'\n' => Class::Newline,
                0..=b' ' | 0x7F => Class::Blank,
                _ if is_in(language.blanks) => Class::Blank,
                _ if is_in(language.escapes) => Class::Escape,
                0x80.. => Class::Unicode,
                b'0'..=b'9' => Class::Digit,
                _ if is_start => Class::Letter,
                _ if is_in(language.sigils) => Class::Sigil,
                _ if !self.operators[i].is_empty() || is_in(language.symbolic) => Class::Operator,
                _ if language.qualifiers.iter().any(|(_, mark)| mark.as_bytes() == [byte]) => {
                    Class::Operator
                }
                b'(' | b'[' | b'{' => Class::Open,
                b')' | b']' | b'}' => Class::Close,
                _ => Class::Single,
            };
            self.class[i] = if self.openers[i].is_empty() { self.base[i] } else { Class::Opener };
        }
    }
}

/// Returns the keywords, the prefixes of literals and the words that begin imports.
fn keywords(language: &Language) -> Keywords {
    let prefixes = || language.quotes.iter().flat_map(|quote| quote.prefixes);
    let imports = language.imports;
    let len = language.keywords().count() + prefixes().count() + imports.len();
    let mut keywords = Keywords::with_capacity(len, language.case == Case::Ignored);
    for word in language.keywords() {
        keywords.entry(word).symbol = Symbol::spelled(word.as_bytes());
    }
    for word in prefixes() {
        keywords.entry(word).is_prefix = true;
    }
    for import in imports {
        keywords.entry(import.head).is_import = true;
    }
    keywords
}

/// Returns the eight bytes at `at`, the first one lowest, with zeros after the end.
#[inline]
pub(crate) fn eight_bytes(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    rest.first_chunk().map_or_else(|| last_eight(rest), |&eight| u64::from_le_bytes(eight))
}

#[cold]
fn last_eight(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
}
