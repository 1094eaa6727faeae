//! Facts about formats that no file is read for: names, how files are recognised, and what records have.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A format of records. Each is a file in `formats/`, which has a constant for it here.
#[derive(Clone, Copy)]
pub struct Format(pub(super) &'static Facts);

/// The facts of one format.
#[derive(Debug)]
pub(super) struct Facts {
    /// The name by which users ask for it.
    pub(super) name: &'static str,
    /// The structure of its files.
    pub(super) shape: Shape,
    /// The source of its records' names.
    pub(super) named_by: NamedBy,
    /// Extensions of its files, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// The first bytes of its files, which no other file has, and the words for such a file.
    pub(super) signature: Option<(&'static [u8], &'static str)>,
    /// Recognises the beginning of a file without a signature; of a text, without the blanks before it.
    pub(super) begins: fn(&[u8]) -> bool,
    /// Returns what a text is that begins this way and cannot be of the format, whatever its name is.
    pub(super) fault: fn(&[u8]) -> Option<&'static str>,
    /// True if records state who wrote them, and when, in fields `author` and `date`.
    pub(super) names_authors: bool,
    /// True if texts are Markdown, with code in fences.
    pub(super) is_markdown: bool,
}

/// The structure of a format's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Lines, each a record.
    Lines,
    /// Rows under a header.
    Table,
    /// Columns, in groups of rows.
    Groups,
    /// Records one after another, with other bytes between them.
    Sequence,
    /// One record, so that several files make a shard.
    Loose,
}

/// The source of records' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedBy {
    /// Any of their fields.
    Field,
    /// The address of a page, or another header; the text is not a field.
    Address,
    /// Any of their headers; the text is not a field.
    Header,
    /// Their paths; they have no fields.
    Path,
}

impl Facts {
    /// Returns the facts that most formats of many records share.
    pub(super) const fn for_many(name: &'static str, shape: Shape) -> Facts {
        Facts {
            name,
            shape,
            named_by: NamedBy::Field,
            extensions: &[],
            signature: None,
            begins: |_| false,
            fault: |_| None,
            names_authors: false,
            is_markdown: false,
        }
    }

    /// Returns the facts that formats share whose files are one record each.
    pub(super) const fn for_one(name: &'static str) -> Facts {
        Facts { named_by: NamedBy::Path, ..Facts::for_many(name, Shape::Loose) }
    }
}

impl Format {
    /// Returns the name by which users ask for it.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns whether each file is one record, so that several files make a shard.
    pub fn is_loose(self) -> bool {
        self.0.shape == Shape::Loose
    }

    /// Returns whether its files pack their parts themselves, and are never packed as a whole.
    pub(super) fn packs_its_parts(self) -> bool {
        self.0.shape == Shape::Groups
    }

    /// Returns whether its files are tables of text, which are not always corpora.
    pub fn is_table(self) -> bool {
        self.0.shape == Shape::Table
    }

    /// Returns whether a record ends where a line does, except for line feeds in quotes.
    pub fn has_lines(self) -> bool {
        matches!(self.0.shape, Shape::Lines | Shape::Table)
    }

    /// Returns whether records are encoded by columns, many at once.
    pub fn has_groups(self) -> bool {
        self.0.shape == Shape::Groups
    }

    /// Returns whether the text is one of several fields, among which the user can choose.
    pub fn has_text_field(self) -> bool {
        self.0.named_by == NamedBy::Field
    }

    /// Returns whether records have fields or headers besides their text.
    pub fn has_fields(self) -> bool {
        self.0.named_by != NamedBy::Path
    }

    /// Returns whether records state who wrote them, and when, in fields `author` and `date`.
    pub fn names_authors(self) -> bool {
        self.0.names_authors
    }

    /// Returns whether records may state facts about their texts, such as a title and an address, in fields.
    pub fn states_facts(self) -> bool {
        self.names_authors() || self.has_text_field()
    }

    /// Returns whether texts are Markdown, with code in fences.
    pub fn is_markdown(self) -> bool {
        self.0.is_markdown
    }

    /// Returns whether a record is named by the address of a page.
    pub fn is_named_by_address(self) -> bool {
        self.0.named_by == NamedBy::Address
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
