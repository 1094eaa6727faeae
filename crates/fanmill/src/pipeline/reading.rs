//! Documents read as tokens, part by part: decoded, and read by a chosen front end, as often as they are needed.
//!
//! Tokens take three to fifteen times the memory of their text, and every step looks at them once. So few are kept
//! ([`Batch`](crate::pipeline::Batch)): a step reads the other documents again, which costs about 5 ns a byte.

use std::collections::VecDeque;
use std::ops::Range;

use crate::pipeline::sink::{PartSink, Sink};
use crate::pipeline::{Config, Part};
use fanmill_text::document::{Document, Submission};
use fanmill_text::error::Result;
use fanmill_text::frontend::cells::{self, Cell, CellKind, CellText, Notation};
use fanmill_text::frontend::{
    Ballot, Certainty, Choice, ChoiceReason, Decoded, FrontEnd, GENERIC, Kind, Marks, Registry,
    Text, Words, decode, fold, ordered_for, quotations,
};
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::setting::Setting;
use fanmill_text::span::Span;
use fanmill_text::token::{Class, Columns, Stream, Tokens};

/// Reads documents with the front ends of a registry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    registry: &'a Registry,
    /// Languages that the user orders for files.
    order: Option<&'a str>,
    /// Name of the submission whose documents are read.
    submission: &'a str,
}

/// A text of a document that was read before: the whole of it, its prose or its code, or the cells of one front end.
pub(super) struct ReadText<'d> {
    pub(super) text: Text<'d>,
    /// The spans of its tokens in the folded text.
    pub(super) spans: Vec<Span>,
    /// The numbers of the first tokens of its cells: ascending.
    pub(super) cells: Vec<usize>,
}

