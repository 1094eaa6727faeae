//! A raw message as the text that a person sees.
//!
//! That is the subject, and the text of all parts that are text, in their order; messages inside of
//! it too. Headers other than the subject are not in it, nor names of attachments. Attached text is: many mail programs
//! show it below the message, and who wants to be recognised least would attach what he has to say.
//!
//! Of alternatives the last one is read that has text, as RFC 2046 asks of mail programs, which is nearly always
//! the HTML: a text beside it that nobody sees is a place to be somebody else in. If they share less than half of their
//! words, a remark says so. An HTML of pictures alone has no text; then the alternative before it is read, with a remark.
//!
//! Cost: O(n) time; memory is the raw message, and about five times its largest part while that is read.
//! Source: RFC 2045 to 2047; RFC 2046, §5.1.4.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::charset;
use crate::limits::{Limits, start_of};
use crate::overridden;
use crate::parts::{self, Leaf};
use crate::remark::{Remark, Remarks};
use crate::visible;

/// What a person sees of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The subject on one line, or nothing.
    pub subject: String,
    /// The subject, and all visible text below it; parts are separated by an empty line. Lines end in `\n`.
    pub text: String,
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
    let mut assembly = Assembly {
        limits,
        remarks: Remarks::default(),
        subject: String::new(),
        out: String::new(),
        n_parts: 0,
        html_left: limits.html_bytes,
        alternatives: Vec::new(),
    };
    let kept = raw.len().min(limits.message_bytes);
    assembly.remarks.add(Remark::MessageCut(raw.len() - kept));
    parts::walk(&raw[..kept], &mut assembly);
    let Assembly { subject, out, n_parts, remarks, .. } = assembly;
    Message { subject, text: out, n_parts, remarks: remarks.into_sorted() }
}

/// A message's text in the making.
#[derive(Debug)]
pub(crate) struct Assembly<'l> {
    pub(crate) limits: &'l Limits,
    pub(crate) remarks: Remarks,
    subject: String,
    out: String,
    n_parts: usize,
    html_left: usize,
    alternatives: Vec<Alternatives>,
}

/// The alternatives read so far of one `multipart/alternative`.
#[derive(Debug, Default)]
struct Alternatives {
    /// Where the text of each starts.
    starts: Vec<usize>,
    /// The last one that is shown, whether it has text or not: its place in `starts`.
    shown: Option<usize>,
}

/// How a part is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Plain,
    Html,
    Not,
}

/// Types of text that mail programs do not show as such.
const NOT_SHOWN: [&str; 8] =
    ["calendar", "vcard", "x-vcard", "directory", "css", "javascript", "x-amp-html", "xml"];

fn reading(main: &str, sub: &str) -> Reading {
    match (main, sub) {
        // Enriched text is markup of the same shape, with names that mean nothing here.
        ("text", "html" | "enriched" | "richtext") | ("application", "xhtml+xml") => Reading::Html,
        ("text", sub) if !NOT_SHOWN.contains(&sub) => Reading::Plain,
        // What is no type counts as none.
        (_, "") => Reading::Plain,
        _ => Reading::Not,
    }
}

/// Whether a text starts with a tag that only pages start with. Some mail programs show these as pages; and a
/// campaign that is sent with a broken header now and then is the same one.
fn begins_as_html(text: &str) -> bool {
    let text = text.trim_start().as_bytes();
    let starts = ["<html", "<!doctype html", "<body", "<head"];
    starts.iter().any(|start| {
        text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
            && text.get(start.len()).is_some_and(|behind| b"> \t\r\n".contains(behind))
    })
}

