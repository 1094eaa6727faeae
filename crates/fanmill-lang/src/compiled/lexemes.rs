//! Lexemes: the tables that the loop for usual tokens looks up, and the bytes around that it must check.
//!
//! A lexeme is a run of word bytes, a run of bytes of longer operators, or any other single byte. Its spelling alone
//! says what it is, unless the byte after it changes that: a digit after a point, quotes after a prefix, a letter after
//! `@` in Java's `@interface`. Two tables record these lexemes and bytes, with one bit for each reason.

use fanmill_kernel::ByteSets;
use fanmill_text::token::Symbol;

use crate::compiled::eight_bytes;
use crate::compiled::{Class, INNER, OpenerKind, POINT, Prefix, SYMBOLIC, Tables};
use crate::keywords::Keyword;
use crate::seen::{SHORT, ShortSpelling, SpellingCache, WordSymbols};
use crate::table::language::Words;
use crate::table::quotes::Quote;

/// The bit of words, which the next byte may continue or turn into the prefix of a literal.
pub(crate) const WORD: u8 = 1;
/// The bit of numbers, which the next byte may continue.
const NUMBER: u8 = 2;
/// The bit of a point, which a digit turns into a number.
const DECIMAL: u8 = 4;
/// The bit of operators that a letter or digit after them changes.
const SPELLED: u8 = 8;
/// The bit of operators that another byte after them changes.
const JOINED: u8 = 16;
/// The bit of all other lexemes, for which every next byte matters.
const ALWAYS: u8 = 32;

/// The usual lexeme of a byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UsualLexeme {
    kind: LexemeKind,
    /// Its symbol as an operator.
    symbol: Symbol,
    /// Bytes that may change the lexeme if they follow: a bit for each remainder of 64.
    more: u64,
}

/// The kind of a usual token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LexemeKind {
    /// A word.
    Word,
    /// A number.
    Number,
    /// An operator or bracket.
    One,
    /// Something else.
    Other,
}

impl UsualLexeme {
    /// The entry of a byte about which nothing is known yet.
    pub(crate) const NOTHING: UsualLexeme =
        UsualLexeme { kind: LexemeKind::Other, symbol: Symbol::BREAK, more: 0 };

    /// Returns whether this byte may be something else if `next` follows.
    fn is_more(&self, next: u8) -> bool {
        self.more >> (next % 64) & 1 == 1
    }
}

impl Tables {
    /// Returns whether something may open here, where the next bytes are `eight` and the first of them is `byte`.
    fn may_open(&self, eight: u64, byte: u8) -> bool {
        let is_digit = |byte: u64| (byte as u8).is_ascii_digit();
        self.openers(byte).iter().any(|(open, reading)| {
            let is_point = matches!(reading, OpenerKind::Number) && open.text == ".";
            self.is_case_ignored || open.may_begin(eight) && (!is_point || is_digit(eight >> 8))
        })
    }

    /// Returns the longest operator at the start of the next bytes, `eight`, and its length. `None` if something may
    /// open here, or if the operators are not that simple.
    fn usual_operator(&self, eight: u64) -> Option<(Symbol, usize)> {
        let byte = eight as u8;
        let i = usize::from(byte);
        let is_simple = !self.is_case_ignored && self.traits[i] & SYMBOLIC == 0;
        if !is_simple || self.usual[i].kind != LexemeKind::One || self.may_open(eight, byte) {
            return None;
        }
        let found = self.operators(byte).iter().find(|of| of.spelling.may_begin(eight));
        match found {
            Some(of) => (of.spelling.len() <= 8).then_some((of.symbol, of.spelling.len())),
            // A bracket that begins no operator must be counted, which the engine's other methods do.
            None => (self.base[i] != Class::Operator || !is_bracket(byte))
                .then_some((self.single[i], 1)),
        }
    }

