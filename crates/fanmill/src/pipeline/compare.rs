//! The whole job, from a corpus to a report.

use rayon::prelude::*;

use crate::pipeline::assemble::{self, ReportPairs};
use crate::pipeline::blocks::Blocks;
use crate::pipeline::evidence::{Evidence, Extent, Finder, Row};
use crate::pipeline::found::{FoundPair, first_of, found};
use crate::pipeline::listing::{Listed, ListedPair};
use crate::pipeline::own_earlier::first_of_others;
use crate::pipeline::reading::Reader;
use crate::pipeline::token_cache::TokenCache;
use crate::pipeline::unlisted::Unlisted;
use crate::pipeline::{Batch, Config, Member, RankedPair, Ranking};
use crate::report::Report;
use fanmill_text::document::{Corpus, Role};
use fanmill_text::error::Result;
use fanmill_text::frontend::{Decoded, Registry};
use fanmill_text::progress::Progress;
use fanmill_text::span::Span;
use fanmill_text::token::Class;

/// A finished comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The report, with its evidence.
    pub report: Report,
    /// The highest score of the pairs that share a passage, listed or not; a fraction in `0..=1`.
    pub highest_score: f64,
    /// The submissions that are in the report, in its order.
    members: Vec<Member>,
}

/// Compares the submissions of a corpus with each other, and lists the best pairs with their passages.
///
/// # Errors
/// If the settings contradict each other or name an unknown language, or the run is cancelled. Documents that cannot be
/// read are not errors: they are notices in the report.
pub fn compare(
    corpus: Corpus,
    registry: &Registry,
    config: &Config,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let mut batch = Batch::read(corpus, registry, config, progress)?;
    let ranking = Ranking::new(&batch, config, progress)?;
    let held = TokenCache::new(&batch, &ranking, progress)?;
    batch.forget_grams();
    let mut finder = Finder::new(&batch, &ranking, held);
    let found = findings(&mut finder, &batch, &ranking, progress)?;
    let listed = Listed::new(&batch, &ranking, &found, config);
    let evidence = evidence(&mut finder, &batch, &listed.pairs, progress)?;
    let unlisted = Unlisted::new(&batch, &ranking, &found, &listed, config.min_score);
    let extents = extents(&mut finder, &batch, &unlisted, progress)?;
    drop(finder);
    let shown = ReportPairs { listed: &listed, evidence, unlisted: &unlisted, extents };
    let report = assemble::report(&batch, &ranking, &found, shown, config);
    let of_others = |found: &&FoundPair| first_of_others(&batch, &ranking, &found.ranked).is_some();
    let highest_score = found.iter().find(of_others).map_or(0.0, |found| found.finding.score);
    let members =
        batch.members.into_iter().filter(|member| member.submission.role != Role::Base).collect();
    Ok(Comparison { report, highest_score, members })
}

/// Returns the scored pairs that share a passage, best first.
fn findings(
    finder: &mut Finder<'_>,
    batch: &Batch<'_>,
    ranking: &Ranking,
    progress: &dyn Progress,
) -> Result<Vec<FoundPair>> {
    progress.begin("verifying", ranking.pairs.len() as u64);
    let first_of = |pair: &RankedPair| first_of(pair, ranking, batch);
    let pairs: Vec<(usize, usize)> = ranking.pairs.iter().map(first_of).collect();
    let findings = in_turns(finder, batch, &pairs, progress, |finder, row, number| {
        progress.advance();
        finder.finding(row, pairs[number], &ranking.pairs[number])
    })?;
    Ok(found(ranking, findings))
}

/// Returns the evidence of the listed pairs, in their order.
fn evidence(
    finder: &mut Finder<'_>,
    batch: &Batch<'_>,
    listed: &[ListedPair],
    progress: &dyn Progress,
) -> Result<Vec<Evidence>> {
    progress.begin("matching", listed.len() as u64);
    let pairs: Vec<(usize, usize)> = listed.iter().map(|pair| pair.members).collect();
    in_turns(finder, batch, &pairs, progress, |finder, row, number| {
        progress.advance();
        finder.find(row, pairs[number], listed[number].rank)
    })
}

