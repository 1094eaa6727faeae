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
//! Parts that are not declared as text are looked at, since their types prove nothing: signed contents and Outlook's
//! streams are unwrapped, messages are read as parts of this one, pages go the way of HTML. All else is an attachment.
//!
//! Cost: at worst O(n · depth) time, in comparisons of boundaries; memory for the stack, and for the decoded bytes of
//! each part that is open: an inner message that is encoded, or wrapped.
//! Source: RFC 2046, §5.1 and §5.2.1; RFC 8551, §3.2 and §3.5.
//! Departs from it: boundaries may be as long as a header, the closing one may be missing, an inner message may be
//! encoded.

use memchr::memmem;

use crate::attachment::{self, Attachment, begins_as_document, shown_name};
use crate::cms;
use crate::compressed_rtf;
use crate::content::{self, Content};
use crate::header::{ContentType, HeaderMode, Headers};
use crate::limits::Limits;
use crate::mbox;
use crate::remark::{Remark, Remarks};
use crate::tnef;
use crate::transfer::Transfer;

/// Maximum nesting of messages that are encoded or wrapped: signed, enciphered and signed again is three, and each takes
/// memory for its bytes.
const MAX_ENCODED: usize = 4;

/// A part without parts of its own.
#[derive(Debug)]
pub(crate) struct Leaf<'a> {
    pub(crate) content_type: ContentType,
    /// Its bytes, decoded.
    pub(crate) bytes: &'a [u8],
}

/// A part that is read by its bytes alone.
#[derive(Debug)]
struct Part<'a> {
    name: String,
    bytes: &'a [u8],
    /// If set, it is declared as something without words.
    is_wordless: bool,
}

/// A receiver of the parts of a message.
pub(crate) trait Assemble {
    fn limits(&self) -> &Limits;

    fn remarks(&mut self) -> &mut Remarks;

    /// Counts a part; returns whether it is within the limit.
    fn count_part(&mut self) -> bool;

    /// Receives the subject of the message, or of one inside it.
    fn subject(&mut self, subject: &str, is_outermost: bool);

