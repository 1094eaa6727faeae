//! Facts about a document of a library, by the same names in all of them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Facts about a document. A library that does not state one leaves it out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    /// The title.
    pub title: Option<Cow<'a, str>>,
    /// The address of the page in the web.
    pub address: Option<Cow<'a, str>>,
    /// The author.
    pub author: Option<Cow<'a, str>>,
    /// The licence, in the library's words.
    pub licence: Option<Cow<'a, str>>,
    /// The day or time, in ISO 8601 as far as the library keeps to it.
    pub date: Option<Cow<'a, str>>,
    /// The language, as the library codes it.
    pub language: Option<Cow<'a, str>>,
    /// The number or the path by which the library itself knows the document.
    pub key: Option<Cow<'a, str>>,
}

/// The names of facts, by which users ask for them.
pub const NAMES: [&str; 7] = ["title", "url", "author", "licence", "date", "language", "key"];

impl<'a> Facts<'a> {
    /// Returns the fact of a name; `None` for an unknown name, or a fact that is not stated.
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let fact = match name {
            "title" => &self.title,
            "url" | "address" => &self.address,
            "author" => &self.author,
            "licence" | "license" => &self.licence,
            "date" | "timestamp" => &self.date,
            "language" => &self.language,
            "key" | "id" => &self.key,
            _ => &None,
        };
        fact.clone().filter(|fact| !fact.is_empty())
    }

    /// Returns the name of the document: its address or, where that is not known, its key or its title.
    pub fn name(&self) -> Option<Cow<'a, str>> {
        self.get("url").or_else(|| self.get("key")).or_else(|| self.get("title"))
    }
}

/// Returns the part of an address behind its host, with what an address cannot hold as escapes.
pub(crate) fn escaped(path: &str) -> Cow<'_, str> {
    let is_held = |byte: u8| byte > b' ' && byte != 0x7F && !b"\"<>\\^`{|}%".contains(&byte);
    if path.bytes().all(|byte| is_held(byte) && byte != b'?' && byte != b'#') {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() + 8);
    for c in path.chars() {
        match u8::try_from(c) {
            Ok(b' ') => out.push('_'),
            Ok(byte) if byte < 0x80 && (!is_held(byte) || byte == b'?' || byte == b'#') => {
                let _ = write!(out, "%{byte:02X}");
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_found_by_their_names() {
        let facts = Facts { title: Some("T".into()), key: Some("7".into()), ..Facts::default() };
        assert_eq!(facts.get("title").as_deref(), Some("T"));
        assert_eq!(facts.get("url"), None);
        assert_eq!(facts.name().as_deref(), Some("7"));
        let facts = Facts { address: Some("https://a.example/b".into()), ..facts };
        assert_eq!(facts.name().as_deref(), Some("https://a.example/b"));
        for name in NAMES {
            let all = Some(Cow::Borrowed("x"));
            let all = Facts {
                title: all.clone(),
                address: all.clone(),
                author: all.clone(),
                licence: all.clone(),
                date: all.clone(),
                language: all.clone(),
                key: all,
            };
            assert_eq!(all.get(name).as_deref(), Some("x"), "{name}");
        }
    }

    #[test]
    fn paths_become_parts_of_addresses() {
        assert_eq!(escaped("Straße_(Weg)"), "Straße_(Weg)");
        assert_eq!(escaped("What is? 100%"), "What_is%3F_100%25");
        assert_eq!(escaped("C#"), "C%23");
    }
}
