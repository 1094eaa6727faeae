//! The table that describes one language to the lexer.
//!
//! A language is data: the forms of its comments, literals, numbers and words. One engine ([`Lexer`](crate::Lexer))
//! reads all languages. `languages/example.rs` is a table to copy.

use fanmill_text::frontend::{Idioms, Kind};

use super::comments::Comment;
use super::imports::Import;
use super::numbers::Numbers;
use super::quotes::Quote;

/// One language's lexical grammar, as far as copy detection needs it.
///
/// Write a table as a `const` with the fields that differ from [`Language::EMPTY`], or from a
/// relative: `Language { name: "c++", ..C }`. Lists of words (`keywords`, `operators`) are groups
/// of blank-separated words, so that relatives can share a group.
#[derive(Debug, Clone, Copy)]
pub struct Language {
    /// The name that users select it by and that reports show: `java`.
    pub name: &'static str,
    /// Other names to select it by, including MOSS's codes.
    pub aliases: &'static [&'static str],
    /// File name extensions, lower-case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, lower-case.
    pub file_names: &'static [&'static str],
    /// Interpreters of a `#!` line, without path and version.
    pub interpreters: &'static [&'static str],
    /// Marks of the language with their weights: [`likeness`](fanmill_text::frontend::FrontEnd::likeness) sums the weights
    /// of those found in a text's first 8 KiB. Only needed if two languages claim the same extension.
    pub hints: &'static [(&'static str, u32)],
    /// Idioms by which a program is recognised that is called `a.txt`.
    pub idioms: Idioms,
    /// Raised whenever the same text would give different tokens. Part of the scheme.
    pub version: u32,
    /// The way documents are compared: as code or as prose.
    pub kind: Kind,
    /// The treatment of case: whether `IF` and `if` are equal.
    pub case: Case,
    /// The symbol of a word that is not a keyword.
    pub words: Words,
    /// ASCII characters that start and continue words, besides letters and `_`: `$` in Java.
    pub word_start: &'static str,
    /// ASCII characters that continue words, besides letters, digits, `_` and `word_start`: `-` in Lisp.
    pub word_part: &'static str,
    /// ASCII characters that belong to a word only between two of its other characters.
    pub word_inner: &'static str,
    /// ASCII characters that belong to the word that follows directly, and are operators
    /// otherwise: `#` in C (`#define` is one word), `$` in PHP.
    pub sigils: &'static str,
    /// ASCII characters that mean nothing by themselves, such as C's line-joining `\`.
    pub blanks: &'static str,
    /// ASCII characters that, outside literals, make the next character lose its meaning, so that it opens nothing: the
    /// shell's `\` in `echo \"`.
    pub escapes: &'static str,
    /// Reserved words, the names of built-in types, and literals such as `true`. Library names do not belong here, nor
    /// do words that a program may also use as names, such as Java's `record`: a variable of that name would have a
    /// different symbol from any other.
    pub keywords: &'static [&'static str],
    /// Keywords that end an operand, so that a `/` after them divides: `this`.
    pub operands: &'static [&'static str],
    /// Operators of two or more characters. Any other character is an operator by itself.
    pub operators: &'static [&'static str],
    /// Characters whose runs are each one operator, if programs can define operators: Haskell, ML.
    pub symbolic: &'static str,
    /// Comments, in any order: the longest opener wins.
    pub comments: &'static [Comment],
    /// Literals in quotes of some kind, in any order: the longest opener wins.
    pub quotes: &'static [Quote],
    /// The notation of numbers.
    pub numbers: Numbers,
    /// Statements that every program has, so that they are not evidence. They yield no tokens.
    pub imports: &'static [Import],
    /// Words that may be left out together with the operator after them: Java's `this .`, C++'s `std ::`. They yield no
    /// tokens, since adding or removing them costs nothing.
    pub qualifiers: &'static [(&'static str, &'static str)],
    /// Parts in another language.
    pub islands: &'static [Island],
    /// If set, everything outside islands and comments is text for people, as in a web page. That text yields no tokens
    /// of this language, and is read as prose ([`shown`](fanmill_text::frontend::FrontEnd::shown)).
    pub is_page: bool,
    /// True for prose whose documents may hold code in other languages, which is read as such. Needs version 3 or later.
    pub has_cells: bool,
    /// The treatment of strings that make up a whole statement: code or comments.
    pub docstrings: Docstrings,
}

