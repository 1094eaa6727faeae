//! Comments: how a table describes them, and how the engine passes over them.
//!
//! A comment yields no token. What is never closed is no comment, and its opener is read as
//! whatever else it may be: a compiler would reject it, and one opener must not hide the rest of a
//! document from comparison. Comments that nest, but do not balance, end with the first closer.
//! Searches that fail are remembered, so that a document of openers costs linear time.

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
    /// With this text.
    Text(&'static str),
    /// With this text, after as many as there were openers.
    Nested(&'static str),
    /// With the line that begins, after blanks, with this text.
    LineOf(&'static str),
    /// The same, or with the document.
    LineOfOrDocument(&'static str),
    /// With the document.
    Document,
    /// With the bracket that mirrors the one after the opener; if either is missing, with the line.
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
    /// Anywhere, but directly after a word only if it closes on the same line: `src/*.ts` in the
    /// text of a JSX page is a path.
    NotPath,
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

    /// From `open` to the `close` that balances it: Rust's `/*` and `*/`.
    pub const fn nested(open: &'static str, close: &'static str) -> Comment {
        Comment::new(open, End::Nested(close))
    }

    /// Whole lines, from one that starts with `open`, and no letter after it, to one that starts
    /// with `close`: Ruby's `=begin` and `=end`.
    pub const fn lines(open: &'static str, close: &'static str) -> Comment {
        Comment { place: Place::LineStart, ..Comment::new(open, End::LineOf(close)) }
    }

    /// The same, to the end of the document if no line starts with `close`: Perl's documentation
    /// usually comes last and is then not closed.
    pub const fn lines_or_rest(open: &'static str, close: &'static str) -> Comment {
        Comment { place: Place::LineStart, ..Comment::new(open, End::LineOfOrDocument(close)) }
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
            End::Text(close) | End::Nested(close) => format!("{open} x y {close}"),
            End::LineOf(close) | End::LineOfOrDocument(close) => {
                format!("{open}\nx y\n{close}")
            }
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
            End::Line => Some(self.comment_line_end(body)),
            End::Text(close) => self.closer(close, body),
            End::Nested(close) => {
                self.nested_end(comment.open, close, body).or_else(|| self.closer(close, body))
            }
            End::LineOf(close) => self.line_of(close, body),
            End::LineOfOrDocument(close) => {
                Some(self.line_of(close, body).unwrap_or(self.bytes.len()))
            }
            End::Document => Some(self.bytes.len()),
            End::Fence(fence) => Some(self.fenced_end(fence, body)),
        };
        if let Some(end) = end {
            self.at = end;
        }
        end.is_some()
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
            Place::NotPath => {
                /// Bytes. A bound keeps a document of openers linear.
                const LONGEST: usize = 256;
                let rest = &self.bytes[self.at..self.bytes.len().min(self.at + LONGEST)];
                let is_glued = self.at > 0 && self.tables.is_word_part(self.bytes[self.at - 1]);
                let line_end = || memchr(b'\n', rest).unwrap_or(rest.len());
                !is_glued || memmem::find(&rest[..line_end()], b"*/").is_some()
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
            matches!(comment.end, End::LineOf(_) | End::LineOfOrDocument(_))
                && rest.first().is_some_and(is_letter)
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

    /// One past the first `close` at or after `from`.
    fn closer(&mut self, close: &'static str, from: usize) -> Option<usize> {
        if self.is_unclosed(close, from) {
            return None;
        }
        let found = memmem::find(&self.bytes[from..], close.as_bytes());
        if found.is_none() {
            self.note_unclosed(close);
        }
        found.map(|i| from + i + close.len())
    }

    /// Whether a search for this closer is known to fail from `from` on.
    fn is_unclosed(&self, close: &str, from: usize) -> bool {
        // An island ends before the document: what it lacks may follow below.
        let end = self.bytes.len();
        from >= end || self.closers.iter().any(|&(text, to)| text == close && to >= end)
    }

    /// Notes that no such closer follows.
    fn note_unclosed(&mut self, close: &'static str) {
        let to = self.bytes.len();
        match self.closers.iter_mut().find(|(text, _)| *text == close) {
            Some(known) => known.1 = to,
            None => self.closers.push((close, to)),
        }
    }

    /// One past the `close` that balances the opener before `from`.
    fn nested_end(&mut self, open: &str, close: &str, from: usize) -> Option<usize> {
        /// Searches that may fail in one document: each may run to its end.
        const MOST: u32 = 8;
        if self.unbalanced >= MOST {
            return None;
        }
        let (open, close) = (open.as_bytes(), close.as_bytes());
        let (mut at, mut depth) = (from, 1_usize);
        while let Some(i) = memchr::memchr2(open[0], close[0], &self.bytes[at..]) {
            at += i;
            if self.bytes[at..].starts_with(close) {
                at += close.len();
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            } else if self.bytes[at..].starts_with(open) {
                at += open.len();
                depth += 1;
            } else {
                at += 1;
            }
        }
        self.unbalanced += 1;
        None
    }

    /// The end of the first line below `from` that begins, after blanks, with `close`.
    fn line_of(&mut self, close: &'static str, from: usize) -> Option<usize> {
        if self.is_unclosed(close, from) {
            return None;
        }
        let mut at = self.line_end(from);
        while at < self.bytes.len() {
            at += 1;
            let line = &self.bytes[at..];
            let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            let end = self.line_end(at);
            if line[blanks..].starts_with(close.as_bytes()) {
                return Some(end);
            }
            at = end;
        }
        self.note_unclosed(close);
        None
    }

    /// The end of a comment that is a line unless a fence follows its opener.
    fn fenced_end(&mut self, fence: Fence, from: usize) -> usize {
        let end = self.fence(fence, from).and_then(|(close, body)| self.find_once(&close, body));
        end.unwrap_or_else(|| self.line_end(from))
    }

    /// Where the line of `from` ends: at its newline or with the text.
    pub(crate) fn line_end(&self, from: usize) -> usize {
        memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |i| from + i)
    }
}

#[cfg(test)]
mod tests {
    use crate::conformance::expect_tokens;
    use crate::front_end;

    fn expect(language: &str, text: &str, expected: &str) {
        expect_tokens(&front_end(language).expect("it has a table"), text, expected);
    }

    #[test]
    fn an_unclosed_comment_hides_nothing() {
        expect("c", "a; /* b;\nc;", "ID ; / * ID ; ID ;");
        expect("rust", "a; /* b;\nc;", "ID ; / * ID ; ID ;");
        expect("pascal", "a; (* b;\n{ c;", "ID ; ( * ID ; { ID ;");
        expect("haskell", "a {- b\nc", "ID { - ID ID");
        expect("scheme", "a #| b\nc", "ID # | ID ID");
        expect("html", "a <!-- b\nc", "a < ! - - b c");
        expect("lua", "a --[[ b\nc --[==[ d\ne", "ID ID ID");
        expect("ruby", "=begin\na\n", "= begin ID");
        expect("matlab", "a\n%{\nb\n", "ID ID");
        expect("powershell", "a <# b\nc", "ID < ID");
        expect("javascript", "a = /* b / c\nd", "ID = / * ID / ID ID");
    }

    #[test]
    fn a_comment_that_nests_but_does_not_balance_ends_with_the_first_closer() {
        expect("rust", "a /* b /* c */ d\ne /* f */ g", "ID ID ID ID");
        expect("ocaml", "a (* \"(*\" *) b (* c (* d *) e *) f", "ID ID ID");
        expect("rust", "a /* b /* c */ d */ e", "ID ID");
    }

    #[test]
    fn what_an_island_lacks_may_follow_below() {
        let text = "<script>a /* b</script>\n<script>c /* d */ e /* f</script>";
        expect("html", text, "<script > ID / * ID </ script > <script > ID ID / * ID </ script >");
    }

    #[test]
    fn documentation_of_perl_may_be_last() {
        expect("perl", "f();\n=head1 NAME\n\nit's\n", "ID ( ) ;");
    }

    #[test]
    fn unclosed_comments_in_many_islands_take_no_time() {
        let html = front_end("html").expect("it has a table");
        let text = "<script>/* a</script>\n<style>/* b</style>\n".repeat(20_000);
        let mut tokens = fanmill::token::Tokens::default();
        fanmill::frontend::FrontEnd::tokenize(&html, &text, &mut tokens);
        assert!(tokens.len() > 20_000);
    }
}
