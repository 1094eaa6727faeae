//! ZIM files: each article is a record.
//!
//! A file is read at places that its directory names, so it is no sequence of records. A batch holds each article as its
//! path, title and type, each ended by a zero byte, and its page.
//!
//! Cost: that of [`fanmill_library::zim`]; the checksum takes another look at all bytes, at the end.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanmill_library::Fault as LibraryFault;
use fanmill_library::read_at::FileAt;
use fanmill_library::zim::{
    About, Archive, Article, ArticleFault, Articles, Limits, Skipped as Entry,
};
use fanmill_text::{Error, Result};

use super::Options;
use super::batch::Raw;
use super::fault::{Fault, ReadResult};
use super::library::FactFields;
use crate::html;
use crate::record::{Record, Skipped};

/// The words for such a file.
pub(super) const ZIM: &str = "a ZIM file";
/// Maximum number of articles of a batch.
const MOST_ARTICLES: usize = 1 << 16;

/// The articles of a file, batch by batch.
#[derive(Debug)]
pub(super) struct ZimArticles {
    articles: Articles,
    parser: Arc<Pages>,
    path: PathBuf,
    batch_bytes: usize,
    has_ended: bool,
}

impl ZimArticles {
    /// Opens a file, and goes through its directory.
    pub(super) fn open(path: &Path, options: &Options) -> ReadResult<ZimArticles> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let input = FileAt::new(file).map_err(|error| Error::io("read", path, error))?;
        let standard = Limits::standard();
        let limits = Limits { article_bytes: options.record_bytes as u64, ..standard };
        let failed = |fault| match fault {
            LibraryFault::Damage(reason) => Fault::Damage(reason),
            LibraryFault::Io(error) => Fault::Error(Error::io("read", path, error)),
        };
        let archive = Archive::open(Arc::new(input), limits).map_err(failed)?;
        let articles = Articles::new(archive).map_err(failed)?;
        let parser = Arc::new(Pages { about: articles.about(), fields: FactFields::new(options) });
        let (path, batch_bytes) = (path.to_owned(), options.batch_bytes.max(1));
        Ok(ZimArticles { articles, parser, path, batch_bytes, has_ended: false })
    }

    /// Fills an empty stretch; returns false at the end of the file.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.parser = Some(Arc::<Pages>::clone(&self.parser));
        for Entry(reason) in self.articles.take_skipped() {
            raw.skipped.push(Skipped { offset: 0, reason });
        }
        while !self.has_ended
            && raw.bytes.len() < self.batch_bytes
            && raw.items.len() < MOST_ARTICLES
        {
            let next = self.articles.next_article().map_err(|fault| self.failed(fault))?;
            let start = raw.bytes.len();
            match next {
                Some((at, Ok(article))) => {
                    put(&article, &mut raw.bytes);
                    let end = raw.bytes.len();
                    raw.push(start, end, end, at, None);
                }
                Some((at, Err(ArticleFault { reason }))) => {
                    raw.push(start, start, start, at, Some(reason));
                }
                None => self.end(raw)?,
            }
        }
        Ok(!raw.items.is_empty() || !raw.skipped.is_empty())
    }

    /// Looks at the checksum, once everything else was read.
    fn end(&mut self, raw: &mut Raw) -> Result<()> {
        self.has_ended = true;
        let is_right = self.articles.has_right_checksum().map_err(|fault| self.failed(fault))?;
        if is_right == Some(false) {
            let reason = "the file's checksum is not that of its bytes, so that some of its texts may be damaged: \
                          fetch it again"
                .to_owned();
            raw.skipped.push(Skipped { offset: 0, reason });
        }
        Ok(())
    }

    fn failed(&self, fault: LibraryFault) -> Error {
        match fault {
            LibraryFault::Damage(reason) => Fault::Damage(reason).into_error(&self.path, ZIM),
            LibraryFault::Io(error) => Error::io("read", &self.path, error),
        }
    }
}

/// Appends an article to a batch.
fn put(article: &Article, bytes: &mut Vec<u8>) {
    for part in [&article.path, &article.title, &article.kind] {
        bytes.extend(part.bytes().filter(|&byte| byte != 0));
        bytes.push(0);
    }
    bytes.extend_from_slice(&article.content);
}

/// A parser of articles: their text, and the facts that a job wants.
#[derive(Debug)]
pub(super) struct Pages {
    about: Arc<About>,
    fields: FactFields,
}

impl Pages {
    pub(super) fn parse<'a>(&self, article: &'a [u8]) -> Record<'a> {
        let mut parts = article.splitn(4, |&byte| byte == 0);
        let mut text = || parts.next().map(String::from_utf8_lossy).unwrap_or_default();
        let (path, title, kind) = (text(), text(), text());
        let content = parts.next().unwrap_or_default();
        let text = if kind.starts_with("text/plain") {
            html::guessed(content)
        } else {
            html::fenced(&html::decode(content, None))
        };
        let flaw = text.flaw();
        let facts = self.about.facts(&path, &title);
        let record = self.fields.record(&facts, text.characters, flaw);
        let owned =
            |fact: Option<std::borrow::Cow<'_, str>>| fact.map(|fact| fact.into_owned().into());
        Record {
            text: record.text.into_owned().into(),
            id: owned(record.id),
            extra: record.extra.into_iter().map(owned).collect(),
            flaw: record.flaw,
        }
    }
}
