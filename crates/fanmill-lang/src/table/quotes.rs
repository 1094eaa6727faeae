//! Literals in quotes: their description in a table. The `strings` module reads them.

use fanmill_text::token::Symbol;

use super::fences::Fence;

/// One form of literal.
#[derive(Debug, Clone, Copy)]
pub struct Quote {
    pub(crate) open: &'static str,
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) needs_prefix: bool,
    pub(crate) form: QuoteForm,
    pub(crate) escape: Escape,
    pub(crate) extent: Extent,
    pub(crate) unclosed: UnclosedReading,
    pub(crate) after: OpenerContext,
    /// Bytes that may not follow the opener, after blanks.
    pub(crate) unless: &'static str,
    pub(crate) symbol: Symbol,
}

/// The content of a literal, and its end.
#[derive(Debug, Clone, Copy)]
pub(crate) enum QuoteForm {
    /// Anything up to this text.
    Until(&'static str),
    /// One character or escape, then this quote; otherwise the opener is an operator.
    Character(u8),
    /// One character or escape without a closing quote, or a character's name: Lisp's `#\space`.
    Glyph,
    /// The rest of the line: Zig's `\\`.
    Line,
    /// Up to a closing text that the opener determines.
    Fenced(Fence),
    /// A regular expression between slashes, with its flags.
    Pattern,
    /// Text between freely chosen delimiters, after one of these letters: Perl's `qq{…}`. The number is the number of
    /// bodies: 2 in `s{…}{…}`.
    Delimited(&'static str, u8),
    /// Text with code in it: closing text, opener of code, and byte that closes the code.
    Template(&'static str, &'static str, u8),
    /// The following lines, up to one with the tag that follows the opener.
    HereDocument(Terminator),
}

/// The notation of a closing quote inside a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// None: the literal cannot contain one.
    None,
    /// The quote after this ASCII character.
    By(u8),
    /// The quote written twice.
    Doubled,
}

/// The extent of a literal: whether it may contain line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Line,
    Lines,
}

/// The reading of an opener whose literal is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnclosedReading {
    /// A literal up to the end of the line.
    Line,
    /// An operator.
    Operator,
}

/// The tokens after which an opener opens a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenerContext {
    /// After any token.
    Anything,
    /// Not directly after an operand: `x'` is a transpose in Matlab, an attribute in Ada.
    Gap,
    /// Not after an operand: `a / b` divides in JavaScript.
    Operator,
    /// Not after an operand, unless there is a blank before and none after: Ruby's `puts /x/`.
    OperatorOrCommand,
    /// After `=` only: the value of an attribute.
    Equals,
}

/// The line that ends a here-document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terminator {
    /// A line that consists of the tag; with blanks before it if the opener had a `-` or `~`.
    Line,
    /// A line that starts with the tag, with or without blanks before it; code may follow (PHP).
    Start,
}

impl Quote {
    const fn new(open: &'static str, form: QuoteForm) -> Quote {
        Quote {
            open,
            prefixes: &[],
            needs_prefix: false,
            form,
            escape: Escape::By(b'\\'),
            extent: Extent::Line,
            unclosed: UnclosedReading::Line,
            after: OpenerContext::Anything,
            unless: "",
            symbol: Symbol::STRING,
        }
    }

    /// Returns a literal from `open` to `close` on one line, with backslash escapes; a backslash may also escape the
    /// line end.
    pub const fn line(open: &'static str, close: &'static str) -> Quote {
        Quote::new(open, QuoteForm::Until(close))
    }

    /// Returns a literal from `open` to `close` over any number of lines, with backslash escapes.
    pub const fn lines(open: &'static str, close: &'static str) -> Quote {
        Quote { extent: Extent::Lines, ..Quote::new(open, QuoteForm::Until(close)) }
    }

    /// Returns a literal of one character or escape between two `quote`s; otherwise the quote is an operator, as in
    /// Rust's `'a` or Haskell's `'T`.
    pub const fn character(quote: &'static str) -> Quote {
        Quote::new(quote, QuoteForm::Character(quote.as_bytes()[0]))
    }