impl<'a> Reader<'a> {
    /// Creates a reader for this configuration.
    ///
    /// # Errors
    /// If `config.fingerprints.lang` is no order of languages, or names no front end of the registry.
    pub(super) fn new(registry: &'a Registry, config: &'a Config) -> Result<Reader<'a>> {
        let order = config.fingerprints.lang.as_deref();
        order.map(|order| registry.check_order(order)).transpose()?;
        Ok(Reader { registry, order, submission: "" })
    }

    /// Creates a reader of documents that were read before, with the order of languages in the report.
    pub(super) fn again(registry: &'a Registry, order: Option<&'a str>) -> Reader<'a> {
        Reader { registry, order, submission: "" }
    }

    /// Returns a reader of the documents of this submission.
    pub(super) fn of<'s>(&self, submission: &'s Submission) -> Reader<'s>
    where
        'a: 's,
    {
        Reader { submission: &submission.name, ..*self }
    }

    /// Returns the language that the user orders for a file.
    fn ordered(&self, path: &str) -> Option<&'a str> {
        ordered_for(self.order?, self.submission, path)
    }

    /// Passes one document's tokens to `sink`; `losses` takes messages of what was lost or guessed.
    ///
    /// `known` is the choice that was made for the document before, with its batch or when it was read.
    pub(super) fn read(
        &self,
        index: usize,
        document: &Document,
        known: Option<Choice<'a>>,
        sink: &mut dyn Sink,
        losses: &mut Vec<Message>,
    ) -> Result<Part> {
        let decoded = decode(&document.bytes);
        match &document.part {
            None => self.read_decoded(index, &document.path, decoded, known, sink, losses),
            Some(part) => {
                let mut sink = PartSink::new(part, sink);
                self.read_decoded(index, &document.path, decoded, known, &mut sink, losses)
            }
        }
    }

    /// Reads a document that has been decoded, as [`read`](Self::read) does.
    fn read_decoded(
        &self,
        index: usize,
        path: &str,
        decoded: Decoded<'_>,
        known: Option<Choice<'a>>,
        sink: &mut dyn Sink,
        losses: &mut Vec<Message>,
    ) -> Result<Part> {
        let n_lines = n_lines(&decoded.text);
        // A document that was read as a whole is read so again.
        if let Some(notation) = self.notation(path).filter(|_| known.is_none()) {
            match notation.cells(&decoded) {
                Ok(Some(cells)) => {
                    let kind = (path, notation);
                    return Ok(self.read_cells(index, kind, &cells, &decoded, sink, losses));
                }
                Ok(None) => {}
                Err(reason) => losses.push(message!["{reason}; read as plain text"]),
            }
        }
        let choice = match known {
            Some(choice) => choice,
            None => self.choose(path, &decoded.text)?,
        };
        let text = Text::from_decoded(decoded, choice.front_end.folding());
        note_losses((text.encoding(), text.certainty(), text.unread()), losses);
        note_guess(choice.why, choice.front_end.name(), losses);
        let mut part = Part {
            language: choice.front_end.name(),
            chosen: choice.why,
            encoding: text.encoding(),
            marks: text.marks().clone(),
            n_lines,
            n_tokens: 0,
            spells_words: choice.front_end.spells_words(),
            front_ends: vec![named(choice.front_end)],
        };
        // Prose for people comes before the code that holds it, as a text of its own.
        if let Some(shown) = self.shown(choice.front_end, &text) {
            let words = self.words();
            part.n_tokens += push(index, words, &shown, sink);
            part.front_ends.insert(0, named(words));
            part.marks.append(shown.marks());
        }
        part.n_tokens += push(index, choice.front_end, &text, sink);
        Ok(part)
    }

    /// Returns the texts of a document that was read before; `decoded` is what it says.
    pub(super) fn texts<'d>(
        &self,
        document: &Document,
        part: &Part,
        decoded: Decoded<'d>,
    ) -> Vec<ReadText<'d>> {
        let mut collector = Collector::new(Columns::Folded);
        let texts = match &document.part {
            None => self.texts_to(&document.path, part, decoded, &mut collector),
            Some(stretches) => {
                let mut sink = PartSink::new(stretches, &mut collector);
                self.texts_to(&document.path, part, decoded, &mut sink)
            }
        };
        let stream = collector.stream;
        let texts = texts.into_iter().zip(&stream.outline.documents);
        let read = texts.map(|((text, starts), tokens)| {
            let spans = stream.tokens.spans[tokens.range.clone()].to_vec();
            let first_token =
                |&start: &usize| spans.partition_point(|span| (span.start as usize) < start);
            let cells = starts.iter().map(first_token).collect();
            ReadText { text, spans, cells }
        });
        read.collect()
    }

    /// Returns the texts of a document that was read before, and the places where their cells begin, and passes their tokens to
    /// `sink`.
    fn texts_to<'d>(
        &self,
        path: &str,
        part: &Part,
        decoded: Decoded<'d>,
        sink: &mut dyn Sink,
    ) -> Vec<(Text<'d>, Vec<usize>)> {
        if let Some(notation) = Notation::from_name(part.language) {
            let cells = notation.cells(&decoded).ok().flatten().unwrap_or_default();
            let texts = self.cell_texts((path, notation), &cells, &decoded).into_iter();
            let read = texts.map(|cells| {
                push_cells(0, &cells, sink);
                (cells.text, cells.starts)
            });
            return read.collect();
        }
        let front_end = self.registry.find(part.language).unwrap_or(self.words());
        let text = Text::from_decoded(decoded, front_end.folding());
        let shown = self.shown(front_end, &text).map(|shown| (self.words(), shown));
        let texts = shown.into_iter().chain([(front_end, text)]);
        let read = texts.map(|(front_end, text)| {
            push(0, front_end, &text, sink);
            (text, Vec::new())
        });
        read.collect()
    }

    /// Chooses the front end of a document. This comes before folding, which depends on the front end.
    fn choose(&self, path: &str, text: &str) -> Result<Choice<'a>> {
        self.registry.choose(path, &fold(beginning(text)).text, self.ordered(path))
    }

    /// Returns the vote of a document on the kind of the files with its extension; `None` if its name decides.
    pub(super) fn ballot(&self, document: &Document) -> Option<Ballot> {
        let path = &document.path;
        if self.ordered(path).is_some()
            || self.notation(path).is_some()
            || !self.registry.is_undecided(path)
        {
            return None;
        }
        let decoded = decode(first_lines(&document.bytes));
        self.registry.ballot(path, &fold(beginning(&decoded.text)).text)
    }

    /// Returns the choices for the documents of a batch that these are the votes of.
    pub(super) fn agree(&self, ballots: &[Option<Ballot>]) -> Vec<Option<Choice<'a>>> {
        self.registry.agree(ballots)
    }

    /// Returns the choice for a document that was read before; `None` for one of cells, which have their own.
    ///
    /// # Errors
    /// If the registry does not have the document's front end.
    fn known(&self, part: &Part) -> Result<Option<Choice<'a>>> {
        if Notation::from_name(part.language).is_some() {
            return Ok(None);
        }
        let front_end = self.registry.find(part.language)?;
        Ok(Some(Choice { front_end, why: part.chosen }))
    }

    /// Returns the front end for words, in the version of this registry.
    fn words(&self) -> &'a dyn FrontEnd {
        self.registry.find(Words.name()).unwrap_or(&Words)
    }

    /// Returns the prose that a document of code holds for people.
    fn shown(&self, front_end: &dyn FrontEnd, text: &Text<'_>) -> Option<Text<'static>> {
        Some(text.of_shown(front_end.shown(text.as_str())?, self.words().folding()))
    }

    /// Returns the notation of a document that is read cell by cell if it has any.
    ///
    /// A front end for prose that was forced reads documents whole, except for notebooks, whose text is not theirs.
    fn notation(&self, path: &str) -> Option<Notation> {
        let notation = Notation::from_path(path)?;
        let forced = self.ordered(path).and_then(|name| self.registry.find(name).ok());
        let is_code = forced.is_none_or(|front_end| front_end.kind() == Kind::Code);
        (notation == Notation::Notebook || is_code && self.reads_cells(notation))
            .then_some(notation)
    }

    /// Returns whether this registry's front end for the prose of a notation is of a version that gets only the prose.
    /// The recorded language says it of reports.
    fn reads_cells(&self, notation: Notation) -> bool {
        let has_cells = |notation: Notation| {
            self.registry.find(notation.prose()).is_ok_and(FrontEnd::has_cells)
        };
        notation == Notation::Report || has_cells(notation)
    }

    /// Returns the texts of the cells of a document at `path`.
    fn cell_texts(
        &self,
        (path, notation): (&str, Notation),
        cells: &[Cell],
        document: &Decoded<'_>,
    ) -> Vec<CellText<'a>> {
        let order = self.ordered(path);
        // Before there were other notations, each cell of a notebook was a text, and its language was what it said.
        if self.reads_cells(notation) {
            let unlabelled = self.front_end_of_unlabelled(cells);
            let choose = |cell: &Cell| self.front_end_of_cell((notation, order), cell, unlabelled);
            cells::join(cells, document, &choose)
        } else {
            let by_label =
                |cell: &Cell| self.registry.find_by_label(label(cell, order), cell.source());
            cells::each(cells, document, &by_label)
        }
    }

    /// Returns the front end for the code of a document in a language that it does not name: all such cells are of one
    /// language, which a short one may not show.
    fn front_end_of_unlabelled(&self, cells: &[Cell]) -> Option<&'a dyn FrontEnd> {
        let is_unlabelled = |cell: &&Cell| cell.kind == CellKind::Code && cell.language.is_none();
        let all: String = cells.iter().filter(is_unlabelled).map(Cell::source).collect();
        self.registry.find_for_code(None, &all)
    }

    /// Returns the front end that reads a cell: for its content, where a cell of a notebook is of the wrong kind.
    fn front_end_of_cell(
        &self,
        (notation, order): (Notation, Option<&str>),
        cell: &Cell,
        unlabelled: Option<&'a dyn FrontEnd>,
    ) -> &'a dyn FrontEnd {
        let (label, source) = (label(cell, order), cell.source());
        let by_label = |label| self.registry.find_by_label(label, source);
        match cell.kind {
            CellKind::Code if order.is_none() => match self.registry.find_for_code(label, source) {
                Some(found) if label.is_none() && found.name() == GENERIC => {
                    unlabelled.unwrap_or(found)
                }
                Some(found) => found,
                None => by_label(Some(notation.prose())),
            },
            CellKind::Markdown | CellKind::Raw if notation == Notation::Notebook => {
                self.registry.find_for_text(source).unwrap_or_else(|| by_label(label))
            }
            _ => by_label(label),
        }
    }

    /// Passes on the tokens of a document of cells, each read by the front end of its language.
    fn read_cells(
        &self,
        index: usize,
        (path, notation): (&str, Notation),
        cells: &[Cell],
        document: &Decoded<'_>,
        sink: &mut dyn Sink,
        losses: &mut Vec<Message>,
    ) -> Part {
        note_losses((document.encoding, document.certainty, document.unread), losses);
        let mut part = Part {
            language: notation.name(),
            chosen: ChoiceReason::Extension,
            encoding: document.encoding,
            marks: Marks::new(),
            n_lines: n_lines(&document.text),
            n_tokens: 0,
            spells_words: true,
            front_ends: Vec::new(),
        };
        for text in self.cell_texts((path, notation), cells, document) {
            part.n_tokens += push_cells(index, &text, sink);
            part.front_ends.push(named(text.front_end));
            part.marks.append(text.text.marks());
        }
        part.marks.append(&document.marks);
        part.front_ends.sort_unstable();
        part.front_ends.dedup();
        part
    }

    /// Reads some columns of the tokens of documents that were read before.
    ///
    /// # Panics
    /// If `parts` are not those of these documents.
    pub(super) fn stream(
        &self,
        documents: &[Document],
        parts: &[Part],
        columns: Columns,
    ) -> Stream {
        let mut sink = Collector::new(columns);
        for (index, (document, part)) in documents.iter().zip(parts).enumerate() {
            self.known(part)
                .and_then(|known| self.read(index, document, known, &mut sink, &mut Vec::new()))
                .expect("what was read once can be read again");
        }
        sink.stream
    }

    /// Returns the tokens in quotations, for each text of documents that were read before: ascending and disjoint,
    /// counted from the first token of the text.
    ///
    /// # Panics
    /// If `parts` are not those of these documents.
    pub(super) fn quoted(&self, documents: &[Document], parts: &[Part]) -> Vec<Vec<Range<usize>>> {
        let mut sink = QuotationMarker::default();
        for (index, (document, part)) in documents.iter().zip(parts).enumerate() {
            self.known(part)
                .and_then(|known| self.read(index, document, known, &mut sink, &mut Vec::new()))
                .expect("what was read once can be read again");
        }
        sink.texts
    }

    /// Passes on the tokens of one document that was read before; see [`Comparison::tokens`].
    ///
    /// # Errors
    /// If the registry does not have the document's front end.
    ///
    /// [`Comparison::tokens`]: crate::pipeline::Comparison::tokens
    pub(super) fn tokens(
        &self,
        path: &str,
        decoded: &Decoded<'_>,
        part: &Part,
        take: &mut dyn FnMut(Class, Span),
    ) -> Result<()> {
        let known = self.known(part)?;
        let read = |take: &mut dyn FnMut(Class, Span)| {
            let mut sink = TokenVisitor { take, n_tokens: 0, spans: Vec::new(), end: 0 };
            let (decoded, mut losses) = (decoded.as_borrowed(), Vec::new());
            self.read_decoded(0, path, decoded, known, &mut sink, &mut losses).map(drop)
        };
        // Prose and code of a document alternate.
        if part.front_ends.len() < 2 {
            return read(take);
        }
        let mut all = Vec::with_capacity(part.n_tokens);
        read(&mut |class, span| all.push((span, class)))?;
        all.sort_by_key(|&(span, _)| (span.start, span.end));
        // The span of a word that a tag cuts contains that tag.
        let mut end = 0;
        for (span, class) in all {
            if span.start >= end {
                take(class, span);
                end = span.end;
            }
        }
        Ok(())
    }
}

