//! The ranking of pairs: boilerplate is taken out, candidates are found, and each is scored.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::base::{self, Boilerplate};
use crate::cluster::forest::Forest;
use crate::index::SubmissionId;
use crate::pair::Candidate;
use crate::pipeline::batch::of_each;
use crate::pipeline::candidates::{CandidateKeys, Candidates, RareShare, Search};
use crate::pipeline::recipes::BatchRecipe;
use crate::pipeline::{Batch, Config, Member};
use crate::score::fusion::{Size, fused};
use crate::score::rarity::{self, Scores, Shared};
use crate::score::tally::{self, Amount, Cut, Gathering, Holdings, PARTS, Row, Tally};
use crate::score::{Channel, Groups, Profile, outside, without};
use fanmill_text::document::Role;
use fanmill_text::error::Result;
use fanmill_text::frontend::Kind;
use fanmill_text::progress::Progress;
use fanmill_text::span::Span;
use fanmill_text::token::{Columns, Stream};

/// The scored pairs of a batch, with the boilerplate and the classes found on the way.
#[derive(Debug)]
pub struct Ranking {
    /// Pairs that share a fingerprint, best first. Members of one class of identical submissions represent each other:
    /// only the pair of their representatives is listed.
    pub pairs: Vec<RankedPair>,
    /// One for each kind of text, and one for short programs.
    pub(super) recipes: Vec<BatchRecipe>,
    /// Per member, its boilerplate as token ranges, ascending.
    pub(super) grey: Vec<Runs>,
    /// Place of each of these runs in its document.
    pub(super) grey_spans: Vec<Vec<Span>>,
    /// Archived and new members with equal tokens and names, ascending, the representative first. Classes ascend by
    /// their representatives.
    pub(super) classes: Vec<Vec<usize>>,
    /// True if there were more candidates than a run may score.
    pub(super) is_limited: bool,
}

/// Boilerplate as token ranges, ascending.
type Runs = Vec<(Range<usize>, Boilerplate)>;

/// Two classes of members and their score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedPair {
    /// Index of one class; equal to `b` for pairs within a class.
    pub a: SubmissionId,
    /// Index of the other class.
    pub b: SubmissionId,
    /// A fraction in `0..=1`: [`crate::score::fusion`].
    pub score: f64,
    /// Share of the smaller one's grams of code that the other one has too, however common: a fraction in `0..=1`; 0 if
    /// they are too few to judge.
    pub contained: f64,
    /// Weight of what they share in the channel that decided: the amount of evidence behind the score.
    pub evidence: u64,
    /// Number of tokens of the longest run that the two share and few others have ([`crate::rare_runs`]); 0 if there is
    /// none of guarantee length, and for identical submissions.
    pub rare_run: u32,
    /// Number of tokens of the longest run that the two share and at most [`FEW`](crate::rare_runs::FEW) submissions
    /// have; 0 if there is none.
    pub run_of_few: u32,
}

