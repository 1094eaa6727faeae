//! Null batches: submissions of people who did not copy from each other, and their scores.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use fanmill::pipeline::Config;
use fanmill::score::expectation::{STANDS_OUT, ScoredPair, Shape};
use fanmill_kernel::hash::mix::SplitMix;
use fanmill_text::document::Corpus;
use fanmill_text::frontend::Registry;
use rayon::prelude::*;

use crate::accuracy::pools::{Pools, Text};
use crate::accuracy::scored::ScoredBatch;

/// Expectations at which pairs are counted.
pub(super) const LEVELS: [f64; 3] = [1.0, 0.1, 0.01];

/// Number of batches of each kind.
const N_BATCHES: u64 = 150;
/// Minimum number of authors of a contest's task that gives batches of its own.
const LARGE: usize = 25;
/// Minimum and maximum number of submissions in a batch.
const SIZES: (usize, usize) = (20, 80);
/// Minimum and maximum number of submissions in a small batch.
const SMALL: (usize, usize) = (5, 19);

/// Null batches of one kind.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) name: &'static str,
    batches: Vec<NullBatch>,
}

/// A null batch.
#[derive(Debug)]
struct NullBatch {
    scored: ScoredBatch,
    /// Pairs that do not count, by numbers, since both contain the same public code.
    left_out: BTreeSet<(u32, u32)>,
}

/// Totals over the batches of a family.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ChanceCounts {
    /// Mean number of pairs of a batch at or below each of [`LEVELS`].
    pub(super) pairs: [f64; 3],
    /// Share of people in a cluster.
    pub(super) clustered: f64,
    /// Number of batches that could not be judged.
    pub(super) n_unjudged: usize,
    /// Mean number of pairs left out for public code, per batch.
    pub(super) left_out: f64,
}

impl ChanceCounts {
    /// Returns the number of levels at which more than twice the expected number of pairs was found.
    pub(super) fn n_violations(&self) -> usize {
        self.pairs.iter().zip(LEVELS).filter(|(mean, level)| **mean > 2.0 * level).count()
    }
}

/// Draws the texts of a batch.
type Draw<'a> = Box<dyn Fn(&mut SplitMix) -> Vec<&'a Text> + Sync + 'a>;

impl Family {
    /// Draws and compares all null batches.
    pub(super) fn all(pools: &Pools, registry: &Registry, config: &Config) -> Result<Vec<Family>> {
        let own: Vec<&[Text]> = vec![pools.emse.as_slice(), pools.soco.as_slice()];
        let contests = slices(&pools.conplag);
        let large = contests.iter().copied().filter(|pool| pool.len() >= LARGE).collect();
        let ample: Vec<&[Text]> = own.iter().copied().chain(contests).collect();
        let tasks = ample.iter().copied().chain(slices(&pools.irplag)).collect();
        let draws = [
            ("emse", any_of(vec![pools.emse.as_slice()], SIZES)),
            ("soco", any_of(vec![pools.soco.as_slice()], SIZES)),
            ("conplag1", any_of(large, SIZES)),
            ("one task, 5 to 19", any_of(ample.clone(), SMALL)),
            ("code, one a task", one_a_task(tasks)),
            ("code, several a task", several_a_task(ample)),
            ("reuters", any_of(vec![pools.reuters.as_slice()], SIZES)),
            ("clough", any_of(vec![pools.clough.as_slice()], SIZES)),
            ("pan sources", any_of(vec![pools.pan.as_slice()], SIZES)),
        ];
        let draws = (0..).zip(draws);
        draws.map(|(seed, (name, draw))| Family::new(name, seed, &draw, registry, config)).collect()
    }

    fn new(
        name: &'static str,
        seed: u64,
        draw: &Draw<'_>,
        registry: &Registry,
        config: &Config,
    ) -> Result<Family> {
        let batch = |number: u64| {
            let mut random = SplitMix::new(seed << 32 | number);
            NullBatch::new(&draw(&mut random), registry, config)
        };
        let batches = (0..N_BATCHES).into_par_iter().map(batch).collect::<Result<_>>()?;
        Ok(Family { name, batches })
    }

    /// Counts pairs and people of the batches, by a tail of this shape.
    pub(super) fn found(&self, shape: Shape) -> ChanceCounts {
        let of_batches: Vec<ChanceCounts> =
            self.batches.par_iter().map(|batch| batch.found(shape)).collect();
        let n_people: usize = self.batches.iter().map(|batch| batch.scored.n_submissions()).sum();
        let n_judged = self.batches.len() - of_batches.iter().map(|f| f.n_unjudged).sum::<usize>();
        let mut all =
            ChanceCounts { n_unjudged: self.batches.len() - n_judged, ..ChanceCounts::default() };
        for of_batch in &of_batches {
            for (sum, n) in all.pairs.iter_mut().zip(of_batch.pairs) {
                *sum += n / n_judged.max(1) as f64;
            }
            all.clustered += of_batch.clustered / n_people as f64;
            all.left_out += of_batch.left_out / of_batches.len() as f64;
        }
        all
    }
}

