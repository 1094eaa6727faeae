//! Extension of seeds to maximal matches: every shared gram is extended, token by token, to both ends.

use crate::matches::seeds::PairsTried;
use crate::matches::{LeftOut, Match, Seeds, Table};
use fanmill_text::token::{Number, Symbol};

/// The matches found by extension, and whether any may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extension {
    /// Maximal matches of at least `k` tokens, ascending by diagonal, then position.
    pub matches: Vec<Match>,
    /// Grams left out where a limit was met: matches in repetitive text may be missing there.
    pub left_out: LeftOut,
    /// Number of tokens from which on matches were looked for: `k`, or more where too many are as short as that.
    pub least: usize,
}

/// Comparisons allowed per token of both sides. Ordinary pairs need one or two; the limit is met
/// only where texts repeat themselves so much that matches on many diagonals cover the same tokens.
const COMPARISONS_PER_TOKEN: usize = 64;

/// A representation of tokens: by their symbols, or by a number for each symbol.
pub trait Comparable: Copy + PartialEq {
    /// Separates two documents, and is part of no match.
    const BREAK: Self;

    /// Returns a number that is equal for equal tokens only, for hashing runs of tokens.
    fn bits(self) -> u64;
}

impl Comparable for Symbol {
    const BREAK: Symbol = Symbol::BREAK;

    fn bits(self) -> u64 {
        self.value()
    }
}

impl Comparable for Number {
    const BREAK: Number = Number::BREAK;

    fn bits(self) -> u64 {
        u64::from(bytemuck::cast::<Number, u32>(self))
    }
}

/// Grams that two submissions share: matches may start at them.
#[derive(Debug)]
pub struct SharedSeeds {
    /// Each seed as its diagonal, then its position in A: all seeds, or the first of each run.
    seeds: Vec<u64>,
    left_out: LeftOut,
    least: usize,
}

/// The tokens of two submissions, between which seeds are looked for.
#[derive(Debug)]
pub struct SeedTexts<'a, S> {
    /// Tokens of A.
    pub a: &'a [S],
    /// Tokens of B.
    pub b: &'a [S],
    /// True if every gram of both is a seed. Then only the first seed of each run is kept, as all others are in the same
    /// match, and copies have many of them.
    pub is_whole: bool,
    /// Number of tokens of a match that must be found, however many there are: at least `k`.
    pub guarantee: usize,
}

/// Capacity for seeds: most pairs share no more than this.
const FEW: usize = 128;

/// Number of seeds that every pair may keep, and number for each token of both sides. More are shared only where a text
/// has so few different tokens that chance repeats whole grams.
const MOST_SEEDS: (usize, usize) = (1 << 18, 2);

/// Where there are more than [`MOST_SEEDS`], those of the shortest runs are left out until one in so many stays.
const FEWER: usize = 64;

/// The submission of a pair that a table belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableOf {
    /// The first submission.
    A,
    /// The second submission.
    B,
}

impl SharedSeeds {
    /// Finds the seeds that a table's submission shares with another one, as [`unless`](Self::unless) does if none is
    /// enough.
    pub fn new<S: Comparable>(
        table: &Table<'_>,
        table_of: TableOf,
        other: &Seeds,
        texts: SeedTexts<'_, S>,
    ) -> SharedSeeds {
        let all = SharedSeeds::unless(table, table_of, other, texts, |_, _| false);
        all.expect("no seed is enough")
    }

    /// Finds the seeds that a table's submission shares with another one. As soon as a seed `is_enough`, given its
    /// positions in A and in B, the search ends and returns `None`. Only a seed of a run as long as the guarantee may
    /// be enough.
    ///
    /// Where not all pairs of positions of a gram are tried, the first seed of a run may be missing, so all seeds are
    /// kept. Where there are too many seeds, those of the shortest runs are left out, up to the guarantee.
    pub fn unless<S: Comparable>(
        table: &Table<'_>,
        table_of: TableOf,
        other: &Seeds,
        texts: SeedTexts<'_, S>,
        is_enough: impl FnMut(u32, u32) -> bool,
    ) -> Option<SharedSeeds> {
        let most = MOST_SEEDS.0.max(MOST_SEEDS.1 * (texts.a.len() + texts.b.len()));
        SharedSeeds::up_to(most, (table, table_of), other, texts, is_enough)
    }

