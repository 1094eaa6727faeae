//! The end of a file whose declared size is wrong.
//!
//! A file's bytes follow its line, and the next line follows the last byte: only the size separates them. Some clients
//! declare a wrong size. moss-cappa takes the size on disk and sends the text with CR LF converted to LF, which is
//! fewer bytes than declared; others count characters, and send more. A size that is too large swallows the next lines,
//! and in the end the query itself: the client would wait for its answer, and the server for the rest of a file, for
//! ever.
//!
//! # The rule
//! 1. While the bytes of a file arrive, [`Lookout`] watches for what may be the next line of the session:
//!    `file N LANGUAGE SIZE ` and a name, with the number that comes next and the language of this file, or `query 0 `;
//!    anywhere, since a file need not end in a line feed. From the first such place on, bytes are *held*; bytes before
//!    it belong to the file and are passed on at once. A place alone never ends a file, since programs that speak with
//!    MOSS, and logs of sessions, contain such lines.
//! 2. If the declared bytes are followed by a `file` or `query` line, the size was right. The held bytes belong to the
//!    file.
//! 3. If they are followed by anything else, the size was wrong, in either direction. The held bytes and those that
//!    follow are then searched: the first such place ends the file, and everything before it belongs to the file, so a
//!    size that was too small does not lose anything.
//! 4. If nothing follows, because the query itself was swallowed, the server reports after a while that the client is
//!    silent ([`Session::idle`](crate::Session::idle)). The size was wrong if the very last bytes that arrived are a
//!    whole `query 0 …` line: a client falls silent there, and only there.
//!
//! An honest client is harmed only if it stops for that while in the middle of its work, directly after a line
//! `query 0 …` that is part of a file; as soon as it continues it gets an error, never the results of a truncated file.
//! One case is not detected: a wrong size whose swallowed bytes end exactly where a later line begins.
//!
//! Cost: O(n) time. In memory, the held bytes, which are at most a file, and fewer than a hundred bytes if a file does
//! not contain such a place.

use crate::line::{Head, MAX_DIGITS};

/// The beginning of every client's last request.
const QUERY: &[u8] = b"query 0 ";

/// Watches the bytes of one file for the line that may follow it.
#[derive(Debug)]
pub(crate) struct Lookout {
    /// The possible beginnings of the next file's line; two after a base file.
    heads: Vec<Vec<u8>>,
    /// Empty, or bytes that begin with such a line or with a part of one.
    held: Vec<u8>,
    is_caught: bool,
}

/// The result of comparing bytes with the lines that may come next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LineMatch {
    No,
    /// There are too few bytes to decide.
    Open,
    Yes,
}

impl Lookout {
    /// Watches over the file with this line.
    pub(crate) fn new(head: &Head) -> Lookout {
        let next = if head.id == 0 { vec![0, 1] } else { vec![head.id.saturating_add(1)] };
        let line = |id: u32| format!("file {id} {} ", head.language).into_bytes();
        Lookout { heads: next.into_iter().map(line).collect(), held: Vec::new(), is_caught: false }
    }

    /// Takes the next bytes of the file, and returns those that certainly belong to it, in order.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        if self.is_caught {
            return Vec::new();
        }
        let mut at = 0;
        while at < self.held.len() {
            let likeness = self.likeness(&self.held[at..]);
            self.is_caught = likeness == LineMatch::Yes;
            if likeness != LineMatch::No {
                break;
            }
            // A line that may come next begins with one of these.
            let next = self.held[at + 1..].iter().position(|byte| matches!(byte, b'f' | b'q'));
            at = next.map_or(self.held.len(), |n| at + 1 + n);
        }
        let held = self.held.split_off(at);
        std::mem::replace(&mut self.held, held)
    }

    /// Returns whether the held bytes begin with a line that may come next.
    pub(crate) fn is_caught(&self) -> bool {
        self.is_caught
    }

    /// Returns whether the last bytes that arrived are a whole line that asks for the result.
    pub(crate) fn ends_in_query(&self) -> bool {
        let Some(rest) = self.held.strip_suffix(b"\n") else { return false };
        let start = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        rest[start..].windows(QUERY.len()).any(|window| window == QUERY)
    }

    /// Returns the number of held bytes.
    pub(crate) fn n_held(&self) -> usize {
        self.held.len()
    }

    /// Returns the held bytes, and holds them no longer.
    pub(crate) fn release(&mut self) -> Vec<u8> {
        self.is_caught = false;
        std::mem::take(&mut self.held)
    }

    fn likeness(&self, bytes: &[u8]) -> LineMatch {
        let heads = self.heads.iter().map(|head| (head.as_slice(), true));
        for (start, is_head) in heads.chain([(QUERY, false)]) {
            if let Some(rest) = bytes.strip_prefix(start) {
                return if is_head { size_and_name(rest) } else { LineMatch::Yes };
            }
            if start.starts_with(bytes) {
                return LineMatch::Open;
            }
        }
        LineMatch::No
    }
}

