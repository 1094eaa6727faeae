//! Headers of a message or part. Four are read: the subject, the content type, the transfer encoding, and, for the name
//! of an attachment, the disposition.
//!
//! Depending on the mail program, a line that is not a header ends the headers or is skipped, and the first or the last
//! value of a repeated header counts. So broken headers are read in both [manners](Manner).
//!
//! Cost: O(n) in the bytes of all headers. Those that are read are cut at [`Limits::header_bytes`](crate::Limits)
//! first, because the library that parses them is quadratic for some (unfinished encoded words, parameters in pieces).
//! Source: RFC 5322, §2.2; RFC 2045, §5; RFC 2047; RFC 2183, §2.3;
//! RFC 2231.

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;
use memchr::memchr;

use crate::charset;
use crate::remark::{Remark, Remarks};
use crate::transfer::Transfer;

/// Ways to read broken headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderMode {
    /// A line that is not a header ends the headers; the first value of a repeated header counts.
    Strict,
    /// The headers continue to the empty line; the last value of a repeated header counts.
    Lenient,
}

/// Number of lines searched for further headers after a line that is not one.
const MAX_BEHIND: usize = 64;

/// The headers of a message or part that are read.
#[derive(Debug)]
pub(crate) struct Headers {
    manner: HeaderMode,
    subject: Values,
    content_type: Values,
    transfer: Values,
    disposition: Values,
    /// If set, headers follow a line that is not one.
    is_broken: bool,
}

/// The first and the last value of a header.
#[derive(Debug, Default)]
struct Values {
    first: Option<Vec<u8>>,
    last: Option<Vec<u8>>,
}

impl Values {
    /// Returns whether the two manners use different values.
    fn differ(&self) -> bool {
        self.last.is_some() && self.last != self.first
    }
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
    /// The file name, if the type has one.
    pub(crate) name: Option<String>,
    /// If set, there are several boundaries that differ.
    pub(crate) is_ambiguous: bool,
}

impl ContentType {
    /// Returns a type without parameters.
    pub(crate) fn new(main: &str, sub: &str) -> ContentType {
        ContentType { main: main.to_owned(), sub: sub.to_owned(), ..ContentType::default() }
    }

    /// Returns whether parts of this type are text. An invalid type counts as none, which means plain text.
    pub(crate) fn is_text(&self) -> bool {
        let is_page = self.main == "application" && self.sub == "xhtml+xml";
        matches!(&*self.main, "text" | "message") || matches!(&*self.sub, "" | "html") || is_page
    }
}

