//! A raw message as the text that a person sees.
//!
//! The text consists of the subject and all text parts in order, including those of messages inside it. Other headers
//! and the names of attachments are left out. Attached text is read, because many mail programs show it below the
//! message, and a sender who does not want to be recognised would put the text there. Messages and pages are read
//! whatever their type says, and documents are [handed out](Message::attachments) for other readers, whose text follows
//! that of the message.
//!
//! Of several alternatives, the last one with text is read first, as RFC 2046 requires of mail programs; this is nearly
//! always the HTML. The reader's program may show another one: the plain text, or the one before, if no program shows
//! the type of the last. So all are read, and [`Message::others`] has the other texts. If alternatives share less than
//! half of their words, a remark says so.
//!
//! Each way is also read where mail programs differ otherwise: HTML that is declared as plain text, invalid types, types
//! that most programs offer as a file (calendars, style sheets), broken headers.
//!
//! Cost: O(n) time; memory for the raw message, its readings, and about five times its largest part while that part is
//! read.
//! Source: RFC 2045 to 2047; RFC 2046, §5.1.4.

mod words;
mod readings;

use crate::attachment::Attachment;
use crate::charset;
use crate::header::HeaderMode;
use crate::limits::{Limits, start_of};
use crate::line_ends::with_line_feeds;
use crate::parts::{self, Assemble, Leaf};
use crate::remark::{Remark, Remarks};
use crate::visible::{self, has_same_words};
use crate::{overridden, stray};
use fanmill_extract::html::begin::{begins_as_page, begins_with_tag};
use readings::{Prevalence, Readings};

pub use readings::MAX_READINGS;

/// The text that a person sees of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The subject on one line, or empty.
    pub subject: String,
    /// The subject, and all visible text below it; parts are separated by an empty line. Lines end in `\n`. If most
    /// mail programs would show nothing, this is the text that the others show.
    pub text: String,
    /// The texts that other mail programs show. No two have the same words; usually at most one.
    pub others: Vec<String>,
    /// Number of parts, including multiparts and messages inside it; a plain message has one.
    pub n_parts: usize,
    /// Parts that are neither text nor known to have no words, in order. Whoever reads their text adds it by
    /// [`Message::attach`].
    pub attachments: Vec<Attachment>,
    /// The attachments whose text is in `text`, in order.
    pub attached: Vec<Attached>,
    /// Notes on what is missing or odd, each kind once, in the order of [`Remark`].
    pub remarks: Vec<Remark>,
}

/// An attachment whose text is part of a message's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attached {
    /// Its name.
    pub name: String,
    /// The byte of the message's text at which its text begins.
    pub at: usize,
}

/// Reads a message, whatever its bytes are.
///
/// ```
/// use fanmill_mail::{Limits, message};
///
/// let raw = b"Subject: Offer\nContent-Type: text/html\n\n<p>buy<font color=white> no</font>w";
/// let message = message::read(raw, &Limits::standard());
/// assert_eq!(message.text, "Offer\n\nbuyw");
/// assert_eq!(message.others, ["Offer\n\nbuy now"]);
/// assert_eq!(message.remarks[0].to_string(), "hidden text left out: 2 characters");
/// ```
pub fn read(raw: &[u8], limits: &Limits) -> Message {
    let raw = &*with_line_feeds(raw);
    let (mut message, is_broken) = read_in(HeaderMode::Strict, raw, limits);
    if is_broken {
        let (lenient, _) = read_in(HeaderMode::Lenient, raw, limits);
        message.add(lenient, limits);
    }
    message.with_text_first()
}

/// Reads a message in one manner. Returns whether the other manner may read something else.
fn read_in(manner: HeaderMode, raw: &[u8], limits: &Limits) -> (Message, bool) {
    let mut assembly = Assembly::new(limits);
    let kept = raw.len().min(limits.message_bytes);
    assembly.remarks.add(Remark::MessageCut(raw.len() - kept));
    let is_broken = parts::walk(&raw[..kept], manner, &mut assembly);
    (assembly.finish(), is_broken)
}