    /// Does what [`unless`](Self::unless) does, and keeps at most so many seeds.
    fn up_to<S: Comparable>(
        most: usize,
        (table, table_of): (&Table<'_>, TableOf),
        other: &Seeds,
        mut texts: SeedTexts<'_, S>,
        mut is_enough: impl FnMut(u32, u32) -> bool,
    ) -> Option<SharedSeeds> {
        let k = other.k();
        let mut seeds = Vec::with_capacity(FEW);
        loop {
            seeds.clear();
            let mut least = k;
            let (mut needs_all, mut is_full) = (false, false);
            let left_out = table.shared(other, |here, there, tried| {
                let (at_a, at_b) = match table_of {
                    TableOf::A => (here, there),
                    TableOf::B => (there, here),
                };
                if texts.is_whole {
                    needs_all = tried == PairsTried::ByRank;
                    if needs_all || !begins_run(texts.a, texts.b, at_a, at_b) {
                        return needs_all;
                    }
                }
                if least > k && !texts.have_run(at_a, at_b, least) {
                    return false;
                }
                seeds.push(on_diagonal(at_a, at_b));
                if seeds.len() > most {
                    while seeds.len() > most / FEWER && least < texts.guarantee {
                        least += 1;
                        seeds.retain(|&seed| {
                            let (at_a, at_b) = off_diagonal(seed);
                            texts.have_run(at_a, at_b, least)
                        });
                    }
                    is_full = seeds.len() > most;
                }
                is_full || is_enough(at_a, at_b)
            });
            // A run's first seed may be missing: search again, and keep all seeds.
            if needs_all {
                texts.is_whole = false;
                continue;
            }
            let left_out = match table_of {
                _ if is_full => LeftOut::Anything,
                TableOf::A => left_out?,
                TableOf::B => left_out?.turned(),
            };
            return Some(SharedSeeds { seeds, left_out, least });
        }
    }
}

impl<S: Comparable> SeedTexts<'_, S> {
    /// Returns whether a run of `least` equal tokens contains the ones at these positions.
    fn have_run(&self, at_a: u32, at_b: u32, least: usize) -> bool {
        let ((before_a, from_a), (before_b, from_b)) =
            (self.a.split_at(at_a as usize), self.b.split_at(at_b as usize));
        let end = |tokens: &[S]| tokens.len().min(least);
        let forward = common_prefix(&from_a[..end(from_a)], &from_b[..end(from_b)]);
        forward == least || {
            let start = |tokens: &[S]| tokens.len() - tokens.len().min(least - forward);
            let (before_a, before_b) = (&before_a[start(before_a)..], &before_b[start(before_b)..]);
            forward + common_suffix(before_a, before_b) == least
        }
    }
}

/// Finds all maximal matches that begin at a shared seed, of at least `k` tokens, or of those that seeds were kept of.
///
/// A match ends where the tokens differ, and at a [`Symbol::BREAK`] of either side.
/// Cost: O(shared seeds · log) plus the tokens matched.
pub fn maximal_matches<S: Comparable>(a: &[S], b: &[S], shared: SharedSeeds) -> Extension {
    let SharedSeeds { mut seeds, left_out, least, .. } = shared;
    // Along one diagonal, a seed inside the previous match would only find it again.
    seeds.sort_unstable();

    let mut extension = Extension { matches: Vec::new(), left_out, least };
    let mut comparisons_left = COMPARISONS_PER_TOKEN * (a.len() + b.len());
    let mut end_of_last = (0, 0);
    for seed in seeds {
        let (diagonal, at_a) = (seed >> 32, seed as u32);
        // Nor can one at its end match: the tokens differ there, and only the hashes of the grams begin alike.
        if end_of_last.0 == diagonal && at_a <= end_of_last.1 {
            continue;
        }
        let (_, at_b) = off_diagonal(seed);
        let found = extend(a, b, at_a, at_b);
        let len = found.len as usize;
        if len > comparisons_left {
            extension.left_out = LeftOut::Anything;
            break;
        }
        comparisons_left -= len;
        end_of_last = (diagonal, found.a + found.len);
        if len >= least {
            extension.matches.push(found);
        }
    }
    extension
}

