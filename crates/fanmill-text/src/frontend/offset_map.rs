//! The way back from a derived text to the text it was made from.
//!
//! Decoding, unescaping and folding each turn one text (the *input*) into another (the *output*). For every byte of the
//! output, an [`OffsetMap`] gives the bytes of the input that it came from. It is stored as runs of equal strides: a
//! run is a row of *units*, each `out_unit` bytes of output made from `in_unit` bytes of input. ASCII in UTF-16 is one
//! run of 1 from 2; copied text is one run of 1 from 1; the identity has no run at all.
//!
//! Two maps are composed by applying them one after another.
//!
//! Cost: 16 bytes per run; building is O(1) per unit; mapping n ascending spans is O(n + runs).

use crate::span::Span;

/// Maps byte offsets of an output text to byte offsets of its input text.
///
/// Both texts are below 4 GiB. Mapped offsets never descend if the given offsets do not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OffsetMap {
    /// Ascending by `out_start`; together they cover the whole output. May be empty.
    runs: Vec<Run>,
    /// Length of the output so far, in bytes.
    out_len: u32,
    /// Length of the input so far, in bytes.
    in_len: u32,
    /// End of the last run's last unit in the input; below `in_len` after a skip.
    run_end: u32,
}

/// Consecutive units of the same size; their number follows from the next run, or the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    out_start: u32,
    in_start: u32,
    out_unit: u32,
    in_unit: u32,
}

impl Run {
    /// Returns the number of the unit that holds the output byte `offset`.
    fn unit(self, offset: u32) -> u32 {
        if self.out_unit == 1 {
            offset - self.out_start
        } else {
            (offset - self.out_start) / self.out_unit
        }
    }

    /// Returns the start in the input of the unit that holds the output byte `offset`.
    fn start_of(self, offset: u32) -> u32 {
        self.in_start + self.unit(offset) * self.in_unit
    }

    /// Returns the end in the input of the unit that holds the output byte `offset`.
    fn end_of(self, offset: u32) -> u32 {
        self.start_of(offset) + self.in_unit
    }
}

impl OffsetMap {
    /// Creates the map of an empty text, to be built with [`copy`](Self::copy), [`unit`](Self::unit) and
    /// [`skip`](Self::skip) in the order of the text.
    pub fn new() -> OffsetMap {
        OffsetMap::default()
    }

    /// Creates the map of a text of `bytes` bytes to itself, which takes no memory.
    pub fn identity(bytes: usize) -> OffsetMap {
        let len = narrow(bytes);
        OffsetMap { runs: Vec::new(), out_len: len, in_len: len, run_end: 0 }
    }

    /// Returns whether every offset maps to itself.
    pub fn is_identity(&self) -> bool {
        let copied = match self.runs[..] {
            [] => true,
            [only] => (only.in_start, only.out_unit, only.in_unit) == (0, 1, 1),
            _ => false,
        };
        copied && self.out_len == self.in_len
    }

    /// Notes that the next `bytes` bytes of the output are the next bytes of the input, unchanged.
    pub fn copy(&mut self, bytes: usize) {
        self.push(1, 1, narrow(bytes));
    }

    /// Notes that the next `out` bytes of the output come from the next `input` bytes of the input, as a whole. Without
    /// output, the input is skipped.
    pub fn unit(&mut self, out: usize, input: usize) {
        if out == 0 {
            self.skip(input);
        } else {
            self.push(narrow(out), narrow(input), 1);
        }
    }

    /// Notes that the next `bytes` bytes of the input left nothing in the output.
    pub fn skip(&mut self, bytes: usize) {
        self.in_len += narrow(bytes);
    }

