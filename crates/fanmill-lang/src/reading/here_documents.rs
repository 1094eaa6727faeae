//! Here-documents: literals that begin on the line after their opener.
//!
//! The opener yields a token, the rest of its line is code, and the lines up to the tag yield another token. If no line
//! has the tag, the opener may have been a shift, and nothing is skipped.

use fanmill_text::token::Symbol;

use crate::cursor::{Cursor, PendingHereDocument};
use crate::table::quotes::{Quote, Terminator};

impl Cursor<'_> {
    /// Reads `<<TAG`, `<<-TAG` or `<<~'TAG'`; `from` is the position after `<<`. Returns `false` if it is not
    /// an opener.
    pub(crate) fn here_document(
        &mut self,
        quote: &Quote,
        terminator: Terminator,
        start: usize,
        from: usize,
    ) -> bool {
        /// People do not write longer tags, and the bound keeps a document full of openers linear.
        const LONGEST: usize = 128;
        let mut at = from;
        let is_indented = matches!(self.bytes.get(at), Some(b'-' | b'~'));
        at += usize::from(is_indented);
        let fence = self.bytes.get(at).copied().filter(|b| matches!(b, b'"' | b'\'' | b'`'));
        at += usize::from(fence.is_some());
        let rest = &self.bytes[at.min(self.bytes.len())..];
        let rest = &rest[..rest.len().min(LONGEST)];
        let len = rest
            .iter()
            .position(|b| fence.map_or(!(b.is_ascii_alphanumeric() || *b == b'_'), |f| *b == f))
            .unwrap_or(rest.len());
        let tag = &rest[..len];
        let is_tag = tag.first().is_some_and(|b| fence.is_some() || !b.is_ascii_digit())
            && !tag.contains(&b'\n')
            && (fence.is_none() || len < rest.len());
        // `<<` may also be a shift. A bare tag does not begin with a digit, and a quoted one closes on its line.
        if !is_tag {
            return false;
        }
        let pending = PendingHereDocument { tag: tag.to_vec(), terminator, is_indented };
        let end = at + len + usize::from(fence.is_some());
        if !self.is_absent(&pending.key()) {
            self.pending.push(pending);
        }
        self.literal(quote, start, end)
    }

    /// Reads, at the start of a line, the lines of the here-documents opened on the line above.
    pub(crate) fn here_document_lines(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let key = pending.key();
            if self.is_absent(&key) {
                continue;
            }
            match self.here_document_end(&pending) {
                Some(end) => self.push_folded(Symbol::STRING, self.at, end),
                None => self.absent.push(key),
            }
        }
    }

    /// Returns the end of the tag that ends the here-document whose first line begins at this position.
    fn here_document_end(&self, pending: &PendingHereDocument) -> Option<usize> {
        let mut at = self.at;
        while at < self.bytes.len() {
            let end = self.line_end(at);
            let line = &self.bytes[at..end];
            let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if let Some(after) = line[blanks..].strip_prefix(pending.tag.as_slice()) {
                let is_end = match pending.terminator {
                    Terminator::Line => {
                        (blanks == 0 || pending.is_indented) && after.trim_ascii().is_empty()
                    }
                    Terminator::Start => {
                        after.first().is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_')
                    }
                };
                if is_end {
                    return Some(at + blanks + pending.tag.len());
                }
            }
            at = end + 1;
        }
        None
    }
}
