//! Texts of the paths that were given: files, folders, archives, mailboxes, standard input.
//!
//! What is mail is read as a mail program shows it; everything else as it stands. Texts come in
//! batches, so that many threads have work and a mailbox of any size needs little memory.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use fanmill::Error;
use fanmill::source::{self, Budget, Corpus, GroupBy, Options, Role};
use fanmill_mail::mbox::{self, KIND_BYTES, Kind, Raw};
use fanmill_mail::{Limits as MailLimits, Remark, message};

use crate::args::{KindArg, ReadingArgs};
use crate::limits::limits;

/// Texts of a batch.
const BATCH: usize = 512;
/// Bytes after which a batch is full.
const BATCH_BYTES: usize = 8 << 20;

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

    /// All that somebody may see of it, what most people see first.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &[u8]> {
        iter::once(&self.bytes).chain(&self.others).map(|bytes| &**bytes)
    }
}

/// What became of everything that was given.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// Texts of which some part was not read.
    pub(crate) n_cut: u64,
    /// What could not be read, each with its reason.
    pub(crate) notices: Vec<String>,
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
    source::check_given(&named, Role::New)?;
    for path in paths {
        reader.path(path)?;
        reader.flush()?;
    }
    Ok(reader.account)
}

/// What [`Reader::kind_of`] found.
type Opened<'r> = (Kind, Option<String>, Box<dyn BufRead + 'r>);

struct Reader<'a> {
    kind: KindArg,
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
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
            let (kind, not_text, reader) =
                self.kind_of(file).map_err(|error| Error::io("read", path, error))?;
            if kind != Kind::Neither && not_text.is_none() {
                let read = self.mail(&name, kind, reader);
                return read.with_context(|| format!("reading `{}`", path.display()));
            }
        }
        self.files(path, &name)
    }

    /// What a file is, why it is no text, if it is none, and all of its bytes.
    fn kind_of<'r>(&self, mut reader: impl Read + 'r) -> io::Result<Opened<'r>> {
        let mut head = Vec::with_capacity(KIND_BYTES);
        reader.by_ref().take(KIND_BYTES as u64).read_to_end(&mut head)?;
        let seen = mbox::kind(&head);
        // What begins as mail is mail, whatever bytes come then.
        let not_text = if seen == Kind::Neither { source::not_text(&head) } else { None };
        let rest = BufReader::with_capacity(1 << 16, reader);
        Ok((self.settle(seen), not_text, Box::new(Cursor::new(head).chain(rest))))
    }

    /// What a file is taken for, by the user's word.
    fn settle(&self, seen: Kind) -> Kind {
        match (self.kind, seen) {
            (KindArg::Text, _) => Kind::Neither,
            (KindArg::Mail, Kind::Neither) => Kind::Message,
            _ => seen,
        }
    }

    fn mail(
        &mut self,
        name: &str,
        kind: Kind,
        reader: Box<dyn BufRead + '_>,
    ) -> anyhow::Result<()> {
        if kind == Kind::Message {
            let raw = mbox::single(reader, &self.limits)?;
            return self.message(name.to_owned(), &raw);
        }
        let limits = self.limits.clone();
        for (i, raw) in mbox::messages(reader, &limits).enumerate() {
            self.message(format!("{name}#{}", i + 1), &raw?)?;
        }
        Ok(())
    }

    fn message(&mut self, name: String, raw: &Raw) -> anyhow::Result<()> {
        let message = message::read(&raw.bytes, &self.limits);
        let mut remarks: Vec<String> = message.remarks.iter().map(ToString::to_string).collect();
        if raw.left_out > 0 {
            remarks.push(format!(
                "{} bytes over the limit of {} a message were not read",
                raw.left_out, self.limits.message_bytes
            ));
        }
        let is_cut = raw.left_out > 0 || message.remarks.iter().any(Remark::is_loss);
        let others = message.others.into_iter().map(String::into_bytes).collect();
        self.push(Text { name, bytes: message.text.into_bytes(), others, remarks, is_cut })
    }

    /// Messages are answered one by one as they come, so that a mail system can wait for each.
    fn stdin(&mut self) -> anyhow::Result<()> {
        let (kind, not_text, mut reader) =
            self.kind_of(io::stdin().lock()).context("reading standard input")?;
        if let Some(reason) = not_text {
            self.account.notices.push(format!("-: {reason}"));
            return Ok(());
        }
        match kind {
            Kind::Mbox => {
                let limits = self.limits.clone();
                for (i, raw) in mbox::messages(reader, &limits).enumerate() {
                    let raw = raw.context("reading standard input")?;
                    self.message(format!("-#{}", i + 1), &raw)?;
                    self.flush()?;
                }
                Ok(())
            }
            Kind::Message => {
                let raw = mbox::single(reader, &self.limits).context("reading standard input")?;
                self.message("-".to_owned(), &raw)
            }
            Kind::Neither => {
                let most = self.budget.limits().file_bytes;
                let mut bytes = Vec::new();
                let read = reader.by_ref().take(most + 1).read_to_end(&mut bytes);
                read.context("reading standard input")?;
                let is_cut = bytes.len() as u64 > most;
                bytes.truncate(most as usize);
                let remark = || format!("more than {most} bytes: the rest was not read");
                let remarks = is_cut.then(remark).into_iter().collect();
                self.push(Text { remarks, is_cut, ..Text::plain("-".to_owned(), bytes) })
            }
        }
    }

    /// A folder, an archive or a file that is no mail.
    fn files(&mut self, path: &Path, name: &str) -> anyhow::Result<()> {
        let mut corpus = Corpus::default();
        let options = Options { group_by: GroupBy::File, ..Options::everything() };
        source::read(&[path.to_owned()], Role::New, &options, &self.budget, &mut corpus)?;
        let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        let full = |below: &str| match (is_file, name) {
            (true, _) if below == leaf(name) => name.to_owned(),
            // Two archives may have entries of one name.
            (true, _) => format!("{name}!/{below}"),
            (false, "") => below.to_owned(),
            (false, folder) => format!("{folder}/{below}"),
        };
        let lost =
            corpus.notices.iter().filter(|notice| notice.outcome != source::Outcome::Degraded);
        self.account.notices.extend(lost.map(|notice| {
            let below =
                if notice.submission.is_empty() { &notice.path } else { &notice.submission };
            format!("{}: {}", full(below), notice.reason)
        }));
        for submission in corpus.submissions {
            for document in submission.documents {
                let name = full(&submission.name);
                match self.settle(mbox::kind(&document.bytes)) {
                    Kind::Neither => self.push(Text::plain(name, document.bytes))?,
                    kind => self.mail(&name, kind, Box::new(Cursor::new(document.bytes)))?,
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, text: Text) -> anyhow::Result<()> {
        self.account.n_cut += u64::from(text.is_cut);
        self.batch_bytes += text.readings().map(<[u8]>::len).sum::<usize>();
        self.batch.push(text);
        if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES {
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
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
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