impl Ranking {
    /// Scores the pairs of a batch.
    ///
    /// # Errors
    /// If the configured thresholds contradict each other, or the run is cancelled.
    pub fn new(batch: &Batch<'_>, config: &Config, progress: &dyn Progress) -> Result<Ranking> {
        let members = &batch.members;
        let recipes = BatchRecipe::all(batch, config, progress)?;
        let (grey, grey_spans) = cover_all(batch, &recipes, config.quotes, progress)?;
        let classes = classes(members);
        // Each class of identical submissions is read once, by its first member.
        let first: Vec<usize> = classes.iter().map(|class| class[0]).collect();
        let ClassReading { channels, meetings, profiles, of_code } =
            ClassReading::new(batch, &first, &recipes, &grey, progress)?;
        let has_any: Vec<bool> =
            meetings.iter().map(|of| of.iter().any(CandidateKeys::has_fingerprints)).collect();
        let of_recipes = recipes.iter().zip(transposed(recipes.len(), meetings));
        let mut kinds = Vec::new();
        for (of_pairs, meetings) in of_recipes {
            let may_meet = |a: usize, b: usize| {
                let has_new = has_new(members, &classes[a]) || has_new(members, &classes[b]);
                has_new && of_pairs.is_for(first[a], first[b])
            };
            let recipe = &of_pairs.recipe;
            let n_tokens = |member: usize| members[member].outline.n_tokens_of(recipe.kind);
            let least = first.iter().map(|&member| recipe.least_shared(n_tokens(member))).collect();
            let search = Search { recipe, limits: &config.candidates, progress };
            kinds.push(search.candidates(&meetings, least, may_meet)?);
        }
        let Candidates { pairs: candidates, rare_runs, is_limited } = Candidates::joined(kinds);
        // Pairs within a class are not among the candidates: they are added to them.
        let identical = (0..).zip(&classes).filter(|(id, class)| {
            class.len() > 1 && has_new(members, class) && has_any[*id as usize]
        });
        let identical: Vec<SubmissionId> = identical.map(|(id, _)| id).collect();

        let compared = Scorer {
            profiles: &profiles,
            candidates: &candidates,
            progress,
            rooms: &ThreadScratch::new(classes.len()),
        };
        let (scores, groups) = compared.scores(channels)?;
        let counted = |&member: &usize| Counted::new(&members[member], &base::union(&grey[member]));
        let counted: Vec<Counted> = first.iter().map(counted).collect();
        let mixed = mixed_candidates(&candidates, &counted);
        let of_code = Scorer { profiles: &of_code, candidates: &mixed, ..compared };
        let of_mixed = OfMixed::new(&of_code, channels, &groups, &counted)?;
        let sizes = Sizes { of_grams: compared.sizes(), counted };
        let pairs = rank(&candidates, &rare_runs, &identical, &scores, &sizes, &of_mixed);
        Ok(Ranking { pairs, recipes, grey, grey_spans, classes, is_limited })
    }

    /// Counts the pairs of members that a pair of classes represents.
    pub fn n_pairs(&self, pair: &RankedPair, batch: &Batch) -> u64 {
        let count = |class: SubmissionId, only_archived: bool| {
            let archived = |&member: &usize| batch.members[member].submission.role == Role::Archive;
            let members = self.classes[class as usize].iter();
            members.filter(|&member| !only_archived || archived(member)).count() as u64
        };
        let pairs = |only_archived: bool| {
            let (first, second) = (count(pair.a, only_archived), count(pair.b, only_archived));
            if pair.a == pair.b { first * first.saturating_sub(1) / 2 } else { first * second }
        };
        pairs(false) - pairs(true)
    }

    /// Returns the pairs of members of two classes: all combinations except archive with archive.
    pub fn members_of<'a>(
        &'a self,
        pair: &RankedPair,
        batch: &'a Batch<'_>,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let (first, second) = (&self.classes[pair.a as usize], &self.classes[pair.b as usize]);
        let is_new = |member: usize| batch.members[member].submission.role == Role::New;
        let same = pair.a == pair.b;
        first.iter().flat_map(move |&x| {
            let partners = second.iter().filter(move |&&y| !same || x < y);
            partners
                .map(move |&y| (x.min(y), x.max(y)))
                .filter(move |&(x, y)| is_new(x) || is_new(y))
        })
    }
}

/// The classes of a batch, read once.
struct ClassReading {
    channels: &'static [Channel],
    /// Keys of each class, by recipe.
    meetings: Vec<Vec<CandidateKeys>>,
    /// Per channel, the profiles of the classes.
    profiles: Vec<Vec<Profile>>,
    /// Per channel, profiles without the prose of documents that mix prose and code; empty if there are none.
    of_code: Vec<Vec<Profile>>,
}

