//! Style sheets, as far as they are simple: rules for `tag`, `.class`, `#id`, `tag.class` and `tag#id`.
//!
//! Of a rule with any other selector it is not known where it applies. If it sets colours, those of elements that its last
//! part fits are unknown, and hide nothing. Rules for certain media only (`@media`) are passed over: they are for small
//! screens, or for print.
//!
//! Cost: O(n) in the sheets, of which [`MAX_BYTES`] are read; an element asks for its classes, at most
//! [`MAX_CLASSES`].
//! Source: CSS 2.2, §4.1 and §5.

use std::collections::HashMap;

use crate::limits::start_of;

use super::style::{Own, declarations, without_comments};

/// Bytes of all style sheets of a page that are read.
const MAX_BYTES: usize = 256 << 10;
/// Classes of an element that are looked up.
const MAX_CLASSES: usize = 32;
/// Bytes of a selector that is read: each may be a key, and one declaration may have thousands.
const MAX_SELECTOR: usize = 100;

/// The simple rules of a page's style sheets.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// What is not parsed yet.
    text: String,
    n_bytes: usize,
    rules: HashMap<String, Own>,
}

impl Sheet {
    /// Takes text of a style sheet.
    pub(super) fn push(&mut self, text: &str) {
        let kept = start_of(text, MAX_BYTES - self.n_bytes);
        self.n_bytes += kept.len();
        self.text.push_str(kept);
    }

    /// Reads the rules of what was pushed.
    pub(super) fn finish(&mut self) {
        let text = without_comments(&std::mem::take(&mut self.text));
        let text = text.replace("<!--", " ").replace("-->", " ");
        let mut rest = &*text;
        while let Some(at) = rest.find(['{', ';', '}']) {
            let selectors = rest[..at].trim();
            let is_block = rest[at..].starts_with('{');
            rest = &rest[at + 1..];
            if !is_block {
                continue;
            }
            if selectors.starts_with('@') {
                rest = behind_block(rest);
                continue;
            }
            let (body, behind) = rest.split_once('}').unwrap_or((rest, ""));
            rest = behind;
            self.rule(selectors, body);
        }
    }

    fn rule(&mut self, selectors: &str, body: &str) {
        let mut own = Own::default();
        declarations(body, &mut own);
        if own == Own::default() {
            return;
        }
        for selector in selectors.split(',') {
            let selector = selector.trim();
            if selector.len() > MAX_SELECTOR {
                continue;
            }
            // Names of tags have no case, nor have classes in pages without a document type.
            let selector = selector.to_ascii_lowercase();
            if is_simple(&selector) {
                self.rules.entry(selector).or_default().add(own);
                continue;
            }
            let last = selector.rsplit([' ', '>', '+', '~']).next().unwrap_or("");
            let last = last.split([':', '[']).next().unwrap_or("");
            if is_simple(last) {
                self.rules.entry(last.to_owned()).or_default().add(own.doubtful());
            }
        }
    }

    /// Adds what the rules say about an element, the weaker ones first.
    pub(super) fn apply(&self, name: &str, id: &str, class: &str, own: &mut Own) {
        if self.rules.is_empty() {
            return;
        }
        let mut ask = |key: &str| {
            if let Some(&rule) = self.rules.get(key) {
                own.add(rule);
            }
        };
        ask(name);
        let classes = || class.split_ascii_whitespace().take(MAX_CLASSES);
        let short = |part: &&str| part.len() <= MAX_SELECTOR;
        let names = classes().filter(short).map(|class| ('.', class));
        let id = Some(('#', id.trim())).filter(|(_, id)| !id.is_empty() && short(id));
        let parts: Vec<(char, String)> =
            names.chain(id).map(|(mark, part)| (mark, part.to_ascii_lowercase())).collect();
        for mark in ['.', '#'] {
            for (_, part) in parts.iter().filter(|(other, _)| *other == mark) {
                ask(&format!("{mark}{part}"));
            }
            for (_, part) in parts.iter().filter(|(other, _)| *other == mark) {
                ask(&format!("{name}{mark}{part}"));
            }
        }
    }
}

/// Whether a selector is a tag, a class or an id, or a tag with one of these.
fn is_simple(selector: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let marks = selector.chars().filter(|&c| !is_part(c)).count();
    let has_mark = selector.contains(['.', '#']);
    marks == usize::from(has_mark) && !selector.is_empty() && !selector.ends_with(['.', '#'])
}

/// What comes after the end of a block, blocks inside of it left out.
fn behind_block(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.match_indices(['{', '}']) {
        depth = if c == "{" { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}
