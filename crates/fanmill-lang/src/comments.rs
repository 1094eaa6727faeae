//! Comments: how a table describes them, and how the engine passes over them.
//!
//! A comment yields no token. A block comment that is never closed runs to the end of the text,
//! as compilers have it, unless the table says [`Comment::closed`].

use memchr::{memchr, memmem};

use crate::cursor::Cursor;
use crate::fences::Fence;

/// One form of comment.
#[derive(Debug, Clone, Copy)]
pub struct Comment {
    pub(crate) open: &'static str,
    pub(crate) end: End,
    pub(crate) place: Place,
    /// After the opener, repeated or not, none of these bytes may follow.
    pub(crate) unless: &'static str,
    pub(crate) is_alone: bool,
}

/// Where a comment ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    /// With its line.
    Line,
    /// With this text, or with the document.
    Text(&'static str),
    /// With this text; without it there is no comment at all.
    ClosedText(&'static str),
    /// With this text, after as many as there were openers.
    Nested(&'static str),
    /// With the line that begins, after blanks, with this text.
    LineOf(&'static str),
    /// With the document.
    Document,
    /// With the bracket that mirrors the one after the opener; if there is none, with the line.
    Fence(Fence),
}

/// Where on its line a comment may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Anywhere outside literals.
    Anywhere,
    /// In this column only; the first is 1.
    Column(usize),
    /// After blanks only.
    LineStart,
    /// In column 1 and between two statements only: Perl's documentation.
    Statement,
    /// Where a command may stand: after blanks, `;`, `{` or a line's start (Tcl).
    Command,
    /// Not in the middle of a word (the shell's `#`; Visual Basic's `Rem`).
    Word,
}

impl Comment {
    const fn new(open: &'static str, end: End) -> Comment {
        Comment { open, end, place: Place::Anywhere, unless: "", is_alone: false }
    }

    /// To the end of the line: `//`.
    pub const fn line(open: &'static str) -> Comment {
        Comment::new(open, End::Line)
    }

    /// From `open` to the first `close`: `/*` and `*/`.
    pub const fn block(open: &'static str, close: &'static str) -> Comment {
        Comment::new(open, End::Text(close))
    }

    /// The same for a language that we only guess: without `close` it is no comment.
    pub const fn closed(open: &'static str, close: &'static str) -> Comment {
        Comment::new(open, End::ClosedText(close))
    }

    /// From `open` to the `close` that balances it: Rust's `/*` and `*/`.
    pub const fn nested(open: &'static str, close: &'static str) -> Comment {
        Comment::new(open, End::Nested(close))
    }

    /// Whole lines, from one that starts with `open`, and no letter after it, to one that starts
    /// with `close`: Ruby's `=begin` and `=end`.
    pub const fn lines(open: &'static str, close: &'static str) -> Comment {
        Comment { place: Place::LineStart, ..Comment::new(open, End::LineOf(close)) }
    }

    /// From a line that is `open` and nothing else to the end of the document: Perl's `__END__`.
    pub const fn rest(open: &'static str) -> Comment {
        Comment { place: Place::Column(1), ..Comment::new(open, End::Document) }.alone()
    }

    /// A block with a fence of variable length after `open`, or else a line: Lua's `--[==[`.
    pub const fn fenced(open: &'static str, fence: Fence) -> Comment {
        Comment::new(open, End::Fence(fence))
    }

    /// The same comment, only at this place.
    #[must_use]
    pub const fn at(self, place: Place) -> Comment {
        Comment { place, ..self }
    }

    /// The same comment, unless one of these ASCII characters follows the opener, where the
    /// opener's last character may be repeated: Haskell's `-->` is an operator.
    #[must_use]
    pub const fn unless(self, followers: &'static str) -> Comment {
        Comment { unless: followers, ..self }
    }

    /// A comment of this form that may stand on a line of its own, for tests; empty if none may
    /// stand anywhere.
    pub(crate) fn example(&self) -> String {
        let open = match self.place {
            Place::Statement => return String::new(),
            Place::Column(column) => format!("\n{}{}", " ".repeat(column - 1), self.open),
            _ => format!("\n{}", self.open),
        };
        match self.end {
            End::Line | End::Fence(_) => format!("{open} x y"),
            End::Text(close) | End::ClosedText(close) | End::Nested(close) => {
                format!("{open} x y {close}")
            }
            End::LineOf(close) => format!("{open}\nx y\n{close}"),
            End::Document => String::new(),
        }
    }

    /// The same comment, only if nothing follows the opener on its line: Matlab's `%{`.
    #[must_use]
    pub const fn alone(self) -> Comment {
        Comment { is_alone: true, ..self }
    }

    /// What opens the comment.
    pub fn opener(&self) -> &'static str {
        self.open
    }
}

impl Cursor<'_> {
    /// Passes over the comment whose opener stands here; `false` if it is none in this place.
    pub(crate) fn comment(&mut self, comment: &Comment) -> bool {
        if !self.is_at(comment.place, comment.open) || self.is_denied(comment) {
            return false;
        }
        let body = self.at + comment.open.len();
        let end = match comment.end {
            End::Line => self.comment_line_end(body),
            End::Text(close) => self.find(close, body).unwrap_or(self.bytes.len()),
            End::ClosedText(close) => match self.find_once(close.as_bytes(), body) {
                Some(end) => end,
                None => return false,
            },
            End::Nested(close) => self.nested_end(comment.open, close, body),
            End::LineOf(close) => self.line_of(close, body),
            End::Document => self.bytes.len(),
            End::Fence(fence) => self.fenced_end(fence, body),
        };
        self.at = end;
        true
    }

    /// Whether a comment with this opener may stand here.
    fn is_at(&self, place: Place, open: &str) -> bool {
        match place {
            Place::Anywhere => true,
            Place::Column(column) => self.is_in_column(column),
            Place::LineStart => self.is_line_start(self.at),
            Place::Statement => self.is_in_column(1) && self.is_statement_start(self.at),
            Place::Command => {
                self.is_line_start(self.at) || matches!(self.last_visible(), Some(b';' | b'{'))
            }
            Place::Word => {
                let before = self.at.checked_sub(1).map(|i| self.bytes[i]);
                let after = self.bytes.get(self.at + open.len()).copied();
                let is_part = |byte: Option<u8>| byte.is_some_and(|b| self.tables.is_word_part(b));
                let is_word = is_part(open.bytes().last());
                before.is_none_or(|b| b.is_ascii_whitespace() || b";()&|`".contains(&b))
                    && !(is_word && is_part(after))
            }
        }
    }

    /// Whether what follows the opener forbids the comment.
    fn is_denied(&self, comment: &Comment) -> bool {
        let rest = &self.bytes[self.at + comment.open.len()..];
        let last = comment.open.as_bytes()[comment.open.len() - 1];
        let has_follower = || {
            let after = rest.iter().find(|b| **b != last);
            after.is_some_and(|b| comment.unless.as_bytes().contains(b))
        };
        let is_longer_word = || {
            let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b == b'_';
            matches!(comment.end, End::LineOf(_)) && rest.first().is_some_and(is_letter)
        };
        let has_company = || {
            let after = rest.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
            comment.is_alone && after.is_some_and(|b| *b != b'\n')
        };
        (!comment.unless.is_empty() && has_follower()) || is_longer_word() || has_company()
    }

    /// The end of a line comment: the line's, or the closing of the island around it if that
    /// comes first (`<?php // so ?>`).
    fn comment_line_end(&self, from: usize) -> usize {
        let end = self.line_end(from);
        match self.tables.leave {
            Some(leave) => {
                memmem::find(&self.bytes[from..end], leave.as_bytes()).map_or(end, |i| from + i)
            }
            None => end,
        }
    }

    /// One past the `close` that balances the opener before `from`, or the end of the text.
    fn nested_end(&self, open: &str, close: &str, from: usize) -> usize {
        let (open, close) = (open.as_bytes(), close.as_bytes());
        let (mut at, mut depth) = (from, 1_usize);
        while let Some(i) = memchr::memchr2(open[0], close[0], &self.bytes[at..]) {
            at += i;
            if self.bytes[at..].starts_with(close) {
                at += close.len();
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            } else if self.bytes[at..].starts_with(open) {
                at += open.len();
                depth += 1;
            } else {
                at += 1;
            }
        }
        self.bytes.len()
    }

    /// The end of the first line below `from` that begins, after blanks, with `close`.
    fn line_of(&self, close: &str, from: usize) -> usize {
        let mut at = self.line_end(from);
        while at < self.bytes.len() {
            at += 1;
            let line = &self.bytes[at..];
            let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            let end = self.line_end(at);
            if line[blanks..].starts_with(close.as_bytes()) {
                return end;
            }
            at = end;
        }
        at
    }

    /// The end of a comment that is a line unless a fence follows its opener.
    fn fenced_end(&mut self, fence: Fence, from: usize) -> usize {
        match self.fence(fence, from) {
            Some((close, body)) => memmem::find(&self.bytes[body..], &close)
                .map_or(self.bytes.len(), |i| body + i + close.len()),
            None => self.line_end(from),
        }
    }

    /// One past the first `close` at or after `from`.
    fn find(&self, close: &str, from: usize) -> Option<usize> {
        memmem::find(&self.bytes[from..], close.as_bytes()).map(|i| from + i + close.len())
    }

    /// Where the line of `from` ends: at its newline or with the text.
    pub(crate) fn line_end(&self, from: usize) -> usize {
        memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |i| from + i)
    }
}
