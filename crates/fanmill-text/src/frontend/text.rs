//! A document's text as front ends see it, and the way back to its bytes.

use std::borrow::Cow;
use std::sync::Arc;

use super::decode::decode;
use super::decoded::{Certainty, Decoded};
use super::fold::{Folded, Folding};
use super::marks::Marks;
use super::offset_map::{OffsetMap, narrow};
use super::shown::VisibleProse;
use crate::span::Span;
use crate::token::Tokens;

/// Ends a part of a text, such as a message of a conversation: no shingle crosses it. It is ASCII's record separator.
pub const SEPARATOR: char = '\u{1E}';
/// Joins the parts of a text: a [`SEPARATOR`] in a line of its own.
pub const JOINT: &str = "\n\u{1E}\n";

/// A document, decoded and folded.
///
/// Front ends read [`as_str`](Text::as_str); [`to_original`](Text::to_original) then moves their
/// spans to the document's bytes. ASCII is neither copied nor mapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    folded: Cow<'a, str>,
    /// Maps from `folded` back to the bytes, step by step; none is an identity.
    maps: Vec<Arc<OffsetMap>>,
    marks: Marks,
    /// Bytes of the document that its markup quotes: ascending.
    quoted: Vec<Span>,
    encoding: &'static str,
    certainty: Certainty,
    unread: usize,
}

