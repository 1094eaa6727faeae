//! Addresses of articles: the site that a file was made of, and the article's path.
//!
//! | a file made by | an article's address |
//! |---|---|
//! | the scraper of MediaWiki | `https://HOST/wiki/PATH` |
//! | the scraper of whole sites | `https://PATH`, as paths begin with the host |
//! | any other, of a site with an address | that address, and the path behind it |
//!
//! If a file does not state its site, the name of a Wikimedia project (`wikipedia_de_all`) leads to it.

use crate::facts::escaped;
use crate::zim::archive::Metadata;

/// The projects of Wikimedia, by the beginning of the names of their files.
const PROJECTS: [&str; 8] = [
    "wikipedia",
    "wiktionary",
    "wikibooks",
    "wikinews",
    "wikiquote",
    "wikisource",
    "wikiversity",
    "wikivoyage",
];

/// The way from paths to addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Addresses {
    /// Paths behind an address.
    Behind(String),
    /// Paths that begin with the host.
    Whole,
    Unknown,
}

impl Addresses {
    pub(super) fn new(metadata: &Metadata) -> Addresses {
        let scraper = metadata.scraper.as_deref().unwrap_or_default().to_lowercase();
        if ["warc2zim", "zimit"].iter().any(|own| scraper.contains(own)) {
            return Addresses::Whole;
        }
        let source = metadata.source.as_deref().and_then(site);
        let project = metadata.name.as_deref().and_then(project);
        let is_wiki = scraper.contains("mwoffliner") || project.is_some();
        match (source, project) {
            (Some(Site { host, .. }), _) if is_wiki => {
                Addresses::Behind(format!("https://{host}/wiki/"))
            }
            (Some(Site { scheme, host, path }), _) => {
                Addresses::Behind(format!("{scheme}://{host}/{path}"))
            }
            (None, Some(host)) => Addresses::Behind(format!("https://{host}/wiki/")),
            (None, None) => Addresses::Unknown,
        }
    }

    /// Returns the address of the article with this path.
    pub(super) fn of(&self, path: &str) -> Option<String> {
        let above = match self {
            Addresses::Behind(above) => above,
            Addresses::Whole if site(path).is_some() => "https://",
            Addresses::Whole | Addresses::Unknown => return None,
        };
        Some(format!("{above}{}", escaped(path)))
    }
}

/// The parts of a site's address.
#[derive(Debug, PartialEq, Eq)]
struct Site<'a> {
    scheme: &'a str,
    host: &'a str,
    /// Without the slash before it; with one at its end, unless it is empty.
    path: String,
}

/// Parses the address of a site, whose scheme may be missing; `None` for other words.
fn site(source: &str) -> Option<Site<'_>> {
    let source = source.trim();
    let (scheme, rest) = match source.split_once("://") {
        Some((scheme @ ("http" | "https"), rest)) => (scheme, rest),
        Some(_) => return None,
        None => ("https", source),
    };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_of_host =
        |byte: u8| byte.is_ascii_alphanumeric() || b".-:".contains(&byte) || byte > 127;
    let is_host = host.contains('.') && !host.starts_with('.') && host.bytes().all(is_of_host);
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let path = if path.is_empty() { String::new() } else { format!("{path}/") };
    is_host.then_some(Site { scheme, host, path })
}

/// Returns the host of a Wikimedia project, by the name of a file: `wikipedia_de_all` is of `de.wikipedia.org`.
fn project(name: &str) -> Option<String> {
    let mut parts = name.split('_');
    let project = parts.next().filter(|own| PROJECTS.contains(own))?;
    let language = parts.next()?;
    let is_code = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    let is_language = !language.is_empty() && language.bytes().all(is_code);
    is_language.then(|| format!("{language}.{project}.org"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_follow_from_what_a_file_says() {
        let cases = [
            ("", "wikipedia_de_all", "", "Köln", "https://de.wikipedia.org/wiki/Köln"),
            (
                "en.wikipedia.org",
                "wikipedia_en_climate",
                "mwoffliner 1.13",
                "AC/DC",
                "https://en.wikipedia.org/wiki/AC/DC",
            ),
            (
                "https://wiki.example.org/w/",
                "x",
                "mwoffliner",
                "A?",
                "https://wiki.example.org/wiki/A%3F",
            ),
            (
                "https://docs.example.org/3/",
                "docs",
                "",
                "library/os.html",
                "https://docs.example.org/3/library/os.html",
            ),
            ("https://a.example", "", "warc2zim 2", "www.a.example/b", "https://www.a.example/b"),
            (
                "cooking.stackexchange.com",
                "",
                "sotoki",
                "questions/1/x",
                "https://cooking.stackexchange.com/questions/1/x",
            ),
        ];
        for (source, name, scraper, path, expected) in cases {
            let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let metadata = Metadata {
                source: some(source),
                name: some(name),
                scraper: some(scraper),
                ..Metadata::default()
            };
            assert_eq!(Addresses::new(&metadata).of(path).as_deref(), Some(expected));
        }
        for (source, name) in [("Debian's documentation", "debian_docs"), ("", ""), ("a/b", "x_y")]
        {
            let (source, name) = (Some(source.to_owned()), Some(name.to_owned()));
            let metadata = Metadata { source, name, ..Metadata::default() };
            assert_eq!(Addresses::new(&metadata).of("path"), None, "{metadata:?}");
        }
    }
}
