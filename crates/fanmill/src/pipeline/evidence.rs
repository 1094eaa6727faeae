//! Evidence of a pair: its matches, verified, and their places in the files.

use std::ops::Range;

use crate::base;
use crate::fingerprint::Recipe;
use crate::matches::{
    Extension, LeftOut, Match, Passage, Prose, SeedTexts, Seeds, SharedSeeds, Side, Table, TableOf,
    agree, chain, extend, join_near, maximal_matches, may_chain, repetitive_matches, rewritten,
    tile,
};
use crate::pipeline::moved::moved;
use crate::pipeline::recipes::BatchRecipe;
use crate::pipeline::source_texts::SourceTexts;
use crate::pipeline::token_cache::TokenCache;
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
    held: Vec<TokenCache>,
    /// Per member, its class; `None` for base documents.
    classes: Vec<Option<usize>>,
    written: SourceTexts<'a>,
}

/// A member whose seeds can be looked up by their hashes, for all of its pairs.
pub(super) struct Row<'a> {
    member: usize,
    /// One table for each recipe.
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
    /// True if a passage contains a run as long as the guarantee, which must be found.
    pub(super) is_guaranteed: bool,
    /// The final score, a fraction in `0..=1`; 0 exactly if there is no passage.
    pub(super) score: f64,
}

/// A summary of a pair's passages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub(super) coverage: Coverage,
    pub(super) n_passages: u32,
    /// Number of tokens of the longest passage.
    pub(super) longest: u64,
}

/// Evidence of code that a pair shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvidenceLevel {
    Nothing,
    /// A passage without a run that must be found.
    Pieces,
    /// A run as long as the guarantee.
    Guaranteed,
}

/// The passages of a pair as matches of tokens.
struct PairPassages {
    /// Ascending by A.
    passages: Vec<Passage>,
    is_guaranteed: bool,
    /// True if a limit on work was met, and matching tokens may be missing from the passages.
    truncated: bool,
    /// Evidence of prose in all passages.
    shown: ProseEvidence,
}

/// A passage of at least the noise threshold.
struct Piece {
    passage: Passage,
    /// Evidence of prose in this passage.
    shown: ProseEvidence,
    /// True if it is long enough to be shown by itself.
    is_long: bool,
}

/// Matches of one kind of text, and what is left out of them because a limit was met.
struct Matches {
    found: Vec<Match>,
    left_out: LeftOut,
    /// Number of tokens from which on matches were looked for.
    least: usize,
}

/// Score from which on a pair is shown with any pieces that it shares.
const STRIKING: f64 = 0.2;

/// Maximum number of long runs looked at before all matches are found.
const GLANCES: usize = 8;

/// Maximum number of rounds that look for matches among tokens left out by a limit, each in what the one before left.
const ROUNDS: usize = 4;

/// Maximum gap that a passage may bridge, in lengths of a gram: an inserted statement or two.
const GAP_IN_GRAMS: usize = 3;

/// Maximum number of words between two passages of prose that are shown as one, and maximum difference of these gaps:
/// half a page.
///
/// Of 100 to 600 words, 250 and 400 are best on the labelled pairs of all kinds together, and 250 joins less text that
/// was not re-used (`design/rewritten-prose.md`).
const REACH: u32 = 250;