impl Assembly<'_> {
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
        let reading = reading(&leaf.content_type.main, &leaf.content_type.sub);
        if reading == Reading::Not {
            return self.remarks.add(Remark::NotText(1));
        }
        for open in &mut self.alternatives {
            open.shown = open.starts.len().checked_sub(1);
        }
        let bytes = leaf.transfer.decode(leaf.bytes, &mut self.remarks);
        let label = leaf.content_type.charset.as_deref();
        let text = charset::decode(&bytes, label, &mut self.remarks);
        drop(bytes);
        let is_said_plain = reading == Reading::Plain && begins_as_html(&text);
        self.remarks.add(Remark::PlainHtml(usize::from(is_said_plain)));
        if reading == Reading::Html || is_said_plain {
            self.html(&text);
        } else {
            self.push(&text.replace("\r\n", "\n").replace('\r', "\n"));
        }
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
        self.push(&read.text);
    }

    /// Adds a piece of text as a paragraph of its own.
    fn push(&mut self, text: &str) {
        let text = overridden::as_seen(text);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let gap = if self.out.is_empty() { "" } else { "\n\n" };
        let room = self.limits.text_bytes.saturating_sub(self.n_counted() + gap.len());
        let kept = start_of(text, room).trim_end();
        self.remarks.add(Remark::TextCut(text.len() - kept.len()));
        if !kept.is_empty() {
            self.out.push_str(gap);
            self.out.push_str(kept);
        }
    }

    /// The bytes of text that would be given if the alternatives that are being read were chosen: those before
    /// them take no room from them.
    fn n_counted(&self) -> usize {
        let others = |open: &Alternatives| {
            open.starts.last().zip(open.starts.first()).map_or(0, |(last, first)| last - first)
        };
        self.out.len() - self.alternatives.iter().map(others).sum::<usize>()
    }

    pub(crate) fn begin_alternatives(&mut self) {
        self.alternatives.push(Alternatives::default());
    }

    pub(crate) fn next_alternative(&mut self) {
        if let Some(open) = self.alternatives.last_mut() {
            open.starts.push(self.out.len());
        }
    }

    /// Keeps, of the alternatives read since the last begin, the one that is shown.
    pub(crate) fn end_alternatives(&mut self) {
        let Some(Alternatives { starts, shown }) = self.alternatives.pop() else { return };
        let ends = starts.iter().skip(1).copied().chain([self.out.len()]);
        let texts: Vec<(usize, usize)> =
            starts.iter().copied().zip(ends).filter(|(start, end)| start < end).collect();
        let (Some(&(first, _)), Some(&(start, end))) = (texts.first(), texts.last()) else {
            return;
        };
        if shown.is_some_and(|shown| starts[shown] >= end) {
            self.remarks.add(Remark::EmptyAlternative);
        }
        let shown = WordSet::of(&self.out[start..end]);
        let others = &texts[..texts.len() - 1];
        if others.iter().any(|&(start, end)| shown.differs(&WordSet::of(&self.out[start..end]))) {
            self.remarks.add(Remark::AlternativesDiffer);
        }
        // Each starts with the empty line before it, except at the very beginning, where there is none.
        let gap = self.out[start..].len() - self.out[start..].trim_start_matches('\n').len();
        let skipped = if first == 0 { gap } else { 0 };
        self.out.truncate(end);
        self.out.replace_range(first..start + skipped, "");
    }
}

/// The words of a text, in part.
#[derive(Debug)]
struct WordSet(HashSet<u64>);

/// What is compared of an alternative, in bytes.
const COMPARED: usize = 256 << 10;
/// Fewer different words say nothing.
const MIN_WORDS: usize = 8;

impl WordSet {
    /// Words of at least four letters, which addresses and markup of plain text seldom have.
    fn of(text: &str) -> WordSet {
        let words = start_of(text, COMPARED).split(|c: char| !c.is_alphabetic());
        let hash = |word: &str| {
            let mut hasher = DefaultHasher::new();
            word.to_lowercase().hash(&mut hasher);
            hasher.finish()
        };
        WordSet(words.filter(|word| word.chars().nth(3).is_some()).map(hash).collect())
    }

    /// Whether two texts share less than half of the words of the smaller one.
    fn differs(&self, other: &WordSet) -> bool {
        let smaller = self.0.len().min(other.0.len());
        smaller >= MIN_WORDS && 2 * self.0.intersection(&other.0).count() < smaller
    }
}

#[cfg(test)]
mod tests;
