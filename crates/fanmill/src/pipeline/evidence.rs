//! What a listed pair rests on: its matches, verified, and where they stand in the files.

use std::ops::Range;

use crate::base;
use crate::fingerprint::Recipe;
use crate::frontend::Kind;
use crate::matches::{
    Extension, LeftOut, Match, Passage, Prose, Seeds, SharedSeeds, Side, Table, TableOf, agree,
    chain, extend, maximal_matches, repetitive_matches, rewritten, tile,
};
use crate::pipeline::held::Held;
use crate::pipeline::written::Written;
use crate::pipeline::{Batch, Ranking};
use crate::report;
use crate::score::{Coverage, outside, without};
use crate::token::Outline;

/// Finds the evidence of pairs.
pub(super) struct Finder<'a> {
    batch: &'a Batch<'a>,
    ranking: &'a Ranking,
    /// Per member, its boilerplate, ascending.
    grey: Vec<Vec<Range<usize>>>,
    /// Per class of identical members, its tokens.
    held: Vec<Held>,
    /// Per member, its class; base documents have none.
    classes: Vec<Option<usize>>,
    written: Written<'a>,
}

/// A member whose seeds can be found by their hashes, for all of its pairs.
pub(super) struct Row<'a> {
    member: usize,
    /// One a recipe.
    tables: Vec<Table<'a>>,
}

/// The evidence of one pair.
pub(super) struct Evidence {
    pub(super) coverage: Coverage,
    pub(super) truncated: bool,
    /// Ascending by A.
    pub(super) passages: Vec<report::Passage>,
}

/// What the score of a pair rests on, once its matches were compared word by word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Support {
    /// Nothing that can be shown.
    Nothing,
    /// Passages, none of which is a run that is as long as the guarantee.
    Pieces,
    /// A run that is as long as the guarantee: it must be found.
    Guaranteed,
}

/// A passage of at least the noise threshold.
struct Piece {
    passage: Passage,
    /// Whether it is long enough to be shown by itself.
    is_long: bool,
}

/// Score from which on a pair is shown with whatever pieces it shares.
const STRIKING: f64 = 0.2;

/// Long runs that are looked at before all matches are found.
const GLANCES: usize = 8;

/// Gaps that a passage may bridge, in grams' lengths: an inserted statement or two.
const GAP_IN_GRAMS: usize = 3;

impl<'a> Finder<'a> {
    /// `held` is what is held of each class.
    pub(super) fn new(batch: &'a Batch<'a>, ranking: &'a Ranking, held: Vec<Held>) -> Finder<'a> {
        let mut classes = vec![None; batch.members.len()];
        for (number, class) in ranking.classes.iter().enumerate() {
            for &member in class {
                classes[member] = Some(number);
            }
        }
        Finder {
            batch,
            ranking,
            grey: ranking.grey.iter().map(|grey| base::union(grey)).collect(),
            held,
            classes,
            written: Written::new(batch),
        }
    }

    /// Gives back memory that evidence needed and that can be made again, if it is much.
    pub(super) fn tidy(&mut self) {
        self.written.tidy();
    }

    /// The one of two members that the other is looked up in: that with more seeds.
    pub(super) fn row_of(&self, (a, b): (usize, usize)) -> usize {
        let n_seeds = |member: usize| self.held(member).seeds.iter().map(Seeds::len).sum::<usize>();
        if n_seeds(a) > n_seeds(b) { a } else { b }
    }

    /// Makes a member ready for its pairs.
    pub(super) fn row(&self, member: usize) -> Row<'_> {
        Row { member, tables: self.held(member).seeds.iter().map(Table::new).collect() }
    }

    /// Matches two members with each other, of which `row` is one.
    ///
    /// Where no passage is long enough although `score` is striking, because what was copied was cut
    /// to pieces, the pieces are the evidence.
    pub(super) fn find(&self, row: &Row<'_>, (a, b): (usize, usize), score: f64) -> Evidence {
        let mut pieces = Vec::new();
        let mut truncated = false;
        for (number, (recipe, _)) in self.ranking.recipes.iter().enumerate() {
            let shared = self.shared(row, number, a, b, |_, _| false).expect("no seed is enough");
            let (matches, is_cut) = self.matches(recipe, a, b, shared);
            truncated |= is_cut;
            pieces.append(&mut self.pieces(recipe, a, b, &matches, score));
        }
        let has_long = pieces.iter().any(|piece| piece.is_long);
        pieces.retain(|piece| piece.is_long || !has_long);
        let mut passages: Vec<Passage> = pieces.into_iter().map(|piece| piece.passage).collect();
        passages.sort_unstable_by_key(|passage| passage.tiles[0]);
        let moved = moved(&passages);
        let coverage = self.coverage(a, b, &passages);
        let shown =
            passages.iter().zip(moved).map(|(passage, moved)| self.show(a, b, passage, moved));
        Evidence { coverage, truncated, passages: shown.collect() }
    }