/// Returns the name of the header that a line begins, if it begins one.
pub(crate) fn name(line: &[u8]) -> Option<&[u8]> {
    let name = line[..memchr(b':', line)?].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

impl Headers {
    /// Reads the headers at the start of `bytes`; returns them and the start of the body. A line for which `is_end` is
    /// true also ends the headers, and belongs to the body.
    pub(crate) fn read(
        bytes: &[u8],
        limit: usize,
        manner: HeaderMode,
        is_end: impl Fn(&[u8]) -> bool,
        remarks: &mut Remarks,
    ) -> (Headers, usize) {
        let mut headers = Headers {
            manner,
            subject: Values::default(),
            content_type: Values::default(),
            transfer: Values::default(),
            disposition: Values::default(),
            is_broken: false,
        };
        let (mut at, mut field) = (0, None);
        // A name that is cut loses no text.
        let mut of_names = Remarks::default();
        while at < bytes.len() {
            let line_end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1);
            let line = &bytes[at..line_end];
            let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
            if line.trim_ascii_end().is_empty() && !is_folded {
                return (headers, line_end);
            }
            if line.starts_with(b"--") && is_end(&bytes[at..]) {
                return (headers, at);
            }
            if is_folded {
                if let Some((field, value)) =
                    field.and_then(|field| Some((field, headers.open(field)?)))
                {
                    let remarks =
                        if field == Field::Disposition { &mut of_names } else { &mut *remarks };
                    append(value, line, limit, remarks);
                }
            } else if let Some(name) = name(line) {
                field = Field::named(name);
                if let Some(field) = field {
                    let value = &line[1 + memchr(b':', line).unwrap_or(line.len() - 1)..];
                    let remarks =
                        if field == Field::Disposition { &mut of_names } else { &mut *remarks };
                    append(headers.begin(field), value, limit, remarks);
                }
            } else if at > 0 || !(line.starts_with(b"From ") || line.starts_with(b">From ")) {
                // Not a header. Only a `From ` line at the very start is allowed.
                headers.is_broken |= has_headers(&bytes[line_end..]);
                field = None;
                if manner == HeaderMode::Strict {
                    return (headers, at);
                }
            }
            at = line_end;
        }
        (headers, at)
    }

    /// Returns whether the other manner reads something else.
    pub(crate) fn are_broken(&self) -> bool {
        self.is_broken
            || [&self.subject, &self.content_type, &self.transfer].into_iter().any(Values::differ)
    }

    fn values(&mut self, field: Field) -> &mut Values {
        match field {
            Field::Subject => &mut self.subject,
            Field::ContentType => &mut self.content_type,
            Field::Transfer => &mut self.transfer,
            Field::Disposition => &mut self.disposition,
        }
    }

    /// Starts another value.
    fn begin(&mut self, field: Field) -> &mut Vec<u8> {
        let values = self.values(field);
        let slot = if values.first.is_none() { &mut values.first } else { &mut values.last };
        slot.insert(Vec::new())
    }

    /// Returns the value that was started last.
    fn open(&mut self, field: Field) -> Option<&mut Vec<u8>> {
        let values = self.values(field);
        values.last.as_mut().or(values.first.as_mut())
    }

    /// Returns the value that counts.
    fn chosen<'v>(&self, values: &'v Values) -> Option<&'v Vec<u8>> {
        let last = values.last.as_ref().filter(|_| self.manner == HeaderMode::Lenient);
        last.or(values.first.as_ref())
    }

    /// Returns the subject with its encoded words decoded. Other bytes are in the encoding called `label`.
    pub(crate) fn subject(&self, label: Option<&str>, remarks: &mut Remarks) -> Option<String> {
        let raw = self.chosen(&self.subject)?;
        // Headers should be ASCII; other bytes are in the encoding of the text.
        let label = label.filter(|_| !raw.is_ascii());
        let mut text = charset::decode(raw, label, remarks).into_bytes();
        text.push(b'\n');
        match MessageStream::new(&text).parse_unstructured() {
            HeaderValue::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    pub(crate) fn transfer(&self) -> Transfer {
        let value = self.chosen(&self.transfer).map(Vec::as_slice).unwrap_or_default();
        Transfer::named(&String::from_utf8_lossy(value))
    }

    /// Returns the file name of an attachment, if it has one.
    pub(crate) fn file_name(&self) -> Option<String> {
        let mut value = self.chosen(&self.disposition)?.clone();
        value.push(b'\n');
        let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type()
        else {
            return None;
        };
        let mut attributes = parsed.attributes().unwrap_or_default().iter();
        attributes.find(|attribute| attribute.name == "filename").map(|name| name.value.to_string())
    }

    /// Returns the content type, if there is a readable one.
    pub(crate) fn content_type(&self) -> Option<ContentType> {
        let mut value = self.chosen(&self.content_type)?.clone();
        value.push(b'\n');
        let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type()
        else {
            return None;
        };
        let named = |name: &'static str| {
            let attributes = parsed.attributes().unwrap_or_default().iter();
            attributes.filter(move |attribute| attribute.name == name).map(|found| &*found.value)
        };
        let chosen = |name| match self.manner {
            HeaderMode::Strict => named(name).next(),
            HeaderMode::Lenient => named(name).next_back(),
        };
        Some(ContentType {
            main: token(&parsed.c_type),
            sub: token(parsed.c_subtype.as_deref().unwrap_or_default()),
            boundary: chosen("boundary").map(str::to_owned),
            charset: chosen("charset").map(str::to_owned),
            name: chosen("name").map(str::to_owned),
            is_ambiguous: named("boundary").next() != named("boundary").next_back(),
        })
    }
}

