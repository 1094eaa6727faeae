//! Readings of one message: the texts that different mail programs show.
//!
//! A mail program shows one of the parts of a `multipart/alternative`: according to RFC 2046 the last one that it can
//! show. For most programs this is the HTML, for some the plain text, and for a few a type that the others do not know.
//! A sender who wants to hide puts another text before or after the one that readers see. So a message has several
//! *readings*. The first is what most programs show; with the others, each alternative is in at least one reading:
//!
//! | reading | choice from each group of alternatives |
//! |---|---|
//! | the first | the last HTML or plain text that is not empty; if there is none, the last of any type that is not empty |
//! | with HTML, with plain text | the last one of this type, which a program that prefers this type shows |
//! | the second, third, … | the first one, then the rest from last to first, rare types last; if too few, as in the first reading |
//!
//! A group inside a group contributes all its readings. A part that is read in several ways is a group of these
//! readings.
//!
//! Cost: O(n) for each of at most [`MAX_READINGS`] readings; text that several have in common is in memory once.
//! Source: RFC 2046, §5.1.4.

use crate::remark::{Remark, Remarks};
use crate::visible::has_same_words;

use super::words::WordSet;

/// Maximum number of readings of a message; each is compared separately.
pub const MAX_READINGS: usize = 12;

/// Share of mail programs that show a part, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Prevalence {
    /// Shown by none: it is not text.
    #[default]
    Never,
    /// Shown by few, or as an attachment: a type of text other than HTML and plain text.
    Seldom,
    Plain,
    Html,
}

/// The pieces of a message's text, and the readings that they form.
#[derive(Debug, Default)]
pub(super) struct Readings {
    pieces: Vec<String>,
    /// The text outside all alternatives.
    root: Sequence,
    /// The open groups of alternatives, the innermost last.
    groups: Vec<Group>,
    /// Number of alternatives that are not in any reading.
    n_left_out: usize,
}

/// Numbers of pieces, in the order of the text.
type Pieces = Vec<usize>;

/// The readings of consecutive parts.
#[derive(Debug)]
struct Sequence {
    /// Never empty; the first reading is what most programs show.
    numbered: Vec<Pieces>,
    with_html: Pieces,
    with_plain: Pieces,
    shown: Prevalence,
    /// Bytes of the longest reading.
    bytes: usize,
}

/// A group of alternatives.
#[derive(Debug, Default)]
struct Group {
    finished: Vec<Sequence>,
    /// The alternative that is being read.
    current: Option<Sequence>,
}

impl Default for Sequence {
    fn default() -> Sequence {
        Sequence {
            numbered: vec![Pieces::new()],
            with_html: Pieces::new(),
            with_plain: Pieces::new(),
            shown: Prevalence::Never,
            bytes: 0,
        }
    }
}

impl Sequence {
    /// Returns whether most programs show nothing of it.
    fn is_empty(&self) -> bool {
        self.numbered[0].is_empty()
    }

    fn push(&mut self, piece: usize, bytes: usize) {
        let all = self.numbered.iter_mut().chain([&mut self.with_html, &mut self.with_plain]);
        all.for_each(|pieces| pieces.push(piece));
        self.bytes += bytes;
    }

    /// Appends the readings of the parts that follow, each to the reading with the same number. Where one side has
    /// fewer readings, its first is used.
    fn append(&mut self, next: &Sequence) {
        while self.numbered.len() < next.numbered.len() {
            self.numbered.push(self.numbered[0].clone());
        }
        for (number, pieces) in self.numbered.iter_mut().enumerate() {
            pieces.extend(next.numbered.get(number).unwrap_or(&next.numbered[0]));
        }
        self.with_html.extend(&next.with_html);
        self.with_plain.extend(&next.with_plain);
        self.bytes += next.bytes;
    }
}

impl Readings {
    /// Returns whether some piece has the words of a text.
    pub(super) fn has(&self, text: &str) -> bool {
        self.pieces.iter().any(|piece| has_same_words(piece, text))
    }

    /// Returns the number of bytes of the longest reading so far.
    pub(super) fn bytes(&self) -> usize {
        let open = self.groups.iter().filter_map(|group| group.current.as_ref());
        self.root.bytes + open.map(|sequence| sequence.bytes).sum::<usize>()
    }

