//! The Message-ID and the date of a message, as the sender wrote them in its headers.
//!
//! The first value of a repeated header counts, and a line that is not a header is skipped.
//!
//! Cost: O(n) in the bytes of the headers; at most 256 KiB are read.
//! Source: RFC 5322, §2.2.3, §3.6.1 and §3.6.4.

use memchr::memchr;

use crate::header;
use crate::line_ends::with_line_feeds;

/// Maximum number of bytes of headers that are read.
const MOST: usize = 256 << 10;
/// Maximum number of characters of a value, which is also the maximum of a line in a message.
const LONGEST: usize = 998;

/// The Message-ID and the date of a message; see the [module](self).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageIdentity {
    /// The Message-ID, usually with angle brackets, and without white space.
    pub message_id: Option<String>,
    /// The date, in the sender's spelling.
    pub date: Option<String>,
}

impl MessageIdentity {
    /// Reads the headers of a message, whatever its bytes are.
    ///
    /// ```
    /// use fanmill_mail::about::MessageIdentity;
    ///
    /// let about = MessageIdentity::read(b"Date: Sun, 1 Mar 2026 17:42:05 +0000\nMessage-ID:\n <a@b>\n\ntext");
    /// assert_eq!(about.message_id.as_deref(), Some("<a@b>"));
    /// assert_eq!(about.date.as_deref(), Some("Sun, 1 Mar 2026 17:42:05 +0000"));
    /// ```
    pub fn read(raw: &[u8]) -> MessageIdentity {
        let raw = &*with_line_feeds(&raw[..raw.len().min(MOST)]);
        let mut about = MessageIdentity::default();
        let (mut rest, mut open) = (raw, None);
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
            let (line, after) = rest.split_at(end);
            rest = after;
            let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
            if is_folded {
                if let Some(value) = open.and_then(|field| about.value(field)) {
                    append(value, line, open);
                }
                continue;
            }
            if line.trim_ascii().is_empty() {
                break;
            }
            // A second header of the same name is not opened, so the lines folded below it are skipped, too.
            let name = header::name(line);
            open = name.and_then(Field::named).filter(|&field| about.value(field).is_none());
            if let Some(field) = open {
                let start = 1 + memchr(b':', line).unwrap_or(0);
                let mut value = String::new();
                append(&mut value, &line[start..], open);
                *about.slot(field) = Some(value);
            }
        }
        for value in [&mut about.message_id, &mut about.date] {
            *value = value.take().filter(|value| !value.is_empty());
        }
        about
    }

    fn slot(&mut self, field: Field) -> &mut Option<String> {
        match field {
            Field::MessageId => &mut self.message_id,
            Field::Date => &mut self.date,
        }
    }

    fn value(&mut self, field: Field) -> Option<&mut String> {
        self.slot(field).as_mut()
    }
}

#[derive(Debug, Clone, Copy)]
enum Field {
    MessageId,
    Date,
}

impl Field {
    fn named(name: &[u8]) -> Option<Field> {
        if name.eq_ignore_ascii_case(b"message-id") {
            Some(Field::MessageId)
        } else if name.eq_ignore_ascii_case(b"date") {
            Some(Field::Date)
        } else {
            None
        }
    }
}

/// Appends a line to a value, up to [`LONGEST`] characters. The words of a date are separated by one space.
fn append(value: &mut String, line: &[u8], field: Option<Field>) {
    for word in String::from_utf8_lossy(line).split_whitespace() {
        if !value.is_empty() && matches!(field, Some(Field::Date)) {
            value.push(' ');
        }
        let room = LONGEST.saturating_sub(value.chars().count());
        value.extend(word.chars().filter(|c| !c.is_control()).take(room));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(raw: &str) -> Option<String> {
        MessageIdentity::read(raw.as_bytes()).message_id
    }

    #[test]
    fn the_first_of_each_header_counts_and_the_body_does_not() {
        assert_eq!(id("MESSAGE-id : <a@b>\r\nMessage-ID: <c@d>\r\n\r\n"), Some("<a@b>".to_owned()));
        assert_eq!(id("Subject: x\n\nMessage-ID: <a@b>\n"), None);
        assert_eq!(id("Subject: x\n Message-ID: <a@b>\n\n"), None);
        assert_eq!(id("From a@b\nnonsense\nMessage-ID: <a@b>\n"), Some("<a@b>".to_owned()));
        assert_eq!(id("Message-ID:\n\nx"), None);
        assert_eq!(id("Message-ID: <a\u{1b}[2J\u{0}b>\n"), Some("<a[2Jb>".to_owned()));
    }

    #[test]
    fn values_are_not_longer_than_a_line() {
        let long = id(&format!("Message-ID: <{}\n {}>\n", "é".repeat(900), "a ".repeat(900_000)));
        assert!(long.is_some_and(|id| id.chars().count() <= LONGEST + 1));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(raw: Vec<u8>) {
            MessageIdentity::read(&raw);
            MessageIdentity::read(&[b"Date:", &*raw].concat());
        }
    }
}
