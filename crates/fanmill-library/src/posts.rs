//! Posts of Stack Exchange: the file `Posts.xml` of its archive, whose rows are questions and answers.
//!
//! Cost: O(n); memory for a row.
//! Source: the descriptions of the archive's columns on Meta Stack Exchange.

use std::borrow::Cow;
use std::path::Path;

use memchr::{memchr3, memmem};

use crate::facts::Facts;
use crate::mediawiki::behind_declaration;
use crate::xml::{self, Part};

/// The beginning of every row.
pub const ROW: &[u8] = b"<row ";
/// The end of every row.
pub const ROW_END: &[u8] = b"/>";
/// The attribute that says what a row is.
const KIND: &[u8] = b" PostTypeId=\"";

/// Returns whether a text begins like such a file.
pub fn begins_posts(text: &[u8]) -> bool {
    behind_declaration(text).starts_with(b"<posts>")
}

/// Returns the position behind the row that some bytes begin with, if it ends there. What is in quotes does not end it.
pub fn row_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let n = memchr3(b'"', b'\'', b'>', &bytes[at..])?;
        let quote = bytes[at + n];
        at += n + 1;
        if quote == b'>' {
            return Some(at);
        }
        at += memchr::memchr(quote, &bytes[at..])? + 1;
    }
}

/// Returns whether a row is a question or an answer, and not a description of a tag or the like.
pub fn is_post(row: &[u8]) -> bool {
    let kind = memmem::find(row, KIND).map(|n| &row[n + KIND.len()..]);
    kind.is_some_and(|kind| kind.starts_with(b"1\"") || kind.starts_with(b"2\""))
}

/// Returns the site that a file is of: the name of its folder, or its own before `-Posts`, if that is a host.
pub fn site_of(path: &Path) -> Option<String> {
    let is_host = |name: &str| {
        let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
        name.contains('.') && !name.starts_with('.') && name.bytes().all(is_of_host)
    };
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let folder = folder.strip_suffix(".7z").unwrap_or(&folder);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let own = name.split_once("-Posts").map(|(own, _)| own);
    [own, Some(folder)].into_iter().flatten().find(|name| is_host(name)).map(str::to_owned)
}

/// A question or an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// Facts about the post.
    pub facts: Facts<'static>,
    /// Its body, as HTML.
    pub body: String,
}

/// Reads a row of a site.
///
/// # Errors
/// If it is not well-formed, or has no body; the reason is in lower case.
pub fn post(row: &[u8], site: Option<&str>) -> Result<Post, String> {
    let row = String::from_utf8_lossy(row);
    let mut post = Post { facts: Facts::default(), body: String::new() };
    let (mut is_question, mut has_body, mut user) = (false, false, None);
    xml::read(&row, |part| {
        let Part::Open(element) = part else { return };
        xml::attributes(element, |key, value| match key {
            "Id" => post.facts.key = Some(Cow::Owned(value)),
            "PostTypeId" => is_question = value == "1",
            "CreationDate" => post.facts.date = Some(Cow::Owned(value)),
            "OwnerDisplayName" => post.facts.author = Some(Cow::Owned(value)),
            "OwnerUserId" => user = Some(value),
            "Title" => post.facts.title = Some(Cow::Owned(value)),
            "ContentLicense" => post.facts.licence = Some(Cow::Owned(value)),
            "Body" => {
                has_body = true;
                post.body = value;
            }
            _ => {}
        });
    })?;
    if !has_body {
        return Err("it has no body".to_owned());
    }
    let facts = &mut post.facts;
    if facts.author.is_none()
        && let Some(user) = user
    {
        facts.author = Some(Cow::Owned(match site {
            Some(site) => format!("https://{site}/users/{user}"),
            None => format!("user {user}"),
        }));
    }
    if let (Some(site), Some(key)) = (site, &facts.key) {
        let kind = if is_question { "q" } else { "a" };
        facts.address = Some(Cow::Owned(format!("https://{site}/{kind}/{key}")));
    }
    Ok(post)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "<row Id=\"4\" PostTypeId=\"1\" CreationDate=\"2008-07-31T21:42:52.667\" \
        Body=\"&lt;p&gt;How &amp;amp; why > ?&lt;/p&gt;&#xA;\" OwnerUserId=\"8\" Title=\"A &lt; B\" \
        ContentLicense=\"CC BY-SA 4.0\" />";

    #[test]
    fn a_row_is_a_post_with_its_facts() {
        let post = post(ROW.as_bytes(), Some("cooking.example.com")).expect("a post");
        assert_eq!(post.body, "<p>How &amp; why > ?</p>\n");
        assert_eq!(
            ["url", "title", "author", "licence", "date"].map(|name| post.facts.get(name)),
            [
                Some("https://cooking.example.com/q/4".into()),
                Some("A < B".into()),
                Some("https://cooking.example.com/users/8".into()),
                Some("CC BY-SA 4.0".into()),
                Some("2008-07-31T21:42:52.667".into())
            ]
        );
        let answer = ROW.replace("PostTypeId=\"1\"", "PostTypeId=\"2\" OwnerDisplayName=\"Ada\"");
        let answer = super::post(answer.as_bytes(), None).expect("a post");
        assert_eq!(answer.facts.author.as_deref(), Some("Ada"));
        assert_eq!(answer.facts.name().as_deref(), Some("4"));
        let in_site = super::post(
            ROW.replace("PostTypeId=\"1\"", "PostTypeId=\"2\"").as_bytes(),
            Some("a.example"),
        );
        assert_eq!(
            in_site.expect("a post").facts.get("url").as_deref(),
            Some("https://a.example/a/4")
        );
        assert_eq!(super::post(b"<row Id=\"1\" />", None), Err("it has no body".to_owned()));
        assert!(super::post(b"<row Id=\"1", None).is_err());
    }

    #[test]
    fn a_row_ends_outside_of_quotes() {
        assert_eq!(row_end(ROW.as_bytes()), Some(ROW.len()));
        for n in 0..ROW.len() {
            assert_eq!(row_end(&ROW.as_bytes()[..n]), None, "{n}");
        }
        assert!(is_post(ROW.as_bytes()));
        assert!(!is_post(b"<row Id=\"1\" PostTypeId=\"12\" />"));
        assert!(!is_post(b"<row Id=\"1\" PostTypeId=\"5\" />"));
    }

    #[test]
    fn the_site_is_named_by_the_folder_or_the_file() {
        for (path, expected) in [
            ("data/cooking.stackexchange.com/Posts.xml", Some("cooking.stackexchange.com")),
            ("data/stackoverflow.com-Posts.xml.bz2", Some("stackoverflow.com")),
            ("data/Posts.xml", None),
            ("Posts.xml", None),
            ("../Posts.xml", None),
        ] {
            assert_eq!(site_of(Path::new(path)).as_deref(), expected, "{path}");
        }
        assert!(begins_posts(b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>\r\n"));
        assert!(!begins_posts(b"<mediawiki>"));
    }
}
