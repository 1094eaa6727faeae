//! Candidate pairs of a batch: the most promising ones by their fingerprints, and all that share a rare run.

use std::ops::Range;

use rayon::prelude::*;

use crate::base::{self, Boilerplate};
use crate::fingerprint::{Recipe, fingerprint};
use crate::index::{Index, SubmissionId};
use crate::pair::{Candidate, CandidateCounter, CandidateLimits};
use crate::pipeline::Batch;
use crate::pipeline::recipes::BatchRecipe;
use crate::rare_runs::{HashRange, LongGrams, RareGrams, RareRuns, SharedRuns};
use crate::score::without;
use fanmill_kernel as kernel;
use fanmill_text::error::Result;
use fanmill_text::frontend::Kind;
use fanmill_text::progress::Progress;
use fanmill_text::token::Stream;

/// Fingerprints and long grams of a submission, by one recipe.
#[derive(Debug, Default)]
pub(super) struct CandidateKeys {
    /// Hashes of fingerprints that other submissions may hold and that are not boilerplate, ascending.
    fingerprints: Vec<u64>,
    long_grams: LongGrams,
}

impl CandidateKeys {
    /// Collects, for each recipe, the grams by which a member can meet others. `grey` is the member's boilerplate.
    pub(super) fn new(
        batch: &Batch<'_>,
        member: usize,
        stream: &Stream,
        recipes: &[BatchRecipe],
        grey: &[(Range<usize>, Boilerplate)],
    ) -> Vec<CandidateKeys> {
        let grey = base::union(grey);
        let of_recipe = |of_pairs: &BatchRecipe| {
            if !of_pairs.is_for_one(member) {
                return CandidateKeys::default();
            }
            let recipe = &of_pairs.recipe;
            let counted = without(stream.ranges(recipe.kind), &grey);
            let may_be_shared = |hash| of_pairs.may_be_shared(batch, hash);
            let counts = |hash| of_pairs.counts(batch, hash);
            CandidateKeys {
                fingerprints: counted_fingerprints(stream, recipe, counts),
                long_grams: LongGrams::new(stream, recipe, &counted, may_be_shared),
            }
        };
        recipes.iter().map(of_recipe).collect()
    }

    /// Returns whether there is a fingerprint that another submission may hold.
    pub(super) fn has_fingerprints(&self) -> bool {
        !self.fingerprints.is_empty()
    }
}

/// Returns the hashes of a submission's fingerprints that are `wanted`, ascending.
fn counted_fingerprints(
    stream: &Stream,
    recipe: &Recipe,
    wanted: impl Fn(u64) -> bool,
) -> Vec<u64> {
    let mut found = Vec::new();
    fingerprint(stream, &recipe.for_candidates(), &mut found);
    found.retain(|one| wanted(one.hash));
    let mut hashes: Vec<u64> = found.iter().map(|one| one.hash).collect();
    // A run of a single word has one gram however long it is, and counts as if it had two.
    let k = recipe.thresholds.noise();
    let repeats = found.iter().filter(|one| is_one_word(stream, one.at as usize, k));
    hashes.extend(repeats.map(|one| !one.hash).filter(|_| recipe.kind == Kind::Words));
    kernel::sort_in_place(&mut hashes);
    hashes.dedup();
    hashes.shrink_to_fit();
    hashes
}

/// Returns whether the `k` tokens from a position on are all equal.
fn is_one_word(stream: &Stream, at: usize, k: usize) -> bool {
    let symbols = &stream.tokens.symbols[at..at + k];
    symbols.windows(2).all(|two| two[0] == two[1])
}

/// The rare runs that two submissions share; zeros if there are none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RareShare {
    /// Number of tokens of the longest run.
    pub(super) longest: u32,
    /// Number of tokens of the longest run that very few submissions have ([`FEW`](crate::rare_runs::FEW)).
    pub(super) longest_of_few: u32,
}

/// Pairs that are worth scoring.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Ascending by row.
    pub(super) pairs: Vec<Candidate>,
    /// For each pair, the rare runs that the two share.
    pub(super) rare_runs: Vec<RareShare>,
    /// True if a limit left out some pairs that share no rare run.
    pub(super) is_limited: bool,
}

