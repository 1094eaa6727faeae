//! The parts of a message, found in one walk over its lines.
//!
//! The library that decodes headers could also build the tree of parts. Measured (0.11.9, two cores of an EPYC): it
//! takes 24 s for 2 MB of multiparts whose boundaries never occur, because each is searched for to the end; 15 MB of
//! nested messages take it 720 MB, and overflow the stack when they are dropped. So parts are found here, without a
//! tree: open multiparts and messages are on a stack of at most [`Limits::depth`](crate::Limits) entries, each
//! line is looked at once, and a line `--boundary` of an open multipart ends everything that is open inside it.
//!
//! Text before the first part and after the last one is skipped, because mail programs do not show it. Some programs
//! show a multipart in which no part begins, so it is read as plain text. If headers are broken, a second walk uses the
//! other [manner](Manner) of reading them.
//!
//! Cost: at worst O(n · depth) time, in comparisons of boundaries; memory for the stack, and for the decoded bytes of
//! an encoded inner message.
//! Source: RFC 2046, §5.1 and §5.2.1.
//! Departs from it: boundaries may be as long as a header, the closing one may be missing, an inner message may be
//! encoded.

use memchr::memmem;

use crate::header::{ContentType, HeaderMode, Headers};
use crate::limits::Limits;
use crate::remark::{Remark, Remarks};
use crate::transfer::Transfer;

/// Maximum nesting of encoded messages. RFC 2046 does not allow any, and each takes memory for its bytes.
const MAX_ENCODED: usize = 3;

/// A part without parts of its own.
#[derive(Debug)]
pub(crate) struct Leaf<'a> {
    pub(crate) content_type: ContentType,
    pub(crate) transfer: Transfer,
    pub(crate) bytes: &'a [u8],
}

/// A receiver of the parts of a message.
pub(crate) trait Assemble {
    fn limits(&self) -> &Limits;

    fn remarks(&mut self) -> &mut Remarks;

    /// Counts a part; returns whether it is within the limit.
    fn count_part(&mut self) -> bool;

    /// Receives the subject of the message, or of one inside it.
    fn subject(&mut self, subject: &str, is_outermost: bool);

    /// Receives a part without parts of its own.
    fn leaf(&mut self, leaf: &Leaf<'_>);

    fn begin_alternatives(&mut self);

    fn next_alternative(&mut self);

    fn end_alternatives(&mut self);
}

/// An open multipart or message.
#[derive(Debug)]
enum Open {
    Multipart { boundary: Vec<u8>, is_alternative: bool, is_digest: bool },
    Message,
}

/// A line that ends parts.
#[derive(Debug, Clone, Copy)]
struct Delimiter {
    /// Index on the stack of the multipart that it belongs to.
    level: usize,
    /// If set, it ends that multipart.
    is_last: bool,
    /// Start of its line. `end` is the start of the next line.
    start: usize,
    end: usize,
}

/// Finds the parts of `raw` and gives each to `assembly`. Returns whether the other manner may find other parts.
pub(crate) fn walk(raw: &[u8], manner: HeaderMode, assembly: &mut impl Assemble) -> bool {
    let depth = assembly.limits().depth;
    Walk { raw, manner, open: Vec::new(), depth, n_encoded: 0, is_broken: false }.run(assembly)
}

#[derive(Debug)]
struct Walk<'a> {
    raw: &'a [u8],
    manner: HeaderMode,
    open: Vec<Open>,
    /// Number of levels that this walk may open.
    depth: usize,
    /// Number of encoded messages around this walk.
    n_encoded: usize,
    /// If set, there were headers that the other manner reads differently.
    is_broken: bool,
}

impl<'a> Walk<'a> {
    fn run(mut self, assembly: &mut impl Assemble) -> bool {
        let mut next = Some((0, true));
        while let Some((at, is_message)) = next {
            next = self.part(at, is_message, assembly);
        }
        self.close(0, assembly);
        self.is_broken
    }

