//! A raw message as the text that a person sees.
//!
//! That is the subject, and the text of all parts that are text, in their order; messages inside of
//! it too. Headers other than the subject are not in it, nor names of attachments. Attached text is: many mail programs
//! show it below the message, and who wants to be recognised least would attach what he has to say.
//!
//! Of alternatives the last one is read that has text, as RFC 2046 asks of mail programs, which is nearly always
//! the HTML. Another one may be what a reader's program shows: the plain text, or, if the last one is of a type that nobody
//! shows, the one before it. So all of them are read, and [`Message::others`] has the texts that they make. If alternatives
//! share less than half of their words, a remark says so.
//!
//! Cost: O(n) time; memory is the raw message, its readings, and about five times its largest part while that is read.
//! Source: RFC 2045 to 2047; RFC 2046, §5.1.4.

mod words;
mod readings;

use crate::charset;
use crate::limits::{Limits, start_of};
use crate::overridden;
use crate::parts::{self, Leaf};
use crate::remark::{Remark, Remarks};
use crate::visible;
use readings::{Readings, Shown};

/// What a person sees of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The subject on one line, or nothing.
    pub subject: String,
    /// The subject, and all visible text below it; parts are separated by an empty line. Lines end in `\n`.
    pub text: String,
    /// The same as other mail programs show it, with other alternatives: no two with the same words, and usually
    /// none or one.
    pub others: Vec<String>,
    /// Parts, multiparts and messages inside of it counted as well; a plain message is one.
    pub n_parts: usize,
    /// What is not in the text, each kind once, in the order of [`Remark`].
    pub remarks: Vec<Remark>,
}

/// Reads a message, whatever its bytes are.
///
/// ```
/// use fanmill_mail::{Limits, message};
///
/// let raw = b"Subject: Offer\nContent-Type: text/html\n\n<p>buy<font color=white> no</font>w";
/// let message = message::read(raw, &Limits::standard());
/// assert_eq!(message.text, "Offer\n\nbuyw");
/// assert_eq!(message.remarks[0].to_string(), "hidden text left out: 2 characters");
/// ```
pub fn read(raw: &[u8], limits: &Limits) -> Message {
    let mut assembly = Assembly::new(limits);
    let kept = raw.len().min(limits.message_bytes);
    assembly.remarks.add(Remark::MessageCut(raw.len() - kept));
    parts::walk(&raw[..kept], &mut assembly);
    assembly.finish()
}

/// Reads a page that is no part of a message, as the HTML of a message is read.
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
    assembly.finish()
}

/// A message's text in the making.
#[derive(Debug)]
pub(crate) struct Assembly<'l> {
    pub(crate) limits: &'l Limits,
    pub(crate) remarks: Remarks,
    subject: String,
    readings: Readings,
    n_parts: usize,
    html_left: usize,
}

/// How a part is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Plain,
    Html,
    Not,
}

/// Types of text that mail programs do not show as such.
const NOT_SHOWN: [&str; 7] =
    ["calendar", "vcard", "x-vcard", "directory", "css", "javascript", "xml"];

/// How a part of a type is read, and by how many programs it is shown.
fn reading(main: &str, sub: &str) -> (Reading, Shown) {
    match (main, sub) {
        ("text", "html") | ("application", "xhtml+xml") => (Reading::Html, Shown::Html),
        ("text", "plain") => (Reading::Plain, Shown::Plain),
        // Enriched text is markup of the same shape, with names that mean nothing here.
        ("text", "enriched" | "richtext") => (Reading::Html, Shown::Seldom),
        // Pages for watches and the like.
        ("text", sub) if sub.ends_with("html") => (Reading::Html, Shown::Seldom),
        ("text", sub) if NOT_SHOWN.contains(&sub) => (Reading::Not, Shown::Never),
        // What is no type counts as none.
        (_, "") => (Reading::Plain, Shown::Plain),
        ("text", _) => (Reading::Plain, Shown::Seldom),
        _ => (Reading::Not, Shown::Never),
    }
}

