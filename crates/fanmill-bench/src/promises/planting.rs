//! Runs of tokens from one program, planted between the statements of two others.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use fanmill::pair::CandidateLimits;
use fanmill::pipeline::Config;
use fanmill_kernel::hash::mix::mix;
use fanmill_text::frontend::{FrontEnd, Kind};
use fanmill_text::gram;
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Tokens};

use super::Program;

/// A batch with the runs planted in it.
#[derive(Debug)]
pub(super) struct Batch {
    /// Names and texts.
    pub(super) texts: Vec<(String, String)>,
    pub(super) planted: Vec<Planted>,
}

/// A run that two programs share because it was planted.
#[derive(Debug, Clone)]
pub(super) struct Planted {
    /// The program that comes first in the batch.
    pub(super) a: HostedRun,
    pub(super) b: HostedRun,
}

/// One of the two hosts of a planted run: its name, and the bytes of the run.
#[derive(Debug, Clone)]
pub(super) struct HostedRun {
    pub(super) name: String,
    pub(super) bytes: Range<usize>,
}

/// A program with a run in it.
struct Host {
    text: String,
    tokens: Tokens,
    /// Bytes of the run; `first` is the index of its first token.
    bytes: Range<usize>,
    first: usize,
}

/// A batch of programs, and the donors of its planted runs.
pub(super) struct Planting<'a> {
    batch: &'a [Program],
    others: &'a [Program],
    front_end: &'a dyn FrontEnd,
    /// Minimum length in tokens of a run that must be found.
    guarantee: usize,
    /// For each program of the batch, its grams of that length, ascending and distinct.
    grams: Vec<Vec<u64>>,
    /// Number of programs of the batch that contain each of these grams.
    holders: BTreeMap<u64, usize>,
}