    /// Reads the part or message that starts at `at`. Returns the start of the next one, and whether that is a message.
    fn part(
        &mut self,
        at: usize,
        is_message: bool,
        assembly: &mut impl Assemble,
    ) -> Option<(usize, bool)> {
        if !assembly.count_part() {
            assembly.remarks().add(Remark::TooManyParts(self.raw.len() - at));
            return None;
        }
        let limit = assembly.limits().header_bytes;
        let (headers, body) = self.headers(at, limit, assembly.remarks());
        let content_type = headers.content_type().unwrap_or_else(|| self.default_type());
        self.is_broken |= headers.are_broken() || content_type.is_ambiguous;
        let label = content_type.charset.as_deref();
        if is_message && let Some(subject) = headers.subject(label, assembly.remarks()) {
            assembly.subject(&subject, self.open.is_empty() && self.n_encoded == 0);
        }
        let transfer = headers.transfer();
        // An inner message joins this walk. If it is encoded, its decoded bytes get a walk of their own.
        match (&*content_type.main, &*content_type.sub) {
            ("message", "rfc822" | "global" | "news") if transfer == Transfer::Identity => {
                if self.open.len() < self.depth {
                    self.open.push(Open::Message);
                    return Some((body, true));
                }
                assembly.remarks().add(Remark::TooDeep(1));
                self.after(self.delimiter(body), assembly)
            }
            ("message", "rfc822" | "global" | "news") => {
                let (bytes, delimiter) = self.body(body);
                self.is_broken |= self.encoded(bytes, &transfer, assembly);
                self.after(delimiter, assembly)
            }
            ("multipart", _) => self.multipart(body, &content_type, transfer, assembly),
            _ => {
                let (bytes, delimiter) = self.body(body);
                assembly.leaf(&Leaf { content_type, transfer, bytes });
                self.after(delimiter, assembly)
            }
        }
    }

    fn headers(&self, at: usize, limit: usize, remarks: &mut Remarks) -> (Headers, usize) {
        let is_end = |rest: &[u8]| self.matching(rest).is_some();
        let (headers, n) = Headers::read(&self.raw[at..], limit, self.manner, is_end, remarks);
        (headers, at + n)
    }

    /// Returns the type of a part that does not declare one.
    fn default_type(&self) -> ContentType {
        let (main, sub) = match self.open.last() {
            Some(Open::Multipart { is_digest: true, .. }) => ("message", "rfc822"),
            _ => ("text", "plain"),
        };
        ContentType { main: main.to_owned(), sub: sub.to_owned(), ..ContentType::default() }
    }

    fn multipart(
        &mut self,
        body: usize,
        content_type: &ContentType,
        transfer: Transfer,
        assembly: &mut impl Assemble,
    ) -> Option<(usize, bool)> {
        if self.open.len() >= self.depth {
            assembly.remarks().add(Remark::TooDeep(1));
            return self.after(self.delimiter(body), assembly);
        }
        let own = self.open.len();
        let boundary = content_type.boundary.as_deref().unwrap_or_default().trim_end();
        if !boundary.is_empty() {
            let is_alternative = content_type.sub == "alternative";
            let is_digest = content_type.sub == "digest";
            let boundary = boundary.as_bytes().to_vec();
            self.open.push(Open::Multipart { boundary, is_alternative, is_digest });
        }
        let delimiter = self.delimiter(body);
        // If the first delimiter belongs to an outer multipart, this one has no parts.
        if self.open.len() > own {
            if delimiter.is_some_and(|found| found.level == own) {
                if self.is_alternative(own) {
                    assembly.begin_alternatives();
                }
                return self.after(delimiter, assembly);
            }
            self.open.pop();
        }
        assembly.remarks().add(Remark::NoParts(1));
        let bytes = &self.raw[body..self.end_before(body, delimiter)];
        let content_type = ContentType {
            main: "text".to_owned(),
            sub: "plain".to_owned(),
            ..ContentType::default()
        };
        assembly.leaf(&Leaf { content_type, transfer, bytes });
        self.after(delimiter, assembly)
    }

    fn is_alternative(&self, level: usize) -> bool {
        matches!(self.open.get(level), Some(Open::Multipart { is_alternative: true, .. }))
    }