    /// What the score of two members rests on: [`find`](Self::find) shows passages of them exactly if
    /// this is not [`Support::Nothing`].
    pub(super) fn support(&self, row: &Row<'_>, (a, b): (usize, usize), score: f64) -> Support {
        let mut support = Support::Nothing;
        for (number, (recipe, _)) in self.ranking.recipes.iter().enumerate() {
            // Between copies, nearly any seed stands in such a run, and not all matches need be found.
            let is_enough = self.glance(recipe, a, b);
            let Some(shared) = self.shared(row, number, a, b, is_enough) else {
                return Support::Guaranteed;
            };
            // What most pairs share of idioms is too little for a passage. In prose, single words count too.
            let is_prose = recipe.kind == Kind::Words;
            let enough = if is_prose || score >= STRIKING { 1 } else { self.enough(a, b, recipe) };
            if shared.most_tokens().is_some_and(|most| most < enough) {
                continue;
            }
            let (matches, _) = self.matches(recipe, a, b, shared);
            if matches.iter().any(|&found| self.is_guaranteed(recipe, a, b, found)) {
                return Support::Guaranteed;
            }
            let max_gap = GAP_IN_GRAMS * recipe.thresholds.noise();
            let may_chain = || is_prose || may_chain(&mut matches.clone(), max_gap, enough);
            if support == Support::Nothing
                && may_chain()
                && !self.pieces(recipe, a, b, &matches, score).is_empty()
            {
                support = Support::Pieces;
            }
        }
        support
    }

    /// Says of a gram that two members share whether a run as long as the guarantee begins there.
    ///
    /// It is quick because it looks no further into shorter runs, and gives up after a few long ones that
    /// are mostly boilerplate, or differ when read.
    fn glance(&self, recipe: &Recipe, a: usize, b: usize) -> impl FnMut(u32, u32) -> bool {
        let (numbers_a, numbers_b) = (&self.held(a).numbers, &self.held(b).numbers);
        let least = recipe.selector.guarantee(recipe.thresholds);
        let mut glances_left = GLANCES;
        move |at_a, at_b| {
            let Some(least) = least.filter(|_| glances_left > 0) else { return false };
            if !agree(numbers_a, numbers_b, at_a, at_b, least) {
                return false;
            }
            glances_left -= 1;
            self.is_guaranteed(recipe, a, b, extend(numbers_a, numbers_b, at_a, at_b))
        }
    }

    /// Whether a match must be found, by the promise of its selector.
    fn is_guaranteed(&self, recipe: &Recipe, a: usize, b: usize, found: Match) -> bool {
        self.guaranteed(recipe, a, b, found).is_some()
    }

    /// The first part of a match that must be found, by the promise of its selector.
    fn guaranteed(&self, recipe: &Recipe, a: usize, b: usize, found: Match) -> Option<Match> {
        let least = recipe.selector.guarantee(recipe.thresholds)?;
        let is_long = |part: &Match| self.counted_words(a, b, *part) >= least as u64;
        // Most matches are shorter, and need not be read.
        let parts = is_long(&found).then(|| self.verified(a, b, found, least));
        parts?.into_iter().find(is_long)
    }

    /// The seeds that two members share in one kind of text; nothing if one of them `is_enough`, given
    /// its positions in A and in B.
    fn shared(
        &self,
        row: &Row<'_>,
        number: usize,
        a: usize,
        b: usize,
        is_enough: impl FnMut(u32, u32) -> bool,
    ) -> Option<SharedSeeds> {
        let (held_a, held_b) = (self.held(a), self.held(b));
        let (table_of, other) =
            if row.member == a { (TableOf::A, held_b) } else { (TableOf::B, held_a) };
        let (table, other) = (&row.tables[number], &other.seeds[number]);
        // A gram of boilerplate is no seed, so that a run may have its first seed in the middle.
        let (_, base) = &self.ranking.recipes[number];
        let tokens = base.is_empty().then_some((&held_a.numbers[..], &held_b.numbers[..]));
        SharedSeeds::unless(table, table_of, other, tokens, is_enough)
    }

