//! Compiled language tables: for each byte, what it may begin, in one look-up.

use fanmill::token::Symbol;

use crate::comments::Comment;
use crate::imports::Import;
use crate::islands::Island;
use crate::keywords::Keywords;
use crate::language::{Case, Docstrings, Language, Words};
use crate::numbers::Numbers;
use crate::quotes::Quote;
use crate::seen::{Seen, Short, Spelled};

/// What a byte may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Nothing: white space, control characters, and what the table calls blank.
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
    /// A comment, literal, number or island, if one of the byte's openers does not decline.
    Opener,
    /// Nothing; and the next byte opens nothing either.
    Escape,
    /// A character outside ASCII.
    Unicode,
}

/// The byte continues words.
pub(crate) const PART: u8 = 1;
/// The byte belongs to a word if it is between two word characters.
pub(crate) const INNER: u8 = 2;
/// Runs of such bytes are operators.
pub(crate) const SYMBOLIC: u8 = 4;
/// The byte may continue a number.
const POINT: u8 = 8;

/// What a byte begins most of the time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usual {
    pub(crate) kind: Kind,
    /// For a bracket, 1 or -1.
    pub(crate) depth: i8,
    /// Its symbol as an operator.
    pub(crate) symbol: Symbol,
    /// Which bytes may make something else of it if they follow: a bit for each remainder of 64.
    more: u64,
}

/// Of usual tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word.
    Word,
    /// A number.
    Number,
    /// An operator or bracket.
    One,
    /// Something else.
    Other,
}

impl Usual {
    /// Whether this byte may be something else if `next` follows.
    #[inline(always)]
    pub(crate) fn is_more(&self, next: u8) -> bool {
        self.more >> (next % 64) & 1 == 1
    }
}

/// What a byte may go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follower {
    Word,
    Number,
}

/// An operator's spelling and symbol.
#[derive(Debug, Clone)]
pub(crate) struct Operator {
    pub(crate) spelling: Start,
    pub(crate) symbol: Symbol,
}

/// What a text may start with: compared eight bytes at once where it is not longer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    pub(crate) text: &'static str,
    /// The first eight bytes, the first one lowest, and which of them there are.
    bytes: u64,
    mask: u64,
}

