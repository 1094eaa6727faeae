//! Imports, as the table of a language describes them: what is dropped where they begin.

/// One form of import statement.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    pub(crate) head: &'static str,
    pub(crate) after: &'static str,
    pub(crate) then: &'static str,
    pub(crate) unless: &'static [&'static str],
    pub(crate) is_outermost: bool,
    pub(crate) has_header: bool,
    pub(crate) start: ImportStart,
    pub(crate) end: ImportEnd,
}

/// The place where an import may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportStart {
    Line,
    Statement,
    LineOrStatement,
    Anywhere,
}

/// The place where an import ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportEnd {
    /// A semicolon, or the end of a line outside brackets.
    Line,
    /// A semicolon.
    Semicolon,
    /// The bracket that closes the one before the import's first word.
    Bracket,
}

impl Import {
    const fn new(head: &'static str, start: ImportStart, end: ImportEnd) -> Import {
        Import {
            head,
            after: "",
            then: "",
            unless: &[],
            is_outermost: false,
            has_header: false,
            start,
            end,
        }
    }

    /// Returns an import from a word at the start of a line to the end of the line: `#include`. Inside brackets, lines
    /// continue.
    pub const fn line(head: &'static str) -> Import {
        Import::new(head, ImportStart::Line, ImportEnd::Line)
    }

    /// Returns an import from a word at the start of a line or statement to the semicolon: Java's `import`.
    pub const fn statement(head: &'static str) -> Import {
        Import::new(head, ImportStart::LineOrStatement, ImportEnd::Semicolon)
    }

    /// Returns an import from a word at the start of a line or statement to the semicolon or the end of the line:
    /// Python's `import`.
    pub const fn either(head: &'static str) -> Import {
        Import::new(head, ImportStart::LineOrStatement, ImportEnd::Line)
    }

    /// Returns an import from a bracket before this word to the closing bracket: Racket's `(require …)`.
    pub const fn bracketed(head: &'static str) -> Import {
        Import { after: "(", ..Import::new(head, ImportStart::Anywhere, ImportEnd::Bracket) }
    }

    /// Restricts the import to the start of a statement: Ada's `with` may begin a line in mid-statement.
    #[must_use]
    pub const fn after_statement(self) -> Import {
        Import { start: ImportStart::Statement, ..self }
    }

    /// Requires this operator before the word: Erlang's `-module`.
    #[must_use]
    pub const fn after(self, after: &'static str) -> Import {
        Import { after, ..self }
    }

    /// Requires this word after the first: C++'s `using namespace`.
    #[must_use]
    pub const fn then(self, then: &'static str) -> Import {
        Import { then, ..self }
    }

    /// Rules the import out if one of these texts follows: C#'s `using (`.
    #[must_use]
    pub const fn unless(self, unless: &'static [&'static str]) -> Import {
        Import { unless, ..self }
    }

    /// Lets a name between `<` and `>` follow, in which nothing opens: C's `#include </*x>`.
    #[must_use]
    pub const fn header(self) -> Import {
        Import { has_header: true, ..self }
    }

    /// Restricts the import to places outside all brackets: inside, C#'s `using` declares a variable.
    #[must_use]
    pub const fn outermost(self) -> Import {
        Import { is_outermost: true, ..self }
    }
}