impl ClassReading {
    /// Reads the members `first`, one of each class.
    fn new(
        batch: &Batch<'_>,
        first: &[usize],
        recipes: &[BatchRecipe],
        grey: &[Runs],
        progress: &dyn Progress,
    ) -> Result<ClassReading> {
        let is_code = batch.kinds().contains(&Kind::Code);
        let channels = Channel::all_of(if is_code { Kind::Code } else { Kind::Words });
        let has_prose = |&member: &usize| !batch.members[member].prose_of_cells().is_empty();
        let is_mixed = is_code && first.iter().any(has_prose);
        let read = of_each(first, (progress, "fingerprinting"), |member| {
            let columns = if is_code { Columns::Spelled } else { Columns::Symbols };
            let stream = batch.stream(member, columns);
            let profiles = |aside: &[Range<usize>]| -> Vec<Profile> {
                let may_be_shared = |hash| batch.shared.may_be_shared(hash);
                let profile = |&channel| Profile::new(&stream, channel, aside, may_be_shared);
                channels.iter().map(profile).collect()
            };
            let aside = base::union(&grey[member]);
            let of_code = is_mixed.then(|| profiles(&with_prose(&aside, &batch.members[member])));
            let keys = CandidateKeys::new(batch, member, &stream, recipes, &grey[member]);
            (keys, (profiles(&aside), of_code))
        })?;
        let (meetings, profiles): (Vec<Vec<CandidateKeys>>, Vec<_>) = read.into_iter().unzip();
        let (profiles, of_code): (Vec<Vec<Profile>>, Vec<Option<Vec<Profile>>>) =
            profiles.into_iter().unzip();
        let profiles = transposed(channels.len(), profiles);
        let of_code = transposed(channels.len(), of_code.into_iter().flatten().collect());
        Ok(ClassReading { channels, meetings, profiles, of_code })
    }
}

/// Finds the boilerplate of all members, and the bytes of each of its runs.
fn cover_all(
    batch: &Batch<'_>,
    recipes: &[BatchRecipe],
    quotes: bool,
    progress: &dyn Progress,
) -> Result<(Vec<Runs>, Vec<Vec<Span>>)> {
    let n = batch.members.len();
    let is_any_quoted = quotes && recipes.iter().any(|of| of.recipe.kind == Kind::Words);
    if !is_any_quoted && recipes.iter().all(|of| of.base.is_empty()) {
        return Ok((vec![Runs::new(); n], vec![Vec::new(); n]));
    }
    let all: Vec<usize> = (0..n).collect();
    let covered = of_each(&all, (progress, "marking boilerplate"), |member| {
        let stream = batch.stream(member, Columns::Placed);
        let quoted = if is_any_quoted { batch.quoted(member) } else { Vec::new() };
        let own = recipes.iter().filter(|of| of.covers(member));
        let runs = cover(&stream, own, quoted);
        let spans = &stream.tokens.spans;
        let span = |tokens: &Range<usize>| spans[tokens.start].join(spans[tokens.end - 1]);
        let places = runs.iter().map(|(tokens, _)| span(tokens)).collect();
        (runs, places)
    })?;
    Ok(covered.into_iter().unzip())
}

/// Returns the boilerplate of one member, ascending; quotations count as such only where they are no other boilerplate.
fn cover<'r>(
    stream: &Stream,
    recipes: impl Iterator<Item = &'r BatchRecipe>,
    quoted: Vec<Range<usize>>,
) -> Runs {
    let mut runs = Vec::new();
    for of_pairs in recipes {
        of_pairs.base.cover(stream, &of_pairs.recipe, &mut runs);
    }
    runs.sort_unstable_by_key(|(range, _)| range.start);
    let others = base::union(&runs);
    let quoted = without(quoted.into_iter(), &others);
    runs.extend(quoted.into_iter().map(|range| (range, Boilerplate::Quoted)));
    runs.sort_unstable_by_key(|(range, _)| range.start);
    runs
}

