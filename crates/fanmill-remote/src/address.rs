//! Addresses of corpora that are not on this machine.

use std::fmt;

use fanmill_text::{Error, Result, message};
use object_store::path::Path as Key;
use url::Url;

/// Schemes of addresses, with the stores that they name.
const SCHEMES: [(&str, Kind); 9] = [
    ("s3", Kind::S3),
    ("s3a", Kind::S3),
    ("gs", Kind::Gcs),
    ("az", Kind::Azure),
    ("adl", Kind::Azure),
    ("abfs", Kind::Azure),
    ("abfss", Kind::Azure),
    ("http", Kind::Web),
    ("https", Kind::Web),
];

/// The kind of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Amazon S3, and all that speak like it.
    S3,
    /// Google Cloud Storage.
    Gcs,
    /// Azure Blob Storage.
    Azure,
    /// Files behind web addresses, of which there are no lists.
    Web,
}

/// An address of one object, or of all objects below a prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(crate) kind: Kind,
    pub(crate) url: Url,
    /// The object, or the prefix; empty for all of a bucket.
    pub(crate) key: Key,
}

impl Address {
    /// Parses an address.
    ///
    /// # Errors
    /// If it is none, or has parts that a store is not asked with: a query, a password.
    pub fn parse(text: &str) -> Result<Address> {
        let wrong =
            |why: &str| Error::input(message!["`{text}` is not an address of files: {why}"]);
        let kind = kind_of(text).ok_or_else(|| wrong("its scheme is unknown"))?;
        let url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
        if url.host_str().is_none_or(str::is_empty) {
            return Err(wrong("it names no bucket or host"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it has a query; fetch the file first, and name the file"));
        }
        if url.password().is_some() || kind == Kind::Web && !url.username().is_empty() {
            return Err(Error::input(
                "an address has a password in it, which others would see; fetch the file first, and name the file",
            ));
        }
        let key = Key::from_url_path(url.path()).map_err(|error| wrong(&error.to_string()))?;
        if kind == Kind::Web && key.as_ref().is_empty() {
            return Err(wrong("it names a host and no file"));
        }
        Ok(Address { kind, url, key })
    }

    /// Returns the name that the fetched file or folder has: the last part of the address.
    pub(crate) fn name(&self) -> &str {
        let last = self.key.as_ref().rsplit('/').next().filter(|name| !name.is_empty());
        last.unwrap_or_else(|| self.url.host_str().unwrap_or("bucket"))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str())
    }
}

fn kind_of(text: &str) -> Option<Kind> {
    let (scheme, _) = text.split_once("://")?;
    let known = SCHEMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme));
    known.map(|&(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_the_name() {
        let name = |text: &str| Address::parse(text).expect("an address").name().to_owned();
        assert_eq!(name("s3://bucket/crawl/2026/"), "2026");
        assert_eq!(name("s3://bucket"), "bucket");
        assert_eq!(name("https://host/a/b%20c.jsonl"), "b c.jsonl");
    }

    #[test]
    fn what_cannot_be_asked_for_is_refused_by_name() {
        for (text, why) in [
            ("https://host/", "no file"),
            ("https://host/x?token=1", "query"),
            ("s3:///x", "no bucket"),
            ("ftp://host/x", "scheme"),
        ] {
            let error = Address::parse(text).expect_err(text).to_string();
            assert!(error.contains(why) && error.contains(text), "{error}");
        }
        let error = Address::parse("https://me:secret@host/x").expect_err("a password").to_string();
        assert!(error.contains("password") && !error.contains("secret"), "{error}");
    }
}