/// Returns the maximal match that contains one token of each side; if these differ, the match that ends before them.
pub fn extend<S: Comparable>(a: &[S], b: &[S], at_a: u32, at_b: u32) -> Match {
    let (from_a, from_b) = (at_a as usize, at_b as usize);
    let forward = common_prefix(&a[from_a..], &b[from_b..]);
    let backward = common_suffix(&a[..from_a], &b[..from_b]);
    Match { a: at_a - backward as u32, b: at_b - backward as u32, len: (forward + backward) as u32 }
}

/// Returns whether a run of equal tokens begins at these positions, whose tokens are equal.
fn begins_run<S: Comparable>(a: &[S], b: &[S], at_a: u32, at_b: u32) -> bool {
    let before = |tokens: &[S], at: u32| at.checked_sub(1).map(|before| tokens[before as usize]);
    let before = before(a, at_a).zip(before(b, at_b));
    before.is_none_or(|(x, y)| x != y || x == S::BREAK)
}

/// Returns whether the `len` tokens from these positions on are equal on both sides. Breaks among them count as tokens.
pub fn agree<S: Comparable>(a: &[S], b: &[S], at_a: u32, at_b: u32, len: usize) -> bool {
    let (at_a, at_b) = (at_a as usize, at_b as usize);
    let (Some(a), Some(b)) = (a.get(at_a..at_a + len), b.get(at_b..at_b + len)) else {
        return false;
    };
    // The grams that begin here agree already, so most differences are at the end.
    a.last() == b.last() && a == b
}

/// Packs a seed into a number, its diagonal above its position in A, so that sorting numbers sorts by both.
///
/// The diagonal is the position in A minus the one in B, plus 2^31: diagonals of submissions of up to 2^31 tokens
/// ascend.
fn on_diagonal(at_a: u32, at_b: u32) -> u64 {
    let diagonal = at_a.wrapping_sub(at_b).wrapping_add(MIDDLE);
    u64::from(diagonal) << 32 | u64::from(at_a)
}

/// Returns the positions in A and in B of a seed packed by [`on_diagonal`].
fn off_diagonal(seed: u64) -> (u32, u32) {
    let (diagonal, at_a) = ((seed >> 32) as u32, seed as u32);
    (at_a, at_a.wrapping_sub(diagonal.wrapping_sub(MIDDLE)))
}

/// The diagonal of equal positions.
const MIDDLE: u32 = 1 << 31;

/// Counts the tokens that agree from the start on.
fn common_prefix<S: Comparable>(a: &[S], b: &[S]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y && **x != S::BREAK).count()
}

