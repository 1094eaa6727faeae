//! Mailboxes: files of many messages, which are cut into single ones.
//!
//! A line that starts with `From ` begins a message if it is the first line or follows an empty one. Neither this line
//! nor the empty one belongs to a message. If a message contains such a line, programs write it as `>From ` (and `>From
//! ` as `>>From `), so one `>` is removed.
//!
//! Cost: O(n) time; memory for two messages, each up to [`Limits::message_bytes`].
//! Source: RFC 4155, appendix A; the quoting is that of the format called mboxrd.
//! Departs from it: the rest of the `From ` line is not examined, because programs write it in many ways.

use std::io::{self, BufRead, Read};

use memchr::{memchr, memchr_iter};

use crate::limits::Limits;
use crate::line_ends::line_end;

/// A message as stored in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawMessage {
    /// The message, up to [`Limits::message_bytes`], without its `From ` line, and with quoted lines restored.
    pub bytes: Vec<u8>,
    /// Offset of its `From ` line in the file, in bytes; without such a line, offset of the message.
    pub offset: u64,
    /// Bytes over the limit at its end, which were left out.
    pub left_out: u64,
}

/// Iterates over the messages of an mbox. Text before the first `From ` line is also a message, unless it is blank.
pub fn messages<R: BufRead>(reader: R, limits: &Limits) -> Messages<R> {
    Messages {
        reader,
        cap: limits.message_bytes,
        offset: 0,
        line_end: None,
        line: Line::default(),
        next: None,
        is_done: false,
    }
}

/// Reads everything as one message. Bytes over the limit are counted but not kept.
///
/// # Errors
/// If the reader fails.
pub fn single(mut reader: impl BufRead, limits: &Limits) -> io::Result<RawMessage> {
    let mut bytes = Vec::new();
    (&mut reader).take(limits.message_bytes as u64).read_to_end(&mut bytes)?;
    let left_out = io::copy(&mut reader, &mut io::sink())?;
    Ok(RawMessage { bytes, offset: 0, left_out })
}

/// An iterator over the messages of an mbox; see [`messages`].
#[derive(Debug)]
pub struct Messages<R> {
    reader: R,
    cap: usize,
    /// Offset of the next line in the file.
    offset: u64,
    /// The byte that ends lines, known after the first read.
    line_end: Option<u8>,
    line: Line,
    /// Offset of the last `From ` line read, which begins the next message.
    next: Option<u64>,
    is_done: bool,
}

/// One line of the file.
#[derive(Debug, Default)]
struct Line {
    /// Its bytes with the line feed, cut at the maximum length of a message.
    bytes: Vec<u8>,
    /// Its length in the file, in bytes.
    len: u64,
}

impl Line {
    fn is_empty(&self) -> bool {
        self.bytes == b"\n" || self.bytes == b"\r\n" || self.bytes == b"\r"
    }

    /// Returns whether it begins with `>From `, with any number of `>`.
    fn is_quoted(&self) -> bool {
        let marks = self.bytes.iter().take_while(|&&byte| byte == b'>').count();
        marks > 0 && self.bytes[marks..].starts_with(b"From ")
    }
}

/// A message under construction.
#[derive(Debug)]
struct Open {
    raw: RawMessage,
    cap: usize,
    /// Bytes of an empty line that was just read. It belongs to the message only if the message continues.
    pending: Vec<u8>,
}

impl Open {
    fn push(&mut self, bytes: &[u8], len: u64) {
        let kept = bytes.len().min(self.cap - self.raw.bytes.len());
        self.raw.bytes.extend_from_slice(&bytes[..kept]);
        self.raw.left_out += len - kept as u64;
    }

    fn push_line(&mut self, line: &Line) {
        let pending = std::mem::take(&mut self.pending);
        self.push(&pending, pending.len() as u64);
        if line.is_empty() {
            self.pending.extend_from_slice(&line.bytes);
        } else if line.is_quoted() {
            self.push(&line.bytes[1..], line.len - 1);
        } else {
            self.push(&line.bytes, line.len);
        }
    }
}