    /// The matches of two members at these seeds, and whether a limit was met.
    ///
    /// Where a limit was met and none of the matches is as long as the guarantee, those that are come
    /// from [`repetitive_matches`]. It costs too much where they would only be more of the same.
    fn matches(
        &self,
        recipe: &Recipe,
        a: usize,
        b: usize,
        shared: SharedSeeds,
    ) -> (Vec<Match>, bool) {
        let (numbers_a, numbers_b) = (&self.held(a).numbers, &self.held(b).numbers);
        let Extension { mut matches, left_out } = maximal_matches(numbers_a, numbers_b, shared);
        let is_cut = left_out.is_some();
        let is_sure = |&found: &Match| self.is_guaranteed(recipe, a, b, found);
        if is_cut && !matches.iter().any(is_sure) {
            let mut more = self.repetitive(recipe, (a, b), &matches, &left_out);
            matches.append(&mut more);
        }
        (matches, is_cut)
    }

    /// The matches that the selector promises and that are not among those `found`, because a limit
    /// was met.
    fn repetitive(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        found: &[Match],
        left_out: &LeftOut,
    ) -> Vec<Match> {
        let Some(least) = recipe.selector.guarantee(recipe.thresholds) else { return Vec::new() };
        let [wanted_a, wanted_b] = [a, b].map(|member| {
            let documents = self.batch.members[member].outline.ranges(recipe.kind);
            without(documents, &self.grey[member])
        });
        let a = Side { tokens: &self.held(a).numbers, wanted: &wanted_a };
        let b = Side { tokens: &self.held(b).numbers, wanted: &wanted_b };
        repetitive_matches(a, b, left_out, recipe.thresholds.noise(), found, least)
    }

    /// The parts of a match whose words are the same when read.
    fn verified(&self, a: usize, b: usize, found: Match, least: usize) -> Vec<Match> {
        let numbers = &self.held(a).numbers[found.range_a()];
        self.written.verified(a, b, found, numbers, least)
    }

    /// The tokens of a member.
    fn held(&self, member: usize) -> &Held {
        &self.held[self.classes[member].expect("base documents are in no pair")]
    }

    /// Matches of one kind of text as passages, in no order: the long ones, and all if `score` is striking.
    fn pieces(
        &self,
        recipe: &Recipe,
        a: usize,
        b: usize,
        matches: &[Match],
        score: f64,
    ) -> Vec<Piece> {
        let mut tiles = Vec::new();
        tile(matches, recipe.thresholds.noise() as u32, &mut tiles);
        let mut pieces = match recipe.kind {
            Kind::Words => self.passages_of_prose(recipe, (a, b), &tiles, score),
            Kind::Code | Kind::Chars => self.passages_of_tiles(recipe, (a, b), &tiles),
        };
        pieces.retain(|piece| piece.is_long || score >= STRIKING);
        if !pieces.iter().any(|piece| piece.is_long) {
            // Longer matches that are mostly boilerplate may have cut up one that must be found.
            let mut guaranteed = matches.iter().filter_map(|&m| self.guaranteed(recipe, a, b, m));
            pieces.extend(
                guaranteed
                    .next()
                    .map(|found| Piece { passage: Passage { tiles: vec![found] }, is_long: true }),
            );
        }
        pieces
    }

    /// Tiles close to each other as passages.
    fn passages_of_tiles(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        tiles: &[Match],
    ) -> Vec<Piece> {
        let noise = recipe.thresholds.noise();
        let verified = tiles.iter().flat_map(|&tile| self.verified(a, b, tile, noise));
        let tiles: Vec<Match> = verified.collect();
        let max_gap = (GAP_IN_GRAMS * noise) as u32;
        let enough = self.enough(a, b, recipe) as u64;
        let chained = chain(&tiles, max_gap, |x, y| self.same_documents((a, b), x, y));
        let pieces = chained.into_iter().filter_map(|passage| {
            let counted = self.counted(a, b, &passage.tiles);
            let is_long = counted >= enough;
            (counted >= noise as u64).then_some(Piece { passage, is_long })
        });
        pieces.collect()
    }

