//! Literals in quotes: how a table describes them, and how the engine reads them.
//!
//! A literal becomes one token of class `STRING`. One that is never closed ends with its line, even
//! if it might have spanned lines: one stray quote must not hide the rest of a document from
//! comparison. Searches that fail are remembered, so that a document of openers costs linear time.

use memchr::{memchr3, memmem};

use fanmill::token::Symbol;

use crate::cursor::Cursor;

/// One form of literal.
#[derive(Debug, Clone, Copy)]
pub struct Quote {
    pub(crate) open: &'static str,
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) needs_prefix: bool,
    pub(crate) form: Form,
    pub(crate) escape: Escape,
    pub(crate) extent: Extent,
    pub(crate) unclosed: Unclosed,
    pub(crate) after: After,
    pub(crate) symbol: Symbol,
}

/// What is between and after the quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// Anything up to this text.
    Until(&'static str),
    /// One character or escape, then this quote; otherwise the opener is an operator.
    Character(u8),
    /// One character or escape without closing quote, or a character's name: Lisp's `#\space`.
    Glyph,
    /// The rest of the line: Zig's `\\`.
    Line,
    /// Up to a closing text that the opener determines.
    Fenced(Fence),
    /// A regular expression between slashes, with its flags.
    Pattern,
    /// Text between freely chosen delimiters, after one of these letters: Perl's `qq{…}`.
    /// The number is how many bodies there are: 2 in `s{…}{…}`.
    Delimited(&'static str, u8),
    /// Text with code in it: up to the first text, with islands of code from the second to the byte.
    Template(&'static str, &'static str, u8),
    /// The lines below, up to one that holds the tag that follows the opener.
    HereDocument(Terminator),
}

/// How a fence determines its closing text.
#[derive(Debug, Clone, Copy)]
pub enum Fence {
    /// C++'s `R"tag(` … `)tag"`, R's `r"--[` … `]--"`: a tag between quote and bracket.
    Tagged,
    /// Rust's `r##"` … `"##`, Swift's `#"` … `"#`: as many `#` as there were, the opener's included.
    Hashes,
    /// Lua's `[==[` … `]==]`.
    Brackets,
    /// C#'s `""""` … `""""`: as many quotes as there were, three at least.
    Quotes,
}

/// How a closing quote is written inside a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// It cannot be.
    None,
    /// After this ASCII character.
    By(u8),
    /// Twice.
    Doubled,
}

/// Whether a literal may contain line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Line,
    Lines,
}

/// What an opener is whose literal is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unclosed {
    /// A literal up to the end of the line.
    Line,
    /// An operator.
    Operator,
}

/// After which tokens the opener opens a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// After any.
    Anything,
    /// Not directly after an operand: `x'` is a transpose in Matlab, an attribute in Ada.
    Gap,
    /// Not after an operand: `a / b` divides in JavaScript.
    Operator,
    /// Not after an operand, unless there is a blank before and none after: Ruby's `puts /x/`.
    OperatorOrCommand,
}

/// What ends a here-document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terminator {
    /// A line that is the tag and nothing else; blanks before it if the opener had a `-` or `~`.
    Line,
    /// A line that starts with the tag, after blanks or not; code may follow it (PHP).
    Start,
}

impl Quote {
    const fn new(open: &'static str, form: Form) -> Quote {
        Quote {
            open,
            prefixes: &[],
            needs_prefix: false,
            form,
            escape: Escape::By(b'\\'),
            extent: Extent::Line,
            unclosed: Unclosed::Line,
            after: After::Anything,
            symbol: Symbol::STRING,
        }
    }

    /// From `open` to `close` on one line, with backslash escapes, a line end among them.
    pub const fn line(open: &'static str, close: &'static str) -> Quote {
        Quote::new(open, Form::Until(close))
    }

    /// From `open` to `close` over any number of lines, with backslash escapes.
    pub const fn lines(open: &'static str, close: &'static str) -> Quote {
        Quote { extent: Extent::Lines, ..Quote::new(open, Form::Until(close)) }
    }

