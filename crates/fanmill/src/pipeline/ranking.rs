//! Which pairs are worth looking at: boilerplate taken out, candidates found, each scored.

use std::ops::Range;

use rayon::prelude::*;

use crate::base::{self, Base, Boilerplate};
use crate::error::Result;
use crate::fingerprint::{Scheme, fingerprint};
use crate::index::{Index, SubmissionId};
use crate::pair::{Candidate, Counter};
use crate::pipeline::{Batch, Config, Member, Progress};
use crate::score::rarity::{self, Channel, Profiles};
use crate::source::Role;
use crate::token::Stream;

/// The scored pairs of a batch, and what was found on the way.
#[derive(Debug)]
pub struct Ranking {
    /// Pairs that share a fingerprint, best first. Members of one class of identical submissions
    /// stand for each other: only the pair of their representatives is here.
    pub pairs: Vec<RankedPair>,
    /// Per kind of text: the scheme and its boilerplate grams.
    pub(super) schemes: Vec<(Scheme, Base)>,
    /// Per member: its boilerplate, as token ranges, ascending.
    pub(super) grey: Vec<Vec<(Range<usize>, Boilerplate)>>,
    /// Members with equal tokens and names, ascending, the representative first; archive and new
    /// ones only. Ascending by representative.
    pub(super) classes: Vec<Vec<usize>>,
    /// Whether there were more candidates than a run may score.
    pub(super) is_limited: bool,
}

/// Two classes of members and their score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedPair {
    /// Index of the one class; equal to `b` for the members of one class among each other.
    pub a: SubmissionId,
    /// Index of the other class.
    pub b: SubmissionId,
    /// A fraction in `0..=1`: [`crate::score::rarity`].
    pub score: f64,
    /// Weight of what they share in the channel that decided: how much evidence the score rests on.
    pub evidence: u64,
}

impl Ranking {
    /// Scores the pairs of a batch.
    ///
    /// # Errors
    /// If the configured thresholds contradict each other.
    pub fn of(batch: &Batch, config: &Config, progress: &dyn Progress) -> Result<Ranking> {
        let members = &batch.members;
        let schemes = schemes(batch, config)?;
        let grey: Vec<_> = members.par_iter().map(|member| cover(member, &schemes)).collect();
        let classes = classes(members);
        let streams: Vec<&Stream> = classes.iter().map(|class| &members[class[0]].stream).collect();

        progress.begin("fingerprinting", streams.len() as u64);
        let fingerprints: Vec<Vec<u64>> = streams
            .par_iter()
            .map(|stream| {
                progress.advance();
                counted_fingerprints(stream, &schemes)
            })
            .collect();
        let index = Index::build(fingerprints.iter().map(Vec::as_slice));
        let may_meet =
            |a: usize, b: usize| has_new(members, &classes[a]) || has_new(members, &classes[b]);
        let (mut candidates, is_limited) = candidates(&index, config, may_meet, progress);
        let identical = (0..).zip(&classes).filter(|(id, class)| {
            class.len() > 1 && has_new(members, class) && !fingerprints[*id as usize].is_empty()
        });
        candidates.extend(identical.map(|(id, _)| Candidate { a: id, b: id }));

        let pairs = score(&streams, &classes, &grey, &candidates, progress);
        Ok(Ranking { pairs, schemes, grey, classes, is_limited })
    }

    /// How many pairs of members a pair of classes stands for.
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