    /// Tiles of prose as passages, with the words between them that both sides have: long are those that
    /// hold a long tile, and those that are surprising as a whole.
    fn passages_of_prose(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        tiles: &[Match],
        score: f64,
    ) -> Vec<Piece> {
        let [side_a, side_b] = [a, b].map(|member| {
            let held = self.held(member);
            Prose { tokens: &held.numbers[..], words: &held.words }
        });
        let same_documents = |x, y| self.same_documents((a, b), x, y);
        let noise = recipe.thresholds.noise() as u64;
        let enough = self.enough(a, b, recipe) as u64;
        let longest = |tiles: &[Match]| {
            tiles.iter().map(|&tile| self.counted(a, b, &[tile])).max().unwrap_or(0)
        };
        let most_words = |tiles: &[Match]| {
            tiles.iter().map(|&tile| self.counted_words(a, b, tile)).max().unwrap_or(0)
        };
        let mut chained = rewritten(side_a, side_b, tiles, noise as u32, same_documents);
        // Reading words costs more than all the rest: not where nothing would be shown.
        chained.retain(|(passage, is_surprising)| {
            let has_long = || most_words(&passage.tiles) >= enough;
            score >= STRIKING || *is_surprising || has_long()
        });
        let pieces = chained.into_iter().filter_map(|(passage, is_surprising)| {
            let words = passage.tiles.iter();
            let read: Vec<Match> = words.flat_map(|&tile| self.verified(a, b, tile, 1)).collect();
            let longest = longest(&read);
            // Words that only have equal hashes tell nothing.
            let is_long = most_words(&read) >= enough || is_surprising && read == passage.tiles;
            (longest >= noise).then_some(Piece { passage: Passage { tiles: read }, is_long })
        });
        pieces.collect()
    }

    /// Whether two matches lie in the same document on both sides.
    fn same_documents(&self, (a, b): (usize, usize), x: Match, y: Match) -> bool {
        let document = |member: usize, token: u32| {
            let outline: &Outline = &self.batch.members[member].outline;
            outline.documents[outline.part_of(token as usize)].document
        };
        document(a, x.a) == document(a, y.a) && document(b, x.b) == document(b, y.b)
    }

    /// Tokens of some matches that are boilerplate on neither side.
    fn counted(&self, a: usize, b: usize, matches: &[Match]) -> u64 {
        let (grey_a, grey_b) = (&self.grey[a], &self.grey[b]);
        let in_a = outside(matches.iter().map(|found| found.range_a()), grey_a);
        in_a.min(outside(matches.iter().map(|found| found.range_b()), grey_b))
    }

    /// The same of one match in words, of which characters of scripts without spaces are parts.
    fn counted_words(&self, a: usize, b: usize, found: Match) -> u64 {
        self.held(a).n_words.of(self.counted(a, b, &[found]), found.range_a())
    }

    /// Tokens that count which a passage must have to be shown: the guarantee, or half of a submission that is shorter.
    ///
    /// Single matches from noise to guarantee are mostly idioms; they count where they stand
    /// close enough to others to make a passage together.
    fn enough(&self, a: usize, b: usize, recipe: &Recipe) -> usize {
        let guarantee =
            recipe.selector.guarantee(recipe.thresholds).unwrap_or(recipe.thresholds.guarantee());
        let size = |member: usize| self.batch.members[member].outline.n_tokens_of(recipe.kind);
        guarantee.min(size(a).min(size(b)) / 2).max(recipe.thresholds.noise())
    }

    /// Counts covered tokens, boilerplate left out on both sides of the fraction.
    fn coverage(&self, a: usize, b: usize, passages: &[Passage]) -> Coverage {
        let tiles = || passages.iter().flat_map(|passage| &passage.tiles);
        let mut ranges_a: Vec<Range<usize>> = tiles().map(|tile| tile.range_a()).collect();
        let mut ranges_b: Vec<Range<usize>> = tiles().map(|tile| tile.range_b()).collect();
        ranges_a.sort_unstable_by_key(|range| range.start);
        ranges_b.sort_unstable_by_key(|range| range.start);
        let (grey_a, grey_b) = (&self.grey[a], &self.grey[b]);
        let counted = |member: usize, grey: &[Range<usize>]| {
            let outline = &self.batch.members[member].outline;
            outside(outline.documents.iter().map(|document| document.range.clone()), grey)
        };
        Coverage {
            tokens_a: counted(a, grey_a),
            tokens_b: counted(b, grey_b),
            covered_a: outside(ranges_a.into_iter(), grey_a),
            covered_b: outside(ranges_b.into_iter(), grey_b),
        }
    }