impl Message {
    /// Puts a reading with text below the subject first, if there is one.
    fn with_text_first(mut self) -> Message {
        let has_more = |text: &String| text.len() > self.subject.len();
        if !has_more(&self.text)
            && let Some(at) = self.others.iter().position(has_more)
        {
            std::mem::swap(&mut self.text, &mut self.others[at]);
            self.others.retain(|text| !text.is_empty());
        }
        self
    }

    /// Appends the text of an attachment, from a new paragraph on, up to the limit of text. If the attachment is the
    /// message's own text in another format, and says nothing that is not there, it is left out.
    ///
    /// ```
    /// use fanmill_mail::{Limits, message};
    ///
    /// let limits = Limits::standard();
    /// let raw = b"Subject: a\nContent-Type: application/octet-stream; name=b.txt\n\n c\n";
    /// let mut message = message::read(raw, &limits);
    /// for attachment in std::mem::take(&mut message.attachments) {
    ///     message.attach(&attachment, &String::from_utf8_lossy(&attachment.bytes), &limits);
    /// }
    /// assert_eq!(message.text, "a\n\nc");
    /// ```
    pub fn attach(&mut self, attachment: &Attachment, text: &str, limits: &Limits) {
        let text = as_seen(&text.replace("\r\n", "\n"));
        let text = text.trim();
        if text.is_empty() || attachment.is_body && says(&self.text, text) {
            return;
        }
        let gap = if self.text.is_empty() { "" } else { "\n\n" };
        let room = limits.text_bytes.saturating_sub(self.text.len() + gap.len());
        let kept = start_of(text, room).trim_end();
        self.note(Remark::TextCut(text.len() - kept.len()));
        if !kept.is_empty() {
            self.text.push_str(gap);
            self.attached.push(Attached { name: attachment.name.clone(), at: self.text.len() });
            self.text.push_str(kept);
        }
    }

    /// Returns the message's own text, and that of each attachment with its name. Without attachments there are none.
    pub fn pieces(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let starts = self.attached.iter().map(|attached| attached.at);
        let first = starts.clone().next().into_iter().map(|_| 0);
        let ends = starts.clone().chain([self.text.len()]);
        let names =
            std::iter::once(None).chain(self.attached.iter().map(|found| Some(&*found.name)));
        let ranges = first.chain(starts).zip(ends);
        names.zip(ranges).map(|(name, (start, end))| (name, self.text[start..end].trim()))
    }

    /// Adds a remark.
    pub fn note(&mut self, remark: Remark) {
        let mut remarks = Remarks::from(std::mem::take(&mut self.remarks));
        remarks.add(remark);
        self.remarks = remarks.into_sorted();
    }

    /// Adds the readings of the same message in the other manner.
    fn add(&mut self, other: Message, limits: &Limits) {
        let mut remarks = Remarks::from(std::mem::take(&mut self.remarks));
        other.remarks.into_iter().for_each(|remark| remarks.add_new(remark));
        for attachment in other.attachments {
            if self.attachments.iter().all(|known| known.bytes != attachment.bytes) {
                self.attachments.push(attachment);
            }
        }
        let n_attachments = self.attachments.len();
        self.attachments.truncate(limits.attachments);
        remarks.add(Remark::TooManyAttachments(n_attachments - self.attachments.len()));
        let room = limits.text_bytes.saturating_sub(self.others.iter().map(String::len).sum());
        let known = [&self.text].into_iter().chain(&self.others);
        let known: Vec<&String> = known.collect();
        let mut new: Vec<String> = [other.text].into_iter().chain(other.others).collect();
        new.retain(|text| !known.iter().any(|known| has_same_words(known, text)));
        let n_new = new.len();
        let mut left = room;
        new.retain(|text| {
            let fits = text.len() <= left;
            left -= if fits { text.len() } else { 0 };
            fits
        });
        new.truncate(MAX_READINGS - known.len());
        remarks.add(Remark::TooManyAlternatives(n_new - new.len()));
        self.others.append(&mut new);
        self.remarks = remarks.into_sorted();
    }
}

/// Reads a page that is not part of a message in the way that the HTML of a message is read.
///
/// ```
/// use fanmill_mail::{Limits, message};
///
/// let page = "<!doctype html><title>Sea</title><p>l<span>i</span>ght<i hidden>s</i>";
/// assert_eq!(message::page(page, &Limits::standard()).text, "light");
/// ```
pub fn page(page: &str, limits: &Limits) -> Message {
    let mut assembly = Assembly::new(limits);
    assembly.html(page);
    assembly.finish().with_text_first()
}

