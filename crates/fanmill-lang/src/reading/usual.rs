//! Usual tokens, which make up most of a program: words, numbers, brackets and operators.
//!
//! One loop reads them, with its state in registers, and hands them over in batches. A lexeme is a word, a number, a
//! run of bytes of operators, or another byte. Every lexeme is looked up by its spelling, and only new ones are
//! examined, so the loop has no branch that depends on the kind of the next lexeme. Everything else ends the loop, and
//! is read by the other readers, which would read these tokens in the same way.
//!
//! Cost: about 80 instructions per token, nearly all of them the same for every token.

use fanmill_text::span::Span;

use crate::cursor::{Cursor, offset};
use crate::reader_memory::{BATCH, Batch, ReaderMemory};
use crate::seen::{SHORT, ShortSpelling};

impl Cursor<'_> {
    /// Reads usual tokens and white space, up to something else or to the end.
    pub(crate) fn usual(&mut self) {
        let (tables, bytes) = (self.tables, self.bytes);
        let first = &tables.first[usize::from(!self.frames.is_empty())];
        let Cursor { window, room, .. } = self;
        let ReaderMemory { seen, batch: Batch { symbols, names, spans }, .. } = &mut **room;
        let (mut at, mut n, kind) = (window.visible(self.at), 0, tables.index);
        // At the end of an island, a lexeme may be longer than it seems, so it is read by other means.
        let whole = bytes.len().saturating_sub(SHORT);
        while n < BATCH && at < whole {
            let here = bytes[at..].first_chunk().expect("there are as many bytes");
            let (mut len, mut next) = window.lexeme(at);
            let Some(short) = ShortSpelling::from_first(here, len, kind) else { break };
            if first[usize::from(here[0])] & tables.next[usize::from(here[len])] != 0 {
                break;
            }
            let spelled = if let Some(known) = seen.get(&short) {
                known
            } else {
                let Some((spelled, n)) = tables.met(seen, here, len) else { break };
                if n != len {
                    (len, next) = (n, window.visible(at + n));
                }
                spelled
            };
            symbols[n] = spelled.symbol;
            names[n] = spelled.name;
            spans[n] = Span::new(offset(at), offset(at + len));
            n += 1;
            at = next;
        }
        if self.asks_depth {
            for span in &spans[..n] {
                let change = tables.depth[usize::from(bytes[span.start as usize])];
                self.depth = self.depth.saturating_add_signed(change.into());
            }
        }
        self.tokens.symbols.extend_from_slice(&symbols[..n]);
        self.tokens.names.extend_from_slice(&names[..n]);
        self.tokens.spans.extend_from_slice(&spans[..n]);
        // The loop may have skipped white space beyond the end of an island.
        self.at = at.min(bytes.len());
    }
}