    fn show(&self, a: usize, b: usize, passage: &Passage, moved: bool) -> report::Passage {
        let matches = passage.tiles.iter().map(|tile| report::Match {
            tokens: tile.len,
            a: self.place(a, tile.range_a()),
            b: self.place(b, tile.range_b()),
        });
        report::Passage {
            tokens: self.counted(a, b, &passage.tiles),
            moved,
            matches: matches.collect(),
        }
    }

    fn place(&self, member: usize, tokens: Range<usize>) -> report::Place {
        let outline = &self.batch.members[member].outline;
        let document = outline.documents[outline.part_of(tokens.start)].document;
        let span = self.written.place(member, tokens);
        let (first_line, last_line) = self.written.lines(member, document, span);
        report::Place {
            file: document as u32,
            start: span.start,
            end: span.end,
            first_line,
            last_line,
            pages: self.written.pages(member, document, span),
        }
    }
}

/// Whether matches lie so close to each other that they may make a passage of `enough` tokens, with
/// gaps of at most `max_gap` between them on each side, whatever the order.
///
/// Most pairs fail this test, because their idioms are few or far apart on one side. It costs less than tiling.
fn may_chain(matches: &mut [Match], max_gap: usize, enough: usize) -> bool {
    /// Each side is looked at twice.
    const ROUNDS: u32 = 4;
    /// Cuts matches where the gap on one side is too wide, and the parts that are left on the other: A in even rounds,
    /// B in odd ones.
    fn cut(matches: &mut [Match], round: u32, max_gap: usize, enough: usize) -> bool {
        if round == ROUNDS {
            return true;
        }
        let start = |found: &Match| if round.is_multiple_of(2) { found.a } else { found.b };
        matches.sort_unstable_by_key(start);
        let (mut first, mut n_tokens, mut end) = (0, 0, 0);
        for at in 0..=matches.len() {
            let range = matches.get(at).map_or(usize::MAX..usize::MAX, |found| {
                let start = start(found) as usize;
                start..start + found.len as usize
            });
            if range.start > end + max_gap {
                if n_tokens >= enough && cut(&mut matches[first..at], round + 1, max_gap, enough) {
                    return true;
                }
                (first, n_tokens) = (at, 0);
            }
            n_tokens += range.end.saturating_sub(range.start.max(end));
            end = end.max(range.end);
        }
        false
    }
    let n_tokens: usize = matches.iter().map(|found| found.len as usize).sum();
    n_tokens >= enough && cut(matches, 0, max_gap, enough)
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_passage_is_of_matches_that_may_chain(
            raw in proptest::collection::vec((0_u32..200, 0_u32..200, 3_u32..20), 0..30),
            max_gap in 0_u32..40,
        ) {
            let mut matches: Vec<Match> =
                raw.into_iter().map(|(a, b, len)| Match { a, b, len }).collect();
            let mut tiles = Vec::new();
            tile(&matches, 3, &mut tiles);
            let passages = chain(&tiles, max_gap, |_, _| true);
            let tokens = |passage: &Passage| passage.tiles.iter().map(|tile| tile.len as usize).sum();
            let longest = passages.iter().map(tokens).max().unwrap_or(0);
            prop_assert!(longest == 0 || may_chain(&mut matches, max_gap as usize, longest));
        }
    }

    #[test]
    fn matches_that_are_far_apart_on_one_side_make_no_passage() {
        let found = |a, b| Match { a, b, len: 10 };
        let mut apart = [found(0, 500), found(15, 0), found(30, 515)];
        assert!(!may_chain(&mut apart, 10, 20), "neighbours in A are far apart in B");
        assert!(may_chain(&mut apart, 20, 20));
    }

    #[test]
    fn the_lighter_passages_are_those_that_moved() {
        let passage = |a, b, len| Passage { tiles: vec![Match { a, b, len }] };
        let passages = [passage(0, 500, 30), passage(100, 0, 90), passage(200, 100, 90)];
        assert_eq!(moved(&passages), [true, false, false]);
        assert!(moved(&[]).is_empty());
    }
}