    /// Appends the map of a text that follows, made from a later part of the same input: from `next`'s first unit on.
    pub(super) fn append(&mut self, next: &OffsetMap) {
        debug_assert!(next.runs.first().is_none_or(|run| run.in_start >= self.run_end));
        let out_start = |run: &Run| self.out_len + run.out_start;
        self.runs.extend(next.runs.iter().map(|run| Run { out_start: out_start(run), ..*run }));
        self.out_len += next.out_len;
        self.in_len = self.in_len.max(next.in_len);
        self.run_end = self.run_end.max(next.run_end);
    }

    /// Returns the first byte of the input that something in the output came from; 0 if nothing did.
    pub(super) fn first_in(&self) -> usize {
        self.runs.first().map_or(0, |run| run.in_start as usize)
    }

    /// Returns the length of the output in bytes.
    pub fn out_len(&self) -> usize {
        self.out_len as usize
    }

    /// Returns the length of the input in bytes.
    pub fn in_len(&self) -> usize {
        self.in_len as usize
    }

    fn push(&mut self, out_unit: u32, in_unit: u32, count: u32) {
        debug_assert!(out_unit > 0 && in_unit > 0, "a unit of {out_unit} bytes from {in_unit}");
        if count == 0 {
            return;
        }
        let continues = self.run_end == self.in_len
            && self
                .runs
                .last()
                .is_some_and(|run| (run.out_unit, run.in_unit) == (out_unit, in_unit));
        if !continues {
            self.runs.push(Run {
                out_start: self.out_len,
                in_start: self.in_len,
                out_unit,
                in_unit,
            });
        }
        self.out_len += out_unit * count;
        self.in_len += in_unit * count;
        self.run_end = self.in_len;
    }

    /// Returns the bytes of the input that `span` came from: from the start of the unit that holds its first byte to
    /// the end of the unit that holds its last. An empty span stays empty; offsets past the end map to the end.
    pub fn map_span(&self, span: Span) -> Span {
        if self.is_identity() {
            return span;
        }
        let first = self.run_of(span.start);
        let last = if span.is_empty() { first } else { self.run_of(span.end - 1) };
        self.map_within(span, first, last)
    }

    /// Maps every span, as [`map_span`](Self::map_span) does. Linear if the spans ascend; a span that starts before the
    /// previous one costs a binary search.
    pub fn map_spans(&self, spans: &mut [Span]) {
        if self.is_identity() {
            return;
        }
        let mut run = 0;
        for span in spans {
            if self.runs.get(run).is_none_or(|run| span.start < run.out_start) {
                run = self.run_of(span.start);
            }
            run = self.advance(run, span.start);
            let last = self.advance(run, span.end.max(span.start + 1) - 1);
            *span = self.map_within(*span, run, last);
            run = last;
        }
    }

    /// Returns the index of the run that holds the output byte `offset`, from `run` on.
    fn advance(&self, mut run: usize, offset: u32) -> usize {
        while self.runs.get(run + 1).is_some_and(|next| next.out_start <= offset) {
            run += 1;
        }
        run
    }

    /// Returns the index of the run that holds the output byte `offset`; of the last one for offsets past the end.
    fn run_of(&self, offset: u32) -> usize {
        self.runs.partition_point(|run| run.out_start <= offset).saturating_sub(1)
    }

    /// Maps `span`, whose first byte is in run `first` and whose last byte is in run `last`.
    fn map_within(&self, span: Span, first: usize, last: usize) -> Span {
        let start = match self.runs.get(first) {
            Some(run) if span.start < self.out_len => run.start_of(span.start),
            _ => self.in_len,
        };
        if span.is_empty() {
            return Span::new(start, start);
        }
        let end = match self.runs.get(last) {
            Some(run) if span.end <= self.out_len => run.end_of(span.end - 1),
            _ => self.in_len,
        };
        Span::new(start, end.max(start))
    }
}

