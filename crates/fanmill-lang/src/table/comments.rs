//! Comments, as the table of a language describes them.

use super::fences::Fence;

/// One form of comment.
#[derive(Debug, Clone, Copy)]
pub struct Comment {
    pub(crate) open: &'static str,
    pub(crate) end: CommentEnd,
    pub(crate) place: CommentPlace,
    /// Bytes that may not follow the opener, or a repetition of its last character.
    pub(crate) unless: &'static str,
    pub(crate) is_alone: bool,
}

/// The end of a comment.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CommentEnd {
    /// The end of the line.
    Line,
    /// This text.
    Text(&'static str),
    /// The closing text that balances the opener.
    Nested(&'static str),
    /// The end of the line that starts, after blanks, with this text.
    LineOf(&'static str),
    /// The end of the line that starts, after blanks, with this text, or of the document if there is no such line.
    LineOfOrDocument(&'static str),
    /// The end of the document.
    Document,
    /// The fence that matches the one after the opener, or the end of the line if either is missing.
    Fence(Fence),
}

/// The place on its line where a comment may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentPlace {
    /// Anywhere outside literals.
    Anywhere,
    /// Only in this column, counted from 1.
    Column(usize),
    /// Only at the start of a line, after blanks.
    LineStart,
    /// Only in column 1 and between two statements: Perl's documentation.
    Statement,
    /// Only where a command may begin: at the start of a line, or after `;` or `{` (Tcl).
    Command,
    /// Not in the middle of a word (the shell's `#`; Visual Basic's `Rem`).
    Word,
    /// Anywhere, but directly after a word only if it closes on the same line: `src/*.ts` in the text of a JSX page is
    /// a path.
    NotPath,
}

impl Comment {
    const fn new(open: &'static str, end: CommentEnd) -> Comment {
        Comment { open, end, place: CommentPlace::Anywhere, unless: "", is_alone: false }
    }

    /// Returns a comment up to the end of the line: `//`.
    pub const fn line(open: &'static str) -> Comment {
        Comment::new(open, CommentEnd::Line)
    }

    /// Returns a comment from `open` to the first `close`: `/*` and `*/`.
    pub const fn block(open: &'static str, close: &'static str) -> Comment {
        Comment::new(open, CommentEnd::Text(close))
    }

    /// Returns a comment from `open` to the `close` that balances it: Rust's `/*` and `*/`.
    pub const fn nested(open: &'static str, close: &'static str) -> Comment {
        Comment::new(open, CommentEnd::Nested(close))
    }

    /// Returns a comment of whole lines, from one that starts with `open`, not followed by a letter, to one that starts
    /// with `close`: Ruby's `=begin` and `=end`.
    pub const fn lines(open: &'static str, close: &'static str) -> Comment {
        Comment { place: CommentPlace::LineStart, ..Comment::new(open, CommentEnd::LineOf(close)) }
    }

    /// Like [`Comment::lines`], but ends with the document if no line starts with `close`: Perl's documentation usually
    /// comes last, and is then not closed.
    pub const fn lines_or_rest(open: &'static str, close: &'static str) -> Comment {
        Comment {
            place: CommentPlace::LineStart,
            ..Comment::new(open, CommentEnd::LineOfOrDocument(close))
        }
    }

    /// Returns a comment from a line that consists of `open` to the end of the document: Perl's `__END__`.
    pub const fn rest(open: &'static str) -> Comment {
        Comment { place: CommentPlace::Column(1), ..Comment::new(open, CommentEnd::Document) }
            .alone()
    }

    /// Returns a block comment if a fence follows `open`, otherwise a line comment: Lua's `--[==[` and `--`.
    pub const fn fenced(open: &'static str, fence: Fence) -> Comment {
        Comment::new(open, CommentEnd::Fence(fence))
    }

    /// Restricts the comment to this place.
    #[must_use]
    pub const fn at(self, place: CommentPlace) -> Comment {
        Comment { place, ..self }
    }

    /// Rules the comment out if one of these ASCII characters follows the opener or a repetition of its last character:
    /// Haskell's `-->` is an operator.
    #[must_use]
    pub const fn unless(self, followers: &'static str) -> Comment {
        Comment { unless: followers, ..self }
    }

    /// For tests: returns a comment of this form that may follow any text, or an empty text.
    pub(crate) fn example(&self) -> String {
        let open = match self.place {
            CommentPlace::Statement => return String::new(),
            CommentPlace::Column(column) => format!("\n{}{}", " ".repeat(column - 1), self.open),
            _ => format!("\n{}", self.open),
        };
        match self.end {
            CommentEnd::Line | CommentEnd::Fence(_) => format!("{open} x y"),
            CommentEnd::Text(close) | CommentEnd::Nested(close) => format!("{open} x y {close}"),
            CommentEnd::LineOf(close) | CommentEnd::LineOfOrDocument(close) => {
                format!("{open}\nx y\n{close}")
            }
            CommentEnd::Document => String::new(),
        }
    }

    /// Rules the comment out if anything follows the opener on its line: Matlab's `%{`.
    #[must_use]
    pub const fn alone(self) -> Comment {
        Comment { is_alone: true, ..self }
    }

    /// Returns the text that opens the comment.
    pub fn opener(&self) -> &'static str {
        self.open
    }
}