impl<'a> Planting<'a> {
    /// Prepares a batch of the first `n_batch` programs.
    pub(super) fn new(
        programs: &'a [Program],
        n_batch: usize,
        front_end: &'a dyn FrontEnd,
    ) -> Planting<'a> {
        let (batch, others) = programs.split_at(n_batch);
        let recipe = Config::standard().recipe(Kind::Code);
        let guarantee = recipe.map_or(24, |recipe| recipe.thresholds.guarantee());
        let grams: Vec<Vec<u64>> =
            batch.iter().map(|program| distinct_grams(&program.tokens, guarantee)).collect();
        let mut holders = BTreeMap::new();
        grams.iter().flatten().for_each(|&gram| *holders.entry(gram).or_insert(0) += 1);
        Planting { batch, others, front_end, guarantee, grams, holders }
    }

    /// Plants up to `n` runs of these lengths: each from a program of its own, in two programs that contain no other
    /// planted run.
    pub(super) fn plant(&self, n: usize, lengths: RangeInclusive<usize>) -> Batch {
        let named = self.batch.iter().map(|program| (program.name.clone(), program.text.clone()));
        let mut batch = Batch { texts: named.collect(), planted: Vec::new() };
        let mut free: Vec<usize> = (0..self.batch.len()).collect();
        for (number, other) in self.others.iter().enumerate() {
            if batch.planted.len() == n {
                break;
            }
            let n_lengths = lengths.end() - lengths.start() + 1;
            let length = lengths.start() + number % n_lengths;
            let Some((a, b, hosts)) = self.plant_one(other, length, &free) else { continue };
            free.retain(|&host| host != a && host != b);
            let [a, b] = [(a, 0), (b, 1)].map(|(host, side)| {
                batch.texts[host].1.clone_from(&hosts[side].text);
                HostedRun { name: self.batch[host].name.clone(), bytes: hosts[side].bytes.clone() }
            });
            batch.planted.push(Planted { a, b });
        }
        batch
    }

    /// Plants one run of `length` tokens of another program into the first two free and unrelated programs that it
    /// fits.
    fn plant_one(
        &self,
        other: &Program,
        length: usize,
        free: &[usize],
    ) -> Option<(usize, usize, [Host; 2])> {
        let a = *free.first()?;
        let starts = (0..other.tokens.len().saturating_sub(length))
            .filter(|&start| begins_line(&other.text, other.tokens.spans[start]))
            .filter(|&start| self.is_rare(other, start..start + length));
        let mut starts: Vec<usize> = starts.collect();
        starts.sort_unstable_by_key(|&start| mix(start as u64));
        // The run must read as the same tokens in both hosts, and must not be part of a longer common run.
        for &b in free[1..].iter().filter(|&&b| self.are_unrelated(a, b)).take(PARTNERS) {
            for &start in starts.iter().take(STARTS) {
                let symbols = &other.tokens.symbols[start..start + length];
                if [a, b].iter().any(|&host| self.has_some(host, symbols)) {
                    continue;
                }
                let run = other.tokens.spans[start].join(other.tokens.spans[start + length - 1]);
                let run = &other.text[run.range()];
                let hosts_a = self.hosts(a, run, length);
                let hosts_b = self.hosts(b, run, length);
                let fits = |host: &Host| host.tokens.symbols[host.first..].starts_with(symbols);
                for host_a in hosts_a.into_iter().filter(fits) {
                    let fit = |host_b: &&Host| fits(host_b) && !is_longer(&host_a, host_b, length);
                    if let Some(place) = hosts_b.iter().position(|host_b| fit(&host_b)) {
                        let host_b = hosts_b.into_iter().nth(place)?;
                        return Some((a, b, [host_a, host_b]));
                    }
                }
            }
        }
        None
    }

    /// Returns whether each gram of guarantee length of a run is so rare that two more programs may contain it.
    fn is_rare(&self, other: &Program, run: Range<usize>) -> bool {
        let most = CandidateLimits::default().max_holders.saturating_sub(2);
        let grams = other.tokens.symbols[run].windows(self.guarantee).map(gram::hash);
        grams.into_iter().all(|gram| self.holders.get(&gram).is_none_or(|&holders| holders <= most))
    }

    /// Returns whether a program already contains a part of a run as long as the guarantee: the comparison might show
    /// either copy.
    fn has_some(&self, host: usize, run: &[Symbol]) -> bool {
        let mut grams = run.windows(self.guarantee).map(gram::hash);
        grams.any(|gram| self.grams[host].binary_search(&gram).is_ok())
    }

    /// Returns whether two programs share no gram of guarantee length.
    fn are_unrelated(&self, a: usize, b: usize) -> bool {
        self.grams[a].iter().all(|gram| self.grams[b].binary_search(gram).is_err())
    }

    /// Returns a program with a run between two of its statements, once for each of several places.
    fn hosts(&self, host: usize, run: &str, length: usize) -> Vec<Host> {
        let Program { text, tokens, .. } = &self.batch[host];
        let mut places = statements(text, tokens);
        places.sort_unstable_by_key(|&place| mix(place as u64));
        let planted = places.into_iter().take(PLACES).map(|place| {
            let line = text[..place].rfind('\n').map_or(0, |end| end + 1);
            let text = format!("{}{run}\n{}", &text[..line], &text[line..]);
            let mut tokens = Tokens::default();
            self.front_end.tokenize(&text, &mut tokens);
            let first = tokens.spans.partition_point(|span| span.range().start < line);
            Host { text, tokens, bytes: line..line + run.len(), first }
        });
        planted.filter(|host| host.first + length <= host.tokens.len()).collect()
    }
}

/// Number of programs tried as the second host of a run; `STARTS` and `PLACES` limit the starts of a run and its places
/// in each host.
const PARTNERS: usize = 4;
const STARTS: usize = 8;
const PLACES: usize = 6;

/// Returns the distinct grams of `k` tokens, ascending.
fn distinct_grams(tokens: &Tokens, k: usize) -> Vec<u64> {
    let mut grams = Vec::new();
    gram::hash_all(&tokens.symbols, k, &mut grams);
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// Returns whether a token is the first of its line.
fn begins_line(text: &str, token: Span) -> bool {
    let before = &text[..token.range().start];
    before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
}

/// Returns the bytes at which a statement seems to begin: first tokens of lines outside parentheses and brackets.
fn statements(text: &str, tokens: &Tokens) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut places = Vec::new();
    for &span in &tokens.spans {
        let spelled = &text[span.range()];
        if depth == 0 && begins_line(text, span) {
            places.push(span.range().start);
        }
        match spelled {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    places
}

/// Returns whether two hosts share more than the run: also the token before it or after it.
fn is_longer(a: &Host, b: &Host, length: usize) -> bool {
    let before = |host: &Host| host.first.checked_sub(1).map(|at| host.tokens.symbols[at]);
    let after = |host: &Host| host.tokens.symbols.get(host.first + length).copied();
    let is_same = |x: Option<_>, y: Option<_>| x.is_some() && x == y;
    is_same(before(a), before(b)) || is_same(after(a), after(b))
}