/// Groups new and archived members whose tokens and names are equal.
///
/// Each class is indexed and weighed once: a solution handed in by a hundred is no weaker evidence for it, and five
/// thousand copies of one file cost no more than one.
fn classes(members: &[Member]) -> Vec<Vec<usize>> {
    let compared = |&i: &usize| members[i].submission.role != Role::Base;
    let mut keyed: Vec<(u128, usize)> =
        (0..members.len()).filter(compared).map(|i| (members[i].content, i)).collect();
    keyed.sort_unstable();
    let groups = keyed.chunk_by(|x, y| x.0 == y.0);
    let mut classes: Vec<Vec<usize>> =
        groups.map(|group| group.iter().map(|&(_, i)| i).collect()).collect();
    classes.sort_unstable_by_key(|class| class[0]);
    classes
}

fn has_new(members: &[Member], class: &[usize]) -> bool {
    class.iter().any(|&member| members[member].submission.role == Role::New)
}

/// Share in a channel from which on two submissions are near-copies, which count as one when rarity is weighed.
///
/// Measured on the labelled sets (`design/ranking.md`): from .25 to .4 it makes little difference; at
/// .2, chains of independent programs become one group.
const NEAR: f64 = 0.3;

/// Channels whose shares reveal near-copies, if there are several. The structural channel finds fewer of them, and
/// literals cost more than they add.
const TELLING: [Channel; 2] = [Channel::Plain, Channel::Lexical];

/// Groups submissions that are linked by pairs with a share of at least [`NEAR`] in one of the channels.
fn near_copies(candidates: &[Candidate], channels: &[Scores], n: usize) -> Groups {
    let mut forest = Forest::new(n);
    for scores in channels {
        for (number, pair) in candidates.iter().enumerate() {
            if scores.reaches(number, pair, NEAR) {
                forest.join(pair.a, pair.b);
            }
        }
    }
    Groups::new((0..n as SubmissionId).map(|id| forest.root(id)).collect())
}

/// The submissions and the pairs that are scored.
struct Scorer<'a> {
    /// Per channel, the profiles of the submissions.
    profiles: &'a [Vec<Profile>],
    candidates: &'a [Candidate],
    progress: &'a dyn Progress,
    rooms: &'a ThreadScratch,
}

/// Memory in which each thread sorts and counts, kept from one channel to the next.
struct ThreadScratch(Vec<Mutex<(tally::SortScratch, tally::Scratch)>>);

impl ThreadScratch {
    /// Allocates memory for `n` submissions.
    fn new(n: usize) -> ThreadScratch {
        let of_thread = |_| Mutex::new((tally::SortScratch::default(), tally::Scratch::new(n)));
        ThreadScratch((0..rayon::current_num_threads()).map(of_thread).collect())
    }

