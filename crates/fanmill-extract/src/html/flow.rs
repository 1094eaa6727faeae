//! Text as lines: white space collapses to one space, and lines end where blocks do.
//!
//! Two pieces of text are separated by the widest [`Gap`] that anything between them requested. No gap is written
//! before the first piece or after the last one.
//!
//! Cost: O(n) in the text.
//! Source: WHATWG HTML Standard, "Rendering", for white space and the line feed that starts preformatted text.

/// Separation of two pieces of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Gap {
    /// None: they are one word.
    #[default]
    Nothing,
    /// One space.
    Space,
    /// The end of a line.
    Line,
    /// An empty line.
    Paragraph,
}

/// A text under construction.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    out: String,
    gap: Gap,
}

impl Flow {
    /// Creates an empty text with capacity for `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Flow {
        Flow { out: String::with_capacity(bytes), gap: Gap::Nothing }
    }

    /// Separates the next piece from the text so far by at least `gap`.
    pub fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Returns whether the next piece begins a line.
    pub fn is_at_line_start(&self) -> bool {
        self.gap >= Gap::Line || self.out.is_empty()
    }

    /// Appends text whose white space only separates words.
    pub fn push(&mut self, characters: &str) {
        let is_space = |c: char| c.is_ascii_whitespace();
        if characters.starts_with(is_space) {
            self.widen(Gap::Space);
        }
        for word in characters.split_ascii_whitespace() {
            self.close_gap();
            self.out.push_str(word);
            self.gap = Gap::Space;
        }
        if !characters.ends_with(is_space) && self.gap == Gap::Space {
            self.gap = Gap::Nothing;
        }
    }

    /// Appends text whose white space is kept.
    pub fn push_preformatted(&mut self, characters: &str) {
        // A line feed next to the tags is not part of the text.
        let is_begin = self.gap >= Gap::Line;
        let characters =
            if is_begin { characters.trim_start_matches(['\r', '\n']) } else { characters };
        if !characters.is_empty() {
            self.close_gap();
            self.out.push_str(characters);
        }
    }

    /// Writes the gap between the last piece and the next one.
    fn close_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if self.out.is_empty() {
            return;
        }
        if gap >= Gap::Line {
            self.out.truncate(self.out.trim_end().len());
        }
        self.out.push_str(match gap {
            Gap::Nothing => "",
            Gap::Space => " ",
            Gap::Line => "\n",
            Gap::Paragraph => "\n\n",
        });
    }

    /// Returns the text.
    pub fn into_text(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_gap_is_between_two_pieces_and_none_around_them() {
        let mut flow = Flow::default();
        flow.widen(Gap::Paragraph);
        flow.push(" one \n two");
        flow.push("2 ");
        flow.widen(Gap::Line);
        flow.widen(Gap::Space);
        flow.push("three");
        flow.widen(Gap::Paragraph);
        flow.push_preformatted("\n  a\n b \n");
        flow.widen(Gap::Paragraph);
        flow.push_preformatted("\r\n");
        flow.push("c ");
        flow.widen(Gap::Paragraph);
        assert_eq!(flow.into_text(), "one two2\nthree\n\n  a\n b\n\nc");
    }
}