impl Candidates {
    /// Joins the candidates of several kinds of text: submissions that meet in one may meet in another too.
    pub(super) fn joined(mut kinds: Vec<Candidates>) -> Candidates {
        if let [_] = &kinds[..] {
            return kinds.remove(0);
        }
        let is_limited = kinds.iter().any(|of_kind| of_kind.is_limited);
        let all =
            kinds.into_iter().flat_map(|of_kind| of_kind.pairs.into_iter().zip(of_kind.rare_runs));
        let mut all: Vec<(Candidate, RareShare)> = all.collect();
        all.par_sort_unstable_by_key(|&(both, run)| (both.b, both.a, std::cmp::Reverse(run)));
        all.dedup_by_key(|(both, _)| *both);
        let (pairs, rare_runs) = all.into_iter().unzip();
        Candidates { pairs, rare_runs, is_limited }
    }
}

/// The search for candidates in one kind of text.
pub(super) struct Search<'a> {
    pub(super) recipe: &'a Recipe,
    pub(super) limits: &'a CandidateLimits,
    pub(super) progress: &'a dyn Progress,
}

impl Search<'_> {
    /// Finds the candidates among submissions that `may_meet`. `least_shared` gives the number of fingerprints that
    /// each submission must share with another, unless they share a rare run.
    ///
    /// # Errors
    /// If there are too many fingerprints, or the run is cancelled.
    pub(super) fn candidates(
        &self,
        meetings: &[CandidateKeys],
        least_shared: Vec<u32>,
        may_meet: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Candidates> {
        let index = Index::build(meetings.iter().map(|meeting| &meeting.fingerprints[..]))?;
        let counter = CandidateCounter::new(&index, self.limits).asking(least_shared);
        let runs = self.rare_runs(meetings)?;
        self.progress.begin("finding pairs", meetings.len() as u64);
        let rows = (0..meetings.len() as SubmissionId).into_par_iter().map_init(
            || (counter.scratch(), runs.scratch()),
            |(scratch, scratch_of_runs), b| {
                self.progress.check()?;
                let wanted = |a: SubmissionId| may_meet(a as usize, b as usize);
                let (mut promising, mut rare) = (Vec::new(), Vec::new());
                let is_whole = counter.row(b, wanted, scratch, &mut promising);
                runs.row(b, wanted, scratch_of_runs, &mut rare);
                self.progress.advance();
                Ok((self.merged(&promising, &rare), is_whole))
            },
        );
        let rows: Vec<(Vec<(Candidate, RareShare)>, bool)> = rows.collect::<Result<_>>()?;
        let is_limited = rows.iter().any(|(_, is_whole)| !is_whole);
        let (pairs, rare_runs) = rows.into_iter().flat_map(|(row, _)| row).unzip();
        Ok(Candidates { pairs, rare_runs, is_limited })
    }

    /// Finds the rare runs of submissions.
    fn rare_runs(&self, meetings: &[CandidateKeys]) -> Result<RareRuns> {
        let holdings: Vec<&LongGrams> =
            meetings.iter().map(|meeting| &meeting.long_grams).collect();
        let parts = HashRange::all(&holdings);
        self.progress.begin("finding rare runs", parts.len() as u64);
        let rare = parts.par_iter().map(|&part| {
            self.progress.check()?;
            let rare = RareGrams::from_part(&holdings, part, self.limits.max_holders);
            self.progress.advance();
            Ok(rare)
        });
        Ok(RareRuns::new(rare.collect::<Result<_>>()?, meetings.len()))
    }

    /// Merges the two lists of candidates of a row, both ascending, each candidate with its rare runs.
    fn merged(&self, promising: &[Candidate], rare: &[SharedRuns]) -> Vec<(Candidate, RareShare)> {
        let least = self.recipe.thresholds.guarantee() as u32;
        let of = |shared: &SharedRuns| RareShare {
            longest: least + shared.longest - 1,
            longest_of_few: shared.longest_of_few.checked_sub(1).map_or(0, |more| least + more),
        };
        let mut all: Vec<(Candidate, RareShare)> =
            rare.iter().map(|shared| (shared.pair, of(shared))).collect();
        let is_rare =
            |pair: &Candidate| rare.binary_search_by_key(pair, |shared| shared.pair).is_ok();
        all.extend(
            promising
                .iter()
                .filter(|pair| !is_rare(pair))
                .map(|&pair| (pair, RareShare::default())),
        );
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::pipeline::{Config, Ranking};
    use fanmill_text::document::Corpus;
    use fanmill_text::frontend::Registry;
    use fanmill_text::progress::Silent;

    const GUARANTEE: usize = 5;

    /// Keeps one partner for each submission, and pairs that share a run that few have.
    fn config(max_holders: usize) -> Config {
        Config::standard().with(|config| {
            (config.fingerprints.noise, config.fingerprints.guarantee) =
                (Some(2), Some(GUARANTEE as u32));
            config.candidates.all_pairs = 0;
            config.candidates.candidates = 0;
            config.candidates.candidates_per_submission = 1;
            config.candidates.free_steps = 0;
            config.candidates.steps_per_posting = 1;
            config.candidates.max_holders = max_holders;
        })
    }

    /// Returns the windows of guarantee length, as words.
    fn windows(text: &str) -> BTreeSet<Vec<&str>> {
        let words: Vec<&str> = text.split(' ').collect();
        words.windows(GUARANTEE).map(<[&str]>::to_vec).collect()
    }

    proptest! {
        /// The promise: a pair that shares a run of guarantee length which at most `max_holders` have is scored,
        /// whatever better partners there are.
        #[test]
        fn pairs_that_share_a_rare_run_are_always_scored(
            texts in proptest::collection::vec(proptest::collection::vec(0_u32..4, 0..30), 2..14),
            max_holders in 0_usize..6,
        ) {
            let spelled = |words: &Vec<u32>| {
                let words = words.iter().map(|&word| ["ant", "bee", "cat", "dog"][word as usize]);
                words.collect::<Vec<_>>().join(" ")
            };
            let texts: Vec<String> = texts.iter().map(spelled).collect();
            let named = (0..).zip(&texts).map(|(i, text)| (format!("{i:02}.txt"), text.clone()));
            let corpus = Corpus::from_texts(named).expect("different names");
            let (registry, config) = (Registry::prose(), config(max_holders));
            let batch = Batch::read(corpus, &registry, &config, &Silent).expect("prose");
            let ranking = Ranking::new(&batch, &config, &Silent).expect("not cancelled");
            let scored: BTreeMap<(usize, usize), u32> = ranking
                .pairs
                .iter()
                .flat_map(|pair| ranking.members_of(pair, &batch).map(|members| (members, pair.rare_run)))
                .collect();

            // Identical texts count once.
            let different: BTreeSet<&String> = texts.iter().collect();
            let mut holders: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
            let all = different.iter().flat_map(|text| windows(text));
            all.for_each(|window| *holders.entry(window).or_default() += 1);
            for b in 0..texts.len() {
                for a in (0..b).filter(|&a| texts[a] != texts[b]) {
                    let shares = windows(&texts[a])
                        .intersection(&windows(&texts[b]))
                        .any(|window| holders[window] <= max_holders);
                    let rare_run = scored.get(&(a, b)).copied();
                    prop_assert_eq!(rare_run.is_some_and(|run| run >= GUARANTEE as u32), shares);
                    prop_assert!(shares || rare_run.is_none_or(|run| run == 0));
                }
            }
        }
    }

    #[test]
    fn kinds_are_joined_by_their_longest_rare_run() {
        let of = |pairs: &[(u32, u32, u32)], is_limited| Candidates {
            pairs: pairs.iter().map(|&(a, b, _)| Candidate { a, b }).collect(),
            rare_runs: pairs
                .iter()
                .map(|&(.., longest)| RareShare { longest, ..RareShare::default() })
                .collect(),
            is_limited,
        };
        let joined = Candidates::joined(vec![
            of(&[(0, 1, 0), (0, 2, 30)], false),
            of(&[(0, 1, 14), (1, 3, 0), (0, 2, 12)], true),
        ]);
        let pairs: Vec<(u32, u32)> = joined.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 3)]);
        let longest: Vec<u32> = joined.rare_runs.iter().map(|rare| rare.longest).collect();
        assert_eq!((longest, joined.is_limited), (vec![14, 30, 0], true));
        assert!(Candidates::joined(Vec::new()).pairs.is_empty());
    }
}