impl<'a> Text<'a> {
    /// Decodes a document, whatever its bytes are, and removes disguises.
    pub fn new(bytes: &'a [u8]) -> Text<'a> {
        Text::folded(bytes, Folding::Disguises)
    }

    /// Decodes and folds a document, whatever its bytes are.
    pub fn folded(bytes: &'a [u8], folding: Folding) -> Text<'a> {
        Text::from_decoded(decode(bytes), folding)
    }

    /// Folds a decoded document.
    pub fn from_decoded(decoded: Decoded<'a>, folding: Folding) -> Text<'a> {
        let (text, maps, mut marks) = match decoded.text {
            Cow::Borrowed(text) => into_parts(folding.of(text)),
            Cow::Owned(text) => {
                let Folded { text: folded, maps, marks } = folding.of(&text);
                let changed = match folded {
                    Cow::Borrowed(_) => None,
                    Cow::Owned(folded) => Some(folded),
                };
                (Cow::Owned(changed.unwrap_or(text)), maps, marks)
            }
        };
        let mut maps: Vec<_> = maps.into_iter().map(Arc::new).collect();
        marks.map_back(&decoded.map);
        marks.append(&decoded.marks);
        if !decoded.map.is_identity() {
            maps.push(Arc::new(decoded.map));
        }
        let Decoded { encoding, certainty, unread, .. } = decoded;
        Text { folded: text, maps, marks, quoted: Vec::new(), encoding, certainty, unread }
    }

    /// Folds a part of a decoded document, such as all of its code in one language. `cut` maps the part to the
    /// document's text.
    ///
    /// `whole` has the document's encoding, and the map from its text to its bytes. Each of `places`, which are bytes of
    /// the part and ascend, is moved to the folded text.
    pub(super) fn from_part(
        part: &str,
        cut: OffsetMap,
        whole: &DocumentDecoding,
        folding: Folding,
        places: &mut [usize],
    ) -> Text<'static> {
        let Folded { text, maps, mut marks } = folding.of(part);
        move_to_output(&text, &maps, places);
        marks.map_back(&cut);
        marks.map_back(&whole.map);
        let way = maps.into_iter().chain([cut]).filter(|map| !map.is_identity()).map(Arc::new);
        let rest = Some(Arc::clone(&whole.map)).filter(|map| !map.is_identity());
        Text {
            folded: Cow::Owned(text.into_owned()),
            maps: way.chain(rest).collect(),
            marks,
            quoted: Vec::new(),
            encoding: whole.encoding,
            certainty: whole.certainty,
            unread: 0,
        }
    }

    /// Folds the prose that this text holds for people.
    pub fn of_shown(&self, shown: VisibleProse, folding: Folding) -> Text<'static> {
        let VisibleProse { text, way, quoted } = shown;
        let mut quoted: Vec<Span> = quoted
            .into_iter()
            .map(|range| way.map_span(Span::new(range.start as u32, range.end as u32)))
            .collect();
        self.spans_to_original(&mut quoted);
        let Folded { text, maps, mut marks } = folding.of(&text);
        marks.map_back(&way);
        for map in &self.maps {
            marks.map_back(map);
        }
        let maps = maps.into_iter().chain([way]).filter(|map| !map.is_identity()).map(Arc::new);
        Text {
            folded: Cow::Owned(text.into_owned()),
            maps: maps.chain(self.maps.iter().cloned()).collect(),
            marks,
            quoted,
            encoding: self.encoding,
            certainty: self.certainty,
            unread: 0,
        }
    }

    /// Returns the folded text.
    pub fn as_str(&self) -> &str {
        &self.folded
    }

    /// Returns the marks that were noted on the way, each at its place in the original bytes.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Returns the bytes of the document that its markup quotes: ascending. Quotation marks are not markup.
    pub fn quoted(&self) -> &[Span] {
        &self.quoted
    }

    /// Returns the name of the encoding: `UTF-8`, `windows-1252`.
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// Returns the evidence for the encoding.
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Returns the number of bytes at the document's end that were not read because it is too long; nearly always 0.
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// Moves the tokens' spans from the folded text to the original bytes.
    ///
    /// Ascending spans remain ascending: neither starts nor ends ever go back, and no span becomes empty. They overlap
    /// only where one original character holds parts of several tokens (`ﬁ` as the characters `f` and `i`): each token
    /// then has at least that character's span, and a token that also holds later characters starts after it.
    pub fn to_original(&self, tokens: &mut Tokens) {
        self.spans_to_original(&mut tokens.spans);
    }

    /// Returns the original bytes of consecutive tokens, at least one, given the token `before` them: from the first to
    /// the last of the spans that [`to_original`](Text::to_original) makes.
    pub fn run_to_original(&self, before: Option<Span>, run: &[Span]) -> Span {
        let back = |span: Span| self.maps.iter().fold(span, |span, map| map.map_span(span));
        let (first, end) = (back(run[0]), back(run[run.len() - 1]).end);
        let taken = before.map_or(0, |before| back(before).end);
        let start = if first.start < taken && taken < first.end { taken } else { first.start };
        Span::new(start, end)
    }

    /// Returns the number of bytes of memory that the text takes besides the document.
    pub fn n_owned(&self) -> usize {
        match &self.folded {
            Cow::Borrowed(_) => 0,
            Cow::Owned(folded) => folded.len(),
        }
    }

    /// Moves ascending spans, as [`to_original`](Text::to_original) does.
    pub fn spans_to_original(&self, spans: &mut [Span]) {
        self.part_to_original(&mut 0, spans);
    }

    /// Moves the spans of one part; `end` is the end of the spans of the parts before it, 0 at first.
    pub fn part_to_original(&self, end: &mut u32, spans: &mut [Span]) {
        if self.maps.is_empty() {
            return;
        }
        for map in &self.maps {
            map.map_spans(spans);
        }
        for span in spans {
            if span.start < *end && *end < span.end {
                span.start = *end;
            }
            *end = span.end.max(*end);
        }
    }
}

/// The data that all parts of a document share.
#[derive(Debug)]
pub(super) struct DocumentDecoding {
    pub(super) map: Arc<OffsetMap>,
    pub(super) encoding: &'static str,
    pub(super) certainty: Certainty,
}

/// Moves each of `places` from the input of the last of `maps` to `text`, the output of the first: to the first character
/// that came from there or from a later place.
fn move_to_output(text: &str, maps: &[OffsetMap], places: &mut [usize]) {
    let way_back = |at: u32| {
        maps.iter().fold(Span::new(at, at), |span, map| map.map_span(span)).start as usize
    };
    for place in places.iter_mut().filter(|_| !maps.is_empty()) {
        let (mut low, mut high) = (0, text.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if way_back(narrow(middle)) < *place { low = middle + 1 } else { high = middle }
        }
        *place = (low..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    }
}

fn into_parts(folded: Folded<'_>) -> (Cow<'_, str>, Vec<OffsetMap>, Marks) {
    (folded.text, folded.maps, folded.marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Mark;
    use proptest::prelude::*;

    /// Returns the spans of all characters of the folded text, in the original.
    fn char_spans(text: &Text<'_>) -> Vec<Span> {
        let mut spans: Vec<Span> = text
            .as_str()
            .char_indices()
            .map(|(at, c)| Span::new(narrow(at), narrow(at + c.len_utf8())))
            .collect();
        text.spans_to_original(&mut spans);
        spans
    }

    #[test]
    fn ascii_is_borrowed() {
        let text = Text::new(b"int x;\r\n");
        assert!(matches!(text.folded, Cow::Borrowed("int x;\r\n")));
        assert!(text.maps.is_empty() && text.marks().is_empty());
        assert_eq!(
            (text.encoding(), text.certainty(), text.unread()),
            ("UTF-8", Certainty::Valid, 0)
        );
    }

    #[test]
    fn spans_lead_through_folding_and_decoding() {
        let source = "\u{FEFF}wo\u{200B}rd ﬁne";
        let bytes: Vec<u8> = source.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let text = Text::new(&bytes);
        assert_eq!(text.as_str(), "word fine");
        let mut spans = [Span::new(0, 4), Span::new(5, 9)];
        text.spans_to_original(&mut spans);
        assert_eq!(spans, [Span::new(2, 12), Span::new(14, 20)]);
        assert_eq!(text.marks().get(Mark::Invisible).first, [Span::new(6, 8)]);
    }

    #[test]
    fn a_ligature_is_shared_by_its_letters() {
        let text = Text::new("aﬁb".as_bytes());
        assert_eq!(
            char_spans(&text),
            [Span::new(0, 1), Span::new(1, 4), Span::new(1, 4), Span::new(4, 5)]
        );
        let mut spans = [Span::new(0, 2), Span::new(2, 4)];
        text.spans_to_original(&mut spans);
        assert_eq!(spans, [Span::new(0, 4), Span::new(4, 5)]);
    }

    proptest! {
        #[test]
        fn a_run_has_the_bytes_of_its_tokens(
            source in "[ -~]{0,9}[А-Яа-яЁёé–“½ﬁ㏂𝐚-𝐳\u{200B}]{0,9}[ -~]{0,9}",
            is_wide in any::<bool>(),
            lens in prop::collection::vec(1_usize..4, 1..30),
        ) {
            let encode = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let bytes: Vec<u8> = if is_wide { encode(&format!("\u{FEFF}{source}")) } else { source.into_bytes() };
            let text = Text::new(&bytes);
            // Tokens of one to three characters, one after another.
            let mut starts: Vec<usize> = text.as_str().char_indices().map(|(at, _)| at).collect();
            starts.push(text.as_str().len());
            let cuts = lens.iter().scan(0, |at, len| Some(std::mem::replace(at, *at + len)));
            let cuts: Vec<u32> = cuts.filter_map(|cut| starts.get(cut)).map(|&at| narrow(at)).collect();
            let folded: Vec<Span> = cuts.windows(2).map(|cut| Span::new(cut[0], cut[1])).collect();
            let mut placed = folded.clone();
            text.spans_to_original(&mut placed);
            for start in 0..folded.len() {
                for end in start + 1..=folded.len() {
                    let before = start.checked_sub(1).map(|before| folded[before]);
                    let found = text.run_to_original(before, &folded[start..end]);
                    prop_assert_eq!(found, placed[start].join(placed[end - 1]));
                }
            }
        }

        #[test]
        fn spans_ascend_within_bounds_whatever_the_bytes(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let text = Text::new(&bytes);
            let spans = char_spans(&text);
            for span in &spans {
                prop_assert!(!span.is_empty() && bytes.get(span.range()).is_some());
            }
            for pair in spans.windows(2) {
                prop_assert!(pair[0].start <= pair[1].start && pair[0].end <= pair[1].end);
                prop_assert!(pair[0].end <= pair[1].start || pair[0].end == pair[1].end);
            }
            for (_, found) in text.marks().iter() {
                prop_assert!(found.first.iter().all(|span| bytes.get(span.range()).is_some()));
            }
        }

        #[test]
        fn the_encoding_does_not_matter(source in "[ -~]{1,20}[А-Яа-яЁёé–“ﬁ𝐚-𝐳]{0,20}[ -~]{1,20}") {
            let want = Text::new(source.as_bytes());
            for big in [false, true] {
                let bytes: Vec<u8> = format!("\u{FEFF}{source}")
                    .encode_utf16()
                    .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                    .collect();
                let text = Text::new(&bytes);
                prop_assert_eq!(text.as_str(), want.as_str());
                for (mark, found) in want.marks().iter() {
                    prop_assert_eq!(text.marks().count(mark), found.count);
                }
            }
        }
    }
}
