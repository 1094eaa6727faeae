//! Reads texts from files, folders, archives, mailboxes and streams.
//!
//! Mail is read as a mail program shows it, pages as a browser does, and everything else unchanged (`kinds`).
//! Texts come in batches, which keep many threads busy while a mailbox of any size needs little memory.
//!
//! Every input yields a text or a notice. An input that cannot be read ends the run only if it is the only one.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::path::{Component, Path, PathBuf};

use fanmill_extract::html;
use fanmill_mail::about::MessageIdentity;
use fanmill_mail::begin::KIND_BYTES;
use fanmill_mail::mbox::{self, RawMessage};
use fanmill_mail::{Limits as MailLimits, Message, Remark, message};
use fanmill_source::{
    Budget, Extraction, Extractor, GroupBy, Limits, Manifests, Options, is_extracted, messages,
};
use fanmill_text::document::{Corpus, Notice, Outcome, Role};
use fanmill_text::progress::{Progress, Unreported};
use fanmill_text::readable::readable;
use fanmill_text::{Error, Result};

use super::dates;
use super::kinds::{self, Reading};

pub use super::kinds::Kind;

/// Maximum number of texts in a batch.
const BATCH: usize = 512;
/// Size in bytes from which a batch is full.
const BATCH_BYTES: usize = 8 << 20;

/// The sources of texts, and how they are read.
#[derive(Debug, Default)]
pub struct Inputs<'a> {
    /// The sources, in order.
    pub from: Vec<Input<'a>>,
    /// The kind that files are read as.
    pub kind: Kind,
    /// Limits on what is read.
    pub limits: Limits,
    /// Extraction of text from documents.
    pub documents: Extraction,
}

/// Terms on which all texts of a run are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) kind: Kind,
    pub(super) budget: &'a Budget,
    pub(super) extractor: &'a Extractor,
}

/// Terms on which messages are read: of each attachment, `most` bytes are unpacked.
#[derive(Debug, Clone, Copy)]
pub(super) struct MailTerms<'a> {
    pub(super) limits: &'a MailLimits,
    pub(super) most: u64,
    pub(super) extractor: &'a Extractor,
}

/// A source of texts.
pub enum Input<'a> {
    /// A file, a folder, an archive or a mailbox.
    Path(PathBuf),
    /// A text, or messages, from a stream; its name is `-`.
    Stream(&'a mut (dyn Read + Send)),
    /// A text, or messages, in memory, with the name of a file.
    Held(String, Vec<u8>),
}

impl<'a> Inputs<'a> {
    /// Takes these paths; the kind of each file is recognised, and the usual limits apply.
    pub fn from_paths(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Inputs<'a> {
        let from = paths.into_iter().map(|path| Input::Path(path.into())).collect();
        Inputs { from, ..Inputs::default() }
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Path(path) => write!(f, "{path:?}"),
            Input::Stream(_) => f.write_str("a stream"),
            Input::Held(name, _) => write!(f, "{name:?}, in memory"),
        }
    }
}

/// One text.
#[derive(Debug)]
pub struct Text {
    /// Its name: a path, with `#3` for the third message of a mailbox.
    pub name: String,
    /// The file's bytes, or the text that is shown of a message.
    pub bytes: Vec<u8>,
    /// Other readings, such as a message with another of its alternatives.
    pub others: Vec<Vec<u8>>,
    /// The parts of a message with attachments that the last of `others` are. A long attachment would otherwise hide the
    /// copy beside it.
    pub parts: Vec<MessagePart>,
    /// Remarks on how it was read.
    pub remarks: Vec<fanmill_text::Message>,
    /// True if some of it was not read.
    pub is_cut: bool,
    /// The Message-ID of a message, as its sender wrote it.
    pub message_id: Option<String>,
    /// The date of a message, by its sender: seconds since the beginning of 1970 (UTC).
    pub date: Option<i64>,
}

/// Minimum bytes of a message's own text to be an original without its attachments.
const OWN_TEXT: usize = 300;

/// Number of times that a message with its attachments must be as long as its own text for that.
const LONGER: usize = 3;