/// Counts the tokens that agree from the end backwards.
fn common_suffix<S: Comparable>(a: &[S], b: &[S]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y && **x != S::BREAK).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::matches::letters::{seeds, stream};
    use crate::matches::naive;

    #[test]
    fn the_first_of_a_run_may_be_among_what_was_not_tried() {
        // `aa` has too many pairs of positions to try them all; `ab` and `bc` have few.
        let texts = ["aabc", &"aax".repeat(40), "aabc"].concat();
        let (a, b) = (stream(&texts), stream(["yz", &texts].concat()));
        let found = |table_of: TableOf, is_known: bool| {
            let tokens = (&a.tokens.symbols[..], &b.tokens.symbols[..]);
            let (seeds_a, seeds_b) = (seeds(&a, 2), seeds(&b, 2));
            let (a, b) = tokens;
            let texts = SeedTexts { a, b, is_whole: is_known, guarantee: usize::MAX };
            let (of_table, other) = match table_of {
                TableOf::A => (&seeds_a, &seeds_b),
                TableOf::B => (&seeds_b, &seeds_a),
            };
            let shared = SharedSeeds::new(&Table::new(of_table), table_of, other, texts);
            maximal_matches(tokens.0, tokens.1, shared)
        };
        let all = found(TableOf::A, false);
        let LeftOut::Grams(in_a, in_b) = &all.left_out else { panic!("grams were left out") };
        assert_eq!(in_b, &in_a.iter().map(|at| at + 2).collect::<Vec<_>>());
        for table_of in [TableOf::A, TableOf::B] {
            for is_known in [false, true] {
                assert_eq!(found(table_of, is_known), all, "{table_of:?}, {is_known}");
            }
        }
    }

    #[test]
    fn where_too_many_diagonals_match_the_rest_is_left_out() {
        let n = 6 * COMPARISONS_PER_TOKEN;
        let text = stream("a".repeat(n));
        let text = &text.tokens.symbols[..];
        let n_found = |n_diagonals: usize| {
            let seeds: Vec<u64> = (0..n_diagonals as u32).map(|at| on_diagonal(at, 0)).collect();
            let shared = SharedSeeds { seeds, left_out: LeftOut::Nothing, least: 1 };
            let found = maximal_matches(text, text, shared);
            (found.matches.len(), found.left_out)
        };
        assert_eq!(n_found(n / 4), (n / 4, LeftOut::Nothing));
        let (found, left_out) = n_found(n);
        assert!(left_out == LeftOut::Anything && found < n, "{found} of {n} diagonals");
    }

    #[test]
    fn runs_agree_if_each_token_does() {
        let (a, b) = (stream("abcde|ab"), stream("xabcde|"));
        let (a, b) = (&a.tokens.symbols[..], &b.tokens.symbols[..]);
        assert!(agree(a, b, 0, 1, 5), "the same letters");
        assert!(agree(a, b, 0, 1, 6), "and the break behind them");
        assert!(!agree(a, b, 0, 1, 7), "B ends there");
        assert!(!agree(b, a, 1, 0, 7), "and so on either side");
        assert!(agree(a, a, 0, 6, 2) && !agree(a, a, 1, 6, 2));
        let (x, y) = (stream("abc"), stream("axc"));
        assert!(!agree(&x.tokens.symbols, &y.tokens.symbols, 0, 0, 3), "the last tokens are equal");
        let (x, y) = (stream("abc"), stream("abx"));
        assert!(!agree(&x.tokens.symbols, &y.tokens.symbols, 0, 0, 3), "only the last ones differ");
    }

    proptest! {
        #[test]
        fn where_there_are_too_many_seeds_only_short_matches_are_missing(
            a in "[ab|]{0,40}",
            b in "[ab|]{0,40}",
            k in 1_usize..4,
            longer in 0_usize..6,
            most in 0_usize..40,
            is_whole in any::<bool>(),
            turned in any::<bool>(),
        ) {
            let (a, b) = (stream(&a), stream(&b));
            let (seeds_a, seeds_b) = (seeds(&a, k), seeds(&b, k));
            let (a, b) = (&a.tokens.symbols[..], &b.tokens.symbols[..]);
            let guarantee = k + longer;
            let texts = SeedTexts { a, b, is_whole, guarantee };
            let (of_table, table_of, other) = if turned {
                (&seeds_b, TableOf::B, &seeds_a)
            } else {
                (&seeds_a, TableOf::A, &seeds_b)
            };
            let table = Table::new(of_table);
            let shared = SharedSeeds::up_to(most, (&table, table_of), other, texts, |_, _| false);
            let shared = shared.expect("no seed is enough");
            prop_assert!(shared.seeds.len() <= most + 1);
            let found = maximal_matches(a, b, shared);
            let mut all = naive::maximal_matches(a, b, found.least);
            let mut matches = found.matches;
            all.sort_unstable();
            matches.sort_unstable();
            prop_assert!(found.least <= guarantee);
            if found.left_out.is_some() {
                // Too many are as long as the guarantee, or a gram has too many positions.
                prop_assert!(matches.iter().all(|found| all.contains(found)));
            } else {
                prop_assert_eq!(matches, all);
            }
        }

        #[test]
        fn the_first_seeds_of_runs_show_all_matches(
            a in "[ab|]{0,40}",
            b in "[ab|]{0,40}",
            k in 1_usize..6,
        ) {
            let (a, b) = (stream(&a), stream(&b));
            let (seeds_a, seeds_b) = (seeds(&a, k), seeds(&b, k));
            let (a, b) = (&a.tokens.symbols, &b.tokens.symbols);
            let table = Table::new(&seeds_a);
            let shared = |is_whole| {
                let texts = SeedTexts { a, b, is_whole, guarantee: k };
                SharedSeeds::new(&table, TableOf::A, &seeds_b, texts)
            };
            let (all, firsts) = (shared(false), shared(true));
            let n_runs = firsts.seeds.len();
            let matches = maximal_matches(a, b, firsts);
            prop_assert_eq!(&maximal_matches(a, b, all), &matches);
            prop_assert_eq!(n_runs, matches.matches.len());
        }
    }
}