    /// Returns the symbol and name of a lexeme that is not yet in `seen`, or of its first token, and that token's
    /// length. Adds the lexeme to `seen` if all of it is one token. `None` if it may be, or introduce, something else.
    /// `here` is the text from the start of the lexeme.
    #[inline(never)]
    pub(crate) fn met(
        &self,
        seen: &mut SpellingCache,
        here: &[u8; SHORT + 1],
        len: usize,
    ) -> Option<(WordSymbols, usize)> {
        let short = &ShortSpelling::from_first(here, len, self.index)?;
        let usual = &self.usual[usize::from(here[0])];
        let lexeme = &here[..len];
        match usual.kind {
            LexemeKind::Word => self.learned(seen, short, lexeme).map(|spelled| (spelled, len)),
            LexemeKind::Number => {
                let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let spelled = WordSymbols { symbol: Symbol::NUMBER, name: short.folded() };
                lexeme.iter().all(is_plain).then(|| {
                    seen.put(short, spelled);
                    (spelled, len)
                })
            }
            LexemeKind::One => {
                let (symbol, n) = if usual.is_more(here[1]) {
                    self.usual_operator(eight_bytes(here, 0))?
                } else {
                    (usual.symbol, 1)
                };
                let spelled = WordSymbols { symbol, name: symbol };
                // A run of several operators is not added: only its first one is read here.
                if n == len {
                    seen.put(short, spelled);
                }
                Some((spelled, n))
            }
            LexemeKind::Other => None,
        }
    }

    /// Returns the symbol and name of a word that is not yet in `seen`, and adds it; `None` if it may introduce
    /// something else. The caller has ruled out a literal that begins directly after it.
    #[inline(never)]
    pub(crate) fn learned(
        &self,
        seen: &mut SpellingCache,
        short: &ShortSpelling,
        spelling: &[u8],
    ) -> Option<WordSymbols> {
        let name = short.folded();
        let has_upper = spelling.iter().any(u8::is_ascii_uppercase);
        let keyword = self.keywords.get(name, spelling, has_upper);
        // The quotes after a word show most prefixes of literals, but Perl's `q` has no quotes of its own.
        let is_bare = |quote: &Quote| !quote.prefixes.is_empty() && quote.open.is_empty();
        let may_introduce = |keyword: Keyword| {
            keyword.is_import || keyword.is_prefix && self.quotes().any(|(_, quote)| is_bare(quote))
        };
        if keyword.is_some_and(may_introduce) || self.may_qualify(name) {
            return None;
        }
        let symbol = keyword.map_or(Symbol::IDENTIFIER, |keyword| keyword.symbol);
        let spelled = WordSymbols { symbol, name };
        seen.put(short, spelled);
        Some(spelled)
    }

    /// Finds the usual lexeme of each byte.
    pub(crate) fn set_usual(&mut self) {
        for byte in 0..=u8::MAX {
            let i = usize::from(byte);
            let kind = match self.base[i] {
                Class::Letter => LexemeKind::Word,
                Class::Digit => LexemeKind::Number,
                Class::Single | Class::Open | Class::Close | Class::Operator => LexemeKind::One,
                _ => LexemeKind::Other,
            };
            self.depth[i] = match self.base[i] {
                Class::Open => 1,
                Class::Close => -1,
                _ => 0,
            };
            self.usual[i] = UsualLexeme { kind, symbol: self.single[i], more: self.more(byte) };
        }
    }