/// Compares bytes with a size, a blank and the first byte of a name.
fn size_and_name(bytes: &[u8]) -> LineMatch {
    let n_digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match &bytes[n_digits..] {
        _ if n_digits > MAX_DIGITS => LineMatch::No,
        [] => LineMatch::Open,
        _ if n_digits == 0 => LineMatch::No,
        [b' '] => LineMatch::Open,
        [b' ', b'\n' | b'\r', ..] => LineMatch::No,
        [b' ', ..] => LineMatch::Yes,
        _ => LineMatch::No,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lookout(id: u32) -> Lookout {
        Lookout::new(&Head { id, language: "java".to_owned(), size: 0, name: String::new() })
    }

    #[test]
    fn only_the_next_line_of_the_session_is_caught() {
        let cases = [
            (1, "", "file 2 java 10 a b\n", true),
            (1, "x\n", "file 2 java 10 a\nquery 0 \n", true),
            (1, "class A {}", "file 2 java 10 a", true),
            (1, "fifile 1 java 9 a file 3 java 9 a file 2 c 9 a file 2 java x a", "", false),
            (1, "file 2 java 12345678901234567890 a", "", false),
            (1, "file 2 java 1 \n", "", false),
            (1, "file 2 java", "file 2 java ", false),
            (1, "ffile 2 javafile ", "file 2 java 7", false),
            (1, "", "query 0 \n", true),
            (1, "}", "query 0 week 3\n", true),
            (1, "query 1 \nquery\n", "", false),
            (0, "base ", "file 0 java 1 x", true),
            (0, "base ", "file 1 java 1 x", true),
            (0, "base file 2 java 1 x", "", false),
        ];
        for (id, own, held, is_caught) in cases {
            let mut lookout = lookout(id);
            let text = own.to_owned() + held;
            let passed = lookout.pass(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&passed), own, "{text:?}");
            assert_eq!(lookout.is_caught(), is_caught, "{text:?}");
        }
    }

    #[test]
    fn the_last_line_may_ask() {
        let cases = [
            ("query 0 \n", true),
            ("query 0 x\r\n", true),
            ("file 2 java 3 x\nabcquery 0 y\n", true),
            ("query 0 x", false),
            ("query 0 x\n ", false),
            ("query 0 x\nend\n", false),
            ("abc\n", false),
        ];
        for (text, expected) in cases {
            let mut lookout = lookout(1);
            lookout.pass(text.as_bytes());
            assert_eq!(lookout.ends_in_query(), expected, "{text:?}");
        }
    }

    proptest! {
        /// However bytes are cut, the same bytes pass, and none are lost.
        #[test]
        fn pieces_make_no_difference(
            parts in prop::collection::vec(prop::sample::select(&["f", "file ", "2", " java ", "7", " ", "x", "\n", "query", " 0 ", "q"][..]), 0..30),
            n in 1_usize..7,
        ) {
            let text = parts.concat().into_bytes();
            let (mut whole, mut cut) = (lookout(1), lookout(1));
            let passed = whole.pass(&text);
            let pieces: Vec<u8> = text.chunks(n).flat_map(|piece| cut.pass(piece)).collect();
            prop_assert_eq!(&passed, &pieces);
            prop_assert_eq!(whole.is_caught(), cut.is_caught());
            prop_assert_eq!([passed, whole.release()].concat(), text);
        }
    }
}
