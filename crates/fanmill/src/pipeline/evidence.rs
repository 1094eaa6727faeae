//! What a listed pair rests on: its matches, verified, and where they stand in the files.

use std::ops::Range;

use crate::base;
use crate::fingerprint::Recipe;
use crate::matches::{
    Extension, LeftOut, Match, Passage, Prose, Seeds, SharedSeeds, Side, Table, TableOf, agree,
    chain, extend, join_near, maximal_matches, may_chain, repetitive_matches, rewritten, tile,
};
use crate::pipeline::held::Held;
use crate::pipeline::recipes::BatchRecipe;
use crate::pipeline::written::Written;
use crate::pipeline::{Batch, RankedPair, Ranking};
use crate::report;
use crate::score::surprise::{self, ProseEvidence};
use crate::score::{Coverage, evident, outside, without};
use fanmill_text::frontend::Kind;
use fanmill_text::token::Outline;

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

/// The score of a pair, and the kind of its evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Finding {
    /// True if a passage holds a run that is as long as the guarantee, which must be found.
    pub(super) is_guaranteed: bool,
    /// The final score, a fraction in `0..=1`; 0 exactly if there is no passage.
    pub(super) score: f64,
}

/// The passages of a pair, summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub(super) coverage: Coverage,
    pub(super) n_passages: u32,
    /// Tokens of the longest passage.
    pub(super) longest: u64,
}

/// Evidence of code that a pair shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Support {
    Nothing,
    /// A passage, of which no run must be found.
    Pieces,
    /// A run as long as the guarantee.
    Guaranteed,
}

/// The passages of a pair as matches of tokens.
struct PairPassages {
    /// Ascending by A.
    passages: Vec<Passage>,
    is_guaranteed: bool,
    /// True if a limit on work was met and tokens may match that are in no passage.
    truncated: bool,
    /// Evidence of prose in all passages.
    shown: ProseEvidence,
}

/// A passage of at least the noise threshold.
struct Piece {
    passage: Passage,
    /// Evidence of prose in this passage.
    shown: ProseEvidence,
    /// Whether it is long enough to be shown by itself.
    is_long: bool,
}

/// Matches of one kind of text, and what was left out of them because a limit was met.
struct Matches {
    found: Vec<Match>,
    left_out: LeftOut,
}

/// Score from which on a pair is shown with whatever pieces it shares.
const STRIKING: f64 = 0.2;

/// Long runs that are looked at before all matches are found.
const GLANCES: usize = 8;

/// Rounds in which matches are looked for among tokens that a limit left out, each in what the one before left.
const ROUNDS: usize = 4;

/// Gaps that a passage may bridge, in grams' lengths: an inserted statement or two.
const GAP_IN_GRAMS: usize = 3;