/// Returns a text as a person sees it: without invisible characters, and in the order displayed.
fn as_seen(text: &str) -> String {
    stray::without(&overridden::as_seen(text)).into_owned()
}

/// Returns whether a text has the words of another one, in their order and next to each other.
fn says(text: &str, other: &str) -> bool {
    let in_words = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        format!(" {} ", words.join(" "))
    };
    in_words(text).contains(&in_words(other))
}

/// The text of a message under construction.
#[derive(Debug)]
struct Assembly<'l> {
    limits: &'l Limits,
    remarks: Remarks,
    subject: String,
    readings: Readings,
    attachments: Vec<Attachment>,
    /// If set, text that is there already is not added again.
    skips_known: bool,
    n_parts: usize,
    html_left: usize,
    /// Bytes that packed text may still grow to.
    unpacked_left: usize,
}

/// Ways to read a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Plain,
    Html,
    /// As plain text and as HTML.
    Both,
    /// As plain text in one reading, and not at all in another.
    Aside,
}

/// Returns the way to read a part of a type, and how widely the part is shown.
fn reading(main: &str, sub: &str) -> (Reading, Prevalence) {
    match (main, sub) {
        ("text", "html") | ("application", "xhtml+xml") => (Reading::Html, Prevalence::Html),
        ("text", "plain") => (Reading::Plain, Prevalence::Plain),
        // Enriched text is markup of the same form; its element names mean nothing here.
        ("text", "enriched" | "richtext") => (Reading::Html, Prevalence::Seldom),
        // Pages for watches and the like.
        ("text", sub) if sub.ends_with("html") => (Reading::Html, Prevalence::Seldom),
        // These are files, but a type without a subtype is invalid and counts as none, which means plain text.
        ("application" | "audio" | "font" | "image" | "model" | "video", "") => {
            (Reading::Aside, Prevalence::Seldom)
        }
        // An invalid type counts as none, or as the type that it resembles.
        (_, "" | "html") => (Reading::Both, Prevalence::Plain),
        // Most programs offer these as files, or use them in another way.
        ("text", "calendar" | "vcard" | "x-vcard" | "directory" | "css" | "javascript" | "xml")
        | ("message", _) => (Reading::Aside, Prevalence::Seldom),
        // Parts of other types are not read as text.
        _ => (Reading::Plain, Prevalence::Seldom),
    }
}

/// Returns the text of a part. In calendars and address cards it joins folded lines, and decodes escaped line feeds,
/// commas and semicolons.
fn unfolded(text: &str, sub: &str) -> String {
    let text = text.replace("\r\n", "\n");
    if !matches!(sub, "calendar" | "vcard" | "x-vcard" | "directory") {
        return text;
    }
    let text = text.replace("\n ", "").replace("\n\t", "");
    text.replace("\\n", "\n").replace("\\N", "\n").replace("\\,", ",").replace("\\;", ";")
}