impl<R: BufRead> Messages<R> {
    /// Reads a line into `self.line`; returns whether there was one.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.bytes.clear();
        self.line.len = 0;
        loop {
            let block = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            let line_end = *self.line_end.get_or_insert_with(|| line_end(block));
            let end = memchr(line_end, block).map(|at| at + 1);
            let n = end.unwrap_or(block.len());
            // Keep enough to recognise a `From ` line even if nothing of a message is kept.
            let room = self.cap.max(8) - self.line.bytes.len();
            self.line.bytes.extend_from_slice(&block[..n.min(room)]);
            self.line.len += n as u64;
            self.reader.consume(n);
            if end.is_some() || n == 0 {
                self.offset += self.line.len;
                return Ok(self.line.len > 0);
            }
        }
    }

    fn read_message(&mut self) -> io::Result<Option<RawMessage>> {
        let begin = self.next.take();
        let is_first = begin.is_none();
        let raw = RawMessage { bytes: Vec::new(), offset: begin.unwrap_or(0), left_out: 0 };
        let mut open = Open { raw, cap: self.cap, pending: Vec::new() };
        let mut is_after_empty = is_first;
        let mut is_blank = true;
        while self.read_line()? {
            if is_after_empty && self.line.bytes.starts_with(b"From ") {
                self.next = Some(self.offset - self.line.len);
                if is_first && is_blank {
                    return self.read_message();
                }
                return Ok(Some(open.raw));
            }
            is_after_empty = self.line.is_empty();
            is_blank &= self.line.bytes.trim_ascii().is_empty();
            open.push_line(&self.line);
        }
        self.is_done = true;
        Ok((!is_first || !is_blank).then_some(open.raw))
    }
}

impl<R: BufRead> Iterator for Messages<R> {
    type Item = io::Result<RawMessage>;

    fn next(&mut self) -> Option<io::Result<RawMessage>> {
        if self.is_done {
            return None;
        }
        let message = self.read_message().transpose();
        self.is_done |= matches!(message, None | Some(Err(_)));
        message
    }
}

