//! What most of a program consists of: words, numbers, brackets and operators.
//!
//! These are read in one loop, with what it needs in registers, and handed over by batches. Everything else ends the
//! loop, and is read by the engine's other methods, which would read these tokens in the same way.
//!
//! Cost: 50 to 70 instructions a token.

use fanmill::span::Span;
use fanmill::token::Symbol;

use crate::compiled::{Follower, Kind};
use crate::cursor::{Cursor, eight_bytes, offset};
use crate::language::Words;
use crate::room::Room;
use crate::seen::{Seen, Short};

/// Tokens in a batch.
const MOST: usize = 128;

/// Tokens that have been read, and are not handed over yet.
#[derive(Debug)]
pub(crate) struct Batch {
    symbols: [Symbol; MOST],
    names: [Symbol; MOST],
    spans: [Span; MOST],
}

impl Batch {
    pub(crate) fn new() -> Batch {
        let nothing = [Symbol::BREAK; MOST];
        Batch { symbols: nothing, names: nothing, spans: [Span::new(0, 0); MOST] }
    }
}

impl Cursor<'_> {
    /// Reads usual tokens, and white space, up to something else or to the end.
    #[expect(clippy::too_many_lines, reason = "one loop, with all it needs in registers")]
    pub(crate) fn usual(&mut self) {
        let (tables, bytes, text) = (self.tables, self.bytes, self.text.as_bytes());
        let (is_enclosed, is_class) = (!self.frames.is_empty(), tables.words == Words::Class);
        let Cursor { window, tokens, depth, at: position, room, first, .. } = self;
        let Room { seen, batch: Batch { symbols, names, spans }, .. } = &mut **room;
        let mut before = tokens.names[*first..].last().copied().unwrap_or(Symbol::BREAK);
        let (mut at, mut n, mut block) = (*position, 0, self.block);
        while n < MOST {
            at = window.end_of_white(&mut block, at);
            let Some(&byte) = bytes.get(at) else { break };
            let next = bytes.get(at + 1).copied().unwrap_or(0);
            let usual = &tables.usual[usize::from(byte)];
            let (mut symbol, mut end) = (usual.symbol, at + 1);
            if usual.is_more(next) {
                // Something may open here, or this is an operator of more bytes.
                let Some((of_more, len)) = tables.usual_operator(eight_bytes(bytes, at)) else {
                    break;
                };
                (symbol, end) = (of_more, at + len);
            }
            let mut name = symbol;
            if usual.kind == Kind::One {
                if usual.depth != 0 {
                    if is_enclosed {
                        break;
                    }
                    *depth = depth.saturating_add_signed(usual.depth.into());
                }
                if tables.is_qualifier(before, symbol) {
                    break;
                }
            } else if usual.kind == Kind::Word {
                end = window.end_of_word(&mut block, end);
                // At the end of the text, or of an island, which may be in mid-word.
                let Some(&next) = bytes.get(end) else { break };
                if tables.goes_on(next, Follower::Word) {
                    break;
                }
                let Some(short) = Short::of(text, at, end, tables.index) else { break };
                let spelled = match seen.get(&short) {
                    None => tables.learned(seen, &short, &bytes[at..end]),
                    spelled => spelled,
                };
                let Some(spelled) = spelled else { break };
                if !is_class && spelled.symbol == Symbol::IDENTIFIER {
                    break;
                }
                (symbol, name) = (spelled.symbol, spelled.name);
            } else if usual.kind == Kind::Number && is_class {
                end = window.end_of_word(&mut block, end);
                let Some(&next) = bytes.get(end) else { break };
                if tables.goes_on(next, Follower::Number) {
                    break;
                }
                let short = Short::of(text, at, end, Seen::LITERALS);
                let Some(spelled) = short.and_then(|short| seen.get(&short)) else { break };
                (symbol, name) = (Symbol::NUMBER, spelled.name);
            } else {
                break;
            }
            (symbols[n], names[n], spans[n]) = (symbol, name, Span::new(offset(at), offset(end)));
            before = name;
            n += 1;
            at = end;
        }
        tokens.symbols.extend_from_slice(&symbols[..n]);
        tokens.names.extend_from_slice(&names[..n]);
        tokens.spans.extend_from_slice(&spans[..n]);
        // White space may have been passed over beyond the end of an island.
        *position = at.min(bytes.len());
        self.block = block;
    }
}