/// Words between two passages of prose that are shown as one, at most, and by which their places differ: half a page.
///
/// Of 100 to 600 words, 250 and 400 are best on the labelled pairs, all kinds together, and 250 joins less that is
/// not re-used (`DESIGN.md`, "How is rewritten prose found?").
const REACH: u32 = 250;

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

    /// Finds the evidence of two members of which `row` is one, to be shown.
    ///
    /// If no passage is long enough although `rank`, the score by shared grams, is striking, because what was copied was cut
    /// to pieces, the pieces are the evidence.
    pub(super) fn find(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> Evidence {
        let PairPassages { passages, truncated, .. } = self.passages(row, (a, b), rank);
        let moved = moved(&passages);
        let coverage = self.coverage(a, b, &passages);
        let shown =
            passages.iter().zip(moved).map(|(passage, moved)| self.show(a, b, passage, moved));
        Evidence { coverage, truncated, passages: shown.collect() }
    }

    /// Sums up the same evidence.
    pub(super) fn extent(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> Extent {
        let PairPassages { passages, .. } = self.passages(row, (a, b), rank);
        let lengths = passages.iter().map(|passage| self.counted(a, b, &passage.tiles));
        Extent {
            coverage: self.coverage(a, b, &passages),
            n_passages: passages.len() as u32,
            longest: lengths.max().unwrap_or(0),
        }
    }

    /// Scores two members, and says whether [`find`](Self::find) shows passages of them.
    ///
    /// Prose is scored by all of its passages. Of code, it is enough to know that there is one.
    pub(super) fn finding(
        &self,
        row: &Row<'_>,
        (a, b): (usize, usize),
        pair: &RankedPair,
    ) -> Finding {
        let is_prose = |of_pairs: &BatchRecipe| {
            let kind = of_pairs.recipe.kind;
            kind != Kind::Code && [a, b].into_iter().all(|member| self.has(member, kind))
        };
        if self.ranking.recipes.iter().any(is_prose) {
            let found = self.passages(row, (a, b), pair.score);
            let score =
                if found.passages.is_empty() { 0.0 } else { self.score((a, b), pair, found.shown) };
            return Finding { is_guaranteed: found.is_guaranteed, score };
        }
        let support = self.support_of_code(row, (a, b), pair.score);
        let is_found = support != Support::Nothing;
        let score = if is_found { evident::of_code(pair.score, pair.contained) } else { 0.0 };
        Finding { is_guaranteed: support == Support::Guaranteed, score }
    }

    /// Looks for a passage of code, and no further than one is sure.
    fn support_of_code(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> Support {
        for (number, recipe) in self.recipes_for(a, b) {
            // Between copies, nearly any seed stands in such a run, and not all matches need be found.
            let is_enough = self.glance(recipe, a, b);
            let Some(shared) = self.shared_unless(row, number, (a, b), is_enough) else {
                return Support::Guaranteed;
            };
            if !self.may_be_passages(recipe, (a, b), &shared, rank) {
                continue;
            }
            let Matches { mut found, left_out } = self.matches(recipe, a, b, shared);
            if found.iter().any(|&found| self.is_guaranteed(recipe, a, b, found)) {
                return Support::Guaranteed;
            }
            if self.may_chain(recipe, (a, b), &found, rank) {
                let (tiles, _) = self.tiles(recipe, (a, b), &mut found, &left_out);
                if !self.pieces(recipe, a, b, (&found, &tiles), rank).is_empty() {
                    return Support::Pieces;
                }
            }
        }
        Support::Nothing
    }

    /// Says of a gram that two members share whether a run as long as the guarantee begins there.
    ///
    /// It is quick because it looks no further into shorter runs, and gives up after a few long ones that are mostly boilerplate,
    /// or differ when read.
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

    /// The recipes for a pair, and their numbers.
    fn recipes_for(&self, a: usize, b: usize) -> impl Iterator<Item = (usize, &Recipe)> {
        let all = self.ranking.recipes.iter().enumerate();
        let own = all.filter(move |(_, of_pairs)| of_pairs.is_for(a, b));
        own.map(|(number, of_pairs)| (number, &of_pairs.recipe))
    }

    /// Matches two members with each other, in each kind of text.
    fn passages(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> PairPassages {
        let mut pieces = Vec::new();
        let (mut is_guaranteed, mut truncated) = (false, false);
        for (number, recipe) in self.recipes_for(a, b) {
            let all = self.shared_unless(row, number, (a, b), |_, _| false);
            let shared = all.expect("no seed is enough");
            if !self.may_be_passages(recipe, (a, b), &shared, rank) {
                continue;
            }
            let Matches { mut found, left_out } = self.matches(recipe, a, b, shared);
            let is_sure = found.iter().any(|&found| self.is_guaranteed(recipe, a, b, found));
            if !is_sure && !self.may_chain(recipe, (a, b), &found, rank) {
                continue;
            }
            let (tiles, is_cut) = self.tiles(recipe, (a, b), &mut found, &left_out);
            pieces.append(&mut self.pieces(recipe, a, b, (&found, &tiles), rank));
            is_guaranteed |= is_sure;
            truncated |= is_cut;
        }
        let has_long = pieces.iter().any(|piece| piece.is_long);
        pieces.retain(|piece| piece.is_long || !has_long);
        let shown = pieces.iter().map(|piece| piece.shown).sum();
        let mut passages: Vec<Passage> = pieces.into_iter().map(|piece| piece.passage).collect();
        passages.sort_unstable_by_key(|passage| passage.tiles[0]);
        PairPassages { passages, is_guaranteed, truncated, shown }
    }

    /// Returns whether these seeds may yield a passage. What most pairs share of idioms is too little; in prose, single words count too.
    fn may_be_passages(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        shared: &SharedSeeds,
        rank: f64,
    ) -> bool {
        let all_count = recipe.kind == Kind::Words || rank >= STRIKING;
        let enough = if all_count { 1 } else { self.enough(a, b, recipe) };
        shared.most_tokens().is_none_or(|most| most >= enough)
    }

    /// Returns whether these matches, none of which is as long as the guarantee, may yield a passage together.
    fn may_chain(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        matches: &[Match],
        rank: f64,
    ) -> bool {
        let enough = if rank >= STRIKING { 1 } else { self.enough(a, b, recipe) };
        let max_gap = GAP_IN_GRAMS * recipe.thresholds.noise();
        recipe.kind == Kind::Words || may_chain(&mut matches.to_vec(), max_gap, enough)
    }

    /// The tiles of these matches, and whether more may match.
    ///
    /// If a limit was met, matches are looked for once more among the tokens that no tile covers, by
    /// [`repetitive_matches`], and added to `found`. Repetitive tables, most of all, are then matched whole.
    fn tiles(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        found: &mut Vec<Match>,
        left_out: &LeftOut,
    ) -> (Vec<Match>, bool) {
        let noise = recipe.thresholds.noise();
        let mut tiles = Vec::new();
        tile(found, noise as u32, &mut tiles);
        for _ in 0..ROUNDS {
            let mut more = self.beside(recipe, (a, b), &tiles, left_out);
            if more.is_empty() {
                return (tiles, false);
            }
            found.append(&mut more);
            tiles.clear();
            tile(found, noise as u32, &mut tiles);
        }
        let is_cut = !self.beside(recipe, (a, b), &tiles, left_out).is_empty();
        (tiles, is_cut)
    }

    /// Matches, of what was left out, among the tokens that `tiles` leave.
    fn beside(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        tiles: &[Match],
        left_out: &LeftOut,
    ) -> Vec<Match> {
        if !left_out.is_some() {
            return Vec::new();
        }
        let mut in_b: Vec<Range<usize>> = tiles.iter().map(|tile| tile.range_b()).collect();
        in_b.sort_unstable_by_key(|range| range.start);
        let in_a: Vec<Range<usize>> = tiles.iter().map(|tile| tile.range_a()).collect();
        let [left_a, left_b] = [(a, in_a), (b, in_b)]
            .map(|(member, taken)| without(self.wanted(recipe, member).into_iter(), &taken));
        let a = Side { tokens: &self.held(a).numbers, wanted: &left_a };
        let b = Side { tokens: &self.held(b).numbers, wanted: &left_b };
        let noise = recipe.thresholds.noise();
        repetitive_matches(a, b, left_out, noise, &[], noise)
    }

    /// The tokens of a member that are of a recipe's kind and no boilerplate.
    fn wanted(&self, recipe: &Recipe, member: usize) -> Vec<Range<usize>> {
        let documents = self.batch.members[member].outline.ranges(recipe.kind);
        without(documents, &self.grey[member])
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

    /// The seeds that two members share in one kind of text; nothing if one of them `is_enough`, given its positions in A and
    /// in B.
    fn shared_unless(
        &self,
        row: &Row<'_>,
        number: usize,
        (a, b): (usize, usize),
        is_enough: impl FnMut(u32, u32) -> bool,
    ) -> Option<SharedSeeds> {
        let (held_a, held_b) = (self.held(a), self.held(b));
        let (table_of, other) =
            if row.member == a { (TableOf::A, held_b) } else { (TableOf::B, held_a) };
        let (table, other) = (&row.tables[number], &other.seeds[number]);
        // A gram of boilerplate is no seed, so that a run may have its first seed in the middle.
        let base = &self.ranking.recipes[number].base;
        let tokens = base.is_empty().then_some((&held_a.numbers[..], &held_b.numbers[..]));
        SharedSeeds::unless(table, table_of, other, tokens, is_enough)
    }

    /// The matches of two members at these seeds.
    ///
    /// Where a limit was met and none of the matches is as long as the guarantee, those that are come
    /// from [`repetitive_matches`]. It costs too much where they would only be more of the same.
    fn matches(&self, recipe: &Recipe, a: usize, b: usize, shared: SharedSeeds) -> Matches {
        let (numbers_a, numbers_b) = (&self.held(a).numbers, &self.held(b).numbers);
        let Extension { matches: mut found, left_out } =
            maximal_matches(numbers_a, numbers_b, shared);
        let is_sure = |&found: &Match| self.is_guaranteed(recipe, a, b, found);
        if left_out.is_some() && !found.iter().any(is_sure) {
            let mut more = self.repetitive(recipe, (a, b), &found, &left_out);
            found.append(&mut more);
        }
        Matches { found, left_out }
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
        let [wanted_a, wanted_b] = [a, b].map(|member| self.wanted(recipe, member));
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

    /// Matches of one kind of text, with their tiles, as passages, in no order: the long ones, and all if `rank` is striking.
    fn pieces(
        &self,
        recipe: &Recipe,
        a: usize,
        b: usize,
        (matches, tiles): (&[Match], &[Match]),
        rank: f64,
    ) -> Vec<Piece> {
        let mut pieces = match recipe.kind {
            Kind::Words => self.passages_of_prose(recipe, (a, b), tiles, rank),
            Kind::Code | Kind::Chars => self.passages_of_tiles(recipe, (a, b), tiles),
        };
        pieces.retain(|piece| piece.is_long || rank >= STRIKING);
        if !pieces.iter().any(|piece| piece.is_long) {
            // Longer matches that are mostly boilerplate may have cut up one that must be found.
            let mut guaranteed = matches.iter().filter_map(|&m| self.guaranteed(recipe, a, b, m));
            let passage = guaranteed.next().map(|found| Passage { tiles: vec![found] });
            pieces.extend(passage.map(|passage| self.piece(recipe, (a, b), passage, true)));
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
            (counted >= noise as u64).then(|| self.piece(recipe, (a, b), passage, is_long))
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
        rank: f64,
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
            rank >= STRIKING || *is_surprising || has_long()
        });
        let (mut long, mut short) = (Vec::new(), Vec::new());
        for (passage, is_surprising) in chained {
            let words = passage.tiles.iter();
            let read: Vec<Match> = words.flat_map(|&tile| self.verified(a, b, tile, 1)).collect();
            let longest = longest(&read);
            // Words that only have equal hashes tell nothing.
            let is_long = most_words(&read) >= enough || is_surprising && read == passage.tiles;
            if longest >= noise {
                if is_long { &mut long } else { &mut short }.push(Passage { tiles: read });
            }
        }
        let joined = [(long, true), (short, false)].into_iter().flat_map(|(passages, is_long)| {
            let joined = join_near(passages, REACH, same_documents);
            joined.into_iter().map(move |passage| self.piece(recipe, (a, b), passage, is_long))
        });
        joined.collect()
    }

    /// Measures the prose of a passage.
    fn piece(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        passage: Passage,
        is_long: bool,
    ) -> Piece {
        let bits = self.held(a).bits.shared(&self.held(b).bits, &passage.tiles);
        let words = surprise::words(recipe.kind, self.counted(a, b, &passage.tiles));
        Piece { passage, shown: ProseEvidence { bits, words }, is_long }
    }

    /// Scores a pair with passages: by what these show of prose if one of the two has no code, and by shared grams that passages
    /// bear out if both have. Then prose counts as far as the smaller one of the two consists of it.
    fn score(&self, (a, b): (usize, usize), pair: &RankedPair, shown: ProseEvidence) -> f64 {
        let words = [a, b].map(|member| self.words(member));
        let of_prose = surprise::score(shown, words.into());
        let n_code = [a, b].map(|member| self.counted_of(member, Kind::Code));
        if n_code.contains(&0) {
            return of_prose;
        }
        let share = |(words, n_code): (f64, u64)| words / (words + n_code as f64).max(1.0);
        let [share_a, share_b] = [(words[0], n_code[0]), (words[1], n_code[1])].map(share);
        evident::of_code(pair.score, pair.contained).max(share_a.min(share_b) * of_prose)
    }

    /// Returns whether a member has text of a kind.
    fn has(&self, member: usize, kind: Kind) -> bool {
        self.batch.members[member].outline.ranges(kind).next().is_some()
    }

    /// Words of a member's prose that are not boilerplate.
    fn words(&self, member: usize) -> f64 {
        let of_kind = |kind| surprise::words(kind, self.counted_of(member, kind));
        of_kind(Kind::Words) + of_kind(Kind::Chars)
    }

    /// Tokens of one kind of a member that are not boilerplate.
    fn counted_of(&self, member: usize, kind: Kind) -> u64 {
        outside(self.batch.members[member].outline.ranges(kind), &self.grey[member])
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

    /// Counts a match in words, of which characters of scripts without spaces are parts.
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

/// Which passages stand in another order in B than in A.
///
/// The heaviest set of passages that are in the same order in both has not moved; all others have.
fn moved(passages: &[Passage]) -> Vec<bool> {
    let start_b = |passage: &Passage| passage.tiles.iter().map(|tile| tile.b).min();
    let starts_b: Vec<Option<u32>> = passages.iter().map(start_b).collect();
    let mut best: Vec<u64> = Vec::with_capacity(passages.len());
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(passages.len());
    for (i, passage) in passages.iter().enumerate() {
        let before = i.saturating_sub(MOVED_LOOK_BACK)..i;
        let from = before.filter(|&j| starts_b[j] < starts_b[i]).max_by_key(|&j| (best[j], j));
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
}