/// Returns a message as it is written to an mbox, without a `From ` line: lines are quoted, and an empty line ends it.
pub fn quoted(message: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len() + 2);
    let starts = std::iter::once(0).chain(memchr_iter(b'\n', message).map(|at| at + 1));
    let ends = memchr_iter(b'\n', message).map(|at| at + 1).chain([message.len()]);
    for (start, end) in starts.zip(ends) {
        let line = &message[start..end];
        let marks = line.iter().take_while(|&&byte| byte == b'>').count();
        if line[marks..].starts_with(b"From ") {
            out.push(b'>');
        }
        out.extend_from_slice(line);
    }
    if !out.is_empty() && !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out.push(b'\n');
    out
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    /// Cuts a file, using a read buffer of `block` bytes.
    fn cut(file: &[u8], message_bytes: usize, block: usize) -> Vec<RawMessage> {
        let limits = Limits { message_bytes, ..Limits::standard() };
        let reader = BufReader::with_capacity(block, file);
        messages(reader, &limits).map(|raw| raw.expect("no reader fails here")).collect()
    }

    fn texts(file: &str) -> Vec<String> {
        let text = |raw: RawMessage| String::from_utf8(raw.bytes).expect("UTF-8");
        cut(file.as_bytes(), 1000, 7).into_iter().map(text).collect()
    }

    #[test]
    fn messages_are_cut_at_their_lines() {
        let file = "From a\nA: 1\n\nx\n>From b\n>>From c\n> From d\nFrom e\n\nFrom f\r\nB: 2\r\n\r\ny\r\n\r\nFrom g\n";
        assert_eq!(
            texts(file),
            ["A: 1\n\nx\nFrom b\n>From c\n> From d\nFrom e\n", "B: 2\r\n\r\ny\r\n", ""]
        );
        assert_eq!(texts("\n\nFrom a\nx"), ["x"]);
        let old = "From a\rA: 1\r\rx\r\rFrom b\rB: 2\r";
        let found = cut(old.as_bytes(), 1000, 100);
        let found: Vec<&[u8]> = found.iter().map(|raw| &*raw.bytes).collect();
        assert_eq!(found, [&b"A: 1\r\rx\r"[..], b"B: 2\r"]);
        assert_eq!(texts("before\n\nFrom a\nx\n"), ["before\n", "x\n"]);
        assert_eq!(texts(" \n\n"), [""; 0]);
        assert_eq!(texts(""), [""; 0]);
        let offsets: Vec<u64> =
            cut(file.as_bytes(), 1000, 7).iter().map(|raw| raw.offset).collect();
        assert_eq!(offsets, [0, 49, 70]);
        assert!(file[49..].starts_with("From f") && file[70..].starts_with("From g"));
    }

    #[test]
    fn what_is_over_the_limit_is_counted() {
        let file = b"From a\n0123456789\nabcdef\n\nFrom b\n01\n";
        let found = cut(file, 12, 3);
        assert_eq!(found[0].bytes, b"0123456789\na");
        assert_eq!((found[0].left_out, found[1].left_out), (6, 0));
        assert_eq!(found[1].bytes, b"01\n");
        let nothing = cut(file, 0, 3);
        assert_eq!(nothing.iter().map(|raw| raw.left_out).collect::<Vec<u64>>(), [18, 3]);
        let one = single(&file[..], &Limits { message_bytes: 6, ..Limits::standard() });
        let one = one.expect("no reader fails here");
        assert_eq!((&*one.bytes, one.left_out), (&b"From a"[..], 30));
    }

    /// Cuts the whole file at once, without limits.
    fn naive(file: &[u8]) -> Vec<Vec<u8>> {
        let lines: Vec<&[u8]> = file.split_inclusive(|&byte| byte == b'\n').collect();
        let is_empty = |line: &[u8]| line == b"\n" || line == b"\r\n";
        let mut found: Vec<Vec<&[u8]>> = vec![Vec::new()];
        for (at, &line) in lines.iter().enumerate() {
            if line.starts_with(b"From ") && (at == 0 || is_empty(lines[at - 1])) {
                found.push(Vec::new());
            } else {
                found.last_mut().expect("never empty").push(line);
            }
        }
        if found[0].concat().trim_ascii().is_empty() {
            found.remove(0);
        }
        let message = |mut lines: Vec<&[u8]>| {
            lines.pop_if(|last| is_empty(last));
            let unquoted = |line: &&[u8]| {
                let marks = line.iter().take_while(|&&byte| byte == b'>').count();
                let is_quoted = marks > 0 && line[marks..].starts_with(b"From ");
                line[usize::from(is_quoted)..].to_vec()
            };
            lines.iter().map(unquoted).collect::<Vec<_>>().concat()
        };
        found.into_iter().map(message).collect()
    }

    proptest! {
        #[test]
        fn cutting_equals_naive(
            parts in prop::collection::vec(prop::sample::select(&["From ", "\n", "\n\n", "\r\n", ">", "From", "x", " "][..]), 0..40),
            block in 1..20_usize,
        ) {
            let file = parts.concat();
            let found: Vec<Vec<u8>> =
                cut(file.as_bytes(), 10_000, block).into_iter().map(|raw| raw.bytes).collect();
            prop_assert_eq!(found, naive(file.as_bytes()));
        }

        #[test]
        fn what_was_joined_comes_back(
            messages in prop::collection::vec("([a-z>\n]|From |\r\n){0,20}\n", 0..6),
        ) {
            let mut file = Vec::new();
            for message in &messages {
                file.extend_from_slice(b"From somebody\n");
                file.extend(quoted(message.as_bytes()));
            }
            let found: Vec<Vec<u8>> =
                cut(&file, 10_000, 16).into_iter().map(|raw| raw.bytes).collect();
            let expected: Vec<&[u8]> = messages.iter().map(String::as_bytes).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn any_bytes_are_cut_within_the_limit(
            file in prop::collection::vec(any::<u8>(), 0..200),
            cap in 0..50_usize,
        ) {
            for raw in cut(&file, cap, 16) {
                prop_assert!(raw.bytes.len() <= cap);
            }
        }
    }
}
