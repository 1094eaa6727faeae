//! One pass over wikitext, from which the text is written.

use std::borrow::Cow;

use memchr::memchr;

use super::LinkNames;
use super::braces::{Block, blocks};
use super::links::{DEEPEST, OpenLink, close, external};
use super::tags::{Markup, Tags};

/// Maximum length of a character reference in bytes.
const LONGEST_REFERENCE: usize = 34;

/// Reads wikitext; returns its text, with lines as they are.
pub(super) fn read(source: &str, names: &LinkNames) -> String {
    let mut reader = Reader {
        source,
        names,
        tags: Tags::new(source),
        blocks: blocks(source).into_iter(),
        block: None,
        out: String::with_capacity(source.len() / 2),
        links: Vec::new(),
        heading_end: None,
        words_end: None,
        n_variants: 0,
    };
    reader.block = reader.blocks.next();
    reader.run();
    reader.out
}

#[derive(Debug)]
struct Reader<'s> {
    source: &'s str,
    names: &'s LinkNames,
    tags: Tags<'s>,
    blocks: std::vec::IntoIter<Block>,
    /// The next template or table.
    block: Option<Block>,
    out: String,
    links: Vec<OpenLink>,
    /// The beginning of the marks behind the heading that is open.
    heading_end: Option<usize>,
    /// The end of the words of a link to another site.
    words_end: Option<usize>,
    /// Number of open choices between scripts of a language, whose words all stay.
    n_variants: usize,
}