/// A part of a message with attachments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessagePart {
    /// Its own text.
    Own,
    /// The attachment of this name.
    Attachment(String),
}

impl Text {
    /// Makes a text with a single reading.
    fn plain(name: String, bytes: Vec<u8>) -> Text {
        let (others, parts, remarks) = (Vec::new(), Vec::new(), Vec::new());
        Text { name, bytes, others, parts, remarks, is_cut: false, message_id: None, date: None }
    }

    /// Makes a text of a document, with the notices of its reading. It is text, whatever it begins with.
    fn from_document(
        name: String,
        bytes: Vec<u8>,
        said: &[(Outcome, fanmill_text::Message)],
    ) -> Text {
        let is_cut = said.iter().any(|(outcome, _)| *outcome == Outcome::Degraded);
        let remarks = said.iter().map(|(_, reason)| reason.clone()).collect();
        Text { remarks, is_cut, ..Text::plain(name, bytes) }
    }

    /// Makes a text of a message's bytes, with what is attached. `left_out` says what was not read of it.
    pub(super) fn message(
        name: String,
        raw: &[u8],
        terms: MailTerms<'_>,
        left_out: Option<String>,
    ) -> Text {
        let about = MessageIdentity::read(raw);
        let MailTerms { limits, most, extractor } = terms;
        let shown = match messages::read_within(raw, limits, most, extractor) {
            Some(message) => Text::shown(name, message, left_out),
            None => Text::given_up(name),
        };
        let date = about.date.as_deref().and_then(dates::of_header);
        Text { message_id: about.message_id, date, ..shown }
    }

    /// Makes an empty text of a message whose reader gave up.
    fn given_up(name: String) -> Text {
        let remarks = vec!["the reader of messages gave up on it".into()];
        Text { remarks, is_cut: true, ..Text::plain(name, Vec::new()) }
    }

    /// Makes a text of what is shown of a message or a page. `left_out` says what was not read of it.
    fn shown(name: String, mut message: Message, left_out: Option<String>) -> Text {
        let room = message::MAX_READINGS.saturating_sub(1 + message.others.len());
        // Parts that are not asked about alone may hide beside others.
        let n_more = message.pieces().count().saturating_sub(room);
        message.note(Remark::TooManyAlternatives(n_more));
        let is_cut = left_out.is_some() || messages::is_cut(&message);
        let said = message.remarks.iter().map(Remark::message);
        let remarks = said.chain(left_out.map(fanmill_text::Message::from)).collect();
        let pieces = || message.pieces().take(room);
        let part = |name: Option<&str>| match name {
            Some(name) => MessagePart::Attachment(name.to_owned()),
            None => MessagePart::Own,
        };
        let parts = pieces().map(|(name, _)| part(name)).collect();
        let texts: Vec<Vec<u8>> = pieces().map(|(_, text)| text.as_bytes().to_vec()).collect();
        let others = message.others.into_iter().map(String::into_bytes).chain(texts).collect();
        Text { others, parts, remarks, is_cut, ..Text::plain(name, message.text.into_bytes()) }
    }

    /// Returns the part of a message that is the reading with this number, if it is one.
    pub(super) fn part(&self, reading: usize) -> Option<&MessagePart> {
        let first = 1 + self.others.len() - self.parts.len();
        self.parts.get(reading.checked_sub(first)?)
    }

    /// Returns the reading that a store keeps the text by: all of it, or a message's own text without longer
    /// attachments. Profiles that keep few values of a text would otherwise keep those of the attachments.
    pub(super) fn original(&self) -> &[u8] {
        let first = self.others.len() - self.parts.len();
        // A message's own text is the first of its parts.
        let own = self.parts.first().filter(|part| **part == MessagePart::Own);
        match own.and_then(|_| self.others.get(first)) {
            Some(own) if own.len() >= OWN_TEXT && self.bytes.len() > LONGER * own.len() => own,
            _ => &self.bytes,
        }
    }

    /// Returns all readings, beginning with what most people see.
    pub fn readings(&self) -> impl Iterator<Item = &[u8]> {
        iter::once(&self.bytes).chain(&self.others).map(|bytes| &**bytes)
    }
}