    /// The members of two classes that make up a pair: all combinations but archive with archive.
    pub fn members_of<'a>(
        &'a self,
        pair: &RankedPair,
        batch: &'a Batch,
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

/// The scheme of each kind that occurs, with the boilerplate of the whole batch.
fn schemes(batch: &Batch, config: &Config) -> Result<Vec<(Scheme, Base)>> {
    let of_role = |is_base: bool| {
        let members =
            batch.members.iter().filter(move |m| (m.submission.role == Role::Base) == is_base);
        members.map(|member| &member.stream)
    };
    let limit = config.max_docs.map(|max_docs| max_docs.limit(of_role(false).count()));
    let kinds = batch.kinds().into_iter();
    kinds
        .map(|kind| {
            let scheme = config.scheme(kind)?;
            Ok((scheme, Base::new(&scheme, of_role(true), of_role(false), limit)))
        })
        .collect()
}

/// The boilerplate of one member, ascending.
fn cover(member: &Member, schemes: &[(Scheme, Base)]) -> Vec<(Range<usize>, Boilerplate)> {
    let mut runs = Vec::new();
    for (scheme, base) in schemes {
        base.cover(&member.stream, scheme, &mut runs);
    }
    runs.sort_unstable_by_key(|(range, _)| range.start);
    runs
}

/// The hashes of a submission's fingerprints that are not boilerplate.
fn counted_fingerprints(stream: &Stream, schemes: &[(Scheme, Base)]) -> Vec<u64> {
    let mut hashes = Vec::new();
    let mut found = Vec::new();
    for (scheme, base) in schemes {
        found.clear();
        fingerprint(stream, scheme, &mut found);
        hashes.extend(found.iter().map(|f| f.hash).filter(|&hash| base.of(hash).is_none()));
    }
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Groups new and archived members whose tokens and names are equal.
///
/// Each class is indexed and weighed once: a solution handed in by a hundred is not less telling
/// for it, and five thousand copies of one file cost no more than one.
fn classes(members: &[Member]) -> Vec<Vec<usize>> {
    let compared = |&i: &usize| members[i].submission.role != Role::Base;
    let mut keyed: Vec<(u64, usize)> = (0..members.len())
        .filter(compared)
        .map(|i| (content_hash(&members[i].stream), i))
        .collect();
    keyed.sort_unstable();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for group in keyed.chunk_by(|x, y| x.0 == y.0) {
        let first_new = classes.len();
        for &(_, i) in group {
            let is_equal = |class: &&mut Vec<usize>| {
                same_content(&members[class[0]].stream, &members[i].stream)
            };
            match classes[first_new..].iter_mut().find(is_equal) {
                Some(class) => class.push(i),
                None => classes.push(vec![i]),
            }
        }
    }
    classes.sort_unstable_by_key(|class| class[0]);
    classes
}

fn content_hash(stream: &Stream) -> u64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for symbols in [&stream.tokens.symbols, &stream.tokens.names] {
        for symbol in symbols {
            hasher.update(&symbol.value().to_le_bytes());
        }
    }
    hasher.digest()
}

fn same_content(a: &Stream, b: &Stream) -> bool {
    let kinds = |stream: &Stream| {
        stream.documents.iter().map(|d| (d.range.clone(), d.kind)).collect::<Vec<_>>()
    };
    a.tokens.symbols == b.tokens.symbols && a.tokens.names == b.tokens.names && kinds(a) == kinds(b)
}

fn has_new(members: &[Member], class: &[usize]) -> bool {
    class.iter().any(|&member| members[member].submission.role == Role::New)
}

/// The candidate pairs of all rows, ascending by row, and whether a limit left some out.
fn candidates(
    index: &Index,
    config: &Config,
    may_meet: impl Fn(usize, usize) -> bool + Sync,
    progress: &dyn Progress,
) -> (Vec<Candidate>, bool) {
    let counter = Counter::new(index, &config.candidates);
    progress.begin("finding pairs", index.n_submissions() as u64);
    let rows: Vec<(Vec<Candidate>, bool)> = (0..index.n_submissions() as SubmissionId)
        .into_par_iter()
        .map_init(
            || counter.scratch(),
            |scratch, b| {
                let mut row = Vec::new();
                let wanted = |a: SubmissionId| may_meet(a as usize, b as usize);
                let is_whole = counter.row(b, wanted, scratch, &mut row);
                progress.advance();
                (row, is_whole)
            },
        )
        .collect();
    let is_limited = rows.iter().any(|(_, is_whole)| !is_whole);
    (rows.into_iter().flat_map(|(row, _)| row).collect(), is_limited)
}

/// Scores candidates, best first; ties by evidence, then by number.
fn score(
    streams: &[&Stream],
    classes: &[Vec<usize>],
    grey: &[Vec<(Range<usize>, Boilerplate)>],
    candidates: &[Candidate],
    progress: &dyn Progress,
) -> Vec<RankedPair> {
    progress.begin("scoring", 2 * candidates.len() as u64);
    let [structural, lexical] = [Channel::Structural, Channel::Lexical].map(|channel| {
        let grams: Vec<Vec<(u64, u32)>> = streams
            .par_iter()
            .zip(classes)
            .map(|(stream, class)| {
                let grey = base::union(&grey[class[0]]);
                rarity::grams(stream, channel, &grey)
            })
            .collect();
        let profiles = Profiles::build(grams.iter().map(Vec::as_slice));
        let score_one = |pair: &Candidate| {
            progress.advance();
            profiles.score(pair.a, pair.b)
        };
        candidates.par_iter().map(score_one).collect::<Vec<_>>()
    });
    let better =
        structural.into_iter().zip(lexical).map(|(x, y)| if y.share > x.share { y } else { x });
    let mut pairs: Vec<RankedPair> = candidates
        .iter()
        .zip(better)
        .map(|(pair, score)| RankedPair {
            a: pair.a,
            b: pair.b,
            score: score.share,
            evidence: score.evidence,
        })
        .collect();
    pairs.sort_unstable_by(|x, y| {
        let by_score = y.score.total_cmp(&x.score).then(y.evidence.cmp(&x.evidence));
        by_score.then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    pairs
}
