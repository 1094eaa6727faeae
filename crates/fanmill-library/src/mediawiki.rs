//! Dumps of MediaWiki: XML with a description of the site, and its pages.
//!
//! A dump is read page by page: [`page_end`] finds where one ends, [`is_article`] tells articles from redirects and from
//! pages of other name spaces by the first bytes, and [`Site::page`] reads one. Of a page with several versions, the last
//! counts.
//!
//! Cost: O(n); memory for a page.
//! Source: MediaWiki's help page on exports, and the schema of version 0.11.

use std::borrow::Cow;

use memchr::memmem;

use crate::facts::{Facts, escaped};
use crate::wikitext::{self, LinkNames};
use crate::xml::{self, Part};

/// The beginning of every page.
pub const PAGE: &[u8] = b"<page>";
/// The end of every page.
pub const PAGE_END: &[u8] = b"</page>";
/// The model of pages that are wikitext.
const WIKITEXT: &str = "wikitext";
/// Number of the name space of files, and of that of categories.
const WITHOUT_WORDS: [&str; 2] = ["6", "14"];

/// Returns whether a text begins like a dump.
pub fn begins_dump(text: &[u8]) -> bool {
    behind_declaration(text).starts_with(b"<mediawiki")
}

/// Returns a document without its XML declaration, and the blanks behind that.
pub(crate) fn behind_declaration(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let behind = text.starts_with(b"<?xml").then(|| memmem::find(text, b"?>")).flatten();
    behind.map_or(text, |n| text[n + 2..].trim_ascii_start())
}

/// Returns the position behind the page that some bytes begin with, if it ends there.
pub fn page_end(bytes: &[u8]) -> Option<usize> {
    memmem::find(bytes, PAGE_END).map(|n| n + PAGE_END.len())
}

/// Returns whether a page is an article: of the first name space, and no redirect.
pub fn is_article(page: &[u8]) -> bool {
    let head = &page[..memmem::find(page, b"<revision>").unwrap_or(page.len())];
    let space = memmem::find(head, b"<ns>").map(|n| &head[n + 4..]);
    space.is_none_or(|space| space.starts_with(b"0<")) && memmem::find(head, b"<redirect").is_none()
}

/// The description of the site in a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The address before the titles of pages.
    base: Option<String>,
    language: Option<String>,
    names: LinkNames,
}

/// A page: the facts about it, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Facts about the page. Dumps name no authors of a page, and no licence.
    pub facts: Facts<'static>,
    /// The text of its last version.
    pub text: String,
}

impl Site {
    /// Reads the beginning of a dump, up to its first page. What it lacks is unknown.
    pub fn new(head: &[u8]) -> Site {
        let head = String::from_utf8_lossy(head);
        let mut site = Site { base: None, language: None, names: LinkNames::standard() };
        let (mut base, mut name, mut is_base, mut is_name) =
            (String::new(), String::new(), false, false);
        // The element around all pages is open, so the head is never whole.
        let _ = xml::read(&head, |part| match part {
            Part::Open(element) => {
                let local = element.local_name().into_inner();
                is_base = local == "base";
                is_name = false;
                xml::attributes(element, |key, value| match (local, key) {
                    ("mediawiki", "xml:lang") => site.language = Some(value),
                    ("namespace", "key") => is_name = WITHOUT_WORDS.contains(&&*value),
                    _ => {}
                });
                name.clear();
            }
            Part::Text(text) if is_base => base.push_str(text),
            Part::Text(text) if is_name => name.push_str(text),
            Part::Text(_) => {}
            Part::Close => {
                if is_name && !name.is_empty() {
                    site.names.add(&name);
                }
                (is_base, is_name) = (false, false);
            }
        });
        let above = base.rsplit_once('/').map(|(above, _)| above);
        site.base = above.filter(|above| above.contains("://")).map(|above| format!("{above}/"));
        site
    }

    /// Reads a page.
    ///
    /// # Errors
    /// If it is not well-formed, or its text is something other than wikitext; the reason is in lower case.
    pub fn page(&self, page: &[u8]) -> Result<Page, String> {
        let mut fields = Fields::default();
        let mut open: Vec<Field> = Vec::new();
        let (document, mut depth) = (String::from_utf8_lossy(page), 0_usize);
        xml::read(&document, |part| match part {
            Part::Open(element) => {
                depth += 1;
                let name = element.local_name().into_inner();
                if depth == 2 && name == "revision" {
                    fields.revision = Default::default();
                }
                open.push(Field::new(depth, name));
            }
            Part::Close => {
                depth = depth.saturating_sub(1);
                open.pop();
            }
            Part::Text(text) => {
                if let Some(field) = open.last().and_then(|field| fields.get_mut(*field)) {
                    field.push_str(text);
                }
            }
        })?;
        let Fields { title, id, revision: [date, model, source] } = fields;
        if !model.is_empty() && model != WIKITEXT {
            return Err(format!("its text is of the model `{model}`, and not wikitext"));
        }
        let some = |text: String| Some(text).filter(|text| !text.is_empty()).map(Cow::Owned);
        let address = self.base.as_ref().map(|base| {
            let title = title.replace(' ', "_");
            format!("{base}{}", escaped(&title))
        });
        let facts = Facts {
            address: address.map(Cow::Owned),
            title: some(title),
            date: some(date),
            language: self.language.clone().map(Cow::Owned),
            key: some(id),
            ..Facts::default()
        };
        Ok(Page { facts, text: wikitext::text(&source, &self.names) })
    }
}