/// An account of what was and was not read.
#[derive(Debug, Default)]
pub struct Account {
    /// Number of texts that were read only in part.
    pub n_cut: u64,
    /// Notices about inputs that were not read, by their names (`path`).
    pub notices: Vec<Notice>,
}

impl Account {
    /// Returns whether all inputs were read in full.
    pub fn is_whole(&self) -> bool {
        self.n_cut == 0 && self.notices.is_empty()
    }
}

/// Reads all texts and passes them to `take` in batches, in order.
///
/// # Errors
/// If a path or the file of passwords does not exist or cannot be read, `take` fails, or the job is cancelled. Anything
/// below a path that cannot be read becomes a notice.
pub fn each(
    inputs: Inputs<'_>,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Vec<Text>) -> Result<()>,
) -> Result<Account> {
    let Inputs { from, kind, limits, documents } = inputs;
    let (budget, extractor) = (Budget::new(limits), documents.open()?);
    each_of(from, Terms { kind, budget: &budget, extractor: &extractor }, progress, take)
}

/// Reads like [`each`], but only some of a run's sources, which share a budget.
pub(super) fn each_of(
    from: Vec<Input<'_>>,
    terms: Terms<'_>,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Vec<Text>) -> Result<()>,
) -> Result<Account> {
    progress.begin("reading", 0);
    let mut reader = Reader {
        terms,
        is_alone: from.len() == 1,
        is_awaited: false,
        limits: MailLimits::standard(),
        account: Account::default(),
        batch: Vec::new(),
        batch_bytes: 0,
        progress,
        take,
    };
    let path = |input: &Input<'_>| match input {
        Input::Path(path) => Some(path.clone()),
        Input::Stream(_) | Input::Held(..) => None,
    };
    // Checked before the first answer, so that a typing error does not end the run in the middle.
    let named: Vec<PathBuf> = from.iter().filter_map(path).collect();
    fanmill_source::check_given(&named, Role::New)?;
    for input in from {
        progress.check()?;
        match input {
            Input::Path(path) => reader.path(&path)?,
            Input::Stream(stream) => reader.stream(stream)?,
            // There may be very many of these, so a batch has several.
            Input::Held(name, bytes) => {
                reader.held(name, bytes)?;
                continue;
            }
        }
        reader.flush()?;
    }
    reader.flush()?;
    Ok(reader.account)
}

struct Reader<'a> {
    terms: Terms<'a>,
    /// True if there is only one input, so that the run fails if it cannot be read.
    is_alone: bool,
    /// True if each text is passed on immediately, because a mail system waits for the answer.
    is_awaited: bool,
    limits: MailLimits,
    account: Account,
    batch: Vec<Text>,
    batch_bytes: usize,
    progress: &'a dyn Progress,
    take: &'a mut dyn FnMut(Vec<Text>) -> Result<()>,
}

