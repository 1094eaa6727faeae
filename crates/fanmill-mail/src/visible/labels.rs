//! Text that is not in the text of a page: attributes that are shown, and what styles write.
//!
//! Cost: O(n) in the attributes, and in what styles write up to a limit: a rule may write the same text at each element.
//! Source: WHATWG HTML Standard, "Rendering"; CSS Generated Content Module Level 3, §2.

use std::borrow::Cow;

use fanmill_extract::html::{Flow, NoScript, Reader, Tag, attribute, read};

use super::element::gap;
use super::style::Style;

/// Bytes that labels may have beyond twice those of the page.
const BEYOND: usize = 64 << 10;

/// The labels of a page, which share a limit.
#[derive(Debug)]
pub(super) struct Labels {
    bytes_left: usize,
    /// Labels over the limit.
    pub(super) n_cut: usize,
}

impl Labels {
    /// Those of a page of so many bytes.
    pub(super) fn of_page(bytes: usize) -> Labels {
        Labels { bytes_left: bytes.saturating_mul(2).saturating_add(BEYOND), n_cut: 0 }
    }

    /// The labels at an element, as far as the limit allows; blank ones are left out.
    pub(super) fn at(&mut self, tag: &Tag, style: &Style) -> Vec<String> {
        let written = style.written.iter().filter_map(|piece| piece.text(tag));
        let mut kept = Vec::new();
        for label in of_tag(tag).into_iter().chain(written.map(Cow::Borrowed)) {
            let Some(left) = self.bytes_left.checked_sub(label.len()) else {
                self.n_cut += 1;
                continue;
            };
            self.bytes_left = left;
            if !label.trim().is_empty() {
                kept.push(label.into_owned());
            }
        }
        kept
    }
}

/// The attributes of a tag that a program may show in place of its element.
fn of_tag(tag: &Tag) -> Vec<Cow<'_, str>> {
    let of = |name: &str| attribute(tag, name).map(Cow::Borrowed);
    let labels = match &*tag.name {
        "img" | "image" | "area" => vec![of("alt")],
        "input" if of("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")) => vec![],
        "input" => vec![of("alt"), of("value"), of("placeholder")],
        "textarea" => vec![of("placeholder")],
        "iframe" => vec![of("srcdoc").map(|page| Cow::Owned(text_of(&page)))],
        _ => vec![],
    };
    labels.into_iter().flatten().collect()
}

/// The whole text of a page inside a page.
fn text_of(page: &str) -> String {
    #[derive(Default)]
    struct Text(Flow);
    impl Reader for Text {
        fn tag(&mut self, tag: &Tag) {
            self.0.widen(gap(&tag.name));
        }

        fn text(&mut self, characters: &str) {
            self.0.push(characters);
        }
    }
    read(page, NoScript::Markup, Text::default()).0.0.into_text()
}
