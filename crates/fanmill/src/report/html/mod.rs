//! Pages: the result for people, as HTML and CSS alone.
//!
//! Every page is one file that needs nothing else: no script, no image, no network. It can be
//! opened from disk, mailed to an exam board, printed. Texts and names come from the people who
//! are being checked, so markup is made by `Html` only, which escapes by construction, and a
//! Content-Security-Policy lets nothing in but the one style sheet, by its hash. The hash and not
//! `'self'`: what `'self'` means for a page from disk differs between browsers.

mod account;
#[cfg(test)]
mod checks;
mod escape;
mod index_page;
mod paint;
mod pair_page;
mod pane;
mod ranking;
mod rows;
mod sha256;
mod windows;
mod words;

use super::model::Report;
use super::texts::Texts;
use escape::Html;

/// The one style sheet, part of every page.
const STYLE: &str = include_str!("style.css");

/// The overview: what was compared, the ranking, clusters, and the account of all inputs.
///
/// A few megabytes at most: of very long lists it shows the beginning, and says where the rest is.
pub fn index_page(report: &Report) -> String {
    index_page::render(report)
}

/// The page of the listed pair `i`, 0-based, with both texts side by side; `None` if there is no
/// such pair.
///
/// A few megabytes at most: of very large documents it shows the surroundings of the passages.
pub fn pair_page(report: &Report, i: usize, texts: &dyn Texts) -> Option<String> {
    pair_page::render(report, i, texts)
}

/// The file name of the page of the listed pair `i`, 0-based: `0001.html` for the first.
pub fn pair_page_name(i: usize) -> String {
    format!("{:04}.html", i + 1)
}

/// A page around a body.
fn page(title: &str, class: &'static str, body: impl FnOnce(&mut Html)) -> String {
    let mut html = Html::new();
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.tag("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy())]);
    html.raw("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.raw("<meta name=\"referrer\" content=\"no-referrer\">\n");
    html.raw("<meta name=\"robots\" content=\"noindex\">\n");
    html.element("title", &[], |html| html.shown(title));
    html.raw("\n<style>");
    html.raw(STYLE);
    html.raw("</style>\n</head>\n");
    html.element("body", &[("class", class)], body);
    html.raw("\n</html>\n");
    html.into_string()
}

/// Nothing may be loaded, run, framed or sent; the style sheet is known by its hash.
fn policy() -> String {
    let hash = sha256::base64(&sha256::sha256(STYLE.as_bytes()));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}
