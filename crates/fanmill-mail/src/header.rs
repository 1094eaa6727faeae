//! The headers of a message or part, of which four are read.
//!
//! What is no header ends them: a part whose headers run into its text without an empty line still shows
//! that text in a mail program. Of a header that is there twice the first one counts.
//!
//! Cost: O(n) in the bytes of all headers; those which are read are cut at
//! [`Limits::header_bytes`](crate::Limits) first, since the library that takes them apart is
//! quadratic in some (unfinished encoded words, parameters in pieces).
//! Source: RFC 5322, §2.2; RFC 2045, §5; RFC 2047; RFC 2231.

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;
use memchr::memchr;

use crate::charset;
use crate::remark::{Remark, Remarks};
use crate::transfer::Transfer;

/// What is read of a message's or part's headers.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    subject: Option<Vec<u8>>,
    content_type: Option<Vec<u8>>,
    transfer: Option<Vec<u8>>,
}

/// A content type with the parameters that matter here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ContentType {
    /// `text`, in lower case.
    pub(crate) main: String,
    /// `html`, in lower case.
    pub(crate) sub: String,
    pub(crate) boundary: Option<String>,
    pub(crate) charset: Option<String>,
}

/// The name of the header that a line starts, if it starts one.
pub(crate) fn name(line: &[u8]) -> Option<&[u8]> {
    let name = line[..memchr(b':', line)?].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

impl Headers {
    /// Reads the headers that `bytes` start with, and says where what comes after them starts. A line for which
    /// `is_end` holds ends them too, and stays.
    pub(crate) fn read(
        bytes: &[u8],
        limit: usize,
        is_end: impl Fn(&[u8]) -> bool,
        remarks: &mut Remarks,
    ) -> (Headers, usize) {
        let mut headers = Headers::default();
        let mut at = 0;
        let mut field = None;
        while at < bytes.len() {
            let line_end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1);
            let line = &bytes[at..line_end];
            let text = line.trim_ascii_end();
            if text.is_empty() && !line.starts_with(b" ") && !line.starts_with(b"\t") {
                return (headers, line_end);
            }
            if line.starts_with(b"--") && is_end(&bytes[at..]) {
                return (headers, at);
            }
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                if let Some(value) = field.and_then(|field| headers.value(field)) {
                    append(value, line, limit, remarks);
                }
            } else if let Some(name) = name(line) {
                field = Field::named(name);
                let is_new = field.is_some_and(|field| headers.value(field).is_none());
                field = field.filter(|_| is_new);
                if let Some(field) = field {
                    let value = &line[1 + memchr(b':', line).unwrap_or(line.len() - 1)..];
                    append(headers.slot(field).insert(Vec::new()), value, limit, remarks);
                }
            } else if at > 0 || !(line.starts_with(b"From ") || line.starts_with(b">From ")) {
                return (headers, at);
            }
            at = line_end;
        }
        (headers, at)
    }

    fn slot(&mut self, field: Field) -> &mut Option<Vec<u8>> {
        match field {
            Field::Subject => &mut self.subject,
            Field::ContentType => &mut self.content_type,
            Field::Transfer => &mut self.transfer,
        }
    }

    fn value(&mut self, field: Field) -> Option<&mut Vec<u8>> {
        self.slot(field).as_mut()
    }

    /// The subject, its encoded words decoded; bytes outside of these are in the encoding called `label`.
    pub(crate) fn subject(&self, label: Option<&str>, remarks: &mut Remarks) -> Option<String> {
        let raw = self.subject.as_deref()?;
        // Bytes that are no ASCII should not be there, and are: in the encoding of the text.
        let label = label.filter(|_| !raw.is_ascii());
        let mut text = charset::decode(raw, label, remarks).into_bytes();
        text.push(b'\n');
        match MessageStream::new(&text).parse_unstructured() {
            HeaderValue::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    pub(crate) fn transfer(&self) -> Transfer {
        let value = self.transfer.as_deref().unwrap_or_default();
        Transfer::named(String::from_utf8_lossy(value).trim())
    }

    /// The content type, if one is said that can be read.
    pub(crate) fn content_type(&self) -> Option<ContentType> {
        let mut value = self.content_type.clone()?;
        value.push(b'\n');
        let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type()
        else {
            return None;
        };
        let attribute = |name: &str| parsed.attribute(name).map(str::to_owned);
        Some(ContentType {
            main: parsed.c_type.to_ascii_lowercase(),
            sub: parsed.c_subtype.as_deref().unwrap_or_default().to_ascii_lowercase(),
            boundary: attribute("boundary"),
            charset: attribute("charset"),
        })
    }
}

/// The headers that are read.
#[derive(Debug, Clone, Copy)]
enum Field {
    Subject,
    ContentType,
    Transfer,
}

impl Field {
    fn named(name: &[u8]) -> Option<Field> {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match () {
            () if is("subject") => Some(Field::Subject),
            () if is("content-type") => Some(Field::ContentType),
            () if is("content-transfer-encoding") => Some(Field::Transfer),
            () => None,
        }
    }
}

/// Appends a line of a header without its end, which makes a folded one whole.
fn append(value: &mut Vec<u8>, line: &[u8], limit: usize, remarks: &mut Remarks) {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let kept = line.len().min(limit.saturating_sub(value.len()));
    value.extend_from_slice(&line[..kept]);
    remarks.add(Remark::HeaderCut(line.len() - kept));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Headers, &str, Vec<Remark>) {
        let mut remarks = Remarks::default();
        let is_end = |rest: &[u8]| rest.starts_with(b"--b\n");
        let (headers, at) = Headers::read(text.as_bytes(), 80, is_end, &mut remarks);
        (headers, &text[at..], remarks.into_sorted())
    }

    #[test]
    fn headers_end_where_something_else_begins() {
        let cases = [
            ("A: 1\nB: 2\n\nbody", "body"),
            ("A: 1\r\n\r\nbody", "body"),
            ("\nbody", "body"),
            ("From a\nA: 1\n\nbody", "body"),
            ("A: 1\nno header\n", "no header\n"),
            ("A: 1\n folded\n \n\nbody", "body"),
            ("A: 1\n--b\nC: 3", "--b\nC: 3"),
            ("--a: 1\n\nbody", "body"),
            ("A: 1", ""),
        ];
        for (text, rest) in cases {
            assert_eq!(read(text).1, rest, "{text}");
        }
    }

    #[test]
    fn subjects_are_decoded() {
        let cases = [
            ("Subject: plain\n", "plain"),
            ("subject : =?iso-8859-1?Q?caf=E9_?=\n =?utf-8?b?w6k=?= end\n", "café é end"),
            ("Subject: first\nSubject: second\n", "first"),
            ("Subject: a\n b\r\n\tc\n", "a b\tc"),
            ("Subject: =?big5?b?pKSk5Q==?=\n", "中文"),
            ("SUBJECT: =?x?q?broken\n", "=?x?q?broken"),
            ("Subject: at the end", "at the end"),
        ];
        for (text, expected) in cases {
            assert_eq!(
                read(text).0.subject(None, &mut Remarks::default()).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        assert_eq!(read("Subject:\n").0.subject(None, &mut Remarks::default()), None);
        let mut remarks = Remarks::default();
        let russian = b"Subject: \xcf\xf0\xe8\xe2\xe5\xf2 \xe2\xf1\xe5\xec\n";
        let (headers, _) = Headers::read(russian, 80, |_| false, &mut remarks);
        assert_eq!(headers.subject(None, &mut remarks).as_deref(), Some("Привет всем"));
        let label = Some("iso-8859-1");
        assert_eq!(headers.subject(label, &mut remarks).as_deref(), Some("Ïðèâåò âñåì"));
    }

    #[test]
    fn a_long_header_is_cut() {
        let (headers, _, remarks) =
            read(&format!("Subject:{}\n {}\n", "a".repeat(79), "b".repeat(9)));
        assert_eq!(headers.subject(None, &mut Remarks::default()), Some("a".repeat(79)));
        assert_eq!(remarks, [Remark::HeaderCut(9)]);
    }

    #[test]
    fn content_types_are_read() {
        let text =
            "Content-Type: Text/HTML;\n charset=\"KOI8-R\"; boundary*0=\"a b\";\n boundary*1=c\n\n";
        let expected = ContentType {
            main: "text".to_owned(),
            sub: "html".to_owned(),
            boundary: Some("a bc".to_owned()),
            charset: Some("KOI8-R".to_owned()),
        };
        assert_eq!(read(text).0.content_type(), Some(expected));
        assert_eq!(read("Content-Type: \n\n").0.content_type(), None);
        assert_eq!(read("A: b\n\n").0.content_type(), None);
        assert_eq!(read("Content-Transfer-Encoding: Base64 \n\n").0.transfer(), Transfer::Base64);
    }
}