/// The treatment of upper and lower case in keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `If` is an identifier where `if` is a keyword.
    Matters,
    /// `If` is `if`; keywords are written in lower case in the table.
    Ignored,
}

/// The symbol of a word that is not a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// The class of identifiers: renaming changes nothing.
    Class,
    /// The word's own: markup, whose words are prose.
    Spelled,
    /// The word's own if one of these characters follows (it is then a key, as in JSON and CSS), otherwise the class. A
    /// string before one of these characters is a key too.
    Keys(&'static str),
    /// That of the word's first letter at the start of a line (SPICE: `R1` is a resistor), otherwise the class.
    Initial,
}

/// The treatment of strings that make up a whole statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Docstrings {
    /// Code like any other.
    Code,
    /// Documentation, if the string is alone on its line or lines and outside brackets (Python, Julia).
    Comment,
}

impl Language {
    /// A language with nothing in it: white space separates words, everything else is an operator.
    pub const EMPTY: Language = Language {
        name: "",
        aliases: &[],
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        hints: &[],
        idioms: Idioms::NONE,
        version: 1,
        kind: Kind::Code,
        case: Case::Matters,
        words: Words::Class,
        word_start: "",
        word_part: "",
        word_inner: "",
        sigils: "",
        blanks: "",
        escapes: "",
        keywords: &[],
        operands: &[],
        operators: &[],
        symbolic: "",
        comments: &[],
        quotes: &[],
        numbers: Numbers::C,
        imports: &[],
        qualifiers: &[],
        islands: &[],
        is_page: false,
        has_cells: false,
        docstrings: Docstrings::Code,
    };

    /// Returns the keywords, one by one.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> + use<> {
        split(self.keywords)
    }

    /// Returns the operators of two or more characters, one by one.
    pub fn operators(&self) -> impl Iterator<Item = &'static str> + use<> {
        split(self.operators)
    }

    /// Returns the keywords that end an operand, one by one.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &'static str> + use<> {
        split(self.operands)
    }
}

/// Splits groups of blank-separated words.
fn split(groups: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    groups.iter().flat_map(|group| group.split_ascii_whitespace())
}

/// A part of a document in another language: PHP in its page, a script in HTML.
#[derive(Debug, Clone, Copy)]
pub struct Island {
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
    pub(crate) inside: &'static Language,
    pub(crate) ending: Ending,
}

/// The method of finding an island's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Reading: `close` inside a literal does not count. A letter must follow `open`.
    Tag,
    /// Reading: `close` inside a literal does not count.
    Read,
    /// Searching, before anything is read: `</script` ends a script wherever it is.
    Searched,
}

impl Island {
    /// Returns an island from `open`, if a letter follows, to a `close` outside literals: `<a href="…">`.
    pub const fn tag(open: &'static str, close: &'static str, inside: &'static Language) -> Island {
        Island { open, close, inside, ending: Ending::Tag }
    }

    /// Returns an island from `open` to a `close` outside literals: `<?php … ?>`.
    pub const fn read(
        open: &'static str,
        close: &'static str,
        inside: &'static Language,
    ) -> Island {
        Island { open, close, inside, ending: Ending::Read }
    }

    /// Returns an island from `open` up to, but without, the first `close`: `<script` … `</script`.
    pub const fn searched(
        open: &'static str,
        close: &'static str,
        inside: &'static Language,
    ) -> Island {
        Island { open, close, inside, ending: Ending::Searched }
    }

    /// Returns whether the inner language's table has to contain the closing text.
    pub(crate) fn is_read(&self) -> bool {
        self.ending != Ending::Searched
    }
}