impl Family {
    /// Returns the names of striking pairs by a tail of this shape, each with its number of batches: most first.
    pub(super) fn standing_out(&self, shape: Shape) -> Vec<([&str; 2], usize)> {
        let mut n_batches: BTreeMap<[&str; 2], usize> = BTreeMap::new();
        for pair in self.batches.iter().flat_map(|batch| batch.standing_out(shape)) {
            *n_batches.entry(pair).or_default() += 1;
        }
        let mut all: Vec<([&str; 2], usize)> = n_batches.into_iter().collect();
        all.sort_by_key(|&(_, n)| Reverse(n));
        all
    }
}

impl NullBatch {
    fn new(texts: &[&Text], registry: &Registry, config: &Config) -> Result<NullBatch> {
        let named = texts.iter().map(|text| (text.name.clone(), text.bytes.clone()));
        let scored = ScoredBatch::new(Corpus::from_texts(named)?, registry, config)?;
        // Submissions are in the order of their names.
        let mut ordered = texts.to_vec();
        ordered.sort_unstable_by(|x, y| x.name.cmp(&y.name));
        let of = |number: u32| ordered[number as usize];
        let left_out = scored.pairs.iter().filter(|pair| of(pair.a).shares_public_code(of(pair.b)));
        let left_out = left_out.map(|pair| (pair.a, pair.b)).collect();
        Ok(NullBatch { scored, left_out })
    }

    /// Returns the pairs that share a passage and are not left out.
    fn counted(&self) -> impl Iterator<Item = &ScoredPair> {
        self.scored.pairs.iter().filter(|pair| !self.left_out.contains(&(pair.a, pair.b)))
    }

    /// Returns the names of striking pairs that are not left out.
    fn standing_out(&self, shape: Shape) -> Vec<[&str; 2]> {
        let Ok(fitted) = self.scored.fit(shape) else { return Vec::new() };
        let name = |number: u32| self.scored.names[number as usize].as_str();
        let striking = self.counted().filter(|pair| fitted.of(pair.score) <= STANDS_OUT);
        striking.map(|pair| [name(pair.a), name(pair.b)]).collect()
    }

    /// Counts pairs and people in clusters, and checks whether the batch can be judged.
    fn found(&self, shape: Shape) -> ChanceCounts {
        let fitted = self.scored.fit(shape);
        let n_at = |level: f64| {
            let is_at = |score: f64| fitted.is_ok_and(|fitted| fitted.of(score) <= level);
            self.counted().filter(|pair| is_at(pair.score)).count() as f64
        };
        let threshold = self.scored.link_threshold(shape);
        let linked = self.counted().filter(|pair| pair.score >= threshold);
        let people: BTreeSet<u32> = linked.flat_map(|pair| [pair.a, pair.b]).collect();
        ChanceCounts {
            pairs: LEVELS.map(n_at),
            clustered: people.len() as f64,
            n_unjudged: usize::from(fitted.is_err()),
            left_out: self.left_out.len() as f64,
        }
    }
}

fn slices(pools: &[Vec<Text>]) -> Vec<&[Text]> {
    pools.iter().map(Vec::as_slice).collect()
}

/// Draws texts of one of the pools, no two of them copies.
fn any_of(pools: Vec<&[Text]>, sizes: (usize, usize)) -> Draw<'_> {
    Box::new(move |random| chosen(pools[random.below(pools.len())].iter().collect(), sizes, random))
}

/// Draws one text each of twenty tasks or more.
fn one_a_task(tasks: Vec<&[Text]>) -> Draw<'_> {
    Box::new(move |random| {
        let mut tasks = tasks.clone();
        shuffle(&mut tasks, random);
        let n = SIZES.0 + random.below(tasks.len() - SIZES.0 + 1);
        tasks[..n].iter().map(|pool| &pool[random.below(pool.len())]).collect()
    })
}

/// Draws texts of five to ten tasks.
fn several_a_task(tasks: Vec<&[Text]>) -> Draw<'_> {
    Box::new(move |random| {
        let mut tasks = tasks.clone();
        shuffle(&mut tasks, random);
        let n = 5 + random.below(6);
        chosen(tasks[..n].iter().flat_map(|pool| pool.iter()).collect(), SIZES, random)
    })
}

/// Draws as many texts as the sizes allow, or all, no two of them copies.
fn chosen<'a>(
    mut texts: Vec<&'a Text>,
    (least, most): (usize, usize),
    random: &mut SplitMix,
) -> Vec<&'a Text> {
    shuffle(&mut texts, random);
    let most = most.min(texts.len()).max(least);
    let n = least + random.below(most - least + 1);
    let mut chosen: Vec<&Text> = Vec::new();
    for text in texts {
        if chosen.len() < n && !chosen.iter().any(|other| other.is_copy(text)) {
            chosen.push(text);
        }
    }
    chosen
}

fn shuffle<T>(items: &mut [T], random: &mut SplitMix) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}
