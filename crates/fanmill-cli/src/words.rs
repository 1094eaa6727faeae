//! Messages for people: everything on standard error, and never a result.
//!
//! Writing messages never fails: a full disk, a closed terminal or a reader that has gone loses only the
//! messages, and the exit status is that of the work. A lint forbids every other way to standard error. On a
//! screen, lines are broken to its width, between words.

use std::fmt;
use std::io::{self, Write};

use fanmill_report::fit::LineWidth;

use crate::color::{Painted, painted};
use crate::screen;

/// Indentation of the later parts of a broken line.
const INDENT: usize = 2;

/// Locks standard error, as a writer that never fails and writes whole lines.
#[expect(clippy::disallowed_methods, reason = "the one way to standard error")]
pub(crate) fn words() -> Words {
    let out = io::stderr().lock();
    Words { room: screen::of_words(&out), out, line: Vec::new() }
}

/// Writes one line.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let mut words = words();
    let _ = words.write_fmt(line);
    let _ = words.write_all(b"\n");
}

/// The writer that [`words`] returns.
#[derive(Debug)]
pub(crate) struct Words {
    out: io::StderrLock<'static>,
    room: LineWidth,
    /// The beginning of a line that is not complete yet.
    line: Vec<u8>,
}

impl Words {
    /// Returns the maximum width of a line.
    pub(crate) fn room(&self) -> LineWidth {
        self.room
    }

    /// Returns whether standard error is a screen.
    pub(crate) fn is_on_screen(&self) -> bool {
        self.room != LineWidth::Any
    }

    /// Writes a line in a colour.
    pub(crate) fn paint(&mut self, what: Painted, line: &str) {
        let _ = self.flush();
        for part in self.room.wrap(line, INDENT) {
            let part = painted(what, part, self.is_on_screen());
            let _ = self.out.write_all(format!("{part}\n").as_bytes());
        }
    }

    /// Writes a command for copying, given its words. Broken lines end in a backslash, for the shell.
    pub(crate) fn command(&mut self, start: &str, words: &[String]) {
        let _ = self.flush();
        let command = broken_for_shells(&format!("{start}{}", words.join("\u{0}")), self.room);
        let _ = self.out.write_all(command.as_bytes());
    }
}

/// Breaks a command, whose words are separated by NUL, into lines that a shell joins again.
fn broken_for_shells(command: &str, room: LineWidth) -> String {
    // Never break at a space inside a word.
    let inner = command.replace(' ', "\u{1}").replace('\u{0}', " ");
    let lines = room.beside(" \\".len()).wrap(&inner, INDENT);
    lines.join(" \\\n").replace('\u{1}', " ") + "\n"
}

impl Write for Words {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') else {
            return Ok(bytes.len());
        };
        let rest = self.line.split_off(end + 1);
        let whole = std::mem::replace(&mut self.line, rest);
        let text = String::from_utf8_lossy(&whole);
        let broken = text.lines().flat_map(|line| self.room.wrap(line, INDENT));
        let lines: String = broken.map(|line| line + "\n").collect();
        // If it cannot be written, it is lost: there is nowhere else to report that.
        let _ = self.out.write_all(lines.as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.out.write_all(&self.line);
        self.line.clear();
        Ok(())
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_broken_is_one_for_a_shell() {
        let words = ["fanmill", "lab", "'a b c d e f'", "--seed", "1"].map(str::to_owned);
        let command = words.join("\u{0}");
        assert_eq!(
            broken_for_shells(&command, LineWidth::Columns(20)),
            "fanmill lab \\\n  'a b c d e f' \\\n  --seed 1\n"
        );
        assert_eq!(
            broken_for_shells(&command, LineWidth::Any),
            "fanmill lab 'a b c d e f' --seed 1\n"
        );
    }
}
