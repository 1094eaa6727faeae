//! Formats of records, one file each: to add one, copy a file, and list it here.

mod arrow;
mod csv;
mod document;
mod html;
mod jsonl;
mod mbox;
mod mediawiki;
mod message;
mod parquet;
mod stack_exchange;
mod text;
mod tsv;
mod warc;
mod zim;

use std::str::FromStr;

use fanmill_text::{Error, Result};

use self::Known::{Many, One};
use super::facts::Format;
use super::record_format::RecordFormat;
use super::text_file::LooseFormat;

/// All formats, in the order in which they are listed for users.
static ALL: &[Known] = &[
    Many(&jsonl::Jsonl),
    Many(&csv::Csv),
    Many(&tsv::Tsv),
    Many(&parquet::Parquet),
    Many(&arrow::Arrow),
    Many(&warc::Warc),
    One(&text::Text),
    One(&html::Html),
    One(&document::Document),
    Many(&mbox::Mbox),
    One(&message::Message),
    Many(&zim::Zim),
    Many(&mediawiki::MediaWiki),
    Many(&stack_exchange::StackExchange),
];

/// A format, by the way it is read.
#[derive(Clone, Copy)]
enum Known {
    /// Its files have many records.
    Many(&'static (dyn RecordFormat + 'static)),
    /// Each file is a record.
    One(&'static (dyn LooseFormat + 'static)),
}

impl Known {
    fn format(self) -> Format {
        match self {
            Many(format) => format.format(),
            One(format) => format.format(),
        }
    }
}

/// Returns the format if its files have many records; otherwise `None`.
pub(super) fn records(format: Format) -> Option<&'static dyn RecordFormat> {
    ALL.iter().find_map(|known| match known {
        Many(own) if own.format() == format => Some(*own),
        _ => None,
    })
}

/// Returns the format if each of its files is one record; otherwise `None`.
pub(super) fn loose(format: Format) -> Option<&'static dyn LooseFormat> {
    ALL.iter().find_map(|known| match known {
        One(own) if own.format() == format => Some(*own),
        _ => None,
    })
}

impl Format {
    /// Returns all formats, in the order in which they are listed for users.
    pub fn all() -> impl Iterator<Item = Format> {
        ALL.iter().map(|known| known.format())
    }

    /// Returns their names, in that order: `jsonl, csv, …`.
    pub fn names() -> String {
        Format::all().map(Format::name).collect::<Vec<_>>().join(", ")
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Format> {
        Format::all().find(|format| format.name() == name).ok_or_else(|| {
            let names = Format::names();
            Error::setting(format!("format {name:?} is not known; use one of {names}"))
        })
    }
}

fanmill_text::serde_as_text!(Format);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn formats_differ_in_names_extensions_and_signatures() {
        let (mut names, mut extensions, mut signatures) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for format in Format::all() {
            assert_eq!(format.name().parse::<Format>().expect("known"), format);
            assert!(names.insert(format.name()), "{format}");
            let own = format.0.extensions;
            // Dumps share the extension of all XML, and are known by their beginning.
            let is_by_beginning = format == Format::MEDIAWIKI || format == Format::STACK_EXCHANGE;
            assert_eq!(own.is_empty(), is_by_beginning, "{format}");
            assert!(own.iter().all(|own| extensions.insert(own)), "{format}");
            assert!(format.0.signature.is_none_or(|(bytes, _)| signatures.insert(bytes)));
            assert_eq!(format.is_loose(), loose(format).is_some(), "{format}");
            assert_eq!(format.is_loose(), records(format).is_none(), "{format}");
        }
        let error = "xml".parse::<Format>().expect_err("unknown").to_string();
        assert!(error.ends_with(
            "use one of jsonl, csv, tsv, parquet, arrow, warc, text, html, document, mbox, message, zim, mediawiki, stackexchange"
        ));
    }
}
