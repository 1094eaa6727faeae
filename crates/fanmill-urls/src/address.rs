//! Addresses: gives URLs that every reader takes for the same a common spelling, their normal form.
//!
//! Differences that do not count by the standard are removed before anything is learnt: letter case of scheme and host,
//! `.` and `..`, default ports, fragments, user names and passwords, percent-encoding of characters that do not need
//! it, and empty parameters (`&&`). Everything else is kept, and rules decide about it.
//!
//! Cost: O(length). A URL above [`MAX_BYTES`] is refused before it is looked at.
//! Source: WHATWG URL Standard, by the crate `url`; RFC 3986, §6.2.2.2, for percent-encoding.
//! Departs from it: an address without a scheme is read as `http`; an empty query is dropped.

use std::fmt::Write;

use url::Url;

/// Longest address that is accepted, in bytes, as given or in normal form.
pub const MAX_BYTES: usize = 8192;

/// Returns the normal form of a URL: `scheme://host[:port]/path[?query]`, in ASCII.
///
/// # Errors
/// Describes in lower case what is wrong: the text is not a URL, not of the web, or longer than [`MAX_BYTES`].
pub fn normalise(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.len() > MAX_BYTES {
        return Err(format!("URL of {} bytes is above the limit of {MAX_BYTES}", text.len()));
    }
    let url = parse(text)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("scheme `{}` is not of the web; http and https are", url.scheme()));
    }
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or("URL has no host")?;
    let mut out = format!("{}://{host}", url.scheme());
    if let Some(port) = url.port() {
        write!(out, ":{port}").expect("writing to a String succeeds");
    }
    decode_needless(url.path(), &mut out);
    let parameters = url.query().unwrap_or_default().split('&').filter(|p| !p.is_empty());
    for (i, parameter) in parameters.enumerate() {
        out.push(if i == 0 { '?' } else { '&' });
        decode_needless(parameter, &mut out);
    }
    if out.len() > MAX_BYTES {
        return Err(format!("URL of {} bytes is above the limit of {MAX_BYTES}", out.len()));
    }
    Ok(out)
}

/// Parses a URL, or a host and what follows it, as people write them.
fn parse(text: &str) -> Result<Url, String> {
    let is_bare = !text.contains("://") && !text.starts_with("//");
    let parsed = match Url::parse(text) {
        Ok(url) if !url.cannot_be_a_base() => Ok(url),
        Ok(_) | Err(url::ParseError::RelativeUrlWithoutBase) if is_bare && names_a_host(text) => {
            Url::parse(&format!("http://{text}"))
        }
        Err(url::ParseError::RelativeUrlWithoutBase) if text.starts_with("//") => {
            Url::parse(&format!("http:{text}"))
        }
        other => other,
    };
    parsed.map_err(|error| format!("not a URL: {error}"))
}

/// Returns whether a text without a scheme starts with something like `shop.example.com` or `host.example:80`.
fn names_a_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#', ':']).unwrap_or(text.len());
    let host = &text[..end];
    let is_port = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    host.contains('.')
        && !host.starts_with('.')
        && text[end..].strip_prefix(':').is_none_or(is_port)
}

/// Appends `text` with its percent-encoding in one form: unreserved characters are decoded, and the rest is in capital
/// letters. A `%` that does not encode anything stays.
fn decode_needless(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let digits = rest.get(at + 1..at + 3).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            out.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        match u8::from_str_radix(digits, 16) {
            Ok(byte) if is_unreserved(byte) => out.push(char::from(byte)),
            _ => {
                out.push('%');
                out.push_str(&digits.to_ascii_uppercase());
            }
        }
        rest = &rest[at + 3..];
    }
    out.push_str(rest);
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// The parts of a normalised address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// `http` or `https`.
    pub scheme: &'a str,
    /// The host, and the port unless it is the default.
    pub host: &'a str,
    /// The path from its first slash on; never empty.
    pub path: &'a str,
    /// The text after the question mark, if there is one.
    pub query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// Splits a result of [`normalise`]. Anything else is split in some way.
    pub fn from_address(address: &'a str) -> Parts<'a> {
        let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, rest) = rest.split_at(end);
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        Parts { scheme, host, path: if path.is_empty() { "/" } else { path }, query }
    }

    /// Iterates over the segments of the path: `/a/b/` has `a`, `b` and an empty one.
    pub fn segments(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.path.strip_prefix('/').unwrap_or(self.path).split('/')
    }

    /// Iterates over the parameters of the query, unchanged and in order: `a=1`, `b`.
    pub fn parameters(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.query.into_iter().flat_map(|query| query.split('&'))
    }
}

/// Returns the name of a parameter: the part before its first `=`.
pub fn name(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is(text: &str, expected: &str) {
        assert_eq!(normalise(text).as_deref(), Ok(expected), "{text}");
    }

    #[test]
    fn what_is_no_difference_is_taken_out() {
        is("HTTP://Shop.Example.COM:80/a/../b/./c?x=1#top", "http://shop.example.com/b/c?x=1");
        is(
            "https://nina:secret@example.org:8443/%7enina/%e2%82%ac",
            "https://example.org:8443/~nina/%E2%82%AC",
        );
        is("https://example.org?", "https://example.org/");
        is("https://example.org/a?&&x=1&&y&", "https://example.org/a?x=1&y");
        is("  http://example.net/100%/%zz  ", "http://example.net/100%/%zz");
        is("http://bücher.example.org/ä", "http://xn--bcher-kva.example.org/%C3%A4");
        is("http://example.org/a?b=%2f%26&c=%41", "http://example.org/a?b=%2F%26&c=A");
    }

    #[test]
    fn an_address_may_lack_its_scheme() {
        is("www.example.org/a", "http://www.example.org/a");
        is("//example.org/a", "http://example.org/a");
        is("example.org:8080/a", "http://example.org:8080/a");
    }

    #[test]
    fn what_is_no_address_says_why() {
        for wrong in [
            "",
            "what",
            "mailto:nina@example.org",
            "ftp://example.org/",
            "http://",
            "http://a b/",
            "/only/a/path",
        ] {
            assert!(normalise(wrong).is_err(), "{wrong}");
        }
        let long = format!("http://example.org/{}", "a".repeat(100_000));
        assert_eq!(
            normalise(&long).expect_err("long"),
            "URL of 100019 bytes is above the limit of 8192"
        );
        // The normal form is longer.
        assert!(normalise(&format!("http://example.org/{}", "ä".repeat(2000))).is_err());
    }

    #[test]
    fn parts_are_where_they_were() {
        let parts = Parts::from_address("https://example.org:8443/a//b;v=1/?x=1&y");
        assert_eq!((parts.scheme, parts.host), ("https", "example.org:8443"));
        assert_eq!(parts.segments().collect::<Vec<_>>(), ["a", "", "b;v=1", ""]);
        assert_eq!(parts.parameters().collect::<Vec<_>>(), ["x=1", "y"]);
        assert_eq!((name("x=1=2"), name("y")), ("x", "y"));
    }

    proptest! {
        #[test]
        fn any_text_is_taken_or_refused_and_taken_once(text in any::<String>()) {
            for text in [text.clone(), format!("http://example.org/{text}"), format!("//{text}")] {
                if let Ok(address) = normalise(&text) {
                    prop_assert_eq!(normalise(&address), Ok(address.clone()));
                    let parts = Parts::from_address(&address);
                    prop_assert!(address.is_ascii() && parts.path.starts_with('/'));
                }
            }
        }
    }
}