    /// Adds a piece of text, which counts as `bytes` bytes.
    pub(super) fn push(&mut self, text: &str, bytes: usize) {
        let piece = self.pieces.len();
        self.pieces.push(text.to_owned());
        self.current().push(piece, bytes);
    }

    fn current(&mut self) -> &mut Sequence {
        let open = self.groups.iter_mut().rev().find_map(|group| group.current.as_mut());
        open.unwrap_or(&mut self.root)
    }

    /// Records how widely the part that is being read is shown.
    pub(super) fn note(&mut self, shown: Prevalence) {
        for sequence in self.groups.iter_mut().filter_map(|group| group.current.as_mut()) {
            sequence.shown = sequence.shown.max(shown);
        }
    }

    /// Returns whether the part that is being read belongs to an alternative.
    pub(super) fn is_alternative(&self) -> bool {
        !self.groups.is_empty()
    }

    pub(super) fn begin_alternatives(&mut self) {
        self.groups.push(Group::default());
    }

    pub(super) fn next_alternative(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            let finished = group.current.replace(Sequence::default());
            group.finished.extend(finished);
        }
    }

    pub(super) fn end_alternatives(&mut self, remarks: &mut Remarks) {
        let Some(Group { mut finished, current }) = self.groups.pop() else { return };
        finished.extend(current);
        let last = finished.iter().rfind(|sequence| sequence.shown >= Prevalence::Plain);
        let is_last_empty = last.is_some_and(Sequence::is_empty);
        finished.retain(|sequence| sequence.bytes > 0);
        if finished.is_empty() {
            return;
        }
        let mut sequences = likeliest_first(finished);
        // Reading an alternative in some way may give an empty text; that is not a reading of its own.
        for other in &mut sequences[1..] {
            other.numbered.retain(|pieces| !pieces.is_empty());
        }
        if is_last_empty {
            remarks.add(Remark::EmptyAlternative);
        }
        if self.differ(&sequences) {
            remarks.add(Remark::AlternativesDiffer);
        }
        let closed = self.closed(sequences);
        self.current().append(&closed);
    }

    /// Ends a group whose alternatives are ways to read one part, the most likely last. Unlike other alternatives, they
    /// count even if they have no text.
    pub(super) fn end_ways(&mut self) {
        let Some(Group { mut finished, current }) = self.groups.pop() else { return };
        finished.extend(current);
        finished.reverse();
        let closed = self.closed(finished);
        self.current().append(&closed);
    }

    /// Returns whether the alternative that most programs show differs from another one.
    fn differ(&self, sequences: &[Sequence]) -> bool {
        let words = |sequence: &Sequence| {
            WordSet::from_pieces(sequence.numbered[0].iter().map(|&piece| &*self.pieces[piece]))
        };
        let Some((first, others)) =
            sequences.split_first().filter(|(_, others)| !others.is_empty())
        else {
            return false;
        };
        let first = words(first);
        others.iter().any(|other| first.differs(&words(other)))
    }

    /// Combines the alternatives of a group into its readings. The most likely alternative comes first.
    fn closed(&mut self, sequences: Vec<Sequence>) -> Sequence {
        let of = |shown: Prevalence| sequences.iter().find(|sequence| sequence.shown == shown);
        let with_html = of(Prevalence::Html).unwrap_or(&sequences[0]).with_html.clone();
        let with_plain = of(Prevalence::Plain).unwrap_or(&sequences[0]).with_plain.clone();
        let bytes = sequences.iter().map(|sequence| sequence.bytes).max().unwrap_or(0);
        let mut numbered: Vec<Pieces> =
            sequences.into_iter().flat_map(|sequence| sequence.numbered).collect();
        self.n_left_out += numbered.len().saturating_sub(MAX_READINGS);
        numbered.truncate(MAX_READINGS);
        Sequence { numbered, with_html, with_plain, shown: Prevalence::Never, bytes }
    }

    /// Returns what most programs show, and the other readings, which have at most `most_bytes` bytes in all.
    pub(super) fn into_texts(
        self,
        most_bytes: usize,
        remarks: &mut Remarks,
    ) -> (String, Vec<String>) {
        let Readings { pieces, root: Sequence { numbered, with_html, with_plain, .. }, .. } = self;
        let text = |numbers: &Pieces| {
            let texts: Vec<&str> = numbers.iter().map(|&piece| &*pieces[piece]).collect();
            texts.join("\n\n")
        };
        let mut seen: Vec<&Pieces> = vec![&numbered[0]];
        let mut texts = vec![text(&numbered[0])];
        let (mut left, mut n_left_out) = (most_bytes, self.n_left_out);
        for reading in [&with_html, &with_plain].into_iter().chain(&numbered[1..]) {
            // Readings of the same pieces are skipped before their text is built and compared.
            if seen.contains(&reading) {
                continue;
            }
            seen.push(reading);
            let next = text(reading);
            if next.is_empty() || texts.iter().any(|other| has_same_words(other, &next)) {
                continue;
            }
            if texts.len() == MAX_READINGS || next.len() > left {
                n_left_out += 1;
                continue;
            }
            left -= next.len();
            texts.push(next);
        }
        remarks.add(Remark::TooManyAlternatives(n_left_out));
        let others = texts.split_off(1);
        (texts.swap_remove(0), others)
    }
}