    /// Returns the memory of the current thread.
    fn of_thread(&self) -> MutexGuard<'_, (tally::SortScratch, tally::Scratch)> {
        let number = rayon::current_thread_index().unwrap_or(0);
        self.0[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Grams of a channel as they were sorted last.
#[derive(Default)]
struct SortedChannel {
    holdings: Holdings,
    /// True if these are all grams of the channel that is to be scored.
    are_all: bool,
}

impl Scorer<'_> {
    /// Returns the scores in each of the channels, which must have profiles, and the groups of near-copies.
    ///
    /// Near-copies, which count as one, are found by scores for which every submission counts. If there are any, these
    /// channels are scored again.
    fn scores(&self, channels: &[Channel]) -> Result<(Vec<Scores>, Groups)> {
        let n = self.profiles[0].len();
        let telling = if channels.contains(&TELLING[0]) { &TELLING } else { channels };
        let mut sorted: Vec<SortedChannel> =
            telling.iter().map(|_| SortedChannel::default()).collect();
        let of_telling = |sorted: &mut [SortedChannel], groups: &Groups| -> Result<Vec<Scores>> {
            let scores = telling.iter().zip(sorted);
            scores.map(|(&channel, sorted)| self.in_channel(channel, groups, sorted)).collect()
        };
        let mut known = of_telling(&mut sorted, &Groups::alone(n))?;
        let groups = near_copies(self.candidates, &known, n);
        if !groups.are_single() {
            known = of_telling(&mut sorted, &groups)?;
        }
        // From here on, one of them is enough as memory.
        sorted.truncate(1);
        let of_channel = |&channel: &Channel| {
            if let Some(number) = telling.iter().position(|&other| other == channel) {
                return Ok(std::mem::take(&mut known[number]));
            }
            sorted[0].are_all = false;
            self.in_channel(channel, &groups, &mut sorted[0])
        };
        let scores = channels.iter().map(of_channel).collect::<Result<_>>()?;
        Ok((scores, groups))
    }

    /// Returns the scores in one channel; `sorted` are its grams, or memory for them.
    fn in_channel(
        &self,
        channel: Channel,
        groups: &Groups,
        sorted: &mut SortedChannel,
    ) -> Result<Scores> {
        if channel != Channel::Literal {
            return self.count(channel, self.candidates, groups, sorted);
        }
        // A literal that everyone has would cost as many steps as there are candidates.
        let sizes = self.sizes();
        let counts =
            |pair: &Candidate| sizes[pair.a as usize].min(sizes[pair.b as usize]).has_literals();
        let counted: Vec<Candidate> = self.candidates.iter().copied().filter(counts).collect();
        let of_counted = self.count(channel, &counted, groups, sorted)?;
        Ok(of_counted.spread(self.candidates.iter().map(counts)))
    }

    /// Scores candidates in one channel.
    fn count(
        &self,
        channel: Channel,
        candidates: &[Candidate],
        groups: &Groups,
        sorted: &mut SortedChannel,
    ) -> Result<Scores> {
        let profiles = &self.profiles[channel as usize];
        let n = profiles.len();
        let tally = Tally::new(profiles);
        let weights = rarity::weights(groups.n_groups());
        let rows = tally::rows(n, candidates);
        let mut held = vec![Amount::default(); n];
        let mut shared = vec![Amount::default(); candidates.len()];
        self.progress.begin("scoring", tally.n_batches());
        let mut from = vec![0; n];
        for batch in 0..tally.n_batches() {
            self.progress.check()?;
            if sorted.are_all {
                let parts = sorted.holdings.parts(tally.n_parts());
                parts.par_iter_mut().for_each(|part| part.weigh(groups));
            } else {
                self.sort(&tally, groups, batch, &mut from, &mut sorted.holdings);
                sorted.are_all = tally.n_batches() == 1;
            }
            self.progress.check()?;
            let holdings = &sorted.holdings;
            // Each thread has rows of its own, and so sums of its own.
            let mut rest = &mut shared[..];
            let of_rows = (0..).zip(&mut held).zip(rows.windows(2)).map(|((id, held), row)| {
                let (shared, others) = std::mem::take(&mut rest).split_at_mut(row[1] - row[0]);
                rest = others;
                Row { id, held, candidates: &candidates[row[0]..row[1]], shared }
            });
            let mut of_rows: Vec<Row<'_>> = of_rows.collect();
            of_rows.par_chunks_mut(ROWS).try_for_each(|rows| {
                self.progress.check()?;
                let (_, scratch) = &mut *self.rooms.of_thread();
                for row in rows {
                    row.count(holdings, &weights, scratch);
                }
                Ok(())
            })?;
            self.progress.advance();
        }
        Ok(Scores::new(profiles, &held, shared, &weights))
    }

    /// Sorts a batch; `from` is where the previous batch ended in each submission, and becomes where this one ends.
    fn sort(
        &self,
        tally: &Tally<'_>,
        groups: &Groups,
        batch: u64,
        from: &mut [u32],
        holdings: &mut Holdings,
    ) {
        let ids = (0..from.len() as SubmissionId).into_par_iter();
        let cuts: Vec<Cut> =
            ids.zip(&*from).map(|(id, &from)| tally.cut(id, batch, from)).collect();
        for (from, cut) in from.iter_mut().zip(&cuts) {
            *from = cut[PARTS];
        }
        let parts = holdings.parts(tally.n_parts());
        parts.par_iter_mut().enumerate().for_each(|(number, part)| {
            tally.sort(number, &cuts, groups, part, &mut self.rooms.of_thread().0);
        });
        let gathering = holdings.gathering(from.len(), ROWS);
        gathering.into_par_iter().for_each(Gathering::gather);
        holdings.forget_gathered();
    }

    /// Returns the size of each submission.
    fn sizes(&self) -> Vec<Size> {
        let n_grams = |channel: Channel, id: usize| {
            self.profiles.get(channel as usize).map_or(0, |of_channel| of_channel[id].n_grams())
        };
        let size = |id: usize| Size {
            n_grams: n_grams(Channel::Structural, id),
            n_literals: n_grams(Channel::Literal, id),
        };
        (0..self.profiles[0].len()).map(size).collect()
    }
}

/// Number of submissions that a thread takes at a time.
const ROWS: usize = 16;

/// Turns rows of `n` values, one row for each member, into `n` columns.
fn transposed<T>(n: usize, of_members: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let mut columns: Vec<Vec<T>> = (0..n).map(|_| Vec::with_capacity(of_members.len())).collect();
    for of_member in of_members {
        for (column, one) in columns.iter_mut().zip(of_member) {
            column.push(one);
        }
    }
    columns
}

/// Returns `aside`, which ascends, and the prose of a member's documents that mix prose and code: ascending.
fn with_prose(aside: &[Range<usize>], member: &Member) -> Vec<Range<usize>> {
    let prose = member.prose_of_cells();
    let rest = without(aside.iter().cloned(), &prose);
    let mut all: Vec<Range<usize>> = rest.into_iter().chain(prose).collect();
    all.sort_unstable_by_key(|range| range.start);
    all
}

/// Sizes of the classes.
struct Sizes {
    of_grams: Vec<Size>,
    counted: Vec<Counted>,
}

/// Numbers of a class's tokens that are not boilerplate.
#[derive(Debug, Clone, Copy)]
struct Counted {
    code: u64,
    /// Tokens of the prose of documents that mix prose and code.
    prose: u64,
}

impl Counted {
    fn new(member: &Member, grey: &[Range<usize>]) -> Counted {
        let code = outside(member.outline.ranges(Kind::Code), grey);
        let prose = outside(member.prose_of_cells().into_iter(), grey);
        Counted { code, prose }
    }

