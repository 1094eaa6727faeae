//! The second reading: writes the texts that are left, and finds places in bytes and names for the table.

use std::borrow::Cow;

use fanmill_text::Result;
use rayon::prelude::*;

use super::context::Run;
use super::jobs::Jobs;
use super::outcome::{Job, Outcome, OutcomeLog};
use super::rounds::Plan;
use super::stored::Stored;
use super::summary::Removed;
use super::table::{self, Rows};
use crate::dedup::Mode;
use crate::job::{Starts, changed};
use crate::spill::{Bits, Column};
use fanmill_records::format::{Batch, Columns, OutputForm, Shard};
use fanmill_records::{RecordAction, RunMark};

/// The state of the writing.
struct Writing<'a> {
    run: &'a Run<'a>,
    stored: &'a Stored,
    starts: Starts,
    /// Documents that are cut, or that others have text from.
    members: Bits,
    jobs: Jobs<'a>,
    /// Names of the members.
    ids: Column<u8>,
    log: OutcomeLog,
}

/// Writes the corpus without what is cut out, and the table of the pieces.
pub(super) fn write(run: &Run<'_>, stored: &Stored, plan: &Plan) -> Result<Removed> {
    let (spill, memory) = (run.staging.spill(), run.settings.memory / 16);
    let (jobs, members, removed) = Jobs::new(run.context(), plan, stored.texts.words.len())?;
    let log = OutcomeLog::new(run.context(), removed);
    let mut writing = Writing {
        run,
        stored,
        starts: stored.account.records.starts()?,
        members,
        jobs,
        ids: Column::new(spill, memory),
        log,
    };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        writing.write_shard(index, shard)?;
    }
    let Writing { starts, members, ids, log, .. } = writing;
    if run.staging.has_output() {
        let rows = Rows {
            starts,
            members: members.ranked(),
            ids,
            pieces: &plan.pieces,
            bytes: log.rows,
            sources: log.source_bytes,
        };
        table::write(run, rows)?;
    }
    Ok(log.removed)
}

/// Returns the form in which the corpus is written; `None` if it is not.
pub(super) fn form(mode: Mode) -> Option<OutputForm> {
    match mode {
        Mode::Remove => Some(OutputForm::Records),
        Mode::Mark => Some(OutputForm::RunMarks),
        Mode::Report => None,
    }
}

impl Writing<'_> {
    fn write_shard(&mut self, index: usize, shard: &Shard) -> Result<()> {
        let (run, starts) = (self.run, self.starts.clone());
        let Some(form) = form(run.settings.mode) else {
            return self.check_shard(index, shard);
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
                jobs.push(self.jobs.take(document)?);
            }
        }
        let (context, texts) = (self.run.context(), &self.stored.texts);
        let outcome = |job: &Job| {
            let Ok(record) = batch.record((job.document - first) as usize) else { return Ok(None) };
            let outcome = job.outcome(context, texts, &record.text)?;
            Ok(outcome.map(|outcome| (record.name().unwrap_or_default().to_owned(), outcome)))
        };
        let outcomes: Vec<Result<Option<(String, Outcome)>>> =
            jobs.par_iter().map(outcome).collect();
        let mut actions = vec![self.unchanged(); batch.len()];
        for (job, outcome) in jobs.iter().zip(outcomes) {
            // The document was readable and had these words, so anything else means that the shard has changed.
            let (id, outcome) = outcome?.ok_or_else(|| changed(shard))?;
            self.ids.push(id.as_bytes())?;
            actions[(job.document - first) as usize] = self.take(job, outcome)?;
        }
        Ok(actions)
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
        self.log.note(job, &outcome, self.run.settings)?;
        if job.cuts.is_empty() {
            return Ok(self.unchanged());
        }
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