impl Reader<'_> {
    fn run(&mut self) {
        let bytes = self.source.as_bytes();
        let mut at = self.line(0);
        while at < bytes.len() {
            let n = bytes[at..].iter().position(|&byte| is_markup(byte));
            let stop = n.map_or(bytes.len(), |n| at + n);
            self.out.push_str(&self.source[at..stop]);
            at = stop;
            if at < bytes.len() {
                at = self.markup(at);
            }
        }
    }

    /// Reads what may be markup; returns the position behind it.
    fn markup(&mut self, at: usize) -> usize {
        let bytes = self.source.as_bytes();
        let next = bytes.get(at + 1).copied();
        match (bytes[at], next) {
            (b'\n', _) => {
                self.out.push('\n');
                if next == Some(b'\n') {
                    // Links do not go on behind a paragraph.
                    self.links.clear();
                }
                self.heading_end = None;
                self.line(at + 1)
            }
            (b'{', _) => self.brace(at),
            (b'<', _) => self.tag(at),
            (b'[', Some(b'[')) if self.links.len() < DEEPEST => {
                self.links.push(OpenLink { start: self.out.len(), pipe: None });
                at + 2
            }
            (b'|', _) => {
                let end = self.out.len();
                match self.links.last_mut() {
                    Some(link) if link.pipe.is_none() => link.pipe = Some(end),
                    _ => self.out.push('|'),
                }
                at + 1
            }
            (b']', Some(b']')) if !self.links.is_empty() => {
                if let Some(link) = self.links.pop() {
                    close(link, &mut self.out, self.names);
                }
                at + 2
            }
            (b']', _) if self.words_end == Some(at) => {
                self.words_end = None;
                at + 1
            }
            (b'[', _) => match external(self.source, at) {
                Some((words, _)) => {
                    self.words_end = Some(words.end);
                    words.start
                }
                None => self.letter(at),
            },
            (b'\'', Some(b'\'')) => self.quotes(at),
            (b'&', _) => self.reference(at),
            (b'=', _) if self.heading_end == Some(at) => {
                self.out.push_str("\n\n");
                self.heading_end = None;
                memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n)
            }
            (b'_', Some(b'_')) => self.switch(at),
            (b'-', Some(b'{')) => {
                self.n_variants += 1;
                at + 2
            }
            (b'}', Some(b'-')) if self.n_variants > 0 => {
                self.n_variants -= 1;
                at + 2
            }
            _ => self.letter(at),
        }
    }

    /// Writes one byte of markup as text.
    fn letter(&mut self, at: usize) -> usize {
        self.out.push_str(&self.source[at..=at]);
        at + 1
    }

    /// Reads the marks at the beginning of a line; returns the position behind them.
    fn line(&mut self, at: usize) -> usize {
        let rest = &self.source.as_bytes()[at..];
        match rest.first() {
            Some(b'=') => self.heading(at),
            Some(b'*' | b'#' | b':' | b';') => {
                let n = rest.iter().take_while(|byte| b"*#:; ".contains(byte)).count();
                at + n
            }
            Some(b'-') => {
                let n = rest.iter().take_while(|&&byte| byte == b'-').count();
                if n >= 4 { at + n } else { at }
            }
            _ => at,
        }
    }

    /// Reads the beginning of a heading; returns the position behind its marks.
    fn heading(&mut self, at: usize) -> usize {
        let rest = &self.source[at..];
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line).trim_end();
        let line = match line.rfind("<!--") {
            Some(n) if line.ends_with("-->") => line[..n].trim_end(),
            _ => line,
        };
        let marks = |line: &str| line.bytes().take(6).take_while(|&byte| byte == b'=').count();
        let behind = line.bytes().rev().take(6).take_while(|&byte| byte == b'=').count();
        let n = marks(line).min(behind);
        if n == 0 || line.len() <= 2 * n {
            return at;
        }
        self.heading_end = Some(at + line.len() - n);
        self.out.push('\n');
        let blanks = line[n..].bytes().take_while(|&byte| byte == b' ').count();
        at + n + blanks
    }

    /// Passes over a template or a table, or writes a brace that is neither.
    fn brace(&mut self, at: usize) -> usize {
        while self.block.is_some_and(|block| block.start < at) {
            self.block = self.blocks.next();
        }
        match self.block {
            Some(Block { start, end }) if start == at => {
                if self.source[at..].starts_with("{|") {
                    self.out.push('\n');
                }
                end
            }
            _ => self.letter(at),
        }
    }

    fn tag(&mut self, at: usize) -> usize {
        match self.tags.at(at) {
            Markup::Dropped(end) => end,
            Markup::Literal(inside, end, is_block) => {
                if is_block {
                    self.out.push('\n');
                }
                self.out.push_str(&html_escape::decode_html_entities(inside));
                if is_block {
                    self.out.push('\n');
                }
                end
            }
            Markup::Tag(end, is_line) => {
                if is_line {
                    self.out.push('\n');
                }
                end
            }
            Markup::Text => self.letter(at),
        }
    }

    /// Drops the quotes of bold and italic words, and leaves an apostrophe beside them.
    fn quotes(&mut self, at: usize) -> usize {
        let n = self.source.as_bytes()[at..].iter().take_while(|&&byte| byte == b'\'').count();
        let n_left = match n {
            2 | 3 | 5 => 0,
            4 => 1,
            _ => n - 5,
        };
        self.out.extend(std::iter::repeat_n('\'', n_left));
        at + n
    }

    fn reference(&mut self, at: usize) -> usize {
        let bytes = self.source.as_bytes();
        let head = &bytes[at..bytes.len().min(at + LONGEST_REFERENCE)];
        let Some(n) = memchr(b';', head) else { return self.letter(at) };
        let own = &self.source[at..=at + n];
        match html_escape::decode_html_entities(own) {
            Cow::Owned(text) => self.out.push_str(match text.as_str() {
                "\u{A0}" => " ",
                text => text,
            }),
            Cow::Borrowed(_) => return self.letter(at),
        }
        at + n + 1
    }

    /// Passes over a switch such as `__NOTOC__`.
    fn switch(&mut self, at: usize) -> usize {
        const LONGEST: usize = 32;
        let rest = &self.source.as_bytes()[at + 2..];
        let n = rest.iter().take(LONGEST).take_while(|byte| byte.is_ascii_uppercase()).count();
        if n > 2 && rest[n..].starts_with(b"__") { at + 4 + n } else { self.letter(at) }
    }
}

/// Returns whether a byte may be the beginning of markup.
fn is_markup(byte: u8) -> bool {
    matches!(
        byte,
        b'\n' | b'{' | b'}' | b'<' | b'[' | b']' | b'|' | b'\'' | b'&' | b'=' | b'_' | b'-'
    )
}
