//! What a listed pair rests on: its matches, verified, and where they stand in the files.

use std::ops::Range;
use std::sync::OnceLock;

use crate::base::{self, Base};
use crate::fingerprint::Scheme;
use crate::frontend::{Decoded, decode};
use crate::matches::{Match, Passage, Seeds, chain, maximal_matches, tile};
use crate::pipeline::{Batch, Part, Ranking};
use crate::report::model;
use crate::score::{Coverage, outside};
use crate::span::{LineIndex, Span};
use crate::token::Stream;

/// Finds the evidence of pairs; what it computes for a member serves all its pairs.
pub(super) struct Finder<'a> {
    batch: &'a Batch,
    ranking: &'a Ranking,
    members: Vec<MemberFacts<'a>>,
}

/// What is computed for a member when it first occurs in a listed pair.
struct MemberFacts<'a> {
    /// Its boilerplate, ascending.
    grey: Vec<Range<usize>>,
    seeds: OnceLock<Vec<Seeds>>,
    files: Vec<OnceLock<FileFacts<'a>>>,
}

/// A document as people see it.
struct FileFacts<'a> {
    decoded: Decoded<'a>,
    lines: LineIndex,
}

/// The evidence of one pair.
pub(super) struct Evidence {
    pub(super) coverage: Coverage,
    pub(super) truncated: bool,
    /// Ascending by A.
    pub(super) passages: Vec<model::Passage>,
}

/// A passage of at least the noise threshold.
struct Piece {
    passage: Passage,
    /// Whether it is long enough to be shown by itself.
    is_long: bool,
}

/// Score from which on a pair is shown with whatever pieces it shares.
const STRIKING: f64 = 0.2;

/// Gaps that a passage may bridge, in grams' lengths: an inserted statement or two.
const GAP_IN_GRAMS: usize = 3;