/// Returns whether one of the next lines, up to an empty one, is a header that is read.
fn has_headers(bytes: &[u8]) -> bool {
    let lines = bytes.split(|&byte| byte == b'\n').take(MAX_BEHIND);
    let mut lines =
        lines.take_while(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"--"));
    let field = |line| name(line).and_then(Field::named);
    lines.any(|line| field(line).is_some_and(|field| field != Field::Disposition))
}

/// Returns the start of a name, up to the first character that names may not have, in lower case.
fn token(name: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`{|}~".contains(c);
    let name = name.trim().trim_start_matches('"');
    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
    name[..end].to_ascii_lowercase()
}

/// The headers that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Subject,
    ContentType,
    Transfer,
    Disposition,
}

impl Field {
    fn named(name: &[u8]) -> Option<Field> {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match () {
            () if is("subject") => Some(Field::Subject),
            () if is("content-type") => Some(Field::ContentType),
            () if is("content-transfer-encoding") => Some(Field::Transfer),
            () if is("content-disposition") => Some(Field::Disposition),
            () => None,
        }
    }
}

/// Appends a line of a header without its line end, which unfolds a folded header.
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
        let (headers, at) =
            Headers::read(text.as_bytes(), 80, HeaderMode::Strict, is_end, &mut remarks);
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
        let (headers, _) = Headers::read(russian, 80, HeaderMode::Strict, |_| false, &mut remarks);
        assert_eq!(headers.subject(None, &mut remarks).as_deref(), Some("Привет всем"));
        let label = Some("iso-8859-1");
        assert_eq!(headers.subject(label, &mut remarks).as_deref(), Some("Ïðèâåò âñåì"));
    }

    #[test]
    fn broken_headers_are_read_in_two_manners() {
        let lenient = |text: &str| {
            let remarks = &mut Remarks::default();
            Headers::read(text.as_bytes(), 80, HeaderMode::Lenient, |_| false, remarks)
        };
        // Each case has the text, whether the two manners differ, and the end of the headers in each.
        let cases = [
            ("A: b\nodd\nSubject: x\n\nbody", true, 5, 21),
            ("A: b\nodd\nB: c\n\nbody", false, 5, 15),
            ("Subject: x\nSubject: y\n\nbody", true, 23, 23),
            ("Subject: x\nSubject: x\n\nbody", false, 23, 23),
            ("Subject: x\n\nodd\nSubject: y", false, 12, 12),
        ];
        for (text, is_broken, strict_end, lenient_end) in cases {
            let (headers, rest, _) = read(text);
            assert_eq!((headers.are_broken(), text.len() - rest.len()), (is_broken, strict_end));
            assert_eq!(lenient(text).1, lenient_end, "{text}");
        }
        let subject = |headers: &Headers| headers.subject(None, &mut Remarks::default());
        let twice = "Subject: x\nSubject: y\n z\n\n";
        assert_eq!(subject(&read(twice).0).as_deref(), Some("x"));
        assert_eq!(subject(&lenient(twice).0).as_deref(), Some("y z"));
        let boundaries = "Content-Type: multipart/mixed; boundary=a; boundary=b\n\n";
        let of = |headers: &Headers| headers.content_type().expect("a type");
        let (strict, lenient) = (of(&read(boundaries).0), of(&lenient(boundaries).0));
        assert!(strict.is_ambiguous && lenient.is_ambiguous);
        assert_eq!(
            (strict.boundary.as_deref(), lenient.boundary.as_deref()),
            (Some("a"), Some("b"))
        );
    }

    #[test]
    fn types_end_where_names_do() {
        for value in
            ["text/html charset=utf-8", "text/html, charset=utf-8", "\"text/html\"", "Text/HTML(x)"]
        {
            let found = read(&format!("Content-Type: {value}\n\n")).0.content_type().expect(value);
            assert_eq!((&*found.main, &*found.sub), ("text", "html"), "{value}");
        }
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
            ..ContentType::default()
        };
        assert_eq!(read(text).0.content_type(), Some(expected));
        assert_eq!(read("Content-Type: \n\n").0.content_type(), None);
        assert_eq!(read("A: b\n\n").0.content_type(), None);
        assert_eq!(read("Content-Transfer-Encoding: Base64 \n\n").0.transfer(), Transfer::Base64);
    }
}
