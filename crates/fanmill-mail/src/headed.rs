//! A message with one header added, as filters do, and otherwise unchanged byte for byte.
//!
//! The header becomes the first line of the message, below the `From ` line of a mailbox if there is one. Headers of
//! the same name that came with the message are removed, since anyone may have written them. They are searched for
//! wherever some program may see one: after each line feed and each carriage return up to the first empty line, with or
//! without spaces before the colon. Folded lines below a header belong to it.
//!
//! Cost: O(n) in the bytes of the message.
//! Source: RFC 5322, §2.2 and §4.5.

use std::fmt;
use std::str::FromStr;

use fanmill_text::{Error, Result};

/// Maximum length of a name, in bytes.
const LONGEST: usize = 64;

/// The name of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderName(String);

impl FromStr for HeaderName {
    type Err = Error;

    /// Parses a name of printable ASCII characters without a colon.
    fn from_str(name: &str) -> Result<HeaderName> {
        let is_name = (1..=LONGEST).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
        if is_name {
            return Ok(HeaderName(name.to_owned()));
        }
        Err(Error::setting(format!(
            "`{}` is not the name of a header; use up to {LONGEST} letters, digits and hyphens, such as `X-Fanmill`",
            name.escape_debug()
        )))
    }
}

impl fmt::Display for HeaderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the message with the header. Everything in `value` that is not printable ASCII becomes `?`, so that it stays
/// on one line.
///
/// ```
/// use fanmill_mail::headed::headed;
///
/// let name = "X-Fanmill".parse()?;
/// let message = b"Subject: x\nX-Fanmill: no\n\ntext";
/// assert_eq!(headed(message, &name, "yes\nEvil: 1"), b"X-Fanmill: yes?Evil: 1\nSubject: x\n\ntext");
/// # Ok::<(), fanmill_text::Error>(())
/// ```
pub fn headed(message: &[u8], name: &HeaderName, value: &str) -> Vec<u8> {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic();
    let value: String = value.chars().map(|c| if is_plain(c) { c } else { '?' }).collect();
    let (head, body) = message.split_at(head_length(message));
    let mut lines = lines(head).peekable();
    let mut out = Vec::with_capacity(message.len() + name.0.len() + value.len() + 4);
    if let Some(line) = lines.next_if(|line| line.starts_with(b"From ")) {
        out.extend_from_slice(line);
    }
    // Use the line ending of the message's own lines.
    let first = lines.peek().copied().unwrap_or(body);
    let ending = if first.ends_with(b"\r\n") || first.starts_with(b"\r\n") { "\r\n" } else { "\n" };
    out.extend_from_slice(format!("{name}: {value}{ending}").as_bytes());
    let mut is_removed = false;
    for line in lines {
        let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
        is_removed = if is_folded { is_removed } else { is_of(line, name) };
        if !is_removed {
            out.extend_from_slice(line);
        }
    }
    out.extend_from_slice(body);
    out
}

/// Returns the number of bytes before the empty line that ends the headers.
fn head_length(message: &[u8]) -> usize {
    let mut at = 0;
    for line in message.split_inclusive(|&byte| byte == b'\n') {
        if matches!(line, b"\n" | b"\r\n") {
            break;
        }
        at += line.len();
    }
    at
}

/// Splits into lines, each with its end: a line feed, a carriage return, or both.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let end = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let end = match end {
            Some(at) if rest[at..].starts_with(b"\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Returns whether a line begins a header of this name. Characters that no program shows are ignored.
fn is_of(line: &[u8], name: &HeaderName) -> bool {
    let Some(colon) = line.iter().position(|&byte| byte == b':') else { return false };
    let visible = line[..colon].iter().filter(|byte| byte.is_ascii_graphic());
    visible.map(u8::to_ascii_lowercase).eq(name.0.bytes().map(|byte| byte.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name() -> HeaderName {
        "X-Fanmill".parse().expect("a name")
    }

    fn with(message: &str) -> String {
        String::from_utf8(headed(message.as_bytes(), &name(), "no")).expect("UTF-8")
    }

    #[test]
    fn headers_of_that_name_from_outside_are_removed() {
        for evil in [
            "X-Fanmill: yes\n",
            "x-fanmill:\n yes\n\tindeed\n",
            "X-Fanmill : yes\n",
            "X-Fanmill\t: yes\r\n",
            "\u{1}X-Fanmill\u{0}: yes\n",
            "X-Fanmill: yes\r",
            "X-Fanmill: 1\nX-Fanmill: 2\n",
        ] {
            let message = |evil: &str| format!("Subject: x\n{evil}To: a@b\n\nX-Fanmill: quoted\n");
            assert_eq!(with(&message(evil)), format!("X-Fanmill: no\n{}", message("")), "{evil:?}");
        }
        let hidden = "Subject: x\rX-Fanmill: yes\n\n";
        assert_eq!(with(hidden), "X-Fanmill: no\nSubject: x\r\n");
        assert_eq!(with("X-Fanmill-Other: yes\n\n"), "X-Fanmill: no\nX-Fanmill-Other: yes\n\n");
    }

    #[test]
    fn the_line_ends_as_the_message_does_and_stands_below_its_from_line() {
        assert_eq!(with("To: a\r\n\r\nx"), "X-Fanmill: no\r\nTo: a\r\n\r\nx");
        assert_eq!(with("From a@b\nTo: a\n\n"), "From a@b\nX-Fanmill: no\nTo: a\n\n");
        assert_eq!(with("\r\nonly a body"), "X-Fanmill: no\r\n\r\nonly a body");
        assert_eq!(with(""), "X-Fanmill: no\n");
    }

    #[test]
    fn names_and_values_stay_on_their_line() {
        for wrong in ["", "X:", "X Y", "X\n", "Ä", &"x".repeat(65)] {
            let error = wrong.parse::<HeaderName>().expect_err(wrong).to_string();
            assert!(error.contains("is not the name of a header"), "{error}");
        }
        let out = headed(b"To: a\n\n", &name(), "yes\r\nBcc: all\u{2028}ü");
        assert_eq!(out, b"X-Fanmill: yes??Bcc: all??\nTo: a\n\n");
    }

    proptest! {
        /// Without headers of that name, all bytes of the message are kept in order.
        #[test]
        fn everything_else_stays_as_it_was(message: Vec<u8>, lines in prop::collection::vec("[a-w: \r\n\t]{0,12}", 0..9)) {
            for message in [message, lines.join("\n").into_bytes()] {
                let out = headed(&message, &name(), "no");
                let from = if message.starts_with(b"From ") {
                    super::lines(&message).next().map_or(0, <[u8]>::len)
                } else {
                    0
                };
                let line = out.len() - message.len();
                prop_assert!(["X-Fanmill: no\n", "X-Fanmill: no\r\n"].iter().any(|said| said.len() == line));
                prop_assert_eq!(&out[..from], &message[..from]);
                prop_assert_eq!(&out[from + line..], &message[from..]);
            }
        }
    }
}
