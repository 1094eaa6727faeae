//! Books: pages in XHTML, in reading order.
//!
//! `META-INF/container.xml` names the package document, whose spine names the pages. A page is read like any HTML in
//! Fanmill. In HTML, `<title/>` begins a title that lasts until its end tag, so tags that close themselves are written
//! out first.
//!
//! Source: EPUB 3.3, §4 (container) and §5 (package document).

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memchr2_iter;

use super::draft::{Draft, LineTarget};
use super::limits::MOST_REFERENCES;
use super::metadata;
use super::package::Package;
use super::relations::resolved;
use super::xml::{Ending, each_element, each_value};
use crate::extracted::{Flag, Location, ReadFailure};
use crate::html;

/// Elements that contain no markup: in HTML their start tag takes effect until an end tag.
const RAW: [&str; 9] =
    ["title", "script", "style", "textarea", "iframe", "xmp", "noembed", "noframes", "noscript"];

/// Reads the chapters of a book.
pub(super) fn read(package: &mut Package<'_>, draft: &mut Draft) -> Result<(), ReadFailure> {
    if package.has("META-INF/encryption.xml") && package.has("META-INF/rights.xml") {
        return Err(ReadFailure::skipped(
            "encrypted; a book without rights management can be read",
        ));
    }
    let container = package.take("META-INF/container.xml")?.unwrap_or_default();
    let mut main = None;
    let _ = each_element(&container, |element| {
        if element.name() == "rootfile" && main.is_none() {
            main = element.get("full-path").map(Cow::into_owned);
        }
    });
    let main = main.unwrap_or_default();
    let Some(opf) = package.take(&main)? else {
        return Err(ReadFailure::failed(format!("damaged: its part `{main}` is missing")));
    };
    let folder = main.rsplit_once('/').map_or("", |parts| parts.0);
    let _ = each_value(&opf, |name, value| match name {
        "date" => metadata::take(draft, "created", value),
        _ => metadata::take(draft, name, value),
    });
    for (number, page) in (1..).zip(pages(&opf, folder, draft)) {
        let Some(bytes) = package.take_bytes(&page)? else { continue };
        let (page, _) = html::decode(&bytes, None);
        draft.open_line();
        draft.push(&html::text(&written_out(&page)));
        draft.close_line(LineTarget::In(Location::Chapter(number)));
    }
    Ok(())
}

/// Returns the names of the pages in reading order.
fn pages(opf: &str, folder: &str, draft: &mut Draft) -> Vec<String> {
    let (mut items, mut spine) = (HashMap::new(), Vec::new());
    let ending = each_element(opf, |element| match element.name() {
        "item" if items.len() < MOST_REFERENCES => {
            if let (Some(id), Some(href)) = (element.get("id"), element.get("href")) {
                items.insert(id.into_owned(), resolved(folder, &plain(&href)));
            }
        }
        "itemref" if spine.len() < MOST_REFERENCES => {
            spine.extend(element.get("idref").map(Cow::into_owned));
        }
        _ => {}
    });
    if ending == Ending::Damaged {
        draft.flag(Flag::Damaged);
    }
    spine.iter().filter_map(|id| items.get(id).cloned()).collect()
}

/// Returns an address without its fragment, and with its escapes resolved.
fn plain(href: &str) -> String {
    let href = href.split('#').next().unwrap_or_default().as_bytes();
    let mut bytes = Vec::with_capacity(href.len());
    let mut at = 0;
    while let Some(&byte) = href.get(at) {
        let code = href.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        let code = code.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| byte == b'%');
        bytes.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the page with `<title></title>` for `<title/>`, and likewise for the other elements of [`RAW`].
fn written_out(page: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut kept, mut tag) = (0, None);
    for at in memchr2_iter(b'<', b'/', page.as_bytes()) {
        let (before, rest) = page.split_at(at);
        if rest.starts_with('<') {
            tag = Some(at + 1);
        }
        let Some(start) = tag.take_if(|_| rest.starts_with("/>")) else { continue };
        let name =
            before[start..].split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        if let Some(name) = RAW.iter().find(|raw| raw.eq_ignore_ascii_case(name)) {
            out.push_str(&page[kept..at]);
            out.push_str("></");
            out.push_str(name);
            out.push('>');
            kept = at + 2;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(page);
    }
    out.push_str(&page[kept..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_close_themselves_are_written_out() {
        let cases = [
            ("<title/>a<br/>b", "<title></title>a<br/>b"),
            ("<script src='x' /><p/>", "<script src='x' ></script><p/>"),
            ("/><p>", "/><p>"),
            ("", ""),
        ];
        for (page, expected) in cases {
            assert_eq!(written_out(page), expected);
        }
        assert_eq!(plain("a%20b.xhtml#c"), "a b.xhtml");
        assert_eq!(plain("100%é%2"), "100%é%2");
    }
}