impl<'a> Finder<'a> {
    /// Creates a finder; `held` are the tokens of each class.
    pub(super) fn new(
        batch: &'a Batch<'a>,
        ranking: &'a Ranking,
        held: Vec<TokenCache>,
    ) -> Finder<'a> {
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
            written: SourceTexts::new(batch),
        }
    }

    /// Frees memory that evidence needed and that can be filled again, if it is much.
    pub(super) fn tidy(&mut self) {
        self.written.tidy();
    }

    /// Returns the one of two members that the other is looked up in: the one with more seeds.
    pub(super) fn row_of(&self, (a, b): (usize, usize)) -> usize {
        let n_seeds = |member: usize| self.held(member).seeds.iter().map(Seeds::len).sum::<usize>();
        if n_seeds(a) > n_seeds(b) { a } else { b }
    }

    /// Prepares a member for its pairs.
    pub(super) fn row(&self, member: usize) -> Row<'_> {
        Row { member, tables: self.held(member).seeds.iter().map(Table::new).collect() }
    }

    /// Finds the evidence of two members, to be shown; `row` is one of the two.
    ///
    /// If what was copied was cut to pieces, no passage may be long enough although `rank`, the score by shared grams,
    /// is striking. Then the pieces are the evidence.
    pub(super) fn find(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> Evidence {
        let PairPassages { passages, truncated, .. } = self.passages(row, (a, b), rank);
        let moved = moved(&passages);
        let coverage = self.coverage(a, b, &passages);
        let shown =
            passages.iter().zip(moved).map(|(passage, moved)| self.show(a, b, passage, moved));
        Evidence { coverage, truncated, passages: shown.collect() }
    }

    /// Sums up the evidence that [`find`](Self::find) shows.
    pub(super) fn extent(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> Extent {
        let PairPassages { passages, .. } = self.passages(row, (a, b), rank);
        let lengths = passages.iter().map(|passage| self.counted(a, b, &passage.tiles));
        Extent {
            coverage: self.coverage(a, b, &passages),
            n_passages: passages.len() as u32,
            longest: lengths.max().unwrap_or(0),
        }
    }

    /// Scores two members, and checks whether [`find`](Self::find) shows passages of them.
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
        let is_found = support != EvidenceLevel::Nothing;
        let score = if is_found { evident::of_code(pair.score, pair.contained) } else { 0.0 };
        Finding { is_guaranteed: support == EvidenceLevel::Guaranteed, score }
    }

    /// Looks for a passage of code, only until the answer is certain.
    fn support_of_code(&self, row: &Row<'_>, (a, b): (usize, usize), rank: f64) -> EvidenceLevel {
        for (number, recipe) in self.recipes_for(a, b) {
            // Between copies, nearly any seed lies in such a run, and not all matches need be found.
            let is_enough = self.glance(recipe, a, b);
            let Some(shared) = self.shared_unless(row, number, (a, b), is_enough) else {
                return EvidenceLevel::Guaranteed;
            };
            let mut matches = self.matches(recipe, a, b, shared);
            if matches.found.iter().any(|&found| self.is_guaranteed(recipe, a, b, found)) {
                return EvidenceLevel::Guaranteed;
            }
            if self.may_chain(recipe, (a, b), &matches.found, rank) {
                let (tiles, _) = self.tiles(recipe, (a, b), &mut matches);
                if !self.pieces(recipe, a, b, (&matches.found, &tiles), rank).is_empty() {
                    return EvidenceLevel::Pieces;
                }
            }
        }
        EvidenceLevel::Nothing
    }

    /// Returns a test whether a run as long as the guarantee begins at a gram that two members share.
    ///
    /// It is quick: it does not look into shorter runs, and gives up after a few long ones that are mostly boilerplate,
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

    /// Returns the recipes for a pair, with their numbers.
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
            let mut matches = self.matches(recipe, a, b, shared);
            let is_sure =
                matches.found.iter().any(|&found| self.is_guaranteed(recipe, a, b, found));
            if !is_sure && !self.may_chain(recipe, (a, b), &matches.found, rank) {
                continue;
            }
            let (tiles, is_cut) = self.tiles(recipe, (a, b), &mut matches);
            pieces.append(&mut self.pieces(recipe, a, b, (&matches.found, &tiles), rank));
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

    /// Returns whether these matches, all shorter than the guarantee, may yield a passage together.
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

    /// Returns the tiles of these matches, and whether more may match.
    ///
    /// If a limit was met, [`repetitive_matches`] looks for more matches among the tokens that no tile covers, in up to
    /// [`ROUNDS`] rounds, and they are added to `matches`. This matches repetitive tables, above all, as a whole.
    fn tiles(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        matches: &mut Matches,
    ) -> (Vec<Match>, bool) {
        let noise = recipe.thresholds.noise();
        let lacks_short = matches.least > noise;
        let mut tiles = Vec::new();
        tile(&matches.found, noise as u32, &mut tiles);
        for _ in 0..ROUNDS {
            let mut more = self.beside(recipe, (a, b), &tiles, matches);
            if more.is_empty() {
                return (tiles, lacks_short);
            }
            matches.found.append(&mut more);
            tiles.clear();
            tile(&matches.found, noise as u32, &mut tiles);
        }
        let is_cut = lacks_short || !self.beside(recipe, (a, b), &tiles, matches).is_empty();
        (tiles, is_cut)
    }

    /// Finds matches that were left out, among the tokens that `tiles` do not cover.
    fn beside(
        &self,
        recipe: &Recipe,
        (a, b): (usize, usize),
        tiles: &[Match],
        matches: &Matches,
    ) -> Vec<Match> {
        if !matches.left_out.is_some() {
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
        repetitive_matches(a, b, &matches.left_out, noise, &[], matches.least)
    }

    /// Returns the tokens of a member that are of a recipe's kind and not boilerplate.
    fn wanted(&self, recipe: &Recipe, member: usize) -> Vec<Range<usize>> {
        let documents = self.batch.members[member].outline.ranges(recipe.kind);
        without(documents, &self.grey[member])
    }

    /// Returns whether a match must be found, by the promise of its selector.
    fn is_guaranteed(&self, recipe: &Recipe, a: usize, b: usize, found: Match) -> bool {
        self.guaranteed(recipe, a, b, found).is_some()
    }

    /// Returns the first part of a match that must be found, by the promise of its selector.
    fn guaranteed(&self, recipe: &Recipe, a: usize, b: usize, found: Match) -> Option<Match> {
        let least = recipe.selector.guarantee(recipe.thresholds)?;
        let is_long = |part: &Match| self.counted_words(a, b, *part) >= least as u64;
        // Most matches are shorter, and need not be read.
        let parts = is_long(&found).then(|| self.verified(a, b, found, least));
        parts?.into_iter().find(is_long)
    }

    /// Finds the seeds that two members share by one recipe; `None` if one of them `is_enough`, given its positions in
    /// A and in B.
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
        // Grams of boilerplate are not seeds, so the first seed of a run may lie in its middle.
        let BatchRecipe { base, recipe, .. } = &self.ranking.recipes[number];
        let noise = recipe.thresholds.noise();
        let texts = SeedTexts {
            a: &held_a.numbers[..],
            b: &held_b.numbers[..],
            is_whole: base.is_empty(),
            guarantee: recipe.selector.guarantee(recipe.thresholds).unwrap_or(noise),
        };
        SharedSeeds::unless(table, table_of, other, texts, is_enough)
    }

    /// Returns the matches of two members at these seeds.
    ///
    /// If a limit was met and no match is as long as the guarantee, [`repetitive_matches`] finds those that are. It
    /// would cost too much where it only found more of the same.
    fn matches(&self, recipe: &Recipe, a: usize, b: usize, shared: SharedSeeds) -> Matches {
        let (numbers_a, numbers_b) = (&self.held(a).numbers, &self.held(b).numbers);
        let Extension { matches: mut found, left_out, least } =
            maximal_matches(numbers_a, numbers_b, shared);
        let is_sure = |&found: &Match| self.is_guaranteed(recipe, a, b, found);
        if left_out.is_some() && !found.iter().any(is_sure) {
            let mut more = self.repetitive(recipe, (a, b), &found, &left_out);
            found.append(&mut more);
        }
        Matches { found, left_out, least }
    }

    /// Returns the matches that the selector promises and that `found` lacks because a limit was met.
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

    /// Returns the parts of a match whose words are the same when read.
    fn verified(&self, a: usize, b: usize, found: Match, least: usize) -> Vec<Match> {
        let numbers = &self.held(a).numbers[found.range_a()];
        self.written.verified(a, b, found, numbers, least)
    }

    /// Returns the tokens of a member.
    fn held(&self, member: usize) -> &TokenCache {
        &self.held[self.classes[member].expect("base documents are in no pair")]
    }

    /// Returns passages of one kind of text, unsorted, from matches and their tiles: the long ones, or all if `rank` is
    /// striking.
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

    /// Joins tiles close to each other into passages.
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

    /// Joins tiles of prose into passages, with the words between them that both sides share. A passage is long if it
    /// contains a long tile, or is surprising as a whole.
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
        // Reading words costs more than everything else, so it is left out where nothing would be shown.
        chained.retain(|(passage, is_surprising)| {
            let has_long = || most_words(&passage.tiles) >= enough;
            rank >= STRIKING || *is_surprising || has_long()
        });
        let (mut long, mut short) = (Vec::new(), Vec::new());
        for (passage, is_surprising) in chained {
            let words = passage.tiles.iter();
            let read: Vec<Match> = words.flat_map(|&tile| self.verified(a, b, tile, 1)).collect();
            let longest = longest(&read);
            // Words that only have equal hashes are not evidence.
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

    /// Scores a pair with passages. If one of the two has no code, what the passages show of prose is the score. If
    /// both have code, the score is that of shared grams that passages confirm, or that of prose, weighted with the
    /// lower share of prose of the two, if that is higher.
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

    /// Counts the words of a member's prose that are not boilerplate.
    fn words(&self, member: usize) -> f64 {
        let of_kind = |kind| surprise::words(kind, self.counted_of(member, kind));
        of_kind(Kind::Words) + of_kind(Kind::Chars)
    }

    /// Counts the tokens of one kind of a member that are not boilerplate.
    fn counted_of(&self, member: usize, kind: Kind) -> u64 {
        outside(self.batch.members[member].outline.ranges(kind), &self.grey[member])
    }

    /// Returns whether two matches lie in the same document on both sides.
    fn same_documents(&self, (a, b): (usize, usize), x: Match, y: Match) -> bool {
        let document = |member: usize, token: u32| {
            let outline: &Outline = &self.batch.members[member].outline;
            outline.documents[outline.part_of(token as usize)].document
        };
        document(a, x.a) == document(a, y.a) && document(b, x.b) == document(b, y.b)
    }

    /// Counts the tokens of some matches that are boilerplate on neither side.
    fn counted(&self, a: usize, b: usize, matches: &[Match]) -> u64 {
        let (grey_a, grey_b) = (&self.grey[a], &self.grey[b]);
        let in_a = outside(matches.iter().map(|found| found.range_a()), grey_a);
        in_a.min(outside(matches.iter().map(|found| found.range_b()), grey_b))
    }

    /// Counts the words of a match; characters of scripts without spaces are parts of words.
    fn counted_words(&self, a: usize, b: usize, found: Match) -> u64 {
        self.held(a).n_words.of(self.counted(a, b, &[found]), found.range_a())
    }

    /// Returns the number of counted tokens that a passage needs to be shown: the guarantee, or half of the shorter
    /// submission if that is less.
    ///
    /// Single matches between noise and guarantee are mostly idioms. They count where they are close enough to others
    /// to make a passage together.
    fn enough(&self, a: usize, b: usize, recipe: &Recipe) -> usize {
        let guarantee =
            recipe.selector.guarantee(recipe.thresholds).unwrap_or(recipe.thresholds.guarantee());
        let size = |member: usize| self.batch.members[member].outline.n_tokens_of(recipe.kind);
        guarantee.min(size(a).min(size(b)) / 2).max(recipe.thresholds.noise())
    }

    /// Counts covered tokens; boilerplate is left out on both sides of the fraction.
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
        let cells = passage.tiles.iter().flat_map(|&tile| self.within_cells(a, b, tile));
        let matches = cells.map(|found| report::Match {
            tokens: found.len,
            a: self.place(a, found.range_a()),
            b: self.place(b, found.range_b()),
        });
        report::Passage {
            tokens: self.counted(a, b, &passage.tiles),
            moved,
            matches: matches.collect(),
        }
    }

    /// Returns the parts of a match that lie within one cell on both sides: what lies between the cells of a document
    /// is not of the match.
    fn within_cells(&self, a: usize, b: usize, found: Match) -> Vec<Match> {
        let from = |first: u32| move |token: usize| (token - first as usize) as u32;
        let in_a = self.written.cell_starts(a, found.range_a()).into_iter().map(from(found.a));
        let in_b = self.written.cell_starts(b, found.range_b()).into_iter().map(from(found.b));
        let mut cuts: Vec<u32> = in_a.chain(in_b).chain([0, found.len]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let part = |cut: &[u32]| {
            let (a, b, len) = (found.a + cut[0], found.b + cut[0], cut[1] - cut[0]);
            Match { a, b, len }
        };
        cuts.windows(2).map(part).collect()
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
