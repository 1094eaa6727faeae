//! The table that describes one language to the lexer.
//!
//! A language is data: what its comments, literals, numbers and words look like. One engine
//! ([`Lexer`](crate::Lexer)) reads them all. `languages/example.rs` is a table to copy.

use fanmill::frontend::Kind;

use crate::comments::Comment;
use crate::imports::Import;
use crate::islands::Island;
use crate::numbers::Numbers;
use crate::quotes::Quote;

/// One language's lexical grammar, as far as copy detection needs it.
///
/// Write a table as a `const` with the fields that differ from [`Language::EMPTY`], or from a
/// relative: `Language { name: "c++", ..C }`. Lists of words (`keywords`, `operators`) are groups
/// of blank-separated words, so that relatives can share a group.
#[derive(Debug, Clone, Copy)]
pub struct Language {
    /// What `--lang` takes and reports show: `java`.
    pub name: &'static str,
    /// Other names that `--lang` takes, MOSS's codes among them.
    pub aliases: &'static [&'static str],
    /// File name extensions, lower-case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, lower-case.
    pub file_names: &'static [&'static str],
    /// Interpreters of a `#!` line, without path and version.
    pub interpreters: &'static [&'static str],
    /// Marks of the language with their weights: [`likeness`](fanmill::frontend::FrontEnd::likeness)
    /// sums the weights of those found in a text's first 8 KiB. Needed only where two languages
    /// claim one extension.
    pub hints: &'static [(&'static str, u32)],
    /// Raised whenever the same text would give other tokens. Part of the scheme.
    pub version: u32,
    /// Whether documents are compared as code or as prose.
    pub kind: Kind,
    /// Whether `IF` is `if`.
    pub case: Case,
    /// What a word that is no keyword stands for.
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
    /// ASCII characters that take the next one with them outside literals, so that it opens
    /// nothing, and mean nothing by themselves: the shell's `\` in `echo \"`.
    pub escapes: &'static str,
    /// Reserved words, the names of built-in types, and literals such as `true`. Not library names.
    pub keywords: &'static [&'static str],
    /// Those keywords that end an operand, so that `/` after them divides: `this`.
    pub operands: &'static [&'static str],
    /// Operators of two and more characters; a character that nothing claims is an operator by itself.
    pub operators: &'static [&'static str],
    /// Characters whose every run is one operator, where programs define their own: Haskell, ML.
    pub symbolic: &'static str,
    /// Comments, in any order: the longest opener wins.
    pub comments: &'static [Comment],
    /// Literals with quotes of some kind, in any order: the longest opener wins.
    pub quotes: &'static [Quote],
    /// How numbers are written.
    pub numbers: Numbers,
    /// Statements that every program has and that are therefore no evidence: they yield no tokens.
    pub imports: &'static [Import],
    /// Words that may stand before an operator or be left out, each with its operator: Java's
    /// `this .`, C++'s `std ::`. Both yield no tokens, since they are free to add and to remove.
    pub qualifiers: &'static [(&'static str, &'static str)],
    /// Parts in another language.
    pub islands: &'static [Island],
    /// Whether a string that makes up a whole statement is a comment.
    pub docstrings: Docstrings,
}

/// Whether upper and lower case differ in keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `If` is an identifier where `if` is a keyword.
    Matters,
    /// `If` is `if`; keywords are written in lower case in the table.
    Ignored,
}

/// What a word that is no keyword stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// The class of identifiers: renaming changes nothing.
    Class,
    /// Itself: markup, whose words are prose.
    Spelled,
    /// Itself if one of these characters follows (it is a key: JSON, CSS), else the class.
    /// A string before one of these is a key too.
    Keys(&'static str),
    /// Its first letter at the start of a line (SPICE: `R1` is a resistor), else the class.
    Initial,
}

/// Whether a string that makes up a whole statement is a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Docstrings {
    /// It is code like any other.
    Code,
    /// Alone on its line or lines and outside brackets, it is documentation (Python, Julia).
    Comment,
}

impl Language {
    /// The language without anything: white space separates words, the rest are operators.
    pub const EMPTY: Language = Language {
        name: "",
        aliases: &[],
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        hints: &[],
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
        docstrings: Docstrings::Code,
    };

    /// The keywords one by one.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> + use<> {
        split(self.keywords)
    }

    /// The operators of two and more characters one by one.
    pub fn operators(&self) -> impl Iterator<Item = &'static str> + use<> {
        split(self.operators)
    }

    /// The keywords that end an operand, one by one.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &'static str> + use<> {
        split(self.operands)
    }
}

/// The words of groups of blank-separated words.
fn split(groups: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    groups.iter().flat_map(|group| group.split_ascii_whitespace())
}
