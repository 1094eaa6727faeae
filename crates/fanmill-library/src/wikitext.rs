//! Wikitext as text: templates, tables, references and files are dropped, the words of links stay.
//!
//! | source | text |
//! |---|---|
//! | `{{…}}`, `{\|…\|}`, `<ref>…</ref>`, `<!-- … -->`, `[[File:…]]`, `[[Category:…]]`, `__NOTOC__` | nothing |
//! | `[[Barley\|the grain]]s`, `[[Barley]]`, `[https://… words]` | `the grains`, `Barley`, `words` |
//! | `== Yield ==`, `* one`, `'''bold'''` | `Yield` as a paragraph, `one`, `bold` |
//! | `<nowiki>[[x]]</nowiki>`, `&nbsp;` | `[[x]]`, a space |
//!
//! Braces that are never closed are text, as in MediaWiki. Nothing is recursive: `braces`
//! matches braces beforehand, and links open at most a few deep.
//!
//! Cost: O(n) time and memory in the source.
//! Source: MediaWiki's help pages on formatting, links, tables and templates, by their rules for users.

mod tags;
mod braces;
mod links;
mod lines;
mod reader;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

/// Names, in lower case, that make a link something other than words: files and categories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkNames {
    dropped: BTreeSet<String>,
}

impl LinkNames {
    /// Returns the names that every wiki knows.
    pub fn standard() -> LinkNames {
        let names = ["file", "image", "media", "category"];
        LinkNames { dropped: names.map(str::to_owned).into() }
    }

    /// Adds a wiki's own name of its files or categories.
    pub fn add(&mut self, name: &str) {
        self.dropped.insert(name.trim().replace('_', " ").to_lowercase());
    }

    /// Returns whether links to a target of this kind are no words.
    fn drops(&self, kind: &str) -> bool {
        let kind = kind.trim();
        is_language(kind) || self.dropped.contains(&kind.replace('_', " ").to_lowercase())
    }
}

/// Returns whether a prefix is the code of a language, so that the link leads to the same article in another one.
fn is_language(prefix: &str) -> bool {
    let mut parts = prefix.split('-');
    let is_code = |part: &str, most: usize| {
        (2..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    parts.next().is_some_and(|first| is_code(first, 3) || first == "simple")
        && parts.all(|part| is_code(part, 8))
}

/// Returns the text of wikitext.
pub fn text(source: &str, names: &LinkNames) -> String {
    lines::tidied(&reader::read(source, names))
}