/// Sums up the passages of the unlisted pairs, in their order; returns nothing if there are more than [`MEASURED`].
fn extents(
    finder: &mut Finder<'_>,
    batch: &Batch<'_>,
    unlisted: &Unlisted,
    progress: &dyn Progress,
) -> Result<Vec<Extent>> {
    let all = &unlisted.pairs[..];
    let measured = if all.len() > MEASURED { &[] } else { all };
    let pairs: Vec<(usize, usize)> = measured.iter().map(|pair| pair.members).collect();
    in_turns(finder, batch, &pairs, progress, |finder, row, number| {
        finder.extent(row, pairs[number], measured[number].rank)
    })
}

/// Maximum number of unlisted pairs whose passages are summed up: a hundred submissions have no more. In large batches,
/// tiling all pairs would take as long as everything else.
const MEASURED: usize = 5000;

/// Calls `make` for each pair of members, given its number, in parallel; returns the results in the order of the pairs.
///
/// Work is done in turns, and in each turn by rows, since what prepares a member for one of its pairs serves for its
/// other pairs.
fn in_turns<T: Send>(
    finder: &mut Finder<'_>,
    batch: &Batch<'_>,
    pairs: &[(usize, usize)],
    progress: &dyn Progress,
    make: impl Fn(&Finder<'_>, &Row<'_>, usize) -> T + Sync,
) -> Result<Vec<T>> {
    let mut made: Vec<(usize, T)> = Vec::with_capacity(pairs.len());
    for turn in Blocks::from_members(&batch.members).schedule(pairs, |&pair| pair) {
        let finder_here = &*finder;
        let keyed = turn.into_iter().map(|number| (finder_here.row_of(pairs[number]), number));
        let mut keyed: Vec<(usize, usize)> = keyed.collect();
        keyed.sort_unstable();
        // A member with very many partners is work for several threads.
        let rows = keyed.chunk_by(|x, y| x.0 == y.0).flat_map(|row| row.chunks(ROW));
        let rows: Vec<&[(usize, usize)]> = rows.collect();
        let make_row = |row: &&[(usize, usize)]| {
            progress.check()?;
            let member = finder_here.row(row[0].0);
            let make = |&(_, number): &(usize, usize)| (number, make(finder_here, &member, number));
            Ok(row.iter().map(make).collect::<Vec<(usize, T)>>())
        };
        made.extend(
            rows.par_iter().map(make_row).collect::<Result<Vec<_>>>()?.into_iter().flatten(),
        );
        finder.tidy();
    }
    made.sort_unstable_by_key(|(number, _)| *number);
    Ok(made.into_iter().map(|(_, made)| made).collect())
}

/// Maximum number of pairs in a row.
const ROW: usize = 64;

impl Comparison {
    /// Returns the submissions that are in the report, in its order, with the bytes that they were read from.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Calls `take` with the tokens that a document was compared by, in order: the class of each, and its bytes in the
    /// original. Bytes between two tokens were not compared.
    ///
    /// Starts ascend, and so do ends; no span is empty. As many tokens start within the place of a match as the match
    /// has, unless one character of the original was folded into several tokens.
    ///
    /// `registry` is the one that the documents were compared with, and `decoded` is the result of
    /// [`decode`](fanmill_text::frontend::decode) for this document's bytes. If there is no such document, or the registry
    /// does not have its front end, `take` is not called.
    pub fn tokens(
        &self,
        registry: &Registry,
        member: usize,
        document: usize,
        decoded: &Decoded<'_>,
        take: &mut dyn FnMut(Class, Span),
    ) {
        let found = self.members.get(member).and_then(|member| {
            let submission = &member.submission;
            Some((submission, submission.documents.get(document)?, member.parts.get(document)?))
        });
        let Some((submission, document, part)) = found else { return };
        let reader = Reader::again(registry, self.report.settings.language.as_deref());
        let reader = reader.of(submission);
        // An error can only come before the first token: it is about the choice of a front end.
        let _ = reader.tokens(&document.path, decoded, part, take);
    }
}