/// The fields of a page, of which the last three are those of a version.
#[derive(Debug, Default)]
struct Fields {
    title: String,
    id: String,
    revision: [String; 3],
}

/// A field that an element holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Id,
    Revision(usize),
    Other,
}

impl Field {
    fn new(depth: usize, name: &str) -> Field {
        match (depth, name) {
            (2, "title") => Field::Title,
            (2, "id") => Field::Id,
            (3, "timestamp") => Field::Revision(0),
            (3, "model") => Field::Revision(1),
            (3, "text") => Field::Revision(2),
            _ => Field::Other,
        }
    }
}

impl Fields {
    fn get_mut(&mut self, field: Field) -> Option<&mut String> {
        match field {
            Field::Title => Some(&mut self.title),
            Field::Id => Some(&mut self.id),
            Field::Revision(number) => self.revision.get_mut(number),
            Field::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<mediawiki xmlns=\"x\" version=\"0.11\" xml:lang=\"de\"><siteinfo>\
        <base>https://de.example.org/wiki/Hauptseite</base><namespaces>\
        <namespace key=\"0\" case=\"first-letter\" /><namespace key=\"6\">Datei</namespace>\
        <namespace key=\"12\">Hilfe</namespace></namespaces></siteinfo>";
    const PAGE: &str = "<page><title>Gerste &amp; Co</title><ns>0</ns><id>7</id>\
        <revision><id>1</id><timestamp>2020-01-01T00:00:00Z</timestamp><text>old</text></revision>\
        <revision><id>9</id><timestamp>2026-03-01T17:42:00Z</timestamp>\
        <contributor><username>A</username><id>3</id></contributor><model>wikitext</model>\
        <text bytes=\"9\" xml:space=\"preserve\">'''Gerste'''[[Datei:x.jpg]] &amp;amp; &lt;ref&gt;no&lt;/ref&gt;[[Hilfe:A|Korn]]</text>\
        </revision></page>";

    #[test]
    fn a_page_has_the_text_and_the_facts_of_its_last_version() {
        let site = Site::new(HEAD.as_bytes());
        let page = site.page(PAGE.as_bytes()).expect("a page");
        assert_eq!(page.text, "Gerste & Korn");
        let facts = page.facts;
        assert_eq!(
            ["title", "url", "date", "language", "key", "licence"].map(|name| facts.get(name)),
            [
                Some("Gerste & Co".into()),
                Some("https://de.example.org/wiki/Gerste_&_Co".into()),
                Some("2026-03-01T17:42:00Z".into()),
                Some("de".into()),
                Some("7".into()),
                None
            ]
        );
        assert!(site.page(b"<page><title>x</page>").is_err());
        let model = "<page><revision><model>json</model><text>{}</text></revision></page>";
        let reason = site.page(model.as_bytes()).expect_err("no wikitext");
        assert_eq!(reason, "its text is of the model `json`, and not wikitext");
    }

    #[test]
    fn a_dump_without_a_description_has_no_addresses() {
        let site = Site::new(b"<mediawiki>");
        let page = site.page(PAGE.as_bytes()).expect("a page");
        assert_eq!(page.facts.get("url"), None);
        assert_eq!(page.facts.name().as_deref(), Some("7"));
    }

    #[test]
    fn articles_are_told_from_other_pages_by_their_beginning() {
        for (page, expected) in [
            (PAGE, true),
            ("<page><title>x</title><revision><text>a</text></revision></page>", true),
            ("<page><ns>1</ns><revision></revision></page>", false),
            ("<page><ns>0</ns><redirect title=\"y\" /><revision></revision></page>", false),
            ("<page><ns>0</ns><revision><text>&lt;redirect</text></revision></page>", true),
        ] {
            assert_eq!(is_article(page.as_bytes()), expected, "{page}");
        }
        assert_eq!(page_end(b"<page>a</page>b"), Some(14));
        assert!(begins_dump(b" <?xml version='1.0'?>\n<mediawiki x>"));
        assert!(!begins_dump(b"<?xml version='1.0'?><posts>"));
    }
}
