//! Templates and tables: where each that is closed ends.
//!
//! Braces are matched on a stack, in one pass. A brace that is never closed is no template, and what follows it is text.

use super::tags::{Tags, behind_literal};

/// A template or a table that is within no other, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// An open brace.
#[derive(Debug, Clone, Copy)]
struct Open {
    start: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `{{` or, of a parameter, `{{{`.
    Template(usize),
    /// `{|`
    Table,
}

/// Finds all outermost templates and tables that are closed, in their order.
pub(super) fn blocks(source: &str) -> Vec<Block> {
    let bytes = source.as_bytes();
    let mut matching = Matching::default();
    let mut tags = Tags::new(source);
    let mut at = 0;
    while let Some(n) = bytes.get(at..).and_then(|rest| memchr::memchr3(b'{', b'}', b'<', rest)) {
        at += n;
        at = match bytes[at] {
            b'<' => behind_literal(&mut tags, at).unwrap_or(at + 1),
            b'{' => matching.open(bytes, at),
            _ => matching.close(bytes, at),
        };
    }
    matching.outermost()
}

#[derive(Debug, Default)]
struct Matching {
    stack: Vec<Open>,
    n_tables: usize,
    n_templates: usize,
    found: Vec<Block>,
}

impl Matching {
    fn open(&mut self, bytes: &[u8], at: usize) -> usize {
        let n = run(bytes, at, b'{');
        if n == 1 {
            if bytes.get(at + 1) == Some(&b'|') && begins_line(bytes, at) {
                self.stack.push(Open { start: at, kind: Kind::Table });
                self.n_tables += 1;
                return at + 2;
            }
            return at + 1;
        }
        // The first braces of an odd number are those of a parameter.
        let mut left = n;
        while left > 1 {
            let width = if left == 3 { 3 } else { 2 };
            self.stack.push(Open { start: at + n - left, kind: Kind::Template(width) });
            self.n_templates += 1;
            left -= width;
        }
        at + n
    }

    fn close(&mut self, bytes: &[u8], at: usize) -> usize {
        let n = run(bytes, at, b'}');
        let is_table_end = at > 0 && bytes[at - 1] == b'|' && begins_line(bytes, at - 1);
        if n == 1 {
            if is_table_end && self.n_tables > 0 {
                self.pop(|kind| kind == Kind::Table, at + 1);
            }
            return at + 1;
        }
        let mut left = n;
        while left > 1 && self.n_templates > 0 {
            let is_template = |kind: Kind| matches!(kind, Kind::Template(_));
            let width = self.stack.iter().rev().find_map(|open| match open.kind {
                Kind::Template(width) => Some(width),
                Kind::Table => None,
            });
            let width = width.unwrap_or(2).min(left);
            left -= width;
            self.pop(is_template, at + n - left);
        }
        at + n
    }

    /// Takes everything from the stack up to the first of a kind, which ends here.
    fn pop(&mut self, is_it: impl Fn(Kind) -> bool, end: usize) {
        while let Some(open) = self.stack.pop() {
            match open.kind {
                Kind::Table => self.n_tables -= 1,
                Kind::Template(_) => self.n_templates -= 1,
            }
            if is_it(open.kind) {
                // What was found inside is part of it.
                while self.found.pop_if(|inside| inside.start > open.start).is_some() {}
                self.found.push(Block { start: open.start, end });
                return;
            }
        }
    }

    fn outermost(self) -> Vec<Block> {
        self.found
    }
}

/// Returns the number of equal bytes from a position on.
fn run(bytes: &[u8], at: usize, byte: u8) -> usize {
    bytes[at..].iter().take_while(|&&other| other == byte).count()
}

/// Returns whether only blanks, and marks of lists and indents, are before a position in its line.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 64;
    let from = at.saturating_sub(LONGEST);
    let before = &bytes[from..at];
    let begin = memchr::memrchr(b'\n', before).map(|n| n + 1).or((from == 0).then_some(0));
    begin.is_some_and(|begin| {
        before[begin..].iter().all(|byte| matches!(byte, b' ' | b'\t' | b':' | b'*' | b'#'))
    })
}