    /// Returns the share of code among code and prose, a fraction in `0..=1`.
    fn share_of_code(self) -> f64 {
        self.code as f64 / (self.code + self.prose).max(1) as f64
    }
}

/// Returns the candidates that both have code, and of which one has prose beside it.
fn mixed_candidates(candidates: &[Candidate], counted: &[Counted]) -> Vec<Candidate> {
    let is_mixed = |pair: &&Candidate| {
        let [a, b] = [pair.a, pair.b].map(|id| counted[id as usize]);
        (a.prose > 0 || b.prose > 0) && a.code > 0 && b.code > 0
    };
    candidates.iter().filter(is_mixed).copied().collect()
}

/// Share of code from which on the code of a document decides alone: a report with a short listing is not a copy of
/// another with the same listing.
const MOSTLY_PROSE: f64 = 0.25;

/// Number of tokens of code from which on code decides alone.
const ENOUGH_CODE: f64 = 100.0;

/// Scores of the code of pairs of which one has documents that mix prose and code: it may be a copy whatever the prose
/// around it is.
#[derive(Default)]
struct OfMixed {
    /// Ascending by pair.
    pairs: Vec<(Candidate, Shared, f64)>,
}

impl OfMixed {
    /// Scores the candidates of `compared`, whose profiles are of code alone.
    fn new(
        compared: &Scorer<'_>,
        channels: &[Channel],
        groups: &Groups,
        counted: &[Counted],
    ) -> Result<OfMixed> {
        if compared.candidates.is_empty() {
            return Ok(OfMixed::default());
        }
        let scores = channels
            .iter()
            .map(|&channel| compared.in_channel(channel, groups, &mut SortedChannel::default()));
        let scores: Vec<Scores> = scores.collect::<Result<_>>()?;
        let sizes = compared.sizes();
        let of_pair = |(number, pair): (usize, &Candidate)| {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let of = |channel: Channel| scores[channel as usize].of_pair(number, pair);
            let Shared { share, evidence } = fused(of, sizes[a].min(sizes[b]));
            let (a, b) = (counted[a], counted[b]);
            let of_code = a.share_of_code().max(b.share_of_code()) / MOSTLY_PROSE;
            let amount = a.code.min(b.code) as f64 / ENOUGH_CODE;
            let share = share * of_code.min(1.0) * amount.min(1.0);
            let contained = scores[0].contained(number, pair, [a.code, b.code]);
            (*pair, Shared { share, evidence }, contained)
        };
        let mut pairs: Vec<_> = compared.candidates.iter().enumerate().map(of_pair).collect();
        pairs.sort_unstable_by_key(|(pair, ..)| (pair.a, pair.b));
        Ok(OfMixed { pairs })
    }