/// Returns the language of a cell: by order, which is for code, or as the document says.
fn label<'c>(cell: &'c Cell, order: Option<&'c str>) -> Option<&'c str> {
    match cell.kind {
        CellKind::Code => order.or(cell.language.as_deref()),
        CellKind::Markdown => Some("markdown"),
        CellKind::Latex => Some("latex"),
        CellKind::Raw => Some(Words.name()),
    }
}

/// Number of bytes from a text's beginning that are folded for the choice: more than a registry looks at.
const BEGINNING: usize = 64 << 10;

/// Returns the beginning of a text.
fn beginning(text: &str) -> &str {
    let end = (0..=BEGINNING.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// Returns the first lines of a document: more than its beginning, and all of it if lines are longer than that.
fn first_lines(bytes: &[u8]) -> &[u8] {
    let most = 4 * BEGINNING;
    let end = bytes.get(..most).and_then(|most| memchr::memrchr(b'\n', most));
    end.map_or(bytes, |end| &bytes[..=end])
}

/// Passes on the tokens of cells, and returns their number.
fn push_cells(index: usize, cells: &CellText<'_>, sink: &mut dyn Sink) -> usize {
    let CellText { front_end, text, pieces, .. } = cells;
    sink.begin(index, front_end.kind());
    let mut part = Tokens::default();
    for piece in pieces {
        let start = piece.start as u32;
        let source = &text.as_str()[piece.clone()];
        front_end.tokenize_in_parts(source, &mut part, &mut |part| {
            for span in &mut part.spans {
                *span = Span::new(span.start + start, span.end + start);
            }
            sink.take(part, text, *front_end);
        });
    }
    sink.end(text)
}

/// Passes on the tokens of one text, and returns their number.
fn push(index: usize, front_end: &dyn FrontEnd, text: &Text<'_>, sink: &mut dyn Sink) -> usize {
    sink.begin(index, front_end.kind());
    let mut part = Tokens::default();
    front_end.tokenize_in_parts(text.as_str(), &mut part, &mut |part| {
        sink.take(part, text, front_end);
    });
    sink.end(text)
}

/// Collects tokens in a stream.
pub(super) struct Collector {
    pub(super) stream: Stream,
    /// Document and kind of the current text.
    text: (usize, Kind),
}

impl Collector {
    /// Creates a collector of some columns of the tokens.
    pub(super) fn new(columns: Columns) -> Collector {
        Collector { stream: Stream::from_columns(columns), text: (0, Kind::Code) }
    }
}

impl Sink for Collector {
    fn begin(&mut self, document: usize, kind: Kind) {
        self.text = (document, kind);
        self.stream.begin();
    }

    fn take(&mut self, part: &Tokens, _: &Text<'_>, _: &dyn FrontEnd) {
        self.stream.append(part);
    }

    fn end(&mut self, text: &Text<'_>) -> usize {
        let (document, kind) = self.text;
        self.stream.end(document, kind, |spans| text.spans_to_original(spans))
    }
}

/// Notes which tokens of prose are in quotations, and keeps no tokens.
#[derive(Default)]
struct QuotationMarker {
    /// For each text, its tokens in quotations.
    texts: Vec<Vec<Range<usize>>>,
    is_prose: bool,
    /// Number of tokens of the current text.
    n_tokens: usize,
    /// Ranges between quotation marks that the next tokens can still be in; `None` before the first token.
    quotations: Option<VecDeque<Range<usize>>>,
    /// Number of stretches quoted by markup that end before the last token.
    n_behind: usize,
    /// End of the last token, in the original.
    end: u32,
}

impl QuotationMarker {
    /// Returns, for each of the next tokens, whether it is in a quotation.
    fn are_quoted(&mut self, tokens: &Tokens, text: &Text<'_>) -> Vec<bool> {
        let quotations =
            self.quotations.get_or_insert_with(|| VecDeque::from(quotations(text.as_str())));
        let in_marks = tokens.spans.iter().map(|span| {
            let start = span.range().start;
            while quotations.front().is_some_and(|quotation| quotation.end <= start) {
                quotations.pop_front();
            }
            quotations.front().is_some_and(|quotation| quotation.start <= start)
        });
        let mut are_quoted: Vec<bool> = in_marks.collect();
        if text.quoted().is_empty() {
            return are_quoted;
        }
        let mut spans = tokens.spans.clone();
        text.part_to_original(&mut self.end, &mut spans);
        for (is_quoted, span) in are_quoted.iter_mut().zip(spans) {
            let behind =
                text.quoted()[self.n_behind..].iter().take_while(|quoted| quoted.end <= span.start);
            self.n_behind += behind.count();
            let next = text.quoted().get(self.n_behind);
            *is_quoted |= next.is_some_and(|quoted| quoted.start <= span.start);
        }
        are_quoted
    }
}

impl Sink for QuotationMarker {
    fn begin(&mut self, _: usize, kind: Kind) {
        self.texts.push(Vec::new());
        let texts = std::mem::take(&mut self.texts);
        *self =
            QuotationMarker { texts, is_prose: kind == Kind::Words, ..QuotationMarker::default() };
    }

    fn take(&mut self, part: &Tokens, text: &Text<'_>, _: &dyn FrontEnd) {
        let first = self.n_tokens;
        self.n_tokens += part.len();
        if !self.is_prose {
            return;
        }
        let are_quoted = self.are_quoted(part, text);
        let Some(quoted) = self.texts.last_mut() else { return };
        for (token, _) in (first..).zip(are_quoted).filter(|&(_, is_quoted)| is_quoted) {
            match quoted.last_mut() {
                Some(last) if last.end == token => last.end = token + 1,
                _ => quoted.push(token..token + 1),
            }
        }
    }

    fn end(&mut self, _: &Text<'_>) -> usize {
        self.n_tokens
    }
}

/// Passes on the class and the place of each token, and keeps no tokens.
struct TokenVisitor<'a> {
    take: &'a mut dyn FnMut(Class, Span),
    /// Number of tokens of the current text.
    n_tokens: usize,
    /// Spans of the last part's tokens, in the original.
    spans: Vec<Span>,
    /// End of the last token, in the original.
    end: u32,
}

impl Sink for TokenVisitor<'_> {
    fn begin(&mut self, _: usize, _: Kind) {
        (self.n_tokens, self.end) = (0, 0);
    }

    fn take(&mut self, part: &Tokens, text: &Text<'_>, front_end: &dyn FrontEnd) {
        self.spans.clone_from(&part.spans);
        text.part_to_original(&mut self.end, &mut self.spans);
        self.n_tokens += part.len();
        for (&symbol, &span) in part.symbols.iter().zip(&self.spans) {
            (self.take)(front_end.class(symbol), span);
        }
    }

    fn end(&mut self, _: &Text<'_>) -> usize {
        self.n_tokens
    }
}

/// Counts the lines of a decoded document as people see it: as many as the report numbers.
fn n_lines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64 + 1
}

/// Returns kind, name and version of a front end.
fn named(front_end: &dyn FrontEnd) -> (Kind, &'static str, u32) {
    (front_end.kind(), front_end.name(), front_end.version())
}

/// Appends messages of what was guessed or lost in decoding a document: its encoding, the certainty of that, and the
/// number of bytes that were not read.
fn note_losses((encoding, certainty, unread): (&str, Certainty, usize), losses: &mut Vec<Message>) {
    if certainty == Certainty::Guess {
        losses
            .push(message![("its encoding is a guess: {}; save it as UTF-8 to be sure", encoding)]);
    }
    if unread > 0 {
        losses.push(message![(
            "its last {} bytes were not read: it is over 4 GiB; split it",
            unread
        )]);
    }
}

/// Appends a message if the front end of a document is a guess.
fn note_guess(why: ChoiceReason, language: &str, losses: &mut Vec<Message>) {
    if why.is_fallback() {
        losses.push(message![
            ("read as {language} {}; use ", why.reason()),
            Setting("lang"),
            " to say what it is"
        ]);
    }
}
