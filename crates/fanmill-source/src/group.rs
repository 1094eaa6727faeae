//! Grouping of documents into submissions, and the other options of reading.

use fanmill_text::message::Message;
use std::path::{Path, PathBuf};

use fanmill_text::Setting;
use fanmill_text::glob::Glob;
use fanmill_text::message;
use serde::{Deserialize, Serialize};

use crate::extraction::Extractor;
use crate::files::Files;
use crate::sniff::{Content, Format, other_than_mail, sniff};

/// The unit that makes one submission, below the paths that were given.
///
/// Given `a/` with `ada/Main.java`, `ada/Report.java` and `bob.zip`:
///
/// | grouping | submissions |
/// |---|---|
/// | `child` | `ada` (2 documents), `bob.zip` (its entries) |
/// | `person` | `ada` (2 documents), `bob` (the entries of `bob.zip`) |
/// | `file` | `ada/Main.java`, `ada/Report.java`, `bob.zip!/…` for each entry |
/// | `root` | `a` (all documents) |
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupBy {
    /// `auto`: `child` when one path is given, or earlier work; `root` when several are, since a shell turns
    /// `submissions/*` into several paths; each is then a submission. Where names have the form that a learning platform
    /// gives to an export, everything of one person is one submission.
    #[default]
    Auto,
    /// `person`: as `child`, and everything of one person is one submission: by a list's author, by the names of a
    /// learning platform's export, or else by the name without its extension.
    Person,
    /// `child`: each file, folder or archive directly in a given folder; each top-level entry of
    /// a given archive, below its single wrapping folder if it has one. With several paths given,
    /// names start with the path's own: `2025/ada`.
    Child,
    /// `file`: each file and each archive entry.
    File,
    /// `root`: each given path as a whole, such as two code bases.
    Root,
}

impl GroupBy {
    /// Every choice with its name, in the order of the help text.
    pub const ALL: [(&'static str, GroupBy); 5] = [
        ("auto", GroupBy::Auto),
        ("person", GroupBy::Person),
        ("child", GroupBy::Child),
        ("file", GroupBy::File),
        ("root", GroupBy::Root),
    ];

    /// Resolves `auto` and `person` for a number of given paths.
    pub(super) fn settle(self, n_paths: usize) -> GroupBy {
        match self {
            GroupBy::Auto if n_paths > 1 => GroupBy::Root,
            GroupBy::Auto | GroupBy::Person => GroupBy::Child,
            chosen => chosen,
        }
    }
}

/// Attempts of a person that are compared, where the names of an export tell attempts apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attempts {
    /// The newest; a notice names each file of an earlier one.
    #[default]
    Newest,
    /// All of them, as one submission, so that a person's attempts are never compared with each other.
    All,
}

impl Attempts {
    /// Every choice with its name, in the order of the help text.
    pub const ALL: [(&'static str, Attempts); 2] =
        [("newest", Attempts::Newest), ("all", Attempts::All)];
}

/// Options for reading: what is taken from the given paths, and how it is grouped.
#[derive(Debug, Clone)]
pub struct Options {
    /// The unit that makes one submission. A manifest given as the only path decides this itself.
    pub group_by: GroupBy,
    /// Attempts of a person that are compared.
    pub attempts: Attempts,
    /// If not empty, only files that match one of these patterns are read. Archives are always opened.
    ///
    /// A pattern is compared with the file's name, its path in the submission, and `submission/path`.
    pub include: Vec<Glob>,
    /// Files, archives and folders that match one of these patterns are not read, nor is anything below them; a
    /// submission counts as such a folder. Patterns are compared as those of `include` are.
    pub exclude: Vec<Glob>,
    /// The disk or the memory that the given paths lead to.
    pub files: Files,
    /// Files and folders that are not inputs although they lie below one.
    pub left_out: Vec<LeftOut>,
    /// If set, decides what is text whatever its bytes look like otherwise; see [`IsText`].
    pub is_text: Option<IsText>,
    /// Treatment of messages and mailboxes.
    pub mail: Mail,
    /// Treatment of a CSV that names files: it describes them, or is a text itself.
    pub manifests: Manifests,
    /// Prefix of the names of submissions.
    pub naming: Naming,
    /// Reads the text of documents.
    pub extractor: Extractor,
    /// Marks in the text of documents, for people who look at it.
    pub marks: Marks,
    /// If set, the documents' own metadata is kept.
    pub metadata: bool,
}

/// Prefix of the names of submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// The given path's own name, if several paths are given: `ada`, but `2024/ada` beside `2025/ada`.
    Short,
    /// Always the path as it was given, so that several runs name submissions as one run does. `2025/`, `./2025` and,
    /// inside that folder, `.` are called `2025`.
    AsGiven,
}

/// Treatment of a CSV that names files: `info.csv` beside the submissions, or one given with other paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manifests {
    /// It describes the submissions and is not one of them.
    Read,
    /// It is a text like any other.
    Texts,
}

