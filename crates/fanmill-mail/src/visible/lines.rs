//! The text of a page in one of its [views](super::look::View).
//!
//! Cost: O(n) in the text.
//! Source: WHATWG HTML Standard, "Rendering".

use fanmill_extract::html::{Flow, Gap};

use super::look::{Look, View};
use crate::overridden;

/// A text under construction.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    flow: Flow,
    /// Number of the element that reverses the last text, or 0.
    reversed_in: u32,
}

impl Lines {
    /// Creates an empty text with capacity for `bytes` bytes.
    pub(super) fn with_capacity(bytes: usize) -> Lines {
        Lines { flow: Flow::with_capacity(bytes), reversed_in: 0 }
    }

    /// Separates the next text from the text so far by at least `gap`.
    pub(super) fn widen(&mut self, gap: Gap) {
        self.flow.widen(gap);
    }

    /// Appends text with this look.
    pub(super) fn show(&mut self, characters: &str, look: Look, view: View) {
        if look.reversed_in != self.reversed_in && !characters.trim().is_empty() {
            // The end of a line ends a reversed stretch.
            if self.reversed_in > 0 && !self.flow.is_at_line_start() {
                self.flow.push(overridden::END);
            }
            self.reversed_in = look.reversed_in;
            if self.reversed_in > 0 {
                self.flow.push(overridden::START);
            }
        } else if self.reversed_in > 0 && self.flow.is_at_line_start() {
            self.flow.push(overridden::START);
        }
        if view == View::Doubtful && look.is_squeezed {
            return characters.split_ascii_whitespace().for_each(|word| self.flow.push(word));
        }
        if !look.is_preformatted {
            return self.flow.push(characters);
        }
        for (i, line) in characters.split_inclusive('\n').enumerate() {
            if i > 0 && self.reversed_in > 0 {
                self.flow.push_preformatted(overridden::START);
            }
            self.flow.push_preformatted(line);
        }
    }

    /// Returns the text in the order in which it is seen. Unicode's separators of lines and paragraphs are invisible in
    /// a page, so they are removed.
    pub(super) fn into_text(self) -> String {
        let text = self.flow.into_text();
        let text = overridden::as_seen(&text);
        if text.contains(['\u{2028}', '\u{2029}']) {
            text.replace(['\u{2028}', '\u{2029}'], "")
        } else {
            text.into_owned()
        }
    }
}