/// Converts a byte count to 32 bits. Documents are cut before they reach 4 GiB
/// ([`MAX_BYTES`](super::decode::MAX_BYTES)), so nothing is ever lost here.
pub(super) fn narrow(bytes: usize) -> u32 {
    debug_assert!(u32::try_from(bytes).is_ok(), "{bytes} bytes do not fit in 32 bits");
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Piece {
        Copy(usize),
        Unit(usize, usize),
        Skip(usize),
    }

    fn piece() -> impl Strategy<Value = Piece> {
        prop_oneof![
            (1..6usize).prop_map(Piece::Copy),
            (1..5usize, 1..5usize).prop_map(|(out, input)| Piece::Unit(out, input)),
            (1..4usize).prop_map(Piece::Skip),
        ]
    }

    /// Returns the map, and for each byte of the output the unit of the input that it came from.
    fn build(pieces: &[Piece]) -> (OffsetMap, Vec<Span>) {
        let (mut map, mut naive, mut at) = (OffsetMap::new(), Vec::new(), 0);
        for piece in pieces {
            match *piece {
                Piece::Copy(n) => {
                    map.copy(n);
                    naive.extend((0..n).map(|i| Span::new(narrow(at + i), narrow(at + i + 1))));
                    at += n;
                }
                Piece::Unit(out, input) => {
                    map.unit(out, input);
                    naive.extend((0..out).map(|_| Span::new(narrow(at), narrow(at + input))));
                    at += input;
                }
                Piece::Skip(n) => {
                    map.skip(n);
                    at += n;
                }
            }
        }
        (map, naive)
    }

    #[test]
    fn utf_16_ascii_is_one_run_and_identity_none() {
        let mut map = OffsetMap::new();
        map.skip(2);
        for _ in 0..1000 {
            map.unit(1, 2);
        }
        assert_eq!(map.runs.len(), 1);
        assert_eq!(map.map_span(Span::new(3, 5)), Span::new(8, 12));
        assert!(OffsetMap::identity(9).is_identity());
        assert!(OffsetMap::identity(9).runs.is_empty());
    }

    #[test]
    fn a_text_of_which_nothing_is_left_maps_to_its_end() {
        let mut map = OffsetMap::new();
        map.skip(7);
        assert_eq!(map.map_span(Span::new(0, 0)), Span::new(7, 7));
    }

    proptest! {
        #[test]
        fn maps_as_the_naive_table_does(pieces in prop::collection::vec(piece(), 0..30), cuts in prop::collection::vec(0..200usize, 0..20)) {
            let (map, naive) = build(&pieces);
            prop_assert_eq!(map.out_len(), naive.len());
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|&cut| cut <= naive.len()).collect();
            cuts.sort_unstable();
            cuts.dedup();
            let mut spans: Vec<Span> = cuts.windows(2).map(|pair| Span::new(narrow(pair[0]), narrow(pair[1]))).collect();
            let want: Vec<Span> = spans.iter().map(|span| naive[span.start as usize].join(naive[span.end as usize - 1])).collect();
            let one_by_one: Vec<Span> = spans.iter().map(|&span| map.map_span(span)).collect();
            map.map_spans(&mut spans);
            prop_assert_eq!(&one_by_one, &want);
            prop_assert_eq!(&spans, &want);
        }

        #[test]
        fn an_appended_map_is_that_of_both_texts(pieces in prop::collection::vec(piece(), 0..20), cut in 0..20usize) {
            let (whole, naive) = build(&pieces);
            let (mut first, _) = build(&pieces[..cut.min(pieces.len())]);
            let mut next = OffsetMap::new();
            next.skip(first.in_len());
            for piece in pieces.iter().skip(cut) {
                match *piece {
                    Piece::Copy(n) => next.copy(n),
                    Piece::Unit(out, input) => next.unit(out, input),
                    Piece::Skip(n) => next.skip(n),
                }
            }
            first.append(&next);
            prop_assert_eq!((first.out_len(), first.in_len()), (whole.out_len(), whole.in_len()));
            for (at, &want) in naive.iter().enumerate() {
                prop_assert_eq!(first.map_span(Span::new(narrow(at), narrow(at + 1))), want);
            }
        }
    }
}