    /// Reads an encoded message. Returns whether the other manner may find other parts in it.
    fn encoded(&self, bytes: &[u8], transfer: &Transfer, assembly: &mut impl Assemble) -> bool {
        let depth = self.depth.saturating_sub(self.open.len() + 1);
        if depth == 0 || self.n_encoded == MAX_ENCODED {
            assembly.remarks().add(Remark::TooDeep(1));
            return false;
        }
        let raw = transfer.decode(bytes, assembly.remarks());
        let n_encoded = self.n_encoded + 1;
        Walk { raw: &raw, open: Vec::new(), depth, n_encoded, is_broken: false, ..*self }
            .run(assembly)
    }

    /// Returns the bytes from `start` to the next delimiter, and the delimiter.
    fn body(&self, start: usize) -> (&'a [u8], Option<Delimiter>) {
        let delimiter = self.delimiter(start);
        (&self.raw[start..self.end_before(start, delimiter)], delimiter)
    }

    /// Returns the end of a body. The line feed before a delimiter belongs to the delimiter.
    fn end_before(&self, start: usize, delimiter: Option<Delimiter>) -> usize {
        let Some(delimiter) = delimiter else { return self.raw.len() };
        let body = &self.raw[start..delimiter.start];
        let body = body.strip_suffix(b"\n").unwrap_or(body);
        start + body.strip_suffix(b"\r").unwrap_or(body).len()
    }

    /// Closes what a delimiter ends. Returns the start of the next part, and whether it is a message.
    fn after(
        &mut self,
        mut delimiter: Option<Delimiter>,
        assembly: &mut impl Assemble,
    ) -> Option<(usize, bool)> {
        loop {
            let found = delimiter?;
            // No part begins at the end of the message.
            if !found.is_last && found.end < self.raw.len() {
                self.close(found.level + 1, assembly);
                if self.is_alternative(found.level) {
                    assembly.next_alternative();
                }
                return Some((found.end, false));
            }
            self.close(found.level, assembly);
            delimiter = self.delimiter(found.end);
        }
    }

    /// Closes everything from a level on.
    fn close(&mut self, level: usize, assembly: &mut impl Assemble) {
        while self.open.len() > level {
            if self.is_alternative(self.open.len() - 1) {
                assembly.end_alternatives();
            }
            self.open.pop();
        }
    }

    /// Returns the next line that delimits parts of an open multipart. `at` is the start of a line.
    fn delimiter(&self, at: usize) -> Option<Delimiter> {
        if !self.open.iter().any(|open| matches!(open, Open::Multipart { .. })) {
            return None;
        }
        let lines = memmem::find_iter(&self.raw[at..], b"\n--").map(|n| at + n + 1);
        let first = self.raw[at..].starts_with(b"--").then_some(at);
        first.into_iter().chain(lines).find_map(|start| {
            let (level, n, is_last) = self.matching(&self.raw[start..])?;
            Some(Delimiter { level, is_last, start, end: start + n })
        })
    }

    /// Returns the innermost multipart whose delimiter starts `rest`, the length of that line, and whether it is the
    /// last delimiter.
    fn matching(&self, rest: &[u8]) -> Option<(usize, usize, bool)> {
        let levels = self.open.iter().enumerate().rev();
        levels.into_iter().find_map(|(level, open)| {
            let Open::Multipart { boundary, .. } = open else { return None };
            let (n, is_last) = delimiter_line(rest, boundary)?;
            Some((level, n, is_last))
        })
    }
}

/// If `rest` starts with a line that delimits the parts of a multipart, returns the length of that line, and whether it
/// is the last delimiter.
fn delimiter_line(rest: &[u8], boundary: &[u8]) -> Option<(usize, bool)> {
    let tail = rest.strip_prefix(b"--")?.strip_prefix(boundary)?;
    let (tail, is_last) = tail.strip_prefix(b"--").map_or((tail, false), |tail| (tail, true));
    let end = memchr::memchr(b'\n', tail);
    let line = &tail[..end.unwrap_or(tail.len())];
    let n = rest.len() - tail.len() + end.map_or(tail.len(), |at| at + 1);
    line.trim_ascii().is_empty().then_some((n, is_last))
}
