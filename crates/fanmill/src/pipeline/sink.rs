//! Sinks: receivers of the tokens of documents as they are read.

use fanmill_text::frontend::{FrontEnd, Kind, Text};
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Token, Tokens};

/// Receives the tokens of a submission's documents in order.
pub(super) trait Sink {
    /// Begins another text: the prose and the code of a page are one each, and so are the cells of each front end.
    fn begin(&mut self, document: usize, kind: Kind);

    /// Takes the next tokens of the text, with spans in its folded form, and the front end that made them.
    fn take(&mut self, part: &Tokens, text: &Text<'_>, front_end: &dyn FrontEnd);

    /// Ends the text, and returns its number of tokens.
    fn end(&mut self, text: &Text<'_>) -> usize;
}

/// Passes on the tokens that begin in a part of the document, with a break where others lay between them.
///
/// The whole document is read, so that a line added to a comment is read as part of a comment.
pub(super) struct PartSink<'a> {
    part: &'a [Span],
    sink: &'a mut dyn Sink,
    /// Number of stretches of the part that end before the last token.
    n_behind: usize,
    /// End of the last token, in the original.
    end: u32,
    /// State after the last token: nothing handed on yet, handed on, or others passed over since.
    last: PartState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartState {
    Nothing,
    HandedOn,
    Beside,
}

impl<'a> PartSink<'a> {
    /// Creates a sink for `part`: stretches of the original, ascending and disjoint.
    pub(super) fn new(part: &'a [Span], sink: &'a mut dyn Sink) -> PartSink<'a> {
        PartSink { part, sink, n_behind: 0, end: 0, last: PartState::Nothing }
    }

    /// Returns whether a token that begins at `start` is in the part. Tokens must come in order.
    fn holds(&mut self, start: u32) -> bool {
        let behind = self.part[self.n_behind..].iter().take_while(|stretch| stretch.end <= start);
        self.n_behind += behind.count();
        self.part.get(self.n_behind).is_some_and(|stretch| stretch.start <= start)
    }
}

impl Sink for PartSink<'_> {
    fn begin(&mut self, document: usize, kind: Kind) {
        (self.n_behind, self.end, self.last) = (0, 0, PartState::Nothing);
        self.sink.begin(document, kind);
    }

    fn take(&mut self, tokens: &Tokens, text: &Text<'_>, front_end: &dyn FrontEnd) {
        let mut places = tokens.spans.clone();
        text.part_to_original(&mut self.end, &mut places);
        let mut own = Tokens::default();
        for (at, place) in places.into_iter().enumerate() {
            let span = tokens.spans[at];
            if !self.holds(place.start) {
                if self.last == PartState::HandedOn {
                    self.last = PartState::Beside;
                }
                continue;
            }
            if self.last == PartState::Beside {
                let (symbol, span) = (Symbol::BREAK, Span::new(span.start, span.start));
                own.push(Token { symbol, name: symbol, span });
            }
            own.push(Token { symbol: tokens.symbols[at], name: tokens.names[at], span });
            self.last = PartState::HandedOn;
        }
        self.sink.take(&own, text, front_end);
    }

    fn end(&mut self, text: &Text<'_>) -> usize {
        self.sink.end(text)
    }
}