impl<'a> Finder<'a> {
    pub(super) fn new(batch: &'a Batch, ranking: &'a Ranking) -> Finder<'a> {
        let facts = batch.members.iter().zip(&ranking.grey).map(|(member, grey)| MemberFacts {
            grey: base::union(grey),
            seeds: OnceLock::new(),
            files: member.submission.documents.iter().map(|_| OnceLock::new()).collect(),
        });
        Finder { batch, ranking, members: facts.collect() }
    }

    /// Matches two members with each other.
    ///
    /// Where no passage is long enough although `score` is striking, because what was copied was cut
    /// to pieces, the pieces are the evidence.
    pub(super) fn find(&self, a: usize, b: usize, score: f64) -> Evidence {
        let mut pieces = Vec::new();
        let mut truncated = false;
        for (number, (scheme, _)) in self.ranking.schemes.iter().enumerate() {
            truncated |= self.find_kind(number, scheme, a, b, &mut pieces);
        }
        let has_long = pieces.iter().any(|piece| piece.is_long);
        let shows_all = !has_long && score >= STRIKING;
        pieces.retain(|piece| piece.is_long || shows_all);
        let mut passages: Vec<Passage> = pieces.into_iter().map(|piece| piece.passage).collect();
        passages.sort_unstable_by_key(|passage| passage.tiles[0]);
        let moved = moved(&passages);
        let coverage = self.coverage(a, b, &passages);
        let shown =
            passages.iter().zip(moved).map(|(passage, moved)| self.show(a, b, passage, moved));
        Evidence { coverage, truncated, passages: shown.collect() }
    }

    /// Appends what two members share of one kind of text; returns whether a limit was met.
    fn find_kind(
        &self,
        number: usize,
        scheme: &Scheme,
        a: usize,
        b: usize,
        pieces: &mut Vec<Piece>,
    ) -> bool {
        let (seeds_a, seeds_b) = (&self.seeds(a)[number], &self.seeds(b)[number]);
        let (stream_a, stream_b) = (&self.batch.members[a].stream, &self.batch.members[b].stream);
        let found =
            maximal_matches(&stream_a.tokens.symbols, &stream_b.tokens.symbols, seeds_a, seeds_b);
        let noise = scheme.thresholds.noise();
        let verified = found.matches.iter().flat_map(|&found| self.verified(a, b, found, noise));
        let matches: Vec<Match> = verified.collect();
        let mut tiles = Vec::new();
        tile(&matches, noise as u32, &mut tiles);
        let document =
            |stream: &Stream, token: u32| stream.documents[stream.part_of(token as usize)].document;
        let documents = |m: Match| (document(stream_a, m.a), document(stream_b, m.b));
        let max_gap = (GAP_IN_GRAMS * noise) as u32;
        let chained = chain(&tiles, max_gap, |x, y| documents(x) == documents(y));
        let enough = self.enough(a, b, scheme) as u64;
        pieces.extend(chained.into_iter().filter_map(|passage| {
            let counted = self.counted(a, b, &passage);
            let is_long = counted >= enough;
            (counted >= noise as u64).then_some(Piece { passage, is_long })
        }));
        found.truncated
    }

    /// Tokens of a passage that are boilerplate on neither side.
    fn counted(&self, a: usize, b: usize, passage: &Passage) -> u64 {
        let (grey_a, grey_b) = (&self.members[a].grey, &self.members[b].grey);
        let in_a = outside(passage.tiles.iter().map(|tile| tile.range_a()), grey_a);
        in_a.min(outside(passage.tiles.iter().map(|tile| tile.range_b()), grey_b))
    }

    /// Tokens that count which a passage must have to be shown: the guarantee, or half of a submission that is shorter.
    ///
    /// Single matches from noise to guarantee are mostly idioms; they count where they stand
    /// close enough to others to make a passage together.
    fn enough(&self, a: usize, b: usize, scheme: &Scheme) -> usize {
        let guarantee =
            scheme.selector.guarantee(scheme.thresholds).unwrap_or(scheme.thresholds.guarantee());
        let size = |member: usize| {
            self.batch.members[member]
                .stream
                .ranges(scheme.kind)
                .map(|range| range.len())
                .sum::<usize>()
        };
        guarantee.min(size(a).min(size(b)) / 2).max(scheme.thresholds.noise())
    }

    fn seeds(&self, member: usize) -> &[Seeds] {
        self.members[member].seeds.get_or_init(|| {
            let stream = &self.batch.members[member].stream;
            let counts = |base: &'a Base| move |hash| base.of(hash).is_none();
            self.ranking
                .schemes
                .iter()
                .map(|(scheme, base)| Seeds::new(stream, scheme, counts(base)))
                .collect()
        })
    }

    /// The parts of a match whose words are the same when read, not only when hashed.
    fn verified(&self, a: usize, b: usize, found: Match, noise: usize) -> Vec<Match> {
        let spells = |member: usize, token: u32| self.part(member, token).1.spells_words;
        if !(spells(a, found.a) && spells(b, found.b)) {
            return vec![found];
        }
        let same = |offset: u32| {
            if self.batch.members[a].stream.tokens.symbols[(found.a + offset) as usize].is_class() {
                return true;
            }
            let (word_a, word_b) = (self.word(a, found.a + offset), self.word(b, found.b + offset));
            // Words with escapes, in notebooks, cannot be compared as they stand.
            word_a == word_b
                || word_a.contains('\\')
                || word_b.contains('\\')
                || letters(word_a) == letters(word_b)
        };
        let offsets: Vec<(u32, bool)> =
            (0..found.len).map(|offset| (offset, same(offset))).collect();
        let runs = offsets.chunk_by(|x, y| x.1 == y.1).filter(|run| run[0].1 && run.len() >= noise);
        let part = |run: &[(u32, bool)]| Match {
            a: found.a + run[0].0,
            b: found.b + run[0].0,
            len: run.len() as u32,
        };
        runs.map(part).collect()
    }

    /// The document that holds a token, and what reading it showed.
    fn part(&self, member: usize, token: u32) -> (usize, &'a Part) {
        let read = &self.batch.members[member];
        let document = read.stream.documents[read.stream.part_of(token as usize)].document;
        (document, &read.parts[document])
    }

    /// A token as it is written.
    fn word(&self, member: usize, token: u32) -> &str {
        let (document, _) = self.part(member, token);
        let decoded = &self.file(member, document).decoded;
        let span = self.batch.members[member].stream.tokens.spans[token as usize];
        let range =
            decoded.map.output_at(span.start) as usize..decoded.map.output_at(span.end) as usize;
        decoded.text.get(range).unwrap_or_default()
    }

    fn file(&self, member: usize, document: usize) -> &FileFacts<'a> {
        self.members[member].files[document].get_or_init(|| {
            let decoded = decode(&self.batch.members[member].submission.documents[document].bytes);
            let newlines = memchr::memchr_iter(b'\n', decoded.text.as_bytes());
            let end = |at: usize| decoded.map.map_span(Span::new(at as u32, at as u32 + 1)).end;
            let lines = LineIndex::new(newlines.map(end));
            FileFacts { decoded, lines }
        })
    }

    /// Counts covered tokens, boilerplate left out on both sides of the fraction.
    fn coverage(&self, a: usize, b: usize, passages: &[Passage]) -> Coverage {
        let tiles = || passages.iter().flat_map(|passage| &passage.tiles);
        let mut ranges_a: Vec<Range<usize>> = tiles().map(|tile| tile.range_a()).collect();
        let mut ranges_b: Vec<Range<usize>> = tiles().map(|tile| tile.range_b()).collect();
        ranges_a.sort_unstable_by_key(|range| range.start);
        ranges_b.sort_unstable_by_key(|range| range.start);
        let (grey_a, grey_b) = (&self.members[a].grey, &self.members[b].grey);
        let counted = |member: usize, grey: &[Range<usize>]| {
            let stream = &self.batch.members[member].stream;
            outside(stream.documents.iter().map(|document| document.range.clone()), grey)
        };
        Coverage {
            tokens_a: counted(a, grey_a),
            tokens_b: counted(b, grey_b),
            covered_a: outside(ranges_a.into_iter(), grey_a),
            covered_b: outside(ranges_b.into_iter(), grey_b),
        }
    }

    fn show(&self, a: usize, b: usize, passage: &Passage, moved: bool) -> model::Passage {
        let matches = passage.tiles.iter().map(|tile| model::Match {
            tokens: tile.len,
            a: self.place(a, tile.range_a()),
            b: self.place(b, tile.range_b()),
        });
        model::Passage { tokens: self.counted(a, b, passage), moved, matches: matches.collect() }
    }

    fn place(&self, member: usize, tokens: Range<usize>) -> model::Place {
        let stream = &self.batch.members[member].stream;
        let document = stream.documents[stream.part_of(tokens.start)].document;
        let spans = &stream.tokens.spans;
        let span = spans[tokens.start].join(spans[tokens.end - 1]);
        let (first_line, last_line) = self.file(member, document).lines.lines(span);
        model::Place {
            file: document as u32,
            start: span.start,
            end: span.end,
            first_line,
            last_line,
        }
    }
}