    /// Finds the bytes that form one lexeme together, and the lexemes for which the byte after them matters.
    pub(crate) fn set_neighbours(&mut self) {
        let is_point = |reading: &OpenerKind, open: &Prefix| {
            matches!(reading, OpenerKind::Number) && open.text == "."
        };
        let openers = self.openers.iter().flatten();
        let openers = openers.filter(|(open, reading)| !is_point(reading, open));
        let operators = self.operators.iter().flatten();
        let starts: Vec<&[u8]> = openers
            .map(|(open, _)| open.text.as_bytes())
            .chain(operators.map(|operator| operator.spelling.text.as_bytes()))
            .filter(|start| !start.is_empty())
            .collect();
        // A byte that opens something by itself is read by other means, so it joins no lexeme.
        let opens_alone = |byte: u8| starts.iter().any(|start| *start == [byte]);
        let is_white =
            |byte: u8| matches!(self.class[usize::from(byte)], Class::Blank | Class::Newline);
        let is_word = |byte: u8| self.is_word_part(byte);
        let is_joining = |byte: u8| {
            let is_alone = is_word(byte) || is_white(byte) || opens_alone(byte);
            !is_alone && starts.iter().any(|start| start.len() > 1 && start.contains(&byte))
        };
        let sets = ByteSets::new(is_word, is_joining, is_white);
        let (mut first, mut next) = ([0; 256], [ALWAYS; 256]);
        for byte in 0..=u8::MAX {
            let i = usize::from(byte);
            let usual = &self.usual[i];
            let opens_inside = usual.kind != LexemeKind::One && !self.openers[i].is_empty();
            let is_spelled = self.words != Words::Class && usual.kind != LexemeKind::One;
            first[i] |= match usual.kind {
                _ if opens_inside || is_spelled => ALWAYS,
                LexemeKind::Word => WORD,
                LexemeKind::Number => NUMBER,
                LexemeKind::One => 0,
                // A sigil may begin a word that was read before.
                LexemeKind::Other if self.base[i] == Class::Sigil => WORD,
                LexemeKind::Other => ALWAYS,
            };
            let is_beyond = byte >= 0x80;
            let may_go_on = |traits: u8| is_beyond || self.traits[i] & traits != 0;
            next[i] |= if may_go_on(INNER) { WORD } else { 0 };
            next[i] |= if may_go_on(POINT) { NUMBER } else { 0 };
            next[i] |= if byte.is_ascii_digit() { DECIMAL } else { 0 };
        }
        for (_, quote) in self.quotes().filter(|(_, quote)| !quote.prefixes.is_empty()) {
            if let Some(&byte) = quote.open.as_bytes().first() {
                next[usize::from(byte)] |= WORD;
            }
        }
        first[usize::from(b'.')] |= DECIMAL;
        let kind = |byte: u8| (is_word(byte), is_joining(byte));
        for start in &starts {
            let is_one = |byte: &u8| kind(*byte) == kind(start[0]) && kind(*byte) != (false, false);
            let len = 1 + start[1..].iter().take_while(|byte| is_one(byte)).count();
            // The byte with which another lexeme continues this one.
            let Some(&byte) = start.get(len) else { continue };
            let mark = if byte.is_ascii_alphanumeric() { SPELLED } else { JOINED };
            first[usize::from(start[0])] |= mark;
            for byte in [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()] {
                next[usize::from(byte)] |= mark;
            }
        }
        // Inside, a bracket may end an island.
        let inside = std::array::from_fn(|i| if self.depth[i] == 0 { first[i] } else { ALWAYS });
        (self.sets, self.first, self.next) = (sets, [first, inside], next);
    }

    /// Returns the bytes that may change the lexeme of `byte` if they follow: a bit for each remainder of 64.
    fn more(&self, byte: u8) -> u64 {
        let i = usize::from(byte);
        let any = |bytes: &mut dyn Iterator<Item = u8>| bytes.fold(0, |all, b| all | 1 << (b % 64));
        let second = |start: &Prefix| start.text.as_bytes().get(1).copied();
        let of_start = |start: &Prefix| match second(start) {
            Some(byte) if !self.is_case_ignored => any(&mut [byte].into_iter()),
            _ => u64::MAX,
        };
        let opens = self.openers(byte).iter().fold(0, |all, (open, reading)| match reading {
            OpenerKind::Number if open.text == "." => all | any(&mut (b'0'..=b'9')),
            _ => all | of_start(open),
        });
        let is_simple = self.traits[i] & SYMBOLIC == 0 && !is_bracket(byte);
        match self.base[i] {
            Class::Operator if !is_simple => u64::MAX,
            _ => self.operators(byte).iter().fold(opens, |all, of| all | of_start(&of.spelling)),
        }
    }
}

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}')
}
