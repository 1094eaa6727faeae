//! The second reading: writes the texts that are left, and finds places in bytes and names for the table.

use std::borrow::Cow;
use std::ops::Range;

use fanmill_text::Result;
use rayon::prelude::*;

use super::by_document::ByDocument;
use super::context::Run;
use super::items::{Cut, Piece, Row, SourceBytes, SourceRef};
use super::outcome::{Job, Outcome};
use super::rounds::Plan;
use super::stored::Stored;
use super::summary::Removed;
use super::table::{self, Rows};
use crate::dedup::Mode;
use crate::job::{Starts, changed};
use crate::spill::{Bits, Column, Series, Sorter};
use fanmill_records::format::{Batch, Columns, OutputForm, Shard};
use fanmill_records::{RecordAction, RunMark};

/// Documents by their items, in the order of the corpus.
type Upcoming<'a, T> = ByDocument<T, Box<dyn Iterator<Item = Result<T>> + Send + 'a>>;

/// The state of the writing.
struct Writing<'a> {
    run: &'a Run<'a>,
    stored: &'a Stored,
    plan: &'a Plan,
    starts: Starts,
    /// Documents that are cut, or that others have text from.
    members: Bits,
    cuts: Upcoming<'a, Cut>,
    pieces: Upcoming<'a, Piece>,
    sources: Upcoming<'a, SourceRef>,
    /// Names of the members.
    ids: Column<u8>,
    rows: Series<Row>,
    source_bytes: Sorter<SourceBytes>,
    removed: Removed,
}

/// Writes the corpus without what is cut out, and the table of the pieces.
pub(super) fn write(run: &Run<'_>, stored: &Stored, plan: &Plan) -> Result<Removed> {
    let (spill, memory) = (run.staging.spill(), run.settings.memory / 16);
    let mut members = Bits::new(stored.words.len());
    let mut sources = Sorter::new(spill, memory);
    let (mut n_pieces, mut n_within) = (0, 0);
    for piece in plan.pieces.iter() {
        let piece = piece?;
        members.insert(piece.document);
        members.insert(piece.source);
        let (begin, end) = (piece.source_begin, piece.source_begin + (piece.end - piece.begin));
        sources.push(SourceRef { document: piece.source, begin, end, piece: n_pieces })?;
        n_pieces += 1;
        n_within += u64::from(piece.document == piece.source);
    }
    let removed = Removed { pieces: n_pieces, pieces_within: n_within, ..Removed::default() };
    let mut writing = Writing {
        run,
        stored,
        plan,
        starts: stored.account.records.starts()?,
        members,
        cuts: ByDocument::new(Box::new(plan.cuts.iter()), |cut| cut.document),
        pieces: ByDocument::new(Box::new(plan.pieces.iter()), |piece| piece.document),
        sources: ByDocument::new(Box::new(sources.sorted()?), |source| source.document),
        ids: Column::new(spill, memory),
        rows: Series::new(spill, memory),
        source_bytes: Sorter::new(spill, memory),
        removed,
    };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        writing.write_shard(index, shard)?;
    }
    let Writing { starts, members, ids, rows, source_bytes, removed, .. } = writing;
    if run.staging.has_output() {
        let rows = Rows {
            starts,
            members: members.ranked(),
            ids,
            pieces: &plan.pieces,
            bytes: rows,
            sources: source_bytes,
        };
        table::write(run, rows)?;
    }
    Ok(removed)
}