/// Whether a text starts with a tag that only pages start with, behind comments and the like. Some mail programs show
/// these as pages; and a campaign that is sent with a broken header now and then is the same one.
pub fn begins_as_html(text: &str) -> bool {
    let mut text = text.trim_start_matches(is_blank);
    // Each turn takes off one, so that this ends.
    while let Some(behind) = behind(text, "<!--", "-->").or_else(|| behind(text, "<?", ">")) {
        text = behind.trim_start_matches(is_blank);
    }
    let text = text.as_bytes();
    let starts = ["<html", "<!doctype html", "<body", "<head"];
    starts.iter().any(|start| {
        text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
            && text.get(start.len()).is_some_and(|behind| b"> \t\r\n".contains(behind))
    })
}

/// What is behind something that starts a text, and ends.
fn behind<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    Some(text.strip_prefix(start)?.split_once(end)?.1)
}

/// A byte order mark counts as well.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

impl<'l> Assembly<'l> {
    fn new(limits: &'l Limits) -> Assembly<'l> {
        Assembly {
            limits,
            remarks: Remarks::default(),
            subject: String::new(),
            readings: Readings::default(),
            n_parts: 0,
            html_left: limits.html_bytes,
        }
    }

    fn finish(self) -> Message {
        let Assembly { limits, subject, readings, n_parts, mut remarks, .. } = self;
        let (text, others) = readings.into_texts(limits.text_bytes, &mut remarks);
        Message { subject, text, others, n_parts, remarks: remarks.into_sorted() }
    }

    /// Counts a part, if there may be one more.
    pub(crate) fn count_part(&mut self) -> bool {
        let is_within = self.n_parts < self.limits.parts;
        self.n_parts += usize::from(is_within);
        is_within
    }

    /// Takes the subject of the message, or of one inside of it.
    pub(crate) fn subject(&mut self, subject: &str, is_outermost: bool) {
        let line: Vec<&str> = subject.split_whitespace().collect();
        let line = line.join(" ");
        self.push(&line);
        if is_outermost {
            self.subject = line;
        }
    }

    /// Reads a part that has no parts.
    pub(crate) fn leaf(&mut self, leaf: &Leaf<'_>) {
        let (reading, shown) = reading(&leaf.content_type.main, &leaf.content_type.sub);
        if reading == Reading::Not {
            return self.remarks.add(Remark::NotText(1));
        }
        let is_unusual = shown == Shown::Seldom && self.readings.is_alternative();
        self.remarks.add(Remark::UnusualAlternative(usize::from(is_unusual)));
        self.readings.note(shown);
        let bytes = leaf.transfer.decode(leaf.bytes, &mut self.remarks);
        let label = leaf.content_type.charset.as_deref();
        let text = charset::decode(&bytes, label, &mut self.remarks);
        drop(bytes);
        if reading == Reading::Html {
            self.html(&text);
        } else if begins_as_html(&text) {
            self.plain_or_html(&text);
        } else {
            self.plain(&text);
        }
    }

    fn plain(&mut self, text: &str) {
        self.push(&text.replace("\r\n", "\n").replace('\r', "\n"));
    }

    /// Reads HTML that is said to be plain text: as what it is, and as what it is said to be.
    fn plain_or_html(&mut self, text: &str) {
        self.remarks.add(Remark::PlainHtml(1));
        self.readings.begin_alternatives();
        self.readings.next_alternative();
        self.plain(text);
        self.readings.next_alternative();
        self.html(text);
        self.readings.end_ways();
    }

    fn html(&mut self, page: &str) {
        let kept = start_of(page, self.html_left);
        self.html_left -= kept.len();
        self.remarks.add(Remark::HtmlCut(page.len() - kept.len()));
        let read = visible::read(kept);
        self.remarks.add(Remark::EmptyHtml(usize::from(read.text.trim().is_empty())));
        self.remarks.add(Remark::Hidden(read.n_hidden));
        self.remarks.add(Remark::DeepMarkup(read.n_deep));
        self.remarks.add(Remark::CrowdedTags(read.n_crowded));
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

    /// Adds a piece of text as a paragraph of its own.
    fn push(&mut self, text: &str) {
        let text = overridden::as_seen(text);
        let text = text.trim();
        if text.is_empty() {
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

    pub(crate) fn begin_alternatives(&mut self) {
        self.readings.begin_alternatives();
    }

    pub(crate) fn next_alternative(&mut self) {
        self.readings.next_alternative();
    }

    pub(crate) fn end_alternatives(&mut self) {
        self.readings.end_alternatives(&mut self.remarks);
    }
}

#[cfg(test)]
mod tests;