    /// Receives a part of text.
    fn leaf(&mut self, leaf: &Leaf<'_>);

    /// Receives text that another format has for the message around it, as HTML or not.
    fn repeated(&mut self, text: &str, is_html: bool);

    /// Receives a part that is not text.
    fn attachment(&mut self, attachment: Attachment);

    /// Returns the number of bytes that packed text may still grow to.
    fn room_to_unpack(&mut self) -> &mut usize;

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
                let raw = transfer.decode(bytes, assembly.remarks());
                self.inside(&raw, assembly);
                self.after(delimiter, assembly)
            }
            ("multipart", _) => self.multipart(body, &content_type, &transfer, assembly),
            _ => {
                let (bytes, delimiter) = self.body(body);
                let name = headers.file_name().or(content_type.name.clone());
                self.leaf(content_type, name, &transfer, bytes, assembly);
                self.after(delimiter, assembly)
            }
        }
    }

    /// Reads a part without parts of its own.
    fn leaf(
        &mut self,
        content_type: ContentType,
        name: Option<String>,
        transfer: &Transfer,
        bytes: &[u8],
        assembly: &mut impl Assemble,
    ) {
        let is_wordless = attachment::is_wordless(&content_type.main, &content_type.sub);
        let mut ignored = Remarks::default();
        let remarks = if is_wordless { &mut ignored } else { assembly.remarks() };
        let bytes = &*transfer.decode(bytes, remarks);
        if is_wordless && !begins_as_document(bytes) {
            return assembly.remarks().add(Remark::NotText(1));
        }
        let name = name.filter(|name| !name.trim().is_empty());
        let name = name.unwrap_or_else(|| format!("{}/{}", content_type.main, content_type.sub));
        if content_type.is_text() {
            let is_document = begins_as_document(bytes);
            // A program that shows plain text shows the beginning of a document, too, if it is text.
            let is_shown =
                !is_document || content_type.sub != "rtf" && content::is_shown_as_text(bytes);
            if is_shown {
                assembly.leaf(&Leaf { content_type, bytes });
            }
            if !is_document {
                return;
            }
        }
        self.by_content(&Part { name: shown_name(&name), bytes, is_wordless }, assembly);
    }

    /// Reads a part by its bytes alone.
    fn by_content(&mut self, part: &Part<'_>, assembly: &mut impl Assemble) {
        match content::of(&part.name, part.bytes) {
            Content::Empty => assembly.remarks().add(Remark::NotText(1)),
            Content::Outlook(wrapped) => self.outlook(part, &wrapped, assembly),
            Content::Signed(wrapped) => self.signed(part, &wrapped, assembly),
            Content::Message => self.inside(part.bytes, assembly),
            Content::Mailbox => {
                let limits = assembly.limits().clone();
                // Bytes in memory are read without an error.
                for message in mbox::messages(part.bytes, &limits).map_while(Result::ok) {
                    self.inside(&message.bytes, assembly);
                }
            }
            Content::Markup(sub) => {
                let content_type = ContentType::new("text", sub);
                assembly.leaf(&Leaf { content_type, bytes: part.bytes });
            }
            Content::Other => {
                let Part { ref name, bytes, is_wordless } = *part;
                let (name, bytes) = (name.clone(), bytes.to_vec());
                // A message may say the same in another format, such as RTF.
                let is_alternative =
                    |open: &Open| matches!(open, Open::Multipart { is_alternative: true, .. });
                let is_body = self.open.iter().any(is_alternative);
                assembly.attachment(Attachment { name, bytes, is_body, is_wordless });
            }
        }
    }

    /// Reads what was signed: usually a part with headers, and elsewhere any file.
    fn signed(
        &mut self,
        part: &Part<'_>,
        wrapped: &cms::Wrapped<'_>,
        assembly: &mut impl Assemble,
    ) {
        let (content, is_whole) = match wrapped {
            cms::Wrapped::Signed(content, is_whole) => (&**content, *is_whole),
            cms::Wrapped::SignatureOnly => return assembly.remarks().add(Remark::NotText(1)),
            cms::Wrapped::Encrypted => {
                return assembly.remarks().add(Remark::unread(&part.name, "encrypted, not read"));
            }
            cms::Wrapped::Compressed => {
                let note = "compressed as S/MIME, which is not read; send it as it is";
                return assembly.remarks().add(Remark::unread(&part.name, note));
            }
        };
        if !is_whole {
            let note = "damaged: what was signed is read up to the fault";
            assembly.remarks().add(Remark::unread(&part.name, note));
        }
        if content::is_entity(content) || content.starts_with(b"\n") || content.starts_with(b"\r\n")
        {
            return self.inside(content, assembly);
        }
        self.below(assembly, |walk, assembly| {
            let name = part.name.clone();
            walk.by_content(
                &Part { name, bytes: content, is_wordless: part.is_wordless },
                assembly,
            );
        });
    }

    /// Reads a message that Outlook wrapped.
    fn outlook(
        &mut self,
        part: &Part<'_>,
        wrapped: &tnef::Wrapped<'_>,
        assembly: &mut impl Assemble,
    ) {
        if wrapped.is_damaged {
            let note = "damaged: read up to the fault";
            assembly.remarks().add(Remark::unread(&part.name, note));
        }
        for text in [wrapped.subject, wrapped.plain].into_iter().flatten() {
            let text = wrapped.decode(text, assembly.remarks());
            assembly.repeated(&text, false);
        }
        if let Some(page) = wrapped.html {
            let page = wrapped.decode_html(page, assembly.remarks());
            assembly.repeated(&page, true);
        }
        if let Some(packed) = wrapped.compressed_rtf {
            rich_text(part, packed, assembly);
        }
        self.below(assembly, |walk, assembly| {
            for (i, file) in wrapped.attachments.iter().enumerate() {
                if !assembly.count_part() {
                    let left = wrapped.attachments[i..].iter().map(|file| file.bytes.len());
                    let left = left.sum::<usize>().max(1);
                    return assembly.remarks().add(Remark::TooManyParts(left));
                }
                let name = wrapped.name(file).unwrap_or_else(|| part.name.clone());
                let name = shown_name(&name);
                walk.by_content(&Part { name, bytes: file.bytes, is_wordless: false }, assembly);
            }
        });
    }

    /// Reads a message, or a part with headers, that has bytes of its own.
    fn inside(&mut self, raw: &[u8], assembly: &mut impl Assemble) {
        let mut is_broken = false;
        self.below(assembly, |walk, assembly| {
            is_broken = Walk { raw, open: Vec::new(), is_broken: false, ..*walk }.run(assembly);
        });
        self.is_broken |= is_broken;
    }

    /// Goes down one level into what is encoded or wrapped, if there is one.
    fn below<A: Assemble>(&mut self, assembly: &mut A, read: impl FnOnce(&mut Walk<'_>, &mut A)) {
        let depth = self.depth.saturating_sub(self.open.len() + 1);
        if depth == 0 || self.n_encoded == MAX_ENCODED {
            return assembly.remarks().add(Remark::TooDeep(1));
        }
        let n_encoded = self.n_encoded + 1;
        let mut walk =
            Walk { raw: &[], open: Vec::new(), depth, n_encoded, is_broken: false, ..*self };
        read(&mut walk, assembly);
        self.is_broken |= walk.is_broken;
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
        ContentType::new(main, sub)
    }

    fn multipart(
        &mut self,
        body: usize,
        content_type: &ContentType,
        transfer: &Transfer,
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
        let bytes = transfer.decode(bytes, assembly.remarks());
        assembly.leaf(&Leaf { content_type: ContentType::new("text", "plain"), bytes: &bytes });
        self.after(delimiter, assembly)
    }

    fn is_alternative(&self, level: usize) -> bool {
        matches!(self.open.get(level), Some(Open::Multipart { is_alternative: true, .. }))
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

/// Hands out text in Outlook's packed form.
fn rich_text(part: &Part<'_>, packed: &[u8], assembly: &mut impl Assemble) {
    let room = *assembly.room_to_unpack();
    let Some((bytes, is_whole)) = compressed_rtf::unpack(packed, room) else {
        let note = "its text in RTF is packed in an unknown way, not read";
        return assembly.remarks().add(Remark::unread(&part.name, note));
    };
    *assembly.room_to_unpack() -= bytes.len();
    if !is_whole {
        let note = "its text in RTF is damaged, or over the limit: read up to there";
        assembly.remarks().add(Remark::unread(&part.name, note));
    }
    let name = part.name.clone();
    assembly.attachment(Attachment { name, bytes, is_body: true, is_wordless: false });
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
