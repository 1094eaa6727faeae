//! Facts of a format that no file is read for: its name, how its files are recognised, what their records have.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A format of records. Each is a file in `formats/`, which has a constant for it here.
#[derive(Clone, Copy)]
pub struct Format(pub(super) &'static Facts);

/// The facts of one format.
#[derive(Debug)]
pub(super) struct Facts {
    /// The name by which it is asked for.
    pub(super) name: &'static str,
    /// The make-up of its files.
    pub(super) shape: Shape,
    /// The source of its records' names.
    pub(super) named_by: NamedBy,
    /// Extensions of its files, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// The first bytes of its files, which no other file has, and what such a file is called.
    pub(super) signature: Option<(&'static [u8], &'static str)>,
    /// Recognises the beginning of a text, from which blanks have been taken off.
    pub(super) begins: fn(&[u8]) -> bool,
    /// Says what a text is that begins so and cannot be of the format, whatever it is called.
    pub(super) fault: fn(&[u8]) -> Option<&'static str>,
}

/// The make-up of a format's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Lines, each a record.
    Lines,
    /// Rows under a header.
    Table,
    /// Columns, in groups of rows.
    Groups,
    /// Records one after the other, with what is none between them.
    Sequence,
    /// One record, so that files together make a shard.
    Loose,
}

/// The source of records' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedBy {
    /// Any of their fields.
    Field,
    /// The address of a page, or another header; the text is no field.
    Address,
    /// Any of their headers; the text is no field.
    Header,
    /// Their paths: they have no fields.
    Path,
}

impl Facts {
    /// The facts that most formats of many records share.
    pub(super) const fn of_many(name: &'static str, shape: Shape) -> Facts {
        Facts {
            name,
            shape,
            named_by: NamedBy::Field,
            extensions: &[],
            signature: None,
            begins: |_| false,
            fault: |_| None,
        }
    }

    /// The facts that formats share of which each file is a record.
    pub(super) const fn of_one(name: &'static str) -> Facts {
        Facts { named_by: NamedBy::Path, ..Facts::of_many(name, Shape::Loose) }
    }
}

impl Format {
    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Says if each file is a record, so that files together make a shard.
    pub fn is_loose(self) -> bool {
        self.0.shape == Shape::Loose
    }

    /// Says if its files are tables of text, as are other things than corpora.
    pub fn is_table(self) -> bool {
        self.0.shape == Shape::Table
    }

    /// Says if a record ends where a line does, but for line feeds in quotes.
    pub fn has_lines(self) -> bool {
        matches!(self.0.shape, Shape::Lines | Shape::Table)
    }

    /// Says if records are encoded by columns, many at once.
    pub fn has_groups(self) -> bool {
        self.0.shape == Shape::Groups
    }

    /// Says if the text is one of several fields, of which the user can choose.
    pub fn has_text_field(self) -> bool {
        self.0.named_by == NamedBy::Field
    }

    /// Says if records have fields or headers besides their text.
    pub fn has_fields(self) -> bool {
        self.0.named_by != NamedBy::Path
    }

    /// Says if a record is named by the address of a page.
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
