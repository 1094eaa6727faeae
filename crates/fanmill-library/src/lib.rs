//! Libraries in the form in which people download them: ZIM files, dumps of MediaWiki, and posts of Stack Exchange.
//!
//! [`zim`] reads articles of ZIM files, [`mediawiki`] the pages of dumps, whose [`wikitext`] becomes text, and
//! [`posts`] the questions and answers of Stack Exchange. Each gives documents with the same [`facts`]: title, address,
//! author, licence, date, language. Everything that a file says about itself is checked against its length before
//! memory is taken, so that memory and time are bounded on any bytes.
//!
//! A crate below the formats of records, since a reader of ZIM needs neither Arrow nor Parquet.

#![forbid(unsafe_code)]

mod fault;
pub mod facts;
pub mod read_at;
pub mod wikitext;
mod xml;
pub mod mediawiki;
pub mod posts;
pub mod zim;

pub use fault::Fault;