    /// One character or escape between two of `quote`; anything else makes it an operator, as in
    /// Rust's `'a` or Haskell's `'T`.
    pub const fn character(quote: &'static str) -> Quote {
        Quote::new(quote, Form::Character(quote.as_bytes()[0]))
    }

    /// A character after `open`, or its name: `#\a`, `#\space`.
    pub const fn glyph(open: &'static str) -> Quote {
        Quote::new(open, Form::Glyph)
    }

    /// From `open` to the end of the line.
    pub const fn rest_of_line(open: &'static str) -> Quote {
        Quote::new(open, Form::Line)
    }

    /// A raw literal whose closing text its opener determines.
    pub const fn fenced(open: &'static str, fence: Fence) -> Quote {
        Quote { extent: Extent::Lines, ..Quote::new(open, Form::Fenced(fence)) }
    }

    /// A regular expression `/…/`, except after an operand.
    pub const fn pattern() -> Quote {
        Quote { after: After::Operator, ..Quote::new("/", Form::Pattern) }
    }

    /// Text between delimiters of the author's choice, after `open` and one of `letters`.
    pub const fn delimited(open: &'static str, letters: &'static str) -> Quote {
        Quote { unclosed: Unclosed::Operator, ..Quote::new(open, Form::Delimited(letters, 1)) }
    }

    /// The same after one of the words `prefixes`, with this many bodies: Perl's `s{…}{…}` has 2.
    pub const fn delimited_words(prefixes: &'static [&'static str], bodies: u8) -> Quote {
        Quote {
            prefixes,
            needs_prefix: true,
            unclosed: Unclosed::Operator,
            ..Quote::new("", Form::Delimited("", bodies))
        }
    }

    /// Text over any number of lines with code inside: JavaScript's `` `…${code}…` ``.
    pub const fn template(quote: &'static str, open_code: &'static str, close_code: u8) -> Quote {
        Quote {
            extent: Extent::Lines,
            ..Quote::new(quote, Form::Template(quote, open_code, close_code))
        }
    }

    /// The lines below, up to the tag that follows `open`.
    pub const fn here_document(open: &'static str, terminator: Terminator) -> Quote {
        Quote { after: After::Gap, ..Quote::new(open, Form::HereDocument(terminator)) }
    }

    /// The same literal, ending with its line at the latest.
    #[must_use]
    pub const fn on_one_line(self) -> Quote {
        Quote { extent: Extent::Line, ..self }
    }

    /// The same literal with other escapes.
    #[must_use]
    pub const fn escape(self, escape: Escape) -> Quote {
        Quote { escape, ..self }
    }

    /// The same literal without escapes.
    #[must_use]
    pub const fn raw(self) -> Quote {
        self.escape(Escape::None)
    }

    /// The same literal, also directly after one of these words, which becomes part of it.
    #[must_use]
    pub const fn prefixes(self, prefixes: &'static [&'static str]) -> Quote {
        Quote { prefixes, ..self }
    }

    /// The same literal, only directly after one of these words, which becomes part of it.
    #[must_use]
    pub const fn prefixed(self, prefixes: &'static [&'static str]) -> Quote {
        Quote { prefixes, needs_prefix: true, ..self }
    }

    /// The same literal, only after some tokens.
    #[must_use]
    pub const fn after(self, after: After) -> Quote {
        Quote { after, ..self }
    }

    /// The same literal, but an operator where it is never closed.
    #[must_use]
    pub const fn or_operator(self) -> Quote {
        Quote { unclosed: Unclosed::Operator, ..self }
    }

    /// The same form, but what it quotes is a name: `` `order` `` in SQL.
    #[must_use]
    pub const fn name(self) -> Quote {
        Quote { symbol: Symbol::IDENTIFIER, ..self }
    }

    /// What opens the literal.
    pub fn opener(&self) -> &'static str {
        self.open
    }
}

