//! Texts of the paths that were given: files, folders, archives, mailboxes, standard input.
//!
//! What is mail is read as a mail program shows it, a page as a browser does; everything else as it stands
//! (`kinds`). Texts come in batches, so that many threads have work and a mailbox of any size needs little
//! memory.
//!
//! Whatever is met is a text or a notice. An input that cannot be read ends no run in which there are others.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use fanmill::Error;
use fanmill::document::{Corpus, Role};
use fanmill::readable::readable;
use fanmill_mail::mbox::{self, KIND_BYTES, Raw};
use fanmill_mail::{Limits as MailLimits, Message, Remark, message};
use fanmill_source::{Budget, GroupBy, Manifests, Options};

use super::kinds::{self, Reading};
use crate::args::{KindArg, ReadingArgs};
use crate::limits::limits;

/// Texts of a batch.
const BATCH: usize = 512;
/// Bytes after which a batch is full.
const BATCH_BYTES: usize = 8 << 20;

/// Most readings of a text: those of a page, and as it stands.
pub(crate) const MAX_READINGS: usize = message::MAX_READINGS + 1;

/// One text.
#[derive(Debug)]
pub(crate) struct Text {
    /// What people know it by: a path, with `#3` for the third message of a mailbox.
    pub(crate) name: String,
    /// The file's bytes, or what is seen of a message.
    pub(crate) bytes: Vec<u8>,
    /// What others may see of it: a message with another of its alternatives.
    pub(crate) others: Vec<Vec<u8>>,
    /// What is to be said about how it was read.
    pub(crate) remarks: Vec<String>,
    /// Whether some of it was not read.
    pub(crate) is_cut: bool,
}

impl Text {
    /// A text of which there is one reading.
    fn plain(name: String, bytes: Vec<u8>) -> Text {
        Text { name, bytes, others: Vec::new(), remarks: Vec::new(), is_cut: false }
    }

    /// One of its readings, by its number.
    pub(crate) fn reading(&self, number: usize) -> &[u8] {
        number.checked_sub(1).map_or(&self.bytes, |other| &self.others[other])
    }

    /// All that somebody may see of it, what most people see first; at most [`MAX_READINGS`].
    pub(crate) fn readings(&self) -> impl Iterator<Item = &[u8]> {
        iter::once(&self.bytes).chain(&self.others).map(|bytes| &**bytes)
    }
}

/// What became of everything that was given.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// Texts of which some part was not read.
    pub(crate) n_cut: u64,
    /// What could not be read.
    pub(crate) notices: Vec<Notice>,
}

/// Something that was met and is no text.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) name: String,
    /// Why it is none.
    pub(crate) reason: String,
}

impl Account {
    /// Whether all that was given was read whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.n_cut == 0 && self.notices.is_empty()
    }
}

/// Reads all texts of `paths` and hands them to `take`, batch by batch, in order.
///
/// # Errors
/// If a path does not exist or cannot be read, or `take` fails. What cannot be read below a path is
/// a notice.
pub(crate) fn each(
    paths: &[PathBuf],
    reading: &ReadingArgs,
    take: &mut dyn FnMut(Vec<Text>) -> anyhow::Result<()>,
) -> anyhow::Result<Account> {
    let mut reader = Reader {
        kind: reading.kind,
        is_alone: paths.len() == 1,
        is_awaited: false,
        budget: Budget::new(limits(&reading.limits)?),
        limits: MailLimits::standard(),
        account: Account::default(),
        batch: Vec::new(),
        batch_bytes: 0,
        take,
    };
    let (stdin, named): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    if stdin.len() > 1 {
        anyhow::bail!(Error::setting("standard input (`-`) is given twice; it can be read once"));
    }
    // Before the first answer, so that none is given twice, and no run ends in the middle for a slip.
    fanmill_source::check_given(&named, Role::New)?;
    for path in paths {
        reader.path(path)?;
        reader.flush()?;
    }
    Ok(reader.account)
}

struct Reader<'a> {
    kind: KindArg,
    /// Whether one path was given, so that there is nothing without it.
    is_alone: bool,
    /// Whether each text is handed on at once: a mail system waits for its answer.
    is_awaited: bool,
    budget: Budget,
    limits: MailLimits,
    account: Account,
    batch: Vec<Text>,
    batch_bytes: usize,
    take: &'a mut dyn FnMut(Vec<Text>) -> anyhow::Result<()>,
}