impl<'l> Assembly<'l> {
    fn new(limits: &'l Limits) -> Assembly<'l> {
        Assembly {
            limits,
            remarks: Remarks::default(),
            subject: String::new(),
            readings: Readings::default(),
            attachments: Vec::new(),
            skips_known: false,
            n_parts: 0,
            html_left: limits.html_bytes,
            unpacked_left: limits.text_bytes,
        }
    }

    fn finish(self) -> Message {
        let Assembly { limits, subject, readings, attachments, n_parts, mut remarks, .. } = self;
        let (text, others) = readings.into_texts(limits.text_bytes, &mut remarks);
        let remarks = remarks.into_sorted();
        Message { subject, text, others, n_parts, attachments, attached: Vec::new(), remarks }
    }

    fn plain(&mut self, text: &str) {
        self.push(&text.replace("\r\n", "\n").replace('\r', "\n"));
    }

    /// Reads a part in two ways; the more likely one comes last.
    fn ways(&mut self, ways: [&dyn Fn(&mut Self); 2]) {
        self.readings.begin_alternatives();
        for way in ways {
            self.readings.next_alternative();
            way(self);
        }
        self.readings.end_ways();
    }

    fn html(&mut self, page: &str) {
        let kept = start_of(page, self.html_left);
        self.html_left -= kept.len();
        self.remarks.add(Remark::HtmlCut(page.len() - kept.len()));
        let read = visible::read(kept);
        self.remarks.add(Remark::EmptyHtml(usize::from(read.is_void)));
        self.remarks.add(Remark::Hidden(read.n_hidden));
        self.remarks.add(Remark::DeepMarkup(read.n_deep));
        self.remarks.add(Remark::TagsCut(read.n_tags_cut));
        self.remarks.add(Remark::RulesCut(read.n_rules_cut));
        if read.others.is_empty() {
            return self.push(&read.text);
        }
        self.readings.begin_alternatives();
        for text in read.others.iter().rev().chain([&read.text]) {
            self.readings.next_alternative();
            self.push(text);
        }
        self.readings.end_ways();
    }

    /// Appends a piece of text as a paragraph of its own.
    fn push(&mut self, text: &str) {
        let text = as_seen(text);
        let text = text.trim();
        if text.is_empty() || self.skips_known && self.readings.has(text) {
            return;
        }
        let counted = self.readings.bytes();
        let gap = if counted == 0 { 0 } else { "\n\n".len() };
        let room = self.limits.text_bytes.saturating_sub(counted + gap);
        let kept = start_of(text, room).trim_end();
        self.remarks.add(Remark::TextCut(text.len() - kept.len()));
        if !kept.is_empty() {
            self.readings.push(kept, gap + kept.len());
        }
    }
}

impl Assemble for Assembly<'_> {
    fn limits(&self) -> &Limits {
        self.limits
    }

    fn remarks(&mut self) -> &mut Remarks {
        &mut self.remarks
    }

    fn count_part(&mut self) -> bool {
        let is_within = self.n_parts < self.limits.parts;
        self.n_parts += usize::from(is_within);
        is_within
    }

    fn subject(&mut self, subject: &str, is_outermost: bool) {
        let line = as_seen(subject);
        let line: Vec<&str> = line.split_whitespace().collect();
        let line = line.join(" ");
        self.push(&line);
        if is_outermost {
            self.subject = line;
        }
    }

    fn leaf(&mut self, leaf: &Leaf<'_>) {
        let (reading, shown) = reading(&leaf.content_type.main, &leaf.content_type.sub);
        let is_unusual = shown == Prevalence::Seldom && self.readings.is_alternative();
        self.remarks.add(Remark::UnusualAlternative(usize::from(is_unusual)));
        self.readings.note(shown);
        let label = leaf.content_type.charset.as_deref();
        let text = charset::decode(leaf.bytes, label, &mut self.remarks);
        match reading {
            Reading::Html => self.html(&text),
            Reading::Aside => {
                let text = unfolded(&text, &leaf.content_type.sub);
                self.ways([&|assembly| assembly.plain(&text), &|_| ()]);
            }
            _ if begins_as_page(&text) => {
                self.remarks.add(Remark::PlainHtml(1));
                self.ways([&|assembly| assembly.plain(&text), &|assembly| assembly.html(&text)]);
            }
            _ if reading == Reading::Both || begins_with_tag(&text) => {
                self.ways([&|assembly| assembly.html(&text), &|assembly| assembly.plain(&text)]);
            }
            _ => self.plain(&text),
        }
    }

    fn repeated(&mut self, text: &str, is_html: bool) {
        self.skips_known = true;
        if is_html {
            self.html(text);
        } else {
            self.plain(text);
        }
        self.skips_known = false;
    }

    fn attachment(&mut self, attachment: Attachment) {
        if self.attachments.len() < self.limits.attachments {
            self.attachments.push(attachment);
        } else {
            self.remarks.add(Remark::TooManyAttachments(1));
        }
    }

    fn room_to_unpack(&mut self) -> &mut usize {
        &mut self.unpacked_left
    }

    fn begin_alternatives(&mut self) {
        self.readings.begin_alternatives();
    }

    fn next_alternative(&mut self) {
        self.readings.next_alternative();
    }

    fn end_alternatives(&mut self) {
        self.readings.end_alternatives(&mut self.remarks);
    }
}

#[cfg(test)]
mod tests;
