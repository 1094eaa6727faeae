//! Comments: their description in a table, and the code that skips them.
//!
//! A comment yields no token. An opener that is never closed does not begin a comment, and is read as something else: a
//! compiler would reject it, and one opener must not hide the rest of a document from comparison. A nested comment that
//! does not balance ends with the first closer. The engine remembers failed searches, so that a document full of
//! openers takes linear time.

use memchr::{memchr, memmem};

use crate::cursor::Cursor;
use crate::table::comments::{Comment, CommentEnd, CommentPlace};
use crate::table::fences::Fence;

impl Cursor<'_> {
    /// Skips the comment whose opener is at this position; returns `false` if it is not a comment here.
    pub(crate) fn comment(&mut self, comment: &Comment) -> bool {
        if !self.is_at(comment.place, comment.open) || self.is_denied(comment) {
            return false;
        }
        let body = self.at + comment.open.len();
        let end = match comment.end {
            CommentEnd::Line => Some(self.comment_line_end(body)),
            CommentEnd::Text(close) => self.closer(close, body),
            CommentEnd::Nested(close) => {
                self.nested_end(comment.open, close, body).or_else(|| self.closer(close, body))
            }
            CommentEnd::LineOf(close) => self.line_of(close, body),
            CommentEnd::LineOfOrDocument(close) => {
                Some(self.line_of(close, body).unwrap_or(self.bytes.len()))
            }
            CommentEnd::Document => Some(self.bytes.len()),
            CommentEnd::Fence(fence) => Some(self.fenced_end(fence, body)),
        };
        if let Some(end) = end {
            self.at = end;
        }
        end.is_some()
    }

    /// Returns whether a comment with this opener may begin at this position.
    fn is_at(&self, place: CommentPlace, open: &str) -> bool {
        match place {
            CommentPlace::Anywhere => true,
            CommentPlace::Column(column) => self.is_in_column(column),
            CommentPlace::LineStart => self.is_line_start(self.at),
            CommentPlace::Statement => self.is_in_column(1) && self.is_statement_start(self.at),
            CommentPlace::Command => {
                self.is_line_start(self.at) || matches!(self.last_visible(), Some(b';' | b'{'))
            }
            CommentPlace::NotPath => {
                /// In bytes. The bound keeps a document full of openers linear.
                const LONGEST: usize = 256;
                let rest = &self.bytes[self.at..self.bytes.len().min(self.at + LONGEST)];
                let is_glued = self.at > 0 && self.tables.is_word_part(self.bytes[self.at - 1]);
                let line_end = || memchr(b'\n', rest).unwrap_or(rest.len());
                !is_glued || memmem::find(&rest[..line_end()], b"*/").is_some()
            }
            CommentPlace::Word => {
                let before = self.at.checked_sub(1).map(|i| self.bytes[i]);
                let after = self.bytes.get(self.at + open.len()).copied();
                let is_part = |byte: Option<u8>| byte.is_some_and(|b| self.tables.is_word_part(b));
                let is_word = is_part(open.bytes().last());
                before.is_none_or(|b| b.is_ascii_whitespace() || b";()&|`".contains(&b))
                    && !(is_word && is_part(after))
            }
        }
    }

    /// Returns whether the text after the opener rules the comment out.
    fn is_denied(&self, comment: &Comment) -> bool {
        let rest = &self.bytes[self.at + comment.open.len()..];
        let last = comment.open.as_bytes()[comment.open.len() - 1];
        // `unless`: the first byte that is not a repetition of the opener's last one decides.
        let has_follower = || {
            let after = rest.iter().find(|b| **b != last);
            after.is_some_and(|b| comment.unless.as_bytes().contains(b))
        };
        // Ruby's `=begin` is not the start of `=beginning`.
        let is_longer_word = || {
            let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b == b'_';
            matches!(comment.end, CommentEnd::LineOf(_) | CommentEnd::LineOfOrDocument(_))
                && rest.first().is_some_and(is_letter)
        };
        // `alone`: something else follows on the opener's line.
        let has_company = || {
            let after = rest.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
            comment.is_alone && after.is_some_and(|b| *b != b'\n')
        };
        (!comment.unless.is_empty() && has_follower()) || is_longer_word() || has_company()
    }

    /// Returns the end of a line comment: the end of the line, or the closer of the island around it if that comes
    /// first (`<?php // so ?>`).
    fn comment_line_end(&self, from: usize) -> usize {
        let end = self.line_end(from);
        match self.tables.leave {
            Some(leave) => {
                memmem::find(&self.bytes[from..end], leave.as_bytes()).map_or(end, |i| from + i)
            }
            None => end,
        }
    }

    /// Returns the position after the first `close` at or after `from`.
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

    /// Returns whether a search for this closer is known to fail from `from` on.
    fn is_unclosed(&self, close: &str, from: usize) -> bool {
        // The failed search may have been in an island, which ends before the document does. It only counts up to where
        // it ended.
        let end = self.bytes.len();
        from >= end || self.closers.iter().any(|&(text, to)| text == close && to >= end)
    }

    /// Notes that there is no further closer up to the end of `bytes`.
    fn note_unclosed(&mut self, close: &'static str) {
        let to = self.bytes.len();
        match self.closers.iter_mut().find(|(text, _)| *text == close) {
            Some(known) => known.1 = to,
            None => self.closers.push((close, to)),
        }
    }

    /// Returns the position after the `close` that balances the opener before `from`.
    fn nested_end(&mut self, open: &str, close: &str, from: usize) -> Option<usize> {
        /// Maximum number of failed searches in one document, since each may run to its end.
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

    /// Returns the end of the first line after that of `from` that starts, after blanks, with `close`.
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

    /// Returns the end of a comment that is fenced if a fence follows its opener, and otherwise ends with the line.
    fn fenced_end(&mut self, fence: Fence, from: usize) -> usize {
        let end = self.fence(fence, from).and_then(|(close, body)| self.find_once(&close, body));
        end.unwrap_or_else(|| self.line_end(from))
    }

    /// Returns the end of the line of `from`: its newline, or the end of the text.
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
        expect("xml", "a <!-- b\nc", "a < ! - - b c");
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
    fn a_closer_missing_in_an_island_may_follow_after_it() {
        let text = "<script>a /* b</script>\n<script>c /* d */ e /* f</script>";
        expect("html", text, "<script > ID / * ID </ script > <script > ID ID / * ID </ script >");
    }

    #[test]
    fn perl_documentation_may_come_last() {
        expect("perl", "f();\n=head1 NAME\n\nit's\n", "ID ( ) ;");
    }

    #[test]
    fn unclosed_comments_in_many_islands_take_linear_time() {
        let html = front_end("html").expect("it has a table");
        let text = "<script>/* a</script>\n<style>/* b</style>\n".repeat(20_000);
        let mut tokens = fanmill_text::token::Tokens::default();
        fanmill_text::frontend::FrontEnd::tokenize(&html, &text, &mut tokens);
        assert!(tokens.len() > 20_000);
    }
}