impl Writing<'_> {
    fn write_shard(&mut self, index: usize, shard: &Shard) -> Result<()> {
        let (run, starts) = (self.run, self.starts.clone());
        let form = match run.settings.mode {
            Mode::Remove => OutputForm::Records,
            Mode::Mark => OutputForm::RunMarks,
            Mode::Report => return self.check_shard(index, shard),
        };
        // An earlier run has written the shard, and only what the table says of it is missing.
        if run.staging.has_shard(index) {
            return self.check_shard(index, shard);
        }
        let mut writer = shard.writer(&run.staging, run.corpus.options, form)?;
        let make = |first: u32, batch: &Batch| {
            let mut actions = self.actions(shard, batch, first)?;
            self.stored.account.bad.leave_out(shard, first, &mut actions);
            Ok(actions)
        };
        let write =
            |_: u32, batch: &Batch, actions: Vec<RecordAction<'_>>| writer.write(batch, &actions);
        run.corpus.walk_again(&starts, index, Columns::All, &run.steps, make, write)?;
        writer.finish()?;
        run.staging.finish_shards(index + 1)
    }

    /// Reads a shard that is not written.
    fn check_shard(&mut self, index: usize, shard: &Shard) -> Result<()> {
        let (run, starts) = (self.run, self.starts.clone());
        let make = |first: u32, batch: &Batch| self.actions(shard, batch, first).map(drop);
        let (columns, take) = (Columns::Needed, |_: u32, _: &Batch, ()| Ok(()));
        run.corpus.walk_again(&starts, index, columns, &run.steps, make, take)
    }

    /// Returns the actions for the records of a batch, which begins with the document `first`.
    fn actions(
        &mut self,
        shard: &Shard,
        batch: &Batch,
        first: u32,
    ) -> Result<Vec<RecordAction<'static>>> {
        let documents = first..first + batch.len() as u32;
        let mut jobs = Vec::new();
        for document in documents {
            if self.members.contains(document) {
                jobs.push(self.job(document)?);
            }
        }
        let (run, stored) = (self.run, self.stored);
        let outcomes: Vec<Result<Option<Outcome>>> = jobs
            .par_iter()
            .map(|job| job.outcome(run, stored, batch, (job.document - first) as usize))
            .collect();
        let mut actions = vec![self.unchanged(); batch.len()];
        for (job, outcome) in jobs.iter().zip(outcomes) {
            // The document was readable and had these words, so anything else means that the shard has changed.
            let outcome = outcome?.ok_or_else(|| changed(shard))?;
            actions[(job.document - first) as usize] = self.take(job, outcome)?;
        }
        Ok(actions)
    }

    fn job(&mut self, document: u32) -> Result<Job> {
        let is_exhausted = self.plan.exhausted.contains(document);
        let (mut cuts, mut pieces, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        self.cuts.take(document, &mut cuts)?;
        self.pieces.take(document, &mut pieces)?;
        self.sources.take(document, &mut sources)?;
        Ok(Job { document, cuts, pieces, sources, is_exhausted })
    }

    /// Returns the action for a document that is not cut. A mark of an earlier run does not stay.
    fn unchanged(&self) -> RecordAction<'static> {
        match self.run.settings.mode {
            Mode::Mark => RecordAction::MarkRuns(None),
            Mode::Remove | Mode::Report => RecordAction::Keep,
        }
    }

    /// Records what becomes of a document, and returns the action for it.
    fn take(&mut self, job: &Job, outcome: Outcome) -> Result<RecordAction<'static>> {
        self.ids.push(outcome.id.as_bytes())?;
        let is_cut = !job.cuts.is_empty();
        let is_short = is_cut && outcome.words_left < self.run.settings.min_rest.max(1);
        for Range { start, end } in outcome.pieces {
            let (words_left, is_removed) = (outcome.words_left, u8::from(is_short));
            self.rows.push(Row { begin: start, end, words_left, is_removed })?;
        }
        for (source, Range { start, end }) in job.sources.iter().zip(outcome.sources) {
            self.source_bytes.push(SourceBytes { piece: source.piece, begin: start, end })?;
        }
        if !is_cut {
            return Ok(self.unchanged());
        }
        let removed = &mut self.removed;
        removed.runs += outcome.runs.len() as u64;
        removed.bytes += outcome.runs.iter().map(|run| u64::from(run.end - run.start)).sum::<u64>();
        removed.words += job.cuts.iter().map(|cut| u64::from(cut.end - cut.begin)).sum::<u64>();
        removed.documents += 1;
        removed.exhausted += u64::from(job.is_exhausted);
        removed.emptied += u64::from(outcome.words_left == 0);
        removed.short += u64::from(is_short && outcome.words_left > 0);
        Ok(match (self.run.settings.mode, outcome.left) {
            (Mode::Mark, _) => {
                let (runs, words_left) = (outcome.runs, outcome.words_left);
                RecordAction::MarkRuns(Some(RunMark { runs, words_left }))
            }
            (_, Some(left)) => RecordAction::Text(Cow::Owned(left)),
            (_, None) => RecordAction::Remove,
        })
    }
}