    /// Raises the score of a pair to that of its code, if that is higher.
    fn raise(&self, pair: RankedPair) -> RankedPair {
        let key = (pair.a, pair.b);
        let found = self.pairs.binary_search_by_key(&key, |(pair, ..)| (pair.a, pair.b));
        let Some((_, Shared { share, evidence }, contained)) =
            found.ok().map(|number| self.pairs[number])
        else {
            return pair;
        };
        let contained = contained.max(pair.contained);
        if share > pair.score {
            return RankedPair { score: share, contained, evidence, ..pair };
        }
        RankedPair { contained, ..pair }
    }
}

/// Returns the pairs with their scores, best first; ties by evidence, then by number.
///
/// `scores` are those of the channels, in their order; prose has only the first, which is used for all. `of_mixed` are
/// those of code alone, where there is prose beside it.
fn rank(
    candidates: &[Candidate],
    rare_runs: &[RareShare],
    identical: &[SubmissionId],
    scores: &[Scores],
    Sizes { of_grams, counted }: &Sizes,
    of_mixed: &OfMixed,
) -> Vec<RankedPair> {
    let of = |channel: Channel| scores.get(channel as usize).unwrap_or(&scores[0]);
    let pair = |Candidate { a, b }: Candidate, shared: &dyn Fn(Channel) -> Shared| {
        let smaller = of_grams[a as usize].min(of_grams[b as usize]);
        let Shared { share, evidence } = fused(shared, smaller);
        RankedPair { a, b, score: share, contained: 0.0, evidence, rare_run: 0, run_of_few: 0 }
    };
    let others = candidates.par_iter().zip(rare_runs).enumerate();
    let others = others.map(|(number, (&both, rare))| RankedPair {
        contained: {
            let tokens = [both.a, both.b].map(|id| counted[id as usize].code);
            of(Channel::Structural).contained(number, &both, tokens)
        },
        rare_run: rare.longest,
        run_of_few: rare.longest_of_few,
        ..pair(both, &|channel| of(channel).of_pair(number, &both))
    });
    let mut pairs: Vec<RankedPair> = others.map(|pair| of_mixed.raise(pair)).collect();
    // Pairs of identical submissions are not among the candidates.
    let own = identical.iter();
    pairs.extend(
        own.map(|&id| pair(Candidate { a: id, b: id }, &|channel| of(channel).identical(id))),
    );
    pairs.par_sort_unstable_by(|x, y| {
        let by_score = y.score.total_cmp(&x.score).then(y.evidence.cmp(&x.evidence));
        by_score.then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    pairs
}