/// Marks in the text of documents and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// No marks: the text is compared.
    Nowhere,
    /// Lines in brackets say what a document is, where pages and cells begin, and what was set apart.
    Shown,
}

/// Treatment of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mail {
    /// Messages are read as the text that a mail program shows; a mailbox is a container of messages.
    Shown,
    /// The files' own bytes are read: the caller reads mail.
    Unread,
}

/// Decides whether a file is text by its path, as people see it, and its first 8 KiB.
///
/// A message with an unencoded attachment may be half control characters, but a reader of mail knows what to do with
/// it.
pub type IsText = fn(&str, &[u8]) -> bool;

/// A file or folder that is not an input although it lies below one, such as the report's own folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Absolute path without links.
    pub path: PathBuf,
    /// The reason, as a notice gives it.
    pub reason: Message,
}

impl Options {
    /// Returns options that take everything, grouped by [`GroupBy::Auto`].
    pub fn everything() -> Options {
        Options {
            group_by: GroupBy::Auto,
            attempts: Attempts::Newest,
            include: Vec::new(),
            exclude: Vec::new(),
            files: Files::Disk,
            left_out: Vec::new(),
            is_text: None,
            mail: Mail::Shown,
            manifests: Manifests::Read,
            naming: Naming::Short,
            extractor: Extractor::default(),
            marks: Marks::Nowhere,
            metadata: false,
        }
    }

    /// Recognises what a file is by its path and its first bytes.
    pub(super) fn content(&self, path: &str, head: &[u8]) -> Content {
        if self.is_text.is_some_and(|is_text| is_text(path, head)) {
            return Content::Text;
        }
        match sniff(path, head) {
            Content::Message | Content::Archive(Format::Mailbox) if self.mail == Mail::Unread => {
                other_than_mail(path, head)
            }
            content => content,
        }
    }

    /// Returns whether a pattern of `exclude` matches one of the names of a file or folder.
    pub(super) fn excludes(&self, names: &[&str]) -> bool {
        self.exclude.iter().any(|glob| names.iter().any(|name| glob.matches(name)))
    }

    /// Returns the reason if no pattern of `include` matches one of the names of a file, which is not an archive.
    pub(super) fn does_not_include(&self, names: &[&str]) -> Option<Message> {
        let fits = |glob: &Glob| names.iter().any(|name| glob.matches(name));
        let taken = self.include.is_empty() || self.include.iter().any(fits);
        (!taken).then(|| message!["not asked for by ", Setting("include")])
    }

    /// Returns the reason why the path, which is absolute and without links, is left out; `None` if it is not.
    pub(super) fn leaves_out(&self, path: &Path) -> Option<&Message> {
        let known = self.left_out.iter().find(|left_out| left_out.path == path);
        known.map(|left_out| &left_out.reason)
    }
}