impl Reader<'_> {
    fn path(&mut self, path: &Path) -> Result<()> {
        let name = name_of(path);
        if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            return self.files(path, &name);
        }
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return self.lost(&name, Error::io("open", path, error)),
        };
        let head = match head_of(&mut file) {
            Ok(head) => head,
            Err(error) => return self.lost(&name, Error::io("read", path, error)),
        };
        let reading = kinds::of(&name, &head, self.terms.kind);
        let is_mail = matches!(reading, Reading::Message | Reading::Mbox);
        if !is_mail || self.why_no_text(&name, &head).is_some() {
            return self.files(path, &name);
        }
        let rest = BufReader::with_capacity(1 << 16, file);
        match self.mail(&name, reading, Cursor::new(head).chain(rest))? {
            Ok(()) => Ok(()),
            Err(error) => self.lost(&name, Error::io("read", path, error)),
        }
    }

    /// Reads one message, or the messages of a mailbox; the inner error is the reader's.
    fn mail(
        &mut self,
        name: &str,
        reading: Reading,
        reader: impl BufRead,
    ) -> Result<io::Result<()>> {
        let limits = self.limits.clone();
        if reading == Reading::Message {
            return match mbox::single(reader, &limits) {
                Ok(raw) => self.message(name.to_owned(), &raw).map(Ok),
                Err(error) => Ok(Err(error)),
            };
        }
        for (i, raw) in mbox::messages(reader, &limits).enumerate() {
            match raw {
                Ok(raw) => self.message(format!("{name}#{}", i + 1), &raw)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }

    fn message(&mut self, name: String, raw: &RawMessage) -> Result<()> {
        let left_out = (raw.left_out > 0).then(|| {
            format!(
                "{} bytes over the limit of {} a message were not read",
                raw.left_out, self.limits.message_bytes
            )
        });
        let most = self.terms.budget.limits().file_bytes;
        let terms = MailTerms { limits: &self.limits, most, extractor: self.terms.extractor };
        self.push(Text::message(name, &raw.bytes, terms, left_out))
    }

    /// Adds a file or an entry that is in memory; `left_out` says what was not read of it.
    fn whole(&mut self, name: String, bytes: Vec<u8>, left_out: Option<String>) -> Result<()> {
        match kinds::of(&name, &bytes, self.terms.kind) {
            Reading::Text => {
                let is_cut = left_out.is_some();
                let remarks = left_out.into_iter().map(fanmill_text::Message::from).collect();
                self.push(Text { remarks, is_cut, ..Text::plain(name, bytes) })
            }
            Reading::Page => {
                let page = self.page(&bytes);
                self.push(Text::shown(name, page, left_out))
            }
            Reading::Both => {
                let page = self.page(&bytes);
                let is_cut = left_out.is_some() || page.remarks.iter().any(Remark::is_loss);
                let lost = page.remarks.iter().filter(|remark| remark.is_loss());
                let said = lost.map(ToString::to_string).chain(left_out);
                let remarks = said.map(fanmill_text::Message::from).collect();
                let others = iter::once(page.text).chain(page.others);
                let others = others.map(String::into_bytes).collect();
                self.push(Text { others, remarks, is_cut, ..Text::plain(name, bytes) })
            }
            reading => {
                let read = self.mail(&name, reading, Cursor::new(bytes))?;
                read.map_err(|error| Error::system("reading memory", error))
            }
        }
    }

    /// Returns what is shown of a page.
    fn page(&self, bytes: &[u8]) -> Message {
        let page = html::decode(bytes, None).0;
        // The file's size is limited, and a page hardly shows more text than it has bytes.
        let (html_bytes, text_bytes) = (page.len(), page.len().saturating_mul(2));
        let limits = MailLimits { html_bytes, text_bytes, ..self.limits.clone() };
        message::page(&page, &limits)
    }

    fn stream(&mut self, mut stream: &mut (dyn Read + Send)) -> Result<()> {
        let unread = |error| Error::system("reading standard input", error);
        let head = head_of(&mut stream).map_err(unread)?;
        if let Some(reason) = self.why_no_text("-", &head) {
            self.note("-", Outcome::Skipped, reason);
            return Ok(());
        }
        let reading = kinds::of("-", &head, self.terms.kind);
        let mut reader = Cursor::new(head).chain(BufReader::new(stream));
        if matches!(reading, Reading::Message | Reading::Mbox) {
            self.is_awaited = true;
            let read = self.mail("-", reading, reader);
            self.is_awaited = false;
            return read?.map_err(unread);
        }
        let most = self.terms.budget.limits().file_bytes;
        let mut bytes = Vec::new();
        let read = reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(unread)?;
        let is_cut = bytes.len() as u64 > most;
        bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        let left_out = is_cut.then(|| format!("more than {most} bytes: the rest was not read"));
        self.whole("-".to_owned(), bytes, left_out)
    }

    fn held(&mut self, name: String, bytes: Vec<u8>) -> Result<()> {
        match self.why_no_text(&name, &bytes[..bytes.len().min(KIND_BYTES)]) {
            Some(reason) => self.note(&name, Outcome::Skipped, reason),
            None => self.whole(name, bytes, None)?,
        }
        Ok(())
    }

    /// Reads a folder, an archive or a file that is not mail.
    fn files(&mut self, path: &Path, name: &str) -> Result<()> {
        let mut corpus = Corpus::default();
        let options = Options {
            group_by: GroupBy::File,
            is_text: Some(kinds::is_text(self.terms.kind)),
            mail: fanmill_source::Mail::Unread,
            manifests: Manifests::Texts,
            extractor: self.terms.extractor.clone(),
            ..Options::everything()
        };
        let read = fanmill_source::read(
            &[path.to_owned()],
            Role::New,
            &options,
            self.terms.budget,
            &mut corpus,
            &Unreported(self.progress),
        );
        self.progress.check()?;
        if let Err(error) = read {
            return self.lost(name, error);
        }
        let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        let full = |below: &str| match (is_file, name) {
            (true, _) if below == leaf(name) => name.to_owned(),
            // Two archives may have entries of the same name.
            (true, _) => format!("{name}!/{below}"),
            (false, "") => below.to_owned(),
            (false, folder) => format!("{folder}/{below}"),
        };
        let mut said: BTreeMap<String, Vec<(Outcome, fanmill_text::Message)>> = BTreeMap::new();
        for notice in corpus.notices {
            if matches!(notice.outcome, Outcome::Skipped | Outcome::Failed) {
                let below =
                    if notice.submission.is_empty() { notice.path } else { notice.submission };
                self.note(&full(&below), notice.outcome, notice.reason);
            } else {
                // This is about a text that was read.
                let own = said.entry(notice.submission).or_default();
                own.push((notice.outcome, notice.reason));
            }
        }
        for submission in corpus.submissions {
            let said = said.remove(&submission.name).unwrap_or_default();
            for document in submission.documents {
                let name = full(&submission.name);
                if is_extracted(&document.path) {
                    self.push(Text::from_document(name, document.bytes, &said))?;
                } else {
                    self.whole(name, document.bytes, None)?;
                }
            }
        }
        Ok(())
    }

    /// Returns why a file that starts with `head` is not a text; `None` if it is one.
    fn why_no_text(&self, name: &str, head: &[u8]) -> Option<String> {
        let is_text = kinds::is_text(self.terms.kind);
        if is_text(name, head) { None } else { fanmill_source::not_text(head) }
    }

    fn note(&mut self, name: &str, outcome: Outcome, reason: impl Into<fanmill_text::Message>) {
        self.account.notices.push(Notice::about_input(name, outcome, reason));
    }

    /// Handles a given path that cannot be read: an error if it is the only input, otherwise a notice.
    fn lost(&mut self, name: &str, error: Error) -> Result<()> {
        if self.is_alone {
            return Err(error);
        }
        self.note(name, Outcome::Failed, error);
        Ok(())
    }

    fn push(&mut self, text: Text) -> Result<()> {
        self.account.n_cut += u64::from(text.is_cut);
        self.batch_bytes += text.readings().map(<[u8]>::len).sum::<usize>();
        self.batch.push(text);
        let is_full = self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES;
        if is_full || self.is_awaited {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.progress.check()?;
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        self.progress.advance_by(batch.len() as u64);
        if batch.is_empty() { Ok(()) } else { (self.take)(batch) }
    }
}

/// Reads the first bytes, enough to recognise mail.
fn head_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(KIND_BYTES);
    reader.take(KIND_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns whether a text of this name came from standard input, so that the name does not identify it.
pub(super) fn is_of_stdin(name: &str) -> bool {
    name == "-" || name.starts_with("-#")
}

/// Returns the last part of a name.
fn leaf(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |parts| parts.1)
}

/// Returns the name of a path in stores and answers: the path as given if it is below the current folder, otherwise its
/// last part, so that a store does not reveal where the originals are kept.
fn name_of(path: &Path) -> String {
    let is_below =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let parts: Vec<_> = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .map(|part| readable(part.as_os_str()).into_owned())
        .collect();
    match parts.last() {
        Some(last) if !is_below => last.clone(),
        _ => parts.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_by_what_was_typed_unless_that_says_where_they_are() {
        for (path, name) in [
            ("originals", "originals"),
            ("./a/b.txt", "a/b.txt"),
            ("a/b/", "a/b"),
            (".", ""),
            ("/home/ada/originals", "originals"),
            ("../elsewhere/b.txt", "b.txt"),
        ] {
            assert_eq!(name_of(Path::new(path)), name);
        }
    }
}