impl Start {
    fn new(text: &'static str) -> Start {
        let mut bytes = [0; 8];
        let n = text.len().min(8);
        bytes[..n].copy_from_slice(&text.as_bytes()[..n]);
        let mask = if n == 0 { 0 } else { u64::MAX >> (64 - 8 * n) };
        Start { text, bytes: u64::from_le_bytes(bytes), mask }
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether a text may start with it, by its first eight bytes; certain if it has no more.
    #[inline]
    pub(crate) fn may_begin(&self, eight: u64) -> bool {
        eight & self.mask == self.bytes
    }
}

/// What an opener opens.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reading {
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
    /// The class of a byte whose openers were all declined.
    pub(crate) base: [Class; 256],
    /// The role of each byte in words and operator runs: a set of `PART`, `INNER`, ….
    pub(crate) traits: [u8; 256],
    /// The symbol of each ASCII byte as an operator.
    pub(crate) single: [Symbol; 256],
    /// Openers by first byte, longest first.
    openers: Vec<Vec<(Start, Reading)>>,
    /// Operators of two or more bytes by first byte, longest first.
    operators: Vec<Vec<Operator>>,
    /// What each byte begins most of the time.
    pub(crate) usual: [Usual; 256],
    pub(crate) keywords: Keywords,
    pub(crate) operands: Vec<Symbol>,
    pub(crate) words: Words,
    pub(crate) numbers: Numbers,
    pub(crate) imports: Vec<(Symbol, Import)>,
    /// Words with operators that may be left out.
    pub(crate) qualifiers: Vec<(Symbol, Symbol)>,
    pub(crate) is_case_ignored: bool,
    pub(crate) has_docstrings: bool,
    /// Whether white space is blank, line ends mean no more than a here-document's begin, and ASCII letters, digits and
    /// underscores continue words, as in nearly all languages.
    pub(crate) is_usual: bool,
    /// Its place among the tables of its lexer.
    pub(crate) index: usize,
    quotes: &'static [Quote],
    /// The number of the first of `quotes`; literals are numbered through all tables of a lexer.
    first_quote: usize,
    /// What ends this island.
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
            usual: [Usual { kind: Kind::Other, depth: 0, symbol: Symbol::BREAK, more: 0 }; 256],
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
            (island.open, Reading::Island(*island, inside))
        });
        let islands: Vec<_> = islands.collect();
        let tables = &mut all[index];
        tables.set_openers(language, islands);
        tables.set_operators(language);
        tables.set_classes(language);
        tables.set_usual();
        tables.is_usual = (0..128).all(|byte| tables.is_as_usual(byte));
    }

    /// The literal with this number.
    pub(crate) fn quote(&self, id: usize) -> &'static Quote {
        &self.quotes[id - self.first_quote]
    }

    /// The literals of this language, with their numbers.
    pub(crate) fn quotes(&self) -> impl Iterator<Item = (usize, &'static Quote)> {
        (self.first_quote..).zip(self.quotes)
    }

    /// What this byte may open, longest opener first.
    pub(crate) fn openers(&self, byte: u8) -> &[(Start, Reading)] {
        &self.openers[usize::from(byte)]
    }

    /// The operators of two or more bytes that begin with this byte, longest first.
    pub(crate) fn operators(&self, byte: u8) -> &[Operator] {
        &self.operators[usize::from(byte)]
    }

    /// Whether something may open here, where the next bytes are `eight` and the first of them is `byte`.
    fn may_open(&self, eight: u64, byte: u8) -> bool {
        let is_digit = |byte: u64| (byte as u8).is_ascii_digit();
        self.openers(byte).iter().any(|(open, reading)| {
            let is_point = matches!(reading, Reading::Number) && open.text == ".";
            self.is_case_ignored || open.may_begin(eight) && (!is_point || is_digit(eight >> 8))
        })
    }

    /// Whether what ASCII letters, digits and underscores make may go on with this byte.
    #[inline]
    pub(crate) fn goes_on(&self, next: u8, of: Follower) -> bool {
        let traits = match of {
            Follower::Word => PART | INNER,
            Follower::Number => POINT,
        };
        next >= 0x80 || self.traits[usize::from(next)] & traits != 0
    }

    /// The longest operator that the next bytes, `eight`, begin with, and its length. `None` if something may open here, or
    /// where operators are not so simple.
    #[inline(never)]
    pub(crate) fn usual_operator(&self, eight: u64) -> Option<(Symbol, usize)> {
        let byte = eight as u8;
        let i = usize::from(byte);
        let is_simple = !self.is_case_ignored && self.traits[i] & SYMBOLIC == 0;
        if !is_simple || self.usual[i].kind != Kind::One || self.may_open(eight, byte) {
            return None;
        }
        let found = self.operators(byte).iter().find(|of| of.spelling.may_begin(eight));
        match found {
            Some(of) => (of.spelling.len() <= 8).then_some((of.symbol, of.spelling.len())),
            // A bracket that may begin an operator is counted if it does not.
            None => (self.base[i] != Class::Operator || !is_bracket(byte))
                .then_some((self.single[i], 1)),
        }
    }

    /// Whether a word and the operator after it are only a qualifier (`this.`).
    #[inline]
    pub(crate) fn is_qualifier(&self, word: Symbol, operator: Symbol) -> bool {
        self.qualifiers.contains(&(word, operator))
    }

    /// What a word is that was not known, which it is afterwards; `None` if it may introduce something else.
    #[inline(never)]
    pub(crate) fn learned(
        &self,
        seen: &mut Seen,
        short: &Short,
        spelling: &[u8],
    ) -> Option<Spelled> {
        let name = short.folded();
        let has_upper = spelling.iter().any(u8::is_ascii_uppercase);
        let keyword = self.keywords.get(name, spelling, has_upper);
        if keyword.is_some_and(|keyword| keyword.is_prefix || keyword.is_import) {
            return None;
        }
        let symbol = keyword.map_or(Symbol::IDENTIFIER, |keyword| keyword.symbol);
        let spelled = Spelled { symbol, name };
        seen.put(short, spelled);
        Some(spelled)
    }

    /// Whether this byte continues words.
    pub(crate) fn is_word_part(&self, byte: u8) -> bool {
        self.traits[usize::from(byte)] & PART != 0
    }

    /// Whether this byte is what it is in most languages, if it is white space or a part of words.
    fn is_as_usual(&self, byte: u8) -> bool {
        let class = self.class[usize::from(byte)];
        match byte {
            b'\n' => class == Class::Newline,
            0..=b' ' => class == Class::Blank,
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.is_word_part(byte),
            _ => true,
        }
    }

    fn set_openers(&mut self, language: &Language, islands: Vec<(&'static str, Reading)>) {
        let comments = language.comments.iter().map(|c| (c.open, Reading::Comment(*c)));
        // Literals that need a prefix are found by the word that is their prefix.
        let bare = self.quotes().filter(|(_, quote)| !quote.needs_prefix);
        let quotes = bare.map(|(id, quote)| (quote.open, Reading::Quote(id)));
        let numbers = language.numbers.prefixes.iter().map(|prefix| (*prefix, Reading::Number));
        let leave = self.leave.map(|close| (close, Reading::Leave));
        let all: Vec<_> =
            comments.chain(quotes).chain(numbers).chain(islands).chain(leave).collect();
        for (open, reading) in all {
            for first in self.first_bytes(open) {
                self.openers[usize::from(first)].push((Start::new(open), reading));
            }
        }
        for openers in &mut self.openers {
            openers.sort_by_key(|(open, _)| std::cmp::Reverse(open.len()));
        }
    }

    fn set_operators(&mut self, language: &Language) {
        for spelling in language.operators() {
            let symbol = Symbol::spelled(spelling.as_bytes());
            let operator = Operator { spelling: Start::new(spelling), symbol };
            self.operators[usize::from(spelling.as_bytes()[0])].push(operator);
        }
        for operators in &mut self.operators {
            operators.sort_by_key(|operator| std::cmp::Reverse(operator.spelling.len()));
        }
    }

    fn set_usual(&mut self) {
        for byte in 0..=u8::MAX {
            let i = usize::from(byte);
            let kind = match self.base[i] {
                Class::Letter => Kind::Word,
                Class::Digit => Kind::Number,
                Class::Single | Class::Open | Class::Close | Class::Operator => Kind::One,
                _ => Kind::Other,
            };
            let depth = match self.base[i] {
                Class::Open => 1,
                Class::Close => -1,
                _ => 0,
            };
            let symbol = self.single[i];
            self.usual[i] = Usual { kind, depth, symbol, more: self.more(byte) };
        }
    }

    /// Which bytes may make more of a byte if they follow: a bit for each remainder of 64.
    fn more(&self, byte: u8) -> u64 {
        let i = usize::from(byte);
        let any = |bytes: &mut dyn Iterator<Item = u8>| bytes.fold(0, |all, b| all | 1 << (b % 64));
        let second = |start: &Start| start.text.as_bytes().get(1).copied();
        let of_start = |start: &Start| match second(start) {
            Some(byte) if !self.is_case_ignored => any(&mut [byte].into_iter()),
            _ => u64::MAX,
        };
        let opens = self.openers(byte).iter().fold(0, |all, (open, reading)| match reading {
            Reading::Number if open.text == "." => all | any(&mut (b'0'..=b'9')),
            _ => all | of_start(open),
        });
        let is_simple = self.traits[i] & SYMBOLIC == 0 && !is_bracket(byte);
        match self.base[i] {
            Class::Operator if !is_simple => u64::MAX,
            _ => self.operators(byte).iter().fold(opens, |all, of| all | of_start(&of.spelling)),
        }
    }

    /// The bytes that a text may begin with: both cases of a letter if case is ignored.
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

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}')
}

/// The keywords, the prefixes of literals and the words that begin imports.
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