/// Sorts alternatives by likelihood. Those that are widely shown and not empty come before the others. Among them the
/// last comes first, since programs choose it, then the first, since the simplest programs show it, then the rest, from
/// last to first.
fn likeliest_first(sequences: Vec<Sequence>) -> Vec<Sequence> {
    let (mut wide, mut others): (Vec<_>, Vec<_>) = sequences
        .into_iter()
        .partition(|sequence| sequence.shown >= Prevalence::Plain && !sequence.is_empty());
    wide.reverse();
    if let Some(first) = wide.pop() {
        wide.insert(wide.len().min(1), first);
    }
    others.reverse();
    wide.append(&mut others);
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a sequence of texts and groups: `a{b|C}` is `a` followed by the alternatives `b` (plain text) and `C`
    /// (HTML). Letters from `x` on are of a type that is seldom shown.
    fn texts(sequence: &str) -> Vec<String> {
        let mut readings = Readings::default();
        let mut remarks = Remarks::default();
        for c in sequence.chars() {
            match c {
                '{' => {
                    readings.begin_alternatives();
                    readings.next_alternative();
                }
                '|' => readings.next_alternative(),
                '}' => readings.end_alternatives(&mut remarks),
                c => {
                    readings.note(match c {
                        'A'..='Z' => Prevalence::Html,
                        'a'..='w' => Prevalence::Plain,
                        _ => Prevalence::Seldom,
                    });
                    readings.push(&c.to_string(), 1);
                }
            }
        }
        let (first, others) = readings.into_texts(1000, &mut remarks);
        [first].into_iter().chain(others).map(|text| text.replace('\n', "")).collect()
    }

    #[test]
    fn each_alternative_is_in_a_reading() {
        let cases: [(&str, &[&str]); 12] = [
            ("", &[""]),
            ("ab", &["ab"]),
            ("a{b|C}d", &["aCd", "abd"]),
            ("{b|C|x}", &["C", "b", "x"]),
            ("{x|y}", &["y", "x"]),
            ("{b|}", &["b"]),
            // The readings include those of a program that prefers HTML, or plain text, everywhere.
            ("{b|C}{D|e}", &["Ce", "CD", "be", "bD"]),
            ("{a|{B|C}}", &["C", "a", "B"]),
            ("{{a|B}|{c|D}}", &["D", "c", "B", "a"]),
            ("{a|b|c|d}", &["d", "a", "c", "b"]),
            ("{a|bC}", &["bC", "a"]),
            ("{{|}|{}}a", &["a"]),
        ];
        for (sequence, expected) in cases {
            assert_eq!(texts(sequence), expected, "{sequence}");
        }
    }

    #[test]
    fn more_readings_than_the_limit_are_counted() {
        let mut readings = Readings::default();
        let mut remarks = Remarks::default();
        readings.begin_alternatives();
        for i in 0..10 {
            readings.next_alternative();
            readings.note(Prevalence::Plain);
            readings.push(&i.to_string(), 1);
        }
        readings.end_alternatives(&mut remarks);
        let (first, others) = readings.into_texts(4, &mut remarks);
        assert_eq!((&*first, others), ("9", ["0", "8", "7", "6"].map(str::to_owned).to_vec()));
        assert_eq!(remarks.into_sorted(), [Remark::TooManyAlternatives(5)]);
    }
}