impl Reader<'_> {
    fn path(&mut self, path: &Path) -> anyhow::Result<()> {
        if path.as_os_str() == "-" {
            return self.stdin();
        }
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
        let reading = kinds::of(&name, &head, self.kind);
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

    /// Reads one message, or those of a mailbox; the inner error is the reader's.
    fn mail(
        &mut self,
        name: &str,
        reading: Reading,
        reader: impl BufRead,
    ) -> anyhow::Result<io::Result<()>> {
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

    fn message(&mut self, name: String, raw: &Raw) -> anyhow::Result<()> {
        let message = message::read(&raw.bytes, &self.limits);
        let left_out = (raw.left_out > 0).then(|| {
            format!(
                "{} bytes over the limit of {} a message were not read",
                raw.left_out, self.limits.message_bytes
            )
        });
        self.shown(name, message, left_out)
    }

    /// What is seen of a message or a page; `left_out` says what was not read of it.
    fn shown(
        &mut self,
        name: String,
        message: Message,
        left_out: Option<String>,
    ) -> anyhow::Result<()> {
        let is_cut = left_out.is_some() || message.remarks.iter().any(Remark::is_loss);
        let remarks = message.remarks.iter().map(ToString::to_string).chain(left_out).collect();
        let others = message.others.into_iter().map(String::into_bytes).collect();
        self.push(Text { name, bytes: message.text.into_bytes(), others, remarks, is_cut })
    }

    /// A file or an entry that is in memory; `left_out` says what is not.
    fn whole(
        &mut self,
        name: String,
        bytes: Vec<u8>,
        left_out: Option<String>,
    ) -> anyhow::Result<()> {
        match kinds::of(&name, &bytes, self.kind) {
            Reading::Text => {
                let is_cut = left_out.is_some();
                let remarks = left_out.into_iter().collect();
                self.push(Text { remarks, is_cut, ..Text::plain(name, bytes) })
            }
            Reading::Page => {
                let page = self.page(&bytes);
                self.shown(name, page, left_out)
            }
            Reading::Both => {
                let page = self.page(&bytes);
                let is_cut = left_out.is_some() || page.remarks.iter().any(Remark::is_loss);
                let lost = page.remarks.iter().filter(|remark| remark.is_loss());
                let remarks = lost.map(ToString::to_string).chain(left_out).collect();
                let others = iter::once(page.text).chain(page.others);
                let others = others.map(String::into_bytes).collect();
                self.push(Text { name, bytes, others, remarks, is_cut })
            }
            reading => {
                let read = self.mail(&name, reading, Cursor::new(bytes))?;
                Ok(read.context("reading memory")?)
            }
        }
    }

    /// What is seen of a page.
    fn page(&self, bytes: &[u8]) -> Message {
        let page = fanmill_html::decode(bytes, None).0;
        // Its file has a limit, and a page says hardly more than it has bytes.
        let (html_bytes, text_bytes) = (page.len(), page.len().saturating_mul(2));
        let limits = MailLimits { html_bytes, text_bytes, ..self.limits.clone() };
        message::page(&page, &limits)
    }

    fn stdin(&mut self) -> anyhow::Result<()> {
        const READING: &str = "reading standard input";
        let mut reader = io::stdin().lock();
        let head = head_of(&mut reader).context(READING)?;
        if let Some(reason) = self.why_no_text("-", &head) {
            self.note("-", reason);
            return Ok(());
        }
        let reading = kinds::of("-", &head, self.kind);
        let mut reader = Cursor::new(head).chain(reader);
        if matches!(reading, Reading::Message | Reading::Mbox) {
            self.is_awaited = true;
            let read = self.mail("-", reading, reader);
            self.is_awaited = false;
            return read?.context(READING);
        }
        let most = self.budget.limits().file_bytes;
        let mut bytes = Vec::new();
        reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes).context(READING)?;
        let is_cut = bytes.len() as u64 > most;
        bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        let left_out = is_cut.then(|| format!("more than {most} bytes: the rest was not read"));
        self.whole("-".to_owned(), bytes, left_out)
    }

    /// A folder, an archive or a file that is no mail.
    fn files(&mut self, path: &Path, name: &str) -> anyhow::Result<()> {
        let mut corpus = Corpus::default();
        let options = Options {
            group_by: GroupBy::File,
            is_text: Some(kinds::is_text(self.kind)),
            manifests: Manifests::Texts,
            ..Options::everything()
        };
        let read = fanmill_source::read(
            &[path.to_owned()],
            Role::New,
            &options,
            &self.budget,
            &mut corpus,
        );
        if let Err(error) = read {
            return self.lost(name, error);
        }
        let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        let full = |below: &str| match (is_file, name) {
            (true, _) if below == leaf(name) => name.to_owned(),
            // Two archives may have entries of one name.
            (true, _) => format!("{name}!/{below}"),
            (false, "") => below.to_owned(),
            (false, folder) => format!("{folder}/{below}"),
        };
        for notice in corpus.notices {
            if notice.outcome != fanmill::document::Outcome::Degraded {
                let below =
                    if notice.submission.is_empty() { notice.path } else { notice.submission };
                self.note(&full(&below), notice.reason);
            }
        }
        for submission in corpus.submissions {
            for document in submission.documents {
                self.whole(full(&submission.name), document.bytes, None)?;
            }
        }
        Ok(())
    }

    /// Why a file that starts with `head` is no text, if it is none.
    fn why_no_text(&self, name: &str, head: &[u8]) -> Option<String> {
        let is_text = kinds::is_text(self.kind);
        if is_text(name, head) { None } else { fanmill_source::not_text(head) }
    }

    fn note(&mut self, name: &str, reason: String) {
        self.account.notices.push(Notice { name: name.to_owned(), reason });
    }

    /// A path that was given and cannot be read: the end of a run that has nothing else, and else a notice.
    fn lost(&mut self, name: &str, error: Error) -> anyhow::Result<()> {
        if self.is_alone {
            return Err(error.into());
        }
        self.note(name, error.to_string());
        Ok(())
    }

    fn push(&mut self, text: Text) -> anyhow::Result<()> {
        self.account.n_cut += u64::from(text.is_cut);
        self.batch_bytes += text.readings().map(<[u8]>::len).sum::<usize>();
        self.batch.push(text);
        let is_full = self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES;
        if is_full || self.is_awaited {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() { Ok(()) } else { (self.take)(batch) }
    }
}

/// The first bytes, enough to know mail by.
fn head_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(KIND_BYTES);
    reader.take(KIND_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a text of this name came by standard input: such names say nothing of what it is.
pub(crate) fn is_of_stdin(name: &str) -> bool {
    name == "-" || name.starts_with("-#")
}

/// The last part of a name.
fn leaf(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |parts| parts.1)
}

/// What a path goes by in stores and answers: as it was given if it leads down from here, else its last
/// part, since where somebody keeps originals is nobody's business.
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