/// A word without case, hyphens and apostrophes, as the front ends for prose see it; what has no
/// letters, as it is.
fn letters(word: &str) -> String {
    let folded = crate::frontend::fold(word).text;
    let kept: String =
        folded.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if kept.is_empty() { folded.into_owned() } else { kept }
}

/// Which passages stand in another order in B than in A.
///
/// The heaviest set of passages that are in the same order in both has not moved; all others have.
fn moved(passages: &[Passage]) -> Vec<bool> {
    let start_b = |i: usize| passages[i].tiles[0].b;
    let mut best: Vec<u64> = Vec::with_capacity(passages.len());
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(passages.len());
    for (i, passage) in passages.iter().enumerate() {
        let before = i.saturating_sub(MOVED_LOOK_BACK)..i;
        let from = before.filter(|&j| start_b(j) < start_b(i)).max_by_key(|&j| (best[j], j));
        let weight: u64 = passage.tiles.iter().map(|tile| u64::from(tile.len)).sum();
        best.push(weight + from.map_or(0, |j| best[j]));
        previous.push(from);
    }
    let mut moved = vec![true; passages.len()];
    let mut at = (0..passages.len()).max_by_key(|&i| (best[i], i));
    while let Some(i) = at {
        moved[i] = false;
        at = previous[i];
    }
    moved
}

/// Passages looked back at to tell which have moved; a pair has hundreds at most.
const MOVED_LOOK_BACK: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lighter_passages_are_those_that_moved() {
        let passage = |a, b, len| Passage { tiles: vec![Match { a, b, len }] };
        let passages = [passage(0, 500, 30), passage(100, 0, 90), passage(200, 100, 90)];
        assert_eq!(moved(&passages), [true, false, false]);
        assert!(moved(&[]).is_empty());
    }

    #[test]
    fn words_are_compared_without_case_hyphens_and_disguise() {
        let same = |x, y| letters(x) == letters(y);
        assert!(same("exam-\nple", "Example") && same("don’t", "dont") && same("sсheme", "scheme"));
        assert!(!same("on", "no") && !same("+", "-"));
    }
}