/// What a search for a closing quote met.
enum Found {
    /// The quote; the literal ends here.
    Close(usize),
    /// The end of the line or text first.
    Nothing(usize),
}

impl Cursor<'_> {
    /// Reads the literal with the number `id`, whose prefix begins at `start` and whose opener
    /// stands here; `false` if it is none.
    pub(crate) fn quote(&mut self, id: usize, start: usize) -> bool {
        let quote = self.tables.quote(id);
        let body = self.at + quote.open.len();
        if !self.is_after(quote.after, start, body) {
            return false;
        }
        match quote.form {
            Form::Until(close) => self.until(id, quote, close, start, body),
            Form::Character(close) => match self.character_end(body, close, quote.escape) {
                Some(end) => self.literal(quote, start, end),
                None => false,
            },
            Form::Glyph => match self.glyph_end(body) {
                Some(end) => self.literal(quote, start, end),
                None => false,
            },
            Form::Line => self.literal(quote, start, self.line_end(body)),
            Form::Fenced(fence) => self.fenced(quote, fence, start),
            Form::Pattern => self.pattern(id, quote, start, body),
            Form::Delimited(letters, bodies) => self.delimited(quote, letters, bodies, start, body),
            Form::Template(..) => self.template(id, start, body),
            Form::HereDocument(terminator) => self.here_document(quote, terminator, start, body),
        }
    }

    /// Whether the previous token allows a literal from `start` with its body at `body`.
    fn is_after(&self, after: After, start: usize, body: usize) -> bool {
        match after {
            After::Anything => true,
            After::Gap => {
                !self.is_glued(start) || !(self.is_after_operand() || self.is_after_word())
            }
            After::Operator => !self.is_after_operand(),
            After::OperatorOrCommand => {
                let is_blank = |b: &u8| b.is_ascii_whitespace() || *b == b'=';
                let is_command = !self.is_glued(start)
                    && self.is_after_name()
                    && !self.bytes.get(body).is_some_and(is_blank);
                is_command || !self.is_after_operand()
            }
        }
    }

    /// A literal that ends with a fixed text.
    fn until(&mut self, id: usize, quote: &Quote, close: &str, start: usize, body: usize) -> bool {
        if start >= self.unclosed[id] {
            match self.close_of(quote, close, body) {
                Found::Close(end) => return self.literal(quote, start, end),
                Found::Nothing(end) => self.unclosed[id] = end,
            }
        }
        match quote.unclosed {
            Unclosed::Line => self.literal(quote, start, self.line_end(body)),
            Unclosed::Operator => false,
        }
    }

    /// Looks for `close` from `from` on, minding the escapes and the extent of `quote`.
    fn close_of(&self, quote: &Quote, close: &str, from: usize) -> Found {
        let (bytes, close) = (self.bytes, close.as_bytes());
        let escape = if let Escape::By(byte) = quote.escape { byte } else { close[0] };
        let newline = if quote.extent == Extent::Line { b'\n' } else { close[0] };
        let mut at = from;
        while let Some(i) = memchr3(close[0], escape, newline, bytes.get(at..).unwrap_or(&[])) {
            at += i;
            let byte = bytes[at];
            if byte == close[0] && bytes[at..].starts_with(close) {
                at += close.len();
                if quote.escape == Escape::None {
                    return Found::Close(self.last_close(close, at));
                }
                if quote.escape != Escape::Doubled || !bytes[at..].starts_with(close) {
                    return Found::Close(at);
                }
                at += close.len();
            } else if byte == escape && quote.escape == Escape::By(byte) {
                at += escape_len(&bytes[at..]);
            } else if byte == b'\n' && quote.extent == Extent::Line {
                return Found::Nothing(at);
            } else {
                at += 1;
            }
        }
        Found::Nothing(bytes.len())
    }

    /// Where a raw literal ends that may end at `at`: of more than three quotes, the last three
    /// close it, as in Kotlin's and Scala's `"""a "b""""`.
    pub(crate) fn last_close(&self, close: &[u8], at: usize) -> usize {
        let is_triple = close == b"\"\"\"";
        let more = self.bytes[at..].iter().take_while(|b| is_triple && **b == b'"').take(2);
        at + more.count()
    }

    /// One past the quote `close` that follows one character or escape.
    fn character_end(&self, body: usize, close: u8, escape: Escape) -> Option<usize> {
        /// `'\u{10FFFF}'` is the longest escape of any language.
        const LONGEST: usize = 12;
        let first = *self.bytes.get(body)?;
        if matches!(first, b'\n' | b'\r') {
            return None;
        }
        if escape != Escape::By(first) {
            let end = body + self.char_len(body);
            return (self.bytes.get(end) == Some(&close)).then_some(end + 1);
        }
        let rest = self.bytes.get(body + 2..)?;
        let rest = &rest[..rest.len().min(LONGEST)];
        let i = rest.iter().position(|b| *b == close || *b == b'\n')?;
        (rest[i] == close).then_some(body + 2 + i + 1)
    }

    /// One past the character, escape or character name at `body`.
    fn glyph_end(&self, body: usize) -> Option<usize> {
        let first = *self.bytes.get(body)?;
        if first.is_ascii_whitespace() {
            return None;
        }
        if first == b'\\' && self.bytes.get(body + 1).is_some_and(u8::is_ascii_graphic) {
            return Some(body + 2);
        }
        let end = body + self.char_len(body);
        if first.is_ascii_alphanumeric() { Some(self.word_end(end).0) } else { Some(end) }
    }

    /// A literal whose opener determines its closing text.
    fn fenced(&mut self, quote: &Quote, fence: Fence, start: usize) -> bool {
        let Some((close, body)) = self.fence(fence, self.at + quote.open.len()) else {
            return false;
        };
        match self.find_once(&close, body) {
            Some(end) => self.literal(quote, start, end),
            None if quote.unclosed == Unclosed::Operator => false,
            None => self.literal(quote, start, self.line_end(body)),
        }
    }

    /// The closing text of a fence whose variable part begins at `from`, and where the body starts.
    pub(crate) fn fence(&self, fence: Fence, from: usize) -> Option<(Vec<u8>, usize)> {
        /// Rust allows 255 hashes; a bound keeps a document of openers linear.
        const LONGEST: usize = 255;
        let rest = self.bytes.get(from..)?;
        let rest = &rest[..rest.len().min(LONGEST)];
        let run = |byte: u8| rest.iter().take_while(|b| **b == byte).count();
        match fence {
            Fence::Tagged => {
                let bracket = rest.iter().position(|b| b"([{ )\\\n\"".contains(b))?;
                let close = mirror(rest[bracket]).filter(|_| b"([{".contains(&rest[bracket]))?;
                let quote = &self.bytes[from - 1..from];
                Some(([&[close], &rest[..bracket], quote].concat(), from + bracket + 1))
            }
            Fence::Hashes => {
                let hashes = run(b'#') + 1;
                let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
                (rest.get(hashes - 1) == Some(&b'"')).then_some((close, from + hashes))
            }
            Fence::Brackets => {
                let equals = run(b'=');
                let close = [b"]".as_slice(), &rest[..equals], b"]"].concat();
                (rest.get(equals) == Some(&b'[')).then_some((close, from + equals + 1))
            }
            Fence::Quotes => {
                let quotes = run(b'"');
                Some((vec![b'"'; quotes + 3], from + quotes))
            }
        }
    }

    /// A regular expression on one line, `[/]` and escapes minded, with its flags.
    fn pattern(&mut self, id: usize, quote: &Quote, start: usize, body: usize) -> bool {
        if start < self.unclosed[id] {
            return false;
        }
        let (bytes, mut at, mut in_set) = (self.bytes, body, false);
        loop {
            match bytes.get(at) {
                None | Some(b'\n') => {
                    self.unclosed[id] = at.min(bytes.len());
                    return false;
                }
                Some(b'\\') => at += 1,
                Some(b'[') => in_set = true,
                Some(b']') => in_set = false,
                Some(b'/') if !in_set => break,
                Some(_) => {}
            }
            at += 1;
        }
        let flags = bytes[at + 1..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        self.literal(quote, start, at + 1 + flags)
    }

    /// Text between delimiters of the author's choice: `q(…)`, `s/…/…/g`, `%w[…]`, `~r/…/i`.
    fn delimited(
        &mut self,
        quote: &Quote,
        letters: &str,
        bodies: u8,
        start: usize,
        body: usize,
    ) -> bool {
        let mut at = body;
        if quote.prefixes.is_empty() {
            at += self.bytes[at..]
                .iter()
                .take_while(|b| letters.as_bytes().contains(b))
                .count()
                .min(1);
        } else {
            at += self.bytes[at..].iter().take_while(|b| **b == b' ').count();
        }
        let Some(&open) = self.bytes.get(at) else { return false };
        let next = self.bytes.get(at + 1).copied();
        let is_delimiter = match open {
            // Fat comma, closing bracket, separator: the word was a key or an argument.
            b'=' => at == body && next != Some(b'>'),
            b',' | b';' | b')' | b']' | b'}' | b'>' => false,
            b'{' | b'(' | b'[' | b'<' => true,
            // Ruby's `%` without a letter divides by anything but a bracket.
            _ if quote.prefixes.is_empty() => at > body && open.is_ascii_punctuation(),
            // After a blank, Perl may mean something else by the rest.
            b'/' | b'|' | b'!' | b'~' | b'\'' | b'"' => true,
            _ => at == body && open.is_ascii_punctuation(),
        };
        if !is_delimiter || self.is_member(start) {
            return false;
        }
        for part in 0..bodies {
            if part > 0 && mirror(open).is_some() {
                at += self.bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            } else if part > 0 {
                at -= 1;
            }
            match self.bytes.get(at).and_then(|open| self.delimited_end(*open, at + 1)) {
                Some(end) => at = end,
                None => return false,
            }
        }
        let flags = self.bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        self.literal(quote, start, at + flags)
    }

    /// One past the delimiter that closes `open`, brackets nesting.
    fn delimited_end(&mut self, open: u8, from: usize) -> Option<usize> {
        let close = mirror(open).unwrap_or(open);
        if self.absent.len() >= Cursor::MOST_ABSENT {
            return None;
        }
        let (mut at, mut depth) = (from, 1_usize);
        while let Some(i) = memchr3(open, close, b'\\', self.bytes.get(at..).unwrap_or(&[])) {
            at += i;
            let byte = self.bytes[at];
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            } else if byte == open {
                depth += 1;
            } else {
                at += 1;
            }
            at += 1;
        }
        // Not `close`: further down it may well balance a later opener.
        self.absent.push(Vec::new());
        None
    }

    /// One past `close` at or after `from`. A text that is missing is searched for once only, and
    /// at most [`MOST_ABSENT`](Cursor::MOST_ABSENT) searches of a document may fail.
    pub(crate) fn find_once(&mut self, close: &[u8], from: usize) -> Option<usize> {
        if self.is_absent(close) {
            return None;
        }
        let found = memmem::find(self.bytes.get(from..)?, close);
        if found.is_none() {
            self.absent.push(close.to_vec());
        }
        found.map(|i| from + i + close.len())
    }
}

/// Length of the escape that begins here: a line end of two bytes counts as one character.
pub(crate) fn escape_len(bytes: &[u8]) -> usize {
    if bytes[1..].starts_with(b"\r\n") { 3 } else { 2 }
}

/// The bracket that closes this one.
fn mirror(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'<' => Some(b'>'),
        _ => None,
    }
}