    /// Returns a literal of a character after `open`, or its name: `#\a`, `#\space`.
    pub const fn glyph(open: &'static str) -> Quote {
        Quote::new(open, QuoteForm::Glyph)
    }

    /// Returns a literal from `open` to the end of the line.
    pub const fn rest_of_line(open: &'static str) -> Quote {
        Quote::new(open, QuoteForm::Line)
    }

    /// Returns a raw literal whose opener determines its closing text.
    pub const fn fenced(open: &'static str, fence: Fence) -> Quote {
        Quote { extent: Extent::Lines, ..Quote::new(open, QuoteForm::Fenced(fence)) }
    }

    /// Returns a regular expression `/…/`, which does not follow an operand.
    pub const fn pattern() -> Quote {
        Quote { after: OpenerContext::Operator, ..Quote::new("/", QuoteForm::Pattern) }
    }

    /// Returns a literal between delimiters of the author's choice, after `open` and one of `letters`.
    pub const fn delimited(open: &'static str, letters: &'static str) -> Quote {
        Quote {
            unclosed: UnclosedReading::Operator,
            ..Quote::new(open, QuoteForm::Delimited(letters, 1))
        }
    }

    /// Returns a literal between such delimiters after one of the words in `prefixes`, with `bodies` bodies: Perl's
    /// `s{…}{…}` has 2.
    pub const fn delimited_words(prefixes: &'static [&'static str], bodies: u8) -> Quote {
        Quote {
            prefixes,
            needs_prefix: true,
            unclosed: UnclosedReading::Operator,
            ..Quote::new("", QuoteForm::Delimited("", bodies))
        }
    }

    /// Returns a literal over any number of lines with code inside: JavaScript's `` `…${code}…` ``.
    pub const fn template(quote: &'static str, open_code: &'static str, close_code: u8) -> Quote {
        Quote {
            extent: Extent::Lines,
            ..Quote::new(quote, QuoteForm::Template(quote, open_code, close_code))
        }
    }

    /// Returns a literal of the following lines, up to the tag that follows `open`.
    pub const fn here_document(open: &'static str, terminator: Terminator) -> Quote {
        Quote { after: OpenerContext::Gap, ..Quote::new(open, QuoteForm::HereDocument(terminator)) }
    }

    /// Ends the literal with its line at the latest.
    #[must_use]
    pub const fn on_one_line(self) -> Quote {
        Quote { extent: Extent::Line, ..self }
    }

    /// Replaces the escapes of the literal.
    #[must_use]
    pub const fn escape(self, escape: Escape) -> Quote {
        Quote { escape, ..self }
    }

    /// Removes the escapes of the literal.
    #[must_use]
    pub const fn raw(self) -> Quote {
        self.escape(Escape::None)
    }

    /// Lets the literal also begin directly after one of these words, which becomes part of it.
    #[must_use]
    pub const fn prefixes(self, prefixes: &'static [&'static str]) -> Quote {
        Quote { prefixes, ..self }
    }

    /// Requires one of these words directly before the literal. It becomes part of the literal.
    #[must_use]
    pub const fn prefixed(self, prefixes: &'static [&'static str]) -> Quote {
        Quote { prefixes, needs_prefix: true, ..self }
    }

    /// Restricts the literal to places after certain tokens.
    #[must_use]
    pub const fn after(self, after: OpenerContext) -> Quote {
        Quote { after, ..self }
    }

    /// Rules the literal out if one of these ASCII characters follows the opener, after blanks: CSS's `url("a")`
    /// contains an ordinary string.
    #[must_use]
    pub const fn unless(self, followers: &'static str) -> Quote {
        Quote { unless: followers, ..self }
    }

    /// Makes the opener an operator if the literal is never closed.
    #[must_use]
    pub const fn or_operator(self) -> Quote {
        Quote { unclosed: UnclosedReading::Operator, ..self }
    }

    /// Makes the literal a name instead of a string: `` `order` `` in SQL.
    #[must_use]
    pub const fn name(self) -> Quote {
        Quote { symbol: Symbol::IDENTIFIER, ..self }
    }

    /// Returns the text that opens the literal.
    pub fn opener(&self) -> &'static str {
        self.open
    }
}
